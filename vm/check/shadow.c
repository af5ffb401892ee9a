/* shadow.c - shades of a rank's memory and registers: how they are made, copied and read.
 *
 * Every rank has two strides of address space beside its own. One holds a byte for each byte of memory: which of its
 * bits are defined. The other holds a word for each word: its tag. The host commits both at first touch, and what was
 * never touched reads as 0. So 0 stands for the state of untouched memory: undefined on the stack and in the heap,
 * defined in static objects.
 *
 * If any bit of a word is undefined, the word's tag is the origin of its undefined bits; 0: the object that lies there.
 * Otherwise the tag is the object that the address in the word belongs to.
 */
#include "vm/check/shadow.h"

#include <string.h>
#include <sys/mman.h>

enum { LARGE = 64 << 10 };

/* -- life -------------------------------------------------------------------------------------- */

void vm_shadow_start(VmRank *rank, uint32_t checks)
{
    const VmWorld *world = rank->world;
    const VcodeModule *m = rank->image->module;
    VmShadow *s = rank->shadow = g_new0(VmShadow, 1);
    uint64_t page = rank->data_base / VM_PAGE * VM_PAGE;
    uint8_t *place = vm_rank_shadows(rank);
    s->defined = place - page;
    s->tags = (uint64_t *)(void *)(place + world->stride - page);
    s->flip_low = m->data_base;
    s->flip_size = (uint64_t)m->data.count + m->bss_bytes;
    s->tracks = checks & VM_CHECK_UNINITIALISED;
    s->bounds = checks & VM_CHECK_BOUNDS;
    s->heap = checks & VM_CHECK_HEAP;
    s->slots = vm_check_numbered(rank, 0);
    s->told = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    vm_shadow_define(rank, rank->sp, rank->stack_high - rank->sp); /* arguments, environment, errno */
}

void vm_shadow_free(VmRank *rank)
{
    VmShadow *s = rank->shadow;
    if (!s)
        return;
    uint64_t page = rank->data_base / VM_PAGE * VM_PAGE, bytes = rank->heap_end - page;
    madvise(s->defined + page, bytes, MADV_DONTNEED);
    madvise((uint8_t *)s->tags + page, bytes, MADV_DONTNEED);
    g_hash_table_unref(s->told);
    vm_shadow_threads_free(s);
    g_free(s);
    rank->shadow = NULL;
}

/* -- bits of memory ---------------------------------------------------------------------------- */

/* Number of bytes at the start of a block where 0 has the same meaning, and in *undefined the byte that means undefined
 * there. */
static uint64_t portion(const VmShadow *s, uint64_t address, uint64_t size, uint8_t *undefined)
{
    uint64_t offset = address - s->flip_low;
    if (offset < s->flip_size) {
        *undefined = 0xff;
        return MIN(size, s->flip_size - offset);
    }
    *undefined = 0;
    return address < s->flip_low ? MIN(size, s->flip_low - address) : size;
}

static bool is_own(const VmRank *rank, uint64_t address, uint64_t size)
{
    uint64_t offset = address - rank->data_base, bytes = rank->heap_end - rank->data_base;
    return offset < bytes && size <= bytes - offset;
}

static uint64_t bits_at(const VmShadow *s, uint64_t address, unsigned size)
{
    uint64_t stored = 0, mask = size == 8 ? UINT64_MAX : (UINT64_C(1) << 8 * size) - 1;
    switch (size) { /* sizes that the compiler knows are single loads */
    case 1: stored = s->defined[address]; break;
    case 2: memcpy(&stored, s->defined + address, 2); break;
    case 4: memcpy(&stored, s->defined + address, 4); break;
    default: memcpy(&stored, s->defined + address, 8); break;
    }
    return address - s->flip_low < s->flip_size ? stored : ~stored & mask;
}

/* Sets the tag of a word after a store to it. The old tag stays if other bytes of the word are still undefined. */
static void settle_tag(VmShadow *s, uint64_t word, uint64_t undefined, uint64_t tag)
{
    uint64_t *place = &s->tags[word];
    uint64_t now = undefined ? tag : s->tracks && *place && bits_at(s, word * 8, 8) ? *place : 0;
    if (*place != now)
        *place = now;
}

