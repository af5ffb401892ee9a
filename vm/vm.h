/* vm.h - the virtual machine: runs vCode programs, one process per rank.
 *
 * The VM knows instructions, registers, memory, the C library and cycles. It knows nothing of MPI, of networks or of
 * other ranks. Whatever it cannot do alone leaves it as a *request*: an extern function answers VM_CALL_REQUEST, the
 * rank stops with VM_STOP_REQUEST, and somebody above completes it later with vm_rank_complete(), at a later clock.
 * While a request is open, that somebody may run simulated functions of the rank (reduction operators, callbacks):
 * vm_rank_upcall(). An upcall is ordinary simulated code on the rank's own clock: it can run out of quantum, fault,
 * stop at a breakpoint or make requests of its own; upcalls and requests nest to any depth.
 *
 *     VmImage   a verified program plus block costs and resolved externs; read-only, shared by all its ranks
 *     VmWorld   the address spaces of all ranks, in one lazily committed reservation
 *     VmRank    one process: registers, frames, memory, heap, open files, clock
 *
 * Threads: different ranks of a world may run on different host threads at once; one rank never on two. Images are
 * immutable after creation. VmHost callbacks are called from the thread that runs the rank.
 *
 * Determinism: nothing of the host reaches a result: no address, time, locale, hash order or uninitialised memory.
 */
#ifndef ORRERY_VM_H
#define ORRERY_VM_H

#include "base/choice.h"
#include "vcode/vcode.h"

typedef struct VmImage VmImage;
typedef struct VmWorld VmWorld;
typedef struct VmRank VmRank;

#define VM_ERROR (vm_error_quark())
GQuark vm_error_quark(void);
typedef enum VmError {
    VM_ERROR_MEMORY,   /* the host cannot hold that many ranks or that much memory */
    VM_ERROR_PROGRAM,  /* not a program, or it failed verification */
    VM_ERROR_COMPILER, /* the host has no C compiler, or it failed, or was told to stop */
    VM_ERROR_VALUE,    /* a value that cannot be read: optimised out, or in no memory of the rank */
} VmError;

/* -- time -------------------------------------------------------------------------------------- */

/* What takes the processor away from a rank now and then. Both answers are pure functions, and fit together: through(
 * through(t, a), b) = through(t, a + b), and work(t, through(t, a)) = a. */
typedef struct VmNoise VmNoise;
struct VmNoise {
    uint64_t (*through)(VmNoise *noise, uint64_t from_ps, uint64_t work_ps); /* when work begun at from_ps is done */
    uint64_t (*work)(const VmNoise *noise, uint64_t from_ps, uint64_t until_ps); /* that can be done in between */
};

/* Cycles are counted in 1/256 cycle ("q8"). Times are picoseconds. One cycle lasts period_q32 / 2^32 ps. */
typedef struct VmClock {
    uint64_t base_ps;     /* time of the last anchor */
    uint64_t base_cycles; /* cycle count (q8) at the anchor */
    uint64_t cycles;      /* cycle count (q8) now */
    uint64_t period_q32;  /* ps per cycle, 32.32 fixed point */
    VmNoise *noise;       /* NULL: nothing disturbs it */
} VmClock;

/* base_ps + (cycles - base_cycles) * period, rounded down, and what noise adds to that; exact in 128 bits, so it does
 * not depend on where execution paused in between. Both factors are below 2^64; q8 times q32 leaves 40 fraction bits.
 */
static inline uint64_t vm_clock_now(const VmClock *clock)
{
    unsigned __int128 elapsed = (unsigned __int128)(clock->cycles - clock->base_cycles) * clock->period_q32;
    uint64_t work_ps = (uint64_t)(elapsed >> 40);
    if (__builtin_expect(clock->noise != NULL, 0))
        return clock->noise->through(clock->noise, clock->base_ps, work_ps);
    return clock->base_ps + work_ps;
}
/* Moves the anchor to now = time_ps (>= the present time): waiting and charged overheads go through here. */
void vm_clock_set(VmClock *clock, uint64_t time_ps);
/* What took period_ps and that many cycles happens `times` times more: the rounding of times stays as it is. */
void vm_clock_repeat(VmClock *clock, uint64_t times, uint64_t period_ps, uint64_t cycles_q8);

