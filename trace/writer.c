/* writer.c - writes a trace while a run goes on.
 *
 * Locations are divided into groups, each with a buffer: a full buffer becomes a block. What events speak of is defined
 * in a buffer of its own, which is written before any block that may use it. When the file fails, the writer cuts it
 * behind its last whole block, and from then on takes nothing. At the end it gives up some of the last blocks for room
 * in which an index, and a note says that the recording ended early.
 */
#include "base/checksum.h"
#include "trace/format.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

enum {
    GROUPS = 64,
    NUMBER_BYTES = 9, /* the longest number; all of these may be written, see put() */
    EVENT_BYTES = 1 + (3 + TRACE_FIELDS + TRACE_LIST) * NUMBER_BYTES, /* the longest event */
    INDEX_ENTRIES = 4096                                              /* of an index block */
};

typedef struct Group {
    uint8_t *payload, *end; /* NULL: no block has begun */
    uint64_t time_ps;       /* of the event before */
    uint32_t location;
    uint32_t events;
    uint64_t from_ps, to_ps;
    uint32_t first, last;
    uint64_t counters[TRACE_KINDS][TRACE_FIELDS];
    TraceLists lists;
} Group;

struct TraceWriter {
    int file;
    char *path;
    int failed;                      /* errno of the write that failed; 0: none */
    uint64_t bytes, events, written; /* written: events in blocks of the file */
    unsigned group_shift;            /* a group has 2 to this power of locations */
    Group groups[GROUPS];
    GByteArray *definitions;
    uint32_t n_definitions;
    GHashTable *texts;   /* text -> number */
    GHashTable *sites;   /* TraceSite -> number */
    GStringChunk *own;   /* the keys of `texts` */
    GArray *index;       /* TraceIndexEntry since the last index block */
    uint64_t last_index; /* offset of the last index block; 0: none */
    GByteArray *block;   /* scratch: header and payload */
};

/* -- the file ---------------------------------------------------------------------------------- */

/* Cuts the file behind its last whole block. A pipe stays as it is. */
static bool cut(const TraceWriter *writer)
{
    return ftruncate(writer->file, (off_t)writer->bytes) == 0 &&
           lseek(writer->file, (off_t)writer->bytes, SEEK_SET) >= 0;
}

static void fail(TraceWriter *writer, int code)
{
    writer->failed = code;
    (void)cut(writer);
}

static void write_all(TraceWriter *writer, const uint8_t *bytes, size_t size)
{
    size_t done = 0;
    while (done < size) {
        ssize_t wrote = write(writer->file, bytes + done, size - done);
        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote < 0) {
            fail(writer, errno);
            return;
        }
        done += (size_t)wrote;
    }
    writer->bytes += size;
}

/* Writes a block whose payload is behind the room for a header in writer->block. */
static void write_block(TraceWriter *writer, TraceBlockHeader header)
{
    static const uint8_t zeros[8];
    GByteArray *block = writer->block;
    header.magic = TRACE_BLOCK_MAGIC;
    header.bytes = block->len - (uint32_t)sizeof header;
    g_byte_array_append(block, zeros, (guint)(trace_padded(block->len) - block->len));
    memcpy(block->data, &header, sizeof header);
    header.checksum = base_checksum(block->data, block->len);
    memcpy(block->data, &header, sizeof header);
    TraceIndexEntry entry = {writer->bytes, header};
    if (!writer->failed)
        write_all(writer, block->data, block->len);
    if (writer->failed)
        return;
    if (header.kind <= TRACE_BLOCK_DEFINITIONS)
        g_array_append_val(writer->index, entry);
    if (header.kind == TRACE_BLOCK_EVENTS)
        writer->written += header.events;
}

static void begin_block(TraceWriter *writer, const void *payload, size_t size)
{
    g_byte_array_set_size(writer->block, sizeof(TraceBlockHeader));
    memset(writer->block->data, 0, sizeof(TraceBlockHeader));
    g_byte_array_append(writer->block, payload, (guint)size);
}

