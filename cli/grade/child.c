/* child.c - runs orrery in a process of its own, with limits: what it prints, processor time, and the clock.
 *
 * A process of its own, because then nothing that a submission does to the simulator or to the compiler touches the
 * grading: memory, processor time, a fault. Its group is ended as a whole, with the compilers that it may have started.
 */
#include "cli/base/base.h"
#include "cli/grade/grade.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SLACK = 10, LARGEST_FILE = 1 << 28, TICK_MS = 200 };

typedef struct Pipe {
    int descriptor; /* -1: it has ended */
    GString *text;
} Pipe;

static void limit(int resource, rlim_t value)
{
    struct rlimit now;
    if (getrlimit(resource, &now) != 0)
        return;
    now.rlim_cur = now.rlim_max = MIN(value, now.rlim_max);
    (void)setrlimit(resource, &now);
}

/* In the child, between fork and exec: only what is safe for signals. */
static void set_up(gpointer data)
{
    const GradeLimits *limits = data;
    setpgid(0, 0);
    limit(RLIMIT_CPU, limits->host_seconds + 1);
    limit(RLIMIT_FSIZE, LARGEST_FILE);
    limit(RLIMIT_CORE, 0);
#ifndef __SANITIZE_ADDRESS__ /* its own memory is beyond all limits */
    if (limits->memory)
        limit(RLIMIT_DATA, limits->memory);
#endif
}

static char **command_of(const char *const *arguments)
{
    GPtrArray *command = g_ptr_array_new();
    g_ptr_array_add(command, cli_path_executable());
    for (const char *const *one = arguments; *one; one++)
        g_ptr_array_add(command, g_strdup(*one));
    g_ptr_array_add(command, NULL);
    return (char **)g_ptr_array_free(command, FALSE);
}

/* Returns a descriptor from which the text can be read: a file without a name, so that nobody waits for a reader. */
static int text_descriptor(const char *text)
{
    g_autofree char *name = NULL;
    int file = g_file_open_tmp("orrery-input-XXXXXX", &name, NULL);
    if (file < 0)
        return -1;
    unlink(name);
    fcntl(file, F_SETFD, FD_CLOEXEC);
    size_t size = strlen(text), done = 0;
    while (done < size) {
        ssize_t n = write(file, text + done, size - done);
        if (n < 0 && errno != EINTR) {
            close(file);
            return -1;
        }
        done += n > 0 ? (size_t)n : 0;
    }
    lseek(file, 0, SEEK_SET);
    return file;
}

/* Takes what there is. Returns false when there is more than is allowed. */
static bool take(Pipe *from, size_t most)
{
    char bytes[65536];
    ssize_t n = read(from->descriptor, bytes, sizeof bytes);
    if (n < 0 && (errno == EINTR || errno == EAGAIN))
        return true;
    if (n <= 0) {
        close(from->descriptor);
        from->descriptor = -1;
        return true;
    }
    size_t room = most - MIN(most, from->text->len);
    g_string_append_len(from->text, bytes, (gssize)MIN((size_t)n, room));
    return (size_t)n <= room;
}

/* Reads both pipes until they end. Returns how that came about. */
static GradeEnd listen_to(Pipe *pipes, const GradeLimits *limits, const int *cancelled)
{
    gint64 until = g_get_monotonic_time() + (gint64)(limits->host_seconds * SLACK) * G_USEC_PER_SEC;
    while (pipes[0].descriptor >= 0 || pipes[1].descriptor >= 0) {
        struct pollfd polled[2] = {{pipes[0].descriptor, POLLIN, 0}, {pipes[1].descriptor, POLLIN, 0}};
        if (poll(polled, 2, TICK_MS) < 0 && errno != EINTR)
            return GRADE_TOO_LONG;
        if (g_atomic_int_get(cancelled) || g_get_monotonic_time() > until)
            return GRADE_TOO_LONG;
        for (int i = 0; i < 2; i++)
            if (pipes[i].descriptor >= 0 && polled[i].revents && !take(&pipes[i], limits->output))
                return GRADE_TALKED;
    }
    return GRADE_ENDED;
}

static void finish(GradeChild *child, GPid pid, GradeEnd end)
{
    int status = 0;
    if (end != GRADE_ENDED)
        kill(-pid, SIGKILL);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    kill(-pid, SIGKILL); /* what it left behind */
    g_spawn_close_pid(pid);
    bool cpu = WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL);
    child->end = end != GRADE_ENDED ? end : !WIFSIGNALED(status) ? GRADE_ENDED : cpu ? GRADE_TOO_LONG : GRADE_CRASHED;
    child->status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static bool refuse(GError **error, const char *what)
{
    g_set_error(error, CLI_ERROR, CLI_ERROR_FILE, "%s: %s", what, g_strerror(errno));
    return false;
}

static bool start(const char *folder, char **command, int input, const GradeLimits *limits, int out[2], int err[2],
                  GPid *pid, GError **error)
{
    g_autoptr(GError) problem = NULL;
    bool good = g_spawn_async_with_fds(folder, command, NULL, G_SPAWN_DO_NOT_REAP_CHILD, set_up, (gpointer)limits, pid,
                                       input, out[1], err[1], &problem);
    if (!good)
        g_set_error(error, CLI_ERROR, CLI_ERROR_FILE, "%s cannot be started: %s", command[0], problem->message);
    return good;
}

GradeChild *grade_child_run(const char *folder, const char *const *arguments, const char *input,
                            const GradeLimits *limits, const int *cancelled, GError **error)
{
    int out[2] = {-1, -1}, err[2] = {-1, -1}, text = text_descriptor(input);
    GradeChild *child = NULL;
    GPid pid;
    g_auto(GStrv) command = command_of(arguments);
    if (text < 0 || pipe2(out, O_CLOEXEC) != 0 || pipe2(err, O_CLOEXEC) != 0)
        refuse(error, "a program cannot be started");
    else if (start(folder, command, text, limits, out, err, &pid, error)) {
        child = g_new0(GradeChild, 1);
        Pipe pipes[2] = {{out[0], g_string_new(NULL)}, {err[0], g_string_new(NULL)}};
        close(out[1]);
        close(err[1]);
        out[1] = err[1] = -1;
        GradeEnd end = listen_to(pipes, limits, cancelled);
        finish(child, pid, end);
        child->output = pipes[0].text;
        child->errors = pipes[1].text;
        out[0] = pipes[0].descriptor;
        err[0] = pipes[1].descriptor;
    }
    const int all[] = {text, out[0], out[1], err[0], err[1]};
    for (size_t i = 0; i < G_N_ELEMENTS(all); i++)
        if (all[i] >= 0)
            close(all[i]);
    if (child && g_atomic_int_get(cancelled)) {
        g_clear_pointer(&child, grade_child_free);
        g_set_error(error, CLI_ERROR, CLI_ERROR_FILE, "interrupted");
    }
    return child;
}

void grade_child_free(GradeChild *child)
{
    if (!child)
        return;
    g_string_free(child->output, TRUE);
    g_string_free(child->errors, TRUE);
    g_free(child);
}
