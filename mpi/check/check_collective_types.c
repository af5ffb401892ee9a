/* check_collective_types.c - checks that the members of a communicator describe the same data in a collective (MPI-3.1
 * chapter 5: "the type signature associated with ... must be equal to ...").
 *
 * The data of collectives travel packed, and not directly from sender to receiver, so messages cannot be compared.
 * Instead each member *claims*, when it calls, what it sends or receives on each channel of the operation:
 *
 *      MPI_Bcast       one channel: the root and all others claim the same
 *      MPI_Allgatherv  a channel for each member: what it gives, all others expect
 *      MPI_Alltoallv   a channel for each pair: what one sends, the other receives
 *
 * The first claim of a channel is kept until the last member has come; every other one is compared with it. A channel
 * between two members is over with its second claim. A member that moves no data claims nothing, so a claim that has no
 * partner at the end is a mismatch, too. The check runs only under --check=signatures. */
#include "mpi/collective/collective.h"
#include "mpi/collective/schedule.h"
#include "mpi/comm/comm.h"
#include "mpi/core/call.h"
#include "mpi/core/findings.h"
#include "mpi/core/hooks.h"
#include "mpi/core/places.h"
#include "mpi/core/rank.h"
#include "mpi/core/slots.h"
#include "mpi/core/world.h"
#include "mpi/type/type.h"

#include <string.h>

enum { ALL = UINT32_MAX }; /* stands for all ranks instead of one */

typedef struct Channel {
    uint32_t from, to; /* world ranks, or ALL */
    uint32_t number;   /* between two ranks: counts their channels; else tells directions apart */
} Channel;

typedef struct Claim {
    Channel channel; /* first member: the key in tables */
    MpiType *type;   /* referenced; NULL: only the source location matters */
    uint64_t count;
    uint32_t rank, pc;
    bool sends;
} Claim;

typedef struct Occasion {
    MpiOccasion at; /* first member: the key in tables */
    GHashTable *claims;
    uint32_t entered;
} Occasion;

/* -- tables ------------------------------------------------------------------------------------ */

static guint channel_hash(gconstpointer key)
{
    const Channel *channel = key;
    uint64_t pair = (uint64_t)channel->from << 32 | channel->to;
    return (guint)((pair ^ channel->number) * UINT64_C(0x9e3779b97f4a7c15) >> 32);
}

static gboolean channel_equal(gconstpointer a, gconstpointer b)
{
    return memcmp(a, b, sizeof(Channel)) == 0;
}

static void claim_free(gpointer claim)
{
    if (((Claim *)claim)->type)
        mpi_type_unref(((Claim *)claim)->type);
    g_free(claim);
}

static void occasion_free(gpointer occasion)
{
    g_hash_table_unref(((Occasion *)occasion)->claims);
    g_free(occasion);
}

static Occasion *occasion_of(MpiWorld *world, const MpiComm *comm)
{
    GHashTable *claims = mpi_world_slot(world, MPI_SLOT_CLAIMS); /* for lookup, never iterated */
    MpiOccasion at = {comm->context, comm->collective_sequence};
    Occasion *occasion = g_hash_table_lookup(claims, &at);
    if (occasion)
        return occasion;
    occasion = g_new(Occasion, 1);
    *occasion = (Occasion){.at = at, .claims = g_hash_table_new_full(channel_hash, channel_equal, NULL, claim_free)};
    g_hash_table_add(claims, occasion);
    return occasion;
}

/* -- comparing --------------------------------------------------------------------------------- */

static uint64_t claim_bytes(const Claim *claim)
{
    return claim->count * claim->type->size;
}

static void append_claim(GString *out, const MpiCall *call, const Claim *claim)
{
    VmRank *process = mpi_world_rank(call->world, claim->rank)->process;
    g_string_append_printf(out, "rank %u %s ", claim->rank, claim->sends ? "gives" : "expects");
    mpi_append_type_items(out, claim->type, claim->count, process);
    g_string_append(out, " (");
    mpi_append_call_place(out, process, NULL, claim->pc);
    g_string_append_c(out, ')');
}

