/* Objects that one thread makes or destroys while another uses them, and those that are in order. */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <threads.h>
#include <unistd.h>

static pthread_mutex_t mutex, in_time = PTHREAD_MUTEX_INITIALIZER, before;
static pthread_cond_t condition;
static pthread_rwlock_t lock;
static pthread_barrier_t barrier, both;
static sem_t semaphore, given;
static mtx_t plain;
static pthread_mutex_t gone = PTHREAD_MUTEX_INITIALIZER;

static void *user(void *argument)
{
    usleep(1000);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    pthread_cond_signal(&condition);
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_unlock(&lock);
    pthread_barrier_wait(&barrier);
    sem_post(&semaphore);
    mtx_lock(&plain);
    mtx_unlock(&plain);
    /* in order */
    pthread_mutex_lock(&in_time);
    pthread_mutex_unlock(&in_time);
    pthread_mutex_lock(&before);
    pthread_mutex_unlock(&before);
    pthread_barrier_wait(&both);
    sem_post(argument);
    return NULL;
}

static void *last_user(void *argument)
{
    pthread_mutex_lock(&gone);
    usleep(1000);
    pthread_mutex_unlock(&gone);
    return argument;
}

int main(void)
{
    pthread_t thread;
    sem_t *own = malloc(sizeof *own);
    sem_init(own, 0, 0);
    pthread_mutex_init(&before, NULL);
    pthread_barrier_init(&both, NULL, 2);
    pthread_create(&thread, NULL, user, own);
    pthread_mutex_init(&mutex, NULL);
    pthread_cond_init(&condition, NULL);
    pthread_rwlock_init(&lock, NULL);
    pthread_barrier_init(&barrier, NULL, 1);
    sem_init(&semaphore, 0, 0);
    mtx_init(&plain, mtx_plain);
    pthread_mutex_lock(&in_time);
    pthread_mutex_unlock(&in_time);
    pthread_barrier_wait(&both);
    pthread_barrier_destroy(&both);
    sem_wait(own);
    sem_destroy(own);
    free(own);
    pthread_mutex_destroy(&before);
    pthread_join(thread, NULL);
    pthread_mutex_destroy(&mutex);
    pthread_create(&thread, NULL, last_user, NULL);
    usleep(5000);
    pthread_mutex_destroy(&gone);
    pthread_join(thread, NULL);
    return 0;
}
