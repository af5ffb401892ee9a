/* test_critical.c - the critical path of runs whose critical path is known, and the slack of the rest. */
#include "analysis/analysis.h"
#include "made.h"

static AnalysisPath *path_of(Made *made)
{
    GError *error = NULL;
    AnalysisPath *path = analysis_critical_path(made_read(made), &error);
    cr_assert(path, "%s", error ? error->message : "");
    return path;
}

/* Returns the pieces as text, separated by "; ". */
static char *pieces(const AnalysisPath *path)
{
    GString *out = g_string_new(NULL);
    for (guint i = 0; i < path->pieces->len; i++) {
        const AnalysisPiece *piece = &g_array_index(path->pieces, AnalysisPiece, i);
        g_string_append_printf(out, "%s%d-%d %u %s", i ? "; " : "", (int)piece->from_ps, (int)piece->to_ps,
                               piece->location, piece->kind);
        if (piece->peer != ANALYSIS_NOBODY)
            g_string_append_printf(out, " from %u", piece->peer);
        if (piece->link)
            g_string_append_printf(out, " on %s", piece->link);
    }
    return g_string_free(out, FALSE);
}

static void expect_path(const AnalysisPath *path, const char *text)
{
    char *found = pieces(path);
    cr_assert_str_eq(found, text, "%s", found);
    g_free(found);
}

static uint64_t slack_of(const AnalysisPath *path, uint32_t location)
{
    return g_array_index(path->locations, AnalysisPathLocation, location).slack_ps;
}

static const AnalysisLine *line_of(const AnalysisPath *path, const char *kind, uint32_t line)
{
    for (guint i = 0; i < path->lines->len; i++) {
        const AnalysisLine *found = &g_array_index(path->lines, AnalysisLine, i);
        if (found->site.line == line && g_strcmp0(found->kind, kind) == 0)
            return found;
    }
    cr_assert(false, "no %s at line %u", kind, line);
    return NULL;
}

static void hop(Made *made, uint32_t at, uint64_t from, uint64_t to, uint64_t id, const char *link)
{
    TraceEvent event = {.kind = TRACE_HOP, .location = at, .time_ps = to};
    event.fields[TRACE_HOP_FROM] = from;
    event.fields[TRACE_HOP_MESSAGE] = id;
    event.fields[TRACE_HOP_LINK] = trace_writer_text(made->writer, link);
    trace_writer_add(made->writer, &event);
}

/* Location 1 waits for 0, computes, and ends last; 2 does nothing that matters. */
static Made late_sender(bool told)
{
    Made made = made_new(3);
    hop(&made, 0, 62, 70, 7, "a -> b");
    hop(&made, 0, 68, 80, 7, "b -> c");
    message(&made, 0, 1, 60, 80, 7, 3);
    call(&made, 0, 50, 60, 0, "MPI_Send", 10);
    if (told) {
        waited(&made, 1, 22, 60, "late sender", 0, 7);
        waited(&made, 1, 60, 75, "transfer", 0, 7);
        waited(&made, 1, 75, 80, "contention", 0, 7);
    }
    call(&made, 1, 20, 85, 58, "MPI_Recv", 20);
    call(&made, 2, 10, 15, 0, "MPI_Wtime", 30);
    simple(&made, TRACE_ENDED, 0, 70, 0);
    simple(&made, TRACE_ENDED, 1, 100, 0);
    simple(&made, TRACE_ENDED, 2, 40, 0);
    return made;
}

Test(critical, a_late_sender_that_is_worked_out)
{
    Made made = late_sender(false);
    AnalysisPath *path = path_of(&made);
    cr_assert_eq(path->makespan_ps, 100);
    expect_path(path, "0-50 0 computing; 50-60 0 overhead; 60-62 1 transfer from 0 on network interface; 62-68 1 "
                      "transfer from 0 on a -> b; "
                      "68-80 1 transfer from 0 on b -> c; 80-85 1 overhead; 85-100 1 computing");
    cr_assert_eq(slack_of(path, 0), 0);
    cr_assert_eq(slack_of(path, 1), 0);
    cr_assert_eq(slack_of(path, 2), 60);
    cr_assert_eq(line_of(path, "computing", 20)->slack_ps, 58); /* it could come as much later as it waits */
    cr_assert_eq(line_of(path, "computing", 10)->path_ps, 50);
    cr_assert_eq(line_of(path, "late sender", 20)->slack_ps, UINT64_MAX);
    analysis_critical_path_free(path);
    made_free(&made);
}

Test(critical, parts_of_a_wait_that_are_told_stay_apart)
{
    Made made = late_sender(true);
    AnalysisPath *path = path_of(&made);
    expect_path(path, "0-50 0 computing; 50-60 0 overhead; 60-62 1 transfer from 0 on network interface; 62-68 1 "
                      "transfer from 0 on a -> b; "
                      "68-75 1 transfer from 0 on b -> c; 75-80 1 contention from 0 on b -> c; 80-85 1 overhead; "
                      "85-100 1 computing");
    cr_assert_eq(slack_of(path, 2), 60);
    cr_assert_eq(line_of(path, "computing", 20)->slack_ps, 58);
    analysis_critical_path_free(path);
    made_free(&made);
}

