/* arguments.c - checks for arguments that MPI refuses in every program: ranks, tags, communicators, operators, buffers
 * (-Wmpi-argument, -Wmpi-tag, -Wmpi-tag-range, -Wmpi-op, -Wmpi-alias, -Wmpi-status, -Wmpi-self).
 */
#include "compiler/check_mpi/unit.h"
#include "compiler/compiler.h"
#include "compiler/mpi_types/mpi_types.h"
#include "compiler/report/report.h"
#include "compiler/tree/tree.h"

#include <string.h>

enum { GREATEST_SURE_TAG = 32767 };

/* An argument of an MPI call. */
typedef struct Argument {
    CcMpiUnit *mpi;
    const CcMpiCall *call;
    unsigned index;
    const CcExpr *expr;
} Argument;

static bool constant(const Argument *a, int64_t *value)
{
    return cc_mpi_constant(a->mpi, a->expr, value);
}

static bool with_world(const Argument *a)
{
    unsigned comm = cc_mpi_find_role(a->call->function, COMM, 0);
    return comm < CC_MPI_MAX_ROLES && cc_mpi_comm(a->mpi, a->call->expr->arguments[comm]).index > 0;
}

/* -- ranks and tags ---------------------------------------------------------------------------- */

static void check_rank(const Argument *a, const char *what, bool any)
{
    int64_t rank;
    if (!constant(a, &rank) || rank >= 0 || rank == CC_MPI_PROC_NULL || (any && rank == CC_MPI_ANY_SOURCE))
        return;
    if (rank == CC_MPI_ANY_SOURCE)
        cc_report(a->mpi->unit, CC_WARNING, a->expr->loc, "-Wmpi-argument",
                  "argument %u of '%s' is MPI_ANY_SOURCE, but a message goes to one rank; name it", a->index + 1,
                  a->call->name);
    else
        cc_report(a->mpi->unit, CC_WARNING, a->expr->loc, "-Wmpi-argument",
                  "argument %u of '%s', the %s, is %" G_GINT64_FORMAT
                  "; ranks count from 0, and a neighbour that is not there is MPI_PROC_NULL",
                  a->index + 1, a->call->name, what, rank);
}

static void check_root(const Argument *a)
{
    int64_t root;
    if (!constant(a, &root) || root >= 0 || ((root == CC_MPI_PROC_NULL || root == CC_MPI_ROOT) && !with_world(a)))
        return;
    cc_report(a->mpi->unit, CC_WARNING, a->expr->loc, "-Wmpi-argument",
              "argument %u of '%s', the root, is %" G_GINT64_FORMAT "; it must be a rank, from 0", a->index + 1,
              a->call->name, root);
}

static void check_tag(const Argument *a, bool any)
{
    int64_t tag;
    if (!constant(a, &tag) || (any && tag == CC_MPI_ANY_TAG))
        return;
    if (tag > GREATEST_SURE_TAG)
        cc_report(a->mpi->unit, CC_WARNING, a->expr->loc, "-Wmpi-tag-range",
                  "argument %u of '%s' is the tag %" G_GINT64_FORMAT "; only tags up to %d work everywhere",
                  a->index + 1, a->call->name, tag, GREATEST_SURE_TAG);
    else if (tag == CC_MPI_ANY_SOURCE && any)
        cc_report(
            a->mpi->unit, CC_WARNING, a->expr->loc, "-Wmpi-tag",
            "argument %u of '%s', the tag, is MPI_ANY_SOURCE; source and tag are swapped, or MPI_ANY_TAG is meant",
            a->index + 1, a->call->name);
    else if (tag == CC_MPI_ANY_TAG)
        cc_report(a->mpi->unit, CC_WARNING, a->expr->loc, "-Wmpi-tag",
                  "argument %u of '%s' is MPI_ANY_TAG, but a message has one tag; give one from 0", a->index + 1,
                  a->call->name);
    else if (tag < 0)
        cc_report(a->mpi->unit, CC_WARNING, a->expr->loc, "-Wmpi-tag",
                  "argument %u of '%s', the tag, is %" G_GINT64_FORMAT "; tags count from 0%s", a->index + 1,
                  a->call->name, tag, any ? ", and MPI_ANY_TAG is any of them" : "");
}

