#include "front_support.h"

#include <criterion/criterion.h>
#include <string.h>

typedef struct Said {
    GString *plain, *rendered;
} Said;

static void listen(const CcDiagnostic *d, const char *rendered, void *user)
{
    static const char *const names[] = {"note", "warning", "error", "fatal"};
    Said *said = user;
    g_string_append_printf(said->plain, "%u:%u: %s: %s\n", d->line, d->column, names[d->severity], d->text);
    g_string_append(said->rendered, rendered);
}

Parsed parse_with(const char *text, size_t size, const CcOptions *options)
{
    Said said = {g_string_new(NULL), g_string_new(NULL)};
    CcDiagnostics *diagnostics = cc_diagnostics_new(listen, &said, false);
    Parsed parsed = {0};
    parsed.unit = cc_parse(text, size, "test.c", options, diagnostics);
    cc_diagnostics_flush(diagnostics);
    parsed.errors = cc_diagnostics_errors(diagnostics);
    parsed.warnings = cc_diagnostics_warnings(diagnostics);
    parsed.said = g_string_free(said.plain, FALSE);
    parsed.rendered = g_string_free(said.rendered, FALSE);
    cc_diagnostics_free(diagnostics);
    return parsed;
}

Parsed parse(const char *text)
{
    static const CcOptions options = {.include_dir = "/nowhere"};
    return parse_with(text, strlen(text), &options);
}

void parsed_free(Parsed *parsed)
{
    cc_unit_free(parsed->unit);
    g_free(parsed->said);
    g_free(parsed->rendered);
}

const CcSymbol *symbol_of(const Parsed *parsed, const char *name)
{
    for (guint i = 0; i < parsed->unit->symbols->len; i++) {
        const CcSymbol *symbol = g_ptr_array_index(parsed->unit->symbols, i);
        if (strcmp(symbol->name, name) == 0)
            return symbol;
    }
    return NULL;
}

void accept(const char *text)
{
    Parsed parsed = parse(text);
    cr_expect_not_null(parsed.unit, "refused:\n%s\n%s", text, parsed.rendered);
    parsed_free(&parsed);
}

void refuse(const char *text, const char *part)
{
    Parsed parsed = parse(text);
    cr_expect_null(parsed.unit, "accepted:\n%s", text);
    cr_expect_not_null(strstr(parsed.said, part), "for:\n%s\nexpected '%s', said:\n%s", text, part, parsed.said);
    parsed_free(&parsed);
}

void warn(const char *text, const char *part)
{
    Parsed parsed = parse(text);
    cr_expect_not_null(parsed.unit, "refused:\n%s\n%s", text, parsed.rendered);
    cr_expect(parsed.warnings > 0 && strstr(parsed.said, part), "for:\n%s\nexpected '%s', said:\n%s", text, part,
              parsed.said);
    parsed_free(&parsed);
}
