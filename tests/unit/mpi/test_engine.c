/* test_engine.c - the engine on scripts: times calculated by hand, protocols, order, errors, deadlocks.
 *
 * Costs of script.h: call c = 70, send s = 300, receive r = 500 + match 11, copy 2 ps per byte, envelope 40 bytes, 10
 * ps per byte on the wire, latency 10,000. */
#include "mpi/core/handles.h"
#include "mpi/core/world.h"
#include "script.h"

enum { C = 70, S = 300, R = 500, M = 11, E = 400 /* envelope on the wire */, L = 10000 };

#define REQUEST_AT(offset) DATA(offset)
#define IGNORE             MPI_STATUS_IGNORE_

static uint64_t copy_ps(uint64_t bytes)
{
    return 2 * bytes;
}

/* -- protocols: time by hand ------------------------------------------------------------------- */

Test(engine, eager_message_in_numbers)
{
    Script s;
    script_open(&s, 2);
    script_call(&s, 0, "MPI_Send", DATA(0), 25, INT, 1, 7, WORLD);
    script_call(&s, 1, "MPI_Recv", DATA(0), 25, INT, 0, 7, WORLD, DATA(4096));
    script_start(&s);
    for (int i = 0; i < 25; i++)
        script_set_int(&s, 0, 4 * (uint64_t)i, 1000 + i);
    script_go(&s);
    uint64_t left = C + C + copy_ps(100) + S; /* Init, Send */
    uint64_t arrived = left + E + 1000 + L;
    cr_assert_eq(s.ranks[0].finish_ps, left);
    cr_assert_eq(s.ranks[1].finish_ps, arrived + R + M + copy_ps(100));
    cr_assert_eq(mpi_world_stats(s.world, 1)->blocked_ps, arrived - 2 * C);
    for (int i = 0; i < 25; i++)
        cr_assert_eq(script_int(&s, 1, 4 * (uint64_t)i), 1000 + i);
    MpiStatus status = script_status(&s, 1, 4096);
    cr_assert(status.source == 0 && status.tag == 7 && status.bytes == 100 && !status.cancelled);
    const MpiMessageInfo *info = &g_array_index(s.messages, MpiMessageInfo, 0);
    cr_assert(info->id == 1 && info->from == 0 && info->to == 1 && info->tag == 7 && info->bytes == 100);
    cr_assert(info->sent_ps == left && info->delivered_ps == arrived);
    script_close(&s);
}

/* RTS and CTS are envelopes. The sender goes on when the last byte has left. Nobody copies. */
Test(engine, rendezvous_in_numbers)
{
    Script s;
    script_open(&s, 2);
    script_call(&s, 0, "MPI_Send", DATA(0), 251, INT, 1, 7, WORLD); /* 1004 bytes > 1000 */
    script_call(&s, 1, "MPI_Recv", DATA(0), 300, INT, MPI_ANY_SOURCE_, MPI_ANY_TAG_, WORLD, DATA(4096));
    script_run(&s);
    uint64_t rts = 2 * C + S + E + L;
    uint64_t cts = rts + R + M + S + E + L;
    uint64_t data = cts + R + S;
    cr_assert_eq(s.ranks[0].finish_ps, data + E + 10040);
    cr_assert_eq(s.ranks[1].finish_ps, data + E + 10040 + L + R);
    cr_assert_eq(script_status(&s, 1, 4096).bytes, 1004);
    cr_assert_eq(mpi_world_stats(s.world, 0)->messages_sent, 1);
    cr_assert_eq(mpi_world_stats(s.world, 0)->bytes_sent, 1004);
    script_close(&s);
}

/* At the limit a message is still eager: the sender does not wait for a receiver that never comes. */
Test(engine, eager_limit_is_inclusive)
{
    Script s;
    script_open(&s, 2);
    script_call(&s, 0, "MPI_Send", DATA(0), 250, INT, 1, 7, WORLD);
    script_run(&s);
    cr_assert(s.ranks[0].ended);
    script_close(&s);
}

