/* network.h - parameters of a small fast network for unit tests. They are round numbers. Most of them differ from the
 * defaults of machine files, because no test should depend on those.
 */
#ifndef ORRERY_TEST_NETWORK_H
#define ORRERY_TEST_NETWORK_H

#include "netsim/netsim.h"

static inline NetParams test_network_params(void)
{
    return (NetParams){
        .topology = "crossbar",
        .routing = "dimension-order",
        .switching = "store-and-forward",
        .bandwidth = UINT64_C(1000000000),
        .link_latency_ps = 10000,
        .router_latency_ps = 20000,
        .startup_ps = 500000,
        .nics = 1,
        .switch_latency_ps = 100000,
        .packet_bytes = 1024,
        .header_bytes = 16,
        .wormhole = {.flit_bytes = 16,
                     .virtual_channels = 2,
                     .buffer_flits = 8,
                     .injection_channels = 1,
                     .deadlock_cycles = 1000,
                     .retry_delay_ps = 1000000},
        .loggp = {.latency_ps = 1000000, .gap_ps = 100000},
        .ethernet = {.buffer_bytes = 65536, .pause_quanta = UINT16_MAX},
        .transport = {.timeout_ps = UINT64_C(1000000000), .limit = 7},
        .faults = {.jitter_distribution = BASE_DISTRIBUTION_UNIFORM},
    };
}

#endif
