/* arguments.c - the meaning of the words on an `orrery cc` command line: the actions of options.def.
 *
 * Options that cannot change what a simulated program does are accepted, so that build systems need no change. Options
 * that would change it in a way that Orrery does not have are refused with the reason.
 */
#include "base/nearest.h"
#include "cli/base/base.h"
#include "cli/build/build.h"
#include "cli/driver/driver.h"
#include "compiler/compiler.h"

#include <stdio.h>
#include <string.h>

typedef struct Option Option;
typedef bool (*Action)(Driver *driver, const Option *option, const char *word, const char *value, GError **error);
typedef enum Form { FLAG, JOINED, VALUE, EITHER } Form;
struct Option {
    const char *spelling;
    Form form;
    Action action;
    const char *text;
};

#define ACTION(name)                                                                                                   \
    static bool on_##name(G_GNUC_UNUSED Driver *driver, G_GNUC_UNUSED const Option *option,                            \
                          G_GNUC_UNUSED const char *word, G_GNUC_UNUSED const char *value,                             \
                          G_GNUC_UNUSED GError **error)

ACTION(ignore)
{
    return true;
}
ACTION(refuse)
{
    return cli_error_usage(error, "%s: %s", option->spelling, option->text);
}

/* -- inputs ------------------------------------------------------------------------------------ */

static void add_input(Driver *driver, const char *name, CliLanguage language, const char *other)
{
    DriverInput *input = g_new0(DriverInput, 1);
    input->name = g_strdup(name);
    input->language = language;
    input->other = other;
    input->whole_archive = driver->whole_archive;
    input->static_only = driver->static_only;
    g_ptr_array_add(driver->inputs, input);
}

static bool add_file(Driver *driver, const char *name)
{
    const char *other = driver->language_name;
    CliLanguage language = driver->language;
    if (language == CLI_LANGUAGE_BY_NAME) /* standard input is C unless -x says otherwise */
        language = strcmp(name, "-") == 0 ? CLI_LANGUAGE_C : cli_language_of(name, &other);
    add_input(driver, name, language, other);
    return true;
}

ACTION(language)
{
    static const struct {
        const char *name;
        CliLanguage language;
    } known[] = {{"c", CLI_LANGUAGE_C},
                 {"none", CLI_LANGUAGE_BY_NAME},
                 {"c-header", CLI_LANGUAGE_HEADER},
                 {"cpp-output", CLI_LANGUAGE_PREPROCESSED},
                 {"c-cpp-output", CLI_LANGUAGE_PREPROCESSED}};
    for (size_t i = 0; i < G_N_ELEMENTS(known); i++) {
        if (strcmp(known[i].name, value) == 0) {
            driver->language = known[i].language;
            return true;
        }
    }
    return cli_error_usage(error, "-x %s: only C is compiled here", value);
}

ACTION(add_library)
{
    add_input(driver, value, CLI_LANGUAGE_LIBRARY, NULL);
    return true;
}

/* -- stages and files -------------------------------------------------------------------------- */

/* Of several such options, the one for the earliest stage counts, as with cc. */
static bool stop_after(Driver *driver, DriverStage stage)
{
    driver->stage = MIN(driver->stage, stage);
    return true;
}

ACTION(stage_object)
{
    return stop_after(driver, DRIVER_OBJECT);
}
ACTION(stage_text)
{
    return stop_after(driver, DRIVER_VCODE_TEXT);
}
ACTION(stage_preprocess)
{
    return stop_after(driver, DRIVER_PREPROCESS);
}
ACTION(stage_syntax)
{
    return stop_after(driver, DRIVER_SYNTAX_ONLY);
}

ACTION(output)
{
    g_free(driver->output);
    driver->output = g_strdup(value);
    return true;
}

ACTION(verbose)
{
    return driver->verbose = true;
}
ACTION(dry_run)
{
    return driver->dry_run = true;
}
ACTION(library)
{
    return driver->build.compile.library = true;
}

ACTION(save_temporaries)
{
    driver->save_beside = value && strcmp(value, "obj") == 0;
    return driver->save_temporaries = true;
}

