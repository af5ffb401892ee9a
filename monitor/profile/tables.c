/* tables.c - the tables of a profile: what their columns are, for people and as CSV (sheet.c).
 *
 * For people, causes that nothing waits for have no column.
 */
#include "base/units.h"
#include "monitor/profile/inside.h"
#include "monitor/profile/sheet.h"

#include <string.h>

typedef struct Tables {
    const MonProfileData *data;
    Sheet *sheet;
    bool csv;
} Tables;

/* -- columns that several tables have ------------------------------------------------------------ */

static bool has_cause(const Tables *tables, unsigned cause)
{
    return tables->csv || tables->data->times.wait_ps[cause];
}

static char *key_of(const char *name)
{
    char *key = g_strdup_printf("%s_ps", name);
    return g_strdelimit(key, " -", '_');
}

static void add_time_columns(const Tables *tables, bool computes)
{
    mon_sheet_column(tables->sheet, SHEET_SHARE, "%", "percent");
    mon_sheet_column(tables->sheet, SHEET_TIME, "time", "time_ps");
    if (computes)
        mon_sheet_column(tables->sheet, SHEET_TIME, "computing", "compute_ps");
    mon_sheet_column(tables->sheet, SHEET_TIME, "library", "overhead_ps");
    mon_sheet_column(tables->sheet, SHEET_TIME, "waiting", "blocked_ps");
    for (unsigned i = 0; i < MPI_WAIT_CAUSES; i++) {
        if (!has_cause(tables, i))
            continue;
        g_autofree char *key = key_of(mpi_wait_name((MpiWaitCause)i));
        mon_sheet_column(tables->sheet, SHEET_TIME, mpi_wait_name((MpiWaitCause)i), key);
    }
}

static void add_times(const Tables *tables, const MonTimes *times, bool computes)
{
    mon_sheet_number(tables->sheet,
                     mon_sheet_share(mon_profile_times_all(times), mon_profile_times_all(&tables->data->times)));
    mon_sheet_number(tables->sheet, mon_profile_times_all(times));
    if (computes)
        mon_sheet_number(tables->sheet, times->compute_ps);
    mon_sheet_number(tables->sheet, times->overhead_ps);
    mon_sheet_number(tables->sheet, mon_profile_times_waiting(times));
    for (unsigned i = 0; i < MPI_WAIT_CAUSES; i++)
        if (has_cause(tables, i))
            mon_sheet_number(tables->sheet, times->wait_ps[i]);
}

static void add_place(const Tables *tables, const char *file, uint32_t line)
{
    if (tables->csv) {
        mon_sheet_text(tables->sheet, file);
        mon_sheet_number(tables->sheet, line);
        return;
    }
    g_autofree char *place = line ? g_strdup_printf("%s:%u", file, line) : g_strdup(file);
    mon_sheet_text(tables->sheet, place);
}

static void add_place_column(const Tables *tables)
{
    mon_sheet_column(tables->sheet, SHEET_TEXT, tables->csv ? "file" : "place", NULL);
    if (tables->csv)
        mon_sheet_column(tables->sheet, SHEET_COUNT, "line", NULL);
}

/* -- tables ------------------------------------------------------------------------------------ */

