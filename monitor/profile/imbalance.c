/* imbalance.c - which part of the waiting in collectives is there because another rank has computed longer.
 *
 * Ranks meet at the blocking collectives on MPI_COMM_WORLD (mpi_world_meets()). Between two meetings, and before the
 * first, each computes for some time. A rank that has computed for less than the one that has computed longest waits at
 * the meeting because of that, for at most the difference. The rest of its wait has other reasons: messages, work in
 * MPI, what others have waited for before. */
#include "monitor/profile/inside.h"

typedef struct Member { /* of a meeting */
    uint64_t computed_ps, waited_ps;
    Site *site; /* NULL: it has not been there yet */
} Member;

typedef struct Meeting {
    uint32_t came;
    Member members[];
} Meeting;

struct ProfileMeetings {
    uint32_t ranks;
    uint64_t *since_ps, *present_ps; /* by rank: up to here all is counted; computed since the last meeting */
    uint32_t *count;                 /* by rank: meetings until now */
    uint32_t first;                  /* number of the first one in `open` */
    GPtrArray *open;                 /* Meeting: not all have been there */
    uint64_t imbalance_ps;
};

ProfileMeetings *mon_profile_meetings_new(uint32_t ranks)
{
    ProfileMeetings *meetings = g_new0(ProfileMeetings, 1);
    meetings->ranks = ranks;
    meetings->since_ps = g_new0(uint64_t, ranks);
    meetings->present_ps = g_new0(uint64_t, ranks);
    meetings->count = g_new0(uint32_t, ranks);
    meetings->open = g_ptr_array_new_with_free_func(g_free);
    return meetings;
}

void mon_profile_meetings_free(ProfileMeetings *meetings)
{
    g_free(meetings->since_ps);
    g_free(meetings->present_ps);
    g_free(meetings->count);
    g_ptr_array_unref(meetings->open);
    g_free(meetings);
}

uint64_t mon_profile_imbalance_ps(const ProfileMeetings *meetings)
{
    return meetings->imbalance_ps;
}

void mon_profile_meetings_pass(ProfileMeetings *meetings, uint32_t rank, uint64_t from_ps, uint64_t to_ps)
{
    if (rank >= meetings->ranks)
        return;
    if (from_ps > meetings->since_ps[rank])
        meetings->present_ps[rank] += from_ps - meetings->since_ps[rank];
    meetings->since_ps[rank] = MAX(meetings->since_ps[rank], to_ps);
}

/* All have been there. */
static void conclude(ProfileMeetings *meetings, const Meeting *meeting)
{
    uint64_t most_ps = 0;
    for (uint32_t rank = 0; rank < meetings->ranks; rank++)
        most_ps = MAX(most_ps, meeting->members[rank].computed_ps);
    for (uint32_t rank = 0; rank < meetings->ranks; rank++) {
        const Member *member = &meeting->members[rank];
        uint64_t ps = MIN(member->waited_ps, most_ps - member->computed_ps);
        member->site->imbalance_ps += ps;
        meetings->imbalance_ps += ps;
    }
}

/* Ranks meet in order, so meetings are complete in order, too. */
void mon_profile_meetings_meet(ProfileMeetings *meetings, uint32_t rank, const MonTimes *times, Site *site)
{
    static const MpiWaitCause causes[] = {MPI_WAIT_LATE_SENDER, MPI_WAIT_COLLECTIVE, MPI_WAIT_EARLY_REDUCE,
                                          MPI_WAIT_LATE_BROADCAST};
    if (rank >= meetings->ranks)
        return;
    guint index = meetings->count[rank]++ - meetings->first;
    while (index >= meetings->open->len)
        g_ptr_array_add(meetings->open, g_malloc0(sizeof(Meeting) + meetings->ranks * sizeof(Member)));
    Meeting *meeting = g_ptr_array_index(meetings->open, index);
    Member *member = &meeting->members[rank];
    *member = (Member){.computed_ps = meetings->present_ps[rank], .site = site};
    for (size_t i = 0; i < G_N_ELEMENTS(causes); i++)
        member->waited_ps += times->wait_ps[causes[i]];
    meetings->present_ps[rank] = 0;
    if (++meeting->came < meetings->ranks)
        return;
    conclude(meetings, meeting);
    g_ptr_array_remove_index(meetings->open, index);
    meetings->first++;
}
