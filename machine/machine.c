/* machine.c - makes a machine out of a config and programs, takes it apart, and answers questions about it. */
#include "base/queue.h"
#include "machine/internal.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

enum { DEFAULT_QUANTUM = 1000000, POLL_MS = 100 };
enum { TALLIED_QUANTUM = 8192 }; /* at most, where ranks keep notes of what they count: see vm/tally.c */

void mach_run_options_default(MachOptions *options)
{
    *options = (MachOptions){.quantum = DEFAULT_QUANTUM, .fs = VM_FS_CWD, .checks = mpi_checks_default()};
}

static void say(Machine *machine, void (*hear)(void *user, const char *text), const char *text)
{
    if (machine->runs_on)
        return;
    if (machine->options.before_output)
        machine->options.before_output(machine->options.progress_user);
    if (hear)
        hear(machine->options.user, text);
    else
        g_printerr("orrery: %s\n", text);
}

void mach_run_note(Machine *machine, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    say(machine, machine->options.note, text);
}

void mach_tell_finding(Machine *machine, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    machine->findings++;
    say(machine, machine->options.finding ? machine->options.finding : machine->options.note, text);
}

/* -- what the VM asks for ---------------------------------------------------------------------- */

static void host_write(void *user, uint32_t rank, int stream, uint64_t time_ps, const char *bytes, size_t size)
{
    Machine *machine = user;
    if (machine->runs_on)
        return;
    uint16_t runner = machine->processes[rank].runner;
    if (runner)
        mach_output_writes_add(mach_workers_writes(machine->workers, runner), rank, stream, time_ps, bytes, size);
    else
        mach_output_write(machine->output, rank, stream, time_ps, bytes, size);
}

/* Sleeping is being blocked; the account is made when the computing around it ends. */
static void host_slept(void *user, uint32_t rank, uint64_t from_ps, uint64_t to_ps)
{
    Machine *machine = user;
    machine->processes[rank].slept_ps += to_ps - from_ps;
    if (!machine->sleeps)
        return;
    if (!machine->sleeps[rank])
        machine->sleeps[rank] = g_array_new(FALSE, FALSE, sizeof(MachSleep));
    MachSleep sleep = {from_ps, to_ps};
    g_array_append_val(machine->sleeps[rank], sleep);
}

static void host_grew(void *user, uint32_t rank, uint64_t time_ps, int64_t bytes)
{
    mach_budget_grew(user, rank, time_ps, bytes);
}

static void host_note(void *user, uint32_t rank, uint64_t time_ps, const char *what, const char *detail,
                      const char *fix)
{
    Machine *machine = user;
    mpi_world_note(machine->mpi, rank, MPI_CHECK_UNINITIALISED, time_ps, what, detail, fix);
}

static size_t host_read(void *user, uint32_t rank, char *bytes, size_t size)
{
    Machine *machine = user;
    if (machine->options.input)
        return machine->options.input(machine->options.user, bytes, size);
    if (isatty(STDIN_FILENO))
        mach_output_prompt(machine->output, rank, vm_clock_now(vm_rank_clock(vm_world_rank(machine->vm, rank))));
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    while (poll(&input, 1, POLL_MS) == 0) /* somebody has to type; Ctrl-C must not wait for that */
        if (mach_run_asked_to_pause(machine))
            return 0;
    ssize_t count = read(STDIN_FILENO, bytes, size);
    return count > 0 ? (size_t)count : 0;
}

static const char *host_name(void *user, uint32_t rank)
{
    return mach_run_mpi_env(user).node_name(user, rank);
}

/* Told once: programs try several places, and all of their ranks do. */
static void host_refused_file(void *user, uint32_t rank, const char *path)
{
    enum { MOST = 300 };
    Machine *machine = user;
    if (machine->file_refused)
        return;
    machine->file_refused = true;
    g_autofree char *name = g_strndup(path, MOST);
    for (char *at = name; *at; at++)
        *at = g_ascii_iscntrl(*at) ? '?' : *at;
    if (machine->options.fs == VM_FS_NONE)
        mach_run_note(machine,
                      "rank %u asks for the file \"%s\" and does not get it: with --fs none there are no files", rank,
                      name);
    else
        mach_run_note(machine,
                      "rank %u asks for \"%s\", outside the working directory, and does not get it (EACCES); --fs all "
                      "allows it, ORRERY_FS=all where there is no place for options",
                      rank, name);
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
    machine->ranks = machine->running = (uint32_t)ranks;
    return true;
}

