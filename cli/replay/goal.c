/* goal.c - GOAL schedules as text:
 *
 *     num_ranks 2
 *     rank 0 {
 *     l1: calc 100 cpu 0              ns
 *     l2: send 10b to 1 tag 5         also with cpu N and nic N; the tag is 0 where there is none
 *     l2 requires l1                  l2 begins when l1 is over; irequires: when l1 has begun
 *     }
 *     rank 1 {                        -1 is any sender, any tag
 *     recv 10b from 0 tag 5
 *     }
 */
#include "cli/replay/table.h"

#include "cli/base/base.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PS_OF_UNIT = 1000 };

typedef struct Need { /* "what requires of" */
    char *what, *of;
    uint64_t line;
    bool begun;
} Need;

typedef struct Goal {
    ReplayTrace *trace;
    ReplayTable *table;
    const char *path;
    uint64_t line;
    int64_t rank; /* of the block at hand; -1: none */
    bool *seen;
    bool comment;
    ReplayGraph graph;
    GHashTable *labels; /* label -> 1 + number of its operation */
    GArray *needs;      /* Need */
    GPtrArray *words;
    unsigned at;
} Goal;

static bool wrong(const Goal *goal, GError **error, const char *expected)
{
    if (goal->at < goal->words->len)
        return replay_table_error(goal->path, goal->line, error, "%s expected, not \"%s\"", expected,
                                  (const char *)goal->words->pdata[goal->at]);
    return replay_table_error(goal->path, goal->line, error, "%s expected at the end of the line", expected);
}

static const char *word(const Goal *goal)
{
    return goal->at < goal->words->len ? goal->words->pdata[goal->at] : "";
}

/* Passes over a word if it is this one. */
static bool take_word(Goal *goal, const char *wanted)
{
    bool is = strcmp(word(goal), wanted) == 0;
    goal->at += is;
    return is;
}

static bool take_number(Goal *goal, uint64_t most, uint64_t *number, GError **error)
{
    char *end;
    const char *text = word(goal);
    *number = g_ascii_strtoull(text, &end, 10);
    if (!g_ascii_isdigit(*text) || *end || *number > most)
        return wrong(goal, error, "a number");
    goal->at++;
    return true;
}

/* -- operations -------------------------------------------------------------------------------- */

/* Takes a rank or a tag, where -1 is any. */
static bool take_or_any(Goal *goal, uint64_t most, int32_t *value, GError **error)
{
    uint64_t number = 0;
    if (take_word(goal, "-1")) {
        *value = REPLAY_ANY;
        return true;
    }
    if (!take_number(goal, most, &number, error))
        return false;
    *value = (int32_t)(number & INT32_MAX);
    return true;
}

static bool take_places(Goal *goal, GError **error)
{
    uint64_t number = 0;
    while (goal->at < goal->words->len) {
        bool cpu = take_word(goal, "cpu");
        if (!cpu && !take_word(goal, "nic"))
            return wrong(goal, error, "cpu, nic or the end of the line");
        if (!take_number(goal, UINT8_MAX, &number, error))
            return false;
        if (cpu)
            goal->trace->streams = MAX(goal->trace->streams, (uint32_t)number + 1);
    }
    return true;
}

static bool take_calc(Goal *goal, ReplayOp *op, GError **error)
{
    op->kind = REPLAY_OP_CALC;
    if (!take_number(goal, UINT64_MAX / 2 / PS_OF_UNIT, &op->size, error))
        return false;
    op->size *= PS_OF_UNIT;
    return true;
}

static bool take_message(Goal *goal, ReplayOp *op, bool sends, GError **error)
{
    op->kind = sends ? REPLAY_OP_SEND : REPLAY_OP_RECV;
    g_autofree char *bytes = g_strdup(word(goal));
    size_t length = strlen(bytes);
    if (length && bytes[length - 1] == 'b')
        bytes[length - 1] = '\0';
    else if (goal->at + 1 >= goal->words->len || strcmp(goal->words->pdata[goal->at + 1], "b") != 0)
        return wrong(goal, error, "a size like 10b");
    else
        goal->at++;
    char *end;
    op->size = g_ascii_strtoull(bytes, &end, 10);
    if (!g_ascii_isdigit(*bytes) || *end)
        return wrong(goal, error, "a size like 10b");
    goal->at++;
    if (!take_word(goal, sends ? "to" : "from"))
        return wrong(goal, error, sends ? "to" : "from");
    if (!take_or_any(goal, UINT32_MAX, &op->peer, error))
        return false;
    return !take_word(goal, "tag") || take_or_any(goal, UINT32_MAX, &op->tag, error);
}

