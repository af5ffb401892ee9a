/* lower_unit.c - the translation unit: typed tree to object.
 *
 * Functions and objects with external linkage are always made, in the order of their declaration; static and inline
 * ones when something refers to them, in the order in which that happens. A symbol of the module is made at its first
 * mention, so headers full of prototypes cost nothing.
 *
 * Constructors and destructors are announced to the linker by local symbols named CC_CONSTRUCTOR_NAME and
 * CC_DESTRUCTOR_NAME that stand for the function.
 */
#include "compiler/lower.h"

#include "compiler/linker.h"
#include <string.h>

uint32_t cc_lower_file(CcGenerate *g, uint32_t file)
{
    if (file >= g->unit->files->len)
        return VCODE_NONE;
    if (g->files[file] == VCODE_NONE)
        g->files[file] = vcode_file(g->module, g_ptr_array_index(g->unit->files, file));
    return g->files[file];
}

static void note(GByteArray *per_symbol, uint32_t symbol, uint8_t value)
{
    if (symbol >= per_symbol->len) {
        guint old = per_symbol->len;
        g_byte_array_set_size(per_symbol, MAX(symbol + 1, old * 2));
        memset(per_symbol->data + old, 0, per_symbol->len - old);
    }
    per_symbol->data[symbol] = value;
}

static void set_needed(CcGenerate *g, uint32_t symbol)
{
    note(g->needed, symbol, 1);
}

void cc_reloc(CcGenerate *g, VcodeRelocKind kind, uint32_t symbol, uint64_t where, int64_t addend, uint32_t file,
              uint32_t line)
{
    VcodeReloc *reloc = vcode_push(g->module, relocs);
    *reloc = (VcodeReloc){kind, symbol, where, addend, file, line};
    set_needed(g, symbol);
}

bool cc_is_needed(const CcGenerate *g, uint32_t symbol)
{
    return symbol < g->needed->len && g->needed->data[symbol];
}

/* Registers that a call of this function passes, plus one; 0: nobody knows. Kept in the value of undefined functions,
 * so that the linker can make a stub for a function of the simulator whose address is taken. */
static uint64_t argument_registers(const CcSymbol *symbol)
{
    const CcType *type = symbol->type;
    if (type->kind != CC_FUNCTION)
        return 0;
    uint32_t fixed;
    bool variadic = cc_is_variadic(symbol, type, &fixed);
    if (type->old_style && !variadic)
        return 0;
    return (1 + fixed + variadic + (cc_by_address(type->target) ? 1 : 0)) | (variadic ? CC_VALUE_VARIADIC : 0);
}

static bool is_defined(const CcSymbol *symbol)
{
    if (symbol->kind == CC_SYM_FUNCTION)
        return symbol->body;
    return symbol->kind == CC_SYM_VARIABLE && (symbol->defined || symbol->tentative || symbol->init) && !symbol->alias;
}

static const char *link_name(const CcSymbol *symbol)
{
    return symbol->link_name ? symbol->link_name : symbol->name;
}

/* An object that this unit defines has the names that this unit gives it and no others: an alias stands in the same
 * unit as its target. Of what is defined elsewhere, or may be, two names may be one object's. */
static void note_foreign(CcGenerate *g, const CcSymbol *symbol, uint32_t index)
{
    bool settled = is_defined(symbol) || symbol->alias;
    if (symbol->weak)
        note(g->foreign, index, CC_FOREIGN_OR_ABSENT);
    else if (!settled || g_hash_table_contains(g->renamed, link_name(symbol)))
        note(g->foreign, index, CC_FOREIGN);
}

static void find_renamed(CcGenerate *g)
{
    g->renamed = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint i = 0; i < g->unit->symbols->len; i++) {
        CcSymbol *symbol = g_ptr_array_index(g->unit->symbols, i);
        if (symbol->storage != CC_STATIC && symbol->link_name && strcmp(symbol->link_name, symbol->name) != 0)
            g_hash_table_add(g->renamed, (gpointer)symbol->link_name);
    }
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
        .file = cc_lower_file(g, symbol->loc.file),
        .line = symbol->loc.line,
        .alias = VCODE_NONE,
    };
    *vcode_push(g->module, symbols) = record;
    note_foreign(g, symbol, info->symbol);
    uint32_t type = cc_debug_type(g->debug, symbol->type);
    g->module->symbols.items[info->symbol].type = type;
    return info->symbol;
}

/* C11 6.7.4p7: an inline definition is not an external one. We keep a weak copy all the same, so that a call that is
 * not expanded finds it; an external definition elsewhere wins. */
bool cc_is_inline_definition(const CcSymbol *symbol)
{
    return symbol->kind == CC_SYM_FUNCTION && symbol->inline_ && !symbol->always_emit && symbol->storage != CC_STATIC;
}

static bool is_made_always(const CcSymbol *symbol)
{
    if (symbol->constructor || symbol->destructor)
        return true;
    return symbol->storage != CC_STATIC && !cc_is_inline_definition(symbol);
}

