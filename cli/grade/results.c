/* results.c - points of all submissions: as a table for people, as CSV for spreadsheets, as JSON for programs. */
#include "base/csv.h"
#include "cli/grade/grade.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static const GradeTest *test_at(const GradeResults *results, guint test)
{
    return g_ptr_array_index(results->spec->tests, test);
}

static const GradeSubmission *submission_at(const GradeResults *results, guint submission)
{
    return g_ptr_array_index(results->submissions, submission);
}

const GradeVerdict *grade_results_verdict(const GradeResults *results, guint submission, guint test, guint ranks)
{
    guint at = submission * results->cases;
    for (guint i = 0; i < test; i++)
        at += test_at(results, i)->ranks->len;
    return &results->verdicts[at + ranks];
}

uint64_t grade_results_points(const GradeResults *results, guint submission, guint test)
{
    const GradeTest *rules = test_at(results, test);
    guint passed = 0, n = rules->ranks->len;
    for (guint i = 0; i < n; i++)
        passed += grade_results_verdict(results, submission, test, i)->passed;
    return passed == n ? rules->points : rules->partial ? rules->points * passed / n : 0;
}

uint64_t grade_results_sum(const GradeResults *results, guint submission)
{
    uint64_t sum = 0;
    for (guint i = 0; i < results->spec->tests->len; i++)
        sum += grade_results_points(results, submission, i);
    return sum;
}

const GradeVerdict *grade_results_failure(const GradeResults *results, guint submission, guint test)
{
    for (guint i = 0; i < test_at(results, test)->ranks->len; i++) {
        const GradeVerdict *verdict = grade_results_verdict(results, submission, test, i);
        if (!verdict->passed)
            return verdict;
    }
    return NULL;
}

/* Returns why a submission does not get all points: what is wrong with all of it, or with the first test that fails. */
static const char *first_reason(const GradeResults *results, guint submission)
{
    if (submission_at(results, submission)->problem)
        return submission_at(results, submission)->problem;
    for (guint i = 0; i < results->spec->tests->len; i++) {
        const GradeVerdict *failure = grade_results_failure(results, submission, i);
        if (failure)
            return failure->reason;
    }
    return "";
}

/* -- for people -------------------------------------------------------------------------------- */

static int width_of(const char *text)
{
    return (int)g_utf8_strlen(text, -1);
}

static void append_cell(GString *out, const char *text, int width, bool right)
{
    int blanks = MAX(width - width_of(text), 0);
    if (right)
        g_string_append_printf(out, "%*s", blanks, "");
    g_string_append(out, text);
    if (!right)
        g_string_append_printf(out, "%*s", blanks, "");
}

char *grade_results_table(const GradeResults *results)
{
    GString *out = g_string_new(NULL);
    guint tests = results->spec->tests->len;
    int name = width_of("submission");
    for (guint i = 0; i < results->submissions->len; i++)
        name = MAX(name, width_of(submission_at(results, i)->name));
    append_cell(out, "submission", name, false);
    for (guint t = 0; t < tests; t++) {
        g_string_append(out, "  ");
        append_cell(out, test_at(results, t)->name, 5, true);
    }
    g_autofree char *of = grade_spec_number(grade_spec_points(results->spec));
    g_string_append_printf(out, "  points of %s\n", of);
    int sum_width = width_of("points of ") + width_of(of);
    for (guint i = 0; i < results->submissions->len; i++) {
        append_cell(out, submission_at(results, i)->name, name, false);
        for (guint t = 0; t < tests; t++) {
            g_autofree char *points = grade_spec_number(grade_results_points(results, i, t));
            g_string_append(out, "  ");
            append_cell(out, points, MAX(5, width_of(test_at(results, t)->name)), true);
        }
        g_autofree char *sum = grade_spec_number(grade_results_sum(results, i));
        g_string_append(out, "  ");
        append_cell(out, sum, sum_width, true);
        const char *reason = first_reason(results, i);
        g_string_append_printf(out, "%s%s\n", *reason ? "  " : "", reason);
    }
    return g_string_free(out, FALSE);
}

/* -- CSV --------------------------------------------------------------------------------------- */

/* Appends a field that a spreadsheet takes for text: what begins like a formula gets an apostrophe. */
static void append_text_field(GString *out, const char *text)
{
    g_autofree char *safe = *text && strchr("=+-@\t\r", *text) ? g_strconcat("'", text, NULL) : g_strdup(text);
    base_csv_append(out, safe);
}

