/* communication.c - the communication threads of the library, and what must hold for them (mpi/p2p/progress.c is their work).
 */
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
    if (config->mpi.progress[MPI_PROGRESS_MESSAGES] != MPI_PROGRESS_THREAD)
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
                      "[node] cores or fewer ranks on a node would do%s",
                      node, cores, cores == 1 ? "" : "s", n, n == 1 ? "" : "s", threads, threads == 1 ? "" : "s",
                      each && n > 1 ? ", or progress-thread = node" : "");
    }
    return true;
}
