/* call.h - processes, threads, and the calls that threads make.
 *
 * A call has a handler, which does what it can and returns a step. If the call must wait, the handler puts it into a
 * queue with threads_wait() and says by which function it goes on. Who ends the wait takes it out of the queue and sets
 * wait.result: 0, ETIMEDOUT, or THREADS_CANCELLED. The call goes on in its own turn, at the time that was given.
 *
 * Upcalls. A signal or a cancellation for a thread is an upcall of the runtime library's function `attention`, inside
 * the call that the thread is in: before the handler, or while the call waits. A call that waits stays in its queue
 * meanwhile. Calls that the upcall makes are stacked on it.
 */
#ifndef ORRERY_THREADS_CORE_CALL_H
#define ORRERY_THREADS_CORE_CALL_H

#include "threads/core/layouts.h"
#include "threads/threads.h"

#include <errno.h>
#include <string.h>

typedef struct ThreadsProcess ThreadsProcess;
typedef struct ThreadsThread ThreadsThread;
typedef struct ThreadsCall ThreadsCall;
typedef struct ThreadsObject ThreadsObject;

typedef enum ThreadsStep {
    THREADS_STEP_DONE,      /* the call is over, with call->result at call->now */
    THREADS_STEP_BLOCK,     /* it waits */
    THREADS_STEP_SPIN,      /* it waits and keeps its processor busy */
    THREADS_STEP_GLOBAL,    /* only where call->local: it cannot be done inside the VM; nothing has changed yet */
    THREADS_STEP_UPCALL,    /* vm_rank_upcall() was called */
    THREADS_STEP_PERFORMED, /* the function of the C library that it stands before has ended the request */
    THREADS_STEP_ENDED,     /* the thread has ended */
    THREADS_STEP_FAULT,
} ThreadsStep;
typedef ThreadsStep (*ThreadsHandler)(ThreadsCall *call);

enum {
    THREADS_CANCELLED = INT32_MIN, /* a result of waits: the thread is to end */
    THREADS_ARGUMENTS = 6,         /* most arguments of a function */
    THREADS_WORDS = 8,             /* words of a thread that the runtime library keeps there */
    THREADS_WORD_BLOCKED = 4,      /* of these: the signals that it blocks, which threads that it makes inherit */
    THREADS_NAME = 16,             /* bytes of a thread's name */
    THREADS_PLACES = 64,
};
#define THREADS_TIMER_COOKIE (UINT64_C(1) << 63) /* of an alarm that is a timer's, and no wait's */
enum { THREADS_NO_STREAM = -1, THREADS_STDIN = -2, THREADS_STDOUT = -3 };
#define THREADS_NEVER UINT64_MAX /* a deadline */

/* A row of functions.def in a world; `user` of its extern. */
typedef struct ThreadsBinding {
    ThreadsWorld *world;
    ThreadsHandler handler;
    const char *name;
    const VmExtern *library; /* the function of the C library that it stands before; NULL: none */
    bool in_place;           /* it needs no turn: it concerns only the calling thread */
    bool point;              /* it is a cancellation point */
    bool repeats;            /* it stands before something else, which the thread goes on with */
    int stream;              /* argument of a function of library.def that is its stream, or THREADS_NO_STREAM ... */
} ThreadsBinding;

/* Ends a wait with an error at a time. */
typedef void (*ThreadsLeave)(ThreadsCall *call, int result, uint64_t time_ps);

/* How a call waits. */
typedef struct ThreadsWait {
    ThreadsObject *object; /* the queue that it is in; NULL: none */
    ThreadsCall *before, *behind;
    ThreadsSort sort;
    uint64_t address;
    uint64_t since_ps;
    uint64_t number;        /* of this wait in the process, for alarms; 0: the call has not waited */
    bool point;             /* a cancellation ends the wait */
    unsigned interruptible; /* so does a signal, EINTR: 1, any; 2, one whose handler does not restart calls; 0: none */
    bool spins;             /* it costs nothing to begin, and keeps its processor busy */
    bool shared;            /* it wants the object for reading */
    bool over;              /* the wait has ended, `result` and `until_ps` hold */
    bool waking;            /* ThreadsEnv.wake has been called */
    bool late;              /* the deadline has come during an upcall, whose end it awaits */
    int result;
    uint64_t until_ps;
    ThreadsLeave leave; /* NULL: threads_wait_leave() */
} ThreadsWait;

