/* units.h - which functions of a program are compiled together, and in which order.
 *
 * A small program is one unit. Of a large one, what samples of a run show to be hot comes first (watch.h), each
 * function with those that it calls in loops; or, where nobody waits for a run, everything in the order of the program.
 * Functions stand in the unit whose turn came first. Small ones may stand in others besides, where loops call them.
 */
#ifndef ORRERY_VM_NATIVE_UNITS_H
#define ORRERY_VM_NATIVE_UNITS_H

#include "vm/rank/rank.h"

typedef struct VmUnits VmUnits;

/* Units have about $ORRERY_UNIT instructions where that is set. */
VmUnits *vm_units_new(const VmImage *image);
void vm_units_free(VmUnits *units);
/* Whether one unit has everything. */
bool vm_units_single(const VmUnits *units);

/* The next unit: numbers of functions (uint32_t), ascending, no longer than what follows. NULL: there is none. */
const GArray *vm_units_next(VmUnits *units);
/* The same of functions of which `counts`, by function, has some, those with the largest counts first. */
const GArray *vm_units_next_hot(VmUnits *units, const uint32_t *counts);
/* Makes a unit of these functions; takes the array. */
void vm_units_accept(VmUnits *units, GArray *functions);

/* All units up to now as lines of text; and back, for the same program: GArrays as above, of which none has been
 * accepted yet. NULL where the text is not one of these. */
char *vm_units_write(const VmUnits *units);
GPtrArray *vm_units_read(const VmUnits *units, const char *text, gsize length);
/* A text that is the same only for the same program, cut into units of the same size. */
char *vm_units_subject(const VmUnits *units);

#endif