char *grade_results_csv(const GradeResults *results)
{
    GString *out = g_string_new("submission,points,of");
    for (guint t = 0; t < results->spec->tests->len; t++) {
        g_string_append_c(out, ',');
        append_text_field(out, test_at(results, t)->name);
    }
    g_string_append(out, ",remark\r\n");
    g_autofree char *of = grade_spec_number(grade_spec_points(results->spec));
    for (guint i = 0; i < results->submissions->len; i++) {
        g_autofree char *sum = grade_spec_number(grade_results_sum(results, i));
        append_text_field(out, submission_at(results, i)->name);
        g_string_append_printf(out, ",%s,%s", sum, of);
        for (guint t = 0; t < results->spec->tests->len; t++) {
            g_autofree char *points = grade_spec_number(grade_results_points(results, i, t));
            g_string_append_printf(out, ",%s", points);
        }
        g_string_append_c(out, ',');
        append_text_field(out, first_reason(results, i));
        g_string_append(out, "\r\n");
    }
    return g_string_free(out, FALSE);
}

/* -- JSON -------------------------------------------------------------------------------------- */

static json_t *points_number(uint64_t hundredths)
{
    return hundredths % 100 ? json_real((double)hundredths / 100) : json_integer((json_int_t)(hundredths / 100));
}

static json_t *text_or_null(const char *text)
{
    return text ? json_string(text) : json_null();
}

static json_t *json_of_case(const GradeVerdict *verdict, uint32_t ranks)
{
    json_t *one = json_pack("{s:i, s:b, s:o, s:o, s:o, s:b}", "ranks", (int)ranks, "passed", verdict->passed, "reason",
                            text_or_null(verdict->reason), "detail", text_or_null(verdict->detail), "command",
                            text_or_null(verdict->command), "not_judged", verdict->host);
    if (verdict->measured) {
        json_object_set_new(one, "makespan_ps", json_integer((json_int_t)verdict->makespan_ps));
        json_object_set_new(one, "messages", json_integer((json_int_t)verdict->messages));
        json_object_set_new(one, "bytes", json_integer((json_int_t)verdict->bytes));
    }
    return one;
}

static json_t *json_of_submission(const GradeResults *results, guint submission)
{
    const GradeSubmission *one = submission_at(results, submission);
    json_t *tests = json_array(), *remarks = json_array();
    for (guint t = 0; t < results->spec->tests->len; t++) {
        const GradeTest *test = test_at(results, t);
        json_t *cases = json_array();
        for (guint i = 0; i < test->ranks->len; i++)
            json_array_append_new(cases, json_of_case(grade_results_verdict(results, submission, t, i),
                                                      g_array_index(test->ranks, uint32_t, i)));
        json_array_append_new(tests,
                              json_pack("{s:s, s:o, s:o}", "test", test->name, "points",
                                        points_number(grade_results_points(results, submission, t)), "cases", cases));
    }
    for (guint i = 0; i < one->remarks->len; i++)
        json_array_append_new(remarks, json_string(g_ptr_array_index(one->remarks, i)));
    return json_pack("{s:s, s:b, s:o, s:o, s:o, s:o, s:o}", "submission", one->name, "compiled", one->compiled,
                     "problem", text_or_null(one->problem), "compiler", text_or_null(one->said), "remarks", remarks,
                     "points", points_number(grade_results_sum(results, submission)), "tests", tests);
}

char *grade_results_json(const GradeResults *results)
{
    json_t *submissions = json_array(), *tests = json_array();
    for (guint t = 0; t < results->spec->tests->len; t++)
        json_array_append_new(tests, json_pack("{s:s, s:o}", "test", test_at(results, t)->name, "points",
                                               points_number(test_at(results, t)->points)));
    for (guint i = 0; i < results->submissions->len; i++)
        json_array_append_new(submissions, json_of_submission(results, i));
    json_t *whole =
        json_pack("{s:i, s:s, s:o, s:o, s:o}", "orrery", 1, "title", results->spec->title, "points",
                  points_number(grade_spec_points(results->spec)), "tests", tests, "submissions", submissions);
    char *text = json_dumps(whole, JSON_INDENT(1) | JSON_REAL_PRECISION(15));
    char *lines = g_strconcat(text, "\n", NULL);
    json_decref(whole);
    free(text);
    return lines;
}
