/* filters.c - what follows the word of a kind of breakpoints: which messages, faults, errors, findings, times.
 *
 *   message  sent from 2 to 4-7 tag 7 comm MPI_COMM_WORLD size>=64K inner
 *   fault    SIGSEGV       error  MPI_ERR_RANK       finding  races       time  10us
 */
#include "monitor/session/engine.h"

#include "base/nearest.h"
#include "base/units.h"
#include "monitor/report/report.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct MonFilter {
    unsigned stages; /* bits of MpiEventSort */
    bool inner;      /* messages within collectives, too */
    MonRankSet *from, *to;
    bool has_tag;
    int tag;
    char *comm;
    uint64_t least, most; /* bytes */
    char *word;           /* name of an error or check; NULL: any */
    int signal;           /* 0: any */
    uint64_t time_ps;
};

typedef struct Reader {
    const MonEngine *engine;
    const char *text, *at;
    MonFilter *filter;
    GError **error;
} Reader;

void mon_filter_free(MonFilter *filter)
{
    if (!filter)
        return;
    mon_ranks_free(filter->from);
    mon_ranks_free(filter->to);
    g_free(filter->comm);
    g_free(filter->word);
    g_free(filter);
}

/* -- reading ----------------------------------------------------------------------------------- */

static bool refuse(const Reader *reader, const char *format, ...) G_GNUC_PRINTF(2, 3);
static bool refuse(const Reader *reader, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *what = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    int column = (int)(reader->at - reader->text);
    g_set_error(reader->error, MON_ERROR, MON_ERROR_PLACE, "%s\n%s\n%*s^", what, reader->text, column, "");
    return false;
}

static void skip_blanks(Reader *reader)
{
    while (g_ascii_isspace(*reader->at))
        reader->at++;
}

/* Takes a word of letters off the text, or returns NULL. */
static char *take_word(Reader *reader)
{
    const char *begin = reader->at;
    while (g_ascii_isalpha(*reader->at))
        reader->at++;
    return reader->at > begin ? g_strndup(begin, (gsize)(reader->at - begin)) : NULL;
}

static char *take_value(Reader *reader)
{
    skip_blanks(reader);
    const char *begin = reader->at;
    while (*reader->at && !g_ascii_isspace(*reader->at))
        reader->at++;
    return g_strndup(begin, (gsize)(reader->at - begin));
}

static bool take_ranks(Reader *reader, MonRankSet **set)
{
    MonRankWorld world = {.ranks = mach_run_ranks(reader->engine->machine)};
    skip_blanks(reader);
    mon_ranks_free(*set);
    *set = mon_ranks_take(&world, reader->at, &reader->at, reader->error);
    return *set;
}

static bool take_tag(Reader *reader)
{
    char *end;
    skip_blanks(reader);
    long tag = strtol(reader->at, &end, 10);
    if (end == reader->at || tag < 0 || tag > INT32_MAX)
        return refuse(reader, "a tag is a number from 0 on");
    reader->at = end;
    reader->filter->has_tag = true;
    reader->filter->tag = (int)tag;
    return true;
}

/* "64K" and "64k" are 64 KiB, as in other debuggers; "64 KiB" has a blank. */
static bool parse_size(const char *text, uint64_t *bytes)
{
    static const char letters[] = "kmg";
    char *end;
    uint64_t number = g_ascii_strtoull(text, &end, 10);
    const char *letter = *end ? strchr(letters, g_ascii_tolower(*end)) : NULL;
    *bytes = number;
    if (end > text && letter && end[1] == '\0')
        *bytes = number << 10 * (letter - letters + 1);
    return (end > text && (*end == '\0' || (letter && end[1] == '\0'))) ||
           base_units_parse(text, BASE_UNIT_SIZE, bytes, NULL);
}

