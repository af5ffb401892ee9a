/* units.c - programs cut into units for the C compiler.
 *
 * How long a C compiler takes grows with what it gets: a thousand instructions of vCode take it half a second, quickly
 * compiled. So the first unit of a run is small and has what matters most: of a large function the loop that is hot.
 * Further ones are each twice as large. Calls within a unit are direct and may be inlined, those between units go
 * through a table (State.functions); hence a hot function brings what it calls in loops along.
 *
 * What units a program had is kept from run to run, so that later runs find them in the cache of compiled code at once,
 * although what they see themselves would have them cut it a little differently.
 */
#include "vm/native/units.h"

#include "vm/translate/translate.h"

#include <stdlib.h>
#include <string.h>

enum {
    HOTTEST = 300, /* instructions of the first unit of what is hot that is to be there soon */
    FIRST = 1500,  /* ... of the first of all others, and of the ones behind it */
    OTHER = 3000,
    LEAST_UNIT = 16,
    MOST_UNITS = 250,   /* each keeps a file open */
    SMALL = 48,         /* a function that may be in several units */
    LARGE = 200,        /* a function of which a hot loop may be compiled alone, */
    MOST_ALONE = 2,     /* but not more than these, */
    MOST_IN_LOOP = 400, /* with so many instructions at most */
    HOT = 64            /* what has less than this part of the most samples is not worth full effort */
};
#define TITLE "orrery units 3\n"

static const char *const effort_names[VM_COMPILER_EFFORTS] = {"quick", "full"};

struct VmUnits {
    const VmImage *image;
    uint32_t first, other; /* sizes */
    uint64_t total;        /* instructions of all that can be printed */
    uint8_t *fit;          /* by function */
    uint8_t *taken[VM_COMPILER_EFFORTS];
    uint32_t next[VM_COMPILER_EFFORTS]; /* functions below are all taken */
    uint32_t count[VM_COMPILER_EFFORTS];
    uint8_t *partly;  /* by function: how many loops have been compiled alone */
    GArray *alone;    /* VmLoopPlace: which */
    GPtrArray *units; /* VmUnitCut */
    bool only_loops;  /* for tests: of functions with loops, only these are compiled, each alone; next come: */
    uint32_t loop_function, loop_from;
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
    units->first = FIRST;
    units->other = OTHER;
    if (asked && g_ascii_string_to_unsigned(asked, 10, 1, UINT32_MAX, &size, NULL))
        units->first = units->other = MAX((uint32_t)size, LEAST_UNIT);
    units->other = (uint32_t)MAX(units->other, 2 * units->total / MOST_UNITS);
}

VmUnits *vm_units_new(const VmImage *image)
{
    VmUnits *units = g_new0(VmUnits, 1);
    uint32_t count = image->module->functions.count;
    units->image = image;
    units->fit = g_new(uint8_t, count + 1);
    for (unsigned e = 0; e < VM_COMPILER_EFFORTS; e++)
        units->taken[e] = g_new0(uint8_t, count + 1);
    units->units = g_ptr_array_new_with_free_func((GDestroyNotify)vm_unit_cut_free);
    units->partly = g_new0(uint8_t, count + 1);
    units->alone = g_array_new(FALSE, FALSE, sizeof(VmLoopPlace));
    units->only_loops = g_strcmp0(g_getenv("ORRERY_EFFORT"), "loops") == 0;
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
    g_array_unref(units->alone);
    g_free(units->partly);
    g_free(units->fit);
    for (unsigned e = 0; e < VM_COMPILER_EFFORTS; e++)
        g_free(units->taken[e]);
    g_free(units);
}

void vm_unit_cut_free(VmUnitCut *cut)
{
    g_array_unref(cut->functions);
    g_free(cut);
}

bool vm_units_small(const VmUnits *units)
{
    return units->total <= units->first;
}

/* -- gathering --------------------------------------------------------------------------------- */

/* A unit that is being made: its functions in the order of their coming. */
typedef struct Gathering {
    VmUnits *units;
    VmCompilerEffort effort;
    GArray *functions;
    uint8_t *here;
    uint64_t room;
    VmLoopPlace loop;
} Gathering;

