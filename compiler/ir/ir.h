/* ir.h - the intermediate code between the typed tree and vCode.
 *
 *   typed tree --lower/--> CcIrFunction --optimise/--> CcIrFunction
 *      --emit/registers.c--> registers assigned --emit/emit.c--> vCode
 *
 * A function is a list of basic blocks. Their instructions have three addresses and work on virtual registers. The
 * number of virtual registers is not limited, and each may be set several times (no SSA form). The operations are those
 * of vCode, with the same meaning and operand fields, so the operation gives an instruction its type. A few operations
 * are added (enum CcIrOp). Unlike in vCode
 *   - immediates and displacements are 64 bits wide; cc_optimise_legalise() moves those that do not fit to registers;
 *   - a block ends with exactly one jump, branch, switch, return or trap; a branch names both targets (target[0] if its
 *     condition holds, target[1] otherwise), whatever comes next in the layout;
 *   - a call is one instruction with a list of arguments; registers.c decides where its window lies.
 *
 * Every instruction carries its source location (an index into CcIrFunction.locs). So passes may move, copy and drop
 * instructions without updating the line table.
 */
#ifndef ORRERY_COMPILER_IR_H
#define ORRERY_COMPILER_IR_H

#include "compiler/tree/tree.h"

typedef uint32_t CcReg; /* number of a virtual register */
#define CC_NO_REG UINT32_MAX

/* Operations that vCode does not have. They are numbered after VcodeOp. */
enum CcIrOp {
    CC_IR_CONSTANT = VCODE_OP_COUNT, /* a = imm */
    CC_IR_ADDRESS,                   /* a = address of the module's symbol `extra` + imm */
    CC_IR_LABEL,                     /* a = label value of block number `extra` */
    CC_IR_CALL,                      /* a (or CC_NO_REG) = result of calls[extra] */
    CC_IR_PHI,   /* a = the argument of phis[extra] for the predecessor that control came from; see ssa.h */
    CC_IR_FRAME, /* a = address of objects[extra] + imm; exists until cc_ir_frame_finish() */
    CC_IR_OP_COUNT,
};

typedef struct CcIrInstr {
    uint16_t op;        /* VcodeOp or CcIrOp */
    uint8_t n;          /* shift of the indexed forms; see also CC_STORES_SIGNED */
    bool volatile_ : 1; /* a volatile memory access, which must stay as it is */
    bool unaligned : 1; /* a memory access at any address, aligned or not: to a packed struct, or a copy of bytes */
    bool moved : 1;     /* was moved away from its statement, so the debugger does not stop here for the statement */
    uint8_t mark;       /* what an access is to other threads: VCODE_MARK_* */
    CcReg a, b, c;      /* operands, as in vCode */
    uint32_t loc;       /* source location: index into locs[] */
    uint32_t extra;     /* for vCode's computations and accesses: the instruction reads the frame's register to form the
                           address of objects[extra - 1]; 0: no object, or unknown. No pass may depend on it */
    int64_t imm;        /* immediate, displacement, byte count of a block operation, or trap code */
} CcIrInstr;

/* Value of CcIrInstr.n in a store with displacement, until cc_ir_frame_finish(): the stored register is
 * sign-extended. */
enum { CC_STORES_SIGNED = 1 };

/* A basic block. Its last instruction, and no other, is a jump, branch, switch, return or trap. */
typedef struct CcIrBlock {
    uint32_t index; /* index in CcIrFunction.blocks */
    uint32_t count, capacity;
    CcIrInstr *items;
    struct CcIrBlock *target[2]; /* of a jump or branch; [0] if the condition holds */
    struct CcIrBlock *next;      /* next block in layout order */
    bool placed;                 /* is in the layout */
    bool address_taken;          /* a computed goto can reach it */
    /* Scratch fields of passes. */
    uint32_t predecessors;
    bool reached;
    uint32_t first_position; /* registers.c: position of the first instruction */
    uint32_t depth;          /* number of loops around it */
    uint32_t pc;             /* emit.c: offset of its code within the function */
    /* Flow graph and SSA form (ssa.h). */
    struct CcIrBlock **predecessor, **successor; /* each block is listed once */
    uint32_t n_predecessors, n_successors;
    struct CcIrBlock *dominator, *first_dominated, *next_dominated;
    uint32_t order;                        /* index in reverse postorder, from 0; CC_UNREACHED if not reachable */
    uint32_t dominates_from, dominates_to; /* range of preorder numbers of the blocks that it dominates */
    struct CcNode *head, *tail;
    struct CcLoop *loop; /* innermost loop that contains it */
    uint32_t mark;
} CcIrBlock;
#define CC_UNREACHED UINT32_MAX

