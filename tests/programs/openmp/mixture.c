/* Loops, tasks, dependences, copyprivate, sections, nesting, taskloops and locks in one program. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
static int fib(int n)
{
    if (n < 2)
        return n;
    int a, b;
#pragma omp task shared(a)
    a = fib(n - 1);
#pragma omp task shared(b)
    b = fib(n - 2);
#pragma omp taskwait
    return a + b;
}
int main(void)
{
    int sum = 0;
    long hits[1000] = {0};
#pragma omp parallel num_threads(4) reduction(+ : sum)
    {
        sum += omp_get_thread_num() + 1;
#pragma omp for schedule(dynamic, 3) nowait
        for (int i = 0; i < 1000; i++)
            hits[i]++;
#pragma omp for schedule(guided)
        for (int i = 0; i < 1000; i++)
            hits[i]++;
#pragma omp for schedule(runtime) nowait
        for (int i = 999; i >= 0; i -= 2)
            hits[i]++;
#pragma omp for ordered schedule(dynamic, 2)
        for (int i = 0; i < 10; i++) {
#pragma omp ordered
            printf("%d ", i);
        }
#pragma omp for ordered schedule(static)
        for (int i = 0; i < 10; i++) {
#pragma omp ordered
            printf("%d ", i);
        }
    }
    printf("\n%d ", sum);
    for (int i = 0; i < 1000; i++)
        if (hits[i] != 2 + (i & 1))
            printf("bad %d %ld\n", i, hits[i]);
    int f = 0;
#pragma omp parallel num_threads(3)
#pragma omp single
    f = fib(12);
    printf("%d\n", f);
    int x = 0, y = 0, z = 0, log[100], nl = 0;
#pragma omp parallel num_threads(4)
#pragma omp single
    {
        for (int i = 0; i < 10; i++) {
#pragma omp task depend(inout : x) firstprivate(i)
            {
                x = x * 3 + i;
            }
#pragma omp task depend(in : x) depend(out : y)
            {
                y = x + 1;
            }
#pragma omp task depend(in : x, y) depend(inout : z)
            {
                z += x + y;
            }
        }
    }
    printf("%d %d %d\n", x, y, z);
    int c = 0;
#pragma omp parallel num_threads(4)
    {
        int v;
#pragma omp single copyprivate(v)
        v = omp_get_thread_num() * 0 + 42;
#pragma omp critical
        c += v;
#pragma omp barrier
#pragma omp single nowait
        c++;
#pragma omp sections
        {
#pragma omp section
            {
#pragma omp atomic
                c += 1;
            }
#pragma omp section
            {
#pragma omp atomic
                c += 2;
            }
#pragma omp section
            {
#pragma omp atomic
                c += 3;
            }
        }
    }
    printf("%d\n", c);
    omp_set_nested(1);
    int cnt = 0;
#pragma omp parallel num_threads(3)
#pragma omp parallel num_threads(2)
    {
        if (omp_get_level() != 2 || omp_get_num_threads() != 2 || omp_get_team_size(1) != 3 ||
            omp_get_ancestor_thread_num(2) != omp_get_thread_num())
            printf("nest wrong\n");
#pragma omp atomic
        cnt++;
#pragma omp barrier
    }
    printf("%d\n", cnt);
    long t = 0;
#pragma omp parallel num_threads(4)
#pragma omp master
    {
#pragma omp taskloop grainsize(7)
        for (int i = 0; i < 100; i++) {
#pragma omp atomic
            t += i;
        }
#pragma omp taskgroup
        {
            for (int i = 0; i < 20; i++)
#pragma omp task
            {
#pragma omp task
#pragma omp atomic
                t++;
            }
        }
        t *= 2;
    }
    printf("%ld\n", t);
    omp_nest_lock_t nl2;
    omp_init_nest_lock(&nl2);
    int k = 0;
#pragma omp parallel num_threads(4)
    {
        omp_set_nest_lock(&nl2);
        omp_set_nest_lock(&nl2);
        k++;
        omp_unset_nest_lock(&nl2);
        k += omp_test_nest_lock(&nl2);
        omp_unset_nest_lock(&nl2);
        omp_unset_nest_lock(&nl2);
    }
    printf("%d\n", k);
    return 0;
}
