/* spawn.c - ranks that come during a run (MPI_Comm_spawn).
 *
 * Ranks are numbered on through the whole run, whatever MPI_COMM_WORLD they are in. Tables by rank must not move, since
 * others hold pointers into them. So if a program can start others, which its externs tell, they are made with `room`
 * for NEWCOMERS more; the host commits memory at first touch. No other program pays for that.
 *
 * Newcomers begin blocked. They run when MPI says that word of them has come to their nodes (mach_spawn_start()).
 *
 * A program is found by its name: first among those that this run has started, by their argv[0], else by
 * MachOptions.program, which may compile it. Its images are kept, so that a thousand spawns of a program need one. */
#include "machine/config/config.h"
#include "machine/run/advance.h"
#include "machine/run/budget.h"
#include "machine/run/caches.h"
#include "machine/run/noise.h"
#include "machine/run/run.h"
#include "machine/run/sharing.h"
#include "machine/run/threads.h"
#include "machine/run/tiers.h"

#include <assert.h>
#include <string.h>

enum { NEWCOMERS = 1 << 16, SPARE_CORES = 16 };

typedef struct Kept { /* a program that can be started */
    char *command, *directory, *path;
    MachImages *images;
    char **environment;
} Kept;

struct MachSpawning {
    GPtrArray *kept;  /* Kept, in the order in which they were first started */
    MachSeats *seats; /* NULL until ranks come */
    GArray *worlds;   /* MachWorld, without world 0 */
};

/* -- what there is ------------------------------------------------------------------------------- */

static void kept_free(void *item)
{
    Kept *kept = item;
    g_free(kept->command);
    g_free(kept->directory);
    g_free(kept->path);
    g_strfreev(kept->environment);
    g_free(kept);
}

void mach_spawn_prepare(Machine *machine, const MachProgram *programs, size_t n)
{
    if (!mach_run_calls(programs, n, "MPI_Comm_spawn") || machine->ranks > INT32_MAX - NEWCOMERS)
        return;
    machine->room = machine->ranks + NEWCOMERS;
    machine->spawning = g_new0(MachSpawning, 1);
    machine->spawning->kept = g_ptr_array_new_with_free_func(kept_free);
    machine->spawning->worlds = g_array_new(FALSE, FALSE, sizeof(MachWorld));
    g_array_unref(machine->programs); /* others read it while it grows */
    machine->programs = g_array_sized_new(FALSE, FALSE, sizeof(MpiProgram), (guint)(n + NEWCOMERS));
    g_array_set_clear_func(machine->programs, mach_run_clear_program);
}

uint32_t mach_spawn_cores(const Machine *machine)
{
    return machine->spawning ? SPARE_CORES : 0;
}

void mach_spawn_free(Machine *machine)
{
    if (!machine->spawning)
        return;
    for (guint i = 0; i < machine->spawning->kept->len; i++)
        mach_run_images_free(machine, ((Kept *)machine->spawning->kept->pdata[i])->images);
    g_ptr_array_unref(machine->spawning->kept);
    g_array_unref(machine->spawning->worlds);
    mach_map_seats_free(machine->spawning->seats);
    g_clear_pointer(&machine->spawning, g_free);
}

uint32_t mach_run_worlds(const Machine *machine)
{
    return 1 + (machine->spawning ? machine->spawning->worlds->len : 0);
}

MachWorld mach_run_world(const Machine *machine, uint32_t index)
{
    if (index)
        return g_array_index(machine->spawning->worlds, MachWorld, index - 1);
    bool alone = mach_run_worlds(machine) == 1;
    return (MachWorld){.ranks = alone ? machine->ranks : mach_run_world(machine, 1).first,
                       .command = g_array_index(machine->programs, MpiProgram, 0).argv[0]};
}

static Kept *keep(Machine *machine, MachImages *images, const char *command, char **environment)
{
    Kept *kept = g_new0(Kept, 1);
    *kept = (Kept){.command = g_strdup(command), .images = images, .environment = environment};
    g_ptr_array_add(machine->spawning->kept, kept);
    return kept;
}

