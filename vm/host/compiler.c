/* compiler.c - C text to loaded code, through the host's C compiler and a cache.
 *
 *     text --(key: SHA-256 of format, compiler, options, text)--> cache --> bytes --> nameless file --> dlopen
 *                                                        \--> compiler --> bytes --/        \--> cache
 *
 * The compiler's identity is its path, size, time and what it prints for --version. It is asked once, and noted in the
 * cache. So is which key belongs to which subject, by which who makes texts finds their code without making them. The
 * code is loaded from bytes that this process holds, never from a file that others could exchange. An object is stored
 * only after it could be loaded. An object from the cache that cannot be loaded is made again.
 */
#include "vm/host/host.h"

#include "base/cache.h"
#include "vm/host/process.h"
#include "vm/vm.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

/* Change this when the same text should be compiled again for reasons that neither text nor options show. */
#define FORMAT "orrery native code 1"

enum { COMPILE_SECONDS = 300, VERSION_SECONDS = 10, REMOVAL_TRIES = 100 };

/* Options that every compiler of the family understands. Results depend on the first row; the others are for speed.
 *   -fwrapv -fno-strict-aliasing: vCode's integers wrap, its memory has no types
 *   -ffp-contract=off: every operation rounds, once
 *   -fsignaling-nans: x * -1 is not -x, for a NaN has a sign, too
 *   -fno-math-errno: no result depends on errno, and so sqrt is an instruction
 *   -fvisibility=hidden -fno-semantic-interposition: calls between the text's functions are direct and can be inlined
 * -march=native must not be used: fused operations and the like would make results depend on the host. */
#define COMMON_OPTIONS                                                                                                 \
    "-std=gnu11 -fwrapv -fno-strict-aliasing -ffp-contract=off -fsignaling-nans -fno-math-errno "                      \
    "-O2 -fPIC -shared -fvisibility=hidden -fno-semantic-interposition -fno-asynchronous-unwind-tables -w -pipe -x c"
/* Reasons for these options. gcc vectorises at -O2 only since version 12, and then only loops that need no extra code
 * for odd ends. Its vectoriser of straight code (SLP) can make errors: gcc 12 takes two doubles that are rounded to
 * float and widened again for the same two doubles. Distributions switch on hardening that costs time at each call, but
 * this code checks every access itself. Recursive functions gain from more inlining into themselves than gcc would do.
 * What several exits compute should stay there, and not move before the branches that lead there (code hoisting). */
#define GCC_OPTIONS "-fno-stack-protector -fcf-protection=none -fno-stack-clash-protection"
#define GCC_FULL                                                                                                       \
    "-ftree-loop-vectorize -fno-tree-slp-vectorize -fvect-cost-model=dynamic -fno-code-hoisting "                      \
    "--param=max-inline-insns-single=200 --param=max-inline-insns-recursive=1000 "                                     \
    "--param=min-inline-recursive-probability=1"
#define CLANG_OPTIONS "-fno-stack-protector -fcf-protection=none"
/* Nor shall vectors convert integers by tricks that count on rounding to nearest. */
#define ROUNDING_OPTIONS "-frounding-math -fno-tree-vectorize"
/* Behind -O2. gcc takes two thirds of the time that it takes for -O1, and the code is hardly slower. */
#define QUICK_OPTIONS "-Og"

/* Further options of a compiler family, chosen by what --version prints. If compiling fails with them, they are left
 * out. */
typedef struct Family {
    const char *sign; /* text that --version of this family contains */
    const char *options;
    const char *full; /* further ones for code that may take its time */
} Family;

static const Family families[] = {
    {"clang", CLANG_OPTIONS, NULL},
    {"Free Software Foundation", GCC_OPTIONS, GCC_FULL},
    {"", NULL, NULL},
};

struct VmCompiler {
    char **command; /* path and first arguments */
    BaseCache *cache;
    GMutex lock;    /* protects the fields below */
    char *identity; /* NULL: not asked yet */
    const Family *family;
    bool is_plain; /* leave the family's options out, because compiling failed with them */
};

struct VmCompiled {
    void *handle;
    /* Stays open: the dynamic linker identifies an object by its name /proc/self/fd/N, so N must not be reused. */
    int file;
};

/* -- finding the compiler ---------------------------------------------------------------------- */

