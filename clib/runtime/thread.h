/* thread.h - what the files of the runtime library that make POSIX threads share. */
#ifndef ORRERY_RUNTIME_THREAD_H
#define ORRERY_RUNTIME_THREAD_H

#include "threads_abi.h"
#include <pthread.h>

enum { KEYS = 1024, WORD_THREAD = 0, WORD_BLOCKED = 4 };

struct value {
    void *value;
    unsigned version; /* of the key when it was set */
};

/* What a thread has of its own; its word 0 points here. */
struct thread {
    void *(*start)(void *);
    void *argument;
    struct __orrery_cleanup *cleanup;
    struct value *values; /* by key; 0: none was set */
    pthread_attr_t attributes;
    char *stack_top;
};

/* That of the calling thread, which is made if there is none. */
struct thread *__orrery_thread_here(void);
/* Attributes of threads that are made without any; a set of processors in them is not the callee's. */
int __orrery_usual_attributes(pthread_attr_t *attributes);
/* Where threads begin. */
void __orrery_thread_main(void *thread);
/* Makes upcalls for cancellations and signals possible. */
void __orrery_thread_attend(void);

/* Functions of the simulator (threads/functions.def) that only the files of this group call. */
unsigned long __orrery_thread_create_on(void (*entry)(void *), void *argument, unsigned long stack_bytes,
                                        unsigned flags, void *word, void *stack);
int __orrery_thread_exists(unsigned long thread);
long __orrery_thread_number(unsigned long thread); /* -1: it has ended */
void *__orrery_thread_word_of(unsigned long thread, unsigned i);
int __orrery_thread_schedule(unsigned long thread, int policy, int priority);
int __orrery_thread_scheduled(unsigned long thread, int *policy, int *priority);
int __orrery_thread_name(unsigned long thread, char *name, unsigned long bytes);
void __orrery_thread_attention(int (*function)(long cancelled));
int __orrery_thread_cancel(unsigned long thread);
void __orrery_thread_ending(void);
void __orrery_mutex_init(pthread_mutex_t *mutex, int kind, int ceiling);
int __orrery_once_begin(pthread_once_t *control);
void __orrery_once_end(pthread_once_t *control, int ran);
/* Signals that pend, for a thread (0: the process) and for the caller. */
struct __orrery_signal {
    long code;
    union sigval value;
};
int __orrery_signal_send(unsigned long thread, int number, int code, unsigned long value);
sigset_t __orrery_signals_pending(void);
/* Takes the lowest one of a set. 0: none. */
int __orrery_signal_take(sigset_t set, struct __orrery_signal *signal);
/* Waits for one of a set: its number, -EAGAIN at the deadline, -EINTR when a handler has run. */
int __orrery_signal_wait(sigset_t set, struct __orrery_signal *signal, unsigned long deadline);
/* Timers of the process that send signals: `times` are nanoseconds to the first (0: never) and between them; what was
 * set before is stored there. __orrery_timer_look() returns how many signals were left out lately. */
int __orrery_timer_set(unsigned timer, unsigned long times[2], unsigned long thread, int number, unsigned long value);
int __orrery_timer_look(unsigned timer, unsigned long times[2]);
/* Delivers signals that have come for the thread. 2: a handler ran that ends waits; 1: one ran that does not. */
int __orrery_signals_deliver(void);

#endif
