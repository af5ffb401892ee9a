/* merge.c - `orrery trace merge`: several traces of one run, of other ranks or other times, become one.
 *
 * The parts are read side by side in the order of time. An event that is in several parts, as a call is that a cut went
 * through, is taken once. Parts that cannot be of one run are refused: what they note about it differs, a rank is on
 * different nodes, or calls of a rank overlap.
 */
#include "cli/base/base.h"
#include "cli/trace/trace_command.h"

#include "base/units.h"
#include "base/write_file.h"

#include <string.h>
#include <unistd.h>

typedef struct Part {
    const char *file;
    TraceReader *reader;
    TraceCursor *cursor;
    TraceCopy copy;
    uint32_t *locations; /* their numbers in the result */
    TraceEvent event;    /* the next one, translated */
    uint64_t key_ps;     /* the latest time so far: parts are in this order */
    bool more;
} Part;

/* An event, and how often each part has it. The last ones are kept: parts have the same event at nearly the same place,
 * since all are read in the order of time. */
enum { KEPT = 1 << 16 };
typedef struct Seen {
    TraceEvent event;
    uint64_t list[TRACE_LIST];
    unsigned written;
    unsigned of_part[];
} Seen;

typedef struct LastCall { /* of a location */
    uint64_t to_ps;
    unsigned part;
} LastCall;

typedef struct Merge {
    Part *parts;
    unsigned n;
    TraceWriter *writer;
    GHashTable *seen, *seen_before; /* Seen: the last ones, and up to KEPT before them */
    GArray *calls;                  /* LastCall, by location */
    GArray *all;                    /* TraceLocation, by number in the result */
    GHashTable *numbers;            /* rank << 32 | thread -> 1 + number in the result */
} Merge;

/* -- what is known without events -------------------------------------------------------------- */

static bool check_notes(const Merge *merge, const Part *part, GError **error)
{
    static const char *const keys[] = {"program", "machine", "ranks", "makespan_ps", "exit_status"};
    const Part *first = &merge->parts[0];
    for (size_t i = 0; i < G_N_ELEMENTS(keys); i++) {
        const char *one = trace_reader_note(first->reader, keys[i]), *other = trace_reader_note(part->reader, keys[i]);
        if (!one || !other || strcmp(one, other) == 0)
            continue;
        g_set_error(error, TRACE_ERROR, TRACE_ERROR_FORMAT,
                    "%s and %s are of different runs (%s is %s in the one and %s in the other): only parts of one run "
                    "can be merged; `orrery trace diff` compares two runs",
                    first->file, part->file, keys[i], one, other);
        return false;
    }
    return true;
}

/* Finds or makes the location in the result. */
static bool place_location(Merge *merge, const Part *part, uint32_t i, GError **error)
{
    TraceLocation location = trace_reader_location(part->reader, i);
    gint64 key = (gint64)((uint64_t)location.rank << 32 | location.thread);
    gpointer known = g_hash_table_lookup(merge->numbers, &key);
    if (!known) {
        g_array_append_val(merge->all, location);
        known = GUINT_TO_POINTER(merge->all->len);
        g_hash_table_insert(merge->numbers, g_memdup2(&key, sizeof key), known);
    }
    part->locations[i] = GPOINTER_TO_UINT(known) - 1;
    TraceLocation *there = &g_array_index(merge->all, TraceLocation, part->locations[i]);
    if (!*there->node)
        there->node = location.node;
    if (!*location.node || strcmp(there->node, location.node) == 0)
        return true;
    g_autofree char *name = cli_trace_location(part->reader, i);
    g_set_error(error, TRACE_ERROR, TRACE_ERROR_FORMAT,
                "%s is of another run than %s: rank %s is on node %s there, and on node %s here", part->file,
                merge->parts[0].file, name, there->node, location.node);
    return false;
}

static bool place_locations(Merge *merge, Part *part, GError **error)
{
    TraceSummary summary;
    trace_reader_summary(part->reader, &summary);
    part->locations = g_new(uint32_t, summary.locations + 1);
    part->copy = (TraceCopy){.reader = part->reader, .locations = part->locations, .n_locations = summary.locations};
    for (uint32_t i = 0; i < summary.locations; i++)
        if (!place_location(merge, part, i, error))
            return false;
    return true;
}

static bool open_parts(Merge *merge, char **files, GError **error)
{
    for (unsigned i = 0; i < merge->n; i++) {
        Part *part = &merge->parts[i];
        part->file = files[i];
        part->reader = trace_reader_new(files[i], error);
        if (!part->reader || !check_notes(merge, part, error) || !place_locations(merge, part, error))
            return false;
    }
    return true;
}

/* -- events that several parts have ------------------------------------------------------------ */

static guint seen_hash(gconstpointer key)
{
    const TraceEvent *event = &((const Seen *)key)->event;
    return event->location * 31 + (guint)event->kind + (guint)(event->time_ps ^ event->fields[0]) * 17;
}

static gboolean seen_equal(gconstpointer a, gconstpointer b)
{
    const Seen *one = a, *other = b;
    return one->event.kind == other->event.kind && one->event.location == other->event.location &&
           one->event.time_ps == other->event.time_ps &&
           memcmp(one->event.fields, other->event.fields, sizeof one->event.fields) == 0 &&
           memcmp(one->list, other->list, sizeof one->list) == 0;
}

static uint64_t length_of_list(const TraceEvent *event)
{
    const TraceKindInfo *info = &trace_kinds[event->kind];
    for (unsigned i = 0; event->list && i < info->n_fields; i++)
        if (info->fields[i].form == TRACE_FORM_LIST)
            return event->fields[i];
    return 0;
}

