/* Ends of functions that promise a value; signs of pointers; pragmas nobody knows. */
/* options: -Wall */
#pragma nobody
int f(int n) { if (n) return 1; }
int g(int n) { for (;;) if (n--) return n; }
int h(unsigned char *p) { char *q = p; return *q; }
