/* plain_access.c - the short way of a plain access: an MPI_Put or MPI_Get of some items of a predefined type, the same
 * on both sides, to another rank, in an epoch that is open for it.
 *
 * As with plain messages (p2p/plain_send.c), a few tests recognise such accesses, and then the call needs no MpiCall.
 * All others go the general way (accesses.c), which starts anew: a failed test has changed nothing. Both ways charge
 * the same, in sums of integers, so times do not depend on the way. It is closed while anybody listens to calls or
 * windows.
 *
 * Often such a call is the next event of all, as seen while the rank still runs. Then its effect takes place at once.
 */
#include "mpi/core/count.h"
#include "mpi/core/handles.h"
#include "mpi/core/hooks.h"
#include "mpi/core/places.h"
#include "mpi/rma/windows.h"
#include "mpi/type/plain_buffer.h"

enum { ORIGIN, COUNT, TYPE, RANK, DISPLACEMENT, ITEMS, TARGET_TYPE, WIN }; /* arguments */

typedef struct Plain {
    MpiWin *win, *target;
    MpiPeer *peer;
    uint64_t bytes, address;
    const void *data; /* of a put */
} Plain;

/* Whether the access lies in the memory of the target. */
static inline bool is_inside(const MpiWin *target, int64_t displacement, uint64_t bytes, uint64_t *address)
{
    uint64_t offset = (uint64_t)displacement * (unsigned)target->disp_unit;
    *address = target->base + offset;
    return displacement >= 0 && displacement < INT32_MAX && offset <= target->size && bytes <= target->size - offset &&
           target->window->flavour != MPI_FLAVOUR_DYNAMIC;
}

/* Returns the peer if an epoch is open in which it may be accessed; NULL: it is not, or that takes a closer look. */
static inline MpiPeer *open_peer(MpiWin *win, uint32_t target, bool put)
{
    MpiPeer *peer = mpi_peer_find(win, target);
    if (!peer || (put && peer->target->exposure & MPI_MODE_NOPUT))
        return NULL;
    bool open = win->all || peer->lock ? peer->lock : win->started ? peer->started : win->fence_open;
    return open ? peer : NULL;
}

static inline bool parse(MpiRank *rank, const uint64_t *args, bool put, Plain *plain)
{
    int64_t bytes = mpi_buffer_plain_bytes(args[COUNT], args[TYPE]);
    int peer = (int)args[RANK];
    plain->win = mpi_handle_lookup(rank, MPI_KIND_WIN, args[WIN]);
    plain->bytes = (uint64_t)bytes;
    if (!plain->win || bytes <= 0 || plain->bytes > rank->world->params.eager_limit || peer < 0 ||
        (uint32_t)peer >= plain->win->window->group->size || (uint32_t)peer == plain->win->rank ||
        (int)args[COUNT] != (int)args[ITEMS] || args[TYPE] != args[TARGET_TYPE])
        return false;
    plain->target = plain->win->window->members[peer];
    if (!is_inside(plain->target, (int64_t)args[DISPLACEMENT], plain->bytes, &plain->address) ||
        !mpi_buffer_is_sound(rank, ORIGIN, args[ORIGIN], plain->bytes, !put))
        return false;
    plain->data = !put                                ? NULL
                  : vm_rank_is_watched(rank->process) ? vm_rank_peek(rank->process, args[ORIGIN], plain->bytes)
                                                      : vm_rank_read(rank->process, args[ORIGIN], plain->bytes);
    plain->peer = open_peer(plain->win, (uint32_t)peer, put);
    return plain->peer && (plain->data || !put);
}

/* Answers to earlier accesses that have come meanwhile are taken, whatever becomes of the call. */
static inline bool is_plain(MpiRank *rank, const uint64_t *args, bool put, uint64_t now_ps, Plain *plain)
{
    return !mpi_hooks_follow_calls(rank->world) && !mpi_listens_window(rank->world) && !mpi_listens_used(rank->world) &&
           rank->state == MPI_RANK_ACTIVE &&
           (!rank->inbox || mpi_remotes_take_answers(rank, now_ps + rank->world->params.call_overhead_ps)) &&
           parse(rank, args, put, plain);
}

