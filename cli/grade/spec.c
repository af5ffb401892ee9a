/* spec.c - reads an assignment: a key file with a section [assignment] and a section [test NAME] for each test. Keys of
 * tests may stand in [assignment], too: they hold for all tests that do not say otherwise. The keys are tables.
 */
#include "cli/grade/grade.h"

#include "base/nearest.h"
#include "base/units.h"
#include "cli/base/base.h"

#include <errno.h>
#include <string.h>

const char *const grade_spec_comparisons[] = BASE_CHOICE_NAMES(GRADE_COMPARISONS);

typedef struct Reading {
    GKeyFile *file;
    const GradeSpec *spec;
    const char *section, *key; /* what is read now */
    const char *text;
} Reading;

static bool refuse(const Reading *at, GError **error, const char *format, ...) G_GNUC_PRINTF(3, 4);
static bool refuse(const Reading *at, GError **error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    return cli_error_usage(error, "%s: [%s] %s = %s: %s", at->spec->path, at->section, at->key, at->text, text);
}

/* -- kinds of values --------------------------------------------------------------------------- */

static bool read_text(const Reading *at, void *field, GError **error)
{
    (void)error;
    g_free(*(char **)field);
    *(char **)field = g_strdup(at->text);
    return true;
}

/* A text that stands in a file beside the assignment. */
static bool read_file(const Reading *at, void *field, GError **error)
{
    g_autofree char *path = g_build_filename(at->spec->folder, at->text, NULL);
    g_autoptr(GError) problem = NULL;
    g_free(*(char **)field);
    *(char **)field = NULL;
    return g_file_get_contents(path, (char **)field, NULL, &problem) || refuse(at, error, "%s", problem->message);
}

/* A machine of Orrery's, or a file beside the assignment. */
static bool read_machine(const Reading *at, void *field, GError **error)
{
    g_autofree char *joined = g_build_filename(at->spec->folder, at->text, NULL);
    if (!g_file_test(joined, G_FILE_TEST_IS_REGULAR))
        return read_text(at, field, error);
    g_free(*(char **)field);
    *(char **)field = g_canonicalize_filename(joined, NULL);
    return true;
}

static bool read_list(const Reading *at, void *field, const char *separators)
{
    GPtrArray *list = g_ptr_array_new_with_free_func(g_free);
    g_auto(GStrv) pieces = g_strsplit_set(at->text, separators, -1);
    for (char **piece = pieces; *piece; piece++)
        if (*g_strstrip(*piece) != '\0')
            g_ptr_array_add(list, g_strdup(*piece));
    g_clear_pointer((GPtrArray **)field, g_ptr_array_unref);
    *(GPtrArray **)field = list;
    return true;
}

static bool read_words(const Reading *at, void *field, GError **error)
{
    (void)error;
    return read_list(at, field, " \t");
}

static bool read_settings(const Reading *at, void *field, GError **error)
{
    (void)error;
    return read_list(at, field, ";");
}

static bool read_ranks(const Reading *at, void *field, GError **error)
{
    GArray *all = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    g_auto(GStrv) pieces = g_strsplit_set(at->text, " ,;\t", -1);
    g_clear_pointer((GArray **)field, g_array_unref);
    *(GArray **)field = all;
    for (char **piece = pieces; *piece; piece++) {
        uint64_t n;
        g_autoptr(GError) problem = NULL;
        if (!**piece)
            continue;
        if (!cli_option_number(at->key, *piece, 1, 1000000, &n, &problem))
            return refuse(at, error, "%s", problem->message);
        uint32_t ranks = (uint32_t)n;
        g_array_append_val(all, ranks);
    }
    return all->len || refuse(at, error, "there is no number");
}

static bool read_count(const Reading *at, void *field, GError **error)
{
    g_autoptr(GError) problem = NULL;
    return cli_option_number(at->key, at->text, 0, INT32_MAX, field, &problem) ||
           refuse(at, error, "%s", problem->message);
}

