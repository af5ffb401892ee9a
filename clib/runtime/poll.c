/* poll.c - waiting for files (POSIX poll, select): files are always ready, pipes and the like when they are. */
#define _GNU_SOURCE
#include "thread.h"
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/select.h>
#include <time.h>
#include <unistd.h>

/* The events that a descriptor is ready for; PIPE: it may become ready for others. */
enum { PIPE = 1 << 16 };
int __orrery_poll_ready(int descriptor);
/* Waits until one is ready: 1, or 0 when the time is up, -1: EINTR. */
int __orrery_poll_wait(struct pollfd *files, nfds_t count, unsigned long ns);

#define FOREVER (~0UL)

static int fail(int number)
{
    errno = number;
    return -1;
}

/* Waiting for nothing without a timeout would last forever. */
static int hang(void)
{
    fflush(stdout);
    static const char message[] = "select or poll: waits for nothing, forever\n";
    write(STDERR_FILENO, message, sizeof message - 1);
    abort();
}

static int wait_for(unsigned long ns)
{
    struct timespec time = {(long)(ns / 1000000000), (long)(ns % 1000000000)};
    return nanosleep(&time, 0);
}

/* Sets `revents`. Returns how many are ready; *pipes: one can become ready. */
static int look(struct pollfd *files, nfds_t count, int *pipes)
{
    int ready = 0;
    *pipes = 0;
    for (nfds_t i = 0; i < count; i++) {
        files[i].revents = 0;
        if (files[i].fd < 0)
            continue;
        int events = __orrery_poll_ready(files[i].fd);
        *pipes |= events & PIPE;
        files[i].revents = (short)(events & (files[i].events | POLLERR | POLLHUP | POLLNVAL));
        ready += files[i].revents != 0;
    }
    return ready;
}

static int wait_until(struct pollfd *files, nfds_t count, unsigned long ns)
{
    int pipes, ready = look(files, count, &pipes);
    if (ready || ns == 0)
        return ready;
    if (!pipes)
        return ns == FOREVER ? hang() : wait_for(ns);
    int came = __orrery_poll_wait(files, count, ns);
    return came > 0 ? look(files, count, &pipes) : came;
}

int poll(struct pollfd *files, nfds_t count, int milliseconds)
{
    if (count > FD_SETSIZE)
        return fail(EINVAL);
    return wait_until(files, count, milliseconds < 0 ? FOREVER : (unsigned long)milliseconds * 1000000);
}

static int is_time(const struct timespec *timeout)
{
    return !timeout || (timeout->tv_sec >= 0 && timeout->tv_nsec >= 0 && timeout->tv_nsec <= 999999999);
}

static unsigned long in_ns(const struct timespec *timeout)
{
    if (!timeout || timeout->tv_sec > 1000000000)
        return FOREVER;
    return (unsigned long)timeout->tv_sec * 1000000000 + (unsigned long)timeout->tv_nsec;
}

int ppoll(struct pollfd *files, nfds_t count, const struct timespec *timeout, const sigset_t *mask)
{
    sigset_t before;
    if (count > FD_SETSIZE || !is_time(timeout))
        return fail(EINVAL);
    if (mask)
        pthread_sigmask(SIG_SETMASK, mask, &before);
    int ready = wait_until(files, count, in_ns(timeout)), error = errno;
    if (mask)
        pthread_sigmask(SIG_SETMASK, &before, 0);
    errno = error;
    return ready;
}

/* -- sets -------------------------------------------------------------------------------------- */

static int is_in(int descriptor, const fd_set *set)
{
    return set && FD_ISSET(descriptor, set);
}

/* Lists the descriptors of the sets. Returns how many; -1: EBADF. */
static int list(int count, struct pollfd *files, const fd_set *sets[3])
{
    int n = 0;
    for (int i = 0; i < count; i++) {
        short events = 0;
        events |= is_in(i, sets[0]) ? POLLIN : 0;
        events |= is_in(i, sets[1]) ? POLLOUT : 0;
        events |= is_in(i, sets[2]) ? POLLPRI : 0;
        if (!events)
            continue;
        if (__orrery_poll_ready(i) & POLLNVAL)
            return fail(EBADF);
        files[n].fd = i;
        files[n++].events = events;
    }
    return n;
}

/* Leaves in the set what is ready for one of the events. Returns how many. */
static int keep(fd_set *set, const struct pollfd *files, int n, int asked, int events)
{
    int ready = 0;
    for (int i = 0; set && i < n; i++) {
        if (!(files[i].events & asked) || !FD_ISSET(files[i].fd, set))
            continue;
        if (files[i].revents & events)
            ready++;
        else
            FD_CLR(files[i].fd, set);
    }
    return ready;
}

static int select_until(int count, fd_set *readable, fd_set *writable, fd_set *exceptional, unsigned long ns)
{
    struct pollfd files[FD_SETSIZE];
    int n = list(count, files, (const fd_set *[3]){readable, writable, exceptional});
    if (n < 0 || wait_until(files, (nfds_t)n, ns) < 0)
        return -1;
    int ready = keep(readable, files, n, POLLIN, POLLIN | POLLHUP | POLLERR);
    ready += keep(writable, files, n, POLLOUT, POLLOUT | POLLERR);
    return ready + keep(exceptional, files, n, POLLPRI, POLLPRI);
}

static int is_count(int count)
{
    return count >= 0 && count <= FD_SETSIZE;
}

int select(int count, fd_set *readable, fd_set *writable, fd_set *exceptional, struct timeval *timeout)
{
    if (!is_count(count) || (timeout && (timeout->tv_sec < 0 || timeout->tv_usec < 0)))
        return fail(EINVAL);
    struct timespec time = {0, 0};
    if (timeout) {
        time.tv_sec = timeout->tv_sec + timeout->tv_usec / 1000000;
        time.tv_nsec = timeout->tv_usec % 1000000 * 1000;
    }
    int ready = select_until(count, readable, writable, exceptional, in_ns(timeout ? &time : 0));
    if (timeout && ready == 0)
        timeout->tv_sec = timeout->tv_usec = 0;
    return ready;
}

int pselect(int count, fd_set *readable, fd_set *writable, fd_set *exceptional, const struct timespec *timeout,
            const sigset_t *mask)
{
    sigset_t before;
    if (!is_count(count) || !is_time(timeout))
        return fail(EINVAL);
    if (mask)
        pthread_sigmask(SIG_SETMASK, mask, &before);
    int ready = select_until(count, readable, writable, exceptional, in_ns(timeout)), error = errno;
    if (mask)
        pthread_sigmask(SIG_SETMASK, &before, 0);
    errno = error;
    return ready;
}
