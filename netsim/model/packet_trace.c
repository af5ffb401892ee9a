/* packet_trace.c - which links packets are on, or in line for, in networks whose links can fail.
 *
 * A packet that has been given a link keeps it until its last bit is at the other end. With cut-through a packet may be
 * on many links at once, and it is lost when one of them fails. Packets are identified by the indices of their
 * messages.
 */
#include "netsim/model/packet_trace.h"

#include "netsim/core/core.h"
#include "netsim/params/params.h"

typedef struct Trace {
    NetCrossing *crossing;
    uint32_t n, capacity;
    uint32_t lost_on; /* link on which the packet was lost; NET_NONE: not lost */
} Trace;

struct NetTraces {
    Trace *trace; /* indexed by packet */
    uint32_t n;
};

NetTraces *net_traces_new(void)
{
    return g_new0(NetTraces, 1);
}

void net_traces_free(NetTraces *traces)
{
    if (!traces)
        return;
    for (uint32_t i = 0; i < traces->n; i++)
        g_free(traces->trace[i].crossing);
    g_free(traces->trace);
    g_free(traces);
}

static Trace *trace_of(NetTraces *traces, uint32_t packet)
{
    if (packet >= traces->n) {
        uint32_t n = MAX(packet + 1, 2 * traces->n);
        traces->trace = g_renew(Trace, traces->trace, n);
        for (uint32_t i = traces->n; i < n; i++)
            traces->trace[i] = (Trace){.lost_on = NET_NONE};
        traces->n = n;
    }
    return &traces->trace[packet];
}

void net_traces_add(NetTraces *traces, uint32_t packet, const NetCrossing *crossing)
{
    Trace *trace = trace_of(traces, packet);
    if (trace->n == trace->capacity) {
        trace->capacity = MAX(4, 2 * trace->capacity);
        trace->crossing = g_renew(NetCrossing, trace->crossing, trace->capacity);
    }
    trace->crossing[trace->n++] = *crossing;
}

/* Subtracts from the link's counters what has not been sent yet and never will be. */
static void take_back(Network *net, const NetCrossing *crossing)
{
    NetLink *link = &net->graph.link[crossing->link];
    uint64_t sent_ps = crossing->begin_ps + crossing->duration_ps;
    if (sent_ps <= net->now)
        return;
    link->busy_ps -= sent_ps - MAX(crossing->begin_ps, net->now);
    if (crossing->begin_ps < net->now)
        return;
    link->packets--;
    link->bytes -= crossing->wire_bytes;
}

void net_traces_fail(Network *net, NetTraces *traces, uint32_t link)
{
    for (uint32_t packet = 0; packet < traces->n; packet++) {
        Trace *trace = &traces->trace[packet];
        for (uint32_t i = 0; i < trace->n; i++) {
            const NetCrossing *crossing = &trace->crossing[i];
            if (crossing->link != link || crossing->end_ps <= net->now)
                continue;
            take_back(net, crossing);
            if (trace->lost_on == NET_NONE)
                trace->lost_on = link;
        }
    }
}

bool net_traces_lost(const NetTraces *traces, uint32_t packet, uint32_t *link)
{
    if (packet >= traces->n || traces->trace[packet].lost_on == NET_NONE)
        return false;
    *link = traces->trace[packet].lost_on;
    return true;
}

void net_traces_clear(NetTraces *traces, uint32_t packet)
{
    if (packet >= traces->n)
        return;
    traces->trace[packet].n = 0;
    traces->trace[packet].lost_on = NET_NONE;
}
