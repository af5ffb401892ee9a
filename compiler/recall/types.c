/* types.c - C types out of records of debug information. */
#include "compiler/recall/parts.h"

#include <string.h>

CcRecall *cc_recall_new(CcParser *p, const VcodeModule *module)
{
    CcRecall *recall = CC_NEW(p->arena, CcRecall);
    recall->p = p;
    recall->module = module;
    recall->types = cc_arena_alloc(p->arena, (module->types.count + 1) * sizeof *recall->types);
    memset(recall->types, 0, (module->types.count + 1) * sizeof *recall->types);
    return recall;
}

/* Several basic types have the same kind and size: the name tells them apart. */
static CcType *basic(const CcRecall *recall, const VcodeType *record)
{
    static const struct {
        const char *name;
        CcKind kind;
    } names[] = {
        {"char", CC_CHAR},
        {"signed char", CC_SCHAR},
        {"unsigned char", CC_UCHAR},
        {"short", CC_SHORT},
        {"unsigned short", CC_USHORT},
        {"int", CC_INT},
        {"unsigned int", CC_UINT},
        {"long", CC_LONG},
        {"unsigned long", CC_ULONG},
        {"long long", CC_LLONG},
        {"unsigned long long", CC_ULLONG},
        {"__int128", CC_INT128},
        {"float", CC_FLOAT},
        {"unsigned __int128", CC_UINT128},
        {"double", CC_DOUBLE},
        {"long double", CC_LDOUBLE},
        {"float _Complex", CC_CFLOAT},
        {"double _Complex", CC_CDOUBLE},
        {"_Bool", CC_BOOL},
        {"long double _Complex", CC_CLDOUBLE},
    };
    const char *name = vcode_text(recall->module, record->name);
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
        if (strcmp(names[i].name, name) == 0 && recall->p->basic[names[i].kind]->size == record->size)
            return recall->p->basic[names[i].kind];
    return recall->p->basic[CC_INT];
}

static CcSymbol *length_symbol(CcRecall *recall, const char *name)
{
    static const CcLoc nowhere = {0, 0, 0, 0};
    CcParser *p = recall->p;
    return cc_scope_new_symbol(p, CC_SYM_VARIABLE, cc_scope_ident(p, name, strlen(name))->text, p->basic[CC_ULONG],
                               nowhere);
}

static CcType *array(CcRecall *recall, const VcodeType *record)
{
    const char *length = vcode_text(recall->module, record->name);
    CcType *type = cc_type_array_of(recall->p, cc_recall_type(recall, record->target), record->count);
    if (*length) {
        type->variable = true;
        type->size = 0;
        type->length_symbol = length_symbol(recall, length);
    } else {
        type->incomplete = record->count == 0;
    }
    return type;
}

static CcType *function(CcRecall *recall, const VcodeType *record)
{
    CcParser *p = recall->p;
    CcType **parameters = cc_arena_alloc(p->arena, (record->count + 1) * sizeof(CcType *));
    for (uint32_t i = 0; i < record->count; i++)
        parameters[i] = cc_recall_type(recall, recall->module->members.items[record->first + i].type);
    return cc_type_function(p, cc_recall_type(recall, record->target), parameters, record->count, false,
                            record->count == 0);
}

static CcMember member(CcRecall *recall, const VcodeMember *record)
{
    CcParser *p = recall->p;
    const char *name = vcode_text(recall->module, record->name);
    return (CcMember){.name = *name ? cc_scope_ident(p, name, strlen(name))->text : NULL,
                      .type = cc_recall_type(recall, record->type),
                      .offset = (uint64_t)record->value,
                      .bit_offset = record->bit_offset,
                      .bit_width = record->bit_width,
                      .bit_field = record->bit_width > 0,
                      .reach = (uint8_t)((record->bit_offset + record->bit_width + 7) / 8)};
}

/* A struct is there before its members, which may point to it. */
static void fill_struct(CcRecall *recall, const VcodeType *record, CcType *type)
{
    CcTag *tag = type->tag;
    tag->members = cc_arena_alloc(recall->p->arena, (record->count + 1) * sizeof *tag->members);
    for (uint32_t i = 0; i < record->count; i++) {
        tag->members[i] = member(recall, &recall->module->members.items[record->first + i]);
        tag->align = MAX(tag->align, tag->members[i].type->align);
        tag->depth = MAX(tag->depth, MIN(cc_type_depth(tag->members[i].type) + 1, CC_MAX_TYPE_DEPTH));
    }
    tag->n_members = record->count;
    tag->size = record->size;
    tag->complete = record->size > 0 || record->count > 0;
    cc_type_complete_tag(type);
}

