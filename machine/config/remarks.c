/* remarks.c - remarks on settings that probably do not do what the user expects.
 *
 * Some machines do not read some keys: only the model loggp reads network.latency, and the keys of caches are read only
 * if caches are simulated. The last column of keys.def says when a key is read:
 *
 *   when         = alternative { " / " alternative }        one of them must hold
 *   alternative  = condition { " " condition }              all of them must hold
 *                  | "net"                                orrery net reads it
 *   condition    = key ("=" | "!=") [value { "|" value }] | key ">0"
 *
 * A user who sets a key that is not read on the command line gets a remark that it changes nothing. Keys in a machine
 * file get no remark: a file may set keys for models that are chosen later.
 */
#include "machine/config/config.h"

#include <string.h>

enum { FAR_TOO_LARGE = 100 }; /* more nodes than this for each rank deserve a remark */

typedef struct Condition {
    const MachSetting *setting;
    char comparison;    /* '=', '!' or '>' */
    const char *values; /* the values, like "a|b" */
    size_t length;
} Condition;

static Condition read_condition(const MachConfig *config, const char *text)
{
    Condition condition = {.length = strcspn(text, " ")};
    size_t name = strcspn(text, "=!>"), dot = strcspn(text, ".");
    g_autofree char *section = g_strndup(text, dot), *key = g_strndup(text + dot + 1, name - dot - 1);
    condition.setting = mach_setting_find(config->settings, section, key);
    g_assert(condition.setting); /* keys.def names only keys that exist */
    condition.comparison = text[name];
    condition.values = text + name + (text[name] == '=' ? 1 : 2);
    condition.length -= (size_t)(condition.values - text);
    return condition;
}

/* Returns whether the value is in a list like "a|b". */
static bool is_listed(const char *value, const char *list, size_t length)
{
    for (const char *at = list, *end = list + length; at <= end; at++) {
        size_t own = MIN(strcspn(at, "|"), (size_t)(end - at));
        if (strlen(value) == own && strncmp(value, at, own) == 0)
            return true;
        at += own;
    }
    return false;
}

static bool holds(const MachConfig *config, const Condition *condition)
{
    const MachSetting *setting = condition->setting;
    if (condition->comparison != '>')
        return is_listed(setting->value, condition->values, condition->length) == (condition->comparison == '=');
    const char *field = (const char *)config + setting->offset;
    for (size_t i = 0; i < setting->bytes; i++)
        if (field[i])
            return true;
    return false;
}

/* Returns the first condition of an alternative that does not hold, or NULL if all hold. *end becomes the end of the
 * alternative. */
static const char *first_failure(const MachConfig *config, const char *alternative, const char **end)
{
    const char *failed = NULL;
    for (const char *at = alternative;; at += strspn(at, " ")) {
        if (*at == '\0' || *at == '/') {
            *end = at;
            return failed;
        }
        Condition condition = read_condition(config, at);
        if (!failed && !holds(config, &condition))
            failed = at;
        at += strcspn(at, " ");
    }
}

static void append_condition(GString *out, const MachConfig *config, const char *text)
{
    Condition condition = read_condition(config, text);
    g_autofree char *values = g_strndup(condition.values, condition.length);
    g_auto(GStrv) each = g_strsplit(values, "|", -1);
    g_autofree char *listed = g_strjoinv(" or ", each);
    bool nothing = condition.comparison == '>' || !*values;
    g_string_append_printf(out, "%s.%s is %s%s", condition.setting->section, condition.setting->name,
                           condition.comparison == '=' ? "" : "not ",
                           nothing ? condition.comparison == '>' ? "0" : "empty" : listed);
}

/* Returns on which machines the key would be read, or NULL if this machine reads it. The caller frees it with
 * g_free(). */
static char *explain_unread(const MachConfig *config, const char *when, bool net)
{
    g_autoptr(GString) text = g_string_new(NULL);
    Condition first = {0};
    for (const char *at = when; at && *at; at += strspn(at, " /")) {
        if (strcspn(at, " .") == strlen("net") && g_str_has_prefix(at, "net")) {
            if (net)
                return NULL;
            at += strlen("net");
            continue;
        }
        const char *failed = first_failure(config, at, &at);
        if (!failed)
            return NULL;
        if (!first.setting)
            first = read_condition(config, failed);
        g_string_append(text, text->len ? ", or where " : "it is read where ");
        append_condition(text, config, failed);
    }
    if (!first.setting)
        return NULL;
    g_string_append_printf(text, "; here %s.%s is %s", first.setting->section, first.setting->name,
                           *first.setting->value ? first.setting->value : "empty");
    return g_strdup(text->str);
}

