/* world.c - what names of communicators and states mean as sets of ranks of a stopped machine. */
#include "monitor/expression/expression.h"
#include "monitor/look.h"
#include "monitor/report/report.h"

#include <string.h>

typedef struct Meaning {
    Machine *machine;
    uint32_t current, frame;
} Meaning;

/* The handle that a variable of the rank, or an expression, has. */
static uint64_t handle_of(const Meaning *meaning, const char *text)
{
    MonSpot spot = {meaning->machine, meaning->current, meaning->frame};
    MonNumber number;
    g_autoptr(MonExpression) expression = mon_expression_new(&spot, text, NULL);
    bool good = expression && !mon_expression_changes(expression) && !mon_expression_calls(expression) &&
                mon_expression_number(expression, &spot, &number, NULL);
    return good ? (uint64_t)number.whole : 0;
}

static bool communicator(void *user, const char *text, MonRankSet *set, GError **error)
{
    const Meaning *meaning = user;
    const MpiWorld *world = mach_run_mpi(meaning->machine);
    uint32_t owner = meaning->current;
    uint64_t handle = mpi_world_find_comm(world, owner, text);
    g_autoptr(GArray) ranks = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    if (handle == 0)
        handle = handle_of(meaning, text);
    for (uint32_t rank = 0; handle == 0 && rank < mach_run_ranks(meaning->machine); rank++)
        if ((handle = mpi_world_find_comm(world, rank, text)))
            owner = rank; /* one that others are in */
    if (!mpi_world_comm_ranks(world, owner, handle, ranks)) {
        g_set_error(error, MON_ERROR, MON_ERROR_EXPRESSION,
                    handle ? "rank %u has no communicator '%s' yet: it has not called MPI_Init, or has freed it"
                           : "rank %u has no communicator '%s', nor has another",
                    owner, text);
        return false;
    }
    for (guint i = 0; i < ranks->len; i++)
        mon_ranks_add(set, g_array_index(ranks, uint32_t, i), g_array_index(ranks, uint32_t, i));
    return true;
}

static bool state(void *user, const char *name, MonRankSet *set)
{
    static const char *const names[] = BASE_CHOICE_NAMES(MACH_RANK_STATES);
    const Meaning *meaning = user;
    size_t wanted = 0;
    while (wanted < G_N_ELEMENTS(names) && names[wanted] && strcmp(names[wanted], name) != 0)
        wanted++;
    if (wanted == G_N_ELEMENTS(names) || !names[wanted])
        return false;
    for (uint32_t rank = 0; rank < mach_run_ranks(meaning->machine); rank++)
        if (mach_run_rank_state(meaning->machine, rank) == (MachRankState)wanted)
            mon_ranks_add(set, rank, rank);
    return true;
}

void mon_rank_world_of(Machine *machine, uint32_t current, uint32_t frame, const MonRankNames *names,
                       MonRankWorld *world)
{
    Meaning *meaning = g_new(Meaning, 1);
    *meaning = (Meaning){machine, current, frame};
    *world = (MonRankWorld){.ranks = mach_run_ranks(machine),
                            .current = current,
                            .names = names,
                            .communicator = communicator,
                            .state = state,
                            .user = meaning};
}

void mon_rank_world_clear(MonRankWorld *world)
{
    g_clear_pointer(&world->user, g_free);
}
