/* vm.h - the virtual machine: runs vCode programs, one process per rank.
 *
 * The VM knows instructions, registers, memory, the C library and cycles. It knows nothing of MPI, of networks or of
 * other ranks. What it cannot do alone it hands to the layer above as a *request*: an extern function answers
 * VM_CALL_REQUEST, and the rank stops with VM_STOP_REQUEST. The layer above completes the request with
 * vm_rank_complete(), usually at a later time of the rank's clock. While a request is open, the layer above may run
 * simulated functions of the rank (reduction operators, callbacks) with vm_rank_upcall(). An upcall is ordinary
 * simulated code on the rank's own clock: it can run out of quantum, fault, stop at a breakpoint or make requests of
 * its own. Upcalls and requests nest to any depth.
 *
 *      VmImage   a verified program plus block costs and resolved externs; read-only, shared by all its ranks
 *      VmWorld   the address spaces of all ranks, in one lazily committed reservation
 *      VmRank    one process: registers, frames, memory, heap, open files, clock
 *
 * Threads: different host threads may run different ranks of a world at once. No two threads may use the same rank at
 * once. Images are immutable after creation. VmHost callbacks are called from the thread that runs the rank.
 *
 * Determinism: nothing of the host reaches a result: no address, time, locale, hash order or uninitialised memory.
 */
#ifndef ORRERY_VM_H
#define ORRERY_VM_H

#include "base/choice.h"
#include "vcode/vcode.h"
#include "vm/pipe.h"

#include <assert.h>

typedef struct VmImage VmImage;
typedef struct VmWorld VmWorld;
typedef struct VmRank VmRank;

#define VM_ERROR (vm_error_quark())
GQuark vm_error_quark(void);
typedef enum VmError {
    VM_ERROR_MEMORY,   /* the host cannot hold that many ranks or that much memory */
    VM_ERROR_PROGRAM,  /* not a program, or it failed verification */
    VM_ERROR_COMPILER, /* the host has no C compiler, or the compiler failed or was cancelled */
    VM_ERROR_VALUE,    /* a value that cannot be read: it is optimised out, or lies outside the rank's memory */
} VmError;

/* -- time -------------------------------------------------------------------------------------- */

/* Noise takes the processor away from a rank from time to time. Both callbacks are pure functions. They fit
 * together: through(through(t, a), b) = through(t, a + b), and work(t, through(t, a)) = a. */
typedef struct VmNoise VmNoise;
struct VmNoise {
    /* Time at which `work_ps` of work is done if it starts at `from_ps`. */
    uint64_t (*through)(VmNoise *noise, uint64_t from_ps, uint64_t work_ps);
    /* Amount of work (ps) that fits between the two times. */
    uint64_t (*work)(const VmNoise *noise, uint64_t from_ps, uint64_t until_ps);
};

/* Cycles are counted in 1/256 cycle ("q8"). Times are picoseconds. One cycle lasts period_q32 / 2^32 ps. */
typedef struct VmClock {
    uint64_t base_ps;     /* time of the last anchor */
    uint64_t base_cycles; /* cycle count (q8) at the anchor */
    uint64_t cycles;      /* cycle count (q8) now */
    uint64_t period_q32;  /* ps per cycle, 32.32 fixed point */
    VmNoise *noise;       /* NULL: no noise */
    /* Of the cycles before the last change of the period: how many there were, and how long they took. */
    uint64_t past_cycles, past_ps;
} VmClock;

/* The clock's time: base_ps + (cycles - base_cycles) * period, rounded down, plus what the noise adds. The product is
 * exact in 128 bits, so the result does not depend on where execution paused in between. Both factors are below 2^64;
 * q8 times q32 leaves 40 fraction bits. */
static inline uint64_t vm_clock_now(const VmClock *clock)
{
    unsigned __int128 elapsed = (unsigned __int128)(clock->cycles - clock->base_cycles) * clock->period_q32;
    uint64_t work_ps = (uint64_t)(elapsed >> 40);
    if (__builtin_expect(clock->noise != NULL, 0))
        return clock->noise->through(clock->noise, clock->base_ps, work_ps);
    return clock->base_ps + work_ps;
}
/* Picoseconds of the cycles that were executed. */
static inline uint64_t vm_clock_cpu_ps(const VmClock *clock)
{
    return clock->past_ps +
           (uint64_t)((unsigned __int128)(clock->cycles - clock->past_cycles) * clock->period_q32 >> 40);
}
/* Gives the cycles from now on another length. The anchor must be at the present time. */
static inline void vm_clock_set_period(VmClock *clock, uint64_t period_q32)
{
    assert(clock->base_cycles == clock->cycles);
    clock->past_ps = vm_clock_cpu_ps(clock);
    clock->past_cycles = clock->cycles;
    clock->period_q32 = period_q32;
}
/* Moves the anchor to `time_ps`, which must not be earlier than the present time. Waiting and charged overheads use
 * this. */
static inline void vm_clock_set(VmClock *clock, uint64_t time_ps)
{
    assert(time_ps >= vm_clock_now(clock)); /* every message comes through here */
    clock->base_ps = time_ps;
    clock->base_cycles = clock->cycles;
}
/* The time that the clock shows when it has so many cycles, without a new anchor in between. */
uint64_t vm_clock_at(const VmClock *clock, uint64_t cycles);
/* Returns how many cycles the clock may have so that its time is before `until_ps` for certain. */
uint64_t vm_clock_cycles_before(const VmClock *clock, uint64_t until_ps);
/* Advances the clock by `times` repetitions of a step of `period_ps` and `cycles_q8`. The rounding of times stays as it
 * is. */
void vm_clock_repeat(VmClock *clock, uint64_t times, uint64_t period_ps, uint64_t cycles_q8);

#define VM_EPOCH_SECONDS                                                                                               \
    INT64_C(946684800) /* the wall clock of programs at virtual time 0: 2000-01-01T00:00:00 UTC                        \
                        */

/* -- externs: functions of the simulator that programs call by name ---------------------------- */

