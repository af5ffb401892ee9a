/* constants.c - the constants of a module.
 *
 * Equal constants are shared, unless the caller asks for a fresh one. Constants of a module that was read are never
 * shared, because relocations may fill them. Nothing iterates over the index, as in strings.c.
 */
#include "vcode/vcode.h"

_Static_assert(sizeof(void *) == 8, "constants are kept as hash table keys");

/* Many doubles differ in their high bits only, and g_direct_hash() would drop those. */
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
