/* connections.c - what a machine does for mpi/ and netsim/: the functions behind MpiEnv and NetClient.
 *
 * mpi/ hands messages to transmit(), and asks for ranks to be woken. transmit() sends messages through the network or,
 * within a node, through its memory (machine/node). netsim/ reports what became of messages, and mpi/ gets that at
 * once. The observers of the machine are informed here, too.
 */
#include "machine/config/config.h"
#include "machine/contention/contention.h"
#include "machine/map/map.h"
#include "machine/run/advance.h"
#include "machine/run/communication.h"
#include "machine/run/polling.h"
#include "machine/run/run.h"
#include "machine/run/sharing.h"

#include <assert.h>

/* -- observers --------------------------------------------------------------------------------- */

void mach_run_tell_activity(void *user, uint32_t rank, MpiActivity activity, uint64_t from_ps, uint64_t to_ps,
                            const char *call)
{
    Machine *machine = user;
    for (guint i = 0; i < machine->observers->len; i++) {
        const MachObserver *observer = &g_array_index(machine->observers, MachObserver, i);
        if (observer->activity)
            observer->activity(observer->user, rank, activity, from_ps, to_ps, call);
    }
}

static void tell_message(void *user, const MpiMessageInfo *message)
{
    Machine *machine = user;
    for (guint i = 0; i < machine->observers->len; i++) {
        const MachObserver *observer = &g_array_index(machine->observers, MachObserver, i);
        if (observer->message)
            observer->message(observer->user, message);
    }
}

static void tell_transfer(void *user, MpiTransferStage stage, const MpiTransfer *transfer)
{
    Machine *machine = user;
    for (guint i = 0; i < machine->observers->len; i++) {
        const MachObserver *observer = &g_array_index(machine->observers, MachObserver, i);
        if (observer->transfer)
            observer->transfer(observer->user, stage, transfer);
    }
}

static void tell_event(void *user, const MpiEvent *event)
{
    Machine *machine = user;
    for (guint i = 0; i < machine->observers->len; i++) {
        const MachObserver *observer = &g_array_index(machine->observers, MachObserver, i);
        if (observer->event)
            observer->event(observer->user, event);
    }
}

static void tell_call(void *user, const MpiCallInfo *info, const VcodeModule *program)
{
    Machine *machine = user;
    for (guint i = 0; i < machine->observers->len; i++) {
        const MachObserver *observer = &g_array_index(machine->observers, MachObserver, i);
        if (observer->call)
            observer->call(observer->user, info, program);
    }
}

static void tell_collective(void *user, const MpiCollectiveInfo *collective)
{
    Machine *machine = user;
    for (guint i = 0; i < machine->observers->len; i++) {
        const MachObserver *observer = &g_array_index(machine->observers, MachObserver, i);
        if (observer->collective)
            observer->collective(observer->user, collective);
    }
}

static void tell_control(void *user, uint32_t rank, int level)
{
    Machine *machine = user;
    for (guint i = 0; i < machine->observers->len; i++) {
        const MachObserver *observer = &g_array_index(machine->observers, MachObserver, i);
        if (observer->control)
            observer->control(observer->user, rank, level);
    }
}

static void tell_access(void *user, const MpiAccessInfo *access)
{
    Machine *machine = user;
    for (guint i = 0; i < machine->observers->len; i++) {
        const MachObserver *observer = &g_array_index(machine->observers, MachObserver, i);
        if (observer->access)
            observer->access(observer->user, access);
    }
}

void mach_run_tell_slept(Machine *machine, uint32_t rank, const MachSleep *sleep)
{
    for (guint i = 0; i < machine->observers->len; i++) {
        const MachObserver *observer = &g_array_index(machine->observers, MachObserver, i);
        if (observer->slept)
            observer->slept(observer->user, rank, sleep->from_ps, sleep->to_ps, sleep->no_core);
    }
}