static bool take_op(Goal *goal, GError **error)
{
    ReplayOp op = {.line = (uint32_t)MIN(goal->line, UINT32_MAX)};
    bool calc = take_word(goal, "calc"), sends = !calc && take_word(goal, "send");
    if (!calc && !sends && !take_word(goal, "recv"))
        return wrong(goal, error, "calc, send or recv");
    if (!(calc ? take_calc(goal, &op, error) : take_message(goal, &op, sends, error)) || !take_places(goal, error))
        return false;
    const char *what = replay_graph_wrong(&op, goal->trace->ranks);
    if (what)
        return replay_table_error(goal->path, goal->line, error, "%s", what);
    g_array_append_val(goal->graph.ops, op);
    return true;
}

/* -- blocks ------------------------------------------------------------------------------------ */

static bool begin_block(Goal *goal, GError **error)
{
    uint64_t rank = 0;
    if (!goal->trace->ranks)
        return replay_table_error(goal->path, goal->line, error, "num_ranks must come before the first rank");
    if (!take_number(goal, UINT32_MAX, &rank, error))
        return false;
    if (rank >= goal->trace->ranks)
        return replay_table_error(goal->path, goal->line, error, "rank %" G_GUINT64_FORMAT ": there are %u, from 0 on",
                                  rank, goal->trace->ranks);
    if (goal->seen[rank])
        return replay_table_error(goal->path, goal->line, error, "rank %" G_GUINT64_FORMAT " comes twice", rank);
    if (!take_word(goal, "{") || goal->at < goal->words->len)
        return wrong(goal, error, "{ and the end of the line");
    goal->seen[rank] = true;
    goal->rank = (int64_t)rank;
    return true;
}

static bool find_label(const Goal *goal, const char *label, uint64_t line, uint32_t *op, GError **error)
{
    gpointer number = g_hash_table_lookup(goal->labels, label);
    if (!number)
        return replay_table_error(goal->path, line, error, "there is no operation %s in this rank", label);
    *op = GPOINTER_TO_UINT(number) - 1;
    return true;
}

static bool end_block(Goal *goal, GError **error)
{
    uint32_t line = 0;
    if (goal->rank < 0)
        return wrong(goal, error, "rank");
    for (guint i = 0; i < goal->needs->len; i++) {
        const Need *need = &g_array_index(goal->needs, Need, i);
        ReplayEdge edge = {.begun = need->begun};
        if (!find_label(goal, need->what, need->line, &edge.to, error) ||
            !find_label(goal, need->of, need->line, &edge.from, error))
            return false;
        g_array_append_val(goal->graph.edges, edge);
    }
    g_array_set_size(goal->needs, 0);
    g_hash_table_remove_all(goal->labels);
    if (!replay_graph_add_to(&goal->graph, goal->table, (uint32_t)goal->rank, &line))
        return replay_table_error(goal->path, line, error,
                                  "the operation requires, in a circle, that it is over itself");
    goal->rank = -1;
    return true;
}

static bool take_ranks(Goal *goal, GError **error)
{
    uint64_t ranks = 0;
    if (goal->trace->ranks)
        return replay_table_error(goal->path, goal->line, error, "num_ranks comes twice");
    if (!take_number(goal, REPLAY_MOST_RANKS, &ranks, error))
        return false;
    if (!ranks)
        return replay_table_error(goal->path, goal->line, error, "num_ranks 0: there is nothing to replay");
    goal->trace->ranks = (uint32_t)ranks;
    goal->table = replay_table_new(REPLAY_GOAL, goal->trace->ranks);
    goal->seen = g_new0(bool, ranks);
    return true;
}

