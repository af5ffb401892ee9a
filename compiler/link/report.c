/* report.c - error messages and warnings of the linker, with source positions.
 *
 *     main.c:7: error: undefined reference to 'hlep'; did you mean 'help'?
 *         7 |     hlep();
 *     b.c:2: error: 'counter' is defined here
 *     a.c:1: note: and here
 */
#include "compiler/report/report.h"
#include "base/nearest.h"
#include "compiler/compiler.h"
#include "compiler/link/linker.h"

#include <stdarg.h>
#include <string.h>

enum { MOST_ERRORS = 100 };

static const char *file_of(const CcLink *link, uint32_t object, uint32_t file)
{
    return file == VCODE_NONE ? NULL : vcode_source_name(link->objects[object].m, file);
}

/* Reports a message through the diagnostics, or adds it to the text of errors if there are none. Warnings need
 * diagnostics. */
static void report(CcLink *link, CcSeverity severity, uint32_t object, uint32_t file, uint32_t line, const char *text)
{
    const char *name = file_of(link, object, file);
    if (link->options->diagnostics) {
        CcDiagnostic diagnostic = {.severity = severity, .file = name, .line = line, .length = 1, .text = text};
        cc_diagnostics_add(link->options->diagnostics, &diagnostic, NULL, 0);
        return;
    }
    if (severity == CC_WARNING)
        return;
    if (link->errors->len)
        g_string_append_c(link->errors, '\n');
    if (name)
        g_string_append(link->errors, name);
    if (name && line)
        g_string_append_printf(link->errors, ":%u", line);
    g_string_append_printf(link->errors, "%s%s", name ? ": " : "", text);
}

static void report_all(CcLink *link, CcSeverity severity, uint32_t object, uint32_t file, uint32_t line,
                       const char *format, va_list args)
{
    if (severity == CC_SEVERITY_ERROR && ++link->n_errors > MOST_ERRORS)
        return;
    g_autofree char *text = g_strdup_vprintf(format, args);
    report(link, severity, object, file, line, text);
}

void cc_link_error(CcLink *link, uint32_t object, uint32_t file, uint32_t line, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    report_all(link, CC_SEVERITY_ERROR, object, file, line, format, args);
    va_end(args);
}

static void undefined(CcLink *link, uint32_t object, uint32_t file, uint32_t line, const char *format, ...)
    G_GNUC_PRINTF(5, 6);
static void undefined(CcLink *link, uint32_t object, uint32_t file, uint32_t line, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    report_all(link, link->options->undefined_is_warning ? CC_WARNING : CC_SEVERITY_ERROR, object, file, line, format,
               args);
    va_end(args);
}

void cc_link_duplicate(CcLink *link, const CcLinkDefinition *first, uint32_t object, const VcodeSymbol *symbol)
{
    const char *name = vcode_text(link->objects[object].m, symbol->name);
    const VcodeSymbol *old = &link->objects[first->object].m->symbols.items[first->symbol];
    if (old->file == VCODE_NONE) {
        cc_link_error(link, object, symbol->file, symbol->line, "'%s' is defined here and in another object", name);
        return;
    }
    cc_link_error(link, object, symbol->file, symbol->line, "'%s' is defined here, but also elsewhere", name);
    if (link->n_errors <= MOST_ERRORS)
        report(link, CC_NOTE, first->object, old->file, old->line, "the other definition is here");
}

/* -- undefined --------------------------------------------------------------------------------- */

static const char *suggest(const CcLink *link, const char *wanted)
{
    BaseNearest nearest = base_nearest_of(wanted);
    for (uint32_t o = 0; o < link->n_objects; o++) {
        const VcodeModule *m = link->objects[o].m;
        for (uint32_t i = 0; i < m->symbols.count; i++) {
            const VcodeSymbol *symbol = &m->symbols.items[i];
            const char *name = vcode_text(m, symbol->name);
            if (symbol->section != VCODE_SECTION_UNDEFINED && symbol->binding != VCODE_LOCAL && name[0] != '@' &&
                name[0])
                base_nearest_try(&nearest, name);
        }
    }
    for (size_t i = 0; i < link->options->n_externs; i++)
        base_nearest_try(&nearest, link->options->externs[i]);
    return nearest.best;
}

