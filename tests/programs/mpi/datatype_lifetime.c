/* Freed datatypes live on in derived types and in pending communication (MPI-3.1 section 4.1.9); names are kept. */
#include "in_order.h"

int main(int argc, char **argv)
{
    int rank, values[8] = {0}, length;
    char name[MPI_MAX_OBJECT_NAME];
    MPI_Datatype pair, pairs;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_vector(2, 1, 2, MPI_INT, &pair);
    MPI_Type_set_name(pair, "pair");
    MPI_Type_contiguous(2, pair, &pairs);
    MPI_Type_get_name(pair, name, &length);
    say("rank %d: \"%s\" of %d characters\n", rank, name, length);
    MPI_Type_get_name(pairs, name, &length);
    say("rank %d: \"%s\" of %d characters\n", rank, name, length);
    MPI_Type_get_name(MPI_UNSIGNED_LONG, name, &length);
    say("rank %d: \"%s\" of %d characters\n", rank, name, length);
    MPI_Type_free(&pair);
    MPI_Type_commit(&pairs);

    MPI_Irecv(values, 1, pairs, (rank + 3) % 4, 0, MPI_COMM_WORLD, &request);
    MPI_Type_free(&pairs);
    int out[4] = {10 * rank, 10 * rank + 1, 10 * rank + 2, 10 * rank + 3};
    MPI_Send(out, 4, MPI_INT, (rank + 1) % 4, 0, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    say("rank %d:", rank);
    for (int i = 0; i < 8; i++)
        say(" %d", values[i]);
    say("\n");
    say_all();
    MPI_Finalize();
    return 0;
}
