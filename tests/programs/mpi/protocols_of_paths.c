/* protocols.c, by another protocol on each path. */
#include "protocols.c"
