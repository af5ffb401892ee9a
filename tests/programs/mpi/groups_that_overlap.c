/* The groups of an inter-communicator must be disjoint (MPI-3.1 section 6.6.2): also where only their leaders are told
 * apart. Everybody gets the error, and all communicators stay usable. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size, class, wrong = 0, all;
    MPI_Group world, group;
    MPI_Comm local[2], made;

    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    for (int side = 0; side < 2; side++) { /* 0 and the last, 1 and the last */
        int members[2] = {side, size - 1};
        local[side] = MPI_COMM_NULL;
        if (rank != members[0] && rank != members[1])
            continue;
        MPI_Group_incl(world, 2, members, &group);
        MPI_Comm_create_group(MPI_COMM_WORLD, group, side, &local[side]);
        MPI_Group_free(&group);
    }
    for (int side = 0; side < 2; side++) {
        int one = 1, sum;
        if (local[side] == MPI_COMM_NULL)
            continue;
        MPI_Error_class(MPI_Intercomm_create(local[side], 0, MPI_COMM_WORLD, !side, 9, &made), &class);
        wrong += class != MPI_ERR_COMM || made != MPI_COMM_NULL;
        MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, local[side]);
        wrong += sum != 2;
        MPI_Comm_free(&local[side]);
    }
    MPI_Group_free(&world);
    MPI_Allreduce(&wrong, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("wrong: %d\n", all);
    MPI_Finalize();
    return 0;
}
