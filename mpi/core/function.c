/* function.c - what functions.def says about each function. The code of the functions is listed in mpi/functions.c. */
#include "mpi/core/function.h"
#include "mpi/core/call.h"

#include <assert.h>
#include <string.h>

#define MPI_SORT_LOCAL  true
#define MPI_SORT_GLOBAL false

static const MpiFunction rows[] = {
#define MPI_FUNCTION(name, sort, arguments, standard)                                                                  \
    {{"MPI_" #name, standard, MPI_SORT_##sort}, "PMPI_" #name, arguments},
#define MPI_EXTENSION(name, sort, arguments, origin)                                                                   \
    {{"MPIX_" #name, origin, MPI_SORT_##sort}, "PMPIX_" #name, arguments},
#include "mpi/functions.def"
};

const MpiFunction *mpi_function(uint32_t function)
{
    assert(function < G_N_ELEMENTS(rows));
    return &rows[function];
}

bool mpi_function_is_always_allowed(uint32_t function)
{
    const char *name = mpi_function(function)->info.name + strlen("MPI_");
    static const char *const names[] = {
        "Abort",       "Add_error_class", "Add_error_code",     "Add_error_string",    "Errhandler_free",
        "Error_class", "Error_string",    "Finalized",          "Get_library_version", "Get_version",
        "Initialized", "Pcontrol",        "Remove_error_class", "Remove_error_code",   "Remove_error_string",
        "Wtick",       "Wtime",
    };
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return g_str_has_prefix(name, "Info_") || g_str_has_prefix(name, "Session_") || g_str_has_prefix(name, "T_") ||
           g_str_has_suffix(name, "_c2f") || g_str_has_suffix(name, "_f2c");
}
