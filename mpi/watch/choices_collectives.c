/* choices_collectives.c - causality by way of collectives: whoever gives data to one tells those who take some what it
 * knows (see choices.h). Its messages meet by themselves and are no choices. */
#include "mpi/watch/choices.h"

/* Whose arguments reach others, and who hears of others: by the meaning of the collective, whatever its algorithm. */
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

void mpi_choices_schedule_begin(MpiCall *call, MpiSchedule *schedule)
{
    MpiChoices *choices = call->world->choices;
    if (choices->track && gives(schedule))
        mpi_choices_schedule_merge(choices, schedule, call->rank->matcher.chooser->clock);
}

void mpi_choices_schedule_end(MpiCall *call, MpiSchedule *schedule, MpiRequest *request)
{
    MpiChooser *chooser = call->rank->matcher.chooser;
    MpiClock *clock = g_hash_table_lookup(call->world->choices->schedules, schedule);
    if (!call->world->choices->track || !takes(schedule))
        return;
    if (request) {
        mpi_clock_merge(&mpi_choices_trail(request)->arrived, clock);
        return;
    }
    mpi_clock_merge(&chooser->clock, clock);
    mpi_choices_see(chooser);
}

void mpi_choices_schedule_free(MpiWorld *world, MpiSchedule *schedule)
{
    g_hash_table_remove(world->choices->schedules, schedule);
}
