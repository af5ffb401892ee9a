/* collectives.c - the MPI functions of chapter 5: from arguments to a task, and from that to a schedule.
 *
 * Every function checks the arguments, describes the task (collective.h), and calls mpi_task_run(). That runs the task
 * at once, in the background, or at each start, depending on the form of the call (function_forms.c). A run works like
 * this: mpi_schedule_new() chooses the algorithm, the input is packed into the schedule's memory, the schedule runs,
 * the result is unpacked. MPI_IN_PLACE means that the input is in the receive buffer (at the root of a scatter: that
 * the result stays where it is).
 *
 * On an inter-communicator there is one block per rank of the remote group. Its algorithms are in collective_inter.c.
 *
 * Packing and unpacking cost copy_byte per byte where a datatype is not contiguous. They cost nothing where a real
 * library would use the user's buffer directly. */
#include "mpi/collective/collective.h"
#include "mpi/collective/schedule.h"
#include "mpi/collective/share.h"
#include "mpi/comm/comm.h"
#include "mpi/core/call.h"
#include "mpi/core/handlers.h"
#include "mpi/core/hooks.h"
#include "mpi/core/rank.h"
#include "mpi/type/type.h"

#include <string.h>

/* -- arguments --------------------------------------------------------------------------------- */

/* Returns the number of blocks in the v forms: one for each peer. */
static uint32_t peers_of(const MpiComm *comm)
{
    return mpi_comm_peers(comm)->size;
}

/* Whether the argument is MPI_IN_PLACE. On inter-communicators that has no meaning and is a bad address. */
static bool names_in_place(const MpiCall *call, const MpiTask *task, unsigned arg)
{
    return call->args[arg] == MPI_IN_PLACE_ && !task->comm->inter;
}

/* As names_in_place(), but records the answer in the task. */
static bool in_place(const MpiCall *call, MpiTask *task, unsigned arg)
{
    bool in_place = names_in_place(call, task, arg);
    task->in_place |= in_place;
    return in_place;
}

static bool parse_op(MpiCall *call, MpiTask *task, unsigned arg, const MpiType *type, MpiStep *step)
{
    MpiOp *op;
    if (call->args[arg - 1] == MPI_HANDLE(MPI_KIND_TYPE, 0))
        type = NULL; /* there are no items, so no type is needed */
    if (!mpi_check_op(call, task->comm, arg, type, &op, step))
        return false;
    task->op = mpi_op_ref(op);
    task->plan.commutative = op->commutative;
    return true;
}

/* Ends the call: this rank's block for itself does not fit into its receive buffer. */
static MpiStep own_too_long(MpiCall *call, MpiComm *comm, uint64_t sent, uint64_t room)
{
    return mpi_call_error(call, comm, MPI_ERR_TRUNCATE,
                          "this rank's block has %" G_GUINT64_FORMAT
                          " bytes on the sending side but only %" G_GUINT64_FORMAT " on the receiving side",
                          sent, room);
}

/* Connects the arrays of the v forms to the plan. */
static void plan_sends(MpiTask *task)
{
    task->plan.send_bytes = task->input.block_bytes;
    task->plan.send_offsets = task->input.block_offsets;
    task->plan.input_bytes = task->input.bytes;
}

static void plan_receives(MpiTask *task)
{
    task->plan.recv_bytes = task->result.block_bytes;
    task->plan.recv_offsets = task->result.block_offsets;
    task->plan.result_bytes = task->result.bytes;
}

/* Parses a collective with a root. `arg` is the number of the communicator argument, which follows the root. */
static bool rooted(MpiCall *call, unsigned arg, MpiCollective collective, MpiTask **task, MpiStep *step)
{
    MpiComm *comm;
    int root;
    if (!mpi_task_parse(call, arg, &comm, step) || !mpi_check_root(call, comm, arg - 1, &root, step))
        return false;
    *task = mpi_task_new(call, comm, collective);
    (*task)->plan.root = !comm->inter             ? (uint32_t)root
                         : root == MPI_ROOT_      ? comm->rank
                         : root == MPI_PROC_NULL_ ? UINT32_MAX
                                                  : comm->group->size + (uint32_t)root;
    return true;
}

static bool is_root(const MpiTask *task)
{
    return task->comm->rank == task->plan.root;
}

/* Whether the rank has a part in the collective. On an inter-communicator the ranks of the root's group other than the
 * root have none. */
static bool is_member(const MpiTask *task)
{
    return !task->comm->inter || task->plan.root >= task->comm->group->size;
}

static bool is_bystander(const MpiTask *task)
{
    return task->plan.root == UINT32_MAX;
}

