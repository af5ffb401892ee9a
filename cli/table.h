/* table.h - all sub-commands of `orrery` as one table, and what is made of it.
 *
 *   table.c     the table, and names that are not in it    cmd_help.c  `orrery help`
 *   complete.c  completions for shells                 manual.c    parts of manual pages
 */
#ifndef ORRERY_CLI_TABLE_H
#define ORRERY_CLI_TABLE_H

#include "cli/commands.h"

typedef struct CliCommand {
    const char *name, *help;
    CliFunction function;
    const CliOption *options;
} CliCommand;
extern const CliCommand cli_table[]; /* ends with an element whose name is NULL */

/* Returns the command of a name, or NULL if there is none. */
const CliCommand *cli_table_find(const char *name);
/* Reports that there is no such command, with the one probably meant. Returns the exit status. */
int cli_table_refuse(const char *name);
/* Appends what `orrery --help` prints. */
void cli_table_append_overview(GString *out);
/* Appends what `orrery help environment` prints. */
void cli_table_append_environment(GString *out);
/* The environment variables that Orrery reads (environment.def). Ends with an element whose name is NULL. */
typedef struct CliVariable {
    const char *name, *help;
} CliVariable;
extern const CliVariable cli_table_variables[];
/* Prints the completion script of a shell (complete.c). */
int cli_complete(int argc, char **argv);
/* Appends a part of a manual page that is made from a table (manual.c): the "options" of a command, "commands" and
 * "environment" of "orrery", and others. Returns false if there is no such part. */
bool cli_manual_append(const char *name, const char *part, GString *out);

#endif
