/* posix.c - descriptors, the file system and the process as POSIX programs see them.
 *
 * What a program learns about itself is invented and the same on every run: process id 1000 + rank, user and group
 * 1000, one processor, no terminal. What it learns about files comes from the host, within VmFs, but without the host's
 * times, owners and inode numbers.
 */
#include "vm/library/calls.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FIRST_PROCESS = 1000, USER = 1000, PAGE_BYTES = 4096 };

/* -- descriptors ------------------------------------------------------------------------------- */

static VmCallResult open_raw(VmRank *rank, uint64_t *args, const char *path, int flags, unsigned mode)
{
    int error;
    int host = vm_library_open(rank, path, flags, mode, &error);
    if (host < 0)
        return rank->state == VM_STATE_FAULTED ? VM_CALL_FAULT : c_fail(rank, args, error, -1);
    CFile *file = g_new0(CFile, 1);
    file->kind = C_FILE_RAW;
    file->descriptor = host;
    file->storage = vm_library_of(rank)->storage;
    int descriptor = vm_library_add_file(rank, file);
    if (descriptor < 0) {
        close(host);
        g_free(file);
        return c_fail(rank, args, EMFILE, -1);
    }
    return c_return_int(args, descriptor);
}

/* The mode is a variable argument, which is present only with O_CREAT. */
C_FUNCTION(open)
{
    const char *path = c_string(0);
    if (!path)
        return VM_CALL_FAULT;
    int flags = c_int(args[1]);
    const CWord64 *mode = flags & O_CREAT ? vm_library_read(rank, args[2], 8, 3) : args;
    return mode ? open_raw(rank, args, path, flags, flags & O_CREAT ? (unsigned)*mode : 0) : VM_CALL_FAULT;
}

C_FUNCTION(creat)
{
    const char *path = c_string(0);
    return path ? open_raw(rank, args, path, O_WRONLY | O_CREAT | O_TRUNC, (unsigned)args[1]) : VM_CALL_FAULT;
}

C_FUNCTION(close)
{
    if (vm_library_descriptor(rank, c_int(args[0])) && !vm_library_descriptor_in_turn(rank, c_int(args[0])))
        return VM_CALL_DONE;
    int error = vm_library_close_file(rank, c_int(args[0]));
    return error ? c_fail(rank, args, error, -1) : c_return_int(args, 0);
}

C_FUNCTION(read)
{
    CFile *file = vm_library_descriptor_in_turn(rank, c_int(args[0]));
    uint64_t size = args[2];
    char *bytes = c_write(1, size);
    if (size && !bytes)
        return VM_CALL_FAULT;
    if (file && file->kind == C_FILE_PIPE)
        return c_return(args, (uint64_t)vm_library_pipe_read(rank, file, c_int(args[0]), bytes, size, 0));
    int64_t got = -1;
    errno = EBADF;
    if (file && size == 0)
        got = 0;
    else if (file && file->kind == C_FILE_STDIN)
        got = vm_library_read_console(rank, file, bytes, size);
    else if (file && file->descriptor >= 0)
        got = read(file->descriptor, bytes, size);
    if (got < 0)
        return c_fail(rank, args, errno, -1);
    if (file->descriptor >= 0)
        vm_library_stored_raw(rank, file, false, got);
    c_charge(rank, (uint64_t)got);
    return c_return(args, (uint64_t)got);
}

C_FUNCTION(write)
{
    CFile *file = vm_library_descriptor_in_turn(rank, c_int(args[0]));
    uint64_t size = args[2];
    const char *bytes = c_read(1, size);
    if (!bytes)
        return VM_CALL_FAULT;
    if (file && file->kind == C_FILE_PIPE)
        return c_return(args, (uint64_t)vm_library_pipe_write(rank, file, c_int(args[0]), bytes, size, 0));
    int64_t done = -1;
    errno = EBADF;
    if (file && (file->kind == C_FILE_STDOUT || file->kind == C_FILE_STDERR)) {
        vm_library_write_console(rank, file->kind == C_FILE_STDOUT ? 1 : 2, bytes, size);
        done = (int64_t)size;
    } else if (file && file->descriptor >= 0) {
        done = write(file->descriptor, bytes, size);
    }
    if (done < 0)
        return c_fail(rank, args, errno, -1);
    if (file->descriptor >= 0)
        vm_library_stored_raw(rank, file, true, done);
    c_charge(rank, (uint64_t)done);
    return c_return(args, (uint64_t)done);
}