/* Computes the sizes of one outgoing and one incoming block that are the same for all members. */
static void share_amounts(const MpiTask *task, MpiShare *share)
{
    uint32_t n = peers_of(task->comm);
    uint64_t out_blocks = 1, in_blocks = 1;
    switch (task->collective) {
    case MPI_COLLECTIVE_BCAST:
    case MPI_COLLECTIVE_REDUCE:
    case MPI_COLLECTIVE_ALLREDUCE:
    case MPI_COLLECTIVE_SCAN:
    case MPI_COLLECTIVE_EXSCAN: break;
    case MPI_COLLECTIVE_GATHER:
    case MPI_COLLECTIVE_ALLGATHER: in_blocks = n; break;
    case MPI_COLLECTIVE_SCATTER: out_blocks = n; break;
    case MPI_COLLECTIVE_ALLTOALL: out_blocks = in_blocks = n; break;
    default: return;
    }
    if (task->has_input)
        share->gives = task->input.bytes / out_blocks;
    if (task->has_result)
        share->takes = task->result.bytes / in_blocks;
}

/* Computes the sizes that differ between members or between pairs. */
static void share_blocks(const MpiTask *task, MpiShare *share)
{
    bool out = task->collective == MPI_COLLECTIVE_SCATTERV || task->collective == MPI_COLLECTIVE_REDUCE_SCATTER;
    const MpiVector *all = out ? &task->input : &task->result, *own = out ? &task->result : &task->input;
    switch (task->collective) {
    case MPI_COLLECTIVE_GATHERV:
    case MPI_COLLECTIVE_SCATTERV:
    case MPI_COLLECTIVE_ALLGATHERV:
        if (out ? task->has_result && !is_root(task) : task->has_input)
            share->own = own->bytes;
        break;
    case MPI_COLLECTIVE_REDUCE_SCATTER:
        if (!task->input.n || task->comm->inter)
            share->gives = task->input.bytes;
        if (task->comm->inter)
            return;
        break;
    case MPI_COLLECTIVE_ALLTOALLV: share->pairs = &task->plan; return;
    default: return;
    }
    if (out ? task->has_input : task->has_result) {
        share->blocks = all->block_bytes;
        share->n_blocks = all->n;
    }
    share->blocks_go_out = out;
}

static MpiShare share_of(const MpiCall *call, const MpiTask *task, int root)
{
    MpiShare share = mpi_share_none(root);
    share.gives_type = task->input.type;
    share.takes_type = task->result.type;
    share.op = task->op;
    share_amounts(task, &share);
    share_blocks(task, &share);
    share.in_place = names_in_place(call, task, 0);
    switch (task->collective) { /* collectives in which MPI_IN_PLACE must be given by "all processes" */
    case MPI_COLLECTIVE_ALLREDUCE:
    case MPI_COLLECTIVE_REDUCE_SCATTER:
    case MPI_COLLECTIVE_ALLGATHER:
    case MPI_COLLECTIVE_ALLGATHERV:
    case MPI_COLLECTIVE_ALLTOALL:
    case MPI_COLLECTIVE_ALLTOALLV: share.in_place_of_all = !task->comm->inter; break;
    default: break;
    }
    return share;
}

static MpiStep rooted_run(MpiCall *call, MpiTask *task)
{
    MpiStep step;
    int root = (int)task->plan.root;
    if (task->comm->inter) /* as rank in MPI_COMM_WORLD, which both sides know */
        root = is_bystander(task) ? -1
               : is_root(task)    ? (int)call->rank->index
                                  : (int)mpi_comm_world_rank(task->comm, task->plan.root - task->comm->group->size);
    MpiShare share = share_of(call, task, root);
    return mpi_ask_blocks(call->world, call, task, &step) && mpi_aliasing_check(call, task, &step) &&
                   mpi_ask_share(call->world, call, task->comm, &share, &step)
               ? mpi_task_run(call)
               : step;
}

/* Parses a collective without a root. `arg` is the number of the communicator argument. */
static bool rootless(MpiCall *call, unsigned arg, MpiCollective collective, MpiTask **task, MpiStep *step)
{
    MpiComm *comm;
    if (!mpi_task_parse(call, arg, &comm, step))
        return false;
    *task = mpi_task_new(call, comm, collective);
    return true;
}

static MpiStep rootless_run(MpiCall *call, MpiTask *task)
{
    MpiStep step;
    MpiShare share = share_of(call, task, -1);
    return mpi_ask_blocks(call->world, call, task, &step) && mpi_aliasing_check(call, task, &step) &&
                   mpi_ask_share(call->world, call, task->comm, &share, &step)
               ? mpi_task_run(call)
               : step;
}

