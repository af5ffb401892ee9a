/* test_library_pipes.c - pipes as the library has them, of one rank that is always in its turn. */
#include "library_test.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>

static int open_pipe(Bench *bench, int ends[2], int flags)
{
    uint64_t place = bench_bytes(bench, (int[2]){-1, -1}, 8);
    int made = (int)bench_call(bench, "__orrery_pipe", 2, place, (uint64_t)flags);
    memcpy(ends, vm_rank_read(bench->rank, place, 8), 8);
    return made;
}

/* What is written comes out, around the end of the ring, and in pieces. */
Test(library_pipes, bytes_come_out_in_order)
{
    enum { BYTES = 50000 };
    Bench bench;
    int ends[2];
    bench_open(&bench, NULL);
    cr_assert_eq(open_pipe(&bench, ends, 0), 0);
    cr_assert(ends[0] == 3 && ends[1] == 4);
    unsigned char *bytes = g_malloc(BYTES);
    for (int i = 0; i < BYTES; i++)
        bytes[i] = (unsigned char)(i * 7 + i / 256);
    uint64_t from = bench_bytes(&bench, bytes, BYTES), to = bench_bytes(&bench, bytes, BYTES);
    for (int turn = 0; turn < 5; turn++) {
        memset(vm_rank_write(bench.rank, to, BYTES), 0, BYTES);
        cr_assert_eq(bench_call(&bench, "write", 3, 4, from, BYTES), BYTES);
        cr_assert_eq(bench_call(&bench, "read", 3, 3, to, 20000), 20000);
        cr_assert_eq(bench_call(&bench, "read", 3, 3, to + 20000, BYTES), BYTES - 20000);
        cr_assert_eq(memcmp(vm_rank_read(bench.rank, to, BYTES), bytes, BYTES), 0);
    }
    g_free(bytes);
    bench_close(&bench);
}

/* An empty pipe halts its reader, a full one its writer, and both say why. */
Test(library_pipes, empty_and_full_pipes_halt)
{
    Bench bench;
    int ends[2];
    bench_open(&bench, NULL);
    open_pipe(&bench, ends, 0);
    uint64_t block = bench_bytes(&bench, (char[70000]){0}, 70000);
    uint64_t read_one[16] = {3, block, 1}, write_all[16] = {4, block, 70000};
    bench_call_window(&bench, "read", read_one, 3);
    cr_assert_eq(bench.result, VM_CALL_AGAIN);
    cr_assert_eq(bench.rank->requests[0].halt.reason, VM_HALT_DATA);
    cr_assert_eq(read_one[0], 3);
    cr_assert_eq(vm_rank_pipe_other_end(bench.rank, &bench.rank->requests[0].halt), 4);
    bench_call_window(&bench, "write", write_all, 3);
    cr_assert_eq(bench.result, VM_CALL_AGAIN);
    cr_assert_eq(bench.rank->requests[0].halt.reason, VM_HALT_ROOM);
    cr_assert_eq(bench.rank->requests[0].pause.done, 65536);
    g_autoptr(GString) text = g_string_new(NULL);
    vm_rank_pipe_describe(bench.rank, &bench.rank->requests[0].halt, text);
    cr_assert_str_eq(text->str, "room to write to a pipe (descriptor 4)");
    bench_close(&bench);
}

/* Without blocking: EAGAIN, parts of what is long, all or nothing of what is short; ends that are closed. */
Test(library_pipes, pipes_that_do_not_block)
{
    Bench bench;
    int ends[2];
    bench_open(&bench, NULL);
    open_pipe(&bench, ends, O_NONBLOCK);
    uint64_t block = bench_bytes(&bench, (char[70000]){0}, 70000);
    cr_assert_eq((int64_t)bench_call(&bench, "read", 3, 3, block, 1), -1);
    cr_assert_eq(vm_library_errno(bench.rank), EAGAIN);
    cr_assert_eq(bench_call(&bench, "write", 3, 4, block, 70000), 65536);
    cr_assert_eq(bench_call(&bench, "read", 3, 3, block, 4095), 4095);
    cr_assert_eq((int64_t)bench_call(&bench, "write", 3, 4, block, 4096), -1);
    cr_assert_eq((int)bench_call(&bench, "__orrery_poll_ready", 1, 4) & POLLOUT, 0);
    cr_assert_eq(bench_call(&bench, "write", 3, 4, block, 4095), 4095);
    cr_assert_eq(bench_call(&bench, "dup2", 2, 4, 9), 9);
    bench_call(&bench, "close", 1, 4);
    cr_assert_eq(bench_call(&bench, "read", 3, 3, block, 70000), 65536);
    cr_assert_eq((int64_t)bench_call(&bench, "read", 3, 3, block, 1), -1);
    bench_call(&bench, "close", 1, 9);
    cr_assert_eq(bench_call(&bench, "read", 3, 3, block, 1), 0);
    bench_close(&bench);
}

/* Descriptors run out: two are needed, and none is taken if there is but one. */
Test(library_pipes, descriptors_run_out)
{
    Bench bench;
    int ends[2];
    bench_open(&bench, NULL);
    for (int i = 0; i < (C_MOST_FILES - 3) / 2; i++)
        cr_assert_eq(open_pipe(&bench, ends, 0), 0);
    cr_assert_eq(open_pipe(&bench, ends, 0), -1);
    cr_assert_eq(vm_library_errno(bench.rank), EMFILE);
    bench_close(&bench);
}
