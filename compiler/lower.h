/* lower.h - what the files of lowering share: typed tree (ast.h) to intermediate code (ir.h) and static data.
 *
 *   lower_unit.c        the translation unit: symbols of the module, which functions are needed
 *   lower_data.c        static objects, strings
 *   lower_function.c    parameters, variables, scopes       lower_frame.c    the memory frame
 *   lower_statement.c   statements      lower_switch.c   switch
 *   lower_expression.c  scalar values   lower_operator.c arithmetic, comparisons, conversions
 *   lower_condition.c   branches        lower_place.c    addresses, lvalues, bit-fields
 *   lower_aggregate.c   structs         lower_complex.c  _Complex
 *   lower_call.c        calls, variable arguments, builtins
 *
 * Scalars live in virtual registers, canonical for their type (sign- or zero-extended to 64 bits). Structs, unions and
 * complex numbers live in memory and are handed around by address.
 */
#ifndef ORRERY_COMPILER_LOWER_H
#define ORRERY_COMPILER_LOWER_H

#include "compiler/ir.h"

typedef struct CcDebug CcDebug;

/* A label value in static data, known when its function has been emitted. */
typedef struct CcLabelPatch {
    VcodeSection section;
    uint64_t where;
    unsigned size;
    const CcLabel *label, *minus; /* minus: NULL, or the label whose distance to the first is meant */
} CcLabelPatch;

/* One object file in the making. */
typedef struct CcGenerate {
    CcUnit *unit;
    VcodeModule *module;
    GHashTable *strings; /* CcStringKey -> symbol of the module */
    CcDebug *debug;
    GPtrArray *referred;   /* CcSymbol: in order of first mention, to be defined if they can be */
    GHashTable *addresses; /* CcAddressKey -> index of the constant that holds the address */
    GArray *patches;       /* CcLabelPatch: label values in static data */
    uint32_t *files;       /* unit's file -> module's file, VCODE_NONE: not yet */
    uint32_t zero_string;  /* name of what has none */
    CcArena *expansions;   /* optimise_inline.c: holds the code of functions that may be inlined */
    GPtrArray *delayed;    /* CcSymbol: functions to be made only if something refers to them in the end */
    GByteArray *needed;    /* per symbol of the module: something refers to it */
    GByteArray *foreign;   /* per symbol of the module: CcIrFunction.foreign */
    GHashTable *renamed;   /* link names that declarations give (asm labels, weakref) */
} CcGenerate;

/* What CcSymbol.back points to. */
typedef struct CcStorageInfo {
    enum { CC_IN_MODULE = 1, CC_IN_REGISTER, CC_IN_FRAME, CC_BY_ADDRESS /* in register: the address */ } where;
    uint32_t symbol; /* of the module */
    CcReg reg;
    uint32_t object;               /* of the frame */
    bool emitted;                  /* or, with the optimiser on, about to be */
    struct CcExpansion *expansion; /* function: what can be put in place of a call; NULL: nothing */
    bool described;                /* static local: the debugger knows of it */
} CcStorageInfo;

/* A variable-length array that is alive: how to take it off the stack again. */
typedef struct CcVla {
    struct CcVla *outer;
    CcReg saved; /* stack pointer before it */
    unsigned depth;
} CcVla;

/* What CcLabel.back points to; kept after the function for label values in static data. */
typedef struct CcLabelInfo {
    CcIrBlock *block;
    CcVla *vla;
    bool placed;
    uint32_t pc;
} CcLabelInfo;

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

/* A function as it was lowered; its code lives in f->arena. */
typedef struct CcLowered {
    CcIrFunction *f;
    CcLabelInfo **labels; /* whose values the program takes */
    uint32_t n_labels;
} CcLowered;

/* -- lower_unit.c, lower_data.c ---------------------------------------------------------------- */

uint32_t cc_lower_file(CcGenerate *g, uint32_t file);
uint32_t cc_lower_symbol(CcGenerate *g, CcSymbol *symbol); /* its number in the module */
uint32_t cc_lower_string(CcGenerate *g, const char *bytes, uint64_t size, uint32_t align, CcLoc loc);
uint32_t cc_lower_blob(CcGenerate *g, const uint8_t *bytes, uint64_t size, uint32_t align);
void cc_lower_object(CcGenerate *g, CcSymbol *symbol);
/* Puts the code of a function into the module. */
void cc_define_function(CcGenerate *g, CcSymbol *symbol, const CcLowered *lowered);
/* Whether something in the module refers to the symbol. */
bool cc_is_needed(const CcGenerate *g, uint32_t symbol);
/* C11 6.7.4p7: an inline definition is not an external one. */
bool cc_is_inline_definition(const CcSymbol *symbol);
/* Whether the initialiser element is a number (or string) that can be stored at compile time; `size` bytes at `into`.
 */
