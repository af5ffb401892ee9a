/* pipeline.h - what the files of the pipeline model share: pipeline.c finds loops and charges blocks,
 * pipeline_values.c follows instants and addresses through instructions, pipeline_branches.c judges branches.
 */
#ifndef ORRERY_VM_PIPELINE_H
#define ORRERY_VM_PIPELINE_H

#include "vm/rank/rank.h"

enum { PIPELINE_STORES = 64 /* remembered */ };

/* What is known of a register at a place. */
typedef struct PipelineValue {
    uint64_t ready;  /* when it is there */
    uint64_t symbol; /* its value is that of this symbol ... */
    uint64_t offset; /* ... plus this */
    bool loaded;     /* it came from memory */
    bool floating;   /* it was computed in floating point, in the code that is walked */
} PipelineValue;

typedef struct PipelineStore {
    uint64_t symbol, offset, ready;
} PipelineStore;

typedef struct PipelineLoop {
    uint32_t top, end; /* [top, end], end is the last branch to top */
    uint32_t outer;    /* the smallest loop around it; VCODE_NONE: none */
    bool innermost;
} PipelineLoop;

typedef struct Pipeline {
    const VcodeModule *module;
    const VmCosts *costs;
    const VcodeFunction *function;
    const VcodeInstr *code; /* of the function */
    uint64_t *cost;         /* of its blocks */
    uint64_t *exits;        /* what is added to the block that begins here for leaving a loop */
    GArray *loops;          /* PipelineLoop, outer ones first */
    uint32_t registers;
    bool *varies; /* per register: it gets other values than constants */
    PipelineValue *now;
    uint64_t next_symbol;
    PipelineStore stores[PIPELINE_STORES]; /* the last ones, in a ring */
    uint32_t next_store;
} Pipeline;

/* Tells which registers get other values than constants (p->varies). */
void vm_pipeline_find_constants(Pipeline *p);

/* -- pipeline_values.c ------------------------------------------------------------------------- */

void vm_pipeline_forget(Pipeline *p);
/* What registers hold on entry to code at `top`, as far as the code since `from` tells, in its order. */
void vm_pipeline_enter(Pipeline *p, uint32_t from, uint32_t top);
/* Applies an instruction to the registers; answers what it reads: when all of it is there, whether from memory. */
PipelineValue vm_pipeline_step(Pipeline *p, VcodeInstr i);

/* -- pipeline_branches.c ----------------------------------------------------------------------- */

bool vm_pipeline_is_conditional(VcodeOp op);
/* The index that a branch goes to, or VCODE_NONE for other instructions. */
uint32_t vm_pipeline_target(uint32_t at, VcodeInstr i);
/* Whether control never goes from the instruction to the next. */
bool vm_pipeline_never_falls(VcodeOp op);
/* Whether a branch compares floating-point numbers. */
bool vm_pipeline_compares_floating(VcodeOp op);
/* Where the two ways of a branch that a compiler replaces by conditional moves come together; VCODE_NONE: it is a
 * branch. */
uint32_t vm_pipeline_hammock(const Pipeline *p, uint32_t at);
/* Mean cost of mispredicting a branch that goes on in the code around it; of one that leaves a loop. */
uint64_t vm_pipeline_branch_cost(const Pipeline *p, uint32_t at, bool loaded);
uint64_t vm_pipeline_exit_cost(const Pipeline *p, const PipelineLoop *loop, uint32_t at);
/* Whether a loop changes a register otherwise than by counting: what it holds is data. */
bool vm_pipeline_evolves(const Pipeline *p, const PipelineLoop *loop, unsigned r);
/* Whether what ends a loop is that a register, changed by a constant each turn, gets as far as one that does not
 * change. */
bool vm_pipeline_counts(const Pipeline *p, const PipelineLoop *loop, uint32_t at);
/* How many turns a loop takes where that is a constant; 0: not known. */
uint64_t vm_pipeline_turns(const Pipeline *p, const PipelineLoop *loop);

#endif
