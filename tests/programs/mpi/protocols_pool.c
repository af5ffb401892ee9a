/* protocols.c, limited by a pool of the receiver. */
#include "protocols.c"