typedef enum VmCallResult {
    VM_CALL_DONE,    /* the result is in args[0] */
    VM_CALL_REQUEST, /* leave the VM; vm_rank_complete() will give the result */
    VM_CALL_FAULT,   /* vm_rank_fault() has been called */
    VM_CALL_EXIT,    /* vm_rank_exit() has been called */
    VM_CALL_JUMPED,  /* the function changed the rank's frames itself (longjmp) */
    VM_CALL_AGAIN,   /* leave the VM as a request; vm_rank_perform() calls the function again when the rank's turn in
                        global order has come. For functions that touch what ranks share on the host (files) */
} VmCallResult;

/* `args` is the register window of the call: n values as the program passed them. Integers are canonical; doubles and
 * floats are bit patterns. A variadic function finds the address of its variable arguments after its fixed ones. */
typedef VmCallResult (*VmExternFunction)(VmRank *rank, uint64_t *args, unsigned n, void *user);

/* A function of the simulator that programs call by name. */
typedef struct VmExtern {
    const char *name;
    VmExternFunction function; /* NULL: the extern only answers VM_CALL_REQUEST */
    void *user;
    uint32_t base_q8; /* cycles charged per call; the function charges per-byte terms with vm_rank_charge() */
    uint32_t unit_q8; /* cycles per byte or element; charged by vm_rank_charge_units() */
    unsigned arity;   /* fewest arguments of a call. A call that passes fewer faults: the registers behind them hold no
                         arguments */
} VmExtern;

/* The C library as externs (printf, malloc, strlen, sin ...). The table is static and sorted by name. */
const VmExtern *vm_library(size_t *count);
/* Whether `function` is a row of vm_library() for a square root. The base_q8 of such a row includes the default cost of
 * the square-root instruction; images replace that part by what the instruction costs on the machine. */
bool vm_library_is_root(const VmExtern *function);
/* For externs that programs may only mention: raises a fault whose reason is `user`, a string. */
VmCallResult vm_extern_refused(VmRank *rank, uint64_t *args, unsigned n, void *user);
/* Names of the C and POSIX functions that a simulated rank cannot have (refused.def). The array is static and
 * sorted. */
const char *const *vm_refused_names(size_t *count);
/* Why a rank cannot have the function `name`: a sentence without its full stop. NULL: `name` is none of
 * vm_refused_names(). */
const char *vm_refused_why(const char *name);

/* -- images ------------------------------------------------------------------------------------ */

typedef struct VmExternCost { /* the cost of calls of one extern; it replaces the costs of the extern's own row */
    const char *name;
    uint32_t base_q8; /* cycles per call */
    uint32_t unit_q8; /* cycles per byte or element */
} VmExternCost;

/* clang-format off */
#define VM_EXECUTIONS(CHOICE) /* how the VM finds the time that instructions take */ \
    CHOICE(VM_EXECUTION_BLOCKS, "blocks")             /* each block of instructions has one static cost */ \
    CHOICE(VM_EXECUTION_OUT_OF_ORDER, "out-of-order") /* each instruction is followed through a simulated core */
#define VM_PREDICTORS(CHOICE) /* simulated branch predictors */ \
    CHOICE(VM_PREDICTOR_NONE, "none") \
    CHOICE(VM_PREDICTOR_BIMODAL, "bimodal") \
    CHOICE(VM_PREDICTOR_GSHARE, "gshare") \
    CHOICE(VM_PREDICTOR_TAGE, "tage")
/* clang-format on */
BASE_CHOICE_ENUM(VmExecution, VM_EXECUTIONS);
BASE_CHOICE_ENUM(VmPredictorKind, VM_PREDICTORS);
/* Names of the executions and of the predictors, indexed by constant and NULL-terminated. */
const char *const *vm_timing_executions(void);
const char *const *vm_predictors(void);

/* What instructions and functions cost on a simulated processor. Costs named _q8 are in 1/256 cycle. */
typedef struct VmCosts {
    uint32_t class_q8[VCODE_COST_COUNT];   /* cycles per instruction of each class */
    uint32_t latency_q8[VCODE_COST_COUNT]; /* cycles until its result is there, if the next turn of a loop waits */
    uint32_t branch_order_q8;  /* misprediction cost of a branch that orders values, one of them just loaded */
    uint32_t branch_test_q8;   /* misprediction cost of a branch that tests a loaded value for a constant or equality */
    uint32_t branch_exit_q8;   /* misprediction cost of the end of an innermost loop that counts */
    uint32_t branch_switch_q8; /* misprediction cost of a jump through a table */
    uint32_t exit_order_q8;    /* misprediction cost of a loop exit taken where loaded values are in order */
    uint32_t exit_test_q8;     /* misprediction cost of a loop exit taken where a loaded value passes a test */
    uint32_t window;           /* instructions that the core looks ahead, also past the end of a loop; 0: none */
    VmExecution execution;     /* how time is found */
    uint32_t dispatch_q8;      /* cycles of each instruction in the front end; only for execution out of order */
    VmPredictorKind predictor; /* the simulated branch predictor */
    uint32_t misprediction_q8; /* cycles of a branch that `predictor` has predicted wrongly */
    uint32_t copy_byte_q8;     /* cycles per byte of bcopy and bzero */
    uint32_t library_q8;       /* scale of library costs; 256: as in the table */
    const VmExternCost *externs; /* costs of single functions, not scaled; read while an image is made, not kept */
    size_t n_externs;
} VmCosts;
void vm_costs_default(VmCosts *costs);

/* Verifies `program`, resolves its externs from the given tables and computes block costs. Earlier tables win; the C
 * library is always searched last. A program may mention externs that are in no table, but calling one is a fault. The
 * image keeps a reference to the module until it is freed. The caller releases the image with vm_image_unref(). */
VmImage *vm_image_new(VcodeModule *program /* taken */, const VmExtern *externs, size_t n_externs, const VmCosts *costs,
                      GError **error);
/* Makes an image of the same program for another processor. It shares the module of `image` and has its own block costs
 * and externs. */
VmImage *vm_image_with_costs(VmImage *image, const VmExtern *externs, size_t n_externs, const VmCosts *costs);
VmImage *vm_image_ref(VmImage *image);
void vm_image_unref(VmImage *image);
const VcodeModule *vm_image_module(const VmImage *image);

