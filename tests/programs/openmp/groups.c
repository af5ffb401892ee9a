/* A group of tasks waits for tasks that depend on ones outside of it, which nobody else can run; and a limit of threads
 * holds for all nested teams together. */
#include <omp.h>
#include <stdio.h>
#include <unistd.h>

static void groups_in_groups(int threads)
{
    int x = 1, y = 2, read = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
#pragma omp taskgroup
    {
#pragma omp task shared(x, read) depend(in : x)
        {
            usleep(100);
#pragma omp atomic
            read += x;
        }
#pragma omp taskgroup
        {
#pragma omp task shared(x, read) depend(in : x)
            {
                usleep(150);
#pragma omp atomic
                read += x;
            }
#pragma omp task shared(y) depend(inout : y)
            y++;
#pragma omp taskgroup
            {
#pragma omp task shared(x) depend(out : x)
                x = 7;
            }
            printf("%d threads: %d was read before %d\n", threads, read, x);
        }
    }
    printf("%d threads: y is %d\n", threads, y);
}

static void nested(void)
{
    int running = 0, most = 0;
#pragma omp parallel num_threads(5)
#pragma omp parallel num_threads(5)
#pragma omp parallel num_threads(2)
    {
        int now;
#pragma omp atomic capture
        now = ++running;
#pragma omp critical
        most = now > most ? now : most;
        usleep(1000);
#pragma omp atomic
        --running;
    }
    printf("at most %d of %d threads at a time\n", most, omp_get_thread_limit());
}

int main(void)
{
    groups_in_groups(1);
    groups_in_groups(2);
    groups_in_groups(5);
    omp_set_dynamic(0);
    omp_set_nested(1);
    nested();
    return 0;
}
