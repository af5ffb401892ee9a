/* node.c - a run queue for each core of a node.
 *
 *      core 0   current: the task that has it       queue: --> ready, ready, waits, ready -->
 *      core 1   current                             queue: --> ready
 *
 * A core goes round its queue: its current task has a slice, then goes to the queue's end, and the first one gets the
 * core, after the time of a switch. Slices count only where somebody is in the queue: a task alone on its core runs on,
 * without any event, and has slice after slice without a cut. Tasks of higher priority are in front of others. One
 * that has slept counts a little higher than its equals until it has used a whole slice (*fresh*): so it takes the core
 * from one that computes, which goes on with the rest of its slice afterwards.
 *
 * Tasks that wait without sleeping are *idle*. They stay on their core or in its queue:
 *   poll    an idle task uses its slices like others. Where all of a core are idle, they go round without events, and
 *           who has the core at a time is worked out when it matters (catch_up()).
 *   yield   an idle task that comes to its turn passes the core on, which costs a switch. If it has the core when
 *           another one gets something to do, that one has the core after one switch. Where all are idle, nobody moves.
 *
 * A task may be confined to a set of cores. Whoever has a core, or queues up for one, that it may not have any more
 * goes to one of those with the fewest tasks.
 *
 * Nothing here depends on when a demand becomes known, only on what it is. A core asks for one event at a time: the
 * next instant at which its current task has had its demand or must leave. What it asked for before is void.
 */
#include "machine/node/inside.h"

#include <assert.h>

static void task_free(void *data)
{
    MachTask *task = data;
    g_free(task->set);
    g_free(task);
}

MachNode *mach_node_new(uint32_t number, uint32_t cores, const MachNodeParams *params, const MachNodeClient *client)
{
    MachNode *node = g_malloc0(sizeof *node + cores * sizeof node->cores[0]);
    node->number = number;
    node->n_cores = cores;
    node->params = *params;
    node->client = client;
    node->tasks = g_ptr_array_new_with_free_func(task_free);
    node->spare = g_ptr_array_new();
    for (uint32_t i = 0; i < cores; i++)
        node->cores[i].event_ps = UINT64_MAX;
    return node;
}

void mach_node_free(MachNode *node)
{
    if (!node)
        return;
    g_ptr_array_unref(node->tasks);
    g_ptr_array_unref(node->spare);
    g_free(node->noise);
    g_free(node);
}

void mach_node_set_noise(MachNode *node, uint32_t core, VmNoise *noise)
{
    node->cores[core].noise = noise;
}

void mach_node_own_noise(MachNode *node, void *noise)
{
    g_free(node->noise);
    node->noise = noise;
}

static MachTask *take_spare(MachNode *node)
{
    if (node->spare->len) {
        MachTask *task = g_ptr_array_steal_index(node->spare, node->spare->len - 1);
        g_free(task->set);
        *task = (MachTask){.index = task->index};
        return task;
    }
    MachTask *task = g_new0(MachTask, 1);
    task->index = node->tasks->len;
    g_ptr_array_add(node->tasks, task);
    return task;
}

/* Whether cores are scarce, so that changes between tasks show. A thread that sleeps wants none. */
static bool is_shared(const MachNode *node)
{
    return node->crowded || node->awake > node->n_cores;
}

MachTask *mach_node_add_task(MachNode *node, const MachTaskKind *kind, const MachTaskClient *client)
{
    MachTask *task = take_spare(node);
    task->node = node;
    task->client = client;
    task->serial = ++node->serials;
    task->priority = kind->priority;
    task->serves = kind->serves;
    task->pinned = kind->pinned || node->params.affinity == MACH_AFFINITY_CORE;
    task->thread = kind->thread;
    task->near = kind->near;
    task->set = mach_node_copy_set(node, kind->set);
    bool any = kind->core == MACH_ANY_CORE || !mach_node_core_is_in(task->set, kind->core % node->n_cores);
    task->core = any ? mach_node_least_core(node, task) : kind->core % node->n_cores;
    node->cores[task->core].tasks++;
    node->live++;
    node->lasting += !task->thread;
    node->crowded |= node->lasting > node->n_cores;
    return task;
}

