/* sys/cdefs.h - macros of old headers */
#include <features.h>
