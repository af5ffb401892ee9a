/* Uses of variables without a value: certain, in the first pass of a loop, whenever a condition turns out one way. */
/* options: -Wall */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int d1(void) { int x; return x; }
int d2(int c) { int x; if (c) x = 1; return x; }
int d3(int n) { int sum; for (int i = 0; i < n; i++) sum += i; return sum; }
int d4(int n) { int x; while (n-- > 0) x = n; return x; }
int d5(int n) { int x; switch (n) { case 1: x = 2; break; case 2: x = 3; break; } return x; }
int d6(void) { int *p; *p = 3; return 0; }
int d7(void) { int a[3]; return a[1]; }
int d8(void) { struct { int a, b; } s; return s.b; }
int d9(int c) { char *buf; int err = -1; if (c) goto out; buf = malloc(3); err = 0; out: free(buf); return err; }
int e1(int c) { int x; if (c && (x = 3) > 2) return 0; return x; }
int e2(void) { int n; printf("%d\n", n); scanf("%d", &n); return n; }
int e3(int c) { int x; int y = c ? 3 : x; return y; }
int e4(int n) { int max; for (int i = 0; i < n; i++) if (i > max) max = i; return max; }
/* nothing to say of these */
int g1(int c) { int x; if (c) x = 1; else x = 2; return x; }
int g2(int c) { int x; if (!c) return 0; else x = 3; return x; }
int g3(void) { int x, i; for (i = 0; i < 10; i++) x = i; return x; }
int g4(int c) { int x; if (c) x = 1; if (c) return x; return 0; }
int g5(void) { int x; if (scanf("%d", &x) == 1) return x; return 0; }
int g6(int c) { int x, set = 0; while (c--) { if (set) printf("%d", x); x = c; set = 1; } return 0; }
int g7(int c) { int x; switch (c) { case 1: x = 1; break; default: x = 2; } return x; }
enum e { A, B }; int g8(enum e e) { int x; switch (e) { case A: x = 1; break; case B: x = 2; break; } return x; }
int g9(int c) { int x; do { x = c; if (x > 3) break; } while (x-- > 1); return x; }
int h1(int c) { int x; for (;;) { if (c++ > 3) { x = 1; break; } } return x; }
int h2(int c) { int a[4]; for (int i = 0; i < 4; i++) a[i] = i; return a[c]; }
int h3(int c) { struct { int a; } s; s.a = c; return s.a; }
int h4(int c) { int x; if (c < 0) abort(); else x = 3; return x; }
int h5(int c) { int x = x; return x + c; }
int h6(int c) { int x; again: x = c; if (x > 3) { c--; goto again; } return x; }
int h7(int c, char *q) { char *p; if (c && (p = strchr(q, 'a')) != NULL) return *p; return 0; }
int h8(int c, char *q) { char *p; if (!c || (p = strchr(q, 'a')) == NULL) return 0; return *p; }
int h9(int c) { int x; (void)x; int r; if (c) r = 1; else { r = 2; } return r; }
int i1(int n) { int first = 1, prev; for (int i = 0; i < n; i++) { if (!first && prev > i) return 1; prev = i; first = 0; } return 0; }
int i2(int n) { int x; for (int i = 0; i < n; i++) { switch (i) { case 0: x = 1; break; default: x = x + 1; } } return 0; }
int i3(int n) { char buf[10]; fgets(buf, 10, stdin); return buf[n]; }
int i4(int n) { int k; for (k = 0; k < n; k++) ; return k; }
int i5(int n) { int err; int v; err = n; if (err) goto fail; v = 2; printf("%d", v); fail: return err; }
int j1(int c, int d) { int x; if (c) x = 1; if (d) return 0; return x; }
