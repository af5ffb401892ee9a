/* groups.c - groups: ordered sets of world ranks (MPI-3.1 section 6.3).
 *
 * A group is immutable and shared by reference. In a run of a million ranks nearly all groups are the whole world or
 * its first ranks. So a list that turns out to be 0, 1, 2 ... is dropped: the identity takes no memory, and searching
 * it is a comparison. Other lists get a hash index when a long one is first searched. Ranks of one group may run on
 * different host threads, so the index is put in place by compare-and-exchange. An index is never iterated.
 */
#include "mpi/comm/comm.h"
#include "mpi/core/call.h"
#include "mpi/core/handlers.h"
#include "mpi/core/handles.h"
#include "mpi/core/rank.h"
#include "mpi/core/world.h"

#include <string.h>

enum { SHORT_LIST = 16 }; /* up to here a linear search is as fast as hashing */

/* -- the object -------------------------------------------------------------------------------- */

static const MpiGroup empty_group = {.refs = 1, .size = 0};

MpiGroup *mpi_group_empty(void)
{
    return (MpiGroup *)&empty_group;
}

static bool is_identity(const uint32_t *ranks, uint32_t size)
{
    for (uint32_t i = 0; i < size; i++) {
        if (ranks[i] != i) {
            return false;
        }
    }
    return true;
}

MpiGroup *mpi_group_new(uint32_t size, uint32_t *ranks)
{
    MpiGroup *group = g_new0(MpiGroup, 1);
    group->refs = 1;
    group->size = size;
    if (ranks && is_identity(ranks, size)) {
        g_clear_pointer(&ranks, g_free);
    }
    group->ranks = ranks;
    return group;
}

bool mpi_group_has_failed(const MpiWorld *world, const MpiGroup *group)
{
    for (uint32_t i = 0; world->failures && i < group->size; i++)
        if (world->ranks[mpi_group_world_rank(group, i)].failure_known)
            return true;
    return false;
}

MpiGroup *mpi_group_copy(const MpiGroup *group)
{
    return mpi_group_new(group->size, g_memdup2(group->ranks, group->ranks ? group->size * sizeof *group->ranks : 0));
}

MpiSessionBuffer *mpi_group_session_ref(MpiSessionBuffer *session)
{
    if (session)
        g_atomic_int_inc(&session->refs);
    return session;
}

void mpi_group_session_unref(MpiSessionBuffer *session)
{
    if (session && g_atomic_int_dec_and_test(&session->refs))
        g_free(session);
}

MpiGroup *mpi_group_inherit(MpiGroup *group, const MpiGroup *from)
{
    if (from->session && !group->session && group != &empty_group)
        group->session = mpi_group_session_ref(from->session);
    return group;
}

MpiGroup *mpi_group_ref(MpiGroup *group)
{
    if (group != &empty_group) {
        g_atomic_int_inc(&group->refs);
    }
    return group;
}

void mpi_group_unref(MpiGroup *group)
{
    if (!group || group == &empty_group || !g_atomic_int_dec_and_test(&group->refs)) {
        return;
    }
    g_clear_pointer(&group->index, g_hash_table_unref);
    mpi_group_session_unref(group->session);
    g_free(group->ranks);
    g_free(group);
}

uint32_t mpi_group_world_rank(const MpiGroup *group, uint32_t rank)
{
    g_assert(rank < group->size);
    return group->ranks ? group->ranks[rank] : rank;
}

static GHashTable *group_index(MpiGroup *group)
{
    GHashTable *index = g_atomic_pointer_get(&group->index);
    if (index) {
        return index;
    }
    index = g_hash_table_new(g_direct_hash, g_direct_equal);
    for (uint32_t i = 0; i < group->size; i++) {
        g_hash_table_insert(index, GUINT_TO_POINTER(group->ranks[i]), GUINT_TO_POINTER(i + 1));
    }
    if (!g_atomic_pointer_compare_and_exchange(&group->index, NULL, index)) {
        g_hash_table_unref(index);
    }
    return g_atomic_pointer_get(&group->index);
}

int mpi_group_find(MpiGroup *group, uint32_t world_rank)
{
    if (!group->ranks) {
        return world_rank < group->size ? (int)world_rank : -1;
    }
    if (group->size > SHORT_LIST) {
        return (int)GPOINTER_TO_UINT(g_hash_table_lookup(group_index(group), GUINT_TO_POINTER(world_rank))) - 1;
    }
    for (uint32_t i = 0; i < group->size; i++) {
        if (group->ranks[i] == world_rank) {
            return (int)i;
        }
    }
    return -1;
}

