/* sys/eventfd.h - Linux: counters of events, between the threads of a process */
#ifndef _SYS_EVENTFD_H
#define _SYS_EVENTFD_H

typedef unsigned long eventfd_t;
#define EFD_SEMAPHORE 1
#define EFD_NONBLOCK  04000
#define EFD_CLOEXEC   02000000

int eventfd(unsigned events, int flags);
int eventfd_read(int descriptor, eventfd_t *events);
int eventfd_write(int descriptor, eventfd_t events);

#endif
