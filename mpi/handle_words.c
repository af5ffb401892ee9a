/* handle_words.c - what handles and constants of MPI stand for, for the debugger: it shows them by meaning. */
#include "mpi/check/check.h"
#include "mpi/comm/comm.h"
#include "mpi/core/call.h"
#include "mpi/core/handles.h"
#include "mpi/core/places.h"
#include "mpi/core/rank.h"
#include "mpi/core/world.h"
#include "mpi/file/file.h"
#include "mpi/p2p/p2p.h"
#include "mpi/rma/rma.h"
#include "mpi/type/envelope.h"
#include "mpi/type/type.h"

#include <string.h>

/* -- constants --------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    MpiHandle handle;
} predefined[] = {
#define MPI_PREDEFINED(kind, name, index) {#name, MPI_HANDLE(MPI_KIND_##kind, index)},
#include "mpi/handles.def"
#define MPI_PRIMITIVE(name, bytes, language) {#name, MPI_HANDLE(MPI_KIND_TYPE, MPI_PRIM_##name + 1)},
#include "mpi/type/primitives.def"
#undef MPI_PRIMITIVE
};

/* The types of handles in C, by kind. */
static const char *const handle_types[] = {
    [MPI_KIND_COMM] = "MPI_Comm",
    [MPI_KIND_GROUP] = "MPI_Group",
    [MPI_KIND_TYPE] = "MPI_Datatype",
    [MPI_KIND_OP] = "MPI_Op",
    [MPI_KIND_REQUEST] = "MPI_Request",
    [MPI_KIND_INFO] = "MPI_Info",
    [MPI_KIND_ERRHANDLER] = "MPI_Errhandler",
    [MPI_KIND_WIN] = "MPI_Win",
    [MPI_KIND_FILE] = "MPI_File",
    [MPI_KIND_MESSAGE] = "MPI_Message",
    [MPI_KIND_SESSION] = "MPI_Session",
};

static const struct {
    const char *name;
    int value;
} numbers[] = {{"ANY_SOURCE", MPI_ANY_SOURCE_},
               {"ANY_TAG", MPI_ANY_TAG_},
               {"PROC_NULL", MPI_PROC_NULL_},
               {"UNDEFINED", MPI_UNDEFINED_},
               {"SUCCESS", 0}};

char *mpi_handle_constant(const char *name)
{
    if (!g_str_has_prefix(name, "MPI_"))
        return NULL;
    for (size_t i = 0; i < G_N_ELEMENTS(numbers); i++)
        if (strcmp(numbers[i].name, name + 4) == 0)
            return g_strdup_printf("(%d)", numbers[i].value);
    for (size_t i = 0; i < G_N_ELEMENTS(predefined); i++)
        if (strcmp(predefined[i].name, name + 4) == 0)
            return g_strdup_printf("((%s)0x%" G_GINT64_MODIFIER "x)", handle_types[predefined[i].handle >> 32],
                                   predefined[i].handle);
    return NULL;
}

static const char *predefined_name(MpiHandle handle)
{
    for (size_t i = 0; i < G_N_ELEMENTS(predefined); i++)
        if (predefined[i].handle == handle)
            return predefined[i].name;
    return NULL;
}

/* -- datatypes as layouts ---------------------------------------------------------------------- */

static const struct {
    MpiCombiner combiner;
    const char *name;
} combiners[] = {
#define MPI_COMBINER(name, number) {MPI_COMBINER_##name##_, #name},
#include "mpi/type/combiners.def"
};

static const char *combiner_name(MpiCombiner combiner)
{
    for (size_t i = 0; i < G_N_ELEMENTS(combiners); i++)
        if (combiners[i].combiner == combiner)
            return combiners[i].name;
    return "?";
}

enum { DRAWN = 64 };

/* Draws the bytes of one item: a letter of its own for each piece of data, dots for gaps. */
static void draw_layout(const MpiType *type, GString *out)
{
    char cells[DRAWN + 1];
    uint64_t span = (uint64_t)MAX(type->extent, type->true_extent), unit = MAX((span + DRAWN - 1) / DRAWN, 1);
    uint64_t n = (span + unit - 1) / unit, turns = 1;
    memset(cells, '.', sizeof cells);
    for (uint32_t i = 0; i < type->n_loops; i++)
        turns *= type->loops[i].count;
    for (uint64_t turn = 0; turn < MIN(turns, 4096); turn++) {
        int64_t shift = 0;
        uint64_t rest = turn;
        for (uint32_t i = type->n_loops; i-- > 0; rest /= type->loops[i].count)
            shift += (int64_t)(rest % type->loops[i].count) * type->loops[i].stride;
        for (uint32_t b = 0; b < type->n_blocks; b++) {
            const MpiBlock *block = &type->blocks[b];
            int64_t at = block->offset + shift - MIN(type->lb, type->true_lb);
            uint64_t bytes = block->count * mpi_type_predefined(block->primitive)->size;
            for (uint64_t k = 0; at >= 0 && k < bytes && ((uint64_t)at + k) / unit < n; k++)
                cells[((uint64_t)at + k) / unit] = (char)('A' + b % 26);
        }
    }
    g_string_append_printf(out, "\n  |%.*s|", (int)n, cells);
    if (unit > 1)
        g_string_append_printf(out, " %" G_GUINT64_FORMAT " bytes a sign", unit);
    for (uint32_t b = 0; b < MIN(type->n_blocks, 26); b++)
        g_string_append_printf(out, "\n  %c  %" G_GUINT64_FORMAT " x %s at byte %" G_GINT64_FORMAT, 'A' + (int)b,
                               type->blocks[b].count, mpi_type_describe(mpi_type_predefined(type->blocks[b].primitive)),
                               type->blocks[b].offset);
    if (type->n_blocks > 26)
        g_string_append_printf(out, "\n  ... %u more", type->n_blocks - 26);
    for (uint32_t i = 0; i < type->n_loops; i++)
        g_string_append_printf(out, "\n  %" G_GUINT64_FORMAT " times, %" G_GINT64_FORMAT " bytes apart",
                               type->loops[i].count, type->loops[i].stride);
}

