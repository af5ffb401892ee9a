/* recall.h - types and names out of the debug information of a program: the way back from object/debug_info.c.
 *
 * Debug information keeps no qualifiers and no alignment: recalled types have none of the first, and the usual of the
 * second. A type whose record is reached again while it is being recalled, as only damaged files have it, is int.
 */
#ifndef ORRERY_COMPILER_RECALL_H
#define ORRERY_COMPILER_RECALL_H

#include "compiler/front/front.h"

typedef struct CcRecall CcRecall;
/* Everything that it makes is in the parser's arena. */
CcRecall *cc_recall_new(CcParser *p, const VcodeModule *module);
/* Returns the type of a record of types[]; VCODE_NONE: void. O(1) when it has been recalled before. */
CcType *cc_recall_type(CcRecall *recall, uint32_t index);
/* Gives a name, at file scope, the meaning that it has in the program: the variable variables[variable], unless that is
 * VCODE_NONE; else a function, an enumerator, or a type; and the struct, union or enum with that tag. O(tables). */
void cc_recall_name(CcRecall *recall, const char *name, uint32_t variable);
/* Returns the enum of a name that means an enumerator; NULL: it means something else. */
CcType *cc_recall_enum(CcRecall *recall, const char *name);
/* Whether a function, enumerator or type of the program has that name. O(tables). */
bool cc_recall_knows(const VcodeModule *module, const char *name);

#endif
