/* Messages of all sizes from all ranks, found by matched probes with wildcards: nothing is lost, and messages of one
 * sender and tag are found in the order of sending (MPI-3.1 sections 3.5 and 3.8.2). */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGES = 20, TAGS = 3, MOST_RANKS = 64 };

static void send_all(int rank)
{
    for (int k = 0; k < MESSAGES; k++) {
        int n = 1 + (rank * 7919 + k * 104729) % 6000;
        int *numbers = malloc(n * sizeof *numbers);
        for (int i = 0; i < n; i++)
            numbers[i] = rank * 1000000 + k * 10000 + i % 100;
        MPI_Send(numbers, n, MPI_INT, 0, k % TAGS, MPI_COMM_WORLD);
        free(numbers);
    }
}

static MPI_Message find(int turn, MPI_Status *status)
{
    MPI_Message message;
    int flag = 0;
    if (turn % 2)
        MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &message, status);
    else
        while (!flag)
            MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &message, status);
    return message;
}

static void receive(int turn, int *numbers, int n, MPI_Message message)
{
    MPI_Request request;
    if (turn % 3) {
        MPI_Mrecv(numbers, n, MPI_INT, &message, MPI_STATUS_IGNORE);
    } else {
        MPI_Imrecv(numbers, n, MPI_INT, &message, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
}

static void receive_all(int size)
{
    static int counts[MOST_RANKS], last[MOST_RANKS][TAGS];
    long sum = 0;
    memset(last, -1, sizeof last);
    for (int turn = 0; turn < MESSAGES * (size - 1); turn++) {
        MPI_Status status;
        int n;
        MPI_Message message = find(turn, &status);
        MPI_Get_count(&status, MPI_INT, &n);
        int *numbers = malloc(n * sizeof *numbers), source = status.MPI_SOURCE, tag = status.MPI_TAG;
        receive(turn, numbers, n, message);
        int k = numbers[0] % 1000000 / 10000;
        if (k <= last[source][tag] || numbers[0] / 1000000 != source || k % TAGS != tag)
            printf("out of order: message %d of rank %d\n", k, source);
        last[source][tag] = k;
        counts[source]++;
        for (int i = 0; i < n; i++)
            sum += numbers[i] % 100;
        free(numbers);
    }
    printf("sum %ld; messages", sum);
    for (int i = 1; i < size; i++)
        printf(" %d", counts[i]);
    printf("\n");
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank)
        send_all(rank);
    else
        receive_all(size);
    MPI_Finalize();
    return 0;
}
