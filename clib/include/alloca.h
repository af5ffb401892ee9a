/* alloca.h - memory of the calling function */
#ifndef _ALLOCA_H
#define _ALLOCA_H

typedef unsigned long size_t;
#undef alloca
#define alloca(size) __builtin_alloca(size)

#endif
