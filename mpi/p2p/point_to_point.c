/* point_to_point.c - MPI_Send and its family (MPI-3.1 sections 3.2 to 3.7, 3.10).
 *
 * Each function checks its arguments and starts one or two requests. Then it waits for them, or gives the request to
 * the program. transfer.c does the rest. */
#include "mpi/comm/comm.h"
#include "mpi/core/call.h"
#include "mpi/core/handlers.h"
#include "mpi/core/hooks.h"
#include "mpi/core/matcher.h"
#include "mpi/core/rank.h"
#include "mpi/core/world.h"
#include "mpi/p2p/p2p.h"
#include "mpi/type/plain_buffer.h"
#include "mpi/type/type.h"

/* The arguments of a send or receive: buffer, count, type, peer, tag. */
typedef struct Endpoint {
    MpiBuffer buffer;
    int peer, tag;
} Endpoint;

/* Parses count and type of a message to or from MPI_PROC_NULL. The buffer is not touched, so it may lie outside the
 * program's arrays. */
static bool nowhere_parse(MpiCall *call, MpiComm *comm, unsigned first, MpiBuffer *buffer, MpiStep *step)
{
    int64_t count;
    *buffer = (MpiBuffer){.process = call->process, .address = call->args[first]};
    if (!mpi_check_any_count(call, comm, first + 1, &count, step) ||
        !mpi_check_type_of(call, comm, first + 2, !count, &buffer->type, step))
        return false;
    buffer->count = (uint64_t)count;
    return true;
}

static bool endpoint_parse(MpiCall *call, MpiComm *comm, unsigned first, bool receive, Endpoint *end, MpiStep *step)
{
    if (!mpi_check_peer(call, comm, first + 3, receive, &end->peer, step) ||
        !mpi_check_tag(call, comm, first + 4, receive, &end->tag, step))
        return false;
    if (end->peer == MPI_PROC_NULL_ && call->args[first])
        return nowhere_parse(call, comm, first, &end->buffer, step);
    return receive ? mpi_check_receive(call, comm, first, &end->buffer, step)
                   : mpi_check_buffer(call, comm, first, false, &end->buffer, step);
}

/* Checks that the matching receive is posted when a ready send starts (section 3.4). The simulator can look. */
static bool check_ready(MpiCall *call, MpiComm *comm, const Endpoint *end, MpiStep *step)
{
    if (end->peer == MPI_PROC_NULL_)
        return true;
    MpiRank *to = mpi_world_rank(call->world, mpi_comm_world_rank(comm, (uint32_t)end->peer));
    MpiKey key = {.space = comm->context << 1, .source = (int32_t)comm->rank, .tag = end->tag};
    if (to->plain)
        mpi_plain_receive_expand(to);
    if (mpi_match_posted(&to->matcher, key))
        return true;
    *step = mpi_call_error(call, comm, MPI_ERR_OTHER,
                           "a ready send needs a matching receive that is posted already, and rank %d has posted none "
                           "for tag %d from rank %u; use MPI_Send, or make sure that the receive comes first",
                           end->peer, end->tag, comm->rank);
    return false;
}

MpiRequest *mpi_p2p_start_send(MpiCall *call, MpiSendMode mode, const MpiBuffer *buffer, MpiComm *comm, int to, int tag,
                               bool collective)
{
    MpiRequest *request = mpi_request_new(call, MPI_REQUEST_SEND, mode, buffer, comm, to, tag, collective);
    mpi_request_start(call, request);
    return request;
}

MpiRequest *mpi_p2p_start_recv(MpiCall *call, const MpiBuffer *buffer, MpiComm *comm, int from, int tag,
                               bool collective)
{
    MpiRequest *request =
        mpi_request_new(call, MPI_REQUEST_RECEIVE, MPI_MODE_STANDARD, buffer, comm, from, tag, collective);
    mpi_request_start(call, request);
    return request;
}

static void release_state(void *state)
{
    mpi_request_release(state);
}

static void keep_request(MpiCall *call, MpiRequest *request)
{
    call->state = request;
    call->state_free = release_state;
}

/* -- blocking ---------------------------------------------------------------------------------- */

static MpiStep send_done(MpiCall *call)
{
    return mpi_call_request_error(call, call->state);
}

