/* events.c - stops at what is no place of the program: messages, times, errors, findings, ends of ranks, and what
 * watchpoints see.
 *
 * These things happen between statements, while the machine moves messages or a rank is within a call. They are noted,
 * and told before the next statement that begins, of any rank: nothing has happened behind them then. What happened
 * before statement M belongs to moment M, and to the part of history before a snapshot that is made there. */
#include "monitor/session/engine.h"

#include "base/units.h"
#include "monitor/expression/expression.h"
#include "monitor/report/report.h"

#include <string.h>

static void clear_pending(void *item)
{
    g_free(((MonPending *)item)->text);
}

static GArray *pending_new(void)
{
    GArray *pending = g_array_new(FALSE, FALSE, sizeof(MonPending));
    g_array_set_clear_func(pending, clear_pending);
    return pending;
}

void mon_events_add(MonEngine *engine, unsigned number, uint32_t rank, char *text)
{
    MonPending pending = {number, rank, text};
    g_array_append_val(engine->pending, pending);
}

void mon_events_clear(MonEngine *engine)
{
    g_array_set_size(engine->pending, 0);
}

/* -- texts ------------------------------------------------------------------------------------- */

static void append_pc(MonEngine *engine, uint32_t rank, uint32_t pc, GString *out)
{
    const VmImage *image = vm_rank_image(mach_run_rank(engine->machine, rank));
    const VcodeLine *line = image && pc != VCODE_NONE ? vcode_pc_line(vm_image_module(image), pc) : NULL;
    if (line)
        g_string_append_printf(out, "%s:%u", vcode_source_name(vm_image_module(image), line->file), line->line);
    else
        g_string_append(out, "an unknown place");
}

static char *message_text(MonEngine *engine, const MpiEvent *event)
{
    static const char *const verbs[] = {
        [MPI_EVENT_SENT] = "sent", [MPI_EVENT_ARRIVED] = "has arrived", [MPI_EVENT_MATCHED] = "matched"};
    GString *out = g_string_new(NULL);
    g_string_append_printf(out, "message %" G_GUINT64_FORMAT " %s: from %u to %u, ", event->id, verbs[event->sort],
                           event->from, event->to);
    if (event->collective)
        g_string_append(out, "a step of a collective, ");
    else
        g_string_append_printf(out, "tag %d, ", event->tag);
    mpi_world_append_comm(mach_run_mpi(engine->machine), event->rank, event->context, out);
    g_string_append_printf(out, ", %" G_GUINT64_FORMAT " byte%s%s, sent at ", event->bytes,
                           event->bytes == 1 ? "" : "s", event->rendezvous ? " by rendezvous" : "");
    append_pc(engine, event->from, event->pc, out);
    if (event->sort == MPI_EVENT_MATCHED && event->call) {
        g_string_append_printf(out, ", received by %s at ", event->call);
        append_pc(engine, event->to, event->received_pc, out);
    }
    return g_string_free(out, FALSE);
}

static char *event_text(MonEngine *engine, const MpiEvent *event)
{
    if (event->sort <= MPI_EVENT_MATCHED)
        return message_text(engine, event);
    if (event->sort == MPI_EVENT_FOUND)
        return g_strdup_printf("[%s] rank %u: %s", event->word, event->rank, event->text);
    GString *out = g_string_new(NULL);
    g_string_append_printf(out, "%s of rank %u: %s at ", event->word, event->rank, event->call);
    append_pc(engine, event->rank, event->pc, out);
    return g_string_free(out, FALSE);
}

/* -- listening --------------------------------------------------------------------------------- */

static MonPointKind kind_of(MpiEventSort sort)
{
    return sort == MPI_EVENT_ERROR ? MON_POINT_ERROR : sort == MPI_EVENT_FOUND ? MON_POINT_FINDING : MON_POINT_MESSAGE;
}

/* Keeps who has sent what a rank received last: where the debugger goes back to. */
static void note_message(MonEngine *engine, const MpiEvent *event)
{
    gpointer key = GSIZE_TO_POINTER((gsize)event->id), moment;
    if (event->collective || event->sort == MPI_EVENT_ARRIVED)
        return;
    if (event->sort == MPI_EVENT_SENT) {
        g_hash_table_insert(engine->sent, key, GSIZE_TO_POINTER((gsize)engine->begun[event->from]));
        return;
    }
    if (!g_hash_table_lookup_extended(engine->sent, key, NULL, &moment))
        return;
    if (!engine->ahead)
        engine->received[event->to] = (MonReceived){event->id, GPOINTER_TO_SIZE(moment), event->from};
    g_hash_table_remove(engine->sent, key);
}

