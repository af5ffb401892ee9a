/* warnings.c - which warnings are on: the names and groups of warnings.def, the options of the command line, and each
 * #pragma GCC diagnostic from its place in the source on.
 *
 * As with gcc, an option for a warning (-Wname, -Wno-name) wins over an option for its group, in whatever order they
 * are given. A warning that counts as an error is on.
 */
#include "base/nearest.h"
#include "compiler/arena/arena.h"
#include "compiler/compiler.h"
#include "compiler/report/diagnostics.h"
#include "compiler/report/report.h"
#include "compiler/tree/tree.h"

#include <string.h>

/* The option that switches a warning on: -Wall, -Wextra ...; ALWAYS: on by default; ASKED: only its own option. */
typedef enum When { ALWAYS, ALL, EXTRA, PEDANTIC, MPI, ASKED } When;

static const struct {
    const char *option, *help;
    When when;
} warnings[CC_WARNING_COUNT] = {
#define CC_W(identifier, option, when, help) [CC_WARNING_##identifier] = {option, help, when},
#include "compiler/warnings.def"
#undef CC_W
};

/* Names of gcc and clang that stand for several of our warnings, or for one of ours under another name. */
static const struct {
    const char *option;
    CcWarningId members[12];
    unsigned n;
} groups[] = {
    {"-Wunused",
     {CC_WARNING_UNUSED_BUT_SET_VARIABLE, CC_WARNING_UNUSED_FUNCTION, CC_WARNING_UNUSED_LABEL,
      CC_WARNING_UNUSED_LOCAL_TYPEDEFS, CC_WARNING_UNUSED_VALUE, CC_WARNING_UNUSED_VARIABLE},
     6},
    {"-Wconversion", {CC_WARNING_CONVERSION, CC_WARNING_SIGN_CONVERSION, CC_WARNING_FLOAT_CONVERSION}, 3},
    {"-Wformat",
     {CC_WARNING_FORMAT, CC_WARNING_FORMAT_EXTRA_ARGS, CC_WARNING_FORMAT_ZERO_LENGTH, CC_WARNING_FORMAT_SECURITY},
     4},
    {"-Wformat=2",
     {CC_WARNING_FORMAT, CC_WARNING_FORMAT_EXTRA_ARGS, CC_WARNING_FORMAT_ZERO_LENGTH, CC_WARNING_FORMAT_SECURITY,
      CC_WARNING_FORMAT_NONLITERAL},
     5},
    {"-Wparentheses", {CC_WARNING_PARENTHESES, CC_WARNING_DANGLING_ELSE, CC_WARNING_LOGICAL_NOT_PARENTHESES}, 3},
    {"-Wimplicit", {CC_WARNING_IMPLICIT_INT, CC_WARNING_IMPLICIT_FUNCTION_DECLARATION}, 2},
    {"-Wuninitialized", {CC_WARNING_UNINITIALIZED, CC_WARNING_SOMETIMES_UNINITIALIZED}, 2},
    {"-Wconditional-uninitialized", {CC_WARNING_MAYBE_UNINITIALIZED}, 1},
    {"-Wunsequenced", {CC_WARNING_UNSEQUENCED}, 1},
    {"-Wcomments", {CC_WARNING_COMMENT}, 1},
    {"-Wstringop-truncation", {CC_WARNING_STRINGOP_OVERFLOW}, 1},
    {"-Wfortify-source", {CC_WARNING_STRINGOP_OVERFLOW, CC_WARNING_FORMAT_OVERFLOW}, 2},
    {"-Wreturn-stack-address", {CC_WARNING_RETURN_LOCAL_ADDR}, 1},
    {"-Wconstant-conversion", {CC_WARNING_OVERFLOW}, 1},
    {"-Winitializer-overrides", {CC_WARNING_OVERRIDE_INIT}, 1},
    {"-Wself-compare", {CC_WARNING_TAUTOLOGICAL_COMPARE}, 1},
    {"-Wlogical-op-parentheses", {CC_WARNING_PARENTHESES}, 1},
    {"-Wbitwise-op-parentheses", {CC_WARNING_PARENTHESES}, 1},
    {"-W#warnings", {CC_WARNING_CPP}, 1},
};

