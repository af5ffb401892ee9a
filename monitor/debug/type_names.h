/* type_names.h - the names of types that a debugger's user writes in casts and sizeof (type_names.c). */
#ifndef ORRERY_MONITOR_DEBUG_TYPE_NAMES_H
#define ORRERY_MONITOR_DEBUG_TYPE_NAMES_H

#include "vcode/vcode.h"

typedef struct MonTypeName {
    bool pointer;
    uint32_t target; /* of a pointer: index into the module's types, VCODE_NONE for void */
    uint32_t kind;   /* otherwise: VCODE_TYPE_BOOL, SIGNED, UNSIGNED or FLOAT ... */
    unsigned size;   /* ... and its bytes */
} MonTypeName;

/* Takes a type's name ("unsigned int", "struct node *", "Node **") off *text. False, and *text as it was, if none
 * stands there; false with an error if one does that the program does not have or that no number can become. */
bool mon_take_type(const VcodeModule *module, const char **text, MonTypeName *type, GError **error);

#endif
