/* io_rank.c - input and output through one rank, which is found by attribute caching.
 *
 * MPI says through the attribute MPI_IO which ranks can do ordinary input and output. All ranks agree on the lowest
 * one, and keep that choice as an attribute of a communicator of their own, so that every later call finds it there.
 *
 * Run:      echo 2.5 | orrery run -n 6 --machine hypercube-4 samples/io_rank.c
 * Look at:  the value is read once and the lines come out in rank order, whoever is slow.
 * Change:   duplicate io_comm: with MPI_DUP_FN as copy callback the choice goes along, with MPI_NULL_COPY_FN it does
 * not.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int io_key = MPI_KEYVAL_INVALID;

static int free_io_rank(MPI_Comm comm, int keyval, void *value, void *extra)
{
    (void)comm;
    (void)keyval;
    (void)extra;
    free(value);
    return MPI_SUCCESS;
}

/* Caches on io_comm the lowest rank that can do input and output. Collective. */
static void cache_io_rank(MPI_Comm io_comm)
{
    int rank, size, flag, mine, lowest;
    int *who, *stored = malloc(sizeof *stored);

    MPI_Comm_rank(io_comm, &rank);
    MPI_Comm_size(io_comm, &size);
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_IO, &who, &flag);
    mine = !flag || *who == MPI_PROC_NULL ? size : (*who == MPI_ANY_SOURCE || *who == rank ? rank : *who);
    MPI_Allreduce(&mine, &lowest, 1, MPI_INT, MPI_MIN, io_comm);
    *stored = lowest;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, free_io_rank, &io_key, NULL);
    MPI_Comm_set_attr(io_comm, io_key, stored);
}

static int io_rank_of(MPI_Comm io_comm)
{
    int flag, *stored;

    MPI_Comm_get_attr(io_comm, io_key, &stored, &flag);
    return flag ? *stored : MPI_PROC_NULL;
}

/* Everybody's line, printed by the I/O rank in rank order. */
static void print_in_order(MPI_Comm io_comm, const char *line)
{
    int rank, size, root = io_rank_of(io_comm);
    char text[80];

    MPI_Comm_rank(io_comm, &rank);
    MPI_Comm_size(io_comm, &size);
    snprintf(text, sizeof text, "%s", line);
    if (rank != root) {
        MPI_Send(text, sizeof text, MPI_CHAR, root, 0, io_comm);
        return;
    }
    for (int from = 0; from < size; from++) {
        if (from != root)
            MPI_Recv(text, sizeof text, MPI_CHAR, from, 0, io_comm, MPI_STATUS_IGNORE);
        printf("Rank %d says: %s\n", from, from == root ? line : text);
    }
}

int main(int argc, char **argv)
{
    int rank;
    float value = 0.0f;
    char line[80];
    MPI_Comm io_comm;

    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &io_comm);
    MPI_Comm_rank(io_comm, &rank);
    cache_io_rank(io_comm);

    int root = io_rank_of(io_comm);
    if (rank == root && scanf("%f", &value) != 1)
        value = 1.0f;
    MPI_Bcast(&value, 1, MPI_FLOAT, root, io_comm);
    snprintf(line, sizeof line, "%.2f times %d is %.2f", value, rank, value * rank);
    print_in_order(io_comm, line);

    MPI_Comm_free(&io_comm);
    MPI_Comm_free_keyval(&io_key);
    MPI_Finalize();
    return 0;
}
