/* graph_dot.c - reads graphs in Graphviz's dot language, as far as a network needs it.
 *
 *     digraph net {
 *         node [shape=box]                      edge [bandwidth="10 Gbit/s"]        defaults
 *         s0 [type=switch]; s1 [shape=box]      type=switch or shape=box: a switch, else a node
 *         0 -> s0 -> s1 [latency="1 us"]        `--` in a graph: both directions; `->` in a digraph: one
 *     }
 *
 * Supported: strict, comments, quoted names, chains of links, attribute lists, defaults, ports (ignored), subgraphs as
 * groups of statements with their own defaults. Not supported, and refused: HTML names, subgraphs as ends of links.
 * Attributes that do not concern a network (label, color ...) are ignored.
 */
#include "netsim/graph_file/graph_file.h"
#include "netsim/netsim.h"

#include <string.h>

typedef struct Reader {
    NetGraphFile *file;
    const char *at;
    GString *token; /* the current token; names without quotes */
    char kind;      /* 'n': name, '-': either link, 0: end; else the character itself */
    bool directed, arrow;
    GError **error;
} Reader;

/* The attributes that statements have unless they say otherwise. */
typedef struct Defaults {
    NetLinkText link;
    bool is_switch;
} Defaults;

static bool refuse(Reader *reader, const char *what)
{
    if (!reader->error || !*reader->error)
        net_graph_file_refuse(reader->file, reader->error, "%s, not \"%s\"", what,
                              reader->kind ? reader->token->str : "the end");
    return false;
}

static void skip_blanks(Reader *reader)
{
    for (;; reader->at++) {
        bool line = g_str_has_prefix(reader->at, "//") || *reader->at == '#';
        bool block = g_str_has_prefix(reader->at, "/*");
        if (line)
            reader->at += strcspn(reader->at, "\n");
        while (block && *reader->at && !g_str_has_prefix(reader->at, "*/"))
            reader->file->line += *reader->at++ == '\n';
        if (block && *reader->at)
            reader->at++;
        if (!*reader->at || (!block && !g_ascii_isspace(*reader->at)))
            return;
        reader->file->line += *reader->at == '\n';
    }
}

static void read_quoted(Reader *reader)
{
    for (reader->at++; *reader->at && *reader->at != '"'; reader->at++) {
        if (reader->at[0] == '\\' && reader->at[1] == '"')
            reader->at++;
        reader->file->line += *reader->at == '\n';
        g_string_append_c(reader->token, *reader->at);
    }
    if (*reader->at)
        reader->at++;
}

static void advance(Reader *reader)
{
    skip_blanks(reader);
    g_string_truncate(reader->token, 0);
    reader->kind = *reader->at;
    if (!*reader->at)
        return;
    if (reader->at[0] == '-' && (reader->at[1] == '-' || reader->at[1] == '>')) {
        reader->arrow = reader->at[1] == '>';
        g_string_append_len(reader->token, reader->at, 2);
        reader->at += 2;
        return;
    }
    if (*reader->at == '"') {
        reader->kind = 'n';
        read_quoted(reader);
        return;
    }
    while (g_ascii_isalnum(*reader->at) || strchr("_.", *reader->at) || (signed char)*reader->at < 0 ||
           (*reader->at == '-' && !reader->token->len)) {
        if (!*reader->at)
            break;
        reader->kind = 'n';
        g_string_append_c(reader->token, *reader->at++);
    }
    if (!reader->token->len)
        g_string_append_c(reader->token, *reader->at++);
}

static bool is_word(const Reader *reader, const char *word)
{
    return reader->kind == 'n' && g_ascii_strcasecmp(reader->token->str, word) == 0;
}

static bool read_attribute(Reader *reader, Defaults *what)
{
    g_autofree char *key = g_strdup(reader->token->str);
    if (reader->kind != 'n')
        return refuse(reader, "an attribute has a name");
    advance(reader);
    if (reader->kind != '=')
        return true; /* an attribute without a value means nothing to a network */
    advance(reader);
    if (reader->kind != 'n')
        return refuse(reader, "an attribute has a value");
    if (strcmp(key, "shape") == 0 || strcmp(key, "type") == 0)
        what->is_switch = strcmp(reader->token->str, "box") == 0 || strcmp(reader->token->str, "switch") == 0;
    else if (!net_graph_file_attribute(reader->file, &what->link, key, reader->token->str, true, reader->error))
        return false;
    advance(reader);
    return true;
}

