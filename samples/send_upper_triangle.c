/* send_upper_triangle.c - the upper triangle of a matrix travels as an indexed datatype.
 *
 * Row i contributes a block of N - i elements that starts on the diagonal.
 *
 * Run:      orrery run -n 2 --machine ring-8 --stats samples/send_upper_triangle.c
 * Look at:  the zeros below the diagonal at the receiver: nothing was written there.
 * Change:   send the strict upper triangle (without the diagonal); one block becomes empty.
 */
#include <mpi.h>
#include <stdio.h>

#define N 6

int main(int argc, char **argv)
{
    int rank, size;
    int lengths[N], displacements[N];
    float matrix[N][N] = {{0.0f}};
    MPI_Datatype triangle_type;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    for (int i = 0; i < N; i++) {
        lengths[i] = N - i;
        displacements[i] = (N + 1) * i;
    }
    MPI_Type_indexed(N, lengths, displacements, MPI_FLOAT, &triangle_type);
    MPI_Type_commit(&triangle_type);

    if (size < 2) {
        printf("one rank alone has nobody to send to: the triangle stays where it is\n");
    } else if (rank == 0) {
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                matrix[i][j] = (float)(i + j + 1);
        MPI_Send(matrix, 1, triangle_type, 1, 0, MPI_COMM_WORLD);
    } else if (rank == 1) {
        MPI_Recv(matrix, 1, triangle_type, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 0; i < N; i++) {
            for (int j = 0; j < N; j++)
                printf("%5.1f", matrix[i][j]);
            printf("\n");
        }
    }
    MPI_Type_free(&triangle_type);
    MPI_Finalize();
    return 0;
}
