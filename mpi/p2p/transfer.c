/* transfer.c - transfers messages from buffer to buffer.
 *
 *   eager        sender copies the data into the message and is done       EAGER ---------------->  copied out
 *   (bytes <= eager_limit)
 *   rendezvous   sender keeps the data until the receiver has a place      RTS   ---------------->  matched
 *   (longer, and every synchronous send)                                         <----------------  CTS
 *                sender is done when the last byte has left                DATA  ---------------->  in place
 *
 * RTS (request to send) names the message; CTS (clear to send) permits the sender to go on. This file follows the life
 * of a message: making messages, transmitting, buffers, sending, handling, receiving and arriving.
 * Every message on the wire, including control messages, costs its sender send_overhead and its receiver recv_overhead.
 * Eager data is copied on both sides (copy_byte). Rendezvous data is moved by the NIC and copied only where a datatype
 * is not contiguous. A match costs match_ps, charged with the first message of a transfer.
 *
 * Where progress is `inline`, a rank handles arrivals only while it is in an MPI call. Suppose that an Irecv is posted
 * and the rank computes. Then a matching RTS lies in the rank's inbox until its next GLOBAL call, and only then the CTS
 * is sent. The same holds for a CTS at a computing sender and for copying out an eager message. A rank that is blocked
 * in any call handles arrivals at once. Otherwise they are handed over (progress.c). */
#include "mpi/comm/comm.h"
#include "mpi/core/call.h"
#include "mpi/core/count.h"
#include "mpi/core/hooks.h"
#include "mpi/core/matcher.h"
#include "mpi/core/pool.h"
#include "mpi/core/rank.h"
#include "mpi/core/remote.h"
#include "mpi/core/world.h"
#include "mpi/p2p/p2p.h"
#include "mpi/type/type.h"

#include <assert.h>
#include <string.h>

/* -- messages ---------------------------------------------------------------------------------- */

static inline void message_unref(MpiWorld *world, MpiMessage *message)
{
    assert(message->refs > 0 && message->live);
    if (--message->refs)
        return;
    mpi_tell_dropped(world, message);
    if (G_UNLIKELY(message->lender))
        mpi_loan_end(message);
    else if (G_UNLIKELY(message->multicast))
        mpi_multicast_payload_unref(message);
    else if (message->data && message->data != message->bytes_inline)
        mpi_pool_payload_give(&world->payloads, message->data, message->bytes);
    message->live = false;
    world->live_messages--;
    mpi_pool_give(&world->messages, message);
}

void mpi_transfer_drop(MpiWorld *world, MpiMessage *message)
{
    message_unref(world, message);
}

static void message_free_data(void *item, void *user)
{
    MpiMessage *message = item;
    (void)user;
    if (message->live && message->multicast)
        mpi_multicast_payload_unref(message);
    else if (message->live && message->data != message->bytes_inline)
        g_free(message->data); /* NULL: the data are lent, or have not left yet */
}

void mpi_transfer_clear(MpiWorld *world)
{
    mpi_pool_each(&world->messages, message_free_data, NULL);
}

static inline MpiMessage *message_make(MpiRank *rank, const MpiComm *comm, int to, int tag, bool collective,
                                       uint64_t bytes, uint32_t pc, uint64_t id)
{
    MpiWorld *world = rank->world;
    MpiMessage *message = mpi_pool_take_unset(&world->messages);
    memset(message, 0, offsetof(MpiMessage, bytes_inline));
    message->item.key = (MpiKey){.space = comm->context << 1 | collective, .source = (int32_t)comm->rank, .tag = tag};
    message->from = rank->index;
    message->to = mpi_comm_world_rank(comm, (uint32_t)to);
    if (!world->env.in_order)
        message->pair_order = mpi_order_send(&world->in_flight, message->from, message->to);
    message->refs = 1;
    message->live = true;
    world->live_messages++;
    message->collective = collective;
    message->unrecorded = rank->unrecorded;
    message->id = id;
    message->bytes = bytes;
    message->sent_pc = pc;
    return message;
}

MpiMessage *mpi_transfer_message_new(MpiRank *rank, const MpiComm *comm, int to, int tag, bool collective,
                                     uint64_t bytes, uint32_t pc)
{
    mpi_transfer_hurry(rank->world, rank);
    mpi_count_sent(rank, bytes);
    return message_make(rank, comm, to, tag, collective, bytes, pc, rank->world->next_message++);
}

