/* atomics.c - __sync_... and __atomic_...: plain accesses, before which the thread takes its turn.
 *
 * A hidden variable holds the pointer, others hold the operands. Then comes the turn (cc_sema_turn()), and behind it an
 * assignment to the object, which no other thread interrupts. Memory orders have no effect: all are the strongest. They
 * are only noted, as marks of the accesses, for checks that look for data races. A name may end in a size, _1, _2, _4
 * or _8; the size is ignored, because it equals that of the object.
 */
#include "compiler/front/front.h"
#include "compiler/sema/builtins.h"
#include "compiler/sema/declarations.h"
#include "compiler/sema/expressions.h"
#include "compiler/sema/sema.h"
#include "compiler/tree/tree.h"
#include "vcode/vcode.h"

#include <string.h>

typedef struct Atomic Atomic;
typedef CcExpr *(*Maker)(CcParser *p, const Atomic *row, CcExpr *place, CcExpr **arguments, CcLoc loc);
struct Atomic {
    const char *name;
    unsigned arguments, most; /* least and greatest number of arguments, the pointer included */
    Maker make;
    CcExprKind op;  /* the operation; some makers use it to tell their variants apart */
    bool old, nand; /* old: the result is the value before the operation; nand: the operation is complemented */
};

static CcExpr *number(CcParser *p, CcKind kind, uint64_t value, CcLoc loc)
{
    return cc_sema_integer(p, p->basic[kind], value, loc);
}

/* Returns the assignment of a value to a new hidden variable of the object's type. Sets *use to the variable. */
static CcExpr *keep(CcParser *p, const CcExpr *place, CcExpr *value, CcExpr **use, CcLoc loc)
{
    CcType *type = cc_type_unqualified(p, place->type);
    *use = cc_sema_variable(p, cc_sema_hidden_variable(p, "value", type, false, loc), loc);
    return cc_sema_assignment(p, *use, value, loc);
}

/* Applies the operation to the old value. Like gcc, computes with pointers as numbers, without scaling. */
static CcExpr *operate(CcParser *p, const Atomic *row, CcExpr *old, CcExpr *operand, CcLoc loc)
{
    CcType *type = old->type;
    if (type->kind == CC_POINTER) {
        old = cc_sema_cast_expr(p, p->basic[CC_LONG], old, loc);
        operand = cc_sema_cast_expr(p, p->basic[CC_LONG], operand, loc);
    }
    CcExpr *now = cc_sema_binary(p, row->op, old, operand, loc, loc);
    return cc_sema_cast_expr(p, type, row->nand ? cc_sema_unary(p, CC_COMPLEMENT, now, loc) : now, loc);
}

static CcExpr *make_operation(CcParser *p, const Atomic *row, CcExpr *place, CcExpr **arguments, CcLoc loc)
{
    CcExpr *old, *operand, *now;
    CcExpr *set_old = cc_sema_comma(p, cc_sema_turn(p, loc), keep(p, place, place, &old, loc), loc);
    CcExpr *set_operand = keep(p, place, cc_sema_cast_expr(p, place->type, arguments[1], loc), &operand, loc);
    CcExpr *set_now = keep(p, place, operate(p, row, old, operand, loc), &now, loc);
    CcExpr *store = cc_sema_assignment(p, place, now, loc);
    CcExpr *first = cc_sema_comma(p, set_operand, cc_sema_comma(p, set_old, set_now, loc), loc);
    return cc_sema_comma(p, cc_sema_comma(p, first, store, loc), row->old ? old : now, loc);
}

static CcExpr *make_load(CcParser *p, const Atomic *row, CcExpr *place, CcExpr **arguments, CcLoc loc)
{
    (void)row;
    (void)arguments;
    CcExpr *value;
    CcExpr *set = keep(p, place, place, &value, loc);
    return cc_sema_comma(p, cc_sema_comma(p, cc_sema_turn(p, loc), set, loc), value, loc);
}

static CcExpr *make_store(CcParser *p, const Atomic *row, CcExpr *place, CcExpr **arguments, CcLoc loc)
{
    (void)row;
    CcExpr *value, *set = keep(p, place, arguments[1], &value, loc);
    set = cc_sema_comma(p, set, cc_sema_turn(p, loc), loc);
    return cc_sema_cast_expr(p, p->basic[CC_VOID], cc_sema_comma(p, set, cc_sema_assignment(p, place, value, loc), loc),
                             loc);
}

