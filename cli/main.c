/* main.c - `orrery COMMAND ...`: finds the sub-command in the table and calls it. */
#include "cli/base/base.h"
#include "cli/table.h"

#include <limits.h>
#include <locale.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

/* Freed memory is kept for the next use. A simulation takes and frees the same large blocks again and again, and pages
 * that are given back to the host must be filled with zeros each time. */
static void keep_memory(void)
{
    mallopt(M_MMAP_THRESHOLD, 16 << 20);
    mallopt(M_TRIM_THRESHOLD, INT_MAX);
    mallopt(M_TOP_PAD, 1 << 20);
}

int main(int argc, char **argv)
{
    keep_memory();
    setlocale(LC_ALL, "C.UTF-8");
    signal(SIGPIPE, SIG_IGN); /* a closed output becomes an error of write(), which is handled where it happens */
    signal(SIGXFSZ, SIG_IGN); /* and so does too large a file */
    if (argc < 2) {
        GString *out = g_string_new(NULL);
        cli_table_append_overview(out);
        fputs(out->str, stderr);
        g_string_free(out, TRUE);
        return CLI_STATUS_USAGE;
    }
    if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0)
        return cli_say_output("orrery " ORRERY_VERSION "\n") ? 0 : CLI_STATUS_USAGE;
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
        return cli_help(1, argv);
    if (strcmp(argv[1], "complete") == 0) /* the build runs this to get completion scripts */
        return cli_complete(argc - 1, argv + 1);
    const CliCommand *command = cli_table_find(argv[1]);
    return command ? command->function(argc - 1, argv + 1) : cli_table_refuse(argv[1]);
}
