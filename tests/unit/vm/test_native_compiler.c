/* test_native_compiler.c - from C text to loaded code: finding the compiler, running it, its cache, and everything that
 * can be wrong with a cache. Compilers that count, fail or hang are shell scripts around the real one. */
#include "vm/host/host.h"
#include "vm/host/process.h"
#include "vm/vm.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <ftw.h>
#include <glib/gstdio.h>
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char TWICE[] = VM_COMPILER_EXPORT "long answer(long x) { return x + x; }";
static const char SQUARE[] = VM_COMPILER_EXPORT "long answer(long x) { return x * x; }";

/* The files of a test: cache, scripts, temporary files of the compiler. */
typedef struct Place {
    char *root, *cache, *temporary, *script, *count;
} Place;

static Place place;

static void open_place(void)
{
    place.root = mkdtemp(g_strdup("/tmp/orrery-test-XXXXXX")); /* GLib reads TMPDIR only once, and must not do so yet */
    place.cache = g_build_filename(place.root, "deep", "cache", NULL);
    place.temporary = g_build_filename(place.root, "temporary", NULL);
    place.script = g_build_filename(place.root, "compiler", NULL);
    place.count = g_build_filename(place.root, "count", NULL);
    g_mkdir(place.temporary, 0700);
    g_setenv("TMPDIR", place.temporary, TRUE);
    g_unsetenv("ORRERY_CC");
    g_unsetenv("ORRERY_CACHE");
    g_unsetenv("ORRERY_CACHE_LIMIT");
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *where)
{
    (void)status, (void)kind, (void)where;
    return remove(path);
}

static void close_place(void)
{
    GDir *left = g_dir_open(place.temporary, 0, NULL);
    cr_expect_null(g_dir_read_name(left), "temporary files are removed");
    g_dir_close(left);
    nftw(place.root, remove_one, 8, FTW_DEPTH | FTW_PHYS);
    char *const names[] = {place.root, place.cache, place.temporary, place.script, place.count};
    for (unsigned i = 0; i < G_N_ELEMENTS(names); i++)
        g_free(names[i]);
}

/* Writes a compiler script that appends a line to the count file for each run (except --version), then does
 * `action`. */
static void write_script(const char *action)
{
    char *text = g_strdup_printf("#!/bin/sh\n[ \"$1\" = --version ] && exec cc --version\necho run >>'%s'\n%s\n",
                                 place.count, action);
    cr_assert(g_file_set_contents(place.script, text, -1, NULL));
    g_chmod(place.script, 0700);
    g_free(text);
}

static unsigned runs(void)
{
    char *text = NULL;
    unsigned n = 0;
    if (g_file_get_contents(place.count, &text, NULL, NULL))
        for (const char *c = text; *c; c++)
            n += *c == '\n';
    g_free(text);
    return n;
}

static VmCompiler *open_compiler(const char *command, const char *cache)
{
    GError *error = NULL;
    VmCompiler *compiler = vm_compiler_open(command, cache, &error);
    cr_assert(compiler, "%s", error ? error->message : "");
    return compiler;
}

/* Compiles with a newly opened compiler, as another run of the simulator would, and calls answer(x). */
static long answer(const char *command, const char *cache, const char *text, long x)
{
    GError *error = NULL;
    VmCompiler *compiler = open_compiler(command, cache);
    VmCompiled *code = vm_compiler_compile(compiler, NULL, text, VM_COMPILER_FULL, NULL, &error);
    cr_assert(code, "%s", error ? error->message : "");
    vm_compiler_close(compiler);
    long (*function)(long) = (long (*)(long))vm_compiler_symbol(code, "answer");
    long result = function(x);
    cr_assert_null(vm_compiler_symbol(code, "question"));
    vm_compiler_unload(code);
    return result;
}

/* Whether an entry of the cache is no code but a note: of the compiler's version. */
static bool is_note(const char *name)
{
    enum { LEAST_CODE = 1024 };
    struct stat status;
    g_autofree char *path = g_build_filename(place.cache, name, NULL);
    return stat(path, &status) == 0 && status.st_size < LEAST_CODE;
}

