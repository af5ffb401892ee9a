/* test_memory_areas.c - which bytes buffers occupy, compared with a map of every byte. */
#include "mpi/check/memory_areas.h"
#include "mpi/type/type_map.h"

#include <criterion/criterion.h>
#include <string.h>

enum { ROOM = 4096, ORIGIN = 1024 };

/* Counts, for each byte, how often it is in the items of a type. */
typedef struct Map {
    uint8_t times[ROOM];
    MpiType *type;
    uint64_t count, address;
    MpiArea area;
} Map;

static void mark(Map *map, uint32_t level, int64_t at)
{
    const MpiType *type = map->type;
    if (level < type->n_loops) {
        for (uint64_t i = 0; i < type->loops[level].count; i++)
            mark(map, level + 1, at + (int64_t)i * type->loops[level].stride);
        return;
    }
    for (uint32_t i = 0; i < type->n_blocks; i++)
        for (uint64_t k = 0; k < type->blocks[i].count * type->blocks[i].bytes; k++) {
            int64_t byte = at + type->blocks[i].offset + (int64_t)k;
            cr_assert(byte >= 0 && byte < ROOM);
            if (map->times[byte] < 2)
                map->times[byte]++;
        }
}

static MpiType *random_type(GRand *random, int depth)
{
    static const MpiPrimitive primitives[] = {MPI_PRIM_CHAR, MPI_PRIM_SHORT, MPI_PRIM_INT, MPI_PRIM_DOUBLE};
    MpiType *old = depth ? random_type(random, depth - 1)
                         : mpi_type_make_copy(mpi_type_predefined(primitives[g_rand_int_range(random, 0, 4)]));
    MpiType *type;
    MpiTypePart parts[3];
    switch (g_rand_int_range(random, 0, 3)) {
    case 0: type = mpi_type_make_resized(old, g_rand_int_range(random, -4, 4), g_rand_int_range(random, -8, 32)); break;
    case 1:
        for (int i = 0; i < 3; i++)
            parts[i] = (MpiTypePart){g_rand_int_range(random, -20, 40), (uint64_t)g_rand_int_range(random, 0, 3), old};
        type = mpi_type_make_list(parts, 3, false);
        break;
    default:
        type = mpi_type_make_vector((uint64_t)g_rand_int_range(random, 1, 4), (uint64_t)g_rand_int_range(random, 1, 3),
                                    g_rand_int_range(random, -40, 80), old);
    }
    mpi_type_unref(old);
    return type;
}

static void map_init(Map *map, GRand *random)
{
    memset(map, 0, sizeof *map);
    map->type = random_type(random, g_rand_int_range(random, 1, 4));
    mpi_type_commit(map->type);
    map->count = (uint64_t)g_rand_int_range(random, 1, 4);
    map->address = (uint64_t)(ORIGIN + g_rand_int_range(random, 0, 64));
    for (uint64_t i = 0; i < map->count; i++)
        mark(map, 0, (int64_t)map->address + (int64_t)i * map->type->extent);
    mpi_area_init(&map->area, map->type, map->count, map->address);
}

static void map_clear(Map *map)
{
    mpi_area_clear(&map->area);
    mpi_type_unref(map->type);
}

static bool any_byte(const Map *map, uint64_t low, uint64_t high)
{
    bool any = false;
    for (uint64_t i = low; i < high && !any; i++)
        any = map->times[i] > 0;
    return any;
}

static void check_map(const Map *map, GRand *random, guint32 seed)
{
    bool twice = false;
    for (uint64_t i = 0; i < ROOM; i++) {
        twice |= map->times[i] > 1;
        cr_assert(!map->times[i] || (i >= map->area.low && i < map->area.high), "seed %u: bounds", seed);
    }
    cr_assert_eq(mpi_area_overlaps_itself(&map->area), twice, "seed %u: twice", seed);
    for (int i = 0; i < 40; i++) {
        uint64_t low = (uint64_t)g_rand_int_range(random, ORIGIN - 256, ORIGIN + 512);
        uint64_t high = low + (uint64_t)g_rand_int_range(random, 1, 24);
        cr_assert_eq(mpi_area_touches(&map->area, low, high), any_byte(map, low, high), "seed %u: [%d, %d)", seed,
                     (int)low, (int)high);
    }
}

