/* explorer.c - a program in all orders that MPI may choose.
 *
 * An execution is a complete simulation in which some choices are forced (mpi/watch/choices.h). It records which
 * choices it made, which depend on which, and which alternatives each had. For each alternative of a choice c there
 * must be an execution that begins with everything in this one that does not depend on c, and then makes c in the other
 * way. If no execution so far does that, one is run with these choices forced. This is stateless exploration with the
 * reversal of races of dynamic partial order reduction (Flanagan, Godefroid, POPL 2005; Abdulla, Aronis, Jonsson,
 * Sagonas, POPL 2014), with choices for events.
 *
 * Why the search is complete. Suppose that an execution T is missing. Of the executions that were run, let E be the one
 * that agrees with T for longest, in the choices P. Next in T comes t, a choice that E makes in another way, e. (If E
 * made it as t, or never, E would agree with T for longer, or not have ended.) What makes t possible has happened with
 * P. So it happens in E and does not depend on e. Hence E recorded t as an alternative, and there is an execution that
 * begins with everything that does not depend on e, which includes P, and then makes t. It agrees with T for longer
 * than E does, a contradiction.
 *
 * Why nothing is run twice: an execution is forced to begin in a way in which none before it does.
 *
 * Executions count in the order in which they were requested, so the first failure needs the fewest changes. Threads
 * run ahead on the next ones in that order, and results that turn out not to be needed are dropped. So results do not
 * depend on threads. */
#include "machine/explore/execution.h"

#include <string.h>

enum { AHEAD = 4 }; /* executions that each thread may be ahead */
enum { ENDLESS = 100 };
#define ENDLESS_PS UINT64_C(10000000000) /* 10 ms, added to ENDLESS times the first execution's time */

typedef enum ItemState { ITEM_WAITS, ITEM_RUNS, ITEM_DONE } ItemState;

typedef struct Item { /* an execution to be run */
    GArray *forced;
    uint32_t depth;
    ItemState state;
    MachExecution *result;
} Item;

struct MachExplorer {
    MachExecutionSetup setup;
    MachExploreOptions limits;
    GPtrArray *queue; /* Item; NULL: merged already */
    guint merged;     /* number of items that are merged */
    GHashTable *points, *known, *wanted;
    GHashTable *waiting; /* uint64_t: locations of polls that only wait: alternatives in which they find nothing at
                            first are dropped */
    GArray *runs_with;   /* by number in `known` (a choice made in one way): GArray of guint64, bit i: in execution i */
    MachExploration *result;
    GMutex lock;
    GCond changed;
    GPtrArray *machines; /* those that run now */
    bool interrupted;
    bool closing; /* the results of what still runs are not needed any more */
    uint64_t runs;
};

/* -- choices as keys --------------------------------------------------------------------------- */

static guint choice_hash(gconstpointer key)
{
    const MpiChoice *choice = key;
    uint64_t mixed = ((uint64_t)choice->rank << 32 ^ choice->number) * UINT64_C(0x9e3779b97f4a7c15);
    return (guint)((mixed ^ mixed >> 29 ^ (uint64_t)choice->taken) * UINT64_C(0xbf58476d1ce4e5b9) >> 32);
}

static gboolean choice_equal(gconstpointer a, gconstpointer b)
{
    const MpiChoice *x = a, *y = b;
    return x->rank == y->rank && x->number == y->number && x->taken == y->taken;
}

static MpiChoice *choice_copy(const MpiChoice *choice)
{
    return g_memdup2(choice, sizeof *choice);
}

/* -- which executions begin how ---------------------------------------------------------------- */

/* Returns the executions in which the choice was made this way, or NULL. */
static GArray *runs_with(const MachExplorer *explorer, const MpiChoice *choice)
{
    gpointer number = g_hash_table_lookup(explorer->known, choice);
    return number ? g_array_index(explorer->runs_with, GArray *, GPOINTER_TO_UINT(number) - 1) : NULL;
}

