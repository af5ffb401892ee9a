/* collectives.c - the MPI functions of chapter 5: from arguments to a schedule, and from its result to the buffers.
 *
 * Every function does the same: check the arguments, describe the task in an MpiPlan, let mpi_schedule_new() choose the
 * algorithm, pack the input into the schedule's memory, run, unpack the result. MPI_IN_PLACE means that the input is in
 * the receive buffer (at the root of a scatter: that the result stays where it is).
 *
 * Packing and unpacking cost copy_byte per byte where a datatype is not contiguous, and nothing where a real library
 * would send from, and receive into, the user's buffer. */
#include "mpi/engine.h"

#include <string.h>

/* Memory of the program that is packed into, or unpacked from, one contiguous piece. */
typedef struct Vector {
    VmRank *process;
    uint64_t address;
    MpiType *type;
    uint64_t count;                        /* items; of all blocks together */
    uint64_t bytes;                        /* packed */
    uint32_t n;                            /* blocks of the v forms; 0: one piece */
    uint64_t *block_bytes, *block_offsets; /* n each: packed; belong to the schedule once there is one */
    int64_t *places;                       /* n: bytes from address to the block */
} Vector;

typedef struct Task { /* call->state */
    Vector result;
    bool store; /* whether this rank gets a result */
} Task;

static void vector_clear(Vector *vector)
{
    g_free(vector->block_bytes);
    g_free(vector->places);
    vector->block_bytes = NULL;
    vector->places = NULL;
}

static void task_free(void *state)
{
    Task *task = state;
    g_free(task->result.places);
    g_free(task);
}

/* -- arguments ------------------------------------------------------------------------------------------ */

/* `blocks` times `count` items in a row: buffer, count and type are arguments of these numbers. */
static bool vector_parse(MpiCall *call, MpiComm *comm, unsigned buffer, unsigned count, unsigned type, uint64_t blocks,
                         bool writable, Vector *vector, MpiStep *step)
{
    int items;
    *vector = (Vector){.process = call->process, .address = call->args[buffer]};
    if (!mpi_check_count(call, comm, count, &items, step) || !mpi_check_type(call, comm, type, &vector->type, step))
        return false;
    vector->count = blocks * (uint64_t)items;
    vector->bytes = vector->count * vector->type->size;
    return mpi_check_memory(call, comm, buffer, vector->address, vector->type, vector->count, writable, step);
}

/* One block per member: counts and displacements (in extents) are arrays in the program's memory. `displacements` 0:
 * the blocks follow each other. */
static bool blocks_read(MpiCall *call, MpiComm *comm, unsigned counts, unsigned displacements, Vector *vector,
                        MpiStep *step)
{
    uint32_t n = comm->group->size;
    const void *host;
    if (!mpi_check_input(call, comm, counts, 4 * (uint64_t)n, &host, step) ||
        (displacements && !mpi_check_input(call, comm, displacements, 4 * (uint64_t)n, &host, step)))
        return false;
    vector->n = n;
    vector->block_bytes = g_new(uint64_t, 2 * (size_t)n);
    vector->block_offsets = vector->block_bytes + n;
    vector->places = g_new(int64_t, n);
    const char *count_array = vm_rank_read(call->process, call->args[counts], 4 * (uint64_t)n);
    const char *place_array =
        displacements ? vm_rank_read(call->process, call->args[displacements], 4 * (uint64_t)n) : NULL;
    for (uint32_t i = 0; i < n; i++) {
        int32_t count, place = (int32_t)vector->count;
        memcpy(&count, count_array + 4 * (size_t)i, 4);
        if (place_array)
            memcpy(&place, place_array + 4 * (size_t)i, 4);
        if (count < 0) {
            *step = mpi_call_error(call, comm, MPI_ERR_COUNT, "the count for rank %u, in argument %u, is negative (%d)",
                                   i, counts + 1, count);
            return false;
        }
        vector->block_bytes[i] = (uint64_t)count * vector->type->size;
        vector->block_offsets[i] = vector->bytes;
        vector->places[i] = place * vector->type->extent;
        vector->bytes += vector->block_bytes[i];
        vector->count += (uint64_t)count;
    }
    return true;
}

static uint64_t block_items(const Vector *vector, uint32_t i)
{
    return vector->type->size ? vector->block_bytes[i] / vector->type->size : 0;
}

