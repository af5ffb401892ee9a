/* types.c - queries on types: sizes, members, compatibility (C11 6.2.7), names for messages. */
#include "compiler/tree/tree.h"

#include <inttypes.h>
#include <string.h>

const CcType *cc_type_integer_of(const CcType *type)
{
    return type->kind == CC_ENUM ? type->target : type;
}

bool cc_type_is_signed(const CcType *type)
{
    type = cc_type_integer_of(type);
    switch (type->kind) {
    case CC_CHAR: return !type->unsigned_char;
    case CC_SCHAR:
    case CC_SHORT:
    case CC_INT:
    case CC_LONG:
    case CC_LLONG:
    case CC_INT128: return true;
    default: return false;
    }
}

uint64_t cc_type_canonical(const CcType *type, uint64_t value)
{
    if (type->kind == CC_BOOL)
        return value != 0;
    if (!cc_is_integer(type) || type->size >= 8)
        return value;
    unsigned shift = 64 - cc_bits(type);
    return cc_type_is_signed(type) ? (uint64_t)((int64_t)(value << shift) >> shift) : value << shift >> shift;
}

unsigned cc_type_depth(const CcType *type)
{
    unsigned n = 0;
    bool inside = true; /* only arrays hold their target inside; pointers and functions do not */
    for (; type->kind == CC_POINTER || type->kind == CC_ARRAY || type->kind == CC_FUNCTION; type = type->target) {
        inside &= type->kind == CC_ARRAY;
        n++;
    }
    return n + (inside && type->tag ? type->tag->depth : 0);
}

bool cc_type_has_variable_size(const CcType *type)
{
    return type->kind == CC_ARRAY && type->variable;
}

bool cc_type_is_variably_modified(const CcType *type)
{
    for (; type; type = type->target) {
        if (cc_type_has_variable_size(type))
            return true;
        if (type->kind != CC_ARRAY && type->kind != CC_POINTER)
            return false;
    }
    return false;
}

const CcMember *cc_type_find_member(const CcType *type, const char *name, uint64_t *offset)
{
    for (uint32_t i = 0; i < type->tag->n_members; i++) {
        const CcMember *member = &type->tag->members[i];
        if (member->name == name && name) {
            *offset = member->offset;
            return member;
        }
        if (!member->name && cc_is_aggregate(member->type)) {
            const CcMember *inner = cc_type_find_member(member->type, name, offset);
            if (inner) {
                *offset += member->offset;
                return inner;
            }
        }
    }
    return NULL;
}

CcType *cc_type_complex_part(const CcType *type)
{
    static const CcType parts[] = {{.kind = CC_FLOAT, .size = 4, .align = 4},
                                   {.kind = CC_DOUBLE, .size = 8, .align = 8},
                                   {.kind = CC_LDOUBLE, .size = 8, .align = 8}};
    g_assert(cc_is_complex(type));
    return (CcType *)&parts[type->kind - CC_CFLOAT];
}

/* -- compatible types -------------------------------------------------------------------------- */

static bool compatible_functions(const CcType *a, const CcType *b)
{
    if (!cc_types_compatible_unqualified(a->target, b->target))
        return false;
    if (a->old_style || b->old_style) {
        const CcType *prototype = a->old_style ? b : a;
        if (prototype->old_style)
            return true;
        if (prototype->variadic)
            return false;
        for (uint32_t i = 0; i < prototype->n_parameters; i++) { /* C11 6.7.6.3p15: promotion must not change it */
            const CcType *type = cc_type_integer_of(prototype->parameters[i]);
            if (type->kind == CC_FLOAT || (type->kind >= CC_BOOL && type->kind <= CC_USHORT))
                return false;
        }
        return true;
    }
    if (a->n_parameters != b->n_parameters || a->variadic != b->variadic)
        return false;
    for (uint32_t i = 0; i < a->n_parameters; i++)
        if (!cc_types_compatible_unqualified(a->parameters[i], b->parameters[i]))
            return false;
    return true;
}

static bool compatible_arrays(const CcType *a, const CcType *b)
{
    if (!cc_types_compatible(a->target, b->target))
        return false;
    return a->incomplete || b->incomplete || a->variable || b->variable || a->length == b->length;
}

bool cc_types_compatible_unqualified(const CcType *a, const CcType *b)
{
    if (a == b)
        return true;
    if (a->kind == CC_ENUM && b->kind != CC_ENUM)
        a = a->target;
    else if (b->kind == CC_ENUM && a->kind != CC_ENUM)
        b = b->target;
    if (a->kind != b->kind)
        return false;
    switch (a->kind) {
    case CC_POINTER: return cc_types_compatible(a->target, b->target);
    case CC_ARRAY: return compatible_arrays(a, b);
    case CC_FUNCTION: return compatible_functions(a, b);
    case CC_STRUCT:
    case CC_UNION:
    case CC_ENUM: return a->tag == b->tag;
    default: return true;
    }
}