/* Returns the path of the only code in the cache, or NULL. */
static char *find_entry(void)
{
    char *found = NULL;
    GDir *directory = g_dir_open(place.cache, 0, NULL);
    const char *name;
    while (directory && (name = g_dir_read_name(directory))) {
        if (is_note(name))
            continue;
        cr_assert_null(found, "one entry, nothing else");
        found = g_build_filename(place.cache, name, NULL);
    }
    if (directory)
        g_dir_close(directory);
    return found;
}

static unsigned count_entries(void)
{
    GDir *directory = g_dir_open(place.cache, 0, NULL);
    const char *name;
    unsigned n = 0;
    while (directory && (name = g_dir_read_name(directory)))
        n += !is_note(name);
    if (directory)
        g_dir_close(directory);
    return n;
}

TestSuite(native_compiler, .init = open_place, .fini = close_place, .timeout = 120);

/* -- compiling --------------------------------------------------------------------------------- */

Test(native_compiler, compiles_and_calls)
{
    cr_assert_eq(answer(NULL, "", TWICE, 21), 42);
    cr_assert_eq(answer(NULL, "", SQUARE, 9), 81);
    cr_assert_null(find_entry());
}

/* glibc identifies loaded objects by name, and numbers of closed files are reused: each object must still be itself. */
Test(native_compiler, several_at_once_are_themselves)
{
    VmCompiler *compiler = open_compiler(NULL, "");
    VmCompiled *twice = vm_compiler_compile(compiler, NULL, TWICE, VM_COMPILER_FULL, NULL, NULL);
    VmCompiled *square = vm_compiler_compile(compiler, NULL, SQUARE, VM_COMPILER_FULL, NULL, NULL);
    vm_compiler_close(compiler);
    cr_assert(twice && square);
    cr_assert_eq(((long (*)(long))vm_compiler_symbol(twice, "answer"))(9), 18);
    cr_assert_eq(((long (*)(long))vm_compiler_symbol(square, "answer"))(9), 81);
    vm_compiler_unload(twice);
    cr_assert_eq(((long (*)(long))vm_compiler_symbol(square, "answer"))(8), 64);
    vm_compiler_unload(square);
}

/* What the compiler options ensure: wrapping, no contraction, sqrt inline, errno or not, any rounding direction. */
Test(native_compiler, meaning_of_arithmetic)
{
    static const char text[] = VM_COMPILER_EXPORT
        "int grows(int x) { return x + 1 > x; }\n" VM_COMPILER_EXPORT
        "double residue(double a, double b) { double p = a * b; return a * b - p; }\n" VM_COMPILER_EXPORT
        "double root(double x) { return __builtin_sqrt(x); }\n" VM_COMPILER_EXPORT
        "double opposite(double x) { return x * -1.0; }\n";
    VmCompiler *compiler = open_compiler(NULL, "");
    VmCompiled *code = vm_compiler_compile(compiler, NULL, text, VM_COMPILER_FULL, NULL, NULL);
    cr_assert(code);
    cr_assert_eq(((int (*)(int))vm_compiler_symbol(code, "grows"))(INT_MAX), 0);
    cr_assert_eq(((double (*)(double, double))vm_compiler_symbol(code, "residue"))(1.1, 1.3), 0.0);
    cr_assert_eq(((double (*)(double))vm_compiler_symbol(code, "root"))(2.25), 1.5);
    double nan = NAN, opposite = ((double (*)(double))vm_compiler_symbol(code, "opposite"))(nan);
    cr_assert(memcmp(&nan, &opposite, sizeof nan) == 0, "a product of a NaN is that NaN");
    vm_compiler_unload(code);
    vm_compiler_close(compiler);
}

Test(native_compiler, variables_of_the_environment_do_not_leak_in)
{
    char *written = g_build_filename(place.root, "dependencies", NULL);
    g_setenv("DEPENDENCIES_OUTPUT", written, TRUE);
    g_setenv("LC_ALL", "xx_YY.UTF-8", TRUE);
    cr_assert_eq(answer(NULL, "", TWICE, 3), 6);
    cr_assert_neq(access(written, F_OK), 0);
    g_free(written);
}