static bool blocks_parse(MpiCall *call, MpiComm *comm, unsigned buffer, unsigned counts, unsigned displacements,
                         unsigned type, bool writable, Vector *vector, MpiStep *step)
{
    *vector = (Vector){.process = call->process, .address = call->args[buffer]};
    if (!mpi_check_type(call, comm, type, &vector->type, step) ||
        !blocks_read(call, comm, counts, displacements, vector, step)) {
        vector_clear(vector);
        return false;
    }
    for (uint32_t i = 0; i < vector->n; i++) {
        if (mpi_check_memory(call, comm, buffer, vector->address + (uint64_t)vector->places[i], vector->type,
                             block_items(vector, i), writable, step))
            continue;
        vector_clear(vector);
        return false;
    }
    return true;
}

/* Block i of n equal ones, or of a v form, as a vector of its own. */
static Vector vector_block(const Vector *vector, uint32_t i, uint32_t n)
{
    g_assert(vector->type);
    Vector block = {.process = vector->process, .address = vector->address, .type = vector->type};
    if (vector->n) {
        block.count = block_items(vector, i);
        block.bytes = vector->block_bytes[i];
        block.address += (uint64_t)vector->places[i];
    } else {
        block.count = vector->count / n;
        block.bytes = vector->bytes / n;
        block.address += i * block.count * (uint64_t)vector->type->extent;
    }
    return block;
}

/* -- packing ------------------------------------------------------------------------------------------------ */

static void charge_copy(MpiCall *call, const Vector *vector)
{
    if (!vector->type->contiguous)
        mpi_call_charge(call, mpi_bytes_ps(vector->bytes, call->world->params.copy_byte_fs));
}

/* The memory was checked when the call began, and no simulated code has run since. */
static void vector_pack(MpiCall *call, const Vector *vector, uint8_t *out)
{
    charge_copy(call, vector);
    for (uint32_t i = 0; i < vector->n; i++) {
        Vector block = vector_block(vector, i, vector->n);
        if (block.bytes)
            mpi_type_pack(block.type, block.count, block.process, block.address, out + vector->block_offsets[i]);
    }
    if (!vector->n && vector->bytes)
        mpi_type_pack(vector->type, vector->count, vector->process, vector->address, out);
}

static bool vector_unpack(MpiCall *call, const Vector *vector, const uint8_t *in)
{
    bool written = true;
    charge_copy(call, vector);
    for (uint32_t i = 0; i < vector->n; i++) {
        Vector block = vector_block(vector, i, vector->n);
        if (block.bytes)
            written = mpi_type_unpack(block.type, block.count, block.process, block.address,
                                      in + vector->block_offsets[i], block.bytes) &&
                      written;
    }
    if (!vector->n && vector->bytes)
        written = mpi_type_unpack(vector->type, vector->count, vector->process, vector->address, in, vector->bytes);
    return written;
}

/* -- running ------------------------------------------------------------------------------------------------- */

static MpiStep task_done(MpiCall *call)
{
    const Task *task = call->state;
    const MpiSchedule *schedule = call->schedule;
    if (task->store && !vector_unpack(call, &task->result, schedule->memory + schedule->plan.result))
        return mpi_call_error(call, schedule->comm, MPI_ERR_BUFFER,
                              "the receive buffer is no longer in the program's memory");
    return MPI_STEP_DONE;
}

/* Runs the plan on `input` (NULL: this rank has none); the result goes to `result` (NULL: none). What the vectors hold
 * goes over to task and schedule. */
static MpiStep run(MpiCall *call, MpiComm *comm, MpiCollective collective, const MpiPlan *plan, const Vector *input,
                   const Vector *result, MpiOp *op)
{
    Task *task = g_new0(Task, 1);
    if (result)
        task->result = *result;
    task->store = result != NULL;
    call->state = task;
    call->state_free = task_free;
    MpiSchedule *schedule = mpi_schedule_new(call, comm, collective, plan);
    if (op) {
        schedule->op = mpi_op_ref(op);
        schedule->type = mpi_type_ref(input->type);
    }
    if (input) {
        if (input->bytes)
            vector_pack(call, input, schedule->memory + schedule->plan.input);
        schedule->vectors[0] = input->block_bytes;
        g_free(input->places);
    }
    if (result)
        schedule->vectors[1] = result->block_bytes;
    return mpi_schedule_run(call, task_done);
}