/* -- the preprocessor -------------------------------------------------------------------------- */

static bool pass(Driver *driver, const char *word)
{
    g_ptr_array_add(driver->build.flags, g_strdup(word));
    return true;
}

ACTION(preprocessor)
{
    bool one_word = strlen(option->text) == 2; /* -I, -D, -U, -A */
    if (one_word) {
        g_ptr_array_add(driver->build.flags, g_strconcat(option->text, value, NULL));
        return true;
    }
    return pass(driver, option->text) && pass(driver, value);
}
ACTION(preprocessor_flag)
{
    return pass(driver, word);
}
ACTION(preprocessor_words) /* -Wp,-MD,FILE is the older -MD -MF FILE */
{
    driver->depend_file |= strstr(word, ",-MD,") || strstr(word, ",-MMD,");
    return pass(driver, word);
}
ACTION(preprocessor_word)
{
    return pass(driver, "-Xpreprocessor") && pass(driver, value);
}
ACTION(preprocessor_only)
{
    if (option->form != JOINED || strspn(value, "MDNIU") > 0)
        g_ptr_array_add(driver->build.preprocess_flags, g_strdup(word));
    return true;
}
ACTION(keep_comments)
{
    g_ptr_array_add(driver->build.preprocess_flags, g_strdup(word));
    return driver->keep_comments = true;
}
ACTION(no_headers)
{
    return driver->build.compile.no_headers = true;
}

ACTION(define)
{
    g_auto(GStrv) words = g_strsplit(option->text, " ", -1);
    for (char **each = words; *each; each++)
        pass(driver, *each);
    return true;
}

ACTION(rules_only)
{
    driver->rules_only = true;
    return stop_after(driver, DRIVER_PREPROCESS) && pass(driver, word);
}
ACTION(depend)
{
    g_clear_pointer(&driver->build.depend, g_free);
    driver->build.depend = g_strdup(word);
    return driver->depend = true;
}
ACTION(depend_file)
{
    g_free(driver->build.depend_file);
    driver->build.depend_file = g_strdup(value);
    return driver->depend_file = true;
}
ACTION(depend_target)
{
    driver->depend_target = true;
    return pass(driver, option->spelling) && pass(driver, value);
}

/* -- language and code ------------------------------------------------------------------------- */

ACTION(standard)
{
    static const struct {
        const char *name;
        unsigned year;
    } years[] = {{"89", 1989}, {"90", 1989}, {"9x", 1999}, {"99", 1999}, {"1x", 2011},
                 {"11", 2011}, {"17", 2017}, {"18", 2017}, {"2x", 2023}, {"23", 2023}};
    static const struct {
        const char *name;
        unsigned year;
    } iso[] = {{"iso9899:1990", 1989}, {"iso9899:199409", 1989}, {"iso9899:1999", 1999}, {"iso9899:199x", 1999},
               {"iso9899:2011", 2011}, {"iso9899:2017", 2017},   {"iso9899:2018", 2017}};
    CcOptions *compile = &driver->build.compile;
    unsigned year = 0;
    bool gnu = g_str_has_prefix(value, "gnu");
    for (size_t i = 0; i < G_N_ELEMENTS(years); i++)
        if ((gnu || value[0] == 'c') && strcmp(value + (gnu ? 3 : 1), years[i].name) == 0)
            year = years[i].year;
    for (size_t i = 0; i < G_N_ELEMENTS(iso); i++)
        if (strcmp(value, iso[i].name) == 0)
            year = iso[i].year;
    if (!year)
        return cli_error_usage(error, "-std=%s: there is c89, c99, c11, c17 and gnu89, gnu99, gnu11, gnu17", value);
    if (year == 2023)
        cli_driver_say("warning: -std=%s: compiled as %s", value, gnu ? "gnu17" : "c17");
    compile->c_standard = MIN(year, 2017);
    compile->strict = !gnu;
    return true;
}
ACTION(ansi)
{
    driver->build.compile.c_standard = 1989;
    return driver->build.compile.strict = true;
}

