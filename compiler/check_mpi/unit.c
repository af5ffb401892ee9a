/* unit.c - the checks of MPI calls (-Wmpi): one walk over the unit gathers facts, then every check runs.
 *
 * The compiler knows from roles.def what the arguments of MPI functions mean. The walk finds how often each variable is
 * set and by what, and what happens to each request and status, in the order of the source. It ignores control flow;
 * the checks that need order look at straight-line code.
 *
 * The whole takes time linear in the size of the unit, and almost none if no MPI function is used.
 */
#include "compiler/check_mpi/unit.h"

#include "compiler/arena/arena.h"
#include "compiler/check_mpi/check_mpi.h"
#include "compiler/front/front.h"
#include "compiler/tree/tree.h"

#include <string.h>

static const CcMpiFunction functions[] = {
#define CC_MPI(name, sort, ...) {#name, sort, {__VA_ARGS__}},
#include "compiler/check_mpi/roles.def"
#undef CC_MPI
};

/* -- questions --------------------------------------------------------------------------------- */

const CcMpiFunction *cc_mpi_function_named(const char *name)
{
    for (size_t i = 0; i < G_N_ELEMENTS(functions); i++)
        if (strcmp(functions[i].name, name) == 0)
            return &functions[i];
    return NULL;
}

static const char *name_in_mpi(const char *name)
{
    if (g_str_has_prefix(name, "MPI_"))
        return name + strlen("MPI_");
    return g_str_has_prefix(name, "PMPI_") ? name + strlen("PMPI_") : NULL;
}

const CcMpiFunction *cc_mpi_function(const CcMpiUnit *mpi, const CcSymbol *symbol)
{
    return symbol ? g_hash_table_lookup(mpi->functions, symbol) : NULL;
}

const CcMpiFunction *cc_mpi_called(const CcMpiUnit *mpi, const CcExpr *call)
{
    const CcMpiFunction *function = cc_mpi_function(mpi, cc_tree_callee(call));
    unsigned n = 0;
    while (function && n < CC_MPI_MAX_ROLES && function->roles[n] != NOTHING)
        n++;
    return function && n == call->n_arguments ? function : NULL;
}

unsigned cc_mpi_find_role(const CcMpiFunction *function, CcMpiRole role, unsigned from)
{
    for (unsigned i = from; i < CC_MPI_MAX_ROLES; i++)
        if (function->roles[i] == role)
            return i;
    return CC_MPI_MAX_ROLES;
}

static const void *key_of(const CcExpr *lvalue)
{
    if (lvalue->kind == CC_VARIABLE)
        return lvalue->symbol->kind == CC_SYM_VARIABLE ? lvalue->symbol : NULL;
    return lvalue->kind == CC_MEMBER ? lvalue->member : NULL;
}

CcMpiVariable *cc_mpi_variable(const CcMpiUnit *mpi, const CcExpr *lvalue)
{
    const void *key = key_of(lvalue);
    return key ? g_hash_table_lookup(mpi->variables, key) : NULL;
}

bool cc_mpi_calls_unknown(const CcMpiUnit *mpi, const CcExpr *call)
{
    const CcSymbol *symbol = cc_tree_callee(call);
    if (!symbol)
        return true;
    if (symbol->body || cc_mpi_function(mpi, symbol))
        return false;
    const GByteArray *system = mpi->unit->seen->system;
    bool builtin = symbol->loc.line == 0 || cc_library_header_of(symbol->name);
    return !builtin && !(symbol->loc.file < system->len && system->data[symbol->loc.file]);
}

/* -- facts ------------------------------------------------------------------------------------- */

typedef struct Walk {
    CcMpiUnit *mpi;
    CcMpiBody *body;
    unsigned events;                         /* number of events so far */
    unsigned conditions, conditions_in_loop; /* number of enclosing conditions; those inside the loop, without != */
    CcMpiLoop *loop;
} Walk;