/* Progress happens in calls: the receiver computes after its Irecv, so the CTS leaves only at its next call. */
Test(engine, rendezvous_waits_for_a_call_of_the_receiver)
{
    Script s;
    script_open(&s, 2);
    script_call(&s, 0, "MPI_Send", DATA(0), 300, INT, 1, 7, WORLD);
    script_call(&s, 1, "MPI_Irecv", DATA(0), 300, INT, 0, 7, WORLD, REQUEST_AT(4096));
    script_compute(&s, 1, 1000000);
    script_call(&s, 1, "MPI_Wait", REQUEST_AT(4096), IGNORE);
    script_run(&s);
    uint64_t entered = 2 * C + 1000000;
    uint64_t cts = entered + C + R + M + S + E + L;
    cr_assert_eq(s.ranks[1].finish_ps, cts + R + S + E + 12000 + L + R);
    cr_assert_eq(s.ranks[1].finish_ps - 1000000,
                 mpi_world_stats(s.world, 1)->overhead_ps + mpi_world_stats(s.world, 1)->blocked_ps);
    script_close(&s);
}

/* A synchronous send of a few bytes completes only after the receive has begun (section 3.4). */
Test(engine, synchronous_send_waits_for_the_receive)
{
    Script s;
    script_open(&s, 2);
    script_call(&s, 0, "MPI_Ssend", DATA(0), 1, INT, 1, 7, WORLD);
    script_compute(&s, 1, 5000000);
    script_call(&s, 1, "MPI_Recv", DATA(0), 1, INT, 0, 7, WORLD, IGNORE);
    script_run(&s);
    cr_assert(s.ranks[0].ended && s.ranks[0].finish_ps > 5000000);
    script_close(&s);
}

/* -- order ------------------------------------------------------------------------------------- */

static uint64_t shrinking(Script *script, uint64_t number)
{
    (void)script;
    return 1000000 - 90000 * number;
}

/* The network delivers in reverse order, but messages with equal tags do not overtake each other (section 3.5). */
Test(engine, messages_do_not_overtake)
{
    Script s;
    script_open(&s, 2);
    s.latency = shrinking;
    for (uint64_t i = 0; i < 10; i++) {
        script_call(&s, 0, "MPI_Send", DATA(4 * i), 1, INT, 1, 7, WORLD);
        script_call(&s, 1, "MPI_Recv", DATA(4 * i), 1, INT, i % 2 ? MPI_ANY_SOURCE_ : 0, i % 3 ? 7 : MPI_ANY_TAG_,
                    WORLD, IGNORE);
    }
    script_start(&s);
    for (int i = 0; i < 10; i++)
        script_set_int(&s, 0, 4 * (uint64_t)i, 50 + i);
    script_go(&s);
    for (int i = 0; i < 10; i++)
        cr_assert_eq(script_int(&s, 1, 4 * (uint64_t)i), 50 + i);
    script_close(&s);
}

/* -- requests ---------------------------------------------------------------------------------- */

Test(engine, waits_and_null_requests)
{
    Script s;
    script_open(&s, 2);
    script_call(&s, 0, "MPI_Irecv", DATA(0), 1, INT, 1, 1, WORLD, REQUEST_AT(512));
    script_call(&s, 0, "MPI_Irecv", DATA(4), 1, INT, 1, 2, WORLD, REQUEST_AT(520));
    script_call(&s, 0, "MPI_Waitany", 2, REQUEST_AT(512), DATA(600), DATA(640)); /* the second is sent first */
    script_call(&s, 0, "MPI_Waitall", 2, REQUEST_AT(512), DATA(700));
    script_call(&s, 0, "MPI_Waitany", 2, REQUEST_AT(512), DATA(604), IGNORE);
    script_call(&s, 0, "MPI_Wait", REQUEST_AT(512), DATA(800));
    script_call(&s, 1, "MPI_Send", DATA(0), 1, INT, 0, 2, WORLD);
    script_compute(&s, 1, 100000);
    script_call(&s, 1, "MPI_Send", DATA(0), 1, INT, 0, 1, WORLD);
    script_run(&s);
    cr_assert(s.ranks[0].ended);
    cr_assert_eq(script_int(&s, 0, 600), 1);
    cr_assert_eq(script_status(&s, 0, 640).tag, 2);
    cr_assert_eq(script_status(&s, 0, 700).tag, 1);
    /* null request: empty status (section 3.7.3) */
    MpiStatus empty = script_status(&s, 0, 700 + sizeof(MpiStatus));
    cr_assert(empty.source == MPI_ANY_SOURCE_ && empty.tag == MPI_ANY_TAG_ && empty.bytes == 0);
    cr_assert_eq(script_int(&s, 0, 604), MPI_UNDEFINED_);
    uint64_t handle;
    memcpy(&handle, script_memory(&s, 0, 512, 8), 8);
    cr_assert_eq(handle, NO_REQUEST);
    script_close(&s);
}

