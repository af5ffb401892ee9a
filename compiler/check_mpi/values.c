/* values.c - finds what an expression is: a constant, a communicator, a datatype, a piece of memory.
 *
 * A variable is followed to its value if it is set once and no other code can change it. A use before that would be
 * undefined, so the variable has this value at every use. Chains of variables are bounded (MAX_CHAIN), and constants
 * are computed once per variable. So the time stays linear.
 */
#include "compiler/arena/arena.h"
#include "compiler/check_mpi/unit.h"
#include "compiler/compiler.h"
#include "compiler/mpi_types/mpi_types.h"
#include "compiler/report/report.h"
#include "compiler/tree/tree.h"

#include <string.h>

enum { MAX_CHAIN = 16 };

/* -- constants --------------------------------------------------------------------------------- */

/* Returns the only expression that is ever assigned to the variable, or NULL. */
static const CcExpr *only_value(const CcMpiUnit *mpi, const CcExpr *lvalue)
{
    const CcMpiVariable *variable = lvalue->kind == CC_VARIABLE ? cc_mpi_variable(mpi, lvalue) : NULL;
    return variable && variable->writes == 1 && !variable->escapes ? variable->value : NULL;
}

/* Returns the only value of the variable or, if it has several, the value last assigned before this use. Returns NULL
 * if it is not known. */
static const CcExpr *value_here(const CcMpiUnit *mpi, const CcExpr *lvalue)
{
    const CcExpr *only = only_value(mpi, lvalue);
    return g_hash_table_contains(mpi->unreached, lvalue) ? NULL
           : only                                        ? only
                                                         : g_hash_table_lookup(mpi->values, lvalue);
}

const CcExpr *cc_mpi_followed(const CcMpiUnit *mpi, const CcExpr *e)
{
    e = cc_tree_without_casts(e);
    for (int i = 0; i < MAX_CHAIN && e->kind == CC_VARIABLE; i++) {
        const CcExpr *value = value_here(mpi, e);
        if (!value)
            break;
        e = cc_tree_without_casts(value);
    }
    return e;
}

static bool combine(CcExprKind kind, int64_t a, int64_t b, int64_t *value)
{
    switch (kind) {
    case CC_ADD: return !__builtin_add_overflow(a, b, value);
    case CC_SUBTRACT: return !__builtin_sub_overflow(a, b, value);
    case CC_MULTIPLY: return !__builtin_mul_overflow(a, b, value);
    case CC_DIVIDE:
    case CC_REMAINDER:
        if (b == 0 || (a == INT64_MIN && b == -1))
            return false;
        *value = kind == CC_DIVIDE ? a / b : a % b;
        return true;
    default: return false;
    }
}

static bool constant_of_variable(const CcMpiUnit *mpi, const CcExpr *e, int64_t *value)
{
    CcMpiVariable *variable = cc_mpi_variable(mpi, e);
    const CcExpr *only = only_value(mpi, e);
    if (!variable || g_hash_table_contains(mpi->unreached, e))
        return false;
    if (!only) {
        const CcExpr *here = g_hash_table_lookup(mpi->values, e);
        if (here)
            *value = (int64_t)here->integer;
        return here;
    }
    if (variable->state == CC_MPI_ASKING)
        return false;
    if (variable->state == CC_MPI_UNASKED) {
        variable->state = CC_MPI_ASKING;
        variable->state = cc_mpi_constant(mpi, only, &variable->number) ? CC_MPI_KNOWN : CC_MPI_UNKNOWN;
    }
    *value = variable->number;
    return variable->state == CC_MPI_KNOWN;
}

bool cc_mpi_constant(const CcMpiUnit *mpi, const CcExpr *e, int64_t *value)
{
    int64_t a, b;
    if (!cc_is_integer(e->type))
        return false;
    switch (e->kind) {
    case CC_NUMBER: *value = (int64_t)e->integer; return true;
    case CC_VARIABLE: return constant_of_variable(mpi, e, value);
    case CC_CAST:
        if (!cc_mpi_constant(mpi, e->left, &a))
            return false;
        *value = (int64_t)cc_type_canonical(cc_type_integer_of(e->type), (uint64_t)a);
        return e->type->kind != CC_BOOL;
    case CC_NEGATE: return cc_mpi_constant(mpi, e->left, &a) && combine(CC_SUBTRACT, 0, a, value);
    case CC_ADD:
    case CC_SUBTRACT:
    case CC_MULTIPLY:
    case CC_DIVIDE:
    case CC_REMAINDER:
        return cc_mpi_constant(mpi, e->left, &a) && cc_mpi_constant(mpi, e->right, &b) && combine(e->kind, a, b, value);
    default: return false;
    }
}

