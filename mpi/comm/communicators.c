/* communicators.c - communicators: making, freeing and inspecting them (MPI-3.1 sections 6.2 and 6.4).
 *
 * Each rank has its own view (MpiComm) of a communicator. The views share only a number, the context. The world gives
 * out new numbers. Members of one creation ask with the same (parent, sequence, colour) and get the same number, so
 * agreeing on it needs no messages. The exchange that a real library does still costs its time: dup and create run a
 * barrier, split runs an allgather of colours and keys. */
#include "mpi/comm/comm.h"
#include "mpi/core/call.h"
#include "mpi/core/function.h"
#include "mpi/core/handlers.h"
#include "mpi/core/handles.h"
#include "mpi/core/hooks.h"
#include "mpi/core/places.h"
#include "mpi/core/slots.h"
#include "mpi/core/stores.h"
#include "mpi/core/world.h"

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

/* Returns the table of ContextKey, each with its context number. */
static GHashTable *contexts_of(MpiWorld *world)
{
    return mpi_slots_table(world, MPI_SLOT_CONTEXTS, context_hash, context_equal, g_free, NULL);
}

uint32_t mpi_comm_new_contexts(MpiWorld *world, uint32_t parent, uint64_t sequence, int64_t colour, uint32_t n)
{
    ContextKey key = {.parent = parent, .sequence = sequence, .colour = colour};
    GHashTable *contexts = contexts_of(world);
    ContextKey *found = g_hash_table_lookup(contexts, &key);
    if (!found) {
        found = g_new(ContextKey, 1);
        *found = key;
        found->context = world->next_context;
        world->next_context += n;
        g_hash_table_add(contexts, found);
    }
    return found->context;
}

uint32_t mpi_comm_new_context(MpiWorld *world, uint32_t parent, uint64_t sequence, int64_t colour)
{
    return mpi_comm_new_contexts(world, parent, sequence, colour, 1);
}

/* -- life -------------------------------------------------------------------------------------- */

/* `name` must live as long as the program; NULL: no name. */
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

/* MPI_COMM_WORLD or MPI_COMM_SELF. NULL stands for MPI_ERRORS_ARE_FATAL as their first handler. */
static MpiComm *make_predefined(MpiRank *rank, uint32_t context, MpiGroup *group, uint32_t index, const char *name)
{
    MpiComm *comm = comm_make(rank, context, group, name);
    MpiErrhandler *initial = mpi_error_initial_handler(rank);
    comm->handle = MPI_HANDLE(MPI_KIND_COMM, index);
    comm->errhandler = initial->sort == MPI_HANDLER_FATAL ? NULL : initial;
    return comm;
}

/* What is remembered about a communicator after its members have freed it. */
typedef struct Birth {
    uint32_t rank, made_pc, made_by;
    char *name;
} Birth;

/* Births by context. Ranks on other threads look them up in LOCAL calls while one is added. Looked up and never
 * iterated. */
typedef struct Births {
    GMutex lock;
    GHashTable *table;
} Births;

static void birth_free(gpointer data)
{
    g_free(((Birth *)data)->name);
    g_free(data);
}

static void births_free(void *data)
{
    Births *births = data;
    g_mutex_clear(&births->lock);
    g_hash_table_unref(births->table);
    g_free(births);
}

/* Remembers a communicator with this context, unless there is one. */
static void add_birth(Births *births, uint32_t context, Birth birth)
{
    g_mutex_lock(&births->lock);
    if (!g_hash_table_contains(births->table, GUINT_TO_POINTER(context)))
        g_hash_table_insert(births->table, GUINT_TO_POINTER(context), g_memdup2(&birth, sizeof birth));
    else
        g_free(birth.name);
    g_mutex_unlock(&births->lock);
}

static void add_predefined(Births *births, uint32_t context, const char *name)
{
    add_birth(births, context, (Birth){.name = g_strdup(name)});
}

