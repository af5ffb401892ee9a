/* batch.c - `orrery debug --batch`: a report of what happened, for people and as JSON, and an exit status for CI. */
#include "cli/debug/desk.h"

#include "base/units.h"
#include "base/write_file.h"
#include "cli/base/base.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

/* How a session has come out, and the exit status of each. The first that is true counts. */
#define DEBUG_OUTCOMES(OUTCOME)                                                                                        \
    OUTCOME(FAILED, "failed", CLI_STATUS_USAGE) /* a command failed */                                                 \
    OUTCOME(DEADLOCK, "deadlock", 12)                                                                                  \
    OUTCOME(FAULT, "fault", 11) /* a program fault, an uncaught error of MPI, MPI_Abort */                             \
    OUTCOME(LIMIT, "limit", 14) /* --max-time, --memory, the network failed, a process was killed */                   \
    OUTCOME(FINDINGS, "findings", CLI_STATUS_FINDINGS) /* checks have found something */                               \
    OUTCOME(STOPPED, "stopped", 13)                    /* the program stands at a stop, and has not ended */           \
    OUTCOME(STATUS, "status", 10)                      /* the program has ended with another exit status than 0 */     \
    OUTCOME(ENDED, "ended", 0)                         /* ... with 0, or it was not started */

typedef enum Outcome {
#define OUTCOME(id, name, status) OUTCOME_##id,
    DEBUG_OUTCOMES(OUTCOME)
#undef OUTCOME
} Outcome;

static const struct {
    const char *name;
    int status;
} outcomes[] = {
#define OUTCOME(id, name, status) {name, status},
    DEBUG_OUTCOMES(OUTCOME)
#undef OUTCOME
};

struct DebugBatch {
    json_t *stops;
    GPtrArray *findings, *failed; /* char * */
    MachStop end;
    bool ended; /* the last stop is the program's end */
    int exit_status;
    uint64_t makespan_ps;
    char *text; /* how it ended */
};

DebugBatch *cli_debug_batch_new(void)
{
    DebugBatch *batch = g_new0(DebugBatch, 1);
    batch->stops = json_array();
    batch->findings = g_ptr_array_new_with_free_func(g_free);
    batch->failed = g_ptr_array_new_with_free_func(g_free);
    return batch;
}

void cli_debug_batch_free(DebugBatch *batch)
{
    if (!batch)
        return;
    json_decref(batch->stops);
    g_ptr_array_unref(batch->findings);
    g_ptr_array_unref(batch->failed);
    g_free(batch->text);
    g_free(batch);
}

/* -- what happens ------------------------------------------------------------------------------ */

static json_t *json_text(const char *text)
{
    g_autofree char *valid = g_utf8_make_valid(text, -1);
    return json_string(valid);
}

static char *ranks_of(const MonStop *stop)
{
    g_autoptr(MonRankSet) set = mon_ranks_new();
    g_autoptr(GString) text = g_string_new(NULL);
    for (guint i = 0; i < stop->ranks->len; i++) {
        uint32_t rank = g_array_index(stop->ranks, uint32_t, i);
        mon_ranks_add(set, rank, rank);
    }
    mon_ranks_append(set, text);
    return g_string_free(g_steal_pointer(&text), FALSE);
}

static const char *reason_name(MonReason reason)
{
    switch (reason) {
    case MON_BEGINNING: return "beginning";
    case MON_BREAKPOINT: return "breakpoint";
    case MON_WATCHPOINT: return "watchpoint";
    case MON_STEP: return "step";
    case MON_ARRIVED: return "arrived";
    case MON_INTERRUPTED: return "interrupted";
    case MON_ENDED: return "ended";
    default: return "stop";
    }
}

/* "main (argc=1) at a.c:20" */
static void add_place(json_t *told, const char *place)
{
    const char *at = g_strrstr(place, " at "), *colon = at ? strrchr(at, ':') : NULL;
    json_object_set_new(told, "place", json_text(place));
    if (!colon)
        return;
    g_autofree char *file = g_strndup(at + strlen(" at "), (gsize)(colon - at) - strlen(" at "));
    json_object_set_new(told, "file", json_text(file));
    json_object_set_new(told, "line", json_integer(g_ascii_strtoll(colon + 1, NULL, 10)));
}

void cli_debug_batch_stop(DebugSession *session, const MonStop *stop)
{
    DebugBatch *batch = session->desk->batch;
    g_autoptr(GString) place = g_string_new(NULL);
    g_autofree char *ranks = ranks_of(stop);
    json_t *told =
        json_pack("{s:s, s:i, s:s, s:I, s:I}", "reason", reason_name(stop->reason), "rank", (int)session->rank, "ranks",
                  ranks, "time_ps", (json_int_t)stop->time_ps, "moment", (json_int_t)stop->moment);
    if (stop->breakpoint)
        json_object_set_new(told, "breakpoint", json_integer(stop->breakpoint));
    if (cli_debug_ask(session, MON_QUERY_FRAME, NULL, place, NULL) && place->len > 0)
        add_place(told, g_strchomp(place->str));
    if (stop->text && *stop->text)
        json_object_set_new(told, "text", json_text(stop->text));
    json_array_append_new(batch->stops, told);
    batch->ended = stop->reason == MON_ENDED;
    batch->end = stop->end;
    batch->exit_status = stop->exit_status;
    batch->makespan_ps = stop->makespan_ps;
    g_free(batch->text);
    batch->text = g_strdup(stop->text);
}

