/* types.c - creates types (C11 6.2.5, 6.2.7); tree/types.c compares and prints them.
 *
 * A basic type exists once per unit (parser->basic). A derived type is created anew for each use and compared by
 * structure. A struct, union or enum is one CcTag, with a CcType ("variant") for each set of qualifiers or typedef
 * name. Completing the tag updates all its variants.
 */
#include "compiler/arena/arena.h"
#include "compiler/front/front.h"
#include "compiler/tree/tree.h"

/* -- making ------------------------------------------------------------------------------------ */

static CcType *new_type(CcParser *p, CcKind kind, uint64_t size, uint32_t align)
{
    CcType *type = CC_NEW(p->arena, CcType);
    type->kind = kind;
    type->size = size;
    type->align = align;
    return type;
}

void cc_types_init(CcParser *p)
{
    static const struct {
        CcKind kind;
        uint8_t size, align;
    } basic[] = {
        {CC_VOID, 0, 1},      {CC_BOOL, 1, 1},   {CC_CHAR, 1, 1},    {CC_SCHAR, 1, 1},    {CC_UCHAR, 1, 1},
        {CC_SHORT, 2, 2},     {CC_USHORT, 2, 2}, {CC_INT, 4, 4},     {CC_UINT, 4, 4},     {CC_LONG, 8, 8},
        {CC_ULONG, 8, 8},     {CC_LLONG, 8, 8},  {CC_ULLONG, 8, 8},  {CC_INT128, 16, 16}, {CC_UINT128, 16, 16},
        {CC_FLOAT, 4, 4},     {CC_DOUBLE, 8, 8}, {CC_LDOUBLE, 8, 8}, {CC_CFLOAT, 8, 4},   {CC_CDOUBLE, 16, 8},
        {CC_CLDOUBLE, 16, 8},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(basic); i++)
        p->basic[basic[i].kind] = new_type(p, basic[i].kind, basic[i].size, basic[i].align);
    p->basic[CC_CHAR]->unsigned_char = p->unit->options->unsigned_char;
    p->error_type = new_type(p, CC_INT, 4, 4);
    p->char_pointer = cc_type_pointer_to(p, p->basic[CC_CHAR]);
    p->const_char_pointer = cc_type_pointer_to(p, cc_type_qualified(p, p->basic[CC_CHAR], CC_CONST));
    p->void_pointer = cc_type_pointer_to(p, p->basic[CC_VOID]);
    p->const_void_pointer = cc_type_pointer_to(p, cc_type_qualified(p, p->basic[CC_VOID], CC_CONST));
}

CcType *cc_type_pointer_to(CcParser *p, CcType *target)
{
    CcType *type = new_type(p, CC_POINTER, 8, 8);
    type->target = target;
    return type;
}

CcType *cc_type_array_of(CcParser *p, CcType *element, uint64_t length)
{
    CcType *type = new_type(p, CC_ARRAY, element->size * length, element->align);
    type->target = element;
    type->length = length;
    return type;
}

CcType *cc_type_function(CcParser *p, CcType *result, CcType **parameters, unsigned n, bool variadic, bool old_style)
{
    CcType *type = new_type(p, CC_FUNCTION, 0, 1);
    type->target = result;
    type->parameters = parameters;
    type->n_parameters = n;
    type->variadic = variadic;
    type->old_style = old_style;
    return type;
}

CcType *cc_type_tag(CcParser *p, CcKind kind, const char *name, CcLoc loc)
{
    CcTag *tag = CC_NEW(p->arena, CcTag);
    tag->name = name;
    tag->loc = loc;
    tag->align = 1;
    CcType *type = new_type(p, kind, 0, 1);
    type->tag = tag;
    type->incomplete = true;
    tag->variants = type;
    if (p->unit->uses)
        cc_uses_add_tag(p, type);
    if (kind == CC_ENUM) { /* like gcc: an incomplete enum is usable as int */
        type->target = p->basic[CC_INT];
        tag->size = tag->align = 4;
        type->size = type->align = 4;
        type->incomplete = false;
    }
    return type;
}

void cc_type_complete_tag(CcType *type)
{
    const CcTag *tag = type->tag;
    for (CcType *variant = tag->variants; variant; variant = variant->next_variant) {
        variant->size = tag->size;
        variant->align = tag->align;
        variant->incomplete = !tag->complete;
        variant->target = type->target;
    }
}

CcType *cc_type_copy(CcParser *p, const CcType *type)
{
    CcType *copy = CC_NEW(p->arena, CcType);
    *copy = *type;
    copy->back = NULL;
    copy->next_variant = NULL;
    if (type->tag) {
        copy->next_variant = type->tag->variants;
        type->tag->variants = copy;
    }
    return copy;
}

CcType *cc_type_qualified(CcParser *p, CcType *type, unsigned qualifiers)
{
    if (type == p->error_type || (type->qualifiers & qualifiers) == qualifiers)
        return type;
    CcType *copy = cc_type_copy(p, type);
    if (type->kind == CC_ARRAY) /* C11 6.7.3p9 */
        copy->target = cc_type_qualified(p, type->target, qualifiers);
    else
        copy->qualifiers |= (uint8_t)qualifiers;
    bool whole = type->size <= 16 && (type->size & (type->size - 1)) == 0;
    if (qualifiers & CC_ATOMIC && whole) /* like gcc: no object is in two lines of a cache */
        copy->align = MAX(copy->align, (uint32_t)type->size);
    return copy;
}

CcType *cc_type_unqualified(CcParser *p, CcType *type)
{
    if (type->qualifiers == 0)
        return type;
    if (type->kind <= CC_CLDOUBLE)
        return p->basic[type->kind];
    CcType *copy = cc_type_copy(p, type);
    copy->qualifiers = 0;
    if (type->tag && type->qualifiers & CC_ATOMIC)
        copy->align = type->tag->align;
    return copy;
}

CcType *cc_type_evaluated(CcParser *p, CcType *type)
{
    if (!cc_type_is_variably_modified(type))
        return type;
    CcType *copy = cc_type_copy(p, type);
    copy->length_expr = NULL;
    copy->target = cc_type_evaluated(p, type->target);
    return copy;
}

CcType *cc_type_composite(CcParser *p, CcType *a, CcType *b)
{
    if (a == b || a->kind != b->kind)
        return a;
    if (a->kind == CC_ARRAY) {
        bool take_b = (a->incomplete && !b->incomplete) || (a->variable && !b->variable && !b->incomplete);
        CcType *known = take_b ? b : a; /* 6.2.7p3: a constant length wins */
        CcType *element = cc_type_composite(p, a->target, b->target);
        if (element == known->target)
            return known;
        CcType *result = cc_type_copy(p, known);
        result->target = element;
        return result;
    }
    if (a->kind == CC_POINTER) {
        CcType *target = cc_type_composite(p, a->target, b->target);
        if (target == a->target)
            return a;
        CcType *result = cc_type_copy(p, a);
        result->target = target;
        return result;
    }
    if (a->kind != CC_FUNCTION)
        return a;
    if (a->old_style)
        return b->old_style ? a : b;
    if (b->old_style)
        return a;
    CcType **parameters = cc_arena_alloc(p->arena, (a->n_parameters + 1) * sizeof *parameters);
    for (uint32_t i = 0; i < a->n_parameters; i++)
        parameters[i] = cc_type_composite(p, a->parameters[i], b->parameters[i]);
    return cc_type_function(p, cc_type_composite(p, a->target, b->target), parameters, a->n_parameters, a->variadic,
                            false);
}
