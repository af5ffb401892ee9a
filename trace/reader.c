/* reader.c - opens a trace: finds its blocks by the index, or, if the writer ended early, by going through the file.
 *
 * The reader trusts nothing: the file may be truncated, damaged, of another kind, of another version, or forged with
 * correct checksums. */
#include "trace/blocks.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* -- the index --------------------------------------------------------------------------------- */

static uint64_t behind(uint64_t offset, const TraceBlockHeader *header)
{
    return offset + sizeof *header + trace_padded(header->bytes);
}

static void take_block(TraceReader *reader, GArray *definitions, const TraceIndexEntry *entry)
{
    TraceSummary *summary = &reader->summary;
    if (entry->block.kind == TRACE_BLOCK_DEFINITIONS) {
        g_array_append_vals(definitions, entry, 1);
    } else if (entry->block.kind == TRACE_BLOCK_EVENTS) {
        bool first = reader->blocks->len == 0;
        g_array_append_vals(reader->blocks, entry, 1);
        summary->events += entry->block.events;
        summary->from_ps = first ? entry->block.from_ps : MIN(summary->from_ps, entry->block.from_ps);
        summary->to_ps = MAX(summary->to_ps, entry->block.to_ps);
        summary->locations = MAX(summary->locations, entry->block.last == UINT32_MAX ? 0 : entry->block.last + 1);
    }
}

/* Goes through the file up to its first byte that belongs to no whole block. */
static void find_blocks(TraceReader *reader, GArray *definitions)
{
    uint64_t offset = sizeof(TraceFileHeader);
    TraceIndexEntry entry;
    while (trace_blocks_header(reader, offset, &entry.block)) {
        g_autofree uint8_t *payload = trace_blocks_payload(reader, offset, entry.block);
        if (!payload)
            break;
        entry.offset = offset;
        take_block(reader, definitions, &entry);
        offset = behind(offset, &entry.block);
    }
    reader->summary.lost_bytes = reader->summary.bytes - offset;
}

/* Finds the footer. Returns the offset of the last index block; 0: there is none. */
static uint64_t find_index(const TraceReader *reader)
{
    TraceBlockHeader header;
    TraceFooter footer;
    const uint64_t room = sizeof header + sizeof footer;
    if (reader->summary.bytes < room || !trace_blocks_header(reader, reader->summary.bytes - room, &header) ||
        header.kind != TRACE_BLOCK_FOOTER || header.bytes != sizeof footer)
        return 0;
    g_autofree uint8_t *payload = trace_blocks_payload(reader, reader->summary.bytes - room, header);
    if (!payload)
        return 0;
    memcpy(&footer, payload, sizeof footer);
    return footer.index;
}

/* Reads the chain of index blocks from the last to the first. Each stands in front of the one that leads to it, so the
 * chain ends. Returns the payloads as GBytes in that order; NULL if one is damaged. */
static GPtrArray *read_chain(const TraceReader *reader, uint64_t offset)
{
    g_autoptr(GPtrArray) chain = g_ptr_array_new_with_free_func((GDestroyNotify)g_bytes_unref);
    while (offset) {
        TraceBlockHeader header;
        if (!trace_blocks_header(reader, offset, &header) || header.kind != TRACE_BLOCK_INDEX ||
            header.bytes % sizeof(TraceIndexEntry))
            return NULL;
        uint8_t *payload = trace_blocks_payload(reader, offset, header);
        if (!payload)
            return NULL;
        g_ptr_array_add(chain, g_bytes_new_take(payload, header.bytes));
        uint64_t before = header.first | (uint64_t)header.last << 32;
        if (before >= offset)
            return NULL;
        offset = before;
    }
    return g_steal_pointer(&chain);
}

static bool read_index(TraceReader *reader, GArray *definitions)
{
    uint64_t offset = find_index(reader);
    g_autoptr(GPtrArray) chain = offset ? read_chain(reader, offset) : NULL;
    if (!chain)
        return false;
    for (guint i = chain->len; i-- > 0;) {
        gsize size;
        const TraceIndexEntry *entries = g_bytes_get_data(chain->pdata[i], &size);
        for (size_t k = 0; k < size / sizeof *entries; k++)
            take_block(reader, definitions, &entries[k]);
    }
    return true;
}

/* -- opening ----------------------------------------------------------------------------------- */

