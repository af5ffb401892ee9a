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
 * complex numbers live in memory and are passed around by address.
 */
#ifndef ORRERY_COMPILER_LOWERING_H
#define ORRERY_COMPILER_LOWERING_H

#include "compiler/ir/ir.h"
#include "compiler/lower/lower.h"
#include "compiler/object/object.h"
#include "compiler/tree/tree.h"

/* A variable-length array that is alive at this point of the source. */
typedef struct CcVla {
    struct CcVla *outer; /* next array outwards, or NULL */
    CcReg saved;         /* stack pointer before the array was allocated */
    unsigned depth;      /* nesting depth; 1: outermost */
} CcVla;

/* A goto whose label may be outside the scopes of some VLAs. It is settled at the end of the function, when the label
 * is known. */
typedef struct CcPendingGoto {
    CcIrBlock *block; /* the block that the jump ends */
    CcVla *vla;       /* innermost array alive at the goto */
    CcLabelInfo *label;
} CcPendingGoto;

/* The innermost statement that break or continue applies to. */
typedef struct CcTarget {
    struct CcTarget *outer;
    CcIrBlock *on_break, *on_continue; /* on_continue is NULL in a switch */
    CcVla *vla;                        /* innermost array alive outside of the statement */
} CcTarget;

/* The state of lowering one function. */
typedef struct CcLower {
    CcGenerate *generate;
    CcIrFunction *f;
    CcIrBlock *block;                /* code is appended to it; never NULL */
    uint32_t loc;                    /* index into f->locs */
    CcType *result;                  /* return type of the function */
    CcReg result_address;            /* register of the hidden first parameter, or CC_NO_REG */
    CcReg variable_arguments;        /* register of the parameter with the slots' address */
    bool in_memory;                  /* every variable lives in the memory frame */
    uint64_t frame_next, frame_high; /* end of the used part of the frame now, and at most; in bytes */
    bool frame_kept;                 /* a variable was created, so the statement must not release its memory */
    CcVla *vla;
    CcTarget *target;
    CcPendingGoto *gotos;
    uint32_t n_gotos, gotos_capacity;
    CcLabelInfo **labels;
    uint32_t n_labels, labels_capacity; /* labels whose address the program takes */
} CcLower;

/* A scalar value: a constant or a register. */
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

/* An address: symbol, object or base, + (index << shift) + offset. Each part may be absent. */
typedef struct CcAddress {
    uint32_t symbol; /* index in the module, or VCODE_NONE */
    uint32_t object; /* 1 + index of the object in the frame; 0: none */
    CcReg base, index;
    uint8_t shift;
    int64_t offset;
    bool volatile_;
    bool unaligned; /* of a member of a packed struct */
    uint8_t mark;   /* of an atomic object: see CcExpr */
} CcAddress;

/* An lvalue. */
typedef struct CcPlace {
    CcType *type;
    bool in_register;
    CcReg reg;
    CcAddress address;
    uint8_t bit_offset, bit_width; /* bit_width 0: no bit-field */
    uint8_t reach;                 /* bit-field: an access may touch this many bytes from the address on */
} CcPlace;

/* The kind of register arithmetic that an arithmetic or pointer type uses: width and sign, or real. */
typedef enum CcClass { CC_CLASS_W, CC_CLASS_UW, CC_CLASS_L, CC_CLASS_UL, CC_CLASS_F, CC_CLASS_D } CcClass;

/* -- data.c ------------------------------------------------------------------------------------ */

uint32_t cc_lower_string(CcGenerate *g, const char *bytes, uint64_t size, uint32_t align, CcLoc loc);
uint32_t cc_lower_blob(CcGenerate *g, const uint8_t *bytes, uint64_t size, uint32_t align);
/* Writes the initialiser element to its offset within the `size` bytes at `into`. Returns false if it is not a number
 * or a string, so that it cannot be stored at compile time. */
bool cc_lower_constant_init(const CcInit *init, uint8_t *into, uint64_t size);

/* -- function.c -------------------------------------------------------------------------------- */

CcStorageInfo *cc_lower_variable(CcLower *l, CcSymbol *symbol); /* creates the variable when first called */
/* -- the memory frame (function.c) ------------------------------------------------------------- */

CcAddress cc_lower_frame_address(uint32_t object);
CcAddress cc_lower_frame_temporary(CcLower *l, uint64_t size, uint32_t align);

/* Returns whether values of the type are computed in two registers. */
static inline bool cc_is_pair(const CcType *t)
{
    return cc_is_complex(t) || cc_is_wide(t);
}
/* Returns whether results and arguments of the type travel by address. */
static inline bool cc_by_address(const CcType *t)
{
    return cc_is_aggregate(t) || cc_is_pair(t);
}

CcIrInstr *cc_lower_emit(CcLower *l, unsigned op);
CcReg cc_lower_emit_rr(CcLower *l, unsigned op, CcReg b);
CcReg cc_lower_emit_rrr(CcLower *l, unsigned op, CcReg b, CcReg c);
CcReg cc_lower_emit_rri(CcLower *l, unsigned op, CcReg b, int64_t imm);
CcReg cc_lower_emit_constant(CcLower *l, int64_t value);
/* Sets dst to src. The value of src must not be used afterwards. */
void cc_lower_emit_move(CcLower *l, CcReg dst, CcValue src);
CcReg cc_lower_to_reg(CcLower *l, CcValue value);
void cc_lower_emit_jump(CcLower *l, CcIrBlock *target);  /* ends the current block */
void cc_lower_start_block(CcLower *l, CcIrBlock *block); /* the current block falls into it, unless it already ends */
CcReg cc_lower_new_reg(CcLower *l);
void cc_lower_set_loc(CcLower *l, CcLoc loc, bool statement);

