/* columns.h - tables of what machine/statistics.def counts. */
#ifndef ORRERY_MONITOR_REPORT_COLUMNS_H
#define ORRERY_MONITOR_REPORT_COLUMNS_H

#include "machine/machine.h"

/* Appends the columns of a group: headings if `counts` is NULL, else what was counted. `share` is in per mille, for the
 * column that shows its share. */
void mon_report_append_columns(GString *out, MachStatisticGroup group, const void *counts, unsigned share);
/* Appends the tables of threads and of the locks that they waited for, of the first `most` ranks. */
void mon_report_append_threads(const Machine *machine, uint32_t most, GString *out);

#endif