/* -- externs: functions of the simulator that programs call by name ---------------------------- */

typedef enum VmCallResult {
    VM_CALL_DONE,    /* the result is in args[0] */
    VM_CALL_REQUEST, /* leave the VM; vm_rank_complete() will give the result */
    VM_CALL_FAULT,   /* vm_rank_fault() has been called */
    VM_CALL_EXIT,    /* vm_rank_exit() has been called */
    VM_CALL_JUMPED,  /* the function changed the rank's frames itself (longjmp) */
    VM_CALL_AGAIN,   /* leave the VM as a request and be called again, by vm_rank_perform(), when the rank's turn in
                        global order has come: for functions that touch what ranks share on the host (files) */
} VmCallResult;

/* `args` is the call's register window: n values as the program passed them (integers canonical, doubles and floats as
 * bit patterns; a variadic function finds the address of its variable arguments after its fixed ones). */
typedef VmCallResult (*VmExternFunction)(VmRank *rank, uint64_t *args, unsigned n, void *user);

typedef struct VmExtern {
    const char *name;
    VmExternFunction function; /* NULL: does nothing but answer VM_CALL_REQUEST */
    void *user;
    uint32_t base_q8; /* cycles charged per call; per-byte terms are charged by the function with vm_rank_charge() */
    uint32_t unit_q8; /* cycles per byte or element, for vm_rank_charge_units() */
    unsigned arity;   /* a call that passes fewer arguments is a fault: what stands behind them is nobody's */
} VmExtern;

/* The C library as externs (printf, malloc, strlen, sin ...); static, sorted by name. */
const VmExtern *vm_library(size_t *count);
/* Whether it is a row of vm_library() for a square root, in whose base_q8 the default of that instruction is a part.
 * For that part what the instruction costs on the machine stands. */
bool vm_library_is_root(const VmExtern *function);
/* For externs that are only there to be mentioned: a fault that gives the reason, `user`, a string. */
VmCallResult vm_extern_refused(VmRank *rank, uint64_t *args, unsigned n, void *user);
/* Functions of C and POSIX that a simulated rank cannot have (refused.def); static, sorted. */
const char *const *vm_refused_names(size_t *count);
/* Why one of them cannot be had, a sentence without its full stop; NULL: it is none of them. */
const char *vm_refused_why(const char *name);

/* -- images ------------------------------------------------------------------------------------ */

typedef struct VmExternCost { /* what a call of one extern costs, instead of what its table says */
    const char *name;
    uint32_t base_q8; /* cycles per call */
    uint32_t unit_q8; /* cycles per byte or element */
} VmExternCost;

/* clang-format off */
#define VM_EXECUTIONS(CHOICE) /* how time is found */ \
    CHOICE(VM_EXECUTION_BLOCKS, "blocks")             /* blocks of instructions have one cost each */ \
    CHOICE(VM_EXECUTION_OUT_OF_ORDER, "out-of-order") /* each instruction is followed through a core */
#define VM_PREDICTORS(CHOICE) /* of branches, simulated */ \
    CHOICE(VM_PREDICTOR_NONE, "none") \
    CHOICE(VM_PREDICTOR_BIMODAL, "bimodal") \
    CHOICE(VM_PREDICTOR_GSHARE, "gshare") \
    CHOICE(VM_PREDICTOR_TAGE, "tage")
/* clang-format on */
BASE_CHOICE_ENUM(VmExecution, VM_EXECUTIONS);
BASE_CHOICE_ENUM(VmPredictorKind, VM_PREDICTORS);
/* Their names, each at its constant's place; NULL-terminated. */
const char *const *vm_timing_executions(void);
const char *const *vm_predictors(void);

