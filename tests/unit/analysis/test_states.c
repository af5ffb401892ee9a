/* test_states.c - intervals of locations: without gaps, in the order of their ends, with the sums of the events. */
#include "analysis/analysis.h"
#include "made.h"

/* Returns the intervals as text: "location state from-to line cause peer message", separated by "; ". */
static char *told(TraceReader *reader, const TraceSelection *selection)
{
    GString *out = g_string_new(NULL);
    AnalysisStates *states = analysis_states_new(reader, selection);
    AnalysisInterval i;
    while (analysis_states_next(states, &i)) {
        g_string_append_printf(out, "%s%u %s %d-%d %u", out->len ? "; " : "", i.location, analysis_state_name(i.state),
                               (int)i.from_ps, (int)i.to_ps, trace_reader_site(reader, i.site).line);
        if (i.cause)
            g_string_append_printf(out, " %s", i.cause);
        if (i.peer != ANALYSIS_NOBODY)
            g_string_append_printf(out, " of %u", i.peer);
        if (i.message)
            g_string_append_printf(out, " #%d", (int)i.message);
    }
    cr_assert(analysis_states_end(states, NULL));
    analysis_states_free(states);
    return g_string_free(out, FALSE);
}

static void expect(TraceReader *reader, const TraceSelection *selection, const char *text)
{
    TraceSelection all = trace_selection_all();
    char *found = told(reader, selection ? selection : &all);
    cr_assert_str_eq(found, text, "%s", found);
    g_free(found);
}

Test(states, a_call_is_overhead_and_waiting_up_to_the_message)
{
    Made made = made_new(2);
    message(&made, 0, 1, 60, 80, 7, 3);
    call(&made, 0, 50, 65, 0, "MPI_Send", 10);
    call(&made, 1, 20, 90, 55, "MPI_Recv", 20);
    simple(&made, TRACE_ENDED, 0, 70, 0);
    simple(&made, TRACE_ENDED, 1, 100, 0);
    TraceReader *reader = made_read(&made);
    expect(reader, NULL,
           "1 computing 0-20 20; 1 overhead 20-25 20; 0 computing 0-50 10; 1 waiting 25-60 20 late sender of 0 #7; "
           "0 overhead 50-65 10; 0 computing 65-70 0; 1 waiting 60-80 20 transfer of 0 #7; 1 overhead 80-90 20; "
           "1 computing 90-100 0");
    TraceSelection part = trace_selection_all();
    part.from_ps = 55;
    part.to_ps = 62;
    expect(reader, &part,
           "1 waiting 55-60 20 late sender of 0 #7; 0 overhead 55-62 10; 1 waiting 60-62 20 transfer of 0 #7");
    part.from_ps = 1;
    part.to_ps = 5; /* nothing is told within */
    expect(reader, &part, "0 computing 1-5 10; 1 computing 1-5 20");
    part.from_ps = 95;
    part.to_ps = 200; /* location 0 has ended */
    expect(reader, &part, "1 computing 95-100 0");
    made_free(&made);
}

Test(states, waits_that_are_told_are_taken_as_they_are)
{
    Made made = made_new(2);
    message(&made, 1, 0, 30, 40, 1, -5);
    waited(&made, 0, 12, 20, "late sender", 1, 1);
    waited(&made, 0, 20, 25, "transfer", 1, 1);
    waited(&made, 0, 28, 29, "lock", 0, 0);
    call(&made, 0, 10, 50, 14, "MPI_Waitall", 5);
    trace_writer_location(made.writer, 1, &(TraceLocation){1, 0, "0"});
    simple(&made, TRACE_ENDED, 0, 50, 0);
    expect(made_read(&made), NULL,
           "0 computing 0-10 5; 0 overhead 10-12 5; 0 waiting 12-20 5 late sender of 1 #1; "
           "0 waiting 20-25 5 transfer of 1 #1; 0 overhead 25-28 5; 0 waiting 28-29 5 lock; 0 overhead 29-50 5");
    made_free(&made);
}

Test(states, functions_of_the_program_within_a_call_compute)
{
    Made made = made_new(1);
    waited(&made, 0, 12, 20, "program", 0, 0);
    waited(&made, 0, 20, 25, "transfer", 0, 0);
    call(&made, 0, 10, 30, 13, "MPI_Reduce", 5);
    simple(&made, TRACE_ENDED, 0, 30, 0);
    expect(
        made_read(&made), NULL,
        "0 computing 0-10 5; 0 overhead 10-12 5; 0 computing 12-20 5; 0 waiting 20-25 5 transfer; 0 overhead 25-30 5");
    made_free(&made);
}

