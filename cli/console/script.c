/* script.c - scripts of commands: commands of the user's own, hooks, conditions, loops, files.
 *
 * Lines come one at a time. A line that opens a block (define, document, if, while) and all that follow are collected
 * up to the `end` that closes it, and then executed or kept. A kept line knows where it stood, for messages. Within a
 * block, blocks are found again when they are executed: there is no tree.
 */
#include "cli/console/console.h"

#include <errno.h>
#include <string.h>

enum { DEEPEST = 100, MOST_ARGUMENTS = 100 };

typedef struct Line {
    char *text;
    const char *file; /* NULL: typed */
    unsigned number;
} Line;

typedef struct Command { /* of the user */
    GPtrArray *lines;    /* Line */
    char *document;
    bool running; /* as a hook */
} Command;

struct ConsoleScripts {
    ConsoleHost host;
    GTree *commands;      /* by name: Command */
    GPtrArray *block;     /* Line: those collected, the one that opened it first; NULL: none is open */
    unsigned open;        /* blocks open within it, itself among them */
    GHashTable *files;    /* names of files that lines point to */
    GPtrArray *arguments; /* char *, of the command that runs; NULL: none does */
    unsigned depth;       /* of calls and files */
    enum { GO_ON, BREAK, CONTINUE, FAILED } flow;
};

typedef struct Range {
    GPtrArray *lines;
    guint from, to;
} Range;

static void line_free(void *line)
{
    g_free(((Line *)line)->text);
    g_free(line);
}

static void command_free(void *item)
{
    Command *command = item;
    g_ptr_array_unref(command->lines);
    g_free(command->document);
    g_free(command);
}

static gint compare(gconstpointer a, gconstpointer b, gpointer user)
{
    (void)user;
    return strcmp(a, b);
}

ConsoleScripts *cli_console_scripts_new(const ConsoleHost *host)
{
    ConsoleScripts *scripts = g_new0(ConsoleScripts, 1);
    scripts->host = *host;
    scripts->commands = g_tree_new_full(compare, NULL, g_free, command_free);
    scripts->files = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    return scripts;
}

void cli_console_scripts_free(ConsoleScripts *scripts)
{
    if (!scripts)
        return;
    g_clear_pointer(&scripts->block, g_ptr_array_unref);
    g_tree_unref(scripts->commands);
    g_hash_table_unref(scripts->files);
    g_free(scripts);
}

static bool fail(ConsoleScripts *scripts, const Line *line, const char *format, ...) G_GNUC_PRINTF(3, 4);

/* Says what is wrong in a line, with its place. Returns false. */
static bool fail(ConsoleScripts *scripts, const Line *line, const char *format, ...)
{
    g_autoptr(GString) text = g_string_new(NULL);
    va_list arguments;
    if (line && line->file)
        g_string_append_printf(text, "%s:%u: ", line->file, line->number);
    va_start(arguments, format);
    g_string_append_vprintf(text, format, arguments);
    va_end(arguments);
    scripts->host.say(scripts->host.user, text->str);
    return false;
}

static bool is_word(const char *text, const char *word)
{
    size_t length = strlen(word);
    return strncmp(text, word, length) == 0 && (text[length] == '\0' || g_ascii_isspace(text[length]));
}

static const char *behind(const char *text)
{
    text += strcspn(text, " \t");
    return text + strspn(text, " \t");
}

/* Lines of these are up to their own `end`. Only the lines of document are no commands. */
static bool opens(const char *text)
{
    static const char *const words[] = {"define", "document", "if", "while", "commands"};
    for (size_t i = 0; i < G_N_ELEMENTS(words); i++)
        if (is_word(text, words[i]))
            return true;
    return false;
}

/* Returns the line behind the block that this line opens. */
static guint skip_block(const Range *range, guint at)
{
    unsigned open = 1;
    bool text = is_word(((Line *)g_ptr_array_index(range->lines, at))->text, "document");
    for (at++; at < range->to && open > 0; at++) {
        const Line *line = g_ptr_array_index(range->lines, at);
        open += !text && opens(line->text);
        open -= strcmp(line->text, "end") == 0;
    }
    return at;
}

/* -- executing --------------------------------------------------------------------------------- */

static void run(ConsoleScripts *scripts, const Range *range);
static bool keep(ConsoleScripts *scripts, const Range *range);

