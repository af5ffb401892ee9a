/* emit.h - from intermediate code to vCode. */
#ifndef ORRERY_COMPILER_EMIT_H
#define ORRERY_COMPILER_EMIT_H

#include "compiler/object/object.h"

/* registers.c: each virtual register gets a register of the frame. */
void cc_assign_registers(CcIrFunction *f);
/* emit.c: the function's code, lines and variables go into the module. */
void cc_emit_function(CcGenerate *g, CcIrFunction *f);

#endif