/* Checks for a blocking send to the sender itself. Nobody receives the message before the call returns, unless MPI
 * buffers it. */
static void check_self(const Argument *a)
{
    static const char *const blocking[] = {"Send", "Ssend"};
    unsigned comm = cc_mpi_find_role(a->call->function, COMM, 0);
    const CcMpiVariable *rank = cc_mpi_variable(a->mpi, cc_tree_without_casts(a->expr));
    bool blocks =
        strcmp(a->call->function->name, blocking[0]) == 0 || strcmp(a->call->function->name, blocking[1]) == 0;
    if (!blocks || !rank || rank->set_as != RANK || rank->set_otherwise || comm == CC_MPI_MAX_ROLES)
        return;
    unsigned of = cc_mpi_find_role(rank->setter->function, COMM, 0);
    if (of == CC_MPI_MAX_ROLES || !cc_mpi_same_comm(cc_mpi_comm(a->mpi, a->call->expr->arguments[comm]),
                                                    cc_mpi_comm(a->mpi, rank->setter->expr->arguments[of])))
        return;
    cc_report(a->mpi->unit, CC_WARNING, a->expr->loc, "-Wmpi-self",
              "'%s' sends to its own rank and may wait for ever; use MPI_Sendrecv, or MPI_Isend", a->call->name);
}

/* -- handles, counts, buffers ------------------------------------------------------------------ */

static void check_comm(const Argument *a)
{
    const CcExpr *e = cc_mpi_followed(a->mpi, a->expr);
    if (e->type->kind == CC_POINTER && cc_mpi_is_type(e->type, "orrery_comm") && e->kind == CC_NUMBER &&
        cc_mpi_handle(e, CC_MPI_COMM) == 0)
        cc_report(a->mpi->unit, CC_WARNING, a->expr->loc, "-Wmpi-argument",
                  "argument %u of '%s' is MPI_COMM_NULL, which has no ranks", a->index + 1, a->call->name);
}

/* Returns whether the argument matters on every rank. One that matters only at the root, or is ignored beside
 * MPI_IN_PLACE, may be anything. */
static bool always_matters(const Argument *a)
{
    const CcMpiFunction *function = a->call->function;
    unsigned send = cc_mpi_find_role(function, SEND, 0);
    unsigned root = cc_mpi_find_role(function, ROOT, 0);
    if (function->sort == COLLECTIVE && root < CC_MPI_MAX_ROLES &&
        cc_mpi_find_role(function, BUFFER, 0) == CC_MPI_MAX_ROLES)
        return false;
    return send == CC_MPI_MAX_ROLES || !cc_mpi_memory(a->mpi, a->call->expr->arguments[send]).in_place;
}

static void check_count(const Argument *a)
{
    int64_t count;
    if (constant(a, &count) && count < 0 && always_matters(a))
        cc_report(a->mpi->unit, CC_WARNING, a->expr->loc, "-Wmpi-count",
                  "argument %u of '%s', the count, is %" G_GINT64_FORMAT, a->index + 1, a->call->name, count);
}

static bool other_end_is_null(const Argument *a)
{
    int64_t rank;
    CcMpiRole roles[] = {DESTINATION, SOURCE};
    for (int i = 0; i < 2; i++) {
        unsigned at = cc_mpi_find_role(a->call->function, roles[i], a->index);
        if (at < CC_MPI_MAX_ROLES &&
            (!cc_mpi_constant(a->mpi, a->call->expr->arguments[at], &rank) || rank == CC_MPI_PROC_NULL))
            return cc_mpi_constant(a->mpi, a->call->expr->arguments[at], &rank);
    }
    return false;
}

static void check_type(const Argument *a)
{
    unsigned c = cc_mpi_find_role(a->call->function, COUNT, 0);
    int64_t count;
    bool none = c < a->index && cc_mpi_constant(a->mpi, a->call->expr->arguments[c], &count) && count == 0;
    if (cc_mpi_handle(cc_mpi_followed(a->mpi, a->expr), CC_MPI_TYPE_HANDLE) == 0 && always_matters(a) && !none)
        cc_report(a->mpi->unit, CC_WARNING, a->expr->loc, "-Wmpi-argument",
                  "argument %u of '%s' is MPI_DATATYPE_NULL, which describes nothing", a->index + 1, a->call->name);
}