/* Other warnings of gcc and clang: accepted without effect. */
static const char *const others[] = {
#define CC_OTHER(option) option,
#include "compiler/report/other_warnings.def"
#undef CC_OTHER
};

static const char *const when_options[] = {
    [ALWAYS] = "", [ALL] = "-Wall", [EXTRA] = "-Wextra", [PEDANTIC] = "-Wpedantic", [MPI] = "-Wmpi", [ASKED] = NULL};

/* -- questions --------------------------------------------------------------------------------- */

static bool group_is_on(const CcOptions *options, When when)
{
    switch (when) {
    case ALWAYS: return true;
    case ALL: return options->warn_all || options->warn_extra;
    case EXTRA: return options->warn_extra;
    case PEDANTIC: return options->warn_pedantic;
    case MPI: return options->warn_all || options->warn_extra || options->warn_mpi;
    case ASKED: break;
    }
    return false;
}

static bool is_on(const CcOptions *options, CcWarningId warning)
{
    if (options->no_warnings)
        return false;
    switch (options->warnings[warning]) {
    case CC_WARNING_ON:
    case CC_WARNING_GROUP_ON:
    case CC_WARNING_ERROR: return true;
    case CC_WARNING_OFF:
    case CC_WARNING_GROUP_OFF: return false;
    default: return group_is_on(options, warnings[warning].when);
    }
}

/* Whether plain -Werror leaves the warning a warning, because it does not tell of a fault of the program. */
static bool is_no_fault(CcWarningId warning)
{
    return warning == CC_WARNING_ATTRIBUTE_WARNING;
}

bool cc_warning_is_error(const CcOptions *options, CcWarningId warning)
{
    return options->warnings[warning] == CC_WARNING_ERROR ||
           (options->pedantic_errors && warnings[warning].when == PEDANTIC) ||
           (options->warnings_are_errors && !options->not_errors[warning] && !is_no_fault(warning));
}

CcWarningId cc_warning_find(const char *option)
{
    for (unsigned i = 0; i < CC_WARNING_COUNT; i++)
        if (strcmp(warnings[i].option, option) == 0)
            return (CcWarningId)i;
    return CC_WARNING_COUNT;
}

const char *cc_warning_describe(CcWarningId warning, const char **help, const char **group)
{
    if (help)
        *help = warnings[warning].help;
    if (group)
        *group = when_options[warnings[warning].when];
    return warnings[warning].option;
}

void cc_warning_help(GString *out)
{
    static const char *const titles[] = {[ALWAYS] = "Always on, unless switched off with -Wno-...:",
                                         [ALL] = "On with -Wall:",
                                         [EXTRA] = "On with -Wextra:",
                                         [PEDANTIC] = "On with -Wpedantic:",
                                         [MPI] = "On with -Wmpi, and with -Wall:",
                                         [ASKED] = "On by name only:"};
    for (size_t when = 0; when < G_N_ELEMENTS(titles); when++) {
        g_string_append_printf(out, "%s%s\n", when ? "\n" : "", titles[when]);
        for (size_t i = 0; i < CC_WARNING_COUNT; i++)
            if (warnings[i].when == (When)when)
                g_string_append_printf(out, "  %-42s %s\n", warnings[i].option, warnings[i].help);
    }
}

/* -- the command line -------------------------------------------------------------------------- */

static void choose(CcOptions *options, CcWarningId warning, bool on, bool by_name)
{
    uint8_t *choice = &options->warnings[warning];
    bool named = *choice == CC_WARNING_ON || *choice == CC_WARNING_OFF || *choice == CC_WARNING_ERROR;
    if (by_name)
        *choice = on ? CC_WARNING_ON : CC_WARNING_OFF;
    else if (!named)
        *choice = on ? CC_WARNING_GROUP_ON : CC_WARNING_GROUP_OFF;
}

typedef void (*Apply)(CcOptions *options, CcWarningId warning, bool on, bool by_name);

