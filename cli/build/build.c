/* build.c - makes programs from C files, objects and archives, for `orrery run` and `orrery cc`.
 *
 *   file.c --cli_build_compile--> object -+
 *   file.o --vcode_file_read---> object -+--> link_set.c --> cc_link with the objects of lib/ --> program
 *   lib.a  --archive.c----> objects +
 */
#include "cli/build/build.h"
#include "cli/base/base.h"
#include "cli/build/archive.h"
#include "cli/build/compiled.h"
#include "cli/build/link_set.h"
#include "compiler/compiler.h"
#include "mpi/mpi_world.h"
#include "threads/threads.h"
#include "vcode/vcode.h"
#include "vm/vm.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>

static void free_module(void *module)
{
    vcode_module_free(module);
}

void cli_build_init(CliBuild *build)
{
    *build = (CliBuild){0};
    cc_options_default(&build->compile);
    build->compile.include_dir = cli_path_share("include");
    build->flags = g_ptr_array_new_with_free_func(g_free);
    build->preprocess_flags = g_ptr_array_new_with_free_func(g_free);
    build->wrapped = g_ptr_array_new_with_free_func(g_free);
    build->libraries = g_ptr_array_new_with_free_func(g_free);
    build->set = cli_link_set_new();
}

void cli_build_clear(CliBuild *build)
{
    g_free((char *)build->compile.include_dir);
    g_free(build->depend);
    g_free(build->depend_file);
    g_ptr_array_unref(build->flags);
    g_ptr_array_unref(build->preprocess_flags);
    g_ptr_array_unref(build->wrapped);
    g_ptr_array_unref(build->libraries);
    cli_link_set_free(build->set);
}

/* -- compiling --------------------------------------------------------------------------------- */

static CcDiagnostics *open_diagnostics(CliBuild *build, const char *name)
{
    g_ptr_array_add(build->flags, NULL);
    build->compile.cpp_flags = (const char *const *)build->flags->pdata;
    CcDiagnostics *diagnostics = cc_diagnostics_new(NULL, NULL, false);
    cc_diagnostics_configure(diagnostics, &build->compile, name);
    return diagnostics;
}

/* Replaces the error if the compiler has printed diagnostics, so that nothing is reported twice. */
static void close_diagnostics(CliBuild *build, CcDiagnostics *diagnostics, bool good, GError **error)
{
    g_ptr_array_remove_index(build->flags, build->flags->len - 1);
    unsigned errors = cc_diagnostics_errors(diagnostics);
    cc_diagnostics_free(diagnostics);
    if (!good && error && *error && errors) {
        g_clear_error(error);
        g_set_error_literal(error, CLI_ERROR, CLI_ERROR_PRINTED, "compile errors");
    }
}

static bool can_compile(const CliBuild *build, const char *path, GError **error)
{
    if (strcmp(path, "-") != 0 && !cli_file_check(path, error))
        return false;
    return build->compile.no_headers || cli_path_share_check("include", "the headers are", error);
}

static VcodeModule *compile_anew(CliBuild *build, const char *path, CliCompiled *compiled, CcDiagnostics *diagnostics,
                                 GError **error)
{
    size_t size;
    g_autofree char *text = cc_preprocess(path, &build->compile, diagnostics, &size, error);
    const char *name = strcmp(path, "-") == 0 ? "<stdin>" : path;
    VcodeModule *module = text ? cc_compile_text(text, size, name, &build->compile, diagnostics, error) : NULL;
    if (module && compiled && !cc_diagnostics_warnings(diagnostics))
        cli_compiled_keep(compiled, text, module);
    return module;
}

VcodeModule *cli_build_compile(CliBuild *build, const char *path, GError **error)
{
    bool preprocessed = build->compile.preprocessed;
    if (!can_compile(build, path, error))
        return NULL;
    CliCompiled *compiled = cli_compiled_new(build, path);
    VcodeModule *module = compiled ? cli_compiled_find(compiled) : NULL;
    if (!module) {
        CcDiagnostics *diagnostics = open_diagnostics(build, path);
        build->compile.preprocessed |= g_str_has_suffix(path, ".i");
        module = compile_anew(build, path, compiled, diagnostics, error);
        build->compile.preprocessed = preprocessed;
        close_diagnostics(build, diagnostics, module, error);
    }
    cli_compiled_free(compiled);
    return module;
}

char *cli_build_preprocess(CliBuild *build, const char *path, gsize *size, GError **error)
{
    if (!can_compile(build, path, error))
        return NULL;
    CcDiagnostics *diagnostics = open_diagnostics(build, path);
    char *text = cc_preprocess(path, &build->compile, diagnostics, size, error);
    close_diagnostics(build, diagnostics, text, error);
    return text;
}

/* -- what is linked ---------------------------------------------------------------------------- */

