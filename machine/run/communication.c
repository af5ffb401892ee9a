/* communication.c - the communication threads of the library, and what must hold for them (mpi/p2p/progress.c is their
 * work).
 *
 * A thread that shares cores is a task of its node (node/), which sleeps while it has nothing to do. Its work comes in
 * pieces, one behind the other; the end of each is an alarm of mpi/. Like every task that wakes up it gets an idle
 * core, or takes one from a rank that computes; where it must wait, the message waits. */
#include "machine/run/communication.h"
#include "machine/config/config.h"
#include "machine/run/run.h"

#include <string.h>

/* Sets an error at the key of section [mpi]. */
static bool refuse(const MachConfig *config, const char *key, GError **error, const char *format, ...)
    G_GNUC_PRINTF(4, 5);
static bool refuse(const MachConfig *config, const char *key, GError **error, const char *format, ...)
{
    const MachSetting *setting = mach_setting_find(config->settings, "mpi", key);
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *reason = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    if (setting->line && !setting->commanded)
        g_set_error(error, MACH_ERROR, MACH_ERROR_CONFIG, "%s:%u:1: error: %s: %s", config->path, setting->line, key,
                    reason);
    else
        g_set_error(error, MACH_ERROR, MACH_ERROR_CONFIG, "%s: [mpi] %s: %s",
                    config->path ? config->path : config->name, key, reason);
    return false;
}

bool mach_communication_check(const MachConfig *config, GError **error)
{
    const MpiProgress *progress = config->mpi.progress;
    if (progress[MPI_PROGRESS_MESSAGES] != MPI_PROGRESS_THREAD)
        return true;
    if (progress[MPI_PROGRESS_ONE_SIDED] == MPI_PROGRESS_INLINE)
        return refuse(config, "one-sided", error,
                      "inline contradicts progress = thread: the thread handles whatever arrives");
    if (progress[MPI_PROGRESS_BACKGROUND] == MPI_PROGRESS_INLINE)
        return refuse(config, "background", error,
                      "inline contradicts progress = thread: the thread handles whatever arrives");
    return true;
}

bool mach_communication_have_cores(const Machine *machine, GError **error)
{
    const MachConfig *config = machine->config;
    if (config->mpi.progress[MPI_PROGRESS_MESSAGES] != MPI_PROGRESS_THREAD || config->thread_core == MACH_THREAD_SHARED)
        return true;
    g_autofree uint32_t *ranks = g_new0(uint32_t, net_network_nodes(machine->net));
    bool each = config->mpi.thread_share == MPI_THREAD_OF_RANK;
    for (uint32_t rank = 0; rank < machine->ranks; rank++) {
        uint32_t node = machine->processes[rank].place.node, n = ++ranks[node], threads = each ? n : 1;
        uint32_t cores = mach_run_model(machine, rank)->config.cores;
        if (n + threads <= cores)
            continue;
        return refuse(config, "progress", error,
                      "node %u has %u core%s, but %u rank%s and %u communication thread%s, which need one each; more "
                      "[node] cores or fewer ranks on a node would do%s%s",
                      node, cores, cores == 1 ? "" : "s", n, n == 1 ? "" : "s", threads, threads == 1 ? "" : "s",
                      each && n > 1 ? ", or progress-thread = node" : "", ", or progress-core = shared");
    }
    return true;
}

/* -- threads that share cores ------------------------------------------------------------------ */

typedef struct Piece {
    uint64_t time_ps, work_ps, cookie;
    uint32_t rank;
} Piece;

typedef struct Thread {
    Machine *machine;
    MachTask *task;
    MachTaskClient client;
    GQueue pieces; /* Piece; the first one is being served, or waits for its time */
} Thread;

struct MachThreadTasks {
    GPtrArray *threads; /* Thread, by rank or node; NULL: it always has a core */
};

static bool share(const Machine *machine)
{
    const MachConfig *config = machine->config;
    return config->mpi.progress[MPI_PROGRESS_MESSAGES] == MPI_PROGRESS_THREAD &&
           config->thread_core == MACH_THREAD_SHARED;
}

