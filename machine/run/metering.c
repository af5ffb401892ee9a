/* metering.c - what profiles ask of a machine: meters of ranks, how time is accounted for while ranks run, and how long
 * messages would be on their way alone. */
#include "machine/node/node.h"
#include "machine/run/caches.h"
#include "machine/run/run.h"
#include "machine/run/tasks.h"
#include "machine/run/workers.h"

enum {
    METERED_QUANTUM = 2048, /* ranks run ahead by little, as what they meter may have to be taken back */
    MEASURED_NODES = 1024,  /* networks up to this size are built to measure what has no closed form */
    KNOWN_NODES = 16384     /* on larger ones nothing is worked out: each pair of ranks mostly talks once */
};

struct MachMetering {
    VmMeter *meter;
    uint64_t *lacked_ps, *stored_ps; /* by rank */
};

typedef struct Quiet { /* a message that is alone, and its times */
    uint32_t from, to; /* nodes */
    uint64_t bytes;
    uint64_t sent_ps, delivered_ps;
} Quiet;

/* -- meters ------------------------------------------------------------------------------------ */

uint32_t mach_run_room(const Machine *machine)
{
    return machine->room;
}

void mach_metering_came(Machine *machine, uint32_t rank)
{
    if (machine->metering)
        vm_meter_attach(machine->metering->meter, machine->processes[rank].vm,
                        machine->hierarchies ? machine->hierarchies[rank] : NULL);
}

void mach_run_meter(Machine *machine, VmMeter *meter, bool exact)
{
    g_assert(!machine->metering);
    machine->metering = g_new0(MachMetering, 1);
    machine->metering->meter = meter;
    machine->metering->lacked_ps = g_new0(uint64_t, machine->room);
    machine->metering->stored_ps = g_new0(uint64_t, machine->room);
    machine->tallies = true;
    if (exact) {
        mach_workers_free(machine->workers);
        machine->workers = NULL;
        machine->options.quantum = MIN(machine->options.quantum, METERED_QUANTUM);
    }
    for (uint32_t rank = 0; rank < machine->ranks; rank++)
        mach_metering_came(machine, rank);
}

void mach_metering_free(Machine *machine)
{
    if (machine->metering) {
        g_free(machine->metering->lacked_ps);
        g_free(machine->metering->stored_ps);
    }
    g_clear_pointer(&machine->metering, g_free);
    g_clear_pointer(&machine->quiet, g_hash_table_unref);
}

void mach_metering_lacked(Machine *machine, uint32_t rank, uint64_t ps)
{
    if (machine->metering)
        machine->metering->lacked_ps[rank] += ps;
}

void mach_metering_stored(Machine *machine, uint32_t rank, uint64_t ps)
{
    if (machine->metering)
        machine->metering->stored_ps[rank] += ps;
}

MachAccount mach_run_account(const Machine *machine, uint32_t rank)
{
    const MachProcess *process = &machine->processes[rank];
    const MachMetering *metering = machine->metering;
    const MpiRankStats *stats = mpi_world_stats(machine->mpi, rank);
    return (MachAccount){.overhead_ps = stats->overhead_ps,
                         .blocked_ps = stats->blocked_ps + process->slept_ps,
                         .lacked_ps = metering ? metering->lacked_ps[rank] : 0,
                         .stored_ps = metering ? metering->stored_ps[rank] : 0,
                         .threaded = process->threaded};
}

/* -- messages that are alone ------------------------------------------------------------------- */

static guint quiet_hash(gconstpointer key)
{
    const Quiet *quiet = key;
    return (quiet->from * 0x9e3779b1u ^ quiet->to) * 0x85ebca6bu ^ (guint)quiet->bytes ^ (guint)(quiet->bytes >> 32);
}

static gboolean quiet_equal(gconstpointer a, gconstpointer b)
{
    const Quiet *x = a, *y = b;
    return x->from == y->from && x->to == y->to && x->bytes == y->bytes;
}

/* Times between two nodes, found once for each size. */
static const Quiet *quiet_between(Machine *machine, uint32_t from, uint32_t to, uint64_t bytes)
{
    bool small = net_network_nodes(machine->net) <= MEASURED_NODES;
    Quiet key = {.from = from, .to = to, .bytes = bytes};
    if (!machine->quiet)
        machine->quiet = g_hash_table_new_full(quiet_hash, quiet_equal, g_free, NULL);
    const Quiet *known = g_hash_table_lookup(machine->quiet, &key);
    if (known)
        return known;
    Quiet *quiet = g_new(Quiet, 1);
    *quiet = key;
    quiet->delivered_ps =
        small || net_zero_load_is_known(machine->net) ? net_zero_load_ps(machine->net, from, to, bytes) : UINT64_MAX;
    quiet->sent_ps = small ? net_zero_load_sent_ps(machine->net, from, to, bytes) : UINT64_MAX;
    g_hash_table_add(machine->quiet, quiet);
    return quiet;
}

uint64_t mach_metering_quiet_ps(void *user, uint32_t from, uint32_t to, uint64_t bytes, bool sent)
{
    Machine *machine = user;
    uint32_t from_node = machine->processes[from].place.node, to_node = machine->processes[to].place.node;
    if (from_node == to_node) {
        uint64_t sent_ps, delivered_ps;
        MachNodeChannels *channels = mach_node_channels_new(machine->config);
        mach_node_channels_send(channels, from, to, bytes, 0, 0, &sent_ps, &delivered_ps);
        mach_node_channels_free(channels);
        return sent ? sent_ps : delivered_ps;
    }
    if (net_network_nodes(machine->net) > KNOWN_NODES)
        return UINT64_MAX;
    const Quiet *quiet = quiet_between(machine, from_node, to_node, bytes);
    return sent ? quiet->sent_ps : quiet->delivered_ps;
}
