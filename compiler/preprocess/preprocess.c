/* preprocess.c - runs the system's C preprocessor. No other file knows how.
 *
 * The program is compiled for the simulated machine, not for the host. cpp therefore sees neither the host's headers
 * (-nostdinc) nor its macros (-undef), only ours from predefined.def on its command line. Its messages become
 * diagnostics like ours (messages.c). Its two output pipes are read together, so that neither side can block. Headers
 * that include each other or macros that grow without bound would keep it running for ever: limits on its output and
 * memory end it.
 *
 * __DATE__ and __TIME__ are the start of the virtual clock, 2000-01-01 00:00:00, so that the same source always makes
 * the same program. SOURCE_DATE_EPOCH in the environment sets another time, as with gcc.
 */
#include "compiler/compiler.h"
#include "compiler/preprocess/messages.h"
#include "compiler/preprocess/short_header.h"
#include "compiler/report/report.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { MOST_MESSAGES = 1 << 20, MOST_TEXT = 256 << 20 }; /* limits on cpp's stderr and stdout, in bytes */
#define MOST_MEMORY ((rlim_t)1 << 30)                    /* limit on cpp's address space, in bytes */

/* -U__has_builtin, because it would answer for the host's compiler. GNU C 8 did not have it. Our headers keep the names
 * that they are found by, also where these have symbolic links or "..": prototypes.c knows mpi.h by its name. */
static const char *const fixed_flags[] = {
    "-nostdinc",
    "-undef",
    "-U__has_builtin",
    "-fno-canonical-system-headers",
    "-fno-diagnostics-show-caret",
    "-fdiagnostics-color=never",
#define PREDEFINED(name, value) "-D" #name "=" value,
#include "compiler/preprocess/predefined.def"
#undef PREDEFINED
};

/* Returns our environment with messages in English, which messages.c reads, a fixed date, and without search paths. */
static char **child_environment(void)
{
    char **environment = g_get_environ();
    environment = g_environ_setenv(environment, "LC_ALL", "C", TRUE);
    environment = g_environ_setenv(environment, "SOURCE_DATE_EPOCH", "946684800", FALSE);
    static const char *const paths[] = {"CPATH", "C_INCLUDE_PATH", "DEPENDENCIES_OUTPUT", "SUNPRO_DEPENDENCIES"};
    for (size_t i = 0; i < G_N_ELEMENTS(paths); i++)
        environment = g_environ_unsetenv(environment, paths[i]);
    return environment;
}

/* Appends the macros and flags that depend on the options. */
static void add_dialect(GPtrArray *arguments, const CcOptions *options)
{
    static const struct {
        unsigned year;
        const char *gnu, *strict;
    } standards[] = {
        {1989, "-std=gnu90", "-std=c90"}, {1999, "-std=gnu99", "-std=c99"}, {2011, "-std=gnu11", "-std=c11"}};
    const char *standard = options->strict ? "-std=c17" : "-std=gnu17";
    for (size_t i = 0; i < G_N_ELEMENTS(standards); i++)
        if (standards[i].year == options->c_standard)
            standard = options->strict ? standards[i].strict : standards[i].gnu;
    bool gnu_inline = options->gnu89_inline || options->c_standard == 1989;
    const struct {
        bool wanted;
        const char *flag;
    } flags[] = {
        {true, standard},
        {options->strict, "-D__STRICT_ANSI__=1"},
        {!options->strict, "-Dlinux=1"},
        {!options->strict, "-Dunix=1"},
        {gnu_inline, "-D__GNUC_GNU_INLINE__=1"},
        {!gnu_inline, "-D__GNUC_STDC_INLINE__=1"},
        {options->unsigned_char, "-D__CHAR_UNSIGNED__=1"},
        {options->optimise_asked, "-D__OPTIMIZE__=1"},
        {options->optimise_for_size, "-D__OPTIMIZE_SIZE__=1"},
        {!options->optimise_asked, "-D__NO_INLINE__=1"},
        {options->openmp, "-fopenmp"}, /* macros are expanded in directives */
        {options->openmp, "-D_OPENMP=201511"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(flags); i++)
        if (flags[i].wanted)
            g_ptr_array_add(arguments, (gpointer)flags[i].flag);
}

/* `short_dir` is searched before the directory of the headers; it may be NULL. */
static GPtrArray *command_line(const char *path, const CcOptions *options, const char *short_dir)
{
    GPtrArray *arguments = g_ptr_array_new();
    g_ptr_array_add(arguments, (gpointer) "cpp");
    for (size_t i = 0; i < G_N_ELEMENTS(fixed_flags); i++)
        g_ptr_array_add(arguments, (gpointer)fixed_flags[i]);
    add_dialect(arguments, options);
    cc_warning_cpp_flags(options, arguments);
    for (const char *const *flag = options->cpp_flags; flag && *flag; flag++)
        g_ptr_array_add(arguments, (gpointer)*flag);
    const char *const directories[] = {short_dir, options->no_headers ? NULL : options->include_dir};
    for (size_t i = 0; i < G_N_ELEMENTS(directories); i++) {
        if (!directories[i])
            continue;
        g_ptr_array_add(arguments, (gpointer) "-isystem");
        g_ptr_array_add(arguments, (gpointer)directories[i]);
    }
    g_ptr_array_add(arguments, (gpointer) "-xc"); /* C, whatever the suffix of the name */
    g_ptr_array_add(arguments, (gpointer)path);
    g_ptr_array_add(arguments, NULL);
    return arguments;
}

typedef struct Child {
    GPid pid;
    int out, err;
} Child;

/* Runs in the child before it becomes cpp. Bounds its memory, because macros can grow without end. Restores SIGPIPE, so
 * that the child and its own children end when they write to a pipe that we have closed. */
static void prepare_child(gpointer unused)
{
    (void)unused;
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) == 0) {
        limit.rlim_cur = MIN(limit.rlim_cur, MOST_MEMORY);
        setrlimit(RLIMIT_AS, &limit);
    }
    signal(SIGPIPE, SIG_DFL);
}

