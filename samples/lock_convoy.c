/* lock_convoy.c - many threads and one short critical section: a histogram, counted in five ways.
 *
 * With one lock, the threads form a convoy: each waits for all others in turn, and every turn costs the hand-over of
 * the lock, which is far longer than the section. More threads make it slower, not faster. Four ways out are shown: a
 * lock for each part of the data, atomic operations, a private histogram for each thread that is added up at the end,
 * and the same written as a reduction.
 *
 * Build:    gcc -fopenmp lock_convoy.c -o lock_convoy
 * Run:      orrery run -n 1 -fopenmp --env OMP_NUM_THREADS=4 --set node.cores=4 samples/lock_convoy.c
 * Look at:  the time of each way with 1, 2 and 4 threads (docs/lessons/16-a-lock-convoy.md).
 * Change:   --set threads.hand-over=0: what is left is the wait for the section itself.
 */
#include <omp.h>
#include <stdio.h>
#include <string.h>

enum { VALUES = 20000, BINS = 64 };

static long bins[BINS];
static omp_lock_t locks[BINS];

/* A value that depends on its number alone. */
static unsigned value(unsigned i)
{
    i = i * 2654435761u + 12345u;
    i ^= i >> 15;
    return i * 2246822519u >> 26; /* 0 to 63 */
}

static void with_one_lock(void)
{
#pragma omp parallel for
    for (int i = 0; i < VALUES; i++) {
        unsigned v = value(i);
#pragma omp critical
        bins[v]++;
    }
}

static void with_many_locks(void)
{
#pragma omp parallel for
    for (int i = 0; i < VALUES; i++) {
        unsigned v = value(i);
        omp_set_lock(&locks[v]);
        bins[v]++;
        omp_unset_lock(&locks[v]);
    }
}

static void with_atomics(void)
{
#pragma omp parallel for
    for (int i = 0; i < VALUES; i++) {
        unsigned v = value(i);
#pragma omp atomic
        bins[v]++;
    }
}

static void with_private_bins(void)
{
#pragma omp parallel
    {
        long mine[BINS] = {0};
#pragma omp for nowait
        for (int i = 0; i < VALUES; i++)
            mine[value(i)]++;
#pragma omp critical
        for (int b = 0; b < BINS; b++)
            bins[b] += mine[b];
    }
}

static void with_a_reduction(void)
{
#pragma omp parallel for reduction(+ : bins)
    for (int i = 0; i < VALUES; i++)
        bins[value(i)]++;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*count)(void);
    } ways[] = {
        {"one lock", with_one_lock},         {"many locks", with_many_locks}, {"atomic", with_atomics},
        {"private bins", with_private_bins}, {"reduction", with_a_reduction},
    };
    (void)argv;
    for (int b = 0; b < BINS; b++)
        omp_init_lock(&locks[b]);
#pragma omp parallel
    {
        /* the threads are made here, and not in what is measured */
    }
    for (unsigned w = 0; w < sizeof ways / sizeof ways[0]; w++) {
        long all = 0, check = 0;
        memset(bins, 0, sizeof bins);
        double time = omp_get_wtime();
        ways[w].count();
        time = omp_get_wtime() - time;
        for (int b = 0; b < BINS; b++) {
            all += bins[b];
            check += bins[b] * b;
        }
        printf("%-14s ", ways[w].name);
        if (argc < 2) /* an argument, any, leaves the times out */
            printf("%8.3f ms   ", 1e3 * time);
        printf("%ld values, checksum %ld\n", all, check);
    }
    for (int b = 0; b < BINS; b++)
        omp_destroy_lock(&locks[b]);
    return 0;
}