/* Replaces $argc, $arg0 ... and $argv0 of the command that runs. Free it with g_free(). */
static char *with_arguments(const ConsoleScripts *scripts, const char *text)
{
    g_autoptr(GString) out = g_string_new(NULL);
    for (; *text; text++) {
        char *rest;
        if (!scripts->arguments || strncmp(text, "$arg", 4) != 0) {
            g_string_append_c(out, *text);
            continue;
        }
        if (text[4] == 'c' && !g_ascii_isalnum(text[5]) && text[5] != '_') {
            g_string_append_printf(out, "%u", scripts->arguments->len);
            text += 4;
            continue;
        }
        guint64 number = g_ascii_isdigit(text[4]) ? g_ascii_strtoull(text + 4, &rest, 10) : G_MAXUINT64;
        if (number < scripts->arguments->len) {
            g_string_append(out, g_ptr_array_index(scripts->arguments, number));
            text = rest - 1;
        } else {
            g_string_append_c(out, *text);
        }
    }
    return g_string_free(g_steal_pointer(&out), FALSE);
}

static bool stops(ConsoleScripts *scripts)
{
    return scripts->host.stops && scripts->host.stops(scripts->host.user);
}

/* Evaluates the condition of if or while. */
static bool holds(ConsoleScripts *scripts, const Line *line)
{
    bool truth = false;
    g_autofree char *text = with_arguments(scripts, behind(line->text));
    if (!*text)
        fail(scripts, line, "%s what? a C expression belongs behind it", line->text);
    if (!*text || !scripts->host.truth(scripts->host.user, text, &truth)) {
        if (*text && line->file)
            fail(scripts, line, "the script stops here: %s", line->text);
        scripts->flow = FAILED;
    }
    return truth && scripts->flow == GO_ON;
}

/* if ... else ... end; `block` is without `end`. */
static void run_if(ConsoleScripts *scripts, const Range *block)
{
    const Line *first = g_ptr_array_index(block->lines, block->from);
    guint other = block->from + 1;
    while (other < block->to) {
        const Line *line = g_ptr_array_index(block->lines, other);
        if (strcmp(line->text, "else") == 0)
            break;
        other = opens(line->text) ? skip_block(block, other) : other + 1;
    }
    bool truth = holds(scripts, first);
    if (scripts->flow != GO_ON)
        return;
    if (truth)
        run(scripts, &(Range){block->lines, block->from + 1, other});
    else if (other < block->to)
        run(scripts, &(Range){block->lines, other + 1, block->to});
}

static void run_while(ConsoleScripts *scripts, const Range *block)
{
    while (scripts->flow == GO_ON && !stops(scripts) && holds(scripts, g_ptr_array_index(block->lines, block->from))) {
        run(scripts, &(Range){block->lines, block->from + 1, block->to});
        if (scripts->flow == CONTINUE)
            scripts->flow = GO_ON;
    }
    if (scripts->flow == BREAK)
        scripts->flow = GO_ON;
}

static void execute(ConsoleScripts *scripts, const Line *line)
{
    g_autofree char *text = with_arguments(scripts, line->text);
    if (scripts->host.execute(scripts->host.user, text))
        return;
    scripts->flow = FAILED;
    if (line->file)
        fail(scripts, line, "the script stops here: %s", line->text);
}

/* Runs a block that a line opens. Returns the line behind it. */
static guint run_block(ConsoleScripts *scripts, const Range *range, guint at)
{
    const Line *line = g_ptr_array_index(range->lines, at);
    guint next = skip_block(range, at);
    Range block = {range->lines, at, next - 1};
    if (is_word(line->text, "if"))
        run_if(scripts, &block);
    else if (is_word(line->text, "while"))
        run_while(scripts, &block);
    else if (is_word(line->text, "commands")) /* the command itself takes the lines */
        for (guint i = at; i < next && scripts->flow == GO_ON; i++)
            execute(scripts, g_ptr_array_index(range->lines, i));
    else if (!keep(scripts, &block))
        scripts->flow = FAILED;
    return next;
}

static void run(ConsoleScripts *scripts, const Range *range)
{
    for (guint at = range->from; at < range->to && scripts->flow == GO_ON && !stops(scripts);) {
        const Line *line = g_ptr_array_index(range->lines, at);
        if (opens(line->text)) {
            at = run_block(scripts, range, at);
            continue;
        }
        at++;
        if (strcmp(line->text, "loop_break") == 0)
            scripts->flow = BREAK;
        else if (strcmp(line->text, "loop_continue") == 0)
            scripts->flow = CONTINUE;
        else if (*line->text && *line->text != '#')
            execute(scripts, line);
    }
}

/* Runs lines from the outside. Returns false if one failed. */
static bool run_all(ConsoleScripts *scripts, const Range *range)
{
    int before = scripts->flow;
    scripts->flow = GO_ON;
    run(scripts, range);
    bool good = scripts->flow != FAILED;
    scripts->flow = before;
    return good;
}

