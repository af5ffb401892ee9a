/* test_protocols.c - the protocols of point-to-point messages (mpi/protocol) on scripts: numbers of transmissions, and
 * times calculated by hand, on a network that is one formula.
 *
 * Costs of script.h: call c = 70, send s = 300, receive r = 500, match 11, copy 2 ps per byte, envelope 40 bytes, 10 ps
 * per byte on the wire, latency 10,000. */
#include "mpi/core/handles.h"
#include "mpi/core/world.h"
#include "script.h"

enum { C = 70, S = 300, R = 500, M = 11, E = 400 /* envelope on the wire */, L = 10000, LATE = 1000000 };
enum { CHUNK = 1000 };

#define BYTE   TYPE(CHAR)
#define IGNORE MPI_STATUS_IGNORE_

static uint64_t copy_ps(uint64_t bytes)
{
    return 2 * bytes;
}

static uint64_t wire_ps(uint64_t bytes)
{
    return E + 10 * bytes;
}

static void open_by(Script *s, uint32_t ranks, MpiProtocol protocol)
{
    script_open(s, ranks);
    s->params.protocol.protocol = protocol;
    s->params.protocol.chunk = CHUNK;
}

static void fill(Script *s, uint64_t bytes)
{
    script_start(s);
    uint8_t *data = bytes ? script_memory(s, 0, 0, bytes) : NULL;
    for (uint64_t i = 0; i < bytes; i++)
        data[i] = (uint8_t)(i * 7 + i / 256);
}

static void check_data(Script *s, uint64_t bytes)
{
    const uint8_t *data = bytes ? script_memory(s, 1, 0, bytes) : NULL;
    for (uint64_t i = 0; i < bytes; i++)
        cr_assert_eq(data[i], (uint8_t)(i * 7 + i / 256));
}

/* Runs a send of rank 0 and a receive of rank 1; one of them comes late. */
static void one_message(Script *s, uint64_t bytes, uint32_t late)
{
    script_compute(s, late, LATE);
    script_call(s, 0, "MPI_Send", DATA(0), bytes, BYTE, 1, 7, WORLD);
    script_call(s, 1, "MPI_Recv", DATA(0), bytes, BYTE, 0, 7, WORLD, DATA(SCRIPT_BSS - 64));
    fill(s, bytes);
    script_go(s);
    check_data(s, bytes);
    cr_assert_eq(script_status(s, 1, SCRIPT_BSS - 64).bytes, bytes);
    cr_assert_eq(mpi_world_stats(s->world, 0)->messages_sent, 1);
    cr_assert_eq(mpi_world_stats(s->world, 1)->messages_received, 1);
    cr_assert_eq(s->messages->len, 1);
    cr_assert_eq(g_array_index(s->messages, MpiMessageInfo, 0).bytes, bytes);
}

/* -- receiver-post ------------------------------------------------------------------------------- */

/* Returns when the last piece leaves, if the first is handed over at left_ps; `first_ps`: what the receiver does
 * besides for the first. */
static uint64_t last_piece_ps(uint64_t left_ps, uint64_t bytes, uint64_t first_ps)
{
    for (; bytes > CHUNK; bytes -= CHUNK, first_ps = 0) {
        uint64_t acknowledged = left_ps + wire_ps(CHUNK) + L + R + first_ps + S + wire_ps(0) + L;
        left_ps = acknowledged + R + S;
    }
    return left_ps;
}

static uint64_t pieces(uint64_t bytes)
{
    return bytes ? (bytes + CHUNK - 1) / CHUNK : 1;
}

static uint64_t last_bytes(uint64_t bytes)
{
    return bytes - (pieces(bytes) - 1) * CHUNK;
}

static const uint64_t sizes[] = {0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK, 64 * CHUNK};

/* A post, then pieces with acknowledgements between them: the post has come when the send begins. */
Test(protocols, receiver_post_after_the_receive)
{
    for (size_t i = 0; i < G_N_ELEMENTS(sizes); i++) {
        Script s;
        uint64_t bytes = sizes[i];
        open_by(&s, 2, MPI_PROTOCOL_RECEIVER_POST);
        one_message(&s, bytes, 0);
        uint64_t last = last_piece_ps(C + LATE + C + R + M + S, bytes, M);
        cr_assert_eq(s.ranks[0].finish_ps, last + wire_ps(last_bytes(bytes)));
        cr_assert_eq(s.ranks[1].finish_ps, last + wire_ps(last_bytes(bytes)) + L + R + (pieces(bytes) == 1 ? M : 0));
        cr_assert_eq(s.transmissions, 1 + 2 * pieces(bytes) - 1);
        script_close(&s);
    }
}

