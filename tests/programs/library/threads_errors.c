/* What functions of threads refuse, and with which number (POSIX XSH, "shall fail" and what glibc adds). */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;

#define IS(call, wanted)                                                                                               \
    do {                                                                                                               \
        int got_ = (call);                                                                                             \
        if (got_ != (wanted))                                                                                          \
            printf("line %d: %s is %d, not %d\n", __LINE__, #call, got_, (int)(wanted));                               \
    } while (0)
#define FAILS(call, wanted) IS((errno = 0, (call) < 0 ? errno : -1), wanted)

static void *returns(void *argument)
{
    return argument;
}

static void *waits(void *argument)
{
    (void)argument;
    pthread_mutex_lock(&mutex);
    pthread_cond_wait(&condition, &mutex);
    pthread_mutex_unlock(&mutex);
    return 0;
}

static void *locks(void *argument)
{
    return (void *)(long)pthread_mutex_lock(argument);
}

static void *arrives(void *argument)
{
    (void)argument;
    return (void *)(long)pthread_barrier_wait(&barrier);
}

static void threads_and_attributes(void)
{
    pthread_t thread;
    pthread_attr_t attributes;
    struct sched_param parameters = {0};
    size_t size;
    int value;
    clockid_t clock;
    IS(pthread_join(pthread_self(), 0), EDEADLK);
    IS(pthread_join(1234, 0), ESRCH);
    IS(pthread_kill(1234, SIGKILL), ESRCH);
    IS(pthread_kill(pthread_self(), 999), EINVAL);
    IS(pthread_getcpuclockid(1234, &clock), ESRCH);
    IS(pthread_setschedparam(pthread_self(), 77, &parameters), EINVAL);
    IS(pthread_setschedprio(1234, 0), ESRCH);
    IS(pthread_setcancelstate(9, 0), EINVAL);
    IS(pthread_setcanceltype(9, 0), EINVAL);
    IS(pthread_setconcurrency(-1), EINVAL);
    IS(pthread_attr_init(&attributes), 0);
    IS(pthread_attr_setdetachstate(&attributes, 9), EINVAL);
    IS(pthread_attr_setinheritsched(&attributes, 9), EINVAL);
    IS(pthread_attr_setschedpolicy(&attributes, 9), EINVAL);
    IS(pthread_attr_setscope(&attributes, PTHREAD_SCOPE_PROCESS), ENOTSUP);
    IS(pthread_attr_setstacksize(&attributes, PTHREAD_STACK_MIN - 1), EINVAL);
    IS(pthread_attr_setstacksize(&attributes, (size_t)1 << 40), 0);
    IS(pthread_create(&thread, &attributes, returns, 0), EAGAIN);
    IS(pthread_attr_setstacksize(&attributes, 1 << 16), 0);
    IS(pthread_attr_getstacksize(&attributes, &size), 0);
    IS(size, 1 << 16);
    sigset_t mask = 5;
    IS(pthread_attr_getsigmask_np(&attributes, &mask), PTHREAD_ATTR_NO_SIGMASK_NP);
    IS(mask, 0);
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(1000, &set);
    IS(pthread_attr_setaffinity_np(&attributes, sizeof set, &set), 0);
    IS(pthread_create(&thread, &attributes, returns, 0), EINVAL);
    IS(pthread_attr_destroy(&attributes), 0);
    IS(sysconf(_SC_THREAD_THREADS_MAX), -1);
    IS(sysconf(_SC_THREAD_KEYS_MAX), PTHREAD_KEYS_MAX);
    IS(pthread_create(&thread, 0, returns, 0), 0);
    usleep(100);
    IS(pthread_kill(thread, 0), 0);
    IS(pthread_timedjoin_np(thread, 0, 0), 0);
    IS(pthread_join(thread, 0), ESRCH);
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    IS(pthread_mutexattr_getprioceiling(&kind, &value), 0);
    IS(value, 1);
    IS(pthread_mutexattr_setprioceiling(&kind, 100), EINVAL);
    IS(pthread_mutexattr_settype(&kind, 9), EINVAL);
    IS(pthread_mutexattr_setrobust(&kind, 9), EINVAL);
    IS(pthread_mutexattr_setprotocol(&kind, 9), EINVAL);
    IS(pthread_mutex_getprioceiling(&mutex, &value), EINVAL);
    pthread_condattr_t clocks;
    pthread_condattr_init(&clocks);
    IS(pthread_condattr_setclock(&clocks, CLOCK_PROCESS_CPUTIME_ID), EINVAL);
    IS(pthread_barrier_init(&barrier, 0, 0), EINVAL);
}

static void waits_and_clocks(void)
{
    struct timespec past = {0, 0}, bad = {0, 1000000000};
    pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
    sem_t semaphore;
    sem_init(&semaphore, 0, 0);
    pthread_mutex_lock(&mutex);
    IS(pthread_mutex_trylock(&mutex), EBUSY);
    IS(pthread_mutex_timedlock(&mutex, &past), ETIMEDOUT);
    IS(pthread_mutex_timedlock(&mutex, &bad), EINVAL);
    IS(pthread_cond_timedwait(&condition, &mutex, &past), ETIMEDOUT);
    IS(pthread_cond_timedwait(&condition, &mutex, &bad), EINVAL);
    IS(pthread_cond_clockwait(&condition, &mutex, CLOCK_MONOTONIC_RAW, &past), EINVAL);
    IS(pthread_mutex_destroy(&mutex), EBUSY);
    pthread_mutex_unlock(&mutex);
    IS(pthread_mutex_clocklock(&mutex, CLOCK_PROCESS_CPUTIME_ID, &past), EINVAL);
    IS(pthread_mutex_consistent(&mutex), EINVAL);
    IS(pthread_rwlock_clockrdlock(&lock, CLOCK_BOOTTIME, &past), EINVAL);
    IS(pthread_rwlock_wrlock(&lock), 0);
    IS(pthread_rwlock_wrlock(&lock), EDEADLK);
    IS(pthread_rwlock_tryrdlock(&lock), EBUSY);
    IS(pthread_rwlock_unlock(&lock), 0);
    FAILS(sem_trywait(&semaphore), EAGAIN);
    FAILS(sem_timedwait(&semaphore, &past), ETIMEDOUT);
    FAILS(sem_timedwait(&semaphore, &bad), EINVAL);
    FAILS(sem_clockwait(&semaphore, CLOCK_THREAD_CPUTIME_ID, &past), EINVAL);
    FAILS(sem_init(&semaphore, 0, (unsigned)SEM_VALUE_MAX + 1), EINVAL);
    sem_init(&semaphore, 0, SEM_VALUE_MAX);
    FAILS(sem_post(&semaphore), EOVERFLOW);
    IS(sem_open("/none", 0) == SEM_FAILED ? errno : 0, ENOENT);
    sem_t *named = sem_open("/named", O_CREAT | O_EXCL, 0600, 1);
    IS(sem_open("/named", O_CREAT | O_EXCL, 0600, 1) == SEM_FAILED ? errno : 0, EEXIST);
    IS(sem_open("/named", 0) == named, 1);
    IS(sem_unlink("/named"), 0);
    FAILS(sem_unlink("/named"), ENOENT);
    IS(sem_close(named), 0);
    IS(sem_close(named), 0);
    FAILS(sem_close(named), EINVAL);
}

/* A mutex that a condition's waiters have given back is in use; a recursive one is given back once only. */
static void conditions(void)
{
    pthread_t thread;
    pthread_mutexattr_t attributes;
    pthread_mutex_t again;
    struct timespec soon;
    IS(pthread_create(&thread, 0, waits, 0), 0);
    usleep(50);
    IS(pthread_mutex_destroy(&mutex), EBUSY);
    IS(pthread_cond_destroy(&condition), EBUSY);
    IS(pthread_cond_signal(&condition), 0);
    IS(pthread_join(thread, 0), 0);
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&again, &attributes);
    pthread_mutex_lock(&again);
    pthread_mutex_lock(&again);
    timespec_get(&soon, TIME_UTC);
    soon.tv_sec++;
    IS(pthread_cond_timedwait(&condition, &again, &soon), ETIMEDOUT);
    IS(pthread_mutex_unlock(&again), 0);
    IS(pthread_mutex_unlock(&again), 0);
    IS(pthread_mutex_unlock(&again), EPERM);
    IS(pthread_mutex_destroy(&again), 0);
    IS(pthread_mutex_lock(&again), EINVAL);
    IS(pthread_cond_destroy(&condition), 0);
    IS(pthread_barrier_init(&barrier, 0, 2), 0);
    IS(pthread_create(&thread, 0, arrives, 0), 0);
    usleep(50);
    IS(pthread_barrier_destroy(&barrier), EBUSY);
    arrives(0);
    pthread_join(thread, 0);
    memset(&again, 0x5a, sizeof again);
    IS(pthread_mutex_lock(&again), EINVAL);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&again, &attributes);
    pthread_create(&thread, 0, locks, &again);
    pthread_join(thread, 0);
    IS(pthread_mutex_lock(&again), EOWNERDEAD);
    IS(pthread_mutex_consistent(&again), 0);
    IS(pthread_mutex_unlock(&again), 0);
    IS(thrd_join((thrd_t)999, 0), thrd_error);
}

static void *spends(void *argument)
{
    (void)argument;
    for (volatile int i = 0; i < 1000000; i++)
        continue;
    usleep(100000);
    return 0;
}

/* Each thread has a clock of its computing time, and the process has their sum. */
static void clocks(void)
{
    pthread_t thread;
    clockid_t clock;
    struct timespec time, own, all;
    pthread_create(&thread, 0, spends, 0);
    usleep(50000);
    IS(pthread_getcpuclockid(thread, &clock), 0);
    IS(clock_gettime(clock, &time), 0);
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &own);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &all);
    printf("more than main: %d, together the process's: %d\n", time.tv_nsec > 4 * own.tv_nsec,
           all.tv_nsec >= time.tv_nsec + own.tv_nsec);
    pthread_join(thread, 0);
    FAILS(clock_gettime(clock, &time), EINVAL);
}

int main(void)
{
    threads_and_attributes();
    waits_and_clocks();
    conditions();
    clocks();
    puts("done");
    return 0;
}
