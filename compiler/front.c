/* front.c - the front end as a whole: text in, typed tree out.
 */
#include "compiler/checks.h"
#include "compiler/macros.h"
#include "compiler/tokens.h"
#include "grammar.h"

#include <string.h>

static CcUnit *new_unit(const char *text, size_t size, const char *name, const CcOptions *options,
                        CcDiagnostics *diagnostics)
{
    CcArena *arena = cc_arena_new();
    CcUnit *unit = CC_NEW(arena, CcUnit);
    unit->arena = arena;
    unit->options = options;
    unit->diagnostics = diagnostics;
    unit->files = g_ptr_array_new();
    unit->symbols = g_ptr_array_new();
    unit->name = cc_strdup(arena, name, strlen(name));
    unit->front = CC_NEW(arena, CcFront);
    unit->front->text = text;
    unit->front->size = size;
    unit->front->system = g_byte_array_new();
    unit->front->markers = g_array_new(FALSE, FALSE, sizeof(CcMarker));
    unit->front->includers = g_array_new(FALSE, TRUE, sizeof(CcIncluder));
    unit->front->choices = g_array_new(FALSE, FALSE, sizeof(CcChoices));
    unit->front->choice_stack = g_array_new(FALSE, FALSE, sizeof(CcChoices));
    return unit;
}

void cc_unit_free(CcUnit *unit)
{
    if (!unit)
        return;
    g_ptr_array_free(unit->files, TRUE);
    g_ptr_array_free(unit->symbols, TRUE);
    g_byte_array_free(unit->front->system, TRUE);
    g_array_free(unit->front->markers, TRUE);
    g_array_free(unit->front->includers, TRUE);
    g_array_free(unit->front->choices, TRUE);
    g_array_free(unit->front->choice_stack, TRUE);
    cc_macros_free(unit->front);
    if (unit->front->joined)
        g_string_free(unit->front->joined, TRUE);
    cc_arena_free(unit->arena);
}

/* Names that every unit knows. */
static void declare_predefined(CcParser *p)
{
    static const CcLoc nowhere = {0, 0, 0, 0};
    CcSymbol *list = cc_symbol_new(p, CC_SYM_TYPEDEF, "__builtin_va_list", cc_copy_type(p, p->char_pointer), nowhere);
    list->type->name = "va_list";
    cc_bind(p, p->file_scope, cc_ident(p, list->name, strlen(list->name)), list);
    static const char *const wide[] = {"__int128_t", "__uint128_t"};
    for (int i = 0; i < 2; i++) {
        CcSymbol *symbol = cc_symbol_new(p, CC_SYM_TYPEDEF, wide[i], p->basic[CC_INT128 + i], nowhere);
        cc_bind(p, p->file_scope, cc_ident(p, wide[i], strlen(wide[i])), symbol);
    }
}

static void parser_open(CcParser *p, CcUnit *unit, const char *text, size_t size)
{
    p->unit = unit;
    p->arena = unit->arena;
    p->line = 1;
    p->file_names = g_hash_table_new(g_str_hash, g_str_equal);
    p->linkage = g_hash_table_new(g_str_hash, g_str_equal);
    cc_names_init(p);
    cc_types_init(p);
    p->file_scope = cc_scope_push(p, CC_SCOPE_FILE);
    guint8 ordinary = 0;
    g_ptr_array_add(unit->files, (gpointer)unit->name);
    g_byte_array_append(unit->front->system, &ordinary, 1);
    g_array_set_size(unit->front->includers, 1);
    g_hash_table_insert(p->file_names, (gpointer)unit->name, GUINT_TO_POINTER(1));
    cc_tokens_open(p, text, size);
    declare_predefined(p);
}

static void parser_close(CcParser *p)
{
    cc_tokens_close(p);
    g_hash_table_destroy(p->file_names);
    g_hash_table_destroy(p->linkage);
    g_free(p->names.buckets);
}

CcUnit *cc_parse(const char *text, size_t size, const char *name, const CcOptions *options, CcDiagnostics *diagnostics)
{
    unsigned mistakes = cc_diagnostics_mistakes(diagnostics);
    CcUnit *unit = new_unit(text, size, name, options, diagnostics);
    CcParser parser = {0};
    static const CcLoc nowhere = {0, 0, 0, 0};
    if (size > INT32_MAX - 2) { /* what the scanner can count */
        cc_report(unit, CC_FATAL, nowhere, NULL, "the preprocessed source is larger than 2 GiB");
        cc_unit_free(unit);
        return NULL;
    }
    parser_open(&parser, unit, text, size);
    int result = cc_yyparse(&parser);
    if (result == 0 && !parser.stop)
        cc_end_of_unit(&parser);
    parser_close(&parser);
    if (cc_diagnostics_mistakes(diagnostics) > mistakes || result != 0 || parser.stop) {
        if (result == 0 && !parser.stop)
            cc_run_local_checks(unit);
        cc_diagnostics_flush(diagnostics);
        cc_unit_free(unit);
        return NULL;
    }
    return unit;
}