typedef struct VmCosts {
    uint32_t class_q8[VCODE_COST_COUNT]; /* cycles per instruction of each class */
    uint32_t
        latency_q8[VCODE_COST_COUNT]; /* ... until its result is there, where the next turn of a loop waits for it */
    uint32_t branch_order_q8;         /* mispredicting: of a branch that orders values, one of them just loaded */
    uint32_t branch_test_q8;          /* ... of one that tests a loaded value for a constant or for equality */
    uint32_t branch_exit_q8;          /* ... of the end of an innermost loop that counts */
    uint32_t branch_switch_q8;        /* ... of a jump through a table */
    uint32_t exit_order_q8;           /* ... of one that ends where loaded values are in order */
    uint32_t exit_test_q8;            /* ... of one that ends where a loaded value passes a test */
    uint32_t window;                  /* instructions that are looked ahead, over the end of a loop; 0: none */
    VmExecution execution;            /* how time is found */
    uint32_t dispatch_q8;             /* of each instruction in the front end, where executed out of order */
    VmPredictorKind predictor;        /* of branches, simulated */
    uint32_t misprediction_q8;        /* of a branch that it has predicted wrongly */
    uint32_t copy_byte_q8;            /* bcopy and bzero: per byte */
    uint32_t library_q8;              /* scale of library costs; 256 = as in the table */
    const VmExternCost *externs;      /* of single functions, not scaled; read while an image is made, not kept */
    size_t n_externs;
} VmCosts;
void vm_costs_default(VmCosts *costs);

/* Verifies `program`, resolves its externs from the given tables (earlier tables win; the C library is always
 * searched last), computes block costs. What is in no table may be mentioned: reaching a call of it is a fault. The
 * image keeps a reference to the module until freed. */
VmImage *vm_image_new(VcodeModule *program /* taken */, const VmExtern *externs, size_t n_externs, const VmCosts *costs,
                      GError **error);
/* The same program on another processor: shares the module of `image`, has block costs and externs of its own. */
VmImage *vm_image_with_costs(VmImage *image, const VmExtern *externs, size_t n_externs, const VmCosts *costs);
VmImage *vm_image_ref(VmImage *image);
void vm_image_unref(VmImage *image);
const VcodeModule *vm_image_module(const VmImage *image);

/* What each block of a function of a verified program costs under `costs`: cost[i] for the instruction that ends it,
 * the i-th of the function; 0 elsewhere. */
void vm_block_costs(const VcodeModule *program, uint32_t function, const VmCosts *costs, uint64_t *cost);
/* Makes the hook of ranks (vm_rank_set_hook) be asked at the start of each block instead of each statement: for
 * counting. Before a rank starts. */
void vm_image_observe_blocks(VmImage *image);

/* -- worlds ------------------------------------------------------------------------------------ */

typedef enum VmFs { VM_FS_NONE, VM_FS_CWD, VM_FS_ALL } VmFs;