/* Makes a message of the buffer. `request` is the request that it is sent for, or NULL. */
static MpiMessage *message_new(MpiCall *call, const MpiBuffer *buffer, const MpiComm *comm, int to, int tag,
                               bool collective, uint64_t bytes, MpiRequest *request)
{
    MpiMessage *message = mpi_transfer_message_new(call->rank, comm, to, tag, collective, bytes, call->pc);
    message->primitive = mpi_signature_byte(buffer);
    if (collective && call->collective.schedule)
        message->damage = mpi_schedule_head(call->collective.schedule)->damage;
    mpi_tell_sent(call->world, call, message, buffer, request);
    return message;
}

/* -- transmitting ------------------------------------------------------------------------------ */

uint64_t mpi_transfer_overhead_pieces_ps(const MpiOverhead *overhead, uint64_t bytes)
{
    uint32_t i = overhead->n - 1;
    while (overhead->piece[i].from_bytes > bytes)
        i--;
    return overhead->piece[i].ps + mpi_call_bytes_ps(bytes, overhead->piece[i].byte_fs);
}

/* Gives a phase of the message to the network. The call pays for that and, with copying_ps, for a copy of the data.
 *
 * Messages come from a pool whose items are 16-byte aligned, so the phase fits into the low bits of the address. The
 * network treats the cookie as a token: no address influences a result. */
static inline void hand_over(MpiCall *call, MpiMessage *message, MpiPhase phase, uint64_t payload, uint64_t copying_ps,
                             bool awaited)
{
    const MpiEnv *env = &call->world->env;
    bool back = phase == MPI_PHASE_CTS;
    uint64_t began_ps = call->now;
    uint64_t cookie = (uint64_t)(uintptr_t)message | phase | (awaited ? 0 : MPI_COOKIE_UNREPORTED);
    mpi_call_charge(call, copying_ps + mpi_transfer_overhead_ps(&call->world->params.send_overhead, payload));
    if (G_UNLIKELY(env->doorbell))
        mpi_progress_ring(call, back ? message->from : message->to);
    message->refs += awaited ? 2 : 1;
    if (!back)
        message->sent_ps = call->now;
    mpi_tell_transmitted(call->world, call, message, phase, began_ps);
    if (phase == MPI_PHASE_CTS || phase == MPI_PHASE_DATA) /* for the others that is done where they are made */
        mpi_transfer_hurry(call->world, call->rank);
    env->transmit(env->user, back ? message->to : message->from, back ? message->from : message->to,
                  call->world->params.envelope_bytes + payload, call->now, cookie);
}

static inline void transmit(MpiCall *call, MpiMessage *message, MpiPhase phase, uint64_t copying_ps)
{
    uint64_t payload = mpi_phase_has_payload(phase) ? message->bytes : 0;
    bool awaited = phase == MPI_PHASE_DATA || (phase == MPI_PHASE_EAGER && message->send);
    hand_over(call, message, phase, payload, copying_ps, awaited);
}

void mpi_transfer_hand_over(MpiCall *call, MpiMessage *message, MpiPhase phase, uint64_t payload, uint64_t copying_ps,
                            bool awaited)
{
    hand_over(call, message, phase, payload, copying_ps, awaited);
}

/* -- buffers ----------------------------------------------------------------------------------- */

static bool buffer_is_phantom(const MpiBuffer *buffer)
{
    return !buffer->process && !buffer->host;
}

bool mpi_transfer_load(const MpiBuffer *buffer, uint64_t bytes, void *out)
{
    if (!bytes || buffer_is_phantom(buffer))
        return true;
    if (!mpi_transfer_is_flat(buffer))
        return mpi_type_pack(buffer->type, buffer->count, buffer->process, buffer->address, out);
    const void *from = buffer->process ? vm_rank_read(buffer->process, buffer->address, bytes) : buffer->host;
    if (from)
        memcpy(out, from, bytes);
    return from;
}

/* Messages that borrow what is written over take copies of it first; but not the one that is stored. */
static void settle_loans(MpiRank *rank, const MpiMessage *stored, const MpiBuffer *buffer, uint64_t bytes)
{
    if (buffer->process && mpi_transfer_is_flat(buffer))
        mpi_loans_settle_within(rank, stored, buffer->address, bytes);
    else
        mpi_loans_settle_all(rank);
}