/* The sender's post, the receiver's answer, then the pieces. */
Test(protocols, receiver_post_after_the_send)
{
    for (size_t i = 0; i < G_N_ELEMENTS(sizes); i++) {
        Script s;
        uint64_t bytes = sizes[i];
        open_by(&s, 2, MPI_PROTOCOL_RECEIVER_POST);
        one_message(&s, bytes, 1);
        uint64_t answered = C + LATE + C + R + M + S + wire_ps(0) + L;
        uint64_t last = last_piece_ps(answered + R + S, bytes, 0);
        cr_assert_eq(s.ranks[0].finish_ps, last + wire_ps(last_bytes(bytes)));
        cr_assert_eq(s.ranks[1].finish_ps, last + wire_ps(last_bytes(bytes)) + L + R);
        cr_assert_eq(s.transmissions, 2 + 2 * pieces(bytes) - 1);
        script_close(&s);
    }
}

/* Without a key, chunks have 64 KiB: numbers of messages, and times, in both orders. */
Test(protocols, receiver_post_in_chunks_of_64_KiB)
{
    enum { PIECE = 65536 };
    static const struct {
        uint64_t bytes, chunks, acknowledgements;
    } rows[] = {{PIECE - 1, 1, 0}, {PIECE, 1, 0}, {PIECE + 1, 2, 1}, {2 * PIECE, 2, 1}, {4 << 20, 64, 63}};
    for (size_t i = 0; i < 2 * G_N_ELEMENTS(rows); i++) {
        Script s;
        uint64_t bytes = rows[i / 2].bytes, chunks = rows[i / 2].chunks, more = rows[i / 2].acknowledgements;
        bool asked = i % 2; /* the send comes first */
        open_by(&s, 2, MPI_PROTOCOL_RECEIVER_POST);
        s.params.protocol.chunk = 0;
        s.bss_bytes = bytes;
        script_compute(&s, asked, LATE);
        script_call(&s, 0, "MPI_Send", DATA(0), bytes, BYTE, 1, 7, WORLD);
        script_call(&s, 1, "MPI_Recv", DATA(0), bytes, BYTE, 0, 7, WORLD, IGNORE);
        fill(&s, bytes);
        script_go(&s);
        check_data(&s, bytes);
        uint64_t control = S + wire_ps(0) + L;
        uint64_t begun = C + LATE + C + R + M + (asked ? control + R : 0); /* the sender knows that it is wanted */
        uint64_t turn = S + wire_ps(PIECE) + L + R + control + R;          /* a chunk and its acknowledgement */
        uint64_t found = asked ? 0 : M;                                    /* where the first chunk finds its receive */
        uint64_t left = begun + more * turn + (more ? found : 0) + S + wire_ps(bytes - more * PIECE);
        cr_assert_eq(s.ranks[0].finish_ps, left);
        cr_assert_eq(s.ranks[1].finish_ps, left + L + R + (more ? 0 : found));
        cr_assert_eq(s.transmissions, (asked ? 2 : 1) + chunks + more);
        cr_assert_eq(mpi_world_stats(s.world, 1)->controls_sent, 1 + more);
        cr_assert_eq(mpi_world_stats(s.world, 0)->controls_sent, asked);
        script_close(&s);
    }
}

/* Posts that cross: the sender takes the receiver's, the receiver drops the sender's, and nobody answers. */
Test(protocols, crossing_posts_are_dropped)
{
    Script s;
    open_by(&s, 2, MPI_PROTOCOL_RECEIVER_POST);
    script_call(&s, 0, "MPI_Send", DATA(0), 100, BYTE, 1, 7, WORLD);
    script_call(&s, 1, "MPI_Recv", DATA(0), 100, BYTE, 0, 7, WORLD, IGNORE);
    fill(&s, 100);
    script_go(&s);
    uint64_t left = 2 * C + S + wire_ps(0) + L + R + M + S;
    cr_assert_eq(s.ranks[0].finish_ps, left + wire_ps(100));
    cr_assert_eq(s.ranks[1].finish_ps, left + wire_ps(100) + L + R);
    cr_assert_eq(s.transmissions, 3);
    check_data(&s, 100);
    script_close(&s);
}

