/* pages.c - what is handed back: a page for each student, and one for the class. Each is one file of HTML without
 * scripts or anything from elsewhere, readable in light and dark, on paper, and by a screen reader.
 */
#include "base/units.h"
#include "cli/grade/grade.h"

#include <string.h>

static const char style[] =
    ":root{color-scheme:light "
    "dark;--ink:#1b1b1f;--paper:#fff;--soft:#f1f2f5;--line:#c9ccd4;--good:#0b6e4f;--bad:#a4262c}"
    "@media(prefers-color-scheme:dark){:root{--ink:#e8e8ec;--paper:#17181c;--soft:#23252b;--line:#454852;--good:#"
    "5fd3a6;"
    "--bad:#ff8f8f}}"
    "body{font:16px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper);max-width:60rem;margin:2rem auto;"
    "padding:0 1rem}"
    "h1{font-size:1.5rem;margin-bottom:.2rem}h2{font-size:1.15rem;margin:2rem 0 .4rem}"
    "table{border-collapse:collapse;margin:1rem 0}th,td{padding:.25rem .7rem;border-bottom:1px solid var(--line);"
    "text-align:left;vertical-align:top}td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}"
    "pre{background:var(--soft);padding:.7rem;overflow-x:auto;white-space:pre-wrap;overflow-wrap:anywhere}"
    ".good{color:var(--good)}.bad{color:var(--bad)}.bar{display:inline-block;height:.8rem;background:var(--ink);"
    "}.wide{overflow-x:auto}@media print{body{margin:0;max-width:none}}";

static void add(GString *out, const char *format, ...) G_GNUC_PRINTF(2, 3);
/* Appends by a format; all strings are escaped. */
static void add(GString *out, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_markup_vprintf_escaped(format, arguments);
    va_end(arguments);
    g_string_append(out, text);
}

static void add_points(GString *out, const char *tag, const char *attributes, uint64_t points)
{
    g_autofree char *text = grade_spec_number(points);
    g_string_append_printf(out, "<%s%s>%s</%s>", tag, attributes, text, tag);
}

static GString *page_new(const char *title)
{
    GString *out = g_string_new("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
                                "<meta name=\"viewport\" content=\"width=device-width\">");
    add(out, "<title>%s</title>", title);
    g_string_append_printf(out, "<style>%s</style></head>\n<body>\n", style);
    return out;
}

static char *page_end(GString *out)
{
    g_string_append(out, "</body></html>\n");
    return g_string_free(out, FALSE);
}

static const GradeTest *test_at(const GradeResults *results, guint test)
{
    return g_ptr_array_index(results->spec->tests, test);
}

/* -- one student ------------------------------------------------------------------------------- */

static void add_verdict(GString *out, const GradeTest *test, const GradeVerdict *verdict, uint32_t ranks)
{
    add(out, "<tr><td class=\"n\">%u</td>", ranks);
    g_string_append(out, verdict->passed ? "<td class=\"good\">\u2714 passed</td>"
                         : verdict->host ? "<td class=\"bad\">\u2013 not judged</td>"
                                         : "<td class=\"bad\">\u2718 failed</td>");
    if (verdict->measured && !test->hidden) {
        g_autofree char *time = base_units_format_time(verdict->makespan_ps);
        add(out,
            "<td class=\"n\">%s</td><td class=\"n\">%" G_GUINT64_FORMAT "</td><td class=\"n\">%" G_GUINT64_FORMAT
            "</td></tr>\n",
            time, verdict->messages, verdict->bytes);
    } else
        g_string_append(out, "<td></td><td></td><td></td></tr>\n");
}

/* What went wrong first, and how to see it. Of hidden tests only that something did. */
static void add_failure(GString *out, const GradeTest *test, const GradeVerdict *failure)
{
    if (test->hidden)
        g_string_append(out, "<p>This test's input is not shown.</p>\n");
    else {
        add(out, "<p>%s.</p>\n", failure->reason);
        if (failure->detail)
            add(out, "<pre>%s</pre>\n", failure->detail);
        if (failure->command)
            add(out, "<p>To see it again:</p><pre>%s</pre>\n", failure->command);
        if (*test->input && strlen(test->input) < 2000)
            add(out, "<p>with this in <code>input.txt</code>:</p><pre>%s</pre>\n", test->input);
    }
    if (test->advice)
        add(out, "<p>%s</p>\n", test->advice);
}

static void add_test(GString *out, const GradeResults *results, guint submission, guint t)
{
    const GradeTest *test = test_at(results, t);
    g_autofree char *points = grade_spec_number(grade_results_points(results, submission, t));
    g_autofree char *of = grade_spec_number(test->points);
    const GradeVerdict *failure = grade_results_failure(results, submission, t);
    add(out, "<h2>%s: %s of %s</h2>\n", test->name, points, of);
    if (test->title)
        add(out, "<p>%s</p>\n", test->title);
    g_string_append(out, "<table><thead><tr><th class=\"n\" scope=\"col\">ranks</th><th scope=\"col\">result</th>"
                         "<th class=\"n\" scope=\"col\">virtual time</th><th class=\"n\" scope=\"col\">messages</th>"
                         "<th class=\"n\" scope=\"col\">bytes</th></tr></thead><tbody>\n");
    for (guint i = 0; i < test->ranks->len; i++)
        add_verdict(out, test, grade_results_verdict(results, submission, t, i),
                    g_array_index(test->ranks, uint32_t, i));
    g_string_append(out, "</tbody></table>\n");
    if (failure)
        add_failure(out, test, failure);
}

