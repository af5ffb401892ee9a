/* send_column.c - a column of a matrix travels as a vector datatype and arrives as a row.
 *
 * Sender and receiver need not use the same datatype: only the sequence of basic types must match.
 *
 * Run:      orrery run -n 2 --machine ring-8 --stats samples/send_column.c
 * Look at:  the bytes sent: N floats, not the N * N that the column stretches over.
 * Change:   receive with column_type too, into another column.
 */
#include <mpi.h>
#include <stdio.h>

#define N 10

int main(int argc, char **argv)
{
    int rank, size;
    float matrix[N][N], column[N];
    MPI_Datatype column_type;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Type_vector(N, 1, N, MPI_FLOAT, &column_type);
    MPI_Type_commit(&column_type);

    if (size < 2) {
        printf("one rank alone has nobody to send to: column 3 stays where it is\n");
    } else if (rank == 0) {
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                matrix[i][j] = (float)(i * N + j);
        MPI_Send(&matrix[0][3], 1, column_type, 1, 0, MPI_COMM_WORLD);
    } else if (rank == 1) {
        MPI_Recv(column, N, MPI_FLOAT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 0; i < N; i++)
            printf("%s%4.1f", i > 0 ? " " : "", column[i]);
        printf("\n");
    }
    MPI_Type_free(&column_type);
    MPI_Finalize();
    return 0;
}
