/* watches.c - watchpoints in the engine: memory of ranks, and values that depend on it.
 *
 * A watchpoint has a spot for each rank that it watches: bytes of memory, or the expression itself where that is no
 * object (`x == 3`). Whatever writes them, the rank's own code, the library or MPI, is told at the next statement that
 * begins, of any rank. What lives in a frame of the stack ends with that frame: a spot knows which one by its depth and
 * by the place of its call. */
#include "monitor/session/engine.h"

#include "monitor/expression/expression.h"
#include "monitor/report/report.h"

#include <string.h>

static void spot_free(void *item)
{
    MonWatchSpot *spot = item;
    g_clear_pointer(&spot->areas, g_array_unref);
    g_free(spot->type);
    g_free(spot->before);
    g_free(spot->value);
    g_free(spot);
}

/* -- finding what is watched ------------------------------------------------------------------- */

static MonWatchFrame frame_at(VmRank *vm, uint32_t level)
{
    return (MonWatchFrame){vm_rank_depth(vm) - level, vm_rank_frame(vm, level).function,
                           level + 1 < vm_rank_depth(vm) ? vm_rank_pc_of(vm, level + 1) : VCODE_NONE};
}

/* Finds the frame on whose part of the stack the address is. Stacks grow down; what is above the outermost frame, or
 * below the innermost one, is elsewhere. */
static void find_owner(MonEngine *engine, MonWatchSpot *spot)
{
    VmRank *vm = mach_run_rank(engine->machine, spot->rank);
    if (spot->address < vm_rank_sp(vm))
        return;
    for (uint32_t level = 0; level + 1 < vm_rank_depth(vm); level++) {
        VmFrame outer = vm_rank_frame(vm, level + 1);
        if (spot->address < outer.frame_base) {
            spot->owner = frame_at(vm, level);
            return;
        }
    }
}

/* The name of the type of an element, as a cast can have it. */
static char *element_type(const MonExpression *expression, const MonSpot *spot)
{
    g_autoptr(GString) type = g_string_new(NULL);
    mon_expression_type(expression, spot, false, type);
    g_strchomp(type->str);
    char *dimension = strchr(type->str, '[');
    if (strstr(type->str, "(*)") || strchr(type->str, '{'))
        return g_strdup("");
    if (dimension)
        *dimension = '\0';
    return g_strdup(g_strchomp(type->str));
}

static MonWatchSpot *find_spot(MonEngine *engine, uint32_t rank, uint32_t level, const char *text, GError **error)
{
    MonSpot where = {engine->machine, rank, level};
    VmRank *vm = mach_run_rank(engine->machine, rank);
    VmFrame frame;
    g_autoptr(MonExpression) expression = mon_expression_new(&where, text, error);
    g_autoptr(GArray) areas = g_array_new(FALSE, FALSE, sizeof(MonArea));
    if (!expression || !mon_expression_areas(expression, &where, areas, error))
        return NULL;
    MonWatchSpot *spot = g_new0(MonWatchSpot, 1);
    spot->rank = rank;
    spot->thread = mach_look_thread(engine->machine, rank);
    if (mon_debug_frame(vm, level, &frame))
        spot->scope = frame_at(vm, frame.level);
    bool object = mon_expression_memory(expression, &where, &spot->address, &spot->bytes, NULL);
    spot->type = object ? element_type(expression, &where) : g_strdup("");
    if (object && (spot->bytes == 0 || !vm_rank_peek(vm, spot->address, spot->bytes))) {
        g_set_error(error, MON_ERROR, MON_ERROR_EXPRESSION, "the memory of '%s' cannot be read now", text);
        spot_free(spot);
        return NULL;
    }
    if (object)
        find_owner(engine, spot);
    else if (mon_expression_is_framed(expression))
        spot->owner = spot->scope;
    return spot;
}

