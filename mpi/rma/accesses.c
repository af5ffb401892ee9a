/* accesses.c - MPI_Put, MPI_Get, MPI_Accumulate and their relatives (MPI-4.1 section 12.3): arguments, and what is
 * sent.
 *
 * Data that go to a target are packed at once. Short ones are the library's from then on, as with eager messages; of
 * longer ones the network interface needs the buffer until the last byte has left, and the rank does not pay for a copy
 * of them. Accesses of nothing, and to MPI_PROC_NULL, are over at once. */
#include "mpi/core/count.h"
#include "mpi/core/findings.h"
#include "mpi/core/handlers.h"
#include "mpi/core/handles.h"
#include "mpi/core/hooks.h"
#include "mpi/core/stores.h"
#include "mpi/rma/windows.h"

#include <string.h>

enum { NO_ARGUMENT = -1 };

/* Numbers of the arguments of a call. */
typedef struct Arguments {
    int origin, result; /* address, count and type; NO_ARGUMENT: there is none */
    int rank, displacement;
    int items; /* count and type at the target */
    int op, win, request;
} Arguments;

typedef struct Access {
    MpiRemoteSort sort;
    MpiWin *win;
    MpiBuffer origin, result;
    int rank;
    uint64_t address, count; /* at the target */
    MpiType *type;
    MpiOp *op;
    MpiRequest *request;
    uint64_t request_address; /* 0: no request */
} Access;

static uint64_t bytes_of(const MpiBuffer *buffer)
{
    return buffer->type ? buffer->count * buffer->type->size : 0;
}

/* -- arguments --------------------------------------------------------------------------------- */

/* Gets rank, displacement and items of the target. */
static bool check_target(MpiCall *call, const Arguments *at, Access *access, MpiStep *step)
{
    int64_t count;
    if (!mpi_check_peer(call, access->win->comm, (unsigned)at->rank, false, &access->rank, step) ||
        !mpi_check_any_count(call, NULL, (unsigned)at->items, &count, step) ||
        !mpi_check_type_of(call, NULL, (unsigned)at->items + 1, !count, &access->type, step))
        return false;
    access->count = (uint64_t)count;
    return true;
}

/* Checks that the epoch and the window allow the access. */
static bool check_place(MpiCall *call, const Arguments *at, Access *access, MpiStep *step)
{
    MpiWin *win = access->win;
    bool writes = access->sort != MPI_REMOTE_GET && !(access->op && mpi_combine_is_none(access->op));
    if (access->request_address && !mpi_check_passive(call, win, step))
        return false;
    if (!mpi_check_epoch(call, win, (uint32_t)access->rank, writes, step))
        return false;
    return mpi_window_check_range(call, win->window->members[access->rank], (int64_t)call->args[at->displacement],
                                  access->type, access->count, &access->address, step);
}

static bool check_size(MpiCall *call, const Access *access, uint64_t bytes, uint64_t room, const char *where,
                       MpiStep *step)
{
    bool combines = access->sort >= MPI_REMOTE_ACCUMULATE;
    if (combines ? bytes == room : bytes <= room)
        return true;
    *step = mpi_call_error(call, NULL, bytes > room ? MPI_ERR_TRUNCATE : MPI_ERR_COUNT,
                           "%" G_GUINT64_FORMAT " bytes are moved, but there is room for %" G_GUINT64_FORMAT
                           " %s; counts and datatypes of both sides must describe the same data",
                           bytes, room, where);
    return false;
}

/* With --check=signatures: both sides must describe the same sequence of numbers, as for messages. */
static bool check_signature(MpiCall *call, const Access *access, const MpiType *here, uint64_t bytes, MpiStep *step)
{
    if (!here || !mpi_check_is_on(call->world, MPI_CHECK_SIGNATURES) || mpi_signatures_match(here, access->type, bytes))
        return true;
    g_autoptr(GString) out = g_string_new(NULL);
    mpi_append_signature_difference(out, here, access->type, bytes);
    *step = mpi_finding_stop(call, MPI_CHECK_SIGNATURES,
                             "the datatypes at the origin and at the target do not describe the same data%s", out->str);
    return false;
}