struct ThreadsCall {
    ThreadsWorld *world;
    ThreadsProcess *process;
    ThreadsThread *thread;
    VmRank *vm;
    const ThreadsBinding *binding;
    uint64_t args[THREADS_ARGUMENTS];
    uint32_t pc;    /* location of the call in the program */
    bool local;     /* the call runs inside the VM */
    bool attending; /* an upcall of `attention` is open in it */
    bool begun;     /* its handler has run */
    bool cancelled; /* that upcall ends the thread */
    uint64_t now, result;
    ThreadsHandler step; /* goes on after a wait */
    ThreadsCall *outer;  /* the call whose upcall has made this call */
    ThreadsWait wait;
    uint64_t state; /* private to the handler */
};

typedef struct ThreadsLock { /* what is counted of a lock */
    ThreadsSort sort;
    uint64_t address;
    uint64_t taken, contended, wait_ps, longest_ps;
    uint32_t longest_pc; /* the call that waited longest; VCODE_NONE: none has waited */
} ThreadsLock;

typedef struct ThreadsRegion { /* what is counted of the parallel regions that begin at one line */
    uint32_t pc;
    uint32_t threads; /* most of one team */
    uint64_t executions;
    uint64_t time_ps, thread_ps; /* from the fork to the end; the same, times the threads */
    uint64_t barrier_ps, end_ps; /* what threads have waited at barriers within, and at the end */
    uint64_t lock_ps, tasks;     /* ... for locks; tasks that they have made */
} ThreadsRegion;
typedef struct ThreadsRegions ThreadsRegions; /* private to core/regions.c */

typedef struct ThreadsPending { /* what a thread has done since it left a barrier of a team */
    uint64_t barrier_ps, lock_ps, tasks;
} ThreadsPending;

struct ThreadsObject { /* what threads wait for */
    uint64_t key;      /* address and sort */
    uint64_t address;
    ThreadsSort sort;
    uint32_t waiting; /* length of the queue */
    ThreadsCall *first, *last;
};

typedef struct ThreadsSignal { /* a signal that pends */
    int number, code;
    uint64_t value;
} ThreadsSignal;

typedef struct ThreadsTimer { /* it sends a signal */
    uint64_t due_ps;          /* 0: never */
    uint64_t period_ps;       /* 0: once */
    uint64_t setting;         /* number of its present setting, for alarms */
    uint64_t thread;          /* id; 0: the process */
    ThreadsSignal signal;     /* number 0: none */
    uint32_t overrun;         /* times that it found its signal still pending */
} ThreadsTimer;

typedef struct ThreadsStreamLock { /* of a stream; it exists while somebody holds it, or is to hold it next */
    uint32_t owner;                /* id */
    uint32_t depth;
} ThreadsStreamLock;

struct ThreadsThread {
    ThreadsProcess *process;
    uint32_t number; /* of the VM; THREADS_NONE: it has ended */
    uint64_t id;
    bool ended, detached, ending;
    bool uncancellable, asynchronous, cancel; /* state and type of cancellation; it was asked for */
    bool attention;                           /* it has signals to look at */
    int policy, priority;
    uint32_t created_pc;
    uint64_t result; /* of pthread_exit() */
    ThreadsThread *joiner;
    uint64_t words[THREADS_WORDS];
    GArray *signals; /* ThreadsSignal that pend for it; NULL: none yet */
    char name[THREADS_NAME];
    GArray *forks; /* private to core/regions.c; NULL: none yet */
    ThreadsPending pending;
    GArray *robust;    /* addresses of robust mutexes that it holds; NULL: none yet */
    uint64_t *set;     /* processors that it is bound to; NULL: to none */
    uint64_t *outside; /* the same before it got a place of OpenMP */
    VmHalt halt;       /* why its function of the C library is halted, while it waits for that */
    ThreadsCall *call; /* innermost call, NULL: none */
    ThreadsCall first; /* the memory of the outermost one */
};

