/* sparse_row_pack.c - a row of a sparse matrix travels by MPI_Pack: count, column numbers and values in one message.
 *
 * The receiver does not know how many entries will come; it unpacks the count first and allocates then.
 *
 * Run:      orrery run -n 2 --machine bus-16 --stats samples/sparse_row_pack.c
 * Look at:  one message where three would do; on a bus with a start-up cost that is what counts.
 * Change:   send the three parts separately and compare the makespan.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define BUFFER_SIZE 1000
#define ENTRIES     7

static void send_row(int to)
{
    char buffer[BUFFER_SIZE];
    int position = 0, count = ENTRIES, columns[ENTRIES];
    double values[ENTRIES];

    for (int i = 0; i < ENTRIES; i++) {
        columns[i] = i * i;
        values[i] = 1.0 / (i + 1);
    }
    MPI_Pack(&count, 1, MPI_INT, buffer, BUFFER_SIZE, &position, MPI_COMM_WORLD);
    MPI_Pack(columns, count, MPI_INT, buffer, BUFFER_SIZE, &position, MPI_COMM_WORLD);
    MPI_Pack(values, count, MPI_DOUBLE, buffer, BUFFER_SIZE, &position, MPI_COMM_WORLD);
    MPI_Send(buffer, position, MPI_PACKED, to, 0, MPI_COMM_WORLD);
}

static void receive_row(int from)
{
    char buffer[BUFFER_SIZE];
    int position = 0, count;

    MPI_Recv(buffer, BUFFER_SIZE, MPI_PACKED, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Unpack(buffer, BUFFER_SIZE, &position, &count, 1, MPI_INT, MPI_COMM_WORLD);
    int *columns = malloc(count * sizeof *columns);
    double *values = malloc(count * sizeof *values);
    MPI_Unpack(buffer, BUFFER_SIZE, &position, columns, count, MPI_INT, MPI_COMM_WORLD);
    MPI_Unpack(buffer, BUFFER_SIZE, &position, values, count, MPI_DOUBLE, MPI_COMM_WORLD);
    printf("%d entries:", count);
    for (int i = 0; i < count; i++)
        printf(" [%d] %.4f", columns[i], values[i]);
    printf("\n");
    free(columns);
    free(values);
}

int main(int argc, char **argv)
{
    int rank, size;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size < 2)
        printf("one rank alone has nobody to send to: the row stays where it is\n");
    else if (rank == 0)
        send_row(1);
    else if (rank == 1)
        receive_row(0);
    MPI_Finalize();
    return 0;
}