/* Of two long messages the second is deferred until the last piece of the first has been handed over. */
Test(protocols, one_long_transfer_of_a_pair_at_a_time)
{
    Script s;
    enum { BYTES = 2 * CHUNK };
    open_by(&s, 2, MPI_PROTOCOL_RECEIVER_POST);
    script_compute(&s, 0, LATE);
    for (uint64_t i = 0; i < 2; i++) {
        script_call(&s, 0, "MPI_Isend", DATA(BYTES * i), BYTES, BYTE, 1, 7 + i, WORLD, DATA(SCRIPT_BSS - 64 + 8 * i));
        script_call(&s, 1, "MPI_Irecv", DATA(BYTES * i), BYTES, BYTE, 0, 7 + i, WORLD, DATA(SCRIPT_BSS - 64 + 8 * i));
    }
    for (uint32_t rank = 0; rank < 2; rank++)
        script_call(&s, rank, "MPI_Waitall", 2, DATA(SCRIPT_BSS - 64), IGNORE);
    fill(&s, 2 * BYTES);
    script_go(&s);
    check_data(&s, 2 * BYTES);
    uint64_t piece = wire_ps(CHUNK) + L, control = wire_ps(0) + L;
    uint64_t first = C + LATE + C + R + M + S;                   /* the first piece of the first message leaves */
    uint64_t last = first + piece + R + M + S + control + R + S; /* its last one */
    uint64_t second = last + S;                                  /* the first piece of the second message */
    uint64_t end = MAX(second, last + R) + piece + R + M + S + control + R + S; /* the receiver is busy until then */
    cr_assert_eq(s.ranks[0].finish_ps, end + wire_ps(CHUNK));
    cr_assert_eq(s.ranks[1].finish_ps, end + piece + R);
    cr_assert_eq(s.transmissions, 2 + 2 * 3);
    script_close(&s);
}

static void open_receivers(Script *s, uint64_t later_ps)
{
    open_by(s, 3, MPI_PROTOCOL_RECEIVER_POST);
    script_compute(s, 1, later_ps);
    for (uint64_t rank = 1; rank < 3; rank++)
        script_call(s, (uint32_t)rank, "MPI_Send", DATA(4 * rank), 4, BYTE, 0, 7, WORLD);
}

/* A receive from any source takes the post of the lowest rank, though that of another came first. */
Test(protocols, wildcards_scan_in_rank_order)
{
    Script s;
    open_receivers(&s, 5000);
    script_compute(&s, 0, LATE);
    for (uint64_t i = 0; i < 2; i++)
        script_call(&s, 0, "MPI_Recv", DATA(0), 4, BYTE, MPI_ANY_SOURCE_, 7, WORLD, DATA(100 + 32 * i));
    script_run(&s);
    cr_assert_eq(script_status(&s, 0, 100).source, 1);
    cr_assert_eq(script_status(&s, 0, 132).source, 2);
    cr_assert_eq(s.transmissions, 2 * 3);
    script_close(&s);
}

/* A receive from rank 2 behind one from any source is not posted before that has its message: it must not get the one
 * that comes first. */
Test(protocols, posts_wait_behind_wildcards)
{
    Script s;
    open_by(&s, 3, MPI_PROTOCOL_RECEIVER_POST);
    script_compute(&s, 2, LATE);
    script_call(&s, 0, "MPI_Irecv", DATA(0), 4, BYTE, MPI_ANY_SOURCE_, 7, WORLD, DATA(200));
    script_call(&s, 0, "MPI_Irecv", DATA(4), 4, BYTE, 2, 7, WORLD, DATA(208));
    script_call(&s, 0, "MPI_Waitall", 2, DATA(200), DATA(100));
    for (int i = 0; i < 2; i++)
        script_call(&s, 2, "MPI_Send", DATA(4 * (uint64_t)i), 4, BYTE, 0, 7, WORLD);
    script_start(&s);
    script_set_int(&s, 2, 0, 11);
    script_set_int(&s, 2, 4, 22);
    script_go(&s);
    cr_assert_eq(script_int(&s, 0, 0), 11);
    cr_assert_eq(script_int(&s, 0, 4), 22);
    cr_assert(s.ranks[0].ended && s.ranks[2].ended);
    script_close(&s);
}

/* Whoever sends first on both sides waits for ever, whatever the size, and is told why. */
Test(protocols, both_send_first_deadlocks_at_every_size)
{
    static const uint64_t lengths[] = {0, 1, CHUNK, CHUNK + 1};
    for (size_t i = 0; i < G_N_ELEMENTS(lengths); i++) {
        Script s;
        open_by(&s, 2, MPI_PROTOCOL_RECEIVER_POST);
        for (uint32_t rank = 0; rank < 2; rank++) {
            script_call(&s, rank, "MPI_Send", DATA(0), lengths[i], BYTE, 1 - rank, 7, WORLD);
            script_call(&s, rank, "MPI_Recv", DATA(0), lengths[i], BYTE, 1 - rank, 7, WORLD, IGNORE);
        }
        script_run(&s);
        g_autoptr(GString) text = g_string_new(NULL);
        mpi_world_explain_deadlock(s.world, false, text);
        cr_assert(!s.ranks[0].ended && !s.ranks[1].ended);
        cr_assert(strstr(text->str, "receiver-post: every message waits for its receive"), "%s", text->str);
        cr_assert(strstr(text->str, "cycle: 0 -> 1 -> 0"), "%s", text->str);
        script_close(&s);
    }
}

