/* splits.c - communicators by colour: MPI_Comm_split and similar functions (MPI-3.1 sections 6.4.2, 6.6.2).
 *
 * Both groups of an inter-communicator split at once. A colour that both sides have makes an inter-communicator.
 */
#include "mpi/collective/collective.h"
#include "mpi/collective/share.h"
#include "mpi/comm/comm.h"
#include "mpi/core/call.h"
#include "mpi/core/handlers.h"
#include "mpi/core/rank.h"
#include "mpi/core/slots.h"
#include "mpi/core/stores.h"
#include "mpi/core/world.h"
#include "mpi/creation/making.h"

#include <string.h>

/* -- what members say, and the groups that come of it ------------------------------------------ */

/* Colour and key that a member of a communicator enters when it is split. All members would compute the same groups,
 * so the first one that knows all entries computes them, and the groups are shared. So a million members need a
 * million entries, not its square.
 */
typedef struct Member {
    int32_t colour, key;
    uint32_t rank; /* rank in its group of the old communicator */
    bool high;     /* it is in the high group of an inter-communicator */
} Member;

typedef struct SplitGroup {
    int32_t colour;
    bool high;
    MpiGroup *group;
} SplitGroup;

typedef struct Split {
    MpiOccasion at;
    uint32_t missing; /* number of members that have not taken their group yet */
    GArray *members;  /* Member */
    GArray *groups;   /* SplitGroup, ascending by side and colour; NULL: not computed yet */
    MpiGroup *merged;
} Split;

static void split_group_clear(void *group)
{
    mpi_group_unref(((SplitGroup *)group)->group);
}

static void split_free(void *value)
{
    Split *split = value;
    g_array_unref(split->members);
    if (split->groups)
        g_array_unref(split->groups);
    if (split->merged)
        mpi_group_unref(split->merged);
    g_free(split);
}

/* Returns the table of communicators being split. */
static GHashTable *splits_of(MpiWorld *world)
{
    return mpi_slots_table(world, MPI_SLOT_SPLITS, mpi_turn_occasion_hash, mpi_turn_occasion_equal, split_free, NULL);
}

static Split *split_of(const MpiCall *call, const MpiCreation *creation)
{
    MpiOccasion key = {creation->parent->context, creation->turn};
    return g_hash_table_lookup(splits_of(call->world), &key);
}

static bool is_high(const MpiComm *comm)
{
    return comm->inter && !comm->inter->low;
}

void mpi_split_enter(MpiCall *call, const MpiCreation *creation, int32_t key)
{
    const MpiComm *parent = creation->parent;
    Split *split = split_of(call, creation);
    if (!split) {
        split = g_new0(Split, 1);
        split->at = (MpiOccasion){parent->context, creation->turn};
        split->missing = parent->group->size + (parent->inter ? parent->inter->remote->size : 0);
        split->members = g_array_sized_new(FALSE, FALSE, sizeof(Member), split->missing);
        g_hash_table_add(splits_of(call->world), split);
    }
    Member member = {.colour = creation->colour, .key = key, .rank = parent->rank, .high = is_high(parent)};
    g_array_append_val(split->members, member);
}

/* Compares by side and colour, then by (key, old rank), see section 6.4.2. */
static int compare_members(const void *a, const void *b)
{
    const Member *x = a, *y = b;
    if (x->high != y->high)
        return x->high ? 1 : -1;
    if (x->colour != y->colour)
        return x->colour < y->colour ? -1 : 1;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->rank < y->rank ? -1 : x->rank > y->rank;
}

static void split_make_groups(Split *split, const MpiComm *parent)
{
    const MpiGroup *mine = parent->group, *theirs = mpi_comm_peers(parent);
    g_array_sort(split->members, compare_members);
    split->groups = g_array_new(FALSE, FALSE, sizeof(SplitGroup));
    g_array_set_clear_func(split->groups, split_group_clear);
    const Member *members = (const Member *)(void *)split->members->data;
    for (guint first = 0, end; first < split->members->len; first = end) {
        for (end = first; end < split->members->len && members[end].colour == members[first].colour &&
                          members[end].high == members[first].high;)
            end++;
        if (members[first].colour == MPI_UNDEFINED_)
            continue;
        const MpiGroup *old = members[first].high == is_high(parent) ? mine : theirs;
        uint32_t *ranks = g_new(uint32_t, end - first);
        for (guint i = first; i < end; i++)
            ranks[i - first] = mpi_group_world_rank(old, members[i].rank);
        SplitGroup made = {
            .colour = members[first].colour, .high = members[first].high, .group = mpi_group_new(end - first, ranks)};
        g_array_append_val(split->groups, made);
    }
}

