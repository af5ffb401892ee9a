/* environment.c - starting, ending, clocks and names (MPI-3.1 chapter 8; threads 12.4). */
#include "mpi/attribute/attribute.h"
#include "mpi/comm/comm.h"
#include "mpi/core/call.h"
#include "mpi/core/handlers.h"
#include "mpi/core/hooks.h"
#include "mpi/core/rank.h"
#include "mpi/core/stores.h"
#include "mpi/core/threads.h"
#include "mpi/core/world.h"
#include "mpi/p2p/p2p.h"

#include <string.h>

enum { MAX_PROCESSOR_NAME = 256, MAX_LIBRARY_VERSION = 256 };

static MpiStep done(MpiCall *call)
{
    call->result = MPI_SUCCESS;
    return MPI_STEP_DONE;
}

/* The rank may call MPI from now on. One that others have started first hears from them. */
static MpiStep begin(MpiCall *call, MpiThreadLevel thread_level)
{
    MpiRank *rank = call->rank;
    rank->main_thread = call->thread;
    rank->state = MPI_RANK_ACTIVE;
    rank->thread_level = thread_level;
    return mpi_rank_slot(rank, MPI_RANK_SLOT_PROCESS) ? call->world->upper->process_begin(call, done) : done(call);
}

MPI_HANDLER(Init, begin(call, MPI_THREAD_SINGLE_))

/* Every level is provided as required. */
MpiStep mpi_do_Init_thread(MpiCall *call)
{
    MpiStep step;
    int required = mpi_int(call, 2);
    if (!mpi_check_result(call, 3, 4, &step))
        return step;
    if (required < MPI_THREAD_SINGLE_ || required > MPI_THREAD_MULTIPLE_)
        return mpi_call_error(call, NULL, MPI_ERR_ARG,
                              "argument 3, the thread level, is %d; it is MPI_THREAD_SINGLE to "
                              "MPI_THREAD_MULTIPLE",
                              required);
    mpi_store_int(call, call->args[3], required);
    return begin(call, (MpiThreadLevel)required);
}

static MpiStep finalize_done(MpiCall *call)
{
    call->rank->state = MPI_RANK_FINALIZED;
    return MPI_STEP_DONE;
}

static MpiStep finalize_delivered(MpiCall *call)
{
    return call->world->upper->process_end(call, finalize_done);
}

/* Waits until buffered messages and freed sends are delivered (section 8.7). Then the rank is done, unless processes
 * have come during the run: then it waits for all with which it is connected. */
static MpiStep finalize_deliver(MpiCall *call)
{
    for (MpiRequest *request = call->rank->requests; request; request = request->next) {
        if (!request->freed || request->sort != MPI_REQUEST_SEND || !mpi_request_pending(request))
            continue;
        request->waiter = call;
        call->engine.waiting++;
    }
    return call->engine.waiting ? mpi_call_block(call, finalize_delivered) : finalize_delivered(call);
}

/* The attributes of MPI_COMM_SELF are deleted first (section 8.7.1). */
MpiStep mpi_do_Finalize(MpiCall *call)
{
    if (call->rank->self_comm)
        return mpi_attributes_delete(call, call->rank->self_comm, finalize_deliver);
    return finalize_deliver(call);
}

MpiStep mpi_do_Initialized(MpiCall *call)
{
    MpiStep step;
    if (!mpi_check_result(call, 0, 4, &step))
        return step;
    mpi_store_int(call, call->args[0], call->rank->state != MPI_RANK_STARTED);
    return MPI_STEP_DONE;
}

MpiStep mpi_do_Finalized(MpiCall *call)
{
    MpiStep step;
    if (!mpi_check_result(call, 0, 4, &step))
        return step;
    mpi_store_int(call, call->args[0], call->rank->state == MPI_RANK_FINALIZED);
    return MPI_STEP_DONE;
}

/* Ends all ranks, also those outside the communicator. The standard allows this (section 8.7). */
MpiStep mpi_do_Abort(MpiCall *call)
{
    call->world->abort_code = mpi_int(call, 1);
    return MPI_STEP_ABORT;
}

MpiStep mpi_do_Query_thread(MpiCall *call)
{
    MpiStep step;
    if (!mpi_check_result(call, 0, 4, &step))
        return step;
    mpi_store_int(call, call->args[0], call->rank->thread_level);
    return MPI_STEP_DONE;
}

