/* options.c - the default options of an experiment, and the network that the options ask for. */
#include "traffic/internal.h"

void traffic_options_default(TrafficOptions *options)
{
    *options = (TrafficOptions){.pattern = traffic_patterns()[0],
                                .seed = TRAFFIC_SEED,
                                .hot_percent = TRAFFIC_HOT_PERCENT,
                                .burst = TRAFFIC_BURST,
                                .precision = TRAFFIC_PRECISION_PERCENT / 100.0};
}

NetParams traffic_options_network(const NetParams *params, const TrafficOptions *options)
{
    NetParams own = *params;
    if (!options->startup)
        own.startup_ps = 0;
    return own;
}
