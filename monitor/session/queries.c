/* queries.c - what the engine answers about the machine as it stands: a function for each row of queries.def. */
#include "monitor/session/queries.h"
#include "base/units.h"
#include "monitor/report/report.h"

#include <string.h>

static MonSpot spot_of(const MonQuestion *q)
{
    return (MonSpot){q->engine->machine, q->rank, q->frame};
}

static bool answer_PRINT(const MonQuestion *q)
{
    MonSpot spot = spot_of(q);
    MonFormat format;
    const char *text = q->argument;
    g_autoptr(MonExpression) expression =
        mon_expression_format(&text, &format, q->error) ? mon_expression_new(&spot, text, q->error) : NULL;
    gsize before = q->out->len;
    g_string_append_printf(q->out, "%s = ", text);
    if (expression && mon_expression_print(expression, &spot, &format, q->out, q->error))
        return true;
    g_string_truncate(q->out, before);
    return false;
}

/* The address that x/ begins at: the value of a pointer or number, or that of an object in memory. */
static bool find_address(const MonSpot *spot, const char *text, uint64_t *address, GError **error)
{
    MonNumber number;
    uint64_t bytes;
    g_autoptr(MonExpression) expression = mon_expression_new(spot, text, error);
    if (!expression)
        return false;
    if (mon_expression_number(expression, spot, &number, NULL)) {
        *address = (uint64_t)number.whole;
        return true;
    }
    return mon_expression_memory(expression, spot, address, &bytes, error);
}

static bool answer_SET(const MonQuestion *q)
{
    MonPlace place = {.rank = q->rank, .frame = q->frame};
    return mon_changes_try(q->engine, &place, q->argument, q->out, q->error);
}

static bool answer_PRINT_OVER(const MonQuestion *q)
{
    return mon_queries_print_over(q, false);
}

static bool answer_SPREAD(const MonQuestion *q)
{
    return mon_queries_print_over(q, true);
}

static bool answer_GROUP(const MonQuestion *q)
{
    return mon_queries_group(q);
}

static bool answer_STACKS(const MonQuestion *q)
{
    return mon_queries_look(q, mon_look_stacks);
}

static bool answer_WHERE(const MonQuestion *q)
{
    return mon_queries_look(q, mon_look_places);
}

static bool answer_QUEUES(const MonQuestion *q)
{
    g_autoptr(MonRankSet) set = mon_queries_ranks(q);
    if (set)
        mon_look_queues(q->engine->machine, q->engine->tracker, set, q->out);
    return set;
}

static bool answer_WHY(const MonQuestion *q)
{
    mon_look_why(q->engine->machine, q->rank, q->out);
    return true;
}

static bool answer_WAITS(const MonQuestion *q)
{
    mon_look_waits(q->engine->machine, q->out);
    return true;
}

static bool answer_FINDINGS(const MonQuestion *q)
{
    mon_look_findings(q->engine->machine, q->out);
    return true;
}

static bool answer_LOAD(const MonQuestion *q)
{
    mon_look_load(q->engine->machine, q->out);
    return true;
}

static bool answer_MEMORY(const MonQuestion *q)
{
    MonSpot spot = spot_of(q);
    MonFormat format;
    uint64_t address;
    const char *text = q->argument;
    return mon_expression_format(&text, &format, q->error) && find_address(&spot, text, &address, q->error) &&
           mon_memory_print(&spot, address, &format, q->out, q->error);
}

static bool answer_ARGUMENTS(const MonQuestion *q)
{
    MonSpot spot = spot_of(q);
    mon_expression_arguments(&spot, q->out);
    return true;
}

static bool answer_SCOPE(const MonQuestion *q)
{
    MonSpot spot = spot_of(q);
    mon_expression_visible(&spot, q->out);
    return true;
}

static bool answer_CODE_LINE(const MonQuestion *q)
{
    MonSpot spot = spot_of(q);
    mon_expression_line(&spot, q->out);
    return true;
}

static bool answer_WHATIS(const MonQuestion *q)
{
    return mon_debug_print_type(q->debugger, q->rank, q->frame, q->argument, false, q->out, q->error);
}

static bool answer_PTYPE(const MonQuestion *q)
{
    return mon_debug_print_type(q->debugger, q->rank, q->frame, q->argument, true, q->out, q->error);
}

static bool answer_RANKS(const MonQuestion *q)
{
    mon_debug_info_ranks(q->debugger, q->out);
    return true;
}

static bool answer_THREADS(const MonQuestion *q)
{
    mon_debug_info_threads(q->debugger, q->rank, q->out);
    return true;
}

