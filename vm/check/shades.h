/* shades.h - shades of values (shadow.h), and what usual instructions do to them, for the interpreter's checking loop.
 *
 * vm_shades_step() does for most instructions what vm_shadow_step() does for all: those that compute with defined
 * values and access defined memory within its object. It changes nothing and returns false for all others, for whatever
 * has to be told, and where something is rare. `op` and `form` are constants where it is called, so that little is left
 * of it.
 */
#ifndef ORRERY_VM_SHADES_H
#define ORRERY_VM_SHADES_H

#include "vm/check/check.h"

#include <string.h>

#define VM_SHADES_INLINE static inline __attribute__((always_inline))

/* -- types ------------------------------------------------------------------------------------- */

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
    uint32_t pc;    /* alloca: pc of the request */
    bool temporary; /* made by the compiler, such as room for arguments: it has no bounds that a program could know */
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
    bool undefined; /* some argument has bits that were never set */
} VmShadowCall;

/* What it knows of one thread: that of the thread that is selected is in VmShadow (shadow_threads.c). */
#define VM_SHADOW_THREAD_FIELDS                                                                                        \
    VmShade *shades; /* shade of each of the thread's registers */                                                     \
    uint32_t n_shades;                                                                                                 \
    VmInstance *instances;                                                                                             \
    uint32_t n_instances, instance_capacity;                                                                           \
    VmFrameObjects *frames;                                                                                            \
    uint32_t frame_capacity;                                                                                           \
    VmShadowCall call;

typedef struct VmShadowThread {
    VM_SHADOW_THREAD_FIELDS
    uint64_t sp;
} VmShadowThread;

