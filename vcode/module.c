/* module.c - the module in memory: growing tables, and the indices that keep strings, constants and files unique.
 *
 * A table is {items, count, capacity}. The reader leaves capacity 0: such items point into module->file_bytes and are
 * copied at their first growth, so a module that was read can be extended like one that was built, and freeing
 * needs no flag: capacity says who owns the items.
 *
 * The indices exist for building only. They are made at first use; those of strings and files are filled from the
 * tables, so they too work on a module that was read (its constants may belong to relocations and are not shared).
 * They are looked up and never iterated: hash order reaches nothing.
 */
#include "vcode/vcode.h"

#include <string.h>

GQuark vcode_error_quark(void)
{
    return g_quark_from_static_string("orrery-vcode-error");
}

const VcodeOpInfo vcode_op_info[VCODE_OP_COUNT] = {
#define INSTRUCTION(name, mnemonic, form, cost, meaning) {mnemonic, VCODE_FORM_##form, VCODE_COST_##cost, meaning},
#include "vcode/instructions.def"
};

const VcodeCostInfo vcode_cost_info[VCODE_COST_COUNT] = {
#define COST_CLASS(name, key, cycles_q8, help) {#name, key, cycles_q8, help},
#include "vcode/costs.def"
};

_Static_assert(VCODE_OP_COUNT <= 256, "an opcode is one byte");
_Static_assert(sizeof(void *) == 8, "constants are kept as hash table keys");

bool vcode_ends_block(VcodeOp op)
{
    if (op >= VCODE_OP_COUNT)
        return false;
    VcodeCost cost = vcode_op_info[op].cost;
    return cost == VCODE_COST_BRANCH || cost == VCODE_COST_CALL || cost == VCODE_COST_END;
}

VcodeModule *vcode_module_new(VcodeModuleKind kind)
{
    VcodeModule *module = g_new0(VcodeModule, 1);
    module->kind = kind;
    module->entry = VCODE_NONE;
    return module;
}

void vcode_module_free(VcodeModule *module)
{
    if (!module)
        return;
#define FREE_TABLE(field, record)                                                                                      \
    if (module->field.capacity)                                                                                        \
        g_free(module->field.items);
    VCODE_TABLES(FREE_TABLE)
    g_clear_pointer(&module->string_index, g_hash_table_destroy);
    g_clear_pointer(&module->constant_index, g_hash_table_destroy);
    g_clear_pointer(&module->file_index, g_hash_table_destroy);
    g_free(module->file_bytes);
    g_free(module);
}

void vcode_grow_(void **items, uint32_t *count, uint32_t *capacity, size_t record, uint32_t more)
{
    g_assert(*count <= UINT32_MAX - 1 - more); /* VCODE_NONE is never an index */
    uint32_t needed = *count + more;
    if (needed > *capacity) {
        uint64_t wanted = MAX((uint64_t)*capacity * 2, MAX((uint64_t)needed, 64 / record + 4));
        wanted = MIN(wanted, UINT32_MAX);
        void *old = *items;
        *items = g_realloc_n(*capacity ? old : NULL, wanted, record);
        if (!*capacity && *count)
            memcpy(*items, old, *count * record);
        *capacity = (uint32_t)wanted;
    }
    if (more) /* a table that has never grown has no memory */
        memset((char *)*items + *count * record, 0, more * record);
    *count = needed;
}

/* -- strings ----------------------------------------------------------------------------------- */

static GHashTable *string_index(VcodeModule *module)
{
    if (module->string_index)
        return module->string_index;
    module->string_index = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    uint32_t offset = 0;
    while (offset < module->strings.count) {
        const char *text = &module->strings.items[offset];
        if (!g_hash_table_contains(module->string_index, text))
            g_hash_table_insert(module->string_index, g_strdup(text), GUINT_TO_POINTER(offset));
        offset += (uint32_t)strlen(text) + 1;
    }
    return module->string_index;
}

