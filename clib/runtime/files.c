/* files.c - POSIX functions for files beyond the host functions: vectors, advice, locks, times, "at" a directory.
 *
 * Locks and advice are always granted: no other process can see the file while this one has its turn. Files show no
 * times and no owners, so setting them succeeds if the file exists.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <unistd.h>
#include <utime.h>

static int fail(int number)
{
    errno = number;
    return -1;
}

/* Whether a descriptor is open: returns 0, or -1 with errno. */
static int check(int descriptor)
{
    struct stat status;
    return fstat(descriptor, &status);
}

ssize_t readv(int descriptor, const struct iovec *blocks, int count)
{
    ssize_t done = 0;
    for (int i = 0; i < count; i++) {
        ssize_t got = read(descriptor, blocks[i].iov_base, blocks[i].iov_len);
        if (got < 0)
            return done ? done : -1;
        done += got;
        if ((size_t)got < blocks[i].iov_len)
            break;
    }
    return done;
}

ssize_t writev(int descriptor, const struct iovec *blocks, int count)
{
    ssize_t done = 0;
    for (int i = 0; i < count; i++) {
        ssize_t put = write(descriptor, blocks[i].iov_base, blocks[i].iov_len);
        if (put < 0)
            return done ? done : -1;
        done += put;
    }
    return done;
}

int fdatasync(int descriptor)
{
    return fsync(descriptor);
}

void sync(void) {}

int syncfs(int descriptor)
{
    return check(descriptor);
}

int flock(int descriptor, int operation)
{
    (void)operation;
    return check(descriptor);
}

int lockf(int descriptor, int command, off_t size)
{
    (void)size;
    return command < F_ULOCK || command > F_TEST ? fail(EINVAL) : check(descriptor);
}

int posix_fadvise(int descriptor, off_t offset, off_t size, int advice)
{
    (void)offset, (void)size;
    return advice < 0 || advice > 5 ? EINVAL : check(descriptor) ? EBADF : 0;
}

ssize_t readahead(int descriptor, off_t offset, size_t size)
{
    (void)offset, (void)size;
    return check(descriptor);
}

int posix_fallocate(int descriptor, off_t offset, off_t size)
{
    struct stat status;
    if (offset < 0 || size <= 0)
        return EINVAL;
    if (fstat(descriptor, &status) != 0)
        return EBADF;
    return status.st_size >= offset + size || ftruncate(descriptor, offset + size) == 0 ? 0 : errno;
}

int fallocate(int descriptor, int mode, off_t offset, off_t size)
{
    int error = mode ? EOPNOTSUPP : posix_fallocate(descriptor, offset, size);
    return error ? fail(error) : 0;
}

/* -- times and owners -------------------------------------------------------------------------- */

int utime(const char *path, const struct utimbuf *times)
{
    (void)times;
    return access(path, F_OK);
}

int utimes(const char *path, const struct timeval times[2])
{
    (void)times;
    return access(path, F_OK);
}

int lutimes(const char *path, const struct timeval times[2])
{
    (void)times;
    return access(path, F_OK);
}

int futimes(int descriptor, const struct timeval times[2])
{
    (void)times;
    return check(descriptor);
}

int futimens(int descriptor, const struct timespec times[2])
{
    (void)times;
    return check(descriptor);
}

static int is_mine(uid_t owner, gid_t group)
{
    return (owner == (uid_t)-1 || owner == getuid()) && (group == (gid_t)-1 || group == getgid());
}

int chown(const char *path, uid_t owner, gid_t group)
{
    return access(path, F_OK) != 0 ? -1 : is_mine(owner, group) ? 0 : fail(EPERM);
}

int lchown(const char *path, uid_t owner, gid_t group)
{
    return chown(path, owner, group);
}

int fchown(int descriptor, uid_t owner, gid_t group)
{
    return check(descriptor) != 0 ? -1 : is_mine(owner, group) ? 0 : fail(EPERM);
}

/* -- "at" a directory --------------------------------------------------------------------------- */

