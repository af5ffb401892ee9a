/* What the parts of OpenMP cost is what section [threads] says (costs.flags), and threads are worth their number. */
#include <omp.h>
#include <stdio.h>

static double start;
static double a[200000];

static void begin(void)
{
    start = omp_get_wtime();
}

/* Prints milliseconds, rounded: what the program itself computes is far less. */
static void end(const char *what)
{
    printf("%-12s %.0f ms\n", what, 1e3 * (omp_get_wtime() - start));
}

static double work(int threads)
{
    double time = omp_get_wtime();
#pragma omp parallel num_threads(threads)
    {
#pragma omp barrier
        if (omp_get_thread_num() == 0)
            time = omp_get_wtime();
#pragma omp for nowait
        for (int i = 0; i < 200000; i++)
            for (int k = 0; k < 20; k++)
                a[i] += i * 0.5;
        if (omp_get_thread_num() == 0)
            time = omp_get_wtime() - time;
    }
    return time;
}

int main(void)
{
    int count = 0;
#pragma omp parallel
    {
        /* makes the threads */
    }
    begin();
#pragma omp parallel
    {
    }
    end("region");
#pragma omp parallel
    {
#pragma omp barrier
#pragma omp master
        begin();
#pragma omp barrier
#pragma omp barrier
#pragma omp master
        end("barriers");
#pragma omp barrier
#pragma omp master
        begin();
#pragma omp for schedule(dynamic, 1) nowait
        for (int i = 0; i < 40; i++)
            ;
#pragma omp master
        end("chunks");
#pragma omp barrier
#pragma omp master
        begin();
        for (int i = 0; i < 10; i++) {
#pragma omp atomic
            count++;
        }
#pragma omp master
        end("atomics");
#pragma omp barrier
#pragma omp master
        {
            begin();
            for (int i = 0; i < 10; i++) {
#pragma omp task
                ;
            }
            end("tasks");
        }
#pragma omp barrier
#pragma omp master
        begin();
#pragma omp critical
        count++;
#pragma omp barrier
#pragma omp master
        end("convoy");
    }
    double one = work(1), two = work(2), four = work(4);
    printf("%d, two threads %s, four threads %s\n", count, one / two > 1.99 && one / two < 2.01 ? "twice" : "not twice",
           one / four > 3.97 && one / four < 4.01 ? "four times" : "not four times");
    return 0;
}
