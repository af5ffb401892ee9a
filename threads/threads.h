/* threads.h - threads of simulated processes: what they are, and what they synchronise by.
 *
 * A world has processes (ranks), and each process has threads. Thread 0 of the VM runs main(). The functions of
 * <pthread.h>, <semaphore.h> and of the runtime library's threads_abi.h are externs of this library (functions.def), or
 * simulated C on top of them. The library knows neither MPI nor who runs processes when: it asks for contexts, wake-ups
 * and alarms through a table of functions (ThreadsEnv).
 *
 *      process with one thread     a call takes effect inside the VM, at once
 *      process with several        a call is a request; the layer above brings it to threads_world_call() when its turn
 *                                  in the order (time, task) has come
 *
 * Objects of the program (mutexes, barriers ...) are what their bytes in the program's memory say: who holds them, how
 * often. Only the queues of those who wait are kept here, by address. So static initialisers, copies of free objects
 * and memory that is used again work as they do on a real machine. Whoever waits longest goes on first.
 *
 * Numbers. `thread` is the number of a context of the VM (vm_thread_new()), which is used again. `id` is what the
 * program knows as pthread_t: 1 for main()'s thread, never used again in a process.
 */
#ifndef ORRERY_THREADS_THREADS_H
#define ORRERY_THREADS_THREADS_H

#include "vm/vm.h"

typedef struct ThreadsWorld ThreadsWorld;

#define THREADS_NONE UINT32_MAX /* no thread */

/* What calls cost (ps), by row of costs.def. */
typedef struct ThreadsCosts {
#define THREADS_COST(field, key, default_ps, what) uint64_t field;
#include "threads/costs.def"
} ThreadsCosts;

typedef enum ThreadsFinding { /* rows of findings.def */
#define THREADS_FINDING(identifier, what) THREADS_FINDING_##identifier,
#include "threads/findings.def"
                              THREADS_FINDING_COUNT
} ThreadsFinding;

/* What is looked for at run time; bits. */
typedef enum ThreadsChecks {
    THREADS_CHECK_USE = 1,        /* FOREIGN_UNLOCK, DESTROYED */
    THREADS_CHECK_LOCK_ORDER = 2, /* LOCK_ORDER */
    THREADS_CHECK_RACES = 4,      /* DATA_RACE */
} ThreadsChecks;

enum { THREADS_PROCESSOR_WORDS = 16 }; /* of a set of processors; those beyond are in none */

/* Callbacks to the layer above. */
typedef struct ThreadsEnv {
    void *user;
    /* Makes a thread of the rank's process that calls the function at the guest address `entry` with one argument, from
     * time_ps on. Its stack is the program's memory at `stack`, or, if that is 0, memory of the callee's; it has
     * `stack_bytes`, or, if these are 0, the usual size. `set` are the processors that it may use; NULL: the usual
     * ones. Returns its number, or THREADS_NONE if there is no room for it. */
    uint32_t (*start)(void *user, uint32_t rank, uint64_t entry, uint64_t argument, uint64_t stack,
                      uint64_t stack_bytes, const uint64_t *set, uint64_t time_ps);
    /* A thread has ended at time_ps and runs no more. Its context goes, unless it is thread 0, whose context lasts as
     * long as the process. Called while the thread is selected, from inside threads_world_call(). */
    void (*end)(void *user, uint32_t rank, uint32_t thread, uint64_t time_ps);
    /* The calls of the process must be requests in the order of virtual time from now on, as if it had several threads.
     * Called from inside threads_world_call(). */
    void (*order)(void *user, uint32_t rank);
    /* Asks the callee to call threads_world_resume() at time_ps. */
    void (*wake)(void *user, uint32_t rank, uint32_t thread, uint64_t time_ps);
    /* Asks the callee to call threads_world_alarm() at time_ps. */
    void (*alarm)(void *user, uint32_t rank, uint32_t thread, uint64_t time_ps, uint64_t cookie);
    /* Returns the thread of the process that runs or has just stopped (vm_thread_selected()). NULL: always 0. */
    uint32_t (*selected)(void *user, uint32_t rank);
    /* Number of processors that the rank's threads use as long as nobody binds them, the one on which a thread runs,
     * and a request that it run only on those of a set (THREADS_PROCESSOR_WORDS words of 64). NULL, all of them: one.
     */
    uint32_t (*processors)(void *user, uint32_t rank);
    uint32_t (*processor)(void *user, uint32_t rank, uint32_t thread);
    void (*bind)(void *user, uint32_t rank, uint32_t thread, const uint64_t *set);
    /* Number of processors of the rank's node, and a request to set the bits of those that `processors` counts. NULL,
     * both: there are no others. */
    uint32_t (*cores)(void *user, uint32_t rank);
    void (*usual_set)(void *user, uint32_t rank, uint64_t *set);
    /* The thread's next instructions are an atomic operation, with two branches at most. May be NULL. */
    void (*turn)(void *user, uint32_t rank, uint32_t thread);
    /* The thread, whose call is about to end, lets others have its processor first. May be NULL. */
    void (*yield)(void *user, uint32_t rank, uint32_t thread);
    /* A check has found something. `what` is a sentence without its full stop, `detail` lines or NULL, `fix` advice.
     * May be NULL. */
    void (*finding)(void *user, uint32_t rank, ThreadsFinding finding, uint64_t time_ps, const char *what,
                    const char *detail, const char *fix);
} ThreadsEnv;

