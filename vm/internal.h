/* internal.h - what the files of the VM share. Nobody outside this folder includes it.
 *
 *   image.c        VmImage: verified module, decoded instructions, block costs, resolved externs
 *   fuse.c         sequences of instructions that the loop runs as one
 *   pipeline.c     what blocks cost beyond the sum of their instructions
 *   predictor.c    which branches a simulated processor predicts wrongly
 *   tally.c        counters that can be cut at an instant that is past
 *   out_of_order.c a core that executes out of order, followed instruction by instruction
 *   effects.c      what an instruction does to registers and control
 *   liveness.c     which registers a call must clear
 *   world.c        VmWorld: the reservation; starting and releasing ranks
 *   host_memory.c  what memory the host has
 *   nest.c         small address spaces side by side
 *   hierarchy.c    caches that watch a rank's accesses
 *   memory.c       reading and writing a rank's space, the heap's end
 *   interpreter.c  vm_rank_run(): the loop
 *   frames.c       calls' bookkeeping: growth, overflow, requests, upcalls, backtraces
 *   jump.c         setjmp and longjmp
 *   fault.c        raising faults, ending processes
 *   alignment.c    processors that forbid unaligned accesses
 *   describe.c     what lies at an address, for messages
 *   check_*.c      --check: blocks of the heap with their history, accesses held against them
 *   shadow*.c      --check: objects that addresses belong to, bits that were never set
 *   remains.c      values that code has no more use for
 *   value.c        values of a stopped rank, by the types that the compiler recorded (value.h)
 *   clock.c        cycles and picoseconds
 *   drill.c        for tests: stopping at drawn places, and what a rank is there
 *   library*.c     the C library (implements vm_library, vm_library_close, vm_rank_malloc and vm_rank_free)
 *
 * A rank's registers and frames are two growing host arrays. Frames name registers by offset, never by pointer, because
 * a growing array moves. The memory of a rank is one interval of guest addresses [data_base, heap_end); what is near of
 * it lies at `memory + address`: all, or as much as fits into a nest (nest.c). Constants are one interval of the image,
 * shared by all its ranks.
 *
 *   registers  | _start | main      | f    | ...       each window starts inside its caller's window, at the arguments
 *   frames     [   0    |   1       |  2   ]           rank->depth frames; the last one runs
 */
#ifndef ORRERY_VM_INTERNAL_H
#define ORRERY_VM_INTERNAL_H

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

typedef struct VmDrill VmDrill; /* drill.h */

typedef enum VmPredictorKind {
    VM_PREDICTOR_NONE,
    VM_PREDICTOR_BIMODAL,
    VM_PREDICTOR_GSHARE,
    VM_PREDICTOR_TAGE,
} VmPredictorKind;

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
#define INSTRUCTION(name, mnemonic, form, cost, meaning) VM_OP_##name,
#include "vcode/instructions.def"
#define VM_ANY_ROW(name, shift) VM_OP_ANY_##name,
    VM_INDEXED(VM_ANY_ROW)
#define VM_PREDICTED_ROW(name, ...) VM_OP_PREDICTED_##name,
        VM_PREDICTED_BRANCHES(VM_PREDICTED_ROW) VM_PREDICTED_JUMPS(VM_PREDICTED_ROW)
            VM_OP_NATIVE, /* native code can be entered here */
    VM_OP_LOST,           /* stands behind a call that loses what may be read: see VmLost */
    VM_OP_WIDE,           /* ends a block that costs more than 32 bits hold: see VmWideCost */
#define SEQUENCE(name, steps) VM_OP_##name,
#include "vm/fused.def"
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
    VmPredictorKind predictor;
    uint32_t *statics; /* objects of the module in no frame, by address */
    uint32_t n_statics;
    struct VmDecoded *decoded;         /* out_of_order.c; NULL: blocks have a cost each */
    const struct VmNativeCode *native; /* NULL: none yet (native.h) */
    struct VmWatch *watch;             /* NULL: nobody samples its ranks (native_watch.h) */
    VmDrill *drill;                    /* NULL: no test that stops its ranks at drawn places (drill.h) */
    bool keeps_fenv; /* the program asks for floating-point flags or rounding: each rank has its own */
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

