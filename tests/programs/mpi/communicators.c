/* Communicators made in every way keep their messages apart (MPI-3.1 section 6.4); attributes go along (6.7). */
#include <mpi.h>
#include <stdio.h>

static int rank, size, copies, deletes;

static int copy(MPI_Comm comm, int key, void *extra, void *value, void *out, int *flag)
{
    int *n = extra;
    (void)comm, (void)key;
    ++*n;
    *(void **)out = (char *)value + 1;
    *flag = 1;
    return MPI_SUCCESS;
}

static int delete(MPI_Comm comm, int key, void *value, void *extra)
{
    (void)comm, (void)key, (void)value, (void)extra;
    deletes++;
    return MPI_SUCCESS;
}

static void duplicates(void)
{
    int key, flag, result, a = rank, b = -1;
    void *value;
    MPI_Comm dup, second;
    MPI_Comm_create_keyval(copy, delete, &key, &copies);
    MPI_Comm_set_attr(MPI_COMM_WORLD, key, (void *)100);
    MPI_Comm_dup(MPI_COMM_WORLD, &dup);
    MPI_Comm_dup(dup, &second);
    MPI_Comm_get_attr(second, key, &value, &flag);
    MPI_Comm_compare(dup, MPI_COMM_WORLD, &result);
    if (rank == 0)
        printf("attribute %ld after %d copies; congruent %d\n", (long)value, copies, result == MPI_CONGRUENT);
    /* the same tag on three communicators, received in another order */
    MPI_Request requests[3];
    int out[3] = {1, 2, 3}, in[3] = {0};
    MPI_Comm comms[3] = {MPI_COMM_WORLD, dup, second};
    for (int i = 0; i < 3; i++)
        MPI_Isend(&out[i], 1, MPI_INT, (rank + 1) % size, 0, comms[i], &requests[i]);
    for (int i = 2; i >= 0; i--)
        MPI_Recv(&in[i], 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comms[i], MPI_STATUS_IGNORE);
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < 3; i++)
        if (in[i] != out[i])
            printf("rank %d: communicators mixed up\n", rank);
    MPI_Comm_free(&second);
    MPI_Comm_free(&dup);
    MPI_Comm_delete_attr(MPI_COMM_WORLD, key);
    MPI_Comm_free_keyval(&key);
    if (rank == 0)
        printf("%d deletes, null %d\n", deletes, dup == MPI_COMM_NULL);
    MPI_Allreduce(&a, &b, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

static void splits(void)
{
    MPI_Comm row, reversed, none;
    int sum, r, n;
    MPI_Comm_split(MPI_COMM_WORLD, rank / 3, rank, &row);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, row);
    MPI_Comm_size(row, &n);
    int first = rank / 3 * 3, wanted = n * first + n * (n - 1) / 2;
    if (sum != wanted)
        printf("rank %d: sum over the row %d, not %d\n", rank, sum, wanted);
    MPI_Comm_split(row, 0, -rank, &reversed);
    MPI_Comm_rank(reversed, &r);
    if (r != n - 1 - (rank - first))
        printf("rank %d: reversed rank %d\n", rank, r);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2 ? MPI_UNDEFINED : 1, 0, &none);
    if ((none == MPI_COMM_NULL) != (rank % 2))
        printf("rank %d: undefined colour\n", rank);
    if (none != MPI_COMM_NULL) {
        MPI_Barrier(none);
        MPI_Comm_free(&none);
    }
    MPI_Comm_free(&reversed);
    MPI_Comm_free(&row);
}

static void groups(void)
{
    MPI_Group world, odd;
    MPI_Comm comm;
    int ranks[64], n = 0, sum = -1;
    for (int i = size - 1; i >= 0; i--)
        if (i % 2)
            ranks[n++] = i;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, n, ranks, &odd);
    MPI_Comm_create(MPI_COMM_WORLD, odd, &comm);
    if (comm != MPI_COMM_NULL) {
        MPI_Scan(&rank, &sum, 1, MPI_INT, MPI_SUM, comm);
        printf("rank %d: %d\n", rank, sum);
        MPI_Comm_free(&comm);
    }
    MPI_Group_free(&odd);
    MPI_Group_free(&world);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    duplicates();
    splits();
    for (int i = 0; i < size; i++) {
        if (i == 0)
            groups();
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
