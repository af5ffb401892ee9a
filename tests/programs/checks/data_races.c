/* Accesses of two threads that nothing orders: a counter, a lock that is not the same one, relaxed and volatile flags,
 * an atomic access beside a plain one, neighbours in a word and in a struct, a read lock that somebody writes under, a
 * thread that is detached, memory that is freed or copied too early, a variable of another thread's frame. None of them
 * shows in what the program prints. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <unistd.h>

static int counter, behind_two, behind_relaxed, behind_volatile, beside, read_only, detached;
static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER, two = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
static atomic_int relaxed;
static volatile int flag;
static struct {
    char a, b;
    unsigned low : 4, high : 4;
} fields;
static char text[32];
static char *block;

static void *other(void *argument)
{
    int *local = argument;
    counter++;
    pthread_mutex_lock(&two);
    behind_two++;
    pthread_mutex_unlock(&two);
    behind_relaxed = 1;
    atomic_store_explicit(&relaxed, 1, memory_order_relaxed);
    behind_volatile = 1;
    flag = 1;
    __atomic_fetch_add(&beside, 1, __ATOMIC_SEQ_CST);
    pthread_rwlock_rdlock(&shared);
    read_only++;
    pthread_rwlock_unlock(&shared);
    fields.a = 1;
    fields.low = 1;
    memcpy(text + 4, "abcdefgh", 8);
    block[5] = 'x';
    *local = 1;
    return NULL;
}

static void *alone(void *argument)
{
    (void)argument;
    detached = 1;
    return NULL;
}

int main(void)
{
    pthread_t thread;
    int local = 0, sum = 0;
    block = malloc(10);
    pthread_create(&thread, NULL, other, &local);
    usleep(1000);
    counter++;
    pthread_mutex_lock(&one);
    behind_two++;
    pthread_mutex_unlock(&one);
    if (atomic_load_explicit(&relaxed, memory_order_relaxed))
        sum += behind_relaxed;
    if (flag)
        sum += behind_volatile;
    beside++;
    pthread_rwlock_rdlock(&shared);
    sum += read_only;
    pthread_rwlock_unlock(&shared);
    fields.b = 1; /* no race: another byte */
    fields.high = 1;
    text[12] = 'z'; /* no race: behind the other's */
    sum += (int)strlen(text + 8);
    free(block);
    local++;
    pthread_join(thread, NULL);
    pthread_create(&thread, NULL, alone, NULL);
    pthread_detach(thread);
    usleep(1000);
    sum += detached;
    printf("%d %d %d\n", sum, counter, local);
    return 0;
}