/* -- arguments and results --------------------------------------------------------------------- */

static MpiStep done(MpiCall *call)
{
    call->result = MPI_SUCCESS;
    return MPI_STEP_DONE;
}

static bool check_group(MpiCall *call, unsigned arg, MpiGroup **group, MpiStep *step)
{
    *group = mpi_handle_lookup(call->rank, MPI_KIND_GROUP, call->args[arg]);
    if (!*group) {
        *step = mpi_argument_bad_handle_of(call, NULL, MPI_KIND_GROUP, arg);
    }
    return *group;
}

static bool check_two_groups(MpiCall *call, MpiGroup **a, MpiGroup **b, MpiStep *step)
{
    return check_group(call, 0, a, step) && check_group(call, 1, b, step);
}

/* Stores the handle of the group for the program; takes the group. An empty group becomes MPI_GROUP_EMPTY. */
MpiStep mpi_group_give(MpiCall *call, unsigned arg, MpiGroup *group)
{
    MpiWord *handle;
    MpiStep step;
    if (!mpi_check_output(call, NULL, arg, sizeof *handle, (void **)&handle, &step)) {
        mpi_group_unref(group);
        return step;
    }
    if (group->size == 0) {
        mpi_group_unref(group);
        *handle = MPI_HANDLE(MPI_KIND_GROUP, MPI_GROUP_EMPTY_INDEX);
    } else {
        *handle = mpi_handle_register(call, MPI_KIND_GROUP, group);
    }
    return done(call);
}

static MpiStep give_int(MpiCall *call, unsigned arg, int value)
{
    MpiInt32 *result;
    MpiStep step;
    if (!mpi_check_output(call, NULL, arg, sizeof *result, (void **)&result, &step)) {
        return step;
    }
    *result = value;
    return done(call);
}

/* -- questions --------------------------------------------------------------------------------- */

MpiStep mpi_do_Comm_group(MpiCall *call)
{
    MpiComm *comm;
    MpiStep step;
    return mpi_check_comm(call, 0, &comm, &step) ? mpi_group_give(call, 1, mpi_group_ref(comm->group)) : step;
}

MpiStep mpi_do_Comm_remote_group(MpiCall *call)
{
    MpiComm *comm;
    MpiStep step;
    return mpi_check_inter(call, &comm, &step) ? mpi_group_give(call, 1, mpi_group_ref(comm->inter->remote)) : step;
}

MpiStep mpi_do_Group_size(MpiCall *call)
{
    MpiGroup *group;
    MpiStep step;
    return check_group(call, 0, &group, &step) ? give_int(call, 1, (int)group->size) : step;
}

MpiStep mpi_do_Group_rank(MpiCall *call)
{
    MpiGroup *group;
    MpiStep step;
    if (!check_group(call, 0, &group, &step)) {
        return step;
    }
    int rank = mpi_group_find(group, call->rank->index);
    return give_int(call, 1, rank >= 0 ? rank : MPI_UNDEFINED_);
}

static bool same_members(MpiGroup *a, MpiGroup *b)
{
    for (uint32_t i = 0; i < a->size; i++) {
        if (mpi_group_find(b, mpi_group_world_rank(a, i)) < 0) {
            return false;
        }
    }
    return true;
}

static int compare(MpiGroup *a, MpiGroup *b)
{
    if (a->size != b->size) {
        return MPI_UNEQUAL_;
    }
    bool identical =
        a->ranks == b->ranks || (a->ranks && b->ranks && !memcmp(a->ranks, b->ranks, a->size * sizeof *a->ranks));
    return identical ? MPI_IDENT_ : same_members(a, b) ? MPI_SIMILAR_ : MPI_UNEQUAL_;
}

MpiStep mpi_do_Group_compare(MpiCall *call)
{
    MpiGroup *a, *b;
    MpiStep step;
    return check_two_groups(call, &a, &b, &step) ? give_int(call, 2, compare(a, b)) : step;
}

static MpiStep bad_rank(MpiCall *call, unsigned arg, int index, int rank, const MpiGroup *group)
{
    return mpi_call_error(call, NULL, MPI_ERR_RANK,
                          "rank %d at index %d is outside the group, which has %u members (argument %u)", rank, index,
                          group->size, arg + 1);
}

