/* choosers.c - the choosers of all ranks (choices.h): how they begin, also for ranks that come during the run. */
#include "mpi/watch/choices.h"

void mpi_chooser_init(MpiChoices *choices, uint32_t index)
{
    MpiWorld *world = choices->world;
    MpiChooser *chooser = &choices->choosers[index];
    *chooser = (MpiChooser){.rule = mpi_forced_rule,
                            .choices = choices,
                            .rank = &world->ranks[index],
                            .forces = choices->forces,
                            .slot = -1,
                            .now = MPI_CHOICE_FREE,
                            .forced = chooser->forced, /* may have been shared out before the rank came */
                            .n_forced = chooser->n_forced};
    if (world->params.seed)
        chooser->seed = world->params.seed * UINT64_C(0x9e3779b97f4a7c15) + index + 1;
    if (choices->forces)
        world->ranks[index].matcher.rule = &chooser->rule;
}

void mpi_chooser_came(MpiRank *rank)
{
    MpiChoices *choices = mpi_choices_of(rank->world);
    if (choices)
        mpi_chooser_init(choices, rank->index);
}

void mpi_choosers_share_out(MpiChoices *choices, const GArray *forced)
{
    for (guint i = 0; forced && i < forced->len; i++) {
        const MpiChoice *choice = &g_array_index(forced, MpiChoice, i);
        MpiChooser *chooser = choice->rank < choices->world->room ? &choices->choosers[choice->rank] : NULL;
        if (chooser && !chooser->n_forced++)
            chooser->forced = choice;
    }
}

void mpi_chooser_clear(MpiChooser *chooser)
{
    mpi_clock_unref(chooser->clock);
    g_clear_pointer(&chooser->unseen, g_ptr_array_unref);
    g_clear_pointer(&chooser->decisions, g_ptr_array_unref);
    g_clear_pointer(&chooser->dry, g_array_unref);
}