struct ThreadsProcess {
    ThreadsWorld *world;
    VmRank *vm;
    uint32_t rank;
    uint32_t alive;       /* threads that have not ended */
    bool ordered;         /* its calls are requests even if it has one thread: signals may come */
    uint64_t attention;   /* guest address of the function for upcalls; 0: not told yet */
    bool prioritised;     /* threads have had priorities */
    uint64_t waits;       /* number of waits so far */
    GPtrArray *threads;   /* by id - 1; NULL: forgotten */
    GPtrArray *by_number; /* by number of the VM */
    GHashTable *objects;  /* key -> ThreadsObject; never iterated */
    GHashTable *streams;  /* FILE * -> ThreadsStreamLock; never iterated; NULL: none yet */
    GArray *signals;      /* ThreadsSignal that pend for the process; NULL: none yet */
    GArray *timers;       /* ThreadsTimer, by number; NULL: none yet */
    void *order;          /* private to check/lock_order.c; NULL: none yet */
    GDestroyNotify order_free;
    void *races; /* private to check/data_races.c; NULL: none yet */
    void (*races_end)(void *races);
    uint32_t places[THREADS_PLACES]; /* by pc: 1 + a pc that is known to lie in the program itself */
    ThreadsStats stats;
    GArray *locks;           /* ThreadsLock, in the order of their first use; NULL: none is counted */
    ThreadsRegions *regions; /* NULL: none is counted */
    GHashTable *lock_rows;   /* key as of objects -> 1 + index there; never iterated */
};

typedef struct ThreadsEnded { /* what is left of a process */
    ThreadsStats stats;
    GArray *locks;   /* as threads_world_locks() returns them */
    GArray *regions; /* as threads_world_regions() returns them */
} ThreadsEnded;

struct ThreadsWorld {
    uint32_t ranks;
    uint32_t checks;
    ThreadsCosts costs;
    ThreadsEnv env;
    ThreadsProcess **processes; /* by rank; NULL: it has called nothing */
    VmExtern *externs;
    ThreadsBinding *bindings;
    size_t n_externs;
    GHashTable *library;         /* VmExtern -> ThreadsBinding: what stands before functions of the C library */
    VmExtern interruption;       /* the function of requests that interrupt a thread */
    ThreadsBinding interrupting; /* the binding of that */
    GArray *observers;           /* ThreadsObserver */
    GHashTable *ended;           /* rank -> ThreadsEnded, of processes that have ended */
    bool counts_locks;
    /* Checks of the order of locks (check/lock_order.c); NULL: nobody looks. A lock is taken, given back, destroyed or
     * made anew. */
    void (*locked)(const ThreadsCall *call, ThreadsSort sort, uint64_t address);
    void (*unlocked)(const ThreadsCall *call, ThreadsSort sort, uint64_t address);
    void (*unmade)(const ThreadsCall *call, ThreadsSort sort, uint64_t address);
    /* Checks for data races (check/data_races.c); NULL: nobody looks. A thread has taken its turn before an atomic
     * operation, or at a fence. The rest is private to the check. */
    void (*turned)(const ThreadsCall *call);
    void (*called)(const ThreadsCall *call); /* a call begins */
    void (*told)(ThreadsWorld *world, uint32_t from, uint32_t to);
    void (*heard)(ThreadsWorld *world, uint32_t rank);
    void (*accessed)(ThreadsWorld *world, uint32_t rank, uint64_t address, uint64_t size, bool write);
    GHashTable *marks, *known;
    GPtrArray *watched;
};

/* -- calls (call.c) ---------------------------------------------------------------------------- */

/* The process of a rank, made when it is needed. */
ThreadsProcess *threads_process(ThreadsWorld *world, VmRank *vm);
void threads_process_free(ThreadsProcess *process);
/* A thread by its number or by its id. NULL: there is none. */
ThreadsThread *threads_thread_by_number(const ThreadsProcess *process, uint32_t number);
ThreadsThread *threads_thread_by_id(const ThreadsProcess *process, uint64_t id);
/* Adds a thread to the process, with the next id. */
ThreadsThread *threads_thread_add(ThreadsProcess *process, uint32_t number);
/* The thread that runs. */
ThreadsThread *threads_thread_selected(const ThreadsProcess *process);
/* Frees an ended thread, whose id means nothing from now on. */
void threads_thread_forget(ThreadsThread *thread);

/* Returns where in the program the running thread makes a call. */
uint32_t threads_place(ThreadsProcess *process);

