/* cmd_grade.c - `orrery grade`: runs a teacher's tests over a folder of submissions, into a table and pages.
 *
 * A submission is one piece of work: several are worked on at a time, each on one host thread. Results have their
 * places beforehand, so nothing depends on who is ready first.
 */
#include "base/write_file.h"
#include "cli/base/base.h"
#include "cli/commands.h"
#include "cli/grade/grade.h"
#include "cli/run/run.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>

typedef struct GradeTarget {
    char *output, *jobs, *progress;
} GradeTarget;

const CliOption cli_grade_options[] = {
    {"output", 'o', CLI_RESULTS, "DIR", offsetof(GradeTarget, output),
     "folder for grades.csv, grades.json, index.html and feedback/ (default: grades)", "--output grades"},
    {"jobs", 'j', CLI_TEXT, "N", offsetof(GradeTarget, jobs),
     "how many submissions at a time (default: one per core); never changes a result", "--jobs 4"},
    {"progress", 0, CLI_CHOICE, BASE_CHOICE_ALTERNATIVES(CLI_PROGRESS_MODES), offsetof(GradeTarget, progress),
     "show how many submissions are graded; auto: if standard error is a terminal", "--progress=never"},
    {0}};

static const CliUsage grade_usage = {
    .command = "grade",
    .synopsis = "[OPTION...] ASSIGNMENT SUBMISSIONS",
    .text =
        "Runs the tests of an assignment on each submission: a sub-folder, or a .c file, of the folder SUBMISSIONS.\n"
        "Submissions run in processes of their own, without the host's files, and with limits. Results depend on\n"
        "virtual time alone: who grades again, anywhere, gets the same to the byte. ASSIGNMENT is a file like\n\n"
        "  [assignment]\n"
        "  title = Sum of the ranks\n"
        "  program = sum.c                what students hand in\n"
        "  reference = reference/sum.c    prints what is expected\n"
        "  ranks = 1 2 5                  keys of tests may stand here, for all tests\n\n"
        "  [test correct]\n"
        "  points = 6\n"
        "  input = 3\\n\n\n"
        "  [test any order]\n"
        "  points = 2\n"
        "  explore = 500                  executions, of all orders of messages\n"
        "  checks = leaks,races\n\n"
        "  [test scales]\n"
        "  points = 2\n"
        "  ranks = 64\n"
        "  machine = mesh-8x8\n"
        "  most-time = 1.5 x reference    also most-messages, most-bytes\n\n"
        "docs/grading.md has all keys.\n\n"
        "  orrery grade samples/assignments/ring/ring.assignment submissions",
    .options = cli_grade_options,
    .mixed = true,
};

typedef struct Grading {
    const GradeSpec *spec;
    GradeResults *results;
    char *scratch;
    int cancelled;
    GMutex lock; /* protects what follows */
    GError *problem;
    guint over;
    CliProgress *progress;
} Grading;

/* -- work -------------------------------------------------------------------------------------- */

static void give_up(Grading *grading, GError *problem)
{
    g_mutex_lock(&grading->lock);
    g_atomic_int_set(&grading->cancelled, 1);
    if (!grading->problem)
        grading->problem = problem;
    else
        g_error_free(problem);
    g_mutex_unlock(&grading->lock);
}

/* Removes a folder and what is in it. Links are removed, not followed. */
static void remove_folder(const char *path)
{
    g_autoptr(GDir) directory = g_dir_open(path, 0, NULL);
    for (const char *name = directory ? g_dir_read_name(directory) : NULL; name; name = g_dir_read_name(directory)) {
        g_autofree char *below = g_build_filename(path, name, NULL);
        if (g_unlink(below) != 0)
            remove_folder(below);
    }
    g_rmdir(path);
}