/* Events of moments that a run only passes on its way back to another one are told to nobody. */
static bool is_heard(const MonEngine *engine)
{
    return engine->points && !engine->ahead && (engine->mode != MON_REACH || engine->moment + 1 == engine->until);
}

static void event_told(void *user, const MpiEvent *event)
{
    MonEngine *engine = user;
    if (event->sort <= MPI_EVENT_MATCHED)
        note_message(engine, event);
    for (guint i = 0; is_heard(engine) && i < engine->points->len; i++) {
        const MonStopPoint *point = g_ptr_array_index(engine->points, i);
        if (point->kind == kind_of(event->sort) && !point->spots && point->filter &&
            mon_filter_takes(point->filter, engine, event))
            mon_events_add(engine, point->number, event->rank, event_text(engine, event));
    }
}

static void finished(void *user, uint32_t rank, uint64_t time_ps, int status)
{
    MonEngine *engine = user;
    g_autofree char *time = base_units_format_time(time_ps);
    for (guint i = 0; is_heard(engine) && i < engine->points->len; i++) {
        const MonStopPoint *point = g_ptr_array_index(engine->points, i);
        if (point->kind == MON_POINT_END)
            mon_events_add(engine, point->number, rank,
                           g_strdup_printf("rank %u has ended at %s, with status %d", rank, time, status));
    }
}

void mon_events_begin(MonEngine *engine)
{
    MachObserver observer = {.user = engine, .event = event_told, .finished = finished};
    engine->pending = pending_new();
    engine->sent = g_hash_table_new(NULL, NULL);
    engine->received = g_new0(MonReceived, mach_run_room(engine->machine));
    engine->also = g_array_new(FALSE, FALSE, sizeof(unsigned));
    engine->shown = MON_NO_RANK;
    mach_run_observe(engine->machine, &observer);
}

/* -- times ------------------------------------------------------------------------------------- */

static uint64_t latest_of(const MonEngine *engine, const MonStopPoint *point)
{
    uint64_t latest = 0;
    for (guint i = 0; i < point->ranks->len; i++) {
        uint32_t rank = g_array_index(point->ranks, uint32_t, i);
        latest = MAX(latest, rank < mach_run_ranks(engine->machine) ? engine->clocks[rank] : 0);
    }
    return latest;
}

/* A time is reached once, by the first rank that comes there. */
static void look_at_times(MonEngine *engine, uint32_t rank, uint64_t now_ps, uint64_t latest_ps)
{
    for (guint i = 0; i < engine->points->len; i++) {
        const MonStopPoint *point = g_ptr_array_index(engine->points, i);
        if (point->kind != MON_POINT_TIME || !point->filter)
            continue;
        uint64_t time_ps = mon_filter_time(point->filter);
        if (now_ps >= time_ps && engine->clocks[rank] < time_ps &&
            (point->ranks ? latest_of(engine, point) : latest_ps) < time_ps)
            mon_events_add(engine, point->number, rank, g_strdup_printf("time %s is reached", point->where));
    }
}

/* -- telling ----------------------------------------------------------------------------------- */

void mon_events_log(MonEngine *engine, const MonStopPoint *point, uint32_t rank, GString *out)
{
    const char *at = point->message;
    VmRank *vm = mach_run_rank(engine->machine, rank);
    MonSpot spot = {engine->machine, rank, vm_rank_depth(vm) > 0 ? mon_frame_program_level(vm) : 0};
    while (at && *at) {
        const char *open = strchr(at, '{'), *close = open ? strchr(open, '}') : NULL;
        if (!close) {
            g_string_append(out, at);
            return;
        }
        g_string_append_len(out, at, open - at);
        g_autofree char *text = g_strndup(open + 1, (gsize)(close - open - 1));
        const char *rest = text;
        MonFormat format;
        g_autoptr(GError) error = NULL;
        g_autoptr(MonExpression) read =
            mon_expression_format(&rest, &format, &error) ? mon_expression_new(&spot, rest, &error) : NULL;
        if (!read || !mon_expression_print(read, &spot, &format, out, &error))
            g_string_append_printf(out, "{%s}", text);
        at = close + 1;
    }
}

static bool concerns(MonEngine *engine, MonStopPoint *point, const MonPending *pending)
{
    return point->gone || mon_points_concern(engine, point, pending->rank);
}

typedef struct Told { /* what is told before one statement */
    unsigned number;  /* 0: nothing stops */
    uint32_t rank;
    bool watch;
    char *text;
} Told;

