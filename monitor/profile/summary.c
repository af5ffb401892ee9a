/* summary.c - the result of a profile: settles what ranks still have open at the end of the run, and sums nodes and
 * lines up to functions, source lines and the other tables. */
#include "monitor/profile/inside.h"

#include <string.h>

/* -- the end of the run ------------------------------------------------------------------------- */

/* Takes time away from sums, from the first on. Returns what could not be taken. */
static uint64_t take_away(uint64_t *sums, unsigned n, uint64_t ps)
{
    for (unsigned i = 0; i < n; i++) {
        uint64_t taken = MIN(sums[i], ps);
        sums[i] -= taken;
        ps -= taken;
    }
    return ps;
}

/* The rank had gone on, in calls of its own, for longer than it lived: takes that away, from where it was last, else
 * from elsewhere. */
static void take_back(const VmMeterNode *node, VmMeterCell *cell, size_t offset, unsigned n, uint64_t *ps)
{
    if (cell && cell->own)
        *ps = take_away(&G_STRUCT_MEMBER(uint64_t, cell->own, offset), n, *ps);
    for (uint32_t i = 0; *ps && i < node->end - node->start; i++)
        if (node->cells[i] && node->cells[i]->own)
            *ps = take_away(&G_STRUCT_MEMBER(uint64_t, node->cells[i]->own, offset), n, *ps);
    for (guint i = 0; *ps && i < node->nodes->len; i++)
        take_back(g_array_index(node->nodes, VmMeterNode *, i), NULL, offset, n, ps);
}

static const VmMeterNode *root_of(const VmMeterNode *node)
{
    while (node->parent)
        node = node->parent;
    return node;
}

/* Corrects sums of the rank, and those of the cell, so that the rank has so much more or less. `at`: which of the sums
 * gets what is missing. */
static void adjust(ProfileRank *own, VmMeterCell *cell, size_t offset, unsigned n, unsigned at, int64_t more_ps)
{
    uint64_t *sums = &G_STRUCT_MEMBER(uint64_t, &own->times, offset), less_ps = more_ps < 0 ? (uint64_t)-more_ps : 0;
    if (more_ps > 0) {
        sums[at] += (uint64_t)more_ps;
        (&G_STRUCT_MEMBER(uint64_t, mon_profile_own_times(cell), offset))[at] += (uint64_t)more_ps;
    }
    take_away(sums, n, less_ps);
    take_back(root_of(cell->node), cell, offset, n, &less_ps);
}

/* The last cause that the rank's calls have told, and that has not passed. */
static MpiWaitCause last_cause(const ProfileRank *own)
{
    MpiWaitCause cause = MPI_WAIT_OTHER;
    for (unsigned i = 0; own->told->len && i < MPI_WAIT_CAUSES; i++)
        if (g_array_index(own->told, MonTimes, 0).wait_ps[i])
            cause = (MpiWaitCause)i;
    return cause;
}

/* The end of a rank comes behind its last instruction, or in the middle of a block; or in a call. So what its report
 * has more than was added up belongs to where it was last. */
static void settle(MonProfile *profile, uint32_t rank, const MachRankReport *report)
{
    VmMeterCell *cell = vm_meter_last(profile->meter, rank);
    ProfileRank *own = mon_profile_rank(profile, rank);
    if (!cell)
        return;
    vm_meter_correct(profile->meter, rank, cell, report->compute_ps - vm_meter_rank_ps(profile->meter, rank));
    if (mach_run_account(profile->machine, rank).threaded)
        return;
    adjust(own, cell, offsetof(MonTimes, overhead_ps), 1, 0, (int64_t)(report->overhead_ps - own->times.overhead_ps));
    adjust(own, cell, offsetof(MonTimes, wait_ps), MPI_WAIT_CAUSES, last_cause(own),
           (int64_t)(report->blocked_ps - mon_profile_times_waiting(&own->times)));
}

static void settle_all(MonProfile *profile)
{
    MonProfileData *data = profile->data;
    for (uint32_t rank = 0; rank < data->ranks; rank++) {
        MachRankReport report;
        mach_run_rank_report(profile->machine, rank, &report);
        settle(profile, rank, &report);
        MonProfileRank row = {.finish_ps = report.finish_ps, .times = mon_profile_rank(profile, rank)->times};
        row.times.compute_ps = vm_meter_rank_ps(profile->meter, rank);
        data->estimated_ps += vm_meter_estimated_ps(profile->meter, rank);
        data->makespan_ps = MAX(data->makespan_ps, report.finish_ps);
        data->start_ps += report.finish_ps - MIN(mon_profile_times_all(&row.times), report.finish_ps);
        g_array_append_val(data->by_rank, row);
    }
}

/* -- functions --------------------------------------------------------------------------------- */

