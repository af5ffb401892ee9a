/* imbalance.c - which part of the waiting in collectives is there because another rank has computed longer.
 *
 * Ranks meet at collective operations. Each rank has a clock of computing: it goes on while the rank computes, and at
 * the end of a meeting it is set to the latest that a member had come with. So it says how much computing alone, of the
 * rank and of those that it has met, lies before what it does now. A rank that waits at a meeting, and has come with an
 * earlier clock than another member, waits because of that, for at most the difference. The rest of its wait has other
 * reasons: messages, work in MPI, what others have waited for.
 *
 * A nonblocking operation meets ranks with the clocks at which they have begun it; who waits for it compares his clock
 * at the wait, so that computing meanwhile counts as such. Only when all members have come the latest clock is known,
 * so what a rank does is kept until then, in its order. */
#include "monitor/profile/inside.h"

enum {
    MOST_KEPT = 4096
}; /* a rank that has so much to tell does not wait for a meeting to which somebody never came */

typedef struct Meeting {
    uint64_t number;
    uint32_t context;
    uint32_t members;    /* 0: not known yet */
    uint32_t came, left; /* members that have begun it; that were at its end */
    uint64_t latest_ps;  /* of the clocks of those that came */
    GArray *waiting;     /* uint32_t: ranks that go on when all have come; NULL: none */
    uint32_t uses;       /* steps and lists of ranks that name it */
    bool closed;         /* all have left: nobody finds it any more, and the last use ends it */
} Meeting;

typedef struct Step { /* of a rank */
    Meeting *meeting;
    uint64_t computed_ps; /* since the step before */
    uint64_t waited_ps;   /* at the meeting's end */
    Site *site;           /* where; NULL: it begins the meeting */
} Step;

typedef struct Over { /* a meeting that has ended for a rank, in a call that is not over */
    Meeting *meeting;
    uint64_t to_ps;
} Over;

typedef struct Walker {   /* a rank */
    uint64_t since_ps;    /* up to here all is counted */
    uint64_t computed_ps; /* of that, since its last step */
    uint64_t clock_ps;    /* behind the steps that were made */
    GArray *steps;        /* Step, those that are not made from `next` on; NULL: none yet */
    guint next;
    GArray *over;  /* Over; NULL: none yet */
    GArray *begun; /* Meeting *: begun, and not over; NULL: none yet */
} Walker;

struct ProfileMeetings {
    uint32_t ranks;
    Walker *walkers;  /* by rank */
    GHashTable *open; /* Meeting -> itself; never iterated */
    GArray *ready;    /* uint32_t: ranks that may make steps */
    uint64_t imbalance_ps;
};

/* -- meetings ---------------------------------------------------------------------------------- */

static guint meeting_hash(gconstpointer key)
{
    const Meeting *meeting = key;
    return meeting->context * 0x9e3779b1u ^ (guint)meeting->number;
}

static gboolean meeting_equal(gconstpointer a, gconstpointer b)
{
    const Meeting *x = a, *y = b;
    return x->context == y->context && x->number == y->number;
}

static void meeting_free(gpointer data)
{
    Meeting *meeting = data;
    if (meeting->waiting)
        g_array_unref(meeting->waiting);
    g_free(meeting);
}

static Meeting *use(Meeting *meeting)
{
    meeting->uses++;
    return meeting;
}

static void drop(Meeting *meeting)
{
    if (--meeting->uses == 0 && meeting->closed)
        meeting_free(meeting);
}

static Meeting *meeting_of(ProfileMeetings *meetings, uint32_t context, uint64_t number)
{
    Meeting key = {.context = context, .number = number};
    Meeting *meeting = g_hash_table_lookup(meetings->open, &key);
    if (!meeting) {
        meeting = g_new0(Meeting, 1);
        *meeting = key;
        g_hash_table_add(meetings->open, meeting);
    }
    return meeting;
}

