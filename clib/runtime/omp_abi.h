/* omp_abi.h - what compiled code of OpenMP calls: the seam between the compiler (-fopenmp) and the runtime (omp*.c).
 *
 * A region that several threads or a task may run is outlined: its body becomes a function of its own, which is called
 * with a pointer to a record. The record holds the addresses of the variables that are shared and the values of those
 * that are passed by value. The runtime does not look into it. Directives that are met outside of every parallel region
 * (orphaned ones) make the same calls; they work on the team of the calling thread, which may be one of one thread.
 *
 * Compiled code passes what clauses say. Where a clause is missing, it passes what the comment calls "not given", and
 * the runtime takes the internal control variables.
 */
#ifndef ORRERY_OMP_ABI_H
#define ORRERY_OMP_ABI_H

/* -- parallel ---------------------------------------------------------------------------------- */

/* Runs body(data) on every thread of a new team, then waits for all of them and for all tasks of the region.
 * num_threads: 0 not given; negative: the clause asked for none or for a negative number, which is an error.
 * condition: value of the if clause, 1 if not given; 0: the team has one thread. bind: a value of omp_proc_bind_t
 * (2 master, 3 close, 4 spread); 0 not given. The team's thread 0 is the caller. */
void __omp_fork(void (*body)(void *data), void *data, int num_threads, int condition, unsigned bind);

/* -- target and teams: the device is the host -------------------------------------------------- */

/* Runs body(record) in an initial task of its own, whose internal control variables are those of the environment. The
 * record is one of __omp_task_new(), and this frees it. */
void __omp_target(void *record);
/* Runs body(data) once for each team of a league, one team after the other. num_teams: 0 not given, which is one team.
 * thread_limit: 0 not given. A number below 1 arrives as 1. */
void __omp_teams(void (*body)(void *data), void *data, int num_teams, int thread_limit);

/* -- loops and sections ------------------------------------------------------------------------ */

enum { /* schedule */
       __OMP_SCHEDULE_RUNTIME = 0,
       __OMP_SCHEDULE_STATIC = 1, /* 1 to 4 are omp_sched_t's */
       __OMP_SCHEDULE_DYNAMIC = 2,
       __OMP_SCHEDULE_GUIDED = 3,
       __OMP_SCHEDULE_AUTO = 4,
       __OMP_SCHEDULE_KIND = 0xff,
       __OMP_SCHEDULE_MONOTONIC = 0x100, /* modifiers; the runtime may ignore the next two */
       __OMP_SCHEDULE_NONMONOTONIC = 0x200,
       __OMP_SCHEDULE_SIMD = 0x400,
};
enum { __OMP_LOOP_ORDERED = 1 /* the loop has the clause ordered, without or with a number */ };

/* State of one thread in one loop; lies in the frame of the function with the loop. Compiled code reads from, to. */
struct __omp_loop {
    unsigned long from, to;     /* the chunk: iterations from <= k < to */
    unsigned long reserved[14]; /* the runtime's */
};

/* A loop over the iterations 0 <= k < n, shared by the team. All loops are normalised to that, whatever the type and
 * the step of the loop's variable; n of a collapsed loop is the product. chunk: 0 not given; negative or zero in the
 * source: it arrives as 1. Sections are a loop of n sections (dynamic, chunk 1).
 *
 *      __omp_loop_begin(&loop, n, schedule, chunk, flags);
 *      while (__omp_loop_next(&loop))
 *          for (k = loop.from; k < loop.to; k++)
 *              ...
 *      __omp_loop_end(&loop, nowait);
 *
 * n may be 0; the calls are made all the same. __omp_loop_next gives a chunk that is not empty, or returns 0: no more,
 * or the loop (or its region) has been cancelled. __omp_loop_end waits for the team unless nowait is set; it is reached
 * by every thread, also after a cancel. */
void __omp_loop_begin(struct __omp_loop *loop, unsigned long n, unsigned schedule, long chunk, unsigned flags);
int __omp_loop_next(struct __omp_loop *loop);
/* Returns 1 if the wait ended because the parallel region has been cancelled, else 0. */
int __omp_loop_end(struct __omp_loop *loop, int nowait);

/* A loop that the teams of a league share; chunk: 0 not given. Its chunks are like those of __omp_loop_next(). */
void __omp_distribute_begin(struct __omp_loop *loop, unsigned long n, long chunk);
int __omp_distribute_next(struct __omp_loop *loop);

/* The region of an ordered construct, perhaps in a function that the loop calls (so it has no argument): it works on
 * the innermost loop of the thread. It waits until all chunks before the thread's chunk are done with; the chunk is
 * done with at the thread's next __omp_loop_next. Without a loop around it does nothing. */
