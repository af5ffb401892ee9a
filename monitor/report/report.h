/* report.h - what everything that monitor/ prints has in common: numbers for people, and errors. */
#ifndef ORRERY_MONITOR_REPORT_REPORT_H
#define ORRERY_MONITOR_REPORT_REPORT_H

#include <glib.h>
#include <stdint.h>

#define MON_ERROR (mon_error_quark())
GQuark mon_error_quark(void);
typedef enum MonError {
    MON_ERROR_PLACE,      /* no such line or function */
    MON_ERROR_NETWORK,    /* the network's model reports too little */
    MON_ERROR_SETTING,    /* a setting of an export is impossible, or no export asks for it */
    MON_ERROR_EXPRESSION, /* an expression cannot be parsed, has an unknown name or a wrong operand */
} MonError;

/* Appends a time for people, right-aligned in `width` columns. */
void mon_report_append_time(GString *out, uint64_t ps, int width);
unsigned mon_report_per_mille(uint64_t part, uint64_t whole);

#endif
