/* pipeline.h - what the files of the pipeline model share. pipeline.c finds loops and charges blocks, pipeline_values.c
 * follows instants and addresses through instructions, and pipeline_branches.c judges branches. */
#ifndef ORRERY_VM_PIPELINE_H
#define ORRERY_VM_PIPELINE_H

#include "vm/rank/rank.h"

enum { PIPELINE_STORES = 64 /* stores that are remembered */ };

/* What is known of a register at some instruction. */
typedef struct PipelineValue {
    uint64_t ready;  /* instant at which the value is there */
    uint64_t symbol; /* the value is that of this symbol plus `offset` */
    uint64_t offset; /* see `symbol` */
    bool loaded;     /* the value came from memory */
    bool floating;   /* the value was computed in floating point, in the code that is walked */
} PipelineValue;

/* A store that is remembered: its address (symbol + offset) and when the stored value is there. */
typedef struct PipelineStore {
    uint64_t symbol, offset, ready;
} PipelineStore;

/* A loop of the function: the code from the target of a backward branch to the last such branch. */
typedef struct PipelineLoop {
    uint32_t top, end; /* instructions [top, end]; `end` is the last branch to `top` */
    uint32_t outer;    /* index of the smallest loop around it; VCODE_NONE: none */
    bool innermost;
} PipelineLoop;

/* The analysis of one function. */
typedef struct Pipeline {
    const VcodeModule *module;
    const VmCosts *costs;
    const VcodeFunction *function;
    const VcodeInstr *code; /* code of the function */
    uint64_t *cost;         /* costs of its blocks */
    uint64_t *exits;        /* cost that is added to the block that begins here, for leaving a loop */
    GArray *loops;          /* PipelineLoop entries, outer loops first */
    uint32_t registers;
    bool *varies;                          /* per register: it gets other values than constants */
    PipelineValue *now;                    /* per register: its value at the instruction that is walked */
    uint64_t next_symbol;                  /* the next unused symbol */
    PipelineStore stores[PIPELINE_STORES]; /* a ring of the last stores */
    uint32_t next_store;
} Pipeline;

/* Finds the registers that get other values than constants (p->varies). */
void vm_pipeline_find_constants(Pipeline *p);

/* -- pipeline_values.c ------------------------------------------------------------------------- */

void vm_pipeline_forget(Pipeline *p);
/* Sets what registers hold on entry to code at `top`, as far as the code since `from` tells, in its order. */
void vm_pipeline_enter(Pipeline *p, uint32_t from, uint32_t top);
/* Applies an instruction to the registers. Returns what it reads: when all of that is there, and whether it comes from
 * memory. */
PipelineValue vm_pipeline_step(Pipeline *p, VcodeInstr i);

/* -- pipeline_branches.c ----------------------------------------------------------------------- */

bool vm_pipeline_is_conditional(VcodeOp op);
/* Returns the index that a branch goes to, or VCODE_NONE for other instructions. */
uint32_t vm_pipeline_target(uint32_t at, VcodeInstr i);
/* Whether control never goes from the instruction to the next. */
bool vm_pipeline_never_falls(VcodeOp op);
/* Whether a branch compares floating-point numbers. */
bool vm_pipeline_compares_floating(VcodeOp op);
/* Returns where the two ways of a branch that a compiler replaces by conditional moves come together. VCODE_NONE: it
 * stays a branch. */
uint32_t vm_pipeline_hammock(const Pipeline *p, uint32_t at);
/* Mean cost of mispredicting a branch: of one that goes on in the code around it, and of one that leaves a loop. */
uint64_t vm_pipeline_branch_cost(const Pipeline *p, uint32_t at, bool loaded);
uint64_t vm_pipeline_exit_cost(const Pipeline *p, const PipelineLoop *loop, uint32_t at);
/* Whether a loop changes a register otherwise than by counting, so that its content is data. */
bool vm_pipeline_evolves(const Pipeline *p, const PipelineLoop *loop, unsigned r);
/* Whether a loop ends because a register, changed by a constant each turn, reaches a register or constant that does not
 * change. */
bool vm_pipeline_counts(const Pipeline *p, const PipelineLoop *loop, uint32_t at);
/* Number of turns of a loop if that is a constant; 0: not known. */
uint64_t vm_pipeline_turns(const Pipeline *p, const PipelineLoop *loop);

#endif