/* What the VM needs from above. Any callback may be NULL. */
typedef struct VmHost {
    void *user;
    /* Bytes that rank `rank` wrote to stream 1 (stdout) or 2 (stderr) at its time `time_ps`. */
    void (*write)(void *user, uint32_t rank, int stream, uint64_t time_ps, const char *bytes, size_t size);
    /* Up to `size` bytes of standard input; 0 at end. Called for rank 0 only; other ranks read end of file. */
    size_t (*read)(void *user, uint32_t rank, char *bytes, size_t size);
    /* Name of the node that the rank runs on (gethostname, uname). The callee owns the string. */
    const char *(*hostname)(void *user, uint32_t rank);
    /* Under VM_CHECK_UNINITIALISED: the first use of a value that was never set at a place of the program. What is
     * done, in one line; where the value comes from, in lines; what to do, a constant. Called where the rank runs. */
    void (*note)(void *user, uint32_t rank, uint64_t time_ps, const char *what, const char *detail, const char *fix);
    /* Rank `rank` sleeps; its clock has gone on accordingly. Called where the rank runs. May be NULL. */
    void (*slept)(void *user, uint32_t rank, uint64_t from_ps, uint64_t to_ps);
    /* VmFs keeps the rank from the file that it asked for by this name. Called in the order of virtual time. */
    void (*refused_file)(void *user, uint32_t rank, const char *path);
    /* The rank's heap has taken so many bytes more at its time `time_ps`, or given them back. Called where the rank
     * runs. May be NULL. */
    void (*grew)(void *user, uint32_t rank, uint64_t time_ps, int64_t bytes);
} VmHost;

/* Memory that this process may fill: the host's, or its control group's share; what the host has left; and how much
 * this process does fill (host/memory.c). Bytes. */
uint64_t vm_host_memory(void);
uint64_t vm_host_memory_left(void);
uint64_t vm_host_memory_used(void);

/* What to find at run time. */
typedef enum VmChecks {
    VM_CHECK_HEAP = 1,          /* accesses outside blocks of the heap and to freed ones; what was never freed */
    VM_CHECK_BOUNDS = 2,        /* accesses beyond variables */
    VM_CHECK_UNINITIALISED = 4, /* uses of values that were never set: VmHost.note */
} VmChecks;

typedef struct VmLimits {
    uint64_t stack_bytes; /* per rank, default 8 MiB */
    uint64_t heap_bytes;  /* per rank, default 0: as much as the reservation allows */
    uint64_t call_depth;  /* frames per rank, default 1,000,000; beyond it "endless recursion" */
    VmFs fs;
    const char
        *directory; /* that ranks begin in, absolute, and that VM_FS_CWD means; NULL: the process's own. Not copied */
    uint32_t nest_ranks; /* more ranks than so many begin in nests (see nest.c); default 256 */
    uint32_t check;      /* VmChecks */
} VmLimits;
void vm_world_limits_default(VmLimits *limits);

/* Reserves address space for `ranks` processes. Fails (VM_ERROR_MEMORY) with numbers and advice where the host cannot
 * hold them. Memory is committed at first touch. */
VmWorld *vm_world_new(uint32_t ranks, const VmLimits *limits, const VmHost *host, GError **error);
void vm_world_free(VmWorld *world);
/* Makes rank `index` run `image` with these arguments and environment (NULL-terminated arrays, copied). */
bool vm_world_start(VmWorld *world, uint32_t index, VmImage *image, const char *const *argv, const char *const *envp,
                    uint64_t period_q32, GError **error);
/* The rank will run soon: brings what it will touch first nearer to the processor. First with `begun` false, some
 * hundred nanoseconds later again with true. */
void vm_world_fetch(VmWorld *world, uint32_t index, bool begun);
VmRank *vm_world_rank(VmWorld *world, uint32_t index);

/* -- running ----------------------------------------------------------------------------------- */

typedef enum VmStop {
    VM_STOP_QUANTUM,     /* used up its cycles; call again */
    VM_STOP_REQUEST,     /* see vm_rank_request() */
    VM_STOP_UPCALL_DONE, /* the innermost upcall returned; see vm_rank_upcall_result() */
    VM_STOP_EXITED,      /* see vm_rank_exit_status() */
    VM_STOP_FAULT,       /* see vm_rank_fault_info() */
    VM_STOP_HOOK,        /* the debug hook asked to stop; call again to go on */
} VmStop;

/* Runs until at least `quantum` more whole cycles are used (tested at backward branches and calls) or something
 * happens. The quantum never changes what the program sees. */
VmStop vm_rank_run(VmRank *rank, uint64_t quantum);

