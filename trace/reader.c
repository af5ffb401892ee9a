/* reader.c - opens a trace: finds its blocks by the index, or, if the writer ended early, by going through the file.
 *
 * The reader trusts nothing: the file may be truncated, damaged, of another kind, of another version, or forged with
 * correct checksums. */
#include "base/checksum.h"
#include "trace/blocks.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* -- blocks ------------------------------------------------------------------------------------ */

/* Returns how many bytes there were. */
static size_t read_at(const TraceReader *reader, uint64_t offset, void *bytes, size_t size)
{
    size_t have = 0;
    while (have < size) {
        ssize_t got = pread(reader->file, (uint8_t *)bytes + have, size - have, (off_t)(offset + have));
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        have += (size_t)got;
    }
    return have;
}

bool trace_block_damaged(const TraceReader *reader, uint64_t offset, const char *what, GError **error)
{
    g_set_error(error, TRACE_ERROR, TRACE_ERROR_FORMAT, "%s: damaged trace (%s at byte %" G_GUINT64_FORMAT ")",
                reader->path, what, offset);
    return false;
}

/* Reads the header at an offset. Returns whether it can be one. */
static bool read_header(const TraceReader *reader, uint64_t offset, TraceBlockHeader *header)
{
    uint64_t size = reader->summary.bytes;
    return offset <= size && size - offset >= sizeof *header && offset % 8 == 0 &&
           read_at(reader, offset, header, sizeof *header) == sizeof *header && header->magic == TRACE_BLOCK_MAGIC &&
           header->bytes <= TRACE_LARGEST_BLOCK && trace_padded(header->bytes) <= size - offset - sizeof *header &&
           header->from_ps <= header->to_ps && (header->kind != TRACE_BLOCK_EVENTS || header->first <= header->last);
}

/* Returns the block's payload, or NULL if its sum is wrong. */
static uint8_t *read_payload(const TraceReader *reader, uint64_t offset, TraceBlockHeader header)
{
    size_t whole = sizeof header + trace_padded(header.bytes);
    g_autofree uint8_t *bytes = g_malloc(whole);
    uint64_t sum = header.checksum;
    if (read_at(reader, offset, bytes, whole) != whole)
        return NULL;
    header.checksum = 0;
    memcpy(bytes, &header, sizeof header);
    if (base_checksum(bytes, whole) != sum)
        return NULL;
    memmove(bytes, bytes + sizeof header, header.bytes);
    return g_steal_pointer(&bytes);
}

uint8_t *trace_block_read(TraceReader *reader, const TraceIndexEntry *entry, GError **error)
{
    TraceBlockHeader header;
    uint8_t *payload = NULL;
    if (read_header(reader, entry->offset, &header) && memcmp(&header, &entry->block, sizeof header) == 0)
        payload = read_payload(reader, entry->offset, header);
    if (!payload)
        trace_block_damaged(reader, entry->offset, "a block whose checksum is wrong", error);
    return payload;
}

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
    while (read_header(reader, offset, &entry.block)) {
        g_autofree uint8_t *payload = read_payload(reader, offset, entry.block);
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
    if (reader->summary.bytes < room || !read_header(reader, reader->summary.bytes - room, &header) ||
        header.kind != TRACE_BLOCK_FOOTER || header.bytes != sizeof footer)
        return 0;
    g_autofree uint8_t *payload = read_payload(reader, reader->summary.bytes - room, header);
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
        if (!read_header(reader, offset, &header) || header.kind != TRACE_BLOCK_INDEX ||
            header.bytes % sizeof(TraceIndexEntry))
            return NULL;
        uint8_t *payload = read_payload(reader, offset, header);
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
    if (read_at(reader, 0, &header, sizeof header) != sizeof header ||
        memcmp(header.magic, TRACE_MAGIC, TRACE_MAGIC_BYTES) != 0) {
        g_set_error(error, TRACE_ERROR, TRACE_ERROR_FORMAT, "%s: no trace (made by orrery run --trace)", reader->path);
        return false;
    }
    if (header.version != TRACE_VERSION) {
        g_set_error(error, TRACE_ERROR, TRACE_ERROR_VERSION,
                    "%s: a trace of version %u; this Orrery reads version %u: make the trace again, or read it with "
                    "the Orrery that made it",
                    reader->path, header.version, TRACE_VERSION);
        return false;
    }
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
