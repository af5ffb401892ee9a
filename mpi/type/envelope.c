/* envelope.c - tells how a datatype was made: MPI_Type_get_envelope and MPI_Type_get_contents (MPI-3.1 section 4.1.13,
 * MPI-4.0 section 5.1.13).
 *
 * MPI_Type_get_contents returns copies of the types that the constructor was given, and the program frees them.
 * Predefined types are returned themselves. The functions without _c cannot describe types made by _c functions.
 */
#include "mpi/type/envelope.h"
#include "mpi/comm/comm.h"
#include "mpi/core/call.h"
#include "mpi/core/handlers.h"
#include "mpi/core/handles.h"
#include "mpi/type/type.h"
#include "mpi/type/type_map.h"

/* -- the object -------------------------------------------------------------------------------- */

MpiEnvelope *mpi_envelope_new(MpiCombiner combiner, bool wide)
{
    MpiEnvelope *envelope = g_new0(MpiEnvelope, 1);
    envelope->refs = 1;
    envelope->combiner = combiner;
    envelope->wide = wide;
    return envelope;
}

MpiEnvelope *mpi_envelope_ref(MpiEnvelope *envelope)
{
    if (envelope) {
        g_atomic_int_inc(&envelope->refs);
    }
    return envelope;
}

static void envelope_free(MpiEnvelope *envelope, GPtrArray *dying)
{
    for (unsigned i = 0; i < MPI_PARTS; i++) {
        g_clear_pointer(&envelope->numbers[i], g_array_unref);
    }
    for (guint i = 0; envelope->types && i < envelope->types->len; i++) {
        MpiType *type = envelope->types->pdata[i];
        if (!type->predefined && g_atomic_int_dec_and_test(&type->refs)) {
            g_ptr_array_add(dying, type);
        }
    }
    g_clear_pointer(&envelope->types, g_ptr_array_unref);
    g_free(envelope);
}

/* Types can be nested as deeply as a program likes. So this function frees them in a loop and not by recursion. */
void mpi_envelope_unref(MpiEnvelope *envelope)
{
    if (!envelope || !g_atomic_int_dec_and_test(&envelope->refs)) {
        return;
    }
    GPtrArray *dying = g_ptr_array_new();
    envelope_free(envelope, dying);
    while (dying->len) {
        MpiEnvelope *next = mpi_type_dispose(g_ptr_array_remove_index(dying, dying->len - 1));
        if (next && g_atomic_int_dec_and_test(&next->refs)) {
            envelope_free(next, dying);
        }
    }
    g_ptr_array_unref(dying);
}

static void add(MpiEnvelope *e, MpiEnvelopePart part, int64_t value)
{
    if (!e->numbers[part]) {
        e->numbers[part] = g_array_new(FALSE, FALSE, sizeof(int64_t));
    }
    g_array_append_val(e->numbers[part], value);
}

void mpi_envelope_int(MpiEnvelope *e, int64_t value)
{
    add(e, MPI_PART_INTEGERS, value);
}

void mpi_envelope_count(MpiEnvelope *e, int64_t value)
{
    add(e, e->wide ? MPI_PART_COUNTS : MPI_PART_INTEGERS, value);
}

void mpi_envelope_aint(MpiEnvelope *e, int64_t value)
{
    add(e, e->wide ? MPI_PART_COUNTS : MPI_PART_ADDRESSES, value);
}

void mpi_envelope_type(MpiEnvelope *e, MpiType *type)
{
    if (!e->types) {
        e->types = g_ptr_array_new();
    }
    g_ptr_array_add(e->types, mpi_type_ref(type));
}

MpiCombiner mpi_type_combiner(const MpiType *type)
{
    return type->envelope ? type->envelope->combiner : MPI_COMBINER_NAMED_;
}

bool mpi_type_is_f90(const MpiType *type)
{
    MpiCombiner combiner = mpi_type_combiner(type);
    return combiner == MPI_COMBINER_F90_REAL_ || combiner == MPI_COMBINER_F90_COMPLEX_ ||
           combiner == MPI_COMBINER_F90_INTEGER_;
}

/* -- MPI_Type_get_envelope --------------------------------------------------------------------- */

static MpiStep done(MpiCall *call)
{
    call->result = MPI_SUCCESS;
    return MPI_STEP_DONE;
}

/* Returns how many numbers a part of the envelope has; for part MPI_PARTS, how many types. */
static uint64_t part_length(const MpiType *type, unsigned part)
{
    const MpiEnvelope *e = type->envelope;
    if (!e) {
        return 0;
    }
    if (part == MPI_PARTS) {
        return e->types ? e->types->len : 0;
    }
    return e->numbers[part] ? e->numbers[part]->len : 0;
}

/* Checks that the type was not made with counts, for which the functions without _c have no room. */
static bool check_narrow(MpiCall *call, const MpiType *type, MpiStep *step)
{
    if (part_length(type, MPI_PART_COUNTS)) {
        *step = mpi_call_error(call, NULL, MPI_ERR_TYPE,
                               "the datatype was made with large counts (argument 1); use %s_c", call->name);
        return false;
    }
    return true;
}