ProfileMeetings *mon_profile_meetings_new(uint32_t ranks)
{
    ProfileMeetings *meetings = g_new0(ProfileMeetings, 1);
    meetings->ranks = ranks;
    meetings->walkers = g_new0(Walker, ranks);
    meetings->open = g_hash_table_new_full(meeting_hash, meeting_equal, meeting_free, NULL);
    meetings->ready = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    return meetings;
}

void mon_profile_meetings_free(ProfileMeetings *meetings)
{
    for (uint32_t rank = 0; rank < meetings->ranks; rank++) {
        Walker *walker = &meetings->walkers[rank];
        for (guint i = walker->next; walker->steps && i < walker->steps->len; i++)
            drop(g_array_index(walker->steps, Step, i).meeting);
        for (guint i = 0; walker->over && i < walker->over->len; i++)
            drop(g_array_index(walker->over, Over, i).meeting);
        for (guint i = 0; walker->begun && i < walker->begun->len; i++)
            drop(g_array_index(walker->begun, Meeting *, i));
        g_clear_pointer(&walker->steps, g_array_unref);
        g_clear_pointer(&walker->over, g_array_unref);
        g_clear_pointer(&walker->begun, g_array_unref);
    }
    g_free(meetings->walkers);
    g_hash_table_unref(meetings->open);
    g_array_unref(meetings->ready);
    g_free(meetings);
}

uint64_t mon_profile_imbalance_ps(const ProfileMeetings *meetings)
{
    return meetings->imbalance_ps;
}

/* -- steps ------------------------------------------------------------------------------------- */

static bool all_came(const Meeting *meeting)
{
    return meeting->members && meeting->came >= meeting->members;
}

static void wake(ProfileMeetings *meetings, Meeting *meeting)
{
    if (!meeting->waiting || !all_came(meeting))
        return;
    g_array_append_vals(meetings->ready, meeting->waiting->data, meeting->waiting->len);
    g_array_set_size(meeting->waiting, 0);
}

static void come(ProfileMeetings *meetings, Meeting *meeting, uint64_t clock_ps)
{
    meeting->latest_ps = MAX(meeting->latest_ps, clock_ps);
    meeting->came++;
    wake(meetings, meeting);
}

static void leave(ProfileMeetings *meetings, Walker *walker, const Step *step)
{
    Meeting *meeting = step->meeting;
    if (all_came(meeting) && meeting->latest_ps > walker->clock_ps) {
        uint64_t ps = MIN(step->waited_ps, meeting->latest_ps - walker->clock_ps);
        step->site->imbalance_ps += ps;
        meetings->imbalance_ps += ps;
        walker->clock_ps = meeting->latest_ps;
    }
    if (++meeting->left != meeting->members)
        return;
    g_hash_table_steal(meetings->open, meeting);
    meeting->closed = true;
}

/* Makes steps of a rank until there are none, or one has to wait for others. */
static void walk(ProfileMeetings *meetings, uint32_t rank)
{
    Walker *walker = &meetings->walkers[rank];
    while (walker->next < walker->steps->len) {
        const Step *step = &g_array_index(walker->steps, Step, walker->next);
        Meeting *meeting = step->meeting;
        if (step->site && !all_came(meeting) && walker->steps->len - walker->next < MOST_KEPT) {
            if (!meeting->waiting)
                meeting->waiting = g_array_new(FALSE, FALSE, sizeof(uint32_t));
            g_array_append_val(meeting->waiting, rank);
            return;
        }
        walker->clock_ps += step->computed_ps;
        walker->next++;
        if (step->site)
            leave(meetings, walker, step);
        else
            come(meetings, meeting, walker->clock_ps);
        drop(meeting);
    }
    g_array_set_size(walker->steps, 0);
    walker->next = 0;
}

static void walk_all(ProfileMeetings *meetings)
{
    while (meetings->ready->len) {
        uint32_t rank = g_array_index(meetings->ready, uint32_t, meetings->ready->len - 1);
        g_array_set_size(meetings->ready, meetings->ready->len - 1);
        walk(meetings, rank);
    }
}

