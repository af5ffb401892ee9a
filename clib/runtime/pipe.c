/* pipe.c - pipes, pairs of sockets and event counters between the threads of a process; the simulator has them
 * (vm/library/pipe.c). */
#define _GNU_SOURCE
#include "thread.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

int __orrery_pipe(int descriptors[2], int flags);
int __orrery_socketpair(int type, int descriptors[2]);
int __orrery_eventfd(unsigned events, int flags);

int pipe2(int descriptors[2], int flags)
{
    __orrery_thread_attend(); /* who writes where nobody reads gets a signal */
    return __orrery_pipe(descriptors, flags);
}

int pipe(int descriptors[2])
{
    return pipe2(descriptors, 0);
}

int socketpair(int domain, int type, int protocol, int sockets[2])
{
    __orrery_thread_attend();
    if (domain == AF_UNIX && (protocol == 0 || protocol == AF_UNIX))
        return __orrery_socketpair(type, sockets);
    errno = domain == AF_UNIX ? EPROTONOSUPPORT : EAFNOSUPPORT;
    return -1;
}

ssize_t recvfrom(int socket, void *block, size_t size, int flags, struct sockaddr *address, socklen_t *address_size)
{
    if (address && address_size)
        *address_size = 0; /* the other end has none */
    return recv(socket, block, size, flags);
}

ssize_t sendto(int socket, const void *block, size_t size, int flags, const struct sockaddr *address,
               socklen_t address_size)
{
    if (!address || address_size == 0)
        return send(socket, block, size, flags);
    errno = EISCONN;
    return -1;
}

int eventfd(unsigned events, int flags)
{
    __orrery_thread_attend();
    return __orrery_eventfd(events, flags);
}

int eventfd_read(int descriptor, eventfd_t *events)
{
    return read(descriptor, events, sizeof *events) == sizeof *events ? 0 : -1;
}

int eventfd_write(int descriptor, eventfd_t events)
{
    return write(descriptor, &events, sizeof events) == sizeof events ? 0 : -1;
}