Test(engine, persistent_requests_start_again)
{
    Script s;
    script_open(&s, 2);
    script_call(&s, 0, "MPI_Send_init", DATA(0), 1, INT, 1, 3, WORLD, REQUEST_AT(512));
    script_call(&s, 1, "MPI_Recv_init", DATA(0), 1, INT, 0, 3, WORLD, REQUEST_AT(512));
    for (int i = 0; i < 3; i++)
        for (uint32_t rank = 0; rank < 2; rank++) {
            script_call(&s, rank, "MPI_Start", REQUEST_AT(512));
            script_call(&s, rank, "MPI_Wait", REQUEST_AT(512), IGNORE);
        }
    script_call(&s, 0, "MPI_Request_free", REQUEST_AT(512));
    script_call(&s, 1, "MPI_Request_free", REQUEST_AT(512));
    script_run(&s);
    cr_assert(s.ranks[0].ended && s.ranks[1].ended);
    cr_assert_eq(mpi_world_stats(s.world, 1)->messages_received, 3);
    script_close(&s);
}

/* Polling advances time even if calls cost nothing. */
Test(engine, failed_polls_take_time)
{
    Script s;
    script_open(&s, 1);
    s.params.call_overhead_ps = 0;
    script_call(&s, 0, "MPI_Iprobe", MPI_ANY_SOURCE_, MPI_ANY_TAG_, WORLD, DATA(0), IGNORE);
    script_run(&s);
    cr_assert_eq(s.ranks[0].finish_ps, 1000);
    script_close(&s);
}

/* Cancelled receives leave the queue; cancelled rendezvous sends leave the receiver's (section 3.8.4). */
Test(engine, cancel)
{
    Script s;
    script_open(&s, 2);
    script_call(&s, 0, "MPI_Irecv", DATA(0), 1, INT, 1, 5, WORLD, REQUEST_AT(512));
    script_call(&s, 0, "MPI_Cancel", REQUEST_AT(512));
    script_call(&s, 0, "MPI_Wait", REQUEST_AT(512), DATA(600));
    script_call(&s, 0, "MPI_Test_cancelled", DATA(600), DATA(640));
    script_call(&s, 1, "MPI_Issend", DATA(0), 1, INT, 0, 6, WORLD, REQUEST_AT(512));
    script_compute(&s, 1, 1000000);
    script_call(&s, 1, "MPI_Cancel", REQUEST_AT(512));
    script_call(&s, 1, "MPI_Wait", REQUEST_AT(512), DATA(600));
    script_call(&s, 1, "MPI_Test_cancelled", DATA(600), DATA(640));
    script_run(&s);
    for (uint32_t rank = 0; rank < 2; rank++) {
        cr_assert(s.ranks[rank].ended);
        cr_assert_eq(script_int(&s, rank, 640), 1);
    }
    script_close(&s);
}

Test(engine, process_null)
{
    Script s;
    script_open(&s, 1);
    script_call(&s, 0, "MPI_Send", DATA(0), 1, INT, MPI_PROC_NULL_, 5, WORLD);
    script_call(&s, 0, "MPI_Recv", DATA(0), 1, INT, MPI_PROC_NULL_, 5, WORLD, DATA(600));
    script_run(&s);
    MpiStatus status = script_status(&s, 0, 600);
    cr_assert(s.ranks[0].ended);
    cr_assert(status.source == MPI_PROC_NULL_ && status.tag == MPI_ANY_TAG_ && status.bytes == 0);
    script_close(&s);
}

