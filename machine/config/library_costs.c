/* library_costs.c - section [library] of machine files: the cost of a call, by function.
 *
 *     [library]
 *     memcpy = 20 cycles + 0.0625 cycles/unit      per call, and per byte or element
 *     sin = 45 cycles
 *
 * Any function that the simulator provides may be named. These are the functions of vm/library/library.def, and the MPI
 * functions. The cost of an MPI function is added to what [mpi] says (for a local one it replaces 20 cycles). Functions
 * of the C library that are C code themselves (qsort, strtok) cannot be named: they cost what their instructions cost.
 * A function that is named costs exactly what is written. The factor `library` of [cost] applies to all others.
 */
#include "base/nearest.h"
#include "base/units.h"
#include "machine/config/config.h"

#include <string.h>

static void clear_cost(void *element)
{
    MachLibraryCost *cost = element;
    g_free(cost->value);
    g_free(cost->comment);
}

GArray *mach_library_costs_new(void)
{
    GArray *costs = g_array_new(FALSE, TRUE, sizeof(MachLibraryCost));
    g_array_set_clear_func(costs, clear_cost);
    return costs;
}

static const VmExtern *library_row(const char *name)
{
    size_t n;
    const VmExtern *library = vm_library(&n);
    for (size_t i = 0; i < n; i++)
        if (strcmp(library[i].name, name) == 0)
            return &library[i];
    return NULL;
}

const char *mach_library_function(const char *name)
{
    const VmExtern *row = library_row(name);
    if (row)
        return row->name;
    size_t n;
    const MpiFunctionInfo *mpi = mpi_functions(&n);
    for (size_t i = 0; i < n; i++)
        if (strcmp(mpi[i].name, name) == 0)
            return mpi[i].name;
    return NULL;
}

/* Leaves out names that begin with two underscores: only headers call those functions, no user means them. */
static GPtrArray *function_names(void)
{
    GPtrArray *names = g_ptr_array_new();
    size_t n;
    const VmExtern *library = vm_library(&n);
    for (size_t i = 0; i < n; i++)
        if (!g_str_has_prefix(library[i].name, "__"))
            g_ptr_array_add(names, (char *)library[i].name);
    const MpiFunctionInfo *mpi = mpi_functions(&n);
    for (size_t i = 0; i < n; i++)
        g_ptr_array_add(names, (char *)mpi[i].name);
    g_ptr_array_add(names, NULL);
    return names;
}

char *mach_library_suggestion(const char *name)
{
    g_autoptr(GPtrArray) names = function_names();
    const char *near = base_nearest(name, (const char *const *)names->pdata);
    if (near)
        return g_strdup_printf(", did you mean \"%s\"?", near);
    return g_strdup("; functions that are C code themselves cost what their instructions cost, "
                    "`orrery machines --print` lists the others");
}

MachLibraryCost *mach_library_cost_find(GArray *costs, const char *name)
{
    for (guint i = 0; i < costs->len; i++) {
        MachLibraryCost *cost = &g_array_index(costs, MachLibraryCost, i);
        if (strcmp(cost->name, name) == 0)
            return cost;
    }
    return NULL;
}

/* Scans "N cycles" into *value. `start` is the offset of the part in the whole value. */
static bool scan_part(const char *part, size_t start, uint32_t *value, size_t *where, GError **error)
{
    uint64_t cycles_q8;
    if (!base_units_scan(part, BASE_UNIT_CYCLES, &cycles_q8, where, error)) {
        *where += start;
        return false;
    }
    *where = start + strspn(part, " \t");
    *value = (uint32_t)cycles_q8;
    if (cycles_q8 <= UINT32_MAX)
        return true;
    g_set_error(error, MACH_ERROR, MACH_ERROR_CONFIG, "%s is too large to be possible", part);
    return false;
}

/* Returns the value without its "/unit", or NULL if it does not end with one. */
static char *without_unit(const char *part)
{
    static const char *const words[] = {"/unit", "/byte", "/element", "/B"};
    g_autofree char *text = g_strchomp(g_strdup(part));
    for (size_t i = 0; i < G_N_ELEMENTS(words); i++)
        if (g_str_has_suffix(text, words[i])) {
            text[strlen(text) - strlen(words[i])] = '\0';
            return g_steal_pointer(&text);
        }
    return NULL;
}

/* Scans "BASE", "BASE + UNIT/unit" or "UNIT/unit". */
static bool scan_cost(const char *text, uint32_t *base_q8, uint32_t *unit_q8, size_t *where, GError **error)
{
    const char *plus = strchr(text, '+');
    const char *last = plus ? plus + 1 : text;
    g_autofree char *per_unit = without_unit(last);
    *base_q8 = *unit_q8 = *where = 0;
    if (plus && !per_unit) {
        *where = (size_t)(last - text) + strspn(last, " \t");
        g_set_error(error, MACH_ERROR, MACH_ERROR_CONFIG,
                    "what comes after the + is a cost per byte or element, like 20 cycles + 0.0625 cycles/unit");
        return false;
    }
    if (per_unit && !scan_part(per_unit, (size_t)(last - text), unit_q8, where, error))
        return false;
    if (!plus && per_unit)
        return true;
    g_autofree char *base = g_strchomp(g_strndup(text, plus ? (size_t)(plus - text) : strlen(text)));
    return scan_part(base, 0, base_q8, where, error);
}

bool mach_library_cost_assign(GArray *costs, const char *name, const char *text, size_t *where, GError **error)
{
    uint32_t base_q8, unit_q8;
    const char *known = mach_library_function(name);
    const VmExtern *row = library_row(name);
    g_assert(known);
    if (!scan_cost(text, &base_q8, &unit_q8, where, error))
        return false;
    if (unit_q8 && (!row || !row->unit_q8)) {
        *where = strchr(text, '+') ? (size_t)(strchr(text, '+') - text) : 0;
        g_set_error(error, MACH_ERROR, MACH_ERROR_CONFIG, "%s costs the same for whatever it is given: cycles per call",
                    name);
        return false;
    }
    MachLibraryCost *cost = mach_library_cost_find(costs, name);
    if (!cost) {
        g_array_set_size(costs, costs->len + 1);
        cost = &g_array_index(costs, MachLibraryCost, costs->len - 1);
        cost->name = known;
    }
    char *value = g_strdup(text);
    g_free(cost->value);
    cost->value = value;
    cost->base_q8 = base_q8;
    cost->unit_q8 = unit_q8;
    return true;
}

char *mach_format_library_cost(uint64_t base_q8, uint64_t unit_q8)
{
    char *base = base_units_format_cycles(base_q8);
    if (!unit_q8)
        return base;
    g_autofree char *first = base;
    g_autofree char *unit = base_units_format_cycles(unit_q8);
    return g_strdup_printf("%s + %s/unit", first, unit);
}

/* -- for images -------------------------------------------------------------------------------- */

/* Appends the row of a function. An MPI function gets a second row for its profiling name (PMPI_...). */
static void add_cost(GArray *all, GStringChunk *names, const MachLibraryCost *cost)
{
    VmExternCost row = {cost->name, cost->base_q8, cost->unit_q8};
    g_array_append_val(all, row);
    if (!g_str_has_prefix(cost->name, "MPI_"))
        return;
    g_autofree char *profiling = g_strconcat("P", cost->name, NULL);
    row.name = g_string_chunk_insert(names, profiling);
    g_array_append_val(all, row);
}

void mach_library_costs_append(GArray *all, GStringChunk *names, const GArray *costs)
{
    for (guint i = 0; costs && i < costs->len; i++)
        add_cost(all, names, &g_array_index(costs, MachLibraryCost, i));
}
