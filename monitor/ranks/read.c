/* read.c - reads sets of ranks (the language is in look.h), by recursive descent. */
#include "base/nearest.h"
#include "compiler/inquiry.h"
#include "monitor/ranks/words.h"
#include "monitor/report/report.h"

#include <string.h>

const char *const mon_rank_words[] = {"all", "none", "this", "comm", "blocked", "ready", "finished", NULL};

enum { MOST_NESTING = 100 };

typedef struct Reader {
    const MonRankWorld *world;
    const char *text, *at;
    bool prefix; /* the set may be followed by something else */
    int depth;
    GError **error;
} Reader;

static MonRankSet *expression(Reader *reader);

static MonRankSet *refuse(Reader *reader, const char *at, size_t length, const char *format, ...) G_GNUC_PRINTF(4, 5);
static MonRankSet *refuse(Reader *reader, const char *at, size_t length, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *what = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_autofree char *text = cc_inquiry_point(what, reader->text, (unsigned)(at - reader->text) + 1, (unsigned)length);
    if (reader->error && !*reader->error)
        g_set_error_literal(reader->error, MON_ERROR, MON_ERROR_EXPRESSION, text);
    return NULL;
}

static void skip_blanks(Reader *reader)
{
    reader->at += strspn(reader->at, " \t");
}

static MonRankSet *everybody(const MonRankWorld *world)
{
    MonRankSet *set = mon_ranks_new();
    if (world->ranks > 0)
        mon_ranks_add(set, 0, world->ranks - 1);
    return set;
}

/* -- what stands alone ------------------------------------------------------------------------- */

static bool number(Reader *reader, uint32_t *rank)
{
    const char *start = reader->at;
    uint64_t value = 0;
    for (; g_ascii_isdigit(*reader->at); reader->at++)
        value = MIN(value * 10 + (uint64_t)(*reader->at - '0'), UINT32_MAX);
    *rank = (uint32_t)value;
    if (value < reader->world->ranks)
        return true;
    size_t length = (size_t)(reader->at - start);
    (void)refuse(reader, start, length, "no rank %.*s: there are 0 to %u", (int)length, start,
                 MAX(reader->world->ranks, 1) - 1);
    return false;
}

/* 7, 1-15, 1-15:2, 4- (to the last). */
static MonRankSet *range(Reader *reader)
{
    uint32_t first, last, step = 1;
    const char *start = reader->at;
    if (!number(reader, &first))
        return NULL;
    last = first;
    bool open = reader->at[0] == '-' && (reader->at[1] == '\0' || strchr(",:)", reader->at[1]));
    if (open) {
        reader->at++;
        last = reader->world->ranks - 1;
    } else if (reader->at[0] == '-' && g_ascii_isdigit(reader->at[1])) {
        reader->at++;
        if (!number(reader, &last))
            return NULL;
    }
    if (last < first)
        return refuse(reader, start, (size_t)(reader->at - start), "the range %u-%u runs backwards", first, last);
    if (reader->at[0] == ':' && g_ascii_isdigit(reader->at[1])) {
        const char *at = reader->at + 1;
        step = (uint32_t)MIN(g_ascii_strtoull(at, (char **)&reader->at, 10), UINT32_MAX);
        if (step == 0)
            return refuse(reader, at, 1, "the step of a range is not 0");
    }
    MonRankSet *set = mon_ranks_new();
    for (uint64_t rank = first; rank <= last; rank += step)
        mon_ranks_add(set, (uint32_t)rank, step == 1 ? last : (uint32_t)rank);
    return set;
}

/* comm(NAME): the name ends at its closing bracket. */
static MonRankSet *communicator(Reader *reader)
{
    const char *start = reader->at + 1, *end = start;
    for (int depth = 1; *end; end++) {
        depth += (*end == '(') - (*end == ')');
        if (depth == 0)
            break;
    }
    if (*end != ')')
        return refuse(reader, end, 1, "expected ')' behind the name of a communicator");
    g_autofree char *name = g_strstrip(g_strndup(start, (gsize)(end - start)));
    g_autoptr(MonRankSet) set = mon_ranks_new();
    g_autoptr(GError) problem = NULL;
    if (!reader->world->communicator)
        return refuse(reader, start, strlen(name), "there are no communicators here");
    if (!reader->world->communicator(reader->world->user, name, set, &problem))
        return refuse(reader, start, (size_t)(end - start), "%s",
                      problem ? problem->message : "there is no such communicator");
    reader->at = end + 1;
    return g_steal_pointer(&set);
}

typedef struct Suggest {
    BaseNearest nearest;
} Suggest;

static void suggest(const char *name, const MonRankSet *set, void *user)
{
    (void)set;
    base_nearest_try(&((Suggest *)user)->nearest, name);
}

static MonRankSet *unknown(Reader *reader, const char *name, const char *at)
{
    Suggest best = {base_nearest_of(name)};
    for (size_t i = 0; mon_rank_words[i]; i++)
        base_nearest_try(&best.nearest, mon_rank_words[i]);
    if (reader->world->names)
        mon_rank_names_each(reader->world->names, suggest, &best);
    return best.nearest.best ? refuse(reader, at, strlen(name), "there is no set of ranks '%s'; did you mean '%s'?",
                                      name, best.nearest.best)
                             : refuse(reader, at, strlen(name),
                                      "there is no set of ranks '%s': type group to see those with names", name);
}

