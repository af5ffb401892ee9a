/* noise.c - the operating system takes the processor away now and then: section [noise].
 *
 *     period = 10 ms      a daemon wakes up every 10 ms
 *     duration = 25 us    and computes for so long
 *
 * This is the detour model of the literature: Petrini, Kerbyson and Pakin, "The Case of the Missing Supercomputer
 * Performance", SC 2003; Beckman and others, "The Influence of Operating Systems on the Performance of Collective
 * Operations at Extreme Scale", Cluster 2006; Hoefler, Schneider and Lumsdaine, "Characterizing the Influence of System
 * Noise on Large-Scale Applications by Simulation", SC 2010. What it does to a program that only computes is what the
 * fixed work quantum benchmark (FWQ) measures.
 *
 * Each core has detours of its own, one in each period, at its beginning or anywhere in it. A detour is a function of
 * (seed, node, core, number of the period) alone. While it lasts, ranks of that core do not compute. Time that they
 * spend blocked, or in the MPI library, passes as usual. So the time at which a rank has done `work` since `from` is a
 * pure function of these two. The clock (vm/rank/clock.c) asks for it whenever it is read. When that happens, in what
 * pieces a rank runs, and what else goes on cannot matter.
 *
 *      from                                  from + work
 *        |---- work ----|=detour=|-- work ------|=detour=|-- work --|
 *                                                                   ^ through(from, work)
 */
#include "machine/run/noise.h"
#include "base/random.h"
#include "base/units.h"
#include "machine/config/config.h"
#include "machine/run/run.h"

typedef struct Noise { /* the noise of one core */
    VmNoise base;
    const MachNoise *kind;
    uint64_t key;      /* random key of its core */
    uint64_t shift_ps; /* added to virtual time to get the time in which periods begin at multiples of their length */
    /* Where the last question led to; only speed depends on it. */
    uint64_t from_ps, period, work_ps; /* work_ps: work done from from_ps up to the beginning of that period */
} Noise;

typedef struct Detour { /* times from the beginning of its period */
    uint64_t begin_ps, duration_ps;
} Detour;

static Detour detour_of(const Noise *noise, uint64_t number)
{
    const MachNoise *kind = noise->kind;
    Detour detour = {.duration_ps = base_random_spread(kind->distribution, kind->duration_ps,
                                                       base_random_mix(noise->key, number, 0))};
    detour.duration_ps = MIN(detour.duration_ps, kind->period_ps);
    if (kind->arrival == MACH_NOISE_RANDOM)
        detour.begin_ps = (uint64_t)((unsigned __int128)base_random_mix(noise->key, number, 1) *
                                         (kind->period_ps - detour.duration_ps + 1) >>
                                     64);
    return detour;
}

/* Returns the work that can be done in a period between `begin_ps` and `end_ps`. */
static uint64_t work_between(const Detour *detour, uint64_t begin_ps, uint64_t end_ps)
{
    uint64_t first = MAX(begin_ps, detour->begin_ps);
    uint64_t last = MIN(end_ps, detour->begin_ps + detour->duration_ps);
    return end_ps - begin_ps - (last > first ? last - first : 0);
}

/* Returns when, in a period, `work_ps` that begin at `begin_ps` are done. */
static uint64_t after_work(const Detour *detour, uint64_t begin_ps, uint64_t work_ps)
{
    uint64_t end_ps = begin_ps + work_ps, over = detour->begin_ps + detour->duration_ps;
    if (end_ps <= detour->begin_ps || begin_ps >= over)
        return end_ps;
    return over + end_ps - MAX(begin_ps, detour->begin_ps);
}

/* Returns when `work_ps` that begin at `from_ps` are done. Goes on from where the last question led to, if possible. */
static uint64_t through(VmNoise *base, uint64_t from_ps, uint64_t work_ps)
{
    Noise *noise = (Noise *)base;
    uint64_t period = noise->kind->period_ps;
    if (!work_ps)
        return from_ps;
    if (noise->from_ps != from_ps || noise->work_ps >= work_ps || noise->period == 0) {
        noise->from_ps = from_ps;
        noise->period = 0;
        noise->work_ps = 0;
    }
    uint64_t at = from_ps + noise->shift_ps;
    uint64_t number = noise->period ? noise->period : at / period;
    uint64_t begin = noise->period ? 0 : at % period;
    for (uint64_t left = work_ps - noise->work_ps;; number++, begin = 0) {
        Detour detour = detour_of(noise, number);
        uint64_t possible = work_between(&detour, begin, period);
        if (left <= possible)
            return number * period + after_work(&detour, begin, left) - noise->shift_ps;
        left -= possible;
        noise->period = number + 1;
        noise->work_ps = work_ps - left;
    }
}