static guint function_hash(gconstpointer key)
{
    const MonProfileFunction *function = key;
    return g_direct_hash(function->function) ^ g_direct_hash(function->file) * 31u ^ function->line;
}

static gboolean function_equal(gconstpointer a, gconstpointer b)
{
    const MonProfileFunction *x = a, *y = b;
    return x->function == y->function && x->file == y->file && x->line == y->line;
}

static bool same_function(const MonProfileNode *a, const MonProfileNode *b)
{
    return a->function == b->function && a->file == b->file && a->line == b->line;
}

/* Whether a caller is the same function: then the total of that one has what this one has. */
static bool is_within_itself(const MonProfileData *data, const MonProfileNode *node)
{
    for (int at = node->parent; at != MON_NO_NODE;) {
        const MonProfileNode *caller = &g_array_index(data->nodes, MonProfileNode, at);
        if (same_function(caller, node))
            return true;
        at = caller->parent;
    }
    return false;
}

static void compare_ranks(const MonProfileData *data, const MonProfileNode *node, MonProfileFunction *function)
{
    unsigned __int128 sum = 0;
    function->least_ps = UINT64_MAX;
    for (uint32_t rank = 0; rank < data->ranks; rank++) {
        uint64_t ps = node->metered->rank_ps[rank];
        function->least_ps = MIN(function->least_ps, ps);
        function->most_ps = MAX(function->most_ps, ps);
        sum += ps;
    }
    function->mean_ps = data->ranks ? (uint64_t)(sum / data->ranks) : 0;
}

/* Most time of its own first. */
static gint by_self(gconstpointer a, gconstpointer b)
{
    const MonProfileFunction *x = a, *y = b;
    uint64_t x_ps = mon_profile_times_all(&x->self), y_ps = mon_profile_times_all(&y->self);
    if (x_ps != y_ps)
        return x_ps > y_ps ? -1 : 1;
    int names = strcmp(x->function, y->function), files = strcmp(x->file, y->file);
    return names ? names : files ? files : x->line < y->line ? -1 : x->line > y->line;
}

static void find_functions(MonProfileData *data)
{
    g_autoptr(GHashTable) found = g_hash_table_new_full(function_hash, function_equal, g_free, NULL);
    for (guint i = 0; i < data->nodes->len; i++) {
        const MonProfileNode *node = &g_array_index(data->nodes, MonProfileNode, i);
        MonProfileFunction key = {.function = node->function, .file = node->file, .line = node->line, .inlined = true};
        MonProfileFunction *function = g_hash_table_lookup(found, &key);
        if (!function) {
            function = g_memdup2(&key, sizeof key);
            g_hash_table_add(found, function);
        }
        if (function->inlined && !node->inlined) {
            function->inlined = false;
            compare_ranks(data, node, function);
        }
        function->calls += node->calls;
        mon_profile_times_add(&function->self, &node->self);
        mon_profile_counts_add(&function->counts, &node->counts);
        if (!is_within_itself(data, node))
            mon_profile_times_add(&function->total, &node->total);
    }
    GHashTableIter iter;
    gpointer function;
    g_hash_table_iter_init(&iter, found); /* sorted below */
    while (g_hash_table_iter_next(&iter, &function, NULL))
        g_array_append_vals(data->functions, function, 1);
    g_array_sort(data->functions, by_self);
}

/* -- lines ------------------------------------------------------------------------------------- */

static gint compare_places(const MonProfileLine *x, const MonProfileLine *y)
{
    int files = strcmp(x->file, y->file);
    return files ? files : x->line < y->line ? -1 : x->line > y->line;
}

static gint by_node(gconstpointer a, gconstpointer b)
{
    const MonProfileLine *x = a, *y = b;
    return x->node != y->node ? (x->node < y->node ? -1 : 1) : compare_places(x, y);
}

static gint by_call(gconstpointer a, gconstpointer b)
{
    const MonProfileCall *x = a, *y = b;
    if (x->node != y->node)
        return x->node < y->node ? -1 : 1;
    return x->pc < y->pc ? -1 : x->pc > y->pc;
}

static gint by_line(gconstpointer a, gconstpointer b)
{
    return compare_places(a, b);
}

static void find_lines(MonProfileData *data)
{
    g_autoptr(GArray) sorted = g_array_new(FALSE, FALSE, sizeof(MonProfileLine));
    g_array_append_vals(sorted, data->lines->data, data->lines->len);
    g_array_sort(sorted, by_line);
    g_array_sort(data->lines, by_node);
    g_array_sort(data->calls, by_call);
    for (guint i = 0; i < sorted->len; i++) {
        MonProfileLine line = g_array_index(sorted, MonProfileLine, i);
        MonProfileLine *last =
            data->all_lines->len ? &g_array_index(data->all_lines, MonProfileLine, data->all_lines->len - 1) : NULL;
        line.node = MON_NO_NODE;
        if (!last || compare_places(last, &line) != 0) {
            g_array_append_val(data->all_lines, line);
            continue;
        }
        mon_profile_times_add(&last->times, &line.times);
        mon_profile_counts_add(&last->counts, &line.counts);
    }
}