static bool start(char **arguments, bool keep_stdin, Child *child, GError **error)
{
    GSpawnFlags flags =
        G_SPAWN_SEARCH_PATH | G_SPAWN_DO_NOT_REAP_CHILD | (keep_stdin ? G_SPAWN_CHILD_INHERITS_STDIN : 0);
    g_auto(GStrv) environment = child_environment();
    g_autoptr(GError) failure = NULL;
    if (g_spawn_async_with_pipes(NULL, arguments, environment, flags, prepare_child, NULL, &child->pid, NULL,
                                 &child->out, &child->err, &failure))
        return true;
    if (g_error_matches(failure, G_SPAWN_ERROR, G_SPAWN_ERROR_NOENT))
        g_set_error(error, CC_ERROR, CC_ERROR_IO,
                    "cannot find the C preprocessor 'cpp' in PATH; install it (Debian: package cpp)");
    else
        g_set_error(error, CC_ERROR, CC_ERROR_IO, "cannot start the C preprocessor 'cpp': %s", failure->message);
    return false;
}

/* Appends what can be read at once. Returns false at end of file or on an error. */
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

/* Returns why cpp must be ended, or NULL. A header that includes itself twice makes cpp report 2^200 errors. */
static const char *endless(const GString *out, const GString *err)
{
    if (out->len > MOST_TEXT)
        return "the preprocessed source is larger than 256 MiB";
    if (err->len > MOST_MESSAGES || strstr(err->str, "error: #include nested depth"))
        return "too many errors, stopping now";
    return NULL;
}

/* Reads both pipes to their ends. Returns NULL, or why the child was killed before. */
static const char *read_both(const Child *child, GString *out, GString *err)
{
    struct pollfd fds[] = {{child->out, POLLIN, 0}, {child->err, POLLIN, 0}};
    GString *texts[] = {out, err};
    const char *stopped = NULL;
    for (int open = 2; open > 0 && !stopped;) {
        if (poll(fds, 2, -1) < 0 && errno != EINTR)
            break;
        for (int i = 0; i < 2; i++)
            if (fds[i].fd >= 0 && fds[i].revents && !read_some(fds[i].fd, texts[i])) {
                fds[i].fd = -1; /* poll() ignores a negative descriptor */
                open--;
            }
        stopped = endless(out, err);
    }
    if (stopped)
        kill(child->pid, SIGKILL);
    close(child->out);
    close(child->err);
    return stopped;
}

static int wait_for(pid_t pid)
{
    int status;
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return -1;
    return status;
}

/* -- the whole --------------------------------------------------------------------------------- */

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

