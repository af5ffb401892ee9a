/* progress.c - the line that tells a person at a terminal how far a long run is.
 *
 *   [0:12] virtual 1.234 s, 3 of 8 ranks finished, 12.3 M messages, 1.24 M events/s, 41 % of 3 s, at most 0:17 left
 *   [0:12] 1.234 s (41 %, at most 0:17 left), 3/8 ranks, 12.3 M messages, 1.24 M events/s
 *
 * The second form is for terminals that are too narrow for the first. What still does not fit is cut off at the end.
 * The line is on standard error. It appears two seconds after the start and is rewritten in place. It is erased before
 * anything else is written, and at the end. It is not shown if standard error is no terminal or cannot move its cursor,
 * or while the command runs in the background. --progress=always then prints whole lines, less often.
 *
 * The machine reports its state between two events, after mach_run_request_progress(). The remaining time is known only
 * if --max-time gives the end. Otherwise the line says how virtual and real time compare.
 */
#include "base/choice.h"
#include "base/units.h"
#include "cli/base/base.h"
#include "cli/run/run.h"
#include "machine/machine.h"

#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { FIRST_US = 2000000, REWRITE_US = 250000, LINE_US = 2000000, NARROWEST = 20, USUAL_WIDTH = 80 };

struct CliProgress {
    bool in_place; /* standard error is a terminal that can move its cursor */
    bool shown;
    gint64 start_us, told_us;
    uint64_t told_events;
};

BASE_CHOICE_ENUM(ProgressMode, CLI_PROGRESS_MODES);

/* -- whether ----------------------------------------------------------------------------------- */

static bool terminal_can(void)
{
    const char *term = g_getenv("TERM");
    return isatty(STDERR_FILENO) && term && *term && strcmp(term, "dumb") != 0;
}

bool cli_progress_new(CliProgress **progress, const char *mode, bool quiet, GError **error)
{
    int choice = quiet ? CLI_PROGRESS_NEVER : CLI_PROGRESS_AUTO;
    if (mode)
        choice = cli_option_choice("--progress", BASE_CHOICE_ALTERNATIVES(CLI_PROGRESS_MODES), mode, error);
    *progress = NULL;
    if (choice < 0 || choice == CLI_PROGRESS_NEVER || (choice == CLI_PROGRESS_AUTO && !terminal_can()))
        return choice >= 0;
    *progress = g_new0(CliProgress, 1);
    (*progress)->in_place = terminal_can();
    (*progress)->start_us = g_get_monotonic_time();
    return true;
}

/* -- the line ---------------------------------------------------------------------------------- */

/* Appends a count like "12.3 M". Three digits are enough to see it move. */
static void append_count(GString *out, double count)
{
    static const char *const scales[] = {"", " k", " M", " G", " T", " P"};
    guint scale = 0;
    while (count >= 999.5 && scale + 1 < G_N_ELEMENTS(scales)) {
        count /= 1000;
        scale++;
    }
    g_string_append_printf(out, "%.*f%s",
                           scale == 0 || count >= 99.95 ? 0
                           : count >= 9.995             ? 1
                                                        : 2,
                           count, scales[scale]);
}

/* Appends a duration like "0:07" or "2:03:00". */
static void append_duration(GString *out, double seconds)
{
    uint64_t s = seconds > 1e9 ? 1000000000 : (uint64_t)(seconds + 0.5);
    if (s >= 3600)
        g_string_append_printf(out, "%" G_GUINT64_FORMAT ":%02u:%02u", s / 3600, (unsigned)(s / 60 % 60),
                               (unsigned)(s % 60));
    else
        g_string_append_printf(out, "%u:%02u", (unsigned)(s / 60), (unsigned)(s % 60));
}

/* Appends virtual time, rounded so that it can be read while it changes. */
static void append_time(GString *out, uint64_t ps)
{
    uint64_t unit = 1;
    while (ps / unit >= 10000)
        unit *= 10;
    g_autofree char *text = base_units_format_time(ps / unit * unit);
    g_string_append(out, text);
}

