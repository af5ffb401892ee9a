/* test_datatypes.c - type maps, bounds and signatures: cases from the standard, and comparison with a plain oracle. */
#include "mpi/type/type_map.h"

#include <criterion/criterion.h>
#include <string.h>

static const MpiType *basic(MpiPrimitive primitive)
{
    return mpi_type_predefined(primitive);
}

#define INT    basic(MPI_PRIM_INT)
#define CHAR   basic(MPI_PRIM_CHAR)
#define DOUBLE basic(MPI_PRIM_DOUBLE)

static void expect_bounds(const MpiType *type, uint64_t size, int64_t lb, int64_t extent, int64_t true_lb,
                          int64_t true_extent)
{
    cr_expect_eq(type->size, size, "size %lu", type->size);
    cr_expect_eq(type->lb, lb, "lb %ld", type->lb);
    cr_expect_eq(type->extent, extent, "extent %ld", type->extent);
    cr_expect_eq(type->true_lb, true_lb, "true lb %ld", type->true_lb);
    cr_expect_eq(type->true_extent, true_extent, "true extent %ld", type->true_extent);
}

/* -- predefined types (MPI-3.1 3.2.2, 5.9.4) --------------------------------------------------- */

Test(datatypes, predefined_sizes_are_those_of_the_target)
{
    static const struct {
        MpiPrimitive primitive;
        uint64_t size;
        int64_t extent;
    } rows[] = {
        {MPI_PRIM_CHAR, 1, 1},         {MPI_PRIM_SHORT, 2, 2},       {MPI_PRIM_INT, 4, 4},
        {MPI_PRIM_LONG, 8, 8},         {MPI_PRIM_LONG_DOUBLE, 8, 8}, {MPI_PRIM_WCHAR, 4, 4},
        {MPI_PRIM_C_BOOL, 1, 1},       {MPI_PRIM_AINT, 8, 8},        {MPI_PRIM_C_DOUBLE_COMPLEX, 16, 16},
        {MPI_PRIM_DOUBLE_INT, 12, 16}, {MPI_PRIM_LONG_INT, 12, 16},  {MPI_PRIM_SHORT_INT, 6, 8},
        {MPI_PRIM_2INT, 8, 8},         {MPI_PRIM_FLOAT_INT, 8, 8},   {MPI_PRIM_LB, 0, 0},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        const MpiType *type = basic(rows[i].primitive);
        cr_expect_eq(type->size, rows[i].size, "%s", type->name);
        cr_expect_eq(type->extent, rows[i].extent, "%s", type->name);
        cr_expect_eq(mpi_type_primitive(type), rows[i].primitive, "%s", type->name);
        cr_expect_eq(type->handle, MPI_HANDLE(MPI_KIND_TYPE, rows[i].primitive + 1));
    }
}

/* The constant data of pair types equals what the constructor computes for the struct. */
Test(datatypes, pairs_are_the_structs_they_stand_for)
{
    const MpiTypePart parts[] = {{0, 1, DOUBLE}, {8, 1, INT}};
    MpiType *made = mpi_type_make_list(parts, 2, true);
    const MpiType *pair = basic(MPI_PRIM_DOUBLE_INT);
    expect_bounds(made, pair->size, pair->lb, pair->extent, pair->true_lb, pair->true_extent);
    cr_expect_eq(made->signature, pair->signature);
    cr_expect_eq(made->contiguous, pair->contiguous);
    cr_expect_eq(made->n_primitives, pair->n_primitives);
    cr_expect_eq(mpi_type_primitive(made), MPI_PRIMITIVE_COUNT);
    cr_expect(basic(MPI_PRIM_FLOAT_INT)->contiguous);
    cr_expect_not(basic(MPI_PRIM_SHORT_INT)->contiguous);
    mpi_type_unref(made);
}

/* -- constructors (MPI-3.1 section 4.1.2, with the standard's own examples) -------------------- */

/* Examples 4.2 to 4.4: oldtype is {(double,0),(char,8)} with extent 16. */
static MpiType *double_char(void)
{
    const MpiTypePart parts[] = {{0, 1, DOUBLE}, {8, 1, CHAR}};
    return mpi_type_make_list(parts, 2, true);
}

Test(datatypes, vector_of_structs)
{
    MpiType *old = double_char();
    expect_bounds(old, 9, 0, 16, 0, 9);
    MpiType *vector = mpi_type_make_vector(2, 3, 4 * 16, old); /* MPI_TYPE_VECTOR(2, 3, 4, oldtype) */
    expect_bounds(vector, 54, 0, 112, 0, 105);
    MpiType *backwards = mpi_type_make_vector(3, 1, -2 * 16, old); /* MPI_TYPE_VECTOR(3, 1, -2, oldtype) */
    expect_bounds(backwards, 27, -64, 80, -64, 73);
    mpi_type_unref(old);
    mpi_type_unref(vector);
    mpi_type_unref(backwards);
}