void cli_build_need(CliBuild *build, const char *name)
{
    cli_link_set_need(build->set, name);
}

static VcodeModule *read_module(const char *path, VcodeModuleKind kind, GError **error)
{
    VcodeModule *module = vcode_file_read(path, error);
    if (module && module->kind != kind) {
        g_set_error(error, CLI_ERROR, CLI_ERROR_FILE, "%s: this is %s; %s", path,
                    kind == VCODE_OBJECT ? "a linked program" : "an object",
                    kind == VCODE_OBJECT ? "only objects can be linked" : "link it first");
        g_clear_pointer(&module, vcode_module_free);
    }
    return module;
}

static bool add_archive(CliBuild *build, const char *path, bool whole, GError **error)
{
    GPtrArray *modules = cli_archive_read(path, error);
    if (!modules)
        return false;
    if (!whole) {
        cli_link_set_add_archive(build->set, modules);
        return true;
    }
    for (guint i = 0; i < modules->len; i++)
        cli_link_set_add(build->set, g_ptr_array_index(modules, i));
    g_ptr_array_set_free_func(modules, NULL); /* the set owns them now */
    g_ptr_array_unref(modules);
    return true;
}

void cli_build_add_module(CliBuild *build, VcodeModule *object)
{
    cli_link_set_add(build->set, object);
}

bool cli_build_add_file(CliBuild *build, const char *path, bool whole, GError **error)
{
    const char *what;
    if (!cli_file_check(path, error))
        return false;
    switch (cli_file_kind(path, &what)) {
    case CLI_FILE_ARCHIVE: return add_archive(build, path, whole, error);
    case CLI_FILE_FOREIGN:
        g_set_error(error, CLI_ERROR, CLI_ERROR_FILE, "%s: this is %s%s", path, what,
                    strstr(what, "another compiler") ? "; compile its source with `orrery cc`" : "");
        return false;
    case CLI_FILE_VCODE: break;
    }
    VcodeModule *module = read_module(path, VCODE_OBJECT, error);
    if (module)
        cli_link_set_add(build->set, module);
    return module;
}

/* Adds a C file, an object, or an archive, whose members are linked as needed. */
static bool build_add(CliBuild *build, const char *path, GError **error)
{
    if (!cli_file_is_source(path) && strcmp(path, "-") != 0)
        return cli_build_add_file(build, path, false, error);
    VcodeModule *module = cli_build_compile(build, path, error);
    if (module)
        cli_link_set_add(build->set, module);
    return module;
}

/* -- linking ----------------------------------------------------------------------------------- */

static int compare_strings(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void add_mpi_names(GPtrArray *names, const MpiFunctionInfo *functions, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        g_ptr_array_add(names, g_strdup(functions[i].name));
        g_ptr_array_add(names, g_strconcat("P", functions[i].name, NULL));
    }
}

/* Returns the names of all functions of the simulator that programs may call. */
static GPtrArray *extern_names(void)
{
    GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
    size_t n;
    const VmExtern *library = vm_library(&n);
    for (size_t i = 0; i < n; i++)
        g_ptr_array_add(names, g_strdup(library[i].name));
    const char *const *refused = vm_refused_names(&n);
    for (size_t i = 0; i < n; i++)
        g_ptr_array_add(names, g_strdup(refused[i]));
    const char *const *threads = threads_functions(&n);
    for (size_t i = 0; i < n; i++)
        g_ptr_array_add(names, g_strdup(threads[i]));
    const MpiFunctionInfo *functions = mpi_functions(&n);
    add_mpi_names(names, functions, n);
    functions = mpi_functions_absent(&n);
    add_mpi_names(names, functions, n);
    qsort(names->pdata, names->len, sizeof *names->pdata, compare_strings);
    return names;
}

/* Returns why a function does not exist, for names that MPI programs tend to call; NULL: no explanation. */
static const char *explain_missing(const char *name)
{
    if (g_str_has_prefix(name, "MPIX_") || g_str_has_prefix(name, "PMPIX_"))
        return "this is an extension of some MPI implementations, which Orrery does not have";
    if (g_str_has_prefix(name, "MPI_") || g_str_has_prefix(name, "PMPI_"))
        return "MPI has no such function; `orrery mpi` lists all functions of MPI";
    return NULL;
}

static int compare_function(const void *name, const void *function)
{
    return strcmp(name, ((const MpiFunctionInfo *)function)->name);
}

/* Returns why a function that programs may mention cannot be called. "" if mpi.h makes the compiler report it. */
static const char *explain_refusal(const char *name)
{
    size_t n;
    const MpiFunctionInfo *absent = mpi_functions_absent(&n); /* sorted by name */
    const char *plain = name + (g_str_has_prefix(name, "PMPI_") ? 1 : 0);
    return bsearch(plain, absent, n, sizeof *absent, compare_function) ? "" : vm_refused_why(name);
}

