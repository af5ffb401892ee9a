/* library.c - functions and constants of the library that a program uses without a declaration (library.def). */
#include "base/nearest.h"
#include "compiler/arena/arena.h"
#include "compiler/front/front.h"
#include "compiler/report/report.h"
#include "compiler/tree/tree.h"

#include <string.h>

static const struct {
    const char *name, *signature;
} library[] = {
#define LIBRARY(header, name, signature) {#name, signature},
#define KNOWN(header, name)
#define RETURNS(header, name, result)
#include "compiler/front/library.def"
#undef LIBRARY
#undef KNOWN
#undef RETURNS
};

static const struct {
    const char *name, *result;
} returning[] = {
#define LIBRARY(header, name, signature)
#define KNOWN(header, name)
#define RETURNS(header, name, result) {#name, result},
#include "compiler/front/library.def"
#undef LIBRARY
#undef KNOWN
#undef RETURNS
};

static const struct {
    const char *header, *name;
} in_headers[] = {
#define LIBRARY(header, name, signature) {header, #name},
#define KNOWN(header, name)              {header, name},
#define RETURNS(header, name, result)    {header, #name},
#include "compiler/front/library.def"
#undef LIBRARY
#undef KNOWN
#undef RETURNS
};

const char *cc_library_header_of(const char *name)
{
    for (size_t i = 0; i < G_N_ELEMENTS(in_headers); i++)
        if (strcmp(in_headers[i].name, name) == 0)
            return in_headers[i].header;
    bool format = g_str_has_prefix(name, "PRI") || g_str_has_prefix(name, "SCN"); /* like PRId64 */
    return format && name[3] && strchr("diouxX", name[3]) ? "inttypes.h" : NULL;
}

void cc_library_suggest(CcParser *p, BaseNearest *nearest)
{
    for (size_t i = 0; i < G_N_ELEMENTS(in_headers); i++)
        if (cc_unit_includes(p->unit, in_headers[i].header))
            base_nearest_try(nearest, in_headers[i].name);
}

/* -- functions known without a declaration ----------------------------------------------------- */

static CcType *type_of_letter(CcParser *p, char letter)
{
    switch (letter) {
    case 'v': return p->basic[CC_VOID];
    case 'i': return p->basic[CC_INT];
    case 'u': return p->basic[CC_UINT];
    case 'l': return p->basic[CC_LONG];
    case 'z': return p->basic[CC_ULONG];
    case 'q': return p->basic[CC_LLONG];
    case 'w': return p->basic[CC_INT128];
    case 'W': return p->basic[CC_UINT128];
    case 'f': return p->basic[CC_FLOAT];
    case 'd': return p->basic[CC_DOUBLE];
    case 'D': return p->basic[CC_LDOUBLE];
    case 'F': return p->basic[CC_CFLOAT];
    case 'C': return p->basic[CC_CDOUBLE];
    case 'X': return p->basic[CC_CLDOUBLE];
    case 'I': return cc_type_pointer_to(p, p->basic[CC_INT]);
    case 'p': return p->void_pointer;
    case 'P': return p->const_void_pointer;
    case 'c': return p->char_pointer;
    case 's': return p->const_char_pointer;
    default: g_assert_not_reached();
    }
}

static CcType *type_of_signature(CcParser *p, const char *signature)
{
    size_t n = strlen(signature) - 1;
    bool variadic = signature[n] == '.';
    n -= variadic;
    CcType **types = cc_arena_alloc(p->arena, (n + 1) * sizeof *types);
    for (size_t i = 0; i < n; i++)
        types[i] = type_of_letter(p, signature[i + 1]);
    return cc_type_function(p, type_of_letter(p, signature[0]), types, (unsigned)n, variadic, false);
}

static CcSymbol *new_function(CcParser *p, const char *name, CcType *type, CcLoc loc)
{
    CcSymbol *symbol = cc_scope_new_symbol(p, CC_SYM_FUNCTION, name, type, loc);
    symbol->file_scope = true;
    symbol->storage = CC_EXTERN;
    symbol->always_emit = true;
    g_hash_table_insert(p->linkage, (gpointer)symbol->name, symbol);
    g_ptr_array_add(p->unit->symbols, symbol);
    return symbol;
}

CcSymbol *cc_library_function(CcParser *p, const char *name, CcLoc loc)
{
    CcSymbol *known = g_hash_table_lookup(p->linkage, name);
    if (known)
        return known->kind == CC_SYM_FUNCTION ? known : NULL;
    for (size_t i = 0; i < G_N_ELEMENTS(library); i++)
        if (strcmp(library[i].name, name) == 0) {
            CcSymbol *symbol = new_function(p, library[i].name, type_of_signature(p, library[i].signature), loc);
            symbol->assumed = true;
            return symbol;
        }
    return NULL;
}

CcSymbol *cc_library_runtime_function(CcParser *p, const char *name, const char *signature, CcLoc loc)
{
    CcSymbol *known = g_hash_table_lookup(p->linkage, name);
    return known ? known : new_function(p, name, type_of_signature(p, signature), loc);
}

/* Returns the return type of an undeclared function: that of the library's function of that name, otherwise int (C89
 * 3.3.2.2). */
static CcType *implicit_result(CcParser *p, const char *name)
{
    for (size_t i = 0; i < G_N_ELEMENTS(returning); i++)
        if (strcmp(returning[i].name, name) == 0)
            return type_of_letter(p, returning[i].result[0]);
    return p->basic[CC_INT];
}

CcSymbol *cc_library_implicit_function(CcParser *p, CcIdent *ident, CcLoc loc)
{
    char *hint = cc_hint_unknown_name(p, ident->text, true);
    CcSymbol *symbol = cc_library_function(p, ident->text, loc);
    if (!cc_hint_was_told(p, hint, false))
        cc_front_warning(p, loc, "-Wimplicit-function-declaration", "implicit declaration of function '%s'%s",
                         ident->text, hint);
    cc_hint_fix(p, loc, hint);
    g_free(hint);
    if (!symbol) {
        CcType *result = implicit_result(p, ident->text);
        symbol = new_function(p, ident->text, cc_type_function(p, result, NULL, 0, false, true), loc);
        symbol->assumed = result != p->basic[CC_INT];
    }
    cc_scope_bind(p, p->file_scope, ident, symbol);
    return symbol;
}
