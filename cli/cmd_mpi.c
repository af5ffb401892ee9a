/* cmd_mpi.c - `orrery mpi --list`: the MPI functions that programs may call. */
#include "cli.h"

typedef struct MpiTarget {
    gboolean list;
} MpiTarget;

const CliOption cli_mpi_options[] = {
    {"list", 'l', CLI_FLAG, NULL, offsetof(MpiTarget, list), "print the table", "--list"}, {0}};

static const CliUsage mpi_usage = {
    .command = "mpi",
    .synopsis = "--list",
    .text =
        "Lists the MPI functions that Orrery has, the MPI standard that introduced each, and whether it is local or\n"
        "takes part in communication. A program that calls another one is refused when it is compiled.\n\n"
        "  orrery mpi --list",
    .options = cli_mpi_options,
};

static void append_table(GString *out)
{
    size_t n;
    const MpiFunctionInfo *functions = mpi_functions(&n);
    for (size_t i = 0; i < n; i++)
        g_string_append_printf(out, "%-28s MPI-%s  %s\n", functions[i].name, functions[i].standard,
                               functions[i].local ? "local" : "communicates");
    g_string_append_printf(out, "%zu functions; each also under its PMPI_ name\n", n);
}

int cli_mpi(int argc, char **argv)
{
    MpiTarget target = {0};
    g_autoptr(GError) error = NULL;
    bool done = false;
    if (!cli_parse(&mpi_usage, &target, &argc, argv, &done, &error))
        return cli_fail(error);
    if (done)
        return 0;
    GString *out = g_string_new(NULL);
    append_table(out);
    bool good = cli_print(out->str);
    g_string_free(out, TRUE);
    return good ? 0 : CLI_STATUS_USAGE;
}