MpiObserver mach_run_mpi_observer(Machine *machine)
{
    MpiObserver all = {.user = machine};
    if (machine->observers->len == 1) { /* as is mostly so: then mpi/ tells him itself */
        const MachObserver *one = &g_array_index(machine->observers, MachObserver, 0);
        return (MpiObserver){.user = one->user,
                             .activity = one->activity,
                             .message = one->message,
                             .transfer = one->transfer,
                             .call = one->call,
                             .waits = one->call && one->waits,
                             .collective = one->collective,
                             .access = one->access,
                             .event = one->event,
                             .feed = one->feed,
                             .fed = one->fed,
                             .control = one->control};
    }
    for (guint i = 0; i < machine->observers->len; i++) {
        const MachObserver *observer = &g_array_index(machine->observers, MachObserver, i);
        all.activity = observer->activity ? mach_run_tell_activity : all.activity;
        all.message = observer->message ? tell_message : all.message;
        all.transfer = observer->transfer ? tell_transfer : all.transfer;
        all.call = observer->call ? tell_call : all.call;
        all.control = observer->control ? tell_control : all.control;
        all.waits |= observer->call && observer->waits;
        all.collective = observer->collective ? tell_collective : all.collective;
        all.access = observer->access ? tell_access : all.access;
        all.event = observer->event ? tell_event : all.event;
    }
    return all;
}

/* -- storage ----------------------------------------------------------------------------------- */

/* A flag in the cookies of messages between nodes and file servers. MPI's have no such bit. */
#define STORAGE_COOKIE (UINT64_C(1) << 62)

static void send_to_server(void *user, uint32_t from, uint32_t to, uint64_t bytes, uint64_t time_ps, uint64_t cookie)
{
    Machine *machine = user;
    assert(time_ps >= machine->now);
    machine->in_flight++;
    net_send(machine->net, &(NetSend){.from = from,
                                      .to = to,
                                      .bytes = bytes,
                                      .time_ps = time_ps,
                                      .cookie = cookie | STORAGE_COOKIE | MPI_COOKIE_UNREPORTED,
                                      .unreported = true});
}

static void storage_at(void *user, uint64_t time_ps, uint64_t cookie)
{
    Machine *machine = user;
    mach_run_queue_event(machine, MAX(time_ps, machine->now), MACH_EVENT_STORAGE, mach_storage_rank(cookie), cookie, 0);
}

static bool is_storage(uint64_t cookie)
{
    return cookie & STORAGE_COOKIE;
}

static uint64_t piece_of(uint64_t cookie)
{
    return cookie & ~(STORAGE_COOKIE | UINT64_C(15));
}

MpiTransfer mach_run_transfer(uint64_t cookie)
{
    if (!is_storage(cookie))
        return mpi_world_transfer(cookie);
    uint32_t rank = mach_storage_rank(piece_of(cookie));
    return (MpiTransfer){.kind = MPI_TRANSFER_DATA, .from = rank, .to = rank, .tag = -1};
}

static void tell_accessed(void *user, uint32_t rank, const VmStorageAccess *access, const char *file, uint64_t from_ps,
                          uint64_t to_ps)
{
    const Machine *machine = user;
    for (guint i = 0; i < machine->observers->len; i++) {
        const MachObserver *observer = &g_array_index(machine->observers, MachObserver, i);
        if (observer->accessed)
            observer->accessed(observer->user, rank, access, file, from_ps, to_ps);
    }
}

MachStorage *mach_run_storage_new(Machine *machine)
{
    MachStorageClient client = {.user = machine, .send = send_to_server, .at = storage_at, .over = tell_accessed};
    return mach_storage_new(&machine->config->storage, net_network_nodes(machine->net), &client);
}

static void stored_for_mpi(void *user, uint64_t cookie, uint64_t time_ps)
{
    Machine *machine = user;
    mpi_world_stored(machine->mpi, cookie, time_ps);
}

static void storage_access(void *user, uint32_t rank, const VmStorageAccess *access, uint64_t time_ps, uint64_t cookie)
{
    Machine *machine = user;
    mach_storage_start(machine->storage, rank, machine->processes[rank].place.node, access, time_ps, stored_for_mpi,
                       cookie);
}

/* Accesses of the C library, for which a rank waits. */
typedef struct Waiting {
    Machine *machine;
    uint32_t rank;
    guint next;
    GArray *accesses;
    uint64_t from_ps;
    bool exits; /* what streams still held when the program ended */
} Waiting;

/* Starts the next access at time_ps. When all are over, the rank has slept for so long. */
static void go_on(Waiting *waiting, uint64_t time_ps);

static void stored_for_library(void *user, uint64_t cookie, uint64_t time_ps)
{
    (void)user;
    go_on((Waiting *)(uintptr_t)cookie, time_ps);
}

