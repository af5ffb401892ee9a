/* test_manual.c - each function that mpi.h declares, and each parameter of it, has a text; and each text has a
 * function. */
#include "mpi/mpi_world.h"

#include <criterion/criterion.h>
#include <glib.h>
#include <string.h>

/* Hands each prototype of mpi.h to `look`: the function's name, the names of its parameters. */
static void read_prototypes(void (*look)(const char *name, char **parameters, void *data), void *data)
{
    g_autofree char *text = NULL;
    cr_assert(g_file_get_contents(ORRERY_BINARY_DIR "/share/orrery/include/mpi.h", &text, NULL, NULL));
    g_autoptr(GRegex) prototype = g_regex_new("(?m)^\\w[\\w *]*[ *](MPIX?_\\w+)\\((.*)\\);$", 0, 0, NULL);
    g_autoptr(GRegex) behind = g_regex_new("(\\[[^]]*\\])+$|\\.\\.\\.|^ *void$", 0, 0, NULL);
    g_autoptr(GMatchInfo) match = NULL;
    unsigned n = 0;
    for (g_regex_match(prototype, text, 0, &match); g_match_info_matches(match); g_match_info_next(match, NULL), n++) {
        g_autofree char *name = g_match_info_fetch(match, 1), *list = g_match_info_fetch(match, 2);
        g_auto(GStrv) parameters = g_strsplit(list, ",", -1);
        for (char **one = parameters; *one; one++) {
            g_autofree char *bare = g_regex_replace_literal(behind, *one, -1, 0, "", 0, NULL);
            g_strchomp(bare);
            size_t start = strlen(bare);
            while (start > 0 && (g_ascii_isalnum(bare[start - 1]) || bare[start - 1] == '_'))
                start--;
            g_free(*one);
            *one = g_strdup(bare + start);
        }
        look(name, parameters, data);
    }
    cr_expect_gt(n, 600, "only %u prototypes were found", n);
}

static bool of_the_future(const char *name) /* named, not provided */
{
    static const char *const rows[] = {
#define MPI_ABSENT(name, standard) "MPI_" #name,
#include "mpi/absent.def"
        NULL};
    return g_strv_contains(rows, name);
}

static void look(const char *name, char **parameters, void *seen)
{
    if (of_the_future(name))
        return;
    g_autofree char *text = mpi_manual_function(name);
    cr_expect(text && strlen(text) > 10, "mpi/manual/functions.def says nothing of %s", name);
    for (char **one = parameters; *one; one++) {
        cr_expect(!**one || mpi_manual_parameter(name, *one), "mpi/manual/parameters.def says nothing of %s in %s",
                  *one, name);
        g_hash_table_add(seen, g_strdup(*one));
    }
    g_hash_table_add(seen, g_strdup(name));
}

Test(manual, every_function_and_parameter_has_a_text_and_every_text_is_used)
{
    g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    read_prototypes(look, seen);
    static const char *const functions[] = {
#define MANUAL(name, text)    "MPI_" #name,
#define EXTENSION(name, text) "MPIX_" #name,
#include "mpi/manual/functions.def"
    };
    static const char *const parameters[] = {
#define PARAMETER(name, text) #name,
#include "mpi/manual/parameters.def"
    };
    for (size_t i = 0; i < G_N_ELEMENTS(functions); i++)
        cr_expect(g_hash_table_contains(seen, functions[i]), "%s is no function", functions[i]);
    for (size_t i = 0; i < G_N_ELEMENTS(parameters); i++)
        cr_expect(g_hash_table_contains(seen, parameters[i]), "no function has a parameter %s", parameters[i]);
}

Test(manual, forms_are_told_from_the_plain_function)
{
    g_autofree char *plain = mpi_manual_function("MPI_Allreduce"), *begun = mpi_manual_function("MPI_Iallreduce_c"),
                    *profiled = mpi_manual_function("PMPI_Allreduce"), *read = mpi_manual_function("MPI_File_iread_at");
    cr_expect(strstr(begun, plain) && strstr(begun, "MPI_Count") && strstr(begun, "returns at once"));
    cr_expect_str_eq(plain, profiled);
    cr_expect(strstr(read, "returns at once") && strstr(read, "given offset"));
    cr_expect_null(mpi_manual_function("MPI_Nothing"));
    cr_expect_null(mpi_manual_function("Allreduce"));
    cr_expect_null(mpi_manual_function("MPI_"));
    cr_expect_null(mpi_manual_function("MPI_I"));
    cr_expect_null(mpi_manual_function(""));
    cr_expect_null(mpi_manual_parameter("main", "count"));
    cr_expect_null(mpi_manual_parameter("MPI_Send", "colour"));
    cr_expect_str_neq(mpi_manual_parameter("MPI_Waitall", "count"), mpi_manual_parameter("MPI_Send", "count"));
}
