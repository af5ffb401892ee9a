/* read_file.c - text files that parameters name. A device or a directory is refused before it is opened: reading some
 * devices never ends, and opening some never returns. */
#include "netsim/params/params.h"

#include <string.h>

char *net_read_file(const char *key, const char *path, GError **error)
{
    g_autoptr(GError) io = NULL;
    char *text = NULL;
    gsize size;
    if (g_file_test(path, G_FILE_TEST_EXISTS) && !g_file_test(path, G_FILE_TEST_IS_REGULAR)) {
        net_error_refuse(error, key, "cannot read %s: it is no ordinary file", path);
        return NULL;
    }
    if (!g_file_get_contents(path, &text, &size, &io)) {
        net_error_refuse(error, key, "%s", io->message);
        return NULL;
    }
    const char *zero = memchr(text, '\0', size);
    if (!zero)
        return text;
    unsigned line = 1;
    for (const char *at = text; (at = memchr(at, '\n', (size_t)(zero - at))); at++)
        line++;
    net_error_refuse(error, key, "%s:%u: a byte 0: this is no text file", path, line);
    g_free(text);
    return NULL;
}