static char *find_program(const char *name)
{
    char *found = g_find_program_in_path(name);
    char *path = found ? g_canonicalize_filename(found, NULL) : NULL;
    g_free(found);
    return path;
}

/* Splits a command such as "gcc-12", "/opt/my tools/cc" or "ccache gcc -m64" and finds its program. */
static char **find_command(const char *command)
{
    char **words = NULL;
    char *path = find_program(command);
    if (path) {
        words = g_new0(char *, 2);
    } else if (!g_shell_parse_argv(command, NULL, &words, NULL) || !(path = find_program(words[0]))) {
        g_strfreev(words);
        return NULL;
    }
    g_free(words[0]);
    words[0] = path;
    return words;
}

#define WHAT_TO_DO                                                                                                     \
    "install one (Debian and Ubuntu: package gcc), name one in ORRERY_CC, or run with --tier=interp (same results)"

static char **find_compiler(const char *command, GError **error)
{
    static const char *const usual[] = {"cc", "gcc", "clang"};
    char **words = NULL;
    const char *chosen = command ? command : g_getenv("ORRERY_CC");
    if (chosen && *chosen) {
        words = find_command(chosen);
        if (!words)
            g_set_error(error, VM_ERROR, VM_ERROR_COMPILER, "there is no C compiler '%s'%s; " WHAT_TO_DO, chosen,
                        command ? "" : ", which ORRERY_CC names");
        return words;
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(usual) && !words; i++)
        words = find_command(usual[i]);
    if (!words)
        g_set_error(error, VM_ERROR, VM_ERROR_COMPILER,
                    "there is no C compiler: looked for cc, gcc and clang on PATH; " WHAT_TO_DO);
    return words;
}

VmCompiler *vm_compiler_open(const char *command, const char *cache, GError **error)
{
    char **words = find_compiler(command, error);
    if (!words)
        return NULL;
    VmCompiler *compiler = g_new0(VmCompiler, 1);
    compiler->command = words;
    compiler->cache = base_cache_open(cache);
    g_mutex_init(&compiler->lock);
    return compiler;
}

void vm_compiler_close(VmCompiler *compiler)
{
    if (!compiler)
        return;
    g_strfreev(compiler->command);
    base_cache_close(compiler->cache);
    g_mutex_clear(&compiler->lock);
    g_free(compiler->identity);
    g_free(compiler);
}

/* -- running it -------------------------------------------------------------------------------- */

static const char *const reasons[] = {
    [VM_PROCESS_FAILED] = "failed",
    [VM_PROCESS_CANCELLED] = "was told to stop",
    [VM_PROCESS_OVERDUE] = "did not come to an end and was stopped",
};

static void set_run_error(GError **error, const VmCompiler *compiler, VmProcessEnd end, const char *messages)
{
    enum { LONGEST = 2000 };
    char *command = g_strjoinv(" ", compiler->command);
    g_set_error(error, VM_ERROR, VM_ERROR_COMPILER, "the C compiler %s %s%s%.*s", command, reasons[end],
                *messages ? ": " : "", LONGEST, messages);
    g_free(command);
}

