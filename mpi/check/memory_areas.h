/* memory_areas.h - the bytes of memory that a buffer covers, without gaps, and sets of such areas.
 *
 * An area is what `count` items of a datatype at an address cover: segments, repeated by loops. The order of the loops
 * does not matter for the covered bytes, so they are sorted, the widest stride first. Then the iterations of a loop are
 * disjoint in nearly every type that programs make, and a question about a few bytes follows only one branch.
 */
#ifndef ORRERY_MPI_MEMORY_AREAS_H
#define ORRERY_MPI_MEMORY_AREAS_H

#include "mpi/type/type.h"

typedef struct MpiArea {
    uint64_t low, high;         /* all bytes are in [low, high); empty: low == high */
    uint64_t base;              /* address that offsets count from */
    const MpiSegment *segments; /* NULL: there are no gaps */
    uint32_t n_segments, n_loops;
    MpiSegment *sorted; /* copy of the segments if those of the type are not in order, owned; else NULL */
    MpiLoop *loops;     /* owned; strides from wide to narrow, none negative; NULL: none */
    int64_t *reach;     /* owned; n_loops + 1 pairs: begin and end of the data of loops `level` and further in */
} MpiArea;

/* Makes an area. The type must be committed and must live as long as the area. */
void mpi_area_init(MpiArea *area, const MpiType *type, uint64_t count, uint64_t address);
void mpi_area_clear(MpiArea *area);
/* Whether the area has any byte of [low, high). */
bool mpi_area_touches(const MpiArea *area, uint64_t low, uint64_t high);
/* Whether the two areas have a byte in common. Returns false if the answer would take too long. */
bool mpi_areas_meet(const MpiArea *a, const MpiArea *b);
/* Whether the area covers a byte twice. */
bool mpi_area_overlaps_itself(const MpiArea *area);

/* -- sets: areas in the order of their addresses ----------------------------------------------- */

typedef struct MpiAreaSet {
    GPtrArray *items; /* structs that begin with an MpiArea, sorted by (low, order of adding) */
    GArray *reach;    /* uint64_t: the highest end of items 0 .. i */
} MpiAreaSet;

void mpi_area_set_init(MpiAreaSet *set);
void mpi_area_set_clear(MpiAreaSet *set); /* does not free the items, which belong to the caller */
void mpi_area_set_add(MpiAreaSet *set, MpiArea *item);
/* Removes the items for which `leaves` returns true. */
void mpi_area_set_remove(MpiAreaSet *set, bool (*leaves)(MpiArea *item, void *context), void *context);
/* Whether [low, high) is within the lowest and highest address of all items. The set must not be empty. */
static inline bool mpi_area_set_near(const MpiAreaSet *set, uint64_t low, uint64_t high)
{
    return low < g_array_index(set->reach, uint64_t, set->reach->len - 1) &&
           high > ((const MpiArea *)g_ptr_array_index(set->items, 0))->low;
}
/* Returns the next item whose bounds meet [low, high), from high addresses to low ones; NULL: no more. *at counts
 * down; the caller starts it at UINT_MAX. */
MpiArea *mpi_area_set_next(const MpiAreaSet *set, uint64_t low, uint64_t high, guint *at);

#endif
