/* measure.c - native times of the calibration kernels: compiles them, runs them until their times are stable, and reads
 * and writes tables of times.
 *
 * Other load on the computer can only make a program slower. So the least processor time of many short runs counts, and
 * the kernels take turns so that a busy minute does not hit one of them alone. A time is accepted when two runs agree
 * within 2 %.
 */
#include "base/nearest.h"
#include "base/units.h"
#include "base/write_file.h"
#include "cli/base/base.h"
#include "cli/calibrate/calibrate.h"
#include "machine/machine.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

enum { FEWEST_TURNS = 12, CLOCK_CYCLES = 120000, CLOCK_STEP_HZ = 10000000 };
static const double quiet = 1.02;
static const char calls[] = "15";
static const char clock_name[] = "clock";

/* -- the kernels ------------------------------------------------------------------------------- */

static void clear_time(void *element)
{
    g_free(((CalibrationTime *)element)->name);
}

static int compare_times(const void *a, const void *b)
{
    return strcmp(((const CalibrationTime *)a)->name, ((const CalibrationTime *)b)->name);
}

static void find_in(Calibration *calibration, const char *folder)
{
    g_autofree char *path = g_build_filename(calibration->directory, folder, NULL);
    g_autoptr(GDir) dir = g_dir_open(path, 0, NULL);
    const char *file;
    while (dir && (file = g_dir_read_name(dir))) {
        if (!g_str_has_suffix(file, ".c"))
            continue;
        CalibrationTime time = {.name = g_strdup_printf("%s/%.*s", folder, (int)strlen(file) - 2, file)};
        g_array_append_val(calibration->times, time);
    }
}

/* Keeps only every `step`-th of the kernels in a folder. */
static void thin_out(GArray *times, const char *folder, unsigned step)
{
    unsigned seen = 0;
    for (guint i = 0; i < times->len;) {
        bool inside = g_str_has_prefix(g_array_index(times, CalibrationTime, i).name, folder);
        if (inside && seen++ % step != 0)
            g_array_remove_index(times, i);
        else
            i++;
    }
}

bool cli_calibrate_find(Calibration *calibration, unsigned step, GError **error)
{
    calibration->times = g_array_new(FALSE, TRUE, sizeof(CalibrationTime));
    g_array_set_clear_func(calibration->times, clear_time);
    find_in(calibration, "fit");
    find_in(calibration, "check");
    g_array_sort(calibration->times, compare_times);
    thin_out(calibration->times, "fit/", step);
    thin_out(calibration->times, "check/", step);
    if (calibration->times->len)
        return true;
    g_set_error(error, CLI_ERROR, CLI_ERROR_FILE,
                "there are no kernels in %s/fit; install Orrery again, or give their directory with --kernels",
                calibration->directory);
    return false;
}

void cli_calibrate_clear(Calibration *calibration)
{
    if (calibration->times)
        g_array_unref(calibration->times);
    g_free(calibration->directory);
}

char *cli_calibrate_source(const Calibration *calibration, const char *name)
{
    g_autofree char *file = g_strconcat(name, ".c", NULL);
    return g_build_filename(calibration->directory, file, NULL);
}

static CalibrationTime *find_time(const Calibration *calibration, const char *name)
{
    for (guint i = 0; i < calibration->times->len; i++) {
        CalibrationTime *time = &g_array_index(calibration->times, CalibrationTime, i);
        if (strcmp(time->name, name) == 0)
            return time;
    }
    return NULL;
}

/* -- measuring --------------------------------------------------------------------------------- */

/* Returns the path of the compiled kernel. The name has a slash, which must not become a folder. */
static char *program_path(const char *folder, const char *name)
{
    g_autofree char *file = g_strdelimit(g_strdup(name), "/", '-');
    return g_build_filename(folder, file, NULL);
}

static bool compile(const Calibration *calibration, const char *folder, const char *cc, const char *name,
                    GError **error)
{
    g_autofree char *program = program_path(folder, name);
    g_autofree char *harness = cli_calibrate_source(calibration, "harness");
    g_autofree char *source = cli_calibrate_source(calibration, name);
    g_autoptr(GError) inner = NULL;
    g_autofree char *said = NULL;
    g_auto(GStrv) command = NULL;
    int n, status;
    if (!g_shell_parse_argv(cc, &n, &command, &inner)) {
        g_set_error(error, CLI_ERROR, CLI_ERROR_USAGE, "--cc %s: %s", cc, inner->message);
        return false;
    }
    g_autoptr(GPtrArray) words = g_ptr_array_new();
    for (int i = 0; i < n; i++)
        g_ptr_array_add(words, command[i]);
    char *rest[] = {"-O2", "-o", program, harness, source, "-lm", NULL};
    for (char **word = rest; *word; word++)
        g_ptr_array_add(words, *word);
    g_ptr_array_add(words, NULL);
    if (!g_spawn_sync(NULL, (char **)words->pdata, NULL, G_SPAWN_SEARCH_PATH | G_SPAWN_STDOUT_TO_DEV_NULL, NULL, NULL,
                      NULL, &said, &status, &inner)) {
        g_set_error(error, CLI_ERROR, CLI_ERROR_FILE,
                    "no C compiler to measure with: %s; install one, name one with --cc, or fit to a table of times "
                    "with --measurements",
                    inner->message);
        return false;
    }
    if (g_spawn_check_wait_status(status, NULL))
        return true;
    g_set_error(error, CLI_ERROR, CLI_ERROR_FILE, "%s does not compile %s:\n%s", cc, source, said);
    return false;
}

