/* units.h - numbers with units, exactly: "2 GHz", "1.5 us", "100 Mbit/s", "64 KiB", "0.5 cycles". */
#ifndef ORRERY_BASE_UNITS_H
#define ORRERY_BASE_UNITS_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BASE_UNITS_ERROR (base_units_error_quark())
GQuark base_units_error_quark(void);
typedef enum BaseUnitsError {
    BASE_UNITS_ERROR_QUANTITY, /* no number, no such unit, too large, or not a whole number of base units */
} BaseUnitsError;

/* The kinds of quantities, each with the base unit of its values. */
typedef enum BaseUnit {
    BASE_UNIT_COUNT,        /* 1 */
    BASE_UNIT_FREQUENCY,    /* Hz */
    BASE_UNIT_TIME,         /* ps */
    BASE_UNIT_BANDWIDTH,    /* bytes per second */
    BASE_UNIT_SIZE,         /* bytes */
    BASE_UNIT_CYCLES,       /* 1/256 cycles */
    BASE_UNIT_TIME_PER_BYTE /* fs */
} BaseUnit;
/* Parses a quantity such as "1.5 us" into an integer of base units, at most INT64_MAX. Nothing is rounded. On failure
 * returns false, leaves *value alone, and sets an error that names the units allowed. */
bool base_units_parse(const char *text, BaseUnit unit, uint64_t *value, GError **error);
/* Does what base_units_parse() does. On failure it also sets *where to the offset in `text` of what is wrong. */
bool base_units_scan(const char *text, BaseUnit unit, uint64_t *value, size_t *where, GError **error);
const char *base_units_example(BaseUnit unit); /* such as "1.5 us" */
const char *base_units_what(BaseUnit unit);    /* such as "time" */
/* Returns a time as text, exact and as short as possible, such as "1.234567 ms". The caller frees it with g_free(). */
char *base_units_format_time(uint64_t ps);
char *base_units_format_cycles(uint64_t cycles_q8); /* such as "0.5 cycles"; free it with g_free() */

#endif