void __omp_ordered_begin(void);
void __omp_ordered_end(void);

/* A loop with ordered(n) and depend(sink/source): called behind __omp_loop_begin by every thread. `points` is the
 * number of points of the whole nest of n loops; a point's number counts them with the innermost loop fastest. */
void __omp_doacross_begin(struct __omp_loop *loop, unsigned long points);
/* depend(source): the point is done. depend(sink: ...): waits until it is done. The compiled code makes no call for a
 * sink outside of the nest. */
void __omp_doacross_post(struct __omp_loop *loop, unsigned long point);
void __omp_doacross_wait(struct __omp_loop *loop, unsigned long point);

/* -- one thread at a time, one thread only ----------------------------------------------------- */

/* Returns 1 for the one thread of the team that runs the region. The wait at its end is a call of __omp_barrier. */
int __omp_single_begin(void);
/* copyprivate: all threads call it behind the region; the one that ran it gives the address of a record, the others
 * NULL. It waits for the one, and returns the address that it gave. A call of __omp_barrier follows behind the copying,
 * so the record may lie in the frame. */
void *__omp_copyprivate(void *record);
int __omp_master(void); /* returns 1 for thread 0 of the team */

/* Zero at the start; the compiler makes one per name of critical regions, common to all units. */
struct __omp_lock {
    unsigned long word[8];
};
void __omp_critical_begin(struct __omp_lock *lock);
void __omp_critical_end(struct __omp_lock *lock);
/* Around the code that combines a thread's private copies with the variables of a reduction. One lock for all. No call
 * of the runtime is made within, but user code of a declared reduction may run. */
void __omp_reduce_begin(void);
void __omp_reduce_end(void);

/* Waits for the team, and for its tasks. Returns 1 if the parallel region has been cancelled: the caller goes to the
 * end of the region. */
int __omp_barrier(void);
void __omp_flush(void);

/* -- tasks ------------------------------------------------------------------------------------- */

enum { /* flags of a task */
       __OMP_TASK_UNTIED = 1,
       __OMP_TASK_FINAL = 2, /* the final clause is true */
       __OMP_TASK_MERGEABLE = 4,
       __OMP_TASK_UNDEFERRED = 8, /* the if clause is false */
       __OMP_TASK_NOGROUP = 16,   /* taskloop */
};
enum { __OMP_DEPEND_IN = 1, __OMP_DEPEND_OUT = 2, __OMP_DEPEND_INOUT = 3 };
struct __omp_depend {
    void *address; /* of the first byte of the object or array section; equal addresses depend */
    unsigned long kind;
};

/* Makes a record for a task and returns it; compiled code fills it in and passes it to one of the two functions below.
 * The runtime frees it. size may be 0; align: at most 64. */
void *__omp_task_new(void (*body)(void *record), unsigned long size, unsigned long align);
/* Starts the task. priority: 0 not given. */
void __omp_task(void *record, unsigned flags, int priority, unsigned n_depends, const struct __omp_depend *depends);
/* Makes tasks of a loop of n iterations. The record starts with two unsigned longs, from and to; the runtime makes a
 * copy of the record for each task (a record holds no address of itself) and sets them: the body runs the iterations
 * from <= k < to. grainsize, num_tasks: at most one is given, 0 not given. Waits for the tasks and what they make, as a
 * taskgroup, unless flags have __OMP_TASK_NOGROUP. */
void __omp_taskloop(void *record, unsigned flags, int priority, unsigned long n, unsigned long grainsize,
                    unsigned long num_tasks);
void __omp_taskwait(void);
/* Waits for the tasks of the same parent that the dependences name. For target constructs with depend, which run at
 * once on the host. */
void __omp_taskwait_depend(unsigned n_depends, const struct __omp_depend *depends);
void __omp_taskyield(void);
void __omp_taskgroup_begin(void);
void __omp_taskgroup_end(void);

/* -- cancellation ------------------------------------------------------------------------------ */

enum { __OMP_CANCEL_PARALLEL = 1, __OMP_CANCEL_LOOP = 2, __OMP_CANCEL_SECTIONS = 4, __OMP_CANCEL_TASKGROUP = 8 };
/* Both return 1 if the innermost region of that kind is cancelled (OMP_CANCELLATION permitting): the caller goes to the
 * end of the region, for a taskgroup to the end of the task. condition: the if clause, 1 if not given; 0: only a
 * cancellation point. */
int __omp_cancel(unsigned construct, int condition);
int __omp_cancellation_point(unsigned construct);

#endif
