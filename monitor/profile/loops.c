/* loops.c - phases that a program has by itself: its outermost loops with calls of MPI in them.
 *
 * A loop is an interval of a function's code that jumps lead back in. Going down a path of calls from the beginning,
 * the first instruction within a loop decides: all that happens there, with what is called from there, belongs to the
 * loop. Loops without calls of MPI are no phases.
 */
#include "monitor/profile/inside.h"

typedef struct Loop { /* in one function of one program */
    const VcodeModule *module;
    VmMeterLoop code;
    guint phase;
} Loop;

typedef struct Search {
    MonProfile *profile;
    GArray *phases; /* MonProfilePhase */
    GArray *loops;  /* Loop: those that have a phase */
    MonTimes outside;
} Search;

MonTimes mon_profile_cell_times(const VmMeterCell *cell)
{
    MonTimes times = {0};
    if (cell->own)
        times = *(const MonTimes *)cell->own;
    times.compute_ps = cell->compute_ps;
    return times;
}

bool mon_profile_cell_is_empty(const VmMeterCell *cell)
{
    MonTimes times = mon_profile_cell_times(cell);
    uint64_t events = cell->mispredicted;
    for (unsigned i = 0; i < VM_CACHE_LEVELS; i++)
        events |= cell->misses[i];
    return !cell->times && !events && !mon_profile_times_all(&times);
}

bool mon_profile_node_is_empty(const VmMeterNode *node)
{
    for (uint32_t i = 0; i < node->end - node->start; i++)
        if (node->cells[i] && !mon_profile_cell_is_empty(node->cells[i]))
            return false;
    for (guint i = 0; i < node->nodes->len; i++)
        if (!mon_profile_node_is_empty(g_array_index(node->nodes, VmMeterNode *, i)))
            return false;
    return true;
}

static gint by_place(gconstpointer a, gconstpointer b)
{
    const VmMeterNode *x = *(VmMeterNode *const *)a, *y = *(VmMeterNode *const *)b;
    if (x->phase != y->phase)
        return x->phase < y->phase ? -1 : 1;
    if (x->call_pc != y->call_pc)
        return x->call_pc < y->call_pc ? -1 : 1;
    if (x->function != y->function)
        return x->function < y->function ? -1 : 1;
    return g_strcmp0(vcode_text(vm_image_module(x->image), 0), vcode_text(vm_image_module(y->image), 0));
}

GPtrArray *mon_profile_ordered_roots(const MonProfile *profile)
{
    const GPtrArray *roots = vm_meter_roots(profile->meter);
    GPtrArray *ordered = g_ptr_array_new();
    for (guint i = 0; i < roots->len; i++)
        if (!mon_profile_node_is_empty(roots->pdata[i]))
            g_ptr_array_add(ordered, roots->pdata[i]);
    g_ptr_array_sort(ordered, by_place);
    return ordered;
}

GPtrArray *mon_profile_ordered_nodes(const VmMeterNode *node)
{
    GPtrArray *ordered = g_ptr_array_new();
    for (guint i = 0; i < node->nodes->len; i++)
        if (!mon_profile_node_is_empty(g_array_index(node->nodes, VmMeterNode *, i)))
            g_ptr_array_add(ordered, g_array_index(node->nodes, VmMeterNode *, i));
    g_ptr_array_sort(ordered, by_place);
    return ordered;
}

/* -- whether a loop calls MPI -------------------------------------------------------------------- */

static bool is_within(const VmMeterLoop *loop, uint32_t pc)
{
    return pc >= loop->first && pc <= loop->last;
}

/* Whether time has passed in MPI in the node's code within the interval, or below. */
static bool has_calls(const VmMeterNode *node, const VmMeterLoop *within)
{
    for (uint32_t i = 0; i < node->end - node->start; i++)
        if (node->cells[i] && node->cells[i]->own && mon_profile_times_all(node->cells[i]->own) &&
            (!within || is_within(within, node->cells[i]->pc)))
            return true;
    for (guint i = 0; i < node->nodes->len; i++) {
        const VmMeterNode *below = g_array_index(node->nodes, VmMeterNode *, i);
        if ((!within || is_within(within, below->call_pc)) && has_calls(below, NULL))
            return true;
    }
    return false;
}

/* -- phases ------------------------------------------------------------------------------------ */

/* The lines of the interval that are in the function itself, in the file of its first instruction. */
static void find_lines(const VcodeModule *module, const VmMeterLoop *loop, MonProfilePhase *phase)
{
    const VcodeLine *first = vcode_pc_line(module, loop->first);
    uint32_t file = first ? first->file : VCODE_NONE;
    phase->file = first ? vcode_source_name(module, first->file) : "?";
    for (uint32_t pc = loop->first; first && pc <= loop->last; pc++) {
        const VcodeLine *line = vcode_pc_line(module, pc);
        if (!line || line->file != file || line->inlined != VCODE_NONE)
            continue;
        phase->first = phase->first ? MIN(phase->first, line->line) : line->line;
        phase->last = MAX(phase->last, line->line);
    }
}

/* Whether x : n is nearer to 1 than y : n. */
static bool is_nearer(uint64_t n, uint64_t x, uint64_t y)
{
    unsigned __int128 one = (unsigned __int128)MAX(x, n) * MIN(y, n), other = (unsigned __int128)MAX(y, n) * MIN(x, n);
    return one < other;
}