/* Detaching waits for the messages in the buffer; the space counts MPI_BSEND_OVERHEAD (section 3.6). */
Test(engine, buffered_sends)
{
    Script s;
    script_open(&s, 2);
    script_call(&s, 0, "MPI_Buffer_attach", DATA(8192), 2 * (1200 + MPI_BSEND_OVERHEAD_));
    script_call(&s, 0, "MPI_Bsend", DATA(0), 300, INT, 1, 1, WORLD);
    script_call(&s, 0, "MPI_Bsend", DATA(0), 300, INT, 1, 2, WORLD);
    script_call(&s, 0, "MPI_Buffer_detach", DATA(600), DATA(608));
    script_compute(&s, 1, 9000000);
    script_call(&s, 1, "MPI_Recv", DATA(0), 300, INT, 0, 2, WORLD, IGNORE);
    script_call(&s, 1, "MPI_Recv", DATA(0), 300, INT, 0, 1, WORLD, IGNORE);
    script_run(&s);
    cr_assert(s.ranks[0].ended && s.ranks[1].ended);
    cr_assert(s.ranks[0].finish_ps > 9000000);
    cr_assert_eq(script_int(&s, 0, 608), 2 * (1200 + MPI_BSEND_OVERHEAD_));
    script_close(&s);
}

/* -- errors ------------------------------------------------------------------------------------ */

static void expect_fault(Script *s, uint32_t rank, const char *word)
{
    script_run(s);
    const char *reason = script_fault(s, rank);
    cr_assert(strstr(reason, word), "\"%s\" does not say \"%s\"", reason, word);
    script_close(s);
}

Test(engine, error_truncation)
{
    Script s;
    script_open(&s, 2);
    script_call(&s, 0, "MPI_Send", DATA(0), 100, INT, 1, 7, WORLD);
    script_call(&s, 1, "MPI_Recv", DATA(0), 25, INT, 0, 7, WORLD, IGNORE);
    expect_fault(&s, 1, "400 bytes");
}

Test(engine, error_ready_send_without_receive)
{
    Script s;
    script_open(&s, 2);
    script_call(&s, 0, "MPI_Rsend", DATA(0), 100, INT, 1, 7, WORLD);
    expect_fault(&s, 0, "ready send");
}

Test(engine, error_buffer_exhausted)
{
    Script s;
    script_open(&s, 2);
    script_call(&s, 0, "MPI_Buffer_attach", DATA(8192), 100);
    script_call(&s, 0, "MPI_Bsend", DATA(0), 2, INT, 1, 1, WORLD);
    expect_fault(&s, 0, "attach");
}

Test(engine, error_after_finalize)
{
    Script s;
    script_open(&s, 1);
    script_call(&s, 0, "MPI_Finalize", 0);
    script_call(&s, 0, "MPI_Barrier", WORLD);
    expect_fault(&s, 0, "MPI_Finalize");
}

Test(engine, error_rank_out_of_range)
{
    Script s;
    script_open(&s, 2);
    script_call(&s, 0, "MPI_Send", DATA(0), 1, INT, 2, 7, WORLD);
    expect_fault(&s, 0, "ranks 0 to 1");
}

/* The error names both sides of a mismatch, with their locations. */
Test(engine, error_collective_mismatch)
{
    Script s;
    script_open(&s, 2);
    script_call(&s, 0, "MPI_Bcast", DATA(0), 1, INT, 0, WORLD);
    script_compute(&s, 1, 5000);
    script_call(&s, 1, "MPI_Bcast", DATA(0), 1, INT, 1, WORLD);
    expect_fault(&s, 1, "rank 0 called MPI_Bcast with root 0 (script.c:2)");
}

/* -- deadlock ---------------------------------------------------------------------------------- */

static void expect_explained(Script *s, const char *const *words)
{
    g_autoptr(GString) text = g_string_new(NULL);
    script_run(s);
    mpi_world_explain_deadlock(s->world, false, text);
    for (; *words; words++)
        cr_assert(strstr(text->str, *words), "\"%s\" is not in:\n%s", *words, text->str);
    script_close(s);
}

Test(engine, deadlock_of_receives)
{
    Script s;
    script_open(&s, 3);
    for (uint32_t rank = 0; rank < 3; rank++)
        script_call(&s, rank, "MPI_Recv", DATA(0), 1, INT, (rank + 1) % 3, 7, WORLD, IGNORE);
    const char *const words[] = {"rank 2: script.c:2: MPI_Recv waits for a message from rank 0, tag 7, MPI_COMM_WORLD",
                                 "cycle: 0 -> 1 -> 2 -> 0", NULL};
    expect_explained(&s, words);
}

