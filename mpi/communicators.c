/* communicators.c - communicators: their life, and the calls that make them (MPI-3.1 sections 6.2 and 6.4).
 *
 * A communicator is per rank a view (MpiComm) of something that all members share only by its number, the context.
 * New numbers come from the world: members of one creation ask with the same (parent, sequence, colour) and get the
 * same number, so agreeing on it needs no messages of its own. The cost of the exchange that a real library does is
 * there nonetheless: dup and create run a barrier, split an allgather of colours and keys. */
#include "mpi/engine.h"
#include "mpi/info.h"

#include <string.h>

/* -- contexts ---------------------------------------------------------------------------------------- */

typedef struct ContextKey {
    uint32_t parent, context;
    uint64_t sequence;
    int64_t colour;
} ContextKey;

static guint context_hash(gconstpointer key)
{
    const ContextKey *k = key;
    uint64_t mixed = (k->sequence << 24 ^ k->parent) * UINT64_C(0x9e3779b97f4a7c15);
    return (guint)((mixed ^ mixed >> 31 ^ (uint64_t)k->colour) * UINT64_C(0xbf58476d1ce4e5b9) >> 32);
}

static gboolean context_equal(gconstpointer a, gconstpointer b)
{
    const ContextKey *x = a, *y = b;
    return x->parent == y->parent && x->sequence == y->sequence && x->colour == y->colour;
}

GHashTable *mpi_contexts_new(void)
{
    return g_hash_table_new_full(context_hash, context_equal, g_free, NULL);
}

uint32_t mpi_world_new_context(MpiWorld *world, uint32_t parent, uint64_t sequence, int64_t colour)
{
    ContextKey key = {.parent = parent, .sequence = sequence, .colour = colour};
    ContextKey *found = g_hash_table_lookup(world->contexts, &key);
    if (!found) {
        found = g_new(ContextKey, 1);
        *found = key;
        found->context = world->next_context++;
        g_hash_table_add(world->contexts, found);
    }
    return found->context;
}

/* -- life ------------------------------------------------------------------------------------------------ */

/* `name` lives as long as the program; NULL: none. */
static MpiComm *comm_make(MpiRank *rank, uint32_t context, MpiGroup *group, const char *name)
{
    MpiComm *comm = g_new0(MpiComm, 1);
    comm->owner = rank;
    comm->context = context;
    comm->group = group;
    int at = mpi_group_find(group, rank->index);
    g_assert(at >= 0);
    comm->rank = (uint32_t)at;
    comm->name = name;
    comm->refs = 1;
    comm->made_pc = VCODE_NONE;
    return comm;
}

MpiComm *mpi_comm_new(MpiRank *rank, uint32_t context, MpiGroup *group, const char *name)
{
    MpiComm *comm = comm_make(rank, context, group, name);
    comm->made_pc = mpi_program_pc(rank->process);
    comm->handle = mpi_register(rank, MPI_KIND_COMM, comm);
    return comm;
}

void mpi_comm_unref(MpiComm *comm)
{
    if (--comm->refs)
        return;
    mpi_group_unref(comm->group);
    if (comm->topology)
        mpi_topology_unref(comm->topology);
    mpi_errhandler_unref(comm->errhandler);
    mpi_info_free(comm->hints);
    if (comm->named)
        g_free((char *)comm->name);
    g_free(comm);
}

MpiComm *mpi_rank_world_comm(MpiRank *rank)
{
    if (!rank->world_comm) {
        MpiGroup *group = mpi_group_ref(rank->world->world_group);
        rank->world_comm = comm_make(rank, MPI_COMM_WORLD_INDEX, group, "MPI_COMM_WORLD");
        rank->world_comm->handle = MPI_HANDLE(MPI_KIND_COMM, MPI_COMM_WORLD_INDEX);
    }
    return rank->world_comm;
}

/* All ranks' MPI_COMM_SELF share a context number: no message of one can reach another. */
MpiComm *mpi_rank_self_comm(MpiRank *rank)
{
    if (!rank->self_comm) {
        uint32_t *ranks = g_new(uint32_t, 1);
        ranks[0] = rank->index;
        rank->self_comm = comm_make(rank, MPI_COMM_SELF_INDEX, mpi_group_new(1, ranks), "MPI_COMM_SELF");
        rank->self_comm->handle = MPI_HANDLE(MPI_KIND_COMM, MPI_COMM_SELF_INDEX);
    }
    return rank->self_comm;
}