static CcExpr *make_exchange(CcParser *p, const Atomic *row, CcExpr *place, CcExpr **arguments, CcLoc loc)
{
    (void)row;
    CcExpr *old, *value;
    CcExpr *set_value = keep(p, place, arguments[1], &value, loc), *set_old = keep(p, place, place, &old, loc);
    CcExpr *both = cc_sema_comma(p, cc_sema_comma(p, set_value, cc_sema_turn(p, loc), loc), set_old, loc);
    return cc_sema_comma(p, cc_sema_comma(p, both, cc_sema_assignment(p, place, value, loc), loc), old, loc);
}

/* Returns the object that an argument points to, without qualifiers. Sets *set to the assignment that stores the
 * pointer in a hidden variable. */
static CcExpr *other_object(CcParser *p, CcExpr *argument, CcExpr **set, CcLoc loc)
{
    CcExpr *pointer = cc_sema_rvalue(p, argument), *use;
    if (!cc_is_error(p, pointer) && pointer->type->kind == CC_POINTER) {
        CcType *plain = cc_type_pointer_to(p, cc_type_unqualified(p, pointer->type->target));
        pointer = cc_sema_cast_expr(p, plain, pointer, loc);
    }
    *set = cc_sema_once(p, pointer, &use, loc);
    return cc_sema_dereference(p, use, loc);
}

/* __atomic_load(p, &result), __atomic_store(p, &value), __atomic_exchange(p, &value, &result): values go through
 * pointers. */
static CcExpr *make_indirect(CcParser *p, const Atomic *row, CcExpr *place, CcExpr **arguments, CcLoc loc)
{
    CcExpr *set, *other = other_object(p, arguments[1], &set, loc), *all;
    if (row->op == CC_DEREFERENCE)
        all = cc_sema_assignment(p, other, place, loc);
    else if (row->op == CC_ASSIGN)
        all = cc_sema_assignment(p, place, other, loc);
    else {
        CcExpr *value, *set_out, *out = other_object(p, arguments[2], &set_out, loc);
        CcExpr *kept = keep(p, place, other, &value, loc), *result = cc_sema_assignment(p, out, place, loc);
        set = cc_sema_then(p, set, cc_sema_then(p, set_out, kept, loc), loc);
        all = cc_sema_comma(p, result, cc_sema_assignment(p, place, value, loc), loc);
    }
    all = cc_sema_then(p, set, cc_sema_comma(p, cc_sema_turn(p, loc), all, loc), loc);
    return cc_sema_cast_expr(p, p->basic[CC_VOID], all, loc);
}

/* __sync_..._compare_and_swap(p, old, new): returns whether the object had the value `old` (bool), or the value that it
 * had (val). */
static CcExpr *make_swap(CcParser *p, const Atomic *row, CcExpr *place, CcExpr **arguments, CcLoc loc)
{
    CcExpr *expected, *desired, *old;
    CcExpr *set = cc_sema_comma(p, keep(p, place, arguments[1], &expected, loc),
                                keep(p, place, arguments[2], &desired, loc), loc);
    set = cc_sema_comma(p, cc_sema_comma(p, set, cc_sema_turn(p, loc), loc), keep(p, place, place, &old, loc), loc);
    CcExpr *same = cc_sema_binary(p, CC_EQUAL, old, expected, loc, loc);
    CcExpr *store = cc_sema_conditional(p, same, desired, old, loc);
    set = cc_sema_comma(p, set, cc_sema_assignment(p, place, store, loc), loc);
    return cc_sema_comma(p, set, row->old ? old : cc_sema_convert(p, same, p->basic[CC_BOOL]), loc);
}

/* Whether two objects hold the same bytes (C11 7.17.7.4p2): where == asks for something else, or does not exist. */
static CcExpr *is_same(CcParser *p, CcExpr *a, CcExpr *b, CcLoc loc)
{
    CcKind kind = a->type->kind;
    if (cc_is_integer(a->type) || cc_is_wide(a->type) || kind == CC_POINTER)
        return cc_sema_binary(p, CC_EQUAL, a, b, loc, loc);
    CcSymbol *compare = cc_library_function(p, "memcmp", loc);
    if (!compare)
        return cc_sema_error_expr(p, loc);
    CcExprList *list = cc_sema_expr_list(p, NULL, cc_sema_address(p, a, loc));
    list = cc_sema_expr_list(p, list, cc_sema_address(p, b, loc));
    list = cc_sema_expr_list(p, list, number(p, CC_ULONG, a->type->size, loc));
    CcExpr *order = cc_sema_call(p, cc_sema_variable(p, compare, loc), list, loc);
    return cc_sema_binary(p, CC_EQUAL, order, number(p, CC_INT, 0, loc), loc, loc);
}

