/* rank.h - one process: registers, frames, memory, clock, and how it ends. The rooms above (the library, --check) do
 * not appear here. Where a rank must call them, VmAbove has their functions.
 *
 *   memory.c     reading and writing a rank's space, the heap's end
 *   nest.c       small address spaces side by side
 *   frames.c     calls' bookkeeping: growth, overflow, requests, upcalls, backtraces
 *   jump.c       setjmp and longjmp
 *   threads.c    several threads in a rank
 *   fault.c      raising faults, ending processes
 *   shared.c     memory that several ranks share
 *   alignment.c  processors that forbid unaligned accesses
 *   clock.c      cycles and picoseconds
 *   circle.c     loops that wait
 *   tally.c      counters that can be cut at an instant that is past
 *   meter.c      what is executed, by path of calls and by instruction
 *   fenv.c       rounding and flags of floating-point arithmetic
 *
 * A rank's registers and frames are two growing host arrays. Frames refer to registers by offset, never by pointer,
 * because a growing array moves. The private memory of a rank is one interval of guest addresses [data_base, heap_end).
 * Its *near* part lies at `memory + address` on the host: all of it, or as much as fits into a nest (nest.c). Constants
 * are one interval of the image, which all its ranks share.
 *
 *   registers  | _start | main      | f    | ...       each window starts inside its caller's window, at the arguments
 *   frames     [   0    |   1       |  2   ]           rank->depth frames; the last one runs
 */
#ifndef ORRERY_VM_RANK_H
#define ORRERY_VM_RANK_H

#include "vm/code/code.h"
#include "vm/vm.h"

/* -- ranks ------------------------------------------------------------------------------------- */

/* One call in progress. */
typedef struct VmCallFrame {
    uint64_t entry_sp;   /* SP when the function was entered; its return restores it */
    const VmInstr *call; /* the call that the frame is in; in the running frame, only VM_OP_LOST reads it */
    uint64_t mark;       /* longjmp knows by it that this is still the call of its setjmp; 0: no setjmp yet */
    uint32_t window;     /* offset of R[0] in registers */
    uint32_t outermost;  /* entered from outside (program start or upcall), so its return leaves the loop */
} VmCallFrame;

/* What a function that has been halted must know when it is performed again. */
typedef struct VmPause {
    unsigned ends;   /* bits of VmHaltEnd */
    uint64_t done;   /* bytes that it has read or written, or its deadline (ps) */
    uint64_t stream; /* FILE * of which only the buffer is still to be written; 0: none */
    uint64_t result; /* its result after that */
} VmPause;

/* A request that waits for its answer; one of the stack VmRank.requests. */
typedef struct VmOpenRequest {
    VmRequest request;
    const VmBinding *binding;
    uint32_t depth;  /* number of frames when the request was made; the last of them made the call */
    uint32_t window; /* offset of request.args in registers */
    VmHalt halt;     /* of a request in order, as the next field */
    VmPause pause;
} VmOpenRequest;

typedef enum VmState {
    VM_STATE_EMPTY,   /* no program */
    VM_STATE_READY,   /* can run */
    VM_STATE_REQUEST, /* the innermost request waits for its answer */
    VM_STATE_EXITED,
    VM_STATE_FAULTED,
} VmState;

typedef enum VmWatchKind {
    VM_WATCH_ACCESSES,
    VM_WATCH_RELEASES, /* called before blocks are freed, not before accesses, and only under --check */
    VM_WATCH_FREES,    /* the same, always */
} VmWatchKind;

typedef struct VmAccessWatch { /* one access hook; see vm_rank_add_access_hook() */
    VmAccessHook hook;
    void *user;
    bool looks; /* the hook only looks: vm_rank_add_access_check() */
    VmWatchKind kind;
    struct VmAccessWatch *next;
} VmAccessWatch;