GPtrArray *mon_watches_find(MonEngine *engine, uint32_t rank, uint32_t frame, const char *text, const GArray *ranks,
                            GError **error)
{
    GPtrArray *spots = g_ptr_array_new_with_free_func(spot_free);
    g_autoptr(GError) first = NULL;
    for (guint i = 0; i < (ranks ? ranks->len : 1); i++) {
        uint32_t of = ranks ? g_array_index(ranks, uint32_t, i) : rank;
        VmRank *vm = of < mach_run_ranks(engine->machine) ? mach_run_rank(engine->machine, of) : NULL;
        if (!vm || vm_rank_depth(vm) == 0)
            continue;
        uint32_t level = of == rank ? frame : mon_frame_program_level(vm);
        MonWatchSpot *spot = find_spot(engine, of, level, text, first ? NULL : &first);
        if (spot)
            g_ptr_array_add(spots, spot);
    }
    if (spots->len > 0)
        return spots;
    g_ptr_array_unref(spots);
    if (first)
        g_propagate_error(error, g_steal_pointer(&first));
    else
        g_set_error_literal(error, MON_ERROR, MON_ERROR_PLACE, "these ranks have ended");
    return NULL;
}

void mon_watches_describe(const GPtrArray *spots, const char *text, uint32_t flags, GString *out)
{
    g_autoptr(MonRankSet) set = mon_ranks_new();
    const MonWatchSpot *first = g_ptr_array_index(spots, 0);
    for (guint i = 0; i < spots->len; i++) {
        const MonWatchSpot *spot = g_ptr_array_index(spots, i);
        mon_ranks_add(set, spot->rank, spot->rank);
    }
    g_string_append_printf(out, "%s of rank%s ", text, spots->len == 1 ? "" : "s");
    mon_ranks_append(set, out);
    if (first->bytes > 0)
        g_string_append_printf(out, ", %" G_GUINT64_FORMAT " byte%s at 0x%" G_GINT64_MODIFIER "x", first->bytes,
                               first->bytes == 1 ? "" : "s", first->address);
    else
        g_string_append(out, ", whenever its value changes");
    if (flags & MON_FLAG_READS)
        g_string_append(out, flags & MON_FLAG_WRITES ? ", read or written" : ", read");
}

GVariant *mon_watches_pack(const GPtrArray *spots)
{
    GVariantBuilder builder;
    g_variant_builder_init(&builder, G_VARIANT_TYPE("a" MON_SPOT_TYPE));
    for (guint i = 0; spots && i < spots->len; i++) {
        const MonWatchSpot *spot = g_ptr_array_index(spots, i);
        g_variant_builder_add(&builder, MON_SPOT_TYPE, spot->rank, spot->address, spot->bytes, spot->thread, spot->type,
                              spot->owner.depth, spot->owner.function, spot->owner.return_pc, spot->scope.depth,
                              spot->scope.function, spot->scope.return_pc);
    }
    return g_variant_builder_end(&builder);
}

GPtrArray *mon_watches_unpack(GVariant *value)
{
    GPtrArray *spots = g_ptr_array_new_with_free_func(spot_free);
    GVariantIter iter;
    MonWatchSpot spot = {0};
    g_variant_iter_init(&iter, value);
    while (g_variant_iter_next(&iter, MON_SPOT_TYPE, &spot.rank, &spot.address, &spot.bytes, &spot.thread, &spot.type,
                               &spot.owner.depth, &spot.owner.function, &spot.owner.return_pc, &spot.scope.depth,
                               &spot.scope.function, &spot.scope.return_pc))
        g_ptr_array_add(spots, g_memdup2(&spot, sizeof spot));
    return spots;
}

/* -- frames ------------------------------------------------------------------------------------ */

/* Whether the thread that the rank's registers show now is the one of the frame. */
static bool shows_thread(const MonEngine *engine, const MonWatchSpot *spot)
{
    return mach_look_thread(engine->machine, spot->rank) == spot->thread;
}

static bool has_frame(const MonWatchFrame *frame, VmRank *vm)
{
    uint64_t depth = vm_rank_depth(vm);
    if (depth < frame->depth)
        return false;
    uint32_t level = (uint32_t)(depth - frame->depth);
    return (frame->return_pc == VCODE_NONE || vm_rank_pc_of(vm, level + 1) == frame->return_pc) &&
           (level > 0 || vcode_pc_function(vm_image_module(vm_rank_image(vm)), vm_rank_pc(vm, 0)) == frame->function);
}

