/* code.h - programs as the VM stores them: decoded instructions, their costs, and their effects on registers and
 * control.
 *
 *   image.c     VmImage: one program, made ready to run; what can be asked of it (vm/image.c makes it)
 *   effects.c   what an instruction does to registers and control
 *   liveness.c  which registers a call must clear
 *   fused.def   sequences of instructions that the interpreter runs as one
 *
 * Nothing here knows a process.
 */
#ifndef ORRERY_VM_CODE_H
#define ORRERY_VM_CODE_H

#include "vm/vm.h"

/* -- decoded code ------------------------------------------------------------------------------ */

/* Indexed accesses, each with the shift that fits its size. The interpreter's case with the plain name is for that
 * shift; the ANY_ case is for other shifts. */
#define VM_INDEXED(ROW)                                                                                                \
    ROW(LDX8S, 0)                                                                                                      \
    ROW(LDX8U, 0)                                                                                                      \
    ROW(LDX16S, 1)                                                                                                     \
    ROW(LDX16U, 1)                                                                                                     \
    ROW(LDX32S, 2)                                                                                                     \
    ROW(LDX32U, 2)                                                                                                     \
    ROW(LDX64, 3)                                                                                                      \
    ROW(STX8, 0)                                                                                                       \
    ROW(STX16, 1)                                                                                                      \
    ROW(STX32, 2)                                                                                                      \
    ROW(STX64, 3)

/* Branches and jumps that have a case of their own if a predictor watches them: name, and what is compared with A. */
#define VM_PREDICTED_BRANCHES(ROW)                                                                                     \
    ROW(BEQ, B)                                                                                                        \
    ROW(BNE, B)                                                                                                        \
    ROW(BLT, B)                                                                                                        \
    ROW(BLE, B)                                                                                                        \
    ROW(BLTU, B)                                                                                                       \
    ROW(BLEU, B)                                                                                                       \
    ROW(BEQI, BRANCH_IMMEDIATE)                                                                                        \
    ROW(BNEI, BRANCH_IMMEDIATE)                                                                                        \
    ROW(BLTI, BRANCH_IMMEDIATE)                                                                                        \
    ROW(BLEI, BRANCH_IMMEDIATE)                                                                                        \
    ROW(BGTI, BRANCH_IMMEDIATE)                                                                                        \
    ROW(BGEI, BRANCH_IMMEDIATE)                                                                                        \
    ROW(BLTUI, BRANCH_IMMEDIATE)                                                                                       \
    ROW(BGEUI, BRANCH_IMMEDIATE)                                                                                       \
    ROW(BEQ_D, B)                                                                                                      \
    ROW(BNE_D, B)                                                                                                      \
    ROW(BLT_D, B)                                                                                                      \
    ROW(BLE_D, B)                                                                                                      \
    ROW(BNLT_D, B)                                                                                                     \
    ROW(BNLE_D, B)
#define VM_PREDICTED_JUMPS(ROW)                                                                                        \
    ROW(SWITCH)                                                                                                        \
    ROW(JMPR)                                                                                                          \
    ROW(CALLI)

/* Operations that have a case in the interpreter: every vCode instruction, and those that only decoding makes. */
typedef enum VmOp {
#define INSTRUCTION(name, mnemonic, form, cost, result, kind, meaning) VM_OP_##name,
#include "vcode/instructions.def"
#define VM_ANY_ROW(name, shift) VM_OP_ANY_##name,
    VM_INDEXED(VM_ANY_ROW)
#define VM_PREDICTED_ROW(name, ...) VM_OP_PREDICTED_##name,
        VM_PREDICTED_BRANCHES(VM_PREDICTED_ROW) VM_PREDICTED_JUMPS(VM_PREDICTED_ROW)
            VM_OP_DIRECT, /* direct code can be entered here, or made */
    VM_OP_NATIVE,         /* native code can be entered here */
    VM_OP_LOST,           /* follows a call that loses registers that may be read: see VmLost */
    VM_OP_WIDE,           /* ends a block that costs more than 32 bits hold: see VmWideCost */
#define SEQUENCE(name, steps) VM_OP_##name,
#include "vm/code/fused.def"
    VM_OP_COUNT
} VmOp;

