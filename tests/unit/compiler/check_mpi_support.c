#include "check_mpi_support.h"

#include <criterion/criterion.h>
#include <glib/gstdio.h>
#include <string.h>

typedef struct Said {
    GString *text;
    bool about_mpi;
} Said;

static void listen(const CcDiagnostic *d, const char *rendered, void *user)
{
    (void)rendered;
    Said *said = user;
    if (d->severity != CC_NOTE)
        said->about_mpi = d->severity != CC_WARNING || (d->option && g_str_has_prefix(d->option, "-Wmpi"));
    if (said->about_mpi)
        g_string_append_printf(said->text, "%s: %s\n", d->option ? d->option : "note", d->text);
}

static char *program_of(const char *text, bool whole)
{
    static const char headers[] =
        "#include <mpi.h>\n#include <stdint.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n";
    if (whole)
        return g_strconcat(headers, text, NULL);
    return g_strconcat(headers,
                       "int main(int argc, char **argv)\n{\n    int rank, size;\n    MPI_Init(&argc, &argv);\n"
                       "    MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n    MPI_Comm_size(MPI_COMM_WORLD, &size);\n    ",
                       text, "\n    MPI_Finalize();\n    return 0;\n}\n", NULL);
}

char *mpi_warnings(const char *text, bool whole)
{
    g_autofree char *program = program_of(text, whole);
    g_autofree char *directory = g_dir_make_tmp("orrery-mpi-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(directory, "program.c", NULL);
    cr_assert(g_file_set_contents(path, program, -1, NULL));
    Said said = {g_string_new(NULL), false};
    CcDiagnostics *diagnostics = cc_diagnostics_new(listen, &said, false);
    CcOptions options;
    cc_options_default(&options);
    options.include_dir = ORRERY_BINARY_DIR "/share/orrery/include";
    options.warn_mpi = true;
    VcodeModule *object = cc_compile_file(path, &options, diagnostics, NULL);
    cc_diagnostics_flush(diagnostics);
    cr_expect_not_null(object, "refused:\n%s\n%s", program, said.text->str);
    vcode_module_free(object);
    cc_diagnostics_free(diagnostics);
    g_unlink(path);
    g_rmdir(directory);
    return g_string_free(said.text, FALSE);
}

void expect_warnings(const MpiRow *rows, size_t n, bool whole)
{
    for (size_t i = 0; i < n; i++) {
        g_autofree char *said = mpi_warnings(rows[i].text, whole);
        g_autofree char *wanted = g_strconcat(rows[i].option, ": ", NULL);
        cr_expect_not_null(strstr(said, wanted), "expected %s for\n%s\nsaid:\n%s", rows[i].option, rows[i].text, said);
    }
}

void expect_silence(const char *text, bool whole)
{
    g_autofree char *said = mpi_warnings(text, whole);
    cr_expect_str_empty(said, "for\n%s\nsaid:\n%s", text, said);
}