Test(states, pauses_and_waits_without_messages)
{
    Made made = made_new(1);
    TraceEvent pause = {.kind = TRACE_PAUSE, .time_ps = 8};
    pause.fields[TRACE_PAUSE_FROM] = 5;
    pause.fields[TRACE_PAUSE_WHY] = trace_writer_text(made.writer, "sleep");
    trace_writer_add(made.writer, &pause);
    call(&made, 0, 10, 20, 6, "MPI_Send", 1);
    call(&made, 0, 20, 30, 10, "MPI_Barrier", 2);
    simple(&made, TRACE_ENDED, 0, 30, 0);
    expect(made_read(&made), NULL,
           "0 computing 0-5 1; 0 paused 5-8 1 sleep; 0 computing 8-10 1; 0 overhead 10-14 1; 0 waiting 14-20 1 other; "
           "0 waiting 20-30 2 other");
    made_free(&made);
}

Test(states, calls_in_calls_are_cut_out)
{
    Made made = made_new(1);
    call(&made, 0, 5, 8, 0, "MPI_Wtime", 1);
    call(&made, 0, 2, 10, 6, "MPI_Reduce", 2);
    simple(&made, TRACE_ENDED, 0, 10, 0);
    expect(made_read(&made), NULL, "0 computing 0-5 1; 0 overhead 5-8 1; 0 waiting 8-10 2 other");
    made_free(&made);
}

Test(states, threads_begin_late_and_end_with_their_rank)
{
    Made made = made_new(2);
    trace_writer_note(made.writer, "ranks", "1");
    trace_writer_location(made.writer, 0, &(TraceLocation){0, 0, "0"});
    trace_writer_location(made.writer, 1, &(TraceLocation){0, 1, "0"});
    simple(&made, TRACE_STARTED, 1, 40, 0);
    message(&made, 0, 0, 50, 60, 3, 0);
    call(&made, 1, 45, 65, 15, "MPI_Recv", 4); /* the message arrives at the location of its rank */
    simple(&made, TRACE_ENDED, 0, 90, 0);
    expect(made_read(&made), NULL,
           "1 computing 40-45 4; 1 waiting 45-50 4 late sender of 0 #3; 1 waiting 50-60 4 transfer of 0 #3; "
           "1 overhead 60-65 4; 0 computing 0-90 0");
    made_free(&made);
}

Test(states, a_selection_of_locations)
{
    Made made = made_new(3);
    for (uint32_t at = 0; at < 3; at++)
        call(&made, at, 10, 20, 0, "MPI_Send", at + 1);
    for (uint32_t at = 0; at < 3; at++)
        simple(&made, TRACE_ENDED, at, 30, 0);
    TraceSelection part = trace_selection_all();
    GArray *two = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    g_array_append_vals(two, ((uint32_t[]){1, 2}), 2);
    part.locations = two;
    TraceReader *reader = made_read(&made);
    expect(reader, &part,
           "1 computing 0-10 2; 2 computing 0-10 3; 1 overhead 10-20 2; 2 overhead 10-20 3; 1 computing 20-30 0; "
           "2 computing 20-30 0");
    made_free(&made);
    g_array_unref(two);
}

/* Random calls of many locations: no gaps, ends in order, blocked time as told. */
static void check_random(bool any_order)
{
    enum { LOCATIONS = 37, CALLS = 5000 };
    uint64_t drawn = 0;
    Made made = made_new(LOCATIONS);
    uint64_t now[LOCATIONS] = {0}, blocked[LOCATIONS] = {0}, found[LOCATIONS] = {0}, done[LOCATIONS] = {0};
    for (unsigned i = 0; i < CALLS; i++) {
        uint32_t at = (uint32_t)draw(&drawn, LOCATIONS);
        uint64_t from = now[at] + draw(&drawn, 50), time = draw(&drawn, 100), wait = draw(&drawn, time + 1),
                 last = MAX(from, from + time - MIN(time, 20));
        if (i % 3)
            message(&made, (at + 1) % LOCATIONS, at, from, last, i + 1, (int)(i % 5) - 2);
        call(&made, at, from, from + time, wait, "MPI_Recv", 1 + i % 9);
        now[at] = from + time;
        blocked[at] += wait;
    }
    for (uint32_t at = 0; at < LOCATIONS; at++)
        simple(&made, TRACE_ENDED, at, now[at] += 5, 0);
    TraceSelection all = trace_selection_all();
    AnalysisStates *states = analysis_states_new(made_read(&made), &all);
    AnalysisInterval interval;
    uint64_t last = 0;
    if (any_order)
        analysis_states_any_order(states);
    while (analysis_states_next(states, &interval)) {
        cr_assert_eq(interval.from_ps, done[interval.location]);
        cr_assert_gt(interval.to_ps, interval.from_ps);
        cr_assert(any_order || interval.to_ps >= last);
        done[interval.location] = last = interval.to_ps;
        if (interval.state == ANALYSIS_WAITING)
            found[interval.location] += interval.to_ps - interval.from_ps;
    }
    cr_assert(analysis_states_end(states, NULL));
    analysis_states_free(states);
    for (uint32_t at = 0; at < LOCATIONS; at++) {
        cr_assert_eq(done[at], now[at]);
        cr_assert_eq(found[at], blocked[at]);
    }
    made_free(&made);
}

