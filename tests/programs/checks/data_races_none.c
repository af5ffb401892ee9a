/* Whatever orders accesses of threads, in programs without data races. Each part hands an int from one thread to the
 * next, or has several change it in turn. */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <time.h>

enum { THREADS = 4, TURNS = 5 };

static int total, by_semaphore, by_flag, by_word, by_spin, handed, initialised, sums[THREADS];
static char bytes[THREADS];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static pthread_spinlock_t spin;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static sem_t semaphore;
static mtx_t c_mutex;
static cnd_t c_changed;
static once_flag c_once = ONCE_FLAG_INIT;
static atomic_int ready, fenced, counted, plain_atomic;
static atomic_flag busy = ATOMIC_FLAG_INIT;
static int sync_word;
static _Thread_local int own;

static void initialise(void)
{
    initialised += 3;
}

static void destroy(void *value)
{
    free(value);
}

/* What all threads do. */
static void change(int number)
{
    struct timespec until = {1000000, 0};
    own = number;
    bytes[number]++; /* neighbours do not race */
    pthread_mutex_lock(&mutex);
    total++;
    pthread_mutex_unlock(&mutex);
    while (pthread_mutex_trylock(&mutex) != 0)
        sched_yield();
    total++;
    pthread_mutex_unlock(&mutex);
    if (pthread_mutex_timedlock(&mutex, &until) == 0) {
        total++;
        pthread_mutex_unlock(&mutex);
    }
    pthread_rwlock_rdlock(&shared);
    sums[number] += handed;
    pthread_rwlock_unlock(&shared);
    pthread_rwlock_wrlock(&shared);
    handed++;
    pthread_rwlock_unlock(&shared);
    pthread_spin_lock(&spin);
    by_spin++;
    pthread_spin_unlock(&spin);
    pthread_once(&once, initialise);
    call_once(&c_once, initialise);
    pthread_barrier_wait(&barrier);
    sums[number] += initialised + sums[(number + 1) % THREADS] * 0;
    pthread_barrier_wait(&barrier);
    sem_wait(&semaphore);
    by_semaphore++;
    sem_post(&semaphore);
    while (atomic_flag_test_and_set_explicit(&busy, memory_order_acquire))
        thrd_yield();
    by_flag++;
    atomic_flag_clear_explicit(&busy, memory_order_release);
    while (!__sync_bool_compare_and_swap(&sync_word, 0, 1))
        thrd_yield();
    by_word++;
    __sync_lock_release(&sync_word);
    plain_atomic++;
    atomic_fetch_add_explicit(&counted, 1, memory_order_relaxed);
}

static void *work(void *argument)
{
    int number = *(int *)argument;
    free(argument);
    pthread_setspecific(key, malloc(16));
    for (int i = 0; i < TURNS; i++)
        change(number);
    return (void *)(long)own;
}

/* Hands over by atomic operations and fences, condition variables and messages of the heap. */
static int *block;
static int by_release, by_fence, by_condition, by_c_condition, said, c_said;

static int taker(void *argument)
{
    (void)argument;
    int sum = 0;
    while (!atomic_load_explicit(&ready, memory_order_acquire))
        thrd_yield();
    sum += by_release;
    while (!atomic_load_explicit(&fenced, memory_order_relaxed))
        thrd_yield();
    atomic_thread_fence(memory_order_acquire);
    sum += by_fence;
    pthread_mutex_lock(&mutex);
    while (!said)
        pthread_cond_wait(&changed, &mutex);
    sum += by_condition + *block;
    free(block);
    block = malloc(sizeof *block); /* perhaps the same memory */
    *block = 7;
    pthread_mutex_unlock(&mutex);
    mtx_lock(&c_mutex);
    while (!c_said)
        cnd_wait(&c_changed, &c_mutex);
    sum += by_c_condition;
    mtx_unlock(&c_mutex);
    return sum;
}

static void hand_over(void)
{
    thrd_t thread;
    int sum;
    thrd_create(&thread, taker, NULL);
    by_release = 1;
    atomic_store_explicit(&ready, 1, memory_order_release);
    by_fence = 2;
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&fenced, 1, memory_order_relaxed);
    block = malloc(sizeof *block);
    *block = 5;
    by_condition = 4;
    pthread_mutex_lock(&mutex);
    said = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
    by_c_condition = 8;
    mtx_lock(&c_mutex);
    c_said = 1;
    cnd_broadcast(&c_changed);
    mtx_unlock(&c_mutex);
    thrd_join(thread, &sum);
    printf("handed over %d, %d\n", sum, *block);
    free(block);
}

/* Threads that come one after the other have the same stack. */
static void *short_lived(void *argument)
{
    char large[2000];
    memset(large, *(char *)argument, sizeof large);
    (*(char *)argument) += large[1999] == *(char *)argument;
    return argument;
}

int main(void)
{
    pthread_t threads[THREADS];
    char turn = 0;
    pthread_barrier_init(&barrier, NULL, THREADS);
    pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
    pthread_key_create(&key, destroy);
    sem_init(&semaphore, 0, 1);
    mtx_init(&c_mutex, mtx_plain);
    cnd_init(&c_changed);
    for (int i = 0; i < THREADS; i++) {
        int *number = malloc(sizeof *number);
        *number = i;
        pthread_create(&threads[i], NULL, work, number);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    printf("%d %d %d %d %d\n", total + by_semaphore + by_flag + by_word + by_spin, handed, initialised,
           (int)plain_atomic, (int)counted);
    hand_over();
    for (int i = 0; i < 10; i++) {
        pthread_create(&threads[0], NULL, short_lived, &turn);
        pthread_join(threads[0], NULL);
    }
    printf("%d %d\n", turn, bytes[3]);
    return 0;
}