static MpiStep get_envelope(MpiCall *call, bool wide)
{
    static const unsigned narrow_parts[] = {MPI_PART_INTEGERS, MPI_PART_ADDRESSES, MPI_PARTS};
    static const unsigned wide_parts[] = {MPI_PART_INTEGERS, MPI_PART_ADDRESSES, MPI_PART_COUNTS, MPI_PARTS};
    const unsigned *parts = wide ? wide_parts : narrow_parts, n = wide ? 4 : 3;
    void *results[4], *combiner;
    MpiType *type;
    MpiStep step;
    if (!mpi_check_any_type(call, 0, &type, &step) || (!wide && !check_narrow(call, type, &step))) {
        return step;
    }
    for (unsigned i = 0; i < n; i++) {
        if (!mpi_check_output(call, NULL, 1 + i, wide ? 8 : 4, &results[i], &step)) {
            return step;
        }
    }
    if (!mpi_check_output(call, NULL, 1 + n, sizeof(int32_t), &combiner, &step)) {
        return step;
    }
    for (unsigned i = 0; i < n; i++) {
        uint64_t length = part_length(type, parts[i]);
        if (wide) {
            *(MpiInt64 *)results[i] = (int64_t)length;
        } else {
            *(MpiInt32 *)results[i] = (int32_t)length;
        }
    }
    *(MpiInt32 *)combiner = mpi_type_combiner(type);
    return done(call);
}

MPI_HANDLER(Type_get_envelope, get_envelope(call, false))
MPI_HANDLER(Type_get_envelope_c, get_envelope(call, true))

/* -- MPI_Type_get_contents --------------------------------------------------------------------- */

/* Checks the argument for the size of a result array, and the array itself. */
static bool check_array(MpiCall *call, const MpiType *type, unsigned part, unsigned room_arg, unsigned arg, bool wide,
                        uint64_t width, void **array, MpiStep *step)
{
    uint64_t length = part_length(type, part);
    int64_t room = wide ? (int64_t)call->args[room_arg] : mpi_int(call, room_arg);
    if (room < 0 || (uint64_t)room < length) {
        *step = mpi_call_error(call, NULL, MPI_ERR_ARG,
                               "room for %" G_GINT64_FORMAT " values (argument %u), but there are %" G_GUINT64_FORMAT
                               "; ask MPI_Type_get_envelope",
                               room, room_arg + 1, length);
        return false;
    }
    *array = NULL;
    return !length || mpi_check_output(call, NULL, arg, length * width, array, step);
}

static void store_numbers(const MpiType *type, unsigned part, bool wide, void *array)
{
    for (uint64_t i = 0; i < part_length(type, part); i++) {
        int64_t value = g_array_index(type->envelope->numbers[part], int64_t, i);
        if (wide) {
            ((MpiInt64 *)array)[i] = value;
        } else {
            ((MpiInt32 *)array)[i] = (int32_t)value;
        }
    }
}

/* Returns a handle for the program: of a copy, or of the type itself if it is predefined or treated so. */
static MpiHandle hand_out(MpiCall *call, MpiType *old)
{
    if (old->predefined || mpi_type_is_f90(old)) {
        return old->handle;
    }
    MpiType *type = mpi_type_make_copy(old);
    type->envelope = mpi_envelope_ref(old->envelope);
    if (old->committed) {
        mpi_type_commit(type);
    }
    type->made_pc = call->pc;
    type->handle = mpi_handle_register(call, MPI_KIND_TYPE, type);
    return type->handle;
}

static MpiStep get_contents(MpiCall *call, bool wide)
{
    unsigned n = wide ? 4 : 3; /* sizes are arguments 2 .. n + 1, arrays n + 2 .. 2n + 1 */
    void *integers, *addresses, *counts = NULL, *types;
    MpiType *type;
    MpiStep step;
    if (!mpi_check_any_type(call, 0, &type, &step)) {
        return step;
    }
    if (!type->envelope) {
        return mpi_call_error(call, NULL, MPI_ERR_TYPE, "%s is predefined and has no contents (argument 1)",
                              mpi_type_describe(type));
    }
    if ((!wide && !check_narrow(call, type, &step)) ||
        !check_array(call, type, MPI_PART_INTEGERS, 1, n + 1, wide, 4, &integers, &step) ||
        !check_array(call, type, MPI_PART_ADDRESSES, 2, n + 2, wide, 8, &addresses, &step) ||
        (wide && !check_array(call, type, MPI_PART_COUNTS, 3, n + 3, wide, 8, &counts, &step)) ||
        !check_array(call, type, MPI_PARTS, n, 2 * n, wide, 8, &types, &step)) {
        return step;
    }
    store_numbers(type, MPI_PART_INTEGERS, false, integers);
    store_numbers(type, MPI_PART_ADDRESSES, true, addresses);
    store_numbers(type, MPI_PART_COUNTS, true, counts);
    for (uint64_t i = 0; types && i < part_length(type, MPI_PARTS); i++) {
        ((MpiWord *)types)[i] = hand_out(call, type->envelope->types->pdata[i]);
    }
    return done(call);
}

MPI_HANDLER(Type_get_contents, get_contents(call, false))
MPI_HANDLER(Type_get_contents_c, get_contents(call, true))
