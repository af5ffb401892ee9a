/* format.h - the bytes of a trace: a header, then blocks; the last block is the footer.
 *
 *     TraceFileHeader
 *     { TraceBlockHeader, payload, zeros up to a multiple of 8 } ...
 *
 * Payloads of events: for each event
 *     kind              a byte; TRACE_SAME says that the location is that of the event before
 *     location          signed difference to that of the event before; left out if TRACE_SAME
 *     time              signed difference to that of the event before
 *     fields            in the order of the kind's definition: NUMBER, TEXT, SITE as they are; SIGNED signed
 *                       TIME: how long before the event, modulo 2^64 (version 1: signed)
 *                       PLACE: signed difference to the event's location
 *                       COUNTER, SIGNED_COUNTER: signed difference to that of the event of this kind before, in this
 *                       block, or to 0
 *                       LIST: TRACE_LIST_BITS bits, how many, and in front of them a bit for each that differs from
 *                       that of the last event with the same SITE in this block (or from 0, if there is none); then
 *                       the signed differences of these
 *
 * The first event of a block differs from location 0 and time 0. A number that needs 7k bits takes k bytes: the lowest
 * k bits of these are k - 1 zeros and a one, the number is above. Beyond 56 bits it is a byte of 0, then 8 bytes.
 * Before version 3: groups of 7 bits, the lowest first, where bit 7 of a byte says that more follow. A signed n is
 * stored as 2n, or as -2n-1 if it is negative.
 *
 * Payloads of definitions: for each a byte (TraceDefinition), then its fields; texts are their length and their bytes.
 * Payloads of the index: entries (TraceIndexEntry) of blocks since the index block before, whose offset is in the
 * header. The footer's payload is a TraceFooter.
 */
#ifndef ORRERY_TRACE_FORMAT_H
#define ORRERY_TRACE_FORMAT_H

#include "trace/trace.h"

#include <string.h>

#define TRACE_MAGIC                                                                                                    \
    "\x8f"                                                                                                             \
    "Trace\r\n"
enum {
    TRACE_MAGIC_BYTES = 8,
    TRACE_SAME = 0x80,
    TRACE_LIST_BITS = 5,
    TRACE_COUNTERS = 2,            /* most fields of these two forms in a kind */
    TRACE_BLOCK_BYTES = 32 * 1024, /* a payload ends with the event that reaches this */
    TRACE_BLOCK_MAGIC = 0x6b42724f,
    TRACE_LARGEST_BLOCK = 1 << 24
};

typedef enum TraceBlockKind {
    TRACE_BLOCK_EVENTS = 1,
    TRACE_BLOCK_DEFINITIONS,
    TRACE_BLOCK_INDEX,
    TRACE_BLOCK_FOOTER
} TraceBlockKind;

typedef enum TraceDefinition {
    TRACE_DEFINES_TEXT = 1, /* text; numbered from 1 in the order of the file */
    TRACE_DEFINES_SITE,     /* TEXT file, TEXT function, NUMBER line; numbered likewise */
    TRACE_DEFINES_LOCATION, /* NUMBER number, rank, thread, TEXT node */
    TRACE_DEFINES_NOTE,     /* text key, text value */
    TRACE_DEFINES_KIND      /* NUMBER kind, text name, NUMBER n, n times: text name, NUMBER form */
} TraceDefinition;

typedef struct TraceFileHeader {
    char magic[TRACE_MAGIC_BYTES];
    uint32_t version;
    uint32_t reserved;
} TraceFileHeader;

typedef struct TraceBlockHeader {
    uint32_t magic;
    uint16_t kind;
    uint16_t group;    /* blocks of events of the same group follow each other */
    uint32_t bytes;    /* of the payload, without the zeros behind it */
    uint32_t events;   /* number of events, definitions or entries */
    uint64_t checksum; /* of header and payload, with this field 0 */
    uint64_t from_ps, to_ps;
    uint32_t first, last; /* locations; of an index: the offset of the one before, as two halves */
} TraceBlockHeader;

typedef struct TraceIndexEntry {
    uint64_t offset; /* of the block's header */
    TraceBlockHeader block;
} TraceIndexEntry;

typedef struct TraceFooter {
    uint64_t index; /* offset of the last index block */
    uint64_t events;
} TraceFooter;

_Static_assert(sizeof(TraceFileHeader) == 16 && sizeof(TraceBlockHeader) == 48 && sizeof(TraceIndexEntry) == 56 &&
                   sizeof(TraceFooter) == 16,
               "structures are written as they are: their layout is the format");
#if G_BYTE_ORDER != G_LITTLE_ENDIAN
#error "traces are little endian, as is every host that Orrery runs on"
#endif

/* The lists of a block by site, for who writes it and who reads it. */
typedef struct TraceLists {
    struct TraceOfSite {
        uint32_t block; /* the block that `numbers` are of */
        uint64_t numbers[TRACE_LIST];
    } * of_site;
    uint32_t n, block;
} TraceLists;
static inline void trace_lists_begin(TraceLists *lists)
{
    lists->block++;
}
/* Returns the last list of the site; NULL if `site` is beyond `most`. */
static inline uint64_t *trace_lists_of(TraceLists *lists, uint64_t site, uint64_t most)
{
    if (site > most)
        return NULL;
    if (G_UNLIKELY(site >= lists->n)) {
        uint32_t n = MAX(16, 2 * (uint32_t)site);
        lists->of_site = g_renew(struct TraceOfSite, lists->of_site, n);
        memset(lists->of_site + lists->n, 0, (n - lists->n) * sizeof *lists->of_site);
        lists->n = n;
    }
    struct TraceOfSite *of_site = &lists->of_site[site];
    if (of_site->block != lists->block)
        *of_site = (struct TraceOfSite){.block = lists->block};
    return of_site->numbers;
}

static inline uint64_t trace_zigzag(int64_t n)
{
    return (uint64_t)n << 1 ^ (uint64_t)(n >> 63);
}
static inline int64_t trace_unzigzag(uint64_t n)
{
    return (int64_t)(n >> 1) ^ -(int64_t)(n & 1);
}
static inline uint64_t trace_padded(uint64_t bytes)
{
    return (bytes + 7) & ~UINT64_C(7);
}

#endif