ACTION(optimise)
{
    static const struct {
        const char *name;
        int level;
    } levels[] = {{"", 1}, {"0", 0}, {"1", 1}, {"2", 2}, {"3", 3}, {"s", 2}, {"z", 2}, {"g", 1}, {"fast", 3}};
    for (size_t i = 0; i < G_N_ELEMENTS(levels); i++) {
        if (strcmp(levels[i].name, value ? value : "") == 0) {
            driver->build.compile.optimise = levels[i].level;
            driver->build.compile.optimise_for_size = value && (*value == 's' || *value == 'z');
            driver->build.compile.optimise_asked = levels[i].level > 0;
            return true;
        }
    }
    if (strspn(value, "0123456789") == strlen(value)) {
        driver->build.compile.optimise = 3;
        return driver->build.compile.optimise_asked = true;
    }
    return cli_error_usage(error, "-O%s: the levels are 0, 1, 2, 3, s, g and fast", value);
}

ACTION(debug) /* -g, -g3, -ggdb, -gdwarf-5 ...; -g0 and -ggdb0 give no debug information */
{
    bool none = value && (strcmp(value, "0") == 0 || (g_str_has_prefix(value, "gdb") && value[3] == '0'));
    driver->build.compile.debug = !none;
    return true;
}

/* The compiler has a table of warnings and of how they look. Unknown names only cause a remark. */
ACTION(warning)
{
    char *complaint = NULL;
    CcOptionAnswer answer = cc_warning_option(&driver->build.compile, option->text ? option->text : word, &complaint);
    g_autofree char *text = complaint;
    if (answer == CC_OPTION_WRONG)
        return cli_error_usage(error, "%s", text);
    if (answer == CC_OPTION_UNKNOWN)
        cli_driver_say("warning: %s; see `orrery cc --help=warnings`", text);
    return true;
}

ACTION(signed_char)
{
    driver->build.compile.unsigned_char = false;
    return true;
}
ACTION(unsigned_char)
{
    return driver->build.compile.unsigned_char = true;
}
ACTION(openmp)
{
    return driver->build.compile.openmp = true;
}
ACTION(no_openmp)
{
    driver->build.compile.openmp = false;
    return true;
}
ACTION(openmp_simd)
{
    return driver->build.compile.openmp_simd = true;
}
ACTION(common)
{
    driver->build.compile.no_common = false;
    return true;
}
ACTION(ms_bitfields)
{
    return driver->build.compile.ms_bitfields = true;
}
ACTION(gcc_bitfields)
{
    driver->build.compile.ms_bitfields = false;
    return true;
}
ACTION(no_common)
{
    return driver->build.compile.no_common = true;
}
ACTION(gnu89_inline)
{
    return driver->build.compile.gnu89_inline = true;
}
ACTION(c99_inline)
{
    driver->build.compile.gnu89_inline = false;
    return true;
}
ACTION(gnu_words)
{
    driver->build.compile.no_gnu_words = false;
    return true;
}
ACTION(no_gnu_words)
{
    return driver->build.compile.no_gnu_words = true;
}
ACTION(preprocessed)
{
    driver->language = CLI_LANGUAGE_PREPROCESSED;
    return true;
}

ACTION(code)
{
    static const Option options[] = {
#define DRIVER_OPTION(spelling, form, action, text)
#define DRIVER_CODE(spelling, action, text) {spelling, FLAG, on_##action, text},
#include "cli/driver/options.def"
    };
    for (size_t i = 0; i < G_N_ELEMENTS(options); i++) {
        size_t length = strlen(options[i].spelling);
        bool joined = options[i].spelling[length - 1] == '=' && strncmp(options[i].spelling, word, length) == 0;
        if (joined || strcmp(options[i].spelling, word) == 0)
            return options[i].action(driver, &options[i], word, joined ? word + length : NULL, error);
    }
    return on_warning(driver, option, word, value, error); /* -fdiagnostics-..., -fmax-errors= */
}

