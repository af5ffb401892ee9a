/* points.c - breakpoints and watchpoints in the engine: at which instructions they stop, and whether they do.
 *
 * Each GO brings all of them anew. For each program there is a byte for each instruction, so that statements where
 * nothing is cost one look. */
#include "monitor/session/engine.h"

#include "monitor/expression/expression.h"

#include <string.h>

static void point_free(void *item)
{
    MonStopPoint *point = item;
    g_free(point->where);
    g_free(point->condition);
    mon_expression_free(point->read);
    g_ptr_array_unref(point->modules);
    g_ptr_array_unref(point->places);
    g_clear_pointer(&point->ranks, g_array_unref);
    g_clear_pointer(&point->seen, g_array_unref);
    g_clear_pointer(&point->spots, g_ptr_array_unref);
    mon_filter_free(point->filter);
    g_free(point->message);
    g_free(point->unread);
    g_free(point);
}

/* -- what stands where ------------------------------------------------------------------------- */

static uint8_t *marks_new(const VcodeModule *module)
{
    uint8_t *marks = g_malloc(module->code.count + 1);
    memset(marks, MON_MARK_LIBRARY, module->code.count + 1);
    for (uint32_t i = 0; i < module->functions.count; i++) {
        const VcodeFunction *function = &module->functions.items[i];
        if ((function->flags & VCODE_FUNCTION_LIBRARY) == 0)
            memset(marks + function->code_start, 0, function->code_count);
    }
    for (uint32_t i = 0; i < module->lines.count; i++)
        if (module->lines.items[i].flags & VCODE_LINE_STATEMENT && module->lines.items[i].pc < module->code.count)
            marks[module->lines.items[i].pc] |= MON_MARK_STATEMENT;
    return marks;
}

/* Lets the hook be asked before this instruction, too. */
static void add_extra(MonEngine *engine, const VcodeModule *module, uint32_t pc, const uint8_t *marks)
{
    size_t words = module->code.count / 64 + 1;
    if (marks[pc] & MON_MARK_STATEMENT)
        return;
    if (!engine->extra)
        engine->extra = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    uint64_t *bits = g_hash_table_lookup(engine->extra, module);
    if (!bits) {
        bits = g_new0(uint64_t, words);
        for (uint32_t i = 0; i < module->code.count; i++)
            bits[i / 64] |= (uint64_t)(marks[i] & MON_MARK_STATEMENT ? 1 : 0) << i % 64;
        g_hash_table_insert(engine->extra, (void *)module, bits);
    }
    bits[pc / 64] |= UINT64_C(1) << pc % 64;
}

static void mark_point(MonEngine *engine, MonStopPoint *point, const VcodeModule *module, uint8_t *marks)
{
    g_autoptr(GArray) places = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    if (point->flags & (MON_FLAG_WATCH | MON_FLAG_DISABLED) || point->kind != MON_POINT_PLACE)
        return;
    mon_places_find(engine->machine, module, point->where, places);
    for (guint i = 0; i < places->len; i++) {
        uint32_t pc = g_array_index(places, uint32_t, i);
        marks[pc] |= MON_MARK_STOP;
        add_extra(engine, module, pc, marks);
    }
    g_ptr_array_add(point->modules, (void *)module);
    g_ptr_array_add(point->places, g_array_ref(places));
}

uint8_t *mon_points_marks(MonEngine *engine, const VcodeModule *module)
{
    uint8_t *marks = g_hash_table_lookup(engine->marks, module);
    if (marks)
        return marks;
    marks = marks_new(module);
    g_hash_table_insert(engine->marks, (void *)module, marks);
    for (guint i = 0; i < engine->points->len; i++)
        mark_point(engine, g_ptr_array_index(engine->points, i), module, marks);
    return marks;
}

/* -- taking them ------------------------------------------------------------------------------- */

GArray *mon_points_ranks(GVariant *ranks)
{
    gsize n = 0;
    const uint32_t *items = g_variant_get_fixed_array(ranks, &n, sizeof *items);
    if (n == 0)
        return NULL;
    GArray *array = g_array_sized_new(FALSE, FALSE, sizeof *items, (guint)n);
    return g_array_append_vals(array, items, (guint)n);
}

