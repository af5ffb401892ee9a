/* atomic.c - #pragma omp atomic.
 *
 * Threads of a rank run one at a time, and give way only where they call something. The operands that are not the
 * atomic variable are therefore evaluated first; then the thread takes its turn among the others (__orrery_turn), and
 * the load, operation and store behind that run in one piece.
 */
#include "compiler/omp/construct.h"
#include "compiler/tree/tree.h"
#include "vcode/vcode.h"

static bool same(const CcExpr *a, const CcExpr *b);

static bool same_part(const CcExpr *a, const CcExpr *b)
{
    return a && b ? same(a, b) : a == b;
}

/* Whether two lvalues are written alike. */
static bool same(const CcExpr *a, const CcExpr *b)
{
    a = cc_tree_without_casts(a);
    b = cc_tree_without_casts(b);
    if (a->kind != b->kind || a->symbol != b->symbol || a->member != b->member || a->integer != b->integer ||
        a->real != b->real || a->n_arguments != b->n_arguments || a->op != b->op)
        return false;
    for (uint32_t i = 0; i < a->n_arguments; i++)
        if (!same(a->arguments[i], b->arguments[i]))
            return false;
    return same_part(a->left, b->left) && same_part(a->right, b->right) && same_part(a->condition, b->condition);
}

static bool is_increment(const CcExpr *e)
{
    return e->kind >= CC_PRE_INCREMENT && e->kind <= CC_POST_DECREMENT;
}

/* x = x op e or x = e op x: returns the place of e, or NULL. */
static CcExpr **other_operand(const CcExpr *x, CcExpr *value)
{
    while (value->kind == CC_CAST)
        value = value->left;
    if (value->kind < CC_ADD || value->kind > CC_XOR)
        return NULL;
    return same(x, value->left) ? &value->right : same(x, value->right) ? &value->left : NULL;
}

/* Whether evaluating the expression needs no call and changes nothing: it need not be moved. */
static bool is_simple(const CcExpr *e)
{
    const CcExpr *const parts[] = {e->left, e->right, e->condition};
    if (is_increment(e) || e->kind == CC_ASSIGN || e->kind == CC_ASSIGN_OP || e->kind == CC_CALL ||
        e->kind == CC_STATEMENT_EXPR || e->kind == CC_BUILTIN || e->kind == CC_VA_ARG)
        return false;
    for (size_t i = 0; i < G_N_ELEMENTS(parts); i++)
        if (parts[i] && !is_simple(parts[i]))
            return false;
    return true;
}

/* Evaluates an operand in front of the turn. */
static void move_value(CcParser *p, CcStmtList *list, CcExpr **operand)
{
    CcExpr *e = *operand;
    if (e->kind == CC_NUMBER)
        return;
    CcOmpValue value = cc_omp_once(p, list, "operand", e);
    *operand = cc_sema_cast_expr(p, e->type, cc_omp_value(p, &value, e->loc), e->loc);
}

/* Computes the address of a place in front of the turn, if that does more than look at variables. */
static void move_place(CcParser *p, CcStmtList *list, CcExpr **place)
{
    CcExpr *e = *place;
    if (is_simple(e) || (e->kind == CC_MEMBER && e->member->bit_field))
        return;
    CcOmpValue address = cc_omp_once(p, list, "place", cc_sema_address(p, e, e->loc));
    *place = cc_sema_dereference(p, cc_omp_value(p, &address, e->loc), e->loc);
}

typedef enum Form { READS, WRITES, UPDATES, NO_FORM } Form;

/* Moves the operands of an assignment that is not a capture, and returns what it does. */
static Form take_apart(CcParser *p, CcStmtList *list, CcExpr *e)
{
    if (!e)
        return NO_FORM;
    if (is_increment(e)) {
        move_place(p, list, &e->left);
        return UPDATES;
    }
    if (e->kind == CC_ASSIGN_OP) {
        move_place(p, list, &e->left);
        move_value(p, list, &e->right);
        return UPDATES;
    }
    if (e->kind != CC_ASSIGN)
        return NO_FORM;
    CcExpr **other = other_operand(e->left, e->right);
    if (other) {
        move_value(p, list, other);
        return UPDATES;
    }
    return WRITES;
}

static bool is_place(const CcExpr *e)
{
    return cc_tree_without_casts(e)->lvalue;
}

/* v = x; v = x++; v = x += e; v = x = x op e. */
static bool is_capture(CcParser *p, CcStmtList *list, CcExpr *e)
{
    if (!e || e->kind != CC_ASSIGN)
        return false;
    CcExpr *inner = (CcExpr *)cc_tree_without_casts(e->right);
    move_place(p, list, &e->left);
    return take_apart(p, list, inner) == UPDATES;
}

static CcExpr *expression_of(const CcStmt *s)
{
    return s && s->kind == CC_EXPRESSION ? s->expr : NULL;
}

