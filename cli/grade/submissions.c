/* submissions.c - what students hand in: lists it, copies it to a place where it can do no harm, compiles it there.
 *
 * Only plain files are copied, so a link leads nowhere, and the teacher's files come last, so nobody replaces them. A
 * source may include what lies in its place, and Orrery's headers: whoever includes another file of the host gets no
 * program, and no word of what is in that file.
 */
#include "base/write_file.h"
#include "cli/base/base.h"
#include "cli/build/build.h"
#include "cli/grade/grade.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DEEPEST = 8, MOST_FILES = 1000, LARGEST = 16 << 20, MOST_SAID = 20000 };

/* -- listing ----------------------------------------------------------------------------------- */

static GradeSubmission *submission_new(const char *name, const char *path)
{
    GradeSubmission *submission = g_new0(GradeSubmission, 1);
    submission->name = g_utf8_make_valid(name, -1);
    submission->path = g_strdup(path);
    submission->sources = g_ptr_array_new_with_free_func(g_free);
    submission->remarks = g_ptr_array_new_with_free_func(g_free);
    return submission;
}

void grade_submissions_free(GradeSubmission *submission)
{
    if (!submission)
        return;
    g_free(submission->name);
    g_free(submission->path);
    g_free(submission->place);
    g_ptr_array_unref(submission->sources);
    g_ptr_array_unref(submission->remarks);
    g_free(submission->problem);
    g_free(submission->said);
    g_free(submission);
}

static void submission_free(gpointer data)
{
    grade_submissions_free(data);
}

static int by_name(gconstpointer a, gconstpointer b)
{
    const GradeSubmission *x = *(GradeSubmission *const *)a, *y = *(GradeSubmission *const *)b;
    int order = strcmp(x->name, y->name);
    return order ? order : strcmp(x->path, y->path);
}

static bool wanted_entry(const char *path, const char *name)
{
    return *name != '.' && (g_file_test(path, G_FILE_TEST_IS_DIR) ||
                            (g_str_has_suffix(name, ".c") && !g_file_test(path, G_FILE_TEST_IS_DIR)));
}

static bool told_twice(const GPtrArray *all, GError **error)
{
    for (guint i = 1; i < all->len; i++) {
        const GradeSubmission *one = g_ptr_array_index(all, i - 1), *next = g_ptr_array_index(all, i);
        if (strcmp(one->name, next->name) == 0)
            return !cli_error_usage(error, "%s and %s are of one name; rename one", one->path, next->path);
    }
    return false;
}

GPtrArray *grade_submissions_list(const char *folder, GError **error)
{
    g_autoptr(GError) problem = NULL;
    g_autoptr(GDir) directory = g_dir_open(folder, 0, &problem);
    g_autoptr(GPtrArray) all = g_ptr_array_new_with_free_func(submission_free);
    if (!directory) {
        cli_error_usage(error, "the submissions cannot be read: %s", problem->message);
        return NULL;
    }
    for (const char *name = g_dir_read_name(directory); name; name = g_dir_read_name(directory)) {
        g_autofree char *path = g_build_filename(folder, name, NULL);
        if (!wanted_entry(path, name))
            continue;
        bool file = !g_file_test(path, G_FILE_TEST_IS_DIR);
        g_autofree char *student = g_strndup(name, strlen(name) - (file ? strlen(".c") : 0));
        g_ptr_array_add(all, submission_new(student, path));
    }
    g_ptr_array_sort(all, by_name);
    if (all->len == 0) {
        cli_error_usage(error, "%s has no submissions: neither folders nor .c files", folder);
        return NULL;
    }
    return told_twice(all, error) ? NULL : g_steal_pointer(&all);
}

GradeSubmission *grade_submissions_reference(const GradeSpec *spec)
{
    GradeSubmission *reference = spec->reference->len ? submission_new("the reference", spec->folder) : NULL;
    if (reference)
        reference->reference = true;
    return reference;
}

/* -- copying ----------------------------------------------------------------------------------- */

typedef struct Copying {
    GradeSubmission *submission;
    guint files;
    GError **error; /* of the host */
} Copying;

static void remark(GradeSubmission *submission, const char *format, ...) G_GNUC_PRINTF(2, 3);
static void remark(GradeSubmission *submission, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_ptr_array_add(submission->remarks, g_utf8_make_valid(text, -1));
}

