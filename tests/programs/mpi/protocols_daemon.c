/* protocols.c, by daemons, whose limits are below the longest messages. */
#include "protocols.c"
