/* spread.c - an expression's values over ranks: equal ones folded, and what can be said of numbers.
 *
 * The expression is read once for each place in the code where ranks are, and evaluated for each rank. If it calls
 * functions, one copy of the simulator does that for all ranks. */
#include "monitor/expression/expression.h"
#include "monitor/look.h"
#include "monitor/report/report.h"

#include <math.h>
#include <string.h>

enum { LINE = 78 };

typedef struct Outcome { /* of a rank, as it goes through the copy; the text follows */
    MonNumber number;
    uint32_t rank, length;
    bool good, numeric;
} Outcome;

typedef struct Job {
    const MonSpot *spot;
    const MonRankSet *ranks;
    const char *text;
    const MonFormat *format;
    GPtrArray *readings; /* MonExpression: one for each place */
} Job;

/* -- evaluating -------------------------------------------------------------------------------- */

static MonExpression *reading_for(const Job *job, const MonSpot *spot, GError **error)
{
    for (guint i = job->readings->len; i-- > 0;)
        if (mon_expression_fits(g_ptr_array_index(job->readings, i), spot))
            return g_ptr_array_index(job->readings, i);
    MonExpression *expression = mon_expression_new(spot, job->text, error);
    if (expression)
        g_ptr_array_add(job->readings, expression);
    return expression;
}

static MonSpot spot_of(const Job *job, uint32_t rank)
{
    MonSpot spot = *job->spot;
    if (rank != spot.rank) {
        spot.rank = rank;
        spot.frame = mon_frame_program_level(mach_run_rank(spot.machine, rank));
    }
    return spot;
}

static void evaluate(const Job *job, uint32_t rank, GString *out)
{
    MonSpot spot = spot_of(job, rank);
    Outcome outcome = {.rank = rank};
    g_autoptr(GString) text = g_string_new(NULL);
    g_autoptr(GError) error = NULL;
    MachRankState state = mach_run_rank_state(spot.machine, rank);
    if (vm_rank_depth(mach_run_rank(spot.machine, rank)) == 0 || state == MACH_RANK_FINISHED ||
        state == MACH_RANK_KILLED) {
        g_string_append(text, "ended");
    } else {
        const MonExpression *expression = reading_for(job, &spot, &error);
        outcome.good = expression && mon_expression_once(expression, &spot, job->format, text, &outcome.number,
                                                         &outcome.numeric, &error);
    }
    if (error) {
        g_string_truncate(text, 0);
        g_string_append_len(text, error->message, (gssize)strcspn(error->message, "\n"));
    }
    outcome.length = (uint32_t)text->len;
    g_string_append_len(out, (const char *)&outcome, sizeof outcome);
    g_string_append_len(out, text->str, (gssize)text->len);
}

static bool evaluate_all(void *user, GString *out, GError **error)
{
    const Job *job = user;
    (void)error;
    for (uint32_t rank = mon_ranks_next(job->ranks, 0); rank != UINT32_MAX; rank = mon_ranks_next(job->ranks, rank + 1))
        evaluate(job, rank, out);
    return true;
}

/* -- folding ----------------------------------------------------------------------------------- */

static void free_group(gpointer item)
{
    MonSpreadGroup *group = item;
    mon_ranks_free(group->ranks);
    g_free(group->text);
    g_free(group);
}

static bool less(const MonNumber *a, const MonNumber *b)
{
    if (!a->is_whole || !b->is_whole)
        return a->real < b->real;
    return a->is_unsigned || b->is_unsigned ? (uint64_t)a->whole < (uint64_t)b->whole : a->whole < b->whole;
}

/* The sum of whole numbers is exact as long as it fits. */
static void add_number(MonSpread *spread, const MonNumber *number, uint32_t rank)
{
    if (!number->is_whole && isnan(number->real))
        return;
    if (spread->numbers == 0)
        spread->sum = (MonNumber){.is_whole = number->is_whole, .is_unsigned = number->is_unsigned};
    if (spread->numbers == 0 || less(number, &spread->least)) {
        spread->least = *number;
        spread->least_rank = rank;
    }
    if (spread->numbers == 0 || less(&spread->most, number)) {
        spread->most = *number;
        spread->most_rank = rank;
    }
    spread->numbers++;
    spread->sum.real += number->real;
    spread->sum.is_whole = spread->sum.is_whole && number->is_whole;
    if (spread->sum.is_unsigned && number->is_unsigned)
        spread->sum_overflows |= __builtin_add_overflow((uint64_t)spread->sum.whole, (uint64_t)number->whole,
                                                        (uint64_t *)&spread->sum.whole);
    else
        spread->sum_overflows |= __builtin_add_overflow(spread->sum.whole, number->whole, &spread->sum.whole);
}