static void functions(const Tables *tables)
{
    Sheet *sheet = tables->sheet;
    add_time_columns(tables, true);
    mon_sheet_column(sheet, SHEET_TIME, "with callees", "total_ps");
    mon_sheet_column(sheet, SHEET_COUNT, "calls", NULL);
    mon_sheet_column(sheet, SHEET_TIME, "least rank", "least_ps");
    mon_sheet_column(sheet, SHEET_TIME, "most", "most_ps");
    mon_sheet_column(sheet, SHEET_TIME, "imbalance", "imbalance_ps");
    mon_sheet_column(sheet, SHEET_TEXT, "function", NULL);
    add_place_column(tables);
    for (guint i = 0; i < tables->data->functions->len; i++) {
        const MonProfileFunction *function = &g_array_index(tables->data->functions, MonProfileFunction, i);
        add_times(tables, &function->self, true);
        mon_sheet_number(sheet, mon_profile_times_all(&function->total));
        mon_sheet_number(sheet, function->calls);
        mon_sheet_number(sheet, function->least_ps == UINT64_MAX ? 0 : function->least_ps);
        mon_sheet_number(sheet, function->most_ps);
        mon_sheet_number(sheet, function->most_ps - function->mean_ps);
        g_autofree char *name =
            g_strdup_printf("%s%s", function->function, function->inlined && !tables->csv ? " (inlined)" : "");
        mon_sheet_text(sheet, name);
        add_place(tables, function->file, function->line);
    }
}

static unsigned depth_of(const MonProfileData *data, const MonProfileNode *node)
{
    unsigned depth = 0;
    while (node->parent != MON_NO_NODE) {
        node = &g_array_index(data->nodes, MonProfileNode, node->parent);
        depth++;
    }
    return depth;
}

static char *path_of(const MonProfileData *data, const MonProfileNode *node)
{
    char *path = g_strdup(node->function);
    while (node->parent != MON_NO_NODE) {
        node = &g_array_index(data->nodes, MonProfileNode, node->parent);
        char *longer = g_strdup_printf("%s;%s", node->function, path);
        g_free(path);
        path = longer;
    }
    return path;
}

/* For people a function is moved to the right by its depth. Figures include what it calls. */
static void add_node(const Tables *tables, const MonProfileNode *node)
{
    Sheet *sheet = tables->sheet;
    const MonProfileData *data = tables->data;
    add_times(tables, &node->total, true);
    mon_sheet_number(sheet, mon_profile_times_all(&node->self));
    mon_sheet_number(sheet, node->calls);
    g_autofree char *path = tables->csv ? path_of(data, node)
                                        : g_strdup_printf("%*s%s%s", (int)(2 * MIN(depth_of(data, node), 40)), "",
                                                          node->function, node->inlined ? " (inlined)" : "");
    mon_sheet_text(sheet, path);
    if (tables->csv)
        mon_sheet_text(sheet, g_array_index(data->levels, MonProfilePhase, node->phase).name);
    add_place(tables, node->call_file, node->call_line);
}

static gint by_total(gconstpointer a, gconstpointer b, gpointer user)
{
    const MonProfileData *data = user;
    const MonProfileNode *x = &g_array_index(data->nodes, MonProfileNode, *(const int *)a),
                         *y = &g_array_index(data->nodes, MonProfileNode, *(const int *)b);
    uint64_t x_ps = mon_profile_times_all(&x->total), y_ps = mon_profile_times_all(&y->total);
    return x_ps != y_ps ? (x_ps > y_ps ? -1 : 1) : *(const int *)a - *(const int *)b;
}

/* The nodes below one, those with most time first, each with what is below it. */
static void add_below(const Tables *tables, GPtrArray *children, int parent)
{
    GArray *below = g_ptr_array_index(children, parent + 1);
    g_array_sort_with_data(below, by_total, (gpointer)(uintptr_t)tables->data);
    for (guint i = 0; i < below->len; i++) {
        int index = g_array_index(below, int, i);
        add_node(tables, &g_array_index(tables->data->nodes, MonProfileNode, index));
        add_below(tables, children, index);
    }
}

