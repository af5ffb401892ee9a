/* trace.c - writes what ranks do to a file while they do it: `orrery run --trace`.
 *
 * The trace has the calls of MPI with their arguments and places in the source, the messages, and the pauses of ranks
 * (trace/events.def). It stands on callbacks that do not slow down what they do not ask for. They only put numbers into
 * records (trace_records.h), of which a thread makes the trace. Ranks are locations with their own numbers. Threads,
 * and ranks that come during the run, are numbered behind them as they appear.
 */
#include "monitor/export/trace_recorder.h"

/* What a rank does between calls of MPI_Pcontrol. */
typedef struct Phase {
    uint64_t from_ps;
    const VcodeModule *program;
    uint32_t pc, text; /* of the call with which it began; its name, 0: it is none */
} Phase;

/* -- definitions ------------------------------------------------------------------------------- */

static const char *own_text(Recorder *recorder, const char *text)
{
    return g_string_chunk_insert_const(recorder->own, text);
}

uint32_t mon_trace_text(Recorder *recorder, const char *text)
{
    gpointer number = g_hash_table_lookup(recorder->texts, text);
    if (number)
        return GPOINTER_TO_UINT(number);
    uint32_t fresh = g_hash_table_size(recorder->texts) + 1;
    const char *own = own_text(recorder, text);
    g_hash_table_insert(recorder->texts, (gpointer)own, GUINT_TO_POINTER(fresh));
    mon_trace_put(recorder, record_head(RECORD_TEXT, 0, 0, 0), 2)[1] = (uint64_t)(uintptr_t)own;
    return fresh;
}

static void define_location(Recorder *recorder, uint32_t number, uint32_t rank, uint32_t thread)
{
    uint64_t *record = mon_trace_put(recorder, record_head(RECORD_LOCATION, 0, 0, number), 3);
    record[1] = mpi_record_pair(rank, thread);
    record[2] = mach_run_node_of(recorder->machine, rank);
}

/* Tells of a rank that another one has spawned. */
static void record_spawned(Recorder *recorder, uint32_t location, uint32_t rank)
{
    uint32_t world = mach_run_worlds(recorder->machine);
    while (world-- > 1) {
        MachWorld of = mach_run_world(recorder->machine, world);
        if (rank < of.first)
            continue;
        const uint64_t fields[] = {[TRACE_STARTED_PARENT] = mon_trace_location(recorder, of.by, 0),
                                   [TRACE_STARTED_PROGRAM] = mon_trace_text(recorder, of.command)};
        mon_trace_put_event(recorder, TRACE_STARTED, location, of.time_ps, fields, TRACE_STARTED_FIELDS);
        return;
    }
}

uint32_t mon_trace_other_location(Recorder *recorder, uint32_t rank, uint32_t thread)
{
    gint64 key = (gint64)rank << 32 | thread;
    gpointer number = g_hash_table_lookup(recorder->others, &key);
    if (number)
        return GPOINTER_TO_UINT(number) - 1;
    uint32_t fresh = recorder->locations++;
    g_hash_table_insert(recorder->others, g_memdup2(&key, sizeof key), GUINT_TO_POINTER(fresh + 1));
    define_location(recorder, fresh, rank, thread);
    if (!thread)
        record_spawned(recorder, fresh, rank);
    return fresh;
}

/* -- events ------------------------------------------------------------------------------------ */

/* The rank's phase ends; another one begins if it has a name. */
static void change_phase(Recorder *recorder, uint32_t rank, Phase next)
{
    Phase *phase = g_hash_table_lookup(recorder->phases, GUINT_TO_POINTER(rank));
    if (!phase && !next.text)
        return;
    if (!phase) {
        phase = g_new0(Phase, 1);
        g_hash_table_insert(recorder->phases, GUINT_TO_POINTER(rank), phase);
    }
    if (phase->text) {
        const uint64_t fields[] = {[TRACE_REGION_FROM] = phase->from_ps,
                                   [TRACE_REGION_NAME] = phase->text,
                                   [TRACE_REGION_SORT] = recorder->phase_text,
                                   [TRACE_REGION_SITE] = record_site(phase->pc)};
        mon_trace_put_event_of(recorder, phase->program, TRACE_REGION, mon_trace_location(recorder, rank, 0),
                               next.from_ps, fields, TRACE_REGION_FIELDS);
    }
    *phase = next;
}

