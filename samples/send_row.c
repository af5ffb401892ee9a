/* send_row.c - one row of a matrix travels: in C a row is contiguous, so no derived type is needed.
 *
 * Run:      orrery run -n 2 --machine ring-8 samples/send_row.c
 * Look at:  send_column.c and send_upper_triangle.c, where the elements do not lie side by side.
 * Change:   send two rows with one call: the count doubles, nothing else.
 */
#include <mpi.h>
#include <stdio.h>

#define N 10

int main(int argc, char **argv)
{
    int rank, size;
    float matrix[N][N];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            matrix[i][j] = rank == 0 ? (float)(i * N + j) : 0.0f;

    if (size < 2) {
        printf("one rank alone has nobody to send to: row 2 stays where it is\n");
    } else if (rank == 0) {
        MPI_Send(&matrix[2][0], N, MPI_FLOAT, 1, 0, MPI_COMM_WORLD);
    } else if (rank == 1) {
        MPI_Status status;
        int count;
        MPI_Recv(&matrix[2][0], N, MPI_FLOAT, 0, 0, MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, MPI_FLOAT, &count);
        printf("%d elements:", count);
        for (int j = 0; j < N; j++)
            printf(" %3.1f", matrix[2][j]);
        printf("\n");
    }
    MPI_Finalize();
    return 0;
}
