/* flow.h - a function of vCode as the native tier's printer sees it: blocks, who follows whom, which registers
 * are live, and the values that become variables of the printed text.
 *
 *   block     from the place after an instruction that ends a block to the next that does (as in the cost model)
 *   node      a value that a register gets: by an instruction, or where paths meet at a block's beginning
 *   web       the nodes of one register that flow into each other: one variable, of one type
 */
#ifndef ORRERY_VM_TRANSLATE_FLOW_H
#define ORRERY_VM_TRANSLATE_FLOW_H

#include "vm/translate/translate.h"

typedef enum VmKind { VM_KIND_NONE, VM_KIND_I, VM_KIND_D, VM_KIND_F } VmKind; /* integer, double, float */

/* What an instruction of arithmetic.def makes of what; NONE where it is none of them. */
typedef struct VmSignature {
    uint8_t result, b, c; /* of a condition: b is the kind of both operands */
} VmSignature;
extern const VmSignature vm_flow_signatures[VCODE_OP_COUNT];

/* A function of the C library that printed code computes itself, unless its arguments are such that it refuses
 * (errno). */
typedef struct VmIntrinsic {
    const char *name;
    uint8_t kind;                     /* of arguments and result */
    uint8_t arity;                    /* 1 to 3 */
    const char *refuses, *expression; /* C texts in terms of x, y and z */
} VmIntrinsic;
/* The one that a `callx` calls, or NULL. */
const VmIntrinsic *vm_flow_intrinsic(const VmImage *image, VcodeInstr i);

typedef struct VmFlowBlock {
    uint32_t start, end;              /* [start, end): indices into the module's code; the last instruction ends it */
    uint32_t successor, successors;   /* its part of VmFlow.edges */
    uint32_t predecessors, only_from; /* how many edges lead here; the block, where it is one */
    uint64_t cost;                    /* q8 cycles of the block */
    uint64_t ahead;                   /* the most that can be charged from here to the next checkpoint */
    uint64_t called;                  /* what the call at its end may charge without a test of fuel (bounds.c) */
    bool passes;                      /* ... behind which no fuel need be tested */
    uint32_t loop;                    /* innermost natural loop, or VCODE_NONE */
    bool reached;
    bool checkpoint;  /* fuel is tested at its beginning: control comes back here */
    bool returned_to; /* not a checkpoint perhaps, but the interpreter may enter printed code here */
} VmFlowBlock;

/* A natural loop: its header dominates the blocks that jump back. */
typedef struct VmFlowLoop {
    uint32_t header;
    uint32_t latch; /* the only block that jumps back, or VCODE_NONE */
    uint32_t outer; /* the loop that it is in, or VCODE_NONE */
    bool innermost;
} VmFlowLoop;

typedef struct VmWeb {
    uint16_t reg;
    uint8_t kind;    /* VmKind, never NONE */
    bool undefined;  /* some path reads it before it is written: it begins as 0 */
    uint32_t number; /* among the webs of the register */
    bool argument;   /* the caller may set it */
    uint32_t sets;   /* instructions that set it */
    uint8_t bits;    /* its values are signed integers of so many bits (ranges.c) */
    bool negative;   /* ... and some of them may be less than 0 */
} VmWeb;

struct VmFlow {
    const VmImage *image;
    const VcodeModule *module;
    const VcodeFunction *function;
    const VcodeInstr *code; /* the module's */
    uint32_t index;
    uint32_t words;  /* of a set of registers */
    bool huge;       /* it may read what calls have lost: webs stay in the window, R[5] */
    bool jumps;      /* it has computed jumps (jumps.c) */
    bool loops_back; /* it has loops */

    VmFlowBlock *blocks;
    uint32_t block_count;
    uint8_t *labels;    /* by block, where it has computed jumps: printed code makes those that go there */
    uint32_t *block_of; /* by instruction, counted from the function's start */
    uint32_t *edges;
    uint32_t edge_count;
    uint32_t *order; /* reached blocks, each before its successors except along back edges */
    uint32_t order_count;
    uint32_t *dominator; /* by block: its immediate dominator; the entry's is itself */
    VmFlowLoop *loops;
    uint32_t loop_count;

    uint64_t *live_in;   /* words per block */
    uint32_t *entry_web; /* by block and register: the web of a live register at the block's beginning */
    GArray *shown;       /* where registers hold parameters */
    uint32_t *set_web;   /* by instruction: the web that it sets, or VCODE_NONE */
    VmWeb *webs;
    uint32_t web_count;

    uint32_t
        *parts; /* by block: which of the function's parts it is in (partition.c); NULL: it is printed as a whole */
    uint32_t part_count;
    bool partial; /* only part 0 is printed: a loop, which is entered by the interpreter and left to it */
};

/* (partition.c) Fills parts, where the function is large, or may be entered at loops and compiling must be quick;
 * `finely`: for tests, in many. */
void vm_flow_partition(VmFlow *flow, bool quick, bool finely);
/* Makes the function one of which only a loop is printed. */
void vm_partition_take_loop(VmFlow *flow, uint32_t header);

/* Finds what is ahead of blocks, from their costs and calls. False where a function's stretches cost so much that fuel
 * in 64 bits is not beyond doubt. */
bool vm_flow_look_ahead(VmFlow *flow);

/* (jumps.c) Fills labels. False: they could not be found, and all blocks are. */
bool vm_jumps_find_labels(VmFlow *flow);
/* Marks the webs of which nothing is known, as other jumps may lead to where the interpreter enters. */
void vm_jumps_forget_at_entries(VmFlow *flow);

/* (webs.c) Fills live_in, entry_web, set_web and webs. */
void vm_flow_find_webs(VmFlow *flow);
/* (ranges.c) Fills the webs' bits. */
void vm_flow_find_ranges(VmFlow *flow);

/* Whether every way to `block` leads through `above`. */
bool vm_flow_dominates(const VmFlow *flow, uint32_t above, uint32_t block);

static inline const VmFlowBlock *vm_flow_successor(const VmFlow *flow, const VmFlowBlock *block, uint32_t k)
{
    return &flow->blocks[flow->edges[block->successor + k]];
}

/* Whether the interpreter may enter printed code at the block. */
static inline bool vm_flow_enters(const VmFlowBlock *block)
{
    return block->checkpoint || block->returned_to;
}

enum { VM_FLOW_MOST_STOPS = 600 /* instructions: for more, C compilers should not have to compile loops twice */ };

enum { VM_FLOW_MOST_WHOLE = 600 /* instructions: larger functions are printed in parts */ };

static inline bool vm_flow_live(const VmFlow *flow, uint32_t block, uint32_t reg)
{
    return vm_bit(flow->live_in + (size_t)block * flow->words, reg);
}

/* What is live before each instruction of a block: `words` words for each. */
void vm_web_live_before(const VmFlow *flow, uint32_t block, uint64_t *live);

/* Walks a block with what each register holds: the web by register. Start with the block's beginning; then after each
 * instruction. */
void vm_web_begin(const VmFlow *flow, uint32_t block, uint32_t *now);
void vm_web_step(const VmFlow *flow, uint32_t pc, uint32_t *now);

#endif
