/* flights.c - steps of messages that protocols share: how long one is, credits that it brings, waiting for room. */
#include "mpi/core/hooks.h"
#include "mpi/core/threads.h"
#include "mpi/protocol/protocol.h"
#include "mpi/protocol/way.h"

bool mpi_flight_is_short(const MpiFlight *flight, const MpiRequest *request)
{
    const MpiProtocolParams *params = flight->lane->params;
    uint64_t threshold = params->threshold ? params->threshold : request->owner->eager_limit;
    return request->mode != MPI_MODE_SYNCHRONOUS && flight->message->bytes <= threshold;
}

void mpi_flight_collect(MpiFlight *flight)
{
    const MpiLane *lane = flight->lane;
    MpiLane *back = mpi_lane_find(flight->world, lane->to, lane->from);
    if (!back || !back->freed || back == lane)
        return;
    flight->credits = back->freed;
    back->freed = 0;
}

void mpi_flight_hold(MpiCall *call, MpiFlight *flight, MpiRequest *request)
{
    flight->message->send = request;
    request->message = flight->message;
    flight->held = true;
    flight->held_ps = call->now;
    call->rank->stats.sends_held++;
}

bool mpi_protocol_is_held(const MpiRequest *send)
{
    return mpi_flight_of(send->message)->held;
}

void mpi_flight_release(MpiCall *call, MpiFlight *flight)
{
    if (!flight->held)
        return;
    flight->held = false;
    if (call->now > flight->held_ps)
        call->rank->stats.held_ps += call->now - flight->held_ps;
}

static const MpiCall *agent_of(const MpiRequest *request)
{
    return request && request->schedule ? mpi_schedule_head(request->schedule)->agent : NULL;
}

/* Whether what the request belongs to goes on in this call. Of a rank with threads, that is the call that waits. */
static bool is_on_time_of(MpiCall *call, const MpiRequest *request)
{
    if (call->engine.ahead)
        return mpi_worker_is_for(call, request);
    const MpiCall *agent = agent_of(request);
    if (G_LIKELY(!call->rank->threads) || agent || call->background || !request)
        return agent == (call->background ? call : NULL);
    const MpiCall *waiting = mpi_call_receptive_for(request);
    mpi_threads_focus_on(call);
    return !waiting || waiting == call;
}

void mpi_flight_launch(MpiCall *call, MpiFlight *flight, uint64_t time_ps)
{
    MpiWorld *world = flight->world;
    const MpiRequest *request = flight->message->send;
    if (call && is_on_time_of(call, request)) {
        flight->lane->way->launch(call, flight);
        return;
    }
    MpiPacket *packet = mpi_packet_new(world, MPI_PACKET_LAUNCH, flight->lane, true, flight);
    mpi_packet_to_rank(mpi_world_rank(world, flight->lane->from), request, packet, time_ps);
}

void mpi_flight_send(MpiCall *call, MpiFlight *flight, MpiRequest *request)
{
    MpiMessage *message = flight->message;
    call->rank->stats.controls_sent += message->rendezvous;
    bool later = call->engine.ahead && !message->rendezvous && !request->attached;
    if (!later) {
        mpi_transfer_send_plainly(call, request, message);
        return;
    }
    message->send = request;
    request->message = message;
    request->error = mpi_transfer_capture(message, &request->buffer) ? MPI_SUCCESS : MPI_ERR_BUFFER;
    bool placed = call->engine.prepaid && mpi_transfer_is_flat(&request->buffer);
    uint64_t copying_ps = placed ? 0 : mpi_call_copying_ps(call, 0, message->bytes);
    mpi_transfer_hand_over(call, message, MPI_PHASE_EAGER, message->bytes, copying_ps, false);
    mpi_protocol_defer(call, message, true);
}

void mpi_flight_handle(MpiCall *call, MpiFlight *flight)
{
    MpiMessage *message = flight->message;
    call->rank->stats.controls_sent += message->phase == MPI_PHASE_RTS; /* the answer */
    if (!call->engine.ahead || !mpi_phase_has_payload(message->phase)) {
        mpi_transfer_handle_plainly(call, message);
        return;
    }
    uint64_t began_ps = call->now;
    mpi_call_charge(call, mpi_transfer_handling_ps(call, message));
    mpi_tell_handled(call->world, call, message, began_ps);
    mpi_protocol_defer(call, message, false);
}

void mpi_flight_deliver(MpiCall *call, MpiFlight *flight)
{
    if (call->engine.ahead)
        mpi_protocol_defer(call, flight->message, false);
    else
        mpi_transfer_deliver(call, flight->message);
}

void mpi_flight_sent(MpiCall *call, MpiFlight *flight)
{
    MpiMessage *message = flight->message;
    MpiRequest *request = message->send;
    if (call->engine.ahead) {
        mpi_protocol_defer(call, message, true);
        return;
    }
    message->send = NULL;
    request->message = NULL;
    mpi_request_complete(request, request->error);
}

void mpi_flight_push(GQueue *list, MpiFlight *flight)
{
    flight->message->refs++;
    g_queue_push_tail(list, flight);
}
