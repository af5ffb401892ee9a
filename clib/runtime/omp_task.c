/* omp_task.c - OpenMP's tasks: queues, dependences, taskwait, taskgroup, taskloop.
 *
 * A task that is ready stands in three queues: that of its team, of its parent's children, and of its group. Whoever
 * waits takes from the queue of what he waits for, so that a thread never buries a task under one that is not its
 * descendant. Who waits for a group also takes his other children, on which those of the group may depend. Queues are
 * in the order of priorities. Among equals the team's begins with the oldest task, the others with the youngest, as in
 * libgomp.
 *
 * Dependences are kept by the parent, for its children: of each address the last task that writes there, and those that
 * read since. A task's lists change behind the lock of the team.
 */
#include "omp_team.h"

#include <stdlib.h>
#include <string.h>

enum { TASKS_PER_THREAD = 64 }; /* where a team has more of them unfinished, new ones are done at once */

static void *allocate(unsigned long size)
{
    void *memory = malloc(size);
    if (!memory)
        abort();
    return memory;
}

static void lock(struct omp_team *team)
{
    if (team->n > 1)
        __omp_lock(&team->lock);
}

static void unlock(struct omp_team *team)
{
    if (team->n > 1)
        __omp_unlock(&team->lock);
}

/* -- queues ------------------------------------------------------------------------------------ */

static void insert(struct omp_queue *queue, struct omp_task *task, unsigned which, bool youngest_first)
{
    struct omp_task *before = queue->last, *behind = queue->first;
    if (youngest_first) {
        while (behind && behind->priority > task->priority)
            behind = behind->link[which].next;
        before = behind ? behind->link[which].previous : queue->last;
    } else {
        while (before && before->priority < task->priority)
            before = before->link[which].previous;
        behind = before ? before->link[which].next : queue->first;
    }
    task->link[which] = (struct omp_link){behind, before};
    *(before ? &before->link[which].next : &queue->first) = task;
    *(behind ? &behind->link[which].previous : &queue->last) = task;
}

static void take_out(struct omp_queue *queue, struct omp_task *task, unsigned which)
{
    struct omp_link *link = &task->link[which];
    *(link->previous ? &link->previous->link[which].next : &queue->first) = link->next;
    *(link->next ? &link->next->link[which].previous : &queue->last) = link->previous;
}

static void make_ready(struct omp_team *team, struct omp_task *task)
{
    insert(&team->ready, task, OMP_OF_TEAM, false);
    insert(&task->parent->children.ready, task, OMP_OF_PARENT, true);
    if (task->group)
        insert(&task->group->tasks.ready, task, OMP_OF_GROUP, true);
}

static struct omp_task *take(struct omp_team *team, const struct omp_queue *queue)
{
    struct omp_task *task = queue->first;
    if (task) {
        take_out(&team->ready, task, OMP_OF_TEAM);
        take_out(&task->parent->children.ready, task, OMP_OF_PARENT);
        if (task->group)
            take_out(&task->group->tasks.ready, task, OMP_OF_GROUP);
    }
    return task;
}

/* -- dependences ------------------------------------------------------------------------------- */

struct reader {
    struct reader *next;
    struct omp_task *task;
};
struct address {
    struct address *next; /* in its bucket */
    const void *address;
    struct omp_task *writer; /* NULL: none */
    struct reader *readers;  /* since then, the last one first */
};
struct omp_table {
    unsigned long n, n_buckets; /* a power of two */
    struct address **buckets;
};

static void forget(struct omp_task *task)
{
    if (--task->references == 0)
        free(task);
}

static void forget_readers(struct address *a)
{
    while (a->readers) {
        struct reader *reader = a->readers;
        a->readers = reader->next;
        forget(reader->task);
        free(reader);
    }
}

static void free_table(struct omp_table *table)
{
    if (!table)
        return;
    for (unsigned long i = 0; i < table->n_buckets; i++)
        while (table->buckets[i]) {
            struct address *a = table->buckets[i];
            table->buckets[i] = a->next;
            if (a->writer)
                forget(a->writer);
            forget_readers(a);
            free(a);
        }
    free(table->buckets);
    free(table);
}

static unsigned long bucket_of(const struct omp_table *table, const void *address)
{
    unsigned long key = (unsigned long)address;
    return (key ^ key >> 7 ^ key >> 15) >> 2 & (table->n_buckets - 1);
}

