/* engine.c - the engine's process: makes the machine, does what the session asks, tells stops. */
#include "monitor/session/engine.h"
#include "monitor/expression/expression.h"
#include "monitor/report/report.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

void mon_engine_leave(void)
{
    _exit(0);
}

void mon_engine_send(const MonEngine *engine, MonWireKind kind, GVariant *value, int descriptor)
{
    if (!mon_wire_send(engine->socket, kind, value, descriptor))
        mon_engine_leave();
}

void mon_engine_fail(const MonEngine *engine, const GError *error)
{
    g_autofree char *valid = mon_wire_text(error->message);
    mon_engine_send(engine, MON_WIRE_FAILED,
                    g_variant_new("(sis)", g_quark_to_string(error->domain), error->code, valid), -1);
}

/* -- output and input of the ranks ------------------------------------------------------------- */

static GVariant *bytes_of(const char *bytes, size_t size)
{
    return g_variant_new_fixed_array(G_VARIANT_TYPE_BYTE, bytes, size, 1);
}

/* What has been handed out before is not handed out again. */
static void print(MonEngine *engine, uint32_t rank, int stream, const char *bytes, size_t size)
{
    uint64_t from = engine->printed;
    engine->printed += size;
    if (engine->printed <= engine->told || engine->mode == MON_SCAN)
        return;
    size_t again = (size_t)(engine->told > from ? engine->told - from : 0);
    engine->told = engine->printed;
    mon_engine_send(engine, MON_WIRE_OUTPUT,
                    g_variant_new("(ui@ay)", rank, stream, bytes_of(bytes + again, size - again)), -1);
}

static void print_bytes(void *user, int stream, const char *bytes, size_t size)
{
    print(user, MON_NO_RANK, stream, bytes, size);
}

static void print_line(void *user, uint32_t rank, int stream, const char *bytes, size_t size)
{
    print(user, rank, stream, bytes, size);
}

static void print_note(void *user, const char *text)
{
    MonEngine *engine = user;
    uint64_t from = engine->printed; /* remarks are in the order of the output */
    engine->printed += 1;
    if (engine->printed <= engine->told || engine->mode == MON_SCAN || from < engine->told)
        return;
    engine->told = engine->printed;
    g_autofree char *valid = mon_wire_text(text);
    mon_engine_send(engine, MON_WIRE_NOTE, g_variant_new("(s)", valid), -1);
}

/* Copies share the descriptor, so its position means nothing. */
static size_t read_input(void *user, char *bytes, size_t size)
{
    MonEngine *engine = user;
    if (engine->options->input < 0)
        return 0;
    ssize_t n = pread(engine->options->input, bytes, size, (off_t)engine->input_at);
    engine->input_at += (uint64_t)MAX(n, 0);
    return (size_t)MAX(n, 0);
}

void mon_engine_prepare(MonEngine *engine, MachOptions *options)
{
    options->forks = true;
    options->tier = MACH_TIER_INTERP;
    options->jobs = 1;
    options->user = engine;
    options->input = read_input;
    options->note = print_note;
    if (engine->options->by_rank)
        options->line = print_line;
    else
        options->output = print_bytes;
}

/* -- stops ------------------------------------------------------------------------------------- */

static GVariant *hits_of(const MonEngine *engine)
{
    GVariantBuilder hits;
    g_variant_builder_init(&hits, G_VARIANT_TYPE("a(tuutu)"));
    for (guint i = 0; i < engine->hits->len; i++) {
        const MonHit *hit = &g_array_index(engine->hits, MonHit, i);
        g_variant_builder_add(&hits, "(tuutu)", hit->moment, hit->breakpoint, hit->rank, hit->count, hit->pc);
    }
    return g_variant_builder_end(&hits);
}

static GVariant *counts_of(const MonEngine *engine)
{
    GVariantBuilder counts;
    g_variant_builder_init(&counts, G_VARIANT_TYPE("a(uttb)"));
    for (guint i = 0; engine->points && i < engine->points->len; i++) {
        const MonStopPoint *point = g_ptr_array_index(engine->points, i);
        g_variant_builder_add(&counts, "(uttb)", point->number, point->hits, point->ignore, point->gone);
    }
    return g_variant_builder_end(&counts);
}

