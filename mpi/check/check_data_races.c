/* check_data_races.c - tells the layer above which memory calls use, for its check for data races between threads.
 *
 * A call uses the data of its buffers from its beginning on, and a request until the program has seen that it is
 * complete (MPI-4.1 section 3.7.2): both ends count as accesses of the thread that makes the call. This holds for
 * messages, also persistent ones, from each start on, for single partitions, for collectives in the background, for
 * one-sided communication up to the synchronisation that ends it, and for files. The data of a receive buffer count as
 * stored, all of them. Asked are only processes whose memory accesses are watched, as that check does from the second
 * thread on.
 */
#include "mpi/collective/collective.h"
#include "mpi/core/call.h"
#include "mpi/core/findings.h"
#include "mpi/core/hooks.h"
#include "mpi/core/rank.h"
#include "mpi/core/slots.h"
#include "mpi/core/world.h"
#include "mpi/p2p/p2p.h"
#include "mpi/type/type.h"

typedef struct Lasting { /* what a request uses */
    const MpiRequest *request;
    MpiBuffer buffer; /* the type is referenced */
    bool write;
    int partition; /* -1: of no partition */
} Lasting;

typedef struct LastingUses { /* of a world */
    uint32_t ranks;
    GPtrArray *of[]; /* by rank, of Lasting; NULL: it has had none yet */
} LastingUses;

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

/* -- requests ---------------------------------------------------------------------------------- */

static void use_free(void *data)
{
    Lasting *use = data;
    mpi_type_unref(use->buffer.type);
    g_free(use);
}

static void uses_free(void *data)
{
    LastingUses *all = data;
    for (uint32_t i = 0; i < all->ranks; i++)
        if (all->of[i])
            g_ptr_array_unref(all->of[i]);
    g_free(all);
}

/* A request uses the buffer from now on, until the program sees that it is complete. */
static void note_used(MpiWorld *world, MpiCall *call, const MpiRequest *request, const MpiBuffer *buffer, bool written,
                      int partition)
{
    if (!buffer->process || !buffer->type || !buffer->count || !buffer->type->size || request->peer == MPI_PROC_NULL_)
        return;
    LastingUses *all = mpi_world_slot(world, MPI_SLOT_RACES);
    GPtrArray **uses = &all->of[request->owner->index];
    if (!*uses)
        *uses = g_ptr_array_new_with_free_func(use_free);
    Lasting *use = g_new(Lasting, 1);
    *use = (Lasting){request, *buffer, written, partition};
    mpi_type_ref(buffer->type);
    g_ptr_array_add(*uses, use);
    tell_buffer(call->rank, buffer, written);
}

typedef struct Starting {
    MpiCall *call;
    const MpiRequest *request;
} Starting;

static bool use_piece(const MpiBuffer *piece, bool written, void *context)
{
    const Starting *starting = context;
    note_used(starting->call->world, starting->call, starting->request, piece, written, -1);
    return true;
}

static void note_background(MpiWorld *world, MpiCall *call, MpiCall *agent, MpiRequest *request)
{
    Starting starting = {call, request};
    (void)world, (void)agent;
    mpi_task_visit(mpi_operation_task(request->operation), use_piece, &starting);
}

/* Those of the request, and of one partition if it is not -1, are over. The latest ones are looked at first: programs
 * mostly wait for what they have started last. */
static void end_uses(const MpiRequest *request, int partition, bool tells)
{
    const LastingUses *all = mpi_world_slot(request->owner->world, MPI_SLOT_RACES);
    GPtrArray *uses = all->of[request->owner->index];
    for (guint i = uses ? uses->len : 0; i-- > 0;) {
        const Lasting *use = uses->pdata[i];
        if (use->request != request || (partition >= 0 && use->partition != partition))
            continue;
        if (tells)
            tell_buffer(request->owner, &use->buffer, use->write);
        g_ptr_array_remove_index(uses, i);
    }
}

static void note_looked(MpiWorld *world, MpiRequest *request, int partition)
{
    (void)world;
    end_uses(request, partition, !request->cancelled);
}

static void note_finished(MpiWorld *world, MpiRequest *request)
{
    note_looked(world, request, -1);
}

static void note_given_up(MpiWorld *world, MpiCall *call, MpiRequest *request)
{
    (void)world, (void)call;
    end_uses(request, -1, false);
}

static void begin(MpiWorld *world)
{
    if (!mpi_check_is_on(world, MPI_CHECK_DATA_RACES) || !world->env.uses)
        return;
    LastingUses *all = g_malloc0(sizeof *all + world->room * sizeof all->of[0]);
    all->ranks = world->room;
    mpi_world_set_slot(world, MPI_SLOT_RACES, all, uses_free);
    mpi_hooks_add_short(world, &(MpiHooks){.extent = note_buffer,
                                           .used = note_used,
                                           .background_begun = note_background,
                                           .looked = note_looked,
                                           .finished = note_finished,
                                           .given_up = note_given_up});
}

const MpiPart mpi_part_data_races = {.begin = begin};
