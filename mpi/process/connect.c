/* connect.c - leaders of two groups who look for each other; MPI_Comm_accept, MPI_Comm_connect and MPI_Comm_join
 * (MPI-4.1 sections 11.9.1 and 11.10.4).
 *
 * Who comes first waits for a message; who comes second knows the first and sends it, then waits for the answer:
 *
 *      first     waits ............................ learns of the second, answers ... tells its group
 *      second                  finds the first --->                      ----------> tells its group
 *
 * Several that wait are found in the order in which they came. */
#include "mpi/collective/share.h"
#include "mpi/core/handlers.h"
#include "mpi/core/handles.h"
#include "mpi/core/rank.h"
#include "mpi/core/slots.h"
#include "mpi/core/stores.h"
#include "mpi/core/world.h"
#include "mpi/p2p/p2p.h"
#include "mpi/process/ports.h"
#include "mpi/process/process.h"

#include <string.h>

enum { ACCEPT, CONNECT };
enum { GREETING_BYTES = 64 };

/* -- leaders ------------------------------------------------------------------------------------------- */

static void leader_free(void *item)
{
    MpiLeader *leader = item;
    mpi_group_unref(leader->expected);
    g_free((char *)leader->key);
    g_free(leader);
}

static void leaders_free(void *item)
{
    g_ptr_array_set_free_func(item, leader_free);
    g_ptr_array_unref(item);
}

GHashTable *mpi_connect_waiting_new(void)
{
    return g_hash_table_new_full(g_str_hash, g_str_equal, g_free, leaders_free);
}

/* Who gives up first comes first. */
static gint by_expiry(gconstpointer a, gconstpointer b, gpointer user)
{
    const MpiLeader *one = a, *other = b;
    (void)user;
    if (one->expiry_ps != other->expiry_ps)
        return one->expiry_ps < other->expiry_ps ? -1 : 1;
    return one->number < other->number ? -1 : one->number > other->number;
}

static void add_waiting(MpiUniverse *universe, MpiLeader *leader)
{
    GPtrArray *leaders = g_hash_table_lookup(universe->waiting, leader->key);
    if (!leaders) {
        leaders = g_ptr_array_new();
        g_hash_table_insert(universe->waiting, g_strdup(leader->key), leaders);
    }
    leader->number = universe->next_leader++;
    g_ptr_array_add(leaders, leader);
    if (leader->expiry_ps != UINT64_MAX)
        leader->patience = g_sequence_insert_sorted(universe->patient, leader, by_expiry, NULL);
}

/* Takes number `i` out of those who wait with the same key. */
static MpiLeader *take_waiting(MpiUniverse *universe, GPtrArray *leaders, guint i)
{
    MpiLeader *leader = g_ptr_array_steal_index(leaders, i);
    if (leader->patience)
        g_sequence_remove(leader->patience);
    if (!leaders->len)
        g_hash_table_remove(universe->waiting, leader->key);
    return leader;
}

static bool same_group(const MpiGroup *a, const MpiGroup *b)
{
    bool same = a->size == b->size;
    for (uint32_t i = 0; same && a != b && i < a->size; i++)
        same = mpi_group_world_rank(a, i) == mpi_group_world_rank(b, i);
    return same;
}

/* Whether the two, who have the same key, look for each other. */
static bool fit(const MpiLeader *a, const MpiLeader *b)
{
    if ((a->role < 0) != (b->role < 0))
        return false;
    return a->role >= 0 ? a->role != b->role
                        : same_group(a->expected, b->end->group) && same_group(b->expected, a->end->group);
}

static bool has_failed(const MpiWorld *world, const MpiLeader *leader)
{
    return mpi_world_rank(world, leader->rank)->failed;
}

static MpiLeader *take_fitting(MpiWorld *world, const MpiLeader *leader)
{
    MpiUniverse *universe = mpi_universe(world);
    GPtrArray *leaders = g_hash_table_lookup(universe->waiting, leader->key);
    for (guint i = 0; leaders && i < leaders->len; i++)
        if (!has_failed(world, leaders->pdata[i]) && fit(leaders->pdata[i], leader))
            return take_waiting(universe, leaders, i);
    return NULL;
}

static void greet(MpiCall *call, uint32_t other, int tag)
{
    MpiBuffer greeting = {.count = GREETING_BYTES};
    mpi_request_release(
        mpi_p2p_start_send(call, MPI_MODE_STANDARD, &greeting, mpi_process_universe(call), (int)other, tag, true));
}

