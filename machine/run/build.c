/* build.c - makes a machine out of a config and programs, and takes it apart. */
#include "base/queue.h"
#include "machine/config/config.h"
#include "machine/map/map.h"
#include "machine/output/output.h"
#include "machine/run/budget.h"
#include "machine/run/caches.h"
#include "machine/run/communication.h"
#include "machine/run/noise.h"
#include "machine/run/run.h"
#include "machine/run/sharing.h"
#include "machine/run/tasks.h"
#include "machine/run/threads.h"
#include "machine/run/tiers.h"
#include "machine/run/workers.h"

enum { TALLIED_QUANTUM = 8192 }; /* largest quantum where ranks record their counts: see vm/rank/tally.c */

void mach_run_options_default(MachOptions *options)
{
    *options = (MachOptions){.quantum = MACH_QUANTUM, .fs = VM_FS_CWD, .checks = mpi_checks_default()};
}

/* -- building ---------------------------------------------------------------------------------- */

static bool count_ranks(Machine *machine, const MachProgram *programs, size_t n_programs, GError **error)
{
    uint64_t ranks = 0;
    for (size_t i = 0; i < n_programs; i++)
        ranks += programs[i].count;
    if (ranks == 0 || ranks > INT32_MAX) {
        g_set_error(error, MACH_ERROR, MACH_ERROR_RANKS,
                    ranks ? "%" G_GUINT64_FORMAT " ranks are more than an MPI program can number"
                          : "%" G_GUINT64_FORMAT " ranks: at least one is needed",
                    ranks);
        return false;
    }
    machine->ranks = machine->running = machine->room = (uint32_t)ranks;
    mach_spawn_prepare(machine, programs, n_programs);
    mach_tasks_prepare(machine, programs, n_programs);
    return true;
}

/* Checks that algorithms that were asked for by name are possible. */
static bool check_algorithms(const MachConfig *config, const Network *net, GError **error)
{
    for (const char *const *name = mpi_collectives(); *name && !net_send_has_multicast(net); name++) {
        const char *algorithm = g_hash_table_lookup(config->mpi.algorithms, *name);
        if (!algorithm || !mpi_algorithm_multicasts(*name, algorithm))
            continue;
        const MachSetting *setting = mach_setting_find(config->settings, "collectives", *name);
        g_set_error(
            error, MACH_ERROR, MACH_ERROR_CONFIG,
            "collectives.%s: %s needs a medium that carries one message to several nodes (switched-ethernet; bus "
            "and csma-cd on topology bus) and loses and delays none of them, which this network is not (%s)",
            *name, algorithm, net_network_params(net)->switching);
        if (setting->line)
            g_prefix_error(error, "%s:%u:1: error: ", config->path, setting->line);
        return false;
    }
    return true;
}

static bool start_background(Machine *machine, GError **error)
{
    const MachBackground *background = &machine->config->background;
    if (!background->load || machine->options.explore)
        return true;
    TrafficBackgroundOptions options = {.pattern = background->pattern,
                                        .load = MAX(background->load / (NET_CHANCE_ONE / TRAFFIC_LOAD_ONE), 1),
                                        .bytes = background->bytes,
                                        .start_ps = background->start_ps,
                                        .end_ps = background->end_ps,
                                        .seed = background->seed,
                                        .hot_node = background->hot_node,
                                        .hot_percent = background->hot_percent,
                                        .most_waiting = background->most_waiting};
    GError *refusal = NULL;
    machine->background = traffic_background_new(machine->net, &options, &refusal);
    if (machine->background)
        return true;
    mach_config_locate(machine->config, &refusal);
    g_propagate_error(error, refusal);
    return false;
}

static bool build_network(Machine *machine, GError **error)
{
    NetClient client = mach_run_net_client(machine);
    machine->what_if = mach_what_if_new(machine);
    machine->net = mach_config_network_for(machine->config, machine->ranks + mach_spawn_cores(machine), &client, error);
    if (machine->net)
        g_ptr_array_set_size(machine->node_names, (gint)net_network_nodes(machine->net));
    return machine->net && check_algorithms(machine->config, machine->net, error) &&
           mach_config_check_protocols(machine->config, error) && start_background(machine, error);
}

