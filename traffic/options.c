/* options.c - what an experiment is unless it is told otherwise, and the network that it wants. */
#include "traffic/internal.h"

void traffic_options_default(TrafficOptions *options)
{
    *options = (TrafficOptions){.pattern = "uniform", .seed = 1, .hot_percent = 10, .burst = 8, .precision = 0.02};
}

NetParams traffic_options_network(const NetParams *params, const TrafficOptions *options)
{
    NetParams own = *params;
    if (!options->startup)
        own.startup_ps = 0;
    return own;
}