/* Returns whether some execution makes all of these choices in this way. */
static bool is_covered(const MachExplorer *explorer, const GArray *forced)
{
    guint words = (guint)(explorer->runs + 63) / 64;
    bool any = false;
    for (guint word = 0; word < words && !any; word++) {
        guint64 left = ~UINT64_C(0);
        if (word == words - 1 && explorer->runs % 64)
            left = (UINT64_C(1) << explorer->runs % 64) - 1;
        for (guint i = 0; i < forced->len && left; i++) {
            const GArray *runs = runs_with(explorer, &g_array_index(forced, MpiChoice, i));
            left &= runs && word < runs->len ? g_array_index(runs, guint64, word) : 0;
        }
        any = left != 0;
    }
    return any;
}

static void note_run(MachExplorer *explorer, const GArray *made)
{
    guint word = (guint)(explorer->runs / 64);
    for (guint i = 0; i < made->len; i++) {
        const MpiChoice *choice = &g_array_index(made, MpiChoice, i);
        GArray *runs = runs_with(explorer, choice);
        if (!runs) {
            runs = g_array_new(FALSE, TRUE, sizeof(guint64));
            g_array_append_val(explorer->runs_with, runs);
            g_hash_table_insert(explorer->known, choice_copy(choice), GUINT_TO_POINTER(explorer->runs_with->len));
        }
        if (runs->len <= word)
            g_array_set_size(runs, word + 1);
        g_array_index(runs, guint64, word) |= UINT64_C(1) << explorer->runs % 64;
    }
    explorer->runs++;
}

/* -- what was found ---------------------------------------------------------------------------- */

static void explored_free(void *data)
{
    MachExplored *explored = data;
    g_free(explored->what);
    g_free(explored->steps);
    g_free(explored->key);
    g_array_unref(explored->choices);
    g_free(explored);
}

/* Counts one more of what has this key. Returns a new element to be filled in, or NULL if the key is known. */
static MachExplored *count(GPtrArray *list, const char *key, const GArray *choices)
{
    for (guint i = 0; i < list->len; i++) {
        MachExplored *explored = list->pdata[i];
        if (strcmp(explored->key, key) == 0) {
            explored->runs++;
            return NULL;
        }
    }
    MachExplored *explored = g_new0(MachExplored, 1);
    explored->key = g_strdup(key);
    explored->runs = 1;
    explored->choices = g_array_copy((GArray *)choices);
    g_ptr_array_add(list, explored);
    return explored;
}

static void count_remarks(MachExplorer *explorer, const MachExecution *execution)
{
    for (guint i = 0; i < execution->remarks->len; i++) {
        const char *text = execution->remarks->pdata[i];
        MachExplored *fresh = count(explorer->result->remarks, text, execution->forced);
        if (fresh)
            fresh->what = g_strdup(text);
    }
}

/* Counts the choices that have an alternative that matters. Only in the end is it certain which polls only wait. */
static void count_points(MachExplorer *explorer, const MachExecution *execution)
{
    for (guint i = 0; i < execution->next->len; i++) {
        MpiChoice point = g_array_index(execution->made, MpiChoice, g_array_index(execution->points, guint, i));
        uint64_t place = g_array_index(execution->places, uint64_t, i), *known;
        point.taken = 0;
        known = g_hash_table_lookup(explorer->points, &point);
        if (!known)
            g_hash_table_insert(explorer->points, choice_copy(&point), g_memdup2(&place, sizeof place));
        else if (!place)
            *known = 0;
    }
}

static uint64_t number_of_points(const MachExplorer *explorer)
{
    GHashTableIter iterator;
    gpointer place;
    uint64_t n = 0;
    g_hash_table_iter_init(&iterator, explorer->points);
    while (g_hash_table_iter_next(&iterator, NULL, &place))
        n += !g_hash_table_contains(explorer->waiting, place);
    return n;
}

static void count_results(MachExplorer *explorer, const MachExecution *execution)
{
    MachExploration *result = explorer->result;
    MachExplored *fresh;
    if (execution->failure) {
        fresh = count(result->failures, execution->failure, execution->forced);
        if (fresh) {
            fresh->steps = g_strdup(execution->steps);
            fresh->stop = execution->stop;
            fresh->status = execution->status;
            fresh->limit_ps = explorer->setup.options.max_time_ps;
        }
    } else {
        fresh = count(result->outputs, execution->output, execution->forced);
        if (fresh)
            fresh->what = g_strdup(execution->printed);
    }
    result->unfinished = result->unfinished || execution->stop == MACH_STOP_MAX_TIME;
    count_remarks(explorer, execution);
    count_points(explorer, execution);
}