/* -- barrier, broadcast ------------------------------------------------------------------------ */

MpiStep mpi_do_Barrier(MpiCall *call)
{
    MpiTask *task;
    MpiStep step;
    return rootless(call, 0, MPI_COLLECTIVE_BARRIER, &task, &step) ? rootless_run(call, task) : step;
}

MpiStep mpi_do_Bcast(MpiCall *call)
{
    MpiTask *task;
    MpiStep step;
    if (!rooted(call, 4, MPI_COLLECTIVE_BCAST, &task, &step))
        return step;
    if (is_bystander(task))
        return rooted_run(call, task);
    task->has_input = is_root(task);
    task->has_result = !task->has_input;
    MpiVector *data = task->has_input ? &task->input : &task->result;
    if (!mpi_vector_parse(call, task->comm, 0, 1, 2, 1, task->has_result, data, &step))
        return step;
    task->plan.bytes = task->plan.own_bytes = data->bytes;
    return rooted_run(call, task);
}

/* -- reductions -------------------------------------------------------------------------------- */

/* Parses send buffer 0, receive buffer 1, count 2, type 3, operator 4. Input and result are vectors of equal length. */
static bool reduction_parse(MpiCall *call, MpiTask *task, bool gives, bool receives, MpiStep *step)
{
    unsigned from = receives && in_place(call, task, 0) ? 1 : 0;
    task->has_input = gives;
    task->has_result = receives;
    if ((gives && !mpi_vector_parse(call, task->comm, from, 2, 3, 1, false, &task->input, step)) ||
        (receives && !mpi_vector_parse(call, task->comm, 1, 2, 3, 1, true, &task->result, step)))
        return false;
    const MpiVector *vector = gives ? &task->input : &task->result;
    task->plan.bytes = task->plan.own_bytes = vector->bytes;
    return parse_op(call, task, 4, vector->type, step);
}

MpiStep mpi_do_Reduce(MpiCall *call)
{
    MpiTask *task;
    MpiStep step;
    if (!rooted(call, 6, MPI_COLLECTIVE_REDUCE, &task, &step) ||
        (!is_bystander(task) && !reduction_parse(call, task, is_member(task), is_root(task), &step)))
        return step;
    return rooted_run(call, task);
}

static MpiStep reduction_for_all(MpiCall *call, MpiCollective collective)
{
    MpiTask *task;
    MpiStep step;
    if (!rootless(call, 5, collective, &task, &step))
        return step;
    if (collective != MPI_COLLECTIVE_ALLREDUCE && !mpi_check_intra(call, task->comm, &step))
        return step;
    /* Exscan leaves rank 0's receive buffer unchanged; it is used only if the input is there. */
    bool first = collective == MPI_COLLECTIVE_EXSCAN && task->comm->rank == 0;
    if (!reduction_parse(call, task, true, !first || in_place(call, task, 0), &step))
        return step;
    task->has_result = !first;
    return rootless_run(call, task);
}

MPI_HANDLER(Allreduce, reduction_for_all(call, MPI_COLLECTIVE_ALLREDUCE))
MPI_HANDLER(Scan, reduction_for_all(call, MPI_COLLECTIVE_SCAN))
MPI_HANDLER(Exscan, reduction_for_all(call, MPI_COLLECTIVE_EXSCAN))

/* The input is the whole vector, the result this rank's block of it. */
MpiStep mpi_do_Reduce_scatter_block(MpiCall *call)
{
    MpiTask *task;
    MpiStep step;
    if (!rootless(call, 5, MPI_COLLECTIVE_REDUCE_SCATTER, &task, &step) ||
        !mpi_vector_parse(call, task->comm, in_place(call, task, 0) ? 1 : 0, 2, 3, task->comm->group->size, false,
                          &task->input, &step) ||
        !mpi_vector_parse(call, task->comm, 1, 2, 3, 1, true, &task->result, &step) ||
        !parse_op(call, task, 4, task->input.type, &step))
        return step;
    task->plan.bytes = task->plan.own_bytes = task->result.bytes;
    task->has_input = task->has_result = true;
    return rootless_run(call, task);
}

