/* trace.c - writes what ranks do to a file while they do it: `orrery run --trace`.
 *
 * The trace has the calls of MPI with their arguments and places in the source, the messages, and the pauses of ranks
 * (trace/events.def). It stands on callbacks that do not slow down what they do not ask for. Ranks are locations with
 * their own numbers. Threads, and ranks that come during the run, are numbered behind them as they appear.
 */
#include "trace/trace.h"

#include "monitor/export/export.h"

#include <string.h>

/* A place from which a program calls, and what it calls there, nearly always the same function. */
typedef struct Site {
    uint32_t number; /* 0: not known yet */
    uint32_t text;   /* number of the function's name */
    const char *name;
} Site;

typedef struct Program {
    const VcodeModule *module;
    Site *sites; /* by pc */
} Program;

typedef struct Recorder {
    Machine *machine;
    TraceWriter *writer;
    uint32_t ranks;     /* those of the beginning: their locations have their numbers */
    GHashTable *others; /* rank << 32 | thread -> 1 + location */
    uint32_t locations; /* next number */
    GArray *programs;   /* Program; the one that called last is the first */
    uint32_t sleep_text, core_text;
    uint64_t flushed; /* number of events at the last flush */
} Recorder;

/* So many events may be lost when the simulator is killed. */
enum { EVENTS_OF_A_FLUSH = 1 << 18 };

/* -- definitions ------------------------------------------------------------------------------- */

static void define_location(Recorder *recorder, uint32_t number, uint32_t rank, uint32_t thread)
{
    g_autofree char *node = g_strdup_printf("%u", mach_run_node_of(recorder->machine, rank));
    trace_writer_location(recorder->writer, number, &(TraceLocation){.rank = rank, .thread = thread, .node = node});
}

static G_GNUC_NO_INLINE uint32_t other_location(Recorder *recorder, uint32_t rank, uint32_t thread)
{
    gint64 key = (gint64)rank << 32 | thread;
    gpointer number = g_hash_table_lookup(recorder->others, &key);
    if (number)
        return GPOINTER_TO_UINT(number) - 1;
    uint32_t fresh = recorder->locations++;
    g_hash_table_insert(recorder->others, g_memdup2(&key, sizeof key), GUINT_TO_POINTER(fresh + 1));
    define_location(recorder, fresh, rank, thread);
    return fresh;
}

static inline uint32_t location_of(Recorder *recorder, uint32_t rank, uint32_t thread)
{
    return G_LIKELY(rank < recorder->ranks && !thread) ? rank : other_location(recorder, rank, thread);
}

static G_GNUC_NO_INLINE Site *sites_of_other(Recorder *recorder, const VcodeModule *module)
{
    Program *programs = (Program *)(void *)recorder->programs->data;
    for (guint i = 0; i < recorder->programs->len; i++) {
        if (programs[i].module != module)
            continue;
        Program found = programs[i];
        programs[i] = programs[0];
        programs[0] = found;
        return found.sites;
    }
    Program program = {module, g_new0(Site, module->code.count)};
    g_array_prepend_val(recorder->programs, program);
    return program.sites;
}

static inline Site *sites_of(Recorder *recorder, const VcodeModule *module)
{
    const Program *first = (const Program *)(const void *)recorder->programs->data;
    return G_LIKELY(recorder->programs->len && first->module == module) ? first->sites
                                                                        : sites_of_other(recorder, module);
}

/* Returns the name of the function whose source has the call; it may be inlined in another one. */
static const char *caller_of(const VcodeModule *module, uint32_t pc)
{
    uint32_t inlined = vcode_pc_inlined(module, pc), function = vcode_pc_function(module, pc);
    if (inlined != VCODE_NONE)
        return vcode_text(module, module->inlines.items[inlined].name);
    return function != VCODE_NONE ? vcode_text(module, module->functions.items[function].name) : "?";
}

static G_GNUC_NO_INLINE void define_site(Recorder *recorder, const VcodeModule *module, uint32_t pc, const char *name,
                                         Site *site)
{
    if (!site->number) {
        const VcodeLine *line = vcode_pc_line(module, pc);
        TraceSite place = {line ? vcode_source_name(module, line->file) : "?", caller_of(module, pc),
                           line ? line->line : 0};
        site->number = trace_writer_site(recorder->writer, &place);
    }
    site->name = name;
    site->text = trace_writer_text(recorder->writer, name);
}

/* Names of functions are constants: the same address is the same text. */
static inline Site site_of(Recorder *recorder, const VcodeModule *module, uint32_t pc, const char *name)
{
    if (pc >= module->code.count)
        return (Site){.text = trace_writer_text(recorder->writer, name)};
    Site *site = &sites_of(recorder, module)[pc];
    if (G_UNLIKELY(site->name != name))
        define_site(recorder, module, pc, name, site);
    return *site;
}

/* -- events ------------------------------------------------------------------------------------ */

static inline void add(Recorder *recorder, const TraceEvent *event)
{
    trace_writer_add(recorder->writer, event);
    if (G_UNLIKELY(trace_writer_events(recorder->writer) - recorder->flushed >= EVENTS_OF_A_FLUSH)) {
        trace_writer_flush(recorder->writer);
        recorder->flushed = trace_writer_events(recorder->writer);
    }
}

