/* units.c - numbers with units, exactly: "2 GHz", "1.5 us", "100 Mbit/s", "64 KiB", "0.25 cycles".
 *
 * A quantity is a decimal number and a unit. Both are kept as integers: the number as digits and a power of ten, the
 * unit as a fraction numerator/denominator of the base unit (Hz, ps, bytes/s, bytes, 1/256 cycle, fs per byte). So
 * nothing is ever rounded. A quantity that is no whole number of base units is refused, and the message says so. Zero
 * needs no unit. Every other number does, because guessed units make wrong models.
 */
#include "base/units.h"

#include "base/nearest.h"

#include <string.h>

GQuark base_units_error_quark(void)
{
    return g_quark_from_static_string("orrery-units-error");
}

typedef struct UnitName {
    BaseUnit unit;
    const char *name;
    uint64_t numerator, denominator; /* the unit in base units */
} UnitName;

#define PS_PER_SECOND UINT64_C(1000000000000)

/* The names of units. Messages list them in this order. */
static const UnitName unit_names[] = {
    {BASE_UNIT_FREQUENCY, "Hz", 1, 1},
    {BASE_UNIT_FREQUENCY, "kHz", 1000, 1},
    {BASE_UNIT_FREQUENCY, "MHz", 1000000, 1},
    {BASE_UNIT_FREQUENCY, "GHz", 1000000000, 1},
    {BASE_UNIT_TIME, "ps", 1, 1},
    {BASE_UNIT_TIME, "ns", 1000, 1},
    {BASE_UNIT_TIME, "us", 1000000, 1},
    {BASE_UNIT_TIME, "\xc2\xb5s", 1000000, 1}, /* micro sign */
    {BASE_UNIT_TIME, "ms", 1000000000, 1},
    {BASE_UNIT_TIME, "s", PS_PER_SECOND, 1},
    {BASE_UNIT_TIME, "min", 60 * PS_PER_SECOND, 1},
    {BASE_UNIT_TIME, "h", 3600 * PS_PER_SECOND, 1},
    {BASE_UNIT_BANDWIDTH, "bit/s", 1, 8},
    {BASE_UNIT_BANDWIDTH, "kbit/s", 1000, 8},
    {BASE_UNIT_BANDWIDTH, "Mbit/s", 1000000, 8},
    {BASE_UNIT_BANDWIDTH, "Gbit/s", 1000000000, 8},
    {BASE_UNIT_BANDWIDTH, "Tbit/s", 1000000000000, 8},
    {BASE_UNIT_BANDWIDTH, "B/s", 1, 1},
    {BASE_UNIT_BANDWIDTH, "kB/s", 1000, 1},
    {BASE_UNIT_BANDWIDTH, "MB/s", 1000000, 1},
    {BASE_UNIT_BANDWIDTH, "GB/s", 1000000000, 1},
    {BASE_UNIT_BANDWIDTH, "TB/s", 1000000000000, 1},
    {BASE_UNIT_BANDWIDTH, "KiB/s", UINT64_C(1) << 10, 1},
    {BASE_UNIT_BANDWIDTH, "MiB/s", UINT64_C(1) << 20, 1},
    {BASE_UNIT_BANDWIDTH, "GiB/s", UINT64_C(1) << 30, 1},
    {BASE_UNIT_SIZE, "B", 1, 1},
    {BASE_UNIT_SIZE, "kB", 1000, 1},
    {BASE_UNIT_SIZE, "MB", 1000000, 1},
    {BASE_UNIT_SIZE, "GB", 1000000000, 1},
    {BASE_UNIT_SIZE, "KiB", UINT64_C(1) << 10, 1},
    {BASE_UNIT_SIZE, "MiB", UINT64_C(1) << 20, 1},
    {BASE_UNIT_SIZE, "GiB", UINT64_C(1) << 30, 1},
    {BASE_UNIT_CYCLES, "cycles", 256, 1},
    {BASE_UNIT_CYCLES, "cycle", 256, 1},
    {BASE_UNIT_TIME_PER_BYTE, "fs/B", 1, 1},
    {BASE_UNIT_TIME_PER_BYTE, "ps/B", 1000, 1},
    {BASE_UNIT_TIME_PER_BYTE, "ns/B", 1000000, 1},
    {BASE_UNIT_TIME_PER_BYTE, "us/B", 1000000000, 1},
};