static bool common_byte(const Map *a, const Map *b)
{
    bool common = false;
    for (uint64_t i = 0; i < ROOM; i++)
        common |= a->times[i] && b->times[i];
    return common;
}

Test(areas, against_a_map_of_all_bytes)
{
    for (guint32 seed = 1; seed <= 3000; seed++) {
        GRand *random = g_rand_new_with_seed(seed);
        Map a, b;
        map_init(&a, random);
        map_init(&b, random);
        check_map(&a, random, seed);
        cr_assert_eq(mpi_areas_meet(&a.area, &b.area), common_byte(&a, &b), "seed %u: meet", seed);
        cr_assert_eq(mpi_areas_meet(&b.area, &a.area), common_byte(&a, &b), "seed %u: meet", seed);
        map_clear(&a);
        map_clear(&b);
        g_rand_free(random);
    }
}

/* Two columns of a large matrix, and the transposed matrix, take few steps whatever the sizes. */
Test(areas, large_regular_types)
{
    enum { N = 1 << 20 };
    MpiType *column = mpi_type_make_vector(N, 1, 8 * 1000, mpi_type_predefined(MPI_PRIM_DOUBLE));
    MpiType *narrow = mpi_type_make_resized(column, 0, 8);
    MpiArea a, b;
    mpi_type_commit(narrow);
    mpi_area_init(&a, narrow, 1000, 1 << 20);
    cr_expect_not(mpi_area_overlaps_itself(&a));
    cr_expect(mpi_area_touches(&a, (1 << 20) + UINT64_C(8000) * (N - 1), (1 << 20) + UINT64_C(8000) * (N - 1) + 1));
    mpi_area_clear(&a);
    mpi_area_init(&a, narrow, 2, 1 << 20);
    mpi_area_init(&b, narrow, 1, (1 << 20) + 16);
    cr_expect_not(mpi_areas_meet(&a, &b));
    mpi_area_clear(&b);
    mpi_area_init(&b, narrow, 1, (1 << 20) + 15);
    cr_expect(mpi_areas_meet(&a, &b));
    mpi_area_clear(&a);
    mpi_area_clear(&b);
    mpi_type_unref(narrow);
    mpi_type_unref(column);
}

static bool is_at(MpiArea *item, void *context)
{
    return item->low == *(uint64_t *)context;
}

Test(areas, sets_find_what_meets)
{
    enum { ITEMS = 200 };
    GRand *random = g_rand_new_with_seed(7);
    MpiArea items[ITEMS];
    MpiAreaSet set;
    mpi_area_set_init(&set);
    for (int i = 0; i < ITEMS; i++) {
        mpi_area_init(&items[i], mpi_type_predefined(MPI_PRIM_CHAR), (uint64_t)g_rand_int_range(random, 1, 300),
                      (uint64_t)g_rand_int_range(random, 0, 20000));
        mpi_area_set_add(&set, &items[i]);
    }
    uint64_t gone = items[17].low;
    mpi_area_set_remove(&set, is_at, &gone);
    for (uint64_t low = 0; low < 20400; low += 50) {
        unsigned expected = 0, found = 0;
        guint at = UINT_MAX;
        for (int i = 0; i < ITEMS; i++)
            expected += items[i].low != gone && items[i].low < low + 60 && items[i].high > low;
        while (mpi_area_set_next(&set, low, low + 60, &at))
            found++;
        cr_assert_eq(found, expected);
    }
    mpi_area_set_clear(&set);
    g_rand_free(random);
}
