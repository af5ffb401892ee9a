/* running.c - going on, stepping, going back; and what is told when the program stands again. */
#include "base/units.h"
#include "cli/base/base.h"
#include "cli/dap/server.h"

#include <string.h>

enum { THREAD_SHIFT = 24 }; /* thread ids: rank + 1, and above that the number of a further thread of the rank */

/* -- ranks and threads -------------------------------------------------------------------------- */

json_int_t cli_dap_running_thread(uint32_t rank, uint64_t thread)
{
    return ((json_int_t)thread << THREAD_SHIFT) + rank + 1;
}

bool cli_dap_running_place(const DapServer *server, const json_t *arguments, MonPlace *place, GError **error)
{
    json_int_t id = cli_dap_integer(arguments, "threadId", cli_dap_running_thread(server->rank, 0));
    json_int_t rank = (id & ((1 << THREAD_SHIFT) - 1)) - 1;
    if (id <= 0 || rank < 0 || rank >= mon_session_ranks(server->core))
        return cli_dap_refuse(error, "there is no thread %" JSON_INTEGER_FORMAT, id) != NULL;
    *place = (MonPlace){.rank = (uint32_t)rank, .thread = (uint64_t)(id >> THREAD_SHIFT)};
    return true;
}

void cli_dap_running_forget(DapServer *server)
{
    g_array_set_size(server->frames, 0);
    g_ptr_array_set_size(server->references, 0);
    g_ptr_array_set_size(server->targets, 0);
    g_clear_pointer(&server->stop_text, g_free);
    g_clear_pointer(&server->stop_kind, g_free);
}

/* -- stops ------------------------------------------------------------------------------------- */

static void tell_line(DapServer *server, const char *category, const char *text)
{
    g_autofree char *line = g_strconcat(text, "\n", NULL);
    cli_dap_event(server, "output", json_pack("{s:s, s:o}", "category", category, "output", cli_dap_text(line)));
}

static void tell_lines(DapServer *server, const GPtrArray *lines)
{
    for (guint i = 0; lines && i < lines->len; i++)
        tell_line(server, "console", g_ptr_array_index(lines, i));
}

/* What editors call the reason. */
static const char *reason_of(DapServer *server, const MonStop *stop)
{
    const MonBreakpoint *point = stop->breakpoint ? mon_session_breakpoint(server->core, stop->breakpoint) : NULL;
    const char *by = point ? g_hash_table_lookup(server->points, GUINT_TO_POINTER(stop->breakpoint)) : NULL;
    switch (stop->reason) {
    case MON_BEGINNING: return "entry";
    case MON_WATCHPOINT: return "data breakpoint";
    case MON_STEP: return "step";
    case MON_ARRIVED: return "goto";
    case MON_INTERRUPTED: return "pause";
    case MON_ENDED: return server->faulted ? "exception" : "end of the program";
    case MON_BREAKPOINT: break;
    }
    if (point && point->kind != MON_POINT_PLACE)
        return "exception";
    return by && strcmp(by, "*function") == 0      ? "function breakpoint"
           : by && strcmp(by, "*instruction") == 0 ? "instruction breakpoint"
                                                   : "breakpoint";
}

static void tell_stop(DapServer *server, const char *reason, const char *text, const GArray *ranks, unsigned point)
{
    json_t *body = json_pack("{s:s, s:I, s:b}", "reason", reason, "threadId", cli_dap_running_thread(server->rank, 0),
                             "allThreadsStopped", 1);
    g_autoptr(GString) described = g_string_new(NULL);
    if (ranks && ranks->len > 1) {
        g_string_append_printf(described, "%u ranks together: ", ranks->len);
        g_string_append_printf(described, "%u to %u", g_array_index(ranks, uint32_t, 0),
                               g_array_index(ranks, uint32_t, ranks->len - 1));
    }
    if (point)
        json_object_set_new(body, "hitBreakpointIds", json_pack("[i]", (int)point));
    if (text && *text) {
        json_object_set_new(body, "text", cli_dap_text(text));
        json_object_set_new(body, "description", cli_dap_text(text));
    } else if (described->len)
        json_object_set_new(body, "description", cli_dap_text(described->str));
    cli_dap_event(server, "stopped", body);
}