/* __atomic_compare_exchange[_n](p, &expected, desired, weak, success, failure) */
static CcExpr *make_compare(CcParser *p, const Atomic *row, CcExpr *place, CcExpr **arguments, CcLoc loc)
{
    CcExpr *set, *expected = other_object(p, arguments[1], &set, loc), *desired, *old, *set_wanted = NULL;
    CcExpr *wanted = row->op == CC_DEREFERENCE ? other_object(p, arguments[2], &set_wanted, loc) : arguments[2];
    set = cc_sema_then(p, set, cc_sema_then(p, set_wanted, keep(p, place, wanted, &desired, loc), loc), loc);
    set = cc_sema_comma(p, cc_sema_comma(p, set, cc_sema_turn(p, loc), loc), keep(p, place, place, &old, loc), loc);
    if (cc_is_error(p, set) || cc_is_error(p, expected))
        return cc_sema_error_expr(p, loc);
    CcExpr *answer = cc_sema_variable(p, cc_sema_hidden_variable(p, "same", p->basic[CC_BOOL], false, loc), loc);
    CcExpr *same = cc_sema_assignment(p, answer, is_same(p, old, expected, loc), loc);
    set = cc_sema_comma(p, set, same, loc);
    set = cc_sema_comma(p, set, cc_sema_assignment(p, place, cc_sema_conditional(p, answer, desired, old, loc), loc),
                        loc);
    set = cc_sema_comma(p, set, cc_sema_assignment(p, expected, old, loc), loc);
    return cc_sema_comma(p, set, answer, loc);
}

/* test_and_set sets the flag to 1 and returns whether it was set before. clear and release set it to 0. */
static CcExpr *make_flag(CcParser *p, const Atomic *row, CcExpr *place, CcExpr **arguments, CcLoc loc)
{
    (void)arguments;
    if (place->type->kind == CC_VOID) {
        CcExpr *byte = cc_sema_dereference(p, cc_sema_cast_expr(p, p->char_pointer, place->left, loc), loc);
        place = cc_sema_marked(p, byte, place->mark);
    }
    CcExpr *set =
        cc_sema_assignment(p, place, cc_sema_cast_expr(p, place->type, number(p, CC_INT, row->old, loc), loc), loc);
    if (!row->old)
        return cc_sema_cast_expr(p, p->basic[CC_VOID], cc_sema_comma(p, cc_sema_turn(p, loc), set, loc), loc);
    CcExpr *old;
    CcExpr *was = keep(p, place, place, &old, loc);
    CcExpr *answer = cc_sema_convert(p, cc_sema_binary(p, CC_NOT_EQUAL, old, number(p, CC_INT, 0, loc), loc, loc),
                                     p->basic[CC_BOOL]);
    was = cc_sema_comma(p, cc_sema_turn(p, loc), was, loc);
    return cc_sema_comma(p, cc_sema_comma(p, was, set, loc), answer, loc);
}

