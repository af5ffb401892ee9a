/* observed_calls.c - tells an observer (MpiObserver.call) about calls that are over, without closing the short ways of
 * messages.
 *
 * LOCAL calls run on the thread of their rank, but observers are called in order and from one thread. So those that
 * take time are kept until the rank enters MPI again or has ended. Nothing is told while MPI_Pcontrol has ended the
 * rank's recording.
 */
#include "mpi/watch/observed_calls.h"

#include "mpi/core/call.h"
#include "mpi/core/function.h"
#include "mpi/core/hooks.h"
#include "mpi/core/rank.h"
#include "mpi/core/slots.h"
#include "mpi/core/world.h"
#include "mpi/watch/wait_causes.h"

/* What is kept of a LOCAL call; its arguments follow in Kept.arguments. */
typedef struct LocalCall {
    uint64_t from_ps, to_ps;
    const char *name;
    uint32_t pc, thread;
    unsigned n;
    bool controls;
} LocalCall;

typedef struct Kept {
    GArray *calls;              /* LocalCall; NULL: none yet */
    GArray *arguments;          /* of uint64_t */
    const VcodeModule *program; /* NULL: not known yet */
    bool fed;                   /* calls on their short ways are put into the observer's feed */
} Kept;

typedef struct ObservedCalls {
    MpiObserver observer;
    uint32_t n_ranks;
    Kept kept[];
} ObservedCalls;

static ObservedCalls *observed_of(const MpiWorld *world)
{
    return mpi_world_slot(world, MPI_SLOT_OBSERVED_CALLS);
}

static void tell(ObservedCalls *observed, const MpiRank *rank, const MpiCallInfo *info)
{
    Kept *kept = &observed->kept[rank->index];
    const MpiObserver *observer = &observed->observer;
    if (G_UNLIKELY(!kept->program)) {
        kept->program = vm_image_module(vm_rank_image(rank->process));
        kept->fed = observer->feed && rank->index < observer->fed;
    }
    observer->call(observer->user, info, kept->program);
}

/* -- LOCAL calls ------------------------------------------------------------------------------- */

static void left_local(MpiWorld *world, const MpiCall *call)
{
    Kept *kept = &observed_of(world)->kept[call->rank->index];
    bool controls = call->function == MPI_FUNCTION_Pcontrol; /* it may just have ended the recording */
    if (!controls && (call->now == call->entered_ps || call->rank->unrecorded))
        return;
    if (!kept->calls) {
        kept->calls = g_array_new(FALSE, FALSE, sizeof(LocalCall));
        kept->arguments = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    }
    LocalCall local = {.from_ps = call->entered_ps,
                       .to_ps = call->now,
                       .name = call->name,
                       .pc = call->pc,
                       .thread = call->thread,
                       .n = call->n,
                       .controls = controls};
    g_array_append_val(kept->calls, local);
    g_array_append_vals(kept->arguments, call->args, call->n);
}

static void tell_local_calls(MpiWorld *world, const MpiRank *rank)
{
    ObservedCalls *observed = observed_of(world);
    const Kept *kept = &observed->kept[rank->index];
    if (!kept->calls || kept->calls->len == 0)
        return;
    const uint64_t *arguments = (const uint64_t *)(const void *)kept->arguments->data;
    for (guint i = 0; i < kept->calls->len; i++) {
        const LocalCall *local = &g_array_index(kept->calls, LocalCall, i);
        MpiCallInfo info = {.rank = rank->index,
                            .thread = local->thread,
                            .name = local->name,
                            .controls = local->controls,
                            .pc = local->pc,
                            .from_ps = local->from_ps,
                            .to_ps = local->to_ps,
                            .overhead_ps = local->to_ps - local->from_ps,
                            .n = local->n,
                            .args = arguments};
        tell(observed, rank, &info);
        arguments += local->n;
    }
    g_array_set_size(kept->calls, 0);
    g_array_set_size(kept->arguments, 0);
}

/* -- GLOBAL calls ------------------------------------------------------------------------------ */

static void over(MpiWorld *world, const MpiCall *call)
{
    MpiCallInfo info = {.rank = call->rank->index,
                        .thread = call->thread,
                        .name = call->name,
                        .pc = call->pc,
                        .from_ps = call->entered_ps,
                        .to_ps = call->now,
                        .overhead_ps = call->overhead_ps,
                        .n = call->n,
                        .args = call->args};
    info.algorithm = mpi_wait_causes_algorithm(world, call);
    info.waits = mpi_wait_causes_of(world, call, &info.n_waits);
    if (!call->rank->unrecorded)
        tell(observed_of(world), call->rank, &info);
}

static G_GNUC_NO_INLINE void tell_plainly(MpiWorld *world, const MpiPlainCall *call)
{
    ObservedCalls *observed = observed_of(world);
    const MpiFunction *function = mpi_function(call->function);
    MpiCallInfo info = {.rank = call->rank->index,
                        .name = function->info.name,
                        .pc = call->pc,
                        .from_ps = call->from_ps,
                        .to_ps = call->to_ps,
                        .overhead_ps = call->overhead_ps,
                        .n = function->arguments,
                        .args = call->args};
    if (observed->observer.waits)
        info.waits = mpi_wait_causes_of_plain(world, call, &info.n_waits);
    tell(observed, call->rank, &info);
}

/* Calls with shorter ways have few arguments. */
static inline void record(BaseFeed *feed, const MpiPlainCall *call)
{
    unsigned n = mpi_function(call->function)->arguments;
    uint64_t *record = base_feed_room(feed);
    feed->at = record + MPI_RECORD_PLAIN_WORDS + n;
    record[0] = mpi_record_head(MPI_RECORD_PLAIN, n, call->rank->index) | call->function << 16;
    record[1] = call->to_ps;
    record[2] = call->from_ps;
    record[3] = mpi_record_pair((uint32_t)call->overhead_ps, call->pc);
    base_feed_copy(record + MPI_RECORD_PLAIN_WORDS, call->args, n);
}

static void over_plainly(MpiWorld *world, const MpiPlainCall *call)
{
    ObservedCalls *observed = observed_of(world);
    const Kept *kept = &observed->kept[call->rank->index];
    if (G_UNLIKELY(kept->calls))
        tell_local_calls(world, call->rank);
    if (call->rank->unrecorded)
        return;
    if (kept->fed && call->overhead_ps <= UINT32_MAX)
        record(observed->observer.feed, call);
    else
        tell_plainly(world, call);
}

/* -- observing --------------------------------------------------------------------------------- */

static const MpiHooks hooks = {
    .entered = tell_local_calls,
    .exited = tell_local_calls,
    .left_local = left_local,
    .over = over,
    .over_plainly = over_plainly,
};

static void observed_free(gpointer data)
{
    ObservedCalls *observed = data;
    for (uint32_t i = 0; i < observed->n_ranks; i++) {
        if (!observed->kept[i].calls)
            continue;
        g_array_unref(observed->kept[i].calls);
        g_array_unref(observed->kept[i].arguments);
    }
    g_free(observed);
}

void mpi_observe_calls(MpiWorld *world, const MpiObserver *observer)
{
    ObservedCalls *observed = observed_of(world);
    if (!observed) {
        observed = g_malloc0(sizeof *observed + world->room * sizeof *observed->kept);
        observed->n_ranks = world->room;
        mpi_world_set_slot(world, MPI_SLOT_OBSERVED_CALLS, observed, observed_free);
        mpi_hooks_add_short(world, &hooks);
    }
    observed->observer = *observer;
    if (observer->waits)
        mpi_wait_causes_begin(world);
}
