/* scope.c - names and scopes.
 *
 * Every spelling is interned (CcIdent) and points to its innermost meaning, so a lookup only follows a pointer. Leaving
 * a scope restores the meanings that it hid. Ordinary names and tags are separate name spaces (C11 6.2.3).
 */
#include "compiler/arena/arena.h"
#include "compiler/front/front.h"
#include "compiler/tree/tree.h"

#include <string.h>

/* -- spellings --------------------------------------------------------------------------------- */

void cc_scope_init(CcParser *p)
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

CcIdent *cc_scope_ident(CcParser *p, const char *text, size_t length)
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
    ident->text = cc_arena_strdup(p->arena, text, length);
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

/* Takes a binding out of its name's chain. A scope binds a name once, so the order of removal does not matter. */
static void unlink_binding(CcBinding *binding)
{
    CcBinding **at = slot(binding);
    while (*at && *at != binding)
        at = &(*at)->shadowed;
    if (*at)
        *at = binding->shadowed;
}

static void end_local_labels(CcScope *scope)
{
    for (const CcLocalLabel *local = scope->local_labels; local; local = local->next) {
        local->ident->label = local->hidden;
        local->ident->label_function = local->hidden_function;
    }
}

void cc_scope_pop(CcParser *p)
{
    CcScope *scope = p->scope;
    g_assert(scope != p->file_scope);
    for (CcBinding *binding = scope->first; binding; binding = binding->next) {
        unlink_binding(binding);
        if (p->function && binding->symbol) {
            binding->ident->ended = binding->symbol;
            binding->ident->ended_in = p->function->serial;
        }
    }
    end_local_labels(scope);
    scope->open = false;
    p->scope = scope->outer;
}

/* Puts a binding into its name's chain, inner scopes first. A binding at file scope goes to the end of the chain,
 * because it may be made from within a function. */
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

void cc_scope_bind(CcParser *p, CcScope *scope, CcIdent *ident, CcSymbol *symbol)
{
    g_assert(symbol);
    if (!symbol->file_scope && !symbol->assumed && symbol->type != p->error_type)
        cc_use_symbol(p, symbol, symbol->kind == CC_SYM_VARIABLE || symbol->kind == CC_SYM_ENUMERATOR ? 2 : 1,
                      symbol->loc);
    bind(p, scope, ident, symbol, NULL);
}

void cc_scope_bind_tag(CcParser *p, CcScope *scope, CcIdent *ident, CcType *type)
{
    g_assert(type);
    bind(p, scope, ident, NULL, type);
}

CcSymbol *cc_scope_lookup(const CcIdent *ident)
{
    return ident->ordinary ? ident->ordinary->symbol : NULL;
}

CcSymbol *cc_scope_new_symbol(CcParser *p, CcSymbolKind kind, const char *name, CcType *type, CcLoc loc)
{
    CcSymbol *symbol = CC_NEW(p->arena, CcSymbol);
    symbol->kind = kind;
    symbol->name = symbol->link_name = name;
    symbol->type = type;
    symbol->loc = loc;
    symbol->region = p->region;
    return symbol;
}
