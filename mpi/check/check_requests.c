/* check_requests.c - reports uses of requests and of thread levels that are allowed but usually mistakes, at the end of
 * the run.
 *
 * A program that frees an active request has no other way to learn when its buffer may be used again (MPI-3.1 section
 * 3.7.3). It is chance whether the message has left by then, so the check ignores that. A program that asks for more
 * threads than it is given, and never looks at the provided level, relies on what it does not have (section 12.4.3).
 * The rank's accesses to the variable show whether it looks; they are watched only if the provided level is lower. */
#include "mpi/core/call.h"
#include "mpi/core/findings.h"
#include "mpi/core/hooks.h"
#include "mpi/core/places.h"
#include "mpi/core/rank.h"
#include "mpi/core/slots.h"
#include "mpi/core/world.h"
#include "mpi/p2p/p2p.h"

/* -- requests ---------------------------------------------------------------------------------- */

/* Whether the program frees an active request: one that it has started and not seen complete. Not if it has cancelled
 * the request, or if the peer is MPI_PROC_NULL. */
static bool is_given_up(const MpiRequest *request)
{
    return request->active && !request->seen && !request->cancelled && request->sort <= MPI_REQUEST_RECEIVE &&
           request->peer != MPI_PROC_NULL_;
}

static void note_given_up(MpiWorld *world, MpiCall *call, MpiRequest *request)
{
    (void)world;
    if (!is_given_up(request))
        return;
    bool receives = request->sort == MPI_REQUEST_RECEIVE;
    g_autoptr(GString) what = g_string_new("MPI_Request_free at ");
    mpi_append_place(what, call->process, call->pc);
    g_string_append(what, " gives up the request made by ");
    mpi_append_call_place(what, call->process, request->made_by, request->made_pc);
    g_string_append(what, " while it is active: the program cannot learn when ");
    g_string_append(what, receives ? "its message is there" : "the buffer may be used again");
    mpi_finding_add(call->rank, MPI_CHECK_REQUESTS, call->entered_ps, what->str, NULL,
                    "complete it with MPI_Wait or MPI_Test instead, or cancel it and complete it");
}

static void requests_begin(MpiWorld *world)
{
    if (mpi_check_is_on(world, MPI_CHECK_REQUESTS))
        mpi_hooks_add(world, &(MpiHooks){.given_up = note_given_up});
}

const MpiPart mpi_part_requests = {.begin = requests_begin};

/* -- threads ----------------------------------------------------------------------------------- */

typedef struct Watch { /* the watch of a rank */
    uint64_t address;  /* address of the variable with the provided level */
    uint32_t pc;       /* location of MPI_Init_thread */
    const char *asked, *provided;
    bool looked;
} Watch;

typedef struct Watches { /* the watches of a world, for --check=threads */
    uint32_t ranks;
    Watch *of[]; /* by rank; NULL: the rank got the level that it asked for */
} Watches;

static bool watch_access(VmRank *process, uint64_t address, uint64_t size, bool write, void *user)
{
    Watch *watch = user;
    (void)process;
    if (!write && address < watch->address + sizeof(int32_t) && watch->address < address + size)
        watch->looked = true;
    return true;
}

static void note_limited(MpiWorld *world, MpiCall *call, uint64_t address, const char *asked, const char *provided)
{
    Watches *watches = mpi_world_slot(world, MPI_SLOT_THREADS);
    Watch *watch = g_new0(Watch, 1);
    *watch = (Watch){.address = address, .pc = call->pc, .asked = asked, .provided = provided};
    watches->of[call->rank->index] = watch;
    vm_rank_add_access_hook(call->process, watch_access, watch);
}

static void note_asked(MpiWorld *world, const MpiRank *rank)
{
    Watches *watches = mpi_world_slot(world, MPI_SLOT_THREADS);
    Watch *watch = watches->of[rank->index];
    if (watch)
        watch->looked = true;
}

static void threads_exited(MpiRank *rank, uint64_t time_ps)
{
    const Watches *watches = mpi_world_slot(rank->world, MPI_SLOT_THREADS);
    const Watch *watch = watches ? watches->of[rank->index] : NULL;
    if (!watch || watch->looked)
        return;
    g_autoptr(GString) what = g_string_new("MPI_Init_thread at ");
    mpi_append_place(what, rank->process, watch->pc);
    g_string_append_printf(what, " was asked for %s and provided %s, and the program never looked at that",
                           watch->asked, watch->provided);
    mpi_finding_add(
        rank, MPI_CHECK_THREADS, time_ps, what->str, NULL,
        "compare what is provided with what the program needs, and use fewer threads, or end, if it is less");
}

static void watches_free(void *data)
{
    Watches *watches = data;
    for (uint32_t i = 0; i < watches->ranks; i++)
        g_free(watches->of[i]);
    g_free(watches);
}

static void threads_begin(MpiWorld *world)
{
    if (!mpi_check_is_on(world, MPI_CHECK_THREADS))
        return;
    Watches *watches = g_malloc0(sizeof *watches + world->room * sizeof watches->of[0]);
    watches->ranks = world->room;
    mpi_world_set_slot(world, MPI_SLOT_THREADS, watches, watches_free);
    mpi_hooks_add(world, &(MpiHooks){.threads_limited = note_limited, .threads_asked = note_asked});
}

const MpiPart mpi_part_threads = {.begin = threads_begin, .exited = threads_exited};