/* Reads any number of [key=value, ...]. */
static bool read_attributes(Reader *reader, Defaults *what)
{
    while (reader->kind == '[') {
        advance(reader);
        while (reader->kind != ']') {
            if (!read_attribute(reader, what))
                return false;
            if (reader->kind == ',' || reader->kind == ';')
                advance(reader);
        }
        advance(reader);
    }
    return true;
}

/* Reads a name and an optional port of it. */
static bool read_name(Reader *reader, uint32_t *number, bool is_switch)
{
    if (reader->kind != 'n')
        return refuse(reader, "the name of a vertex is expected (subgraphs as ends of links and HTML are not known)");
    guint known = reader->file->names->len;
    *number = net_graph_file_vertex(reader->file, reader->token->str);
    if (*number == known)
        g_array_index(reader->file->is_switch, gboolean, *number) = is_switch;
    for (advance(reader); reader->kind == ':'; advance(reader))
        advance(reader);
    return true;
}

static bool read_chain(Reader *reader, const Defaults *defaults)
{
    g_autoptr(GArray) chain = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    uint32_t number;
    Defaults own = *defaults;
    if (!read_name(reader, &number, defaults->is_switch))
        return false;
    g_array_append_val(chain, number);
    while (reader->kind == '-') {
        if (reader->arrow != reader->directed)
            return refuse(reader, reader->directed ? "links of a digraph are ->" : "links of a graph are --");
        advance(reader);
        if (!read_name(reader, &number, defaults->is_switch))
            return false;
        g_array_append_val(chain, number);
    }
    if (!read_attributes(reader, &own))
        return false;
    if (chain->len == 1)
        g_array_index(reader->file->is_switch, gboolean, number) = own.is_switch;
    for (guint i = 0; i + 1 < chain->len; i++) {
        uint32_t from = g_array_index(chain, uint32_t, i);
        uint32_t to = g_array_index(chain, uint32_t, i + 1);
        if (from == to)
            return net_graph_file_refuse(reader->file, reader->error, "a link from \"%s\" to itself",
                                         (char *)g_ptr_array_index(reader->file->names, from));
        net_graph_file_edge(reader->file, from, to, !reader->directed, &own.link);
    }
    return true;
}

static bool read_statements(Reader *reader, Defaults defaults, unsigned depth);

static bool read_statement(Reader *reader, Defaults *defaults, unsigned depth)
{
    if (is_word(reader, "subgraph")) {
        advance(reader);
        if (reader->kind == 'n')
            advance(reader);
    }
    if (reader->kind == '{') {
        if (depth > 100)
            return refuse(reader, "subgraphs are nested too deeply");
        advance(reader);
        return read_statements(reader, *defaults, depth + 1);
    }
    if (is_word(reader, "node") || is_word(reader, "edge")) {
        advance(reader);
        return read_attributes(reader, defaults);
    }
    if (is_word(reader, "graph")) {
        Defaults nothing = *defaults;
        advance(reader);
        return read_attributes(reader, &nothing);
    }
    const char *ahead = reader->at + strspn(reader->at, " \t");
    if (reader->kind == 'n' && *ahead == '=') { /* an attribute of the graph */
        advance(reader);
        advance(reader);
        advance(reader);
        return true;
    }
    return read_chain(reader, defaults);
}

/* Reads statements up to the closing brace, which is consumed. */
static bool read_statements(Reader *reader, Defaults defaults, unsigned depth)
{
    while (reader->kind != '}') {
        if (!reader->kind)
            return refuse(reader, "a } is missing");
        if (reader->kind != ';' && !read_statement(reader, &defaults, depth))
            return false;
        if (reader->kind == ';')
            advance(reader);
    }
    advance(reader);
    return true;
}

static bool read_graph(Reader *reader)
{
    advance(reader);
    if (is_word(reader, "strict"))
        advance(reader);
    reader->directed = is_word(reader, "digraph");
    if (!reader->directed && !is_word(reader, "graph"))
        return refuse(reader, "a dot file begins with graph or digraph");
    advance(reader);
    if (reader->kind == 'n')
        advance(reader);
    if (reader->kind != '{')
        return refuse(reader, "a { is expected");
    advance(reader);
    return read_statements(reader, (Defaults){0}, 0);
}

bool net_graph_dot_read(NetGraphFile *file, const char *text, GError **error)
{
    GError *bad = NULL;
    Reader reader = {.file = file, .at = text, .token = g_string_new(NULL), .error = &bad};
    file->line = 1;
    bool good = read_graph(&reader);
    g_string_free(reader.token, TRUE);
    if (bad)
        g_propagate_error(error, bad);
    return good;
}
