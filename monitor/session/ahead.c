/* ahead.c - ranks that run ahead, to stand where others stand already.
 *
 * A breakpoint stops the run when the first rank comes to it. In a copy of the engine, each other rank that is ready
 * runs on by itself, up to the breakpoint or to its next call: computing changes nothing for others, so there it will
 * come in the real order, too. Those that have come to the breakpoint are one stop. What the user then looks at is
 * another copy, in which just these ranks have run so far. Both copies are thrown away; the engine has not moved. */
#include "monitor/session/engine.h"

bool mon_ahead_hook(MonEngine *engine, uint32_t rank, VmRank *vm, uint32_t pc)
{
    uint8_t mark = engine->marked[rank][pc];
    if (!engine->fine || mark & MON_MARK_STATEMENT)
        engine->counts[rank]++;
    if (engine->ahead_counts)
        return engine->counts[rank] >= engine->ahead_counts[rank];
    return mark & MON_MARK_STOP && mon_points_would_stop(engine, engine->ahead_point, rank, vm, pc);
}

static void begin(MonEngine *engine)
{
    engine->told = UINT64_MAX; /* what these ranks print is yet to come */
    engine->ahead = true;
}

void mon_ahead_probe(MonEngine *engine, unsigned breakpoint)
{
    GVariantBuilder reached;
    begin(engine);
    engine->ahead_point = breakpoint;
    g_variant_builder_init(&reached, G_VARIANT_TYPE("a(ut)"));
    uint32_t standing = mach_run_stopped_rank(engine->machine);
    for (uint32_t rank = 0; rank < mach_run_ranks(engine->machine); rank++)
        if (rank != standing && mach_run_look_ahead(engine->machine, rank))
            g_variant_builder_add(&reached, "(ut)", rank, engine->counts[rank]);
    mon_engine_send(engine, MON_WIRE_REACHED, g_variant_builder_end(&reached), -1);
    mon_engine_leave();
}

void mon_ahead_view(MonEngine *engine, GVariant *targets)
{
    GVariantIter iter;
    GVariantBuilder reached;
    uint32_t rank;
    uint64_t count;
    uint64_t *counts = g_new0(uint64_t, mach_run_room(engine->machine));
    begin(engine);
    engine->ahead_counts = counts;
    g_variant_builder_init(&reached, G_VARIANT_TYPE("a(ut)"));
    g_variant_iter_init(&iter, targets);
    while (g_variant_iter_next(&iter, "(ut)", &rank, &count)) {
        counts[rank] = count;
        if (engine->counts[rank] < count && mach_run_look_ahead(engine->machine, rank))
            g_variant_builder_add(&reached, "(ut)", rank, engine->counts[rank]);
    }
    engine->ahead_counts = NULL;
    g_free(counts);
    mon_engine_send(engine, MON_WIRE_REACHED, g_variant_builder_end(&reached), -1);
    mon_engine_serve(engine);
    mon_engine_leave(); /* only what looks may be asked of it */
}