/* -- statement.c, switch.c --------------------------------------------------------------------- */

void cc_lower_statement(CcLower *l, CcStmt *statement);
void cc_lower_switch(CcLower *l, CcStmt *statement);
/* The scope of a statement expression. cc_lower_statement_expr() lowers all but its value and returns the last
 * expression, or NULL. The caller lowers that, and then calls cc_lower_statement_expr_end(). */
typedef struct CcScopeState {
    uint64_t frame_next;
    CcVla *vla;
    uint32_t first_variable;
} CcScopeState;
CcExpr *cc_lower_statement_expr(CcLower *l, CcExpr *expr, CcScopeState *state);
void cc_lower_statement_expr_end(CcLower *l, const CcScopeState *state);
CcLabelInfo *cc_lower_label_info(CcLower *l, CcLabel *label);
CcValue cc_lower_size(CcLower *l, CcType *type); /* size of the type in bytes */
void cc_lower_init(CcLower *l, CcSymbol *symbol, CcAddress address);

/* -- expressions ------------------------------------------------------------------------------- */

CcValue cc_lower_value(CcLower *l, CcExpr *expr); /* scalars only */
CcReg cc_lower_reg(CcLower *l, CcExpr *expr);
void cc_lower_effect(CcLower *l, CcExpr *expr);         /* for side effects only; any type */
CcAddress cc_lower_aggregate(CcLower *l, CcExpr *expr); /* structs, unions, arrays and complex lvalues */
void cc_lower_complex(CcLower *l, CcExpr *expr, CcReg part[2]);
void cc_lower_wide(CcLower *l, CcExpr *expr, CcReg part[2]);
void cc_lower_pair(CcLower *l, CcExpr *expr, CcReg part[2]); /* complex or wide */
void cc_lower_store_pair(CcLower *l, const CcType *type, CcAddress address, const CcReg part[2]);
/* Returns whether the wide value is not 0, as 0 or 1. */
CcValue cc_lower_wide_truth(CcLower *l, CcExpr *expr);
/* Returns the comparison of two wide values, as 0 or 1. */
CcValue cc_lower_wide_compare(CcLower *l, CcExprKind kind, CcExpr *left, CcExpr *right);
/* Computes left op right in complex `type`. left[1] is CC_NO_REG if left is real. `function` is the runtime's function
 * for products or quotients. */
void cc_lower_complex_op(CcLower *l, CcExprKind op, const CcType *type, CcSymbol *function, const CcReg left[2],
                         CcExpr *right, CcReg part[2]);
/* Lowers a value of any type to an address. With `fresh` it is a copy that nobody else can see or change. */
CcAddress cc_lower_by_address(CcLower *l, CcExpr *expr, bool fresh);
void cc_lower_branch(CcLower *l, CcExpr *expr, CcIrBlock *yes, CcIrBlock *no);
/* Calls a function of the runtime that returns nothing in a register. */
void cc_lower_runtime_call(CcLower *l, CcSymbol *symbol, const CcReg *arguments, uint32_t n);
/* Returns whether calls of the function pass slots, and sets *fixed to the number of fixed arguments. `symbol` may be
 * NULL. */
bool cc_lower_is_variadic(const CcSymbol *symbol, const CcType *type, uint32_t *fixed);
CcValue cc_lower_call(CcLower *l, CcExpr *expr);              /* for a scalar or void result */
CcAddress cc_lower_call_by_address(CcLower *l, CcExpr *expr); /* the result lies in a buffer of its own */
CcValue cc_lower_builtin(CcLower *l, CcExpr *expr);
CcAddress cc_lower_va_slot(CcLower *l, CcExpr *expr); /* advances the list; returns the slot of the argument */
void cc_lower_va_start(CcLower *l, CcExpr *expr);

/* -- place.c ----------------------------------------------------------------------------------- */

CcPlace cc_lower_place(CcLower *l, CcExpr *expr);
CcAddress cc_lower_pointer(CcLower *l, CcExpr *expr); /* the address that the pointer holds */
CcAddress cc_lower_address_of(CcReg base);
CcAddress cc_lower_address_add(CcAddress address, int64_t offset);
CcReg cc_lower_address_reg(CcLower *l, CcAddress address);
CcAddress cc_lower_address_fix(CcLower *l, CcAddress address); /* evaluates parts, so that it can be used again */
CcReg cc_lower_load(CcLower *l, const CcType *type, CcAddress address);
void cc_lower_store(CcLower *l, const CcType *type, CcAddress address, CcReg value);
CcValue cc_lower_place_load(CcLower *l, const CcPlace *place);
/* Stores a value that is canonical for the place's type. Returns the value that the place then holds. */
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
const CcType *cc_lower_pair_part(const CcType *type); /* type of one part of a complex number or __int128 */
int64_t cc_lower_real_bits(const CcType *type, double value);
/* Returns pointer + elements, or pointer - elements if `minus`. */
CcValue cc_lower_pointer_step(CcLower *l, CcValue pointer, CcType *pointer_type, CcValue elements, bool minus);

#endif
