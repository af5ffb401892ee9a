/* past.c - the lines of earlier runs, in a file of the user that stays small. */
#include "cli/console/console.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_BYTES = 1 << 20 }; /* a file that something else has written is not read into memory */

static char *in_folder(const char *folder, const char *below_home, const char *name)
{
    const char *home = g_getenv("HOME");
    if (folder && g_path_is_absolute(folder))
        return g_build_filename(folder, "orrery", name, NULL);
    return home && g_path_is_absolute(home) ? g_build_filename(home, below_home, "orrery", name, NULL) : NULL;
}

char *cli_console_state_file(const char *name)
{
    return in_folder(g_getenv("XDG_STATE_HOME"), ".local/state", name);
}

char *cli_console_config_file(const char *name)
{
    return in_folder(g_getenv("XDG_CONFIG_HOME"), ".config", name);
}

/* The last bytes of a regular file, from the beginning of a line on. */
static char *read_end(const char *path)
{
    struct stat status;
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    char *text = NULL;
    if (file >= 0 && fstat(file, &status) == 0 && S_ISREG(status.st_mode)) {
        off_t from = status.st_size > MOST_BYTES ? status.st_size - MOST_BYTES : 0;
        text = g_malloc0((gsize)(status.st_size - from) + 1);
        ssize_t n = pread(file, text, (size_t)(status.st_size - from), from);
        text[MAX(n, 0)] = '\0';
        char *begin = from > 0 ? strchr(text, '\n') : NULL;
        if (begin)
            memmove(text, begin + 1, strlen(begin));
    }
    if (file >= 0)
        close(file);
    return text;
}

GPtrArray *cli_console_past_read(const char *path, unsigned most)
{
    GPtrArray *lines = g_ptr_array_new_with_free_func(g_free);
    g_autofree char *text = path ? read_end(path) : NULL;
    g_auto(GStrv) all = g_strsplit(text ? text : "", "\n", -1);
    for (char **line = all; *line; line++)
        if (**line && g_utf8_validate(*line, -1, NULL))
            g_ptr_array_add(lines, g_strdup(*line));
    if (lines->len > most)
        g_ptr_array_remove_range(lines, 0, lines->len - most);
    return lines;
}

bool cli_console_past_add(const char *path, const GPtrArray *lines, unsigned most)
{
    g_autofree char *folder = g_path_get_dirname(path);
    g_autoptr(GString) text = g_string_new(NULL);
    g_autoptr(GPtrArray) all = cli_console_past_read(path, most);
    for (guint i = 0; i < lines->len; i++)
        g_ptr_array_add(all, g_strdup(g_ptr_array_index(lines, i)));
    for (guint i = all->len > most ? all->len - most : 0; i < all->len; i++)
        g_string_append_printf(text, "%s\n", (const char *)g_ptr_array_index(all, i));
    /* what is typed may be a secret: only the user reads it */
    return g_mkdir_with_parents(folder, 0700) == 0 &&
           g_file_set_contents_full(path, text->str, (gssize)text->len, G_FILE_SET_CONTENTS_CONSISTENT, 0600, NULL);
}
