/* ti.c - time-independent traces of SimGrid: a line is a rank, an action, its arguments. What the actions take is in
 * replay_table.h. */
#include "base/nearest.h"
#include "cli/replay/table.h"

#include "cli/base/base.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name, *arguments;
} actions[] = {
#define ACTION(identifier, name, arguments) {name, arguments},
    REPLAY_ACTIONS(ACTION)
#undef ACTION
};
static const unsigned type_bytes[] = {
#define TYPE(name, bytes, op) bytes,
    REPLAY_TYPES(TYPE)
#undef TYPE
};

typedef struct Open { /* a request that has not been waited for */
    int64_t from, to, tag;
    uint32_t slot;
} Open;

typedef struct Rank {
    GArray *open;  /* Open */
    GArray *slots; /* uint32_t: those that are free */
    unsigned default_bytes;
} Rank;

typedef struct Ti {
    ReplayTrace *trace;
    ReplayTable *table;
    Rank *ranks;
    double flop_rate;
    /* the line at hand */
    const char *path;
    uint64_t line;
    char **words; /* its words from the action on */
    unsigned n_words, at;
    uint32_t rank;
    GArray *arguments; /* int64_t */
    uint64_t counted, bytes;
} Ti;

/* -- words ------------------------------------------------------------------------------------- */

/* Returns the words of a line, for g_ptr_array_unref(); they point into it. */
static GPtrArray *split(char *line)
{
    GPtrArray *words = g_ptr_array_new();
    for (char *rest = NULL, *word = strtok_r(line, " \t\r\n", &rest); word; word = strtok_r(NULL, " \t\r\n", &rest))
        g_ptr_array_add(words, word);
    return words;
}

/* Old traces have a p in front of the rank. */
static bool parse_rank(const char *word, uint64_t *rank)
{
    char *end;
    word += *word == 'p';
    if (!g_ascii_isdigit(*word))
        return false;
    *rank = g_ascii_strtoull(word, &end, 10);
    return !*end && *rank < REPLAY_MOST_RANKS;
}

static int code_of(const char *word)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(actions); i++)
        if (g_ascii_strcasecmp(word, actions[i].name) == 0)
            return (int)i;
    return -1;
}

bool replay_is_ti(const char *line)
{
    g_autofree char *copy = g_strdup(line);
    g_autoptr(GPtrArray) words = split(copy);
    uint64_t rank;
    return words->len >= 2 && parse_rank(words->pdata[0], &rank) && !strchr(words->pdata[1], '.') &&
           !strchr(words->pdata[1], '/');
}

/* -- arguments --------------------------------------------------------------------------------- */

static bool wrong(const Ti *ti, GError **error, const char *what)
{
    return replay_table_error(ti->path, ti->line, error, "%s: \"%s\" %s", ti->words[0], ti->words[ti->at], what);
}

static void put(Ti *ti, int64_t value)
{
    g_array_append_val(ti->arguments, value);
}

/* Parses a number, which traces may write with a point. */
static bool parse_number(Ti *ti, double *value, GError **error)
{
    char *end;
    *value = g_ascii_strtod(ti->words[ti->at], &end);
    return (end != ti->words[ti->at] && !*end && isfinite(*value)) || wrong(ti, error, "is no number");
}

static bool parse_whole(Ti *ti, int64_t *value, GError **error)
{
    double number = 0;
    if (!parse_number(ti, &number, error))
        return false;
    if (number != floor(number) || fabs(number) > INT32_MAX)
        return wrong(ti, error, "is no whole number up to 2147483647");
    *value = (int64_t)number;
    return true;
}

static bool take_rank(Ti *ti, char sort, GError **error)
{
    int64_t value = 0;
    if (!parse_whole(ti, &value, error))
        return false;
    if (value >= ti->trace->ranks || (value < 0 && sort != 'p'))
        return wrong(ti, error, "is no rank of this trace");
    put(ti, value < 0 ? -1 : value);
    return true;
}

static bool take_count(Ti *ti, GError **error)
{
    int64_t value = 0;
    if (!parse_whole(ti, &value, error))
        return false;
    put(ti, MAX(0, value));
    ti->counted += (uint64_t)MAX(0, value);
    return true;
}

