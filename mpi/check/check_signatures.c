/* check_signatures.c - compares the types of sender and receiver of a message (MPI-3.1 section 3.3.1).
 *
 * Only the signature of a datatype matters, the sequence of its basic types, however it was made. The receiver's may be
 * longer than the message. A signature is a hash that composes (type_map.h), so that of a million items of a type costs
 * twenty steps. Only if the hashes differ are the sequences compared in detail.
 *
 * The check "types" is always done, since it costs nothing: a message carries the number of its basic type, if it has a
 * single one, in a byte that was padding. It looks for types that garble data, such as an int received as a float. A
 * message of bytes passes as anything, since many programs do that. The check "signatures" is for --check and follows
 * the standard strictly: MPI_BYTE matches only MPI_BYTE, signed types match no unsigned ones, MPI_LONG does not match
 * MPI_LONG_LONG. MPI_PACKED matches everything. */
#include "mpi/check/check.h"
#include "mpi/core/call.h"
#include "mpi/core/findings.h"
#include "mpi/core/function.h"
#include "mpi/core/hooks.h"
#include "mpi/core/places.h"
#include "mpi/core/slots.h"
#include "mpi/core/world.h"
#include "mpi/p2p/p2p.h"
#include "mpi/type/type.h"

/* -- what a message was sent as ---------------------------------------------------------------- */

typedef struct Sent {
    uint64_t count;
    MpiType *type;    /* referenced; NULL: it is not in use */
    const char *name; /* name of the call */
} Sent;

static void sent_clear(void *item, void *user)
{
    Sent *sent = item;
    (void)user;
    if (sent->type)
        mpi_type_unref(sent->type);
    sent->type = NULL;
}

static void pool_free(void *data)
{
    MpiPool *pool = data;
    mpi_pool_each(pool, sent_clear, NULL);
    mpi_pool_clear(pool);
    g_free(pool);
}

static void note_sent(MpiWorld *world, MpiCall *call, MpiMessage *message, const MpiBuffer *buffer, MpiRequest *request)
{
    (void)request;
    if (!buffer->type)
        return;
    Sent *sent = mpi_pool_take(mpi_world_slot(world, MPI_SLOT_SENT));
    *sent = (Sent){.type = mpi_type_ref(buffer->type), .count = buffer->count, .name = call->name};
    message->notes[MPI_MESSAGE_NOTE_SENT] = sent;
}

/* What the message was sent as, in *plain if there is no note of it. Returns NULL if that is not known. */
static const Sent *sent_of(const MpiWorld *world, const MpiMessage *message, Sent *plain)
{
    if (!message->plain || !mpi_check_is_on(world, MPI_CHECK_SIGNATURES))
        return message->notes[MPI_MESSAGE_NOTE_SENT];
    MpiType *type = mpi_type_predefined((MpiPrimitive)(message->primitive - 1));
    *plain = (Sent){message->bytes / type->size, type, mpi_function(MPI_FUNCTION_Send)->info.name};
    return plain;
}

static void note_dropped(MpiWorld *world, MpiMessage *message)
{
    Sent *sent = message->notes[MPI_MESSAGE_NOTE_SENT];
    if (!sent)
        return;
    sent_clear(sent, NULL);
    mpi_pool_give(mpi_world_slot(world, MPI_SLOT_SENT), sent);
    message->notes[MPI_MESSAGE_NOTE_SENT] = NULL;
}

/* -- words ------------------------------------------------------------------------------------- */

/* Appends for example "rank 0 sends 4 MPI_INT (MPI_Send at a.c:7, tag 3)". */
static void append_sender(GString *out, const MpiWorld *world, const MpiMessage *message)
{
    Sent plain;
    const Sent *sent = sent_of(world, message, &plain);
    VmRank *process = mpi_world_rank(world, message->from)->process;
    const MpiType *type = sent                 ? sent->type
                          : message->primitive ? mpi_type_predefined((MpiPrimitive)(message->primitive - 1))
                                               : NULL;
    uint64_t count = sent ? sent->count : type ? message->bytes / type->size : message->bytes;
    g_string_append_printf(out, "rank %u sends ", message->from);
    mpi_append_type_items(out, type, count, process);
    g_string_append(out, " (");
    mpi_append_call_place(out, process, sent ? sent->name : NULL, message->sent_pc);
    g_string_append_printf(out, ", tag %d)", message->item.key.tag);
}

static void append_receiver(GString *out, const MpiRequest *request)
{
    VmRank *process = request->owner->process;
    g_string_append_printf(out, "rank %u receives ", request->owner->index);
    mpi_append_type_items(out, request->buffer.type, request->buffer.count, process);
    g_string_append(out, " (");
    mpi_append_call_place(out, process, request->made_by, request->made_pc);
    g_string_append_c(out, ')');
}

/* -- messages ---------------------------------------------------------------------------------- */

static char *truncation_text(MpiWorld *world, const MpiMessage *message, const MpiRequest *request)
{
    GString *out = g_string_new("the message is longer than the receive buffer: ");
    append_sender(out, world, message);
    g_string_append(out, ", ");
    append_receiver(out, request);
    g_string_append_printf(
        out, ": %" G_GUINT64_FORMAT " bytes for %" G_GUINT64_FORMAT "; make the buffer larger or send less",
        message->bytes, request->bytes);
    return g_string_free(out, FALSE);
}