static void scan(Walk *walk, const CcExpr *e);
static void scan_list(Walk *walk, const CcStmt *first);

/* Records the initial value of an object of static storage. It is set before the program starts. Other files may set
 * it, too, if they can name it. */
static void facts_of_static(CcMpiVariable *variable, const CcSymbol *symbol)
{
    variable->writes = 1;
    if (symbol->init && symbol->init->offset == 0 && !symbol->init->next)
        variable->value = symbol->init->value;
    variable->escapes = symbol->storage != CC_STATIC && !(symbol->type->qualifiers & CC_CONST);
}

static CcMpiVariable *facts(Walk *walk, const CcExpr *lvalue)
{
    const void *key = key_of(lvalue);
    CcMpiVariable *variable = key ? g_hash_table_lookup(walk->mpi->variables, key) : NULL;
    if (variable || !key)
        return variable;
    variable = CC_NEW(walk->mpi->unit->arena, CcMpiVariable);
    g_hash_table_insert(walk->mpi->variables, (gpointer)key, variable);
    if (lvalue->kind != CC_VARIABLE) {
        variable->escapes = true; /* the object may be any of its type */
        return variable;
    }
    const CcSymbol *symbol = variable->symbol = lvalue->symbol;
    if (symbol->parameter)
        variable->writes = 1;
    else if (symbol->storage != CC_AUTO && symbol->storage != CC_REGISTER)
        facts_of_static(variable, symbol);
    return variable;
}

static void note_write(Walk *walk, const CcExpr *lvalue, const CcExpr *value)
{
    CcMpiVariable *variable = facts(walk, lvalue);
    if (!variable)
        return;
    variable->writes++;
    variable->value = value;
    if (!value || cc_tree_without_casts(value)->kind != CC_NUMBER)
        variable->set_otherwise = true;
}

/* Records that a call sets a variable. Setting it twice for the same communicator counts as once. */
static void note_set(Walk *walk, const CcExpr *lvalue, const CcMpiCall *call, CcMpiRole role)
{
    CcMpiVariable *variable = facts(walk, lvalue);
    if (!variable)
        return;
    variable->writes++;
    variable->value = NULL;
    unsigned comm = cc_mpi_find_role(call->function, COMM, 0);
    if (variable->setter) {
        const CcMpiFunction *before = variable->setter->function;
        unsigned other = cc_mpi_find_role(before, COMM, 0);
        if (variable->set_as != role || comm == CC_MPI_MAX_ROLES || other == CC_MPI_MAX_ROLES ||
            !cc_mpi_same_expression(variable->setter->expr->arguments[other], call->expr->arguments[comm]))
            variable->set_otherwise = true;
        return;
    }
    variable->setter = call;
    variable->set_as = role;
}

/* -- requests and statuses --------------------------------------------------------------------- */

static const CcType *without_arrays(const CcType *type)
{
    while (type->kind == CC_ARRAY)
        type = type->target;
    return type;
}

static bool is_followed(const CcSymbol *symbol)
{
    if (symbol->kind != CC_SYM_VARIABLE || symbol->parameter ||
        (symbol->storage != CC_AUTO && symbol->storage != CC_REGISTER))
        return false;
    const CcType *type = without_arrays(symbol->type);
    return (type->kind == CC_POINTER && cc_mpi_is_type(type, "orrery_request")) ||
           (type->kind == CC_STRUCT && cc_mpi_is_type(type, "MPI_Status"));
}

/* Accepts r, r[2] and *r. Finds the variable and the index of its element. */
const CcSymbol *cc_mpi_tracked(const CcExpr *lvalue, int64_t *element)
{
    *element = 0;
    if (lvalue->kind == CC_DEREFERENCE) {
        const CcExpr *at = lvalue->left;
        if (at->kind == CC_ADD) {
            const CcExpr *index = cc_tree_without_casts(at->right);
            *element = index->kind == CC_NUMBER ? (int64_t)index->integer : -1;
            at = at->left;
        }
        lvalue = at->kind == CC_DECAY ? at->left : at;
        if (lvalue->kind == CC_DEREFERENCE)
            *element = -1;
        while (lvalue->kind == CC_DEREFERENCE || lvalue->kind == CC_DECAY || lvalue->kind == CC_ADD)
            lvalue = lvalue->left;
        if (lvalue->kind == CC_VARIABLE && lvalue->symbol->type->kind != CC_ARRAY)
            return NULL;
    }
    return lvalue->kind == CC_VARIABLE && is_followed(lvalue->symbol) ? lvalue->symbol : NULL;
}

