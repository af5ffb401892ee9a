/* MPI_Finalize first deletes the attributes of MPI_COMM_SELF, the last one set first, while MPI is still up (MPI-3.1
 * section 8.7.1). */
#include <mpi.h>
#include <stdio.h>

static int keys[3];

static int delete(MPI_Comm comm, int keyval, void *value, void *extra)
{
    int flag, rank, sum, one = 1;
    MPI_Finalized(&flag);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* the others do the same */
    if (rank == 0)
        printf("delete %s of %s, key %s, finalized %d, %s\n", (char *)value, (char *)extra,
               keyval == keys[0] ? "0" : keyval == keys[1] ? "1" : "2", flag, comm == MPI_COMM_SELF ? "self" : "?");
    return MPI_SUCCESS;
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 3; i++)
        MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, delete, &keys[i], "extra");
    MPI_Comm_set_attr(MPI_COMM_SELF, keys[1], "one");
    MPI_Comm_set_attr(MPI_COMM_SELF, keys[0], "two");
    MPI_Comm_set_attr(MPI_COMM_SELF, keys[2], "three");
    MPI_Finalize();
    if (rank == 0)
        printf("after MPI_Finalize\n");
    return 0;
}