typedef struct UnitKind {
    const char *what, *base, *example;
} UnitKind;

static const UnitKind unit_kinds[] = {
    [BASE_UNIT_COUNT] = {"number", "", "16"},
    [BASE_UNIT_FREQUENCY] = {"frequency", "Hz", "2 GHz"},
    [BASE_UNIT_TIME] = {"time", "picoseconds", "1.5 us"},
    [BASE_UNIT_BANDWIDTH] = {"bandwidth", "bytes per second", "100 Mbit/s"},
    [BASE_UNIT_SIZE] = {"size", "bytes", "64 KiB"},
    [BASE_UNIT_CYCLES] = {"cost", "1/256 cycles", "0.5 cycles"},
    [BASE_UNIT_TIME_PER_BYTE] = {"time per byte", "femtoseconds per byte", "80 ps/B"},
};

const char *base_units_example(BaseUnit unit)
{
    return unit_kinds[unit].example;
}

const char *base_units_what(BaseUnit unit)
{
    return unit_kinds[unit].what;
}

/* "Hz, kHz, MHz or GHz" */
static char *allowed_units(BaseUnit unit)
{
    GString *out = g_string_new(NULL);
    const char *last = NULL;
    for (size_t i = 0; i < G_N_ELEMENTS(unit_names); i++) {
        if (unit_names[i].unit != unit || (unsigned char)unit_names[i].name[0] >= 0x80)
            continue;
        if (last)
            g_string_append_printf(out, "%s%s", out->len ? ", " : "", last);
        last = unit_names[i].name;
    }
    if (last)
        g_string_append_printf(out, "%s%s", out->len ? " or " : "", last);
    return g_string_free(out, FALSE);
}

static const UnitName *find_unit(BaseUnit unit, const char *name)
{
    for (size_t i = 0; i < G_N_ELEMENTS(unit_names); i++)
        if (unit_names[i].unit == unit && strcmp(unit_names[i].name, name) == 0)
            return &unit_names[i];
    return NULL;
}

static const char *nearest_unit(BaseUnit unit, const char *name)
{
    const char *names[G_N_ELEMENTS(unit_names) + 1];
    size_t n = 0;
    for (size_t i = 0; i < G_N_ELEMENTS(unit_names); i++)
        if (unit_names[i].unit == unit)
            names[n++] = unit_names[i].name;
    names[n] = NULL;
    return base_nearest(name, names);
}

/* Reads a decimal number: value = digits / 10^places. Returns the first character after it, or NULL if there is no
 * number or it has more digits than any quantity needs. */
static const char *scan_decimal(const char *text, uint64_t *digits, unsigned *places)
{
    const uint64_t limit = UINT64_MAX / 10 - 1;
    bool point = false, any = false;
    *digits = 0;
    *places = 0;
    for (; g_ascii_isdigit(*text) || (*text == '.' && !point); text++) {
        if (*text == '.') {
            point = true;
            continue;
        }
        if (*digits > limit)
            return NULL;
        *digits = *digits * 10 + (uint64_t)(*text - '0');
        *places += point;
        any = true;
    }
    return any ? text : NULL;
}

static bool unit_error(const char *name, const char *text, BaseUnit unit, GError **error)
{
    g_autofree char *allowed = allowed_units(unit);
    const UnitKind *kind = &unit_kinds[unit];
    if (unit == BASE_UNIT_COUNT) {
        g_set_error(error, BASE_UNITS_ERROR, BASE_UNITS_ERROR_QUANTITY,
                    "\"%s\" after a plain number; write it without, like %s", name, kind->example);
    } else if (!*name) {
        g_set_error(error, BASE_UNITS_ERROR, BASE_UNITS_ERROR_QUANTITY,
                    "\"%s\" has no unit; a %s is given in %s, like \"%s\"", text, kind->what, allowed, kind->example);
    } else {
        const char *near = nearest_unit(unit, name);
        g_set_error(error, BASE_UNITS_ERROR, BASE_UNITS_ERROR_QUANTITY, "\"%s\" is not a unit of %s; %s%s%s %s", name,
                    kind->what, near ? "did you mean \"" : "", near ? near : "", near ? "\"? There are" : "use",
                    allowed);
    }
    return false;
}

