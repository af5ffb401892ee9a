/* table.c - the file with the tables of all ranks. */
#include "cli/replay/table.h"

#include "base/write_file.h"
#include "cli/base/base.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

enum { SORT_MEMORY = 64 << 20, BUFFER_BYTES = 1 << 16 };

ReplayTable *replay_table_new(uint32_t kind, uint32_t ranks)
{
    ReplayTable *table = g_new0(ReplayTable, 1);
    table->header = (ReplayHeader){kind, ranks};
    table->ranks = g_new0(ReplayRank, ranks);
    table->sorter = base_sorter_new(SORT_MEMORY);
    return table;
}

void replay_table_free(ReplayTable *table)
{
    if (!table)
        return;
    base_sorter_free(table->sorter);
    g_free(table->ranks);
    g_free(table);
}

void replay_table_add(ReplayTable *table, uint32_t rank, const void *bytes, size_t size)
{
    table->ranks[rank].bytes += size;
    base_sorter_add(table->sorter, &(BaseRecord){.keys = {rank}, .size = (uint32_t)size, .bytes = bytes});
}

static bool write_bytes(int file, const void *bytes, size_t size)
{
    const char *at = bytes;
    while (size > 0) {
        ssize_t done = write(file, at, size);
        if (done < 0 && errno != EINTR)
            return false;
        if (done > 0) {
            at += done;
            size -= (size_t)done;
        }
    }
    return true;
}

static bool write_to(ReplayTable *table, int file)
{
    g_autoptr(GByteArray) buffer = g_byte_array_new();
    uint64_t offset = sizeof table->header + table->header.ranks * sizeof *table->ranks;
    BaseRecord record;
    for (uint32_t i = 0; i < table->header.ranks; i++) {
        table->ranks[i].offset = offset;
        offset += table->ranks[i].bytes;
    }
    bool good = write_bytes(file, &table->header, sizeof table->header) &&
                write_bytes(file, table->ranks, table->header.ranks * sizeof *table->ranks);
    while (good && base_sorter_next(table->sorter, &record)) {
        g_byte_array_append(buffer, record.bytes, record.size);
        if (buffer->len >= BUFFER_BYTES) {
            good = write_bytes(file, buffer->data, buffer->len);
            g_byte_array_set_size(buffer, 0);
        }
    }
    return good && write_bytes(file, buffer->data, buffer->len);
}

bool replay_table_write(ReplayTable *table, ReplayTrace *trace, GError **error)
{
    if (!base_sorter_begin(table->sorter, error))
        return false;
    int file = g_file_open_tmp("orrery-replay-XXXXXX", &trace->table, error);
    if (file < 0)
        return false;
    bool good = write_to(table, file);
    if (!good)
        base_write_refuse(trace->table, errno, error);
    close(file);
    return good && base_sorter_end(table->sorter, error);
}

bool replay_table_error(const char *path, uint64_t line, GError **error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *raw = g_strdup_vprintf(format, arguments), *message = g_utf8_make_valid(raw, -1);
    va_end(arguments);
    for (char *at = message; *at; at++) /* what stands in the file may be anything */
        if (g_ascii_iscntrl(*at))
            *at = '?';
    g_set_error(error, CLI_ERROR, CLI_ERROR_FILE, "%s:%" G_GUINT64_FORMAT ": %s", path, line, message);
    return false;
}
