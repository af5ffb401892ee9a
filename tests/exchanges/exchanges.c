/* exchanges.c - exchanges of all with all, in one of several ways: exchanges WAY ITEMS SKEW
 *
 * Every rank prints what it has received, as a hash, and when. SKEW makes ranks come at different times. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int n, me, items, skew;
static int *in, *out;

static unsigned hash(const void *data, size_t bytes)
{
    const unsigned char *at = data;
    unsigned value = 2166136261u;
    while (bytes--)
        value = (value ^ *at++) * 16777619u;
    return value;
}

static void tell(const char *what, const void *data, size_t bytes)
{
    printf("%d %s %u %.12f\n", me, what, hash(data, bytes), MPI_Wtime());
}

static void work(long turns)
{
    volatile double x = 1;
    for (long i = 0; i < turns; i++)
        x = x * 1.0000001 + 1;
}

static size_t all(void)
{
    return sizeof(int) * (size_t)n * items;
}

static void exchange(const char *what, const void *from, int count, MPI_Datatype type, MPI_Comm comm)
{
    MPI_Alltoall(from, count, type, out, items, MPI_INT, comm);
    tell(what, out, all());
}

static void repeated(void)
{
    for (int turn = 0; turn < 3; turn++) {
        exchange("turn", in, items, MPI_INT, MPI_COMM_WORLD);
        in[turn % n] += turn;
        work((long)skew * (me * 31 % n));
    }
}

/* How many items one rank sends to another: some none, some more than is sent at once. */
static int count(int from, int to)
{
    unsigned h = (unsigned)(from * 31 + to * 17) * 2654435761u >> 16;
    return h % 3 ? (int)(h % 7) : h % 11 ? 0 : 6000;
}

static void blocks(void)
{
    int *sizes = malloc(4 * sizeof(int) * n), *places = sizes + n, *room = places + n, *into = room + n, sent = 0,
        got = 0;
    for (int i = 0; i < n; i++) {
        sizes[i] = count(me, i);
        room[i] = count(i, me);
        places[i] = sent;
        into[i] = got;
        sent += sizes[i] + 1;
        got += room[i] + 2;
    }
    int *from = calloc(sent, sizeof(int)), *to = calloc(got, sizeof(int));
    for (int i = 0; i < sent; i++)
        from[i] = me * 100 + i;
    MPI_Alltoallv(from, sizes, places, MPI_INT, to, room, into, MPI_INT, MPI_COMM_WORLD);
    tell("blocks", to, got * sizeof(int));
    free(sizes);
    free(from);
    free(to);
}

static void types(void)
{
    MPI_Datatype apart;
    int *gaps = calloc(2 * (size_t)n * items, sizeof(int));
    MPI_Type_vector(items, 1, 2, MPI_INT, &apart);
    MPI_Type_commit(&apart);
    memcpy(gaps, in, all());
    exchange("type", gaps, 1, apart, MPI_COMM_WORLD);
    MPI_Alltoall(MPI_IN_PLACE, 0, MPI_INT, in, items, MPI_INT, MPI_COMM_WORLD);
    tell("in place", in, all());
    MPI_Type_free(&apart);
    free(gaps);
}