static const Atomic rows[] = {
    {"__sync_fetch_and_add", 2, 99, make_operation, CC_ADD, true, false},
    {"__sync_fetch_and_sub", 2, 99, make_operation, CC_SUBTRACT, true, false},
    {"__sync_fetch_and_or", 2, 99, make_operation, CC_OR, true, false},
    {"__sync_fetch_and_and", 2, 99, make_operation, CC_AND, true, false},
    {"__sync_fetch_and_xor", 2, 99, make_operation, CC_XOR, true, false},
    {"__sync_fetch_and_nand", 2, 99, make_operation, CC_AND, true, true},
    {"__sync_add_and_fetch", 2, 99, make_operation, CC_ADD, false, false},
    {"__sync_sub_and_fetch", 2, 99, make_operation, CC_SUBTRACT, false, false},
    {"__sync_or_and_fetch", 2, 99, make_operation, CC_OR, false, false},
    {"__sync_and_and_fetch", 2, 99, make_operation, CC_AND, false, false},
    {"__sync_xor_and_fetch", 2, 99, make_operation, CC_XOR, false, false},
    {"__sync_nand_and_fetch", 2, 99, make_operation, CC_AND, false, true},
    {"__sync_bool_compare_and_swap", 3, 99, make_swap, CC_ASSIGN, false, false},
    {"__sync_val_compare_and_swap", 3, 99, make_swap, CC_ASSIGN, true, false},
    {"__sync_lock_test_and_set", 2, 99, make_exchange, CC_ASSIGN, true, false},
    {"__sync_lock_release", 1, 99, make_flag, CC_ASSIGN, false, false},
    {"__atomic_fetch_add", 3, 3, make_operation, CC_ADD, true, false},
    {"__atomic_fetch_sub", 3, 3, make_operation, CC_SUBTRACT, true, false},
    {"__atomic_fetch_or", 3, 3, make_operation, CC_OR, true, false},
    {"__atomic_fetch_and", 3, 3, make_operation, CC_AND, true, false},
    {"__atomic_fetch_xor", 3, 3, make_operation, CC_XOR, true, false},
    {"__atomic_fetch_nand", 3, 3, make_operation, CC_AND, true, true},
    {"__atomic_add_fetch", 3, 3, make_operation, CC_ADD, false, false},
    {"__atomic_sub_fetch", 3, 3, make_operation, CC_SUBTRACT, false, false},
    {"__atomic_or_fetch", 3, 3, make_operation, CC_OR, false, false},
    {"__atomic_and_fetch", 3, 3, make_operation, CC_AND, false, false},
    {"__atomic_xor_fetch", 3, 3, make_operation, CC_XOR, false, false},
    {"__atomic_nand_fetch", 3, 3, make_operation, CC_AND, false, true},
    {"__atomic_load_n", 2, 2, make_load, CC_ASSIGN, false, false},
    {"__atomic_store_n", 3, 3, make_store, CC_ASSIGN, false, false},
    {"__atomic_exchange_n", 3, 3, make_exchange, CC_ASSIGN, false, false},
    {"__atomic_load", 3, 3, make_indirect, CC_DEREFERENCE, false, false},
    {"__atomic_store", 3, 3, make_indirect, CC_ASSIGN, false, false},
    {"__atomic_exchange", 4, 4, make_indirect, CC_COMMA, false, false},
    {"__atomic_compare_exchange_n", 6, 6, make_compare, CC_ASSIGN, false, false},
    {"__atomic_compare_exchange", 6, 6, make_compare, CC_DEREFERENCE, false, false},
    {"__atomic_test_and_set", 2, 2, make_flag, CC_ASSIGN, true, false},
    {"__atomic_clear", 2, 2, make_flag, CC_ASSIGN, false, false},
};

/* Whether `name` is that of the row, with or without a size. */
static bool matches(const char *name, const char *row)
{
    size_t n = strlen(row);
    if (strncmp(name, row, n) != 0)
        return false;
    bool sized = name[n] == '_' && name[n + 1] && strchr("1248", name[n + 1]) && !name[n + 2];
    return !name[n] || sized;
}

/* __atomic_is_lock_free(size, p): an object is so if the machine has accesses of its size. */
static CcExpr *is_lock_free(CcParser *p, CcExprList *arguments, CcLoc loc)
{
    if (!arguments || arguments->count != 2) {
        cc_front_error(p, loc, "a question for lock-free accesses has two arguments: size and pointer");
        return cc_sema_error_expr(p, loc);
    }
    CcExpr *size,
        *set = cc_sema_once(p, cc_sema_cast_expr(p, p->basic[CC_ULONG], arguments->items[0], loc), &size, loc);
    CcExpr *one = number(p, CC_ULONG, 1, loc), *eight = number(p, CC_ULONG, 8, loc);
    CcExpr *small = cc_sema_binary(p, CC_LESS, cc_sema_binary(p, CC_SUBTRACT, size, one, loc, loc), eight, loc, loc);
    CcExpr *rest = cc_sema_binary(p, CC_AND, size, cc_sema_binary(p, CC_SUBTRACT, size, one, loc, loc), loc, loc);
    CcExpr *power = cc_sema_binary(p, CC_EQUAL, rest, number(p, CC_ULONG, 0, loc), loc, loc);
    CcExpr *answer = cc_sema_binary(p, CC_LOGICAL_AND, small, power, loc, loc);
    return cc_sema_then(p, set, cc_sema_convert(p, answer, p->basic[CC_BOOL]), loc);
}

/* -- memory orders (C11 7.17.3) ---------------------------------------------------------------- */