Test(states, random_runs_have_no_gaps)
{
    check_random(false);
    check_random(true);
}

Test(states, nothing_is_lost_when_the_iterator_is_left)
{
    Made made = made_new(2);
    call(&made, 0, 10, 20, 5, "MPI_Recv", 1);
    waited(&made, 1, 5, 6, "lock", 1, 0);
    simple(&made, TRACE_ENDED, 0, 30, 0);
    TraceSelection all = trace_selection_all();
    AnalysisStates *states = analysis_states_new(made_read(&made), &all);
    analysis_states_free(states);
    analysis_states_free(NULL);
    made_free(&made);
}

/* -- messages ---------------------------------------------------------------------------------- */

/* Returns messages as text: "id sender function:line -> receiver function:line", separated by "; ". */
static char *pairs(TraceReader *reader)
{
    GString *out = g_string_new(NULL);
    TraceSelection all = trace_selection_all();
    AnalysisMessages *messages = analysis_messages_new(reader, &all);
    AnalysisMessage m;
    while (analysis_messages_next(messages, &m))
        g_string_append_printf(out, "%s%d %u %s:%u -> %u %s:%u", out->len ? "; " : "", (int)m.id, m.sender,
                               m.send.function ? m.send.function : "?", trace_reader_site(reader, m.send.site).line,
                               m.receiver, m.receive.function ? m.receive.function : "?",
                               trace_reader_site(reader, m.receive.site).line);
    cr_assert(analysis_messages_end(messages, NULL));
    analysis_messages_free(messages);
    return g_string_free(out, FALSE);
}

static void expect_pairs(TraceReader *reader, const char *text)
{
    char *found = pairs(reader);
    cr_assert_str_eq(found, text, "%s", found);
    g_free(found);
}

Test(messages, have_both_calls)
{
    Made made = made_new(2);
    call(&made, 0, 10, 20, 0, "MPI_Send", 1);
    message(&made, 0, 1, 15, 40, 1, 0);
    call(&made, 1, 5, 45, 30, "MPI_Recv", 2);
    call(&made, 1, 46, 60, 5, "MPI_Allreduce", 4); /* it sends, and takes nothing between ranks */
    message(&made, 1, 0, 50, 70, 2, -3);
    message(&made, 1, 0, 60, 75, 3, 8); /* sent by what follows that call */
    call(&made, 0, 60, 80, 5, "MPI_Allreduce", 3);
    call(&made, 0, 80, 90, 0, "MPI_Irecv", 5);
    call(&made, 0, 90, 95, 0, "MPI_Wait", 6);
    expect_pairs(made_read(&made), "1 0 MPI_Send:1 -> 1 MPI_Recv:2; 2 1 MPI_Allreduce:4 -> 0 MPI_Allreduce:3; "
                                   "3 1 MPI_Allreduce:4 -> 0 MPI_Wait:6");
    made_free(&made);
}

Test(messages, of_calls_that_are_not_told)
{
    Made made = made_new(2);
    message(&made, 0, 1, 15, 40, 2, 0);
    message(&made, 0, 1, 15, 40, 1, 0);
    TraceReader *reader = made_read(&made);
    expect_pairs(reader, "1 0 ?:0 -> 1 ?:0; 2 0 ?:0 -> 1 ?:0");
    TraceSelection all = trace_selection_all();
    AnalysisMessages *messages = analysis_messages_new(reader, &all);
    AnalysisMessage first;
    cr_assert(analysis_messages_next(messages, &first));
    analysis_messages_free(messages);
    made_free(&made);
}

Test(messages, one_receive_takes_one_and_waitall_takes_all)
{
    Made made = made_new(2);
    call(&made, 0, 0, 9, 0, "MPI_Isend", 1);
    for (unsigned i = 1; i <= 4; i++)
        message(&made, 0, 1, 5, 10 + i, i, 0);
    call(&made, 1, 20, 30, 0, "MPI_Recv", 2);
    call(&made, 1, 30, 40, 0, "MPI_Barrier", 3);
    call(&made, 1, 40, 50, 0, "MPI_Waitall", 4);
    expect_pairs(made_read(&made), "1 0 MPI_Isend:1 -> 1 MPI_Recv:2; 2 0 MPI_Isend:1 -> 1 MPI_Waitall:4; "
                                   "3 0 MPI_Isend:1 -> 1 MPI_Waitall:4; 4 0 MPI_Isend:1 -> 1 MPI_Waitall:4");
    made_free(&made);
}
