/* report.h - what everything that monitor/ prints has in common: numbers for people, and errors. */
#ifndef ORRERY_MONITOR_REPORT_REPORT_H
#define ORRERY_MONITOR_REPORT_REPORT_H

#include "machine/machine.h"

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

/* Watches a machine from before its first run, for mon_diagnosis_print() (diagnosis.c). */
typedef struct MonDiagnosis MonDiagnosis;
MonDiagnosis *mon_diagnosis_new(Machine *machine);
void mon_diagnosis_free(MonDiagnosis *diagnosis);
/* Appends the three largest losses of the run: line, cause, what usually helps; or that there are none. */
void mon_diagnosis_print(const MonDiagnosis *diagnosis, GString *out);

#endif