/* The process that starts Orrery may ignore SIGCHLD; then children leave no status. */
Test(native_compiler, ignored_child_signals)
{
    signal(SIGCHLD, SIG_IGN);
    cr_assert_eq(answer(NULL, "", TWICE, 3), 6);
    VmCompiler *compiler = open_compiler(NULL, "");
    cr_assert_null(vm_compiler_compile(compiler, NULL, "nonsense", VM_COMPILER_FULL, NULL, NULL));
    vm_compiler_close(compiler);
    signal(SIGCHLD, SIG_DFL);
}

/* -- finding the compiler ---------------------------------------------------------------------- */

Test(native_compiler, command_of_the_environment)
{
    write_script("exec cc \"$@\"");
    g_setenv("ORRERY_CC", place.script, TRUE);
    cr_assert_eq(answer(NULL, "", TWICE, 5), 10);
    cr_assert_eq(runs(), 1);
    char *with_argument = g_strdup_printf("'%s' -DADDED=7", place.script);
    g_setenv("ORRERY_CC", with_argument, TRUE);
    cr_assert_eq(answer(NULL, "", VM_COMPILER_EXPORT "long answer(long x) { return x + ADDED; }", 5), 12);
    g_free(with_argument);
}

Test(native_compiler, path_with_blanks)
{
    char *folder = g_build_filename(place.root, "my tools", NULL), *path = g_build_filename(folder, "my cc", NULL);
    g_mkdir(folder, 0700);
    cr_assert(g_file_set_contents(path, "#!/bin/sh\nexec cc \"$@\"\n", -1, NULL));
    g_chmod(path, 0700);
    cr_assert_eq(answer(path, "", TWICE, 5), 10);
    g_free(path);
    g_free(folder);
}

Test(native_compiler, none_there)
{
    GError *error = NULL;
    cr_assert_null(vm_compiler_open("no-such-compiler", "", &error));
    cr_assert(g_error_matches(error, VM_ERROR, VM_ERROR_COMPILER));
    cr_assert(strstr(error->message, "'no-such-compiler'") && strstr(error->message, "package gcc"));
    g_clear_error(&error);
    g_setenv("PATH", place.root, TRUE);
    cr_assert_null(vm_compiler_open(NULL, "", &error));
    cr_assert(strstr(error->message, "cc, gcc and clang") && strstr(error->message, "--tier=interp"));
    g_clear_error(&error);
    g_setenv("ORRERY_CC", "elsewhere", TRUE);
    cr_assert_null(vm_compiler_open(NULL, "", &error));
    cr_assert(strstr(error->message, "ORRERY_CC names"));
    g_clear_error(&error);
}

/* -- failing ----------------------------------------------------------------------------------- */

static void expect_failure(const char *command, const char *text, const char *part)
{
    GError *error = NULL;
    VmCompiler *compiler = open_compiler(command, place.cache);
    cr_assert_null(vm_compiler_compile(compiler, NULL, text, VM_COMPILER_FULL, NULL, &error));
    cr_assert(g_error_matches(error, VM_ERROR, VM_ERROR_COMPILER));
    cr_assert(strstr(error->message, part), "%s", error->message);
    g_clear_error(&error);
    vm_compiler_close(compiler);
    cr_assert_null(find_entry());
}

Test(native_compiler, wrong_text)
{
    expect_failure(NULL, "long answer(long x) { return y; }", "undeclared");
    expect_failure(NULL, "long answer(long x) { return y; }", ": code.c: In function"); /* the same message each time */
}

Test(native_compiler, compilers_that_fail)
{
    write_script("echo 'out of paper' >&2; exit 3");
    expect_failure(place.script, TWICE, "out of paper");
    write_script("exit 0");
    expect_failure(place.script, TWICE, "made nothing");
    write_script("kill -SEGV $$");
    expect_failure(place.script, TWICE, "failed");
    write_script("while [ \"$1\" != -o ]; do shift; done; echo no code >\"$2\"");
    expect_failure(place.script, TWICE, "cannot be loaded");
    cr_assert(g_file_set_contents(place.script, "neither script nor program", -1, NULL));
    g_chmod(place.script, 0700);
    expect_failure(place.script, TWICE, "failed");
}