static Gathering begin(VmUnits *units, VmCompilerEffort effort, bool soon)
{
    uint64_t room = units->count[effort] ? units->other : units->first;
    if (soon)
        room = MIN(room, (uint64_t)HOTTEST << MIN(units->count[effort], 16));
    return (Gathering){units,
                       effort,
                       g_array_new(FALSE, FALSE, sizeof(uint32_t)),
                       g_new0(uint8_t, units->image->module->functions.count + 1),
                       room,
                       {.function = VCODE_NONE}};
}

/* One that is larger than a unit should be is one alone. */
static bool add(Gathering *g, uint32_t function)
{
    uint32_t size = function == g->loop.function ? g->loop.end - g->loop.start : size_of(g->units, function);
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

/* Whether an instruction is not in the loop that is all of its function here. */
static bool is_left_out(const Gathering *g, uint32_t function, uint32_t pc)
{
    return g->loop.function == function && (pc < g->loop.start || pc >= g->loop.end);
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
        if (vcode_op(instruction) != VCODE_CALL || (only_in_loops && now == 0) ||
            is_left_out(g, function, f->code_start + i))
            continue;
        uint32_t callee = (uint32_t)vcode_imm32(instruction);
        if (!g->units->taken[g->effort][callee] || size_of(g->units, callee) <= SMALL)
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

static const VmUnitCut *finish(Gathering *g)
{
    g_free(g->here);
    if (!g->functions->len) {
        g_array_unref(g->functions);
        return NULL;
    }
    g_array_sort(g->functions, compare_numbers);
    VmUnitCut *cut = g_new(VmUnitCut, 1);
    *cut = (VmUnitCut){g->effort, g->functions, g->loop};
    vm_units_accept(g->units, cut);
    return cut;
}

void vm_units_accept(VmUnits *units, VmUnitCut *cut)
{
    for (guint k = 0; k < cut->functions->len; k++) {
        uint32_t function = g_array_index(cut->functions, uint32_t, k);
        for (unsigned e = 0; e <= cut->effort && function != cut->loop.function; e++)
            units->taken[e][function] = true; /* who has the better code needs no other */
    }
    if (cut->loop.function != VCODE_NONE) {
        units->partly[cut->loop.function]++;
        g_array_append_val(units->alone, cut->loop);
    }
    units->count[cut->effort]++;
    g_ptr_array_add(units->units, cut);
}

/* A loop without the rest of its function, with what it calls. */
static const VmUnitCut *take_alone(VmUnits *units, const VmLoopPlace *place)
{
    Gathering g = begin(units, VM_COMPILER_QUICK, true);
    g.loop = *place;
    add_with_called(&g, place->function, false);
    return finish(&g);
}

/* Loop after loop, and behind the last one of a function the next function. */
static const VmUnitCut *next_alone(VmUnits *units)
{
    uint32_t *f = &units->loop_function;
    for (; *f < units->image->module->functions.count; ++*f, units->loop_from = 0) {
        VmLoopPlace place;
        VmFlow *flow = units->fit[*f] ? vm_flow_new(units->image, *f) : NULL;
        bool found = flow && vm_partition_next_loop(flow, units->loop_from, MOST_IN_LOOP, &place);
        g_clear_pointer(&flow, vm_flow_free);
        if (found) {
            units->loop_from = place.header + 1;
            return take_alone(units, &place);
        }
        units->taken[VM_COMPILER_QUICK][*f] |= units->partly[*f] > 0;
    }
    return NULL;
}

const VmUnitCut *vm_units_next(VmUnits *units, VmCompilerEffort effort)
{
    uint32_t count = units->image->module->functions.count, *next = &units->next[effort];
    const uint8_t *taken = units->taken[effort];
    const VmUnitCut *alone = units->only_loops ? next_alone(units) : NULL;
    if (alone)
        return alone;
    Gathering g = begin(units, effort, false);
    for (uint32_t f = *next; f < count && g.room >= LEAST_UNIT; f++) {
        if (!taken[f])
            add_with_called(&g, f, false);
    }
    const VmUnitCut *unit = finish(&g);
    while (*next < count && (taken[*next] || !units->fit[*next]))
        ++*next;
    return unit;
}

/* -- what is hot ------------------------------------------------------------------------------- */

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

static uint32_t sum(const uint32_t *counts, uint32_t from, uint32_t to)
{
    uint32_t all = 0;
    for (uint32_t pc = from; pc < to; pc++)
        all += counts[pc];
    return all;
}

/* Of a function, but, where that is for code that is to be there soon, for loops that have been compiled. */
static uint32_t count_of(const VmUnits *units, uint32_t function, VmCompilerEffort effort, const uint32_t *counts)
{
    const VcodeFunction *f = &units->image->module->functions.items[function];
    uint32_t all = sum(counts, f->code_start, f->code_start + f->code_count), done = 0;
    for (guint k = 0; effort == VM_COMPILER_QUICK && units->partly[function] && k < units->alone->len; k++) {
        const VmLoopPlace *place = &g_array_index(units->alone, VmLoopPlace, k);
        done += place->function == function ? sum(counts, place->start, place->end) : 0;
    }
    return all - MIN(all, done);
}

static bool is_alone(const VmUnits *units, uint32_t header)
{
    for (guint k = 0; k < units->alone->len; k++)
        if (g_array_index(units->alone, VmLoopPlace, k).header == header)
            return true;
    return false;
}

/* The loop in which a large function spends most of its time, unless that is nearly all of it. */
static bool find_hot_loop(const VmUnits *units, Hot hot, const uint32_t *counts, VmLoopPlace *hottest)
{
    uint32_t size = size_of(units, hot.function), most = hot.count / 2;
    if (size < LARGE || units->partly[hot.function] >= MOST_ALONE)
        return false;
    VmFlow *flow = vm_flow_new(units->image, hot.function);
    bool found = false;
    VmLoopPlace place;
    for (uint32_t from = 0; flow && vm_partition_next_loop(flow, from, MIN(MOST_IN_LOOP, size / 2), &place);
         from = place.header + 1) {
        uint32_t count = sum(counts, place.start, place.end);
        if (count > most && !is_alone(units, place.header)) {
            most = count;
            *hottest = place;
            found = true;
        }
    }
    g_clear_pointer(&flow, vm_flow_free);
    return found;
}

static GArray *find_hot(const VmUnits *units, VmCompilerEffort effort, const uint32_t *counts)
{
    uint32_t count = units->image->module->functions.count, most = 0;
    g_autofree uint32_t *of = g_new(uint32_t, count + 1);
    for (uint32_t f = 0; f < count; f++) {
        of[f] = count_of(units, f, effort, counts);
        most = MAX(most, of[f]);
    }
    uint32_t least = effort == VM_COMPILER_QUICK ? 1 : most / HOT + 1;
    GArray *hot = g_array_new(FALSE, FALSE, sizeof(Hot));
    for (uint32_t f = 0; f < count; f++)
        if (of[f] >= least && units->fit[f] && !units->taken[effort][f])
            g_array_append_val(hot, ((Hot){f, of[f]}));
    g_array_sort(hot, compare_hot);
    return hot;
}

const VmUnitCut *vm_units_next_hot(VmUnits *units, VmCompilerEffort effort, const uint32_t *counts)
{
    if (units->units->len >= MOST_UNITS)
        return NULL;
    g_autoptr(GArray) hot = find_hot(units, effort, counts);
    VmLoopPlace place;
    if (effort == VM_COMPILER_QUICK && hot->len && find_hot_loop(units, g_array_index(hot, Hot, 0), counts, &place))
        return take_alone(units, &place);
    Gathering g = begin(units, effort, effort == VM_COMPILER_QUICK);
    for (guint k = 0; k < hot->len && g.room >= LEAST_UNIT; k++)
        add_with_called(&g, g_array_index(hot, Hot, k).function, true);
    return finish(&g);
}

/* -- from run to run --------------------------------------------------------------------------- */

/* "quick @12:340:345:377 12 15": a loop of function 12, and all of function 15. */
static void write_cut(const VmUnitCut *cut, GString *out)
{
    g_string_append(out, effort_names[cut->effort]);
    if (cut->loop.function != VCODE_NONE)
        g_string_append_printf(out, " @%u:%u:%u:%u", cut->loop.function, cut->loop.start, cut->loop.header,
                               cut->loop.end);
    for (guint k = 0; k < cut->functions->len; k++)
        g_string_append_printf(out, " %u", g_array_index(cut->functions, uint32_t, k));
}

char *vm_units_write(const VmUnits *units)
{
    GString *out = g_string_new(TITLE);
    for (guint u = 0; u < units->units->len; u++) {
        write_cut(g_ptr_array_index(units->units, u), out);
        g_string_append_c(out, '\n');
    }
    return g_string_free(out, FALSE);
}

static bool read_number(const char *word, guint64 least, guint64 most, uint32_t *number)
{
    guint64 value;
    if (least > most || !word || !g_ascii_string_to_unsigned(word, 10, least, most, &value, NULL))
        return false;
    *number = (uint32_t)value;
    return true;
}

static bool read_loop(const VmUnits *units, const char *word, VmLoopPlace *loop)
{
    const VcodeModule *m = units->image->module;
    g_auto(GStrv) parts = g_strsplit(word, ":", -1);
    if (g_strv_length(parts) != 4 || !m->functions.count ||
        !read_number(parts[0], 0, m->functions.count - 1, &loop->function))
        return false;
    const VcodeFunction *f = &m->functions.items[loop->function];
    uint32_t end = f->code_start + f->code_count;
    return read_number(parts[1], f->code_start, end, &loop->start) &&
           read_number(parts[2], loop->start, end, &loop->header) &&
           read_number(parts[3], loop->header, end, &loop->end);
}

/* A line's functions; false where it has others than ascending ones that can be printed. */
static bool read_functions(const VmUnits *units, char *const *words, GArray *functions)
{
    uint32_t count = units->image->module->functions.count;
    guint64 least = 0, number;
    for (char *const *word = words; *word; word++) {
        if (least >= count || !g_ascii_string_to_unsigned(*word, 10, least, count - 1, &number, NULL) ||
            !units->fit[number])
            return false;
        least = number + 1;
        g_array_append_val(functions, ((uint32_t){(uint32_t)number}));
    }
    return functions->len > 0;
}

static VmUnitCut *read_unit(const VmUnits *units, const char *line)
{
    g_auto(GStrv) words = g_strsplit(line, " ", -1);
    VmCompilerEffort effort = 0;
    while (effort < VM_COMPILER_EFFORTS && g_strcmp0(words[0], effort_names[effort]) != 0)
        effort++;
    VmUnitCut *cut = g_new(VmUnitCut, 1);
    *cut = (VmUnitCut){effort, g_array_new(FALSE, FALSE, sizeof(uint32_t)), {.function = VCODE_NONE}};
    bool alone = effort == VM_COMPILER_QUICK && words[1] && words[1][0] == '@';
    bool good = effort < VM_COMPILER_EFFORTS && (!alone || read_loop(units, words[1] + 1, &cut->loop));
    if (good && read_functions(units, words + 1 + alone, cut->functions))
        return cut;
    vm_unit_cut_free(cut);
    return NULL;
}

GPtrArray *vm_units_read(const VmUnits *units, const char *text, gsize length)
{
    g_autofree char *copy = g_strndup(text, length);
    if (!g_str_has_prefix(copy, TITLE))
        return NULL;
    g_auto(GStrv) lines = g_strsplit(copy + strlen(TITLE), "\n", -1);
    GPtrArray *read = g_ptr_array_new_with_free_func((GDestroyNotify)vm_unit_cut_free);
    for (char **line = lines; *line && **line && read->len < MOST_UNITS; line++) {
        VmUnitCut *cut = read_unit(units, *line);
        if (!cut) {
            g_ptr_array_unref(read);
            return NULL;
        }
        g_ptr_array_add(read, cut);
    }
    return read;
}

char *vm_units_subject(const VmUnits *units, const char *program)
{
    return g_strdup_printf(TITLE "%u %u\n%s", units->first, units->other, program);
}

char *vm_unit_cut_subject(const VmUnitCut *cut, const char *program)
{
    GString *out = g_string_new(program);
    g_string_append_c(out, ' ');
    write_cut(cut, out);
    return g_string_free(out, FALSE);
}
