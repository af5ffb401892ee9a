/* spawn.c - MPI_Comm_spawn and MPI_Comm_spawn_multiple (MPI-4.1 section 11.8).
 *
 * The root asks the machine for the processes and sends each the word to begin (newcomers.c). When all have answered
 * from their MPI_Init, the root tells the other parents (unions.c). If the machine cannot start one, it starts none. */
#include "mpi/process/spawn.h"
#include "mpi/collective/share.h"
#include "mpi/core/handlers.h"
#include "mpi/core/rank.h"
#include "mpi/core/world.h"
#include "mpi/p2p/p2p.h"
#include "mpi/process/process.h"

#include <string.h>

/* -- the processes --------------------------------------------------------------------------------------- */

static void give_word(MpiCall *call, const MpiOrigin *origin, uint32_t rank)
{
    MpiUnion *joining = call->state;
    MpiComm *universe = mpi_process_universe(call);
    MpiBuffer word = {.count = origin->bytes}, nothing = {0};
    mpi_union_await(joining, mpi_p2p_start_recv(call, &nothing, universe, (int)rank, origin->tag, true));
    mpi_request_release(mpi_p2p_start_send(call, MPI_MODE_STANDARD, &word, universe, (int)rank, origin->tag, true));
}

static MpiGroup *consecutive(uint32_t first, uint32_t n)
{
    uint32_t *ranks = g_new(uint32_t, n);
    for (uint32_t i = 0; i < n; i++)
        ranks[i] = first + i;
    return mpi_group_new(n, ranks);
}

/* Before the processes have communicators. */
static void set_errhandlers(MpiWorld *world, const MpiRequested *requested, uint32_t first)
{
    for (uint32_t i = 0, rank = first; i < requested->n; i++)
        for (uint32_t k = 0; k < requested->spawns[i].ranks; k++)
            mpi_world_rank(world, rank++)->initial_errhandler = requested->errhandlers[i];
}

/* There are so many new processes, numbered from `first` on. */
static MpiStep begin(MpiCall *call, const MpiRequested *requested, uint32_t first, uint32_t n)
{
    MpiUnion *joining = call->state;
    MpiEnd *end = joining->end;
    MpiWorld *world = call->world;
    MpiUniverse *universe = mpi_universe(world);
    MpiOrigin *origin = g_new0(MpiOrigin, 1);
    *origin = (MpiOrigin){.refs = 1,
                          .tag = (int)universe->next_tag++,
                          .root = call->rank->index,
                          .parents = mpi_group_ref(end->group),
                          .children = consecutive(first, n),
                          .context = world->next_context,
                          .world = world->next_context + 2,
                          .bytes = requested->bytes};
    world->next_context += 3;
    end->remote = mpi_group_ref(origin->children);
    end->context = origin->context;
    end->low = true;
    set_errhandlers(world, requested, first);
    mpi_newcomers_expect(world, origin);
    for (uint32_t i = 0; i < n; i++)
        give_word(call, origin, first + i);
    mpi_process_origin_unref(origin);
    return mpi_call_wait(call, (MpiRequest **)joining->waits->pdata, joining->waits->len, mpi_union_tell);
}

/* The codes of all processes that were asked for; with `soft`, some may not be there although all is well. */
static void set_codes(MpiEnd *end, const MpiRequested *requested)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < requested->n; i++)
        end->processes += requested->asked[i];
    end->codes = g_new(int32_t, MAX(end->processes, 1));
    for (uint32_t i = 0; i < requested->n; i++)
        for (uint32_t k = 0; k < requested->asked[i]; k++)
            end->codes[at++] = !end->error && k < requested->spawns[i].ranks ? MPI_SUCCESS : MPI_ERR_SPAWN;
}

static MpiStep start(MpiCall *call, MpiRequested *requested)
{
    MpiEnd *end = ((MpiUnion *)call->state)->end;
    const MpiEnv *env = &call->world->env;
    MpiSpawned spawned = {0};
    uint32_t n = 0;
    for (uint32_t i = 0; i < requested->n; i++)
        n += requested->spawns[i].ranks;
    if (!end->error && !env->spawn)
        mpi_union_end_fail(end, MPI_ERR_SPAWN, "no process can be started here");
    if (!end->error && n)
        spawned = env->spawn(env->user, call->rank->index, requested->spawns, requested->n);
    if (spawned.why)
        mpi_union_end_fail(end, MPI_ERR_SPAWN, "%s cannot be started: %s", requested->spawns[spawned.failed].command,
                           spawned.why);
    g_free(spawned.why);
    set_codes(end, requested);
    return end->error ? mpi_union_tell(call) : begin(call, requested, spawned.first, n);
}

/* -- the calls ------------------------------------------------------------------------------------------- */

static MpiStep spawn(MpiCall *call, unsigned root_arg, bool multiple)
{
    unsigned comm_arg = root_arg + 1, result = root_arg + 2, codes = root_arg + 3;
    MpiComm *comm;
    int root;
    MpiStep step;
    if (!mpi_check_comm(call, comm_arg, &comm, &step) || !mpi_check_intra(call, comm, &step) ||
        !mpi_check_root(call, comm, root_arg, &root, &step) || !mpi_check_result(call, result, 8, &step) ||
        !mpi_share_check(call, comm, root, &step))
        return step;
    MpiUnion *joining = mpi_union_new(call, comm, (uint32_t)root, result);
    joining->codes = (int)codes;
    if (!joining->end)
        return mpi_union_tell(call);
    MpiRequested requested;
    mpi_spawn_arguments_read(call, multiple, joining->end, &requested);
    step = start(call, &requested);
    mpi_spawn_arguments_clear(&requested);
    return step;
}

MPI_HANDLER(Comm_spawn, spawn(call, 4, false))
MPI_HANDLER(Comm_spawn_multiple, spawn(call, 5, true))
