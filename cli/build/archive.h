/* archive.h - static libraries (archive.c). */
#ifndef ORRERY_CLI_ARCHIVE_H
#define ORRERY_CLI_ARCHIVE_H

#include "vcode/vcode.h"

/* The objects in an archive, VcodeModule *, in order; free with g_ptr_array_unref, which frees them too. */
GPtrArray *cli_archive_read(const char *path, GError **error);

#endif
