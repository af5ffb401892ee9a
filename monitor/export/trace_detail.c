/* trace_detail.c - what a trace has only if --trace-detail asks for it, since it takes longer: the causes of waits, the
 * lengths of queues, the use of links, messages on every link of their ways. */
#include "monitor/export/trace_recorder.h"
#include "monitor/report/report.h"

/* Links are sampled in windows of so much virtual time: 10 us. */
#define WINDOW_PS UINT64_C(10000000)

typedef struct Queues { /* lengths that the trace tells of a location */
    uint32_t posted, unexpected;
} Queues;

typedef struct LinkUse { /* of a link in the window that it was used in last */
    uint64_t window, busy_ps, bytes;
} LinkUse;

struct TraceDetail {
    unsigned detail;
    const Network *net;
    uint32_t cause_texts[MPI_WAIT_CAUSES]; /* 0: not known yet */
    GArray *queues;                        /* Queues, by location */
    uint32_t *link_texts;                  /* by link; 0: not known yet */
    LinkUse *uses;                         /* by link */
    uint32_t links;
};

static const char *const names[] = {
#define TRACE_DETAIL_NAME(identifier, name) name,
    TRACE_DETAILS(TRACE_DETAIL_NAME)
#undef TRACE_DETAIL_NAME
};

static bool refuse(const char *part, GError **error)
{
    g_autoptr(GString) all = g_string_new(NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
        g_string_append_printf(all, "%s, ", names[i]);
    g_set_error(error, MON_ERROR, MON_ERROR_SETTING, "there is no \"%s\"; there are %sand all", part, all->str);
    return false;
}

bool mon_trace_detail_parse(const char *text, unsigned *detail, GError **error)
{
    g_auto(GStrv) parts = g_strsplit(text ? text : "", ",", -1);
    *detail = 0;
    for (char **part = parts; *part; part++) {
        size_t i = 0;
        while (i < G_N_ELEMENTS(names) && strcmp(*part, names[i]) != 0)
            i++;
        if (strcmp(*part, "all") == 0)
            *detail = (1U << G_N_ELEMENTS(names)) - 1;
        else if (i < G_N_ELEMENTS(names))
            *detail |= 1U << i;
        else
            return refuse(*part, error);
    }
    return true;
}

/* -- waits and queues -------------------------------------------------------------------------- */

static void add_waits(Recorder *recorder, uint32_t location, const MpiCallInfo *info)
{
    for (unsigned i = 0; i < info->n_waits; i++) {
        const MpiWait *wait = &info->waits[i];
        uint32_t *text = &recorder->detail->cause_texts[wait->cause];
        if (!*text)
            *text = mon_trace_text(recorder, mpi_wait_name(wait->cause));
        const uint64_t fields[] = {
            [TRACE_WAIT_FROM] = wait->from_ps,
            [TRACE_WAIT_CAUSE] = *text,
            [TRACE_WAIT_PEER] = wait->peer == UINT32_MAX ? location : mon_trace_location(recorder, wait->peer, 0),
            [TRACE_WAIT_MESSAGE] = wait->message};
        mon_trace_put_event(recorder, TRACE_WAIT, location, wait->to_ps, fields, TRACE_WAIT_FIELDS);
    }
}

/* Lengths are told where they have changed. */
static void add_queues(Recorder *recorder, uint32_t rank, uint32_t location, uint64_t time_ps)
{
    GArray *queues = recorder->detail->queues;
    Queues now;
    mach_run_queues(recorder->machine, rank, &now.posted, &now.unexpected);
    if (location >= queues->len)
        g_array_set_size(queues, location + 1);
    Queues *told = &g_array_index(queues, Queues, location);
    if (told->posted == now.posted && told->unexpected == now.unexpected)
        return;
    *told = now;
    const uint64_t fields[] = {[TRACE_QUEUE_POSTED] = now.posted, [TRACE_QUEUE_UNEXPECTED] = now.unexpected};
    mon_trace_put_event(recorder, TRACE_QUEUE, location, time_ps, fields, TRACE_QUEUE_FIELDS);
}

void mon_trace_detail_call(Recorder *recorder, uint32_t location, const MpiCallInfo *info)
{
    add_waits(recorder, location, info);
    if (recorder->detail->detail & TRACE_DETAIL_QUEUES)
        add_queues(recorder, info->rank, location, info->to_ps);
}

void mon_trace_detail_message(Recorder *recorder, uint32_t location, const MpiMessageInfo *message)
{
    if (recorder->detail->detail & TRACE_DETAIL_QUEUES)
        add_queues(recorder, message->to, location, message->delivered_ps);
}

/* -- links ------------------------------------------------------------------------------------- */

/* Models without links tell of network interfaces. */
static uint32_t text_of_link(Recorder *recorder, uint32_t link)
{
    TraceDetail *detail = recorder->detail;
    uint32_t *text = &detail->link_texts[link < detail->links ? link : detail->links];
    if (*text)
        return *text;
    if (link >= detail->links)
        return *text = mon_trace_text(recorder, "network interface");
    const NetLink *ends = net_link(detail->net, link);
    g_autofree char *from = net_vertex_name(detail->net, ends->from);
    g_autofree char *to = net_vertex_name(detail->net, ends->to);
    g_autofree char *name = g_strdup_printf("%s -> %s", from, to);
    return *text = mon_trace_text(recorder, name);
}

static void add_use(Recorder *recorder, uint32_t link)
{
    LinkUse *use = &recorder->detail->uses[link];
    const uint64_t fields[] = {[TRACE_LINK_FROM] = use->window * WINDOW_PS,
                               [TRACE_LINK_LINK] = text_of_link(recorder, link),
                               [TRACE_LINK_BUSY] = use->busy_ps,
                               [TRACE_LINK_BYTES] = use->bytes};
    mon_trace_put_event(recorder, TRACE_LINK, 0, (use->window + 1) * WINDOW_PS, fields, TRACE_LINK_FIELDS);
    use->busy_ps = use->bytes = 0;
}

/* A packet counts in the window in which it gets the link. */
static void count_use(Recorder *recorder, const NetPassage *passage)
{
    LinkUse *use = &recorder->detail->uses[passage->link];
    uint64_t window = passage->got_ps / WINDOW_PS;
    if (window > use->window && use->bytes)
        add_use(recorder, passage->link);
    use->window = MAX(use->window, window);
    use->busy_ps += passage->busy_ps;
    use->bytes += passage->bytes;
}

static void add_hop(Recorder *recorder, uint64_t message, uint32_t from, const NetPassage *passage)
{
    const uint64_t fields[] = {[TRACE_HOP_FROM] = passage->asked_ps,
                               [TRACE_HOP_MESSAGE] = message,
                               [TRACE_HOP_LINK] = text_of_link(recorder, passage->link),
                               [TRACE_HOP_PACKET] = passage->packet};
    mon_trace_put_event(recorder, TRACE_HOP, mon_trace_location(recorder, from, 0), passage->left_ps, fields,
                        TRACE_HOP_FIELDS);
}

static void passed(void *user, uint64_t message, uint32_t from, const NetPassage *passage)
{
    Recorder *recorder = user;
    TraceDetail *detail = recorder->detail;
    if (detail->detail & TRACE_DETAIL_LINKS && passage->link < detail->links)
        count_use(recorder, passage);
    if (detail->detail & TRACE_DETAIL_HOPS && message && !(passage->packet & NET_ACKNOWLEDGEMENT))
        add_hop(recorder, message, from, passage);
}

/* -- beginning and ending ---------------------------------------------------------------------- */

void mon_trace_detail_begin(Recorder *recorder, unsigned wanted, MonNetwork *network)
{
    if (!wanted)
        return;
    TraceDetail *detail = recorder->detail = g_new0(TraceDetail, 1);
    detail->detail = wanted;
    detail->queues = g_array_new(FALSE, TRUE, sizeof(Queues));
    if (!(wanted & (TRACE_DETAIL_LINKS | TRACE_DETAIL_HOPS)))
        return;
    detail->net = mach_run_network(recorder->machine);
    detail->links = net_link_channels(detail->net) ? net_link_count(detail->net) : 0;
    detail->link_texts = g_new0(uint32_t, detail->links + 1);
    detail->uses = g_new0(LinkUse, detail->links + 1);
    mon_network_listen(network, passed, recorder);
}

void mon_trace_detail_finish(Recorder *recorder)
{
    if (!recorder->detail || !(recorder->detail->detail & TRACE_DETAIL_LINKS))
        return;
    for (uint32_t link = 0; link < recorder->detail->links; link++)
        if (recorder->detail->uses[link].bytes)
            add_use(recorder, link);
}

void mon_trace_detail_end(Recorder *recorder)
{
    TraceDetail *detail = recorder->detail;
    if (!detail)
        return;
    g_array_unref(detail->queues);
    g_free(detail->link_texts);
    g_free(detail->uses);
    g_clear_pointer(&recorder->detail, g_free);
}
