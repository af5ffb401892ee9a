/* type.c - checks a buffer's C type against its MPI_Datatype (-Wmpi-type, -Wmpi-sign, -Wmpi-fortran).
 *
 * MPI-3.1 sections 3.2.2 and 3.3.1: the datatype must be that of the items in the buffer. A warning is given only if
 * both are known. A void pointer, characters behind a pointer (memory for anything), MPI_BYTE and MPI_PACKED fit
 * everything. A struct is judged by its first members, because &s is also the address of the first of them.
 */
#include "compiler/check_mpi/unit.h"
#include "compiler/compiler.h"
#include "compiler/mpi_types/mpi_types.h"
#include "compiler/report/report.h"
#include "compiler/tree/tree.h"

#include <string.h>

/* Whether a C type fits a datatype. */
typedef enum Verdict {
    FITS,
    WRONG,
    WRONG_SIGN,
    TO_POINTERS /* the buffer holds pointers */
} Verdict;

/* -- does it fit? ------------------------------------------------------------------------------ */

static const CcType *first_scalar(const CcType *type)
{
    while (type->kind == CC_STRUCT || type->kind == CC_ARRAY) {
        if (type->kind == CC_STRUCT && (type->incomplete || type->tag->n_members == 0))
            return type;
        type = type->kind == CC_ARRAY ? type->target : type->tag->members[0].type;
    }
    return type;
}

static CcKind part_of_complex(const CcType *type)
{
    return cc_is_complex(type) ? (CcKind)(type->kind - CC_CFLOAT + CC_FLOAT) : type->kind;
}

static Verdict fit_integer(const CcMpiItem *item, const CcType *type)
{
    if (!cc_is_integer(type) || type->kind == CC_BOOL || type->size != item->bytes)
        return WRONG;
    if (item->sort == CC_HOLDS_WORD || type->kind == CC_ENUM)
        return FITS;
    bool is_signed = item->kind == CC_SHORT || item->kind == CC_INT || item->kind == CC_LONG || item->kind == CC_LLONG;
    return cc_type_is_signed(type) == is_signed ? FITS : WRONG_SIGN;
}

/* Checks a pair, as in struct { double value; int rank; }: the value comes first, and the index where C puts it. */
static Verdict fit_pair(const CcMpiItem *item, const CcType *type)
{
    CcType value = {.kind = item->kind};
    bool fortran = g_ascii_isdigit(item->name[0]) && strcmp(item->name, "2INT") != 0;
    if (cc_is_arithmetic(type)) /* an array whose items serve as value and as index */
        return cc_type_integer_of(type)->kind == item->kind && (fortran || item->kind == CC_INT) ? FITS : WRONG;
    if (type->kind != CC_STRUCT || type->incomplete || type->tag->n_members == 0)
        return WRONG;
    const CcMember *members = type->tag->members;
    if (members[0].type->kind == CC_ARRAY || cc_is_aggregate(members[0].type))
        return first_scalar(type)->kind == item->kind ? FITS : WRONG;
    if (type->tag->n_members < 2)
        return WRONG;
    const CcType *first = cc_type_integer_of(members[0].type), *second = cc_type_integer_of(members[1].type);
    if (cc_is_integer(&value) ? !cc_is_integer(first) || first->size != item->bytes / 2 : first->kind != item->kind)
        if (!(item->kind == CC_SHORT && first->kind == CC_SHORT))
            return WRONG;
    if (fortran)
        return second->kind == item->kind ? FITS : WRONG;
    return cc_is_integer(second) && second->size == 4 ? FITS : WRONG;
}

/* Bytes may be sent as characters if the count is a multiple of the item's size, or comes from sizeof. */
static Verdict fit_text(const CcMpiUnit *mpi, const CcType *type, const CcType *whole, const CcExpr *count)
{
    int64_t n;
    if (type->size == 1 || !count)
        return FITS;
    if (!cc_mpi_constant(mpi, count, &n))
        return count->kind == CC_CAST || cc_tree_without_casts(count)->kind != CC_VARIABLE ? FITS : WRONG;
    return whole->size == 0 || (n > 0 && (uint64_t)n % whole->size == 0) ? FITS : WRONG;
}

static Verdict fit(const CcMpiUnit *mpi, const CcMpiItem *item, const CcMpiMemory *memory, const CcExpr *count)
{
    const CcType *type = first_scalar(memory->item);
    if (item->sort == CC_HOLDS_PAIR && type->size != 1 && type->kind != CC_POINTER && type->kind != CC_UNION)
        return fit_pair(item, memory->item);
    if (type->kind == CC_POINTER)
        return item->bytes == 8 && (item->sort == CC_HOLDS_INTEGER || item->sort == CC_HOLDS_WORD) ? FITS : TO_POINTERS;
    if (!cc_is_arithmetic(type))
        return FITS;
    if (item->sort == CC_HOLDS_TEXT)
        return fit_text(mpi, type, memory->item, count);
    if (type->size == 1 && type->kind != CC_BOOL) { /* memory for anything, unless it was declared as text */
        bool text = type->kind == CC_CHAR && (memory->string || (memory->object && !memory->allocation));
        return text && item->sort != CC_HOLDS_TRUTH ? WRONG : FITS;
    }
    switch (item->sort) {
    case CC_HOLDS_INTEGER:
    case CC_HOLDS_WORD: return fit_integer(item, type);
    case CC_HOLDS_TRUTH: return type->kind == CC_BOOL ? FITS : WRONG;
    case CC_HOLDS_REAL:
    case CC_HOLDS_COMPLEX: return part_of_complex(type) == item->kind ? FITS : WRONG;
    default: return FITS;
    }
}

