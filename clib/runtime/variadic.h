/* variadic.h - functions with "..." by way of those with a va_list. */
#ifndef ORRERY_VARIADIC_H
#define ORRERY_VARIADIC_H

#include <stdarg.h>

/* `call` passes `arguments` on, which are those behind the parameter `last`. */
#define VARIADIC(name, parameters, last, call)                                                                         \
    int name parameters                                                                                                \
    {                                                                                                                  \
        va_list arguments;                                                                                             \
        va_start(arguments, last);                                                                                     \
        int result = call;                                                                                             \
        va_end(arguments);                                                                                             \
        return result;                                                                                                 \
    }

/* The same without result. */
#define VARIADIC_VOID(name, parameters, last, call)                                                                    \
    void name parameters                                                                                               \
    {                                                                                                                  \
        va_list arguments;                                                                                             \
        va_start(arguments, last);                                                                                     \
        call;                                                                                                          \
        va_end(arguments);                                                                                             \
    }

#endif
