/* compiled.c - objects of sources that were compiled before: who runs a program again does not wait for the compiler.
 *
 * The key of an object is a hash of the source's text and name, the working directory, all options, and the files that
 * are Orrery and its preprocessor. The entry names the headers that the source was seen to include, and what tells
 * whether each is still the same file with the same content: device, inode, size, and the times of change, which no
 * program can set back. It also names the places where the preprocessor would look for a header before it comes to the
 * one that it found, where there was nothing; a file that appears there makes the entry invalid.
 *
 *     entry:   number of bytes of the text, 8 bytes       text: a line for each file       the object's vCode file
 *              "=DEVICE INODE SIZE CHANGED PATH"  a header          "!PATH"  nothing is there
 *
 * An object is kept only if its compilation said nothing, so a warning is given each time. Sources that ask whether a
 * header exists are not kept either, and nothing that changed within the last moment: a file may change twice within
 * what the host's clock of files can tell apart.
 */
#include "cli/build/compiled.h"
#include "base/cache.h"

#include <string.h>
#include <sys/stat.h>
#include <time.h>

enum { MOST_PLACES = 20000 };         /* places that must stay empty; a source with more is compiled each time */
#define SETTLED_NS INT64_C(100000000) /* age from which a file's times tell of every change */

struct CliCompiled {
    BaseCache *cache;
    char *key;
    char *path;
    int64_t begun_ns;
    GPtrArray *directories; /* char *: where headers are looked for */
    char *headers;          /* the directory of Orrery's own headers, with a slash at its end */
};

static int64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

static int64_t changed_ns(const struct stat *status)
{
    int64_t written = status->st_mtim.tv_sec * INT64_C(1000000000) + status->st_mtim.tv_nsec;
    int64_t changed = status->st_ctim.tv_sec * INT64_C(1000000000) + status->st_ctim.tv_nsec;
    return MAX(written, changed);
}

/* -- the key ----------------------------------------------------------------------------------- */

static void add_text(GChecksum *sum, const char *text)
{
    g_checksum_update(sum, (const guchar *)text, (gssize)strlen(text) + 1);
}

static bool add_identity(GChecksum *sum, const char *path)
{
    struct stat status;
    if (!path || stat(path, &status))
        return false;
    const int64_t identity[] = {(int64_t)status.st_dev, (int64_t)status.st_ino, (int64_t)status.st_size,
                                changed_ns(&status)};
    g_checksum_update(sum, (const guchar *)identity, sizeof identity);
    return true;
}

/* The options as bytes, without pointers. */
static void add_options(GChecksum *sum, const CcOptions *options)
{
    CcOptions plain;
    memcpy(&plain, options, sizeof plain);
    plain.include_dir = NULL;
    plain.cpp_flags = NULL;
    g_checksum_update(sum, (const guchar *)&plain, sizeof plain);
}

/* Whether a flag of the preprocessor has results of its own, or reads what line markers do not tell. */
static bool is_special(const char *flag)
{
    static const char *const special[] = {"-M", "-Wp,", "-H", "-d", "-imacros", "-f", "-trigraphs-"};
    for (size_t i = 0; i < G_N_ELEMENTS(special); i++)
        if (g_str_has_prefix(flag, special[i]))
            return true;
    return false;
}

/* Takes the directories of -I and the like. */
static void take_directories(CliCompiled *compiled, const GPtrArray *flags)
{
    static const char *const options[] = {"-isystem", "-iquote", "-idirafter", "-I"};
    for (guint i = 0; i < flags->len; i++) {
        const char *flag = g_ptr_array_index(flags, i);
        for (size_t k = 0; k < G_N_ELEMENTS(options); k++) {
            if (!g_str_has_prefix(flag, options[k]))
                continue;
            const char *value = flag + strlen(options[k]);
            if (!*value && i + 1 < flags->len)
                value = g_ptr_array_index(flags, ++i);
            g_ptr_array_add(compiled->directories, g_strdup(value));
            break;
        }
    }
}

static bool can_keep(const CliBuild *build, const char *path)
{
    const CcOptions *options = &build->compile;
    if (strcmp(path, "-") == 0 || options->preprocessed || g_str_has_suffix(path, ".i") || build->depend ||
        options->dump || options->diagnostics_format != CC_DIAGNOSTICS_TEXT)
        return false;
    for (guint i = 0; i < build->flags->len; i++)
        if (is_special(g_ptr_array_index(build->flags, i)))
            return false;
    return true;
}

