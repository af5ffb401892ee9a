/* unit.c - creates and frees a translation unit. */
#include "compiler/arena/arena.h"
#include "compiler/compiler.h"
#include "compiler/front/front.h"
#include "compiler/report/report.h"
#include "compiler/tree/tree.h"

#include <string.h>

CcUnit *cc_unit_new(const char *text, size_t size, const char *name, const CcOptions *options,
                    CcDiagnostics *diagnostics)
{
    CcArena *arena = cc_arena_new();
    CcUnit *unit = CC_NEW(arena, CcUnit);
    unit->arena = arena;
    unit->options = options;
    unit->diagnostics = diagnostics;
    unit->files = g_ptr_array_new();
    unit->symbols = g_ptr_array_new();
    unit->enums = g_ptr_array_new();
    unit->name = cc_arena_strdup(arena, name, strlen(name));
    unit->seen = CC_NEW(arena, CcSeen);
    unit->seen->text = text;
    unit->seen->size = size;
    unit->seen->system = g_byte_array_new();
    unit->seen->markers = g_array_new(FALSE, FALSE, sizeof(CcMarker));
    unit->seen->includers = g_array_new(FALSE, TRUE, sizeof(CcIncluder));
    unit->seen->choices = g_array_new(FALSE, FALSE, sizeof(CcChoices));
    unit->seen->choice_stack = g_array_new(FALSE, FALSE, sizeof(CcChoices));
    return unit;
}

void cc_unit_free(CcUnit *unit)
{
    if (!unit)
        return;
    g_ptr_array_free(unit->files, TRUE);
    g_ptr_array_free(unit->symbols, TRUE);
    g_ptr_array_free(unit->enums, TRUE);
    g_byte_array_free(unit->seen->system, TRUE);
    g_array_free(unit->seen->markers, TRUE);
    g_array_free(unit->seen->includers, TRUE);
    g_array_free(unit->seen->choices, TRUE);
    g_array_free(unit->seen->choice_stack, TRUE);
    cc_uses_free(unit->uses);
    cc_macros_free(unit->seen);
    cc_mpi_words_free(unit->seen);
    if (unit->seen->joined)
        g_string_free(unit->seen->joined, TRUE);
    cc_arena_free(unit->arena);
}

bool cc_unit_includes(const CcUnit *unit, const char *header)
{
    for (guint i = 0; i < unit->files->len; i++)
        if (g_str_has_suffix(g_ptr_array_index(unit->files, i), header))
            return true;
    return false;
}
