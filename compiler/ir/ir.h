/* ir.h - the intermediate code between the typed tree and vCode.
 *
 *   typed tree --lower/--> CcIrFunction --optimise/--> CcIrFunction --emit/registers.c--> assigned --emit/emit.c-->
 * vCode
 *
 * A function is a list of basic blocks of three-address instructions on virtual registers. There are as many virtual
 * registers as one likes; each may be set several times (no SSA form). The operations are those of vCode, with the same
 * meaning and the same operand fields, so that an instruction is typed by its operation, plus a few of our own (enum
 * CcIrOp). Unlike in vCode
 *   - immediates and displacements are 64 bits wide; cc_optimise_legalise() makes registers of those that do not fit;
 *   - a block ends with exactly one jump, branch, switch, return or trap; both ways out of a branch are named
 *     (target[0] where its condition holds, target[1] otherwise), whatever is laid out next;
 *   - a call is one instruction with a list of arguments; where its window lies is decided in registers.c.
 *
 * Every instruction knows its place in the source (an index into CcIrFunction.locs), so passes may move, copy and drop
 * instructions without a thought for the line table.
 */
#ifndef ORRERY_COMPILER_IR_H
#define ORRERY_COMPILER_IR_H

#include "compiler/tree/tree.h"

typedef uint32_t CcReg; /* virtual register */
#define CC_NO_REG UINT32_MAX

/* Operations that vCode does not have; numbered after VcodeOp. */
enum CcIrOp {
    CC_IR_CONSTANT = VCODE_OP_COUNT, /* a = imm */
    CC_IR_ADDRESS,                   /* a = address of the module's symbol `extra` + imm */
    CC_IR_LABEL,                     /* a = label value of block number `extra` */
    CC_IR_CALL,                      /* a (or CC_NO_REG) = result of calls[extra] */
    CC_IR_PHI,                       /* a = the one of phis[extra] that belongs to the way taken here; see ssa.h */
    CC_IR_FRAME,                     /* a = address of objects[extra] + imm; until cc_ir_frame_finish() */
    CC_IR_OP_COUNT,
};

typedef struct CcIrInstr {
    uint16_t op;        /* VcodeOp or CcIrOp */
    uint8_t n;          /* shift of indexed forms */
    bool volatile_ : 1; /* memory access that must stay as it is */
    bool unaligned : 1; /* memory access that may be at any address: to a packed struct, or a copy of bytes */
    bool moved : 1;     /* away from its statement: a debugger does not stop here for it */
    CcReg a, b, c;      /* as in vCode */
    uint32_t loc;       /* index into locs[] */
    uint32_t extra;     /* of vCode's computations and accesses: CcIrInstr reads the frame's register, for the address
                           of objects[extra - 1]; 0: of none, or nobody knows. No pass may depend on it */
    int64_t imm;        /* immediate, displacement, bytes of a block operation, trap */
} CcIrInstr;

/* CcIrInstr.n of a store with displacement until cc_ir_frame_finish(): the register is extended with its sign. */
enum { CC_STORES_SIGNED = 1 };

typedef struct CcIrBlock {
    uint32_t index; /* in CcIrFunction.blocks */
    uint32_t count, capacity;
    CcIrInstr *items;
    struct CcIrBlock *target[2];
    struct CcIrBlock *next; /* in layout order */
    bool placed;            /* is in the layout */
    bool address_taken;     /* computed goto can get here */
    /* for passes */
    uint32_t predecessors;
    bool reached;
    uint32_t first_position; /* registers.c: position of the first instruction */
    uint32_t depth;          /* loops around it */
    uint32_t pc;             /* emit.c */
    bool is_target;
    /* ssa.h: flow graph and SSA form */
    struct CcIrBlock **predecessor, **successor; /* each once */
    uint32_t n_predecessors, n_successors;
    struct CcIrBlock *dominator, *first_dominated, *next_dominated;
    uint32_t order;                        /* in reverse postorder, from 0; CC_UNREACHED */
    uint32_t dominates_from, dominates_to; /* preorder numbers of its part of the dominator tree */
    struct CcNode *head, *tail;
    struct CcLoop *loop; /* innermost that it is in */
    uint32_t mark;
} CcIrBlock;
#define CC_UNREACHED UINT32_MAX

typedef struct CcIrCall {
    uint32_t symbol;    /* of the module, or VCODE_NONE: through `callee` */
    CcSymbol *function; /* the same in the tree, or NULL */
    CcReg callee;
    uint32_t n;
    CcReg *arguments;
    uint16_t passing; /* form of the arguments (vcode/calling.h); the room of VCODE_PASS_ROOM is the last of them */
    uint32_t window;  /* registers.c */
} CcIrCall;

