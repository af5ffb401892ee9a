/* test_protocol_progress.c - protocols whose messages a communication thread or the network interface handles: numbers
 * of transmissions, and times calculated by hand. The costs are those of test_protocols.c.
 *
 * In all of these the rank that something comes for computes for a long time, or waits; a thread has a core. */
#include "mpi/core/handles.h"
#include "mpi/core/world.h"
#include "script.h"

enum { C = 70, S = 300, R = 500, M = 11, L = 10000, BUSY = 100000000, LATE = 1000000, CHUNK = 1000 };

#define BYTE   TYPE(CHAR)
#define IGNORE MPI_STATUS_IGNORE_

static uint64_t copy_ps(uint64_t bytes)
{
    return 2 * bytes;
}

/* Time on the wire, and until it has arrived. */
static uint64_t wire_ps(uint64_t bytes)
{
    return 10 * (40 + bytes);
}

static uint64_t way_ps(uint64_t bytes)
{
    return wire_ps(bytes) + L;
}

static const MpiProgress workers[] = {MPI_PROGRESS_THREAD, MPI_PROGRESS_OFFLOAD};

/* What a worker pays of a time that a thread pays. */
static uint64_t paid(MpiProgress by, uint64_t ps)
{
    return by == MPI_PROGRESS_THREAD ? ps : 0;
}

static void open_by(Script *s, MpiProtocol protocol, MpiProgress by)
{
    script_open(s, 2);
    s->params.protocol.protocol = protocol;
    s->params.protocol.chunk = CHUNK;
    s->params.progress[MPI_PROGRESS_MESSAGES] = by;
    s->alarms = true;
}

static void fill(Script *s, uint64_t bytes)
{
    script_start(s);
    for (uint64_t i = 0; i < bytes; i++)
        *(uint8_t *)script_memory(s, 0, i, 1) = (uint8_t)(i * 7 + i / 256);
}

static void check_data(Script *s, uint64_t bytes)
{
    for (uint64_t i = 0; i < bytes; i++)
        cr_assert_eq(*(const uint8_t *)script_memory(s, 1, i, 1), (uint8_t)(i * 7 + i / 256));
}

/* Rank 0 sends and computes, rank 1 waits, or the other way round. */
static void send_behind(Script *s, uint64_t bytes, uint32_t computes)
{
    script_call(s, 0, "MPI_Isend", DATA(0), bytes, BYTE, 1, 7, WORLD, DATA(SCRIPT_BSS - 8));
    script_call(s, 1, "MPI_Irecv", DATA(0), bytes, BYTE, 0, 7, WORLD, DATA(SCRIPT_BSS - 8));
    script_compute(s, computes, BUSY);
    for (uint32_t rank = 0; rank < 2; rank++)
        script_call(s, rank, "MPI_Wait", DATA(SCRIPT_BSS - 8), IGNORE);
    fill(s, bytes);
    script_go(s);
    check_data(s, bytes);
    cr_assert(s->ranks[0].ended && s->ranks[1].ended);
}

/* By rendezvous, a permission that comes for a sender that computes is answered at once. */
Test(protocol_progress, rendezvous_behind_a_computation)
{
    for (size_t i = 0; i < G_N_ELEMENTS(workers); i++) {
        Script s;
        MpiProgress by = workers[i];
        open_by(&s, MPI_PROTOCOL_RENDEZVOUS, by);
        send_behind(&s, 100, 0);
        uint64_t left = 2 * C + S + way_ps(0) + M + paid(by, R + S) + way_ps(0) + paid(by, R + S);
        cr_assert_eq(s.ranks[0].finish_ps, 2 * C + S + BUSY + C);
        cr_assert_eq(s.ranks[1].finish_ps, left + way_ps(100) + paid(by, R));
        cr_assert_eq(s.transmissions, 3);
        cr_assert_eq(mpi_world_stats(s.world, 0)->thread_ps, paid(by, R + S));
        cr_assert_eq(mpi_world_stats(s.world, 1)->thread_ps, paid(by, R + M + S + R));
        script_close(&s);
    }
}

