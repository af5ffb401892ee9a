/* linker_symbols.c - who defines what.
 *
 * Of several definitions of a name the strongest counts: a global one, else a common (tentative) one, else a weak one,
 * and any of the program's before those of the runtime: a program may have its own qsort. Two of the program's global
 * ones are an error. The runtime's own calls of its functions, or of the simulator's, are not diverted by a function of
 * the program that happens to have the name.
 */
#include "compiler/linker_internal.h"

#include "compiler/front.h"
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ERRORS = 100 };

static void append_place(CcLink *link, uint32_t object, uint32_t file, uint32_t line)
{
    const VcodeModule *m = link->objects[object].m;
    if (file == VCODE_NONE)
        return;
    g_string_append(link->errors, vcode_file_name(m, file));
    if (line)
        g_string_append_printf(link->errors, ":%u", line);
    g_string_append(link->errors, ": ");
}

void cc_link_error(CcLink *link, uint32_t object, uint32_t file, uint32_t line, const char *format, ...)
{
    if (++link->n_errors > MOST_ERRORS)
        return;
    if (link->errors->len)
        g_string_append_c(link->errors, '\n');
    append_place(link, object, file, line);
    va_list args;
    va_start(args, format);
    g_string_append_vprintf(link->errors, format, args);
    va_end(args);
}

/* -- definitions --------------------------------------------------------------------------------------------- */

static int strength(const CcLink *link, uint32_t object, const VcodeSymbol *s)
{
    int value = s->binding == VCODE_WEAK ? 1 : s->section == VCODE_SECTION_COMMON ? 2 : 3;
    return link->objects[object].library ? value : value + 3;
}

static void merge_common(CcLinkDefinition *d, const VcodeSymbol *s)
{
    d->common_size = MAX(d->common_size, s->size);
    d->common_align = MAX(d->common_align, s->align);
}