/* Stores a payload, which may lie in the buffer itself if a rank sends to itself. */
static inline bool buffer_store(MpiWorld *world, const MpiBuffer *buffer, uint64_t bytes, const void *in)
{
    if (!bytes || buffer_is_phantom(buffer))
        return true;
    if (buffer->process && G_UNLIKELY(vm_rank_is_watched(buffer->process)) && !mpi_ask_place(world, buffer, bytes))
        return false;
    if (!mpi_transfer_is_flat(buffer))
        return mpi_type_unpack(buffer->type, buffer->count, buffer->process, buffer->address, in, bytes);
    void *to = buffer->process ? vm_rank_write(buffer->process, buffer->address, bytes) : buffer->host;
    if (to && mpi_is_long_copy(world, bytes))
        mpi_long_copy(to, in, bytes);
    else if (to)
        memmove(to, in, bytes);
    return to;
}

/* Captures the payload. The memory existed when the call was checked. If the program has unmapped it since, the
 * message carries zeros and the request ends with an error. */
static inline bool message_load(MpiWorld *world, MpiMessage *message, const MpiBuffer *buffer)
{
    bool phantom = buffer_is_phantom(buffer);
    if (G_UNLIKELY(phantom))
        memset(message->bytes_inline, 0, sizeof message->bytes_inline);
    bool short_enough = message->bytes <= MPI_INLINE_BYTES || phantom;
    message->data = short_enough ? message->bytes_inline : mpi_pool_payload_take(&world->payloads, message->bytes);
    bool loaded = mpi_transfer_load(buffer, message->bytes, message->data);
    if (!loaded)
        memset(message->data, 0, message->bytes);
    return loaded;
}

bool mpi_transfer_capture(MpiMessage *message, const MpiBuffer *buffer)
{
    return message_load(message->send->owner->world, message, buffer);
}

/* -- sending ----------------------------------------------------------------------------------- */

bool mpi_transfer_send_at_once(MpiCall *call, const MpiBuffer *buffer, MpiComm *comm, int to, int tag, bool collective,
                               int *error)
{
    uint64_t bytes = buffer->type ? buffer->count * buffer->type->size : buffer->count;
    if (to == MPI_PROC_NULL_ || mpi_listens_refused(call->world) || call->world->protocols ||
        bytes > call->rank->eager_limit)
        return false;
    MpiMessage *message = message_new(call, buffer, comm, to, tag, collective, bytes, NULL);
    *error = message_load(call->world, message, buffer) ? MPI_SUCCESS : MPI_ERR_BUFFER;
    transmit(call, message, MPI_PHASE_EAGER, mpi_call_copying_ps(call, 0, bytes));
    return true;
}

void mpi_transfer_send_counted(MpiRank *rank, const MpiBuffer *buffer, const MpiComm *comm, uint32_t to, int tag,
                               uint32_t pc, uint64_t id, uint64_t time_ps)
{
    const MpiEnv *env = &rank->world->env;
    MpiMessage *message = message_make(rank, comm, (int)to, tag, true, buffer->count, pc, id);
    message_load(rank->world, message, buffer);
    message->refs++;
    message->sent_ps = time_ps;
    env->transmit(env->user, message->from, message->to, rank->world->params.envelope_bytes + message->bytes, time_ps,
                  (uint64_t)(uintptr_t)message | MPI_PHASE_EAGER | MPI_COOKIE_UNREPORTED);
}

static void send_eager(MpiCall *call, MpiRequest *request, MpiMessage *message)
{
    bool loaded = message_load(call->world, message, &request->buffer);
    if (request->attached) {     /* the data have been copied into the attached buffer, and the copy is paid for */
        message->send = request; /* the space there is free when the last byte has left */
        request->message = message;
        transmit(call, message, MPI_PHASE_EAGER, 0);
        return;
    }
    transmit(call, message, MPI_PHASE_EAGER, mpi_call_copying_ps(call, 0, message->bytes));
    mpi_request_complete(request, loaded ? MPI_SUCCESS : MPI_ERR_BUFFER);
}

static inline void send_plainly(MpiCall *call, MpiRequest *request, MpiMessage *message)
{
    if (!message->rendezvous) {
        send_eager(call, request, message);
        return;
    }
    message->send = request;
    request->message = message;
    transmit(call, message, MPI_PHASE_RTS, 0);
}

void mpi_transfer_send_plainly(MpiCall *call, MpiRequest *request, MpiMessage *message)
{
    send_plainly(call, request, message);
}

