/* Data goes through derived types on either side of a message; only the type signatures must agree (MPI-3.1 section
 * 3.3.1, 4.1.11). */
#include "in_order.h"
#include <string.h>

enum { N = 6 };

static int rank;

/* Trailing zeros are memory that was not written. */
static void print_ints(const char *what, const int *values, int n)
{
    while (n > 0 && values[n - 1] == 0)
        n--;
    say("%s:", what);
    for (int i = 0; i < n; i++)
        say(" %d", values[i]);
    say("\n");
}

/* Sends from rank 0 with one type and receives on rank 1 with another. */
static void transfer(const char *what, const int *from, int from_count, MPI_Datatype from_type, int to_count,
                     MPI_Datatype to_type)
{
    int to[4 * N * N]; /* room for what the largest count names */
    MPI_Status status;

    memset(to, 0, N * N * sizeof *to);
    if (rank == 0)
        MPI_Send(from, from_count, from_type, 1, 7, MPI_COMM_WORLD);
    if (rank == 1) {
        int count, elements;
        MPI_Recv(to, to_count, to_type, 0, 7, MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, to_type, &count);
        MPI_Get_elements(&status, to_type, &elements);
        print_ints(what, to, N * N);
        say("    %d items, %d elements\n", count, elements);
    }
}

int main(int argc, char **argv)
{
    int matrix[N * N], lengths[N], starts[N], one = 1;
    MPI_Datatype column, triangle, block, reversed, item, columns;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < N * N; i++)
        matrix[i] = i + 1;
    for (int i = 0; i < N; i++) {
        lengths[i] = N - i;
        starts[i] = i * N + i;
    }
    MPI_Type_vector(N, 1, N, MPI_INT, &column);
    MPI_Type_indexed(N, lengths, starts, MPI_INT, &triangle);
    MPI_Type_create_subarray(2, (int[]){N, N}, (int[]){2, 3}, (int[]){1, 2}, MPI_ORDER_C, MPI_INT, &block);
    MPI_Type_create_hvector(N, 1, -(MPI_Aint)sizeof(int), MPI_INT, &reversed);
    MPI_Type_create_resized(column, 0, sizeof(int), &columns);
    MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &item);
    MPI_Type_commit(&column);
    MPI_Type_commit(&triangle);
    MPI_Type_commit(&block);
    MPI_Type_commit(&reversed);
    MPI_Type_commit(&columns);
    MPI_Type_commit(&item);

    transfer("column to row", matrix + 2, 1, column, N, MPI_INT);
    transfer("row to column", matrix + 6, N, MPI_INT, 1, column);
    transfer("upper triangle", matrix, 1, triangle, 1, triangle);
    transfer("triangle packed", matrix, 1, triangle, N * N, MPI_INT);
    transfer("block", matrix, 1, block, 1, block);
    transfer("transposed", matrix, N, columns, N * N, MPI_INT);
    transfer("back to front", matrix + N - 1, 1, reversed, N, MPI_INT);
    transfer("every other", matrix, N, item, N, item);
    transfer("fewer than expected", matrix, 4, MPI_INT, 5, columns);
    transfer("nothing", matrix, 0, column, 3, column);

    /* Absolute addresses with MPI_BOTTOM: static and automatic memory in one type. */
    static double far[2];
    MPI_Aint at[2];
    MPI_Datatype parts[2] = {MPI_INT, MPI_DOUBLE}, absolute;
    far[0] = rank == 0 ? 2.5 : 0;
    far[1] = rank == 0 ? -1.25 : 0;
    one = rank == 0 ? 4711 : 0;
    MPI_Get_address(&one, &at[0]);
    MPI_Get_address(far, &at[1]);
    MPI_Type_create_struct(2, (int[]){1, 2}, at, parts, &absolute);
    MPI_Type_commit(&absolute);
    MPI_Bcast(MPI_BOTTOM, 1, absolute, 0, MPI_COMM_WORLD);
    say("rank %d has %d %g %g\n", rank, one, far[0], far[1]);

    MPI_Type_free(&column);
    MPI_Type_free(&triangle);
    MPI_Type_free(&block);
    MPI_Type_free(&reversed);
    MPI_Type_free(&columns);
    MPI_Type_free(&item);
    MPI_Type_free(&absolute);
    say_all();
    MPI_Finalize();
    return 0;
}
