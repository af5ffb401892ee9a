/* long_copy.c - copies long payloads past the host's caches.
 *
 * If many ranks exchange long messages, other ranks' messages have gone through the caches before a receiver looks at
 * its own. So such a copy leaves nothing in the caches: they keep the simulator's state, and the lines that are written
 * need not be read first. */
#include "mpi/core/world.h"
#include "mpi/p2p/p2p.h"

#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>

enum { LINE = 64, AHEAD = 16 * LINE, PART = sizeof(__m128i) };

/* `to` is aligned to PART, `bytes` is a multiple of LINE, and the two do not overlap. */
static void copy_lines(char *to, const char *from, uint64_t bytes)
{
    for (uint64_t at = 0; at < bytes; at += LINE) {
        _mm_prefetch(from + at + AHEAD, _MM_HINT_NTA);
        __m128i part[LINE / PART];
        for (unsigned i = 0; i < LINE / PART; i++)
            part[i] = _mm_loadu_si128((const __m128i *)(const void *)(from + at) + i);
        for (unsigned i = 0; i < LINE / PART; i++)
            _mm_stream_si128((__m128i *)(void *)(to + at) + i, part[i]);
    }
    _mm_sfence();
}

void mpi_long_copy(void *to, const void *from, uint64_t bytes)
{
    uintptr_t distance =
        (uintptr_t)to > (uintptr_t)from ? (uintptr_t)to - (uintptr_t)from : (uintptr_t)from - (uintptr_t)to;
    uint64_t head = -(uintptr_t)to % PART, lines = bytes > head ? (bytes - head) / LINE * LINE : 0;
    if (distance < bytes || !lines) {
        memmove(to, from, bytes);
        return;
    }
    memcpy(to, from, head);
    copy_lines((char *)to + head, (const char *)from + head, lines);
    memcpy((char *)to + head + lines, (const char *)from + head + lines, bytes - head - lines);
}
#else
void mpi_long_copy(void *to, const void *from, uint64_t bytes)
{
    memmove(to, from, bytes);
}
#endif
