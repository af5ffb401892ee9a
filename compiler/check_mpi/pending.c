/* pending.c - checks accesses to buffers that a pending operation is using (-Wmpi-request).
 *
 * From MPI_Isend to MPI_Wait nobody may write the buffer, and from MPI_Irecv to MPI_Wait nobody may touch it (MPI-3.1
 * section 3.7.2). The check follows one list of statements: what comes after the call in the same block, and inside
 * those statements, up to the first mention of the request. It reports only accesses to the same object, at offsets
 * that the message certainly covers.
 */
#include "compiler/arena/arena.h"
#include "compiler/check_mpi/unit.h"
#include "compiler/compiler.h"
#include "compiler/report/report.h"
#include "compiler/tree/tree.h"

#include <string.h>

enum { MOST_PENDING = 16 };

/* A buffer that a pending operation uses. */
typedef struct Pending {
    const CcSymbol *request;
    int64_t element; /* element of an array of requests */
    const CcMpiCall *call;
    bool receives; /* the operation writes the buffer */
    CcMpiMemory memory;
    uint64_t covered; /* bytes from memory.offset; 0: only its first item, of any size */
} Pending;

typedef struct Flight {
    CcMpiUnit *mpi;
    Pending pending[MOST_PENDING];
    unsigned n;
    bool frees; /* the access being examined is a call of free() */
} Flight;

static void remove_pending(Flight *flight, unsigned i)
{
    flight->pending[i] = flight->pending[--flight->n];
}

/* -- accesses ---------------------------------------------------------------------------------- */

static bool covers(const Pending *pending, const CcMpiMemory *place, uint64_t size)
{
    uint64_t from = pending->memory.offset;
    bool whole = from == 0 && pending->memory.sized && pending->covered >= pending->memory.bytes;
    if (whole)
        return true;
    if (!place->exact || !pending->memory.exact)
        return false;
    return place->offset + size > from && place->offset < from + MAX(pending->covered, 1);
}

static void say(Flight *flight, unsigned i, const CcExpr *at, bool writes)
{
    const Pending *pending = &flight->pending[i];
    cc_report(flight->mpi->unit, CC_WARNING, at->loc, "-Wmpi-request",
              "%s is %s while '%s' is still %s it; wait for the request '%s' first",
              cc_mpi_memory_name(flight->mpi, &pending->memory),
              flight->frees ? "freed"
              : writes      ? "changed"
                            : "read",
              pending->call->name, pending->receives ? "receiving into" : "sending", pending->request->name);
    cc_report(flight->mpi->unit, CC_NOTE, pending->call->expr->loc, NULL, "'%s' starts here", pending->call->name);
    remove_pending(flight, i);
}

static void access_place(Flight *flight, const CcMpiMemory *place, uint64_t size, const CcExpr *at, bool writes)
{
    if (!place->object)
        return;
    for (unsigned i = 0; i < flight->n; i++) {
        const Pending *pending = &flight->pending[i];
        if (pending->memory.object != place->object || pending->memory.allocation != place->allocation ||
            (!writes && !pending->receives) || !covers(pending, place, size))
            continue;
        say(flight, i, at, writes);
        return;
    }
}

static void access_object(Flight *flight, const CcExpr *lvalue, bool writes)
{
    CcMpiMemory place = cc_mpi_place(flight->mpi, lvalue);
    access_place(flight, &place, MAX(lvalue->type->size, 1), lvalue, writes);
}

static void access_memory(Flight *flight, const CcExpr *pointer, bool writes)
{
    CcMpiMemory place = cc_mpi_memory(flight->mpi, pointer);
    access_place(flight, &place, 1, pointer, writes);
}

static void look(Flight *flight, const CcExpr *e, bool writes);

static bool reads_argument(const CcSymbol *callee, uint32_t i)
{
    const CcType *type = callee->type;
    if (i >= type->n_parameters)
        return strcmp(callee->name, "printf") == 0 || strcmp(callee->name, "fprintf") == 0;
    const CcType *parameter = type->parameters[i];
    return parameter->kind == CC_POINTER && parameter->target->kind == CC_CHAR &&
           (parameter->target->qualifiers & CC_CONST);
}

