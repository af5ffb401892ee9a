/* shadow_tell.c - the texts of --check about objects and about values that were never set.
 *
 * An access beyond its object is a fault that ends the process. A value that was never set may still do no harm. So its
 * first use at each place of the program is noted, with where the value comes from, and the rank goes on.
 */
#include "vm/check/shadow.h"
#include "vm/value.h"

#include <string.h>

enum { MOST_NOTES = 100, MOST_CALLS = 4 };

/* -- objects ----------------------------------------------------------------------------------- */

static const char *plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

static void append_place(const VcodeModule *m, uint32_t file, uint32_t line, GString *out)
{
    g_autofree char *base = g_path_get_basename(vcode_source_name(m, file));
    g_string_append_printf(out, "%s:%u", base, line);
}

/* Appends an object: "the variable a (int [4], 16 bytes) of main, declared at f.c:7" */
static void append_object(VmRank *rank, uint32_t number, GString *out)
{
    const VcodeModule *m = rank->image->module;
    const VcodeObject *object = &m->objects.items[number];
    const char *name = vcode_text(m, object->name);
    if (object->flags & VCODE_OBJECT_STRING)
        g_string_append(out, "a string literal");
    else if (object->flags & VCODE_OBJECT_TEMPORARY)
        g_string_append(out, "a value in between");
    else if (g_str_has_prefix(name, "literal."))
        g_string_append(out, "a compound literal");
    else if (*name)
        g_string_append_printf(out, "the variable %.*s", (int)strcspn(name, "."), name);
    else
        g_string_append(out, "an object without a name");
    g_string_append(out, " (");
    if (object->type != VCODE_NONE && !(object->flags & VCODE_OBJECT_STRING)) {
        vm_type_format(m, object->type, out);
        g_string_append(out, ", ");
    }
    g_string_append_printf(out, "%" G_GUINT64_FORMAT " byte%s)", object->size, plural(object->size));
    if (object->function != VCODE_NONE)
        g_string_append_printf(out, " of %s", vcode_text(m, m->functions.items[object->function].name));
    if (object->file != VCODE_NONE && object->line) {
        g_string_append(out, ", declared at ");
        append_place(m, object->file, object->line, out);
    }
}

static void append_stack_block(VmRank *rank, uint32_t pc, uint64_t size, GString *out)
{
    const VcodeModule *m = rank->image->module;
    const VcodeLine *line = vcode_pc_line(m, pc);
    g_string_append(out, "a variable-length array or block of alloca");
    if (size)
        g_string_append_printf(out, " (%" G_GUINT64_FORMAT " byte%s)", size, plural(size));
    if (line) {
        g_string_append(out, ", made at ");
        append_place(m, line->file, line->line, out);
    }
}

/* -- accesses beyond their objects ------------------------------------------------------------- */

static void append_owner(VmRank *rank, uint64_t tag, GString *out)
{
    const VmShadow *s = rank->shadow;
    uint32_t slot = vm_tag_slot(tag);
    if (vm_tag_kind(tag) == VM_TAG_STATIC) {
        append_object(rank, slot, out);
    } else if (vm_tag_kind(tag) == VM_TAG_HEAP) {
        const VmSlot *block = vm_check_numbered(rank, slot);
        g_string_append_printf(out, "a block of %" G_GUINT64_FORMAT " byte%s, allocated by ", block->size,
                               plural(block->size));
        vm_check_append_site(rank, block->allocated, out);
    } else {
        const VmInstance *instance = vm_shadow_instance(rank, tag);
        if (!instance)
            instance = &s->instances[slot]; /* its frame has returned, but nothing took its place */
        if (instance->object == VCODE_NONE)
            append_stack_block(rank, instance->pc, instance->size, out);
        else
            append_object(rank, instance->object, out);
    }
}

static void append_distance(uint64_t address, uint64_t low, uint64_t size, GString *out)
{
    uint64_t end = low + size;
    if (address == end)
        g_string_append(out, "just behind the end of ");
    else if (address > end)
        g_string_append_printf(out, "%" G_GUINT64_FORMAT " byte%s behind the end of ", address - end,
                               plural(address - end));
    else if (address < low)
        g_string_append_printf(out, "%" G_GUINT64_FORMAT " byte%s before ", low - address, plural(low - address));
    else
        g_string_append_printf(out, "which begin %" G_GUINT64_FORMAT " byte%s before the end of ", end - address,
                               plural(end - address));
}

bool vm_shadow_refuse(VmRank *rank, uint64_t tag, uint64_t address, uint64_t size, bool write)
{
    uint64_t low = 0, bytes = 0;
    VmTagKind kind = vm_tag_kind(tag);
    bool there = vm_shadow_extent(rank, tag, &low, &bytes);
    if (kind == VM_TAG_HEAP && !there)
        return vm_check_refuse(rank, VM_CHECK_HEAP, VM_FAULT_FREED, address, size, write,
                               "in a block that has been freed");
    if (kind == VM_TAG_HEAP && !vm_check_access(rank, address, size, write))
        return false; /* the address is in no block at all */
    g_autoptr(GString) what = g_string_new(NULL);
    if (there) {
        append_distance(address, low, bytes, what);
        append_owner(rank, tag, what);
    } else {
        g_string_append(what, "in a variable of a call that has returned, or of a block that has ended");
    }
    return vm_check_refuse(rank, kind == VM_TAG_HEAP ? VM_CHECK_HEAP : VM_CHECK_BOUNDS,
                           there ? VM_FAULT_OUT_OF_BOUNDS : VM_FAULT_FREED, address, size, write, what->str);
}

