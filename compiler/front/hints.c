/* hints.c - hints for names that nothing declares: the missing header, a name with a similar spelling, what C has in
 * place of a word of another language. */
#include "base/nearest.h"
#include "compiler/arena/arena.h"
#include "compiler/front/front.h"
#include "compiler/report/report.h"
#include "compiler/tree/tree.h"

#include <string.h>

const char *cc_hint_foreign(const char *name)
{
    static const struct {
        const char *name, *hint;
    } hints[] = {
        {"string", "; a string of C is an array of char, or a char *"},
        {"String", "; a string of C is an array of char, or a char *"},
        {"vector", "; this is C++, C has arrays"},
        {"boolean", "; C has 'bool' of <stdbool.h>"},
        {"Boolean", "; C has 'bool' of <stdbool.h>"},
        {"byte", "; C has 'unsigned char'"},
        {"nullptr", "; this is C++, C has 'NULL' of <stddef.h>"},
        {"None", "; C has 'NULL' of <stddef.h>"},
        {"null", "; C has 'NULL' of <stddef.h>"},
        {"endl", "; this is C++, C ends a line with \"\\n\""},
        {"std", "; this is C++, C has no namespaces"},
        {"cout", "; this is C++, C prints with printf() of <stdio.h>"},
        {"cin", "; this is C++, C reads with scanf() of <stdio.h>"},
        {"integer", "; C has 'int'"},
        {"Integer", "; C has 'int'"},
        {"real", "; C has 'double'"},
        {"static_cast", "; this is C++, a cast of C is (T)x"},
        {"println", "; C prints with printf() of <stdio.h>"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(hints); i++)
        if (strcmp(hints[i].name, name) == 0)
            return hints[i].hint;
    return NULL;
}

const char *cc_hint_suggest_tag(CcParser *p, const CcType *type)
{
    BaseNearest nearest = base_nearest_of(type->tag->name ? type->tag->name : "");
    if (p->suggestions++ >= CC_MAX_SUGGESTIONS)
        return NULL;
    for (const CcIdent *ident = p->names.first; ident; ident = ident->next)
        if (ident->tag && ident->tag->type->kind == type->kind && !ident->tag->type->incomplete)
            base_nearest_try(&nearest, ident->text);
    return nearest.best;
}

const char *cc_hint_suggest(CcParser *p, const char *text, bool functions_only)
{
    BaseNearest nearest = base_nearest_of(text);
    if (p->suggestions++ >= CC_MAX_SUGGESTIONS)
        return NULL;
    for (const CcIdent *ident = p->names.first; ident; ident = ident->next) {
        const CcSymbol *symbol = cc_scope_lookup(ident);
        bool keyword = ident->keyword && ident->text[0] != '_' && ident->length > 2;
        bool wanted = symbol && symbol->type != p->error_type && (!functions_only || symbol->kind == CC_SYM_FUNCTION);
        if (wanted || keyword)
            base_nearest_try(&nearest, ident->text);
    }
    cc_library_suggest(p, &nearest); /* constants of the library are macros, which p->names does not hold */
    cc_macro_suggest(p->unit, &nearest);
    return nearest.best;
}

bool cc_hint_told_header(CcParser *p, const char *header, bool as_error)
{
    for (const CcToldHeader *told = p->told_headers; told; told = told->next)
        if (strcmp(told->header, header) == 0 && (told->as_error || !as_error))
            return true;
    CcToldHeader *told = CC_NEW(p->arena, CcToldHeader);
    *told = (CcToldHeader){p->told_headers, header, as_error};
    p->told_headers = told;
    return false;
}

bool cc_hint_was_told(CcParser *p, const char *hint, bool as_error)
{
    static const char start[] = "; include <";
    if (!g_str_has_prefix(hint, start))
        return false;
    const char *name = hint + strlen(start);
    return cc_hint_told_header(p, cc_arena_strdup(p->arena, name, strcspn(name, ">")), as_error);
}

char *cc_hint_unknown_name(CcParser *p, const char *name, bool functions_only)
{
    CcUnit *unit = p->unit;
    const char *header = cc_library_header_of(name);
    if (!header && !cc_unit_includes(unit, "/mpi.h") && cc_mpi_words_has(unit, name))
        header = "mpi.h";
    if (header)
        return g_strdup_printf("; include <%s>", header);
    if (cc_hint_foreign(name))
        return g_strdup(cc_hint_foreign(name));
    const char *like = cc_hint_suggest(p, name, functions_only), *mpi = like ? NULL : cc_mpi_words_suggest(unit, name);
    if (like)
        return g_strdup_printf("; did you mean '%s'?", like);
    if (mpi)
        return g_strdup_printf("; did you mean '%s' of <mpi.h>?", mpi);
    return g_strdup("");
}

bool cc_hint_fix(CcParser *p, CcLoc loc, const char *hint)
{
    static const char start[] = "; did you mean '";
    if (!g_str_has_prefix(hint, start))
        return false;
    char *name = g_strndup(hint + strlen(start), strcspn(hint + strlen(start), "'"));
    cc_report_fix(p->unit, loc, name);
    bool keyword = cc_scope_ident(p, name, strlen(name))->keyword != 0;
    g_free(name);
    return keyword;
}
