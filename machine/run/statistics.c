/* statistics.c - the rows of statistics.def as a table. */
#include "machine/machine.h"

#include <stddef.h>

#define MEASURE(name, how) .measure = #name, .put = MACH_PUT_##how
#define NO_MEASURE         .measure = NULL

#define COUNTS_RANK      MachRankReport
#define COUNTS_CACHE     VmCacheCounts
#define COUNTS_PREDICTOR VmPredictorCounts
#define COUNTS_THREADS   ThreadsStats

static const MachStatistic rows[] = {
#define MACH_STATISTIC(group_, field, source, unit_, heading_, width_, share_, measure_, help_)                        \
    {.group = MACH_STATISTIC_##group_,                                                                                 \
     .key = #field,                                                                                                    \
     .unit = MACH_UNIT_##unit_,                                                                                        \
     .heading = heading_,                                                                                              \
     .width = width_,                                                                                                  \
     .share = share_,                                                                                                  \
     .help = help_,                                                                                                    \
     .offset = offsetof(COUNTS_##group_, field),                                                                       \
     measure_},
#include "machine/statistics.def"
};

const MachStatistic *mach_statistics_next(MachStatisticGroup group, const MachStatistic *row)
{
    for (row = row ? row + 1 : rows; row < rows + G_N_ELEMENTS(rows); row++)
        if (row->group == group)
            return row;
    return NULL;
}

const MachStatistic *mach_statistics_measure(unsigned i)
{
    for (const MachStatistic *row = rows; row < rows + G_N_ELEMENTS(rows); row++)
        if (row->measure && !i--)
            return row;
    return NULL;
}

uint64_t mach_statistics_value(const MachStatistic *row, const void *counts)
{
    return *(const uint64_t *)((const char *)counts + row->offset);
}

void mach_statistics_add(MachRankReport *totals, const MachRankReport *report)
{
    const MachStatistic *row = NULL;
    while ((row = mach_statistics_next(MACH_STATISTIC_RANK, row))) {
        uint64_t *total = (uint64_t *)((char *)totals + row->offset), value = mach_statistics_value(row, report);
        *total = row->put == MACH_PUT_MOST ? MAX(*total, value) : *total + value;
    }
}