/* The receiver is late: it is on the path up to then, though it waits for nothing. */
Test(critical, a_late_receiver)
{
    Made made = made_new(2);
    waited(&made, 0, 15, 40, "late receiver", 1, 0);
    waited(&made, 0, 40, 46, "hand-shake", 1, 0);
    call(&made, 0, 10, 50, 31, "MPI_Ssend", 1);
    message(&made, 0, 1, 46, 49, 1, 0);
    waited(&made, 1, 40, 49, "transfer", 0, 1);
    call(&made, 1, 38, 52, 9, "MPI_Recv", 2);
    simple(&made, TRACE_ENDED, 1, 52, 0);
    simple(&made, TRACE_ENDED, 0, 80, 0);
    AnalysisPath *path = path_of(&made);
    expect_path(path, "0-38 1 computing; 38-40 1 overhead; 40-46 0 hand-shake; 46-50 0 overhead; 50-80 0 computing");
    cr_assert_eq(slack_of(path, 0), 0);
    cr_assert_eq(slack_of(path, 1), 0);
    cr_assert_eq(line_of(path, "computing", 1)->slack_ps, 25);
    analysis_critical_path_free(path);
    made_free(&made);
}

/* Who waits for each other at a time keeps the path where it is; it goes on. */
Test(critical, locations_that_wait_for_each_other)
{
    Made made = made_new(2);
    for (uint32_t at = 0; at < 2; at++) {
        waited(&made, at, 10, 30, "lock", 1 - at, 0);
        call(&made, at, 10, 40, 20, "MPI_Win_lock", at + 1);
        simple(&made, TRACE_ENDED, at, 50, 0);
    }
    AnalysisPath *path = path_of(&made);
    expect_path(path, "0-10 1 computing; 10-30 1 lock; 30-40 0 overhead; 40-50 0 computing");
    analysis_critical_path_free(path);
    made_free(&made);
}

Test(critical, a_rank_that_was_spawned_leads_back_to_its_creator)
{
    Made made = made_new(2);
    trace_writer_note(made.writer, "ranks", "1");
    trace_writer_location(made.writer, 0, &(TraceLocation){0, 0, "0"});
    trace_writer_location(made.writer, 1, &(TraceLocation){1, 0, "0"});
    simple(&made, TRACE_STARTED, 1, 40, 0);
    call(&made, 1, 70, 90, 0, "MPI_Send", 4);
    simple(&made, TRACE_ENDED, 0, 60, 0);
    AnalysisPath *path = path_of(&made);
    expect_path(path, "0-40 0 computing; 40-70 1 computing; 70-90 1 overhead");
    analysis_critical_path_free(path);
    made_free(&made);
}

Test(critical, a_trace_without_time_has_no_path)
{
    Made made = made_new(1);
    GError *error = NULL;
    cr_assert_null(analysis_critical_path(made_read(&made), &error));
    cr_assert(g_error_matches(error, TRACE_ERROR, TRACE_ERROR_FORMAT));
    g_error_free(error);
    made_free(&made);
}

/* Whatever a trace tells: pieces follow each other from 0 to the makespan, and lines add up to them. */
static void random_run(uint64_t seed, bool told)
{
    enum { LOCATIONS = 11, CALLS = 600 };
    static const char *const causes[] = {"late sender", "transfer", "contention", "lock", "wait at collective"};
    uint64_t drawn = seed << 32, now[LOCATIONS] = {0};
    Made made = made_new(LOCATIONS);
    for (unsigned i = 0; i < CALLS; i++) {
        uint32_t at = (uint32_t)draw(&drawn, LOCATIONS), other = (uint32_t)draw(&drawn, LOCATIONS);
        uint64_t from = now[at] + draw(&drawn, 50), time = draw(&drawn, 100), wait = draw(&drawn, time + 1),
                 arrival = from + draw(&drawn, time + 1);
        if (i % 3)
            message(&made, other, at, arrival - MIN(arrival, draw(&drawn, 80)), arrival, i + 1, (int)(i % 5) - 2);
        if (told && wait)
            waited(&made, at, from, from + wait, causes[draw(&drawn, G_N_ELEMENTS(causes))], other,
                   draw(&drawn, 2) * (i + 1));
        call(&made, at, from, from + time, wait, "MPI_Recv", 1 + i % 9);
        now[at] = from + time;
    }
    for (uint32_t at = 0; at < LOCATIONS; at++)
        simple(&made, TRACE_ENDED, at, now[at] + 5, 0);
    AnalysisPath *path = path_of(&made);
    uint64_t done = 0, sum = 0;
    for (guint i = 0; i < path->pieces->len; i++) {
        const AnalysisPiece *piece = &g_array_index(path->pieces, AnalysisPiece, i);
        cr_assert_eq(piece->from_ps, done);
        cr_assert_gt(piece->to_ps, piece->from_ps);
        cr_assert_eq(piece->kind, g_array_index(path->lines, AnalysisLine, piece->line).kind);
        done = piece->to_ps;
    }
    for (guint i = 0; i < path->lines->len; i++) {
        const AnalysisLine *line = &g_array_index(path->lines, AnalysisLine, i);
        sum += line->path_ps;
        cr_assert(!line->path_ps || line->slack_ps == 0);
    }
    cr_assert_eq(done, path->makespan_ps);
    cr_assert_eq(sum, path->makespan_ps);
    for (uint32_t at = 0; at < LOCATIONS; at++)
        cr_assert_leq(slack_of(path, at), path->makespan_ps - now[at] - 5);
    analysis_critical_path_free(path);
    made_free(&made);
}

Test(critical, pieces_add_up_to_the_makespan)
{
    for (uint64_t seed = 1; seed <= 20; seed++) {
        random_run(seed, false);
        random_run(seed, true);
    }
}
