/* test_manual.c - docs/vcode.md agrees with the tables. After a change of the tables run: ORRERY_UPDATE=1
 * test_vcode. */
#include "vcode/vcode.h"

#include <criterion/criterion.h>

Test(manual, is_up_to_date)
{
    g_autoptr(GString) expected = g_string_new(NULL);
    vcode_manual(expected);
    const char *path = ORRERY_SOURCE_DIR "/docs/vcode.md";
    if (g_getenv("ORRERY_UPDATE"))
        cr_assert(g_file_set_contents(path, expected->str, (gssize)expected->len, NULL));
    g_autofree char *text = NULL;
    cr_assert(g_file_get_contents(path, &text, NULL, NULL), "%s is missing", path);
    cr_assert_str_eq(text, expected->str, "%s is out of date: run ORRERY_UPDATE=1 test_vcode", path);
}