static void tree(const Tables *tables)
{
    Sheet *sheet = tables->sheet;
    g_autoptr(GPtrArray) children = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
    add_time_columns(tables, true);
    mon_sheet_column(sheet, SHEET_TIME, "own", "self_ps");
    mon_sheet_column(sheet, SHEET_COUNT, "calls", NULL);
    mon_sheet_column(sheet, SHEET_TEXT, tables->csv ? "path" : "function", NULL);
    if (tables->csv)
        mon_sheet_column(sheet, SHEET_TEXT, "phase", NULL);
    if (tables->csv)
        add_place_column(tables);
    else
        mon_sheet_column(sheet, SHEET_TEXT, "called at", NULL);
    for (guint i = 0; i <= tables->data->nodes->len; i++)
        g_ptr_array_add(children, g_array_new(FALSE, FALSE, sizeof(int)));
    for (int i = 0; i < (int)tables->data->nodes->len; i++) {
        int parent = g_array_index(tables->data->nodes, MonProfileNode, i).parent;
        g_array_append_val((GArray *)g_ptr_array_index(children, parent + 1), i);
    }
    add_below(tables, children, MON_NO_NODE);
}

static gint by_time(gconstpointer a, gconstpointer b)
{
    const MonProfileLine *x = a, *y = b;
    uint64_t x_ps = mon_profile_times_all(&x->times), y_ps = mon_profile_times_all(&y->times);
    if (x_ps != y_ps)
        return x_ps > y_ps ? -1 : 1;
    int files = strcmp(x->file, y->file);
    return files ? files : x->line < y->line ? -1 : x->line > y->line;
}

static void lines(const Tables *tables)
{
    g_autoptr(GArray) sorted = g_array_new(FALSE, FALSE, sizeof(MonProfileLine));
    g_array_append_vals(sorted, tables->data->all_lines->data, tables->data->all_lines->len);
    g_array_sort(sorted, by_time);
    add_time_columns(tables, true);
    add_place_column(tables);
    for (guint i = 0; i < sorted->len; i++) {
        const MonProfileLine *line = &g_array_index(sorted, MonProfileLine, i);
        add_times(tables, &line->times, true);
        add_place(tables, line->file, line->line);
    }
}

/* Percent of what all ranks spend in MPI. */
static uint64_t share_of_mpi(const MonProfileData *data, const MonTimes *times)
{
    return mon_sheet_share(mon_profile_times_all(times), mon_profile_times_all(&data->times) - data->times.compute_ps);
}

static void add_site(const Tables *tables, unsigned number, const MonProfileSite *site)
{
    Sheet *sheet = tables->sheet;
    mon_sheet_number(sheet, number);
    add_times(tables, &site->times, false);
    mon_sheet_number(sheet, site->imbalance_ps);
    mon_sheet_number(sheet, share_of_mpi(tables->data, &site->times));
    mon_sheet_number(sheet, site->calls);
    mon_sheet_number(sheet, site->longest_ps);
    mon_sheet_number(sheet, site->calls ? mon_profile_times_all(&site->times) / site->calls : 0);
    mon_sheet_number(sheet, site->calls ? site->shortest_ps : 0);
    mon_sheet_number(sheet, site->messages);
    mon_sheet_number(sheet, site->bytes);
    mon_sheet_number(sheet, site->calls ? site->least_bytes : 0);
    mon_sheet_number(sheet, site->most_bytes);
    mon_sheet_text(sheet, site->name);
    mon_sheet_text(sheet, site->function);
    add_place(tables, site->file, site->line);
}

static void sites(const Tables *tables)
{
    Sheet *sheet = tables->sheet;
    mon_sheet_column(sheet, SHEET_COUNT, "site", NULL);
    add_time_columns(tables, false);
    mon_sheet_column(sheet, SHEET_TIME, "by imbalance", "imbalance_ps");
    mon_sheet_column(sheet, SHEET_SHARE, "% of MPI", "percent_of_mpi");
    mon_sheet_column(sheet, SHEET_COUNT, "calls", NULL);
    mon_sheet_column(sheet, SHEET_TIME, "max", "max_ps");
    mon_sheet_column(sheet, SHEET_TIME, "mean", "mean_ps");
    mon_sheet_column(sheet, SHEET_TIME, "min", "min_ps");
    mon_sheet_column(sheet, SHEET_COUNT, "messages", NULL);
    mon_sheet_column(sheet, SHEET_COUNT, "bytes", NULL);
    mon_sheet_column(sheet, SHEET_COUNT, "min bytes", "min_bytes");
    mon_sheet_column(sheet, SHEET_COUNT, "max bytes", "max_bytes");
    mon_sheet_column(sheet, SHEET_TEXT, "call", NULL);
    mon_sheet_column(sheet, SHEET_TEXT, "in", "function");
    add_place_column(tables);
    for (guint i = 0; i < tables->data->sites->len; i++)
        add_site(tables, i + 1, &g_array_index(tables->data->sites, MonProfileSite, i));
    if (mon_profile_times_all(&tables->data->no_site))
        add_site(
            tables, 0,
            &(MonProfileSite){.name = "(no call told)", .function = "", .file = "", .times = tables->data->no_site});
}