/* -- values that were never set ---------------------------------------------------------------- */

/* The variable that the compiler keeps in a register of a function, or NULL. */
static const VcodeVariable *variable_in(const VcodeModule *m, uint32_t function, uint32_t r)
{
    for (uint32_t i = 0; i < m->variables.count; i++) {
        const VcodeVariable *v = &m->variables.items[i];
        if (v->function != function)
            continue;
        if (v->location == VCODE_AT_REGISTER && v->where == (int64_t)r)
            return v;
        for (uint32_t k = 0; v->location == VCODE_AT_PLACES && k < v->count; k++) {
            const VcodePlace *place = &m->places.items[v->first + k];
            if (place->location == VCODE_AT_REGISTER && place->where == (int64_t)r)
                return v;
        }
    }
    return NULL;
}

static void append_register(const VcodeModule *m, uint32_t function, uint32_t r, GString *out)
{
    const VcodeVariable *v = variable_in(m, function, r);
    const VcodeFunction *f = &m->functions.items[function];
    if (!v) {
        g_string_append_printf(out, "a variable of %s", vcode_text(m, f->name));
        return;
    }
    g_string_append_printf(out, "the variable %s (", vcode_text(m, v->name));
    vm_type_format(m, v->type, out);
    g_string_append_printf(out, ") of %s", vcode_text(m, f->name));
    if (v->line) {
        uint32_t file = v->inlined == VCODE_NONE ? f->file : m->inlines.items[v->inlined].file;
        g_string_append(out, ", declared at ");
        append_place(m, file, v->line, out);
    }
}

static void append_origin(VmRank *rank, uint64_t origin, GString *out)
{
    const VcodeModule *m = rank->image->module;
    uint64_t more = origin << 8 >> 8;
    switch ((VmOrigin)(origin >> 56)) {
    case VM_ORIGIN_OBJECT: append_object(rank, (uint32_t)more, out); break;
    case VM_ORIGIN_SITE:
        g_string_append(out, "a block allocated by ");
        vm_check_append_site(rank, (uint32_t)more, out);
        break;
    case VM_ORIGIN_REGISTER: append_register(m, (uint32_t)(more >> 16), (uint32_t)more & 0xffff, out); break;
    case VM_ORIGIN_RETURN:
        g_string_append_printf(
            out, "the result of %s, which returned none",
            vcode_text(m, m->functions.items[vm_image_function_of(rank->image, (uint32_t)more)].name));
        break;
    case VM_ORIGIN_STACK: append_stack_block(rank, (uint32_t)more, 0, out); break;
    default: g_string_append(out, "memory of the stack"); break;
    }
}

/* The innermost frame of the program's own code, and the library function that it has called. */
static VmFrame program_frame(VmRank *rank, const char **library)
{
    const VcodeModule *m = rank->image->module;
    VmFrame frame = vm_rank_frame(rank, 0);
    *library = vm_rank_acting(rank);
    while (m->functions.items[frame.function].flags & VCODE_FUNCTION_LIBRARY) {
        VmFrame caller = frame;
        if (!vm_rank_caller(rank, &caller))
            break;
        *library = frame.name;
        frame = caller;
    }
    return frame;
}

static void append_frame(const VcodeModule *m, const VmFrame *frame, GString *out)
{
    g_string_append(out, frame->name);
    if (!frame->line)
        return;
    g_string_append(out, " at ");
    append_place(m, frame->file, frame->line, out);
}

static void append_callers(VmRank *rank, VmFrame frame, GString *out)
{
    const VcodeModule *m = rank->image->module;
    for (unsigned n = 0; n < MOST_CALLS && vm_rank_caller(rank, &frame); n++) {
        if (m->functions.items[frame.function].flags & VCODE_FUNCTION_LIBRARY)
            return;
        g_string_append(out, n ? ", " : "\n    called from ");
        append_frame(m, &frame, out);
    }
}

/* Whether nothing of this kind has been noted at the place before and the number of notes is not exhausted. Then
 * records the note. */
static bool is_new(VmRank *rank, const VmFrame *frame, const char *what)
{
    int64_t key = (int64_t)((uint64_t)frame->pc << 32 ^ g_str_hash(what));
    if (g_hash_table_contains(rank->shadow->told, &key) || g_hash_table_size(rank->shadow->told) >= MOST_NOTES)
        return false;
    g_hash_table_add(rank->shadow->told, g_memdup2(&key, sizeof key));
    return true;
}

void vm_shadow_note(VmRank *rank, const char *what, uint64_t origin, const char *fix)
{
    const VcodeModule *m = rank->image->module;
    const char *library;
    VmFrame frame = program_frame(rank, &library);
    if (!is_new(rank, &frame, what))
        return;
    g_autoptr(GString) text = g_string_new(NULL), detail = g_string_new("it comes from ");
    if (library)
        g_string_append_printf(text, "%s in ", library);
    append_frame(m, &frame, text);
    g_string_append_printf(text, " %s", what);
    append_origin(rank, origin, detail);
    append_callers(rank, frame, detail);
    const VmHost *host = &rank->world->host;
    if (host->note)
        host->note(host->user, rank->index, vm_clock_now(&rank->clock), text->str, detail->str, fix);
}

void vm_shadow_note_argument(VmRank *rank, unsigned number, uint64_t origin)
{
    g_autofree char *what = g_strdup_printf("is given an argument that was never set, number %u", number);
    vm_shadow_note(rank, what, origin, "give it a value before it is used");
}