/* Makes one run, and keeps the least time of its calls. */
static bool run_once(const char *folder, CalibrationTime *time, GError **error)
{
    g_autofree char *program = program_path(folder, time->name);
    g_autofree char *out = NULL;
    g_autoptr(GError) inner = NULL;
    int status;
    char *const argv[] = {program, (char *)calls, NULL};
    bool ran =
        g_spawn_sync(NULL, (char **)argv, NULL, G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL, &out, NULL, &status, &inner) &&
        g_spawn_check_wait_status(status, &inner);
    double ns = ran ? g_ascii_strtod(out, NULL) : 0.0;
    if (ns <= 0.0) {
        g_set_error(error, CLI_ERROR, CLI_ERROR_FILE, "the kernel %s cannot be measured: %s", time->name,
                    inner ? inner->message : "it prints no time");
        return false;
    }
    if (time->least_ns == 0.0 || ns < time->least_ns) {
        time->second_ns = time->least_ns;
        time->least_ns = ns;
    } else if (time->second_ns == 0.0 || ns < time->second_ns) {
        time->second_ns = ns;
    }
    return true;
}

static bool is_quiet(const CalibrationTime *time)
{
    return time->second_ns > 0.0 && time->second_ns <= quiet * time->least_ns;
}

/* Returns whether Ctrl-C was pressed. The signal waits until the temporary folder can be removed. */
static bool interrupted(GError **error)
{
    sigset_t waiting;
    sigpending(&waiting);
    if (!sigismember(&waiting, SIGINT) && !sigismember(&waiting, SIGTERM))
        return false;
    g_set_error(error, CLI_ERROR, CLI_ERROR_FILE, "stopped before everything was measured");
    return true;
}

/* Runs all kernels whose times are not stable yet, in turns. */
static bool run_all(const char *folder, GArray *times, unsigned turns, GError **error)
{
    bool all_quiet = false;
    for (unsigned turn = 0; turn < turns && !all_quiet; turn++) {
        all_quiet = turn + 1 >= FEWEST_TURNS;
        for (guint i = 0; i < times->len; i++) {
            CalibrationTime *time = &g_array_index(times, CalibrationTime, i);
            if (turn >= FEWEST_TURNS && is_quiet(time))
                continue;
            if (interrupted(error) || !run_once(folder, time, error))
                return false;
            all_quiet = all_quiet && is_quiet(time);
        }
    }
    return true;
}

static void say_noisy(const GArray *times)
{
    unsigned noisy = 0;
    const CalibrationTime *worst = NULL;
    for (guint i = 0; i < times->len; i++) {
        const CalibrationTime *time = &g_array_index(times, CalibrationTime, i);
        if (is_quiet(time))
            continue;
        noisy++;
        if (!worst || time->second_ns / time->least_ns > worst->second_ns / worst->least_ns)
            worst = time;
    }
    if (noisy)
        cli_say(
            "this computer is busy: the two lowest times of %u of %u kernels differ by more than 2 %% (%s: %.1f %%); "
            "try when it is quiet, or with more --turns",
            noisy, times->len, worst->name, 100.0 * (worst->second_ns / worst->least_ns - 1.0));
}

static bool measure_in(Calibration *calibration, const char *folder, const char *cc, unsigned turns, GError **error)
{
    for (guint i = 0; i < calibration->times->len; i++)
        if (interrupted(error) ||
            !compile(calibration, folder, cc, g_array_index(calibration->times, CalibrationTime, i).name, error))
            return false;
    if (!run_all(folder, calibration->times, turns, error))
        return false;
    say_noisy(calibration->times);
    if (calibration->clock_hz)
        return true;
    g_autoptr(GArray) clock = g_array_new(FALSE, TRUE, sizeof(CalibrationTime));
    CalibrationTime time = {.name = (char *)clock_name};
    g_array_append_val(clock, time);
    if (!compile(calibration, folder, cc, clock_name, error) || !run_all(folder, clock, turns, error))
        return false;
    double hz = CLOCK_CYCLES / g_array_index(clock, CalibrationTime, 0).least_ns * 1e9;
    calibration->clock_hz = (uint64_t)(hz / CLOCK_STEP_HZ + 0.5) * CLOCK_STEP_HZ;
    return true;
}

