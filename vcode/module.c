/* module.c - the module in memory: tables that grow.
 *
 * A table is {items, count, capacity}. The reader leaves capacity 0: then items points into module->file_bytes. The
 * first growth copies such items, so a module that was read can be extended like one that was built. Capacity thus
 * tells who owns the items, and freeing a module needs no flag.
 */
#include "vcode/vcode.h"

#include <string.h>

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

void vcode_module_grow_(void **items, uint32_t *count, uint32_t *capacity, size_t record, uint32_t more)
{
    g_assert(*count <= UINT32_MAX - 1 - more); /* so that VCODE_NONE is never an index */
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
    if (more) /* `items` is NULL in a table that has never grown */
        memset((char *)*items + *count * record, 0, more * record);
    *count = needed;
}
