/* shadow.h - what --check knows of every value of a rank beside the value itself: which of its bits were never set, and
 * which object it is an address of.
 *
 *   VmShade       of a register or a word of memory
 *   shadow.c      shades of memory, objects, what calls of the library do to them
 *   shadow_step.c what each instruction does to them, before the careful loop does it
 *   shadow_tell.c words for people: faults, and notes of uninitialised values with where they come from
 *
 * An address keeps its object through arithmetic, copies, calls and memory, wherever it points meanwhile. So an access
 * beyond the end of an array is recognised even if another variable lies there. Some addresses have no known object:
 * those that the compiler cannot tell, and results of arithmetic between addresses of different objects. They are only
 * checked against all memory in use.
 */
#ifndef ORRERY_VM_SHADOW_H
#define ORRERY_VM_SHADOW_H

#include "vm/check/check.h"

/* Kinds of tags. The tag of an object is kind << 61 | slot << 32 | serial. */
typedef enum VmTagKind {
    VM_TAG_NONE,
    VM_TAG_STACK,  /* slot: index in VmShadow.instances of the instance with this serial */
    VM_TAG_STATIC, /* slot: index in the module's objects */
    VM_TAG_HEAP,   /* slot: number of the slot in heap.c; serial: that of the block */
    VM_TAG_FRAME,  /* the frame's register; as an address, it is one of the object at the frame's beginning */
    VM_TAG_MIXED,  /* the distance between two objects */
} VmTagKind;

/* Where undefined bits come from: kind << 56 | details. */
typedef enum VmOrigin {
    VM_ORIGIN_UNKNOWN = 1,
    VM_ORIGIN_OBJECT,   /* a variable in memory; details: index in the module's objects */
    VM_ORIGIN_SITE,     /* a heap block; details: site of heap.c */
    VM_ORIGIN_REGISTER, /* a variable in a register; details: function << 16 | register */
    VM_ORIGIN_RETURN,   /* the result of a function that returned nothing; details: pc of its return */
    VM_ORIGIN_STACK,    /* memory of alloca() or a variable-length array; details: pc */
} VmOrigin;

/* What is known of one value, in a register or a word of memory. */
typedef struct VmShade {
    uint64_t undefined; /* bits that were never set */
    uint64_t tag;       /* if undefined == 0: tag of the object that the value is an address of; else the origin of the
                           undefined bits */
} VmShade;

/* An object in a frame that has not returned, or that has returned but whose part of the stack is not in use again. */
typedef struct VmInstance {
    uint64_t low, size;
    uint32_t object; /* index in the module's objects; VCODE_NONE: memory of alloca() */
    uint32_t serial;
    uint32_t pc; /* alloca: pc of the request */
} VmInstance;

/* Where the objects of a frame begin; one for each depth of the call stack. */
typedef struct VmFrameObjects {
    uint32_t base;  /* index in instances */
    uint32_t first; /* index in the module's objects */
    uint32_t count;
} VmFrameObjects;

enum { VM_SHADOW_ARGUMENTS = 12 };

/* The function of the library or of the layer above that is being called. */
typedef struct VmShadowCall {
    unsigned n;
    uint64_t values[VM_SHADOW_ARGUMENTS];
    VmShade shades[VM_SHADOW_ARGUMENTS];
    VmShading shading;
} VmShadowCall;

/* What --check knows of all values of a rank. */
typedef struct VmShadow {
    uint8_t *defined; /* by address: the bits of each byte that are defined; inverted in the range from `flip_low` */
    uint64_t *tags;   /* tag of each word, by address / 8 */
    uint64_t flip_low, flip_size; /* range of the static objects, where zeros mean defined */
    bool tracks;                  /* tracks undefined bits, and not only objects */
    bool bounds, heap;            /* VM_CHECK_BOUNDS and VM_CHECK_HEAP are set */
    VmShade *shades;              /* shade of each of the rank's registers */
    uint32_t n_shades;
    VmInstance *instances;
    uint32_t n_instances, instance_capacity;
    VmFrameObjects *frames;
    uint32_t frame_capacity;
    uint32_t serial;
    VmShadowCall call;
    bool seeking; /* reads of the layer above look for undefined bytes: see vm_check_seek_undefined() */
    uint64_t sought, sought_bytes; /* the first undefined bytes that were found; 0 bytes: none yet */
    GHashTable *told;              /* set of the places of the program that have had a note */
} VmShadow;

static inline uint64_t vm_tag(VmTagKind kind, uint32_t slot, uint32_t serial)
{
    return (uint64_t)kind << 61 | (uint64_t)slot << 32 | serial;
}
static inline VmTagKind vm_tag_kind(uint64_t tag)
{
    return (VmTagKind)(tag >> 61);
}
static inline uint32_t vm_tag_slot(uint64_t tag)
{
    return (uint32_t)(tag >> 32) & 0x1fffffff;
}
static inline uint64_t vm_origin(VmOrigin kind, uint64_t more)
{
    return (uint64_t)kind << 56 | more;
}

/* Finds the extent of the object of a tag. Returns false if the tag is of no object, or the object is gone. */
bool vm_shadow_extent(VmRank *rank, uint64_t tag, uint64_t *low, uint64_t *size);
/* Checks an access by the tag of its address. Returns false, with a fault raised, if it is not allowed. */
bool vm_shadow_judge(VmRank *rank, uint64_t tag, uint64_t address, uint64_t size, bool write);

/* Tells that the running function is about to call another. */
void vm_shadow_called(VmRank *rank, uint32_t function, uint32_t window);
/* vm_shadow_enter(): the frame at the present depth gets its objects, at `low`. vm_shadow_alloca(): it gets a block of
 * the stack. */
void vm_shadow_enter(VmRank *rank, uint32_t function, uint64_t low, uint64_t bytes, VmShade *frame);
uint64_t vm_shadow_alloca(VmRank *rank, uint64_t low, uint64_t bytes, uint64_t asked);

/* Shades of memory that belongs to the rank. `address` must be in it. */
VmShade vm_shadow_load(VmRank *rank, uint64_t address, unsigned size, bool sign);
void vm_shadow_store(VmRank *rank, uint64_t address, unsigned size, VmShade shade);
void vm_shadow_undefine(VmRank *rank, uint64_t address, uint64_t size, bool fresh);

/* -- telling ----------------------------------------------------------------------------------- */
/* Notes, once for each place of the program, what is done with a value that was never set. */
void vm_shadow_note(VmRank *rank, const char *what, uint64_t origin, const char *fix);
void vm_shadow_note_argument(VmRank *rank, unsigned number, uint64_t origin);
/* Raises the fault of an access outside the object of its address. Returns false. */
bool vm_shadow_refuse(VmRank *rank, uint64_t tag, uint64_t address, uint64_t size, bool write);

#endif
