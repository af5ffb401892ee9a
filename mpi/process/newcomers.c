/* newcomers.c - the beginning of a process that MPI_Comm_spawn has started, and its parents (MPI-4.1 section 11.8.2).
 *
 *      root                                   each child
 *      the word to begin ------------------>  (no process yet) comes to the node; after [mpi] spawn, the process runs
 *                                             MPI_Init reads the word
 *      is the last of all answers here?  <--  answers
 *      MPI_Comm_spawn goes on                 MPI_Init goes on
 */
#include "mpi/core/handlers.h"
#include "mpi/core/hooks.h"
#include "mpi/core/rank.h"
#include "mpi/core/slots.h"
#include "mpi/core/stores.h"
#include "mpi/core/world.h"
#include "mpi/p2p/p2p.h"
#include "mpi/process/process.h"

/* -- who started them ---------------------------------------------------------------------------------- */

MpiOrigin *mpi_process_origin_ref(MpiOrigin *origin)
{
    origin->refs++;
    return origin;
}

void mpi_process_origin_unref(MpiOrigin *origin)
{
    if (!origin || --origin->refs)
        return;
    mpi_group_unref(origin->parents);
    mpi_group_unref(origin->children);
    g_free(origin);
}

/* -- letting them begin ---------------------------------------------------------------------------------- */

static void note_delivered(MpiWorld *world, const MpiMessage *message, uint64_t time_ps)
{
    MpiProcess *process = mpi_rank_slot(mpi_world_rank(world, message->to), MPI_RANK_SLOT_PROCESS);
    if (!process || !process->origin || process->begun)
        return;
    process->begun = true;
    world->env.start(world->env.user, message->to, time_ps + world->params.spawn_ps);
}

void mpi_newcomers_expect(MpiWorld *world, MpiOrigin *origin)
{
    MpiUniverse *universe = mpi_universe(world);
    if (!universe->listens)
        mpi_hooks_add(world, &(MpiHooks){.delivered = note_delivered});
    universe->listens = true;
    for (uint32_t i = 0; i < origin->children->size; i++) {
        MpiRank *rank = mpi_world_rank(world, mpi_group_world_rank(origin->children, i));
        mpi_comm_begin_world(rank, origin->world, mpi_group_ref(origin->children));
        mpi_process(rank)->origin = mpi_process_origin_ref(origin);
    }
}

/* -- their MPI_Init ---------------------------------------------------------------------------------------- */

typedef struct Beginning { /* call->state */
    MpiRequest *word;
    MpiHandler then;
} Beginning;

static void beginning_free(void *state)
{
    Beginning *beginning = state;
    mpi_request_release(beginning->word);
    g_free(beginning);
}

static MpiStep heard(MpiCall *call)
{
    MpiProcess *process = mpi_process(call->rank);
    const MpiOrigin *origin = process->origin;
    MpiHandler then = ((Beginning *)call->state)->then;
    MpiBuffer nothing = {0};
    mpi_request_release(mpi_p2p_start_send(call, MPI_MODE_STANDARD, &nothing, mpi_process_universe(call),
                                           (int)origin->root, origin->tag, true));
    MpiComm *parent = mpi_comm_new_inter(call, origin->context, mpi_group_ref(origin->children),
                                         mpi_group_ref(origin->parents), false);
    parent->name = "MPI_COMM_PARENT";
    parent->errhandler = mpi_error_handler_ref(mpi_error_initial_handler(call->rank));
    mpi_handle_disown(call->rank, parent->handle);
    process->parent = parent->handle;
    beginning_free(call->state);
    call->state = NULL;
    call->state_free = NULL;
    return then(call);
}

MpiStep mpi_process_begin(MpiCall *call, MpiHandler then)
{
    MpiProcess *process = mpi_process(call->rank);
    const MpiOrigin *origin = process->origin;
    if (!origin || process->parent)
        return then(call);
    Beginning *beginning = g_new0(Beginning, 1);
    MpiBuffer word = {.count = UINT32_MAX};
    beginning->then = then;
    beginning->word = mpi_p2p_start_recv(call, &word, mpi_process_universe(call), (int)origin->root, origin->tag, true);
    call->state = beginning;
    call->state_free = beginning_free;
    return mpi_call_wait(call, &beginning->word, 1, heard);
}

/* Processes that the run began with have no parents. */
MpiStep mpi_do_Comm_get_parent(MpiCall *call)
{
    const MpiProcess *process = mpi_rank_slot(call->rank, MPI_RANK_SLOT_PROCESS);
    MpiStep step;
    if (!mpi_check_result(call, 0, 8, &step))
        return step;
    bool there = process && process->parent && mpi_handle_lookup(call->rank, MPI_KIND_COMM, process->parent);
    mpi_store_handle(call, call->args[0], there ? process->parent : MPI_HANDLE(MPI_KIND_COMM, 0));
    return MPI_STEP_DONE;
}