static bool take_counts(Ti *ti, GError **error)
{
    for (uint32_t i = 0; i < ti->trace->ranks; i++, ti->at++) {
        if (ti->at >= ti->n_words)
            return replay_table_error(ti->path, ti->line, error, "%s needs a count for each of the %u ranks",
                                      ti->words[0], ti->trace->ranks);
        if (!take_count(ti, error))
            return false;
    }
    ti->at--; /* the caller passes over the last one */
    return true;
}

static bool take_type(Ti *ti, GError **error)
{
    int64_t type = 0;
    if (!parse_whole(ti, &type, error))
        return false;
    if (type >= REPLAY_TYPE_COUNT)
        return wrong(ti, error,
                     "is no datatype: there are 0 MPI_DOUBLE, 1 MPI_INT, 2 MPI_CHAR, 3 MPI_SHORT, 4 MPI_LONG, "
                     "5 MPI_FLOAT and 6 MPI_BYTE");
    put(ti, MAX(-1, type));
    if (type >= 0)
        ti->bytes = MAX(ti->bytes, type_bytes[type]);
    return true;
}

static bool take_time(Ti *ti, double second_ps, GError **error)
{
    double value = 0;
    if (!parse_number(ti, &value, error))
        return false;
    double ps = value * second_ps;
    if (ps >= 0x1p62)
        return wrong(ti, error, "lasts too long");
    put(ti, ps < 0 ? 0 : (int64_t)(ps + 0.5)); /* profilers write a computing of -1 that they do not know */
    return true;
}

static bool take_argument(Ti *ti, char sort, GError **error)
{
    switch (sort) {
    case 'p':
    case 'P':
    case 'r': return take_rank(ti, sort, error);
    case 'n': return take_count(ti, error);
    case 'V': return take_counts(ti, error);
    case 'd': return take_type(ti, error);
    case 'c': return take_time(ti, 1e12 / ti->flop_rate, error);
    case 's': return take_time(ti, 1e12, error);
    case 't': {
        int64_t tag = 0;
        if (!parse_whole(ti, &tag, error))
            return false;
        put(ti, MAX(-1, tag));
        return true;
    }
    case 'i': put(ti, 1); return true;
    default: return true;
    }
}

static int64_t missing(char sort)
{
    return sort == 'd' ? -1 : 0;
}

/* SimGrid's allgatherv may have displacements behind the counts, with a datatype in front of them or not. They change
 * nothing, and only the datatype is kept. */
static void drop_displacements(Ti *ti)
{
    unsigned behind = 2 + ti->trace->ranks, rest = ti->n_words > behind ? ti->n_words - behind : 0;
    if (rest >= 2 && rest == ti->trace->ranks)
        ti->n_words = behind;
    else if (rest > 2 && rest == ti->trace->ranks + 1)
        ti->n_words = behind + 1;
}

static bool take_arguments(Ti *ti, int code, GError **error)
{
    bool optional = false, here;
    ti->at = 1;
    ti->counted = 0;
    ti->bytes = 0;
    g_array_set_size(ti->arguments, 0);
    if (code == REPLAY_ALLGATHERV)
        drop_displacements(ti);
    for (const char *sort = actions[code].arguments; *sort; sort++) {
        if (*sort == '[' || *sort == ']') {
            optional = true;
            continue;
        }
        here = ti->at < ti->n_words;
        if (!here && !optional)
            return replay_table_error(ti->path, ti->line, error, "%s needs more than %u arguments", ti->words[0],
                                      ti->n_words - 1);
        if (!here && *sort != '*')
            put(ti, missing(*sort));
        else if (here && !take_argument(ti, *sort, error))
            return false;
        ti->at += here;
    }
    if (code == REPLAY_ALLGATHERV && ti->n_words == 3 + ti->trace->ranks) /* its one datatype holds for both sides */
        g_array_index(ti->arguments, int64_t, ti->arguments->len - 1) =
            g_array_index(ti->arguments, int64_t, ti->arguments->len - 2);
    if (ti->at < ti->n_words && code != REPLAY_COMM_SPLIT && code != REPLAY_COMM_DUP && code != REPLAY_WAITALL)
        return wrong(ti, error, "is one argument too many");
    return true;
}