bool cc_lower_constant_init(const CcInit *init, uint8_t *into, uint64_t size);
void cc_lower_label_patches(CcGenerate *g);
void cc_reloc(CcGenerate *g, VcodeRelocKind kind, uint32_t symbol, uint64_t where, int64_t addend, uint32_t file,
              uint32_t line);

/* -- lower_function.c -------------------------------------------------------------------------- */

CcLowered cc_lower_function(CcGenerate *g, CcSymbol *symbol);
/* Optimises and emits a function and frees its code. */
void cc_finish_function(CcGenerate *g, const CcLowered *lowered);
CcStorageInfo *cc_lower_variable(CcLower *l, CcSymbol *symbol); /* makes room at first sight */
/* -- lower_frame.c ----------------------------------------------------------------------------- */

/* A new object of the memory frame. */
uint32_t cc_frame_object(CcLower *l, uint64_t size, uint32_t align, CcType *type);
CcAddress cc_frame_address(uint32_t object);
CcAddress cc_frame_temporary(CcLower *l, uint64_t size, uint32_t align);
uint64_t cc_align_up(uint64_t value, uint64_t align);
/* Closes the gaps that objects leave that nothing refers to any more. */
void cc_frame_pack(CcIrFunction *f);
/* Gives the objects their places and resolves CC_IR_FRAME. */
void cc_frame_finish(CcIrFunction *f, int level);

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

CcIrInstr *cc_emit(CcLower *l, unsigned op);
CcReg cc_emit_rr(CcLower *l, unsigned op, CcReg b);
CcReg cc_emit_rrr(CcLower *l, unsigned op, CcReg b, CcReg c);
CcReg cc_emit_rri(CcLower *l, unsigned op, CcReg b, int64_t imm);
CcReg cc_emit_constant(CcLower *l, int64_t value);
/* dst = src where src is a value that nobody needs afterwards. */
void cc_emit_move(CcLower *l, CcReg dst, CcValue src);
CcReg cc_reg(CcLower *l, CcValue value);
void cc_emit_jump(CcLower *l, CcIrBlock *target);  /* ends the block */
void cc_start_block(CcLower *l, CcIrBlock *block); /* falls into it if the present one has no end */
CcReg cc_new_reg(CcLower *l);
void cc_set_loc(CcLower *l, CcLoc loc, bool statement);

/* -- lower_statement.c, lower_switch.c --------------------------------------------------------- */

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
void cc_lower_statement_expr_end(CcLower *l, CcStmt *block, const CcScopeState *state);
CcLabelInfo *cc_label_info(CcLower *l, CcLabel *label);
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
void cc_store_pair(CcLower *l, const CcType *type, CcAddress address, const CcReg part[2]);
/* Whether the wide value is not 0: 0 or 1; the comparison of two. */
CcValue cc_wide_truth(CcLower *l, CcExpr *expr);
CcValue cc_wide_compare(CcLower *l, CcExprKind kind, CcExpr *left, CcExpr *right);
/* left op right, in complex `type`; left[1] is CC_NO_REG if left is real. `function`: the runtime's for products and
 * quotients. */
void cc_complex_op(CcLower *l, CcExprKind op, const CcType *type, CcSymbol *function, const CcReg left[2],
                   CcExpr *right, CcReg part[2]);
/* Any type by address: a fresh copy if `fresh`, which nobody else can see or change. */
CcAddress cc_lower_by_address(CcLower *l, CcExpr *expr, bool fresh);
void cc_lower_branch(CcLower *l, CcExpr *expr, CcIrBlock *yes, CcIrBlock *no);
/* A function of the runtime that returns nothing in a register. */
void cc_lower_runtime_call(CcLower *l, CcSymbol *symbol, const CcReg *arguments, uint32_t n);
/* Whether calls of the function pass slots, and behind how many fixed arguments. `symbol` may be NULL. */
bool cc_is_variadic(const CcSymbol *symbol, const CcType *type, uint32_t *fixed);
CcValue cc_lower_call(CcLower *l, CcExpr *expr);              /* scalar or void result */
CcAddress cc_lower_call_by_address(CcLower *l, CcExpr *expr); /* a buffer of its own */
CcValue cc_lower_builtin(CcLower *l, CcExpr *expr);
CcAddress cc_lower_va_slot(CcLower *l, CcExpr *expr); /* advances the list; where the argument's slot is */
void cc_lower_va_start(CcLower *l, CcExpr *expr);

