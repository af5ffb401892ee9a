/* fortran_types.c - finds predefined datatypes by size or precision: MPI_Type_match_size and MPI_Type_create_f90_...
 * (MPI-3.1 section 17.1.9), and pairs by their parts (MPI-4.1 section 6.9.4).
 *
 * The f90 types are treated as predefined: they are committed, cannot be freed, and reductions work on them. A rank
 * that asks again with the same arguments gets the same handle. There are few, so the rank's handle table is searched.
 */
#include "mpi/comm/comm.h"
#include "mpi/core/call.h"
#include "mpi/core/handlers.h"
#include "mpi/core/handles.h"
#include "mpi/core/rank.h"
#include "mpi/core/stores.h"
#include "mpi/type/envelope.h"
#include "mpi/type/type.h"
#include "mpi/type/type_map.h"

/* Fortran's kinds, smallest first, with the decimal digits and the decimal exponent range of each. */
typedef struct Kind {
    MpiCombiner combiner;
    int type_class;
    int size, digits, range;
    MpiPrimitive primitive;
} Kind;

static const Kind kinds[] = {
    {MPI_COMBINER_F90_INTEGER_, MPI_TYPECLASS_INTEGER_, 1, 0, 2, MPI_PRIM_INTEGER1},
    {MPI_COMBINER_F90_INTEGER_, MPI_TYPECLASS_INTEGER_, 2, 0, 4, MPI_PRIM_INTEGER2},
    {MPI_COMBINER_F90_INTEGER_, MPI_TYPECLASS_INTEGER_, 4, 0, 9, MPI_PRIM_INTEGER4},
    {MPI_COMBINER_F90_INTEGER_, MPI_TYPECLASS_INTEGER_, 8, 0, 18, MPI_PRIM_INTEGER8},
    {MPI_COMBINER_F90_REAL_, MPI_TYPECLASS_REAL_, 4, 6, 37, MPI_PRIM_REAL4},
    {MPI_COMBINER_F90_REAL_, MPI_TYPECLASS_REAL_, 8, 15, 307, MPI_PRIM_REAL8},
    {MPI_COMBINER_F90_COMPLEX_, MPI_TYPECLASS_COMPLEX_, 8, 6, 37, MPI_PRIM_COMPLEX8},
    {MPI_COMBINER_F90_COMPLEX_, MPI_TYPECLASS_COMPLEX_, 16, 15, 307, MPI_PRIM_COMPLEX16},
};

static MpiStep give_handle(MpiCall *call, unsigned arg, MpiHandle handle)
{
    MpiStep step;
    if (!mpi_check_result(call, arg, sizeof handle, &step)) {
        return step;
    }
    mpi_store_handle(call, call->args[arg], handle);
    call->result = MPI_SUCCESS;
    return MPI_STEP_DONE;
}

MpiStep mpi_do_Type_match_size(MpiCall *call)
{
    enum { CLASS, SIZE, RESULT };
    int type_class = mpi_int(call, CLASS), size = mpi_int(call, SIZE);
    if (type_class < MPI_TYPECLASS_REAL_ || type_class > MPI_TYPECLASS_COMPLEX_) {
        return mpi_call_error(call, NULL, MPI_ERR_ARG,
                              "class %d (argument 1) is not MPI_TYPECLASS_REAL, _INTEGER or _COMPLEX", type_class);
    }
    for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++) {
        if (kinds[i].type_class == type_class && kinds[i].size == size) {
            return give_handle(call, RESULT, mpi_type_predefined(kinds[i].primitive)->handle);
        }
    }
    return mpi_call_error(call, NULL, MPI_ERR_ARG, "no type of that class has %d bytes (argument 2)", size);
}

