/* test_topologies.c - arithmetic of groups, balanced dimensions, Cartesian coordinates. */
#include "mpi/topology/topology.h"

#include <criterion/criterion.h>
#include <string.h>

/* -- groups ------------------------------------------------------------------------------------ */

Test(groups, identity_takes_no_list)
{
    uint32_t *ranks = g_new(uint32_t, 3);
    ranks[0] = 0, ranks[1] = 1, ranks[2] = 2;
    MpiGroup *group = mpi_group_new(3, ranks);
    cr_expect_null(group->ranks);
    cr_expect_eq(mpi_group_find(group, 2), 2);
    cr_expect_eq(mpi_group_find(group, 3), -1);
    mpi_group_unref(group);
}

Test(groups, find_is_the_inverse_of_world_rank)
{
    for (uint32_t n = 1; n < 100; n += 7) { /* small groups use linear search, large ones a hash */
        uint32_t *ranks = g_new(uint32_t, n);
        for (uint32_t i = 0; i < n; i++) {
            ranks[i] = 3 * (n - i);
        }
        MpiGroup *group = mpi_group_new(n, ranks);
        for (uint32_t i = 0; i < n; i++) {
            cr_assert_eq(mpi_group_find(group, mpi_group_world_rank(group, i)), (int)i);
            cr_assert_eq(mpi_group_find(group, 3 * i + 1), -1);
        }
        mpi_group_unref(group);
    }
}

/* -- MPI_Dims_create --------------------------------------------------------------------------- */

Test(dims, standard_examples_and_known_choices)
{
    static const struct {
        uint32_t n;
        unsigned k;
        int factors[5];
    } rows[] = {
        {6, 2, {3, 2}},
        {7, 2, {7, 1}},
        {16, 2, {4, 4}},
        {24, 3, {4, 3, 2}},
        {12, 2, {4, 3}},
        {1, 3, {1, 1, 1}},
        {97, 3, {97, 1, 1}},
        {360, 3, {10, 6, 6}},
        {3168, 3, {18, 16, 11}},
        {18000, 3, {30, 25, 24}},
        {2147483646, 3, {1661, 1302, 993}},
        {64, 3, {4, 4, 4}},
        {20, 4, {5, 2, 2, 1}},
        {98784, 5, {14, 14, 9, 8, 7}}, /* between the same ends, 12 x 12 x 7 would be further from each other */
        {18000, 5, {10, 10, 6, 6, 5}},
        {1000000, 2, {1000, 1000}},
        {4096, 4, {8, 8, 8, 8}},
        {2147483647, 2, {2147483647, 1}},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        int factors[5];
        mpi_dims_balanced_factors(rows[i].n, rows[i].k, factors);
        cr_expect(!memcmp(factors, rows[i].factors, rows[i].k * sizeof *factors), "%u in %u: %d %d", rows[i].n,
                  rows[i].k, factors[0], factors[1]);
    }
}

/* A search through all ways to write n as k factors in descending order, which keeps the best. */
typedef struct Search {
    const uint32_t *divisors;
    unsigned n_divisors, k;
    int tried[6], best[6];
} Search;

static bool is_better(const int *a, const int *b, unsigned last)
{
    int spread = a[0] - a[last], other = b[0] - b[last];
    if (!b[0] || spread != other)
        return !b[0] || spread < other;
    for (unsigned i = last + 1; i-- > 0;)
        if (a[i] != b[i])
            return a[i] > b[i];
    return false;
}

static void search(Search *s, unsigned at, uint32_t rest)
{
    if (at == s->k) {
        if (rest == 1 && is_better(s->tried, s->best, (s->k - 1) % 6))
            memcpy(s->best, s->tried, sizeof s->best);
        return;
    }
    for (unsigned i = 0; i < s->n_divisors; i++) {
        int d = (int)s->divisors[i];
        if (rest % (uint32_t)d == 0 && (!at || d <= s->tried[at - 1])) {
            s->tried[at] = d;
            search(s, at + 1, rest / (uint32_t)d);
        }
    }
}

