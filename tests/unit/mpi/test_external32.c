/* test_external32.c - long doubles in external32 are binary128: compared with the host's own, for many values and at
 * the edges. */
#include "mpi/type/external32.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

static const MpiType *long_double(void)
{
    return mpi_type_predefined(MPI_PRIM_LONG_DOUBLE);
}

/* The host is little-endian. */
static void reverse16(const char *from, char *to)
{
    for (int i = 0; i < 16; i++) {
        to[i] = from[15 - i];
    }
}

static void expect_encoded(double value)
{
    __float128 wide = value;
    char native[8], external[16], expected[16], host[16];
    memcpy(native, &value, sizeof native);
    memcpy(host, &wide, sizeof host);
    reverse16(host, expected);
    cr_assert_null(mpi_external32_encode(long_double(), 1, native, external));
    cr_expect_arr_eq(external, expected, sizeof expected, "%a", value);
    double back;
    cr_assert_null(mpi_external32_decode(long_double(), 1, external, (char *)&back));
    cr_expect(memcmp(&back, &value, sizeof back) == 0, "%a came back as %a", value, back);
}

static void expect_decoded(__float128 value)
{
    char host[16], external[16];
    double expected = (double)value, got;
    memcpy(host, &value, sizeof host);
    reverse16(host, external);
    cr_assert_null(mpi_external32_decode(long_double(), 1, external, (char *)&got));
    cr_expect(memcmp(&got, &expected, sizeof got) == 0, "%a instead of %a", got, expected);
}

Test(external32, doubles_fit_exactly)
{
    const double values[] = {0.0,      -0.0,      1.0,       -1.5,        3.141592653589793,      1e300,
                             -1e-300,  0x1p-1022, 0x1p-1074, 0x1.8p-1060, 0x1.fffffffffffffp1023, INFINITY,
                             -INFINITY};
    for (size_t i = 0; i < G_N_ELEMENTS(values); i++) {
        expect_encoded(values[i]);
    }
    uint64_t bits = 1;
    for (int i = 0; i < 2000; i++) { /* any bits but a NaN */
        bits = bits * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        double value;
        memcpy(&value, &bits, sizeof value);
        if (!isnan(value)) {
            expect_encoded(value);
        }
    }
}

Test(external32, wider_values_are_rounded)
{
    const __float128 one = 1, step = 0x1p-53; /* half a unit in the last place of 1 */
    expect_decoded(one + step);               /* ties to even: down */
    expect_decoded(one + 3 * step);           /* and up */
    expect_decoded(one + step + step / 1024);
    expect_decoded(one / 3);
    expect_decoded(-one / 7);
    expect_decoded((__float128)0x1.fffffffffffffp1023 * 2); /* too large */
    expect_decoded((__float128)0x1.fffffffffffffp1023 + (__float128)0x1p969);
    expect_decoded((__float128)0x1.fffffffffffffp1023 + (__float128)0x1p970);
    expect_decoded((__float128)0x1p-1074 / 2); /* half of the least one */
    expect_decoded((__float128)0x1p-1074 * 3 / 2);
    expect_decoded((__float128)0x1p-1074 / 2 + (__float128)0x1p-1074 / 4);
    expect_decoded((__float128)0x1p-1074 / 4);
    expect_decoded((__float128)0x1p-1022 - (__float128)0x1p-1074 / 2);
    expect_decoded((__float128)0x1p-1000 * (__float128)0x1p-1000);
}

Test(external32, nan_stays_nan)
{
    double nan_value = NAN, back = 0;
    char external[16];
    cr_assert_null(mpi_external32_encode(long_double(), 1, (char *)&nan_value, external));
    cr_assert_null(mpi_external32_decode(long_double(), 1, external, (char *)&back));
    cr_expect(isnan(back));
    memset(external, 0, sizeof external); /* a NaN whose fraction has only low bits */
    external[0] = 0x7f, external[1] = (char)0xff, external[15] = 1;
    cr_assert_null(mpi_external32_decode(long_double(), 1, external, (char *)&back));
    cr_expect(isnan(back));
}

Test(external32, sizes_of_the_standard)
{
    static const struct {
        MpiPrimitive primitive;
        uint64_t size;
    } rows[] = {
        {MPI_PRIM_CHAR, 1},          {MPI_PRIM_WCHAR, 2},       {MPI_PRIM_SHORT, 2},
        {MPI_PRIM_INT, 4},           {MPI_PRIM_LONG, 4},        {MPI_PRIM_UNSIGNED_LONG, 4},
        {MPI_PRIM_LONG_LONG_INT, 8}, {MPI_PRIM_FLOAT, 4},       {MPI_PRIM_DOUBLE, 8},
        {MPI_PRIM_LONG_DOUBLE, 16},  {MPI_PRIM_C_BOOL, 1},      {MPI_PRIM_C_COMPLEX, 8},
        {MPI_PRIM_AINT, 8},          {MPI_PRIM_OFFSET, 8},      {MPI_PRIM_COUNT, 8},
        {MPI_PRIM_LOGICAL, 4},       {MPI_PRIM_DOUBLE_INT, 12}, {MPI_PRIM_C_LONG_DOUBLE_COMPLEX, 32},
        {MPI_PRIM_LONG_INT, 8},      {MPI_PRIM_INT64_T, 8},     {MPI_PRIM_COMPLEX16, 16},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        const MpiType *type = mpi_type_predefined(rows[i].primitive);
        cr_expect_eq(mpi_external32_size(type), rows[i].size, "%s", type->name);
    }
}
