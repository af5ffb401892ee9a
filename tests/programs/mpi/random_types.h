/* random_types.h - datatypes made at random, and beside each the type map that the standard's formulas give it
 * (MPI-3.1 section 4.1): an explicit list, written without regard for how a library might do it. */
#ifndef RANDOM_TYPES_H
#define RANDOM_TYPES_H

#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { MAP_MOST = 600, KINDS = 5, DIMENSIONS = 3 };

static const int bytes_of[KINDS] = {1, 2, 4, 4, 8};

static MPI_Datatype basic(int kind)
{
    return kind == 0 ? MPI_CHAR : kind == 1 ? MPI_SHORT : kind == 2 ? MPI_INT : kind == 3 ? MPI_FLOAT : MPI_DOUBLE;
}

typedef struct Entry {
    long at;
    int kind;
} Entry;

typedef struct Map {
    int n;
    int bounded; /* it has any bounds: with no entry too, if they were set */
    long lb, ub; /* what the constructors say, true bounds come from the entries */
    Entry entries[MAP_MOST];
} Map;

typedef struct Type {
    MPI_Datatype handle;
    Map map;
} Type;

static unsigned long random_state = 1;

static int draw(int below)
{
    random_state = random_state * 6364136223846793005UL + 1442695040888963407UL;
    return (int)((random_state >> 33) % (unsigned long)below);
}

static long extent_of(const Map *map)
{
    return map->ub - map->lb;
}

/* Appends a copy of `from`, moved by `by` bytes. */
static void append(Map *map, const Map *from, long by)
{
    if (from->lb + by < map->lb || !map->bounded)
        map->lb = from->lb + by;
    if (from->ub + by > map->ub || !map->bounded)
        map->ub = from->ub + by;
    map->bounded |= from->bounded;
    for (int i = 0; i < from->n; i++)
        map->entries[map->n + i] = (Entry){from->entries[i].at + by, from->entries[i].kind};
    map->n += from->n;
}

static void append_block(Map *map, const Map *from, int length, long by)
{
    for (int i = 0; i < length; i++)
        append(map, from, by + i * extent_of(from));
}

static int overlaps(const Map *map, long by, const Map *other)
{
    for (int i = 0; i < map->n; i++)
        for (int k = 0; k < other->n; k++) {
            const Entry *a = &map->entries[i], *b = &other->entries[k];
            if ((map != other || by || i != k) && a->at < b->at + by + bytes_of[b->kind] &&
                b->at + by < a->at + bytes_of[a->kind])
                return 1;
        }
    return 0;
}

/* Whether a receive of `count` of it would write some byte twice. */
static int overlaps_itself(const Map *map, int count)
{
    for (int i = 0; i < count; i++)
        if (overlaps(map, i * extent_of(map), map))
            return 1;
    return 0;
}

static void true_bounds(const Map *map, long *lb, long *ub)
{
    *lb = *ub = 0;
    for (int i = 0; i < map->n; i++) {
        const Entry *e = &map->entries[i];
        if (!i || e->at < *lb)
            *lb = e->at;
        if (!i || e->at + bytes_of[e->kind] > *ub)
            *ub = e->at + bytes_of[e->kind];
    }
}

static void replace(Type *type, MPI_Datatype handle)
{
    int integers, addresses, types, combiner;
    MPI_Type_get_envelope(type->handle, &integers, &addresses, &types, &combiner);
    if (combiner != MPI_COMBINER_NAMED)
        MPI_Type_free(&type->handle);
    type->handle = handle;
}

static void resize(Type *type, long lb, long extent)
{
    MPI_Datatype resized;
    MPI_Type_create_resized(type->handle, lb, extent, &resized);
    replace(type, resized);
    type->map.bounded = 1;
    type->map.lb = lb;
    type->map.ub = lb + extent;
}