/* Sets the error for a failure that no diagnostic explains. */
static void set_failure(const char *path, int status, const char *rest, GError **error)
{
    if (status >= 0 && WIFSIGNALED(status))
        g_set_error(error, CC_ERROR, CC_ERROR_IO, "%s: the C preprocessor was killed by signal %d", path,
                    WTERMSIG(status));
    else
        g_set_error(error, CC_ERROR, CC_ERROR_IO, "%s: the C preprocessor failed%s%s", path, *rest ? ": " : "", rest);
}

/* What the preprocessor has said. */
typedef struct Said {
    GString *out, *err;
    const char *stopped; /* why it was ended; NULL: it ended by itself */
    int status;
} Said;

static void said_clear(Said *said)
{
    if (said->out)
        g_string_free(said->out, TRUE);
    g_string_free(said->err, TRUE);
}

static bool listen_to(const char *path, const CcOptions *options, const char *short_dir, Said *said, GError **error)
{
    Child child;
    GPtrArray *arguments = command_line(path, options, short_dir);
    bool started = start((char **)arguments->pdata, strcmp(path, "-") == 0, &child, error);
    g_ptr_array_free(arguments, TRUE);
    if (!started)
        return false;
    *said = (Said){.out = g_string_new(NULL), .err = g_string_new(NULL)};
    said->stopped = read_both(&child, said->out, said->err);
    said->status = wait_for(child.pid);
    return true;
}

static bool is_good(const Said *said)
{
    return said->status >= 0 && WIFEXITED(said->status) && WEXITSTATUS(said->status) == 0;
}

/* Preprocesses with the short mpi.h. If there is something to say of it, that is said of the whole one. */
static bool listen_shortly(const char *path, const CcOptions *options, Said *said, GError **error)
{
    g_autofree char *short_dir = g_file_test(path, G_FILE_TEST_IS_REGULAR) ? cc_short_header_dir(options) : NULL;
    if (!listen_to(path, options, short_dir, said, error))
        return false;
    if (!short_dir ||
        (is_good(said) && !strstr(said->err->str, short_dir) && cc_short_header_restore(said->out, short_dir, options)))
        return true;
    said_clear(said);
    return listen_to(path, options, NULL, said, error);
}

static char *run_preprocessor(const char *path, const CcOptions *options, CcDiagnostics *diagnostics, size_t *size,
                              GError **error)
{
    Said said;
    if (!listen_shortly(path, options, &said, error))
        return NULL;
    unsigned before = cc_diagnostics_errors(diagnostics);
    g_autofree char *rest = cc_preprocess_messages(said.err->str, said.stopped, options, diagnostics);
    if (said.stopped)
        cc_diagnostics_add(diagnostics,
                           &(CcDiagnostic){.severity = CC_FATAL, .file = path, .length = 1, .text = said.stopped}, NULL,
                           0);
    bool complained = cc_diagnostics_errors(diagnostics) > before;
    char *text = NULL;
    if (!complained && is_good(&said)) {
        fputs(rest, stderr); /* the output of -H */
        *size = said.out->len;
        text = g_string_free(said.out, FALSE);
        said.out = NULL;
    } else if (complained) {
        g_set_error(error, CC_ERROR, CC_ERROR_SOURCE, "%s: preprocessing failed", path);
    } else {
        set_failure(path, said.status, rest, error);
    }
    said_clear(&said);
    return text;
}

/* Reads a source that has been preprocessed already. The caller frees it with g_free(). */
static char *read_preprocessed(const char *path, size_t *size, GError **error)
{
    int fd = strcmp(path, "-") == 0 ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC);
    GString *text = g_string_new(NULL);
    while (fd >= 0 && text->len <= MOST_TEXT && read_some(fd, text))
        continue;
    if (fd >= 0)
        close(fd);
    *size = text->len;
    if (fd >= 0 && text->len <= MOST_TEXT)
        return g_string_free(text, FALSE);
    g_string_free(text, TRUE);
    g_set_error(error, CC_ERROR, CC_ERROR_IO, "cannot read '%s': %s", path, fd < 0 ? g_strerror(errno) : "too large");
    return NULL;
}

char *cc_preprocess(const char *path, const CcOptions *options, CcDiagnostics *diagnostics, size_t *size,
                    GError **error)
{
    if (!readable(path, error))
        return NULL;
    return options->preprocessed ? read_preprocessed(path, size, error)
                                 : run_preprocessor(path, options, diagnostics, size, error);
}
