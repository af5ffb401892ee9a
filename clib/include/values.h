/* values.h - old names of limits */
#ifndef _VALUES_H
#define _VALUES_H

#include <limits.h>
#include <float.h>

#define BITSPERBYTE CHAR_BIT
#define MAXSHORT    SHRT_MAX
#define MINSHORT    SHRT_MIN
#define MAXINT      INT_MAX
#define MININT      INT_MIN
#define MAXLONG     LONG_MAX
#define MINLONG     LONG_MIN
#define MAXDOUBLE   DBL_MAX
#define MINDOUBLE   DBL_MIN
#define MAXFLOAT    FLT_MAX
#define MINFLOAT    FLT_MIN

#endif