static MpiStep mismatch(MpiCall *call, const Claim *a, const Claim *b)
{
    g_autoptr(GString) out = g_string_new("the ranks do not mean the same data: ");
    append_claim(out, call, a);
    g_string_append(out, ", but ");
    append_claim(out, call, b);
    if (claim_bytes(a) == claim_bytes(b))
        mpi_append_signature_difference(out, a->type, b->type, claim_bytes(a));
    g_string_append(out, a->channel.to == ALL
                             ? "; all ranks must name the same number of the same basic types"
                             : "; what one rank gives another must expect: as many of the same basic types");
    return mpi_finding_stop(call, MPI_CHECK_SIGNATURES, "%s", out->str);
}

/* Reports a claim that no other member has answered. */
static MpiStep lonely(MpiCall *call, const Occasion *occasion, const Claim *claim)
{
    uint32_t peer = claim->sends ? claim->channel.to : claim->channel.from;
    Channel at = {peer, ALL, ALL};
    const Claim *other = g_hash_table_lookup(occasion->claims, &at);
    g_autoptr(GString) out = g_string_new("the ranks do not mean the same data: ");
    append_claim(out, call, claim);
    g_string_append_printf(out, " %s rank %u, but that %s none (", claim->sends ? "to" : "of", peer,
                           claim->sends ? "expects" : "gives it");
    mpi_append_call_place(out, mpi_world_rank(call->world, peer)->process, NULL, other ? other->pc : VCODE_NONE);
    g_string_append(out, "); the counts of both must be the same");
    return mpi_finding_stop(call, MPI_CHECK_SIGNATURES, "%s", out->str);
}

static bool same_data(const Claim *a, const Claim *b)
{
    return claim_bytes(a) == claim_bytes(b) && mpi_signatures_match(a->type, b->type, claim_bytes(a));
}

/* -- claiming ---------------------------------------------------------------------------------- */

/* The member that makes claims. */
typedef struct Claimant {
    MpiCall *call;
    Occasion *occasion;
    bool wrong;
    MpiStep step; /* what the call returns if `wrong` */
} Claimant;

static void claim(Claimant *me, Channel channel, bool sends, MpiType *type, uint64_t count)
{
    Claim fresh = {.channel = channel,
                   .type = type,
                   .count = count,
                   .rank = me->call->rank->index,
                   .pc = me->call->pc,
                   .sends = sends};
    if (me->wrong || (channel.to != ALL && !claim_bytes(&fresh)))
        return;
    Claim *first = g_hash_table_lookup(me->occasion->claims, &channel);
    if (!first) {
        mpi_type_ref(type);
        g_hash_table_add(me->occasion->claims, g_memdup2(&fresh, sizeof fresh));
        return;
    }
    if (!same_data(first, &fresh)) {
        me->wrong = true;
        me->step = mismatch(me->call, first, &fresh);
    } else if (channel.to != ALL) {
        g_hash_table_remove(me->occasion->claims, &channel);
    }
}

/* Claims block i of n of a vector. */
static void claim_block(Claimant *me, Channel channel, bool sends, const MpiVector *vector, uint32_t i, uint32_t n)
{
    MpiVector block;
    mpi_vector_block(&block, vector, i, n);
    claim(me, channel, sends, block.type, block.count);
    mpi_vector_clear(&block);
}

/* Records where this rank calls the collective, for messages about missing claims. */
static void claim_place(const Claimant *me)
{
    Claim *place = g_new(Claim, 1);
    *place = (Claim){.channel = {me->call->rank->index, ALL, ALL}, .rank = me->call->rank->index, .pc = me->call->pc};
    g_hash_table_add(me->occasion->claims, place);
}

/* -- who claims what --------------------------------------------------------------------------- */

static const Channel everybody = {ALL, ALL, 0};

/* Returns the channel for data from one group to the other. */
static Channel direction(const MpiComm *comm, bool out)
{
    return (Channel){ALL, ALL, comm->inter ? 1 + (comm->inter->low == out) : 0};
}

/* Claims data that are the same for all members. */
static void claim_same(Claimant *me, const MpiTask *task)
{
    if (task->has_input)
        claim(me, everybody, true, task->input.type, task->input.count);
    else if (task->has_result)
        claim(me, everybody, false, task->result.type, task->result.count);
}