static void look_into_call(Flight *flight, const CcExpr *e)
{
    const CcMpiFunction *function = cc_mpi_called(flight->mpi, e);
    const CcSymbol *callee = cc_tree_callee(e);
    if (callee && strcmp(callee->name, "free") == 0 && e->n_arguments == 1) {
        flight->frees = true;
        access_memory(flight, e->arguments[0], true);
        flight->frees = false;
        return;
    }
    for (uint32_t i = 0; i < e->n_arguments; i++) {
        const CcExpr *argument = e->arguments[i];
        CcMpiRole role = function ? function->roles[i] : NOTHING;
        if (argument->type->kind != CC_POINTER)
            look(flight, argument, false);
        else if (role == SEND || (callee && !function && reads_argument(callee, i)))
            access_memory(flight, argument, false);
        else if (role == RECEIVE || (role == OUT && cc_tree_without_casts(argument)->kind == CC_ADDRESS))
            access_memory(flight, argument, true);
    }
}

/* Examines an access to an lvalue, and the expressions that reaching it evaluates. */
static void look_at_object(Flight *flight, const CcExpr *e, bool writes)
{
    if (e->type->kind != CC_ARRAY && e->type->kind != CC_FUNCTION)
        access_object(flight, e, writes);
    for (; e->kind == CC_MEMBER || e->kind == CC_DEREFERENCE || e->kind == CC_DECAY || e->kind == CC_ADD; e = e->left)
        if (e->kind == CC_ADD)
            look(flight, e->right, false);
}

static void look(Flight *flight, const CcExpr *e, bool writes)
{
    if (!e || flight->n == 0)
        return;
    switch (e->kind) {
    case CC_VARIABLE:
    case CC_MEMBER:
    case CC_DEREFERENCE: look_at_object(flight, e, writes); return;
    case CC_ADDRESS:
    case CC_DECAY: return; /* what becomes of the address is not known */
    case CC_CALL: look_into_call(flight, e); return;
    case CC_ASSIGN:
        look(flight, e->right, false);
        look(flight, e->left, true);
        return;
    case CC_ASSIGN_OP:
    case CC_PRE_INCREMENT:
    case CC_PRE_DECREMENT:
    case CC_POST_INCREMENT:
    case CC_POST_DECREMENT:
        look(flight, e->right, false);
        look(flight, e->left, true);
        return;
    case CC_STATEMENT_EXPR: return;
    default:
        look(flight, e->condition, false);
        look(flight, e->left, false);
        look(flight, e->right, false);
        return;
    }
}

/* -- requests ---------------------------------------------------------------------------------- */

/* Visitor: forgets the operations whose request the node mentions. */
static bool forget(const CcExpr *e, void *user)
{
    Flight *flight = user;
    if (e->kind == CC_VARIABLE)
        for (unsigned i = flight->n; i > 0; i--)
            if (flight->pending[i - 1].request == e->symbol)
                remove_pending(flight, i - 1);
    return flight->n > 0;
}

static bool out_of_sight(const CcMpiUnit *mpi, const CcSymbol *request)
{
    CcExpr name = {.kind = CC_VARIABLE, .symbol = (CcSymbol *)request};
    const CcMpiVariable *variable = cc_mpi_variable(mpi, &name);
    return !variable || variable->out_of_sight;
}

static void add_buffer(Flight *flight, const CcMpiCall *call, unsigned i, const CcSymbol *request, int64_t element)
{
    unsigned c = cc_mpi_find_role(call->function, COUNT, i), t = cc_mpi_find_role(call->function, TYPE, i);
    if (c >= t || t == CC_MPI_MAX_ROLES)
        return;
    Pending pending = {request, element, call, call->function->roles[i] == RECEIVE, {0}, 0};
    pending.memory = cc_mpi_memory(flight->mpi, call->expr->arguments[i]);
    CcMpiType type = cc_mpi_type(flight->mpi, call->expr->arguments[t]);
    int64_t count;
    bool counted = cc_mpi_constant(flight->mpi, call->expr->arguments[c], &count);
    if ((counted && count <= 0) || flight->n == MOST_PENDING)
        return;
    if (!type.item)
        pending.memory.object = NULL;
    bool other_end_known = false;
    int64_t rank;
    for (unsigned r = 0; r < CC_MPI_MAX_ROLES; r++)
        if (call->function->roles[r] == DESTINATION || call->function->roles[r] == SOURCE)
            other_end_known |=
                cc_mpi_constant(flight->mpi, call->expr->arguments[r], &rank) && rank == CC_MPI_PROC_NULL;
    if (other_end_known) /* MPI_PROC_NULL: there is no message */
        return;
    if (counted && type.sized && count < 1 << 30 && type.extent < 1 << 30)
        pending.covered = (uint64_t)(count - 1) * type.extent + type.span;
    if (type.sized && type.span != type.bytes) /* the program may use the gaps */
        pending.covered = 0;
    flight->pending[flight->n++] = pending;
}