static void choose_error(CcOptions *options, CcWarningId warning, bool on, bool by_name)
{
    (void)by_name;
    options->not_errors[warning] = !on;
    if (on)
        options->warnings[warning] = CC_WARNING_ERROR;
    else if (options->warnings[warning] == CC_WARNING_ERROR)
        options->warnings[warning] = CC_WARNING_ON;
}

/* Applies a choice to the warning or to the members of the group. Returns false if there is no such name. */
static bool apply_name(CcOptions *options, const char *option, bool on, Apply apply)
{
    bool found = false;
    for (size_t i = 0; i < G_N_ELEMENTS(groups); i++)
        for (unsigned k = 0; strcmp(groups[i].option, option) == 0 && k < groups[i].n; k++) {
            apply(options, groups[i].members[k], on, groups[i].n == 1);
            found = true;
        }
    CcWarningId warning = cc_warning_find(option);
    if (warning < CC_WARNING_COUNT)
        apply(options, warning, on, true);
    return found || warning < CC_WARNING_COUNT;
}

static bool is_other(const char *option)
{
    for (size_t i = 0; i < G_N_ELEMENTS(others); i++)
        if (strcmp(others[i], option) == 0)
            return true;
    return false;
}

static const char *nearest_option(const char *option)
{
    BaseNearest nearest = base_nearest_of(option);
    for (size_t i = 0; i < CC_WARNING_COUNT; i++)
        base_nearest_try(&nearest, warnings[i].option);
    for (size_t i = 0; i < G_N_ELEMENTS(groups); i++)
        base_nearest_try(&nearest, groups[i].option);
    return nearest.best;
}

static bool group_flag(CcOptions *options, const char *name, bool on)
{
    if (strcmp(name, "all") == 0 || strcmp(name, "most") == 0)
        options->warn_all = on;
    else if (strcmp(name, "extra") == 0)
        options->warn_extra = on;
    else if (strcmp(name, "pedantic") == 0)
        options->warn_pedantic = on;
    else if (strcmp(name, "mpi") == 0)
        options->warn_mpi = on;
    else if (strcmp(name, "error") == 0)
        options->warnings_are_errors = on;
    else if (strcmp(name, "fatal-errors") == 0)
        options->fatal_errors = on;
    else if (strcmp(name, "everything") == 0)
        for (unsigned i = 0; i < CC_WARNING_COUNT; i++)
            choose(options, (CcWarningId)i, on, false);
    else
        return false;
    return true;
}

/* Obeys -Wname, -Wno-name, -Werror=name or -Wno-error=name; `name` is what follows -W. A level ("=2") has an effect
 * only if there is a group with that level. */
static CcOptionAnswer warning_flag(CcOptions *options, const char *name, char **complaint)
{
    bool on = !g_str_has_prefix(name, "no-");
    const char *rest = on ? name : name + 3;
    if (group_flag(options, rest, on))
        return CC_OPTION_TAKEN;
    bool error = g_str_has_prefix(rest, "error=");
    char *option = g_strconcat("-W", error ? rest + 6 : rest, NULL), *level = strchr(option, '=');
    bool known = apply_name(options, option, on, error ? choose_error : choose);
    if (!known && level) {
        on &= strcmp(level, "=0") != 0;
        *level = '\0';
        known = apply_name(options, option, on, error ? choose_error : choose);
    }
    CcOptionAnswer answer = CC_OPTION_TAKEN;
    if (!known && on && !is_other(option)) {
        const char *like = nearest_option(option);
        *complaint = like ? g_strdup_printf("unknown warning option '-W%s'; did you mean '%s%s'?", name,
                                            error ? "-Werror=" : "", error ? like + 2 : like)
                          : g_strdup_printf("unknown warning option '-W%s'", name);
        answer = CC_OPTION_UNKNOWN;
    }
    g_free(option);
    return answer;
}

static CcOptionAnswer wrong(char **complaint, const char *flag, const char *wanted)
{
    *complaint = g_strdup_printf("%s: %s", flag, wanted);
    return CC_OPTION_WRONG;
}

