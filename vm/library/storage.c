/* storage.c - tells the layer above what a program does to files of the host, where storage takes time.
 *
 * Calls on descriptors tell it themselves. What a stream does depends on its buffer, so its reads and writes are caught
 * below the buffer: the stream is one of fopencookie(), whose functions make the same calls on the descriptor. Where
 * storage takes no time, streams are plain ones. */
#include "vm/library/calls.h"

#include <unistd.h>

void vm_library_stored(VmRank *rank, VmStorageSort sort, uint32_t file, uint64_t offset, uint64_t bytes)
{
    const VmHost *host = &rank->world->host;
    VmStorageAccess access = {.sort = sort, .file = file, .offset = offset, .bytes = bytes};
    if (host->stored && rank->in_order && (bytes || sort == VM_STORAGE_NAME || sort == VM_STORAGE_SYNC))
        host->stored(host->user, rank->index, &access);
}

void vm_library_stored_name(VmRank *rank, const char *full)
{
    const VmHost *host = &rank->world->host;
    if (!host->storage_file || !rank->in_order)
        return;
    VmLibrary *library = vm_library_of(rank);
    library->storage = host->storage_file(host->user, full);
    vm_library_stored(rank, VM_STORAGE_NAME, library->storage, 0, 0);
}

void vm_library_stored_raw(VmRank *rank, const CFile *file, bool write, int64_t bytes)
{
    if (!rank->world->host.stored || bytes <= 0)
        return;
    off_t end = lseek(file->descriptor, 0, SEEK_CUR);
    vm_library_stored(rank, write ? VM_STORAGE_WRITE : VM_STORAGE_READ, file->storage,
                      end >= bytes ? (uint64_t)(end - bytes) : 0, (uint64_t)bytes);
}

/* -- streams ----------------------------------------------------------------------------------- */

typedef struct Cookie {
    VmRank *rank;
    CFile file; /* only descriptor and storage */
} Cookie;

static ssize_t cookie_read(void *data, char *bytes, size_t size)
{
    Cookie *cookie = data;
    ssize_t got = read(cookie->file.descriptor, bytes, size);
    vm_library_stored_raw(cookie->rank, &cookie->file, false, got);
    return got;
}

static ssize_t cookie_write(void *data, const char *bytes, size_t size)
{
    Cookie *cookie = data;
    size_t done = 0;
    while (done < size) {
        ssize_t n = write(cookie->file.descriptor, bytes + done, size - done);
        if (n <= 0)
            break;
        done += (size_t)n;
        vm_library_stored_raw(cookie->rank, &cookie->file, true, n);
    }
    return (ssize_t)done; /* less than `size` is an error of the stream, with errno */
}

static int cookie_seek(void *data, off64_t *offset, int whence)
{
    const Cookie *cookie = data;
    off64_t place = lseek64(cookie->file.descriptor, *offset, whence);
    if (place < 0)
        return -1;
    *offset = place;
    return 0;
}

static int cookie_close(void *data)
{
    Cookie *cookie = data;
    int result = close(cookie->file.descriptor);
    g_free(cookie);
    return result;
}

FILE *vm_library_make_stream(VmRank *rank, int descriptor, const char *mode, uint32_t file)
{
    static const cookie_io_functions_t functions = {cookie_read, cookie_write, cookie_seek, cookie_close};
    if (!rank->world->host.stored)
        return fdopen(descriptor, mode);
    Cookie *cookie = g_new0(Cookie, 1);
    *cookie = (Cookie){.rank = rank, .file = {.descriptor = descriptor, .storage = file}};
    FILE *stream = fopencookie(cookie, mode, functions);
    if (stream)
        vm_library_of(rank)->cookie_descriptor = descriptor;
    else
        g_free(cookie);
    return stream;
}

int vm_library_stream_descriptor(VmRank *rank, FILE *stream)
{
    int descriptor = fileno(stream);
    return descriptor >= 0 ? descriptor : vm_library_of(rank)->cookie_descriptor;
}