static MpiStep bad_operator(MpiCall *call, unsigned arg, const MpiOp *op, const MpiType *type)
{
    if (!op->predefined)
        return mpi_call_error(call, NULL, MPI_ERR_OP,
                              "argument %u is an operator of the program; accumulates take only predefined ones", arg);
    if (mpi_combine_element(type) == MPI_PRIMITIVE_COUNT)
        return mpi_call_error(call, NULL, MPI_ERR_TYPE,
                              "%s consists of different predefined datatypes; accumulates need one kind throughout",
                              mpi_type_describe(type));
    return mpi_call_error(call, NULL, MPI_ERR_OP, "%s is not defined on %s", op->name, mpi_type_describe(type));
}

static bool check_operator(MpiCall *call, const Arguments *at, Access *access, MpiStep *step)
{
    unsigned arg = (unsigned)at->op;
    access->op = mpi_handle_lookup(call->rank, MPI_KIND_OP, call->args[arg]);
    if (!access->op) {
        *step = mpi_argument_bad_handle_of(call, NULL, MPI_KIND_OP, arg);
        return false;
    }
    if (mpi_combine_is_none(access->op) && access->sort == MPI_REMOTE_ACCUMULATE) {
        *step = mpi_call_error(call, NULL, MPI_ERR_OP,
                               "MPI_NO_OP moves nothing here; it is for MPI_Get_accumulate and MPI_Fetch_and_op");
        return false;
    }
    return true;
}

static bool check_combination(MpiCall *call, const Arguments *at, const Access *access, MpiStep *step)
{
    const MpiType *origin = access->origin.type;
    if (!access->op || !access->count || !access->type->size)
        return true;
    if (!mpi_combine_allows(access->op, access->type)) {
        *step = bad_operator(call, (unsigned)at->op + 1, access->op, access->type);
        return false;
    }
    if (origin && access->origin.count && mpi_combine_element(origin) != mpi_combine_element(access->type)) {
        *step = mpi_call_error(call, NULL, MPI_ERR_TYPE, "%s at the origin and %s at the target cannot be combined",
                               mpi_type_describe(origin), mpi_type_describe(access->type));
        return false;
    }
    return true;
}

/* Gets the arguments. Returns false if the call is over: after an error, or with nothing to do. */
static bool parse(MpiCall *call, const Arguments *at, Access *access, MpiStep *step)
{
    if (!mpi_rma_check_win(call, (unsigned)at->win, &access->win, step) ||
        (at->request != NO_ARGUMENT && !mpi_check_result(call, (unsigned)at->request, 8, step)) ||
        (at->op != NO_ARGUMENT && !check_operator(call, at, access, step)))
        return false;
    access->request_address = at->request != NO_ARGUMENT ? call->args[at->request] : 0;
    bool gives = at->origin != NO_ARGUMENT && !(access->op && mpi_combine_is_none(access->op));
    if ((gives && !mpi_check_buffer(call, NULL, (unsigned)at->origin, false, &access->origin, step)) ||
        (at->result != NO_ARGUMENT &&
         !mpi_check_buffer(call, NULL, (unsigned)at->result, true, &access->result, step)) ||
        !check_target(call, at, access, step))
        return false;
    if (access->rank == MPI_PROC_NULL_)
        return true;
    uint64_t bytes = access->count * access->type->size;
    return (!gives || check_size(call, access, bytes_of(&access->origin), bytes, "at the target", step)) &&
           (at->result == NO_ARGUMENT ||
            check_size(call, access, bytes, bytes_of(&access->result), "in the buffer at the origin", step)) &&
           check_signature(call, access, gives ? access->origin.type : NULL, bytes_of(&access->origin), step) &&
           check_signature(call, access, access->result.type, bytes, step) &&
           check_combination(call, at, access, step) && check_place(call, at, access, step);
}

/* -- sending ----------------------------------------------------------------------------------- */

static void ref_type(const MpiType *type)
{
    if (type && !type->predefined)
        mpi_type_ref((MpiType *)type);
}