static bool answer_LIVING_THREADS(const MonQuestion *q)
{
    g_autoptr(GArray) ids = mon_debug_threads(q->debugger, q->rank);
    for (guint i = 0; i < ids->len; i++)
        g_string_append_printf(q->out, "%s%" G_GUINT64_FORMAT, i ? " " : "", g_array_index(ids, uint64_t, i));
    return true;
}

static bool answer_THREAD(const MonQuestion *q)
{
    g_string_append_printf(q->out, "%" G_GUINT64_FORMAT, mon_debug_thread(q->debugger, q->rank));
    return true;
}

static bool answer_LOCKS(const MonQuestion *q)
{
    mon_debug_info_locks(q->debugger, q->rank, q->out);
    return true;
}

static bool answer_LOCALS(const MonQuestion *q)
{
    gsize before = q->out->len;
    mon_debug_locals(q->debugger, q->rank, q->frame, q->out);
    if (strstr(q->out->str + before, "<optimized out>"))
        g_string_append(q->out, "(what is optimized out is there with -O0)\n");
    return true;
}

static bool answer_OBJECTS(const MonQuestion *q)
{
    if (mon_debug_info_objects(q->debugger, q->argument, q->out))
        return true;
    g_set_error(q->error, MON_ERROR, MON_ERROR_PLACE, "there are no '%s'", q->argument);
    return false;
}

static bool answer_BACKTRACE(const MonQuestion *q)
{
    mon_debug_backtrace(q->debugger, q->rank, q->out);
    return true;
}

static bool answer_FRAME(const MonQuestion *q)
{
    mon_debug_describe_frame(q->debugger, q->rank, q->frame, q->out);
    return true;
}

static bool answer_FRAMES(const MonQuestion *q)
{
    g_string_append_printf(q->out, "%u %u", mon_debug_frames(q->debugger, q->rank),
                           mon_debug_program_frame(q->debugger, q->rank));
    return true;
}

static bool answer_PLACE(const MonQuestion *q)
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

static bool answer_LIST(const MonQuestion *q)
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

static bool answer_LINE(const MonQuestion *q)
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

static bool answer_NAMES(const MonQuestion *q)
{
    return mon_queries_names(q);
}

static bool answer_POSITIONS(const MonQuestion *q)
{
    mon_queries_positions(q);
    return true;
}

static bool answer_RECEIVED(const MonQuestion *q)
{
    const MonReceived *received = &q->engine->received[q->rank];
    if (received->id == 0) {
        g_set_error(q->error, MON_ERROR, MON_ERROR_PLACE, "rank %u has received no message yet", q->rank);
        return false;
    }
    g_string_append_printf(q->out, "%" G_GUINT64_FORMAT " %u %" G_GUINT64_FORMAT, received->id, received->from,
                           received->sent_moment);
    return true;
}

static bool answer_STATE(const MonQuestion *q)
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

/* -- for programs ------------------------------------------------------------------------------ */

static bool answer_DATA_RANKS(const MonQuestion *q)
{
    return mon_queries_data_ranks(q);
}

static bool answer_DATA_STACK(const MonQuestion *q)
{
    return mon_queries_data_stack(q);
}

static bool answer_DATA_VARIABLES(const MonQuestion *q)
{
    return mon_queries_data_variables(q);
}

static bool answer_DATA_VALUE(const MonQuestion *q)
{
    return mon_queries_data_value(q);
}

static bool answer_DATA_PARTS(const MonQuestion *q)
{
    return mon_queries_data_parts(q);
}

static bool answer_DATA_SOURCES(const MonQuestion *q)
{
    return mon_queries_data_sources(q);
}

static bool answer_DATA_LINES(const MonQuestion *q)
{
    return mon_queries_data_lines(q);
}

static bool answer_DATA_BYTES(const MonQuestion *q)
{
    return mon_queries_data_bytes(q);
}

static bool answer_DATA_CODE(const MonQuestion *q)
{
    return mon_queries_data_code(q);
}

static bool answer_DATA_NAMES(const MonQuestion *q)
{
    return mon_queries_data_names(q);
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
    static bool (*const answers[])(const MonQuestion *) = {
#define MON_QUERY(name, meaning) [MON_QUERY_##name] = answer_##name,
#include "monitor/session/queries.def"
    };
    MonQuestion question = {engine, engine->debugger, place->rank, place->frame, argument, out, error};
    if (place->rank >= mach_run_ranks(engine->machine)) {
        g_set_error(error, MON_ERROR, MON_ERROR_PLACE, "there is no rank %u", place->rank);
        return false;
    }
    return select_thread(engine, place, error) && answers[query](&question);
}