static const MachSetting *find_given(const MachConfig *config, const char *section, const char *name)
{
    const MachSetting *setting = mach_setting_find(config->settings, section, name);
    return setting && (setting->line || setting->commanded) ? setting : NULL;
}

/* The first of some keys of [network] that is given, and by --set if `commanded`. */
static const MachSetting *find_first(const MachConfig *config, const char *const *names, bool commanded)
{
    for (; *names; names++) {
        const MachSetting *setting = find_given(config, "network", *names);
        if (setting && (setting->commanded || !commanded))
            return setting;
    }
    return NULL;
}

/* The setting that gives a parameter; where nobody does, one that it follows from, first among those of the command
 * line. */
static const MachSetting *find_cause(const MachConfig *config, const char *name)
{
    static const char *const sections[] = {"network", "faults", "background"};
    static const char *const causes[] = {"topology", "switching", "routing", "dims", "nodes", "virtual-channels", NULL};
    const MachSetting *setting = NULL;
    for (size_t i = 0; !setting && i < G_N_ELEMENTS(sections); i++)
        setting = find_given(config, sections[i], name);
    if (!setting && strcmp(name, "nodes") == 0)
        setting = find_given(config, "network", "dims");
    if (!setting && strcmp(name, "table") == 0)
        setting = find_given(config, "network", "routing");
    if (!setting)
        setting = find_first(config, causes, true);
    return setting ? setting : find_first(config, causes, false);
}

void mach_config_locate(const MachConfig *config, GError **error)
{
    g_autofree char *name = g_strndup((*error)->message, strcspn((*error)->message, ":"));
    g_strdelimit(name, "_", '-');
    const MachSetting *cause = find_cause(config, name);
    if (cause && cause->commanded)
        g_prefix_error(error, "--set %s.%s: ", cause->section, cause->name);
    else if (cause)
        g_prefix_error(error, "%s:%u:1: error: ", config->path, cause->line);
    else
        g_prefix_error(error, "%s: [network] ", config->path ? config->path : config->name);
    (*error)->domain = MACH_ERROR;
    (*error)->code = MACH_ERROR_CONFIG;
}

/* As many nodes as the ranks need, each on a core. */
static uint32_t nodes_for(const MachConfig *config, uint32_t ranks)
{
    uint32_t nodes = MAX((ranks + config->cores - 1) / config->cores, 2);
    while (mach_node_types(config) > 1 && mach_config_total_cores(config, nodes) < ranks)
        nodes += MAX((uint32_t)((ranks - mach_config_total_cores(config, nodes)) / config->cores), 1);
    return nodes;
}

static Network *network_for(const MachConfig *config, uint32_t ranks, const NetClient *client, GError **error)
{
    NetParams params = config->net;
    bool any_number = !params.nodes && !params.n_dims && g_strcmp0(params.switching, "loggp") == 0 &&
                      g_strcmp0(params.topology, "file") != 0;
    if (any_number)
        params.nodes = nodes_for(config, ranks);
    GError *refusal = NULL;
    Network *net = net_new(&params, client, &refusal);
    if (!net) {
        mach_config_locate(config, &refusal);
        g_propagate_error(error, refusal);
    } else if (!mach_config_check_nodes(config, net_nodes(net), any_number, error)) {
        g_clear_pointer(&net, net_free);
    }
    return net;
}

/* Algorithms that were asked for by name must be possible. */
static bool check_algorithms(const MachConfig *config, const Network *net, GError **error)
{
    for (const char *const *name = mpi_collectives(); *name && !net_has_broadcast(net); name++) {
        const char *algorithm = g_hash_table_lookup(config->mpi.algorithms, *name);
        if (!algorithm || !mpi_algorithm_multicasts(*name, algorithm))
            continue;
        const MachSetting *setting = mach_setting_find(config->settings, "collectives", *name);
        g_set_error(
            error, MACH_ERROR, MACH_ERROR_CONFIG,
            "collectives.%s: %s needs a medium that carries one message to several nodes (switched-ethernet; bus "
            "and csma-cd on topology bus) and loses and delays none of them, which this network is not (%s)",
            *name, algorithm, net_params(net)->switching);
        if (setting->line)
            g_prefix_error(error, "%s:%u:1: error: ", config->path, setting->line);
        return false;
    }
    return true;
}

