/* blocks.h - the blocks of an open trace, for the files that read them. */
#ifndef ORRERY_TRACE_BLOCKS_H
#define ORRERY_TRACE_BLOCKS_H

#include "trace/format.h"

/* A part of a payload that is still to be read. After a number or text that is not there, `damaged` is set and all that
 * follows is 0. */
typedef struct TraceInput {
    const uint8_t *at, *end;
    bool by_groups; /* numbers are as before version 3 */
    bool damaged;
} TraceInput;

static inline uint64_t trace_input_damage(TraceInput *input)
{
    input->at = input->end;
    input->damaged = true;
    return 0;
}

static inline uint64_t trace_input_groups(TraceInput *input)
{
    uint64_t n = 0;
    for (unsigned shift = 0; shift < 64 && input->at < input->end; shift += 7) {
        uint8_t byte = *input->at++;
        n |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            return n;
    }
    return trace_input_damage(input);
}

static inline uint64_t trace_input_number(TraceInput *input)
{
    if (G_UNLIKELY(input->by_groups))
        return trace_input_groups(input);
    uint64_t bytes = 0;
    size_t left = (size_t)(input->end - input->at);
    if (G_LIKELY(left >= 9))
        memcpy(&bytes, input->at, sizeof bytes);
    else
        memcpy(&bytes, input->at, MIN(left, sizeof bytes));
    unsigned size = (uint8_t)bytes ? (unsigned)__builtin_ctzll(bytes) + 1 : 9;
    if (G_UNLIKELY(size > left))
        return trace_input_damage(input);
    input->at += size;
    if (G_LIKELY(size < 8))
        return (bytes & ((UINT64_C(1) << 8 * size) - 1)) >> size;
    if (size == 9)
        memcpy(&bytes, input->at - sizeof bytes, sizeof bytes);
    return size == 9 ? bytes : bytes >> 8;
}

/* A kind of events as the file defines it, and what this Orrery knows of it. */
typedef struct TraceFileKind {
    bool defined;
    TraceKind kind; /* TRACE_KINDS: unknown */
    unsigned n_fields;
    struct {
        TraceForm form;
        unsigned to;      /* index in TraceEvent.fields; TRACE_FIELDS: unknown */
        unsigned counter; /* of COUNTERs: which one of the kind, from 0 on */
    } fields[256];
} TraceFileKind;

struct TraceReader {
    int file;
    char *path;
    GArray *blocks; /* TraceIndexEntry of the blocks of events, in the order of the file */
    GPtrArray *texts;
    GArray *sites;     /* TraceSite */
    GArray *locations; /* TraceLocation; node NULL: not defined */
    GPtrArray *keys, *values;
    TraceFileKind *kinds[TRACE_SAME];
    TraceSummary summary;
    uint32_t version;
};

static inline TraceInput trace_input_of(const TraceReader *reader, const uint8_t *payload, uint32_t bytes)
{
    return (TraceInput){.at = payload, .end = payload + bytes, .by_groups = reader->version < 3};
}

/* Reads bytes at an offset. Returns how many there were. */
size_t trace_blocks_bytes(const TraceReader *reader, uint64_t offset, void *bytes, size_t size);
/* Reads the header at an offset. Returns whether it can be one. */
bool trace_blocks_header(const TraceReader *reader, uint64_t offset, TraceBlockHeader *header);
/* Returns the payload of the block with this header, for g_free(), or NULL if its sum is wrong. */
uint8_t *trace_blocks_payload(const TraceReader *reader, uint64_t offset, TraceBlockHeader header);
/* Reads a block as the index says and checks its sum. Returns its payload, for g_free(), or NULL with an error. */
uint8_t *trace_blocks_read(TraceReader *reader, const TraceIndexEntry *entry, GError **error);
/* Sets the error that something in the block cannot be. Returns false. */
bool trace_blocks_damaged(const TraceReader *reader, uint64_t offset, const char *what, GError **error);
/* Takes the definitions of a payload. */
bool trace_definitions_read(TraceReader *reader, const TraceIndexEntry *entry, GError **error);

#endif
