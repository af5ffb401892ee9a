/* value.h - what the files of this room share; vm/value.h is what others know. */
#ifndef ORRERY_VM_VALUE_ROOM_H
#define ORRERY_VM_VALUE_ROOM_H

#include "vm/value.h"

/* Whether any of the first `size` bytes of an object can be read: it is not optimised out as a whole. */
bool vm_value_any_byte(VmRank *rank, const VmValue *value, uint64_t size);

#endif