uint32_t mon_watches_frame(MonEngine *engine, const MonWatchSpot *spot)
{
    VmRank *vm = mach_run_rank(engine->machine, spot->rank);
    VmFrame frame;
    uint32_t level = 0;
    if (spot->scope.depth == 0 || !shows_thread(engine, spot) || !has_frame(&spot->scope, vm))
        return UINT32_MAX;
    for (bool more = mon_debug_frame(vm, 0, &frame); more; more = vm_rank_caller(vm, &frame), level++)
        if (vm_rank_depth(vm) - frame.level == spot->scope.depth)
            return level;
    return UINT32_MAX;
}

static const char *function_of(MonEngine *engine, const MonWatchSpot *spot)
{
    const VcodeModule *module = vm_image_module(vm_rank_image(mach_run_rank(engine->machine, spot->rank)));
    return spot->owner.function < module->functions.count
               ? vcode_text(module, module->functions.items[spot->owner.function].name)
               : "its function";
}

/* -- values ------------------------------------------------------------------------------------ */

/* Words of memory that has no type with a name. */
static void append_plain(const uint8_t *bytes, uint64_t n, GString *out)
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

static MonExpression *element_of(MonEngine *engine, const MonWatchSpot *spot)
{
    MonSpot nowhere = {engine->machine, spot->rank, UINT32_MAX};
    g_autofree char *text = g_strdup_printf("*(%s *)0", spot->type);
    return *spot->type ? mon_expression_new(&nowhere, text, NULL) : NULL;
}

/* Appends the element of the watched bytes that differs first; *element: which; -1: there is only one. */
static void append_bytes(MonEngine *engine, const MonWatchSpot *spot, const uint8_t *bytes, uint64_t differs,
                         int64_t *element, GString *out)
{
    MonSpot nowhere = {engine->machine, spot->rank, UINT32_MAX};
    g_autoptr(MonExpression) read = element_of(engine, spot);
    uint64_t size = 0, address;
    g_autofree char *text = g_strdup_printf("*(%s *)%" G_GUINT64_FORMAT, spot->type, spot->address);
    g_autoptr(MonExpression) first = read ? mon_expression_new(&nowhere, text, NULL) : NULL;
    bool known =
        first && mon_expression_memory(first, &nowhere, &address, &size, NULL) && size > 0 && spot->bytes % size == 0;
    uint64_t at = known ? differs / size * size : 0;
    *element = known && size < spot->bytes ? (int64_t)(at / size) : -1;
    if (!known || !mon_expression_print_bytes(read, &nowhere, bytes + at, out))
        append_plain(bytes + (known ? at : 0), known ? size : spot->bytes, out);
}

/* The value of an expression that is no object, as text; NULL: it cannot be told now. */
static char *value_of(MonEngine *engine, const MonWatchSpot *spot)
{
    MonSpot where = {engine->machine, spot->rank, mon_watches_frame(engine, spot)};
    g_autoptr(GString) out = g_string_new(NULL);
    MonNumber number;
    bool numeric;
    if (spot->owner.depth > 0 && where.frame == UINT32_MAX)
        return NULL;
    g_autoptr(MonExpression) read = mon_expression_new(&where, spot->point->where, NULL);
    if (!read || !mon_expression_once(read, &where, NULL, out, &number, &numeric, NULL))
        return NULL;
    return g_string_free(g_steal_pointer(&out), FALSE);
}

/* Finds the memory anew: it may depend on pointers that have changed. */
static void find_areas(MonEngine *engine, MonWatchSpot *spot)
{
    MonSpot where = {engine->machine, spot->rank, mon_watches_frame(engine, spot)};
    if (spot->bytes > 0) {
        MonArea area = {spot->address, spot->bytes};
        g_array_set_size(spot->areas, 0);
        g_array_append_val(spot->areas, area);
        return;
    }
    if (spot->owner.depth > 0 && where.frame == UINT32_MAX)
        return;
    g_autoptr(MonExpression) read = mon_expression_new(&where, spot->point->where, NULL);
    g_array_set_size(spot->areas, 0);
    if (read)
        mon_expression_areas(read, &where, spot->areas, NULL);
}