/* A receive whose message is on its way cannot be cancelled; one that nobody sends to can, and its post is void. */
Test(protocols, posted_receives_are_cancelled_in_time)
{
    Script s;
    open_by(&s, 2, MPI_PROTOCOL_RECEIVER_POST);
    script_call(&s, 1, "MPI_Irecv", DATA(0), 4, BYTE, 0, 7, WORLD, DATA(200));
    script_call(&s, 1, "MPI_Cancel", DATA(200));
    script_call(&s, 1, "MPI_Wait", DATA(200), DATA(100));
    script_compute(&s, 0, LATE);
    script_call(&s, 0, "MPI_Send", DATA(0), 4, BYTE, 1, 7, WORLD);
    script_compute(&s, 1, 2 * LATE);
    script_call(&s, 1, "MPI_Recv", DATA(4), 4, BYTE, 0, 7, WORLD, DATA(132));
    script_run(&s);
    cr_assert_eq(script_status(&s, 1, 100).cancelled, 1);
    cr_assert_eq(script_status(&s, 1, 132).bytes, 4);
    cr_assert(s.ranks[0].ended && s.ranks[0].finish_ps > 2 * LATE);
    script_close(&s);
}

/* -- eager, within limits ------------------------------------------------------------------------- */

enum { SHORT = 500, NEED = SHORT + 40 };

static void four_sends(Script *s)
{
    script_compute(s, 1, LATE);
    for (int i = 0; i < 4; i++) {
        script_call(s, 0, "MPI_Send", DATA(0), SHORT, BYTE, 1, 7, WORLD);
        script_call(s, 1, "MPI_Recv", DATA(0), SHORT, BYTE, 0, 7, WORLD, IGNORE);
    }
    fill(s, SHORT);
    script_go(s);
    check_data(s, SHORT);
}

/* Three messages find room. The fourth waits for its receive. The receiver tells of half of the credits before. */
Test(protocols, eager_sends_wait_for_credits)
{
    Script s;
    open_by(&s, 2, MPI_PROTOCOL_EAGER);
    s.params.protocol.credits = 4 * NEED - 1;
    four_sends(&s);
    uint64_t send = C + copy_ps(SHORT) + S, take = C + R + M + copy_ps(SHORT);
    uint64_t permission = C + LATE + 3 * take + S + C + R + M + S + wire_ps(0) + L;
    uint64_t left = permission + R + S + wire_ps(SHORT);
    cr_assert_eq(s.ranks[0].finish_ps, left);
    cr_assert_eq(s.ranks[1].finish_ps, left + L + R);
    const MpiRankStats *stats = mpi_world_stats(s.world, 0);
    cr_assert_eq(stats->sends_held, 1);
    cr_assert_eq(stats->held_ps, permission - (C + 3 * send + C));
    cr_assert_eq(s.transmissions, 4 + 1 + 2); /* a word about credits, and two for the fourth */
    cr_assert_eq(stats->controls_sent, 1);
    cr_assert_eq(mpi_world_stats(s.world, 1)->controls_sent, 2);
    script_close(&s);
}

/* With the limit of the machine file that holds everything, nothing waits and no time changes. */
Test(protocols, credits_that_suffice_change_nothing)
{
    uint64_t finish[2];
    for (int i = 0; i < 2; i++) {
        Script s;
        open_by(&s, 2, MPI_PROTOCOL_EAGER);
        s.params.protocol.credits = i ? 100000 : 0;
        four_sends(&s);
        finish[i] = s.ranks[1].finish_ps;
        cr_assert_eq(mpi_world_stats(s.world, 0)->sends_held, 0);
        cr_assert_eq(s.transmissions, 4);
        script_close(&s);
    }
    cr_assert_eq(finish[0], finish[1]);
}

/* A message that comes back brings the credits with it: no message of its own is needed. */
Test(protocols, credits_come_back_with_traffic)
{
    Script s;
    open_by(&s, 2, MPI_PROTOCOL_EAGER);
    s.params.protocol.credits = 4 * NEED;
    for (int i = 0; i < 20; i++)
        for (uint32_t rank = 0; rank < 2; rank++) {
            script_call(&s, (rank + 0) % 2, i % 2 == (int)rank ? "MPI_Send" : "MPI_Recv", DATA(0), SHORT, BYTE,
                        1 - rank, 7, WORLD, IGNORE);
        }
    script_run(&s);
    cr_assert(s.ranks[0].ended && s.ranks[1].ended);
    cr_assert_eq(s.transmissions, 20);
    cr_assert_eq(mpi_world_stats(s.world, 0)->sends_held + mpi_world_stats(s.world, 1)->sends_held, 0);
    script_close(&s);
}

