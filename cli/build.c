/* build.c - from C files, objects and archives to a program, as `orrery run` and `orrery cc` need it.
 *
 *   file.c --cli_compile--> object -+
 *   file.o --vcode_read---> object -+--> cc_link with the objects of lib/ --> program
 *   lib.a  --members------> objects +
 */
#include "cli.h"

#include <errno.h>
#include <string.h>

static void free_module(void *module)
{
    vcode_module_free(module);
}

void cli_build_init(CliBuild *build)
{
    *build = (CliBuild){0};
    cc_options_default(&build->compile);
    build->compile.include_dir = cli_share("include");
    build->flags = g_ptr_array_new_with_free_func(g_free);
    build->objects = g_ptr_array_new_with_free_func(free_module);
}

void cli_build_clear(CliBuild *build)
{
    g_free((char *)build->compile.include_dir);
    g_ptr_array_unref(build->flags);
    g_ptr_array_unref(build->objects);
}

bool cli_is_source(const char *path)
{
    return g_str_has_suffix(path, ".c") || g_str_has_suffix(path, ".i");
}

bool cli_is_input(const char *path)
{
    return cli_is_source(path) || g_str_has_suffix(path, ".o") || g_str_has_suffix(path, ".vco") ||
           g_str_has_suffix(path, ".a");
}

int cli_count_inputs(int argc, char **argv)
{
    int n = 0;
    while (n < argc && cli_is_input(argv[n]))
        n++;
    return argc && !n ? 1 : n;
}

bool cli_check_file(const char *path, GError **error)
{
    const char *problem = NULL;
    if (!g_file_test(path, G_FILE_TEST_EXISTS))
        problem = "there is no such file";
    else if (g_file_test(path, G_FILE_TEST_IS_DIR))
        problem = "this is a directory";
    if (problem)
        g_set_error(error, CLI_ERROR, CLI_ERROR_FILE, "%s: %s", path, problem);
    return !problem;
}

/* -- compiling --------------------------------------------------------------------------------------------------- */

VcodeModule *cli_compile(CliBuild *build, const char *path, GError **error)
{
    bool standard_input = strcmp(path, "-") == 0;
    if (!standard_input && !cli_check_file(path, error))
        return NULL;
    CcDiagnostics *diagnostics = cc_diagnostics_new(NULL, NULL, false);
    cc_diagnostics_configure(diagnostics, &build->compile, path);
    g_ptr_array_add(build->flags, NULL);
    build->compile.cpp_flags = (const char *const *)build->flags->pdata;
    VcodeModule *module = cc_compile_file(path, &build->compile, diagnostics, error);
    g_ptr_array_remove_index(build->flags, build->flags->len - 1);
    unsigned errors = cc_diagnostics_errors(diagnostics);
    cc_diagnostics_free(diagnostics);
    if (!module && error && *error && errors) { /* told already */
        g_clear_error(error);
        g_set_error_literal(error, CLI_ERROR, CLI_ERROR_PRINTED, "compile errors");
    }
    return module;
}

/* -- archives -------------------------------------------------------------------------------------------------------
 */

enum { AR_MAGIC = 8, AR_HEADER = 60, AR_NAME = 16, AR_SIZE_AT = 48, AR_SIZE = 10 };

/* One member of an archive made by ar(1): a header of 60 text bytes, the content, and a byte to make it even. The
 * symbol table "/" and the name table "//" are passed over. */
static bool add_member(CliBuild *build, const char *path, const char *header, const char *content, size_t size,
                       GError **error)
{
    g_autofree char *name = g_strchomp(g_strndup(header, AR_NAME));
    if (strcmp(name, "/") == 0 || strcmp(name, "//") == 0 || strcmp(name, "/SYM64/") == 0)
        return true;
    if (g_str_has_suffix(name, "/"))
        name[strlen(name) - 1] = '\0';
    g_autofree char *full = g_strdup_printf("%s(%s)", path, name);
    /* The reader wants its input aligned to 8 bytes. */
    g_autofree char *copy = g_memdup2(content, size);
    VcodeModule *module = vcode_read_bytes(copy, size, full, error);
    if (!module)
        return false;
    g_ptr_array_add(build->objects, module);
    return true;
}

static bool add_archive(CliBuild *build, const char *path, GError **error)
{
    g_autofree char *bytes = NULL;
    gsize size;
    if (!g_file_get_contents(path, &bytes, &size, error))
        return false;
    bool good = size >= AR_MAGIC && memcmp(bytes, "!<arch>\n", AR_MAGIC) == 0;
    for (size_t at = AR_MAGIC; good && at + AR_HEADER <= size;) {
        char digits[AR_SIZE + 1] = {0};
        memcpy(digits, bytes + at + AR_SIZE_AT, AR_SIZE);
        guint64 length = g_ascii_strtoull(digits, NULL, 10);
        good = memcmp(bytes + at + AR_HEADER - 2, "`\n", 2) == 0 && length <= size - at - AR_HEADER;
        if (good && !add_member(build, path, bytes + at, bytes + at + AR_HEADER, length, error))
            return false;
        at += AR_HEADER + length + (length & 1);
    }
    if (!good)
        g_set_error(error, CLI_ERROR, CLI_ERROR_FILE, "%s: not an archive, or a damaged one", path);
    return good;
}

/* -- linking ----------------------------------------------------------------------------------------------------------
 */

