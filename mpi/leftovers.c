/* leftovers.c - what a process leaves behind when it ends: requests, communicators and other objects that were never
 * freed, messages that nobody received, MPI itself not finalized.
 *
 * Handles of the program are looked at, not objects: what only another object refers to (the old type of a datatype,
 * the group of a communicator) is no leak, and predefined objects have no entry in the table of handles. All of it is
 * asked once for each process, at its end. */
#include "mpi/engine.h"
#include "mpi/envelope.h"

/* -- messages ------------------------------------------------------------------------------------------ */

void mpi_check_lost(MpiRank *rank, const MpiMessage *message, uint64_t time_ps)
{
    if (message->collective || !mpi_check_is_on(rank->world, MPI_CHECK_LOST))
        return; /* collective: of an operation that was not completed, which is said of its request */
    g_autoptr(GString) what = g_string_new("a message sent at ");
    mpi_append_place(what, mpi_world_rank(rank->world, message->from)->process, message->sent_pc);
    g_string_append(what, " to this rank was never received");
    g_autofree char *detail = g_strdup_printf("from rank %u of MPI_COMM_WORLD, tag %d, %" G_GUINT64_FORMAT " bytes",
                                              message->from, message->item.key.tag, message->bytes);
    mpi_finding_add(rank, MPI_CHECK_LOST, time_ps, what->str, detail,
                    "receive it (do source, tag and communicator of a receive name it?), or do not send it");
}

static void find_messages(MpiRank *rank, uint64_t time_ps)
{
    for (const MpiItem *item = rank->matcher.oldest; item; item = item->next)
        mpi_check_lost(rank, (const MpiMessage *)item, time_ps);
}

/* -- requests --------------------------------------------------------------------------------------------- */

static void find_requests(MpiRank *rank, uint64_t time_ps)
{
    for (const MpiRequest *request = rank->requests; request; request = request->next) {
        if (!request->handle || request->freed)
            continue;
        g_autoptr(GString) what = g_string_new("the request made by ");
        g_string_append_printf(what, "%s at ", request->made_by);
        mpi_append_place(what, rank->process, request->made_pc);
        g_string_append_printf(what, " was never %s", request->persistent ? "freed" : "completed");
        mpi_finding_add(rank, MPI_CHECK_LEAKS, time_ps, what->str, NULL,
                        request->persistent ? "free it with MPI_Request_free when it is no longer started"
                                            : "complete it with MPI_Wait, MPI_Test or one of their kind");
    }
}

/* -- objects ------------------------------------------------------------------------------------------------- */

static void find_handles(MpiRank *rank, uint64_t time_ps)
{
    for (uint32_t i = 0; i < rank->handles.count; i++) {
        const MpiHandleEntry *entry = &rank->handles.entries[i];
        if (!entry->object)
            continue;
        uint32_t pc;
        const char *what;
        if (entry->kind == MPI_KIND_MESSAGE) {
            mpi_check_lost(rank, ((const MpiMatched *)entry->object)->message, time_ps);
            continue;
        }
        if (entry->kind == MPI_KIND_COMM) {
            what = "communicator";
            pc = ((const MpiComm *)entry->object)->made_pc;
        } else if (entry->kind == MPI_KIND_TYPE && !mpi_type_is_f90(entry->object)) {
            what = "datatype";
            pc = ((const MpiType *)entry->object)->made_pc;
        } else if (entry->kind == MPI_KIND_OP) {
            what = "operator";
            pc = ((const MpiOp *)entry->object)->made_pc;
        } else {
            continue;
        }
        g_autoptr(GString) text = g_string_new(NULL);
        g_string_append_printf(text, "the %s made at ", what);
        mpi_append_place(text, rank->process, pc);
        g_string_append(text, " was never freed");
        mpi_finding_add(rank, MPI_CHECK_LEAKS, time_ps, text->str, NULL, "free it when it is no longer used");
    }
}

void mpi_check_leftovers(MpiRank *rank, uint64_t time_ps)
{
    const VmFault *fault = vm_rank_fault_info(rank->process);
    if (fault && fault->kind != VM_FAULT_NONE)
        return;
    if (rank->state == MPI_RANK_ACTIVE && !rank->call)
        mpi_finding_add(rank, MPI_CHECK_FINALIZE, time_ps, "the process ended without calling MPI_Finalize", NULL,
                        "call MPI_Finalize on every way out of the program");
    find_messages(rank, time_ps);
    if (!mpi_check_is_on(rank->world, MPI_CHECK_LEAKS))
        return;
    find_requests(rank, time_ps);
    find_handles(rank, time_ps);
}
