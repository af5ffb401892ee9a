/* file.c - mappings from a file: one line per rank, "NODE", or "RANK NODE" in any order; # begins a comment. */
#include "base/nearest.h"
#include "machine/map/placement.h"

#include <string.h>

/* Reads one line: "NODE" for the next rank, or "RANK NODE". */
static bool read_place(uint32_t *places, uint32_t ranks, uint32_t nodes, const char *path, unsigned line, char *text,
                       uint32_t *next, bool *known, GError **error)
{
    text[strcspn(text, "#\r")] = '\0';
    g_strstrip(text);
    if (!*text)
        return true;
    char *end;
    guint64 rank = *next, node;
    node = g_ascii_strtoull(text, &end, 10);
    if (g_ascii_isspace(*end)) {
        rank = node;
        text = end + strspn(end, " \t");
        node = g_ascii_strtoull(text, &end, 10);
    }
    if (!g_ascii_isdigit(*text) || *end)
        return mach_error_at_line(error, path, line, "a line of a mapping is \"NODE\" or \"RANK NODE\", not \"%s\"",
                                  text);
    if (node >= nodes)
        return mach_error_at_line(error, path, line,
                                  "node %" G_GUINT64_FORMAT " does not exist; the machine has nodes 0 to %u", node,
                                  nodes - 1);
    if (rank >= ranks) /* a mapping for more ranks may serve fewer */
        return true;
    if (known[rank])
        return mach_error_at_line(error, path, line, "rank %" G_GUINT64_FORMAT " has a node already", rank);
    known[rank] = true;
    places[rank] = (uint32_t)node;
    *next = (uint32_t)rank + 1;
    return true;
}

static bool refuse_name(const MachMapping *request, const char *reason, GError **error)
{
    const char *near = base_nearest(request->mapping, mach_config_mappings());
    g_autofree char *names = g_strjoinv(", ", (char **)mach_config_mappings());
    return mach_map_refuse(request, "ranks", error, "\"%s\" is neither %s nor a file that can be read: %s%s%s%s",
                           request->mapping, names, reason, near ? "; did you mean \"" : "", near ? near : "",
                           near ? "\"?" : "");
}

bool mach_map_ranks_file(const MachMapping *request, uint32_t *places, GError **error)
{
    const char *path = request->mapping;
    uint32_t ranks = request->ranks;
    g_autofree char *text = NULL;
    g_autoptr(GError) io = NULL;
    if (!g_file_get_contents(path, &text, NULL, &io))
        return refuse_name(request, io->message, error);
    g_autofree bool *known = g_new0(bool, ranks);
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    uint32_t next = 0;
    unsigned number = 0;
    for (char **line = lines; *line; line++)
        if (!read_place(places, ranks, net_network_nodes(request->net), path, ++number, *line, &next, known, error))
            return false;
    for (uint32_t rank = 0; rank < ranks; rank++)
        if (!known[rank])
            return mach_error_at_line(error, path, number, "the mapping ends without a node for rank %u", rank);
    return true;
}