/* -- requests ---------------------------------------------------------------------------------- */

static int32_t open_request(Ti *ti, int code)
{
    Rank *rank = &ti->ranks[ti->rank];
    int64_t peer = g_array_index(ti->arguments, int64_t, 0), tag = g_array_index(ti->arguments, int64_t, 1);
    Open open = {code == REPLAY_ISEND ? ti->rank : peer, code == REPLAY_ISEND ? peer : ti->rank, tag, 0};
    if (rank->slots->len) {
        open.slot = g_array_index(rank->slots, uint32_t, rank->slots->len - 1);
        g_array_set_size(rank->slots, rank->slots->len - 1);
    } else {
        open.slot = ti->table->ranks[ti->rank].requests++;
    }
    g_array_append_val(rank->open, open);
    return (int32_t)open.slot;
}

/* Finds the oldest request of that sender, receiver and tag. As in SimGrid there may be none: a test has found it
 * complete. */
static int32_t find_request(Ti *ti, bool closes)
{
    Rank *rank = &ti->ranks[ti->rank];
    const int64_t *a = (const int64_t *)(const void *)ti->arguments->data;
    for (guint i = 0; i < rank->open->len; i++) {
        Open open = g_array_index(rank->open, Open, i);
        if (open.from != a[0] || open.to != a[1] || open.tag != a[2])
            continue;
        if (closes) {
            g_array_remove_index(rank->open, i);
            g_array_append_val(rank->slots, open.slot);
        }
        return (int32_t)open.slot;
    }
    return -1;
}

static void close_all(Ti *ti)
{
    Rank *rank = &ti->ranks[ti->rank];
    for (guint i = 0; i < rank->open->len; i++)
        g_array_append_val(rank->slots, g_array_index(rank->open, Open, i).slot);
    g_array_set_size(rank->open, 0);
}

static int32_t request_of(Ti *ti, int code)
{
    switch (code) {
    case REPLAY_ISEND:
    case REPLAY_IRECV: return open_request(ti, code);
    case REPLAY_TEST:
    case REPLAY_WAIT: return find_request(ti, code == REPLAY_WAIT);
    case REPLAY_WAITALL: close_all(ti); return -1;
    default: return -1;
    }
}

/* -- lines ------------------------------------------------------------------------------------- */

/* Keeps how long the rank's buffers must be. */
static bool measure(Ti *ti, int code, GError **error)
{
    bool all = code == REPLAY_ALLTOALL || code == REPLAY_GATHER || code == REPLAY_ALLGATHER || code == REPLAY_SCATTER;
    uint64_t bytes = ti->bytes ? ti->bytes : ti->ranks[ti->rank].default_bytes;
    uint64_t largest = ti->counted * bytes * (all ? ti->trace->ranks : 1);
    if (largest >> 40)
        return replay_table_error(ti->path, ti->line, error, "%s of %" G_GUINT64_FORMAT " bytes is too large",
                                  ti->words[0], largest);
    if (code != REPLAY_IRECV)
        ti->table->ranks[ti->rank].largest = MAX(ti->table->ranks[ti->rank].largest, largest);
    return true;
}

static void put_action(Ti *ti, int code)
{
    ReplayAction action = {.code = (uint32_t)code,
                           .n = ti->arguments->len,
                           .line = (uint32_t)MIN(ti->line, UINT32_MAX),
                           .request = request_of(ti, code)};
    g_autoptr(GByteArray) bytes = g_byte_array_new();
    g_byte_array_append(bytes, (const uint8_t *)&action, sizeof action);
    g_byte_array_append(bytes, (const uint8_t *)ti->arguments->data, ti->arguments->len * (guint)sizeof(int64_t));
    replay_table_add(ti->table, ti->rank, bytes->data, bytes->len);
}

static bool unknown(const Ti *ti, GError **error)
{
    BaseNearest nearest = base_nearest_of(ti->words[0]);
    for (unsigned i = 0; i < G_N_ELEMENTS(actions); i++)
        base_nearest_try(&nearest, actions[i].name);
    if (nearest.best)
        return replay_table_error(ti->path, ti->line, error, "there is no action \"%s\"; did you mean %s?",
                                  ti->words[0], nearest.best);
    return replay_table_error(ti->path, ti->line, error, "there is no action \"%s\"", ti->words[0]);
}

