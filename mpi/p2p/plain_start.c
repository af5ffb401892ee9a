/* plain_start.c - the short way of plain MPI_Isend and MPI_Irecv.
 *
 * They leave the same request as the general way, and charge the same, but need no MpiCall on the way to it. So nobody
 * may listen who would be told of that call or of its message: the way is closed while anybody hears of calls at all. A
 * receive whose message has come already goes the general way, which handles the message.
 */
#include "mpi/core/call.h"
#include "mpi/core/count.h"
#include "mpi/core/function.h"
#include "mpi/core/handles.h"
#include "mpi/core/hooks.h"
#include "mpi/core/places.h"
#include "mpi/core/rank.h"
#include "mpi/core/world.h"
#include "mpi/p2p/p2p.h"
#include "mpi/p2p/plain.h"

#include <assert.h>

enum { COMM = 5, REQUEST = 6 }; /* arguments of both functions */

/* Whether the rank's call can be a short one, as far as nothing but the rank and who listens matters. */
static inline bool is_open(MpiRank *rank, const uint64_t *args)
{
    const MpiWorld *world = rank->world;
    return mpi_hooks_hear_nothing(world) && !mpi_listens_stored(world) && !mpi_listens_used(world) &&
           !mpi_listens_over_plainly(world) && !mpi_listens_sent_plainly(world) && rank->state == MPI_RANK_ACTIVE &&
           !rank->inbox && !rank->call && !rank->threads && !vm_rank_is_watched(rank->process) &&
           vm_rank_can_write(rank->process, args[REQUEST], sizeof(MpiHandle));
}

/* Makes the request, active, of the call of row `function` of functions.def. */
static inline MpiRequest *make(MpiRank *rank, const MpiMaker *maker, MpiRequestSort sort, const uint64_t *args,
                               MpiComm *comm)
{
    MpiBuffer buffer = {.process = rank->process,
                        .address = args[0],
                        .type = mpi_type_predefined((MpiPrimitive)(args[2] - MPI_HANDLE(MPI_KIND_TYPE, 1))),
                        .count = (uint64_t)(unsigned)(int)args[1]};
    MpiRequest *request =
        mpi_request_make(rank, maker, sort, MPI_MODE_STANDARD, &buffer, comm, (int)args[3], (int)args[4]);
    mpi_request_begin(request);
    return request;
}

static inline MpiMaker maker_of(const MpiRank *rank, uint32_t function)
{
    return (MpiMaker){.name = mpi_function(function)->info.name,
                      .pc = mpi_place_of_call(rank->world, rank->process),
                      .function = function};
}

/* Gives the request to the program and ends the call, which has lasted from now_ps to end_ps. */
static inline void publish(MpiRank *rank, const MpiMaker *maker, MpiRequest *request, uint64_t address, uint64_t now_ps,
                           uint64_t end_ps)
{
    VmRank *process = rank->process;
    request->handle = mpi_handle_register_at(rank, maker, MPI_KIND_REQUEST, request);
    memcpy(vm_rank_write(process, address, sizeof request->handle), &request->handle, sizeof request->handle);
    mpi_count_calls(rank, 1);
    mpi_count_overhead(rank, end_ps - now_ps);
    rank->idle_polls = 0;
    if (end_ps > now_ps)
        vm_clock_set(vm_rank_clock(process), end_ps);
    vm_rank_complete(process, MPI_SUCCESS);
}

bool mpi_plain_start_send(MpiRank *rank, const VmRequest *request, uint64_t now_ps)
{
    const uint64_t *args = request->args;
    const MpiParams *params = &rank->world->params;
    MpiPlainSend plain;
    if (!is_open(rank, args) || !mpi_plain_parse_send(rank, args, mpi_rank_lookup_comm(rank, args[COMM]), &plain))
        return false;
    MpiMaker maker = maker_of(rank, MPI_FUNCTION_Isend);
    MpiRequest *send = make(rank, &maker, MPI_REQUEST_SEND, args, plain.comm);
    uint64_t end_ps = now_ps + params->call_overhead_ps + mpi_plain_send_ps(params, plain.bytes);
    mpi_plain_transmit(rank, &plain, args[2], end_ps, maker.pc, NULL);
    send->complete = true;
    publish(rank, &maker, send, args[REQUEST], now_ps, end_ps);
    return true;
}

bool mpi_plain_start_receive(MpiRank *rank, const VmRequest *request, uint64_t now_ps)
{
    const uint64_t *args = request->args;
    MpiMatcher *matcher = &rank->matcher;
    MpiPlainReceive plain;
    if (!is_open(rank, args) || mpi_match_is_ruled(matcher) || matcher->watch)
        return false;
    MpiComm *comm = mpi_rank_lookup_comm(rank, args[COMM]);
    if (!mpi_plain_parse_endpoint(rank, args, MPI_PLAIN_RECEIVE, comm, &plain) || mpi_plain_find(rank, &plain))
        return false;
    MpiMaker maker = maker_of(rank, MPI_FUNCTION_Irecv);
    MpiRequest *receive = make(rank, &maker, MPI_REQUEST_RECEIVE, args, comm);
    receive->lasts = true;
    receive->item.key = plain.key;
    receive->posted = true;
    MpiItem *message = mpi_match_post(matcher, &rank->world->bins, &receive->item);
    assert(!message);
    (void)message;
    publish(rank, &maker, receive, args[REQUEST], now_ps, now_ps + rank->world->params.call_overhead_ps);
    return true;
}
