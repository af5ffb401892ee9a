/* sys/param.h - BSD */
#ifndef _SYS_PARAM_H
#define _SYS_PARAM_H

#include <limits.h>
#include <sys/types.h>

#define MAXPATHLEN     PATH_MAX
#define MAXHOSTNAMELEN HOST_NAME_MAX
#define NBBY           CHAR_BIT
#define MIN(a, b)      ((a) < (b) ? (a) : (b))
#define MAX(a, b)      ((a) > (b) ? (a) : (b))
#define howmany(x, y)  (((x) + ((y)-1)) / (y))
#define roundup(x, y)  (howmany(x, y) * (y))

#endif