/* The program's block for itself does not fit where it is to go. */
static MpiStep own_too_long(MpiCall *call, MpiComm *comm, uint64_t sent, uint64_t room)
{
    return mpi_call_error(call, comm, MPI_ERR_TRUNCATE,
                          "this rank's block has %" G_GUINT64_FORMAT
                          " bytes on the sending side but only %" G_GUINT64_FORMAT " on the receiving side",
                          sent, room);
}

static bool in_place(const MpiCall *call, unsigned arg)
{
    return call->args[arg] == MPI_IN_PLACE_;
}

MpiStep mpi_do_Barrier(MpiCall *call)
{
    MpiComm *comm;
    MpiStep step;
    MpiPlan plan = {0};
    if (!mpi_check_comm(call, 0, &comm, &step) || !mpi_check_collective(call, comm, -1, &step))
        return step;
    return run(call, comm, MPI_COLLECTIVE_BARRIER, &plan, NULL, NULL, NULL);
}

MpiStep mpi_do_Bcast(MpiCall *call)
{
    MpiComm *comm;
    int root;
    Vector data;
    MpiStep step;
    if (!mpi_check_comm(call, 4, &comm, &step) || !mpi_check_root(call, comm, 3, &root, &step))
        return step;
    bool is_root = comm->rank == (uint32_t)root;
    if (!vector_parse(call, comm, 0, 1, 2, 1, !is_root, &data, &step) || !mpi_check_collective(call, comm, root, &step))
        return step;
    MpiPlan plan = {.root = (uint32_t)root, .bytes = data.bytes, .own_bytes = data.bytes};
    return run(call, comm, MPI_COLLECTIVE_BCAST, &plan, is_root ? &data : NULL, is_root ? NULL : &data, NULL);
}

/* -- reductions ------------------------------------------------------------------------------------------------ */

/* Send buffer 0, receive buffer 1, count 2, type 3, operator 4. `root` < 0: everybody gets the result. */
static MpiStep reduction(MpiCall *call, MpiComm *comm, MpiCollective collective, int root)
{
    Vector input, result = {0};
    MpiOp *op;
    MpiStep step;
    bool receives = root < 0 || comm->rank == (uint32_t)root;
    unsigned from = receives && in_place(call, 0) ? 1 : 0;
    if (!vector_parse(call, comm, from, 2, 3, 1, false, &input, &step) ||
        (receives && !vector_parse(call, comm, 1, 2, 3, 1, true, &result, &step)) ||
        !mpi_check_op(call, comm, 4, input.type, &op, &step) || !mpi_check_collective(call, comm, root, &step))
        return step;
    MpiPlan plan = {.root = root < 0 ? 0 : (uint32_t)root,
                    .bytes = input.bytes,
                    .own_bytes = input.bytes,
                    .commutative = op->commutative};
    /* Exscan leaves rank 0's buffer alone. */
    bool stores = receives && !(collective == MPI_COLLECTIVE_EXSCAN && comm->rank == 0);
    return run(call, comm, collective, &plan, &input, stores ? &result : NULL, op);
}

MpiStep mpi_do_Reduce(MpiCall *call)
{
    MpiComm *comm;
    int root;
    MpiStep step;
    if (!mpi_check_comm(call, 6, &comm, &step) || !mpi_check_root(call, comm, 5, &root, &step))
        return step;
    return reduction(call, comm, MPI_COLLECTIVE_REDUCE, root);
}

static MpiStep reduction_for_all(MpiCall *call, MpiCollective collective)
{
    MpiComm *comm;
    MpiStep step;
    return mpi_check_comm(call, 5, &comm, &step) ? reduction(call, comm, collective, -1) : step;
}

MpiStep mpi_do_Allreduce(MpiCall *call)
{
    return reduction_for_all(call, MPI_COLLECTIVE_ALLREDUCE);
}

MpiStep mpi_do_Scan(MpiCall *call)
{
    return reduction_for_all(call, MPI_COLLECTIVE_SCAN);
}

MpiStep mpi_do_Exscan(MpiCall *call)
{
    return reduction_for_all(call, MPI_COLLECTIVE_EXSCAN);
}