/* If a compiler does not know options of its family, it is called again without them. */
Test(native_compiler, options_that_are_refused)
{
    write_script("for a; do case $a in -fno-stack-protector) echo unknown >&2; exit 1; esac; done; exec cc \"$@\"");
    cr_assert_eq(answer(place.script, place.cache, TWICE, 4), 8);
    cr_assert_eq(runs(), 2);
    cr_assert_eq(answer(place.script, place.cache, TWICE, 4), 8);
    cr_assert_eq(runs(), 2);
}

Test(native_compiler, no_place_to_work)
{
    g_rmdir(place.temporary);
    expect_failure(NULL, TWICE, "TMPDIR");
    g_mkdir(place.temporary, 0700);
}

/* -- stopping ---------------------------------------------------------------------------------- */

static void *cancel_soon(void *cancel)
{
    while (!runs())
        g_usleep(1000);
    g_usleep(20000);
    atomic_store((atomic_bool *)cancel, true);
    return NULL;
}

Test(native_compiler, cancelling_kills_it_with_its_children)
{
    atomic_bool cancel = false;
    GError *error = NULL;
    char *survivor = g_build_filename(place.root, "survivor", NULL);
    char *action = g_strdup_printf("(sleep 1; echo alive >'%s') & sleep 100", survivor);
    write_script(action);
    VmCompiler *compiler = open_compiler(place.script, place.cache);
    GThread *thread = g_thread_new("cancel", cancel_soon, &cancel);
    gint64 start = g_get_monotonic_time();
    cr_assert_null(vm_compiler_compile(compiler, NULL, TWICE, VM_COMPILER_FULL, &cancel, &error));
    cr_assert_lt(g_get_monotonic_time() - start, 20 * G_USEC_PER_SEC);
    g_thread_join(thread);
    cr_assert(g_error_matches(error, VM_ERROR, VM_ERROR_COMPILER));
    cr_assert(strstr(error->message, "told to stop"), "%s", error->message);
    g_clear_error(&error);
    g_usleep(1500000);
    cr_assert_neq(access(survivor, F_OK), 0, "its children are gone, too");
    atomic_store(&cancel, true);
    cr_assert_null(vm_compiler_compile(compiler, NULL, TWICE, VM_COMPILER_FULL, &cancel, NULL));
    vm_compiler_close(compiler);
    g_free(action);
    g_free(survivor);
}

/* When this process has been killed, nobody could stop the compiler or clean up after it. */
Test(native_compiler, killed_simulators_leave_nothing_behind)
{
    char *survivor = g_build_filename(place.root, "survivor", NULL);
    char *action = g_strdup_printf("sleep 1; echo alive >'%s'", survivor);
    write_script(action);
    pid_t child = fork();
    if (child == 0) {
        vm_compiler_compile(open_compiler(place.script, place.cache), NULL, TWICE, VM_COMPILER_FULL, NULL, NULL);
        _exit(0);
    }
    for (unsigned i = 0; i < 10000 && !runs(); i++)
        g_usleep(1000);
    kill(child, SIGKILL);
    cr_assert_eq(waitpid(child, NULL, 0), child);
    g_usleep(1500000);
    cr_assert_neq(access(survivor, F_OK), 0);
    g_free(action);
    g_free(survivor); /* close_place() sees that the temporary directory is empty */
}

Test(native_compiler, time_is_bounded)
{
    static const char *const busy[] = {"/bin/sh", "-c", "echo started; while :; do :; done", NULL};
    static const char *const asleep[] = {"/bin/sh", "-c", "sleep 100", NULL};
    char *messages;
    cr_assert_eq(vm_process_run(busy, NULL, 1, NULL, &messages), VM_PROCESS_OVERDUE);
    cr_assert_str_eq(messages, "started");
    g_free(messages);
    cr_assert_eq(vm_process_run(asleep, NULL, 1, NULL, &messages), VM_PROCESS_OVERDUE);
    g_free(messages);
}

/* -- the cache --------------------------------------------------------------------------------- */

