/* map.c - <sys/mman.h>: memory from the heap, in pages. A file is mapped by reading it. A mapping that would have to be
 * written back is refused with ENODEV. */
#include <errno.h>
#include <malloc.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGE = 4096 };

/* Mapped blocks, so that munmap() knows where they begin. A part of a block can be given back only with the rest. */
struct mapping {
    struct mapping *next;
    char *start;
    size_t size;
    int anonymous;
};
static struct mapping *mappings;

static int read_file(char *to, size_t size, int descriptor, off_t offset)
{
    size_t done = 0;
    while (done < size) {
        ssize_t got = pread(descriptor, to + done, size - done, offset + (off_t)done);
        if (got <= 0)
            return got < 0 ? -1 : 0;
        done += (size_t)got;
    }
    return 0;
}

void *mmap(void *address, size_t size, int protection, int flags, int descriptor, off_t offset)
{
    int anonymous = flags & MAP_ANONYMOUS;
    if (size == 0 || offset % PAGE != 0 || !(flags & (MAP_SHARED | MAP_PRIVATE)))
        errno = EINVAL;
    else if (flags & MAP_FIXED)
        errno = ENOMEM;
    else if (!anonymous && (flags & MAP_SHARED) && (protection & PROT_WRITE))
        errno = ENODEV;
    else {
        size_t whole = (size + PAGE - 1) / PAGE * PAGE;
        struct mapping *mapping = malloc(sizeof *mapping);
        char *start = mapping && whole >= size ? memalign(PAGE, whole) : 0;
        if (start && (memset(start, 0, whole), anonymous || read_file(start, size, descriptor, offset) == 0)) {
            mapping->next = mappings;
            mapping->start = start;
            mapping->size = whole;
            mapping->anonymous = anonymous != 0;
            mappings = mapping;
            return start;
        }
        free(start);
        free(mapping);
    }
    (void)address;
    return MAP_FAILED;
}

int munmap(void *address, size_t size)
{
    if ((unsigned long)address % PAGE != 0 || size == 0) {
        errno = EINVAL;
        return -1;
    }
    size = (size + PAGE - 1) / PAGE * PAGE;
    for (struct mapping **at = &mappings; *at; at = &(*at)->next)
        if ((*at)->start == address && (*at)->size <= size) {
            struct mapping *gone = *at;
            *at = gone->next;
            free(gone->start);
            free(gone);
            break;
        }
    return 0;
}

static struct mapping *mapping_at(const void *address)
{
    struct mapping *mapping = mappings;
    while (mapping && mapping->start != address)
        mapping = mapping->next;
    return mapping;
}

/* A mapping that shrinks keeps its address; one that grows moves. A mapped file has no more than was read when it was
 * mapped. */
void *mremap(void *address, size_t old_size, size_t new_size, int flags, ...)
{
    struct mapping *mapping = mapping_at(address);
    size_t whole = (new_size + PAGE - 1) / PAGE * PAGE;
    if (new_size == 0 || whole < new_size || old_size == 0 || (flags & ~MREMAP_MAYMOVE))
        errno = EINVAL;
    else if (!mapping)
        errno = EFAULT;
    else if (whole <= mapping->size) {
        mapping->size = whole;
        return address;
    } else if (!mapping->anonymous)
        errno = ENODEV;
    else {
        char *start = flags & MREMAP_MAYMOVE ? memalign(PAGE, whole) : 0;
        if (start) {
            memcpy(start, mapping->start, mapping->size);
            memset(start + mapping->size, 0, whole - mapping->size);
            free(mapping->start);
            mapping->start = start;
            mapping->size = whole;
            return start;
        }
        errno = ENOMEM;
    }
    return MAP_FAILED;
}

/* All memory can be read and written, and nothing is ever swapped out. The other calls are only advice. */
int mprotect(void *address, size_t size, int protection)
{
    (void)address, (void)size;
    if ((protection & (PROT_READ | PROT_WRITE)) == (PROT_READ | PROT_WRITE) && !(protection & PROT_EXEC))
        return 0;
    errno = EACCES;
    return -1;
}

int msync(void *address, size_t size, int flags)
{
    (void)address, (void)size, (void)flags;
    return 0;
}

int madvise(void *address, size_t size, int advice)
{
    (void)address, (void)size, (void)advice;
    return 0;
}

int posix_madvise(void *address, size_t size, int advice)
{
    (void)address, (void)size, (void)advice;
    return 0;
}

int mlock(const void *address, size_t size)
{
    (void)address, (void)size;
    return 0;
}

int munlock(const void *address, size_t size)
{
    (void)address, (void)size;
    return 0;
}

int mlockall(int flags)
{
    (void)flags;
    return 0;
}

int munlockall(void)
{
    return 0;
}