/* What is there to be known of the compiler without running it. Takes `real`. */
static char *describe_command(const VmCompiler *compiler, const char *real)
{
    struct stat status = {0};
    struct utsname host = {0};
    uname(&host);
    stat(compiler->command[0], &status);
    g_autofree char *command = g_strjoinv("\n", compiler->command);
    return g_strdup_printf("%s\n%s\n%s\n%jd %jd.%09ld\n", host.machine, command, real, (intmax_t)status.st_size,
                           (intmax_t)status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
}

/* Whether the file says by itself which compiler it is: not a script, nor a program that starts one or another. */
static bool is_compiler_itself(const VmCompiler *compiler, const char *real)
{
    static const char elf[] = {0x7f, 'E', 'L', 'F'};
    char start[sizeof elf] = {0};
    g_autofree char *name = g_path_get_basename(real);
    if (compiler->command[1] || !g_regex_match_simple("(^|-)(gcc|clang)(-[0-9.]+)?$", name, 0, 0))
        return false;
    int file = open(real, O_RDONLY | O_CLOEXEC);
    bool good = file >= 0 && read(file, start, sizeof start) == sizeof start && memcmp(start, elf, sizeof elf) == 0;
    if (file >= 0)
        close(file);
    return good;
}

static void set_identity(VmCompiler *compiler, const char *description, const char *version)
{
    compiler->identity = g_strdup_printf("%s%s\n", description, version);
    for (compiler->family = families; !strstr(version, compiler->family->sign);)
        compiler->family++;
}

/* Finds the compiler's identity, and so its family's options. Runs of the same compiler have asked before, mostly. The
 * caller holds the lock. */
static bool ask_version(VmCompiler *compiler, const atomic_bool *cancel, GError **error)
{
    char *path = realpath(compiler->command[0], NULL);
    const char *real = path ? path : "";
    g_autofree char *description = describe_command(compiler, real);
    bool notable = is_compiler_itself(compiler, real);
    free(path);
    g_autoptr(GBytes) known = notable ? vm_compiler_note(compiler, description) : NULL;
    if (known) {
        gsize size;
        const char *text = g_bytes_get_data(known, &size);
        g_autofree char *version = g_strndup(text, size);
        set_identity(compiler, description, version);
        return true;
    }
    char *messages;
    GStrvBuilder *builder = g_strv_builder_new();
    g_strv_builder_addv(builder, (const char **)compiler->command);
    g_strv_builder_add(builder, "--version");
    char **argv = g_strv_builder_end(builder);
    g_strv_builder_unref(builder);
    VmProcessEnd end = vm_process_run((const char *const *)argv, NULL, VERSION_SECONDS, cancel, &messages);
    g_strfreev(argv);
    if (end == VM_PROCESS_SUCCEEDED) {
        set_identity(compiler, description, messages);
        g_autoptr(GBytes) version = g_bytes_new(messages, strlen(messages));
        if (notable)
            vm_compiler_keep_note(compiler, description, version);
    } else {
        set_run_error(error, compiler, end, messages);
    }
    g_free(messages);
    return end == VM_PROCESS_SUCCEEDED;
}

static void add_options(GStrvBuilder *builder, const char *options)
{
    char **words = g_strsplit(options ? options : "", " ", -1);
    g_strv_builder_addv(builder, (const char **)words);
    g_strfreev(words);
}

static char **make_arguments(const VmCompiler *compiler, bool plain, VmCompilerEffort effort, const char *source,
                             const char *object)
{
    GStrvBuilder *builder = g_strv_builder_new();
    g_strv_builder_addv(builder, (const char **)compiler->command);
    add_options(builder, COMMON_OPTIONS);
    if (!plain)
        add_options(builder, compiler->family->options);
    if ((effort & ~VM_COMPILER_ROUNDING) == VM_COMPILER_QUICK)
        add_options(builder, QUICK_OPTIONS);
    else if (!plain)
        add_options(builder, compiler->family->full);
    if (effort & VM_COMPILER_ROUNDING)
        add_options(builder, ROUNDING_OPTIONS);
    g_strv_builder_add_many(builder, "-o", object, source, "-lm", NULL);
    char **argv = g_strv_builder_end(builder);
    g_strv_builder_unref(builder);
    return argv;
}

static char *hash(const char *const *parts, unsigned count)
{
    GChecksum *sum = g_checksum_new(G_CHECKSUM_SHA256);
    for (unsigned i = 0; i < count; i++)
        g_checksum_update(sum, (const guchar *)parts[i], (gssize)strlen(parts[i]) + 1);
    char *key = g_strdup(g_checksum_get_string(sum));
    g_checksum_free(sum);
    return key;
}

/* Makes the key of `text` from everything that its code depends on. The compiler falls back by itself to the options
 * without the family's, so these need no key of their own. */
static char *make_key(const VmCompiler *compiler, const char *text, VmCompilerEffort effort)
{
    char **options = make_arguments(compiler, false, effort, "", "");
    char *line = g_strjoinv("\n", options);
    const char *const parts[] = {FORMAT, compiler->identity, line, text};
    char *key = hash(parts, G_N_ELEMENTS(parts));
    g_free(line);
    g_strfreev(options);
    return key;
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *where)
{
    (void)status, (void)kind, (void)where;
    remove(path);
    return 0;
}

/* Removes a directory. Tries again, because a compiler that was killed may still be about to make a file. */
static void remove_directory(const char *path)
{
    for (unsigned i = 0; i < REMOVAL_TRIES; i++) {
        nftw(path, remove_one, 8, FTW_DEPTH | FTW_PHYS);
        if (access(path, F_OK) != 0)
            return;
        g_usleep(1000);
    }
}

/* Removes from the compiler's messages the name of the directory, which differs each time. Takes `messages`. */
static char *without_directory(char *messages, const char *directory)
{
    char *prefix = g_strconcat(directory, "/", NULL);
    char **parts = g_strsplit(messages, prefix, -1);
    char *text = g_strjoinv("", parts);
    g_strfreev(parts);
    g_free(prefix);
    g_free(messages);
    return text;
}

static GBytes *run_compiler(const VmCompiler *compiler, bool plain, VmCompilerEffort effort, const char *directory,
                            const atomic_bool *cancel, VmProcessEnd *end, GError **error)
{
    char *source = g_build_filename(directory, "code.c", NULL), *object = g_build_filename(directory, "code.so", NULL);
    char **argv = make_arguments(compiler, plain, effort, source, object), *messages, *content = NULL;
    gsize size;
    *end = vm_process_run((const char *const *)argv, directory, COMPILE_SECONDS, cancel, &messages);
    messages = without_directory(messages, directory);
    if (*end != VM_PROCESS_SUCCEEDED)
        set_run_error(error, compiler, *end, messages);
    else if (!g_file_get_contents(object, &content, &size, NULL))
        set_run_error(error, compiler, VM_PROCESS_FAILED, *messages ? messages : "it made nothing");
    g_free(messages);
    g_strfreev(argv);
    g_free(object);
    g_free(source);
    return content ? g_bytes_new_take(content, size) : NULL;
}

/* Compiles the text in `directory`. If that fails because of the family's options, compiles without them. */
static GBytes *compile_in(VmCompiler *compiler, VmCompilerEffort effort, const char *directory,
                          const atomic_bool *cancel, GError **error)
{
    g_mutex_lock(&compiler->lock);
    bool plain = compiler->is_plain || !compiler->family->options;
    g_mutex_unlock(&compiler->lock);
    GError *first = NULL;
    VmProcessEnd end;
    GBytes *object = run_compiler(compiler, plain, effort, directory, cancel, &end, &first);
    if (!object && !plain && end == VM_PROCESS_FAILED) {
        object = run_compiler(compiler, true, effort, directory, cancel, &end, NULL);
        g_mutex_lock(&compiler->lock);
        compiler->is_plain |= object != NULL;
        g_mutex_unlock(&compiler->lock);
    }
    if (object)
        g_clear_error(&first);
    else
        g_propagate_error(error, first);
    return object;
}

static GBytes *compile(VmCompiler *compiler, const char *text, VmCompilerEffort effort, const atomic_bool *cancel,
                       GError **error)
{
    GBytes *object = NULL;
    GError *problem = NULL;
    char *directory = g_dir_make_tmp("orrery-XXXXXX", &problem);
    char *source = directory ? g_build_filename(directory, "code.c", NULL) : NULL;
    if (directory && g_file_set_contents(source, text, -1, &problem))
        object = compile_in(compiler, effort, directory, cancel, error);
    if (problem) {
        g_set_error(error, VM_ERROR, VM_ERROR_COMPILER, "no place for the C compiler's work: %s (TMPDIR names another)",
                    problem->message);
        g_error_free(problem);
    }
    if (directory)
        remove_directory(directory);
    g_free(source);
    g_free(directory);
    return object;
}

/* -- loading ----------------------------------------------------------------------------------- */

static bool write_bytes(int file, GBytes *bytes)
{
    gsize size;
    const char *content = g_bytes_get_data(bytes, &size);
    for (gsize done = 0; done < size;) {
        ssize_t put = write(file, content + done, size - done);
        if (put < 0 && errno != EINTR)
            return false;
        done += put < 0 ? 0 : (gsize)put;
    }
    return true;
}

static VmCompiled *load(GBytes *object, GError **error)
{
    char path[64];
    int file = vm_process_nameless_file();
    void *handle = NULL;
    const char *problem;
    if (file >= 0 && write_bytes(file, object)) {
        g_snprintf(path, sizeof path, "/proc/self/fd/%d", file);
        handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
        problem = handle ? NULL : dlerror();
        if (problem && access("/proc/self/fd", F_OK) != 0)
            problem = "that takes a path in /proc, which is not mounted";
    } else {
        problem = g_strerror(errno);
    }
    if (handle) {
        VmCompiled *code = g_new(VmCompiled, 1);
        *code = (VmCompiled){handle, file};
        return code;
    }
    g_set_error(error, VM_ERROR, VM_ERROR_COMPILER, "what the C compiler made cannot be loaded: %s", problem);
    if (file >= 0)
        close(file);
    return NULL;
}

void *vm_compiler_symbol(VmCompiled *code, const char *name)
{
    return dlsym(code->handle, name);
}

void vm_compiler_unload(VmCompiled *code)
{
    if (!code)
        return;
    dlclose(code->handle);
    close(code->file);
    g_free(code);
}

/* -- all of it --------------------------------------------------------------------------------- */

static VmCompiled *load_cached(VmCompiler *compiler, const char *key)
{
    GBytes *object = base_cache_load(compiler->cache, key);
    VmCompiled *code = object ? load(object, NULL) : NULL;
    g_bytes_unref(object);
    return code;
}

static bool is_known(VmCompiler *compiler, const atomic_bool *cancel, GError **error)
{
    g_mutex_lock(&compiler->lock);
    bool known = compiler->identity || ask_version(compiler, cancel, error);
    g_mutex_unlock(&compiler->lock);
    return known;
}

/* The key of a note that names the code's key. Whoever makes texts is this file of the host: another may make other
 * ones of the same subject. NULL: it cannot be known. */
static char *make_subject_key(const VmCompiler *compiler, const char *subject, VmCompilerEffort effort)
{
    struct stat status;
    if (stat("/proc/self/exe", &status))
        return NULL;
    char stamp[96];
    g_snprintf(stamp, sizeof stamp, "subject %jd %jd %jd.%09ld", (intmax_t)status.st_ino, (intmax_t)status.st_size,
               (intmax_t)status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
    g_autofree char *both = g_strconcat(stamp, "\n", subject, NULL);
    return make_key(compiler, both, effort);
}

VmCompiled *vm_compiler_recall(VmCompiler *compiler, const char *subject, VmCompilerEffort effort,
                               const atomic_bool *cancel)
{
    g_autofree char *key = is_known(compiler, cancel, NULL) ? make_subject_key(compiler, subject, effort) : NULL;
    g_autoptr(GBytes) note = key ? base_cache_load(compiler->cache, key) : NULL;
    gsize size = 0;
    const char *named = note ? g_bytes_get_data(note, &size) : NULL;
    if (!note || size != strlen(key))
        return NULL;
    g_autofree char *code_key = g_strndup(named, size);
    return load_cached(compiler, code_key);
}

static void note_subject(VmCompiler *compiler, const char *subject, VmCompilerEffort effort, const char *code_key)
{
    g_autofree char *key = make_subject_key(compiler, subject, effort);
    g_autoptr(GBytes) note = g_bytes_new(code_key, strlen(code_key));
    if (key)
        base_cache_store(compiler->cache, key, note);
}

VmCompiled *vm_compiler_compile(VmCompiler *compiler, const char *subject, const char *text, VmCompilerEffort effort,
                                const atomic_bool *cancel, GError **error)
{
    if (!is_known(compiler, cancel, error))
        return NULL;
    char *key = make_key(compiler, text, effort);
    VmCompiled *code = load_cached(compiler, key);
    if (!code) {
        GBytes *object = compile(compiler, text, effort, cancel, error);
        code = object ? load(object, error) : NULL;
        if (code)
            base_cache_store(compiler->cache, key, object);
        g_bytes_unref(object);
    }
    if (code && subject)
        note_subject(compiler, subject, effort, key);
    g_free(key);
    return code;
}

/* -- notes ------------------------------------------------------------------------------------- */

static char *note_key(const char *subject)
{
    const char *const parts[] = {FORMAT, "note", subject};
    return hash(parts, G_N_ELEMENTS(parts));
}

GBytes *vm_compiler_note(VmCompiler *compiler, const char *subject)
{
    char *key = note_key(subject);
    GBytes *note = base_cache_load(compiler->cache, key);
    g_free(key);
    return note;
}

void vm_compiler_keep_note(VmCompiler *compiler, const char *subject, GBytes *note)
{
    char *key = note_key(subject);
    base_cache_store(compiler->cache, key, note);
    g_free(key);
}
