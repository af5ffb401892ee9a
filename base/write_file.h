/* write_file.h - results go to files whole or not at all. */
#ifndef ORRERY_BASE_WRITE_FILE_H
#define ORRERY_BASE_WRITE_FILE_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>

/* Writes a result whole or not at all; devices and pipes in place. Errors are of G_FILE_ERROR. */
bool base_write_file(const char *path, const void *bytes, size_t size, GError **error);
/* The same, of a file that one may start. */
bool base_write_program(const char *path, const void *bytes, size_t size, GError **error);
/* The same as base_write_file(), or to standard output for "-". */
bool base_write_report(const char *path, const void *bytes, size_t size, GError **error);
/* What all of them say of a failure, of which errno told why; false. */
bool base_write_refuse(const char *path, int code, GError **error);
/* Whether that may go well, asked before the work rather than after it. */
bool base_write_possible(const char *path, GError **error);

#endif