static void grow(struct omp_table *table)
{
    struct omp_table bigger = {.n = table->n, .n_buckets = table->n_buckets ? table->n_buckets * 4 : 16};
    bigger.buckets = calloc(bigger.n_buckets, sizeof *bigger.buckets);
    if (!bigger.buckets)
        abort();
    for (unsigned long i = 0; i < table->n_buckets; i++)
        while (table->buckets[i]) {
            struct address *a = table->buckets[i], **place = &bigger.buckets[bucket_of(&bigger, a->address)];
            table->buckets[i] = a->next;
            a->next = *place;
            *place = a;
        }
    free(table->buckets);
    *table = bigger;
}

/* Returns the entry of an address; makes it if `make`, else returns NULL if there is none. */
static struct address *entry_of(struct omp_task *parent, const void *address, bool make)
{
    struct omp_table *table = parent->table;
    if (!table && !make)
        return NULL;
    if (!table) {
        table = parent->table = allocate(sizeof *table);
        *table = (struct omp_table){0};
    }
    if (make && table->n >= table->n_buckets)
        grow(table);
    struct address **place = &table->buckets[bucket_of(table, address)];
    while (*place && (*place)->address != address)
        place = &(*place)->next;
    if (!*place && make) {
        *place = allocate(sizeof **place);
        **place = (struct address){.address = address};
        table->n++;
    }
    return *place;
}

static void follow(struct omp_task *first, struct omp_task *task)
{
    if (!first || first == task || __ORRERY_NOTE(first->finished, __ORRERY_GATHERS))
        return;
    struct omp_successor *edge = allocate(sizeof *edge);
    *edge = (struct omp_successor){NULL, task};
    *(first->successors ? first->last_successor : &first->successors) = edge;
    first->last_successor = &edge->next;
    task->blocked++;
}

static void drop_finished_readers(struct address *a)
{
    for (struct reader **place = &a->readers; *place;) {
        struct reader *reader = *place;
        if (!__ORRERY_NOTE(__ORRERY_NOTE(reader->task, __ORRERY_GATHERS + __ORRERY_ASIDE)->finished,
                           __ORRERY_GATHERS + __ORRERY_ASIDE)) {
            place = &reader->next;
            continue;
        }
        *place = reader->next;
        forget(reader->task);
        free(reader);
    }
}

/* Makes the task wait for those before it. `keep`: later ones will wait for it in turn. */
static void depend(struct omp_task *task, unsigned n, const struct __omp_depend *depends, bool keep)
{
    for (unsigned i = 0; i < n; i++) {
        struct address *a = entry_of(task->parent, depends[i].address, keep);
        bool writes = depends[i].kind != __OMP_DEPEND_IN;
        if (!a)
            continue;
        follow(a->writer, task);
        for (struct reader *reader = a->readers; writes && reader; reader = reader->next)
            follow(__ORRERY_NOTE(reader->task, __ORRERY_GATHERS), task);
        if (!keep || a->writer == task) /* the task has named the address before */
            continue;
        if (writes) {
            task->references++;
            forget_readers(a);
            if (a->writer)
                forget(a->writer);
            a->writer = task;
        } else {
            drop_finished_readers(a);
            struct reader *reader = allocate(sizeof *reader);
            reader->next = a->readers;
            __ORRERY_NOTE(reader->task, __ORRERY_RELEASES + __ORRERY_ASIDE) = task; /* for those just dropped */
            a->readers = reader;
            task->references++;
        }
    }
}

/* -- running tasks ----------------------------------------------------------------------------- */

void __omp_task_begin_implicit(struct omp_task *task, const struct omp_icvs *icvs)
{
    memset(task, 0, sizeof *task);
    task->references = 1;
    task->icvs = *icvs;
}

void __omp_task_end_implicit(struct omp_task *task)
{
    free_table(task->table);
}

/* What a task that ends changes for one who waits. Returns the word at which to wake him, or NULL. */
static int *tell(struct omp_sleeper *sleeper, bool over)
{
    if (!sleeper->sleeping || !(over || sleeper->unfinished == 0 || sleeper->ready.first))
        return NULL;
    sleeper->event++;
    sleeper->sleeping = false;
    return &sleeper->event;
}

/* Makes those ready that depend on the task alone. Returns how many; *over: one of them is awaited by the parent. */
static unsigned set_free(struct omp_team *team, struct omp_task *task, bool *over)
{
    unsigned n = 0;
    *over = false;
    while (task->successors) {
        struct omp_successor *edge = task->successors;
        task->successors = edge->next;
        if (--__ORRERY_NOTE(edge->task->blocked, __ORRERY_RELEASES) == 0) {
            if (edge->task->counted) {
                make_ready(team, edge->task);
                n++;
            } else {
                *over = true;
            }
        }
        free(edge);
    }
    return n;
}