/* Computes what each block of a function of a verified program costs under `costs`. If the i-th instruction of the
 * function ends a block, cost[i] is the cost of that block; otherwise cost[i] is 0. */
void vm_block_costs(const VcodeModule *program, uint32_t function, const VmCosts *costs, uint64_t *cost);
/* Makes the VM call the hook of ranks (vm_rank_set_hook) at the start of each block instead of each statement, for
 * counting. Must be called before a rank starts. */
void vm_image_observe_blocks(VmImage *image);

/* -- worlds ------------------------------------------------------------------------------------ */

/* Which files of the host a rank may open: none, those under VmLimits.directory, or all (library/paths.c). */
typedef enum VmFs { VM_FS_NONE, VM_FS_CWD, VM_FS_ALL } VmFs;

/* What is done to a file that the storage of the machine takes time for. */
typedef enum VmStorageSort { VM_STORAGE_READ, VM_STORAGE_WRITE, VM_STORAGE_NAME, VM_STORAGE_SYNC } VmStorageSort;
typedef struct VmStorageAccess {
    VmStorageSort sort; /* NAME: open, close, size and the like; SYNC: all that was written must be on the device */
    uint32_t file;      /* number of the file, from the layer above */
    uint64_t offset, bytes;
} VmStorageAccess;

/* Callbacks that the VM needs from the layer above. Any callback may be NULL. */
typedef struct VmHost {
    void *user;
    /* Rank `rank` has written bytes to stream 1 (stdout) or 2 (stderr) at its time `time_ps`. */
    void (*write)(void *user, uint32_t rank, int stream, uint64_t time_ps, const char *bytes, size_t size);
    /* Reads up to `size` bytes of standard input; returns 0 at the end. Called for rank 0 only; other ranks read end of
     * file. */
    size_t (*read)(void *user, uint32_t rank, char *bytes, size_t size);
    /* Returns the name of the node that the rank runs on (gethostname, uname). The callee owns the string. */
    const char *(*hostname)(void *user, uint32_t rank);
    /* Under VM_CHECK_UNINITIALISED: the program uses a value that was never set, for the first time at this place of
     * the program. `what`: what the program does, in one line. `detail`: where the value comes from, in lines. `fix`:
     * what to do, a constant string. Called on the thread that runs the rank. */
    void (*note)(void *user, uint32_t rank, uint64_t time_ps, const char *what, const char *detail, const char *fix);
    /* Rank `rank` has slept; its clock has already moved on to `to_ps`. Called on the thread that runs the rank. */
    void (*slept)(void *user, uint32_t rank, uint64_t from_ps, uint64_t to_ps);
    /* Rank `rank` lets others go first (sched_yield). Called on the thread that runs the rank. */
    void (*yielded)(void *user, uint32_t rank);
    /* VmFs has denied the rank the file `path` that it asked for. Called in the order of virtual time. */
    void (*refused_file)(void *user, uint32_t rank, const char *path);
    /* The rank's heap has grown by `bytes` at its time `time_ps`, or shrunk if `bytes` is negative. Called on the
     * thread that runs the rank. */
    void (*grew)(void *user, uint32_t rank, uint64_t time_ps, int64_t bytes);
    /* The rank, which runs, is about to touch host files. Returns the time before which nothing that others do takes
     * effect, so that what it does to files until then comes in the order of virtual time; 0: unknown. Called again
     * when the rank has run anew, slept, or called a function of the layer above. */
    uint64_t (*undisturbed)(void *user, uint32_t rank);
    /* Memory that ranks share is about to be written, in the order of virtual time. */
    void (*sharing)(void *user);
    /* A function that vm_rank_perform() runs has accessed a file of the host. The layer above takes the time that it
     * takes, before the rank goes on. The second callback returns the number of the file with this name. NULL, both of
     * them: files take no time. */
    void (*stored)(void *user, uint32_t rank, const VmStorageAccess *access);
    uint32_t (*storage_file)(void *user, const char *name);
    /* A function that vm_rank_perform() runs has changed a pipe of the rank, at the present time of its clock. */
    void (*piped)(void *user, uint32_t rank, const VmPipeChange *change);
} VmHost;

/* Bytes of memory: all that this process may fill (the host's memory, or the share of the process's control group),
 * what of the host's memory is still free, and what this process fills now (host/memory.c). */
uint64_t vm_host_memory(void);
uint64_t vm_host_memory_left(void);
uint64_t vm_host_memory_used(void);

/* Which errors the VM looks for at run time; bits. */
typedef enum VmChecks {
    VM_CHECK_HEAP = 1,          /* accesses outside heap blocks or to freed blocks, and blocks that were never freed */
    VM_CHECK_BOUNDS = 2,        /* accesses beyond variables */
    VM_CHECK_UNINITIALISED = 4, /* uses of values that were never set; reported by VmHost.note */
} VmChecks;

typedef struct VmLimits {
    uint64_t stack_bytes;  /* stack of each rank; default 8 MiB */
    uint64_t heap_bytes;   /* heap of each rank; default 0: as much as the reservation allows */
    uint64_t call_depth;   /* frames of each rank; default 1,000,000. One more is an "endless recursion" fault */
    VmFs fs;               /* files that ranks may open */
    const char *directory; /* absolute path of the directory in which ranks begin and to which VM_FS_CWD confines them.
                              NULL: the process's own. Not copied */
    uint32_t nest_ranks;   /* if there are more ranks than this, they begin in nests (nest.c); default 256 */
    uint32_t check;        /* bits of VmChecks */
    uint32_t newcomers;    /* most ranks that vm_world_add() may make during the run; default 0 */
} VmLimits;
void vm_world_limits_default(VmLimits *limits);

/* Reserves address space for `ranks` processes. Fails with VM_ERROR_MEMORY, numbers and advice if the host cannot hold
 * them. Memory is committed at first touch. */
VmWorld *vm_world_new(uint32_t ranks, const VmLimits *limits, const VmHost *host, GError **error);
void vm_world_free(VmWorld *world);
/* Makes `n` more ranks, numbered on, each with an address space of its own, which goes back to the host when the rank
 * is released. Ranks that are there stay where they are. Fails with VM_ERROR_MEMORY, and then makes none. */
