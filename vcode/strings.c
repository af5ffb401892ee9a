/* strings.c - the strings of a module, each stored once.
 *
 * The index exists only while a module is being built. It is made from the table when first used, so it also works on a
 * module that was read. It is looked up but never iterated over, so hash order cannot affect any output.
 */
#include "vcode/vcode.h"

#include <string.h>

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