static void check_buffer(const Argument *a)
{
    unsigned c = cc_mpi_find_role(a->call->function, COUNT, a->index);
    unsigned t = cc_mpi_find_role(a->call->function, TYPE, a->index);
    CcMpiMemory memory = cc_mpi_memory(a->mpi, a->expr);
    CcMpiRole role = a->call->function->roles[a->index];
    int64_t count;
    if (memory.string && role != SEND)
        cc_report(a->mpi->unit, CC_WARNING, a->expr->loc, "-Wmpi-argument",
                  "argument %u of '%s' is a string literal, which cannot be written; pass an array", a->index + 1,
                  a->call->name);
    if (memory.in_place && a->call->function->sort != COLLECTIVE)
        cc_report(a->mpi->unit, CC_WARNING, a->expr->loc, "-Wmpi-argument",
                  "argument %u of '%s' is MPI_IN_PLACE, which is for collective calls only", a->index + 1,
                  a->call->name);
    if (!memory.is_null || c >= t || !cc_mpi_constant(a->mpi, a->call->expr->arguments[c], &count) || count <= 0 ||
        !cc_mpi_type(a->mpi, a->call->expr->arguments[t]).predefined || !always_matters(a) || other_end_is_null(a))
        return;
    cc_report(a->mpi->unit, CC_WARNING, a->expr->loc, "-Wmpi-argument",
              "argument %u of '%s' is a null pointer, but the count is %" G_GINT64_FORMAT, a->index + 1, a->call->name,
              count);
}

static void check_status(const Argument *a)
{
    const CcExpr *e = cc_tree_without_casts(a->expr);
    if (e->kind != CC_NUMBER || e->integer != 0)
        return;
    const char *none = a->call->function->roles[a->index] == STATUSES ? "MPI_STATUSES_IGNORE" : "MPI_STATUS_IGNORE";
    cc_report(a->mpi->unit, CC_WARNING, a->expr->loc, "-Wmpi-status",
              "argument %u of '%s' is a null pointer; pass a status, or %s", a->index + 1, a->call->name, none);
    cc_report_fix_word(a->mpi->unit, a->expr->loc, "NULL", none);
}

/* Checks a pointer to a handle. A program must not free or commit a null handle or a predefined one. */
static void check_old(const Argument *a, CcMpiHandle kind, const char *null)
{
    const CcExpr *e = cc_tree_without_casts(a->expr);
    if (e->kind != CC_ADDRESS)
        return;
    int index = cc_mpi_handle(cc_mpi_followed(a->mpi, e->left), kind);
    bool frees = g_str_has_suffix(a->call->function->name, "free");
    if (index == 0)
        cc_report(a->mpi->unit, CC_WARNING, a->expr->loc, "-Wmpi-argument", "argument %u of '%s' points to %s",
                  a->index + 1, a->call->name, null);
    else if (index > 0 && frees)
        cc_report(a->mpi->unit, CC_WARNING, a->expr->loc, "-Wmpi-argument",
                  "argument %u of '%s' points to a predefined handle, which cannot be freed", a->index + 1,
                  a->call->name);
}

/* -- reductions -------------------------------------------------------------------------------- */

static bool defined(const char *reduction, const CcMpiItem *item)
{
    bool integer = item->sort == CC_HOLDS_INTEGER || item->sort == CC_HOLDS_TEXT ||
                   (item->sort == CC_HOLDS_WORD && strcmp(item->name, "LOGICAL") != 0);
    bool truth = item->sort == CC_HOLDS_TRUTH || strcmp(item->name, "LOGICAL") == 0;
    switch (reduction[0]) {
    case 'M':
        if (g_str_has_suffix(reduction, "LOC"))
            return item->sort == CC_HOLDS_PAIR;
        return integer || item->sort == CC_HOLDS_REAL;
    case 'S':
    case 'P': return integer || item->sort == CC_HOLDS_REAL || item->sort == CC_HOLDS_COMPLEX;
    case 'L': return integer || truth;
    default: return integer || strcmp(item->name, "BYTE") == 0;
    }
}