uint32_t vcode_string(VcodeModule *module, const char *text)
{
    GHashTable *index = string_index(module);
    gpointer found;
    if (g_hash_table_lookup_extended(index, text, NULL, &found))
        return GPOINTER_TO_UINT(found);
    uint32_t size = (uint32_t)strlen(text) + 1;
    uint32_t offset = module->strings.count;
    memcpy(vcode_push_many(module, strings, size), text, size);
    g_hash_table_insert(index, g_strdup(text), GUINT_TO_POINTER(offset));
    return offset;
}

const char *vcode_text(const VcodeModule *module, uint32_t offset)
{
    if (offset == VCODE_NONE)
        return "";
    g_assert(offset < module->strings.count);
    return &module->strings.items[offset];
}

/* -- constants and files ----------------------------------------------------------------------- */

/* Doubles differ in their high bits only, which g_direct_hash would drop. */
static guint hash_value(gconstpointer key)
{
    return (guint)((uint64_t)GPOINTER_TO_SIZE(key) * UINT64_C(0x9e3779b97f4a7c15) >> 32);
}

uint32_t vcode_constant(VcodeModule *module, uint64_t value, bool fresh)
{
    gpointer key = GSIZE_TO_POINTER(value);
    gpointer found;
    if (!module->constant_index)
        module->constant_index = g_hash_table_new(hash_value, g_direct_equal);
    if (!fresh && g_hash_table_lookup_extended(module->constant_index, key, NULL, &found))
        return GPOINTER_TO_UINT(found);
    uint32_t index = module->constants.count;
    *vcode_push(module, constants) = value;
    if (!fresh)
        g_hash_table_insert(module->constant_index, key, GUINT_TO_POINTER(index));
    return index;
}

uint32_t vcode_file(VcodeModule *module, const char *path)
{
    if (!module->file_index) {
        module->file_index = g_hash_table_new(g_direct_hash, g_direct_equal);
        for (uint32_t i = 0; i < module->files.count; i++)
            g_hash_table_insert(module->file_index, GUINT_TO_POINTER(module->files.items[i]), GUINT_TO_POINTER(i));
    }
    uint32_t name = vcode_string(module, path);
    gpointer found;
    if (g_hash_table_lookup_extended(module->file_index, GUINT_TO_POINTER(name), NULL, &found))
        return GPOINTER_TO_UINT(found);
    uint32_t index = module->files.count;
    *vcode_push(module, files) = name;
    g_hash_table_insert(module->file_index, GUINT_TO_POINTER(name), GUINT_TO_POINTER(index));
    return index;
}

const char *vcode_file_name(const VcodeModule *module, uint32_t index)
{
    return index < module->files.count ? vcode_text(module, module->files.items[index]) : "?";
}

/* -- looking things up ------------------------------------------------------------------------- */

uint32_t vcode_function_at(const VcodeModule *module, uint32_t pc)
{
    uint32_t low = 0, high = module->functions.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const VcodeFunction *f = &module->functions.items[middle];
        if (pc < f->code_start)
            high = middle;
        else if (pc - f->code_start >= f->code_count)
            low = middle + 1;
        else
            return middle;
    }
    return VCODE_NONE;
}

const VcodeLine *vcode_line_at(const VcodeModule *module, uint32_t pc)
{
    uint32_t low = 0, high = module->lines.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (module->lines.items[middle].pc <= pc)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? &module->lines.items[low - 1] : NULL;
}

uint32_t vcode_inlined_at(const VcodeModule *module, uint32_t pc)
{
    const VcodeLine *line = vcode_line_at(module, pc);
    uint32_t inlined = line ? line->inlined : VCODE_NONE;
    if (inlined >= module->inlines.count || module->inlines.items[inlined].function != vcode_function_at(module, pc))
        return VCODE_NONE;
    return inlined;
}

bool vcode_inlined_in(const VcodeModule *module, uint32_t inner, uint32_t outer)
{
    while (inner != VCODE_NONE && inner != outer)
        inner = module->inlines.items[inner].parent;
    return inner == outer;
}

uint32_t vcode_inline_depth(const VcodeModule *module, uint32_t inlined)
{
    uint32_t depth = 0;
    for (; inlined != VCODE_NONE; inlined = module->inlines.items[inlined].parent)
        depth++;
    return depth;
}