/* The input is the whole vector, the result this rank's block of it. */
MpiStep mpi_do_Reduce_scatter_block(MpiCall *call)
{
    MpiComm *comm;
    MpiOp *op;
    Vector input, own;
    MpiStep step;
    if (!mpi_check_comm(call, 5, &comm, &step) ||
        !vector_parse(call, comm, in_place(call, 0) ? 1 : 0, 2, 3, comm->group->size, false, &input, &step) ||
        !vector_parse(call, comm, 1, 2, 3, 1, true, &own, &step) ||
        !mpi_check_op(call, comm, 4, input.type, &op, &step) || !mpi_check_collective(call, comm, -1, &step))
        return step;
    MpiPlan plan = {.bytes = own.bytes, .own_bytes = own.bytes, .commutative = op->commutative};
    return run(call, comm, MPI_COLLECTIVE_REDUCE_SCATTER, &plan, &input, &own, op);
}

MpiStep mpi_do_Reduce_scatter(MpiCall *call)
{
    MpiComm *comm;
    MpiOp *op;
    Vector blocks;
    MpiStep step;
    if (!mpi_check_comm(call, 5, &comm, &step) ||
        !blocks_parse(call, comm, in_place(call, 0) ? 1 : 0, 2, 0, 3, false, &blocks, &step))
        return step;
    Vector own = {.process = call->process, .address = call->args[1], .type = blocks.type};
    own.bytes = blocks.block_bytes[comm->rank];
    own.count = block_items(&blocks, comm->rank);
    if (!mpi_check_memory(call, comm, 1, own.address, own.type, own.count, true, &step) ||
        !mpi_check_op(call, comm, 4, blocks.type, &op, &step) || !mpi_check_collective(call, comm, -1, &step)) {
        vector_clear(&blocks);
        return step;
    }
    MpiPlan plan = {.send_bytes = blocks.block_bytes,
                    .send_offsets = blocks.block_offsets,
                    .input_bytes = blocks.bytes,
                    .bytes = blocks.bytes / blocks.n, /* known to all alike: enough to choose the algorithm by */
                    .own_bytes = own.bytes,
                    .commutative = op->commutative};
    return run(call, comm, MPI_COLLECTIVE_REDUCE_SCATTER, &plan, &blocks, &own, op);
}

/* -- gather ------------------------------------------------------------------------------------------------------ */

/* `mine` goes to the root's `all` (NULL elsewhere). */
static MpiStep gather_run(MpiCall *call, MpiComm *comm, MpiCollective collective, int root, const Vector *mine,
                          Vector *all)
{
    MpiPlan plan = {.root = (uint32_t)root, .own_bytes = mine->bytes};
    uint32_t n = comm->group->size;
    bool is_root = comm->rank == (uint32_t)root;
    g_assert(is_root == (all != NULL));
    if (collective == MPI_COLLECTIVE_GATHER)
        plan.bytes = is_root ? all->bytes / n : mine->bytes;
    if (is_root && all->n) {
        plan.recv_bytes = all->block_bytes;
        plan.recv_offsets = all->block_offsets;
        plan.result_bytes = all->bytes;
    }
    return run(call, comm, collective, &plan, mine, is_root ? all : NULL, NULL);
}

/* What the root contributes: its send buffer, or the block that is already in place. */
static bool root_block(MpiCall *call, MpiComm *comm, const Vector *all, uint32_t root, Vector *mine, MpiStep *step)
{
    Vector block = vector_block(all, root, comm->group->size);
    if (in_place(call, 0)) {
        *mine = block;
        return true;
    }
    if (!vector_parse(call, comm, 0, 1, 2, 1, false, mine, step))
        return false;
    if (mine->bytes > block.bytes) {
        *step = own_too_long(call, comm, mine->bytes, block.bytes);
        return false;
    }
    return true;
}