/* -- ranks ------------------------------------------------------------------------------------- */

typedef struct VmCallFrame {
    uint64_t entry_sp; /* SP when the function was entered, to which its return goes back */
    const VmInstr
        *call;       /* the call that it is in; of no meaning in the running frame (see VmRank.pc) but to VM_OP_LOST */
    uint64_t mark;   /* setjmp's proof that this is still the same call; 0: no setjmp in it yet */
    uint32_t window; /* offset of R[0] in registers */
    uint32_t outermost; /* entered from outside (program start or upcall): its return leaves the loop */
} VmCallFrame;

typedef struct VmOpenRequest {
    VmRequest request;
    const VmBinding *binding;
    uint32_t depth;  /* frames when it was made: the last of them is the one that called */
    uint32_t window; /* offset of its args in registers */
} VmOpenRequest;

typedef enum VmState {
    VM_STATE_EMPTY,   /* no program */
    VM_STATE_READY,   /* can run */
    VM_STATE_REQUEST, /* the innermost request waits for its answer */
    VM_STATE_EXITED,
    VM_STATE_FAULTED,
} VmState;

typedef struct VmAccessWatch { /* see vm_rank_add_access_hook() */
    VmAccessHook hook;
    void *user;
    bool looks;       /* no more than that */
    bool of_releases; /* asked before blocks are given back, not before accesses */
    struct VmAccessWatch *next;
} VmAccessWatch;

typedef struct VmCircle VmCircle; /* circle.c */
typedef struct VmTally VmTally;   /* tally.c */
typedef struct VmPredictor VmPredictor;
typedef struct VmOutOfOrder VmOutOfOrder; /* out_of_order.c */
typedef struct VmCheck VmCheck;           /* what --check knows of the heap */
typedef struct VmLibrary VmLibrary;       /* open files, heap, random state ...; belongs to library*.c */

struct VmRank {
    VmWorld *world;
    VmImage *image; /* NULL before it starts */
    uint32_t index;
    VmState state;

    VmClock clock;

    /* memory */
    uint8_t *memory; /* host address of guest address 0 (which itself is never touched), as far as it is near: */
    uint64_t near_low, near_end; /* this much of [data_base, heap_end): all, unless it is nested */
    uint64_t data_base;          /* lowest private address: of the stack, or of data where the stack is behind them */
    uint64_t stack_low;          /* the lowest address that the stack may have where the memory lies now */
    uint64_t stack_high;         /* its end; its top holds errno, arguments and environment */
    uint64_t heap_start;         /* 16-byte aligned */
    uint64_t heap_end;           /* end of what may be accessed */
    uint64_t heap_limit;         /* heap_end never passes this */

    /* the running frame */
    uint64_t sp;
    uint32_t pc;    /* the instruction that runs next; in a request or fault, the one that made it */
    uint32_t depth; /* frames */
    VmCallFrame *frames;
    VmCallFrame *frame_end; /* capacity */
    uint64_t *registers;
    uint64_t *register_end; /* capacity, before VM_REGISTER_SLACK */
    uint64_t last_mark;

    /* leaving the VM */
    VmOpenRequest *requests;
    uint32_t request_count;
    uint32_t request_capacity;
    uint64_t upcall_result;
    const VmBinding *binding; /* extern being called */
    bool in_order;            /* it is being called in its turn: see VM_CALL_AGAIN */
    int exit_status;
    bool brief;                    /* its last run between two communications was: see VM_BRIEF_RUN */
    bool nested;                   /* its memory is in a nest (nest.c) */
    bool closed;                   /* vm_library_close() has been called */
    uint8_t fe_flags, fe_rounding; /* while it does not run, where the image keeps them: see vm_fenv_enter() */
    bool hook_passed;              /* the hook stopped the rank at pc: do not ask again when going on */
    VmFault fault;