/* -- what to say ------------------------------------------------------------------------------- */

/* Offers the datatype `better` in place of `written`, for the last warning. */
static void offer(const CcMpiUnit *mpi, CcLoc loc, const CcMpiItem *written, const CcMpiItem *better)
{
    g_autofree char *old = g_strconcat("MPI_", written->name, NULL), *new = g_strconcat("MPI_", better->name, NULL);
    cc_report_fix_word(mpi->unit, loc, old, new);
}

static void say_pointers(const CcMpiUnit *mpi, const CcMpiCall *call, unsigned i, const CcMpiMemory *memory,
                         const char *described)
{
    const CcExpr *e = memory->expr;
    g_autofree char *type = cc_type_name(memory->item);
    const CcExpr *bare = cc_tree_without_casts(e);
    if (bare->kind == CC_ADDRESS && bare->left->kind == CC_VARIABLE && bare->left->type->kind == CC_POINTER)
        cc_report(
            mpi->unit, CC_WARNING, call->expr->arguments[i]->loc, "-Wmpi-type",
            "argument %u of '%s' is the address of the pointer '%s', not of the %s it points to; pass '%s' itself",
            i + 1, call->name, bare->left->symbol->name, described, bare->left->symbol->name);
    else if (memory->item->kind == CC_POINTER)
        cc_report(
            mpi->unit, CC_WARNING, call->expr->arguments[i]->loc, "-Wmpi-type",
            "argument %u of '%s' points to pointers ('%s'), not to %s; addresses mean nothing to another rank, so "
            "pass where the data are, in one piece",
            i + 1, call->name, type, described);
    else
        cc_report(mpi->unit, CC_WARNING, call->expr->arguments[i]->loc, "-Wmpi-type",
                  "argument %u of '%s' should point to %s, but '%s' starts with a pointer; addresses mean nothing to "
                  "another rank",
                  i + 1, call->name, described, type);
}

static void say_wrong(const CcMpiUnit *mpi, const CcMpiCall *call, unsigned t, const CcMpiType *type,
                      const CcMpiMemory *memory, Verdict verdict)
{
    g_autofree char *held = cc_type_name(memory->item);
    const char *option = verdict == WRONG_SIGN ? "-Wmpi-sign" : "-Wmpi-type";
    const CcMpiItem *better = cc_is_arithmetic(memory->item) ? cc_mpi_item_for(memory->item) : NULL;
    g_autofree char *advice = NULL;
    if (type->item->sort == CC_HOLDS_PAIR && memory->item->kind == CC_STRUCT)
        advice = g_strdup("; it needs a struct of a value and then an int");
    else if (!type->predefined)
        advice = g_strdup("");
    else if (better)
        advice = g_strdup_printf("; use MPI_%s", better->name);
    CcLoc loc = call->expr->arguments[t]->loc;
    if (type->predefined)
        cc_report(mpi->unit, CC_WARNING, loc, option, "argument %u of '%s' is MPI_%s but the buffer holds '%s'%s",
                  t + 1, call->name, type->item->name, held, advice ? advice : "");
    else
        cc_report(mpi->unit, CC_WARNING, loc, option,
                  "argument %u of '%s' is a datatype made of MPI_%s but the buffer holds '%s'%s", t + 1, call->name,
                  type->item->name, held, advice ? advice : "");
    if (type->predefined && better)
        offer(mpi, loc, type->item, better);
}

/* Checks for a datatype that this function makes and never commits (MPI-3.1 section 4.1.9). */
static void check_committed(const CcMpiUnit *mpi, const CcMpiCall *call, unsigned t)
{
    const CcExpr *type = cc_tree_without_casts(call->expr->arguments[t]);
    const CcMpiVariable *variable = type->kind == CC_VARIABLE ? cc_mpi_variable(mpi, type) : NULL;
    if (!variable || variable->set_as != NEW_TYPE || variable->writes != 1 || variable->escapes ||
        variable->committed || strcmp(variable->setter->function->name, "Type_dup") == 0)
        return;
    cc_report(mpi->unit, CC_WARNING, call->expr->arguments[t]->loc, "-Wmpi-type",
              "the datatype '%s' is not committed when '%s' uses it; call MPI_Type_commit(&%s) first",
              type->symbol->name, call->name, type->symbol->name);
    cc_report(mpi->unit, CC_NOTE, variable->setter->expr->loc, NULL, "it is made here");
}

/* Checks for a datatype of Fortran, such as MPI_INTEGER for an int. It is right here, but wrong where Fortran's INTEGER
 * has another size. */