void mpi_transfer_send(MpiCall *call, MpiRequest *request)
{
    MpiMessage *message = message_new(call, &request->buffer, request->comm, request->peer, request->tag,
                                      request->collective, request->bytes, request);
    message->rendezvous = request->mode == MPI_MODE_SYNCHRONOUS || request->bytes > call->rank->eager_limit;
    if (G_UNLIKELY(call->world->protocols))
        call->world->upper->protocol_send(call, request, message);
    else
        send_plainly(call, request, message);
}

/* -- handling, on the time of a call of the rank ----------------------------------------------- */

/* Whether a message that is shorter than the buffer ends inside an element of the buffer's type. Only types with gaps
 * are asked: others take any bytes, as programs expect that send one type and receive another. */
static bool ends_inside(const MpiRequest *request, uint64_t bytes)
{
    const MpiType *type = request->buffer.type;
    return type && !type->contiguous && !request->packed && mpi_type_elements(type, bytes) == MPI_UNDEFINED_;
}

/* The data have arrived. Copies them into the receive's buffer and completes the receive. */
static inline void copy_out(MpiCall *call, MpiMessage *message)
{
    MpiRequest *request = message->receive;
    uint64_t bytes = MIN(message->bytes, request->bytes);
    int error = message->bytes > request->bytes ? MPI_ERR_TRUNCATE : MPI_SUCCESS;
    if (error && !request->packed && request->buffer.type)
        request->reason = mpi_ask_truncation(call->world, message, request);
    if (bytes < request->bytes && ends_inside(request, bytes))
        error = MPI_ERR_TYPE;
    if (G_UNLIKELY(message->damage))
        error = message->damage;
    else if (bytes < request->bytes && request->schedule && mpi_schedule_head(request->schedule)->exact)
        error = MPI_ERR_COUNT;
    if (message->primitive != mpi_signature_byte(&request->buffer))
        mpi_tell_mistyped(call->world, call, message, request);
    mpi_tell_received(call->world, call, message, request);
    if (G_UNLIKELY(request->owner->loans))
        settle_loans(request->owner, message, &request->buffer, bytes);
    bool passed_on = message->lender && bytes == message->bytes && request->buffer.process &&
                     mpi_transfer_is_flat(&request->buffer) && mpi_loan_pass_on(message, &request->buffer);
    if (!passed_on &&
        !buffer_store(call->world, &request->buffer, bytes, message->lender ? mpi_loan_data(message) : message->data))
        error = MPI_ERR_BUFFER;
    request->status =
        (MpiStatus){.source = message->item.key.source, .tag = message->item.key.tag, .error = error, .bytes = bytes};
    request->arrived = message->bytes;
    mpi_count_received(call->rank, message->bytes);
    request->message = NULL;
    message->receive = NULL;
    mpi_request_complete(request, error);
    message_unref(call->world, message);
}

void mpi_transfer_deliver(MpiCall *call, MpiMessage *message)
{
    copy_out(call, message);
}

/* Sends the data of a rendezvous: the receiver is ready. */
static void send_data(MpiCall *call, MpiMessage *message)
{
    MpiRequest *request = message->send;
    bool lends = request->buffer.process && mpi_transfer_is_flat(&request->buffer) && !request->schedule;
    if (!(lends && mpi_loan_make(call, message, &request->buffer)) &&
        !message_load(call->world, message, &request->buffer))
        request->error = MPI_ERR_BUFFER;
    transmit(call, message, MPI_PHASE_DATA,
             mpi_transfer_is_flat(&request->buffer) ? 0 : mpi_call_copying_ps(call, 0, message->bytes));
}

/* Returns the processor time that an arrived phase costs: overhead o, one match for each transfer, and the copy. */
static inline uint64_t handling_ps(const MpiCall *call, const MpiMessage *message)
{
    const MpiParams *params = &call->world->params;
    const MpiRequest *receive = message->receive;
    bool payload = mpi_phase_has_payload(message->phase);
    if (G_UNLIKELY(message->item.paid))
        return 0;
    uint64_t ps = mpi_transfer_overhead_ps(&params->recv_overhead, payload ? message->bytes : 0);
    if (message->phase == MPI_PHASE_EAGER || message->phase == MPI_PHASE_RTS)
        ps += params->match_ps + message->receive->searched * params->queue_element_ps;
    if (payload && (!message->rendezvous || !mpi_transfer_is_flat(&receive->buffer)))
        ps += mpi_call_copying_ps(call, ps, MIN(message->bytes, receive->bytes));
    return ps;
}

