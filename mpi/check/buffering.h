/* buffering.h - the rehearsal of check_buffering.c, as far as its end (buffering_end.c) sees it. */
#ifndef ORRERY_MPI_BUFFERING_H
#define ORRERY_MPI_BUFFERING_H

#include "mpi/core/matcher.h"
#include "mpi/core/pool.h"
#include "mpi/core/world.h"

typedef struct Line Line;
typedef struct Op Op;
typedef struct Rehearsal Rehearsal;
/* A send or receive of the rehearsal. */
struct Op {
    Rehearsal *rehearsal;
    Op *previous, *next; /* list of all operations, oldest first */
    Op *partner;         /* referenced; NULL before the match, and again when both have begun */
    Line *line;          /* the line whose step began it, and which waits for it */
    Line *prober;        /* the line whose probe waits for it to begin */
    Line *background;    /* the line of the collective whose end this operation is, or NULL */
    int refs;
    bool send, begun, done;
    MpiKey key;
    uint32_t to; /* world rank whose queue the operation meets */
    uint32_t pc;
    const char *name;
};

typedef enum StepKind { STEP_START, STEP_ALL, STEP_ANY, STEP_PROBE, STEP_BEGIN, STEP_END } StepKind;
enum { STEP_FEW = 2 }; /* MPI_Sendrecv and rounds of collectives wait for so many operations */
typedef struct Step {
    StepKind kind;
    uint32_t n, at; /* number of operations; those before `at` are complete */
    union {         /* the operations, referenced */
        Op *few[STEP_FEW];
        Op **many; /* if there are more */
    };
    MpiKey key; /* STEP_PROBE: the key of the probe */
    uint32_t pc;
    const char *name;
} Step;

typedef struct QueuedStep QueuedStep;
struct QueuedStep {
    QueuedStep *next; /* next of its line */
    Step step;
};

struct Line { /* the steps of a rank, or of a collective in the background */
    uint32_t rank;
    bool held;                /* of a collective in the background that has not begun */
    bool queued;              /* it is in the queue of lines that may go on */
    QueuedStep *first, *last; /* steps still to be done */
    GPtrArray *at_once;       /* Op, referenced: sends that the next wait must wait for, too */
    Line *next_ready;         /* the next line that may go on */
    uint32_t mark;            /* number of the walk that has passed the line, see tell_all() */
};

struct Rehearsal {
    MpiWorld *world;
    MpiPool ops;              /* of Op. Requests and messages have references to theirs in a note */
    MpiPool steps;            /* of QueuedStep */
    GHashTable *wholes;       /* request -> GPtrArray of the Ops of its parts; never iterated */
    Line **of_rank;           /* by rank; NULL: none yet */
    GHashTable *lines;        /* agent of a collective -> Line; never iterated */
    GPtrArray *all;           /* Line, in the order in which they were made */
    Line *ready, *ready_last; /* lines that may go on, in the order in which they were woken */
    Op *oldest, *newest;
    uint64_t kept; /* number of steps that wait, see MOST_STEPS */
    bool ended;
};

static inline Op *const *step_ops(const Step *step)
{
    return step->n <= STEP_FEW ? step->few : step->many;
}

/* Returns the step that the line has come to; NULL: there is none. */
static inline const Step *line_step(const Line *line)
{
    return line->first ? &line->first->step : NULL;
}

/* Ends the first step of the line. */
void mpi_buffering_line_pop(Rehearsal *rehearsal, Line *line);
/* The line may be able to go on. NULL: no line. */
void mpi_buffering_line_wake(Rehearsal *rehearsal, Line *line);
/* The operation is complete. */
void mpi_buffering_op_finish(Op *op);
/* Lets all lines go on that may be able to. */
void mpi_buffering_run_ready(Rehearsal *rehearsal);

/* The run is over and no line can go on. Lets receives and probes from any source take other messages than in the run.
 */
void mpi_buffering_choose_others(Rehearsal *rehearsal);
/* Adds a finding for each circle of lines that wait for each other. `finished`: the run came to its end; adds findings
 * for lines that wait for what nobody does, too. */
void mpi_buffering_tell_all(Rehearsal *rehearsal, bool finished);

#endif