static void settle_tags(VmShadow *s, uint64_t address, uint64_t size)
{
    for (uint64_t word = address / 8; size && word <= (address + size - 1) / 8; word++)
        if (s->tags[word])
            settle_tag(s, word, 0, 0);
}

static void fill(VmRank *rank, uint64_t address, uint64_t size, bool defined)
{
    VmShadow *s = rank->shadow;
    uint8_t undefined;
    for (uint64_t n; s->tracks && size; address += n, size -= n) {
        n = portion(s, address, size, &undefined);
        memset(s->defined + address, defined ? (uint8_t)~undefined : undefined, n);
    }
}

void vm_shadow_define(VmRank *rank, uint64_t address, uint64_t size)
{
    if (!is_own(rank, address, size))
        return;
    fill(rank, address, size, true);
    settle_tags(rank->shadow, address, size);
}

static void forget_tags(VmShadow *s, uint64_t address, uint64_t size)
{
    for (uint64_t word = address / 8; size && word <= (address + size - 1) / 8; word++)
        if (s->tags[word])
            s->tags[word] = 0;
}

/* For a large block, pages are given back to the host. That has the same effect where 0 means undefined. */
void vm_shadow_undefine(VmRank *rank, uint64_t address, uint64_t size, bool fresh)
{
    VmShadow *s = rank->shadow;
    if (fresh || !is_own(rank, address, size))
        return;
    if (size >= LARGE && address >= rank->heap_start) {
        uint64_t first = (address + VM_PAGE - 1) / VM_PAGE * VM_PAGE, last = (address + size) / VM_PAGE * VM_PAGE;
        madvise(s->defined + first, last - first, MADV_DONTNEED);
        madvise((uint8_t *)s->tags + first, last - first, MADV_DONTNEED);
        vm_shadow_undefine(rank, address, first - address, false);
        vm_shadow_undefine(rank, last, address + size - last, false);
        return;
    }
    fill(rank, address, size, false);
    forget_tags(s, address, size);
}

static uint64_t origin_at(VmRank *rank, uint64_t address);

VmShade vm_shadow_load(VmRank *rank, uint64_t address, unsigned size, bool sign)
{
    const VmShadow *s = rank->shadow;
    if (!is_own(rank, address, size))
        return (VmShade){0, 0};
    uint64_t undefined = s->tracks ? bits_at(s, address, size) : 0;
    if (G_LIKELY(!undefined))
        return (VmShade){0, size == 8 && address % 8 == 0 ? s->tags[address / 8] : 0};
    uint64_t tag = s->tags[address / 8];
    if (!tag)
        tag = origin_at(rank, address + (unsigned)__builtin_ctzll(undefined) / 8);
    unsigned up = 64 - 8 * size;
    if (sign)
        undefined = (uint64_t)((int64_t)(undefined << up) >> up);
    return (VmShade){undefined, tag};
}

void vm_shadow_store(VmRank *rank, uint64_t address, unsigned size, VmShade shade)
{
    VmShadow *s = rank->shadow;
    if (!is_own(rank, address, size))
        return;
    uint64_t mask = size == 8 ? UINT64_MAX : (UINT64_C(1) << 8 * size) - 1, undefined = shade.undefined & mask;
    if (s->tracks) {
        uint64_t stored = address - s->flip_low < s->flip_size ? undefined : ~undefined;
        memcpy(s->defined + address, &stored, size);
    }
    if (size == 8 && address % 8 == 0) {
        if (s->tags[address / 8] != shade.tag)
            s->tags[address / 8] = shade.tag;
        return;
    }
    settle_tag(s, address / 8, undefined, shade.tag);
    if (address / 8 != (address + size - 1) / 8)
        settle_tag(s, address / 8 + 1, undefined, shade.tag);
}

static void copy_bits(VmShadow *s, uint64_t to, uint64_t from, uint64_t size)
{
    uint8_t a, b;
    if (portion(s, to, size, &a) == size && portion(s, from, size, &b) == size && a == b) {
        memmove(s->defined + to, s->defined + from, size);
        return;
    }
    /* where 0 has different meanings; an overlap of the blocks does not matter here */
    for (uint64_t i = 0; i < size; i++) {
        (void)portion(s, to + i, 1, &a);
        (void)portion(s, from + i, 1, &b);
        s->defined[to + i] = s->defined[from + i] ^ a ^ b;
    }
}

