/* graph_file.c - graphs from files: an edge list, or dot (graph_dot.c) if the first word is one of dot's.
 *
 *     # a comment
 *     switch s0 s1                       vertices that are not nodes
 *     0 s0                               a link, both directions
 *     s0 -> s1 bandwidth=10Gbit/s        one direction
 *     s0 s1 bandwidth="1 Gbit/s" latency=2us width=4 duplex=half
 *
 * Names are words. If the names of all nodes are numbers, nodes are ordered by these numbers, else in the order in
 * which the file first names them. Attributes that a link lacks have the network's own values. `width` lanes carry that
 * many times the bandwidth.
 */
#include "netsim/graph_file/graph_file.h"

#include "base/units.h"
#include "netsim/netsim.h"
#include "netsim/params/params.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool net_graph_file_refuse(const NetGraphFile *file, GError **error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *reason = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_set_error(error, NET_ERROR, NET_ERROR_PARAMETER, "file: %s:%u: %s", file->path, file->line, reason);
    return false;
}

uint32_t net_graph_file_vertex(NetGraphFile *file, const char *name)
{
    uint32_t number = GPOINTER_TO_UINT(g_hash_table_lookup(file->numbers, name));
    if (number)
        return number - 1;
    static const gboolean node = FALSE;
    char *own = g_strdup(name);
    g_ptr_array_add(file->names, own);
    g_array_append_val(file->is_switch, node);
    g_hash_table_insert(file->numbers, own, GUINT_TO_POINTER(file->names->len));
    return file->names->len - 1;
}

void net_graph_file_edge(NetGraphFile *file, uint32_t from, uint32_t to, bool both, const NetLinkText *link)
{
    NetEdge edge = {.from = from, .to = to, .link = *link};
    g_array_append_val(file->edges, edge);
    if (!both)
        return;
    NetEdge back = {.from = to, .to = from, .link = *link};
    g_array_append_val(file->edges, back);
}

/* -- values ------------------------------------------------------------------------------------ */

bool net_graph_file_attribute(const NetGraphFile *file, NetLinkText *link, const char *key, const char *value,
                              bool lenient, GError **error)
{
    char *end;
    if (strcmp(key, "bandwidth") == 0) {
        if (base_units_parse(value, BASE_UNIT_BANDWIDTH, &link->bandwidth, NULL) && link->bandwidth &&
            link->bandwidth <= NET_MAX_BANDWIDTH)
            return true;
        return net_graph_file_refuse(file, error, "\"%s\" is not a bandwidth with a unit, like 10 Gbit/s or 1.5 GB/s",
                                     value);
    }
    if (strcmp(key, "latency") == 0) {
        link->has_latency = true;
        return (base_units_parse(value, BASE_UNIT_TIME, &link->latency_ps, NULL) &&
                link->latency_ps <= NET_MAX_LATENCY) ||
               net_graph_file_refuse(file, error, "\"%s\" is not a time with a unit, like 2 us", value);
    }
    if (strcmp(key, "width") == 0) {
        unsigned long width = strtoul(value, &end, 10);
        link->width = (uint32_t)width;
        return (g_ascii_isdigit(*value) && !*end && width >= 1 && width <= 65536) ||
               net_graph_file_refuse(file, error, "a width is a number of lanes from 1 to 65536, not \"%s\"", value);
    }
    if (strcmp(key, "duplex") == 0) {
        link->has_duplex = true;
        link->half = strcmp(value, net_choice_duplexes()[NET_DUPLEX_HALF]) == 0;
        return link->half || strcmp(value, net_choice_duplexes()[NET_DUPLEX_FULL]) == 0 ||
               net_graph_file_refuse(file, error, "duplex is full or half, not \"%s\"", value);
    }
    return lenient ||
           net_graph_file_refuse(file, error, "a link has bandwidth, latency, width and duplex, no \"%s\"", key);
}

/* -- edge lists -------------------------------------------------------------------------------- */