typedef struct VmRequest {
    const VmExtern *function;
    uint64_t *args; /* the register window; valid until the rank runs again */
    unsigned n;
    bool in_order; /* the function wants to be called again: vm_rank_perform() */
} VmRequest;
/* The innermost open request. */
const VmRequest *vm_rank_request(const VmRank *rank);
/* Ends the innermost open request with `result`; the rank can run again. */
void vm_rank_complete(VmRank *rank, uint64_t result);
/* Calls the function of the innermost request, which answered VM_CALL_AGAIN, now that it is the rank's turn, and
 * completes the request. VM_STOP_QUANTUM: the rank can run again; else VM_STOP_EXITED or VM_STOP_FAULT. */
VmStop vm_rank_perform(VmRank *rank);
/* Calls simulated code at `address` with up to 8 arguments, inside the open request. The next vm_rank_run() runs it and
 * answers VM_STOP_UPCALL_DONE at its return. False, with a fault raised, where `address` is no function. */
bool vm_rank_upcall(VmRank *rank, uint64_t address, const uint64_t *args, unsigned n);
uint64_t vm_rank_upcall_result(const VmRank *rank);

VmClock *vm_rank_clock(VmRank *rank);
uint32_t vm_rank_index(const VmRank *rank);
VmImage *vm_rank_image(const VmRank *rank);

/* Adds cycles (q8) to the clock, outside instruction costs. */
void vm_rank_charge(VmRank *rank, uint64_t cycles_q8);
/* For externs: charges `units` times the unit cost of the extern being called. */
void vm_rank_charge_units(VmRank *rank, uint64_t units);
/* Ends the process with a status, as _exit(); open files are flushed. Answer VM_CALL_EXIT afterwards. */
void vm_rank_exit(VmRank *rank, int status);
int vm_rank_exit_status(const VmRank *rank);
/* Blocks of the heap that a process, run under VmLimits.check, had not freed when it ended, by the place where they
 * were allocated. Until the rank is released. */
typedef struct VmLeak {
    char *place; /* "malloc in main at a.c:15" */
    uint64_t blocks, bytes;
} VmLeak;
const VmLeak *vm_check_leaks(const VmRank *rank, size_t *count);
/* As vm_rank_write() for who does not write yet: what was never set stays so. */
bool vm_rank_can_write(VmRank *rank, uint64_t address, uint64_t size);
/* For functions of the layer above, while their call is open (and no upcall has been made in it): whether all of a
 * block that argument `arg` points to lies in one object of the program. False, with a fault raised, where not. Nothing
 * is said of what nobody knows. Writing is meant, not yet done: what is there stays undefined. */
bool vm_check_may_access(VmRank *rank, unsigned arg, uint64_t address, uint64_t size, bool write);
/* The same without a fault, and also of blocks of the heap: false where it would reach beyond. */
bool vm_check_fits(VmRank *rank, unsigned arg, uint64_t address, uint64_t size);
/* Whether it is known of the rank's memory what was never set; if so: */
bool vm_check_tracks_undefined(const VmRank *rank);
/* The first bytes of a block that were never set; false: all were. Padding between bytes that were does not count. */
bool vm_check_seek_block(VmRank *rank, uint64_t address, uint64_t size, uint64_t *first, uint64_t *bytes);
/* From now on, until it is asked again with false, vm_rank_read() looks for bytes that were never set; and the first of
 * those that it has found. */
void vm_check_seek_undefined(VmRank *rank, bool on);
bool vm_check_found_undefined(const VmRank *rank, uint64_t *address, uint64_t *bytes);
/* Notes that the function which is being called uses them: "sends 4 bytes that were never set". */
void vm_check_note_undefined(VmRank *rank, uint64_t address, const char *what);
/* If an argument of the function which is being called was never set, notes that. */
void vm_check_argument(VmRank *rank, unsigned arg);
/* Frees what the process holds (registers, files, touched pages), once it has ended. */
void vm_world_release_rank(VmRank *rank);