/* Claims blocks that are the same for all members. Input or result may consist of one block per rank. */
static void claim_equal_blocks(Claimant *me, const MpiTask *task, bool many_in, bool many_out)
{
    uint32_t n = mpi_comm_peers(task->comm)->size;
    if (task->has_input)
        claim_block(me, direction(task->comm, true), true, &task->input, 0, many_in ? n : 1);
    if (task->has_result)
        claim_block(me, direction(task->comm, false), false, &task->result, 0, many_out ? n : 1);
}

/* Claims blocks of a collective with a root, which is one end of every channel. */
static void claim_rooted(Claimant *me, const MpiTask *task, bool gather)
{
    const MpiComm *comm = task->comm;
    uint32_t self = me->call->rank->index, n = mpi_comm_peers(comm)->size;
    bool is_root = task->plan.root == comm->rank, member = comm->inter ? !is_root : true;
    const MpiVector *many = gather ? &task->result : &task->input, *one = gather ? &task->input : &task->result;
    claim_place(me);
    for (uint32_t i = 0; is_root && i < n; i++) {
        uint32_t peer = mpi_comm_world_rank(comm, i);
        bool in_place = peer == self && !(gather ? task->has_input : task->has_result);
        if (!in_place)
            claim_block(me, (Channel){gather ? peer : self, gather ? self : peer, 0}, !gather, many, i, n);
    }
    if (!member || !(gather ? task->has_input : task->has_result))
        return;
    uint32_t root = mpi_comm_world_rank(comm, task->plan.root - (comm->inter ? comm->group->size : 0));
    claim(me, (Channel){gather ? self : root, gather ? root : self, 0}, gather, one->type, one->count);
}

/* Claims the block that each member gives and all others get. */
static void claim_allgatherv(Claimant *me, const MpiTask *task)
{
    uint32_t n = mpi_comm_peers(task->comm)->size;
    claim(me, (Channel){me->call->rank->index, ALL, 0}, true, task->input.type, task->input.count);
    for (uint32_t i = 0; i < n; i++)
        claim_block(me, (Channel){mpi_comm_world_rank(task->comm, i), ALL, 0}, false, &task->result, i, n);
}

/* Within a group, all members must claim the same blocks. Between the groups, the blocks together must be the same. */
static void claim_reduce_scatter(Claimant *me, const MpiTask *task)
{
    uint32_t group = direction(task->comm, true).number;
    for (uint32_t i = 0; i < task->input.n; i++)
        claim_block(me, (Channel){i, ALL, group}, true, &task->input, i, task->input.n);
    claim(me, everybody, true, task->input.type, task->input.count);
}

static void claim_alltoallv(Claimant *me, const MpiTask *task)
{
    uint32_t self = me->call->rank->index, n = mpi_comm_peers(task->comm)->size;
    claim_place(me);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t peer = mpi_comm_world_rank(task->comm, i);
        claim_block(me, (Channel){self, peer, 0}, true, &task->input, i, n);
        claim_block(me, (Channel){peer, self, 0}, false, &task->result, i, n);
    }
}

/* Counts how often the rank is in the list before index `i`. */
static uint32_t count_before(const int *ranks, uint32_t i, bool swapped)
{
    uint32_t n = 0, end = swapped ? i ^ 1 : i;
    for (uint32_t k = 0; k < end; k++)
        n += ranks[swapped ? k ^ 1 : k] == ranks[i];
    return n;
}

/* Claims data along edges. Several edges between the same two ranks are in the order of their messages
 * (collective_neighbours.c). */
static void claim_neighbours(Claimant *me, const MpiTask *task, bool same_for_all)
{
    const MpiPlan *plan = &task->plan;
    uint32_t self = me->call->rank->index;
    claim_place(me);
    for (uint32_t i = 0; i < plan->n_destinations; i++) {
        if (plan->destinations[i] < 0)
            continue;
        Channel channel = {self, mpi_comm_world_rank(task->comm, (uint32_t)plan->destinations[i]),
                           count_before(plan->destinations, i, plan->grid)};
        claim_block(me, channel, true, &task->input, same_for_all ? 0 : i, same_for_all ? 1 : plan->n_destinations);
    }
    for (uint32_t i = 0; i < plan->n_sources; i++) {
        if (plan->sources[i] < 0)
            continue;
        Channel channel = {mpi_comm_world_rank(task->comm, (uint32_t)plan->sources[i]), self,
                           count_before(plan->sources, i, false)};
        claim_block(me, channel, false, &task->result, i, plan->n_sources);
    }
}

