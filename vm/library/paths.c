/* paths.c - which files of the host a simulated process may have, and how it opens them.
 *
 * VmFs: NONE opens nothing. CWD opens only what lies under the working directory after symbolic links and ".." are
 * resolved. ALL opens everything. Pipes and sockets of the host are refused, because they could block. What belongs to
 * the simulator is refused everywhere: the cache of native code, from which later runs take what they execute, and the
 * simulator's process under /proc. Nor may the directories above the cache be renamed, removed or replaced, because
 * then the path would lead to another cache.
 *
 *      $HOME/.cache/orrery/native/...         nothing at all: refused
 *      $HOME   .cache   orrery                may be gone through, not renamed, removed, linked
 *
 * Two things of the host that would show are replaced. The mode of a new file comes from the program's own umask(), not
 * from the process's. The limit on open files, which all ranks share, is hidden: each rank has C_MOST_FILES of its own.
 */
#include "base/cache.h"
#include "vm/library/calls.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_LINKS = 40, DEFAULT_MASK = 022 };

static bool inside(const char *root, const char *path)
{
    size_t length = strlen(root);
    return strcmp(root, "/") == 0 ||
           (strncmp(path, root, length) == 0 && (path[length] == '/' || path[length] == '\0'));
}

/* -- what is the simulator's own --------------------------------------------------------------- */

/* Resolves the part of the path that exists. */
static char *resolve_existing(const char *path)
{
    char *found = realpath(path, NULL);
    if (found) {
        char *copy = g_strdup(found);
        free(found);
        return copy;
    }
    g_autofree char *parent = g_path_get_dirname(path), *base = g_path_get_basename(path);
    if (strcmp(parent, path) == 0)
        return g_strdup(path);
    g_autofree char *resolved = resolve_existing(parent);
    return g_build_filename(resolved, base, NULL);
}

static void add_own(GPtrArray *own, char *path /* taken */)
{
    if (!path)
        return;
    g_ptr_array_add(own, resolve_existing(path));
    g_ptr_array_add(own, path); /* the path as it is named, so that its links cannot be replaced either */
}

static const GPtrArray *own_places(VmRank *rank)
{
    VmWorld *world = rank->world;
    if (!world->own_places) {
        world->own_places = g_ptr_array_new_with_free_func(g_free);
        add_own(world->own_places, base_cache_place());
        g_ptr_array_add(world->own_places, g_strdup_printf("/proc/%ld", (long)getpid()));
    }
    return world->own_places;
}

/* Whether a resolved path is the simulator's, or, if `alters`, lies above it. `alters`: the call changes the name
 * itself. */
static bool is_own(VmRank *rank, const char *full, bool alters)
{
    const GPtrArray *own = own_places(rank);
    for (guint i = 0; i < own->len; i++)
        if (inside(own->pdata[i], full) || (alters && inside(full, own->pdata[i])))
            return true;
    return false;
}

/* -- paths ------------------------------------------------------------------------------------- */

/* Resolves the path's directory: "resolved directory/last component". Returns NULL with *error. */
static char *resolve_parent(const char *path, int *error)
{
    const char *slash = strrchr(path, '/');
    const char *base = slash ? slash + 1 : path;
    bool whole = *base == '\0' || strcmp(base, ".") == 0 || strcmp(base, "..") == 0;
    g_autofree char *parent = whole   ? g_strdup(path)
                              : slash ? g_strndup(path, (gsize)(slash - path) + 1)
                                      : g_strdup(".");
    char *resolved = realpath(parent, NULL);
    if (!resolved) {
        *error = errno;
        return NULL;
    }
    char *result = whole ? g_strdup(resolved) : g_build_filename(resolved, base, NULL);
    free(resolved);
    return result;
}

static bool is_link(const char *path)
{
    struct stat status;
    return lstat(path, &status) == 0 && S_ISLNK(status.st_mode);
}

/* Like resolve_parent(), but follows the last component too, which may lead to a file that does not exist yet. */
static char *resolve_all(const char *path, int *error)
{
    char *full = resolve_parent(path, error);
    for (int links = 0; full && is_link(full); links++) {
        g_autofree char *link = full, *target = g_file_read_link(link, NULL);
        g_autofree char *directory = g_path_get_dirname(link);
        g_autofree char *next = target ? g_canonicalize_filename(target, directory) : NULL;
        *error = links < MOST_LINKS ? ENOENT : ELOOP;
        full = next && links < MOST_LINKS ? resolve_parent(next, error) : NULL;
    }
    return full;
}

/* Resolves a path that must lie under the working directory. A dangling link is refused, because a file could be made
 * through it elsewhere. Returns NULL with *error, which is 0 if VmFs is what denies the file. */
static char *inside_directory(const char *root_name, const char *path, bool follow, int *error)
{
    char *root = realpath(root_name ? root_name : ".", NULL);
    g_autofree char *full = root ? resolve_parent(path, error) : NULL;
    if (full && follow && is_link(full)) {
        char *target = realpath(full, NULL);
        g_free(full);
        full = g_strdup(target);
        free(target);
    }
    bool allowed = full && inside(root, full);
    free(root);
    return allowed ? g_steal_pointer(&full) : NULL;
}

const char *vm_library_directory(const VmRank *rank)
{
    const char *moved = rank->library ? rank->library->directory : NULL;
    return moved ? moved : vm_rank_limits(rank)->directory;
}

/* VmFs denies the rank a file: sets EACCES and calls VmHost.refused_file. */
static char *refuse(VmRank *rank, const char *path, int *error)
{
    const VmHost *host = &rank->world->host;
    *error = EACCES;
    if (host->refused_file)
        host->refused_file(host->user, vm_rank_index(rank), path);
    return NULL;
}