/* MPI_Pcontrol(n) begins phase n. Level 0 ends the recording, and is no phase. */
static G_GNUC_NO_INLINE void record_control(Recorder *recorder, const MpiCallInfo *info, const VcodeModule *program)
{
    int32_t level = (int32_t)info->args[0];
    g_autofree char *name = g_strdup_printf("phase %d", level);
    change_phase(recorder, info->rank,
                 (Phase){info->to_ps, program, info->pc, level ? mon_trace_text(recorder, name) : 0});
}

static void record_call(void *user, const MpiCallInfo *info, const VcodeModule *program)
{
    Recorder *recorder = user;
    uint32_t location = mon_trace_location(recorder, info->rank, info->thread);
    if (G_UNLIKELY(info->controls)) {
        record_control(recorder, info, program);
        if (info->to_ps == info->from_ps)
            return;
    }
    if (recorder->detail)
        mon_trace_detail_call(recorder, location, info);
    mpi_record_call(&recorder->feed, info, program, location);
}

static void record_message(void *user, const MpiMessageInfo *message)
{
    Recorder *recorder = user;
    uint32_t location = mon_trace_location(recorder, message->to, 0),
             sender = mon_trace_location(recorder, message->from, 0);
    if (recorder->detail)
        mon_trace_detail_message(recorder, location, message);
    mpi_record_message(&recorder->feed, message, location, sender);
}

static void record_pause(void *user, uint32_t rank, uint64_t from_ps, uint64_t to_ps, bool for_core)
{
    Recorder *recorder = user;
    const uint64_t fields[] = {
        [TRACE_PAUSE_FROM] = from_ps, [TRACE_PAUSE_WHY] = for_core ? recorder->core_text : recorder->sleep_text};
    mon_trace_put_event(recorder, TRACE_PAUSE, mon_trace_location(recorder, rank, 0), to_ps, fields,
                        TRACE_PAUSE_FIELDS);
}

static void record_end(void *user, uint32_t rank, uint64_t time_ps, int status)
{
    Recorder *recorder = user;
    change_phase(recorder, rank, (Phase){.from_ps = time_ps});
    const uint64_t fields[] = {[TRACE_ENDED_STATUS] = (uint64_t)(int64_t)status};
    mon_trace_put_event(recorder, TRACE_ENDED, mon_trace_location(recorder, rank, 0), time_ps, fields,
                        TRACE_ENDED_FIELDS);
}

static inline uint32_t text_of_constant(Recorder *recorder, TraceName *last, const char *constant)
{
    if (last->constant != constant)
        *last = (TraceName){constant, mon_trace_text(recorder, constant)};
    return last->text;
}

static void record_collective(void *user, const MpiCollectiveInfo *info)
{
    Recorder *recorder = user;
    const uint64_t fields[] = {
        [TRACE_COLLECTIVE_FROM] = info->from_ps,
        [TRACE_COLLECTIVE_FUNCTION] = text_of_constant(recorder, &recorder->collective, info->name),
        [TRACE_COLLECTIVE_ALGORITHM] = text_of_constant(recorder, &recorder->algorithm, info->algorithm),
        [TRACE_COLLECTIVE_CONTEXT] = info->context,
        [TRACE_COLLECTIVE_NUMBER] = info->number};
    mon_trace_put_event(recorder, TRACE_COLLECTIVE, mon_trace_location(recorder, info->rank, info->thread), info->to_ps,
                        fields, TRACE_COLLECTIVE_FIELDS);
}

static void record_finding(void *user, uint32_t rank, uint64_t time_ps, const char *check, const char *text)
{
    Recorder *recorder = user;
    const uint64_t fields[] = {
        [TRACE_FINDING_CHECK] = mon_trace_text(recorder, check), [TRACE_FINDING_TEXT] = mon_trace_text(recorder, text)};
    mon_trace_put_event(recorder, TRACE_FINDING, mon_trace_location(recorder, rank, 0), time_ps, fields,
                        G_N_ELEMENTS(fields));
}

