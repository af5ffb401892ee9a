/* write_file.c - results go to files whole or not at all. They are written to a file beside the target, which is then
 * renamed. A device or a pipe (/dev/stdout, /dev/null, a FIFO) is written in place: renaming would put an ordinary file
 * in its place. A symbolic link stays, and the file that it leads to is replaced.
 */
#include "base/write_file.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MODE_TEXT = 0666, MODE_PROGRAM = 0777 }; /* as far as the umask lets */
enum { MOST_LINKS = 40 };                       /* as many as Linux follows */

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

/* O_APPEND: what stands in an open file already, such as earlier output that was sent there, is kept. */
static bool write_in_place(const char *path, const void *bytes, size_t size, GError **error)
{
    int fd = g_open(path, O_WRONLY | O_APPEND | O_CLOEXEC, 0);
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

/* Follows symbolic links, so that the file behind them is replaced and they stay. Returns NULL if the path leads to
 * something that cannot be replaced: a device, a pipe, or a name such as /dev/stdout, which stands for an open file.
 * The caller frees the result with g_free(). */
static char *file_to_replace(const char *path)
{
    if (g_file_test(path, G_FILE_TEST_EXISTS) && !g_file_test(path, G_FILE_TEST_IS_REGULAR))
        return NULL;
    g_autofree char *at = g_strdup(path);
    for (int links = 0; links < MOST_LINKS; links++) {
        if (g_str_has_prefix(at, "/dev/std") || g_str_has_prefix(at, "/dev/fd/") || g_str_has_prefix(at, "/proc/"))
            return NULL;
        g_autofree char *to = g_file_read_link(at, NULL);
        if (!to)
            return g_steal_pointer(&at);
        g_autofree char *folder = g_path_get_dirname(at);
        g_free(at);
        at = g_path_is_absolute(to) ? g_strdup(to) : g_build_filename(folder, to, NULL);
    }
    return NULL; /* a circle of links: opening it says so */
}

static bool write_file(const char *path, const void *bytes, size_t size, int mode, GError **error)
{
    g_autofree char *file = file_to_replace(path);
    return file ? write_by_rename(file, bytes, size, mode, error) : write_in_place(path, bytes, size, error);
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