/* Bytes of a stream that may be read, or written over, without asking the library. Printed code has this type, too. */
#define VM_STREAM_WINDOW                                                                                               \
    typedef struct VmStreamWindow {                                                                                    \
        uint64_t handle; /* of the stream, as the program knows it; 0: no window */                                    \
        char **next;     /* the next byte; up to *end */                                                               \
        char *const *end;                                                                                              \
        const uint64_t *turn_cycles; /* only while the clock has less cycles (q8) */                                   \
        uint64_t lines;              /* not 0: the end of a line is for the library */                                 \
    } VmStreamWindow;
VM_STREAM_WINDOW

typedef struct VmAbsence VmAbsence;     /* absent.c */
typedef struct VmContents VmContents;   /* content.c */
typedef struct VmCircle VmCircle;       /* circle.c */
typedef struct VmRankMeter VmRankMeter; /* meter.c */
typedef struct VmTally VmTally;         /* tally.c */
typedef struct VmPredictor VmPredictor;
typedef struct VmOutOfOrder VmOutOfOrder; /* out_of_order.c */

/* What belongs to one thread of a rank. The fields of the thread that is selected are those of the rank; those of the
 * others are kept until they are selected (threads.c). */
#define VM_THREAD_FIELDS                                                                                               \
    VmClock clock;                                                                                                     \
    uint32_t pc;        /* the instruction that runs next; in a request or fault, the instruction that made it */      \
    VmState state;      /* of a rank that has ended, EXITED or FAULTED, whatever is selected */                        \
    VmFault *own_fault; /* of several threads, one has faulted or exited, and that has not taken effect: its fault, */ \
    int own_status;     /* and its status */                                                                           \
                                                                                                                       \
    /* the stack */                                                                                                    \
    uint64_t stack_low;  /* the lowest address that the stack may have where the memory lies now */                    \
    uint64_t stack_high; /* end of the stack; its top holds errno and, of the first thread, arguments and              \
                            environment */                                                                             \
    uint64_t storage;    /* address of the thread's own copy of objects with thread storage; 0: not set */             \
                                                                                                                       \
    /* the running frame */                                                                                            \
    uint64_t sp;                                                                                                       \
    uint32_t depth; /* number of frames */                                                                             \
    VmCallFrame *frames;                                                                                               \
    VmCallFrame *frame_end; /* end of the capacity */                                                                  \
    uint64_t *registers;                                                                                               \
    uint64_t *register_end; /* end of the capacity, before VM_REGISTER_SLACK */                                        \
                                                                                                                       \
    /* leaving the VM */                                                                                               \
    VmOpenRequest *requests; /* a stack; the last one is the innermost */                                              \
    uint32_t request_count;                                                                                            \
    uint32_t request_capacity;                                                                                         \
    uint64_t upcall_result;   /* result of the last upcall that returned */                                            \
    const VmBinding *binding; /* the extern being called; NULL: none */                                                \
    uint64_t granted_q8;      /* it is the rank's turn while its clock has just these cycles (q8); UINT64_MAX: none */ \
    uint64_t turn_cycles;   /* it is the rank's turn at least while its clock has less cycles (q8): VmHost.undisturbed \
                             */                                                                                        \
    VmPredictor *predictor; /* branch predictor; NULL: the thread has met no branch that is predicted */               \
    bool brief;             /* its last run between two communications was shorter than VM_BRIEF_RUN */                \
    uint8_t fe_flags, fe_rounding; /* floating-point flags and rounding while the thread does not run, if the image    \
                                      keeps them: see vm_fenv_enter() */                                               \
    bool hook_passed;              /* the hook stopped the thread at pc: do not call it again when it goes on */

typedef struct VmThreadState {
    VM_THREAD_FIELDS
} VmThreadState;

typedef struct VmThreads VmThreads; /* threads.c */