bool cc_mpi_same_expression(const CcExpr *a, const CcExpr *b)
{
    a = cc_tree_without_casts(a);
    b = cc_tree_without_casts(b);
    if (a->kind != b->kind)
        return false;
    switch (a->kind) {
    case CC_NUMBER: return cc_is_scalar(a->type) && a->integer == b->integer && a->real == b->real;
    case CC_VARIABLE: return a->symbol == b->symbol;
    case CC_MEMBER: return a->member == b->member && cc_mpi_same_expression(a->left, b->left);
    case CC_DECAY:
    case CC_ADDRESS:
    case CC_DEREFERENCE:
    case CC_NOT:
    case CC_NEGATE: return cc_mpi_same_expression(a->left, b->left);
    case CC_ADD:
    case CC_SUBTRACT:
    case CC_MULTIPLY:
    case CC_DIVIDE:
    case CC_REMAINDER:
    case CC_EQUAL:
    case CC_NOT_EQUAL:
    case CC_LESS:
    case CC_LESS_EQUAL:
    case CC_GREATER:
    case CC_GREATER_EQUAL:
    case CC_LOGICAL_AND:
    case CC_LOGICAL_OR: return cc_mpi_same_expression(a->left, b->left) && cc_mpi_same_expression(a->right, b->right);
    default: return false;
    }
}

bool cc_mpi_same_value(const CcMpiUnit *mpi, const CcExpr *a, const CcExpr *b)
{
    int64_t x, y;
    if (cc_mpi_constant(mpi, a, &x) && cc_mpi_constant(mpi, b, &y))
        return x == y;
    a = cc_tree_without_casts(a);
    b = cc_tree_without_casts(b);
    const CcMpiVariable *variable = cc_mpi_variable(mpi, a);
    return a->kind == CC_VARIABLE && b->kind == CC_VARIABLE && a->symbol == b->symbol && variable &&
           variable->writes <= 1 && !variable->escapes;
}

/* -- handles ----------------------------------------------------------------------------------- */

bool cc_mpi_is_type(const CcType *type, const char *tag)
{
    if (type->kind == CC_POINTER)
        type = type->target;
    return type->kind == CC_STRUCT && type->tag->name && strcmp(type->tag->name, tag) == 0;
}

int cc_mpi_handle(const CcExpr *e, CcMpiHandle kind)
{
    static const char *const tags[] = {[CC_MPI_COMM] = "orrery_comm",
                                       [CC_MPI_GROUP] = "orrery_group",
                                       [CC_MPI_TYPE_HANDLE] = "orrery_datatype",
                                       [CC_MPI_OP] = "orrery_op",
                                       [CC_MPI_REQUEST] = "orrery_request"};
    if (e->type->kind != CC_POINTER || !cc_mpi_is_type(e->type, tags[kind]))
        return -1;
    e = cc_tree_without_casts(e);
    return e->kind == CC_NUMBER && e->integer >> 32 == (uint64_t)kind ? (int)(e->integer & 0xffff) : -1;
}

CcMpiComm cc_mpi_comm(const CcMpiUnit *mpi, const CcExpr *e)
{
    for (int i = 0; i < MAX_CHAIN; i++) {
        e = cc_tree_without_casts(e);
        int index = cc_mpi_handle(e, CC_MPI_COMM);
        if (index >= 0)
            return (CcMpiComm){index, NULL};
        const CcMpiVariable *variable = cc_mpi_variable(mpi, e);
        const CcExpr *here = e->kind == CC_VARIABLE ? g_hash_table_lookup(mpi->values, e) : NULL;
        if (here) {
            e = here;
            continue;
        }
        if (!variable)
            return (CcMpiComm){0, e->kind == CC_VARIABLE ? (const void *)e->symbol
                                  : e->kind == CC_MEMBER ? e->member
                                                         : NULL};
        const CcExpr *only = only_value(mpi, e);
        const CcExpr *copied =
            variable->writes == 1 && variable->set_as == NEW_COMM
                ? variable->setter->expr->arguments[cc_mpi_find_role(variable->setter->function, COMM, 0)]
                : NULL;
        if (!only && !copied)
            return (CcMpiComm){0, e->kind == CC_VARIABLE ? (const void *)e->symbol : e->member};
        e = only ? only : copied;
    }
    return (CcMpiComm){0, NULL};
}

bool cc_mpi_same_comm(CcMpiComm a, CcMpiComm b)
{
    return cc_mpi_comm_known(a) && a.index == b.index && a.key == b.key;
}

/* -- datatypes --------------------------------------------------------------------------------- */