/* What threads synchronise by. */
typedef enum ThreadsSort {
    THREADS_MUTEX,
    THREADS_CONDITION,
    THREADS_READ_WRITE_LOCK,
    THREADS_BARRIER,
    THREADS_SPIN_LOCK,
    THREADS_ONCE,
    THREADS_SEMAPHORE,
    THREADS_WORD,   /* __orrery_wait() */
    THREADS_TEAM,   /* __orrery_team_barrier() */
    THREADS_THREAD, /* pthread_join(): `address` is the id of the thread */
    THREADS_SLEEP,  /* nanosleep() and the like; no object */
    THREADS_STREAM, /* flockfile(): `address` is the FILE * */
    THREADS_SIGNAL, /* sigwait(), pause() and the like; no object */
    THREADS_DATA,   /* read() and the like: `address` is the number of the pipe */
    THREADS_ROOM,   /* write() and the like: the same */
    THREADS_POLL,   /* poll() and the like; no object */
} ThreadsSort;

/* Callbacks of an observer. Each may be NULL. Between them they tell all that orders accesses of threads: what a
 * thread does before it releases an object happens before what others do after they have acquired it. */
typedef struct ThreadsObserver {
    void *user;
    void (*created)(void *user, uint32_t rank, uint32_t by, uint32_t thread, uint64_t time_ps);
    void (*ended)(void *user, uint32_t rank, uint32_t thread, uint64_t time_ps);
    /* A thread that ends releases its THREADS_THREAD; who joins it acquires that. Signals and cancellations are a
     * THREADS_SIGNAL: sending releases, taking acquires. Writing to a pipe releases its THREADS_DATA, reading acquires
     * that. `shared`: with other readers. */
    void (*acquired)(void *user, uint32_t rank, uint32_t thread, ThreadsSort sort, uint64_t address, bool shared,
                     uint64_t time_ps);
    void (*released)(void *user, uint32_t rank, uint32_t thread, ThreadsSort sort, uint64_t address, bool shared,
                     uint64_t time_ps);
    /* A thread has waited for an object. */
    void (*waited)(void *user, uint32_t rank, uint32_t thread, ThreadsSort sort, uint64_t address, uint64_t from_ps,
                   uint64_t to_ps);
} ThreadsObserver;

/* Makes a world of at most so many ranks. A process that calls nothing costs one pointer. The caller frees it with
 * threads_world_free(). */
ThreadsWorld *threads_world_new(uint32_t ranks, const ThreadsCosts *costs, const ThreadsEnv *env, uint32_t checks);
void threads_world_free(ThreadsWorld *world);
/* Adds an observer, before the first call. */
void threads_world_observe(ThreadsWorld *world, const ThreadsObserver *observer);
/* Returns the functions as externs for vm_image_new(), to be searched before the C library's. The world owns them. */
const VmExtern *threads_world_externs(ThreadsWorld *world, size_t *count);
/* Returns their names, for the linker. */
const char *const *threads_functions(size_t *count);
/* Whether a request's function is one of this world. */
bool threads_world_answers(const ThreadsWorld *world, const VmExtern *function);
/* The process has ended at time_ps, with all its threads, and is forgotten. Observers are told of the threads' last
 * waits and ends. */
