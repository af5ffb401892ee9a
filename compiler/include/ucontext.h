/* ucontext.h - System V; the linker refuses the functions */
#ifndef _UCONTEXT_H
#define _UCONTEXT_H

#include <signal.h>

typedef struct ucontext_t {
    struct ucontext_t *uc_link;
    sigset_t uc_sigmask;
    stack_t uc_stack;
    long orrery_unused[16];
} ucontext_t;
int getcontext(ucontext_t *context);
int setcontext(const ucontext_t *context);
void makecontext(ucontext_t *context, void (*function)(void), int count, ...);
int swapcontext(ucontext_t *old, const ucontext_t *context);

#endif
