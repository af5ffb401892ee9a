/* back_helpers.h - shared by the tests of the back end: makes objects from text and programs from objects, and inspects
 * code. */
#ifndef ORRERY_TESTS_BACK_HELPERS_H
#define ORRERY_TESTS_BACK_HELPERS_H

#include "compiler/compiler.h"

#include <criterion/criterion.h>
#include <string.h>

static inline void back_ignore(const CcDiagnostic *diagnostic, const char *rendered, void *user)
{
    (void)diagnostic;
    GString *all = user;
    if (all)
        g_string_append(all, rendered);
}

/* Compiles a text. If it does not compile, returns NULL and appends the diagnostics to `messages` (may be NULL). */
static inline VcodeModule *back_try(const char *text, int optimise, bool library, GString *messages)
{
    CcDiagnostics *diagnostics = cc_diagnostics_new(back_ignore, messages, false);
    CcOptions options;
    cc_options_default(&options);
    options.include_dir = ".";
    options.optimise = optimise;
    options.library = library;
    VcodeModule *object = cc_compile_text(text, strlen(text), "test.c", &options, diagnostics, NULL);
    cc_diagnostics_free(diagnostics);
    return object;
}

static inline VcodeModule *back_compile(const char *text, int optimise)
{
    g_autoptr(GString) messages = g_string_new(NULL);
    VcodeModule *object = back_try(text, optimise, false, messages);
    cr_assert_not_null(object, "%s", messages->str);
    return object;
}

static inline const VcodeFunction *back_function(const VcodeModule *m, const char *name)
{
    for (uint32_t i = 0; i < m->functions.count; i++)
        if (strcmp(vcode_text(m, m->functions.items[i].name), name) == 0)
            return &m->functions.items[i];
    return NULL;
}

/* Returns how many instructions of the function have this operation. */
static inline unsigned back_count(const VcodeModule *m, const char *function, VcodeOp op)
{
    const VcodeFunction *f = back_function(m, function);
    cr_assert_not_null(f, "no function %s", function);
    unsigned n = 0;
    for (uint32_t i = 0; i < f->code_count; i++)
        n += vcode_op(m->code.items[f->code_start + i]) == op;
    return n;
}

static inline const VcodeSymbol *back_symbol(const VcodeModule *m, const char *name)
{
    for (uint32_t i = 0; i < m->symbols.count; i++)
        if (strcmp(vcode_text(m, m->symbols.items[i].name), name) == 0)
            return &m->symbols.items[i];
    return NULL;
}

static inline const VcodeVariable *back_variable(const VcodeModule *m, const char *name)
{
    for (uint32_t i = 0; i < m->variables.count; i++)
        if (strcmp(vcode_text(m, m->variables.items[i].name), name) == 0)
            return &m->variables.items[i];
    return NULL;
}

static const char *const back_externs[] = {
    "__orrery_complex_divide", "__orrery_complex_multiply", "abort", "printf", "puts", "strlen"};

/* Links objects. On failure returns NULL, and *message becomes the error, which the caller frees. */
static inline VcodeModule *back_link(VcodeModule **objects, size_t n, char **message)
{
    CcLinkOptions options = {.externs = back_externs, .n_externs = G_N_ELEMENTS(back_externs), .debug = true};
    GError *error = NULL;
    VcodeModule *program = cc_link(objects, n, &options, &error);
    if (message)
        *message = error ? g_strdup(error->message) : NULL;
    g_clear_error(&error);
    return program;
}

#endif