static bool take_size(Reader *reader)
{
    static const char *const operators[] = {">=", "<=", "==", ">", "<", "="};
    size_t i = 0;
    uint64_t bytes;
    skip_blanks(reader);
    while (i < G_N_ELEMENTS(operators) && !g_str_has_prefix(reader->at, operators[i]))
        i++;
    if (i == G_N_ELEMENTS(operators))
        return refuse(reader, "size needs a comparison: size>=64K");
    reader->at += strlen(operators[i]);
    skip_blanks(reader);
    const char *begin = reader->at;
    g_autofree char *value = take_value(reader);
    if (!parse_size(value, &bytes)) {
        reader->at = begin;
        return refuse(reader, "'%s' is no size: 65536, 64K, 1M", value);
    }
    MonFilter *filter = reader->filter;
    char operator= operators[i][0];
    bool equal = operators[i][1] == '=';
    if (operator!= '<')
        filter->least = operator== '>' && !equal ? bytes + 1 : bytes;
    if (operator!= '>')
        filter->most = operator== '<' && !equal ? bytes - (bytes > 0) : bytes;
    return true;
}

static bool take_stage(Reader *reader, const char *word)
{
    static const struct {
        const char *word;
        MpiEventSort sort;
    } stages[] = {{"sent", MPI_EVENT_SENT},       {"send", MPI_EVENT_SENT},       {"arrived", MPI_EVENT_ARRIVED},
                  {"arrival", MPI_EVENT_ARRIVED}, {"matched", MPI_EVENT_MATCHED}, {"match", MPI_EVENT_MATCHED},
                  {"received", MPI_EVENT_MATCHED}};
    for (size_t i = 0; i < G_N_ELEMENTS(stages); i++)
        if (strcmp(stages[i].word, word) == 0) {
            reader->filter->stages |= 1U << stages[i].sort;
            return true;
        }
    return false;
}

static bool take_clause(Reader *reader)
{
    static const char *const clauses[] = {"sent", "arrived", "matched", "inner", "from", "to", "tag", "comm", "size"};
    const char *begin = reader->at;
    g_autofree char *word = take_word(reader);
    MonFilter *filter = reader->filter;
    if (word && take_stage(reader, word))
        return true;
    if (g_strcmp0(word, "inner") == 0)
        return filter->inner = true;
    if (g_strcmp0(word, "from") == 0)
        return take_ranks(reader, &filter->from);
    if (g_strcmp0(word, "to") == 0)
        return take_ranks(reader, &filter->to);
    if (g_strcmp0(word, "tag") == 0)
        return take_tag(reader);
    if (g_strcmp0(word, "size") == 0 || g_strcmp0(word, "bytes") == 0)
        return take_size(reader);
    if (g_strcmp0(word, "comm") == 0) {
        g_free(filter->comm);
        filter->comm = take_value(reader);
        return *filter->comm || refuse(reader, "comm needs a name: comm MPI_COMM_WORLD");
    }
    BaseNearest nearest = base_nearest_of(word ? word : "");
    for (size_t i = 0; i < G_N_ELEMENTS(clauses); i++)
        base_nearest_try(&nearest, clauses[i]);
    reader->at = begin;
    return refuse(reader, "of a message there are sent, arrived, matched, from, to, tag, comm, size and inner%s%s%s",
                  nearest.best ? "; is it " : "", nearest.best ? nearest.best : "", nearest.best ? "?" : "");
}

static bool read_message(Reader *reader)
{
    reader->filter->most = UINT64_MAX;
    for (skip_blanks(reader); *reader->at; skip_blanks(reader))
        if (!take_clause(reader))
            return false;
    if (reader->filter->stages == 0)
        reader->filter->stages = 1U << MPI_EVENT_SENT;
    return true;
}

static bool read_signal(Reader *reader)
{
    static const struct {
        const char *name;
        int number;
    } signals[] = {{"SIGSEGV", 11}, {"segfault", 11}, {"SIGFPE", 8},   {"SIGBUS", 7},   {"SIGILL", 4},
                   {"SIGABRT", 6},  {"abort", 6},     {"SIGINT", 2},   {"SIGTERM", 15}, {"SIGKILL", 9},
                   {"SIGPIPE", 13}, {"SIGALRM", 14},  {"SIGUSR1", 10}, {"SIGUSR2", 12}};
    if (!*reader->at)
        return true;
    for (size_t i = 0; i < G_N_ELEMENTS(signals); i++)
        if (g_ascii_strcasecmp(signals[i].name, reader->at) == 0)
            reader->filter->signal = signals[i].number;
    guint64 number;
    if (g_ascii_string_to_unsigned(reader->at, 10, 1, 64, &number, NULL))
        reader->filter->signal = (int)number;
    return reader->filter->signal ||
           refuse(reader, "there is no signal '%s': SIGSEGV, SIGFPE, SIGABRT ...", reader->at);
}