static CcOptionAnswer set_format(CcOptions *options, const char *flag, const char *value, char **complaint)
{
    static const struct {
        const char *name;
        CcDiagnosticsFormat format;
    } formats[] = {{"text", CC_DIAGNOSTICS_TEXT},
                   {"json", CC_DIAGNOSTICS_JSON},
                   {"json-stderr", CC_DIAGNOSTICS_JSON},
                   {"json-file", CC_DIAGNOSTICS_JSON_FILE},
                   {"sarif", CC_DIAGNOSTICS_SARIF},
                   {"sarif-stderr", CC_DIAGNOSTICS_SARIF},
                   {"sarif-file", CC_DIAGNOSTICS_SARIF_FILE}};
    for (size_t i = 0; i < G_N_ELEMENTS(formats); i++)
        if (strcmp(formats[i].name, value) == 0) {
            options->diagnostics_format = formats[i].format;
            return CC_OPTION_TAKEN;
        }
    return wrong(complaint, flag, "the formats are text, json, json-file, sarif and sarif-file");
}

static CcOptionAnswer set_colour(CcOptions *options, const char *flag, const char *value, char **complaint)
{
    static const char *const names[] = {
        [CC_COLOUR_AUTO] = "auto", [CC_COLOUR_ALWAYS] = "always", [CC_COLOUR_NEVER] = "never"};
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
        if (strcmp(names[i], value) == 0) {
            options->colour = (CcColour)i;
            return CC_OPTION_TAKEN;
        }
    return wrong(complaint, flag, "say always, never or auto");
}

static CcOptionAnswer set_limit(CcOptions *options, const char *flag, const char *value, char **complaint)
{
    char *end;
    guint64 number = g_ascii_strtoull(value, &end, 10);
    if (!g_ascii_isdigit(*value) || *end || number > 1000000000)
        return wrong(complaint, flag, "a number is needed; 0 is no limit");
    options->limit_errors = true;
    options->most_errors = (unsigned)number;
    return CC_OPTION_TAKEN;
}

/* Obeys an option without a value, which sets or clears a field. */
static bool plain_flag(CcOptions *options, const char *flag)
{
    static const struct {
        const char *name;
        size_t field;
        int value;
    } flags[] = {
        {"-w", offsetof(CcOptions, no_warnings), true},
        {"-W", offsetof(CcOptions, warn_extra), true},
        {"-pedantic", offsetof(CcOptions, warn_pedantic), true},
        {"-fno-diagnostics-show-caret", offsetof(CcOptions, hide_caret), true},
        {"-fdiagnostics-show-caret", offsetof(CcOptions, hide_caret), false},
        {"-fno-caret-diagnostics", offsetof(CcOptions, hide_caret), true},
        {"-fcaret-diagnostics", offsetof(CcOptions, hide_caret), false},
        {"-fno-diagnostics-show-option", offsetof(CcOptions, hide_option_names), true},
        {"-fdiagnostics-show-option", offsetof(CcOptions, hide_option_names), false},
        {"-fno-diagnostics-show-line-numbers", offsetof(CcOptions, hide_line_numbers), true},
        {"-fdiagnostics-show-line-numbers", offsetof(CcOptions, hide_line_numbers), false},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(flags); i++)
        if (strcmp(flags[i].name, flag) == 0) {
            *(bool *)((char *)options + flags[i].field) = flags[i].value;
            return true;
        }
    if (strcmp(flag, "-pedantic-errors") == 0)
        options->warn_pedantic = options->pedantic_errors = true;
    else if (strcmp(flag, "-fdiagnostics-color") == 0 || strcmp(flag, "-fcolor-diagnostics") == 0)
        options->colour = CC_COLOUR_ALWAYS;
    else if (strcmp(flag, "-fno-diagnostics-color") == 0 || strcmp(flag, "-fno-color-diagnostics") == 0)
        options->colour = CC_COLOUR_NEVER;
    else if (strcmp(flag, "-fdiagnostics-plain-output") == 0) {
        options->colour = CC_COLOUR_NEVER;
        options->hide_caret = true;
    } else
        return false;
    return true;
}