/* A call; CC_IR_CALL refers to it. */
typedef struct CcIrCall {
    uint32_t symbol;    /* index of the callee's symbol in the module, or VCODE_NONE: called through `callee` */
    CcSymbol *function; /* the callee's symbol in the tree, or NULL */
    CcReg callee;       /* register with the callee's address, if `symbol` is VCODE_NONE */
    uint32_t n;         /* number of arguments */
    CcReg *arguments;
    uint16_t passing; /* form of the arguments (vcode/calling.h); the room of VCODE_PASS_ROOM is the last argument */
    uint32_t window;  /* registers.c: first register of the window */
} CcIrCall;

/* A jump table: the value low + k goes to targets[k]. */
typedef struct CcIrSwitch {
    int64_t low;
    uint32_t n;
    CcIrBlock **targets;
    CcIrBlock *otherwise; /* target of any other value */
} CcIrSwitch;

/* The arguments of a CC_IR_PHI. */
typedef struct CcIrPhi {
    uint32_t n; /* number of predecessors of its block; arguments have the predecessors' order */
    CcReg *arguments;
} CcIrPhi;

/* A source location of code. */
typedef struct CcIrLoc {
    CcLoc loc;
    bool statement;   /* a statement starts here, so a debugger may stop */
    uint32_t inlined; /* 1 + index of the expansion (CcIrFunction.inlines) that contains it; 0: none */
    uint32_t part_of; /* for a call: location of its statement, which starts at the call if no code of it came before;
                         0: none */
} CcIrLoc;

/* An expansion: a call that was replaced by the body of the function. */
typedef struct CcIrInline {
    CcSymbol *symbol;
    uint32_t call; /* location of the call: index into locs[] */
} CcIrInline;

/* An object in the memory frame. Objects that live at different times may share memory. */
typedef struct CcIrObject {
    uint64_t offset, size;
    CcType *type;     /* type of the variable; NULL: a temporary */
    CcSymbol *symbol; /* the variable, NULL: a temporary; set by cc_ir_frame_finish() */
    bool used;        /* it has memory in the frame; set by cc_ir_frame_finish() */
    uint32_t record;  /* emit.c: 1 + index of its record in the module; 0: none */
} CcIrObject;

/* Special values of CcIrReg.origin. ANY: the register holds only copies made when SSA form was left, so it may take any
 * origin. NONE: it holds values of several variables, or of none. */
#define CC_ORIGIN_ANY  0u
#define CC_ORIGIN_NONE UINT32_MAX

/* Properties of a virtual register. */
typedef struct CcIrReg {
    bool variable; /* holds a variable of the program, which may be set and read anywhere */
    bool pinned;   /* keeps its frame register for the whole function (so that the debugger finds it, or for longjmp) */
    uint32_t origin; /* after optimising: CC_ORIGIN_ANY, CC_ORIGIN_NONE, or 1 + register of the variable whose value it
                        holds */
    uint32_t place;  /* registers.c: the register of the frame that it gets */
    uint32_t start, end; /* registers.c: first and last position where it is live; UINT32_MAX: it never is */
} CcIrReg;

/* A variable for the debugger: where it is, and its scope. The scope is the code whose location is in locs[loc_low ..
 * loc_high). Locations are numbered in the order of lowering, so a scope is a range of them. */
typedef struct CcIrVariable {
    CcSymbol *symbol;
    uint32_t location; /* VcodeLocation */
    CcReg reg;
    int64_t where; /* index into objects[] (after cc_ir_frame_finish(): its offset), or symbol of the module */
    uint32_t loc_low, loc_high;
    uint32_t inlined;  /* 1 + index of the expansion that contains it; 0: none, as in CcIrLoc */
    uint32_t n_pieces; /* VCODE_AT_PLACES: pieces[where .. where + n_pieces) hold it; bytes in no piece are nowhere */
} CcIrVariable;

/* Some bytes of a variable that a register holds. */
typedef struct CcIrPiece {
    CcReg reg;
    uint32_t offset, size;
} CcIrPiece;

/* The value of a variable that is constant. */
typedef struct CcIrConstant {
    bool known;
    int64_t bits; /* in the form that registers hold */
} CcIrConstant;

/* What this unit does not know about a symbol of the module: the object may have other names in other units. 0: all
 * names are known. */
typedef enum CcForeign { CC_FOREIGN = 1, CC_FOREIGN_OR_ABSENT = 2 /* its address may be 0 */ } CcForeign;