/* Ends a call with a result. */
static inline ThreadsStep threads_return(ThreadsCall *call, int64_t result)
{
    call->result = (uint64_t)result;
    return THREADS_STEP_DONE;
}
static inline void threads_charge(ThreadsCall *call, uint64_t ps)
{
    call->now += ps;
}
/* Memory of the program that the call reads and writes. NULL, with a fault raised: it may not. */
void *threads_call_memory(ThreadsCall *call, uint64_t address, uint64_t bytes);
const void *threads_call_readable(ThreadsCall *call, uint64_t address, uint64_t bytes);
/* Reads the struct timespec at an address, a time on a clock of time.h, as a deadline. Returns false with EINVAL in
 * *error, or with 0 there and a fault raised. */
bool threads_deadline(ThreadsCall *call, int clock, uint64_t address, uint64_t *deadline_ps, int *error);
/* Whether waits can be bound by a clock of time.h. The clock of the wall shows the epoch at time 0. */
bool threads_deadline_clock(int clock);
/* A span of time, not negative and not too long. */
uint64_t threads_deadline_span(int64_t seconds, int64_t nanoseconds);
/* Functions of the C library must take effect in order from now on, because something may come between them. */
void threads_call_order(ThreadsCall *call);
/* Calls the function `attention` with the reason, inside the call. */
ThreadsStep threads_call_attend(ThreadsCall *call, bool cancelled);
/* Whether the thread must act on a cancellation at a cancellation point. */
static inline bool threads_is_cancelled(const ThreadsThread *thread)
{
    return thread->cancel && !thread->uncancellable && !thread->ending;
}

/* -- counting (account.c) ---------------------------------------------------------------------- */

/* A lock is taken. */
void threads_account_lock(const ThreadsCall *call, ThreadsSort sort, uint64_t address);
/* The wait of a call has ended. */
void threads_account_wait(const ThreadsCall *call, uint64_t to_ps);

/* -- parallel regions (regions.c), where locks are counted ---------------------------------------- */

/* A thread forks a team: it begins a region. */
void threads_region_fork(const ThreadsCall *call, uint64_t team);
/* A thread comes to a barrier of a team, or leaves it. Both in the order of virtual time. */
void threads_region_arrive(const ThreadsCall *call, uint64_t team, uint32_t threads);
void threads_region_leave(const ThreadsCall *call, uint64_t team, uint32_t threads);
/* Returns an array of ThreadsRegion, in the order of their first barriers. The caller owns it. */
GArray *threads_regions_rows(const ThreadsProcess *process);
void threads_regions_free(ThreadsRegions *regions);

/* -- waiting (wait.c) -------------------------------------------------------------------------- */

/* What stands for an object: objects of several sorts may share an address. */
uint64_t threads_wait_key(ThreadsSort sort, uint64_t address);
/* The queue of an object; NULL: nobody waits for it. */
ThreadsObject *threads_wait_find(const ThreadsProcess *process, ThreadsSort sort, uint64_t address);
/* Puts the call at the end of the object's queue, up to a deadline, and charges for that. The call goes on with `then`.
 * A local call returns THREADS_STEP_GLOBAL instead. */
ThreadsStep threads_wait(ThreadsCall *call, ThreadsSort sort, uint64_t address, uint64_t deadline_ps,
                         ThreadsHandler then);
/* The same for an object of the program that counts its waiters. `leave` ends the wait with an error. */
ThreadsStep threads_wait_counted(ThreadsCall *call, ThreadsSort sort, uint32_t *waiters, uint64_t deadline_ps,
                                 ThreadsHandler then, ThreadsLeave leave);
/* Moves a call that waits to the end of another queue at a time: a new wait. */
void threads_wait_move(ThreadsCall *call, ThreadsSort sort, uint64_t address, uint64_t time_ps);
/* Takes a call out of its queue, without waking it. The object goes with the last one. */
void threads_wait_remove(ThreadsCall *call);
/* Ends a wait: the call goes on at time_ps, or when its going to sleep is paid. It is in no queue any more. */
void threads_wait_end(ThreadsCall *call, int result, uint64_t time_ps);
/* Both. */
void threads_wait_leave(ThreadsCall *call, int result, uint64_t time_ps);
/* The call that goes on first: of the highest priority, then the one that has waited longest. */
ThreadsCall *threads_wait_first(const ThreadsObject *object);
/* Lets a thread look at its cancellation or its signals: now, if it waits. */
void threads_wait_alert(ThreadsThread *thread, uint64_t time_ps);
/* The deadline of one of the thread's waits has come. If a handler of a signal runs meanwhile, what comes up to its end
 * still counts (POSIX XSH pthread_rwlock_timedrdlock: what can be locked at once does not fail). */