Test(native_compiler, compiled_once)
{
    write_script("exec cc \"$@\"");
    for (unsigned i = 0; i < 3; i++)
        cr_assert_eq(answer(place.script, place.cache, TWICE, i), 2 * i);
    cr_assert_eq(runs(), 1);
    struct stat status;
    cr_assert_eq(stat(place.cache, &status), 0);
    cr_assert_eq(status.st_mode & 0777, 0700);
    cr_assert_eq(answer(place.script, place.cache, SQUARE, 5), 25);
    cr_assert_eq(runs(), 2);
    write_script("exec cc \"$@\" # another compiler");
    cr_assert_eq(answer(place.script, place.cache, TWICE, 4), 8);
    cr_assert_eq(runs(), 3);
    cr_assert_eq(count_entries(), 3);
}

Test(native_compiler, directory_of_the_environment)
{
    write_script("exec cc \"$@\"");
    g_setenv("ORRERY_CACHE", place.cache, TRUE);
    cr_assert_eq(answer(place.script, NULL, TWICE, 4), 8);
    cr_assert_eq(count_entries(), 1);
    g_setenv("ORRERY_CACHE", "", TRUE);
    cr_assert_eq(answer(place.script, NULL, TWICE, 4), 8);
    cr_assert_eq(runs(), 2);
}

/* Replaces the entry by `size` bytes, and checks that it is made again and then used. */
static void expect_repair(const char *entry, const void *bytes, size_t size, const char *what, size_t where)
{
    unsigned before = runs();
    FILE *file = fopen(entry, "wb");
    cr_assert_eq(fwrite(bytes, 1, size, file), size);
    fclose(file);
    cr_assert_eq(answer(place.script, place.cache, TWICE, 8), 16);
    cr_assert_eq(runs(), before + 1, "%s at %zu", what, where);
    cr_assert_eq(answer(place.script, place.cache, TWICE, 8), 16);
    cr_assert_eq(runs(), before + 1, "%s at %zu: made anew once", what, where);
}

/* Makes a compiler that has its result ready, so that many kinds of damage take no time, and the entry that it
 * makes. */
static char *make_quick_entry(char **content, gsize *size)
{
    char *action = g_strdup_printf("while [ \"$1\" != -o ]; do shift; done; exec cp '%s/ready.so' \"$2\"", place.root);
    write_script("while [ \"$1\" != -o ]; do shift; done; cc -shared -fPIC -x c \"$3\" -o \"$2\" && exec cp \"$2\" "
                 "\"${0%/*}/ready.so\"");
    cr_assert_eq(answer(place.script, "", TWICE, 1), 2);
    write_script(action);
    g_free(action);
    cr_assert_eq(answer(place.script, place.cache, TWICE, 1), 2);
    char *entry = find_entry();
    cr_assert(entry && g_file_get_contents(entry, content, size, NULL));
    return entry;
}

enum { HEADER_BYTES = 64 };

Test(native_compiler, damaged_entries_are_made_again)
{
    char *good;
    gsize size;
    char *entry = make_quick_entry(&good, &size);
    char *bad = g_malloc(size + 1);
    for (gsize where = 0; where < size; where += where < HEADER_BYTES ? 3 : 997) {
        memcpy(bad, good, size);
        bad[where] ^= (char)(1 << where % 8);
        expect_repair(entry, bad, size, "bit turned", where);
    }
    const gsize lengths[] = {0, 1, 23, 24, HEADER_BYTES - 1, HEADER_BYTES, HEADER_BYTES + 1, size / 2, size - 1};
    for (unsigned i = 0; i < G_N_ELEMENTS(lengths); i++)
        expect_repair(entry, good, lengths[i], "cut off", lengths[i]);
    memcpy(bad, good, size);
    bad[size] = 0;
    expect_repair(entry, bad, size + 1, "too long", size);
    g_free(bad);
    g_free(good);
    g_free(entry);
}

/* An entry under the name of another text is made again: a hash of the content alone would accept it. */
Test(native_compiler, exchanged_entries_are_made_again)
{
    write_script("exec cc \"$@\"");
    cr_assert_eq(answer(place.script, place.cache, TWICE, 5), 10);
    char *entry = find_entry(), *moved = g_strdup_printf("%s/moved", place.root);
    cr_assert_eq(g_rename(entry, moved), 0);
    cr_assert_eq(answer(place.script, place.cache, SQUARE, 5), 25);
    char *other = find_entry();
    cr_assert_eq(g_rename(moved, other), 0);
    cr_assert_eq(answer(place.script, place.cache, SQUARE, 5), 25);
    cr_assert_eq(runs(), 3);
    g_free(other);
    g_free(moved);
    g_free(entry);
}