/* One instruction as the interpreter runs it, at the same index as in the module's code. */
typedef struct VmInstr {
    const void *handler; /* address of its case in the threaded loop */
    const void *direct;  /* its direct code; NULL: that cannot be entered here, or there is none yet */
    uint16_t a;
    uint16_t b;
    union {
        uint16_t c;
        int16_t c_signed;
    };
    uint8_t n;
    union {
        uint64_t value; /* MOVI, MOVK: the constant; ENTER, BCOPY, BZERO: a number of bytes */
        struct {
            int32_t target; /* branches: distance from this instruction; others: index of function, extern or table */
            uint32_t cost;  /* q8 cycles of the block that ends here */
        };
    };
} VmInstr;
_Static_assert(sizeof(VmInstr) == 32, "one decoded instruction is four words");

/* A block whose cost does not fit into 32 bits. A VM_OP_WIDE replaces the instruction that ends it. */
typedef struct VmWideCost {
    uint32_t pc;
    VmOp op;             /* of the original instruction */
    const void *handler; /* of the original instruction */
    uint64_t cost;       /* cost of the block, cycles (q8) */
} VmWideCost;

/* Registers that a call loses and that the caller's frame may read behind it (liveness.c). A VM_OP_LOST stands behind
 * such a call, and at the beginning of a function that has such calls. The running frame's VmCallFrame.call tells
 * whether control comes from the call; it is NULL from here on. */
typedef struct VmLost {
    uint32_t pc;
    VmOp op;           /* of the original instruction, or VM_OP_WIDE */
    uint32_t from, to; /* clears registers [from, to) */
} VmLost;

/* What calls need to know of a function. */
typedef struct VmFunction {
    const VmInstr *entry;
    uint32_t start;      /* index of `entry` in the code */
    uint32_t registers;  /* number of registers of its window */
    uint32_t clear_from; /* a call clears [clear_from, clear_to): registers that may be read unwritten */
    uint32_t clear_to;
    uint32_t lost_from; /* [lost_from, lost_to): registers that may be read after a call has lost them; then 0 */
    uint32_t lost_to;
    uint32_t enter_bytes;           /* bytes of the function's ENTER; 0: it has none */
    uint32_t first_object, objects; /* of its frame: objects[first_object ...] of the module, so many */
    uint16_t parameters;
    uint16_t shape; /* the value of VmInstr.c of a `calli` whose arguments fit as they are: vm_call_shape() */
    bool variadic;
} VmFunction;

/* Packs into one number the form of the arguments that a function takes or a call passes. */
static inline uint16_t vm_call_shape(unsigned registers, bool variadic)
{
    return (uint16_t)(registers | (variadic ? 1u << 15 : 0));
}

/* A switch table with decoded targets. */
typedef struct VmSwitch {
    uint64_t low;
    uint64_t count;
    const VmInstr *const *targets;
    const VmInstr *default_target;
} VmSwitch;

/* What an extern does with values that were never set (--check). */
typedef enum VmShading {
    VM_SHADING_FOREIGN,  /* not a function of the library; the layer that provides it says */
    VM_SHADING_USES,     /* it uses what it reads */
    VM_SHADING_WRITES,   /* like USES, but it writes blocks out as they are, padding included */
    VM_SHADING_COPIES,   /* it copies args[2] bytes from args[1] to args[0] */
    VM_SHADING_SWAPPED,  /* it copies args[2] bytes from args[0] to args[1] */
    VM_SHADING_COMPUTES, /* it computes its result from its arguments */
} VmShading;

typedef VmCallResult (*VmLibraryFunction)(VmRank *rank, uint64_t *args);

/* An extern of the program, bound to the simulator's function, with its costs under VmCosts. */
typedef struct VmBinding {
    const VmExtern *function;
    VmLibraryFunction direct; /* what a function of the library does, without its trampoline; NULL: not one of these */
    uint32_t arity;           /* of `function` */
    VmShading shading;
    uint64_t base_q8;
    uint64_t unit_q16;
} VmBinding;

/* What `units` bytes or elements cost, cycles (q8). */
static inline uint64_t vm_binding_cost(const VmBinding *binding, uint64_t units)
{
    return (uint64_t)((unsigned __int128)units * binding->unit_q16 >> 8);
}

