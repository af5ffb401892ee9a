/* Quantities with units: they are parsed exactly, and errors name the units that are possible. */
#include "base/nearest.h"
#include "base/units.h"

#include <criterion/criterion.h>
#include <string.h>

static uint64_t parse(const char *text, BaseUnit unit)
{
    uint64_t value = 0;
    g_autoptr(GError) error = NULL;
    cr_assert(base_units_parse(text, unit, &value, &error), "%s: %s", text, error ? error->message : "");
    return value;
}

static void refuse(const char *text, BaseUnit unit, const char *part)
{
    uint64_t value = 77;
    g_autoptr(GError) error = NULL;
    cr_assert_not(base_units_parse(text, unit, &value, &error), "%s", text);
    cr_assert(g_error_matches(error, BASE_UNITS_ERROR, BASE_UNITS_ERROR_QUANTITY));
    cr_assert(strstr(error->message, part), "\"%s\" should mention \"%s\"", error->message, part);
    cr_assert_eq(value, 77, "a refused quantity leaves the value alone");
}

Test(units, whole_and_decimal)
{
    cr_assert_eq(parse("2 GHz", BASE_UNIT_FREQUENCY), 2000000000);
    cr_assert_eq(parse("1.5 us", BASE_UNIT_TIME), 1500000);
    cr_assert_eq(parse("1.5us", BASE_UNIT_TIME), 1500000);
    cr_assert_eq(parse("  10\ts ", BASE_UNIT_TIME), UINT64_C(10000000000000));
    cr_assert_eq(parse("100 Mbit/s", BASE_UNIT_BANDWIDTH), 12500000);
    cr_assert_eq(parse("64 KiB", BASE_UNIT_SIZE), 65536);
    cr_assert_eq(parse("0.5 KiB", BASE_UNIT_SIZE), 512);
    cr_assert_eq(parse("0.25 cycles", BASE_UNIT_CYCLES), 64);
    cr_assert_eq(parse("0.1 ps/B", BASE_UNIT_TIME_PER_BYTE), 100);
    cr_assert_eq(parse("16", BASE_UNIT_COUNT), 16);
    cr_assert_eq(parse("3 \xc2\xb5s", BASE_UNIT_TIME), 3000000, "the micro sign");
}

/* 0.1 has no exact binary form, but decimal arithmetic is exact. */
Test(units, decimal_fractions_are_exact)
{
    cr_assert_eq(parse("0.1 us", BASE_UNIT_TIME), 100000);
    cr_assert_eq(parse("0.000001 us", BASE_UNIT_TIME), 1);
    cr_assert_eq(parse("9007199.254740993 s", BASE_UNIT_TIME), UINT64_C(9007199254740993000), "2^53 + 1 ns");
    cr_assert_eq(parse("1.500000000000000000 us", BASE_UNIT_TIME), 1500000, "trailing zeros are no digits");
}

Test(units, zero_needs_no_unit)
{
    cr_assert_eq(parse("0", BASE_UNIT_TIME), 0);
    cr_assert_eq(parse("0.0", BASE_UNIT_SIZE), 0);
}

Test(units, what_is_not_whole_is_refused)
{
    refuse("0.5 ps", BASE_UNIT_TIME, "not a whole number of picoseconds");
    refuse("1 bit/s", BASE_UNIT_BANDWIDTH, "not a whole number of bytes per second");
    refuse("0.3 cycles", BASE_UNIT_CYCLES, "1/256");
    refuse("1.5", BASE_UNIT_COUNT, "not a whole number");
}

Test(units, wrong_and_missing_units)
{
    refuse("5", BASE_UNIT_TIME, "no unit");
    refuse("5", BASE_UNIT_TIME, "1.5 us");
    refuse("100 Mbits/s", BASE_UNIT_BANDWIDTH, "did you mean \"Mbit/s\"");
    refuse("100 MBIT/S", BASE_UNIT_BANDWIDTH, "did you mean \"Mbit/s\"");
    refuse("2 GHz", BASE_UNIT_TIME, "ps, ns, us, ms, s, min or h");
    refuse("64 KB", BASE_UNIT_SIZE, "did you mean \"kB\"");
    refuse("8 cores", BASE_UNIT_COUNT, "plain number");
}