void threads_world_exited(ThreadsWorld *world, uint32_t rank, uint64_t time_ps);

typedef enum ThreadsOutcome {
    THREADS_OUTCOME_DONE,    /* vm_rank_complete() was called and the clock set; run the thread */
    THREADS_OUTCOME_BLOCKED, /* the thread waits; ThreadsEnv.wake will be called when it can go on */
    THREADS_OUTCOME_SPINS,   /* the same, but it keeps its processor busy while it waits */
    THREADS_OUTCOME_UPCALL,  /* the call needs simulated code to run first; run the thread */
    THREADS_OUTCOME_ENDED,   /* the thread has ended, ThreadsEnv.end was called; run others */
    THREADS_OUTCOME_FAULT,   /* vm_rank_fault_info() describes it */
} ThreadsOutcome;

/* Executes a call. The thread is selected and has stopped with VM_STOP_REQUEST at now_ps of its clock. */
ThreadsOutcome threads_world_call(ThreadsWorld *world, uint32_t rank, uint32_t thread, uint64_t now_ps);
/* Goes on with a call. The thread is selected and has stopped with VM_STOP_UPCALL_DONE at now_ps, and
 * threads_world_answers() the function of its request. */
ThreadsOutcome threads_world_upcall_done(ThreadsWorld *world, uint32_t rank, uint32_t thread, uint64_t now_ps);
/* Goes on with a thread, which is selected, whose wake-up is due at time_ps. */
ThreadsOutcome threads_world_resume(ThreadsWorld *world, uint32_t rank, uint32_t thread, uint64_t time_ps);
/* The time requested with ThreadsEnv.alarm has come. Nobody needs to be selected. */
void threads_world_alarm(ThreadsWorld *world, uint32_t rank, uint32_t thread, uint64_t time_ps, uint64_t cookie);
/* Whether a thread that can run, and is selected, must do something else first: end, or run signal handlers. Then the
 * callee opens a request for this function (vm_rank_interrupt()), and brings it to threads_world_call() in its turn. */
bool threads_world_interrupts(const ThreadsWorld *world, uint32_t rank, uint32_t thread);
const VmExtern *threads_world_interruption(const ThreadsWorld *world);
/* Whether a thread whose request is a function of the C library, to be performed now, must do something else first.
 * Then the callee brings the request to threads_world_call(), and the thread makes the call anew later. */
bool threads_world_precedes(ThreadsWorld *world, uint32_t rank, uint32_t thread);
/* A function that the rank's selected thread performs has changed a pipe (VmHost.piped): wakes those who wait for it. A
 * function that is halted is brought to threads_world_call(). */
void threads_world_piped(ThreadsWorld *world, uint32_t rank, const VmPipeChange *change);
/* Whether an upcall that is done belongs to a request of this world. */
bool threads_world_attends(const ThreadsWorld *world, uint32_t rank, uint32_t thread);
/* For checks, how messages order threads of processes: the selected thread of `from` has made one leave for `to`, or a
 * call of the rank's selected thread is over in which messages may have come. */
void threads_world_told(ThreadsWorld *world, uint32_t from, uint32_t to);
void threads_world_heard(ThreadsWorld *world, uint32_t rank);
/* For checks: a call of the rank's selected thread, which is not one of this world, accesses memory of the program. */
void threads_world_accessed(ThreadsWorld *world, uint32_t rank, uint64_t address, uint64_t size, bool write);
/* Number of threads of the process that have not ended. More than 1: its calls are requests. */
uint32_t threads_world_count(const ThreadsWorld *world, uint32_t rank);
/* The processors that a thread has been bound to, THREADS_PROCESSOR_WORDS words; NULL: to none. */
const uint64_t *threads_world_set(const ThreadsWorld *world, uint32_t rank, uint32_t thread);

/* -- reports ----------------------------------------------------------------------------------- */

