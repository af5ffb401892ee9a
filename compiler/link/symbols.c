/* symbols.c - finds which object defines a name.
 *
 * If a name has several definitions, the strongest counts: a global one before a common (tentative) one before a weak
 * one. A definition of the program goes before one of a shared library, and that before one of the runtime. So a
 * program may have its own qsort. Two global definitions of the program are an error. When the runtime calls a function
 * of its own or of the simulator, a function of the program with the same name does not intercept the call.
 */
#include "compiler/link/link_names.h"
#include "compiler/link/linker.h"

#include <stdlib.h>
#include <string.h>

/* -- definitions ------------------------------------------------------------------------------- */

static int strength(const CcLink *link, uint32_t object, const VcodeSymbol *s)
{
    int value = s->binding == VCODE_WEAK ? 1 : s->section == VCODE_SECTION_COMMON ? 2 : 3;
    return value + 3 * (int)link->objects[object].rank;
}

static void merge_common(CcLinkDefinition *d, const VcodeSymbol *s)
{
    d->common_size = MAX(d->common_size, s->size);
    d->common_align = MAX(d->common_align, s->align);
}

static void define(CcLink *link, uint32_t object, uint32_t symbol)
{
    const VcodeModule *m = link->objects[object].m;
    const VcodeSymbol *s = &m->symbols.items[symbol];
    const char *name = vcode_text(m, s->name);
    CcLinkDefinition *d = g_hash_table_lookup(link->definitions, name);
    bool common = s->section == VCODE_SECTION_COMMON;
    if (!d) {
        d = g_new(CcLinkDefinition, 1);
        *d = (CcLinkDefinition){object, symbol, common ? s->size : 0, common ? s->align : 0};
        g_hash_table_insert(link->definitions, (char *)name, d);
        return;
    }
    const VcodeSymbol *old = &link->objects[d->object].m->symbols.items[d->symbol];
    int now = strength(link, object, s), before = strength(link, d->object, old);
    if (common)
        merge_common(d, s);
    if (now > before) {
        d->object = object;
        d->symbol = symbol;
    } else if (now == before && now % 3 == 0 && link->objects[object].rank != CC_LINK_SHARED &&
               !link->options->first_definition_wins) {
        cc_link_duplicate(link, d, object, s);
    }
}

void cc_link_collect(CcLink *link)
{
    for (uint32_t o = 0; o < link->n_objects; o++) {
        const VcodeModule *m = link->objects[o].m;
        for (uint32_t i = 0; i < m->symbols.count; i++) {
            const VcodeSymbol *s = &m->symbols.items[i];
            if (s->section != VCODE_SECTION_UNDEFINED && s->binding != VCODE_LOCAL)
                define(link, o, i);
        }
    }
}

/* -- references -------------------------------------------------------------------------------- */

static int compare_names(const void *key, const void *item)
{
    return strcmp(key, *(const char *const *)item);
}

static bool is_extern(const CcLink *link, const char *name, uint32_t *index)
{
    const char *const *names = link->options->externs;
    const char *const *found =
        link->options->n_externs ? bsearch(name, names, link->options->n_externs, sizeof *names, compare_names) : NULL;
    if (found)
        *index = (uint32_t)(found - names);
    return found;
}

static CcLinkTarget defined(const CcLink *link, uint32_t object, uint32_t symbol)
{
    const VcodeModule *m = link->objects[object].m;
    for (unsigned steps = 0; m->symbols.items[symbol].alias != VCODE_NONE && steps < 100; steps++)
        symbol = m->symbols.items[symbol].alias;
    return (CcLinkTarget){CC_LINK_DEFINED, object, symbol, 0};
}

const CcLinkDefinition *cc_link_definition(const CcLink *link, const char *name)
{
    return g_hash_table_lookup(link->definitions, name);
}

bool cc_link_find(CcLink *link, const char *name, CcLinkTarget *target)
{
    const CcLinkDefinition *d = g_hash_table_lookup(link->definitions, name);
    if (d)
        *target = defined(link, d->object, d->symbol);
    else if (strcmp(name, CC_INIT_FUNCTION) == 0)
        *target = (CcLinkTarget){CC_LINK_MADE, 0, 0, CC_LINK_INIT};
    else if (strcmp(name, CC_FINI_FUNCTION) == 0)
        *target = (CcLinkTarget){CC_LINK_MADE, 0, 0, CC_LINK_FINI};
    else
        return false;
    return true;
}

/* Resolves a reference from the runtime to a function: its own or the simulator's goes before the program's of the same
 * name. Returns false if neither exists. */
static bool resolve_for_library(CcLink *link, uint32_t object, uint32_t symbol, CcLinkTarget *target)
{
    const VcodeModule *m = link->objects[object].m;
    const VcodeSymbol *s = &m->symbols.items[symbol];
    uint32_t index;
    if (s->section == VCODE_SECTION_FUNCTION && s->binding == VCODE_GLOBAL) {
        *target = defined(link, object, symbol);
        return true;
    }
    if (s->section == VCODE_SECTION_UNDEFINED && is_extern(link, vcode_text(m, s->name), &index)) {
        *target = (CcLinkTarget){CC_LINK_EXTERN, object, symbol, index};
        return true;
    }
    return false;
}

/* Returns the name that a reference means under --wrap NAME. An undefined NAME means __wrap_NAME, and __real_NAME means
 * NAME. *made is set to a new name that the caller frees. */
static const char *wrapped_name(const CcLink *link, const char *name, bool undefined, char **made)
{
    static const char real[] = "__real_";
    if (!link->wrapped || !undefined)
        return name;
    if (g_hash_table_contains(link->wrapped, name))
        return *made = g_strconcat("__wrap_", name, NULL);
    bool is_real = g_str_has_prefix(name, real) && g_hash_table_contains(link->wrapped, name + strlen(real));
    return is_real ? name + strlen(real) : name;
}

CcLinkTarget cc_link_resolve(CcLink *link, uint32_t object, uint32_t symbol, const VcodeReloc *reloc)
{
    const VcodeModule *m = link->objects[object].m;
    const VcodeSymbol *s = &m->symbols.items[symbol];
    CcLinkTarget target = {CC_LINK_NOTHING, object, symbol, 0};
    if (s->binding == VCODE_LOCAL && s->section != VCODE_SECTION_UNDEFINED)
        return defined(link, object, symbol);
    if (link->objects[object].rank == CC_LINK_RUNTIME && resolve_for_library(link, object, symbol, &target))
        return target;
    g_autofree char *wrapped = NULL;
    const char *name = wrapped_name(link, vcode_text(m, s->name), s->section == VCODE_SECTION_UNDEFINED, &wrapped);
    if (cc_link_find(link, name, &target))
        return target;
    uint32_t index;
    if (is_extern(link, name, &index)) {
        const char *why = link->options->refusal ? link->options->refusal(name) : NULL;
        if (why && s->binding == VCODE_WEAK)
            return target;
        if (why && *why)
            cc_link_refused(link, object, symbol, reloc, why);
        return (CcLinkTarget){CC_LINK_EXTERN, object, symbol, index};
    }
    if (strcmp(name, "main") == 0 && cc_link_find(link, "MPI_main", &target))
        return target;
    if (s->binding != VCODE_WEAK)
        cc_link_undefined(link, object, symbol, reloc);
    return target;
}
