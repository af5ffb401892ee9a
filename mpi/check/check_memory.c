/* check_memory.c - under --check, compares the buffers of a call with the program's objects, and with the bytes that
 * were ever set.
 *
 * The VM knows which object an argument points into, and which bytes have a value. The extent of a buffer counts from
 * the first to the last byte of its data. The byte displacements of a struct or hindexed type may lead from one
 * variable to another, as in programs that build a type from addresses. So for types that contain such a type, only the
 * existence of memory is checked.
 */
#include "mpi/core/call.h"
#include "mpi/core/hooks.h"
#include "mpi/p2p/p2p.h"
#include "mpi/type/envelope.h"
#include "mpi/type/type.h"

enum { DEEPEST = 16 };

static bool leads_elsewhere(const MpiType *type, unsigned depth)
{
    switch (mpi_type_combiner(type)) {
    case MPI_COMBINER_STRUCT_:
    case MPI_COMBINER_STRUCT_INTEGER_:
    case MPI_COMBINER_HINDEXED_:
    case MPI_COMBINER_HINDEXED_INTEGER_:
    case MPI_COMBINER_HINDEXED_BLOCK_: return true;
    default: break;
    }
    const GPtrArray *types = type->envelope ? type->envelope->types : NULL;
    for (guint i = 0; types && i < types->len; i++)
        if (depth == 0 || leads_elsewhere(g_ptr_array_index(types, i), depth - 1))
            return true;
    return false;
}

/* Computes where the data of the buffer begin, and their extent. Returns false if that is not meaningful. */
static bool reach(const MpiBuffer *buffer, uint64_t *begin, uint64_t *span)
{
    int64_t first;
    const MpiType *type = buffer->type;
    *span = mpi_type_span(type, buffer->count, &first);
    *begin = buffer->address + (uint64_t)first;
    return *span && *span != UINT64_MAX && (type->predefined || !leads_elsewhere(type, DEEPEST));
}

/* Whether the part of the buffer that `bytes` of a message go to lies in one object. */
static bool has_place(MpiWorld *world, const MpiBuffer *buffer, uint64_t bytes)
{
    int64_t first;
    (void)world;
    const MpiType *type = buffer->type;
    if (!type || !type->size || (!type->predefined && leads_elsewhere(type, DEEPEST)))
        return true;
    uint64_t items = (bytes + type->size - 1) / type->size;
    uint64_t span = mpi_type_span(type, items, &first);
    if (type->contiguous)
        span = bytes;
    return !span || span == UINT64_MAX ||
           vm_check_may_access(buffer->process, UINT_MAX, buffer->address + (uint64_t)first, span, true);
}

static bool is_of_bytes(const MpiType *type)
{
    MpiPrimitive primitive = mpi_type_primitive(type);
    return primitive < MPI_PRIMITIVE_COUNT && mpi_type_predefined(primitive)->size == 1;
}

/* Finds the first bytes of the sent data that were never set. */
static bool find_undefined(MpiCall *call, uint64_t address, const MpiType *type, uint64_t count, uint64_t *at,
                           uint64_t *bytes)
{
    VmRank *process = call->process;
    int64_t first;
    uint64_t span = mpi_type_span(type, count, &first);
    if (type->contiguous && is_of_bytes(type)) /* these may be texts in longer arrays, or padding, so unset bytes at
                                                * the end are allowed */
        return vm_check_seek_block(process, address + (uint64_t)first, span, at, bytes) &&
               *at == address + (uint64_t)first;
    g_autofree void *scratch = type->contiguous ? NULL : g_try_malloc(type->size);
    vm_check_seek_undefined(process, true);
    if (type->contiguous)
        (void)vm_rank_read(process, address + (uint64_t)first, span);
    for (uint64_t i = 0; scratch && i < count && !vm_check_found_undefined(process, at, bytes); i++)
        if (!mpi_type_pack(type, 1, process, address + i * (uint64_t)type->extent, scratch))
            break;
    vm_check_seek_undefined(process, false);
    return vm_check_found_undefined(process, at, bytes);
}

/* `buffer` names the buffer; NULL: it is that of argument `arg`. */
static void tell_undefined(MpiCall *call, const char *buffer, unsigned arg, uint64_t address, const MpiType *type,
                           uint64_t count)
{
    uint64_t at, bytes;
    if (!vm_check_tracks_undefined(call->process) || !count || !type->size ||
        !find_undefined(call, address, type, count, &at, &bytes))
        return;
    char argument[40];
    g_snprintf(argument, sizeof argument, "argument %u, the buffer", arg + 1);
    g_autofree char *what = g_strdup_printf(
        "gives away %" G_GUINT64_FORMAT " byte%s that %s never set: %s, from byte %" G_GINT64_FORMAT " on", bytes,
        bytes == 1 ? "" : "s", bytes == 1 ? "was" : "were", buffer ? buffer : argument, (int64_t)(at - address));
    vm_check_note_undefined(call->process, at, what);
}

/* Whether the buffer lies in the object that the argument points into, and its data have been set if it is sent. */
static bool lies_in_object(MpiWorld *world, MpiCall *call, unsigned arg, const MpiBuffer *buffer, bool written,
                           bool later)
{
    uint64_t begin, span;
    (void)world;
    if (reach(buffer, &begin, &span) && !vm_check_may_access(call->process, arg, begin, span, written))
        return false;
    if (!written && !later)
        tell_undefined(call, NULL, arg, buffer->address, buffer->type, buffer->count);
    return true;
}

/* As lies_in_object(), for a receive buffer. Raises no fault, since the message may be shorter. */
static bool has_room(MpiWorld *world, MpiCall *call, unsigned arg, const MpiBuffer *buffer)
{
    uint64_t begin, span;
    (void)world;
    return !reach(buffer, &begin, &span) || vm_check_fits(call->process, arg, begin, span);
}

/* Checks the data of a persistent send when it is started. */
static bool note_start(MpiWorld *world, MpiCall *call, const MpiRequest *request, MpiStep *step)
{
    const MpiBuffer *buffer = &request->buffer;
    (void)world;
    (void)step;
    if (request->sort == MPI_REQUEST_SEND && buffer->type)
        tell_undefined(call, "the buffer of the request", 0, buffer->address, buffer->type, buffer->count);
    return true;
}

/* Adds the hooks always: the VM says whether these checks are on for a process, by watching it. */
static void begin(MpiWorld *world)
{
    mpi_hooks_add(world,
                  &(MpiHooks){.extent = lies_in_object, .room = has_room, .place = has_place, .start = note_start});
}

const MpiPart mpi_part_memory = {.begin = begin};
