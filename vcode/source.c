/* source.c - the source files that debug information names, and their text.
 *
 * A module may name any path, even a device or a pipe that never ends. So only ordinary files are read, and no more
 * bytes than their size says.
 */
#include "vcode/internal.h"

#include <unistd.h>

uint32_t vcode_source_file(VcodeModule *module, const char *path)
{
    if (!module->file_index) {
        module->file_index = g_hash_table_new(g_direct_hash, g_direct_equal);
        for (uint32_t i = 0; i < module->files.count; i++)
            g_hash_table_insert(module->file_index, GUINT_TO_POINTER(module->files.items[i]), GUINT_TO_POINTER(i));
    }
    uint32_t name = vcode_string(module, path);
    gpointer found;
    if (g_hash_table_lookup_extended(module->file_index, GUINT_TO_POINTER(name), NULL, &found))
        return GPOINTER_TO_UINT(found);
    uint32_t index = module->files.count;
    *vcode_push(module, files) = name;
    g_hash_table_insert(module->file_index, GUINT_TO_POINTER(name), GUINT_TO_POINTER(index));
    return index;
}

const char *vcode_source_name(const VcodeModule *module, uint32_t index)
{
    return index < module->files.count ? vcode_text(module, module->files.items[index]) : "?";
}

char **vcode_source_lines(const VcodeModule *module, uint32_t file, uint32_t *count)
{
    enum { LARGEST_SOURCE = 64 << 20 };
    struct stat status;
    *count = 0;
    int fd = file < module->files.count ? vcode_file_open_ordinary(vcode_source_name(module, file), &status) : -1;
    if (fd < 0)
        return NULL;
    g_autofree char *text = NULL;
    ssize_t got = -1;
    if (status.st_size <= LARGEST_SOURCE) {
        text = g_malloc((size_t)status.st_size + 1);
        got = vcode_file_read_all(fd, (uint8_t *)text, (size_t)status.st_size);
    }
    close(fd);
    if (got < 0)
        return NULL;
    text[got] = '\0';
    char **lines = g_strsplit(text, "\n", -1);
    *count = g_strv_length(lines);
    return lines;
}
