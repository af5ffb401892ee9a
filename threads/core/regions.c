/* regions.c - counts parallel regions of OpenMP, by the line that begins them, if somebody asks.
 *
 * The runtime tells of a region by what it pays anyway: the master pays for the fork, and all threads wait at barriers
 * of the team, the last of which is the region's end. So counting changes no time. A team has the address of an object
 * on its master's stack. What the master pays for is known to others only from his first barrier on, which he reaches
 * in the order of virtual time. What a thread has waited and made is kept with the thread until it leaves a barrier:
 * then it is known of which region that was. */
#include "threads/core/call.h"

typedef struct Fork { /* a region that a thread has begun */
    uint64_t team;
    uint32_t pc;
    bool met;         /* its team has met at a barrier */
    uint64_t from_ps; /* its time is counted up to here */
} Fork;

typedef struct Team {
    uint64_t address;
    uint32_t row;
    uint64_t wait_ps; /* at its last barrier: may be that of the end */
} Team;

struct ThreadsRegions {
    GArray *rows;           /* ThreadsRegion, in the order in which they first met */
    GArray *teams;          /* Team */
    GHashTable *by_pc;      /* pc -> 1 + index of its row; never iterated */
    GHashTable *by_address; /* address of a team -> 1 + index of it; never iterated */
};

static ThreadsRegions *regions_of(ThreadsProcess *process)
{
    if (!process->regions) {
        process->regions = g_new(ThreadsRegions, 1);
        *process->regions = (ThreadsRegions){.rows = g_array_new(FALSE, FALSE, sizeof(ThreadsRegion)),
                                             .teams = g_array_new(FALSE, FALSE, sizeof(Team)),
                                             .by_pc = g_hash_table_new(NULL, NULL),
                                             .by_address = g_hash_table_new(NULL, NULL)};
    }
    return process->regions;
}

void threads_regions_free(ThreadsRegions *regions)
{
    if (!regions)
        return;
    g_array_unref(regions->rows);
    g_array_unref(regions->teams);
    g_hash_table_unref(regions->by_pc);
    g_hash_table_unref(regions->by_address);
    g_free(regions);
}

static uint32_t row_at(ThreadsRegions *regions, uint32_t pc)
{
    gpointer key = GUINT_TO_POINTER(pc);
    guint row = GPOINTER_TO_UINT(g_hash_table_lookup(regions->by_pc, key));
    if (!row) {
        ThreadsRegion region = {.pc = pc};
        g_array_append_val(regions->rows, region);
        row = regions->rows->len;
        g_hash_table_insert(regions->by_pc, key, GUINT_TO_POINTER(row));
    }
    return row - 1;
}

static Team *find_team(const ThreadsRegions *regions, uint64_t address)
{
    guint index = GPOINTER_TO_UINT(g_hash_table_lookup(regions->by_address, GSIZE_TO_POINTER(address)));
    return index ? &g_array_index(regions->teams, Team, index - 1) : NULL;
}

/* Makes a team that there is not yet. */
static Team *team_at(ThreadsRegions *regions, uint64_t address, uint32_t row)
{
    if (!find_team(regions, address)) {
        Team team = {.address = address, .row = row};
        g_array_append_val(regions->teams, team);
        g_hash_table_insert(regions->by_address, GSIZE_TO_POINTER(address), GUINT_TO_POINTER(regions->teams->len));
    }
    return find_team(regions, address);
}

static ThreadsRegion *region_of(ThreadsRegions *regions, const Team *team)
{
    return &g_array_index(regions->rows, ThreadsRegion, team->row);
}

/* The thread's innermost region if that has this team. Those whose teams lie below it are over. */
static Fork *fork_of(const ThreadsThread *thread, uint64_t team)
{
    while (thread->forks && thread->forks->len) {
        Fork *last = &g_array_index(thread->forks, Fork, thread->forks->len - 1);
        if (last->team >= team)
            return last->team == team ? last : NULL;
        g_array_set_size(thread->forks, thread->forks->len - 1);
    }
    return NULL;
}

void threads_region_fork(const ThreadsCall *call, uint64_t team)
{
    ThreadsThread *thread = call->thread;
    Fork fork = {.team = team, .pc = call->pc, .from_ps = call->now};
    if (!thread->forks)
        thread->forks = g_array_new(FALSE, FALSE, sizeof(Fork));
    if (fork_of(thread, team))
        g_array_set_size(thread->forks, thread->forks->len - 1);
    g_array_append_val(thread->forks, fork);
}

/* The master comes to a barrier of his team. */
void threads_region_arrive(const ThreadsCall *call, uint64_t address, uint32_t threads)
{
    Fork *fork = fork_of(call->thread, address);
    if (!fork)
        return;
    ThreadsRegions *regions = regions_of(call->process);
    uint32_t row = row_at(regions, fork->pc);
    Team *team = team_at(regions, address, row);
    ThreadsRegion *region = region_of(regions, team);
    if (fork->met) { /* the barrier before this one was not the end */
        region->barrier_ps += team->wait_ps;
    } else { /* it was that of another region, whose team had this address */
        region->end_ps += team->wait_ps;
        team->row = row;
        region = region_of(regions, team);
        region->executions++;
        region->threads = MAX(region->threads, threads);
    }
    team->wait_ps = 0;
    fork->met = true;
}

void threads_region_leave(const ThreadsCall *call, uint64_t address, uint32_t threads)
{
    ThreadsThread *thread = call->thread;
    Team *team = call->process->regions ? find_team(call->process->regions, address) : NULL;
    if (!team)
        return;
    ThreadsRegion *region = region_of(call->process->regions, team);
    team->wait_ps += thread->pending.barrier_ps;
    region->lock_ps += thread->pending.lock_ps;
    region->tasks += thread->pending.tasks;
    thread->pending = (ThreadsPending){0};
    Fork *fork = fork_of(thread, address);
    if (!fork)
        return;
    region->time_ps += call->now - fork->from_ps;
    region->thread_ps += (call->now - fork->from_ps) * threads;
    fork->from_ps = call->now;
}

GArray *threads_regions_rows(const ThreadsProcess *process)
{
    GArray *rows = g_array_new(FALSE, FALSE, sizeof(ThreadsRegion));
    const ThreadsRegions *regions = process->regions;
    if (!regions)
        return rows;
    g_array_append_vals(rows, regions->rows->data, regions->rows->len);
    for (guint i = 0; i < regions->teams->len; i++) {
        const Team *team = &g_array_index(regions->teams, Team, i);
        g_array_index(rows, ThreadsRegion, team->row).end_ps += team->wait_ps;
    }
    return rows;
}
