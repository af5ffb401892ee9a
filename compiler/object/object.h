/* object.h - one object file in the making: what lowering, the optimiser and emitting know of it together. */
#ifndef ORRERY_COMPILER_OBJECT_H
#define ORRERY_COMPILER_OBJECT_H

#include "compiler/ir/ir.h"
#include "compiler/tree/tree.h"

typedef struct CcDebug CcDebug; /* below */

/* A label value in static data, known when its function has been emitted. */
typedef struct CcLabelPatch {
    VcodeSection section;
    uint64_t where;
    unsigned size;
    const CcLabel *label, *minus; /* minus: NULL, or the label whose distance to the first is meant */
} CcLabelPatch;

/* One object file in the making. */
typedef struct CcGenerate {
    CcUnit *unit;
    VcodeModule *module;
    GHashTable *strings; /* CcStringKey -> symbol of the module */
    CcDebug *debug;
    GPtrArray *referred;   /* CcSymbol: in order of first mention, to be defined if they can be */
    GHashTable *addresses; /* CcAddressKey -> index of the constant that holds the address */
    GArray *patches;       /* CcLabelPatch: label values in static data */
    uint32_t *files;       /* unit's file -> module's file, VCODE_NONE: not yet */
    uint32_t zero_string;  /* name of what has none */
    CcArena *expansions;   /* optimise/inline.c: holds the code of functions that may be inlined */
    GPtrArray *delayed;    /* CcSymbol: functions to be made only if something refers to them in the end */
    GByteArray *needed;    /* per symbol of the module: something refers to it */
    GByteArray *foreign;   /* per symbol of the module: CcIrFunction.foreign */
    GHashTable *renamed;   /* link names that declarations give (asm labels, weakref) */
} CcGenerate;

/* What CcSymbol.back points to. */
typedef struct CcStorageInfo {
    enum { CC_IN_MODULE = 1, CC_IN_REGISTER, CC_IN_FRAME, CC_BY_ADDRESS /* in register: the address */ } where;
    uint32_t symbol; /* of the module */
    CcReg reg;
    uint32_t object;               /* of the frame */
    bool emitted;                  /* or, with the optimiser on, about to be */
    struct CcExpansion *expansion; /* function: what can be put in place of a call; NULL: nothing */
    bool described;                /* static local: the debugger knows of it */
} CcStorageInfo;

/* What CcLabel.back points to; kept after the function for label values in static data. */
typedef struct CcLabelInfo {
    CcIrBlock *block;
    struct CcVla *vla; /* lowering.h: the innermost array that is alive there */
    bool placed;
    uint32_t pc;
} CcLabelInfo;

uint32_t cc_object_file(CcGenerate *g, uint32_t file); /* its number in the module */
void cc_object_reloc(CcGenerate *g, VcodeRelocKind kind, uint32_t symbol, uint64_t where, int64_t addend, uint32_t file,
                     uint32_t line);
/* Whether something in the module refers to the symbol; it does. */
bool cc_object_is_needed(const CcGenerate *g, uint32_t symbol);
void cc_object_set_needed(CcGenerate *g, uint32_t symbol);
void cc_object_set_foreign(CcGenerate *g, uint32_t symbol, CcForeign foreign);

/* -- debug_info.c: what debuggers learn of a program: types, lines, variables, where they are --- */

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
