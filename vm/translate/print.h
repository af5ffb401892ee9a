/* print.h - printing functions of vCode as C (print.c, access.c, exits.c).
 *
 * For every function of a unit there are several C functions; k is the state of the rank that runs
 * (prelude.h), R its register window, fuel what it may still use, less VmUnit.bias:
 *
 *   Outcome f12(State *k, uint64_t *R, int64_t fuel, uint64_t p0, ...)    called by other printed functions
 *   Outcome f12_3(State *k, uint64_t *R, int64_t fuel, uint32_t w, p0, ...)   its third copy, part of the second:
 * window at R + w (bounds.c) Outcome e12(State *k, uint64_t *R, int64_t fuel, uint32_t entry)      called from
 * the interpreter: arguments in R Outcome l12_7(State *k, uint64_t *R, int64_t fuel, uint32_t entry)    the same, going
 * on at block `entry`: all live in R; leaves when it comes to block 7
 *
 * They return the function's result and the fuel left; or, with fuel GONE, they have left: live registers and frames
 * are back in the rank's stacks, and the interpreter goes on.
 */
#ifndef ORRERY_VM_TRANSLATE_PRINT_H
#define ORRERY_VM_TRANSLATE_PRINT_H

#include "vm/translate/flow.h"

/* What is known of a function's calls (calls.c). */
typedef struct VmCalls {
    bool any;           /* it calls printed functions, perhaps through a pointer */
    bool quiet;         /* neither it nor what it calls calls externs, or through pointers */
    bool tests_depth;   /* whenever it is called, it tests how deep calls are */
    bool mutual;        /* it calls others that call it: never inlined, so that a frame of the host is few calls */
    uint32_t registers; /* its own and those of what it calls, up to the next test */
    uint32_t levels;    /* calls up to there, with itself */
    /* (bounds.c) */
    bool bounded;        /* tests no fuel: callers have more than `bound` left */
    bool shortcut;       /* calls for which its entry goes on to shortcut_block, where it returns, are not made */
    bool shortcut_taken; /* ... by a branch that is taken */
    uint32_t shortcut_block;
    uint64_t shortcut_cost;
    uint32_t copies; /* of itself, each called by the one before it, the last of which calls the function again */
    uint64_t bound;  /* the most that it charges, with its copies, but without what tests fuel by itself */
} VmCalls;

/* Functions printed together: one C text. */
struct VmUnit {
    const VmImage *image;
    VmFlow **flows;          /* by function; NULL: not in the unit */
    VmCalls *calls;          /* by function */
    uint64_t low;            /* lowest private address */
    uint32_t room;           /* registers that every stay has above windows that may begin */
    uint64_t bias;           /* q8 cycles: fuel counts from here, so that most tests compare with 0 */
    uint32_t most_registers; /* that calls without a test of their depth use */
    bool exits_forced;       /* for tests: it may leave at any test */
    bool quick;              /* to be compiled quickly: every block is printed once */
};

enum {
    VM_NATIVE_ARGUMENTS = 6, /* arguments that f functions take as such; further ones are in R */
    VM_NATIVE_ROOM = 16,     /* registers for calls above the first, at least */
    VM_NATIVE_LEAF = 128, /* of a function that calls no others and tests no depth, however it is called: such calls are
                           * not among those that VmCalls.registers counts */
    VM_NATIVE_SMALL = 48  /* instructions of a function that C compilers may put where it is called */
};

/* What is known of a web wherever it is read. */
typedef enum VmRootKind { VM_ROOT_UNKNOWN, VM_ROOT_FRAME, VM_ROOT_CONSTANT } VmRootKind;
typedef struct VmRoot {
    uint8_t kind;
    bool among_constants; /* it is, or began as, an address of constants: a guess */
    bool number;          /* a float or double that is no NaN */
    uint64_t value;       /* FRAME: offset from the frame's lowest address; CONSTANT: the value */
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
    int64_t held;          /* fuel that the caller held back; -1: it is tested behind the call */
    uint32_t first, count; /* spills */
    uint32_t label;
    const struct VmStrip *strip; /* it is in this strip's copy */
} VmExit;

