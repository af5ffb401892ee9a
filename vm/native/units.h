/* units.h - which functions of a program are compiled together, and in which order.
 *
 * What samples of a run show to be hot comes first (watch.h), each function with those that it calls in loops, in units
 * that begin small; or, where a run waits for them, everything in the order of the program.
 * Functions stand in the unit whose turn came first. Small ones may stand in others besides, where loops call them.
 */
#ifndef ORRERY_VM_NATIVE_UNITS_H
#define ORRERY_VM_NATIVE_UNITS_H

#include "vm/host/host.h"
#include "vm/rank/rank.h"
#include "vm/translate/translate.h"

typedef struct VmUnits VmUnits;

/* Functions that are compiled together; of one of them perhaps only a loop. */
typedef struct VmUnitCut {
    VmCompilerEffort effort;
    GArray *functions; /* uint32_t, ascending */
    VmLoopPlace loop;  /* its function is VCODE_NONE: all are whole */
} VmUnitCut;

/* Units have about $ORRERY_UNIT instructions where that is set. */
VmUnits *vm_units_new(const VmImage *image);
void vm_units_free(VmUnits *units);
/* Whether all of it is so little that it need not be cut. */
bool vm_units_small(const VmUnits *units);

/* The next unit that wants this effort, of functions in their order; lives as long as `units`. NULL: there is none. */
const VmUnitCut *vm_units_next(VmUnits *units, VmCompilerEffort effort);
/* The same of functions of which `counts`, by instruction, has many, those with the most first; quickly, perhaps of a
 * loop of the hottest and what it calls. */
const VmUnitCut *vm_units_next_hot(VmUnits *units, VmCompilerEffort effort, const uint32_t *counts);
/* Makes this one; takes it. */
void vm_units_accept(VmUnits *units, VmUnitCut *cut);
void vm_unit_cut_free(VmUnitCut *cut);

/* All units up to now as lines of text; and back, for the same program: VmUnitCuts, of which none has been accepted
 * yet. NULL where the text is not one of these. */
char *vm_units_write(const VmUnits *units);
GPtrArray *vm_units_read(const VmUnits *units, const char *text, gsize length);
/* A text that is the same only for the same program, of which `program` stands for all, cut into units of the same
 * size; and the same of one of its units. */
char *vm_units_subject(const VmUnits *units, const char *program);
char *vm_unit_cut_subject(const VmUnitCut *cut, const char *program);

#endif