static void write_index(TraceWriter *writer)
{
    TraceBlockHeader header = {.kind = TRACE_BLOCK_INDEX,
                               .events = writer->index->len,
                               .first = (uint32_t)writer->last_index,
                               .last = (uint32_t)(writer->last_index >> 32)};
    uint64_t offset = writer->bytes;
    begin_block(writer, writer->index->data, writer->index->len * sizeof(TraceIndexEntry));
    write_block(writer, header);
    if (writer->failed)
        return; /* its blocks are taken back from it, see seal() */
    writer->last_index = offset;
    g_array_set_size(writer->index, 0);
}

static void write_definitions(TraceWriter *writer)
{
    if (writer->n_definitions == 0)
        return;
    begin_block(writer, writer->definitions->data, writer->definitions->len);
    write_block(writer, (TraceBlockHeader){.kind = TRACE_BLOCK_DEFINITIONS, .events = writer->n_definitions});
    g_byte_array_set_size(writer->definitions, 0);
    writer->n_definitions = 0;
}

static void write_group(TraceWriter *writer, Group *group)
{
    if (group->events == 0)
        return;
    write_definitions(writer);
    begin_block(writer, group->payload, (size_t)(group->end - group->payload));
    write_block(writer, (TraceBlockHeader){.kind = TRACE_BLOCK_EVENTS,
                                           .group = (uint16_t)(group - writer->groups),
                                           .events = group->events,
                                           .from_ps = group->from_ps,
                                           .to_ps = group->to_ps,
                                           .first = group->first,
                                           .last = group->last});
    if (writer->index->len >= INDEX_ENTRIES)
        write_index(writer);
    group->end = group->payload;
    group->events = 0;
}

/* -- numbers ----------------------------------------------------------------------------------- */

/* Puts a number; up to NUMBER_BYTES are overwritten. The lengths of numbers follow no rule that a processor could
 * guess, so all but the longest take no branch. */
static inline uint8_t *put(uint8_t *at, uint64_t n)
{
    unsigned more = ((unsigned)__builtin_clzll(n | 1) ^ 63) * 37 >> 8; /* bytes behind the first: a seventh, up to 63 */
    uint64_t bytes = (2 * n + 1) << more;
    if (G_UNLIKELY(n >> 56)) {
        *at = 0;
        memcpy(at + 1, &n, sizeof n);
        return at + NUMBER_BYTES;
    }
    memcpy(at, &bytes, sizeof bytes);
    return at + more + 1;
}

static void define_number(TraceWriter *writer, uint64_t n)
{
    uint8_t bytes[NUMBER_BYTES];
    g_byte_array_append(writer->definitions, bytes, (guint)(put(bytes, n) - bytes));
}

static void define_text(TraceWriter *writer, const char *text)
{
    size_t length = strlen(text);
    define_number(writer, length);
    g_byte_array_append(writer->definitions, (const uint8_t *)text, (guint)length);
}

/* Begins a definition. Returns false if the file has failed, so that nothing will speak of it. */
static bool define(TraceWriter *writer, TraceDefinition definition)
{
    uint8_t byte = (uint8_t)definition;
    if (writer->failed)
        return false;
    if (writer->definitions->len >= TRACE_BLOCK_BYTES)
        write_definitions(writer);
    g_byte_array_append(writer->definitions, &byte, 1);
    writer->n_definitions++;
    return true;
}

/* -- definitions ------------------------------------------------------------------------------- */

static guint site_hash(gconstpointer key)
{
    const TraceSite *site = key;
    return g_direct_hash(site->file) * 31 + g_direct_hash(site->function) * 17 + site->line;
}

static gboolean site_equal(gconstpointer a, gconstpointer b)
{
    const TraceSite *one = a, *other = b;
    return one->file == other->file && one->function == other->function && one->line == other->line;
}

