/* complete.c - what may follow a line that is being typed: by the command that it begins with. */
#include "cli/debug/desk.h"

#include <string.h>

enum { MOST = 2000 };

typedef struct Asked {
    DebugSession *session;
    const char *before; /* what stands before the word */
    size_t length;
    const char *word; /* that is completed */
    GPtrArray *lines;
} Asked;

static void offer(const Asked *asked, const char *name)
{
    if (cli_console_begins(name, asked->word) && asked->lines->len < MOST)
        g_ptr_array_add(asked->lines, g_strdup_printf("%.*s%s", (int)asked->length, asked->before, name));
}

/* -- what there is ----------------------------------------------------------------------------- */

static void offer_commands(const Asked *asked)
{
    size_t n;
    const ConsoleName *names = cli_debug_commands(asked->session, &n);
    g_autofree const char **own = cli_console_scripts_names(asked->session->desk->scripts);
    for (size_t i = 0; i < n; i++)
        offer(asked, names[i].name);
    for (const char **name = own; *name; name++)
        offer(asked, *name);
}

static void offer_subjects(const Asked *asked)
{
    const char *name;
    for (size_t i = 0; (name = cli_debug_info_subject(i)); i++)
        offer(asked, name);
}

static void offer_settings(const Asked *asked, bool set)
{
    for (int i = 0; i < DEBUG_SETTINGS; i++)
        offer(asked, cli_debug_setting_name((DebugSetting)i, NULL));
    offer(asked, "args");
    if (set)
        offer(asked, "var");
    for (int i = 0; !set && i < 3; i++)
        offer(asked, i == 0 ? "convenience" : i == 1 ? "user" : "version");
}

/* The answer's lines; of "name: type" the name. */
static void offer_lines(const Asked *asked, MonQuery query, const char *argument, char until)
{
    g_autoptr(GString) answer = g_string_new(NULL);
    if (!cli_debug_ask(asked->session, query, argument, answer, NULL))
        return;
    g_auto(GStrv) lines = g_strsplit(answer->str, "\n", -1);
    for (char **line = lines; *line; line++) {
        char *end = until ? strchr(*line, until) : NULL;
        if (until && !end)
            continue;
        if (end)
            *end = '\0';
        if (**line)
            offer(asked, *line);
    }
}

static void offer_files(const Asked *asked)
{
    g_autofree char *typed = g_path_get_dirname(asked->word);
    const char *base = strrchr(asked->word, '/');
    g_autoptr(GDir) folder = g_dir_open(typed, 0, NULL);
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    const char *name;
    base = base ? base + 1 : asked->word;
    while (folder && (name = g_dir_read_name(folder)) && names->len < MOST)
        if (g_str_has_prefix(name, base) && (*base == '.' || *name != '.'))
            g_ptr_array_add(names, g_strdup_printf("%.*s%s", (int)(base - asked->word), asked->word, name));
    for (guint i = 0; i < names->len; i++) {
        g_autofree char *slashed = g_strconcat(g_ptr_array_index(names, i), "/", NULL);
        bool is_folder = g_file_test(g_ptr_array_index(names, i), G_FILE_TEST_IS_DIR);
        offer(asked, is_folder ? slashed : g_ptr_array_index(names, i));
    }
}

/* -- places and expressions -------------------------------------------------------------------- */

/* Functions, files up to their ":", and functions behind that. */
static void offer_places(const Asked *asked)
{
    const char *colon = strrchr(asked->word, ':');
    if (colon) {
        Asked behind = *asked;
        behind.length += (size_t)(colon + 1 - asked->word);
        behind.word = colon + 1;
        offer_lines(&behind, MON_QUERY_NAMES, "functions", '\0');
        return;
    }
    offer_lines(asked, MON_QUERY_NAMES, "functions", '\0');
    g_autoptr(GString) files = g_string_new(NULL);
    (void)cli_debug_ask(asked->session, MON_QUERY_NAMES, "files", files, NULL);
    g_auto(GStrv) lines = g_strsplit(files->str, "\n", -1);
    for (char **line = lines; *line; line++) {
        g_autofree char *base = g_path_get_basename(*line);
        g_autofree char *place = g_strconcat(base, ":", NULL);
        if (**line)
            offer(asked, place);
    }
}