static void note_event(Walk *walk, const CcSymbol *symbol, int64_t element, CcMpiEventKind kind, const CcExpr *at,
                       const CcMpiCall *call)
{
    CcExpr name = {.kind = CC_VARIABLE, .symbol = (CcSymbol *)symbol};
    CcMpiVariable *variable = facts(walk, &name);
    CcMpiEvent *event = CC_NEW(walk->mpi->unit->arena, CcMpiEvent);
    *event = (CcMpiEvent){
        NULL, kind, ++walk->events, at, call, element, walk->loop, walk->conditions > 0, walk->conditions_in_loop > 0};
    if (!variable->first_event) {
        g_ptr_array_add(walk->mpi->tracked, variable);
        walk->body->n_tracked++;
        variable->first_event = event;
    } else {
        variable->last_event->next = event;
    }
    variable->last_event = event;
    variable->out_of_sight |= kind == CC_MPI_OTHER;
}

static bool event_of_role(CcMpiRole role, CcMpiEventKind *kind)
{
    switch (role) {
    case NEW_REQUEST: *kind = CC_MPI_CREATED; return true;
    case NEW_PERSISTENT: *kind = CC_MPI_PREPARED; return true;
    case START_REQUEST:
    case START_REQUESTS: *kind = CC_MPI_STARTED; return true;
    case WAIT_REQUEST:
    case WAIT_REQUESTS:
    case FREE_REQUEST: *kind = CC_MPI_COMPLETED; return true;
    case STATUS:
    case STATUSES: *kind = CC_MPI_FILLED; return true;
    case STATUS_READ: *kind = CC_MPI_READ; return true;
    default: return false;
    }
}

/* Scans the subscripts of an lvalue, but not the variable itself. */
static void scan_subscripts(Walk *walk, const CcExpr *lvalue)
{
    for (; lvalue->kind == CC_DEREFERENCE || lvalue->kind == CC_DECAY || lvalue->kind == CC_ADD; lvalue = lvalue->left)
        if (lvalue->kind == CC_ADD)
            scan(walk, lvalue->right);
}

/* -- the walk over expressions ----------------------------------------------------------------- */

/* Returns whether the argument is an address that its role explains. */
static bool scan_address(Walk *walk, const CcMpiCall *call, CcMpiRole role, const CcExpr *argument)
{
    const CcExpr *e = cc_tree_without_casts(argument);
    if (e->kind != CC_ADDRESS && e->kind != CC_DECAY && e->kind != CC_ADD)
        return false;
    CcExpr whole = {.kind = CC_DEREFERENCE, .left = (CcExpr *)e};
    const CcExpr *lvalue = e->kind == CC_ADDRESS ? e->left : &whole;
    CcMpiEventKind kind;
    int64_t element;
    const CcSymbol *followed = cc_mpi_tracked(lvalue, &element);
    if (followed && event_of_role(role, &kind)) {
        if (role == WAIT_REQUESTS || role == STATUSES || role == START_REQUESTS)
            element = -1;
        note_event(walk, followed, element, kind, argument, call);
        scan_subscripts(walk, lvalue);
        return true;
    }
    if (e->kind != CC_ADDRESS || followed || !key_of(lvalue))
        return false;
    if (lvalue->kind == CC_MEMBER)
        scan(walk, lvalue->left);
    switch (role) {
    case OUT:
    case RECEIVE:
    case BUFFER:
    case NEW_TYPE:
    case NEW_COMM:
    case RANK:
    case SIZE: note_set(walk, lvalue, call, role); return true;
    case OLD_TYPE: facts(walk, lvalue)->committed |= strcmp(call->function->name, "Type_commit") == 0; return true;
    case SEND:
    case OLD_COMM: facts(walk, lvalue); return true;
    default: facts(walk, lvalue)->escapes = true; return true;
    }
}

