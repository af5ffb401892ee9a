/* The preprocessor as a child process: predefined macros, its messages, and its absence. */
#include "front_support.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void collect(const CcDiagnostic *d, const char *rendered, void *user)
{
    (void)d;
    g_string_append(user, rendered);
}

#define INCLUDE_DIR ORRERY_BINARY_DIR "/share/orrery/include"

/* Writes `text` to a file, preprocesses it, and returns the output (NULL: failed). `said` gets the diagnostics. */
static char *run_with(const char *include_dir, const char *text, GString *said, GError **error)
{
    char *directory = g_dir_make_tmp("orrery-cpp-XXXXXX", NULL);
    char *path = g_build_filename(directory, "t.c", NULL);
    g_file_set_contents(path, text, -1, NULL);
    CcOptions options = {.include_dir = include_dir};
    CcDiagnostics *diagnostics = cc_diagnostics_new(collect, said, false);
    size_t size;
    char *out = cc_preprocess(path, &options, diagnostics, &size, error);
    if (out)
        cr_expect_eq(strlen(out), size);
    cc_diagnostics_free(diagnostics);
    unlink(path);
    rmdir(directory);
    g_free(path);
    g_free(directory);
    return out;
}

static char *run(const char *text, GString *said, GError **error)
{
    return run_with(INCLUDE_DIR, text, said, error);
}

Test(front_preprocess, macros_of_the_simulated_machine)
{
    GString *said = g_string_new(NULL);
    GError *error = NULL;
    char *out = run(
        "#if !defined __ORRERY__ || defined __x86_64__ || !defined __LP64__ || __GNUC__ != 8 || __STDC_VERSION__ "
        "!= 201710L || defined __OPTIMIZE__ || defined __STRICT_ANSI__ || !defined linux\n"
        "#error wrong\n#endif\n"
        "long a = __LONG_MAX__; int b = __CHAR_BIT__; __SIZE_TYPE__ c; double d = __DBL_MAX__; char *f = __FILE__;\n",
        said, &error);
    cr_assert_not_null(out, "%s %s", error ? error->message : "", said->str);
    cr_expect_not_null(strstr(out, "long a = 0x7fffffffffffffffL; int b = 8; long unsigned int c;"));
    g_free(out);
    g_string_free(said, TRUE);
}