Network *mach_config_network(const MachConfig *config, uint32_t ranks, GError **error)
{
    static const NetClient nobody = {0};
    return network_for(config, ranks, &nobody, error);
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
    machine->net = network_for(machine->config, machine->ranks, &client, error);
    if (machine->net)
        g_ptr_array_set_size(machine->node_names, (gint)net_nodes(machine->net));
    return machine->net && check_algorithms(machine->config, machine->net, error) && start_background(machine, error);
}

static void note_sharing(Machine *machine)
{
    uint32_t most = 1;
    for (uint32_t rank = 0; rank < machine->ranks; rank++)
        most = MAX(most, machine->processes[rank].place.share);
    uint64_t cores = mach_config_total_cores(machine->config, net_nodes(machine->net));
    if (most > 1)
        mach_run_note(machine,
                      "%u ranks on the %" G_GUINT64_FORMAT " core%s of %s: up to %u of them share a core, at %s",
                      machine->ranks, cores, cores == 1 ? "" : "s", machine->config->name, most,
                      "1/n of its speed less the time of switching");
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
    mach_config_remarks(machine->config, net_nodes(machine->net), machine->ranks, tell_remark, machine);
    note_sharing(machine);
    return true;
}

static bool build_worlds(Machine *machine, GError **error)
{
    VmLimits limits;
    vm_limits_default(&limits);
    limits.stack_bytes = machine->config->stack_bytes;
    limits.heap_bytes = machine->config->heap_bytes;
    limits.fs = machine->options.fs;
    limits.directory = machine->options.directory;
    static const struct {
        MpiCheck check;
        VmChecks limit;
    } memory[] = {{MPI_CHECK_HEAP, VM_CHECK_HEAP},
                  {MPI_CHECK_BOUNDS, VM_CHECK_BOUNDS},
                  {MPI_CHECK_UNINITIALISED, VM_CHECK_UNINITIALISED}};
    for (size_t i = 0; i < G_N_ELEMENTS(memory); i++)
        if (machine->options.checks & MPI_CHECK_BIT(memory[i].check))
            limits.check |= memory[i].limit;
    VmHost host = {.user = machine,
                   .write = host_write,
                   .read = host_read,
                   .slept = host_slept,
                   .hostname = host_name,
                   .refused_file = host_refused_file,
                   .grew = host_grew,
                   .note = host_note};
    machine->vm = vm_world_new(machine->ranks, &limits, &host, error);
    if (!machine->vm)
        return false;
    machine->processes = g_try_new0(MachProcess, machine->ranks);
    if (!machine->processes) {
        g_set_error(error, MACH_ERROR, MACH_ERROR_RANKS, "not enough memory for %u ranks", machine->ranks);
        return false;
    }
    MpiParams params = machine->config->mpi;
    params.checks = machine->options.checks;
    params.seed = machine->options.seed;
    params.choices = machine->options.choices;
    params.explore = machine->options.explore;
    MpiEnv env = mach_run_mpi_env(machine);
    machine->mpi = mpi_world_new(machine->ranks, &params, &env);
    machine->output = mach_output_new(machine->ranks, &machine->options);
    machine->local = mach_node_channels_new(machine->config);
    return true;
}

/* -- programs on nodes of several types -------------------------------------------------------- */