static void claim_all(Claimant *me, const MpiTask *task)
{
    switch (task->collective) {
    case MPI_COLLECTIVE_BCAST:
    case MPI_COLLECTIVE_REDUCE:
    case MPI_COLLECTIVE_ALLREDUCE:
    case MPI_COLLECTIVE_SCAN:
    case MPI_COLLECTIVE_EXSCAN: claim_same(me, task); break;
    case MPI_COLLECTIVE_GATHER: claim_equal_blocks(me, task, false, true); break;
    case MPI_COLLECTIVE_SCATTER: claim_equal_blocks(me, task, true, false); break;
    case MPI_COLLECTIVE_ALLGATHER: claim_equal_blocks(me, task, false, true); break;
    case MPI_COLLECTIVE_ALLTOALL: claim_equal_blocks(me, task, true, true); break;
    case MPI_COLLECTIVE_GATHERV: claim_rooted(me, task, true); break;
    case MPI_COLLECTIVE_SCATTERV: claim_rooted(me, task, false); break;
    case MPI_COLLECTIVE_ALLGATHERV: claim_allgatherv(me, task); break;
    case MPI_COLLECTIVE_REDUCE_SCATTER: claim_reduce_scatter(me, task); break;
    case MPI_COLLECTIVE_ALLTOALLV: claim_alltoallv(me, task); break;
    case MPI_COLLECTIVE_NEIGHBOR_ALLGATHER: claim_neighbours(me, task, true); break;
    case MPI_COLLECTIVE_NEIGHBOR_ALLTOALL: claim_neighbours(me, task, false); break;
    case MPI_COLLECTIVE_BARRIER:
    case MPI_COLLECTIVE_AGREEMENT:
    case MPI_COLLECTIVE_COUNT: break;
    }
}

/* Returns the unanswered claim between two ranks that is first in the order of ranks; NULL: there is none. */
static const Claim *first_lonely(const Occasion *occasion)
{
    const Claim *first = NULL;
    GHashTableIter iterator;
    gpointer item;
    g_hash_table_iter_init(&iterator, occasion->claims); /* the least claim does not depend on the order of the
                                                          * iteration */
    while (g_hash_table_iter_next(&iterator, &item, NULL)) {
        const Claim *claim = item;
        const Channel *a = &claim->channel, *b = first ? &first->channel : NULL;
        if (a->to != ALL && (!b || a->from < b->from ||
                             (a->from == b->from && (a->to < b->to || (a->to == b->to && a->number < b->number)))))
            first = claim;
    }
    return first;
}

static bool compare(MpiWorld *world, MpiCall *call, const MpiTask *task, MpiStep *step)
{
    const MpiComm *comm = task->comm;
    if (mpi_comm_is_doubtful(world, comm->context))
        return true;
    uint32_t members = comm->group->size + (comm->inter ? comm->inter->remote->size : 0);
    Claimant me = {.call = call, .occasion = occasion_of(world, comm)};
    claim_all(&me, task);
    if (!me.wrong && ++me.occasion->entered == members) {
        const Claim *left = first_lonely(me.occasion);
        me.wrong = left;
        if (left)
            me.step = lonely(call, me.occasion, left);
        else
            g_hash_table_remove(mpi_world_slot(world, MPI_SLOT_CLAIMS), &me.occasion->at);
    }
    *step = me.step;
    return !me.wrong;
}

static void begin(MpiWorld *world)
{
    if (!mpi_check_is_on(world, MPI_CHECK_SIGNATURES))
        return;
    GHashTable *claims = g_hash_table_new_full(mpi_turn_occasion_hash, mpi_turn_occasion_equal, NULL, occasion_free);
    mpi_world_set_slot(world, MPI_SLOT_CLAIMS, claims, (GDestroyNotify)g_hash_table_unref);
    mpi_hooks_add(world, &(MpiHooks){.task = compare});
}

const MpiPart mpi_part_collective_types = {.begin = begin};