/* Returns the number of the site where a call is; 0: it is at none. */
static guint site_of(const MonProfileData *data, const MonProfileCall *call)
{
    for (guint i = 0; i < data->sites->len; i++) {
        const MonProfileSite *site = &g_array_index(data->sites, MonProfileSite, i);
        if (site->program == call->program && site->pc == call->pc)
            return i + 1;
    }
    return 0;
}

/* "inner a.c:12 < outer a.c:30 < main a.c:40": who calls where. */
static char *stack_of(const MonProfileData *data, const MonProfileCall *call)
{
    GString *out = g_string_new(NULL);
    const char *file = call->file;
    uint32_t line = call->line;
    for (int at = call->node; at != MON_NO_NODE;) {
        const MonProfileNode *node = &g_array_index(data->nodes, MonProfileNode, at);
        g_string_append_printf(out, "%s%s %s:%u", out->len ? " < " : "", node->function, file, line);
        file = node->call_file;
        line = node->call_line;
        at = node->parent;
    }
    return g_string_free(out, FALSE);
}

typedef struct Stack {
    guint site;
    char *text;
    const char *name;
    MonTimes times;
} Stack;

static void clear_stack(gpointer data)
{
    g_free(((Stack *)data)->text);
}

static gint by_stack(gconstpointer a, gconstpointer b)
{
    const Stack *x = a, *y = b;
    uint64_t x_ps = mon_profile_times_all(&x->times), y_ps = mon_profile_times_all(&y->times);
    if (x->site != y->site) /* what is no site comes last */
        return x->site - 1 < y->site - 1 ? -1 : 1;
    return x_ps != y_ps ? (x_ps > y_ps ? -1 : 1) : strcmp(x->text, y->text);
}

/* Paths of different phases are one here. */
static GArray *find_stacks(const MonProfileData *data)
{
    GArray *stacks = g_array_new(FALSE, FALSE, sizeof(Stack));
    g_autoptr(GHashTable) known = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_array_set_clear_func(stacks, clear_stack);
    for (guint i = 0; i < data->calls->len; i++) {
        const MonProfileCall *call = &g_array_index(data->calls, MonProfileCall, i);
        Stack stack = {.site = site_of(data, call), .text = stack_of(data, call), .name = call->name};
        g_autofree char *key = g_strdup_printf("%u %s %s", stack.site, stack.name, stack.text);
        guint index = GPOINTER_TO_UINT(g_hash_table_lookup(known, key));
        if (!index) {
            g_array_append_val(stacks, stack);
            index = stacks->len;
            g_hash_table_insert(known, g_steal_pointer(&key), GUINT_TO_POINTER(index));
        } else {
            g_free(stack.text);
        }
        mon_profile_times_add(&g_array_index(stacks, Stack, index - 1).times, &call->times);
    }
    g_array_sort(stacks, by_stack);
    return stacks;
}

