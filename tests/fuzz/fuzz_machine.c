/* fuzz_machine.c - any bytes as a machine file: refused with a place and a reason, or read, printed, and its network
 * and machine built.
 */
#include "machine/machine.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void delivered(void *user, uint64_t cookie, uint64_t time_ps)
{
    (void)user, (void)cookie, (void)time_ps;
}

/* How many nodes are asked for, roughly; what this fuzzer is after is not size. */
static uint64_t nodes_wanted(const NetParams *params)
{
    uint64_t product = MAX(params->nodes, 1);
    for (size_t i = 0; i < G_N_ELEMENTS(params->dims); i++)
        product = MIN(product, UINT32_MAX) * MAX(params->dims[i], 1);
    return product;
}

/* Builds the network and sends one message through it. */
static void use_network(const MachConfig *config)
{
    enum { LARGEST = 4096, STEPS = 10000 };
    NetClient client = {.delivered = delivered};
    if (nodes_wanted(&config->net) > LARGEST)
        return;
    g_autoptr(Network) network = net_network_new(&config->net, &client, NULL);
    if (!network || net_network_nodes(network) > LARGEST)
        return;
    net_send(network, &(NetSend){.to = net_network_nodes(network) - 1, .bytes = 1000});
    for (int i = 0; i < STEPS && net_next_time(network) != UINT64_MAX; i++)
        net_step(network);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    char path[] = "/tmp/orrery-fuzz-XXXXXX";
    int fd = mkstemp(path);
    g_assert(fd >= 0);
    bool written = write(fd, bytes, size) == (ssize_t)size;
    close(fd);
    const char *const search[] = {NULL};
    MachConfig *config = written ? mach_config_load(path, search, NULL) : NULL;
    unlink(path);
    if (config) {
        g_autoptr(GString) text = g_string_new(NULL);
        mach_config_print(config, text);
        use_network(config);
        mach_config_free(config);
    }
    return 0;
}
