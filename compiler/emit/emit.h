/* emit.h - translation of intermediate code to vCode. */
#ifndef ORRERY_COMPILER_EMIT_H
#define ORRERY_COMPILER_EMIT_H

#include "compiler/object/object.h"

/* registers.c: gives each virtual register a register of the frame. */
void cc_assign_registers(CcIrFunction *f);
/* emit.c: puts the function's code, lines and variables into the module. */
void cc_emit_function(CcGenerate *g, CcIrFunction *f);

#endif