/* The rank to look at: mostly the one at which the run stands. */
static uint32_t shown_rank(const MonEngine *engine, uint32_t rank)
{
    if (engine->shown != MON_NO_RANK)
        return engine->shown;
    return rank != MON_NO_RANK ? rank : engine->ended ? mach_run_stopped_rank(engine->machine) : 0;
}

static uint64_t time_of(const MonEngine *engine, uint32_t rank)
{
    VmRank *vm = rank != MON_NO_RANK ? mach_run_rank(engine->machine, rank) : NULL;
    return vm && vm_rank_image(vm) && vm_rank_depth(vm) > 0 ? vm_clock_now(vm_rank_clock(vm))
                                                            : mach_run_now(engine->machine);
}

static void tell_stop(MonEngine *engine, MonReason reason, uint32_t rank, unsigned breakpoint, const char *text)
{
    Machine *machine = engine->machine;
    uint32_t shown = shown_rank(engine, rank);
    uint64_t now = time_of(engine, rank != MON_NO_RANK ? shown : rank);
    g_autofree char *valid = mon_wire_text(text);
    guint64 over = reason == MON_STEP ? g_ascii_strtoull(text, NULL, 10) : 0;
    mon_engine_send(engine, MON_WIRE_STOPPED,
                    g_variant_new("(uuutbttttts@(uit)@a(tuutu)u@a(uttb)@au)", reason, shown, breakpoint, engine->moment,
                                  engine->between, now, engine->latest_ps, engine->counts[shown], over, engine->printed,
                                  reason == MON_STEP ? "" : valid,
                                  g_variant_new("(uit)", engine->end, engine->ended ? mach_run_exit_status(machine) : 0,
                                                engine->ended ? mach_run_makespan(machine) : 0),
                                  hits_of(engine), mach_run_ranks(machine), counts_of(engine),
                                  g_variant_new_fixed_array(G_VARIANT_TYPE_UINT32, engine->also->data,
                                                            engine->also->len, sizeof(unsigned))),
                    -1);
}

void mon_engine_stop(MonEngine *engine, MonReason reason, uint32_t rank, unsigned breakpoint, const char *text)
{
    engine->standing = rank != MON_NO_RANK;
    if (engine->standing)
        mach_run_stand(engine->machine, rank);
    tell_stop(engine, reason, rank, breakpoint, text);
    if (engine->mode == MON_SCAN)
        mon_engine_leave();
    mon_engine_serve(engine);
    engine->shown = MON_NO_RANK;
    while (!engine->ahead && engine->mode != MON_FORWARD && engine->until == engine->moment &&
           !engine->beyond) { /* it is there already */
        tell_stop(engine, MON_ARRIVED, rank, 0, "");
        mon_engine_serve(engine);
    }
    if (engine->standing)
        mach_run_leave(engine->machine);
    engine->standing = false;
}

/* -- requests ---------------------------------------------------------------------------------- */

static void answer(MonEngine *engine, GVariant *value)
{
    uint32_t query;
    MonPlace place;
    const char *argument;
    g_autoptr(GError) error = NULL;
    g_autoptr(GString) out = g_string_new(NULL);
    g_variant_get(value, "(uuut&s)", &query, &place.rank, &place.frame, &place.thread, &argument);
    if (!mon_queries_answer(engine, (MonQuery)query, &place, argument, out, &error)) {
        mon_engine_fail(engine, error);
        return;
    }
    g_autofree char *valid = mon_wire_text(out->str);
    mon_engine_send(engine, MON_WIRE_ANSWER, g_variant_new("(s)", valid), -1);
}

