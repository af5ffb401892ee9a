/* object.h - the object file being made, shared by lowering, the optimiser and emitting. */
#ifndef ORRERY_COMPILER_OBJECT_H
#define ORRERY_COMPILER_OBJECT_H

#include "compiler/ir/ir.h"
#include "compiler/tree/tree.h"

typedef struct CcDebug CcDebug; /* see debug_info.c below */

/* A label's value in static data. It is filled in when the label's function has been emitted. */
typedef struct CcLabelPatch {
    VcodeSection section;
    uint64_t where;
    unsigned size;                /* bytes */
    const CcLabel *label, *minus; /* the value is label, or the distance label - minus; minus may be NULL */
} CcLabelPatch;

/* The object file being made. */
typedef struct CcGenerate {
    CcUnit *unit;
    VcodeModule *module;
    GHashTable *strings; /* StringKey (lower/data.c) -> symbol of the module */
    CcDebug *debug;
    GPtrArray *referred;   /* CcSymbol, in order of first mention: to be defined if this unit can */
    GHashTable *addresses; /* AddressKey (emit/emit.c) -> index of the constant that holds the address */
    GArray *patches;       /* CcLabelPatch: label values in static data */
    uint32_t *files;       /* file of the unit -> file of the module; VCODE_NONE: not yet known */
    uint32_t zero_string;  /* offset of the string that names what has no name */
    CcArena *expansions;   /* optimise/inline.c: the code of functions that may be inlined */
    GPtrArray *delayed;    /* CcSymbol: functions that are compiled only if something refers to them in the end */
    GByteArray *needed;    /* per symbol of the module: 1 if something refers to it */
    GByteArray *foreign;   /* per symbol of the module: CcIrFunction.foreign */
    GHashTable *renamed;   /* set of link names that declarations give (asm labels, weakref) */
} CcGenerate;

/* What the back end knows of a symbol; CcSymbol.back points to it. */
typedef struct CcStorageInfo {
    enum { CC_IN_MODULE = 1, CC_IN_REGISTER, CC_IN_FRAME, CC_BY_ADDRESS /* the register holds the address */ } where;
    uint32_t symbol;               /* CC_IN_MODULE: index of the symbol in the module */
    CcReg reg;                     /* CC_IN_REGISTER, CC_BY_ADDRESS */
    uint32_t object;               /* CC_IN_FRAME: index of the object in the frame */
    bool emitted;                  /* its code is made or, with the optimiser on, started */
    struct CcExpansion *expansion; /* function: the code that can replace a call; NULL: none */
    bool described;                /* static local: it has a debug record already */
} CcStorageInfo;

/* What the back end knows of a label; CcLabel.back points to it. It outlives the function, for label values in static
 * data. */
typedef struct CcLabelInfo {
    CcIrBlock *block;
    struct CcVla *vla; /* lowering.h: innermost array that is alive at the label */
    bool placed;
    uint32_t pc;
} CcLabelInfo;

uint32_t cc_object_file(CcGenerate *g, uint32_t file); /* returns the number of a file in the module */
void cc_object_reloc(CcGenerate *g, VcodeRelocKind kind, uint32_t symbol, uint64_t where, int64_t addend, uint32_t file,
                     uint32_t line);
/* Returns whether something in the module refers to the symbol. */
bool cc_object_is_needed(const CcGenerate *g, uint32_t symbol);
/* Records that something in the module refers to the symbol. */
void cc_object_set_needed(CcGenerate *g, uint32_t symbol);
void cc_object_set_foreign(CcGenerate *g, uint32_t symbol, CcForeign foreign);

/* -- debug_info.c: what debuggers learn of a program: types, lines, variables, where they are --- */

CcDebug *cc_debug_new(CcGenerate *g);
void cc_debug_free(CcDebug *debug);
uint32_t cc_debug_type(CcDebug *debug, CcType *type);
/* Writes the records of a function's expansions. Returns the index of the first. */
uint32_t cc_debug_inlines(CcDebug *debug, const CcIrFunction *f, uint32_t function);
void cc_debug_line(CcDebug *debug, uint32_t pc, CcLoc loc, uint16_t flags, uint32_t inlined);
void cc_debug_global(CcDebug *debug, CcSymbol *symbol, uint32_t module_symbol);
/* Where the instructions of an emitted function are. loc_low and loc_high give, for each source location
 * (CcIrFunction.locs), the pc of its first instruction and the pc behind its last one; low > high: it has none. */
typedef struct CcCodeMap {
    uint32_t *loc_low, *loc_high;
    uint32_t *position_pc; /* per instruction in layout order, and one more: its pc */
    uint32_t n_positions;
    uint32_t first_inlined; /* index of the record of the function's first expansion */
} CcCodeMap;
/* Writes records of the objects in a function's frame. Must precede emitting its code. */
void cc_debug_objects(CcDebug *debug, CcIrFunction *f, uint32_t function);
/* Writes records of a function's variables, after its code is emitted. */
void cc_debug_variables(CcDebug *debug, const CcIrFunction *f, uint32_t function, const CcCodeMap *map);

#endif