static VcodeModule *read_module(const char *path, VcodeModuleKind kind, GError **error)
{
    VcodeModule *module = vcode_read(path, error);
    if (module && module->kind != kind) {
        g_set_error(error, CLI_ERROR, CLI_ERROR_FILE, "%s: this is %s; %s", path,
                    kind == VCODE_OBJECT ? "a linked program" : "an object",
                    kind == VCODE_OBJECT ? "only objects can be linked" : "link it first");
        g_clear_pointer(&module, vcode_module_free);
    }
    return module;
}

bool cli_build_add(CliBuild *build, const char *path, GError **error)
{
    if (!cli_is_source(path) && strcmp(path, "-") != 0 && !cli_check_file(path, error))
        return false;
    if (g_str_has_suffix(path, ".a"))
        return add_archive(build, path, error);
    VcodeModule *module = cli_is_source(path) || strcmp(path, "-") == 0 ? cli_compile(build, path, error)
                                                                        : read_module(path, VCODE_OBJECT, error);
    if (module)
        g_ptr_array_add(build->objects, module);
    return module != NULL;
}

static int compare_strings(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Names of all functions of the simulator that programs may call. */
static GPtrArray *extern_names(void)
{
    GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
    size_t n;
    const VmExtern *library = vm_library(&n);
    for (size_t i = 0; i < n; i++)
        g_ptr_array_add(names, g_strdup(library[i].name));
    const MpiFunctionInfo *functions = mpi_functions(&n);
    for (size_t i = 0; i < n; i++) {
        g_ptr_array_add(names, g_strdup(functions[i].name));
        g_ptr_array_add(names, g_strconcat("P", functions[i].name, NULL));
    }
    qsort(names->pdata, names->len, sizeof *names->pdata, compare_strings);
    return names;
}

/* Functions that programs of this kind call and that a simulated process cannot have. */
static const char *explain_missing(const char *name)
{
    static const char *const processes[] = {"fork",   "vfork",  "popen",       "execl", "execlp",  "execv",
                                            "execve", "execvp", "posix_spawn", "wait",  "waitpid", NULL};
    static const char *const network[] = {"socket", "accept", "bind", "connect",       "listen",      "send",
                                          "recv",   "select", "poll", "gethostbyname", "getaddrinfo", NULL};
    if (g_str_has_prefix(name, "MPI_") || g_str_has_prefix(name, "PMPI_"))
        return "Orrery does not have this MPI function; `orrery mpi` lists those that it has";
    if (g_str_has_prefix(name, "pthread_") || g_str_has_prefix(name, "thrd_"))
        return "a simulated rank has one thread; threads cannot be started";
    if (g_str_has_prefix(name, "dl") &&
        g_strv_contains((const char *const[]){"dlopen", "dlsym", "dlclose", NULL}, name))
        return "a simulated program is linked as a whole; libraries cannot be loaded while it runs";
    if (g_strv_contains(processes, name))
        return "a simulated rank cannot start processes";
    if (g_strv_contains(network, name))
        return "a simulated rank has no sockets; ranks talk through MPI";
    return NULL;
}

/* The objects of the runtime library, in order of their names. */
static GPtrArray *runtime_objects(GError **error)
{
    g_autofree char *directory = cli_share("lib");
    g_autoptr(GPtrArray) files = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GPtrArray) objects = g_ptr_array_new_with_free_func(free_module);
    g_autoptr(GDir) dir = g_dir_open(directory, 0, NULL);
    const char *name;
    while (dir && (name = g_dir_read_name(dir)))
        if (g_str_has_suffix(name, ".vco"))
            g_ptr_array_add(files, g_build_filename(directory, name, NULL));
    if (!files->len) {
        g_set_error(error, CLI_ERROR, CLI_ERROR_FILE,
                    "the runtime library is missing in %s; install Orrery again, or set ORRERY_SHARE", directory);
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

VcodeModule *cli_build_link(CliBuild *build, GError **error)
{
    g_autoptr(GPtrArray) runtime = runtime_objects(error);
    if (!runtime)
        return NULL;
    g_autoptr(GPtrArray) externs = extern_names();
    g_autoptr(GPtrArray) all = g_ptr_array_new();
    for (guint i = 0; i < build->objects->len; i++)
        g_ptr_array_add(all, g_ptr_array_index(build->objects, i));
    for (guint i = 0; i < runtime->len; i++)
        g_ptr_array_add(all, g_ptr_array_index(runtime, i));
    CcLinkOptions options = {.externs = (const char *const *)externs->pdata,
                             .n_externs = externs->len,
                             .debug = build->compile.debug,
                             .explain_missing = explain_missing};
    return cc_link((VcodeModule *const *)all->pdata, all->len, &options, error);
}

VcodeModule *cli_program(CliBuild *build, char **paths, int n, GError **error)
{
    if (n == 1 && !cli_is_input(paths[0])) {
        if (!cli_check_file(paths[0], error))
            return NULL;
        if (!vcode_is_vcode(paths[0])) {
            g_set_error(error, CLI_ERROR, CLI_ERROR_FILE,
                        "%s: neither a .c file nor a program that `orrery cc` made; compile it with `orrery cc`",
                        paths[0]);
            return NULL;
        }
        VcodeModule *module = vcode_read(paths[0], error);
        if (!module || module->kind == VCODE_PROGRAM)
            return module;
        g_ptr_array_add(build->objects, module);
        return cli_build_link(build, error);
    }
    for (int i = 0; i < n; i++)
        if (!cli_build_add(build, paths[i], error))
            return NULL;
    return cli_build_link(build, error);
}
