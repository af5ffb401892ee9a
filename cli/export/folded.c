/* folded.c - folded stacks, as flame graphs are made of: frames from the outermost to the innermost with semicolons
 * between them, a space, a number. The number is the time in ns of all locations. */
#include "cli/export/sites.h"

/* Appends a frame, without the characters that have a meaning. */
static void append_frame(GString *out, const char *frame)
{
    for (const char *at = frame; *at; at++)
        g_string_append_c(out, *at == ';' ? ':' : (unsigned char)*at < ' ' ? ' ' : *at);
}

static void append_stack(GString *out, const char *program, const ExportSite *site, const char *state,
                         const char *cause, uint64_t ps)
{
    uint64_t ns = (ps + 500) / 1000;
    if (!ns)
        return;
    append_frame(out, program);
    if (*site->file != '?') {
        g_autofree char *line = g_strdup_printf("%s:%u", export_timeline_base_name(site->file), site->line);
        g_string_append_c(out, ';');
        append_frame(out, site->caller);
        g_string_append_c(out, ';');
        append_frame(out, line);
    }
    if (site->function && state) {
        g_string_append_c(out, ';');
        append_frame(out, site->function);
    }
    if (state)
        g_string_append_printf(out, ";%s", state);
    if (cause && *cause) {
        g_string_append_c(out, ';');
        append_frame(out, cause);
    }
    g_string_append_printf(out, " %" G_GUINT64_FORMAT "\n", ns);
}

bool export_folded(const ExportJob *job, GError **error)
{
    g_autoptr(GPtrArray) sites = export_sites(job, error);
    const char *program = trace_reader_note(job->reader, "program");
    TraceText *text = sites ? cli_trace_text_to(job->output, error) : NULL;
    if (!text)
        return false;
    program = program ? export_timeline_base_name(program) : "program";
    for (guint i = 0; i < sites->len; i++) {
        const ExportSite *site = sites->pdata[i];
        GString *out = cli_trace_text(text);
        append_stack(out, program, site, NULL, NULL, site->computing_ps);
        append_stack(out, program, site, "library", NULL, site->overhead_ps);
        for (guint k = 0; k < site->waits->len; k++) {
            const ExportSiteWait *wait = &g_array_index(site->waits, ExportSiteWait, k);
            append_stack(out, program, site, "waiting", wait->cause, wait->ps);
        }
    }
    return cli_trace_text_end(text, true, error);
}
