/* fcntl.h - POSIX */
#ifndef _FCNTL_H
#define _FCNTL_H

#include <orrery_features.h>
#include <sys/stat.h>
#include <sys/types.h>

#define O_RDONLY    0
#define O_WRONLY    1
#define O_RDWR      2
#define O_ACCMODE   3
#define O_CREAT     0100
#define O_EXCL      0200
#define O_NOCTTY    0400
#define O_TRUNC     01000
#define O_APPEND    02000
#define O_NONBLOCK  04000
#define O_NDELAY    O_NONBLOCK
#define O_DSYNC     010000
#define O_ASYNC     020000
#define O_SYNC      04010000
#define O_FSYNC     O_SYNC
#define O_RSYNC     O_SYNC
#define O_DIRECTORY 0200000
#define O_NOFOLLOW  0400000
#define O_CLOEXEC   02000000
#define O_LARGEFILE 0
#ifdef __ORRERY_GNU
#define O_DIRECT  040000
#define O_NOATIME 01000000
#define O_PATH    010000000
#define O_TMPFILE 020200000
#endif

#define F_DUPFD         0
#define F_GETFD         1
#define F_SETFD         2
#define F_GETFL         3
#define F_SETFL         4
#define F_GETLK         5
#define F_SETLK         6
#define F_SETLKW        7
#define F_SETOWN        8
#define F_GETOWN        9
#define F_DUPFD_CLOEXEC 1030
#define FD_CLOEXEC      1
#define F_RDLCK         0
#define F_WRLCK         1
#define F_UNLCK         2

#define AT_FDCWD            (-100)
#define AT_SYMLINK_NOFOLLOW 0x100
#define AT_REMOVEDIR        0x200
#define AT_SYMLINK_FOLLOW   0x400
#define AT_EACCESS          0x200

#define POSIX_FADV_NORMAL     0
#define POSIX_FADV_RANDOM     1
#define POSIX_FADV_SEQUENTIAL 2
#define POSIX_FADV_WILLNEED   3
#define POSIX_FADV_DONTNEED   4
#define POSIX_FADV_NOREUSE    5

struct flock {
    short l_type, l_whence;
    off_t l_start, l_len;
    pid_t l_pid;
};

int open(const char *path, int flags, ...);
int openat(int directory, const char *path, int flags, ...);
int creat(const char *path, mode_t mode);
int fcntl(int descriptor, int command, ...);
int posix_fadvise(int descriptor, off_t offset, off_t size, int advice);
int posix_fallocate(int descriptor, off_t offset, off_t size);
#ifdef __ORRERY_GNU
int fallocate(int descriptor, int mode, off_t offset, off_t size);
ssize_t readahead(int descriptor, off_t offset, size_t size);
#endif
#ifdef _LARGEFILE64_SOURCE
#define open64  open
#define creat64 creat
#endif

#endif