static bool build_models(Machine *machine, GError **error)
{
    const MachConfig *config = machine->config;
    machine->names = g_string_chunk_new(64);
    machine->models = g_new0(MachNodeModel, mach_node_types(config));
    for (uint32_t type = 0; type < mach_node_types(config); type++) {
        MachNodeModel *model = &machine->models[type];
        mach_node_config(config, type, &model->config);
        model->extern_costs = g_array_new(FALSE, FALSE, sizeof(VmExternCost));
        if (type) /* of two costs of one function the first counts */
            mach_library_costs_append(model->extern_costs, machine->names,
                                      ((MachNodeType *)g_ptr_array_index(config->node_types, type - 1))->library);
        mach_library_costs_append(model->extern_costs, machine->names, config->library);
        model->config.costs.externs = (const VmExternCost *)model->extern_costs->data;
        model->config.costs.n_externs = model->extern_costs->len;
        if (!mach_caches_check(&model->config, error) || !mach_noise_check(&model->config, error))
            return false;
    }
    return true;
}

static bool any_predicts(const Machine *machine)
{
    for (uint32_t type = 0; type < mach_node_types(machine->config); type++) {
        const char *predictor = machine->models[type].config.costs.predictor;
        if (predictor && strcmp(predictor, vm_predictors()[0]) != 0)
            return true;
    }
    return false;
}

static void free_models(Machine *machine)
{
    for (uint32_t type = 0; machine->models && type < mach_node_types(machine->config); type++)
        if (machine->models[type].extern_costs)
            g_array_unref(machine->models[type].extern_costs);
    g_clear_pointer(&machine->models, g_free);
    g_clear_pointer(&machine->names, g_string_chunk_free);
}

static const MachNodeModel *model_of(const Machine *machine, uint32_t rank)
{
    return &machine->models[mach_node_type_of(machine->config, machine->processes[rank].place.node)];
}

static bool same_costs(const VmCosts *a, const VmCosts *b)
{
    return memcmp(a->class_q8, b->class_q8, sizeof a->class_q8) == 0 &&
           memcmp(a->latency_q8, b->latency_q8, sizeof a->latency_q8) == 0 &&
           a->branch_order_q8 == b->branch_order_q8 && a->branch_test_q8 == b->branch_test_q8 &&
           a->branch_exit_q8 == b->branch_exit_q8 && a->exit_order_q8 == b->exit_order_q8 &&
           a->branch_switch_q8 == b->branch_switch_q8 && a->exit_test_q8 == b->exit_test_q8 && a->window == b->window &&
           g_strcmp0(a->execution, b->execution) == 0 && a->dispatch_q8 == b->dispatch_q8 &&
           g_strcmp0(a->predictor, b->predictor) == 0 && a->misprediction_q8 == b->misprediction_q8 &&
           a->copy_byte_q8 == b->copy_byte_q8 && a->library_q8 == b->library_q8 && a->n_externs == b->n_externs &&
           (a->n_externs == 0 || memcmp(a->externs, b->externs, a->n_externs * sizeof *a->externs) == 0);
}

typedef struct Images {  /* of one program, by type of node: one for each table of costs, made when it is needed */
    VcodeModule *module; /* until the first is made */
    VmImage *first;
    VmImage **by_type;
} Images;

static VmImage *image_for(Machine *machine, Images *images, uint32_t type, GError **error)
{
    const VmCosts *costs = &machine->models[type].config.costs;
    size_t n_externs;
    const VmExtern *externs = mpi_world_externs(machine->mpi, &n_externs);
    if (images->by_type[type])
        return images->by_type[type];
    for (uint32_t other = 0; other < mach_node_types(machine->config); other++)
        if (images->by_type[other] && same_costs(costs, &machine->models[other].config.costs))
            return images->by_type[type] = vm_image_ref(images->by_type[other]);
    if (images->first)
        images->by_type[type] = vm_image_with_costs(images->first, externs, n_externs, costs);
    else
        images->by_type[type] = images->first =
            vm_image_new(g_steal_pointer(&images->module), externs, n_externs, costs, error);
    return images->by_type[type];
}

static void images_clear(Machine *machine, Images *images)
{
    for (uint32_t type = 0; type < mach_node_types(machine->config); type++)
        if (images->by_type[type])
            vm_image_unref(images->by_type[type]);
    g_free(images->by_type);
    vcode_module_free(images->module);
}

