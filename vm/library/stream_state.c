/* stream_state.c - what <stdio_ext.h> asks of a stream and does to it: one function, behind all of its names.
 *
 * clib/runtime/stdio_ext.c passes the question by its number.
 */
#include "vm/library/calls.h"

#include <fcntl.h>
#include <stdio_ext.h>

enum { BUFFER_BYTES = 4096 };

/* As clib/runtime/stdio_ext.c has them. */
enum {
    STATE_READING,
    STATE_WRITING,
    STATE_READABLE,
    STATE_WRITABLE,
    STATE_BY_LINES,
    STATE_BUFFER,
    STATE_PENDING,
    STATE_AHEAD,
    STATE_DISCARD,
    STATE_SPOIL,
};

static bool is_readable(const CFile *file)
{
    if (file->kind == C_FILE_HOST)
        return __freadable(file->host);
    if (file->kind == C_FILE_PIPE)
        return (vm_library_pipe_flags(file) & O_ACCMODE) != O_WRONLY;
    return file->kind == C_FILE_STDIN || (file->kind == C_FILE_BLOCK && file->readable);
}

static bool is_writable(const CFile *file)
{
    if (file->kind == C_FILE_HOST)
        return __fwritable(file->host);
    if (file->kind == C_FILE_PIPE)
        return (vm_library_pipe_flags(file) & O_ACCMODE) != O_RDONLY;
    return file->kind == C_FILE_BLOCK ? file->writable : file->kind != C_FILE_STDIN;
}

static uint64_t state_of(CFile *file, int what)
{
    const char *bytes;
    switch (what) {
    case STATE_READING: return file->kind == C_FILE_HOST ? __freading(file->host) != 0 : !is_writable(file);
    case STATE_WRITING: return file->kind == C_FILE_HOST ? __fwriting(file->host) != 0 : !is_readable(file);
    case STATE_READABLE: return is_readable(file);
    case STATE_WRITABLE: return is_writable(file);
    case STATE_BY_LINES: return file->kind == C_FILE_STDOUT && !file->unbuffered;
    case STATE_BUFFER: return file->unbuffered ? 0 : BUFFER_BYTES;
    case STATE_PENDING: return vm_library_pending(file);
    case STATE_AHEAD: return is_readable(file) ? vm_library_at_hand(file, &bytes) : 0;
    case STATE_DISCARD: vm_library_discard(file); return 0;
    case STATE_SPOIL: file->error = true; return 0;
    default: return 0;
    }
}

C_FUNCTION(__orrery_stream_state)
{
    CFile *file = vm_library_own_stream(rank, args[0], 1);
    return file ? c_return(args, state_of(file, c_int(args[1]))) : VM_CALL_FAULT;
}
