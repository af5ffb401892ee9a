/* communication.c - the communication threads of the library and the daemons of nodes, and what must hold for them
 * (mpi/p2p/progress.c, mpi/protocol/workers.c and mpi/protocol/daemon.c are their work).
 *
 * One that shares cores is a task of its node (node/), which sleeps while it has nothing to do. Its work comes in
 * pieces, one behind the other; the end of each is an alarm of mpi/. Where the length of a piece is not known before,
 * mpi/ does it when the task has a core, and the task keeps that for as long as it took, like a rank in a call. Like
 * every task that wakes up it gets an idle core, or takes one from a rank that computes; where it must wait, the
 * message waits. */
#include "machine/run/communication.h"
#include "machine/config/config.h"
#include "machine/run/run.h"

#include <string.h>

/* Sets an error at a key. */
static bool refuse(const MachConfig *config, const MachSetting *setting, GError **error, const char *format, ...)
    G_GNUC_PRINTF(4, 5);
static bool refuse(const MachConfig *config, const MachSetting *setting, GError **error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *reason = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    if (setting->line && !setting->commanded)
        g_set_error(error, MACH_ERROR, MACH_ERROR_CONFIG, "%s:%u:1: error: %s: %s", config->path, setting->line,
                    setting->name, reason);
    else
        g_set_error(error, MACH_ERROR, MACH_ERROR_CONFIG, "%s: [%s] %s: %s", config->path ? config->path : config->name,
                    setting->section, setting->name, reason);
    return false;
}

static const MachSetting *key_of(const MachConfig *config, const char *name)
{
    return mach_setting_find(config->settings, "mpi", name);
}

bool mach_communication_check(const MachConfig *config, GError **error)
{
    const MpiProgress *progress = config->mpi.progress;
    if (progress[MPI_PROGRESS_MESSAGES] != MPI_PROGRESS_THREAD)
        return true;
    if (progress[MPI_PROGRESS_ONE_SIDED] == MPI_PROGRESS_INLINE)
        return refuse(config, key_of(config, "one-sided"), error,
                      "inline contradicts progress = thread: the thread handles whatever arrives");
    if (progress[MPI_PROGRESS_BACKGROUND] == MPI_PROGRESS_INLINE)
        return refuse(config, key_of(config, "background"), error,
                      "inline contradicts progress = thread: the thread handles whatever arrives");
    return true;
}

/* -- cores ------------------------------------------------------------------------------------- */

static bool has_threads(const Machine *machine, MachThreadCore core)
{
    const MachConfig *config = machine->config;
    return config->mpi.progress[MPI_PROGRESS_MESSAGES] == MPI_PROGRESS_THREAD && config->thread_core == core;
}

static bool has_daemons(const Machine *machine, MachThreadCore core)
{
    return machine->config->daemon_core == core && mach_config_daemons(machine->config);
}

static bool are_of_nodes(const Machine *machine)
{
    return machine->config->mpi.thread_share == MPI_THREAD_OF_NODE;
}

static const char *plural(uint32_t n)
{
    return n == 1 ? "" : "s";
}

/* Refuses a node that has not enough cores for `n` ranks and their helpers. */
static bool refuse_node(const Machine *machine, uint32_t node, uint32_t n, uint32_t threads, bool daemon,
                        uint32_t cores, GError **error)
{
    const MachConfig *config = machine->config;
    g_autoptr(GString) who = g_string_new(NULL);
    g_string_append_printf(who, "node %u has %u core%s, but %u rank%s", node, cores, plural(cores), n, plural(n));
    if (threads)
        g_string_append_printf(who, " and %u communication thread%s", threads, plural(threads));
    if (daemon)
        g_string_append(who, " and a daemon");
    g_string_append(who, ", which need one each; more [node] cores or fewer ranks on a node would do");
    if (threads > 1)
        g_string_append(who, ", or progress-thread = node");
    if (threads)
        g_string_append(who, ", or progress-core = shared");
    if (daemon)
        g_string_append(who, ", or daemon-core = shared");
    return refuse(config, daemon ? mach_config_daemons(config) : key_of(config, "progress"), error, "%s", who->str);
}

