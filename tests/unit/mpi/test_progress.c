/* Tests of who handles what arrives, and of the costs of a node: times on an empty network against forms. */
#include "script.h"

enum { CALL = 70, SEND = 300, RECEIVE = 500, MATCH = 11, COPY = 2, ENVELOPE = 40, BYTE = 10, LATENCY = 10000 };
enum { LONG = 4000, SHORT = 400, BUSY = 100000000 };

/* Time of a transfer of so many bytes of payload. */
static uint64_t wire(uint64_t bytes)
{
    return (ENVELOPE + bytes) * BYTE + LATENCY;
}

typedef struct Times {
    uint64_t data;             /* when the data of the last message were given to the network */
    uint64_t finish[2];        /* when the ranks ended */
    uint64_t posted, searched; /* elements of queues that rank 1 looked at */
} Times;

static Times run(Script *s)
{
    script_run(s);
    Times times = {.data = g_array_index(s->messages, MpiMessageInfo, s->messages->len - 1).sent_ps};
    for (int rank = 0; rank < 2; rank++) {
        cr_assert(s->ranks[rank].ended);
        times.finish[rank] = s->ranks[rank].finish_ps;
    }
    times.posted = mpi_world_queue(s->world, 1, MPI_QUEUE_POSTED)->elements;
    times.searched = mpi_world_queue(s->world, 1, MPI_QUEUE_UNEXPECTED)->elements;
    script_close(s);
    return times;
}

static void open_with(Script *s, MpiProgress progress)
{
    script_open(s, 2);
    s->alarms = true;
    s->params.progress[MPI_PROGRESS_MESSAGES] = progress;
}

/* Rank 0 sends a long message, computes and waits; rank 1 waits for it. */
static Times send_behind(MpiProgress progress, uint64_t interrupt_ps)
{
    Script s;
    open_with(&s, progress);
    s.params.interrupt_ps = interrupt_ps;
    script_call(&s, 0, "MPI_Isend", DATA(1000), LONG, TYPE(CHAR), 1, 7, WORLD, DATA(0));
    script_compute(&s, 0, BUSY);
    script_call(&s, 0, "MPI_Wait", DATA(0), 1);
    script_call(&s, 1, "MPI_Recv", DATA(1000), LONG, TYPE(CHAR), 0, 7, WORLD, 1);
    return run(&s);
}

Test(progress, of_a_sender_that_computes)
{
    uint64_t request = CALL + CALL + SEND, answer = request + wire(0); /* MPI_Init is a call as well */
    Times is_inline = send_behind(MPI_PROGRESS_INLINE, 0), thread = send_behind(MPI_PROGRESS_THREAD, 0),
          offload = send_behind(MPI_PROGRESS_OFFLOAD, 0);
    cr_expect_eq(is_inline.data, request + BUSY + CALL + RECEIVE + SEND);
    cr_expect_eq(is_inline.finish[0], is_inline.data + (ENVELOPE + LONG) * BYTE);
    cr_expect_eq(is_inline.finish[1], is_inline.data + wire(LONG) + RECEIVE);
    cr_expect_eq(thread.data, answer + RECEIVE + MATCH + SEND + wire(0) + RECEIVE + SEND);
    cr_expect_eq(thread.finish[0], request + BUSY + CALL);
    cr_expect_eq(thread.finish[1], thread.data + wire(LONG) + RECEIVE);
    cr_expect_eq(offload.data, answer + MATCH + wire(0));
    cr_expect_eq(offload.finish[0], request + BUSY + CALL);
    cr_expect_eq(offload.finish[1], offload.data + wire(LONG));
}

/* Rank 1 has posted a receive and computes; a long or a short message comes. */
static Times receive_behind(MpiProgress progress, uint64_t bytes)
{
    Script s;
    open_with(&s, progress);
    script_call(&s, 0, "MPI_Send", DATA(1000), bytes, TYPE(CHAR), 1, 7, WORLD);
    script_call(&s, 1, "MPI_Irecv", DATA(1000), LONG, TYPE(CHAR), 0, 7, WORLD, DATA(0));
    script_compute(&s, 1, BUSY);
    script_call(&s, 1, "MPI_Wait", DATA(0), 1);
    return run(&s);
}

Test(progress, of_a_receiver_that_computes)
{
    uint64_t request = CALL + CALL + SEND, wait = CALL + CALL + BUSY + CALL;
    Times is_inline = receive_behind(MPI_PROGRESS_INLINE, LONG), thread = receive_behind(MPI_PROGRESS_THREAD, LONG),
          offload = receive_behind(MPI_PROGRESS_OFFLOAD, LONG);
    uint64_t data = wait + RECEIVE + MATCH + SEND + wire(0) + RECEIVE + SEND;
    cr_expect_eq(is_inline.data, data);
    cr_expect_eq(is_inline.finish[1], data + wire(LONG) + RECEIVE);
    cr_expect_eq(thread.data, request + wire(0) + RECEIVE + MATCH + SEND + wire(0) + RECEIVE + SEND);
    cr_expect_eq(thread.finish[1], wait);
    cr_expect_eq(offload.data, request + wire(0) + MATCH + wire(0));
    cr_expect_eq(offload.finish[1], wait);
    is_inline = receive_behind(MPI_PROGRESS_INLINE, SHORT);
    thread = receive_behind(MPI_PROGRESS_THREAD, SHORT);
    cr_expect_eq(is_inline.data, request + SHORT * COPY);
    cr_expect_eq(is_inline.finish[1], wait + RECEIVE + MATCH + SHORT * COPY);
    cr_expect_eq(thread.finish[1], wait);
}