bool vm_world_add(VmWorld *world, uint32_t n, GError **error);
/* Takes back the last `n` of those, which have not run. */
void vm_world_drop(VmWorld *world, uint32_t n);
/* Makes rank `index` run `image` with these arguments and environment (NULL-terminated arrays, which are copied). */
bool vm_world_start(VmWorld *world, uint32_t index, VmImage *image, const char *const *argv, const char *const *envp,
                    uint64_t period_q32, GError **error);
/* Prefetches what rank `index`, which will run soon, touches first. Call it first with `begun` false, and again with
 * true some hundred nanoseconds later. */
void vm_world_fetch(VmWorld *world, uint32_t index, bool begun);
/* Prefetches the top of the stack of a rank that is to run soon. That may mean a walk through the host's page tables.
 */
void vm_world_fetch_stack(VmWorld *world, uint32_t index);
VmRank *vm_world_rank(VmWorld *world, uint32_t index);

/* -- threads of a rank (threads.c) -------------------------------------------------------------- */

/* A rank begins with one thread, number 0, which runs the program's entry function. The layer above makes others. They
 * share the memory of the rank, its files and its end; each has a clock, a stack and open requests of its own. One
 * thread is *selected*: all functions that speak of a rank's clock, requests, frames and running mean that thread. */
#define VM_NO_THREAD UINT32_MAX
enum { VM_LEAST_STACK = 4096 };

typedef struct VmThreadStack { /* memory of the rank, from the layer above, which takes it back behind the end */
    uint64_t address, bytes;   /* at least VM_LEAST_STACK */
} VmThreadStack;

/* Makes a thread that calls the function at address `function` with n arguments, at most 8, from its time `start_ps`
 * on. That function must not return. The rank must be at a request. Returns its number, the least that is free, or
 * VM_NO_THREAD if `function` is none or the stack is too small or no memory of the rank. Another thread stays
 * selected. */
uint32_t vm_thread_new(VmRank *rank, uint64_t function, const uint64_t *args, unsigned n, VmThreadStack stack,
                       uint64_t start_ps);
/* Functions of the C library take effect in the rank's turn from now on, as they do for several threads. */
void vm_thread_prepare(VmRank *rank);
/* Selects a thread. The rank must not be running. */
void vm_thread_select(VmRank *rank, uint32_t thread);
uint32_t vm_thread_selected(const VmRank *rank);
/* The stack of the thread that is selected, [*low, *high). */
void vm_thread_stack(const VmRank *rank, uint64_t *low, uint64_t *high);
/* Ends `thread`, which is selected, at a request, and selects `next`. */
void vm_thread_end(VmRank *rank, uint32_t thread, uint32_t next);
/* The clock of a thread, selected or not; valid until another is selected or made. */
VmClock *vm_thread_clock(VmRank *rank, uint32_t thread);
/* The address of what the runtime library keeps for the thread that is selected; 0: nothing. */
uint64_t vm_thread_storage(const VmRank *rank);
/* Number of threads that live; whether a thread lives. */
uint32_t vm_thread_count(const VmRank *rank);
bool vm_thread_lives(const VmRank *rank, uint32_t thread);

/* -- what a rank shows ------------------------------------------------------------------------- */

/* The first fields of a rank: what the layers above ask for with every message costs no call. For the functions below;
 * nobody else looks into it. */
typedef struct VmRankFace {
    VmImage *image;
    uint8_t *memory;
    uint64_t near_low, near_end; /* addresses that lie at `memory` */
    void *watches, *check;       /* whoever wants to know of accesses */
    uint32_t index;
    VmClock clock;
    uint32_t pc;
} VmRankFace;
static inline const VmRankFace *vm_rank_face(const VmRank *rank)
{
    return (const VmRankFace *)(const void *)rank;
}

static inline VmClock *vm_rank_clock(VmRank *rank)
{
    return &((VmRankFace *)(void *)rank)->clock;
}
static inline uint32_t vm_rank_index(const VmRank *rank)
{
    return vm_rank_face(rank)->index;
}
static inline VmImage *vm_rank_image(const VmRank *rank)
{
    return vm_rank_face(rank)->image;
}
/* Whether access hooks or --check watch the rank's accesses. If they do, code that accesses memory with gaps should not
 * include the gaps. */
static inline bool vm_rank_is_watched(const VmRank *rank)
{
    const VmRankFace *face = vm_rank_face(rank);
    return face->watches || face->check;
}
/* Whether the bytes are in the usual place, and nobody wants to know of accesses. */
static inline bool vm_rank_has_at_hand(const VmRank *rank, uint64_t address, uint64_t size)
{
    const VmRankFace *face = vm_rank_face(rank);
    uint64_t offset = address - face->near_low, bytes = face->near_end - face->near_low;
    return offset <= bytes && size <= bytes - offset && !vm_rank_is_watched(rank);
}

/* -- running ----------------------------------------------------------------------------------- */

typedef enum VmStop {
    VM_STOP_QUANTUM,     /* used up its cycles; call vm_rank_run() again */
    VM_STOP_REQUEST,     /* see vm_rank_request() */
    VM_STOP_UPCALL_DONE, /* the innermost upcall returned; see vm_rank_upcall_result() */
    VM_STOP_EXITED,      /* see vm_rank_exit_status() */
    VM_STOP_FAULT,       /* see vm_rank_fault_info() */
    VM_STOP_HOOK,        /* the debug hook asked to stop; call vm_rank_run() again to go on */
} VmStop;

/* Runs the rank until it has used at least `quantum` more whole cycles, or until another VmStop happens. Cycles are
 * tested at backward branches and calls. The quantum never changes what the program sees. */
VmStop vm_rank_run(VmRank *rank, uint64_t quantum);

typedef enum VmSharing { VM_SHARING_NONE, VM_SHARING_READ, VM_SHARING_WRITE } VmSharing;

