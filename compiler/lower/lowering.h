/* lowering.h - what the files of lowering share: typed tree (tree/tree.h) to intermediate code (ir/ir.h) and static
 * data.
 *
 *   symbols.c     symbols of the module       data.c        static objects, strings
 *   function.c    parameters, variables, scopes, the memory frame
 *   statement.c   statements      switch.c    switch
 *   expression.c  scalar values   operator.c  arithmetic, comparisons, conversions
 *   condition.c   branches        place.c     addresses, lvalues, bit-fields
 *   aggregate.c   structs         complex.c   _Complex      wide.c  __int128
 *   call.c        calls, variable arguments, builtins
 *
 * Scalars live in virtual registers, canonical for their type (sign- or zero-extended to 64 bits). Structs, unions and
 * complex numbers live in memory and are handed around by address.
 */
#ifndef ORRERY_COMPILER_LOWERING_H
#define ORRERY_COMPILER_LOWERING_H

#include "compiler/ir/ir.h"
#include "compiler/lower/lower.h"
#include "compiler/object/object.h"
#include "compiler/tree/tree.h"

/* A variable-length array that is alive: how to take it off the stack again. */
typedef struct CcVla {
    struct CcVla *outer;
    CcReg saved; /* stack pointer before it */
    unsigned depth;
} CcVla;

/* A goto whose label may lie outside scopes of VLAs; settled at the end of the function. */
typedef struct CcPendingGoto {
    CcIrBlock *block; /* ends with the jump */
    CcVla *vla;
    CcLabelInfo *label;
} CcPendingGoto;

/* The innermost statement that break or continue leaves. */
typedef struct CcTarget {
    struct CcTarget *outer;
    CcIrBlock *on_break, *on_continue; /* on_continue NULL: switch */
    CcVla *vla;
} CcTarget;

typedef struct CcLower {
    CcGenerate *generate;
    CcIrFunction *f;
    CcIrBlock *block;     /* where code goes; never NULL */
    uint32_t loc;         /* index into f->locs */
    CcType *result;       /* return type */
    CcReg result_address; /* hidden first parameter, or CC_NO_REG */
    CcReg variable_arguments;
    bool in_memory; /* every variable lives in the memory frame */
    uint64_t frame_next, frame_high;
    bool frame_kept; /* a variable came to life: the statement must not give its memory back */
    CcVla *vla;
    CcTarget *target;
    CcPendingGoto *gotos;
    uint32_t n_gotos, gotos_capacity;
    CcLabelInfo **labels;
    uint32_t n_labels, labels_capacity; /* whose blocks hold label values */
} CcLower;

/* A scalar: a constant or a register. */
typedef struct CcValue {
    bool constant;
    CcReg reg;
    int64_t value;
} CcValue;
static inline CcValue cc_value_constant(int64_t value)
{
    return (CcValue){true, CC_NO_REG, value};
}
static inline CcValue cc_value_reg(CcReg reg)
{
    return (CcValue){false, reg, 0};
}

/* symbol or object or base, + (index << shift) + offset; parts may be missing. */
typedef struct CcAddress {
    uint32_t symbol; /* of the module, or VCODE_NONE */
    uint32_t object; /* 1 + object of the frame, or 0 */
    CcReg base, index;
    uint8_t shift;
    int64_t offset;
    bool volatile_;
    bool unaligned; /* in a packed struct */
} CcAddress;

/* An lvalue. */
typedef struct CcPlace {
    CcType *type;
    bool in_register;
    CcReg reg;
    CcAddress address;
    uint8_t bit_offset, bit_width; /* width 0: no bit-field */
    uint8_t reach;                 /* bit-field: bytes from the address on that an access may touch */
} CcPlace;

/* How the machine sees an arithmetic or pointer type. */
typedef enum CcClass { CC_CLASS_W, CC_CLASS_UW, CC_CLASS_L, CC_CLASS_UL, CC_CLASS_F, CC_CLASS_D } CcClass;

/* -- data.c ------------------------------------------------------------------------------------ */