static inline uint64_t end_of(const MpiRank *rank, uint64_t now_ps, uint64_t sent)
{
    const MpiParams *params = &rank->world->params;
    return now_ps + params->call_overhead_ps + mpi_call_bytes_ps(sent, params->copy_byte_fs) +
           mpi_transfer_overhead_ps(&params->send_overhead, sent);
}

/* What accesses.c and mpi_remote_send() do for such an access. */
static inline void access_target(MpiRank *rank, const uint64_t *args, bool put, const Plain *plain, uint64_t now_ps,
                                 uint64_t end_ps, uint32_t pc)
{
    MpiRemote *remote =
        mpi_remote_make(rank, plain->win, plain->target, plain->peer, put ? MPI_REMOTE_PUT : MPI_REMOTE_GET, pc);
    MpiType *type = mpi_type_predefined((MpiPrimitive)(args[TYPE] - MPI_HANDLE(MPI_KIND_TYPE, 1)));
    uint64_t count = (uint64_t)(unsigned)args[COUNT];
    remote->address = plain->address;
    remote->count = count;
    remote->type = type;
    plain->win->fence_ops += plain->win->fence_open;
    plain->peer->on_way++;
    if (put) {
        mpi_remote_take_data(remote, plain->bytes);
        mpi_buffer_plain_copy(remote->data, plain->data, plain->bytes);
        remote->head.bytes = remote->bytes;
        remote->head.data = true;
        plain->peer->unconfirmed++;
        mpi_count_put(rank, plain->bytes);
    } else {
        remote->result = (MpiBuffer){.process = rank->process, .address = args[ORIGIN], .type = type, .count = count};
        remote->answers = true;
        plain->peer->fetches++;
        plain->win->fetches++;
        mpi_count_get(rank, plain->bytes);
    }
    mpi_count_calls(rank, 1);
    mpi_count_overhead(rank, end_ps - now_ps);
    rank->idle_polls = 0;
    mpi_remote_transmit(remote, now_ps + rank->world->params.call_overhead_ps, end_ps);
    vm_clock_set(vm_rank_clock(rank->process), end_ps);
}

bool mpi_plain_access(MpiRank *rank, const VmRequest *request, uint64_t now_ps, bool put)
{
    Plain plain;
    if (!is_plain(rank, request->args, put, now_ps, &plain))
        return false;
    uint64_t end_ps = end_of(rank, now_ps, put ? plain.bytes : 0);
    access_target(rank, request->args, put, &plain, now_ps, end_ps, mpi_place_of_call(rank->world, rank->process));
    vm_rank_complete(rank->process, MPI_SUCCESS);
    return true;
}

/* The conditions are those of mpi_plain_send_at_once(). */
bool mpi_plain_access_at_once(MpiRank *rank, uint64_t *args, bool put)
{
    const MpiEnv *env = &rank->world->env;
    uint64_t now_ps = vm_clock_now(vm_rank_clock(rank->process));
    Plain plain;
    if (!env->is_turn(env->user, rank->index, now_ps) || rank->idle_polls || vm_rank_keeps_fenv(rank->process) ||
        !is_plain(rank, args, put, now_ps, &plain))
        return false;
    uint32_t pc = mpi_place_of_call(rank->world, rank->process);
    uint64_t end_ps = end_of(rank, now_ps, put ? plain.bytes : 0);
    if (pc != vm_rank_pc(rank->process, 0) || !env->take_turn(env->user, rank->index, now_ps, end_ps))
        return false;
    access_target(rank, args, put, &plain, now_ps, end_ps, pc);
    args[0] = MPI_SUCCESS;
    return true;
}
