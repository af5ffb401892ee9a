/* pack_calls.c - MPI_Pack, MPI_Unpack, MPI_Pack_size, and their forms with large counts and in the representation
 * "external32" (MPI-3.1 sections 4.2 and 4.3, MPI-4.0 5.2 and 5.3).
 *
 * All forms take the same path. They check the arguments, whose positions and widths differ from form to form, then
 * move the data in the form's representation. The native form is the data as they are in memory (pack.c); the external
 * form is converted on the way (external32.c).
 */
#include "mpi/comm/comm.h"
#include "mpi/core/call.h"
#include "mpi/core/handlers.h"
#include "mpi/core/world.h"
#include "mpi/type/external32.h"
#include "mpi/type/type.h"

#include <string.h>

/* Argument numbers of a form. In the external forms argument 1 is the name of the representation. */
typedef struct PackForm {
    bool external;
    bool wide_count;    /* counts are MPI_Count */
    unsigned pos_bytes; /* width of sizes and positions: 4 (int) or 8 (MPI_Aint, MPI_Count) */
    unsigned items, count, type, packed, size, position;
    int comm; /* -1: none */
} PackForm;

static const PackForm pack_form = {false, false, 4, 0, 1, 2, 3, 4, 5, 6};
static const PackForm pack_c_form = {false, true, 8, 0, 1, 2, 3, 4, 5, 6};
static const PackForm pack_external_form = {true, false, 8, 1, 2, 3, 4, 5, 6, -1};
static const PackForm pack_external_c_form = {true, true, 8, 1, 2, 3, 4, 5, 6, -1};
static const PackForm unpack_form = {false, false, 4, 3, 4, 5, 0, 1, 2, 6};
static const PackForm unpack_c_form = {false, true, 8, 3, 4, 5, 0, 1, 2, 6};
static const PackForm unpack_external_form = {true, false, 8, 4, 5, 6, 1, 2, 3, -1};
static const PackForm unpack_external_c_form = {true, true, 8, 4, 5, 6, 1, 2, 3, -1};

/* The values of the arguments: a buffer of `size` bytes, in which the position advances by `bytes`. */
typedef struct PackArguments {
    const PackForm *form;
    MpiComm *comm;
    MpiType *type;
    int64_t count, size, position;
    void *position_at; /* host address of the position */
    uint64_t bytes;
} PackArguments;

static int64_t number(const MpiCall *call, unsigned arg, unsigned bytes)
{
    return bytes == 8 ? (int64_t)call->args[arg] : mpi_int(call, arg);
}

static bool check_representation(MpiCall *call, MpiStep *step)
{
    const char *name = vm_rank_string(call->process, call->args[0]);
    if (name && !strcmp(name, "external32")) {
        return true;
    }
    *step = mpi_call_error(call, NULL, MPI_ERR_ARG,
                           "the data representation \"%s\" does not exist (argument 1); there is \"external32\"",
                           name ? name : "?");
    return false;
}

static bool check_count(MpiCall *call, PackArguments *a, unsigned arg, bool wide, MpiStep *step)
{
    a->count = number(call, arg, wide ? 8 : 4);
    if (a->count < 0) {
        *step = mpi_call_error(call, a->comm, MPI_ERR_COUNT, "the count %" G_GINT64_FORMAT " is negative (argument %u)",
                               a->count, arg + 1);
    }
    return a->count >= 0;
}

/* Checks the representation, communicator, count and type. */
static bool check_items(MpiCall *call, const PackForm *form, PackArguments *a, MpiStep *step)
{
    *a = (PackArguments){.form = form};
    return (!form->external || check_representation(call, step)) &&
           (form->comm < 0 || mpi_check_comm(call, (unsigned)form->comm, &a->comm, step)) &&
           check_count(call, a, form->count, form->wide_count, step) &&
           mpi_check_type_of(call, a->comm, form->type, !a->count, &a->type, step);
}

/* Computes the size of all items in the representation. Returns false on overflow. */
static bool packed_bytes(const PackArguments *a, uint64_t *bytes)
{
    uint64_t size = a->form->external ? mpi_external32_size(a->type) : a->type->size;
    return !__builtin_mul_overflow((uint64_t)a->count, size, bytes) && *bytes <= INT64_MAX;
}

