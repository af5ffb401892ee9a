/* archive.c - reads static libraries made by ar(1).
 *
 *     "!<arch>\n"  or "!<thin>\n": a thin archive, whose members are in files of their own
 *     members      a header of 60 text bytes, the content, a byte to make it even
 *
 * The symbol table "/" that ar makes for objects it knows is skipped: the members themselves are read. Long names are
 * in the member "//" (GNU) or before the content (BSD). Members that are no vCode are skipped, since archives may hold
 * a README, unless there is nothing else. Nothing in the file is trusted.
 */
#include "cli/build/archive.h"
#include "cli/base/base.h"
#include "cli/build/build.h"
#include "vcode/vcode.h"

#include <string.h>

enum { MAGIC = 8, HEADER = 60, NAME = 16, SIZE_AT = 48, SIZE = 10 };

typedef struct Archive {
    const char *path;
    const char *bytes;
    gsize size;
    bool thin;
    const char *names; /* content of the member "//" */
    gsize names_size;
    GPtrArray *modules;
    char *foreign; /* describes the first member that is no vCode; NULL: none so far */
} Archive;

static bool damaged(const Archive *archive, const char *what, GError **error)
{
    g_set_error(error, CLI_ERROR, CLI_ERROR_FILE, "%s: damaged archive (%s); make it again", archive->path, what);
    return false;
}

/* Reads a decimal number that ends at a blank. Returns false if there is none. */
static bool read_number(const char *text, gsize room, guint64 *value)
{
    gsize n = 0;
    for (*value = 0; n < room && g_ascii_isdigit(text[n]) && n < 18; n++)
        *value = *value * 10 + (guint64)(text[n] - '0');
    return n > 0;
}

/* Returns the name of a member. It is in the header, in the table of names, or before the content if the header has
 * "#1/LENGTH"; then the content shrinks. */
static char *member_name(const Archive *archive, const char *header, const char **content, gsize *size)
{
    guint64 number;
    if (header[0] == '/' && read_number(header + 1, NAME - 1, &number)) {
        if (number >= archive->names_size)
            return NULL;
        const char *name = archive->names + number, *end = memchr(name, '\n', archive->names_size - number);
        gsize length = end ? (gsize)(end - name) : archive->names_size - number;
        return g_strndup(name, length && name[length - 1] == '/' ? length - 1 : length);
    }
    if (memcmp(header, "#1/", 3) == 0 && read_number(header + 3, NAME - 3, &number)) {
        if (number > *size)
            return NULL;
        char *name = g_strndup(*content, number);
        *content += number;
        *size -= number;
        return name;
    }
    char *name = g_strchomp(g_strndup(header, NAME));
    gsize length = strlen(name);
    if (length > 1 && name[length - 1] == '/' && name[0] != '/')
        name[length - 1] = '\0';
    return name;
}

static bool add_module(Archive *archive, const char *name, const char *content, gsize size, GError **error)
{
    g_autofree char *full = g_strdup_printf("%s(%s)", archive->path, name);
    if (!vcode_file_is_vcode_bytes(content, size)) {
        if (!archive->foreign && size)
            archive->foreign = g_strdup(cli_file_describe(content, size));
        return true;
    }
    VcodeModule *module = vcode_file_read_bytes(content, size, full, error);
    if (!module)
        return false;
    if (module->kind != VCODE_OBJECT) {
        g_set_error(error, CLI_ERROR, CLI_ERROR_FILE, "%s: this is a linked program; only objects can be linked", full);
        vcode_module_free(module);
        return false;
    }
    g_ptr_array_add(archive->modules, module);
    return true;
}

/* Adds a member of a thin archive. Its name is a path relative to the archive. */
static bool add_thin(Archive *archive, const char *name, GError **error)
{
    g_autofree char *folder = g_path_get_dirname(archive->path);
    g_autofree char *path = g_path_is_absolute(name) ? g_strdup(name) : g_build_filename(folder, name, NULL);
    g_autofree char *content = NULL;
    gsize size;
    g_autoptr(GError) why = NULL;
    if (g_file_get_contents(path, &content, &size, &why))
        return add_module(archive, name, content, size, error);
    g_set_error(error, CLI_ERROR, CLI_ERROR_FILE, "%s: its member %s cannot be read: %s", archive->path, path,
                why->message);
    return false;
}

/* Adds the member at offset *at, and moves *at to its end. */
static bool add_member(Archive *archive, gsize *at, GError **error)
{
    const char *header = archive->bytes + *at, *content = header + HEADER;
    guint64 length;
    if (archive->size - *at < HEADER || memcmp(header + HEADER - 2, "`\n", 2) != 0 ||
        !read_number(header + SIZE_AT, SIZE, &length))
        return damaged(archive, "a member without header", error);
    bool names = memcmp(header, "// ", 3) == 0;
    bool symbols = memcmp(header, "/ ", 2) == 0 || memcmp(header, "/SYM64/", 7) == 0;
    bool inside = names || symbols || !archive->thin;
    gsize rest = archive->size - *at - HEADER, size = (gsize)MIN(length, rest);
    if (inside && length > rest)
        return damaged(archive, "it ends within a member", error);
    *at += HEADER + (inside ? size + (size & 1) : 0);
    if (names) {
        archive->names = content;
        archive->names_size = size;
    }
    if (names || symbols)
        return true;
    g_autofree char *name = member_name(archive, header, &content, &size);
    if (!name)
        return damaged(archive, "the name of a member lies outside", error);
    return archive->thin ? add_thin(archive, name, error) : add_module(archive, name, content, size, error);
}

static bool is_archive(const char *bytes, gsize size, bool *thin)
{
    *thin = size >= MAGIC && memcmp(bytes, "!<thin>\n", MAGIC) == 0;
    return *thin || (size >= MAGIC && memcmp(bytes, "!<arch>\n", MAGIC) == 0);
}

GPtrArray *cli_archive_read(const char *path, GError **error)
{
    g_autofree char *bytes = NULL;
    Archive archive = {.path = path};
    if (!g_file_get_contents(path, &bytes, &archive.size, error))
        return NULL;
    archive.bytes = bytes;
    if (!is_archive(bytes, archive.size, &archive.thin)) {
        g_set_error(error, CLI_ERROR, CLI_ERROR_FILE, "%s: not an archive: %s", path,
                    cli_file_describe(bytes, archive.size));
        return NULL;
    }
    archive.modules = g_ptr_array_new_with_free_func((GDestroyNotify)vcode_module_free);
    bool good = true;
    for (gsize at = MAGIC; good && at < archive.size;)
        good = add_member(&archive, &at, error);
    if (good && archive.foreign && !archive.modules->len) {
        good = false;
        g_set_error(error, CLI_ERROR, CLI_ERROR_FILE, "%s: what is in this archive is %s; build it with `orrery cc`",
                    path, archive.foreign);
    }
    g_free(archive.foreign);
    if (!good)
        g_clear_pointer(&archive.modules, g_ptr_array_unref);
    return archive.modules;
}
