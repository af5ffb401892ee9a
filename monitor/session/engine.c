/* engine.c - the engine's process: makes the machine, does what the session asks, tells stops. */
#include "monitor/session/engine.h"
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
    g_variant_builder_init(&counts, G_VARIANT_TYPE("a(utt)"));
    for (guint i = 0; engine->points && i < engine->points->len; i++) {
        const MonStopPoint *point = g_ptr_array_index(engine->points, i);
        g_variant_builder_add(&counts, "(utt)", point->number, point->hits, point->ignore);
    }
    return g_variant_builder_end(&counts);
}

static void tell_stop(MonEngine *engine, MonReason reason, uint32_t rank, unsigned breakpoint, const char *text)
{
    Machine *machine = engine->machine;
    bool at_rank = rank != MON_NO_RANK;
    uint32_t shown = at_rank ? rank : engine->ended ? mach_run_stopped_rank(machine) : 0;
    uint64_t now = at_rank ? vm_clock_now(vm_rank_clock(mach_run_rank(machine, rank))) : mach_run_now(machine);
    g_autofree char *valid = mon_wire_text(text);
    guint64 over = reason == MON_STEP ? g_ascii_strtoull(text, NULL, 10) : 0;
    mon_engine_send(engine, MON_WIRE_STOPPED,
                    g_variant_new("(uuutbttttts@(uit)@a(tuutu)u@a(utt))", reason, shown, breakpoint, engine->moment,
                                  engine->between, now, engine->latest_ps, engine->counts[shown], over, engine->printed,
                                  reason == MON_STEP ? "" : valid,
                                  g_variant_new("(uit)", engine->end, engine->ended ? mach_run_exit_status(machine) : 0,
                                                engine->ended ? mach_run_makespan(machine) : 0),
                                  hits_of(engine), mach_run_ranks(machine), counts_of(engine)),
                    -1);
}

void mon_engine_stop(MonEngine *engine, MonReason reason, uint32_t rank, unsigned breakpoint, const char *text)
{
    engine->standing = rank != MON_NO_RANK;
    engine->stood_at = engine->standing ? rank : 0;
    if (engine->standing)
        mach_run_stand(engine->machine, rank);
    tell_stop(engine, reason, rank, breakpoint, text);
    if (engine->mode == MON_SCAN)
        mon_engine_leave();
    mon_engine_serve(engine);
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

static void find_place(MonEngine *engine, const char *where)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GString) out = g_string_new(NULL);
    const VcodeModule *done = NULL;
    for (uint32_t rank = 0; out->len == 0 && rank < mach_run_ranks(engine->machine); rank++) {
        const VcodeModule *module = vm_image_module(vm_rank_image(mach_run_rank(engine->machine, rank)));
        g_autoptr(GArray) places = g_array_new(FALSE, FALSE, sizeof(uint32_t));
        if (module == done)
            continue;
        done = module;
        mon_places_find(engine->machine, module, where, places);
        if (places->len > 0)
            mon_places_describe(module, where, places, out);
    }
    if (out->len == 0)
        mon_places_refuse(engine->machine, where, &error);
    if (error)
        mon_engine_fail(engine, error);
    else
        mon_engine_send(engine, MON_WIRE_FOUND, g_variant_new("(stt)", out->str, (guint64)0, (guint64)0), -1);
}

static void find(MonEngine *engine, GVariant *value)
{
    const char *text;
    gboolean expression;
    uint32_t rank, frame;
    uint64_t address = 0, bytes = 0;
    g_autoptr(GError) error = NULL;
    g_variant_get(value, "(&sbuu)", &text, &expression, &rank, &frame);
    if (!expression) {
        find_place(engine, text);
    } else if (mon_points_memory(engine, rank, frame, text, &address, &bytes, &error)) {
        g_autofree char *described =
            g_strdup_printf("%s of rank %u, %" G_GUINT64_FORMAT " byte%s at 0x%" G_GINT64_MODIFIER "x", text, rank,
                            bytes, bytes == 1 ? "" : "s", address);
        mon_engine_send(engine, MON_WIRE_FOUND, g_variant_new("(stt)", described, address, bytes), -1);
    } else {
        mon_engine_fail(engine, error);
    }
}

static void tell_step(MonEngine *engine, GVariant *value)
{
    uint32_t rank, kind;
    MonStep step;
    g_variant_get(value, "(uu)", &rank, &kind);
    if (rank < mach_run_ranks(engine->machine) && mon_steps_from(engine, rank, kind, &step)) {
        mon_engine_send(engine, MON_WIRE_FROM, mon_steps_pack(&step), -1);
        return;
    }
    g_autoptr(GError) error = g_error_new(MON_ERROR, MON_ERROR_PLACE, "rank %u has ended", rank);
    mon_engine_fail(engine, error);
}

