/* trace_encode.c - the thread that writes a trace: makes events of the run's records (trace_records.h). */
#include "monitor/export/trace_records.h"

/* A place from which a program calls, and what it calls there, nearly always the same function. */
typedef struct TraceCallSite {
    uint32_t number; /* 0: not known yet */
    uint32_t text;   /* number of the function's name */
    const char *name;
} Site;

/* So many events may be lost when the simulator is killed. */
enum { EVENTS_OF_A_FLUSH = 1 << 18 };

void mon_trace_encoder_begin(TraceEncoder *encoder, TraceWriter *writer)
{
    size_t count;
    *encoder = (TraceEncoder){.writer = writer,
                              .functions = mpi_functions(&count),
                              .callers = g_ptr_array_new(),
                              .texts = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
                              .programs = g_array_new(FALSE, FALSE, sizeof(TraceProgram))};
}

void mon_trace_encoder_end(TraceEncoder *encoder)
{
    g_array_unref(encoder->texts);
    for (guint i = 0; i < encoder->programs->len; i++)
        g_free(g_array_index(encoder->programs, TraceProgram, i).sites);
    g_array_unref(encoder->programs);
    g_ptr_array_unref(encoder->callers);
}

static inline uint32_t number_of_text(const TraceEncoder *encoder, uint64_t text)
{
    return text ? g_array_index(encoder->texts, uint32_t, text - 1) : 0;
}

/* -- places in the source ---------------------------------------------------------------------- */

static G_GNUC_NO_INLINE Site *sites_of_other(TraceEncoder *encoder, const VcodeModule *module)
{
    guint i = 0;
    while (i < encoder->programs->len && g_array_index(encoder->programs, TraceProgram, i).module != module)
        i++;
    if (i == encoder->programs->len) {
        TraceProgram program = {module, g_new0(Site, module->code.count)};
        g_array_append_val(encoder->programs, program);
    }
    encoder->caller = g_array_index(encoder->programs, TraceProgram, i);
    return encoder->caller.sites;
}

static inline Site *sites_of(TraceEncoder *encoder, const VcodeModule *module)
{
    return G_LIKELY(encoder->caller.module == module) ? encoder->caller.sites : sites_of_other(encoder, module);
}

/* Returns the name of the function whose source has the call; it may be inlined in another one. */
static const char *caller_of(const VcodeModule *module, uint32_t pc)
{
    uint32_t inlined = vcode_pc_inlined(module, pc), function = vcode_pc_function(module, pc);
    if (inlined != VCODE_NONE)
        return vcode_text(module, module->inlines.items[inlined].name);
    return function != VCODE_NONE ? vcode_text(module, module->functions.items[function].name) : "?";
}

/* Finds the number of the place in the source. */
static G_GNUC_NO_INLINE void define_site(TraceEncoder *encoder, const VcodeModule *module, uint32_t pc, Site *site)
{
    const VcodeLine *line = vcode_pc_line(module, pc);
    TraceSite place = {line ? vcode_source_name(module, line->file) : "?", caller_of(module, pc),
                       line ? line->line : 0};
    site->number = trace_writer_site(encoder->writer, &place);
}

/* Names of functions are constants: the same address is the same text. */
static inline Site site_of_call(TraceEncoder *encoder, const VcodeModule *module, uint64_t pc, const char *name)
{
    if (G_UNLIKELY(pc >= module->code.count))
        return (Site){.text = trace_writer_text(encoder->writer, name)};
    Site *site = &sites_of(encoder, module)[pc];
    if (G_UNLIKELY(!site->number))
        define_site(encoder, module, (uint32_t)pc, site);
    if (G_UNLIKELY(site->name != name)) {
        site->name = name;
        site->text = trace_writer_text(encoder->writer, name);
    }
    return *site;
}

static uint32_t number_of_site(TraceEncoder *encoder, const VcodeModule *module, uint64_t field)
{
    if (field == 0 || !module || field > module->code.count)
        return 0;
    Site *site = &sites_of(encoder, module)[field - 1];
    if (!site->number)
        define_site(encoder, module, (uint32_t)(field - 1), site);
    return site->number;
}

/* -- records: each of these takes one, and returns how many words it has ------------------------- */

static inline void add_call(TraceEncoder *encoder, const uint64_t *words, uint64_t overhead_ps, Site site, unsigned at)
{
    TraceEvent event;
    event.kind = TRACE_CALL;
    event.location = (uint32_t)(words[0] >> 32);
    event.time_ps = words[1];
    event.list = words + at;
    event.fields[TRACE_CALL_FROM] = words[2];
    event.fields[TRACE_CALL_BLOCKED] = words[1] - words[2] - overhead_ps;
    event.fields[TRACE_CALL_FUNCTION] = site.text;
    event.fields[TRACE_CALL_SITE] = site.number;
    event.fields[TRACE_CALL_ARGUMENTS] = words[0] >> 8 & 0xff;
    trace_writer_add(encoder->writer, &event);
}