static bool send_parse(MpiCall *call, MpiSendMode mode, MpiComm **comm, Endpoint *end, MpiStep *step)
{
    return mpi_check_comm(call, 5, comm, step) && endpoint_parse(call, *comm, 0, false, end, step) &&
           (mode != MPI_MODE_READY || check_ready(call, *comm, end, step));
}

static MpiStep send_and_wait(MpiCall *call, MpiSendMode mode)
{
    MpiComm *comm;
    Endpoint end;
    MpiStep step;
    int error;
    if (!send_parse(call, mode, &comm, &end, &step))
        return step;
    bool any_time = mode == MPI_MODE_STANDARD || mode == MPI_MODE_READY;
    if (any_time && mpi_transfer_send_at_once(call, &end.buffer, comm, end.peer, end.tag, false, &error)) {
        mpi_tell_waits(call->world, call, NULL, 0, false);
        return error ? mpi_request_buffer_error(call, comm, error) : MPI_STEP_DONE;
    }
    MpiRequest *request = mpi_p2p_start_send(call, mode, &end.buffer, comm, end.peer, end.tag, false);
    keep_request(call, request);
    return mpi_call_wait(call, &request, 1, send_done);
}

MPI_HANDLER(Send, send_and_wait(call, MPI_MODE_STANDARD))
MPI_HANDLER(Ssend, send_and_wait(call, MPI_MODE_SYNCHRONOUS))
MPI_HANDLER(Bsend, send_and_wait(call, MPI_MODE_BUFFERED))
MPI_HANDLER(Rsend, send_and_wait(call, MPI_MODE_READY))

/* Recognises by a few tests a correct receive of items of a predefined type from an existing rank, as nearly all are.
 * Returns false for all others, correct or not. */
static inline bool recv_is_plain(MpiCall *call, MpiComm **comm, Endpoint *end)
{
    *comm = mpi_rank_lookup_comm(call->rank, call->args[5]);
    end->peer = mpi_int(call, 3);
    end->tag = mpi_int(call, 4);
    return *comm && end->peer >= 0 && end->tag >= 0 && (uint32_t)end->peer < mpi_comm_peers(*comm)->size &&
           mpi_buffer_is_plain(call, 0, true, &end->buffer);
}

/* `lasts`: the program gets the request. */
static MpiStep recv_start(MpiCall *call, bool lasts, MpiRequest **request)
{
    MpiComm *comm;
    Endpoint end;
    MpiStep step;
    *request = NULL;
    if (!recv_is_plain(call, &comm, &end) &&
        (!mpi_check_comm(call, 5, &comm, &step) || !endpoint_parse(call, comm, 0, true, &end, &step)))
        return step;
    *request =
        mpi_request_new(call, MPI_REQUEST_RECEIVE, MPI_MODE_STANDARD, &end.buffer, comm, end.peer, end.tag, false);
    (*request)->lasts = lasts;
    mpi_request_start(call, *request);
    return MPI_STEP_DONE;
}

static MpiStep recv_done(MpiCall *call)
{
    MpiRequest *request = call->state;
    mpi_status_write(call, call->args[6], &request->status, false);
    return mpi_call_request_error(call, request);
}

MpiStep mpi_do_Recv(MpiCall *call)
{
    MpiStep step;
    if (call->args[6] != MPI_STATUS_IGNORE_ && !mpi_check_result(call, 6, sizeof(MpiStatus), &step))
        return step;
    MpiRequest *request;
    step = recv_start(call, false, &request);
    if (!request)
        return step;
    keep_request(call, request);
    return mpi_call_wait(call, &request, 1, recv_done);
}

/* -- nonblocking ------------------------------------------------------------------------------- */

static MpiStep send_and_publish(MpiCall *call, MpiSendMode mode)
{
    MpiComm *comm;
    Endpoint end;
    MpiStep step;
    if (!mpi_check_result(call, 6, 8, &step) || !send_parse(call, mode, &comm, &end, &step))
        return step;
    MpiRequest *request = mpi_p2p_start_send(call, mode, &end.buffer, comm, end.peer, end.tag, false);
    return mpi_request_publish(call, request, call->args[6]);
}

MPI_HANDLER(Isend, send_and_publish(call, MPI_MODE_STANDARD))
MPI_HANDLER(Issend, send_and_publish(call, MPI_MODE_SYNCHRONOUS))
MPI_HANDLER(Ibsend, send_and_publish(call, MPI_MODE_BUFFERED))
MPI_HANDLER(Irsend, send_and_publish(call, MPI_MODE_READY))

