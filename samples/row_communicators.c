/* row_communicators.c - a communicator over each row of a square grid of ranks, made in two ways.
 *
 * The first way builds the group of the first row and MPI_Comm_create; the second splits the world by row number
 * with MPI_Comm_split and gets all rows at once. Ranks beyond the largest square take part in the calls, as all must,
 * and then have no row.
 *
 * Run:      orrery run -n 9 --machine mesh-4x4 samples/row_communicators.c
 * Look at:  each row's broadcast goes on at the same time as the others', on other links.
 * Change:   give the split a key of -column and see the ranks in each row turn round.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

/* By group: only the members of the first row get a communicator. */
static void first_row_by_create(int rank, int side)
{
    MPI_Group world_group, row_group;
    MPI_Comm row_comm;
    int *members = malloc(side * sizeof *members);

    for (int i = 0; i < side; i++)
        members[i] = i;
    MPI_Comm_group(MPI_COMM_WORLD, &world_group);
    MPI_Group_incl(world_group, side, members, &row_group);
    MPI_Comm_create(MPI_COMM_WORLD, row_group, &row_comm);

    if (row_comm != MPI_COMM_NULL) {
        int row_rank, value = 0;
        MPI_Comm_rank(row_comm, &row_rank);
        if (row_rank == 0)
            value = 42;
        MPI_Bcast(&value, 1, MPI_INT, 0, row_comm);
        printf("Create: rank %d is number %d of the first row and got %d\n", rank, row_rank, value);
        MPI_Comm_free(&row_comm);
    }
    MPI_Group_free(&row_group);
    MPI_Group_free(&world_group);
    free(members);
}

/* By colour: everybody gets the communicator of its own row. */
static void all_rows_by_split(int rank, int side)
{
    MPI_Comm row_comm;
    int row = rank < side * side ? rank / side : MPI_UNDEFINED;

    MPI_Comm_split(MPI_COMM_WORLD, row, rank, &row_comm);
    if (row_comm != MPI_COMM_NULL) {
        int row_rank, value = 0;
        MPI_Comm_rank(row_comm, &row_rank);
        if (row_rank == 0)
            value = 100 * row;
        MPI_Bcast(&value, 1, MPI_INT, 0, row_comm);
        printf("Split: rank %d is number %d of row %d and got %d\n", rank, row_rank, row, value);
        MPI_Comm_free(&row_comm);
    } else {
        printf("Split: rank %d has no row\n", rank);
    }
}

int main(int argc, char **argv)
{
    int rank, size, side = 1;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    while ((side + 1) * (side + 1) <= size)
        side++;

    first_row_by_create(rank, side);
    all_rows_by_split(rank, side);
    MPI_Finalize();
    return 0;
}
