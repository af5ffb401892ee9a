/* Ends of functions that promise a value; signs of pointers; pragmas nobody knows. */
/* options: -Wall */
#pragma nobody
int f(int n) { if (n) return 1; }
int g(int n) { for (;;) if (n--) return n; }
int h(unsigned char *p) { char *q = p; return *q; }
#include <assert.h>
#include <mpi.h>
#include <stdlib.h>
enum colour { RED, GREEN, BLUE };
_Noreturn void stop(int);
/* Nothing may be said of these. */
int break_behind_return(int n) { switch (n) { case 0: return 1; break; default: return 2; break; } }
int break_behind_goto(int n) { switch (n) { case 0: goto out; break; default: return 2; } out: return 0; }
int break_behind_exit(int n) { for (;;) { exit(n); break; } }
int break_in_dead_block(int n) { while (1) { return n; if (n) break; } }
int once(int n) { do { return n; } while (0); }
int constant_if(int n) { if (1) return n; else stop(n); }
int constant_for(int n) { for (; !0;) if (n--) return n; }
int all_colours(enum colour c) { switch (c) { case RED: return 1; case GREEN: return 2; case BLUE: return 3; } }
int asserted(int n) { if (n) return 1; assert(!"never"); }
int in_an_expression(int n) { n ? stop(1) : exit(2); }
int in_a_comma(int n) { n++, stop(n); }
int in_an_argument(int n) { return n; labs((abort(), 1L)); }
int unreachable(int n) { switch (n) { case 0: return 1; default: __builtin_unreachable(); } }
int by_initialiser(void) { int x = (stop(1), 1); (void)x; }
int by_statement_expression(int n) { ({ return n; }); }
int jumps_back(int n) { again: if (n--) goto again; return 1; }
int aborted(int n) { if (n) return 1; MPI_Abort(MPI_COMM_WORLD, 1); }
/* And these can come to their ends. */
int break_reached(int n) { switch (n) { case 0: if (n) return 1; break; default: return 2; } }
int goto_end(int n) { if (n) goto end; return 1; end:; }
int continues(int n) { do { if (n) continue; return 1; } while (0); }
int no_default(int n) { switch (n) { case 0: return 1; case 1: return 2; } }
int two_colours(enum colour c) { switch (c) { case RED: return 1; default: break; case GREEN: return 2; } }
int breaks_from_expression(int n) { for (;;) ({ if (n) break; }); }
int into_dead_loop(int n) { goto in; for (;;) { return 1; in: if (n) break; } }
