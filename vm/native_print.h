/* native_print.h - printing functions of vCode as C (native_print.c, native_access.c, native_exits.c).
 *
 * For every function of a unit there are up to three C functions; k is the state of the rank that runs
 * (native_state.h), R its register window, fuel what it may still use, less VmUnit.bias:
 *
 *   Outcome f12(State *k, uint64_t *R, int64_t fuel, uint64_t p0, ...)    called by other printed functions
 *   Outcome e12(State *k, uint64_t *R, int64_t fuel, uint32_t entry)      called from the interpreter: arguments in R
 *   Outcome l12(State *k, uint64_t *R, int64_t fuel, uint32_t entry)      the same, going on at a loop: all live in R
 *
 * They return the function's result and the fuel left; or, with fuel GONE, they have left: live registers and frames
 * are back in the rank's stacks, and the interpreter goes on.
 */
#ifndef ORRERY_VM_NATIVE_PRINT_H
#define ORRERY_VM_NATIVE_PRINT_H

#include "vm/native_flow.h"

/* Functions printed together: one C text. */
typedef struct VmUnit {
    const VmImage *image;
    VmFlow **flows;          /* by function; NULL: stays with the interpreter */
    uint64_t low;            /* lowest private address */
    uint64_t bias;           /* q8 cycles: fuel counts from here, so that most tests compare with 0 */
    uint32_t most_registers; /* of a function printed */
} VmUnit;

enum { VM_NATIVE_ARGUMENTS = 6 }; /* arguments that f functions take as such; further ones are in R */

/* What is known of a web wherever it is read. */
typedef enum VmRootKind { VM_ROOT_UNKNOWN, VM_ROOT_FRAME, VM_ROOT_CONSTANT } VmRootKind;
typedef struct VmRoot {
    uint8_t kind;
    uint64_t value; /* FRAME: offset from the frame's lowest address; CONSTANT: the value */
} VmRoot;

typedef struct VmSpill {
    uint16_t reg;
    uint32_t web;
} VmSpill;

typedef enum VmExitKind {
    VM_EXIT_BEFORE,        /* the interpreter does the instruction at pc */
    VM_EXIT_AFTER_CALL,    /* behind a call of a printed function: it has left, or there is too little fuel */
    VM_EXIT_AFTER_EXTERNAL /* the same of an extern, whose result is in R */
} VmExitKind;

typedef struct VmExit {
    VmExitKind kind;
    uint32_t pc, block;
    uint32_t result_web; /* VCODE_NONE: the result is not used */
    uint32_t result_reg;
    uint32_t first, count; /* spills */
    uint32_t label;
} VmExit;

/* Memory that is known to be accessible: [base + (index << shift) + low, ... + high). */
typedef struct VmFact {
    uint32_t base, base_stamp;
    uint32_t index, index_stamp; /* webs; VCODE_NONE: none */
    uint8_t shift;
    bool writable;
    int64_t low, high;
    uint32_t host; /* number of the pointer h that it is accessed through; 0: memory */
} VmFact;

typedef struct VmPrinter {
    const VmUnit *unit;
    const VmFlow *flow;
    GString *out;
    bool loops_only;                 /* prints an l function */
    uint32_t block;                  /* being printed */
    uint32_t *now;                   /* webs by register */
    uint64_t *live;                  /* before each instruction of the block: flow->words each */
    VmRoot *roots;                   /* by web */
    uint32_t pass;                   /* counts the blocks printed */
    uint32_t *stamps, *stamp_passes; /* by web: how often it has been set in this block so far */
    GArray *exits, *spills;
    GArray *facts;        /* VmFact, in the block so far */
    GArray **block_facts; /* by block: what held at its end */
    uint32_t hosts;
    bool uses_frame;             /* moves the stack pointer */
    struct VmStrip **strips;     /* by block: of the loop that it is the header of */
    const struct VmStrip *strip; /* whose copy is being printed, or NULL */
} VmPrinter;

/* The C text of a unit. */
char *vm_unit_print(const VmUnit *unit);

/* What every unit's text begins with (native_prelude.c). */
const char *vm_native_prelude(void);

/* -- operands (native_print.c) -- */

/* The variable of a web. */
void vm_print_web(VmPrinter *p, uint32_t web);
/* What register `reg` holds, as a value of a kind. */
void vm_print_operand(VmPrinter *p, uint32_t reg, VmKind kind);
/* "r5 = " and what closes it, for a value of `kind` that instruction pc sets. */
const char *vm_print_target(VmPrinter *p, uint32_t pc, VmKind kind);

/* -- accesses (native_access.c) -- */

/* Bytes that a load or store accesses; 0 for other instructions. */
unsigned vm_access_size(VcodeOp op);
void vm_access_begin_block(VmPrinter *p);
void vm_access_end_block(VmPrinter *p);
/* Prints a load, store, bcopy or bzero. */
void vm_print_access(VmPrinter *p, uint32_t pc);

/* -- exits (native_exits.c) -- */

/* Number of the label to go to so that the interpreter does the instruction at pc. */
uint32_t vm_exit_before(VmPrinter *p, uint32_t pc);
/* Number of the label behind the call at pc, whose result is in a web or in R. Call it after vm_flow_step(). */
uint32_t vm_exit_after(VmPrinter *p, uint32_t pc, bool external);
void vm_print_exits(VmPrinter *p);

#endif
