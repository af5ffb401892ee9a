/* csv.h - fields of tables with commas (RFC 4180). */
#ifndef ORRERY_BASE_CSV_H
#define ORRERY_BASE_CSV_H

#include <glib.h>

/* Appends a field: in quotes if it contains a comma, a quote or a line break. */
void base_csv_append(GString *out, const char *text);

#endif