/* What a register holds (facts.c): what a web held, plus a constant. */
typedef struct VmOrigin {
    uint32_t web; /* VCODE_NONE: nothing */
    uint32_t set; /* by which instruction of the block, counted from 1; 0: it is as the block began */
    int64_t added;
} VmOrigin;

/* Memory that is known to be accessible: [base + (index << shift) + low, ... + high), whatever base and index add. */
typedef struct VmFact {
    VmOrigin base, index;
    uint8_t shift;
    bool writable;
    int64_t low, high;
    uint32_t host; /* number of the pointer h that it is accessed through; 0: memory */
} VmFact;

typedef struct VmPrinter {
    const VmUnit *unit;
    const VmFlow *flow;
    GString *out;
    GString *cold;         /* functions for exits, to be printed first; NULL: exits are in the function itself */
    bool whole;            /* prints the f function */
    uint32_t copy;         /* ... or which of its copies; 0: the function itself */
    bool inner;            /* prints the m function (entries.c) */
    bool joined;           /* the l function is the f function, too */
    bool parted;           /* prints part `part` of the function (partition.c) */
    uint32_t part, *parts; /* by block */
    uint8_t *crossed;      /* by block: another part goes on there */
    GArray *goes_to;       /* blocks of other parts */
    uint64_t *changed; /* by block: registers that the part may have set up to its end, or up to another part's block
                          (a bit each) */
    uint8_t *region;   /* by block: whether the function being printed has it */
    uint32_t block;    /* being printed */
    uint32_t *now;     /* webs by register */
    uint64_t *live;    /* before each instruction of the block: flow->words each */
    VmRoot *roots;     /* by web */
    VmOrigin *origins; /* by register */
    GArray *exits, *spills;
    GArray *facts;        /* VmFact, in the block so far */
    GArray **block_facts; /* by block: what held at its end */
    uint32_t hosts;
    bool uses_frame;             /* moves the stack pointer */
    bool uses_tails;             /* jumps to its beginning instead of calling itself */
    struct VmSelect *selects;    /* by block */
    struct VmStrip **strips;     /* by block: of the loop that it is the header of */
    const struct VmStrip *strip; /* whose copy is being printed, or NULL */
    bool unrolled;               /* the block is one of the turns of its loop, which is printed as often as it turns */
    uint32_t further;            /* ... and so many follow */
} VmPrinter;

/* -- calls (calls.c) -------------------------------------------------------------------- */

/* Fills calls and most_registers from flows. */
void vm_unit_find_calls(VmUnit *unit);
/* Prints a block's end that is a `call`, `calli` or `callx`. */
void vm_print_call(VmPrinter *p, const VmFlowBlock *block);
/* ... and behind it. */
void vm_calls_print_lost(VmPrinter *p, uint32_t pc);
/* Whether an instruction calls a function of the unit as it wants to be called. */
bool vm_calls_printed(const VmUnit *unit, VcodeInstr i);
/* Whether the f function can jump to its beginning where the function calls itself last; whether the block ends so. */
bool vm_calls_use_tails(const VmUnit *unit, const VmFlow *flow);
bool vm_calls_tail(const VmUnit *unit, const VmFlow *flow, const VmFlowBlock *block);
/* The next register from `from` on that the call has lost and that may be read; VCODE_NONE: there is none. */
uint32_t vm_calls_next_lost(const VmFlow *flow, uint32_t pc, uint32_t from);
/* Leaves the instruction at pc to the interpreter. */
void vm_calls_print_exit(VmPrinter *p, uint32_t pc);

/* -- costs of calls (bounds.c) ---------------------------------------------------------- */

/* Fills what VmCalls and blocks of flows say about bounds, after vm_unit_find_calls(). */
void vm_unit_find_bounds(VmUnit *unit);

/* -- shortcuts (shortcuts.c) ------------------------------------------------------------ */

