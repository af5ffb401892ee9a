/* replay.c - the program that `orrery replay` runs: does what the table of its rank says (replay_table.h).
 *
 * It runs on a machine where instructions take no time, so all time is that of the actions. */
#include "replay_table.h"

#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int __orrery_compute(unsigned long ps);
int __orrery_rest(unsigned long ps);

volatile unsigned orrery_replay_line; /* what the rank does, for whoever explains why it does not go on */

static const char *table;
static int rank, ranks;
static ReplayRank mine;
static char *out, *in; /* for messages whose content nobody looks at */
static MPI_Request *requests;
static void **buffers; /* of requests that receive */

static void give_up(const char *what)
{
    fprintf(stderr, "replay: %s\n", what);
    MPI_Abort(MPI_COMM_WORLD, 2);
}

static void *allocate(unsigned long bytes)
{
    void *memory = calloc(1, bytes ? bytes : 1);
    if (!memory)
        give_up("no memory for the messages of this trace; start with a larger process.heap");
    return memory;
}

/* Reads bytes of the table. The file is open only meanwhile: there may be more ranks than the host can open files. */
static void read_table(unsigned long offset, void *to, unsigned long bytes)
{
    char *at = to;
    int file = open(table, O_RDONLY);
    if (file < 0)
        give_up("the table of actions cannot be read");
    lseek(file, (long)offset, SEEK_SET);
    while (bytes > 0) {
        long got = read(file, at, bytes);
        if (got <= 0)
            give_up("the table of actions ends early");
        at += got;
        bytes -= (unsigned long)got;
    }
    close(file);
}

/* -- time-independent traces ------------------------------------------------------------------- */

static char chunk[1 << 14];
static unsigned long chunk_at, chunk_end, next, left; /* next: where what is left begins in the table */

static void next_bytes(void *to, unsigned long bytes)
{
    char *at = to;
    while (bytes > 0) {
        if (chunk_at == chunk_end) {
            chunk_at = 0;
            chunk_end = left < sizeof chunk ? left : sizeof chunk;
            read_table(next, chunk, chunk_end);
            next += chunk_end;
            left -= chunk_end;
        }
        unsigned long n = bytes < chunk_end - chunk_at ? bytes : chunk_end - chunk_at;
        memcpy(at, chunk + chunk_at, n);
        chunk_at += n;
        at += n;
        bytes -= n;
    }
}

static long default_type = REPLAY_TYPE_BYTE;

static MPI_Datatype type_of(long type)
{
    switch (type < 0 ? default_type : type) {
#define TYPE(name, bytes, op)                                                                                          \
    case REPLAY_TYPE_##name: return MPI_##name;
        REPLAY_TYPES(TYPE)
#undef TYPE
    }
    return MPI_BYTE;
}

static MPI_Op op_of(long type)
{
    switch (type < 0 ? default_type : type) {
#define TYPE(name, bytes, op)                                                                                          \
    case REPLAY_TYPE_##name: return MPI_##op;
        REPLAY_TYPES(TYPE)
#undef TYPE
    }
    return MPI_BOR;
}

/* Characters have no operations. */
static MPI_Datatype combined(long type)
{
    MPI_Datatype datatype = type_of(type);
    return datatype == MPI_CHAR ? MPI_BYTE : datatype;
}

/* Returns the counts, and behind them displacements, one block after the other. */
static int *counts_of(const long *arguments)
{
    int *counts = allocate(2 * (unsigned long)ranks * sizeof(int));
    for (int i = 0; i < ranks; i++)
        counts[i] = (int)arguments[i];
    for (int i = 1; i < ranks; i++)
        counts[ranks + i] = counts[ranks + i - 1] + counts[i - 1];
    return counts;
}

static void done_with(int request)
{
    if (requests[request] == MPI_REQUEST_NULL && buffers[request]) {
        free(buffers[request]);
        buffers[request] = NULL;
    }
}