uint32_t cc_lower_string(CcGenerate *g, const char *bytes, uint64_t size, uint32_t align, CcLoc loc);
uint32_t cc_lower_blob(CcGenerate *g, const uint8_t *bytes, uint64_t size, uint32_t align);
/* Whether the initialiser element is a number (or string) that can be stored at compile time; `size` bytes at `into`.
 */
bool cc_lower_constant_init(const CcInit *init, uint8_t *into, uint64_t size);

/* -- function.c -------------------------------------------------------------------------------- */

CcStorageInfo *cc_lower_variable(CcLower *l, CcSymbol *symbol); /* makes room at first sight */
/* -- the memory frame (function.c) ------------------------------------------------------------- */

CcAddress cc_lower_frame_address(uint32_t object);
CcAddress cc_lower_frame_temporary(CcLower *l, uint64_t size, uint32_t align);

/* Computed with as two registers. */
static inline bool cc_is_pair(const CcType *t)
{
    return cc_is_complex(t) || cc_is_wide(t);
}
/* Results and arguments of these types travel by address. */
static inline bool cc_by_address(const CcType *t)
{
    return cc_is_aggregate(t) || cc_is_pair(t);
}

CcIrInstr *cc_lower_emit(CcLower *l, unsigned op);
CcReg cc_lower_emit_rr(CcLower *l, unsigned op, CcReg b);
CcReg cc_lower_emit_rrr(CcLower *l, unsigned op, CcReg b, CcReg c);
CcReg cc_lower_emit_rri(CcLower *l, unsigned op, CcReg b, int64_t imm);
CcReg cc_lower_emit_constant(CcLower *l, int64_t value);
/* dst = src where src is a value that nobody needs afterwards. */
void cc_lower_emit_move(CcLower *l, CcReg dst, CcValue src);
CcReg cc_lower_to_reg(CcLower *l, CcValue value);
void cc_lower_emit_jump(CcLower *l, CcIrBlock *target);  /* ends the block */
void cc_lower_start_block(CcLower *l, CcIrBlock *block); /* falls into it if the present one has no end */
CcReg cc_lower_new_reg(CcLower *l);
void cc_lower_set_loc(CcLower *l, CcLoc loc, bool statement);

/* -- statement.c, switch.c --------------------------------------------------------------------- */

void cc_lower_statement(CcLower *l, CcStmt *statement);
void cc_lower_switch(CcLower *l, CcStmt *statement);
/* A statement expression: all but its value; the last expression, or NULL; to be finished after its value is lowered.
 */
typedef struct CcScopeState {
    uint64_t frame_next;
    CcVla *vla;
    uint32_t first_variable;
} CcScopeState;
CcExpr *cc_lower_statement_expr(CcLower *l, CcExpr *expr, CcScopeState *state);
void cc_lower_statement_expr_end(CcLower *l, const CcScopeState *state);
CcLabelInfo *cc_lower_label_info(CcLower *l, CcLabel *label);
CcValue cc_lower_size(CcLower *l, CcType *type); /* in bytes */
void cc_lower_init(CcLower *l, CcSymbol *symbol, CcAddress address);

/* -- expressions ------------------------------------------------------------------------------- */

CcValue cc_lower_value(CcLower *l, CcExpr *expr); /* scalars */
CcReg cc_lower_reg(CcLower *l, CcExpr *expr);
void cc_lower_effect(CcLower *l, CcExpr *expr);         /* value not wanted; any type */
CcAddress cc_lower_aggregate(CcLower *l, CcExpr *expr); /* structs, unions, arrays; complex lvalues */
void cc_lower_complex(CcLower *l, CcExpr *expr, CcReg part[2]);
void cc_lower_wide(CcLower *l, CcExpr *expr, CcReg part[2]);
void cc_lower_pair(CcLower *l, CcExpr *expr, CcReg part[2]); /* either */
void cc_lower_store_pair(CcLower *l, const CcType *type, CcAddress address, const CcReg part[2]);
/* Whether the wide value is not 0: 0 or 1; the comparison of two. */
CcValue cc_lower_wide_truth(CcLower *l, CcExpr *expr);
CcValue cc_lower_wide_compare(CcLower *l, CcExprKind kind, CcExpr *left, CcExpr *right);
/* left op right, in complex `type`; left[1] is CC_NO_REG if left is real. `function`: the runtime's for products and
 * quotients. */
