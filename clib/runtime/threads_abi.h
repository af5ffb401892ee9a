/* threads_abi.h - what the simulator offers to the parts of the runtime library that make threads: POSIX threads
 * (pthread.c), C11 threads and OpenMP. Programs do not see it.
 *
 * A call here and every call of a pthread_ function is a synchronising operation: the thread stops, others go on whose
 * clocks are behind, and the call takes effect in the order of virtual time. In a process that has made no thread yet,
 * it takes effect at once. Costs are those of the machine's [threads] keys; no call costs anything that is not said
 * here.
 */
#ifndef ORRERY_THREADS_ABI_H
#define ORRERY_THREADS_ABI_H

#include <orrery_timespec.h>

/* -- threads ----------------------------------------------------------------------------------- */

/* Threads have numbers: 1 is the one that runs main(), and none is used twice in a process. pthread_t is this number.
 *
 * Makes a thread that calls entry(argument) on a stack of its own (0: the usual size). `entry` must not return: it ends
 * with __orrery_thread_exit(). `word` is its word 0, see below. Returns its number; 0: no room (EAGAIN). The caller
 * pays `create`, the thread begins when that is paid. It is bound to the processors of the caller, or (UNPLACED)
 * to those that this was bound to before it got a place. */
enum { __ORRERY_THREAD_DETACHED = 1, __ORRERY_THREAD_UNPLACED = 2 };
unsigned long __orrery_thread_create(void (*entry)(void *argument), void *argument, unsigned long stack_bytes,
                                     unsigned flags, void *word);
/* Ends the calling thread. Returns only if it is the last one of the process, which then calls exit(0). */
void __orrery_thread_exit(void *result);
/* Waits for the end of a thread and forgets it. Returns 0, ESRCH, EINVAL (detached, or another one joins it), EDEADLK,
 * or at `deadline` ETIMEDOUT, and EBUSY if the deadline is __ORRERY_NOW. The caller pays `join`. `result` may be 0. */
int __orrery_thread_join(unsigned long thread, void **result, unsigned long deadline);
/* Number of the calling thread; takes effect without leaving the thread. */
unsigned long __orrery_thread_self(void);
/* Words that belong to the calling thread: 0 is that of pthread.c, 1 and 2 are OpenMP's, 4 and 5 those of signals. They
 * begin as 0. No synchronising operations; cheap. */
enum { __ORRERY_WORDS = 8 };
void *__orrery_thread_word(unsigned i);
void __orrery_thread_set_word(unsigned i, void *value);
/* Number of threads of the process that have not ended; cheap. */
unsigned long __orrery_thread_count(void);

/* -- deadlines: virtual time in picoseconds ---------------------------------------------------- */

#define __ORRERY_NEVER (~0UL)
#define __ORRERY_NOW   0UL
/* The deadline of a time on the clocks of time.h, and one that is `ns` away. */
unsigned long __orrery_deadline(int clock, const struct timespec *until);
unsigned long __orrery_deadline_in(unsigned long ns);

/* -- waiting by address, as futexes do --------------------------------------------------------- */

/* If *word == expected, sleeps until woken: 0, or ETIMEDOUT at the deadline. Else EAGAIN at once. Costs `wait`. */
int __orrery_wait(volatile int *word, int expected, unsigned long deadline);
/* The same as a cancellation point, and a signal ends the sleep: EINTR. */
int __orrery_wait_at_point(volatile int *word, int expected, unsigned long deadline);
/* Wakes up to `most` threads that sleep at the word, in the order in which they came. Returns how many. Costs `signal`
 * and `signal-per-thread` for each, each goes on `hand-over` later. */
int __orrery_wake(volatile int *word, int most);
/* Lets other threads whose time has come run; the read, write or exchange behind it is then atomic. Cheap when the
 * process has one thread. */
void __orrery_turn(void);

/* -- teams ------------------------------------------------------------------------------------- */

