/* test_operators.c - predefined reduction operators (MPI-3.1 section 5.9.2 and 5.9.4). */
#include "mpi/type/type.h"

#include <complex.h>
#include <criterion/criterion.h>
#include <string.h>

static const MpiOp *op_named(const char *name)
{
    for (uint32_t i = 1; mpi_op_predefined(i); i++) {
        if (!strcmp(mpi_op_predefined(i)->name, name)) {
            return mpi_op_predefined(i);
        }
    }
    cr_assert_fail("no operator %s", name);
    return NULL;
}

#define APPLY(op, primitive, in, inout)                                                                                \
    mpi_op_apply(op_named(#op), mpi_type_predefined(MPI_PRIM_##primitive), G_N_ELEMENTS(in), in, inout)
#define EXPECT_ALL(values, ...)                                                                                        \
    do {                                                                                                               \
        __typeof__((values)[0]) expected[] = {__VA_ARGS__};                                                            \
        cr_expect(!memcmp(values, expected, sizeof expected));                                                         \
    } while (0)

Test(operators, integers)
{
    const int32_t in[] = {3, -5, 0, INT32_MAX};
    int32_t sum[] = {4, 2, 0, 1}, product[] = {4, 2, 9, 2}, max[] = {4, -7, 0, 1}, band[] = {6, 7, 7, 15};
    APPLY(MPI_SUM, INT, in, sum);
    EXPECT_ALL(sum, 7, -3, 0, INT32_MIN); /* wraps, as the hardware does */
    APPLY(MPI_PROD, INT, in, product);
    EXPECT_ALL(product, 12, -10, 0, -2);
    APPLY(MPI_MAX, INT, in, max);
    EXPECT_ALL(max, 4, -5, 0, INT32_MAX);
    APPLY(MPI_BAND, INT, in, band);
    EXPECT_ALL(band, 2, 3, 0, 15);
}

Test(operators, unsigned_types_compare_unsigned)
{
    const uint8_t in[] = {200, 1};
    uint8_t max[] = {100, 255};
    APPLY(MPI_MAX, UNSIGNED_CHAR, in, max);
    EXPECT_ALL(max, 200, 255);
    int8_t low[] = {100, -1};
    APPLY(MPI_MIN, SIGNED_CHAR, in, low); /* 200 is -56 */
    EXPECT_ALL(low, -56, -1);
}

Test(operators, logic_gives_zero_or_one)
{
    const int32_t in[] = {0, 0, 7, 9};
    int32_t land[] = {0, 5, 0, 4}, lor[] = {0, 5, 0, 4}, lxor[] = {0, 5, 0, 4};
    APPLY(MPI_LAND, INT, in, land);
    EXPECT_ALL(land, 0, 0, 0, 1);
    APPLY(MPI_LOR, INT, in, lor);
    EXPECT_ALL(lor, 0, 1, 1, 1);
    APPLY(MPI_LXOR, INT, in, lxor);
    EXPECT_ALL(lxor, 0, 1, 1, 0);
}

Test(operators, complex_product)
{
    const double complex in[] = {1 + 2 * I};
    double complex inout[] = {3 - 1 * I};
    APPLY(MPI_PROD, C_DOUBLE_COMPLEX, in, inout);
    EXPECT_ALL(inout, 5 + 5 * I);
}

/* Packed pairs have no padding: 12 bytes for MPI_DOUBLE_INT. */
Test(operators, maxloc_and_minloc_prefer_the_lower_index)
{
    struct __attribute__((packed)) Pair {
        double value;
        int index;
    } in[] = {{1.0, 3}, {2.0, 1}, {5.0, 9}}, max[] = {{1.0, 5}, {3.0, 4}, {4.0, 2}};
    APPLY(MPI_MAXLOC, DOUBLE_INT, in, max);
    EXPECT_ALL(max, {1.0, 3}, {3.0, 4}, {5.0, 9});
    struct Pair min[] = {{1.0, 5}, {3.0, 4}, {4.0, 2}};
    APPLY(MPI_MINLOC, DOUBLE_INT, in, min);
    EXPECT_ALL(min, {1.0, 3}, {2.0, 1}, {4.0, 2});
}

/* The table of section 5.9.2; other types and derived types are refused (5.9.1). */
Test(operators, allowed_types)
{
    static const struct {
        const char *op;
        MpiPrimitive primitive;
        bool allowed;
    } rows[] = {
        {"MPI_SUM", MPI_PRIM_DOUBLE, true},
        {"MPI_SUM", MPI_PRIM_C_COMPLEX, true},
        {"MPI_SUM", MPI_PRIM_CHAR, true},
        {"MPI_SUM", MPI_PRIM_BYTE, false},
        {"MPI_SUM", MPI_PRIM_DOUBLE_INT, false},
        {"MPI_SUM", MPI_PRIM_LOGICAL, false},
        {"MPI_MAX", MPI_PRIM_C_DOUBLE_COMPLEX, false},
        {"MPI_MAX", MPI_PRIM_AINT, true},
        {"MPI_LAND", MPI_PRIM_C_BOOL, true},
        {"MPI_LAND", MPI_PRIM_DOUBLE, false},
        {"MPI_BAND", MPI_PRIM_BYTE, true},
        {"MPI_BAND", MPI_PRIM_FLOAT, false},
        {"MPI_MAXLOC", MPI_PRIM_2INT, true},
        {"MPI_MAXLOC", MPI_PRIM_INT, false},
        {"MPI_SUM", MPI_PRIM_PACKED, false},
        {"MPI_SUM", MPI_PRIM_WCHAR, false},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        const MpiType *type = mpi_type_predefined(rows[i].primitive);
        cr_expect_eq(mpi_op_allows(op_named(rows[i].op), type), rows[i].allowed, "%s of %s", rows[i].op, type->name);
    }
}
