/* editor.c - lines from a terminal: libedit, with completion by Tab and the lines of earlier runs. */
#include "cli/console/console.h"

#include <errno.h>
#include <histedit.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <wchar.h>

enum { MOST_SHOWN = 200, WIDTH = 80 };

struct ConsoleEditor {
    ConsoleEditorOptions options;
    char *past_file;
    EditLine *editor;
    History *past;
    GPtrArray *typed; /* lines of this run */
    char *prompt;
    struct sigaction handler_before;
    sigset_t mask_before;
};

static ConsoleEditor *of(EditLine *editor)
{
    void *self = NULL;
    el_get(editor, EL_CLIENTDATA, &self);
    return self;
}

static char *prompt(EditLine *editor)
{
    ConsoleEditor *self = of(editor);
    g_free(self->prompt);
    return self->prompt = g_strdup(self->options.prompt(self->options.user));
}

static void ignore_signal(int signal)
{
    (void)signal; /* its only effect is that it interrupts ppoll() */
}

/* Reads one character for the editor. Ctrl-C is unblocked only here, so that none is lost. It gives -1 with EINTR. */
static int read_character(EditLine *editor, wchar_t *character)
{
    ConsoleEditor *self = of(editor);
    mbstate_t state = {0};
    for (;;) {
        struct pollfd terminal = {.fd = STDIN_FILENO, .events = POLLIN};
        char byte;
        if (ppoll(&terminal, 1, NULL, &self->mask_before) < 0)
            return -1;
        ssize_t count = read(STDIN_FILENO, &byte, 1);
        if (count <= 0)
            return (int)count;
        size_t length = mbrtowc(character, &byte, 1, &state);
        if (length == (size_t)-1)
            *character = (unsigned char)byte;
        if (length != (size_t)-2) /* the character has more bytes */
            return 1;
    }
}

/* -- completion -------------------------------------------------------------------------------- */

void cli_console_common(const GPtrArray *lines, GString *out)
{
    const char *first = g_ptr_array_index(lines, 0);
    size_t length = strlen(first);
    for (guint i = 1; i < lines->len; i++) {
        const char *line = g_ptr_array_index(lines, i);
        size_t same = 0;
        while (same < length && line[same] == first[same])
            same++;
        length = same;
    }
    while (length > 0 && ((unsigned char)first[length] & 0xc0) == 0x80) /* not in the middle of a character */
        length--;
    g_string_append_len(out, first, (gssize)length);
}

static int width(void)
{
    struct winsize size;
    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : WIDTH;
}

/* Shows the last words of all lines, in columns. `from`: where they begin. */
static void show_all(const GPtrArray *lines, size_t from)
{
    int longest = 1;
    guint shown = MIN(lines->len, MOST_SHOWN);
    for (guint i = 0; i < shown; i++)
        longest = MAX(longest, (int)strlen((const char *)g_ptr_array_index(lines, i) + from));
    guint columns = (guint)MAX(1, width() / (longest + 2));
    for (guint i = 0; i < shown; i++)
        printf("%s%-*s", i % columns == 0 ? "\n" : "  ", longest, (const char *)g_ptr_array_index(lines, i) + from);
    printf("%s\n", shown < lines->len ? "\n..." : "");
    fflush(stdout);
}

static unsigned char complete(EditLine *editor, int key)
{
    (void)key;
    const ConsoleEditor *self = of(editor);
    const LineInfo *info = el_line(editor);
    g_autofree char *line = g_strndup(info->buffer, (gsize)(info->cursor - info->buffer));
    g_autoptr(GPtrArray) lines = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GString) common = g_string_new(NULL);
    self->options.complete(self->options.user, line, lines);
    if (lines->len == 0)
        return CC_REFRESH_BEEP;
    cli_console_common(lines, common);
    if (lines->len == 1)
        g_string_append_c(common, ' ');
    if (common->len > strlen(line)) {
        el_insertstr(editor, common->str + strlen(line));
        return CC_REFRESH;
    }
    const char *word = strrchr(line, ' ');
    show_all(lines, word ? (size_t)(word + 1 - line) : 0);
    return CC_REDISPLAY;
}