static void say_goodbye(DapServer *server)
{
    if (server->ended)
        cli_dap_event(server, "exited", json_pack("{s:i}", "exitCode", server->exit_status));
    cli_dap_event(server, "terminated", NULL);
}

static bool went_wrong(const MonStop *stop)
{
    return stop->end != MACH_STOP_FINISHED;
}

static void end(DapServer *server, const MonStop *stop)
{
    g_autofree char *time = base_units_format_time(stop->makespan_ps);
    g_autofree char *line = g_strdup_printf("the program has ended at %s", time);
    server->ended = true;
    server->faulted = went_wrong(stop);
    server->exit_status = stop->exit_status;
    if (*stop->text)
        tell_line(server, server->faulted ? "important" : "console", stop->text);
    tell_line(server, "console", line);
    if (!server->stay && !server->faulted)
        say_goodbye(server);
}

static void arrive(DapServer *server, const MonStop *stop)
{
    const char *reason;
    tell_lines(server, stop->lost);
    tell_lines(server, stop->passed);
    tell_lines(server, stop->logged);
    server->ended = server->faulted = false;
    server->moment = stop->moment;
    server->rank = stop->rank < mon_session_ranks(server->core) ? stop->rank : 0;
    if (stop->reason == MON_ENDED)
        end(server, stop);
    reason = reason_of(server, stop);
    g_free(server->stop_text);
    g_free(server->stop_kind);
    server->stop_text = g_strdup(stop->text);
    server->stop_kind = g_strdup(reason);
    if (stop->breakpoint) {
        const MonBreakpoint *point = mon_session_breakpoint(server->core, stop->breakpoint);
        if (point && point->kind != MON_POINT_PLACE && !*server->stop_text) {
            g_free(server->stop_text);
            server->stop_text = g_strdup(point->described);
        }
    }
    if (!server->ended || server->stay || server->faulted)
        tell_stop(server, reason, strcmp(reason, "breakpoint") == 0 ? NULL : server->stop_text, stop->ranks,
                  stop->breakpoint);
}

/* -- the run ----------------------------------------------------------------------------------- */

static void end_progress(DapServer *server)
{
    if (server->told_progress) {
        g_autofree char *id = g_strdup_printf("run-%u", server->progress);
        cli_dap_event(server, "progressEnd", json_pack("{s:s}", "progressId", id));
    }
    server->told_progress = false;
    server->went_us = 0;
    server->progress++;
}

static void run(DapServer *server)
{
    g_autoptr(GError) error = NULL;
    server->went_us = server->went_us ? server->went_us : g_get_monotonic_time();
    server->running = true;
    g_autoptr(MonStop) stop = mon_session_go(server->core, &server->go, &error);
    if (stop && stop->reason == MON_INTERRUPTED && !server->quit) {
        tell_lines(server, stop->passed);
        server->rank = stop->rank < mon_session_ranks(server->core) ? stop->rank : 0;
        return; /* what has come is answered; then it goes on, unless that was a pause */
    }
    server->running = false;
    end_progress(server);
    if (server->quit)
        return;
    if (stop)
        arrive(server, stop);
    else {
        tell_line(server, "important", error->message);
        tell_stop(server, "pause", error->message, NULL, 0);
    }
}

void cli_dap_running_after(DapServer *server)
{
    unsigned after = server->after;
    server->after = 0;
    if (after & DAP_AFTER_READY)
        cli_dap_event(server, "initialized", NULL);
    if (after & DAP_AFTER_ENTRY)
        tell_stop(server, "entry", NULL, NULL, 0);
    if (after & DAP_AFTER_STOP) {
        end_progress(server);
        tell_stop(server, "pause", NULL, NULL, 0);
    }
    if (after & DAP_AFTER_GOODBYE)
        say_goodbye(server);
    if (after & DAP_AFTER_GO || server->running)
        run(server);
}

