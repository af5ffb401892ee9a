/* debug_info.h - what debuggers learn of a program: types, lines, variables and where they are. */
#ifndef ORRERY_COMPILER_DEBUG_INFO_H
#define ORRERY_COMPILER_DEBUG_INFO_H

#include "compiler/object/object.h"

CcDebug *cc_debug_new(CcGenerate *g);
void cc_debug_free(CcDebug *debug);
uint32_t cc_debug_type(CcDebug *debug, CcType *type);
/* The records of a function's expansions; number of the first. */
uint32_t cc_debug_inlines(CcDebug *debug, const CcIrFunction *f, uint32_t function);
void cc_debug_line(CcDebug *debug, uint32_t pc, CcLoc loc, uint16_t flags, uint32_t inlined);
void cc_debug_global(CcDebug *debug, CcSymbol *symbol, uint32_t module_symbol);
/* Where an emitted function's instructions are: pc of the first and behind the last instruction of each place in the
 * source (CcIrFunction.locs; low > high: none), and of each position (emit/registers.c). */
typedef struct CcCodeMap {
    uint32_t *loc_low, *loc_high;
    uint32_t *position_pc;
    uint32_t n_positions;
    uint32_t first_inlined; /* record of the first expansion */
} CcCodeMap;
/* Records the objects of a function's frame, before its code is emitted. */
void cc_debug_objects(CcDebug *debug, CcIrFunction *f, uint32_t function);
void cc_debug_variables(CcDebug *debug, const CcIrFunction *f, uint32_t function, const CcCodeMap *map);

#endif