/* Returns whether a key concerns links: with a single node nothing crosses the network. */
static bool is_of_links(const MachSetting *setting)
{
    static const char *const shape[] = {"topology", "dims", "nodes", "file", NULL};
    return strcmp(setting->section, "faults") == 0 || strcmp(setting->section, "background") == 0 ||
           (strcmp(setting->section, "network") == 0 && !g_strv_contains(shape, setting->name));
}

/* Returns whether a key concerns ranks: without ranks there is only the network. */
static bool is_of_ranks(const MachSetting *setting)
{
    static const char *const network[] = {"machine", "network", "faults", NULL};
    return !g_strv_contains(network, setting->section) && strcmp(setting->name, "nics") != 0;
}

static bool has_cores(const MachConfig *config, uint32_t nodes)
{
    bool several = config->cores > 1;
    for (uint32_t node = 0; node < nodes && !several; node++)
        several = mach_config_cores(config, node) > 1;
    return several;
}

/* Returns why no message takes the path that a key of [protocol] is about; NULL: some may, or it is about all paths. */
static char *pathless(const MachConfig *config, const MachSetting *setting, uint32_t nodes)
{
    const char *name = setting->name;
    bool of_path = strcmp(setting->section, "protocol") == 0 && strcmp(name, "cluster-nodes") != 0;
    if (of_path && g_str_has_prefix(name, "node") && !has_cores(config, nodes))
        return g_strdup("nodes have one core each, so that no messages go from one to another");
    if (of_path && g_str_has_prefix(name, "cluster") && nodes == 1)
        return g_strdup_printf("%s has one node", config->name);
    if (of_path && g_str_has_prefix(name, "wan") && config->cluster_nodes >= nodes)
        return g_strdup_printf("protocol.cluster-nodes = %u: all %u nodes are in one cluster", config->cluster_nodes,
                               nodes);
    return NULL;
}

/* Returns what a limit of 0 means, unless it takes one of the machine file away. */
static char *unlimited(const MachSetting *setting)
{
    bool limit = strcmp(setting->name, "credits") == 0 || strcmp(setting->name, "pool") == 0;
    if (strcmp(setting->section, "protocol") != 0 || !limit || setting->line ||
        strcmp(setting->value, setting->fallback) != 0)
        return NULL;
    return g_strdup(
        "0 is no limit: a rank buffers any number of bytes; with protocol.all = rendezvous it buffers none");
}

static char *unread(const MachConfig *config, const MachSetting *setting, uint32_t nodes, uint32_t ranks)
{
    if (!ranks && is_of_ranks(setting))
        return g_strdup("it is about ranks, and the traffic measured here has none");
    if (nodes == 1 && is_of_links(setting))
        return g_strdup_printf("%s has one node, so that no message crosses its network", config->name);
    return setting->when ? explain_unread(config, setting->when, ranks == 0) : NULL;
}

/* Returns why a key of [protocol] has no effect, though messages go by protocols that read it; NULL if it has. */
static char *idle(const MachConfig *config, const MachSetting *setting, uint32_t nodes)
{
    char *why = pathless(config, setting, nodes);
    return why ? why : unlimited(setting);
}

static void tell_size(const MachConfig *config, uint32_t nodes, uint32_t ranks,
                      void (*tell)(void *user, const char *text), void *user)
{
    if (!ranks || nodes / ranks < FAR_TOO_LARGE)
        return;
    const char *dims = mach_config_value(config, "network", "dims"), *topology = config->net.topology;
    bool exponent = *dims && net_topology_is_power(topology);
    g_autofree char *shape = *dims
                                 ? g_strdup_printf(" (%s, network.dims = %s%s)", topology, dims,
                                                   exponent ? ": that many dimensions, and 2 to that power nodes" : "")
                                 : g_strdup_printf(" (%s)", topology);
    g_autofree char *text =
        g_strdup_printf("the machine has %u nodes%s for %u rank%s", nodes, shape, ranks, ranks == 1 ? "" : "s");
    tell(user, text);
}

void mach_config_remarks(const MachConfig *config, uint32_t nodes, uint32_t ranks,
                         void (*tell)(void *user, const char *text), void *user)
{
    for (guint i = 0; i < config->settings->len; i++) {
        const MachSetting *setting = &g_array_index(config->settings, MachSetting, i);
        g_autofree char *why = setting->commanded ? unread(config, setting, nodes, ranks) : NULL;
        g_autofree char *none = setting->commanded && ranks && !why ? idle(config, setting, nodes) : NULL;
        g_autofree char *text =
            why || none ? g_strdup_printf("%s.%s = %s %s: %s", setting->section, setting->name, setting->value,
                                          why ? "changes nothing" : "has no effect", why ? why : none)
                        : NULL;
        if (text)
            tell(user, text);
    }
    tell_size(config, nodes, ranks, tell, user);
}
