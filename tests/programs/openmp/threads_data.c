/* Data of threads: threadprivate, copies of arrays of variable length, nested teams, doacross loops, cancellation. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int tp = 3;
static double tpa[4] = {1.5};
#pragma omp threadprivate(tp, tpa)
struct S {
    int a;
    double b[3];
};
static void nest(int depth, int *total)
{
    if (depth == 0)
        return;
    int local = depth;
#pragma omp parallel num_threads(2) shared(local)
    {
#pragma omp critical
        *total += depth;
        int mine = omp_get_thread_num();
#pragma omp parallel num_threads(2) firstprivate(mine)
        {
            mine += 10;
#pragma omp critical
            {
                *total += mine;
                local++;
            }
        }
#pragma omp barrier
#pragma omp master
        *total += local * 100;
    }
}
static void vla(int n, int m)
{
    double a[n][m];
    struct S s = {1, {2, 3, 4}};
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i][j] = i * m + j;
    double sum = 0;
#pragma omp parallel firstprivate(a, s) reduction(+ : sum)
    {
#pragma omp for collapse(2)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++) {
                a[i][j] *= 2;
                sum += a[i][j] + s.b[j % 3];
                s.a++;
            }
        double(*row)[m] = a;
        if (sizeof(*row) != m * sizeof(double))
            abort();
        typedef int V[m];
        V v;
        v[m - 1] = 4;
#pragma omp single
        {
#pragma omp task firstprivate(a, v) shared(s)
            {
                if (sizeof a != sizeof(double) * n * m || v[m - 1] != 4)
                    abort();
                a[0][0]++;
            }
#pragma omp taskwait
        }
    }
    printf("vla %g %g %d\n", sum, a[1][1], s.a);
}
static int collatz(int x)
{
    int c = 0;
    while (x != 1) {
        x = x % 2 ? 3 * x + 1 : x / 2;
        c++;
    }
    return c;
}
int main(void)
{
    int total = 0;
    omp_set_nested(1);
    omp_set_max_active_levels(4);
    nest(3, &total);
    printf("nest %d\n", total);
    vla(7, 5);
    tp = 20;
    int bad = 0, sumtp = 0;
#pragma omp parallel num_threads(4) copyin(tp) reduction(+ : sumtp)
    {
        sumtp += tp;
        tp += omp_get_thread_num();
        tpa[1] = tp;
    }
#pragma omp parallel num_threads(4) reduction(+ : bad)
    {
        bad += tp != 20 + omp_get_thread_num() || tpa[0] != 1.5 || tpa[1] != tp;
    }
    printf("tp %d %d\n", sumtp, bad);
    int hist[10] = {0}, cp = 0, mism = 0;
#pragma omp parallel num_threads(4) private(cp) reduction(+ : mism)
    {
#pragma omp for schedule(guided, 2)
        for (int i = 1; i < 300; i++) {
#pragma omp atomic
            hist[collatz(i) % 10]++;
        }
        for (int r = 0; r < 5; r++) {
#pragma omp single copyprivate(cp)
            cp = r * 7;
            mism += cp != r * 7;
        }
    }
    for (int i = 0; i < 10; i++)
        printf("%d ", hist[i]);
    printf("mism %d\n", mism);
    int g[20][20];
    memset(g, 0, sizeof g);
    for (int i = 0; i < 20; i++)
        g[i][0] = g[0][i] = 1;
#pragma omp parallel for ordered(2) num_threads(4) schedule(static, 1)
    for (int i = 1; i < 20; i++)
        for (int j = 1; j < 20; j++) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
            g[i][j] = (g[i - 1][j] + g[i][j - 1]) % 1009;
#pragma omp ordered depend(source)
        }
    printf("doacross %d\n", g[19][19]);
    int found = -1, runs = 0;
#pragma omp parallel num_threads(4)
    {
#pragma omp for schedule(dynamic, 1) reduction(+ : runs)
        for (int i = 0; i < 1000; i++) {
            runs++;
            if (i == 17) {
#pragma omp atomic write
                found = i;
#pragma omp cancel for
            }
#pragma omp cancellation point for
        }
    }
    printf("cancel %d %s\n", found, runs < 1000 ? "early" : "late");
    int reached = 0;
#pragma omp parallel num_threads(4)
    {
#pragma omp cancel parallel if (omp_get_thread_num() == 1)
#pragma omp barrier
#pragma omp barrier
#pragma omp atomic
        reached++;
    }
    printf("reached %d\n", omp_get_cancellation() ? reached : 4 - reached);
    int order[6], no = 0, dv = 0;
#pragma omp parallel num_threads(4)
#pragma omp single
    for (int i = 0; i < 6; i++) {
#pragma omp task depend(inout : dv) shared(order, no)
        order[no++] = i;
    }
    for (int i = 0; i < 6; i++)
        printf("%d", order[i]);
    int last = 0;
    long tsum = 0;
#pragma omp parallel num_threads(4)
#pragma omp single
#pragma omp taskloop num_tasks(7) lastprivate(last) shared(tsum) collapse(2)
    for (int i = 0; i < 9; i++)
        for (unsigned char c = 200; c > 190; c -= 3) {
            last = i * 1000 + c;
#pragma omp atomic
            tsum += last;
        }
    printf(" %d %ld\n", last, tsum);
    long double ld = 1;
    _Complex double cx = 0;
    __int128 w = 0;
    _Bool b = 1;
#pragma omp parallel for num_threads(3) reduction(* : ld) reduction(+ : cx, w) reduction(&& : b)
    for (int i = 1; i < 10; i++) {
        ld *= i;
        cx += i * (_Complex double)1;
        w += i;
        b = b && i;
    }
    printf("%g %g %d %d\n", (double)ld, __real__ cx, (int)w, b);
    int q = 0;
#pragma omp parallel for num_threads(4) schedule(static) ordered
    for (int i = 0; i < 12; i++) {
        int k = collatz(i + 1);
#pragma omp ordered
        q = q * 3 % 1000003 + k;
    }
    printf("%d\n", q);
    int secs[5] = {0};
#pragma omp parallel sections num_threads(3) firstprivate(q) lastprivate(q)
    {
        secs[0] = q;
#pragma omp section
        {
            secs[1] = q + 1;
            q = 5;
        }
#pragma omp section
        {
            secs[2] = q + 2;
            q = 6;
        }
    }
    printf("%d %d %d %d\n", secs[0], secs[1], secs[2], q);
    return 0;
}
