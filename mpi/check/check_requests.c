/* check_requests.c - what is allowed in the life of a request, or of MPI's thread levels, and is still a mistake as a
 * rule: told at the end of the run.
 *
 * Freeing an active request gives up the only way to learn when its buffer may be used again (MPI-3.1 section 3.7.3);
 * whether the message has left by then is chance, and makes no difference. A program that asks for more threads than
 * it is given, and never looks at what it was given, takes it for granted (section 12.4.3): whether it looks is seen by
 * the rank's accesses to the variable, and only where it was given less. */
#include "mpi/core/engine.h"

/* -- requests ---------------------------------------------------------------------------------- */

/* Active is what the program has started and not seen complete. One that it has cancelled it has given up in the open,
 * and with MPI_PROC_NULL there is nothing to give up. */
static bool is_given_up(const MpiRequest *request)
{
    return request->active && !request->seen && !request->cancelled && request->sort <= MPI_REQUEST_RECEIVE &&
           request->peer != MPI_PROC_NULL_;
}

void mpi_check_freed(MpiCall *call, const MpiRequest *request)
{
    if (!mpi_check_is_on(call->world, MPI_CHECK_REQUESTS) || !is_given_up(request))
        return;
    bool receives = request->sort == MPI_REQUEST_RECEIVE;
    g_autoptr(GString) what = g_string_new("MPI_Request_free at ");
    mpi_append_place(what, call->process, call->pc);
    g_string_append(what, " gives up the request made by ");
    mpi_append_call_at(what, call->process, request->made_by, request->made_pc);
    g_string_append(what, " while it is active: the program cannot learn when ");
    g_string_append(what, receives ? "its message is there" : "the buffer may be used again");
    mpi_finding_add(call->rank, MPI_CHECK_REQUESTS, call->entered_ps, what->str, NULL,
                    "complete it with MPI_Wait or MPI_Test instead, or cancel it and complete it");
}

/* -- threads ----------------------------------------------------------------------------------- */

struct MpiThreadWatch {
    uint64_t address; /* of the variable that tells what was provided */
    uint32_t pc;      /* of MPI_Init_thread */
    const char *asked, *provided;
    bool looked;
};

static bool watch_access(VmRank *process, uint64_t address, uint64_t size, bool write, void *user)
{
    MpiThreadWatch *watch = user;
    (void)process;
    if (!write && address < watch->address + sizeof(int32_t) && watch->address < address + size)
        watch->looked = true;
    return true;
}

void mpi_threads_watch(MpiCall *call, uint64_t address, const char *asked, const char *provided)
{
    MpiWorld *world = call->world;
    if (!world->thread_watches)
        return;
    MpiThreadWatch *watch = g_new0(MpiThreadWatch, 1);
    *watch = (MpiThreadWatch){.address = address, .pc = call->pc, .asked = asked, .provided = provided};
    world->thread_watches[call->rank->index] = watch;
    vm_rank_add_access_hook(call->process, watch_access, watch);
}

void mpi_threads_asked(const MpiRank *rank)
{
    MpiThreadWatch **watches = rank->world->thread_watches, *watch = watches ? watches[rank->index] : NULL;
    if (watch)
        watch->looked = true;
}

void mpi_check_threads(MpiRank *rank, uint64_t time_ps)
{
    MpiThreadWatch **watches = rank->world->thread_watches, *watch = watches ? watches[rank->index] : NULL;
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

void mpi_threads_forget(MpiWorld *world, uint32_t rank)
{
    if (world->thread_watches)
        g_clear_pointer(&world->thread_watches[rank], g_free);
}
