/* explain_mpi.h - what functions of MPI do, for `orrery mpi --explain`. */
#ifndef ORRERY_CLI_COMMANDS_EXPLAIN_MPI_H
#define ORRERY_CLI_COMMANDS_EXPLAIN_MPI_H

#include <glib.h>
#include <stdbool.h>

/* Appends what the named functions do, with their prototypes and parameters. False with an error if one is unknown. */
bool cli_explain_mpi(GString *out, int n_names, char **names, GError **error);

#endif