static void save(MonEngine *engine)
{
    GVariant *made_of = engine->options->made_of ? engine->options->made_of(engine->options->user) : NULL;
    if (!made_of) {
        g_autoptr(GError) error = g_error_new_literal(MON_ERROR, MON_ERROR_PLACE, "this program cannot be kept");
        mon_engine_fail(engine, error);
        return;
    }
    VmRank *vm = mach_run_rank(engine->machine, engine->stood_at);
    uint32_t pc = engine->standing && vm_rank_depth(vm) ? vm_rank_pc(vm, 0) : VCODE_NONE;
    mon_engine_send(engine, MON_WIRE_SAVED, g_variant_new("(vu)", made_of, pc), -1);
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

static void take_order(MonEngine *engine, GVariant *value)
{
    uint32_t mode;
    gboolean keeps, beyond;
    g_autoptr(GVariant) step = NULL, points = NULL, seen = NULL;
    g_variant_get(value, "(utbttb@" MON_STEP_TYPE "@a" MON_POINT_TYPE "@a(uut))", &mode, &engine->until, &beyond,
                  &engine->time_ps, &engine->told, &keeps, &step, &points, &seen);
    engine->mode = (MonMode)mode;
    engine->keeps = keeps;
    engine->beyond = beyond;
    engine->attention = engine->moment + 1;
    engine->due_us = MAX(engine->due_us, g_get_monotonic_time());
    g_array_set_size(engine->hits, 0);
    mon_steps_unpack(step, &engine->step);
    prepare_steps(engine);
    mon_points_take(engine, points, seen);
}

/* Lets a copy run ahead. Returns true in the copy. */
static bool run_ahead(MonEngine *engine, MonWireKind kind, GVariant *value)
{
    uint32_t breakpoint;
    if (mon_copies_fork(engine) != 0)
        return false;
    if (kind == MON_WIRE_VIEW) {
        mon_ahead_view(engine, value);
        return true;
    }
    g_variant_get(value, "(u)", &breakpoint);
    mon_ahead_probe(engine, breakpoint);
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
        case MON_WIRE_STEP_FROM: tell_step(engine, value); break;
        case MON_WIRE_CHANGES: mon_changes_take(engine, value); break;
        case MON_WIRE_SAVE: save(engine); break;
        case MON_WIRE_SEEK: mon_found_seek(engine, value); break;
        case MON_WIRE_FOUND_WHAT: mon_found_tell(engine); break;
        case MON_WIRE_AHEAD:
        case MON_WIRE_VIEW:
            if (run_ahead(engine, kind, value))
                return;
            break;
        case MON_WIRE_KEEP:
            if (mon_copies_keep(engine))
                return;
            break;
        case MON_WIRE_GO: take_order(engine, value); return;
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
    engine->began = g_new0(uint64_t, room);
    engine->pcs = g_new(uint32_t, room);
    memset(engine->pcs, 0xff, room * sizeof *engine->pcs);
    engine->marked = g_new0(uint8_t *, room);
    engine->hits = g_array_new(FALSE, FALSE, sizeof(MonHit));
    mon_changes_begin(engine);
    engine->written.point = MON_NO_RANK;
    mach_run_set_hook(engine->machine, mon_engine_hook, engine);
    mach_run_count_locks(engine->machine);
    mon_engine_send(engine, MON_WIRE_STARTED, g_variant_new("(u)", mach_run_ranks(engine->machine)), -1);
    return true;
}

static void tell_end(MonEngine *engine)
{
    g_autoptr(GString) text = g_string_new(NULL);
    mach_explain(engine->machine, text);
    if (engine->mode == MON_SCAN)
        g_string_truncate(text, 0);
    mon_engine_stop(engine, MON_ENDED, MON_NO_RANK, 0, text->str);
}

static void run(MonEngine *engine)
{
    while (engine->mode == MON_REACH && engine->until == 0) {
        tell_stop(engine, MON_BEGINNING, MON_NO_RANK, 0, "");
        mon_engine_serve(engine);
    }
    engine->end = mach_run(engine->machine);
    if (engine->ahead)
        mon_ahead_run(engine);
    engine->ended = true;
    engine->moment++; /* what comes last is a moment of its own */
    for (;;)
        tell_end(engine);
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
