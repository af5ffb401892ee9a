/* sys/syscall.h - numbers for syscall(), a call of which ends the run */
#ifndef _SYS_SYSCALL_H
#define _SYS_SYSCALL_H

#define SYS_getpid 39
#define SYS_gettid 186
#define __NR_gettid SYS_gettid

#endif
