/* profile.c - `--profile FILE`: where the virtual time went, as JSON (monitor/profile.h). */
#include "monitor/profile.h"
#include "base/write_file.h"
#include "monitor/export/export.h"

static bool begin(const MonExportStart *start, void **own, GError **error)
{
    (void)error;
    *own = mon_profile_new(start->machine, MON_PROFILE_SAMPLED);
    return true;
}

static bool write_profile(const MonExportRun *run, const char *path, GError **error)
{
    g_autoptr(GString) out = g_string_new(NULL);
    mon_profile_print_json(mon_profile_data(run->own), out);
    return base_write_report(path, out->str, out->len, error);
}

static void end(void *own)
{
    mon_profile_free(own);
}

const MonExport mon_export_profile = {.begin = begin, .write = write_profile, .end = end};