bool cc_types_compatible(const CcType *a, const CcType *b)
{
    return a->qualifiers == b->qualifiers && cc_types_compatible_unqualified(a, b);
}

/* -- names ------------------------------------------------------------------------------------- */

static const char *const basic_names[] = {
    [CC_VOID] = "void",
    [CC_BOOL] = "_Bool",
    [CC_CHAR] = "char",
    [CC_SCHAR] = "signed char",
    [CC_UCHAR] = "unsigned char",
    [CC_SHORT] = "short",
    [CC_USHORT] = "unsigned short",
    [CC_INT] = "int",
    [CC_UINT] = "unsigned int",
    [CC_LONG] = "long",
    [CC_ULONG] = "unsigned long",
    [CC_LLONG] = "long long",
    [CC_ULLONG] = "unsigned long long",
    [CC_INT128] = "__int128",
    [CC_UINT128] = "unsigned __int128",
    [CC_FLOAT] = "float",
    [CC_DOUBLE] = "double",
    [CC_LDOUBLE] = "long double",
    [CC_CFLOAT] = "float _Complex",
    [CC_CDOUBLE] = "double _Complex",
    [CC_CLDOUBLE] = "long double _Complex",
    [CC_ENUM] = "enum",
    [CC_STRUCT] = "struct",
    [CC_UNION] = "union",
};

static void print_qualifiers(GString *out, unsigned qualifiers)
{
    if (qualifiers & CC_CONST)
        g_string_append(out, "const ");
    if (qualifiers & CC_VOLATILE)
        g_string_append(out, "volatile ");
    if (qualifiers & CC_RESTRICT)
        g_string_append(out, "restrict ");
    if (qualifiers & CC_ATOMIC)
        g_string_append(out, "_Atomic ");
}

static void print_base(const CcType *type, GString *out)
{
    print_qualifiers(out, type->qualifiers);
    if (type->name)
        g_string_append(out, type->name);
    else
        g_string_append(out, basic_names[type->kind]);
    if (type->tag && !type->name)
        g_string_append_printf(out, " %s", type->tag->name ? type->tag->name : "<anonymous>");
}

/* Appends the type to `out`. `inside` is the declarator so far; each derivation, the outermost first, wraps it.
 * `levels` bounds the recursion. */
static void print_type(const CcType *type, GString *inside, unsigned levels, GString *out);

static void print_function(const CcType *type, GString *inside, unsigned levels)
{
    g_string_append_c(inside, '(');
    for (uint32_t i = 0; i < type->n_parameters; i++) {
        GString *parameter = g_string_new(NULL), *empty = g_string_new(NULL);
        if (i)
            g_string_append(inside, ", ");
        print_type(type->parameters[i], empty, levels + 1, parameter);
        g_string_append(inside, parameter->str);
        g_string_free(parameter, TRUE);
        g_string_free(empty, TRUE);
    }
    if (type->variadic)
        g_string_append(inside, type->n_parameters ? ", ..." : "...");
    else if (type->n_parameters == 0 && !type->old_style)
        g_string_append(inside, "void");
    g_string_append_c(inside, ')');
}

static void print_type(const CcType *type, GString *inside, unsigned levels, GString *out)
{
    enum { DEEPEST = 32 };
    bool after_pointer = false;
    for (; !type->name && (type->kind == CC_POINTER || type->kind == CC_ARRAY || type->kind == CC_FUNCTION);
         type = type->target) {
        if (levels++ > DEEPEST) {
            g_string_append(out, "...");
            return;
        }
        if (type->kind == CC_POINTER) {
            GString *star = g_string_new("*");
            if (type->qualifiers) {
                print_qualifiers(star, type->qualifiers);
                if (inside->len == 0)
                    g_string_truncate(star, star->len - 1);
            }
            g_string_prepend(inside, star->str);
            g_string_free(star, TRUE);
            after_pointer = true;
            continue;
        }
        if (after_pointer) {
            g_string_prepend_c(inside, '(');
            g_string_append_c(inside, ')');
        }
        after_pointer = false;
        if (type->kind == CC_FUNCTION)
            print_function(type, inside, levels);
        else if (type->incomplete)
            g_string_append(inside, "[]");
        else if (type->variable)
            g_string_append(inside, "[*]");
        else
            g_string_append_printf(inside, "[%" PRIu64 "]", type->length);
    }
    print_base(type, out);
    if (inside->len) {
        if (inside->str[0] != '[')
            g_string_append_c(out, ' ');
        g_string_append(out, inside->str);
    }
}

char *cc_type_name(const CcType *type)
{
    return cc_type_declaration(type, NULL);
}

char *cc_type_declaration(const CcType *type, const char *name)
{
    GString *out = g_string_new(NULL), *inside = g_string_new(name);
    print_type(type, inside, 0, out);
    g_string_free(inside, TRUE);
    return g_string_free(out, FALSE);
}