/* Waits until `n` threads wait at the address `team` (a key; nothing is stored there). They go on together, `barrier`
 * and `barrier-per-thread` * n after the last came. Returns 1 for that one and 0 for the others. The address may be
 * used again at once, also with another n. */
int __orrery_team_barrier(void *team, unsigned n);
/* The same while the team's tasks may be done: waits until `n` wait, or until somebody calls __orrery_team_disturb();
 * then returns -1, and the caller, which waits no more, looks for work and comes again. */
int __orrery_team_barrier_or_work(void *team, unsigned n);
/* Makes up to `most` threads in __orrery_team_barrier_or_work() of this team return -1. Costs as __orrery_wake(). */
int __orrery_team_disturb(void *team, int most);
/* Adds `times` times one of the machine's costs to the caller's clock. For a fork, which is paid once, the address of
 * the team stands instead: who counts regions knows it by that. */
enum __orrery_cost {
    __ORRERY_COST_CREATE, /* of a thread */
    __ORRERY_COST_JOIN,
    __ORRERY_COST_LOCK, /* a free lock */
    __ORRERY_COST_UNLOCK,
    __ORRERY_COST_HAND_OVER, /* from an unlock or a wake to the one who waited */
    __ORRERY_COST_WAIT,      /* going to sleep */
    __ORRERY_COST_SIGNAL,
    __ORRERY_COST_SIGNAL_PER_THREAD,
    __ORRERY_COST_BARRIER,
    __ORRERY_COST_BARRIER_PER_THREAD,
    __ORRERY_COST_FORK, /* of an OpenMP team */
    __ORRERY_COST_FORK_PER_THREAD,
    __ORRERY_COST_TASK,   /* an OpenMP task: made and later taken */
    __ORRERY_COST_CHUNK,  /* a chunk of a loop that is not static */
    __ORRERY_COST_ATOMIC, /* an atomic operation */
};
void __orrery_thread_charge(enum __orrery_cost cost, unsigned long times);

/* -- processors -------------------------------------------------------------------------------- */

/* Number of processors that the calling thread may use, and the one that runs it: those of a node count from 0. A
 * thread that nobody has bound may use its rank's share of the node. */
unsigned __orrery_processors(void);
unsigned __orrery_processor(void);
/* Binds a thread (0: the caller) to some of the node's: `words` words of 64 processors each. Returns 0 or an errno. */
int __orrery_thread_bind(unsigned long thread, const unsigned long *set, unsigned words);
/* Binds the caller to a place of OpenMP. */
int __orrery_thread_place(const unsigned long *set, unsigned words);
int __orrery_thread_bound(unsigned long thread, unsigned long *set, unsigned words);

/* -- notes for checks -------------------------------------------------------------------------- */

/* The object, a load or store of which tells a check that looks for data races what waits for what. It costs nothing
 * and does nothing else. Marks are sums of these, as in vcode.h: what the thread has done is released to the word of
 * the object, or what was released there is known from now on, whether it loads or stores. What such a check knows of
 * this library is this alone: its locks and atomic operations order nothing of the program. */
#define __ORRERY_NOTE(object, mark) __builtin_orrery_note(&(object), mark)
enum {
    __ORRERY_ACQUIRES = 2,
    __ORRERY_RELEASES = 4,
    __ORRERY_ASIDE = 8, /* with GATHERS: for the mark with ASIDE and RELEASES that follows, which releases only that */
    __ORRERY_GATHERS = 16, /* as ACQUIRES, but for the thread's next mark with TASK; with ACQUIRES: from all gathered */
    __ORRERY_TASK = 32,    /* with RELEASES: a task is made, with ACQUIRES: it begins, alone: it ends */
    __ORRERY_SETTLES = 64, /* the thread knows of the tasks that it has run */
    __ORRERY_OWNS = 96,    /* the task asks which thread runs it: nothing else on this thread is at the same time */
};

/* Locks: use pthread_mutex_*, pthread_mutex_trylock ...: they are functions of the simulator, cost `lock`, `unlock` and
 * `hand-over`, and reports and checks know them. */

#endif
