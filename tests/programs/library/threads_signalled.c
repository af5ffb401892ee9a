/* Signals between threads: handlers run where they are sent, waits end with EINTR, sigwait() takes what is blocked. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static sem_t started, nothing;
static pthread_t handled_by;

static void handler(int number)
{
    (void)number;
    handled_by = pthread_self();
}

static void *waits(void *argument)
{
    sem_post(&started);
    int result = sem_wait(&nothing), error = errno;
    printf("sem_wait %d, %s, in its own thread: %d\n", result, error == EINTR ? "EINTR" : "?",
           pthread_equal(handled_by, pthread_self()) != 0);
    return argument;
}

static void *takes(void *argument)
{
    sigset_t set;
    int number = 0;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    sem_post(&started);
    int error = sigwait(&set, &number);
    printf("sigwait %d, SIGUSR2: %d\n", error, number == SIGUSR2);
    return argument;
}

int main(void)
{
    struct sigaction action;
    pthread_t thread;
    sigset_t set;
    sem_init(&started, 0, 0);
    sem_init(&nothing, 0, 0);
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    sigaction(SIGUSR1, &action, 0);
    pthread_create(&thread, 0, waits, 0);
    sem_wait(&started);
    usleep(100000);
    printf("pthread_kill %d\n", pthread_kill(thread, SIGUSR1));
    fflush(stdout);
    pthread_join(thread, 0);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    pthread_sigmask(SIG_BLOCK, &set, 0);
    pthread_create(&thread, 0, takes, 0);
    sem_wait(&started);
    usleep(100000);
    kill(getpid(), SIGUSR2);
    pthread_join(thread, 0);
    return 0;
}
