/* cursor.c - goes through the events of a trace in the order of time.
 *
 * The blocks of a group are a stream: they follow each other in the file. The cursor merges the streams by a heap of
 * their next events. The key of an event is the latest time of its stream so far. So events of one location keep their
 * order even where their times do not grow.
 */
#include "trace/blocks.h"

#include <string.h>

typedef struct Stream {
    uint32_t number;
    GArray *blocks; /* TraceIndexEntry */
    guint next;     /* index of the next block */
    uint8_t *payload;
    TraceInput input;
    uint32_t left; /* events of the block */
    uint64_t offset;
    uint64_t time_ps, key_ps; /* of the event before */
    uint32_t location;
    TraceEvent event; /* the next event */
    uint64_t list[TRACE_LIST];
    uint64_t counters[TRACE_SAME][TRACE_COUNTERS]; /* by number of the kind in the file */
    TraceLists lists;
} Stream;

struct TraceCursor {
    TraceReader *reader;
    TraceSelection selection;
    GArray *locations;         /* own copy of the selection's; NULL: all */
    GPtrArray *streams;        /* own all */
    GPtrArray *heap;           /* those that have a next event */
    uint64_t list[TRACE_LIST]; /* of the event that was given last */
    GError *error;
};

/* -- decoding ---------------------------------------------------------------------------------- */

/* Decodes a list: the one that the site's last event had, with changes. Returns how many numbers it has. */
static uint64_t decode_list(const TraceReader *reader, Stream *stream, uint64_t site, uint64_t head)
{
    uint64_t n = head & ((1 << TRACE_LIST_BITS) - 1), differ = head >> TRACE_LIST_BITS;
    uint64_t *last = trace_lists_of(&stream->lists, site, reader->sites->len);
    if (!last || n > TRACE_LIST || differ >> n) {
        stream->input.damaged = true;
        return 0;
    }
    for (uint64_t i = 0; differ; i++, differ >>= 1)
        if (differ & 1)
            last[i] += (uint64_t)trace_unzigzag(trace_input_number(&stream->input));
    memcpy(stream->list, last, n * sizeof *last);
    stream->event.list = stream->list;
    return n;
}

/* Decodes the fields of stream->event, whose kind has this number in the file. */
static void decode_fields(const TraceReader *reader, Stream *stream, unsigned number)
{
    const TraceFileKind *kind = reader->kinds[number];
    TraceEvent *event = &stream->event;
    uint64_t site = 0;
    for (unsigned i = 0; i < kind->n_fields; i++) {
        uint64_t n = trace_input_number(&stream->input), value = n;
        switch (kind->fields[i].form) {
        case TRACE_FORM_SIGNED: value = (uint64_t)trace_unzigzag(n); break;
        case TRACE_FORM_TIME: value = event->time_ps - n; break;
        case TRACE_FORM_TIME_SIGNED: value = event->time_ps - (uint64_t)trace_unzigzag(n); break;
        case TRACE_FORM_PLACE: value = (uint32_t)(event->location + (uint64_t)trace_unzigzag(n)); break;
        case TRACE_FORM_COUNTER:
        case TRACE_FORM_SIGNED_COUNTER:
            value = stream->counters[number][kind->fields[i].counter] += (uint64_t)trace_unzigzag(n);
            break;
        case TRACE_FORM_LIST: value = decode_list(reader, stream, site, n); break;
        case TRACE_FORM_SITE: site = n; break;
        default: break;
        }
        if (kind->fields[i].to < TRACE_FIELDS)
            event->fields[kind->fields[i].to] = value;
    }
}