void cc_link_undefined(CcLink *link, uint32_t object, uint32_t symbol, const VcodeReloc *reloc)
{
    const VcodeModule *m = link->objects[object].m;
    const VcodeSymbol *s = &m->symbols.items[symbol];
    const char *name = vcode_text(m, s->name);
    uint32_t file = reloc ? reloc->file : s->file, line = reloc ? reloc->line : s->line;
    char *key = g_strdup_printf("%s %u %u %u", name, object, file, line);
    if (!g_hash_table_add(link->complained, key))
        return;
    if (strcmp(name, "main") == 0 && link->objects[object].rank == CC_LINK_RUNTIME) {
        const char *like = suggest(link, "main");
        if (like)
            cc_link_error(link, object, VCODE_NONE, 0,
                          "no main: none of the files defines main or MPI_main; did you mean '%s' to be it?", like);
        else
            cc_link_error(link, object, VCODE_NONE, 0, "no main: none of the files defines main or MPI_main");
        return;
    }
    const char *why = link->options->explain_missing ? link->options->explain_missing(name) : NULL;
    if (why) {
        undefined(link, object, file, line, "undefined reference to '%s': %s", name, why);
        return;
    }
    const char *similar = suggest(link, name);
    if (similar)
        undefined(link, object, file, line, "undefined reference to '%s'; did you mean '%s'?", name, similar);
    else
        undefined(link, object, file, line, "undefined reference to '%s'", name);
}

void cc_link_refused(CcLink *link, uint32_t object, uint32_t symbol, const VcodeReloc *reloc, const char *why)
{
    const VcodeModule *m = link->objects[object].m;
    const VcodeSymbol *s = &m->symbols.items[symbol];
    uint32_t file = reloc ? reloc->file : s->file, line = reloc ? reloc->line : s->line;
    g_autofree char *text = g_strdup_printf("'%s' ends the run if it is called: %s", vcode_text(m, s->name), why);
    if (!link->options->no_warnings && g_hash_table_add(link->complained, g_strdup(vcode_text(m, s->name))))
        report(link, CC_WARNING, object, file, line, text);
}

/* -- types ------------------------------------------------------------------------------------- */

/* Returns the type of a symbol without typedefs, or NULL if it is not known. */
static const VcodeType *type_of(const VcodeModule *m, const VcodeSymbol *symbol)
{
    uint32_t index = symbol->type;
    for (unsigned steps = 0; index < m->types.count && steps < 100; steps++) {
        const VcodeType *type = &m->types.items[index];
        if (type->kind != VCODE_TYPE_TYPEDEF)
            return type;
        index = type->target;
    }
    return NULL;
}

/* Returns what the second declaration says if the two conflict, else NULL. They conflict if one declares an object and
 * the other a function, or if the objects differ in size. An array without length and a struct without members have
 * size 0, which goes with every size. */
static const char *conflict(const VcodeModule *a, const VcodeSymbol *x, const VcodeModule *b, const VcodeSymbol *y)
{
    const VcodeType *s = type_of(a, x), *t = type_of(b, y);
    if (!s || !t)
        return NULL;
    if ((s->kind == VCODE_TYPE_FUNCTION) != (t->kind == VCODE_TYPE_FUNCTION))
        return s->kind == VCODE_TYPE_FUNCTION ? "a function" : "an object";
    if (s->kind == VCODE_TYPE_FUNCTION || !s->size || !t->size || s->size == t->size)
        return NULL;
    return "of another size";
}

/* C11 6.2.7p2: all declarations of one object have compatible types. The compiler sees only one file at a time. The
 * linker sees them all, and finds the conflicts that change the size. */
static void check_symbol(CcLink *link, uint32_t object, const VcodeSymbol *symbol)
{
    const VcodeModule *m = link->objects[object].m;
    const char *name = vcode_text(m, symbol->name);
    const CcLinkDefinition *d = cc_link_definition(link, name);
    if (!d || d->object == object || link->objects[d->object].rank == CC_LINK_RUNTIME)
        return;
    const VcodeModule *other = link->objects[d->object].m;
    const VcodeSymbol *definition = &other->symbols.items[d->symbol];
    const char *what = conflict(m, symbol, other, definition);
    if (!what)
        return;
    g_autofree char *text = g_strdup_printf("'%s' is %s here than where it is defined", name, what);
    if (strcmp(what, "of another size") != 0) {
        g_free(text);
        text = g_strdup_printf("'%s' is declared as %s here, but that is not what it is", name, what);
    }
    report(link, CC_WARNING, object, symbol->file, symbol->line, text);
    report(link, CC_NOTE, d->object, definition->file, definition->line, "it is defined here");
}

void cc_link_check_types(CcLink *link)
{
    if (link->options->no_warnings || !link->options->diagnostics)
        return;
    for (uint32_t o = 0; o < link->n_objects; o++) {
        const VcodeModule *m = link->objects[o].m;
        if (link->objects[o].rank == CC_LINK_RUNTIME || !link->objects[o].used)
            continue;
        for (uint32_t i = 0; i < m->symbols.count; i++)
            if (m->symbols.items[i].binding != VCODE_LOCAL)
                check_symbol(link, o, &m->symbols.items[i]);
    }
}