/* Does what the arrived phase requires. */
static inline void handle_plainly(MpiCall *call, MpiMessage *message)
{
    uint64_t began_ps = call->now;
    mpi_call_charge(call, handling_ps(call, message));
    mpi_tell_handled(call->world, call, message, began_ps);
    switch ((MpiPhase)message->phase) {
    case MPI_PHASE_EAGER:
    case MPI_PHASE_DATA: copy_out(call, message); break;
    case MPI_PHASE_RTS: transmit(call, message, MPI_PHASE_CTS, 0); break;
    case MPI_PHASE_CTS: send_data(call, message); break;
    default: g_assert_not_reached();
    }
}

void mpi_transfer_handle_plainly(MpiCall *call, MpiMessage *message)
{
    handle_plainly(call, message);
}

uint64_t mpi_transfer_handling_ps(const MpiCall *call, const MpiMessage *message)
{
    return handling_ps(call, message);
}

static inline void handle(MpiCall *call, MpiMessage *message)
{
    if (G_UNLIKELY(call->world->protocols))
        call->world->upper->protocol_handle(call, message);
    else
        handle_plainly(call, message);
}

void mpi_transfer_handle(MpiCall *call, MpiMessage *message)
{
    handle(call, message);
}

/* Returns the agent that the request is a step of, or NULL. */
static inline MpiCall *agent_of(const MpiRequest *request)
{
    return request->schedule ? mpi_schedule_head(request->schedule)->agent : NULL;
}

static inline void handle_for(MpiCall *call, MpiCall *agent, MpiMessage *message)
{
    if (G_UNLIKELY(agent))
        mpi_progress_step(call, agent, message, call->now);
    else
        handle(call, message);
}

static void handle_in_call(MpiCall *call, MpiMessage *message)
{
    const MpiRequest *request = message->phase == MPI_PHASE_CTS ? message->send : message->receive;
    if (G_LIKELY(request)) {
        handle_for(call, agent_of(request), message);
    } else { /* it has ended because a process has failed */
        if (call->world->protocols && message->phase != MPI_PHASE_CTS)
            call->world->upper->protocol_lost(call->world, message, call->now);
        message_unref(call->world, message);
    }
}

void mpi_transfer_progress(MpiCall *call)
{
    MpiRank *rank = call->rank;
    while (rank->inbox) {
        MpiMessage *message = rank->inbox;
        rank->inbox = message->next;
        message->next = NULL;
        if (message->phase == MPI_PHASE_SEARCHES)
            mpi_queue_pay_debt(call);
        else if (message->phase == MPI_PHASE_NOTE)
            call->world->upper->operation_note(call, message);
        else if (message->phase == MPI_PHASE_REMOTES)
            call->world->upper->remote_note(call, message);
        else if (message->phase == MPI_PHASE_PACKETS)
            call->world->upper->protocol_note(call);
        else
            handle_in_call(call, message);
    }
}

void mpi_transfer_inbox_put(MpiRank *rank, MpiMessage *message)
{
    *(rank->inbox ? &rank->inbox_last->next : &rank->inbox) = message;
    message->next = NULL;
    rank->inbox_last = message;
}

/* Handles a message of the request on the time of the rank's blocked call, or leaves it for the next one. A step of a
 * background collective is handled on the time of its agent. Others than the rank may have to do all that. */
static inline void handle_or_keep(MpiRank *rank, const MpiRequest *request, MpiMessage *message, uint64_t time_ps)
{
    MpiCall *agent = agent_of(request);
    MpiProgress by = agent ? mpi_progress_of_agent(agent) : rank->world->progress[MPI_PROGRESS_MESSAGES];
    if (G_UNLIKELY(agent && by == MPI_PROGRESS_OFFLOAD)) {
        mpi_progress_step(NULL, agent, message, time_ps);
        return;
    }
    if (G_UNLIKELY(by != MPI_PROGRESS_INLINE)) {
        mpi_progress_hand_over(rank, by, message, false, time_ps);
        return;
    }
    MpiCall *call = mpi_call_receptive_for(request);
    mpi_call_touch_rank(rank);
    if (call) {
        if (G_UNLIKELY(rank->world->params.interrupt_ps))
            mpi_progress_interrupt(call, message, time_ps);
        mpi_call_advance(call, time_ps);
        handle_for(call, agent, message);
        mpi_call_settle(call);
        return;
    }
    mpi_transfer_inbox_put(rank, message);
}