/* -- processor time ---------------------------------------------------------------------------- */

static uint64_t through(const Core *core, uint64_t from_ps, uint64_t work_ps)
{
    if (core->noise)
        return core->noise->through(core->noise, from_ps, work_ps);
    return work_ps < UINT64_MAX - from_ps ? from_ps + work_ps : UINT64_MAX - 1;
}

static uint64_t work_between(const Core *core, uint64_t from_ps, uint64_t to_ps)
{
    if (to_ps <= from_ps)
        return 0;
    return core->noise ? core->noise->work(core->noise, from_ps, to_ps) : to_ps - from_ps;
}

uint64_t mach_node_consumed(const MachTask *task, uint64_t now_ps)
{
    if (task->state == TASK_SERVED)
        return task->demand_ps;
    uint64_t now_done = task->state == TASK_RUNNING ? work_between(core_of(task), task->since_ps, now_ps) : 0;
    return MIN(task->done_ps + now_done, task->demand_ps);
}

/* -- queues ------------------------------------------------------------------------------------ */

/* The order of a queue. */
static int rank_of(const MachTask *task)
{
    return 2 * task->priority + task->fresh;
}

static void insert(Core *core, MachTask *task, MachTask *before)
{
    task->next = before;
    task->before = before ? before->before : core->tail;
    *(task->before ? &task->before->next : &core->first) = task;
    *(before ? &before->before : &core->tail) = task;
}

static void insert_last(Core *core, MachTask *task)
{
    MachTask *before = NULL;
    for (MachTask *last = core->tail; last && rank_of(last) < rank_of(task); last = last->before)
        before = last;
    insert(core, task, before);
}

static void insert_first(Core *core, MachTask *task)
{
    MachTask *before = core->first;
    while (before && rank_of(before) > rank_of(task))
        before = before->next;
    insert(core, task, before);
}

static void take_out(Core *core, MachTask *task)
{
    *(task->before ? &task->before->next : &core->first) = task->next;
    *(task->next ? &task->next->before : &core->tail) = task->before;
}

static void count_working(MachTask *task, int change)
{
    core_of(task)->working += (uint32_t)change;
    task->node->working += (uint32_t)change;
}

static void put(Core *core, MachTask *task, bool first, uint64_t now_ps)
{
    task->state = TASK_QUEUED;
    (first ? insert_first : insert_last)(core, task);
    core->queued++;
    if (task->idle)
        return;
    task->ready_since_ps = now_ps;
    count_working(task, 1);
}

static void take(Core *core, MachTask *task)
{
    take_out(core, task);
    core->queued--;
    if (!task->idle)
        count_working(task, -1);
}

/* -- what a core waits for --------------------------------------------------------------------- */

static bool is_behind(const Core *core, const MachTask *task)
{
    return core->first && rank_of(core->first) > rank_of(task);
}

/* Whether others are to have the core at the end of the slice. */
static bool is_contended(const Core *core)
{
    const MachTask *current = core->current;
    if (!core->first || current->leaving)
        return false;
    return current->idle ? core->working > 0 : rank_of(core->first) >= 2 * current->priority;
}

static uint64_t next_event(const Core *core, MachNodeWait wait)
{
    const MachTask *current = core->current;
    uint64_t next = UINT64_MAX;
    if (!current || current->state == TASK_SERVED)
        return next;
    if (current->leaving || current->misplaced || is_behind(core, current) ||
        (current->idle && wait == MACH_WAIT_YIELD && core->working))
        return current->since_ps;
    if (!current->idle && current->demand_ps != MACH_DEMAND_UNKNOWN)
        next = through(core, current->since_ps, current->demand_ps - current->done_ps);
    if (is_contended(core))
        next = MIN(next, MAX(core->slice_end_ps, current->since_ps));
    return next;
}

static void plan(MachNode *node, Core *core)
{
    uint64_t next = next_event(core, node->params.wait);
    if (next == core->event_ps)
        return;
    core->event_ps = next;
    if (next != UINT64_MAX)
        node->client->at(node->client->user, node, MACH_NODE_CORE, (uint32_t)(core - node->cores), next);
}