/* Makes the request, which the program gets at once. */
static MpiStep make_request(MpiCall *call, Access *access)
{
    bool gets = access->result.type;
    const MpiBuffer *buffer = gets ? &access->result : &access->origin;
    access->request =
        mpi_request_new(call, MPI_REQUEST_REMOTE, MPI_MODE_STANDARD, buffer, access->win->comm, access->rank, 0, false);
    access->request->active = true;
    access->request->status = mpi_status_empty();
    MpiStep step = mpi_request_publish(call, access->request, access->request_address);
    mpi_tell_used(call->world, call, access->request, buffer, gets, -1);
    return step;
}

/* Fills in what is sent: returns false if the memory of the origin is gone. */
static bool load(MpiRemote *remote, const Access *access)
{
    uint64_t bytes = bytes_of(&access->origin);
    if (!bytes)
        return true;
    mpi_remote_take_data(remote, bytes);
    bool loaded = mpi_transfer_load(&access->origin, bytes, remote->data);
    if (!loaded)
        memset(remote->data, 0, bytes);
    return loaded;
}

static void count_open(MpiRemote *remote)
{
    MpiPeer *peer = remote->peer;
    MpiWin *win = remote->origin;
    if (remote->answers) {
        peer->fetches++;
        win->fetches++;
    } else if (remote->origin != remote->target) {
        peer->unconfirmed++;
    }
    if (remote->leaves) {
        peer->leaving++;
        win->leaving++;
    }
}

static void count(MpiRank *rank, const Access *access)
{
    uint64_t bytes = access->count * access->type->size;
    if (access->sort == MPI_REMOTE_PUT)
        mpi_count_put(rank, bytes);
    else if (access->sort == MPI_REMOTE_GET)
        mpi_count_get(rank, bytes);
    else
        mpi_count_accumulate(rank, bytes);
}

static void start(MpiCall *call, Access *access, MpiRemote *remote)
{
    uint64_t limit = call->world->params.eager_limit;
    bool elsewhere = remote->origin != remote->target, long_data = remote->bytes > limit;
    bool copies = !long_data || !elsewhere || !access->origin.type->contiguous;
    access->win->fence_ops += access->win->fence_open;
    remote->address = access->address;
    remote->count = access->count;
    remote->type = access->type;
    ref_type(remote->type);
    remote->op = access->op;
    remote->result = access->result;
    ref_type(remote->result.type);
    remote->answers = access->sort != MPI_REMOTE_PUT && access->sort != MPI_REMOTE_ACCUMULATE;
    remote->leaves = elsewhere && long_data;
    count_open(remote);
    count(call->rank, access);
    MpiRequest *request = access->request;
    if (request && (remote->answers || remote->leaves))
        remote->request = request;
    else if (request)
        mpi_request_complete(request, MPI_SUCCESS);
    mpi_remote_send(call, remote, copies ? remote->bytes : 0);
}

/* Asks whether the access is compatible with others, and notes what it uses, if somebody wants to know. */
static bool check_conflicts(MpiCall *call, const Access *access, const MpiRemote *remote, MpiStep *step)
{
    static const MpiAccessKind kinds[] = {[MPI_REMOTE_PUT] = MPI_ACCESS_PUT,
                                          [MPI_REMOTE_GET] = MPI_ACCESS_GET,
                                          [MPI_REMOTE_ACCUMULATE] = MPI_ACCESS_ACCUMULATE,
                                          [MPI_REMOTE_FETCH] = MPI_ACCESS_ACCUMULATE,
                                          [MPI_REMOTE_SWAP] = MPI_ACCESS_ACCUMULATE};
    MpiPeer *peer = remote->peer;
    MpiWindowAccess asked = {.kept = &remote->target->kept,
                             .origin = call->rank->index,
                             .target = remote->target->rank,
                             .kind = kinds[access->sort],
                             .op = access->op,
                             .type = access->type,
                             .count = access->count,
                             .address = access->address,
                             .base = remote->target->base,
                             .id = remote->head.id,
                             .lock = peer->nocheck ? MPI_LOCK_NONE : peer->lock,
                             .writes =
                                 access->sort != MPI_REMOTE_GET && !(access->op && mpi_combine_is_none(access->op)),
                             .epoch = mpi_access_epoch(access->win, peer),
                             .flushes = peer->flushes,
                             .local_flushes = peer->local_flushes,
                             .brings = access->result.type,
                             .awaited = access->request_address};
    MpiWindowStep at = {.event = MPI_WINDOW_ORDERING,
                        .access = &asked,
                        .win = access->win,
                        .own = &access->win->kept,
                        .kept = asked.kept};
    if (!mpi_ask_window(call->world, call, &at, step))
        return false;
    at.event = MPI_WINDOW_ACCESSING;
    if (!mpi_ask_window(call->world, call, &at, step))
        return false;
    if (mpi_listens_used(call->world) && !access->request_address)
        mpi_peer_use(call, peer, &access->origin, &access->result);
    return true;
}

