#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <alloca.h>
#include <setjmp.h>
struct S { int n; int a[4]; struct { char c; double d; } in[3]; unsigned f : 3, g : 7, h; };
union U { int i; float f; char c[8]; };
static int table[3][5];
static const char *names[] = {"a", "bb", "ccc"};
static jmp_buf env;
static int sum(int *p, int n) { int s = 0; for (int i = 0; i < n; i++) s += p[i]; return s; }
static void fill(int *p, int n) { for (int i = 0; i < n; i++) p[i] = i; }
static int rec(int n) { int local[4] = {n, n, n, n}; if (n == 0) return sum(local, 4); return rec(n - 1) + sum(local, 4); }
static int va(int n, ...) { __builtin_va_list l; __builtin_va_start(l, n); int s = 0; while (n--) s += __builtin_va_arg(l, int); __builtin_va_end(l); return s; }
static void jump(int n) { int here[8]; fill(here, 8); if (n == 0) longjmp(env, 1); jump(n - 1); }
int main(int argc, char **argv)
{
    struct S s = {.n = 4}, t;
    fill(s.a, 4);
    s.f = 5; s.g = 100;
    memcpy(&t, &s, sizeof s);
    t = s;
    t.h = t.f + t.g;
    printf("%d %u %u\n", sum(t.a, 4), t.g, t.h);
    struct S part; part.n = 3; part.f = 2; part.a[1] = 7;
    struct S copy = part; if (copy.n == 3 && copy.f == 2 && copy.a[1] == 7) puts("part");
    for (int i = 0; i < 15; i++) ((int *)table)[i] = i;
    printf("%d\n", table[2][4]);
    union U u; u.f = 1.5f; printf("%x\n", u.i);
    int n = argc + 6; int vla[n][n]; for (int i = 0; i < n; i++) fill(vla[i], n);
    printf("%d\n", sum(&vla[0][0], n * n));
    int *al = alloca(n * sizeof *al); fill(al, n); printf("%d\n", sum(al, n));
    for (const char **p = names; p != names + 3; p++) printf("%s ", *p);
    puts("");
    printf("%d %d\n", rec(50), va(5, 1, 2, 3, 4, 5));
    if (setjmp(env) == 0) jump(10); else puts("back");
    int local[10]; int *end = local + 10; for (int *p = local; p != end; ++p) *p = 1;
    for (int *p = end; p-- != local;) *p += 1;
    printf("%d\n", sum(local, 10));
    for (int i = 1; i <= 10; i++) local[i - 1] += i;
    printf("%d\n", sum(local, 10));
    int *grow = NULL; int cap = 0; for (int i = 0; i < 100; i++) { if (i == cap) { cap = cap ? cap * 2 : 1; grow = realloc(grow, cap * sizeof *grow); } grow[i] = i; }
    printf("%d\n", sum(grow, 100)); free(grow);
    char *z = calloc(10, 3); printf("%d\n", z[29]); free(z);
    char buf[32]; snprintf(buf, sizeof buf, "%s-%d", "x", 3); strcat(buf, "yy"); printf("%s %zu\n", buf, strlen(buf));
    int x; if (sscanf("42", "%d", &x) == 1) printf("%d\n", x);
    long diff = (char *)&t.in[1] - (char *)&t; struct S *back = (struct S *)((char *)&t.in[1] - diff); printf("%d\n", back->n);
    int flags[2]; flags[0] = argc; int both = flags[0] && (argc > 5 ? flags[1] : 1); printf("%d\n", both);


    return 0;
}
