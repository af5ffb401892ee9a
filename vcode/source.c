/* source.c - the text of source files that debug information names.
 *
 * A module may name any path, a device or a pipe that never ends among them: only ordinary files are read, and no more
 * of them than they say they have.
 */
#include "vcode/internal.h"

#include <unistd.h>

char **vcode_source_lines(const VcodeModule *module, uint32_t file, uint32_t *count)
{
    enum { LARGEST_SOURCE = 64 << 20 };
    struct stat status;
    *count = 0;
    int fd = file < module->files.count ? vcode_open_ordinary(vcode_file_name(module, file), &status) : -1;
    if (fd < 0)
        return NULL;
    g_autofree char *text = NULL;
    ssize_t got = -1;
    if (status.st_size <= LARGEST_SOURCE) {
        text = g_malloc((size_t)status.st_size + 1);
        got = vcode_read_all(fd, (uint8_t *)text, (size_t)status.st_size);
    }
    close(fd);
    if (got < 0)
        return NULL;
    text[got] = '\0';
    char **lines = g_strsplit(text, "\n", -1);
    *count = g_strv_length(lines);
    return lines;
}