/* -- native tier ------------------------------------------------------------------------------- */

/* Code that the host's C compiler makes of an image, for all ranks of a world that run it. */
typedef struct VmNative VmNative;
/* Begins, on a thread of its own, to print the functions of a rank's image as C, to compile (or find in the cache) and
 * to load them; ranks like it then enter them at the next call or turn of a loop. Of a large program, `all` of it in
 * its own order; or else, as long as ranks run, what samples of them show to be hot. Clocks, results, faults and the
 * places where quanta end are the interpreter's. Fails where the host has no C compiler. After vm_world_start() of the
 * rank.
 */
VmNative *vm_native_start(const VmRank *like, bool all, GError **error);
/* The C text that is compiled, of a rank like it: for people to read. Empty where nothing of the program is for the
 * native tier. */
char *vm_native_text(const VmRank *like);
/* Waits until all of it is there. False: it could not be made, the interpreter goes on alone. */
bool vm_native_wait(VmNative *native, GError **error);
/* Why some or all of it cannot be made, if that is known by now and was not told before; else NULL. */
GError *vm_native_problem(VmNative *native);
/* Gives up what is not finished and unloads the rest. No rank may be running. */
void vm_native_free(VmNative *native);

/* -- memory: the only way into a rank's space -------------------------------------------------- */

/* Host address of [address, address + size) if the rank may read (write) all of it, else NULL. Valid until the rank
 * runs again. size 0 answers a non-NULL pointer that must not be used. */
const void *vm_rank_read(VmRank *rank, uint64_t address, uint64_t size);
void *vm_rank_write(VmRank *rank, uint64_t address, uint64_t size);
/* The NUL-terminated string at `address`, or NULL if it runs out of readable memory. */
const char *vm_rank_string(VmRank *rank, uint64_t address);
/* Allocates from the rank's heap as malloc() does; 0 when it is full. */
uint64_t vm_library_malloc(VmRank *rank, uint64_t size);
void vm_library_free(VmRank *rank, uint64_t address);
/* As vm_rank_read(), for who looks at a rank from outside (debuggers, reports): no access of the rank itself. */
const void *vm_rank_peek(const VmRank *rank, uint64_t address, uint64_t size);

/* Asked before each access of the rank's code to memory that is the rank's, and of the library on its behalf:
 * vm_rank_read(), _write() and _string() count as one access of that size. True: go on. A hook may charge cycles
 * (vm_rank_charge), but not while a request is open, since the layer above then owns the clock; or it raises a fault
 * (vm_rank_fault) and answers false. An access that the rank's space does not allow is a fault without being asked. */
typedef bool (*VmAccessHook)(VmRank *rank, uint64_t address, uint64_t size, bool write, void *user);
/* Adds a hook, asked in the order of adding, until the rank is released. A rank with access hooks runs in the careful
 * loop; the others pay nothing. */
void vm_rank_add_access_hook(VmRank *rank, VmAccessHook hook, void *user);
/* The same for a hook that only looks: it charges nothing and remembers nothing, so that loops that wait need not be
 * gone round with it (circle.c). */
void vm_rank_add_access_check(VmRank *rank, VmAccessHook hook, void *user);
/* Adds one that is not asked before accesses but, under VmLimits.check, before the rank gives a block of its heap back
 * or moves it: address and size of the block, as a write. */
void vm_rank_add_release_hook(VmRank *rank, VmAccessHook hook, void *user);
/* Takes one away, while the rank does not run. */
void vm_rank_remove_access_hook(VmRank *rank, VmAccessHook hook, void *user);
/* For access hooks: whether it is the rank's own code, or the library on its behalf, that accesses memory now, and not
 * somebody who works on a request of the rank. */