static MpiStep gather(MpiCall *call, MpiComm *comm, MpiCollective collective, int root)
{
    Vector mine, all = {0};
    MpiStep step;
    uint32_t n = comm->group->size;
    if (comm->rank != (uint32_t)root) {
        if (!vector_parse(call, comm, 0, 1, 2, 1, false, &mine, &step) ||
            !mpi_check_collective(call, comm, root, &step))
            return step;
        return gather_run(call, comm, collective, root, &mine, NULL);
    }
    if (collective == MPI_COLLECTIVE_GATHER ? !vector_parse(call, comm, 3, 4, 5, n, true, &all, &step)
                                            : !blocks_parse(call, comm, 3, 4, 5, 6, true, &all, &step))
        return step;
    if (root_block(call, comm, &all, (uint32_t)root, &mine, &step) && mpi_check_collective(call, comm, root, &step))
        return gather_run(call, comm, collective, root, &mine, &all);
    vector_clear(&all);
    return step;
}

MpiStep mpi_do_Gather(MpiCall *call)
{
    MpiComm *comm;
    int root;
    MpiStep step;
    if (!mpi_check_comm(call, 7, &comm, &step) || !mpi_check_root(call, comm, 6, &root, &step))
        return step;
    return gather(call, comm, MPI_COLLECTIVE_GATHER, root);
}

MpiStep mpi_do_Gatherv(MpiCall *call)
{
    MpiComm *comm;
    int root;
    MpiStep step;
    if (!mpi_check_comm(call, 8, &comm, &step) || !mpi_check_root(call, comm, 7, &root, &step))
        return step;
    return gather(call, comm, MPI_COLLECTIVE_GATHERV, root);
}

/* -- scatter ------------------------------------------------------------------------------------------------------- */

/* The root's `all` goes out; `mine` (NULL: in place) takes this rank's block. */
static MpiStep scatter_run(MpiCall *call, MpiComm *comm, MpiCollective collective, int root, Vector *all,
                           const Vector *mine)
{
    MpiPlan plan = {.root = (uint32_t)root};
    uint32_t n = comm->group->size;
    bool is_root = comm->rank == (uint32_t)root;
    g_assert(is_root || mine);
    plan.own_bytes = is_root ? vector_block(all, (uint32_t)root, n).bytes : mine->bytes;
    if (collective == MPI_COLLECTIVE_SCATTER)
        plan.bytes = plan.own_bytes;
    if (is_root && all->n) {
        plan.send_bytes = all->block_bytes;
        plan.send_offsets = all->block_offsets;
        plan.input_bytes = all->bytes;
    }
    Vector result = {0};
    if (mine) {
        result = *mine;
        result.bytes = MIN(result.bytes, plan.own_bytes);
    }
    return run(call, comm, collective, &plan, is_root ? all : NULL, mine ? &result : NULL, NULL);
}

/* Arguments of the receive side start at `receive`. */
static MpiStep scatter(MpiCall *call, MpiComm *comm, MpiCollective collective, int root, unsigned receive)
{
    Vector mine, all = {0};
    MpiStep step;
    uint32_t n = comm->group->size;
    bool is_root = comm->rank == (uint32_t)root, stays = is_root && in_place(call, receive);
    if (!stays && !vector_parse(call, comm, receive, receive + 1, receive + 2, 1, true, &mine, &step))
        return step;
    if (is_root) {
        if (collective == MPI_COLLECTIVE_SCATTER ? !vector_parse(call, comm, 0, 1, 2, n, false, &all, &step)
                                                 : !blocks_parse(call, comm, 0, 1, 2, 3, false, &all, &step))
            return step;
        uint64_t own = vector_block(&all, (uint32_t)root, n).bytes;
        if (!stays && own > mine.bytes) {
            vector_clear(&all);
            return own_too_long(call, comm, own, mine.bytes);
        }
    }
    if (mpi_check_collective(call, comm, root, &step))
        return scatter_run(call, comm, collective, root, &all, stays ? NULL : &mine);
    vector_clear(&all);
    return step;
}

MpiStep mpi_do_Scatter(MpiCall *call)
{
    MpiComm *comm;
    int root;
    MpiStep step;
    if (!mpi_check_comm(call, 7, &comm, &step) || !mpi_check_root(call, comm, 6, &root, &step))
        return step;
    return scatter(call, comm, MPI_COLLECTIVE_SCATTER, root, 3);
}

MpiStep mpi_do_Scatterv(MpiCall *call)
{
    MpiComm *comm;
    int root;
    MpiStep step;
    if (!mpi_check_comm(call, 8, &comm, &step) || !mpi_check_root(call, comm, 7, &root, &step))
        return step;
    return scatter(call, comm, MPI_COLLECTIVE_SCATTERV, root, 4);
}