/* Finds, of all numbers of calls in the interval or below, the one that comes nearest to an estimate. */
static void find_nearest(const VmMeterNode *node, const VmMeterLoop *within, uint64_t estimate, uint64_t *nearest)
{
    for (uint32_t i = 0; i < node->end - node->start; i++) {
        const VmMeterCell *cell = node->cells[i];
        if (cell && cell->visits && (!within || is_within(within, cell->pc)) &&
            (!*nearest || is_nearer(estimate, cell->visits, *nearest)))
            *nearest = cell->visits;
    }
    for (guint i = 0; i < node->nodes->len; i++) {
        const VmMeterNode *below = g_array_index(node->nodes, VmMeterNode *, i);
        if (!within || is_within(within, below->call_pc))
            find_nearest(below, NULL, estimate, nearest);
    }
}

/* How often the first block of the loop has run in this node, as far as that was metered. */
static uint64_t metered_turns(const VmMeterNode *node, const VmMeterLoop *loop)
{
    for (uint32_t pc = loop->first; pc <= loop->last; pc++)
        if (vm_meter_ends_block(node->image, pc))
            return node->cells[pc - node->start] ? node->cells[pc - node->start]->times : 0;
    return 0;
}

/* Where turns are estimated, there mostly is a call that each of them makes once. */
static uint64_t turns_in(const Search *search, const VmMeterNode *node, const VmMeterLoop *loop)
{
    uint64_t turns = metered_turns(node, loop), nearest = 0;
    if (!search->profile->data->estimated_ps)
        return turns;
    find_nearest(node, loop, MAX(turns, 1), &nearest);
    return nearest ? nearest : turns;
}

static guint phase_of(Search *search, const VmMeterNode *node, const VmMeterLoop *code)
{
    const VcodeModule *module = vm_image_module(node->image);
    for (guint i = 0; i < search->loops->len; i++) {
        const Loop *loop = &g_array_index(search->loops, Loop, i);
        if (loop->module == module && loop->code.first == code->first)
            return loop->phase;
    }
    MonProfilePhase phase = {0};
    find_lines(module, code, &phase);
    if (phase.first)
        phase.name =
            g_strdup_printf("loop in %s, %s:%u-%u", vcode_text(module, module->functions.items[node->function].name),
                            phase.file, phase.first, phase.last);
    else
        phase.name = g_strdup_printf("loop in %s", vcode_text(module, module->functions.items[node->function].name));
    Loop loop = {module, *code, search->phases->len};
    g_array_append_val(search->phases, phase);
    g_array_append_val(search->loops, loop);
    return loop.phase;
}

enum { OUTSIDE = -1 };

static void walk(Search *search, const VmMeterNode *node, int phase);

/* Returns, by loop of the function, its phase; OUTSIDE: it has none. */
static int *phases_of(Search *search, const VmMeterNode *node, const GArray *loops)
{
    int *phases = g_new(int, loops->len + 1);
    for (guint i = 0; i < loops->len; i++) {
        const VmMeterLoop *loop = &g_array_index(loops, VmMeterLoop, i);
        phases[i] = has_calls(node, loop) ? (int)phase_of(search, node, loop) : OUTSIDE;
        if (phases[i] != OUTSIDE)
            g_array_index(search->phases, MonProfilePhase, phases[i]).turns += turns_in(search, node, loop);
    }
    return phases;
}

static int phase_at(const GArray *loops, const int *phases, uint32_t pc)
{
    for (guint i = 0; i < loops->len; i++)
        if (is_within(&g_array_index(loops, VmMeterLoop, i), pc))
            return phases[i];
    return OUTSIDE;
}

static void walk(Search *search, const VmMeterNode *node, int phase)
{
    g_autoptr(GArray) loops =
        phase == OUTSIDE ? vm_meter_loops(node->image, node->function) : g_array_new(FALSE, FALSE, sizeof(VmMeterLoop));
    g_autofree int *phases = phases_of(search, node, loops);
    for (uint32_t i = 0; i < node->end - node->start; i++) {
        if (!node->cells[i])
            continue;
        int own = phase == OUTSIDE ? phase_at(loops, phases, node->cells[i]->pc) : phase;
        MonTimes times = mon_profile_cell_times(node->cells[i]);
        mon_profile_times_add(
            own == OUTSIDE ? &search->outside : &g_array_index(search->phases, MonProfilePhase, own).times, &times);
    }
    g_autoptr(GPtrArray) below = mon_profile_ordered_nodes(node);
    for (guint i = 0; i < below->len; i++) {
        const VmMeterNode *called = below->pdata[i];
        walk(search, called, phase == OUTSIDE ? phase_at(loops, phases, called->call_pc) : phase);
    }
}

void mon_profile_find_loops(MonProfile *profile)
{
    Search search = {
        .profile = profile, .phases = profile->data->loops, .loops = g_array_new(FALSE, FALSE, sizeof(Loop))};
    g_autoptr(GPtrArray) roots = mon_profile_ordered_roots(profile);
    for (guint i = 0; i < roots->len; i++)
        walk(&search, roots->pdata[i], OUTSIDE);
    MonProfilePhase outside = {.name = g_strdup("outside of loops with MPI"), .times = search.outside, .file = "?"};
    g_array_append_val(profile->data->loops, outside);
    g_array_unref(search.loops);
}