/* Decodes the next event of the block into stream->event; its kind is TRACE_KINDS if it is unknown here. */
static void decode(const TraceReader *reader, Stream *stream)
{
    TraceInput *input = &stream->input;
    uint8_t byte = input->at < input->end ? *input->at++ : 0;
    unsigned number = byte & (TRACE_SAME - 1);
    if (!reader->kinds[number]) {
        input->damaged = true;
        return;
    }
    if (!(byte & TRACE_SAME))
        stream->location = (uint32_t)(stream->location + (uint64_t)trace_unzigzag(trace_input_number(input)));
    stream->time_ps += (uint64_t)trace_unzigzag(trace_input_number(input));
    stream->event =
        (TraceEvent){.kind = reader->kinds[number]->kind, .location = stream->location, .time_ps = stream->time_ps};
    decode_fields(reader, stream, number);
    stream->left--;
}

/* -- selecting --------------------------------------------------------------------------------- */

static bool has_location(const TraceCursor *cursor, uint32_t first, uint32_t last)
{
    if (!cursor->locations)
        return true;
    guint low = 0, high = cursor->locations->len;
    while (low < high) { /* the first that is not below `first` */
        guint middle = low + (high - low) / 2;
        if (g_array_index(cursor->locations, uint32_t, middle) < first)
            low = middle + 1;
        else
            high = middle;
    }
    return low < cursor->locations->len && g_array_index(cursor->locations, uint32_t, low) <= last;
}

static bool wants_block(const TraceCursor *cursor, const TraceBlockHeader *block)
{
    return block->events && block->to_ps >= cursor->selection.from_ps && block->from_ps <= cursor->selection.to_ps &&
           has_location(cursor, block->first, block->last);
}

/* Returns the time at which what the event tells began. */
static uint64_t began_ps(const TraceEvent *event)
{
    const TraceKindInfo *info = &trace_kinds[event->kind];
    uint64_t began = event->time_ps;
    for (unsigned i = 0; i < info->n_fields; i++)
        if (info->fields[i].form == TRACE_FORM_TIME)
            began = MIN(began, event->fields[i]);
    return began;
}

static bool wants(const TraceCursor *cursor, const TraceEvent *event)
{
    return event->kind < TRACE_KINDS && cursor->selection.kinds >> event->kind & 1 &&
           event->time_ps >= cursor->selection.from_ps && began_ps(event) <= cursor->selection.to_ps &&
           has_location(cursor, event->location, event->location);
}

/* -- streams ----------------------------------------------------------------------------------- */

/* Begins the stream's next block. Returns false at the end, or with cursor->error. */
static bool begin_block(TraceCursor *cursor, Stream *stream)
{
    g_clear_pointer(&stream->payload, g_free);
    if (stream->next == stream->blocks->len)
        return false;
    const TraceIndexEntry *entry = &g_array_index(stream->blocks, TraceIndexEntry, stream->next++);
    stream->payload = trace_blocks_read(cursor->reader, entry, &cursor->error);
    if (!stream->payload)
        return false;
    stream->input = trace_input_of(cursor->reader, stream->payload, entry->block.bytes);
    stream->left = entry->block.events;
    stream->offset = entry->offset;
    stream->time_ps = 0;
    stream->location = 0;
    memset(stream->counters, 0, sizeof stream->counters);
    trace_lists_begin(&stream->lists);
    return true;
}

/* Finds the stream's next event that is wanted. Returns false at the end, or with cursor->error. */
static bool advance(TraceCursor *cursor, Stream *stream)
{
    for (;;) {
        while (stream->left == 0)
            if (!begin_block(cursor, stream))
                return false;
        decode(cursor->reader, stream);
        if (stream->input.damaged || (stream->left == 0 && stream->input.at != stream->input.end)) {
            trace_blocks_damaged(cursor->reader, stream->offset, "an event that cannot be", &cursor->error);
            return false;
        }
        if (wants(cursor, &stream->event)) {
            stream->key_ps = MAX(stream->key_ps, stream->event.time_ps);
            return true;
        }
    }
}

static void stream_free(gpointer user)
{
    Stream *stream = user;
    g_array_unref(stream->blocks);
    g_free(stream->payload);
    g_free(stream->lists.of_site);
    g_free(stream);
}

