/* scale_report.c - how a program scales, as text, as a table (CSV), and as JSON. */
#include "base/csv.h"
#include "base/units.h"
#include "cli/why/scale.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 10 };

/* -- what scales worst -------------------------------------------------------------------------- */

typedef struct Row { /* a site or a function: mean times of a rank in the first and the last run */
    const char *text;
    const ScaleFunction *function; /* NULL: a site */
    guint index;                   /* of the site or function */
    bool before;                   /* computing before the calls of the site */
    uint64_t first_ps, last_ps, ideal_ps;
} Row;

/* The first and the last run that has a result. */
static bool ends_of(const Scale *scale, const ScalePoint **first, const ScalePoint **last)
{
    *first = *last = NULL;
    for (uint32_t i = 0; i < scale->n; i++) {
        const ScalePoint *point = &scale->points[i];
        if (!point->done)
            continue;
        *first = *first ? *first : point;
        *last = point;
    }
    return *first && *first != *last;
}

static uint64_t mean(uint64_t ps, uint32_t ranks)
{
    return (ps + ranks / 2) / ranks;
}

/* What a rank would take in the last run if the work were shared ideally. */
static uint64_t ideal(const Scale *scale, uint64_t first_ps, const ScalePoint *first, const ScalePoint *last)
{
    return scale->weak ? first_ps : (uint64_t)((unsigned __int128)first_ps * first->ranks / last->ranks);
}

static int by_loss(gconstpointer a, gconstpointer b)
{
    const Row *one = a, *other = b;
    gint64 x = (gint64)(one->last_ps - one->ideal_ps), y = (gint64)(other->last_ps - other->ideal_ps);
    return x != y ? (x < y ? 1 : -1) : strcmp(one->text, other->text);
}

/* The time of a row in a run, of a mean rank. */
static uint64_t row_ps(const ScalePoint *point, const Row *row)
{
    if (row->function)
        return mean(g_array_index(point->own_ps, uint64_t, row->index), point->ranks);
    const ScaleTime *time = &g_array_index(point->times, ScaleTime, row->index);
    return mean(row->before ? time->before_ps : time->within_ps, point->ranks);
}

static void add_row(GArray *rows, const Scale *scale, Row row)
{
    const ScalePoint *first, *last;
    ends_of(scale, &first, &last);
    row.first_ps = row_ps(first, &row);
    row.last_ps = row_ps(last, &row);
    row.ideal_ps = ideal(scale, row.first_ps, first, last);
    g_array_append_val(rows, row);
}

/* Returns the times of sites: computing before their calls, and in them; those that lose most first. */
static GArray *rows_of_sites(const Scale *scale, GStringChunk *texts)
{
    GArray *rows = g_array_new(FALSE, FALSE, sizeof(Row));
    const ScalePoint *first, *last;
    if (!ends_of(scale, &first, &last))
        return rows;
    for (guint i = 0; i < scale->sites->len; i++) {
        const ScaleSite *site = &g_array_index(scale->sites, ScaleSite, i);
        g_autofree char *before = g_strconcat("computing before ", site->text, NULL);
        add_row(rows, scale, (Row){.text = g_string_chunk_insert(texts, before), .index = i, .before = true});
        add_row(rows, scale, (Row){.text = site->text, .index = i});
    }
    g_array_sort(rows, by_loss);
    return rows;
}

/* Returns the times of functions, without those that they call but for MPI. */
static GArray *rows_of_functions(const Scale *scale, GStringChunk *texts)
{
    GArray *rows = g_array_new(FALSE, FALSE, sizeof(Row));
    const ScalePoint *first, *last;
    if (!ends_of(scale, &first, &last))
        return rows;
    for (guint i = 0; i < scale->functions->len; i++) {
        const ScaleFunction *function = &g_array_index(scale->functions, ScaleFunction, i);
        g_autofree char *text = g_strdup_printf("%s (%s:%u)", function->name, function->file, function->line);
        add_row(rows, scale, (Row){.text = g_string_chunk_insert(texts, text), .function = function, .index = i});
    }
    g_array_sort(rows, by_loss);
    return rows;
}

