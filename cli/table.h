/* table.h - all sub-commands of `orrery` as one table, and what is made of it.
 *
 *   table.c     the table, and names that are not in it    cmd_help.c  `orrery help`
 *   complete.c  completions for shells                 manual.c    options in manual pages
 */
#ifndef ORRERY_CLI_TABLE_H
#define ORRERY_CLI_TABLE_H

#include "cli/commands.h"

typedef struct CliCommand {
    const char *name, *help;
    CliFunction function;
    const CliOption *options;
} CliCommand;
extern const CliCommand cli_table[]; /* ends with a NULL name */

/* NULL: there is no such command. */
const CliCommand *cli_table_find(const char *name);
/* Says that there is no such command, and which may have been meant; answers the exit status. */
int cli_table_refuse(const char *name);
/* What `orrery --help` prints. */
void cli_table_append_overview(GString *out);
/* Prints the completion script of a shell (complete.c). */
int cli_complete(int argc, char **argv);
/* Appends the options of a command as its manual page has them (manual.c); false: there is no such command. */
bool cli_manual_append_options(const char *name, GString *out);

#endif