/* What --check knows of all values of a rank. */
typedef struct VmShadow {
    uint8_t *defined; /* by address: the bits of each byte that are defined; inverted in the range from `flip_low` */
    uint64_t *tags;   /* tag of each word, by address / 8 */
    uint64_t flip_low, flip_size; /* range of the static objects, where zeros mean defined */
    bool tracks;                  /* tracks undefined bits, and not only objects */
    bool bounds, heap;            /* VM_CHECK_BOUNDS and VM_CHECK_HEAP are set */
    union {
        struct {
            VM_SHADOW_THREAD_FIELDS
        };
        VmShadowThread thread; /* all of them */
    };
    GArray *threads;     /* VmShadowThread, of threads that are not selected; NULL: there is one thread only */
    const VmSlot *slots; /* the heap's slots by number (heap.c) */
    uint32_t serial;
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

/* -- tags -------------------------------------------------------------------------------------- */

/* The tag of the frame's register, used as an address: the object at the frame's beginning. */
static inline uint64_t vm_shades_as_address(uint64_t tag)
{
    return vm_tag_kind(tag) == VM_TAG_FRAME ? tag ^ vm_tag(VM_TAG_FRAME, 0, 0) ^ vm_tag(VM_TAG_STACK, 0, 0) : tag;
}

static inline uint64_t vm_shades_tag_of_sum(uint64_t b, uint64_t c)
{
    b = vm_shades_as_address(b);
    c = vm_shades_as_address(c);
    return !c ? b : !b ? c : 0;
}

static inline uint64_t vm_shades_tag_of_difference(uint64_t b, uint64_t c)
{
    b = vm_shades_as_address(b);
    c = vm_shades_as_address(c);
    if (!c || !b)
        return c ? 0 : b;
    return b == c ? 0 : vm_tag(VM_TAG_MIXED, 0, 0);
}

static inline uint64_t vm_shades_tag_of_number(uint64_t b, uint64_t c)
{
    bool mixed = vm_tag_kind(b) == VM_TAG_MIXED || vm_tag_kind(c) == VM_TAG_MIXED;
    return mixed ? vm_tag(VM_TAG_MIXED, 0, 0) : 0;
}

/* The tag of a result of two registers without undefined bits. */
static inline uint64_t vm_shades_tag_of_result(VcodeOp op, uint64_t b, uint64_t c)
{
    switch (op) {
    case VCODE_ADD_L:
    case VCODE_AND:
    case VCODE_OR: return vm_shades_tag_of_sum(b, c);
    case VCODE_SUB_L: return vm_shades_tag_of_difference(b, c);
    default: return vm_shades_tag_of_number(b, c);
    }
}

/* The tag of a result of a register without undefined bits and a constant. */
static inline uint64_t vm_shades_tag_by(VcodeOp op, uint64_t b, int16_t constant)
{
    switch (op) {
    case VCODE_ADDI_L: return vm_tag_kind(b) == VM_TAG_FRAME && constant ? 0 : b;
    case VCODE_ANDI:
    case VCODE_ORI: return vm_shades_as_address(b);
    default: return vm_shades_tag_of_number(b, 0);
    }
}

/* The tag of the object that, as the compiler says, an address in the frame of this depth belongs to; 0: it does not
 * say. */
static inline uint64_t vm_shades_tag_of_object(const VmShadow *s, const VcodeObject *objects, uint32_t depth,
                                               uint32_t object)
{
    if (objects[object].function == VCODE_NONE)
        return vm_tag(VM_TAG_STATIC, object, 0);
    if (depth > s->frame_capacity)
        return 0;
    const VmFrameObjects *frame = &s->frames[depth - 1];
    uint32_t number = object + 1 - frame->first;
    if (!frame->first || number >= frame->count || frame->base + number >= s->n_instances)
        return 0;
    return vm_tag(VM_TAG_STACK, frame->base + number, s->instances[frame->base + number].serial);
}

/* -- accesses ---------------------------------------------------------------------------------- */

typedef struct VmAccess {
    unsigned size;
    bool sign, write, indexed;
} VmAccess;

static inline VmAccess vm_shades_access_of(VcodeOp op)
{
    switch (op) {
    case VCODE_LD8S: return (VmAccess){1, true, false, false};
    case VCODE_LD8U: return (VmAccess){1, false, false, false};
    case VCODE_LD16S: return (VmAccess){2, true, false, false};
    case VCODE_LD16U: return (VmAccess){2, false, false, false};
    case VCODE_LD32S: return (VmAccess){4, true, false, false};
    case VCODE_LD32U: return (VmAccess){4, false, false, false};
    case VCODE_LD64: return (VmAccess){8, false, false, false};
    case VCODE_ST8: return (VmAccess){1, false, true, false};
    case VCODE_ST16: return (VmAccess){2, false, true, false};
    case VCODE_ST32: return (VmAccess){4, false, true, false};
    case VCODE_ST64: return (VmAccess){8, false, true, false};
    case VCODE_LDX8S: return (VmAccess){1, true, false, true};
    case VCODE_LDX8U: return (VmAccess){1, false, false, true};
    case VCODE_LDX16S: return (VmAccess){2, true, false, true};
    case VCODE_LDX16U: return (VmAccess){2, false, false, true};
    case VCODE_LDX32S: return (VmAccess){4, true, false, true};
    case VCODE_LDX32U: return (VmAccess){4, false, false, true};
    case VCODE_LDX64: return (VmAccess){8, false, false, true};
    case VCODE_STX8: return (VmAccess){1, false, true, true};
    case VCODE_STX16: return (VmAccess){2, false, true, true};
    case VCODE_STX32: return (VmAccess){4, false, true, true};
    default: return (VmAccess){8, false, true, true};
    }
}

/* The instruction that is about to run, and the loop's state that counts for it (loop.h). */
typedef struct VmShadesAt {
    const VmRank *rank;
    VmShadow *shadow;
    const VmInstr *ip;
    const uint64_t *R;
    VmShade *S; /* of the registers R */
    const VmCallFrame *frame;
    const VcodeObject *objects; /* of the module */
    uint64_t sp, data_base, limit;
} VmShadesAt;

/* The object that the compiler has named for the instruction. */
VM_SHADES_INLINE uint64_t vm_shades_said(VmShadesAt at)
{
    uint32_t depth = (uint32_t)(at.frame - at.rank->frames) + 1;
    return vm_shades_tag_of_object(at.shadow, at.objects, depth, (uint32_t)at.ip->target - 1);
}

/* Whether vm_check_access() surely allows an access to private memory. */
VM_SHADES_INLINE bool vm_shades_unknown_is_fine(VmShadesAt at, uint64_t address, uint64_t size)
{
    const VmRank *rank = at.rank;
    if (address >= rank->heap_start)
        return !at.shadow->heap;
    if (!at.shadow->bounds || address < rank->stack_low)
        return true;
    uint64_t end = address < rank->stack_high ? rank->stack_high : rank->heap_start;
    return address >= at.sp && size <= end - address;
}

VM_SHADES_INLINE bool vm_shades_lies_in(uint64_t address, uint64_t size, uint64_t low, uint64_t bytes)
{
    return address - low <= bytes && size <= bytes - (address - low);
}

/* Whether vm_shadow_judge() surely allows an access to private memory. */
VM_SHADES_INLINE bool vm_shades_is_fine(VmShadesAt at, uint64_t tag, uint64_t address, uint64_t size)
{
    const VmShadow *s = at.shadow;
    uint32_t slot = vm_tag_slot(tag);
    switch (vm_tag_kind(tag)) {
    case VM_TAG_STACK:
    case VM_TAG_FRAME: {
        const VmInstance *instance = &s->instances[slot];
        if (!s->bounds || slot >= s->n_instances || instance->temporary)
            break;
        return instance->serial == (uint32_t)tag && instance->low >= at.sp &&
               vm_shades_lies_in(address, size, instance->low, instance->size);
    }
    case VM_TAG_STATIC: {
        const VcodeObject *object = &at.objects[slot];
        if (!s->bounds)
            break;
        return vm_shades_lies_in(address, size, (uint64_t)object->where, object->size);
    }
    case VM_TAG_HEAP: {
        if (!s->heap)
            break;
        const VmSlot *block = &s->slots[slot];
        return block->live && block->serial == (uint32_t)tag &&
               vm_shades_lies_in(address, size, block->address, block->size);
    }
    case VM_TAG_NONE:
    case VM_TAG_MIXED: break;
    }
    return vm_shades_unknown_is_fine(at, address, size);
}

VM_SHADES_INLINE uint64_t vm_shades_stored_bits(const uint8_t *defined, unsigned size)
{
    uint64_t stored = 0;
    memcpy(&stored, defined, size);
    return stored;
}

VM_SHADES_INLINE bool vm_shades_load(VmShadesAt at, uint64_t address, unsigned size)
{
    const VmShadow *s = at.shadow;
    if (s->tracks) {
        uint64_t defined = address - s->flip_low < s->flip_size ? 0 : UINT64_MAX >> (64 - 8 * size);
        if (G_UNLIKELY(vm_shades_stored_bits(s->defined + address, size) != defined))
            return false;
    }
    at.S[at.ip->a] = (VmShade){0, size == 8 && address % 8 == 0 ? s->tags[address / 8] : 0};
    return true;
}

VM_SHADES_INLINE bool vm_shades_store(VmShadesAt at, uint64_t address, unsigned size)
{
    VmShadow *s = at.shadow;
    VmShade value = at.S[at.ip->a];
    uint64_t *tag = &s->tags[address / 8];
    bool whole = size == 8 && address % 8 == 0;
    if (G_UNLIKELY(value.undefined) || (!whole && G_UNLIKELY(*tag | s->tags[(address + size - 1) / 8])))
        return false;
    if (s->tracks) {
        uint64_t stored = address - s->flip_low < s->flip_size ? 0 : UINT64_MAX;
        memcpy(s->defined + address, &stored, size);
    }
    value.tag = vm_shades_as_address(value.tag);
    if (whole && *tag != value.tag)
        *tag = value.tag;
    return true;
}

VM_SHADES_INLINE bool vm_shades_access(VmShadesAt at, VcodeOp op)
{
    VmAccess access = vm_shades_access_of(op);
    VmShade base = at.S[at.ip->b], index = access.indexed ? at.S[at.ip->c] : (VmShade){0, 0};
    uint64_t offset = access.indexed ? at.R[at.ip->c] << at.ip->n : (uint64_t)(int64_t)at.ip->c_signed;
    uint64_t address = at.R[at.ip->b] + offset, tag = base.tag;
    if (G_UNLIKELY((base.undefined | index.undefined) || address - at.data_base >= at.limit))
        return false;
    if (at.ip->target)
        tag = vm_shades_said(at);
    else if (access.indexed)
        tag = vm_shades_tag_of_sum(tag, index.tag);
    else if (vm_tag_kind(tag) == VM_TAG_FRAME)
        tag = 0;
    if (G_UNLIKELY(!vm_shades_is_fine(at, tag, address, access.size)))
        return false;
    return access.write ? vm_shades_store(at, address, access.size) : vm_shades_load(at, address, access.size);
}

/* -- computations ------------------------------------------------------------------------------ */

VM_SHADES_INLINE bool vm_shades_compute(VmShadesAt at, VcodeOp op)
{
    VmShade b = at.S[at.ip->b], c = at.S[at.ip->c];
    if (G_UNLIKELY(b.undefined | c.undefined))
        return false;
    uint64_t tag = 0;
    if (G_UNLIKELY(at.ip->target))
        tag = op == VCODE_ADD_L || op == VCODE_LEAX || !(b.tag | c.tag) ? vm_shades_said(at)
                                                                        : vm_shades_tag_of_result(op, b.tag, c.tag);
    else if (G_UNLIKELY(b.tag | c.tag))
        tag = op == VCODE_LEAX ? vm_shades_tag_of_sum(b.tag, c.tag) : vm_shades_tag_of_result(op, b.tag, c.tag);
    at.S[at.ip->a] = (VmShade){0, tag};
    return true;
}

VM_SHADES_INLINE bool vm_shades_select(VmShadesAt at)
{
    VmShade b = at.S[at.ip->b], c = at.S[at.ip->c];
    if (G_UNLIKELY(c.undefined))
        return false;
    if (at.R[at.ip->c] != 0)
        at.S[at.ip->a] = (VmShade){b.undefined, b.undefined ? b.tag : vm_shades_as_address(b.tag)};
    return true;
}

VM_SHADES_INLINE bool vm_shades_compute_by(VmShadesAt at, VcodeOp op)
{
    VmShade b = at.S[at.ip->b];
    if (G_UNLIKELY(b.undefined))
        return false;
    uint64_t tag = at.ip->target ? vm_shades_said(at) : b.tag ? vm_shades_tag_by(op, b.tag, at.ip->c_signed) : 0;
    at.S[at.ip->a] = (VmShade){0, tag};
    return true;
}

VM_SHADES_INLINE bool vm_shades_move(VmShadesAt at, VcodeOp op)
{
    VmShade b = at.S[at.ip->b];
    if (op == VCODE_ALLOCA || G_UNLIKELY(b.undefined))
        return false;
    uint64_t tag = op != VCODE_MOV ? vm_shades_tag_of_number(b.tag, 0)
                   : at.ip->target ? vm_shades_said(at)
                                   : vm_shades_as_address(b.tag);
    at.S[at.ip->a] = (VmShade){0, tag};
    return true;
}

VM_SHADES_INLINE bool vm_shades_constant(VmShadesAt at)
{
    uint32_t object = (uint32_t)at.ip->b | (uint32_t)at.ip->c << 16;
    uint32_t depth = (uint32_t)(at.frame - at.rank->frames) + 1;
    at.S[at.ip->a] = (VmShade){0, object ? vm_shades_tag_of_object(at.shadow, at.objects, depth, object - 1) : 0};
    return true;
}

VM_SHADES_INLINE bool vm_shades_return(VmShadesAt at)
{
    VmShade a = at.S[at.ip->a];
    if (G_LIKELY(!a.undefined))
        a.tag = vm_shades_as_address(a.tag);
    at.S[0] = a;
    return true;
}

/* What main() returns by coming to its end is defined. */
VM_SHADES_INLINE bool vm_shades_return_nothing(VmShadesAt at)
{
    if (at.shadow->tracks && at.frame - at.rank->frames + 1 > 2)
        at.S[0] = (VmShade){UINT64_MAX, vm_origin(VM_ORIGIN_RETURN, vm_image_pc(at.rank->image, at.ip))};
    else
        at.S[0] = (VmShade){0, 0};
    return true;
}

/* -- calls ------------------------------------------------------------------------------------- */

/* The instruction calls an extern: keeps its arguments. Returns whether undefined bits are among them. */
static inline bool vm_shades_pass(const VmRank *rank, const VmInstr *ip, const uint64_t *R, VmShade *S)
{
    VmShadowCall *call = &rank->shadow->call;
    uint64_t undefined = 0;
    S += ip->a;
    for (unsigned i = 0; i < ip->n; i++) {
        undefined |= S[i].undefined;
        if (!S[i].undefined)
            S[i].tag = vm_shades_as_address(S[i].tag);
    }
    call->shading = rank->image->bindings[ip->target].shading;
    call->n = MIN(ip->n, VM_SHADOW_ARGUMENTS);
    call->undefined = undefined;
    memcpy(call->values, R + ip->a, call->n * sizeof *call->values);
    memcpy(call->shades, S, call->n * sizeof *call->shades);
    return undefined;
}

/* -- all --------------------------------------------------------------------------------------- */

VM_SHADES_INLINE bool vm_shades_step(VmShadesAt at, VcodeOp op, VcodeForm form)
{
    switch (form) {
    case VCODE_FORM_LOAD:
    case VCODE_FORM_STORE:
    case VCODE_FORM_STOREX: return vm_shades_access(at, op);
    case VCODE_FORM_LOADX: return op == VCODE_LEAX ? vm_shades_compute(at, op) : vm_shades_access(at, op);
    case VCODE_FORM_RRR: return op == VCODE_CMOV ? vm_shades_select(at) : vm_shades_compute(at, op);
    case VCODE_FORM_RRI: return vm_shades_compute_by(at, op);
    case VCODE_FORM_RR: return vm_shades_move(at, op);
    case VCODE_FORM_RK: return vm_shades_constant(at);
    case VCODE_FORM_RI32:
        if (op == VCODE_ENTER)
            return false;
        at.S[at.ip->a] = (VmShade){0, 0};
        return true;
    case VCODE_FORM_BRR: return !(at.S[at.ip->a].undefined | at.S[at.ip->b].undefined);
    case VCODE_FORM_BRI:
    case VCODE_FORM_SWITCH: return !at.S[at.ip->a].undefined;
    case VCODE_FORM_R: return op == VCODE_RET && vm_shades_return(at);
    case VCODE_FORM_NONE: return op != VCODE_RETV || vm_shades_return_nothing(at);
    case VCODE_FORM_JUMP:
    case VCODE_FORM_I32: return true;
    case VCODE_FORM_BLOCK:
    case VCODE_FORM_CALL:
    case VCODE_FORM_CALLI: return false;
    case VCODE_FORM_CALLX: return !vm_shades_pass(at.rank, at.ip, at.R, at.S);
    }
    return false;
}

#endif
