/* page.c - a folder with a report: the page, and the trace that it is made of (`--report DIR`). */
#include "monitor/page/page.h"

#include "monitor/export/export.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>

static char *file_in(const char *folder, const char *name)
{
    return g_build_filename(folder, name, NULL);
}

static bool check(const char *path, GError **error)
{
    if (!g_file_test(path, G_FILE_TEST_EXISTS) || g_file_test(path, G_FILE_TEST_IS_DIR))
        return true;
    g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_NOTDIR, "%s is a file; a report needs a folder", path);
    return false;
}

static void ask(MonNetworkOptions *options, const MonExportSettings *settings)
{
    (void)settings;
    options->links_if_told = true;
}

/* The run is recorded into the folder, with what the page shows beyond calls: why they wait, and, where messages
 * between two nodes may take several ways, which these were. */
static bool begin(const MonExportStart *start, void **own, GError **error)
{
    char waits[] = "waits", hops[] = "waits,hops";
    g_autofree char *trace = file_in(start->path, "run.trace");
    MonExportsAsked asked = *start->asked;
    asked.texts[MON_EXPORT_TEXT_trace_detail] = net_has_one_path(mach_run_network(start->machine)) ? waits : hops;
    MonExportStart recorded = {start->machine, start->network, trace, &asked};
    if (g_mkdir_with_parents(start->path, 0777) == 0)
        return mon_export_trace.begin(&recorded, own, error);
    int code = errno;
    g_set_error(error, G_FILE_ERROR, (gint)g_file_error_from_errno(code), "cannot make the folder %s: %s", start->path,
                g_strerror(code));
    return false;
}

static bool write_report(const MonExportRun *run, const char *path, GError **error)
{
    g_autofree char *trace = file_in(path, "run.trace"), *page = file_in(path, "index.html");
    if (!mon_export_trace.write(run, trace, error)) {
        if (g_error_matches(*error, TRACE_ERROR, TRACE_ERROR_EARLY)) { /* enough for a trace, but not for a report */
            (*error)->domain = G_FILE_ERROR;
            (*error)->code = G_FILE_ERROR_NOSPC;
        }
        return false;
    }
    g_autoptr(TraceReader) reader = trace_reader_new(trace, error);
    if (run->network)
        mon_network_settle(run->network);
    return reader && mon_page_write(
                         &(MonPage){run->machine, run->network, reader, run->diagnosis, mon_profile_data(run->profile)},
                         page, error);
}

static void end(void *own)
{
    mon_export_trace.end(own);
}

const MonExport mon_export_report = {
    .diagnosis = true, .profile = true, .check = check, .ask = ask, .begin = begin, .write = write_report, .end = end};
