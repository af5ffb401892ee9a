/* load_colour.c - the scale of how busy links were, which `orrery topo` and the window share, so that pictures can be
 * compared; and its colours in the window. */
#include "monitor/monitor.h"

#include <math.h>

const unsigned mon_load_marks[] = {0, 1, 5, 25, 50, 100};

double mon_load_place(double busy)
{
    return sqrt(fmin(fmax(busy, 0), 1));
}

/* All these colours are dark enough to be seen on white. */
uint32_t mon_load_colour(double busy)
{
    static const double stops[][3] = {{205, 214, 226}, {245, 200, 70}, {235, 120, 40}, {190, 20, 40}};
    double at = mon_load_place(busy) * (G_N_ELEMENTS(stops) - 1);
    size_t stop = MIN((size_t)at, G_N_ELEMENTS(stops) - 2);
    uint32_t colour = 0;
    for (size_t i = 0; i < 3; i++)
        colour = colour << 8 |
                 (uint32_t)lround(stops[stop][i] + (at - (double)stop) * (stops[stop + 1][i] - stops[stop][i]));
    return colour;
}
