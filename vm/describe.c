/* describe.c - explains an address: what lies at it, or next to it. Reports use it to tell why an access failed.
 *
 * Objects are the variables that the compiler recorded, in memory and in scope, and the blocks of the heap. The nearest
 * one is named. An object that ends just before the address is preferred to one that begins just behind it, because
 * loops run over ends more often than under beginnings.
 */
#include "vm/describe.h"
#include "vm/check/check.h"
#include "vm/library/library.h"
#include "vm/value.h"

#include <string.h>

enum { MOST_FRAMES = 256, LONGEST_TEXT = 40, DEEPEST_PART = 16 };
#define FARTHEST (UINT64_C(64) << 20) /* an object farther away does not explain the address */

typedef struct Nearest {
    uint64_t address;
    uint64_t low, size; /* of the nearest object so far */
    uint64_t rank; /* 0: the object holds the address; else twice the distance, plus 1 if the address lies before the
                      object */
    GString *what;
    bool brief;                    /* without advice */
    const VcodeVariable *variable; /* that the object is; NULL: it is none */
} Nearest;

/* Whether [low, low + size) is nearer than the objects before. If so, it becomes the nearest, and the caller writes
 * what it is. */
static bool nearer(Nearest *nearest, uint64_t low, uint64_t size)
{
    uint64_t address = nearest->address, rank = 0;
    if (address < low)
        rank = 2 * MIN(low - address, FARTHEST) + 1;
    else if (address - low >= size)
        rank = 2 * MIN(address - low - size + 1, FARTHEST);
    if (rank >= nearest->rank || size == 0)
        return false;
    nearest->rank = rank;
    nearest->low = low;
    nearest->size = size;
    nearest->variable = NULL;
    g_string_truncate(nearest->what, 0);
    return true;
}

/* -- variables --------------------------------------------------------------------------------- */

/* Variables of the C library mean nothing to the author of the program, unless they are what was accessed. */
static bool is_of_library(const VcodeModule *module, const VcodeVariable *variable)
{
    uint32_t f = variable->function;
    return variable->flags & VCODE_VARIABLE_LIBRARY ||
           (f != VCODE_NONE && module->functions.items[f].flags & VCODE_FUNCTION_LIBRARY);
}

static void consider_variable(Nearest *nearest, const VcodeModule *module, const VcodeVariable *variable, uint64_t low,
                              const char *function)
{
    const VcodeType *type = vm_type_record(module, variable->type);
    bool library = is_of_library(module, variable);
    if (!type || (library && nearest->address - low >= type->size) || !nearer(nearest, low, type->size))
        return;
    nearest->variable = variable;
    g_string_append_printf(nearest->what, "the variable %s (", vcode_text(module, variable->name));
    vm_type_format(module, variable->type, nearest->what);
    g_string_append_printf(nearest->what, ", %" G_GUINT64_FORMAT " byte%s)", type->size, type->size == 1 ? "" : "s");
    if (function)
        g_string_append_printf(nearest->what, " of %s", function);
    else if (library)
        g_string_append(nearest->what, " of the C library");
}

static void consider_static(Nearest *nearest, const VcodeModule *module)
{
    for (uint32_t i = 0; i < module->variables.count; i++) {
        const VcodeVariable *variable = &module->variables.items[i];
        if (variable->location == VCODE_AT_DATA)
            consider_variable(nearest, module, variable, (uint64_t)variable->where, NULL);
    }
}

static void consider_frame(Nearest *nearest, const VcodeModule *module, const VmFrame *frame)
{
    for (uint32_t i = 0; i < module->variables.count; i++) {
        const VcodeVariable *variable = &module->variables.items[i];
        if (!vm_variable_in_scope(variable, frame))
            continue;
        if (variable->location == VCODE_AT_FRAME || variable->location == VCODE_AT_REGISTER_ADDRESS)
            consider_variable(nearest, module, variable, vm_variable_value(variable, frame).bits, frame->name);
    }
}

static void consider_stack(Nearest *nearest, VmRank *rank)
{
    VmFrame frame = vm_rank_frame(rank, 0);
    for (unsigned i = 0; i < MOST_FRAMES; i++) {
        consider_frame(nearest, rank->image->module, &frame);
        if (!vm_rank_caller(rank, &frame))
            return;
    }
}

/* -- the heap ---------------------------------------------------------------------------------- */

static void consider_slot(Nearest *nearest, VmRank *rank, const VmSlot *slot)
{
    if (!slot || !nearer(nearest, slot->address, MAX(slot->size, 1)))
        return;
    nearest->size = slot->size;
    g_string_append_printf(nearest->what, "a block of %" G_GUINT64_FORMAT " byte%s, allocated by ", slot->size,
                           slot->size == 1 ? "" : "s");
    vm_check_append_site(rank, slot->allocated, nearest->what);
    if (slot->live)
        return;
    g_string_append(nearest->what, "\nthe block was freed by ");
    vm_check_append_site(rank, slot->freed - 1, nearest->what);
}

static void consider_heap(Nearest *nearest, VmRank *rank)
{
    if (rank->check) {
        const VmSlot *slot = vm_check_slot(rank, nearest->address);
        consider_slot(nearest, rank, slot);
        consider_slot(nearest, rank, vm_check_next_slot(rank, slot));
        return;
    }
    uint64_t low, size;
    bool used;
    if (!vm_heap_nearest(rank, nearest->address, &low, &size, &used) || !nearer(nearest, low, size))
        return;
    g_string_append_printf(nearest->what, "a %s of %" G_GUINT64_FORMAT " byte%s on the heap",
                           used ? "block" : "freed block", size, size == 1 ? "" : "s");
    if (!nearest->brief)
        g_string_append_printf(nearest->what, "; --check tells where it was %s", used ? "allocated" : "freed");
}

