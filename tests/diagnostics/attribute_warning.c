/* Attribute warning: told once, where what the unit shows to others can reach it. */
/* options:  */
int used(int) __attribute__((warning("this is " "slow")));
int elsewhere(void) __attribute__((__warning__("not here")));
int twice(void) __attribute__((warning("no warning: only an unused helper calls it")));
static inline int helper(void) { return twice(); }
static int inner(void) { return elsewhere(); }
int (*table[])(int) = {used};
int main(void) { return used(1) + inner() + elsewhere(); }