/* -- the queue --------------------------------------------------------------------------------- */

static void item_free(void *data)
{
    Item *item = data;
    if (!item)
        return;
    g_array_unref(item->forced);
    mach_execution_free(item->result);
    g_free(item);
}

static void want(MachExplorer *explorer, GArray *forced, uint32_t depth)
{
    GString *key = g_string_new(NULL);
    mpi_choices_print(forced, key);
    bool known = !g_hash_table_add(explorer->wanted, g_string_free(key, FALSE)) || is_covered(explorer, forced);
    bool deep = explorer->limits.max_depth && depth > explorer->limits.max_depth;
    explorer->result->limited = explorer->result->limited || (deep && !known);
    if (known || deep)
        return;
    Item *item = g_new0(Item, 1);
    item->forced = g_array_ref(forced);
    item->depth = depth;
    g_ptr_array_add(explorer->queue, item);
}

static void forget(MachExplorer *explorer, guint i)
{
    item_free(explorer->queue->pdata[i]);
    explorer->queue->pdata[i] = NULL;
}

/* Takes in the result of an execution, when its turn has come. */
static void merge(MachExplorer *explorer, Item *item)
{
    MachExecution *execution = item->result;
    if (execution->interrupted) {
        explorer->interrupted = true;
        return;
    }
    if (execution->missed) { /* unexpected: the alternative does not exist */
        explorer->result->limited = true;
        return;
    }
    for (guint i = 0; i < execution->waiting->len; i++)
        g_hash_table_add(explorer->waiting,
                         g_memdup2(&g_array_index(execution->waiting, uint64_t, i), sizeof(uint64_t)));
    if (explorer->runs && is_covered(explorer, execution->made)) /* differs only in waiting longer */
        return;
    note_run(explorer, execution->made);
    count_results(explorer, execution);
    for (guint i = 0; i < execution->next->len; i++)
        if (!g_hash_table_contains(explorer->waiting, &g_array_index(execution->places, uint64_t, i)))
            want(explorer, execution->next->pdata[i], item->depth + 1);
}

/* -- threads ----------------------------------------------------------------------------------- */

static void begin_machine(void *user, Machine *machine)
{
    MachExplorer *explorer = user;
    g_mutex_lock(&explorer->lock);
    g_ptr_array_add(explorer->machines, machine);
    if (explorer->interrupted || explorer->closing)
        mach_run_interrupt(machine);
    g_mutex_unlock(&explorer->lock);
}

static void end_machine(void *user, Machine *machine)
{
    MachExplorer *explorer = user;
    g_mutex_lock(&explorer->lock);
    g_ptr_array_remove_fast(explorer->machines, machine);
    g_mutex_unlock(&explorer->lock);
}

static void run_item(void *data, void *user)
{
    MachExplorer *explorer = user;
    Item *item = data;
    MachExecution *result = mach_execution_run(&explorer->setup, item->forced, true, NULL);
    g_mutex_lock(&explorer->lock);
    item->result = result;
    item->state = ITEM_DONE;
    g_cond_broadcast(&explorer->changed);
    g_mutex_unlock(&explorer->lock);
}

static bool at_limit(const MachExplorer *explorer)
{
    return explorer->runs >= explorer->limits.max_runs;
}

/* Gives the next items to threads, as far ahead as allowed. Called with the lock held. */
static void hand_out(MachExplorer *explorer, GThreadPool *pool)
{
    guint end = MIN(explorer->queue->len, explorer->merged + explorer->limits.jobs * AHEAD);
    for (guint i = explorer->merged; i < end; i++) {
        Item *item = explorer->queue->pdata[i];
        if (!item || item->state != ITEM_WAITS)
            continue;
        if (is_covered(explorer, item->forced)) {
            forget(explorer, i);
            continue;
        }
        item->state = ITEM_RUNS;
        g_thread_pool_push(pool, item, NULL);
    }
}