/* -- allgather --------------------------------------------------------------------------------------------------------
 */

static MpiStep allgather(MpiCall *call, MpiComm *comm, MpiCollective collective)
{
    Vector mine, all;
    MpiStep step;
    uint32_t n = comm->group->size;
    if (collective == MPI_COLLECTIVE_ALLGATHER ? !vector_parse(call, comm, 3, 4, 5, n, true, &all, &step)
                                               : !blocks_parse(call, comm, 3, 4, 5, 6, true, &all, &step))
        return step;
    if (!root_block(call, comm, &all, comm->rank, &mine, &step) || !mpi_check_collective(call, comm, -1, &step)) {
        vector_clear(&all);
        return step;
    }
    MpiPlan plan = {.own_bytes = mine.bytes};
    if (all.n) {
        plan.recv_bytes = all.block_bytes;
        plan.recv_offsets = all.block_offsets;
        plan.result_bytes = all.bytes;
    } else {
        plan.bytes = all.bytes / n;
    }
    return run(call, comm, collective, &plan, &mine, &all, NULL);
}

MpiStep mpi_do_Allgather(MpiCall *call)
{
    MpiComm *comm;
    MpiStep step;
    return mpi_check_comm(call, 6, &comm, &step) ? allgather(call, comm, MPI_COLLECTIVE_ALLGATHER) : step;
}

MpiStep mpi_do_Allgatherv(MpiCall *call)
{
    MpiComm *comm;
    MpiStep step;
    return mpi_check_comm(call, 7, &comm, &step) ? allgather(call, comm, MPI_COLLECTIVE_ALLGATHERV) : step;
}

MpiStep mpi_call_agree(MpiCall *call, MpiComm *comm, uint64_t bytes, MpiHandler then)
{
    MpiPlan plan = {.bytes = bytes, .own_bytes = bytes, .phantom = true};
    mpi_schedule_new(call, comm, MPI_COLLECTIVE_ALLGATHER, &plan);
    return mpi_schedule_run(call, then);
}

/* -- alltoall ---------------------------------------------------------------------------------------------------------
 */

MpiStep mpi_do_Alltoall(MpiCall *call)
{
    MpiComm *comm;
    Vector out, in;
    MpiStep step;
    if (!mpi_check_comm(call, 6, &comm, &step))
        return step;
    uint32_t n = comm->group->size;
    if (!vector_parse(call, comm, 3, 4, 5, n, true, &in, &step))
        return step;
    out = in;
    if (!in_place(call, 0) && !vector_parse(call, comm, 0, 1, 2, n, false, &out, &step))
        return step;
    if (out.bytes > in.bytes)
        return own_too_long(call, comm, out.bytes / n, in.bytes / n);
    if (!mpi_check_collective(call, comm, -1, &step))
        return step;
    MpiPlan plan = {.bytes = in.bytes / n, .own_bytes = in.bytes / n};
    return run(call, comm, MPI_COLLECTIVE_ALLTOALL, &plan, &out, &in, NULL);
}

MpiStep mpi_do_Alltoallv(MpiCall *call)
{
    MpiComm *comm;
    Vector out, in;
    MpiStep step;
    if (!mpi_check_comm(call, 8, &comm, &step) || !blocks_parse(call, comm, 4, 5, 6, 7, true, &in, &step))
        return step;
    bool parsed = in_place(call, 0) ? blocks_parse(call, comm, 4, 5, 6, 7, false, &out, &step)
                                    : blocks_parse(call, comm, 0, 1, 2, 3, false, &out, &step);
    if (!parsed || !mpi_check_collective(call, comm, -1, &step)) {
        if (parsed)
            vector_clear(&out);
        vector_clear(&in);
        return step;
    }
    MpiPlan plan = {.send_bytes = out.block_bytes,
                    .send_offsets = out.block_offsets,
                    .recv_bytes = in.block_bytes,
                    .recv_offsets = in.block_offsets,
                    .input_bytes = out.bytes,
                    .result_bytes = in.bytes};
    return run(call, comm, MPI_COLLECTIVE_ALLTOALLV, &plan, &out, &in, NULL);
}