/* Prints the two functions that callers ask: `q12`, whether the shortcut may be taken, and `v12`, its result; or their
 * heads. */
void vm_print_shortcut(VmPrinter *p);
void vm_print_shortcut_heads(const VmFlow *flow, GString *out);
/* Ahead of the call that ends the block: what is done instead of it, where the callee has a shortcut. */
void vm_shortcut_print_call(VmPrinter *p, const VmFlowBlock *block);
/* ... of one whose result is returned. */
void vm_shortcut_print_tail(VmPrinter *p, const VmFlowBlock *block);

/* -- functions of the C library (library.c) --------------------------------------------- */

/* The texts of those that the unit calls. */
void vm_print_library_functions(const VmUnit *unit, GString *out);
/* What is done instead of the `callx` at pc if it calls one of them and nothing is unusual: "... else ". */
void vm_print_library_call(VmPrinter *p, uint32_t pc);

/* -- functions (print.c) ---------------------------------------------------------------- */

/* Prints the f function and the l functions, with the functions for exits; or just the head of the f function. */
void vm_print_function(const VmUnit *unit, const VmFlow *flow, GString *out);
void vm_print_head(const VmUnit *unit, const VmFlow *flow, uint32_t copy, GString *out);
void vm_print_charge(VmPrinter *p, const VmFlowBlock *block);
/* The least fuel, less the bias, to call the f function with. */
uint64_t vm_print_least_for_call(const VmUnit *unit, const VmFlow *flow);
/* The C type of a kind. */
const char *vm_print_type(VmKind kind);
/* The least fuel, less the bias, to go on to a block with. */
uint64_t vm_print_least_fuel(const VmPrinter *p, const VmFlowBlock *to);
/* Goes on to the block behind this one. */
void vm_print_go_on(VmPrinter *p, const VmFlowBlock *block);

/* -- beginnings (entries.c) -------------------------------------------------------------- */

/* What a function does first when it is called. */
void vm_entries_print_beginning(VmPrinter *p);
/* ... when the interpreter enters it. */
void vm_entries_print_switch(VmPrinter *p);
/* Whether the l function is the f function, too; whether that is so of what is being printed; the f function, which
 * calls it. */
bool vm_entries_join(const VmUnit *unit, const VmFlow *flow);
bool vm_entries_begin_here(const VmPrinter *p);
void vm_entries_print_call(const VmPrinter *p, GString *out);
/* At the beginning of a loop: the ways to entries in it. */
void vm_entries_print_header(VmPrinter *p, uint32_t header);
/* Whether the interpreter enters at the block through the m function. */
bool vm_entries_in_loop(const VmFlow *flow, uint32_t block);
/* Fills region with the blocks that control comes to from the function's entries; false if there are none. */
bool vm_entries_find_region(VmPrinter *p);

/* -- roots (roots.c) -------------------------------------------------------------------- */

/* Fills p->roots, and whether the function uses its frame. */
void vm_roots_find(VmPrinter *p);

/* -- parts (partition.c) ---------------------------------------------------------------- */

/* Fills parts and crossed; the first printed part may follow. */
void vm_partition_begin(VmPrinter *p);
/* Whether all of a loop is in one part. */
bool vm_partition_keeps(const VmPrinter *p, uint32_t loop);
/* Marks the webs that the part in p->region has to do with. */
void vm_partition_find_webs(const VmPrinter *p, uint8_t *webs);
/* Fills p->changed for the part in p->region; whether R may have another value than the register at the block's end, or
 * where the part goes on to a block of another one. Without parts: always. */
void vm_partition_find_changed(VmPrinter *p);
bool vm_partition_has_changed(const VmPrinter *p, uint32_t block, uint32_t reg);
/* Goes on at a block of another part; and, at the part's end, how. */
void vm_partition_print_goto(VmPrinter *p, uint32_t to);
void vm_partition_print_ways_on(VmPrinter *p);
/* Behind the parts: what runs them, and the f function. */
void vm_partition_print_function(const VmPrinter *p, GString *out);

