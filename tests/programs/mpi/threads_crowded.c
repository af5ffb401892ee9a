/* Two ranks with three threads each on three cores: threads that send, receive, test and compute take turns, also where
 * those of one rank take the cores that the other one does not use. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

enum { THREADS = 3, ROUNDS = 6 };

static int rank, sums[THREADS];
static volatile int spun;

static void work(int turns)
{
    for (volatile int i = 0; i < turns; i++)
        ;
}

static void *run(void *argument)
{
    int number = (int)(long)argument, other = 1 - rank, got, done;
    for (int round = 0; round < ROUNDS; round++) {
        int mine = 100 * rank + 10 * number + round;
        MPI_Request request;
        work(1000 * (number + 1) * (rank + 1));
        if (round % 3 == 0) {
            MPI_Sendrecv(&mine, 1, MPI_INT, other, number, &got, 1, MPI_INT, other, number, MPI_COMM_WORLD,
                         MPI_STATUS_IGNORE);
        } else {
            MPI_Irecv(&got, 1, MPI_INT, other, number, MPI_COMM_WORLD, &request);
            MPI_Send(&mine, 1, MPI_INT, other, number, MPI_COMM_WORLD);
            for (done = 0; round % 3 == 1 && !done;)
                MPI_Test(&request, &done, MPI_STATUS_IGNORE);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        }
        sums[number] = sums[number] * 3 + got;
    }
    if (number == 1)
        spun = 1;
    while (!spun)
        ;
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[THREADS];
    int provided, sum = 0, all;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (long i = 1; i < THREADS; i++)
        pthread_create(&threads[i], NULL, run, (void *)i);
    run((void *)0L);
    for (int i = 1; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < THREADS; i++)
        sum = sum * 7 + sums[i];
    MPI_Reduce(&sum, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (!rank)
        printf("%d\n", all);
    MPI_Finalize();
    return 0;
}