/* A condition that can be read at one of the places is good enough: elsewhere it says why it has no value. */
static bool check_at(const VcodeModule *module, const GArray *places, const char *condition, GError **error)
{
    g_autoptr(GError) first = NULL;
    for (guint i = 0; *condition && i < places->len; i++)
        if (mon_expression_check(module, g_array_index(places, uint32_t, i), condition, first ? NULL : &first))
            return true;
    if (first)
        g_propagate_error(error, g_steal_pointer(&first));
    return *condition == '\0';
}

typedef struct Sought { /* what FIND says */
    uint32_t kind, flags, rank, frame;
    const char *text, *condition;
    GArray *ranks;
} Sought;

static void find_place(MonEngine *engine, const Sought *sought, GString *out, GError **error)
{
    const VcodeModule *done = NULL;
    for (uint32_t rank = 0; out->len == 0 && !*error && rank < mach_run_ranks(engine->machine); rank++) {
        const VcodeModule *module = vm_image_module(vm_rank_image(mach_run_rank(engine->machine, rank)));
        g_autoptr(GArray) places = g_array_new(FALSE, FALSE, sizeof(uint32_t));
        if (module == done)
            continue;
        done = module;
        mon_places_find(engine->machine, module, sought->text, places);
        if (places->len > 0 && check_at(module, places, sought->condition, error))
            mon_places_describe(module, sought->text, places, out);
    }
    if (out->len == 0 && !*error)
        mon_places_refuse(engine->machine, sought->text, error);
}

/* Conditions of what is no place are read where the user stands. */
static bool check_here(MonEngine *engine, const Sought *sought, GError **error)
{
    VmRank *vm = mach_run_rank(engine->machine, sought->rank);
    bool there = vm_rank_image(vm) && vm_rank_depth(vm) > 0;
    MonSpot spot = {engine->machine, sought->rank, sought->frame};
    if (!*sought->condition)
        return true;
    if (there && !(sought->flags & MON_FLAG_WATCH))
        spot.frame = MAX(spot.frame, mon_frame_program_level(vm));
    g_autoptr(MonExpression) expression = mon_expression_new(&spot, sought->condition, error);
    if (expression && mon_expression_changes(expression))
        g_set_error(error, MON_ERROR, MON_ERROR_EXPRESSION, "'%s' would change the program: == compares",
                    sought->condition);
    return expression && !mon_expression_changes(expression);
}

static GPtrArray *find_watched(MonEngine *engine, const Sought *sought, GString *out, GError **error)
{
    GPtrArray *spots = mon_watches_find(engine, sought->rank, sought->frame, sought->text, sought->ranks, error);
    if (spots && check_here(engine, sought, error))
        mon_watches_describe(spots, sought->text, sought->flags, out);
    return spots;
}

static void find_event(MonEngine *engine, const Sought *sought, GString *out, GError **error)
{
    MonFilter *filter = mon_filter_new(engine, (MonPointKind)sought->kind, sought->text, error);
    if (filter && check_here(engine, sought, error))
        g_string_append_printf(out, "%s%s%s", mon_point_kind((MonPointKind)sought->kind)->word,
                               *sought->text ? " " : "", sought->text);
    mon_filter_free(filter);
}

static void find(MonEngine *engine, GVariant *value)
{
    Sought sought;
    g_autoptr(GVariant) ranks = NULL;
    g_autoptr(GError) error = NULL;
    g_autoptr(GString) out = g_string_new(NULL);
    g_autoptr(GPtrArray) spots = NULL;
    g_variant_get(value, "(uu&s@au&suu)", &sought.kind, &sought.flags, &sought.text, &ranks, &sought.condition,
                  &sought.rank, &sought.frame);
    sought.ranks = mon_points_ranks(ranks);
    if (sought.flags & MON_FLAG_WATCH)
        spots = find_watched(engine, &sought, out, &error);
    else if (sought.kind == MON_POINT_PLACE)
        find_place(engine, &sought, out, &error);
    else
        find_event(engine, &sought, out, &error);
    g_clear_pointer(&sought.ranks, g_array_unref);
    if (error) {
        mon_engine_fail(engine, error);
        return;
    }
    g_autofree char *valid = mon_wire_text(out->str);
    mon_engine_send(engine, MON_WIRE_FOUND, g_variant_new("(s@a" MON_SPOT_TYPE ")", valid, mon_watches_pack(spots)),
                    -1);
}

