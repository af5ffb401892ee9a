/* communicators.c - communicators: their life, and the calls that make them (MPI-3.1 sections 6.2 and 6.4).
 *
 * A communicator is per rank a view (MpiComm) of something that all members share only by its number, the context.
 * New numbers come from the world: members of one creation ask with the same (parent, sequence, colour) and get the
 * same number, so agreeing on it needs no messages of its own. The cost of the exchange that a real library does is
 * there nonetheless: dup and create run a barrier, split an allgather of colours and keys. */
#include "mpi/comm/creation.h"
#include "mpi/comm/info.h"

#include <string.h>

/* -- contexts ---------------------------------------------------------------------------------- */

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

/* An inter-communicator needs two. */
static uint32_t new_contexts(MpiWorld *world, uint32_t parent, uint64_t sequence, int64_t colour, uint32_t n)
{
    ContextKey key = {.parent = parent, .sequence = sequence, .colour = colour};
    ContextKey *found = g_hash_table_lookup(world->contexts, &key);
    if (!found) {
        found = g_new(ContextKey, 1);
        *found = key;
        found->context = world->next_context;
        world->next_context += n;
        g_hash_table_add(world->contexts, found);
    }
    return found->context;
}

uint32_t mpi_world_new_context(MpiWorld *world, uint32_t parent, uint64_t sequence, int64_t colour)
{
    return new_contexts(world, parent, sequence, colour, 1);
}

/* -- life -------------------------------------------------------------------------------------- */

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

/* What can still be said of a communicator when its members have freed it. */
typedef struct Birth {
    uint32_t rank, made_pc, made_by;
    char *name;
} Birth;

static void birth_free(gpointer data)
{
    g_free(((Birth *)data)->name);
    g_free(data);
}

static void add_predefined(GHashTable *births, uint32_t context, const char *name)
{
    Birth *birth = g_new0(Birth, 1);
    birth->name = g_strdup(name);
    g_hash_table_insert(births, GUINT_TO_POINTER(context), birth);
}

GHashTable *mpi_births_new(void)
{
    GHashTable *births = g_hash_table_new_full(NULL, NULL, NULL, birth_free);
    add_predefined(births, MPI_COMM_WORLD_INDEX, "MPI_COMM_WORLD");
    add_predefined(births, MPI_COMM_SELF_INDEX, "MPI_COMM_SELF");
    return births;
}

static Birth *birth_of(const MpiWorld *world, uint32_t context)
{
    return g_hash_table_lookup(world->births, GUINT_TO_POINTER(context));
}

static void note_birth(const MpiComm *comm)
{
    const MpiWorld *world = comm->owner->world;
    if (birth_of(world, comm->context))
        return;
    Birth *birth = g_new(Birth, 1);
    *birth = (Birth){.rank = comm->owner->index, .made_pc = comm->made_pc, .made_by = comm->made_by};
    g_hash_table_insert(world->births, GUINT_TO_POINTER(comm->context), birth);
}

static void append_birth(GString *out, const MpiWorld *world, uint32_t rank, uint32_t pc, uint32_t function)
{
    g_string_append_printf(out, "the communicator that %s made at ", mpi_function(function)->info.name);
    mpi_append_place(out, mpi_world_rank(world, rank)->process, pc);
}

void mpi_append_comm(GString *out, const MpiComm *comm)
{
    if (comm->name)
        g_string_append(out, comm->name);
    else if (comm->made_pc == VCODE_NONE)
        g_string_append(out, "a communicator of the library");
    else
        append_birth(out, comm->owner->world, comm->owner->index, comm->made_pc, comm->made_by);
}

void mpi_append_context(GString *out, const MpiRank *rank, uint32_t context)
{
    const MpiComm *comm = mpi_find_comm(rank, context);
    const Birth *birth = birth_of(rank->world, context);
    if (comm)
        mpi_append_comm(out, comm);
    else if (!birth)
        g_string_append(out, "a communicator of the library");
    else if (birth->name)
        g_string_append(out, birth->name);
    else
        append_birth(out, rank->world, birth->rank, birth->made_pc, birth->made_by);
}

MpiComm *mpi_comm_new(MpiCall *call, uint32_t context, MpiGroup *group, const char *name)
{
    MpiComm *comm = comm_make(call->rank, context, group, name);
    comm->made_pc = call->pc;
    comm->made_by = call->function;
    comm->handle = mpi_register(call, MPI_KIND_COMM, comm);
    note_birth(comm);
    return comm;
}

