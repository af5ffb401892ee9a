/* hooks.h - the interface of features that watch a run: one table of hooks (hooks.def) and one table of parts.
 *
 * The code for calls and messages does what MPI does. At named points it tells the listeners, or asks them. Checks,
 * choices and the like are *parts* (mpi/parts.c). When a world is made, each part looks whether it is on, and only then
 * adds its hooks. So core/ and the rooms of messages name no feature. A point without listeners costs one test of a
 * bit.
 *
 * Hooks at points change nothing that the program or its clock can see. Where LOCAL calls tell them (spent, left_local,
 * buffer, extent), they may run on the thread that runs the rank. All others run on the main thread. */
#ifndef ORRERY_MPI_HOOKS_H
#define ORRERY_MPI_HOOKS_H

#include "mpi/core/world.h"

/* The callbacks of a feature; NULL: it does not listen there. */
typedef struct MpiHooks {
#define MPI_POINT(name, way, parameters, arguments)                     void(*name) parameters;
#define MPI_QUESTION(name, way, type, otherwise, parameters, arguments) type(*name) parameters;
#include "mpi/core/hooks.def"
} MpiHooks;

/* The short ways of messages, as bits, and which of them miss a row of hooks.def. */
typedef enum MpiWay { MPI_WAY_SHORT_SEND = 1, MPI_WAY_SHORT_RECEIVE = 2 } MpiWay;
enum { /* the column `way` */
       MPI_WAY_GENERAL = MPI_WAY_SHORT_SEND | MPI_WAY_SHORT_RECEIVE,
       MPI_WAY_SEND = MPI_WAY_SHORT_RECEIVE,
       MPI_WAY_BOTH = 0
};

/* Adds callbacks behind those that were added before. The struct is copied. The second function is for features that
 * need to know no more of messages on their short ways than what sent_plainly, posted_plainly and matched_plainly
 * tell. */
void mpi_hooks_add(MpiWorld *world, const MpiHooks *hooks);
void mpi_hooks_add_short(MpiWorld *world, const MpiHooks *hooks);
/* From now on all messages go the general way. */
void mpi_hooks_close_short(MpiWorld *world);
void mpi_hooks_clear(MpiWorld *world);

/* Calls all listeners, or asks them one after the other. Use mpi_tell_NAME() and mpi_ask_NAME() instead, which first
 * look whether there are any. */
#define MPI_POINT(name, way, parameters, arguments)                     void mpi_hooks_tell_##name parameters;
#define MPI_QUESTION(name, way, type, otherwise, parameters, arguments) type mpi_hooks_ask_##name parameters;
#include "mpi/core/hooks.def"

/* mpi_listens_NAME(): whether there is a listener. mpi_tell_NAME() and mpi_ask_NAME(): see hooks.def. */
#define MPI_POINT(name, way, parameters, arguments)                                                                    \
    static inline bool mpi_listens_##name(const MpiWorld *world)                                                       \
    {                                                                                                                  \
        return mpi_hook_rows_have(world->listening, MPI_HOOK_##name);                                                  \
    }                                                                                                                  \
    static inline void mpi_tell_##name parameters                                                                      \
    {                                                                                                                  \
        if (G_UNLIKELY(mpi_listens_##name(world)))                                                                     \
            mpi_hooks_tell_##name arguments;                                                                           \
    }
#define MPI_QUESTION(name, way, type, otherwise, parameters, arguments)                                                \
    static inline bool mpi_listens_##name(const MpiWorld *world)                                                       \
    {                                                                                                                  \
        return mpi_hook_rows_have(world->listening, MPI_HOOK_##name);                                                  \
    }                                                                                                                  \
    static inline type mpi_ask_##name parameters                                                                       \
    {                                                                                                                  \
        return G_UNLIKELY(mpi_listens_##name(world)) ? mpi_hooks_ask_##name arguments : otherwise;                     \
    }
#include "mpi/core/hooks.def"

/* Whether a listener of the row does not allow short ways. */
static inline bool mpi_hooks_mind(const MpiWorld *world, unsigned row)
{
    return mpi_hook_rows_have(world->general, row);
}
/* Whether no listener needs the general way of a send, or of a receive. */
static inline bool mpi_hooks_leave_short_send(const MpiWorld *world)
{
    return !(world->closed & MPI_WAY_SHORT_SEND);
}
/* Whether anybody listens at a point that the short way of a send does not pass, be it that he allows it. */
static inline bool mpi_hooks_follow_calls(const MpiWorld *world)
{
    return world->heard & MPI_WAY_SHORT_SEND;
}
/* Whether nobody listens at a point that a short way does not pass, and none of them is closed. */
static inline bool mpi_hooks_hear_nothing(const MpiWorld *world)
{
    return !(world->heard | world->closed);
}
static inline bool mpi_hooks_leave_short_receive(const MpiWorld *world)
{
    return !(world->closed & MPI_WAY_SHORT_RECEIVE);
}

struct MpiPlainCall {
    const MpiRank *rank;
    uint32_t function, pc; /* row of functions.def; location of the call in the program */
    const uint64_t *args;
    uint64_t from_ps, to_ps, overhead_ps; /* the rest of the time it waited */
};

/* -- parts ------------------------------------------------------------------------------------- */

/* A feature that watches a run. Any function may be NULL. */
struct MpiPart {
    void (*begin)(MpiWorld *world);                  /* a world has been made; adds hooks if the feature is on */
    void (*came)(MpiRank *rank);                     /* a rank has come during the run */
    void (*exited)(MpiRank *rank, uint64_t time_ps); /* the process has ended, not by a fault */
    void (*report)(MpiWorld *world);                 /* adds findings; called before findings are reported for the
                                                      * first time */
    void (*end)(MpiWorld *world);                    /* adds findings of a run that came to its end; called after all
                                                      * report() */
};

#endif