/* Judges all cases of a submission, into `verdicts`. `reference` has those of the reference, or is NULL. */
static bool judge_all(const Grading *grading, GradeSubmission *submission, const GradeVerdict *reference,
                      GradeVerdict *verdicts, GError **error)
{
    const GradeSpec *spec = grading->spec;
    guint at = 0;
    bool good = grade_submissions_make(spec, submission, grading->scratch, &grading->cancelled, error);
    for (guint t = 0; t < spec->tests->len; t++) {
        const GradeTest *test = g_ptr_array_index(spec->tests, t);
        for (guint i = 0; good && i < test->ranks->len; i++, at++)
            good = grade_judge(spec, test, g_array_index(test->ranks, uint32_t, i), submission,
                               reference ? &reference[at] : NULL, &grading->cancelled, &verdicts[at], error);
    }
    if (submission->place)
        remove_folder(submission->place);
    return good;
}

static void grade_one(gpointer data, gpointer user)
{
    Grading *grading = user;
    GradeResults *results = grading->results;
    guint i = GPOINTER_TO_UINT(data) - 1;
    GError *error = NULL;
    if (g_atomic_int_get(&grading->cancelled))
        return;
    if (!judge_all(grading, g_ptr_array_index(results->submissions, i), results->of_reference,
                   &results->verdicts[(gsize)i * results->cases], &error)) {
        give_up(grading, error);
        return;
    }
    g_mutex_lock(&grading->lock);
    grading->over++;
    g_mutex_unlock(&grading->lock);
}

/* The reference has to pass its own tests: else the assignment is wrong. */
static bool grade_reference(Grading *grading, GError **error)
{
    g_autofree GradeVerdict *verdicts = g_new0(GradeVerdict, grading->results->cases);
    GradeSubmission *reference = grade_submissions_reference(grading->spec);
    if (!reference)
        return true;
    bool good = judge_all(grading, reference, NULL, verdicts, error);
    guint at = 0;
    for (guint t = 0; good && t < grading->spec->tests->len; t++) {
        const GradeTest *test = g_ptr_array_index(grading->spec->tests, t);
        for (guint i = 0; good && i < test->ranks->len; i++, at++)
            if (!verdicts[at].passed)
                good = cli_error_usage(error, "%s: the reference fails [test %s] with %u ranks: %s%s%s",
                                       grading->spec->path, test->name, g_array_index(test->ranks, uint32_t, i),
                                       verdicts[at].reason, verdicts[at].detail ? "\n" : "",
                                       verdicts[at].detail ? verdicts[at].detail : "");
    }
    grading->results->of_reference = g_steal_pointer(&verdicts);
    grade_submissions_free(reference);
    return good;
}

static void stop(void *user)
{
    GError *interrupted = NULL;
    g_set_error(&interrupted, CLI_ERROR, CLI_ERROR_FILE, "interrupted; nothing was written");
    give_up(user, interrupted);
}

static bool grade_all(Grading *grading, guint jobs, GError **error)
{
    GThreadPool *pool = g_thread_pool_new(grade_one, grading, (gint)jobs, TRUE, error);
    if (!pool)
        return false;
    guint n = grading->results->submissions->len;
    for (guint i = 0; i < n; i++)
        g_thread_pool_push(pool, GUINT_TO_POINTER(i + 1), NULL);
    for (bool over = false; !over;) {
        g_usleep(G_USEC_PER_SEC / 20);
        g_mutex_lock(&grading->lock);
        over = grading->over == n || grading->problem;
        g_autofree char *text = g_strdup_printf("%u of %u submissions graded", grading->over, n);
        g_mutex_unlock(&grading->lock);
        if (grading->progress)
            cli_progress_say(grading->progress, text);
    }
    g_thread_pool_free(pool, FALSE, TRUE);
    cli_progress_clear(grading->progress);
    return true;
}

/* -- results ----------------------------------------------------------------------------------- */

static bool write_below(const char *folder, const char *name, char *text, GError **error)
{
    g_autofree char *path = g_build_filename(folder, name, NULL), *owned = text;
    return base_write_file(path, owned, strlen(owned), error);
}

