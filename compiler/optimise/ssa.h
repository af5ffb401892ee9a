/* ssa.h - what the optimiser's passes share: the flow graph, SSA form, loops.
 *
 * Between cc_ssa_enter() and cc_ssa_leave() a function is in static single assignment form (Cytron et al., TOPLAS 13:4,
 * 1991): every register is set by one instruction, which dominates all that read it; where ways meet, phi instructions
 * at the head of the block choose. Instructions hang in lists then (CcNode), so that they can be moved and their
 * addresses kept: CcSsa.values[reg].node is the instruction that sets a register.
 *
 * A register that turns out to equal another is replaced by it: values[reg].same says by which, and cc_ssa_value()
 * follows. Whoever looks at operands resolves them first.
 *
 * Blocks know their predecessors and successors, each once; phis have their arguments in the order of predecessors.
 */
#ifndef ORRERY_COMPILER_SSA_H
#define ORRERY_COMPILER_SSA_H

#include "compiler/ir/ir.h"

typedef struct CcNode {
    CcIrInstr i;
    struct CcNode *previous, *next;
    CcIrBlock *block; /* NULL: removed */
} CcNode;

typedef struct CcLoop {
    CcIrBlock *header;
    CcIrBlock *preheader; /* the only way in; ends with a jump to the header */
    struct CcLoop *outer;
    uint32_t depth;     /* 1: outermost */
    CcIrBlock **blocks; /* in reverse postorder; without those of inner loops */
    uint32_t n_blocks, blocks_capacity;
    struct CcAccess *writes; /* by stores, those of inner loops too */
    uint32_t n_writes, writes_capacity;
    bool writes_anywhere, calls;
} CcLoop;

typedef struct CcSsaValue {
    CcNode *node;   /* that sets it; NULL: passed by the caller, or gone */
    CcReg same;     /* this register has the same value; CC_NO_REG: none known */
    CcReg variable; /* whose value it is, or CC_NO_REG: of none, or of several */
    bool varies;    /* that variable has other values, too */
    bool constant;  /* it was `bits`, set by an instruction that is gone because nobody reads it */
    int64_t bits;
} CcSsaValue;

typedef struct CcSsa {
    CcIrFunction *f;
    CcArena *arena;    /* for passes; goes when the form is left */
    CcIrBlock **order; /* reverse postorder */
    uint32_t n_order;
    CcIrBlock **preorder; /* of the dominator tree */
    CcSsaValue *values;
    uint32_t n_values, values_capacity;
    CcLoop **loops; /* inner before outer */
    uint32_t n_loops;
    uint32_t mark;
    bool legal;         /* immediates fit vCode's fields */
    bool frame_escapes; /* somebody else may know addresses in the frame */
} CcSsa;

/* -- flow.c: cleaning the flow graph of the array form; analysing it --------------------------- */

void cc_flow_clean(CcIrFunction *f);
void cc_flow_copy_loop_tests(CcIrFunction *f);
/* Everything anew; order and dominators; order only. */
void cc_flow_analyse(CcSsa *s);
void cc_flow_find_dominators(CcSsa *s);
void cc_flow_find_order(CcSsa *s);
static inline bool cc_dominates(const CcIrBlock *a, const CcIrBlock *b)
{
    return a->dominates_from <= b->dominates_from && b->dominates_to <= a->dominates_to;
}
/* A new block on the way from one to another, which must be a way. It ends with a jump. */
CcIrBlock *cc_flow_split(CcSsa *s, CcIrBlock *from, CcIrBlock *to);
/* The way from one block to another leads to a third; predecessors are the caller's business. */
void cc_flow_redirect(CcSsa *s, CcIrBlock *from, const CcIrBlock *to, CcIrBlock *instead);
void cc_flow_place_after(CcIrFunction *f, CcIrBlock *block, CcIrBlock *after);

/* -- ssa.c: into SSA form ---------------------------------------------------------------------- */

/* False where the function is better left alone: computed goto, setjmp, or too big. */
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
void cc_ssa_remove(CcSsa *s, CcNode *node); /* the instruction; what it set must not be read any more */
void cc_ssa_move(CcSsa *s, CcNode *node, CcNode *before);
void cc_ssa_sink(CcNode *node, CcNode *before);        /* within its block and statement */
void cc_ssa_replace(CcSsa *s, CcNode *node, CcReg by); /* its result is `by`, and it goes */
void cc_ssa_resolve(CcSsa *s, CcIrInstr *i);
void cc_ssa_resolve_all(CcSsa *s);
void cc_ssa_remove_way(CcSsa *s, CcIrBlock *from, CcIrBlock *to);
/* After ways were removed: what cannot be reached goes, and the analysis is made anew. */
void cc_ssa_prune(CcSsa *s);
void cc_ssa_remove_dead(CcSsa *s);

/* -- memory.c: what loads and stores have to do with each other -------------------------------- */

typedef enum CcRoot { CC_ROOT_UNKNOWN, CC_ROOT_FRAME, CC_ROOT_SYMBOL } CcRoot;

/* The bytes that an instruction reads or writes: at base + (index << shift) + offset. If its root is known, they lie in
 * that object; if `exact`, from byte `at` of it on. */
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
/* Of a load or store, or of what a block operation writes (or reads, if `source`). */
CcAccess cc_memory_access(CcSsa *s, const CcIrInstr *i, bool source);
bool cc_memory_may_overlap(const CcSsa *s, const CcAccess *a, const CcAccess *b);
/* Whether the instruction may write to memory, and where: false in `known` if anywhere. */
bool cc_memory_is_written(CcSsa *s, const CcIrInstr *i, CcAccess *where, bool *known);
/* Whether code that the function calls may see or change these bytes. */
bool cc_memory_is_shared(const CcSsa *s, const CcAccess *access);
/* Whether the access, at this place or any other of the function, cannot fault. */
bool cc_memory_is_surely_mapped(const CcSsa *s, const CcAccess *where);
void cc_memory_find_escapes(CcSsa *s);

/* -- passes in SSA form ------------------------------------------------------------------------ */

#define CC_SSA_PASS(function, when) void function(CcSsa *s);
#include "compiler/optimise/ssa_passes.def"

/* fold.c: simplifies one instruction in place; answers a register that has its value already, or CC_NO_REG. */
CcReg cc_fold_instruction(CcSsa *s, CcNode *node);
bool cc_fold_branch(CcSsa *s, const CcIrInstr *i, bool *taken);
bool cc_fold_fits_word(const CcSsa *s, CcReg reg, bool is_signed); /* is a canonical int or unsigned int */
bool cc_fold_is_step(const CcSsa *s, const CcIrInstr *i);          /* i may be NULL */
/* legal.c: the form with a constant in place of the second register, or of the first; 0: there is none. */
unsigned cc_legal_immediate_form(unsigned registers, bool first);
/* The same load or store with an index, with a displacement. */
unsigned cc_legal_indexed_access(unsigned op);
unsigned cc_legal_plain_access(unsigned op);
bool cc_legal_is(const CcIrInstr *i);
/* loops.c */
bool cc_loop_is_invariant(CcSsa *s, const CcLoop *loop, CcReg reg);

/* -- leave.c, coalesce.c: out of SSA form ------------------------------------------------------ */

void cc_ssa_leave(CcSsa *s);
void cc_coalesce(CcIrFunction *f);

/* -- copies.c, dead.c: passes over the array form ---------------------------------------------- */

/* Looks through copies within a block. */
void cc_optimise_copies(CcIrFunction *f);
void cc_optimise_dead(CcIrFunction *f);

#endif
