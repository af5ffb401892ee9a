/* protocols.c - refuses keys of [protocol] that contradict each other.
 *
 * A key of a path (wan-credits) counts together with what holds on that path: its protocol, and the keys for all paths
 * where it has none of its own. */
#include "machine/config/config.h"

#include <string.h>

static const char section[] = "protocol";

typedef struct Seen { /* what holds on a path */
    const char *path;
    const MachSetting *protocol, *threshold, *credits, *pool, *chunk;
    MpiProtocolParams params;
} Seen;

/* Whether the setting has another value than the default. (A printed machine file has all keys.) */
static bool is_set(const MachSetting *setting)
{
    return strcmp(setting->value, setting->fallback) != 0;
}

/* Returns the path's own setting, if it has one, or that of all paths. */
static const MachSetting *setting_on(const MachConfig *config, const char *path, const char *key)
{
    g_autofree char *name = key ? g_strdup_printf("%s-%s", path, key) : g_strdup(path);
    const MachSetting *own = mach_setting_find(config->settings, section, name);
    g_assert(own);
    return is_set(own) ? own : mach_setting_find(config->settings, section, key ? key : "all");
}

static uint64_t number_of(const MachConfig *config, const MachSetting *setting)
{
    uint64_t value;
    memcpy(&value, (const char *)config + setting->offset, sizeof value);
    return value;
}

static Seen see(const MachConfig *config, unsigned path)
{
    static const char *const paths[] = BASE_CHOICE_NAMES(MPI_PATH_CLASSES);
    Seen seen = {.path = paths[path],
                 .protocol = setting_on(config, paths[path], NULL),
                 .threshold = setting_on(config, paths[path], "threshold"),
                 .credits = setting_on(config, paths[path], "credits"),
                 .pool = setting_on(config, paths[path], "pool"),
                 .chunk = setting_on(config, paths[path], "chunk")};
    MpiProtocol own = config->mpi.protocols[path].protocol;
    seen.params = (MpiProtocolParams){.protocol = own ? own : config->mpi.protocol.protocol,
                                      .threshold = number_of(config, seen.threshold),
                                      .credits = number_of(config, seen.credits),
                                      .pool = number_of(config, seen.pool)};
    return seen;
}

/* Refuses the setting, with its line if the machine file has it. */
G_GNUC_PRINTF(4, 5)
static bool refuse(const MachConfig *config, const MachSetting *setting, GError **error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *why = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_set_error(error, MACH_ERROR, MACH_ERROR_CONFIG, "%s.%s = %s: %s", setting->section, setting->name, setting->value,
                why);
    if (setting->line && !setting->commanded)
        g_prefix_error(error, "%s:%u:1: error: ", config->path, setting->line);
    return false;
}

/* A limit on buffers that is written for this path, though its protocol has none. */
static const MachSetting *useless(const Seen *seen)
{
    const MachSetting *own[] = {seen->credits, seen->pool};
    bool buffers = seen->params.protocol == MPI_PROTOCOL_EAGER;
    for (size_t i = 0; i < G_N_ELEMENTS(own); i++)
        if (!buffers && is_set(own[i]) && g_str_has_prefix(own[i]->name, seen->path))
            return own[i];
    bool waits = seen->params.protocol == MPI_PROTOCOL_RECEIVER_POST || seen->params.protocol == MPI_PROTOCOL_DAEMON;
    if (waits && is_set(seen->threshold) && g_str_has_prefix(seen->threshold->name, seen->path))
        return seen->threshold;
    bool posts = seen->params.protocol == MPI_PROTOCOL_RECEIVER_POST;
    return !posts && is_set(seen->chunk) && g_str_has_prefix(seen->chunk->name, seen->path) ? seen->chunk : NULL;
}

