/* receiver_post.c - every message waits until its receiver has posted.
 *
 *   receive first    receiver: POST -->   sender: data                       the message is its own envelope
 *   send first       sender: RTS -->      receiver, when it receives: CTS    the data follow
 *   crossing         POST and RTS meet    the sender takes the post for the message, the receiver drops the RTS
 *
 * An RTS is the sender's post, a CTS a receiver's post that answers it. A POST says how many envelopes its receiver has
 * seen from this sender: it is for none of these, as the receiver would have taken them. So crossing posts are told
 * from others.
 *
 * A receive from any source does not know whom to post to. It waits for a sender's post, and takes that of the lowest
 * rank if there are several (MpiMatcher.by_rank). A receive behind it that might take the same message is not posted
 * until that is decided: otherwise its sender could take the wrong one of the two. Therefore sender and receiver, each
 * with its own lists, come to the same pairs.
 *
 * Long messages go in chunks, each of which but the last is acknowledged before the next is sent. The others of the
 * pair are deferred meanwhile. */
#include "mpi/core/hooks.h"
#include "mpi/protocol/protocol.h"
#include "mpi/protocol/way.h"

/* -- posts of the receiver ------------------------------------------------------------------------ */

void mpi_post_unref(MpiWorld *world, MpiPost *post)
{
    if (--post->refs == 0)
        mpi_pool_give(&mpi_protocol_state(world)->posts, post);
}

static MpiPost *post_new(MpiRequest *receive, MpiLane *lane, MpiPostState state)
{
    MpiPost *post = mpi_pool_take(&mpi_protocol_state(receive->owner->world)->posts);
    *post = (MpiPost){.receive = receive, .key = receive->item.key, .lane = lane, .state = state, .refs = 1};
    receive->notes[MPI_REQUEST_NOTE_POST] = post;
    return post;
}

/* Whether a message might be for either of the two receives. */
static bool overlap(MpiKey a, MpiKey b)
{
    return a.space == b.space && (a.tag == b.tag || a.tag == MPI_ANY_TAG_ || b.tag == MPI_ANY_TAG_);
}

static void send_post(MpiCall *call, MpiPost *post)
{
    MpiPacket *packet = mpi_packet_new(call->world, MPI_PACKET_POST, post->lane, true, NULL);
    packet->head.tag = post->key.tag;
    packet->head.context = post->key.space >> 1;
    packet->post = post;
    post->refs++;
    post->seen = post->lane->seen;
    post->state = MPI_POST_SENT;
    mpi_packet_send(call, packet, 0, 0, false);
}

/* Whether the receive is behind one from any source, of those before `end` (NULL: all). */
static bool is_behind(const MpiMailbox *mailbox, const MpiPost *post)
{
    for (const GList *at = mailbox->wild.head; at; at = at->next) {
        const MpiPost *wild = at->data;
        if (wild->receive->item.order < post->receive->item.order && overlap(wild->key, post->key))
            return true;
    }
    return false;
}

static void posted(MpiCall *call, MpiLane *lane, MpiRequest *receive)
{
    MpiMailbox *mailbox = mpi_lane_mailbox(call->rank);
    MpiPost *post = post_new(receive, lane, MPI_POST_HELD);
    if (is_behind(mailbox, post))
        g_queue_push_tail(&mailbox->held, post);
    else
        send_post(call, post);
}

void mpi_posts_add_wild(MpiRequest *receive)
{
    g_queue_push_tail(&mpi_lane_mailbox(receive->owner)->wild, post_new(receive, NULL, MPI_POST_WILD));
}

void mpi_posts_over(MpiRequest *receive)
{
    MpiMailbox *mailbox = mpi_lane_mailbox(receive->owner);
    MpiPost *post = receive->notes[MPI_REQUEST_NOTE_POST];
    receive->notes[MPI_REQUEST_NOTE_POST] = NULL;
    post->receive = NULL;
    if (post->state == MPI_POST_WILD) {
        g_queue_remove(&mailbox->wild, post);
        mailbox->released = true;
    } else if (post->state == MPI_POST_HELD) {
        g_queue_remove(&mailbox->held, post);
    } else if (post->state == MPI_POST_SENT && g_queue_remove(&post->lane->posts, post)) {
        mpi_post_unref(receive->owner->world, post);
    }
    mpi_post_unref(receive->owner->world, post);
}

void mpi_posts_release(MpiCall *call)
{
    MpiMailbox *mailbox = mpi_lane_mailbox(call->rank);
    if (!mailbox->released)
        return;
    mailbox->released = false;
    for (GList *at = mailbox->held.head, *next; at; at = next) {
        MpiPost *post = at->data;
        next = at->next;
        if (is_behind(mailbox, post))
            continue;
        g_queue_delete_link(&mailbox->held, at);
        send_post(call, post);
    }
}

