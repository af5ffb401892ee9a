/* memory.c - how much memory this process may fill and how much it fills now: limits of the host and of control groups.
 *
 * Control groups nest, and any group above the process's own may have a limit. Version 2 tells the process's group in
 * the line "0::/path" of /proc/self/cgroup, version 1 in the line that names the controller "memory".
 */
#include "vm/vm.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static uint64_t number_in(const char *directory, const char *group, const char *file)
{
    g_autofree char *path = g_build_filename(directory, group, file, NULL);
    g_autofree char *text = NULL;
    uint64_t number = g_file_get_contents(path, &text, NULL, NULL) ? g_ascii_strtoull(text, NULL, 10) : 0;
    return number ? number : UINT64_MAX; /* "max" reads as 0 */
}

/* The smallest limit of a group and the groups above it. */
static uint64_t limit_of_groups(const char *directory, const char *group, const char *file)
{
    g_autofree char *at = g_strdup(group);
    uint64_t least = number_in(directory, at, file);
    while (strlen(at) > 1) {
        g_autofree char *below = at;
        at = g_path_get_dirname(below);
        least = MIN(least, number_in(directory, at, file));
    }
    return least;
}

static uint64_t control_group_limit(void)
{
    g_autofree char *text = NULL;
    uint64_t least = number_in("/sys/fs/cgroup", "", "memory.max");
    if (!g_file_get_contents("/proc/self/cgroup", &text, NULL, NULL))
        return least;
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (char **line = lines; *line; line++) {
        g_auto(GStrv) parts = g_strsplit(*line, ":", 3);
        if (g_strv_length(parts) < 3 || *parts[2] != '/')
            continue;
        if (*parts[1] == '\0')
            least = MIN(least, limit_of_groups("/sys/fs/cgroup", parts[2], "memory.max"));
        else if (strcmp(parts[1], "memory") == 0)
            least = MIN(least, limit_of_groups("/sys/fs/cgroup/memory", parts[2], "memory.limit_in_bytes"));
    }
    return least;
}

uint64_t vm_host_memory(void)
{
    uint64_t bytes = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
    return MIN(bytes, control_group_limit());
}

uint64_t vm_host_memory_left(void)
{
    g_autofree char *text = NULL;
    const char *line = g_file_get_contents("/proc/meminfo", &text, NULL, NULL) ? strstr(text, "MemAvailable:") : NULL;
    return line ? g_ascii_strtoull(line + strlen("MemAvailable:"), NULL, 10) << 10 : UINT64_MAX;
}

uint64_t vm_host_memory_used(void)
{
    g_autofree char *text = NULL;
    unsigned long all = 0, resident = 0;
    if (!g_file_get_contents("/proc/self/statm", &text, NULL, NULL) || sscanf(text, "%lu %lu", &all, &resident) < 2)
        return 0;
    return (uint64_t)resident * (uint64_t)sysconf(_SC_PAGESIZE);
}
