/* scope.c - names and what they mean where.
 *
 * Every spelling is kept once (CcIdent) and points at its innermost meaning, so looking a name up is following a
 * pointer; leaving a scope puts back what it hid. Ordinary names and tags are separate name spaces (C11 6.2.3).
 */
#include "compiler/front.h"
#include "compiler/macros.h"

#include <string.h>

/* -- spellings --------------------------------------------------------------------------------- */

void cc_names_init(CcParser *p)
{
    p->names.n_buckets = 4096;
    p->names.buckets = g_new0(CcIdent *, p->names.n_buckets);
}

static void grow(CcNames *names)
{
    uint32_t n = names->n_buckets * 4;
    CcIdent **buckets = g_new0(CcIdent *, n);
    for (CcIdent *ident = names->first; ident; ident = ident->next) {
        ident->next_in_bucket = buckets[ident->hash & (n - 1)];
        buckets[ident->hash & (n - 1)] = ident;
    }
    g_free(names->buckets);
    names->buckets = buckets;
    names->n_buckets = n;
}

CcIdent *cc_ident(CcParser *p, const char *text, size_t length)
{
    CcNames *names = &p->names;
    uint32_t hash = 2166136261u; /* FNV-1a */
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)text[i]) * 16777619u;
    for (CcIdent *ident = names->buckets[hash & (names->n_buckets - 1)]; ident; ident = ident->next_in_bucket)
        if (ident->hash == hash && ident->length == length && memcmp(ident->text, text, length) == 0)
            return ident;
    if (names->n_idents >= names->n_buckets)
        grow(names);
    CcIdent *ident = CC_NEW(p->arena, CcIdent);
    ident->text = cc_strdup(p->arena, text, length);
    ident->length = (uint32_t)length;
    ident->hash = hash;
    CcIdent **bucket = &names->buckets[hash & (names->n_buckets - 1)];
    ident->next_in_bucket = *bucket;
    *bucket = ident;
    if (names->last)
        names->last->next = ident;
    else
        names->first = ident;
    names->last = ident;
    names->n_idents++;
    return ident;
}

/* -- scopes ------------------------------------------------------------------------------------ */

CcScope *cc_scope_push(CcParser *p, CcScopeKind kind)
{
    CcScope *scope = CC_NEW(p->arena, CcScope);
    scope->kind = kind;
    scope->outer = p->scope;
    scope->fence = p->scope ? p->scope->fence : NULL;
    scope->open = true;
    return p->scope = scope;
}

static CcBinding **slot(CcBinding *binding)
{
    return binding->type ? &binding->ident->tag : &binding->ident->ordinary;
}

/* Later bindings shadow earlier ones of other scopes only, so the order of removal does not matter. */
static void unlink_binding(CcBinding *binding)
{
    CcBinding **at = slot(binding);
    while (*at && *at != binding)
        at = &(*at)->shadowed;
    if (*at)
        *at = binding->shadowed;
}

void cc_scope_pop(CcParser *p)
{
    CcScope *scope = p->scope;
    g_assert(scope != p->file_scope);
    cc_leave_scope(p, scope);
    for (CcBinding *binding = scope->first; binding; binding = binding->next) {
        unlink_binding(binding);
        if (p->function && binding->symbol) {
            binding->ident->ended = binding->symbol;
            binding->ident->ended_in = p->function->serial;
        }
    }
    cc_local_labels_end(scope);
    scope->open = false;
    p->scope = scope->outer;
}

/* Puts a binding into its name's chain: inner scopes first. A file-scope binding may be made from within a function. */
static void link_binding(CcParser *p, CcBinding *binding)
{
    CcBinding **at = slot(binding);
    if (binding->scope == p->file_scope)
        while (*at)
            at = &(*at)->shadowed;
    binding->shadowed = *at;
    *at = binding;
}

void cc_scope_reopen(CcParser *p, CcScope *scope)
{
    scope->outer = p->scope;
    scope->fence = p->scope ? p->scope->fence : NULL;
    scope->open = true;
    p->scope = scope;
    for (CcBinding *binding = scope->first; binding; binding = binding->next)
        link_binding(p, binding);
}

static void bind(CcParser *p, CcScope *scope, CcIdent *ident, CcSymbol *symbol, CcType *type)
{
    CcBinding *binding = CC_NEW(p->arena, CcBinding);
    *binding = (CcBinding){ident, scope, symbol, type, NULL, NULL};
    if (scope->last)
        scope->last->next = binding;
    else
        scope->first = binding;
    scope->last = binding;
    if (scope->open)
        link_binding(p, binding);
}

