/* life.h - threads that begin, end and wait for each other: the handlers of this room, threads_do_NAME(). */
#ifndef ORRERY_THREADS_LIFE_LIFE_H
#define ORRERY_THREADS_LIFE_LIFE_H

#include "threads/core/call.h"

/* The alarm of a setting of a timer has come. */
void threads_signal_expire(ThreadsProcess *process, uint64_t setting, uint64_t time_ps);

/* A signal pends for the call's thread, which looks at it when it attends next. */
void threads_signal_self(ThreadsCall *call, int number);

#define THREADS_FUNCTION(name, handler, arity, mode) ThreadsStep threads_do_##handler(ThreadsCall *call);
#include "threads/functions.def"

#endif