/* -- LOCAL functions ---------------------------------------------------------------------------------------- */

static MpiStep store_about_comm(MpiCall *call, bool size)
{
    MpiComm *comm;
    MpiStep step;
    if (!mpi_check_comm(call, 0, &comm, &step) || !mpi_check_result(call, 1, 4, &step))
        return step;
    mpi_store_int(call, call->args[1], (int)(size ? comm->group->size : comm->rank));
    return MPI_STEP_DONE;
}

MpiStep mpi_do_Comm_rank(MpiCall *call)
{
    return store_about_comm(call, false);
}

MpiStep mpi_do_Comm_size(MpiCall *call)
{
    return store_about_comm(call, true);
}

static int compare_groups(MpiGroup *a, MpiGroup *b)
{
    if (a == b)
        return MPI_CONGRUENT_;
    if (a->size != b->size)
        return MPI_UNEQUAL_;
    bool same = true;
    for (uint32_t i = 0; i < a->size; i++) {
        uint32_t member = mpi_group_world_rank(a, i);
        if (mpi_group_world_rank(b, i) == member)
            continue;
        same = false;
        if (mpi_group_find(b, member) < 0)
            return MPI_UNEQUAL_;
    }
    return same ? MPI_CONGRUENT_ : MPI_SIMILAR_;
}

MpiStep mpi_do_Comm_compare(MpiCall *call)
{
    MpiComm *a, *b;
    MpiStep step;
    if (!mpi_check_comm(call, 0, &a, &step) || !mpi_check_comm(call, 1, &b, &step) ||
        !mpi_check_result(call, 2, 4, &step))
        return step;
    mpi_store_int(call, call->args[2],
                  a->context == b->context && a == b ? MPI_IDENT_ : compare_groups(a->group, b->group));
    return MPI_STEP_DONE;
}

MpiStep mpi_do_Comm_test_inter(MpiCall *call)
{
    MpiComm *comm;
    MpiStep step;
    if (!mpi_check_comm(call, 0, &comm, &step) || !mpi_check_result(call, 1, 4, &step))
        return step;
    mpi_store_int(call, call->args[1], 0);
    return MPI_STEP_DONE;
}

enum { MAX_OBJECT_NAME = 128 };

MpiStep mpi_do_Comm_get_name(MpiCall *call)
{
    MpiComm *comm;
    MpiStep step;
    if (!mpi_check_comm(call, 0, &comm, &step))
        return step;
    const char *name = comm->name ? comm->name : "";
    size_t length = strlen(name);
    if (!mpi_check_result(call, 1, length + 1, &step) || !mpi_check_result(call, 2, 4, &step))
        return step;
    memcpy(vm_rank_write(call->process, call->args[1], length + 1), name, length + 1);
    mpi_store_int(call, call->args[2], (int)length);
    return MPI_STEP_DONE;
}

MpiStep mpi_do_Comm_set_name(MpiCall *call)
{
    MpiComm *comm;
    MpiStep step;
    if (!mpi_check_comm(call, 0, &comm, &step))
        return step;
    const char *name = vm_rank_string(call->process, call->args[1]);
    if (!name)
        return mpi_call_error(call, comm, MPI_ERR_ARG, "argument 2 is not a string in the program's memory");
    char *copy = g_strndup(name, MAX_OBJECT_NAME - 1);
    if (comm->named)
        g_free((char *)comm->name);
    comm->name = copy;
    comm->named = true;
    return MPI_STEP_DONE;
}

/* -- dup -------------------------------------------------------------------------------------------------------- */

typedef struct Creation { /* state of a constructor */
    MpiComm *parent, *made;
    uint64_t sequence;
    MpiGroup *group; /* create */
    MpiInfo *hints;  /* dup: of the new communicator */
    unsigned result; /* dup: argument */
    int32_t colour;  /* split */
} Creation;

static void creation_free(void *state)
{
    Creation *creation = state;
    if (creation->group)
        mpi_group_unref(creation->group);
    mpi_info_free(creation->hints);
    mpi_comm_unref(creation->parent);
    g_free(creation);
}