/* Computes digits * numerator / (10^places * denominator). Returns false if that is no whole number. */
static bool scale(const char *text, BaseUnit unit, uint64_t digits, unsigned places, const UnitName *name,
                  uint64_t *value, GError **error)
{
    while (places && digits % 10 == 0) { /* 1.50 becomes 1.5 */
        digits /= 10;
        places--;
    }
    unsigned __int128 numerator = (unsigned __int128)digits * (name ? name->numerator : 1);
    unsigned __int128 denominator = name ? name->denominator : 1;
    for (; places; places--)
        denominator *= 10; /* at most 19 places fit in `digits` */
    if (numerator / denominator > INT64_MAX) {
        g_set_error(error, BASE_UNITS_ERROR, BASE_UNITS_ERROR_QUANTITY, "\"%s\" is too large", text);
        return false;
    }
    if (numerator % denominator != 0) {
        g_set_error(error, BASE_UNITS_ERROR, BASE_UNITS_ERROR_QUANTITY, "\"%s\" is not a whole number of %s", text,
                    *unit_kinds[unit].base ? unit_kinds[unit].base : "things");
        return false;
    }
    *value = (uint64_t)(numerator / denominator);
    return true;
}

bool base_units_scan(const char *text, BaseUnit unit, uint64_t *value, size_t *where, GError **error)
{
    const char *start = text + strspn(text, " \t");
    g_autofree char *trimmed = g_strchomp(g_strdup(start));
    uint64_t digits;
    unsigned places;
    *where = (size_t)(start - text);
    const char *end = scan_decimal(trimmed, &digits, &places);
    if (!end) {
        g_set_error(error, BASE_UNITS_ERROR, BASE_UNITS_ERROR_QUANTITY,
                    "\"%s\" is not a %s; write a decimal number%s, like \"%s\"", trimmed, unit_kinds[unit].what,
                    unit == BASE_UNIT_COUNT ? "" : " and a unit", unit_kinds[unit].example);
        return false;
    }
    const char *name = end + strspn(end, " \t");
    const UnitName *found = find_unit(unit, name);
    bool needs_none = !*name && (unit == BASE_UNIT_COUNT || digits == 0);
    if (!found && !needs_none) {
        *where += (size_t)((*name ? name : trimmed) - trimmed);
        return unit_error(name, trimmed, unit, error);
    }
    return scale(trimmed, unit, digits, places, found, value, error);
}

bool base_units_parse(const char *text, BaseUnit unit, uint64_t *value, GError **error)
{
    size_t where;
    return base_units_scan(text, unit, value, &where, error);
}

/* Formats value / scale as a decimal without trailing zeros; scale is a power of ten with `places` zeros. */
static void append_decimal(GString *out, uint64_t value, uint64_t one, int places)
{
    g_string_append_printf(out, "%" G_GUINT64_FORMAT, value / one);
    if (value % one == 0)
        return;
    g_string_append_printf(out, ".%0*" G_GINT64_MODIFIER "u", places, value % one);
    while (out->str[out->len - 1] == '0')
        g_string_truncate(out, out->len - 1);
}

char *base_units_format_time(uint64_t ps)
{
    static const struct {
        const char *name;
        uint64_t one;
        int places;
    } steps[] = {{"s", PS_PER_SECOND, 12}, {"ms", 1000000000, 9}, {"us", 1000000, 6}, {"ns", 1000, 3}, {"ps", 1, 0}};
    GString *out = g_string_new(NULL);
    size_t i = 0;
    while (i + 1 < G_N_ELEMENTS(steps) && ps < steps[i].one)
        i++;
    if (ps == 0)
        i = 0;
    append_decimal(out, ps, steps[i].one, steps[i].places);
    g_string_append_printf(out, " %s", steps[i].name);
    return g_string_free(out, FALSE);
}

char *base_units_format_cycles(uint64_t cycles_q8)
{
    GString *out = g_string_new(NULL);
    /* 1/256 = 0.00390625 exactly, so eight decimals hold every value. */
    append_decimal(out, cycles_q8 / 256 * 100000000 + cycles_q8 % 256 * 390625, 100000000, 8);
    g_string_append(out, cycles_q8 == 256 ? " cycle" : " cycles");
    return g_string_free(out, FALSE);
}
