/* variadic.h - defines functions with "..." by those with a va_list. */
#ifndef ORRERY_VARIADIC_H
#define ORRERY_VARIADIC_H

#include <stdarg.h>

/* Defines a function with "...". `call` passes on `arguments`, the va_list of the arguments behind the parameter
 * `last`. */
#define VARIADIC(name, parameters, last, call)                                                                         \
    int name parameters                                                                                                \
    {                                                                                                                  \
        va_list arguments;                                                                                             \
        va_start(arguments, last);                                                                                     \
        int result = call;                                                                                             \
        va_end(arguments);                                                                                             \
        return result;                                                                                                 \
    }

/* Like VARIADIC, for a function without a result. */
#define VARIADIC_VOID(name, parameters, last, call)                                                                    \
    void name parameters                                                                                               \
    {                                                                                                                  \
        va_list arguments;                                                                                             \
        va_start(arguments, last);                                                                                     \
        call;                                                                                                          \
        va_end(arguments);                                                                                             \
    }

#endif