/* -- lower_place.c ----------------------------------------------------------------------------- */

CcPlace cc_lower_place(CcLower *l, CcExpr *expr);
CcAddress cc_lower_pointer(CcLower *l, CcExpr *expr); /* the address that a pointer value is */
CcAddress cc_address_of(CcReg base);
CcAddress cc_address_add(CcAddress address, int64_t offset);
CcReg cc_address_reg(CcLower *l, CcAddress address);
CcAddress cc_address_fix(CcLower *l, CcAddress address); /* evaluates parts, so that it can be used several times */
CcReg cc_load(CcLower *l, const CcType *type, CcAddress address);
void cc_store(CcLower *l, const CcType *type, CcAddress address, CcReg value);
CcValue cc_place_load(CcLower *l, const CcPlace *place);
/* Stores a value canonical for the place's type; answers what the place then holds. */
CcValue cc_place_store(CcLower *l, const CcPlace *place, CcValue value);
void cc_copy_memory(CcLower *l, CcAddress to, CcAddress from, uint64_t size);
void cc_clear_memory(CcLower *l, CcAddress to, uint64_t size);
CcPlace cc_place_of(CcType *type, CcAddress address);

/* -- lower_operator.c -------------------------------------------------------------------------- */

CcClass cc_class(const CcType *type);
CcValue cc_binary_op(CcLower *l, CcExprKind kind, const CcType *type, CcValue left, CcValue right);
CcValue cc_negate(CcLower *l, const CcType *type, CcValue value);
CcValue cc_compare(CcLower *l, CcExprKind kind, const CcType *type, CcValue left, CcValue right);
void cc_branch_compare(CcLower *l, CcExprKind kind, const CcType *type, CcValue left, CcValue right, CcIrBlock *yes,
                       CcIrBlock *no);
CcValue cc_convert_value(CcLower *l, CcValue value, const CcType *from, const CcType *to);
CcType *cc_complex_part(const CcType *type);    /* a type with the kind of the parts */
const CcType *cc_pair_part(const CcType *type); /* the same, also of __int128 */
int64_t cc_real_bits(const CcType *type, double value);
/* Pointer plus or minus elements. */
CcValue cc_pointer_step(CcLower *l, CcValue pointer, CcType *pointer_type, CcValue elements, bool minus);

/* -- optimise_inline.c ------------------------------------------------------------------------- */

/* Makes a function, and before it those that it calls and that may be inlined into it. */
void cc_make_function(CcGenerate *g, CcSymbol *symbol);
/* Makes the functions that were put off until it is known whether all their calls were inlined. */
void cc_make_delayed(CcGenerate *g);

/* -- optimise_scalars.c ------------------------------------------------------------------------ */

/* Objects of the frame that only this function knows become registers; once before the function is inlined, and once
 * when nothing will be inlined any more. */
void cc_replace_scalars(CcIrFunction *f, bool last);
/* Small block operations become loads and stores. */
void cc_expand_blocks(CcIrFunction *f);

/* -- emit.c, debug_info.c ---------------------------------------------------------------------- */

void cc_emit_function(CcGenerate *g, CcIrFunction *f);
CcDebug *cc_debug_new(CcGenerate *g);
void cc_debug_free(CcDebug *debug);
uint32_t cc_debug_type(CcDebug *debug, CcType *type);
/* The records of a function's expansions; number of the first. */
uint32_t cc_debug_inlines(CcDebug *debug, const CcIrFunction *f, uint32_t function);
void cc_debug_line(CcDebug *debug, uint32_t pc, CcLoc loc, uint16_t flags, uint32_t inlined);
void cc_debug_global(CcDebug *debug, CcSymbol *symbol, uint32_t module_symbol);
/* Where an emitted function's instructions are: pc of the first and behind the last instruction of each place in the
 * source (CcIrFunction.locs; low > high: none), and of each position (registers.c). */
typedef struct CcCodeMap {
    uint32_t *loc_low, *loc_high;
    uint32_t *position_pc;
    uint32_t n_positions;
    uint32_t first_inlined; /* record of the first expansion */
} CcCodeMap;
/* Records the objects of a function's frame, before its code is emitted. */
void cc_debug_objects(CcDebug *debug, CcIrFunction *f, uint32_t function);
void cc_debug_variables(CcDebug *debug, const CcIrFunction *f, uint32_t function, const CcCodeMap *map);

#endif