static MpiRequest *expect_greeting(MpiCall *call, int other, int tag)
{
    MpiBuffer greeting = {.count = GREETING_BYTES};
    MpiRequest *request = mpi_p2p_start_recv(call, &greeting, mpi_process_universe(call), other, tag, true);
    mpi_union_await(call->state, request);
    return request;
}

static int64_t common_member(const MpiGroup *a, MpiGroup *b)
{
    for (uint32_t i = 0; i < a->size; i++)
        if (mpi_group_find(b, mpi_group_world_rank(a, i)) >= 0)
            return mpi_group_world_rank(a, i);
    return -1;
}

/* Both ends know what the other side is. The one that waited comes first in the order of both. */
static void unite(MpiWorld *world, MpiEnd *first, MpiEnd *second)
{
    int64_t both = common_member(first->group, second->group);
    if (both >= 0) {
        mpi_union_end_fail(first, MPI_ERR_COMM,
                           "rank %" G_GINT64_FORMAT " is in both groups; a process is in one of them", both);
        mpi_union_end_fail(second, MPI_ERR_COMM,
                           "rank %" G_GINT64_FORMAT " is in both groups; a process is in one of them", both);
        return;
    }
    first->context = second->context = world->next_context;
    world->next_context += 2;
    first->remote = mpi_group_ref(second->group);
    second->remote = mpi_group_ref(first->group);
    first->low = true;
}

static MpiStep first_is_found(MpiCall *call)
{
    const MpiUnion *joining = call->state;
    if (joining->found) /* else the port was closed */
        greet(call, joining->found_rank, joining->tag);
    return mpi_union_tell(call);
}

MpiStep mpi_connect_meet(MpiCall *call, const char *key, int role, MpiGroup *expected)
{
    MpiUniverse *universe = mpi_universe(call->world);
    MpiUnion *joining = call->state;
    MpiLeader self = {.rank = call->rank->index, .key = key, .role = role, .end = joining->end, .expected = expected};
    MpiLeader *first = take_fitting(call->world, &self);
    if (first) {
        int tag = first->joining->tag, other = (int)first->rank;
        first->joining->found = true;
        first->joining->found_rank = call->rank->index;
        unite(call->world, first->end, joining->end);
        leader_free(first);
        greet(call, (uint32_t)other, tag);
        MpiRequest *answer = expect_greeting(call, other, tag);
        return mpi_call_wait(call, &answer, 1, mpi_union_tell);
    }
    joining->tag = (int)universe->next_tag++;
    MpiLeader *leader = g_new0(MpiLeader, 1);
    *leader = self;
    leader->joining = joining;
    leader->key = g_strdup(key);
    leader->expected = expected ? mpi_group_ref(expected) : NULL;
    leader->expiry_ps = joining->patience_ps ? call->now + joining->patience_ps : UINT64_MAX;
    leader->wait = expect_greeting(call, MPI_ANY_SOURCE_, joining->tag);
    add_waiting(universe, leader);
    return mpi_call_wait(call, &leader->wait, 1, first_is_found);
}

static bool may_give_up(const MpiWorld *world, const MpiLeader *leader)
{
    return !has_failed(world, leader) && mpi_error_handler_of(leader->joining->local)->sort != MPI_HANDLER_FATAL;
}

bool mpi_connect_give_up(MpiWorld *world, uint64_t time_ps)
{
    MpiUniverse *universe = mpi_world_slot(world, MPI_SLOT_UNIVERSE);
    GSequenceIter *at = universe ? g_sequence_get_begin_iter(universe->patient) : NULL;
    while (at && !g_sequence_iter_is_end(at) && !may_give_up(world, g_sequence_get(at)))
        at = g_sequence_iter_next(at);
    if (!at || g_sequence_iter_is_end(at))
        return false;
    MpiLeader *leader = g_sequence_get(at);
    GPtrArray *leaders = g_hash_table_lookup(universe->waiting, leader->key);
    guint index = 0;
    while (leaders->pdata[index] != leader)
        index++;
    take_waiting(universe, leaders, index);
    MpiCall *call = mpi_world_rank(world, leader->rank)->call;
    mpi_union_end_fail(leader->end, MPI_ERR_PORT, "nobody has accepted at the port \"%s\" in time", leader->key);
    mpi_call_advance(call, MAX(leader->expiry_ps, time_ps));
    mpi_p2p_cancel(leader->wait); /* which completes it */
    mpi_call_settle(call);
    leader_free(leader);
    return true;
}