/* { v = x; x op= e; }, { x op= e; v = x; } or { v = x; x = e; }. */
static bool is_capture_block(CcParser *p, CcStmtList *list, const CcStmt *block)
{
    const CcStmt *first = block->first, *second = first ? first->next : NULL;
    CcExpr *a = expression_of(first), *b = expression_of(second);
    if (!a || !b || second->next)
        return false;
    bool reads_first = a->kind == CC_ASSIGN && is_place(a->right) && !is_increment(a);
    CcExpr *read = reads_first ? a : b, *change = reads_first ? b : a;
    if (read->kind != CC_ASSIGN || !is_place(read->right))
        return false;
    if (!(is_increment(change) || change->kind == CC_ASSIGN || change->kind == CC_ASSIGN_OP) ||
        !same(change->left, read->right))
        return false;
    Form form = take_apart(p, list, change);
    if (form == WRITES)
        move_value(p, list, &change->right);
    return form == UPDATES || form == WRITES;
}

static bool is_good(CcParser *p, const CcOmpConstruct *c, CcStmtList *list, const CcStmt *body)
{
    CcExpr *e = expression_of(body);
    if (cc_omp_clause(c, CC_OMP_CAPTURE))
        return body->kind == CC_BLOCK ? is_capture_block(p, list, body) : is_capture(p, list, e);
    if (!e)
        return false;
    if (cc_omp_clause(c, CC_OMP_READ)) {
        if (e->kind != CC_ASSIGN || !is_place(e->right))
            return false;
        move_place(p, list, &e->left);
        return true;
    }
    if (cc_omp_clause(c, CC_OMP_WRITE)) {
        if (e->kind != CC_ASSIGN)
            return false;
        move_place(p, list, &e->left);
        move_value(p, list, &e->right);
        return true;
    }
    return take_apart(p, list, e) == UPDATES;
}

/* Marks the accesses of an expression to the atomic variable as parts of an atomic operation, for checks. */
static void mark_places(CcExpr *e, const CcExpr *place, unsigned mark)
{
    if (!e)
        return;
    if (e->lvalue && same(e, place)) {
        e->mark = (uint8_t)mark;
        return;
    }
    mark_places(e->left, place, mark);
    mark_places(e->right, place, mark);
    mark_places(e->condition, place, mark);
}

/* The marks of the memory order that the clauses ask for; relaxed without one. */
static unsigned order_marks(const CcOmpConstruct *c)
{
    bool both = cc_omp_clause(c, CC_OMP_SEQ_CST) || cc_omp_clause(c, CC_OMP_ACQ_REL);
    unsigned mark = VCODE_MARK_ATOMIC;
    if (both || cc_omp_clause(c, CC_OMP_ACQUIRE))
        mark |= VCODE_MARK_ACQUIRE;
    if (both || cc_omp_clause(c, CC_OMP_RELEASE))
        mark |= VCODE_MARK_RELEASE;
    return mark;
}

/* The same for a construct that is_good(). */
static void mark_atomic(const CcOmpConstruct *c, const CcStmt *body)
{
    unsigned mark = order_marks(c);
    const CcExpr *e = expression_of(body);
    if (cc_omp_clause(c, CC_OMP_READ)) {
        ((CcExpr *)cc_tree_without_casts(e->right))->mark = (uint8_t)mark;
    } else if (cc_omp_clause(c, CC_OMP_WRITE)) {
        e->left->mark = (uint8_t)mark;
    } else if (!cc_omp_clause(c, CC_OMP_CAPTURE)) {
        mark_places((CcExpr *)e, e->left, mark | VCODE_MARK_UPDATE);
    } else if (e) {
        CcExpr *change = (CcExpr *)cc_tree_without_casts(e->right);
        mark_places(change, change->left, mark | VCODE_MARK_UPDATE);
    } else {
        CcExpr *first = body->first->expr, *second = body->first->next->expr;
        bool reads_first = first->kind == CC_ASSIGN && is_place(first->right) && !is_increment(first);
        CcExpr *change = reads_first ? second : first, *read = reads_first ? first : second;
        ((CcExpr *)cc_tree_without_casts(read->right))->mark = (uint8_t)(mark | VCODE_MARK_UPDATE);
        mark_places(change, change->left, mark | VCODE_MARK_UPDATE);
    }
}

CcStmt *cc_omp_atomic(CcParser *p, CcOmpConstruct *c, CcStmt *body)
{
    static const struct {
        CcOmpClauseId id;
        const char *forms;
    } kinds[] = {
        {CC_OMP_READ, "read: v = x"},
        {CC_OMP_WRITE, "write: x = expression"},
        {CC_OMP_CAPTURE, "capture: v = x++, v = x += expression, or { v = x; x += expression; } and the like"},
        {CC_OMP_UPDATE, "update: x++, x += expression, x = x + expression or the like"},
    };
    CcStmtList list = {NULL, NULL};
    CcLoc loc = c->loc;
    if (body->kind == CC_BLOCK && body->first && !body->first->next && !cc_omp_clause(c, CC_OMP_CAPTURE))
        body = body->first;
    if (!is_good(p, c, &list, body)) {
        const char *forms = kinds[3].forms;
        for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++)
            if (cc_omp_clause(c, kinds[i].id))
                forms = kinds[i].forms;
        cc_front_error(p, body->loc.line ? body->loc : loc, "this is not what '#pragma omp atomic' can do. For %s",
                       forms);
        return body;
    }
    mark_atomic(c, body);
    cc_omp_do(p, &list, cc_sema_turn(p, loc));
    cc_sema_append(&list, body);
    return cc_omp_block(p, list, loc, cc_omp_end_of(body, loc));
}
