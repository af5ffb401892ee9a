/* points.c - breakpoints and watchpoints in the engine: at which instructions they stop, and whether they do.
 *
 * Each GO brings all of them anew. For each program there is a byte for each instruction, so that statements where
 * nothing is cost one look. Watchpoints remember the bytes that they watch. Whatever writes them, the rank's own code,
 * the library or MPI, is told at the next statement that begins, of any rank. */
#include "monitor/session/engine.h"

#include "monitor/report/report.h"

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
    g_free(point->before);
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
    if (point->flags & (MON_FLAG_WATCH | MON_FLAG_DISABLED))
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

static bool watched(VmRank *vm, uint64_t address, uint64_t size, bool write, void *user)
{
    MonEngine *engine = user;
    for (guint i = 0; write && i < engine->points->len; i++) {
        const MonStopPoint *point = g_ptr_array_index(engine->points, i);
        if (!(point->flags & MON_FLAG_WATCH) || point->flags & MON_FLAG_DISABLED ||
            point->watch_rank != vm_rank_index(vm) || address >= point->address + point->bytes ||
            address + size <= point->address || engine->written.point != MON_NO_RANK)
            continue;
        engine->written = (MonWritten){i, vm_rank_acts(vm) ? vm_rank_acting(vm) : "MPI"};
    }
    return true;
}

static void note_before(MonEngine *engine, MonStopPoint *point)
{
    const void *bytes = vm_rank_peek(mach_run_rank(engine->machine, point->watch_rank), point->address, point->bytes);
    g_free(point->before);
    point->before = bytes ? g_memdup2(bytes, point->bytes) : NULL;
}

static GArray *array_of(GVariant *ranks)
{
    gsize n = 0;
    const uint32_t *items = g_variant_get_fixed_array(ranks, &n, sizeof *items);
    if (n == 0)
        return NULL;
    GArray *array = g_array_sized_new(FALSE, FALSE, sizeof *items, (guint)n);
    return g_array_append_vals(array, items, (guint)n);
}

static MonStopPoint *take_point(GVariant *value)
{
    MonStopPoint *point = g_new0(MonStopPoint, 1);
    g_autoptr(GVariant) ranks = NULL;
    g_variant_get(value, "(us@austuutt)", &point->number, &point->where, &ranks, &point->condition, &point->ignore,
                  &point->flags, &point->watch_rank, &point->address, &point->bytes);
    point->ranks = array_of(ranks);
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
            if (point->number != number)
                continue;
            if (!point->seen)
                point->seen = g_array_new(FALSE, TRUE, sizeof(uint64_t));
            if (point->seen->len <= rank)
                g_array_set_size(point->seen, rank + 1);
            g_array_index(point->seen, uint64_t, rank) = count;
        }
}

static void forget(MonEngine *engine)
{
    if (engine->points)
        for (guint i = 0; i < engine->points->len; i++) {
            const MonStopPoint *point = g_ptr_array_index(engine->points, i);
            if (point->before)
                vm_rank_remove_access_hook(mach_run_rank(engine->machine, point->watch_rank), watched, engine);
        }
    g_clear_pointer(&engine->points, g_ptr_array_unref);
    g_clear_pointer(&engine->marks, g_hash_table_unref);
    g_clear_pointer(&engine->extra, g_hash_table_unref);
    engine->written.point = MON_NO_RANK;
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
        MonStopPoint *point = take_point(value);
        g_ptr_array_add(engine->points, point);
        if (point->flags & MON_FLAG_WATCH && !(point->flags & MON_FLAG_DISABLED))
            note_before(engine, point);
        if (point->before)
            vm_rank_add_access_check(mach_run_rank(engine->machine, point->watch_rank), watched, engine);
        g_variant_unref(value);
    }
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

/* A condition that cannot be evaluated here stops, so that it is seen. It is read once for each place. */
static bool holds(MonEngine *engine, MonStopPoint *point, uint32_t rank)
{
    MonSpot spot = {engine->machine, rank, 0};
    bool truth;
    if (!*point->condition)
        return true;
    if (point->read && !mon_expression_fits(point->read, &spot))
        g_clear_pointer(&point->read, mon_expression_free);
    if (!point->read)
        point->read = mon_expression_new(&spot, point->condition, NULL);
    return !point->read || !mon_expression_truth(point->read, &spot, &truth, NULL) || truth;
}

static bool is_at(MonEngine *engine, MonStopPoint *point, uint32_t rank, VmRank *vm, uint32_t pc)
{
    return has_place(point, vm_image_module(vm_rank_image(vm)), pc) && has_rank(point, rank) &&
           holds(engine, point, rank);
}

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
        point->hits++;
        if (point->ignore > 0 && engine->mode == MON_FORWARD)
            point->ignore--;
        else if (!found || found->flags & MON_FLAG_LOG || point->number == 0)
            found = point;
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

/* -- watchpoints ------------------------------------------------------------------------------- */

static void append_bytes(const uint8_t *bytes, uint64_t n, GString *out)
{
    uint64_t value = 0;
    if (n <= sizeof value) { /* little endian, as ranks are */
        memcpy(&value, bytes, n);
        int shift = 64 - (int)(8 * n);
        g_string_append_printf(out, "%" G_GINT64_FORMAT, (int64_t)(value << shift) >> shift);
        return;
    }
    for (uint64_t i = 0; i < n && i < 16; i++)
        g_string_append_printf(out, "%02x", bytes[i]);
    if (n > 16)
        g_string_append(out, "...");
}

MonStopPoint *mon_points_written(MonEngine *engine, char **text)
{
    MonStopPoint *point = g_ptr_array_index(engine->points, engine->written.point);
    const char *by = engine->written.by;
    engine->written.point = MON_NO_RANK;
    VmRank *vm = mach_run_rank(engine->machine, point->watch_rank);
    const uint8_t *now = vm_rank_peek(vm, point->address, point->bytes);
    if (!now || !point->before || memcmp(now, point->before, point->bytes) == 0)
        return NULL;
    g_autoptr(GString) out = g_string_new(NULL);
    g_string_append_printf(out, "%s of rank %u: ", point->where, point->watch_rank);
    append_bytes(point->before, point->bytes, out);
    g_string_append(out, " -> ");
    append_bytes(now, point->bytes, out);
    if (by)
        g_string_append_printf(out, ", written by %s", by);
    memcpy(point->before, now, point->bytes);
    point->hits++;
    if (point->ignore > 0 && engine->mode == MON_FORWARD) {
        point->ignore--;
        return NULL;
    }
    *text = g_string_free(g_steal_pointer(&out), FALSE);
    return point;
}

bool mon_points_memory(MonEngine *engine, uint32_t rank, uint32_t frame, const char *text, uint64_t *address,
                       uint64_t *bytes, GError **error)
{
    VmRank *vm = mach_run_rank(engine->machine, rank);
    MonSpot spot = {engine->machine, rank, frame};
    g_autoptr(MonExpression) expression = mon_expression_new(&spot, text, error);
    if (!expression || !mon_expression_memory(expression, &spot, address, bytes, error))
        return false;
    if (*bytes > 0 && vm_rank_peek(vm, *address, *bytes))
        return true;
    g_set_error(error, MON_ERROR, MON_ERROR_EXPRESSION, "the memory of '%s' cannot be read now", text);
    return false;
}
