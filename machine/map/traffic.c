/* traffic.c - files of recorded traffic: what each rank has sent to each other rank.
 *
 *     ranks 4                  # first, how many there are
 *     0 1 65536 16             # from, to, bytes, messages
 *     1 0 128                  # messages may be left out: 1
 *
 * One line per pair, in any order; # begins a comment. A pair without a line has sent nothing.
 */
#include "machine/machine.h"

#include <string.h>

#define MOST_BYTES (UINT64_C(1) << 53) /* most bytes of all pairs together: JSON numbers are exact up to here */

void mach_traffic_free(MachTraffic *traffic)
{
    if (!traffic)
        return;
    g_free(traffic->path);
    g_array_unref(traffic->flows);
    g_free(traffic);
}

void mach_traffic_print(const MachTraffic *traffic, GString *out)
{
    uint64_t bytes = 0, messages = 0;
    for (guint i = 0; i < traffic->flows->len; i++) {
        bytes += g_array_index(traffic->flows, MachFlow, i).bytes;
        messages += g_array_index(traffic->flows, MachFlow, i).messages;
    }
    g_string_append_printf(out,
                           "# Traffic between ranks, recorded by orrery: %u pairs, %" G_GUINT64_FORMAT
                           " messages, %" G_GUINT64_FORMAT " bytes\nranks %u\n# from to bytes messages\n",
                           traffic->flows->len, messages, bytes, traffic->ranks);
    for (guint i = 0; i < traffic->flows->len; i++) {
        const MachFlow *flow = &g_array_index(traffic->flows, MachFlow, i);
        g_string_append_printf(out, "%u %u %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT "\n", flow->from, flow->to,
                               flow->bytes, flow->messages);
    }
}

/* -- reading ----------------------------------------------------------------------------------- */

enum { FROM, TO, BYTES, MESSAGES, WORDS };

typedef struct Reader {
    MachTraffic *traffic;
    unsigned line;
    GArray *lines; /* unsigned: the line of each flow */
    uint64_t bytes;
    GError **error;
} Reader;

static bool read_number(Reader *reader, const char *what, const char *word, uint64_t most, uint64_t *number)
{
    guint64 value;
    g_autoptr(GError) wrong = NULL;
    if (g_ascii_string_to_unsigned(word, 10, 0, most, &value, &wrong)) {
        *number = value;
        return true;
    }
    bool negative = word[0] == '-' && g_ascii_isdigit(word[1]);
    bool large = wrong->code == G_NUMBER_PARSER_ERROR_OUT_OF_BOUNDS && !negative;
    g_autofree char *reason = large ? g_strdup_printf("is too large; at most %" G_GUINT64_FORMAT " is possible", most)
                                    : g_strdup(negative ? "is negative" : "is not a whole number");
    return mach_error_at_line(reader->error, reader->traffic->path, reader->line, "%s \"%s\" %s", what, word, reason);
}

static bool read_ranks(Reader *reader, char **words, unsigned n)
{
    MachTraffic *traffic = reader->traffic;
    uint64_t ranks = 0;
    if (n != 2 || strcmp(words[0], "ranks") != 0)
        return mach_error_at_line(reader->error, traffic->path, reader->line,
                                  "traffic begins with a line \"ranks N\", not with \"%s\"", words[0]);
    if (!read_number(reader, "the number of ranks", words[1], INT32_MAX, &ranks))
        return false;
    if (!ranks)
        return mach_error_at_line(reader->error, traffic->path, reader->line, "0 ranks: there is at least one");
    traffic->ranks = (uint32_t)ranks;
    traffic->ranks_line = reader->line;
    return true;
}

static bool read_rank(Reader *reader, const char *word, uint64_t *rank)
{
    if (!read_number(reader, "rank", word, INT32_MAX, rank))
        return false;
    return *rank < reader->traffic->ranks ||
           mach_error_at_line(reader->error, reader->traffic->path, reader->line,
                              "rank %s does not exist; line %u says that there are %u ranks, 0 to %u", word,
                              reader->traffic->ranks_line, reader->traffic->ranks, reader->traffic->ranks - 1);
}