/* A task that is alone on its core has one slice after the other. Returns to the one that it has now. */
static void renew_slice(const MachNode *node, Core *core, uint64_t now_ps)
{
    uint64_t slice_ps = node->params.slice_ps;
    if (core->slice_end_ps >= now_ps || core->first)
        return;
    core->slice_end_ps += (now_ps - core->slice_end_ps + slice_ps - 1) / slice_ps * slice_ps;
    core->current->fresh = false;
}

/* Several tasks of a core wait by polling, and nobody has something to do. Works out how often they have changed over
 * since the slice of the current one ended. */
static void catch_up(MachNode *node, Core *core, uint64_t now_ps)
{
    MachTask *current = core->current;
    if (!current || !current->idle || core->working || !core->first || node->params.wait != MACH_WAIT_POLL)
        return;
    uint64_t begin_ps = MAX(core->slice_end_ps, current->since_ps), n = core->queued + 1;
    uint64_t round_ps = node->params.slice_ps + node->params.switch_ps;
    if (now_ps <= begin_ps)
        return;
    uint64_t changes = 1 + (now_ps - begin_ps - 1) / round_ps;
    for (MachTask *task = core->first; task && changes >= n; task = task->next)
        task->switches += changes / n;
    current->switches += changes / n;
    for (uint64_t i = changes % n; i > 0; i--) {
        current->state = TASK_QUEUED;
        insert_last(core, current);
        current = core->first;
        take_out(core, current);
        current->switches++;
    }
    core->current = current;
    core->last = current->serial;
    current->state = TASK_RUNNING;
    current->since_ps = begin_ps + (changes - 1) * round_ps + node->params.switch_ps;
    core->slice_end_ps = current->since_ps + node->params.slice_ps;
}

/* -- who gets a core --------------------------------------------------------------------------- */

/* Returns the time of changing over to a task. Where there is a core for each, one that nobody else wants costs none.
 */
static uint64_t change_over(const MachNode *node, Core *core, MachTask *task)
{
    bool other = core->last && core->last != task->serial && (core->queued || node->bound || is_shared(node));
    core->last = task->serial;
    task->switches += other;
    return other ? node->params.switch_ps : 0;
}

/* Gives the core, which nobody has, to a task of its queue. */
static void start(MachNode *node, Core *core, MachTask *task, uint64_t time_ps)
{
    take(core, task);
    task->began_ps = time_ps;
    time_ps += change_over(node, core, task);
    core->current = task;
    node->used++;
    core->slice_end_ps = time_ps + (task->slice_left_ps ? task->slice_left_ps : node->params.slice_ps);
    task->slice_left_ps = 0;
    task->state = TASK_RUNNING;
    task->since_ps = time_ps;
    if (!task->idle && time_ps > task->ready_since_ps) {
        task->ready_ps += time_ps - task->ready_since_ps;
        task->ready_until_ps = time_ps;
        if (task->client->waited)
            task->client->waited(task->client->user, task, task->ready_since_ps, time_ps);
    }
    plan(node, core);
}

/* Returns the first task of a queue that has something to do, and, unless `to` is NULL, may go to that core. */
static MachTask *first_working(const MachNode *node, const Core *core, const Core *to)
{
    MachTask *task = core->working ? core->first : NULL;
    while (task &&
           (task->idle || (to && (task->pinned || !mach_node_core_is_in(task->set, (uint32_t)(to - node->cores))))))
        task = task->next;
    return task;
}

/* The core has nothing to do. Takes the task that has been ready for the longest time from another one. */
static void steal(MachNode *node, Core *core, uint64_t now_ps)
{
    MachTask *best = NULL;
    for (uint32_t i = 0; node->working && i < node->n_cores; i++) {
        MachTask *task = first_working(node, &node->cores[i], core);
        if (task && (!best || task->ready_since_ps < best->ready_since_ps))
            best = task;
    }
    if (!best)
        return;
    Core *other = core_of(best);
    uint64_t since_ps = best->ready_since_ps;
    take(other, best);
    mach_node_move_to(best, (uint32_t)(core - node->cores));
    put(core, best, false, since_ps);
    if (other->current)
        plan(node, other);
    start(node, core, best, now_ps);
}

