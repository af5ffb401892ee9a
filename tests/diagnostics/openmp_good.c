/* Good directives of OpenMP, of which nothing is said. */
/* options: -fopenmp -Wall -Wextra -Wshadow -Wconversion */
#define PRAGMA(text) _Pragma(#text)
#define THREADS      4

static int counter = 1;
#pragma omp threadprivate(counter)

struct pair {
    double first, second;
};
#pragma omp declare reduction(add                                                                                      \
                              : struct pair                                                                            \
                              : omp_out.first += omp_in.first, omp_out.second += omp_in.second)                        \
    initializer(omp_priv = {0, 0})

#pragma omp declare simd uniform(n) notinbranch
int twice(int n);

double all(int n, double *values, int (*table)[8], struct pair p)
{
    double sum = 0, last = 0;
    int i, j;
    unsigned char small;
#pragma omp parallel for reduction(+ : sum) lastprivate(last) firstprivate(p) schedule(dynamic, n) num_threads(THREADS)
    for (i = 0; i < n; i++) {
        if (values[i] < p.first)
            continue;
        sum += values[i];
        last = values[i];
    }
    PRAGMA(omp parallel for collapse(2) default(none) shared(table, n) private(j))
    for (i = n - 1; i >= 0; i -= 2)
        for (j = 0; j < 8; j++)
            table[i][j] = i * j;
#pragma omp parallel copyin(counter) if (parallel : n > 3) proc_bind(spread)
    {
#pragma omp for reduction(add : p) nowait
        for (small = 0; small < 200; small += 7) {
            p.first += small;
            counter++;
        }
#pragma omp sections
        {
            sum++;
#pragma omp section
            last++;
        }
#pragma omp single copyprivate(counter)
        counter = n;
#pragma omp critical(name) hint(0)
        sum += last;
#pragma omp master
        for (;;) {
            if (n-- < 0)
                break;
        }
#pragma omp barrier
#pragma omp atomic capture seq_cst
        {
            j = i;
            i += 2;
        }
    }
#pragma omp parallel
#pragma omp single nowait
    {
        for (int k = 0; k < n; k++) {
#pragma omp task depend(inout : values [k:1]) firstprivate(k) priority(k) untied final(k > 5)
            values[k] = twice(k);
        }
#pragma omp taskwait
#pragma omp taskloop grainsize(8) lastprivate(last)
        for (double *at = values; at < values + n; ++at)
            last = *at;
    }
#pragma omp parallel for ordered(2)
    for (i = 1; i < n; i++)
        for (j = 1; j < 8; j++) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
            table[i][j] += table[i - 1][j];
#pragma omp ordered depend(source)
        }
#pragma omp target teams distribute parallel for simd map(tofrom : sum) map(to : values [0:n]) reduction(+ : sum)
    for (i = 0; i < n; i++)
        sum += values[i];
    return sum + last + p.first + i + j;
}

int counted(int n)
{
    int hits = 0;
#pragma omp parallel for reduction(+ : hits)
    for (int i = 0; i < n; i++)
        hits++;
    return hits;
}