static char *make_key(const CliBuild *build, const char *path, const char *source, gsize size)
{
    g_autofree char *here = g_get_current_dir(), *preprocessor = g_find_program_in_path("cpp");
    const char *epoch = g_getenv("SOURCE_DATE_EPOCH");
    GChecksum *sum = g_checksum_new(G_CHECKSUM_SHA256);
    bool known = add_identity(sum, "/proc/self/exe") && add_identity(sum, preprocessor);
    add_options(sum, &build->compile);
    add_text(sum, build->compile.include_dir);
    for (guint i = 0; i < build->flags->len; i++)
        add_text(sum, g_ptr_array_index(build->flags, i));
    add_text(sum, epoch ? epoch : "");
    add_text(sum, here);
    add_text(sum, path);
    g_checksum_update(sum, (const guchar *)source, (gssize)size);
    char *key = known ? g_strdup(g_checksum_get_string(sum)) : NULL;
    g_checksum_free(sum);
    return key;
}

CliCompiled *cli_compiled_new(const CliBuild *build, const char *path)
{
    int64_t begun_ns = now_ns();
    g_autofree char *source = NULL;
    gsize size;
    if (!can_keep(build, path) || !g_file_get_contents(path, &source, &size, NULL))
        return NULL;
    char *key = make_key(build, path, source, size);
    if (!key)
        return NULL;
    CliCompiled *compiled = g_new0(CliCompiled, 1);
    compiled->cache = base_cache_open(NULL);
    compiled->key = key;
    compiled->path = g_strdup(path);
    compiled->begun_ns = begun_ns;
    compiled->headers = g_strconcat(build->compile.include_dir, "/", NULL);
    compiled->directories = g_ptr_array_new_with_free_func(g_free);
    take_directories(compiled, build->flags);
    g_ptr_array_add(compiled->directories, g_strdup(build->compile.include_dir));
    return compiled;
}

void cli_compiled_free(CliCompiled *compiled)
{
    if (!compiled)
        return;
    base_cache_close(compiled->cache);
    g_ptr_array_unref(compiled->directories);
    g_free(compiled->headers);
    g_free(compiled->path);
    g_free(compiled->key);
    g_free(compiled);
}

/* -- finding ----------------------------------------------------------------------------------- */

static void append_file(GString *out, const char *path, const struct stat *status)
{
    g_string_append_printf(out, "=%ju %ju %jd %" G_GINT64_FORMAT " %s\n", (uintmax_t)status->st_dev,
                           (uintmax_t)status->st_ino, (intmax_t)status->st_size, changed_ns(status), path);
}

/* Whether a line of an entry still holds. */
static bool still_holds(const char *line)
{
    struct stat status;
    if (*line == '!')
        return stat(line + 1, &status) != 0;
    const char *path = line;
    for (int blanks = 0; path && blanks < 4; blanks++) {
        path = strchr(path, ' ');
        path = path ? path + 1 : NULL;
    }
    if (*line != '=' || !path || stat(path, &status))
        return false;
    g_autoptr(GString) now = g_string_new(NULL);
    append_file(now, path, &status);
    return strncmp(now->str, line, now->len - 1) == 0 && line[now->len - 1] == '\0';
}

VcodeModule *cli_compiled_find(CliCompiled *compiled)
{
    g_autoptr(GBytes) entry = base_cache_load(compiled->cache, compiled->key);
    gsize size = 0;
    uint64_t bytes;
    const char *content = entry ? g_bytes_get_data(entry, &size) : NULL;
    if (size < sizeof bytes)
        return NULL;
    memcpy(&bytes, content, sizeof bytes);
    if (bytes > size - sizeof bytes)
        return NULL;
    g_autofree char *text = g_strndup(content + sizeof bytes, bytes);
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (char **line = lines; *line && **line; line++)
        if (!still_holds(*line))
            return NULL;
    return vcode_file_read_bytes(content + sizeof bytes + bytes, size - sizeof bytes - bytes, compiled->path, NULL);
}

/* -- keeping ----------------------------------------------------------------------------------- */

