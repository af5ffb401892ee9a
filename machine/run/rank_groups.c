/* rank_groups.c - groups ranks that share a description, like "ranks 0-3, 7: MPI_Recv from 4, in main at ring.c:31".
 *
 * Groups are in the order of their first ranks. Ranks are added in ascending order.
 */
#include "machine/run/rank_groups.h"

struct MachGroups {
    GPtrArray *groups;   /* MachGroup */
    GHashTable *by_what; /* MachGroup.what -> MachGroup */
};

static void group_free(gpointer data)
{
    MachGroup *group = data;
    g_free(group->what);
    mpi_rank_list_clear(&group->ranks);
    g_free(group);
}

MachGroups *mach_groups_new(void)
{
    MachGroups *groups = g_new(MachGroups, 1);
    groups->groups = g_ptr_array_new_with_free_func(group_free);
    groups->by_what = g_hash_table_new(g_str_hash, g_str_equal);
    return groups;
}

void mach_groups_free(MachGroups *groups)
{
    g_hash_table_unref(groups->by_what);
    g_ptr_array_unref(groups->groups);
    g_free(groups);
}

MachGroup *mach_groups_add(MachGroups *groups, const char *what, uint32_t rank, bool alone)
{
    MachGroup *group = alone ? NULL : g_hash_table_lookup(groups->by_what, what);
    if (!group) {
        group = g_new(MachGroup, 1);
        *group = (MachGroup){.what = g_strdup(what)};
        g_ptr_array_add(groups->groups, group);
        g_hash_table_insert(groups->by_what, group->what, group);
    }
    mpi_rank_list_add(&group->ranks, rank);
    return group;
}

guint mach_groups_count(const MachGroups *groups)
{
    return groups->groups->len;
}

const MachGroup *mach_groups_get(const MachGroups *groups, guint i)
{
    return g_ptr_array_index(groups->groups, i);
}

void mach_group_append_ranks(const MachGroup *group, GString *out)
{
    g_string_append(out, "  ");
    mpi_rank_list_append(&group->ranks, out);
}
