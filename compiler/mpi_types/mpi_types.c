/* mpi_types.c - lookups in the table of MPI's predefined datatypes and operators (mpi_types.def). */
#include "compiler/mpi_types/mpi_types.h"

#include "compiler/tree/tree.h"

static const CcMpiItem items[] = {
#define CC_MPI_TYPE(name, sort, kind, bytes) {#name, CC_HOLDS_##sort, kind, bytes},
#include "compiler/mpi_types/mpi_types.def"
};

static const struct {
    const char *name, *types;
} operators[] = {
#define CC_MPI_OPERATOR(name, types) {#name, types},
#include "compiler/mpi_types/mpi_types.def"
};

const CcMpiItem *cc_mpi_item(int index)
{
    return index >= 1 && index <= (int)G_N_ELEMENTS(items) ? &items[index - 1] : NULL;
}

const char *cc_mpi_operator(int index, const char **types)
{
    if (index < 1 || index > (int)G_N_ELEMENTS(operators))
        return NULL;
    *types = operators[index - 1].types;
    return operators[index - 1].name;
}

const CcMpiItem *cc_mpi_item_for(const CcType *type)
{
    CcKind kind = cc_type_integer_of(type)->kind;
    CcMpiItemSort sort = CC_HOLDS_INTEGER;
    if (kind >= CC_CFLOAT && kind <= CC_CLDOUBLE)
        sort = CC_HOLDS_COMPLEX, kind = (CcKind)(kind - CC_CFLOAT + CC_FLOAT);
    else if (kind >= CC_FLOAT && kind <= CC_LDOUBLE)
        sort = CC_HOLDS_REAL;
    else if (kind == CC_BOOL)
        sort = CC_HOLDS_TRUTH;
    else if (kind <= CC_UCHAR)
        sort = CC_HOLDS_TEXT;
    for (size_t i = 0; i < G_N_ELEMENTS(items); i++)
        if (items[i].sort == sort && items[i].kind == kind)
            return &items[i];
    return NULL;
}