/* Adds the buffers of a call that starts an operation, if its request can be followed. */
static void start(Flight *flight, const CcExpr *e, const CcMpiFunction *function, unsigned r)
{
    int64_t element;
    const CcExpr *argument = cc_tree_without_casts(e->arguments[r]);
    CcExpr whole = {.kind = CC_DEREFERENCE, .left = (CcExpr *)argument};
    const CcSymbol *request = cc_mpi_tracked(argument->kind == CC_ADDRESS ? argument->left : &whole, &element);
    if (!request || out_of_sight(flight->mpi, request))
        return;
    for (unsigned i = 0; i < flight->n; i++) {
        if (flight->pending[i].request != request || flight->pending[i].element != element || element < 0)
            continue;
        cc_report(flight->mpi->unit, CC_WARNING, e->arguments[r]->loc, "-Wmpi-request",
                  "the request '%s' is overwritten while it is pending; wait for it first, or use another one",
                  request->name);
        cc_report(flight->mpi->unit, CC_NOTE, flight->pending[i].call->expr->loc, NULL, "it was started here");
        remove_pending(flight, i);
        break;
    }
    CcMpiCall *call = CC_NEW(flight->mpi->unit->arena, CcMpiCall);
    *call = (CcMpiCall){function, cc_tree_callee(e)->name, e};
    for (unsigned i = 0; i < CC_MPI_MAX_ROLES; i++)
        if (function->roles[i] == SEND || function->roles[i] == RECEIVE || function->roles[i] == BUFFER)
            add_buffer(flight, call, i, request, element);
}

/* Returns the starting call if the statement is MPI_Isend(...); or result = MPI_Isend(...); and sets *request to the
 * position of its request. */
static const CcExpr *starting_call(const Flight *flight, const CcStmt *s, unsigned *request)
{
    const CcExpr *e = s->kind == CC_EXPRESSION && s->expr ? cc_tree_without_casts(s->expr) : NULL;
    if (e && e->kind == CC_ASSIGN)
        e = cc_tree_without_casts(e->right);
    const CcMpiFunction *function = e ? cc_mpi_called(flight->mpi, e) : NULL;
    *request = function ? cc_mpi_find_role(function, NEW_REQUEST, 0) : CC_MPI_MAX_ROLES;
    return *request < CC_MPI_MAX_ROLES ? e : NULL;
}

static void look_everywhere(Flight *flight, const CcStmt *s)
{
    for (; s && flight->n > 0; s = s->next) {
        if (s->kind == CC_DECLARATION && s->symbol)
            for (const CcInit *init = s->symbol->init; init; init = init->next)
                look(flight, init->value, false);
        look_everywhere(flight, s->init);
        look(flight, s->expr, false);
        look_everywhere(flight, s->first);
        look_everywhere(flight, s->body);
        look_everywhere(flight, s->otherwise);
        look(flight, s->step, false);
    }
}

static void follow(Flight *flight, const CcStmt *s)
{
    static const CcVisitor forgetter = {NULL, forget};
    unsigned request;
    const CcExpr *call = starting_call(flight, s, &request);
    CcStmt alone = *s;
    alone.next = NULL;
    if (call) {
        look_into_call(flight, call);
        start(flight, call, cc_mpi_called(flight->mpi, call), request);
        return;
    }
    if (s->kind == CC_CASE || s->kind == CC_DEFAULT || s->kind == CC_LABEL)
        flight->n = 0;
    if (flight->n > 0)
        cc_walk_statements(&alone, &forgetter, flight);
    look_everywhere(flight, &alone);
}

static void check_list(CcMpiUnit *mpi, const CcStmt *first)
{
    Flight flight = {.mpi = mpi};
    for (const CcStmt *s = first; s; s = s->next) {
        follow(&flight, s);
        check_list(mpi, s->init);
        check_list(mpi, s->first);
        check_list(mpi, s->body);
        check_list(mpi, s->otherwise);
    }
}

void cc_mpi_check_pending(CcMpiUnit *mpi, const CcMpiBody *body)
{
    if (body->n_tracked > 0 && !body->jumps)
        check_list(mpi, body->symbol->body->body);
}
