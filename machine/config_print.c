/* config_print.c - a machine as a machine file: every key with its help, unit, default, source and value.
 *
 * What comes out can be read in again and gives the same machine, and the same text: lines that begin with ## are for
 * people only, the reader does not take them for a source.
 */
#include "machine/internal.h"

#include <string.h>

static void print_comment(const MachSetting *setting, GString *out)
{
    g_auto(GStrv) lines = g_strsplit(setting->comment, "\n", -1);
    for (char **line = lines; *line; line++)
        g_string_append_printf(out, "# %s\n", *line);
}

static void print_setting(const MachSetting *setting, GString *out)
{
    g_autofree char *unit = mach_setting_unit(setting);
    g_string_append_printf(out, "\n## %s (%s; default: %s)\n", setting->help, unit,
                           *setting->fallback ? setting->fallback : "none");
    if (setting->comment)
        print_comment(setting, out);
    else if (!setting->given)
        g_string_append(out, "# the default, assumed\n");
    g_string_append_printf(out, "%s = %s\n", setting->name, setting->value);
}

void mach_config_print(const MachConfig *config, GString *out)
{
    const char *section = "";
    g_string_append_printf(out, "## The machine %s: every key with its value. This is a machine file.\n", config->name);
    for (guint i = 0; i < config->settings->len; i++) {
        const MachSetting *setting = &g_array_index(config->settings, MachSetting, i);
        if (strcmp(section, setting->section) != 0) {
            section = setting->section;
            g_string_append_printf(out, "\n[%s]\n", section);
        }
        print_setting(setting, out);
    }
}
