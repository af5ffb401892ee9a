/* terminal.c - reads commands: with libedit on a terminal, plain lines otherwise. */
#include "cli/base/base.h"
#include "cli/debug/debug.h"

#include <errno.h>
#include <histedit.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

static char *prompt(EditLine *editor)
{
    (void)editor;
    return (char *)"(orrery) ";
}

static void ignore_signal(int signal)
{
    (void)signal; /* its only effect is that it interrupts ppoll() */
}

/* Reads one character for the editor. Ctrl-C is unblocked only here, so that none is lost. It gives -1 with EINTR. */
static int read_character(EditLine *editor, wchar_t *character)
{
    const sigset_t *unblocked = NULL;
    mbstate_t state = {0};
    el_get(editor, EL_CLIENTDATA, &unblocked);
    for (;;) {
        struct pollfd terminal = {.fd = STDIN_FILENO, .events = POLLIN};
        char byte;
        if (ppoll(&terminal, 1, NULL, unblocked) < 0)
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

/* Returns one line, or NULL at the end of the input. Ctrl-C discards what was typed. */
static const char *read_line(EditLine *editor)
{
    for (;;) {
        int length;
        errno = 0;
        const char *line = el_gets(editor, &length);
        if (line || errno != EINTR)
            return line;
        cli_say_output("\n");
        el_reset(editor);
    }
}

static void edit_lines(DebugSession *session, EditLine *editor, History *past)
{
    HistEvent event;
    const char *line;
    g_autofree char *last = NULL;
    while (!session->quit && (line = read_line(editor))) {
        g_autofree char *text = g_strstrip(g_strdup(line));
        if (*text != '\0') {
            history(past, &event, H_ENTER, line);
            g_free(last);
            last = g_strdup(text);
        }
        if (last && (*text != '\0' || !cli_debug_collects(session)))
            cli_debug_execute(session, last); /* an empty line repeats the last command, as in gdb */
    }
}

void cli_debug_read_terminal(DebugSession *session)
{
    struct sigaction handler = {.sa_handler = ignore_signal}, handler_before;
    sigset_t interrupt, mask_before;
    sigemptyset(&interrupt);
    sigaddset(&interrupt, SIGINT);
    sigprocmask(SIG_BLOCK, &interrupt, &mask_before);
    sigaction(SIGINT, &handler, &handler_before);
    EditLine *editor = el_init("orrery", stdin, stdout, stderr);
    History *past = history_init();
    HistEvent event;
    history(past, &event, H_SETSIZE, 1000);
    el_set(editor, EL_PROMPT, prompt);
    el_set(editor, EL_EDITOR, "emacs");
    el_set(editor, EL_HIST, history, past);
    el_set(editor, EL_CLIENTDATA, &mask_before);
    el_set(editor, EL_GETCFN, read_character);
    el_source(editor, NULL);
    edit_lines(session, editor, past);
    history_end(past);
    el_end(editor);
    sigaction(SIGINT, &handler_before, NULL);
    sigprocmask(SIG_SETMASK, &mask_before, NULL);
}

void cli_debug_read_lines(DebugSession *session)
{
    char *line = NULL;
    size_t capacity = 0;
    while (!session->quit && getline(&line, &capacity, stdin) >= 0)
        cli_debug_execute(session, line);
    free(line);
}