static MonStopPoint *take_point(const MonEngine *engine, GVariant *value)
{
    MonStopPoint *point = g_new0(MonStopPoint, 1);
    g_autoptr(GVariant) ranks = NULL, spots = NULL;
    uint32_t kind;
    g_variant_get(value, "(uus@austus@a" MON_SPOT_TYPE ")", &point->number, &kind, &point->where, &ranks,
                  &point->condition, &point->ignore, &point->flags, &point->message, &spots);
    point->kind = (MonPointKind)kind;
    point->ranks = mon_points_ranks(ranks);
    if (point->flags & MON_FLAG_WATCH)
        point->spots = mon_watches_unpack(spots);
    else if (point->kind != MON_POINT_PLACE)
        point->filter = mon_filter_new(engine, point->kind, point->where, NULL);
    point->modules = g_ptr_array_new();
    point->places = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
    return point;
}

static void take_seen(MonEngine *engine, GVariant *seen)
{
    GVariantIter iter;
    uint32_t number, rank;
    uint64_t count;
    g_variant_iter_init(&iter, seen);
    while (g_variant_iter_next(&iter, "(uut)", &number, &rank, &count))
        for (guint i = 0; i < engine->points->len; i++) {
            MonStopPoint *point = g_ptr_array_index(engine->points, i);
            if (point->number != number && number != 0)
                continue;
            if (!point->seen)
                point->seen = g_array_new(FALSE, TRUE, sizeof(uint64_t));
            if (point->seen->len <= rank)
                g_array_set_size(point->seen, rank + 1);
            uint64_t *seen_to = &g_array_index(point->seen, uint64_t, rank);
            *seen_to = MAX(*seen_to, count);
        }
}

static void forget(MonEngine *engine)
{
    mon_watches_end(engine);
    mon_events_clear(engine);
    g_clear_pointer(&engine->points, g_ptr_array_unref);
    g_clear_pointer(&engine->marks, g_hash_table_unref);
    g_clear_pointer(&engine->extra, g_hash_table_unref);
    engine->has_starts = engine->has_times = false;
}

void mon_points_take(MonEngine *engine, GVariant *points, GVariant *seen)
{
    GVariantIter iter;
    GVariant *value;
    forget(engine);
    engine->points = g_ptr_array_new_with_free_func(point_free);
    engine->marks = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    g_variant_iter_init(&iter, points);
    while ((value = g_variant_iter_next_value(&iter))) {
        MonStopPoint *point = take_point(engine, value);
        g_ptr_array_add(engine->points, point);
        engine->has_starts = engine->has_starts || point->kind == MON_POINT_START;
        engine->has_times = engine->has_times || point->kind == MON_POINT_TIME;
        g_variant_unref(value);
    }
    mon_watches_begin(engine);
    take_seen(engine, seen);
    for (uint32_t rank = 0; rank < mach_run_ranks(engine->machine); rank++)
        mon_hook_meet(engine, rank);
    engine->fine = engine->extra || engine->step.kind == MON_STEP_PC;
}

/* -- whether they stop ------------------------------------------------------------------------- */

static bool has_place(const MonStopPoint *point, const VcodeModule *module, uint32_t pc)
{
    for (guint i = 0; i < point->modules->len; i++) {
        const GArray *places = g_ptr_array_index(point->places, i);
        for (guint k = 0; g_ptr_array_index(point->modules, i) == module && k < places->len; k++)
            if (g_array_index(places, uint32_t, k) == pc)
                return true;
    }
    return false;
}

static bool has_rank(const MonStopPoint *point, uint32_t rank)
{
    for (guint i = 0; point->ranks && i < point->ranks->len; i++)
        if (g_array_index(point->ranks, uint32_t, i) == rank)
            return true;
    return !point->ranks;
}

/* Where a condition is meant: in the frame of what is watched; else in the innermost one, of the program where the rank
 * is within a call. */
