/* choice_seed.c - --seed: makes the choices that MPI leaves open by random numbers, which depend on the seed alone.
 *
 * The speed of messages does not change. But a receive from any source may wait a while for other messages before it
 * takes one of those that have come. MPI_Waitany and MPI_Waitsome may wait a while for other requests and report any of
 * them. A poll may miss what has come (a few times only, so that every polling loop ends). Any MPI library may do all
 * this (MPI-3.1 sections 3.5 and 3.7.5). The length of such a wait depends on how long the message was under way or the
 * call had to wait. So a program sees the same disorder on a fast machine and on a slow one. */
#include "mpi/core/call.h"
#include "mpi/core/hooks.h"
#include "mpi/core/matcher.h"
#include "mpi/core/threads.h"
#include "mpi/core/world.h"
#include "mpi/p2p/p2p.h"
#include "mpi/watch/choices.h"

#include "base/random.h"
#include "netsim/netsim.h"

enum { MISSES = 3 }; /* misses of a poll in a row */

unsigned mpi_choices_random(MpiChooser *chooser, unsigned n)
{
    uint64_t x = chooser->seed ^ (chooser->rank->stats.calls + 1) * UINT64_C(0xd1342543de82ef95);
    return (unsigned)(base_random_scramble(x) % n);
}

static bool hides(MpiWorld *world, MpiCall *call)
{
    (void)world;
    MpiChooser *chooser = mpi_chooser_of(call->rank);
    return chooser->seed && chooser->now == MPI_CHOICE_FREE && call->engine.idle_polls < MISSES &&
           mpi_choices_random(chooser, 4) == 0;
}

/* -- receives ---------------------------------------------------------------------------------- */

int64_t mpi_choices_seeded(const MpiMatcher *matcher, MpiKey key)
{
    int64_t source = MPI_CHOICE_FREE;
    MpiChooser *chooser = mpi_chooser_of_matcher(matcher);
    unsigned n = chooser->seed ? mpi_forced_sources(matcher, key, 0, &source) : 0;
    if (n > 1)
        mpi_forced_sources(matcher, key, mpi_choices_random(chooser, n), &source);
    return source;
}

/* An alarm's cookie has the rank and the number of the receive. It is odd, while the cookies of operations are
 * addresses. */
static void ask_alarm(MpiRank *rank, uint64_t time_ps, uint32_t number)
{
    const MpiEnv *env = &rank->world->env;
    env->alarm(env->user, rank->index, time_ps, ((uint64_t)rank->index << 32 | number) << 1 | 1);
}

static MpiTrail *patient_trail(const MpiRank *rank, const MpiItem *receive)
{
    MpiTrail *trail = receive ? g_hash_table_lookup(mpi_choices_of(rank->world)->trails, receive) : NULL;
    return trail && trail->forced == MPI_CHOICE_PATIENT ? trail : NULL;
}

/* A message without a receive has arrived. If a patient receive holds it, starts the alarm that ends the wait. */
static void note_arrived(MpiWorld *world, MpiMessage *message, MpiRequest *receive, uint64_t time_ps)
{
    MpiRank *rank = mpi_world_rank(world, message->to);
    MpiChooser *chooser = mpi_chooser_of(rank);
    if (receive || !chooser->forces)
        return;
    const MpiTrail *trail = patient_trail(rank, mpi_forced_holder(&rank->matcher, &message->item));
    if (!trail || chooser->waits_for == trail->number)
        return;
    chooser->waits_for = trail->number;
    ask_alarm(rank, time_ps + (time_ps - message->sent_ps) * mpi_choices_random(chooser, 4), trail->number);
}

static MpiItem *find_patient(const MpiRank *rank, uint32_t number)
{
    for (MpiItem *item = mpi_chooser_of(rank)->oldest; item; item = item->next) {
        const MpiTrail *trail = patient_trail(rank, item);
        if (trail && trail->number == number)
            return item;
    }
    return NULL;
}

/* A patient receive has waited long enough. Chooses one of the messages that it holds. */
static void stop_looking(MpiRank *rank, uint32_t number, uint64_t time_ps)
{
    MpiItem *receive = find_patient(rank, number);
    int64_t source = MPI_CHOICE_FREE;
    if (!receive)
        return;
    unsigned n = mpi_forced_held(&rank->matcher, receive, 0, &source);
    if (n > 1)
        mpi_forced_held(&rank->matcher, receive, mpi_choices_random(mpi_chooser_of(rank), n), &source);
    patient_trail(rank, receive)->forced = source;
    mpi_transfer_release(rank, time_ps);
}

/* -- calls among requests ---------------------------------------------------------------------- */

/* Alarms for receives have the numbers of trails, which are small. */
#define ALARM_FOR_CALL UINT32_C(0x80000000) /* | the thread that makes it */

static void wait_until(MpiCall *call, uint64_t time_ps)
{
    call->engine.waiting = 1;
    call->engine.lingers = true;
    ask_alarm(call->rank, time_ps, ALARM_FOR_CALL | call->thread);
}

static bool lingers(MpiWorld *world, MpiCall *call)
{
    (void)world;
    MpiChooser *chooser = mpi_chooser_of(call->rank);
    if (!chooser->seed || !chooser->now_number || chooser->now != MPI_CHOICE_FREE || chooser->lingered)
        return false;
    uint64_t longer = (call->now - call->entered_ps) * mpi_choices_random(chooser, 3);
    chooser->lingered = true;
    if (!longer)
        return false;
    mpi_transfer_progress(call);
    wait_until(call, call->now + longer);
    return true;
}

/* Delays a poll at random, so that it may find what has not come yet. */
static bool delays(MpiWorld *world, MpiCall *call)
{
    (void)world;
    MpiChooser *chooser = mpi_chooser_of(call->rank);
    const MpiParams *params = &call->world->params;
    uint64_t step = params->send_overhead.ps + params->recv_overhead.ps + params->call_overhead_ps;
    if (!chooser->seed || !mpi_choices_is_poll(call->function) || call->engine.idle_polls || !step ||
        mpi_choices_random(chooser, 3))
        return false;
    chooser->lingered = true;
    wait_until(call, call->now + step * (1 + mpi_choices_random(chooser, 24) / 3));
    return true;
}

static void go_on(MpiRank *rank, uint32_t thread, uint64_t time_ps)
{
    MpiCall *call = mpi_threads_blocked(rank, thread);
    if (!call || !call->engine.lingers || !call->engine.waiting)
        return;
    call->engine.waiting = 0;
    call->engine.lingers = false;
    mpi_call_advance(call, time_ps);
    mpi_call_settle(call);
}

/* The wait of a receive, or of a call among requests, is over. It takes what there is now. */
static void note_alarm(MpiWorld *world, uint64_t cookie, uint64_t time_ps)
{
    MpiRank *rank = mpi_world_rank(world, (uint32_t)(cookie >> 33));
    uint32_t number = (uint32_t)(cookie >> 1);
    if (number & ALARM_FOR_CALL)
        go_on(rank, number & ~ALARM_FOR_CALL, time_ps);
    else
        stop_looking(rank, number, time_ps);
}

void mpi_choice_seed_hooks(MpiHooks *hooks)
{
    hooks->delay = delays;
    hooks->linger = lingers;
    hooks->hide = hides;
    hooks->arrived = note_arrived;
    hooks->alarm = note_alarm;
}
