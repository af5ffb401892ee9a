/* Threads that race: what they compute depends on their order, which is that of virtual time, the same in every quantum,
 * tier and number of threads. A loop without any call waits for what another thread stores, and ends. */
#include <pthread.h>
#include <stdio.h>

enum { THREADS = 4, TURNS = 20000, WORDS = 64 };

static int words[WORDS];
static unsigned traces[THREADS];
static volatile int flag;

static int change(int x)
{
    return x * 3 + 1;
}

static void *race(void *argument)
{
    int number = (int)(long)argument;
    unsigned hash = (unsigned)number;
    for (int i = 0; i < TURNS; i++) {
        int j = (i * 7 + number) % WORDS;
        words[j] = change(words[(j + 11) % WORDS] & 0xffff) + number;
        hash = hash * 31 + (unsigned)words[(j + 5) % WORDS];
        if (i % 1024 == 0)
            for (int k = 0; k < (number + 1) * 37; k++)
                hash ^= (unsigned)(k * words[k % WORDS]);
    }
    traces[number] = hash;
    return NULL;
}

static void *spin(void *argument)
{
    while (!flag)
        ;
    return argument;
}

int main(void)
{
    pthread_t threads[THREADS];
    void *result;
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, race, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    int different = 0;
    for (int i = 1; i < THREADS; i++)
        different += traces[i] != traces[0];
    printf("%d traces are different from the first\n", different);
    pthread_create(&threads[0], NULL, spin, threads);
    for (volatile int i = 0; i < 100000; i++)
        ;
    flag = 1;
    pthread_join(threads[0], &result);
    printf("%s\n", result == (void *)threads ? "spun" : "lost");
    return 0;
}
