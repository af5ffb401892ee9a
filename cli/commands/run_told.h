/* run_told.h - `orrery run` for other commands. */
#ifndef ORRERY_CLI_RUN_TOLD_H
#define ORRERY_CLI_RUN_TOLD_H

#include "machine/machine.h"

/* Who wants to know how the run stopped, after the reason has been explained. */
typedef struct CliRunTold {
    void *user;
    void (*stopped)(void *user, Machine *machine, MachStop stop);
} CliRunTold;
/* Does what `orrery run` does with these arguments. Returns the exit status. */
int cli_run_told(int argc, char **argv, const CliRunTold *told);

#endif
