/* Arrays, sizes, library calls, returned addresses, layout, switches, recursion, order of evaluation. */
/* options: -Wall -Wextra -Wimplicit-fallthrough -Wswitch-default -Wno-unused */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>
enum e { RED, GREEN, BLUE };
struct node { int v; struct node *next; double w[3]; };
struct tail { int n; char d[1]; };
int *ret1(void) { int x = 1; return &x; }
char *ret2(int p) { char b[4]; b[0] = p; return b; }
int rec(int n) { return n * rec(n - 1); }
int rec2(int n) { if (n == 0) return 1; return n * rec2(n - 1); }
size_t arr(int a[10]) { return sizeof(a) + sizeof a / sizeof a[0]; }
int sw(enum e e) { switch (e) { case RED: return 1; case GREEN: return 2; } return 0; }
int sw2(int n) { switch (n) { case 1: n++; case 2: n--; __attribute__((fallthrough)); case 3: break; } return n; }
int f(int n, char *s, struct tail *t, double d, unsigned u, long l)
{
    int a[5], m[2][3];
    char buf[5], *p, *q = s;
    struct node *nd = malloc(sizeof(struct node *)), *ok = malloc(sizeof *ok);
    int *v = malloc(n * sizeof(int *));
    a[5] = 1; a[-1] = 2; a[4] = 3; m[1][3] = 1;
    for (int i = 0; i <= 5; i++) a[i] = i;
    for (int i = 0; i < 5; i++) a[i + 1] = i;
    for (int i = 0; i < 10; i++) if (i < 5) a[i] = i;
    for (int i = 0; i < 5; i++) a[i] = i;
    t->d[3] = 2;
    strcpy(buf, "hello");
    strcpy(buf, "hell");
    sprintf(buf, "%d%s", n, "abcd");
    memset(buf, 0, 10);
    memset(buf, 10, 0);
    memset(nd, 0, sizeof(nd));
    memset(nd, 0, sizeof(*nd));
    fgets(buf, 10, stdin);
    strlen(NULL);
    free(buf);
    n = abs(d); n = abs(u); n = abs(l);
    n = n++;
    n = n++ + n;
    a[n] = n++;
    p = q++, q = p;
    if (n);
    n = 1;
    while (n);
    { n--; }
    if (n)
        n = 2;
        n = 3;
    for (n = 0; n < 3; n++)
        n++;
    n = 4;
    if (n) if (u) n = 1; else n = 2;
    struct { int a, b, c; } st = {1, 2}, st2 = {0}, st3 = {.a = 1}, st4 = {.a = 1, .a = 2};
    return n + *v + ok->v + st.a + st2.a + st3.a + st4.a;
}
int no_way_on(int n)
{
    switch (n) { /* no case goes on into the next */
    case 0: return 1; ;
    case 1: do { return 2; } while (0);
    case 2: { return 1; n++; }
    case 3: switch (n) { case 0: return 1; default: return 3; }
    case 4: for (;;) { return 1; break; }
    default: return 0;
    }
}
int ways_on(int n)
{
    switch (n) { /* both do */
    case 0: switch (n) { default: break; }
    case 1: while (1) { if (n) break; }
    default: return 0;
    }
}