/* Returns the next task of a queue. One that has had no turn while all others could have had many slices each, as those
 * that have slept come again and again, counts as one of these. */
static MachTask *next_of(const MachNode *node, Core *core, uint64_t now_ps)
{
    enum { MANY = 16 };
    MachTask *first = core->first, *task = first;
    while (task && task->fresh && task->priority == first->priority)
        task = task->next;
    uint64_t turns_ps = (core->queued + UINT64_C(1)) * (node->params.slice_ps + node->params.switch_ps) * MANY;
    if (task == first || !task || task->idle || task->priority != first->priority ||
        now_ps - MIN(task->ready_since_ps, now_ps) <= turns_ps)
        return first;
    task->fresh = true;
    return task;
}

/* Gives the core, which nobody has, to the next task. Those that wait by yielding pass it on. */
static void choose(MachNode *node, Core *core, uint64_t now_ps)
{
    uint64_t time_ps = now_ps;
    if (!core->first && node->working && node->params.affinity != MACH_AFFINITY_CORE)
        steal(node, core, now_ps);
    if (core->current)
        return;
    MachTask *task = core->first;
    for (uint32_t n = core->queued; task && task->idle && core->working && n && node->params.wait == MACH_WAIT_YIELD;
         n--) {
        take_out(core, task);
        insert_last(core, task);
        time_ps += change_over(node, core, task);
        task = core->first;
    }
    if (core->first)
        start(node, core, next_of(node, core, now_ps), time_ps);
    else
        plan(node, core);
}

/* The current task gives its core back. If it serves, and others wanted the core meanwhile, it has taken that time from
 * them, and that of changing over. */
static void count_taken(const MachNode *node, const Core *core, uint64_t now_ps)
{
    MachTask *current = core->current;
    uint64_t since_ps = UINT64_MAX;
    if (!current->serves)
        return;
    for (const MachTask *task = core->first; task; task = task->next)
        if (!task->idle && !task->serves)
            since_ps = MIN(since_ps, task->ready_since_ps);
    if (since_ps < now_ps)
        current->taken_ps += now_ps - MAX(since_ps, current->began_ps) + node->params.switch_ps;
}

/* Takes the core from its current task. `first`: the task is the next of its equals. */
static void displace(MachNode *node, Core *core, bool first, uint64_t now_ps)
{
    MachTask *current = core->current;
    current->done_ps = mach_node_consumed(current, now_ps);
    count_taken(node, core, now_ps);
    core->current = NULL;
    node->used--;
    put(core, current, first, now_ps);
}

static void settle(MachNode *node, Core *core, MachTask *woken, uint64_t now_ps);

/* The current task loses its core to one that has slept. If it has come to nothing several times, as sleeps are shorter
 * than switches, it counts as one that has slept, too. */
static void note_overtaken(MachTask *task, uint64_t now_ps)
{
    enum { OFTEN = 64 };
    task->overtaken = now_ps > task->since_ps ? 0 : task->overtaken + 1;
    if (task->overtaken < OFTEN)
        return;
    task->overtaken = 0;
    task->fresh = true;
}

/* Puts a task that nobody has queued into the queue of a core, in which it counts as being since a time. */
static void join_queue(MachNode *node, MachTask *task, uint32_t number, uint64_t since_ps, uint64_t now_ps)
{
    Core *core = &node->cores[number];
    mach_node_move_to(task, number);
    catch_up(node, core, now_ps);
    if (core->current)
        renew_slice(node, core, now_ps);
    put(core, task, false, since_ps);
}

/* The same for the core that suits the task best, which is returned. */
static Core *queue_up(MachNode *node, MachTask *task, uint64_t now_ps)
{
    Core *core = mach_node_choose_core(node, task);
    join_queue(node, task, (uint32_t)(core - node->cores), now_ps, now_ps);
    return core;
}

/* Takes a task, which nobody has queued, to a core that it may have. */
static void migrate(MachNode *node, MachTask *task, uint64_t now_ps)
{
    Core *core = queue_up(node, task, now_ps);
    settle(node, core, task->idle ? NULL : task, now_ps);
}

