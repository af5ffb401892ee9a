/* Random programs: phases drawn from a seed, which all ranks draw alike. What each receives depends on nothing but
 * MPI's rules, so the output is the same on every machine. The first argument is the seed, the second the number of
 * phases. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 9000, MESSAGES = 24, THREADS = 2 };
typedef struct Plan {
    int from, to, tag, bytes, mode, late, style;
} Plan;

static unsigned state;
static int rank, size, first_tag; /* phases have their own tags */
static unsigned long long sum = 1469598103934665603ull;
static char out[MESSAGES][MOST], in[MESSAGES][MOST], room[MESSAGES * (MOST + 128)];

static int draw(int n)
{
    state = state * 1103515245u + 12345u;
    return (int)(state >> 16 & 0x7fff) % n;
}

static int draw_bytes(void)
{
    int sort = draw(4);
    return sort == 0 ? 0 : sort == 1 ? draw(64) : sort == 2 ? draw(1200) : draw(MOST);
}

static void mix(long value)
{
    sum = (sum ^ (unsigned long long)value) * 1099511628211ull;
}

static void fill(char *data, int n, int key)
{
    for (int i = 0; i < n; i++)
        data[i] = (char)(i * 7 + key * 13 + i / 300);
}

static void take(const char *data, const MPI_Status *status)
{
    int n;
    MPI_Get_count(status, MPI_CHAR, &n);
    mix(n), mix(status->MPI_SOURCE), mix(status->MPI_TAG);
    for (int i = 0; i < n; i++)
        mix(data[i]);
}

static void linger(int turns)
{
    for (volatile int i = 0; i < turns; i++)
        ;
}

static void start(const Plan *plan, int k, MPI_Request *request)
{
    fill(out[k], plan->bytes, plan->tag);
    if (plan->mode == 0)
        MPI_Issend(out[k], plan->bytes, MPI_CHAR, plan->to, plan->tag, MPI_COMM_WORLD, request);
    else if (plan->mode == 1)
        MPI_Ibsend(out[k], plan->bytes, MPI_CHAR, plan->to, plan->tag, MPI_COMM_WORLD, request);
    else
        MPI_Isend(out[k], plan->bytes, MPI_CHAR, plan->to, plan->tag, MPI_COMM_WORLD, request);
}

/* Non-blocking sends, received in another order: by tag, from any source, by probes; some before and some behind a
 * barrier that all sends come before. */
static void messages(void)
{
    Plan plans[MESSAGES];
    MPI_Request sends[MESSAGES], receives[MESSAGES];
    int n = 1 + draw(MESSAGES), n_sends = 0, shift = draw(n), busy = draw(size), late = draw(2);
    for (int k = 0; k < n; k++)
        plans[k] = (Plan){draw(size), draw(size), first_tag + k, draw_bytes(), draw(4), draw(2), draw(3)};
    for (int i = 0; i < n; i++)
        receives[i] = MPI_REQUEST_NULL;
    for (int pass = 0; pass < 3; pass++) {
        for (int i = 0; i < n; i++) {
            int k = (i * (n % 5 ? 5 : 1) + shift) % n;
            const Plan *plan = &plans[k];
            if (pass == 1 && plan->from == rank)
                start(plan, k, &sends[n_sends++]);
            if (plan->to != rank || pass != 2 * plan->late || plan->style == 2)
                continue;
            int source = plan->style ? MPI_ANY_SOURCE : plan->from;
            MPI_Irecv(in[k], MOST, MPI_CHAR, source, plan->tag, MPI_COMM_WORLD, &receives[k]);
        }
        if (rank == busy)
            linger(20000);
        if (pass == 1 && late)
            MPI_Barrier(MPI_COMM_WORLD);
    }
    for (int k = n; k-- > 0;) {
        MPI_Status status;
        if (plans[k].to != rank)
            continue;
        if (plans[k].style == 2) {
            MPI_Message message;
            MPI_Mprobe(MPI_ANY_SOURCE, plans[k].tag, MPI_COMM_WORLD, &message, &status);
            MPI_Mrecv(in[k], MOST, MPI_CHAR, &message, &status);
        } else {
            MPI_Wait(&receives[k], &status);
        }
        take(in[k], &status);
    }
    MPI_Waitall(n_sends, sends, MPI_STATUSES_IGNORE);
}

