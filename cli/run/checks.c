/* checks.c - the option --check: which checks of mpi/checks.def are on.
 *
 *   --check             all             --check=leaks,lost           these, and the free ones, which are always on
 *   --check=no-races    all but one     --check=free,no-collectives  the free ones but one
 */
#include "base/nearest.h"
#include "cli/base/base.h"
#include "cli/run/run.h"
#include "mpi/mpi_world.h"

#include <string.h>

const char cli_check_choices[] = "all|free|memory"
#define MPI_CHECK(identifier, name, when, sort, help) "|" name
#include "mpi/checks.def"
    ;

#define ALWAYS "  (always)"
#define FREE   "  (on unless left out)"
#define ASKED  ""
const char cli_check_help[] =
    "look for bugs in the use of MPI and memory: all of them, or those of a list; no-NAME leaves one out\n"
    "        It changes no result; computing takes 5 to 15 times as long (\"memory\": heap, bounds, uninitialised), "
    "messages "
    "2 to 3.\n"
    "        What there is to look for:"
#define MPI_CHECK(identifier, name, when, sort, help) "\n          " name ": " help when
#include "mpi/checks.def"
    ;

/* Returns the number of the check with this name, or -1 with an error that suggests one. */
static int find_check(const char *name, GError **error)
{
    const char *names[MPI_CHECKS + 1] = {NULL};
    for (int check = 0; check < MPI_CHECKS; check++) {
        names[check] = mpi_check_row((MpiCheck)check)->name;
        if (strcmp(names[check], name) == 0)
            return check;
    }
    const char *near = base_nearest(name, names);
    g_autofree char *all = g_strjoinv(", ", (char **)names);
    if (near)
        g_set_error(error, CLI_ERROR, CLI_ERROR_USAGE, "--check: there is no check \"%s\"; did you mean \"%s\"?", name,
                    near);
    else
        g_set_error(error, CLI_ERROR, CLI_ERROR_USAGE, "--check: there is no check \"%s\"; there are all, free, %s",
                    name, all);
    return -1;
}

/* One name for all checks of memory. */
#define MEMORY "memory"
#define MEMORY_CHECKS                                                                                                  \
    (MPI_CHECK_BIT(MPI_CHECK_HEAP) | MPI_CHECK_BIT(MPI_CHECK_BOUNDS) | MPI_CHECK_BIT(MPI_CHECK_UNINITIALISED))

static bool leave_out(const char *name, uint32_t *checks, GError **error)
{
    if (strcmp(name, MEMORY) == 0) {
        *checks &= ~MEMORY_CHECKS;
        return true;
    }
    int check = find_check(name, error);
    if (check < 0)
        return false;
    if (mpi_check_row((MpiCheck)check)->when == MPI_WHEN_ALWAYS)
        return cli_error_usage(error, "--check=no-%s: what it finds are errors of MPI itself; it cannot be left out",
                               name);
    *checks &= ~MPI_CHECK_BIT(check);
    return true;
}

static bool take_name(const char *name, uint32_t *checks, GError **error)
{
    if (g_str_has_prefix(name, "no-"))
        return leave_out(name + strlen("no-"), checks, error);
    if (strcmp(name, "all") == 0 || strcmp(name, "free") == 0) {
        *checks |= strcmp(name, "all") == 0 ? mpi_checks_all() : mpi_checks_default();
        return true;
    }
    if (strcmp(name, MEMORY) == 0) {
        *checks |= MEMORY_CHECKS;
        return true;
    }
    int check = find_check(name, error);
    if (check >= 0)
        *checks |= MPI_CHECK_BIT(check);
    return check >= 0;
}

bool cli_check_parse(const char *list, uint32_t *checks, GError **error)
{
    *checks = mpi_checks_default();
    if (!list)
        return true;
    if (!*list || g_str_has_prefix(list, "no-"))
        *checks = mpi_checks_all();
    g_auto(GStrv) names = g_strsplit(list, ",", -1);
    for (char **name = names; *name; name++)
        if (!take_name(*name, checks, error))
            return false;
    return true;
}
