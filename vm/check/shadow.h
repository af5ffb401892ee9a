/* shadow.h - what --check knows of every value of a rank beside the value itself: which of its bits were never set, and
 * which object it is an address of.
 *
 *   VmShade       of a register or a word of memory
 *   shadow.c      shades of memory, objects, what calls of the library do to them
 *   shadow_step.c what each instruction does to them, before the careful loop does it
 *   shadow_tell.c words for people: faults, and notes of uninitialised values with where they come from
 *
 * An address keeps its object through arithmetic, copies, calls and memory, wherever it points meanwhile; so an access
 * beyond the end of an array is known for what it is even where another variable lies there. What the compiler cannot
 * tell, and what comes out of arithmetic between addresses of different objects, is an address of nobody knows what
 * and is only held against what is in use at all.
 */
#ifndef ORRERY_VM_SHADOW_H
#define ORRERY_VM_SHADOW_H

#include "vm/check/check.h"

/* Kinds of tags. An object: kind << 61 | slot << 32 | serial. */
typedef enum VmTagKind {
    VM_TAG_NONE,
    VM_TAG_STACK,  /* slot: of instances, of this serial */
    VM_TAG_STATIC, /* slot: object of the module */
    VM_TAG_HEAP,   /* slot: of heap.c, of this serial */
    VM_TAG_FRAME,  /* the frame's register: as STACK of the object at the frame's beginning */
    VM_TAG_MIXED,  /* the distance between two objects */
} VmTagKind;

/* Where undefined bits come from: kind << 56 | more. */
typedef enum VmOrigin {
    VM_ORIGIN_UNKNOWN = 1,
    VM_ORIGIN_OBJECT,   /* a variable in memory: object of the module */
    VM_ORIGIN_SITE,     /* a block of the heap: site of heap.c */
    VM_ORIGIN_REGISTER, /* a variable in a register: function << 16 | register */
    VM_ORIGIN_RETURN,   /* what a function returned that returned nothing: the function */
    VM_ORIGIN_STACK,    /* memory of alloca() or a variable-length array: pc << 0 */
} VmOrigin;

typedef struct VmShade {
    uint64_t undefined; /* bits that were never set */
    uint64_t tag;       /* undefined == 0: the object that it is an address of; else where the bits come from */
} VmShade;

/* An object of a frame that has not returned, or whose place on the stack nobody has taken since. */
typedef struct VmInstance {
    uint64_t low, size;
    uint32_t object; /* of the module; VCODE_NONE: of alloca() */
    uint32_t serial;
    uint32_t pc; /* alloca: who asked for it */
} VmInstance;

/* Where the objects of a frame begin, for each depth of the call stack. */
typedef struct VmFrameObjects {
    uint32_t base;  /* in instances */
    uint32_t first; /* in the module's objects */
    uint32_t count;
} VmFrameObjects;

enum { VM_SHADOW_ARGUMENTS = 12 };

/* The library's or somebody else's function that is being called. */
typedef struct VmShadowCall {
    unsigned n;
    uint64_t values[VM_SHADOW_ARGUMENTS];
    VmShade shades[VM_SHADOW_ARGUMENTS];
    VmShading shading;
} VmShadowCall;

typedef struct VmShadow {
    uint8_t *defined; /* by address: the bits of each byte that are known, inverted where `flip_low` begins */
    uint64_t *tags;   /* by address / 8 */
    uint64_t flip_low, flip_size; /* static objects, whose zeros mean defined */
    bool tracks;                  /* undefined bits, and not only objects */
    bool bounds, heap;
    VmShade *shades; /* of the rank's registers */
    uint32_t n_shades;
    VmInstance *instances;
    uint32_t n_instances, instance_capacity;
    VmFrameObjects *frames;
    uint32_t frame_capacity;
    uint32_t serial;
    VmShadowCall call;
    bool seeking; /* reads of the layer above look for undefined bytes */
    uint64_t sought, sought_bytes;
    GHashTable *told; /* places of notes */
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

/* Extent of the object of a tag. False: it is no object, or it is gone. */
bool vm_shadow_extent(VmRank *rank, uint64_t tag, uint64_t *low, uint64_t *size);
/* Whether an access may be, by the tag of its address. False, with a fault raised, where not. */
bool vm_shadow_judge(VmRank *rank, uint64_t tag, uint64_t address, uint64_t size, bool write);

/* The function that runs is about to call another. */
void vm_shadow_called(VmRank *rank, uint32_t function, uint32_t window);
/* The frame at the present depth gets its objects, at `low`; or a block of the stack. */
void vm_shadow_enter(VmRank *rank, uint32_t function, uint64_t low, uint64_t bytes, VmShade *frame);
uint64_t vm_shadow_alloca(VmRank *rank, uint64_t low, uint64_t bytes, uint64_t asked);

/* Shades of memory that is the rank's (it must be). */
VmShade vm_shadow_load(VmRank *rank, uint64_t address, unsigned size, bool sign);
void vm_shadow_store(VmRank *rank, uint64_t address, unsigned size, VmShade shade);
void vm_shadow_undefine(VmRank *rank, uint64_t address, uint64_t size, bool fresh);

/* -- telling ----------------------------------------------------------------------------------- */
/* Notes once for each place what is done with a value that was never set. */
void vm_shadow_note(VmRank *rank, const char *what, uint64_t origin, const char *fix);
void vm_shadow_note_argument(VmRank *rank, unsigned number, uint64_t origin);
/* The faults of an access outside the object of its address. False. */
bool vm_shadow_refuse(VmRank *rank, uint64_t tag, uint64_t address, uint64_t size, bool write);

#endif