/* The current task of a core leaves it for another one. */
static void expel(MachNode *node, Core *core, uint64_t now_ps)
{
    MachTask *task = core->current;
    task->done_ps = mach_node_consumed(task, now_ps);
    task->misplaced = false;
    core->current = NULL;
    node->used--;
    migrate(node, task, now_ps);
}

/* Looks whether the core is to change over now, before the end of a slice. `woken` is a task of the queue that has just
 * got something to do, or NULL. */
static void settle(MachNode *node, Core *core, MachTask *woken, uint64_t now_ps)
{
    MachTask *current = core->current;
    if (current && current->state == TASK_RUNNING && current->since_ps <= now_ps) {
        if (current->leaving) {
            count_taken(node, core, now_ps);
            current->leaving = false;
            current->state = TASK_ASLEEP;
            node->awake--;
            core->current = NULL;
            node->used--;
        } else if (current->misplaced) {
            expel(node, core, now_ps);
        } else if (current->idle && core->working && node->params.wait == MACH_WAIT_YIELD) {
            MachTask *next = woken && core->working == 1 ? woken : first_working(node, core, NULL);
            assert(next); /* one of the queue is working */
            displace(node, core, false, now_ps);
            start(node, core, next, now_ps);
            return;
        } else if (is_behind(core, current)) {
            note_overtaken(current, now_ps);
            current->slice_left_ps = core->slice_end_ps > now_ps ? core->slice_end_ps - now_ps : 0;
            displace(node, core, true, now_ps);
            start(node, core, core->first, now_ps);
            return;
        }
    }
    if (core->current)
        plan(node, core);
    else
        choose(node, core, now_ps);
}

/* -- tasks become ready ------------------------------------------------------------------------ */

static void make_ready(MachTask *task, uint64_t now_ps)
{
    MachNode *node = task->node;
    Core *core = queue_up(node, task, now_ps);
    task->ready_since_ps = task->asked_ps;
    settle(node, core, task, now_ps);
}

static void set_stint(MachTask *task, uint64_t demand_ps)
{
    task->idle = task->leaving = false;
    task->demand_ps = demand_ps;
    task->done_ps = 0;
}

static void add_demand(uint64_t *sum_ps, uint64_t demand_ps)
{
    *sum_ps =
        *sum_ps == MACH_DEMAND_UNKNOWN || demand_ps == MACH_DEMAND_UNKNOWN ? MACH_DEMAND_UNKNOWN : *sum_ps + demand_ps;
}

/* A task that is asked at asked_ps to do something is awake after awake_ps. */
static void begin(MachTask *task, uint64_t now_ps, uint64_t asked_ps, uint64_t awake_ps, uint64_t demand_ps)
{
    MachNode *node = task->node;
    assert(task->state == TASK_ASLEEP && asked_ps >= now_ps);
    node->now_ps = now_ps;
    set_stint(task, demand_ps);
    task->asked_ps = asked_ps;
    task->wake_ps = asked_ps + awake_ps;
    if (task->wake_ps == now_ps) {
        make_ready(task, now_ps);
        return;
    }
    task->state = TASK_TIMED;
    node->client->at(node->client->user, node, MACH_NODE_TIMER, task->index, task->wake_ps);
}

void mach_node_begin(MachTask *task, uint64_t now_ps, uint64_t time_ps, uint64_t demand_ps)
{
    task->node->awake++;
    begin(task, now_ps, time_ps, 0, demand_ps);
}

static void wake_sleeper(MachTask *task, uint64_t now_ps, uint64_t time_ps, uint64_t demand_ps)
{
    MachNode *node = task->node;
    node->awake++;
    bool shared = is_shared(node);
    task->fresh = shared && node->params.preemption == MACH_PREEMPTION_WAKE_UP;
    begin(task, now_ps, time_ps, shared ? node->params.wake_up_ps : 0, demand_ps);
}

/* A task that waits, but not asleep, has something to do. */
static void wake_idle(MachTask *task, uint64_t now_ps, uint64_t demand_ps)
{
    Core *core = core_of(task);
    bool queued = task->state == TASK_QUEUED;
    if (!queued) {
        renew_slice(task->node, core, now_ps);
        task->since_ps = MAX(task->since_ps, now_ps);
    } else {
        task->ready_since_ps = now_ps;
        count_working(task, 1);
    }
    set_stint(task, demand_ps);
    settle(task->node, core, queued ? task : NULL, now_ps);
}