typedef struct CcIrSwitch {
    int64_t low;
    uint32_t n;
    CcIrBlock **targets;
    CcIrBlock *otherwise;
} CcIrSwitch;

typedef struct CcIrPhi {
    uint32_t n; /* predecessors of its block, in their order */
    CcReg *arguments;
} CcIrPhi;

typedef struct CcIrLoc {
    CcLoc loc;
    bool statement;   /* first instruction of a statement: a debugger may stop */
    uint32_t inlined; /* 1 + the expansion (CcIrFunction.inlines) that it is in; 0: none */
    uint32_t part_of; /* a call: the place of its statement, which starts here if it has no other code; 0: none */
} CcIrLoc;

/* A call that was replaced by the body of the function. */
typedef struct CcIrInline {
    CcSymbol *symbol;
    uint32_t call; /* place of the call: index into locs[] */
} CcIrInline;

/* Something in the memory frame. Objects that live at different times may share their place. */
typedef struct CcIrObject {
    uint64_t offset, size;
    CcType *type;     /* of a variable; NULL: a temporary */
    CcSymbol *symbol; /* the variable; NULL: a temporary. Known after cc_ir_frame_finish() */
    bool used;        /* it has its place. The same */
    uint32_t record;  /* emit.c: 1 + the object of the module; 0: none */
} CcIrObject;

/* A register that no variable's value is in, only copies of what is; one that holds several. */
#define CC_ORIGIN_ANY  0u
#define CC_ORIGIN_NONE UINT32_MAX

/* What is known of a virtual register. */
typedef struct CcIrReg {
    bool variable;       /* a variable of the program: may be set and read at any distance */
    bool pinned;         /* keeps its place for the whole function (the debugger finds it, longjmp comes back to it) */
    uint32_t origin;     /* after optimising: CC_ORIGIN_ANY, CC_ORIGIN_NONE, or 1 + register of the variable it holds */
    uint32_t place;      /* registers.c: register of the frame */
    uint32_t start, end; /* registers.c: positions */
} CcIrReg;

/* A variable for the debugger: where it is and the part of the code where it is in scope: instructions whose place in
 * the source is locs[loc_low .. loc_high). Places are numbered in order of lowering, so a scope is a range of them. */
typedef struct CcIrVariable {
    CcSymbol *symbol;
    uint32_t location; /* VcodeLocation */
    CcReg reg;
    int64_t where; /* object of the frame (cc_ir_frame_finish(): its offset), or symbol of the module */
    uint32_t loc_low, loc_high;
    uint32_t inlined;  /* as CcIrLoc.inlined */
    uint32_t n_pieces; /* VCODE_AT_PLACES: pieces[where .. where + n_pieces) hold it, and nobody what is in none */
} CcIrVariable;

/* Some bytes of a variable, in a register. */
typedef struct CcIrPiece {
    CcReg reg;
    uint32_t offset, size;
} CcIrPiece;

/* The value of a variable that has only one. */
typedef struct CcIrConstant {
    bool known;
    int64_t bits;
} CcIrConstant;

/* What a symbol of the module stands for is not settled in this unit: the object may have other names elsewhere. */
typedef enum CcForeign { CC_FOREIGN = 1, CC_FOREIGN_OR_ABSENT = 2 /* its address may be 0 */ } CcForeign;

typedef struct CcIrFunction {
    CcArena *arena;
    CcSymbol *symbol;
    uint32_t symbol_index; /* in the module */
    const VcodeModule *module;
    const GByteArray *foreign; /* per symbol of the module: CcForeign; not there: 0 */
    CcIrBlock **blocks;
    uint32_t n_blocks, blocks_capacity;
    CcIrBlock *first, *last; /* layout */
    CcIrReg *regs;
    uint32_t n_regs, regs_capacity;
    CcIrCall *calls;
    uint32_t n_calls, calls_capacity;
    CcIrSwitch *switches;
    uint32_t n_switches, switches_capacity;
    CcIrPhi *phis;
    uint32_t n_phis, phis_capacity;
    CcIrLoc *locs;
    uint32_t n_locs, locs_capacity;
    CcIrVariable *variables;
    uint32_t n_variables, variables_capacity;
    uint32_t n_parameters; /* virtual registers 0 .. n-1 are what the caller passes */
    CcReg frame;           /* address of the memory frame, set by ENTER, the first instruction */
    uint64_t frame_bytes;
    CcIrObject *objects;
    uint32_t n_objects, objects_capacity;
    CcIrPiece *pieces;
    uint32_t n_pieces, pieces_capacity;
    CcIrInline *inlines;
    uint32_t n_inlines, inlines_capacity;
    bool variadic, returns_twice;
    bool in_values; /* was in SSA form: a variable's value is where CcIrReg.origin says ... */
    CcReg *equals;  /* ... or, if it is set once, in this register, or CC_NO_REG */
    uint32_t n_equals;
    CcIrConstant *constants;  /* ... or is this; NULL: not known */
    struct CcLiveRange *live; /* registers.c: per register */
} CcIrFunction;