/* Texts are short enough for a block: a longer one is cut. */
uint32_t trace_writer_text(TraceWriter *writer, const char *text)
{
    enum { LONGEST = TRACE_LARGEST_BLOCK / 4 };
    if (!text)
        return 0;
    gpointer number = g_hash_table_lookup(writer->texts, text);
    if (number)
        return GPOINTER_TO_UINT(number);
    uint32_t fresh = g_hash_table_size(writer->texts) + 1;
    g_autofree char *shortened = strnlen(text, LONGEST + 1) > LONGEST ? g_strndup(text, LONGEST) : NULL;
    g_hash_table_insert(writer->texts, g_string_chunk_insert(writer->own, text), GUINT_TO_POINTER(fresh));
    if (define(writer, TRACE_DEFINES_TEXT))
        define_text(writer, shortened ? shortened : text);
    return fresh;
}

/* Returns the writer's own copy of a text. */
static const char *own_text(TraceWriter *writer, const char *text)
{
    gpointer key = NULL;
    trace_writer_text(writer, text);
    g_hash_table_lookup_extended(writer->texts, text, &key, NULL);
    return key;
}

uint32_t trace_writer_site(TraceWriter *writer, const TraceSite *site)
{
    if (!site || !site->file)
        return 0;
    TraceSite own = {own_text(writer, site->file), own_text(writer, site->function ? site->function : ""), site->line};
    gpointer number = g_hash_table_lookup(writer->sites, &own);
    if (number)
        return GPOINTER_TO_UINT(number);
    uint32_t fresh = g_hash_table_size(writer->sites) + 1;
    g_hash_table_insert(writer->sites, g_memdup2(&own, sizeof own), GUINT_TO_POINTER(fresh));
    uint32_t file = trace_writer_text(writer, own.file), function = trace_writer_text(writer, own.function);
    if (!define(writer, TRACE_DEFINES_SITE))
        return fresh;
    define_number(writer, file);
    define_number(writer, function);
    define_number(writer, own.line);
    return fresh;
}

void trace_writer_location(TraceWriter *writer, uint32_t number, const TraceLocation *location)
{
    uint32_t node = trace_writer_text(writer, location->node);
    if (!define(writer, TRACE_DEFINES_LOCATION))
        return;
    define_number(writer, number);
    define_number(writer, location->rank);
    define_number(writer, location->thread);
    define_number(writer, node);
}

void trace_writer_note(TraceWriter *writer, const char *key, const char *value)
{
    if (!define(writer, TRACE_DEFINES_NOTE))
        return;
    define_text(writer, key);
    define_text(writer, value);
}

static void define_kinds(TraceWriter *writer)
{
    for (unsigned kind = 0; kind < TRACE_KINDS; kind++) {
        const TraceKindInfo *info = &trace_kinds[kind];
        define(writer, TRACE_DEFINES_KIND);
        define_number(writer, kind);
        define_text(writer, info->name);
        define_number(writer, info->n_fields);
        for (unsigned i = 0; i < info->n_fields; i++) {
            define_text(writer, info->fields[i].name);
            define_number(writer, info->fields[i].form);
        }
    }
}

/* -- events ------------------------------------------------------------------------------------ */

static void begin_group(Group *group, const TraceEvent *event)
{
    if (!group->payload)
        group->payload = g_malloc(TRACE_BLOCK_BYTES + EVENT_BYTES);
    group->end = group->payload;
    group->time_ps = 0;
    group->location = 0;
    group->from_ps = event->time_ps;
    group->to_ps = event->time_ps;
    group->first = group->last = event->location;
    memset(group->counters, 0, sizeof group->counters);
    trace_lists_begin(&group->lists);
}

static uint8_t *put_list(uint8_t *at, Group *group, const TraceEvent *event, uint64_t site, uint64_t n)
{
    uint64_t *last = trace_lists_of(&group->lists, site, UINT32_MAX), differ = 0, any = 0;
    n = MIN(n, TRACE_LIST);
    for (uint64_t i = 0; i < n; i++)
        any |= event->list[i] ^ last[i];
    if (any)
        for (uint64_t i = 0; i < n; i++)
            differ |= (uint64_t)(event->list[i] != last[i]) << i;
    at = put(at, differ << TRACE_LIST_BITS | n);
    for (uint64_t i = 0; differ; i++, differ >>= 1) {
        if (!(differ & 1))
            continue;
        at = put(at, trace_zigzag((int64_t)(event->list[i] - last[i])));
        last[i] = event->list[i];
    }
    return at;
}

