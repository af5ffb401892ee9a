/* compile.c - the compiler as a pipeline: text, tree, object. */
#include "compiler/compiler.h"
#include "compiler/front/front.h"
#include "compiler/pipeline.h"
#include "compiler/report/report.h"
#include "compiler/tree/tree.h"

#include <pthread.h>
#include <string.h>

static bool wants(const CcOptions *options, const char *stage)
{
    return options->dump && options->dump_stages && strstr(options->dump_stages, stage);
}

static void dump_object(const VcodeModule *object, const CcOptions *options)
{
    g_autoptr(GString) text = g_string_new(NULL);
    vcode_disassemble(object, false, text);
    fputs(text->str, options->dump);
}

/* What a trial has to say is said by who comes after it. */
static void ignore(const CcDiagnostic *diagnostic, const char *rendered, void *user)
{
    (void)diagnostic, (void)rendered, (void)user;
}

static bool is_silent(const CcDiagnostics *diagnostics)
{
    return cc_diagnostics_errors(diagnostics) == 0 && cc_diagnostics_warnings(diagnostics) == 0;
}

/* Compiles without the prototypes that nothing mentions. NULL: it has none, or there is something to say, which takes
 * all of the text. */
static VcodeModule *compile_trimmed(const char *text, size_t size, const char *name, const CcOptions *options)
{
    g_autofree char *trimmed = options->dump ? NULL : cc_prototypes_trim(text, size, options, &size);
    if (!trimmed)
        return NULL;
    CcDiagnostics *diagnostics = cc_diagnostics_new(ignore, NULL, false);
    CcUnit *unit = cc_parse(trimmed, size, name, options, diagnostics);
    VcodeModule *object = NULL;
    if (unit)
        cc_checks_run(unit);
    if (unit && is_silent(diagnostics))
        object = cc_unit_generate(unit);
    if (!is_silent(diagnostics))
        g_clear_pointer(&object, vcode_module_free);
    cc_unit_free(unit);
    cc_diagnostics_free(diagnostics);
    return object;
}

static VcodeModule *compile(const char *text, size_t size, const char *name, const CcOptions *options,
                            CcDiagnostics *diagnostics, GError **error)
{
    VcodeModule *object = compile_trimmed(text, size, name, options);
    if (object) {
        cc_diagnostics_flush(diagnostics);
        return object;
    }
    unsigned errors_before = cc_diagnostics_errors(diagnostics), mistakes = cc_diagnostics_mistakes(diagnostics);
    CcUnit *unit = cc_parse(text, size, name, options, diagnostics);
    if (unit && cc_diagnostics_mistakes(diagnostics) == mistakes) {
        if (wants(options, "ast"))
            cc_dump_ast(unit, options->dump);
        cc_checks_run(unit);
        object = cc_unit_generate(unit);
        if (wants(options, "vcode"))
            dump_object(object, options);
    }
    cc_diagnostics_flush(diagnostics);
    cc_unit_free(unit);
    if (object && cc_diagnostics_errors(diagnostics) == errors_before)
        return object;
    vcode_module_free(object);
    g_set_error(error, CC_ERROR, CC_ERROR_SOURCE, "%s does not compile", name);
    return NULL;
}

/* The arguments and the result of a compilation, for the thread that does it. */
typedef struct Job {
    const char *text, *name;
    size_t size;
    const CcOptions *options;
    CcDiagnostics *diagnostics;
    GError **error;
    VcodeModule *object; /* the result; NULL on failure */
} Job;

static void *run_job(void *data)
{
    Job *job = data;
    job->object = compile(job->text, job->size, job->name, job->options, job->diagnostics, job->error);
    return NULL;
}

/* Compiles on a thread with a large stack. Functions recurse over the tree, as deep as the limits of front.h allow, and
 * this stack is sure to hold that. */
static bool run_on_stack(void *(*run)(void *), void *data, size_t stack)
{
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    bool started =
        pthread_attr_setstacksize(&attributes, stack) == 0 && pthread_create(&thread, &attributes, run, data) == 0;
    pthread_attr_destroy(&attributes);
    if (started)
        pthread_join(thread, NULL);
    return started;
}

bool cc_compile_on_large_stack(void *(*run)(void *), void *data, GError **error)
{
    enum { STACK = 512 << 20 }; /* almost every program touches only a small part of it */
    if (run_on_stack(run, data, STACK) || run_on_stack(run, data, STACK / 8))
        return true;
    g_set_error(error, CC_ERROR, CC_ERROR_IO, "cannot get a stack of %d MiB to compile on; raise the limit of memory",
                STACK / 8 >> 20);
    return false;
}

VcodeModule *cc_compile_text(const char *text, size_t size, const char *name, const CcOptions *options,
                             CcDiagnostics *diagnostics, GError **error)
{
    Job job = {text, name, size, options, diagnostics, error, NULL};
    cc_compile_on_large_stack(run_job, &job, error);
    return job.object;
}

VcodeModule *cc_compile_file(const char *path, const CcOptions *options, CcDiagnostics *diagnostics, GError **error)
{
    size_t size;
    g_autofree char *text = cc_preprocess(path, options, diagnostics, &size, error);
    if (!text)
        return NULL;
    const char *name = strcmp(path, "-") == 0 ? "<stdin>" : path;
    return cc_compile_text(text, size, name, options, diagnostics, error);
}
