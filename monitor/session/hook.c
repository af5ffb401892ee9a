/* hook.c - what the engine does before each statement of each rank: counts moments, looks for stops. */
#include "monitor/session/engine.h"

#include "base/units.h"

enum { LOOK_MOMENTS = 2048 }; /* between looks at the host's clock and at the socket */

void mon_hook_meet(MonEngine *engine, uint32_t rank)
{
    VmRank *vm = mach_run_rank(engine->machine, rank);
    const VmImage *image = vm_rank_image(vm);
    if (!image || vm_rank_depth(vm) == 0)
        return;
    const VcodeModule *module = vm_image_module(image);
    engine->marked[rank] = mon_points_marks(engine, module);
    bool steps = engine->step.kind == MON_STEP_PC && engine->step.rank == rank;
    vm_rank_set_hook_points(vm, steps           ? engine->all_bits
                                : engine->extra ? g_hash_table_lookup(engine->extra, module)
                                                : NULL);
}

/* -- from time to time ------------------------------------------------------------------------- */

static void take_interrupt(MonEngine *engine, uint32_t rank)
{
    g_autoptr(GVariant) value = NULL;
    MonWireKind kind;
    int descriptor;
    if (!mon_wire_receive(engine->socket, &kind, &value, &descriptor))
        mon_engine_leave();
    if (kind == MON_WIRE_INTERRUPT)
        mon_engine_stop(engine, MON_INTERRUPTED, rank, 0, "");
}

static bool snapshot_is_due(const MonEngine *engine)
{
    if (!engine->keeps || engine->mode == MON_SCAN)
        return false;
    return engine->options->snapshot_every ? engine->moment >= engine->due_moment
                                           : g_get_monotonic_time() >= engine->due_us;
}

/* Looks at what does not come with every statement. A copy of a snapshot made here goes on by what it is to do. Returns
 * whether the run has stood here because it was to come here. */
static bool attend(MonEngine *engine, uint32_t rank)
{
    if (snapshot_is_due(engine))
        mon_copies_keep(engine);
    if (engine->mode != MON_SCAN)
        mon_found_progress(engine);
    bool arrived = engine->mode != MON_FORWARD && engine->moment == engine->until && !engine->beyond;
    if (arrived)
        mon_engine_stop(engine, MON_ARRIVED, rank, 0, "");
    else if (engine->seeks || engine->sought_ps)
        arrived = mon_found_look(engine, rank);
    while (!engine->ahead && mon_wire_waiting(engine->socket))
        take_interrupt(engine, rank);
    engine->attention = engine->moment + LOOK_MOMENTS;
    if (engine->options->snapshot_every && engine->keeps)
        engine->attention = MIN(engine->attention, MAX(engine->due_moment, engine->moment + 1));
    if (engine->mode != MON_FORWARD && engine->until > engine->moment)
        engine->attention = MIN(engine->attention, engine->until);
    if (engine->seeks || engine->sought_ps)
        engine->attention = engine->moment + 1;
    return arrived;
}

/* -- stops ------------------------------------------------------------------------------------- */

static void note_hit(MonEngine *engine, uint32_t rank, uint32_t pc, unsigned breakpoint)
{
    enum { MOST = 1 << 16 }; /* older ones are forgotten */
    MonHit hit = {engine->moment, breakpoint, rank, engine->counts[rank], engine->between ? pc : VCODE_NONE};
    if (engine->hits->len == MOST)
        g_array_remove_range(engine->hits, 0, MOST / 2);
    g_array_append_val(engine->hits, hit);
}

/* Another rank than the one that steps has come to a breakpoint. */
static void tell_passed(MonEngine *engine, uint32_t rank, VmRank *vm, const MonStopPoint *point, const char *why)
{
    g_autoptr(GString) text = g_string_new(NULL);
    g_autofree char *where = NULL;
    g_string_append_printf(text, "%s %u, rank %u: ", point->flags & MON_FLAG_WATCH ? "watchpoint" : "breakpoint",
                           point->number, rank);
    if (why)
        g_string_append_printf(text, "%s, ", why);
    mon_debug_append_place(vm, text);
    where = base_units_format_time(vm_clock_now(vm_rank_clock(vm)));
    g_string_append_printf(text, " at %s", where);
    g_autofree char *valid = mon_wire_text(text->str);
    mon_engine_send(engine, MON_WIRE_PASSED, g_variant_new("(s)", valid), -1);
}

static bool belongs_to_step(const MonEngine *engine, uint32_t rank)
{
    return engine->step.kind == MON_STEP_NONE || engine->step.rank == rank;
}

