/* test_schemas.c - schemas/statistics.schema.json has the rows of statistics.def. After a change of the table run:
 * ORRERY_UPDATE=1 test_machine --filter schemas/statistics */
#include "../page.h"
#include "machine/machine.h"

#include <criterion/criterion.h>

static const char *const groups[] = {"rank", "cache", "predictor", "threads"};

static void print_group(MachStatisticGroup group, GString *out)
{
    static const char *const units[] = {"ps", NULL, "bytes"};
    g_autoptr(GString) keys = g_string_new(NULL);
    const MachStatistic *row = NULL;
    g_string_append_printf(out, "    \"%s\": {\n      \"type\": \"object\",\n      \"properties\": {", groups[group]);
    while ((row = mach_statistics_next(group, row))) {
        g_string_append_printf(out, "%s\n        \"%s\": {\"type\": \"integer\", \"minimum\": 0, \"description\": \"",
                               keys->len ? "," : "", row->key);
        g_string_append_printf(out, units[row->unit] ? "%s, in %s\"}" : "%s\"}", row->help, units[row->unit]);
        g_string_append_printf(keys, "%s\"%s\"", keys->len ? ", " : "", row->key);
    }
    g_string_append_printf(out, "\n      },\n      \"required\": [%s]\n    }", keys->str);
}

Test(schemas, statistics)
{
    g_autoptr(GString) out = g_string_new("{\n  \"$schema\": \"http://json-schema.org/draft-07/schema#\",\n"
                                          "  \"$id\": \"statistics.schema.json\",\n"
                                          "  \"title\": \"What is counted of each rank\",\n  \"definitions\": {");
    for (unsigned group = 0; group < G_N_ELEMENTS(groups); group++) {
        g_string_append(out, group ? ",\n" : "\n");
        print_group((MachStatisticGroup)group, out);
    }
    g_string_append(out, "\n  }\n}\n");
    page_check_file("schemas/statistics.schema.json", out->str, "test_machine");
}
