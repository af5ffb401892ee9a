/* check_threads.c - reports calls of MPI by threads that the thread level does not allow (MPI-4.1 section 11.6), and
 * threads that get in each other's way at any level: collectives of one communicator at once, and MPI_Finalize.
 *
 * Two calls are at once if their times overlap. GLOBAL calls begin in the order of virtual time, so each is compared
 * with the calls of other threads that are in progress, and with the last one of each thread that is over. The order of
 * LOCAL calls is not known, and they are over at once: only who makes them is looked at. */
#include "mpi/comm/comm.h"
#include "mpi/core/call.h"
#include "mpi/core/findings.h"
#include "mpi/core/hooks.h"
#include "mpi/core/places.h"
#include "mpi/core/rank.h"
#include "mpi/core/slots.h"
#include "mpi/core/threads.h"
#include "mpi/core/world.h"

typedef struct Made { /* a call that a thread has made */
    uint64_t to_ps; /* when it ended; UINT64_MAX: not yet. One that functions of the program interrupt has not ended */
    const char *name;
    uint32_t pc;
    uint32_t context; /* of the communicator whose collective it is, if `collective` */
    bool collective;
} Made;

typedef struct Watch { /* what is known of a rank */
    GArray *last;      /* Made, by thread: its last GLOBAL call */
    const char *began; /* the call that set the thread level */
    uint32_t began_pc;
} Watch;

typedef struct Watches { /* of a world */
    uint32_t ranks;
    Watch of[];
} Watches;

static Watch *watch_of(const MpiRank *rank)
{
    Watches *watches = mpi_world_slot(rank->world, MPI_SLOT_THREADS);
    return &watches->of[rank->index];
}

static uint32_t threads_of(const Watch *watch)
{
    return watch->last ? watch->last->len : 0;
}

static Made *last_of(Watch *watch, uint32_t thread)
{
    if (!watch->last)
        watch->last = g_array_new(FALSE, TRUE, sizeof(Made));
    if (thread >= watch->last->len)
        g_array_set_size(watch->last, thread + 1);
    return &g_array_index(watch->last, Made, thread);
}

/* -- text -------------------------------------------------------------------------------------- */

static uint64_t thread_id(const MpiRank *rank, uint32_t thread)
{
    const MpiEnv *env = &rank->world->env;
    return env->thread_id ? env->thread_id(env->user, rank->index, thread) : thread + 1;
}

/* The level that counts: sessions and MPI_Init each set one. */
static int level_of(const MpiRank *rank)
{
    return MAX(rank->thread_level, rank->session_level);
}

static const char *level_name(const MpiRank *rank)
{
    return mpi_thread_levels[level_of(rank)];
}

/* Appends "MPI_Send at a.c:12". */
static void append_call(GString *out, const MpiRank *rank, const char *name, uint32_t pc)
{
    g_string_append_printf(out, "%s at ", name);
    mpi_append_place(out, rank->process, pc);
}

/* Appends where the level comes from. */
static void append_level(GString *out, const MpiRank *rank, const Watch *watch)
{
    g_string_append_printf(out, "; %s was set by ", level_name(rank));
    append_call(out, rank, watch->began ? watch->began : "MPI_Init", watch->began_pc);
    g_string_append_printf(out, " in thread %" G_GUINT64_FORMAT, thread_id(rank, rank->main_thread));
}

/* -- who calls --------------------------------------------------------------------------------- */

/* Functions that any thread may call at any time, and two clocks that hurt nobody. */
static bool is_free(const MpiCall *call)
{
    return mpi_function_is_always_allowed(call->function) || call->function == MPI_FUNCTION_Query_thread ||
           call->function == MPI_FUNCTION_Is_thread_main;
}

/* Returns false, and says so, if only the main thread may make this call. */
static bool thread_may_call(const MpiCall *call)
{
    const MpiRank *rank = call->rank;
    bool ends = call->function == MPI_FUNCTION_Finalize;
    if (call->thread == rank->main_thread || is_free(call))
        return true;
    if (level_of(rank) > MPI_THREAD_FUNNELED_ && !ends)
        return true;
    g_autoptr(GString) what = g_string_new(NULL);
    append_call(what, rank, call->name, call->pc);
    g_string_append(what, " is called by another thread than the main one");
    if (!ends)
        g_string_append_printf(what, ", which %s does not allow", level_name(rank));
    g_autoptr(GString) detail = g_string_new(NULL);
    g_string_append_printf(detail, "thread %" G_GUINT64_FORMAT " calls it", thread_id(rank, call->thread));
    append_level(detail, rank, watch_of(rank));
    mpi_finding_add(call->rank, MPI_CHECK_THREADS, call->entered_ps, what->str, detail->str,
                    ends ? "let the main thread call MPI_Finalize, when the others have made their last call"
                         : "ask MPI_Init_thread for a higher level, or leave calls of MPI to the main thread");
    return false;
}