C_FUNCTION(lseek)
{
    CFile *file = vm_library_descriptor_in_turn(rank, c_int(args[0]));
    if (!file || file->descriptor < 0)
        return c_fail(rank, args, file ? ESPIPE : EBADF, -1);
    off_t position = lseek(file->descriptor, (off_t)args[1], c_int(args[2]));
    return position < 0 ? c_fail(rank, args, errno, -1) : c_return(args, (uint64_t)position);
}

/* The simulated disk never loses what it has accepted. */
C_FUNCTION(fsync)
{
    CFile *file = vm_library_descriptor_in_turn(rank, c_int(args[0]));
    if (!file)
        return c_fail(rank, args, EBADF, -1);
    if (file->kind == C_FILE_PIPE)
        return c_fail(rank, args, EINVAL, -1);
    vm_library_flush_file(rank, file);
    if (file->descriptor >= 0)
        vm_library_stored(rank, VM_STORAGE_SYNC, file->storage, 0, 0);
    return c_return_int(args, 0);
}

C_FUNCTION(ftruncate)
{
    CFile *file = vm_library_descriptor_in_turn(rank, c_int(args[0]));
    if (!file || file->descriptor < 0)
        return c_fail(rank, args, EBADF, -1);
    vm_library_flush_file(rank, file);
    vm_library_stored(rank, VM_STORAGE_NAME, file->storage, 0, 0);
    return ftruncate(file->descriptor, (off_t)args[1]) == 0 ? c_return_int(args, 0) : c_fail(rank, args, errno, -1);
}

/* -- second descriptors ------------------------------------------------------------------------ */

/* Copies descriptor args[0] to the lowest free number that is at least `from`. */
static VmCallResult copy_descriptor(VmRank *rank, uint64_t *args, uint32_t from)
{
    CFile *file = vm_library_descriptor_in_turn(rank, c_int(args[0]));
    if (!file)
        return c_fail(rank, args, EBADF, -1);
    errno = EBADF;
    if (!vm_library_has_room(rank))
        return c_fail(rank, args, EMFILE, -1);
    CFile *copy = vm_library_copy_file(rank, file);
    if (!copy)
        return rank->state == VM_STATE_FAULTED ? VM_CALL_FAULT : c_fail(rank, args, errno, -1);
    int descriptor = vm_library_add_file_from(rank, copy, from);
    if (descriptor >= 0)
        return c_return_int(args, descriptor);
    if (copy->kind == C_FILE_RAW)
        close(copy->descriptor);
    if (copy->kind == C_FILE_PIPE)
        vm_library_pipe_close(rank, copy);
    if (copy->text)
        g_string_free(copy->text, TRUE);
    g_free(copy);
    return c_fail(rank, args, EMFILE, -1);
}

C_FUNCTION(dup)
{
    return copy_descriptor(rank, args, 0);
}

C_FUNCTION(dup2)
{
    int from = c_int(args[0]), to = c_int(args[1]);
    CFile *file = vm_library_descriptor_in_turn(rank, from);
    if (!file || to < 0 || to >= C_MOST_FILES)
        return c_fail(rank, args, EBADF, -1);
    if (from == to)
        return c_return_int(args, to);
    CFile *old = vm_library_descriptor(rank, to);
    if (old && !vm_library_descriptor_in_turn(rank, to))
        return VM_CALL_FAULT;
    if (old)
        vm_library_close_file(rank, to);
    return copy_descriptor(rank, args, (uint32_t)to);
}

/* Locks and flags are granted; the other operations of fcntl() are not supported. The third argument is a variable
 * one. */