static void go_on(Waiting *waiting, uint64_t time_ps)
{
    Machine *machine = waiting->machine;
    uint32_t rank = waiting->rank;
    MachProcess *process = &machine->processes[rank];
    if (waiting->next < waiting->accesses->len) {
        const VmStorageAccess *access = &g_array_index(waiting->accesses, VmStorageAccess, waiting->next++);
        mach_storage_start(machine->storage, rank, process->place.node, access, time_ps, stored_for_library,
                           (uint64_t)(uintptr_t)waiting);
        return;
    }
    vm_clock_set(vm_rank_clock(process->vm), time_ps);
    if (time_ps > waiting->from_ps) {
        mach_run_slept(machine, rank, waiting->from_ps, time_ps, false);
        mach_metering_stored(machine, rank, time_ps - waiting->from_ps);
    }
    bool exits = waiting->exits;
    g_ptr_array_remove_fast(machine->waiting, waiting); /* frees it */
    if (exits)
        mach_advance_queue_call(machine, rank, time_ps, MACH_CALL_EXIT);
    else
        mach_run_ready_at(machine, rank, time_ps);
}

static void waiting_free(void *data)
{
    Waiting *waiting = data;
    g_array_unref(waiting->accesses);
    g_free(waiting);
}

void mach_run_take_accesses(Machine *machine, uint32_t rank, GArray *accesses, bool exits)
{
    Waiting *waiting = g_new0(Waiting, 1);
    uint64_t now = mach_advance_clock(&machine->processes[rank]);
    *waiting = (Waiting){.machine = machine, .rank = rank, .accesses = accesses, .from_ps = now, .exits = exits};
    if (!machine->waiting)
        machine->waiting = g_ptr_array_new_with_free_func(waiting_free);
    g_ptr_array_add(machine->waiting, waiting);
    if (machine->processes[rank].share)
        mach_sharing_pause(machine, rank);
    go_on(waiting, now);
}

static uint32_t storage_file(void *user, const char *name)
{
    Machine *machine = user;
    return mach_storage_file(machine->storage, name);
}

/* -- cores that contend ------------------------------------------------------------------------ */

static uint64_t memory_until(Machine *machine, uint32_t rank, uint64_t bytes, uint64_t from_ps)
{
    uint64_t bandwidth = machine->contention ? mach_run_model(machine, rank)->config.memory_bandwidth : 0;
    if (G_LIKELY(!bandwidth))
        return from_ps;
    uint32_t node = machine->processes[rank].place.node;
    return mach_contention_take(machine->contention, MACH_SHARED_MEMORY, node, machine->now, from_ps,
                                net_serialise(bytes, bandwidth), false);
}

static uint64_t copy_until(void *user, uint32_t rank, uint64_t bytes, uint64_t from_ps, uint64_t copy_ps)
{
    return MAX(from_ps + copy_ps, memory_until(user, rank, bytes, from_ps));
}

static uint32_t nic_of(void *user, uint32_t rank)
{
    const Machine *machine = user;
    const MachPlace *place = &machine->processes[rank].place;
    return place->node * machine->config->net.nics + place->nic;
}

static uint64_t doorbell(void *user, uint32_t rank, uint32_t to, uint64_t from_ps)
{
    Machine *machine = user;
    uint64_t doorbell_ps = mach_run_model(machine, rank)->config.doorbell_ps;
    if (!doorbell_ps || machine->processes[rank].place.node == machine->processes[to].place.node)
        return from_ps;
    return mach_contention_take(machine->contention, MACH_SHARED_INTERFACE, nic_of(user, rank), machine->now, from_ps,
                                doorbell_ps, true);
}

static MpiPath path_of(void *user, uint32_t rank, uint32_t other)
{
    const Machine *machine = user;
    return mach_map_path(machine->config, machine->net, &machine->processes[rank].place,
                         &machine->processes[other].place);
}

/* Whether a type of node has a value other than 0 there. */
static bool any_node_has(const Machine *machine, size_t offset)
{
    for (uint32_t type = 0; type < mach_node_types(machine->config); type++)
        if (G_STRUCT_MEMBER(uint64_t, &machine->models[type].config, offset))
            return true;
    return false;
}

/* A message goes through the memory of its node. */
static void send_within_node(Machine *machine, uint32_t from, uint32_t to, uint64_t bytes, uint64_t time_ps,
                             uint64_t *sent_ps, uint64_t *delivered_ps)
{
    uint64_t until_ps = memory_until(machine, from, bytes, time_ps);
    mach_node_channels_send(machine->local, from, to, bytes, time_ps, until_ps, sent_ps, delivered_ps);
}

