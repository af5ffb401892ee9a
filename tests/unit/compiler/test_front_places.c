/* Positions in lines that the preprocessor has split: cpp puts a line marker before and after the expansion of a macro
 * from a system header. */
#include "front_support.h"

#include <criterion/criterion.h>
#include <glib/gstdio.h>
#include <string.h>

/* The output of cpp for "int g = CONSTANT + 1; void f(void) { 1 / 0; }", with CONSTANT from a system header. */
static const char cut_up[] = "# 1 \"%s\"\n"
                             "int g = \n"
                             "# 1 \"%s\" 3 4\n"
                             "       ((int)0x300000008)\n"
                             "# 1 \"%s\"\n"
                             "               + 1 / 0;\n"
                             "int f(void) { return undeclared; }\n";

static Parsed parse_cut_up(const char *path, const char *user, char **text)
{
    cr_assert(g_file_set_contents(path, user, -1, NULL));
    *text = g_strdup_printf(cut_up, path, path, path);
    return parse(*text);
}

/* A macro of a system header does not turn the file that uses it into a system header: its warnings are still given. */
Test(front_places, warnings_behind_system_macros)
{
    g_autofree char *path = g_build_filename(g_get_tmp_dir(), "orrery-places.c", NULL);
    char *text;
    Parsed parsed = parse_cut_up(path, "int g = CONSTANT + 1 / 0;\nint f(void) { return undeclared; }\n", &text);
    cr_expect_not_null(strstr(parsed.said, "2:22: error: 'undeclared' undeclared"), "%s", parsed.said);
    cr_expect_not_null(strstr(parsed.said, "division by zero"), "%s", parsed.said);
    parsed_free(&parsed);
    g_free(text);
    g_remove(path);
}

/* Positions after the macro are found in the user's line, not in the expansion. */
Test(front_places, column_behind_a_system_macro)
{
    g_autofree char *path = g_build_filename(g_get_tmp_dir(), "orrery-columns.c", NULL);
    char *text;
    Parsed parsed = parse_cut_up(path, "int g = CONSTANT + 1 / 0;\nint f(void) { return undeclared; }\n", &text);
    cr_expect_not_null(strstr(parsed.said, "1:22: warning: division by zero"), "%s", parsed.said);
    parsed_free(&parsed);
    g_free(text);
    g_remove(path);
}