/* Words that are copied whole keep their tags. Words that are copied in part get none, or keep those of their other
 * undefined bytes. */
void vm_shadow_copy(VmRank *rank, uint64_t to, uint64_t from, uint64_t size)
{
    VmShadow *s = rank->shadow;
    if (!size || !is_own(rank, to, size))
        return;
    if (!is_own(rank, from, size)) { /* constants */
        vm_shadow_define(rank, to, size);
        return;
    }
    if (s->tracks)
        copy_bits(s, to, from, size);
    if ((to ^ from) % 8) {
        forget_tags(s, to, size);
        return;
    }
    uint64_t first = (to + 7) / 8, last = (to + size) / 8, source = first + (from / 8 - to / 8);
    if (to % 8)
        settle_tag(s, to / 8, 0, 0);
    if (last > first)
        memmove(&s->tags[first], &s->tags[source], (last - first) * 8);
    if ((to + size) % 8 && last >= first)
        settle_tag(s, last, 0, 0);
}

/* Undefined bytes count as padding if they follow defined ones, are less than a word, and end where a member could
 * begin or where the block ends. */
static bool is_padding(uint64_t start, uint64_t low, uint64_t count, uint64_t end)
{
    return low > start && count < 8 && ((low + count) % 2 == 0 || low + count == end);
}

/* Finds the first undefined byte of a block and how many follow. Returns false if there is none. `padding`: padding
 * behind defined bytes counts as defined. */
static bool seek_bits(const VmRank *rank, uint64_t address, uint64_t size, bool padding, uint64_t *first,
                      uint64_t *count)
{
    const VmShadow *s = rank->shadow;
    if (!s->tracks || !size || !is_own(rank, address, size))
        return false;
    for (uint64_t at = address, end = address + size; at < end;) {
        uint64_t left = end - at;
        if (left >= 8 && !bits_at(s, at, 8)) {
            at += 8;
            continue;
        }
        uint64_t low = at;
        while (at < end && bits_at(s, at, 1))
            at++;
        if (at > low && !(padding && is_padding(address, low, at - low, end))) {
            *first = low;
            *count = at - low;
            return true;
        }
        at += at == low;
    }
    return false;
}

/* -- objects ----------------------------------------------------------------------------------- */

/* The frame whose part of the stack holds the address: the last of the frames that began above it. */
static uint32_t frame_at(const VmRank *rank, uint64_t address)
{
    uint32_t low = 0, high = rank->depth;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (rank->frames[middle].entry_sp > address)
            low = middle + 1;
        else
            high = middle;
    }
    return low; /* 1 + index of that frame */
}

static const VmInstance *instance_at(const VmRank *rank, uint64_t address)
{
    const VmShadow *s = rank->shadow;
    uint32_t depth = frame_at(rank, address);
    if (address < rank->sp || depth == 0 || depth > s->frame_capacity || !s->frames[depth - 1].first)
        return NULL;
    const VmInstance *found = NULL;
    uint64_t entry = rank->frames[depth - 1].entry_sp;
    for (uint32_t i = s->frames[depth - 1].base; i < s->n_instances && s->instances[i].low < entry; i++) {
        const VmInstance *instance = &s->instances[i];
        uint64_t end = instance->low + instance->size;
        if (instance->low <= address && address < end && (!found || end > found->low + found->size))
            found = instance;
        if (depth < rank->depth && depth < s->frame_capacity && s->frames[depth].first &&
            i + 1 == s->frames[depth].base)
            break;
    }
    return found;
}

static const VcodeObject *static_at(const VmRank *rank, uint64_t address)
{
    const VmImage *image = rank->image;
    const VcodeObject *objects = image->module->objects.items;
    uint32_t low = 0, high = image->n_statics;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if ((uint64_t)objects[image->statics[middle]].where <= address)
            low = middle + 1;
        else
            high = middle;
    }
    const VcodeObject *object = low ? &objects[image->statics[low - 1]] : NULL;
    return object && address - (uint64_t)object->where < object->size ? object : NULL;
}

static uint64_t tag_of_instance(const VmShadow *s, const VmInstance *instance)
{
    return vm_tag(VM_TAG_STACK, (uint32_t)(instance - s->instances), instance->serial);
}

