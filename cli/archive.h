/* archive.h - static libraries, and names for files that are not ours (archive.c). */
#ifndef ORRERY_CLI_ARCHIVE_H
#define ORRERY_CLI_ARCHIVE_H

#include "cli.h"

/* The objects in an archive, VcodeModule *, in order; free with g_ptr_array_unref, which frees them too. */
GPtrArray *cli_archive_read(const char *path, GError **error);
/* What a file with this content is, for messages: "LLVM bitcode, made by another compiler". */
const char *cli_describe_bytes(const char *bytes, gsize size);

#endif