MpiStep mpi_do_Is_thread_main(MpiCall *call)
{
    MpiStep step;
    if (!mpi_check_result(call, 0, 4, &step))
        return step;
    mpi_store_int(call, call->args[0], call->thread == call->rank->main_thread);
    return MPI_STEP_DONE;
}

/* -- time -------------------------------------------------------------------------------------- */

/* Converts the simulator's integer to the program's double. Only here does time become floating point. */
static uint64_t seconds(uint64_t ps)
{
    double value = (double)ps / 1e12;
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

MpiStep mpi_do_Wtime(MpiCall *call)
{
    uint64_t resolution = call->world->params.wtime_resolution_ps;
    call->result = seconds(resolution > 1 ? call->now - call->now % resolution : call->now);
    return MPI_STEP_DONE;
}

MpiStep mpi_do_Wtick(MpiCall *call)
{
    call->result = seconds(MAX(call->world->params.wtime_resolution_ps, 1));
    return MPI_STEP_DONE;
}

/* -- names ------------------------------------------------------------------------------------- */

static MpiStep store_text(MpiCall *call, const char *text, uint64_t limit)
{
    MpiStep step;
    uint64_t length = MIN(strlen(text), limit - 1);
    if (!mpi_check_result(call, 0, length + 1, &step) || !mpi_check_result(call, 1, 4, &step))
        return step;
    char *to = vm_rank_write(call->process, call->args[0], length + 1);
    memcpy(to, text, length);
    to[length] = '\0';
    mpi_store_int(call, call->args[1], (int)length);
    return MPI_STEP_DONE;
}

MpiStep mpi_do_Get_processor_name(MpiCall *call)
{
    const MpiEnv *env = &call->world->env;
    const char *name = env->node_name ? env->node_name(env->user, call->rank->index) : NULL;
    return store_text(call, name ? name : "node", MAX_PROCESSOR_NAME);
}

MpiStep mpi_do_Get_version(MpiCall *call)
{
    MpiStep step;
    if (!mpi_check_result(call, 0, 4, &step) || !mpi_check_result(call, 1, 4, &step))
        return step;
    mpi_store_int(call, call->args[0], 4);
    mpi_store_int(call, call->args[1], 1);
    return MPI_STEP_DONE;
}

MpiStep mpi_do_Get_library_version(MpiCall *call)
{
    return store_text(call, "Orrery " ORRERY_VERSION ", a deterministic simulator of parallel machines",
                      MAX_LIBRARY_VERSION);
}

/* The kinds of hardware that communicators can be made of, and whether the process stays within one of each (MPI-4.1
 * section 9.1.3): a rank does not move. */
MpiStep mpi_do_Get_hw_resource_info(MpiCall *call)
{
    MpiInfo *info = mpi_info_new();
    mpi_info_set(info, "orrery://machine", "true");
    mpi_info_set(info, "orrery://node", "true");
    mpi_info_set(info, "orrery://nic", "true");
    return mpi_info_give(call, 0, info);
}

/* -- memory (section 8.2) ---------------------------------------------------------------------- */

MpiStep mpi_do_Alloc_mem(MpiCall *call)
{
    MpiStep step;
    int64_t size = (int64_t)call->args[0];
    if (!mpi_check_result(call, 2, 8, &step))
        return step;
    if (!mpi_check_info(call, NULL, 1, &step))
        return step;
    if (size < 0)
        return mpi_call_error(call, NULL, MPI_ERR_ARG, "argument 1, the size, is negative (%" G_GINT64_FORMAT ")",
                              size);
    uint64_t address = vm_library_malloc(call->process, (uint64_t)size);
    if (!address)
        return mpi_call_error(call, NULL, MPI_ERR_NO_MEM, "no memory for %" G_GINT64_FORMAT " bytes", size);
    mpi_store_handle(call, call->args[2], address);
    return MPI_STEP_DONE;
}

MpiStep mpi_do_Free_mem(MpiCall *call)
{
    vm_library_free(call->process, call->args[0]);
    return MPI_STEP_DONE;
}

/* Level 0 ends the recording of the rank, 1 and 2 begin it again (section 15.2.4). Other levels have no meaning. */
MpiStep mpi_do_Pcontrol(MpiCall *call)
{
    int level = mpi_int(call, 0);
    if (level >= 0 && level <= 2)
        call->rank->unrecorded = level == 0;
    mpi_tell_controlled(call->world, call, level);
    return MPI_STEP_DONE;
}