enum { MOST_PATH = 4096 };

int __orrery_directory_path(int directory, char *path);

/* A path from a directory as one that needs none: itself, or joined in `place`. Returns 0 with errno set on failure. */
static const char *path_at(int directory, const char *path, char place[MOST_PATH])
{
    if (directory == AT_FDCWD || *path == '/')
        return path;
    if (*path == '\0') {
        errno = ENOENT;
        return 0;
    }
    if (__orrery_directory_path(directory, place) != 0)
        return 0;
    size_t length = strlen(place);
    if (length + strlen(path) + 2 > MOST_PATH) {
        errno = ENAMETOOLONG;
        return 0;
    }
    place[length] = '/';
    strcpy(place + length + 1, path);
    return place;
}

int openat(int directory, const char *path, int flags, ...)
{
    char place[MOST_PATH];
    __builtin_va_list arguments;
    __builtin_va_start(arguments, flags);
    mode_t mode = flags & O_CREAT ? __builtin_va_arg(arguments, mode_t) : 0;
    __builtin_va_end(arguments);
    path = path_at(directory, path, place);
    return path ? open(path, flags, mode) : -1;
}

int fstatat(int directory, const char *path, struct stat *status, int flags)
{
    char place[MOST_PATH];
    path = path_at(directory, path, place);
    if (!path)
        return -1;
    return flags & AT_SYMLINK_NOFOLLOW ? lstat(path, status) : stat(path, status);
}

int mkdirat(int directory, const char *path, mode_t mode)
{
    char place[MOST_PATH];
    path = path_at(directory, path, place);
    return path ? mkdir(path, mode) : -1;
}

int unlinkat(int directory, const char *path, int flags)
{
    char place[MOST_PATH];
    path = path_at(directory, path, place);
    return !path ? -1 : flags & AT_REMOVEDIR ? rmdir(path) : unlink(path);
}

int renameat(int from_directory, const char *from, int to_directory, const char *to)
{
    char from_place[MOST_PATH], to_place[MOST_PATH];
    from = path_at(from_directory, from, from_place);
    to = from ? path_at(to_directory, to, to_place) : 0;
    return to ? rename(from, to) : -1;
}

int faccessat(int directory, const char *path, int mode, int flags)
{
    char place[MOST_PATH];
    (void)flags;
    path = path_at(directory, path, place);
    return path ? access(path, mode) : -1;
}

int euidaccess(const char *path, int mode)
{
    return access(path, mode);
}

int utimensat(int directory, const char *path, const struct timespec times[2], int flags)
{
    char place[MOST_PATH];
    (void)times, (void)flags;
    path = path_at(directory, path, place);
    return path ? access(path, F_OK) : -1;
}

int fchdir(int descriptor)
{
    char path[MOST_PATH];
    return __orrery_directory_path(descriptor, path) != 0 ? -1 : chdir(path);
}

/* -- names ------------------------------------------------------------------------------------- */

int dup3(int descriptor, int copy, int flags)
{
    (void)flags;
    return descriptor == copy ? fail(EINVAL) : dup2(descriptor, copy);
}

int __orrery_realpath(const char *path, char *resolved);

char *realpath(const char *path, char *resolved)
{
    char *place = resolved ? resolved : malloc(4096);
    if (!path)
        errno = EINVAL;
    if (path && place && __orrery_realpath(path, place) == 0)
        return place;
    if (!resolved)
        free(place);
    return 0;
}

char *canonicalize_file_name(const char *path)
{
    return realpath(path, 0);
}

/* Returns the limits of Linux's usual file systems. */
long pathconf(const char *path, int name)
{
    (void)path;
    switch (name) {
    case _PC_LINK_MAX: return 127;
    case _PC_NAME_MAX: return 255;
    case _PC_PATH_MAX:
    case _PC_PIPE_BUF: return 4096;
    default: return fail(EINVAL);
    }
}

long fpathconf(int descriptor, int name)
{
    return check(descriptor) != 0 ? -1 : pathconf("", name);
}