/* Finds the object that holds an address, static or of a frame. */
static bool find_known(VmRank *rank, uint64_t address, uint64_t *tag)
{
    const VmInstance *instance = NULL;
    const VcodeObject *object = NULL;
    if (address >= rank->stack_low && address < rank->stack_high)
        instance = instance_at(rank, address);
    else if (address < rank->heap_start)
        object = static_at(rank, address);
    if (instance)
        *tag = tag_of_instance(rank->shadow, instance);
    else if (object)
        *tag = vm_tag(VM_TAG_STATIC, (uint32_t)(object - rank->image->module->objects.items), 0);
    return instance || object;
}

static bool is_temporary(const VmRank *rank, uint32_t slot)
{
    const VmShadow *s = rank->shadow;
    return slot < s->n_instances && s->instances[slot].temporary;
}

/* If the instance shares its memory with others: one at this address that the program knows. */
static const VmInstance *named_beside(const VmRank *rank, const VmInstance *instance, uint64_t address)
{
    const VmShadow *s = rank->shadow;
    const VmInstance *last = s->instances + s->n_instances;
    for (const VmInstance *i = instance; i < last && i->serial == instance->serial; i++)
        if (address - i->low < i->size && !is_temporary(rank, (uint32_t)(i - s->instances)))
            return i;
    for (const VmInstance *i = instance; i >= s->instances && i->serial == instance->serial; i--)
        if (address - i->low < i->size && !is_temporary(rank, (uint32_t)(i - s->instances)))
            return i;
    return instance;
}

/* The origin of the undefined bits at an address. */
static uint64_t origin_at(VmRank *rank, uint64_t address)
{
    bool stack = address >= rank->stack_low && address < rank->stack_high; /* it may lie in the heap */
    const VmSlot *slot = address >= rank->heap_start && !stack ? vm_check_slot(rank, address) : NULL;
    if (slot)
        return vm_origin(VM_ORIGIN_SITE, slot->allocated);
    uint64_t tag;
    if (!find_known(rank, address, &tag))
        return vm_origin(VM_ORIGIN_UNKNOWN, 0);
    uint32_t object = vm_tag_slot(tag);
    if (vm_tag_kind(tag) == VM_TAG_STACK) {
        const VmInstance *instance = named_beside(rank, &rank->shadow->instances[object], address);
        if (instance->object == VCODE_NONE)
            return vm_origin(VM_ORIGIN_STACK, instance->pc);
        object = instance->object;
    }
    return vm_origin(VM_ORIGIN_OBJECT, object);
}

bool vm_shadow_extent(VmRank *rank, uint64_t tag, uint64_t *low, uint64_t *size)
{
    uint32_t slot = vm_tag_slot(tag);
    switch (vm_tag_kind(tag)) {
    case VM_TAG_STACK:
    case VM_TAG_FRAME: {
        const VmInstance *instance = vm_shadow_instance(rank, tag);
        if (!instance)
            return false;
        *low = instance->low;
        *size = instance->size;
        return true;
    }
    case VM_TAG_STATIC: {
        const VcodeObject *object = &rank->image->module->objects.items[slot];
        *low = (uint64_t)object->where;
        *size = object->size;
        return true;
    }
    case VM_TAG_HEAP: {
        const VmSlot *block = vm_check_numbered(rank, slot);
        *low = block->address;
        *size = block->size;
        return block->live && block->serial == (uint32_t)tag;
    }
    case VM_TAG_NONE:
    case VM_TAG_MIXED: break;
    }
    return false;
}

bool vm_shadow_judge(VmRank *rank, uint64_t tag, uint64_t address, uint64_t size, bool write)
{
    const VmShadow *s = rank->shadow;
    VmTagKind kind = vm_tag_kind(tag);
    bool stack = kind == VM_TAG_STACK || kind == VM_TAG_FRAME;
    bool judged = kind == VM_TAG_HEAP ? s->heap : (stack || kind == VM_TAG_STATIC) && s->bounds;
    uint64_t low, bytes;
    if (stack && judged) {
        const VmInstance *instance = vm_shadow_instance(rank, tag);
        judged = instance ? !instance->temporary : !is_temporary(rank, vm_tag_slot(tag));
    }
    if (!judged)
        return vm_check_access(rank, address, size, write);
    if (G_LIKELY(vm_shadow_extent(rank, tag, &low, &bytes) && address - low <= bytes &&
                 size <= bytes - (address - low)))
        return true;
    return vm_shadow_refuse(rank, tag, address, size, write);
}