/* By which factor the time of a rank grows from the first run; SCALE_ONE: it stays. */
static int64_t growth(uint64_t first_ps, uint64_t ps)
{
    unsigned __int128 factor = first_ps ? ((unsigned __int128)ps * SCALE_ONE + first_ps / 2) / first_ps : 0;
    return (int64_t)MIN(factor, INT64_MAX / 100);
}

/* -- text -------------------------------------------------------------------------------------- */

/* Appends a fraction of SCALE_ONE with `places` decimals, rounded to the nearest. */
static void append_fixed(int64_t value, int width, unsigned places, GString *out)
{
    int64_t unit = SCALE_ONE, one = 1;
    for (unsigned i = 0; i < places; i++) {
        unit /= 10;
        one *= 10;
    }
    bool minus = value < 0;
    int64_t rounded = ((minus ? -value : value) + unit / 2) / unit;
    g_autofree char *text = g_strdup_printf("%s%" G_GINT64_FORMAT ".%0*" G_GINT64_FORMAT, minus && rounded ? "-" : "",
                                            rounded / one, (int)places, rounded % one);
    g_string_append_printf(out, "%*s", width, text);
}

static void append_share(uint64_t part, uint64_t all, GString *out)
{
    unsigned per_mille = all ? (unsigned)((unsigned __int128)part * 1000 / all) : 0;
    g_string_append_printf(out, "%7u.%u %%", per_mille / 10, per_mille % 10);
}

static void append_point(const ScalePoint *point, GString *out)
{
    if (!point->done) {
        g_string_append_printf(out, "%8u  no result: %s\n", point->ranks, point->note ? point->note : "");
        return;
    }
    const MachRankReport *total = &point->total;
    uint64_t all = total->compute_ps + total->overhead_ps + total->blocked_ps;
    g_autofree char *time = base_units_format_time(total->finish_ps);
    g_string_append_printf(out, "%8u %16s", point->ranks, time);
    append_fixed(point->speed_up, 12, 3, out);
    append_fixed(point->efficiency, 12, 4, out);
    if (point->compared)
        append_fixed(point->karp_flatt, 12, 4, out);
    else
        g_string_append_printf(out, "%12s", "-");
    append_share(total->compute_ps, all, out);
    append_share(total->overhead_ps, all, out);
    append_share(total->blocked_ps, all, out);
    g_string_append_c(out, '\n');
}

static void append_fit(const ScaleFit *fit, const char *law, bool limited, GString *out)
{
    if (!fit->possible)
        return;
    g_string_append_printf(out, "  %-10s serial fraction ", law);
    append_fixed(fit->fraction, 0, 4, out);
    if (limited && fit->fraction > 0) {
        g_string_append(out, ", speed-up at most ");
        append_fixed((int64_t)((__int128)SCALE_ONE * SCALE_ONE / fit->fraction), 0, 1, out);
    }
    g_string_append(out, ", off by up to ");
    append_fixed(MIN(fit->deviation, INT64_MAX / 100) * 100, 0, 1, out);
    g_string_append(out, " %\n");
}

/* What loses less than a thousandth of the last run's time is left out. */
static void append_rows(const Scale *scale, const GArray *rows, const char *title, GString *out)
{
    const ScalePoint *first, *last;
    guint shown = 0;
    ends_of(scale, &first, &last);
    for (guint i = 0; i < rows->len && shown < MOST_ROWS; i++) {
        const Row *row = &g_array_index(rows, Row, i);
        if (row->last_ps <= row->ideal_ps || row->last_ps - row->ideal_ps < last->total.finish_ps / 1000)
            break;
        if (shown++ == 0)
            g_string_append_printf(out, "\n  %-14s%16s%16s%16s%10s\n", title, "first", "last", "ideal", "growth");
        g_autofree char *loss = base_units_format_time(row->last_ps - row->ideal_ps),
                        *before = base_units_format_time(row->first_ps), *now = base_units_format_time(row->last_ps),
                        *best = base_units_format_time(row->ideal_ps);
        g_string_append_printf(out, "%16s%16s%16s%16s", loss, before, now, best);
        if (row->first_ps)
            append_fixed(growth(row->first_ps, row->last_ps), 10, 3, out);
        else
            g_string_append_printf(out, "%10s", "-");
        g_string_append_printf(out, "  %s\n", row->text);
    }
}