void mach_spawn_keep(Machine *machine, MachImages *images, const char *command, char **environment)
{
    if (machine->spawning) {
        keep(machine, images, command, environment);
        return;
    }
    mach_run_images_free(machine, images);
    g_strfreev(environment);
}

static MachSeats *seats_of(Machine *machine)
{
    MachSpawning *spawning = machine->spawning;
    if (spawning->seats)
        return spawning->seats;
    spawning->seats = mach_map_seats_new(machine->config, machine->net);
    for (uint32_t rank = 0; rank < machine->ranks; rank++)
        if (machine->processes[rank].state != MACH_RANK_FINISHED)
            mach_map_seats_take(spawning->seats, machine->processes[rank].place.node);
    return spawning->seats;
}

void mach_spawn_exited(Machine *machine, uint32_t rank)
{
    if (machine->spawning && machine->spawning->seats)
        mach_map_seats_leave(machine->spawning->seats, machine->processes[rank].place.node);
}

/* -- finding programs ------------------------------------------------------------------------------ */

static const char *without_dot(const char *command)
{
    return g_str_has_prefix(command, "./") ? command + 2 : command;
}

static Kept *find_kept(Machine *machine, const MpiSpawn *spawn)
{
    for (guint i = 0; i < machine->spawning->kept->len; i++) {
        Kept *kept = machine->spawning->kept->pdata[i];
        if (strcmp(without_dot(kept->command), without_dot(spawn->command)) == 0 &&
            ((!kept->directory && !kept->path) ||
             (g_strcmp0(kept->directory, spawn->directory) == 0 && g_strcmp0(kept->path, spawn->path) == 0)))
            return kept;
    }
    return NULL;
}

static const char *argv0_of(Machine *machine, uint32_t rank)
{
    MpiEnv env = mach_run_mpi_env(machine);
    return env.program(machine, rank)->argv[0];
}

/* The environment of a process is that of the process which starts it. */
static char **environment_of(Machine *machine, uint32_t rank)
{
    const char *command = argv0_of(machine, rank);
    for (guint i = 0; i < machine->spawning->kept->len; i++) {
        const Kept *kept = machine->spawning->kept->pdata[i];
        if (strcmp(kept->command, command) == 0)
            return g_strdupv(kept->environment);
    }
    return g_new0(char *, 1);
}

static Kept *find_program(Machine *machine, uint32_t by, const MpiSpawn *spawn, char **why)
{
    const MachOptions *options = &machine->options;
    MachLookup lookup = {
        .command = spawn->command, .directory = spawn->directory, .path = spawn->path, .beside = argv0_of(machine, by)};
    Kept *kept = find_kept(machine, spawn);
    g_autoptr(GError) error = NULL;
    if (kept)
        return kept;
    VcodeModule *module = options->program ? options->program(options->program_user, &lookup, &error) : NULL;
    MachImages *images = module ? mach_run_images_new(machine, module) : NULL;
    if (images && mach_run_image(machine, images, 0, &error)) {
        kept = keep(machine, images, spawn->command, environment_of(machine, by));
        kept->directory = g_strdup(spawn->directory);
        kept->path = g_strdup(spawn->path);
        return kept;
    }
    if (images)
        mach_run_images_free(machine, images);
    *why = error ? g_strdup(error->message) : g_strdup_printf("there is no program \"%s\"", spawn->command);
    return NULL;
}

/* -- finding nodes ----------------------------------------------------------------------------------- */

/* Reads a list of nodes such as "node3,node5:2". Their names are those of MPI_Get_processor_name. Returns which nodes
 * may be chosen, or NULL: one of them is unknown. */