static bool check_file(TraceReader *reader, GError **error)
{
    struct stat status;
    TraceFileHeader header;
    if (fstat(reader->file, &status) != 0 || !S_ISREG(status.st_mode)) {
        g_set_error(error, TRACE_ERROR, TRACE_ERROR_IO, "%s: no file that can be read as a trace", reader->path);
        return false;
    }
    reader->summary.bytes = (uint64_t)status.st_size;
    if (trace_blocks_bytes(reader, 0, &header, sizeof header) != sizeof header ||
        memcmp(header.magic, TRACE_MAGIC, TRACE_MAGIC_BYTES) != 0) {
        g_set_error(error, TRACE_ERROR, TRACE_ERROR_FORMAT, "%s: no trace (made by orrery run --trace)", reader->path);
        return false;
    }
    if (header.version < 1 || header.version > TRACE_VERSION) {
        g_set_error(
            error, TRACE_ERROR, TRACE_ERROR_VERSION,
            "%s: a trace of version %u; this Orrery reads versions 1 to %u: make the trace again, or read it with "
            "the Orrery that made it",
            reader->path, header.version, TRACE_VERSION);
        return false;
    }
    reader->version = header.version;
    return true;
}

static bool read_file(TraceReader *reader, GError **error)
{
    g_autoptr(GArray) definitions = g_array_new(FALSE, FALSE, sizeof(TraceIndexEntry));
    if (!check_file(reader, error))
        return false;
    reader->summary.whole = read_index(reader, definitions);
    if (!reader->summary.whole)
        find_blocks(reader, definitions);
    for (guint i = 0; i < definitions->len; i++)
        if (!trace_definitions_read(reader, &g_array_index(definitions, TraceIndexEntry, i), error))
            return false;
    reader->summary.whole = reader->summary.whole && !trace_reader_note(reader, TRACE_NOTE_ENDED_EARLY);
    reader->summary.locations = MAX(reader->summary.locations, reader->locations->len);
    return true;
}

TraceReader *trace_reader_new(const char *path, GError **error)
{
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) {
        g_set_error(error, TRACE_ERROR, TRACE_ERROR_IO, "cannot read the trace %s: %s", path, g_strerror(errno));
        return NULL;
    }
    g_autoptr(TraceReader) reader = g_new0(TraceReader, 1);
    reader->file = file;
    reader->path = g_strdup(path);
    reader->blocks = g_array_new(FALSE, FALSE, sizeof(TraceIndexEntry));
    reader->texts = g_ptr_array_new_with_free_func(g_free);
    reader->sites = g_array_new(FALSE, FALSE, sizeof(TraceSite));
    reader->locations = g_array_new(FALSE, TRUE, sizeof(TraceLocation));
    reader->keys = g_ptr_array_new_with_free_func(g_free);
    reader->values = g_ptr_array_new_with_free_func(g_free);
    return read_file(reader, error) ? g_steal_pointer(&reader) : NULL;
}

void trace_reader_free(TraceReader *reader)
{
    if (!reader)
        return;
    close(reader->file);
    g_array_unref(reader->blocks);
    g_ptr_array_unref(reader->texts);
    g_array_unref(reader->sites);
    g_array_unref(reader->locations);
    g_ptr_array_unref(reader->keys);
    g_ptr_array_unref(reader->values);
    for (size_t i = 0; i < G_N_ELEMENTS(reader->kinds); i++)
        g_free(reader->kinds[i]);
    g_free(reader->path);
    g_free(reader);
}

void trace_reader_summary(const TraceReader *reader, TraceSummary *summary)
{
    *summary = reader->summary;
}

/* -- questions --------------------------------------------------------------------------------- */

const char *trace_reader_text(const TraceReader *reader, uint64_t number)
{
    return number >= 1 && number <= reader->texts->len ? reader->texts->pdata[number - 1] : "";
}

TraceSite trace_reader_site(const TraceReader *reader, uint64_t number)
{
    if (number >= 1 && number <= reader->sites->len)
        return g_array_index(reader->sites, TraceSite, number - 1);
    return (TraceSite){NULL, "", 0};
}

TraceLocation trace_reader_location(const TraceReader *reader, uint32_t number)
{
    if (number < reader->locations->len && g_array_index(reader->locations, TraceLocation, number).node)
        return g_array_index(reader->locations, TraceLocation, number);
    return (TraceLocation){number, 0, ""};
}

const char *trace_reader_note(const TraceReader *reader, const char *key)
{
    guint at;
    return g_ptr_array_find_with_equal_func(reader->keys, key, g_str_equal, &at) ? reader->values->pdata[at] : NULL;
}

void trace_reader_notes(const TraceReader *reader, void (*each)(void *user, const char *key, const char *value),
                        void *user)
{
    for (guint i = 0; i < reader->keys->len; i++)
        each(user, reader->keys->pdata[i], reader->values->pdata[i]);
}
