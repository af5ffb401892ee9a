/* ahead.c - ranks that run ahead: to stand where others stand already, or to step while others stand.
 *
 * A breakpoint stops the run when the first rank comes to it. In a copy of the engine, that rank is held there, and so
 * is each other one that comes to the breakpoint, while the rest goes on, until nobody can without those that are held,
 * or for so many statements and cycles. Those that have come are one stop. What the user then looks at is another copy,
 * which ends when just these ranks have come so far. Both copies are thrown away; the engine has not moved. Steps of
 * several ranks are made in the same way, each held where its step ends; and steps of some while all others stand.
 *
 * What a rank does until it comes to the breakpoint is what it does in the run, as it does not depend on what the ranks
 * that are held do later. But where ranks share cores or links, it may get there at another time. */
#include "monitor/session/engine.h"

#include <string.h>

enum { STATEMENTS_AT_LEAST = 200000, STATEMENTS_PER_RANK = 500 }; /* a copy begins so many */
enum { CYCLES_PER_STATEMENT = 250 };                              /* ... and runs for so many cycles in all */

typedef struct MonReached {
    uint32_t rank, breakpoint; /* 0: its step has ended */
    uint64_t count;
} MonReached;

/* Whether the rank has come to where it was seen; all of them are waited for, before others are held. */
static bool comes_to_target(MonEngine *engine, uint32_t rank)
{
    uint64_t *target = &engine->ahead_counts[rank];
    if (*target == 0 || engine->counts[rank] < *target)
        return false;
    *target = 0;
    engine->ahead_wanted--;
    return true;
}

static void note_reached(MonEngine *engine, uint32_t rank, unsigned breakpoint)
{
    MonReached reached = {rank, breakpoint, engine->counts[rank]};
    g_array_append_val(engine->ahead_reached, reached);
}

/* Whether the step of a rank ends here, at a breakpoint or by itself. */
static bool ends_step(MonEngine *engine, const MonStep *step, uint32_t rank, VmRank *vm, uint32_t pc)
{
    uint8_t mark = engine->marked[rank][pc];
    uint64_t over = 0;
    if (engine->counts[rank] <= step->count && step->kind != MON_STEP_PC)
        return false; /* it stands there already */
    const MonStopPoint *point = mark & MON_MARK_STOP ? mon_points_at(engine, rank, vm, pc) : NULL;
    bool stops = point && !(point->flags & MON_FLAG_LOG);
    if (!stops && (mark & MON_MARK_LIBRARY) && step->kind != MON_STEP_PC)
        return false;
    if (!stops && !mon_steps_end(engine, step, vm, pc, &over))
        return false;
    note_reached(engine, rank, stops ? point->number : 0);
    return true;
}

static bool would_gather(MonEngine *engine, uint32_t rank, VmRank *vm, uint32_t pc)
{
    bool marked = engine->marked[rank][pc] & MON_MARK_STOP;
    if (!engine->ahead_point || !(marked || (engine->has_starts && engine->counts[rank] == 1)) ||
        !mon_points_would_stop(engine, engine->ahead_point, rank, vm, pc))
        return false;
    note_reached(engine, rank, engine->ahead_point);
    return true;
}

bool mon_ahead_hook(MonEngine *engine, uint32_t rank, VmRank *vm, uint32_t pc)
{
    const MonStep *step = mon_steps_of(engine, rank);
    bool waits = engine->ahead_wanted > 0;
    engine->between = engine->fine && !(engine->marked[rank][pc] & MON_MARK_STATEMENT);
    if (!engine->between)
        engine->counts[rank]++;
    if (engine->change_at == 0)
        mon_changes_make(engine, rank);
    if (engine->ahead_left == 0 || --engine->ahead_left == 0)
        return true;
    if (comes_to_target(engine, rank) && !step) {
        if (engine->ahead_looks)
            note_reached(engine, rank, 0);
        return true;
    }
    if (step)
        return ends_step(engine, step, rank, vm, pc);
    return would_gather(engine, rank, vm, pc) || (engine->ahead_alone && (!waits || engine->ahead_looks));
}

static void begin(MonEngine *engine, GVariant *targets)
{
    GVariantIter iter;
    uint32_t rank;
    uint64_t count;
    engine->told = UINT64_MAX; /* what these ranks print is yet to come */
    engine->ahead = true;
    engine->ahead_left = MAX(STATEMENTS_AT_LEAST, (uint64_t)STATEMENTS_PER_RANK * mach_run_ranks(engine->machine));
    mach_run_limit_work(engine->machine, engine->ahead_left * CYCLES_PER_STATEMENT);
    engine->ahead_reached = g_array_new(FALSE, FALSE, sizeof(MonReached));
    engine->ahead_counts = g_new0(uint64_t, mach_run_room(engine->machine));
    g_variant_iter_init(&iter, targets);
    while (g_variant_iter_next(&iter, "(ut)", &rank, &count))
        if (engine->counts[rank] < count) { /* where it was seen last comes last */
            engine->ahead_wanted += engine->ahead_counts[rank] == 0;
            engine->ahead_counts[rank] = count;
        }
}