Test(datatypes, regular_patterns_stay_small)
{
    MpiType *row = mpi_type_make_vector(1, 1000000, 0, INT);
    cr_expect_eq(row->n_blocks, 1);
    cr_expect_eq(row->n_loops, 0);
    cr_expect(row->contiguous);
    MpiType *column = mpi_type_make_vector(1000000, 1, 4000, INT);
    cr_expect_eq(column->n_blocks, 1);
    cr_expect_eq(column->n_loops, 1);
    MpiType *columns = mpi_type_make_vector(2, 1, 4000000000, column); /* continues the loop of `column` */
    cr_expect_eq(columns->n_loops, 1);
    cr_expect_eq(columns->loops[0].count, 2000000);
    mpi_type_unref(row);
    mpi_type_unref(column);
    mpi_type_unref(columns);
}

Test(datatypes, lists_merge_adjacent_blocks)
{
    const MpiTypePart parts[] = {{0, 2, INT}, {8, 1, INT}, {12, 0, DOUBLE}, {16, 1, INT}};
    MpiType *type = mpi_type_make_list(parts, 4, false);
    cr_assert_eq(type->n_blocks, 2);
    cr_expect_eq(type->blocks[0].count, 3);
    cr_expect_eq(type->blocks[1].offset, 16);
    mpi_type_unref(type);
}

Test(datatypes, nothing_has_no_bounds)
{
    MpiType *empty = mpi_type_make_vector(1, 0, 0, INT);
    expect_bounds(empty, 0, 0, 0, 0, 0);
    const MpiTypePart parts[] = {{100, 1, empty}, {0, 1, INT}};
    MpiType *type = mpi_type_make_list(parts, 2, true);
    expect_bounds(type, 4, 0, 4, 0, 4);
    mpi_type_unref(empty);
    mpi_type_unref(type);
}

/* MPI-1.3 section 3.12.3: markers take precedence over data, also in types made from types with markers. */
Test(datatypes, markers_set_bounds)
{
    const MpiTypePart parts[] = {{-3, 1, basic(MPI_PRIM_LB)}, {0, 1, INT}, {6, 1, basic(MPI_PRIM_UB)}};
    MpiType *type1 = mpi_type_make_list(parts, 3, true);
    expect_bounds(type1, 4, -3, 9, 0, 4);
    MpiType *type2 = mpi_type_make_vector(1, 2, 0, type1); /* the standard's example: lb -3, ub 15 */
    expect_bounds(type2, 8, -3, 18, 0, 13);
    const MpiTypePart more[] = {{0, 1, type1}, {100, 1, INT}};
    MpiType *type3 = mpi_type_make_list(more, 2, true);
    expect_bounds(type3, 8, -3, 9, 0, 104);
    mpi_type_unref(type1);
    mpi_type_unref(type2);
    mpi_type_unref(type3);
}

Test(datatypes, only_structs_are_padded)
{
    const MpiTypePart parts[] = {{0, 1, INT}, {7, 1, INT}};
    MpiType *structure = mpi_type_make_list(parts, 2, true), *list = mpi_type_make_list(parts, 2, false);
    cr_expect_eq(structure->extent, 12);
    cr_expect_eq(list->extent, 11);
    mpi_type_unref(structure);
    mpi_type_unref(list);
}

Test(datatypes, resized_and_subarray)
{
    MpiType *resized = mpi_type_make_resized(INT, -4, 32);
    expect_bounds(resized, 4, -4, 32, 0, 4);
    const int64_t sizes[] = {4, 6, 8}, subsizes[] = {2, 3, 8}, starts[] = {1, 2, 0};
    MpiType *block = mpi_type_make_subarray(3, sizes, subsizes, starts, INT);
    expect_bounds(block, 2 * 3 * 8 * 4, 0, 4 * 6 * 8 * 4, (1 * 6 + 2) * 8 * 4, (6 * 8 + 3 * 8) * 4);
    cr_expect_eq(block->n_blocks, 1);
    cr_expect_eq(block->n_loops, 1);
    mpi_type_unref(resized);
    mpi_type_unref(block);
}