static void fill_enum(CcRecall *recall, const VcodeType *record, CcType *type)
{
    static const CcLoc nowhere = {0, 0, 0, 0};
    CcParser *p = recall->p;
    CcTag *tag = type->tag;
    if (record->target != VCODE_NONE)
        type->target = cc_recall_type(recall, record->target);
    tag->enumerators = cc_arena_alloc(p->arena, (record->count + 1) * sizeof(CcSymbol *));
    for (uint32_t i = 0; i < record->count; i++) {
        const VcodeMember *item = &recall->module->members.items[record->first + i];
        const char *name = vcode_text(recall->module, item->name);
        tag->enumerators[i] = cc_scope_new_symbol(p, CC_SYM_ENUMERATOR, cc_scope_ident(p, name, strlen(name))->text,
                                                  p->basic[CC_INT], nowhere);
        tag->enumerators[i]->value = item->value;
    }
    tag->n_enumerators = record->count;
    tag->size = (uint32_t)record->size;
    tag->align = (uint32_t)record->size;
    tag->complete = true;
    cc_type_complete_tag(type);
}

static CcType *tagged(CcRecall *recall, uint32_t index, const VcodeType *record)
{
    static const CcLoc nowhere = {0, 0, 0, 0};
    CcParser *p = recall->p;
    const char *name = vcode_text(recall->module, record->name);
    CcKind kind = record->kind == VCODE_TYPE_STRUCT ? CC_STRUCT : record->kind == VCODE_TYPE_UNION ? CC_UNION : CC_ENUM;
    CcType *type = cc_type_tag(p, kind, *name ? cc_scope_ident(p, name, strlen(name))->text : NULL, nowhere);
    recall->types[index] = type;
    if (kind == CC_ENUM)
        fill_enum(recall, record, type);
    else
        fill_struct(recall, record, type);
    return type;
}

static CcType *alias(CcRecall *recall, const VcodeType *record)
{
    CcType *type = cc_type_copy(recall->p, cc_recall_type(recall, record->target));
    const char *name = vcode_text(recall->module, record->name);
    type->name = cc_scope_ident(recall->p, name, strlen(name))->text;
    return type;
}

static CcType *recalled(CcRecall *recall, uint32_t index)
{
    const VcodeType *record = &recall->module->types.items[index];
    switch ((VcodeTypeKind)record->kind) {
    case VCODE_TYPE_VOID: return recall->p->basic[CC_VOID];
    case VCODE_TYPE_POINTER: return cc_type_pointer_to(recall->p, cc_recall_type(recall, record->target));
    case VCODE_TYPE_ARRAY: return array(recall, record);
    case VCODE_TYPE_STRUCT:
    case VCODE_TYPE_UNION:
    case VCODE_TYPE_ENUM: return tagged(recall, index, record);
    case VCODE_TYPE_FUNCTION: return function(recall, record);
    case VCODE_TYPE_TYPEDEF: return alias(recall, record);
    default: return basic(recall, record);
    }
}

static bool is_tagged(uint32_t kind)
{
    return kind == VCODE_TYPE_STRUCT || kind == VCODE_TYPE_UNION || kind == VCODE_TYPE_ENUM;
}

/* Types lead back to themselves through structs. So whoever needs a type that is being recalled gets a shell of it, to
 * be filled. */
static CcType *fill_shell(CcType *shell, const CcType *made)
{
    *shell = *made;
    if (made->tag) {
        shell->next_variant = made->tag->variants;
        made->tag->variants = shell;
    }
    return shell;
}

CcType *cc_recall_type(CcRecall *recall, uint32_t index)
{
    if (index >= recall->module->types.count)
        return recall->p->basic[CC_VOID];
    if (recall->types[index])
        return recall->types[index];
    if (recall->depth == CC_MAX_TYPE_DEPTH)
        return recall->p->basic[CC_INT];
    const uint32_t kind = recall->module->types.items[index].kind;
    bool derived = kind == VCODE_TYPE_POINTER || kind == VCODE_TYPE_ARRAY || kind == VCODE_TYPE_FUNCTION ||
                   kind == VCODE_TYPE_TYPEDEF;
    CcType *shell = derived ? CC_NEW(recall->p->arena, CcType) : NULL;
    if (shell)
        *shell = *recall->p->basic[CC_INT];
    recall->types[index] = shell;
    recall->depth++;
    CcType *type = recalled(recall, index);
    recall->depth--;
    if (shell && type != shell)
        type = fill_shell(shell, type);
    if (shell || is_tagged(kind) || !type->back)
        type->back = GUINT_TO_POINTER(index + 1);
    return recall->types[index] = type;
}
