/* harness.c - measures one calibration kernel: prints the processor time of a call, in nanoseconds.
 *
 * The same program runs natively and under Orrery. Its argument is how many calls to measure; one before them warms up.
 * What counts is the third least time where there are many: others that use the processor make calls slower, and a
 * clock that is set back makes one faster.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { KEPT = 3, MANY = 10 };

double kernel(void);

static volatile double sink;
static long long least[KEPT];

static long long now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void keep(long long time)
{
    for (int i = 0; i < KEPT; i++)
        if (least[i] == 0 || time < least[i]) {
            long long next = least[i];
            least[i] = time;
            time = next;
            if (time == 0)
                return;
        }
}

int main(int argc, char **argv)
{
    int calls = argc > 1 ? atoi(argv[1]) : 1;

    sink = kernel();
    for (int i = 0; i < calls; i++) {
        long long start = now();
        sink = kernel();
        keep(now() - start);
    }
    printf("%lld\n", least[calls >= MANY ? KEPT - 1 : 0]);
    return 0;
}