void mach_node_adopt(MachTask *task, uint64_t now_ps)
{
    MachNode *node = task->node;
    Core *core = core_of(task);
    assert(task->state == TASK_ASLEEP && !core->current);
    node->now_ps = now_ps;
    set_stint(task, 0);
    task->state = TASK_SERVED;
    node->awake++;
    task->since_ps = now_ps;
    core->current = task;
    core->last = task->serial;
    core->slice_end_ps = now_ps + node->params.slice_ps;
    node->used++;
}

void mach_node_bind(MachTask *task, const uint64_t *set, uint64_t now_ps)
{
    MachNode *node = task->node;
    Core *core = core_of(task);
    node->now_ps = now_ps;
    catch_up(node, core, now_ps);
    g_free(task->set);
    task->set = mach_node_copy_set(node, set);
    bool may = mach_node_core_is_in(task->set, task->core),
         has = task->state == TASK_RUNNING || task->state == TASK_SERVED;
    task->misplaced = has && !may;
    if (may || task->state == TASK_ENDED)
        return;
    if (has) {
        settle(node, core, NULL, now_ps);
    } else if (task->state == TASK_QUEUED) {
        uint64_t since_ps = task->ready_since_ps;
        take(core, task);
        if (core->current)
            plan(node, core);
        join_queue(node, task, mach_node_least_core(node, task), since_ps, now_ps);
        settle(node, core_of(task), task->idle ? NULL : task, now_ps);
    } else {
        mach_node_move_to(task, mach_node_least_core(node, task));
    }
}

void mach_node_wake(MachTask *task, uint64_t now_ps, uint64_t time_ps, uint64_t demand_ps)
{
    MachNode *node = task->node;
    assert(time_ps >= now_ps && task->state != TASK_ENDED);
    node->now_ps = now_ps;
    catch_up(node, core_of(task), now_ps);
    if (task->state == TASK_ASLEEP) {
        wake_sleeper(task, now_ps, time_ps, demand_ps);
    } else if (task->idle) {
        wake_idle(task, now_ps, demand_ps);
    } else if (task->state == TASK_SERVED) {
        add_demand(&task->more_ps, demand_ps);
    } else if (task->leaving) { /* it has not gone to sleep yet */
        set_stint(task, demand_ps);
        plan(node, core_of(task));
    } else {
        add_demand(&task->demand_ps, demand_ps);
        if (task->state == TASK_RUNNING)
            plan(node, core_of(task));
    }
}

void mach_node_demand(MachTask *task, uint64_t demand_ps)
{
    assert(!task->idle && !task->leaving && demand_ps >= task->done_ps);
    task->demand_ps = demand_ps;
    if (task->state == TASK_RUNNING)
        plan(task->node, core_of(task));
}

/* -- after a stint ----------------------------------------------------------------------------- */

static void continue_from(MachTask *task, uint64_t from_ps)
{
    assert(task->state == TASK_SERVED && from_ps >= task->node->now_ps);
    task->state = TASK_RUNNING;
    task->since_ps = from_ps;
}

void mach_node_keep(MachTask *task)
{
    assert(task->state == TASK_SERVED);
    set_stint(task, 0);
}

void mach_node_kept(MachTask *task, uint64_t now_ps)
{
    assert(task->state == TASK_SERVED && now_ps >= task->node->now_ps);
    task->node->now_ps = now_ps;
}

void mach_node_go_on(MachTask *task, uint64_t from_ps, uint64_t demand_ps)
{
    continue_from(task, from_ps);
    add_demand(&demand_ps, task->more_ps);
    task->more_ps = 0;
    set_stint(task, demand_ps);
    settle(task->node, core_of(task), NULL, task->node->now_ps);
}

void mach_node_yield(MachTask *task, uint64_t from_ps, uint64_t demand_ps)
{
    Core *core = core_of(task);
    task->fresh = false;
    if (core->working)
        core->slice_end_ps = from_ps;
    mach_node_go_on(task, from_ps, demand_ps);
}

