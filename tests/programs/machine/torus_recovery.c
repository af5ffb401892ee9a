/* Deadlocks on the machine that is made for them: the program of deadlock_resolved.c on 25 ranks, and its exact time. */
#include "deadlock_resolved.c"