static bool explained(Walk *walk, const CcMpiCall *call, CcMpiRole role, const CcExpr *argument)
{
    if ((role == TYPE || role == TYPE_ONLY) && cc_tree_without_casts(argument)->kind == CC_VARIABLE)
        return true;
    return scan_address(walk, call, role, argument);
}

static void scan_call(Walk *walk, const CcExpr *e)
{
    const CcMpiFunction *function = cc_mpi_called(walk->mpi, e);
    const CcSymbol *callee = cc_tree_callee(e);
    CcMpiCall *call = NULL;
    if (function) {
        call = CC_NEW(walk->mpi->unit->arena, CcMpiCall);
        *call = (CcMpiCall){function, callee->name, e};
        g_ptr_array_add(walk->mpi->calls, call);
    } else if (callee && callee->body) {
        g_ptr_array_add(walk->mpi->others, (gpointer)e);
    }
    walk->body->calls_unknown |= cc_mpi_calls_unknown(walk->mpi, e);
    if (!callee)
        scan(walk, e->left);
    /* In the order of arguments requests complete before statuses are filled, and data are read before requests are
     * made. */
    for (uint32_t i = 0; i < e->n_arguments; i++)
        if (!function || !explained(walk, call, function->roles[i], e->arguments[i]))
            scan(walk, e->arguments[i]);
}

/* Scans what is below an lvalue that is assigned or whose address is taken. */
static void scan_below(Walk *walk, const CcExpr *lvalue)
{
    if (lvalue->kind == CC_MEMBER)
        scan(walk, lvalue->left);
    else if (lvalue->kind != CC_VARIABLE)
        scan(walk, lvalue);
}

static void scan_assignment(Walk *walk, const CcExpr *e)
{
    int64_t element;
    const CcSymbol *followed = cc_mpi_tracked(e->left, &element);
    if (e->right)
        scan(walk, e->right);
    if (followed) {
        scan_subscripts(walk, e->left);
        note_event(walk, followed, element, CC_MPI_ASSIGNED, e, NULL);
        return;
    }
    if (e->left->kind == CC_MEMBER && (followed = cc_mpi_tracked(e->left->left, &element))) {
        note_event(walk, followed, element, CC_MPI_ASSIGNED, e, NULL);
        return;
    }
    note_write(walk, e->left, e->kind == CC_ASSIGN ? e->right : NULL);
    if (e->kind != CC_ASSIGN && key_of(e->left))
        facts(walk, e->left)->writes++; /* so that no assignment counts as the only one */
    scan_below(walk, e->left);
}

static void scan_member(Walk *walk, const CcExpr *e)
{
    int64_t element;
    const CcSymbol *followed = cc_mpi_tracked(e->left, &element);
    if (!followed) {
        scan(walk, e->left);
        return;
    }
    scan_subscripts(walk, e->left);
    note_event(walk, followed, element, CC_MPI_READ, e, NULL);
}

static void scan_variable(Walk *walk, const CcExpr *e)
{
    if (e->type->kind == CC_POINTER && cc_mpi_is_type(e->type, "orrery_datatype") && key_of(e))
        facts(walk, e)->committed = true; /* a copy of the handle may be committed */
    if (is_followed(e->symbol))
        note_event(walk, e->symbol, -1, CC_MPI_OTHER, e, NULL);
}

static void scan_conditionally(Walk *walk, const CcExpr *e)
{
    walk->conditions++;
    walk->conditions_in_loop++;
    scan(walk, e);
    walk->conditions_in_loop--;
    walk->conditions--;
}