/* Handles a message that a receive of the call has found in the queue. */
static inline void handle_found(MpiCall *call, MpiMessage *message)
{
    MpiProgress by = call->world->progress[MPI_PROGRESS_MESSAGES];
    if (G_UNLIKELY(by != MPI_PROGRESS_INLINE) && !call->background)
        mpi_progress_hand_over(call->rank, by, message, true, call->now);
    else
        handle(call, message);
}

/* -- receiving --------------------------------------------------------------------------------- */

/* Binds a receive and a message that match. */
static inline void bind(MpiRequest *receive, MpiMessage *message)
{
    assert(!receive->message && !message->receive);
    mpi_tell_matched(receive->owner->world, receive, message);
    receive->posted = false;
    receive->message = message;
    message->queued = false;
    message->receive = receive;
}

/* Under another matching rule, receives can wait for a message although others have come. Continues the receives that
 * need not wait any longer: in the rank's present call, or like arrivals if `call` is NULL. */
static void release_held(MpiRank *rank, MpiCall *call, uint64_t time_ps)
{
    MpiItem *receive, *item;
    while ((item = rank->matcher.rule->released(&rank->matcher, &receive))) {
        MpiMessage *message = (MpiMessage *)item;
        mpi_match_remove(&rank->matcher, &rank->world->bins, item);
        mpi_match_withdraw(&rank->matcher, &rank->world->bins, receive);
        bind((MpiRequest *)receive, message);
        if (call)
            handle_found(call, message);
        else
            handle_or_keep(rank, message->receive, message, time_ps);
    }
    MpiCall *blocked = call ? NULL : mpi_call_receptive(rank);
    if (blocked && rank->probing && mpi_match_probe(&rank->matcher, &rank->world->bins, rank->probe_key)) {
        rank->probing = false;
        mpi_call_advance(blocked, time_ps);
        mpi_call_settle(blocked);
    }
}

void mpi_transfer_release(MpiRank *rank, uint64_t time_ps)
{
    mpi_call_touch_rank(rank);
    release_held(rank, NULL, time_ps);
}

void mpi_transfer_release_in(MpiCall *call)
{
    release_held(call->rank, call, call->now);
}

void mpi_transfer_receive(MpiCall *call, MpiRequest *request)
{
    MpiRank *rank = call->rank;
    request->item.key = (MpiKey){
        .space = request->comm->context << 1 | request->collective, .source = request->peer, .tag = request->tag};
    mpi_tell_posted(call->world, call, request, false);
    MpiItem *message = mpi_match_post(&rank->matcher, &call->world->bins, &request->item);
    request->posted = !message;
    if (!message) {
        if (G_UNLIKELY(request->searched))
            mpi_queue_pay(call, request->searched);
        if (G_UNLIKELY(call->world->protocols))
            call->world->upper->protocol_posted(call, request);
        return;
    }
    bind(request, (MpiMessage *)message);
    handle_found(call, (MpiMessage *)message);
    if (mpi_match_is_ruled(&rank->matcher))
        mpi_transfer_release_in(call);
}

void mpi_transfer_claim(MpiCall *call, MpiMessage *message)
{
    MpiRank *rank = call->rank;
    mpi_match_remove(&rank->matcher, &rank->world->bins, &message->item);
    mpi_tell_claimed(rank->world, message);
    message->queued = false;
    message->claimed = true;
    if (mpi_match_is_ruled(&rank->matcher))
        mpi_transfer_release_in(call);
}

void mpi_transfer_receive_claimed(MpiCall *call, MpiRequest *request, MpiMessage *message)
{
    request->item.key = message->item.key;
    mpi_tell_posted(call->world, call, request, true);
    bind(request, message);
    handle_found(call, message);
}

/* -- receives of many messages ----------------------------------------------------------------- */