C_FUNCTION(fcntl)
{
    enum { DUPFD, GETFD, SETFD, GETFL, SETFL, GETLK, SETLK, SETLKW, DUPFD_CLOEXEC = 1030, UNLOCKED = 2 };
    enum { PIPE_SIZE = 1032, PIPE_BYTES = 1 << 16 };
    CFile *file = vm_library_descriptor_in_turn(rank, c_int(args[0]));
    if (!file)
        return c_fail(rank, args, EBADF, -1);
    int command = c_int(args[1]);
    bool pipe = file->kind == C_FILE_PIPE;
    bool wants_value = command == DUPFD || command == DUPFD_CLOEXEC || command == GETLK || (pipe && command == SETFL);
    const CWord64 *value = wants_value ? vm_library_read(rank, args[2], 8, 3) : args;
    if (!value)
        return VM_CALL_FAULT;
    switch (command) {
    case DUPFD:
    case DUPFD_CLOEXEC:
        return *value < C_MOST_FILES ? copy_descriptor(rank, args, (uint32_t)*value) : c_fail(rank, args, EINVAL, -1);
    case GETFL:
        return c_return_int(args, pipe                    ? vm_library_pipe_flags(file)
                                  : file->descriptor >= 0 ? fcntl(file->descriptor, F_GETFL) & (O_ACCMODE | O_APPEND)
                                  : file->kind == C_FILE_STDIN ? O_RDONLY
                                                               : O_WRONLY);
    case GETLK: {
        CWord16 *lock = vm_library_write(rank, *value, 2, 3);
        if (!lock)
            return VM_CALL_FAULT;
        *lock = UNLOCKED;
        return c_return_int(args, 0);
    }
    case PIPE_SIZE: return pipe ? c_return_int(args, PIPE_BYTES) : c_fail(rank, args, EBADF, -1);
    case SETFL:
        if (pipe)
            vm_library_pipe_set_flags(file, (int)*value);
        return c_return_int(args, 0);
    case GETFD:
    case SETFD:
    case SETLK:
    case SETLKW: return c_return_int(args, 0);
    default: return c_fail(rank, args, EINVAL, -1);
    }
}

/* pread and pwrite leave the position unchanged. */
static VmCallResult at_offset(VmRank *rank, uint64_t *args, bool reading)
{
    CFile *file = vm_library_descriptor_in_turn(rank, c_int(args[0]));
    uint64_t size = args[2];
    const void *bytes = reading ? c_write(1, size) : c_read(1, size);
    if (size && !bytes)
        return VM_CALL_FAULT;
    if (!file || file->descriptor < 0)
        return c_fail(rank, args, file ? ESPIPE : EBADF, -1);
    vm_library_flush_file(rank, file);
    int64_t done = size == 0 ? 0
                   : reading ? pread(file->descriptor, (void *)(uintptr_t)bytes, size, (off_t)args[3])
                             : pwrite(file->descriptor, bytes, size, (off_t)args[3]);
    if (done < 0)
        return c_fail(rank, args, errno, -1);
    vm_library_stored(rank, reading ? VM_STORAGE_READ : VM_STORAGE_WRITE, file->storage, args[3], (uint64_t)done);
    c_charge(rank, (uint64_t)done);
    return c_return(args, (uint64_t)done);
}

C_FUNCTION(pread)
{
    return at_offset(rank, args, true);
}

C_FUNCTION(pwrite)
{
    return at_offset(rank, args, false);
}

C_FUNCTION(fchmod)
{
    CFile *file = vm_library_descriptor_in_turn(rank, c_int(args[0]));
    if (!file)
        return c_fail(rank, args, EBADF, -1);
    bool fine = file->descriptor < 0 || fchmod(file->descriptor, (mode_t)args[1] & 0777) == 0;
    return fine ? c_return_int(args, 0) : c_fail(rank, args, errno, -1);
}

C_FUNCTION(isatty)
{
    return c_fail(rank, args, vm_library_descriptor(rank, c_int(args[0])) ? ENOTTY : EBADF, 0);
}

/* -- the file system --------------------------------------------------------------------------- */