static void note_value(MonEngine *engine, MonWatchSpot *spot)
{
    VmRank *vm = mach_run_rank(engine->machine, spot->rank);
    const void *bytes = spot->bytes > 0 ? vm_rank_peek(vm, spot->address, spot->bytes) : NULL;
    g_free(spot->before);
    spot->before = bytes ? g_memdup2(bytes, spot->bytes) : NULL;
    char *value = spot->bytes > 0 ? NULL : value_of(engine, spot);
    if (value || spot->bytes > 0) {
        g_free(spot->value);
        spot->value = value;
    }
}

/* Appends "1 -> 2" if the value has changed, and notes it. */
static bool take_change(MonEngine *engine, MonWatchSpot *spot, GString *out)
{
    VmRank *vm = mach_run_rank(engine->machine, spot->rank);
    if (spot->bytes == 0) {
        g_autofree char *now = value_of(engine, spot);
        bool changed = now && g_strcmp0(now, spot->value) != 0;
        if (changed)
            g_string_append_printf(out, "%s -> %s", spot->value ? spot->value : "?", now);
        find_areas(engine, spot);
        note_value(engine, spot);
        return changed;
    }
    const uint8_t *now = vm_rank_peek(vm, spot->address, spot->bytes);
    if (!now || !spot->before || memcmp(now, spot->before, spot->bytes) == 0)
        return false;
    uint64_t differs = 0;
    int64_t element;
    while (now[differs] == spot->before[differs])
        differs++;
    g_autoptr(GString) old = g_string_new(NULL), new = g_string_new(NULL);
    append_bytes(engine, spot, spot->before, differs, &element, old);
    append_bytes(engine, spot, now, differs, &element, new);
    if (element >= 0)
        g_string_append_printf(out, "element %" G_GINT64_FORMAT ": ", element);
    g_string_append_printf(out, "%s -> %s", old->str, new->str);
    memcpy(spot->before, now, spot->bytes);
    return true;
}

/* -- accesses ---------------------------------------------------------------------------------- */

static bool overlaps(const MonWatchSpot *spot, uint64_t address, uint64_t size)
{
    for (guint i = 0; i < spot->areas->len; i++) {
        const MonArea *area = &g_array_index(spot->areas, MonArea, i);
        if (address < area->address + area->bytes && address + size > area->address)
            return true;
    }
    return false;
}

static const char *actor(const VmRank *vm)
{
    return vm_rank_acts(vm) ? vm_rank_acting(vm) : "MPI";
}

static void tell_access(MonEngine *engine, const MonWatchSpot *spot, const VmRank *vm, bool write)
{
    g_autoptr(GString) text = g_string_new(NULL);
    const char *by = actor(vm);
    g_string_append_printf(text, "%s of rank %u is %s", spot->point->where, spot->rank, write ? "written" : "read");
    if (by)
        g_string_append_printf(text, " by %s", by);
    mon_events_add(engine, spot->point->number, spot->rank, g_string_free(g_steal_pointer(&text), FALSE));
}

static bool accessed(VmRank *vm, uint64_t address, uint64_t size, bool write, void *user)
{
    MonEngine *engine = user;
    const GPtrArray *spots = engine->watching && !engine->ahead ? engine->watching[vm_rank_index(vm)] : NULL;
    for (guint i = 0; spots && i < spots->len; i++) {
        MonWatchSpot *spot = g_ptr_array_index(spots, i);
        uint32_t flags = spot->point->flags;
        if (!spot->alive || !overlaps(spot, address, size))
            continue;
        if (flags & (MON_FLAG_READS | MON_FLAG_WRITES)) {
            if (flags & (write ? MON_FLAG_WRITES : MON_FLAG_READS))
                tell_access(engine, spot, vm, write);
        } else if (write && !spot->touched) {
            spot->touched = engine->touched = true;
            spot->by = actor(vm);
        }
    }
    return true;
}

/* -- watching ---------------------------------------------------------------------------------- */

