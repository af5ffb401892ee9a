/* rank_groups.h - groups of ranks that share a description. */
#ifndef ORRERY_MACHINE_RUN_RANK_GROUPS_H
#define ORRERY_MACHINE_RUN_RANK_GROUPS_H

#include "machine/machine.h"

/* Ranks that share the description `what`. */
typedef struct MachGroup {
    char *what;
    MpiRankList ranks;
    uint64_t blocks, bytes; /* counted by leaks.c */
} MachGroup;
typedef struct MachGroups MachGroups;
MachGroups *mach_groups_new(void);
void mach_groups_free(MachGroups *groups);
/* Adds a rank to the group of `what`. Ranks come in ascending order. `alone`: the rank gets a group of its own. */
MachGroup *mach_groups_add(MachGroups *groups, const char *what, uint32_t rank, bool alone);
guint mach_groups_count(const MachGroups *groups);
const MachGroup *mach_groups_get(const MachGroups *groups, guint i);
/* Appends the ranks in the form "  ranks 0-3, 7". */
void mach_group_append_ranks(const MachGroup *group, GString *out);

#endif