/* -- operands (print.c) ----------------------------------------------------------------- */

void vm_print_constant(GString *out, uint64_t value, VmKind kind);
/* The variable of a web. */
void vm_print_web(VmPrinter *p, uint32_t web);
/* What register `reg` holds, as a value of a kind. */
void vm_print_operand(VmPrinter *p, uint32_t reg, VmKind kind);
/* "r5 = " and what closes it, for a value of `kind` that instruction pc sets. */
const char *vm_print_target(VmPrinter *p, uint32_t pc, VmKind kind);

/* -- computing (compute.c) -------------------------------------------------------------- */

/* Prints an instruction of arithmetic.def. */
void vm_compute_print(VmPrinter *p, uint32_t pc);
/* Whether it matters which of two NaNs is an instruction's first operand; the name of what computes it. */
bool vm_compute_is_ordered(VcodeOp op);
const char *vm_compute_name(VcodeOp op);

/* -- blocks (print.c) ------------------------------------------------------------------- */

/* Fills block, now and live for what is printed at the beginning of a block. */
void vm_print_stand_at(VmPrinter *p, uint32_t b);
/* Prints a block, without its label. */
void vm_print_instructions(VmPrinter *p, uint32_t b);
/* Prints an instruction that does not end a block. */
void vm_print_instruction(VmPrinter *p, uint32_t pc);
/* The condition of the branch that ends a block. */
void vm_print_condition(VmPrinter *p, const VmFlowBlock *block);
/* Goes from the block being printed to another. */
void vm_print_goto(VmPrinter *p, uint32_t to);

/* -- selections (select.c) -------------------------------------------------------------- */

/* What a branch that is printed as a selection does: to `join` through one of two sides; VCODE_NONE: directly. */
typedef struct VmSelect {
    bool found;    /* this block ends with such a branch */
    bool absorbed; /* this block is a side of one, and not printed by itself */
    uint32_t join, taken, next;
} VmSelect;
/* Whether an instruction is a little arithmetic that cannot go wrong. */
bool vm_select_harmless(VcodeInstr i);
/* Fills selects, by block, from zeros. */
void vm_select_find(const VmFlow *flow, VmSelect *selects);
/* What it charges besides its block's cost, whichever side it goes through, or more or less than that. */
uint64_t vm_select_cost(const VmFlow *flow, const VmSelect *select);
/* Prints the block's end, with its sides. */
void vm_print_select(VmPrinter *p, const VmFlowBlock *block, const VmSelect *select);

/* -- what is known of memory (facts.c) --------------------------------------------------- */

void vm_facts_begin_block(VmPrinter *p);
/* Behind each instruction. */
void vm_facts_step(VmPrinter *p, uint32_t pc);
void vm_facts_end_block(VmPrinter *p);

/* -- accesses (access.c) ---------------------------------------------------------------- */

/* Bytes that a load or store accesses; 0 for other instructions. */
unsigned vm_access_size(VcodeOp op);
/* The load at pc, ahead of its loop, from a place that is accessible. */
void vm_access_print_ahead(VmPrinter *p, uint32_t pc, const char *address);
/* Prints a load, store, bcopy or bzero. */
void vm_print_access(VmPrinter *p, uint32_t pc);

/* -- exits (exits.c) -------------------------------------------------------------------- */

/* Number of the label to go to so that the interpreter does the instruction at pc. */
uint32_t vm_exit_before(VmPrinter *p, uint32_t pc);
/* Number of the label behind the call at pc, whose result is in a web or in R; `held`: fuel that the callee did not
 * get, -1 if it got all. Call it after vm_web_step(). */
uint32_t vm_exit_after(VmPrinter *p, uint32_t pc, VmExitKind kind, int64_t held);
void vm_print_exits(VmPrinter *p);
/* Whether they are functions of their own, printed to p->cold. */
bool vm_exits_are_cold(const VmPrinter *p);
/* Prints the stores of all that is live at a block's beginning. */
void vm_exit_print_entry(VmPrinter *p, uint32_t block);

#endif
