/* choices_collectives.c - causality through collectives: members that provide data pass their knowledge to those that
 * get data (see choices.h). The internal messages of collectives make no choices. */
#include "mpi/collective/schedule.h"
#include "mpi/core/call.h"
#include "mpi/core/hooks.h"
#include "mpi/p2p/p2p.h"
#include "mpi/watch/choices.h"

/* Whether this rank provides data, and whether it gets data. This follows from the meaning of the collective, not from
 * its algorithm. */
static bool gives(const MpiSchedule *schedule)
{
    switch (schedule->algorithm->collective) {
    case MPI_COLLECTIVE_BCAST:
    case MPI_COLLECTIVE_SCATTER:
    case MPI_COLLECTIVE_SCATTERV: return schedule->plan.remote || schedule->plan.rank == schedule->plan.root;
    default: return true;
    }
}

static bool takes(const MpiSchedule *schedule)
{
    switch (schedule->algorithm->collective) {
    case MPI_COLLECTIVE_REDUCE:
    case MPI_COLLECTIVE_GATHER:
    case MPI_COLLECTIVE_GATHERV: return schedule->plan.remote || schedule->plan.rank == schedule->plan.root;
    default: return true;
    }
}

void mpi_choices_schedule_merge(MpiChoices *choices, MpiSchedule *schedule, MpiClock *clock)
{
    MpiClock *had = mpi_clock_ref(g_hash_table_lookup(choices->schedules, schedule));
    g_hash_table_remove(choices->schedules, schedule);
    mpi_clock_merge(&had, clock);
    if (had)
        g_hash_table_insert(choices->schedules, schedule, had);
}

static void note_begun(MpiWorld *world, MpiCall *call, MpiSchedule *schedule)
{
    MpiChoices *choices = mpi_choices_of(world);
    if (choices->track && gives(schedule))
        mpi_choices_schedule_merge(choices, schedule, mpi_chooser_of(call->rank)->clock);
}

static void note_ended(MpiWorld *world, MpiCall *call, MpiSchedule *schedule, MpiRequest *request)
{
    MpiChooser *chooser = mpi_chooser_of(call->rank);
    const MpiChoices *choices = mpi_choices_of(world);
    MpiClock *clock = g_hash_table_lookup(choices->schedules, schedule);
    if (!choices->track || !takes(schedule))
        return;
    if (request) {
        mpi_clock_merge(&mpi_choices_trail(request)->arrived, clock);
        return;
    }
    mpi_clock_merge(&chooser->clock, clock);
    mpi_choices_see(chooser);
}

static void note_gone(MpiWorld *world, MpiSchedule *schedule)
{
    g_hash_table_remove(mpi_choices_of(world)->schedules, schedule);
}

void mpi_choices_collectives_hooks(MpiHooks *hooks)
{
    hooks->collective_begun = note_begun;
    hooks->collective_ended = note_ended;
    hooks->collective_gone = note_gone;
}
