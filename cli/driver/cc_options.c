/* cc_options.c - the help of `orrery cc`, from a table like that of all commands. */
#include "cli/commands.h"
#include "cli/driver/driver.h"

/* For --help and the shell completions only. All options and their actions are in options.def. */
const CliOption cli_cc_options[] = {
    {"", 'c', CLI_FLAG, NULL, 0, "compile, do not link", "-c"},
    {"", 'E', CLI_FLAG, NULL, 0, "preprocess only; with -dM, -P, -C as cpp", "-E"},
    {"", 'S', CLI_FLAG, NULL, 0, "compile to vCode as text", "-S"},
    {"", 'o', CLI_FILE, "FILE", 0, "name of the result", "-o hello"},
    {"", 'I', CLI_FOLDERS, "DIR", 0, "look for headers there too; also -iquote, -isystem, -idirafter", "-Iinclude"},
    {"", 'D', CLI_LIST, "NAME[=VALUE]", 0, "define a macro", "-DN=100"},
    {"", 'U', CLI_LIST, "NAME", 0, "take a macro away", "-UNDEBUG"},
    {"", 'M', CLI_TEXT, "[M|D|MD|F FILE|T NAME|P|G]", 0, "write rules for make, as cc does", "-MMD -MF hello.d"},
    {"", 'O', CLI_TEXT, "LEVEL", 0, "optimise: 0 to 3, s, g, fast", "-O2"},
    {"", 'g', CLI_FLAG, NULL, 0, "keep variables and types for the debugger; -g0: do not", "-g"},
    {"std", 0, CLI_CHOICE, "c89|c99|c11|c17|gnu89|gnu99|gnu11|gnu17", 0,
     "the language, with GNU's words or without; -ansi", "-std=c99"},
    {"", 'x', CLI_CHOICE, "c|cpp-output|c-header|none", 0, "what the files that follow are, whatever their names",
     "-x c -"},
    {"", 'l', CLI_TEXT, "NAME", 0, "link libNAME; m, c, pthread, mpi and the like are always there", "-lm"},
    {"", 'L', CLI_FOLDERS, "DIR", 0, "look for libraries there", "-Llib"},
    {"", 'r', CLI_FLAG, NULL, 0, "join objects to one", "-r -o both.o"},
    {"shared", 0, CLI_FLAG, NULL, 0, "make a library that is linked like an object", "-shared -o libpart.so"},
    {"", 'W', CLI_TEXT, "NAME", 0, "warnings: all, extra, error, NAME, no-NAME; --help=warnings lists them", "-Wall"},
    {"", 'f', CLI_TEXT, "NAME", 0,
     "how to compile: -fsyntax-only, -funsigned-char, -fopenmp ...; what is of no use here is accepted",
     "-fsyntax-only"},
    {"save-temps", 0, CLI_FLAG, NULL, 0, "keep what is between: NAME.i, NAME.s", "-save-temps"},
    {"", 'v', CLI_FLAG, NULL, 0, "say what is done; -###: only say it", "-v"},
    {"version", 0, CLI_FLAG, NULL, 0, "print the version; also -dumpversion, -print-search-dirs ...", "--version"},
    {0}};

void cli_driver_append_help(GString *out)
{
    g_string_append(
        out, "Usage: orrery cc [OPTION...] FILE...\n\n"
             "Compiles C files and links them with objects and archives like cc. The result runs by itself or under\n"
             "`orrery run`. Options of cc that make no difference here (-m..., -pipe, most -f...) are accepted; @FILE\n"
             "stands for the words in a file.\n\n"
             "  orrery cc -O2 -o hello hello.c\n  orrery run -n 4 ./hello\n\nOptions:\n");
    for (const CliOption *option = cli_cc_options; option->name; option++) {
        if (*option->name)
            g_string_append_printf(out, "  --%s%s%s", option->name, option->value ? "=" : "",
                                   option->value ? option->value : "");
        else
            g_string_append_printf(out, "  -%c%s%s", option->letter, option->value ? " " : "",
                                   option->value ? option->value : "");
        g_string_append_printf(out, "\n        %s\n        Example: %s\n", option->help, option->example);
    }
}