/* An entry that somebody else could have written is not used: checked for file and directory. */
Test(native_compiler, foreign_entries_are_made_again)
{
    char *good;
    gsize size;
    struct stat status;
    char *entry = make_quick_entry(&good, &size);
    unsigned before = runs();
    static const mode_t modes[] = {0620, 0602, 0666};
    for (unsigned i = 0; i < G_N_ELEMENTS(modes); i++) {
        cr_assert_eq(g_chmod(entry, modes[i]), 0);
        cr_assert_eq(answer(place.script, place.cache, TWICE, 8), 16);
        cr_assert_eq(runs(), ++before, "mode %o", (unsigned)modes[i]);
        cr_assert_eq(stat(entry, &status), 0);
        cr_assert_eq(status.st_mode & 0777, 0600);
    }
    if (geteuid() == 0) { /* only root can give a file away */
        cr_assert_eq(chown(entry, 12345, (gid_t)-1), 0);
        cr_assert_eq(answer(place.script, place.cache, TWICE, 8), 16);
        cr_assert_eq(runs(), ++before, "another owner");
    }
    cr_assert_eq(g_chmod(place.cache, 0770), 0);
    cr_assert_eq(answer(place.script, place.cache, TWICE, 8), 16);
    cr_assert_eq(runs(), ++before, "directory that a group can write");
    cr_assert_eq(g_chmod(place.cache, 0755), 0);
    cr_assert_eq(answer(place.script, place.cache, TWICE, 8), 16);
    cr_assert_eq(runs(), before, "others may read");
    g_free(good);
    g_free(entry);
}

/* Links, FIFOs and directories are not entries. A directory cannot even be replaced. */
Test(native_compiler, odd_things_in_an_entrys_place)
{
    char *good;
    gsize size;
    char *entry = make_quick_entry(&good, &size), *elsewhere = g_build_filename(place.root, "elsewhere", NULL);
    unsigned before = runs();
    cr_assert_eq(g_rename(entry, elsewhere), 0);
    cr_assert_eq(symlink(elsewhere, entry), 0);
    cr_assert_eq(answer(place.script, place.cache, TWICE, 8), 16);
    cr_assert_eq(runs(), ++before, "symbolic link");
    cr_assert_eq(g_unlink(entry), 0);
    cr_assert_eq(mkfifo(entry, 0600), 0);
    cr_assert_eq(answer(place.script, place.cache, TWICE, 8), 16);
    cr_assert_eq(runs(), ++before, "FIFO");
    cr_assert_eq(g_unlink(entry), 0);
    cr_assert_eq(g_mkdir(entry, 0700), 0);
    cr_assert_eq(answer(place.script, place.cache, TWICE, 8), 16);
    cr_assert_eq(runs(), ++before, "directory");
    g_free(elsewhere);
    g_free(good);
    g_free(entry);
}

/* The hash is right, but it is not code for this host: it is made again. */
Test(native_compiler, entry_that_cannot_be_loaded)
{
    char *good;
    gsize size;
    char *entry = make_quick_entry(&good, &size);
    char *key = g_strndup(strrchr(entry, '/') + 1, 64);
    guint8 digest[32];
    gsize length = sizeof digest;
    GChecksum *sum = g_checksum_new(G_CHECKSUM_SHA256);
    good[HEADER_BYTES + 18] ^= 0x7f; /* e_machine */
    g_checksum_update(sum, (const guchar *)key, 64);
    g_checksum_update(sum, (const guchar *)good + HEADER_BYTES, (gssize)size - HEADER_BYTES);
    g_checksum_get_digest(sum, digest, &length);
    g_checksum_free(sum);
    memcpy(good + HEADER_BYTES - sizeof digest, digest, sizeof digest);
    expect_repair(entry, good, size, "another machine", 18);
    g_free(key);
    g_free(good);
    g_free(entry);
}