static bool read_flag(const Reading *at, void *field, GError **error)
{
    *(bool *)field = strcmp(at->text, "true") == 0;
    return *(bool *)field || strcmp(at->text, "false") == 0 || refuse(at, error, "it is true or false");
}

static bool read_points(const Reading *at, void *field, GError **error)
{
    char *end;
    double points = g_ascii_strtod(at->text, &end);
    double hundredths = points * 100;
    if (*end || end == at->text || !(points >= 0 && points <= 1e6) || hundredths != (double)(uint64_t)hundredths)
        return refuse(at, error, "a number like 5 or 2.5 is wanted, with two decimals at most");
    *(uint64_t *)field = (uint64_t)hundredths;
    return true;
}

static bool read_tolerance(const Reading *at, void *field, GError **error)
{
    char *end;
    *(double *)field = g_ascii_strtod(at->text, &end);
    return (!*end && end != at->text && *(double *)field >= 0 && *(double *)field < 1e300) ||
           refuse(at, error, "a number like 1e-9 is wanted");
}

static bool read_unit(const Reading *at, uint64_t *value, BaseUnit unit, GError **error)
{
    g_autoptr(GError) problem = NULL;
    return base_units_parse(at->text, unit, value, &problem) || refuse(at, error, "%s", problem->message);
}

static bool read_time(const Reading *at, void *field, GError **error)
{
    return read_unit(at, field, BASE_UNIT_TIME, error);
}

static bool read_size(const Reading *at, void *field, GError **error)
{
    return read_unit(at, field, BASE_UNIT_SIZE, error);
}

/* "2 ms", or "1.5 x reference". */
static bool read_limit(const Reading *at, GradeLimit *limit, BaseUnit unit, GError **error)
{
    limit->given = true;
    limit->of_reference = g_str_has_suffix(at->text, "reference");
    if (!limit->of_reference)
        return read_unit(at, &limit->value, unit, error);
    char *end;
    double factor = g_ascii_strtod(at->text, &end);
    while (*end == ' ' || *end == 'x' || *end == '*')
        end++;
    if (strcmp(end, "reference") != 0 || !(factor > 0 && factor <= 1e6))
        return refuse(at, error, "a limit is like '%s' or '1.5 x reference'", base_units_example(unit));
    limit->value = (uint64_t)(factor * 1000 + 0.5);
    return true;
}

static bool read_limit_time(const Reading *at, void *field, GError **error)
{
    return read_limit(at, field, BASE_UNIT_TIME, error);
}

static bool read_limit_count(const Reading *at, void *field, GError **error)
{
    return read_limit(at, field, BASE_UNIT_COUNT, error);
}

static bool read_limit_size(const Reading *at, void *field, GError **error)
{
    return read_limit(at, field, BASE_UNIT_SIZE, error);
}

static bool read_comparison(const Reading *at, void *field, GError **error)
{
    g_autoptr(GError) problem = NULL;
    int choice = cli_option_choice(at->key, BASE_CHOICE_ALTERNATIVES(GRADE_COMPARISONS), at->text, &problem);
    if (choice < 0)
        return refuse(at, error, "%s", problem->message);
    *(GradeComparison *)field = (GradeComparison)choice;
    return true;
}

/* -- keys -------------------------------------------------------------------------------------- */

typedef struct Key {
    const char *name;
    bool (*read)(const Reading *at, void *field, GError **error);
    size_t offset;
} Key;

static const Key assignment_keys[] = {
    {"title", read_text, offsetof(GradeSpec, title)},
    {"program", read_words, offsetof(GradeSpec, program)},
    {"provided", read_words, offsetof(GradeSpec, provided)},
    {"reference", read_words, offsetof(GradeSpec, reference)},
    {"flags", read_words, offsetof(GradeSpec, flags)},
    {"host-time", read_count, offsetof(GradeSpec, host_seconds)},
};