Test(datatypes, too_large_is_refused)
{
    MpiType *big = mpi_type_make_vector(1, UINT64_C(1) << 40, 0, INT);
    cr_assert(big);
    cr_expect_null(mpi_type_make_vector(1, UINT64_C(1) << 40, 0, big));
    MpiType *gapped = mpi_type_make_vector(MPI_TYPE_MAX_BLOCKS, 1, 8, INT);
    const MpiTypePart parts[] = {{0, 1, gapped}, {4, 1, gapped}};
    cr_expect_null(mpi_type_make_list(parts, 2, true));
    mpi_type_unref(gapped);
    mpi_type_unref(big);
}

/* -- a plain oracle ---------------------------------------------------------------------------- */

/* An entry of a type map that is written out in full. */
typedef struct Entry {
    int64_t offset;
    uint32_t primitive, bytes;
} Entry;

static void write_out(const MpiType *type, uint32_t level, int64_t at, GArray *map)
{
    if (level < type->n_loops) {
        for (uint64_t i = 0; i < type->loops[level].count; i++) {
            write_out(type, level + 1, at + (int64_t)i * type->loops[level].stride, map);
        }
        return;
    }
    for (uint32_t i = 0; i < type->n_blocks; i++) {
        for (uint64_t j = 0; j < type->blocks[i].count; j++) {
            Entry entry = {at + type->blocks[i].offset + (int64_t)(j * type->blocks[i].bytes),
                           type->blocks[i].primitive, type->blocks[i].bytes};
            g_array_append_val(map, entry);
        }
    }
}

/* A type and the map that it must have; the same random constructor makes both. */
typedef struct Sample {
    MpiType *type;
    GArray *map;
} Sample;

static void append_shifted(GArray *to, const GArray *from, int64_t by)
{
    for (guint i = 0; i < from->len; i++) {
        Entry entry = g_array_index(from, Entry, i);
        entry.offset += by;
        g_array_append_val(to, entry);
    }
}

static Sample sample_basic(GRand *random)
{
    static const MpiPrimitive choices[] = {
        MPI_PRIM_CHAR, MPI_PRIM_SHORT, MPI_PRIM_INT, MPI_PRIM_DOUBLE, MPI_PRIM_C_DOUBLE_COMPLEX, MPI_PRIM_DOUBLE_INT};
    MpiType *type = mpi_type_predefined(choices[g_rand_int_range(random, 0, G_N_ELEMENTS(choices))]);
    Sample sample = {type, g_array_new(FALSE, FALSE, sizeof(Entry))};
    write_out(type, 0, 0, sample.map);
    return sample;
}

static void sample_clear(Sample *sample)
{
    mpi_type_unref(sample->type);
    g_array_free(sample->map, TRUE);
}

static Sample sample_vector(GRand *random, Sample old)
{
    int count = g_rand_int_range(random, 0, 5), length = g_rand_int_range(random, 0, 4);
    int64_t stride = g_rand_int_range(random, -40, 60);
    Sample sample = {mpi_type_make_vector((uint64_t)count, (uint64_t)length, stride, old.type),
                     g_array_new(FALSE, FALSE, sizeof(Entry))};
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < length; j++) {
            append_shifted(sample.map, old.map, i * stride + j * old.type->extent);
        }
    }
    return sample;
}

static Sample sample_list(GRand *random, Sample old)
{
    Sample other = sample_basic(random), sample = {NULL, g_array_new(FALSE, FALSE, sizeof(Entry))};
    MpiTypePart parts[4];
    size_t n = (size_t)g_rand_int_range(random, 0, 5);
    for (size_t i = 0; i < n; i++) {
        Sample part = g_rand_boolean(random) ? old : other;
        parts[i] =
            (MpiTypePart){g_rand_int_range(random, -64, 64), (uint64_t)g_rand_int_range(random, 0, 4), part.type};
        for (uint64_t j = 0; j < parts[i].count; j++) {
            append_shifted(sample.map, part.map, parts[i].displacement + (int64_t)j * part.type->extent);
        }
    }
    sample.type = mpi_type_make_list(parts, n, g_rand_boolean(random));
    sample_clear(&other);
    return sample;
}

static Sample sample_random(GRand *random, int depth)
{
    if (depth == 0) {
        return sample_basic(random);
    }
    Sample old = sample_random(random, depth - 1), sample;
    switch (g_rand_int_range(random, 0, 4)) {
    case 0: sample = sample_list(random, old); break;
    case 1:
        sample = (Sample){
            mpi_type_make_resized(old.type, g_rand_int_range(random, -16, 16), g_rand_int_range(random, -32, 64)),
            g_array_copy(old.map)};
        break;
    default: sample = sample_vector(random, old);
    }
    sample_clear(&old);
    return sample;
}

