/* stddef.h - C11 7.19 */
#ifndef _STDDEF_H
#define _STDDEF_H

typedef long ptrdiff_t;
typedef unsigned long size_t;
typedef int wchar_t;
#if __STDC_VERSION__ >= 201112L
typedef struct {
    _Alignas(16) long long orrery_integer;
    _Alignas(16) long double orrery_real;
} max_align_t;
#endif

#undef NULL
#define NULL ((void *)0)
#define offsetof(type, member) __builtin_offsetof(type, member)

#endif
