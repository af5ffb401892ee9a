/* hooks.c - the listeners of each row of hooks.def (hooks.h), and the loops that call them. */
#include "mpi/core/hooks.h"
#include "mpi/core/call.h"
#include "mpi/core/world.h"

#include <string.h>

_Static_assert(sizeof(MpiHooks) == MPI_HOOK_COUNT * sizeof(MpiHook), "hooks are an array of functions");

/* The short ways that miss a row. */
static const uint8_t missed_by[] = {
#define MPI_POINT(name, way, parameters, arguments)                     MPI_WAY_##way,
#define MPI_QUESTION(name, way, type, otherwise, parameters, arguments) MPI_WAY_##way,
#include "mpi/core/hooks.def"
};

void mpi_hooks_add_short(MpiWorld *world, const MpiHooks *hooks)
{
    MpiHook each[MPI_HOOK_COUNT];
    memcpy(each, hooks, sizeof each);
    if (!world->listeners)
        world->listeners = g_new0(MpiHook *, MPI_HOOK_COUNT);
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
        mpi_hook_rows_add(world->listening, row);
        world->heard |= missed_by[row];
    }
}

void mpi_hooks_add(MpiWorld *world, const MpiHooks *hooks)
{
    MpiHook each[MPI_HOOK_COUNT];
    memcpy(each, hooks, sizeof each);
    for (unsigned row = 0; row < MPI_HOOK_COUNT; row++) {
        if (!each[row])
            continue;
        mpi_hook_rows_add(world->general, row);
        world->closed |= missed_by[row];
    }
    mpi_hooks_add_short(world, hooks);
}

void mpi_hooks_close_short(MpiWorld *world)
{
    memset(world->general, 0xff, sizeof world->general);
    world->closed = MPI_WAY_GENERAL;
}

void mpi_hooks_clear(MpiWorld *world)
{
    memset(world->listening, 0, sizeof world->listening);
    memset(world->general, 0, sizeof world->general);
    world->closed = world->heard = 0;
    for (unsigned row = 0; world->listeners && row < MPI_HOOK_COUNT; row++)
        g_free(world->listeners[row]);
    g_clear_pointer(&world->listeners, g_free);
}

#define MPI_POINT(name, way, parameters, arguments)                                                                    \
    static G_GNUC_NO_INLINE void tell_each_##name parameters                                                           \
    {                                                                                                                  \
        for (const MpiHook *hook = world->listeners[MPI_HOOK_##name]; *hook; hook++)                                   \
            ((void(*) parameters) * hook) arguments;                                                                   \
    }                                                                                                                  \
    void mpi_hooks_tell_##name parameters                                                                              \
    {                                                                                                                  \
        const MpiHook *hook = world->listeners[MPI_HOOK_##name]; /* there is one */                                    \
        if (G_LIKELY(!hook[1]))                                                                                        \
            ((void(*) parameters) * hook) arguments; /* a mere jump */                                                 \
        else                                                                                                           \
            tell_each_##name arguments;                                                                                \
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