/* Copies a plain file. Returns false only if the copy cannot be written. */
static bool copy_file(Copying *copying, const char *from, const char *to, const char *shown)
{
    struct stat facts;
    int file = open(from, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0 || fstat(file, &facts) != 0 || !S_ISREG(facts.st_mode) || facts.st_size > LARGEST ||
        ++copying->files > MOST_FILES) {
        remark(copying->submission, "%s was left out: %s", shown,
               file < 0                  ? "it is a link, or cannot be read"
               : !S_ISREG(facts.st_mode) ? "it is no plain file"
               : facts.st_size > LARGEST ? "it is too large"
                                         : "there are too many files");
        if (file >= 0)
            close(file);
        return true;
    }
    g_autofree char *bytes = g_malloc((gsize)facts.st_size + 1);
    gsize size = 0;
    for (ssize_t n = 1; n > 0 && size<(gsize)facts.st_size; size += n> 0 ? (gsize)n : 0)
        n = read(file, bytes + size, (gsize)facts.st_size - size);
    close(file);
    return base_write_file(to, bytes, size, copying->error);
}

static int names_in_order(gconstpointer a, gconstpointer b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool copy_folder(Copying *copying, const char *from, const char *to, const char *below, unsigned depth)
{
    g_autoptr(GDir) directory = g_dir_open(from, 0, NULL);
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    for (const char *name = directory ? g_dir_read_name(directory) : NULL; name; name = g_dir_read_name(directory))
        if (*name != '.')
            g_ptr_array_add(names, g_strdup(name));
    g_ptr_array_sort(names, names_in_order);
    for (guint i = 0; i < names->len; i++) {
        const char *name = g_ptr_array_index(names, i);
        g_autofree char *source = g_build_filename(from, name, NULL), *target = g_build_filename(to, name, NULL);
        g_autofree char *shown = *below ? g_build_filename(below, name, NULL) : g_strdup(name);
        struct stat facts;
        if (lstat(source, &facts) == 0 && S_ISDIR(facts.st_mode)) {
            if (depth == DEEPEST)
                remark(copying->submission, "%s was left out: it lies too deep", shown);
            else if (g_mkdir(target, 0700) != 0)
                return base_write_refuse(target, errno, copying->error);
            else if (!copy_folder(copying, source, target, shown, depth + 1))
                return false;
        } else if (!copy_file(copying, source, target, shown))
            return false;
    }
    return true;
}

static bool copy_teachers(const GradeSpec *spec, const GPtrArray *files, const char *place, GPtrArray *sources,
                          GError **error)
{
    for (guint i = 0; i < files->len; i++) {
        const char *name = g_ptr_array_index(files, i);
        g_autofree char *from = g_build_filename(spec->folder, name, NULL), *base = g_path_get_basename(name);
        g_autofree char *to = g_build_filename(place, base, NULL), *bytes = NULL;
        gsize size;
        if (!g_file_get_contents(from, &bytes, &size, error) || !base_write_file(to, bytes, size, error))
            return false;
        if (cli_file_is_source(base) && !g_ptr_array_find_with_equal_func(sources, base, g_str_equal, NULL))
            g_ptr_array_add(sources, g_strdup(base));
    }
    return true;
}

/* -- what is compiled -------------------------------------------------------------------------- */

/* Lists the plain files that lie in the place itself, in the order of their names. */
static GPtrArray *names_in(const char *place)
{
    GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GDir) directory = g_dir_open(place, 0, NULL);
    for (const char *name = directory ? g_dir_read_name(directory) : NULL; name; name = g_dir_read_name(directory)) {
        g_autofree char *path = g_build_filename(place, name, NULL);
        if (g_file_test(path, G_FILE_TEST_IS_REGULAR))
            g_ptr_array_add(names, g_strdup(name));
    }
    g_ptr_array_sort(names, names_in_order);
    return names;
}

/* Finds the files of the assignment's `program` among those handed in. If one is wanted and there is one source of
 * another name, that is it. */
static void find_sources(const GradeSpec *spec, GradeSubmission *submission)
{
    g_autoptr(GPtrArray) names = names_in(submission->place);
    for (guint i = 0; i < spec->program->len; i++) {
        const char *pattern = g_ptr_array_index(spec->program, i);
        guint found = 0;
        for (guint k = 0; k < names->len; k++) {
            const char *name = g_ptr_array_index(names, k);
            if (!g_pattern_match_simple(pattern, name) || !cli_file_is_source(name))
                continue;
            found++;
            if (!g_ptr_array_find_with_equal_func(submission->sources, name, g_str_equal, NULL))
                g_ptr_array_add(submission->sources, g_strdup(name));
        }
        const char *only = NULL;
        for (guint k = 0; k < names->len && !found; k++)
            if (cli_file_is_source(g_ptr_array_index(names, k)))
                only = only ? "" : g_ptr_array_index(names, k);
        if (!found && spec->program->len == 1 && only && *only) {
            g_ptr_array_add(submission->sources, g_strdup(only));
            remark(submission, "%s was taken for %s", only, pattern);
        } else if (!found && !submission->problem)
            submission->problem = g_strdup_printf("there is no file %s", pattern);
    }
}