MpiComm *mpi_comm_hidden(MpiRank *rank, uint32_t context, MpiGroup *group, uint32_t at)
{
    MpiComm *comm = comm_make(rank, context, group, NULL);
    g_assert(mpi_group_world_rank(group, at) == rank->index);
    comm->rank = at;
    return comm;
}

MpiComm *mpi_intercomm_new(MpiCall *call, uint32_t context, MpiGroup *group, MpiGroup *remote, bool low)
{
    MpiComm *comm = mpi_comm_new(call, context, group, NULL);
    comm->inter = g_new0(MpiInter, 1);
    comm->inter->remote = remote;
    comm->inter->local = comm_make(call->rank, context + 1, mpi_group_ref(group), NULL);
    comm->inter->low = low;
    return comm;
}

void mpi_comm_unref(MpiComm *comm)
{
    if (--comm->refs)
        return;
    Birth *birth = comm->named ? birth_of(comm->owner->world, comm->context) : NULL;
    if (birth && !birth->name)
        birth->name = g_strdup(comm->name);
    mpi_group_unref(comm->group);
    if (comm->inter) {
        mpi_group_unref(comm->inter->remote);
        mpi_comm_unref(comm->inter->local);
        g_free(comm->inter);
    }
    if (comm->topology)
        mpi_topology_unref(comm->topology);
    mpi_errhandler_unref(comm->errhandler);
    mpi_info_free(comm->hints);
    if (comm->named)
        g_free((char *)comm->name);
    g_free(comm->turns);
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

/* -- LOCAL functions --------------------------------------------------------------------------- */

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
    int result = !a->inter != !b->inter ? MPI_UNEQUAL_ : compare_groups(a->group, b->group);
    if (a->inter && result != MPI_UNEQUAL_)
        result = MAX(result, compare_groups(a->inter->remote, b->inter->remote));
    mpi_store_int(call, call->args[2], a == b ? MPI_IDENT_ : result);
    return MPI_STEP_DONE;
}