/* Puts a field of a known kind and form, so that nothing is left to decide but what its value asks for. */
static inline __attribute__((always_inline)) uint8_t *put_field(uint8_t *restrict at, Group *restrict group,
                                                                const TraceEvent *restrict event, TraceKind kind,
                                                                unsigned field, TraceForm form, uint64_t *site)
{
    uint64_t value = event->fields[field];
    switch (form) {
    case TRACE_FORM_TIME: group->from_ps = MIN(group->from_ps, value); return put(at, event->time_ps - value);
    case TRACE_FORM_SIGNED: return put(at, trace_zigzag((int64_t)value));
    case TRACE_FORM_PLACE: return put(at, trace_zigzag((int64_t)value - (int64_t)event->location));
    case TRACE_FORM_COUNTER:
    case TRACE_FORM_SIGNED_COUNTER: {
        uint64_t before = group->counters[kind][field];
        group->counters[kind][field] = value;
        return put(at, trace_zigzag((int64_t)(value - before)));
    }
    case TRACE_FORM_LIST: return put_list(at, group, event, *site, value);
    case TRACE_FORM_SITE: *site = value; return put(at, value);
    default: return put(at, value);
    }
}

/* Puts the fields of the event. */
static inline uint8_t *put_fields(uint8_t *restrict at, Group *restrict group, const TraceEvent *restrict event)
{
    uint64_t site = 0;
    /* clang-format off */
    switch (event->kind) {
#define TRACE_FIELD(kind, identifier, name, form) \
    at = put_field(at, group, event, TRACE_##kind, TRACE_##kind##_##identifier, TRACE_FORM_##form, &site);
#define TRACE_KIND(identifier, name, fields) case TRACE_##identifier: fields break;
#include "trace/events.def"
    default: break;
    }
    /* clang-format on */
    return at;
}

/* Puts an event. The buffer, the group and the event are apart, which compilers could not know. */
static inline uint8_t *put_event(uint8_t *restrict at, Group *restrict group, const TraceEvent *restrict event)
{
    uint64_t location = trace_zigzag((int64_t)event->location - (int64_t)group->location),
             time_ps = trace_zigzag((int64_t)(event->time_ps - group->time_ps));
    group->location = event->location;
    group->time_ps = event->time_ps;
    group->from_ps = MIN(group->from_ps, event->time_ps);
    group->to_ps = MAX(group->to_ps, event->time_ps);
    group->first = MIN(group->first, event->location);
    group->last = MAX(group->last, event->location);
    group->events++;
    *at++ = (uint8_t)(event->kind | (location ? 0 : TRACE_SAME));
    if (location)
        at = put(at, location);
    at = put(at, time_ps);
    return put_fields(at, group, event);
}

void trace_writer_add(TraceWriter *writer, const TraceEvent *event)
{
    Group *group = &writer->groups[(event->location >> writer->group_shift) % GROUPS];
    if (writer->failed)
        return;
    if (group->events == 0)
        begin_group(group, event);
    group->end = put_event(group->end, group, event);
    writer->events++;
    if (group->end - group->payload >= TRACE_BLOCK_BYTES)
        write_group(writer, group);
}

/* -- beginning and ending ---------------------------------------------------------------------- */

static bool io_error(const char *what, const char *path, int code, GError **error)
{
    g_set_error(error, TRACE_ERROR, TRACE_ERROR_IO, "cannot %s the trace %s: %s", what, path, g_strerror(code));
    return false;
}

TraceWriter *trace_writer_new(const char *path, uint32_t locations, GError **error)
{
    int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0) {
        io_error("write", path, errno, error);
        return NULL;
    }
    if (flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        close(file);
        g_set_error(error, TRACE_ERROR, TRACE_ERROR_IO,
                    "cannot write the trace %s: another run is writing it; give each run a file of its own", path);
        return NULL;
    }
    if (ftruncate(file, 0) != 0 && errno != EINVAL) { /* EINVAL: a pipe or a device, which has no end to cut */
        io_error("write", path, errno, error);
        close(file);
        return NULL;
    }
    return trace_writer_new_on(file, path, locations);
}

