/* units.c - programs cut into units for the C compiler.
 *
 * How long a C compiler takes grows with what it gets: some thousand instructions of vCode take it seconds. So the
 * first unit of a large program is small and has what matters most; what a run shows later makes further ones. Calls
 * within a unit are direct and may be inlined, those between units go through a table (State.functions); hence a hot
 * function brings what it calls in loops along.
 *
 * What units a program had is kept from run to run, so that later runs find them in the cache of compiled code at once,
 * although what they see themselves would have them cut it a little differently.
 */
#include "vm/native/units.h"

#include "vm/translate/translate.h"

#include <stdlib.h>
#include <string.h>

enum {
    SINGLE = 4000, /* instructions of a program that is one unit */
    FIRST = 1500,  /* of the first unit of another, and of the ones behind it */
    OTHER = 3000,
    LEAST_UNIT = 16,
    MOST_UNITS = 250, /* each keeps a file open */
    SMALL = 48        /* a function that may be in several units */
};
#define TITLE "orrery units 1\n"

struct VmUnits {
    const VmImage *image;
    uint32_t single, first, other; /* sizes */
    uint64_t total;                /* instructions of all that can be printed */
    uint8_t *fit, *taken;          /* by function */
    uint32_t next;                 /* functions below are all taken */
    GPtrArray *units;
};

static uint32_t size_of(const VmUnits *units, uint32_t function)
{
    return units->image->module->functions.items[function].code_count;
}

/* A size that is asked for may make so many units that there are too few files for them. */
static void choose_sizes(VmUnits *units)
{
    const char *asked = g_getenv("ORRERY_UNIT");
    guint64 size;
    units->single = SINGLE;
    units->first = FIRST;
    units->other = OTHER;
    if (asked && g_ascii_string_to_unsigned(asked, 10, 1, UINT32_MAX, &size, NULL))
        units->single = units->first = units->other = MAX((uint32_t)size, LEAST_UNIT);
    units->other = (uint32_t)MAX(units->other, 2 * units->total / MOST_UNITS);
}

VmUnits *vm_units_new(const VmImage *image)
{
    VmUnits *units = g_new0(VmUnits, 1);
    uint32_t count = image->module->functions.count;
    units->image = image;
    units->fit = g_new(uint8_t, count + 1);
    units->taken = g_new0(uint8_t, count + 1);
    units->units = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
    for (uint32_t f = 0; f < count; f++) {
        units->fit[f] = vm_flow_fits(image, f);
        units->total += units->fit[f] ? size_of(units, f) : 0;
    }
    choose_sizes(units);
    return units;
}

void vm_units_free(VmUnits *units)
{
    if (!units)
        return;
    g_ptr_array_unref(units->units);
    g_free(units->fit);
    g_free(units->taken);
    g_free(units);
}

bool vm_units_single(const VmUnits *units)
{
    return units->total <= units->single;
}

/* -- gathering --------------------------------------------------------------------------------- */

/* A unit that is being made: its functions in the order of their coming. */
typedef struct Gathering {
    VmUnits *units;
    GArray *functions;
    uint8_t *here;
    uint64_t room;
} Gathering;

static Gathering begin(VmUnits *units)
{
    uint64_t room = vm_units_single(units) ? UINT64_MAX : units->units->len ? units->other : units->first;
    return (Gathering){units, g_array_new(FALSE, FALSE, sizeof(uint32_t)),
                       g_new0(uint8_t, units->image->module->functions.count + 1), room};
}

/* One that is larger than a unit should be is one alone. */
static bool add(Gathering *g, uint32_t function)
{
    uint32_t size = size_of(g->units, function);
    if (g->here[function] || !g->units->fit[function] || (g->functions->len && size > g->room))
        return false;
    g_array_append_val(g->functions, function);
    g->here[function] = true;
    g->room -= MIN(g->room, size);
    return true;
}

typedef struct Jumps {
    int32_t *depth; /* by instruction: how many backward jumps begin to span it, less those that end to */
    uint32_t at;
} Jumps;

static void note_jump(void *user, uint32_t target)
{
    Jumps *jumps = user;
    if (target > jumps->at)
        return;
    jumps->depth[target]++;
    jumps->depth[jumps->at + 1]--;
}

/* Adds what a function calls: all of it, or in loops only, which here is all code that a backward jump spans. */
static void add_called(Gathering *g, uint32_t function, bool only_in_loops)
{
    const VcodeModule *m = g->units->image->module;
    const VcodeFunction *f = &m->functions.items[function];
    g_autofree int32_t *depth = g_new0(int32_t, f->code_count + 2);
    for (uint32_t i = 0; i < f->code_count; i++)
        vm_code_goes_to(m, i, m->code.items[f->code_start + i], note_jump, &(Jumps){depth, i});
    int32_t now = 0;
    for (uint32_t i = 0; i < f->code_count; i++) {
        VcodeInstr instruction = m->code.items[f->code_start + i];
        now += depth[i];
        if (vcode_op(instruction) != VCODE_CALL || (only_in_loops && now == 0))
            continue;
        uint32_t callee = (uint32_t)vcode_imm32(instruction);
        if (!g->units->taken[callee] || size_of(g->units, callee) <= SMALL)
            add(g, callee);
    }
}