static void finish(struct omp_team *team, struct omp_task *task)
{
    struct omp_task *parent = task->parent;
    struct omp_group *group = task->group;
    int *words[3] = {NULL, NULL, NULL};
    bool over;
    if (!task->counted && task->references == 1 && !task->table) { /* nobody knows it, and no child is left */
        free(task);
        return;
    }
    lock(team);
    free_table(task->table);
    task->table = NULL;
    __ORRERY_NOTE(task->finished, __ORRERY_RELEASES) = true;
    unsigned ready = set_free(team, task, &over);
    if (ready && parent->in_group) /* what is ready now may be of another group than this task */
        words[2] = tell(&parent->group->tasks, true);
    if (task->counted) {
        __ORRERY_NOTE(parent->children.unfinished, __ORRERY_RELEASES)--;
        words[0] = tell(&parent->children, over);
        if (group) {
            __ORRERY_NOTE(group->tasks.unfinished, __ORRERY_RELEASES)--;
            words[1] = tell(&group->tasks, false);
        }
        __ORRERY_NOTE(team->unfinished, __ORRERY_TASK) = team->unfinished - 1;
        forget(parent);
    }
    bool last = team->unfinished == 0;
    forget(task);
    unlock(team);
    for (unsigned i = 0; i < 3; i++)
        if (words[i])
            __orrery_wake(words[i], 1);
    if (last && __omp_globals.cancellation)
        __omp_notify(team, INT_MAX); /* a barrier may be over */
    else if (ready > 1)
        __omp_notify(team, (int)ready - 1); /* this thread does one itself */
}

static bool is_dropped(const struct omp_team *team, const struct omp_task *task)
{
    return __omp_globals.cancellation && (team->cancelled || (task->group && task->group->cancelled));
}

static void run(struct omp_thread *me, struct omp_task *task)
{
    struct omp_task *outer = me->at.task;
    struct __omp_loop *loop = me->at.loop;
    struct omp_team *team = me->at.team;
    me->at.task = task;
    me->at.loop = NULL;
    if (!__ORRERY_NOTE(task->counted, __ORRERY_TASK + __ORRERY_ACQUIRES) || !is_dropped(team, task))
        task->body(task->record);
    me->at.task = outer;
    me->at.loop = loop;
    finish(team, task);
}

bool __omp_task_run_ready(struct omp_thread *me)
{
    struct omp_team *team = me->at.team;
    if (!team->ready.first)
        return false;
    lock(team);
    struct omp_task *task = take(team, &team->ready);
    bool more = team->ready.first != NULL;
    unlock(team);
    if (!task)
        return false;
    if (more)
        __omp_notify(team, 1);
    run(me, task);
    return true;
}

/* -- waiting for tasks ------------------------------------------------------------------------- */

/* Does the tasks of a sleeper, which is one of the running task's, until *left is 0. */
static void wait_for(struct omp_thread *me, struct omp_sleeper *tasks, const unsigned *left)
{
    struct omp_team *team = me->at.team;
    struct omp_task *self = me->at.task;
    for (;;) {
        lock(team);
        bool over = __ORRERY_NOTE(*left, __ORRERY_ACQUIRES) == 0;
        struct omp_task *task = over ? NULL : take(team, tasks->ready.first ? &tasks->ready : &self->children.ready);
        int seen = tasks->event;
        tasks->sleeping = !over && !task;
        self->in_group = tasks->sleeping && tasks != &self->children;
        unlock(team);
        if (over)
            return;
        if (task)
            run(me, task);
        else
            __orrery_wait(&tasks->event, seen, __ORRERY_NEVER);
    }
}

void __omp_taskwait(void)
{
    struct omp_thread *me = __omp_self();
    struct omp_task *task = me->at.task;
    if (__ORRERY_NOTE(task->children.unfinished, __ORRERY_ACQUIRES))
        wait_for(me, &task->children, &task->children.unfinished);
}

/* Waits until the tasks are done on which `task`, one that is not kept, depends. */
static void wait_depend(struct omp_thread *me, struct omp_task *task, unsigned n, const struct __omp_depend *depends)
{
    lock(me->at.team);
    depend(task, n, depends, false);
    unlock(me->at.team);
    if (__ORRERY_NOTE(task->blocked, __ORRERY_GATHERS + __ORRERY_ACQUIRES))
        wait_for(me, &me->at.task->children, &task->blocked);
}

