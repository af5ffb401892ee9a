/* json.h - texts in JSON that is written as text. */
#ifndef ORRERY_CLI_EXPORT_JSON_H
#define ORRERY_CLI_EXPORT_JSON_H

#include <glib.h>

/* Appends the text in quotes. Bytes that are no UTF-8 become question marks. */
void export_json_text(GString *out, const char *text);

#endif
