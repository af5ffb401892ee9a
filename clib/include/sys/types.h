/* sys/types.h - POSIX */
#ifndef _SYS_TYPES_H
#define _SYS_TYPES_H

#include <orrery_features.h>

typedef unsigned long size_t;
typedef long ssize_t;
typedef long off_t;
typedef long time_t;
typedef long clock_t;
typedef int clockid_t;
typedef void *timer_t;
typedef int pid_t;
typedef unsigned uid_t;
typedef unsigned gid_t;
typedef unsigned id_t;
typedef unsigned mode_t;
typedef unsigned long nlink_t;
typedef unsigned long dev_t;
typedef unsigned long ino_t;
typedef long blksize_t;
typedef long blkcnt_t;
typedef unsigned long fsblkcnt_t;
typedef unsigned long fsfilcnt_t;
typedef unsigned useconds_t;
typedef long suseconds_t;
typedef int key_t;
#ifdef __ORRERY_MISC
typedef unsigned char u_char;
typedef unsigned short u_short, ushort;
typedef unsigned u_int, uint;
typedef unsigned long u_long, ulong;
typedef long quad_t;
typedef unsigned long u_quad_t;
typedef char *caddr_t;
typedef int daddr_t;
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long int64_t;
typedef unsigned char u_int8_t;
typedef unsigned short u_int16_t;
typedef unsigned u_int32_t;
typedef unsigned long u_int64_t;
typedef long register_t;
#include <sys/select.h>

#endif
#ifdef _LARGEFILE64_SOURCE
typedef long off64_t;
typedef unsigned long ino64_t;
#endif
#ifdef __ORRERY_GNU
typedef long off64_t, loff_t;
#endif

#endif