    VmHook hook;
    void *hook_user;
    VmAccessWatch *watches; /* NULL: nobody watches its accesses */
    VmPredictor *predictor; /* predictor.c; NULL: it has met no branch that is predicted */
    VmTally *tally;         /* NULL: nothing is counted that could have to be taken back */
    VmCircle *circle;       /* NULL: nobody asks whether it goes round in a circle */
    bool running;           /* inside vm_rank_run(); kept only where somebody watches */

    struct VmCheck *check;     /* check.h; NULL: without --check */
    struct VmShadow *shadow;   /* shadow.h; there whenever `check` is */
    struct VmLibrary *library; /* made by the library at its first use; NULL until then */
};

struct VmWorld {
    uint32_t count;
    VmLimits limits;
    VmHost host;
    uint8_t *reservation;
    uint64_t stride;  /* bytes of address space per rank */
    uint8_t *shadows; /* of all ranks, under --check: two strides each (shadow.c) */
    uint8_t *nests;   /* nest.c; NULL: none */
    uint32_t nest_bytes;
    GPtrArray *own_places; /* paths that no program may touch (library_paths.c); NULL: nobody has asked */
    VmRank *ranks;
};

enum { VM_PAGE = 4096, VM_REGISTER_SLACK = 16 };
/* Entering native code and leaving it costs as much as interpreting so many cycles (q8). */
enum { VM_BRIEF_RUN = 256 << 8 };

/* -- between the core's files ------------------------------------------------------------------ */

/* The two builds of the loop (interpreter.c). The second is the careful one: it asks the debugger's hook and the access
 * hooks. Where the compiler lacks computed goto it also is the first. */
VmStop vm_interpret(VmRank *rank, uint64_t quantum);
VmStop vm_interpret_by_switch(VmRank *rank, uint64_t quantum);
/* VmInstr.handler for each VmOp. */
void vm_interpreter_handlers(const void *handlers[VM_OP_COUNT]);
/* Gives the instructions where sequences of fused.def begin their handlers. */
void vm_fuse(VmImage *image, const void *const *handlers);

/* Makes room for one more frame and `registers` registers from offset `window` on. False, with a fault raised, where
 * the program has called too deep. Moves frames and registers. */
bool vm_frames_reserve(VmRank *rank, uint32_t window, uint32_t registers);
/* Registers that all frames of a rank may hold together. */
uint64_t vm_frames_most_registers(const VmRank *rank);
/* Makes room for that many frames, or registers. Moves them. */
void vm_frames_make_room(VmRank *rank, uint32_t depth);
void vm_frames_grow_registers(VmRank *rank, uint64_t registers);
/* Calls extern `index` with its window; the rank's state is saved. */
VmCallResult vm_frames_call_extern(VmRank *rank, uint32_t index, uint64_t *args, unsigned n);
/* The outermost frame returned `value`: ends an upcall or the program. */
VmStop vm_frames_leave(VmRank *rank, uint64_t value);
/* Enters a function from outside with a window at `window`. */
bool vm_frames_enter(VmRank *rank, uint32_t function, uint32_t window, const uint64_t *args, unsigned n);
/* Brings the arguments in the window at offset `window` from the form that the `calli` at rank->pc passes to the one
 * that `function` takes. False, with a fault raised, where that cannot be. May move the registers. */
bool vm_frames_fit(VmRank *rank, uint32_t function, uint32_t window);
void vm_frames_free(VmRank *rank);

/* As vm_rank_read(), vm_rank_write() and vm_rank_string(), but no access hook is asked: for what the VM itself keeps in
 * a rank's memory. */