static void scan_children(Walk *walk, const CcExpr *e)
{
    scan(walk, e->condition);
    scan(walk, e->left);
    scan(walk, e->right);
    for (uint32_t i = 0; i < e->n_arguments; i++)
        scan(walk, e->arguments[i]);
    if (e->kind == CC_COMPOUND && e->symbol)
        for (const CcInit *init = e->symbol->init; init; init = init->next)
            scan(walk, init->value);
    if (e->kind == CC_STATEMENT_EXPR)
        scan_list(walk, e->statement);
}

static void scan(Walk *walk, const CcExpr *e)
{
    if (!e)
        return;
    switch (e->kind) {
    case CC_CALL: scan_call(walk, e); return;
    case CC_VARIABLE: scan_variable(walk, e); return;
    case CC_MEMBER: scan_member(walk, e); return;
    case CC_ASSIGN:
    case CC_ASSIGN_OP:
    case CC_PRE_INCREMENT:
    case CC_PRE_DECREMENT:
    case CC_POST_INCREMENT:
    case CC_POST_DECREMENT: scan_assignment(walk, e); return;
    case CC_ADDRESS:
        if (key_of(e->left))
            facts(walk, e->left)->escapes = true;
        scan(walk, e->left);
        return;
    case CC_LOGICAL_AND:
    case CC_LOGICAL_OR:
        scan(walk, e->left);
        scan_conditionally(walk, e->right);
        return;
    case CC_CONDITIONAL:
        scan(walk, e->condition);
        scan_conditionally(walk, e->left);
        scan_conditionally(walk, e->right);
        return;
    default: scan_children(walk, e); return;
    }
}

/* -- the walk over statements ------------------------------------------------------------------ */

static void scan_declaration(Walk *walk, const CcSymbol *symbol)
{
    if (!symbol || !symbol->init)
        return;
    for (const CcInit *init = symbol->init; init; init = init->next)
        scan(walk, init->value);
    CcExpr name = {.kind = CC_VARIABLE, .symbol = (CcSymbol *)symbol};
    if (is_followed(symbol))
        note_event(walk, symbol, -1, CC_MPI_ASSIGNED, symbol->init->value, NULL);
    else if (cc_is_scalar(symbol->type))
        note_write(walk, &name, symbol->init->value);
}

static bool is_inequality(const CcExpr *e)
{
    return e && e->kind == CC_NOT_EQUAL;
}

static void scan_if(Walk *walk, const CcStmt *s)
{
    unsigned strong = !is_inequality(s->expr);
    scan(walk, s->expr);
    walk->conditions++;
    walk->conditions_in_loop += strong;
    scan_list(walk, s->body);
    walk->conditions_in_loop += !strong;
    scan_list(walk, s->otherwise);
    walk->conditions_in_loop--;
    walk->conditions--;
}

static bool runs_once(const CcStmt *s)
{
    return s->kind == CC_DO && s->expr && s->expr->kind == CC_NUMBER && s->expr->integer == 0;
}

static void scan_loop(Walk *walk, const CcStmt *s)
{
    scan_list(walk, s->init);
    if (runs_once(s)) {
        scan_list(walk, s->body);
        return;
    }
    CcMpiLoop *loop = CC_NEW(walk->mpi->unit->arena, CcMpiLoop);
    unsigned conditions_in_loop = walk->conditions_in_loop;
    loop->outer = walk->loop;
    loop->first = walk->events + 1;
    walk->loop = loop;
    walk->conditions_in_loop = 0;
    walk->conditions++;
    scan(walk, s->expr);
    scan_list(walk, s->body);
    scan(walk, s->step);
    walk->conditions--;
    walk->conditions_in_loop = conditions_in_loop;
    walk->loop = loop->outer;
    loop->last = walk->events;
}

static void note_leaving(Walk *walk, bool all)
{
    for (CcMpiLoop *loop = walk->loop; loop; loop = all ? loop->outer : NULL)
        loop->leaves = true;
}