static int compare_groups(const void *a, const void *b)
{
    const SplitGroup *x = a, *y = b;
    if (x->high != y->high)
        return x->high ? 1 : -1;
    return x->colour < y->colour ? -1 : x->colour > y->colour;
}

/* Returns a reference to the side's group of that colour; NULL: there is none. */
static MpiGroup *split_find(const Split *split, int32_t colour, bool high)
{
    SplitGroup key = {.colour = colour, .high = high};
    const SplitGroup *found =
        split->groups->len ? bsearch(&key, split->groups->data, split->groups->len, sizeof(SplitGroup), compare_groups)
                           : NULL;
    return found ? mpi_group_ref(found->group) : NULL;
}

static Split *split_complete(MpiCall *call, const MpiCreation *creation)
{
    Split *split = split_of(call, creation);
    if (!split->groups)
        split_make_groups(split, creation->parent);
    return split;
}

static void split_leave(MpiCall *call, Split *split)
{
    if (--split->missing == 0)
        g_hash_table_remove(splits_of(call->world), split);
}

MpiGroup *mpi_split_take(MpiCall *call, const MpiCreation *creation, MpiGroup **remote)
{
    Split *split = split_complete(call, creation);
    bool high = is_high(creation->parent);
    MpiGroup *group = split_find(split, creation->colour, high);
    *remote = creation->parent->inter ? split_find(split, creation->colour, !high) : NULL;
    if (creation->divides && split->groups->len == 1 && group) {
        mpi_group_unref(group);
        group = NULL;
    }
    split_leave(call, split);
    return group;
}

static MpiGroup *groups_join(const MpiGroup *first, const MpiGroup *second)
{
    uint32_t n = first->size + second->size;
    uint32_t *ranks = g_new(uint32_t, n);
    for (uint32_t i = 0; i < n; i++)
        ranks[i] = i < first->size ? mpi_group_world_rank(first, i) : mpi_group_world_rank(second, i - first->size);
    return mpi_group_new(n, ranks);
}

MpiGroup *mpi_split_merge(MpiCall *call, const MpiCreation *creation)
{
    Split *split = split_complete(call, creation);
    const SplitGroup *sides = (const SplitGroup *)(void *)split->groups->data;
    bool agreed = split->groups->len == 2 && !sides[0].high && sides[1].high;
    if (agreed && !split->merged) {
        bool turned = sides[1].colour < sides[0].colour;
        split->merged = groups_join(sides[turned].group, sides[!turned].group);
    }
    MpiGroup *merged = agreed ? mpi_group_ref(split->merged) : NULL;
    split_leave(call, split);
    return merged;
}

/* -- the calls --------------------------------------------------------------------------------- */

MpiStep mpi_split_finish(MpiCall *call)
{
    MpiCreation *creation = call->state;
    MpiHandle handle = MPI_HANDLE(MPI_KIND_COMM, 0);
    MpiGroup *remote, *group = mpi_split_take(call, creation, &remote);
    if (group && (remote || !creation->parent->inter)) {
        handle = mpi_creation_make(call, creation, creation->colour, group, remote)->handle;
    } else {
        mpi_group_unref(group);
        mpi_group_unref(remote);
    }
    mpi_store_handle(call, call->args[creation->result], handle);
    return MPI_STEP_DONE;
}

