/* check_signatures.c - whether what is sent is what is received (MPI-3.1 section 3.3.1): the types of both sides.
 *
 * What matters of a datatype is its signature, the sequence of its basic types, however it was made; the receiver's may
 * be longer than the message. A signature is a hash that composes (type_map.h), so that of a million items of a type
 * costs twenty steps, and only different hashes make anybody look closer.
 *
 * What is free is always done: a message carries the number of its basic type, if it is of one, in a byte that was
 * padding. That check, "types", looks for what garbles data, an int received as a float; a message of bytes passes
 * as anything, since many programs do that. The other one, "signatures", is for --check: there the standard holds to
 * the letter: MPI_BYTE matches nothing but MPI_BYTE, signed nothing unsigned, MPI_LONG not MPI_LONG_LONG. MPI_PACKED
 * matches everything. */
#include "mpi/core/engine.h"
#include "mpi/type/envelope.h"
#include "mpi/type/type_map.h"

/* -- what a message was sent as ---------------------------------------------------------------- */

typedef struct Sent {
    MpiType *type; /* referenced */
    uint64_t count;
    const char *name; /* of the call */
} Sent;

static void sent_free(gpointer sent)
{
    mpi_type_unref(((Sent *)sent)->type);
    g_free(sent);
}

void mpi_signature_note(MpiCall *call, const MpiMessage *message, const MpiBuffer *buffer)
{
    GHashTable **table = &call->world->sent;
    if (!buffer->type)
        return;
    if (!*table)
        *table = g_hash_table_new_full(NULL, NULL, NULL, sent_free);
    Sent *sent = g_new(Sent, 1);
    *sent = (Sent){.type = mpi_type_ref(buffer->type), .count = buffer->count, .name = call->name};
    g_hash_table_insert(*table, (gpointer)message, sent);
}

static const Sent *sent_of(const MpiWorld *world, const MpiMessage *message)
{
    return world->sent ? g_hash_table_lookup(world->sent, message) : NULL;
}

void mpi_signature_forget(MpiWorld *world, const MpiMessage *message)
{
    g_hash_table_remove(world->sent, message);
}

/* -- comparing --------------------------------------------------------------------------------- */

static bool has_primitive(const MpiType *type, MpiPrimitive primitive)
{
    for (uint32_t i = 0; i < type->n_blocks; i++)
        if (type->blocks[i].primitive == primitive)
            return true;
    return false;
}

/* Types that may be received as what they are made of, or whose matching the standard leaves to the language. */
static bool is_open(const MpiType *type)
{
    return has_primitive(type, MPI_PRIM_PACKED) || mpi_type_is_f90(type);
}

bool mpi_signatures_match(const MpiType *a, const MpiType *b, uint64_t bytes)
{
    uint64_t n, m;
    if (a == b || is_open(a) || is_open(b))
        return true;
    uint64_t hash = mpi_type_signature(a, bytes, &n), other = mpi_type_signature(b, bytes, &m);
    return hash == other && n == m;
}

/* Number of the first primitive, from 0, that differs in the first `bytes` bytes. */
static uint64_t first_difference(const MpiType *a, const MpiType *b, uint64_t bytes)
{
    uint64_t low = 0, high = bytes + 1; /* the first `low` are the same, the first `high` are not */
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2, n, m;
        uint64_t here = mpi_type_element_bytes(a, middle), there = mpi_type_element_bytes(b, middle);
        bool same = here == there && here <= bytes &&
                    mpi_type_signature(a, here, &n) == mpi_type_signature(b, there, &m) && n == m;
        *(same ? &low : &high) = middle;
    }
    return low;
}

/* The name of primitive `number` of a row of items. */
static const char *primitive_at(const MpiType *type, uint64_t number)
{
    uint64_t turn = type->n_primitives;
    for (uint32_t i = 0; i < type->n_loops; i++)
        turn /= type->loops[i].count;
    number %= turn;
    for (uint32_t i = 0; i < type->n_blocks; i++) {
        if (number < type->blocks[i].count)
            return mpi_type_describe(mpi_type_predefined(type->blocks[i].primitive));
        number -= type->blocks[i].count;
    }
    g_assert_not_reached();
}

/* -- words ------------------------------------------------------------------------------------- */