Test(front_preprocess, its_errors_become_ours)
{
    static const struct {
        const char *text, *message;
    } rows[] = {
        {"int x;\n#include \"nofile.h\"\n", "t.c:2:10: fatal error: nofile.h: No such file"},
        {"#error stop here\n", "error: #error stop here"},
        {"#if 1\nint x;\n", "unterminated"},
        {"#define M(a) a\nint x = M(1;\n", "unterminated argument list invoking macro"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        GString *said = g_string_new(NULL);
        GError *error = NULL;
        cr_expect_null(run(rows[i].text, said, &error));
        cr_assert_not_null(error);
        cr_expect(g_error_matches(error, CC_ERROR, CC_ERROR_SOURCE));
        cr_expect_not_null(strstr(said->str, rows[i].message), "%s", said->str);
        g_error_free(error);
        g_string_free(said, TRUE);
    }
}

Test(front_preprocess, missing_file)
{
    CcOptions options = {.include_dir = "/nowhere"};
    CcDiagnostics *diagnostics = cc_diagnostics_new(NULL, NULL, false);
    GError *error = NULL;
    size_t size;
    cr_expect_null(cc_preprocess("/no/such/file.c", &options, diagnostics, &size, &error));
    cr_assert(g_error_matches(error, CC_ERROR, CC_ERROR_IO));
    cr_expect_str_eq(error->message, "cannot read '/no/such/file.c': No such file or directory");
    g_clear_error(&error);
    cr_expect_null(cc_preprocess("/", &options, diagnostics, &size, &error));
    cr_expect_not_null(strstr(error->message, "Is a directory"));
    g_error_free(error);
    cc_diagnostics_free(diagnostics);
}

Test(front_preprocess, missing_preprocessor)
{
    setenv("PATH", "/nonexistent", 1);
    GString *said = g_string_new(NULL);
    GError *error = NULL;
    cr_expect_null(run("int x;\n", said, &error));
    cr_assert_not_null(error);
    cr_expect_not_null(strstr(error->message, "cannot find the C preprocessor 'cpp'"), "%s", error->message);
    g_error_free(error);
    g_string_free(said, TRUE);
}

/* The caret is where the user wrote the word, although the preprocessor removed the comment before it. */
Test(front_preprocess, columns_are_those_of_the_source)
{
    char *directory = g_dir_make_tmp("orrery-cpp-XXXXXX", NULL);
    char *path = g_build_filename(directory, "t.c", NULL);
    g_file_set_contents(path, "int f(void) { return /* a comment */ wrong; }\n", -1, NULL);
    CcOptions options = {.include_dir = "/nowhere"};
    GString *said = g_string_new(NULL);
    CcDiagnostics *diagnostics = cc_diagnostics_new(collect, said, false);
    size_t size;
    char *out = cc_preprocess(path, &options, diagnostics, &size, NULL);
    cr_assert_not_null(out);
    cr_expect_null(cc_parse(out, size, path, &options, diagnostics));
    cr_expect_not_null(strstr(said->str, "t.c:1:38: error: 'wrong' undeclared"), "%s", said->str);
    g_free(out);
    cc_diagnostics_free(diagnostics);
    g_string_free(said, TRUE);
    unlink(path);
    rmdir(directory);
    g_free(path);
    g_free(directory);
}

static unsigned lines_of(const char *text)
{
    unsigned lines = 0;
    for (; *text; text++)
        lines += *text == '\n';
    return lines;
}

Test(front_preprocess, prototypes_that_nothing_mentions_go)
{
    GString *said = g_string_new(NULL);
    CcOptions options = {.include_dir = INCLUDE_DIR};
    size_t left = 0;
    char *out =
        run("#include <mpi.h>\nint (*f)(void) = (int (*)(void))MPI_Barrier;\nint PMPI_Own(int a);\n", said, NULL);
    cr_assert_not_null(out);
    char *trimmed = cc_prototypes_trim(out, strlen(out), &options, &left);
    cr_assert_not_null(trimmed);
    cr_expect_eq(strlen(trimmed), left);
    cr_expect_eq(lines_of(trimmed), lines_of(out));
    cr_expect_not_null(strstr(trimmed, "int MPI_Barrier("));
    cr_expect_not_null(strstr(trimmed, "int PMPI_Own("));
    cr_expect_null(strstr(trimmed, "int PMPI_Barrier("));
    cr_expect_null(strstr(trimmed, "int MPI_Send("));
    cr_expect_not_null(strstr(trimmed, "MPI_Comm;"));
    g_free(trimmed);
    g_free(out);
    out = run("int MPI_Send(int a);\n", said, NULL);
    cr_expect_null(cc_prototypes_trim(out, strlen(out), &options, &left), "it is not mpi.h's");
    g_free(out);
    g_string_free(said, TRUE);
}

Test(front_preprocess, misspelt_names_are_told_as_without_that)
{
    GString *said = g_string_new(NULL);
    CcOptions options;
    cc_options_default(&options);
    options.include_dir = ORRERY_BINARY_DIR "/share/orrery/include";
    char *out = run("#include <mpi.h>\nint f(void) { return MPI_Bariere(MPI_COMM_WORLD); }\n", said, NULL);
    CcDiagnostics *diagnostics = cc_diagnostics_new(collect, said, false);
    VcodeModule *object = cc_compile_text(out, strlen(out), "t.c", &options, diagnostics, NULL);
    cc_diagnostics_free(diagnostics);
    cr_expect_not_null(strstr(said->str, "MPI_Barrier"), "%s", said->str);
    vcode_module_free(object);
    g_free(out);
    g_string_free(said, TRUE);
}

/* A path to the headers that is not the shortest one, as a symbolic link may make it. */
Test(front_preprocess, headers_keep_the_names_that_they_are_found_by)
{
    GString *said = g_string_new(NULL);
    CcOptions options = {.include_dir = ORRERY_BINARY_DIR "/share/../share/orrery/include"};
    size_t left;
    char *out = run_with(options.include_dir, "#include <mpi.h>\n", said, NULL);
    cr_assert_not_null(out);
    char *trimmed = cc_prototypes_trim(out, strlen(out), &options, &left);
    cr_assert_not_null(trimmed);
    cr_expect_lt(left, strlen(out));
    g_free(trimmed);
    g_free(out);
    g_string_free(said, TRUE);
}
