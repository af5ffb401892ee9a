/* live_ranges.h - where registers hold values that are still wanted; see live_ranges.c. */
#ifndef ORRERY_COMPILER_LIVE_RANGES_H
#define ORRERY_COMPILER_LIVE_RANGES_H

#include "compiler/ir/ir.h"

typedef struct CcLiveSegment {
    uint32_t start, end; /* positions, both inside */
} CcLiveSegment;

typedef struct CcLiveRange {
    CcLiveSegment *items; /* ascending, apart */
    uint32_t n;
} CcLiveRange;

/* One range per register; also sets first_position of every block. In the arena. */
CcLiveRange *cc_live_ranges(CcIrFunction *f, CcArena *arena);
bool cc_live_ranges_meet(const CcLiveRange *a, const CcLiveRange *b);
CcLiveRange cc_live_ranges_join(CcArena *arena, const CcLiveRange *a, const CcLiveRange *b);

#endif