/* -- requests ---------------------------------------------------------------------------------- */

static json_t *set_off(DapServer *server, const json_t *arguments, MonGoKind kind, bool backwards, GError **error)
{
    MonPlace place = {0};
    const char *granularity = cli_dap_string(arguments, "granularity");
    if (!cli_dap_running_place(server, arguments, &place, error))
        return NULL;
    if (server->running)
        return cli_dap_refuse(error, "the program is running: send pause first");
    if (server->ended && !backwards)
        return cli_dap_refuse(error, "the program has ended: go back, or send restart");
    if (place.thread) { /* the session steps the thread that was looked at last */
        g_autoptr(GString) out = g_string_new(NULL);
        if (!mon_session_ask(server->core, MON_QUERY_THREAD, &place, NULL, out, error))
            return NULL;
    }
    if (g_strcmp0(granularity, "instruction") == 0 && kind != MON_GO_FINISH && kind != MON_GO_CONTINUE && !backwards)
        kind = MON_GO_INSTRUCTION;
    server->go = (MonGo){.kind = kind,
                         .backwards = backwards,
                         .rank = place.rank,
                         .alone = !backwards && cli_dap_flag(arguments, "singleThread")};
    if (server->ended && !server->faulted && backwards &&
        kind != MON_GO_CONTINUE) /* no rank is there that could step */
        server->go = (MonGo){.kind = MON_GO_MOMENT, .to = server->moment - (server->moment > 0), .backwards = true};
    server->rank = place.rank;
    cli_dap_running_forget(server);
    server->after |= DAP_AFTER_GO;
    return json_null();
}

json_t *cli_dap_continue(DapServer *server, const json_t *arguments, GError **error)
{
    if (server->ended && (server->stay || server->faulted)) { /* there is no more: the session ends */
        server->after |= DAP_AFTER_GOODBYE;
        return json_pack("{s:b}", "allThreadsContinued", 1);
    }
    bool alone = cli_dap_flag(arguments, "singleThread");
    json_t *body = set_off(server, arguments, MON_GO_CONTINUE, false, error);
    return body ? json_pack("{s:b}", "allThreadsContinued", !alone) : NULL;
}

json_t *cli_dap_reverseContinue(DapServer *server, const json_t *arguments, GError **error)
{
    return set_off(server, arguments, MON_GO_CONTINUE, true, error);
}

json_t *cli_dap_next(DapServer *server, const json_t *arguments, GError **error)
{
    return set_off(server, arguments, MON_GO_NEXT, false, error);
}

json_t *cli_dap_stepIn(DapServer *server, const json_t *arguments, GError **error)
{
    return set_off(server, arguments, MON_GO_STEP, false, error);
}

json_t *cli_dap_stepOut(DapServer *server, const json_t *arguments, GError **error)
{
    return set_off(server, arguments, MON_GO_FINISH, false, error);
}

json_t *cli_dap_stepBack(DapServer *server, const json_t *arguments, GError **error)
{
    return set_off(server, arguments, MON_GO_NEXT, true, error);
}

json_t *cli_dap_pause(DapServer *server, const json_t *arguments, GError **error)
{
    MonPlace place = {0};
    if (!cli_dap_running_place(server, arguments, &place, error))
        return NULL;
    if (server->running) {
        server->running = false;
        server->rank = place.rank;
        server->after |= DAP_AFTER_STOP;
    }
    return json_null();
}