static void check_language(const CcMpiUnit *mpi, const CcMpiCall *call, unsigned t, const CcMpiType *type,
                           const CcMpiMemory *memory)
{
    static const char *const names[] = {"INTEGER",  "REAL",     "DOUBLE_PRECISION", "LOGICAL",  "CHARACTER", "COMPLEX",
                                        "INTEGER1", "INTEGER2", "INTEGER4",         "INTEGER8", "REAL4",     "REAL8"};
    const CcMpiItem *own = cc_is_arithmetic(memory->item) ? cc_mpi_item_for(memory->item) : NULL;
    for (size_t i = 0; type->predefined && own && i < G_N_ELEMENTS(names); i++)
        if (strcmp(type->item->name, names[i]) == 0) {
            g_autofree char *held = cc_type_name(memory->item);
            cc_report(mpi->unit, CC_WARNING, call->expr->arguments[t]->loc, "-Wmpi-fortran",
                      "argument %u of '%s' is MPI_%s, a datatype of Fortran; C's for '%s' is MPI_%s", t + 1, call->name,
                      names[i], held, own->name);
            offer(mpi, call->expr->arguments[t]->loc, type->item, own);
        }
}

static void check_buffer(CcMpiUnit *mpi, const CcMpiCall *call, unsigned i)
{
    unsigned t = cc_mpi_find_role(call->function, TYPE, i), c = cc_mpi_find_role(call->function, COUNT, i);
    if (t == CC_MPI_MAX_ROLES)
        return;
    CcMpiType type = cc_mpi_type(mpi, call->expr->arguments[t]);
    CcMpiMemory memory = cc_mpi_memory(mpi, call->expr->arguments[i]);
    if (!type.item || !memory.item || type.item->sort == CC_HOLDS_BYTES || type.item->sort == CC_HOLDS_MARKER)
        return;
    int64_t n;
    const CcExpr *count = c < t ? call->expr->arguments[c] : NULL;
    if (count && cc_mpi_constant(mpi, count, &n) && n <= 0)
        return;
    Verdict verdict = fit(mpi, type.item, &memory, type.predefined ? count : NULL);
    if (verdict == FITS) {
        check_language(mpi, call, t, &type, &memory);
        return;
    }
    g_autofree char *described = g_strdup_printf("items of MPI_%s", type.item->name);
    if (verdict == TO_POINTERS)
        say_pointers(mpi, call, i, &memory, described);
    else
        say_wrong(mpi, call, t, &type, &memory, verdict);
    cc_mpi_note_memory(mpi, &memory);
    if (verdict != WRONG_SIGN)
        g_hash_table_add(mpi->warned, (gpointer)call->expr->arguments[i]);
}

/* Checks that a gather, scatter or the like receives the type that it sends: MPI-3.1 section 5.5. */
static void check_both_sides(const CcMpiUnit *mpi, const CcMpiCall *call)
{
    unsigned t = cc_mpi_find_role(call->function, TYPE, 0);
    unsigned u = t < CC_MPI_MAX_ROLES ? cc_mpi_find_role(call->function, TYPE, t + 1) : CC_MPI_MAX_ROLES;
    if (call->function->sort != COLLECTIVE || u == CC_MPI_MAX_ROLES)
        return;
    CcMpiType sent = cc_mpi_type(mpi, call->expr->arguments[t]), got = cc_mpi_type(mpi, call->expr->arguments[u]);
    unsigned s = cc_mpi_find_role(call->function, SEND, 0), r = cc_mpi_find_role(call->function, RECEIVE, 0);
    if (!sent.item || !got.item || sent.item == got.item || cc_mpi_memory(mpi, call->expr->arguments[s]).constant ||
        cc_mpi_memory(mpi, call->expr->arguments[r]).constant ||
        g_hash_table_contains(mpi->warned, call->expr->arguments[s]) ||
        g_hash_table_contains(mpi->warned, call->expr->arguments[r]))
        return;
    bool comparable = sent.item->sort == got.item->sort && sent.item->sort != CC_HOLDS_BYTES;
    bool different = comparable && (sent.item->sort == CC_HOLDS_TEXT || sent.item->bytes == got.item->bytes);
    if (sent.item->sort == CC_HOLDS_BYTES || got.item->sort == CC_HOLDS_BYTES || different)
        return;
    cc_report(
        mpi->unit, CC_WARNING, call->expr->arguments[u]->loc, "-Wmpi-type",
        "'%s' sends items of MPI_%s (argument %u) and receives them as MPI_%s (argument %u); the types must match",
        call->name, sent.item->name, t + 1, got.item->name, u + 1);
}

void cc_mpi_check_types(CcMpiUnit *mpi, const CcMpiCall *call)
{
    for (unsigned i = 0; i < CC_MPI_MAX_ROLES && call->function->roles[i] != NOTHING; i++) {
        CcMpiRole role = call->function->roles[i];
        if (role == SEND || role == RECEIVE || role == BUFFER)
            check_buffer(mpi, call, i);
        if (role == TYPE)
            check_committed(mpi, call, i);
    }
    check_both_sides(mpi, call);
}
