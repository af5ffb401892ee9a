/* sys/select.h - POSIX */
#ifndef _SYS_SELECT_H
#define _SYS_SELECT_H

#include <orrery_time.h>

#define FD_SETSIZE 1024
typedef struct {
    unsigned long fds_bits[FD_SETSIZE / 64];
} fd_set;
typedef long fd_mask;
typedef unsigned long sigset_t;
#define NFDBITS 64

#define FD_ZERO(set)              ((void)(*(set) = (fd_set){{0}}))
#define FD_SET(descriptor, set)   ((void)((set)->fds_bits[(descriptor) / 64] |= 1UL << (descriptor) % 64))
#define FD_CLR(descriptor, set)   ((void)((set)->fds_bits[(descriptor) / 64] &= ~(1UL << (descriptor) % 64)))
#define FD_ISSET(descriptor, set) (((set)->fds_bits[(descriptor) / 64] & 1UL << (descriptor) % 64) != 0)

int select(int count, fd_set *readable, fd_set *writable, fd_set *exceptional, struct timeval *timeout);
int pselect(int count, fd_set *readable, fd_set *writable, fd_set *exceptional, const struct timespec *timeout,
            const sigset_t *mask);

#endif
