/* homes.h - which location of a rank gets its messages, for the files of analysis/. */
#ifndef ORRERY_ANALYSIS_HOMES_H
#define ORRERY_ANALYSIS_HOMES_H

#include "analysis/analysis.h"

/* Returns a table of n locations: that of thread 0 of the same rank, or itself. The caller frees it with g_free(). */
uint32_t *analysis_homes(const TraceReader *reader, uint32_t n);

#endif
