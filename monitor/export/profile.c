/* profile.c - `--profile FILE`: where the virtual time went, as JSON (monitor/profile.h). */
#include "monitor/profile.h"
#include "base/write_file.h"
#include "monitor/export/export.h"

static bool write_profile(const MonExportRun *run, const char *path, GError **error)
{
    g_autoptr(GString) out = g_string_new(NULL);
    mon_profile_print_json(mon_profile_data(run->profile), out);
    return base_write_report(path, out->str, out->len, error);
}

const MonExport mon_export_profile = {.profile = true, .write = write_profile};
