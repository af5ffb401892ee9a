/* Broadcasts, barriers and reductions for all by multicast, where the medium has it (--set collectives.bcast=multicast):
 * every root, messages on both sides of the eager limit, datatypes with holes, parts of the world, operators that do not
 * commute, calls in the background, receivers that come late, and other messages at the same time. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int wrong, done;

static void expect(int good)
{
    wrong += !good;
    done++;
}

static void broadcasts(MPI_Comm comm, int count)
{
    int rank, size, *v = malloc((size_t)count * sizeof *v + 1);

    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    for (int root = 0; root < size; root += 1 + size / 3) {
        for (int i = 0; i < count; i++)
            v[i] = rank == root ? root * 1000 + i : -1;
        MPI_Bcast(v, count, MPI_INT, root, comm);
        int good = 1;
        for (int i = 0; i < count; i++)
            good = good && v[i] == root * 1000 + i;
        expect(good);
    }
    free(v);
}

static void holes(MPI_Comm comm)
{
    int rank, v[90];
    MPI_Datatype every_third;

    MPI_Comm_rank(comm, &rank);
    for (int i = 0; i < 90; i++)
        v[i] = rank ? -1 : i;
    MPI_Type_vector(30, 1, 3, MPI_INT, &every_third);
    MPI_Type_commit(&every_third);
    MPI_Bcast(v, 1, every_third, 0, comm);
    int good = 1;
    for (int i = 0; i < 90; i++)
        good = good && v[i] == (i % 3 == 0 || !rank ? i : -1);
    expect(good);
    MPI_Type_free(&every_third);
}

/* Affine maps: associative, not commutative. */
static void compose(void *in, void *inout, int *n, MPI_Datatype *type)
{
    unsigned (*a)[2] = in, (*b)[2] = inout;
    (void)type;
    for (int i = 0; i < *n; i++) {
        b[i][1] = a[i][0] * b[i][1] + a[i][1];
        b[i][0] = a[i][0] * b[i][0];
    }
}

static void reductions(MPI_Comm comm, int count)
{
    int rank, size;
    MPI_Op op;
    MPI_Datatype map;
    long *sum = malloc((size_t)count * sizeof *sum);
    unsigned mine[2], all[2], wanted[2] = {1, 0};

    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    for (int i = 0; i < count; i++)
        sum[i] = rank + i;
    MPI_Allreduce(MPI_IN_PLACE, sum, count, MPI_LONG, MPI_SUM, comm);
    int good = 1;
    for (int i = 0; i < count; i++)
        good = good && sum[i] == (long)size * (size - 1) / 2 + (long)size * i;
    expect(good);
    MPI_Op_create(compose, 0, &op);
    MPI_Type_contiguous(2, MPI_UNSIGNED, &map);
    MPI_Type_commit(&map);
    mine[0] = (unsigned)rank * 2 + 3;
    mine[1] = (unsigned)rank;
    MPI_Allreduce(mine, all, 1, map, op, comm);
    for (unsigned r = (unsigned)size; r-- > 0;) {
        wanted[1] = (r * 2 + 3) * wanted[1] + r;
        wanted[0] = (r * 2 + 3) * wanted[0];
    }
    expect(all[0] == wanted[0] && all[1] == wanted[1]);
    MPI_Type_free(&map);
    MPI_Op_free(&op);
    free(sum);
}

/* In the background, while others come late, and with messages of their own. */
static void at_once(MPI_Comm comm)
{
    enum { LONG = 3000 };
    int rank, size, token = 0, sum = 0;
    static int a[LONG], b[5];
    MPI_Request request[4];

    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    for (volatile int i = 0; i < 2000 * (rank % 3); i++)
        ;
    for (int i = 0; i < LONG; i++)
        a[i] = rank == size - 1 ? i : -1;
    for (int i = 0; i < 5; i++)
        b[i] = rank ? -1 : i;
    MPI_Ibcast(a, LONG, MPI_INT, size - 1, comm, &request[0]);
    MPI_Ibcast(b, 5, MPI_INT, 0, comm, &request[1]);
    MPI_Iallreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm, &request[2]);
    MPI_Ibarrier(comm, &request[3]);
    MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 5, &token, 1, MPI_INT, (rank + size - 1) % size, 5, comm,
                 MPI_STATUS_IGNORE);
    MPI_Waitall(4, request, MPI_STATUSES_IGNORE);
    int good = token == (rank + size - 1) % size && sum == size * (size - 1) / 2;
    for (int i = 0; i < LONG; i++)
        good = good && a[i] == i;
    for (int i = 0; i < 5; i++)
        good = good && b[i] == i;
    expect(good);
}

/* Nobody leaves before the last one has come. */
static void barriers(MPI_Comm comm)
{
    int rank, size;
    double came, left, last;

    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    for (volatile int i = 0; i < 10000 * rank; i++)
        ;
    came = MPI_Wtime();
    MPI_Barrier(comm);
    left = MPI_Wtime();
    MPI_Allreduce(&came, &last, 1, MPI_DOUBLE, MPI_MAX, comm);
    expect(left >= last);
}

int main(int argc, char **argv)
{
    int rank, total[2], mine[2];
    MPI_Comm half, again;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
    MPI_Comm_dup(MPI_COMM_WORLD, &again);
    MPI_Comm comms[] = {MPI_COMM_WORLD, half, again, MPI_COMM_SELF};
    for (int i = 0; i < 4; i++) {
        broadcasts(comms[i], 0);
        broadcasts(comms[i], 1);
        broadcasts(comms[i], 100);
        broadcasts(comms[i], 1024);
        broadcasts(comms[i], 1025);
        broadcasts(comms[i], 10000);
        holes(comms[i]);
        reductions(comms[i], 1);
        reductions(comms[i], 2000);
        barriers(comms[i]);
        at_once(comms[i]);
    }
    mine[0] = wrong;
    mine[1] = done;
    MPI_Reduce(mine, total, 2, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d of them wrong, %s\n", total[0], total[1] >= done ? "all done" : "some left out");
    MPI_Comm_free(&half);
    MPI_Comm_free(&again);
    MPI_Finalize();
    return 0;
}
