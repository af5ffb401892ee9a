/* traffic.c - records what every rank sends to every other rank: `orrery run --traffic`.
 *
 * Counts messages at their delivery, with their payload in bytes. Messages of collective operations count too, since a
 * mapping can bring their ranks nearer. Envelopes and control messages are not counted: they belong to the MPI library
 * and are the same for every message. The pairs lie in an open-addressing table, and are sorted when they are asked
 * for.
 */
#include "base/write_file.h"
#include "monitor/export/export.h"

#include <stdlib.h>

typedef struct Traffic {
    uint32_t ranks;
    MachFlow *flows; /* a flow with messages == 0 is an unused slot */
    size_t count, mask;
} Traffic;

enum { FIRST_SLOTS = 64 };

static MachFlow *find(const Traffic *traffic, uint32_t from, uint32_t to)
{
    uint64_t pair = (uint64_t)from << 32 | to;
    size_t slot = (size_t)(pair * UINT64_C(0x9e3779b97f4a7c15) >> 20) & traffic->mask;
    for (;; slot = (slot + 1) & traffic->mask) {
        MachFlow *flow = &traffic->flows[slot];
        if (!flow->messages || (flow->from == from && flow->to == to))
            return flow;
    }
}

static void grow(Traffic *traffic)
{
    MachFlow *old = traffic->flows;
    size_t slots = traffic->mask + 1;
    traffic->mask = 2 * slots - 1;
    traffic->flows = g_new0(MachFlow, 2 * slots);
    for (size_t i = 0; i < slots; i++)
        if (old[i].messages)
            *find(traffic, old[i].from, old[i].to) = old[i];
    g_free(old);
}

static void record(void *user, const MpiMessageInfo *message)
{
    Traffic *traffic = user;
    MachFlow *flow = find(traffic, message->from, message->to);
    if (!flow->messages && 2 * ++traffic->count > traffic->mask) {
        grow(traffic);
        flow = find(traffic, message->from, message->to);
    }
    traffic->ranks = MAX(traffic->ranks, MAX(message->from, message->to) + 1); /* some may have come meanwhile */
    flow->from = message->from;
    flow->to = message->to;
    flow->bytes += message->bytes;
    flow->messages++;
}

static bool begin(const MonExportStart *start, void **own, GError **error)
{
    (void)error;
    Traffic *traffic = g_new0(Traffic, 1);
    traffic->ranks = mach_run_ranks(start->machine);
    traffic->mask = FIRST_SLOTS - 1;
    traffic->flows = g_new0(MachFlow, FIRST_SLOTS);
    MachObserver observer = {.user = traffic, .message = record};
    mach_run_observe(start->machine, &observer);
    *own = traffic;
    return true;
}

static void end(void *own)
{
    Traffic *traffic = own;
    g_free(traffic->flows);
    g_free(traffic);
}

static int compare_flows(const void *a, const void *b)
{
    const MachFlow *x = a, *y = b;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return x->to < y->to ? -1 : x->to > y->to;
}

static MachTraffic *sorted(const Traffic *traffic)
{
    MachTraffic *result = g_new0(MachTraffic, 1);
    result->ranks = traffic->ranks;
    result->flows = g_array_new(FALSE, FALSE, sizeof(MachFlow));
    for (size_t i = 0; i <= traffic->mask; i++)
        if (traffic->flows[i].messages)
            g_array_append_val(result->flows, traffic->flows[i]);
    if (result->flows->len)
        qsort(result->flows->data, result->flows->len, sizeof(MachFlow), compare_flows);
    return result;
}

static bool write_traffic(const MonExportRun *run, const char *path, GError **error)
{
    g_autoptr(MachTraffic) flows = sorted(run->own);
    g_autoptr(GString) text = g_string_new(NULL);
    mach_traffic_print(flows, text);
    return base_write_report(path, text->str, text->len, error);
}

const MonExport mon_export_traffic = {.begin = begin, .write = write_traffic, .end = end};