MpiStep mpi_do_Group_translate_ranks(MpiCall *call)
{
    enum { FROM, COUNT, RANKS, TO, RESULT };
    MpiGroup *from, *to;
    int n;
    const void *input;
    void *output;
    MpiStep step;
    if (!check_group(call, FROM, &from, &step) || !mpi_check_count(call, NULL, COUNT, &n, &step) ||
        !mpi_check_input(call, NULL, RANKS, (uint64_t)n * sizeof(int32_t), &input, &step) ||
        !check_group(call, TO, &to, &step) ||
        !mpi_check_output(call, NULL, RESULT, (uint64_t)n * sizeof(int32_t), &output, &step)) {
        return step;
    }
    for (int i = 0; i < n; i++) {
        int rank = ((const MpiInt32 *)input)[i];
        if (rank != MPI_PROC_NULL_ && (rank < 0 || (uint32_t)rank >= from->size)) {
            return bad_rank(call, RANKS, i, rank, from);
        }
    }
    for (int i = 0; i < n; i++) {
        int rank = ((const MpiInt32 *)input)[i];
        int found = rank == MPI_PROC_NULL_ ? rank : mpi_group_find(to, mpi_group_world_rank(from, (uint32_t)rank));
        ((MpiInt32 *)output)[i] = rank != MPI_PROC_NULL_ && found < 0 ? MPI_UNDEFINED_ : found;
    }
    return done(call);
}

/* -- set operations ---------------------------------------------------------------------------- */

/* Appends to `ranks` the members of `a` that are in `b` (or are not, if `in` is false), in order. */
static uint32_t select_members(const MpiGroup *a, MpiGroup *b, bool in, uint32_t *ranks)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < a->size; i++) {
        uint32_t rank = mpi_group_world_rank(a, i);
        if ((mpi_group_find(b, rank) >= 0) == in) {
            ranks[n++] = rank;
        }
    }
    return n;
}

/* The union has all members of the first group in order, then the members of the second that are not in the first. */
MpiStep mpi_do_Group_union(MpiCall *call)
{
    MpiGroup *a, *b;
    MpiStep step;
    if (!check_two_groups(call, &a, &b, &step)) {
        return step;
    }
    uint32_t *ranks = g_new(uint32_t, (size_t)a->size + b->size);
    uint32_t n = select_members(a, a, true, ranks);
    n += select_members(b, a, false, ranks + n);
    return mpi_group_give(call, 2, mpi_group_inherit(mpi_group_new(n, ranks), a));
}

static MpiStep give_selection(MpiCall *call, bool in)
{
    MpiGroup *a, *b;
    MpiStep step;
    if (!check_two_groups(call, &a, &b, &step)) {
        return step;
    }
    uint32_t *ranks = g_new(uint32_t, (size_t)a->size + 1);
    uint32_t n = select_members(a, b, in, ranks);
    return mpi_group_give(call, 2, mpi_group_inherit(mpi_group_new(n, ranks), a));
}

MPI_HANDLER(Group_intersection, give_selection(call, true))
MPI_HANDLER(Group_difference, give_selection(call, false))

/* -- subsets by rank --------------------------------------------------------------------------- */

/* The ranks of a group that a call lists: each at most once, in the given order. */
typedef struct Selection {
    const MpiGroup *group;
    uint32_t *listed; /* group ranks */
    uint32_t n;
    bool *taken; /* by group rank: it is listed */
} Selection;

static void selection_init(Selection *selection, const MpiGroup *group)
{
    *selection = (Selection){.group = group};
    selection->listed = g_new(uint32_t, (size_t)group->size + 1);
    selection->taken = g_new0(bool, (size_t)group->size + 1);
}

static void selection_clear(Selection *selection)
{
    g_free(selection->listed);
    g_free(selection->taken);
}

static bool selection_add(Selection *selection, MpiCall *call, unsigned arg, int index, int rank, MpiStep *step)
{
    if (rank < 0 || (uint32_t)rank >= selection->group->size) {
        *step = bad_rank(call, arg, index, rank, selection->group);
        return false;
    }
    if (selection->taken[rank]) {
        *step = mpi_call_error(call, NULL, MPI_ERR_RANK,
                               "rank %d is listed a second time at index %d (argument %u); every rank may appear once",
                               rank, index, arg + 1);
        return false;
    }
    selection->taken[rank] = true;
    selection->listed[selection->n++] = (uint32_t)rank;
    return true;
}