/* A call that has left the VM and waits for its result. */
typedef struct VmRequest {
    const VmExtern *function;
    uint64_t *args;   /* the register window; valid until the rank runs again */
    unsigned n;       /* number of arguments */
    bool in_order;    /* the function answered VM_CALL_AGAIN: vm_rank_perform() must call it again; or see `access` */
    VmSharing access; /* the rank is about to access memory that it shares: vm_rank_perform() lets it go on */
} VmRequest;
/* The innermost open request. */
const VmRequest *vm_rank_request(const VmRank *rank);
/* The rank's clock is right only in its turn, because the rank shares a processor: functions that look at it, or sleep,
 * are called in order from now on, as VM_CALL_AGAIN. */
void vm_rank_pace(VmRank *rank);
/* For functions of the layer above: whether the clock may be looked at. If not, answer VM_CALL_AGAIN. */
bool vm_rank_may_look_at_clock(const VmRank *rank);
/* Ends the innermost open request with `result`; the rank can run again. */
void vm_rank_complete(VmRank *rank, uint64_t result);
/* Calls the function of the innermost request, which answered VM_CALL_AGAIN, now that it is the rank's turn, and
 * completes the request. Returns VM_STOP_QUANTUM if the rank can run again, VM_STOP_REQUEST if the function is halted
 * (vm_rank_halted()) and must be performed again, else VM_STOP_EXITED or VM_STOP_FAULT. */
VmStop vm_rank_perform(VmRank *rank);
/* Others write the memory of the rank while it runs, or no longer. Then it must not go to sleep ahead of them: it
 * leaves the VM before a sleep, as before an access to files. */
void vm_rank_expose(VmRank *rank, bool exposed);
/* Calls simulated code at `address` with up to 8 arguments, inside the open request. The next vm_rank_run() runs it and
 * returns VM_STOP_UPCALL_DONE when it returns. Returns false, with a fault raised, if `address` is no function. */
bool vm_rank_upcall(VmRank *rank, uint64_t address, const uint64_t *args, unsigned n);
uint64_t vm_rank_upcall_result(const VmRank *rank);

/* Between two instructions of a rank that can run: opens a request for a function of the layer above that no
 * instruction calls, without arguments. It ends with vm_rank_repeat(). */
void vm_rank_interrupt(VmRank *rank, const VmExtern *function);
/* Ends the innermost open request without a result: the rank goes on where it was, with the call itself if it is at
 * one. */
void vm_rank_repeat(VmRank *rank);
/* Number of open requests. */
uint32_t vm_rank_open_requests(const VmRank *rank);

/* Whether the rank's floating-point environment is the host's while the rank runs, its rounding direction too. */
bool vm_rank_keeps_fenv(const VmRank *rank);

/* Adds cycles (q8) to the clock, outside instruction costs. */
void vm_rank_charge(VmRank *rank, uint64_t cycles_q8);
/* For externs: charges `units` times the unit cost of the extern being called. */
void vm_rank_charge_units(VmRank *rank, uint64_t units);
/* Ends the process with a status, as _exit() does, but flushes open files. The extern must answer VM_CALL_EXIT
 * afterwards. */
void vm_rank_exit(VmRank *rank, int status);
int vm_rank_exit_status(const VmRank *rank);
/* The exit or fault of the thread that is selected takes effect as the end of the process. Of several threads, one may
 * come to its end ahead of others, which go on until then. */
void vm_rank_conclude(VmRank *rank);
/* Heap blocks that a process, run under VmLimits.check, had not freed when it ended. There is one VmLeak for each place
 * of allocation. Valid until the rank is released. */
typedef struct VmLeak {
    char *place; /* "malloc in main at a.c:15" */
    uint64_t blocks, bytes;
} VmLeak;
const VmLeak *vm_check_leaks(const VmRank *rank, size_t *count);
/* Like vm_rank_write(), for a caller that does not write yet: bytes that were never set stay undefined. */
bool vm_rank_can_write_elsewhere(VmRank *rank, uint64_t address, uint64_t size);
static inline bool vm_rank_can_write(VmRank *rank, uint64_t address, uint64_t size)
{
    return vm_rank_has_at_hand(rank, address, size) || vm_rank_can_write_elsewhere(rank, address, size);
}
/* For functions of the layer above, while their call is open and no upcall has been made in it. Checks whether the
 * block that argument `arg` points to lies in one object of the program. Returns false, with a fault raised, if it does
 * not. Returns true if the object is not known. `write` announces a write that has not happened yet: undefined bytes
 * stay undefined. */
bool vm_check_may_access(VmRank *rank, unsigned arg, uint64_t address, uint64_t size, bool write);
/* Whether nothing at all is to be said against the block, by vm_check_may_access() or by the hooks of an access, and if
 * it is read, all of it has been set, as have all arguments. A short answer for the usual case; false says nothing. */
bool vm_check_is_sound(const VmRank *rank, unsigned arg, uint64_t address, uint64_t size, bool write);
/* Like vm_check_may_access(), but raises no fault and also checks heap blocks. Returns false if the access would reach
 * beyond the object. */
bool vm_check_fits(VmRank *rank, unsigned arg, uint64_t address, uint64_t size);
/* Whether the VM tracks which bytes of the rank's memory were never set. The functions below need that. */
bool vm_check_tracks_undefined(const VmRank *rank);
/* Finds the first bytes of a block that were never set. Returns false if all were set. Padding between set bytes does
 * not count. */
bool vm_check_seek_block(VmRank *rank, uint64_t address, uint64_t size, uint64_t *first, uint64_t *bytes);
/* After vm_check_seek_undefined(rank, true), vm_rank_read() looks for bytes that were never set, until it is switched
 * off with false. vm_check_found_undefined() tells the first such bytes that were found. */
void vm_check_seek_undefined(VmRank *rank, bool on);
bool vm_check_found_undefined(const VmRank *rank, uint64_t *address, uint64_t *bytes);
/* Notes that the function being called uses undefined bytes. `what` reads like "sends 4 bytes that were never set". */
void vm_check_note_undefined(VmRank *rank, uint64_t address, const char *what);
/* Adds a note if argument `arg` of the function being called was never set. */
void vm_check_argument(VmRank *rank, unsigned arg);
/* Frees what the process holds (registers, files, touched pages). A process that has not ended ends here. */
void vm_world_release_rank(VmRank *rank);

