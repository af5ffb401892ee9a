/* check_requests.c - reports uses of requests that are allowed but usually mistakes, at the end of the run.
 *
 * A program that frees an active request has no other way to learn when its buffer may be used again (MPI-3.1 section
 * 3.7.3). It is chance whether the message has left by then, so the check ignores that. */
#include "mpi/core/call.h"
#include "mpi/core/findings.h"
#include "mpi/core/hooks.h"
#include "mpi/core/places.h"
#include "mpi/core/rank.h"
#include "mpi/core/world.h"
#include "mpi/p2p/p2p.h"

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