struct VmRank {      /* the first fields, up to clock and pc, are those of VmRankFace */
    VmImage *image;  /* NULL before it starts */
    uint8_t *memory; /* host address of guest address 0, which itself is never touched; valid for the near part of the
                        memory */
    uint64_t near_low, near_end; /* the near part of [data_base, heap_end): all of it, unless the rank is nested or
                                    has absent parts */
    VmAccessWatch *watches;      /* access hooks; NULL: none */
    struct VmCheck *check;       /* what --check knows of the heap; NULL: no --check */
    uint32_t index;

    union {
        struct {
            VM_THREAD_FIELDS
        };
        VmThreadState thread; /* all of them */
    };
    VmThreads *threads; /* NULL: the rank has had one thread only */
    VmWorld *world;

    /* memory */
    uint64_t data_base;  /* lowest private address: of the stack, or of the data if the stack lies behind them */
    uint64_t heap_start; /* 16-byte aligned */
    uint64_t heap_end;   /* end of the addresses that may be accessed */
    uint64_t heap_limit; /* largest value of heap_end */
    uint64_t populated;  /* end of what vm_memory_populate() has taken */

    uint64_t last_mark; /* the last mark that setjmp gave to a frame */

    bool in_order;                /* the extern is being called in the rank's turn: see VM_CALL_AGAIN */
    bool wants_turn;              /* the function being called must be called again in the rank's turn */
    bool paced;                   /* the clock is right only in its turn: vm_rank_pace() */
    bool exposed;                 /* see vm_rank_expose() */
    bool turn_held;               /* it is the rank's turn for the rest of the running instruction */
    VmStreamWindow input, output; /* of the streams that single bytes were last read from and written to */
    int exit_status;
    bool concluded; /* its end has taken effect, for all threads */
    bool nested;    /* its memory is in a nest (nest.c) */
    bool closed;    /* VmAbove.close_library has been called */
    VmFault fault;

    VmHook hook;
    void *hook_user;
    VmAbsence *absence;             /* parts of the heap that lie elsewhere; NULL: there never was one */
    VmPredictorCounts *predictions; /* counts of the predictors of all threads; NULL: there was none */
    VmRankMeter *meter;             /* adds up what it executes (meter.c); NULL: nobody has asked */
    VmTally *tally;                 /* counts that may have to be taken back; NULL: none are recorded */
    VmCircle *circle;               /* watches for a loop that waits; NULL: not watched */
    bool running;                   /* inside vm_rank_run(); kept up to date only if there are access hooks */
    uint8_t *apart; /* the address space of a rank that came during the run, and its shadows; NULL: the rank's
                     * place is in the reservation */

    struct VmShadow *shadow;   /* what --check knows of values; not NULL whenever `check` is not NULL */
    GPtrArray *segments;       /* memory that it shares with others (shared.c); NULL: none */
    struct VmLibrary *library; /* open files, heap, random state ...; NULL until the library first needs it */
};

#define VM_SHOWS(field)                                                                                                \
    _Static_assert(offsetof(VmRank, field) == offsetof(VmRankFace, field) &&                                           \
                       sizeof(((VmRank *)0)->field) == sizeof(((VmRankFace *)0)->field),                               \
                   "VmRankFace shows the first fields of a rank")
VM_SHOWS(image);
VM_SHOWS(memory);
VM_SHOWS(near_low);
VM_SHOWS(near_end);
VM_SHOWS(watches);
VM_SHOWS(check);
VM_SHOWS(index);
VM_SHOWS(clock);
VM_SHOWS(pc);
#undef VM_SHOWS