/* -- native tier ------------------------------------------------------------------------------- */

/* Native code that the host's C compiler makes of an image, for all ranks of a world that run the image. */
typedef struct VmNative VmNative;
/* Starts a thread that prints the functions of a rank's image as C, compiles them (or finds them in the cache) and
 * loads them. Ranks that run the same image then enter the code at the next call or loop turn. If `all` is set, or the
 * program is small, the thread compiles the whole program in its own order. Otherwise it compiles, as long as ranks
 * run, the functions that samples show to be hot. Clocks, results, faults and the ends of quanta are the same as in the
 * interpreter. Fails if the host has no C compiler. Must be called after vm_world_start() of the rank. */
VmNative *vm_native_start(const VmRank *like, bool all, GError **error);
/* Returns the C text that is compiled for ranks like `like`, for people to read. It is empty if the native tier takes
 * nothing of the program. The caller frees it with g_free(). */
char *vm_native_text(const VmRank *like);
/* Waits until all native code is there. Returns false if it could not be made; the interpreter then goes on alone. */
bool vm_native_wait(VmNative *native, GError **error);
/* Returns why some or all native code cannot be made, if that is known and was not returned before; else NULL. The
 * caller frees the error. */
GError *vm_native_problem(VmNative *native);
/* Cancels what is not finished, unloads the rest and frees `native`. No rank may be running. */
void vm_native_free(VmNative *native);

/* -- memory: the only way into a rank's space -------------------------------------------------- */

/* Returns the host address of [address, address + size) if the rank may read (write) all of it, else NULL. The address
 * is valid until the rank runs again. For size 0 it is a non-NULL pointer that must not be used. */
const void *vm_rank_read_elsewhere(VmRank *rank, uint64_t address, uint64_t size);
void *vm_rank_write_elsewhere(VmRank *rank, uint64_t address, uint64_t size);
static inline const void *vm_rank_read(VmRank *rank, uint64_t address, uint64_t size)
{
    return vm_rank_has_at_hand(rank, address, size) ? vm_rank_face(rank)->memory + address
                                                    : vm_rank_read_elsewhere(rank, address, size);
}
static inline void *vm_rank_write(VmRank *rank, uint64_t address, uint64_t size)
{
    return vm_rank_has_at_hand(rank, address, size) ? vm_rank_face(rank)->memory + address
                                                    : vm_rank_write_elsewhere(rank, address, size);
}
/* Returns the NUL-terminated string at `address`, or NULL if it runs out of readable memory. */
const char *vm_rank_string(VmRank *rank, uint64_t address);
/* Files of the host for the layers above, which call these functions in the order of virtual time. VmFs holds as for
 * the program's own files. The first returns the name by which the host knows the file that `path` leads to, and which
 * is the same for all names of that file; the caller frees it with g_free(). The second opens a file as open() does,
 * and returns a descriptor of the host. The third removes a file. They return NULL, -1 and false on failure, with an
 * errno value in *error; if the host has no more open files to give, the rank has a fault. */
char *vm_rank_file_name(VmRank *rank, const char *path, int *error);
int vm_rank_open_file(VmRank *rank, const char *path, int flags, unsigned mode, int *error);
bool vm_rank_remove_file(VmRank *rank, const char *path, int *error);
/* Allocates from the rank's heap as malloc() does. Returns 0 when the heap is full. */
uint64_t vm_library_malloc(VmRank *rank, uint64_t size);
void vm_library_free(VmRank *rank, uint64_t address);
/* Bytes by which the rank's heap may still grow. */
uint64_t vm_rank_heap_room(const VmRank *rank);
/* Makes `path` the working directory of a rank that has not begun to run. A relative one begins at the directory in
 * which all ranks begin. Returns false if there is no such directory, or if VmLimits.fs denies it. */
bool vm_library_begin_in(VmRank *rank, const char *path);
/* Returns the text of a small file that the rank may read, for the caller to free; NULL: there is no such file. */
char *vm_library_read_text(VmRank *rank, const char *path);
/* Like vm_rank_read(), for observers from outside (debuggers, reports): it does not count as an access of the rank. */
const void *vm_rank_peek(const VmRank *rank, uint64_t address, uint64_t size);

/* -- memory that ranks share (shared.c) --------------------------------------------------------- */

/* Memory of the host that several ranks of a world can access, at the same address in each of them. Accesses of their
 * code take effect in the order of virtual time: where it matters, the rank leaves the VM with a request that is
 * `in_order`. The layer above must access it, like all memory of ranks, only in that order. */
typedef struct VmSegment VmSegment;
/* Makes a segment of zeros for the world of this rank, which no rank may access yet. Memory is committed at first
 * touch. Returns NULL if the host or the address space has no room for it. The caller drops it when it has been
 * attached to all ranks. */
VmSegment *vm_shared_new(const VmRank *rank, uint64_t bytes);
void vm_shared_drop(VmSegment *segment);
/* Address of a segment in the ranks, a multiple of 4 KiB. */
uint64_t vm_shared_address(const VmSegment *segment);
/* Lets a rank access the segment from now on, or no more; `own` bytes of it count as memory of the rank. The segment is
 * freed when the last rank is detached or released. */
void vm_shared_attach(VmRank *rank, VmSegment *segment, uint64_t own);
void vm_shared_detach(VmRank *rank, VmSegment *segment, uint64_t own);

/* Whether all of the bytes may be read. Like vm_rank_can_write(), it does not bring them from elsewhere (see below). */
bool vm_rank_can_read_elsewhere(VmRank *rank, uint64_t address, uint64_t size);
static inline bool vm_rank_can_read(VmRank *rank, uint64_t address, uint64_t size)
{
    return vm_rank_has_at_hand(rank, address, size) || vm_rank_can_read_elsewhere(rank, address, size);
}

/* Long payloads that nobody may ever look at: constant bytes that heaps of several ranks refer to instead of having
 * copies (rank/absent.c). Whoever looks finds them in their place. */
typedef struct VmContent VmContent;
/* Returns room for `bytes` bytes, for ranks of the same world, to be filled before anybody adopts it, with one
 * reference; NULL: there is none. */