/* Rank 1 waits for a short message that has not come. */
static Times receive(MpiProgress progress, uint64_t interrupt_ps)
{
    Script s;
    open_with(&s, progress);
    s.params.interrupt_ps = interrupt_ps;
    script_call(&s, 0, "MPI_Send", DATA(1000), SHORT, TYPE(CHAR), 1, 7, WORLD);
    script_call(&s, 1, "MPI_Recv", DATA(1000), SHORT, TYPE(CHAR), 0, 7, WORLD, 1);
    return run(&s);
}

Test(progress, of_a_receiver_that_waits)
{
    uint64_t arrival = CALL + CALL + SHORT * COPY + SEND + wire(SHORT);
    uint64_t handled = arrival + RECEIVE + MATCH + SHORT * COPY;
    cr_expect_eq(receive(MPI_PROGRESS_INLINE, 0).finish[1], handled);
    cr_expect_eq(receive(MPI_PROGRESS_THREAD, 0).finish[1], handled);
    cr_expect_eq(receive(MPI_PROGRESS_OFFLOAD, 0).finish[1], arrival + MATCH);
    cr_expect_eq(receive(MPI_PROGRESS_INLINE, 900).finish[1], handled, "no interrupt within a node");
}

/* -- queues ------------------------------------------------------------------------------------ */

enum { MESSAGES = 200, ELEMENT = 3 };

/* `late`: the messages have come when rank 1 receives them, from the last to the first; else the receives are posted
 * in that order. */
static Times queues(MpiProgress progress, MpiMatch match, bool late)
{
    Script s;
    open_with(&s, progress);
    s.params.queue_element_ps = ELEMENT;
    s.params.match = match;
    if (!late)
        script_compute(&s, 0, BUSY);
    for (int i = 0; i < MESSAGES; i++)
        script_call(&s, 0, "MPI_Send", DATA(1000), 4, TYPE(CHAR), 1, i, WORLD);
    if (late)
        script_compute(&s, 1, BUSY);
    for (int i = MESSAGES - 1; i >= 0 && late; i--)
        script_call(&s, 1, "MPI_Recv", DATA(1000), 4, TYPE(CHAR), 0, i, WORLD, 1);
    for (int i = MESSAGES - 1; i >= 0 && !late; i--)
        script_call(&s, 1, "MPI_Irecv", DATA(5000 + 4 * i), 4, TYPE(CHAR), 0, i, WORLD, DATA(8 * i));
    if (!late)
        script_call(&s, 1, "MPI_Waitall", MESSAGES, DATA(0), 1);
    return run(&s);
}

Test(progress, searching_takes_time)
{
    uint64_t each = RECEIVE + MATCH + 4 * COPY, all = MESSAGES * (MESSAGES + 1) / 2;
    Times list = queues(MPI_PROGRESS_INLINE, MPI_MATCH_LIST, true),
          hash = queues(MPI_PROGRESS_INLINE, MPI_MATCH_HASH, true);
    uint64_t calls = CALL + BUSY + MESSAGES * (CALL + each);
    cr_expect_eq(list.searched, all);
    cr_expect_eq(list.finish[1], calls + all * ELEMENT);
    cr_expect_eq(hash.searched, MESSAGES);
    cr_expect_eq(hash.finish[1], calls + MESSAGES * ELEMENT);
    list = queues(MPI_PROGRESS_INLINE, MPI_MATCH_LIST, false);
    cr_expect_eq(list.posted, all);
    list = queues(MPI_PROGRESS_THREAD, MPI_MATCH_LIST, false);
    cr_expect_eq(list.posted, all);
    list = queues(MPI_PROGRESS_OFFLOAD, MPI_MATCH_LIST, true);
    cr_expect_eq(list.searched, all);
    cr_expect_eq(list.finish[1], CALL + BUSY + MESSAGES * (CALL + MATCH + 4 * COPY) + all * ELEMENT);
}

/* Messages for which there is no receive yet pass by those that are there: the rank's next call pays for that. */
Test(progress, arrivals_in_vain_take_time)
{
    enum { POSTED = 10 };
    Script s;
    open_with(&s, MPI_PROGRESS_INLINE);
    s.params.queue_element_ps = ELEMENT;
    for (int i = 0; i < POSTED; i++)
        script_call(&s, 1, "MPI_Irecv", DATA(5000), 4, TYPE(CHAR), 0, i, WORLD, DATA(8 * i));
    script_compute(&s, 1, BUSY);
    for (int i = 0; i < POSTED; i++)
        script_call(&s, 1, "MPI_Cancel", DATA(8 * i));
    script_call(&s, 1, "MPI_Waitall", POSTED, DATA(0), 1);
    script_call(&s, 1, "MPI_Recv", DATA(6000), 4, TYPE(CHAR), 0, 99, WORLD, 1);
    script_call(&s, 0, "MPI_Send", DATA(1000), 4, TYPE(CHAR), 1, 99, WORLD);
    Times times = run(&s);
    cr_expect_eq(times.posted, POSTED);
    cr_expect_eq(times.finish[1], CALL + POSTED * CALL + BUSY + POSTED * CALL + 2 * CALL + RECEIVE + MATCH + 4 * COPY +
                                      (POSTED + 1) * ELEMENT);
}
