/* Without -fopenmp the directives of OpenMP are ignored, which is said once. */
/* options: -Wall */
int sum(const int *values, int n)
{
    int total = 0;
#pragma omp parallel for reduction(+ : total)
    for (int i = 0; i < n; i++)
        total += values[i];
#pragma omp barrier
    return total;
}