const void *vm_memory_read(const VmRank *rank, uint64_t address, uint64_t size);
void *vm_memory_write(const VmRank *rank, uint64_t address, uint64_t size);
/* What can be read at `address`, and how many bytes of it lie side by side; NULL: nothing. */
const void *vm_memory_reach(const VmRank *rank, uint64_t address, uint64_t *room);
/* Asks the access hooks. False, with a fault raised, where one refuses. */
bool vm_memory_ask(VmRank *rank, uint64_t address, uint64_t size, bool write);
/* For who accesses memory by vm_memory_reach() and the like on the program's behalf: --check and the access hooks. */
static inline bool vm_memory_is_observed(const VmRank *rank)
{
    return rank->watches || rank->check;
}
bool vm_memory_ask_all(VmRank *rank, uint64_t address, uint64_t size, bool write);
static inline bool vm_memory_observe(VmRank *rank, uint64_t address, uint64_t size, bool write)
{
    return !vm_memory_is_observed(rank) || vm_memory_ask_all(rank, address, size, write);
}
/* Moves the end of the heap, and with it that of what is near. */
void vm_memory_set_end(VmRank *rank, uint64_t end);
/* Whether [address, address + size) is near; if not, but private to the rank, it comes to be. */
bool vm_memory_bring(const VmRank *rank, uint64_t address, uint64_t size);
/* The same before a block is given back. */
bool vm_memory_ask_release(VmRank *rank, uint64_t address, uint64_t size);
/* Gives the pages of [low, high) back to the host and clears what is left of the first; `high` is the end of a page, or
 * nothing lies behind it. */
void vm_memory_discard(VmRank *rank, uint64_t low, uint64_t high);
void vm_memory_forget_hooks(VmRank *rank);
/* The rank's counters are noted with their times from now on (tally.c). One of them goes up by one, at its clock, which
 * must be up to date. */
void vm_tally_begin(VmRank *rank);
void vm_tally_count(VmRank *rank, uint64_t *counter);
void vm_tally_free(VmRank *rank);
/* A function has been called while rank->circle watches. */
void vm_circle_called(VmRank *rank, const VmExtern *function, VmCallResult result);

/* Where all of a rank's memory has room: host address of guest address 0. */
uint8_t *vm_rank_place(const VmRank *rank);
/* A rank that starts, and whose stack is in use from stack_top on, goes into a nest, if there is one for it. */
void vm_nest_enter(VmRank *rank, uint64_t stack_top);
/* It goes to its place: no host address of its memory is good any more. */
void vm_nest_leave(VmRank *rank);
/* The same unless [address, address + bytes) of the heap lies in the nest. */
void vm_nest_allow(VmRank *rank, uint64_t address, uint64_t bytes);
/* The first address behind a rank's nest. */
uint64_t vm_nest_end(const VmRank *rank);
void vm_nests_free(VmWorld *world);

/* What is special about the block that ends at `pc`, where that is a VM_OP_WIDE. O(log). */
const VmWideCost *vm_image_wide_cost(const VmImage *image, uint32_t pc);
/* What is lost in front of `pc`, where that is a VM_OP_LOST. O(log). */
const VmLost *vm_image_lost(const VmImage *image, uint32_t pc);
/* Cycles (q8) of the block that ends at `pc`. */
uint64_t vm_image_block_cost(const VmImage *image, uint32_t pc);
/* For --check, where it is on (shadow.c): a call of an extern has ended with this result, in the register at an offset
 * from the rank's first; a function is entered from outside. */
void vm_shadow_returned(VmRank *rank, uint64_t at, uint64_t value);
void vm_shadow_entered(VmRank *rank, uint32_t function, uint32_t window);
/* What the library or the layer above is about to do for the program. */
/* The library uses what stands there; of the first row where two blocks differ it is only that. */
void vm_shadow_used(VmRank *rank, uint64_t address, uint64_t size);
bool vm_shadow_access(VmRank *rank, uint64_t address, uint64_t size, bool write);
/* The registers that an instruction reads and writes (effects.c). */
typedef struct VmEffects {
    unsigned reads[3];
    unsigned read_count;
    unsigned first_argument, arguments; /* a call's window, read too */
    int written;                        /* -1: none */
} VmEffects;
VmEffects vm_effects(VcodeInstr i);
bool vm_is_call(VcodeInstr i);
/* Tells the places, counted from the function's start as `at` is, that control may go to behind the instruction there;
 * a place as often as a switch names it. Not for computed jumps. */
typedef void VmGoesTo(void *user, uint32_t target);
void vm_goes_to(const VcodeModule *module, uint32_t at, VcodeInstr i, VmGoesTo *to, void *user);