/* Findings of checks end with their name: "... [leaks]". Other remarks are none. */
void cli_debug_batch_note(DebugBatch *batch, const char *text)
{
    g_autofree char *first = g_strndup(text, strcspn(text, "\n"));
    const char *open = strrchr(first, '[');
    if (open && g_str_has_suffix(first, "]"))
        g_ptr_array_add(batch->findings, g_strdup(text));
}

void cli_debug_batch_failed(DebugBatch *batch, const char *command)
{
    if (command || batch->failed->len == 0)
        g_ptr_array_add(batch->failed, g_strdup(command ? command : "a script"));
}

/* -- the report -------------------------------------------------------------------------------- */

static Outcome outcome_of(const DebugSession *session)
{
    const DebugBatch *batch = session->desk->batch;
    if (batch->failed->len > 0)
        return OUTCOME_FAILED;
    bool ended = session->started && batch->ended;
    if (ended && batch->end == MACH_STOP_DEADLOCK)
        return OUTCOME_DEADLOCK;
    if (ended && (batch->end == MACH_STOP_FAULT || batch->end == MACH_STOP_ABORT))
        return OUTCOME_FAULT;
    if (ended && batch->end != MACH_STOP_FINISHED)
        return OUTCOME_LIMIT;
    if (batch->findings->len > 0)
        return OUTCOME_FINDINGS;
    if (session->started && !ended)
        return OUTCOME_STOPPED;
    return ended && batch->exit_status != 0 ? OUTCOME_STATUS : OUTCOME_ENDED;
}

static json_t *list_of(const GPtrArray *texts)
{
    json_t *list = json_array();
    for (guint i = 0; i < texts->len; i++)
        json_array_append_new(list, json_text(g_ptr_array_index(texts, i)));
    return list;
}

static bool write_json(const DebugSession *session, Outcome outcome, const char *path, GError **error)
{
    const DebugBatch *batch = session->desk->batch;
    json_t *root =
        json_pack("{s:i, s:s, s:i, s:i, s:O, s:o, s:o}", "orrery", 1, "outcome", outcomes[outcome].name, "status",
                  outcomes[outcome].status, "ranks", (int)mon_session_ranks(session->core), "stops", batch->stops,
                  "findings", list_of(batch->findings), "failed", list_of(batch->failed));
    if (session->started && batch->ended) {
        json_object_set_new(root, "exit_status", json_integer(batch->exit_status));
        json_object_set_new(root, "makespan_ps", json_integer((json_int_t)batch->makespan_ps));
        json_object_set_new(root, "end", json_text(batch->text));
    }
    char *text = json_dumps(root, JSON_INDENT(2));
    json_decref(root);
    g_autofree char *whole = g_strconcat(text, "\n", NULL);
    free(text);
    return base_write_report(path, whole, strlen(whole), error);
}

/* Counts of stops by their reasons. */
static void say_stops(const DebugBatch *batch, GString *out)
{
    for (int reason = MON_BEGINNING; reason < MON_ENDED; reason++) {
        unsigned count = 0;
        for (size_t i = 0; i < json_array_size(batch->stops); i++) {
            const char *name = json_string_value(json_object_get(json_array_get(batch->stops, i), "reason"));
            count += strcmp(name, reason_name((MonReason)reason)) == 0;
        }
        if (count > 0)
            g_string_append_printf(out, "%s%u %s", out->len ? ", " : "", count, reason_name((MonReason)reason));
    }
}

int cli_debug_batch_report(DebugSession *session, const char *json, GError **error)
{
    const DebugBatch *batch = session->desk->batch;
    Outcome outcome = outcome_of(session);
    g_autoptr(GString) stops = g_string_new(NULL);
    say_stops(batch, stops);
    fprintf(stderr, "orrery: batch: %s (status %d)\n", outcomes[outcome].name, outcomes[outcome].status);
    fprintf(stderr, "  stops: %s\n", stops->len ? stops->str : "none");
    for (guint i = 0; i < batch->findings->len; i++)
        fprintf(stderr, "  finding: %s\n", (const char *)g_ptr_array_index(batch->findings, i));
    for (guint i = 0; i < batch->failed->len; i++)
        fprintf(stderr, "  failed: %s\n", (const char *)g_ptr_array_index(batch->failed, i));
    if (session->started && batch->ended) {
        g_autofree char *makespan = base_units_format_time(batch->makespan_ps);
        fprintf(stderr, "  the program has ended at %s with exit status %d\n", makespan, batch->exit_status);
    }
    return !json || write_json(session, outcome, json, error) ? outcomes[outcome].status : CLI_STATUS_USAGE;
}
