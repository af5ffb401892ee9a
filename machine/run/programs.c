/* programs.c - starts the ranks of each program, on nodes of one or several types. Each table of costs needs an
 * image. */
#include "machine/config/config.h"
#include "machine/map/map.h"
#include "machine/run/caches.h"
#include "machine/run/communication.h"
#include "machine/run/noise.h"
#include "machine/run/run.h"

#include <string.h>

bool mach_run_build_models(Machine *machine, GError **error)
{
    const MachConfig *config = machine->config;
    machine->names = g_string_chunk_new(64);
    machine->models = g_new0(MachNodeModel, mach_node_types(config));
    for (uint32_t type = 0; type < mach_node_types(config); type++) {
        MachNodeModel *model = &machine->models[type];
        mach_node_config(config, type, &model->config);
        model->extern_costs = g_array_new(FALSE, FALSE, sizeof(VmExternCost));
        if (type) /* if a function has two costs, the first one counts */
            mach_library_costs_append(model->extern_costs, machine->names,
                                      ((MachNodeType *)g_ptr_array_index(config->node_types, type - 1))->library);
        mach_library_costs_append(model->extern_costs, machine->names, config->library);
        model->config.costs.externs = (const VmExternCost *)model->extern_costs->data;
        model->config.costs.n_externs = model->extern_costs->len;
        if (!mach_caches_check(&model->config, error) || !mach_noise_check(&model->config, error) ||
            !mach_communication_check(&model->config, error))
            return false;
    }
    return true;
}

void mach_run_free_models(Machine *machine)
{
    for (uint32_t type = 0; machine->models && type < mach_node_types(machine->config); type++)
        if (machine->models[type].extern_costs)
            g_array_unref(machine->models[type].extern_costs);
    g_clear_pointer(&machine->models, g_free);
    g_clear_pointer(&machine->names, g_string_chunk_free);
}

const MachNodeModel *mach_run_model(const Machine *machine, uint32_t rank)
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
           a->execution == b->execution && a->dispatch_q8 == b->dispatch_q8 && a->predictor == b->predictor &&
           a->misprediction_q8 == b->misprediction_q8 && a->copy_byte_q8 == b->copy_byte_q8 &&
           a->library_q8 == b->library_q8 && a->n_externs == b->n_externs &&
           (a->n_externs == 0 || memcmp(a->externs, b->externs, a->n_externs * sizeof *a->externs) == 0);
}

/* The functions of MPI and of threads, in one table that images refer to. */
static const VmExtern *functions(Machine *machine, size_t *count)
{
    size_t n_mpi, n_threads;
    const VmExtern *mpi = mpi_world_externs(machine->mpi, &n_mpi),
                   *threads = threads_world_externs(machine->threads, &n_threads);
    *count = n_mpi + n_threads;
    if (machine->externs)
        return machine->externs;
    machine->externs = g_new(VmExtern, *count);
    memcpy(machine->externs, mpi, n_mpi * sizeof *mpi);
    memcpy(machine->externs + n_mpi, threads, n_threads * sizeof *threads);
    return machine->externs;
}

bool mach_run_calls(const MachProgram *programs, size_t n, const char *prefix)
{
    for (size_t i = 0; i < n; i++) {
        const VcodeModule *module = programs[i].module;
        for (uint32_t e = 0; module && e < module->externs.count; e++) {
            const char *name = vcode_text(module, module->externs.items[e].name);
            if (g_str_has_prefix(name + (*name == 'P'), prefix))
                return true;
        }
    }
    return false;
}

VmImage *mach_run_image(Machine *machine, MachImages *images, uint32_t type, GError **error)
{
    const VmCosts *costs = &machine->models[type].config.costs;
    if (images->by_type[type])
        return images->by_type[type];
    size_t n_externs;
    const VmExtern *externs = functions(machine, &n_externs);
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

MachImages *mach_run_images_new(const Machine *machine, VcodeModule *module)
{
    MachImages *images = g_new0(MachImages, 1);
    images->module = module;
    images->by_type = g_new0(VmImage *, mach_node_types(machine->config));
    return images;
}

void mach_run_images_free(const Machine *machine, MachImages *images)
{
    for (uint32_t type = 0; type < mach_node_types(machine->config); type++)
        if (images->by_type[type])
            vm_image_unref(images->by_type[type]);
    g_free(images->by_type);
    vcode_module_free(images->module);
    g_free(images);
}

/* Returns the environment of a program: nothing comes from the host unless somebody asked for it. */
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

/* Loads the image into the rank's memory and makes it known to MPI. */
bool mach_run_load_rank(Machine *machine, MachImages *images, uint32_t rank, const char *const *argv,
                        const char *const *environment, GError **error)
{
    const MachNodeModel *model = mach_run_model(machine, rank);
    uint64_t period = mach_what_if_period(machine, mach_map_period_q32(&model->config));
    VmImage *image = mach_run_image(machine, images, (uint32_t)(model - machine->models), error);
    if (!image || !vm_world_start(machine->vm, rank, image, argv, environment, period, error))
        return false;
    machine->processes[rank].vm = vm_world_rank(machine->vm, rank);
    machine->processes[rank].rank = rank;
    if (machine->nodes && machine->nodes[machine->processes[rank].place.node])
        vm_rank_pace(machine->processes[rank].vm);
    machine->processes[rank].piece_end = UINT64_MAX;
    if (model->config.alignment == MACH_ALIGNMENT_NATURAL)
        vm_rank_forbid_unaligned(machine->processes[rank].vm);
    return true;
}

void mach_run_attach_rank(Machine *machine, uint32_t rank)
{
    mpi_world_attach(machine->mpi, rank, machine->processes[rank].vm);
    machine->processes[rank].stats = mpi_world_stats(machine->mpi, rank);
}

static bool start_ranks(Machine *machine, MachImages *images, const MachProgram *program, char **environment,
                        uint32_t first, GError **error)
{
    for (uint32_t rank = first; rank < first + program->count; rank++) {
        if (!mach_run_load_rank(machine, images, rank, program->argv, (const char *const *)environment, error))
            return false;
        mach_run_attach_rank(machine, rank);
        mach_run_make_ready(machine, rank);
    }
    return true;
}

/* Returns the directory that the program sees as its own, or NULL if it may not see the host's files. */
char *mach_run_start_directory(const Machine *machine)
{
    if (machine->options.fs == VM_FS_NONE)
        return NULL;
    return machine->options.directory ? g_strdup(machine->options.directory) : g_get_current_dir();
}

bool mach_run_start_programs(Machine *machine, MachProgram *programs, size_t n_programs, GError **error)
{
    uint32_t first = 0;
    bool started = true;
    machine->survives = mach_run_calls(programs, n_programs, "MPIX_Comm_");
    if (mach_run_calls(programs, n_programs, "MPI_T_pvar_handle_alloc"))
        mpi_world_watch_queues(machine->mpi);
    for (size_t i = 0; i < n_programs && started; i++) {
        MachImages *images = mach_run_images_new(machine, g_steal_pointer(&programs[i].module));
        char **environment = make_environment(programs[i].environment);
        MpiProgram program = {(uint32_t)i, programs[i].count, (const char *const *)g_strdupv((char **)programs[i].argv),
                              mach_run_start_directory(machine), first};
        g_array_append_val(machine->programs, program);
        started = start_ranks(machine, images, &programs[i], environment, first, error);
        mach_spawn_keep(machine, images, programs[i].argv[0], environment);
        first += programs[i].count;
    }
    return started;
}