/* A program made ready to run. All its ranks share it. */
struct VmImage {
    gint references;
    VcodeModule *module;
    VmImage *origin; /* the image that owns the module (vm_image_with_costs); NULL: this one */
    VmInstr *code;
    uint8_t *ops; /* VmOp of each instruction, never a fused one; for the loop that dispatches by switch */
    VmFunction *functions;
    VmSwitch *switches;
    const VmInstr **targets;
    VmBinding *bindings;
    VmExtern *unknown;          /* externs for names that are in no table; NULL: there are none */
    GArray *wide_costs;         /* VmWideCost entries, ascending by pc */
    GArray *lost;               /* VmLost entries, ascending by pc */
    uint64_t *block_starts;     /* one bit per instruction: a jump may land here */
    uint64_t *statement_starts; /* one bit per instruction: the debugger's hook is asked here */
    VmCosts costs;
    uint32_t *statics; /* module objects that are in no frame, by address */
    uint32_t n_statics;
    struct VmDecoded *decoded; /* for execution out of order (timing); NULL: blocks have a cost each */
    struct VmDirect *direct;   /* direct code; NULL: it may have none */
    void (*direct_free)(struct VmDirect *direct);
    const struct VmNativeCode *native; /* native code; NULL: none yet */
    struct VmWatch *watch;             /* NULL: its ranks are not sampled */
    struct VmDrill *drill;             /* NULL: no test stops its ranks */
    void (*drill_free)(struct VmDrill *drill);
    const void *handlers[VM_OP_COUNT]; /* the interpreter's cases: VmInstr.handler by VmOp */
    bool keeps_fenv; /* the program asks for floating-point flags or rounding: each rank has its own */
    bool asks_flags; /* ... for flags, perhaps */
};

/* Index of a decoded instruction. */
static inline uint32_t vm_image_pc(const VmImage *image, const VmInstr *ip)
{
    return (uint32_t)(ip - image->code);
}

static inline bool vm_bit(const uint64_t *bits, uint32_t index)
{
    return bits[index / 64] >> index % 64 & 1;
}

/* -- questions about images (image.c) ---------------------------------------------------------- */

/* The original instruction and block cost at `pc`, where the code has a VM_OP_WIDE. O(log). */
const VmWideCost *vm_image_wide_cost(const VmImage *image, uint32_t pc);
/* The VmLost entry at `pc`, where the code has a VM_OP_LOST. O(log). */
const VmLost *vm_image_lost(const VmImage *image, uint32_t pc);
/* Cycles (q8) of the block that ends at `pc`. */
uint64_t vm_image_block_cost(const VmImage *image, uint32_t pc);
/* The function whose code contains `pc`. */
uint32_t vm_image_function_of(const VmImage *image, uint32_t pc);
/* Index of the function whose code address is `address`, or VCODE_NONE. */
uint32_t vm_image_function(const VmImage *image, uint64_t address);

/* -- instructions (effects.c, liveness.c) ------------------------------------------------------ */

/* The registers that an instruction reads and writes (effects.c). */
typedef struct VmEffects {
    unsigned reads[3];
    unsigned read_count;
    unsigned first_argument, arguments; /* window of a call, which it reads too */
    int written;                        /* register that it writes; -1: none */
} VmEffects;
VmEffects vm_effects(VcodeInstr i);
bool vm_code_is_call(VcodeInstr i);

/* The host function behind <fenv.h>. */
#define VM_IMAGE_FENV "__orrery_fenv"
/* Tells whether an instruction calls that function. */
bool vm_image_calls_fenv(const VmImage *image, VcodeInstr i);
/* Tells whether some instruction may call it for more than the rounding direction, as far as can be known. */
bool vm_image_asks_flags(const VmImage *image);
/* Calls `to` for each index that control may go to after the instruction at `at`. Indices count from the function's
 * start, `at` too. An index is told as often as a switch names it. Not for computed jumps. */
typedef void VmGoesTo(void *user, uint32_t target);
void vm_code_goes_to(const VcodeModule *module, uint32_t at, VcodeInstr i, VmGoesTo *to, void *user);

/* Sets clear_from, clear_to, lost_from and lost_to of function `index` of a verified module. */
void vm_liveness(const VcodeModule *module, uint32_t index, VmFunction *function);

#endif
