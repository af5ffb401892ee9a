/* ssa.h - what the optimiser's passes share: the flow graph, SSA form, loops.
 *
 * Between cc_ssa_enter() and cc_ssa_leave() a function is in static single assignment form (Cytron et al., TOPLAS 13:4,
 * 1991). Every register is set by one instruction, which dominates all that read it. Where control flow joins, phi
 * instructions at the head of the block select the value. Instructions are in linked lists (CcNode), so that they can
 * move and keep their addresses. CcSsa.values[reg].node is the instruction that sets a register.
 *
 * A register that equals another one is replaced by it: values[reg].same names the other, and cc_ssa_value() follows
 * these links. Code that examines operands resolves them first.
 *
 * Blocks list their predecessors and successors, each once. The arguments of a phi have the order of the predecessors.
 */
#ifndef ORRERY_COMPILER_SSA_H
#define ORRERY_COMPILER_SSA_H

#include "compiler/ir/ir.h"

/* An instruction in the list of its block. */
typedef struct CcNode {
    CcIrInstr i;
    struct CcNode *previous, *next;
    CcIrBlock *block; /* NULL: the instruction is removed */
} CcNode;

/* A natural loop. */
typedef struct CcLoop {
    CcIrBlock *header;
    CcIrBlock *preheader; /* the only block from which control enters; ends with a jump to the header */
    struct CcLoop *outer;
    uint32_t depth;     /* nesting depth; 1: outermost */
    CcIrBlock **blocks; /* in reverse postorder, without blocks of inner loops */
    uint32_t n_blocks, blocks_capacity;
    struct CcAccess *writes; /* memory that stores in it or in inner loops write */
    uint32_t n_writes, writes_capacity;
    bool writes_anywhere, calls; /* a store may write anywhere; something is called */
} CcLoop;

/* What is known of a register in SSA form. */
typedef struct CcSsaValue {
    CcNode *node;   /* the instruction that sets it; NULL: the caller passes it, or the instruction is gone */
    CcReg same;     /* a register with the same value; CC_NO_REG: none known */
    CcReg variable; /* the variable that it is a value of; CC_NO_REG: of none, or of several */
    bool varies;    /* the variable has other values, too */
    bool constant;  /* its value was `bits`; the instruction is gone because nothing read it */
    int64_t bits;
} CcSsaValue;

typedef struct CcSsa {
    CcIrFunction *f;
    CcArena *arena;    /* freed when the function leaves SSA form */
    CcIrBlock **order; /* blocks in reverse postorder */
    uint32_t n_order;
    CcIrBlock **preorder; /* blocks in preorder of the dominator tree */
    CcSsaValue *values;
    uint32_t n_values, values_capacity;
    CcLoop **loops; /* inner loops before outer ones */
    uint32_t n_loops;
    uint32_t mark;      /* number of the current walk, for CcIrBlock.mark */
    bool legal;         /* all immediates fit vCode's fields */
    bool frame_escapes; /* other code may know addresses in the frame */
} CcSsa;

/* -- flow.c: cleaning the flow graph of the array form; analysing it --------------------------- */

void cc_flow_clean(CcIrFunction *f);
void cc_flow_copy_loop_tests(CcIrFunction *f);
/* Computes everything anew. */
void cc_flow_analyse(CcSsa *s);
/* Computes order and dominators anew. */
void cc_flow_find_dominators(CcSsa *s);
/* Computes the order anew. */
void cc_flow_find_order(CcSsa *s);
static inline bool cc_dominates(const CcIrBlock *a, const CcIrBlock *b)
{
    return a->dominates_from <= b->dominates_from && b->dominates_to <= a->dominates_to;
}
/* Puts a new block on the edge between two blocks, which must exist. It ends with a jump. */
CcIrBlock *cc_flow_split(CcSsa *s, CcIrBlock *from, CcIrBlock *to);
/* Makes the edge from `from` to `to` lead to `instead`. The caller updates the predecessors. */
void cc_flow_redirect(CcSsa *s, CcIrBlock *from, const CcIrBlock *to, CcIrBlock *instead);
void cc_flow_place_after(CcIrFunction *f, CcIrBlock *block, CcIrBlock *after);

/* -- ssa.c: into SSA form ---------------------------------------------------------------------- */

/* Brings the function into SSA form. Returns false and changes nothing if the form does not suit it: computed goto,
 * setjmp, or too large. */