static MpiStep run(MpiCall *call, Access *access, MpiRemote *remote)
{
    MpiStep step = MPI_STEP_DONE;
    bool watched = remote && (mpi_listens_window(call->world) || mpi_listens_used(call->world));
    if (G_UNLIKELY(watched) && !check_conflicts(call, access, remote, &step)) {
        mpi_remote_drop(remote);
        return step;
    }
    if (access->request_address)
        step = make_request(call, access);
    if (remote)
        start(call, access, remote);
    else if (access->request)
        mpi_request_complete(access->request, MPI_SUCCESS);
    return step;
}

static MpiStep do_access(MpiCall *call, MpiRemoteSort sort, Arguments at)
{
    Access access = {.sort = sort};
    MpiStep step = MPI_STEP_DONE;
    if (!parse(call, &at, &access, &step))
        return step;
    if (access.rank == MPI_PROC_NULL_ || !access.count || !access.type->size)
        return run(call, &access, NULL);
    MpiWin *win = access.win, *target = win->window->members[access.rank];
    MpiRemote *remote = mpi_remote_new(call, win, target, mpi_peer_of(win, (uint32_t)access.rank), sort);
    if (!load(remote, &access)) {
        mpi_remote_drop(remote);
        return mpi_call_error(call, NULL, MPI_ERR_BUFFER, "the buffer at the origin is not in the program's memory");
    }
    return run(call, &access, remote);
}

/* -- the calls --------------------------------------------------------------------------------- */

#define NONE NO_ARGUMENT
static const Arguments put_arguments = {0, NONE, 3, 4, 5, NONE, 7, NONE};
static const Arguments get_arguments = {NONE, 0, 3, 4, 5, NONE, 7, NONE};
static const Arguments accumulate_arguments = {0, NONE, 3, 4, 5, 7, 8, NONE};
static const Arguments fetch_arguments = {0, 3, 6, 7, 8, 10, 11, NONE};
#undef NONE

/* The same with a request behind the window. */
static Arguments with_request(Arguments at)
{
    at.request = at.win + 1;
    return at;
}

MPI_HANDLER(Put, do_access(call, MPI_REMOTE_PUT, put_arguments))
MPI_HANDLER(Get, do_access(call, MPI_REMOTE_GET, get_arguments))
MPI_HANDLER(Accumulate, do_access(call, MPI_REMOTE_ACCUMULATE, accumulate_arguments))
MPI_HANDLER(Get_accumulate, do_access(call, MPI_REMOTE_FETCH, fetch_arguments))
MPI_HANDLER(Rput, do_access(call, MPI_REMOTE_PUT, with_request(put_arguments)))
MPI_HANDLER(Rget, do_access(call, MPI_REMOTE_GET, with_request(get_arguments)))
MPI_HANDLER(Raccumulate, do_access(call, MPI_REMOTE_ACCUMULATE, with_request(accumulate_arguments)))
MPI_HANDLER(Rget_accumulate, do_access(call, MPI_REMOTE_FETCH, with_request(fetch_arguments)))

/* -- one element ------------------------------------------------------------------------------- */