static bool *parse_hosts(Machine *machine, uint32_t by, const char *host, char **why)
{
    uint32_t nodes = net_network_nodes(machine->net);
    g_autofree bool *among = g_new0(bool, nodes);
    g_auto(GStrv) names = g_strsplit_set(host, ", ", -1);
    bool any = false;
    for (char **name = names; *name; name++) {
        uint64_t node;
        if (!**name)
            continue;
        char *colon = strchr(*name, ':');
        if (colon)
            *colon = '\0';
        if (strcmp(*name, "localhost") == 0) {
            node = machine->processes[by].place.node;
        } else if (!g_str_has_prefix(*name, "node") ||
                   !g_ascii_string_to_unsigned(*name + strlen("node"), 10, 0, nodes - 1, &node, NULL)) {
            *why = g_strdup_printf("there is no node \"%s\": nodes are node0 to node%u", *name, nodes - 1);
            return NULL;
        }
        among[node] = any = true;
    }
    if (!any)
        *why = g_strdup("the info key host names no node");
    return any ? g_steal_pointer(&among) : NULL;
}

/* The architecture is that of uname(). */
static bool check_architecture(const MpiSpawn *spawn, char **why)
{
    if (!spawn->architecture || strcmp(spawn->architecture, "vcode") == 0)
        return true;
    *why = g_strdup_printf("no node has the architecture \"%s\": all have vcode", spawn->architecture);
    return false;
}

/* -- starting ------------------------------------------------------------------------------------------ */

/* A program of one call, as far as it has been prepared. */
typedef struct Part {
    const MpiSpawn *spawn;
    Kept *program;
    bool *among;       /* by node: may be chosen; NULL: any */
    const char **argv; /* its texts are those of the request */
} Part;

static const char **make_argv(const MpiSpawn *spawn)
{
    GPtrArray *argv = g_ptr_array_new();
    g_ptr_array_add(argv, (char *)spawn->command);
    for (const char *const *argument = spawn->arguments; argument && *argument; argument++)
        g_ptr_array_add(argv, (char *)*argument);
    g_ptr_array_add(argv, NULL);
    return (const char **)g_ptr_array_free(argv, FALSE);
}

static bool prepare(Machine *machine, uint32_t by, const MpiSpawn *spawn, Part *part, char **why)
{
    *part = (Part){.spawn = spawn, .argv = make_argv(spawn)};
    if (!check_architecture(spawn, why))
        return false;
    if (spawn->host && !(part->among = parse_hosts(machine, by, spawn->host, why)))
        return false;
    part->program = find_program(machine, by, spawn, why);
    return part->program;
}

/* Loads a new rank. It is not yet one of machine->ranks. */
static bool load(Machine *machine, uint32_t rank, const Part *part, char **why)
{
    g_autoptr(GError) error = NULL;
    const Kept *program = part->program;
    MachProcess *process = &machine->processes[rank];
    *process = (MachProcess){.place = mach_map_seats_choose(seats_of(machine), part->among)};
    if (!mach_run_load_rank(machine, program->images, rank, part->argv, (const char *const *)program->environment,
                            &error))
        *why = g_strdup(error->message);
    else if (part->spawn->directory && !vm_library_begin_in(process->vm, part->spawn->directory))
        *why = g_strdup_printf("the program may not begin in the directory \"%s\", or there is none",
                               part->spawn->directory);
    return !*why;
}

/* Takes back ranks that were loaded. */
static void unload(Machine *machine, uint32_t first, uint32_t loaded, uint32_t n)
{
    for (uint32_t rank = first; rank < first + loaded; rank++)
        mach_map_seats_leave(seats_of(machine), machine->processes[rank].place.node);
    vm_world_drop(machine->vm, n);
}

/* Loads the `total` ranks of all parts, and notes how many ranks came to its node before each. Returns true if all is
 * well, else says which part is to blame. */