bool cc_ssa_enter(CcSsa *s, CcIrFunction *f);
CcReg cc_ssa_reg(CcSsa *s);
static inline CcReg cc_ssa_value(const CcSsa *s, CcReg reg)
{
    while (s->values[reg].same != CC_NO_REG)
        reg = s->values[reg].same;
    return reg;
}
static inline const CcIrInstr *cc_ssa_setter(const CcSsa *s, CcReg reg)
{
    const CcNode *node = s->values[cc_ssa_value(s, reg)].node;
    return node ? &node->i : NULL;
}
bool cc_ssa_constant(const CcSsa *s, CcReg reg, int64_t *value);
CcNode *cc_ssa_append(CcSsa *s, CcIrBlock *block, const CcIrInstr *i);
CcNode *cc_ssa_insert_before(CcSsa *s, CcNode *at, const CcIrInstr *i);
void cc_ssa_remove(CcSsa *s, CcNode *node); /* nothing may read the result any more */
void cc_ssa_move(CcSsa *s, CcNode *node, CcNode *before);
void cc_ssa_sink(CcNode *node, CcNode *before);        /* moves within the block and the statement */
void cc_ssa_replace(CcSsa *s, CcNode *node, CcReg by); /* makes `by` the result, and removes the node */
void cc_ssa_resolve(CcSsa *s, CcIrInstr *i);
void cc_ssa_resolve_all(CcSsa *s);
void cc_ssa_remove_way(CcSsa *s, CcIrBlock *from, CcIrBlock *to);
/* Removes unreachable blocks after edges were removed, and repeats the analysis. */
void cc_ssa_prune(CcSsa *s);
void cc_ssa_remove_dead(CcSsa *s);

/* -- memory.c: what loads and stores have to do with each other -------------------------------- */

typedef enum CcRoot { CC_ROOT_UNKNOWN, CC_ROOT_FRAME, CC_ROOT_SYMBOL } CcRoot;

/* The bytes that an instruction reads or writes, at base + (index << shift) + offset. If `root` is known, they lie in
 * that object. If `exact`, they start at its byte `at`. */
typedef struct CcAccess {
    CcReg base, index;
    uint8_t shift;
    CcRoot root;
    bool exact;
    uint32_t symbol;
    int64_t offset, at;
    uint64_t size;
} CcAccess;

static inline bool cc_is_load(const CcIrInstr *i)
{
    return cc_ir_kind(i->op) == VCODE_KIND_LOAD;
}
static inline bool cc_is_store(const CcIrInstr *i)
{
    return cc_ir_kind(i->op) == VCODE_KIND_STORE;
}
/* Returns the access of a load or store. For a block operation it is the target, or the source if `source` is set. */
CcAccess cc_memory_access(CcSsa *s, const CcIrInstr *i, bool source);
bool cc_memory_may_overlap(const CcSsa *s, const CcAccess *a, const CcAccess *b);
/* Returns whether the instruction may write to memory. Sets `where`, and `known` to false if it may write anywhere. */
bool cc_memory_is_written(CcSsa *s, const CcIrInstr *i, CcAccess *where, bool *known);
/* Returns whether code that the function calls may see or change these bytes. */
bool cc_memory_is_shared(const CcSsa *s, const CcAccess *access);
/* Returns whether the access cannot fault, wherever the function makes it. */
bool cc_memory_is_surely_mapped(const CcSsa *s, const CcAccess *where);
void cc_memory_find_escapes(CcSsa *s);

/* -- passes in SSA form ------------------------------------------------------------------------ */

#define CC_SSA_PASS(function, when) void function(CcSsa *s);
#include "compiler/optimise/ssa_passes.def"

/* fold.c: simplifies one instruction in place. Returns a register that already has its value, or CC_NO_REG. */
CcReg cc_fold_instruction(CcSsa *s, CcNode *node);
bool cc_fold_branch(CcSsa *s, const CcIrInstr *i, bool *taken);
bool cc_fold_fits_word(const CcSsa *s, CcReg reg, bool is_signed); /* the value is a canonical int or unsigned int */
bool cc_fold_is_step(const CcSsa *s, const CcIrInstr *i);          /* i may be NULL */
/* legal.c: returns the form of an instruction with a constant in place of the second register, or of the first; 0:
 * there is none. */
unsigned cc_legal_immediate_form(unsigned registers, bool first);
/* Returns the indexed form of a load or store, or 0. */
unsigned cc_legal_indexed_access(unsigned op);
/* Returns the form of a load or store with a displacement, or 0. */
unsigned cc_legal_plain_access(unsigned op);
bool cc_legal_is(const CcIrInstr *i);
/* loops.c: returns whether the value of a register does not change in the loop. */
bool cc_loop_is_invariant(CcSsa *s, const CcLoop *loop, CcReg reg);

/* -- leave.c, coalesce.c: out of SSA form ------------------------------------------------------ */

void cc_ssa_leave(CcSsa *s);
void cc_coalesce(CcIrFunction *f);

/* -- copies.c, dead.c: passes over the array form ---------------------------------------------- */

/* Replaces copies by their sources, within each block. */
void cc_optimise_copies(CcIrFunction *f);
void cc_optimise_dead(CcIrFunction *f);

#endif
