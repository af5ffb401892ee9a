/* grid.h - what linear, ring, mesh and torus share (grid.c). */
#ifndef ORRERY_NETSIM_TOPOLOGY_GRID_H
#define ORRERY_NETSIM_TOPOLOGY_GRID_H

#include "netsim/graph/graph.h"

uint64_t net_grid_mesh_links(const NetParams *params);
void net_grid_mesh_build(const NetParams *params, NetGraph *graph);
NetHop net_grid_mesh_next(const NetParams *params, const NetGraph *graph, uint32_t at, uint32_t to);
uint32_t net_grid_mesh_diameter(const NetParams *params);
/* The functions for grids with wrap-around. */
uint64_t net_grid_torus_links(const NetParams *params);
void net_grid_torus_build(const NetParams *params, NetGraph *graph);
NetHop net_grid_torus_next(const NetParams *params, const NetGraph *graph, uint32_t at, uint32_t to);
uint32_t net_grid_torus_diameter(const NetParams *params);
char *net_grid_name(const NetParams *params, uint32_t vertex);
void net_grid_position(const NetParams *params, uint32_t vertex, double *x, double *y);
uint32_t net_grid_ring_classes(const NetParams *params);

/* See NetTopology.nearer. They offer the shorter way along each dimension in which `at` and `to` differ, lowest
 * dimension first. */
uint32_t net_grid_mesh_nearer(const NetParams *params, const NetGraph *graph, uint32_t at, uint32_t to, NetHop *hops);
uint32_t net_grid_torus_nearer(const NetParams *params, const NetGraph *graph, uint32_t at, uint32_t to, NetHop *hops);
/* Copy the dims, without and with wrap-around. */
void net_grid_mesh_extents(const NetParams *params, NetGrid *grid);
void net_grid_torus_extents(const NetParams *params, NetGrid *grid);

/* Fields of a NetTopology that linear and mesh share. */
/* clang-format off */
#define NET_GRID_MESH \
    .links = net_grid_mesh_links, \
    .build = net_grid_mesh_build, \
    .next = net_grid_mesh_next, \
    .diameter = net_grid_mesh_diameter, \
    .grid = net_grid_mesh_extents, \
    .nearer = net_grid_mesh_nearer, \
    .vertex_name = net_grid_name, \
    .turns = true

/* Fields of a NetTopology that ring and torus share. */
#define NET_GRID_TORUS \
    .links = net_grid_torus_links, \
    .build = net_grid_torus_build, \
    .next = net_grid_torus_next, \
    .diameter = net_grid_torus_diameter, \
    .grid = net_grid_torus_extents, \
    .nearer = net_grid_torus_nearer, \
    .vertex_name = net_grid_name, \
    .classes = net_grid_ring_classes
/* clang-format on */

#endif