static void check_map(const Sample *sample, guint32 seed)
{
    g_autoptr(GArray) map = g_array_new(FALSE, FALSE, sizeof(Entry));
    const MpiType *type = sample->type;
    uint64_t size = 0, primitives;
    write_out(type, 0, 0, map);
    cr_assert_eq(map->len, sample->map->len, "seed %u: %u entries, not %u", seed, map->len, sample->map->len);
    cr_assert(map->len == 0 || !memcmp(map->data, sample->map->data, map->len * sizeof(Entry)), "seed %u", seed);
    for (guint i = 0; i < map->len; i++) {
        const Entry *entry = &g_array_index(map, Entry, i);
        uint64_t hash = mpi_type_signature(type, size, &primitives);
        cr_assert_eq(primitives, i, "seed %u", seed);
        cr_assert_eq(mpi_type_elements(type, size), i, "seed %u", seed);
        if (entry->bytes > 1) {
            cr_assert_eq(mpi_type_elements(type, size + 1), MPI_UNDEFINED_, "seed %u", seed);
        }
        size += entry->bytes;
        cr_assert_eq(mpi_type_signature(type, size, &primitives), MPI_SIGNATURE_NEXT(hash, entry->primitive), "seed %u",
                     seed);
    }
    cr_assert_eq(type->size, size, "seed %u", seed);
    cr_assert_eq(type->n_primitives, map->len, "seed %u", seed);
    cr_assert_eq(type->signature, mpi_type_signature(type, size, &primitives), "seed %u", seed);
}

/* Packs by the map and by the layout, unpacks `bytes` bytes, and compares memory. */
static void check_packing(GRand *random, const Sample *sample, guint32 seed)
{
    enum { ARENA = 1 << 16 };
    MpiType *type = sample->type;
    uint64_t count = (uint64_t)g_rand_int_range(random, 1, 5);
    int64_t first;
    uint64_t span = mpi_type_span(type, count, &first);
    cr_assert(span < ARENA, "seed %u: span %lu", seed, span);
    g_autofree uint8_t *memory = g_malloc(ARENA), *expected = g_malloc0(count * type->size + 1),
                       *packed = g_malloc0(count * type->size + 1), *back = g_malloc0(ARENA),
                       *by_map = g_malloc0(ARENA);
    for (size_t i = 0; i < ARENA; i++) {
        memory[i] = (uint8_t)g_rand_int(random);
    }
    uint64_t bytes = type->size ? (uint64_t)g_rand_int_range(random, 0, (gint32)(count * type->size + 1)) : 0, at = 0;
    const uint8_t *base = memory - first;
    for (uint64_t i = 0; i < count; i++) {
        for (guint j = 0; j < sample->map->len; j++) {
            const Entry *entry = &g_array_index(sample->map, Entry, j);
            int64_t offset = (int64_t)i * type->extent + entry->offset;
            cr_assert(offset >= first && offset + entry->bytes <= first + (int64_t)span, "seed %u", seed);
            memcpy(expected + at, base + offset, entry->bytes);
            memcpy(by_map + offset - first, expected + at, at < bytes ? MIN(entry->bytes, bytes - at) : 0);
            at += entry->bytes;
        }
    }
    mpi_type_commit(type);
    mpi_type_pack_host(type, count, base, packed);
    cr_assert(!memcmp(packed, expected, count * type->size), "seed %u", seed);
    mpi_type_unpack_host(type, count, back - first, packed, bytes);
    cr_assert(!memcmp(back, by_map, ARENA), "seed %u", seed);
    if (type->contiguous) {
        cr_assert(!memcmp(packed, memory, count * type->size), "seed %u: not contiguous", seed);
    }
}

static bool overlaps_itself(const Sample *sample)
{
    return sample->map->len > 0 && sample->type->true_extent < (int64_t)sample->type->size;
}

Test(datatypes, random_types_against_their_map)
{
    guint32 seed = 20261121;
    GRand *random = g_rand_new_with_seed(seed);
    for (int i = 0; i < 2000; i++) {
        Sample sample = sample_random(random, g_rand_int_range(random, 0, 5));
        cr_assert(sample.type);
        if (sample.map->len < 2000) {
            check_map(&sample, seed);
        }
        if (!sample.type->predefined && sample.map->len < 200 && !overlaps_itself(&sample)) {
            check_packing(random, &sample, seed);
        }
        sample_clear(&sample);
    }
    g_rand_free(random);
}

