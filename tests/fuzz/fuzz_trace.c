/* fuzz_trace.c - any bytes as a trace: opened, and all of its events and definitions read, in whole and in part.
 *
 * Checksums would stop nearly every mutated input at the door. So the magic, version and checksums of blocks are put
 * right first, where the first byte asks for it: forged files are the hard case. Seven more bytes keep the file
 * aligned.
 */
#include "fuzz.h"
#include "trace/format.h"

#include "base/checksum.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PREFIX = 8 };

/* Puts right what can be recomputed, block by block. */
static void forge(uint8_t *file, size_t size)
{
    TraceFileHeader head = {.magic = TRACE_MAGIC, .version = TRACE_VERSION};
    if (size < sizeof head)
        return;
    memcpy(file, &head, sizeof head);
    for (size_t at = sizeof head; at + sizeof(TraceBlockHeader) <= size;) {
        TraceBlockHeader block;
        memcpy(&block, file + at, sizeof block);
        uint64_t whole = sizeof block + trace_padded(block.bytes);
        if (whole > size - at)
            return;
        block.magic = TRACE_BLOCK_MAGIC;
        block.checksum = 0;
        memcpy(file + at, &block, sizeof block);
        block.checksum = base_checksum(file + at, whole);
        memcpy(file + at, &block, sizeof block);
        at += whole;
    }
}

/* Everything that an event speaks of is asked for. */
static void use(const TraceReader *reader, const TraceEvent *event)
{
    const TraceKindInfo *info = &trace_kinds[event->kind];
    uint64_t sum = trace_reader_location(reader, event->location).rank;
    for (unsigned i = 0; i < info->n_fields; i++) {
        if (info->fields[i].form == TRACE_FORM_TEXT)
            sum += strlen(trace_reader_text(reader, event->fields[i]));
        if (info->fields[i].form == TRACE_FORM_SITE)
            sum += trace_reader_site(reader, event->fields[i]).line;
        for (uint64_t k = 0; info->fields[i].form == TRACE_FORM_LIST && k < event->fields[i]; k++)
            sum += event->list[k];
    }
    __asm__ volatile("" : : "r"(sum)); /* it is not used, but must be computed */
}

static void read_events(TraceReader *reader, const TraceSelection *selection)
{
    g_autoptr(TraceCursor) cursor = trace_cursor_new(reader, selection);
    TraceEvent event;
    while (trace_cursor_next(cursor, &event))
        use(reader, &event);
    trace_cursor_end(cursor, NULL);
}

static void read_all(TraceReader *reader)
{
    TraceSelection all = trace_selection_all(), part = trace_selection_all();
    g_autoptr(GArray) locations = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    TraceSummary summary;
    const uint32_t second = 1;
    trace_reader_summary(reader, &summary);
    g_array_append_val(locations, second);
    part.from_ps = summary.from_ps + (summary.to_ps - summary.from_ps) / 3;
    part.kinds = UINT64_C(1) << TRACE_CALL;
    part.locations = locations;
    read_events(reader, &all);
    read_events(reader, &part);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (size < PREFIX)
        return 0;
    g_autofree uint8_t *text = g_memdup2(bytes, size);
    if (bytes[0] & 1)
        forge(text + PREFIX, size - PREFIX);
    int file = memfd_create("trace", MFD_CLOEXEC);
    g_autofree char *path = g_strdup_printf("/proc/self/fd/%d", file);
    if (file >= 0 && write(file, text + PREFIX, size - PREFIX) == (ssize_t)(size - PREFIX)) {
        g_autoptr(TraceReader) reader = trace_reader_new(path, NULL);
        if (reader)
            read_all(reader);
    }
    if (file >= 0)
        close(file);
    return 0;
}
