/* loops.h - counted loops, which printed code runs in strips (loops.c). */
#ifndef ORRERY_VM_TRANSLATE_LOOPS_H
#define ORRERY_VM_TRANSLATE_LOOPS_H

#include "vm/translate/print.h"

/* A condition on the registers before the loop, printed once ahead of a strip. */
typedef struct VmRange {
    char *first; /* C text of the address at the first iteration, less displacements */
    char *step;  /* ... of what every iteration adds */
    bool known;  /* that is `constant` */
    int64_t constant;
    int64_t low, high; /* displacements */
} VmRange;
typedef struct VmFit {
    char *first, *step;
    bool is_unsigned; /* 32 bits */
} VmFit;

typedef struct VmStrip {
    uint32_t loop, header, latch;
    bool bottom;          /* the counted test is the latch's; else the header's */
    uint32_t inside, out; /* blocks: where the test goes on, where it leaves */
    char *trips;          /* C text: how often the test says to go on, negative: unknown */
    bool known;           /* ... never unknown */
    uint64_t cost;        /* the most that one iteration charges */
    GArray *ranges;       /* VmRange */
    GArray *fits;         /* VmFit */
    uint64_t *proven;     /* by instruction of the function: an access that the ranges cover */
    uint64_t *plain;      /* ... 32-bit arithmetic that the fits show not to wrap */
} VmStrip;

/* -- printing (strips.c) ---------------------------------------------------------------- */

/* The strip ahead of its loop. */
void vm_print_strip(VmPrinter *p, const VmStrip *strip);
/* In the copy: what the block being printed charges; `further`: C text of what depends, or NULL. */
void vm_strip_charge(VmPrinter *p, uint64_t cost, const char *further);
/* Goes from that block to another; where that is outside, it settles what is to be charged and answers false. */
bool vm_strip_goto(VmPrinter *p, uint32_t to);
/* Prints what an exit of the copy charges. */
void vm_strip_settle_exit(VmPrinter *p, const VmExit *e);

/* -- finding (loops.c) ------------------------------------------------------------------ */

/* The strip of loop `loop`, or NULL where it is not a counted one. */
VmStrip *vm_loop_strip_new(const VmFlow *flow, uint32_t loop, uint64_t bias);
void vm_loop_strip_free(VmStrip *strip);

#endif
