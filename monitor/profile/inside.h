/* inside.h - what the files of a profile share. Internal to profile/. */
#ifndef ORRERY_MONITOR_PROFILE_INSIDE_H
#define ORRERY_MONITOR_PROFILE_INSIDE_H

#include "monitor/profile.h"

/* The level of MPI_Pcontrol that holds before the program has called it (MPI-4.1 section 15.2.4). */
enum { PROFILE_USUAL_LEVEL = 1 };

typedef struct ProfileRank {
    MachAccount account; /* as far as it has passed */
    GArray *told;        /* MonTimes by thread: calls have told, and it has not passed yet */
    MonTimes times;      /* without computing */
    uint64_t bytes_sent, messages_sent;
    VmMeterCell *unexplained; /* in a call that is not over: where it has waited, and for how long in all */
    uint64_t unexplained_ps;
} ProfileRank;

typedef struct ProfileLevel { /* of MPI_Pcontrol */
    int level;
    uint64_t from_ps; /* when the first rank came to it */
} ProfileLevel;

typedef struct Site { /* the key, and what was counted */
    const char *name;
    const VcodeModule *program;
    uint32_t pc;
    uint64_t calls, longest_ps, shortest_ps, messages, bytes, least_bytes, most_bytes;
    uint64_t imbalance_ps;
    MonTimes times;
} Site;

typedef struct ProfileMeetings ProfileMeetings; /* imbalance.c */

struct MonProfile {
    Machine *machine;
    VmMeter *meter;
    GPtrArray *ranks;        /* ProfileRank; NULL: nothing yet */
    GHashTable *sites;       /* Site */
    GHashTable *collectives; /* MonProfileCollective */
    GMutex lock;             /* of `levels`: MPI_Pcontrol is called on the thread of its rank */
    GArray *levels;          /* ProfileLevel by phase, then those with time in them, as they began */
    ProfileMeetings *meetings;
    GStringChunk *text;   /* names: equal ones are one */
    MonProfileData *data; /* NULL: not made yet */
};

ProfileRank *mon_profile_rank(MonProfile *profile, uint32_t rank);
MonTimes *mon_profile_own_times(VmMeterCell *cell);
void mon_profile_free_data(MonProfile *profile);

/* -- why ranks wait for each other in collectives (imbalance.c) ------------------------------------- */

ProfileMeetings *mon_profile_meetings_new(uint32_t ranks);
void mon_profile_meetings_free(ProfileMeetings *meetings);
/* A rank was in a call or a pause, and before that it has computed. */
void mon_profile_meetings_pass(ProfileMeetings *meetings, uint32_t rank, uint64_t from_ps, uint64_t to_ps);
/* A collective operation is over on a rank, in the call that is told next or before that. */
void mon_profile_meetings_over(ProfileMeetings *meetings, const MpiCollectiveInfo *info);
/* A call is over, which has waited; its time has passed. */
void mon_profile_meetings_called(ProfileMeetings *meetings, const MpiCallInfo *info, const MonTimes *times, Site *site);
/* Returns how long ranks have waited because others had computed longer. */
uint64_t mon_profile_imbalance_ps(const ProfileMeetings *meetings);

/* -- what the meter has (build.c, loops.c) -------------------------------------------------------- */

/* Fills in data->nodes, lines and times, and the times of levels. */
void mon_profile_build_nodes(MonProfile *profile);
/* Fills in data->loops from the meter's trees. */
void mon_profile_find_loops(MonProfile *profile);
/* Whether nothing is left of what was metered at an instruction, or in a function and all that it has called: ranks ran
 * ahead to there, and were cut before. */
bool mon_profile_cell_is_empty(const VmMeterCell *cell);
bool mon_profile_node_is_empty(const VmMeterNode *node);
/* Returns the time of a cell, with what passed in MPI. */
MonTimes mon_profile_cell_times(const VmMeterCell *cell);
/* The children of a node, or the roots, in the order of the program. The caller frees the array. */
GPtrArray *mon_profile_ordered_roots(const MonProfile *profile);
GPtrArray *mon_profile_ordered_nodes(const VmMeterNode *node);

#endif
