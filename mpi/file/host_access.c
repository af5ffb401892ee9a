/* host_access.c - what an access does to the file of the host.
 *
 * Long runs of a view are one call of the host each. Short ones with gaps between them go through a window: a read
 * fetches a piece of the file and takes what it needs; a write fetches what lies in the gaps and writes it back with
 * the rest. Nothing can come between, since one access has its whole effect in one event. */
#include "mpi/file/access.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

enum { WINDOW = 65536, LONG_RUN = 16384, NEAR = 4096 };

/* Reads or writes all of it, unless the file ends or there is an error. */
static uint64_t transfer(const MpiSharedFile *shared, bool write, uint64_t offset, uint64_t bytes, uint8_t *data,
                         int *error)
{
    const uint64_t most = 1 << 30;
    uint64_t done = 0;
    while (done < bytes) {
        uint64_t piece = MIN(bytes - done, most);
        ssize_t n = write ? pwrite(shared->descriptor, data + done, piece, (off_t)(offset + done))
                          : pread(shared->descriptor, data + done, piece, (off_t)(offset + done));
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            *error = errno;
        if (n <= 0)
            break;
        done += (uint64_t)n;
    }
    return done;
}

/* -- reading ----------------------------------------------------------------------------------- */

static uint64_t read_runs(const MpiSharedFile *shared, MpiWalk *walk, uint8_t *data, int *error)
{
    g_autofree uint8_t *window = NULL;
    uint64_t start = 0, held = 0, done = 0, offset, bytes; /* the window has `held` bytes from `start` on */
    while (mpi_view_next(walk, &offset, &bytes)) {
        uint64_t got;
        if (bytes >= LONG_RUN || !walk->left) {
            got = transfer(shared, false, offset, bytes, data + done, error);
        } else {
            if (offset < start || offset + bytes > start + held) {
                window = window ? window : g_malloc(WINDOW);
                start = offset;
                held = transfer(shared, false, start, WINDOW, window, error);
            }
            got = MIN(bytes, start + held - offset);
            memcpy(data + done, window + (offset - start), got);
        }
        done += got;
        if (*error || got < bytes)
            break;
    }
    return done;
}

/* -- writing ----------------------------------------------------------------------------------- */

/* A piece of the file that is to be written back. */
typedef struct Window {
    uint8_t *bytes;
    uint64_t start, held; /* `held` bytes from `start` on */
    uint64_t data;        /* how many of them are data of the access */
} Window;

/* Returns how many bytes of data are in the file now. */
static uint64_t flush(const MpiSharedFile *shared, Window *window, int *error)
{
    uint64_t done = transfer(shared, true, window->start, window->held, window->bytes, error);
    uint64_t data = done == window->held ? window->data : 0;
    window->held = window->data = 0;
    return data;
}

/* Fetches what lies between the window's end and `offset`; zeros behind the end of the file. */
static void bridge(const MpiSharedFile *shared, Window *window, uint64_t offset, int *error)
{
    uint64_t end = window->start + window->held, gap = offset - end;
    uint64_t got = transfer(shared, false, end, gap, window->bytes + window->held, error);
    memset(window->bytes + window->held + got, 0, gap - got);
    window->held += gap;
}

static uint64_t write_runs(const MpiSharedFile *shared, MpiWalk *walk, uint8_t *data, int *error)
{
    Window window = {0};
    uint64_t done = 0, taken = 0, offset, bytes;
    while (!*error && mpi_view_next(walk, &offset, &bytes)) {
        uint64_t end = window.start + window.held;
        bool joins = window.held && offset >= end && offset - end < NEAR && offset + bytes - window.start <= WINDOW;
        if (window.held && !joins)
            done += flush(shared, &window, error);
        if (*error)
            break;
        if (!joins && (bytes >= NEAR || !walk->left || !shared->readable)) {
            uint64_t written = transfer(shared, true, offset, bytes, data + taken, error);
            taken += bytes;
            done += written;
            continue;
        }
        if (!joins) {
            window.bytes = window.bytes ? window.bytes : g_malloc(WINDOW);
            window.start = offset;
        } else if (offset > end) {
            bridge(shared, &window, offset, error);
        }
        memcpy(window.bytes + window.held, data + taken, bytes);
        window.held += bytes;
        window.data += bytes;
        taken += bytes;
    }
    if (window.held && !*error)
        done += flush(shared, &window, error);
    g_free(window.bytes);
    return done;
}

uint64_t mpi_host_access(const MpiSharedFile *shared, const MpiView *view, bool write, uint64_t position,
                         uint64_t bytes, uint8_t *data, int *error)
{
    MpiWalk walk;
    *error = 0;
    mpi_view_walk(&walk, view, position, bytes);
    return write ? write_runs(shared, &walk, data, error) : read_runs(shared, &walk, data, error);
}