static void report_duplicate(CcLink *link, const CcLinkDefinition *first, uint32_t object, const VcodeSymbol *s)
{
    const VcodeModule *m = link->objects[object].m, *other = link->objects[first->object].m;
    const VcodeSymbol *old = &other->symbols.items[first->symbol];
    g_autofree char *place = old->file == VCODE_NONE
                                 ? g_strdup("another object")
                                 : g_strdup_printf("%s:%u", vcode_file_name(other, old->file), old->line);
    cc_link_error(link, object, s->file, s->line, "'%s' is defined here and in %s", vcode_text(m, s->name), place);
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
    } else if (now == before && (now == 3 || now == 6)) {
        report_duplicate(link, d, object, s);
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

/* -- references ------------------------------------------------------------------------------------------------- */

static int compare_names(const void *key, const void *item)
{
    return strcmp(key, *(const char *const *)item);
}

bool cc_link_is_extern(const CcLink *link, const char *name, uint32_t *index)
{
    const char *const *names = link->options->externs;
    const char *const *found =
        link->options->n_externs ? bsearch(name, names, link->options->n_externs, sizeof *names, compare_names) : NULL;
    if (found)
        *index = (uint32_t)(found - names);
    return found != NULL;
}

static CcLinkTarget defined(const CcLink *link, uint32_t object, uint32_t symbol)
{
    const VcodeModule *m = link->objects[object].m;
    for (unsigned steps = 0; m->symbols.items[symbol].alias != VCODE_NONE && steps < 100; steps++)
        symbol = m->symbols.items[symbol].alias;
    return (CcLinkTarget){CC_LINK_DEFINED, object, symbol, 0};
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

/* A function that the runtime refers to: its own or the simulator's, before the program's of the same name. */
static bool resolve_for_library(CcLink *link, uint32_t object, uint32_t symbol, CcLinkTarget *target)
{
    const VcodeModule *m = link->objects[object].m;
    const VcodeSymbol *s = &m->symbols.items[symbol];
    uint32_t index;
    if (s->section == VCODE_SECTION_FUNCTION && s->binding == VCODE_GLOBAL) {
        *target = defined(link, object, symbol);
        return true;
    }
    if (s->section == VCODE_SECTION_UNDEFINED && cc_link_is_extern(link, vcode_text(m, s->name), &index)) {
        *target = (CcLinkTarget){CC_LINK_EXTERN, object, symbol, index};
        return true;
    }
    return false;
}

static void consider(const char *wanted, const char *name, unsigned *best, const char **suggestion)
{
    if (name[0] == '@' || name[0] == '\0' || strcmp(wanted, name) == 0)
        return;
    unsigned distance = cc_spelling_distance(wanted, name, *best - 1);
    if (distance < *best) {
        *best = distance;
        *suggestion = name;
    }
}

static const char *suggest(const CcLink *link, const char *wanted)
{
    unsigned best = (unsigned)strlen(wanted) / 3 + 1;
    const char *suggestion = NULL;
    for (uint32_t o = 0; o < link->n_objects && best > 1; o++) {
        const VcodeModule *m = link->objects[o].m;
        for (uint32_t i = 0; i < m->symbols.count && best > 1; i++)
            if (m->symbols.items[i].section != VCODE_SECTION_UNDEFINED && m->symbols.items[i].binding != VCODE_LOCAL)
                consider(wanted, vcode_text(m, m->symbols.items[i].name), &best, &suggestion);
    }
    for (size_t i = 0; i < link->options->n_externs && best > 1; i++)
        consider(wanted, link->options->externs[i], &best, &suggestion);
    return suggestion;
}

static void report_undefined(CcLink *link, uint32_t object, uint32_t symbol, const VcodeReloc *reloc)
{
    const VcodeModule *m = link->objects[object].m;
    const VcodeSymbol *s = &m->symbols.items[symbol];
    const char *name = vcode_text(m, s->name);
    uint32_t file = reloc ? reloc->file : s->file, line = reloc ? reloc->line : s->line;
    char *key = g_strdup_printf("%s %u %u %u", name, object, file, line);
    if (!g_hash_table_add(link->complained, key))
        return;
    if (strcmp(name, "main") == 0 && link->objects[object].library) {
        cc_link_error(link, object, VCODE_NONE, 0, "no main: none of the files defines main or MPI_main");
        return;
    }
    const char *why = link->options->explain_missing ? link->options->explain_missing(name) : NULL;
    if (why) {
        cc_link_error(link, object, file, line, "undefined reference to '%s': %s", name, why);
        return;
    }
    const char *similar = suggest(link, name);
    if (similar)
        cc_link_error(link, object, file, line, "undefined reference to '%s'; did you mean '%s'?", name, similar);
    else
        cc_link_error(link, object, file, line, "undefined reference to '%s'", name);
}

CcLinkTarget cc_link_resolve(CcLink *link, uint32_t object, uint32_t symbol, const VcodeReloc *reloc)
{
    const VcodeModule *m = link->objects[object].m;
    const VcodeSymbol *s = &m->symbols.items[symbol];
    CcLinkTarget target = {CC_LINK_NOTHING, object, symbol, 0};
    if (s->binding == VCODE_LOCAL && s->section != VCODE_SECTION_UNDEFINED)
        return defined(link, object, symbol);
    if (link->objects[object].library && resolve_for_library(link, object, symbol, &target))
        return target;
    const char *name = vcode_text(m, s->name);
    if (cc_link_find(link, name, &target))
        return target;
    uint32_t index;
    if (cc_link_is_extern(link, name, &index))
        return (CcLinkTarget){CC_LINK_EXTERN, object, symbol, index};
    if (strcmp(name, "main") == 0 && cc_link_find(link, "MPI_main", &target))
        return target;
    if (s->binding != VCODE_WEAK)
        report_undefined(link, object, symbol, reloc);
    return target;
}