/* ORRERY_DIMS_UP_TO sets the greatest number. All up to 100,000 take a minute. */
Test(dims, are_what_trying_all_finds)
{
    const char *asked = g_getenv("ORRERY_DIMS_UP_TO");
    uint32_t most = asked ? (uint32_t)strtoul(asked, NULL, 10) : 2000;
    for (uint32_t n = 1; n <= most; n++) {
        uint32_t divisors[512];
        Search s = {.divisors = divisors};
        for (uint32_t d = 1; d <= n; d++)
            if (n % d == 0)
                divisors[s.n_divisors++] = d;
        for (s.k = 1; s.k <= 6; s.k++) {
            int factors[6];
            memset(s.best, 0, sizeof s.best);
            search(&s, 0, n);
            mpi_dims_balanced_factors(n, s.k, factors);
            cr_assert(!memcmp(factors, s.best, s.k * sizeof *factors), "%u in %u: %d ... %d, not %d ... %d", n, s.k,
                      factors[0], factors[s.k - 1], s.best[0], s.best[s.k - 1]);
        }
    }
}

/* Numbers with the most divisors, and with the fewest, do not take long. */
Test(dims, are_found_for_great_numbers)
{
    static const uint32_t greats[] = {2095133040, 1396755360, 2147483647, 2147483646, 223092870,
                                      1073741824, 2147395600, 1745944200, 2144225,    1};
    for (size_t i = 0; i < G_N_ELEMENTS(greats); i++) {
        for (unsigned k = 1; k <= 24; k++) {
            int factors[24];
            uint64_t product = 1;
            mpi_dims_balanced_factors(greats[i], k, factors);
            for (unsigned j = 0; j < k; j++) {
                product *= (uint64_t)factors[j];
                cr_assert(j == 0 || factors[j] <= factors[j - 1]);
            }
            cr_assert_eq(product, greats[i]);
        }
    }
}

/* -- Cartesian grids (MPI-3.1 section 7.5) ----------------------------------------------------- */

Test(cart, rank_and_coordinates_are_inverse_and_row_major)
{
    const int32_t dims[] = {3, 4, 5}, periods[] = {0, 1, 0};
    MpiTopology *cart = mpi_cart_new(3, dims, periods);
    cr_expect_eq(mpi_cart_size(cart), 60);
    for (uint32_t rank = 0; rank < 60; rank++) {
        int at[3];
        mpi_cart_coordinates(cart, rank, at);
        cr_assert_eq((uint32_t)((at[0] * 4 + at[1]) * 5 + at[2]), rank);
        cr_assert_eq(mpi_cart_rank(cart, (int64_t[]){at[0], at[1], at[2]}), rank);
        cr_assert_eq(mpi_cart_rank(cart, (int64_t[]){at[0], at[1] - 8, at[2]}), rank);
    }
    cr_expect_eq(mpi_cart_rank(cart, (int64_t[]){3, 0, 0}), -1);
    cr_expect_eq(mpi_cart_rank(cart, (int64_t[]){0, 0, -1}), -3);
    mpi_comm_topology_unref(cart);
}

Test(cart, neighbours_wrap_where_periodic)
{
    const int32_t dims[] = {3, 4}, periods[] = {0, 1};
    MpiTopology *cart = mpi_cart_new(2, dims, periods);
    cr_expect_eq(mpi_cart_neighbour(cart, 0, 0, 1), 4);
    cr_expect_eq(mpi_cart_neighbour(cart, 0, 0, -1), MPI_PROC_NULL_);
    cr_expect_eq(mpi_cart_neighbour(cart, 0, 1, -1), 3);
    cr_expect_eq(mpi_cart_neighbour(cart, 7, 1, 1), 4);
    cr_expect_eq(mpi_cart_neighbour(cart, 7, 1, 0), 7);
    cr_expect_eq(mpi_cart_neighbour(cart, 5, 1, -INT64_C(2147483648)), 5);
    cr_expect_eq(mpi_cart_neighbour(cart, 8, 0, 2147483647), MPI_PROC_NULL_);
    mpi_comm_topology_unref(cart);
}

Test(cart, no_dimensions_is_one_rank)
{
    MpiTopology *cart = mpi_cart_new(0, NULL, NULL);
    cr_expect_eq(mpi_cart_size(cart), 1);
    cr_expect_eq(mpi_cart_rank(cart, NULL), 0);
    mpi_comm_topology_unref(cart);
}