void mpi_connect_dismiss(MpiCall *call, const char *key)
{
    MpiUniverse *universe = mpi_universe(call->world);
    for (guint i = 0;;) {
        GPtrArray *leaders = g_hash_table_lookup(universe->waiting, key);
        if (!leaders || i == leaders->len)
            return;
        if (((MpiLeader *)leaders->pdata[i])->role < 0) {
            i++;
            continue;
        }
        MpiLeader *leader = take_waiting(universe, leaders, i);
        mpi_union_end_fail(leader->end, MPI_ERR_PORT, "the port \"%s\" was closed meanwhile", key);
        greet(call, leader->rank, leader->joining->tag);
        leader_free(leader);
    }
}

/* -- MPI_Comm_accept and MPI_Comm_connect ---------------------------------------------------------------- */

/* Returns how long a connection waits: the info key `timeout`, in seconds, or what the machine says. */
static uint64_t patience(const MpiCall *call)
{
    const MpiInfo *info = mpi_handle_lookup(call->rank, MPI_KIND_INFO, call->args[1]);
    const char *timeout = info ? mpi_info_get(info, "timeout") : NULL;
    uint64_t seconds = timeout ? MIN(g_ascii_strtoull(timeout, NULL, 10), 1000000) : 0;
    return seconds ? seconds * UINT64_C(1000000000000) : call->world->params.connect_timeout_ps;
}

/* The port's name and the info object are those of the root. */
static MpiStep meet_at_port(MpiCall *call, int role)
{
    MpiUnion *joining = call->state;
    const char *name = vm_rank_string(call->process, call->args[0]);
    if (!name)
        mpi_union_end_fail(joining->end, MPI_ERR_ARG, "argument 1, the name of the port, is not in memory");
    else if (call->args[1] != MPI_HANDLE(MPI_KIND_INFO, 0) &&
             call->args[1] != MPI_HANDLE(MPI_KIND_INFO, MPI_INFO_ENV_INDEX) &&
             !mpi_handle_lookup(call->rank, MPI_KIND_INFO, call->args[1]))
        mpi_union_end_fail(joining->end, MPI_ERR_INFO, "argument 2 is no info object; MPI_INFO_NULL stands for none");
    else if (!mpi_port_is_open(call->world, name))
        mpi_union_end_fail(joining->end, MPI_ERR_PORT,
                           "there is no port \"%.64s\"; it is what MPI_Open_port has returned%s", name,
                           role == CONNECT ? ", and MPI_Close_port not closed" : "");
    joining->patience_ps = role == CONNECT ? patience(call) : 0;
    return joining->end->error ? mpi_union_tell(call) : mpi_connect_meet(call, name, role, NULL);
}

static MpiStep join_at_port(MpiCall *call, int role)
{
    enum { ROOT = 2, COMM = 3, RESULT = 4 };
    MpiComm *comm;
    int root;
    MpiStep step;
    if (!mpi_check_comm(call, COMM, &comm, &step) || !mpi_check_intra(call, comm, &step) ||
        !mpi_check_root(call, comm, ROOT, &root, &step) || !mpi_check_result(call, RESULT, 8, &step) ||
        !mpi_share_check(call, comm, root, &step))
        return step;
    const MpiUnion *joining = mpi_union_new(call, comm, (uint32_t)root, RESULT);
    return joining->end ? meet_at_port(call, role) : mpi_union_tell(call);
}

MPI_HANDLER(Comm_accept, join_at_port(call, ACCEPT))
MPI_HANDLER(Comm_connect, join_at_port(call, CONNECT))

/* -- MPI_Comm_join ------------------------------------------------------------------------------------------ */

/* Simulated processes have no sockets, so no file descriptor is one end of a connection. */
MpiStep mpi_do_Comm_join(MpiCall *call)
{
    MpiStep step;
    if (!mpi_check_result(call, 1, 8, &step))
        return step;
    mpi_store_handle(call, call->args[1], MPI_HANDLE(MPI_KIND_COMM, 0));
    return mpi_call_error(call, NULL, MPI_ERR_ARG,
                          "file descriptor %d (argument 1) is no socket: simulated processes have none; "
                          "MPI_Comm_connect and MPI_Comm_accept join processes",
                          mpi_int(call, 0));
}