void cc_bind(CcParser *p, CcScope *scope, CcIdent *ident, CcSymbol *symbol)
{
    g_assert(symbol);
    bind(p, scope, ident, symbol, NULL);
}

void cc_bind_tag(CcParser *p, CcScope *scope, CcIdent *ident, CcType *type)
{
    g_assert(type);
    bind(p, scope, ident, NULL, type);
}

CcSymbol *cc_lookup(const CcIdent *ident)
{
    return ident->ordinary ? ident->ordinary->symbol : NULL;
}

/* -- did you mean ------------------------------------------------------------------------------ */

/* Optimal string alignment: insert, delete, replace, swap neighbours. A letter in the wrong case is a quarter of a
 * mistake, so that of two names as far away the one with the right letters is nearer (MPI_INT, not MPI_Init, for
 * MPI_INTT). */
enum { MISTAKE = 4, WRONG_CASE = 1 };

static unsigned spelling_distance(const char *a, const char *b, unsigned limit)
{
    enum { LONGEST = 64 };
    size_t n = strlen(a), m = strlen(b);
    if (n > LONGEST || m > LONGEST || (n > m ? n - m : m - n) * MISTAKE > limit)
        return limit + 1;
    unsigned rows[3][LONGEST + 1];
    for (size_t j = 0; j <= m; j++)
        rows[0][j] = (unsigned)j * MISTAKE;
    for (size_t i = 1; i <= n; i++) {
        unsigned *row = rows[i % 3], *above = rows[(i - 1) % 3], *two_above = rows[(i + 1) % 3];
        row[0] = (unsigned)i * MISTAKE;
        for (size_t j = 1; j <= m; j++) {
            bool same = a[i - 1] == b[j - 1];
            bool only_case = !same && g_ascii_tolower(a[i - 1]) == g_ascii_tolower(b[j - 1]);
            unsigned best = above[j - 1] + (same ? 0 : only_case ? WRONG_CASE : MISTAKE);
            best = MIN(best, MIN(above[j], row[j - 1]) + MISTAKE);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                best = MIN(best, two_above[j - 2] + MISTAKE);
            row[j] = best;
        }
    }
    return rows[n % 3][m];
}

/* A third of the letters may be wrong, of one or two letters none (but their case). */
CcNearest cc_nearest(const char *wanted)
{
    return (CcNearest){.wanted = wanted, .limit = (unsigned)strlen(wanted) / 3 * MISTAKE + MISTAKE - 1};
}

void cc_nearest_try(CcNearest *nearest, const char *name)
{
    if (strcmp(name, nearest->wanted) == 0)
        return;
    unsigned distance = spelling_distance(nearest->wanted, name, nearest->limit);
    if (distance > nearest->limit || (nearest->best && distance == nearest->limit))
        return;
    nearest->best = name;
    nearest->limit = distance;
}

const char *cc_suggest_tag(CcParser *p, const CcType *type)
{
    CcNearest nearest = cc_nearest(type->tag->name ? type->tag->name : "");
    if (p->suggestions++ >= CC_MAX_SUGGESTIONS)
        return NULL;
    for (const CcIdent *ident = p->names.first; ident; ident = ident->next)
        if (ident->tag && ident->tag->type->kind == type->kind && !ident->tag->type->incomplete)
            cc_nearest_try(&nearest, ident->text);
    return nearest.best;
}

const char *cc_suggest(CcParser *p, const char *text, bool functions_only)
{
    CcNearest nearest = cc_nearest(text);
    if (p->suggestions++ >= CC_MAX_SUGGESTIONS)
        return NULL;
    for (const CcIdent *ident = p->names.first; ident; ident = ident->next) {
        const CcSymbol *symbol = cc_lookup(ident);
        bool keyword = ident->keyword && ident->text[0] != '_' && ident->length > 2;
        bool wanted = symbol && symbol->type != p->error_type && (!functions_only || symbol->kind == CC_SYM_FUNCTION);
        if (wanted || keyword)
            cc_nearest_try(&nearest, ident->text);
    }
    cc_suggest_known(p, &nearest); /* macros are not among the names */
    cc_macro_suggest(p->unit, &nearest);
    return nearest.best;
}
