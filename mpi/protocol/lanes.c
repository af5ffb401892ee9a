/* lanes.c - what is kept of pairs of ranks (lanes), and of single ranks (mailboxes). Both are made when they are needed
 * first. */
#include "mpi/protocol/way.h"

static MpiPath path_of(const MpiWorld *world, uint32_t from, uint32_t to)
{
    const MpiEnv *env = &world->env;
    if (env->path)
        return env->path(env->user, from, to);
    if (from == to)
        return MPI_PATH_CORE;
    bool near = !env->node || env->node(env->user, from) == env->node(env->user, to);
    return near ? MPI_PATH_NODE : MPI_PATH_CLUSTER;
}

void mpi_lane_free(void *data)
{
    MpiLane *lane = data;
    g_queue_clear(&lane->waiting);
    g_queue_clear(&lane->posts);
    g_queue_clear(&lane->announced);
    g_queue_clear(&lane->deferred);
    g_free(lane);
}

MpiLane *mpi_lane_find(const MpiWorld *world, uint32_t from, uint32_t to)
{
    uint64_t key = (uint64_t)from << 32 | to;
    return g_hash_table_lookup(mpi_protocol_state(world)->lanes, &key);
}

MpiLane *mpi_lane_of(MpiWorld *world, uint32_t from, uint32_t to)
{
    MpiProtocols *protocols = mpi_protocol_state(world);
    uint64_t key = (uint64_t)from << 32 | to;
    MpiLane *lane = mpi_lane_find(world, from, to);
    if (lane)
        return lane;
    lane = g_new0(MpiLane, 1);
    *lane = (MpiLane){.key = key, .from = from, .to = to, .path = path_of(world, from, to)};
    lane->params = &protocols->paths[lane->path];
    lane->way = protocols->ways[lane->params->protocol];
    lane->credits = lane->params->credits;
    g_hash_table_insert(protocols->lanes, &lane->key, lane);
    MpiMailbox *sender = mpi_lane_mailbox(mpi_world_rank(world, from));
    MpiMailbox *receiver = mpi_lane_mailbox(mpi_world_rank(world, to));
    lane->next_of_sender = sender->lanes_from;
    sender->lanes_from = lane;
    lane->next_of_receiver = receiver->lanes_to;
    receiver->lanes_to = lane;
    return lane;
}

MpiMailbox *mpi_lane_mailbox(const MpiRank *rank)
{
    MpiMailbox **mailbox = &mpi_protocol_state(rank->world)->mailboxes[rank->index];
    if (!*mailbox) {
        *mailbox = g_new0(MpiMailbox, 1);
        (*mailbox)->note.phase = MPI_PHASE_PACKETS;
    }
    return *mailbox;
}

void mpi_lane_mailbox_free(MpiMailbox *mailbox)
{
    g_queue_clear(&mailbox->packets);
    g_queue_clear(&mailbox->wild);
    g_queue_clear(&mailbox->held);
    if (mailbox->regions)
        g_array_unref(mailbox->regions);
    g_free(mailbox);
}
