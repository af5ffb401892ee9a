/* count.c - checks counts against the objects that hold the data (-Wmpi-count).
 *
 * The count, the size of the datatype and the object behind the buffer must be known. Then the data must fit between
 * the pointer and the end of the object. The object is the whole variable, because a program may send several rows of a
 * matrix, or several members of a struct, at once. A collective moves `count` items to or from each rank; it is checked
 * for one rank, which surely exists.
 */
#include "compiler/check_mpi/unit.h"
#include "compiler/compiler.h"
#include "compiler/mpi_types/mpi_types.h"
#include "compiler/report/report.h"
#include "compiler/tree/tree.h"

#include <string.h>

/* Returns whether the count looks like sizeof a where the number of elements was meant. */
static bool in_bytes_by_mistake(const CcMpiMemory *memory, int64_t n, const CcMpiType *type)
{
    return type->extent > 1 && (uint64_t)n == memory->bytes && memory->offset == 0;
}

static void say_too_many(CcMpiUnit *mpi, const CcMpiCall *call, unsigned c, int64_t n, const CcMpiType *type,
                         const CcMpiMemory *memory, uint64_t needed)
{
    uint64_t room = type->extent && memory->bytes >= type->span ? (memory->bytes - type->span) / type->extent + 1 : 0;
    g_autofree char *what = type->predefined ? g_strdup_printf("MPI_%s", type->item->name) : g_strdup("its datatype");
    const char *name = cc_mpi_memory_name(mpi, memory);
    if (in_bytes_by_mistake(memory, n, type))
        cc_report(mpi->unit, CC_WARNING, call->expr->arguments[c]->loc, "-Wmpi-count",
                  "argument %u of '%s' counts bytes; the count is in items of %s, of which %s holds %" G_GUINT64_FORMAT,
                  c + 1, call->name, what, name, room);
    else
        cc_report(mpi->unit, CC_WARNING, call->expr->arguments[c]->loc, "-Wmpi-count",
                  "argument %u of '%s' is %" G_GINT64_FORMAT ": so many items of %s take %" G_GUINT64_FORMAT
                  " bytes, but %s has %" G_GUINT64_FORMAT "%s, room for %" G_GUINT64_FORMAT,
                  c + 1, call->name, n, what, needed, name, memory->bytes, memory->offset ? " from there" : "", room);
    cc_mpi_note_memory(mpi, memory);
}

/* Checks for int *a = malloc(n); followed by a count of n. Only n bytes were allocated, not n items. */
static void check_allocation(CcMpiUnit *mpi, const CcMpiCall *call, unsigned c, const CcMpiType *type,
                             const CcMpiMemory *memory)
{
    if (!memory->allocation || memory->allocation->n_arguments != 1 || memory->offset || !memory->exact ||
        type->extent <= 1 || !type->predefined || type->item->sort == CC_HOLDS_PAIR)
        return;
    const CcExpr *size = memory->allocation->arguments[0];
    if (!cc_mpi_same_value(mpi, size, call->expr->arguments[c]))
        return;
    cc_report(mpi->unit, CC_WARNING, call->expr->arguments[c]->loc, "-Wmpi-count",
              "%s has as many bytes as argument %u of '%s' counts items of MPI_%s; allocate that many times %u bytes",
              cc_mpi_memory_name(mpi, memory), c + 1, call->name, type->item->name, type->item->bytes);
    cc_mpi_note_memory(mpi, memory);
}

/* Returns whether the count is given in bytes: n * sizeof(double) as a count of MPI_DOUBLE. */
static bool counts_bytes(const CcMpiUnit *mpi, const CcExpr *count, const CcMpiType *type)
{
    const CcExpr *e = cc_tree_without_casts(count);
    if (e->kind != CC_MULTIPLY || !type->predefined || type->extent <= 1)
        return false;
    for (int side = 0; side < 2; side++) {
        const CcExpr *factor = cc_tree_without_casts(side ? e->right : e->left);
        const CcExpr *other = cc_tree_without_casts(side ? e->left : e->right);
        int64_t n;
        if (factor->kind == CC_NUMBER && factor->operation_type && factor->integer == type->bytes &&
            cc_is_arithmetic(factor->operation_type) && !cc_mpi_constant(mpi, other, &n) && other->kind == CC_VARIABLE)
            return true;
    }
    return false;
}

static void check_count(CcMpiUnit *mpi, const CcMpiCall *call, unsigned i)
{
    unsigned c = cc_mpi_find_role(call->function, COUNT, i), t = cc_mpi_find_role(call->function, TYPE, i);
    if (c >= t || t == CC_MPI_MAX_ROLES || g_hash_table_contains(mpi->warned, call->expr->arguments[i]))
        return;
    CcMpiMemory memory = cc_mpi_memory(mpi, call->expr->arguments[i]);
    CcMpiType type = cc_mpi_type(mpi, call->expr->arguments[t]);
    int64_t n;
    if (memory.constant || !type.item || !type.sized)
        return;
    if (!cc_mpi_constant(mpi, call->expr->arguments[c], &n)) {
        if (counts_bytes(mpi, call->expr->arguments[c], &type))
            cc_report(mpi->unit, CC_WARNING, call->expr->arguments[c]->loc, "-Wmpi-count",
                      "argument %u of '%s' counts bytes; the count is in items of MPI_%s", c + 1, call->name,
                      type.item->name);
        else
            check_allocation(mpi, call, c, &type, &memory);
        return;
    }
    uint64_t needed;
    if (n <= 0 || !memory.sized || __builtin_mul_overflow((uint64_t)n - 1, type.extent, &needed) ||
        __builtin_add_overflow(needed, type.span, &needed) || needed <= memory.bytes)
        return;
    say_too_many(mpi, call, c, n, &type, &memory, needed);
}

