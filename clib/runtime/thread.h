/* thread.h - what the files of the runtime library that make POSIX threads share. */
#ifndef ORRERY_RUNTIME_THREAD_H
#define ORRERY_RUNTIME_THREAD_H

#include "threads_abi.h"
#include <pthread.h>

enum { KEYS = 1024, WORD_THREAD = 0, WORD_BLOCKED = 4, WORD_PENDING = 5 };

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
/* Where threads begin. */
void __orrery_thread_main(void *thread);
/* Makes upcalls for cancellations and signals possible. */
void __orrery_thread_attend(void);

/* Functions of the simulator (threads/functions.def) that only the files of this group call. */
unsigned long __orrery_thread_create_on(void (*entry)(void *), void *argument, unsigned long stack_bytes,
                                        unsigned flags, void *word, void *stack);
int __orrery_thread_exists(unsigned long thread);
void *__orrery_thread_word_of(unsigned long thread, unsigned i);
int __orrery_thread_schedule(unsigned long thread, int policy, int priority);
int __orrery_thread_scheduled(unsigned long thread, int *policy, int *priority);
int __orrery_thread_name(unsigned long thread, char *name, unsigned long bytes);
void __orrery_thread_attention(int (*function)(long cancelled));
int __orrery_thread_cancel(unsigned long thread);
void __orrery_thread_ending(void);
int __orrery_thread_alert(unsigned long thread, unsigned word, unsigned long bits);
unsigned long __orrery_thread_without(unsigned word, unsigned long bits);
void __orrery_mutex_init(pthread_mutex_t *mutex, int kind, int ceiling);
int __orrery_once_begin(pthread_once_t *control);
void __orrery_once_end(pthread_once_t *control, int ran);
/* Delivers signals that have come for the thread. 2: a handler ran that ends waits; 1: one ran that does not. */
int __orrery_signals_deliver(void);

#endif
