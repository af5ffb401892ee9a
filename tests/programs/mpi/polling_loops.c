/* Loops that poll (MPI-3.1 sections 3.7.3, 3.7.5, 3.8.1) end when what they wait for has come, whether they do nothing else, sleep,
 * yield or count, and whether they wait for messages, for the end of sends, or for both. */
#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <unistd.h>

static char big_out[40000], big_in[40000];
static int rank, size, from, to;
static long polls;

static void wait_for_message(int round)
{
    int flag = 0, value = 0;
    MPI_Status status;
    while (!flag)
        MPI_Iprobe(MPI_ANY_SOURCE, round, MPI_COMM_WORLD, &flag, &status);
    MPI_Recv(&value, 1, MPI_INT, status.MPI_SOURCE, round, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("%d: round %d, %d from %d\n", rank, round, value, status.MPI_SOURCE);
}

static void wait_for_request(int round, MPI_Request *request, int way)
{
    int flag = 0, index = 0, count = 0, indices[1];
    while (!flag) {
        switch (way) {
        case 0: MPI_Test(request, &flag, MPI_STATUS_IGNORE); break;
        case 1: MPI_Testall(1, request, &flag, MPI_STATUSES_IGNORE); usleep(3); break;
        case 2: MPI_Testany(1, request, &index, &flag, MPI_STATUS_IGNORE); sched_yield(); break;
        case 3: MPI_Testsome(1, request, &count, indices, MPI_STATUSES_IGNORE); flag = count > 0; break;
        case 4: MPI_Test(request, &flag, MPI_STATUS_IGNORE); polls++; break;
        }
    }
    printf("%d: round %d, done by way %d\n", rank, round, way);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    from = (rank + size - 1) % size;
    to = (rank + 1) % size;
    for (int round = 0; round < 10; round++) {
        MPI_Request in, out;
        int value = 100 * rank + round;
        usleep(37 * rank + 11 * round + 500);
        if (round % 2) {
            MPI_Irecv(big_in, sizeof big_in, MPI_CHAR, from, round, MPI_COMM_WORLD, &in);
            MPI_Isend(big_out, sizeof big_out, MPI_CHAR, to, round, MPI_COMM_WORLD, &out);
            wait_for_request(round, &in, round / 2);
            wait_for_request(round, &out, (round / 2 + rank) % 5);
        } else {
            MPI_Isend(&value, 1, MPI_INT, to, round, MPI_COMM_WORLD, &out);
            wait_for_message(round);
            wait_for_request(round, &out, 0);
        }
    }
    double before = MPI_Wtime();
    int flag = 0;
    for (int i = 0; i < 1000 && !flag; i++)
        MPI_Iprobe(from, 99, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    printf("%d: time has %spassed\n", rank, MPI_Wtime() > before ? "" : "not ");
    MPI_Finalize();
    return 0;
}