/* -- frames ------------------------------------------------------------------------------------ */

/* Adds n instances. Instances of frames that have returned are dropped here. */
static VmInstance *push_instances(VmRank *rank, uint32_t n)
{
    VmShadow *s = rank->shadow;
    while (s->n_instances && s->instances[s->n_instances - 1].low < rank->sp)
        s->n_instances--;
    if (s->n_instances + n > s->instance_capacity) {
        s->instance_capacity = MAX(s->n_instances + n, s->instance_capacity * 2);
        s->instances = g_renew(VmInstance, s->instances, s->instance_capacity);
    }
    s->n_instances += n;
    s->serial++;
    return &s->instances[s->n_instances - n];
}

static VmFrameObjects *frame_objects(VmRank *rank, uint32_t depth)
{
    VmShadow *s = rank->shadow;
    if (depth >= s->frame_capacity) {
        uint32_t old = s->frame_capacity;
        s->frame_capacity = MAX(depth + 1, old * 2);
        s->frames = g_renew(VmFrameObjects, s->frames, s->frame_capacity);
        memset(s->frames + old, 0, (s->frame_capacity - old) * sizeof *s->frames);
    }
    return &s->frames[depth];
}

void vm_shadow_enter(VmRank *rank, uint32_t function, uint64_t low, uint64_t bytes, VmShade *frame)
{
    const VmFunction *f = &rank->image->functions[function];
    const VcodeObject *objects = rank->image->module->objects.items + f->first_object;
    VmShadow *s = rank->shadow;
    VmInstance *instances = push_instances(rank, f->objects);
    uint32_t base = s->n_instances - f->objects, beginning = VCODE_NONE;
    *frame_objects(rank, rank->depth - 1) = (VmFrameObjects){base, f->first_object + 1, f->objects};
    for (uint32_t i = 0; i < f->objects; i++) {
        instances[i] = (VmInstance){.low = low + (uint64_t)objects[i].where,
                                    .size = objects[i].size,
                                    .object = f->first_object + i,
                                    .serial = s->serial,
                                    .temporary = objects[i].flags & VCODE_OBJECT_TEMPORARY};
        if (objects[i].where == 0 && (beginning == VCODE_NONE || objects[i].size > objects[beginning].size))
            beginning = i;
    }
    *frame = (VmShade){0, beginning == VCODE_NONE ? 0 : vm_tag(VM_TAG_FRAME, base + beginning, s->serial)};
    fill(rank, low, bytes, false);
    forget_tags(s, low, bytes);
}

uint64_t vm_shadow_alloca(VmRank *rank, uint64_t low, uint64_t bytes, uint64_t asked)
{
    VmShadow *s = rank->shadow;
    VmInstance *instance = push_instances(rank, 1);
    *instance = (VmInstance){.low = low, .size = asked, .object = VCODE_NONE, .serial = s->serial, .pc = rank->pc};
    fill(rank, low, bytes, false);
    forget_tags(s, low, bytes);
    return tag_of_instance(s, instance);
}

/* Makes room for that many registers. */
static void reserve_registers(VmShadow *s, uint64_t registers)
{
    if (registers <= s->n_shades)
        return;
    uint32_t old = s->n_shades;
    s->n_shades = (uint32_t)MAX(registers, (uint64_t)old * 2);
    s->shades = g_renew(VmShade, s->shades, s->n_shades);
    memset(s->shades + old, 0, (s->n_shades - old) * sizeof *s->shades);
}

/* Marks the registers that a function, entered with its window at an offset, may read before it writes them. */
static void clear_registers(VmRank *rank, uint32_t function, uint32_t window)
{
    VmShadow *s = rank->shadow;
    const VmFunction *f = &rank->image->functions[function];
    reserve_registers(s, (uint64_t)window + f->registers + VM_REGISTER_SLACK);
    uint64_t undefined = s->tracks ? UINT64_MAX : 0;
    for (uint32_t r = f->clear_from; r < f->clear_to; r++)
        s->shades[window + r] =
            (VmShade){undefined, undefined ? vm_origin(VM_ORIGIN_REGISTER, (uint64_t)function << 16 | r) : 0};
}

