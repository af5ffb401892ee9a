/* What may be uninitialised, on demand only. */
/* options: -Wmaybe-uninitialized -Winit-self */
int f(int c, int d) { int x; if (c) x = 1; if (d) return 0; return x; }
int g(void) { int x = x; return x; }