/* Two at once, with messages of the same tags as theirs, and receives that take any. */
static void background(void)
{
    int *other = calloc((size_t)n * items, sizeof(int)), any = -1, tagged = -1;
    MPI_Request requests[6];
    MPI_Irecv(&any, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(&tagged, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Ialltoall(in, items, MPI_INT, out, items, MPI_INT, MPI_COMM_WORLD, &requests[2]);
    MPI_Isend(&me, 1, MPI_INT, (me + 1) % n, 1, MPI_COMM_WORLD, &requests[3]);
    work(500 + (long)skew * me);
    MPI_Ialltoall(in, items, MPI_INT, other, items, MPI_INT, MPI_COMM_WORLD, &requests[4]);
    MPI_Isend(&me, 1, MPI_INT, (me + n - 1) % n, 1, MPI_COMM_WORLD, &requests[5]);
    MPI_Waitall(6, requests, MPI_STATUSES_IGNORE);
    tell("first", out, all());
    tell("second", other, all());
    printf("%d has %d %d\n", me, any, tagged);
    free(other);
}

static void persistent(void)
{
    MPI_Request request;
    MPI_Alltoall_init(in, items, MPI_INT, out, items, MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    for (int turn = 0; turn < 3; turn++) {
        MPI_Start(&request);
        work(100 * (turn + 1));
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        tell("start", out, all());
        in[0] += 7;
    }
    MPI_Request_free(&request);
}

static void groups(void)
{
    MPI_Comm half, between;
    MPI_Comm_split(MPI_COMM_WORLD, me % 2, me, &half);
    exchange("half", in, items, MPI_INT, half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - me % 2, 5, &between);
    exchange("between", in, items, MPI_INT, between);
    MPI_Comm_free(&between);
    MPI_Comm_free(&half);
}

/* Rank 0 sends less than the others have room for, then has less room than they send. */
static void unequal(void)
{
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    memset(out, 0x55, all());
    int error = MPI_Alltoall(in, me ? items : items - 1, MPI_INT, out, items, MPI_INT, MPI_COMM_WORLD);
    tell("short", out, all());
    printf("%d: %d\n", me, error);
    error = MPI_Alltoall(in, items, MPI_INT, out, me ? items : items - 1, MPI_INT, MPI_COMM_WORLD);
    printf("%d: %d %.12f\n", me, error, MPI_Wtime());
}

static void late(void)
{
    MPI_Request request;
    int from = -1;
    MPI_Irecv(&from, 1, MPI_INT, MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, &request);
    if (me == n - 1) {
        work(20000);
        for (int i = 0; i < n; i++)
            MPI_Send(&me, 1, MPI_INT, i, 9, MPI_COMM_WORLD);
    }
    exchange("late", in, items, MPI_INT, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    printf("%d has %d %.12f\n", me, from, MPI_Wtime());
}

static void missing(void)
{
    if (me == n / 2)
        MPI_Recv(in, 1, MPI_INT, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else
        exchange("never", in, items, MPI_INT, MPI_COMM_WORLD);
}

static void wrong_argument(void)
{
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    int error = MPI_Alltoall(in, me == 1 ? -1 : items, MPI_INT, out, items, MPI_INT, MPI_COMM_WORLD);
    printf("%d: %d %.12f\n", me, error, MPI_Wtime());
    if (me == 1)
        exchange("again", in, items, MPI_INT, MPI_COMM_WORLD);
}

/* Some ranks end without waiting for what they have started. */
static void left(void)
{
    MPI_Request request;
    int done = 0;
    MPI_Ialltoall(in, items, MPI_INT, out, items, MPI_INT, MPI_COMM_WORLD, &request);
    if (me % 2)
        exit(0);
    while (!done)
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    tell("left", out, all());
}

static void ended(void)
{
    if (me == n - 1) {
        work(300);
        MPI_Abort(MPI_COMM_WORLD, 3);
    }
    exchange("never", in, items, MPI_INT, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } ways[] = {{"repeated", repeated},     {"blocks", blocks},        {"types", types},     {"background", background},
                {"persistent", persistent}, {"groups", groups},        {"unequal", unequal}, {"late", late},
                {"missing", missing},       {"wrong", wrong_argument}, {"left", left},       {"ended", ended}};
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    items = atoi(argv[2]);
    skew = atoi(argv[3]);
    in = calloc((size_t)n * items + 1, sizeof(int));
    out = calloc((size_t)n * items + 1, sizeof(int));
    for (int i = 0; i < n * items; i++)
        in[i] = me * 1000 + i;
    work((long)skew * (me * 7919 % n));
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if (strcmp(argv[1], ways[i].name) == 0)
            ways[i].run();
    printf("%d ends %.12f\n", me, MPI_Wtime());
    free(in);
    free(out);
    MPI_Finalize();
    return 0;
}
