/* knowledge.c - what ranks know of each other, for checks: whether something that one rank has done is certain to be
 * over when another one does something. The clocks of choices.h tell, once a rank has a component in them. */
#include "mpi/watch/choices.h"

bool mpi_knowledge_follow(MpiRank *rank)
{
    return mpi_choices_of(rank->world) && mpi_choices_follow(mpi_chooser_of(rank));
}

uint32_t mpi_knowledge_step(const MpiRank *rank)
{
    return mpi_choices_see(mpi_chooser_of(rank));
}

uint32_t mpi_knowledge_next(const MpiRank *rank)
{
    return mpi_chooser_of(rank)->seen + 1;
}

bool mpi_knowledge_has(const MpiRank *rank, uint32_t other, uint32_t step)
{
    const MpiChooser *chooser = mpi_chooser_of(rank), *of = &chooser->choices->choosers[other];
    return chooser == of || of->slot < 0 || chooser->slot < 0 ||
           mpi_clock_at(chooser->clock, (uint32_t)of->slot).seen >= step;
}

void mpi_knowledge_hear(const MpiRank *rank, uint32_t other)
{
    MpiChooser *chooser = mpi_chooser_of(rank), *from = &chooser->choices->choosers[other];
    mpi_choices_see(from);
    mpi_clock_merge(&chooser->clock, from->clock);
}

void mpi_knowledge_give(const MpiRank *rank, MpiClock **clock)
{
    mpi_clock_merge(clock, mpi_chooser_of(rank)->clock);
}

void mpi_knowledge_take(const MpiRank *rank, MpiClock *clock)
{
    mpi_clock_merge(&mpi_chooser_of(rank)->clock, clock);
}
