/* Every clause and kind of loop of OpenMP once, with results that do not depend on the number of threads. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
struct P {
    double x, y;
};
#pragma omp declare reduction(padd                                                                                     \
                              : struct P                                                                               \
                              : omp_out.x += omp_in.x, omp_out.y += omp_in.y) initializer(omp_priv = {0, 0})
static void addl(long *a, long *b)
{
    *a += *b;
}
#pragma omp declare reduction(ladd:long : addl(&omp_out, &omp_in)) initializer(omp_priv = 0)
#pragma omp declare reduction(mymax:int : omp_out = omp_in > omp_out ? omp_in : omp_out) initializer(omp_priv = INT_MIN)
#define PRAGMA(x) _Pragma(#x)
#define LOOP PRAGMA(omp parallel for schedule(static, CH))
#define CH 4
static long fib(int n)
{
    long x, y;
    if (n < 2)
        return n;
#pragma omp task shared(x) firstprivate(n) if (n > 5) final(n < 3)
    x = fib(n - 1);
#pragma omp task shared(x, y)
    y = fib(n - 2);
#pragma omp taskwait
    return x + y;
}
static int orphan(int *v, int n)
{
    int k = 0;
#pragma omp for nowait
    for (int i = 0; i < n; i++)
        v[i] += 1;
#pragma omp single copyprivate(k)
    k = 77;
    return k;
}
enum { M = 5 };
int main(int argc, char **argv)
{
    struct P p = {1, 1};
    long l = 5;
    int mx = 3;
    int v[40] = {0};
#pragma omp parallel for reduction(padd : p) reduction(ladd : l) reduction(mymax : mx)
    for (int i = 0; i < 20; i++) {
        p.x += i;
        p.y -= i;
        l += i;
        if (i * 3 % 50 > mx)
            mx = i * 3 % 50;
    }
    printf("%g %g %ld %d\n", p.x, p.y, l, mx);
    LOOP for (int i = 0; i < 40; i++) v[i] = i;
#pragma omp parallel default(none) shared(v, l)
    {
        int q = orphan(v, 40);
#pragma omp critical
        l += q;
    }
    printf("%d %d %ld\n", v[0], v[39], l);
    long r;
#pragma omp parallel
#pragma omp single
    r = fib(12);
    printf("%ld\n", r);
    unsigned long ul;
    int cnt = 0;
#pragma omp parallel for reduction(+ : cnt) schedule(guided)
    for (ul = ULONG_MAX - 10; ul < ULONG_MAX - 1; ul += 3)
        cnt++;
    printf("%d\n", cnt);
    cnt = 0;
#pragma omp parallel for reduction(+ : cnt)
    for (int i = INT_MIN; i < INT_MAX - 5; i += 1000000000)
        cnt++;
#pragma omp parallel for reduction(+ : cnt)
    for (unsigned i = 10; i >= 1; i--)
        cnt++;
#pragma omp parallel for reduction(+ : cnt)
    for (int i = 5; i < 5; i++)
        cnt += 1000;
    short sh;
#pragma omp parallel for reduction(+ : cnt)
    for (sh = 100; sh > -100; sh = sh - 7)
        cnt += 1;
    printf("%d\n", cnt);
    int mul = 1, an = -1, orr = 0, xo = 5, land = 1, lor = 0;
    float fmin = 1e30f;
    unsigned char ucmax = 0;
#pragma omp parallel for reduction(*:mul) reduction(&:an) reduction(|:orr) reduction(^:xo) reduction(&&:land) reduction(||:lor) reduction(min:fmin) reduction(max:ucmax)
    for (int i = 1; i < 8; i++) {
        mul *= i;
        an &= ~(1 << i);
        orr |= 1 << i;
        xo ^= i;
        land = land && i;
        lor = lor || i > 6;
        if ((float)i / 3 < fmin)
            fmin = (float)i / 3;
        if (i * 30 > ucmax)
            ucmax = i * 30;
    }
    printf("%d %d %d %d %d %d %g %d\n", mul, an, orr, xo, land, lor, fmin, ucmax);
    int arr[3][M] = {{0}};
#pragma omp parallel for reduction(+ : arr)
    for (int i = 0; i < 30; i++)
        arr[i % 3][i % M] += i;
    printf("%d %d\n", arr[2][4], arr[0][1]);
    int *heap = calloc(20, sizeof *heap), hn = 20;
#pragma omp parallel for reduction(+ : heap [2:hn - 4])
    for (int i = 0; i < 100; i++)
        heap[2 + i % (hn - 4)] += i;
    printf("%d %d %d\n", heap[1], heap[2], heap[17]);
    int x = 3, y, z;
#pragma omp parallel
    {
#pragma omp atomic read
        y = x;
#pragma omp atomic write
        x = y * 2;
#pragma omp atomic update
        x = 5 - x;
#pragma omp atomic capture
        z = x++;
#pragma omp atomic capture
        {
            z = x;
            x *= 2;
        }
#pragma omp atomic capture seq_cst
        {
            x -= 1;
            z = x;
        }
#pragma omp atomic
        heap[x > 0 ? 3 : 4] |= 8;
    }
    printf("%d %d %d %d\n", x, y, z, heap[4]);
    int lin = 10;
#pragma omp parallel for simd linear(lin : 2) safelen(4) aligned(heap)
    for (int i = 0; i < 10; i++) {
        heap[i] = lin;
        lin += 2;
    }
    printf("%d %d\n", lin, heap[9]);
    double s = 0;
    int tgt = 1;
#pragma omp target map(tofrom : s) map(to : heap [0:20])
    {
        s += heap[3];
        tgt = 9;
    }
#pragma omp target teams distribute parallel for map(tofrom : s) reduction(+ : s) collapse(2)
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            s += i * j;
    printf("%g %d\n", s, tgt);
#pragma omp parallel for ordered schedule(dynamic)
    for (int i = 0; i < 4; i++) {
#pragma omp ordered
        printf("%d ", i);
    }
    int i, j;
#pragma omp parallel for lastprivate(i, j) collapse(2)
    for (i = 0; i < 4; i++)
        for (j = 0; j < 7; j += 2)
            ;
    printf("%d %d\n", i, j);
    int dep = 0;
#pragma omp parallel
#pragma omp master
    {
#pragma omp taskgroup
        {
#pragma omp task depend(out : dep, heap [0:3])
            dep = 1;
#pragma omp task depend(in : dep) depend(inout : heap [0:3])
            printf("dep %d\n", dep);
        }
    }
#pragma omp parallel for
    for (int k = 0; k < 10; k++) {
        if (k == 5)
            continue;
        switch (k) {
        case 3: break;
        default: goto skip;
        }
        v[k] = -1;
    skip:;
    }
    printf("%d\n", v[3]);
#pragma omp parallel if (parallel : argc > 5) num_threads(argc) proc_bind(close)
    {
#pragma omp for
        for (int k = 0; k < 3; k++) {
#pragma omp cancel for if (k > 100)
#pragma omp cancellation point for
            v[k] = k;
        }
#pragma omp cancel parallel if (0)
    }
#pragma omp flush(x)
#pragma omp taskyield
    ;
    return 0;
}