static void stop_for_types(MpiCall *call, MpiCheck check, const MpiMessage *message, const MpiRequest *request,
                           const MpiType *sent)
{
    g_autoptr(GString) out = g_string_new("the types do not match: ");
    append_sender(out, call->world, message);
    g_string_append(out, ", but ");
    append_receiver(out, request);
    mpi_append_signature_difference(out, sent, request->buffer.type, message->bytes);
    g_string_append(out, "; name the same basic types on both sides");
    mpi_call_stop(call, check, out->str);
}

/* The representation of a number in memory, whatever its type is called. 0 bytes: any representation. */
typedef struct Kind {
    bool real;
    unsigned bytes;
} Kind;

static Kind kind_of(const MpiType *type)
{
    MpiPrimitive primitive = mpi_type_primitive(type);
    unsigned bytes = type->size > 1 && type->n_primitives == 1 ? (unsigned)type->size : 0;
    switch (primitive) {
    case MPI_PRIM_FLOAT:
    case MPI_PRIM_DOUBLE:
    case MPI_PRIM_LONG_DOUBLE:
    case MPI_PRIM_REAL:
    case MPI_PRIM_DOUBLE_PRECISION:
    case MPI_PRIM_REAL4:
    case MPI_PRIM_REAL8: return (Kind){true, bytes};
    case MPI_PRIM_C_COMPLEX:
    case MPI_PRIM_C_DOUBLE_COMPLEX:
    case MPI_PRIM_C_LONG_DOUBLE_COMPLEX:
    case MPI_PRIM_CXX_FLOAT_COMPLEX:
    case MPI_PRIM_CXX_DOUBLE_COMPLEX:
    case MPI_PRIM_CXX_LONG_DOUBLE_COMPLEX:
    case MPI_PRIM_COMPLEX:
    case MPI_PRIM_DOUBLE_COMPLEX:
    case MPI_PRIM_COMPLEX8:
    case MPI_PRIM_COMPLEX16: return (Kind){true, bytes / 2};
    default: return (Kind){false, bytes};
    }
}

bool mpi_signature_garbles(const MpiType *sent, const MpiType *received)
{
    Kind a = kind_of(sent), b = kind_of(received);
    return a.bytes && b.bytes && (a.real != b.real || a.bytes != b.bytes);
}

static void compare(MpiWorld *world, MpiCall *call, const MpiMessage *message, const MpiRequest *request)
{
    Sent plain;
    const Sent *sent = sent_of(world, message, &plain);
    const MpiType *received = request->buffer.type;
    uint64_t bytes = message->bytes;
    if (!bytes || !received || bytes > request->bytes) /* too long a message is an error of its own */
        return;
    if (sent) {
        if (!mpi_signatures_match(sent->type, received, bytes))
            stop_for_types(call, MPI_CHECK_SIGNATURES, message, request, sent->type);
    } else if (message->primitive && received->predefined && mpi_check_is_on(world, MPI_CHECK_TYPES)) {
        const MpiType *type = mpi_type_predefined((MpiPrimitive)(message->primitive - 1));
        if (mpi_signature_garbles(type, received))
            stop_for_types(call, MPI_CHECK_TYPES, message, request, type);
    }
}

/* -- partitioned messages ---------------------------------------------------------------------- */

/* Compares how the two sides of a partitioned message describe the same data. */
static bool compare_sides(MpiWorld *world, MpiCall *call, const MpiSide *mine, const MpiSide *theirs, MpiStep *step)
{
    uint64_t here = mine->items * mine->type->size, there = theirs->items * theirs->type->size;
    bool same = here == there, too_long = mine->receives ? there > here : here > there; /* too long a message is an
                                                                                         * error of its own */
    if (too_long || (same && mpi_signatures_match(theirs->type, mine->type, here)))
        return true;
    g_autoptr(GString) out = g_string_new("the two sides do not mean the same data: rank ");
    g_string_append_printf(out, "%u %s ", theirs->rank, theirs->receives ? "receives" : "sends");
    VmRank *process = mpi_world_rank(world, theirs->rank)->process;
    mpi_append_type_items(out, theirs->type, theirs->items, process);
    g_string_append(out, " (");
    mpi_append_call_place(out, process, NULL, theirs->pc);
    g_string_append_printf(out, "), but rank %u %s ", mine->rank, mine->receives ? "receives" : "sends");
    mpi_append_type_items(out, mine->type, mine->items, call->process);
    if (same)
        mpi_append_signature_difference(out, theirs->type, mine->type, here);
    g_string_append(out, "; partitions times count must be as many of the same basic types on both sides");
    *step = mpi_finding_stop(call, MPI_CHECK_SIGNATURES, "%s", out->str);
    return false;
}

/* -- the part ---------------------------------------------------------------------------------- */

static void begin(MpiWorld *world)
{
    mpi_hooks_add(world, &(MpiHooks){.truncation = truncation_text});
    if (mpi_check_is_on(world, MPI_CHECK_SIGNATURES)) {
        MpiPool *pool = g_new(MpiPool, 1);
        mpi_pool_init(pool, sizeof(Sent));
        mpi_world_set_slot(world, MPI_SLOT_SENT, pool, pool_free);
        mpi_hooks_add_short(/* where both sides are plain, their types are the same */
                            world, &(MpiHooks){.sent = note_sent,
                                               .received = compare,
                                               .dropped = note_dropped,
                                               .sides = compare_sides});
    } else if (mpi_check_is_on(world, MPI_CHECK_TYPES)) {
        mpi_hooks_add(world, &(MpiHooks){.mistyped = compare});
    }
}

const MpiPart mpi_part_signatures = {.begin = begin};