/* Back to the call of the function, and into it again. */
json_t *cli_dap_restartFrame(DapServer *server, const json_t *arguments, GError **error)
{
    MonPlace place = {0};
    if (!cli_dap_values_frame(server, arguments, &place, error))
        return NULL;
    for (uint32_t level = 0; level <= place.frame; level++) {
        MonGo out = {.kind = MON_GO_FINISH, .backwards = true, .rank = place.rank};
        g_autoptr(MonStop) stop = mon_session_go(server->core, &out, error);
        if (!stop)
            return NULL;
        if (stop->reason != MON_STEP)
            return cli_dap_refuse(error, "the frame has no call to go back to");
    }
    server->go = (MonGo){.kind = MON_GO_STEP, .rank = place.rank};
    cli_dap_running_forget(server);
    server->after |= DAP_AFTER_GO;
    return json_null();
}

/* Time is what can be moved in: to the next time that the rank comes to a line, or to the last time that it was there.
 */
json_t *cli_dap_gotoTargets(DapServer *server, const json_t *arguments, GError **error)
{
    const char *path = cli_dap_string(json_object_get(arguments, "source"), "path");
    json_int_t line = cli_dap_integer(arguments, "line", -1) + !server->first_line;
    if (!path || line < 1)
        return cli_dap_refuse(error, "gotoTargets: source.path and line are wanted");
    json_t *targets = json_array();
    for (const char *way = "><"; *way; way++) {
        g_autofree char *label = g_strdup_printf(
            *way == '>' ? "on to line %" JSON_INTEGER_FORMAT : "back to line %" JSON_INTEGER_FORMAT, line);
        g_ptr_array_add(server->targets, g_strdup_printf("%s:%" JSON_INTEGER_FORMAT "%c", path, line, *way));
        json_array_append_new(targets, json_pack("{s:i, s:s, s:I}", "id", (int)server->targets->len, "label", label,
                                                 "line", line - !server->first_line));
    }
    return json_pack("{s:o}", "targets", targets);
}

/* A temporary breakpoint for the rank, which is gone however the way ends. */
static json_t *go_back_to(DapServer *server, uint32_t rank, const char *where, GError **error)
{
    g_autoptr(GArray) ranks = g_array_new(FALSE, FALSE, sizeof rank);
    g_array_append_val(ranks, rank);
    MonBreakpoint wanted = {.where = (char *)where, .ranks = ranks, .temporary = true};
    unsigned number = mon_session_break(server->core, &wanted, 0, error);
    if (!number)
        return NULL;
    g_autoptr(MonStop) stop =
        mon_session_go(server->core, &(MonGo){.kind = MON_GO_CONTINUE, .backwards = true, .rank = rank}, error);
    mon_session_break_remove(server->core, number);
    if (!stop)
        return NULL;
    arrive(server, stop);
    return json_null();
}

json_t *cli_dap_goto(DapServer *server, const json_t *arguments, GError **error)
{
    MonPlace place = {0};
    json_int_t id = cli_dap_integer(arguments, "targetId", 0);
    if (id < 1 || id > server->targets->len)
        return cli_dap_refuse(error, "goto: there is no target %" JSON_INTEGER_FORMAT, id);
    if (!cli_dap_running_place(server, arguments, &place, error))
        return NULL;
    g_autofree char *where = g_strdup(g_ptr_array_index(server->targets, id - 1));
    char way = where[strlen(where) - 1];
    where[strlen(where) - 1] = '\0';
    cli_dap_running_forget(server);
    if (way == '<')
        return go_back_to(server, place.rank, where, error);
    g_free(server->go_where);
    server->go_where = g_steal_pointer(&where);
    server->go = (MonGo){.kind = MON_GO_ADVANCE, .rank = place.rank, .where = server->go_where};
    server->after |= DAP_AFTER_GO;
    return json_null();
}

json_t *cli_dap_exceptionInfo(DapServer *server, const json_t *arguments, GError **error)
{
    (void)arguments;
    if (!server->stop_text)
        return cli_dap_refuse(error, "exceptionInfo: the program does not stand at one");
    return json_pack("{s:s, s:o, s:s}", "exceptionId", server->stop_kind, "description",
                     cli_dap_text(server->stop_text), "breakMode", "always");
}