/* The result is MPI_DATATYPE_NULL if there is no such pair. */
MpiStep mpi_do_Type_get_value_index(MpiCall *call)
{
    enum { VALUE, INDEX, RESULT };
    static const struct {
        MpiPrimitive pair, value, index;
    } pairs[] = {
#define MPI_PAIR(pair, value, index, at) {MPI_PRIM_##pair, MPI_PRIM_##value, MPI_PRIM_##index},
#include "mpi/type/primitives.def"
    };
    MpiType *value, *index;
    MpiStep step;
    if (!mpi_check_any_type(call, VALUE, &value, &step) || !mpi_check_any_type(call, INDEX, &index, &step)) {
        return step;
    }
    for (size_t i = 0; value->predefined && index->predefined && i < G_N_ELEMENTS(pairs); i++) {
        if (mpi_type_primitive(value) == pairs[i].value && mpi_type_primitive(index) == pairs[i].index) {
            return give_handle(call, RESULT, mpi_type_predefined(pairs[i].pair)->handle);
        }
    }
    return give_handle(call, RESULT, MPI_HANDLE(MPI_KIND_TYPE, 0));
}

static bool same_numbers(const MpiEnvelope *a, const MpiEnvelope *b)
{
    const GArray *x = a->numbers[MPI_PART_INTEGERS], *y = b->numbers[MPI_PART_INTEGERS];
    for (guint i = 0; i < x->len; i++) {
        if (g_array_index(x, int64_t, i) != g_array_index(y, int64_t, i)) {
            return false;
        }
    }
    return true;
}

/* Returns the rank's type that was made by the same call, or NULL. */
static MpiType *find_made(const MpiRank *rank, const MpiEnvelope *envelope)
{
    for (uint32_t i = 0; i < rank->handles.count; i++) {
        const MpiHandleEntry *entry = &rank->handles.entries[i];
        MpiType *type = entry->object && entry->kind == MPI_KIND_TYPE ? entry->object : NULL;
        if (type && mpi_type_combiner(type) == envelope->combiner && same_numbers(type->envelope, envelope)) {
            return type;
        }
    }
    return NULL;
}

/* Gives an f90 type to the program at argument `arg`. Takes the envelope. */
static MpiStep give_f90(MpiCall *call, unsigned arg, MpiPrimitive primitive, MpiEnvelope *envelope)
{
    MpiType *type = find_made(call->rank, envelope);
    if (type) {
        mpi_envelope_unref(envelope);
        return give_handle(call, arg, type->handle);
    }
    type = mpi_type_make_copy(mpi_type_predefined(primitive));
    mpi_type_commit(type);
    return mpi_type_give(call, arg, type, envelope);
}

static MpiStep create(MpiCall *call, MpiCombiner combiner, unsigned n_numbers)
{
    int digits = n_numbers == 2 ? mpi_int(call, 0) : MPI_UNDEFINED_, range = mpi_int(call, n_numbers - 1);
    int need_digits = digits == MPI_UNDEFINED_ ? 0 : digits, need_range = range == MPI_UNDEFINED_ ? 0 : range;
    if (need_digits < 0 || need_range < 0 || (digits == MPI_UNDEFINED_ && range == MPI_UNDEFINED_)) {
        return mpi_call_error(call, NULL, MPI_ERR_ARG, "precision or range is not a number of digits from 0 up (%s%d)",
                              n_numbers == 2 ? "arguments 1 and 2; the second is " : "argument 1 is ", range);
    }
    for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++) {
        if (kinds[i].combiner == combiner && kinds[i].digits >= need_digits && kinds[i].range >= need_range) {
            MpiEnvelope *envelope = mpi_envelope_new(combiner, false);
            for (unsigned j = 0; j < n_numbers; j++) {
                mpi_envelope_int(envelope, mpi_int(call, j));
            }
            return give_f90(call, n_numbers, kinds[i].primitive, envelope);
        }
    }
    return mpi_call_error(call, NULL, MPI_ERR_ARG, "no Fortran kind here has %d digits and a range of 10^%d",
                          need_digits, need_range);
}

MPI_HANDLER(Type_create_f90_integer, create(call, MPI_COMBINER_F90_INTEGER_, 1))
MPI_HANDLER(Type_create_f90_real, create(call, MPI_COMBINER_F90_REAL_, 2))
MPI_HANDLER(Type_create_f90_complex, create(call, MPI_COMBINER_F90_COMPLEX_, 2))