/* What a program finds in its environment: nothing of the host's that nobody has asked for. */
static char **make_environment(const char *const *settings)
{
    static const char *const small_environment[] = {"PATH=/usr/bin:/bin", "HOME=/", "USER=orrery", "LANG=C", NULL};
    char **environment = g_strdupv((char **)small_environment);
    for (; settings && *settings; settings++) {
        g_autofree char *name = g_strndup(*settings, strcspn(*settings, "="));
        environment = g_environ_setenv(environment, name, *settings + strlen(name) + 1, TRUE);
    }
    return environment;
}

static bool start_ranks(Machine *machine, Images *images, const MachProgram *program, uint32_t first, GError **error)
{
    g_auto(GStrv) environment = make_environment(program->environment);
    uint32_t count = program->count;
    for (uint32_t rank = first; rank < first + count; rank++) {
        const MachNodeModel *model = model_of(machine, rank);
        uint64_t period = mach_map_period_q32(&model->config, machine->processes[rank].place.share);
        VmImage *image = image_for(machine, images, (uint32_t)(model - machine->models), error);
        if (!image ||
            !vm_world_start(machine->vm, rank, image, program->argv, (const char *const *)environment, period, error))
            return false;
        VmRank *process = vm_world_rank(machine->vm, rank);
        mpi_world_attach(machine->mpi, rank, process);
        machine->processes[rank].vm = process;
        machine->processes[rank].stats = mpi_world_stats(machine->mpi, rank);
        if (model->config.alignment == MACH_ALIGNMENT_NATURAL)
            vm_rank_forbid_unaligned(process);
        mach_run_make_ready(machine, rank);
    }
    return true;
}

/* For the program to know; NULL where it may not. */
static char *start_directory(const Machine *machine)
{
    if (machine->options.fs == VM_FS_NONE)
        return NULL;
    return machine->options.directory ? g_strdup(machine->options.directory) : g_get_current_dir();
}

/* Makes images of each program and starts its ranks. Modules are taken in any case. */
static bool start_programs(Machine *machine, MachProgram *programs, size_t n_programs, GError **error)
{
    uint32_t first = 0;
    bool started = true;
    for (size_t i = 0; i < n_programs && started; i++) {
        Images images = {.module = g_steal_pointer(&programs[i].module),
                         .by_type = g_new0(VmImage *, mach_node_types(machine->config))};
        MpiProgram program = {(uint32_t)i, programs[i].count, (const char *const *)g_strdupv((char **)programs[i].argv),
                              start_directory(machine)};
        g_array_append_val(machine->programs, program);
        started = start_ranks(machine, &images, &programs[i], first, error);
        images_clear(machine, &images);
        first += programs[i].count;
    }
    return started;
}

static void clear_program(void *program)
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
    g_array_set_clear_func(machine->programs, clear_program);
    bool built = build_models(machine, error) && count_ranks(machine, programs, n_programs, error) &&
                 build_network(machine, error) && build_worlds(machine, error) && place_ranks(machine, error) &&
                 start_programs(machine, programs, n_programs, error);
    if (built) {
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
        machine->workers = mach_workers_new(machine);
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
    mach_caches_free(machine);
    g_free(machine->noise);
    if (machine->net)
        net_free(machine->net);
    traffic_background_free(machine->background);
    mach_output_free(machine->output);
    mach_node_channels_free(machine->local);
    base_queue_free(machine->queue);
    g_array_unref(machine->observers);
    for (uint32_t rank = 0; machine->sleeps && rank < machine->ranks; rank++)
        if (machine->sleeps[rank])
            g_array_unref(machine->sleeps[rank]);
    g_free(machine->sleeps);
    g_ptr_array_unref(machine->parked);
    g_hash_table_unref(machine->polls);
    g_ptr_array_unref(machine->node_names);
    g_array_unref(machine->programs);
    g_clear_pointer(&machine->leaks, g_array_unref);
    free_models(machine);
    g_free(machine->processes);
    g_free(machine);
}

void mach_run_observe(Machine *machine, const MachObserver *observer)
{
    g_array_append_val(machine->observers, *observer);
    if (!machine->sleeps)
        machine->sleeps = g_new0(GArray *, machine->ranks);
    MpiEnv env = mach_run_mpi_env(machine);
    mpi_world_observe(machine->mpi, &env);
}