static void scan_statement(Walk *walk, const CcStmt *s)
{
    switch (s->kind) {
    case CC_IF: scan_if(walk, s); return;
    case CC_WHILE:
    case CC_DO:
    case CC_FOR: scan_loop(walk, s); return;
    case CC_SWITCH:
        scan(walk, s->expr);
        walk->conditions++;
        walk->conditions_in_loop++;
        scan_list(walk, s->body);
        walk->conditions_in_loop--;
        walk->conditions--;
        return;
    case CC_DECLARATION: scan_declaration(walk, s->symbol); return;
    case CC_GOTO:
    case CC_LABEL: walk->body->jumps = true; break;
    case CC_RETURN: note_leaving(walk, true); break;
    case CC_BREAK: note_leaving(walk, false); break;
    default: break;
    }
    scan(walk, s->expr);
    scan_list(walk, s->first);
    scan_list(walk, s->body);
}

static void scan_list(Walk *walk, const CcStmt *first)
{
    for (const CcStmt *s = first; s; s = s->next)
        scan_statement(walk, s);
}

/* -- ranks that are passed on ------------------------------------------------------------------ */

/* Returns the parameter of `callee` that gets the communicator of a rank. Returns `own`, the rank's own parameter, for
 * the world. Returns NULL if there is none. */
static const CcSymbol *comm_parameter(const CcMpiUnit *mpi, const CcExpr *call, const CcSymbol *callee, CcMpiComm comm,
                                      const CcSymbol *own)
{
    for (uint32_t i = 0; i < MIN(call->n_arguments, callee->body->n_parameters); i++)
        if (cc_mpi_is_type(callee->body->parameters[i]->type, "orrery_comm") &&
            cc_mpi_same_comm(cc_mpi_comm(mpi, call->arguments[i]), comm))
            return callee->body->parameters[i];
    return comm.index == 1 ? own : NULL;
}

static void pass_rank(CcMpiUnit *mpi, const CcExpr *call)
{
    const CcSymbol *callee = cc_tree_callee(call);
    for (uint32_t i = 0; i < MIN(call->n_arguments, callee->body->n_parameters); i++) {
        const CcExpr *argument = cc_tree_without_casts(call->arguments[i]);
        const CcMpiVariable *from = cc_mpi_variable(mpi, argument);
        if (!from || from->set_as != RANK || from->set_otherwise)
            continue;
        CcSymbol *own = callee->body->parameters[i];
        CcMpiVariable *to = g_hash_table_lookup(mpi->variables, own);
        if (!to) {
            to = CC_NEW(mpi->unit->arena, CcMpiVariable);
            to->symbol = own;
            to->writes = 1;
            g_hash_table_insert(mpi->variables, own, to);
        }
        unsigned comm = cc_mpi_find_role(from->setter->function, COMM, 0);
        if (to->writes > 1 || to->rank_of || comm == CC_MPI_MAX_ROLES)
            continue;
        to->rank_of = comm_parameter(mpi, call, callee, cc_mpi_comm(mpi, from->setter->expr->arguments[comm]), own);
        to->rank_from = argument;
    }
}

/* -- the check --------------------------------------------------------------------------------- */

static CcMpiBody *gather(CcMpiUnit *mpi, CcSymbol *symbol, unsigned *events)
{
    CcMpiBody *body = CC_NEW(mpi->unit->arena, CcMpiBody);
    body->symbol = symbol;
    body->first_call = mpi->calls->len;
    body->first_tracked = mpi->tracked->len;
    Walk walk = {.mpi = mpi, .body = body, .events = *events};
    scan_list(&walk, symbol->body->body);
    body->n_calls = mpi->calls->len - body->first_call;
    *events = walk.events;
    g_ptr_array_add(mpi->list, body);
    g_hash_table_insert(mpi->bodies, symbol, body);
    return body;
}