/* How a call uses a path: it means the file that a link leads to, the link itself, or the name, which it will
 * change. */
typedef enum Aspect { WHERE_IT_LEADS, ITSELF, ITS_NAME } Aspect;

/* Returns the host path of argument `index`. NULL, with *result set, if there is none. */
static char *host_path(VmRank *rank, uint64_t *args, int index, Aspect aspect, VmCallResult *result)
{
    const char *path = c_string(index);
    *result = VM_CALL_FAULT;
    if (!path)
        return NULL;
    int error;
    char *host = aspect == ITS_NAME ? vm_library_name(rank, path, &error)
                                    : vm_library_path(rank, path, aspect == WHERE_IT_LEADS, &error);
    if (!host)
        *result = c_fail(rank, args, error, -1);
    return host;
}

static VmCallResult outcome(VmRank *rank, uint64_t *args, int status)
{
    return status == 0 ? c_return_int(args, 0) : c_fail(rank, args, errno, -1);
}

C_FUNCTION(umask)
{
    unsigned old = vm_library_file_mask(rank);
    VmLibrary *library = vm_library_of(rank);
    library->file_mask = (unsigned)args[0] & 0777;
    library->masked = true;
    return c_return(args, old);
}

/* Makes a directory with this mode, whatever the simulator's umask is. */
static int make_directory(const char *path, unsigned mode)
{
    int made = mkdir(path, 0700);
    return made == 0 ? chmod(path, mode) : made;
}

/* Functions that make one call on one path. */
#define PATH_FUNCTION(name, how, call)                                                                                 \
    C_FUNCTION(name)                                                                                                   \
    {                                                                                                                  \
        VmCallResult result;                                                                                           \
        g_autofree char *path = host_path(rank, args, 0, how, &result);                                                \
        return path ? outcome(rank, args, call) : result;                                                              \
    }

PATH_FUNCTION(unlink, ITS_NAME, unlink(path))
PATH_FUNCTION(remove, ITS_NAME, remove(path))
PATH_FUNCTION(rmdir, ITS_NAME, rmdir(path))
PATH_FUNCTION(mkdir, ITSELF, make_directory(path, (unsigned)args[1] & 0777 & ~vm_library_file_mask(rank)))
PATH_FUNCTION(chmod, WHERE_IT_LEADS, chmod(path, (mode_t)args[1] & 0777))
PATH_FUNCTION(access, WHERE_IT_LEADS, access(path, c_int(args[1])))
PATH_FUNCTION(truncate, WHERE_IT_LEADS, truncate(path, (off_t)args[1]))

C_FUNCTION(link)
{
    VmCallResult result;
    g_autofree char *from = host_path(rank, args, 0, ITS_NAME, &result);
    g_autofree char *to = from ? host_path(rank, args, 1, ITS_NAME, &result) : NULL;
    return to ? outcome(rank, args, link(from, to)) : result;
}

/* The target of a link is not checked here, but when the link is followed. */
C_FUNCTION(symlink)
{
    VmCallResult result;
    const char *target = c_string(0);
    g_autofree char *path = target ? host_path(rank, args, 1, ITS_NAME, &result) : NULL;
    return path ? outcome(rank, args, symlink(target, path)) : target ? result : VM_CALL_FAULT;
}

C_FUNCTION(readlink)
{
    VmCallResult result;
    g_autofree char *path = host_path(rank, args, 0, ITSELF, &result);
    if (!path)
        return result;
    char target[PATH_MAX];
    ssize_t length = readlink(path, target, sizeof target);
    if (length < 0)
        return c_fail(rank, args, errno, -1);
    uint64_t size = MIN((uint64_t)length, args[2]);
    return c_store(1, target, size) ? c_return(args, size) : VM_CALL_FAULT;
}