/* Room in a pool is asked for and given, one message at a time here. */
Test(protocols, eager_sends_ask_for_room_in_a_pool)
{
    Script s;
    open_by(&s, 2, MPI_PROTOCOL_EAGER);
    s.params.protocol.pool = NEED;
    script_call(&s, 0, "MPI_Send", DATA(0), SHORT, BYTE, 1, 7, WORLD);
    script_call(&s, 1, "MPI_Recv", DATA(0), SHORT, BYTE, 0, 7, WORLD, IGNORE);
    fill(&s, SHORT);
    script_go(&s);
    check_data(&s, SHORT);
    uint64_t given = 2 * C + S + wire_ps(0) + L + R + S + wire_ps(0) + L;
    uint64_t left = given + R + copy_ps(SHORT) + S;
    cr_assert_eq(s.ranks[0].finish_ps, left);
    cr_assert_eq(s.ranks[1].finish_ps, left + wire_ps(SHORT) + L + R + M + copy_ps(SHORT));
    cr_assert_eq(s.transmissions, 3);
    cr_assert_eq(mpi_world_stats(s.world, 0)->sends_held, 1);
    script_close(&s);
}

/* A pool without room says so; the message waits for its receive then. */
Test(protocols, a_full_pool_refuses)
{
    Script s;
    open_by(&s, 2, MPI_PROTOCOL_EAGER);
    s.params.protocol.pool = NEED;
    s.params.eager_limit = SHORT;
    for (int i = 0; i < 2; i++)
        script_call(&s, 0, "MPI_Isend", DATA(0), SHORT, BYTE, 1, i, WORLD, DATA(SCRIPT_BSS - 64 + 8 * i));
    script_call(&s, 0, "MPI_Waitall", 2, DATA(SCRIPT_BSS - 64), IGNORE);
    for (int i = 1; i >= 0; i--) /* the one first that finds no room */
        script_call(&s, 1, "MPI_Recv", DATA(0), SHORT, BYTE, 0, i, WORLD, IGNORE);
    fill(&s, SHORT);
    script_go(&s);
    check_data(&s, SHORT);
    cr_assert(s.ranks[0].ended && s.ranks[1].ended);
    cr_assert_eq(s.transmissions, 3 + 5); /* ask, grant, data; ask, deny, request, permission, data */
    cr_assert_eq(mpi_world_stats(s.world, 0)->sends_held, 2);
    script_close(&s);
}

/* What is wanted comes, whatever was sent before it and is not received yet (MPI-4.1 section 3.5, progress): in a small
 * room the last of many is received first. */
Test(protocols, what_is_received_comes)
{
    enum { N = 30 };
    static const MpiProgress workers[] = {MPI_PROGRESS_INLINE, MPI_PROGRESS_THREAD, MPI_PROGRESS_OFFLOAD};
    for (unsigned i = 0; i < 3 * G_N_ELEMENTS(workers); i++) {
        Script s;
        open_by(&s, 2, i / 3 == 2 ? MPI_PROTOCOL_DAEMON : MPI_PROTOCOL_EAGER);
        s.apart = s.alarms = true;
        s.params.protocol.credits = i / 3 == 0 ? 2 * NEED : 0;
        s.params.protocol.pool = i / 3 == 1 ? 2 * NEED : 0;
        s.params.daemon = (MpiDaemonParams){.message_ps = 1000, .soft = NEED, .hard = 2 * NEED};
        s.params.progress[MPI_PROGRESS_MESSAGES] = workers[i % 3];
        for (uint64_t k = 0; k < N; k++)
            script_call(&s, 0, "MPI_Isend", DATA(SHORT * k), SHORT, BYTE, 1, k, WORLD, DATA(SCRIPT_BSS - 400 + 8 * k));
        script_call(&s, 0, "MPI_Barrier", WORLD);
        script_call(&s, 0, "MPI_Waitall", N, DATA(SCRIPT_BSS - 400), IGNORE);
        script_call(&s, 1, "MPI_Barrier", WORLD);
        for (uint64_t k = N; k-- > 0;)
            script_call(&s, 1, "MPI_Recv", DATA(SHORT * k), SHORT, BYTE, 0, k, WORLD, IGNORE);
        fill(&s, N * SHORT);
        script_go(&s);
        check_data(&s, N * SHORT);
        cr_assert(s.ranks[0].ended && s.ranks[1].ended, "%u", i);
        cr_assert(mpi_world_stats(s.world, 0)->sends_held > 0);
        script_close(&s);
    }
}