void mpi_append_items(GString *out, const MpiType *type, uint64_t count, VmRank *process)
{
    g_string_append_printf(out, "%" G_GUINT64_FORMAT " ", count);
    if (!type) {
        g_string_append(out, count == 1 ? "byte" : "bytes");
        return;
    }
    g_string_append_printf(out, type->predefined || type->name ? "%s" : "of %s", mpi_type_describe(type));
    if (type->predefined)
        return;
    g_string_append(out, " (made at ");
    mpi_append_place(out, process, type->made_pc);
    g_string_append_c(out, ')');
}

void mpi_append_difference(GString *out, const MpiType *a, const MpiType *b, uint64_t bytes)
{
    uint64_t number = first_difference(a, b, bytes);
    const char *here = primitive_at(a, number), *there = primitive_at(b, number);
    g_string_append_printf(out, "; element %" G_GUINT64_FORMAT " is %s on one side and %s on the other", number, here,
                           there);
    if (g_str_equal(here, "MPI_BYTE") || g_str_equal(there, "MPI_BYTE"))
        g_string_append(out, ", but MPI_BYTE matches MPI_BYTE alone");
}

/* The function that is called at a place, where that can be seen. */
static const char *called_at(const VmRank *process, uint32_t pc)
{
    const VcodeModule *module = vm_image_module(vm_rank_image(process));
    if (pc == VCODE_NONE || vcode_op(module->code.items[pc]) != VCODE_CALLX)
        return NULL;
    return vcode_text(module, module->externs.items[vcode_imm32(module->code.items[pc])].name);
}

void mpi_append_call_at(GString *out, VmRank *process, const char *name, uint32_t pc)
{
    name = name ? name : called_at(process, pc);
    g_string_append_printf(out, "%s at ", name ? name : "the call");
    mpi_append_place(out, process, pc);
}

/* "rank 0 sends 4 MPI_INT (MPI_Send at a.c:7, tag 3)" */
static void append_sender(GString *out, const MpiWorld *world, const MpiMessage *message)
{
    const Sent *sent = sent_of(world, message);
    VmRank *process = mpi_world_rank(world, message->from)->process;
    const MpiType *type = sent                 ? sent->type
                          : message->primitive ? mpi_type_predefined((MpiPrimitive)(message->primitive - 1))
                                               : NULL;
    uint64_t count = sent ? sent->count : type ? message->bytes / type->size : message->bytes;
    g_string_append_printf(out, "rank %u sends ", message->from);
    mpi_append_items(out, type, count, process);
    g_string_append(out, " (");
    mpi_append_call_at(out, process, sent ? sent->name : NULL, message->sent_pc);
    g_string_append_printf(out, ", tag %d)", message->item.key.tag);
}

static void append_receiver(GString *out, const MpiRequest *request)
{
    VmRank *process = request->owner->process;
    g_string_append_printf(out, "rank %u receives ", request->owner->index);
    mpi_append_items(out, request->buffer.type, request->buffer.count, process);
    g_string_append(out, " (");
    mpi_append_call_at(out, process, request->made_by, request->made_pc);
    g_string_append_c(out, ')');
}

/* -- messages ---------------------------------------------------------------------------------- */

char *mpi_truncation_text(const MpiWorld *world, const MpiMessage *message, const MpiRequest *request)
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
    mpi_append_difference(out, sent, request->buffer.type, message->bytes);
    g_string_append(out, "; name the same basic types on both sides");
    mpi_call_stop(call, check, out->str);
}

/* What a number is in memory, whatever it is called. 0 bytes: anything. */
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

bool mpi_types_garble(const MpiType *sent, const MpiType *received)
{
    Kind a = kind_of(sent), b = kind_of(received);
    return a.bytes && b.bytes && (a.real != b.real || a.bytes != b.bytes);
}

void mpi_signature_compare(MpiCall *call, const MpiMessage *message, const MpiRequest *request)
{
    const Sent *sent = sent_of(call->world, message);
    const MpiType *received = request->buffer.type;
    uint64_t bytes = message->bytes;
    if (!bytes || !received || bytes > request->bytes) /* that is an error of its own */
        return;
    if (sent) {
        if (!mpi_signatures_match(sent->type, received, bytes))
            stop_for_types(call, MPI_CHECK_SIGNATURES, message, request, sent->type);
    } else if (message->primitive && received->predefined && mpi_check_is_on(call->world, MPI_CHECK_TYPES)) {
        const MpiType *type = mpi_type_predefined((MpiPrimitive)(message->primitive - 1));
        if (mpi_types_garble(type, received))
            stop_for_types(call, MPI_CHECK_TYPES, message, request, type);
    }
}
