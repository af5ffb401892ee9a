/* wait_cuts.c - divides stretches of waiting by the timelines of messages, and names the causes. */
#include "mpi/watch/wait_cuts.h"

#include "mpi/core/world.h"

#include <string.h>

/* -- names ------------------------------------------------------------------------------------- */

static const struct {
    const char *name, *help;
} rows[] = {
#define MPI_WAIT_CAUSE(identifier, name, help) {name, help},
#include "mpi/waits.def"
};

const char *mpi_wait_name(MpiWaitCause cause)
{
    return rows[cause].name;
}

const char *mpi_wait_help(MpiWaitCause cause)
{
    return rows[cause].help;
}

bool mpi_wait_find(const char *name, MpiWaitCause *cause)
{
    for (unsigned i = 0; i < MPI_WAIT_CAUSES; i++) {
        if (strcmp(rows[i].name, name) != 0)
            continue;
        *cause = (MpiWaitCause)i;
        return true;
    }
    return false;
}

/* -- parts and sums ----------------------------------------------------------------------------- */

static bool goes_on(const MpiWait *last, const MpiWait *part)
{
    return last->to_ps == part->from_ps && last->cause == part->cause && last->peer == part->peer &&
           last->message == part->message;
}

/* Returns the sum of a cause; NULL: there is no room for it. */
static MpiWaitSum *sum_of(MpiWaitSums *sums, MpiWaitCause cause)
{
    unsigned i = 0;
    while (i < sums->n && sums->of_cause[i].cause != cause)
        i++;
    if (i < sums->n)
        return &sums->of_cause[i];
    if (i == G_N_ELEMENTS(sums->of_cause))
        return NULL;
    sums->of_cause[i] = (MpiWaitSum){.cause = cause};
    sums->n++;
    return &sums->of_cause[i];
}

static void add_to_sum(MpiWaitSum *sum, const MpiWait *part)
{
    sum->ps += part->to_ps - part->from_ps;
    if (goes_on(&sum->last, part))
        sum->last.to_ps = part->to_ps;
    else
        sum->last = *part;
    if (sum->last.to_ps - sum->last.from_ps > sum->longest.to_ps - sum->longest.from_ps)
        sum->longest = sum->last;
}

static void add_part(MpiWaitCut *cut, const MpiWait *part)
{
    if (!*cut->parts)
        *cut->parts = g_array_new(FALSE, FALSE, sizeof(MpiWait));
    GArray *parts = *cut->parts;
    MpiWait *last = parts->len ? &g_array_index(parts, MpiWait, parts->len - 1) : NULL;
    if (last && goes_on(last, part))
        last->to_ps = part->to_ps;
    else
        g_array_append_vals(parts, part, 1);
}

/* All up to until_ps, as far as it is not divided yet, has this cause. */
void mpi_wait_cut(MpiWaitCut *cut, uint64_t until_ps, MpiWaitCause cause)
{
    until_ps = MIN(until_ps, cut->end_ps);
    if (until_ps <= cut->at_ps)
        return;
    MpiWait part = {cut->at_ps, until_ps, cause, cut->peer, cut->message, 0};
    MpiWaitSum *sum = cut->sums && cause != MPI_WAIT_CAUSES ? sum_of(cut->sums, cause) : NULL;
    if (sum)
        add_to_sum(sum, &part);
    else
        add_part(cut, &part);
    cut->at_ps = until_ps;
}

