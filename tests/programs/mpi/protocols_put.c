/* protocols.c, by remote writes, with few regions of memory. */
#include "protocols.c"