/* A function, those that it calls, those that these call, and so on, as far as there is room. */
static void add_with_called(Gathering *g, uint32_t function, bool only_in_loops)
{
    guint from = g->functions->len;
    if (!add(g, function))
        return;
    for (guint k = from; k < g->functions->len; k++)
        add_called(g, g_array_index(g->functions, uint32_t, k), only_in_loops);
}

static int compare_numbers(const void *left, const void *right)
{
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return a < b ? -1 : a > b;
}

static const GArray *finish(Gathering *g)
{
    g_free(g->here);
    if (!g->functions->len) {
        g_array_unref(g->functions);
        return NULL;
    }
    g_array_sort(g->functions, compare_numbers);
    vm_units_accept(g->units, g->functions);
    return g->functions;
}

void vm_units_accept(VmUnits *units, GArray *functions)
{
    for (guint k = 0; k < functions->len; k++)
        units->taken[g_array_index(functions, uint32_t, k)] = true;
    g_ptr_array_add(units->units, functions);
}

const GArray *vm_units_next(VmUnits *units)
{
    uint32_t count = units->image->module->functions.count;
    Gathering g = begin(units);
    for (uint32_t f = units->next; f < count && g.room >= LEAST_UNIT; f++) {
        if (!units->taken[f])
            add_with_called(&g, f, false);
    }
    const GArray *unit = finish(&g);
    while (units->next < count && (units->taken[units->next] || !units->fit[units->next]))
        units->next++;
    return unit;
}

typedef struct Hot {
    uint32_t function, count;
} Hot;

static int compare_hot(const void *left, const void *right)
{
    const Hot *a = left, *b = right;
    if (a->count != b->count)
        return a->count > b->count ? -1 : 1;
    return compare_numbers(&a->function, &b->function);
}

const GArray *vm_units_next_hot(VmUnits *units, const uint32_t *counts)
{
    if (units->units->len >= MOST_UNITS)
        return NULL;
    g_autoptr(GArray) hot = g_array_new(FALSE, FALSE, sizeof(Hot));
    for (uint32_t f = 0; f < units->image->module->functions.count; f++)
        if (counts[f] && units->fit[f] && !units->taken[f])
            g_array_append_val(hot, ((Hot){f, counts[f]}));
    g_array_sort(hot, compare_hot);
    Gathering g = begin(units);
    for (guint k = 0; k < hot->len && g.room >= LEAST_UNIT; k++)
        add_with_called(&g, g_array_index(hot, Hot, k).function, true);
    return finish(&g);
}

/* -- from run to run --------------------------------------------------------------------------- */

char *vm_units_write(const VmUnits *units)
{
    GString *out = g_string_new(TITLE);
    for (guint u = 0; u < units->units->len; u++) {
        const GArray *functions = g_ptr_array_index(units->units, u);
        for (guint k = 0; k < functions->len; k++)
            g_string_append_printf(out, "%s%u", k ? " " : "", g_array_index(functions, uint32_t, k));
        g_string_append_c(out, '\n');
    }
    return g_string_free(out, FALSE);
}

/* A line's functions; NULL where it has others than ascending ones that can be printed. */
static GArray *read_unit(const VmUnits *units, const char *line)
{
    GArray *functions = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    g_auto(GStrv) words = g_strsplit(line, " ", -1);
    guint64 least = 0, number;
    for (char **word = words; *word; word++) {
        uint32_t count = units->image->module->functions.count;
        if (least >= count || !g_ascii_string_to_unsigned(*word, 10, least, count - 1, &number, NULL) ||
            !units->fit[number]) {
            g_array_unref(functions);
            return NULL;
        }
        least = number + 1;
        g_array_append_val(functions, ((uint32_t){(uint32_t)number}));
    }
    return functions;
}

GPtrArray *vm_units_read(const VmUnits *units, const char *text, gsize length)
{
    g_autofree char *copy = g_strndup(text, length);
    if (!g_str_has_prefix(copy, TITLE))
        return NULL;
    g_auto(GStrv) lines = g_strsplit(copy + strlen(TITLE), "\n", -1);
    GPtrArray *read = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
    for (char **line = lines; *line && **line && read->len < MOST_UNITS; line++) {
        GArray *functions = read_unit(units, *line);
        if (!functions) {
            g_ptr_array_unref(read);
            return NULL;
        }
        g_ptr_array_add(read, functions);
    }
    return read;
}

char *vm_units_subject(const VmUnits *units)
{
    const VcodeModule *m = units->image->module;
    GChecksum *sum = g_checksum_new(G_CHECKSUM_SHA256);
    g_checksum_update(sum, (const guchar *)m->code.items, (gssize)(m->code.count * sizeof *m->code.items));
    for (uint32_t f = 0; f < m->functions.count; f++)
        g_checksum_update(sum, (const guchar *)&m->functions.items[f].code_start,
                          sizeof m->functions.items[f].code_start);
    char *subject =
        g_strdup_printf(TITLE "%u %u %u\n%s", units->single, units->first, units->other, g_checksum_get_string(sum));
    g_checksum_free(sum);
    return subject;
}