static void collective(void)
{
    int bytes = draw_bytes() / 4 + 1, root = draw(size), sort = draw(4), n = 0;
    fill(out[0], bytes * size, rank);
    MPI_Request request;
    if (sort == 0)
        MPI_Bcast(out[0], n = bytes, MPI_CHAR, root, MPI_COMM_WORLD);
    else if (sort == 1)
        MPI_Alltoall(out[0], bytes / size, MPI_CHAR, in[0], bytes / size, MPI_CHAR, MPI_COMM_WORLD),
            n = bytes / size * size;
    else if (sort == 2)
        MPI_Allreduce(out[0], in[0], n = bytes, MPI_UNSIGNED_CHAR, MPI_SUM, MPI_COMM_WORLD);
    else {
        MPI_Iallgather(out[0], bytes, MPI_CHAR, in[0], bytes, MPI_CHAR, MPI_COMM_WORLD, &request);
        linger(2000 * rank);
        MPI_Wait(&request, MPI_STATUS_IGNORE), n = bytes * size;
    }
    for (int i = 0; i < n; i++)
        mix(sort ? in[0][i] : out[0][i]);
}

/* Blocking ones in a ring, and in pairs of which one sends first. */
static void blocking(void)
{
    MPI_Status status;
    int bytes = draw_bytes(), distance = 1 + draw(size - 1), to = (rank + distance) % size;
    int from = (rank + size - distance) % size;
    fill(out[0], bytes, rank);
    MPI_Sendrecv(out[0], bytes, MPI_CHAR, to, first_tag + 9, in[0], MOST, MPI_CHAR, from, first_tag + 9, MPI_COMM_WORLD,
                 &status);
    take(in[0], &status);
    for (int turn = 0; turn < 6; turn++) {
        bytes = draw_bytes();
        if (rank % 2 == 0 && rank + 1 < size) {
            MPI_Send(out[0], bytes, MPI_CHAR, rank + 1, first_tag + turn, MPI_COMM_WORLD);
        } else if (rank % 2) {
            if (turn % 2)
                MPI_Recv(in[0], MOST, MPI_CHAR, rank - 1, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
            else
                MPI_Recv(in[0], MOST, MPI_CHAR, MPI_ANY_SOURCE, first_tag + turn, MPI_COMM_WORLD, &status);
            take(in[0], &status);
        }
    }
    MPI_Request request;
    int cancelled;
    MPI_Irecv(in[0], MOST, MPI_CHAR, MPI_ANY_SOURCE, 99, MPI_COMM_WORLD, &request);
    MPI_Cancel(&request);
    MPI_Wait(&request, &status);
    MPI_Test_cancelled(&status, &cancelled);
    mix(cancelled);
}

typedef struct Work {
    int number, bytes;
    long answer;
} Work;

static void *exchange(void *argument)
{
    Work *work = argument;
    char *mine = out[work->number], *theirs = in[work->number];
    for (int i = 0; i < 4; i++) {
        MPI_Request request;
        fill(mine, work->bytes, rank + i);
        MPI_Isend(mine, work->bytes, MPI_CHAR, (rank + 1) % size, first_tag + work->number, MPI_COMM_WORLD, &request);
        MPI_Recv(theirs, MOST, MPI_CHAR, (rank + size - 1) % size, first_tag + work->number, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        for (int k = 0; k < work->bytes; k++)
            work->answer = work->answer * 31 + theirs[k];
    }
    return NULL;
}

static void threads(void)
{
    pthread_t thread[THREADS];
    Work work[THREADS];
    for (int i = 0; i < THREADS; i++) {
        work[i] = (Work){i, draw_bytes(), 0};
        pthread_create(&thread[i], NULL, exchange, &work[i]);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(thread[i], NULL);
        mix(work[i].answer);
    }
}

int main(int argc, char **argv)
{
    int level;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    state = argc > 1 ? (unsigned)atoi(argv[1]) : 1;
    MPI_Buffer_attach(room, sizeof room);
    for (int phase = 0; phase < (argc > 2 ? atoi(argv[2]) : 12); phase++) {
        int sort = draw(6);
        first_tag = 100 * (phase + 1);
        void (*const sorts[])(void) = {messages, messages, messages, collective, blocking, threads};
        sorts[sort]();
    }
    unsigned long long all;
    MPI_Reduce(&sum, &all, 1, MPI_UNSIGNED_LONG_LONG, MPI_BXOR, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%016llx\n", all);
    void *buffer;
    MPI_Buffer_detach(&buffer, &level);
    MPI_Finalize();
    return 0;
}
