/* put.c - remote writes into the receiver's buffer.
 *
 *   sender: RTS -->    receiver: registers its buffer, announces it (CTS)
 *                      sender: registers its own, writes (DATA)     the receiver's processor moves nothing
 *   sender is done <-- receiver: one acknowledgement
 *
 * Memory that the network interface reads or writes is registered first, which takes time. A rank keeps so many regions
 * (of whole pages) registered, and gives up the one that it used longest ago. A buffer whose elements do not lie side
 * by side goes through memory of the library, which is registered already, and is copied. */
#include "mpi/core/hooks.h"
#include "mpi/protocol/way.h"

enum { PAGE_BITS = 12 };

typedef struct MpiRegion {
    uint64_t first, last; /* pages */
} MpiRegion;

/* Returns the time of registering the buffer; 0 if it is registered. */
static uint64_t register_ps(MpiRank *rank, const MpiBuffer *buffer, uint64_t bytes)
{
    const MpiRegistrationParams *params = &rank->world->params.registration;
    MpiMailbox *mailbox = mpi_lane_mailbox(rank);
    if (!bytes || !buffer->process || !mpi_transfer_is_flat(buffer))
        return 0;
    if (!mailbox->regions)
        mailbox->regions = g_array_new(FALSE, FALSE, sizeof(MpiRegion));
    GArray *regions = mailbox->regions;
    MpiRegion region = {buffer->address >> PAGE_BITS, (buffer->address + bytes - 1) >> PAGE_BITS};
    guint at = 0, slots = params->slots ? params->slots : MPI_REGISTRATION_SLOTS;
    while (at < regions->len && (g_array_index(regions, MpiRegion, at).first != region.first ||
                                 g_array_index(regions, MpiRegion, at).last != region.last))
        at++;
    bool found = at < regions->len;
    if (found)
        g_array_remove_index(regions, at);
    else if (regions->len == slots)
        g_array_set_size(regions, slots - 1);
    g_array_prepend_val(regions, region);
    if (found)
        return 0;
    rank->stats.registrations++;
    return params->ps + mpi_call_bytes_ps((region.last - region.first + 1) << PAGE_BITS, params->byte_fs);
}

static void send(MpiCall *call, MpiFlight *flight, MpiRequest *request)
{
    flight->message->rendezvous = !mpi_flight_is_short(flight, request);
    mpi_flight_collect(flight);
    mpi_flight_send(call, flight, request);
}

static void handled(MpiCall *call, const MpiMessage *message, uint64_t ps)
{
    uint64_t began_ps = call->now;
    mpi_call_charge(call, ps + mpi_protocol_receive_ps(call, 0));
    mpi_tell_handled(call->world, call, message, began_ps);
}

static void announce(MpiCall *call, MpiMessage *message)
{
    const MpiRequest *receive = message->receive;
    uint64_t bytes = MIN(message->bytes, receive->bytes);
    handled(call, message, mpi_protocol_match_ps(call, message) + register_ps(call->rank, &receive->buffer, bytes));
    call->rank->stats.controls_sent++;
    mpi_transfer_hand_over(call, message, MPI_PHASE_CTS, 0, 0, false);
}

static void write_data(MpiCall *call, MpiMessage *message)
{
    MpiRequest *request = message->send;
    bool flat = mpi_transfer_is_flat(&request->buffer);
    handled(call, message, register_ps(call->rank, &request->buffer, message->bytes));
    if (!mpi_transfer_capture(message, &request->buffer))
        request->error = MPI_ERR_BUFFER;
    mpi_transfer_hand_over(call, message, MPI_PHASE_DATA, message->bytes,
                           flat ? 0 : mpi_call_copying_ps(call, 0, message->bytes), false);
}

static void acknowledge(MpiCall *call, MpiFlight *flight)
{
    MpiMessage *message = flight->message;
    const MpiRequest *receive = message->receive;
    bool flat = mpi_transfer_is_flat(&receive->buffer);
    uint64_t received_ps = mpi_protocol_receive_ps(call, 0);
    handled(call, message, flat ? 0 : mpi_call_copying_ps(call, received_ps, MIN(message->bytes, receive->bytes)));
    MpiPacket *packet = mpi_packet_new(call->world, MPI_PACKET_WRITTEN, flight->lane, true, flight);
    mpi_flight_deliver(call, flight);
    mpi_packet_send(call, packet, 0, 0, false);
}

static void handle(MpiCall *call, MpiFlight *flight)
{
    MpiMessage *message = flight->message;
    switch ((MpiPhase)message->phase) {
    case MPI_PHASE_RTS: announce(call, message); break;
    case MPI_PHASE_CTS: write_data(call, message); break;
    case MPI_PHASE_DATA: acknowledge(call, flight); break;
    default: mpi_flight_handle(call, flight); break;
    }
}

static void describe(const MpiFlight *flight, GString *out)
{
    const MpiLane *lane = flight->lane;
    uint64_t own = lane->params->threshold;
    g_string_append_printf(out, " (put: longer than %" G_GUINT64_FORMAT " bytes)",
                           own ? own : flight->world->ranks[lane->from].eager_limit);
}

const MpiProtocolWay mpi_protocol_put = {.send = send, .handle = handle, .describe = describe};
