/* grade.h - shared by the files of `orrery grade`: an assignment (spec.c), what students hand in (submissions.c), one
 * run (child.c), one verdict (judge.c, compare.c), and what is told of all (results.c, pages.c).
 *
 * A case is a test with one number of ranks. Verdicts depend on the submission, the assignment and Orrery alone: limits
 * are of virtual time, bytes and messages. Limits of the host only keep a grading from hanging, and are told as such.
 */
#ifndef ORRERY_CLI_GRADE_H
#define ORRERY_CLI_GRADE_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/choice.h"

/* -- assignments (spec.c) ----------------------------------------------------------------------- */

/* How output is held against what is expected. */
#define GRADE_COMPARISONS(CHOICE)                                                                                      \
    CHOICE(GRADE_LINES, "lines")     /* blanks at the ends of lines and of the text do not matter */                   \
    CHOICE(GRADE_EXACT, "exact")     /* to the byte */                                                                 \
    CHOICE(GRADE_SORTED, "sorted")   /* as lines, whose order does not matter */                                       \
    CHOICE(GRADE_WORDS, "words")     /* blanks and line ends do not matter */                                          \
    CHOICE(GRADE_NUMBERS, "numbers") /* as words; numbers may differ by `tolerance` */                                 \
    CHOICE(GRADE_PATTERN, "pattern") /* a regular expression is found in it */                                         \
    CHOICE(GRADE_ANY, "any")         /* it does not matter */
BASE_CHOICE_ENUM(GradeComparison, GRADE_COMPARISONS);
extern const char *const grade_spec_comparisons[];

/* At most so much: a number, or so many thousandths of what the reference takes. */
typedef struct GradeLimit {
    bool given, of_reference;
    uint64_t value;
} GradeLimit;

typedef struct GradeTest {
    char *name, *title; /* title: what students read */
    GArray *ranks;      /* uint32_t */
    char *machine;
    GPtrArray *settings, *arguments; /* char * */
    char *input;                     /* standard input */
    char *output;                    /* what is expected; NULL: what the reference prints */
    GradeComparison compare;
    double tolerance;
    char *checks;     /* as --check takes them; NULL: none */
    uint64_t explore; /* executions at most, of all orders; 0: one run */
    int64_t status;   /* exit status that is expected */
    uint64_t points;  /* hundredths */
    bool partial;     /* each number of ranks counts for itself */
    bool hidden;      /* students learn its name and their points only */
    char *advice;     /* what students read if it fails */
    GradeLimit makespan, messages, bytes;
    uint64_t max_time_ps, memory, max_output; /* of each run */
} GradeTest;

typedef struct GradeSpec {
    char *path, *folder, *title;
    GPtrArray *program;    /* char *: the files that students hand in; each may have * and ? */
    GPtrArray *provided;   /* char *: files of the teacher that are put beside, below `folder` */
    GPtrArray *reference;  /* char *: files of the reference, below `folder`; empty: there is none */
    GPtrArray *flags;      /* char *: of the compiler */
    GPtrArray *tests;      /* GradeTest * */
    uint64_t host_seconds; /* of processor time of the host, of each run */
} GradeSpec;

/* Reads an assignment. Returns NULL with an error that names the file, and the key. */
GradeSpec *grade_spec_load(const char *path, GError **error);
void grade_spec_free(GradeSpec *spec);
/* Returns the points of all tests together, in hundredths. */
uint64_t grade_spec_points(const GradeSpec *spec);
/* Returns hundredths as text like "12.5". The caller frees it with g_free(). */
char *grade_spec_number(uint64_t hundredths);

/* -- one process (child.c) ---------------------------------------------------------------------- */

typedef struct GradeLimits {
    size_t output;         /* bytes of each stream; more ends the process */
    uint64_t host_seconds; /* of processor time; ten times as much by the clock */
} GradeLimits;

typedef enum GradeEnd {
    GRADE_ENDED,    /* with `status` */
    GRADE_TALKED,   /* it was ended because it printed too much */
    GRADE_TOO_LONG, /* it was ended at the limit of the host */
    GRADE_CRASHED,  /* a signal ended it: a fault of Orrery */
} GradeEnd;

typedef struct GradeChild {
    GradeEnd end;
    int status;
    GString *output, *errors; /* as far as they were kept */
} GradeChild;

