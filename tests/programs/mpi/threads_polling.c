/* Threads that poll while others of their rank sleep, compute, receive signals or complete what is polled for: they see
 * it at the same virtual time however many polls the simulator makes for that; it would be five million. */
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static int rank, size;
static unsigned nap = 300000; /* us; if given, times are told */
static int tells;
static volatile int done, signals;
static pthread_t first;
static MPI_Request general;

static void on_signal(int number)
{
    (void)number;
    signals++;
}

static void work(int turns)
{
    for (volatile int i = 0; i < turns; i++)
        ;
}

static int query(void *state, MPI_Status *status)
{
    (void)state;
    MPI_Status_set_elements(status, MPI_INT, 0);
    MPI_Status_set_cancelled(status, 0);
    return MPI_SUCCESS;
}

static int nothing(void *state)
{
    (void)state;
    return MPI_SUCCESS;
}

static int cancel(void *state, int complete)
{
    (void)state, (void)complete;
    return MPI_SUCCESS;
}

static void *sleep_and_work(void *argument)
{
    for (int i = 0; i < 5; i++) {
        usleep(nap + nap / 300 * (unsigned)rank);
        work(1000);
        if (i == 1)
            MPI_Send(&i, 1, MPI_INT, (rank + 1) % size, 7, MPI_COMM_WORLD);
        if (i == 2)
            pthread_kill(first, SIGUSR1);
        if (i == 3)
            MPI_Grequest_complete(general);
    }
    done = 1;
    return argument;
}

static void tell(const char *what)
{
    struct timespec own, all;
    if (!tells)
        return;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &own);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &all);
    printf("%d %s at %.12f, %ld.%09ld and %ld.%09ld of processors\n", rank, what, MPI_Wtime(), (long)own.tv_sec,
           own.tv_nsec, (long)all.tv_sec, all.tv_nsec);
}

int main(int argc, char **argv)
{
    int level, flag = 0, number = -1;
    MPI_Request request;
    MPI_Status status;
    pthread_t thread;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    tells = argc > 1;
    if (tells)
        nap = (unsigned)atoi(argv[1]);
    int before = (rank + size - 1) % size;
    signal(SIGUSR1, on_signal);
    first = pthread_self();
    MPI_Grequest_start(query, nothing, cancel, NULL, &general);
    pthread_create(&thread, NULL, sleep_and_work, NULL);
    while (!flag)
        MPI_Iprobe(before, 7, MPI_COMM_WORLD, &flag, &status);
    tell("has probed");
    MPI_Recv(&number, 1, MPI_INT, before, 7, MPI_COMM_WORLD, &status);
    MPI_Irecv(&number, 1, MPI_INT, before, 8, MPI_COMM_WORLD, &request);
    for (flag = 0; !flag && !signals;)
        MPI_Test(&request, &flag, &status);
    tell("has a signal");
    for (flag = 0; !flag;)
        MPI_Test(&general, &flag, &status);
    tell("has tested");
    for (flag = 0; !flag && !done;)
        MPI_Test(&request, &flag, &status);
    tell("has seen it");
    pthread_join(thread, NULL);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Send(&rank, 1, MPI_INT, (rank + 1) % size, 8, MPI_COMM_WORLD);
    MPI_Wait(&request, &status);
    tell("ends");
    MPI_Finalize();
    return number != before;
}