static bool check_position(MpiCall *call, PackArguments *a, MpiStep *step)
{
    const PackForm *form = a->form;
    if (!mpi_check_output(call, a->comm, form->position, form->pos_bytes, &a->position_at, step)) {
        return false;
    }
    a->size = number(call, form->size, form->pos_bytes);
    a->position = form->pos_bytes == 8 ? *(const MpiInt64 *)a->position_at : *(const MpiInt32 *)a->position_at;
    if (a->size < 0 || a->position < 0 || a->position > a->size) {
        *step =
            mpi_call_error(call, a->comm, MPI_ERR_ARG,
                           "position %" G_GINT64_FORMAT
                           " (argument %u) is outside the packed buffer of %" G_GINT64_FORMAT " bytes (argument %u)",
                           a->position, form->position + 1, a->size, form->size + 1);
        return false;
    }
    if (!packed_bytes(a, &a->bytes) || a->bytes > (uint64_t)(a->size - a->position)) {
        *step = mpi_call_error(call, a->comm, MPI_ERR_ARG,
                               "%" G_GINT64_FORMAT " items of %s are %" G_GUINT64_FORMAT
                               " packed bytes, but only %" G_GINT64_FORMAT " of the %" G_GINT64_FORMAT
                               " bytes of the packed buffer (argument %u) are left after position "
                               "%" G_GINT64_FORMAT "; ask MPI_Pack%s_size how many to provide",
                               a->count, mpi_type_describe(a->type), a->bytes, a->size - a->position, a->size,
                               form->size + 1, a->position, form->external ? "_external" : "");
        return false;
    }
    return true;
}

/* Checks the part of the packed buffer that the call uses; the rest of it need not exist. */
static bool check_packed(MpiCall *call, const PackArguments *a, bool writable, char **packed, MpiStep *step)
{
    uint64_t address = call->args[a->form->packed] + (uint64_t)a->position;
    void *host = (void *)packed; /* any address will do for 0 bytes */
    if (a->bytes)
        host = writable ? vm_rank_write(call->process, address, a->bytes)
                        : (void *)vm_rank_read(call->process, address, a->bytes);
    *packed = host;
    return host ||
           (writable ? mpi_check_output(call, a->comm, a->form->packed, (uint64_t)a->size, &host, step)
                     : mpi_check_input(call, a->comm, a->form->packed, (uint64_t)a->size, (const void **)&host, step));
}

static MpiStep finish(MpiCall *call, const PackArguments *a)
{
    int64_t position = a->position + (int64_t)a->bytes;
    if (a->form->pos_bytes == 8) {
        *(MpiInt64 *)a->position_at = position;
    } else {
        *(MpiInt32 *)a->position_at = (int32_t)position;
    }
    mpi_call_charge(call, mpi_call_bytes_ps(a->bytes, call->world->params.copy_byte_fs));
    call->result = MPI_SUCCESS;
    return MPI_STEP_DONE;
}

static MpiStep bad_items(MpiCall *call, const PackArguments *a)
{
    unsigned arg = a->form->items;
    return mpi_call_error(call, a->comm, MPI_ERR_BUFFER,
                          "%" G_GINT64_FORMAT " items of %s at address 0x%" G_GINT64_MODIFIER
                          "x (argument %u) reach outside the memory of this process",
                          a->count, mpi_type_describe(a->type), call->args[arg], arg + 1);
}

/* Whether items and packed bytes do not overlap, so that memcpy() can be used. In a wrong program they may. */
static bool are_apart(const PackArguments *a, uint64_t items, uint64_t packed)
{
    int64_t first;
    uint64_t span = mpi_type_span(a->type, (uint64_t)a->count, &first);
    uint64_t start = items + (uint64_t)first;
    return start + span >= start && (start + span <= packed || packed + a->bytes <= start);
}

static MpiStep bad_value(MpiCall *call, const PackArguments *a, const char *what)
{
    return mpi_call_error(call, a->comm, MPI_ERR_CONVERSION, "a value of %s cannot be represented: %s (argument %u)",
                          mpi_type_describe(a->type), what, a->form->items + 1);
}

/* -- packing ----------------------------------------------------------------------------------- */

/* Packs natively first, then converts. The native bytes of one program fit into memory. */
static MpiStep pack_external(MpiCall *call, const PackArguments *a, char *packed)
{
    g_autofree char *native = g_malloc((uint64_t)a->count * a->type->size);
    if (!mpi_type_pack(a->type, (uint64_t)a->count, call->process, call->args[a->form->items], native)) {
        return bad_items(call, a);
    }
    const char *wrong = mpi_external32_encode(a->type, (uint64_t)a->count, native, packed);
    return wrong ? bad_value(call, a, wrong) : finish(call, a);
}

