/* unit.c - the translation unit: compiles the typed tree to an object, one function after another.
 *
 *  lower -> inline -> scalars -> places in the frame -> optimise -> registers -> emit
 *
 * Functions and objects with external linkage are always compiled, in the order of their declarations. Static and
 * inline ones are compiled when something refers to them, in the order of these references. A function is finished
 * after the functions that it calls and that may be inlined. Functions that call each other in a cycle are finished in
 * the order in which they are met. Static functions that can be inlined are compiled at the very end, and only if
 * something still refers to them.
 *
 * The linker finds constructors and destructors by local symbols named CC_CONSTRUCTOR_NAME and CC_DESTRUCTOR_NAME that
 * stand for the function.
 */
#include "compiler/arena/arena.h"
#include "compiler/compiler.h"
#include "compiler/emit/emit.h"
#include "compiler/ir/ir.h"
#include "compiler/link/link_names.h"
#include "compiler/lower/lower.h"
#include "compiler/object/object.h"
#include "compiler/optimise/optimise.h"
#include "compiler/pipeline.h"
#include "compiler/report/report.h"
#include "compiler/tree/tree.h"

#include <string.h>

/* C11 6.7.4p7: an inline definition is not an external definition. A weak copy is kept all the same, so that calls that
 * are not inlined find it. An external definition elsewhere overrides the copy. */
static bool is_inline_definition(const CcSymbol *symbol)
{
    return symbol->kind == CC_SYM_FUNCTION && symbol->inline_ && !symbol->always_emit && symbol->storage != CC_STATIC;
}

static bool is_made_always(const CcSymbol *symbol)
{
    if (symbol->constructor || symbol->destructor)
        return true;
    return symbol->storage != CC_STATIC && !is_inline_definition(symbol);
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

/* -- one function ------------------------------------------------------------------------------ */

static void dump(CcGenerate *g, const CcIrFunction *f)
{
    const CcOptions *options = g->unit->options;
    if (options->dump && options->dump_stages && strstr(options->dump_stages, "ir"))
        cc_ir_dump(f, g->module, options->dump);
}

static void finish_function(CcGenerate *g, const CcLowered *lowered)
{
    CcIrFunction *f = lowered->f;
    if (f->frame_bytes <= INT32_MAX) {
        if (g->unit->options->optimise > 0) {
            cc_scalars_replace(f, true);
            cc_scalars_expand_blocks(f);
        }
        cc_ir_frame_finish(f, g->unit->options->optimise > 0);
        f->module = g->module;
        f->foreign = g->foreign;
        cc_optimise(f, g->unit->options->optimise);
        cc_optimise_legalise(f);
        dump(g, f);
        cc_assign_registers(f);
        cc_emit_function(g, f);
        for (uint32_t i = 0; i < lowered->n_labels; i++)
            lowered->labels[i]->pc = lowered->labels[i]->block->pc;
    }
    cc_arena_free(f->arena);
}

static void define_function(CcGenerate *g, CcSymbol *symbol, const CcLowered *lowered)
{
    if (is_inline_definition(symbol))
        g->module->symbols.items[cc_lower_symbol(g, symbol)].binding = VCODE_WEAK;
    finish_function(g, lowered);
    if (symbol->constructor)
        announce(g, symbol, CC_CONSTRUCTOR_NAME, symbol->constructor_priority);
    if (symbol->destructor)
        announce(g, symbol, CC_DESTRUCTOR_NAME, symbol->destructor_priority);
}

/* -- the order of functions -------------------------------------------------------------------- */

/* A function that is lowered and waits for the functions that it calls. */
typedef struct Work {
    CcSymbol *symbol;
    CcLowered lowered;
    uint32_t next_call; /* index of the next of its calls to look at */
} Work;

static void start(CcGenerate *g, GArray *stack, CcSymbol *symbol)
{
    Work work = {symbol, cc_lower_function(g, symbol), 0};
    g_array_append_val(stack, work);
}

/* Returns the next function that the innermost open function calls, that may be inlined, and that has not been started
 * yet. Returns NULL if there is none. */
static CcSymbol *next_callee(Work *work)
{
    const CcIrFunction *f = work->lowered.f;
    while (work->next_call < f->n_calls) {
        CcSymbol *symbol = f->calls[work->next_call++].function;
        CcStorageInfo *info = symbol ? symbol->back : NULL;
        if (!info || info->emitted || !cc_inline_may(symbol))
            continue;
        info->emitted = true;
        return symbol;
    }
    return NULL;
}

static bool can_wait(const CcSymbol *symbol)
{
    return (symbol->storage == CC_STATIC || is_inline_definition(symbol)) && !symbol->constructor &&
           !symbol->destructor;
}

static void finish(CcGenerate *g, const Work *work)
{
    CcSymbol *symbol = work->symbol;
    CcStorageInfo *info = symbol->back;
    cc_inline_calls(g, work->lowered.f);
    cc_scalars_replace(work->lowered.f, false);
    cc_ir_frame_pack(work->lowered.f);
    info->expansion = cc_inline_keep(g, work->lowered.f);
    if (!info->expansion || !can_wait(symbol)) {
        define_function(g, symbol, &work->lowered);
        return;
    }
    g_ptr_array_add(g->delayed, symbol);
    cc_arena_free(work->lowered.f->arena);
}

static void make_function(CcGenerate *g, CcSymbol *symbol)
{
    if (g->unit->options->optimise == 0) {
        CcLowered lowered = cc_lower_function(g, symbol);
        define_function(g, symbol, &lowered);
        return;
    }
    g_autoptr(GArray) stack = g_array_new(FALSE, FALSE, sizeof(Work));
    start(g, stack, symbol);
    while (stack->len) {
        Work *work = &g_array_index(stack, Work, stack->len - 1);
        CcSymbol *callee = next_callee(work);
        if (callee) {
            start(g, stack, callee);
            continue;
        }
        Work done = *work;
        g_array_set_size(stack, stack->len - 1);
        finish(g, &done);
    }
}

/* Compiles the delayed functions that are needed. Compiling one may make others needed. */
static void make_delayed(CcGenerate *g)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (guint i = g->delayed->len; i-- > 0;) { /* callees were delayed before their callers */
            CcSymbol *symbol = g_ptr_array_index(g->delayed, i);
            CcStorageInfo *info = symbol->back;
            if (!info->expansion || !cc_object_is_needed(g, info->symbol))
                continue;
            CcLowered lowered = {.f = cc_inline_copy(info->expansion, cc_arena_new())};
            info->expansion = NULL;
            define_function(g, symbol, &lowered);
            changed = true;
        }
    }
}