/* Where the expression before a "." or "->" begins. */
static const char *object_before(const char *begin, const char *end)
{
    int open = 0;
    const char *at = end;
    while (at > begin) {
        char c = at[-1];
        open += (c == ')' || c == ']') - (c == '(' || c == '[');
        bool belongs = open > 0 || g_ascii_isalnum(c) || c == '_' || c == '.' || c == ']' || c == ')' || c == '[' ||
                       (c == '>' && at - 1 > begin && at[-2] == '-') || (c == '-' && *at == '>');
        if (!belongs || open < 0)
            break;
        at--;
    }
    return at;
}

/* The members of what stands before the word: "    double x[3];" of a printed type. */
static void offer_members(const Asked *asked, const char *object)
{
    g_autoptr(GString) type = g_string_new(NULL);
    if (!cli_debug_ask(asked->session, MON_QUERY_PTYPE, object, type, NULL))
        return;
    g_auto(GStrv) lines = g_strsplit(type->str, "\n", -1);
    for (char **line = lines; *line; line++) {
        char *end = **line == ' ' ? (*line)[4] == ' ' ? NULL : strrchr(*line, ';') : NULL;
        if (!end)
            continue;
        *end = '\0';
        char *function = strstr(*line, "(*"), *name = function ? function + 2 : *line + strcspn(*line, "[:");
        if (!function)
            while (name > *line && (g_ascii_isalnum(name[-1]) || name[-1] == '_'))
                name--;
        g_autofree char *member = g_strndup(name, strspn(name, G_CSET_a_2_z G_CSET_A_2_Z G_CSET_DIGITS "_"));
        if (*member)
            offer(asked, member);
    }
}

static gboolean offer_value(gpointer name, gpointer value, gpointer asked)
{
    (void)value;
    offer(asked, name);
    return FALSE;
}

/* Variables, functions, members; $x. The word is the last name of the line. */
static void offer_expression(const Asked *asked, bool functions)
{
    const char *begin = asked->before + asked->length, *name = begin + strlen(begin);
    while (name > begin && (g_ascii_isalnum(name[-1]) || name[-1] == '_'))
        name--;
    Asked inner = *asked;
    inner.length += (size_t)(name - begin);
    inner.word = name;
    bool dot = name > begin && name[-1] == '.', arrow = name > begin + 1 && name[-1] == '>' && name[-2] == '-';
    if (name > begin && name[-1] == '$') {
        g_tree_foreach(asked->session->desk->values, offer_value, &inner);
        return;
    }
    if (dot || arrow) {
        const char *end = name - (dot ? 1 : 2), *from = object_before(begin, end);
        g_autofree char *object = g_strndup(from, (gsize)(end - from));
        g_autofree char *meant = arrow ? g_strdup_printf("*(%s)", object) : g_strdup(object);
        offer_members(&inner, meant);
        return;
    }
    offer_lines(&inner, MON_QUERY_SCOPE, NULL, ':');
    offer_lines(&inner, MON_QUERY_NAMES, "globals", '\0');
    if (functions)
        offer_lines(&inner, MON_QUERY_NAMES, "functions", '\0');
}

static void append_name(const char *name, const MonRankSet *set, void *asked)
{
    (void)set;
    offer(asked, name);
}

