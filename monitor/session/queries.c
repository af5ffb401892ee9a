/* queries.c - what the engine answers about the machine as it stands: a function for each row of queries.def. */
#include "base/units.h"
#include "monitor/report/report.h"
#include "monitor/session/engine.h"

#include <string.h>

/* A question as the functions get it. */
typedef struct Question {
    MonEngine *engine;
    MonDebugger *debugger;
    uint32_t rank, frame;
    const char *argument;
    GString *out;
    GError **error;
} Question;

static bool answer_PRINT(const Question *q)
{
    return mon_debug_print(q->debugger, q->rank, q->frame, q->argument, q->out, q->error);
}

static bool answer_WHATIS(const Question *q)
{
    return mon_debug_print_type(q->debugger, q->rank, q->frame, q->argument, false, q->out, q->error);
}

static bool answer_PTYPE(const Question *q)
{
    return mon_debug_print_type(q->debugger, q->rank, q->frame, q->argument, true, q->out, q->error);
}

static bool answer_RANKS(const Question *q)
{
    mon_debug_info_ranks(q->debugger, q->out);
    return true;
}

static bool answer_THREADS(const Question *q)
{
    mon_debug_info_threads(q->debugger, q->rank, q->out);
    return true;
}

static bool answer_LIVING_THREADS(const Question *q)
{
    g_autoptr(GArray) ids = mon_debug_threads(q->debugger, q->rank);
    for (guint i = 0; i < ids->len; i++)
        g_string_append_printf(q->out, "%s%" G_GUINT64_FORMAT, i ? " " : "", g_array_index(ids, uint64_t, i));
    return true;
}

static bool answer_THREAD(const Question *q)
{
    g_string_append_printf(q->out, "%" G_GUINT64_FORMAT, mon_debug_thread(q->debugger, q->rank));
    return true;
}

static bool answer_LOCKS(const Question *q)
{
    mon_debug_info_locks(q->debugger, q->rank, q->out);
    return true;
}

static bool answer_LOCALS(const Question *q)
{
    mon_debug_locals(q->debugger, q->rank, q->frame, q->out);
    return true;
}

static bool answer_OBJECTS(const Question *q)
{
    if (mon_debug_info_objects(q->debugger, q->argument, q->out))
        return true;
    g_set_error(q->error, MON_ERROR, MON_ERROR_PLACE, "there are no '%s'", q->argument);
    return false;
}

static bool answer_BACKTRACE(const Question *q)
{
    mon_debug_backtrace(q->debugger, q->rank, q->out);
    return true;
}

static bool answer_FRAME(const Question *q)
{
    mon_debug_describe_frame(q->debugger, q->rank, q->frame, q->out);
    return true;
}

static bool answer_FRAMES(const Question *q)
{
    g_string_append_printf(q->out, "%u %u", mon_debug_frames(q->debugger, q->rank),
                           mon_debug_program_frame(q->debugger, q->rank));
    return true;
}

static bool answer_PLACE(const Question *q)
{
    VmRank *vm = mach_run_rank(q->engine->machine, q->rank);
    if (vm_rank_depth(vm) == 0) {
        g_set_error(q->error, MON_ERROR, MON_ERROR_PLACE, "rank %u has ended", q->rank);
        return false;
    }
    g_autofree char *time = base_units_format_time(vm_clock_now(vm_rank_clock(vm)));
    g_string_append_printf(q->out, "rank %u", q->rank);
    mon_debug_append_thread(q->debugger, q->rank, q->out);
    g_string_append_printf(q->out, " at %s", time);
    return true;
}

/* Ranks at one place of the program. */
typedef struct Spot {
    const char *name;
    uint32_t line, first, last; /* the run of ranks that was added last */
    GString *ranks;
} Spot;

static void append_run(Spot *spot)
{
    if (spot->ranks->len > 0)
        g_string_append_c(spot->ranks, ',');
    g_string_append_printf(spot->ranks, spot->first == spot->last ? "%u" : "%u-%u", spot->first, spot->last);
}

static void add_to_spot(Spot *spot, uint32_t rank)
{
    if (spot->last + 1 == rank) {
        spot->last = rank;
        return;
    }
    append_run(spot);
    spot->first = spot->last = rank;
}