static void receive(const ReplayAction *action, const long *arguments)
{
    int source = (int)arguments[0], tag = (int)arguments[1], count = (int)arguments[2], bytes;
    MPI_Datatype type = type_of(arguments[3]);
    char *memory = in;
    if (source < 0)
        source = MPI_ANY_SOURCE;
    if (tag < 0)
        tag = MPI_ANY_TAG;
    if (count <= 0) { /* the trace does not say how much it is */
        MPI_Status status;
        MPI_Probe(source, tag, MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, type, &count);
    }
    MPI_Type_size(type, &bytes);
    unsigned long size = (unsigned long)count * (unsigned long)bytes;
    if (action->code == REPLAY_IRECV) {
        buffers[action->request] = allocate(size);
        MPI_Irecv(buffers[action->request], count, type, source, tag, MPI_COMM_WORLD, &requests[action->request]);
        return;
    }
    if (size > mine.largest)
        memory = allocate(size);
    MPI_Recv(memory, count, type, source, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (memory != in)
        free(memory);
}

static void wait_for(int request)
{
    if (request < 0 || requests[request] == MPI_REQUEST_NULL)
        return;
    MPI_Wait(&requests[request], MPI_STATUS_IGNORE);
    done_with(request);
}

static void test(int request)
{
    int flag;
    if (request < 0 || requests[request] == MPI_REQUEST_NULL)
        return;
    MPI_Test(&requests[request], &flag, MPI_STATUS_IGNORE);
    done_with(request);
}

static void do_point(const ReplayAction *action, const long *a)
{
    switch (action->code) {
    case REPLAY_SEND: MPI_Send(out, (int)a[2], type_of(a[3]), (int)a[0], (int)a[1], MPI_COMM_WORLD); break;
    case REPLAY_ISEND:
        MPI_Isend(out, (int)a[2], type_of(a[3]), (int)a[0], (int)a[1], MPI_COMM_WORLD, &requests[action->request]);
        break;
    case REPLAY_RECV:
    case REPLAY_IRECV: receive(action, a); break;
    case REPLAY_TEST: test(action->request); break;
    case REPLAY_WAIT: wait_for(action->request); break;
    case REPLAY_WAITALL:
        MPI_Waitall((int)mine.requests, requests, MPI_STATUSES_IGNORE);
        for (unsigned i = 0; i < mine.requests; i++)
            done_with((int)i);
        break;
    case REPLAY_SENDRECV:
        MPI_Sendrecv(out, (int)a[0], type_of(a[4]), (int)a[1], 0, in, (int)a[2], type_of(a[5]),
                     a[3] < 0 ? MPI_ANY_SOURCE : (int)a[3], 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        break;
    default: break;
    }
}

static void do_vector(const ReplayAction *action, const long *a)
{
    const long *counts = action->code == REPLAY_SCATTERV || action->code == REPLAY_REDUCESCATTER ? a : a + 1;
    const long *rest = counts + ranks; /* what is behind the first counts */
    int *one = counts_of(counts);
    switch (action->code) {
    case REPLAY_GATHERV:
        MPI_Gatherv(out, (int)a[0], type_of(rest[1]), in, one, one + ranks, type_of(rest[2]), (int)rest[0],
                    MPI_COMM_WORLD);
        break;
    case REPLAY_ALLGATHERV:
        MPI_Allgatherv(out, (int)a[0], type_of(rest[0]), in, one, one + ranks, type_of(rest[1]), MPI_COMM_WORLD);
        break;
    case REPLAY_SCATTERV:
        MPI_Scatterv(out, one, one + ranks, type_of(rest[2]), in, (int)rest[0], type_of(rest[3]), (int)rest[1],
                     MPI_COMM_WORLD);
        break;
    case REPLAY_REDUCESCATTER:
        MPI_Reduce_scatter(out, in, one, combined(rest[1]), op_of(rest[1]), MPI_COMM_WORLD);
        __orrery_compute((unsigned long)rest[0]);
        break;
    case REPLAY_ALLTOALLV: {
        int *other = counts_of(rest + 1);
        MPI_Alltoallv(out, one, one + ranks, type_of(rest[1 + ranks]), in, other, other + ranks,
                      type_of(rest[2 + ranks]), MPI_COMM_WORLD);
        free(other);
        break;
    }
    default: break;
    }
    free(one);
}

static void do_collective(const ReplayAction *action, const long *a)
{
    int n = (int)a[0];
    switch (action->code) {
    case REPLAY_BARRIER: MPI_Barrier(MPI_COMM_WORLD); break;
    case REPLAY_BCAST: MPI_Bcast(out, n, type_of(a[2]), (int)a[1], MPI_COMM_WORLD); break;
    case REPLAY_REDUCE:
        MPI_Reduce(out, in, n, combined(a[3]), op_of(a[3]), (int)a[2], MPI_COMM_WORLD);
        __orrery_compute((unsigned long)a[1]);
        break;
    case REPLAY_ALLREDUCE:
        MPI_Allreduce(out, in, n, combined(a[2]), op_of(a[2]), MPI_COMM_WORLD);
        __orrery_compute((unsigned long)a[1]);
        break;
    case REPLAY_SCAN:
        MPI_Scan(out, in, n, combined(a[2]), op_of(a[2]), MPI_COMM_WORLD);
        __orrery_compute((unsigned long)a[1]);
        break;
    case REPLAY_EXSCAN:
        MPI_Exscan(out, in, n, combined(a[2]), op_of(a[2]), MPI_COMM_WORLD);
        __orrery_compute((unsigned long)a[1]);
        break;
    case REPLAY_ALLTOALL: MPI_Alltoall(out, n, type_of(a[2]), in, (int)a[1], type_of(a[3]), MPI_COMM_WORLD); break;
    case REPLAY_GATHER:
        MPI_Gather(out, n, type_of(a[3]), in, (int)a[1], type_of(a[4]), (int)a[2], MPI_COMM_WORLD);
        break;
    case REPLAY_ALLGATHER: MPI_Allgather(out, n, type_of(a[2]), in, (int)a[1], type_of(a[3]), MPI_COMM_WORLD); break;
    case REPLAY_SCATTER:
        MPI_Scatter(out, n, type_of(a[3]), in, (int)a[1], type_of(a[4]), (int)a[2], MPI_COMM_WORLD);
        break;
    default: do_vector(action, a); break;
    }
}

static void do_actions(void)
{
    unsigned long room = 16;
    long *arguments = allocate(room * sizeof(long));
    ReplayAction action;
    next = mine.offset;
    left = mine.bytes;
    while (left + chunk_end - chunk_at > 0) {
        next_bytes(&action, sizeof action);
        if (action.n > room) {
            room = action.n;
            free(arguments);
            arguments = allocate(room * sizeof(long));
        }
        next_bytes(arguments, action.n * sizeof(long));
        orrery_replay_line = action.line;
        if (action.code == REPLAY_INIT)
            default_type = arguments[0] ? REPLAY_TYPE_DOUBLE : REPLAY_TYPE_BYTE;
        else if (action.code == REPLAY_COMPUTE)
            __orrery_compute((unsigned long)arguments[0]);
        else if (action.code == REPLAY_SLEEP)
            __orrery_rest((unsigned long)arguments[0]);
        else if (action.code >= REPLAY_BARRIER)
            do_collective(&action, arguments);
        else
            do_point(&action, arguments);
    }
    free(arguments);
}

/* -- GOAL schedules ---------------------------------------------------------------------------- */

/* Operations whose dependencies are over run in the order in which that was so, receives first, because posting one
 * takes no time in the model. Then those that have become complete let others go on. */
static ReplayOp *ops;
static unsigned *dependents;
static unsigned *ready, ready_first, ready_end; /* sends and calcs that may run */
static unsigned *posts, posts_first, posts_end; /* receives that may be posted */
static int *done;                               /* numbers of requests, as MPI tells them */
static unsigned *op_of_request;
static int pending; /* requests that are open: the first ones */

static void release(unsigned first, unsigned n)
{
    for (unsigned i = first; i < first + n; i++) {
        unsigned op = dependents[i];
        if (--ops[op].needs == 0) {
            if (ops[op].kind == REPLAY_OP_RECV)
                posts[posts_end++] = op;
            else
                ready[ready_end++] = op;
        }
    }
}

static void began(unsigned op)
{
    release(ops[op].first + ops[op].done, ops[op].begun);
}

static void ended(unsigned op)
{
    release(ops[op].first, ops[op].done);
}

/* Takes those out of the list of requests that are over. */
static void close_requests(int n)
{
    for (int i = 0; i < n; i++) {
        unsigned op = op_of_request[done[i]];
        if (ops[op].kind == REPLAY_OP_RECV) {
            free(buffers[done[i]]);
            buffers[done[i]] = NULL;
        }
        ended(op);
    }
    int kept = 0;
    for (int i = 0; i < pending; i++) {
        if (requests[i] == MPI_REQUEST_NULL)
            continue;
        requests[kept] = requests[i];
        buffers[kept] = buffers[i];
        op_of_request[kept++] = op_of_request[i];
    }
    for (int i = kept; i < pending; i++)
        buffers[i] = NULL;
    pending = kept;
}

static void open_request(unsigned op)
{
    const ReplayOp *it = &ops[op];
    op_of_request[pending] = op;
    if (it->kind == REPLAY_OP_RECV) {
        buffers[pending] = allocate(it->size);
        MPI_Irecv(buffers[pending], (int)it->size, MPI_BYTE, it->peer == REPLAY_ANY ? MPI_ANY_SOURCE : it->peer,
                  it->tag == REPLAY_ANY ? MPI_ANY_TAG : it->tag, MPI_COMM_WORLD, &requests[pending]);
    } else {
        MPI_Isend(out, (int)it->size, MPI_BYTE, it->peer, it->tag, MPI_COMM_WORLD, &requests[pending]);
    }
    pending++;
}

static void run_next(void)
{
    unsigned op = ready[ready_first++];
    orrery_replay_line = ops[op].line;
    if (ops[op].kind == REPLAY_OP_CALC) {
        began(op);
        __orrery_compute(ops[op].size);
        ended(op);
        return;
    }
    open_request(op);
    began(op);
    int flag;
    MPI_Test(&requests[pending - 1], &flag, MPI_STATUS_IGNORE);
    if (flag) { /* it was copied, or sent */
        pending--;
        ended(op);
    }
}

static void do_schedule(void)
{
    int n;
    for (;;) {
        while (posts_first < posts_end) {
            unsigned op = posts[posts_first++];
            orrery_replay_line = ops[op].line;
            open_request(op);
            began(op);
        }
        if (ready_first < ready_end) {
            run_next();
            if (!pending)
                continue;
            MPI_Testsome(pending, requests, &n, done, MPI_STATUSES_IGNORE);
        } else {
            if (!pending)
                break;
            orrery_replay_line = ops[op_of_request[0]].line;
            MPI_Waitsome(pending, requests, &n, done, MPI_STATUSES_IGNORE);
        }
        if (n > 0)
            close_requests(n);
    }
}

static void load_schedule(void)
{
    unsigned long bytes = mine.ops * sizeof(ReplayOp);
    ops = allocate(bytes);
    dependents = allocate(mine.bytes - bytes);
    read_table(mine.offset, ops, bytes);
    read_table(mine.offset + bytes, dependents, mine.bytes - bytes);
    ready = allocate(mine.ops * sizeof *ready);
    posts = allocate(mine.ops * sizeof *posts);
    done = allocate(mine.ops * sizeof *done);
    op_of_request = allocate(mine.ops * sizeof *op_of_request);
    for (unsigned i = 0; i < mine.ops; i++) {
        if (ops[i].needs)
            continue;
        if (ops[i].kind == REPLAY_OP_RECV)
            posts[posts_end++] = i;
        else
            ready[ready_end++] = i;
    }
}

int main(int argc, char **argv)
{
    ReplayHeader header;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    table = argc > 1 ? argv[1] : "";
    read_table(0, &header, sizeof header);
    read_table(sizeof header + (unsigned long)rank * sizeof mine, &mine, sizeof mine);
    out = allocate(mine.largest);
    in = allocate(mine.largest);
    requests = allocate((mine.requests + 1) * sizeof *requests);
    buffers = allocate((mine.requests + 1) * sizeof *buffers);
    for (unsigned i = 0; i <= mine.requests; i++)
        requests[i] = MPI_REQUEST_NULL;
    if (header.kind == REPLAY_GOAL) {
        load_schedule();
        do_schedule();
    } else {
        do_actions();
    }
    orrery_replay_line = 0;
    MPI_Finalize();
    return 0;
}