/* -- compiling --------------------------------------------------------------------------------- */

static bool lies_in(const char *path, const char *folder)
{
    size_t n = folder ? strlen(folder) : 0;
    return n && strncmp(path, folder, n) == 0 && path[n] == '/';
}

/* Returns a file of a list of rules for make that is neither in the submission's place nor Orrery's, or NULL. */
static char *file_outside(const GradeSubmission *submission, const char *rules)
{
    g_autofree char *share = cli_path_share("include");
    g_autofree char *place = realpath(submission->place, NULL);
    g_auto(GStrv) words = g_strsplit_set(rules, " \t\n\\", -1);
    for (char **word = words; *word; word++) {
        if (!**word || g_str_has_suffix(*word, ":"))
            continue;
        g_autofree char *path = g_canonicalize_filename(*word, place), *real = realpath(path, NULL);
        if (real && !lies_in(path, share) && !lies_in(real, place))
            return g_strdup(*word);
    }
    return NULL;
}

static char *kept(const GString *text)
{
    g_autofree char *part = g_strndup(text->str, MIN(text->len, MOST_SAID));
    g_strchomp(part);
    return *part ? g_utf8_make_valid(part, -1) : NULL;
}

static char *why_not(const GradeChild *child)
{
    switch (child->end) {
    case GRADE_TALKED: return g_strdup("the compiler has too much to say of it");
    case GRADE_TOO_LONG: return g_strdup("compiling it takes too long");
    case GRADE_CRASHED: return g_strdup_printf("the compiler failed with status %d: please report that", child->status);
    case GRADE_ENDED: break;
    }
    return child->status ? g_strdup("it does not compile") : NULL;
}

/* Runs `orrery cc` with these words, the flags and the sources. */
static GradeChild *compiler(const GradeSpec *spec, const GradeSubmission *submission, const char *const *begin,
                            const int *cancelled, GError **error)
{
    GradeLimits limits = {1 << 20, spec->host_seconds};
    g_autoptr(GPtrArray) words = g_ptr_array_new();
    g_ptr_array_add(words, "cc");
    for (; *begin; begin++)
        g_ptr_array_add(words, (gpointer)*begin);
    g_ptr_array_extend(words, spec->flags, NULL, NULL);
    g_ptr_array_extend(words, submission->sources, NULL, NULL);
    g_ptr_array_add(words, NULL);
    return grade_child_run(submission->place, (const char *const *)words->pdata, "", &limits, cancelled, error);
}

/* Asks first what the sources include, so that nothing of other files gets into messages. */
static bool compile(const GradeSpec *spec, GradeSubmission *submission, const int *cancelled, GError **error)
{
    static const char *const steps[][4] = {{"-M"}, {"-g", "-o", GRADE_PROGRAM}};
    for (size_t i = 0; i < G_N_ELEMENTS(steps) && !submission->problem; i++) {
        GradeChild *child = compiler(spec, submission, steps[i], cancelled, error);
        if (!child)
            return false;
        g_autofree char *outside = i == 0 ? file_outside(submission, child->output->str) : NULL;
        g_free(submission->said);
        submission->said = outside ? NULL : kept(child->errors);
        submission->problem =
            outside ? g_strdup_printf("it includes %s, which is no part of it", outside) : why_not(child);
        grade_child_free(child);
    }
    submission->compiled = !submission->problem;
    return true;
}

bool grade_submissions_make(const GradeSpec *spec, GradeSubmission *submission, const char *scratch,
                            const int *cancelled, GError **error)
{
    Copying copying = {submission, 0, error};
    g_autofree char *template = g_build_filename(scratch, "place-XXXXXX", NULL);
    bool reference = submission->reference;
    submission->place = g_mkdtemp(template) ? g_steal_pointer(&template) : NULL;
    if (!submission->place)
        return base_write_refuse(scratch, errno, error);
    bool good;
    if (reference)
        good = copy_teachers(spec, spec->reference, submission->place, submission->sources, error);
    else if (g_file_test(submission->path, G_FILE_TEST_IS_DIR))
        good = copy_folder(&copying, submission->path, submission->place, "", 0);
    else {
        g_autofree char *name = g_path_get_basename(submission->path);
        g_autofree char *to = g_build_filename(submission->place, name, NULL);
        good = copy_file(&copying, submission->path, to, name);
    }
    if (good && !reference)
        find_sources(spec, submission);
    good = good && copy_teachers(spec, spec->provided, submission->place, submission->sources, error);
    return good && (submission->problem || compile(spec, submission, cancelled, error));
}
