/* orrery_types.h - the names with underscores that glibc's headers build on, and that programs use as well */
#ifndef _ORRERY_TYPES_H
#define _ORRERY_TYPES_H

typedef unsigned char __u_char;
typedef unsigned short __u_short;
typedef unsigned __u_int;
typedef unsigned long __u_long;
typedef signed char __int8_t, __int_least8_t;
typedef unsigned char __uint8_t, __uint_least8_t;
typedef short __int16_t, __int_least16_t;
typedef unsigned short __uint16_t, __uint_least16_t;
typedef int __int32_t, __int_least32_t;
typedef unsigned __uint32_t, __uint_least32_t;
typedef long __int64_t, __int_least64_t;
typedef unsigned long __uint64_t, __uint_least64_t;
typedef long __quad_t, __intmax_t;
typedef unsigned long __u_quad_t, __uintmax_t;
typedef unsigned long __dev_t, __ino_t, __ino64_t, __nlink_t;
typedef unsigned __uid_t, __gid_t, __mode_t, __id_t, __useconds_t, __socklen_t;
typedef int __pid_t, __daddr_t, __key_t, __clockid_t, __sig_atomic_t;
typedef long __off_t, __off64_t, __loff_t, __clock_t, __time_t, __suseconds_t, __suseconds64_t;
typedef long __blksize_t, __blkcnt_t, __blkcnt64_t, __ssize_t, __intptr_t, __fsword_t, __syscall_slong_t;
typedef unsigned long __rlim_t, __rlim64_t, __syscall_ulong_t;
typedef unsigned long __fsblkcnt_t, __fsblkcnt64_t, __fsfilcnt_t, __fsfilcnt64_t;
typedef void *__timer_t;
typedef char *__caddr_t;
typedef struct {
    int __val[2];
} __fsid_t;

#endif