/* Ctrl-X A, as in gdb. What was typed is dropped. */
static unsigned char full_screen(EditLine *editor, int key)
{
    (void)key;
    const LineInfo *info = el_line(editor);
    el_cursor(editor, (int)(info->lastchar - info->cursor));
    el_deletestr(editor, (int)(info->lastchar - info->buffer));
    el_push(editor, "tui\n");
    return CC_REFRESH;
}

/* -- lines ------------------------------------------------------------------------------------- */

static void enter(ConsoleEditor *self, const char *line)
{
    HistEvent event;
    g_autofree char *text = g_strconcat(line, "\n", NULL);
    history(self->past, &event, H_ENTER, text);
}

ConsoleEditor *cli_console_editor_new(const ConsoleEditorOptions *options)
{
    ConsoleEditor *self = g_new0(ConsoleEditor, 1);
    struct sigaction handler = {.sa_handler = ignore_signal};
    sigset_t interrupt;
    HistEvent event;
    self->options = *options;
    self->past_file = g_strdup(options->past);
    self->typed = g_ptr_array_new_with_free_func(g_free);
    sigemptyset(&interrupt);
    sigaddset(&interrupt, SIGINT);
    sigprocmask(SIG_BLOCK, &interrupt, &self->mask_before);
    sigaction(SIGINT, &handler, &self->handler_before);
    self->editor = el_init("orrery", stdin, stdout, stderr);
    self->past = history_init();
    history(self->past, &event, H_SETSIZE, (int)MAX(1, options->past_size));
    el_set(self->editor, EL_CLIENTDATA, self);
    el_set(self->editor, EL_PROMPT, prompt);
    el_set(self->editor, EL_EDITOR, "emacs");
    el_set(self->editor, EL_HIST, history, self->past);
    el_set(self->editor, EL_GETCFN, read_character);
    /* by the wide function: the other one copies the names, and forgets the copies */
    el_wset(self->editor, EL_ADDFN, L"orrery-complete", L"complete the word", complete);
    el_wset(self->editor, EL_ADDFN, L"orrery-tui", L"full screen", full_screen);
    el_set(self->editor, EL_BIND, "^I", "orrery-complete", NULL);
    el_set(self->editor, EL_BIND, "^X^A", "orrery-tui", NULL);
    el_set(self->editor, EL_BIND, "^Xa", "orrery-tui", NULL);
    el_set(self->editor, EL_BIND, "^R", "em-inc-search-prev", NULL);
    el_source(self->editor, NULL);
    g_autoptr(GPtrArray) lines = cli_console_past_read(self->past_file, options->past_size);
    for (guint i = 0; i < lines->len; i++)
        enter(self, g_ptr_array_index(lines, i));
    return self;
}

const char *cli_console_editor_line(ConsoleEditor *self)
{
    el_resize(self->editor);
    for (;;) {
        int length;
        errno = 0;
        const char *line = el_gets(self->editor, &length);
        if (line || errno != EINTR) {
            g_free(self->prompt);
            self->prompt = NULL;
            return line;
        }
        printf("\n");
        el_reset(self->editor);
    }
}

void cli_console_editor_remember(ConsoleEditor *self, const char *line)
{
    enter(self, line);
    g_ptr_array_add(self->typed, g_strdup(line));
}

void cli_console_editor_free(ConsoleEditor *self)
{
    if (self->past_file && self->typed->len > 0)
        (void)cli_console_past_add(self->past_file, self->typed, self->options.past_size);
    history_end(self->past);
    el_end(self->editor);
    sigaction(SIGINT, &self->handler_before, NULL);
    sigprocmask(SIG_SETMASK, &self->mask_before, NULL);
    g_ptr_array_unref(self->typed);
    g_free(self->prompt);
    g_free(self->past_file);
    g_free(self);
}