static bool load_all(Machine *machine, const Part *parts, uint32_t n, uint32_t total, uint32_t *index,
                     MpiSpawned *result)
{
    uint32_t rank = machine->ranks;
    g_autoptr(GError) error = NULL;
    if (!vm_world_add(machine->vm, total, &error)) {
        result->why = g_strdup(error->message);
        return false;
    }
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t k = 0; k < parts[i].spawn->ranks; k++, rank++) {
            bool loaded = load(machine, rank, &parts[i], &result->why);
            index[rank - machine->ranks] = mach_map_seats_index(seats_of(machine), machine->processes[rank].place.node);
            if (loaded)
                continue;
            result->failed = i;
            unload(machine, machine->ranks, rank + 1 - machine->ranks, total);
            return false;
        }
    }
    return true;
}

/* The rank is there from now on, but blocked. `index` counts the ranks of its node. */
static void join(Machine *machine, uint32_t rank, uint32_t index)
{
    MachProcess *process = &machine->processes[rank];
    process->state = MACH_RANK_BLOCKED;
    mach_sharing_join(machine, rank, index, 0);
    mach_run_attach_rank(machine, rank);
    mach_caches_attach_newcomer(machine, rank, index);
    mach_noise_attach_newcomer(machine, rank, index);
    mach_metering_came(machine, rank);
    mach_budget_came(machine, rank);
    mach_tiers_came(machine->tiers, rank);
    if (machine->hooked)
        vm_rank_set_hook(process->vm, machine->hook, machine->hook_user);
}

static void join_all(Machine *machine, uint32_t by, const Part *parts, uint32_t n, uint32_t total,
                     const uint32_t *index)
{
    uint32_t first = mpi_world_add(machine->mpi, total), at = first;
    g_assert(first == machine->ranks);
    machine->ranks += total;
    machine->running += total;
    mach_threads_came(machine, first);
    for (uint32_t i = 0; i < n; i++) {
        const MpiSpawn *spawn = parts[i].spawn;
        MpiProgram program = {i, spawn->ranks, (const char *const *)g_strdupv((char **)parts[i].argv),
                              spawn->directory ? g_strdup(spawn->directory) : mach_run_start_directory(machine), at};
        at += spawn->ranks;
        g_array_append_val(machine->programs, program);
    }
    MachWorld world = {
        .first = first, .ranks = total, .by = by, .time_ps = machine->now, .command = parts[0].program->command};
    g_array_append_val(machine->spawning->worlds, world);
    for (uint32_t rank = first; rank < first + total; rank++)
        join(machine, rank, index[rank - first]);
}

MpiSpawned mach_spawn(void *user, uint32_t by, const MpiSpawn *spawns, uint32_t n)
{
    Machine *machine = user;
    MpiSpawned result = {.first = machine->ranks};
    uint64_t total = 0;
    assert(n > 0);
    for (uint32_t i = 0; i < n; i++)
        total += spawns[i].ranks;
    if (total > machine->room - machine->ranks) {
        result.why = g_strdup_printf("no more than %d processes can come during one run", NEWCOMERS);
        return result;
    }
    Part *parts = g_new0(Part, n);
    bool good = true;
    for (uint32_t i = 0; i < n && good; i++)
        if (!(good = prepare(machine, by, &spawns[i], &parts[i], &result.why)))
            result.failed = i;
    g_autofree uint32_t *index = g_new0(uint32_t, total + 1);
    if (good && load_all(machine, parts, n, (uint32_t)total, index, &result))
        join_all(machine, by, parts, n, (uint32_t)total, index);
    for (uint32_t i = 0; i < n; i++) {
        g_free(parts[i].among);
        g_free(parts[i].argv);
    }
    g_free(parts);
    return result;
}

void mach_spawn_start(void *user, uint32_t rank, uint64_t time_ps)
{
    Machine *machine = user;
    MachProcess *process = &machine->processes[rank];
    g_assert(process->state == MACH_RANK_BLOCKED && time_ps >= machine->now);
    vm_clock_set(vm_rank_clock(process->vm), time_ps);
    process->start_ps = time_ps;
    mach_run_make_ready(machine, rank);
}