static CcMpiType predefined(const CcMpiItem *item)
{
    CcMpiType type = {item, true, true, item->bytes, item->bytes, item->bytes};
    return type;
}

/* Derives a datatype from another: MPI_Type_contiguous(count, old, new), MPI_Type_vector(count, length, stride, old,
 * new), MPI_Type_dup(old, new). */
static void derive(const CcMpiUnit *mpi, const CcMpiCall *call, CcMpiType *type)
{
    const char *name = call->function->name;
    CcExpr **arguments = call->expr->arguments;
    bool vector = strcmp(name, "Type_vector") == 0;
    int64_t count = 0, length = 1, stride = 1;
    uint64_t old = type->extent;
    type->predefined = false;
    if (strcmp(name, "Type_dup") == 0)
        return;
    if (!vector && strcmp(name, "Type_contiguous") != 0) {
        type->sized = false;
        if (strstr(name, "struct") || strstr(name, "resized"))
            type->item = NULL;
        return;
    }
    type->sized =
        type->sized && old == type->span && cc_mpi_constant(mpi, arguments[0], &count) &&
        (!vector || (cc_mpi_constant(mpi, arguments[1], &length) && cc_mpi_constant(mpi, arguments[2], &stride))) &&
        count > 0 && length > 0 && stride > 0 && count < 1 << 30 && length < 1 << 30 && stride < 1 << 30 &&
        old < 1 << 30;
    if (!type->sized)
        return;
    if (!vector)
        stride = 1;
    type->sized = !__builtin_mul_overflow(type->bytes, (uint64_t)(count * length), &type->bytes) &&
                  !__builtin_mul_overflow(old, (uint64_t)((count - 1) * stride + length), &type->span);
    type->extent = type->span;
}

CcMpiType cc_mpi_type(const CcMpiUnit *mpi, const CcExpr *e)
{
    const CcMpiCall *made[MAX_CHAIN];
    unsigned n = 0;
    for (int i = 0; i < MAX_CHAIN; i++) {
        e = cc_tree_without_casts(e);
        const CcMpiItem *item = cc_mpi_item(cc_mpi_handle(e, CC_MPI_TYPE_HANDLE));
        if (item) {
            CcMpiType type = predefined(item);
            while (n > 0)
                derive(mpi, made[--n], &type);
            return type;
        }
        const CcMpiVariable *variable = e->kind == CC_VARIABLE ? cc_mpi_variable(mpi, e) : NULL;
        const CcExpr *here = variable ? g_hash_table_lookup(mpi->values, e) : NULL;
        if (here) {
            e = here;
            continue;
        }
        if (!variable || variable->writes != 1 || variable->escapes)
            break;
        if (variable->set_as == NEW_TYPE) {
            unsigned old = cc_mpi_find_role(variable->setter->function, TYPE_ONLY, 0);
            if (old == CC_MPI_MAX_ROLES)
                break;
            made[n++] = variable->setter;
            e = variable->setter->expr->arguments[old];
        } else if (variable->value) {
            e = variable->value;
        } else {
            break;
        }
    }
    return (CcMpiType){0};
}

/* -- memory ------------------------------------------------------------------------------------ */

static const CcExpr *without_void_casts(const CcExpr *e)
{
    while (e->kind == CC_CAST && e->type->kind == CC_POINTER && e->type->target->kind == CC_VOID &&
           e->left->type->kind == CC_POINTER)
        e = e->left;
    return e;
}

static bool locate(const CcMpiUnit *mpi, const CcExpr *pointer, CcMpiMemory *memory, int chain);

static bool locate_object(const CcMpiUnit *mpi, const CcExpr *lvalue, CcMpiMemory *memory, int chain)
{
    switch (lvalue->kind) {
    case CC_VARIABLE:
    case CC_COMPOUND:
        memory->object = lvalue->symbol;
        memory->sized = !lvalue->type->incomplete && !lvalue->type->variable && lvalue->type->size > 0 &&
                        !(cc_is_aggregate(lvalue->type) && lvalue->type->tag->flexible) &&
                        !cc_type_has_variable_size(lvalue->type);
        memory->bytes = lvalue->type->size;
        return true;
    case CC_STRING:
        memory->string = lvalue;
        memory->sized = true;
        memory->bytes = lvalue->string_size;
        return true;
    case CC_MEMBER:
        if (!lvalue->left->lvalue || !locate_object(mpi, lvalue->left, memory, chain))
            return false;
        memory->offset += lvalue->member->offset;
        return true;
    case CC_DEREFERENCE: return locate(mpi, lvalue->left, memory, chain);
    default: return false;
    }
}