static void stacks(const Tables *tables)
{
    Sheet *sheet = tables->sheet;
    g_autoptr(GArray) found = find_stacks(tables->data);
    mon_sheet_column(sheet, SHEET_COUNT, "site", NULL);
    add_time_columns(tables, false);
    mon_sheet_column(sheet, SHEET_TEXT, "call", NULL);
    mon_sheet_column(sheet, SHEET_TEXT, "stack", NULL);
    for (guint i = 0; i < found->len; i++) {
        const Stack *stack = &g_array_index(found, Stack, i);
        mon_sheet_number(sheet, stack->site);
        add_times(tables, &stack->times, false);
        mon_sheet_text(sheet, stack->name);
        mon_sheet_text(sheet, stack->text);
    }
}

static void collectives(const Tables *tables)
{
    Sheet *sheet = tables->sheet;
    add_time_columns(tables, false);
    mon_sheet_column(sheet, SHEET_SHARE, "% of MPI", "percent_of_mpi");
    mon_sheet_column(sheet, SHEET_COUNT, "calls", NULL);
    mon_sheet_column(sheet, SHEET_TIME, "max", "max_ps");
    mon_sheet_column(sheet, SHEET_TIME, "mean", "mean_ps");
    mon_sheet_column(sheet, SHEET_TIME, "min", "min_ps");
    mon_sheet_column(sheet, SHEET_COUNT, "bytes", NULL);
    mon_sheet_column(sheet, SHEET_TEXT, "collective", NULL);
    mon_sheet_column(sheet, SHEET_TEXT, "algorithm", NULL);
    for (guint i = 0; i < tables->data->collectives->len; i++) {
        const MonProfileCollective *row = &g_array_index(tables->data->collectives, MonProfileCollective, i);
        add_times(tables, &row->times, false);
        mon_sheet_number(sheet, share_of_mpi(tables->data, &row->times));
        mon_sheet_number(sheet, row->calls);
        mon_sheet_number(sheet, row->longest_ps);
        mon_sheet_number(sheet, mon_profile_times_all(&row->times) / row->calls);
        mon_sheet_number(sheet, row->shortest_ps);
        mon_sheet_number(sheet, row->bytes);
        mon_sheet_text(sheet, row->name);
        mon_sheet_text(sheet, row->algorithm);
    }
}

static void add_phases(const Tables *tables, const GArray *phases)
{
    for (guint i = 0; i < phases->len; i++) {
        const MonProfilePhase *phase = &g_array_index(phases, MonProfilePhase, i);
        add_times(tables, &phase->times, true);
        mon_sheet_number(tables->sheet, phase->turns);
        mon_sheet_text(tables->sheet, phase->level ? "MPI_Pcontrol" : "loops");
        mon_sheet_text(tables->sheet, phase->name);
    }
}

static void phases(const Tables *tables)
{
    add_time_columns(tables, true);
    mon_sheet_column(tables->sheet, SHEET_COUNT, "turns", NULL);
    mon_sheet_column(tables->sheet, SHEET_TEXT, "by", NULL);
    mon_sheet_column(tables->sheet, SHEET_TEXT, "phase", NULL);
    add_phases(tables, tables->data->levels);
    add_phases(tables, tables->data->loops);
}

static void add_counts_columns(const Tables *tables)
{
    Sheet *sheet = tables->sheet;
    mon_sheet_column(sheet, SHEET_COUNT, "instructions", NULL);
    mon_sheet_column(sheet, SHEET_COUNT, "loads", NULL);
    mon_sheet_column(sheet, SHEET_COUNT, "stores", NULL);
    mon_sheet_column(sheet, SHEET_COUNT, "branches", NULL);
    if (tables->csv || tables->data->has_predictor)
        mon_sheet_column(sheet, SHEET_COUNT, "mispredicted", NULL);
    for (unsigned i = 0; (tables->csv || tables->data->has_caches) && i < VM_CACHE_LEVELS; i++) {
        g_autofree char *heading = g_strdup_printf("L%u misses", i + 1);
        g_autofree char *key = g_strdup_printf("l%u_misses", i + 1);
        mon_sheet_column(sheet, SHEET_COUNT, heading, key);
    }
}