static void add_bin(MonSpread *spread, const MonNumber *number)
{
    if (!number->is_whole && isnan(number->real))
        return;
    double place = spread->bin_width > 0 ? (number->real - spread->least.real) / spread->bin_width : 0;
    spread->bins[MIN((uint32_t)place, spread->n_bins - 1)]++;
}

/* A few whole numbers get a bin each. */
static void divide(MonSpread *spread)
{
    double width = spread->most.real - spread->least.real;
    bool few = spread->least.is_whole && width < (double)G_N_ELEMENTS(spread->bins);
    spread->n_bins = few ? (uint32_t)width + 1 : (uint32_t)G_N_ELEMENTS(spread->bins);
    spread->bin_width = few ? 1 : isfinite(width) ? width / (double)spread->n_bins : 0;
}

static void add_outcome(MonSpread *spread, GHashTable *groups, const Outcome *outcome, const char *text)
{
    g_autofree char *key = g_strdup_printf("%c%.*s", outcome->good ? '+' : '-', (int)outcome->length, text);
    MonSpreadGroup *group = g_hash_table_lookup(groups, key);
    if (!group) {
        group = g_new0(MonSpreadGroup, 1);
        group->ranks = mon_ranks_new();
        group->text = g_strdup(key + 1);
        group->failed = !outcome->good;
        g_ptr_array_add(spread->groups, group);
        g_hash_table_insert(groups, g_strdup(key), group);
    }
    mon_ranks_add(group->ranks, outcome->rank, outcome->rank);
    spread->values += outcome->good;
    spread->numeric = spread->numeric && (!outcome->good || outcome->numeric);
    if (outcome->good && outcome->numeric)
        add_number(spread, &outcome->number, outcome->rank);
}

/* Calls for each outcome in the answer. */
static void fold(MonSpread *spread, const GString *answer)
{
    g_autoptr(GHashTable) groups = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (int pass = 0; pass < 2; pass++) {
        if (pass == 1)
            divide(spread);
        for (size_t at = 0; at + sizeof(Outcome) <= answer->len;) {
            Outcome outcome;
            memcpy(&outcome, answer->str + at, sizeof outcome);
            at += sizeof outcome;
            if (pass == 0)
                add_outcome(spread, groups, &outcome, answer->str + at);
            else if (outcome.good && outcome.numeric)
                add_bin(spread, &outcome.number);
            at += outcome.length;
        }
    }
    spread->numeric = spread->numeric && spread->values > 0;
}

MonSpread *mon_spread_new(const MonSpot *spot, const MonRankSet *ranks, const char *text, const MonFormat *format,
                          GError **error)
{
    g_autoptr(GPtrArray) readings = g_ptr_array_new_with_free_func((GDestroyNotify)mon_expression_free);
    g_autoptr(GString) answer = g_string_new(NULL);
    Job job = {spot, ranks, text, format, readings};
    uint32_t first = mon_ranks_next(ranks, 0);
    if (first == UINT32_MAX) {
        g_set_error(error, MON_ERROR, MON_ERROR_EXPRESSION, "the set has no ranks");
        return NULL;
    }
    MonSpot there = spot_of(&job, mon_ranks_has(ranks, spot->rank) ? spot->rank : first);
    MonExpression *reading = reading_for(&job, &there, error);
    if (!reading)
        return NULL; /* the rank that is looked at tells what is wrong */
    if (mon_expression_changes(reading)) {
        g_set_error(error, MON_ERROR, MON_ERROR_EXPRESSION,
                    "this would change the program: set var does that, on one rank");
        return NULL;
    }
    bool good = mon_expression_calls(reading) ? mon_expression_in_copy(evaluate_all, &job, answer, error)
                                              : evaluate_all(&job, answer, error);
    if (!good)
        return NULL;
    MonSpread *spread = g_new0(MonSpread, 1);
    spread->groups = g_ptr_array_new_with_free_func(free_group);
    spread->numeric = true;
    fold(spread, answer);
    return spread;
}

void mon_spread_free(MonSpread *spread)
{
    if (!spread)
        return;
    g_ptr_array_unref(spread->groups);
    g_free(spread);
}

/* -- as text ----------------------------------------------------------------------------------- */