/* Bytes are in the network from sent_ps on, until what happened; then others than the rank have worked on them. */
void mpi_wait_cut_transfer(const MpiWorld *world, MpiWaitCut *at, const MpiWaitReason *reason, uint64_t sent_ps,
                           uint64_t bytes)
{
    const MpiEnv *env = &world->env;
    if (!sent_ps) { /* a protocol has sent it in pieces */
        mpi_wait_cut(at, NEVER, MPI_WAIT_TRANSFER);
        return;
    }
    if (env->quiet_ps && at->end_ps > at->at_ps) {
        uint64_t quiet_ps =
            env->quiet_ps(env->user, reason->from, reason->to, bytes + world->params.envelope_bytes, reason->leaves);
        mpi_wait_cut(at, quiet_ps == NEVER ? reason->came_ps : MIN(sent_ps + quiet_ps, reason->came_ps),
                     MPI_WAIT_TRANSFER);
    }
    mpi_wait_cut(at, reason->came_ps,
                 reason->daemon  ? MPI_WAIT_HANDSHAKE
                 : env->quiet_ps ? MPI_WAIT_CONTENTION
                                 : MPI_WAIT_TRANSFER);
    mpi_wait_cut(at, reason->time_ps, MPI_WAIT_PROCESSOR);
    mpi_wait_cut(at, NEVER, MPI_WAIT_HANDSHAKE);
}

/* A request to send or a permission is in the network. */
static void cut_control(const MpiWorld *world, MpiWaitCut *at, uint32_t from, uint32_t to, uint64_t sent_ps,
                        uint64_t until_ps)
{
    const MpiEnv *env = &world->env;
    if (env->quiet_ps && MIN(until_ps, at->end_ps) > at->at_ps) {
        uint64_t quiet_ps = env->quiet_ps(env->user, from, to, world->params.envelope_bytes, false);
        if (quiet_ps != NEVER && sent_ps + quiet_ps < until_ps) {
            mpi_wait_cut(at, sent_ps + quiet_ps, MPI_WAIT_HANDSHAKE);
            mpi_wait_cut(at, until_ps, MPI_WAIT_CONTENTION);
        }
    }
    mpi_wait_cut(at, until_ps, MPI_WAIT_HANDSHAKE);
}

/* The receiver has waited. */
static void cut_receiver(const MpiWorld *world, MpiWaitCut *at, const MpiWaitReason *reason, MpiWaitSides sides)
{
    const MpiWaitTimes *times = &reason->times;
    if (!reason->rendezvous) {
        mpi_wait_cut(at, reason->sent_ps, sides.sender);
        mpi_wait_cut_transfer(world, at, reason, reason->sent_ps, reason->bytes);
        return;
    }
    mpi_wait_cut(at, times->request_sent_ps, sides.sender);
    cut_control(world, at, reason->from, reason->to, times->request_sent_ps, times->request_delivered_ps);
    mpi_wait_cut(at, times->permission_sent_ps, MPI_WAIT_HANDSHAKE);
    cut_control(world, at, reason->to, reason->from, times->permission_sent_ps, times->permission_delivered_ps);
    mpi_wait_cut(at, times->data_began_ps, sides.sender);
    mpi_wait_cut(at, times->data_sent_ps, MPI_WAIT_HANDSHAKE);
    mpi_wait_cut_transfer(world, at, reason, times->data_sent_ps, reason->bytes);
}

/* The sender has waited. */
static void cut_sender(const MpiWorld *world, MpiWaitCut *at, const MpiWaitReason *reason, MpiWaitSides sides)
{
    const MpiWaitTimes *times = &reason->times;
    if (reason->rendezvous) {
        cut_control(world, at, reason->from, reason->to, times->request_sent_ps, times->request_delivered_ps);
        mpi_wait_cut(at, times->answer_began_ps, sides.receiver);
        mpi_wait_cut(at, times->permission_sent_ps, MPI_WAIT_HANDSHAKE);
        cut_control(world, at, reason->to, reason->from, times->permission_sent_ps, times->permission_delivered_ps);
        mpi_wait_cut(at, times->data_sent_ps, MPI_WAIT_HANDSHAKE);
    }
    mpi_wait_cut_transfer(world, at, reason, reason->sent_ps, reason->bytes);
}

void mpi_wait_cut_message(const MpiWorld *world, MpiWaitCut *at, const MpiWaitReason *reason, uint32_t rank,
                          MpiWaitSides sides)
{
    at->peer = reason->from == rank && reason->to != rank ? reason->to : reason->from;
    at->message = reason->id;
    if (reason->leaves || (reason->from == rank && reason->to != rank))
        cut_sender(world, at, reason, sides);
    else
        cut_receiver(world, at, reason, sides);
}
