/* layouts.h - the program's objects as their bytes lie in its memory; clib/include/pthread.h and semaphore.h declare
 * the same. Zeros are a free object of the usual kind, so that static initialisers and calloc() make one. The sizes are
 * those of glibc. */
#ifndef ORRERY_THREADS_CORE_LAYOUTS_H
#define ORRERY_THREADS_CORE_LAYOUTS_H

#include <glib.h>
#include <stdint.h>

enum {                         /* ThreadsMutex.kind */
       THREADS_MUTEX_TYPE = 3, /* mask: normal, recursive, errorcheck, adaptive */
       THREADS_MUTEX_NORMAL = 0,
       THREADS_MUTEX_RECURSIVE = 1,
       THREADS_MUTEX_ERRORCHECK = 2,
       THREADS_MUTEX_ROBUST = 0x10,
       THREADS_MUTEX_PROTOCOL = 0x60, /* mask: none, inherit, protect */
       THREADS_MUTEX_PROTECT = 0x40,  /* priority ceiling */
       THREADS_MUTEX_SHARED = 0x80,
       THREADS_MUTEX_INCONSISTENT = 0x100, /* its holder ended with it; who has it now knows */
       THREADS_MUTEX_LOST = 0x200,         /* it was given back inconsistent */
       THREADS_MUTEX_KINDS = 0x3f3,        /* all bits that a kind may have */
       THREADS_DESTROYED = -1,             /* in any of these */
};

typedef struct ThreadsMutex {
    int32_t depth;  /* how often its holder has locked it; 0: free */
    uint32_t owner; /* id of its holder */
    int32_t kind;
    uint32_t since;   /* pc of the call that locked it */
    uint32_t waiters; /* number of threads that wait for it; they are in a queue of the simulator */
    int32_t ceiling;
    uint32_t conditions; /* number of threads that wait for a condition with it */
    uint32_t unused[3];
} ThreadsMutex;
G_STATIC_ASSERT(sizeof(ThreadsMutex) == 40);

typedef struct ThreadsCondition {
    int32_t clock, shared, kind;
    uint32_t waiters;
    uint32_t unused[8];
} ThreadsCondition;
G_STATIC_ASSERT(sizeof(ThreadsCondition) == 48);

typedef struct ThreadsReadWriteLock {
    int32_t readers; /* how often it is locked for reading */
    uint32_t writer; /* id of the thread that has locked it for writing; 0: none */
    int32_t kind;    /* 0, 1: readers first; 2: writers first */
    uint32_t since;  /* pc of the last call that locked it */
    uint32_t waiters;
    int32_t shared;
    uint32_t writers; /* how many of the waiters want to write */
    uint32_t reader;  /* id of the last reader */
    uint32_t unused[6];
} ThreadsReadWriteLock;
G_STATIC_ASSERT(sizeof(ThreadsReadWriteLock) == 56);

typedef struct ThreadsBarrier {
    uint32_t count, arrived;
    int32_t kind, shared;
    uint32_t unused[4];
} ThreadsBarrier;
G_STATIC_ASSERT(sizeof(ThreadsBarrier) == 32);

typedef struct ThreadsSemaphore {
    uint32_t value;
    int32_t shared, kind;
    uint32_t waiters;
    uint32_t unused[4];
} ThreadsSemaphore;
G_STATIC_ASSERT(sizeof(ThreadsSemaphore) == 32);

typedef struct ThreadsStart { /* `struct thread` of clib/runtime/thread.h, of a thread that is to begin */
    uint64_t start, argument, cleanup, values;
    struct { /* pthread_attr_t */
        uint8_t detached, policy, inherit, sized;
        int32_t priority;
        uint64_t stack_bytes, guard_bytes, stack;
        uint64_t set; /* address of a set of processors; 0: all */
        uint64_t set_bytes;
        uint64_t mask; /* of signals, with SIGKILL in it; 0: that of its maker */
    } attributes;
} ThreadsStart;
G_STATIC_ASSERT(sizeof(ThreadsStart) == 32 + 56);

#endif
