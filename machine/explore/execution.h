/* execution.h - one execution of a program that is explored, for explorer.c. */
#ifndef ORRERY_MACHINE_EXPLORE_EXECUTION_H
#define ORRERY_MACHINE_EXPLORE_EXECUTION_H

#include "machine/machine.h"

/* What all executions of one exploration share. */
typedef struct MachExecutionSetup {
    const MachConfig *config;
    const MachProgram *programs;
    size_t n_programs;
    MachOptions options;
    VcodeModule *(*program)(void *user, size_t i, GError **error);
    void *program_user;
    void (*input)(void *user, const char **bytes, size_t *size);
    void *input_user;
    void (*begin)(void *user, Machine *machine); /* an execution is about to run; NULL: no callback */
    void (*end)(void *user, Machine *machine);   /* an execution is about to be freed; needs `begin`, too */
    void *user;
    GHashTable *first; /* choices of the first execution: number << 32 | rank -> the choice in words; NULL: there was
                          none yet */
} MachExecutionSetup;

typedef struct MachExecution {
    GArray *forced; /* MpiChoice: what was forced */
    MachStop stop;
    int status;
    uint64_t end_ps;
    bool interrupted;
    bool missed;        /* a choice could not be made as it was forced */
    char *failure;      /* what went wrong, in words that are equal for equal failures; NULL: nothing */
    char *explanation;  /* of a failure, from mach_explain(), unless choices were to be noted */
    char *steps;        /* of a failure: the choices that differ from the first execution */
    char *printed;      /* all output in the order of printing */
    char *output;       /* all output, rank by rank */
    GPtrArray *remarks; /* char *: remarks of the simulator */
    GArray *made;       /* MpiChoice, in the order in which they were made */
    GHashTable *words;  /* choices of the first execution: number << 32 | rank -> the choice in words */
    GPtrArray *next;    /* GArray of MpiChoice for each alternative: what to force */
    GArray *points;     /* guint for each alternative: index of its choice in `made` */
    GArray *places;     /* uint64_t for each alternative: location of the poll that is to find nothing, or 0 */
    GArray *waiting;    /* uint64_t: locations of loops that only wait by polling */
} MachExecution;

/* Runs one execution. `note` says whether choices and alternatives are recorded. Returns NULL with an error if it could
 * not begin. */
MachExecution *mach_execution_run(const MachExecutionSetup *setup, const GArray *forced, bool note, GError **error);
void mach_execution_free(MachExecution *execution);
/* Keeps the choices of the first execution, with which later ones are compared: moves `words` to the setup. */
void mach_execution_first_take(MachExecutionSetup *setup, MachExecution *first);
void mach_execution_first_clear(MachExecutionSetup *setup);

#endif