/* A function. All its memory is in the arena. */
typedef struct CcIrFunction {
    CcArena *arena;
    CcSymbol *symbol;
    uint32_t symbol_index; /* index of `symbol` in the module */
    const VcodeModule *module;
    const GByteArray *foreign; /* CcForeign of each symbol of the module; 0 for those beyond the end */
    CcIrBlock **blocks;
    uint32_t n_blocks, blocks_capacity;
    CcIrBlock *first, *last; /* first and last block of the layout */
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
    uint32_t n_parameters; /* the caller passes values in virtual registers 0 .. n_parameters - 1 */
    CcReg frame;           /* holds the address of the memory frame; the first instruction, ENTER, sets it */
    uint64_t frame_bytes;
    CcIrObject *objects;
    uint32_t n_objects, objects_capacity;
    CcIrPiece *pieces;
    uint32_t n_pieces, pieces_capacity;
    CcIrInline *inlines;
    uint32_t n_inlines, inlines_capacity;
    bool variadic, returns_twice; /* returns_twice: it calls setjmp */
    bool in_values;               /* was in SSA form: origin, `equals` and `constants` tell where variables are */
    CcReg *equals;                /* per register: the source, if one copy is all that sets it; else CC_NO_REG */
    uint32_t n_equals;
    CcIrConstant *constants;  /* per register of a variable: its value if that is constant; NULL: not computed */
    struct CcLiveRange *live; /* registers.c: live range of each register */
} CcIrFunction;

/* -- ir.c -------------------------------------------------------------------------------------- */

#define CC_IR_PUSH(f, field)                                                                                           \
    (cc_arena_grow((f)->arena, (void **)&(f)->field, (f)->n_##field, &(f)->field##_capacity, sizeof *(f)->field),      \
     &(f)->field[(f)->n_##field++])

/* Returns a new function in the arena, with no blocks. */
CcIrFunction *cc_ir_function_new(CcArena *arena);
CcIrBlock *cc_ir_block_new(CcIrFunction *f);
void cc_ir_place(CcIrFunction *f, CcIrBlock *block); /* appends the block to the layout */
CcReg cc_ir_reg(CcIrFunction *f);
/* Appends an instruction to the block, with no operands set. */
CcIrInstr *cc_ir_append(CcIrFunction *f, CcIrBlock *block, unsigned op);
/* Inserts an instruction before index `at` of the block. */
CcIrInstr *cc_ir_insert(CcIrFunction *f, CcIrBlock *block, uint32_t at, unsigned op);

VcodeForm cc_ir_form(unsigned op); /* the form of a vCode operation; CC_IR_CONSTANT and the like count as RI32 */
/* Returns the register that the instruction sets, or CC_NO_REG. */
CcReg cc_ir_defined(const CcIrInstr *i);
/* The registers that an instruction reads: up to 3 in its fields, and the arguments of a call. */
typedef struct CcIrUses {
    CcReg *field[3];
    unsigned n;
    CcReg *list;
    unsigned n_list;
} CcIrUses;
CcIrUses cc_ir_uses(const CcIrFunction *f, CcIrInstr *i);
/* Returns whether the instruction may be dropped if nobody reads the register that it sets. */
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
/* Turns branch `i` into the branch with the opposite condition. May exchange its operands. */
void cc_ir_invert(CcIrInstr *i);
/* Calls `visit` for every block that control can reach from the end of `block`, computed gotos included. */
void cc_ir_successors(CcIrFunction *f, CcIrBlock *block, void (*visit)(CcIrBlock *successor, void *user), void *user);
/* Prints a function (--dump=ir). */
void cc_ir_dump(const CcIrFunction *f, const VcodeModule *module, FILE *out);

/* -- frame.c ----------------------------------------------------------------------------------- */

static inline uint64_t cc_align_up(uint64_t value, uint64_t align)
{
    return (value + align - 1) & ~(align - 1);
}
/* Closes the gaps left by objects that nothing refers to any more. */
void cc_ir_frame_pack(CcIrFunction *f);
/* Fixes the offsets of the objects and resolves CC_IR_FRAME. With `pack`, only objects that something refers to are
 * kept. */
void cc_ir_frame_finish(CcIrFunction *f, bool pack);

/* -- live_ranges.c: where registers hold values that are still wanted -------------------------- */

typedef struct CcLiveSegment {
    uint32_t start, end; /* first and last position, both included */
} CcLiveSegment;

/* The positions at which a register holds a value that is still needed. */
typedef struct CcLiveRange {
    CcLiveSegment *items; /* ascending and disjoint */
    uint32_t n;
} CcLiveRange;

/* Computes the live range of every register, in the arena. Also sets first_position of every block. */
CcLiveRange *cc_live_ranges(CcIrFunction *f, CcArena *arena);
/* Returns whether the two ranges have a position in common. */
bool cc_live_ranges_meet(const CcLiveRange *a, const CcLiveRange *b);
/* Returns the union of the two ranges, in the arena. */
CcLiveRange cc_live_ranges_join(CcArena *arena, const CcLiveRange *a, const CcLiveRange *b);

#endif