static bool are_of_nodes(const Machine *machine)
{
    return machine->config->mpi.thread_share == MPI_THREAD_OF_NODE;
}

uint32_t mach_communication_tasks(const Machine *machine, uint32_t ranks)
{
    if (!ranks || !share(machine))
        return ranks;
    return ranks + (are_of_nodes(machine) ? 1 : ranks);
}

static void thread_free(void *data)
{
    Thread *thread = data;
    if (thread)
        g_queue_clear_full(&thread->pieces, g_free);
    g_free(thread);
}

/* Lets the thread work on its first piece, which it has come to now, or wait for that. */
static void go_on(Thread *thread, uint64_t now_ps)
{
    const Piece *piece = g_queue_peek_head(&thread->pieces);
    if (piece && piece->time_ps <= now_ps) {
        mach_node_go_on(thread->task, now_ps, piece->work_ps);
        return;
    }
    mach_node_sleep(thread->task, now_ps);
    if (piece)
        mach_node_wake(thread->task, now_ps, piece->time_ps, piece->work_ps);
}

static void served(void *user, MachTask *task, uint64_t now_ps)
{
    Thread *thread = user;
    Machine *machine = thread->machine;
    g_autofree Piece *piece = g_queue_pop_head(&thread->pieces);
    (void)task;
    if (piece->cookie)
        mach_run_queue_event(machine, now_ps, MACH_EVENT_ALARM, piece->rank, piece->cookie, 0);
    machine->under_way--;
    go_on(thread, now_ps);
}

/* A thread begins on the core of its rank, that of a node on the last one. */
static void join(Machine *machine, MachNode *node, uint32_t index, uint32_t core)
{
    GPtrArray *threads = machine->thread_tasks->threads;
    Thread *thread = g_new0(Thread, 1);
    thread->machine = machine;
    thread->client = (MachTaskClient){.user = thread, .served = served};
    thread->task = mach_node_add_task(node, &(MachTaskKind){.core = core}, &thread->client);
    g_queue_init(&thread->pieces);
    if (index >= threads->len)
        g_ptr_array_set_size(threads, (gint)index + 1);
    threads->pdata[index] = thread;
}

void mach_communication_join(Machine *machine)
{
    if (!share(machine))
        return;
    uint32_t nodes = net_network_nodes(machine->net);
    g_autofree uint32_t *ranks = g_new0(uint32_t, nodes);
    machine->thread_tasks = g_new0(MachThreadTasks, 1);
    machine->thread_tasks->threads = g_ptr_array_new_with_free_func(thread_free);
    for (uint32_t rank = 0; rank < machine->ranks; rank++) {
        uint32_t number = machine->processes[rank].place.node, index = ranks[number]++;
        MachNode *node = machine->nodes[number];
        if (node && !are_of_nodes(machine))
            join(machine, node, rank, index);
        else if (node && !index)
            join(machine, node, number, mach_node_cores(node) - 1);
    }
}

void mach_communication_free(Machine *machine)
{
    if (machine->thread_tasks)
        g_ptr_array_unref(machine->thread_tasks->threads);
    g_free(machine->thread_tasks);
}

bool mach_communication_work(void *user, uint32_t rank, uint64_t time_ps, uint64_t work_ps, uint64_t cookie)
{
    Machine *machine = user;
    uint32_t index = are_of_nodes(machine) ? machine->processes[rank].place.node : rank;
    GPtrArray *threads = machine->thread_tasks ? machine->thread_tasks->threads : NULL;
    Thread *thread = threads && index < threads->len ? threads->pdata[index] : NULL;
    if (!thread)
        return false;
    if (!work_ps && !cookie)
        return true;
    Piece *piece = g_new(Piece, 1);
    *piece = (Piece){.time_ps = MAX(time_ps, machine->now), .work_ps = work_ps, .cookie = cookie, .rank = rank};
    g_queue_push_tail(&thread->pieces, piece);
    machine->under_way++;
    if (thread->pieces.length == 1)
        mach_node_wake(thread->task, machine->now, piece->time_ps, work_ps);
    return true;
}