/* Returns the files that line markers name: # 1 "path" 1. */
static GHashTable *included_files(const char *text)
{
    GHashTable *files = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (line[0] != '#' || line[1] != ' ' || !g_ascii_isdigit(line[2]))
            continue;
        const char *from = strchr(line, '"'), *end = strchr(line, '\n');
        const char *to = from ? from + 1 : NULL;
        while (to && to < end && *to != '"')
            to += 1 + (*to == '\\');
        if (!to || to >= end || from[1] == '<')
            continue;
        g_autofree char *quoted = g_strndup(from + 1, (gsize)(to - from - 1));
        g_hash_table_add(files, g_strcompress(quoted));
    }
    return files;
}

/* Whether a file other than our own headers asks which headers exist. */
static bool asks_for_headers(const CliCompiled *compiled, const char *path)
{
    g_autofree char *text = NULL;
    if (g_str_has_prefix(path, compiled->headers))
        return false;
    return !g_file_get_contents(path, &text, NULL, NULL) || strstr(text, "__has_include");
}

/* Appends a file that the object depends on. Returns false if it is not known to have stayed as it is. */
static bool append_known(CliCompiled *compiled, const char *path, GString *out)
{
    struct stat status;
    if (strchr(path, '\n'))
        return false;
    if (stat(path, &status)) {
        g_string_append_printf(out, "!%s\n", path); /* a name that #line has made up */
        return true;
    }
    append_file(out, path, &status);
    return changed_ns(&status) + SETTLED_NS < compiled->begun_ns;
}

/* Appends the places where a header of this name would have been found before, or instead. */
static bool append_rivals(CliCompiled *compiled, const char *path, GHashTable *files, GHashTable *seen, GString *out)
{
    for (guint i = 0; i < compiled->directories->len; i++) {
        const char *directory = g_ptr_array_index(compiled->directories, i);
        gsize length = strlen(directory);
        if (length && (!g_str_has_prefix(path, directory) || path[length] != '/'))
            continue;
        const char *name = path + length + (length > 0);
        for (guint k = 0; k < compiled->directories->len; k++) {
            const char *other = g_ptr_array_index(compiled->directories, k);
            char *rival = *other ? g_strconcat(other, "/", name, NULL) : g_strdup(name);
            bool is_file = g_hash_table_contains(files, rival);
            if (is_file)
                g_free(rival);
            if (is_file || !g_hash_table_add(seen, rival))
                continue;
            if (g_hash_table_size(seen) > MOST_PLACES || !append_known(compiled, rival, out))
                return false;
        }
    }
    return true;
}

/* The directory of a file as the preprocessor would write it; "" for a file without one. */
static char *directory_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? g_strndup(path, (gsize)(slash - path)) : g_strdup("");
}

static void add_directory(CliCompiled *compiled, const char *path)
{
    char *directory = directory_of(path);
    for (guint i = 0; i < compiled->directories->len; i++)
        if (strcmp(g_ptr_array_index(compiled->directories, i), directory) == 0) {
            g_free(directory);
            return;
        }
    g_ptr_array_add(compiled->directories, directory);
}

/* Appends a line for each file whose change would make another object. */
static bool append_files(CliCompiled *compiled, const char *text, GString *out)
{
    g_autoptr(GHashTable) files = included_files(text);
    g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_autoptr(GList) paths = g_list_sort(g_hash_table_get_keys(files), (GCompareFunc)strcmp);
    add_directory(compiled, compiled->path);
    for (GList *at = paths; at; at = at->next)
        add_directory(compiled, at->data);
    for (GList *at = paths; at; at = at->next) {
        gsize before = out->len;
        if (!append_known(compiled, at->data, out) || asks_for_headers(compiled, at->data) ||
            !append_rivals(compiled, at->data, files, seen, out))
            return false;
        if (strcmp(at->data, compiled->path) == 0)
            g_string_truncate(out, before); /* its text is in the key */
    }
    return true;
}

void cli_compiled_keep(CliCompiled *compiled, const char *text, const VcodeModule *object)
{
    g_autoptr(GString) entry = g_string_new(NULL);
    uint64_t bytes = 0;
    g_string_append_len(entry, (const char *)&bytes, sizeof bytes);
    if (!append_files(compiled, text, entry))
        return;
    bytes = entry->len - sizeof bytes;
    memcpy(entry->str, &bytes, sizeof bytes);
    g_autoptr(GBytes) file = vcode_file_bytes(object);
    gsize size;
    const char *content = g_bytes_get_data(file, &size);
    g_string_append_len(entry, content, (gssize)size);
    g_autoptr(GBytes) whole = g_bytes_new(entry->str, entry->len);
    base_cache_store(compiled->cache, compiled->key, whole);
}
