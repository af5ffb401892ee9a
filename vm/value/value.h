/* value.h - what the files of this room share. vm/value.h is the interface for other rooms. */
#ifndef ORRERY_VM_VALUE_ROOM_H
#define ORRERY_VM_VALUE_ROOM_H

#include "vm/value.h"

/* Whether any of the first `size` bytes of an object can be read. If none can, the object is optimised out as a
 * whole. */
bool vm_value_any_byte(VmRank *rank, const VmValue *value, uint64_t size);

#endif
