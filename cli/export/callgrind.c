/* callgrind.c - time by function and line in the format of callgrind's profiles ("Callgrind Format Specification" in
 * the manual of Valgrind), for KCachegrind and callgrind_annotate. Times are in ps, those of all locations together.
 *
 * The lines of a function have what was computed in front of their calls; the functions of MPI have what the library
 * worked and waited. */
#include "cli/export/sites.h"

#include <string.h>

typedef struct Totals {
    uint64_t computing_ps, library_ps, waiting_ps;
} Totals;

static void append_costs(GString *out, uint32_t line, const Totals *totals)
{
    g_string_append_printf(out, "%u %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT "\n", line,
                           totals->computing_ps, totals->library_ps, totals->waiting_ps);
}

static Totals total_of(const GPtrArray *sites)
{
    Totals totals = {0};
    for (guint i = 0; i < sites->len; i++) {
        const ExportSite *site = sites->pdata[i];
        totals.computing_ps += site->computing_ps;
        totals.library_ps += site->overhead_ps;
        totals.waiting_ps += site->waiting_ps;
    }
    return totals;
}

static void append_head(GString *out, const ExportJob *job, const Totals *totals)
{
    const char *program = trace_reader_note(job->reader, "program"),
               *machine = trace_reader_note(job->reader, "machine");
    g_string_append_printf(out,
                           "# callgrind format\nversion: 1\ncreator: orrery\ncmd: %s\n"
                           "desc: Machine: %s\npositions: line\n"
                           "event: Computing : ps of computing\nevent: Library : ps of work in MPI\n"
                           "event: Waiting : ps of waiting in MPI, or paused\n"
                           "event: Time = Computing + Library + Waiting : ps in all\n"
                           "events: Computing Library Waiting\n",
                           program ? program : "?", machine ? machine : "?");
    g_string_append_printf(out, "summary: %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT "\n",
                           totals->computing_ps, totals->library_ps, totals->waiting_ps);
}

static bool is_same_caller(const ExportSite *one, const ExportSite *other)
{
    return one && strcmp(one->file, other->file) == 0 && strcmp(one->caller, other->caller) == 0;
}

/* The functions of the program, each with its lines and calls. */
static void append_callers(GString *out, const GPtrArray *sites)
{
    const ExportSite *last = NULL;
    for (guint i = 0; i < sites->len; last = sites->pdata[i++]) {
        const ExportSite *site = sites->pdata[i];
        bool program = *site->file != '?'; /* else the place is unknown, or there is none */
        if (!is_same_caller(last, site))
            g_string_append_printf(out, "\nfl=%s\nfn=%s\n", program ? site->file : "???",
                                   program ? site->caller : "(outside of calls)");
        append_costs(
            out, site->line,
            &(Totals){.computing_ps = site->computing_ps, .waiting_ps = site->function ? 0 : site->waiting_ps});
        if (!site->function)
            continue;
        g_string_append_printf(out, "cfl=MPI\ncfn=%s\ncalls=%" G_GUINT64_FORMAT " 0\n", site->function, site->calls);
        append_costs(out, site->line, &(Totals){.library_ps = site->overhead_ps, .waiting_ps = site->waiting_ps});
    }
}

static int by_function(gconstpointer a, gconstpointer b)
{
    return g_strcmp0((*(ExportSite *const *)a)->function, (*(ExportSite *const *)b)->function);
}

/* The functions of MPI, each with its own time. */
static void append_functions(GString *out, GPtrArray *sites)
{
    Totals totals = {0};
    g_ptr_array_sort(sites, by_function);
    for (guint i = 0; i < sites->len; i++) {
        const ExportSite *site = sites->pdata[i], *next = i + 1 < sites->len ? sites->pdata[i + 1] : NULL;
        if (!site->function)
            continue;
        totals.library_ps += site->overhead_ps;
        totals.waiting_ps += site->waiting_ps;
        if (next && g_strcmp0(next->function, site->function) == 0)
            continue;
        g_string_append_printf(out, "\nfl=MPI\nfn=%s\n", site->function);
        append_costs(out, 0, &totals);
        totals = (Totals){0};
    }
}

bool export_callgrind(const ExportJob *job, GError **error)
{
    g_autoptr(GPtrArray) sites = export_sites(job, error);
    TraceText *text = sites ? cli_trace_text_to(job->output, error) : NULL;
    if (!text)
        return false;
    Totals totals = total_of(sites);
    append_head(cli_trace_text(text), job, &totals);
    append_callers(cli_trace_text(text), sites);
    append_functions(cli_trace_text(text), sites);
    g_string_append_printf(cli_trace_text(text),
                           "\ntotals: %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT "\n",
                           totals.computing_ps, totals.library_ps, totals.waiting_ps);
    return cli_trace_text_end(text, true, error);
}
