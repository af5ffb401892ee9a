/* hooks.h - what watches a run hangs on one table of hooks (hooks.def), and what it keeps on one table of parts.
 *
 * The way of a message does what MPI does, and at named points tells whoever listens, or asks. Checks, choices and the
 * like are *parts* (mpi/parts.c): each looks, when a world is made, whether it is on, and only then adds its hooks. So
 * core/ and the rooms of messages name none of them; where nobody listens, a point costs one test of a pointer.
 *
 * Hooks at points change nothing that the program or its clock can see. They may hear of a rank on the thread that runs
 * it where LOCAL calls tell them (spent, left_local, threads_asked, buffer, extent), and else come from the main
 * thread. */
#ifndef ORRERY_MPI_HOOKS_H
#define ORRERY_MPI_HOOKS_H

#include "mpi/core/world.h"

/* What a feature listens to; NULL: not to that. */
typedef struct MpiHooks {
#define MPI_POINT(name, way, parameters, arguments)                     void(*name) parameters;
#define MPI_QUESTION(name, way, type, otherwise, parameters, arguments) type(*name) parameters;
#include "mpi/core/hooks.def"
} MpiHooks;

enum { /* the rows, in their order */
#define MPI_POINT(name, way, parameters, arguments)                     MPI_HOOK_##name,
#define MPI_QUESTION(name, way, type, otherwise, parameters, arguments) MPI_HOOK_##name,
#include "mpi/core/hooks.def"
       MPI_HOOK_COUNT
};

/* From now on the hooks are called, behind those that have been added before; they are copied. */
void mpi_hooks_add(MpiWorld *world, const MpiHooks *hooks);
void mpi_hooks_clear(MpiWorld *world);

/* Calls all who listen; asks them one after the other. For mpi_tell_NAME() and mpi_ask_NAME(), which first look whether
 * there are any. */
#define MPI_POINT(name, way, parameters, arguments)                     void mpi_hooks_tell_##name parameters;
#define MPI_QUESTION(name, way, type, otherwise, parameters, arguments) type mpi_hooks_ask_##name parameters;
#include "mpi/core/hooks.def"

/* mpi_listens_NAME(): whether anybody does. mpi_tell_NAME(), mpi_ask_NAME(): see hooks.def. */
#define MPI_POINT(name, way, parameters, arguments)                                                                    \
    static inline bool mpi_listens_##name(const MpiWorld *world)                                                       \
    {                                                                                                                  \
        return world->listening >> MPI_HOOK_##name & 1;                                                                \
    }                                                                                                                  \
    static inline void mpi_tell_##name parameters                                                                      \
    {                                                                                                                  \
        if (G_UNLIKELY(mpi_listens_##name(world)))                                                                     \
            mpi_hooks_tell_##name arguments;                                                                           \
    }
#define MPI_QUESTION(name, way, type, otherwise, parameters, arguments)                                                \
    static inline bool mpi_listens_##name(const MpiWorld *world)                                                       \
    {                                                                                                                  \
        return world->listening >> MPI_HOOK_##name & 1;                                                                \
    }                                                                                                                  \
    static inline type mpi_ask_##name parameters                                                                       \
    {                                                                                                                  \
        return G_UNLIKELY(mpi_listens_##name(world)) ? mpi_hooks_ask_##name arguments : otherwise;                     \
    }
#include "mpi/core/hooks.def"

/* Rows as bits: those that only the general way of a send comes by. */
#define MPI_HOOKS_WAY_GENERAL UINT64_C(1)
#define MPI_HOOKS_WAY_BOTH    UINT64_C(0)
static inline uint64_t mpi_hooks_general(void)
{
    return 0
#define MPI_POINT(name, way, parameters, arguments)                     | MPI_HOOKS_WAY_##way << MPI_HOOK_##name
#define MPI_QUESTION(name, way, type, otherwise, parameters, arguments) | MPI_HOOKS_WAY_##way << MPI_HOOK_##name
#include "mpi/core/hooks.def"
        ;
}

/* Whether nobody listens where only the general way of a send comes by. */
static inline bool mpi_hooks_leave_short_way(const MpiWorld *world)
{
    return !(world->listening & mpi_hooks_general());
}

/* -- parts ------------------------------------------------------------------------------------- */

/* A feature that watches; any function may be NULL. */
struct MpiPart {
    void (*begin)(MpiWorld *world);                  /* the world is made: adds its hooks if the feature is on */
    void (*exited)(MpiRank *rank, uint64_t time_ps); /* the process has ended, and not by a fault */
    void (*report)(MpiWorld *world);                 /* before findings are told for the first time */
    void (*end)(MpiWorld *world);                    /* the same where the run came to its end, after all report() */
};

#endif
