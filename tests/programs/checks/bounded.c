/* Nothing to say: work that is sent before any of it is received, again and again; a consumer that answers from time to
 * time; long messages, which wait for their receiver anyway; a consumer that keeps up. */
#include <mpi.h>

static int rank, other, value;
static char large[100000];

static void all_first(void)
{
    for (int turn = 0; turn < 3; turn++) {
        for (int i = 0; i < 700; i++)
            MPI_Send(&value, 1, MPI_INT, other, 1, MPI_COMM_WORLD);
        for (int i = 0; i < 700; i++)
            MPI_Recv(&value, 1, MPI_INT, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

static void stream(int messages, int work, int answer_every)
{
    volatile double x = 0;
    for (int i = 0; i < messages; i++) {
        if (rank == 0)
            MPI_Send(&value, 1, MPI_INT, 1, 2, MPI_COMM_WORLD);
        else
            MPI_Recv(&value, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int k = 0; k < work && rank; k++)
            x += k;
        if (answer_every && i % answer_every == answer_every - 1) {
            if (rank)
                MPI_Send(&value, 1, MPI_INT, 0, 3, MPI_COMM_WORLD);
            else
                MPI_Recv(&value, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    other = 1 - rank;
    all_first();
    stream(1500, 200, 100);
    stream(1500, 0, 0);
    for (int i = 0; i < 20; i++)
        if (rank == 0)
            MPI_Send(large, 100000, MPI_CHAR, 1, 4, MPI_COMM_WORLD);
        else
            MPI_Recv(large, 100000, MPI_CHAR, 0, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
}