/* Makes the table with the world, since LOCAL calls look it up. */
static void births_begin(MpiWorld *world)
{
    Births *births = g_new0(Births, 1);
    g_mutex_init(&births->lock);
    births->table = g_hash_table_new_full(NULL, NULL, NULL, birth_free);
    mpi_world_set_slot(world, MPI_SLOT_BIRTHS, births, births_free);
    add_predefined(births, MPI_COMM_WORLD_INDEX, "MPI_COMM_WORLD");
    add_predefined(births, MPI_COMM_SELF_INDEX, "MPI_COMM_SELF");
}

const MpiPart mpi_part_births = {.begin = births_begin};

static Births *births_of(const MpiWorld *world)
{
    return mpi_world_slot(world, MPI_SLOT_BIRTHS);
}

static void note_birth(const MpiComm *comm)
{
    add_birth(births_of(comm->owner->world), comm->context,
              (Birth){.rank = comm->owner->index, .made_pc = comm->made_pc, .made_by = comm->made_by});
}

/* Lets the name that the program gave outlive the communicator. */
static void note_name(const MpiComm *comm)
{
    Births *births = births_of(comm->owner->world);
    g_mutex_lock(&births->lock);
    Birth *birth = g_hash_table_lookup(births->table, GUINT_TO_POINTER(comm->context));
    if (birth && !birth->name)
        birth->name = g_strdup(comm->name);
    g_mutex_unlock(&births->lock);
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

void mpi_append_comm_context(GString *out, const MpiRank *rank, uint32_t context)
{
    const MpiComm *comm = mpi_find_comm(rank, context);
    if (comm) {
        mpi_append_comm(out, comm);
        return;
    }
    Births *births = births_of(rank->world);
    g_mutex_lock(&births->lock);
    const Birth *birth = g_hash_table_lookup(births->table, GUINT_TO_POINTER(context));
    if (!birth)
        g_string_append(out, "a communicator of the library");
    else if (birth->name)
        g_string_append(out, birth->name);
    else
        append_birth(out, rank->world, birth->rank, birth->made_pc, birth->made_by);
    g_mutex_unlock(&births->lock);
}

static MpiComm *make_registered(MpiCall *call, uint32_t context, MpiGroup *group, const char *name)
{
    MpiComm *comm = comm_make(call->rank, context, group, name);
    comm->made_pc = call->pc;
    comm->made_by = call->function;
    comm->handle = mpi_handle_register(call, MPI_KIND_COMM, comm);
    note_birth(comm);
    return comm;
}

static MpiComm *tell_made(MpiComm *comm)
{
    const MpiWorld *world = comm->owner->world;
    if (mpi_world_has_grown(world))
        world->upper->comm_made(comm);
    return comm;
}

MpiComm *mpi_comm_new(MpiCall *call, uint32_t context, MpiGroup *group, const char *name)
{
    return tell_made(make_registered(call, context, group, name));
}

MpiComm *mpi_comm_hidden(MpiRank *rank, uint32_t context, MpiGroup *group, uint32_t at)
{
    MpiComm *comm = comm_make(rank, context, group, NULL);
    g_assert(mpi_group_world_rank(group, at) == rank->index);
    comm->rank = at;
    return comm;
}

static void free_list(gpointer list)
{
    g_ptr_array_unref(list);
}

void mpi_comm_list(MpiComm *comm, const char *name)
{
    GPtrArray *list = mpi_rank_slot(comm->owner, MPI_RANK_SLOT_LISTED);
    if (!list) {
        list = g_ptr_array_new();
        mpi_rank_set_slot(comm->owner, MPI_RANK_SLOT_LISTED, list, free_list);
    }
    g_ptr_array_add(list, comm);
    comm->listed = true;
    comm->name = g_strdup(name);
    comm->named = true;
}

MpiComm *mpi_comm_new_inter(MpiCall *call, uint32_t context, MpiGroup *group, MpiGroup *remote, bool low)
{
    MpiComm *comm = make_registered(call, context, group, NULL);
    comm->inter = g_new0(MpiInter, 1);
    comm->inter->remote = remote;
    comm->inter->local = comm_make(call->rank, context + 1, mpi_group_ref(group), NULL);
    comm->inter->low = low;
    return tell_made(comm);
}

void mpi_comm_unref(MpiComm *comm)
{
    if (--comm->refs)
        return;
    if (comm->listed)
        g_ptr_array_remove(mpi_rank_slot(comm->owner, MPI_RANK_SLOT_LISTED), comm);
    if (comm->named)
        note_name(comm);
    mpi_group_unref(comm->group);
    if (comm->inter) {
        mpi_group_unref(comm->inter->remote);
        mpi_comm_unref(comm->inter->local);
        g_free(comm->inter);
    }
    if (comm->topology)
        mpi_comm_topology_unref(comm->topology);
    mpi_error_handler_unref(comm->errhandler);
    mpi_info_free(comm->hints);
    g_free(comm->attached);
    if (comm->named)
        g_free((char *)comm->name);
    g_free(comm->turns);
    g_free(comm);
}

void mpi_comm_begin_world(MpiRank *rank, uint32_t context, MpiGroup *group)
{
    add_predefined(births_of(rank->world), context, "MPI_COMM_WORLD");
    rank->world_comm = make_predefined(rank, context, group, MPI_COMM_WORLD_INDEX, "MPI_COMM_WORLD");
}

MpiComm *mpi_rank_world_comm(MpiRank *rank)
{
    if (!rank->world_comm)
        rank->world_comm = make_predefined(rank, MPI_COMM_WORLD_INDEX, mpi_group_ref(rank->world->world_group),
                                           MPI_COMM_WORLD_INDEX, "MPI_COMM_WORLD");
    return rank->world_comm;
}

/* The MPI_COMM_SELF of all ranks share a context number: no message of one rank's can reach another's. */
MpiComm *mpi_rank_self_comm(MpiRank *rank)
{
    if (!rank->self_comm) {
        uint32_t *ranks = g_new(uint32_t, 1);
        ranks[0] = rank->index;
        rank->self_comm =
            make_predefined(rank, MPI_COMM_SELF_INDEX, mpi_group_new(1, ranks), MPI_COMM_SELF_INDEX, "MPI_COMM_SELF");
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

MPI_HANDLER(Comm_rank, store_about_comm(call, false))
MPI_HANDLER(Comm_size, store_about_comm(call, true))

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

MpiStep mpi_do_Comm_get_name(MpiCall *call)
{
    MpiComm *comm;
    MpiStep step;
    return mpi_check_comm(call, 0, &comm, &step) ? mpi_argument_give_name(call, comm->name) : step;
}

MpiStep mpi_do_Comm_set_name(MpiCall *call)
{
    MpiComm *comm;
    MpiStep step;
    if (!mpi_check_comm(call, 0, &comm, &step))
        return step;
    char *name = mpi_argument_take_name(call, comm, &step);
    if (!name)
        return step;
    if (comm->named)
        g_free((char *)comm->name);
    comm->name = name;
    comm->named = true;
    return MPI_STEP_DONE;
}

/* -- finding ------------------------------------------------------------------------------------ */

const MpiComm *mpi_find_comm(const MpiRank *rank, uint32_t context)
{
    if (rank->world_comm && rank->world_comm->context == context)
        return rank->world_comm;
    for (uint32_t i = 0; i < rank->handles.count; i++) {
        const MpiHandleEntry *entry = &rank->handles.entries[i];
        if (entry->object && entry->kind == MPI_KIND_COMM && ((const MpiComm *)entry->object)->context == context)
            return entry->object;
        const MpiRaiser *window = entry->kind == MPI_KIND_WIN ? entry->object : NULL;
        if (window && window->comm->context == context)
            return window->comm;
    }
    const GPtrArray *list = mpi_rank_slot(rank, MPI_RANK_SLOT_LISTED);
    for (guint i = 0; list && i < list->len; i++)
        if (((const MpiComm *)list->pdata[i])->context == context)
            return list->pdata[i];
    return NULL;
}

/* -- topologies, which communicators hold ------------------------------------------------------- */

MpiTopology *mpi_comm_topology_ref(MpiTopology *topology)
{
    g_atomic_int_inc(&topology->refs);
    return topology;
}

void mpi_comm_topology_unref(MpiTopology *topology)
{
    if (topology && g_atomic_int_dec_and_test(&topology->refs)) {
        g_free(topology->dims);
        g_free(topology->index);
        g_free(topology->sources);
        g_free(topology);
    }
}