static bool read_vertices(NetGraphFile *file, char **words, gboolean is_switch)
{
    for (; *words; words++) {
        uint32_t number = net_graph_file_vertex(file, *words);
        g_array_index(file->is_switch, gboolean, number) = is_switch;
    }
    return true;
}

static bool read_link(NetGraphFile *file, char **words, GError **error)
{
    NetLinkText link = {0};
    char **to = words + 1;
    bool one_way = *to && strcmp(*to, "->") == 0;
    if (one_way || (*to && strcmp(*to, "--") == 0))
        to++;
    if (!*to || strchr(*to, '='))
        return net_graph_file_refuse(file, error, "a link needs two vertices, like \"0 1\" or \"0 -> 1\"");
    for (char **word = to + 1; *word; word++) {
        char *equals = strchr(*word, '=');
        if (!equals)
            return net_graph_file_refuse(file, error, "\"%s\" should be key=value, like latency=2us", *word);
        *equals = '\0';
        if (!net_graph_file_attribute(file, &link, *word, equals + 1, false, error))
            return false;
    }
    if (strcmp(words[0], *to) == 0)
        return net_graph_file_refuse(file, error, "a link from \"%s\" to itself", *to);
    uint32_t from = net_graph_file_vertex(file, words[0]);
    net_graph_file_edge(file, from, net_graph_file_vertex(file, *to), !one_way, &link);
    return true;
}

static bool read_line(NetGraphFile *file, const char *line, GError **error)
{
    g_autoptr(GError) bad = NULL;
    g_auto(GStrv) words = NULL;
    if (!g_shell_parse_argv(line, NULL, &words, &bad)) {
        if (g_error_matches(bad, G_SHELL_ERROR, G_SHELL_ERROR_EMPTY_STRING))
            return true;
        return net_graph_file_refuse(file, error, "%s", bad->message);
    }
    if (strcmp(words[0], "switch") == 0 || strcmp(words[0], "node") == 0)
        return read_vertices(file, words + 1, *words[0] == 's');
    return read_link(file, words, error);
}

static bool read_list(NetGraphFile *file, const char *text, GError **error)
{
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (char **line = lines; *line; line++) {
        file->line++;
        if (!read_line(file, g_strchomp(*line), error))
            return false;
    }
    return true;
}

/* -- the whole --------------------------------------------------------------------------------- */

static bool is_dot(const char *text)
{
    static const char *const words[] = {"graph", "digraph", "strict"};
    text += strspn(text, " \t\r\n");
    if (g_str_has_prefix(text, "//") || g_str_has_prefix(text, "/*"))
        return true;
    for (size_t i = 0; i < G_N_ELEMENTS(words); i++) {
        size_t length = strlen(words[i]);
        if (strncmp(text, words[i], length) == 0 && strchr(" \t\r\n{\"", text[length]))
            return true;
    }
    return false;
}

/* Returns whether a name is a number that fits. */
static bool numeric(const char *name)
{
    return *name && strlen(name) <= 9 && name[strspn(name, "0123456789")] == '\0';
}

static gint compare_names(gconstpointer a, gconstpointer b, gpointer pointer)
{
    const NetGraphFile *file = pointer;
    uint32_t left = *(const uint32_t *)a;
    uint32_t right = *(const uint32_t *)b;
    int left_value = atoi(g_ptr_array_index(file->names, left));
    int right_value = atoi(g_ptr_array_index(file->names, right));
    return left_value != right_value ? (left_value < right_value ? -1 : 1) : (left > right) - (left < right);
}

/* Numbers the vertices: nodes first, then switches. */
static void number_vertices(NetGraphFile *file)
{
    uint32_t count = file->names->len;
    bool numbers = true;
    file->vertex = g_new(uint32_t, count + 1);
    file->number = g_new(uint32_t, count + 1);
    uint32_t place = 0;
    for (int kind = 0; kind < 2; kind++) {
        for (uint32_t i = 0; i < count; i++)
            if (g_array_index(file->is_switch, gboolean, i) == kind) {
                file->number[place++] = i;
                numbers &= kind == 1 || numeric(g_ptr_array_index(file->names, i));
            }
        if (kind == 0)
            file->nodes = place;
    }
    if (numbers && file->nodes > 1)
        g_qsort_with_data(file->number, (gint)file->nodes, sizeof(uint32_t), compare_names, file);
    for (uint32_t i = 0; i < count; i++)
        file->vertex[file->number[i]] = i;
}

