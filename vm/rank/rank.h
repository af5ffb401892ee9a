/* rank.h - one process: registers, frames, memory, clock, and how it ends. What is above (the library, --check) does
 * not show here; where it must be asked, VmAbove has its functions.
 *
 *   memory.c     reading and writing a rank's space, the heap's end
 *   nest.c       small address spaces side by side
 *   frames.c     calls' bookkeeping: growth, overflow, requests, upcalls, backtraces
 *   jump.c       setjmp and longjmp
 *   fault.c      raising faults, ending processes
 *   alignment.c  processors that forbid unaligned accesses
 *   clock.c      cycles and picoseconds
 *   circle.c     loops that wait
 *   tally.c      counters that can be cut at an instant that is past
 *   fenv.c       rounding and flags of floating-point arithmetic
 *
 * A rank's registers and frames are two growing host arrays. Frames name registers by offset, never by pointer, because
 * a growing array moves. The memory of a rank is one interval of guest addresses [data_base, heap_end); what is near of
 * it lies at `memory + address`: all, or as much as fits into a nest (nest.c). Constants are one interval of the image,
 * shared by all its ranks.
 *
 *   registers  | _start | main      | f    | ...       each window starts inside its caller's window, at the arguments
 *   frames     [   0    |   1       |  2   ]           rank->depth frames; the last one runs
 */
#ifndef ORRERY_VM_RANK_H
#define ORRERY_VM_RANK_H

#include "vm/code/code.h"
#include "vm/vm.h"

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
    bool closed;                   /* VmAbove.close_library has been called */
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

    struct VmCheck *check;     /* what --check knows of the heap; NULL: without --check */
    struct VmShadow *shadow;   /* ... of values; there whenever `check` is */
    struct VmLibrary *library; /* open files, heap, random state ...: the library makes it when it first needs it */
};

/* What a rank asks of the rooms above; vm/world.c fills it in. */
typedef struct VmAbove {
    void (*close_library)(VmRank *rank);                            /* the process has ended: its files, once */
    void (*describe)(VmRank *rank, uint64_t address, GString *out); /* what lies there or next to it, in lines */
    void (*exited)(VmRank *rank);                                   /* by itself, with its memory still there */
    /* only under --check: */
    bool (*access)(VmRank *rank, uint64_t address, uint64_t size, bool write); /* may it? False with a fault raised */
    bool (*use)(VmRank *rank, uint64_t address, uint64_t size, bool write);    /* ... of values: were they ever set? */
    uint64_t (*plain_end)(const VmRank *rank); /* of the heap as it is without --check */
    uint64_t (*sbrk)(VmRank *rank, int64_t bytes);
    void (*entered)(VmRank *rank, uint32_t function, uint32_t window); /* from outside */
    void (*returned)(VmRank *rank, uint64_t at, uint64_t value);       /* an extern, into the register at an offset */
} VmAbove;

struct VmWorld {
    const VmAbove *above;
    uint32_t count;
    VmLimits limits;
    VmHost host;
    uint8_t *reservation;
    uint64_t stride;  /* bytes of address space per rank */
    uint8_t *shadows; /* of all ranks, under --check: two strides each (check/shadow.c) */
    uint8_t *nests;   /* nest.c; NULL: none */
    uint32_t nest_bytes;
    GPtrArray *own_places; /* paths that no program may touch (library/paths.c); NULL: nobody has asked */
    VmRank *ranks;
};

enum { VM_PAGE = 4096, VM_REGISTER_SLACK = 16 };
/* Entering native code and leaving it costs as much as interpreting so many cycles (q8). */
enum { VM_BRIEF_RUN = 256 << 8 };

/* -- frames (frames.c) ------------------------------------------------------------------------- */

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

/* -- memory (memory.c, nest.c) ----------------------------------------------------------------- */

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

/* -- what is counted, and loops that wait (tally.c, circle.c) ---------------------------------- */

/* The rank's counters are noted with their times from now on (tally.c). One of them goes up by one, at its clock, which
 * must be up to date. */
void vm_tally_begin(VmRank *rank);
void vm_tally_count(VmRank *rank, uint64_t *counter);
void vm_tally_free(VmRank *rank);
/* A function has been called while rank->circle watches. */
void vm_circle_called(VmRank *rank, const VmExtern *function, VmCallResult result);

/* -- nests (nest.c) ---------------------------------------------------------------------------- */

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

/* -- ends and questions ------------------------------------------------------------------------ */

/* End of the addresses that a rank can have, once its map is set. */
uint64_t vm_rank_space_end(const VmRank *rank);
/* Raises the fault of an access that memory.c refused. */
void vm_fault_access(VmRank *rank, uint64_t address, uint64_t size, bool write);
/* Raises the fault of calling `address`, where no function is. */
void vm_fault_function(VmRank *rank, uint64_t address);
/* Ends the process: flushes its files, once. */
void vm_rank_close(VmRank *rank);

/* -- floating-point environment (fenv.c) ------------------------------------------------------- */

/* The floating-point environment of a rank, with the host's arithmetic as the rank's: brought in before the rank's code
 * runs and put away behind it, so that neither other ranks nor the simulator see it. */
void vm_fenv_enter(const VmRank *rank);
void vm_fenv_leave(VmRank *rank);
/* The running rank's: the program asks for flags (0), sets them (1), asks for the direction (2), sets it (3). Answers
 * what was asked for; -1 where it cannot be. */
int vm_fenv_ask(unsigned what, unsigned value);

/* -- for the library ---------------------------------------------------------------------------- */

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
VmCallResult vm_jump_setjmp(VmRank *rank, uint64_t *args, unsigned n, void *user);
VmCallResult vm_jump_longjmp(VmRank *rank, uint64_t *args, unsigned n, void *user);

#endif