MpiStep mpi_do_Irecv(MpiCall *call)
{
    MpiStep step;
    MpiRequest *request;
    if (!mpi_check_result(call, 6, 8, &step))
        return step;
    step = recv_start(call, true, &request);
    return request ? mpi_request_publish(call, request, call->args[6]) : step;
}

/* -- persistent (section 3.9) ------------------------------------------------------------------ */

static MpiStep init_persistent(MpiCall *call, MpiRequestSort sort, MpiSendMode mode)
{
    MpiComm *comm;
    Endpoint end;
    MpiStep step;
    if (!mpi_check_result(call, 6, 8, &step) || !mpi_check_comm(call, 5, &comm, &step) ||
        !endpoint_parse(call, comm, 0, sort == MPI_REQUEST_RECEIVE, &end, &step))
        return step;
    MpiRequest *request = mpi_request_new(call, sort, mode, &end.buffer, comm, end.peer, end.tag, false);
    request->persistent = request->lasts = true;
    return mpi_request_publish(call, request, call->args[6]);
}

MPI_HANDLER(Send_init, init_persistent(call, MPI_REQUEST_SEND, MPI_MODE_STANDARD))
MPI_HANDLER(Ssend_init, init_persistent(call, MPI_REQUEST_SEND, MPI_MODE_SYNCHRONOUS))
MPI_HANDLER(Bsend_init, init_persistent(call, MPI_REQUEST_SEND, MPI_MODE_BUFFERED))
MPI_HANDLER(Rsend_init, init_persistent(call, MPI_REQUEST_SEND, MPI_MODE_READY))
MPI_HANDLER(Recv_init, init_persistent(call, MPI_REQUEST_RECEIVE, MPI_MODE_STANDARD))

/* -- send and receive at once ------------------------------------------------------------------ */

/* The state of a blocking MPI_Sendrecv. */
typedef struct Exchange {
    MpiRequest *requests[2]; /* receive and send; a send done at once has no request, but NULL */
    uint64_t status;
    int send_error; /* error class of a send that was done at once */
} Exchange;

static void exchange_free(void *state)
{
    Exchange *exchange = state;
    for (int i = 0; i < 2; i++)
        if (exchange->requests[i])
            mpi_request_release(exchange->requests[i]);
}

static MpiStep exchange_done(MpiCall *call)
{
    const Exchange *exchange = call->state;
    const MpiRequest *receive = exchange->requests[0], *send = exchange->requests[1];
    mpi_status_write(call, exchange->status, &receive->status, false);
    if (!receive->error && exchange->send_error)
        return mpi_request_buffer_error(call, receive->comm, exchange->send_error);
    return mpi_call_request_error(call, receive->error || !send ? receive : send);
}

static Exchange *exchange_new(MpiCall *call, uint64_t status)
{
    Exchange *exchange = (Exchange *)call->room;
    _Static_assert(sizeof *exchange <= sizeof call->room, "an exchange has room in its call");
    *exchange = (Exchange){.status = status};
    call->state = exchange;
    call->state_free = exchange_free;
    return exchange;
}

static MpiStep exchange_run(MpiCall *call, MpiComm *comm, const Endpoint *send, const Endpoint *receive,
                            uint64_t status, uint8_t *packed)
{
    Exchange *exchange = exchange_new(call, status);
    exchange->requests[0] = mpi_p2p_start_recv(call, &receive->buffer, comm, receive->peer, receive->tag, false);
    if (packed ||
        !mpi_transfer_send_at_once(call, &send->buffer, comm, send->peer, send->tag, false, &exchange->send_error)) {
        exchange->requests[1] =
            mpi_p2p_start_send(call, MPI_MODE_STANDARD, &send->buffer, comm, send->peer, send->tag, false);
        exchange->requests[1]->packed = packed;
    }
    return mpi_call_wait(call, exchange->requests, 2, exchange_done);
}

MpiStep mpi_p2p_await_exchange(MpiCall *call)
{
    MpiComm *comm;
    Endpoint receive;
    MpiStep step;
    if (!mpi_check_comm(call, 10, &comm, &step) || !endpoint_parse(call, comm, 5, true, &receive, &step))
        return step;
    Exchange *exchange = exchange_new(call, call->args[11]);
    exchange->requests[0] = mpi_p2p_start_recv(call, &receive.buffer, comm, receive.peer, receive.tag, false);
    return mpi_call_wait(call, exchange->requests, 2, exchange_done);
}