static bool uses_mpi(CcMpiUnit *mpi)
{
    for (guint i = 0; i < mpi->unit->symbols->len; i++) {
        CcSymbol *symbol = g_ptr_array_index(mpi->unit->symbols, i);
        const char *name = symbol->kind == CC_SYM_FUNCTION ? name_in_mpi(symbol->name) : NULL;
        if (!name || !symbol->used)
            continue;
        const CcMpiFunction *function = cc_mpi_function_named(name);
        if (function)
            g_hash_table_insert(mpi->functions, symbol, (gpointer)function);
    }
    return g_hash_table_size(mpi->functions) > 0;
}

/* One entry a row. A check with several adjacent rows runs once. */
static void (*const call_checks[])(CcMpiUnit *mpi, const CcMpiCall *call) = {
#define CC_MPI_CALL_CHECK(function, warning) function,
#include "compiler/check_mpi/mpi_checks.def"
};
static void (*const body_checks[])(CcMpiUnit *mpi, const CcMpiBody *body) = {
#define CC_MPI_BODY_CHECK(function, warning) function,
#include "compiler/check_mpi/mpi_checks.def"
};

static void check_body(CcMpiUnit *mpi, const CcMpiBody *body)
{
    for (guint i = 0; i < body->n_calls; i++) {
        const CcMpiCall *call = g_ptr_array_index(mpi->calls, body->first_call + i);
        for (size_t k = 0; k < G_N_ELEMENTS(call_checks); k++)
            if (k == 0 || call_checks[k] != call_checks[k - 1])
                call_checks[k](mpi, call);
    }
    for (size_t k = 0; k < G_N_ELEMENTS(body_checks); k++)
        if (k == 0 || body_checks[k] != body_checks[k - 1])
            body_checks[k](mpi, body);
}

static void run(CcMpiUnit *mpi)
{
    unsigned events = 0;
    for (guint i = 0; i < mpi->unit->symbols->len; i++) {
        CcSymbol *symbol = g_ptr_array_index(mpi->unit->symbols, i);
        if (symbol->kind == CC_SYM_FUNCTION && symbol->body && symbol->body->body)
            gather(mpi, symbol, &events);
    }
    for (guint i = 0; i < mpi->list->len; i++)
        cc_mpi_follow(mpi, g_ptr_array_index(mpi->list, i));
    for (guint i = 0; i < mpi->others->len; i++)
        pass_rank(mpi, g_ptr_array_index(mpi->others, i));
    for (guint i = 0; i < mpi->list->len; i++)
        check_body(mpi, g_ptr_array_index(mpi->list, i));
}

void cc_check_mpi(CcUnit *unit)
{
    CcMpiUnit mpi = {.unit = unit, .functions = g_hash_table_new(NULL, NULL)};
    if (uses_mpi(&mpi)) {
        mpi.variables = g_hash_table_new(NULL, NULL);
        mpi.bodies = g_hash_table_new(NULL, NULL);
        mpi.summaries = g_hash_table_new(NULL, NULL);
        mpi.warned = g_hash_table_new(NULL, NULL);
        mpi.values = g_hash_table_new(NULL, NULL);
        mpi.unreached = g_hash_table_new(NULL, NULL);
        mpi.calls = g_ptr_array_new();
        mpi.tracked = g_ptr_array_new();
        mpi.list = g_ptr_array_new();
        mpi.others = g_ptr_array_new();
        run(&mpi);
        g_hash_table_destroy(mpi.variables);
        g_hash_table_destroy(mpi.bodies);
        g_hash_table_destroy(mpi.summaries);
        g_hash_table_destroy(mpi.warned);
        g_hash_table_destroy(mpi.values);
        g_hash_table_destroy(mpi.unreached);
        g_ptr_array_free(mpi.calls, TRUE);
        g_ptr_array_free(mpi.tracked, TRUE);
        g_ptr_array_free(mpi.list, TRUE);
        g_ptr_array_free(mpi.others, TRUE);
    }
    g_hash_table_destroy(mpi.functions);
}
