/* write_file.c - results go to files whole or not at all: written beside the target, then renamed. What cannot be
 * replaced that way, a device or a pipe (/dev/stdout, /dev/null, a FIFO), is written to as it is: renaming would put an
 * ordinary file in its place.
 */
#include "monitor/internal.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static bool write_in_place(const char *path, const char *text, size_t size)
{
    FILE *file = fopen(path, "we");
    if (!file)
        return false;
    bool good = fwrite(text, 1, size, file) == size;
    return fclose(file) == 0 && good;
}

bool mon_write_file(const char *path, const char *text, size_t size, GError **error)
{
    if (!g_file_test(path, G_FILE_TEST_EXISTS) || g_file_test(path, G_FILE_TEST_IS_REGULAR))
        return g_file_set_contents(path, text, (gssize)size, error);
    if (write_in_place(path, text, size))
        return true;
    int code = errno;
    g_set_error(error, G_FILE_ERROR, (int)g_file_error_from_errno(code), "cannot write %s: %s", path, g_strerror(code));
    return false;
}

bool mon_write_report(const char *path, const char *text, size_t size, GError **error)
{
    if (strcmp(path, "-") != 0)
        return mon_write_file(path, text, size, error);
    if (fwrite(text, 1, size, stdout) == size && fflush(stdout) == 0)
        return true;
    g_set_error_literal(error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "cannot write to standard output");
    return false;
}