/* A message that its daemon keeps: its envelope goes ahead, and its receiver asks for the data. */
Test(protocols, daemons_bring_what_is_wanted)
{
    Script s;
    open_by(&s, 2, MPI_PROTOCOL_DAEMON);
    s.apart = s.alarms = true;
    s.params.daemon = (MpiDaemonParams){.message_ps = 1000, .copy_byte_fs = 1000, .soft = 1, .hard = 1};
    for (uint64_t k = 0; k < 2; k++) {
        script_call(&s, 0, "MPI_Send", DATA(SHORT * k), SHORT, BYTE, 1, k, WORLD);
        script_compute(&s, 0, LATE);
    }
    script_compute(&s, 1, 3 * LATE);
    for (uint64_t k = 2; k-- > 0;)
        script_call(&s, 1, "MPI_Recv", DATA(SHORT * k), SHORT, BYTE, 0, k, WORLD, IGNORE);
    fill(&s, 2 * SHORT);
    script_go(&s);
    check_data(&s, 2 * SHORT);
    uint64_t send = C + copy_ps(SHORT) + S, daemon = 1000 + SHORT, control = S + wire_ps(0) + L;
    cr_assert_eq(s.ranks[0].finish_ps, C + 2 * (send + LATE)); /* both have been stored */
    /* the second is received first: envelope found, asked for, data by both daemons; the first is there */
    uint64_t asked = C + 3 * LATE + C + R + M + control + 1000, there = asked + wire_ps(SHORT) + L + daemon;
    cr_assert_eq(s.ranks[1].finish_ps, there + R + copy_ps(SHORT) + C + R + M + copy_ps(SHORT));
    script_close(&s);
}

/* A receiver that never receives: its sender waits, and the reason names the credits. */
Test(protocols, a_wait_for_credits_is_explained)
{
    Script s;
    open_by(&s, 2, MPI_PROTOCOL_EAGER);
    s.params.protocol.credits = 2 * NEED;
    for (int i = 0; i < 3; i++)
        script_call(&s, 0, "MPI_Send", DATA(0), SHORT, BYTE, 1, 7, WORLD);
    script_call(&s, 1, "MPI_Recv", DATA(0), SHORT, BYTE, 0, 8, WORLD, IGNORE);
    script_run(&s);
    g_autoptr(GString) text = g_string_new(NULL);
    mpi_world_explain_deadlock(s.world, false, text);
    cr_assert(strstr(text->str, "no credits: 1080 of the 1080 bytes that rank 1 buffers for this one are in use"), "%s",
              text->str);
    script_close(&s);
}

/* -- rendezvous, put, daemon ---------------------------------------------------------------------- */

/* Without a threshold even an empty message asks first. */
Test(protocols, rendezvous_of_every_size)
{
    static const uint64_t lengths[] = {0, 1, 1000, 1001, 30000};
    for (size_t i = 0; i < G_N_ELEMENTS(lengths); i++) {
        Script s;
        open_by(&s, 2, MPI_PROTOCOL_RENDEZVOUS);
        one_message(&s, lengths[i], 1);
        uint64_t left = C + LATE + C + R + M + S + wire_ps(0) + L + R + S;
        cr_assert_eq(s.ranks[0].finish_ps, left + wire_ps(lengths[i]));
        cr_assert_eq(s.ranks[1].finish_ps, left + wire_ps(lengths[i]) + L + R);
        cr_assert_eq(s.transmissions, 3);
        script_close(&s);
    }
}

/* Request, announcement, data, acknowledgement; memory is registered once. */
Test(protocols, put_in_numbers)
{
    enum { BYTES = 2000, REGISTER = 7000, PAGE = 4096 };
    Script s;
    open_by(&s, 2, MPI_PROTOCOL_PUT);
    s.params.registration = (MpiRegistrationParams){.ps = REGISTER, .byte_fs = 1000};
    for (int i = 0; i < 2; i++) {
        script_call(&s, 0, "MPI_Send", DATA(0), BYTES, BYTE, 1, 7, WORLD);
        script_call(&s, 1, "MPI_Recv", DATA(0), BYTES, BYTE, 0, 7, WORLD, IGNORE);
    }
    fill(&s, BYTES);
    script_go(&s);
    check_data(&s, BYTES);
    uint64_t asked = 2 * C + S, registered = REGISTER + PAGE, placed = 0;
    for (int i = 0; i < 2; i++, registered = 0) {
        uint64_t announced = MAX(asked + wire_ps(0) + L, placed + C) + R + M + registered + S + wire_ps(0) + L;
        placed = announced + R + registered + S + wire_ps(BYTES) + L + R + S;
        asked = placed + wire_ps(0) + L + R + C + S;
    }
    cr_assert_eq(s.ranks[0].finish_ps, asked - C - S);
    cr_assert_eq(s.ranks[1].finish_ps, placed);
    cr_assert_eq(s.transmissions, 2 * 4);
    cr_assert_eq(mpi_world_stats(s.world, 0)->registrations, 1);
    cr_assert_eq(mpi_world_stats(s.world, 1)->registrations, 1);
    script_close(&s);
}

