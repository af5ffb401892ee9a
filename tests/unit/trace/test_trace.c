/* test_trace.c - what is written is read again, in order, in parts, after a crash; and no file makes the reader fail.
 */
#include "base/random.h"
#include "trace/format.h"

#include <criterion/criterion.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

typedef struct Files {
    char *folder, *path;
} Files;

static Files files_new(void)
{
    Files files = {.folder = g_dir_make_tmp("trace-XXXXXX", NULL)};
    files.path = g_build_filename(files.folder, "run.trace", NULL);
    return files;
}

static void files_free(Files *files)
{
    g_remove(files->path);
    g_rmdir(files->folder);
    g_free(files->path);
    g_free(files->folder);
}

/* Returns the n-th event of a made-up run: locations go on by themselves, some events tell of the past. */
enum { SITES = 50 };
static const uint64_t list[TRACE_LIST] = {1, 0, UINT64_MAX, 7, 1 << 20, UINT64_C(1) << 63, [TRACE_LIST - 1] = 99};
static TraceEvent event_of(uint64_t n, uint32_t locations)
{
    TraceEvent event = {.kind = (TraceKind)(n % TRACE_KINDS), .location = (uint32_t)(n * 7 % locations)};
    event.time_ps = n * 1000 + event.location;
    for (unsigned i = 0; i < trace_kinds[event.kind].n_fields; i++) {
        uint64_t value = n * 2654435761u >> (n + i) % 30;
        switch (trace_kinds[event.kind].fields[i].form) {
        case TRACE_FORM_TIME: value = event.time_ps - MIN(event.time_ps, value % 5000); break;
        case TRACE_FORM_PLACE: value = value % locations; break;
        case TRACE_FORM_SIGNED: value = n % 2 ? value : -value; break;
        case TRACE_FORM_SITE: value %= SITES + 1; break;
        case TRACE_FORM_LIST:
            value %= TRACE_LIST + 1;
            event.list = list;
            break;
        default: break;
        }
        event.fields[i] = value;
    }
    return event;
}

static void define_sites(TraceWriter *writer)
{
    for (uint32_t line = 1; line <= SITES; line++)
        trace_writer_site(writer, &(TraceSite){"a.c", "main", line});
}

static void write_events(const char *path, uint64_t n, uint32_t locations)
{
    GError *error = NULL;
    TraceWriter *writer = trace_writer_new(path, locations, &error);
    cr_assert(writer, "%s", error ? error->message : "");
    define_sites(writer);
    for (uint64_t i = 0; i < n; i++) {
        TraceEvent event = event_of(i, locations);
        trace_writer_add(writer, &event);
    }
    cr_assert_eq(trace_writer_events(writer), n);
    cr_assert(trace_writer_end(writer, &error), "%s", error ? error->message : "");
}

static TraceReader *open_trace(const char *path)
{
    GError *error = NULL;
    TraceReader *reader = trace_reader_new(path, &error);
    cr_assert(reader, "%s", error ? error->message : "");
    return reader;
}

static uint64_t count(TraceReader *reader, const TraceSelection *selection)
{
    g_autoptr(TraceCursor) cursor = trace_cursor_new(reader, selection);
    TraceEvent event;
    uint64_t n = 0;
    while (trace_cursor_next(cursor, &event))
        n++;
    cr_assert(trace_cursor_end(cursor, NULL));
    return n;
}