static void check_operator(const Argument *a)
{
    unsigned t = cc_mpi_find_role(a->call->function, TYPE, 0);
    const char *types = NULL;
    int index = cc_mpi_handle(cc_mpi_followed(a->mpi, a->expr), CC_MPI_OP);
    const char *reduction = cc_mpi_operator(index, &types);
    CcMpiType type = cc_mpi_type(a->mpi, a->call->expr->arguments[t]);
    if (index == 0)
        cc_report(a->mpi->unit, CC_WARNING, a->expr->loc, "-Wmpi-op", "argument %u of '%s' is MPI_OP_NULL",
                  a->index + 1, a->call->name);
    if (!reduction || !type.item || type.item->sort == CC_HOLDS_MARKER)
        return;
    if (!type.predefined)
        cc_report(a->mpi->unit, CC_WARNING, a->expr->loc, "-Wmpi-op",
                  "MPI_%s (argument %u of '%s') works on predefined datatypes, not on one made of MPI_%s; make an "
                  "operator with MPI_Op_create",
                  reduction, a->index + 1, a->call->name, type.item->name);
    else if (!defined(reduction, type.item))
        cc_report(a->mpi->unit, CC_WARNING, a->expr->loc, "-Wmpi-op",
                  "MPI_%s (argument %u of '%s') is not defined on MPI_%s, but on %s", reduction, a->index + 1,
                  a->call->name, type.item->name, types);
}

/* Checks for a buffer that is both sent and received: MPI-3.1 sections 3.10 and 5.1. */
static void check_alias(CcMpiUnit *mpi, const CcMpiCall *call)
{
    unsigned s = cc_mpi_find_role(call->function, SEND, 0), r = cc_mpi_find_role(call->function, RECEIVE, 0);
    unsigned c = cc_mpi_find_role(call->function, COUNT, 0);
    int64_t count;
    if (s >= CC_MPI_MAX_ROLES || r >= CC_MPI_MAX_ROLES || cc_mpi_memory(mpi, call->expr->arguments[s]).constant ||
        !cc_mpi_same_expression(call->expr->arguments[s], call->expr->arguments[r]) ||
        (c < CC_MPI_MAX_ROLES && cc_mpi_constant(mpi, call->expr->arguments[c], &count) && count <= 0))
        return;
    const char *root = cc_mpi_find_role(call->function, ROOT, 0) < CC_MPI_MAX_ROLES ? " at the root" : "";
    if (call->function->sort == COLLECTIVE && strcmp(call->function->name, "Exscan") != 0)
        cc_report(
            mpi->unit, CC_WARNING, call->expr->arguments[r]->loc, "-Wmpi-alias",
            "'%s' sends and receives the same memory; pass MPI_IN_PLACE as argument %u%s instead, or another buffer",
            call->name, (strstr(call->function->name, "catter") && root[0] ? r : s) + 1, root);
    else
        cc_report(mpi->unit, CC_WARNING, call->expr->arguments[r]->loc, "-Wmpi-alias",
                  "'%s' sends and receives the same memory; use another buffer%s", call->name,
                  strcmp(call->function->name, "Sendrecv") == 0 ? ", or MPI_Sendrecv_replace" : "");
}

void cc_mpi_check_arguments(CcMpiUnit *mpi, const CcMpiCall *call)
{
    for (unsigned i = 0; i < CC_MPI_MAX_ROLES && call->function->roles[i] != NOTHING; i++) {
        Argument a = {mpi, call, i, call->expr->arguments[i]};
        switch (call->function->roles[i]) {
        case DESTINATION:
            check_rank(&a, "destination", false);
            check_self(&a);
            break;
        case SOURCE: check_rank(&a, "source", true); break;
        case ROOT: check_root(&a); break;
        case SEND_TAG: check_tag(&a, false); break;
        case RECEIVE_TAG: check_tag(&a, true); break;
        case COMM: check_comm(&a); break;
        case COUNT:
        case LENGTH: check_count(&a); break;
        case TYPE:
        case TYPE_ONLY: check_type(&a); break;
        case OLD_TYPE: check_old(&a, CC_MPI_TYPE_HANDLE, "MPI_DATATYPE_NULL"); break;
        case OLD_COMM: check_old(&a, CC_MPI_COMM, "MPI_COMM_NULL"); break;
        case SEND:
        case RECEIVE:
        case BUFFER: check_buffer(&a); break;
        case STATUS:
        case STATUSES: check_status(&a); break;
        case OPERATOR: check_operator(&a); break;
        default: break;
        }
    }
    check_alias(mpi, call);
}
