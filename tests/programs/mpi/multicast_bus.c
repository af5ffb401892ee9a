/* The same as multicast.c, on a cable that all share: one frame reaches all, after collisions with others. */
#include "multicast.c"
