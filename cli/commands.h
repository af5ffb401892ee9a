/* commands.h - the sub-commands of `orrery`, from commands.def. For files that define a command, and for what is made
 * of all commands (help, completions, manual pages).
 */
#ifndef ORRERY_CLI_COMMANDS_H
#define ORRERY_CLI_COMMANDS_H

#include "cli/base/base.h"

typedef int (*CliFunction)(int argc, char **argv);
#define COMMAND(name, help)                                                                                            \
    int cli_##name(int argc, char **argv);                                                                             \
    extern const CliOption cli_##name##_options[];
#include "cli/commands.def"

#endif
