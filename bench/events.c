/* events.c - writes a trace of many events, as a long run of an exchange with neighbours would leave it: to measure how
 * long it takes to open such a trace and to draw it (bench/plots.py).
 *
 *     events FILE EVENTS RANKS
 */
#include "trace/trace.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct Run {
    TraceWriter *writer;
    uint32_t ranks, send, receive, site;
    uint64_t messages;
} Run;

static void add_call(const Run *run, uint32_t rank, uint64_t from_ps, uint64_t to_ps, uint64_t blocked_ps,
                     uint32_t name)
{
    static const uint64_t arguments[] = {1024, 1, 0, 7, 0};
    TraceEvent event = {.kind = TRACE_CALL, .location = rank, .time_ps = to_ps, .list = arguments};
    event.fields[TRACE_CALL_FROM] = from_ps;
    event.fields[TRACE_CALL_BLOCKED] = blocked_ps;
    event.fields[TRACE_CALL_FUNCTION] = name;
    event.fields[TRACE_CALL_SITE] = run->site;
    event.fields[TRACE_CALL_ARGUMENTS] = G_N_ELEMENTS(arguments);
    trace_writer_add(run->writer, &event);
}

static void add_message(Run *run, uint32_t rank, uint64_t sent_ps, uint64_t arrived_ps)
{
    TraceEvent event = {.kind = TRACE_MESSAGE, .location = rank, .time_ps = arrived_ps};
    event.fields[TRACE_MESSAGE_SENDER] = (rank + run->ranks - 1) % run->ranks;
    event.fields[TRACE_MESSAGE_SENT] = sent_ps;
    event.fields[TRACE_MESSAGE_ID] = ++run->messages;
    event.fields[TRACE_MESSAGE_BYTES] = UINT64_C(1) << (run->messages % 20);
    trace_writer_add(run->writer, &event);
}

/* Three events of each rank: a send, a message, a receive. */
static void add_step(Run *run, uint64_t step)
{
    for (uint32_t rank = 0; rank < run->ranks; rank++) {
        uint64_t jitter = (step * 7919 + rank * 104729) % 400000, begin = step * 2000000 + jitter;
        add_call(run, rank, begin + 500000, begin + 600000, 0, run->send);
        add_message(run, rank, step * 2000000 + 700000, begin + 1300000);
        add_call(run, rank, begin + 650000, begin + 1400000, 600000, run->receive);
    }
}

int main(int argc, char **argv)
{
    g_autoptr(GError) error = NULL;
    if (argc != 4) {
        fprintf(stderr, "usage: events FILE EVENTS RANKS\n");
        return 2;
    }
    uint64_t events = g_ascii_strtoull(argv[2], NULL, 10);
    Run run = {.ranks = (uint32_t)MAX(g_ascii_strtoull(argv[3], NULL, 10), 1)};
    run.writer = trace_writer_new(argv[1], run.ranks, &error);
    if (run.writer) {
        run.send = trace_writer_text(run.writer, "MPI_Send");
        run.receive = trace_writer_text(run.writer, "MPI_Recv");
        run.site = trace_writer_site(run.writer, &(TraceSite){"exchange.c", "main", 42});
        for (uint64_t step = 0; trace_writer_events(run.writer) < events; step++)
            add_step(&run, step);
        trace_writer_end(run.writer, &error);
    }
    if (error)
        fprintf(stderr, "%s\n", error->message);
    return error != NULL;
}
