/* Sets of processors, and what a rank is told of its own: it sees one. Types with two underscores; FILE is complete. */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

int main(void)
{
    cpu_set_t a, b, c;
    int calls = 0;
    CPU_ZERO(&a);
    CPU_ZERO(&b);
    CPU_SET(calls++, &a);
    CPU_SET(65, &a);
    CPU_SET(1023, &a);
    CPU_SET(5000, &a);
    CPU_SET(65, &b);
    CPU_SET(2, &b);
    printf("%d %d %d %d %d\n", calls, CPU_COUNT(&a), CPU_ISSET(65, &a), CPU_ISSET(64, &a), CPU_ISSET(5000, &a));
    CPU_AND(&c, &a, &b);
    printf("%d", CPU_COUNT(&c));
    CPU_OR(&c, &a, &b);
    printf(" %d", CPU_COUNT(&c));
    CPU_XOR(&c, &a, &b);
    printf(" %d %d\n", CPU_COUNT(&c), CPU_EQUAL(&a, &b));
    CPU_CLR(65, &a);
    printf("%d %lx\n", CPU_COUNT(&a), a.__bits[0]);
    size_t size = CPU_ALLOC_SIZE(200);
    cpu_set_t *many = CPU_ALLOC(200);
    CPU_ZERO_S(size, many);
    CPU_SET_S(199, size, many);
    CPU_SET_S(256, size, many);
    printf("%d %d %d\n", (int)size, CPU_COUNT_S(size, many), CPU_ISSET_S(199, size, many));
    CPU_FREE(many);
    printf("%d", sched_getaffinity(0, sizeof c, &c));
    printf(" %d %d\n", CPU_COUNT(&c), sched_getcpu());
    printf("%d", sched_setaffinity(0, sizeof c, &c));
    CPU_ZERO(&c);
    printf(" %d %d\n", sched_setaffinity(0, sizeof c, &c), errno == EINVAL);
    __int8_t small = -1;
    __uint64_t large = ~(__uint64_t)0;
    __int32_t middle = small;
    __off_t offset = large;
    FILE file;
    printf("%d %d %ld %d\n", middle, (int)sizeof large, offset, (int)sizeof file);
    return 0;
}