static void add_counts(const Tables *tables, const MonCounts *counts)
{
    Sheet *sheet = tables->sheet;
    mon_sheet_number(sheet, counts->instructions);
    mon_sheet_number(sheet, counts->loads);
    mon_sheet_number(sheet, counts->stores);
    mon_sheet_number(sheet, counts->branches);
    if (tables->csv || tables->data->has_predictor)
        mon_sheet_number(sheet, counts->mispredicted);
    for (unsigned i = 0; (tables->csv || tables->data->has_caches) && i < VM_CACHE_LEVELS; i++)
        mon_sheet_number(sheet, counts->misses[i]);
}

static gint by_instructions(gconstpointer a, gconstpointer b)
{
    const MonProfileLine *x = a, *y = b;
    if (x->counts.instructions != y->counts.instructions)
        return x->counts.instructions > y->counts.instructions ? -1 : 1;
    return by_time(a, b);
}

static void counts(const Tables *tables)
{
    const MonProfileData *data = tables->data;
    g_autoptr(GArray) sorted = g_array_new(FALSE, FALSE, sizeof(MonProfileLine));
    g_array_append_vals(sorted, data->all_lines->data, data->all_lines->len);
    g_array_sort(sorted, by_instructions);
    add_counts_columns(tables);
    mon_sheet_column(tables->sheet, SHEET_TEXT, "of", NULL);
    add_place_column(tables);
    for (guint i = 0; i < data->functions->len; i++) {
        const MonProfileFunction *function = &g_array_index(data->functions, MonProfileFunction, i);
        add_counts(tables, &function->counts);
        mon_sheet_text(tables->sheet, function->function);
        add_place(tables, function->file, function->line);
    }
    for (guint i = 0; i < sorted->len; i++) {
        const MonProfileLine *line = &g_array_index(sorted, MonProfileLine, i);
        add_counts(tables, &line->counts);
        mon_sheet_text(tables->sheet, "line");
        add_place(tables, line->file, line->line);
    }
}

static void ranks(const Tables *tables)
{
    mon_sheet_column(tables->sheet, SHEET_COUNT, "rank", NULL);
    mon_sheet_column(tables->sheet, SHEET_TIME, "finish", "finish_ps");
    add_time_columns(tables, true);
    for (guint i = 0; i < tables->data->by_rank->len; i++) {
        const MonProfileRank *rank = &g_array_index(tables->data->by_rank, MonProfileRank, i);
        mon_sheet_number(tables->sheet, i);
        mon_sheet_number(tables->sheet, rank->finish_ps);
        add_times(tables, &rank->times, true);
    }
}

/* -- annotated source --------------------------------------------------------------------------- */

static const MonProfileLine *line_at(const MonProfileData *data, guint *next, const char *file, uint32_t line)
{
    const MonProfileLine *at =
        *next < data->all_lines->len ? &g_array_index(data->all_lines, MonProfileLine, *next) : NULL;
    if (!at || strcmp(at->file, file) != 0 || at->line != line)
        return NULL;
    ++*next;
    return at;
}

/* The lines of a file, each with its times. Lines of code that is not there have times and no text. */
static void annotate(const Tables *tables, guint *next)
{
    const MonProfileData *data = tables->data;
    const char *file = g_array_index(data->all_lines, MonProfileLine, *next).file;
    g_autofree char *whole = NULL;
    bool found =
        strcmp(file, "?") != 0 && g_file_get_contents(file, &whole, NULL, NULL) && g_utf8_validate(whole, -1, NULL);
    g_auto(GStrv) text = g_strsplit(found ? whole : "", "\n", -1);
    guint n = found ? g_strv_length(text) : 0;
    static const MonTimes none = {0};
    for (uint32_t number = 0; *next < data->all_lines->len; number++) {
        const MonProfileLine *first = &g_array_index(data->all_lines, MonProfileLine, *next);
        bool more = strcmp(first->file, file) == 0;
        if (!more && number > n)
            return;
        if (more && number > n)
            number = MAX(number, first->line);
        const MonProfileLine *line = line_at(data, next, file, number);
        if (!line && (number == 0 || number > n))
            continue;
        add_times(tables, line ? &line->times : &none, true);
        add_place(tables, file, number);
        mon_sheet_text(tables->sheet, number && number <= n ? text[number - 1] : "");
    }
}

