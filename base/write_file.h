/* write_file.h - results go to files whole or not at all. */
#ifndef ORRERY_BASE_WRITE_FILE_H
#define ORRERY_BASE_WRITE_FILE_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>

/* Writes `size` bytes to a file, whole or not at all. Devices and pipes are written in place. Errors are of the domain
 * G_FILE_ERROR. */
bool base_write_file(const char *path, const void *bytes, size_t size, GError **error);
/* Does what base_write_file() does, and makes the file executable. */
bool base_write_program(const char *path, const void *bytes, size_t size, GError **error);
/* Does what base_write_file() does; the path "-" means standard output. */
bool base_write_report(const char *path, const void *bytes, size_t size, GError **error);
/* The same for what is made piece by piece. base_write_begin() opens what will become the file, or what is written in
 * place; "-" is standard output. It returns NULL with an error if that is not possible. */
typedef struct BaseWriting BaseWriting;
BaseWriting *base_write_begin(const char *path, GError **error);
/* Adds bytes. After a failure nothing is written any more; base_write_end() tells it. */
void base_write_add(BaseWriting *writing, const void *bytes, size_t size);
/* Returns the descriptor that is written to, for who adds bytes by it. It stays open until base_write_end(). */
int base_write_descriptor(const BaseWriting *writing);
/* Frees it. Gives the file its name, or, if it is not `good`, leaves everything as it was, but for what has been
 * written in place. Returns whether it is good and all is written; sets an error if only the latter is not so. */
bool base_write_end(BaseWriting *writing, bool good, GError **error);
/* Sets the error that all of these functions set on a failure; `code` is its errno. Always returns false. */
bool base_write_refuse(const char *path, int code, GError **error);
/* Tells whether base_write_report() can write there, as far as can be known. Callers ask before they begin the work
 * whose result they want to write. */
bool base_write_possible(const char *path, GError **error);

#endif
