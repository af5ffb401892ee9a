/* tiers.c - when native code is made (vm.h): never for runs that are over before it would be there.
 *
 *   interp   never
 *   native   before the first instruction
 *   auto     in the background, once a run has taken some time; ranks enter when it is ready
 *
 * The host's clock decides, and nothing that is simulated can tell: both tiers give the same results.
 */
#include "machine/internal.h"

enum { SHORT_RUN_US = 60000, LOOKS = 4 };

struct MachTiers {
    Machine *machine;
    GPtrArray *natives; /* VmNative */
    GThread *main;
    gint64 due; /* monotonic time; 0: nothing more to begin */
    unsigned looks;
};

static void begin(MachTiers *tiers)
{
    Machine *machine = tiers->machine;
    g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
    for (uint32_t r = 0; r < machine->ranks; r++) {
        const VmRank *rank = vm_world_rank(machine->vm, r);
        if (!g_hash_table_add(seen, vm_rank_image(rank)))
            continue;
        g_autoptr(GError) error = NULL;
        VmNative *native = vm_native_start(rank, machine->options.tier == MACH_TIER_NATIVE, &error);
        if (!native) {
            mach_note(machine, "%s", error->message);
            return;
        }
        g_ptr_array_add(tiers->natives, native);
    }
}

static void finish(MachTiers *tiers)
{
    for (guint i = 0; i < tiers->natives->len; i++) {
        g_autoptr(GError) error = NULL;
        vm_native_wait(g_ptr_array_index(tiers->natives, i), &error);
        if (error)
            mach_note(tiers->machine, "%s", error->message);
    }
}

MachTiers *mach_tiers_new(Machine *machine)
{
    if (machine->options.tier == MACH_TIER_INTERP)
        return NULL;
    MachTiers *tiers = g_new0(MachTiers, 1);
    tiers->machine = machine;
    tiers->natives = g_ptr_array_new_with_free_func((GDestroyNotify)vm_native_free);
    tiers->main = g_thread_self();
    if (machine->options.tier == MACH_TIER_NATIVE) {
        begin(tiers);
        finish(tiers);
    } else {
        tiers->due = g_get_monotonic_time() + SHORT_RUN_US;
    }
    return tiers;
}

void mach_tiers_look(MachTiers *tiers, bool long_since)
{
    if (!tiers || !tiers->due || tiers->main != g_thread_self() || (!long_since && ++tiers->looks % LOOKS))
        return;
    if (g_get_monotonic_time() < tiers->due)
        return;
    tiers->due = 0;
    begin(tiers);
}

void mach_tiers_free(MachTiers *tiers)
{
    if (!tiers)
        return;
    g_ptr_array_unref(tiers->natives);
    g_free(tiers);
}