static uint32_t level_of(MonEngine *engine, const MonStopPoint *point, uint32_t rank, VmRank *vm)
{
    for (guint i = 0; point->spots && i < point->spots->len; i++) {
        const MonWatchSpot *spot = g_ptr_array_index(point->spots, i);
        if (spot->rank == rank)
            return mon_watches_frame(engine, spot);
    }
    return point->kind == MON_POINT_PLACE || vm_rank_depth(vm) == 0 ? 0 : mon_frame_program_level(vm);
}

/* A condition that cannot be evaluated here stops, and the stop says why. It is read once for each place. */
static bool holds(MonEngine *engine, MonStopPoint *point, uint32_t rank)
{
    VmRank *vm = mach_run_rank(engine->machine, rank);
    g_autoptr(GError) error = NULL;
    bool truth = true;
    g_clear_pointer(&point->unread, g_free);
    if (!*point->condition || !vm_rank_image(vm))
        return true;
    MonSpot spot = {engine->machine, rank, level_of(engine, point, rank, vm)};
    if (point->read && !mon_expression_fits(point->read, &spot))
        g_clear_pointer(&point->read, mon_expression_free);
    if (!point->read)
        point->read = mon_expression_new(&spot, point->condition, &error);
    if (point->read && mon_expression_truth(point->read, &spot, &truth, &error))
        return truth;
    point->unread = g_strdup_printf("its condition has no value here: %s", error->message);
    return true;
}

bool mon_points_concern(MonEngine *engine, MonStopPoint *point, uint32_t rank)
{
    return (point->spots || has_rank(point, rank)) && holds(engine, point, rank);
}

bool mon_points_count(MonEngine *engine, MonStopPoint *point)
{
    point->hits++;
    if (point->ignore == 0 || engine->mode != MON_FORWARD)
        return true;
    point->ignore--;
    return false;
}

MonStopPoint *mon_points_find(const MonEngine *engine, unsigned number)
{
    for (guint i = 0; engine->points && i < engine->points->len; i++) {
        MonStopPoint *point = g_ptr_array_index(engine->points, i);
        if (point->number == number)
            return point;
    }
    return NULL;
}

/* The beginning of a rank is its first statement, wherever that is. */
static bool is_place(const MonEngine *engine, const MonStopPoint *point, uint32_t rank, VmRank *vm, uint32_t pc)
{
    if (point->kind == MON_POINT_START)
        return engine->counts[rank] == 1 && !engine->between;
    return point->kind == MON_POINT_PLACE && has_place(point, vm_image_module(vm_rank_image(vm)), pc);
}

static bool is_at(MonEngine *engine, MonStopPoint *point, uint32_t rank, VmRank *vm, uint32_t pc)
{
    return is_place(engine, point, rank, vm, pc) && has_rank(point, rank) && holds(engine, point, rank);
}

/* What a rank has been stepped past (breakpoint 0), it has been told of, whatever stands there. */
static bool was_told(const MonEngine *engine, const MonStopPoint *point, uint32_t rank)
{
    return point->seen && rank < point->seen->len && engine->counts[rank] <= g_array_index(point->seen, uint64_t, rank);
}

MonStopPoint *mon_points_at(MonEngine *engine, uint32_t rank, VmRank *vm, uint32_t pc)
{
    MonStopPoint *found = NULL;
    for (guint i = 0; i < engine->points->len; i++) {
        MonStopPoint *point = g_ptr_array_index(engine->points, i);
        if (!is_at(engine, point, rank, vm, pc) || was_told(engine, point, rank))
            continue;
        if (!mon_points_count(engine, point))
            continue;
        if (!found || found->flags & MON_FLAG_LOG || point->number == 0)
            found = point;
        else if (!(point->flags & MON_FLAG_LOG))
            g_array_append_val(engine->also, point->number);
    }
    return found;
}

bool mon_points_would_stop(MonEngine *engine, unsigned number, uint32_t rank, VmRank *vm, uint32_t pc)
{
    for (guint i = 0; i < engine->points->len; i++) {
        MonStopPoint *point = g_ptr_array_index(engine->points, i);
        if (point->number == number && !was_told(engine, point, rank) && is_at(engine, point, rank, vm, pc))
            return true;
    }
    return false;
}
