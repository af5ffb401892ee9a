/* access.h - loads and stores (access.c), and what is known of the memory that they go to (facts.c).
 */
#ifndef ORRERY_VM_TRANSLATE_ACCESS_H
#define ORRERY_VM_TRANSLATE_ACCESS_H

#include "vm/translate/print.h"

typedef struct VmAccess {
    bool load, store;
    uint32_t base_reg, index_reg; /* index VCODE_NONE: none */
    unsigned shift;
    uint32_t most; /* bits that the index may have, all of the others being 0; 0: any */
    int64_t displacement;
    int64_t origin; /* where the registers are, counted from the values that facts are about */
    uint32_t size;
    const char *type;  /* of the value in memory, as the prelude names it */
    const char *widen; /* cast from it to a register */
    bool real4, real8; /* may as well be a float, a double */
} VmAccess;

/* False for what is no load or store. */
bool vm_access_describe(VcodeInstr i, VmAccess *access);

/* What a fact about the access would be about, with no range; fills access->origin. */
VmFact vm_facts_key(const VmPrinter *p, VmAccess *access);
/* The one that shows that it can be made, or NULL. */
const VmFact *vm_facts_find(const VmPrinter *p, const VmFact *key, const VmAccess *access);
/* Makes `range` what the access at pc and those behind it with the same key go to, as far as that is certain or nearby;
 * answers how many they are, and whether all are loads. */
unsigned vm_facts_widen(const VmPrinter *p, uint32_t pc, const VmAccess *access, VmFact *range, bool *loads);
void vm_facts_add(VmPrinter *p, const VmFact *fact);

#endif