VmContent *vm_content_new(VmRank *rank, uint64_t bytes);
uint8_t *vm_content_bytes(const VmContent *content);
VmContent *vm_content_ref(VmContent *content);
void vm_content_unref(VmContent *content);
/* Whether the rank may adopt a content there now: only heaps do, and only if that is likely to save something. The rank
 * is not running, or is in a call of the layer above. */
bool vm_rank_may_adopt(VmRank *rank, uint64_t address, uint64_t bytes);
/* From now on the bytes at `address` are the first `bytes` of the content. `present`: they are there already. The same
 * must have been allowed before. The rank takes a reference of its own. */
void vm_rank_adopt(VmRank *rank, uint64_t address, uint64_t bytes, VmContent *content, bool present);
/* Returns a new reference to the content that the bytes are known to be; NULL: none. */
VmContent *vm_rank_content(VmRank *rank, uint64_t address, uint64_t bytes);

/* Called before each access of the rank's code to its private memory, and before each such access of the library for
 * it. A call of vm_rank_read(), vm_rank_write() or vm_rank_string() counts as one access of its size. The hook returns
 * true to go on. It may charge cycles (vm_rank_charge), but not while a request is open, because the layer above then
 * owns the clock. It may also raise a fault (vm_rank_fault) and return false. An access that the rank's space does not
 * allow is a fault, and no hook is called for it. */
typedef bool (*VmAccessHook)(VmRank *rank, uint64_t address, uint64_t size, bool write, void *user);
/* Adds an access hook, which stays until the rank is released. Hooks are called in the order in which they were added.
 * A rank with access hooks runs in the careful loop; other ranks pay nothing. */
void vm_rank_add_access_hook(VmRank *rank, VmAccessHook hook, void *user);
/* Adds an access hook that only looks: it charges nothing and remembers nothing. A loop that waits can therefore be
 * skipped without calling it (circle.c). */
void vm_rank_add_access_check(VmRank *rank, VmAccessHook hook, void *user);
/* Adds a hook that is called, under VmLimits.check, before the rank frees or moves a heap block, and not before
 * accesses. It gets the address and the size of the block, and `write` is true. */
void vm_rank_add_release_hook(VmRank *rank, VmAccessHook hook, void *user);
/* Adds a hook that is called before the rank frees or moves a heap block, with or without VmLimits.check, and not
 * before accesses. It gets what a release hook gets. */
void vm_rank_add_free_hook(VmRank *rank, VmAccessHook hook, void *user);
/* Removes a hook. The rank must not be running. */
void vm_rank_remove_access_hook(VmRank *rank, VmAccessHook hook, void *user);
/* For access hooks: whether the rank's own code, or the library on its behalf, makes this access. False: somebody who
 * works on a request of the rank makes it. */
bool vm_rank_acts(const VmRank *rank);
/* If vm_rank_acts(): the name of the function of the library or of the layer above that makes the access. NULL: the
 * code itself makes it. */
const char *vm_rank_acting(const VmRank *rank);
/* From now on, a load or store whose address is no multiple of its size is a fault. */
void vm_rank_forbid_unaligned(VmRank *rank);

/* -- loops that wait (circle.c) ---------------------------------------------------------------- */

/* Begins to watch a rank at a request that must not be answered yet. Returns false if the rank cannot be watched. */
bool vm_circle_begin(VmRank *rank);
/* Whether the rank, at a later request that is not answered yet, is in exactly the state in which watching began,
 * except for its clock, and has learnt of the outside only by requests. If so, and if its requests are answered the
 * same way again, it will come to this state again. */
bool vm_circle_closed(const VmRank *rank);
/* Whether each turn of the closed circle takes the same time. */
bool vm_circle_takes_same_time(const VmRank *rank);
/* Whether the circle can no longer close: the rank is not watched, or has learnt of the outside other than by
 * requests. */
bool vm_circle_is_open(const VmRank *rank);
/* Ends watching, if it has begun. */
void vm_circle_end(VmRank *rank);

/* -- memory hierarchy (hierarchy.c): caches of a rank, as an access hook ----------------------- */

enum { VM_CACHE_LEVELS = 3, VM_CACHE_STREAMS = 16 };

/* One level of the caches. */
typedef struct VmCacheLevel {
    uint64_t sets;
    uint32_t ways;
    uint32_t line_bytes; /* a power of two, not smaller than that of the level above */
    uint64_t latency_q8; /* cycles of an access that finds its line here */
    uint64_t line_q8;    /* cycles of moving a line between here and the level above */
} VmCacheLevel;

typedef struct VmHierarchyShape {
    uint32_t n_levels; /* at least 1 */
    uint32_t streams;  /* sequences of lines that are prefetched from main memory, at most VM_CACHE_STREAMS */
    VmCacheLevel levels[VM_CACHE_LEVELS];
    uint64_t memory_latency_q8, memory_line_q8; /* cycles to reach main memory, and to move a line from or to it */
} VmHierarchyShape;

typedef struct VmCacheCounts { /* counts of lines: an access that spans several lines counts for each */
    uint64_t hits, misses, written_back;
} VmCacheCounts;

typedef struct VmHierarchy VmHierarchy;
VmHierarchy *vm_hierarchy_new(const VmHierarchyShape *shape);
void vm_hierarchy_free(VmHierarchy *hierarchy);
/* From now on the rank's accesses go through `hierarchy`. Free it after the rank has been released. */
void vm_hierarchy_attach(VmHierarchy *hierarchy, VmRank *rank);
/* Counts of one level (from 0); NULL: there is no such level. */
const VmCacheCounts *vm_hierarchy_counts(const VmHierarchy *hierarchy, uint32_t level);

/* -- what is counted by a rank that is ahead of others (tally.c) ------------------------------- */

/* Promises that no caller will ask for the counts of caches and predictor as they were before `time_ps`. */
void vm_rank_settle(VmRank *rank, uint64_t time_ps);
/* Sets the counts back to what they were at `time_ps`, and keeps them there. `time_ps` must not lie before the last
 * settled time. */
void vm_rank_cut(VmRank *rank, uint64_t time_ps);

/* -- branch predictor (predictor.c), where VmCosts ask for one --------------------------------- */

