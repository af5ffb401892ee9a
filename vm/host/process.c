/* process.c - runs a program of the host with a time limit and a way to cancel it.
 *
 * It uses posix_spawn() rather than fork(), because a simulation of a million ranks has page tables that should not be
 * copied. The program gets a process group of its own, so that killing it also ends what it started (gcc starts cc1, as
 * and ld). It also gets default signal handling, no input, English messages, and none of our open files. Its output
 * goes to a nameless file, which unlike a pipe cannot fill up. So waiting is a loop that looks at the clock and at the
 * caller's cancel flag.
 *
 * If this process is killed, it can no longer stop the program. So a shell in the group holds the reading end of a pipe
 * whose writing end is ours. When our death closes the pipe, the shell ends the group and removes the directory.
 */
#include "vm/host/process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* Linux 6.3 and later want this flag for a file in memory that may hold code; earlier ones do not know it. */
#ifndef MFD_EXEC
#define MFD_EXEC 0x0010U
#endif

/* Environment variables that would make gcc or clang read other files, write files elsewhere or change the output. */
static const char *const unwanted_variables[] = {
    "CPATH",       "C_INCLUDE_PATH",    "LIBRARY_PATH",         "DEPENDENCIES_OUTPUT", "SUNPRO_DEPENDENCIES",
    "LD_RUN_PATH", "GCC_COMPARE_DEBUG", "CCC_OVERRIDE_OPTIONS", "LD_PRELOAD",
};

/* $0: the directory or an empty string; $@: the program. gcc ends its children at SIGTERM; what does not react is
 * killed. */
static const char guard[] =
    "exec 3<&0 </dev/null\n"
    "(trap '' TERM; read end <&3; kill -TERM 0; [ \"$0\" ] && rm -rf -- \"$0\"; kill -KILL 0) &\n"
    "exec 3<&-\n"
    "exec \"$@\"";

enum { FIRST_PAUSE_US = 500, LONGEST_PAUSE_US = 5000 };

int vm_process_nameless_file(void)
{
    int file = memfd_create("orrery", MFD_CLOEXEC | MFD_EXEC);
    if (file < 0)
        file = memfd_create("orrery", MFD_CLOEXEC);
    if (file >= 0)
        return file;
    char *path = g_build_filename(g_get_tmp_dir(), "orrery-XXXXXX", NULL);
    file = mkostemp(path, O_CLOEXEC);
    if (file >= 0)
        unlink(path);
    g_free(path);
    return file;
}

static char **make_environment(const char *directory)
{
    char **environment = g_get_environ();
    for (unsigned i = 0; i < G_N_ELEMENTS(unwanted_variables); i++)
        environment = g_environ_unsetenv(environment, unwanted_variables[i]);
    environment = g_environ_setenv(environment, "LC_ALL", "C", TRUE);
    if (directory)
        environment = g_environ_setenv(environment, "TMPDIR", directory, TRUE);
    return environment;
}

static char **make_command(const char *const *argv, const char *directory)
{
    GStrvBuilder *builder = g_strv_builder_new();
    g_strv_builder_add_many(builder, "/bin/sh", "-c", guard, directory ? directory : "", NULL);
    g_strv_builder_addv(builder, (const char **)argv);
    char **command = g_strv_builder_end(builder);
    g_strv_builder_unref(builder);
    return command;
}

/* Starts the program with `input`, a pipe that closes when we die. Returns an error number as posix_spawn() does. */
static int start(const char *const *argv, const char *directory, int input, int output, pid_t *process)
{
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_t files;
    sigset_t all, none;
    sigfillset(&all);
    sigemptyset(&none);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, input, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&files, output, STDERR_FILENO);
    posix_spawn_file_actions_addclosefrom_np(&files, STDERR_FILENO + 1);
    char **environment = make_environment(directory), **command = make_command(argv, directory);
    int failure = posix_spawn(process, command[0], &files, &attributes, command, environment);
    g_strfreev(command);
    g_strfreev(environment);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
    return failure;
}

static void bound_processor_time(pid_t process, unsigned seconds)
{
    const struct rlimit time = {seconds, seconds + 1}, core = {0, 0};
    prlimit(process, RLIMIT_CPU, &time, NULL);
    prlimit(process, RLIMIT_CORE, &core, NULL);
}

/* Whether the process has ended. It stays a zombie, so its number is not reused and still names its group. */
static bool has_ended(pid_t process)
{
    siginfo_t info = {0};
    int answer = waitid(P_PID, (id_t)process, &info, WEXITED | WNOHANG | WNOWAIT);
    return answer < 0 ? errno != EINTR : info.si_pid == process;
}

static VmProcessEnd await(pid_t process, unsigned seconds, const atomic_bool *cancel)
{
    gint64 end = g_get_monotonic_time() + 3 * (gint64)seconds * G_USEC_PER_SEC;
    unsigned pause = FIRST_PAUSE_US;
    while (!has_ended(process)) {
        if (cancel && atomic_load(cancel))
            return VM_PROCESS_CANCELLED;
        if (g_get_monotonic_time() > end)
            return VM_PROCESS_OVERDUE;
        g_usleep(pause);
        pause = MIN(pause + pause / 8, LONGEST_PAUSE_US);
    }
    return VM_PROCESS_SUCCEEDED;
}

/* Kills the whole group and reads the exit status of its leader. If Orrery was started with SIGCHLD ignored, there is
 * no status; then the caller decides by what was made. */
static VmProcessEnd reap(pid_t process, VmProcessEnd end)
{
    int status = 0;
    pid_t reaped;
    kill(-process, SIGKILL);
    do
        reaped = waitpid(process, &status, 0);
    while (reaped < 0 && errno == EINTR);
    if (end != VM_PROCESS_SUCCEEDED || reaped < 0)
        return end;
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)
        return VM_PROCESS_OVERDUE;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? VM_PROCESS_SUCCEEDED : VM_PROCESS_FAILED;
}

static char *read_messages(int file)
{
    enum { LONGEST = 16384 };
    char *text = g_malloc(LONGEST + 1);
    ssize_t size = pread(file, text, LONGEST, 0);
    text[MAX(size, 0)] = 0;
    g_strchomp(text);
    char *valid = g_utf8_make_valid(text, -1);
    g_free(text);
    return valid;
}

VmProcessEnd vm_process_run(const char *const *argv, const char *directory, unsigned seconds, const atomic_bool *cancel,
                            char **messages)
{
    pid_t process = 0;
    int alive[2] = {-1, -1}; /* the reader of alive[0] sees end of file when we are dead */
    int output = vm_process_nameless_file();
    int failure = output < 0 || pipe2(alive, O_CLOEXEC) ? errno : start(argv, directory, alive[0], output, &process);
    VmProcessEnd end = VM_PROCESS_FAILED;
    if (failure) {
        *messages = g_strdup(g_strerror(failure));
    } else {
        bound_processor_time(process, seconds);
        end = reap(process, await(process, seconds, cancel));
        *messages = read_messages(output);
    }
    const int files[] = {output, alive[0], alive[1]};
    for (unsigned i = 0; i < G_N_ELEMENTS(files); i++)
        if (files[i] >= 0)
            close(files[i]);
    return end;
}
