/* orrery_features.h - which names beyond ISO C the other headers declare, by the macros that programs define for the purpose
 *
 *   __ORRERY_POSIX  POSIX         __ORRERY_XOPEN  X/Open as well
 *   __ORRERY_MISC   what BSD and System V had besides: the default, unless a standard is asked for by name
 *   __ORRERY_GNU    GNU's own
 */
#ifndef _ORRERY_FEATURES_H
#define _ORRERY_FEATURES_H

#include <orrery_types.h>

#ifdef _GNU_SOURCE
#define __ORRERY_GNU 1
#endif
#if defined _DEFAULT_SOURCE || defined _BSD_SOURCE || defined _SVID_SOURCE || defined _GNU_SOURCE ||                  \
    !(defined __STRICT_ANSI__ || defined _ISOC99_SOURCE || defined _ISOC11_SOURCE || defined _POSIX_SOURCE ||         \
      defined _POSIX_C_SOURCE || defined _XOPEN_SOURCE)
#define __ORRERY_MISC 1
#endif
#if defined _XOPEN_SOURCE || defined _GNU_SOURCE
#define __ORRERY_XOPEN 1
#endif
#if !defined __STRICT_ANSI__ || defined __ORRERY_MISC || defined __ORRERY_XOPEN || defined _POSIX_SOURCE ||           \
    defined _POSIX_C_SOURCE
#define __ORRERY_POSIX 1
#endif

#endif
