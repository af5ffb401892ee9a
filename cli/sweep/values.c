/* values.c - values of a sweep that are written as a range:
 *
 *   2:8           2 3 4 ... 8                 2:16:2     2 4 6 ... 16
 *   2^1:2^10      2 4 8 ... 1024              1us:1ms:log10    1 us, 10 us, 100 us, 1 ms (log2: doubled, and so on)
 *
 * Numbers may have units; those of a range are of one kind. A range counts up or down, and has its first value; it has
 * its last one if the steps come there.
 */
#include "base/units.h"
#include "cli/base/base.h"
#include "cli/sweep/sweep.h"

#include <string.h>

enum { MOST_VALUES = 100000 };

typedef struct Quantity {
    uint64_t value; /* in base units */
    uint64_t unit;  /* of the unit that it was written with */
    char *name;     /* that unit; "": none */
    BaseUnit kind;
} Quantity;

/* Units of these kinds are tried, in this order: a number alone is a count. */
static const BaseUnit kinds[] = {BASE_UNIT_COUNT,     BASE_UNIT_TIME,   BASE_UNIT_SIZE,         BASE_UNIT_FREQUENCY,
                                 BASE_UNIT_BANDWIDTH, BASE_UNIT_CYCLES, BASE_UNIT_TIME_PER_BYTE};

static bool read_quantity(const char *text, Quantity *quantity)
{
    g_autofree char *whole = g_strstrip(g_strdup(text));
    const char *unit = whole + strspn(whole, "0123456789.");
    unit += strspn(unit, " ");
    if (unit == whole)
        return false;
    for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++) {
        g_autofree char *one = g_strconcat("1 ", unit, NULL);
        if (!base_units_parse(*unit ? one : "1", kinds[i], &quantity->unit, NULL) ||
            !base_units_parse(whole, kinds[i], &quantity->value, NULL))
            continue;
        quantity->name = g_strdup(unit);
        quantity->kind = kinds[i];
        return true;
    }
    return false;
}

/* "2^5". Numbers beyond 63 bits are no powers here. */
static bool read_power(const char *text, uint64_t *base, uint64_t *exponent)
{
    char *end;
    g_autofree char *whole = g_strstrip(g_strdup(text));
    *base = g_ascii_strtoull(whole, &end, 10);
    if (end == whole || *end != '^' || !g_ascii_isdigit(end[1]) || *base < 2)
        return false;
    *exponent = g_ascii_strtoull(end + 1, &end, 10);
    uint64_t value = 1;
    for (uint64_t i = 0; i < *exponent; i++)
        if (__builtin_mul_overflow(value, *base, &value) || value > INT64_MAX)
            return false;
    return *end == '\0';
}

/* Returns a value in the unit that the range begins with, or where that is not whole, in the smallest unit. */
static char *write_value(uint64_t value, const Quantity *as)
{
    if (value % as->unit == 0)
        return g_strdup_printf("%" G_GUINT64_FORMAT "%s%s", value / as->unit, *as->name ? " " : "", as->name);
    if (as->kind == BASE_UNIT_TIME)
        return base_units_format_time(value);
    return g_strdup_printf("%.15g%s%s", (double)value / (double)as->unit, *as->name ? " " : "", as->name);
}

static bool too_many(GError **error, const char *text)
{
    return cli_error_usage(error, "%s has more than %d values", text, MOST_VALUES);
}

static void add_powers(uint64_t base, uint64_t first, uint64_t last, GPtrArray *values)
{
    for (uint64_t e = first;; e += first <= last ? 1 : (uint64_t)-1) {
        uint64_t value = 1;
        for (uint64_t i = 0; i < e; i++)
            value *= base;
        g_ptr_array_add(values, g_strdup_printf("%" G_GUINT64_FORMAT, value));
        if (e == last)
            return;
    }
}

static bool add_steps(const char *text, const Quantity *first, uint64_t last, uint64_t step, GPtrArray *values,
                      GError **error)
{
    bool up = first->value <= last;
    if (step == 0)
        return cli_error_usage(error, "%s goes on for ever: its step is 0", text);
    if ((up ? last - first->value : first->value - last) / step >= MOST_VALUES)
        return too_many(error, text);
    for (uint64_t value = first->value;; value = up ? value + step : value - step) {
        g_ptr_array_add(values, write_value(value, first));
        if ((up ? last - value : value - last) < step)
            return true;
    }
}

static bool add_factors(const char *text, const Quantity *first, uint64_t last, uint64_t factor, GPtrArray *values,
                        GError **error)
{
    if (factor < 2 || first->value == 0 || last == 0)
        return cli_error_usage(error, "%s goes on for ever: a factor is 2 or more, and no value is 0", text);
    bool up = first->value <= last;
    for (uint64_t value = first->value; up ? value <= last : value >= last;) {
        g_ptr_array_add(values, write_value(value, first));
        if (up ? value > last / factor : value % factor != 0 || value < factor)
            return true;
        value = up ? value * factor : value / factor;
    }
    return true;
}

static bool add_quantities(const char *text, char **parts, GPtrArray *values, bool *range, GError **error)
{
    Quantity first = {0}, last = {0}, step = {0};
    bool good = true;
    *range = read_quantity(parts[0], &first) && read_quantity(parts[1], &last);
    if (*range && first.kind != last.kind)
        good = cli_error_usage(error, "%s: both ends of a range have units of one kind", text);
    else if (*range && parts[2] && g_str_has_prefix(g_strchug(parts[2]), "log")) {
        char *end;
        uint64_t factor = g_ascii_strtoull(parts[2] + strlen("log"), &end, 10);
        good = *end ? cli_error_usage(error, "%s: log has a factor behind it, as log2 or log10", text)
                    : add_factors(text, &first, last.value, factor, values, error);
    } else if (*range && parts[2] && (!read_quantity(parts[2], &step) || step.kind != first.kind))
        good =
            cli_error_usage(error, "%s: '%s' is neither a step of that kind nor a factor such as log2", text, parts[2]);
    else if (*range)
        good = add_steps(text, &first, last.value, parts[2] ? step.value : first.unit, values, error);
    g_free(first.name);
    g_free(last.name);
    g_free(step.name);
    return good;
}

bool cli_sweep_values_add(const char *text, GPtrArray *values, GError **error)
{
    g_auto(GStrv) parts = g_strsplit(text, ":", -1);
    uint64_t base, other, first, last;
    bool range = false;
    if (g_strv_length(parts) == 2 && read_power(parts[0], &base, &first) && read_power(parts[1], &other, &last) &&
        base == other) {
        add_powers(base, first, last, values);
        return true;
    }
    if (g_strv_length(parts) == 2 || g_strv_length(parts) == 3)
        if (!add_quantities(text, parts, values, &range, error))
            return false;
    if (!range)
        g_ptr_array_add(values, g_strdup(text));
    return true;
}