/* Functions of the rooms above that a rank calls; vm/world.c fills it in. */
typedef struct VmAbove {
    /* The process has ended: flushes and closes its files. Called once. */
    void (*close_library)(VmRank *rank);
    /* Appends lines that tell what lies at the address or next to it. */
    void (*describe)(VmRank *rank, uint64_t address, GString *out);
    /* vm_rank_append_object(). */
    bool (*object)(VmRank *rank, uint64_t address, uint64_t *low, GString *out);
    /* The process has ended by itself. Its memory is still there. */
    void (*exited)(VmRank *rank);
    /* The thread that is selected has ended. */
    void (*ended)(VmRank *rank);

    /* Called only under --check: */

    /* Whether the access may be. Returns false with a fault raised. */
    bool (*access)(VmRank *rank, uint64_t address, uint64_t size, bool write);
    /* Checks the values of an access: whether they lie in one object and were ever set. Returns false with a fault
     * raised. */
    bool (*use)(VmRank *rank, uint64_t address, uint64_t size, bool write);
    /* End of the heap as it would be without --check. */
    uint64_t (*plain_end)(const VmRank *rank);
    /* vm_rank_sbrk() on the heap as it would be without --check. */
    uint64_t (*sbrk)(VmRank *rank, int64_t bytes);
    /* A function has been entered from outside. */
    void (*entered)(VmRank *rank, uint32_t function, uint32_t window);
    /* An extern has returned `value` into the register at offset `at`. */
    void (*returned)(VmRank *rank, uint64_t at, uint64_t value);
    /* Thread `from` is no longer selected, and `to` is; VM_NO_THREAD: `to` has ended, and nobody asks for it again. */
    void (*selected)(VmRank *rank, uint32_t from, uint32_t to);
} VmAbove;

struct VmWorld {
    const VmAbove *above;
    uint32_t count; /* ranks that it was made with; their memory is in the reservation */
    uint32_t total; /* and those that came since */
    uint32_t apart; /* of these, how many have their address space still */
    VmLimits limits;
    VmHost host;
    uint8_t *reservation;  /* the address spaces of all ranks, side by side */
    uint64_t stride;       /* bytes of address space of each rank */
    uint8_t *shadows;      /* shadows of all ranks, under --check: two strides each (check/shadow.c) */
    uint64_t shared_bytes; /* addresses from VCODE_SHARED_BASE on that have been given to segments */
    uint8_t *nests;        /* memory of the nests (nest.c); NULL: none */
    uint32_t nest_bytes;   /* bytes of each nest */
    VmContents *contents;  /* what absent parts refer to; NULL: nothing yet */
    GPtrArray *own_places; /* paths that no program may touch (library/paths.c); NULL: not asked for yet */
    VmRank *ranks;
};

enum { VM_PAGE = 4096, VM_REGISTER_SLACK = 16 };
/* Cycles (q8) below which a run between two communications is brief. Interpreting so many costs about as much as
 * entering native code and leaving it. */
enum { VM_BRIEF_RUN = 256 << 8 };

/* -- frames (frames.c) ------------------------------------------------------------------------- */

/* Makes room for one more frame, with `registers` registers from offset `window` on. Returns false, with a fault
 * raised, if the program has called too deep. May move frames and registers. */
bool vm_frames_reserve(VmRank *rank, uint32_t window, uint32_t registers);
/* Number of registers that all frames of a rank may hold together. */
uint64_t vm_frames_most_registers(const VmRank *rank);
/* Make room for `depth` frames, or for `registers` registers. They move the frames, or the registers. */
void vm_frames_make_room(VmRank *rank, uint32_t depth);
void vm_frames_grow_registers(VmRank *rank, uint64_t registers);
/* Calls extern `index` with its window. The rank's state must have been saved. */
VmCallResult vm_frames_call_extern(VmRank *rank, uint32_t index, uint64_t *args, unsigned n);
/* Ends the upcall or the program whose outermost frame has returned `value`. */
VmStop vm_frames_leave(VmRank *rank, uint64_t value);
/* Enters a function from outside, with its registers at offset `window`. */
bool vm_frames_enter(VmRank *rank, uint32_t function, uint32_t window, const uint64_t *args, unsigned n);
/* Converts the arguments in the window at offset `window` from the form that the `calli` at rank->pc passes to the form
 * that `function` takes. Returns false, with a fault raised, if they do not fit. May move the registers. */
