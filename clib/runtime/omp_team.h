/* omp_team.h - the OpenMP runtime from inside: threads, teams, tasks, loops.
 *
 * Every thread that meets OpenMP has a record (word 1 of the thread). A thread forks a team and becomes its thread 0;
 * the others are its crew, threads that sleep between the regions that their master forks. So thread k of the regions
 * that one thread forks is always the same, as threadprivate variables need it. Teams and implicit tasks lie on the
 * stacks of their threads.
 *
 * What threads share is changed behind __omp_lock(), or in one atomic operation. Decisions depend on the order of calls
 * alone.
 */
#ifndef ORRERY_OMP_TEAM_H
#define ORRERY_OMP_TEAM_H

#include "omp_abi.h"

#include <limits.h>
#include <omp.h>
#include <stdbool.h>
#include <stddef.h>
#include <time.h>

#include "threads_abi.h"

enum { OMP_WORD = 1, OMP_MOST_LEVELS = 255 };

struct omp_icvs { /* internal control variables of a task */
    unsigned threads, thread_limit;
    unsigned schedule; /* 1 to 4 */
    int chunk;         /* 0: not given */
    int levels, device;
    bool dynamic;
    unsigned char bind;
};

struct omp_link {
    struct omp_task *next, *previous;
};
struct omp_queue {
    struct omp_task *first, *last;
};
enum { OMP_OF_TEAM, OMP_OF_PARENT, OMP_OF_GROUP, OMP_QUEUES };

struct omp_sleeper {     /* a task or a group whose end somebody awaits */
    unsigned unfinished; /* tasks in it */
    struct omp_queue ready;
    int event; /* changes when the one who waits should look again */
    bool sleeping;
};

struct omp_group {
    struct omp_sleeper tasks;
    struct omp_group *outer;
    bool cancelled;
};

struct omp_successor {
    struct omp_successor *next;
    struct omp_task *task;
};

struct omp_task {
    void (*body)(void *record);
    void *record;
    unsigned long size, align; /* of the record */
    struct omp_task *parent;
    struct omp_group *group;
    struct omp_sleeper children;
    struct omp_icvs icvs;
    struct omp_link link[OMP_QUEUES];
    unsigned references; /* itself until it ends, its unfinished children, mentions in a table of dependences */
    int priority;
    unsigned blocked;              /* unfinished tasks that it depends on; notes are about the word that it begins */
    bool final, finished, counted; /* counted: its parent, group and team count it */
    bool in_group;                 /* it sleeps until its innermost group is done */
    struct omp_successor *successors, **last_successor;
    struct omp_table *table; /* what its children depend on */
};

struct omp_waiter { /* a thread that waits in a loop until an iteration, or a point, is done */
    struct omp_waiter *next;
    unsigned long at, point;
    int word;
};
struct omp_work { /* a loop that the team shares */
    struct omp_work *next;
    unsigned long id;
    unsigned long taken;                /* iterations handed out */
    unsigned long done;                 /* ordered: iterations before this one are done */
    unsigned long *points, points_each; /* doacross: number of points that are done, of each iteration */
    struct omp_waiter *waiters;
    unsigned left; /* threads that are through */
    int lock;
    bool cancelled;
};

struct omp_team {
    unsigned n, level, active_level;
    struct omp_team *outer;
    unsigned outer_number;    /* of thread 0 in the outer team */
    struct omp_team *initial; /* of the contention group: the team of its first thread alone */
    unsigned busy;            /* initial: threads of the group in teams, but for the first */
    unsigned league, number;  /* teams of the league, and which of them this one is, or is within */
    void (*body)(void *data);
    void *data;
    struct omp_icvs icvs; /* with which its implicit tasks begin */
    int lock;
    bool cancelled;
    unsigned long singles; /* the last single region that a thread took */
    void *copied;
    struct omp_work *works, *spare, first;
    struct omp_queue ready;
    unsigned unfinished; /* tasks */
    unsigned idle;       /* threads that wait for work */
    int event;           /* of barriers that may be cancelled: changes when those who wait should look again */
    unsigned arrived, generation;
};

struct omp_at { /* where a thread is */
    struct omp_team *team;
    unsigned number;
    struct omp_task *task;
    struct __omp_loop *loop;        /* the innermost */
    unsigned long loops, singles;   /* met in this region */
    int place, first_place, places; /* place -1: not bound; the others are its partition */
};

struct omp_crew {
    struct omp_thread **threads; /* thread k of the teams is threads[k - 1] */
    unsigned size;
    int generation;         /* changes when the crew is wanted, or dismissed */
    bool dismissed;         /* the master has ended */
    struct omp_crew *inner; /* of the teams that the master forks while this crew is at work */
};

struct omp_thread {
    struct omp_at at;
    struct omp_crew *crew; /* for the next team that it forks; NULL: none yet */
    struct omp_crew *of;   /* the crew that it belongs to; NULL: no team made the thread */
    int seen;              /* of the crew's generation */
    struct omp_at wanted;  /* what the master wants it for; team NULL: nothing */
};

enum { OMP_PLACE_WORDS = 16 };

struct omp_globals { /* what the environment says, and what belongs to no task */
    bool ready, cancellation, active_wait;
    int most_priority, processors;
    unsigned long stack;
    struct omp_icvs icvs;         /* of the initial task */
    unsigned *threads, n_threads; /* OMP_NUM_THREADS by level */
    unsigned char *binds;
    unsigned n_binds;
    unsigned long (*places)[OMP_PLACE_WORDS]; /* sets of processors */
    int n_places;
};
extern struct omp_globals __omp_globals;

/* Reads the environment; does nothing if that is done. */
void __omp_read_environment(void);
struct omp_thread *__omp_self(void);
void __omp_lock(int *word);
void __omp_unlock(int *word);

/* Makes the team of an initial thread: one of its own threads, or one in a target or teams region. */
void __omp_team_initial(struct omp_team *team, struct omp_task *task, const struct omp_icvs *icvs);
/* Gives back what the loops of a team hold. */
void __omp_works_free(struct omp_team *team);
/* Waits for the team and its tasks. Returns 1 if the region has been cancelled. */
int __omp_wait_for_team(struct omp_thread *me);
/* Wakes those of the team's threads that wait for each other, up to `most`. */
void __omp_notify(struct omp_team *team, int most);
/* The places of a thread of a team that is to be forked by `me`. */
void __omp_place(const struct omp_thread *me, unsigned number, unsigned n, unsigned bind, struct omp_at *at);
/* Binds the calling thread to its place, if it has one. */
void __omp_bind(const struct omp_at *at);

void __omp_task_begin_implicit(struct omp_task *task, const struct omp_icvs *icvs);
void __omp_task_end_implicit(struct omp_task *task);
/* Returns the task of a record that __omp_task_new() made. */
struct omp_task *__omp_task_of(void *record);
/* Takes a task of the team that is ready, and runs it. Returns false if there is none. */
bool __omp_task_run_ready(struct omp_thread *me);
/* Wakes those who wait in loops of the team, which has been cancelled. */
void __omp_loops_cancel(struct omp_team *team);

#endif