/* Adds the rank to the spot where it is, if it has not ended. O(spots). */
static void add_to_spots(GArray *spots, VmRank *vm, uint32_t rank)
{
    VmFrame frame;
    if (!mon_debug_frame(vm, 0, &frame))
        return;
    for (guint i = 0; i < spots->len; i++) {
        Spot *spot = &g_array_index(spots, Spot, i);
        if (spot->line == frame.line && strcmp(spot->name, frame.name) == 0) {
            add_to_spot(spot, rank);
            return;
        }
    }
    Spot spot = {frame.name, frame.line, rank, rank, g_string_new(NULL)};
    g_array_append_val(spots, spot);
}

static bool answer_PLACES(const Question *q)
{
    g_autoptr(GArray) spots = g_array_new(FALSE, FALSE, sizeof(Spot));
    char *at = (char *)q->argument;
    while (*at) {
        uint64_t rank = g_ascii_strtoull(at, &at, 10);
        if (rank < mach_run_ranks(q->engine->machine))
            add_to_spots(spots, mach_run_rank(q->engine->machine, (uint32_t)rank), (uint32_t)rank);
        at += strspn(at, " ");
    }
    for (guint i = 0; i < spots->len; i++) {
        Spot *spot = &g_array_index(spots, Spot, i);
        append_run(spot);
        g_string_append_printf(q->out, "%s: %s at %u\n", spot->ranks->str, spot->name, spot->line);
        g_string_free(spot->ranks, TRUE);
    }
    return true;
}

static bool answer_LIST(const Question *q)
{
    MonLines lines;
    g_autoptr(GString) text = g_string_new(NULL);
    if (*q->argument != '\0') {
        if (!mon_debug_find_lines(q->debugger, q->rank, q->frame, q->argument, &lines, q->error))
            return false;
    } else if (!mon_debug_present_lines(q->debugger, q->rank, q->frame, &lines)) {
        g_set_error(q->error, MON_ERROR, MON_ERROR_PLACE, "the source text is not there");
        return false;
    }
    if (!mon_debug_list_lines(q->debugger, q->rank, q->frame, &lines, text)) {
        g_set_error(q->error, MON_ERROR, MON_ERROR_PLACE, "the source text is not there");
        return false;
    }
    g_string_append_printf(q->out, "%u %u %s\n%s", lines.first, lines.last, vcode_source_name(lines.module, lines.file),
                           text->str);
    return true;
}

static bool answer_LINE(const Question *q)
{
    g_autoptr(GString) source = g_string_new(NULL);
    mon_debug_list_source(q->debugger, q->rank, q->frame, source);
    const char *arrow = g_str_has_prefix(source->str, "->") ? source->str : strstr(source->str, "\n->");
    if (arrow) {
        arrow += *arrow == '\n';
        g_string_append_len(q->out, arrow, (gssize)strcspn(arrow, "\n"));
    }
    return true;
}

static bool answer_STATE(const Question *q)
{
    uint64_t hash = mach_run_now(q->engine->machine);
    for (uint32_t rank = 0; rank < mach_run_ranks(q->engine->machine); rank++) {
        VmRank *vm = mach_run_rank(q->engine->machine, rank);
        if (vm_rank_depth(vm) == 0)
            continue;
        hash = vm_rank_hash(vm, hash);
        hash = (hash ^ vm_clock_now(vm_rank_clock(vm))) * UINT64_C(0x9E3779B97F4A7C15) + q->engine->counts[rank];
    }
    g_string_append_printf(q->out, "%016" G_GINT64_MODIFIER "x", hash);
    return true;
}

/* -- asking ------------------------------------------------------------------------------------ */

/* Looks at the thread that is asked for. */
static bool select_thread(MonEngine *engine, const MonPlace *place, GError **error)
{
    g_autoptr(GString) why = g_string_new(NULL);
    if (place->thread == 0 || place->thread == mon_debug_thread(engine->debugger, place->rank) ||
        mon_debug_select_thread(engine->debugger, place->rank, place->thread, why))
        return true;
    g_set_error_literal(error, MON_ERROR, MON_ERROR_PLACE, g_strchomp(why->str));
    return false;
}

bool mon_queries_answer(MonEngine *engine, MonQuery query, const MonPlace *place, const char *argument, GString *out,
                        GError **error)
{
    static bool (*const answers[])(const Question *) = {
#define MON_QUERY(name, meaning) [MON_QUERY_##name] = answer_##name,
#include "monitor/session/queries.def"
    };
    Question question = {engine, engine->debugger, place->rank, place->frame, argument, out, error};
    if (place->rank >= mach_run_ranks(engine->machine)) {
        g_set_error(error, MON_ERROR, MON_ERROR_PLACE, "there is no rank %u", place->rank);
        return false;
    }
    return select_thread(engine, place, error) && answers[query](&question);
}