/* Checks that both sides of a gather, scatter or the like agree: each rank receives what each rank sends. */
static void check_both_sides(const CcMpiUnit *mpi, const CcMpiCall *call)
{
    unsigned c = cc_mpi_find_role(call->function, COUNT, 0), d = cc_mpi_find_role(call->function, COUNT, c + 1);
    unsigned s = cc_mpi_find_role(call->function, SEND, 0), r = cc_mpi_find_role(call->function, RECEIVE, 0);
    if (call->function->sort != COLLECTIVE || d >= CC_MPI_MAX_ROLES)
        return;
    CcExpr **arguments = call->expr->arguments;
    CcMpiType sent = cc_mpi_type(mpi, arguments[c + 1]), got = cc_mpi_type(mpi, arguments[d + 1]);
    int64_t n, m;
    if (!sent.sized || !got.sized || !sent.predefined || !got.predefined || cc_mpi_memory(mpi, arguments[s]).constant ||
        cc_mpi_memory(mpi, arguments[r]).constant || !cc_mpi_constant(mpi, arguments[c], &n) ||
        !cc_mpi_constant(mpi, arguments[d], &m) || n <= 0 || m <= 0 || sent.bytes != got.bytes || n == m)
        return;
    cc_report(mpi->unit, CC_WARNING, arguments[d]->loc, "-Wmpi-count",
              "'%s' sends %" G_GINT64_FORMAT " and receives %" G_GINT64_FORMAT
              " items per rank (arguments %u and %u); both counts are for one rank and must be equal",
              call->name, n, m, c + 1, d + 1);
}

/* Checks the lengths of arrays of requests and statuses. */
static void check_array(CcMpiUnit *mpi, const CcMpiCall *call, unsigned i)
{
    unsigned c = cc_mpi_find_role(call->function, LENGTH, 0);
    int64_t n;
    if (c >= i || !cc_mpi_constant(mpi, call->expr->arguments[c], &n) || n <= 0)
        return;
    CcMpiMemory memory = cc_mpi_memory(mpi, call->expr->arguments[i]);
    uint64_t size = memory.item ? memory.item->size : 0;
    if (!memory.sized || !size || !cc_is_scalar(memory.item) != (call->function->roles[i] == STATUSES) ||
        (uint64_t)n <= memory.bytes / size)
        return;
    cc_report(mpi->unit, CC_WARNING, call->expr->arguments[call->function->roles[i] == STATUSES ? i : c]->loc,
              "-Wmpi-count", "'%s' works on %" G_GINT64_FORMAT " %s, but %s holds %" G_GUINT64_FORMAT, call->name, n,
              call->function->roles[i] == STATUSES ? "statuses" : "requests", cc_mpi_memory_name(mpi, &memory),
              memory.bytes / size);
    cc_mpi_note_memory(mpi, &memory);
}

/* Checks memory whose size is given in bytes. */
static void check_raw(CcMpiUnit *mpi, const CcMpiCall *call, unsigned i)
{
    int64_t n;
    if (i + 1 >= CC_MPI_MAX_ROLES || call->function->roles[i + 1] != BYTES ||
        !cc_mpi_constant(mpi, call->expr->arguments[i + 1], &n) || n <= 0)
        return;
    CcMpiMemory memory = cc_mpi_memory(mpi, call->expr->arguments[i]);
    if (!memory.sized || (uint64_t)n <= memory.bytes)
        return;
    cc_report(mpi->unit, CC_WARNING, call->expr->arguments[i + 1]->loc, "-Wmpi-count",
              "argument %u of '%s' says %" G_GINT64_FORMAT " bytes, but %s has %" G_GUINT64_FORMAT, i + 2, call->name,
              n, cc_mpi_memory_name(mpi, &memory), memory.bytes);
    cc_mpi_note_memory(mpi, &memory);
}

void cc_mpi_check_counts(CcMpiUnit *mpi, const CcMpiCall *call)
{
    for (unsigned i = 0; i < CC_MPI_MAX_ROLES && call->function->roles[i] != NOTHING; i++) {
        switch (call->function->roles[i]) {
        case SEND:
        case RECEIVE:
        case BUFFER: check_count(mpi, call, i); break;
        case WAIT_REQUESTS:
        case START_REQUESTS:
        case STATUSES: check_array(mpi, call, i); break;
        case RAW: check_raw(mpi, call, i); break;
        default: break;
        }
    }
    check_both_sides(mpi, call);
}