static void append_estimate(GString *out, const MachProgress *state, double elapsed, bool brief)
{
    if (!state->max_time_ps) {
        double ratio = elapsed * 1e12 / (double)state->now_ps;
        append_count(out, ratio < 1 ? 1 / ratio : ratio);
        g_string_append_printf(out, " times %s%s", ratio < 1 ? "faster" : "slower", brief ? "" : " than the machine");
        return;
    }
    double done = (double)state->now_ps / (double)state->max_time_ps;
    g_string_append_printf(out, "%.0f %%", done * 100);
    if (!brief) {
        g_string_append(out, " of ");
        append_time(out, state->max_time_ps);
    }
    g_string_append(out, ", at most ");
    append_duration(out, elapsed * (1 - done) / done);
    g_string_append(out, " left");
}

static char *describe(const CliProgress *progress, const MachProgress *state, gint64 now_us, bool brief)
{
    GString *out = g_string_new("[");
    double elapsed = (double)(now_us - progress->start_us) / 1e6;
    gint64 since = progress->told_us ? progress->told_us : progress->start_us;
    append_duration(out, elapsed);
    g_string_append(out, brief ? "] " : "] virtual ");
    append_time(out, state->now_ps);
    if (brief && state->now_ps) {
        g_string_append(out, " (");
        append_estimate(out, state, elapsed, true);
        g_string_append(out, ")");
    }
    g_string_append_printf(out, brief ? ", %u/%u ranks, " : ", %u of %u ranks finished, ", state->finished,
                           state->ranks);
    append_count(out, (double)state->messages);
    g_string_append(out, " messages, ");
    append_count(out, (double)(state->events - progress->told_events) * 1e6 / (double)MAX(now_us - since, 1));
    g_string_append(out, " events/s");
    if (!brief && state->now_ps) {
        g_string_append(out, ", ");
        append_estimate(out, state, elapsed, false);
    }
    return g_string_free(out, FALSE);
}

static size_t terminal_width(void)
{
    struct winsize size;
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
        return USUAL_WIDTH;
    return MAX(size.ws_col, NARROWEST);
}

/* Returns whether the command is a background job, which must leave the terminal alone. */
static bool in_background(void)
{
    pid_t front = tcgetpgrp(STDERR_FILENO);
    return front > 0 && front != getpgrp();
}

static void put(const char *text, size_t length)
{
    while (length) {
        ssize_t written = write(STDERR_FILENO, text, length);
        if (written <= 0)
            return; /* progress is not important enough for an error */
        text += written;
        length -= (size_t)written;
    }
}

void cli_progress_clear(CliProgress *progress)
{
    static const char erase[] = "\r\033[K";
    if (progress && progress->shown)
        put(erase, sizeof erase - 1);
    if (progress)
        progress->shown = false;
}

static void show(CliProgress *progress, const char *text)
{
    GString *line = g_string_new(progress->in_place ? "\r" : "orrery: ");
    g_string_append_len(line, text,
                        (gssize)(progress->in_place ? MIN(strlen(text), terminal_width() - 1) : strlen(text)));
    g_string_append(line, progress->in_place ? "\033[K" : "\n");
    put(line->str, line->len);
    progress->shown = progress->in_place;
    g_string_free(line, TRUE);
}

void cli_progress_tell(CliProgress *progress, const MachProgress *state)
{
    gint64 now_us = g_get_monotonic_time();
    gint64 pause_us = progress->in_place ? REWRITE_US : LINE_US;
    if (now_us - progress->start_us < FIRST_US || (progress->told_us && now_us - progress->told_us < pause_us))
        return;
    if (!progress->in_place || !in_background()) {
        g_autofree char *text = describe(progress, state, now_us, false);
        g_autofree char *brief = describe(progress, state, now_us, true);
        show(progress, progress->in_place && strlen(text) >= terminal_width() ? brief : text);
    }
    progress->told_us = now_us;
    progress->told_events = state->events;
}

void cli_progress_say(CliProgress *progress, const char *text)
{
    gint64 now_us = g_get_monotonic_time();
    if (progress->in_place && progress->told_us && now_us - progress->told_us < REWRITE_US)
        return;
    if (!progress->in_place || !in_background())
        show(progress, text);
    progress->told_us = now_us;
}