/* Bounds on which the standard leaves no choice: what is only padding or of no length may not count. */
static void fix_bounds(Type *type)
{
    long lb, ub;
    true_bounds(&type->map, &lb, &ub);
    resize(type, lb - 8 * draw(2), (ub - lb + 7) / 8 * 8 + 8 * draw(3));
}

static void make(Type *type, int depth);

static void make_regular(Type *type, int depth)
{
    Type old;
    Map map = {0};
    MPI_Datatype handle;
    make(&old, depth);
    int count = 1 + draw(3), length = 1 + draw(3), stride = draw(9) - 4, odd = 8 * (draw(40) - 20);
    if (count * length * old.map.n > MAP_MOST)
        count = length = 1;
    switch (draw(4)) {
    case 0:
        MPI_Type_contiguous(count, old.handle, &handle);
        append_block(&map, &old.map, count, 0);
        break;
    case 1:
        MPI_Type_vector(count, length, stride, old.handle, &handle);
        for (int i = 0; i < count; i++)
            append_block(&map, &old.map, length, i * stride * extent_of(&old.map));
        break;
    case 2:
        MPI_Type_create_hvector(count, length, odd, old.handle, &handle);
        for (int i = 0; i < count; i++)
            append_block(&map, &old.map, length, (long)i * odd);
        break;
    default: MPI_Type_dup(old.handle, &handle); map = old.map;
    }
    *type = old;
    replace(type, handle);
    type->map = map;
}

static void make_listed(Type *type, int depth)
{
    Type old;
    Map map = {0};
    MPI_Datatype handle;
    int n = 1 + draw(4), lengths[4], places[4], same = 1 + draw(2), kind = draw(4);
    MPI_Aint bytes[4];
    make(&old, depth);
    if (n * 3 * old.map.n > MAP_MOST)
        n = 1;
    for (int i = 0; i < n; i++) {
        lengths[i] = kind < 2 ? draw(3) : same;
        places[i] = draw(12) - 4;
        bytes[i] = kind % 2 ? 8 * (draw(60) - 20) : places[i] * extent_of(&old.map);
        append_block(&map, &old.map, lengths[i], bytes[i]);
    }
    switch (kind) {
    case 0: MPI_Type_indexed(n, lengths, places, old.handle, &handle); break;
    case 1: MPI_Type_create_hindexed(n, lengths, bytes, old.handle, &handle); break;
    case 2: MPI_Type_create_indexed_block(n, same, places, old.handle, &handle); break;
    default: MPI_Type_create_hindexed_block(n, same, bytes, old.handle, &handle);
    }
    *type = old;
    replace(type, handle);
    type->map = map;
    fix_bounds(type);
}

static void make_struct(Type *type, int depth)
{
    static Type members[8][3]; /* by depth */
    Type *member = members[depth];
    Map map = {0};
    MPI_Datatype handles[3], handle;
    MPI_Aint places[3];
    int n = 1 + draw(3), lengths[3];
    for (int i = 0; i < n; i++) {
        make(&member[i], depth);
        handles[i] = member[i].handle;
        lengths[i] = draw(3);
        if (map.n + lengths[i] * member[i].map.n > MAP_MOST)
            lengths[i] = 0;
        places[i] = 8 * (draw(60) - 20);
        append_block(&map, &member[i].map, lengths[i], places[i]);
    }
    MPI_Type_create_struct(n, lengths, places, handles, &handle);
    for (int i = 0; i < n; i++)
        replace(&member[i], MPI_DATATYPE_NULL);
    type->handle = handle;
    type->map = map;
    fix_bounds(type);
}

/* Appends the elements of a grid whose coordinate d runs through those of mine[d]: the last fastest in C. */
static void append_grid(Map *map, const Map *old, int n, const int sizes[], const int counts[], int mine[][8],
                        int order)
{
    int total = 1;
    for (int d = 0; d < n; d++)
        total *= counts[d];
    for (int i = 0; i < total; i++) {
        long place = 0, rest = i, step = 1;
        for (int k = 0; k < n; k++) {
            int d = order == MPI_ORDER_C ? n - 1 - k : k;
            place += step * mine[d][rest % counts[d]];
            rest /= counts[d];
            step *= sizes[d];
        }
        append(map, old, place * extent_of(old));
    }
}