static void tell_steps(MonEngine *engine, GVariant *value)
{
    uint32_t kind, rank = 0;
    g_autoptr(GVariantIter) ranks = NULL;
    GVariantBuilder steps;
    MonStep step;
    bool any = false;
    g_variant_get(value, "(auu)", &ranks, &kind);
    g_variant_builder_init(&steps, G_VARIANT_TYPE("a" MON_STEP_TYPE));
    while (g_variant_iter_next(ranks, "u", &rank))
        if (rank < mach_run_ranks(engine->machine) && mon_steps_from(engine, rank, kind, &step)) {
            g_variant_builder_add_value(&steps, mon_steps_pack(&step));
            any = true;
        }
    g_autoptr(GVariant) all = g_variant_ref_sink(g_variant_builder_end(&steps));
    if (any) {
        mon_engine_send(engine, MON_WIRE_FROM, all, -1);
        return;
    }
    g_autoptr(GError) error = g_error_new(MON_ERROR, MON_ERROR_PLACE, "rank %u has ended", rank);
    mon_engine_fail(engine, error);
}

static void take_steps(MonEngine *engine, GVariant *value)
{
    GVariantIter iter;
    GVariant *packed;
    MonStep step;
    engine->step = (MonStep){0};
    g_clear_pointer(&engine->steps, g_free);
    g_variant_iter_init(&iter, value);
    for (; (packed = g_variant_iter_next_value(&iter)); g_variant_unref(packed)) {
        mon_steps_unpack(packed, &step);
        if (!engine->steps) {
            engine->steps = g_new0(MonStep, mach_run_room(engine->machine));
            engine->step = step;
        }
        engine->steps[step.rank] = step;
    }
}

static void prepare_steps(MonEngine *engine)
{
    g_clear_pointer(&engine->all_bits, g_free);
    if (engine->step.kind != MON_STEP_PC)
        return;
    const VmImage *image = vm_rank_image(mach_run_rank(engine->machine, engine->step.rank));
    size_t bytes = (vm_image_module(image)->code.count / 64 + 1) * sizeof(uint64_t);
    engine->all_bits = memset(g_malloc(bytes), 0xff, bytes);
}

void mon_engine_take_order(MonEngine *engine, GVariant *value)
{
    uint32_t mode, goal;
    gboolean keeps, beyond;
    g_autoptr(GVariant) steps = NULL, points = NULL, seen = NULL;
    g_variant_get(value, "(utbttbu@a" MON_STEP_TYPE "@a" MON_POINT_TYPE "@a(uut))", &mode, &engine->until, &beyond,
                  &engine->time_ps, &engine->told, &keeps, &goal, &steps, &points, &seen);
    engine->mode = (MonMode)mode;
    engine->keeps = keeps;
    engine->beyond = beyond;
    engine->goal = goal;
    g_clear_pointer(&engine->goal_text, g_free);
    engine->attention = engine->moment + 1;
    engine->due_us = MAX(engine->due_us, g_get_monotonic_time());
    g_array_set_size(engine->hits, 0);
    g_array_set_size(engine->also, 0);
    take_steps(engine, steps);
    prepare_steps(engine);
    mon_points_take(engine, points, seen);
}

/* Lets a copy run ahead. Returns true in the copy. */
static bool run_ahead(MonEngine *engine, MonWireKind kind, GVariant *value)
{
    if (engine->ended) {
        g_autoptr(GError) error = g_error_new_literal(MON_ERROR, MON_ERROR_PLACE, "the program has ended");
        mon_engine_fail(engine, error);
        return false;
    }
    if (mon_copies_fork(engine) != 0)
        return false;
    (kind == MON_WIRE_VIEW ? mon_ahead_view : mon_ahead_probe)(engine, value);
    return true;
}