/* -- commands of the user ---------------------------------------------------------------------- */

static bool is_name(const char *name)
{
    for (const char *c = name; *c; c++)
        if (!g_ascii_isalnum(*c) && *c != '-' && *c != '_' && *c != '.')
            return false;
    return *name != '\0' && !g_ascii_isdigit(*name);
}

/* Keeps what stands within define or document; the range begins with that line and is without `end`. */
static bool keep(ConsoleScripts *scripts, const Range *range)
{
    const Line *first = g_ptr_array_index(range->lines, range->from);
    const char *name = behind(first->text);
    bool document = is_word(first->text, "document");
    Command *command = g_tree_lookup(scripts->commands, name);
    if (document && !command)
        return fail(scripts, first, "there is no command '%s' to document: define it first", name);
    g_autoptr(GString) text = g_string_new(NULL);
    GPtrArray *lines = g_ptr_array_new_with_free_func(line_free);
    for (guint i = range->from + 1; i < range->to; i++) {
        const Line *line = g_ptr_array_index(range->lines, i);
        Line *copy = g_memdup2(line, sizeof *line);
        copy->text = g_strdup(line->text);
        g_ptr_array_add(lines, copy);
        g_string_append_printf(text, "%s\n", line->text);
    }
    if (document) {
        g_ptr_array_unref(lines);
        g_free(command->document);
        command->document = g_strdup(text->str);
        return true;
    }
    command = g_new0(Command, 1);
    command->lines = lines;
    g_tree_replace(scripts->commands, g_strdup(name), command);
    return true;
}

/* Whether define or document may have that name. */
static bool may_have(ConsoleScripts *scripts, const Line *line)
{
    const char *name = behind(line->text);
    bool define = is_word(line->text, "define");
    if (!define && !is_word(line->text, "document"))
        return true;
    if (!*name)
        return fail(scripts, line, "%s what? a name belongs behind it", line->text);
    if (!is_name(name))
        return fail(scripts, line, "'%s' is no name for a command: letters, digits, - and _", name);
    const char *known = define ? scripts->host.built_in(scripts->host.user, name) : NULL;
    if (known && strcmp(known, name) == 0)
        return fail(scripts, line, "%s is built in: 'define hook-%s' does something before it", name, name);
    return true;
}

static bool call(ConsoleScripts *scripts, const Command *command, const char *name, const char *arguments)
{
    GPtrArray *before = scripts->arguments;
    if (scripts->depth >= DEEPEST)
        return fail(scripts, NULL, "%s calls itself too often: %d calls within each other", name, DEEPEST);
    char **words = cli_console_split(arguments);
    if (g_strv_length(words) > MOST_ARGUMENTS) {
        g_strfreev(words);
        return fail(scripts, NULL, "%s: more than %d arguments", name, MOST_ARGUMENTS);
    }
    scripts->arguments = g_ptr_array_new_with_free_func(g_free);
    for (char **word = words; *word; word++)
        g_ptr_array_add(scripts->arguments, *word);
    g_free(words);
    scripts->depth++;
    g_autoptr(GPtrArray) lines = g_ptr_array_ref(command->lines); /* it may define itself anew */
    bool good = run_all(scripts, &(Range){lines, 0, lines->len});
    scripts->depth--;
    g_ptr_array_unref(scripts->arguments);
    scripts->arguments = before;
    return good;
}

bool cli_console_scripts_call(ConsoleScripts *scripts, const char *name, const char *arguments, bool *known)
{
    const Command *command = g_tree_lookup(scripts->commands, name);
    *known = command;
    return !command || call(scripts, command, name, arguments);
}

bool cli_console_scripts_hook(ConsoleScripts *scripts, const char *prefix, const char *name)
{
    g_autofree char *full = g_strconcat(prefix, name, NULL);
    Command *command = g_tree_lookup(scripts->commands, full);
    if (!command || command->running)
        return true;
    command->running = true;
    bool good = call(scripts, command, full, "");
    command = g_tree_lookup(scripts->commands, full);
    if (command)
        command->running = false;
    return good;
}

static gboolean add_name(gpointer name, gpointer command, gpointer names)
{
    (void)command;
    g_ptr_array_add(names, name);
    return FALSE;
}

const char **cli_console_scripts_names(const ConsoleScripts *scripts)
{
    GPtrArray *names = g_ptr_array_new();
    g_tree_foreach(scripts->commands, add_name, names);
    g_ptr_array_add(names, NULL);
    return (const char **)g_ptr_array_free(names, FALSE);
}