/* Breakpoint 0 is where a run to a moment ends, between two statements. */
static bool reaches(MonEngine *engine, uint32_t rank, const MonStopPoint *point)
{
    bool there = point->number == 0 && engine->beyond && engine->moment == engine->until;
    if (there)
        mon_engine_stop(engine, MON_ARRIVED, rank, 0, "");
    return there;
}

/* Returns whether the run has stood here. */
static bool come_to(MonEngine *engine, uint32_t rank, VmRank *vm, const MonStopPoint *point, const char *text)
{
    bool watch = point->flags & MON_FLAG_WATCH, log = point->flags & MON_FLAG_LOG; /* GO brings other points */
    if (engine->mode == MON_REACH)
        return reaches(engine, rank, point);
    if (engine->mode == MON_SCAN)
        note_hit(engine, rank, vm_rank_pc(vm, 0), point->number);
    else if (log || (!watch && !belongs_to_step(engine, rank)))
        tell_passed(engine, rank, vm, point, text);
    else
        mon_engine_stop(engine, watch ? MON_WATCHPOINT : MON_BREAKPOINT, rank, point->number, text ? text : "");
    return engine->mode != MON_SCAN && !log && (watch || belongs_to_step(engine, rank));
}

static bool examine_written(MonEngine *engine, uint32_t rank, VmRank *vm)
{
    g_autofree char *text = NULL;
    const MonStopPoint *point = mon_points_written(engine, &text);
    return point && come_to(engine, rank, vm, point, text);
}

/* A scan for steps notes where one of the rank could begin; others end where the step ends. */
static void examine_step(MonEngine *engine, uint32_t rank, VmRank *vm, uint32_t pc, uint8_t mark)
{
    uint64_t over = 0;
    if (engine->mode == MON_SCAN) {
        if (!(mark & MON_MARK_LIBRARY) && mon_steps_could_begin(engine, vm, pc))
            note_hit(engine, rank, pc, 0);
        return;
    }
    if ((mark & MON_MARK_LIBRARY && engine->step.kind != MON_STEP_PC) || !mon_steps_end(engine, vm, pc, &over))
        return;
    g_autofree char *text = over ? g_strdup_printf("%" G_GUINT64_FORMAT, over) : NULL;
    mon_engine_stop(engine, MON_STEP, rank, 0, text ? text : "");
}

/* Whether the rank stops here for some reason: the first of them is told. */
static void examine(MonEngine *engine, uint32_t rank, VmRank *vm, uint32_t pc)
{
    uint8_t mark = engine->marked[rank][pc];
    if (engine->written.point != MON_NO_RANK && examine_written(engine, rank, vm))
        return;
    const MonStopPoint *point = mark & MON_MARK_STOP ? mon_points_at(engine, rank, vm, pc) : NULL;
    if (point && come_to(engine, rank, vm, point, NULL))
        return;
    if (engine->step.kind && engine->step.rank == rank)
        examine_step(engine, rank, vm, pc, mark);
    else if (engine->time_ps && vm_clock_now(vm_rank_clock(vm)) >= engine->time_ps)
        mon_engine_stop(engine, MON_ARRIVED, rank, 0, "");
}

bool mon_engine_hook(VmRank *vm, uint32_t pc, void *user)
{
    MonEngine *engine = user;
    uint32_t rank = vm_rank_index(vm);
    if (G_UNLIKELY(!engine->marked[rank])) /* a rank that has come, or has begun, since */
        mon_hook_meet(engine, rank);
    if (G_UNLIKELY(engine->ahead))
        return mon_ahead_hook(engine, rank, vm, pc);
    uint8_t mark = engine->marked[rank][pc];
    bool stood = false;
    engine->between = engine->fine && !(mark & MON_MARK_STATEMENT);
    if (!engine->between) {
        engine->moment++;
        engine->counts[rank]++;
        engine->latest_ps = MAX(engine->latest_ps, vm_clock_now(vm_rank_clock(vm)));
        if (G_UNLIKELY(engine->moment >= engine->change_at))
            mon_changes_make(engine, rank);
        if (G_UNLIKELY(engine->moment >= engine->attention))
            stood = attend(engine, rank);
        mark = engine->marked[rank][pc];
    }
    if (G_UNLIKELY(mark & MON_MARK_STOP || engine->time_ps || engine->written.point != MON_NO_RANK ||
                   (engine->step.kind && engine->step.rank == rank)) &&
        !stood && !engine->ahead)
        examine(engine, rank, vm, pc);
    if (!engine->between && !(mark & MON_MARK_LIBRARY)) {
        mon_steps_note(engine, rank, vm, pc);
        engine->began[rank] = engine->moment;
    }
    return engine->ahead; /* this is a copy now that will run ahead */
}