static bool read_check(Reader *reader)
{
    BaseNearest nearest = base_nearest_of(reader->at);
    bool known = !*reader->at;
    for (unsigned i = 0; i < MPI_CHECKS; i++) {
        known = known || strcmp(reader->at, mpi_check_row((MpiCheck)i)->name) == 0;
        base_nearest_try(&nearest, mpi_check_row((MpiCheck)i)->name);
    }
    reader->filter->word = *reader->at ? g_strdup(reader->at) : NULL;
    return known || refuse(reader, "there is no check '%s'%s%s%s", reader->at, nearest.best ? "; is it " : "",
                           nearest.best ? nearest.best : "", nearest.best ? "?" : "");
}

static bool read_error(Reader *reader)
{
    if (*reader->at && !g_str_has_prefix(reader->at, "MPI_ERR"))
        return refuse(reader, "the name of an error class begins with MPI_ERR");
    reader->filter->word = *reader->at ? g_strdup(reader->at) : NULL;
    return true;
}

static bool read_time(Reader *reader)
{
    g_autoptr(GError) error = NULL;
    return base_units_parse(reader->at, BASE_UNIT_TIME, &reader->filter->time_ps, &error) ||
           refuse(reader, "'%s' is no virtual time: 1.5us, 10 ms", reader->at);
}

static bool read_nothing(Reader *reader)
{
    return !*reader->at || refuse(reader, "nothing can follow here but ranks and a condition");
}

MonFilter *mon_filter_new(const MonEngine *engine, MonPointKind kind, const char *text, GError **error)
{
    static bool (*const readers[])(Reader *) = {
        [MON_POINT_PLACE] = NULL,         [MON_POINT_MESSAGE] = read_message, [MON_POINT_TIME] = read_time,
        [MON_POINT_FAULT] = read_signal,  [MON_POINT_ERROR] = read_error,     [MON_POINT_FINDING] = read_check,
        [MON_POINT_START] = read_nothing, [MON_POINT_END] = read_nothing,     [MON_POINT_DEADLOCK] = read_nothing};
    Reader reader = {.engine = engine, .text = text, .at = text, .filter = g_new0(MonFilter, 1), .error = error};
    skip_blanks(&reader);
    if (readers[kind](&reader))
        return reader.filter;
    mon_filter_free(reader.filter);
    return NULL;
}

/* -- asking ------------------------------------------------------------------------------------ */

/* "world" is MPI_COMM_WORLD, too. */
static bool has_comm(const MonFilter *filter, const MonEngine *engine, const MpiEvent *event)
{
    static const char prefix[] = "MPI_COMM_";
    g_autoptr(GString) name = g_string_new(NULL);
    mpi_world_append_comm(mach_run_mpi(engine->machine), event->rank, event->context, name);
    const char *rest = g_str_has_prefix(name->str, prefix) ? name->str + strlen(prefix) : name->str;
    return strcmp(name->str, filter->comm) == 0 || g_ascii_strcasecmp(rest, filter->comm) == 0;
}

bool mon_filter_takes(const MonFilter *filter, const MonEngine *engine, const MpiEvent *event)
{
    if (event->sort > MPI_EVENT_MATCHED)
        return !filter->word || strcmp(filter->word, event->word) == 0;
    return filter->stages & 1U << event->sort && (filter->inner || !event->collective) &&
           (!filter->from || mon_ranks_has(filter->from, event->from)) &&
           (!filter->to || mon_ranks_has(filter->to, event->to)) &&
           (!filter->has_tag || (!event->collective && event->tag == filter->tag)) && event->bytes >= filter->least &&
           event->bytes <= filter->most && (!filter->comm || has_comm(filter, engine, event));
}

bool mon_filter_takes_signal(const MonFilter *filter, int signal)
{
    return filter->signal == 0 || filter->signal == signal;
}

uint64_t mon_filter_time(const MonFilter *filter)
{
    return filter->time_ps;
}