char *cli_scale_text(const Scale *scale)
{
    GString *out = g_string_new(NULL);
    g_autoptr(GStringChunk) texts = g_string_chunk_new(4096);
    g_autoptr(GArray) functions = rows_of_functions(scale, texts), sites = rows_of_sites(scale, texts);
    g_string_append_printf(out, "%s scaling\n\n", scale->weak ? "weak" : "strong");
    g_string_append(out,
                    "   ranks             time    speed-up  efficiency  Karp-Flatt   compute  overhead   blocked\n");
    for (uint32_t i = 0; i < scale->n; i++)
        append_point(&scale->points[i], out);
    if (scale->amdahl.possible)
        g_string_append_c(out, '\n');
    append_fit(&scale->amdahl, "Amdahl", true, out);
    append_fit(&scale->gustafson, "Gustafson", false, out);
    append_rows(scale, functions, "loss of a rank", out);
    append_rows(scale, sites, "loss of a rank", out);
    return g_string_free(out, FALSE);
}

/* -- CSV --------------------------------------------------------------------------------------- */

static char *csv_of_rows(const Scale *scale, const GArray *rows)
{
    const ScalePoint *first, *last;
    GString *out = g_string_new("name,file,line,ranks,mean_rank_ps,ideal_ps,growth\n");
    for (guint i = 0; ends_of(scale, &first, &last) && i < rows->len; i++) {
        const Row *row = &g_array_index(rows, Row, i);
        for (uint32_t k = 0; k < scale->n; k++) {
            const ScalePoint *point = &scale->points[k];
            if (!point->done)
                continue;
            uint64_t ps = row_ps(point, row);
            base_csv_append(out, row->function ? row->function->name : row->text);
            g_string_append_c(out, ',');
            base_csv_append(out, row->function ? row->function->file : "");
            g_string_append_printf(out, row->function ? ",%u," : ",,", row->function ? row->function->line : 0);
            g_string_append_printf(out, "%u,%" G_GUINT64_FORMAT ",%" G_GUINT64_FORMAT ",", point->ranks, ps,
                                   ideal(scale, row->first_ps, first, point));
            if (row->first_ps)
                append_fixed(growth(row->first_ps, ps), 0, 6, out);
            g_string_append_c(out, '\n');
        }
    }
    return g_string_free(out, FALSE);
}

static char *csv_of_runs(const Scale *scale)
{
    GString *out = g_string_new("ranks,makespan_ps,speed_up,efficiency,karp_flatt,compute_ps,overhead_ps,blocked_ps,"
                                "messages_sent,bytes_sent,note\n");
    for (uint32_t i = 0; i < scale->n; i++) {
        const ScalePoint *point = &scale->points[i];
        const MachRankReport *total = &point->total;
        g_string_append_printf(out, "%u,", point->ranks);
        if (point->done) {
            g_string_append_printf(out, "%" G_GUINT64_FORMAT ",", total->finish_ps);
            append_fixed(point->speed_up, 0, 6, out);
            g_string_append_c(out, ',');
            append_fixed(point->efficiency, 0, 6, out);
            g_string_append_c(out, ',');
            if (point->compared)
                append_fixed(point->karp_flatt, 0, 6, out);
            g_string_append_printf(out,
                                   ",%" G_GUINT64_FORMAT ",%" G_GUINT64_FORMAT ",%" G_GUINT64_FORMAT
                                   ",%" G_GUINT64_FORMAT ",%" G_GUINT64_FORMAT ",",
                                   total->compute_ps, total->overhead_ps, total->blocked_ps, total->messages_sent,
                                   total->bytes_sent);
        } else {
            g_string_append(out, ",,,,,,,,,");
        }
        base_csv_append(out, point->note ? point->note : "");
        g_string_append_c(out, '\n');
    }
    return g_string_free(out, FALSE);
}

char *cli_scale_csv(const Scale *scale, ScaleTable table)
{
    g_autoptr(GStringChunk) texts = g_string_chunk_new(4096);
    if (table == SCALE_RUNS)
        return csv_of_runs(scale);
    g_autoptr(GArray) rows = table == SCALE_FUNCTIONS ? rows_of_functions(scale, texts) : rows_of_sites(scale, texts);
    return csv_of_rows(scale, rows);
}

