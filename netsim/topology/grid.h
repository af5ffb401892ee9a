/* grid.h - what linear, ring, mesh and torus share (grid.c). */
#ifndef ORRERY_NETSIM_TOPOLOGY_GRID_H
#define ORRERY_NETSIM_TOPOLOGY_GRID_H

#include "netsim/graph/graph.h"

uint64_t net_grid_mesh_links(const NetParams *params);
void net_grid_mesh_build(const NetParams *params, NetGraph *graph);
NetHop net_grid_mesh_next(const NetParams *params, const NetGraph *graph, uint32_t at, uint32_t to);
uint32_t net_grid_mesh_diameter(const NetParams *params);
/* The same with wrap-around. */
uint64_t net_grid_torus_links(const NetParams *params);
void net_grid_torus_build(const NetParams *params, NetGraph *graph);
NetHop net_grid_torus_next(const NetParams *params, const NetGraph *graph, uint32_t at, uint32_t to);
uint32_t net_grid_torus_diameter(const NetParams *params);
char *net_grid_name(const NetParams *params, uint32_t vertex);
void net_grid_position(const NetParams *params, uint32_t vertex, double *x, double *y);
uint32_t net_grid_ring_classes(const NetParams *params);

/* See NetTopology.nearer: along each dimension in which `at` and `to` differ, lowest first, the shorter way. */
uint32_t net_grid_mesh_nearer(const NetParams *params, const NetGraph *graph, uint32_t at, uint32_t to, NetHop *hops);
uint32_t net_grid_torus_nearer(const NetParams *params, const NetGraph *graph, uint32_t at, uint32_t to, NetHop *hops);
/* The dims as they are, without and with wrap-around. */
void net_grid_mesh_extents(const NetParams *params, NetGrid *grid);
void net_grid_torus_extents(const NetParams *params, NetGrid *grid);

#endif