/* The region that was used longest ago is given up. */
Test(protocols, put_keeps_so_many_regions)
{
    static const uint64_t order[] = {0, 1, 0, 2, 0, 1};
    Script s;
    open_by(&s, 2, MPI_PROTOCOL_PUT);
    s.params.registration = (MpiRegistrationParams){.slots = 2};
    for (size_t i = 0; i < G_N_ELEMENTS(order); i++) {
        script_call(&s, 0, "MPI_Send", DATA(8192 * order[i]), 2000, BYTE, 1, 7, WORLD);
        script_call(&s, 1, "MPI_Recv", DATA(0), 2000, BYTE, 0, 7, WORLD, IGNORE);
    }
    script_run(&s);
    cr_assert_eq(mpi_world_stats(s.world, 0)->registrations, 4); /* 0, 1, 2 for 1, 1 for 2 */
    cr_assert_eq(mpi_world_stats(s.world, 1)->registrations, 1);
    script_close(&s);
}

static void open_daemons(Script *s, uint32_t ranks)
{
    open_by(s, ranks, MPI_PROTOCOL_DAEMON);
    s->apart = s->alarms = true;
    s->params.daemon = (MpiDaemonParams){.message_ps = 1000, .copy_byte_fs = 1000};
}

/* The sender is done when its daemon has the data; one transmission leads from daemon to daemon. */
Test(protocols, daemon_in_numbers)
{
    static const uint64_t lengths[] = {0, 1, 1000, 1001, 30000};
    for (size_t i = 0; i < G_N_ELEMENTS(lengths); i++) {
        Script s;
        uint64_t bytes = lengths[i];
        open_daemons(&s, 2);
        script_call(&s, 0, "MPI_Send", DATA(0), bytes, BYTE, 1, 7, WORLD);
        script_call(&s, 1, "MPI_Recv", DATA(0), bytes, BYTE, 0, 7, WORLD, IGNORE);
        fill(&s, bytes);
        script_go(&s);
        check_data(&s, bytes);
        uint64_t given = 2 * C + copy_ps(bytes) + S;
        uint64_t stored = given + 1000 + bytes + wire_ps(bytes) + L + 1000 + bytes;
        cr_assert_eq(s.ranks[0].finish_ps, given);
        cr_assert_eq(s.ranks[1].finish_ps, stored + R + M + copy_ps(bytes));
        cr_assert_eq(s.transmissions, 1);
        script_close(&s);
    }
}

/* Within a node there is one daemon, and no transmission. */
Test(protocols, daemon_within_a_node)
{
    Script s;
    open_daemons(&s, 2);
    s.apart = false;
    script_call(&s, 0, "MPI_Send", DATA(0), 100, BYTE, 1, 7, WORLD);
    script_call(&s, 1, "MPI_Recv", DATA(0), 100, BYTE, 0, 7, WORLD, IGNORE);
    fill(&s, 100);
    script_go(&s);
    check_data(&s, 100);
    cr_assert_eq(s.ranks[1].finish_ps, 2 * C + copy_ps(100) + S + 1000 + 100 + R + M + copy_ps(100));
    cr_assert_eq(s.transmissions, 0);
    script_close(&s);
}

/* Senders of the node wait while it stores too much for the node. */
Test(protocols, a_daemon_stops_senders_of_its_node)
{
    for (int soft = 0; soft < 2; soft++) {
        Script s;
        open_daemons(&s, 2);
        s.apart = false;
        s.params.daemon.soft = soft ? 2 * NEED : 0;
        s.params.daemon.hard = 2 * NEED;
        script_compute(&s, 1, LATE);
        for (uint64_t i = 0; i < 8; i++) {
            script_call(&s, 0, "MPI_Send", DATA(SHORT * i), SHORT, BYTE, 1, 7, WORLD);
            script_call(&s, 1, "MPI_Recv", DATA(SHORT * i), SHORT, BYTE, 0, 7, WORLD, IGNORE);
        }
        fill(&s, 8 * SHORT);
        script_go(&s);
        check_data(&s, 8 * SHORT);
        cr_assert(s.ranks[0].ended && s.ranks[1].ended);
        cr_assert(s.ranks[0].finish_ps > LATE);
        cr_assert(mpi_world_stats(s.world, 0)->sends_held > 0);
        script_close(&s);
    }
}

/* Beyond the soft limit the receiver's daemon says stop, and beyond the hard one it refuses data. All arrive, in order.
 */
Test(protocols, daemons_stop_and_refuse)
{
    enum { N = 40 };
    Script s;
    open_daemons(&s, 2);
    s.params.daemon.soft = 3 * NEED;
    s.params.daemon.hard = 4 * NEED;
    script_compute(&s, 1, 50 * LATE);
    for (uint64_t i = 0; i < N; i++) {
        script_call(&s, 0, "MPI_Send", DATA(SHORT * i), SHORT, BYTE, 1, 7, WORLD);
        script_call(&s, 1, "MPI_Recv", DATA(SHORT * i), SHORT, BYTE, 0, 7, WORLD, IGNORE);
    }
    fill(&s, N * SHORT);
    script_go(&s);
    check_data(&s, N * SHORT);
    cr_assert(s.ranks[0].ended && s.ranks[1].ended);
    cr_assert(s.ranks[0].finish_ps > 50 * (uint64_t)LATE); /* its own daemon was full, too */
    cr_assert(mpi_world_stats(s.world, 0)->sends_held > 0);
    cr_assert(s.transmissions > N + 2);
    script_close(&s);
}

