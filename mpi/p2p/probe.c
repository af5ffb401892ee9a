/* probe.c - looks at messages without receiving them (MPI-3.1 section 3.8). Matched probes are in matched_probe.c.
 *
 * A probe sees the unmatched messages that have arrived in the rank's queue. A rendezvous is there as its request to
 * send, which has source, tag and size. A blocked probe is woken by the first message that it accepts. */
#include "mpi/comm/comm.h"
#include "mpi/core/call.h"
#include "mpi/core/handlers.h"
#include "mpi/core/hooks.h"
#include "mpi/core/matcher.h"
#include "mpi/core/rank.h"
#include "mpi/core/stores.h"
#include "mpi/core/threads.h"
#include "mpi/core/world.h"
#include "mpi/p2p/p2p.h"

bool mpi_probe_parse(MpiCall *call, MpiComm **comm, MpiKey *key, MpiStep *step)
{
    int source, tag;
    if (!mpi_check_comm(call, 2, comm, step) || !mpi_check_peer(call, *comm, 0, true, &source, step) ||
        !mpi_check_tag(call, *comm, 1, true, &tag, step))
        return false;
    *key = (MpiKey){.space = (*comm)->context << 1, .source = source, .tag = tag};
    return true;
}

bool mpi_probe_find(MpiCall *call, MpiKey key, MpiMessage **message, MpiStatus *status)
{
    *message = NULL;
    if (key.source == MPI_PROC_NULL_) {
        *status = (MpiStatus){.source = MPI_PROC_NULL_, .tag = MPI_ANY_TAG_};
        return true;
    }
    MpiMessage *found = (MpiMessage *)mpi_match_probe(&call->rank->matcher, &call->world->bins, key);
    MpiQueueWatch *watch = call->rank->matcher.watch;
    if (G_UNLIKELY(watch))
        mpi_queue_pay(call, mpi_queue_search(watch, MPI_QUEUE_UNEXPECTED, found ? &found->item : NULL));
    if (found)
        *status = (MpiStatus){.source = found->item.key.source, .tag = found->item.key.tag, .bytes = found->bytes};
    *message = found;
    return found;
}

bool mpi_probe_is_hopeless(MpiCall *call, MpiKey key, MpiStep *step)
{
    if (G_LIKELY(!mpi_listens_refused(call->world)) || key.source == MPI_PROC_NULL_)
        return false;
    MpiComm *comm = (MpiComm *)mpi_find_comm(call->rank, key.space >> 1);
    MpiRequest receive = {
        .sort = MPI_REQUEST_RECEIVE, .comm = comm, .peer = key.source, .tag = key.tag, .made_by = call->name};
    int error = comm ? mpi_ask_refused(call->world, call, &receive) : MPI_SUCCESS;
    if (error)
        *step = mpi_call_error(call, comm, error, "no message can be found any more: %s", mpi_error_class_text(error));
    return error;
}

MpiStep mpi_probe_block(MpiCall *call, MpiHandler then)
{
    MpiStep step;
    if (mpi_probe_is_hopeless(call, call->rank->probe_key, &step))
        return step;
    call->rank->probing = true; /* needed again if the sender has cancelled the message that woke us */
    return mpi_call_block(call, then);
}

static MpiStep probe_or_block(MpiCall *call)
{
    MpiMessage *message;
    MpiStatus status;
    if (!mpi_probe_find(call, call->rank->probe_key, &message, &status))
        return mpi_probe_block(call, probe_or_block);
    mpi_tell_probed(call->world, call, message, false);
    mpi_status_write(call, call->args[3], &status, false);
    return MPI_STEP_DONE;
}

int64_t mpi_probe_choose(MpiCall *call, const MpiComm *comm, bool poll)
{
    MpiKey *key = &call->rank->probe_key;
    int64_t forced = mpi_ask_source(call->world, call, comm, key, poll);
    if (forced != MPI_CHOICE_FREE && forced != MPI_CHOICE_NOTHING)
        key->source = (int32_t)forced;
    return forced;
}

MpiStep mpi_do_Probe(MpiCall *call)
{
    MpiComm *comm;
    MpiStep step;
    if (call->args[3] != MPI_STATUS_IGNORE_ && !mpi_check_result(call, 3, sizeof(MpiStatus), &step))
        return step;
    if (!mpi_probe_parse(call, &comm, &call->rank->probe_key, &step))
        return step;
    mpi_probe_choose(call, comm, false);
    return probe_or_block(call);
}

bool mpi_probe_polled(MpiCall *call, const MpiComm *comm, MpiKey key, MpiHandler found, MpiStep *step)
{
    MpiMessage *message;
    MpiStatus status;
    if (key.source == MPI_PROC_NULL_ || !mpi_listens_source(call->world))
        return false;
    call->rank->probe_key = key;
    int64_t forced = mpi_probe_choose(call, comm, true);
    bool there = forced != MPI_CHOICE_NOTHING && mpi_probe_find(call, call->rank->probe_key, &message, &status);
    if (there && !mpi_ask_hide(call->world, call)) {
        *step = found(call);
    } else if (forced != MPI_CHOICE_FREE && forced != MPI_CHOICE_NOTHING) {
        call->rank->probing = true;
        *step = mpi_call_block(call, found);
    } else if (there || !mpi_probe_is_hopeless(call, key, step)) {
        mpi_tell_probed(call->world, call, NULL, false);
        mpi_store_int(call, call->args[3], false);
        mpi_call_poll_failed(call);
        *step = MPI_STEP_DONE;
    }
    return true;
}

static MpiStep iprobe_found(MpiCall *call)
{
    MpiMessage *message;
    MpiStatus status;
    if (!mpi_probe_find(call, call->rank->probe_key, &message, &status))
        return mpi_probe_block(call, iprobe_found);
    mpi_tell_probed(call->world, call, message, false);
    mpi_store_int(call, call->args[3], true);
    mpi_status_write(call, call->args[4], &status, false);
    return MPI_STEP_DONE;
}

MpiStep mpi_do_Iprobe(MpiCall *call)
{
    MpiComm *comm;
    MpiMessage *message;
    MpiStatus status;
    MpiKey key;
    MpiStep step;
    if (call->args[4] != MPI_STATUS_IGNORE_ && !mpi_check_result(call, 4, sizeof status, &step))
        return step;
    if (!mpi_check_result(call, 3, 4, &step) || !mpi_probe_parse(call, &comm, &key, &step))
        return step;
    if (mpi_probe_polled(call, comm, key, iprobe_found, &step))
        return step;
    bool found = mpi_probe_find(call, key, &message, &status);
    if (!found && mpi_probe_is_hopeless(call, key, &step))
        return step;
    if (key.source != MPI_PROC_NULL_)
        mpi_tell_probed(call->world, call, message, false);
    mpi_store_int(call, call->args[3], found);
    if (found)
        mpi_status_write(call, call->args[4], &status, false);
    else
        mpi_call_poll_failed(call);
    return MPI_STEP_DONE;
}

void mpi_probe_wake_threads(MpiRank *rank, const MpiMessage *message, uint64_t time_ps)
{
    uint32_t thread = 0;
    for (MpiCall *call; (call = mpi_threads_next_blocked(rank, &thread)); thread++) {
        if (!rank->probing || !mpi_match_accepts(rank->probe_key, message->item.key))
            continue;
        rank->probing = false;
        mpi_call_advance(call, time_ps);
        mpi_call_settle(call);
    }
}