void mpi_handle_append_type(GString *out, const MpiType *type, bool whole)
{
    g_string_append(out, mpi_type_describe(type));
    if (type->envelope) {
        g_autofree char *how = g_ascii_strdown(combiner_name(type->envelope->combiner), -1);
        g_string_append_printf(out, ", %s", how);
        for (guint i = 0; type->envelope->types && i < MIN(type->envelope->types->len, 4); i++)
            g_string_append_printf(out, "%s%s", i ? ", " : " of ",
                                   mpi_type_describe(g_ptr_array_index(type->envelope->types, i)));
    }
    g_string_append_printf(out, ", %" G_GUINT64_FORMAT " bytes in %" G_GINT64_FORMAT, type->size, type->extent);
    if (!type->committed)
        g_string_append(out, ", not committed");
    if (whole)
        draw_layout(type, out);
}

/* -- handles ----------------------------------------------------------------------------------- */

static void append_comm(GString *out, const MpiComm *comm)
{
    mpi_append_comm(out, comm);
    g_string_append_printf(out, ", rank %u of %u", comm->rank, comm->group->size);
    if (comm->inter)
        g_string_append_printf(out, ", with %u on the other side", comm->inter->remote->size);
}

static void append_object(GString *out, MpiHandleKind kind, const void *object, bool whole)
{
    switch (kind) {
    case MPI_KIND_COMM: append_comm(out, object); break;
    case MPI_KIND_GROUP: g_string_append_printf(out, "a group of %u", ((const MpiGroup *)object)->size); break;
    case MPI_KIND_TYPE: mpi_handle_append_type(out, object, whole); break;
    case MPI_KIND_OP:
        g_string_append(out,
                        ((const MpiOp *)object)->name ? ((const MpiOp *)object)->name : "an operator of the program");
        break;
    case MPI_KIND_REQUEST: mpi_object_append_request(out, object); break;
    case MPI_KIND_WIN: mpi_window_append_state(out, object); break;
    case MPI_KIND_FILE: mpi_file_append_state(out, object); break;
    default: g_string_append(out, handle_types[kind] ? handle_types[kind] : "a handle");
    }
}

bool mpi_world_describe_handle(const MpiWorld *world, uint32_t index, uint64_t handle, bool whole, GString *out)
{
    uint64_t kind = handle >> 32;
    if (kind == 0 || kind >= G_N_ELEMENTS(handle_types) || !handle_types[kind])
        return false;
    const char *name = predefined_name(handle);
    if (name && kind == MPI_KIND_COMM && (uint32_t)handle == MPI_COMM_WORLD_INDEX &&
        !mpi_world_rank(world, index)->world_comm) {
        g_string_append(out, "MPI_COMM_WORLD");
        return true;
    }
    MpiRank *rank = mpi_world_rank(world, index);
    bool lazy = name && kind == MPI_KIND_COMM && (uint32_t)handle == MPI_COMM_SELF_INDEX;
    void *object = lazy ? NULL : mpi_handle_lookup(rank, (MpiHandleKind)kind, handle);
    if (name && (!object || (kind != MPI_KIND_COMM && !(whole && kind == MPI_KIND_TYPE)))) {
        g_string_append_printf(out, "MPI_%s", name);
        return true;
    }
    if (!object) {
        g_string_append_printf(out, "%s that has been freed, or never was", handle_types[kind]);
        return true;
    }
    append_object(out, (MpiHandleKind)kind, object, whole);
    return true;
}

/* -- communicators as sets of ranks ------------------------------------------------------------ */

bool mpi_world_comm_ranks(const MpiWorld *world, uint32_t index, uint64_t handle, GArray *ranks)
{
    MpiRank *rank = mpi_world_rank(world, index);
    if (handle == MPI_HANDLE(MPI_KIND_COMM, MPI_COMM_SELF_INDEX)) {
        g_array_append_val(ranks, index);
        return true;
    }
    if (handle == MPI_HANDLE(MPI_KIND_COMM, MPI_COMM_WORLD_INDEX) && !rank->world_comm)
        return false;
    const MpiComm *comm = handle >> 32 == MPI_KIND_COMM ? mpi_handle_lookup(rank, MPI_KIND_COMM, handle) : NULL;
    for (uint32_t i = 0; comm && i < comm->group->size; i++) {
        uint32_t member = mpi_group_world_rank(comm->group, i);
        g_array_append_val(ranks, member);
    }
    return comm;
}

uint64_t mpi_world_find_comm(const MpiWorld *world, uint32_t index, const char *name)
{
    MpiRank *rank = mpi_world_rank(world, index);
    for (uint32_t i = 0; i < rank->handles.count; i++) {
        const MpiHandleEntry *entry = &rank->handles.entries[i];
        const MpiComm *comm = entry->object;
        if (comm && entry->kind == MPI_KIND_COMM && comm->name && strcmp(comm->name, name) == 0)
            return comm->handle;
    }
    const char *plain = g_str_has_prefix(name, "MPI_") ? name + 4 : name;
    if (strcmp(plain, "COMM_WORLD") == 0)
        return MPI_HANDLE(MPI_KIND_COMM, MPI_COMM_WORLD_INDEX);
    return strcmp(plain, "COMM_SELF") == 0 ? MPI_HANDLE(MPI_KIND_COMM, MPI_COMM_SELF_INDEX) : 0;
}