bool vm_frames_fit(VmRank *rank, uint32_t function, uint32_t window);
void vm_frames_free(VmRank *rank);
/* Leaves the VM in front of the instruction at rank->pc, until it is the rank's turn. */
void vm_frames_ask_turn(VmRank *rank, bool write);

/* -- memory (memory.c, nest.c) ----------------------------------------------------------------- */

/* Like vm_rank_read() and vm_rank_write(), but without access hooks: for what the VM itself keeps in a rank's
 * memory. */
const void *vm_memory_read(const VmRank *rank, uint64_t address, uint64_t size);
void *vm_memory_write(const VmRank *rank, uint64_t address, uint64_t size);
/* Whether the bytes lie in the near part of the memory, and nobody wants to know of accesses. */
static inline bool vm_memory_is_plain(const VmRank *rank, uint64_t address, uint64_t size)
{
    uint64_t offset = address - rank->near_low, bytes = rank->near_end - rank->near_low;
    return offset <= bytes && size <= bytes - offset && !rank->watches && !rank->check;
}
/* Returns the readable bytes at `address`, and in *room how many of them lie side by side; NULL: none can be read. */
const void *vm_memory_reach(const VmRank *rank, uint64_t address, uint64_t *room);
/* Calls the access hooks. Returns false, with a fault raised, if one refuses. */
bool vm_memory_ask(VmRank *rank, uint64_t address, uint64_t size, bool write);
/* For code that accesses memory by vm_memory_reach() and the like on the program's behalf: whether --check or access
 * hooks must be asked. vm_memory_observe() asks them and returns false, with a fault raised, if one refuses. */
static inline bool vm_memory_is_observed(const VmRank *rank)
{
    return rank->watches || rank->check;
}
bool vm_memory_ask_all(VmRank *rank, uint64_t address, uint64_t size, bool write);
static inline bool vm_memory_observe(VmRank *rank, uint64_t address, uint64_t size, bool write)
{
    return !vm_memory_is_observed(rank) || vm_memory_ask_all(rank, address, size, write);
}
/* All of [address, address + size), which is near, is about to be written. Pages that were never touched are taken from
 * the host with one call, which is cheaper than a fault for each. */
void vm_memory_populate(VmRank *rank, uint64_t address, uint64_t size);
/* Moves the end of the heap, and with it the end of the near part. */
void vm_memory_set_end(VmRank *rank, uint64_t end);
/* Whether [address, address + size) is near. If it is private to the rank but not near, this makes it near. */
bool vm_memory_bring(const VmRank *rank, uint64_t address, uint64_t size);
/* Calls the release hooks and the free hooks before a block is freed or moved; vm_memory_ask_free() only the latter.
 * Return false, with a fault raised, if one refuses. */
bool vm_memory_ask_release(VmRank *rank, uint64_t address, uint64_t size);
bool vm_memory_ask_free(VmRank *rank, uint64_t address, uint64_t size);
/* Gives the pages of [low, high) back to the host and clears the rest of the first page. `high` is the end of a page,
 * or nothing lies behind it. */
void vm_memory_discard(VmRank *rank, uint64_t low, uint64_t high);
void vm_memory_forget_hooks(VmRank *rank);

/* -- shared memory (shared.c) ------------------------------------------------------------------- */

/* Host address of bytes in one of the rank's segments; NULL: they do not lie in one. */
void *vm_shared_find(const VmRank *rank, uint64_t address, uint64_t size);
/* The same before a write, of which it informs the host. */
void *vm_shared_find_for_write(const VmRank *rank, uint64_t address, uint64_t size);
/* Number of bytes from `address` to the end of its segment; 0: it is in none. */
uint64_t vm_shared_room(const VmRank *rank, uint64_t address);
/* The running instruction accesses a segment. Returns false if it is not the rank's turn; then the rank is at a
 * request, and the instruction will be done again. */