static void note_sharing(Machine *machine)
{
    uint32_t most = mach_sharing_most(machine);
    uint64_t cores = mach_config_total_cores(machine->config, net_network_nodes(machine->net));
    if (most > 1)
        mach_run_note(machine,
                      "%u ranks on the %" G_GUINT64_FORMAT
                      " core%s of %s: up to %u of them share a core, and take turns",
                      machine->ranks, cores, cores == 1 ? "" : "s", machine->config->name, most);
}

static void tell_remark(void *user, const char *text)
{
    mach_run_note(user, "%s", text);
}

static bool place_ranks(Machine *machine, GError **error)
{
    g_autofree MachPlace *places = mach_map_ranks(machine->config, machine->net, machine->ranks, error);
    if (!places)
        return false;
    for (uint32_t rank = 0; rank < machine->ranks; rank++)
        machine->processes[rank].place = places[rank];
    mach_threads_came(machine, 0);
    if (!mach_communication_have_cores(machine, error) || !mach_sharing_new(machine, error))
        return false;
    mach_config_remarks(machine->config, net_network_nodes(machine->net), machine->ranks, tell_remark, machine);
    note_sharing(machine);
    return true;
}

static bool build_worlds(Machine *machine, GError **error)
{
    VmLimits limits;
    vm_world_limits_default(&limits);
    limits.stack_bytes = machine->config->stack_bytes;
    limits.heap_bytes = machine->config->heap_bytes;
    limits.fs = machine->options.fs;
    limits.directory = machine->options.directory;
    limits.newcomers = machine->room - machine->ranks;
    static const struct {
        MpiCheck check;
        VmChecks limit;
    } memory[] = {{MPI_CHECK_HEAP, VM_CHECK_HEAP},
                  {MPI_CHECK_BOUNDS, VM_CHECK_BOUNDS},
                  {MPI_CHECK_UNINITIALISED, VM_CHECK_UNINITIALISED}};
    for (size_t i = 0; i < G_N_ELEMENTS(memory); i++)
        if (machine->options.checks & MPI_CHECK_BIT(memory[i].check))
            limits.check |= memory[i].limit;
    VmHost host = mach_run_vm_host(machine);
    machine->vm = vm_world_new(machine->ranks, &limits, &host, error);
    if (!machine->vm)
        return false;
    machine->processes = g_try_new0(MachProcess, mach_tasks_room(machine));
    if (!machine->processes) {
        g_set_error(error, MACH_ERROR, MACH_ERROR_RANKS, "not enough memory for %u ranks", machine->ranks);
        return false;
    }
    MpiParams params = machine->config->mpi;
    params.checks = machine->options.checks;
    params.seed = machine->options.seed;
    params.choices = machine->options.choices;
    params.explore = machine->options.explore;
    params.files.stripe_bytes =
        machine->config->storage.kind == MACH_STORAGE_PARALLEL ? machine->config->storage.stripe_bytes : 0;
    machine->storage = mach_run_storage_new(machine);
    MpiEnv env = mach_run_mpi_env(machine);
    machine->mpi = mpi_world_new(machine->ranks, &params, &env);
    machine->threads = mach_threads_new(machine);
    machine->output = mach_output_new(machine->room, &machine->options);
    machine->local = mach_node_channels_new(machine->config);
    return true;
}

static bool any_predicts(const Machine *machine)
{
    for (uint32_t type = 0; type < mach_node_types(machine->config); type++)
        if (machine->models[type].config.costs.predictor != VM_PREDICTOR_NONE)
            return true;
    return false;
}

void mach_run_clear_program(void *program)
{
    const MpiProgram *cleared = program;
    g_strfreev((char **)cleared->argv);
    g_free((char *)cleared->directory);
}