/* Each rank has a working directory of its own; the simulator's does not change. */
C_FUNCTION(chdir)
{
    VmCallResult result;
    g_autofree char *path = host_path(rank, args, 0, WHERE_IT_LEADS, &result);
    if (!path)
        return result;
    char *full = realpath(path, NULL);
    struct stat status;
    int error = !full || stat(full, &status) != 0 ? errno : S_ISDIR(status.st_mode) ? 0 : ENOTDIR;
    if (!error) {
        VmLibrary *library = vm_library_of(rank);
        g_free(library->directory);
        library->directory = g_strdup(full);
    }
    free(full);
    return error ? c_fail(rank, args, error, -1) : c_return_int(args, 0);
}

/* The runtime's realpath: writes to args[1], PATH_MAX bytes. */
C_FUNCTION(__orrery_realpath)
{
    VmCallResult result;
    g_autofree char *path = host_path(rank, args, 0, WHERE_IT_LEADS, &result);
    if (!path)
        return result;
    char *full = realpath(path, NULL);
    if (!full)
        return c_fail(rank, args, errno, -1);
    bool stored = c_store(1, full, strlen(full) + 1);
    free(full);
    return stored ? c_return_int(args, 0) : VM_CALL_FAULT;
}

C_FUNCTION(rename)
{
    VmCallResult result;
    g_autofree char *from = host_path(rank, args, 0, ITS_NAME, &result);
    g_autofree char *to = from ? host_path(rank, args, 1, ITS_NAME, &result) : NULL;
    return to ? outcome(rank, args, rename(from, to)) : result;
}

/* struct stat of <sys/stat.h>. Sizes and modes are the host's, the rest is invented. */
typedef struct __attribute__((packed)) CStat {
    uint64_t device, inode, links;
    uint32_t mode, user, group, unused;
    uint64_t raw_device;
    int64_t size, block_size, blocks;
    int64_t times[6];
} CStat;

static VmCallResult store_status(VmRank *rank, uint64_t *args, const struct stat *status)
{
    CStat *place = c_write(1, sizeof *place);
    if (!place)
        return VM_CALL_FAULT;
    *place = (CStat){
        .device = 1,
        .mode = status->st_mode & (S_IFMT | 0777),
        .links = S_ISDIR(status->st_mode) ? 2 : status->st_nlink, /* link counts of directories depend on the host */
        .user = USER,
        .group = USER,
        .size = S_ISDIR(status->st_mode) ? PAGE_BYTES : status->st_size,
        .block_size = PAGE_BYTES,
        .blocks = S_ISDIR(status->st_mode) ? 8 : (status->st_size + 511) / 512,
        .times = {C_EPOCH, 0, C_EPOCH, 0, C_EPOCH, 0},
    };
    return c_return_int(args, 0);
}

static VmCallResult status_of_path(VmRank *rank, uint64_t *args, bool follow)
{
    VmCallResult result;
    struct stat status;
    g_autofree char *path = host_path(rank, args, 0, follow ? WHERE_IT_LEADS : ITSELF, &result);
    if (!path)
        return result;
    if ((follow ? stat(path, &status) : lstat(path, &status)) != 0)
        return c_fail(rank, args, errno, -1);
    return store_status(rank, args, &status);
}

C_FUNCTION(stat)
{
    return status_of_path(rank, args, true);
}

C_FUNCTION(lstat)
{
    return status_of_path(rank, args, false);
}

C_FUNCTION(fstat)
{
    CFile *file = vm_library_descriptor_in_turn(rank, c_int(args[0]));
    if (!file)
        return c_fail(rank, args, EBADF, -1);
    struct stat status = {.st_mode = S_IFIFO | 0600, .st_nlink = 1};
    if (file->kind == C_FILE_PIPE)
        status.st_mode = vm_library_pipe_mode(file);
    if (file->descriptor >= 0) {
        vm_library_flush_file(rank, file);
        if (fstat(file->descriptor, &status) != 0)
            return c_fail(rank, args, errno, -1);
    }
    return store_status(rank, args, &status);
}

/* The runtime's getcwd: writes to args[0], of args[1] bytes. */
C_FUNCTION(__orrery_getcwd)
{
    if (vm_rank_limits(rank)->fs == VM_FS_NONE)
        return c_fail(rank, args, EACCES, -1);
    const char *directory = vm_library_directory(rank);
    g_autofree char *path = directory ? g_strdup(directory) : g_get_current_dir();
    size_t size = strlen(path) + 1;
    if (size > args[1])
        return c_fail(rank, args, ERANGE, -1);
    return c_store(0, path, size) ? c_return_int(args, 0) : VM_CALL_FAULT;
}