void mach_node_wait(MachTask *task, uint64_t from_ps)
{
    if (task->more_ps) {
        mach_node_go_on(task, from_ps, 0);
        return;
    }
    if (task->node->params.wait == MACH_WAIT_SLEEP) {
        mach_node_sleep(task, from_ps);
        return;
    }
    continue_from(task, from_ps);
    task->idle = true;
    task->fresh = false;
    task->done_ps = 0;
    task->demand_ps = MACH_DEMAND_UNKNOWN;
    settle(task->node, core_of(task), NULL, task->node->now_ps);
}

void mach_node_sleep(MachTask *task, uint64_t from_ps)
{
    if (task->more_ps) {
        mach_node_go_on(task, from_ps, 0);
        return;
    }
    continue_from(task, from_ps);
    task->leaving = true;
    settle(task->node, core_of(task), NULL, task->node->now_ps);
}

void mach_node_stop(MachTask *task, uint64_t from_ps)
{
    if (task->state == TASK_SERVED) {
        mach_node_sleep(task, MAX(from_ps, task->node->now_ps));
    } else if (task->state == TASK_RUNNING) {
        task->since_ps = MAX(from_ps, task->since_ps);
        task->leaving = true;
        settle(task->node, core_of(task), NULL, task->node->now_ps);
    }
}

void mach_node_end(MachTask *task, uint64_t now_ps)
{
    MachNode *node = task->node;
    Core *core = core_of(task);
    node->now_ps = now_ps;
    catch_up(node, core, now_ps);
    TaskState state = task->state;
    if (state == TASK_ENDED)
        return;
    if (state == TASK_QUEUED) {
        take(core, task);
        if (!task->idle)
            task->ready_ps += now_ps - task->ready_since_ps;
    }
    task->state = TASK_ENDED;
    node->live--;
    node->awake -= state != TASK_ASLEEP;
    node->lasting -= !task->thread;
    core->tasks--;
    if (core->current == task) {
        core->current = NULL;
        node->used--;
    }
    settle(node, core, NULL, now_ps);
}

void mach_node_remove(MachTask *task, uint64_t now_ps)
{
    mach_node_end(task, now_ps);
    g_ptr_array_add(task->node->spare, task);
}

/* -- events ------------------------------------------------------------------------------------ */

bool mach_node_expects(const MachNode *node, MachNodeEvent kind, uint32_t index, uint64_t time_ps)
{
    if (kind == MACH_NODE_CORE)
        return node->cores[index].event_ps == time_ps;
    const MachTask *task = g_ptr_array_index(node->tasks, index);
    return task->state == TASK_TIMED && task->wake_ps == time_ps;
}

static bool has_had_all(const Core *core, const MachTask *task, uint64_t now_ps)
{
    return !task->idle && !task->leaving && task->demand_ps != MACH_DEMAND_UNKNOWN && task->since_ps <= now_ps &&
           through(core, task->since_ps, task->demand_ps - task->done_ps) <= now_ps;
}

static void core_event(MachNode *node, Core *core, uint64_t now_ps)
{
    MachTask *current = core->current;
    core->event_ps = UINT64_MAX;
    if (has_had_all(core, current, now_ps)) {
        current->state = TASK_SERVED;
        current->client->served(current->client->user, current, now_ps);
    } else if (is_contended(core) && MAX(core->slice_end_ps, current->since_ps) <= now_ps &&
               !(current->idle && node->params.wait == MACH_WAIT_YIELD)) {
        current->fresh = false;
        displace(node, core, false, now_ps);
        choose(node, core, now_ps);
    } else {
        settle(node, core, NULL, now_ps);
    }
}

void mach_node_event(MachNode *node, MachNodeEvent kind, uint32_t index, uint64_t now_ps)
{
    if (!mach_node_expects(node, kind, index, now_ps))
        return;
    node->now_ps = now_ps;
    if (kind == MACH_NODE_CORE)
        core_event(node, &node->cores[index], now_ps);
    else
        make_ready(g_ptr_array_index(node->tasks, index), now_ps);
}

uint64_t mach_node_switches(const MachTask *task, uint64_t now_ps)
{
    if (task->state != TASK_ENDED)
        catch_up(task->node, core_of(task), now_ps);
    return task->switches;
}