static const Key test_keys[] = {
    {"description", read_text, offsetof(GradeTest, title)},
    {"ranks", read_ranks, offsetof(GradeTest, ranks)},
    {"machine", read_machine, offsetof(GradeTest, machine)},
    {"set", read_settings, offsetof(GradeTest, settings)},
    {"arguments", read_words, offsetof(GradeTest, arguments)},
    {"input", read_text, offsetof(GradeTest, input)},
    {"input-file", read_file, offsetof(GradeTest, input)},
    {"output", read_text, offsetof(GradeTest, output)},
    {"output-file", read_file, offsetof(GradeTest, output)},
    {"compare", read_comparison, offsetof(GradeTest, compare)},
    {"tolerance", read_tolerance, offsetof(GradeTest, tolerance)},
    {"checks", read_text, offsetof(GradeTest, checks)},
    {"explore", read_count, offsetof(GradeTest, explore)},
    {"exit-status", read_count, offsetof(GradeTest, status)},
    {"points", read_points, offsetof(GradeTest, points)},
    {"partial", read_flag, offsetof(GradeTest, partial)},
    {"hidden", read_flag, offsetof(GradeTest, hidden)},
    {"advice", read_text, offsetof(GradeTest, advice)},
    {"most-time", read_limit_time, offsetof(GradeTest, makespan)},
    {"most-messages", read_limit_count, offsetof(GradeTest, messages)},
    {"most-bytes", read_limit_size, offsetof(GradeTest, bytes)},
    {"max-time", read_time, offsetof(GradeTest, max_time_ps)},
    {"memory", read_size, offsetof(GradeTest, memory)},
    {"max-output", read_size, offsetof(GradeTest, max_output)},
};

static bool is_key(const Key *keys, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(keys[i].name, name) == 0)
            return true;
    return false;
}

static bool unknown_key(const GradeSpec *spec, const char *section, const char *key, bool assignment, GError **error)
{
    BaseNearest near = base_nearest_of(key);
    for (size_t i = 0; i < G_N_ELEMENTS(test_keys); i++)
        base_nearest_try(&near, test_keys[i].name);
    for (size_t i = 0; assignment && i < G_N_ELEMENTS(assignment_keys); i++)
        base_nearest_try(&near, assignment_keys[i].name);
    return cli_error_usage(error, "%s: unknown key '%s' in [%s]%s%s%s", spec->path, key, section,
                           near.best ? "; do you mean '" : "; see orrery grade --help", near.best ? near.best : "",
                           near.best ? "'?" : "");
}

static bool check_section(GKeyFile *file, const GradeSpec *spec, const char *section, GError **error)
{
    bool assignment = strcmp(section, "assignment") == 0;
    if (!assignment && (!g_str_has_prefix(section, "test ") || section[strlen("test ")] == '\0'))
        return cli_error_usage(error, "%s: unknown section [%s]; there are [assignment] and [test NAME]", spec->path,
                               section);
    g_auto(GStrv) keys = g_key_file_get_keys(file, section, NULL, NULL);
    for (char **key = keys; key && *key; key++)
        if (!is_key(test_keys, G_N_ELEMENTS(test_keys), *key) &&
            !(assignment && is_key(assignment_keys, G_N_ELEMENTS(assignment_keys), *key)))
            return unknown_key(spec, section, *key, assignment, error);
    return true;
}

/* Reads the keys of a table that the section has into `fields`. */
static bool read_section(GKeyFile *file, const GradeSpec *spec, const char *section, const Key *keys, size_t n,
                         void *fields, GError **error)
{
    for (size_t i = 0; i < n; i++) {
        if (!g_key_file_has_key(file, section, keys[i].name, NULL))
            continue;
        g_autoptr(GError) problem = NULL;
        g_autofree char *text = g_key_file_get_string(file, section, keys[i].name, &problem);
        Reading at = {file, spec, section, keys[i].name, text};
        if (!text)
            return cli_error_usage(error, "%s: [%s] %s: %s", spec->path, section, keys[i].name, problem->message);
        if (!keys[i].read(&at, (char *)fields + keys[i].offset, error))
            return false;
    }
    return true;
}