/* Stores the listed ranks, or all others, as a group at argument `arg`. */
static MpiStep give_listed(MpiCall *call, unsigned arg, const Selection *selection, bool include)
{
    const MpiGroup *group = selection->group;
    uint32_t *ranks = g_new(uint32_t, (size_t)group->size + 1), n = 0;
    if (include) {
        for (; n < selection->n; n++) {
            ranks[n] = mpi_group_world_rank(group, selection->listed[n]);
        }
    } else {
        for (uint32_t i = 0; i < group->size; i++) {
            if (!selection->taken[i]) {
                ranks[n++] = mpi_group_world_rank(group, i);
            }
        }
    }
    return mpi_group_give(call, arg, mpi_group_inherit(mpi_group_new(n, ranks), group));
}

static MpiStep by_list(MpiCall *call, bool include)
{
    enum { GROUP, COUNT, RANKS, RESULT };
    MpiGroup *group;
    int n;
    const void *ranks;
    MpiStep step;
    if (!check_group(call, GROUP, &group, &step) || !mpi_check_count(call, NULL, COUNT, &n, &step) ||
        !mpi_check_input(call, NULL, RANKS, (uint64_t)n * sizeof(int32_t), &ranks, &step)) {
        return step;
    }
    Selection selection;
    selection_init(&selection, group);
    bool good = true;
    for (int i = 0; i < n && good; i++) {
        good = selection_add(&selection, call, RANKS, i, ((const MpiInt32 *)ranks)[i], &step);
    }
    if (good) {
        step = give_listed(call, RESULT, &selection, include);
    }
    selection_clear(&selection);
    return step;
}

/* Adds the ranks first, first + stride ... up to last. */
static bool selection_add_range(Selection *selection, MpiCall *call, unsigned arg, int index, const MpiInt32 *range,
                                MpiStep *step)
{
    int64_t first = range[0], last = range[1], stride = range[2];
    if (stride == 0 || (last - first) * (stride > 0 ? 1 : -1) < 0) {
        *step =
            mpi_call_error(call, NULL, MPI_ERR_ARG,
                           "the range from %d to %d by %d at index %d has no end (argument %u); the stride must lead "
                           "from the first to the last",
                           range[0], range[1], range[2], index, arg + 1);
        return false;
    }
    bool good = true;
    for (int64_t rank = first; good && (stride > 0 ? rank <= last : rank >= last); rank += stride) {
        good = selection_add(selection, call, arg, index, (int)rank, step);
    }
    return good;
}

static MpiStep by_ranges(MpiCall *call, bool include)
{
    enum { GROUP, COUNT, RANGES, RESULT };
    MpiGroup *group;
    int n;
    const void *ranges;
    MpiStep step;
    if (!check_group(call, GROUP, &group, &step) || !mpi_check_count(call, NULL, COUNT, &n, &step) ||
        !mpi_check_input(call, NULL, RANGES, (uint64_t)n * 3 * sizeof(int32_t), &ranges, &step)) {
        return step;
    }
    Selection selection;
    selection_init(&selection, group);
    bool good = true;
    for (int i = 0; i < n && good; i++) {
        good = selection_add_range(&selection, call, RANGES, i, (const MpiInt32 *)ranges + 3 * (size_t)i, &step);
    }
    if (good) {
        step = give_listed(call, RESULT, &selection, include);
    }
    selection_clear(&selection);
    return step;
}

MPI_HANDLER(Group_incl, by_list(call, true))
MPI_HANDLER(Group_excl, by_list(call, false))
MPI_HANDLER(Group_range_incl, by_ranges(call, true))
MPI_HANDLER(Group_range_excl, by_ranges(call, false))

MpiStep mpi_do_Group_free(MpiCall *call)
{
    MpiWord *handle;
    MpiStep step;
    if (!mpi_check_output(call, NULL, 0, sizeof *handle, (void **)&handle, &step)) {
        return step;
    }
    MpiGroup *group = mpi_handle_lookup(call->rank, MPI_KIND_GROUP, *handle);
    if (!group) {
        return mpi_argument_bad_handle(call, NULL, MPI_KIND_GROUP, *handle, "argument 1 points to it");
    }
    if (group != &empty_group) {
        mpi_handle_unregister(call->rank, *handle);
        mpi_group_unref(group);
    }
    *handle = MPI_HANDLE(MPI_KIND_GROUP, 0);
    return done(call);
}
