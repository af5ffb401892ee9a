/* request.c - checks the lives of requests and statuses that are local variables (-Wmpi-request, -Wmpi-status).
 *
 * The life of each is a list of events in the order of the source (unit.c). A warning is given only if it holds on
 * every path: a request that is never completed, one that a loop overwrites while it is pending, one that is waited for
 * but never started, a status that is read but never set. A variable with any other use is not followed, and gets no
 * warning.
 */
#include "compiler/check_mpi/unit.h"
#include "compiler/compiler.h"
#include "compiler/report/report.h"
#include "compiler/tree/tree.h"

/* The request or status being checked. */
typedef struct Life {
    CcMpiUnit *mpi;
    const CcMpiBody *body;
    const CcMpiVariable *variable;
    const CcSymbol *symbol;
    bool array; /* it is an array */
} Life;

static bool has(const CcMpiVariable *variable, CcMpiEventKind kind)
{
    for (const CcMpiEvent *event = variable->first_event; event; event = event->next)
        if (event->kind == kind)
            return true;
    return false;
}

/* Returns whether MPI_REQUEST_NULL is assigned, and not a copy of another request. */
static bool assigns_null(const CcMpiEvent *event)
{
    const CcExpr *value = event->expr;
    if (value->kind == CC_ASSIGN)
        value = value->right;
    return cc_mpi_handle(value, CC_MPI_REQUEST) == 0;
}

static bool out_of_sight(const Life *life)
{
    for (const CcMpiEvent *event = life->variable->first_event; event; event = event->next)
        if (event->kind == CC_MPI_OTHER || (event->kind == CC_MPI_ASSIGNED && !assigns_null(event)))
            return true;
    return false;
}

static void note_declaration(const Life *life)
{
    cc_report(life->mpi->unit, CC_NOTE, life->symbol->loc, NULL, "'%s' is declared here", life->symbol->name);
}

/* -- requests ---------------------------------------------------------------------------------- */

static const CcMpiEvent *first_of(const CcMpiVariable *variable, CcMpiEventKind kind)
{
    for (const CcMpiEvent *event = variable->first_event; event; event = event->next)
        if (event->kind == kind)
            return event;
    return NULL;
}

static void check_leak(const Life *life)
{
    const CcMpiEvent *made = first_of(life->variable, CC_MPI_CREATED);
    if (!made || has(life->variable, CC_MPI_COMPLETED))
        return;
    cc_report(life->mpi->unit, CC_WARNING, made->expr->loc, "-Wmpi-request",
              "nothing waits for the request%s '%s' that '%s' starts; call %s before the buffer is used again",
              life->array ? "s" : "", life->symbol->name, made->call->name, life->array ? "MPI_Waitall" : "MPI_Wait");
}

static void check_never_started(const Life *life)
{
    const CcMpiEvent *waits = first_of(life->variable, CC_MPI_COMPLETED);
    if (!waits || has(life->variable, CC_MPI_CREATED) || has(life->variable, CC_MPI_PREPARED) ||
        has(life->variable, CC_MPI_ASSIGNED))
        return;
    cc_report(life->mpi->unit, CC_WARNING, waits->expr->loc, "-Wmpi-request",
              "'%s' uses the request '%s', which no call has started", waits->call->name, life->symbol->name);
    note_declaration(life);
}

/* Warns if the first event on every path is a wait. Returns whether it warned. */
static bool check_first_use(const Life *life)
{
    const CcMpiEvent *first = life->variable->first_event;
    if (first->kind != CC_MPI_COMPLETED || first->conditional || life->body->jumps || life->array)
        return false;
    cc_report(life->mpi->unit, CC_WARNING, first->expr->loc, "-Wmpi-request",
              "'%s' uses the request '%s' before any call has started it", first->call->name, life->symbol->name);
    note_declaration(life);
    return true;
}

/* Returns whether each turn of a loop loses the request of the turn before, as in for (...) MPI_Isend(..., &r). It does
 * not if another event in the loop uses the request. `before` and `after` are the numbers of the nearest events of
 * other kinds; 0: none. */
static bool forgets(const CcMpiEvent *made, unsigned before, unsigned after)
{
    const CcMpiLoop *loop = made->loop;
    return loop && !loop->leaves && !made->conditional_in_loop && made->element >= 0 && before < loop->first &&
           (after == 0 || after > loop->last);
}

static void check_overwritten(const Life *life)
{
    unsigned before = 0;
    const CcMpiEvent *next = life->variable->first_event;
    for (const CcMpiEvent *event = next; event; event = event->next) {
        if (event->kind != CC_MPI_CREATED) {
            before = event->number;
            continue;
        }
        while (next && (next->kind == CC_MPI_CREATED || next->number < event->number))
            next = next->next;
        if (!forgets(event, before, next ? next->number : 0))
            continue;
        cc_report(life->mpi->unit, CC_WARNING, event->expr->loc, "-Wmpi-request",
                  "each turn of the loop overwrites the request '%s' while it is pending; use an array of requests and "
                  "MPI_Waitall, or wait in the loop",
                  life->symbol->name);
        return;
    }
}

static void check_request(const Life *life)
{
    if (out_of_sight(life))
        return;
    check_never_started(life);
    if (has(life->variable, CC_MPI_CREATED) && !check_first_use(life)) {
        if (has(life->variable, CC_MPI_COMPLETED))
            check_overwritten(life);
        else
            check_leak(life);
    }
}

/* -- statuses ---------------------------------------------------------------------------------- */

static void check_status(const Life *life)
{
    const CcMpiEvent *read = first_of(life->variable, CC_MPI_READ);
    if (!read || has(life->variable, CC_MPI_OTHER) || has(life->variable, CC_MPI_ASSIGNED))
        return;
    bool never = !has(life->variable, CC_MPI_FILLED);
    bool too_early = life->variable->first_event == read && !read->conditional && !life->body->jumps && !life->array;
    if (!never && !too_early)
        return;
    cc_report(life->mpi->unit, CC_WARNING, read->expr->loc, "-Wmpi-status",
              never ? "the status '%s' is read, but no call sets it; pass its address to the call it is about"
                    : "the status '%s' is read before any call sets it",
              life->symbol->name);
}

void cc_mpi_check_requests(CcMpiUnit *mpi, const CcMpiBody *body)
{
    for (guint i = 0; i < body->n_tracked; i++) {
        const CcMpiVariable *variable = g_ptr_array_index(mpi->tracked, body->first_tracked + i);
        Life life = {mpi, body, variable, variable->symbol, variable->symbol->type->kind == CC_ARRAY};
        const CcType *type = variable->symbol->type;
        while (type->kind == CC_ARRAY)
            type = type->target;
        if (type->kind == CC_POINTER)
            check_request(&life);
        else
            check_status(&life);
    }
}