/* -- tests ------------------------------------------------------------------------------------- */

static void test_free(gpointer data)
{
    GradeTest *test = data;
    g_free(test->name);
    g_free(test->title);
    g_clear_pointer(&test->ranks, g_array_unref);
    g_free(test->machine);
    g_clear_pointer(&test->settings, g_ptr_array_unref);
    g_clear_pointer(&test->arguments, g_ptr_array_unref);
    g_free(test->input);
    g_free(test->output);
    g_free(test->checks);
    g_free(test->advice);
    g_free(test);
}

static GradeTest *test_new(const char *name)
{
    GradeTest *test = g_new0(GradeTest, 1);
    uint32_t ranks = 4;
    test->name = g_strdup(name);
    test->ranks = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    g_array_append_val(test->ranks, ranks);
    test->machine = g_strdup(CLI_MACHINE_NAME);
    test->settings = g_ptr_array_new_with_free_func(g_free);
    test->arguments = g_ptr_array_new_with_free_func(g_free);
    test->input = g_strdup("");
    test->tolerance = 1e-9;
    test->points = 100;
    test->max_time_ps = UINT64_C(1000000000000); /* 1 s */
    test->memory = UINT64_C(512) << 20;
    test->max_output = 1 << 20;
    return test;
}

static bool check_machine(const GradeSpec *spec, const GradeTest *test, GError **error)
{
    g_autoptr(GError) problem = NULL;
    g_autoptr(MachConfig) config = cli_machine(test->machine, &problem);
    for (guint i = 0; config && i < test->settings->len && !problem; i++)
        (void)mach_config_set(config, g_ptr_array_index(test->settings, i), &problem);
    return !problem || cli_error_usage(error, "%s: [test %s]: %s", spec->path, test->name, problem->message);
}

static bool check_test(const GradeSpec *spec, const GradeTest *test, GError **error)
{
    const GradeLimit *limits[] = {&test->makespan, &test->messages, &test->bytes};
    bool reference = spec->reference->len;
    for (size_t i = 0; i < G_N_ELEMENTS(limits); i++)
        if (limits[i]->given && limits[i]->of_reference && !reference)
            return cli_error_usage(error,
                                   "%s: [test %s] has a limit by the reference, but there is none; add reference",
                                   spec->path, test->name);
    if (!test->output && !reference && test->compare != GRADE_ANY)
        return cli_error_usage(error,
                               "%s: [test %s] says no output, and there is no reference that would print it; add "
                               "output, reference, or compare = any",
                               spec->path, test->name);
    if (test->compare == GRADE_PATTERN) {
        g_autoptr(GError) problem = NULL;
        g_autoptr(GRegex) regex =
            test->output ? g_regex_new(test->output, G_REGEX_MULTILINE | G_REGEX_RAW, 0, &problem) : NULL;
        if (!regex)
            return cli_error_usage(error, "%s: [test %s]: compare = pattern needs a regular expression as output%s%s",
                                   spec->path, test->name, problem ? ": " : "", problem ? problem->message : "");
    }
    return check_machine(spec, test, error);
}

static bool read_tests(GKeyFile *file, GradeSpec *spec, GError **error)
{
    g_auto(GStrv) sections = g_key_file_get_groups(file, NULL);
    for (char **section = sections; *section; section++) {
        if (!check_section(file, spec, *section, error))
            return false;
        if (strcmp(*section, "assignment") == 0)
            continue;
        GradeTest *test = test_new(*section + strlen("test "));
        g_ptr_array_add(spec->tests, test);
        if (!read_section(file, spec, "assignment", test_keys, G_N_ELEMENTS(test_keys), test, error) ||
            !read_section(file, spec, *section, test_keys, G_N_ELEMENTS(test_keys), test, error) ||
            !check_test(spec, test, error))
            return false;
    }
    return spec->tests->len || cli_error_usage(error, "%s: there is no section [test NAME]", spec->path);
}