void vm_shadow_entered(VmRank *rank, uint32_t function, uint32_t window)
{
    VmShadow *s = rank->shadow;
    const VmFunction *f = &rank->image->functions[function];
    clear_registers(rank, function, window);
    for (uint32_t r = 0; r < f->parameters; r++)
        s->shades[window + r] = (VmShade){0, 0};
    frame_objects(rank, rank->depth - 1)->first = 0;
}

void vm_shadow_called(VmRank *rank, uint32_t function, uint32_t window)
{
    clear_registers(rank, function, window);
    frame_objects(rank, rank->depth)->first = 0;
}

/* -- calls of the library and of the layer above ----------------------------------------------- */

static uint64_t result_tag(VmRank *rank, uint64_t value)
{
    const VmShadow *s = rank->shadow;
    if (value < VCODE_RODATA_BASE || value >= rank->heap_end)
        return 0;
    for (unsigned i = 0; i < s->call.n; i++) {
        uint64_t low, size;
        if (!s->call.shades[i].undefined && vm_shadow_extent(rank, s->call.shades[i].tag, &low, &size) &&
            value - low <= size)
            return s->call.shades[i].tag;
    }
    const VmSlot *slot = value >= rank->heap_start ? vm_check_slot(rank, value) : NULL;
    return slot && slot->live && slot->address == value ? vm_check_tag(rank, slot) : 0;
}

void vm_shadow_returned(VmRank *rank, uint64_t at, uint64_t value)
{
    VmShadow *s = rank->shadow;
    VmShadowCall *call = &s->call;
    VmShade shade = {0, result_tag(rank, value)};
    if (call->shading == VM_SHADING_COPIES && call->n >= 3)
        vm_shadow_copy(rank, call->values[0], call->values[1], call->values[2]);
    else if (call->shading == VM_SHADING_SWAPPED && call->n >= 3)
        vm_shadow_copy(rank, call->values[1], call->values[0], call->values[2]);
    else if (call->shading == VM_SHADING_COMPUTES)
        for (unsigned i = 0; i < call->n; i++)
            if (call->shades[i].undefined)
                shade = (VmShade){UINT64_MAX, call->shades[i].tag};
    call->n = 0;
    call->shading = VM_SHADING_FOREIGN;
    reserve_registers(s, at + 1);
    s->shades[at] = shade;
}

/* Finds the object in which a block must lie whose address the library has been given. */
static bool find_object(VmRank *rank, uint64_t address, uint64_t *tag)
{
    const VmShadowCall *call = &rank->shadow->call;
    uint64_t low, size;
    for (unsigned i = 0; i < call->n; i++)
        if (call->values[i] == address && !call->shades[i].undefined && call->shades[i].tag) {
            *tag = call->shades[i].tag;
            return true;
        }
    for (unsigned i = 0; i < call->n; i++)
        if (!call->shades[i].undefined && vm_shadow_extent(rank, call->shades[i].tag, &low, &size) &&
            address - low < size) {
            *tag = call->shades[i].tag;
            return true;
        }
    return find_known(rank, address, tag);
}

static void note_use(VmRank *rank, uint64_t address, uint64_t size, bool padding)
{
    uint64_t first, count;
    if (!seek_bits(rank, address, size, padding, &first, &count))
        return;
    g_autofree char *what =
        size <= 8 ? g_strdup("uses a value that was never set")
                  : g_strdup_printf("uses %" G_GUINT64_FORMAT " byte%s that %s never set, from byte %" G_GUINT64_FORMAT
                                    " of %" G_GUINT64_FORMAT " on",
                                    count, count == 1 ? "" : "s", count == 1 ? "was" : "were", first - address, size);
    vm_shadow_note(rank, what, vm_shadow_load(rank, first, 1, false).tag, "give it a value before it is used");
}

