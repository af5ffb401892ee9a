/* write_file.c - results go to files whole or not at all. They are written to a file beside the target, which is then
 * renamed. A device or a pipe (/dev/stdout, /dev/null, a FIFO) is written in place: renaming would put an ordinary file
 * in its place.
 */
#include "base/write_file.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MODE_TEXT = 0666, MODE_PROGRAM = 0777 }; /* as far as the umask lets */

bool base_write_refuse(const char *path, int code, GError **error)
{
    g_set_error(error, G_FILE_ERROR, (int)g_file_error_from_errno(code), "cannot write %s: %s", path, g_strerror(code));
    return false;
}

static bool write_all(int fd, const char *bytes, size_t size)
{
    while (size) {
        ssize_t written = write(fd, bytes, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return false;
        bytes += written;
        size -= (size_t)written;
    }
    return true;
}

/* Writes all of it and closes the file; 0, or why not. */
static int fill(int fd, const void *bytes, size_t size)
{
    int code = write_all(fd, bytes, size) ? 0 : errno;
    if (close(fd) < 0 && code == 0)
        code = errno;
    return code;
}

static bool write_in_place(const char *path, const void *bytes, size_t size, GError **error)
{
    int fd = g_open(path, O_WRONLY | O_CLOEXEC, 0);
    int code = fd < 0 ? errno : fill(fd, bytes, size);
    return code == 0 || base_write_refuse(path, code, error);
}

static bool write_by_rename(const char *path, const void *bytes, size_t size, int mode, GError **error)
{
    g_autofree char *temporary = g_strconcat(path, ".XXXXXX", NULL);
    int fd = g_mkstemp_full(temporary, O_RDWR | O_CLOEXEC, mode);
    if (fd < 0)
        return base_write_refuse(path, errno, error);
    int code = fill(fd, bytes, size);
    if (code == 0 && g_rename(temporary, path) < 0)
        code = errno;
    if (code)
        g_unlink(temporary);
    return code == 0 || base_write_refuse(path, code, error);
}

static bool write_file(const char *path, const void *bytes, size_t size, int mode, GError **error)
{
    bool special = g_file_test(path, G_FILE_TEST_EXISTS) && !g_file_test(path, G_FILE_TEST_IS_REGULAR);
    return special ? write_in_place(path, bytes, size, error) : write_by_rename(path, bytes, size, mode, error);
}

bool base_write_file(const char *path, const void *bytes, size_t size, GError **error)
{
    return write_file(path, bytes, size, MODE_TEXT, error);
}

bool base_write_program(const char *path, const void *bytes, size_t size, GError **error)
{
    return write_file(path, bytes, size, MODE_PROGRAM, error);
}

bool base_write_report(const char *path, const void *bytes, size_t size, GError **error)
{
    if (strcmp(path, "-") != 0)
        return base_write_file(path, bytes, size, error);
    if (fwrite(bytes, 1, size, stdout) == size && fflush(stdout) == 0)
        return true;
    return base_write_refuse("to standard output", errno, error);
}

bool base_write_possible(const char *path, GError **error)
{
    if (strcmp(path, "-") == 0)
        return true;
    if (g_file_test(path, G_FILE_TEST_IS_DIR))
        return base_write_refuse(path, EISDIR, error);
    g_autofree char *folder = g_path_get_dirname(path);
    bool exists = g_file_test(path, G_FILE_TEST_EXISTS);
    if (!exists && g_file_test(folder, G_FILE_TEST_EXISTS) && !g_file_test(folder, G_FILE_TEST_IS_DIR))
        return base_write_refuse(path, ENOTDIR, error);
    return g_access(exists ? path : folder, W_OK) == 0 || base_write_refuse(path, errno, error);
}