static void finish_running(MachExplorer *explorer)
{
    for (guint i = explorer->merged; i < explorer->queue->len; i++) {
        const Item *item = explorer->queue->pdata[i];
        while (item && item->state == ITEM_RUNS)
            g_cond_wait(&explorer->changed, &explorer->lock);
    }
}

/* Returns whether there is an item that no execution covers. */
static bool has_more(MachExplorer *explorer)
{
    for (guint i = explorer->merged; i < explorer->queue->len; i++) {
        const Item *item = explorer->queue->pdata[i];
        if (item && !is_covered(explorer, item->forced))
            return true;
    }
    return false;
}

static void run_queue(MachExplorer *explorer)
{
    GThreadPool *pool = g_thread_pool_new(run_item, explorer, (gint)explorer->limits.jobs, TRUE, NULL);
    g_mutex_lock(&explorer->lock);
    while (explorer->merged < explorer->queue->len && !at_limit(explorer) && !explorer->interrupted) {
        hand_out(explorer, pool);
        Item *item = explorer->queue->pdata[explorer->merged];
        while (item && item->state != ITEM_DONE)
            g_cond_wait(&explorer->changed, &explorer->lock);
        if (item && !is_covered(explorer, item->forced))
            merge(explorer, item);
        forget(explorer, explorer->merged++);
    }
    explorer->closing = true;
    for (guint i = 0; i < explorer->machines->len; i++)
        mach_run_interrupt(explorer->machines->pdata[i]);
    finish_running(explorer);
    g_mutex_unlock(&explorer->lock);
    g_thread_pool_free(pool, FALSE, TRUE);
    explorer->result->limited = explorer->result->limited || (!explorer->interrupted && has_more(explorer));
}

/* -- how to see it again ----------------------------------------------------------------------- */

/* Returns the choices that differ from the first execution. */
static GArray *changes(const MachExplorer *explorer, const GArray *forced)
{
    GArray *out = g_array_new(FALSE, FALSE, sizeof(MpiChoice));
    for (guint i = 0; i < forced->len; i++) {
        const MpiChoice *choice = &g_array_index(forced, MpiChoice, i);
        const GArray *runs = runs_with(explorer, choice);
        if (!runs || !(g_array_index(runs, guint64, 0) & 1))
            g_array_append_val(out, *choice);
    }
    return out;
}

/* Runs an execution again with only these choices forced. Returns false if the result is another one. */
static bool repeat(MachExplorer *explorer, MachExplored *explored, const GArray *choices, bool failure)
{
    MachExecution *execution = mach_execution_run(&explorer->setup, choices, false, NULL);
    const char *key = !execution ? NULL : failure ? execution->failure : execution->output;
    bool same = key && strcmp(key, explored->key) == 0;
    if (same && failure) {
        g_free(explored->what);
        explored->what = g_strdup(execution->explanation);
    }
    mach_execution_free(execution);
    return same;
}

static void shorten(MachExplorer *explorer, MachExplored *explored, bool failure)
{
    GArray *few = changes(explorer, explored->choices);
    if (repeat(explorer, explored, few, failure)) {
        g_array_unref(explored->choices);
        explored->choices = few;
        return;
    }
    g_array_unref(few);
    if (failure && !repeat(explorer, explored, explored->choices, true))
        explored->what = g_strdup(explored->key);
}

enum { MOST_SHORTENED = 32 };

static void shorten_all(MachExplorer *explorer)
{
    MachExploration *result = explorer->result;
    explorer->setup.begin = NULL; /* the few runs that follow happen even after Ctrl-C */
    for (guint i = 0; i < MIN(result->failures->len, MOST_SHORTENED); i++)
        shorten(explorer, result->failures->pdata[i], true);
    for (guint i = 0; result->outputs->len > 1 && i < MIN(result->outputs->len, MOST_SHORTENED); i++)
        shorten(explorer, result->outputs->pdata[i], false);
}

/* -- all of it --------------------------------------------------------------------------------- */