Machine *mach_run_new(const MachConfig *config, MachProgram *programs, size_t n_programs, const MachOptions *options,
                      GError **error)
{
    Machine *machine = g_new0(Machine, 1);
    machine->config = config;
    machine->options = *options;
    machine->options.quantum = MAX(options->quantum, 1);
    machine->queue = base_queue_new();
    machine->held_ps = UINT64_MAX;
    machine->observers = g_array_new(FALSE, FALSE, sizeof(MachObserver));
    machine->polls = g_hash_table_new_full(g_direct_hash, g_direct_equal, NULL, g_free);
    machine->parked = g_ptr_array_new();
    machine->node_names = g_ptr_array_new_with_free_func(g_free);
    machine->programs = g_array_new(FALSE, FALSE, sizeof(MpiProgram));
    g_array_set_clear_func(machine->programs, mach_run_clear_program);
    bool built = mach_run_build_models(machine, error) && count_ranks(machine, programs, n_programs, error) &&
                 build_network(machine, error) && build_worlds(machine, error) && place_ranks(machine, error) &&
                 mach_run_start_programs(machine, programs, n_programs, error);
    built = built && mach_kills_begin(machine, error);
    if (built) {
        mach_what_if_begin(machine);
        mach_caches_attach(machine);
        mach_noise_attach(machine);
        machine->tallies = machine->hierarchies || any_predicts(machine);
        if (machine->tallies)
            machine->options.quantum = MIN(machine->options.quantum, TALLIED_QUANTUM);
    }
    for (size_t i = 0; i < n_programs; i++)
        g_clear_pointer(&programs[i].module, vcode_module_free);
    if (built) {
        mach_budget_new(machine);
        machine->workers = machine->kill_ps || options->forks ? NULL : mach_workers_new(machine);
        machine->tiers = mach_tiers_new(machine);
        return machine;
    }
    mach_run_free(machine);
    return NULL;
}

void mach_run_free(Machine *machine)
{
    if (!machine)
        return;
    mach_workers_free(machine->workers);
    mach_tiers_free(machine->tiers);
    mach_budget_free(machine);
    if (machine->mpi)
        mpi_world_free(machine->mpi);
    if (machine->vm)
        vm_world_free(machine->vm);
    mach_metering_free(machine);
    mach_caches_free(machine);
    if (machine->net)
        mach_sharing_free(machine);
    mach_communication_free(machine);
    g_free(machine->noise);
    g_free(machine->kill_ps);
    if (machine->net)
        net_network_free(machine->net);
    traffic_background_free(machine->background);
    mach_what_if_free(machine->what_if);
    mach_output_free(machine->output);
    mach_node_channels_free(machine->local);
    mach_contention_free(machine->contention);
    mach_storage_free(machine->storage);
    if (machine->waiting)
        g_ptr_array_unref(machine->waiting);
    base_queue_free(machine->queue);
    g_array_unref(machine->observers);
    for (uint32_t rank = 0; machine->sleeps && rank < machine->ranks; rank++)
        if (machine->sleeps[rank])
            g_array_unref(machine->sleeps[rank]);
    g_free(machine->sleeps);
    g_ptr_array_unref(machine->parked);
    g_hash_table_unref(machine->polls);
    g_ptr_array_unref(machine->node_names);
    mach_spawn_free(machine);
    g_array_unref(machine->programs);
    g_clear_pointer(&machine->leaks, g_array_unref);
    mach_run_free_models(machine);
    mach_tasks_free(machine);
    g_clear_pointer(&machine->looks, g_array_unref);
    if (machine->threads)
        threads_world_free(machine->threads);
    g_free(machine->externs);
    g_free(machine->processes);
    g_free(machine->node_ranks);
    g_free(machine);
}

void mach_run_observe(Machine *machine, const MachObserver *observer)
{
    g_array_append_val(machine->observers, *observer);
    if (!machine->sleeps) {
        machine->sleeps = g_new0(GArray *, machine->room);
        mach_threads_observe(machine);
    }
    machine->timed = machine->timed || observer->activity || observer->transfer;
    MpiObserver all = mach_run_mpi_observer(machine);
    mpi_world_observe(machine->mpi, &all);
}