Test(engine, deadlock_of_large_sends)
{
    Script s;
    script_open(&s, 2);
    for (uint32_t rank = 0; rank < 2; rank++)
        script_call(&s, rank, "MPI_Send", DATA(0), 300, INT, 1 - rank, 7, WORLD);
    const char *const words[] = {"MPI_Send waits for rank 1 to receive tag 7, 1200 bytes", "cycle: 0 -> 1 -> 0", NULL};
    expect_explained(&s, words);
}

Test(engine, deadlock_of_a_barrier)
{
    Script s;
    script_open(&s, 3);
    script_call(&s, 0, "MPI_Barrier", WORLD);
    script_call(&s, 1, "MPI_Barrier", WORLD);
    script_call(&s, 2, "MPI_Recv", DATA(0), 1, INT, 0, 9, WORLD, IGNORE);
    script_call(&s, 2, "MPI_Barrier", WORLD);
    const char *const words[] = {
        "rank 1: script.c:2: MPI_Barrier on MPI_COMM_WORLD waits for rank 2, which is at script.c:2 in MPI_Recv",
        "cycle: 0 -> 2 -> 0", NULL};
    expect_explained(&s, words);
}

Test(engine, deadlock_with_wrong_tag_and_ended_rank)
{
    Script s;
    script_open(&s, 2);
    script_call(&s, 0, "MPI_Send", DATA(0), 1, INT, 1, 8, WORLD);
    script_call(&s, 1, "MPI_Irecv", DATA(0), 1, INT, 0, 7, WORLD, REQUEST_AT(512));
    script_call(&s, 1, "MPI_Wait", REQUEST_AT(512), IGNORE);
    const char *const words[] = {"MPI_Wait (MPI_Irecv at script.c:2) waits for a message from rank 0, tag 7",
                                 "cause for rank 1: there is an unreceived message from rank 0 with tag 8",
                                 "did you mean that tag?", NULL};
    expect_explained(&s, words);
}

/* -- collectives ------------------------------------------------------------------------------- */

Test(engine, allreduce_and_derived_communicators)
{
    Script s;
    script_open(&s, 5);
    for (uint32_t rank = 0; rank < 5; rank++) {
        script_call(&s, rank, "MPI_Comm_split", WORLD, rank % 2, 10 - rank, DATA(64));
        script_call(&s, rank, "MPI_Allreduce", DATA(0), DATA(4), 1, INT, MPI_HANDLE(MPI_KIND_OP, 3), WORLD);
        script_call(&s, rank, "MPI_Barrier", WORLD);
    }
    script_start(&s);
    for (uint32_t rank = 0; rank < 5; rank++)
        script_set_int(&s, rank, 0, 1 << rank);
    script_go(&s);
    for (uint32_t rank = 0; rank < 5; rank++) {
        cr_assert(s.ranks[rank].ended);
        cr_assert_eq(script_int(&s, rank, 4), 31);
        MpiRank *mpi = mpi_world_rank(s.world, rank);
        MpiHandle handle;
        memcpy(&handle, script_memory(&s, rank, 64, 8), 8);
        MpiComm *comm = mpi_handle_lookup(mpi, MPI_KIND_COMM, handle);
        cr_assert_not_null(comm);
        cr_assert_eq(comm->group->size, rank % 2 ? 2 : 3);
        cr_assert_eq(comm->rank, rank % 2 ? (3 - rank) / 2 : (4 - rank) / 2); /* keys descend */
    }
    script_close(&s);
}

/* -- LOCAL functions --------------------------------------------------------------------------- */

Test(engine, missing_finalize_is_told)
{
    Script s;
    script_open(&s, 1);
    script_run(&s);
    size_t count;
    const MpiFinding *findings = mpi_world_findings(s.world, true, 0, &count);
    cr_assert_eq(count, 1);
    cr_assert_eq(findings->check, MPI_CHECK_FINALIZE);
    cr_assert(strstr(findings->what, "without calling MPI_Finalize"));
    script_close(&s);
}
