/* stdio_ext.c - <stdio_ext.h>: the state of a stream, by names of Solaris and glibc, and those that musl adds.
 *
 * All of them ask one function of the host, by the number of the question.
 */
#include <stdio.h>
#include <stdio_ext.h>

/* As vm/library/stream_state.c has them. */
enum { READING, WRITING, READABLE, WRITABLE, BY_LINES, BUFFER, PENDING, AHEAD, DISCARD, SPOIL };

size_t __orrery_stream_state(FILE *stream, int what);

int __freading(FILE *stream)
{
    return (int)__orrery_stream_state(stream, READING);
}

int __fwriting(FILE *stream)
{
    return (int)__orrery_stream_state(stream, WRITING);
}

int __freadable(FILE *stream)
{
    return (int)__orrery_stream_state(stream, READABLE);
}

int __fwritable(FILE *stream)
{
    return (int)__orrery_stream_state(stream, WRITABLE);
}

int __flbf(FILE *stream)
{
    return (int)__orrery_stream_state(stream, BY_LINES);
}

size_t __fbufsize(FILE *stream)
{
    return __orrery_stream_state(stream, BUFFER);
}

size_t __fpending(FILE *stream)
{
    return __orrery_stream_state(stream, PENDING);
}

void __fpurge(FILE *stream)
{
    __orrery_stream_state(stream, DISCARD);
}

void _flushlbf(void)
{
    fflush(stdout);
}

/* A process of one thread always holds the lock of every stream. */
int __fsetlocking(FILE *stream, int type)
{
    (void)stream, (void)type;
    return FSETLOCKING_INTERNAL;
}

size_t __freadahead(FILE *stream)
{
    return __orrery_stream_state(stream, AHEAD);
}

void __fseterr(FILE *stream)
{
    __orrery_stream_state(stream, SPOIL);
}
