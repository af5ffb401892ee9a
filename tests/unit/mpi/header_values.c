/* header_values.c - the constants of mpi.h as the library defines them. */
#include "header_values.h"

#include "mpi/file/file.h"
#include "mpi/type/type.h"

#include <stdlib.h>
#include <string.h>

#define VALUE(name)                                                                                                    \
    {                                                                                                                  \
#name, (uint64_t)(int64_t)(name##_)                                                                            \
    }

const HeaderValue header_values[] = {
#define MPI_PREDEFINED(kind, name, index) {"MPI_" #name, MPI_HANDLE(MPI_KIND_##kind, index)},
#include "mpi/handles.def"
#define MPI_PRIMITIVE(name, bytes, text) {"MPI_" #name, MPI_HANDLE(MPI_KIND_TYPE, MPI_PRIM_##name + 1)},
#include "mpi/type/primitives.def"
    VALUE(MPI_ANY_SOURCE),
    VALUE(MPI_PROC_NULL),
    VALUE(MPI_ROOT),
    VALUE(MPI_ANY_TAG),
    VALUE(MPI_UNDEFINED),
    VALUE(MPI_BSEND_OVERHEAD),
    VALUE(MPI_IDENT),
    VALUE(MPI_CONGRUENT),
    VALUE(MPI_SIMILAR),
    VALUE(MPI_UNEQUAL),
    VALUE(MPI_MODE_CREATE),
    VALUE(MPI_MODE_RDONLY),
    VALUE(MPI_MODE_WRONLY),
    VALUE(MPI_MODE_RDWR),
    VALUE(MPI_MODE_DELETE_ON_CLOSE),
    VALUE(MPI_MODE_UNIQUE_OPEN),
    VALUE(MPI_MODE_EXCL),
    VALUE(MPI_MODE_APPEND),
    VALUE(MPI_MODE_SEQUENTIAL),
    VALUE(MPI_SEEK_SET),
    VALUE(MPI_SEEK_CUR),
    VALUE(MPI_SEEK_END),
    VALUE(MPI_DISPLACEMENT_CURRENT),
    VALUE(MPI_MAX_DATAREP_STRING),
    VALUE(MPI_COMM_TYPE_SHARED),
    VALUE(MPI_COMM_TYPE_HW_GUIDED),
    VALUE(MPI_COMM_TYPE_HW_UNGUIDED),
    VALUE(MPI_COMM_TYPE_RESOURCE_GUIDED),
    VALUE(MPI_BOTTOM),
    VALUE(MPI_IN_PLACE),
    VALUE(MPI_BUFFER_AUTOMATIC),
    VALUE(MPI_STATUS_IGNORE),
    VALUE(MPI_STATUSES_IGNORE),
    VALUE(MPI_ORDER_C),
    VALUE(MPI_ORDER_FORTRAN),
    VALUE(MPI_GRAPH),
    VALUE(MPI_CART),
#define MPI_COMBINER(name, number) {"MPI_COMBINER_" #name, number},
#include "mpi/type/combiners.def"
    VALUE(MPI_DIST_GRAPH),
    VALUE(MPI_DISTRIBUTE_NONE),
    VALUE(MPI_DISTRIBUTE_BLOCK),
    VALUE(MPI_DISTRIBUTE_CYCLIC),
    VALUE(MPI_DISTRIBUTE_DFLT_DARG),
    VALUE(MPI_TYPECLASS_REAL),
    VALUE(MPI_TYPECLASS_INTEGER),
    VALUE(MPI_TYPECLASS_COMPLEX),
    VALUE(MPI_UNWEIGHTED),
    VALUE(MPI_WEIGHTS_EMPTY),
    VALUE(MPI_KEYVAL_INVALID),
    VALUE(MPI_TAG_UB),
    VALUE(MPI_HOST),
    VALUE(MPI_IO),
    VALUE(MPI_WTIME_IS_GLOBAL),
    VALUE(MPI_UNIVERSE_SIZE),
    VALUE(MPI_LASTUSEDCODE),
    VALUE(MPI_APPNUM),
    VALUE(MPI_MAX_OBJECT_NAME),
    VALUE(MPI_MAX_ERROR_STRING),
    VALUE(MPI_MAX_INFO_KEY),
    VALUE(MPI_MAX_INFO_VAL),
    {"sizeof MPI_Status", sizeof(MpiStatus)},
    {"MPI_SOURCE", offsetof(MpiStatus, source)},
    {"MPI_TAG", offsetof(MpiStatus, tag)},
    {"MPI_ERROR", offsetof(MpiStatus, error)},
    {"orrery_cancelled", offsetof(MpiStatus, cancelled)},
    {"orrery_bytes", offsetof(MpiStatus, bytes)},
};
const size_t n_header_values = G_N_ELEMENTS(header_values);

uint64_t header_value(const char *name)
{
    for (size_t i = 0; i < n_header_values; i++) {
        if (!strcmp(header_values[i].name, name)) {
            return header_values[i].value;
        }
    }
    abort();
}