static const char *value_of(const char *flag, const char *name)
{
    size_t length = strlen(name);
    return strncmp(flag, name, length) == 0 ? flag + length : NULL;
}

CcOptionAnswer cc_warning_option(CcOptions *options, const char *flag, char **complaint)
{
    const char *value;
    *complaint = NULL;
    if (plain_flag(options, flag))
        return CC_OPTION_TAKEN;
    if ((value = value_of(flag, "-fdiagnostics-format=")))
        return set_format(options, flag, value, complaint);
    if ((value = value_of(flag, "-fdiagnostics-color=")) || (value = value_of(flag, "-fcolor-diagnostics=")))
        return set_colour(options, flag, value, complaint);
    if ((value = value_of(flag, "-fmax-errors=")) || (value = value_of(flag, "-ferror-limit=")))
        return set_limit(options, flag, value, complaint);
    if (g_str_has_prefix(flag, "-fdiagnostics-") || g_str_has_prefix(flag, "-fno-diagnostics-") ||
        g_str_has_prefix(flag, "-fmessage-length=") || strcmp(flag, "-fno-show-column") == 0 ||
        strcmp(flag, "-fshow-column") == 0)
        return CC_OPTION_TAKEN;
    bool to_others = strlen(flag) > 3 && flag[3] == ',' && strchr("lapL", flag[2]);
    if (flag[0] == '-' && flag[1] == 'W' && flag[2] && !to_others)
        return warning_flag(options, flag + 2, complaint);
    return CC_OPTION_OTHER;
}

void cc_warning_cpp_flags(const CcOptions *options, GPtrArray *flags)
{
    static const struct {
        CcWarningId warning;
        const char *on, *off;
    } passed[] = {{CC_WARNING_COMMENT, "-Wcomment", "-Wno-comment"},
                  {CC_WARNING_TRIGRAPHS, "-Wtrigraphs", "-Wno-trigraphs"},
                  {CC_WARNING_UNDEF, "-Wundef", "-Wno-undef"},
                  {CC_WARNING_UNUSED_MACROS, "-Wunused-macros", "-Wno-unused-macros"},
                  {CC_WARNING_CPP, "-Wcpp", "-Wno-cpp"}};
    if (options->no_warnings)
        g_ptr_array_add(flags, (gpointer) "-w");
    for (size_t i = 0; i < G_N_ELEMENTS(passed); i++)
        g_ptr_array_add(flags, (gpointer)(is_on(options, passed[i].warning) ? passed[i].on : passed[i].off));
}

/* -- #pragma GCC diagnostic -------------------------------------------------------------------- */

/* Sets the choice of the warning or of the members of the group. Returns false if there is no such name. */
static bool change(uint8_t *choices, const char *option, CcWarningChoice choice)
{
    bool found = false;
    for (size_t i = 0; i < G_N_ELEMENTS(groups); i++)
        for (unsigned k = 0; strcmp(groups[i].option, option) == 0 && k < groups[i].n; k++) {
            choices[groups[i].members[k]] = (uint8_t)choice;
            found = true;
        }
    CcWarningId warning = cc_warning_find(option);
    if (warning < CC_WARNING_COUNT)
        choices[warning] = (uint8_t)choice;
    bool all = strcmp(option, "-Weverything") == 0;
    bool members[] = {strcmp(option, "-Wall") == 0, strcmp(option, "-Wextra") == 0, strcmp(option, "-Wpedantic") == 0,
                      strcmp(option, "-Wmpi") == 0};
    for (unsigned i = 0; i < CC_WARNING_COUNT; i++)
        if (all || (warnings[i].when >= ALL && warnings[i].when <= MPI && members[warnings[i].when - ALL]))
            choices[i] = (uint8_t)choice;
    return found || all || warning < CC_WARNING_COUNT || members[0] || members[1] || members[2] || members[3];
}

static const uint8_t *current_choices(const CcSeen *seen)
{
    return seen->choices->len ? g_array_index(seen->choices, CcChoices, seen->choices->len - 1).choices : NULL;
}

