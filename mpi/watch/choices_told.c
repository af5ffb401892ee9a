/* choices_told.c - reports choices and their alternatives, for exploring (machine/explore/explorer.c). Also tells the
 * machine about loops that only wait (machine/run/polling.c). */
#include "mpi/core/matcher.h"
#include "mpi/core/places.h"
#include "mpi/core/world.h"
#include "mpi/watch/choices.h"

static MpiDecision *made(const MpiWorld *world, size_t i)
{
    const MpiChoices *choices = mpi_choices_of(world);
    g_assert(choices && i < choices->made->len);
    return choices->made->pdata[i];
}

size_t mpi_world_choices(const MpiWorld *world)
{
    const MpiChoices *choices = mpi_choices_of(world);
    return choices ? choices->made->len : 0;
}

MpiChoice mpi_world_choice(const MpiWorld *world, size_t i)
{
    const MpiDecision *decision = made(world, i);
    return (MpiChoice){decision->chooser->rank->index, decision->number, decision->sort, decision->taken};
}

size_t mpi_world_alternatives(const MpiWorld *world, size_t i)
{
    const MpiDecision *decision = made(world, i);
    return decision->others ? decision->others->len : 0;
}

int64_t mpi_world_alternative(const MpiWorld *world, size_t i, size_t alternative)
{
    return g_array_index(made(world, i)->others, MpiOther, alternative).taken;
}

bool mpi_world_choice_after(const MpiWorld *world, size_t i, size_t j)
{
    g_assert(i < j);
    return mpi_choice_after(made(world, i), made(world, j));
}

/* -- loops that wait by polling: the machine finds out (machine/run/polling.c) --------------------- */

bool mpi_world_first_poll(const MpiWorld *world, uint32_t index)
{
    const MpiRank *rank = mpi_world_rank(world, index);
    const MpiBinding *binding = vm_rank_request(rank->process)->function->user;
    const MpiChoices *choices = mpi_choices_of(world);
    return choices && choices->keep && mpi_choices_is_poll(binding->function) &&
           !mpi_choices_dry_site(mpi_chooser_of(rank), mpi_place_in_program(rank->process), binding->function);
}

static uint64_t place_number(const MpiChooser *chooser, uint32_t pc)
{
    const MpiEnv *env = &chooser->rank->world->env;
    const MpiProgram *program = env->program ? env->program(env->user, chooser->rank->index) : NULL;
    return ((uint64_t)(program ? program->number : 0) << 32 | pc) + 1;
}

bool mpi_world_waits(MpiWorld *world, uint32_t index)
{
    MpiChooser *chooser = mpi_chooser_of(mpi_world_rank(world, index));
    MpiDrySite *site = mpi_choices_dry_site(chooser, chooser->last_poll_pc, chooser->last_poll);
    if (!site)
        return false;
    bool forced = site->forced && site->polls < MPI_DRY_POLLS;
    uint64_t place = place_number(chooser, site->pc);
    site->waits = true;
    site->forced = false;
    g_array_append_val(mpi_choices_of(world)->waiting, place);
    return forced;
}

size_t mpi_world_waiting_places(const MpiWorld *world, const uint64_t **places)
{
    *places = (const uint64_t *)mpi_choices_of(world)->waiting->data;
    return mpi_choices_of(world)->waiting->len;
}

uint64_t mpi_world_alternative_place(const MpiWorld *world, size_t i, size_t alternative)
{
    const MpiDecision *decision = made(world, i);
    bool nothing = g_array_index(decision->others, MpiOther, alternative).taken == MPI_CHOICE_NOTHING;
    return nothing ? place_number(decision->chooser, decision->pc) : 0;
}

void mpi_world_companions(const MpiWorld *world, size_t i, size_t alternative, GArray *forced)
{
    const MpiDecision *decision = made(world, i);
    if (decision->sort == MPI_CHOICE_AFTER)
        mpi_choice_companions(decision, mpi_world_alternative(world, i, alternative), forced);
}

void mpi_world_describe_choice(const MpiWorld *world, size_t i, GString *out)
{
    mpi_choice_describe(made(world, i), out);
}

/* Gets the first forced choice that is not made although the rank has come to it. Returns false if there is none. */
static bool is_open(const MpiChooser *chooser, MpiChoice *choice)
{
    *choice = (MpiChoice){.rank = chooser->rank->index, .taken = chooser->now, .number = chooser->now_number};
    if (choice->number && choice->taken != MPI_CHOICE_FREE)
        return true;
    for (MpiItem *item = chooser->forces ? chooser->oldest : NULL; item; item = item->next) {
        const MpiTrail *trail = g_hash_table_lookup(chooser->choices->trails, item);
        if (trail && trail->forced != MPI_CHOICE_FREE && trail->forced != MPI_CHOICE_PATIENT) {
            choice->taken = trail->forced;
            choice->number = trail->number;
            return true;
        }
    }
    return false;
}

bool mpi_world_missed_choice(const MpiWorld *world, MpiChoice *choice)
{
    const MpiChoices *choices = mpi_choices_of(world);
    for (uint32_t i = 0; choices && i < world->n_ranks; i++) {
        const MpiChooser *chooser = &choices->choosers[i];
        if (is_open(chooser, choice))
            return true;
        if (choices->missed_rank == i || chooser->n_forced) {
            *choice =
                choices->missed_rank == i ? (MpiChoice){.rank = i, .number = choices->missed_number} : *chooser->forced;
            return true;
        }
    }
    return false;
}