/* The fast paths for segment sizes, loops of several segments longer than one pass, and long lists. */
Test(datatypes, strided_copies_of_every_width)
{
    GRand *random = g_rand_new_with_seed(7);
    for (int64_t width = 1; width <= 40; width++) {
        const MpiTypePart parts[] = {{0, (uint64_t)width, CHAR}, {width + 1, 2, CHAR}};
        for (size_t n = 1; n <= 2; n++) {
            MpiType *pair = mpi_type_make_list(parts, n, false);
            Sample sample = {mpi_type_make_vector(300, 1, width + 5, pair), g_array_new(FALSE, FALSE, sizeof(Entry))};
            write_out(sample.type, 0, 0, sample.map);
            check_packing(random, &sample, (guint32)width);
            sample_clear(&sample);
            mpi_type_unref(pair);
        }
    }
    g_rand_free(random);
}

/* The Thue-Morse sequence and its complement have the same hash for every polynomial hash modulo a power of two. */
Test(datatypes, signatures_of_repetitive_sequences)
{
    enum { N = 1 << 12 };
    uint64_t hashes[2];
    for (unsigned side = 0; side < 2; side++) {
        MpiTypePart *parts = g_new(MpiTypePart, N);
        for (unsigned i = 0; i < N; i++)
            parts[i] =
                (MpiTypePart){4 * i, 1, basic((__builtin_popcount(i) + side) % 2 ? MPI_PRIM_INT : MPI_PRIM_FLOAT)};
        MpiType *type = mpi_type_make_list(parts, N, false);
        hashes[side] = type->signature;
        mpi_type_unref(type);
        g_free(parts);
    }
    cr_expect_neq(hashes[0], hashes[1]);
}

/* The greatest possible count takes no longer than a small one. */
Test(datatypes, signatures_of_huge_counts)
{
    MpiType *two = mpi_type_make_vector(1, 2, 4, basic(MPI_PRIM_INT)), *three;
    MpiTypePart odd[] = {{0, 1, basic(MPI_PRIM_INT)}, {4, 1, basic(MPI_PRIM_INT)}, {8, 1, basic(MPI_PRIM_UNSIGNED)}};
    three = mpi_type_make_list(odd, 3, false);
    uint64_t bytes = UINT64_C(12) << 57, n, m;
    cr_expect_eq(mpi_type_signature(two, bytes, &n), mpi_type_signature(basic(MPI_PRIM_INT), bytes, &m));
    cr_expect_eq(n, m);
    cr_expect_eq(n, bytes / 4);
    cr_expect_neq(mpi_type_signature(two, bytes, &n), mpi_type_signature(three, bytes, &m));
    mpi_type_unref(two);
    mpi_type_unref(three);
}

/* A signature does not depend on how the primitives are grouped into items. */
Test(datatypes, signatures_of_equal_sequences)
{
    MpiType *six = mpi_type_make_vector(1, 6, 0, INT), *spread = mpi_type_make_vector(3, 1, 100, INT);
    uint64_t n;
    cr_expect_eq(mpi_type_signature(six, 24, &n), mpi_type_signature(spread, 24, &n));
    cr_expect_neq(mpi_type_signature(six, 24, &n), mpi_type_signature(basic(MPI_PRIM_FLOAT), 24, &n));
    cr_expect_neq(mpi_type_signature(six, 24, &n), mpi_type_signature(spread, 20, &n));
    mpi_type_unref(six);
    mpi_type_unref(spread);
}

/* Spans saturate and do not wrap around, whatever count a program passes. */
Test(datatypes, spans_do_not_overflow)
{
    int64_t first;
    MpiType *wide = mpi_type_make_resized(INT, 0, INT64_MAX / 4);
    cr_expect_eq(mpi_type_span(wide, 1000, &first), UINT64_MAX);
    MpiType *backwards = mpi_type_make_resized(INT, 0, -16);
    cr_expect_eq(mpi_type_span(backwards, 3, &first), 36);
    cr_expect_eq(first, -32);
    cr_expect_eq(mpi_type_span(INT, 0, &first), 0);
    MpiType *same_place = mpi_type_make_resized(INT, 0, 0);
    MpiType *heap_of_it = mpi_type_make_vector(1, UINT64_C(1) << 40, 0, same_place); /* 4 TiB of data in 4 bytes */
    cr_expect_eq(mpi_type_span(same_place, 1000, &first), 4);
    cr_expect_eq(mpi_type_span(heap_of_it, 1, &first), UINT64_MAX);
    mpi_type_unref(same_place);
    mpi_type_unref(heap_of_it);
    mpi_type_unref(wide);
    mpi_type_unref(backwards);
}
