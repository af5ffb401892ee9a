/* sys/param.h - BSD */
#ifndef _SYS_PARAM_H
#define _SYS_PARAM_H

#include <endian.h>
#include <limits.h>
#include <signal.h>
#include <sys/types.h>

#define MAXPATHLEN     PATH_MAX
#define MAXHOSTNAMELEN HOST_NAME_MAX
#define MAXSYMLINKS    20
#define NGROUPS        NGROUPS_MAX
#define NOFILE         256
#define NBBY           CHAR_BIT
#define NODEV          ((dev_t)-1)
#define DEV_BSIZE      512
#define HZ             100
#define MIN(a, b)      ((a) < (b) ? (a) : (b))
#define MAX(a, b)      ((a) > (b) ? (a) : (b))
#define howmany(x, y)  (((x) + ((y)-1)) / (y))
#define roundup(x, y)  (howmany(x, y) * (y))
#define powerof2(x)    ((((x)-1) & (x)) == 0)
#define setbit(a, i)   ((a)[(i) / NBBY] |= 1 << (i) % NBBY)
#define clrbit(a, i)   ((a)[(i) / NBBY] &= ~(1 << (i) % NBBY))
#define isset(a, i)    ((a)[(i) / NBBY] & (1 << (i) % NBBY))
#define isclr(a, i)    (((a)[(i) / NBBY] & (1 << (i) % NBBY)) == 0)

#endif