static void expect_no_cache(const char *directory)
{
    unsigned before = runs();
    cr_assert_eq(answer(place.script, directory, TWICE, 8), 16);
    cr_assert_eq(answer(place.script, directory, TWICE, 8), 16);
    cr_assert_eq(runs(), before + 2, "%s", directory);
}

Test(native_compiler, impossible_caches_are_none)
{
    write_script("exec cc \"$@\"");
    expect_no_cache("/proc/cache");
    expect_no_cache("/dev/null/cache");
    expect_no_cache(place.script);
    if (geteuid() != 0) { /* root may write everywhere, so the test makes no sense */
        g_mkdir_with_parents(place.cache, 0500);
        g_chmod(place.cache, 0500);
        expect_no_cache(place.cache);
        g_chmod(place.cache, 0700);
    }
}

/* -- the cache's size -------------------------------------------------------------------------- */

static char *text_of(unsigned number)
{
    return g_strdup_printf(VM_COMPILER_EXPORT "long answer(long x) { return %u; }", number);
}

static void expect_answer(unsigned number, unsigned expected_runs)
{
    char *text = text_of(number);
    cr_assert_eq(answer(place.script, place.cache, text, 0), number);
    cr_assert_eq(runs(), expected_runs, "text %u", number);
    g_free(text);
}

Test(native_compiler, least_recently_used_entries_go)
{
    write_script("exec cc \"$@\"");
    for (unsigned number = 0; number < 3; number++)
        expect_answer(number, number + 1);
    expect_answer(0, 3); /* now 1 is the least recently used */
    char *stale = g_build_filename(place.cache, ".unfinished-1-1", NULL);
    char *fresh = g_build_filename(place.cache, ".unfinished-1-2", NULL);
    cr_assert(g_file_set_contents(stale, "x", 1, NULL) && g_file_set_contents(fresh, "x", 1, NULL));
    const struct timespec long_ago[2] = {{.tv_sec = 1000000}, {.tv_sec = 1000000}};
    cr_assert_eq(utimensat(AT_FDCWD, stale, long_ago, 0), 0);
    g_setenv("ORRERY_CACHE_LIMIT", "60K", TRUE); /* an entry has about 15 KB */
    expect_answer(3, 4);
    unsigned entries = count_entries() - 1;
    cr_assert_neq(access(stale, F_OK), 0);
    cr_assert_eq(access(fresh, F_OK), 0);
    cr_assert_geq(entries, 3);
    g_setenv("ORRERY_CACHE_LIMIT", "35k", TRUE);
    expect_answer(4, 5);
    expect_answer(3, 5);
    expect_answer(1, 6);
    g_setenv("ORRERY_CACHE_LIMIT", "1k", TRUE);
    expect_answer(5, 7);
    expect_answer(5, 8);
    g_free(fresh);
    g_free(stale);
}

/* -- at once ----------------------------------------------------------------------------------- */

static void *compile_many(void *compiler)
{
    for (unsigned round = 0; round < 2; round++)
        for (unsigned number = 0; number < 4; number++) {
            char *text = text_of(number);
            VmCompiled *code = vm_compiler_compile(compiler, NULL, text, VM_COMPILER_FULL, NULL, NULL);
            g_free(text);
            if (!code || ((long (*)(long))vm_compiler_symbol(code, "answer"))(0) != number)
                return "wrong";
            vm_compiler_unload(code);
        }
    return NULL;
}

Test(native_compiler, threads_and_processes_at_once)
{
    pid_t child = fork();
    VmCompiler *compiler = open_compiler(NULL, place.cache);
    GThread *threads[2];
    for (unsigned i = 0; i < G_N_ELEMENTS(threads); i++)
        threads[i] = g_thread_new("compile", compile_many, compiler);
    bool wrong = false;
    for (unsigned i = 0; i < G_N_ELEMENTS(threads); i++)
        wrong |= g_thread_join(threads[i]) != NULL;
    vm_compiler_close(compiler);
    if (child == 0)
        _exit(wrong);
    int status;
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_assert(!wrong && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    cr_assert_eq(count_entries(), 4);
}
