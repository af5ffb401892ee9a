/* archive.h - static libraries (archive.c). */
#ifndef ORRERY_CLI_ARCHIVE_H
#define ORRERY_CLI_ARCHIVE_H

#include "vcode/vcode.h"

/* Returns the objects in an archive, VcodeModule *, in order. The caller frees them, with the array, by
 * g_ptr_array_unref(). NULL with an error. */
GPtrArray *cli_archive_read(const char *path, GError **error);

#endif
