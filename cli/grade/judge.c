/* judge.c - runs one case of a submission, and says whether it passes.
 *
 * A case is one call of `orrery run`, and one of `orrery explore` if all orders count. What decides comes first: how
 * the process ended, findings of checks, its exit status, its output, its limits, other orders.
 */
#include "base/units.h"
#include "cli/base/base.h"
#include "cli/grade/grade.h"

#include <jansson.h>
#include <string.h>

enum { MOST_DETAIL = 6000, NO_FAILURE_BUT_MORE = 4 };
static const char run_json[] = ".orrery-run.json", explore_json[] = ".orrery-explore.json";

typedef struct Case {
    const GradeSpec *spec;
    const GradeTest *test;
    uint32_t ranks;
    const GradeSubmission *submission;
    const GradeVerdict *reference;
    const int *cancelled;
    GradeVerdict *verdict;
} Case;

/* -- what is called ---------------------------------------------------------------------------- */

/* Adds the options that both commands have. `seen`: as somebody would type them who sees the submission only. */
static void add_options(const Case *one, GPtrArray *words, bool seen)
{
    const GradeTest *test = one->test;
    g_ptr_array_add(words, g_strdup("-n"));
    g_ptr_array_add(words, g_strdup_printf("%u", one->ranks));
    if (strcmp(test->machine, CLI_MACHINE_NAME) != 0 || !seen) {
        g_ptr_array_add(words, g_strdup("--machine"));
        g_ptr_array_add(words, seen ? g_path_get_basename(test->machine) : g_strdup(test->machine));
    }
    for (guint i = 0; i < test->settings->len; i++) {
        g_ptr_array_add(words, g_strdup("--set"));
        g_ptr_array_add(words, g_strstrip(g_strdup(g_ptr_array_index(test->settings, i))));
    }
    if (test->checks)
        g_ptr_array_add(words, g_strdup_printf("--check=%s", test->checks));
    g_ptr_array_add(words, g_strdup("--max-time"));
    g_autofree char *time = base_units_format_time(test->max_time_ps);
    g_ptr_array_add(words, g_strdup(time));
}

static void add_program(const Case *one, GPtrArray *words, bool seen)
{
    const GradeTest *test = one->test;
    if (seen)
        for (guint i = 0; i < one->submission->sources->len; i++)
            g_ptr_array_add(words, g_strdup(g_ptr_array_index(one->submission->sources, i)));
    else
        g_ptr_array_add(words, g_strdup(GRADE_PROGRAM));
    for (guint i = 0; i < test->arguments->len; i++)
        g_ptr_array_add(words, g_strdup(g_ptr_array_index(test->arguments, i)));
}

static GradeChild *call(const Case *one, const char *command, const char *json, GError **error)
{
    g_autoptr(GPtrArray) words = g_ptr_array_new_with_free_func(g_free);
    GradeLimits limits = {one->test->max_output, one->spec->host_seconds};
    g_ptr_array_add(words, g_strdup(command));
    add_options(one, words, false);
    g_ptr_array_add(words, g_strdup_printf("--memory=%" G_GUINT64_FORMAT " B", one->test->memory));
    g_ptr_array_add(words, g_strdup("--fs=none"));
    g_ptr_array_add(words, g_strdup("--jobs=1"));
    g_ptr_array_add(words, g_strdup_printf("--json=%s", json));
    if (strcmp(command, "explore") == 0)
        g_ptr_array_add(words, g_strdup_printf("--max-runs=%" G_GUINT64_FORMAT, one->test->explore));
    else {
        g_ptr_array_add(words, g_strdup("--progress=never"));
        if (one->test->checks)
            g_ptr_array_add(words, g_strdup("--check-fail"));
    }
    add_program(one, words, false);
    g_ptr_array_add(words, NULL);
    GradeChild *child = grade_child_run(one->submission->place, (const char *const *)words->pdata, one->test->input,
                                        &limits, one->cancelled, error);
    for (gsize i = 0; child && i < child->output->len; i++) /* texts end at a zero, and outputs must not */
        if (!child->output->str[i])
            child->output->str[i] = '\001';
    return child;
}

