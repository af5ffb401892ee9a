/* sites.h - time by place in the source: what a trace tells of a profile. */
#ifndef ORRERY_CLI_EXPORT_SITES_H
#define ORRERY_CLI_EXPORT_SITES_H

#include "cli/export/timeline.h"

typedef struct ExportSiteWait {
    const char *cause; /* "": the trace does not tell it */
    uint64_t ps;
} ExportSiteWait;

typedef struct ExportSite { /* the calls of a function from a line; those of all locations together */
    const char *file, *caller;
    uint32_t line;
    const char *function; /* NULL: none, this is what was computed after the last call, or a pause */
    uint64_t calls;
    uint64_t computing_ps; /* before these calls, since the calls before */
    uint64_t overhead_ps;  /* in them: work of the library */
    GArray *waits;         /* ExportSiteWait: in them: the rest, in the order of the causes' names */
    uint64_t waiting_ps;   /* their sum */
} ExportSite;

/* Returns the places (ExportSite *), ordered by file, caller, line and function, or NULL with an error. For
 * g_ptr_array_unref(). The times of all add up to those of all locations until their ends. */
GPtrArray *export_sites(const ExportJob *job, GError **error);

#endif