bool vm_shared_turn(VmRank *rank, bool write);
/* Before an instruction of a rank with segments that is watched, and whose hooks may move the clock: takes the turn for
 * all that it does. Returns false as vm_shared_turn() does. */
bool vm_shared_step(VmRank *rank, const VmInstr *ip, const uint64_t *registers);
/* Whether a call of a function with these arguments, the first `fixed` of which it declares, must wait for the rank's
 * turn. */
bool vm_shared_concerns(VmRank *rank, const uint64_t *args, unsigned n, unsigned fixed);

/* -- absent parts (absent.c, content.c) ----------------------------------------------------------- */

/* For a rank with `absence`: the lowest absent address, or UINT64_MAX. */
uint64_t vm_absent_start(const VmRank *rank);
/* The bytes are about to be accessed and are not near. They are in their place then. */
void vm_absent_touch(VmRank *rank, uint64_t address, uint64_t size);
void vm_absent_bring_all(VmRank *rank);
/* Nothing at `address` or above is needed any more. */
void vm_absent_drop_above(VmRank *rank, uint64_t address);
void vm_absent_free(VmRank *rank);
/* Frees all contents. */
void vm_content_clear(VmWorld *world);

/* -- what is executed where, for profiles (meter.c) -------------------------------------------- */

/* The last instruction that a metered rank has begun, as the loop sees it. */
typedef struct VmMeterFace {
    uint64_t cycles; /* of the clock at that time */
    uint32_t pc;
    bool within; /* it does not end a block: if the clock has not moved, nothing has happened */
} VmMeterFace;
/* The face of a rank with one thread; NULL: it has several, or has not begun. */
static inline VmMeterFace *vm_meter_face(const VmRank *rank)
{
    return *(VmMeterFace **)(void *)rank->meter;
}
static inline bool vm_meter_ends(const VmImage *image, uint32_t pc)
{
    VcodeCost cost = vcode_op_info[vcode_op(image->module->code.items[pc])].cost;
    return cost == VCODE_COST_BRANCH || cost == VCODE_COST_CALL || cost == VCODE_COST_END;
}
/* A metered rank is about to run the instruction at rank->pc; its state is saved. */
void vm_meter_step(VmRank *rank);
/* A new thread has got this number. */
void vm_meter_thread_begins(VmRank *rank, uint32_t number);
void vm_meter_settle(VmRankMeter *own, uint64_t time_ps);
void vm_meter_cut(VmRankMeter *own, uint64_t time_ps);

/* -- what is counted, and loops that wait (tally.c, circle.c) ---------------------------------- */

/* vm_tally_begin() starts to note each count of the rank with its time (tally.c). vm_tally_count() adds one to
 * `counter` at the rank's clock, which must be up to date. */
void vm_tally_begin(VmRank *rank);
void vm_tally_count(VmRank *rank, uint64_t *counter);
void vm_tally_free(VmRank *rank);
/* Tells the watch in rank->circle that a function has been called. */
void vm_circle_called(VmRank *rank, const VmExtern *function, VmCallResult result);
/* Tells it of an access to shared memory. */
void vm_circle_shared(VmRank *rank);

/* -- threads (threads.c) ----------------------------------------------------------------------- */

/* Frees what the threads of a rank have. The first one is selected then. */
void vm_threads_free(VmRank *rank);
/* CPU time of all threads, ended or not. */
uint64_t vm_threads_cpu_ps(const VmRank *rank);
/* The stack pointer of a thread. */
uint64_t vm_thread_sp(const VmRank *rank, uint32_t thread);
/* The thread whose stack has the address; VM_NO_THREAD: none. *state: what belongs to it, valid until another thread is
 * selected or made. */
uint32_t vm_thread_of_stack(const VmRank *rank, uint64_t address, const VmThreadState **state);
/* Whether a synchronising operation must wait for its turn, because other threads may come first. */
static inline bool vm_threads_take_turns(const VmRank *rank)
{
    return G_UNLIKELY(rank->threads != NULL) && !rank->in_order;
}

