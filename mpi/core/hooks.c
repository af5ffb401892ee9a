/* hooks.c - who listens where (hooks.h): lists of functions by row of hooks.def, and the loops over them. */
#include "mpi/core/hooks.h"
#include "mpi/core/core.h"

#include <string.h>

/* Bits of world->listening: rows that only the general way of a send comes by. */
#define WAY_GENERAL UINT64_C(1)
#define WAY_BOTH    UINT64_C(0)

static const uint64_t general_only = 0
#define MPI_POINT(name, way, parameters, arguments)                     | WAY_##way << MPI_HOOK_##name
#define MPI_QUESTION(name, way, type, otherwise, parameters, arguments) | WAY_##way << MPI_HOOK_##name
#include "mpi/core/hooks.def"
    ;

_Static_assert(MPI_HOOK_COUNT <= 64, "rows are bits of a word");
_Static_assert(sizeof(MpiHooks) == MPI_HOOK_COUNT * sizeof(MpiHook), "hooks are an array of functions");

void mpi_hooks_add(MpiWorld *world, const MpiHooks *hooks)
{
    MpiHook each[MPI_HOOK_COUNT];
    memcpy(each, hooks, sizeof each);
    for (unsigned row = 0; row < MPI_HOOK_COUNT; row++) {
        MpiHook **list = &world->listeners[row];
        size_t n = 0;
        if (!each[row])
            continue;
        while (*list && (*list)[n])
            n++;
        *list = g_renew(MpiHook, *list, n + 2);
        (*list)[n] = each[row];
        (*list)[n + 1] = NULL;
        world->listening |= UINT64_C(1) << row;
    }
}

bool mpi_hooks_close_short_way(const MpiWorld *world)
{
    return world->listening & general_only;
}

void mpi_hooks_clear(MpiWorld *world)
{
    for (unsigned row = 0; row < MPI_HOOK_COUNT; row++)
        g_clear_pointer(&world->listeners[row], g_free);
    world->listening = 0;
}

#define MPI_POINT(name, way, parameters, arguments)                                                                    \
    void mpi_hooks_tell_##name parameters                                                                              \
    {                                                                                                                  \
        for (MpiHook *hook = world->listeners[MPI_HOOK_##name]; *hook; hook++)                                         \
            ((void(*) parameters) * hook) arguments;                                                                   \
    }
#define MPI_QUESTION(name, way, type, otherwise, parameters, arguments)                                                \
    type mpi_hooks_ask_##name parameters                                                                               \
    {                                                                                                                  \
        type answer = otherwise;                                                                                       \
        for (MpiHook *hook = world->listeners[MPI_HOOK_##name]; *hook && answer == otherwise; hook++)                  \
            answer = ((type(*) parameters) * hook) arguments;                                                          \
        return answer;                                                                                                 \
    }
#include "mpi/core/hooks.def"
