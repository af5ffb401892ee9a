/* console.h - what a command line like gdb's has, whatever its commands do: nothing here knows of a program that is
 * debugged.
 *
 *   names.c   names of commands: abbreviations, several that fit, the nearest    script.c   define, if, while, source
 *   editor.c  lines from a terminal, completed by Tab                            past.c     lines of earlier runs
 *   style.c   colours                                                            words.c    words and quotes
 *   arithmetic.c  numbers, where no program can be asked
 */
#ifndef ORRERY_CLI_CONSOLE_H
#define ORRERY_CLI_CONSOLE_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>

/* -- names (names.c) --------------------------------------------------------------------------- */

typedef struct ConsoleName {
    const char *name;    /* with hyphens */
    const char *aliases; /* further names, with blanks between them; NULL: none */
} ConsoleName;

typedef enum ConsoleFound { CONSOLE_FOUND, CONSOLE_SEVERAL, CONSOLE_UNKNOWN } ConsoleFound;

/* Finds a word among n names: a whole name first, then a further name, then the one name that begins with it. *index:
 * which; also if all that begin with it are one and the same. If several or none fit, appends to `why` which fit, or
 * which is the nearest: "'re' could be: reverse-step, run". `what` is what a name is the name of: "command". '_' is
 * '-'. O(n). */
ConsoleFound cli_console_find(const ConsoleName *names, size_t n, const char *word, const char *what, size_t *index,
                              GString *why);
/* Whether a name begins with a word; '_' is '-'. */
bool cli_console_begins(const char *name, const char *word);

/* -- words (words.c) --------------------------------------------------------------------------- */

/* Takes a word off *text, which becomes what follows it and blanks. Returns "" at the end. Free it with g_free(). */
char *cli_console_take_word(const char **text);
/* Splits at blanks outside of quotes and backslashes, which stay. Free it with g_strfreev(). */
char **cli_console_split(const char *text);
/* Appends text with \n, \t, \a, \e, \", \\, and octal numbers replaced, as echo and printf do. A backslash at the end
 * is nothing. */
void cli_console_unescape(const char *text, GString *out);

/* Evaluates whole numbers with C's operators (+ - * / % ( ) ! ~ < <= > >= == != && || & | ^ << >>), in 64 bits. Returns
 * false if the text is anything else, or divides by zero. */
bool cli_console_arithmetic(const char *text, gint64 *value);

/* -- scripts (script.c) ------------------------------------------------------------------------ */

typedef struct ConsoleHost { /* what runs the commands */
    /* Executes one line. Returns false if the command failed, which has been said. */
    bool (*execute)(void *user, const char *line);
    /* Evaluates a condition of if and while. Returns false if that fails, which has been said. */
    bool (*truth)(void *user, const char *text, bool *truth);
    /* Whether scripts are to end now: quit, or Ctrl-C. */
    bool (*stops)(void *user);
    /* Whether a command takes lines for itself, so that blocks in them are its own. */
    bool (*collects)(void *user);
    /* Says a line to the user. */
    void (*say)(void *user, const char *text);
    /* The name of a command that is built in, for a word or an abbreviation of it; NULL: none. */
    const char *(*built_in)(void *user, const char *word);
    void *user;
} ConsoleHost;

typedef struct ConsoleScripts ConsoleScripts;
/* `host` is copied. Free it with cli_console_scripts_free(). */
ConsoleScripts *cli_console_scripts_new(const ConsoleHost *host);
void cli_console_scripts_free(ConsoleScripts *scripts);
/* Takes a line that was typed. define, document, if and while collect lines up to their end, and act then; other lines
 * are executed. Returns false if something failed. */
bool cli_console_scripts_line(ConsoleScripts *scripts, const char *line);
/* Whether lines are being collected, so that the prompt is another. */
bool cli_console_scripts_collects(const ConsoleScripts *scripts);
/* Says so if the input has ended in the middle of a block, and drops it. Returns false then. */
bool cli_console_scripts_end(ConsoleScripts *scripts);
/* Executes the lines of a file, up to the first that fails, which is said with file and line. Returns false then, or
 * if the file cannot be read. */