Test(trace, gives_back_what_was_written)
{
    enum { EVENTS = 200000, LOCATIONS = 300 };
    Files files = files_new();
    write_events(files.path, EVENTS, LOCATIONS);
    g_autoptr(TraceReader) reader = open_trace(files.path);
    TraceSummary summary;
    trace_reader_summary(reader, &summary);
    cr_assert(summary.whole);
    cr_assert_eq(summary.events, EVENTS);
    cr_assert_eq(summary.locations, LOCATIONS);
    cr_assert_eq(summary.to_ps, event_of(EVENTS - 1, LOCATIONS).time_ps);
    g_autofree uint64_t *next = g_new(uint64_t, LOCATIONS);
    for (uint32_t i = 0; i < LOCATIONS; i++) /* n * 7 % 300 = i, where 7 * 43 = 301 */
        next[i] = i * 43 % LOCATIONS;
    TraceSelection all = trace_selection_all();
    g_autoptr(TraceCursor) cursor = trace_cursor_new(reader, &all);
    TraceEvent event;
    uint64_t n = 0, time_ps = 0;
    for (; trace_cursor_next(cursor, &event); n++) {
        TraceEvent expected = event_of(next[event.location], LOCATIONS);
        cr_assert_geq(event.time_ps, time_ps);
        cr_assert_eq(event.list != NULL, expected.list != NULL);
        if (event.list)
            cr_assert_eq(memcmp(event.list, list, event.fields[TRACE_CALL_ARGUMENTS] * sizeof *list), 0);
        event.list = expected.list;
        cr_assert_eq(memcmp(&event, &expected, sizeof event), 0, "event %" G_GUINT64_FORMAT, n);
        next[event.location] += LOCATIONS;
        time_ps = event.time_ps;
    }
    cr_assert_eq(n, EVENTS);
    files_free(&files);
}

Test(trace, selects_by_time_location_and_kind)
{
    enum { EVENTS = 30000, LOCATIONS = 100 };
    Files files = files_new();
    write_events(files.path, EVENTS, LOCATIONS);
    g_autoptr(TraceReader) reader = open_trace(files.path);
    g_autoptr(GArray) some = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    for (uint32_t i = 3; i < LOCATIONS; i += 40)
        g_array_append_val(some, i);
    TraceSelection selection = {
        .from_ps = 5000000, .to_ps = 9000000, .kinds = 1 << TRACE_CALL | 1 << TRACE_ENDED, .locations = some};
    uint64_t expected = 0;
    for (uint64_t n = 0; n < EVENTS; n++) {
        TraceEvent event = event_of(n, LOCATIONS);
        uint64_t began = event.kind == TRACE_CALL ? event.fields[TRACE_CALL_FROM] : event.time_ps;
        expected += event.location % 40 == 3 && selection.kinds >> event.kind & 1 &&
                    event.time_ps >= selection.from_ps && MIN(began, event.time_ps) <= selection.to_ps;
    }
    cr_assert_gt(expected, 10);
    cr_assert_eq(count(reader, &selection), expected);
    selection = (TraceSelection){.from_ps = UINT64_MAX, .to_ps = UINT64_MAX, .kinds = UINT64_MAX};
    cr_assert_eq(count(reader, &selection), 0);
    files_free(&files);
}

Test(trace, defines_texts_places_and_notes_once)
{
    Files files = files_new();
    TraceWriter *writer = trace_writer_new(files.path, 1, NULL);
    TraceSite site = {"a.c", "main", 12};
    cr_assert_eq(trace_writer_text(writer, NULL), 0);
    uint32_t text = trace_writer_text(writer, "MPI_Send"), place = trace_writer_site(writer, &site);
    char copy[] = "MPI_Send", file[] = "a.c";
    cr_assert_eq(trace_writer_text(writer, copy), text);
    cr_assert_eq(trace_writer_site(writer, &(TraceSite){file, "main", 12}), place);
    cr_assert_neq(trace_writer_site(writer, &(TraceSite){file, "main", 13}), place);
    trace_writer_location(writer, 5, &(TraceLocation){2, 3, "node 1"});
    trace_writer_note(writer, "program", "a.c");
    trace_writer_note(writer, "program", "b.c");
    cr_assert(trace_writer_end(writer, NULL));
    g_autoptr(TraceReader) reader = open_trace(files.path);
    cr_assert_str_eq(trace_reader_text(reader, text), "MPI_Send");
    cr_assert_str_eq(trace_reader_text(reader, 0), "");
    cr_assert_str_eq(trace_reader_text(reader, UINT64_MAX), "");
    cr_assert_str_eq(trace_reader_site(reader, place).file, "a.c");
    cr_assert_str_eq(trace_reader_site(reader, place).function, "main");
    cr_assert_eq(trace_reader_site(reader, place).line, 12);
    cr_assert_null(trace_reader_site(reader, 77).file);
    cr_assert_eq(trace_reader_location(reader, 5).thread, 3);
    cr_assert_str_eq(trace_reader_location(reader, 5).node, "node 1");
    cr_assert_eq(trace_reader_location(reader, 4).rank, 4);
    cr_assert_str_eq(trace_reader_note(reader, "program"), "b.c");
    cr_assert_null(trace_reader_note(reader, "machine"));
    files_free(&files);
}