char *grade_pages_student(const GradeResults *results, guint submission)
{
    const GradeSubmission *one = g_ptr_array_index(results->submissions, submission);
    g_autofree char *title = g_strdup_printf("%s: %s", results->spec->title, one->name);
    g_autofree char *sum = grade_spec_number(grade_results_sum(results, submission));
    g_autofree char *of = grade_spec_number(grade_spec_points(results->spec));
    GString *out = page_new(title);
    add(out, "<h1>%s</h1>\n<p>%s: <strong>%s of %s points</strong></p>\n", results->spec->title, one->name, sum, of);
    for (guint i = 0; i < one->remarks->len; i++)
        add(out, "<p>%s.</p>\n", (const char *)g_ptr_array_index(one->remarks, i));
    if (one->problem)
        add(out, "<p class=\"bad\">It could not be run: %s.</p>\n", one->problem);
    if (one->said)
        add(out, "<h2>What the compiler says</h2>\n<pre>%s</pre>\n", one->said);
    for (guint t = 0; one->compiled && t < results->spec->tests->len; t++)
        add_test(out, results, submission, t);
    return page_end(out);
}

/* -- the class --------------------------------------------------------------------------------- */

/* Returns how many submissions get all points of a test. */
static guint count_full(const GradeResults *results, guint test)
{
    guint n = 0;
    for (guint i = 0; i < results->submissions->len; i++)
        n += !grade_results_failure(results, i, test);
    return n;
}

static void add_tests(GString *out, const GradeResults *results)
{
    guint all = results->submissions->len;
    g_string_append(
        out, "<h2>Tests</h2>\n<table><thead><tr><th scope=\"col\">test</th><th class=\"n\" scope=\"col\">points"
             "</th><th class=\"n\" scope=\"col\">passed by</th><th scope=\"col\">share</th></tr></thead><tbody>\n");
    for (guint t = 0; t < results->spec->tests->len; t++) {
        guint full = count_full(results, t), percent = all ? 100 * full / all : 0;
        add(out, "<tr><th scope=\"row\">%s</th>", test_at(results, t)->name);
        add_points(out, "td", " class=\"n\"", test_at(results, t)->points);
        add(out,
            "<td class=\"n\">%u of %u</td><td><span class=\"bar\" style=\"width:%.1frem\"></span> %u %%</td></tr>\n",
            full, all, (double)percent / 10, percent);
    }
    g_string_append(out, "</tbody></table>\n");
}

/* Ten classes from no points to all. */
static void add_distribution(GString *out, const GradeResults *results)
{
    enum { CLASSES = 10 };
    guint counts[CLASSES] = {0}, most = 1;
    uint64_t of = MAX(grade_spec_points(results->spec), 1);
    for (guint i = 0; i < results->submissions->len; i++) {
        uint64_t class = MIN(grade_results_sum(results, i) * CLASSES / of, CLASSES - 1);
        counts[class]++;
        most = MAX(most, counts[class]);
    }
    g_string_append(out, "<h2>Points</h2>\n<table><thead><tr><th scope=\"col\">of the points</th><th class=\"n\" "
                         "scope=\"col\">submissions</th><th scope=\"col\"></th></tr></thead><tbody>\n");
    for (guint i = CLASSES; i-- > 0;)
        add(out,
            "<tr><th scope=\"row\">%u to %u %%</th><td class=\"n\">%u</td><td><span class=\"bar\" "
            "style=\"width:%.1frem\"></span></td></tr>\n",
            i * 10, i * 10 + 10, counts[i], 15.0 * counts[i] / most);
    g_string_append(out, "</tbody></table>\n");
}

static void add_row(GString *out, const GradeResults *results, guint submission)
{
    const GradeSubmission *one = g_ptr_array_index(results->submissions, submission);
    g_autofree char *file = g_uri_escape_string(one->name, NULL, FALSE);
    add(out, "<tr><th scope=\"row\"><a href=\"feedback/%s.html\">%s</a></th>", file, one->name);
    for (guint t = 0; t < results->spec->tests->len; t++)
        add_points(out, "td", grade_results_failure(results, submission, t) ? " class=\"n bad\"" : " class=\"n good\"",
                   grade_results_points(results, submission, t));
    add_points(out, "td", " class=\"n\"", grade_results_sum(results, submission));
    const GradeVerdict *failure = NULL;
    for (guint t = 0; t < results->spec->tests->len && !failure; t++)
        failure = grade_results_failure(results, submission, t);
    add(out, "<td>%s</td></tr>\n", one->problem ? one->problem : failure ? failure->reason : "");
}

char *grade_pages_class(const GradeResults *results)
{
    GString *out = page_new(results->spec->title);
    guint n = results->submissions->len;
    uint64_t sum = 0;
    for (guint i = 0; i < n; i++)
        sum += grade_results_sum(results, i);
    g_autofree char *of = grade_spec_number(grade_spec_points(results->spec)),
                    *mean = grade_spec_number(sum / MAX(n, 1));
    add(out, "<h1>%s</h1>\n<p>%u submissions, %s of %s points on average.</p>\n", results->spec->title, n, mean, of);
    add_tests(out, results);
    add_distribution(out, results);
    g_string_append(out,
                    "<h2>Submissions</h2>\n<div class=\"wide\" tabindex=\"0\" role=\"region\" "
                    "aria-label=\"points of all submissions\"><table><thead><tr><th scope=\"col\">submission</th>");
    for (guint t = 0; t < results->spec->tests->len; t++)
        add(out, "<th class=\"n\" scope=\"col\">%s</th>", test_at(results, t)->name);
    g_string_append(out, "<th class=\"n\" scope=\"col\">sum</th><th scope=\"col\">what failed first</th></tr></thead>"
                         "<tbody>\n");
    for (guint i = 0; i < n; i++)
        add_row(out, results, i);
    g_string_append(out, "</tbody></table></div>\n");
    return page_end(out);
}