static void remove_folder(const Calibration *calibration, const char *folder)
{
    for (guint i = 0; i < calibration->times->len; i++) {
        g_autofree char *program = program_path(folder, g_array_index(calibration->times, CalibrationTime, i).name);
        g_unlink(program);
    }
    g_autofree char *clock = program_path(folder, clock_name);
    g_unlink(clock);
    g_rmdir(folder);
}

bool cli_calibrate_measure(Calibration *calibration, const char *cc, unsigned turns, GError **error)
{
    sigset_t stops, before;
    g_autofree char *folder = g_dir_make_tmp("orrery-calibrate-XXXXXX", error);
    if (!folder)
        return false;
    sigemptyset(&stops);
    sigaddset(&stops, SIGINT);
    sigaddset(&stops, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &stops, &before);
    bool good = measure_in(calibration, folder, cc, turns, error);
    remove_folder(calibration, folder);
    pthread_sigmask(SIG_SETMASK, &before, NULL); /* ends the process if a signal has come */
    return good;
}

/* -- tables ------------------------------------------------------------------------------------ */

static const char *nearest_name(const Calibration *calibration, const char *name)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    for (guint i = 0; i < calibration->times->len; i++)
        g_ptr_array_add(names, g_array_index(calibration->times, CalibrationTime, i).name);
    g_ptr_array_add(names, (char *)clock_name);
    g_ptr_array_add(names, NULL);
    return base_nearest(name, (const char *const *)names->pdata);
}

static bool read_row(Calibration *calibration, const char *path, unsigned line, char *text, GError **error)
{
    text[strcspn(text, "#\r")] = '\0';
    g_strstrip(text);
    if (!*text)
        return true;
    size_t length = strcspn(text, " \t");
    g_autofree char *name = g_strndup(text, length);
    const char *value = text + length + strspn(text + length, " \t");
    if (strcmp(name, clock_name) == 0) {
        g_autoptr(GError) inner = NULL;
        uint64_t hz;
        if (!base_units_parse(value, BASE_UNIT_FREQUENCY, &hz, &inner) || hz == 0)
            return mach_error_at_line(error, path, line, "%s", inner ? inner->message : "the clock stands still");
        calibration->clock_hz = calibration->clock_hz ? calibration->clock_hz : hz; /* --clock takes precedence */
        return true;
    }
    CalibrationTime *time = find_time(calibration, name);
    const char *near = time ? NULL : nearest_name(calibration, name);
    char *end;
    double ns = g_ascii_strtod(value, &end);
    if (!time)
        return mach_error_at_line(error, path, line, "there is no kernel \"%s\"%s%s%s", name,
                                  near ? ", did you mean \"" : "", near ? near : "", near ? "\"?" : "");
    if (time->least_ns > 0.0)
        return mach_error_at_line(error, path, line, "%s has a time already", name);
    if (end == value || *end || !(ns > 0.0 && ns < 1e15))
        return mach_error_at_line(error, path, line, "a row is \"KERNEL NANOSECONDS\", and \"%s\" is no time", value);
    time->least_ns = ns;
    return true;
}

bool cli_calibrate_read(Calibration *calibration, const char *path, GError **error)
{
    g_autofree char *text = NULL;
    g_autoptr(GError) io = NULL;
    if (!g_file_get_contents(path, &text, NULL, &io)) {
        g_set_error(error, CLI_ERROR, CLI_ERROR_FILE, "cannot read the measurements: %s", io->message);
        return false;
    }
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (unsigned i = 0; lines[i]; i++)
        if (!read_row(calibration, path, i + 1, lines[i], error))
            return false;
    if (calibration->clock_hz)
        return true;
    g_set_error(error, CLI_ERROR, CLI_ERROR_FILE,
                "%s does not say what the clock was; add a line like \"clock 3.6 GHz\", or give --clock", path);
    return false;
}

bool cli_calibrate_write(const Calibration *calibration, const char *path, GError **error)
{
    GString *text = g_string_new("# Measured by `orrery calibrate`: kernel, nanoseconds of a call.\n");
    g_string_append_printf(text, "%s %" G_GUINT64_FORMAT " MHz\n", clock_name, calibration->clock_hz / 1000000);
    for (guint i = 0; i < calibration->times->len; i++) {
        const CalibrationTime *time = &g_array_index(calibration->times, CalibrationTime, i);
        g_string_append_printf(text, "%s %.0f\n", time->name, time->least_ns);
    }
    bool good = base_write_report(path, text->str, text->len, error);
    g_string_free(text, TRUE);
    return good;
}