/* Does what handle() and copy_out() do for an eager message, but without a request. */
static void take_eager(MpiCall *call, MpiMany *many, MpiMessage *message)
{
    MpiWorld *world = call->world;
    const MpiParams *params = &world->params;
    MpiScheduleHead *head = world->upper->exchange_head(many);
    int error = MPI_SUCCESS;
    uint64_t bytes =
        world->upper->exchange_store(many, (uint32_t)message->item.key.source, message->data, message->bytes, &error);
    if ((message->bytes > bytes || message->damage) && !error)
        error = message->damage ? message->damage : MPI_ERR_TRUNCATE;
    mpi_call_charge(call, mpi_transfer_overhead_ps(&params->recv_overhead, message->bytes) + params->match_ps +
                              mpi_call_copying_ps(call, 0, bytes));
    mpi_count_received(call->rank, message->bytes);
    assert(head->open > 0);
    head->open--;
    if (error && !head->error)
        head->error = error;
    message_unref(world, message);
}

/* Returns a request for the message, bound to it. */
static MpiRequest *request_of_many(MpiWorld *world, MpiMany *many, MpiMessage *message)
{
    MpiRequest *request = world->upper->exchange_request(many, (uint32_t)message->item.key.source);
    bind(request, message);
    return request;
}

void mpi_transfer_take(MpiCall *call, MpiMany *many, MpiMessage *message)
{
    message->queued = false;
    if (message->phase == MPI_PHASE_EAGER) {
        take_eager(call, many, message);
        return;
    }
    request_of_many(call->world, many, message);
    handle(call, message);
}

/* As handle_or_keep(). */
static void arrive_at_many(MpiRank *rank, MpiMany *many, MpiMessage *message, uint64_t time_ps)
{
    MpiWorld *world = rank->world;
    MpiCall *agent = world->upper->exchange_head(many)->agent, *call = agent ? agent : mpi_call_receptive(rank);
    if (!call || message->phase != MPI_PHASE_EAGER) {
        handle_or_keep(rank, request_of_many(world, many, message), message, time_ps);
        return;
    }
    mpi_call_advance(call, time_ps);
    take_eager(call, many, message);
    if (agent)
        world->upper->operation_settle(agent);
    else
        mpi_call_settle(call);
}

/* -- arriving ---------------------------------------------------------------------------------- */

/* A message has been queued. Wakes the rank if it is blocked in a probe that matches the message. */
static void wake_probe(MpiRank *rank, const MpiMessage *message, uint64_t time_ps)
{
    if (G_UNLIKELY(rank->threads)) {
        mpi_probe_wake_threads(rank, message, time_ps);
        return;
    }
    MpiCall *call = mpi_call_receptive(rank);
    if (!call || !rank->probing || !mpi_match_accepts(rank->probe_key, message->item.key) ||
        (mpi_match_is_ruled(&rank->matcher) && !mpi_match_probe(&rank->matcher, &rank->world->bins, rank->probe_key)))
        return;
    rank->probing = false;
    mpi_call_advance(call, time_ps);
    mpi_call_settle(call);
}

/* An envelope whose turn it is reaches the receiver's queues. */
static inline void arrive(MpiWorld *world, MpiMessage *message, uint64_t time_ps)
{
    MpiRank *rank = mpi_world_rank(world, message->to);
    mpi_call_touch_rank(rank);
    message->arrived = true;
    if (G_UNLIKELY(world->protocols && mpi_listens_refused(world)))
        world->upper->protocol_arrives(world, message);
    if (message->cancelled) {
        message_unref(world, message);
        return;
    }
    if (rank->plain && mpi_match_accepts(rank->plain->key, message->item.key) &&
        mpi_plain_receive_end(rank, message, time_ps)) {
        message_unref(world, message);
        return;
    }
    MpiItem *receive = mpi_match_arrival(&rank->matcher, &world->bins, &message->item);
    if (receive && G_UNLIKELY(receive->many)) { /* nobody listens: see mpi_exchange_is_possible() */
        arrive_at_many(rank, (MpiMany *)receive, message, time_ps);
        return;
    }
    mpi_tell_arrived(world, message, (MpiRequest *)receive, time_ps);
    if (receive) {
        bind((MpiRequest *)receive, message);
        handle_or_keep(rank, message->receive, message, time_ps);
        if (mpi_match_is_ruled(&rank->matcher))
            release_held(rank, NULL, time_ps);
    } else {
        message->queued = true;
        if (G_UNLIKELY(rank->matcher.watch))
            mpi_queue_pay_arrival(rank, time_ps);
        wake_probe(rank, message, time_ps);
    }
}

