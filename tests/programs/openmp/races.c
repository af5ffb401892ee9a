/* Data races of OpenMP: a shared counter, a loop that carries a value, a missing barrier, tasks that nothing orders
 * (whichever thread runs them), atomic beside plain, different critical regions, code behind an ordered region. */
#include <omp.h>
#include <stdio.h>

enum { N = 64 };

int main(void)
{
    int sum = 0, tail = 0, from_task = 0, after_task = 0, beside = 0, guarded = 0, wait = 0;
    int line[N + 1] = {0};
#pragma omp parallel num_threads(4)
    {
        sum += omp_get_thread_num();
#pragma omp for
        for (int i = 0; i < N; i++)
            line[i + 1] = line[i] + 1;
#pragma omp for nowait
        for (int i = 0; i < N; i++)
            line[i] = i;
#pragma omp for reduction(+ : tail)
        for (int i = 0; i < N; i++)
            tail += line[N - 1 - i];
#pragma omp single
        {
#pragma omp task shared(from_task)
            from_task++;
#pragma omp task shared(from_task)
            from_task++;
#pragma omp task shared(after_task)
            after_task = 1;
            after_task++;
#pragma omp taskwait
            after_task++; /* no race */
#pragma omp task depend(in : wait) shared(wait)
            wait++;
#pragma omp task depend(in : wait) shared(wait)
            wait++;
        }
#pragma omp atomic
        beside++;
        if (omp_get_thread_num() == 3)
            beside++;
        if (omp_get_thread_num() & 1) {
#pragma omp critical(one)
            guarded++;
        } else {
#pragma omp critical(two)
            guarded++;
        }
    }
    int payload = 0, ready = 0;
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 0) {
        payload = 1;
#pragma omp atomic write relaxed
        ready = 1;
    } else {
        int seen = 0;
        while (!seen) {
#pragma omp atomic read acquire
            seen = ready;
        }
        payload++;
    }
    printf("%d\n", sum >= 0 && tail >= 0);
    return 0;
}