TraceWriter *trace_writer_new_on(int file, const char *path, uint32_t locations)
{
    TraceWriter *writer = g_new0(TraceWriter, 1);
    TraceFileHeader header = {.magic = TRACE_MAGIC, .version = TRACE_VERSION};
    writer->file = file;
    writer->path = g_strdup(path);
    while (locations >> writer->group_shift > GROUPS)
        writer->group_shift++;
    writer->definitions = g_byte_array_new();
    writer->texts = g_hash_table_new(g_str_hash, g_str_equal);
    writer->sites = g_hash_table_new_full(site_hash, site_equal, g_free, NULL);
    writer->own = g_string_chunk_new(4096);
    writer->index = g_array_new(FALSE, FALSE, sizeof(TraceIndexEntry));
    writer->block = g_byte_array_new();
    write_all(writer, (const uint8_t *)&header, sizeof header);
    define_kinds(writer);
    return writer;
}

void trace_writer_flush(TraceWriter *writer)
{
    for (unsigned i = 0; i < GROUPS; i++)
        write_group(writer, &writer->groups[i]);
    write_definitions(writer);
}

uint64_t trace_writer_events(const TraceWriter *writer)
{
    return writer->events;
}

static void write_footer(TraceWriter *writer)
{
    TraceFooter footer = {writer->last_index, writer->written};
    begin_block(writer, &footer, sizeof footer);
    write_block(writer, (TraceBlockHeader){.kind = TRACE_BLOCK_FOOTER, .events = 1});
}

/* Gives up the last blocks of a file until `room` bytes are free. Returns false if there are not so many to give up. */
static bool make_room(TraceWriter *writer, uint64_t room)
{
    uint64_t end = writer->bytes;
    while (end - writer->bytes < room && writer->index->len > 0) {
        guint last = writer->index->len - 1;
        TraceIndexEntry entry = g_array_index(writer->index, TraceIndexEntry, last);
        g_array_set_size(writer->index, last);
        writer->bytes = entry.offset;
        if (entry.block.kind == TRACE_BLOCK_EVENTS)
            writer->written -= entry.block.events;
    }
    return end - writer->bytes >= room && cut(writer);
}

/* Ends a file that could not grow. Where there is no room even so, because it is no file, or others have taken it, the
 * file stays without an end. */
static void seal(TraceWriter *writer)
{
    const uint64_t headers = 4 * sizeof(TraceBlockHeader) + sizeof(TraceFooter);
    int failed = writer->failed;
    writer->failed = 0;
    trace_writer_note(writer, TRACE_NOTE_ENDED_EARLY, g_strerror(failed));
    uint64_t room = headers + writer->definitions->len + writer->index->len * sizeof(TraceIndexEntry);
    if (make_room(writer, room)) {
        write_definitions(writer);
        write_index(writer);
        write_footer(writer);
    }
    writer->failed = failed;
}

static void group_clear(Group *group)
{
    g_free(group->payload);
    g_free(group->lists.of_site);
}

bool trace_writer_end(TraceWriter *writer, GError **error)
{
    trace_writer_flush(writer);
    if (!writer->failed)
        write_index(writer);
    if (!writer->failed)
        write_footer(writer);
    if (writer->failed)
        seal(writer);
    if (close(writer->file) != 0 && !writer->failed)
        writer->failed = errno;
    bool good = !writer->failed;
    if (!good)
        g_set_error(error, TRACE_ERROR, TRACE_ERROR_EARLY, "cannot write the trace %s: %s; it ends early", writer->path,
                    g_strerror(writer->failed));
    for (unsigned i = 0; i < GROUPS; i++)
        group_clear(&writer->groups[i]);
    g_byte_array_unref(writer->definitions);
    g_byte_array_unref(writer->block);
    g_array_unref(writer->index);
    g_hash_table_unref(writer->texts);
    g_hash_table_unref(writer->sites);
    g_string_chunk_free(writer->own);
    g_free(writer->path);
    g_free(writer);
    return good;
}