static Creation *creation_begin(MpiCall *call, MpiComm *parent)
{
    Creation *creation = g_new0(Creation, 1);
    creation->parent = parent;
    parent->refs++; /* callbacks may free it */
    creation->sequence = parent->collective_sequence;
    call->state = creation;
    call->state_free = creation_free;
    return creation;
}

/* New communicators inherit the error handler of the old one (section 8.3). */
static MpiComm *creation_make(MpiCall *call, Creation *creation, int64_t colour, MpiGroup *group)
{
    MpiComm *parent = creation->parent;
    uint32_t context = mpi_world_new_context(call->world, parent->context, creation->sequence, colour);
    MpiComm *made = mpi_comm_new(call->rank, context, group, NULL);
    made->made_pc = call->pc;
    if (parent->errhandler)
        made->errhandler = mpi_errhandler_ref(parent->errhandler);
    creation->made = made;
    return made;
}

static MpiStep dup_finish(MpiCall *call)
{
    const Creation *creation = call->state;
    MpiComm *made = creation->made;
    if (call->callback_error == MPI_SUCCESS) {
        mpi_store_handle(call, call->args[creation->result], made->handle);
        return MPI_STEP_DONE;
    }
    mpi_attributes_drop(made);
    mpi_unregister(call->rank, made->handle);
    mpi_comm_unref(made);
    mpi_store_handle(call, call->args[creation->result], MPI_HANDLE(MPI_KIND_COMM, 0));
    return mpi_call_error(call, creation->parent, call->callback_error,
                          "an attribute's copy function returned error %d, so there is no new communicator",
                          call->callback_error);
}

static MpiStep dup_make(MpiCall *call)
{
    Creation *creation = call->state;
    MpiComm *parent = creation->parent;
    MpiComm *made = creation_make(call, creation, 0, mpi_group_ref(parent->group));
    if (parent->topology)
        made->topology = mpi_topology_ref(parent->topology);
    made->hints = g_steal_pointer(&creation->hints);
    return mpi_attributes_copy(call, parent, made, dup_finish);
}

/* A collective without data that costs what agreeing costs. */
static MpiStep synchronize(MpiCall *call, MpiComm *comm, MpiHandler then)
{
    MpiPlan plan = {0};
    call->schedule = mpi_schedule_new(call, comm, MPI_COLLECTIVE_BARRIER, &plan);
    return mpi_schedule_run(call, then);
}

/* Takes the hints. */
static MpiStep dup_begin(MpiCall *call, MpiComm *comm, unsigned result, MpiInfo *hints)
{
    MpiStep step;
    if (!mpi_check_result(call, result, 8, &step) || !mpi_check_collective(call, comm, -1, &step)) {
        mpi_info_free(hints);
        return step;
    }
    Creation *creation = creation_begin(call, comm);
    creation->hints = hints;
    creation->result = result;
    return synchronize(call, comm, dup_make);
}

/* Hints go along (MPI-3.1 section 6.4.2). */
MpiStep mpi_do_Comm_dup(MpiCall *call)
{
    MpiComm *comm;
    MpiStep step;
    if (!mpi_check_comm(call, 0, &comm, &step))
        return step;
    return dup_begin(call, comm, 1, comm->hints ? mpi_info_copy(comm->hints) : NULL);
}

MpiStep mpi_do_Comm_dup_with_info(MpiCall *call)
{
    MpiComm *comm;
    MpiInfo *hints;
    MpiStep step;
    if (!mpi_check_comm(call, 0, &comm, &step) || !mpi_check_hints(call, comm, 1, &hints, &step))
        return step;
    return dup_begin(call, comm, 2, hints);
}

/* -- create ---------------------------------------------------------------------------------------------------------
 */

static MpiStep create_make(MpiCall *call)
{
    Creation *creation = call->state;
    MpiHandle handle = MPI_HANDLE(MPI_KIND_COMM, 0);
    if (mpi_group_find(creation->group, call->rank->index) >= 0) {
        /* Members may name disjoint groups in one call (section 6.4.2): the first member tells them apart. */
        int64_t colour = mpi_group_world_rank(creation->group, 0);
        handle = creation_make(call, creation, colour, mpi_group_ref(creation->group))->handle;
    }
    mpi_store_handle(call, call->args[2], handle);
    return MPI_STEP_DONE;
}

