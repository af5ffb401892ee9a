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

/* -- piece by piece ---------------------------------------------------------------------------- */

struct BaseWriting {
    char *path;             /* NULL: standard output */
    char *file, *temporary; /* NULL: it is written in place */
    int fd;
    int failed; /* errno of the first write that failed; 0: none did */
};

/* O_APPEND: what stands in an open file already, such as earlier output that was sent there, is kept. */
static int open_for(BaseWriting *writing, int mode)
{
    if (!writing->path)
        return fflush(stdout) == 0 ? dup(STDOUT_FILENO) : -1;
    writing->file = file_to_replace(writing->path);
    if (!writing->file)
        return g_open(writing->path, O_WRONLY | O_APPEND | O_CLOEXEC, 0);
    writing->temporary = g_strconcat(writing->file, ".XXXXXX", NULL);
    return g_mkstemp_full(writing->temporary, O_RDWR | O_CLOEXEC, mode);
}

static bool refuse(const BaseWriting *writing, int code, GError **error)
{
    return base_write_refuse(writing->path ? writing->path : "to standard output", code, error);
}

static void writing_free(BaseWriting *writing)
{
    g_free(writing->path);
    g_free(writing->file);
    g_free(writing->temporary);
    g_free(writing);
}

static BaseWriting *begin(const char *path, int mode, GError **error)
{
    BaseWriting *writing = g_new0(BaseWriting, 1);
    writing->path = g_strdup(path);
    writing->fd = open_for(writing, mode);
    if (writing->fd >= 0)
        return writing;
    refuse(writing, errno, error);
    writing_free(writing);
    return NULL;
}

BaseWriting *base_write_begin(const char *path, GError **error)
{
    return begin(strcmp(path, "-") == 0 ? NULL : path, MODE_TEXT, error);
}

int base_write_descriptor(const BaseWriting *writing)
{
    return writing->fd;
}

void base_write_add(BaseWriting *writing, const void *bytes, size_t size)
{
    if (!writing->failed && !write_all(writing->fd, bytes, size))
        writing->failed = errno;
}

bool base_write_end(BaseWriting *writing, bool good, GError **error)
{
    int code = writing->failed;
    if (close(writing->fd) < 0 && code == 0)
        code = errno;
    if (good && code == 0 && writing->file && g_rename(writing->temporary, writing->file) < 0)
        code = errno;
    if (writing->file && (code || !good))
        g_unlink(writing->temporary);
    if (good && code)
        refuse(writing, code, error);
    writing_free(writing);
    return good && code == 0;
}

/* -- at once ----------------------------------------------------------------------------------- */

static bool write_file(const char *path, const void *bytes, size_t size, int mode, GError **error)
{
    BaseWriting *writing = begin(path, mode, error);
    if (!writing)
        return false;
    base_write_add(writing, bytes, size);
    return base_write_end(writing, true, error);
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