/* Returns the objects of the runtime library, sorted by name. */
static GPtrArray *runtime_objects(GError **error)
{
    g_autofree char *directory = cli_path_share("lib");
    g_autoptr(GPtrArray) files = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GPtrArray) objects = g_ptr_array_new_with_free_func(free_module);
    g_autoptr(GDir) dir = g_dir_open(directory, 0, NULL);
    const char *name;
    while (dir && (name = g_dir_read_name(dir)))
        if (g_str_has_suffix(name, ".vco"))
            g_ptr_array_add(files, g_build_filename(directory, name, NULL));
    if (!files->len) {
        cli_path_share_missing("lib", "the runtime library is", error);
        return NULL;
    }
    qsort(files->pdata, files->len, sizeof *files->pdata, compare_strings);
    for (guint i = 0; i < files->len; i++) {
        VcodeModule *module = read_module(g_ptr_array_index(files, i), VCODE_OBJECT, error);
        if (!module)
            return NULL;
        g_ptr_array_add(objects, module);
    }
    return g_steal_pointer(&objects);
}

static VcodeModule *link_all(CliBuild *build, const GPtrArray *runtime, GError **error)
{
    g_autoptr(GPtrArray) externs = extern_names();
    g_autoptr(GPtrArray) all = g_ptr_array_new();
    const GPtrArray *objects = cli_link_set_objects(build->set);
    for (guint i = 0; i < objects->len; i++)
        g_ptr_array_add(all, g_ptr_array_index(objects, i));
    for (guint i = 0; runtime && i < runtime->len; i++)
        g_ptr_array_add(all, g_ptr_array_index(runtime, i));
    g_ptr_array_add(build->wrapped, NULL);
    CcDiagnostics *diagnostics = open_diagnostics(build, "link");
    CcLinkOptions options = {.externs = (const char *const *)externs->pdata,
                             .n_externs = externs->len,
                             .debug = build->compile.debug,
                             .wrapped = (const char *const *)build->wrapped->pdata,
                             .undefined_is_warning = build->undefined_is_warning,
                             .first_definition_wins = build->first_definition_wins,
                             .no_warnings = build->compile.no_warnings,
                             .diagnostics = diagnostics,
                             .explain_missing = explain_missing,
                             .refusal = explain_refusal};
    VcodeModule *program = cc_link((VcodeModule *const *)all->pdata, all->len, &options, error);
    close_diagnostics(build, diagnostics, program, error);
    g_ptr_array_set_size(build->wrapped, (gint)build->wrapped->len - 1);
    return program;
}

VcodeModule *cli_build_link(CliBuild *build, GError **error)
{
    g_autoptr(GPtrArray) runtime = build->no_runtime ? NULL : runtime_objects(error);
    if (!runtime && !build->no_runtime)
        return NULL;
    if (!cli_link_set_find(build->set, "main")) /* main may be in an archive */
        cli_link_set_find(build->set, "MPI_main");
    return link_all(build, runtime, error);
}

VcodeModule *cli_build_join(CliBuild *build, bool shared, GError **error)
{
    const GPtrArray *objects = cli_link_set_objects(build->set);
    CcDiagnostics *diagnostics = open_diagnostics(build, "link");
    VcodeModule *joined = cc_join((VcodeModule *const *)objects->pdata, objects->len, shared, diagnostics, error);
    close_diagnostics(build, diagnostics, joined, error);
    return joined;
}

VcodeModule *cli_build_program(CliBuild *build, char **paths, int n, GError **error)
{
    if (n == 1 && (!cli_file_is_input(paths[0]) || vcode_file_is_program(paths[0]))) {
        if (!cli_file_check(paths[0], error))
            return NULL;
        if (!vcode_file_is_vcode(paths[0]) && cli_language_other(paths[0])) {
            g_set_error(error, CLI_ERROR, CLI_ERROR_FILE, "%s: this is %s, by its name, and Orrery compiles C",
                        paths[0], cli_language_other(paths[0]));
            return NULL;
        }
        if (!vcode_file_is_vcode(paths[0])) {
            g_set_error(error, CLI_ERROR, CLI_ERROR_FILE,
                        "%s: neither a .c file nor a program that `orrery cc` made; compile it with `orrery cc`",
                        paths[0]);
            return NULL;
        }
        VcodeModule *module = vcode_file_read(paths[0], error);
        if (!module || module->kind == VCODE_PROGRAM)
            return module;
        cli_link_set_add(build->set, module);
        return cli_build_link(build, error);
    }
    for (int i = 0; i < n; i++)
        if (!build_add(build, paths[i], error))
            return NULL;
    return cli_build_link(build, error);
}

char *cli_build_program_bytes(const VcodeModule *module, gsize *size)
{
    return g_bytes_unref_to_data(vcode_file_bytes(module), size);
}
