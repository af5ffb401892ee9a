/* tiers.c - decides when native code is made (vm.h). It is not made for runs that end before it would be ready.
 *
 *   interp   never
 *   native   before the first instruction
 *   auto     in the background, once a run has taken some time: what the cache has at once, the rest a little later
 *            (vm/native/native.c); ranks enter when it is ready
 *
 * The host's clock decides, but that cannot show in a simulation: both tiers give the same results.
 */
#include "machine/run/tiers.h"
#include "machine/run/run.h"

enum { SHORT_RUN_US = 20000, NEXT_LOOK_US = 100000, LOOKS = 4 };

struct MachTiers {
    Machine *machine;
    GPtrArray *natives; /* VmNative */
    GHashTable *seen;   /* images that are or will be compiled; never iterated */
    GThread *main;
    gint64 due; /* monotonic time of the next look; 0: nothing more to begin or to report */
    bool begun;
    unsigned looks;
};

/* Returns whether every access of all ranks is observed from the start (caches, --check). Then native code would never
 * be entered. */
static bool all_watched(const Machine *machine)
{
    uint32_t rank = 0;
    while (rank < machine->ranks && vm_rank_is_watched(vm_world_rank(machine->vm, rank)))
        rank++;
    return rank == machine->ranks;
}

static void tell(MachTiers *tiers, const GError *error)
{
    tiers->due = 0;
    mach_run_note(tiers->machine, "the interpreter runs the program alone: %s", error->message);
}

/* Begins with the image of a rank, unless it has begun with that. */
static bool begin_with(MachTiers *tiers, uint32_t index)
{
    Machine *machine = tiers->machine;
    const VmRank *rank = vm_world_rank(machine->vm, index);
    if (!g_hash_table_add(tiers->seen, vm_rank_image(rank)))
        return true;
    g_autoptr(GError) error = NULL;
    VmNative *native = vm_native_start(rank, machine->options.tier == MACH_TIER_NATIVE, &error);
    if (native)
        g_ptr_array_add(tiers->natives, native);
    else
        tell(tiers, error);
    return native;
}

static void begin(MachTiers *tiers)
{
    tiers->begun = true;
    for (uint32_t rank = 0; rank < tiers->machine->ranks; rank++)
        if (!begin_with(tiers, rank))
            return;
}

void mach_tiers_came(MachTiers *tiers, uint32_t rank)
{
    if (tiers && tiers->begun)
        begin_with(tiers, rank);
}

static void finish(MachTiers *tiers)
{
    bool told = false;
    for (guint i = 0; i < tiers->natives->len; i++) {
        g_autoptr(GError) error = NULL;
        vm_native_wait(g_ptr_array_index(tiers->natives, i), &error);
        if (error && !told)
            tell(tiers, error);
        told |= error != NULL;
    }
}

/* Looks whether the compiler has failed meanwhile, and reports that once. */
static void look_at_work(MachTiers *tiers)
{
    for (guint i = 0; i < tiers->natives->len && tiers->due; i++) {
        g_autoptr(GError) error = vm_native_problem(g_ptr_array_index(tiers->natives, i));
        if (error)
            tell(tiers, error);
    }
}

/* Tells a user who asked for native code what of the machine only the interpreter can do. */
static void say_what_is_interpreted(Machine *machine)
{
    const VmCosts *costs = &machine->config->costs;
    const char *key = NULL, *value = NULL;
    if (costs->execution == VM_EXECUTION_OUT_OF_ORDER) {
        key = "cost.execution";
        value = vm_timing_executions()[costs->execution];
    } else if (costs->predictor != VM_PREDICTOR_NONE) {
        key = "cost.branch-predictor";
        value = vm_predictors()[costs->predictor];
    }
    if (key)
        mach_run_note(machine, "with %s = %s the interpreter runs the program, and --tier native changes nothing", key,
                      value);
}

MachTiers *mach_tiers_new(Machine *machine)
{
    if (machine->options.tier == MACH_TIER_INTERP || all_watched(machine))
        return NULL;
    MachTiers *tiers = g_new0(MachTiers, 1);
    tiers->machine = machine;
    tiers->natives = g_ptr_array_new_with_free_func((GDestroyNotify)vm_native_free);
    tiers->seen = g_hash_table_new(NULL, NULL);
    tiers->main = g_thread_self();
    if (machine->options.tier == MACH_TIER_NATIVE) {
        say_what_is_interpreted(machine);
        begin(tiers);
        finish(tiers);
    } else {
        tiers->due = g_get_monotonic_time() + SHORT_RUN_US;
    }
    return tiers;
}

G_GNUC_NO_INLINE void mach_tiers_look(MachTiers *tiers, bool long_since)
{
    if (!tiers || !tiers->due || tiers->main != g_thread_self() || (!long_since && ++tiers->looks % LOOKS))
        return;
    gint64 now = g_get_monotonic_time();
    if (now < tiers->due)
        return;
    tiers->due = now + NEXT_LOOK_US;
    if (tiers->begun)
        look_at_work(tiers);
    else
        begin(tiers);
}

void mach_tiers_free(MachTiers *tiers)
{
    if (!tiers)
        return;
    g_ptr_array_unref(tiers->natives);
    g_hash_table_unref(tiers->seen);
    g_free(tiers);
}