/* The path of the directory behind a descriptor: writes to args[1], PATH_MAX bytes. */
C_FUNCTION(__orrery_directory_path)
{
    CFile *file = vm_library_descriptor_in_turn(rank, c_int(args[0]));
    struct stat status;
    if (!file || file->descriptor < 0)
        return c_fail(rank, args, file ? ENOTDIR : EBADF, -1);
    if (fstat(file->descriptor, &status) != 0 || !S_ISDIR(status.st_mode))
        return c_fail(rank, args, ENOTDIR, -1);
    char link[64], path[PATH_MAX];
    g_snprintf(link, sizeof link, "/proc/self/fd/%d", file->descriptor);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0)
        return c_fail(rank, args, errno, -1);
    path[length] = '\0';
    return c_store(1, path, (size_t)length + 1) ? c_return_int(args, 0) : VM_CALL_FAULT;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a + 1, *(char *const *)b + 1);
}

/* The type of an entry. Not every file system tells it in the entry. */
static unsigned type_of_entry(DIR *directory, const struct dirent *entry)
{
    struct stat status;
    if (entry->d_type != DT_UNKNOWN || fstatat(dirfd(directory), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0)
        return entry->d_type;
    return IFTODT(status.st_mode);
}

/* Lists the names in a host directory, sorted, because the host's order is accidental. Before each name is a byte with
 * 1 + its d_type. Returns NULL with errno set on failure. The caller frees the list with g_ptr_array_unref(). */
static GPtrArray *list_directory(VmRank *rank, const char *path)
{
    DIR *directory;
    do
        directory = opendir(path);
    while (!directory && vm_library_host_allows_more(rank, errno));
    if (!directory)
        return NULL;
    GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
    for (const struct dirent *entry; (entry = readdir(directory));)
        g_ptr_array_add(names, g_strdup_printf("%c%s", 1 + type_of_entry(directory, entry), entry->d_name));
    closedir(directory);
    g_ptr_array_sort(names, compare_names);
    return names;
}

/* The runtime's opendir: makes a heap block with the names of directory args[0], each with its NUL, and an empty one at
 * the end. */
C_FUNCTION(__orrery_directory)
{
    VmCallResult result;
    g_autofree char *path = host_path(rank, args, 0, WHERE_IT_LEADS, &result);
    if (!path)
        return result == VM_CALL_DONE ? c_return(args, 0) : result;
    g_autoptr(GPtrArray) names = list_directory(rank, path);
    if (!names)
        return rank->state == VM_STATE_FAULTED ? VM_CALL_FAULT : c_fail(rank, args, errno, 0);
    g_autoptr(GString) text = g_string_new(NULL);
    for (guint i = 0; i < names->len; i++)
        g_string_append_len(text, names->pdata[i], (gssize)strlen(names->pdata[i]) + 1);
    uint64_t block;
    if (!vm_library_allocate(rank, text->len + 1, &block))
        return VM_CALL_FAULT;
    void *to = block ? vm_rank_write(rank, block, text->len + 1) : NULL;
    if (to)
        memcpy(to, text->str, text->len + 1);
    c_charge(rank, text->len);
    return c_return(args, block);
}

/* -- the process ------------------------------------------------------------------------------- */

C_FUNCTION(getpid)
{
    return c_return(args, FIRST_PROCESS + (uint64_t)vm_rank_index(rank));
}

C_FUNCTION(getppid)
{
    (void)rank;
    return c_return(args, FIRST_PROCESS - 1);
}

C_FUNCTION(getuid)
{
    (void)rank;
    return c_return(args, USER);
}

C_FUNCTION(geteuid)
{
    return vm_library_c_getuid(rank, args);
}

C_FUNCTION(getgid)
{
    return vm_library_c_getuid(rank, args);
}

C_FUNCTION(getegid)
{
    return vm_library_c_getuid(rank, args);
}

C_FUNCTION(gethostname)
{
    const VmHost *host = vm_rank_host(rank);
    const char *name = host && host->hostname ? host->hostname(host->user, vm_rank_index(rank)) : "node0";
    size_t length = strlen(name);
    if (!c_store(0, name, MIN(length + 1, args[1])))
        return VM_CALL_FAULT;
    return length + 1 > args[1] ? c_fail(rank, args, ENAMETOOLONG, -1) : c_return_int(args, 0);
}

C_FUNCTION(getpagesize)
{
    (void)rank;
    return c_return(args, PAGE_BYTES);
}

C_FUNCTION(sched_yield)
{
    if (!vm_library_clock(rank))
        return VM_CALL_DONE;
    const VmHost *host = vm_rank_host(rank);
    if (host->yielded)
        host->yielded(host->user, vm_rank_index(rank));
    return c_return_int(args, 0);
}

/* The numbers of the questions are Linux's. Memory is an assumed 4 GiB per process. */
C_FUNCTION(sysconf)
{
    static const struct {
        int16_t name;
        int32_t value;
    } values[] = {
        {0, 2097152},  {1, 1024},     {2, 100},         {3, 65536},    {4, 1024},     {5, 16},       {6, 6},
        {7, 1},        {8, 1},        {9, 200809},      {10, 200809},  {11, 200809},  {12, -1},      {13, -1},
        {14, 200809},  {15, 200809},  {16, -1},         {17, -1},      {18, -1},      {19, -1},      {20, -1},
        {21, 200809},  {22, -1},      {23, -1},         {24, -1},      {25, -1},      {26, INT_MAX}, {27, -1},
        {28, -1},      {29, 200809},  {30, PAGE_BYTES}, {31, 32},      {32, -1},      {33, INT_MAX}, {34, -1},
        {35, -1},      {43, 2048},    {46, 200809},     {60, 1024},    {67, 200809},  {68, 200809},  {69, 1024},
        {70, 1024},    {71, 256},     {72, 32},         {73, 4},       {74, 1024},    {75, 16384},   {76, -1},
        {77, 200809},  {78, 200809},  {79, 200809},     {80, 200809},  {81, 200809},  {82, 200809},  {83, 1},
        {84, 1},       {85, 1 << 20}, {86, 1 << 20},    {87, INT_MAX}, {89, 700},     {133, 200809}, {137, 200809},
        {138, 200809}, {139, 200809}, {149, 200809},    {153, 200809}, {154, 200809}, {159, -1},     {160, -1},
        {161, -1},     {164, 200809}, {173, -1},        {180, 64},     {185, 32768},  {188, 32768},  {190, 64},
        {191, 524288}, {193, 64},     {194, 8388608},   {196, 64},     {247, 200809}, {248, -1}};
    for (size_t i = 0; i < G_N_ELEMENTS(values); i++)
        if (values[i].name == c_int(args[0]))
            return c_return(args, (uint64_t)(int64_t)values[i].value);
    return c_fail(rank, args, EINVAL, -1);
}

/* The address of the thread's own copy of objects with thread storage (C11 6.2.4), which the runtime makes. */
C_FUNCTION(__orrery_tls)
{
    return c_return(args, rank->storage);
}

C_FUNCTION(__orrery_set_tls)
{
    rank->storage = args[0];
    return c_return(args, 0);
}

/* Comes before each atomic operation: it takes effect in the order of virtual time. Nothing comes between it and the
 * operation, since a thread is only interrupted at calls and backward branches. */
C_FUNCTION(__orrery_turn)
{
    if (vm_threads_take_turns(rank) && !vm_library_turn(rank))
        return VM_CALL_DONE;
    return c_return(args, 0);
}

/* The same in code that is not the runtime library's; for several threads, it has a cost of its own. */
C_FUNCTION(__orrery_atomic_turn)
{
    return vm_library_c___orrery_turn(rank, args);
}

C_FUNCTION(__errno_location)
{
    return c_return(args, vm_rank_errno_address(rank));
}
