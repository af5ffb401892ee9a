/* symbols.c - makes symbols of the module when they are first mentioned, so that unused prototypes in headers cost
 * nothing.
 */
#include "compiler/arena/arena.h"
#include "compiler/ir/ir.h"
#include "compiler/link/link_names.h"
#include "compiler/lower/lower.h"
#include "compiler/lower/lowering.h"
#include "compiler/object/object.h"
#include "compiler/tree/tree.h"

/* Returns 1 + the number of registers that a call of this function passes; 0 if it is unknown. The value of an
 * undefined function's symbol holds it. The linker needs it for the stub of a function of the simulator whose address
 * is taken. */
static uint64_t argument_registers(const CcSymbol *symbol)
{
    const CcType *type = symbol->type;
    if (type->kind != CC_FUNCTION)
        return 0;
    uint32_t fixed;
    bool variadic = cc_lower_is_variadic(symbol, type, &fixed);
    if (type->old_style && !variadic)
        return 0;
    return (1 + fixed + variadic + (cc_by_address(type->target) ? 1 : 0)) | (variadic ? CC_VALUE_VARIADIC : 0);
}

bool cc_lower_is_defined(const CcSymbol *symbol)
{
    if (symbol->kind == CC_SYM_FUNCTION)
        return symbol->body;
    return symbol->kind == CC_SYM_VARIABLE && (symbol->defined || symbol->tentative || symbol->init) && !symbol->alias;
}

static const char *link_name(const CcSymbol *symbol)
{
    return symbol->link_name ? symbol->link_name : symbol->name;
}

/* Marks symbols whose object may have other names. An object that this unit defines has only the names that this unit
 * gives it, because an alias and its target are in the same unit. Two names of objects that are, or may be, defined
 * elsewhere may mean the same object. */
static void note_foreign(CcGenerate *g, const CcSymbol *symbol, uint32_t index)
{
    bool settled = cc_lower_is_defined(symbol) || symbol->alias;
    if (symbol->weak)
        cc_object_set_foreign(g, index, CC_FOREIGN_OR_ABSENT);
    else if (!settled || g_hash_table_contains(g->renamed, link_name(symbol)))
        cc_object_set_foreign(g, index, CC_FOREIGN);
}

uint32_t cc_lower_symbol(CcGenerate *g, CcSymbol *symbol)
{
    CcStorageInfo *info = symbol->back;
    if (info)
        return info->symbol;
    info = CC_NEW(g->unit->arena, CcStorageInfo);
    info->where = CC_IN_MODULE;
    info->symbol = g->module->symbols.count;
    symbol->back = info;
    g_ptr_array_add(g->referred, symbol);
    VcodeSymbol record = {
        .name = vcode_string(g->module, link_name(symbol)),
        .section = VCODE_SECTION_UNDEFINED,
        .binding = symbol->storage == CC_STATIC ? VCODE_LOCAL
                   : symbol->weak               ? VCODE_WEAK
                                                : VCODE_GLOBAL,
        .value = argument_registers(symbol),
        .file = cc_object_file(g, symbol->loc.file),
        .line = symbol->loc.line,
        .alias = VCODE_NONE,
    };
    *vcode_push(g->module, symbols) = record;
    note_foreign(g, symbol, info->symbol);
    uint32_t type = cc_debug_type(g->debug, symbol->type);
    g->module->symbols.items[info->symbol].type = type;
    return info->symbol;
}