/* Posts and RTS cross. All pieces leave, and are acknowledged, while the sender computes. */
Test(protocol_progress, receiver_post_behind_a_computation)
{
    for (size_t i = 0; i < 2 * G_N_ELEMENTS(workers); i++) {
        enum { BYTES = 3 * CHUNK + 1 };
        Script s;
        MpiProgress by = workers[i / 2];
        open_by(&s, MPI_PROTOCOL_RECEIVER_POST, by);
        send_behind(&s, BYTES, i % 2);
        uint64_t posted = C + C + S + way_ps(0); /* the call that posts pays for that */
        uint64_t left = posted + M + paid(by, R + S);
        for (int piece = 1; piece <= 3; piece++)
            left += way_ps(CHUNK) + paid(by, R + S) + way_ps(0) + paid(by, R + S);
        uint64_t end[2] = {left + wire_ps(1), left + way_ps(1) + paid(by, R)}, began = 2 * C + S;
        end[i % 2] = began + BUSY + C;
        for (int rank = 0; rank < 2; rank++)
            cr_assert_eq(s.ranks[rank].finish_ps, end[rank]);
        cr_assert_eq(s.transmissions, 1 + 1 + 4 + 3);
        script_close(&s);
    }
}

/* Put: the acknowledgement finds a sender that computes. */
Test(protocol_progress, put_behind_a_computation)
{
    for (size_t i = 0; i < G_N_ELEMENTS(workers); i++) {
        enum { BYTES = 2000 };
        Script s;
        MpiProgress by = workers[i];
        open_by(&s, MPI_PROTOCOL_PUT, by);
        send_behind(&s, BYTES, 0);
        uint64_t left = 2 * C + S + way_ps(0) + M + paid(by, R + S) + way_ps(0) + paid(by, R + S);
        cr_assert_eq(s.ranks[0].finish_ps, 2 * C + S + BUSY + C);
        cr_assert_eq(s.ranks[1].finish_ps, left + way_ps(BYTES) + paid(by, R));
        cr_assert_eq(s.transmissions, 4);
        script_close(&s);
    }
}

/* Four sends of which two find credits, and two ask; the thread of the receiver takes messages out, gives credits back
 * and answers while its rank computes, and that of the sender sends what has waited while its rank computes. */
Test(protocol_progress, credits_behind_computations)
{
    enum { BYTES = 500, N = 4 };
    for (size_t i = 0; i < G_N_ELEMENTS(workers); i++) {
        Script s;
        MpiProgress by = workers[i];
        open_by(&s, MPI_PROTOCOL_EAGER, by);
        s.params.eager_limit = 500;
        s.params.protocol.credits = 2 * (BYTES + 40);
        for (uint64_t k = 0; k < N; k++) {
            script_call(&s, 0, "MPI_Isend", DATA(BYTES * k), BYTES, BYTE, 1, 7, WORLD, DATA(SCRIPT_BSS - 64 + 8 * k));
            script_call(&s, 1, "MPI_Irecv", DATA(BYTES * k), BYTES, BYTE, 0, 7, WORLD, DATA(SCRIPT_BSS - 64 + 8 * k));
        }
        for (uint32_t rank = 0; rank < 2; rank++) {
            script_compute(&s, rank, BUSY);
            script_call(&s, rank, "MPI_Waitall", N, DATA(SCRIPT_BSS - 64), IGNORE);
        }
        fill(&s, BYTES * N);
        script_go(&s);
        check_data(&s, BYTES * N);
        uint64_t put_in = copy_ps(BYTES) + S, take = M + paid(by, R + copy_ps(BYTES));
        cr_assert_eq(s.ranks[0].finish_ps, C + 2 * (C + put_in) + 2 * (C + S) + BUSY + C);
        cr_assert_eq(s.ranks[1].finish_ps, C + N * C + BUSY + C);
        cr_assert_eq(s.transmissions, N + 2 + 2 * 2); /* half of the credits is told at once, two ask */
        uint64_t credit = C + C + put_in + way_ps(BYTES) + take + paid(by, S) + way_ps(0);
        const MpiRankStats *stats = mpi_world_stats(s.world, 0);
        cr_assert_eq(stats->sends_held, 2);
        cr_assert(stats->held_ps > 0 && stats->held_ps < 4 * (credit + way_ps(BYTES)));
        script_close(&s);
    }
}

/* What the daemon brings is copied by the worker, and a send that it has taken late is complete by the worker. */
Test(protocol_progress, daemons)
{
    enum { BYTES = 500 };
    for (size_t i = 0; i < G_N_ELEMENTS(workers); i++) {
        Script s;
        MpiProgress by = workers[i];
        open_by(&s, MPI_PROTOCOL_DAEMON, by);
        s.apart = true;
        s.params.daemon = (MpiDaemonParams){.message_ps = 1000, .copy_byte_fs = 1000};
        script_call(&s, 0, "MPI_Send", DATA(0), BYTES, BYTE, 1, 7, WORLD);
        script_call(&s, 1, "MPI_Recv", DATA(0), BYTES, BYTE, 0, 7, WORLD, IGNORE);
        fill(&s, BYTES);
        script_go(&s);
        check_data(&s, BYTES);
        uint64_t given = 2 * C + copy_ps(BYTES) + S, daemon = 1000 + BYTES;
        cr_assert_eq(s.ranks[0].finish_ps, given);
        cr_assert_eq(s.ranks[1].finish_ps, given + daemon + way_ps(BYTES) + daemon + M + paid(by, R) + copy_ps(BYTES));
        cr_assert_eq(s.transmissions, 1);
        script_close(&s);
    }
}