MpiStep mpi_do_Reduce_scatter(MpiCall *call)
{
    MpiTask *task;
    MpiStep step;
    MpiBlockArguments blocks = {.counts = 2, .type = 3};
    if (!rootless(call, 5, MPI_COLLECTIVE_REDUCE_SCATTER, &task, &step))
        return step;
    blocks.buffer = in_place(call, task, 0) ? 1 : 0;
    uint32_t n = task->comm->group->size;
    if (!mpi_vector_parse_blocks(call, task->comm, blocks, false, n, false, &task->input, &step))
        return step;
    mpi_vector_block(&task->result, &task->input, task->comm->rank, n);
    task->result.address = call->args[1];
    if (!mpi_check_memory(call, task->comm, 1, task->result.address, task->result.type, task->result.count, true,
                          &step) ||
        !parse_op(call, task, 4, task->input.type, &step))
        return step;
    plan_sends(task);
    task->plan.bytes = task->input.bytes / n; /* known to all members, and sufficient to choose the algorithm */
    task->plan.own_bytes = task->result.bytes;
    task->has_input = task->has_result = true;
    return rootless_run(call, task);
}

/* -- gather ------------------------------------------------------------------------------------ */

static const MpiBlockArguments received_blocks = {.buffer = 3, .counts = 4, .places = 5, .type = 6};

/* Parses the rank's contribution: the send buffer, or the block that is already in its place in the result. */
static bool contribution_parse(MpiCall *call, MpiTask *task, MpiStep *step)
{
    uint32_t n = peers_of(task->comm), rank = task->comm->rank;
    task->has_input = true;
    if (task->has_result && in_place(call, task, 0)) {
        mpi_vector_block(&task->input, &task->result, rank, n);
    } else if (!mpi_vector_parse(call, task->comm, 0, 1, 2, 1, false, &task->input, step)) {
        return false;
    }
    task->plan.own_bytes = task->input.bytes;
    bool own_place = task->has_result && !task->comm->inter;
    uint64_t room = own_place ? mpi_vector_block_bytes(&task->result, rank, n) : UINT64_MAX;
    if (task->input.bytes > room)
        *step = own_too_long(call, task->comm, task->input.bytes, room);
    return task->input.bytes <= room;
}

/* Parses the receive buffer for all blocks: equal ones, or blocks with counts and displacements. */
static bool collection_parse(MpiCall *call, MpiTask *task, bool equal, MpiStep *step)
{
    uint32_t n = peers_of(task->comm);
    task->has_result = true;
    if (equal)
        return mpi_vector_parse(call, task->comm, 3, 4, 5, n, true, &task->result, step);
    if (!mpi_vector_parse_blocks(call, task->comm, received_blocks, false, n, true, &task->result, step))
        return false;
    plan_receives(task);
    return true;
}

static MpiStep gather(MpiCall *call, MpiCollective collective, unsigned comm)
{
    MpiTask *task;
    MpiStep step;
    bool equal = collective == MPI_COLLECTIVE_GATHER;
    if (!rooted(call, comm, collective, &task, &step) ||
        (is_root(task) && !collection_parse(call, task, equal, &step)) ||
        (is_member(task) && !is_bystander(task) && !contribution_parse(call, task, &step)))
        return step;
    if (equal)
        task->plan.bytes = is_root(task) ? task->result.bytes / peers_of(task->comm) : task->input.bytes;
    return rooted_run(call, task);
}

MPI_HANDLER(Gather, gather(call, MPI_COLLECTIVE_GATHER, 7))
MPI_HANDLER(Gatherv, gather(call, MPI_COLLECTIVE_GATHERV, 8))

static MpiStep allgather(MpiCall *call, MpiCollective collective, unsigned comm)
{
    MpiTask *task;
    MpiStep step;
    bool equal = collective == MPI_COLLECTIVE_ALLGATHER;
    if (!rootless(call, comm, collective, &task, &step) || !collection_parse(call, task, equal, &step) ||
        !contribution_parse(call, task, &step))
        return step;
    if (equal)
        task->plan.bytes = task->result.bytes / peers_of(task->comm);
    return rootless_run(call, task);
}

MPI_HANDLER(Allgather, allgather(call, MPI_COLLECTIVE_ALLGATHER, 6))
MPI_HANDLER(Allgatherv, allgather(call, MPI_COLLECTIVE_ALLGATHERV, 7))

MpiStep mpi_collective_agree(MpiCall *call, MpiComm *comm, uint64_t bytes, MpiHandler then)
{
    MpiPlan plan = {.bytes = bytes, .own_bytes = bytes, .phantom = true};
    /* On an inter-communicator, an allgather would wait only for the other group. */
    mpi_schedule_new(call, comm, comm->inter ? MPI_COLLECTIVE_BARRIER : MPI_COLLECTIVE_ALLGATHER, &plan);
    return mpi_schedule_run(call, then);
}

/* -- scatter ----------------------------------------------------------------------------------- */