/* What a thread is, for debuggers and reports. */
typedef struct ThreadsInfo {
    uint32_t thread;
    uint64_t id;
    const char *name; /* given by pthread_setname_np(); "": none */
    bool ended;       /* and nobody has joined it */
    bool detached;
    bool waits;
    uint64_t waits_since_ps;
    uint32_t created_pc; /* the call that made it; UINT32_MAX: main()'s */
} ThreadsInfo;
/* Returns the process's threads, by id. The caller frees the array with g_array_unref(). */
GArray *threads_world_list(const ThreadsWorld *world, uint32_t rank);
/* Whether a thread of this id lives. */
bool threads_world_lives(const ThreadsWorld *world, uint32_t rank, uint64_t id);
/* Returns the id of a thread. */
uint64_t threads_world_id(const ThreadsWorld *world, uint32_t rank, uint32_t thread);
/* Returns what the thread waits for: "waits for mutex `m` in pthread_mutex_lock at a.c:12, held by thread 1 since
 * a.c:30". NULL: it does not wait for anything of this library. The caller frees the text with g_free(). */
char *threads_world_describe(const ThreadsWorld *world, uint32_t rank, uint32_t thread);
/* Explains a state of a process in which nothing of it can move: a line for each thread that waits here, and the cycle
 * of those that wait for each other, or what can never come. Appends nothing if no thread waits here. */
void threads_world_explain(const ThreadsWorld *world, uint32_t rank, GString *out);

/* Statistics of one rank. Each wait is of one sort, so the times add up to all that its threads have waited in these
 * calls. A thread that waits for a condition and then for its mutex waits twice. */
typedef struct ThreadsStats {
    uint64_t created;      /* threads made */
    uint64_t most;         /* most threads at one time */
    uint64_t locks;        /* mutexes, read-write locks and spin locks taken */
    uint64_t contended;    /* times that threads waited for one */
    uint64_t lock_ps;      /* how long */
    uint64_t barriers;     /* arrivals at barriers, those of teams included */
    uint64_t barrier_ps;   /* time that threads waited there */
    uint64_t conditions;   /* waits for condition variables */
    uint64_t condition_ps; /* their time */
    uint64_t joins;        /* waits for the end of a thread */
    uint64_t join_ps;      /* their time */
    uint64_t waits;        /* waits for semaphores, words and once controls */
    uint64_t wait_ps;      /* their time */
    uint64_t sleep_ps;     /* time that threads slept */
} ThreadsStats;
const ThreadsStats *threads_world_stats(const ThreadsWorld *world, uint32_t rank);

/* What is counted of one lock. */
typedef struct ThreadsLockStats {
    char *name;         /* "mutex `m`" */
    char *place;        /* the call that waited longest: "a.c:12" */
    uint64_t taken;     /* times that it was taken */
    uint64_t contended; /* times that a thread waited for it */
    uint64_t wait_ps;   /* how long in all, and at most */
    uint64_t longest_ps;
} ThreadsLockStats;
/* What is counted of the parallel regions of OpenMP that begin at one line, of teams of several threads. */
typedef struct ThreadsRegionStats {
    char *place; /* "a.c:12" */
    uint64_t executions;
    uint32_t threads;    /* most of a team */
    uint64_t time_ps;    /* from forks to ends, in all */
    uint64_t thread_ps;  /* the same, times the threads of each */
    uint64_t barrier_ps; /* what threads have waited for each other at barriers within, those of loops included */
    uint64_t end_ps;     /* the same at the ends of the regions */
    uint64_t lock_ps;    /* what they have waited for locks and critical sections */
    uint64_t tasks;      /* tasks that they have made */
} ThreadsRegionStats;
/* Returns the part of the threads' time that they have waited at barriers and ends, in thousandths. */
static inline unsigned threads_region_imbalance(const ThreadsRegionStats *region)
{
    uint64_t waited_ps = region->barrier_ps + region->end_ps;
    return region->thread_ps ? (unsigned)((__uint128_t)waited_ps * 1000 / region->thread_ps) : 0;
}
/* Returns the regions of a rank, those that took longest first. The caller frees the array with g_array_unref(). */
GArray *threads_world_regions(const ThreadsWorld *world, uint32_t rank);
/* Lets locks and regions be counted each. Must be called before processes run. */
void threads_world_count_locks(ThreadsWorld *world);
/* Returns the locks of a rank that threads have waited for, those with the longest waits together first. The caller
 * frees the array with g_array_unref(). */
GArray *threads_world_locks(const ThreadsWorld *world, uint32_t rank);
/* Appends a line for each lock that is held or waited for, as far as they are counted: who holds it, who waits. */
void threads_world_list_locks(const ThreadsWorld *world, uint32_t rank, GString *out);

#endif