/* -- ir.c -------------------------------------------------------------------------------------- */

#define CC_IR_PUSH(f, field)                                                                                           \
    (cc_arena_grow((f)->arena, (void **)&(f)->field, (f)->n_##field, &(f)->field##_capacity, sizeof *(f)->field),      \
     &(f)->field[(f)->n_##field++])

CcIrFunction *cc_ir_function_new(CcArena *arena);
CcIrBlock *cc_ir_block_new(CcIrFunction *f);
void cc_ir_place(CcIrFunction *f, CcIrBlock *block); /* appends the block to the layout */
CcReg cc_ir_reg(CcIrFunction *f);
CcIrInstr *cc_ir_append(CcIrFunction *f, CcIrBlock *block, unsigned op);
CcIrInstr *cc_ir_insert(CcIrFunction *f, CcIrBlock *block, uint32_t at, unsigned op);

VcodeForm cc_ir_form(unsigned op); /* CC_IR_CONSTANT ... look like RI32 */
/* The register that the instruction sets, or CC_NO_REG. */
CcReg cc_ir_defined(const CcIrInstr *i);
/* The registers that it reads: up to 3 in fields, and a call's arguments. */
typedef struct CcIrUses {
    CcReg *field[3];
    unsigned n;
    CcReg *list;
    unsigned n_list;
} CcIrUses;
CcIrUses cc_ir_uses(const CcIrFunction *f, CcIrInstr *i);
/* Whether nothing is lost if it goes and nobody reads what it sets. */
bool cc_ir_is_pure(const CcIrInstr *i);
bool cc_ir_ends_block(unsigned op);
static inline VcodeKind cc_ir_kind(unsigned op)
{
    return op < VCODE_OP_COUNT ? vcode_op_info[op].kind : VCODE_KIND_OTHER;
}
static inline bool cc_ir_is_branch(unsigned op)
{
    return cc_ir_kind(op) == VCODE_KIND_BRANCH || cc_ir_kind(op) == VCODE_KIND_BRANCH_REAL;
}
static inline CcIrInstr *cc_ir_last(const CcIrBlock *b)
{
    return b->count ? &b->items[b->count - 1] : NULL;
}
/* The branch that goes where `i` does not; may exchange operands. */
void cc_ir_invert(CcIrInstr *i);
/* Calls visit for every block that control can reach from the end of `block` (computed gotos included). */
void cc_ir_successors(CcIrFunction *f, CcIrBlock *block, void (*visit)(CcIrBlock *successor, void *user), void *user);
/* Prints a function (--dump=ir). */
void cc_ir_dump(const CcIrFunction *f, const VcodeModule *module, FILE *out);

/* -- frame.c ----------------------------------------------------------------------------------- */

static inline uint64_t cc_align_up(uint64_t value, uint64_t align)
{
    return (value + align - 1) & ~(align - 1);
}
/* Closes the gaps that objects leave that nothing refers to any more. */
void cc_ir_frame_pack(CcIrFunction *f);
/* Gives the objects their places and resolves CC_IR_FRAME; `pack`: only those that something refers to. */
void cc_ir_frame_finish(CcIrFunction *f, bool pack);

/* -- live_ranges.c: where registers hold values that are still wanted -------------------------- */

typedef struct CcLiveSegment {
    uint32_t start, end; /* positions, both inside */
} CcLiveSegment;

typedef struct CcLiveRange {
    CcLiveSegment *items; /* ascending, apart */
    uint32_t n;
} CcLiveRange;

/* One range per register; also sets first_position of every block. In the arena. */
CcLiveRange *cc_live_ranges(CcIrFunction *f, CcArena *arena);
bool cc_live_ranges_meet(const CcLiveRange *a, const CcLiveRange *b);
CcLiveRange cc_live_ranges_join(CcArena *arena, const CcLiveRange *a, const CcLiveRange *b);

#endif