MpiStep mpi_do_Comm_create(MpiCall *call)
{
    MpiComm *comm;
    MpiStep step;
    if (!mpi_check_comm(call, 0, &comm, &step) || !mpi_check_result(call, 2, 8, &step))
        return step;
    MpiGroup *group = mpi_lookup(call->rank, MPI_KIND_GROUP, call->args[1]);
    if (!group)
        return mpi_call_error(call, comm, MPI_ERR_GROUP, "argument 2 is not a group");
    for (uint32_t i = 0; i < group->size; i++)
        if (mpi_group_find(comm->group, mpi_group_world_rank(group, i)) < 0)
            return mpi_call_error(call, comm, MPI_ERR_GROUP,
                                  "rank %u of MPI_COMM_WORLD is in the group but not in the communicator",
                                  mpi_group_world_rank(group, i));
    if (!mpi_check_collective(call, comm, -1, &step))
        return step;
    creation_begin(call, comm)->group = mpi_group_ref(group);
    return synchronize(call, comm, create_make);
}

/* -- split ----------------------------------------------------------------------------------------------------------
 */

/* What the members of a communicator say when they split it. They all do the same with it, so one does, the first that
 * knows that all have said theirs; the groups are shared. So a million members take a million entries, not its square.
 */
typedef struct Member {
    int32_t colour, key;
    uint32_t rank; /* in the old communicator */
} Member;

typedef struct SplitGroup {
    int32_t colour;
    MpiGroup *group;
} SplitGroup;

typedef struct Split {
    uint32_t context;
    uint32_t missing; /* members that have not taken their group yet */
    uint64_t sequence;
    GArray *members; /* Member */
    GArray *groups;  /* SplitGroup, ascending by colour; NULL: not made yet */
} Split;

static guint split_hash(gconstpointer key)
{
    const Split *split = key;
    return (guint)((split->sequence << 20 ^ split->context) * UINT64_C(0x9e3779b97f4a7c15) >> 32);
}

static gboolean split_equal(gconstpointer a, gconstpointer b)
{
    const Split *x = a, *y = b;
    return x->context == y->context && x->sequence == y->sequence;
}

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
    g_free(split);
}

GHashTable *mpi_splits_new(void)
{
    return g_hash_table_new_full(split_hash, split_equal, split_free, NULL);
}

static Split *split_of(const MpiCall *call, const Creation *creation)
{
    Split key = {.context = creation->parent->context, .sequence = creation->sequence};
    return g_hash_table_lookup(call->world->splits, &key);
}

static void split_enter(MpiCall *call, const Creation *creation, int32_t key)
{
    const MpiComm *parent = creation->parent;
    Split *split = split_of(call, creation);
    if (!split) {
        split = g_new0(Split, 1);
        split->context = parent->context;
        split->sequence = creation->sequence;
        split->missing = parent->group->size;
        split->members = g_array_sized_new(FALSE, FALSE, sizeof(Member), parent->group->size);
        g_hash_table_add(call->world->splits, split);
    }
    Member member = {.colour = creation->colour, .key = key, .rank = parent->rank};
    g_array_append_val(split->members, member);
}

/* By colour, and those of one colour by (key, old rank): section 6.4.2. */
static int compare_members(const void *a, const void *b)
{
    const Member *x = a, *y = b;
    if (x->colour != y->colour)
        return x->colour < y->colour ? -1 : 1;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->rank < y->rank ? -1 : x->rank > y->rank;
}

static void split_make_groups(Split *split, const MpiGroup *old)
{
    g_array_sort(split->members, compare_members);
    split->groups = g_array_new(FALSE, FALSE, sizeof(SplitGroup));
    g_array_set_clear_func(split->groups, split_group_clear);
    const Member *members = (const Member *)(void *)split->members->data;
    for (guint first = 0, end; first < split->members->len; first = end) {
        for (end = first; end < split->members->len && members[end].colour == members[first].colour;)
            end++;
        if (members[first].colour == MPI_UNDEFINED_)
            continue;
        uint32_t *ranks = g_new(uint32_t, end - first);
        for (guint i = first; i < end; i++)
            ranks[i - first] = mpi_group_world_rank(old, members[i].rank);
        SplitGroup made = {.colour = members[first].colour, .group = mpi_group_new(end - first, ranks)};
        g_array_append_val(split->groups, made);
    }
}