static void make_grid(Type *type, int depth)
{
    Type old;
    Map map = {0};
    MPI_Datatype handle;
    int n = 1 + draw(DIMENSIONS), order = draw(2) ? MPI_ORDER_C : MPI_ORDER_FORTRAN, distributed = draw(2), all = 1;
    int sizes[DIMENSIONS], counts[DIMENSIONS], starts[DIMENSIONS], mine[DIMENSIONS][8], processes = 1;
    int grid[DIMENSIONS], distribution[DIMENSIONS], argument[DIMENSIONS], rank, rest, places[DIMENSIONS];
    make(&old, depth);
    for (int d = 0; d < n; d++) {
        sizes[d] = 1 + draw(5);
        counts[d] = 1 + draw(sizes[d]);
        starts[d] = draw(sizes[d] - counts[d] + 1);
        for (int i = 0; i < counts[d]; i++)
            mine[d][i] = starts[d] + i;
        distribution[d] = draw(3) == 0   ? MPI_DISTRIBUTE_NONE
                          : draw(2) == 0 ? MPI_DISTRIBUTE_BLOCK
                                         : MPI_DISTRIBUTE_CYCLIC;
        grid[d] = distribution[d] == MPI_DISTRIBUTE_NONE ? 1 : 1 + draw(3);
        argument[d] = MPI_DISTRIBUTE_DFLT_DARG;
        if (distribution[d] != MPI_DISTRIBUTE_NONE && draw(2))
            argument[d] =
                distribution[d] == MPI_DISTRIBUTE_CYCLIC ? 1 + draw(3) : (sizes[d] + grid[d] - 1) / grid[d] + draw(2);
        processes *= grid[d];
        all *= sizes[d];
    }
    rank = rest = draw(processes);
    for (int d = n - 1; d >= 0; d--) { /* the grid of processes is always in C's order */
        places[d] = rest % grid[d];
        rest /= grid[d];
    }
    for (int d = 0; d < n && distributed; d++) {
        int length = argument[d];
        if (length == MPI_DISTRIBUTE_DFLT_DARG)
            length = distribution[d] == MPI_DISTRIBUTE_CYCLIC ? 1 : (sizes[d] + grid[d] - 1) / grid[d];
        counts[d] = 0;
        for (int i = 0; i < sizes[d]; i++) /* in blocks, dealt out like cards; one round will do for BLOCK */
            if (distribution[d] == MPI_DISTRIBUTE_NONE || i / length % grid[d] == places[d])
                mine[d][counts[d]++] = i;
    }
    if (all * old.map.n > MAP_MOST) {
        *type = old;
        return;
    }
    if (distributed)
        MPI_Type_create_darray(processes, rank, n, sizes, distribution, argument, grid, order, old.handle, &handle);
    else
        MPI_Type_create_subarray(n, sizes, counts, starts, order, old.handle, &handle);
    append_grid(&map, &old.map, n, sizes, counts, mine, order);
    map.bounded = 1;
    map.lb = 0;
    map.ub = all * extent_of(&old.map);
    *type = old;
    replace(type, handle);
    type->map = map;
}

/* Makes a type; it is the caller's to commit and to free. */
static void make(Type *type, int depth)
{
    if (depth == 0) {
        int kind = draw(KINDS);
        type->handle = basic(kind);
        type->map.n = type->map.bounded = 1;
        type->map.lb = 0;
        type->map.ub = bytes_of[kind];
        type->map.entries[0] = (Entry){0, kind};
        return;
    }
    switch (draw(4)) {
    case 0: make_regular(type, depth - 1); break;
    case 1: make_listed(type, depth - 1); break;
    case 2: make_grid(type, depth - 1); break;
    default: make_struct(type, depth - 1);
    }
}

#endif
