/* export.h - traces in the formats of other tools. A format is a file of this folder and a row of exports.def.
 *
 *   timeline.c   what locations did, from the events of a trace       text.c     text, piece by piece
 *   operations.c what ranks compute, send and receive, in order       calls.c    arguments of MPI's functions
 *   sites.c      time by place in the source                          formats.c  the table of formats
 */
#ifndef ORRERY_CLI_EXPORT_H
#define ORRERY_CLI_EXPORT_H

#include "cli/export/text.h"
#include "trace/trace.h"

typedef struct ExportJob {
    TraceReader *reader;
    const TraceSelection *selection;
    const char *output; /* where it goes: a path, or "-" for standard output */
    uint32_t locations; /* all numbers are below */
    uint64_t end_ps;    /* no event is later */
} ExportJob;

typedef struct ExportFormat {
    const char *name, *help;
    bool file; /* is no text: it needs a path */
    bool (*write)(const ExportJob *job, GError **error);
} ExportFormat;

#define EXPORT(identifier, name, file, help) bool export_##identifier(const ExportJob *job, GError **error);
#include "cli/export/exports.def"

/* All formats; the last one has no name. */
extern const ExportFormat export_formats[];
/* The names of all formats that `orrery trace convert` has, between bars; the help of --format. */
extern const char export_format_choices[], export_format_help[];

#endif
