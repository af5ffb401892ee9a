/* ahead.c - ranks that run ahead, to stand where others stand already.
 *
 * A breakpoint stops the run when the first rank comes to it. In a copy of the engine, that rank is held there, and so
 * is each other one that comes to the breakpoint, while the rest goes on, until nobody can without those that are held,
 * or for so many statements. Those that have come are one stop. What the user then looks at is another copy, which ends
 * when just these ranks have come so far. Both copies are thrown away; the engine has not moved.
 *
 * What a rank does until it comes to the breakpoint is what it does in the run, as it does not depend on what the ranks
 * that are held do later. But where ranks share cores or links, it may get there at another time. */
#include "monitor/session/engine.h"

enum { STATEMENTS_AT_LEAST = 200000, STATEMENTS_PER_RANK = 500 }; /* a copy begins so many */

bool mon_ahead_hook(MonEngine *engine, uint32_t rank, VmRank *vm, uint32_t pc)
{
    uint8_t mark = engine->marked[rank][pc];
    if (!engine->fine || mark & MON_MARK_STATEMENT)
        engine->counts[rank]++;
    if (engine->change_at == 0)
        mon_changes_make(engine, rank);
    if (engine->ahead_left == 0 || --engine->ahead_left == 0)
        return true;
    if (engine->ahead_counts)
        return engine->ahead_counts[rank] > 0 && engine->counts[rank] >= engine->ahead_counts[rank];
    return mark & MON_MARK_STOP && mon_points_would_stop(engine, engine->ahead_point, rank, vm, pc);
}

static void begin(MonEngine *engine)
{
    engine->told = UINT64_MAX; /* what these ranks print is yet to come */
    engine->ahead = true;
    engine->ahead_left = MAX(STATEMENTS_AT_LEAST, (uint64_t)STATEMENTS_PER_RANK * mach_run_ranks(engine->machine));
}

void mon_ahead_probe(MonEngine *engine, unsigned breakpoint)
{
    begin(engine);
    engine->ahead_point = breakpoint;
    engine->ahead_wanted = MON_NO_RANK;
}

void mon_ahead_view(MonEngine *engine, GVariant *targets)
{
    GVariantIter iter;
    uint32_t rank;
    uint64_t count;
    begin(engine);
    engine->ahead_counts = g_new0(uint64_t, mach_run_room(engine->machine));
    engine->ahead_wanted = 0;
    g_variant_iter_init(&iter, targets);
    while (g_variant_iter_next(&iter, "(ut)", &rank, &count))
        if (engine->counts[rank] < count) {
            engine->ahead_counts[rank] = count;
            engine->ahead_wanted++;
        }
}

/* The rank that the engine stands at is held first. */
void mon_ahead_run(MonEngine *engine)
{
    GVariantBuilder reached;
    uint32_t first = mach_run_stopped_rank(engine->machine), held = 0;
    bool goes_on = mach_run_hold(engine->machine, first);
    g_variant_builder_init(&reached, G_VARIANT_TYPE("a(ut)"));
    while (goes_on && held < engine->ahead_wanted && mach_run(engine->machine) == MACH_STOP_HOOK &&
           engine->ahead_left > 0) {
        uint32_t rank = mach_run_stopped_rank(engine->machine);
        goes_on = mach_run_hold(engine->machine, rank);
        held++;
        g_variant_builder_add(&reached, "(ut)", rank, engine->counts[rank]);
    }
    mon_engine_send(engine, MON_WIRE_REACHED, g_variant_builder_end(&reached), -1);
    mach_run_stand(engine->machine, first);
    if (engine->ahead_counts)
        mon_engine_serve(engine);
    mon_engine_leave(); /* only what looks may be asked of it */
}
