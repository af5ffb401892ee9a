/* endings.c - what becomes of messages whose operations end because a process has failed or a communicator has been
 * revoked.
 *
 * What is stored of them at their receivers makes room for others, long ones that are deferred go on, and what waits at
 * a sender goes no further than its envelope. Messages of a revoked communicator are dropped where they arrive; those
 * by which survivors agree (MpiFlight.vital) are not. */
#include "mpi/comm/comm.h"
#include "mpi/core/matcher.h"
#include "mpi/protocol/protocol.h"
#include "mpi/protocol/way.h"

/* Its sender, who will hear of the revocation, too, waits for it no longer. */
static void forsake(MpiMessage *message)
{
    if (message->send)
        message->send->message = NULL;
    message->send = NULL;
}

void mpi_protocol_lost(MpiWorld *world, MpiMessage *message, uint64_t time_ps)
{
    MpiFlight *flight = mpi_flight_of(message);
    if (!flight || flight->gone)
        return;
    flight->gone = true;
    forsake(message);
    if (flight->lane->way->lost)
        flight->lane->way->lost(world, flight, time_ps);
}

void mpi_protocol_arrives(MpiWorld *world, MpiMessage *message)
{
    const MpiComm *comm = mpi_find_comm(mpi_world_rank(world, message->to), message->item.key.space >> 1);
    if (comm && comm->revoked && !mpi_flight_of(message)->vital)
        message->cancelled = true;
    if (message->cancelled)
        forsake(message);
}

/* Drops the messages of a revoked communicator that a rank has not received. */
static void drop_unexpected(MpiRank *rank, uint32_t context, uint64_t time_ps)
{
    MpiWorld *world = rank->world;
    for (MpiItem *item = rank->matcher.oldest, *next; item; item = next) {
        MpiMessage *message = (MpiMessage *)item;
        next = item->next;
        if (item->key.space >> 1 != context || mpi_flight_of(message)->vital)
            continue;
        mpi_match_remove(&rank->matcher, &world->bins, item);
        message->queued = false;
        message->cancelled = true;
        mpi_protocol_lost(world, message, time_ps);
        mpi_transfer_drop(world, message);
    }
}

void mpi_protocol_revoked(MpiRank *rank, uint32_t context, uint64_t time_ps)
{
    drop_unexpected(rank, context, time_ps);
    for (MpiLane *lane = mpi_lane_mailbox(rank)->lanes_from; lane; lane = lane->next_of_sender)
        mpi_posts_ended(lane, time_ps);
    mpi_daemon_ended(rank->world, rank->index);
}

static void drop_all(MpiWorld *world, GQueue *list)
{
    for (MpiFlight *flight; (flight = g_queue_pop_head(list));)
        mpi_transfer_drop(world, flight->message);
}

/* What the process was to do next does not happen. */
static void discard_packets(MpiWorld *world, MpiMailbox *mailbox)
{
    for (MpiPacket *packet; (packet = g_queue_pop_head(&mailbox->packets));)
        mpi_packet_discard(world, packet);
}

void mpi_protocol_failed(MpiWorld *world, uint32_t failed, uint64_t time_ps)
{
    MpiMailbox *mailbox = mpi_lane_mailbox(mpi_world_rank(world, failed));
    for (MpiLane *lane = mailbox->lanes_to; lane; lane = lane->next_of_receiver) {
        drop_all(world, &lane->waiting);
        drop_all(world, &lane->announced);
        drop_all(world, &lane->deferred);
        mpi_daemon_ended(world, lane->from);
    }
    for (MpiLane *lane = mailbox->lanes_from; lane; lane = lane->next_of_sender)
        mpi_eager_forget(lane, mpi_lane_mailbox(mpi_world_rank(world, lane->to)));
    mpi_daemon_ended(world, failed);
    mpi_daemon_forget(world, failed, time_ps);
    discard_packets(world, mailbox);
}