void mon_engine_serve(MonEngine *engine)
{
    for (;;) {
        g_autoptr(GVariant) value = NULL;
        MonWireKind kind;
        int descriptor;
        if (!mon_wire_receive(engine->socket, &kind, &value, &descriptor))
            mon_engine_leave();
        switch (kind) {
        case MON_WIRE_ASK: answer(engine, value); break;
        case MON_WIRE_FIND: find(engine, value); break;
        case MON_WIRE_STEP_FROM: tell_steps(engine, value); break;
        case MON_WIRE_CHANGES: mon_changes_take(engine, value); break;
        case MON_WIRE_AHEAD:
        case MON_WIRE_VIEW:
            if (run_ahead(engine, kind, value))
                return;
            break;
        case MON_WIRE_KEEP:
            if (mon_copies_keep(engine))
                return;
            break;
        case MON_WIRE_GO: mon_engine_take_order(engine, value); return;
        default: break; /* an interrupt that came when the run stood already */
        }
    }
}

/* -- the run ----------------------------------------------------------------------------------- */

static bool make(MonEngine *engine)
{
    g_autoptr(GError) error = NULL;
    engine->machine = engine->options->make(engine->options->user, engine, &error);
    if (!engine->machine) {
        if (!error) /* compilers tell by themselves what is wrong */
            error = g_error_new_literal(MON_ERROR, MON_ERROR_PLACE, "");
        mon_engine_fail(engine, error);
        return false;
    }
    uint32_t room = mach_run_room(engine->machine);
    engine->debugger = mon_debugger_new(engine->machine);
    engine->tracker = mon_look_track(engine->machine);
    engine->counts = g_new0(uint64_t, room);
    engine->depths = g_new0(uint64_t, room);
    engine->begun = g_new0(uint64_t, room);
    engine->clocks = g_new0(uint64_t, room);
    engine->pcs = g_new(uint32_t, room);
    memset(engine->pcs, 0xff, room * sizeof *engine->pcs);
    engine->marked = g_new0(uint8_t *, room);
    engine->hits = g_array_new(FALSE, FALSE, sizeof(MonHit));
    mon_changes_begin(engine);
    mon_events_begin(engine);
    mach_run_set_hook(engine->machine, mon_engine_hook, engine);
    mach_run_count_locks(engine->machine);
    mon_engine_send(engine, MON_WIRE_STARTED, g_variant_new("(u)", mach_run_ranks(engine->machine)), -1);
    return true;
}

static void tell_end(MonEngine *engine, const MonStopPoint *point)
{
    g_autoptr(GString) text = g_string_new(NULL);
    mach_explain(engine->machine, text);
    if (engine->mode == MON_SCAN)
        g_string_truncate(text, 0);
    mon_engine_stop(engine, MON_ENDED, MON_NO_RANK, point ? point->number : 0, text->str);
}

static void run(MonEngine *engine)
{
    while (!engine->ahead && engine->mode == MON_REACH && engine->until == 0) {
        tell_stop(engine, MON_BEGINNING, MON_NO_RANK, 0, "");
        mon_engine_serve(engine);
    }
    engine->end = mach_run(engine->machine);
    if (engine->ahead)
        mon_ahead_run(engine);
    engine->ended = true;
    engine->moment++; /* what comes last is a moment of its own */
    uint32_t rank;
    g_autofree char *text = NULL;
    const MonStopPoint *point = mon_events_end(engine, &rank, &text);
    if (point)
        engine->shown = rank;
    for (;; point = NULL)
        tell_end(engine, point);
}

void mon_engine_begin(int socket, const MonSessionOptions *options)
{
    MonEngine *engine = g_new0(MonEngine, 1);
    engine->socket = socket;
    engine->options = options;
    signal(SIGINT, SIG_IGN); /* for the session */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGCHLD, SIG_DFL);
    if (make(engine)) {
        mon_engine_serve(engine); /* breakpoints are set, and GO */
        run(engine);
    }
    mon_engine_leave();
}