/* Finds the memory of a pointer that is set once, by malloc() or calloc(), or to another pointer. */
static bool locate_pointer(const CcMpiUnit *mpi, const CcExpr *e, CcMpiMemory *memory, int chain)
{
    const CcExpr *only = only_value(mpi, e);
    if (!only || chain <= 0)
        return false;
    only = cc_tree_without_casts(only);
    if (only->kind != CC_CALL)
        return only->type->kind == CC_POINTER && locate(mpi, only, memory, chain - 1);
    const CcSymbol *callee = cc_tree_callee(only);
    bool malloc_ = callee && strcmp(callee->name, "malloc") == 0 && only->n_arguments == 1;
    bool calloc_ = callee && strcmp(callee->name, "calloc") == 0 && only->n_arguments == 2;
    if (!malloc_ && !calloc_)
        return false;
    int64_t size = 0, number = 1;
    memory->object = e->symbol;
    memory->allocation = only;
    memory->sized = cc_mpi_constant(mpi, only->arguments[0], &size) &&
                    (malloc_ || cc_mpi_constant(mpi, only->arguments[1], &number)) &&
                    !__builtin_mul_overflow(size, number, &size) && size > 0;
    memory->bytes = (uint64_t)size;
    return true;
}

static bool locate(const CcMpiUnit *mpi, const CcExpr *e, CcMpiMemory *memory, int chain)
{
    while (e->kind == CC_CAST && e->left->type->kind == CC_POINTER)
        e = e->left;
    int64_t index;
    switch (e->kind) {
    case CC_DECAY:
    case CC_ADDRESS: return locate_object(mpi, e->left, memory, chain);
    case CC_VARIABLE: return locate_pointer(mpi, e, memory, chain);
    case CC_ADD:
        if (!locate(mpi, e->left, memory, chain))
            return false;
        if (e->type->target->size > 0 && cc_mpi_constant(mpi, e->right, &index) && index >= 0 && index < 1 << 30 &&
            e->type->target->size < (uint64_t)1 << 30)
            memory->offset += (uint64_t)index * e->type->target->size;
        else
            memory->exact = false;
        return true;
    default: return false;
    }
}

CcMpiMemory cc_mpi_memory(const CcMpiUnit *mpi, const CcExpr *argument)
{
    CcMpiMemory memory = {.expr = without_void_casts(argument), .exact = true};
    const CcExpr *bare = cc_tree_without_casts(argument);
    if (bare->kind == CC_NUMBER) {
        memory.constant = true;
        memory.is_null = bare->integer == 0;
        memory.in_place = bare->integer == UINT64_MAX;
        return memory;
    }
    const CcType *type = memory.expr->type;
    if (type->kind == CC_POINTER && type->target->kind != CC_VOID) {
        memory.item = type->target;
        while (memory.item->kind == CC_ARRAY)
            memory.item = memory.item->target;
    }
    if (!locate(mpi, memory.expr, &memory, MAX_CHAIN)) {
        memory.object = NULL;
        memory.string = NULL;
        memory.sized = false;
    }
    if (!memory.exact)
        memory.offset = 0;
    if (memory.offset > memory.bytes)
        memory.sized = false; /* left to other warnings */
    memory.bytes -= MIN(memory.offset, memory.bytes);
    return memory;
}

const char *cc_mpi_memory_name(const CcMpiUnit *mpi, const CcMpiMemory *memory)
{
    if (memory->string)
        return "the string";
    if (!memory->object || !memory->object->name || !g_ascii_isalpha(memory->object->name[0]))
        return "the buffer";
    g_autofree char *name = g_strdup_printf("'%s'", memory->object->name);
    return cc_arena_strdup(mpi->unit->arena, name, strlen(name));
}

void cc_mpi_note_memory(const CcMpiUnit *mpi, const CcMpiMemory *memory)
{
    if (memory->allocation)
        cc_report(mpi->unit, CC_NOTE, memory->allocation->loc, NULL, "%s is allocated here",
                  cc_mpi_memory_name(mpi, memory));
    else if (memory->object && memory->object->loc.line)
        cc_report(mpi->unit, CC_NOTE, memory->object->loc, NULL, "%s is declared here",
                  cc_mpi_memory_name(mpi, memory));
}

CcMpiMemory cc_mpi_place(const CcMpiUnit *mpi, const CcExpr *lvalue)
{
    CcMpiMemory memory = {.expr = lvalue, .exact = true};
    if (!locate_object(mpi, lvalue, &memory, MAX_CHAIN))
        return (CcMpiMemory){.expr = lvalue};
    if (!memory.exact)
        memory.offset = 0;
    return memory;
}
