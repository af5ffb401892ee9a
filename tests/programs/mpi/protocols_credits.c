/* protocols.c, limited by credits. */
#include "protocols.c"