/* -- definitions ------------------------------------------------------------------------------- */

static void lower_definition(CcGenerate *g, CcSymbol *symbol)
{
    uint32_t index = cc_lower_symbol(g, symbol);
    CcStorageInfo *info = symbol->back;
    if (symbol->kind == CC_SYM_FUNCTION && symbol->storage == CC_STATIC && !symbol->body && !symbol->alias)
        cc_report(g->unit, CC_SEVERITY_ERROR, symbol->loc, NULL, "'%s' is used and declared 'static' but never defined",
                  symbol->name);
    if (info->emitted || !cc_lower_is_defined(symbol))
        return;
    info->emitted = true;
    if (symbol->kind == CC_SYM_VARIABLE) {
        cc_lower_object(g, symbol);
        if (symbol->file_scope)
            cc_debug_global(g->debug, symbol, index);
        return;
    }
    make_function(g, symbol);
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

static void lower_definitions(CcGenerate *g)
{
    for (guint i = 0; i < g->unit->symbols->len; i++) {
        CcSymbol *symbol = g_ptr_array_index(g->unit->symbols, i);
        if (cc_lower_is_defined(symbol) && is_made_always(symbol))
            lower_definition(g, symbol);
    }
    for (guint i = 0; i < g->referred->len; i++) /* the array grows during the loop */
        lower_definition(g, g_ptr_array_index(g->referred, i));
    make_delayed(g);
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

/* Lowers aliases. Runs twice: before the definitions, so that the targets are known to be needed, and afterwards, to
 * copy the targets' final section and offset. */
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
        cc_object_set_needed(g, of);
        if (symbol->weak && !finished) /* its name may stand for an object of another unit, or for this one */
            cc_object_set_foreign(g, of, target->weak ? CC_FOREIGN_OR_ABSENT : CC_FOREIGN);
        VcodeSymbol *record = &g->module->symbols.items[index];
        const VcodeSymbol *original = &g->module->symbols.items[of];
        record->alias = of;
        record->section = original->section;
        record->value = original->value;
        record->size = original->size;
        record->align = original->align;
    }
}

VcodeModule *cc_unit_generate(CcUnit *unit)
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
    for (guint i = 0; unit->options->debug && !unit->options->library && i < unit->enums->len; i++)
        (void)cc_debug_type(g.debug, g_ptr_array_index(unit->enums, i));
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
