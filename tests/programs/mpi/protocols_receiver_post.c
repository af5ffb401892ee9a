/* protocols.c, by receiver-post. */
#include "protocols.c"
