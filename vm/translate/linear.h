/* linear.h - what is being found out about a counted loop (loops.c, hoists.c).
 */
#ifndef ORRERY_VM_TRANSLATE_LINEAR_H
#define ORRERY_VM_TRANSLATE_LINEAR_H

#include "vm/translate/loops.h"

enum { VM_LOOP_DEEPEST = 6 /* instructions that a value is followed through */ };

typedef struct VmLoopAnalysis {
    const VmFlow *flow;
    uint32_t loop;
    GArray *blocks;          /* of the loop, in order */
    uint32_t *sets, *set_at; /* by web: how many instructions of the loop set it; one of them */
    uint32_t (*operands)[3]; /* by instruction of the function: webs of a, b, c before it */
    VmStrip *strip;
    bool limited; /* the counted test keeps what begins with limited_first and steps by limited_step in 32 bits */
    const char *limited_first, *limited_step;
    bool hoists;      /* what is loaded from the same place in every turn may be loaded ahead */
    bool loose;       /* some store may go anywhere */
    GPtrArray *texts; /* what is freed at the end */
} VmLoopAnalysis;

/* A value that changes by the same amount in every iteration. */
typedef struct VmLinear {
    const char *first; /* C text of its value in the first iteration, in terms of the registers before the loop */
    const char *step;  /* C text, or NULL: does not change */
    int64_t constant;  /* the step, where it is a constant */
    bool known;        /* the step is a constant */
    unsigned bits;     /* the first value is a signed integer of so many bits; more than 64: may wrap */
    bool is_constant;  /* it is a constant that has neighbours among 32-bit integers */
    bool is_word;      /* it is a 32-bit integer plus `offset` */
    int64_t offset;
} VmLinear;

/* -- of the loop (loops.c) -------------------------------------------------------------- */

/* The web's value where the instruction `use` reads it; false where it is not linear. */
bool vm_loop_linear(VmLoopAnalysis *a, uint32_t web, uint32_t use, unsigned depth, VmLinear *value);
bool vm_loop_add(VmLoopAnalysis *a, const VmLinear *b, const VmLinear *c, char sign, VmLinear *sum);
bool vm_loop_multiply(VmLoopAnalysis *a, const VmLinear *b, int64_t factor, VmLinear *product);

static inline uint32_t vm_loop_local(const VmLoopAnalysis *a, uint32_t pc)
{
    return pc - a->flow->function->code_start;
}

static inline uint32_t vm_loop_block_at(const VmLoopAnalysis *a, uint32_t pc)
{
    return a->flow->block_of[vm_loop_local(a, pc)];
}

static inline bool vm_loop_has(const VmLoopAnalysis *a, uint32_t block)
{
    return a->flow->blocks[block].loop == a->loop;
}

/* Whether instruction `first` has run, in the same iteration, whenever `then` does. */
static inline bool vm_loop_precedes(const VmLoopAnalysis *a, uint32_t first, uint32_t then)
{
    uint32_t b = vm_loop_block_at(a, first), c = vm_loop_block_at(a, then);
    return b == c ? first < then : vm_flow_dominates(a->flow, b, c);
}

static inline bool vm_loop_enters_with(const VmLoopAnalysis *a, uint32_t web)
{
    const VmFlow *flow = a->flow;
    return flow->entry_web[(size_t)flow->loops[a->loop].header * flow->function->registers + flow->webs[web].reg] ==
           web;
}

/* -- loads ahead of it (hoists.c) ------------------------------------------------------- */

/* Fills the strip's hoists. */
void vm_hoists_find(VmLoopAnalysis *a);
/* Whether the instruction is one of them, and what it loads never changes. */
bool vm_hoists_stay(const VmLoopAnalysis *a, uint32_t at);
/* Whether stores may, or certainly do, go to where they are. */
bool vm_hoists_collide(const VmLoopAnalysis *a);

#endif