bool cli_console_scripts_source(ConsoleScripts *scripts, const char *path);
/* Runs the user's command NAME with arguments; *known: whether there is one. Returns false if it failed. */
bool cli_console_scripts_call(ConsoleScripts *scripts, const char *name, const char *arguments, bool *known);
/* Runs the user's command "hook-NAME" or "hookpost-NAME" if there is one, but not while it runs already. */
bool cli_console_scripts_hook(ConsoleScripts *scripts, const char *prefix, const char *name);
/* The user's commands by name, in ascending order; NULL-terminated. Free it with g_free(). */
const char **cli_console_scripts_names(const ConsoleScripts *scripts);
/* The text of `document NAME`, "" if there is none; NULL: there is no such command. */
const char *cli_console_scripts_document(const ConsoleScripts *scripts, const char *name);
/* Appends the definition of a command of the user. Returns false if there is none. */
bool cli_console_scripts_show(const ConsoleScripts *scripts, const char *name, GString *out);

/* -- lines from a terminal (editor.c, past.c) --------------------------------------------------- */

typedef struct ConsoleEditor ConsoleEditor;
typedef struct ConsoleEditorOptions {
    const char *(*prompt)(void *user);
    /* All completions of a line up to the cursor: char *, whole lines; appended to `lines`, which owns them. */
    void (*complete)(void *user, const char *line, GPtrArray *lines);
    void *user;
    const char *past;   /* file of the lines of earlier runs; NULL: none is kept */
    unsigned past_size; /* most lines that are kept */
} ConsoleEditorOptions;
/* Makes an editor on the standard streams. While it exists, Ctrl-C is blocked but for reading, where it discards what
 * was typed. `options` is copied, and its text. Ctrl-X A returns the line "tui". */
ConsoleEditor *cli_console_editor_new(const ConsoleEditorOptions *options);
/* Returns the next line, without its end, or NULL at the end of the input. The editor owns it. */
const char *cli_console_editor_line(ConsoleEditor *editor);
/* Remembers a line. */
void cli_console_editor_remember(ConsoleEditor *editor, const char *line);
/* Keeps the lines for later runs, and gives the terminal back. A file that cannot be written is no error. */
void cli_console_editor_free(ConsoleEditor *editor);
/* Appends the longest beginning that all lines have. */
void cli_console_common(const GPtrArray *lines, GString *out);

/* Reads at most `most` lines of earlier runs, oldest first; none if the file cannot be read. Free it with
 * g_ptr_array_unref(). */
GPtrArray *cli_console_past_read(const char *path, unsigned most);
/* Adds lines to the file, of which the last `most` stay; lines that other runs have added meanwhile are among them.
 * Returns whether that was possible. */
bool cli_console_past_add(const char *path, const GPtrArray *lines, unsigned most);
/* $XDG_STATE_HOME/orrery/NAME, ~/.local/state/orrery/NAME without that; and the same for settings: $XDG_CONFIG_HOME,
 * ~/.config. NULL if there is no home. Free it with g_free(). */
char *cli_console_state_file(const char *name);
char *cli_console_config_file(const char *name);

/* -- colours (style.c) ------------------------------------------------------------------------- */

/* What is shown in a style of its own: chosen so that people who do not tell red from green see all of them, and never
 * the only sign of anything. */
typedef enum ConsoleStyle {
    CONSOLE_PLAIN,
    CONSOLE_NUMBER,  /* numbers of lines */
    CONSOLE_CURRENT, /* the line where the program is */
    CONSOLE_RANKS,   /* sets of ranks */
    CONSOLE_POINT,   /* marks of breakpoints */
    CONSOLE_PROMPT,
    CONSOLE_STYLES
} ConsoleStyle;
/* The sequence of SGR that begins a style, "" if there are no colours. cli_console_style_end() ends each. */
const char *cli_console_style(bool coloured, ConsoleStyle style);
const char *cli_console_style_end(bool coloured);
/* Whether standard output has colours: `mode` "always", "never", or "auto" (NULL): on a terminal that is not dumb,
 * unless NO_COLOR is set; CLICOLOR_FORCE forces them. */
bool cli_console_coloured(const char *mode);

#endif
