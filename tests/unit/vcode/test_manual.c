/* test_manual.c - docs/vcode.md agrees with the tables. After a change of the tables run: ORRERY_UPDATE=1
 * test_vcode. */
#include "../page.h"
#include "vcode/vcode.h"

#include <criterion/criterion.h>

Test(manual, is_up_to_date)
{
    g_autoptr(GString) expected = g_string_new(NULL);
    vcode_manual(expected);
    page_check_file("docs/vcode.md", expected->str, "test_vcode");
}