void cc_lower_complex_op(CcLower *l, CcExprKind op, const CcType *type, CcSymbol *function, const CcReg left[2],
                         CcExpr *right, CcReg part[2]);
/* Any type by address: a fresh copy if `fresh`, which nobody else can see or change. */
CcAddress cc_lower_by_address(CcLower *l, CcExpr *expr, bool fresh);
void cc_lower_branch(CcLower *l, CcExpr *expr, CcIrBlock *yes, CcIrBlock *no);
/* A function of the runtime that returns nothing in a register. */
void cc_lower_runtime_call(CcLower *l, CcSymbol *symbol, const CcReg *arguments, uint32_t n);
/* Whether calls of the function pass slots, and behind how many fixed arguments. `symbol` may be NULL. */
bool cc_lower_is_variadic(const CcSymbol *symbol, const CcType *type, uint32_t *fixed);
CcValue cc_lower_call(CcLower *l, CcExpr *expr);              /* scalar or void result */
CcAddress cc_lower_call_by_address(CcLower *l, CcExpr *expr); /* a buffer of its own */
CcValue cc_lower_builtin(CcLower *l, CcExpr *expr);
CcAddress cc_lower_va_slot(CcLower *l, CcExpr *expr); /* advances the list; where the argument's slot is */
void cc_lower_va_start(CcLower *l, CcExpr *expr);

/* -- place.c ----------------------------------------------------------------------------------- */

CcPlace cc_lower_place(CcLower *l, CcExpr *expr);
CcAddress cc_lower_pointer(CcLower *l, CcExpr *expr); /* the address that a pointer value is */
CcAddress cc_lower_address_of(CcReg base);
CcAddress cc_lower_address_add(CcAddress address, int64_t offset);
CcReg cc_lower_address_reg(CcLower *l, CcAddress address);
CcAddress cc_lower_address_fix(CcLower *l,
                               CcAddress address); /* evaluates parts, so that it can be used several times */
CcReg cc_lower_load(CcLower *l, const CcType *type, CcAddress address);
void cc_lower_store(CcLower *l, const CcType *type, CcAddress address, CcReg value);
CcValue cc_lower_place_load(CcLower *l, const CcPlace *place);
/* Stores a value canonical for the place's type; answers what the place then holds. */
CcValue cc_lower_place_store(CcLower *l, const CcPlace *place, CcValue value);
void cc_lower_copy_memory(CcLower *l, CcAddress to, CcAddress from, uint64_t size);
void cc_lower_clear_memory(CcLower *l, CcAddress to, uint64_t size);
CcPlace cc_lower_place_of(CcType *type, CcAddress address);

/* -- operator.c -------------------------------------------------------------------------------- */

CcClass cc_lower_class(const CcType *type);
CcValue cc_lower_binary_op(CcLower *l, CcExprKind kind, const CcType *type, CcValue left, CcValue right);
CcValue cc_lower_negate(CcLower *l, const CcType *type, CcValue value);
CcValue cc_lower_compare(CcLower *l, CcExprKind kind, const CcType *type, CcValue left, CcValue right);
void cc_lower_branch_compare(CcLower *l, CcExprKind kind, const CcType *type, CcValue left, CcValue right,
                             CcIrBlock *yes, CcIrBlock *no);
CcValue cc_lower_convert(CcLower *l, CcValue value, const CcType *from, const CcType *to);
const CcType *cc_lower_pair_part(const CcType *type); /* of a complex number, or of __int128 */
int64_t cc_lower_real_bits(const CcType *type, double value);
/* Pointer plus or minus elements. */
CcValue cc_lower_pointer_step(CcLower *l, CcValue pointer, CcType *pointer_type, CcValue elements, bool minus);

#endif