/* Adds to cost[pc - start of the function], for each pc where a block ends, what the waiting of instructions for each
 * other and mispredicted branches cost there (pipeline.c). */
void vm_pipeline_costs(const VcodeModule *module, uint32_t function, const VmCosts *costs, uint64_t *cost);

/* Which branches and jumps of a function are left to a predictor: predicted[pc - start of the function]. Not those that
 * compilers replace by conditional moves, nor the ends of innermost loops that count, which have a cost of their own.
 */
void vm_pipeline_predicted(const VcodeModule *module, uint32_t function, bool *predicted);

/* Sets clear_from, clear_to, lost_from and lost_to of function `index` of a verified module. */
void vm_liveness(const VcodeModule *module, uint32_t index, VmFunction *function);
/* The function whose code contains `pc`. */
uint32_t vm_image_function_of(const VmImage *image, uint32_t pc);
/* End of the addresses that a rank can have, once its map is set. */
uint64_t vm_rank_space_end(const VmRank *rank);
/* Index of the function at a code address, or VCODE_NONE. */
uint32_t vm_image_function(const VmImage *image, uint64_t address);

/* Raises the fault of an access that memory.c refused. */
void vm_fault_access(VmRank *rank, uint64_t address, uint64_t size, bool write);
/* Says in lines what lies at an address, or next to it. Nothing: there is nothing near. */
void vm_describe_address(VmRank *rank, uint64_t address, GString *out);
/* Raises the fault of calling `address`, where no function is. */
void vm_fault_function(VmRank *rank, uint64_t address);
/* Ends the process: flushes its files, once. */
void vm_rank_close(VmRank *rank);

/* The floating-point environment of a rank, with the host's arithmetic as the rank's: brought in before the rank's code
 * runs and put away behind it, so that neither other ranks nor the simulator see it (library_fenv.c). */
void vm_fenv_enter(const VmRank *rank);
void vm_fenv_leave(VmRank *rank);

/* -- seam to the C library ----------------------------------------------------------------------------------
 * library*.c defines vm_library(), vm_rank_malloc() and vm_rank_free() of vm.h, and this: */
/* What an extern does with values that were never set; FOREIGN if it is none of vm_library(). */
VmShading vm_library_shading(const VmExtern *function);
/* Whether the extern is one of vm_library(). */
bool vm_library_owns(const VmExtern *function);

/* Flushes and closes the rank's streams, frees rank->library and sets it to NULL. Called once, when the process
 * ends (exit, fault) or is released; the clock still stands at the end. rank->library may be NULL. */
void vm_library_close(VmRank *rank);

/* ... and may use, besides vm.h: */

/* Moves the end of the heap by `bytes` (negative: back). Returns the old end, or 0 when the heap is full. Fresh bytes
 * read as 0. Memory given back is given back to the host. */
uint64_t vm_rank_sbrk(VmRank *rank, int64_t bytes);
/* The heap's first address: 16-byte aligned, the same for all ranks of a program. */
uint64_t vm_rank_heap_start(const VmRank *rank);
/* Where it ends, the same with and without --check. */
uint64_t vm_rank_heap_end(const VmRank *rank);
/* Address of the process's errno, an int in its memory. */
uint64_t vm_rank_errno_address(VmRank *rank);
/* The extern that is being called, for messages and costs; NULL outside a call. */
const VmExtern *vm_rank_current_extern(const VmRank *rank);
const VmHost *vm_rank_host(const VmRank *rank);
const VmLimits *vm_rank_limits(const VmRank *rank);

/* setjmp and longjmp as externs: setjmp(jmp_buf *) saves 64 bytes there, longjmp(jmp_buf *, int) goes back. A buffer
 * that is stale, forged, or belongs to the other side of an upcall is a fault. (sigsetjmp, _setjmp: the same
 * functions.) */
enum { VM_JUMP_BUFFER_BYTES = 64 };
VmCallResult vm_extern_setjmp(VmRank *rank, uint64_t *args, unsigned n, void *user);
VmCallResult vm_extern_longjmp(VmRank *rank, uint64_t *args, unsigned n, void *user);

#endif