/* Appends a line. */
static void add_text(char **text, const char *more, const char *unread)
{
    char *whole = g_strconcat(*text ? *text : "", *text ? "\n" : "", more, unread ? "; " : NULL, unread, NULL);
    g_free(*text);
    *text = whole;
}

static void add_also(MonEngine *engine, unsigned number)
{
    for (guint i = 0; i < engine->also->len; i++)
        if (g_array_index(engine->also, unsigned, i) == number)
            return;
    g_array_append_val(engine->also, number);
}

/* Takes one thing that has happened. The first one that stops the run is the reason for the stop, with others of the
 * same breakpoint. */
static void take(MonEngine *engine, const MonPending *pending, Told *told)
{
    MonStopPoint *point = mon_points_find(engine, pending->number);
    if (!point || !concerns(engine, point, pending))
        return;
    if (engine->mode == MON_REACH) {
        if (point->number == engine->goal && engine->moment == engine->until)
            add_text(&engine->goal_text, pending->text, point->unread);
        return;
    }
    if (!mon_points_count(engine, point))
        return;
    if (engine->mode == MON_SCAN) {
        mon_hook_note_hit(engine, pending->rank, VCODE_NONE, point->number);
    } else if (point->flags & MON_FLAG_LOG || !mon_hook_belongs(engine, pending->rank)) {
        mon_hook_tell_passed(engine, pending->rank, point, pending->text);
    } else if (told->number != 0 && told->number != point->number) {
        add_also(engine, point->number);
    } else {
        if (told->number == 0)
            *told = (Told){point->number, pending->rank, point->spots != NULL, NULL};
        add_text(&told->text, pending->text, point->unread);
    }
}

static void take_all(MonEngine *engine, Told *told)
{
    g_autoptr(GArray) pending = engine->pending;
    engine->pending = pending_new();
    for (guint i = 0; i < pending->len; i++)
        take(engine, &g_array_index(pending, MonPending, i), told);
}

bool mon_events_tell(MonEngine *engine, uint32_t rank, VmRank *vm, uint32_t pc)
{
    Told told = {0};
    uint64_t now_ps = vm_clock_now(vm_rank_clock(vm));
    if (engine->touched || engine->framed)
        mon_watches_look(engine, rank, vm);
    if (engine->has_times)
        look_at_times(engine, rank, now_ps, engine->latest_ps);
    g_array_set_size(engine->also, 0);
    if (engine->pending->len > 0)
        take_all(engine, &told);
    if (told.number == 0)
        return false;
    const MonStopPoint *here = engine->marked[rank][pc] & MON_MARK_STOP ? mon_points_at(engine, rank, vm, pc) : NULL;
    if (here && !(here->flags & MON_FLAG_LOG) && here->number > 0)
        add_also(engine, here->number);
    engine->shown = told.rank;
    g_autofree char *text = told.text;
    mon_engine_stop(engine, told.watch ? MON_WATCHPOINT : MON_BREAKPOINT, rank, told.number, text);
    return true;
}

/* -- the end ----------------------------------------------------------------------------------- */

static bool ends_here(const MonEngine *engine, const MonStopPoint *point, uint32_t rank)
{
    const VmFault *fault = vm_rank_fault_info(mach_run_rank(engine->machine, rank));
    switch (engine->end) {
    case MACH_STOP_DEADLOCK: return point->kind == MON_POINT_DEADLOCK;
    case MACH_STOP_FAULT:
        return point->kind == MON_POINT_FAULT && mon_filter_takes_signal(point->filter, fault->signal);
    case MACH_STOP_ABORT: return point->kind == MON_POINT_FAULT && mon_filter_takes_signal(point->filter, 6);
    default: return false;
    }
}

static void add_end(MonEngine *engine, uint32_t rank)
{
    for (guint i = 0; engine->points && i < engine->points->len; i++) {
        const MonStopPoint *point = g_ptr_array_index(engine->points, i);
        if (point->filter && ends_here(engine, point, rank))
            mon_events_add(engine, point->number, rank,
                           engine->end == MACH_STOP_DEADLOCK ? g_strdup("deadlock")
                                                             : g_strdup_printf("fault of rank %u", rank));
    }
}

MonStopPoint *mon_events_end(MonEngine *engine, uint32_t *rank, char **text)
{
    Told told = {0};
    *rank = mach_run_stopped_rank(engine->machine);
    add_end(engine, *rank);
    g_array_set_size(engine->also, 0);
    take_all(engine, &told);
    *text = told.text;
    if (told.number == 0)
        return NULL;
    *rank = told.rank;
    return mon_points_find(engine, told.number);
}