void mon_ahead_probe(MonEngine *engine, GVariant *value)
{
    gboolean alone;
    g_autoptr(GVariant) targets = NULL, order = NULL;
    g_variant_get(value, "(ub@a(ut)@" MON_ORDER_TYPE ")", &engine->ahead_point, &alone, &targets, &order);
    mon_engine_take_order(engine, order);
    engine->ahead_alone = alone;
    begin(engine, targets);
}

void mon_ahead_view(MonEngine *engine, GVariant *value)
{
    gboolean alone;
    g_autoptr(GVariant) targets = NULL;
    g_variant_get(value, "(b@a(ut))", &alone, &targets);
    g_clear_pointer(&engine->steps, g_free);
    engine->ahead_point = 0;
    engine->ahead_looks = true;
    engine->ahead_alone = alone;
    begin(engine, targets);
}

/* Why the step of a rank has not ended: it waits for others, which stand. */
static void append_stuck(MonEngine *engine, uint32_t rank, GString *out)
{
    g_autoptr(GString) why = g_string_new(NULL);
    VmRank *vm = mach_run_rank(engine->machine, rank);
    int64_t other = -1;
    if (vm_rank_depth(vm) == 0) {
        g_string_append_printf(out, "rank %u has ended\n", rank);
        return;
    }
    g_autofree char *what = mpi_world_describe(mach_run_mpi(engine->machine), rank);
    mon_look_why(engine->machine, rank, why);
    const char *act = strstr(why->str, " would have to act");
    if (act) {
        while (act > why->str && g_ascii_isdigit(act[-1]))
            act--;
        other = (int64_t)g_ascii_strtoll(act, NULL, 10);
    }
    if (other >= 0)
        g_string_append_printf(out, "rank %u waits for rank %d, which stands", rank, (int)other);
    else
        g_string_append_printf(out, "rank %u %s", rank,
                               what ? "waits for others, which stand" : "does not come to the end of its step");
    g_string_append_printf(out, what ? ": %s\n" : "%s\n", what ? what : "");
}

static bool has_reached(const MonEngine *engine, uint32_t rank)
{
    for (guint i = 0; i < engine->ahead_reached->len; i++)
        if (g_array_index(engine->ahead_reached, MonReached, i).rank == rank)
            return true;
    return false;
}

static void tell_reached(MonEngine *engine)
{
    enum { MOST_STUCK = 8 };
    GVariantBuilder reached;
    g_autoptr(GString) stuck = g_string_new(NULL);
    g_variant_builder_init(&reached, G_VARIANT_TYPE("a(utu)"));
    for (guint i = 0; i < engine->ahead_reached->len; i++) {
        const MonReached *item = &g_array_index(engine->ahead_reached, MonReached, i);
        g_variant_builder_add(&reached, "(utu)", item->rank, item->count, item->breakpoint);
    }
    for (uint32_t rank = 0, told = 0; rank < mach_run_ranks(engine->machine) && told < MOST_STUCK; rank++)
        if (mon_steps_of(engine, rank) && !has_reached(engine, rank)) {
            append_stuck(engine, rank, stuck);
            told++;
        }
    g_autofree char *valid = mon_wire_text(stuck->str);
    mon_engine_send(engine, MON_WIRE_REACHED, g_variant_new("(a(utu)s)", &reached, valid), -1);
}

/* Whether somebody is still to come to where he shall be held. */
static bool is_done(const MonEngine *engine, uint32_t steps)
{
    if (engine->ahead_looks)
        return engine->ahead_wanted == 0;
    return steps > 0 && engine->ahead_reached->len >= steps;
}

/* The rank that the engine stands at is held first, unless it is to go on. */
void mon_ahead_run(MonEngine *engine)
{
    uint32_t first = mach_run_stopped_rank(engine->machine), steps = 0;
    for (uint32_t rank = 0; rank < mach_run_ranks(engine->machine); rank++)
        steps += mon_steps_of(engine, rank) != NULL;
    bool stays = !mon_steps_of(engine, first) || has_reached(engine, first);
    bool goes_on = !stays || mach_run_hold(engine->machine, first);
    while (goes_on && !is_done(engine, steps) && mach_run(engine->machine) == MACH_STOP_HOOK && engine->ahead_left > 0)
        goes_on = mach_run_hold(engine->machine, mach_run_stopped_rank(engine->machine));
    tell_reached(engine);
    mach_run_stand(engine->machine, first);
    if (engine->ahead_looks)
        mon_engine_serve(engine);
    mon_engine_leave(); /* only what looks may be asked of it */
}
