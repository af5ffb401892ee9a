/* functions.c - the tables of all MPI functions (functions.def, absent.def), and the handler of each. */
#include "mpi/functions.h"
#include "mpi/core/call.h"
#include "mpi/core/handlers.h"

#define MPI_SORT_LOCAL  true
#define MPI_SORT_GLOBAL false

const MpiHandler mpi_function_handlers[] = {
#define MPI_FUNCTION(name, sort, arguments, standard) mpi_do_##name,
#include "mpi/functions.def"
};

const MpiFunctionInfo *mpi_functions(size_t *count)
{
    static const MpiFunctionInfo infos[] = {
#define MPI_FUNCTION(name, sort, arguments, standard) {"MPI_" #name, standard, MPI_SORT_##sort},
#define MPI_EXTENSION(name, sort, arguments, origin)  {"MPIX_" #name, origin, MPI_SORT_##sort},
#include "mpi/functions.def"
    };
    *count = G_N_ELEMENTS(infos);
    return infos;
}

const VmExtern *mpi_functions_absent_externs(size_t *count)
{
    static const VmExtern externs[] = {
#define ABSENT_EXTERN(text, standard)                                                                                  \
    {.name = text,                                                                                                     \
     .function = vm_extern_refused,                                                                                    \
     .user = "Orrery does not have this function of MPI " standard "; `orrery mpi --list` shows those that it has"},
#define MPI_ABSENT(function, standard)                                                                                 \
    ABSENT_EXTERN("MPI_" #function, standard) ABSENT_EXTERN("PMPI_" #function, standard)
#include "mpi/absent.def"
    };
    *count = G_N_ELEMENTS(externs);
    return externs;
}

const MpiFunctionInfo *mpi_functions_absent(size_t *count)
{
    static const MpiFunctionInfo infos[] = {
#define MPI_ABSENT(name, standard) {"MPI_" #name, standard, false},
#include "mpi/absent.def"
    };
    *count = G_N_ELEMENTS(infos);
    return infos;
}