/* Runs orrery with `arguments` (without its own name; NULL ends them) in a folder, with the text as its standard input.
 * Returns NULL with an error if it could not be started or `*cancelled` is set meanwhile. Any thread may call it. */
GradeChild *grade_child_run(const char *folder, const char *const *arguments, const char *input,
                            const GradeLimits *limits, const int *cancelled, GError **error);
void grade_child_free(GradeChild *child);

/* -- submissions (submissions.c) ---------------------------------------------------------------- */

typedef struct GradeSubmission {
    char *name;         /* of the folder or file: the student's */
    char *path;         /* what was handed in */
    char *place;        /* folder with a copy, in which it runs */
    GPtrArray *sources; /* char *: what is compiled, relative to place */
    GPtrArray *remarks; /* char *: what was noticed on the way */
    bool reference, compiled;
    char *problem; /* why there is no program; NULL: there is */
    char *said;    /* by the compiler; warnings, if it is compiled */
} GradeSubmission;

/* Lists what lies in a folder: a sub-folder or a .c file for each student, in the order of their names. Returns NULL
 * with an error if there is none. */
GPtrArray *grade_submissions_list(const char *folder, GError **error);
/* The reference as a submission, or NULL if the assignment has none. */
GradeSubmission *grade_submissions_reference(const GradeSpec *spec);
/* Copies the submission into a folder below `scratch`, and compiles it there. Links and what lies outside are left
 * behind. Returns false with an error only if the host cannot: what is wrong with a submission is in its `problem`. */
bool grade_submissions_make(const GradeSpec *spec, GradeSubmission *submission, const char *scratch,
                            const int *cancelled, GError **error);
void grade_submissions_free(GradeSubmission *submission);

/* The name of the program in a submission's place. */
#define GRADE_PROGRAM "submission.out"

/* -- verdicts (judge.c) ------------------------------------------------------------------------- */

typedef struct GradeVerdict {
    bool passed;
    bool host;     /* a limit of the host decided: it says nothing about the submission */
    char *reason;  /* one line: why not; NULL if passed */
    char *detail;  /* several lines: what Orrery said, or what differs; may be NULL */
    char *command; /* how to see it again */
    bool measured; /* these are known: */
    uint64_t makespan_ps, messages, bytes;
    char *output; /* of the reference: kept for comparison; else NULL */
} GradeVerdict;

/* Runs one case. `reference` is its verdict on the reference, or NULL if there is none or this is it. Returns false
 * with an error only if the host cannot. */
bool grade_judge(const GradeSpec *spec, const GradeTest *test, uint32_t ranks, const GradeSubmission *submission,
                 const GradeVerdict *reference, const int *cancelled, GradeVerdict *verdict, GError **error);
void grade_judge_clear(GradeVerdict *verdict);

/* -- output (compare.c) ------------------------------------------------------------------------- */

/* Holds what was printed against what is expected. Returns NULL if it will do, else what differs first, in words, for
 * the caller to free. */
char *grade_compare(GradeComparison how, double tolerance, const char *expected, const char *printed);

/* -- the whole (results.c, pages.c) ------------------------------------------------------------- */

typedef struct GradeResults {
    const GradeSpec *spec;
    GPtrArray *submissions;     /* GradeSubmission * */
    GradeVerdict *verdicts;     /* by submission, then test, then number of ranks */
    GradeVerdict *of_reference; /* one row of these */
    guint cases;                /* of one submission */
} GradeResults;

/* Returns the verdict on a case of a submission. */
const GradeVerdict *grade_results_verdict(const GradeResults *results, guint submission, guint test, guint ranks);
/* Returns the points of a submission in a test, or in all, in hundredths. */
uint64_t grade_results_points(const GradeResults *results, guint submission, guint test);
uint64_t grade_results_sum(const GradeResults *results, guint submission);
/* Returns the first verdict of a test that is not passed, or NULL. */
const GradeVerdict *grade_results_failure(const GradeResults *results, guint submission, guint test);
/* Returns the table for the terminal, as CSV, and as JSON (schemas/grade.schema.json). */
char *grade_results_table(const GradeResults *results);
char *grade_results_csv(const GradeResults *results);
char *grade_results_json(const GradeResults *results);
/* Returns the page of a student, and that of the class, as HTML that needs nothing else. */
char *grade_pages_student(const GradeResults *results, guint submission);
char *grade_pages_class(const GradeResults *results);

#endif
