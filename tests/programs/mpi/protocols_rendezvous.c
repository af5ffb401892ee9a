/* protocols.c, by rendezvous at every size. */
#include "protocols.c"