static void add_step(Walker *walker, Meeting *meeting, uint64_t waited_ps, Site *site)
{
    Step step = {use(meeting), walker->computed_ps, waited_ps, site};
    walker->computed_ps = 0;
    if (!walker->steps)
        walker->steps = g_array_new(FALSE, FALSE, sizeof(Step));
    if (walker->next > MOST_KEPT) {
        g_array_remove_range(walker->steps, 0, walker->next);
        walker->next = 0;
    }
    g_array_append_val(walker->steps, step);
}

/* -- what is told ------------------------------------------------------------------------------ */

void mon_profile_meetings_pass(ProfileMeetings *meetings, uint32_t rank, uint64_t from_ps, uint64_t to_ps)
{
    Walker *walker = &meetings->walkers[rank];
    if (from_ps > walker->since_ps)
        walker->computed_ps += from_ps - walker->since_ps;
    walker->since_ps = MAX(walker->since_ps, to_ps);
}

void mon_profile_meetings_over(ProfileMeetings *meetings, const MpiCollectiveInfo *info)
{
    Walker *walker = &meetings->walkers[info->rank];
    Over over = {use(meeting_of(meetings, info->context, info->number)), info->to_ps};
    if (!walker->over)
        walker->over = g_array_new(FALSE, FALSE, sizeof(Over));
    g_array_append_val(walker->over, over);
    if (over.meeting->members || !info->members)
        return;
    over.meeting->members = info->members;
    wake(meetings, over.meeting);
    walk_all(meetings);
}

/* Takes the meeting from those that the rank has begun. Returns false if it was not among them. */
static bool take_begun(const Walker *walker, Meeting *meeting)
{
    for (guint i = 0; walker->begun && i < walker->begun->len; i++) {
        if (g_array_index(walker->begun, Meeting *, i) != meeting)
            continue;
        g_array_remove_index_fast(walker->begun, i);
        drop(meeting);
        return true;
    }
    return false;
}

static void begin(Walker *walker, Meeting *meeting)
{
    if (!walker->begun)
        walker->begun = g_array_new(FALSE, FALSE, sizeof(Meeting *));
    use(meeting);
    g_array_append_val(walker->begun, meeting);
    add_step(walker, meeting, 0, NULL);
}

/* How long the call has waited for others in the collective. */
static uint64_t waited_ps(const MpiCallInfo *info, const MonTimes *times, const Meeting *meeting)
{
    static const MpiWaitCause causes[] = {MPI_WAIT_COLLECTIVE, MPI_WAIT_EARLY_REDUCE, MPI_WAIT_LATE_BROADCAST};
    bool began = info->began == meeting->number && info->began_context == meeting->context;
    uint64_t ps = began ? times->wait_ps[MPI_WAIT_LATE_SENDER] : 0; /* else it is of other messages */
    for (size_t i = 0; i < G_N_ELEMENTS(causes); i++)
        ps += times->wait_ps[causes[i]];
    return ps;
}

/* Of a call for several operations, all that it has waited belongs to the one that was over last. */
void mon_profile_meetings_called(ProfileMeetings *meetings, const MpiCallInfo *info, const MonTimes *times, Site *site)
{
    Walker *walker = &meetings->walkers[info->rank];
    if (info->began)
        begin(walker, meeting_of(meetings, info->began_context, info->began));
    for (guint i = 0; walker->over && i < walker->over->len; i++) {
        Over over = g_array_index(walker->over, Over, i);
        if (!take_begun(walker, over.meeting) && over.meeting->members)
            add_step(walker, over.meeting, 0, NULL);
        bool counts = i + 1 == walker->over->len && over.to_ps >= info->from_ps;
        if (over.meeting->members)
            add_step(walker, over.meeting, counts ? waited_ps(info, times, over.meeting) : 0, site);
        drop(over.meeting);
    }
    if (walker->over)
        g_array_set_size(walker->over, 0);
    if (!walker->steps)
        return;
    g_array_append_val(meetings->ready, info->rank);
    walk_all(meetings);
}
