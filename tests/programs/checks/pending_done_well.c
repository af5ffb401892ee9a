/* Everything that the standard allows beside pending requests: neighbouring columns, two sends of one buffer, reading
 * what is being sent, buffers used again after Wait, Test, Waitany, Request_get_status and Cancel, persistent requests
 * between two starts, partitions one by one. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 8 };

static MPI_Datatype column_type(void)
{
    MPI_Datatype column;

    MPI_Type_vector(N, 1, N, MPI_DOUBLE, &column);
    MPI_Type_commit(&column);
    return column;
}

/* Columns 1, 3, 5 come in while the others are worked on. */
static double columns(int rank, int other)
{
    double matrix[N][N], sum = 0;
    MPI_Request requests[6];
    MPI_Datatype column = column_type();

    for (int i = 0; i < N * N; i++)
        matrix[i / N][i % N] = i + rank;
    for (int i = 0; i < 3; i++) {
        MPI_Irecv(&matrix[0][2 * i + 1], 1, column, other, i, MPI_COMM_WORLD, &requests[i]);
        MPI_Isend(&matrix[0][0], 1, column, other, i, MPI_COMM_WORLD, &requests[3 + i]);
    }
    for (int i = 0; i < N; i++) {
        matrix[i][2] = matrix[i][0];
        sum += matrix[i][4];
    }
    MPI_Waitall(6, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < N * N; i++)
        sum += matrix[i / N][i % N];
    MPI_Type_free(&column);
    return sum;
}

static int completions(int other)
{
    int in[4] = {0}, out = 5, flag = 0, index, sum = 0;
    MPI_Request requests[2], request;
    MPI_Status status;

    for (int how = 0; how < 4; how++, flag = 0) {
        MPI_Irecv(&in[how], 1, MPI_INT, other, how, MPI_COMM_WORLD, &requests[0]);
        requests[1] = MPI_REQUEST_NULL;
        MPI_Isend(&out, 1, MPI_INT, other, how, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        out++;
        switch (how) {
        case 0: MPI_Wait(&requests[0], &status); break;
        case 1: MPI_Waitany(2, requests, &index, &status); break;
        case 2:
            while (!flag)
                MPI_Test(&requests[0], &flag, &status);
            break;
        case 3:
            while (!flag)
                MPI_Request_get_status(requests[0], &flag, &status);
            sum += in[how];
            MPI_Wait(&requests[0], &status);
        }
        sum += in[how];
        in[how] = 0;
    }
    MPI_Irecv(in, 4, MPI_INT, other, 99, MPI_COMM_WORLD, &request);
    MPI_Cancel(&request);
    MPI_Wait(&request, &status);
    memset(in, 0, sizeof in);
    return sum;
}

static int persistent(int rank, int other)
{
    int *buffer = calloc(10, sizeof *buffer), sum = 0;
    MPI_Request request;

    if (rank == 0)
        MPI_Send_init(buffer, 10, MPI_INT, other, 7, MPI_COMM_WORLD, &request);
    else
        MPI_Recv_init(buffer, 10, MPI_INT, other, 7, MPI_COMM_WORLD, &request);
    for (int turn = 0; turn < 3; turn++) {
        for (int i = 0; i < 10; i++)
            buffer[i] = turn * rank + i;
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        for (int i = 0; i < 10; i++)
            sum += buffer[i];
    }
    MPI_Request_free(&request);
    free(buffer);
    return sum;
}

int main(int argc, char **argv)
{
    int rank, numbers[2] = {1, 2}, all[4];
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    double sum = columns(rank, 1 - rank);
    int other = completions(1 - rank), third = persistent(rank, 1 - rank);
    MPI_Iallgather(numbers, 2, MPI_INT, all, 2, MPI_INT, MPI_COMM_WORLD, &request);
    other += numbers[1];
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    numbers[0] = all[3];
    if (rank == 0)
        printf("%g %d %d %d\n", sum, other, third, numbers[0]);
    MPI_Finalize();
    return 0;
}