static void left_local(MpiWorld *world, const MpiCall *call)
{
    (void)world;
    if (call->rank->threads)
        thread_may_call(call);
}

/* -- what is at once --------------------------------------------------------------------------- */

/* Returns the call of another thread, from number *thread on, during which this call began; NULL: there is none. */
static const Made *next_meanwhile(const MpiCall *call, uint32_t *thread)
{
    Watch *watch = watch_of(call->rank);
    for (uint32_t n = threads_of(watch); *thread < n; ++*thread) {
        const Made *made = last_of(watch, *thread);
        if (*thread != call->thread && made->name &&
            (made->to_ps > call->entered_ps || mpi_threads_call(call->rank, *thread)))
            return made;
    }
    return NULL;
}

static void tell_meanwhile(const MpiCall *call, const Made *made, uint32_t thread, const char *why, const char *fix)
{
    const MpiRank *rank = call->rank;
    g_autoptr(GString) what = g_string_new(NULL);
    append_call(what, rank, call->name, call->pc);
    g_string_append(what, " is called while another thread is in ");
    append_call(what, rank, made->name, made->pc);
    g_string_append(what, why);
    g_autoptr(GString) detail = g_string_new(NULL);
    g_string_append_printf(detail, "thread %" G_GUINT64_FORMAT " calls it while thread %" G_GUINT64_FORMAT " is there",
                           thread_id(rank, call->thread), thread_id(rank, thread));
    append_level(detail, rank, watch_of(rank));
    mpi_finding_add(call->rank, MPI_CHECK_THREADS, call->entered_ps, what->str, detail->str, fix);
}

static void look_at_others(const MpiCall *call)
{
    uint32_t thread = 0;
    bool ends = call->function == MPI_FUNCTION_Finalize;
    const Made *made = next_meanwhile(call, &thread);
    if (!made || (level_of(call->rank) == MPI_THREAD_MULTIPLE_ && !ends) || is_free(call))
        return;
    g_autofree char *why = ends ? g_strdup("; all calls must be over then")
                                : g_strdup_printf("; %s allows one call at a time", level_name(call->rank));
    tell_meanwhile(call, made, thread, why,
                   ends ? "join the other threads before MPI_Finalize"
                        : "ask MPI_Init_thread for MPI_THREAD_MULTIPLE, or keep the calls apart with a mutex");
}

static void note_called(MpiWorld *world, MpiCall *call)
{
    (void)world;
    MpiRank *rank = call->rank;
    Watch *watch = watch_of(rank);
    if (call->function == MPI_FUNCTION_Init || call->function == MPI_FUNCTION_Init_thread ||
        (call->function == MPI_FUNCTION_Session_init && rank->state == MPI_RANK_STARTED))
        watch->began = call->name, watch->began_pc = call->pc;
    else if (rank->threads && thread_may_call(call))
        look_at_others(call);
    if (!call->outer)
        *last_of(watch, call->thread) = (Made){.to_ps = UINT64_MAX, .name = call->name, .pc = call->pc};
}

static void note_left(MpiWorld *world, const MpiCall *call)
{
    (void)world;
    Watch *watch = watch_of(call->rank);
    if (!call->outer && call->thread < threads_of(watch))
        last_of(watch, call->thread)->to_ps = call->now;
}

/* -- collectives ------------------------------------------------------------------------------- */

static void note_turn(MpiWorld *world, const MpiCall *call, const MpiComm *comm)
{
    (void)world;
    Watch *watch = watch_of(call->rank);
    if (!call->rank->threads || call->background || call->thread >= threads_of(watch))
        return;
    Made *mine = last_of(watch, call->thread);
    mine->collective = true;
    mine->context = comm->context;
    uint32_t thread = 0;
    for (const Made *made; (made = next_meanwhile(call, &thread)); thread++) {
        if (!made->collective || made->context != comm->context)
            continue;
        g_autofree char *why = g_strdup_printf("; both are collectives of %s, and nothing orders them",
                                               comm->name ? comm->name : "the same communicator");
        tell_meanwhile(call, made, thread, why,
                       "give each thread a communicator of its own, or let one call end before the next begins");
        return;
    }
}

/* -- the part ---------------------------------------------------------------------------------- */

static void watches_free(void *data)
{
    Watches *watches = data;
    for (uint32_t i = 0; i < watches->ranks; i++)
        g_clear_pointer(&watches->of[i].last, g_array_unref);
    g_free(watches);
}

static void begin(MpiWorld *world)
{
    if (!mpi_check_is_on(world, MPI_CHECK_THREADS))
        return;
    Watches *watches = g_malloc0(sizeof *watches + world->room * sizeof watches->of[0]);
    watches->ranks = world->room;
    mpi_world_set_slot(world, MPI_SLOT_THREADS, watches, watches_free);
    mpi_hooks_add_short(
        world,
        &(MpiHooks){.called = note_called, .left = note_left, .left_local = left_local, .turn_taken = note_turn});
}

const MpiPart mpi_part_threads = {.begin = begin};
