/* link_set.c - which objects take part in a link: those given, and the members of archives that are needed.
 *
 *     object    defines names and wants names
 *     archive   offers names: the first member that offers a name supplies it
 *
 * A wanted name that is not defined draws the member that offers it, and that may want further names. All linkers
 * follow that rule. Here the position of archives on the command line does not matter (a later one may want names of an
 * earlier one). Only their order among each other does: the first offer counts.
 */
#include "cli/build/link_set.h"
#include "cli/build/build.h"
#include "vcode/vcode.h"

struct LinkSet {
    GPtrArray *objects;           /* VcodeModule *, in link order */
    GPtrArray *archives;          /* GPtrArray * of VcodeModule *; each owns its members, linked or not */
    GPtrArray *owned;             /* VcodeModule * that were given directly */
    GHashTable *defined, *wanted; /* sets of names, which belong to the modules or to `names` */
    GHashTable *offered;          /* name -> VcodeModule * of an archive that supplies it */
    GHashTable *drawn;            /* set of VcodeModule * from archives that are in `objects` */
    GStringChunk *names;
};

static void free_module(gpointer module)
{
    vcode_module_free(module);
}

LinkSet *cli_link_set_new(void)
{
    LinkSet *set = g_new0(LinkSet, 1);
    set->objects = g_ptr_array_new();
    set->archives = g_ptr_array_new_with_free_func((GDestroyNotify)g_ptr_array_unref);
    set->owned = g_ptr_array_new_with_free_func(free_module);
    set->defined = g_hash_table_new(g_str_hash, g_str_equal);
    set->wanted = g_hash_table_new(g_str_hash, g_str_equal);
    set->offered = g_hash_table_new(g_str_hash, g_str_equal);
    set->drawn = g_hash_table_new(NULL, NULL);
    set->names = g_string_chunk_new(256);
    return set;
}

void cli_link_set_free(LinkSet *set)
{
    if (!set)
        return;
    g_ptr_array_unref(set->objects);
    g_hash_table_destroy(set->defined);
    g_hash_table_destroy(set->wanted);
    g_hash_table_destroy(set->offered);
    g_hash_table_destroy(set->drawn);
    g_ptr_array_unref(set->archives);
    g_ptr_array_unref(set->owned);
    g_string_chunk_free(set->names);
    g_free(set);
}

static bool is_definition(const VcodeSymbol *symbol)
{
    return symbol->section != VCODE_SECTION_UNDEFINED && symbol->binding != VCODE_LOCAL;
}

/* Enters what an object defines and wants, and draws members that it wants. A work list replaces recursion, as chains
 * of members can be long. */
static void take(LinkSet *set, VcodeModule *object)
{
    g_autoptr(GPtrArray) work = g_ptr_array_new();
    g_ptr_array_add(work, object);
    for (guint next = 0; next < work->len; next++) {
        VcodeModule *module = g_ptr_array_index(work, next);
        g_ptr_array_add(set->objects, module);
        for (uint32_t i = 0; i < module->symbols.count; i++)
            if (is_definition(&module->symbols.items[i]))
                g_hash_table_add(set->defined, (gpointer)vcode_text(module, module->symbols.items[i].name));
        for (uint32_t i = 0; i < module->symbols.count; i++) {
            const VcodeSymbol *symbol = &module->symbols.items[i];
            const char *name = vcode_text(module, symbol->name);
            if (symbol->section != VCODE_SECTION_UNDEFINED || symbol->binding != VCODE_GLOBAL ||
                g_hash_table_contains(set->defined, name))
                continue;
            VcodeModule *member = g_hash_table_lookup(set->offered, name);
            if (member && g_hash_table_add(set->drawn, member))
                g_ptr_array_add(work, member);
            else if (!member)
                g_hash_table_add(set->wanted, (gpointer)name);
        }
    }
}

void cli_link_set_add(LinkSet *set, VcodeModule *object)
{
    g_ptr_array_add(set->owned, object);
    take(set, object);
}

static bool draw(LinkSet *set, VcodeModule *member)
{
    if (member && g_hash_table_add(set->drawn, member))
        take(set, member);
    return member;
}

void cli_link_set_add_archive(LinkSet *set, GPtrArray *modules)
{
    g_ptr_array_add(set->archives, modules);
    for (guint m = 0; m < modules->len; m++) {
        VcodeModule *module = g_ptr_array_index(modules, m);
        for (uint32_t i = 0; i < module->symbols.count; i++) {
            gpointer name = (gpointer)vcode_text(module, module->symbols.items[i].name);
            if (is_definition(&module->symbols.items[i]) && !g_hash_table_contains(set->offered, name))
                g_hash_table_insert(set->offered, name, module);
        }
    }
    /* Members that define names wanted before are drawn in order, each at most once. */
    for (guint m = 0; m < modules->len; m++) {
        VcodeModule *module = g_ptr_array_index(modules, m);
        for (uint32_t i = 0; i < module->symbols.count; i++) {
            const char *name = vcode_text(module, module->symbols.items[i].name);
            if (is_definition(&module->symbols.items[i]) && g_hash_table_contains(set->wanted, name) &&
                !g_hash_table_contains(set->defined, name) && g_hash_table_lookup(set->offered, name) == module)
                draw(set, module);
        }
    }
}

void cli_link_set_need(LinkSet *set, const char *name)
{
    if (!g_hash_table_contains(set->defined, name) && !draw(set, g_hash_table_lookup(set->offered, name)))
        g_hash_table_add(set->wanted, g_string_chunk_insert_const(set->names, name));
}

bool cli_link_set_find(LinkSet *set, const char *name)
{
    return g_hash_table_contains(set->defined, name) || draw(set, g_hash_table_lookup(set->offered, name));
}

const GPtrArray *cli_link_set_objects(const LinkSet *set)
{
    return set->objects;
}