const char *cli_console_scripts_document(const ConsoleScripts *scripts, const char *name)
{
    const Command *command = g_tree_lookup(scripts->commands, name);
    return !command ? NULL : command->document ? command->document : "";
}

bool cli_console_scripts_show(const ConsoleScripts *scripts, const char *name, GString *out)
{
    const Command *command = g_tree_lookup(scripts->commands, name);
    if (!command)
        return false;
    g_string_append_printf(out, "define %s\n", name);
    for (guint i = 0; i < command->lines->len; i++)
        g_string_append_printf(out, "  %s\n", ((const Line *)g_ptr_array_index(command->lines, i))->text);
    g_string_append(out, "end\n");
    return true;
}

/* -- lines that come --------------------------------------------------------------------------- */

static bool close_block(ConsoleScripts *scripts)
{
    GPtrArray *block = g_steal_pointer(&scripts->block);
    bool good = run_all(scripts, &(Range){block, 0, block->len});
    g_ptr_array_unref(block);
    return good;
}

static bool take(ConsoleScripts *scripts, const char *text, const char *file, unsigned number)
{
    Line *line = g_new(Line, 1);
    *line = (Line){g_strstrip(g_strdup(text)), file, number};
    bool begins = !scripts->block && opens(line->text) && !is_word(line->text, "commands") &&
                  !scripts->host.collects(scripts->host.user);
    if (!scripts->block && !begins) {
        bool good = true;
        g_autoptr(GPtrArray) one = g_ptr_array_new_with_free_func(line_free);
        g_ptr_array_add(one, line);
        bool own = scripts->host.collects(scripts->host.user);
        if (own)
            return scripts->host.execute(scripts->host.user, line->text);
        if (strcmp(line->text, "else") == 0 || strncmp(line->text, "loop_", 5) == 0)
            good = fail(scripts, line, "'%s' belongs into a block of if or while", line->text);
        return good && run_all(scripts, &(Range){one, 0, 1});
    }
    if (begins && !may_have(scripts, line)) {
        line_free(line);
        return false;
    }
    if (begins)
        scripts->block = g_ptr_array_new_with_free_func(line_free);
    bool document =
        scripts->block->len > 0 && is_word(((Line *)g_ptr_array_index(scripts->block, 0))->text, "document");
    g_ptr_array_add(scripts->block, line);
    scripts->open += begins || (!document && opens(line->text));
    scripts->open -= strcmp(line->text, "end") == 0;
    return scripts->open > 0 || close_block(scripts);
}

bool cli_console_scripts_line(ConsoleScripts *scripts, const char *line)
{
    return take(scripts, line, NULL, 0);
}

bool cli_console_scripts_collects(const ConsoleScripts *scripts)
{
    return scripts->block;
}

bool cli_console_scripts_end(ConsoleScripts *scripts)
{
    if (!scripts->block)
        return true;
    const Line *first = g_ptr_array_index(scripts->block, 0);
    fail(scripts, first, "'%s' has no end", first->text);
    g_clear_pointer(&scripts->block, g_ptr_array_unref);
    scripts->open = 0;
    return false;
}

static const char *keep_file(ConsoleScripts *scripts, const char *path)
{
    gpointer known;
    if (!g_hash_table_lookup_extended(scripts->files, path, &known, NULL)) {
        known = g_strdup(path);
        g_hash_table_add(scripts->files, known);
    }
    return known;
}

bool cli_console_scripts_source(ConsoleScripts *scripts, const char *path)
{
    g_autofree char *text = NULL;
    gsize length;
    g_autoptr(GError) error = NULL;
    if (scripts->depth >= DEEPEST)
        return fail(scripts, NULL, "%s sources itself: %d files within each other", path, DEEPEST);
    if (!g_file_get_contents(path, &text, &length, &error))
        return fail(scripts, NULL, "%s", error->message);
    if (strlen(text) != length)
        return fail(scripts, NULL, "%s is no text", path);
    const char *file = keep_file(scripts, path);
    GPtrArray *outer = g_steal_pointer(&scripts->block);
    unsigned open = scripts->open, number = 0;
    scripts->open = 0;
    scripts->depth++;
    bool good = true;
    for (char *line = text, *next; line && good && !stops(scripts); line = next) {
        next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        good = take(scripts, line, file, ++number);
    }
    if (good)
        good = cli_console_scripts_end(scripts);
    g_clear_pointer(&scripts->block, g_ptr_array_unref);
    scripts->depth--;
    scripts->block = outer;
    scripts->open = open;
    return good;
}