static char *find_path(VmRank *rank, const char *path, bool follow, bool alters, int *error)
{
    VmFs fs = vm_rank_limits(rank)->fs;
    if (!vm_library_turn(rank)) {
        *error = EAGAIN;
        return NULL;
    }
    if (!alters && strcmp(path, "/dev/null") == 0) { /* it holds nothing that VmFs could protect */
        *error = 0;
        vm_library_stored_name(rank, path);
        return g_strdup(path);
    }
    if (fs == VM_FS_NONE)
        return refuse(rank, path, error);
    *error = *path == '\0' ? ENOENT : 0;
    if (*error)
        return NULL;
    const char *directory = vm_library_directory(rank), *asked = path;
    g_autofree char *moved = directory && *path != '/' ? g_build_filename(directory, path, NULL) : NULL;
    if (moved)
        path = moved;
    g_autofree char *full = fs == VM_FS_CWD ? inside_directory(vm_rank_limits(rank)->directory, path, follow, error)
                            : follow        ? resolve_all(path, error)
                                            : resolve_parent(path, error);
    if (fs == VM_FS_CWD && !full && *error == 0)
        return refuse(rank, asked, error);
    if (full && is_own(rank, full, alters)) {
        *error = EACCES;
        return NULL;
    }
    *error = full ? 0 : *error;
    if (full)
        vm_library_stored_name(rank, full);
    return !full ? NULL : fs == VM_FS_ALL ? g_strdup(path) : g_steal_pointer(&full);
}

char *vm_library_path(VmRank *rank, const char *path, bool follow, int *error)
{
    return find_path(rank, path, follow, false, error);
}

char *vm_library_name(VmRank *rank, const char *path, int *error)
{
    return find_path(rank, path, false, true, error);
}

/* -- opening ----------------------------------------------------------------------------------- */

unsigned vm_library_file_mask(const VmRank *rank)
{
    return rank->library && rank->library->masked ? rank->library->file_mask : DEFAULT_MASK;
}

static int open_more(VmRank *rank, const char *path, int flags, unsigned mode)
{
    int descriptor;
    do
        descriptor = open(path, flags, mode);
    while (descriptor < 0 && vm_library_host_allows_more(rank, errno));
    return descriptor;
}

/* Opens or makes a file. A new file gets the mode that the program asks for, whatever the simulator's umask is. */
static int open_or_make(VmRank *rank, const char *path, int flags, unsigned mode)
{
    if (!(flags & O_CREAT))
        return open_more(rank, path, flags, 0);
    int descriptor = open_more(rank, path, flags | O_EXCL, mode);
    if (descriptor >= 0)
        return fchmod(descriptor, mode), descriptor;
    if (errno != EEXIST || flags & O_EXCL)
        return -1;
    descriptor = open_more(rank, path, flags & ~O_CREAT, 0);
    return descriptor < 0 && errno == ENOENT ? open_more(rank, path, flags, mode) : descriptor; /* a dangling link */
}

int vm_library_open(VmRank *rank, const char *path, int flags, unsigned mode, int *error)
{
    const int known = O_ACCMODE | O_CREAT | O_EXCL | O_TRUNC | O_APPEND | O_DIRECTORY;
    g_autofree char *full = vm_library_path(rank, path, !(flags & O_EXCL), error);
    if (full && !vm_library_has_room(rank))
        *error = EMFILE;
    if (!full || *error)
        return -1;
    flags = (flags & known) | O_CLOEXEC | O_NOCTTY | O_NONBLOCK;
    if (vm_rank_limits(rank)->fs == VM_FS_CWD)
        flags |= O_NOFOLLOW;
    int descriptor = open_or_make(rank, full, flags, mode & 0777 & ~vm_library_file_mask(rank));
    struct stat status;
    if (descriptor < 0 || fstat(descriptor, &status) != 0) {
        *error = errno;
    } else if (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode)) {
        close(descriptor);
        descriptor = -1;
        *error = EACCES;
    }
    return descriptor;
}

/* Resolves a path as VmFs allows for a rank that is about to begin, or whose simulator asks on its behalf. */
static char *resolve_for(const VmRank *rank, const char *path)
{
    const VmLimits *limits = vm_rank_limits(rank);
    const char *directory = vm_library_directory(rank);
    int error = 0;
    if (limits->fs == VM_FS_NONE || !*path)
        return NULL;
    g_autofree char *from = directory && *path != '/' ? g_build_filename(directory, path, NULL) : g_strdup(path);
    return limits->fs == VM_FS_CWD ? inside_directory(limits->directory, from, true, &error)
                                   : resolve_all(from, &error);
}

bool vm_library_begin_in(VmRank *rank, const char *path)
{
    g_autofree char *full = resolve_for(rank, path);
    if (!full || !g_file_test(full, G_FILE_TEST_IS_DIR))
        return false;
    VmLibrary *library = vm_library_of(rank);
    g_free(library->directory);
    library->directory = g_steal_pointer(&full);
    return true;
}

char *vm_library_read_text(VmRank *rank, const char *path)
{
    enum { MOST = 1 << 16 };
    g_autofree char *full = resolve_for(rank, path);
    char *text = NULL;
    gsize length = 0;
    GStatBuf status;
    if (full && g_stat(full, &status) == 0 && S_ISREG(status.st_mode) && status.st_size <= MOST &&
        g_file_get_contents(full, &text, &length, NULL))
        return text;
    return NULL;
}