/* Sets of ranks: words of the language, names that the user has given; with "@" as it was typed. */
static void offer_ranks(const Asked *asked)
{
    static const char *const words[] = {"all", "none", "this", "blocked", "ready", "finished", "comm("};
    Asked inner = *asked;
    inner.word = asked->word + strcspn(asked->word, "@") + (strchr(asked->word, '@') ? 1 : 0);
    if (!strchr(asked->word, '@'))
        inner.word = asked->word;
    const char *last = inner.word + strlen(inner.word);
    while (last > inner.word && (g_ascii_isalnum(last[-1]) || last[-1] == '_'))
        last--;
    inner.length += (size_t)(last - asked->word);
    inner.word = last;
    for (size_t i = 0; i < G_N_ELEMENTS(words); i++)
        offer(&inner, words[i]);
    if (asked->session->groups)
        mon_rank_names_each(asked->session->groups, append_name, &inner);
}

/* -- by command -------------------------------------------------------------------------------- */

static bool is_one_of(const char *name, const char *names)
{
    g_auto(GStrv) all = g_strsplit(names, " ", -1);
    return g_strv_contains((const char *const *)all, name);
}

static void offer_arguments(const Asked *asked, const char *command)
{
    if (is_one_of(command, "info"))
        offer_subjects(asked);
    else if (is_one_of(command, "help complete define document apropos"))
        offer_commands(asked);
    else if (is_one_of(command, "set show") && g_str_has_prefix(asked->word, "$"))
        offer_expression(asked, false);
    else if (is_one_of(command, "set show"))
        offer_settings(asked, command[1] == 'e');
    else if (is_one_of(command, "source cd"))
        offer_files(asked);
    else if (is_one_of(command, "layout"))
        for (int i = 0; i < 3; i++)
            offer(asked, i == 0 ? "src" : i == 1 ? "ranks" : "messages");
    else if (is_one_of(command, "tui"))
        for (int i = 0; i < 2; i++)
            offer(asked, i == 0 ? "enable" : "disable");
    else if (is_one_of(command, "stacks where queues group") || *asked->word == '@')
        offer_ranks(asked);
    else if (strstr(asked->before, " if ") ||
             is_one_of(command, "print call output display x watch rwatch awatch whatis "
                                "ptype spread if while printf condition"))
        offer_expression(asked, true);
    else if (is_one_of(command, "break tbreak hbreak dprintf list until advance clear"))
        offer_places(asked);
    else if (is_one_of(command, "thread"))
        offer(asked, "apply");
}

void cli_debug_complete(DebugSession *session, const char *line, GPtrArray *lines)
{
    const char *begin = line + strspn(line, " \t");
    size_t length = strcspn(begin, " \t/");
    const char *word = strrchr(line, ' ');
    word = word ? word + 1 : line;
    Asked asked = {session, line, (size_t)(word - line), word, lines};
    if (begin[length] == '\0') {
        asked.length = (size_t)(begin - line);
        asked.word = begin;
        offer_commands(&asked);
        return;
    }
    g_autoptr(GString) why = g_string_new(NULL);
    g_autofree char *first = g_strndup(begin, length);
    const char *command = cli_debug_command(session, first, why);
    if (command && (strcmp(command, "set") == 0 || strcmp(command, "show") == 0) && !strchr(begin + length, '$')) {
        bool variable = g_str_has_prefix(begin + length, " var ");
        asked.word = begin + length + strspn(begin + length, " "); /* names of settings have blanks */
        if (variable)
            asked.word = word;
        asked.length = (size_t)(asked.word - line);
        if (variable)
            offer_expression(&asked, false);
        else
            offer_arguments(&asked, command);
    } else if (command) {
        offer_arguments(&asked, command);
    }
}

static gint compare(gconstpointer a, gconstpointer b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

void cli_debug_do_complete(DebugSession *session, const char *arguments)
{
    g_autoptr(GPtrArray) lines = g_ptr_array_new_with_free_func(g_free);
    cli_debug_complete(session, arguments, lines);
    g_ptr_array_sort(lines, compare);
    for (guint i = 0; i < lines->len; i++)
        if (i == 0 || strcmp(g_ptr_array_index(lines, i), g_ptr_array_index(lines, i - 1)) != 0)
            g_string_append_printf(session->out, "%s\n", (const char *)g_ptr_array_index(lines, i));
}
