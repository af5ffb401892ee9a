/* circle.c - positions of vertices on a circle, for drawings. */
#include "netsim/topology/topology.h"

#include <math.h>

void net_topology_circle_position(uint32_t index, uint32_t count, double *x, double *y)
{
    double pi = acos(-1.0);
    double radius = count < 2 ? 0 : 0.5 / sin(pi / count);
    double angle = 2 * pi * index / count;
    *x = radius * sin(angle);
    *y = -radius * cos(angle);
}