/* The mark of a memory order; one that is known only at run time may be any. */
static unsigned order_mark(CcParser *p, CcExpr *order)
{
    enum { RELAXED, CONSUME, ACQUIRE, RELEASE };
    order = order ? cc_sema_rvalue(p, order) : NULL;
    uint64_t number = order && cc_is_number(order) ? order->integer & 0xffff : UINT64_MAX; /* above: gcc's hints */
    switch (number) {
    case RELAXED: return VCODE_MARK_ATOMIC;
    case CONSUME:
    case ACQUIRE: return VCODE_MARK_ATOMIC | VCODE_MARK_ACQUIRE;
    case RELEASE: return VCODE_MARK_ATOMIC | VCODE_MARK_RELEASE;
    default: return VCODE_MARK_ATOMIC | VCODE_MARK_ACQUIRE | VCODE_MARK_RELEASE;
    }
}

/* The mark of the accesses of a row. What __sync_... names do not say is the strongest. */
static unsigned row_mark(CcParser *p, const Atomic *row, CcExpr **arguments)
{
    bool sync = g_str_has_prefix(row->name, "__sync_");
    unsigned first = row->make == make_compare ? 4 : row->arguments - 1;
    unsigned mark = order_mark(p, sync ? NULL : arguments[first]);
    if (row->make == make_compare)
        mark |= order_mark(p, arguments[first + 1]);
    if (sync && row->make == make_exchange)
        mark &= ~(unsigned)VCODE_MARK_RELEASE;
    bool update = row->make != make_load && row->make != make_store && (row->make != make_flag || row->old) &&
                  (row->make != make_indirect || row->op == CC_COMMA);
    return mark | (update ? VCODE_MARK_UPDATE : 0);
}

/* The built-ins that concern no object. A fence is a turn of the thread; that of a signal handler does nothing. NULL:
 * none of them. */
static CcExpr *call_fence(CcParser *p, const char *name, CcExprList *arguments, CcLoc loc)
{
    static const char *const fences[] = {"__sync_synchronize", "__atomic_thread_fence"};
    static const char *const questions[] = {"__atomic_always_lock_free", "__atomic_is_lock_free"};
    for (size_t i = 0; i < G_N_ELEMENTS(fences); i++)
        if (strcmp(name, fences[i]) == 0)
            return cc_sema_marked(p, cc_sema_turn(p, loc),
                                  order_mark(p, arguments && arguments->count ? arguments->items[0] : NULL));
    if (strcmp(name, "__atomic_signal_fence") == 0)
        return cc_sema_cast_expr(p, p->basic[CC_VOID], number(p, CC_INT, 0, loc), loc);
    for (size_t i = 0; i < G_N_ELEMENTS(questions); i++)
        if (strcmp(name, questions[i]) == 0)
            return is_lock_free(p, arguments, loc);
    return NULL;
}

/* Returns the object that the pointer points to, without qualifiers. Sets *set to the assignment that stores the
 * pointer in a hidden variable. */
static CcExpr *place_of(CcParser *p, const char *name, CcExpr *argument, CcExpr **set, CcLoc loc)
{
    CcExpr *pointer = cc_sema_rvalue(p, argument), *use;
    if (cc_is_error(p, pointer))
        return pointer;
    const CcType *target = pointer->type->kind == CC_POINTER ? pointer->type->target : NULL;
    if (!target || target->incomplete != (target->kind == CC_VOID) || target->kind == CC_FUNCTION) {
        cc_front_error(p, argument->loc, "first argument of '%s' is not a pointer to an object", name);
        return cc_sema_error_expr(p, loc);
    }
    CcType *plain = cc_type_pointer_to(p, cc_type_unqualified(p, (CcType *)target));
    *set = cc_sema_once(p, cc_sema_cast_expr(p, plain, pointer, loc), &use, loc);
    return cc_sema_dereference(p, use, loc);
}

CcExpr *cc_sema_call_atomic(CcParser *p, const CcIdent *ident, CcExprList *arguments, CcLoc loc)
{
    CcExpr *fence = call_fence(p, ident->text, arguments, loc);
    if (fence)
        return fence;
    unsigned n = arguments ? arguments->count : 0;
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        const Atomic *row = &rows[i];
        if (!matches(ident->text, row->name))
            continue;
        if (n < row->arguments || n > row->most) {
            cc_front_error(p, loc, "too %s arguments to '%s': expected %u, have %u",
                           n < row->arguments ? "few" : "many", ident->text, row->arguments, n);
            return cc_sema_error_expr(p, loc);
        }
        g_assert(arguments); /* every row has at least one argument */
        CcExpr *set = NULL, *place = place_of(p, ident->text, arguments->items[0], &set, loc);
        if (cc_is_error(p, place))
            return place;
        place = cc_sema_marked(p, place, row_mark(p, row, arguments->items));
        return cc_sema_then(p, set, row->make(p, row, place, arguments->items, loc), loc);
    }
    return NULL;
}