/* -- the linker -------------------------------------------------------------------------------- */

ACTION(library_directory)
{
    g_ptr_array_add(driver->directories, g_strdup(value));
    return true;
}
ACTION(root)
{
    cli_build_need(&driver->build, value);
    return true;
}
ACTION(shared)
{
    return driver->shared = true;
}
ACTION(partial)
{
    return driver->partial = true;
}
ACTION(static_only)
{
    return driver->static_only = true;
}
ACTION(no_runtime)
{
    return driver->no_runtime = true;
}

/* Returns whether the next word is the value of an option of the linker. */
static bool takes_next_word(const char *word)
{
    static const char *const names[] = {"rpath", "rpath-link",     "soname", "h", "Map", "e",    "entry", "z",
                                        "m",     "dynamic-linker", "I",      "y", "T",   "init", "fini",  "o",
                                        "b",     "format",         NULL};
    return word[0] == '-' && g_strv_contains(names, word + (word[1] == '-' ? 2 : 1));
}

/* Takes the value of such an option. Only one changes anything: -z muldefs. */
static bool linker_value(Driver *driver, const char *word)
{
    driver->build.first_definition_wins |= strcmp(word, "muldefs") == 0;
    return true;
}
ACTION(linker_keyword)
{
    return linker_value(driver, value);
}

/* Takes one word for the linker. *skip: the next word is its value. Options that are not handled here change
 * nothing. */
static bool linker_word(Driver *driver, const char *word, bool *skip, GError **error)
{
    static const char *const refused[] = {"--defsym", "-defsym", "-T", "--script", NULL};
    const char *plain = g_str_has_prefix(word, "--") ? word + 1 : word;
    g_autofree char *name = g_strndup(plain, strcspn(plain, "="));
    const char *value = strchr(plain, '=');
    if (word[0] != '-')
        return add_file(driver, word);
    if (g_strv_contains(refused, word) || strcmp(name, "-defsym") == 0)
        return cli_error_usage(error, "%s: the linker cannot do this here", word);
    if (strcmp(plain, "-whole-archive") == 0)
        driver->whole_archive = true;
    else if (strcmp(plain, "-no-whole-archive") == 0)
        driver->whole_archive = false;
    else if (g_strv_contains((const char *const[]){"-Bstatic", "-static", "-dn", "-non_shared", NULL}, plain))
        driver->static_only = true;
    else if (g_strv_contains((const char *const[]){"-Bdynamic", "-dy", "-call_shared", NULL}, plain))
        driver->static_only = false;
    else if (strcmp(plain, "-allow-multiple-definition") == 0)
        driver->build.first_definition_wins = true;
    else if (g_strv_contains((const char *const[]){"-warn-unresolved-symbols", "-unresolved-symbols=ignore-all",
                                                   "-unresolved-symbols=ignore-in-object-files", NULL},
                             plain))
        driver->build.undefined_is_warning = true;
    else if (strcmp(plain, "-r") == 0 || strcmp(plain, "-relocatable") == 0)
        driver->partial = true;
    else if (strcmp(plain, "-shared") == 0)
        driver->shared = true;
    else if (strcmp(name, "-undefined") == 0 && value)
        cli_build_need(&driver->build, value + 1);
    else if (strcmp(name, "-wrap") == 0 && value)
        g_ptr_array_add(driver->build.wrapped, g_strdup(value + 1));
    else if (g_str_has_prefix(word, "-l") && word[2])
        add_input(driver, word + 2, CLI_LANGUAGE_LIBRARY, NULL);
    else if (g_str_has_prefix(word, "-L") && word[2])
        g_ptr_array_add(driver->directories, g_strdup(word + 2));
    else
        *skip = takes_next_word(word);
    return true;
}