static void record_thread(void *user, uint32_t rank, uint32_t thread, uint32_t by, uint64_t time_ps, bool begins)
{
    Recorder *recorder = user;
    uint32_t location = mon_trace_location(recorder, rank, thread);
    const uint64_t began[] = {[TRACE_STARTED_PARENT] = mon_trace_location(recorder, rank, by)};
    const uint64_t ended[] = {[TRACE_ENDED_STATUS] = 0};
    mon_trace_put_event(recorder, begins ? TRACE_STARTED : TRACE_ENDED, location, time_ps, begins ? began : ended, 1);
}

/* A thread that waits for others outside MPI pauses. */
static void record_wait(void *user, uint32_t rank, uint32_t thread, uint64_t from_ps, uint64_t to_ps, const char *what)
{
    Recorder *recorder = user;
    const uint64_t fields[] = {[TRACE_PAUSE_FROM] = from_ps, [TRACE_PAUSE_WHY] = mon_trace_text(recorder, what)};
    mon_trace_put_event(recorder, TRACE_PAUSE, mon_trace_location(recorder, rank, thread), to_ps, fields,
                        TRACE_PAUSE_FIELDS);
}

static void record_window(void *user, const MpiAccessInfo *info)
{
    Recorder *recorder = user;
    if (!recorder->window_name || recorder->window_context != info->context) {
        g_autofree char *name = g_strdup_printf("window %u", info->context);
        recorder->window_name = mon_trace_text(recorder, name);
        recorder->window_context = info->context;
    }
    const uint64_t fields[] = {[TRACE_ACCESS_FROM] = info->from_ps,
                               [TRACE_ACCESS_FUNCTION] = text_of_constant(recorder, &recorder->access, info->name),
                               [TRACE_ACCESS_SORT] = recorder->window_text,
                               [TRACE_ACCESS_OBJECT] = recorder->window_name,
                               [TRACE_ACCESS_TARGET] = mon_trace_location(recorder, info->target, 0),
                               [TRACE_ACCESS_BYTES] = info->bytes};
    mon_trace_put_event(recorder, TRACE_ACCESS, mon_trace_location(recorder, info->origin, 0), info->to_ps, fields,
                        TRACE_ACCESS_FIELDS);
}

static void record_access(void *user, uint32_t rank, const VmStorageAccess *access, const char *file, uint64_t from_ps,
                          uint64_t to_ps)
{
    static const char *const sorts[] = {[VM_STORAGE_READ] = "read",
                                        [VM_STORAGE_WRITE] = "write",
                                        [VM_STORAGE_NAME] = "open or close",
                                        [VM_STORAGE_SYNC] = "sync"};
    Recorder *recorder = user;
    uint32_t location = mon_trace_location(recorder, rank, 0);
    const uint64_t fields[] = {[TRACE_ACCESS_FROM] = from_ps,
                               [TRACE_ACCESS_FUNCTION] = mon_trace_text(recorder, sorts[access->sort]),
                               [TRACE_ACCESS_SORT] = recorder->file_text,
                               [TRACE_ACCESS_OBJECT] = mon_trace_text(recorder, file),
                               [TRACE_ACCESS_TARGET] = location,
                               [TRACE_ACCESS_BYTES] = access->bytes};
    mon_trace_put_event(recorder, TRACE_ACCESS, location, to_ps, fields, TRACE_ACCESS_FIELDS);
}

/* What is only known at the end: phases that are not over, and what has failed. */
static void record_rest(Recorder *recorder)
{
    uint32_t ranks = mach_run_ranks(recorder->machine);
    for (uint32_t rank = 0; rank < ranks; rank++) {
        MachRankState state = mach_run_rank_state(recorder->machine, rank);
        MachRankReport report;
        if (state == MACH_RANK_FINISHED)
            continue;
        mach_run_rank_report(recorder->machine, rank, &report);
        change_phase(recorder, rank, (Phase){.from_ps = report.finish_ps});
        if (state != MACH_RANK_FAULTED && state != MACH_RANK_KILLED)
            continue;
        const uint64_t fields[] = {[TRACE_FAILED_WHY] =
                                       mon_trace_text(recorder, state == MACH_RANK_FAULTED ? "fault" : "killed")};
        mon_trace_put_event(recorder, TRACE_FAILED, mon_trace_location(recorder, rank, 0), report.finish_ps, fields,
                            TRACE_FAILED_FIELDS);
    }
    mon_trace_detail_finish(recorder);
}

/* -- the export -------------------------------------------------------------------------------- */

