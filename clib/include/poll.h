/* poll.h - POSIX; files are always ready, pipes and the like when they are */
#ifndef _POLL_H
#define _POLL_H

#include <orrery_features.h>
typedef unsigned long nfds_t;
struct pollfd {
    int fd;
    short events, revents;
};
#define POLLIN     1
#define POLLPRI    2
#define POLLOUT    4
#define POLLERR    8
#define POLLHUP    16
#define POLLNVAL   32
#define POLLRDNORM 64
#define POLLRDBAND 128
#define POLLWRNORM 256
#define POLLWRBAND 512

int poll(struct pollfd *files, nfds_t count, int milliseconds);
#ifdef __ORRERY_GNU
#include <sys/select.h>
int ppoll(struct pollfd *files, nfds_t count, const struct timespec *timeout, const sigset_t *mask);
#endif

#endif