static void begin_spot(MonEngine *engine, MonStopPoint *point, MonWatchSpot *spot)
{
    GPtrArray **list = &engine->watching[spot->rank];
    spot->point = point;
    spot->areas = g_array_new(FALSE, FALSE, sizeof(MonArea));
    if (!*list) {
        *list = g_ptr_array_new();
        vm_rank_add_access_hook(mach_run_rank(engine->machine, spot->rank), accessed, engine);
    }
    g_ptr_array_add(*list, spot);
    find_areas(engine, spot);
    note_value(engine, spot);
    spot->alive = spot->owner.depth == 0 || !shows_thread(engine, spot) ||
                  has_frame(&spot->owner, mach_run_rank(engine->machine, spot->rank));
    engine->framed = engine->framed || spot->owner.depth > 0;
}

void mon_watches_begin(MonEngine *engine)
{
    for (guint i = 0; i < engine->points->len; i++) {
        MonStopPoint *point = g_ptr_array_index(engine->points, i);
        if (!point->spots || point->flags & MON_FLAG_DISABLED)
            continue;
        if (!engine->watching)
            engine->watching = g_new0(GPtrArray *, mach_run_room(engine->machine));
        for (guint k = 0; k < point->spots->len; k++) {
            MonWatchSpot *spot = g_ptr_array_index(point->spots, k);
            if (vm_rank_depth(mach_run_rank(engine->machine, spot->rank)) > 0)
                begin_spot(engine, point, spot);
        }
    }
}

void mon_watches_end(MonEngine *engine)
{
    for (uint32_t rank = 0; engine->watching && rank < mach_run_ranks(engine->machine); rank++) {
        if (!engine->watching[rank])
            continue;
        VmRank *vm = mach_run_rank(engine->machine, rank);
        if (vm_rank_image(vm) && vm_rank_depth(vm) > 0)
            vm_rank_remove_access_hook(vm, accessed, engine);
        g_ptr_array_unref(engine->watching[rank]);
    }
    g_clear_pointer(&engine->watching, g_free);
    engine->framed = engine->touched = false;
}

static bool all_gone(const MonStopPoint *point)
{
    for (guint i = 0; i < point->spots->len; i++)
        if (!((const MonWatchSpot *)g_ptr_array_index(point->spots, i))->gone)
            return false;
    return true;
}

/* A frame that has not begun yet is waited for: the user has gone back. Going on, that it has ended is told: what is
 * there now is something else. */
static void look_at_frame(MonEngine *engine, MonWatchSpot *spot, VmRank *vm)
{
    if (spot->owner.depth == 0 || spot->gone || !shows_thread(engine, spot))
        return;
    bool alive = has_frame(&spot->owner, vm);
    if (alive && !spot->alive) {
        find_areas(engine, spot);
        note_value(engine, spot);
    }
    bool ended = spot->alive && !alive;
    spot->alive = alive;
    if (!ended || engine->mode != MON_FORWARD)
        return;
    spot->gone = true;
    if (!all_gone(spot->point))
        return;
    spot->point->gone = true;
    mon_events_add(engine, spot->point->number, spot->rank,
                   g_strdup_printf("%s of rank %u is no more: %s() has returned", spot->point->where, spot->rank,
                                   function_of(engine, spot)));
}

static void look_at_writes(MonEngine *engine, MonWatchSpot *spot)
{
    g_autoptr(GString) text = g_string_new(NULL);
    spot->touched = false;
    g_string_append_printf(text, "%s of rank %u: ", spot->point->where, spot->rank);
    if (!take_change(engine, spot, text))
        return;
    if (spot->by)
        g_string_append_printf(text, ", written by %s", spot->by);
    mon_events_add(engine, spot->point->number, spot->rank, g_string_free(g_steal_pointer(&text), FALSE));
}

void mon_watches_look(MonEngine *engine, uint32_t rank, VmRank *vm)
{
    const GPtrArray *own = engine->watching ? engine->watching[rank] : NULL;
    for (guint i = 0; engine->framed && own && i < own->len; i++)
        look_at_frame(engine, g_ptr_array_index(own, i), vm);
    if (!engine->touched)
        return;
    engine->touched = false;
    for (guint i = 0; i < engine->points->len; i++) {
        const MonStopPoint *point = g_ptr_array_index(engine->points, i);
        for (guint k = 0; point->spots && k < point->spots->len; k++) {
            MonWatchSpot *spot = g_ptr_array_index(point->spots, k);
            if (spot->touched && spot->alive)
                look_at_writes(engine, spot);
        }
    }
}
