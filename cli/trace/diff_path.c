/* diff_path.c - what a change of makespan comes from: the critical paths of two runs, by source line.
 *
 * The pieces of a critical path add up to the makespan. So do the differences of what its lines have on the two paths:
 * to the change of it.
 */
#include "cli/trace/trace_command.h"

#include "analysis/analysis.h"
#include "base/units.h"

#include <string.h>

enum { MOST_LINES = 10 };

typedef struct Role { /* a line in one of its roles on the paths */
    char *name;
    uint64_t ps[2];
} Role;

static void role_free(gpointer data)
{
    Role *role = data;
    g_free(role->name);
    g_free(role);
}

/* Returns "computing before MPI_Send at p.c:12". A line that both versions have has its name in the first one. */
static char *name_of(TraceReader *const readers[2], const GArray *sites, unsigned k, const AnalysisPiece *piece)
{
    bool outside = !strcmp(piece->kind, "computing") || !strcmp(piece->kind, "sleep") || !strcmp(piece->kind, "core");
    uint32_t before = k && piece->site < sites->len ? g_array_index(sites, uint32_t, piece->site) : 0;
    TraceSite site = before ? trace_reader_site(readers[0], before) : trace_reader_site(readers[k], piece->site);
    if (!*piece->function)
        return g_strdup_printf("%s up to the end", piece->kind);
    return g_strdup_printf("%s %s %s at %s:%u", piece->kind, outside ? "before" : "in", piece->function,
                           site.file ? site.file : "?", site.line);
}

static void take_path(GHashTable *roles, TraceReader *const readers[2], const GArray *sites, unsigned k,
                      const AnalysisPath *path)
{
    for (guint i = 0; i < path->pieces->len; i++) {
        const AnalysisPiece *piece = &g_array_index(path->pieces, AnalysisPiece, i);
        g_autofree char *name = name_of(readers, sites, k, piece);
        Role *role = g_hash_table_lookup(roles, name);
        if (!role) {
            role = g_new0(Role, 1);
            role->name = g_steal_pointer(&name);
            g_hash_table_insert(roles, role->name, role);
        }
        role->ps[k] += piece->to_ps - piece->from_ps;
    }
}

static gint64 change_of(const Role *role)
{
    return (gint64)(role->ps[1] - role->ps[0]);
}

static int by_change(gconstpointer a, gconstpointer b)
{
    const Role *one = *(Role *const *)a, *other = *(Role *const *)b;
    guint64 x = (guint64)ABS(change_of(one)), y = (guint64)ABS(change_of(other));
    return x != y ? (x < y ? 1 : -1) : strcmp(one->name, other->name);
}

static void append_change(gint64 ps, GString *out)
{
    g_autofree char *time = base_units_format_time((guint64)ABS(ps));
    g_string_append_printf(out, "%c%s", ps < 0 ? '-' : '+', time);
}

static void append_roles(GPtrArray *changes, GString *out)
{
    gint64 rest_ps = 0;
    for (guint i = 0; i < changes->len; i++) {
        const Role *role = changes->pdata[i];
        if (i >= MOST_LINES) {
            rest_ps += change_of(role);
            continue;
        }
        g_string_append(out, "  ");
        append_change(change_of(role), out);
        g_string_append_printf(out, "  %s\n", role->name);
    }
    if (changes->len > MOST_LINES) {
        g_string_append(out, "  ");
        append_change(rest_ps, out);
        g_string_append_printf(out, "  %u smaller changes\n", changes->len - MOST_LINES);
    }
}

void cli_trace_append_path_changes(TraceReader *const readers[2], const GArray *sites, GString *out)
{
    g_autoptr(AnalysisPath) first = analysis_critical_path(readers[0], NULL);
    g_autoptr(AnalysisPath) second = first ? analysis_critical_path(readers[1], NULL) : NULL;
    if (!second) /* a part of a run, which has no calls */
        return;
    g_autoptr(GHashTable) roles = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, role_free);
    take_path(roles, readers, sites, 0, first);
    take_path(roles, readers, sites, 1, second);
    g_autoptr(GPtrArray) changes = g_ptr_array_new();
    GHashTableIter iter;
    gpointer role;
    g_hash_table_iter_init(&iter, roles);
    while (g_hash_table_iter_next(&iter, NULL, &role))
        if (change_of(role))
            g_ptr_array_add(changes, role);
    if (changes->len == 0)
        return;
    g_ptr_array_sort(changes, by_change);
    g_string_append(out, "The makespan changes by ");
    append_change((gint64)(second->makespan_ps - first->makespan_ps), out);
    g_string_append(out, ", along the critical paths:\n");
    append_roles(changes, out);
}