/* A message that takes no time in this run. */
static bool deliver_at_once(Machine *machine, uint32_t from, uint32_t to, uint64_t time_ps, uint64_t cookie)
{
    if (!mach_what_if_takes_none(machine, from, to, &time_ps))
        return false;
    if (!(cookie & MPI_COOKIE_UNREPORTED))
        mach_run_queue_event(machine, time_ps, MACH_EVENT_SENT, from, cookie, 0);
    mach_run_queue_event(machine, time_ps, MACH_EVENT_DELIVERED, to, cookie, 0);
    return true;
}

/* -- what mpi/ and netsim/ ask for ------------------------------------------------------------- */

static void transmit(void *user, uint32_t from, uint32_t to, uint64_t bytes, uint64_t time_ps, uint64_t cookie)
{
    Machine *machine = user;
    uint32_t from_node = machine->processes[from].place.node, to_node = machine->processes[to].place.node;
    bool unreported = cookie & MPI_COOKIE_UNREPORTED;
    assert(time_ps >= machine->now);
    if (G_UNLIKELY(machine->threaded))
        threads_world_told(machine->threads, from, to);
    if (G_UNLIKELY(machine->what_if) && deliver_at_once(machine, from, to, time_ps, cookie))
        return;
    if (from_node != to_node) {
        machine->in_flight++;
        net_send(machine->net, &(NetSend){.from = from_node,
                                          .to = to_node,
                                          .bytes = bytes,
                                          .time_ps = time_ps,
                                          .cookie = cookie,
                                          .nic = machine->processes[from].place.nic,
                                          .unreported = unreported});
        return;
    }
    uint64_t sent_ps, delivered_ps;
    send_within_node(machine, from, to, bytes, time_ps, &sent_ps, &delivered_ps);
    if (G_UNLIKELY(machine->what_if))
        mach_what_if_local(machine, from, to, delivered_ps);
    if (!unreported)
        mach_run_queue_event(machine, sent_ps, MACH_EVENT_SENT, from, cookie, 0);
    mach_run_queue_event(machine, delivered_ps, MACH_EVENT_DELIVERED, to, cookie, 0);
}

typedef struct Target {
    uint32_t node;
    uint64_t cookie;
} Target;

static int compare_targets(gconstpointer a, gconstpointer b, gpointer user)
{
    const Target *x = a, *y = b;
    (void)user;
    return (x->node > y->node) - (x->node < y->node);
}

/* Sends one network message to all targets on other nodes, and a message to each target on the rank's own node. */
static void multicast(void *user, uint32_t from, const uint32_t *to, const uint64_t *cookies, uint32_t n,
                      uint64_t bytes, uint64_t time_ps, uint64_t cookie)
{
    Machine *machine = user;
    const MachPlace *place = &machine->processes[from].place;
    bool unreported = cookie & MPI_COOKIE_UNREPORTED;
    g_autofree Target *targets = g_new(Target, n);
    g_autofree uint32_t *nodes = g_new(uint32_t, n);
    g_autofree uint64_t *ordered = g_new(uint64_t, n);
    uint64_t sent_ps = time_ps, delivered_ps;
    uint32_t far = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (G_UNLIKELY(machine->threaded))
            threads_world_told(machine->threads, from, to[i]);
        Target target = {machine->processes[to[i]].place.node, cookies[i]};
        if (G_UNLIKELY(machine->what_if) && deliver_at_once(machine, from, to[i], time_ps, cookies[i]))
            continue;
        if (target.node != place->node) {
            targets[far++] = target;
            continue;
        }
        send_within_node(machine, from, to[i], bytes, time_ps, &sent_ps, &delivered_ps);
        if (G_UNLIKELY(machine->what_if))
            mach_what_if_local(machine, from, to[i], delivered_ps);
        mach_run_queue_event(machine, delivered_ps, MACH_EVENT_DELIVERED, to[i], cookies[i], 0);
    }
    if (!far && !unreported)
        mach_run_queue_event(machine, sent_ps, MACH_EVENT_SENT, from, cookie, 0);
    if (!far)
        return;
    g_qsort_with_data(targets, (gint)far, sizeof *targets, compare_targets, NULL); /* stable: by rank in each node */
    for (uint32_t i = 0; i < far; i++) {
        nodes[i] = targets[i].node;
        ordered[i] = targets[i].cookie;
    }
    machine->in_flight += far;
    NetSend send = {.from = place->node,
                    .to = nodes[0],
                    .bytes = bytes,
                    .time_ps = time_ps,
                    .cookie = cookie,
                    .nic = place->nic,
                    .unreported = unreported};
    net_send_multicast(machine->net, &send, nodes, ordered, far);
}

