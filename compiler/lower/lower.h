/* lower.h - from the typed tree to intermediate code and static data. */
#ifndef ORRERY_COMPILER_LOWER_H
#define ORRERY_COMPILER_LOWER_H

#include "compiler/object/object.h"

/* A function as it was lowered; its code lives in f->arena. */
typedef struct CcLowered {
    CcIrFunction *f;
    CcLabelInfo **labels; /* whose values the program takes */
    uint32_t n_labels;
} CcLowered;
CcLowered cc_lower_function(CcGenerate *g, CcSymbol *symbol);
uint32_t cc_lower_symbol(CcGenerate *g, CcSymbol *symbol); /* its number in the module */
/* Whether this unit defines the function or object. */
bool cc_lower_is_defined(const CcSymbol *symbol);
/* A static object, with what it is initialised to. */
void cc_lower_object(CcGenerate *g, CcSymbol *symbol);
/* Label values in static data, when all functions have been emitted. */
void cc_lower_label_patches(CcGenerate *g);

#endif