bool mpi_protocol_may_cancel(const MpiRequest *request)
{
    if (request->sort == MPI_REQUEST_SEND)
        return !request->message || !mpi_flight_of(request->message)->promised;
    const MpiPost *post = request->notes[MPI_REQUEST_NOTE_POST];
    return !post || post->state != MPI_POST_USED;
}

/* -- the sender ---------------------------------------------------------------------------------- */

static bool is_long(const MpiFlight *flight)
{
    return flight->message->bytes > flight->lane->params->chunk;
}

static void start(MpiCall *call, MpiFlight *flight);

/* The lane keeps a reference to the message. */
static void set_busy(MpiLane *lane, MpiFlight *flight)
{
    MpiFlight *before = lane->busy;
    lane->busy = flight;
    if (flight)
        flight->message->refs++;
    if (before)
        mpi_transfer_drop(before->world, before->message);
}

/* The long message is over: the next one begins. */
static void start_next(MpiCall *call, MpiLane *lane, uint64_t time_ps)
{
    set_busy(lane, NULL);
    for (MpiFlight *next; !lane->busy && (next = g_queue_pop_head(&lane->deferred));) {
        MpiMessage *message = next->message;
        if (message->send) {
            set_busy(lane, next);
            mpi_flight_launch(call, next, time_ps);
        }
        mpi_transfer_drop(next->world, message);
    }
}

static void send_piece(MpiCall *call, MpiFlight *flight)
{
    MpiMessage *message = flight->message;
    MpiLane *lane = flight->lane;
    uint64_t bytes = MIN(lane->params->chunk, message->bytes - flight->moved);
    uint64_t copying_ps = mpi_transfer_is_flat(&message->send->buffer) ? 0 : mpi_call_copying_ps(call, 0, bytes);
    flight->moved += bytes;
    bool last = flight->moved == message->bytes, envelope = !flight->begun && !flight->is_announced;
    flight->begun = true;
    if (envelope) {
        message->piece = last ? 0 : bytes;
        mpi_flight_collect(flight);
        mpi_transfer_hand_over(call, message, MPI_PHASE_EAGER, bytes, copying_ps, last);
    } else {
        MpiPacket *packet = mpi_packet_new(call->world, MPI_PACKET_PIECE, lane, false, flight);
        packet->amount = bytes;
        packet->last = packet->head.data = last;
        mpi_packet_send(call, packet, bytes, copying_ps, last);
    }
    if (last && lane->busy == flight)
        start_next(call, lane, call->now);
}

void mpi_posts_ended(MpiLane *lane, uint64_t time_ps)
{
    for (GList *at = lane->announced.head, *next; at; at = next) {
        MpiFlight *flight = at->data;
        next = at->next;
        if (flight->message->send)
            continue;
        g_queue_delete_link(&lane->announced, at);
        mpi_transfer_drop(flight->world, flight->message);
    }
    if (lane->busy && !lane->busy->message->send)
        start_next(NULL, lane, time_ps);
}

static void start(MpiCall *call, MpiFlight *flight)
{
    MpiMessage *message = flight->message;
    MpiRequest *request = message->send;
    if (!request) { /* it has ended because a process has failed */
        if (flight->lane->busy == flight)
            start_next(call, flight->lane, call->now);
        return;
    }
    if (is_long(flight))
        set_busy(flight->lane, flight);
    if (!mpi_transfer_capture(message, &request->buffer))
        request->error = MPI_ERR_BUFFER;
    send_piece(call, flight);
}

/* The receiver has posted. */
static void launch(MpiCall *call, MpiFlight *flight)
{
    if (is_long(flight) && flight->lane->busy && flight->lane->busy != flight)
        mpi_flight_push(&flight->lane->deferred, flight);
    else
        start(call, flight);
}

static void send(MpiCall *call, MpiFlight *flight, MpiRequest *request)
{
    MpiLane *lane = flight->lane;
    MpiMessage *message = flight->message;
    message->rendezvous = true;
    message->send = request;
    request->message = message;
    for (GList *at = lane->posts.head; at; at = at->next) {
        MpiPost *post = at->data;
        if (!mpi_match_accepts(post->key, message->item.key))
            continue;
        g_queue_delete_link(&lane->posts, at);
        post->state = MPI_POST_USED;
        flight->promised = true;
        mpi_post_unref(call->world, post);
        mpi_call_charge(call, mpi_protocol_receive_ps(call, 0) + call->world->params.match_ps);
        launch(call, flight);
        return;
    }
    flight->is_announced = true;
    mpi_flight_push(&lane->announced, flight);
    call->rank->stats.controls_sent++;
    mpi_flight_collect(flight);
    mpi_transfer_hand_over(call, message, MPI_PHASE_RTS, 0, 0, false);
}

/* Takes the message out of those without a post. */
static bool take_announced(MpiFlight *flight)
{
    if (flight->promised || !g_queue_remove(&flight->lane->announced, flight))
        return false;
    flight->promised = true;
    mpi_transfer_drop(flight->world, flight->message); /* somebody else has a reference */
    return true;
}