typedef struct VmPredictorCounts {
    uint64_t branches, mispredicted;
} VmPredictorCounts;
/* What a rank's predictor has counted so far: branches and jumps, and how many of them it predicted wrongly. NULL: the
 * rank has no predictor, or has met no branch. */
const VmPredictorCounts *vm_predictor_counts(const VmRank *rank);

/* -- out-of-order execution (out_of_order.c), where VmCosts ask for it ------------------------- */

enum { VM_LARGEST_WINDOW = 1024 }; /* largest VmCosts.window for this execution */

/* A record of what a rank executes out of order between its first and its second call of an extern. It can be priced
 * again under other costs. */
typedef struct VmTrace VmTrace;
/* Starts to record; `boundary` is the name of the extern. Free the trace after the rank has been released. */
VmTrace *vm_timing_trace(VmRank *rank, const char *boundary);
void vm_timing_trace_free(VmTrace *trace);
/* What the recorded instructions cost under `costs`, in the unit that `costs` uses. A call of the program's k-th extern
 * costs extern_costs[k]. */
uint64_t vm_timing_trace_cost(const VmTrace *trace, const VmCosts *costs, const uint64_t *extern_costs);

/* -- faults, frames, debugging ----------------------------------------------------------------- */

typedef enum VmFaultKind {
    VM_FAULT_NONE,
    VM_FAULT_NULL_POINTER,
    VM_FAULT_WILD_READ,  /* a read outside the memory of the rank */
    VM_FAULT_WILD_WRITE, /* a write outside the memory of the rank */
    VM_FAULT_READ_ONLY,  /* a write to a constant */
    VM_FAULT_STACK_OVERFLOW,
    VM_FAULT_DIVIDE_BY_ZERO,
    VM_FAULT_DIVIDE_OVERFLOW,
    VM_FAULT_BAD_FUNCTION, /* a call of an address that is no function */
    VM_FAULT_UNREACHABLE,  /* control came where the program or the compiler says it cannot come */
    VM_FAULT_ABORT,        /* abort(), __builtin_trap() or a signal without a handler */
    VM_FAULT_HEAP,         /* misuse of the heap, such as a double free */
    VM_FAULT_OUT_OF_MEMORY,
    VM_FAULT_LIBRARY,  /* misuse of a function of the library or the layer above, or a function that cannot be called */
    VM_FAULT_BAD_JUMP, /* longjmp with a bad buffer, or a computed goto to no label */
    VM_FAULT_FREED,    /* under VmLimits.check: an access to memory that was freed */
    VM_FAULT_OUT_OF_BOUNDS, /* under VmLimits.check: an access to memory that belongs to no object */
    VM_FAULT_UNALIGNED,     /* an access that the processor forbids: see vm_rank_forbid_unaligned() */
    VM_FAULT_IN_USE,        /* raised by the layer above: an access to memory that somebody else works on */
} VmFaultKind;

/* Why a rank has faulted. */
typedef struct VmFault {
    VmFaultKind kind;
    int signal;       /* what a shell would show: 11 SIGSEGV, 8 SIGFPE, 7 SIGBUS, 6 SIGABRT, 4 SIGILL, or as raised */
    uint64_t address; /* address of the access, if there was one */
    uint32_t pc;
    char *reason; /* one sentence: what happened and what to look at */
    char *around; /* what lies at or near the address, in lines; NULL: nothing */
} VmFault;
const VmFault *vm_rank_fault_info(const VmRank *rank);
/* Raises a fault at the current instruction. */
void vm_rank_fault(VmRank *rank, VmFaultKind kind, uint64_t address, const char *format, ...) G_GNUC_PRINTF(4, 5);

/* One frame of a rank, as debuggers and reports see it. */
typedef struct VmFrame {
    uint32_t function; /* index in the module */
    uint32_t pc;       /* instruction that runs (frame 0), or the call that the frame is in */
    uint64_t *registers;
    uint64_t frame_base; /* SP after ENTER */
    bool upcall;         /* the simulator called it, not the frame below */
    /* An inlined call looks like a frame of its own. It shares the real frame of the function that it was inlined
     * into. */
    uint32_t level;   /* level of the real frame */
    uint32_t inlined; /* the inline expansion that this is (index in the module); VCODE_NONE: the function itself */
    const char *name; /* name of the function */
    uint32_t file;    /* source file of the pc, or of the call of the next inner frame; VCODE_NONE: unknown */
    uint32_t line;
} VmFrame;
/* Number of real frames; frame 0 is the innermost. */
uint32_t vm_rank_depth(const VmRank *rank);
/* The pc of a real frame alone, without the searches that find function and line. */
uint32_t vm_rank_pc_of(const VmRank *rank, uint32_t level);
static inline uint32_t vm_rank_pc(const VmRank *rank, uint32_t level)
{
    return level == 0 ? vm_rank_face(rank)->pc : vm_rank_pc_of(rank, level);
}
/* The stack pointer of the thread that is selected: below it, its stack holds no object. */
uint64_t vm_rank_sp(const VmRank *rank);
/* Appends what object of the program holds the address: "the variable x (int, 4 bytes) of f", with the element or
 * member behind it ("the variable a (int [9], 36 bytes), at a[3]") and with the stacks of all threads. *low: its first
 * byte. Returns false and appends nothing if there is none. */
bool vm_rank_append_object(VmRank *rank, uint64_t address, uint64_t *low, GString *out);
/* A real frame. If its pc is in inline expansions, this is the innermost one. */
VmFrame vm_rank_frame(VmRank *rank, uint32_t level);
/* Goes from a frame to its caller, through inlined frames too. Returns false if there is none. */
bool vm_rank_caller(VmRank *rank, VmFrame *frame);

/* Called before each instruction that starts a statement (VCODE_LINE_STATEMENT entry). If it returns true, the rank
 * stops with VM_STOP_HOOK, before the instruction. vm_rank_set_hook() with NULL removes it. Ranks without a hook run at
 * full speed. */
typedef bool (*VmHook)(VmRank *rank, uint32_t pc, void *user);
void vm_rank_set_hook(VmRank *rank, VmHook hook, void *user);

#endif