/* -- all of it --------------------------------------------------------------------------------- */

static void append_text(VmRank *rank, uint64_t address, GString *out)
{
    const VcodeModule *module = rank->image->module;
    uint64_t offset = address - VCODE_RODATA_BASE;
    const char *text = (const char *)module->rodata.items + offset;
    const char *end = memchr(text, 0, module->rodata.count - offset);
    size_t length = end ? (size_t)(end - text) : 0;
    if (!length || !g_utf8_validate(text, (gssize)length, NULL) || length > LONGEST_TEXT)
        return;
    g_autofree char *escaped = g_strescape(text, NULL);
    g_string_append_printf(out, "at 0x%" G_GINT64_MODIFIER "x stands \"%s\"\n", address, escaped);
}

static void append_nearest(const Nearest *nearest, GString *out)
{
    uint64_t address = nearest->address, end = nearest->low + nearest->size;
    g_string_append_printf(out, "0x%" G_GINT64_MODIFIER "x is ", address);
    if (address < nearest->low)
        g_string_append_printf(out, "%" G_GUINT64_FORMAT " byte%s before ", nearest->low - address,
                               nearest->low - address == 1 ? "" : "s");
    else if (address >= end)
        g_string_append_printf(out, "%" G_GUINT64_FORMAT " byte%s past the end of ", address - end,
                               address - end == 1 ? "" : "s");
    else if (address == nearest->low)
        g_string_append(out, "the start of ");
    else
        g_string_append_printf(out, "%" G_GUINT64_FORMAT " byte%s into ", address - nearest->low,
                               address - nearest->low == 1 ? "" : "s");
    g_string_append_printf(out, "%s\n", nearest->what->str);
}

static const VcodeType *stripped(const VcodeModule *module, uint32_t type)
{
    return vm_type_record(module, vm_type_strip(module, type));
}

/* Finds the member of a struct that holds the byte at *offset, which becomes that in the member. NULL: none, several
 * ones of a union, or bits. */
static const VcodeMember *member_at(const VcodeModule *module, const VcodeType *record, uint64_t *offset)
{
    for (uint32_t i = 0; i < record->count && record->kind == VCODE_TYPE_STRUCT; i++) {
        const VcodeMember *member = &module->members.items[record->first + i];
        const VcodeType *type = stripped(module, member->type);
        uint64_t low = (uint64_t)member->value;
        if (type && !member->bit_width && *offset >= low && *offset - low < type->size) {
            *offset -= low;
            return member;
        }
    }
    return NULL;
}

/* Appends the element or member that holds the byte at the offset of a variable, as C writes it: "a[3].x". Appends
 * nothing if the variable is no array or struct. */
static void append_part(const VcodeModule *module, const VcodeVariable *variable, uint64_t offset, GString *out)
{
    const char *name = vcode_text(module, variable->name);
    const VcodeType *type = stripped(module, variable->type);
    g_autoptr(GString) part = g_string_new(NULL);
    for (unsigned depth = 0; type && depth < DEEPEST_PART; depth++) {
        const VcodeType *element = type->kind == VCODE_TYPE_ARRAY ? stripped(module, type->target) : NULL;
        const VcodeMember *member = element ? NULL : member_at(module, type, &offset);
        if (element && element->size) {
            g_string_append_printf(part, "[%" G_GUINT64_FORMAT "]", offset / element->size);
            offset %= element->size;
            type = element;
        } else if (member) {
            g_string_append_printf(part, ".%s", vcode_text(module, member->name));
            type = stripped(module, member->type);
        } else {
            type = NULL;
        }
    }
    if (part->len)
        g_string_append_printf(out, ", at %s%s", name, part->str);
}

/* An object of a thread that is not selected is described as if it were: nothing but the thread's own state is needed.
 */
bool vm_describe_object(VmRank *rank, uint64_t address, uint64_t *low, GString *out)
{
    const VmThreadState *state;
    Nearest nearest = {.address = address, .rank = 2 * FARTHEST, .what = g_string_new(NULL), .brief = true};
    consider_static(&nearest, rank->image->module);
    if (vm_thread_of_stack(rank, address, &state) != VM_NO_THREAD) {
        VmRank as_if = *rank;
        as_if.thread = *state;
        if (address >= as_if.sp)
            consider_stack(&nearest, &as_if);
    } else if (nearest.rank && address >= rank->heap_start) {
        consider_heap(&nearest, rank);
    }
    bool found = nearest.rank == 0 && nearest.what->len;
    if (found)
        g_string_append_len(out, nearest.what->str, (gssize)nearest.what->len);
    if (found && nearest.variable)
        append_part(rank->image->module, nearest.variable, address - nearest.low, out);
    *low = nearest.low;
    g_string_free(nearest.what, TRUE);
    return found;
}

void vm_describe_address(VmRank *rank, uint64_t address, GString *out)
{
    const VcodeModule *module = rank->image->module;
    if (address >= rank->stack_low && address < rank->sp)
        return; /* there are no objects of the program any more */
    Nearest nearest = {.address = address, .rank = 2 * FARTHEST, .what = g_string_new(NULL)};
    consider_static(&nearest, module);
    consider_stack(&nearest, rank);
    if (address >= rank->heap_start)
        consider_heap(&nearest, rank);
    bool constant = address - VCODE_RODATA_BASE < module->rodata.count;
    if (constant && nearest.rank > 0)
        append_text(rank, address, out); /* the address is in a literal, which has no name */
    else if (nearest.what->len)
        append_nearest(&nearest, out);
    g_string_free(nearest.what, TRUE);
}