/* Takes the hints. */
static MpiStep split(MpiCall *call, MpiComm *comm, int colour, int key, MpiInfo *hints, bool divides, unsigned result)
{
    MpiStep step;
    if (!mpi_share_check(call, comm, -1, &step)) {
        mpi_info_free(hints);
        return step;
    }
    MpiCreation *creation = mpi_creation_begin(call, comm, result);
    creation->colour = colour;
    creation->hints = hints;
    creation->divides = divides;
    mpi_split_enter(call, creation, key);
    return mpi_collective_agree(call, comm, MPI_SPLIT_BYTES, mpi_split_finish);
}

MpiStep mpi_do_Comm_split(MpiCall *call)
{
    MpiComm *comm;
    MpiStep step;
    int colour = mpi_int(call, 1);
    if (!mpi_check_comm(call, 0, &comm, &step) || !mpi_check_result(call, 3, 8, &step))
        return step;
    if (colour < 0 && colour != MPI_UNDEFINED_)
        return mpi_call_error(call, comm, MPI_ERR_ARG,
                              "argument 2, the colour, is %d; it is not negative, or MPI_UNDEFINED", colour);
    return split(call, comm, colour, mpi_int(call, 2), NULL, false, 3);
}

/* Returns the colour of a rank for a resource that an info object names (MPI-4.1 section 7.4.2): hardware, of which
 * MPI_Get_hw_resource_info tells, or a process set. */
static int colour_of_resource(const MpiCall *call, const MpiInfo *info, bool sets, int node)
{
    const char *hardware = info ? mpi_info_get(info, "mpi_hw_resource_type") : NULL;
    const char *set = info && sets ? mpi_info_get(info, "mpi_pset_name") : NULL;
    if (hardware && (g_str_equal(hardware, "mpi_shared_memory") || g_str_equal(hardware, "node") ||
                     g_str_equal(hardware, "orrery://node")))
        return node;
    if (g_strcmp0(hardware, "orrery://nic") == 0) /* each node has the same number of them */
        return call->world->env.nic ? (int)call->world->env.nic(call->world->env.user, call->rank->index) : node;
    if (g_strcmp0(hardware, "orrery://machine") == 0 || g_strcmp0(set, "mpi://WORLD") == 0)
        return 0;
    return g_strcmp0(set, "mpi://SELF") == 0 ? (int)call->rank->index : MPI_UNDEFINED_;
}

/* Splits by nodes of the machine. They have shared memory, and are the only level of hardware in the simulator. */
MpiStep mpi_do_Comm_split_type(MpiCall *call)
{
    enum { COMM, TYPE, KEY, INFO, RESULT };
    const MpiEnv *env = &call->world->env;
    MpiComm *comm;
    MpiStep step;
    int type = mpi_int(call, TYPE), colour = MPI_UNDEFINED_;
    MpiInfo *info;
    if (!mpi_check_comm(call, COMM, &comm, &step) || !mpi_check_intra(call, comm, &step) ||
        !mpi_check_result(call, RESULT, 8, &step) || !mpi_check_info_hints(call, comm, INFO, &info, &step))
        return step;
    int node = env->node ? (int)env->node(env->user, call->rank->index) : 0;
    bool sets = type == MPI_COMM_TYPE_RESOURCE_GUIDED_;
    if (type == MPI_COMM_TYPE_HW_GUIDED_ || sets)
        colour = colour_of_resource(call, info, sets, node);
    if (type != MPI_COMM_TYPE_SHARED_ && type != MPI_COMM_TYPE_HW_GUIDED_ && type != MPI_COMM_TYPE_HW_UNGUIDED_ &&
        !sets && type != MPI_UNDEFINED_) {
        mpi_info_free(info);
        return mpi_call_error(call, comm, MPI_ERR_ARG,
                              "argument 2, the type, is %d; it is MPI_COMM_TYPE_SHARED, MPI_COMM_TYPE_HW_GUIDED, "
                              "MPI_COMM_TYPE_HW_UNGUIDED, MPI_COMM_TYPE_RESOURCE_GUIDED or MPI_UNDEFINED",
                              type);
    }
    if (type == MPI_COMM_TYPE_SHARED_ || type == MPI_COMM_TYPE_HW_UNGUIDED_)
        colour = node;
    return split(call, comm, colour, mpi_int(call, KEY), info, type == MPI_COMM_TYPE_HW_UNGUIDED_, RESULT);
}