static uint64_t work(const VmNoise *base, uint64_t from_ps, uint64_t until_ps)
{
    const Noise *noise = (const Noise *)base;
    uint64_t period = noise->kind->period_ps, at = from_ps + noise->shift_ps, end = until_ps + noise->shift_ps;
    uint64_t done = 0;
    for (uint64_t number = at / period; number * period < end; number++) {
        Detour detour = detour_of(noise, number);
        uint64_t begin = number * period;
        done += work_between(&detour, MAX(at, begin) - begin, MIN(end, begin + period) - begin);
    }
    return done;
}

/* -- machines ---------------------------------------------------------------------------------- */

bool mach_noise_check(const MachConfig *config, GError **error)
{
    const MachNoise *noise = &config->noise;
    if (!noise->period_ps || noise->duration_ps < noise->period_ps)
        return true;
    const MachSetting *setting = mach_setting_find(config->settings, "noise", "duration");
    g_autofree char *place = setting && setting->line
                                 ? g_strdup_printf("%s:%u:1: error: ", config->path, setting->line)
                                 : g_strdup_printf("%s: [noise] ", config->path ? config->path : config->name);
    g_autofree char *duration = base_units_format_time(noise->duration_ps),
                    *period = base_units_format_time(noise->period_ps);
    g_set_error(error, MACH_ERROR, MACH_ERROR_CONFIG,
                "%sduration: noise of %s in every %s leaves a program no time; it must be shorter than period", place,
                duration, period);
    return false;
}

static void noise_init(Noise *noise, const MachNoise *kind, uint32_t node, uint32_t core)
{
    noise->base.through = through;
    noise->base.work = work;
    noise->kind = kind;
    noise->key = base_random_mix(kind->seed, node, core);
    if (kind->phase == MACH_NOISE_PHASE_RANDOM) /* then the first detour at a period's beginning is at period - shift */
        noise->shift_ps =
            (uint64_t)((unsigned __int128)base_random_mix(noise->key, UINT64_MAX, 2) * kind->period_ps >> 64);
}

static void attach(Machine *machine, uint32_t rank, uint32_t index)
{
    const MachConfig *config = &mach_run_model(machine, rank)->config;
    if (!config->noise.period_ps || machine->options.explore)
        return;
    if (machine->processes[rank].share) /* its cores have it */
        return;
    if (!machine->noise)
        machine->noise = g_new0(Noise, machine->room);
    Noise *noise = (Noise *)machine->noise + rank;
    noise_init(noise, &config->noise, machine->processes[rank].place.node, index % config->cores);
    vm_rank_clock(vm_world_rank(machine->vm, rank))->noise = &noise->base;
}

void mach_noise_attach_node(const Machine *machine, MachNode *node)
{
    uint32_t number = mach_node_number(node);
    const MachNoise *kind = &machine->models[mach_node_type_of(machine->config, number)].config.noise;
    if (!kind->period_ps)
        return;
    Noise *noise = g_new0(Noise, mach_node_cores(node));
    for (uint32_t core = 0; core < mach_node_cores(node); core++) {
        noise_init(&noise[core], kind, number, core);
        mach_node_set_noise(node, core, &noise[core].base);
    }
    mach_node_own_noise(node, noise);
}

/* The ranks of a node in order have its cores 0, 1, 2 ... in turn, as in map/map.c. */
void mach_noise_attach(Machine *machine)
{
    g_autofree uint32_t *of_node = g_new0(uint32_t, net_network_nodes(machine->net));
    for (uint32_t rank = 0; rank < machine->ranks; rank++)
        attach(machine, rank, of_node[machine->processes[rank].place.node]++);
}

void mach_noise_attach_newcomer(Machine *machine, uint32_t rank, uint32_t index)
{
    attach(machine, rank, index);
}