/* Returns whether no other part has had this event. */
static bool is_new(Merge *merge, unsigned number)
{
    const Part *part = &merge->parts[number];
    Seen *seen = g_malloc0(sizeof *seen + merge->n * sizeof *seen->of_part);
    seen->event = part->event;
    memcpy(seen->list, part->event.list ? part->event.list : seen->list,
           length_of_list(&part->event) * sizeof(uint64_t));
    Seen *known = g_hash_table_lookup(merge->seen, seen);
    known = known ? known : g_hash_table_lookup(merge->seen_before, seen);
    if (known)
        g_free(seen);
    else
        g_hash_table_add(merge->seen, known = seen);
    if (++known->of_part[number] <= known->written)
        return false;
    known->written++;
    return true;
}

/* -- going through them ------------------------------------------------------------------------ */

static bool check_call(Merge *merge, unsigned number, GError **error)
{
    const Part *part = &merge->parts[number];
    const TraceEvent *event = &part->event;
    if (event->location >= merge->calls->len)
        g_array_set_size(merge->calls, event->location + 1);
    LastCall *last = &g_array_index(merge->calls, LastCall, event->location);
    if (last->part != number && event->fields[TRACE_CALL_FROM] < last->to_ps) {
        g_autofree char *at = base_units_format_time(event->fields[TRACE_CALL_FROM]);
        const TraceLocation *location = &g_array_index(merge->all, TraceLocation, event->location);
        g_set_error(error, TRACE_ERROR, TRACE_ERROR_FORMAT,
                    "%s and %s cannot be of one run: both have rank %u in a call at %s, and not the same one",
                    merge->parts[last->part].file, part->file, location->rank, at);
        return false;
    }
    if (event->time_ps >= last->to_ps)
        *last = (LastCall){event->time_ps, number};
    return true;
}

static void advance(Part *part)
{
    part->more = trace_cursor_next(part->cursor, &part->event);
    if (!part->more)
        return;
    cli_trace_copy_translate(&part->copy, &part->event);
    part->key_ps = MAX(part->key_ps, part->event.time_ps);
}

/* Returns the part that is next, or merge->n. */
static unsigned next_part(const Merge *merge)
{
    unsigned next = merge->n;
    for (unsigned i = 0; i < merge->n; i++)
        if (merge->parts[i].more && (next == merge->n || merge->parts[i].key_ps < merge->parts[next].key_ps))
            next = i;
    return next;
}

static void forget(Merge *merge)
{
    GHashTable *before = merge->seen_before;
    g_hash_table_remove_all(before);
    merge->seen_before = merge->seen;
    merge->seen = before;
}

static bool merge_events(Merge *merge, GError **error)
{
    TraceSelection all = trace_selection_all();
    for (unsigned i = 0; i < merge->n; i++) {
        merge->parts[i].copy.writer = merge->writer;
        merge->parts[i].cursor = trace_cursor_new(merge->parts[i].reader, &all);
        advance(&merge->parts[i]);
    }
    for (unsigned next; (next = next_part(merge)) < merge->n; advance(&merge->parts[next])) {
        if (g_hash_table_size(merge->seen) == KEPT)
            forget(merge);
        if (!is_new(merge, next))
            continue;
        if (merge->parts[next].event.kind == TRACE_CALL && !check_call(merge, next, error))
            return false;
        trace_writer_add(merge->writer, &merge->parts[next].event);
    }
    for (unsigned i = 0; i < merge->n; i++)
        if (!trace_cursor_end(merge->parts[i].cursor, error))
            return false;
    return true;
}

static bool write_result(Merge *merge, const char *path, int file, GError **error)
{
    merge->writer = trace_writer_new_on(file, path, merge->all->len);
    for (unsigned i = merge->n; i-- > 0;) /* of a key that several have, the first part's note counts */
        trace_reader_notes(merge->parts[i].reader, cli_trace_copy_note, merge->writer);
    for (guint i = 0; i < merge->all->len; i++)
        trace_writer_location(merge->writer, i, &g_array_index(merge->all, TraceLocation, i));
    bool good = merge_events(merge, error);
    return trace_writer_end(merge->writer, good ? error : NULL) && good;
}

static void merge_clear(Merge *merge)
{
    for (unsigned i = 0; i < merge->n; i++) {
        trace_cursor_free(merge->parts[i].cursor);
        cli_trace_copy_clear(&merge->parts[i].copy);
        trace_reader_free(merge->parts[i].reader);
        g_free(merge->parts[i].locations);
    }
    g_free(merge->parts);
    g_hash_table_unref(merge->seen);
    g_hash_table_unref(merge->seen_before);
    g_hash_table_unref(merge->numbers);
    g_array_unref(merge->calls);
    g_array_unref(merge->all);
}

bool cli_trace_merge(const TraceTarget *target, char **files, GError **error)
{
    if (!target->output)
        return cli_error_usage(error, "trace merge: where to? For example: -o whole.trace");
    Merge merge = {.n = g_strv_length(files),
                   .seen = g_hash_table_new_full(seen_hash, seen_equal, g_free, NULL),
                   .seen_before = g_hash_table_new_full(seen_hash, seen_equal, g_free, NULL),
                   .numbers = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL),
                   .calls = g_array_new(FALSE, TRUE, sizeof(LastCall)),
                   .all = g_array_new(FALSE, FALSE, sizeof(TraceLocation))};
    merge.parts = g_new0(Part, merge.n);
    bool good = open_parts(&merge, files, error);
    BaseWriting *writing = good ? base_write_begin(target->output, error) : NULL;
    good = writing && write_result(&merge, target->output, dup(base_write_descriptor(writing)), error);
    good = writing && base_write_end(writing, good, error);
    merge_clear(&merge);
    return good;
}
