/* orrery_features.h - which names beyond ISO C the other headers declare */
#ifndef _ORRERY_FEATURES_H
#define _ORRERY_FEATURES_H

#if !defined __STRICT_ANSI__ || defined _POSIX_SOURCE || defined _POSIX_C_SOURCE || defined _XOPEN_SOURCE ||          \
    defined _DEFAULT_SOURCE || defined _BSD_SOURCE || defined _SVID_SOURCE || defined _GNU_SOURCE
#define __ORRERY_POSIX 1
#endif
#ifdef _GNU_SOURCE
#define __ORRERY_GNU 1
#endif

#endif