bool mach_communication_have_cores(const Machine *machine, GError **error)
{
    bool threaded = has_threads(machine, MACH_THREAD_OWN), daemon = has_daemons(machine, MACH_THREAD_OWN);
    if (!threaded && !daemon)
        return true;
    g_autofree uint32_t *ranks = g_new0(uint32_t, net_network_nodes(machine->net));
    for (uint32_t rank = 0; rank < machine->ranks; rank++) {
        uint32_t node = machine->processes[rank].place.node, n = ++ranks[node];
        uint32_t threads = !threaded ? 0 : are_of_nodes(machine) ? 1 : n;
        uint32_t cores = mach_run_model(machine, rank)->config.cores;
        if (n + threads + daemon > cores)
            return refuse_node(machine, node, n, threads, daemon, cores, error);
    }
    return true;
}

/* -- tasks that share cores ---------------------------------------------------------------------- */

typedef struct Piece {
    uint64_t time_ps, work_ps, cookie;
    uint32_t rank;
    bool begins; /* mpi/ says how long it takes, when it begins */
    bool begun;  /* and it has said so */
} Piece;

typedef struct Helper { /* a communication thread, or a daemon */
    Machine *machine;
    MachTask *task;
    MachTaskClient client;
    uint32_t rank; /* the only one that it works for, or the first one of its node */
    GQueue pieces; /* Piece; the first one is being served, or waits for its time */
} Helper;

struct MachThreadTasks {
    GPtrArray *threads; /* Helper, by rank or node; NULL: it always has a core, or none was needed yet */
    GPtrArray *daemons; /* by node */
};

uint32_t mach_communication_tasks(const Machine *machine, uint32_t ranks)
{
    if (!ranks)
        return 0;
    uint32_t threads = !has_threads(machine, MACH_THREAD_SHARED) ? 0 : are_of_nodes(machine) ? 1 : ranks;
    return ranks + threads + has_daemons(machine, MACH_THREAD_SHARED);
}

static void helper_free(void *data)
{
    Helper *helper = data;
    if (helper)
        g_queue_clear_full(&helper->pieces, g_free);
    g_free(helper);
}

/* Lets it work on its first piece, which it has come to now, or wait for that. */
static void go_on(Helper *helper, uint64_t now_ps)
{
    const Piece *piece = g_queue_peek_head(&helper->pieces);
    if (piece && piece->time_ps <= now_ps) {
        mach_node_go_on(helper->task, now_ps, piece->work_ps);
        return;
    }
    mach_node_sleep(helper->task, now_ps);
    if (piece)
        mach_node_wake(helper->task, now_ps, piece->time_ps, piece->work_ps);
}

static void served(void *user, MachTask *task, uint64_t now_ps)
{
    Helper *helper = user;
    Machine *machine = helper->machine;
    Piece *piece = g_queue_peek_head(&helper->pieces);
    if (piece->begins && !piece->begun) {
        piece->begun = true;
        mach_node_go_on(task, mpi_world_work(machine->mpi, piece->cookie, now_ps), 0);
        return;
    }
    if (piece->cookie && !piece->begins)
        mach_run_queue_event(machine, now_ps, MACH_EVENT_ALARM, piece->rank, piece->cookie, 0);
    g_free(g_queue_pop_head(&helper->pieces));
    machine->under_way--;
    go_on(helper, now_ps);
}

static Helper *join(Machine *machine, MachNode *node, uint32_t core, uint32_t rank)
{
    Helper *helper = g_new0(Helper, 1);
    helper->machine = machine;
    helper->rank = rank;
    helper->client = (MachTaskClient){.user = helper, .served = served};
    helper->task = mach_node_add_task(node, &(MachTaskKind){.core = core, .serves = true}, &helper->client);
    g_queue_init(&helper->pieces);
    return helper;
}

static void enter(GPtrArray *helpers, uint32_t index, Helper *helper)
{
    if (index >= helpers->len)
        g_ptr_array_set_size(helpers, (gint)index + 1);
    helpers->pdata[index] = helper;
}

static Helper *helper_of(GPtrArray *helpers, uint32_t index)
{
    return index < helpers->len ? helpers->pdata[index] : NULL;
}

/* Makes what the rank needs, which is number `index` of its node. A thread begins on the core of its rank, that of a
 * node, and a daemon, on the last one. */