static int by_group(gconstpointer a, gconstpointer b)
{
    const TraceIndexEntry *one = a, *other = b;
    if (one->block.group != other->block.group)
        return one->block.group < other->block.group ? -1 : 1;
    return (one->offset > other->offset) - (one->offset < other->offset);
}

static Stream *stream_new(TraceCursor *cursor)
{
    Stream *stream = g_new0(Stream, 1);
    stream->number = cursor->streams->len;
    stream->blocks = g_array_new(FALSE, FALSE, sizeof(TraceIndexEntry));
    g_ptr_array_add(cursor->streams, stream);
    return stream;
}

/* Makes a stream for each group with blocks that are wanted. */
static void make_streams(TraceCursor *cursor)
{
    g_autoptr(GArray) blocks = g_array_copy(cursor->reader->blocks);
    Stream *stream = NULL;
    uint16_t group = 0;
    g_array_sort(blocks, by_group);
    for (guint i = 0; i < blocks->len; i++) {
        const TraceIndexEntry *entry = &g_array_index(blocks, TraceIndexEntry, i);
        if (!wants_block(cursor, &entry->block))
            continue;
        if (!stream || entry->block.group != group)
            stream = stream_new(cursor);
        group = entry->block.group;
        g_array_append_vals(stream->blocks, entry, 1);
    }
}

/* -- the heap ---------------------------------------------------------------------------------- */

static bool before(const Stream *a, const Stream *b)
{
    return a->key_ps != b->key_ps ? a->key_ps < b->key_ps : a->number < b->number;
}

static void sink(GPtrArray *heap, guint at)
{
    gpointer *streams = heap->pdata;
    for (;;) {
        guint least = at;
        for (guint child = 2 * at + 1; child <= 2 * at + 2 && child < heap->len; child++)
            if (before(streams[child], streams[least]))
                least = child;
        if (least == at)
            return;
        gpointer moved = streams[at];
        streams[at] = streams[least];
        streams[least] = moved;
        at = least;
    }
}

/* -- the cursor -------------------------------------------------------------------------------- */

TraceCursor *trace_cursor_new(TraceReader *reader, const TraceSelection *selection)
{
    TraceCursor *cursor = g_new0(TraceCursor, 1);
    cursor->reader = reader;
    cursor->selection = *selection;
    cursor->locations = selection->locations ? g_array_copy((GArray *)selection->locations) : NULL;
    cursor->streams = g_ptr_array_new_with_free_func(stream_free);
    cursor->heap = g_ptr_array_new();
    make_streams(cursor);
    for (guint i = 0; i < cursor->streams->len && !cursor->error; i++)
        if (advance(cursor, cursor->streams->pdata[i]))
            g_ptr_array_add(cursor->heap, cursor->streams->pdata[i]);
    for (guint i = cursor->heap->len / 2; i-- > 0;)
        sink(cursor->heap, i);
    return cursor;
}

bool trace_cursor_next(TraceCursor *cursor, TraceEvent *event)
{
    if (cursor->error || cursor->heap->len == 0)
        return false;
    Stream *stream = cursor->heap->pdata[0];
    *event = stream->event;
    if (event->list) {
        memcpy(cursor->list, stream->list, sizeof cursor->list);
        event->list = cursor->list;
    }
    if (!advance(cursor, stream))
        g_ptr_array_remove_index_fast(cursor->heap, 0);
    sink(cursor->heap, 0);
    return true;
}

bool trace_cursor_end(const TraceCursor *cursor, GError **error)
{
    if (cursor->error)
        g_propagate_error(error, g_error_copy(cursor->error));
    return !cursor->error;
}

void trace_cursor_free(TraceCursor *cursor)
{
    if (!cursor)
        return;
    g_ptr_array_unref(cursor->streams);
    g_ptr_array_unref(cursor->heap);
    if (cursor->locations)
        g_array_unref(cursor->locations);
    g_clear_error(&cursor->error);
    g_free(cursor);
}
