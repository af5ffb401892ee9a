/* One thread of a team misses a barrier of OpenMP that the others come to, and one comes to another one alone. */
#include <omp.h>

int main(void)
{
#pragma omp parallel num_threads(3)
    {
        if (omp_get_thread_num() != 1) {
#pragma omp barrier
        }
#pragma omp critical
        {
        }
        if (omp_get_thread_num() == 0) {
#pragma omp barrier
        }
    }
    return 0;
}
