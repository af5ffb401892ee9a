/* uses.c - keeps where names are declared and used, and what is visible at a probe. */
#include "compiler/front/front.h"
#include "compiler/tree/tree.h"

#include <string.h>

CcUses *cc_uses_new(const char *probe)
{
    CcUses *uses = g_new0(CcUses, 1);
    uses->uses = g_array_new(FALSE, FALSE, sizeof(CcUse));
    uses->tags = g_ptr_array_new();
    uses->functions = g_ptr_array_new();
    uses->visible = g_ptr_array_new();
    uses->visible_tags = g_ptr_array_new();
    uses->probe = probe;
    uses->probed = -1;
    return uses;
}

void cc_uses_free(CcUses *uses)
{
    if (!uses)
        return;
    g_array_free(uses->uses, TRUE);
    g_ptr_array_free(uses->tags, TRUE);
    g_ptr_array_free(uses->functions, TRUE);
    g_ptr_array_free(uses->visible, TRUE);
    g_ptr_array_free(uses->visible_tags, TRUE);
    g_free(uses);
}

void cc_uses_add(CcParser *p, CcUseOf what, const void *object, unsigned role, CcLoc loc)
{
    CcUse use = {object, what, (uint8_t)role, loc, p->function ? p->function->symbol : NULL};
    if (loc.line)
        g_array_append_val(p->unit->uses->uses, use);
}

void cc_uses_add_tag(CcParser *p, CcType *type)
{
    g_ptr_array_add(p->unit->uses->tags, type);
    g_ptr_array_add(p->unit->uses->functions, p->function ? p->function->symbol : NULL);
}

void cc_uses_probe(CcParser *p, const char *name, int before)
{
    CcUses *uses = p->unit->uses;
    if (!uses->probe || strcmp(name, uses->probe) != 0 || uses->probed >= 0)
        return;
    uses->probed = before;
    uses->within = p->function ? p->function->symbol : NULL;
    for (const CcIdent *ident = p->names.first; ident; ident = ident->next) {
        const CcSymbol *symbol = cc_scope_lookup(ident);
        if (symbol && symbol->name)
            g_ptr_array_add(uses->visible, (gpointer)symbol);
        if (ident->tag)
            g_ptr_array_add(uses->visible_tags, ident->tag->type->tag);
    }
}

void cc_uses_probe_member(CcParser *p, const char *name, const CcType *type)
{
    CcUses *uses = p->unit->uses;
    bool asked = uses && uses->probe && strcmp(name, uses->probe) == 0;
    if (asked && type->kind == CC_POINTER)
        type = type->target;
    if (asked && cc_is_aggregate(type))
        uses->members = type->tag;
}