/* Returns what somebody types to see the case again. */
static char *command_of(const Case *one)
{
    g_autoptr(GPtrArray) words = g_ptr_array_new_with_free_func(g_free);
    GString *out = g_string_new("orrery run");
    add_options(one, words, true);
    if (one->spec->flags->len)
        for (guint i = 0; i < one->spec->flags->len; i++)
            g_ptr_array_add(words, g_strdup(g_ptr_array_index(one->spec->flags, i)));
    add_program(one, words, true);
    for (guint i = 0; i < words->len; i++) {
        const char *word = g_ptr_array_index(words, i);
        g_autofree char *quoted = strpbrk(word, " '\"$*;&|<>()\\") ? g_shell_quote(word) : g_strdup(word);
        g_string_append_printf(out, " %s", quoted);
    }
    if (*one->test->input)
        g_string_append(out, " < input.txt");
    return g_string_free(out, FALSE);
}

/* -- what it says ------------------------------------------------------------------------------ */

static bool fail(const Case *one, const char *detail, const char *format, ...) G_GNUC_PRINTF(3, 4);
static bool fail(const Case *one, const char *detail, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    GradeVerdict *verdict = one->verdict;
    g_autofree char *reason = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    verdict->reason = g_utf8_make_valid(reason, -1);
    g_autofree char *part = detail ? g_strndup(detail, MOST_DETAIL) : NULL;
    verdict->detail = part && *g_strstrip(part) ? g_utf8_make_valid(part, -1) : NULL;
    verdict->passed = false;
    return false;
}

/* Returns the first line of what Orrery said, without its name. */
static char *first_line(const GString *errors)
{
    const char *text = errors->str;
    if (g_str_has_prefix(text, "orrery: "))
        text += strlen("orrery: ");
    return g_strndup(text, strcspn(text, "\n"));
}

static bool judge_end(const Case *one, const GradeChild *child)
{
    const GradeTest *test = one->test;
    g_autofree char *said = first_line(child->errors);
    switch (child->end) {
    case GRADE_TALKED: return fail(one, NULL, "it prints more than %" G_GUINT64_FORMAT " bytes", test->max_output);
    case GRADE_TOO_LONG:
        one->verdict->host = true;
        return fail(one, NULL,
                    "it took more than %" G_GUINT64_FORMAT " s of this computer's time (host-time): not judged",
                    one->spec->host_seconds);
    case GRADE_CRASHED:
        one->verdict->host = true;
        return fail(one, child->errors->str, "Orrery failed with status %d: please report that", child->status);
    case GRADE_ENDED: break;
    }
    if (child->status == test->status)
        return true;
    if (child->status == CLI_STATUS_FINDINGS && test->checks && test->status == 0 && *said)
        return fail(one, child->errors->str, "a check finds: %s", said);
    bool own = child->status > CLI_STATUS_COMPILE && child->status < 128; /* status of the program, not of Orrery */
    if (*said && !own)
        return fail(one, child->errors->str, "%s", said);
    return fail(one, child->errors->str, "it ends with exit status %d, not %d", child->status, (int)test->status);
}

static bool judge_output(const Case *one, const char *printed)
{
    const char *expected = one->test->output ? one->test->output : one->reference ? one->reference->output : NULL;
    if (!expected)
        return true;
    g_autofree char *differs = grade_compare(one->test->compare, one->test->tolerance, expected, printed);
    return !differs || fail(one, NULL, "wrong output: %s", differs);
}

static void read_measures(const Case *one)
{
    g_autofree char *path = g_build_filename(one->submission->place, run_json, NULL);
    json_t *run = json_load_file(path, 0, NULL);
    GradeVerdict *verdict = one->verdict;
    if (run) {
        verdict->measured = true;
        verdict->makespan_ps = (uint64_t)json_integer_value(json_object_get(run, "makespan_ps"));
        verdict->messages = (uint64_t)json_integer_value(json_object_get(run, "messages"));
        verdict->bytes = (uint64_t)json_integer_value(json_object_get(run, "bytes"));
    }
    json_decref(run);
}