/* Parses the root's send buffer. */
static bool distribution_parse(MpiCall *call, MpiTask *task, bool equal, MpiStep *step)
{
    static const MpiBlockArguments sent_blocks = {.buffer = 0, .counts = 1, .places = 2, .type = 3};
    uint32_t n = peers_of(task->comm);
    task->has_input = true;
    if (equal)
        return mpi_vector_parse(call, task->comm, 0, 1, 2, n, false, &task->input, step);
    if (!mpi_vector_parse_blocks(call, task->comm, sent_blocks, false, n, false, &task->input, step))
        return false;
    plan_sends(task);
    return true;
}

/* The arguments of the receive side start at `receive`. With MPI_IN_PLACE the root's block stays where it is. */
static MpiStep scatter(MpiCall *call, MpiCollective collective, unsigned receive)
{
    MpiTask *task;
    MpiStep step;
    bool equal = collective == MPI_COLLECTIVE_SCATTER;
    if (!rooted(call, receive + 4, collective, &task, &step))
        return step;
    if (is_bystander(task))
        return rooted_run(call, task);
    task->has_result = is_member(task) && (!is_root(task) || !in_place(call, task, receive));
    if (task->has_result &&
        !mpi_vector_parse(call, task->comm, receive, receive + 1, receive + 2, 1, true, &task->result, &step))
        return step;
    if (is_root(task) && !distribution_parse(call, task, equal, &step))
        return step;
    uint32_t n = peers_of(task->comm), block = is_member(task) ? task->comm->rank : 0;
    uint64_t own = is_root(task) ? mpi_vector_block_bytes(&task->input, block, n) : task->result.bytes;
    if (task->has_result && own > task->result.bytes)
        return own_too_long(call, task->comm, own, task->result.bytes);
    task->result.bytes = task->has_result ? own : 0;
    task->plan.own_bytes = own;
    task->plan.bytes = equal ? own : 0;
    return rooted_run(call, task);
}

MPI_HANDLER(Scatter, scatter(call, MPI_COLLECTIVE_SCATTER, 3))
MPI_HANDLER(Scatterv, scatter(call, MPI_COLLECTIVE_SCATTERV, 4))

/* -- alltoall ---------------------------------------------------------------------------------- */

MpiStep mpi_do_Alltoall(MpiCall *call)
{
    MpiTask *task;
    MpiStep step;
    if (!rootless(call, 6, MPI_COLLECTIVE_ALLTOALL, &task, &step))
        return step;
    uint32_t n = peers_of(task->comm);
    unsigned from = in_place(call, task, 0) ? 3 : 0;
    if (!mpi_vector_parse(call, task->comm, 3, 4, 5, n, true, &task->result, &step) ||
        !mpi_vector_parse(call, task->comm, from, from + 1, from + 2, n, false, &task->input, &step))
        return step;
    task->has_input = task->has_result = true;
    if (task->comm->inter) { /* the sizes of the two directions may differ */
        mpi_vector_split(&task->input, n);
        mpi_vector_split(&task->result, n);
        plan_sends(task);
        plan_receives(task);
        return rootless_run(call, task);
    }
    if (task->input.bytes > task->result.bytes)
        return own_too_long(call, task->comm, task->input.bytes / n, task->result.bytes / n);
    task->plan.bytes = task->plan.own_bytes = task->result.bytes / n;
    return rootless_run(call, task);
}

/* `each`: every block has its own datatype. */
static MpiStep alltoall_blocks(MpiCall *call, bool each)
{
    static const MpiBlockArguments sent = {.buffer = 0, .counts = 1, .places = 2, .type = 3};
    static const MpiBlockArguments received = {.buffer = 4, .counts = 5, .places = 6, .type = 7};
    MpiTask *task;
    MpiStep step;
    if (!rootless(call, 8, MPI_COLLECTIVE_ALLTOALLV, &task, &step))
        return step;
    uint32_t n = peers_of(task->comm);
    if (!mpi_vector_parse_blocks(call, task->comm, received, each, n, true, &task->result, &step) ||
        !mpi_vector_parse_blocks(call, task->comm, in_place(call, task, 0) ? received : sent, each, n, false,
                                 &task->input, &step))
        return step;
    plan_sends(task);
    plan_receives(task);
    task->has_input = task->has_result = true;
    return rootless_run(call, task);
}

MPI_HANDLER(Alltoallv, alltoall_blocks(call, false))
MPI_HANDLER(Alltoallw, alltoall_blocks(call, true))

MpiStep mpi_collective_synchronize(MpiCall *call, MpiComm *comm, MpiHandler then)
{
    MpiPlan plan = {0};
    call->collective.schedule = mpi_schedule_new(call, comm, MPI_COLLECTIVE_BARRIER, &plan);
    return mpi_schedule_run(call, then);
}