/* Lets the envelopes between two ranks arrive in the order of sending. One that overtook others waits for them. */
static void arrive_in_order(MpiWorld *world, MpiMessage *message, uint64_t time_ps)
{
    if (world->env.in_order) {
        arrive(world, message, time_ps);
        return;
    }
    for (MpiMessage *turn = mpi_order_arrive(&world->in_flight, message), *next; turn; turn = next) {
        next = turn->next;
        turn->next = NULL;
        arrive(world, turn, time_ps);
    }
}

uint32_t mpi_world_fetch_message(uint64_t cookie, bool begun)
{
    const MpiMessage *message = (const MpiMessage *)(uintptr_t)(cookie & ~UINT64_C(15));
    if (begun)
        return cookie & MPI_COOKIE_REMOTE ? mpi_remote_head(cookie)->to : message->to;
    for (size_t line = 0; line < sizeof *message; line += 64)
        __builtin_prefetch((const char *)message + line);
    return 0;
}

/* Whether nobody waits for what has arrived: the process has failed, or the operation has ended as another has. */
static bool is_lost(const MpiWorld *world, const MpiMessage *message)
{
    bool back = message->phase == MPI_PHASE_CTS;
    return mpi_world_rank(world, back ? message->from : message->to)->failed ||
           (back ? !message->send : message->phase == MPI_PHASE_DATA && !message->receive);
}

void mpi_world_delivered(MpiWorld *world, uint64_t cookie, uint64_t time_ps)
{
    if (G_UNLIKELY((cookie & MPI_COOKIE_PACKET) == MPI_COOKIE_PACKET)) {
        world->upper->protocol_delivered(world, cookie, time_ps);
        return;
    }
    if (G_UNLIKELY(cookie & MPI_COOKIE_REMOTE)) {
        world->upper->remote_delivered(world, cookie, time_ps);
        return;
    }
    MpiMessage *message = (MpiMessage *)(uintptr_t)(cookie & ~UINT64_C(15));
    message->phase = cookie & 3;
    mpi_tell_delivered(world, message, time_ps);
    if (G_UNLIKELY(mpi_listens_refused(world)) && is_lost(world, message)) {
        message_unref(world, message);
        return;
    }
    switch ((MpiPhase)message->phase) {
    case MPI_PHASE_EAGER:
    case MPI_PHASE_RTS: arrive_in_order(world, message, time_ps); break;
    case MPI_PHASE_CTS: handle_or_keep(mpi_world_rank(world, message->from), message->send, message, time_ps); break;
    case MPI_PHASE_DATA: handle_or_keep(mpi_world_rank(world, message->to), message->receive, message, time_ps); break;
    default: g_assert_not_reached();
    }
    if (G_UNLIKELY(world->protocols))
        world->upper->protocol_brought(world, message, time_ps);
    message_unref(world, message);
}

/* The NIC no longer needs the sender's buffer. This takes none of the rank's time. */
void mpi_transfer_sent(MpiMessage *message, uint64_t time_ps)
{
    MpiRequest *request = message->send;
    MpiCall *call = mpi_call_receptive_for(request);
    mpi_tell_departed(request->owner->world, message, time_ps);
    mpi_call_touch_rank(request->owner);
    bool awaited =
        call && (request->waiter == call || (request->schedule && request->schedule == call->collective.schedule) ||
                 (request->part && request->whole->waiter == call));
    MpiCall *agent = agent_of(request);
    uint32_t waiting = call ? call->engine.waiting : 0;
    message->send = NULL;
    request->message = NULL;
    mpi_request_complete(request, request->error);
    awaited = awaited || (call && call->engine.waiting < waiting); /* a flush of an attached buffer */
    if (agent) {
        mpi_progress_go_on(agent, time_ps);
    } else if (awaited) {
        mpi_call_advance(call, time_ps);
        mpi_call_settle(call);
    }
}

void mpi_world_sent(MpiWorld *world, uint64_t cookie, uint64_t time_ps)
{
    if (cookie & MPI_COOKIE_UNREPORTED)
        return;
    if (G_UNLIKELY((cookie & MPI_COOKIE_PACKET) == MPI_COOKIE_PACKET)) {
        world->upper->protocol_sent(world, cookie, time_ps);
        return;
    }
    if (G_UNLIKELY(cookie & MPI_COOKIE_REMOTE)) {
        world->upper->remote_sent(world, cookie, time_ps);
        return;
    }
    MpiMessage *message = (MpiMessage *)(uintptr_t)(cookie & ~UINT64_C(15));
    if (message->send && !message->send->owner->failed)
        mpi_transfer_sent(message, time_ps);
    message_unref(world, message);
}
