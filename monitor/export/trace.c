/* trace.c - writes what ranks do to a file while they do it: `orrery run --trace`.
 *
 * The trace has the calls of MPI with their arguments and places in the source, the messages, and the pauses of ranks
 * (trace/events.def). It stands on callbacks that do not slow down what they do not ask for. They only put numbers into
 * records (trace_records.h), of which a thread makes the trace. Ranks are locations with their own numbers. Threads,
 * and ranks that come during the run, are numbered behind them as they appear.
 */
#include "monitor/export/export.h"
#include "monitor/export/trace_records.h"

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
    TraceFeed feed;
    Machine *machine;
    TraceWriter *writer; /* the thread's as long as it runs */
    TraceEncoder encoder;
    GHashTable *texts;  /* text -> its number */
    GStringChunk *own;  /* all texts that records speak of */
    uint32_t sites;     /* number of the last one */
    uint32_t ranks;     /* those of the beginning: their locations have their numbers */
    GHashTable *others; /* rank << 32 | thread -> 1 + location */
    uint32_t locations; /* next number */
    GArray *programs;   /* Program; the one that called last is the first */
    uint32_t sleep_text, core_text;
    uint32_t cause_texts[MPI_WAIT_CAUSES]; /* 0: not known yet */
} Recorder;

/* -- records ----------------------------------------------------------------------------------- */

/* Adds a record of so many words and returns it, its head set. */
static inline uint64_t *put(Recorder *recorder, uint64_t head, unsigned words)
{
    uint64_t *record = trace_feed_room(&recorder->feed);
    recorder->feed.at = record + words;
    record[0] = head;
    return record;
}

/* Adds an event without a list. */
static inline void put_event(Recorder *recorder, TraceKind kind, uint32_t location, uint64_t time_ps,
                             const uint64_t *fields, unsigned n)
{
    uint64_t *record = put(recorder, record_head(RECORD_EVENT, kind, n, location), RECORD_EVENT_WORDS + n);
    record[1] = time_ps;
    memcpy(record + RECORD_EVENT_WORDS, fields, n * sizeof *fields);
}

static const char *own_text(Recorder *recorder, const char *text)
{
    return g_string_chunk_insert_const(recorder->own, text);
}

/* Returns the number of a text. */
static uint32_t text_of(Recorder *recorder, const char *text)
{
    gpointer number = g_hash_table_lookup(recorder->texts, text);
    if (number)
        return GPOINTER_TO_UINT(number);
    uint32_t fresh = g_hash_table_size(recorder->texts) + 1;
    const char *own = own_text(recorder, text);
    g_hash_table_insert(recorder->texts, (gpointer)own, GUINT_TO_POINTER(fresh));
    put(recorder, record_head(RECORD_TEXT, 0, 0, 0), 2)[1] = (uint64_t)(uintptr_t)own;
    return fresh;
}

/* -- definitions ------------------------------------------------------------------------------- */

static void define_location(Recorder *recorder, uint32_t number, uint32_t rank, uint32_t thread)
{
    uint64_t *record = put(recorder, record_head(RECORD_LOCATION, 0, 0, number), 3);
    record[1] = record_pair(rank, thread);
    record[2] = mach_run_node_of(recorder->machine, rank);
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
        uint64_t *record = put(recorder, record_head(RECORD_SITE, 0, 0, 0), 4);
        record[1] = (uint64_t)(uintptr_t)own_text(recorder, line ? vcode_source_name(module, line->file) : "?");
        record[2] = (uint64_t)(uintptr_t)own_text(recorder, caller_of(module, pc));
        record[3] = line ? line->line : 0;
        site->number = ++recorder->sites;
    }
    site->name = name;
    site->text = text_of(recorder, name);
}

/* Names of functions are constants: the same address is the same text. */
static inline Site site_of(Recorder *recorder, const VcodeModule *module, uint32_t pc, const char *name)
{
    if (pc >= module->code.count)
        return (Site){.text = text_of(recorder, name)};
    Site *site = &sites_of(recorder, module)[pc];
    if (G_UNLIKELY(site->name != name))
        define_site(recorder, module, pc, name, site);
    return *site;
}

/* -- events ------------------------------------------------------------------------------------ */

/* Copies a few words. Loops that compilers make of this are meant for many. */
static inline void copy_words(uint64_t *to, const uint64_t *from, unsigned n)
{
    for (; n >= 4; n -= 4, to += 4, from += 4)
        memcpy(to, from, 4 * sizeof *to);
    if (n & 2)
        memcpy(to, from, 2 * sizeof *to);
    if (n & 1)
        to[n & 2] = from[n & 2];
}