static bool check_path(const char *path, GError **error)
{
    if (strcmp(path, "-") != 0)
        return true;
    g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_INVAL, "a trace needs a file, not standard output");
    return false;
}

static bool check_text(MonExportTextNumber number, const char *text, GError **error)
{
    unsigned detail;
    (void)number;
    return mon_trace_detail_parse(text, &detail, error);
}

static unsigned detail_of(const MonExportsAsked *asked)
{
    unsigned detail = 0;
    mon_trace_detail_parse(asked->texts[MON_EXPORT_TEXT_trace_detail], &detail, NULL);
    return detail;
}

static void ask(MonNetworkOptions *options, const MonExportSettings *settings)
{
    options->passages = options->passages || detail_of(settings->asked) & (TRACE_DETAIL_LINKS | TRACE_DETAIL_HOPS);
}

static void note_run(Recorder *recorder)
{
    g_autofree char *ranks = g_strdup_printf("%u", recorder->ranks);
    trace_writer_note(recorder->writer, "program", mach_run_world(recorder->machine, 0).command);
    trace_writer_note(recorder->writer, "machine", mach_run_config(recorder->machine)->name);
    trace_writer_note(recorder->writer, "ranks", ranks);
}

static void observe(Recorder *recorder, bool waits)
{
    MachObserver observer = {.user = recorder,
                             .call = record_call,
                             .waits = waits,
                             .message = record_message,
                             .collective = record_collective,
                             .access = record_window,
                             .slept = record_pause,
                             .thread = record_thread,
                             .waited = record_wait,
                             .accessed = record_access,
                             .finding = record_finding,
                             .finished = record_end,
                             .feed = recorder->detail ? NULL : &recorder->feed,
                             .fed = recorder->ranks};
    mach_run_observe(recorder->machine, &observer);
}

static bool begin(const MonExportStart *start, void **own, GError **error)
{
    Machine *machine = start->machine;
    unsigned detail = detail_of(start->asked);
    TraceWriter *writer = trace_writer_new(start->path, mach_run_ranks(machine), error);
    if (!writer)
        return false;
    Recorder *recorder = g_new0(Recorder, 1);
    recorder->machine = machine;
    recorder->writer = writer;
    recorder->ranks = recorder->locations = mach_run_ranks(machine);
    recorder->others = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    recorder->phases = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    recorder->texts = g_hash_table_new(g_str_hash, g_str_equal);
    recorder->own = g_string_chunk_new(4096);
    note_run(recorder);
    mon_trace_encoder_begin(&recorder->encoder, writer);
    base_feed_begin(&recorder->feed, "trace", mon_trace_encode, &recorder->encoder);
    recorder->sleep_text = mon_trace_text(recorder, "sleep");
    recorder->core_text = mon_trace_text(recorder, "core");
    recorder->phase_text = mon_trace_text(recorder, "phase");
    recorder->file_text = mon_trace_text(recorder, "file");
    recorder->window_text = mon_trace_text(recorder, "window");
    for (uint32_t rank = 0; rank < recorder->ranks; rank++)
        define_location(recorder, rank, rank, 0);
    mon_trace_detail_begin(recorder, detail, start->network);
    observe(recorder, detail & TRACE_DETAIL_WAITS);
    *own = recorder;
    return true;
}

/* Ends the thread: from here on the writer is the caller's. */
static TraceWriter *take_writer(Recorder *recorder)
{
    base_feed_end(&recorder->feed);
    return g_steal_pointer(&recorder->writer);
}

static bool write_trace(const MonExportRun *run, const char *path, GError **error)
{
    Recorder *recorder = run->own;
    MachRankReport totals;
    (void)path;
    record_rest(recorder);
    TraceWriter *writer = take_writer(recorder);
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
        trace_writer_end(take_writer(recorder), NULL);
    mon_trace_encoder_end(&recorder->encoder);
    mon_trace_detail_end(recorder);
    g_hash_table_unref(recorder->others);
    g_hash_table_unref(recorder->phases);
    g_hash_table_unref(recorder->texts);
    g_string_chunk_free(recorder->own);
    g_free(recorder);
}

const MonExport mon_export_trace = {
    .check = check_path, .check_text = check_text, .ask = ask, .begin = begin, .write = write_trace, .end = end};