char *cc_warning_pragma(CcUnit *unit, const char *text, const char *end, size_t offset)
{
    static const struct {
        const char *word;
        CcWarningChoice choice;
    } words[] = {{"ignored", CC_WARNING_OFF},
                 {"warning", CC_WARNING_ON},
                 {"error", CC_WARNING_ERROR},
                 {"fatal", CC_WARNING_ERROR}};
    CcSeen *seen = unit->seen;
    char *unknown = NULL;
    char *copy = g_strndup(text, (gsize)(end - text)), *line = g_strstrip(copy);
    const char *open = strchr(line, '"'), *close = open ? strchr(open + 1, '"') : NULL;
    CcChoices now = {offset, current_choices(seen)};
    if (g_str_has_prefix(line, "push"))
        g_array_append_val(seen->choice_stack, now);
    else if (g_str_has_prefix(line, "pop")) {
        now.choices = NULL;
        if (seen->choice_stack->len) {
            now.choices = g_array_index(seen->choice_stack, CcChoices, seen->choice_stack->len - 1).choices;
            g_array_set_size(seen->choice_stack, seen->choice_stack->len - 1);
        }
        g_array_append_val(seen->choices, now);
    }
    for (size_t i = 0; i < G_N_ELEMENTS(words) && close; i++) {
        if (!g_str_has_prefix(line, words[i].word))
            continue;
        uint8_t *choices = cc_arena_alloc(unit->arena, CC_WARNING_COUNT);
        char *option = g_strndup(open + 1, (gsize)(close - open - 1));
        if (now.choices)
            memcpy(choices, now.choices, CC_WARNING_COUNT);
        if (change(choices, option, words[i].choice)) {
            now.choices = choices;
            g_array_append_val(seen->choices, now);
        } else if (!is_other(option) && words[i].choice != CC_WARNING_OFF)
            unknown = g_steal_pointer(&option);
        g_free(option);
    }
    g_free(copy);
    return unknown;
}

static CcWarningChoice chosen_at(const CcUnit *unit, CcWarningId warning, size_t offset)
{
    const GArray *all = unit->seen ? unit->seen->choices : NULL;
    guint low = 0, high = all ? all->len : 0; /* binary search for the last pragma before the offset */
    while (low < high) {
        guint middle = (low + high) / 2;
        if (g_array_index(all, CcChoices, middle).offset < offset)
            low = middle + 1;
        else
            high = middle;
    }
    const uint8_t *choices = low ? g_array_index(all, CcChoices, low - 1).choices : NULL;
    return choices ? (CcWarningChoice)choices[warning] : CC_WARNING_DEFAULT;
}

bool cc_warning_severity(const CcUnit *unit, const char *option, size_t offset, CcSeverity *severity)
{
    const CcOptions *options = unit->options;
    CcWarningId warning = option ? cc_warning_find(option) : CC_WARNING_COUNT;
    g_assert(!option || warning < CC_WARNING_COUNT); /* every reported warning is in warnings.def */
    if (options->no_warnings)
        return false;
    bool on = true, error = options->warnings_are_errors;
    if (option) {
        CcWarningChoice choice = chosen_at(unit, warning, offset);
        on = choice == CC_WARNING_DEFAULT ? is_on(options, warning) : choice != CC_WARNING_OFF;
        error = choice == CC_WARNING_ERROR || (choice == CC_WARNING_DEFAULT && cc_warning_is_error(options, warning));
    }
    if (on && error)
        *severity = CC_SEVERITY_ERROR;
    return on;
}

bool cc_warning_possible(const CcUnit *unit, CcWarningId warning)
{
    if (unit->options->no_warnings)
        return false;
    if (is_on(unit->options, warning))
        return true;
    for (guint i = 0; unit->seen && i < unit->seen->choices->len; i++) {
        const uint8_t *choices = g_array_index(unit->seen->choices, CcChoices, i).choices;
        if (choices && (choices[warning] == CC_WARNING_ON || choices[warning] == CC_WARNING_ERROR))
            return true;
    }
    return false;
}