/* A synchronous send by a daemon waits for its receive. */
Test(protocols, synchronous_sends_by_daemons_are_acknowledged)
{
    Script s;
    open_daemons(&s, 2);
    script_call(&s, 0, "MPI_Ssend", DATA(0), 4, BYTE, 1, 7, WORLD);
    script_compute(&s, 1, LATE);
    script_call(&s, 1, "MPI_Recv", DATA(0), 4, BYTE, 0, 7, WORLD, IGNORE);
    script_run(&s);
    uint64_t received = C + LATE + C + R + M + copy_ps(4);
    cr_assert_eq(s.ranks[1].finish_ps, received + S);
    cr_assert_eq(s.ranks[0].finish_ps, received + S + wire_ps(0) + L + R);
    cr_assert_eq(s.transmissions, 2);
    script_close(&s);
}

/* -- paths ---------------------------------------------------------------------------------------- */

/* A rank to itself goes by another protocol than to others. */
Test(protocols, each_path_has_its_own)
{
    Script s;
    open_by(&s, 2, MPI_PROTOCOL_RECEIVER_POST);
    s.params.protocols[MPI_PATH_CORE].protocol = MPI_PROTOCOL_EAGER;
    script_call(&s, 0, "MPI_Send", DATA(0), 4, BYTE, 0, 7, WORLD); /* nobody has posted */
    script_call(&s, 0, "MPI_Recv", DATA(8), 4, BYTE, 0, 7, WORLD, IGNORE);
    script_call(&s, 1, "MPI_Recv", DATA(8), 4, BYTE, 0, 7, WORLD, IGNORE);
    script_call(&s, 0, "MPI_Send", DATA(0), 4, BYTE, 1, 7, WORLD);
    script_run(&s);
    cr_assert(s.ranks[0].ended && s.ranks[1].ended);
    cr_assert_eq(s.transmissions, 1 + 2);
    script_close(&s);
}

/* -- costs of the node --------------------------------------------------------------------------- */

enum { DOORBELL = 300, INTERRUPT = 700 };

static uint64_t ring(void *user, uint32_t rank, uint32_t to, uint64_t from_ps)
{
    (void)user;
    cr_assert_neq(rank, to);
    return from_ps + DOORBELL;
}

static uint64_t copy_twice_as_long(void *user, uint32_t rank, uint64_t bytes, uint64_t from_ps, uint64_t ps)
{
    (void)user, (void)rank, (void)bytes;
    return from_ps + 2 * ps;
}

/* Whoever sends a control message or a piece tells the network interface, which interrupts whoever waits for it. */
Test(protocols, control_messages_and_pieces_pay_doorbells_and_interrupts)
{
    Script s;
    open_by(&s, 2, MPI_PROTOCOL_RECEIVER_POST);
    s.apart = true;
    s.doorbell = ring;
    s.params.interrupt_ps = INTERRUPT;
    one_message(&s, CHUNK + 1, 1);
    uint64_t sent = S + DOORBELL, came = L + INTERRUPT + R;
    uint64_t answered = C + LATE + C + R + M + sent + wire_ps(0);
    uint64_t acknowledged = answered + came + sent + wire_ps(CHUNK) + came + sent + wire_ps(0);
    uint64_t left = acknowledged + came + sent + wire_ps(1);
    cr_assert_eq(s.ranks[0].finish_ps, left);
    cr_assert_eq(s.ranks[1].finish_ps, left + came);
    script_close(&s);
}

/* What the network interface costs a daemon is part of its time; copies take the memory of the node. */
Test(protocols, daemons_pay_copies_alone)
{
    Script s;
    uint64_t bytes = 1000;
    open_daemons(&s, 2);
    s.doorbell = ring;
    s.copy = copy_twice_as_long;
    s.params.interrupt_ps = INTERRUPT;
    script_call(&s, 0, "MPI_Send", DATA(0), bytes, BYTE, 1, 7, WORLD);
    script_call(&s, 1, "MPI_Recv", DATA(0), bytes, BYTE, 0, 7, WORLD, IGNORE);
    fill(&s, bytes);
    script_go(&s);
    check_data(&s, bytes);
    uint64_t given = 2 * C + 2 * copy_ps(bytes) + S;
    uint64_t stored = given + 1000 + 2 * bytes + wire_ps(bytes) + L + 1000 + 2 * bytes;
    cr_assert_eq(s.ranks[0].finish_ps, given);
    cr_assert_eq(s.ranks[1].finish_ps, stored + R + M + 2 * copy_ps(bytes));
    script_close(&s);
}
