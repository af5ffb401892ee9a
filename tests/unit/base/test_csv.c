/* Fields of tables with commas: quoted where they must be. */
#include "base/csv.h"

#include <criterion/criterion.h>

static void expect(const char *text, const char *field)
{
    g_autoptr(GString) out = g_string_new("before,");
    g_autofree char *expected = g_strconcat("before,", field, NULL);
    base_csv_append(out, text);
    cr_assert_str_eq(out->str, expected);
}

Test(csv, plain_texts_stay_as_they_are)
{
    expect("", "");
    expect("two words; 'quoted'", "two words; 'quoted'");
}

Test(csv, texts_with_separators_are_quoted)
{
    expect("a,b", "\"a,b\"");
    expect("two\nlines", "\"two\nlines\"");
    expect("two\r\nlines", "\"two\r\nlines\"");
    expect("say \"yes\"", "\"say \"\"yes\"\"\"");
    expect("\"", "\"\"\"\"");
}