/* A writer that is killed leaves whole blocks, and perhaps a piece of one. */
Test(trace, is_readable_after_a_crash)
{
    enum { EVENTS = 60000, LOCATIONS = 4 };
    Files files = files_new();
    write_events(files.path, EVENTS, LOCATIONS);
    g_autofree char *bytes = NULL;
    gsize size;
    cr_assert(g_file_get_contents(files.path, &bytes, &size, NULL));
    uint64_t before = EVENTS;
    for (size_t keep = size - 1; keep > sizeof(TraceFileHeader); keep -= MIN(keep, 20011)) {
        cr_assert(g_file_set_contents(files.path, bytes, (gssize)keep, NULL));
        g_autoptr(TraceReader) reader = open_trace(files.path);
        TraceSummary summary;
        TraceSelection all = trace_selection_all();
        trace_reader_summary(reader, &summary);
        cr_assert_not(summary.whole);
        cr_assert_leq(summary.events, before);
        cr_assert_eq(count(reader, &all), summary.events);
        before = summary.events;
    }
    cr_assert_lt(before, 5000);
    files_free(&files);
}

/* Any byte may be wrong: the reader says so, or reads what is not touched. */
Test(trace, survives_damage)
{
    enum { EVENTS = 5000, LOCATIONS = 3, TRIES = 400 };
    Files files = files_new();
    write_events(files.path, EVENTS, LOCATIONS);
    g_autofree char *bytes = NULL;
    gsize size;
    cr_assert(g_file_get_contents(files.path, &bytes, &size, NULL));
    for (unsigned n = 0; n < TRIES; n++) {
        size_t at = (size_t)n * 2654435761u % size;
        bytes[at] ^= (char)(1 + n % 255);
        cr_assert(g_file_set_contents(files.path, bytes, (gssize)size, NULL));
        g_autoptr(GError) error = NULL;
        g_autoptr(TraceReader) reader = trace_reader_new(files.path, &error);
        if (reader) {
            TraceSelection all = trace_selection_all();
            g_autoptr(TraceCursor) cursor = trace_cursor_new(reader, &all);
            TraceEvent event;
            while (trace_cursor_next(cursor, &event))
                ;
            trace_cursor_end(cursor, &error);
        }
        cr_assert(reader || error);
        bytes[at] ^= (char)(1 + n % 255);
    }
    files_free(&files);
}