static bool write_results(const GradeResults *results, const char *folder, GError **error)
{
    g_autofree char *feedback = g_build_filename(folder, "feedback", NULL);
    if (g_mkdir_with_parents(feedback, 0777) != 0)
        return base_write_refuse(feedback, errno, error);
    for (guint i = 0; i < results->submissions->len; i++) {
        const GradeSubmission *one = g_ptr_array_index(results->submissions, i);
        g_autofree char *name = g_strconcat(one->name, ".html", NULL);
        if (!write_below(feedback, name, grade_pages_student(results, i), error))
            return false;
    }
    return write_below(folder, "grades.csv", grade_results_csv(results), error) &&
           write_below(folder, "grades.json", grade_results_json(results), error) &&
           write_below(folder, "index.html", grade_pages_class(results), error);
}

/* -- the command ------------------------------------------------------------------------------- */

static GradeResults *results_new(const GradeSpec *spec, GPtrArray *submissions)
{
    GradeResults *results = g_new0(GradeResults, 1);
    results->spec = spec;
    results->submissions = submissions;
    for (guint i = 0; i < spec->tests->len; i++)
        results->cases += ((const GradeTest *)g_ptr_array_index(spec->tests, i))->ranks->len;
    results->verdicts = g_new0(GradeVerdict, (gsize)results->cases * submissions->len);
    return results;
}

static void verdicts_free(GradeVerdict *verdicts, gsize n)
{
    for (gsize i = 0; verdicts && i < n; i++)
        grade_judge_clear(&verdicts[i]);
    g_free(verdicts);
}

static void results_free(GradeResults *results)
{
    verdicts_free(results->verdicts, (gsize)results->cases * results->submissions->len);
    verdicts_free(results->of_reference, results->cases);
    g_ptr_array_unref(results->submissions);
    g_free(results);
}

/* Grades everything into `results`. Returns false with an error if that ended early. */
static bool grade(Grading *grading, guint jobs, GError **error)
{
    g_autoptr(GError) problem = NULL;
    grading->scratch = g_dir_make_tmp("orrery-grade-XXXXXX", &problem);
    if (!grading->scratch)
        return cli_error_usage(error, "no place to work in: %s", problem->message);
    CliInterrupt *interrupt = cli_interrupt_watch_with(stop, grading);
    bool good = grade_reference(grading, error) && grade_all(grading, jobs, error);
    cli_interrupt_end(interrupt);
    remove_folder(grading->scratch);
    g_free(grading->scratch);
    if (grading->problem && error && *error) /* what came first is what happened */
        g_clear_error(error);
    if (grading->problem)
        g_propagate_error(error, g_steal_pointer(&grading->problem));
    return good && !(error && *error);
}

static bool grade_into(const GradeTarget *target, const char *assignment, const char *folder, GError **error)
{
    const char *output = target->output ? target->output : "grades";
    uint64_t jobs = g_get_num_processors();
    if (target->jobs && !cli_option_number("--jobs", target->jobs, 1, 1024, &jobs, error))
        return false;
    GradeSpec *spec = grade_spec_load(assignment, error);
    GPtrArray *submissions = spec ? grade_submissions_list(folder, error) : NULL;
    bool good = submissions;
    if (submissions) {
        Grading grading = {.spec = spec, .results = results_new(spec, submissions)};
        g_mutex_init(&grading.lock);
        good = cli_progress_new(&grading.progress, target->progress, false, error) &&
               grade(&grading, (guint)jobs, error) && write_results(grading.results, output, error);
        g_autofree char *table = good ? grade_results_table(grading.results) : NULL;
        good = good && cli_say_output(table);
        g_free(grading.progress);
        g_mutex_clear(&grading.lock);
        results_free(grading.results);
    }
    grade_spec_free(spec);
    return good;
}

int cli_grade(int argc, char **argv)
{
    GradeTarget target = {0};
    g_autoptr(GError) error = NULL;
    bool done = false, good = true;
    if (cli_option_parse(&grade_usage, &target, &argc, argv, &done, &error) && !done) {
        if (argc == 3)
            good = grade_into(&target, argv[1], argv[2], &error);
        else
            cli_error_usage(&error, "grade needs an assignment and a folder of submissions; see orrery grade --help");
    }
    cli_option_clear(cli_grade_options, &target);
    if (error)
        return cli_error_report(error);
    return good ? 0 : CLI_STATUS_USAGE;
}
