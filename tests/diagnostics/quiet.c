/* Nothing at all with -w. */
/* options: -w */
int f(void) { int x; return x; }
int g(void) { undeclared(); return 1 / 0; }
