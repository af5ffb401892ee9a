/* subject.c - what texts of units depend on, as a hash, by which code is found whose text has been made before.
 *
 * It is on the safe side: all of the program counts, whatever a unit prints of it, and what its instructions cost on
 * the machine at hand.
 */
#include "vm/library/library.h"
#include "vm/translate/translate.h"

static void add_table(GChecksum *sum, const void *items, uint32_t count, size_t size)
{
    g_checksum_update(sum, (const guchar *)&count, sizeof count);
    g_checksum_update(sum, items, (gssize)(count * size));
}

static void add_bindings(GChecksum *sum, const VmImage *image)
{
    for (uint32_t e = 0; e < image->module->externs.count; e++) {
        const VmBinding *binding = &image->bindings[e];
        const uint64_t facts[] = {vm_library_owns(binding->function), binding->base_q8, binding->unit_q16};
        add_table(sum, facts, G_N_ELEMENTS(facts), sizeof facts[0]);
        g_checksum_update(sum, (const guchar *)binding->function->name, -1);
    }
}

char *vm_unit_subject(const VmImage *image, uint64_t low)
{
    const VcodeModule *m = image->module;
    GChecksum *sum = g_checksum_new(G_CHECKSUM_SHA256);
#define TABLE(field, record) add_table(sum, m->field.items, m->field.count, sizeof(record));
    VCODE_TABLES(TABLE)
#undef TABLE
    const uint64_t places[] = {low, m->bss_bytes, m->data_base, image->keeps_fenv, image->asks_flags};
    add_table(sum, places, G_N_ELEMENTS(places), sizeof places[0]);
    add_table(sum, &image->costs, 1, offsetof(VmCosts, externs)); /* which are in the bindings */
    add_bindings(sum, image);
    char *subject = g_strdup(g_checksum_get_string(sum));
    g_checksum_free(sum);
    return subject;
}
