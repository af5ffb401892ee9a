/* preprocess.c - runs the system's C preprocessor (the one place that knows how).
 *
 * cpp sees neither the host's headers (-nostdinc) nor its macros (-undef): only ours, given on its command line from
 * predefined.def, so that the program is compiled for the simulated machine and not for this one. Its own complaints
 * are read back and become diagnostics like ours. Both pipes are read together, so neither side can block.
 */
#include "compiler/front.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static const char *const fixed_flags[] = {
    "-nostdinc", "-undef", "-std=gnu11", "-fno-diagnostics-show-caret", "-fdiagnostics-color=never",
#define PREDEFINED(name, value) "-D" #name "=" value,
#include "compiler/predefined.def"
#undef PREDEFINED
};

/* The same environment, but messages in English, which we read. */
static char **child_environment(void)
{
    char **environment = g_get_environ();
    environment = g_environ_setenv(environment, "LC_ALL", "C", TRUE);
    return g_environ_unsetenv(environment, "CPATH");
}

static GPtrArray *command_line(const char *path, const CcOptions *options)
{
    GPtrArray *arguments = g_ptr_array_new();
    g_ptr_array_add(arguments, (gpointer) "cpp");
    for (size_t i = 0; i < G_N_ELEMENTS(fixed_flags); i++)
        g_ptr_array_add(arguments, (gpointer)fixed_flags[i]);
    cc_warning_cpp_flags(options, arguments);
    for (const char *const *flag = options->cpp_flags; flag && *flag; flag++)
        g_ptr_array_add(arguments, (gpointer)*flag);
    g_ptr_array_add(arguments, (gpointer) "-isystem");
    g_ptr_array_add(arguments, (gpointer)options->include_dir);
    g_ptr_array_add(arguments, (gpointer)path);
    g_ptr_array_add(arguments, NULL);
    return arguments;
}

typedef struct Child {
    pid_t pid;
    int out, err;
} Child;

static bool open_pipes(int out[2], int err[2])
{
    if (pipe2(out, O_CLOEXEC) < 0)
        return false;
    if (pipe2(err, O_CLOEXEC) == 0)
        return true;
    close(out[0]);
    close(out[1]);
    return false;
}

static bool start(char **arguments, bool keep_stdin, Child *child, GError **error)
{
    int out[2], err[2];
    if (!open_pipes(out, err)) {
        g_set_error(error, CC_ERROR, CC_ERROR_IO, "cannot start the C preprocessor: %s", g_strerror(errno));
        return false;
    }
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    if (!keep_stdin)
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, err[1], STDERR_FILENO);
    char **environment = child_environment();
    int failure = posix_spawnp(&child->pid, arguments[0], &actions, NULL, arguments, environment);
    g_strfreev(environment);
    posix_spawn_file_actions_destroy(&actions);
    close(out[1]);
    close(err[1]);
    child->out = out[0];
    child->err = err[0];
    if (!failure)
        return true;
    close(out[0]);
    close(err[0]);
    g_set_error(error, CC_ERROR, CC_ERROR_IO,
                failure == ENOENT
                    ? "cannot find the C preprocessor 'cpp' in PATH (%s); install it (Debian: package cpp)"
                    : "cannot start the C preprocessor 'cpp': %s",
                g_strerror(failure));
    return false;
}

/* False at end of file. */
static bool read_some(int fd, GString *into)
{
    enum { PIECE = 64 * 1024 };
    gsize length = into->len;
    g_string_set_size(into, length + PIECE);
    ssize_t n;
    do {
        n = read(fd, into->str + length, PIECE);
    } while (n < 0 && errno == EINTR);
    g_string_set_size(into, length + (n > 0 ? (gsize)n : 0));
    return n > 0;
}

static void read_both(const Child *child, GString *out, GString *err)
{
    struct pollfd fds[] = {{child->out, POLLIN, 0}, {child->err, POLLIN, 0}};
    GString *texts[] = {out, err};
    for (int open = 2; open > 0;) {
        if (poll(fds, 2, -1) < 0 && errno != EINTR)
            break;
        for (int i = 0; i < 2; i++)
            if (fds[i].fd >= 0 && fds[i].revents && !read_some(fds[i].fd, texts[i])) {
                fds[i].fd = -1; /* poll passes over it */
                open--;
            }
    }
    close(child->out);
    close(child->err);
}

static int wait_for(pid_t pid)
{
    int status;
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return -1;
    return status;
}

/* -- cpp's messages -------------------------------------------------------------------------------------- */

/* The severity that " warning: text" and the like announce; *text is moved behind it. */
static bool read_severity(const char **text, CcSeverity *severity)
{
    static const struct {
        const char *word;
        CcSeverity severity;
    } words[] = {{" warning: ", CC_WARNING},
                 {" error: ", CC_SEVERITY_ERROR},
                 {" fatal error: ", CC_FATAL},
                 {" note: ", CC_NOTE}};
    for (size_t i = 0; i < G_N_ELEMENTS(words); i++)
        if (g_str_has_prefix(*text, words[i].word)) {
            *text += strlen(words[i].word);
            *severity = words[i].severity;
            return true;
        }
    return false;
}

