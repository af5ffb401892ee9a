/* code.h - programs as the VM has them: decoded instructions, what they cost, what they do to registers and control.
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

/* Indexed accesses, with the shift that fits their size: the case of the plain name is for that shift, ANY_ for others.
 */
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

/* Branches and jumps that have a case of their own where a predictor watches them: name, what is compared with A. */
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

/* What the interpreter has a case for: every vCode instruction, and what only decoding makes. */
typedef enum VmOp {
#define INSTRUCTION(name, mnemonic, form, cost, result, kind, meaning) VM_OP_##name,
#include "vcode/instructions.def"
#define VM_ANY_ROW(name, shift) VM_OP_ANY_##name,
    VM_INDEXED(VM_ANY_ROW)
#define VM_PREDICTED_ROW(name, ...) VM_OP_PREDICTED_##name,
        VM_PREDICTED_BRANCHES(VM_PREDICTED_ROW) VM_PREDICTED_JUMPS(VM_PREDICTED_ROW)
            VM_OP_NATIVE, /* native code can be entered here */
    VM_OP_LOST,           /* stands behind a call that loses what may be read: see VmLost */
    VM_OP_WIDE,           /* ends a block that costs more than 32 bits hold: see VmWideCost */
#define SEQUENCE(name, steps) VM_OP_##name,
#include "vm/code/fused.def"
    VM_OP_COUNT
} VmOp;

/* One instruction as the interpreter runs it, at the same index as in the module's code. */
typedef struct VmInstr {
    const void *handler; /* where its case stands in the threaded loop */
    uint16_t a;
    uint16_t b;
    union {
        uint16_t c;
        int16_t c_signed;
    };
    uint8_t n;
    union {
        uint64_t value; /* MOVI, MOVK: the constant; ENTER, BCOPY, BZERO: bytes */
        struct {
            int32_t target; /* branches: distance from this instruction; else index of function, extern or table */
            uint32_t cost;  /* q8 cycles of the block that ends here */
        };
    };
} VmInstr;
_Static_assert(sizeof(VmInstr) == 24, "one decoded instruction is three words");

typedef struct VmWideCost {
    uint32_t pc;
    VmOp op;             /* of the instruction itself */
    const void *handler; /* the same */
    uint64_t cost;
} VmWideCost;

/* Behind a call whose frame may read what the call has lost (liveness.c), and at the beginning of a function that has
 * such calls. Whether control comes from the call, the running frame's VmCallFrame.call says; it is NULL from here on.
 */
typedef struct VmLost {
    uint32_t pc;
    VmOp op;           /* of the instruction itself, or VM_OP_WIDE */
    uint32_t from, to; /* registers to clear */
} VmLost;

typedef struct VmFunction {
    const VmInstr *entry;
    uint32_t start; /* the same as an index */
    uint32_t registers;
    uint32_t clear_from; /* registers [clear_from, clear_to) may be read before they are written: a call clears them */
    uint32_t clear_to;
    uint32_t lost_from; /* registers [lost_from, lost_to) may be read after a call has lost them: then they are 0 */
    uint32_t lost_to;
    uint32_t enter_bytes;           /* of its ENTER, 0 if it has none */
    uint32_t first_object, objects; /* of its frame: objects[first_object ...) of the module */
    uint16_t parameters;
    uint16_t shape; /* what VmInstr.c of a `calli` must be to fit as it is: vm_call_shape() */
    bool variadic;
} VmFunction;

/* The form of the arguments that a function takes or a call passes, in one number. */
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

/* What an extern does with values that were never set. */
typedef enum VmShading {
    VM_SHADING_FOREIGN,  /* it is no function of the library: whoever provides it says */
    VM_SHADING_USES,     /* what it reads, it uses */
    VM_SHADING_WRITES,   /* the same, but blocks go out as they are, padding included */
    VM_SHADING_COPIES,   /* args[2] bytes from args[1] to args[0] */
    VM_SHADING_SWAPPED,  /* from args[0] to args[1] */
    VM_SHADING_COMPUTES, /* its result from its arguments */
} VmShading;

/* An extern of the program, bound to the simulator's function, with its costs under VmCosts. */
typedef struct VmBinding {
    const VmExtern *function;
    VmShading shading;
    uint64_t base_q8;
    uint64_t unit_q16;
} VmBinding;

struct VmImage {
    gint references;
    VcodeModule *module;
    VmImage *origin; /* whose module it is (vm_image_with_costs); NULL: its own */
    VmInstr *code;
    uint8_t *ops; /* VmOp of each instruction, never a fused one, for the loop that dispatches by switch */
    VmFunction *functions;
    VmSwitch *switches;
    const VmInstr **targets;
    VmBinding *bindings;
    VmExtern *unknown;          /* what bindings of names that nobody knows point to; NULL: there are none */
    GArray *wide_costs;         /* VmWideCost, ascending by pc */
    GArray *lost;               /* VmLost, ascending by pc */
    uint64_t *block_starts;     /* one bit per instruction: a jump may land here */
    uint64_t *statement_starts; /* one bit per instruction: the debugger's hook is asked here */
    VmCosts costs;
    uint32_t *statics; /* objects of the module in no frame, by address */
    uint32_t n_statics;
    struct VmDecoded *decoded;         /* for execution out of order (timing); NULL: blocks have a cost each */
    const struct VmNativeCode *native; /* NULL: none yet (native) */
    struct VmWatch *watch;             /* NULL: nobody samples its ranks (native/watch.h) */
    struct VmDrill *drill;             /* NULL: no test that stops its ranks at drawn places (drill/drill.h) */
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

/* What is special about the block that ends at `pc`, where that is a VM_OP_WIDE. O(log). */
const VmWideCost *vm_image_wide_cost(const VmImage *image, uint32_t pc);
/* What is lost in front of `pc`, where that is a VM_OP_LOST. O(log). */
const VmLost *vm_image_lost(const VmImage *image, uint32_t pc);
/* Cycles (q8) of the block that ends at `pc`. */
uint64_t vm_image_block_cost(const VmImage *image, uint32_t pc);
/* The function whose code contains `pc`. */
uint32_t vm_image_function_of(const VmImage *image, uint32_t pc);
/* Index of the function at a code address, or VCODE_NONE. */
uint32_t vm_image_function(const VmImage *image, uint64_t address);

/* -- instructions (effects.c, liveness.c) ------------------------------------------------------ */

/* The registers that an instruction reads and writes (effects.c). */
typedef struct VmEffects {
    unsigned reads[3];
    unsigned read_count;
    unsigned first_argument, arguments; /* a call's window, read too */
    int written;                        /* -1: none */
} VmEffects;
VmEffects vm_effects(VcodeInstr i);
bool vm_code_is_call(VcodeInstr i);

/* The host function behind <fenv.h>; whether an instruction calls it, and whether some does other than for the rounding
 * direction, as far as can be told. */
#define VM_IMAGE_FENV "__orrery_fenv"
bool vm_image_calls_fenv(const VmImage *image, VcodeInstr i);
bool vm_image_asks_flags(const VmImage *image);
/* Tells the places, counted from the function's start as `at` is, that control may go to behind the instruction there;
 * a place as often as a switch names it. Not for computed jumps. */
typedef void VmGoesTo(void *user, uint32_t target);
void vm_code_goes_to(const VcodeModule *module, uint32_t at, VcodeInstr i, VmGoesTo *to, void *user);

/* Sets clear_from, clear_to, lost_from and lost_to of function `index` of a verified module. */
void vm_liveness(const VcodeModule *module, uint32_t index, VmFunction *function);

#endif