MachExplorer *mach_explorer_new(const MachConfig *config, const MachProgram *programs, size_t n_programs,
                                const MachOptions *options, const MachExploreOptions *limits,
                                VcodeModule *(*program)(void *user, size_t i, GError **error), void *user)
{
    MachExplorer *explorer = g_new0(MachExplorer, 1);
    explorer->setup = (MachExecutionSetup){.config = config,
                                           .programs = programs,
                                           .n_programs = n_programs,
                                           .options = *options,
                                           .program = program,
                                           .program_user = user,
                                           .begin = begin_machine,
                                           .end = end_machine,
                                           .user = explorer};
    explorer->limits = *limits;
    explorer->limits.jobs = MAX(limits->jobs, 1);
    explorer->setup.options.memory_sharers = explorer->limits.jobs;
    explorer->queue = g_ptr_array_new_with_free_func(item_free);
    explorer->points = g_hash_table_new_full(choice_hash, choice_equal, g_free, g_free);
    explorer->known = g_hash_table_new_full(choice_hash, choice_equal, g_free, NULL);
    explorer->waiting = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    explorer->wanted = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    explorer->runs_with = g_array_new(FALSE, FALSE, sizeof(GArray *));
    explorer->machines = g_ptr_array_new();
    g_mutex_init(&explorer->lock);
    g_cond_init(&explorer->changed);
    return explorer;
}

void mach_explorer_input(MachExplorer *explorer, void (*input)(void *user, const char **bytes, size_t *size),
                         void *user)
{
    explorer->setup.input = input;
    explorer->setup.input_user = user;
}

void mach_explorer_free(MachExplorer *explorer)
{
    if (!explorer)
        return;
    g_ptr_array_unref(explorer->queue);
    g_hash_table_unref(explorer->points);
    g_hash_table_unref(explorer->known);
    g_hash_table_unref(explorer->wanted);
    g_hash_table_unref(explorer->waiting);
    for (guint i = 0; i < explorer->runs_with->len; i++)
        g_array_unref(g_array_index(explorer->runs_with, GArray *, i));
    g_array_unref(explorer->runs_with);
    g_ptr_array_unref(explorer->machines);
    mach_execution_first_clear(&explorer->setup);
    g_mutex_clear(&explorer->lock);
    g_cond_clear(&explorer->changed);
    g_free(explorer);
}

void mach_explore_result_free(MachExploration *exploration)
{
    if (!exploration)
        return;
    g_ptr_array_unref(exploration->failures);
    g_ptr_array_unref(exploration->outputs);
    g_ptr_array_unref(exploration->remarks);
    g_free(exploration);
}

void mach_explorer_interrupt(MachExplorer *explorer)
{
    g_mutex_lock(&explorer->lock);
    explorer->interrupted = true;
    for (guint i = 0; i < explorer->machines->len; i++)
        mach_run_interrupt(explorer->machines->pdata[i]);
    g_cond_broadcast(&explorer->changed);
    g_mutex_unlock(&explorer->lock);
}

/* Runs the first execution, which is what `orrery run` does. Others are compared with it. */
static bool run_first(MachExplorer *explorer, GError **error)
{
    g_autoptr(GArray) nothing = g_array_new(FALSE, FALSE, sizeof(MpiChoice));
    Item first = {.forced = nothing};
    first.result = mach_execution_run(&explorer->setup, nothing, true, error);
    if (!first.result)
        return false;
    mach_execution_first_take(&explorer->setup, first.result);
    if (!explorer->setup.options.max_time_ps)
        explorer->setup.options.max_time_ps = ENDLESS * first.result->end_ps + ENDLESS_PS;
    merge(explorer, &first);
    mach_execution_free(first.result);
    return true;
}

MachExploration *mach_explore(MachExplorer *explorer, GError **error)
{
    MachExploration *result = explorer->result = g_new0(MachExploration, 1);
    result->failures = g_ptr_array_new_with_free_func(explored_free);
    result->outputs = g_ptr_array_new_with_free_func(explored_free);
    result->remarks = g_ptr_array_new_with_free_func(explored_free);
    if (!run_first(explorer, error)) {
        mach_explore_result_free(result);
        return NULL;
    }
    run_queue(explorer);
    shorten_all(explorer);
    result->runs = explorer->runs;
    result->points = number_of_points(explorer);
    result->interrupted = explorer->interrupted;
    result->complete = !result->interrupted && !result->limited && !result->unfinished;
    return result;
}
