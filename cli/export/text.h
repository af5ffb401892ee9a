/* text.h - text that is made piece by piece, to a file or to standard output. */
#ifndef ORRERY_CLI_EXPORT_TEXT_H
#define ORRERY_CLI_EXPORT_TEXT_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct TraceText TraceText;
/* Opens what is to be written: a file, whole or not at all, or "-". Returns NULL with an error. */
TraceText *cli_trace_text_to(const char *path, GError **error);
/* Returns the buffer to append to, which has been written if it was long. */
GString *cli_trace_text(TraceText *text);
/* Writes the rest and frees it. Returns false with an error if anything could not be written; then the file is gone. */
bool cli_trace_text_end(TraceText *text, bool good, GError **error);

#endif