/* -- looking at it ----------------------------------------------------------------------------- */

uint32_t mach_run_ranks(const Machine *machine)
{
    return machine->ranks;
}

uint64_t mach_run_now(const Machine *machine)
{
    return machine->now;
}

uint32_t mach_run_stopped_rank(const Machine *machine)
{
    return machine->stopped_rank;
}

VmRank *mach_run_rank(Machine *machine, uint32_t rank)
{
    return vm_world_rank(machine->vm, rank);
}

Network *mach_run_network(Machine *machine)
{
    return machine->net;
}

MpiWorld *mach_run_mpi(Machine *machine)
{
    return machine->mpi;
}

const MachConfig *mach_run_config(const Machine *machine)
{
    return machine->config;
}

uint32_t mach_run_node_of(const Machine *machine, uint32_t rank)
{
    return machine->processes[rank].place.node;
}

MachRankState mach_run_rank_state(const Machine *machine, uint32_t rank)
{
    return machine->processes[rank].state;
}

void mach_run_set_hook(Machine *machine, VmHook hook, void *user)
{
    machine->hooked = hook;
    for (uint32_t rank = 0; rank < machine->ranks; rank++)
        if (machine->processes[rank].state != MACH_RANK_FINISHED)
            vm_rank_set_hook(vm_world_rank(machine->vm, rank), hook, user);
}

int mach_run_exit_status(const Machine *machine)
{
    int status = 0;
    switch (machine->stop) {
    case MACH_STOP_FINISHED:
        for (uint32_t rank = 0; rank < machine->ranks; rank++)
            status = MAX(status, machine->processes[rank].exit_status);
        return status;
    case MACH_STOP_FAULT: return 128 + vm_rank_fault_info(vm_world_rank(machine->vm, machine->stopped_rank))->signal;
    case MACH_STOP_ABORT:
        status = mpi_world_abort_code(machine->mpi);
        return status & 0xff ? status & 0xff : status != 0;
    case MACH_STOP_INTERRUPT:
        switch (mach_output_error(machine->output)) {
        case 0: return 128 + SIGINT;
        case EPIPE: return 128 + SIGPIPE;
        default: return 1;
        }
    default: return 1;
    }
}

uint32_t mach_findings(const Machine *machine)
{
    return machine->findings;
}

/* A rank that computes counts up to now, not up to where it has run ahead; overhead of local MPI calls since it resumed
 * counts as computing, because how much of it lies before now is not known. */
static void cut_off(const Machine *machine, const MachProcess *process, MachRankReport *report)
{
    if (process->state != MACH_RANK_READY)
        return;
    report->overhead_ps = process->resumed_overhead_ps;
    if (machine->now > process->resumed_ps)
        report->compute_ps += machine->now - process->resumed_ps;
}

void mach_run_rank_report(const Machine *machine, uint32_t rank, MachRankReport *report)
{
    const MachProcess *process = &machine->processes[rank];
    const MpiRankStats *stats = mpi_world_stats(machine->mpi, rank);
    *report = (MachRankReport){
        .compute_ps = process->compute_ps,
        .overhead_ps = stats->overhead_ps,
        .blocked_ps = stats->blocked_ps,
        .messages_sent = stats->messages_sent,
        .bytes_sent = stats->bytes_sent,
        .messages_received = stats->messages_received,
        .bytes_received = stats->bytes_received,
        .node = process->place.node,
        .exit_status = process->exit_status,
    };
    cut_off(machine, process, report);
    report->finish_ps = report->compute_ps + report->overhead_ps + report->blocked_ps;
    assert(process->state != MACH_RANK_FINISHED || report->finish_ps == process->finish_ps);
}

bool mach_run_background_counts(const Machine *machine, TrafficBackgroundCounts *counts)
{
    if (machine->background)
        traffic_background_counts(machine->background, counts);
    return machine->background;
}

uint64_t mach_run_makespan(const Machine *machine)
{
    uint64_t makespan = 0;
    for (uint32_t rank = 0; rank < machine->ranks; rank++) {
        MachRankReport report;
        mach_run_rank_report(machine, rank, &report);
        makespan = MAX(makespan, report.finish_ps);
    }
    return makespan;
}
