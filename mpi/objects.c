/* objects.c - lists of what a rank has made and not freed, for the debugger. */
#include "mpi/check/check.h"
#include "mpi/comm/comm.h"
#include "mpi/core/call.h"
#include "mpi/core/handles.h"
#include "mpi/core/places.h"
#include "mpi/core/rank.h"
#include "mpi/core/world.h"
#include "mpi/file/file.h"
#include "mpi/p2p/p2p.h"
#include "mpi/rma/rma.h"

static void append_communicator(GString *out, const void *object)
{
    const MpiComm *comm = object;
    mpi_append_comm(out, comm);
    g_string_append_printf(out, ", rank %u of %u", comm->rank, comm->group->size);
    if (comm->inter)
        g_string_append_printf(out, ", with %u on the other side", comm->inter->remote->size);
}

void mpi_object_append_request(GString *out, const MpiRequest *request)
{
    mpi_append_call_place(out, request->owner->process, request->made_by, request->made_pc);
    if (request->persistent && !request->active) {
        g_string_append(out, " is inactive");
    } else if (!mpi_request_pending(request)) {
        g_string_append(out, " is complete");
    } else {
        g_string_append(out, " waits for ");
        mpi_describe_request(out, mpi_request_awaited(request));
    }
}

static void append_request(GString *out, const void *object)
{
    mpi_object_append_request(out, object);
}

static void append_datatype(GString *out, const void *object)
{
    mpi_handle_append_type(out, object, true);
}

static const struct {
    MpiHandleKind kind;
    void (*append)(GString *out, const void *object);
} sorts[] = {{MPI_KIND_COMM, append_communicator},
             {MPI_KIND_REQUEST, append_request},
             {MPI_KIND_TYPE, append_datatype},
             {MPI_KIND_WIN, mpi_window_append_state},
             {MPI_KIND_FILE, mpi_file_append_state}};

const char *const *mpi_world_lists(void)
{
    static const char *const names[] = {"communicators", "requests", "datatypes", "windows", "files", NULL};
    return names;
}

bool mpi_world_list(const MpiWorld *world, uint32_t index, const char *sort, GString *out)
{
    MpiRank *rank = mpi_world_rank(world, index);
    const char *const *names = mpi_world_lists();
    size_t row = 0;
    while (names[row] && !g_str_equal(names[row], sort))
        row++;
    if (!names[row])
        return false;
    if (rank->plain)
        mpi_plain_receive_expand(rank); /* which says the same in another form */
    for (uint32_t i = 0; i < rank->handles.count; i++) {
        const MpiHandleEntry *entry = &rank->handles.entries[i];
        if (!entry->object || entry->kind != sorts[row].kind)
            continue;
        g_string_append_printf(out, "rank %u: ", index);
        sorts[row].append(out, entry->object);
        g_string_append_c(out, '\n');
    }
    return true;
}