bool vm_shadow_access(VmRank *rank, uint64_t address, uint64_t size, bool write)
{
    VmShadow *s = rank->shadow;
    if (s->seeking && !write) {
        uint64_t first, count;
        if (!s->sought_bytes && seek_bits(rank, address, size, false, &first, &count)) {
            s->sought = first;
            s->sought_bytes = count;
        }
        return true;
    }
    VmShading shading = s->call.shading;
    bool library = shading != VM_SHADING_FOREIGN && s->call.n && rank->binding && vm_rank_acts(rank);
    uint64_t tag = 0;
    if (library && s->bounds && size && find_object(rank, address, &tag) &&
        !vm_shadow_judge(rank, tag, address, size, write))
        return false;
    if (write && !(library && (shading == VM_SHADING_COPIES || shading == VM_SHADING_SWAPPED)))
        vm_shadow_define(rank, address, size);
    else if (!write && library && (shading == VM_SHADING_USES || shading == VM_SHADING_WRITES))
        note_use(rank, address, size, shading == VM_SHADING_WRITES);
    return true;
}

/* -- for the layer above ----------------------------------------------------------------------- */

bool vm_check_may_access(VmRank *rank, unsigned arg, uint64_t address, uint64_t size, bool write)
{
    if (!rank->shadow || size == 0)
        return true;
    const VmShadowCall *call = &rank->shadow->call;
    uint64_t tag = 0;
    bool known = arg < call->n && !call->shades[arg].undefined && call->shades[arg].tag;
    if (known)
        tag = call->shades[arg].tag;
    if (!known && !find_known(rank, address, &tag))
        return true;
    return vm_shadow_judge(rank, tag, address, size, write);
}

bool vm_check_is_sound(const VmRank *rank, unsigned arg, uint64_t address, uint64_t size, bool write)
{
    VmShadow *s = rank->shadow;
    if (!s || rank->watches || arg >= s->call.n)
        return !vm_memory_is_observed(rank) && vm_memory_write(rank, address, size);
    VmShade shade = s->call.shades[arg];
    if (size == 0)
        return true;
    if (s->call.undefined || !shade.tag || !is_own(rank, address, size) ||
        !vm_shades_is_fine(
            (VmShadesAt){.rank = rank, .shadow = s, .objects = rank->image->module->objects.items, .sp = rank->sp},
            shade.tag, address, size))
        return false;
    uint64_t first, count;
    return write || (size == 8 || size == 4 ? !s->tracks || !bits_at(s, address, (unsigned)size)
                                            : !seek_bits(rank, address, size, false, &first, &count));
}

bool vm_check_fits(VmRank *rank, unsigned arg, uint64_t address, uint64_t size)
{
    if (!rank->shadow || size == 0)
        return true;
    const VmShadow *s = rank->shadow;
    uint64_t tag = arg < s->call.n && !s->call.shades[arg].undefined ? s->call.shades[arg].tag : 0, low, bytes;
    const VmSlot *slot = !tag && address >= rank->heap_start ? vm_check_slot(rank, address) : NULL;
    if (slot && slot->live)
        tag = vm_check_tag(rank, slot);
    if (!tag && !find_known(rank, address, &tag))
        return true;
    return !vm_shadow_extent(rank, tag, &low, &bytes) || address - low >= bytes || size <= bytes - (address - low);
}

void vm_check_seek_undefined(VmRank *rank, bool on)
{
    rank->shadow->seeking = on;
    if (on)
        rank->shadow->sought_bytes = 0;
}

bool vm_check_found_undefined(const VmRank *rank, uint64_t *address, uint64_t *bytes)
{
    *address = rank->shadow->sought;
    *bytes = rank->shadow->sought_bytes;
    return *bytes > 0;
}

bool vm_check_seek_block(VmRank *rank, uint64_t address, uint64_t size, uint64_t *first, uint64_t *bytes)
{
    return seek_bits(rank, address, size, true, first, bytes);
}

bool vm_check_tracks_undefined(const VmRank *rank)
{
    return rank->shadow && rank->shadow->tracks;
}

void vm_check_note_undefined(VmRank *rank, uint64_t address, const char *what)
{
    vm_shadow_note(rank, what, vm_shadow_load(rank, address, 1, false).tag,
                   "set all of what is sent before it is sent");
}

void vm_check_argument(VmRank *rank, unsigned arg)
{
    VmShadow *s = rank->shadow;
    if (!s || arg >= s->call.n || !s->call.shades[arg].undefined)
        return;
    vm_shadow_note_argument(rank, arg + 1, s->call.shades[arg].tag);
    s->call.shades[arg] = (VmShade){0, 0};
}

void vm_shadow_used(VmRank *rank, uint64_t address, uint64_t size)
{
    if (rank->shadow)
        note_use(rank, address, size, false);
}
