/* blocks.c - reads blocks and checks them. */
#include "trace/blocks.h"

#include "base/checksum.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* Returns how many bytes there were. */
size_t trace_blocks_bytes(const TraceReader *reader, uint64_t offset, void *bytes, size_t size)
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

bool trace_blocks_damaged(const TraceReader *reader, uint64_t offset, const char *what, GError **error)
{
    g_set_error(error, TRACE_ERROR, TRACE_ERROR_FORMAT, "%s: damaged trace (%s at byte %" G_GUINT64_FORMAT ")",
                reader->path, what, offset);
    return false;
}

/* Reads the header at an offset. Returns whether it can be one. */
bool trace_blocks_header(const TraceReader *reader, uint64_t offset, TraceBlockHeader *header)
{
    uint64_t size = reader->summary.bytes;
    return offset <= size && size - offset >= sizeof *header && offset % 8 == 0 &&
           trace_blocks_bytes(reader, offset, header, sizeof *header) == sizeof *header &&
           header->magic == TRACE_BLOCK_MAGIC && header->bytes <= TRACE_LARGEST_BLOCK &&
           trace_padded(header->bytes) <= size - offset - sizeof *header && header->from_ps <= header->to_ps &&
           (header->kind != TRACE_BLOCK_EVENTS || header->first <= header->last);
}

/* Returns the block's payload, or NULL if its sum is wrong. */
uint8_t *trace_blocks_payload(const TraceReader *reader, uint64_t offset, TraceBlockHeader header)
{
    size_t whole = sizeof header + trace_padded(header.bytes);
    g_autofree uint8_t *bytes = g_malloc(whole);
    uint64_t sum = header.checksum;
    if (trace_blocks_bytes(reader, offset, bytes, whole) != whole)
        return NULL;
    header.checksum = 0;
    memcpy(bytes, &header, sizeof header);
    if (base_checksum(bytes, whole) != sum)
        return NULL;
    memmove(bytes, bytes + sizeof header, header.bytes);
    return g_steal_pointer(&bytes);
}

uint8_t *trace_blocks_read(TraceReader *reader, const TraceIndexEntry *entry, GError **error)
{
    TraceBlockHeader header;
    uint8_t *payload = NULL;
    if (trace_blocks_header(reader, entry->offset, &header) && memcmp(&header, &entry->block, sizeof header) == 0)
        payload = trace_blocks_payload(reader, entry->offset, header);
    if (!payload)
        trace_blocks_damaged(reader, entry->offset, "a block whose checksum is wrong", error);
    return payload;
}
