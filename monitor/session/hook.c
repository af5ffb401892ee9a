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
    bool steps = engine->step.kind == MON_STEP_PC && mon_steps_of(engine, rank);
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
    if (!engine->keeps || engine->mode != MON_FORWARD)
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
    bool arrived = engine->mode != MON_FORWARD && engine->moment == engine->until && !engine->beyond;
    if (arrived)
        mon_engine_stop(engine, MON_ARRIVED, rank, 0, engine->goal_text ? engine->goal_text : "");
    while (!engine->ahead && mon_wire_waiting(engine->socket))
        take_interrupt(engine, rank);
    engine->attention = engine->moment + LOOK_MOMENTS;
    if (engine->options->snapshot_every && engine->keeps)
        engine->attention = MIN(engine->attention, MAX(engine->due_moment, engine->moment + 1));
    if (engine->mode != MON_FORWARD && engine->until > engine->moment)
        engine->attention = MIN(engine->attention, engine->until);
    return arrived;
}

/* -- stops ------------------------------------------------------------------------------------- */

void mon_hook_note_hit(MonEngine *engine, uint32_t rank, uint32_t pc, unsigned breakpoint)
{
    enum { MOST = 1 << 16 }; /* older ones are forgotten */
    MonHit hit = {engine->moment, breakpoint, rank, engine->counts[rank], engine->between ? pc : VCODE_NONE};
    if (engine->hits->len == MOST)
        g_array_remove_range(engine->hits, 0, MOST / 2);
    g_array_append_val(engine->hits, hit);
}

void mon_hook_tell_passed(MonEngine *engine, uint32_t rank, const MonStopPoint *point, const char *why)
{
    g_autoptr(GString) text = g_string_new(NULL);
    g_autofree char *where = NULL;
    VmRank *vm = mach_run_rank(engine->machine, rank);
    if (*point->message) {
        mon_events_log(engine, point, rank, text);
    } else {
        g_string_append_printf(text, "%s %u, rank %u: ", point->flags & MON_FLAG_WATCH ? "watchpoint" : "breakpoint",
                               point->number, rank);
        if (why)
            g_string_append_printf(text, "%s, ", why);
        if (vm_rank_depth(vm) > 0) {
            mon_debug_append_place(vm, text);
            where = base_units_format_time(vm_clock_now(vm_rank_clock(vm)));
            g_string_append_printf(text, " at %s", where);
        } else {
            g_string_append(text, "it has ended");
        }
    }
    g_autofree char *valid = mon_wire_text(text->str);
    mon_engine_send(engine, MON_WIRE_PASSED, g_variant_new("(sb)", valid, *point->message != '\0'), -1);
}

bool mon_hook_belongs(const MonEngine *engine, uint32_t rank)
{
    return engine->step.kind == MON_STEP_NONE || mon_steps_of(engine, rank);
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
static bool come_to(MonEngine *engine, uint32_t rank, VmRank *vm, const MonStopPoint *point)
{
    bool stops = !(point->flags & MON_FLAG_LOG) && mon_hook_belongs(engine, rank); /* GO brings other points */
    if (engine->mode == MON_REACH)
        return reaches(engine, rank, point);
    if (engine->mode == MON_SCAN) {
        mon_hook_note_hit(engine, rank, vm_rank_pc(vm, 0), point->number);
        return false;
    }
    if (stops)
        mon_engine_stop(engine, MON_BREAKPOINT, rank, point->number, point->unread ? point->unread : "");
    else
        mon_hook_tell_passed(engine, rank, point, point->unread);
    return stops;
}

/* A scan for steps notes where one of the rank could begin; others end where the step ends. */
static void examine_step(MonEngine *engine, uint32_t rank, VmRank *vm, uint32_t pc, uint8_t mark)
{
    const MonStep *step = mon_steps_of(engine, rank);
    uint64_t over = 0;
    if (engine->mode == MON_SCAN) {
        if (!(mark & MON_MARK_LIBRARY) && mon_steps_could_begin(engine, vm, pc))
            mon_hook_note_hit(engine, rank, pc, 0);
        return;
    }
    bool anywhere = step->kind == MON_STEP_PC || step->kind == MON_STEP_COUNT;
    if ((mark & MON_MARK_LIBRARY && !anywhere) || !mon_steps_end(engine, step, vm, pc, &over))
        return;
    g_autofree char *text = over ? g_strdup_printf("%" G_GUINT64_FORMAT, over) : NULL;
    mon_engine_stop(engine, MON_STEP, rank, 0, text ? text : "");
}

/* Whether the rank stops here for some reason: the first of them is told. */
static void examine(MonEngine *engine, uint32_t rank, VmRank *vm, uint32_t pc)
{
    uint8_t mark = engine->marked[rank][pc];
    bool begins = engine->has_starts && engine->counts[rank] == 1;
    g_array_set_size(engine->also, 0);
    const MonStopPoint *point = mark & MON_MARK_STOP || begins ? mon_points_at(engine, rank, vm, pc) : NULL;
    if (point && come_to(engine, rank, vm, point))
        return;
    if (mon_steps_of(engine, rank))
        examine_step(engine, rank, vm, pc, mark);
    else if (engine->time_ps && vm_clock_now(vm_rank_clock(vm)) >= engine->time_ps)
        mon_engine_stop(engine, MON_ARRIVED, rank, 0, "");
}

/* Counts the statement, tells what has happened before it, and looks around from time to time. Returns whether the run
 * has stood here. */
static bool begin_statement(MonEngine *engine, uint32_t rank, VmRank *vm, uint32_t pc)
{
    bool stood = false;
    uint64_t now_ps = vm_clock_now(vm_rank_clock(vm));
    engine->moment++;
    engine->counts[rank]++;
    if (G_UNLIKELY(engine->pending->len > 0 || engine->touched || engine->framed || engine->has_times))
        stood = mon_events_tell(engine, rank, vm, pc);
    if (G_UNLIKELY(engine->ahead))
        return true;
    engine->begun[rank] = engine->moment;
    engine->clocks[rank] = now_ps;
    engine->latest_ps = MAX(engine->latest_ps, now_ps);
    if (G_UNLIKELY(engine->moment >= engine->change_at))
        mon_changes_make(engine, rank);
    if (G_UNLIKELY(engine->moment >= engine->attention))
        stood = attend(engine, rank) || stood;
    return stood;
}

bool mon_engine_hook(VmRank *vm, uint32_t pc, void *user)
{
    MonEngine *engine = user;
    uint32_t rank = vm_rank_index(vm);
    if (G_UNLIKELY(!engine->marked[rank])) /* a rank that has come, or has begun, since */
        mon_hook_meet(engine, rank);
    if (G_UNLIKELY(engine->ahead))
        return mon_ahead_hook(engine, rank, vm, pc);
    engine->between = engine->fine && !(engine->marked[rank][pc] & MON_MARK_STATEMENT);
    bool stood = !engine->between && begin_statement(engine, rank, vm, pc);
    uint8_t mark = engine->marked[rank][pc];
    if (G_UNLIKELY(mark & MON_MARK_STOP || engine->time_ps || engine->has_starts || mon_steps_of(engine, rank)) &&
        !stood && !engine->ahead)
        examine(engine, rank, vm, pc);
    if (!engine->between && !(mark & MON_MARK_LIBRARY))
        mon_steps_note(engine, rank, vm, pc);
    return engine->ahead; /* this is a copy now that will run ahead */
}