/* -- sites and collectives ----------------------------------------------------------------------- */

static gint by_site(gconstpointer a, gconstpointer b)
{
    const MonProfileSite *x = a, *y = b;
    uint64_t x_ps = mon_profile_times_all(&x->times), y_ps = mon_profile_times_all(&y->times);
    if (x_ps != y_ps)
        return x_ps > y_ps ? -1 : 1;
    int files = strcmp(x->file, y->file);
    if (files || x->line != y->line)
        return files ? files : x->line < y->line ? -1 : 1;
    int names = strcmp(x->name, y->name);
    return names ? names : x->pc < y->pc ? -1 : x->pc > y->pc;
}

/* The function that calls, be it inlined. */
static const char *caller_at(const VcodeModule *program, uint32_t pc)
{
    uint32_t inlined = pc == VCODE_NONE ? VCODE_NONE : vcode_pc_inlined(program, pc);
    uint32_t function = pc == VCODE_NONE ? VCODE_NONE : vcode_pc_function(program, pc);
    if (inlined != VCODE_NONE)
        return vcode_text(program, program->inlines.items[inlined].name);
    return function != VCODE_NONE ? vcode_text(program, program->functions.items[function].name) : "?";
}

static void find_sites(MonProfile *profile)
{
    MonProfileData *data = profile->data;
    GHashTableIter iter;
    gpointer key;
    g_hash_table_iter_init(&iter, profile->sites); /* sorted below */
    while (g_hash_table_iter_next(&iter, &key, NULL)) {
        const Site *site = key;
        const VcodeLine *line = site->pc == VCODE_NONE ? NULL : vcode_pc_line(site->program, site->pc);
        MonProfileSite made = {.name = site->name,
                               .function = caller_at(site->program, site->pc),
                               .file = line ? vcode_source_name(site->program, line->file) : "?",
                               .line = line ? line->line : 0,
                               .pc = site->pc,
                               .program = site->program,
                               .calls = site->calls,
                               .longest_ps = site->longest_ps,
                               .shortest_ps = site->shortest_ps,
                               .imbalance_ps = site->imbalance_ps,
                               .times = site->times,
                               .messages = site->messages,
                               .bytes = site->bytes,
                               .least_bytes = site->least_bytes,
                               .most_bytes = site->most_bytes};
        g_array_append_val(data->sites, made);
    }
    g_array_sort(data->sites, by_site);
}

/* What calls have not told: what passed while MPI_Pcontrol had ended the recording, in polls that were not told one by
 * one, in sleeps, and behind the last call. A call under way at the end may have told nothing yet. */
static void find_rest(MonProfile *profile)
{
    MonProfileData *data = profile->data;
    MonTimes sites = {0};
    for (guint i = 0; i < data->sites->len; i++)
        mon_profile_times_add(&sites, &g_array_index(data->sites, MonProfileSite, i).times);
    data->no_site.overhead_ps = data->times.overhead_ps - MIN(sites.overhead_ps, data->times.overhead_ps);
    for (unsigned i = 0; i < MPI_WAIT_CAUSES; i++)
        data->no_site.wait_ps[i] = data->times.wait_ps[i] - MIN(sites.wait_ps[i], data->times.wait_ps[i]);
}

static gint by_collective(gconstpointer a, gconstpointer b)
{
    const MonProfileCollective *x = a, *y = b;
    uint64_t x_ps = mon_profile_times_all(&x->times), y_ps = mon_profile_times_all(&y->times);
    if (x_ps != y_ps)
        return x_ps > y_ps ? -1 : 1;
    int names = strcmp(x->name, y->name);
    return names ? names : strcmp(x->algorithm, y->algorithm);
}

static void find_collectives(MonProfile *profile)
{
    GHashTableIter iter;
    gpointer key;
    g_hash_table_iter_init(&iter, profile->collectives); /* sorted below */
    while (g_hash_table_iter_next(&iter, &key, NULL))
        g_array_append_vals(profile->data->collectives, key, 1);
    g_array_sort(profile->data->collectives, by_collective);
}

/* -- the result -------------------------------------------------------------------------------- */

static void clear_phase(gpointer data)
{
    g_free(((MonProfilePhase *)data)->name);
}

static gint by_beginning(gconstpointer a, gconstpointer b)
{
    const ProfileLevel *x = a, *y = b;
    if (x->from_ps != y->from_ps)
        return x->from_ps < y->from_ps ? -1 : 1;
    return x->level < y->level ? -1 : x->level > y->level;
}