/* -- the whole --------------------------------------------------------------------------------- */

static bool check_files(const GradeSpec *spec, const char *key, const GPtrArray *files, GError **error)
{
    for (guint i = 0; i < files->len; i++) {
        g_autofree char *path = g_build_filename(spec->folder, g_ptr_array_index(files, i), NULL);
        if (!g_file_test(path, G_FILE_TEST_IS_REGULAR))
            return cli_error_usage(error, "%s: [assignment] %s: there is no file %s", spec->path, key, path);
    }
    return true;
}

GradeSpec *grade_spec_load(const char *path, GError **error)
{
    g_autoptr(GKeyFile) file = g_key_file_new();
    g_autoptr(GError) problem = NULL;
    if (!g_key_file_load_from_file(file, path, G_KEY_FILE_NONE, &problem)) {
        g_set_error(error, CLI_ERROR, CLI_ERROR_FILE, "%s: %s", path, problem->message);
        return NULL;
    }
    GradeSpec *spec = g_new0(GradeSpec, 1);
    spec->path = g_strdup(path);
    spec->folder = g_path_get_dirname(path);
    spec->program = g_ptr_array_new_with_free_func(g_free);
    spec->provided = g_ptr_array_new_with_free_func(g_free);
    spec->reference = g_ptr_array_new_with_free_func(g_free);
    spec->flags = g_ptr_array_new_with_free_func(g_free);
    spec->tests = g_ptr_array_new_with_free_func(test_free);
    spec->host_seconds = 60;
    bool good = g_key_file_has_group(file, "assignment") ||
                cli_error_usage(error, "%s: there is no section [assignment]; see orrery grade --help", path);
    good = good &&
           read_section(file, spec, "assignment", assignment_keys, G_N_ELEMENTS(assignment_keys), spec, error) &&
           check_files(spec, "reference", spec->reference, error) &&
           check_files(spec, "provided", spec->provided, error) && read_tests(file, spec, error);
    if (good && spec->program->len == 0)
        g_ptr_array_add(spec->program, g_strdup("*.c"));
    if (good && !spec->title)
        spec->title = g_path_get_basename(path);
    if (good && spec->host_seconds == 0)
        good = cli_error_usage(error, "%s: host-time = 0: nothing could run", path);
    if (good)
        return spec;
    grade_spec_free(spec);
    return NULL;
}

void grade_spec_free(GradeSpec *spec)
{
    if (!spec)
        return;
    g_free(spec->path);
    g_free(spec->folder);
    g_free(spec->title);
    g_ptr_array_unref(spec->program);
    g_ptr_array_unref(spec->provided);
    g_ptr_array_unref(spec->reference);
    g_ptr_array_unref(spec->flags);
    g_ptr_array_unref(spec->tests);
    g_free(spec);
}

uint64_t grade_spec_points(const GradeSpec *spec)
{
    uint64_t sum = 0;
    for (guint i = 0; i < spec->tests->len; i++)
        sum += ((const GradeTest *)g_ptr_array_index(spec->tests, i))->points;
    return sum;
}

char *grade_spec_number(uint64_t hundredths)
{
    unsigned rest = (unsigned)(hundredths % 100);
    if (rest == 0)
        return g_strdup_printf("%" G_GUINT64_FORMAT, hundredths / 100);
    if (rest % 10 == 0)
        return g_strdup_printf("%" G_GUINT64_FORMAT ".%u", hundredths / 100, rest / 10);
    return g_strdup_printf("%" G_GUINT64_FORMAT ".%02u", hundredths / 100, rest);
}