static bool take_labelled(Goal *goal, GError **error)
{
    const char *label = word(goal);
    goal->at++;
    if (take_word(goal, ":")) {
        if (g_hash_table_contains(goal->labels, label))
            return replay_table_error(goal->path, goal->line, error, "the label %s comes twice in this rank", label);
        if (!take_op(goal, error))
            return false;
        g_hash_table_insert(goal->labels, g_strdup(label), GUINT_TO_POINTER(goal->graph.ops->len));
        return true;
    }
    bool begun = take_word(goal, "irequires");
    if (!begun && !take_word(goal, "requires"))
        return wrong(goal, error, ":, requires or irequires");
    if (goal->at + 1 != goal->words->len)
        return wrong(goal, error, "a label and the end of the line");
    Need need = {g_strdup(label), g_strdup(word(goal)), goal->line, begun};
    g_array_append_val(goal->needs, need);
    return true;
}

static bool take_line(Goal *goal, GError **error)
{
    if (take_word(goal, "num_ranks"))
        return take_ranks(goal, error);
    if (take_word(goal, "}"))
        return end_block(goal, error);
    if (goal->rank < 0)
        return take_word(goal, "rank") ? begin_block(goal, error) : wrong(goal, error, "rank");
    bool op = strcmp(word(goal), "calc") == 0 || strcmp(word(goal), "send") == 0 || strcmp(word(goal), "recv") == 0;
    if (op && (goal->words->len < 2 || strcmp(goal->words->pdata[1], ":") != 0))
        return take_op(goal, error);
    if (!g_ascii_isalpha(*word(goal)))
        return wrong(goal, error, "an operation or a label");
    return take_labelled(goal, error);
}

/* -- the file ---------------------------------------------------------------------------------- */

/* Blanks comments out. */
static void drop_comments(Goal *goal, char *line)
{
    for (char *at = line; *at; at++) {
        if (goal->comment) {
            goal->comment = at[0] != '*' || at[1] != '/';
            if (!goal->comment)
                *at++ = ' ';
            *at = ' ';
        } else if (at[0] == '/' && at[1] == '/') {
            *at = '\0';
            return;
        } else if (at[0] == '/' && at[1] == '*') {
            goal->comment = true;
            *at++ = ' ';
            *at = ' ';
        }
    }
}

/* Splits into words; a colon and brackets are words of their own. */
static void split(Goal *goal, const char *line)
{
    g_ptr_array_set_size(goal->words, 0);
    goal->at = 0;
    for (const char *at = line; *at;) {
        size_t n = strcspn(at, " \t\r\n:{}");
        if (!n && strchr(":{}", *at))
            n = 1;
        if (n)
            g_ptr_array_add(goal->words, g_strndup(at, n));
        at += n ? n : 1;
    }
}

static bool read_lines(Goal *goal, FILE *file, GError **error)
{
    char *line = NULL;
    size_t room = 0;
    bool good = true;
    while (good && getline(&line, &room, file) >= 0) {
        goal->line++;
        drop_comments(goal, line);
        split(goal, line);
        good = !goal->words->len || take_line(goal, error);
    }
    free(line);
    if (good && goal->rank >= 0)
        good = replay_table_error(goal->path, goal->line, error, "the file ends within rank %u: is a } missing?",
                                  (unsigned)goal->rank);
    if (good && !goal->table)
        good = replay_table_error(goal->path, goal->line, error, "there is no num_ranks");
    return good;
}

static void clear_need(gpointer need)
{
    g_free(((Need *)need)->what);
    g_free(((Need *)need)->of);
}

bool replay_read_goal(ReplayTrace *trace, GError **error)
{
    Goal goal = {.trace = trace, .path = trace->files->pdata[0], .rank = -1};
    FILE *file = fopen(goal.path, "r");
    if (!file)
        return cli_error_usage(error, "cannot read %s", goal.path);
    replay_graph_init(&goal.graph);
    goal.labels = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    goal.needs = g_array_new(FALSE, FALSE, sizeof(Need));
    g_array_set_clear_func(goal.needs, clear_need);
    goal.words = g_ptr_array_new_with_free_func(g_free);
    bool good = read_lines(&goal, file, error) && replay_table_write(goal.table, trace, error);
    fclose(file);
    replay_graph_clear(&goal.graph);
    g_hash_table_unref(goal.labels);
    g_array_unref(goal.needs);
    g_ptr_array_unref(goal.words);
    g_free(goal.seen);
    replay_table_free(goal.table);
    return good;
}
