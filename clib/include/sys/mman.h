/* sys/mman.h - POSIX; memory from mmap() comes from the heap. Files can be mapped as a copy, not to write through. */
#ifndef _SYS_MMAN_H
#define _SYS_MMAN_H

#include <sys/types.h>

#define PROT_NONE     0
#define PROT_READ     1
#define PROT_WRITE    2
#define PROT_EXEC     4
#define MAP_SHARED    1
#define MAP_PRIVATE   2
#define MAP_FIXED     16
#define MAP_ANONYMOUS 32
#define MAP_ANON      MAP_ANONYMOUS
#define MAP_NORESERVE 0x4000
#define MAP_LOCKED    0x2000
#define MAP_POPULATE  0x8000
#define MAP_STACK     0x20000
#define MAP_HUGETLB   0x40000
#define MAP_FAILED    ((void *)-1)
#define MREMAP_MAYMOVE 1
#define MREMAP_FIXED   2
#define MS_ASYNC      1
#define MS_INVALIDATE 2
#define MS_SYNC       4
#define MCL_CURRENT   1
#define MCL_FUTURE    2
#define MADV_NORMAL     0
#define MADV_RANDOM     1
#define MADV_SEQUENTIAL 2
#define MADV_WILLNEED   3
#define MADV_DONTNEED   4
#define MADV_HUGEPAGE   14
#define POSIX_MADV_NORMAL     0
#define POSIX_MADV_RANDOM     1
#define POSIX_MADV_SEQUENTIAL 2
#define POSIX_MADV_WILLNEED   3
#define POSIX_MADV_DONTNEED   4

void *mmap(void *address, size_t size, int protection, int flags, int descriptor, off_t offset);
int munmap(void *address, size_t size);
void *mremap(void *address, size_t old_size, size_t new_size, int flags, ...);
int mprotect(void *address, size_t size, int protection);
int msync(void *address, size_t size, int flags);
int madvise(void *address, size_t size, int advice);
int posix_madvise(void *address, size_t size, int advice);
int mlock(const void *address, size_t size);
int munlock(const void *address, size_t size);
int mlockall(int flags);
int munlockall(void);
int shm_open(const char *name, int flags, mode_t mode);
int shm_unlink(const char *name);

#endif
