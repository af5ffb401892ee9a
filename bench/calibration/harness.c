/* harness.c - measures one calibration kernel: prints the processor time of a call, in nanoseconds.
 *
 * The same program runs natively and under Orrery. Its argument is the number of calls to measure; one more call before
 * them warms up. If there are many calls, the third least time counts: other load on the processor makes calls slower,
 * and a clock that is set back makes one faster.
 *
 * A kernel does the same to the same data in every call. A processor would soon know where its branches go, which it
 * never does in a program that makes progress. So random branches between the calls make it forget.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { KEPT = 3, MANY = 10, FORGETTING = 1500 };

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

/* Two branches that no conditional move can replace. */
#define DECIDE(bit)                                                                                                    \
    if (state >> (bit)&1)                                                                                              \
        ways[bit]++;                                                                                                   \
    else                                                                                                               \
        others[bit]++;
#define DECIDE_8(bit)                                                                                                  \
    DECIDE(bit)                                                                                                        \
    DECIDE(bit + 1) DECIDE(bit + 2) DECIDE(bit + 3) DECIDE(bit + 4) DECIDE(bit + 5) DECIDE(bit + 6) DECIDE(bit + 7)

static __attribute__((noinline)) void forget(void)
{
    static volatile unsigned ways[64], others[64];
    static unsigned long state = 88172645463325252ul;
    for (int i = 0; i < FORGETTING; i++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        DECIDE_8(0)
        DECIDE_8(8)
        DECIDE_8(16)
        DECIDE_8(24)
        DECIDE_8(32)
        DECIDE_8(40)
        DECIDE_8(48)
        DECIDE_8(56)
    }
}

int main(int argc, char **argv)
{
    int calls = argc > 1 ? atoi(argv[1]) : 1;

    sink = kernel();
    forget();
    for (int i = 0; i < calls; i++) {
        if (i > 0)
            forget();
        long long start = now();
        sink = kernel();
        keep(now() - start);
    }
    printf("%lld\n", least[calls >= MANY ? KEPT - 1 : 0]);
    return 0;
}