Test(trace, refuses_what_is_no_trace)
{
    Files files = files_new();
    g_autoptr(GError) error = NULL;
    cr_assert_null(trace_reader_new(files.path, &error));
    cr_assert(g_error_matches(error, TRACE_ERROR, TRACE_ERROR_IO));
    g_clear_error(&error);
    cr_assert_null(trace_reader_new(files.folder, &error));
    cr_assert(g_error_matches(error, TRACE_ERROR, TRACE_ERROR_IO));
    g_clear_error(&error);
    g_file_set_contents(files.path, "int main(void) { return 0; }\n", -1, NULL);
    cr_assert_null(trace_reader_new(files.path, &error));
    cr_assert(g_error_matches(error, TRACE_ERROR, TRACE_ERROR_FORMAT));
    g_clear_error(&error);
    TraceFileHeader header = {.magic = TRACE_MAGIC, .version = TRACE_VERSION + 1};
    g_file_set_contents(files.path, (const char *)&header, sizeof header, NULL);
    cr_assert_null(trace_reader_new(files.path, &error));
    cr_assert(g_error_matches(error, TRACE_ERROR, TRACE_ERROR_VERSION));
    g_clear_error(&error);
    cr_assert_null(trace_writer_new(files.folder, 1, &error));
    cr_assert(g_error_matches(error, TRACE_ERROR, TRACE_ERROR_IO));
    files_free(&files);
}

/* A full disk ends the trace behind a whole block; the writer goes on to take events. */
Test(trace, ends_with_a_full_disk)
{
    Files files = files_new();
    GError *error = NULL;
    if (symlink("/dev/full", files.path) != 0)
        cr_skip_test("no symbolic links");
    TraceWriter *writer = trace_writer_new(files.path, 4, &error);
    cr_assert(writer);
    define_sites(writer);
    for (uint64_t i = 0; i < 100000; i++) {
        TraceEvent event = event_of(i, 4);
        trace_writer_add(writer, &event);
    }
    cr_assert_not(trace_writer_end(writer, &error));
    cr_assert(g_error_matches(error, TRACE_ERROR, TRACE_ERROR_EARLY));
    cr_assert(strstr(error->message, "No space left"));
    g_error_free(error);
    files_free(&files);
}

/* -- numbers ----------------------------------------------------------------------------------- */

/* Numbers of each length, and those around them, come back. */
Test(trace, numbers_of_all_lengths)
{
    Files files = files_new();
    TraceWriter *writer = trace_writer_new(files.path, 1, NULL);
    for (unsigned bit = 0; bit < 64; bit++)
        for (int more = -1; more <= 1; more++) {
            TraceEvent event = {.kind = TRACE_QUEUE, .time_ps = bit};
            event.fields[TRACE_QUEUE_POSTED] = (UINT64_C(1) << bit) + (uint64_t)more;
            event.fields[TRACE_QUEUE_UNEXPECTED] = ~event.fields[TRACE_QUEUE_POSTED];
            trace_writer_add(writer, &event);
        }
    cr_assert(trace_writer_end(writer, NULL));
    TraceReader *reader = open_trace(files.path);
    TraceSelection all = trace_selection_all();
    TraceCursor *cursor = trace_cursor_new(reader, &all);
    TraceEvent event;
    for (unsigned bit = 0; bit < 64; bit++)
        for (int more = -1; more <= 1; more++) {
            cr_assert(trace_cursor_next(cursor, &event));
            cr_assert_eq(event.fields[TRACE_QUEUE_POSTED], (UINT64_C(1) << bit) + (uint64_t)more);
            cr_assert_eq(event.fields[TRACE_QUEUE_UNEXPECTED], ~event.fields[TRACE_QUEUE_POSTED]);
        }
    trace_cursor_free(cursor);
    trace_reader_free(reader);
    files_free(&files);
}

/* A file has one writer at a time; another one leaves it as it is. */
Test(trace, two_writers_of_a_file)
{
    Files files = files_new();
    GError *error = NULL;
    TraceWriter *writer = trace_writer_new(files.path, 1, NULL);
    cr_assert_null(trace_writer_new(files.path, 1, &error));
    cr_assert(strstr(error->message, "another run"), "%s", error->message);
    g_clear_error(&error);
    cr_assert(trace_writer_end(writer, NULL));
    trace_reader_free(open_trace(files.path));
    writer = trace_writer_new(files.path, 1, &error);
    cr_assert(writer);
    cr_assert(trace_writer_end(writer, NULL));
    files_free(&files);
}