/* Starts an exchange in the background, with one request for both messages. */
static MpiStep exchange_start(MpiCall *call, MpiComm *comm, const Endpoint *send, const Endpoint *receive,
                              uint64_t address, uint8_t *packed)
{
    MpiRequest *whole = mpi_request_whole(call, comm, 2);
    MpiRequest *parts[2] = {
        mpi_request_new(call, MPI_REQUEST_RECEIVE, MPI_MODE_STANDARD, &receive->buffer, comm, receive->peer,
                        receive->tag, false),
        mpi_request_new(call, MPI_REQUEST_SEND, MPI_MODE_STANDARD, &send->buffer, comm, send->peer, send->tag, false)};
    parts[1]->packed = packed;
    mpi_tell_used(call->world, call, whole, &send->buffer, false, -1);
    if (receive->peer != MPI_PROC_NULL_)
        mpi_tell_used(call->world, call, whole, &receive->buffer, true, -1);
    for (int i = 0; i < 2; i++) {
        mpi_request_join(parts[i], whole);
        mpi_request_start(call, parts[i]);
        mpi_request_release(parts[i]);
    }
    return mpi_request_publish(call, whole, address);
}

/* Checks the last argument: a status, or a request in the nonblocking form. */
static bool check_last(MpiCall *call, unsigned arg, MpiStep *step)
{
    if (call->form == MPI_FORM_NONBLOCKING)
        return mpi_check_result(call, arg, sizeof(MpiHandle), step);
    return call->args[arg] == MPI_STATUS_IGNORE_ || mpi_check_result(call, arg, sizeof(MpiStatus), step);
}

MpiStep mpi_do_Sendrecv(MpiCall *call)
{
    MpiComm *comm;
    Endpoint send, receive;
    MpiStep step;
    if (!check_last(call, 11, &step) || !mpi_check_comm(call, 10, &comm, &step) ||
        !endpoint_parse(call, comm, 0, false, &send, &step) || !endpoint_parse(call, comm, 5, true, &receive, &step))
        return step;
    if (send.peer != MPI_PROC_NULL_ && receive.peer != MPI_PROC_NULL_ &&
        !mpi_ask_apart(call->world, call, &send.buffer, &receive.buffer, &step))
        return step;
    return (call->form == MPI_FORM_NONBLOCKING ? exchange_start : exchange_run)(call, comm, &send, &receive,
                                                                                call->args[11], NULL);
}

MpiStep mpi_do_Isendrecv(MpiCall *call)
{
    call->form = MPI_FORM_NONBLOCKING;
    return mpi_do_Sendrecv(call);
}

/* The data is sent from a copy, so that the incoming message may overwrite it at any time. */
MpiStep mpi_do_Sendrecv_replace(MpiCall *call)
{
    MpiComm *comm;
    Endpoint send, receive;
    MpiStep step;
    if (!check_last(call, 8, &step) || !mpi_check_comm(call, 7, &comm, &step) ||
        !endpoint_parse(call, comm, 0, false, &send, &step) ||
        !mpi_check_peer(call, comm, 5, true, &receive.peer, &step) ||
        !mpi_check_tag(call, comm, 6, true, &receive.tag, &step) ||
        !mpi_check_buffer(call, comm, 0, true, &receive.buffer, &step))
        return step;
    uint64_t bytes = receive.buffer.count * receive.buffer.type->size;
    uint8_t *copy = g_malloc0(bytes + 1);
    mpi_transfer_load(&receive.buffer, bytes, copy);
    mpi_call_charge(call, mpi_call_copying_ps(call, 0, bytes));
    send.buffer = (MpiBuffer){.host = copy, .type = receive.buffer.type, .count = receive.buffer.count};
    return (call->form == MPI_FORM_NONBLOCKING ? exchange_start : exchange_run)(call, comm, &send, &receive,
                                                                                call->args[8], copy);
}

MpiStep mpi_do_Isendrecv_replace(MpiCall *call)
{
    call->form = MPI_FORM_NONBLOCKING;
    return mpi_do_Sendrecv_replace(call);
}