MpiStep mpi_do_Comm_test_inter(MpiCall *call)
{
    MpiComm *comm;
    MpiStep step;
    if (!mpi_check_comm(call, 0, &comm, &step) || !mpi_check_result(call, 1, 4, &step))
        return step;
    mpi_store_int(call, call->args[1], comm->inter != NULL);
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

/* -- dup --------------------------------------------------------------------------------------- */

static void creation_free(void *state)
{
    MpiCreation *creation = state;
    if (creation->group)
        mpi_group_unref(creation->group);
    mpi_info_free(creation->hints);
    mpi_comm_unref(creation->parent);
    g_free(creation);
}

MpiCreation *mpi_creation_begin(MpiCall *call, MpiComm *parent, unsigned result)
{
    MpiCreation *creation = g_new0(MpiCreation, 1);
    creation->parent = parent;
    parent->refs++; /* callbacks may free it */
    creation->turn = mpi_comm_turn(call, parent);
    creation->result = result;
    call->state = creation;
    call->state_free = creation_free;
    return creation;
}

/* New communicators inherit the error handler of the old one (section 8.3). */
MpiComm *mpi_creation_make(MpiCall *call, MpiCreation *creation, int64_t colour, MpiGroup *group, MpiGroup *remote)
{
    MpiComm *parent = creation->parent;
    uint32_t context = new_contexts(call->world, parent->context, creation->turn, colour, remote ? 2 : 1);
    MpiComm *made = remote ? mpi_intercomm_new(call, context, group, remote, parent->inter->low)
                           : mpi_comm_new(call, context, group, NULL);
    if (parent->errhandler)
        made->errhandler = mpi_errhandler_ref(parent->errhandler);
    creation->made = made;
    return made;
}

MpiStep mpi_creation_refused(MpiCall *call, const MpiCreation *creation)
{
    MpiComm *made = creation->made;
    mpi_attributes_drop(made);
    mpi_unregister(call->rank, made->handle);
    mpi_comm_unref(made);
    mpi_store_handle(call, call->args[creation->result], MPI_HANDLE(MPI_KIND_COMM, 0));
    return mpi_call_error(call, creation->parent, call->callback_error,
                          "an attribute's copy function returned error %d, so there is no new communicator",
                          call->callback_error);
}

MpiStep mpi_creation_duplicate(MpiCall *call, MpiCreation *creation, MpiHandler then)
{
    MpiComm *parent = creation->parent;
    MpiGroup *remote = parent->inter ? mpi_group_ref(parent->inter->remote) : NULL;
    MpiComm *made = mpi_creation_make(call, creation, 0, mpi_group_ref(parent->group), remote);
    if (parent->topology)
        made->topology = mpi_topology_ref(parent->topology);
    made->hints = g_steal_pointer(&creation->hints);
    return mpi_attributes_copy(call, parent, made, then);
}

static MpiStep dup_finish(MpiCall *call)
{
    const MpiCreation *creation = call->state;
    if (call->callback_error != MPI_SUCCESS)
        return mpi_creation_refused(call, creation);
    mpi_store_handle(call, call->args[creation->result], creation->made->handle);
    return MPI_STEP_DONE;
}

static MpiStep dup_make(MpiCall *call)
{
    return mpi_creation_duplicate(call, call->state, dup_finish);
}

MpiStep mpi_call_synchronize(MpiCall *call, MpiComm *comm, MpiHandler then)
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
    mpi_creation_begin(call, comm, result)->hints = hints;
    return mpi_call_synchronize(call, comm, dup_make);
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

/* -- create ------------------------------------------------------------------------------------ */

static MpiStep create_make(MpiCall *call)
{
    MpiCreation *creation = call->state;
    MpiHandle handle = MPI_HANDLE(MPI_KIND_COMM, 0);
    if (mpi_group_find(creation->group, call->rank->index) >= 0) {
        /* Members may name disjoint groups in one call (section 6.4.2): the first member tells them apart. */
        int64_t colour = mpi_group_world_rank(creation->group, 0);
        handle = mpi_creation_make(call, creation, colour, mpi_group_ref(creation->group), NULL)->handle;
    }
    mpi_store_handle(call, call->args[2], handle);
    return MPI_STEP_DONE;
}

bool mpi_check_members(MpiCall *call, MpiComm *comm, unsigned arg, MpiGroup **group, MpiStep *step)
{
    *group = mpi_lookup(call->rank, MPI_KIND_GROUP, call->args[arg]);
    if (!*group) {
        *step = mpi_call_error(call, comm, MPI_ERR_GROUP, "argument %u is not a group", arg + 1);
        return false;
    }
    for (uint32_t i = 0; i < (*group)->size; i++) {
        uint32_t member = mpi_group_world_rank(*group, i);
        if (mpi_group_find(comm->group, member) >= 0)
            continue;
        *step = mpi_call_error(call, comm, MPI_ERR_GROUP,
                               "rank %u of MPI_COMM_WORLD is in the group but not in the communicator", member);
        return false;
    }
    return true;
}

MpiStep mpi_do_Comm_create(MpiCall *call)
{
    MpiComm *comm;
    MpiStep step;
    MpiGroup *group;
    if (!mpi_check_comm(call, 0, &comm, &step) || !mpi_check_result(call, 2, 8, &step) ||
        !mpi_check_members(call, comm, 1, &group, &step) || !mpi_check_collective(call, comm, -1, &step))
        return step;
    MpiCreation *creation = mpi_creation_begin(call, comm, 2);
    if (!comm->inter) {
        creation->group = mpi_group_ref(group);
        return mpi_call_synchronize(call, comm, create_make);
    }
    /* Both sides choose members, who keep the order of their group. */
    int place = mpi_group_find(group, call->rank->index);
    creation->colour = place < 0 ? MPI_UNDEFINED_ : 0;
    mpi_split_enter(call, creation, place);
    return mpi_call_agree(call, comm, MPI_SPLIT_BYTES, mpi_split_finish);
}

/* -- free -------------------------------------------------------------------------------------- */

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

bool mpi_comm_free_parse(MpiCall *call, MpiComm **comm, MpiStep *step)
{
    MpiHandle handle;
    if (!mpi_check_result(call, 0, 8, step))
        return false;
    memcpy(&handle, vm_rank_read(call->process, call->args[0], 8), 8);
    *comm = mpi_lookup(call->rank, MPI_KIND_COMM, handle);
    if (*comm && (uint32_t)handle >= MPI_FIRST_USER_INDEX)
        return true;
    if (*comm)
        *step = mpi_call_error(call, *comm, MPI_ERR_COMM, "%s cannot be freed", (*comm)->name);
    else
        *step = mpi_call_error(call, NULL, MPI_ERR_COMM, "the variable does not hold a communicator");
    return false;
}

MpiStep mpi_comm_free_begin(MpiCall *call, MpiComm *comm)
{
    if (!call->state) {
        call->state = comm;
        call->state_free = unref_state;
        comm->refs++;
    }
    return mpi_attributes_delete(call, comm, free_finish);
}

MpiStep mpi_do_Comm_free(MpiCall *call)
{
    MpiStep step;
    MpiComm *comm;
    return mpi_comm_free_parse(call, &comm, &step) ? mpi_comm_free_begin(call, comm) : step;
}