static size_t take_call(TraceEncoder *encoder, const uint64_t *words)
{
    uint32_t location = (uint32_t)(words[0] >> 32);
    gpointer program = (gpointer)(uintptr_t)words[4];
    if (location >= encoder->callers->len)
        g_ptr_array_set_size(encoder->callers, (gint)location + 1);
    encoder->callers->pdata[location] = program;
    add_call(encoder, words, words[3], site_of_call(encoder, program, words[5], (const char *)(uintptr_t)words[6]),
             MPI_RECORD_CALL_WORDS);
    return MPI_RECORD_CALL_WORDS + (words[0] >> 8 & 0xff);
}

static size_t take_plain(TraceEncoder *encoder, const uint64_t *words)
{
    const VcodeModule *program = encoder->callers->pdata[words[0] >> 32];
    const char *name = encoder->functions[words[0] >> 16 & 0xffff].name;
    add_call(encoder, words, (uint32_t)words[3], site_of_call(encoder, program, words[3] >> 32, name),
             MPI_RECORD_PLAIN_WORDS);
    return MPI_RECORD_PLAIN_WORDS + (words[0] >> 8 & 0xff);
}

static size_t take_message(TraceEncoder *encoder, const uint64_t *words)
{
    TraceEvent event;
    event.kind = TRACE_MESSAGE;
    event.location = (uint32_t)(words[0] >> 32);
    event.time_ps = words[1];
    event.list = NULL;
    event.fields[TRACE_MESSAGE_SENT] = words[2];
    event.fields[TRACE_MESSAGE_ID] = words[3];
    event.fields[TRACE_MESSAGE_SENDER] = (uint32_t)words[4];
    event.fields[TRACE_MESSAGE_TAG] = (uint64_t)(int64_t)(int32_t)(words[4] >> 32);
    event.fields[TRACE_MESSAGE_CONTEXT] = words[5];
    event.fields[TRACE_MESSAGE_BYTES] = words[6];
    trace_writer_add(encoder->writer, &event);
    return MPI_RECORD_MESSAGE_WORDS;
}

static size_t take_event(TraceEncoder *encoder, const uint64_t *words)
{
    unsigned n = words[0] >> 8 & 0xff;
    TraceEvent event = {
        .kind = (TraceKind)(words[0] >> 16 & 0xff), .location = (uint32_t)(words[0] >> 32), .time_ps = words[1]};
    const TraceKindInfo *info = &trace_kinds[event.kind];
    for (unsigned i = 0; i < n; i++) {
        uint64_t field = words[RECORD_EVENT_WORDS + i];
        if (info->fields[i].form == TRACE_FORM_TEXT)
            field = number_of_text(encoder, field);
        else if (info->fields[i].form == TRACE_FORM_SITE)
            field = number_of_site(encoder, (const VcodeModule *)(uintptr_t)words[2], field);
        event.fields[i] = field;
    }
    trace_writer_add(encoder->writer, &event);
    return RECORD_EVENT_WORDS + n;
}

static size_t take_text(TraceEncoder *encoder, const uint64_t *words)
{
    uint32_t number = trace_writer_text(encoder->writer, (const char *)(uintptr_t)words[1]);
    g_array_append_val(encoder->texts, number);
    return 2;
}

static size_t take_location(TraceEncoder *encoder, const uint64_t *words)
{
    g_autofree char *node = g_strdup_printf("%" G_GUINT64_FORMAT, words[2]);
    TraceLocation location = {.rank = (uint32_t)words[1], .thread = (uint32_t)(words[1] >> 32), .node = node};
    trace_writer_location(encoder->writer, (uint32_t)(words[0] >> 32), &location);
    return 3;
}

void mon_trace_encode(void *user, const uint64_t *words, size_t n)
{
    TraceEncoder *encoder = user;
    static size_t (*const take[RECORD_SORTS])(TraceEncoder * encoder, const uint64_t *words) = {
        [MPI_RECORD_CALL] = take_call, [MPI_RECORD_PLAIN] = take_plain, [MPI_RECORD_MESSAGE] = take_message,
        [RECORD_EVENT] = take_event,   [RECORD_TEXT] = take_text,       [RECORD_LOCATION] = take_location,
    };
    for (const uint64_t *end = words + n; words < end;)
        words += take[words[0] & 0xff](encoder, words);
    if (trace_writer_events(encoder->writer) - encoder->flushed >= EVENTS_OF_A_FLUSH) {
        trace_writer_flush(encoder->writer);
        encoder->flushed = trace_writer_events(encoder->writer);
    }
}
