/* trace.c - a trace for replay: which format its files have, and what stands in them. */
#include "cli/base/base.h"
#include "cli/replay/table.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum Format { TI, TI_LIST, GOAL, GOAL_BINARY } Format;

static bool cannot_read(const char *path, GError **error)
{
    g_set_error(error, CLI_ERROR, CLI_ERROR_FILE, "cannot read %s: %s", path, g_strerror(errno));
    return false;
}

/* Finds the format by the beginning of the file: a number, the word num_ranks, actions, or else names of files. */
static bool find_format(const char *path, Format *format, GError **error)
{
    int handle = g_file_test(path, G_FILE_TEST_IS_DIR) ? (errno = EISDIR, -1) : g_open(path, O_RDONLY | O_NONBLOCK);
    FILE *file = handle < 0 ? NULL : fdopen(handle, "r");
    char *line = NULL;
    size_t room = 0;
    uint64_t cookie = 0;
    if (!file)
        return cannot_read(path, error);
    if (!g_file_test(path, G_FILE_TEST_IS_REGULAR)) {
        fclose(file);
        return cli_error_usage(error, "%s: a replay reads its file more than once, and this is no regular file", path);
    }
    size_t got = fread(&cookie, 1, sizeof cookie, file);
    *format = TI_LIST;
    if (got == sizeof cookie && cookie == REPLAY_GOAL_COOKIE) {
        *format = GOAL_BINARY;
    } else {
        rewind(file);
        while (getline(&line, &room, file) >= 0) {
            g_strstrip(line);
            if (!*line || *line == '#')
                continue;
            if (g_str_has_prefix(line, "num_ranks") || g_str_has_prefix(line, "//") || g_str_has_prefix(line, "/*"))
                *format = GOAL;
            else if (replay_is_ti(line))
                *format = TI;
            break;
        }
    }
    free(line);
    fclose(file);
    return true;
}

static bool is_text(const char *line)
{
    bool text = g_utf8_validate(line, -1, NULL);
    for (; text && *line; line++)
        text = !g_ascii_iscntrl(*line) || *line == '\t';
    return text;
}

/* Replaces a list of files by the files; a name is as seen from the list, or from here. */
static bool read_list(ReplayTrace *trace, GError **error)
{
    g_autofree char *list = g_strdup(trace->files->pdata[0]), *folder = g_path_get_dirname(list), *text = NULL;
    Format format = TI;
    if (!g_file_get_contents(list, &text, NULL, error))
        return false;
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    g_ptr_array_set_size(trace->files, 0);
    for (unsigned i = 0; lines[i]; i++) {
        g_strstrip(lines[i]);
        if (!*lines[i] || *lines[i] == '#')
            continue;
        char *path = g_path_is_absolute(lines[i]) ? g_strdup(lines[i]) : g_build_filename(folder, lines[i], NULL);
        if (!g_file_test(path, G_FILE_TEST_EXISTS)) {
            g_free(path);
            path = g_strdup(lines[i]);
        }
        g_ptr_array_add(trace->files, path);
        if (!g_file_test(path, G_FILE_TEST_IS_REGULAR))
            return replay_table_error(list, i + 1, error, "this is %s",
                                      is_text(lines[i]) ? "no action of a time-independent trace, no schedule, and the "
                                                          "name of no file"
                                                        : "neither text nor a schedule in binary");
        if (!find_format(path, &format, error))
            return false;
        if (format != TI)
            return replay_table_error(path, 1, error, "this is no time-independent trace, but %s is a list of them",
                                      list);
    }
    return trace->files->len ||
           replay_table_error(list, 1, error, "there is nothing in this file that could be replayed");
}

static bool read_trace(ReplayTrace *trace, double flop_rate, GError **error)
{
    Format format = TI;
    if (!find_format(trace->files->pdata[0], &format, error))
        return false;
    trace->has_lines = format != GOAL_BINARY;
    if (format != TI && trace->files->len > 1)
        return cli_error_usage(error, "only a time-independent trace may be several files");
    switch (format) {
    case TI_LIST: return read_list(trace, error) && replay_read_ti(trace, flop_rate, error);
    case TI: return replay_read_ti(trace, flop_rate, error);
    case GOAL: return replay_read_goal(trace, error);
    case GOAL_BINARY: return replay_read_goal_binary(trace, error);
    }
    return false;
}

ReplayTrace *replay_trace_new(char **paths, int n, double flop_rate, GError **error)
{
    ReplayTrace *trace = g_new0(ReplayTrace, 1);
    trace->files = g_ptr_array_new_with_free_func(g_free);
    trace->file_of = g_array_new(FALSE, TRUE, sizeof(uint32_t));
    trace->streams = 1;
    for (int i = 0; i < n; i++)
        g_ptr_array_add(trace->files, g_strdup(paths[i]));
    if (!read_trace(trace, flop_rate, error))
        g_clear_pointer(&trace, replay_trace_free);
    return trace;
}

void replay_trace_free(ReplayTrace *trace)
{
    if (!trace)
        return;
    if (trace->table)
        g_unlink(trace->table);
    g_free(trace->table);
    g_ptr_array_unref(trace->files);
    g_array_unref(trace->file_of);
    g_free(trace);
}

char *replay_trace_line(const ReplayTrace *trace, uint32_t rank, uint32_t line)
{
    uint32_t number = rank < trace->file_of->len ? g_array_index(trace->file_of, uint32_t, rank) : 0;
    const char *path = trace->files->pdata[number];
    if (!trace->has_lines)
        return g_strdup_printf("%s: operation %u of the rank", path, line - 1);
    FILE *file = fopen(path, "r");
    char *text = NULL;
    size_t room = 0;
    bool found = file != NULL;
    for (uint32_t i = 0; i < line && found; i++)
        found = getline(&text, &room, file) >= 0;
    char *result = g_strdup_printf("%s:%u%s%s", path, line, found ? ": " : "", found ? g_strstrip(text) : "");
    free(text);
    if (file)
        fclose(file);
    return result;
}
