/* check_data_races.c - tells the layer above which memory calls use, for its check for data races between threads.
 *
 * A call uses the data of its buffers from its beginning on, and a request until the program has seen that it is
 * complete (MPI-4.1 section 3.7.2): both ends count as accesses of the thread that makes the call, the beginning of all
 * calls and the end of messages with requests. The data of a receive buffer count as stored, all of them. Asked are
 * only processes whose memory accesses are watched, as that check does from the second thread on.
 */
#include "mpi/core/call.h"
#include "mpi/core/findings.h"
#include "mpi/core/hooks.h"
#include "mpi/core/rank.h"
#include "mpi/core/world.h"
#include "mpi/p2p/p2p.h"
#include "mpi/type/type.h"

typedef struct Use {
    const MpiRank *rank;
    const MpiLayout *layout; /* of an item that has gaps */
    bool write;
} Use;

static void tell(const Use *use, uint64_t address, uint64_t bytes)
{
    const MpiEnv *env = &use->rank->world->env;
    env->uses(env->user, use->rank->index, address, bytes, use->write);
}

/* Tells the data of a loop's iterations, and of the loops further in. */
static void tell_level(const Use *use, uint32_t level, uint64_t address)
{
    const MpiLayout *layout = use->layout;
    if (level == layout->n_loops) {
        for (uint32_t i = 0; i < layout->n_segments; i++)
            tell(use, address + (uint64_t)layout->segments[i].offset, layout->segments[i].bytes);
        return;
    }
    const MpiLoop *loop = &layout->loops[level];
    for (uint64_t i = 0; i < loop->count; i++)
        tell_level(use, level + 1, address + i * (uint64_t)loop->stride);
}

static void tell_buffer(const MpiRank *rank, const MpiBuffer *buffer, bool write)
{
    const MpiType *type = buffer->type;
    if (!type || !type->size || !buffer->count || !buffer->process || !vm_rank_is_watched(buffer->process))
        return;
    Use use = {.rank = rank, .layout = type->layout, .write = write};
    if (type->contiguous)
        tell(&use, buffer->address, buffer->count * type->size);
    for (uint64_t i = 0; i < buffer->count && !type->contiguous && use.layout; i++)
        tell_level(&use, 0, buffer->address + i * (uint64_t)type->extent);
}

static bool note_buffer(MpiWorld *world, MpiCall *call, unsigned arg, const MpiBuffer *buffer, bool written, bool later)
{
    (void)world, (void)arg;
    if (!later)
        tell_buffer(call->rank, buffer, written);
    return true;
}

static void tell_message(const MpiRequest *request)
{
    bool message = request->sort == MPI_REQUEST_SEND || request->sort == MPI_REQUEST_RECEIVE;
    if (message && request->peer != MPI_PROC_NULL_ && !request->packed)
        tell_buffer(request->owner, &request->buffer, request->sort == MPI_REQUEST_RECEIVE);
}

static bool note_start(MpiWorld *world, MpiCall *call, const MpiRequest *request, MpiStep *step)
{
    (void)world, (void)call, (void)step;
    tell_message(request);
    return true;
}

/* A request that is waited for again is over already. */
static void note_finished(MpiWorld *world, MpiRequest *request)
{
    (void)world;
    if (request->active && !request->cancelled)
        tell_message(request);
}

static void begin(MpiWorld *world)
{
    if (mpi_check_is_on(world, MPI_CHECK_DATA_RACES) && world->env.uses)
        mpi_hooks_add_short(world, &(MpiHooks){.finished = note_finished, .extent = note_buffer, .start = note_start});
}

const MpiPart mpi_part_data_races = {.begin = begin};