void threads_wait_time_out(ThreadsThread *thread, uint64_t number, uint64_t time_ps);
/* A call that has waited returns its result, or ends its thread. */
ThreadsStep threads_wait_result(ThreadsCall *call);

/* -- observers --------------------------------------------------------------------------------- */

#define THREADS_TELL(world, callback, ...)                                                                             \
    do {                                                                                                               \
        for (guint i_ = 0; i_ < (world)->observers->len; i_++) {                                                       \
            const ThreadsObserver *o_ = &g_array_index((world)->observers, ThreadsObserver, i_);                       \
            if (o_->callback)                                                                                          \
                o_->callback(o_->user, __VA_ARGS__);                                                                   \
        }                                                                                                              \
    } while (0)

static inline void threads_acquired(const ThreadsThread *thread, ThreadsSort sort, uint64_t address, bool shared,
                                    uint64_t time_ps)
{
    THREADS_TELL(thread->process->world, acquired, thread->process->rank, thread->number, sort, address, shared,
                 time_ps);
}
static inline void threads_released(const ThreadsThread *thread, ThreadsSort sort, uint64_t address, bool shared,
                                    uint64_t time_ps)
{
    THREADS_TELL(thread->process->world, released, thread->process->rank, thread->number, sort, address, shared,
                 time_ps);
}

/* What stands for the signals of a number that are sent to a thread (its id; 0: the process), and with number 0 for the
 * thread's cancellation: who sends one releases a THREADS_SIGNAL at this address, who takes it acquires that. It is no
 * address of memory. */
static inline uint64_t threads_signal_key(uint64_t thread, int number)
{
    return UINT64_C(1) << 55 | thread << 7 | (unsigned)number;
}

/* A call has taken a lock, or given it back. */
static inline void threads_call_locked(const ThreadsCall *call, ThreadsSort sort, uint64_t address, bool shared,
                                       uint64_t time_ps)
{
    threads_account_lock(call, sort, address);
    threads_acquired(call->thread, sort, address, shared, time_ps);
    if (G_UNLIKELY(call->world->locked != NULL))
        call->world->locked(call, sort, address);
}
static inline void threads_call_unlocked(const ThreadsCall *call, ThreadsSort sort, uint64_t address, bool shared)
{
    threads_released(call->thread, sort, address, shared, call->now);
    if (G_UNLIKELY(call->world->unlocked != NULL))
        call->world->unlocked(call, sort, address);
}
static inline void threads_call_unmade(const ThreadsCall *call, ThreadsSort sort, uint64_t address)
{
    if (G_UNLIKELY(call->world->unmade != NULL))
        call->world->unmade(call, sort, address);
}
/* Whether a lock is held, or is waited for because of somebody: the id of the holder (0: nobody in particular) and the
 * place where it was locked (VCODE_NONE: unknown). */
bool threads_holder(const ThreadsProcess *process, ThreadsSort sort, uint64_t address, uint32_t *id, uint32_t *since);
/* The lock of a stream; NULL: it is free. */
static inline ThreadsStreamLock *threads_stream_lock(const ThreadsProcess *process, uint64_t stream)
{
    return process->streams ? g_hash_table_lookup(process->streams, GSIZE_TO_POINTER(stream)) : NULL;
}
/* Reports a finding of a check, if somebody listens. */
void threads_finding(const ThreadsCall *call, ThreadsFinding finding, const char *detail, const char *fix,
                     const char *format, ...) G_GNUC_PRINTF(5, 6);
/* Whether a line of the source is known for pc. */
bool threads_place_is_known(const ThreadsProcess *process, uint32_t pc);
/* Appends "a.c:12" for a pc, or "?". */
void threads_place_append(const ThreadsProcess *process, uint32_t pc, GString *out);
/* Appends "mutex `m`" or "mutex at 0x1234". */
void threads_place_append_object(const ThreadsProcess *process, ThreadsSort sort, uint64_t address, GString *out);

#endif
