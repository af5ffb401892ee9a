/* signatures.c - type signatures: whether two are the same, and where they differ (MPI-3.1 section 3.3.1).
 *
 * Only the sequence of basic types in a datatype matters, however it was made, and one may be longer than the other. A
 * signature is a hash that composes (type_map.h), so that of a million items of a type costs twenty steps. Only if the
 * hashes differ are the sequences compared in detail. */
#include "mpi/core/places.h"
#include "mpi/type/type.h"

static bool has_primitive(const MpiType *type, MpiPrimitive primitive)
{
    for (uint32_t i = 0; i < type->n_blocks; i++)
        if (type->blocks[i].primitive == primitive)
            return true;
    return false;
}

/* Whether the type matches others than its own: MPI_PACKED, or a type whose matching is left to the language. */
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

/* Returns the index (from 0) of the first primitive that differs in the first `bytes` bytes. */
static uint64_t first_difference(const MpiType *a, const MpiType *b, uint64_t bytes)
{
    uint64_t low = 0, high = bytes + 1; /* the first `low` bytes are the same, the first `high` bytes are not */
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2, n, m;
        uint64_t here = mpi_type_element_bytes(a, middle), there = mpi_type_element_bytes(b, middle);
        bool same = here == there && here <= bytes &&
                    mpi_type_signature(a, here, &n) == mpi_type_signature(b, there, &m) && n == m;
        *(same ? &low : &high) = middle;
    }
    return low;
}

/* Returns the name of primitive `number` in a sequence of items. */
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

void mpi_append_type_items(GString *out, const MpiType *type, uint64_t count, VmRank *process)
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

void mpi_append_signature_difference(GString *out, const MpiType *a, const MpiType *b, uint64_t bytes)
{
    uint64_t number = first_difference(a, b, bytes);
    const char *here = primitive_at(a, number), *there = primitive_at(b, number);
    g_string_append_printf(out, "; element %" G_GUINT64_FORMAT " is %s on one side and %s on the other", number, here,
                           there);
    if (g_str_equal(here, "MPI_BYTE") || g_str_equal(there, "MPI_BYTE"))
        g_string_append(out, ", but MPI_BYTE matches MPI_BYTE alone");
}
