/* Eight threads wait for a condition, add under a mutex, and are joined. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready, sum;
static void *work(void *a)
{
    int k = (int)(long)a;
    pthread_mutex_lock(&m);
    while (!ready)
        pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
    for (int i = 0; i < 1000; i++) {
        pthread_mutex_lock(&m);
        sum += k;
        pthread_mutex_unlock(&m);
    }
    return (void *)(long)(k * k);
}
int main(void)
{
    pthread_t t[8];
    for (int i = 0; i < 8; i++)
        if (pthread_create(&t[i], 0, work, (void *)(long)i)) {
            puts("no");
            return 1;
        }
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_cond_broadcast(&c);
    pthread_mutex_unlock(&m);
    long all = 0;
    for (int i = 0; i < 8; i++) {
        void *r;
        pthread_join(t[i], &r);
        all += (long)r;
    }
    printf("%d %ld\n", sum, all);
    return 0;
}