/* The fault that the rank is about to have. */
VmFault *vm_rank_own_fault(VmRank *rank);

/* -- nests (nest.c) ---------------------------------------------------------------------------- */

/* Host address of guest address 0 in the rank's own place, which has room for all of its memory. */
uint8_t *vm_rank_place(const VmRank *rank);
/* Where the rank's shadows are, two strides. */
uint8_t *vm_rank_shadows(const VmRank *rank);
/* Puts a rank that starts, and whose stack is in use from `stack_top` on, into a nest, if there is one for it. */
void vm_nest_enter(VmRank *rank, uint64_t stack_top);
/* Moves a rank from its nest to its own place. Host addresses of its memory are no longer valid. */
void vm_nest_leave(VmRank *rank);
/* Moves a nested rank to its own place unless [address, address + bytes) of the heap lies in the nest. */
void vm_nest_allow(VmRank *rank, uint64_t address, uint64_t bytes);
/* The first address behind a rank's nest. */
uint64_t vm_nest_end(const VmRank *rank);
void vm_nests_free(VmWorld *world);

/* -- ends and questions ------------------------------------------------------------------------ */

/* End of the addresses that a rank can have. Its memory map must be set. */
uint64_t vm_rank_space_end(const VmRank *rank);
/* Raises the fault of an access that memory.c refused. */
void vm_fault_access(VmRank *rank, uint64_t address, uint64_t size, bool write);
/* Raises the fault of calling `address`, where there is no function. */
void vm_fault_function(VmRank *rank, uint64_t address);
/* Ends the process: flushes its files. Later calls do nothing. */
void vm_rank_close(VmRank *rank);

/* -- floating-point environment (fenv.c) ------------------------------------------------------- */

/* Install and remove the floating-point environment of a rank, if the rank uses the host's arithmetic as its own:
 * before its code runs, and behind it. So neither other ranks nor the simulator see it. */
void vm_fenv_enter(const VmRank *rank);
void vm_fenv_leave(VmRank *rank);
/* Accesses the environment of the running rank: `what` 0 gets the flags, 1 sets them, 2 gets the rounding direction, 3
 * sets it. Returns what was asked for, or -1 if that cannot be. */
int vm_fenv_ask(unsigned what, unsigned value);

/* -- for the library ---------------------------------------------------------------------------- */

/* Moves the end of the heap by `bytes`, back if negative. Returns the old end, or 0 when the heap is full. New bytes
 * read as 0. Memory beyond the new end goes back to the host. */
uint64_t vm_rank_sbrk(VmRank *rank, int64_t bytes);
/* The heap's first address: 16-byte aligned, the same for all ranks of a program. */
uint64_t vm_rank_heap_start(const VmRank *rank);
/* End of the heap, the same with and without --check. */
uint64_t vm_rank_heap_end(const VmRank *rank);
/* Address of the process's errno, an int in its memory. */
uint64_t vm_rank_errno_address(VmRank *rank);
/* The extern that is being called, for messages and costs; NULL outside a call. */
const VmExtern *vm_rank_current_extern(const VmRank *rank);
const VmHost *vm_rank_host(const VmRank *rank);
const VmLimits *vm_rank_limits(const VmRank *rank);

/* setjmp and longjmp as externs, also for sigsetjmp and _setjmp. setjmp(jmp_buf *) saves 64 bytes there,
 * longjmp(jmp_buf *, int) goes back. A buffer that is stale, forged, or belongs to the other side of an upcall is a
 * fault. */
enum { VM_JUMP_BUFFER_BYTES = 64 };
VmCallResult vm_jump_setjmp(VmRank *rank, uint64_t *args, unsigned n, void *user);
VmCallResult vm_jump_longjmp(VmRank *rank, uint64_t *args, unsigned n, void *user);

#endif