bool vm_rank_acts(const VmRank *rank);
/* If so: the function of the library or of the layer above that does, NULL: the code itself. */
const char *vm_rank_acting(const VmRank *rank);
/* Loads and stores at other addresses than multiples of their size are faults from now on. */
void vm_rank_forbid_unaligned(VmRank *rank);
/* Whether it has any hooks: then who accesses memory with gaps should not ask for the gaps. */
bool vm_rank_is_watched(const VmRank *rank);

/* -- loops that wait (circle.c) ---------------------------------------------------------------- */

/* From a request on, which must not be answered yet, what the rank does is watched. False: that is not possible. */
bool vm_circle_begin(VmRank *rank);
/* At a later request, not answered yet either: whether the rank stands exactly where it stood then, except for its
 * clock, and has asked nobody but by requests. So, if requests are answered the same way again, it comes here again. */
bool vm_circle_closed(const VmRank *rank);
/* ... and each time after the same time. */
bool vm_circle_takes_same_time(const VmRank *rank);
/* Whether it can no longer close: the rank has asked somebody. */
bool vm_circle_is_open(const VmRank *rank);
/* Ends watching, if it has begun. */
void vm_circle_end(VmRank *rank);

/* -- memory hierarchy (hierarchy.c): caches of a rank, as an access hook ----------------------- */

enum { VM_CACHE_LEVELS = 3, VM_CACHE_STREAMS = 16 };

typedef struct VmCacheLevel {
    uint64_t sets;
    uint32_t ways;
    uint32_t line_bytes; /* a power of two, not smaller than that of the level above */
    uint64_t latency_q8; /* cycles of an access whose line is found here */
    uint64_t line_q8;    /* cycles of moving a line between here and the level above */
} VmCacheLevel;

typedef struct VmHierarchyShape {
    uint32_t n_levels; /* at least 1 */
    uint32_t streams;  /* sequences of lines that come ahead from main memory, at most VM_CACHE_STREAMS */
    VmCacheLevel levels[VM_CACHE_LEVELS];
    uint64_t memory_latency_q8, memory_line_q8;
} VmHierarchyShape;

typedef struct VmCacheCounts { /* in lines: an access to several counts for each */
    uint64_t hits, misses, written_back;
} VmCacheCounts;

typedef struct VmHierarchy VmHierarchy;
VmHierarchy *vm_hierarchy_new(const VmHierarchyShape *shape);
void vm_hierarchy_free(VmHierarchy *hierarchy);
/* From now on the rank's accesses go through it. Free it when the rank has been released. */
void vm_hierarchy_attach(VmHierarchy *hierarchy, VmRank *rank);
/* What a level (from 0) has counted; NULL: there is no such level. */
const VmCacheCounts *vm_hierarchy_counts(const VmHierarchy *hierarchy, uint32_t level);

/* -- what is counted by a rank that is ahead of others (tally.c) ------------------------------- */

/* Nobody will ask for the counts of caches and predictor as they were before this time. */
void vm_rank_settle(VmRank *rank, uint64_t time_ps);
/* They are now those of this time, which must not lie before the last that was settled, and stay so. */
void vm_rank_cut(VmRank *rank, uint64_t time_ps);

/* -- branch predictor (predictor.c), where VmCosts ask for one --------------------------------- */

typedef struct VmPredictorCounts {
    uint64_t branches, mispredicted;
} VmPredictorCounts;
/* What a rank's predictor has counted so far: branches and jumps, and how many of them it predicted wrongly; NULL: it
 * has none, or has met no branch. */
const VmPredictorCounts *vm_predictor_counts(const VmRank *rank);

/* -- out-of-order execution (out_of_order.c), where VmCosts ask for it ------------------------- */

enum { VM_LARGEST_WINDOW = 1024 }; /* of costs.window there */

/* What a rank executes out of order between the first call of an extern and the second, for pricing it again. */
typedef struct VmTrace VmTrace;
/* From now on; free it when the rank has been released. */
VmTrace *vm_timing_trace(VmRank *rank, const char *boundary);
void vm_timing_trace_free(VmTrace *trace);
/* What it costs under `costs`, in the unit of its numbers; a call of the program's k-th extern costs extern_costs[k].
 */