void __omp_taskwait_depend(unsigned n_depends, const struct __omp_depend *depends)
{
    struct omp_thread *me = __omp_self();
    struct omp_task probe = {.parent = me->at.task};
    wait_depend(me, &probe, n_depends, depends);
}

void __omp_taskyield(void)
{
    __orrery_turn();
}

void __omp_taskgroup_begin(void)
{
    struct omp_thread *me = __omp_self();
    struct omp_group *group = allocate(sizeof *group);
    *group = (struct omp_group){.outer = me->at.task->group};
    me->at.task->group = group;
}

void __omp_taskgroup_end(void)
{
    struct omp_thread *me = __omp_self();
    struct omp_group *group = me->at.task->group;
    if (!group)
        return;
    if (__ORRERY_NOTE(group->tasks.unfinished, __ORRERY_ACQUIRES))
        wait_for(me, &group->tasks, &group->tasks.unfinished);
    me->at.task->group = group->outer;
    free(group);
}

/* -- making tasks ------------------------------------------------------------------------------ */

/* A task lies in front of its record, which stands behind a pointer to it. */
void *__omp_task_new(void (*body)(void *record), unsigned long size, unsigned long align)
{
    if (align < sizeof(void *))
        align = sizeof(void *);
    struct omp_task *task = allocate(sizeof *task + sizeof task + align + size);
    memset(task, 0, sizeof *task);
    task->body = body;
    task->size = size;
    task->align = align;
    task->record = (void *)(((unsigned long)(task + 1) + sizeof task + align - 1) & -align);
    ((struct omp_task **)task->record)[-1] = task;
    return task->record;
}

struct omp_task *__omp_task_of(void *record)
{
    return ((struct omp_task **)record)[-1];
}

void __omp_task(void *record, unsigned flags, int priority, unsigned n_depends, const struct __omp_depend *depends)
{
    struct omp_thread *me = __omp_self();
    struct omp_team *team = me->at.team;
    struct omp_task *task = __omp_task_of(record), *parent = me->at.task;
    task->parent = parent;
    task->group = parent->group;
    task->icvs = parent->icvs;
    task->references = 1;
    task->final = parent->final || flags & __OMP_TASK_FINAL;
    task->priority = priority > __omp_globals.most_priority ? __omp_globals.most_priority : priority > 0 ? priority : 0;
    if (team->level == 0 || parent->final || flags & __OMP_TASK_UNDEFERRED ||
        team->unfinished > TASKS_PER_THREAD * team->n) {
        if (n_depends && parent->table)
            wait_depend(me, task, n_depends, depends);
        run(me, task);
        return;
    }
    __orrery_thread_charge(__ORRERY_COST_TASK, 1);
    task->counted = true;
    lock(team);
    team->unfinished++;
    parent->children.unfinished++;
    parent->references++;
    if (task->group)
        task->group->tasks.unfinished++;
    depend(task, n_depends, depends, true);
    bool ready = __ORRERY_NOTE(task->blocked, __ORRERY_TASK + __ORRERY_RELEASES) == 0;
    if (ready)
        make_ready(team, task);
    unlock(team);
    if (ready)
        __omp_notify(team, 1);
}

/* Returns a copy of a record that no task has started with. */
static unsigned long *copy_of(const void *record, const struct omp_task *task)
{
    void *copy = __omp_task_new(task->body, task->size, task->align);
    return memcpy(copy, record, task->size);
}

void __omp_taskloop(void *record, unsigned flags, int priority, unsigned long n, unsigned long grainsize,
                    unsigned long num_tasks)
{
    struct omp_task *task = __omp_task_of(record);
    unsigned long tasks = grainsize ? n / grainsize : num_tasks ? num_tasks : __omp_self()->at.team->n;
    tasks = tasks > n ? n : tasks;
    tasks = tasks == 0 && n ? 1 : tasks;
    if (!(flags & __OMP_TASK_NOGROUP))
        __omp_taskgroup_begin();
    unsigned long each = tasks ? n / tasks : 0, more = tasks ? n % tasks : 0, from = 0;
    for (unsigned long i = 0; i < tasks; i++) {
        unsigned long *piece = copy_of(record, task), to = from + each + (i < more);
        piece[0] = from;
        piece[1] = to;
        __omp_task(piece, flags, priority, 0, NULL);
        from = to;
    }
    free(task);
    if (!(flags & __OMP_TASK_NOGROUP))
        __omp_taskgroup_end();
}