static void number_phases(VmMeterNode *node, const uint32_t *numbers)
{
    node->phase = numbers[node->phase];
    for (guint i = 0; i < node->nodes->len; i++)
        number_phases(g_array_index(node->nodes, VmMeterNode *, i), numbers);
}

/* Ranks run ahead, each as far as it can. So levels are put in the order in which they began, and those that nobody has
 * come to before the end of the run are left out: nodes of these are empty. */
static void order_levels(MonProfile *profile)
{
    const GPtrArray *roots = vm_meter_roots(profile->meter);
    g_autoptr(GArray) levels = g_array_new(FALSE, FALSE, sizeof(ProfileLevel));
    g_autofree uint32_t *numbers = g_new0(uint32_t, profile->levels->len);
    for (guint phase = 0; phase < profile->levels->len; phase++) {
        bool used = phase == 0;
        for (guint i = 0; i < roots->len && !used; i++) {
            const VmMeterNode *root = g_ptr_array_index(roots, i);
            used = root->phase == phase && !mon_profile_node_is_empty(root);
        }
        if (used)
            g_array_append_val(levels, g_array_index(profile->levels, ProfileLevel, phase));
    }
    g_array_sort(levels, by_beginning);
    for (guint phase = 0; phase < profile->levels->len; phase++)
        for (guint i = 0; i < levels->len; i++)
            if (g_array_index(levels, ProfileLevel, i).level ==
                g_array_index(profile->levels, ProfileLevel, phase).level)
                numbers[phase] = i;
    for (guint i = 0; i < roots->len; i++)
        number_phases(g_ptr_array_index(roots, i), numbers);
    g_array_set_size(profile->levels, 0);
    g_array_append_vals(profile->levels, levels->data, levels->len);
}

static void add_levels(MonProfile *profile)
{
    for (guint i = 0; i < profile->levels->len; i++) {
        int level = g_array_index(profile->levels, ProfileLevel, i).level;
        MonProfilePhase phase = {.name =
                                     level ? g_strdup_printf("level %d", level) : g_strdup("level 0 (not recorded)"),
                                 .level = true,
                                 .file = "?"};
        g_array_append_val(profile->data->levels, phase);
    }
}

static void data_new(MonProfile *profile)
{
    MonProfileData *data = profile->data = g_new0(MonProfileData, 1);
    data->machine = mach_run_config(profile->machine)->name;
    data->ranks = mach_run_ranks(profile->machine);
    data->nodes = g_array_new(FALSE, FALSE, sizeof(MonProfileNode));
    data->lines = g_array_new(FALSE, FALSE, sizeof(MonProfileLine));
    data->functions = g_array_new(FALSE, FALSE, sizeof(MonProfileFunction));
    data->all_lines = g_array_new(FALSE, FALSE, sizeof(MonProfileLine));
    data->sites = g_array_new(FALSE, FALSE, sizeof(MonProfileSite));
    data->calls = g_array_new(FALSE, FALSE, sizeof(MonProfileCall));
    data->collectives = g_array_new(FALSE, FALSE, sizeof(MonProfileCollective));
    data->levels = g_array_new(FALSE, FALSE, sizeof(MonProfilePhase));
    data->loops = g_array_new(FALSE, FALSE, sizeof(MonProfilePhase));
    g_array_set_clear_func(data->levels, clear_phase);
    g_array_set_clear_func(data->loops, clear_phase);
    data->by_rank = g_array_new(FALSE, FALSE, sizeof(MonProfileRank));
    for (uint32_t rank = 0; rank < data->ranks; rank++) {
        data->has_caches = data->has_caches || mach_cache_counts(profile->machine, rank, 1);
        data->has_predictor = data->has_predictor || mach_run_predictor_counts(profile->machine, rank);
    }
}

const MonProfileData *mon_profile_data(MonProfile *profile)
{
    if (profile->data)
        return profile->data;
    data_new(profile);
    settle_all(profile);
    order_levels(profile);
    add_levels(profile);
    mon_profile_build_nodes(profile);
    mon_profile_find_loops(profile);
    find_functions(profile->data);
    find_lines(profile->data);
    find_sites(profile);
    find_rest(profile);
    profile->data->imbalance_ps = mon_profile_imbalance_ps(profile->meetings);
    find_collectives(profile);
    return profile->data;
}

void mon_profile_free_data(MonProfile *profile)
{
    MonProfileData *data = profile->data;
    if (!data)
        return;
    GArray *all[] = {data->nodes, data->lines,       data->functions, data->all_lines, data->sites,
                     data->calls, data->collectives, data->levels,    data->loops,     data->by_rank};
    for (size_t i = 0; i < G_N_ELEMENTS(all); i++)
        g_array_unref(all[i]);
    g_clear_pointer(&profile->data, g_free);
}
