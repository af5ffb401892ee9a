/* type_names.h - the names of types that a debugger's user writes in casts and sizeof (type_names.c). */
#ifndef ORRERY_MONITOR_DEBUG_TYPE_NAMES_H
#define ORRERY_MONITOR_DEBUG_TYPE_NAMES_H

#include "vcode/vcode.h"

typedef struct MonTypeName {
    bool pointer;
    uint32_t target; /* of a pointer: index into the module's types, VCODE_NONE for void */
    uint32_t kind;   /* if it is not a pointer: VCODE_TYPE_BOOL, SIGNED, UNSIGNED or FLOAT */
    unsigned size;   /* if it is not a pointer: its size in bytes */
} MonTypeName;

/* Takes a type's name ("unsigned int", "struct node *", "Node **") off *text. Returns false and leaves *text unchanged
 * if it does not begin with a type. Returns false with an error if the program does not have that type, or no number
 * can be converted to it. */
bool mon_take_type(const VcodeModule *module, const char **text, MonTypeName *type, GError **error);

#endif