static void wake(void *user, uint32_t rank, uint64_t time_ps)
{
    mach_advance_wake(user, rank, time_ps);
}

/* Lets the rank go on without a wake-up in the queue. It would come out of the queue just as it goes in, since all that
 * happens until then is kept for its next call, and running ahead has no effect. */
static bool wake_alone(void *user, uint32_t rank, uint64_t time_ps)
{
    Machine *machine = user;
    if (machine->woken || (!machine->usual && (machine->nodes || machine->hooked || machine->timed ||
                                               time_ps > mach_run_rank_limit_ps(machine, rank))))
        return false;
    machine->woken = true;
    machine->woken_rank = rank;
    machine->woken_ps = time_ps;
    return true;
}

static void alarm_at(void *user, uint32_t rank, uint64_t time_ps, uint64_t cookie)
{
    Machine *machine = user;
    assert(time_ps >= machine->now);
    mach_run_queue_event(machine, time_ps, MACH_EVENT_ALARM, rank, cookie, 0);
}

static void touch(void *user, uint32_t rank)
{
    mach_polling_touch(user, rank);
}

/* Ranks ask from several threads, so the first name that is stored stays. */
static const char *node_name(void *user, uint32_t rank)
{
    Machine *machine = user;
    uint32_t node = machine->processes[rank].place.node;
    gpointer *place = &g_ptr_array_index(machine->node_names, node);
    if (!g_atomic_pointer_get(place)) {
        char *name = g_strdup_printf("node%u", node);
        if (!g_atomic_pointer_compare_and_exchange(place, NULL, name))
            g_free(name);
    }
    return g_atomic_pointer_get(place);
}

static uint32_t node_of(void *user, uint32_t rank)
{
    const Machine *machine = user;
    return machine->processes[rank].place.node;
}

/* The last program whose first rank is not behind this one. (One of no ranks has the first of the next.) */
static const MpiProgram *program_of(void *user, uint32_t rank)
{
    const Machine *machine = user;
    guint low = 0, high = machine->programs->len - 1;
    while (low < high) {
        guint middle = low + (high - low + 1) / 2;
        if (g_array_index(machine->programs, MpiProgram, middle).first <= rank)
            low = middle;
        else
            high = middle - 1;
    }
    return &g_array_index(machine->programs, MpiProgram, low);
}

static bool arrange(void *user, const MpiArrangement *arrangement, uint32_t *chosen)
{
    const Machine *machine = user;
    uint32_t *node = g_new(uint32_t, arrangement->n_members);
    for (uint32_t i = 0; i < arrangement->n_members; i++)
        node[i] = node_of(user, arrangement->members ? arrangement->members[i] : i);
    return mach_map_arrange(machine->net, node, arrangement, chosen);
}

static bool is_given(const char *text)
{
    return text && *text;
}

/* Whether nothing tells how early a message is handed over. Failures, other traffic and a bound on what messages take
 * do. */
static bool may_send_late(const Machine *machine)
{
    const NetFaultParams *faults = &machine->config->net.faults;
    return !machine->options.kills && !is_given(faults->links) && !is_given(faults->routers) && !faults->loss &&
           !faults->bit_errors && !faults->jitter_ps && !machine->config->background.load &&
           !machine->options.memory_bytes && !machine->storage;
}

static bool key_of(void *user, uint32_t rank, uint32_t number, MpiMachineKey *key)
{
    const Machine *machine = user;
    uint32_t type = mach_node_type_of(machine->config, machine->processes[rank].place.node);
    return mach_config_key(machine->config, type, number, key);
}

static uint64_t thread_id(void *user, uint32_t rank, uint32_t thread)
{
    const Machine *machine = user;
    return threads_world_id(machine->threads, rank, thread);
}

static void uses(void *user, uint32_t rank, uint64_t address, uint64_t bytes, bool write)
{
    const Machine *machine = user;
    threads_world_accessed(machine->threads, rank, address, bytes, write);
}