uint64_t vm_timing_trace_cost(const VmTrace *trace, const VmCosts *costs, const uint64_t *extern_costs);

/* -- faults, frames, debugging ----------------------------------------------------------------- */

typedef enum VmFaultKind {
    VM_FAULT_NONE,
    VM_FAULT_NULL_POINTER,
    VM_FAULT_WILD_READ,
    VM_FAULT_WILD_WRITE,
    VM_FAULT_READ_ONLY,
    VM_FAULT_STACK_OVERFLOW,
    VM_FAULT_DIVIDE_BY_ZERO,
    VM_FAULT_DIVIDE_OVERFLOW,
    VM_FAULT_BAD_FUNCTION,
    VM_FAULT_UNREACHABLE,
    VM_FAULT_ABORT,
    VM_FAULT_HEAP,
    VM_FAULT_OUT_OF_MEMORY,
    VM_FAULT_LIBRARY,
    VM_FAULT_BAD_JUMP,
    VM_FAULT_FREED,         /* under VmLimits.check: an access to memory that was freed ... */
    VM_FAULT_OUT_OF_BOUNDS, /* ... or that belongs to nothing */
    VM_FAULT_UNALIGNED,
    VM_FAULT_IN_USE, /* for the layer above: an access to memory that somebody else works on */
} VmFaultKind;

typedef struct VmFault {
    VmFaultKind kind;
    int signal;       /* what a shell would show: 11 SIGSEGV, 8 SIGFPE, 7 SIGBUS, 6 SIGABRT, 4 SIGILL, or as raised */
    uint64_t address; /* of the access, where there is one */
    uint32_t pc;
    char *reason; /* one sentence: what happened and what to look at */
    char *around; /* what lies at the address or next to it: lines, or NULL */
} VmFault;
const VmFault *vm_rank_fault_info(const VmRank *rank);
/* Raises a fault at the current instruction. */
void vm_rank_fault(VmRank *rank, VmFaultKind kind, uint64_t address, const char *format, ...) G_GNUC_PRINTF(4, 5);

typedef struct VmFrame {
    uint32_t function; /* index in the module */
    uint32_t pc;       /* instruction that runs (frame 0) or the call that it is in */
    uint64_t *registers;
    uint64_t frame_base; /* SP after ENTER */
    bool upcall;         /* called by the simulator, not by the frame below */
    /* An inlined call looks like a frame of its own, in the frame of the function whose code it became part of. */
    uint32_t level;   /* of the real frame */
    uint32_t inlined; /* the expansion that this is (index in the module), or VCODE_NONE: the function itself */
    const char *name; /* of the function */
    uint32_t file;    /* where it stands, or where the call of the next frame inwards does; VCODE_NONE: unknown */
    uint32_t line;
} VmFrame;
/* Number of real frames; frame 0 is the innermost. */
uint32_t vm_rank_depth(const VmRank *rank);
/* Where a real frame stands: its pc alone, without the searches that tell function and line. */
uint32_t vm_rank_pc(const VmRank *rank, uint32_t level);
/* A real frame; of the expansions that it is in, the innermost. */
VmFrame vm_rank_frame(VmRank *rank, uint32_t level);
/* Goes from a frame to the one that called it, inlined ones included. False: there is none. */
bool vm_rank_caller(VmRank *rank, VmFrame *frame);

/* Called before each instruction that starts a statement (VCODE_LINE_STATEMENT entry); true stops the rank there with
 * VM_STOP_HOOK, before the instruction. NULL takes it away; ranks without hook run at full speed. */
typedef bool (*VmHook)(VmRank *rank, uint32_t pc, void *user);
void vm_rank_set_hook(VmRank *rank, VmHook hook, void *user);

#endif
