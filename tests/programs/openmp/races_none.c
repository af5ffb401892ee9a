/* Whatever orders accesses in OpenMP, in a program without data races. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 40 };

static int own;
#pragma omp threadprivate(own)

static void worksharing(void)
{
    int line[N], sum = 0, all = 0, in_turn = 0, last = 0, one = 0;
    omp_lock_t lock;
    omp_nest_lock_t nest;
    omp_init_lock(&lock);
    omp_init_nest_lock(&nest);
    for (int turn = 0; turn < 3; turn++) {
#pragma omp parallel num_threads(4) reduction(+ : all)
        {
            own = omp_get_thread_num();
#pragma omp for
            for (int i = 0; i < N; i++)
                line[i] = i;
#pragma omp for schedule(dynamic, 3) lastprivate(last) reduction(+ : sum)
            for (int i = 0; i < N; i++) {
                sum += line[N - 1 - i];
                last = i;
            }
#pragma omp for schedule(guided) ordered
            for (int i = 0; i < N; i++) {
#pragma omp ordered
                in_turn = in_turn * 3 + i;
            }
#pragma omp for schedule(static, 1) ordered(1)
            for (int i = 1; i < N; i++) {
#pragma omp ordered depend(sink : i - 1)
                line[i] += line[i - 1];
#pragma omp ordered depend(source)
            }
#pragma omp sections
            {
#pragma omp section
                line[0]++;
#pragma omp section
                line[1]++;
            }
#pragma omp single
            one++;
#pragma omp single copyprivate(own)
            own = one;
#pragma omp master
            one += own;
#pragma omp barrier
            all += one;
#pragma omp barrier
#pragma omp critical
            one++;
            omp_set_lock(&lock);
            line[6]++;
            omp_unset_lock(&lock);
            omp_set_nest_lock(&nest);
            omp_set_nest_lock(&nest);
            line[7]++;
            omp_unset_nest_lock(&nest);
            omp_unset_nest_lock(&nest);
#pragma omp atomic
            line[8]++;
        }
        line[8]++;
    }
    omp_destroy_lock(&lock);
    omp_destroy_nest_lock(&nest);
    printf("%d %d %d %d %d\n", sum, all, last, one, line[8]);
}

/* Each task uses the frame in which another one was before, and the stack of whichever thread runs it. */
static int fibonacci(int n)
{
    int a = 0, b = 0, local[8];
    memset(local, n, sizeof local);
    if (n < 2)
        return n;
#pragma omp task shared(a)
    a = fibonacci(n - 1);
#pragma omp task shared(b) firstprivate(local)
    b = fibonacci(n - 2) + local[0] - local[7];
#pragma omp taskwait
    return a + b;
}

static void tasks(void)
{
    int counts[4] = {0};
    int x = 0, y = 0, group = 0, loop[N] = {0}, result = 0, readers[4] = {0};
#pragma omp parallel num_threads(4)
#pragma omp single
    {
        result = fibonacci(9);
#pragma omp taskgroup
        {
            for (int i = 0; i < 4; i++) {
#pragma omp task shared(group)
                {
#pragma omp task shared(group)
#pragma omp atomic
                    group++;
                }
            }
        }
        group++;
        for (int i = 0; i < 9; i++) {
#pragma omp task shared(counts)
            {
                counts[omp_get_thread_num()]++;
                own++;
            }
        }
#pragma omp taskloop grainsize(3)
        for (int i = 0; i < N; i++)
            loop[i] = i;
        for (int i = 0; i < N; i++)
            group += loop[i];
        for (int turn = 0; turn < 3; turn++) {
#pragma omp task depend(out : x)
            x++;
            for (int i = 0; i < 4; i++) {
#pragma omp task depend(in : x) shared(readers)
                readers[i] += x;
            }
#pragma omp task depend(inout : x, y)
            y += x++;
        }
#pragma omp task if (0) depend(inout : y)
        y++;
        y++;
#pragma omp task final(1) depend(inout : x) shared(x)
        {
#pragma omp task shared(x)
            x++;
            x++;
        }
    }
    printf("%d %d %d %d %d\n", result, group, x, y,
           readers[0] + readers[3] + counts[0] + counts[1] + counts[2] + counts[3]);
}

static void flags(void)
{
    int data = 0, flag = 0, got = 0, nested[2][2] = {{0}};
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            data = 42;
#pragma omp flush
#pragma omp atomic write
            flag = 1;
        } else {
            int seen = 0;
            while (!seen) {
#pragma omp atomic read
                seen = flag;
            }
#pragma omp flush
            got = data;
        }
#pragma omp barrier
        if (omp_get_thread_num() == 0) {
            data = 43;
#pragma omp atomic write release
            flag = 2;
        } else {
            int seen = 0;
            while (seen != 2) {
#pragma omp atomic read acquire
                seen = flag;
            }
            got += data;
#pragma omp atomic capture acq_rel
            seen = flag++;
        }
#pragma omp barrier
        int outer = omp_get_thread_num();
#pragma omp parallel num_threads(2)
        nested[outer][omp_get_thread_num()] += data;
    }
    printf("%d %d %d\n", got, nested[0][0], nested[1][1]);
}

int main(void)
{
    omp_set_nested(1);
    worksharing();
    tasks();
    flags();
    return 0;
}
