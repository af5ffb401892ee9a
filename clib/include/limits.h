/* limits.h - C11 5.2.4.2.1 (LP64), and POSIX limits */
#ifndef _LIMITS_H
#define _LIMITS_H

#include <orrery_features.h>

#define CHAR_BIT   8
#define SCHAR_MIN  (-128)
#define SCHAR_MAX  127
#define UCHAR_MAX  255
#define CHAR_MIN   (-128)
#define CHAR_MAX   127
#define MB_LEN_MAX 16
#define SHRT_MIN   (-32768)
#define SHRT_MAX   32767
#define USHRT_MAX  65535
#define INT_MIN    (-2147483647 - 1)
#define INT_MAX    2147483647
#define UINT_MAX   4294967295U
#define LONG_MIN   (-9223372036854775807L - 1L)
#define LONG_MAX   9223372036854775807L
#define ULONG_MAX  18446744073709551615UL
#define LLONG_MIN  (-9223372036854775807LL - 1LL)
#define LLONG_MAX  9223372036854775807LL
#define ULLONG_MAX 18446744073709551615ULL
#ifdef __ORRERY_POSIX
#define LONG_BIT   64
#define WORD_BIT   32
#define SSIZE_MAX  LONG_MAX
#define NAME_MAX   255
#define PATH_MAX   4096
#define PIPE_BUF   4096
#define LINE_MAX   2048
#define IOV_MAX    1024
#define NGROUPS_MAX         65536
#define ARG_MAX             131072
#define SYMLINK_MAX         255
#define HOST_NAME_MAX       64
#define LOGIN_NAME_MAX      256
#define TTY_NAME_MAX        32
#define RE_DUP_MAX          32767
#define NZERO               20
#define PTHREAD_KEYS_MAX    1024
#define PTHREAD_STACK_MIN   16384
#define PTHREAD_DESTRUCTOR_ITERATIONS 4
#define SEM_VALUE_MAX       2147483647
#define SEM_NSEMS_MAX       256
#define _POSIX_THREAD_DESTRUCTOR_ITERATIONS 4
#define _POSIX_THREAD_KEYS_MAX    128
#define _POSIX_THREAD_THREADS_MAX 64
#define _POSIX_SEM_NSEMS_MAX      256
#define _POSIX_SEM_VALUE_MAX      32767
#define _POSIX_ARG_MAX       4096
#define _POSIX_OPEN_MAX      20
#define _POSIX_NAME_MAX      14
#define _POSIX_PIPE_BUF      512
#define _POSIX_SSIZE_MAX     32767
#define _POSIX_PATH_MAX      256
#define _POSIX_LOGIN_NAME_MAX 9
#define _POSIX_HOST_NAME_MAX 255
#endif
#ifdef __ORRERY_MISC
#define LONG_LONG_MIN  LLONG_MIN
#define LONG_LONG_MAX  LLONG_MAX
#define ULONG_LONG_MAX ULLONG_MAX
#endif

#endif
