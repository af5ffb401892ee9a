/* meetings.c - the collective calls of a file's members: which calls belong together, and what each member says.
 *
 * All members are in one simulator, so what they tell each other lies in one table. The time of telling is that of an
 * allgather among them: when that is over, each member has come. Members count the collective calls on a file. A member
 * that comes to a meeting of another function ends with MPI_ERR_NOT_SAME. */
#include "mpi/collective/collective.h"
#include "mpi/core/function.h"
#include "mpi/core/places.h"
#include "mpi/core/world.h"
#include "mpi/file/access.h"

enum { SAID_BYTES = 24 };

static void meeting_free(void *data)
{
    MpiMeeting *meeting = data;
    for (uint32_t i = 0; i < meeting->size; i++)
        mpi_view_unref(meeting->said[i].view);
    mpi_two_phase_free(meeting->plan);
    g_free(meeting->said);
    g_free(meeting);
}

GHashTable *mpi_meetings_new(void)
{
    return g_hash_table_new_full(g_int64_hash, g_int64_equal, NULL, meeting_free);
}

static MpiMeeting *meeting_new(const MpiCall *call, const MpiFile *file, uint32_t function)
{
    MpiMeeting *meeting = g_new0(MpiMeeting, 1);
    meeting->number = file->meetings;
    meeting->size = file->comm->group->size;
    meeting->function = function;
    meeting->first = call->rank->index;
    meeting->first_pc = call->pc;
    meeting->said = g_new0(MpiSaid, meeting->size);
    return meeting;
}

static MpiStep other_call(MpiCall *call, const MpiFile *file, const MpiMeeting *meeting)
{
    g_autoptr(GString) place = g_string_new(NULL);
    mpi_append_place(place, mpi_world_rank(call->world, meeting->first)->process, meeting->first_pc);
    return mpi_call_error(call, file->comm, MPI_ERR_NOT_SAME,
                          "rank %u calls %s at %s as its collective call number %" G_GUINT64_FORMAT
                          " on this file; all members make the same calls in the same order",
                          meeting->first, mpi_function(meeting->function)->info.name, place->str, meeting->number + 1);
}

MpiStep mpi_file_misses_member(MpiCall *call)
{
    return mpi_call_error(call, NULL, MPI_ERR_PROC_FAILED,
                          "a process that has opened the file has failed, and this is a collective call; close the "
                          "file, and open it on a communicator without that process (MPIX_Comm_shrink)");
}

MpiMeeting *mpi_meeting_enter(MpiCall *call, MpiFile *file, MpiSaid said, MpiStep *step)
{
    GHashTable *meetings = file->shared->meetings;
    if (mpi_group_has_failed(call->world, file->comm->group)) {
        *step = mpi_file_misses_member(call);
        return NULL;
    }
    uint32_t function = call->world->bindings[call->function].meets;
    MpiMeeting *meeting = g_hash_table_lookup(meetings, &file->meetings);
    if (!meeting) {
        meeting = meeting_new(call, file, function);
        g_hash_table_insert(meetings, &meeting->number, meeting);
    }
    if (meeting->function != function) {
        *step = other_call(call, file, meeting);
        return NULL;
    }
    file->meetings++;
    meeting->entered++;
    meeting->said[file->comm->rank] = said;
    if (said.view)
        mpi_view_ref(said.view);
    return meeting;
}

void mpi_meeting_leave(MpiSharedFile *shared, MpiMeeting *meeting)
{
    if (++meeting->left < meeting->size)
        return;
    g_hash_table_remove(shared->meetings, &meeting->number);
}

/* -- in the call of a member ------------------------------------------------------------------- */

/* The state of the call. */
typedef struct Member {
    MpiFile *file;
    MpiMeeting *meeting;
} Member;

static void member_free(void *state)
{
    Member *member = state;
    mpi_meeting_leave(member->file->shared, member->meeting);
    mpi_file_unref(member->file);
    g_free(member);
}

MpiMeeting *mpi_meeting_of(const MpiCall *call)
{
    return ((const Member *)call->state)->meeting;
}

MpiFile *mpi_meeting_file(const MpiCall *call)
{
    return ((const Member *)call->state)->file;
}

MpiStep mpi_meeting_hold(MpiCall *call, MpiFile *file, MpiSaid said, MpiHandler then)
{
    MpiStep step;
    g_assert(!call->state);
    MpiMeeting *meeting = mpi_meeting_enter(call, file, said, &step);
    if (!meeting)
        return step;
    Member *member = g_new(Member, 1);
    *member = (Member){mpi_file_ref(file), meeting};
    call->state = member;
    call->state_free = member_free;
    return mpi_collective_agree(call, file->comm, SAID_BYTES, then);
}

bool mpi_meeting_agrees(MpiCall *call, const char *what, MpiStep *step)
{
    const MpiMeeting *meeting = mpi_meeting_of(call);
    for (uint32_t i = 1; i < meeting->size; i++) {
        if (meeting->said[i].a == meeting->said[0].a && meeting->said[i].b == meeting->said[0].b)
            continue;
        *step = mpi_call_error(call, NULL, MPI_ERR_NOT_SAME,
                               "rank 0 and rank %u of the file's group do not agree on %s, which must be the same for "
                               "all members",
                               i, what);
        return false;
    }
    return true;
}
