/* print.c - writes a machine as a machine file: every key with its help, unit, default, source and value.
 *
 * The output can be read again and gives the same machine, and the same text. Lines that begin with ## are for people
 * only: the reader does not take them for the source of a value.
 */
#include "machine/config/config.h"

#include <string.h>

static void print_comment(const char *comment, GString *out)
{
    g_auto(GStrv) lines = g_strsplit(comment, "\n", -1);
    for (char **line = lines; *line; line++)
        g_string_append_printf(out, "# %s\n", *line);
}

static void print_setting(const MachSetting *setting, GString *out)
{
    g_autofree char *unit = mach_setting_unit(setting);
    g_string_append_printf(out, "\n## %s (%s; default: %s)\n", setting->help, unit,
                           *setting->fallback ? setting->fallback : "none");
    if (setting->comment)
        print_comment(setting->comment, out);
    else if (!setting->given)
        g_string_append(out, "# the default, assumed\n");
    g_string_append_printf(out, "%s = %s\n", setting->name, setting->value);
}

static void print_cost(const MachLibraryCost *cost, const char *prefix, GString *out)
{
    if (cost->comment)
        print_comment(cost->comment, out);
    g_string_append_printf(out, "%s%s = %s\n", prefix, cost->name, cost->value);
}

/* Prints the costs that are given, then the default costs of all other functions, scaled by `library` of [cost]. */
static void print_library(const MachConfig *config, GString *out)
{
    size_t n;
    const VmExtern *library = vm_library(&n);
    g_string_append(out,
                    "\n[library]\n\n## cycles per call and, after a +, per byte or element; MPI functions may stand "
                    "here too\n");
    for (guint i = 0; i < config->library->len; i++)
        print_cost(&g_array_index(config->library, MachLibraryCost, i), "", out);
    g_string_append(out, "## the defaults of the others, assumed, to be multiplied by `library` of [cost]:\n");
    for (size_t i = 0; i < n; i++) {
        if (g_str_has_prefix(library[i].name, "__") || mach_library_cost_find(config->library, library[i].name))
            continue;
        uint32_t root_q8 = vm_library_is_root(&library[i]) ? vcode_cost_info[VCODE_COST_FP_SQRT].default_q8 : 0;
        g_autofree char *cost = mach_format_library_cost(library[i].base_q8 - root_q8, library[i].unit_q8);
        g_string_append_printf(out, "## %s = %s%s\n", library[i].name, cost, root_q8 ? ", and what fp-sqrt costs" : "");
    }
}

static void print_type(const MachNodeType *type, GString *out)
{
    g_string_append_printf(out, "\n[node-type %s]\n\n## which nodes these are\n", type->name);
    if (type->nodes_comment)
        print_comment(type->nodes_comment, out);
    g_string_append_printf(out, "nodes = %s\n", type->nodes);
    for (guint i = 0; i < type->settings->len; i++) {
        const MachSetting *setting = &g_array_index(type->settings, MachSetting, i);
        g_autofree char *unit = mach_setting_unit(setting);
        g_string_append_printf(out, "\n## %s (%s)\n", setting->help, unit);
        if (setting->comment)
            print_comment(setting->comment, out);
        g_string_append_printf(out, "%s.%s = %s\n", setting->section, setting->name, setting->value);
    }
    if (type->library->len)
        g_string_append_c(out, '\n');
    for (guint i = 0; i < type->library->len; i++)
        print_cost(&g_array_index(type->library, MachLibraryCost, i), "library.", out);
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
    print_library(config, out);
    for (guint i = 0; i < config->node_types->len; i++)
        print_type(g_ptr_array_index(config->node_types, i), out);
}

void mach_config_print_given(const MachConfig *config, const char *title, GString *out)
{
    const char *section = "";
    print_comment(title, out);
    for (guint i = 0; i < config->settings->len; i++) {
        const MachSetting *setting = &g_array_index(config->settings, MachSetting, i);
        if (!setting->given)
            continue;
        if (strcmp(section, setting->section) != 0) {
            section = setting->section;
            g_string_append_printf(out, "\n[%s]\n", section);
        }
        if (setting->comment)
            print_comment(setting->comment, out);
        g_string_append_printf(out, "%s = %s\n", setting->name, setting->value);
    }
    if (config->library->len)
        g_string_append(out, "\n[library]\n");
    for (guint i = 0; i < config->library->len; i++)
        print_cost(&g_array_index(config->library, MachLibraryCost, i), "", out);
    for (guint i = 0; i < config->node_types->len; i++)
        print_type(g_ptr_array_index(config->node_types, i), out);
}