static bool take_line(Ti *ti, char *line, GError **error)
{
    g_autoptr(GPtrArray) words = split(line);
    uint64_t rank = 0;
    if (!words->len || *(const char *)words->pdata[0] == '#')
        return true;
    if (!parse_rank(words->pdata[0], &rank))
        return replay_table_error(ti->path, ti->line, error, "\"%s\" is no rank, with which each line begins",
                                  (const char *)words->pdata[0]);
    if (words->len < 2)
        return replay_table_error(ti->path, ti->line, error, "there is no action behind the rank");
    ti->rank = (uint32_t)rank;
    ti->words = (char **)words->pdata + 1;
    ti->n_words = words->len - 1;
    int code = code_of(ti->words[0]);
    if (code < 0)
        return unknown(ti, error);
    if (!take_arguments(ti, code, error) || !measure(ti, code, error))
        return false;
    if (code == REPLAY_INIT)
        ti->ranks[ti->rank].default_bytes = g_array_index(ti->arguments, int64_t, 0) ? 8 : 1;
    if (code != REPLAY_LOCATION && (code < REPLAY_FINALIZE || code > REPLAY_COMM_DUP))
        put_action(ti, code);
    return true;
}

/* Calls `each` with all lines of all files. */
static bool read_lines(Ti *ti, bool (*each)(Ti *ti, char *line, GError **error), GError **error)
{
    char *line = NULL;
    size_t room = 0;
    bool good = true;
    for (guint i = 0; i < ti->trace->files->len && good; i++) {
        ti->path = ti->trace->files->pdata[i];
        ti->line = 0;
        FILE *file = fopen(ti->path, "r");
        if (!file) {
            g_set_error(error, CLI_ERROR, CLI_ERROR_FILE, "cannot read %s: %s", ti->path, g_strerror(errno));
            good = false;
            break;
        }
        while (good && getline(&line, &room, file) >= 0) {
            ti->line++;
            good = each(ti, line, error);
        }
        fclose(file);
    }
    free(line);
    return good;
}

/* Counts the ranks, and remembers in which file each is. */
static bool count_rank(Ti *ti, char *line, GError **error)
{
    char *at = line + strspn(line, " \t\r\n");
    size_t n = strcspn(at, " \t\r\n");
    uint64_t rank = 0;
    (void)error;
    at[n] = '\0';
    if (!parse_rank(at, &rank))
        return true; /* the second pass says what is wrong */
    if (rank >= ti->trace->file_of->len)
        g_array_set_size(ti->trace->file_of, (guint)rank + 1);
    guint file = 0;
    while (ti->trace->files->pdata[file] != ti->path)
        file++;
    g_array_index(ti->trace->file_of, uint32_t, rank) = file;
    return true;
}

static void rank_init(Rank *rank)
{
    rank->open = g_array_new(FALSE, FALSE, sizeof(Open));
    rank->slots = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    rank->default_bytes = 1;
}

bool replay_read_ti(ReplayTrace *trace, double flop_rate, GError **error)
{
    Ti ti = {.trace = trace, .flop_rate = flop_rate};
    if (!read_lines(&ti, count_rank, error))
        return false;
    trace->ranks = trace->file_of->len;
    g_autoptr(ReplayTable) table = replay_table_new(REPLAY_TI, trace->ranks);
    ti.table = table;
    ti.ranks = g_new0(Rank, trace->ranks + 1);
    ti.arguments = g_array_new(FALSE, FALSE, sizeof(int64_t));
    for (uint32_t i = 0; i < trace->ranks; i++)
        rank_init(&ti.ranks[i]);
    bool good = read_lines(&ti, take_line, error) && replay_table_write(table, trace, error);
    for (uint32_t i = 0; i < trace->ranks; i++) {
        g_array_unref(ti.ranks[i].open);
        g_array_unref(ti.ranks[i].slots);
    }
    g_free(ti.ranks);
    g_array_unref(ti.arguments);
    return good;
}