Test(units, nonsense)
{
    refuse("", BASE_UNIT_TIME, "not a time");
    refuse("fast", BASE_UNIT_FREQUENCY, "not a frequency");
    refuse("-1 s", BASE_UNIT_TIME, "not a time");
    refuse(".", BASE_UNIT_COUNT, "not a number");
    refuse("1.2.3 s", BASE_UNIT_TIME, "not a unit");
    refuse("99999999999999999999 s", BASE_UNIT_TIME, "not a time");
    refuse("99999999999 h", BASE_UNIT_TIME, "too large");
}

Test(units, where_the_mistake_is)
{
    uint64_t value;
    size_t where = 99;
    g_autoptr(GError) error = NULL;
    cr_assert_not(base_units_scan("100 Mbaud", BASE_UNIT_BANDWIDTH, &value, &where, &error));
    cr_assert_eq(where, 4, "the caret goes under the unit");
}

Test(units, times_for_people_are_exact_and_short)
{
    static const struct {
        uint64_t ps;
        const char *text;
    } cases[] = {{0, "0 s"},
                 {1, "1 ps"},
                 {999, "999 ps"},
                 {1500, "1.5 ns"},
                 {1234567, "1.234567 us"},
                 {UINT64_C(1000000000000), "1 s"},
                 {UINT64_C(1000000000001), "1.000000000001 s"},
                 {UINT64_MAX, "18446744.073709551615 s"}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text = base_units_format_time(cases[i].ps);
        cr_assert_str_eq(text, cases[i].text);
        uint64_t back;
        if (cases[i].ps < INT64_MAX) {
            cr_assert(base_units_parse(text, BASE_UNIT_TIME, &back, NULL));
            cr_assert_eq(back, cases[i].ps);
        }
    }
}

Test(units, cycles_come_back_exactly)
{
    for (uint32_t q8 = 0; q8 < 1024; q8++) {
        g_autofree char *text = base_units_format_cycles(q8);
        cr_assert_eq(parse(text, BASE_UNIT_CYCLES), q8, "%s", text);
    }
}

Test(units, nearest_names)
{
    static const char *const names[] = {"bandwidth", "latency", "link-latency", NULL};
    cr_assert_str_eq(base_nearest("bandwith", names), "bandwidth");
    cr_assert_str_eq(base_nearest("link_latency", names), "link-latency");
    cr_assert_str_eq(base_nearest("Latency", names), "latency");
    cr_assert_str_eq(base_nearest("lateyncy", names), "latency");
    cr_assert_str_eq(base_nearest("LINK_LATENCY", names), "link-latency");
    cr_assert_str_eq(base_nearest("band", names), "bandwidth", "a beginning");
    cr_assert_str_eq(base_nearest("latency-of-links", names), "latency", "more than the name");
    cr_assert_null(base_nearest("colour", names));
    static const char *const spelt[] = {"MPI_Init", "MPI_INT", NULL};
    cr_assert_str_eq(base_nearest("MPI_INTT", spelt), "MPI_INT", "a wrong letter is worse than a wrong case");
}

Test(units, nearest_of_many)
{
    BaseNearest nearest = base_nearest_of("lenght");
    base_nearest_try(&nearest, "lenght");
    cr_assert_null(nearest.best, "the same name is not what is missing");
    base_nearest_try(&nearest, "light");
    base_nearest_try(&nearest, "length");
    base_nearest_try(&nearest, "lenghs");
    cr_assert_str_eq(nearest.best, "length", "the first of those as near");
}

/* Three letters that begin several names mean the shortest of these, and of equally short ones the first. */
Test(units, abbreviations)
{
    static const char *const names[] = {"link-latency", "link", "line", "window", "windmill", NULL};
    cr_assert_str_eq(base_nearest("lin", names), "link");
    cr_assert_str_eq(base_nearest("link-", names), "link-latency");
    cr_assert_str_eq(base_nearest("wind", names), "window");
    cr_assert_null(base_nearest("li", names), "two letters begin too much");
}

Test(units, what_errors_name)
{
    cr_assert_str_eq(base_units_what(BASE_UNIT_TIME_PER_BYTE), "time per byte");
    cr_assert_eq(parse(base_units_example(BASE_UNIT_TIME), BASE_UNIT_TIME), 1500000);
}