MpiEnv mach_run_mpi_env(Machine *machine)
{
    bool memory = any_node_has(machine, offsetof(MachConfig, memory_bandwidth));
    bool doorbells = any_node_has(machine, offsetof(MachConfig, doorbell_ps));
    machine->contention = memory || doorbells ? mach_contention_new() : NULL;
    uint64_t cores = machine->net ? mach_config_total_cores(machine->config, net_network_nodes(machine->net)) : 0;
    return (MpiEnv){.user = machine,
                    .late = may_send_late(machine),
                    .in_order = machine->net && net_in_order(machine->net),
                    .transmit = transmit,
                    .multicast = machine->net && net_send_has_multicast(machine->net) ? multicast : NULL,
                    .wake = wake,
                    .wake_alone = wake_alone,
                    .is_turn = mach_run_is_turn,
                    .take_turn = mach_run_take_turn,
                    .alarm = alarm_at,
                    .thread_id = thread_id,
                    .uses = uses,
                    .touch = touch,
                    .still = mach_run_still,
                    .expose = mach_run_expose,
                    .work = mach_communication_work,
                    .begin_work = mach_communication_begin_work,
                    .serve = mach_communication_serve,
                    .copy = memory ? copy_until : NULL,
                    .doorbell = doorbells ? doorbell : NULL,
                    .quiet_ps = machine->net ? mach_metering_quiet_ps : NULL,
                    .storage = machine->storage ? storage_access : NULL,
                    .storage_file = machine->storage ? storage_file : NULL,
                    .node_name = node_name,
                    .node = node_of,
                    .path = path_of,
                    .nic = nic_of,
                    .processors = (uint32_t)MIN(cores, UINT32_MAX),
                    .newcomers = machine->room - machine->ranks,
                    .spawn = mach_spawn,
                    .start = mach_spawn_start,
                    .program = program_of,
                    .arrange = arrange,
                    .key = key_of};
}

/* The network takes several of its events at a time, so an event may advance virtual time. */
static void network_sent(void *user, uint64_t cookie, uint64_t time_ps)
{
    Machine *machine = user;
    mach_run_reach(machine, time_ps);
    mpi_world_sent(machine->mpi, cookie, time_ps);
}

static void network_delivered(void *user, uint64_t cookie, uint64_t time_ps)
{
    Machine *machine = user;
    mach_run_reach(machine, time_ps);
    machine->in_flight--;
    if (G_UNLIKELY(machine->what_if) && !is_storage(cookie))
        mach_what_if_arrived(machine, cookie);
    if (G_UNLIKELY(is_storage(cookie)))
        mach_storage_event(machine->storage, piece_of(cookie), time_ps);
    else if (G_LIKELY(!machine->nodes) || !mach_sharing_keep(machine, cookie))
        mpi_world_delivered(machine->mpi, cookie, time_ps);
}

/* First the message is fetched, then its receiver, then what that points to: the message may let it go on. */
static void network_expect(void *user, uint64_t cookie, unsigned stage)
{
    Machine *machine = user;
    if (is_storage(cookie))
        return;
    uint32_t rank = mpi_world_fetch_message(cookie, stage > 0);
    if (stage > 0)
        mach_run_fetch(machine, rank, stage > 1);
}

/* A message that cannot be delivered ends the run: nobody knows what the program would have done. */
static void network_undeliverable(void *user, uint64_t cookie, const char *why)
{
    Machine *machine = user;
    (void)why; /* mach_explain() gets it from net_undeliverable() */
    if (machine->stopped)
        return;
    mach_run_reach(machine, net_time_now(machine->net));
    MpiTransfer transfer = mach_run_transfer(cookie);
    machine->undelivered_to = transfer.to;
    mach_run_stop(machine, MACH_STOP_NETWORK, transfer.from);
}

/* A fatal deadlock in the network ends the run at once, whatever else goes on. */
static void network_deadlocked(void *user)
{
    Machine *machine = user;
    mach_run_reach(machine, net_time_now(machine->net));
    mach_run_stop(machine, MACH_STOP_DEADLOCK, 0);
}

/* Returns whether every message costs its sender some time. */
static bool sends_ahead(const MpiOverhead *overhead)
{
    bool all = overhead->ps > 0;
    for (uint32_t i = 0; i < overhead->n; i++)
        all = all && overhead->piece[i].ps > 0;
    return all;
}

NetClient mach_run_net_client(Machine *machine)
{
    return (NetClient){
        .user = machine,
        .sent = network_sent,
        .delivered = network_delivered,
        .undeliverable = network_undeliverable,
        .deadlocked = network_deadlocked,
        .fast = {.expect = network_expect,
                 .sends_ahead = sends_ahead(&machine->config->mpi.send_overhead) &&
                                machine->config->storage.kind == MACH_STORAGE_NONE,
                 /* A run that --memory ends does so at the time of the last event, whatever that was about. */
                 .settles = !machine->options.memory_bytes}};
}
