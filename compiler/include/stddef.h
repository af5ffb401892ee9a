/* stddef.h - C11 7.19 */
#ifndef _STDDEF_H
#define _STDDEF_H

typedef long ptrdiff_t;
typedef unsigned long size_t;
typedef int wchar_t;
typedef union {
    long long orrery_integer;
    long double orrery_real;
    void *orrery_pointer;
} max_align_t;

#undef NULL
#define NULL ((void *)0)
#define offsetof(type, member) __builtin_offsetof(type, member)

#endif