static MpiStep pack(MpiCall *call, const PackForm *form)
{
    PackArguments a;
    MpiStep step;
    char *packed;
    if (!check_items(call, form, &a, &step) || !check_position(call, &a, &step) ||
        !check_packed(call, &a, true, &packed, &step)) {
        return step;
    }
    if (form->external) {
        return pack_external(call, &a, packed);
    }
    bool apart = are_apart(&a, call->args[form->items], call->args[form->packed] + (uint64_t)a.position);
    g_autofree char *between = apart ? NULL : g_malloc(a.bytes);
    if (!mpi_type_pack(a.type, (uint64_t)a.count, call->process, call->args[form->items], apart ? packed : between)) {
        return bad_items(call, &a);
    }
    if (!apart) {
        memcpy(packed, between, a.bytes);
    }
    return finish(call, &a);
}

MPI_HANDLER(Pack, pack(call, &pack_form))
MPI_HANDLER(Pack_c, pack(call, &pack_c_form))
MPI_HANDLER(Pack_external, pack(call, &pack_external_form))
MPI_HANDLER(Pack_external_c, pack(call, &pack_external_c_form))

/* -- unpacking --------------------------------------------------------------------------------- */

static MpiStep unpack(MpiCall *call, const PackForm *form)
{
    PackArguments a;
    MpiStep step;
    char *packed;
    if (!check_items(call, form, &a, &step) || !check_position(call, &a, &step) ||
        !check_packed(call, &a, false, &packed, &step)) {
        return step;
    }
    uint64_t native_bytes = (uint64_t)a.count * a.type->size;
    const char *wrong = NULL;
    g_autofree char *between = NULL;
    if (form->external) {
        between = g_malloc(native_bytes);
        wrong = mpi_external32_decode(a.type, (uint64_t)a.count, packed, between);
    } else if (!are_apart(&a, call->args[form->items], call->args[form->packed] + (uint64_t)a.position)) {
        between = g_memdup2(packed, native_bytes);
    }
    if (wrong) {
        return bad_value(call, &a, wrong);
    }
    if (!mpi_type_unpack(a.type, (uint64_t)a.count, call->process, call->args[form->items], between ? between : packed,
                         native_bytes)) {
        return bad_items(call, &a);
    }
    return finish(call, &a);
}

MPI_HANDLER(Unpack, unpack(call, &unpack_form))
MPI_HANDLER(Unpack_c, unpack(call, &unpack_c_form))
MPI_HANDLER(Unpack_external, unpack(call, &unpack_external_form))
MPI_HANDLER(Unpack_external_c, unpack(call, &unpack_external_c_form))

/* -- sizes ------------------------------------------------------------------------------------- */

/* Computes the packed size, the last argument of the call. */
static MpiStep pack_size(MpiCall *call, bool external, bool wide)
{
    const PackForm form = {.external = external,
                           .wide_count = wide,
                           .pos_bytes = external || wide ? 8 : 4,
                           .count = external ? 1 : 0,
                           .type = external ? 2 : 1,
                           .position = 3,
                           .comm = external ? -1 : 2};
    PackArguments a;
    MpiStep step;
    void *result;
    if (!check_items(call, &form, &a, &step) ||
        !mpi_check_output(call, a.comm, form.position, form.pos_bytes, &result, &step)) {
        return step;
    }
    uint64_t bytes;
    bool fits = packed_bytes(&a, &bytes) && bytes <= (form.pos_bytes == 8 ? (uint64_t)INT64_MAX : (uint64_t)INT32_MAX);
    if (form.pos_bytes == 8) {
        *(MpiInt64 *)result = fits ? (int64_t)bytes : MPI_UNDEFINED_;
    } else {
        *(MpiInt32 *)result = fits ? (int32_t)bytes : MPI_UNDEFINED_;
    }
    call->result = MPI_SUCCESS;
    return MPI_STEP_DONE;
}

MPI_HANDLER(Pack_size, pack_size(call, false, false))
MPI_HANDLER(Pack_size_c, pack_size(call, false, true))
MPI_HANDLER(Pack_external_size, pack_size(call, true, false))
MPI_HANDLER(Pack_external_size_c, pack_size(call, true, true))
