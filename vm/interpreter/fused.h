/* fused.h - what is common to the rows of fused.def, both for finding where they fit (fuse.c) and for their cases in
 * the loop (fused_cases.h). */
#ifndef ORRERY_VM_FUSED_H
#define ORRERY_VM_FUSED_H

#include "vm/rank/rank.h"

/* instructions of the longest sequence: FUSED8 */
enum { VM_LONGEST_FUSED = 8 };

/* Whether an instruction of this form only writes R[a] and does nothing else. */
/* clang-format off */
#define VM_COMPUTES_FORM_NONE     0
#define VM_COMPUTES_FORM_R        0
#define VM_COMPUTES_FORM_RR       1
#define VM_COMPUTES_FORM_RRR      1
#define VM_COMPUTES_FORM_RRI      1
#define VM_COMPUTES_FORM_RI32     1
#define VM_COMPUTES_FORM_RK       1
#define VM_COMPUTES_FORM_LOAD     1
#define VM_COMPUTES_FORM_LOADX    1
#define VM_COMPUTES_FORM_STORE    0
#define VM_COMPUTES_FORM_STOREX   0
#define VM_COMPUTES_FORM_BLOCK    0
#define VM_COMPUTES_FORM_I32      0
#define VM_COMPUTES_FORM_SWITCH   0
#define VM_COMPUTES_FORM_JUMP     0
#define VM_COMPUTES_FORM_BRR      0
#define VM_COMPUTES_FORM_BRI      0
#define VM_COMPUTES_FORM_CALL     0
#define VM_COMPUTES_FORM_CALLX    0
#define VM_COMPUTES_FORM_CALLI    0
/* clang-format on */

enum {
#define INSTRUCTION(name, mnemonic, form, cost, result, kind, meaning) VM_COMPUTES_##name = VM_COMPUTES_FORM_##form,
#include "vcode/instructions.def"
};

#endif