static void announce(CcGenerate *g, CcSymbol *symbol, const char *kind, unsigned priority)
{
    char name[32];
    g_snprintf(name, sizeof name, priority ? "%s.%05u" : "%s", kind, priority);
    VcodeSymbol record = g->module->symbols.items[cc_lower_symbol(g, symbol)];
    record.name = vcode_string(g->module, name);
    record.binding = VCODE_LOCAL;
    *vcode_push(g->module, symbols) = record;
}

static void lower_definition(CcGenerate *g, CcSymbol *symbol)
{
    uint32_t index = cc_lower_symbol(g, symbol);
    CcStorageInfo *info = symbol->back;
    if (symbol->kind == CC_SYM_FUNCTION && symbol->storage == CC_STATIC && !symbol->body && !symbol->alias)
        cc_report(g->unit, CC_SEVERITY_ERROR, symbol->loc, NULL, "'%s' is used and declared 'static' but never defined",
                  symbol->name);
    if (info->emitted || !is_defined(symbol))
        return;
    info->emitted = true;
    if (symbol->kind == CC_SYM_VARIABLE) {
        cc_lower_object(g, symbol);
        if (symbol->file_scope)
            cc_debug_global(g->debug, symbol, index);
        return;
    }
    cc_make_function(g, symbol);
}

void cc_define_function(CcGenerate *g, CcSymbol *symbol, const CcLowered *lowered)
{
    if (cc_is_inline_definition(symbol))
        g->module->symbols.items[cc_lower_symbol(g, symbol)].binding = VCODE_WEAK;
    cc_finish_function(g, lowered);
    if (symbol->constructor)
        announce(g, symbol, CC_CONSTRUCTOR_NAME, symbol->constructor_priority);
    if (symbol->destructor)
        announce(g, symbol, CC_DESTRUCTOR_NAME, symbol->destructor_priority);
}

static void lower_definitions(CcGenerate *g)
{
    for (guint i = 0; i < g->unit->symbols->len; i++) {
        CcSymbol *symbol = g_ptr_array_index(g->unit->symbols, i);
        if (is_defined(symbol) && is_made_always(symbol))
            lower_definition(g, symbol);
    }
    for (guint i = 0; i < g->referred->len; i++) /* it grows meanwhile */
        lower_definition(g, g_ptr_array_index(g->referred, i));
    cc_make_delayed(g);
}

static CcSymbol *find_symbol(const CcGenerate *g, const char *name)
{
    for (guint i = 0; i < g->unit->symbols->len; i++) {
        CcSymbol *symbol = g_ptr_array_index(g->unit->symbols, i);
        if (symbol->file_scope && strcmp(symbol->name, name) == 0)
            return symbol;
    }
    return NULL;
}

/* An alias needs its target before the definitions are made, and takes over its place afterwards. */
static void lower_aliases(CcGenerate *g, bool finished)
{
    for (guint i = 0; i < g->unit->symbols->len; i++) {
        CcSymbol *symbol = g_ptr_array_index(g->unit->symbols, i);
        if (!symbol->alias)
            continue;
        CcSymbol *target = find_symbol(g, symbol->alias);
        if (!target || target == symbol) {
            if (!finished)
                cc_report(g->unit, CC_SEVERITY_ERROR, symbol->loc, NULL,
                          "'%s' is an alias of '%s', which this file does not define", symbol->name, symbol->alias);
            continue;
        }
        uint32_t index = cc_lower_symbol(g, symbol), of = cc_lower_symbol(g, target);
        set_needed(g, of);
        if (symbol->weak && !finished) /* it may be an object elsewhere, or this one */
            note(g->foreign, of, target->weak ? CC_FOREIGN_OR_ABSENT : CC_FOREIGN);
        VcodeSymbol *record = &g->module->symbols.items[index];
        const VcodeSymbol *original = &g->module->symbols.items[of];
        record->alias = of;
        record->section = original->section;
        record->value = original->value;
        record->size = original->size;
        record->align = original->align;
    }
}

VcodeModule *cc_generate(CcUnit *unit)
{
    CcGenerate g = {.unit = unit, .module = vcode_module_new(VCODE_OBJECT)};
    g.zero_string = vcode_string(g.module, "");
    g.files = g_new(uint32_t, unit->files->len + 1);
    for (guint i = 0; i < unit->files->len; i++)
        g.files[i] = VCODE_NONE;
    g.debug = cc_debug_new(&g);
    g.referred = g_ptr_array_new();
    g.patches = g_array_new(FALSE, FALSE, sizeof(CcLabelPatch));
    g.needed = g_byte_array_new();
    g.foreign = g_byte_array_new();
    find_renamed(&g);
    g.delayed = g_ptr_array_new();
    g.expansions = cc_arena_new();
    lower_aliases(&g, false);
    lower_definitions(&g);
    lower_aliases(&g, true);
    cc_lower_label_patches(&g);
    g_array_free(g.patches, TRUE);
    g_byte_array_free(g.needed, TRUE);
    g_byte_array_free(g.foreign, TRUE);
    g_hash_table_destroy(g.renamed);
    g_ptr_array_free(g.delayed, TRUE);
    cc_arena_free(g.expansions);
    g_ptr_array_free(g.referred, TRUE);
    cc_debug_free(g.debug);
    if (g.addresses)
        g_hash_table_destroy(g.addresses);
    if (g.strings)
        g_hash_table_destroy(g.strings);
    g_free(g.files);
    return g.module;
}