/* Searches from vertex 0, along the links or against them. Returns a vertex that cannot be reached, or NET_NONE. */
static uint32_t unreachable(const NetGraphFile *file, bool against)
{
    uint32_t count = file->names->len;
    g_autofree uint32_t *first = g_new0(uint32_t, count + 2);
    g_autofree uint32_t *ends = g_new(uint32_t, file->edges->len + 1);
    g_autofree uint32_t *queue = g_new(uint32_t, count + 1);
    g_autofree bool *seen = g_new0(bool, count + 1);
    for (uint32_t i = 0; i < file->edges->len; i++) {
        const NetEdge *edge = &g_array_index(file->edges, NetEdge, i);
        first[(against ? edge->to : edge->from) + 2]++;
    }
    for (uint32_t i = 0; i < count; i++)
        first[i + 2] += first[i + 1];
    for (uint32_t i = 0; i < file->edges->len; i++) {
        const NetEdge *edge = &g_array_index(file->edges, NetEdge, i);
        ends[first[(against ? edge->to : edge->from) + 1]++] = against ? edge->from : edge->to;
    }
    uint32_t tail = 0;
    queue[tail++] = file->number[0];
    seen[file->number[0]] = true;
    for (uint32_t head = 0; head < tail; head++)
        for (uint32_t i = first[queue[head]]; i < first[queue[head] + 1]; i++)
            if (!seen[ends[i]]) {
                seen[ends[i]] = true;
                queue[tail++] = ends[i];
            }
    for (uint32_t i = 0; i < file->nodes; i++)
        if (!seen[file->number[i]])
            return file->number[i];
    return NET_NONE;
}

static bool check_connected(const NetGraphFile *file, GError **error)
{
    for (int against = 0; against < 2; against++) {
        uint32_t lost = unreachable(file, against);
        if (lost == NET_NONE)
            continue;
        const char *zero = g_ptr_array_index(file->names, file->number[0]);
        const char *other = g_ptr_array_index(file->names, lost);
        g_set_error(error, NET_ERROR, NET_ERROR_PARAMETER,
                    "file: %s: the graph is disconnected: no way leads from \"%s\" to \"%s\"", file->path,
                    against ? other : zero, against ? zero : other);
        return false;
    }
    return true;
}

NetGraphFile *net_graph_file_read(const char *path, GError **error)
{
    g_autofree char *text = net_read_file("file", path, error);
    if (!text)
        return NULL;
    NetGraphFile *file = g_new0(NetGraphFile, 1);
    file->path = path;
    file->names = g_ptr_array_new_with_free_func(g_free);
    file->is_switch = g_array_new(FALSE, FALSE, sizeof(gboolean));
    file->numbers = g_hash_table_new(g_str_hash, g_str_equal);
    file->edges = g_array_new(FALSE, FALSE, sizeof(NetEdge));
    bool good = is_dot(text) ? net_graph_dot_read(file, text, error) : read_list(file, text, error);
    if (good) {
        number_vertices(file);
        good = file->nodes > 0 || net_error_refuse(error, "file", "%s has no nodes", path);
        good = good && check_connected(file, error);
    }
    if (good)
        return file;
    net_graph_file_free(file);
    return NULL;
}

void net_graph_file_free(NetGraphFile *file)
{
    if (!file)
        return;
    g_hash_table_destroy(file->numbers);
    g_ptr_array_free(file->names, TRUE);
    g_array_free(file->is_switch, TRUE);
    g_array_free(file->edges, TRUE);
    g_free(file->vertex);
    g_free(file->number);
    g_free(file);
}
