/* names.c - what names of a program mean, by its debug information. */
#include "compiler/recall/parts.h"

#include <string.h>

static const CcLoc nowhere = {0, 0, 0, 0};

static bool is_called(const VcodeModule *module, uint32_t text, const char *name)
{
    return strcmp(vcode_text(module, text), name) == 0;
}

static uint32_t find_function(const VcodeModule *module, const char *name)
{
    for (uint32_t i = 0; i < module->functions.count; i++)
        if (is_called(module, module->functions.items[i].name, name))
            return i;
    return VCODE_NONE;
}

static const VcodeMember *find_enumerator(const VcodeModule *module, const char *name, uint32_t *of)
{
    for (uint32_t i = 0; i < module->types.count; i++) {
        const VcodeType *type = &module->types.items[i];
        for (uint32_t k = 0; type->kind == VCODE_TYPE_ENUM && k < type->count; k++)
            if (is_called(module, module->members.items[type->first + k].name, name)) {
                *of = i;
                return &module->members.items[type->first + k];
            }
    }
    return NULL;
}

static bool has_tag(uint32_t kind)
{
    return kind == VCODE_TYPE_STRUCT || kind == VCODE_TYPE_UNION || kind == VCODE_TYPE_ENUM;
}

/* A complete struct is preferred to one of which only the tag is known. */
static uint32_t find_type(const VcodeModule *module, const char *name, bool tag)
{
    uint32_t found = VCODE_NONE;
    for (uint32_t i = 0; i < module->types.count; i++) {
        const VcodeType *type = &module->types.items[i];
        if ((tag ? has_tag(type->kind) : type->kind == VCODE_TYPE_TYPEDEF) && is_called(module, type->name, name) &&
            (found == VCODE_NONE || module->types.items[found].size == 0))
            found = i;
    }
    return found;
}

/* Parameters are the variables that say so, in their order. */
static CcType *function_type(CcRecall *recall, uint32_t index)
{
    CcParser *p = recall->p;
    const VcodeModule *module = recall->module;
    const VcodeFunction *function = &module->functions.items[index];
    CcType *result =
        function->return_type == VCODE_NONE ? p->basic[CC_INT] : cc_recall_type(recall, function->return_type);
    CcType **parameters = cc_arena_alloc(p->arena, (function->parameters + 1u) * sizeof *parameters);
    unsigned n = 0;
    for (uint32_t i = 0; i < module->variables.count && n < function->parameters; i++) {
        const VcodeVariable *variable = &module->variables.items[i];
        if (variable->function == index && variable->inlined == VCODE_NONE &&
            (variable->flags & VCODE_VARIABLE_PARAMETER) != 0)
            parameters[n++] = cc_recall_type(recall, variable->type);
    }
    bool known = n == function->parameters;
    return cc_type_function(p, result, parameters, known ? n : 0, (function->flags & VCODE_FUNCTION_VARIADIC) != 0,
                            !known);
}

static CcSymbol *meaning(CcRecall *recall, const char *name, uint32_t variable)
{
    CcParser *p = recall->p;
    const VcodeModule *module = recall->module;
    const VcodeMember *enumerator;
    CcSymbol *symbol = NULL;
    uint32_t index;
    if (variable != VCODE_NONE) {
        CcType *type = cc_recall_type(recall, module->variables.items[variable].type);
        symbol = cc_scope_new_symbol(p, CC_SYM_VARIABLE, name, type, nowhere);
        symbol->value = variable;
    } else if ((index = find_function(module, name)) != VCODE_NONE) {
        symbol = cc_scope_new_symbol(p, CC_SYM_FUNCTION, name, function_type(recall, index), nowhere);
        symbol->value = index;
    } else if ((enumerator = find_enumerator(module, name, &index))) { /* C11 6.7.2.2p3, and like gcc beyond */
        bool fits = enumerator->value >= INT32_MIN && enumerator->value <= INT32_MAX;
        bool positive = enumerator->value >= 0 && enumerator->value <= UINT32_MAX;
        symbol = cc_scope_new_symbol(p, CC_SYM_ENUMERATOR, name,
                                     p->basic[fits       ? CC_INT
                                              : positive ? CC_UINT
                                                         : CC_LONG],
                                     nowhere);
        symbol->value = enumerator->value;
    } else if ((index = find_type(module, name, false)) != VCODE_NONE) {
        symbol = cc_scope_new_symbol(p, CC_SYM_TYPEDEF, name, cc_recall_type(recall, index), nowhere);
    }
    return symbol;
}

void cc_recall_name(CcRecall *recall, const char *name, uint32_t variable)
{
    CcParser *p = recall->p;
    CcIdent *ident = cc_scope_ident(p, name, strlen(name));
    if (ident->keyword || ident->ordinary || ident->tag)
        return;
    CcSymbol *symbol = meaning(recall, ident->text, variable);
    if (symbol) {
        symbol->storage = CC_EXTERN;
        symbol->file_scope = symbol->defined = true;
        cc_scope_bind(p, p->file_scope, ident, symbol);
    }
    uint32_t tag = find_type(recall->module, name, true);
    if (tag != VCODE_NONE)
        cc_scope_bind_tag(p, p->file_scope, ident, cc_recall_type(recall, tag));
}

CcType *cc_recall_enum(CcRecall *recall, const char *name)
{
    uint32_t index;
    const CcIdent *ident = cc_scope_ident(recall->p, name, strlen(name));
    bool other = !ident->ordinary || ident->ordinary->symbol->kind != CC_SYM_ENUMERATOR;
    return other || !find_enumerator(recall->module, name, &index) ? NULL : cc_recall_type(recall, index);
}

bool cc_recall_knows(const VcodeModule *module, const char *name)
{
    uint32_t of;
    return find_function(module, name) != VCODE_NONE || find_enumerator(module, name, &of) ||
           find_type(module, name, false) != VCODE_NONE;
}
