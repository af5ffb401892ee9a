/* lower.h - lowering: from the typed tree to intermediate code and static data. */
#ifndef ORRERY_COMPILER_LOWER_H
#define ORRERY_COMPILER_LOWER_H

#include "compiler/object/object.h"

/* A lowered function. Its code lives in f->arena. */
typedef struct CcLowered {
    CcIrFunction *f;
    CcLabelInfo **labels; /* labels whose address the program takes */
    uint32_t n_labels;
} CcLowered;
/* Lowers a function that has a body. The code gets an arena of its own. */
CcLowered cc_lower_function(CcGenerate *g, CcSymbol *symbol);
uint32_t cc_lower_symbol(CcGenerate *g, CcSymbol *symbol); /* returns its number in the module */
/* Returns whether this unit defines the function or object. */
bool cc_lower_is_defined(const CcSymbol *symbol);
/* Lowers a static object and its initialiser. */
void cc_lower_object(CcGenerate *g, CcSymbol *symbol);
/* Fills in label values in static data. Must run when all functions have been emitted. */
void cc_lower_label_patches(CcGenerate *g);

#endif