static MonRankSet *word(Reader *reader)
{
    const MonRankWorld *world = reader->world;
    const char *start = reader->at;
    size_t length = mon_rank_word_length(start);
    g_autofree char *name = g_strndup(start, length);
    const MonRankSet *named = world->names ? mon_rank_names_find(world->names, name) : NULL;
    reader->at += length;
    if (named)
        return mon_ranks_copy(named);
    if (strcmp(name, "comm") == 0 && *reader->at == '(')
        return communicator(reader);
    if (strcmp(name, "all") == 0)
        return everybody(world);
    g_autoptr(MonRankSet) set = mon_ranks_new();
    if (strcmp(name, "none") == 0)
        return g_steal_pointer(&set);
    if (strcmp(name, "this") == 0) {
        mon_ranks_add(set, world->current, world->current);
        return g_steal_pointer(&set);
    }
    if (world->state && world->state(world->user, name, set))
        return g_steal_pointer(&set);
    return unknown(reader, name, start);
}

static MonRankSet *brackets(Reader *reader)
{
    if (++reader->depth > MOST_NESTING)
        return refuse(reader, reader->at, 1, "this is nested too deeply");
    bool prefix = reader->prefix;
    reader->prefix = false;
    reader->at++;
    g_autoptr(MonRankSet) set = expression(reader);
    reader->prefix = prefix;
    reader->depth--;
    skip_blanks(reader);
    if (set && *reader->at != ')')
        return refuse(reader, reader->at, 1, "expected ')'");
    reader->at += set != NULL;
    return g_steal_pointer(&set);
}

static MonRankSet *term(Reader *reader)
{
    skip_blanks(reader);
    if (*reader->at == '(')
        return brackets(reader);
    if (g_ascii_isdigit(*reader->at))
        return range(reader);
    if (mon_rank_word_length(reader->at) > 0)
        return word(reader);
    return refuse(reader, reader->at, 1,
                  *reader->at ? "expected ranks here, as in 0-3, all, comm(NAME) or a name" : "the set ends too early");
}

/* -- operators --------------------------------------------------------------------------------- */

/* Takes one of the signs. Before something else, as in `print @all &x`, a sign with a blank only in front of it is no
 * operator. */
static char take(Reader *reader, const char *signs)
{
    const char *at = reader->at + strspn(reader->at, " \t");
    bool blank_before = at > reader->at, blank_behind = at[0] && (at[1] == ' ' || at[1] == '\t');
    if (*at == '\0' || !strchr(signs, *at) || (reader->prefix && blank_before && !blank_behind))
        return '\0';
    reader->at = at + 1;
    return *at;
}

static MonRankSet *product(Reader *reader)
{
    g_autoptr(MonRankSet) left = term(reader);
    while (left && take(reader, "&")) {
        skip_blanks(reader);
        bool others = *reader->at == '!';
        reader->at += others;
        g_autoptr(MonRankSet) right = term(reader);
        MonRankSet *both = !right ? NULL : others ? mon_ranks_minus(left, right) : mon_ranks_intersection(left, right);
        mon_ranks_free(left);
        left = both;
    }
    return g_steal_pointer(&left);
}

static MonRankSet *expression(Reader *reader)
{
    skip_blanks(reader);
    bool others = *reader->at == '!';
    reader->at += others;
    g_autoptr(MonRankSet) left = product(reader);
    if (left && others) {
        g_autoptr(MonRankSet) all = everybody(reader->world);
        MonRankSet *rest = mon_ranks_minus(all, left);
        mon_ranks_free(left);
        left = rest;
    }
    char sign;
    while (left && (sign = take(reader, ",+|-\\"))) {
        skip_blanks(reader);
        bool removes = sign == '-' || sign == '\\';
        if (*reader->at == '!') {
            removes = !removes;
            reader->at++;
        }
        g_autoptr(MonRankSet) right = product(reader);
        MonRankSet *result = !right ? NULL : removes ? mon_ranks_minus(left, right) : mon_ranks_union(left, right);
        mon_ranks_free(left);
        left = result;
    }
    return g_steal_pointer(&left);
}

static MonRankSet *read_text(const MonRankWorld *world, const char *text, const char **rest, GError **error)
{
    GError *problem = NULL;
    Reader reader = {.world = world, .text = text, .at = text, .prefix = rest, .error = &problem};
    skip_blanks(&reader);
    reader.at += *reader.at == '@';
    g_autoptr(MonRankSet) set = expression(&reader);
    const char *end = reader.at;
    skip_blanks(&reader);
    if (set && *reader.at && (!rest || (end == reader.at && *end != '/'))) {
        (void)refuse(&reader, reader.at, 1, "expected an operator here: , & or -");
        g_clear_pointer(&set, mon_ranks_free);
    }
    if (rest)
        *rest = reader.at;
    if (problem)
        g_propagate_error(error, problem);
    return g_steal_pointer(&set);
}

MonRankSet *mon_ranks_read(const MonRankWorld *world, const char *text, GError **error)
{
    return read_text(world, text, NULL, error);
}

MonRankSet *mon_ranks_take(const MonRankWorld *world, const char *text, const char **rest, GError **error)
{
    return read_text(world, text, rest, error);
}