static int compare_colours(const void *a, const void *b)
{
    const SplitGroup *x = a, *y = b;
    return x->colour < y->colour ? -1 : x->colour > y->colour;
}

/* A reference to the member's group; NULL: it has none. */
static MpiGroup *split_take(MpiCall *call, const Creation *creation)
{
    Split *split = split_of(call, creation);
    if (!split->groups)
        split_make_groups(split, creation->parent->group);
    SplitGroup key = {.colour = creation->colour};
    const SplitGroup *found =
        split->groups->len ? bsearch(&key, split->groups->data, split->groups->len, sizeof(SplitGroup), compare_colours)
                           : NULL;
    MpiGroup *group = found ? mpi_group_ref(found->group) : NULL;
    if (--split->missing == 0)
        g_hash_table_remove(call->world->splits, split);
    return group;
}

static MpiStep split_make(MpiCall *call)
{
    Creation *creation = call->state;
    MpiHandle handle = MPI_HANDLE(MPI_KIND_COMM, 0);
    MpiGroup *group = split_take(call, creation);
    if (group)
        handle = creation_make(call, creation, creation->colour, group)->handle;
    mpi_store_handle(call, call->args[3], handle);
    return MPI_STEP_DONE;
}

MpiStep mpi_do_Comm_split(MpiCall *call)
{
    enum { TOLD_BYTES = 16 }; /* colour and key, as two 64-bit words */
    MpiComm *comm;
    MpiStep step;
    int colour = mpi_int(call, 1), key = mpi_int(call, 2);
    if (!mpi_check_comm(call, 0, &comm, &step) || !mpi_check_result(call, 3, 8, &step))
        return step;
    if (colour < 0 && colour != MPI_UNDEFINED_)
        return mpi_call_error(call, comm, MPI_ERR_ARG,
                              "argument 2, the colour, is %d; it is not negative, or MPI_UNDEFINED", colour);
    if (!mpi_check_collective(call, comm, -1, &step))
        return step;
    Creation *creation = creation_begin(call, comm);
    creation->colour = colour;
    split_enter(call, creation, key);
    return mpi_call_agree(call, comm, TOLD_BYTES, split_make);
}

/* -- free ------------------------------------------------------------------------------------------------------------
 */

static MpiStep free_finish(MpiCall *call)
{
    MpiComm *comm = call->state;
    if (call->callback_error != MPI_SUCCESS)
        return mpi_call_error(call, comm, call->callback_error,
                              "an attribute's delete function returned error %d, so the communicator stays",
                              call->callback_error);
    if (comm->freed)
        return mpi_call_error(call, NULL, MPI_ERR_COMM,
                              "an attribute's delete function has freed the communicator already");
    mpi_store_handle(call, call->args[0], MPI_HANDLE(MPI_KIND_COMM, 0));
    comm->freed = true;
    mpi_unregister(call->rank, comm->handle);
    mpi_comm_unref(comm); /* goes away when pending operations are complete */
    return MPI_STEP_DONE;
}

static void unref_state(void *state)
{
    mpi_comm_unref(state);
}

MpiStep mpi_do_Comm_free(MpiCall *call)
{
    MpiStep step;
    MpiHandle handle;
    if (!mpi_check_result(call, 0, 8, &step))
        return step;
    memcpy(&handle, vm_rank_read(call->process, call->args[0], 8), 8);
    MpiComm *comm = mpi_lookup(call->rank, MPI_KIND_COMM, handle);
    if (!comm)
        return mpi_call_error(call, NULL, MPI_ERR_COMM, "the variable does not hold a communicator");
    if ((uint32_t)handle < MPI_FIRST_USER_INDEX)
        return mpi_call_error(call, comm, MPI_ERR_COMM, "%s cannot be freed", comm->name);
    call->state = comm;
    call->state_free = unref_state;
    comm->refs++;
    return mpi_attributes_delete(call, comm, free_finish);
}
