/* memory_cases.c - what --check must find in a program's memory, case by case: tests/run_memory_cases.py compiles it
 * once for each line that begins with CASE and expects what stands behind it on standard error (nothing: silence).
 */
#include <alloca.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct P {
    int a, b;
};
int g1[4], g2[4];

static int sum(int *p, int n)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s += p[i];
    return s;
}

static void set(int *p)
{
    *p = 1;
}

int main(int argc, char **argv)
{
    int before[4] = {1}, a[4] = {0}, after[4] = {2}, n = argc + 4;
    volatile int sink = 0;
    (void)argv, (void)set, (void)sum;
/* run_memory_cases.py reads what a case expects from the line that begins it. */
/* clang-format off */
#if CASE == 1 /* a loop that goes one too far: writes 4 bytes .* just behind the end of the variable a \(int \[4\], 16 bytes\) of main, declared at .* \[bounds\] */
    for (int i = 0; i < n; i++) a[i] = i;
    sink = a[0] + before[0] + after[0];
#elif CASE == 2 /* the same with a static array: writes 4 bytes .* just behind the end of the variable g1 \(int \[4\], 16 bytes\), .*\[bounds\] */
    for (int i = 0; i < n; i++) g1[i] = i;
    sink = g2[0];
#elif CASE == 3 /* through a parameter: in sum|reads 4 bytes .* just behind the end of the variable a .*\[bounds\] */
    sink = sum(a, n) + sum(before, 4) + sum(after, 4);
#elif CASE == 4 /* by the library: memcpy: reads 20 bytes .* begin 16 bytes before the end of the variable before .*\[bounds\] */
    memcpy(a, before, n * sizeof(int)); sink = a[1] + after[1];
#elif CASE == 5 /* a string: strcpy: writes 5 bytes .* begin 4 bytes before the end of the variable s .*\[bounds\] */
    char s[4]; strcpy(s, argc > 9 ? "x" : "abcd"); puts(s);
#elif CASE == 6 /* from one block into another: reads 4 bytes .* 32 bytes behind the end of a block of 16 bytes, allocated by malloc .*\[heap\] */
    int *p = malloc(16), *q = malloc(16); memset(p, 0, 16); memset(q, 0, 16); sink = p[12 * argc]; free(p); free(q);
#elif CASE == 7 /* a block of the heap: main at .* goes one way or the other by a value that was never set \[uninitialised\]\s+it comes from a block allocated by malloc in main */
    int *p = malloc(4 * sizeof(int)); p[0] = 1; if (p[2] > 0) puts("pos"); free(p);
#elif CASE == 8 /* an element given to printf: printf in main at .* uses a value that was never set \[uninitialised\]\s+it comes from the variable b */
    int b[4]; set(b); printf("%d\n", b[argc]);
#elif CASE == 9 /* an index: accesses memory at an index that was never set \[uninitialised\]\s+it comes from the variable idx */
    int idx[3]; set(idx); sink = a[idx[argc] & 3];
#elif CASE == 10 /* a text without its end: printf in main at .* uses .* never set */
    char *s = malloc(8); memcpy(s, "ab", 2); printf("%s\n", s); free(s);
#elif CASE == 11 /* a variable-length array: writes 4 bytes .* just behind the end of a variable-length array .*\[bounds\] */
    int v[n]; v[0] = 1; v[n] = 2; sink = v[0];
#elif CASE == 12 /* alloca: writes 4 bytes .* just behind the end of a variable-length array or block of alloca \(20 bytes\).*\[bounds\] */
    int *v = alloca(n * sizeof(int)); v[n] = 1; sink = v[n - 1 + argc];
#elif CASE == 13 /* an array of arrays: reads 4 bytes .* just behind the end of the variable m .*\[bounds\] */
    int m[3][3]; memset(m, 0, sizeof m); sink = m[2][2 + argc];
#elif CASE == 14 /* a compound literal: just behind the end of a compound literal .*\[bounds\] */
    int *p = (int[]){1, 2, 3}; sink = p[2 + argc];
#elif CASE == 15 /* bytes that go out: fwrite in main at .* uses .* never set .*\[uninitialised\] */
    char buf[8]; fwrite(buf, 1, 8, stdout);
#elif CASE == 16 /* a sum: goes one way or the other .*\[uninitialised\]\s+it comes from the variable d */
    double d[2]; d[0] = 1; if (d[0] + d[argc] > 0) puts("gt");
#elif CASE == 17 /* a static variable of a function: just behind the end of the variable st \(int \[4\], 16 bytes\).*\[bounds\] */
    static int st[4]; int *p = st; sink = p[3 + argc];
#elif CASE == 18 /* memory that realloc has added: goes one way or the other .*\[uninitialised\] */
    int *p = calloc(2, 4); p = realloc(p, 16); if (p[argc]) puts("zero"); if (p[2 + argc]) puts("no"); free(p);
#elif CASE == 19 /* a pointer kept in memory: just behind the end of the variable a .*\[bounds\] */
    struct K { int *p; } k = {a}, *volatile where = &k; sink = where->p[n - 1]; sink += before[0] + after[0];
#elif CASE == 20 /* a copy of what is half set: goes one way or the other .*\[uninitialised\]\s+it comes from the variable z */
    struct P x, y; x.a = 1; x.b = 2; struct P *volatile to = &y; struct P z[2]; struct P *from = z; from[0] = x; *to = from[argc]; if (to->b == 3) puts("bad"); struct P *volatile keep = &x; sink = keep->a;
#elif CASE == 21 /* padding is copied in silence:  */
    struct Q { char c; double d; } x, y; x.c = 1; x.d = 2; struct Q *volatile from = &x, *volatile to = &y; *to = *from; fwrite(to, sizeof *to, 1, stdout); if (to->c == 1 && to->d == 2) puts("fine");
#elif CASE == 22 /* one past the end may be pointed to:  */
    int *end = a + 4; for (int *p = a; p != end; p++) *p = 1; for (int *p = end; p-- != a;) sink = *p; sink += before[0] + after[0];
#elif CASE == 23 /* members of a structure may be gone through:  */
    struct P p[3]; int *all = &p[0].a; for (int i = 0; i < 6; i++) all[i] = i; sink = sum(all, 6);
#elif CASE == 24 /* a member leads back to its structure:  */
    struct P p = {1, 2}; int *b = &p.b; struct P *back = (struct P *)((char *)b - offsetof(struct P, b)); sink = back->a;
#elif CASE == 25 /* pointers into a block that has moved are mended by the distance:  */
    int *old = malloc(16), *in = old + 2; old[2] = 7; char *was = (char *)old; int *now = realloc(old, 160); in = (int *)((char *)in + ((char *)now - was)); printf("%d\n", *in); free(now);
#elif CASE == 26 /* lists whose links are exclusive sums:  */
    size_t x = (size_t)a, y = (size_t)before, link = x ^ y; int *p = (int *)(link ^ x); *p = 4; sink = *p + before[0] + after[0];
#elif CASE == 27 /* bit-fields beside others that were never set:  */
    struct B { unsigned lo : 4, hi : 4; } b; struct B *volatile p = &b; p->lo = 3; if (p->lo == 3) puts("fine");
#elif CASE == 28 /* a condition that makes up for it:  */
    int *p = malloc(8); p[0] = argc; if (p[0] > 5 && p[1] > 3) puts("no"); int both = (p[0] > 5) & (p[1] > 3); if (both) puts("no"); free(p);
#endif
    /* clang-format on */
    (void)sink;
    return before[3] + a[3] * 0 + after[3];
}