static void record_call(void *user, const MpiCallInfo *info, const VcodeModule *program)
{
    Recorder *recorder = user;
    Site site = site_of(recorder, program, info->pc, info->name);
    TraceEvent event = {.kind = TRACE_CALL,
                        .location = location_of(recorder, info->rank, info->thread),
                        .time_ps = info->to_ps,
                        .list = info->args};
    event.fields[TRACE_CALL_FROM] = info->from_ps;
    event.fields[TRACE_CALL_BLOCKED] = info->to_ps - info->from_ps - info->overhead_ps;
    event.fields[TRACE_CALL_FUNCTION] = site.text;
    event.fields[TRACE_CALL_SITE] = site.number;
    event.fields[TRACE_CALL_ARGUMENTS] = info->n;
    add(recorder, &event);
}

static void record_message(void *user, const MpiMessageInfo *message)
{
    Recorder *recorder = user;
    TraceEvent event = {
        .kind = TRACE_MESSAGE, .location = location_of(recorder, message->to, 0), .time_ps = message->delivered_ps};
    event.fields[TRACE_MESSAGE_SENDER] = location_of(recorder, message->from, 0);
    event.fields[TRACE_MESSAGE_SENT] = message->sent_ps;
    event.fields[TRACE_MESSAGE_ID] = message->id;
    event.fields[TRACE_MESSAGE_TAG] = (uint64_t)(int64_t)message->tag;
    event.fields[TRACE_MESSAGE_CONTEXT] = message->context;
    event.fields[TRACE_MESSAGE_BYTES] = message->bytes;
    add(recorder, &event);
}

static void record_pause(void *user, uint32_t rank, uint64_t from_ps, uint64_t to_ps, bool for_core)
{
    Recorder *recorder = user;
    TraceEvent event = {.kind = TRACE_PAUSE, .location = location_of(recorder, rank, 0), .time_ps = to_ps};
    event.fields[TRACE_PAUSE_FROM] = from_ps;
    event.fields[TRACE_PAUSE_WHY] = for_core ? recorder->core_text : recorder->sleep_text;
    add(recorder, &event);
}

static void record_end(void *user, uint32_t rank, uint64_t time_ps, int status)
{
    Recorder *recorder = user;
    TraceEvent event = {.kind = TRACE_ENDED, .location = location_of(recorder, rank, 0), .time_ps = time_ps};
    event.fields[TRACE_ENDED_STATUS] = (uint64_t)(int64_t)status;
    add(recorder, &event);
}

/* -- the export -------------------------------------------------------------------------------- */

static bool check_path(const char *path, GError **error)
{
    if (strcmp(path, "-") != 0)
        return true;
    g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_INVAL, "a trace needs a file, not standard output");
    return false;
}

static bool begin(Machine *machine, const char *path, void **own, GError **error)
{
    TraceWriter *writer = trace_writer_new(path, mach_run_ranks(machine), error);
    if (!writer)
        return false;
    Recorder *recorder = g_new0(Recorder, 1);
    g_autofree char *ranks = g_strdup_printf("%u", mach_run_ranks(machine));
    recorder->machine = machine;
    recorder->writer = writer;
    recorder->ranks = recorder->locations = mach_run_ranks(machine);
    recorder->others = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    recorder->programs = g_array_new(FALSE, FALSE, sizeof(Program));
    recorder->sleep_text = trace_writer_text(writer, "sleep");
    recorder->core_text = trace_writer_text(writer, "core");
    trace_writer_note(writer, "program", mach_run_world(machine, 0).command);
    trace_writer_note(writer, "machine", mach_run_config(machine)->name);
    trace_writer_note(writer, "ranks", ranks);
    for (uint32_t rank = 0; rank < recorder->ranks; rank++)
        define_location(recorder, rank, rank, 0);
    MachObserver observer = {.user = recorder,
                             .call = record_call,
                             .message = record_message,
                             .slept = record_pause,
                             .finished = record_end};
    mach_run_observe(machine, &observer);
    *own = recorder;
    return true;
}

static bool write_trace(const MonExportRun *run, const char *path, GError **error)
{
    Recorder *recorder = run->own;
    TraceWriter *writer = g_steal_pointer(&recorder->writer);
    MachRankReport totals;
    (void)path;
    mach_run_totals(run->machine, &totals);
    g_autofree char *makespan = g_strdup_printf("%" G_GUINT64_FORMAT, totals.finish_ps);
    g_autofree char *status = g_strdup_printf("%d", mach_run_exit_status(run->machine));
    trace_writer_note(writer, "makespan_ps", makespan);
    trace_writer_note(writer, "exit_status", status);
    return trace_writer_end(writer, error);
}

static void end(void *own)
{
    Recorder *recorder = own;
    if (recorder->writer)
        trace_writer_end(recorder->writer, NULL);
    for (guint i = 0; i < recorder->programs->len; i++)
        g_free(g_array_index(recorder->programs, Program, i).sites);
    g_array_unref(recorder->programs);
    g_hash_table_unref(recorder->others);
    g_free(recorder);
}

const MonExport mon_export_trace = {.check = check_path, .begin = begin, .write = write_trace, .end = end};
