/* A manager that starts its workers during the run: as many as the machine has cores left. Each worker asks for a piece
 * of the integral of 4 / (1 + x * x) from 0 to 1, gets another when it has answered, and ends when there is none left.
 *
 *     orrery run -n 1 --machine mesh-4x4 samples/manager_worker.c 64
 *
 * The program starts itself: whoever has a parent is a worker. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { STEPS = 1000, WORK = 1, END = 2 };

static void work(MPI_Comm manager)
{
    double answer = 0.0;
    for (;;) {
        double from_to[2];
        MPI_Status status;
        MPI_Sendrecv(&answer, 1, MPI_DOUBLE, 0, WORK, from_to, 2, MPI_DOUBLE, 0, MPI_ANY_TAG, manager, &status);
        if (status.MPI_TAG == END)
            return;
        double width = (from_to[1] - from_to[0]) / STEPS;
        answer = 0.0;
        for (int i = 0; i < STEPS; i++) {
            double x = from_to[0] + (i + 0.5) * width;
            answer += 4.0 / (1.0 + x * x) * width;
        }
    }
}

/* Gives each worker that asks the next piece. */
static double manage(MPI_Comm workers, int n, int pieces)
{
    double sum = 0.0;
    for (int next = 0; next < pieces + n; next++) {
        double answer, from_to[2] = {(double)next / pieces, (double)(next + 1) / pieces};
        MPI_Status status;
        MPI_Recv(&answer, 1, MPI_DOUBLE, MPI_ANY_SOURCE, WORK, workers, &status);
        sum += answer;
        MPI_Send(from_to, 2, MPI_DOUBLE, status.MPI_SOURCE, next < pieces ? WORK : END, workers);
    }
    return sum;
}

int main(int argc, char **argv)
{
    MPI_Comm parent, workers;
    int *cores, flag, size, rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_get_parent(&parent);
    if (parent != MPI_COMM_NULL) {
        work(parent);
        MPI_Comm_disconnect(&parent);
        MPI_Finalize();
        return 0;
    }
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_UNIVERSE_SIZE, &cores, &flag);
    int n = flag && *cores > size ? *cores - size : 1;
    MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, n, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &workers, MPI_ERRCODES_IGNORE);
    if (rank == 0) {
        double pi = manage(workers, n, argc > 1 ? atoi(argv[1]) : 64);
        printf("%d workers: %.10f\n", n, pi);
    }
    MPI_Comm_disconnect(&workers);
    MPI_Finalize();
    return 0;
}