static bool check_path(const MachConfig *config, const Seen *seen, GError **error)
{
    const MpiProtocolParams *params = &seen->params;
    const char *name = mpi_protocol_names()[params->protocol];
    const MachSetting *unread = useless(seen);
    if (unread)
        return refuse(config, unread, error, "messages of %s go by %s (%s.%s), which does not have this", seen->path,
                      name, section, seen->protocol->name);
    if (params->protocol != MPI_PROTOCOL_EAGER)
        return true;
    bool credits_own = g_str_has_prefix(seen->credits->name, seen->path);
    bool pool_own = g_str_has_prefix(seen->pool->name, seen->path);
    if (params->credits && params->pool && credits_own == pool_own)
        return refuse(config, seen->pool, error,
                      "%s.%s = %s limits the same buffers; a rank keeps room for each sender, or for all together",
                      section, seen->credits->name, seen->credits->value);
    uint64_t least = (params->threshold ? params->threshold : config->mpi.eager_limit) + config->mpi.envelope_bytes;
    const char *limit = params->threshold ? "the threshold" : "mpi.eager-limit";
    if (params->credits && params->credits / 2 < least)
        return refuse(config, seen->credits, error,
                      "there must be room for two messages as long as %s with their envelopes, 2 x %" G_GUINT64_FORMAT
                      " bytes",
                      limit, least);
    if (params->pool && params->pool < least)
        return refuse(config, seen->pool, error,
                      "there must be room for a message as long as %s with its envelope, %" G_GUINT64_FORMAT " bytes",
                      limit, least);
    return true;
}

/* Keys of messages between clusters need clusters. */
static bool check_clusters(const MachConfig *config, GError **error)
{
    if (config->cluster_nodes || strcmp(config->net.topology, "clusters") == 0)
        return true;
    for (guint i = 0; i < config->settings->len; i++) {
        const MachSetting *setting = &g_array_index(config->settings, MachSetting, i);
        if (strcmp(setting->section, section) == 0 && g_str_has_prefix(setting->name, "wan") && is_set(setting))
            return refuse(config, setting, error,
                          "there are no messages between clusters, as all nodes are in one; %s.cluster-nodes says how "
                          "many nodes a cluster has, or network.topology = clusters makes some",
                          section);
    }
    return true;
}

bool mach_config_check_protocols(const MachConfig *config, GError **error)
{
    static const char *const general[] = {"credits", "pool", "threshold", "chunk", NULL};
    const MpiDaemonParams *daemon = &config->mpi.daemon;
    bool used[MPI_PROTOCOLS] = {false};
    if (!check_clusters(config, error))
        return false;
    for (unsigned path = 0; path < MPI_PATHS; path++) {
        Seen seen = see(config, path);
        used[seen.params.protocol] = true;
        if (!check_path(config, &seen, error))
            return false;
    }
    for (const char *const *name = general; *name; name++) {
        const MachSetting *setting = mach_setting_find(config->settings, section, *name);
        bool limits = name - general < 2;
        bool read = limits ? used[MPI_PROTOCOL_EAGER]
                    : strcmp(*name, "chunk") == 0
                        ? used[MPI_PROTOCOL_RECEIVER_POST]
                        : used[MPI_PROTOCOL_EAGER] || used[MPI_PROTOCOL_RENDEZVOUS] || used[MPI_PROTOCOL_PUT];
        if (is_set(setting) && !read)
            return refuse(config, setting, error, "no messages go by a protocol that has this");
    }
    if (daemon->soft && daemon->hard && daemon->soft > daemon->hard)
        return refuse(config, mach_setting_find(config->settings, section, "daemon-soft-limit"), error,
                      "it is beyond %s.daemon-hard-limit, where a daemon takes nothing more", section);
    return true;
}

const MachSetting *mach_config_daemons(const MachConfig *config)
{
    static const char *const paths[] = BASE_CHOICE_NAMES(MPI_PATH_CLASSES);
    for (unsigned path = 0; path < MPI_PATHS; path++) {
        MpiProtocol own = config->mpi.protocols[path].protocol;
        if ((own ? own : config->mpi.protocol.protocol) == MPI_PROTOCOL_DAEMON)
            return mach_setting_find(config->settings, section, own ? paths[path] : "all");
    }
    return NULL;
}