static void join_for(Machine *machine, MachNode *node, uint32_t rank, uint32_t index)
{
    MachThreadTasks *tasks = machine->thread_tasks;
    uint32_t number = mach_node_number(node), last = mach_node_cores(node) - 1;
    bool threads = has_threads(machine, MACH_THREAD_SHARED);
    if (threads && !are_of_nodes(machine))
        enter(tasks->threads, rank, join(machine, node, index, rank));
    else if (threads && !helper_of(tasks->threads, number))
        enter(tasks->threads, number, join(machine, node, last, rank));
    if (has_daemons(machine, MACH_THREAD_SHARED) && !helper_of(tasks->daemons, number))
        enter(tasks->daemons, number, join(machine, node, last, rank));
}

void mach_communication_join(Machine *machine)
{
    if (!has_threads(machine, MACH_THREAD_SHARED) && !has_daemons(machine, MACH_THREAD_SHARED))
        return;
    g_autofree uint32_t *ranks = g_new0(uint32_t, net_network_nodes(machine->net));
    machine->thread_tasks = g_new0(MachThreadTasks, 1);
    machine->thread_tasks->threads = g_ptr_array_new_with_free_func(helper_free);
    machine->thread_tasks->daemons = g_ptr_array_new_with_free_func(helper_free);
    for (uint32_t rank = 0; rank < machine->ranks; rank++) {
        uint32_t number = machine->processes[rank].place.node, index = ranks[number]++;
        if (machine->nodes[number])
            join_for(machine, machine->nodes[number], rank, index);
    }
}

void mach_communication_free(Machine *machine)
{
    if (!machine->thread_tasks)
        return;
    g_ptr_array_unref(machine->thread_tasks->threads);
    g_ptr_array_unref(machine->thread_tasks->daemons);
    g_free(machine->thread_tasks);
}

/* Returns the helper of a rank from one of the lists; NULL: it always has a core. What a rank needs that has come
 * during the run is made when it needs it first. */
static Helper *helper_for(Machine *machine, uint32_t rank, bool daemon)
{
    MachThreadTasks *tasks = machine->thread_tasks;
    uint32_t node = machine->processes[rank].place.node;
    if (!tasks || !machine->nodes[node] ||
        !(daemon ? has_daemons(machine, MACH_THREAD_SHARED) : has_threads(machine, MACH_THREAD_SHARED)))
        return NULL;
    GPtrArray *helpers = daemon ? tasks->daemons : tasks->threads;
    uint32_t index = daemon || are_of_nodes(machine) ? node : rank;
    if (!helper_of(helpers, index))
        join_for(machine, machine->nodes[node], rank, mach_node_tasks(machine->nodes[node]));
    return helper_of(helpers, index);
}

static bool give(Machine *machine, Helper *helper, Piece piece)
{
    if (!helper)
        return false;
    if (!piece.work_ps && !piece.cookie)
        return true;
    piece.time_ps = MAX(piece.time_ps, machine->now);
    g_queue_push_tail(&helper->pieces, g_memdup2(&piece, sizeof piece));
    machine->under_way++;
    if (helper->pieces.length == 1)
        mach_node_wake(helper->task, machine->now, piece.time_ps, piece.work_ps);
    return true;
}

bool mach_communication_work(void *user, uint32_t rank, uint64_t time_ps, uint64_t work_ps, uint64_t cookie)
{
    return give(user, helper_for(user, rank, false),
                (Piece){.time_ps = time_ps, .work_ps = work_ps, .cookie = cookie, .rank = rank});
}

bool mach_communication_begin_work(void *user, uint32_t rank, uint64_t time_ps, uint64_t cookie)
{
    return give(user, helper_for(user, rank, false),
                (Piece){.time_ps = time_ps, .cookie = cookie, .rank = rank, .begins = true});
}

bool mach_communication_serve(void *user, uint32_t rank, uint64_t time_ps, uint64_t work_ps, uint64_t cookie)
{
    return give(user, helper_for(user, rank, true),
                (Piece){.time_ps = time_ps, .work_ps = work_ps, .cookie = cookie, .rank = rank});
}

static uint64_t taken_ps(const Helper *helper, uint32_t rank)
{
    return helper && helper->rank == rank ? mach_node_taken_ps(helper->task) : 0;
}

uint64_t mach_communication_taken_ps(const Machine *machine, uint32_t rank)
{
    if (!machine->thread_tasks)
        return 0;
    uint32_t node = machine->processes[rank].place.node;
    const Helper *daemon = helper_of(machine->thread_tasks->daemons, node);
    const Helper *thread = helper_of(machine->thread_tasks->threads, are_of_nodes(machine) ? node : rank);
    return taken_ps(daemon, rank) + taken_ps(thread, rank);
}