/* A send that waits for credits is not complete, and takes its data when it goes: it may be freed, and its process
 * finalizes when the message is on its way. */
Test(protocol_progress, held_sends_that_are_freed_are_delivered)
{
    static const MpiProgress all[] = {MPI_PROGRESS_INLINE, MPI_PROGRESS_THREAD, MPI_PROGRESS_OFFLOAD};
    for (size_t i = 0; i < G_N_ELEMENTS(all); i++) {
        Script s;
        open_by(&s, MPI_PROTOCOL_EAGER, all[i]);
        s.params.eager_limit = 500;
        s.params.protocol.credits = 2 * 540;
        for (uint64_t k = 0; k < 4; k++) {
            script_call(&s, 0, "MPI_Isend", DATA(500 * k), 500, BYTE, 1, 7, WORLD, DATA(SCRIPT_BSS - 8));
            script_call(&s, 0, "MPI_Request_free", DATA(SCRIPT_BSS - 8));
        }
        script_call(&s, 0, "MPI_Finalize", 0);
        script_compute(&s, 1, LATE);
        for (uint64_t k = 0; k < 4; k++)
            script_call(&s, 1, "MPI_Recv", DATA(500 * k), 500, BYTE, 0, 7, WORLD, IGNORE);
        fill(&s, 2000);
        script_go(&s);
        check_data(&s, 2000);
        cr_assert(s.ranks[0].ended && s.ranks[1].ended);
        cr_assert_eq(mpi_world_stats(s.world, 1)->messages_received, 4);
        script_close(&s);
    }
}

/* A send that has not left can be cancelled, whoever handles messages; those behind it go on. */
Test(protocol_progress, held_sends_can_be_cancelled)
{
    static const MpiProgress all[] = {MPI_PROGRESS_INLINE, MPI_PROGRESS_THREAD, MPI_PROGRESS_OFFLOAD};
    static const MpiProtocol by[] = {MPI_PROTOCOL_EAGER, MPI_PROTOCOL_EAGER, MPI_PROTOCOL_DAEMON};
    for (size_t i = 0; i < G_N_ELEMENTS(all) * G_N_ELEMENTS(by); i++) {
        Script s;
        unsigned way = (unsigned)(i / G_N_ELEMENTS(all));
        open_by(&s, by[way], all[i % G_N_ELEMENTS(all)]);
        s.apart = true;
        s.params.eager_limit = 500;
        s.params.protocol.credits = way == 0 ? 2 * 540 : 0;
        s.params.protocol.pool = way == 1 ? 2 * 540 : 0;
        s.params.daemon = (MpiDaemonParams){.message_ps = 1000, .soft = 540, .hard = 1080};
        for (uint64_t k = 0; k < 8; k++)
            script_call(&s, 0, "MPI_Isend", DATA(500 * k), 500, BYTE, 1, k, WORLD, DATA(SCRIPT_BSS - 64 + 8 * k));
        script_call(&s, 0, "MPI_Cancel", DATA(SCRIPT_BSS - 16));
        for (uint64_t k = 0; k < 8; k++)
            script_call(&s, 0, "MPI_Wait", DATA(SCRIPT_BSS - 64 + 8 * k), DATA(SCRIPT_BSS - 1000 + 32 * k));
        script_compute(&s, 1, LATE);
        for (uint64_t k = 0; k < 8; k++)
            if (k != 6)
                script_call(&s, 1, "MPI_Recv", DATA(500 * k), 500, BYTE, 0, k, WORLD, IGNORE);
        fill(&s, 4000);
        script_go(&s);
        cr_assert(s.ranks[0].ended && s.ranks[1].ended, "%zu", i);
        cr_assert_eq(script_status(&s, 0, SCRIPT_BSS - 1000 + 32 * 6).cancelled, 1, "%zu", i);
        cr_assert_eq(script_status(&s, 0, SCRIPT_BSS - 1000 + 32 * 7).cancelled, 0);
        cr_assert_eq(mpi_world_stats(s.world, 1)->messages_received, 7);
        script_close(&s);
    }
}