ACTION(linker_words)
{
    g_auto(GStrv) words = g_strsplit(value, ",", -1);
    bool skip = false;
    for (char **each = words; *each; each++) {
        if (skip || !**each) {
            linker_value(driver, *each);
            skip = false;
            continue;
        }
        bool wrap = (strcmp(*each, "--wrap") == 0 || strcmp(*each, "-wrap") == 0) && each[1];
        bool need = (strcmp(*each, "-u") == 0 || strcmp(*each, "--undefined") == 0) && each[1];
        if (wrap)
            g_ptr_array_add(driver->build.wrapped, g_strdup(*++each));
        else if (need)
            cli_build_need(&driver->build, *++each);
        else if (!linker_word(driver, *each, &skip, error))
            return false;
    }
    return true;
}

/* The value of such an option comes in an -Xlinker of its own. */
ACTION(linker_word)
{
    if (driver->skip_linker_word) {
        driver->skip_linker_word = false;
        return linker_value(driver, value);
    }
    return linker_word(driver, value, &driver->skip_linker_word, error);
}

/* -- all words --------------------------------------------------------------------------------- */

static const Option options[] = {
#define DRIVER_OPTION(spelling, form, action, text) {spelling, form, on_##action, text},
#include "cli/driver/options.def"
};

static bool fits(const Option *option, const char *word)
{
    size_t length = strlen(option->spelling);
    bool joined = option->form == JOINED || option->form == EITHER;
    return joined ? strncmp(option->spelling, word, length) == 0 : strcmp(option->spelling, word) == 0;
}

static const Option *find_option(const char *word)
{
    const Option *best = NULL;
    for (size_t i = 0; i < G_N_ELEMENTS(options); i++)
        if (fits(&options[i], word) && (!best || strlen(options[i].spelling) > strlen(best->spelling)))
            best = &options[i];
    return best;
}

static bool unknown_option(const char *word, GError **error)
{
    const char *names[G_N_ELEMENTS(options) + 4] = {"--help", "--version", "-dumpversion"};
    size_t n = 3;
    g_autofree char *name = g_strndup(word, strcspn(word, "="));
    for (size_t i = 0; i < G_N_ELEMENTS(options); i++)
        if (strlen(options[i].spelling) > 2) /* a single letter would be near to everything */
            names[n++] = options[i].spelling;
    const char *near = strlen(name) > 3 ? base_nearest(name, names) : NULL;
    return cli_error_usage(error, "unknown option '%s'%s%s%s; see `orrery cc --help`", word,
                           near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

static bool parse_option(Driver *driver, GPtrArray *words, guint *i, GError **error)
{
    const char *word = g_ptr_array_index(words, *i);
    const Option *option = find_option(word);
    if (!option)
        return unknown_option(word, error);
    const char *value = option->form == FLAG ? NULL : word + strlen(option->spelling);
    if (option->form == VALUE || (option->form == EITHER && !*value)) {
        if (*i + 1 >= words->len)
            return cli_error_usage(error, "%s needs a value", word);
        value = g_ptr_array_index(words, ++*i);
    }
    return option->action(driver, option, word, value, error);
}

/* Checks what needs all options to be known. */
static bool check_together(Driver *driver, GError **error)
{
    if (driver->keep_comments && driver->stage != DRIVER_PREPROCESS)
        return cli_error_usage(error, "-C and -CC keep comments in what -E prints; they need -E");
    for (guint i = 0; i < driver->inputs->len; i++) {
        const DriverInput *input = g_ptr_array_index(driver->inputs, i);
        if (input->language == CLI_LANGUAGE_OTHER)
            return cli_error_usage(error, "%s: %s is not compiled here, only C", input->name, input->other);
        driver->n_sources += input->language < CLI_LANGUAGE_LINKER;
    }
    return true;
}

bool cli_driver_parse(Driver *driver, GPtrArray *words, GError **error)
{
    driver->words = words;
    for (guint i = 0; i < words->len; i++) {
        const char *word = g_ptr_array_index(words, i);
        bool good = true;
        if (cli_driver_is_question(word))
            g_ptr_array_add(driver->questions, (gpointer)word);
        else if (word[0] != '-' || !word[1])
            good = add_file(driver, word);
        else
            good = parse_option(driver, words, &i, error);
        if (!good)
            return false;
    }
    return check_together(driver, error);
}