/* Takes the option at the end of "text [-Wname]" off, if it is one of ours. */
static const char *take_option(char *text)
{
    size_t length = strlen(text);
    char *open = strrchr(text, '[');
    if (!open || length < 5 || text[length - 1] != ']' || !g_str_has_prefix(open, "[-W") || open == text)
        return NULL;
    text[length - 1] = '\0';
    CcWarningId warning = cc_warning_find(open + 1);
    text[length - 1] = ']';
    if (warning == CC_WARNING_COUNT)
        return NULL;
    open[-1] = '\0';
    return cc_warning_describe(warning, NULL, NULL);
}

/* file:line:column: severity: text; or "cpp: fatal error: text"; anything else is context of another message. */
static bool report_line(const char *line, const CcOptions *options, CcDiagnostics *diagnostics)
{
    for (const char *colon = strchr(line, ':'); colon; colon = strchr(colon + 1, ':')) {
        char *end;
        unsigned long row = strtoul(colon + 1, &end, 10), column = 0;
        bool numbered = end > colon + 1 && *end == ':';
        const char *text = colon + 1;
        if (numbered) {
            text = end + 1;
            column = strtoul(text, &end, 10);
            if (end > text && *end == ':')
                text = end + 1;
            else
                column = 0;
        }
        CcSeverity severity;
        if (!read_severity(&text, &severity))
            continue;
        if (g_str_has_prefix(text, "missing terminating"))
            return true; /* the scanner says it better */
        char *file = g_strndup(line, (gsize)(colon - line));
        bool no_place = strcmp(file, "cpp") == 0 || strcmp(file, "cc1") == 0;
        char *words = g_strdup(text);
        const char *option = take_option(words);
        CcWarningId warning = option ? cc_warning_find(option) : CC_WARNING_COUNT;
        if (severity == CC_WARNING &&
            (warning < CC_WARNING_COUNT ? cc_warning_is_error(options, warning) : options->warnings_are_errors))
            severity = CC_SEVERITY_ERROR;
        CcDiagnostic diagnostic = {severity, no_place ? NULL : file, (unsigned)row, (unsigned)column, 1, option, words};
        cc_diagnostics_add(diagnostics, &diagnostic, NULL, 0);
        g_free(words);
        g_free(file);
        return true;
    }
    return false;
}

/* What could not be understood is kept for the error message. */
static char *report_messages(const char *text, const CcOptions *options, CcDiagnostics *diagnostics)
{
    GString *rest = g_string_new(NULL), *chain = g_string_new(NULL);
    char **lines = g_strsplit(text, "\n", -1);
    for (char **line = lines; *line; line++) {
        bool context =
            g_str_has_prefix(*line, "      ") || g_str_has_prefix(*line, "compilation terminated") || **line == '\0';
        if (g_str_has_prefix(*line, "In file included") || g_str_has_prefix(*line, "                 from")) {
            g_string_append_printf(chain, "%s\n", *line);
            continue;
        }
        if (!context && chain->len) {
            g_autofree char *file = g_strndup(*line, strcspn(*line, ":"));
            cc_diagnostics_included(diagnostics, file, chain->str);
            g_string_truncate(chain, 0);
        }
        if (!context && !report_line(*line, options, diagnostics))
            g_string_append_printf(rest, "%s%s", rest->len ? "; " : "", *line);
    }
    g_strfreev(lines);
    g_string_free(chain, TRUE);
    return g_string_free(rest, FALSE);
}

static bool readable(const char *path, GError **error)
{
    if (strcmp(path, "-") == 0)
        return true;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    int failure = fd < 0 ? errno : g_file_test(path, G_FILE_TEST_IS_DIR) ? EISDIR : 0;
    if (fd >= 0)
        close(fd);
    if (failure)
        g_set_error(error, CC_ERROR, CC_ERROR_IO, "cannot read '%s': %s", path, g_strerror(failure));
    return failure == 0;
}

char *cc_preprocess(const char *path, const CcOptions *options, CcDiagnostics *diagnostics, size_t *size,
                    GError **error)
{
    Child child;
    if (!readable(path, error))
        return NULL;
    GPtrArray *arguments = command_line(path, options);
    bool started = start((char **)arguments->pdata, strcmp(path, "-") == 0, &child, error);
    g_ptr_array_free(arguments, TRUE);
    if (!started)
        return NULL;
    GString *out = g_string_new(NULL), *err = g_string_new(NULL);
    read_both(&child, out, err);
    int status = wait_for(child.pid);
    unsigned before = cc_diagnostics_errors(diagnostics);
    char *rest = report_messages(err->str, options, diagnostics);
    g_string_free(err, TRUE);
    bool good =
        status >= 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0 && cc_diagnostics_errors(diagnostics) == before;
    *size = out->len;
    if (good) {
        g_free(rest);
        return g_string_free(out, FALSE);
    }
    if (cc_diagnostics_errors(diagnostics) > before)
        g_set_error(error, CC_ERROR, CC_ERROR_SOURCE, "%s: preprocessing failed", path);
    else if (status >= 0 && WIFSIGNALED(status))
        g_set_error(error, CC_ERROR, CC_ERROR_IO, "%s: the C preprocessor was killed by signal %d", path,
                    WTERMSIG(status));
    else
        g_set_error(error, CC_ERROR, CC_ERROR_IO, "%s: the C preprocessor failed%s%s", path, *rest ? ": " : "", rest);
    g_free(rest);
    g_string_free(out, TRUE);
    return NULL;
}
