/* ucontext.h - System V; a call of the functions ends the run */
#ifndef _UCONTEXT_H
#define _UCONTEXT_H

typedef struct ucontext_t {
    struct ucontext_t *uc_link;
    unsigned long uc_sigmask;
    struct {
        void *ss_sp;
        int ss_flags;
        unsigned long ss_size;
    } uc_stack;
    long orrery_unused[16];
} ucontext_t;
int getcontext(ucontext_t *context);
int setcontext(const ucontext_t *context);
void makecontext(ucontext_t *context, void (*function)(void), int count, ...);
int swapcontext(ucontext_t *old, const ucontext_t *context);

#endif
