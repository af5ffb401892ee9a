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
    uint32_t base;     /* of a nest: the web that they are displacements from; of a store: its instruction */
} VmRange;
typedef struct VmFit {
    char *first, *step;
    bool is_unsigned; /* 32 bits */
    uint32_t web;     /* of a nest: what holds */
    int64_t value;    /* ... this as it begins */
} VmFit;

/* One access of a loop over elements. */
typedef struct VmLane {
    uint32_t pc;
    char *first; /* C text of the address at the first iteration */
    bool steps;  /* by one element; else it stays */
    bool store;
} VmLane;

/* A load of the same in every turn, made once ahead of the strip. */
typedef struct VmHoist {
    uint32_t pc;
    char *address; /* C text */
    unsigned size;
    uint32_t store; /* the one instruction that stores there, once for each turn at most; VCODE_NONE: none does */
} VmHoist;

typedef struct VmStrip {
    uint32_t loop, header, latch;
    bool nest;            /* it is a loop with all that are in it (nests.c) */
    bool bottom;          /* the counted test is the latch's; else the header's */
    uint32_t inside, out; /* blocks: where the test goes on, where it leaves */
    char *trips;          /* C text: how often the test says to go on, negative: unknown */
    bool known;           /* ... never unknown */
    uint32_t *turns;      /* of a nest: by loop */
    uint64_t cost;        /* the most that one iteration charges */
    GArray *ranges;       /* VmRange */
    GArray *fits;         /* VmFit */
    GArray *lanes;        /* VmLane: what it accesses, in the order of instructions */
    GArray *hoists;       /* VmHoist, each perhaps in terms of those before it */
    GArray *stores;       /* VmRange: where they must not be, one for each instruction; all there are */
    unsigned lane_size;   /* bytes of its elements, if it is run over vectors first (lanes.c); 0: it is not */
    uint64_t *proven;     /* by instruction of the function: an access that the ranges cover */
    uint64_t *hoisted;    /* ... a load that is made ahead of the strip */
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

/* What must hold for n iterations to be run without tests: "&& ... && ...", to follow a condition. */
void vm_strip_print_tests(VmPrinter *p, const VmStrip *strip);
/* What every iteration charges. */
uint64_t vm_strip_turn(const VmPrinter *p, const VmStrip *strip);

/* -- nests (nests.c) -------------------------------------------------------------------- */

/* Of a loop with those in it, where the lengths of all are constants; or NULL. */
VmStrip *vm_nest_new(const VmPrinter *p, uint32_t loop);
/* Whether a block is in it. */
bool vm_nest_has(const VmFlow *flow, const VmStrip *strip, uint32_t block);
/* The copy ahead of the loop. */
void vm_print_nest(VmPrinter *p, const VmStrip *strip);

/* -- vectors (lanes.c) ------------------------------------------------------------------ */

/* Whether an instruction does the same to each element of vectors of `kind`. */
bool vm_lanes_compute(VcodeOp op, VmKind kind);
/* Ahead of a strip with lanes: as many of its turns, `all` by C's name, as vectors can do. */
void vm_print_lanes(VmPrinter *p, const VmStrip *strip);

/* -- finding (loops.c) ------------------------------------------------------------------ */

/* The strip of loop `loop`, or NULL where it is not a counted one. */
VmStrip *vm_loop_strip_new(const VmFlow *flow, uint32_t loop, uint64_t bias);
void vm_loop_strip_free(VmStrip *strip);
/* An empty one. */
VmStrip *vm_loop_strip_empty(const VmFlow *flow, uint32_t loop);
/* Whether an instruction may be in a loop that is run without tests. */
bool vm_loop_may_hold(const VmFlow *flow, VcodeInstr i);

#endif