static bool judge_limit(const Case *one, const GradeLimit *limit, const char *what, bool time, uint64_t value,
                        uint64_t of_reference)
{
    unsigned __int128 most = limit->value;
    if (limit->of_reference)
        most = most * of_reference / 1000;
    bool itself = limit->of_reference && !one->reference;
    if (!limit->given || itself || value <= most)
        return true;
    g_autofree char *is = time ? base_units_format_time(value) : g_strdup_printf("%" G_GUINT64_FORMAT, value);
    g_autofree char *may = time ? base_units_format_time((uint64_t)most)
                                : g_strdup_printf("%" G_GUINT64_FORMAT, (uint64_t)MIN(most, UINT64_MAX));
    return fail(one, NULL, "too much %s: %s; at most %s", what, is, may);
}

static bool judge_limits(const Case *one)
{
    const GradeTest *test = one->test;
    const GradeVerdict *verdict = one->verdict, *reference = one->reference;
    return judge_limit(one, &test->makespan, "virtual time", true, verdict->makespan_ps,
                       reference ? reference->makespan_ps : 0) &&
           judge_limit(one, &test->messages, "communication (messages)", false, verdict->messages,
                       reference ? reference->messages : 0) &&
           judge_limit(one, &test->bytes, "communication (bytes)", false, verdict->bytes,
                       reference ? reference->bytes : 0);
}

/* -- all orders -------------------------------------------------------------------------------- */

static bool judge_report(const Case *one, const json_t *report)
{
    size_t i;
    json_t *entry;
    json_array_foreach(json_object_get(report, "failures"), i, entry)
    {
        const char *what = json_string_value(json_object_get(entry, "failure"));
        const char *why = json_string_value(json_object_get(entry, "explanation"));
        const char *choices = json_string_value(json_object_get(entry, "choices"));
        g_free(one->verdict->command);
        g_autofree char *plain = command_of(one);
        one->verdict->command =
            choices && *choices ? g_strdup_printf("%s   (with --choices %s)", plain, choices) : g_strdup(plain);
        return fail(one, why, "in another order of messages: %s", what ? what : "it fails");
    }
    json_array_foreach(json_object_get(report, "outputs"), i, entry)
    {
        const char *printed = json_string_value(json_object_get(entry, "output"));
        if (printed && !judge_output(one, printed)) {
            g_autofree char *plain = one->verdict->reason;
            one->verdict->reason = g_strconcat("in another order of messages: ", plain, NULL);
            return false;
        }
    }
    return true;
}

static bool explore(const Case *one, bool *passed, GError **error)
{
    GradeChild *child = call(one, "explore", explore_json, error);
    if (!child)
        return false;
    g_autofree char *path = g_build_filename(one->submission->place, explore_json, NULL);
    json_t *report = json_load_file(path, 0, NULL);
    if (child->end != GRADE_ENDED) {
        *passed = judge_end(one, child);
    } else if (!report) {
        *passed = fail(one, child->errors->str, "its orders could not be tried");
    } else {
        *passed = judge_report(one, report);
    }
    json_decref(report);
    grade_child_free(child);
    return true;
}

/* -- the case ---------------------------------------------------------------------------------- */

bool grade_judge(const GradeSpec *spec, const GradeTest *test, uint32_t ranks, const GradeSubmission *submission,
                 const GradeVerdict *reference, const int *cancelled, GradeVerdict *verdict, GError **error)
{
    Case one = {spec, test, ranks, submission, reference, cancelled, verdict};
    *verdict = (GradeVerdict){0};
    if (!submission->compiled) {
        fail(&one, submission->said, "%s", submission->problem);
        return true;
    }
    GradeChild *child = call(&one, "run", run_json, error);
    if (!child)
        return false;
    verdict->command = command_of(&one);
    bool passed = judge_end(&one, child) && judge_output(&one, child->output->str);
    read_measures(&one);
    passed = passed && judge_limits(&one);
    if (submission->reference)
        verdict->output = g_strdup(child->output->str);
    grade_child_free(child);
    if (passed && test->explore && !explore(&one, &passed, error))
        return false;
    verdict->passed = passed;
    return true;
}

void grade_judge_clear(GradeVerdict *verdict)
{
    g_free(verdict->reason);
    g_free(verdict->detail);
    g_free(verdict->command);
    g_free(verdict->output);
    *verdict = (GradeVerdict){0};
}