/* Gets the buffers and the target of a call that moves one element; the types of all sides are the same. */
static bool parse_element(MpiCall *call, unsigned type_arg, unsigned rank_arg, unsigned result_arg, Access *access,
                          MpiStep *step)
{
    bool gives = !(access->op && mpi_combine_is_none(access->op));
    if (!mpi_check_type(call, NULL, type_arg, &access->type, step))
        return false;
    if (!access->type->predefined) {
        *step = mpi_call_error(call, NULL, MPI_ERR_TYPE,
                               "argument %u is a derived datatype; the call moves one element of a predefined one",
                               type_arg + 1);
        return false;
    }
    access->count = 1;
    if (gives)
        access->origin =
            (MpiBuffer){.process = call->process, .address = call->args[0], .type = access->type, .count = 1};
    access->result =
        (MpiBuffer){.process = call->process, .address = call->args[result_arg], .type = access->type, .count = 1};
    return (!gives || mpi_check_memory(call, NULL, 0, call->args[0], access->type, 1, false, step)) &&
           mpi_check_memory(call, NULL, result_arg, call->args[result_arg], access->type, 1, true, step) &&
           mpi_check_peer(call, access->win->comm, rank_arg, false, &access->rank, step);
}

MpiStep mpi_do_Fetch_and_op(MpiCall *call)
{
    enum { ORIGIN, RESULT, TYPE, RANK, DISPLACEMENT, OP, WIN };
    static const Arguments at = {.displacement = DISPLACEMENT, .op = OP};
    Access access = {.sort = MPI_REMOTE_FETCH};
    MpiStep step;
    if (!mpi_rma_check_win(call, WIN, &access.win, &step) || !check_operator(call, &at, &access, &step) ||
        !parse_element(call, TYPE, RANK, RESULT, &access, &step) || !check_combination(call, &at, &access, &step))
        return step;
    if (access.rank == MPI_PROC_NULL_)
        return MPI_STEP_DONE;
    if (!check_place(call, &at, &access, &step))
        return step;
    MpiRemote *remote = mpi_remote_new(call, access.win, access.win->window->members[access.rank],
                                       mpi_peer_of(access.win, (uint32_t)access.rank), MPI_REMOTE_FETCH);
    load(remote, &access);
    return run(call, &access, remote);
}

/* Integers, logical types and bytes (MPI-4.1 section 12.3.4). */
static bool can_compare(const MpiType *type)
{
    const MpiOp *integers = mpi_op_predefined(6), *logicals = mpi_op_predefined(5); /* MPI_BAND, MPI_LAND */
    MpiPrimitive primitive = mpi_type_primitive(type);
    return type->size <= 16 && (integers->apply[primitive] || logicals->apply[primitive] ||
                                primitive == MPI_PRIM_CHAR || primitive == MPI_PRIM_WCHAR);
}

MpiStep mpi_do_Compare_and_swap(MpiCall *call)
{
    enum { ORIGIN, COMPARE, RESULT, TYPE, RANK, DISPLACEMENT, WIN };
    static const Arguments at = {.displacement = DISPLACEMENT};
    Access access = {.sort = MPI_REMOTE_SWAP};
    MpiStep step;
    if (!mpi_rma_check_win(call, WIN, &access.win, &step) || !parse_element(call, TYPE, RANK, RESULT, &access, &step))
        return step;
    if (!can_compare(access.type))
        return mpi_call_error(call, NULL, MPI_ERR_TYPE,
                              "%s cannot be compared and swapped; that is for integers, logical types and bytes",
                              mpi_type_describe(access.type));
    if (!mpi_check_memory(call, NULL, COMPARE, call->args[COMPARE], access.type, 1, false, &step))
        return step;
    if (access.rank == MPI_PROC_NULL_)
        return MPI_STEP_DONE;
    if (!check_place(call, &at, &access, &step))
        return step;
    MpiRemote *remote = mpi_remote_new(call, access.win, access.win->window->members[access.rank],
                                       mpi_peer_of(access.win, (uint32_t)access.rank), MPI_REMOTE_SWAP);
    uint64_t bytes = access.type->size;
    mpi_remote_take_data(remote, 2 * bytes);
    memcpy(remote->data, vm_rank_read(call->process, call->args[ORIGIN], bytes), bytes);
    memcpy(remote->data + bytes, vm_rank_read(call->process, call->args[COMPARE], bytes), bytes);
    return run(call, &access, remote);
}