static G_GNUC_NO_INLINE void record_waits(Recorder *recorder, uint32_t location, const MpiCallInfo *info)
{
    for (unsigned i = 0; i < info->n_waits; i++) {
        const MpiWait *wait = &info->waits[i];
        uint32_t *text = &recorder->cause_texts[wait->cause];
        if (!*text)
            *text = text_of(recorder, mpi_wait_name(wait->cause));
        const uint64_t fields[] = {[TRACE_WAIT_FROM] = wait->from_ps,
                                   [TRACE_WAIT_CAUSE] = *text,
                                   [TRACE_WAIT_PEER] =
                                       wait->peer == UINT32_MAX ? location : location_of(recorder, wait->peer, 0),
                                   [TRACE_WAIT_MESSAGE] = wait->message};
        put_event(recorder, TRACE_WAIT, location, wait->to_ps, fields, TRACE_WAIT_FIELDS);
    }
}

static void record_call(void *user, const MpiCallInfo *info, const VcodeModule *program)
{
    Recorder *recorder = user;
    Site site = site_of(recorder, program, info->pc, info->name);
    uint32_t location = location_of(recorder, info->rank, info->thread);
    unsigned n = MIN(info->n, TRACE_LIST);
    if (info->n_waits)
        record_waits(recorder, location, info);
    uint64_t *record = put(recorder, record_head(RECORD_CALL, 0, n, location), RECORD_CALL_WORDS + n);
    record[1] = info->to_ps;
    record[2] = info->from_ps;
    record[3] = info->to_ps - info->from_ps - info->overhead_ps;
    record[4] = record_pair(site.number, site.text);
    copy_words(record + RECORD_CALL_WORDS, info->args, n);
}

static void record_message(void *user, const MpiMessageInfo *message)
{
    Recorder *recorder = user;
    uint32_t location = location_of(recorder, message->to, 0), sender = location_of(recorder, message->from, 0);
    uint64_t *record = put(recorder, record_head(RECORD_MESSAGE, 0, 0, location), RECORD_MESSAGE_WORDS);
    record[1] = message->delivered_ps;
    record[2] = message->sent_ps;
    record[3] = message->id;
    record[4] = record_pair(sender, (uint32_t)message->tag);
    record[5] = message->context;
    record[6] = message->bytes;
}

static void record_pause(void *user, uint32_t rank, uint64_t from_ps, uint64_t to_ps, bool for_core)
{
    Recorder *recorder = user;
    const uint64_t fields[] = {
        [TRACE_PAUSE_FROM] = from_ps, [TRACE_PAUSE_WHY] = for_core ? recorder->core_text : recorder->sleep_text};
    put_event(recorder, TRACE_PAUSE, location_of(recorder, rank, 0), to_ps, fields, TRACE_PAUSE_FIELDS);
}

static void record_end(void *user, uint32_t rank, uint64_t time_ps, int status)
{
    Recorder *recorder = user;
    const uint64_t fields[] = {[TRACE_ENDED_STATUS] = (uint64_t)(int64_t)status};
    put_event(recorder, TRACE_ENDED, location_of(recorder, rank, 0), time_ps, fields, TRACE_ENDED_FIELDS);
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
    recorder->texts = g_hash_table_new(g_str_hash, g_str_equal);
    recorder->own = g_string_chunk_new(4096);
    trace_writer_note(writer, "program", mach_run_world(machine, 0).command);
    trace_writer_note(writer, "machine", mach_run_config(machine)->name);
    trace_writer_note(writer, "ranks", ranks);
    mon_trace_encoder_begin(&recorder->encoder, writer);
    trace_feed_begin(&recorder->feed, mon_trace_encode, &recorder->encoder);
    recorder->sleep_text = text_of(recorder, "sleep");
    recorder->core_text = text_of(recorder, "core");
    for (uint32_t rank = 0; rank < recorder->ranks; rank++)
        define_location(recorder, rank, rank, 0);
    MachObserver observer = {.user = recorder,
                             .call = record_call,
                             .waits = !g_getenv("NOWAITS"),
                             .message = record_message,
                             .slept = record_pause,
                             .finished = record_end};
    mach_run_observe(machine, &observer);
    *own = recorder;
    return true;
}

/* Ends the thread: from here on the writer is the caller's. */
static TraceWriter *take_writer(Recorder *recorder)
{
    trace_feed_end(&recorder->feed);
    return g_steal_pointer(&recorder->writer);
}

static bool write_trace(const MonExportRun *run, const char *path, GError **error)
{
    Recorder *recorder = run->own;
    TraceWriter *writer = take_writer(recorder);
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
        trace_writer_end(take_writer(recorder), NULL);
    mon_trace_encoder_end(&recorder->encoder);
    for (guint i = 0; i < recorder->programs->len; i++)
        g_free(g_array_index(recorder->programs, Program, i).sites);
    g_array_unref(recorder->programs);
    g_hash_table_unref(recorder->others);
    g_hash_table_unref(recorder->texts);
    g_string_chunk_free(recorder->own);
    g_free(recorder);
}

const MonExport mon_export_trace = {.check = check_path, .begin = begin, .write = write_trace, .end = end};
