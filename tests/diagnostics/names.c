/* Names that nothing uses, that hide others, that should not be used; dropped values. */
/* options: -Wall -Wextra -Wshadow */
#include <stdio.h>
#include <stdlib.h>
#include <assert.h>
static int unused_f(void) { return 1; }
static int unused_v;
static const char version[] = "x";
int g;
int must(void) __attribute__((warn_unused_result));
int old(void) __attribute__((deprecated("use new")));
int f(int a, int b __attribute__((unused)), int *p, int q)
{
    int x, y = 3, z;
    typedef int T;
    static int s;
    struct { int m; } st;
    int arr[3];
    z = 4;
    z += 2;
    q = 3;
    st.m = 1;
    arr[0] = 2;
    int *unused_ptr = malloc(3);
    a == 3;
    a + 1;
    *p++;
    must();
    (void)must();
    old();
    label:
    if (a) { int a = 3; int g = a; g++; }
    for (int i = 0; i < 3; i + 1) ;
    a, f(1, 2, 0, 0);
    assert(a > 3);
    int r = ({ int t = a; t + 1; });
    a ? f(0,0,0,0) : 0;
    a && f(0,0,0,0);
    return r;
}
inline static int fine(void) { return 1; }
static int also_fine __attribute__((unused));
int h(int n) { volatile int v; v = n; int w[n]; w[0] = 1; for (;;) { if (n--) break; } return w[0]; }
int k(int) __attribute__((warn_unused_result));
