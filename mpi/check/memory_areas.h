/* memory_areas.h - the bytes of memory that a buffer takes up, gaps left out, and sets of them.
 *
 * An area is what count items of a datatype at an address cover: segments, all of them repeated by loops. Which bytes
 * those are does not depend on the order of the loops, so they are sorted, the widest stride first: then the turns of a
 * loop lie apart from each other in nearly every type that programs make, and a question about a few bytes is answered
 * by going down one branch.
 */
#ifndef ORRERY_MPI_MEMORY_AREAS_H
#define ORRERY_MPI_MEMORY_AREAS_H

#include "mpi/type/type.h"

enum { MPI_AREA_LOOPS = 65 };

typedef struct MpiArea {
    uint64_t low, high;         /* everything lies in [low, high); empty: low == high */
    uint64_t base;              /* where offsets count from */
    const MpiSegment *segments; /* NULL: no gaps */
    uint32_t n_segments, n_loops;
    MpiSegment *sorted; /* own copy of the segments, where those of the type are not in order; or NULL */
    MpiLoop *loops;     /* own: strides from wide to narrow, none negative; NULL: none */
    int64_t *reach;     /* own: n_loops + 1 pairs: where the data of loops `level` and on begin and end */
} MpiArea;

/* The type, which must be committed, has to live as long as the area. */
void mpi_area_init(MpiArea *area, const MpiType *type, uint64_t count, uint64_t address);
void mpi_area_clear(MpiArea *area);
/* Whether any byte of [low, high) is in it. */
bool mpi_area_touches(const MpiArea *area, uint64_t low, uint64_t high);
/* Whether the two have a byte in common. What would take too long to find out counts as no. */
bool mpi_areas_meet(const MpiArea *a, const MpiArea *b);
/* Whether it has a byte twice. */
bool mpi_area_overlaps_itself(const MpiArea *area);

/* -- sets: areas in the order of their addresses ----------------------------------------------- */

typedef struct MpiAreaSet {
    GPtrArray *items; /* of structures that begin with an MpiArea, by (low, order of adding) */
    GArray *reach;    /* uint64_t: the highest end of items 0 .. i */
} MpiAreaSet;

void mpi_area_set_init(MpiAreaSet *set);
void mpi_area_set_clear(MpiAreaSet *set); /* the items are their owner's */
void mpi_area_set_add(MpiAreaSet *set, MpiArea *item);
/* Takes out those that `leaves` tells. */
void mpi_area_set_remove(MpiAreaSet *set, bool (*leaves)(MpiArea *item, void *context), void *context);
/* Whether [low, high) is between the lowest and the highest address of all, of which there is one at least. */
static inline bool mpi_area_set_near(const MpiAreaSet *set, uint64_t low, uint64_t high)
{
    return low < g_array_index(set->reach, uint64_t, set->reach->len - 1) &&
           high > ((const MpiArea *)g_ptr_array_index(set->items, 0))->low;
}
/* The items whose bounds meet [low, high), from high addresses to low ones: *at counts down; start it at UINT_MAX.
 * NULL: no more. */
MpiArea *mpi_area_set_next(const MpiAreaSet *set, uint64_t low, uint64_t high, guint *at);

#endif
