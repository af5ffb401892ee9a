/* handlers.h - the handlers of all functions, for threads_world_new() (functions.c). */
#ifndef ORRERY_THREADS_HANDLERS_H
#define ORRERY_THREADS_HANDLERS_H

#include "threads/core/call.h"

typedef enum ThreadsMode {
    THREADS_MODE_ORDERED,
    THREADS_MODE_POINT,
    THREADS_MODE_PLACE,
    THREADS_MODE_LIBRARY,
    THREADS_MODE_SLEEP,
    THREADS_MODE_BESIDE
} ThreadsMode;

typedef struct ThreadsFunction { /* a row of functions.def */
    const char *name;
    ThreadsHandler handler;
    unsigned arity;
    ThreadsMode mode;
} ThreadsFunction;
const ThreadsFunction *threads_functions_table(size_t *count);

#endif
