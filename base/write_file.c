/* write_file.c - results go to files whole or not at all: written beside the target, then renamed. What cannot be
 * replaced that way, a device or a pipe (/dev/stdout, /dev/null, a FIFO), is written to as it is: renaming would put an
 * ordinary file in its place.
 */
#include "base/write_file.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool write_in_place(const char *path, const char *text, size_t size)
{
    FILE *file = fopen(path, "we");
    if (!file)
        return false;
    bool good = fwrite(text, 1, size, file) == size;
    return fclose(file) == 0 && good;
}

static bool cannot_write(const char *path, int code, GError **error)
{
    g_set_error(error, G_FILE_ERROR, (int)g_file_error_from_errno(code), "cannot write %s: %s", path, g_strerror(code));
    return false;
}

bool base_write_possible(const char *path, GError **error)
{
    if (strcmp(path, "-") == 0)
        return true;
    if (g_file_test(path, G_FILE_TEST_IS_DIR))
        return cannot_write(path, EISDIR, error);
    g_autofree char *folder = g_path_get_dirname(path);
    bool exists = g_file_test(path, G_FILE_TEST_EXISTS);
    if (!exists && g_file_test(folder, G_FILE_TEST_EXISTS) && !g_file_test(folder, G_FILE_TEST_IS_DIR))
        return cannot_write(path, ENOTDIR, error);
    return g_access(exists ? path : folder, W_OK) == 0 || cannot_write(path, errno, error);
}

bool base_write_file(const char *path, const char *text, size_t size, GError **error)
{
    if (g_file_test(path, G_FILE_TEST_EXISTS) && !g_file_test(path, G_FILE_TEST_IS_REGULAR))
        return write_in_place(path, text, size) || cannot_write(path, errno, error);
    g_autoptr(GError) why = NULL;
    if (g_file_set_contents(path, text, (gssize)size, &why))
        return true;
    /* GLib names the file beside the target, whose name is made by chance; the reason comes last. */
    const char *reason = strrchr(why->message, ':');
    g_set_error(error, why->domain, why->code, "cannot write %s: %s", path, reason ? reason + 2 : why->message);
    return false;
}

bool base_write_report(const char *path, const char *text, size_t size, GError **error)
{
    if (strcmp(path, "-") != 0)
        return base_write_file(path, text, size, error);
    if (fwrite(text, 1, size, stdout) == size && fflush(stdout) == 0)
        return true;
    g_set_error_literal(error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "cannot write to standard output");
    return false;
}