static bool read_flow(Reader *reader, char **words, unsigned n)
{
    uint64_t number[WORDS] = {[MESSAGES] = 1};
    if (n < MESSAGES || n > WORDS)
        return mach_error_at_line(reader->error, reader->traffic->path, reader->line,
                                  "a line of traffic is \"FROM TO BYTES MESSAGES\", of which this has %u", n);
    if (!read_rank(reader, words[FROM], &number[FROM]) || !read_rank(reader, words[TO], &number[TO]) ||
        !read_number(reader, "bytes", words[BYTES], MOST_BYTES, &number[BYTES]) ||
        (n == WORDS && !read_number(reader, "messages", words[MESSAGES], MOST_BYTES, &number[MESSAGES])))
        return false;
    reader->bytes += number[BYTES];
    if (reader->bytes > MOST_BYTES)
        return mach_error_at_line(reader->error, reader->traffic->path, reader->line,
                                  "up to here it is more than %" G_GUINT64_FORMAT " bytes together", MOST_BYTES);
    MachFlow flow = {(uint32_t)number[FROM], (uint32_t)number[TO], number[BYTES], number[MESSAGES]};
    g_array_append_val(reader->traffic->flows, flow);
    g_array_append_val(reader->lines, reader->line);
    return true;
}

static bool read_line(Reader *reader, char *text)
{
    text[strcspn(text, "#")] = '\0';
    g_strdelimit(text, "\t\r,;", ' ');
    g_auto(GStrv) parts = g_strsplit(text, " ", -1);
    char *words[WORDS + 2];
    unsigned n = 0;
    for (char **part = parts; *part && n <= WORDS; part++)
        if (**part)
            words[n++] = *part;
    if (!n)
        return true;
    return reader->traffic->ranks ? read_flow(reader, words, n) : read_ranks(reader, words, n);
}

/* A flow and its line in the file, for sorting. */
typedef struct Placed {
    MachFlow flow;
    unsigned line;
} Placed;

static int compare_placed(const void *a, const void *b)
{
    const Placed *x = a, *y = b;
    if (x->flow.from != y->flow.from)
        return x->flow.from < y->flow.from ? -1 : 1;
    if (x->flow.to != y->flow.to)
        return x->flow.to < y->flow.to ? -1 : 1;
    return x->line < y->line ? -1 : x->line > y->line;
}

static bool sort_flows(Reader *reader)
{
    GArray *flows = reader->traffic->flows;
    g_autofree Placed *placed = g_new(Placed, flows->len + 1);
    for (guint i = 0; i < flows->len; i++)
        placed[i] = (Placed){g_array_index(flows, MachFlow, i), g_array_index(reader->lines, unsigned, i)};
    qsort(placed, flows->len, sizeof *placed, compare_placed);
    for (guint i = 0; i < flows->len; i++) {
        const Placed *before = i ? &placed[i - 1] : NULL, *now = &placed[i];
        if (before && before->flow.from == now->flow.from && before->flow.to == now->flow.to)
            return mach_error_at_line(reader->error, reader->traffic->path, now->line,
                                      "traffic from rank %u to rank %u is in line %u already", now->flow.from,
                                      now->flow.to, before->line);
        g_array_index(flows, MachFlow, i) = now->flow;
    }
    return true;
}

static bool read_text(Reader *reader, const char *text, gsize size)
{
    const char *end = text + size;
    if (memchr(text, '\0', size))
        return mach_error_at_line(reader->error, reader->traffic->path, 1, "this is not a text file");
    while (text < end) {
        const char *line_end = memchr(text, '\n', (size_t)(end - text));
        size_t length = (size_t)((line_end ? line_end : end) - text);
        g_autofree char *line = g_strndup(text, length);
        reader->line++;
        if (!read_line(reader, line))
            return false;
        text += length + 1;
    }
    if (!reader->traffic->ranks)
        return mach_error_at_line(reader->error, reader->traffic->path, MAX(reader->line, 1),
                                  "this file has no line \"ranks N\"; `orrery run --traffic FILE` writes one that has");
    return sort_flows(reader);
}

MachTraffic *mach_traffic_load(const char *path, GError **error)
{
    g_autofree char *text = NULL;
    gsize size;
    g_autoptr(GError) io = NULL;
    if (!g_file_get_contents(path, &text, &size, &io)) {
        g_set_error(error, MACH_ERROR, MACH_ERROR_CONFIG, "traffic cannot be read: %s", io->message);
        return NULL;
    }
    g_autoptr(MachTraffic) traffic = g_new0(MachTraffic, 1);
    traffic->path = g_strdup(path);
    traffic->flows = g_array_new(FALSE, FALSE, sizeof(MachFlow));
    Reader reader = {.traffic = traffic, .lines = g_array_new(FALSE, FALSE, sizeof(unsigned)), .error = error};
    bool good = read_text(&reader, text, size);
    g_array_unref(reader.lines);
    return good ? g_steal_pointer(&traffic) : NULL;
}