static void source(const Tables *tables)
{
    add_time_columns(tables, true);
    add_place_column(tables);
    mon_sheet_column(tables->sheet, SHEET_TEXT, "source", NULL);
    for (guint next = 0; next < tables->data->all_lines->len;)
        annotate(tables, &next);
}

/* -- printing ---------------------------------------------------------------------------------- */

static void (*const makers[MON_PROFILE_TABLES])(const Tables *tables) = {
    [MON_PROFILE_FUNCTION] = functions, [MON_PROFILE_TREE] = tree,     [MON_PROFILE_LINE] = lines,
    [MON_PROFILE_SITE] = sites,         [MON_PROFILE_STACK] = stacks,  [MON_PROFILE_COLLECTIVE] = collectives,
    [MON_PROFILE_PHASE] = phases,       [MON_PROFILE_COUNTS] = counts, [MON_PROFILE_RANK] = ranks,
    [MON_PROFILE_SOURCE] = source,
};

void mon_profile_print(const MonProfileData *data, MonProfileTable table, uint32_t most, GString *out)
{
    g_autoptr(Sheet) sheet = mon_sheet_new();
    makers[table](&(Tables){data, sheet, false});
    mon_sheet_print(sheet, most, out);
}

void mon_profile_print_csv(const MonProfileData *data, MonProfileTable table, GString *out)
{
    g_autoptr(Sheet) sheet = mon_sheet_new();
    makers[table](&(Tables){data, sheet, true});
    mon_sheet_print_csv(sheet, out);
}

static void append_total(GString *out, const char *name, uint64_t ps, uint64_t all_ps)
{
    g_autofree char *time = base_units_format_time(ps);
    uint64_t share = mon_sheet_share(ps, all_ps);
    g_string_append_printf(out, "  %-22s %18s %4" G_GUINT64_FORMAT ".%02u %%\n", name, time, share / 10000,
                           (unsigned)(share / 100 % 100));
}

void mon_profile_print_totals(const MonProfileData *data, GString *out)
{
    const MonTimes *times = &data->times;
    uint64_t all_ps = mon_profile_times_all(times);
    g_autofree char *makespan = base_units_format_time(data->makespan_ps);
    g_string_append_printf(out, "%u %s on %s, makespan %s; all ranks together:\n", data->ranks,
                           data->ranks == 1 ? "rank" : "ranks", data->machine, makespan);
    append_total(out, "computing", times->compute_ps, all_ps);
    append_total(out, "library (MPI)", times->overhead_ps, all_ps);
    append_total(out, "waiting", mon_profile_times_waiting(times), all_ps);
    for (unsigned i = 0; i < MPI_WAIT_CAUSES; i++) {
        g_autofree char *name = g_strdup_printf("  %s", mpi_wait_name((MpiWaitCause)i));
        if (times->wait_ps[i])
            append_total(out, name, times->wait_ps[i], all_ps);
    }
    if (data->imbalance_ps)
        append_total(out, "of it, by imbalance", data->imbalance_ps, all_ps);
    if (data->estimated_ps) {
        unsigned percent = (unsigned)((unsigned __int128)data->estimated_ps * 100 / MAX(times->compute_ps, 1));
        g_string_append_printf(
            out,
            "%u %% of the computing is divided among functions and lines by samples, and so are calls "
            "of functions and counts (--exact meters it all)\n",
            percent);
    }
}