/* -- JSON -------------------------------------------------------------------------------------- */

static json_t *number(uint64_t value)
{
    return json_integer((json_int_t)value);
}

/* A fraction with six decimals. */
static json_t *fixed(int64_t value)
{
    g_autoptr(GString) text = g_string_new(NULL);
    append_fixed(value, 0, 6, text);
    return json_real(g_ascii_strtod(text->str, NULL));
}

static json_t *json_point(const ScalePoint *point)
{
    json_t *object = json_object();
    json_object_set_new(object, "ranks", number(point->ranks));
    if (point->note)
        json_object_set_new(object, "note", json_string(point->note));
    if (!point->done)
        return object;
    json_object_set_new(object, "makespan_ps", number(point->total.finish_ps));
    json_object_set_new(object, "speed_up", fixed(point->speed_up));
    json_object_set_new(object, "efficiency", fixed(point->efficiency));
    if (point->compared)
        json_object_set_new(object, "karp_flatt", fixed(point->karp_flatt));
    json_object_set_new(object, "compute_ps", number(point->total.compute_ps));
    json_object_set_new(object, "overhead_ps", number(point->total.overhead_ps));
    json_object_set_new(object, "blocked_ps", number(point->total.blocked_ps));
    json_object_set_new(object, "messages_sent", number(point->total.messages_sent));
    json_object_set_new(object, "bytes_sent", number(point->total.bytes_sent));
    return object;
}

static json_t *json_fit(const ScaleFit *fit)
{
    json_t *object = json_object();
    json_object_set_new(object, "serial_fraction", fixed(fit->fraction));
    json_object_set_new(object, "deviation", fixed(fit->deviation));
    return object;
}

static json_t *json_rows(const Scale *scale, const GArray *rows)
{
    json_t *all = json_array();
    for (guint i = 0; i < rows->len; i++) {
        const Row *row = &g_array_index(rows, Row, i);
        json_t *object = json_object();
        json_t *times = json_array();
        json_object_set_new(object, "name", json_string(row->function ? row->function->name : row->text));
        if (row->function) {
            json_object_set_new(object, "file", json_string(row->function->file));
            json_object_set_new(object, "line", json_integer(row->function->line));
        }
        json_object_set_new(object, "first_ps", number(row->first_ps));
        json_object_set_new(object, "last_ps", number(row->last_ps));
        json_object_set_new(object, "ideal_ps", number(row->ideal_ps));
        if (row->first_ps)
            json_object_set_new(object, "growth", fixed(growth(row->first_ps, row->last_ps)));
        for (uint32_t k = 0; k < scale->n; k++)
            json_array_append_new(times, scale->points[k].done ? number(row_ps(&scale->points[k], row)) : json_null());
        json_object_set_new(object, "times_ps", times);
        json_array_append_new(all, object);
    }
    return all;
}

char *cli_scale_json(const Scale *scale)
{
    g_autoptr(GStringChunk) texts = g_string_chunk_new(4096);
    g_autoptr(GArray) functions = rows_of_functions(scale, texts), sites = rows_of_sites(scale, texts);
    json_t *object = json_object(), *points = json_array();
    json_object_set_new(object, "orrery", json_integer(1));
    json_object_set_new(object, "scaling", json_string(scale->weak ? "weak" : "strong"));
    for (uint32_t i = 0; i < scale->n; i++)
        json_array_append_new(points, json_point(&scale->points[i]));
    json_object_set_new(object, "points", points);
    if (scale->amdahl.possible)
        json_object_set_new(object, "amdahl", json_fit(&scale->amdahl));
    if (scale->gustafson.possible)
        json_object_set_new(object, "gustafson", json_fit(&scale->gustafson));
    json_object_set_new(object, "functions", json_rows(scale, functions));
    json_object_set_new(object, "sites", json_rows(scale, sites));
    char *bare = json_dumps(object, JSON_INDENT(2) | JSON_REAL_PRECISION(12)),
         *text = g_strconcat(bare ? bare : "", "\n", NULL);
    free(bare);
    json_decref(object);
    return text;
}