static void append_real(double real, GString *out)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE], format[8];
    for (int digits = 6; digits <= 17; digits++) {
        g_snprintf(format, sizeof format, "%%.%dg", digits);
        g_ascii_formatd(text, sizeof text, format, real);
        if (g_ascii_strtod(text, NULL) == real)
            break;
    }
    g_string_append(out, text);
}

static void append_number(const MonNumber *number, GString *out)
{
    if (!number->is_whole)
        append_real(number->real, out);
    else
        g_string_append_printf(out, number->is_unsigned ? "%" G_GUINT64_FORMAT : "%" G_GINT64_FORMAT, number->whole);
}

static void append_group(const MonSpreadGroup *group, GString *out)
{
    mon_ranks_append(group->ranks, out);
    g_string_append_printf(out, group->failed ? ": <%s>" : ": %s", group->text);
}

static void append_groups(const MonSpread *spread, GString *out)
{
    g_autoptr(GString) line = g_string_new(NULL);
    for (guint i = 0; i < spread->groups->len; i++) {
        if (i > 0)
            g_string_append(line, ", ");
        append_group(g_ptr_array_index(spread->groups, i), line);
    }
    if (line->len <= LINE && !strchr(line->str, '\n')) {
        g_string_append_printf(out, "%s\n", line->str);
        return;
    }
    for (guint i = 0; i < spread->groups->len; i++) {
        g_string_append(out, "\n  ");
        append_group(g_ptr_array_index(spread->groups, i), out);
    }
    g_string_append_c(out, '\n');
}

static void append_summary(const MonSpread *spread, GString *out)
{
    g_string_append(out, "least ");
    append_number(&spread->least, out);
    g_string_append_printf(out, " (rank %u), most ", spread->least_rank);
    append_number(&spread->most, out);
    g_string_append_printf(out, " (rank %u), sum ", spread->most_rank);
    if (spread->sum_overflows && spread->sum.is_whole) {
        g_string_append(out, "about ");
        append_real(spread->sum.real, out);
    } else {
        append_number(&spread->sum, out);
    }
    if (spread->numbers < spread->values)
        g_string_append_printf(out, ", without %u NaN", spread->values - spread->numbers);
    g_string_append_c(out, '\n');
}

static void append_histogram(const MonSpread *spread, GString *out)
{
    enum { WIDTH = 40 };
    uint32_t highest = 1;
    if (!(spread->bin_width > 0) || spread->n_bins < 2)
        return;
    for (size_t i = 0; i < spread->n_bins; i++)
        highest = MAX(highest, spread->bins[i]);
    for (size_t i = 0; i < spread->n_bins; i++) {
        g_autofree char *bar = g_strnfill((gsize)((uint64_t)spread->bins[i] * WIDTH / highest), '#');
        char from[G_ASCII_DTOSTR_BUF_SIZE];
        g_ascii_formatd(from, sizeof from, "%.6g", spread->least.real + spread->bin_width * (double)i);
        g_string_append_printf(out, "from %12s  %6u%s%s\n", from, spread->bins[i], *bar ? "  " : "", bar);
    }
}

/* The number that a group's text is; of hexadecimal and the like, there is no difference. */
static bool group_number(const MonSpreadGroup *group, double *number)
{
    char *end;
    *number = g_ascii_strtod(group->text, &end);
    return !group->failed && end > group->text && (*end == '\0' || *end == ' ') && !isnan(*number);
}

static void append_differences(const MonSpread *spread, GString *out)
{
    double base, number;
    const MonSpreadGroup *first = g_ptr_array_index(spread->groups, 0);
    if (!group_number(first, &base) || spread->groups->len < 2)
        return;
    g_string_append_printf(out, "less that of rank %u: ", mon_ranks_next(first->ranks, 0));
    for (guint i = 0; i < spread->groups->len; i++) {
        const MonSpreadGroup *group = g_ptr_array_index(spread->groups, i);
        if (!group_number(group, &number))
            continue;
        g_string_append(out, i ? ", " : "");
        mon_ranks_append(group->ranks, out);
        g_string_append(out, number > base ? ": +" : ": ");
        append_real(number - base, out);
    }
    g_string_append_c(out, '\n');
}

void mon_spread_append(const MonSpread *spread, bool difference, bool histogram, GString *out)
{
    append_groups(spread, out);
    if (!spread->numeric || spread->numbers == 0)
        return;
    if (spread->groups->len > 1)
        append_summary(spread, out);
    if (difference)
        append_differences(spread, out);
    if (histogram)
        append_histogram(spread, out);
}
