/* execution.h - one execution of a program that is explored, for explorer.c. */
#ifndef ORRERY_MACHINE_EXPLORE_EXECUTION_H
#define ORRERY_MACHINE_EXPLORE_EXECUTION_H

#include "machine/machine.h"

typedef struct MachExecutionSetup {
    const MachConfig *config;
    const MachProgram *programs;
    size_t n_programs;
    MachOptions options;
    VcodeModule *(*program)(void *user, size_t i, GError **error);
    void *program_user;
    void (*input)(void *user, const char **bytes, size_t *size);
    void *input_user;
    void (*begin)(void *user, Machine *machine); /* it is about to run, NULL: nobody asks ... */
    void (*end)(void *user, Machine *machine);   /* ... and about to be freed */
    void *user;
    GHashTable *first; /* of the first execution: number << 32 | rank -> its choice in words; NULL: there was none */
} MachExecutionSetup;

typedef struct MachExecution {
    GArray *forced;
    MachStop stop;
    int status;
    uint64_t end_ps;
    bool interrupted;
    bool missed;        /* a choice could not be what it was forced to */
    char *failure;      /* what went wrong, in words that are the same wherever the same did; NULL: nothing */
    char *explanation;  /* of a failure, as mach_explain(), if it was not told to note choices */
    char *steps;        /* of a failure, the choices that the first execution makes otherwise */
    char *printed;      /* as it was printed */
    char *output;       /* the same, rank by rank */
    GPtrArray *remarks; /* char * */
    GArray *made;       /* MpiChoice, in the order in which they were made */
    GHashTable *words;  /* of the first execution: number << 32 | rank -> its choice in words */
    GPtrArray *next;    /* GArray of MpiChoice: for each alternative, what to force */
    GArray *points;     /* guint, for each: of which choice */
    GArray *places;     /* uint64_t, for each: the place of the poll that is to find nothing, or 0 */
    GArray *waiting;    /* uint64_t: places of loops that only wait by polling */
} MachExecution;

/* `note`: choices and alternatives are noted. NULL with an error if it could not begin. */
MachExecution *mach_execution_run(const MachExecutionSetup *setup, const GArray *forced, bool note, GError **error);
void mach_execution_free(MachExecution *execution);
/* Keeps what later executions are compared with. */
void mach_execution_first_take(MachExecutionSetup *setup, MachExecution *first);
void mach_execution_first_clear(MachExecutionSetup *setup);

#endif
