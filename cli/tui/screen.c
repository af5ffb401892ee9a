/* screen.c - the terminal: opened for the full screen, and given back whatever ends the process.
 *
 * A signal's handler has no argument, so what it needs is the one thing here that is global: the bytes that bring the
 * terminal back, its modes before, and the process that they are for (copies of it must leave the terminal alone). */
#include "cli/tui/inside.h"

#include <locale.h>
#include <signal.h>
#include <string.h>
#include <term.h>
#include <termios.h>
#include <unistd.h>

enum { MOST_BYTES = 256 };

static const int ending[] = {SIGTERM, SIGHUP, SIGQUIT, SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGILL};

static struct {
    char bytes[MOST_BYTES];
    size_t n;
    struct termios modes;
    pid_t process;
    struct sigaction before[G_N_ELEMENTS(ending)];
    SCREEN *screen;
} terminal;

static void give_back(int signal)
{
    if (terminal.process == getpid()) {
        ssize_t written = write(STDOUT_FILENO, terminal.bytes, terminal.n);
        (void)written;
        tcsetattr(STDOUT_FILENO, TCSANOW, &terminal.modes);
    }
    struct sigaction usual = {.sa_handler = SIG_DFL};
    sigset_t this_one;
    sigemptyset(&this_one);
    sigaddset(&this_one, signal);
    sigaction(signal, &usual, NULL);
    raise(signal);
    pthread_sigmask(SIG_UNBLOCK, &this_one, NULL);
}

static void add_bytes(const char *name)
{
    const char *bytes = tigetstr((char *)name);
    size_t n = bytes && bytes != (const char *)-1 ? strlen(bytes) : 0;
    if (terminal.n + n > MOST_BYTES)
        return;
    memcpy(terminal.bytes + terminal.n, bytes ? bytes : "", n);
    terminal.n += n;
}

/* What is written to bring a terminal back: attributes, cursor, mouse, the screen before. */
static void note_bytes(void)
{
    static const char mouse_off[] = "\033[?1000l\033[?1002l\033[?1006l";
    terminal.n = 0;
    add_bytes("sgr0");
    add_bytes("cnorm");
    add_bytes("rmkx");
    if (tigetstr("kmous") && tigetstr("kmous") != (char *)-1) {
        memcpy(terminal.bytes + terminal.n, mouse_off, strlen(mouse_off));
        terminal.n += strlen(mouse_off);
    }
    add_bytes("rmcup");
}

static bool can_place(void)
{
    const char *place = tigetstr("cup");
    return place && place != (const char *)-1;
}

static GQuark cli_tui_error(void)
{
    return g_quark_from_static_string("orrery-tui-error");
}

static bool refuse(GError **error)
{
    const char *name = g_getenv("TERM");
    g_set_error(error, cli_tui_error(), 0,
                "the terminal '%s' cannot place its cursor, which a full screen needs: set TERM to what it is",
                name ? name : "");
    return false;
}

static void set_up(bool coloured)
{
    raw();
    noecho();
    nonl();
    keypad(stdscr, TRUE);
    set_escdelay(25);
    mousemask(BUTTON1_CLICKED | BUTTON1_PRESSED | BUTTON4_PRESSED | BUTTON5_PRESSED, NULL);
    mouseinterval(0);
    if (coloured && has_colors() && start_color() == OK) {
        use_default_colors();
        init_pair(1, COLOR_CYAN, -1);
        init_pair(2, COLOR_BLUE, -1);
        init_pair(3, COLOR_YELLOW, -1);
    }
}

bool cli_tui_screen_open(bool coloured, GError **error)
{
    const char *name = g_getenv("TERM");
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)) {
        g_set_error_literal(error, cli_tui_error(), 0, "a full screen needs a terminal, and there is none");
        return false;
    }
    if (!name || !*name || strcmp(name, "dumb") == 0)
        return refuse(error);
    setlocale(LC_CTYPE, "");
    tcgetattr(STDOUT_FILENO, &terminal.modes);
    terminal.screen = newterm(NULL, stdout, stdin);
    if (!terminal.screen || !can_place()) {
        if (terminal.screen)
            cli_tui_screen_close();
        return refuse(error);
    }
    set_up(coloured);
    note_bytes();
    terminal.process = getpid();
    struct sigaction handler = {.sa_handler = give_back};
    for (size_t i = 0; i < G_N_ELEMENTS(ending); i++)
        sigaction(ending[i], &handler, &terminal.before[i]);
    return true;
}

void cli_tui_screen_close(void)
{
    if (terminal.process)
        for (size_t i = 0; i < G_N_ELEMENTS(ending); i++)
            sigaction(ending[i], &terminal.before[i], NULL);
    terminal.process = 0;
    endwin();
    delscreen(terminal.screen);
    terminal.screen = NULL;
    setlocale(LC_CTYPE, "C");
}

void cli_tui_screen_commands(bool executing)
{
    if (executing) {
        noraw();
        cbreak();
    } else {
        raw();
    }
}