void mpi_posts_arrived(MpiWorld *world, MpiPacket *packet, uint64_t time_ps)
{
    MpiPost *post = packet->post;
    MpiLane *lane = packet->lane;
    if (!post->receive) {
        mpi_packet_free(world, packet);
        return;
    }
    for (GList *at = lane->announced.head; at; at = at->next) {
        MpiFlight *flight = at->data;
        const MpiMessage *message = flight->message;
        if (flight->number <= post->seen || !message->send || !mpi_match_accepts(post->key, message->item.key))
            continue;
        post->state = MPI_POST_USED;
        flight->promised = true;
        g_queue_delete_link(&lane->announced, at);
        packet->flight = flight; /* and the reference of the list */
        mpi_packet_to_rank(mpi_world_rank(world, lane->from), message->send, packet, time_ps);
        return;
    }
    post->refs++;
    g_queue_push_tail(&lane->posts, post);
    mpi_packet_free(world, packet);
}

void mpi_posts_acknowledged(MpiCall *call, const MpiPacket *packet)
{
    mpi_packet_charge(call, packet, mpi_protocol_receive_ps(call, 0));
    if (packet->flight->message->send)
        send_piece(call, packet->flight);
    else if (packet->lane->busy == packet->flight)
        start_next(call, packet->lane, call->now);
}

/* -- the receiver -------------------------------------------------------------------------------- */

static uint64_t piece_ps(const MpiCall *call, const MpiRequest *receive, uint64_t bytes)
{
    bool flat = mpi_transfer_is_flat(&receive->buffer);
    uint64_t received_ps = mpi_protocol_receive_ps(call, bytes);
    return received_ps + (flat ? 0 : mpi_call_copying_ps(call, received_ps, MIN(bytes, receive->bytes)));
}

/* A piece is in the buffer. */
static void placed(MpiCall *call, MpiFlight *flight, uint64_t bytes)
{
    flight->here += bytes;
    if (flight->here == flight->message->bytes) {
        mpi_flight_deliver(call, flight);
        return;
    }
    MpiPacket *packet = mpi_packet_new(call->world, MPI_PACKET_ACKNOWLEDGE, flight->lane, true, flight);
    mpi_packet_send(call, packet, 0, 0, false);
}

void mpi_posts_piece(MpiCall *call, const MpiPacket *packet)
{
    MpiFlight *flight = packet->flight;
    const MpiRequest *receive = flight->message->receive;
    if (!receive) /* the operation has ended, as a process has failed */
        return;
    mpi_packet_charge(call, packet, piece_ps(call, receive, packet->amount));
    placed(call, flight, packet->amount);
}

static void handled(MpiCall *call, const MpiMessage *message, uint64_t ps)
{
    uint64_t began_ps = call->now;
    mpi_call_charge(call, ps);
    mpi_tell_handled(call->world, call, message, began_ps);
}

/* The receive has been found. Answers the sender's post, unless the receive has been posted, and the two crossed. */
static void answer(MpiCall *call, MpiFlight *flight)
{
    MpiMessage *message = flight->message;
    const MpiPost *post = message->receive->notes[MPI_REQUEST_NOTE_POST];
    handled(call, message, mpi_protocol_receive_ps(call, 0) + mpi_protocol_match_ps(call, message));
    flight->matched = true;
    if (!post || post->state < MPI_POST_SENT) {
        call->rank->stats.controls_sent++;
        mpi_transfer_hand_over(call, message, MPI_PHASE_CTS, 0, 0, false);
    }
    MpiPacket *early = flight->early;
    flight->early = NULL;
    if (!early)
        return;
    mpi_posts_piece(call, early);
    mpi_packet_free(call->world, early);
}

static void handle(MpiCall *call, MpiFlight *flight)
{
    MpiMessage *message = flight->message;
    uint64_t bytes = message->piece ? message->piece : message->bytes;
    switch ((MpiPhase)message->phase) {
    case MPI_PHASE_EAGER: /* the first piece, or all */
        handled(call, message, piece_ps(call, message->receive, bytes) + mpi_protocol_match_ps(call, message));
        flight->matched = true;
        placed(call, flight, bytes);
        break;
    case MPI_PHASE_RTS: answer(call, flight); break;
    case MPI_PHASE_CTS:
        handled(call, message, mpi_protocol_receive_ps(call, 0));
        if (take_announced(flight))
            launch(call, flight);
        break;
    default: g_assert_not_reached();
    }
}

static void describe(const MpiFlight *flight, GString *out)
{
    (void)flight;
    g_string_append(out, " (receiver-post: every message waits for its receive)");
}

const MpiProtocolWay mpi_protocol_receiver_post = {
    .send = send, .launch = launch, .handle = handle, .posted = posted, .describe = describe};
