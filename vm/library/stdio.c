/* stdio.c - <stdio.h> on streams: opening, characters, lines, blocks, positions (C11 7.21).
 *
 * Streams are CFile records (files.c). Files of the host are host streams, so buffering, positions and update mode are
 * the host's own. printf.c and scanf.c have the formats; stdio_formats.c joins them to streams.
 */
#include "vm/library/calls.h"

#include <fcntl.h>
#include <unistd.h>

/* -- opening and closing ----------------------------------------------------------------------- */

/* Parses a mode: "r", "w" or "a", then '+', 'b', 'x', 'e' (C11 7.21.5.3 p3). `host` gets the mode for fdopen. */
static bool parse_mode(const char *mode, int *flags, char host[4])
{
    bool update = strchr(mode, '+');
    switch (mode[0]) {
    case 'r': *flags = update ? O_RDWR : O_RDONLY; break;
    case 'w': *flags = (update ? O_RDWR : O_WRONLY) | O_CREAT | O_TRUNC; break;
    case 'a': *flags = (update ? O_RDWR : O_WRONLY) | O_CREAT | O_APPEND; break;
    default: return false;
    }
    if (strchr(mode, 'x'))
        *flags |= O_EXCL;
    host[0] = mode[0];
    host[1] = update ? '+' : '\0';
    host[2] = '\0';
    return true;
}

/* Opens a host stream for path and mode. Returns NULL with *error. */
static FILE *open_host(VmRank *rank, const char *path, const char *mode, int *error)
{
    int flags;
    char host_mode[4];
    *error = EINVAL;
    if (!parse_mode(mode, &flags, host_mode))
        return NULL;
    int descriptor = vm_library_open(rank, path, flags, 0666, error);
    if (descriptor < 0)
        return NULL;
    FILE *host = vm_library_make_stream(rank, descriptor, host_mode, vm_library_of(rank)->storage);
    if (!host) {
        *error = errno;
        close(descriptor);
    }
    return host;
}

static VmCallResult return_stream(VmRank *rank, uint64_t *args, FILE *host, int error)
{
    if (!host)
        return rank->state == VM_STATE_FAULTED ? VM_CALL_FAULT : c_fail(rank, args, error, 0);
    CFile *file = g_new0(CFile, 1);
    file->kind = C_FILE_HOST;
    file->host = host;
    file->descriptor = vm_library_stream_descriptor(rank, host);
    file->storage = vm_library_of(rank)->storage;
    if (vm_library_add_file(rank, file) < 0) {
        fclose(host);
        g_free(file);
        return c_fail(rank, args, EMFILE, 0);
    }
    return c_return(args, file->handle);
}

C_FUNCTION(fopen)
{
    const char *path = c_string(0);
    const char *mode = path ? c_string(1) : NULL;
    if (!mode)
        return VM_CALL_FAULT;
    int error;
    FILE *host = open_host(rank, path, mode, &error);
    return return_stream(rank, args, host, error);
}

C_FUNCTION(tmpfile)
{
    if (vm_rank_limits(rank)->fs == VM_FS_NONE)
        return c_fail(rank, args, EACCES, 0);
    FILE *host;
    if (!vm_library_turn(rank))
        return c_return(args, 0);
    if (!vm_library_has_room(rank))
        return c_fail(rank, args, EMFILE, 0);
    do
        host = tmpfile();
    while (!host && vm_library_host_allows_more(rank, errno));
    return return_stream(rank, args, host, errno);
}

/* Reopens a stream on another file. A console stream becomes a file. */
C_FUNCTION(freopen)
{
    CFile *file = vm_library_stream(rank, args[2], 3);
    const char *path = file && args[0] ? c_string(0) : NULL;
    const char *mode = file && (path || !args[0]) ? c_string(1) : NULL;
    if (!mode)
        return VM_CALL_FAULT;
    if (!path)
        return c_return(args, args[2]); /* a new mode for the same file is granted and ignored */
    if (file->kind == C_FILE_PIPE && vm_library_pipe_flush(rank, file) == C_HALTED)
        return VM_CALL_DONE;
    vm_library_flush_file(rank, file);
    int error;
    FILE *host = open_host(rank, path, mode, &error);
    if (!host)
        return rank->state == VM_STATE_FAULTED ? VM_CALL_FAULT : c_fail(rank, args, error, 0);
    if (file->kind == C_FILE_PIPE)
        vm_library_pipe_close(rank, file);
    else if (file->host)
        fclose(file->host);
    if (file->text)
        g_string_free(file->text, TRUE);
    file->text = NULL;
    file->next = file->end = NULL;
    vm_library_close_windows(rank);
    file->kind = C_FILE_HOST;
    file->host = host;
    file->descriptor = vm_library_stream_descriptor(rank, host);
    file->storage = vm_library_of(rank)->storage;
    file->end_of_file = file->error = false;
    file->orientation = 0;
    vm_library_forget_wide(file);
    return c_return(args, args[2]);
}

/* Gives the program its present copy of a memory stream's text. */
static bool publish_memory(VmRank *rank, CFile *file)
{
    if (!vm_library_release(rank, file->block) || !vm_library_allocate(rank, file->text->len + 1, &file->block))
        return false;
    void *copy = file->block ? vm_rank_write(rank, file->block, file->text->len + 1) : NULL;
    uint64_t size = MIN(file->text->len, file->position); /* POSIX: the smaller of both */
    if (copy) {
        memcpy(copy, file->text->str, file->text->len + 1);
        ((char *)copy)[size] = '\0';
    }
    void *pointer = vm_library_write(rank, file->pointer, 8, 1);
    void *size_place = pointer ? vm_library_write(rank, file->size, 8, 2) : NULL;
    if (!size_place)
        return false;
    memcpy(pointer, &file->block, 8);
    memcpy(size_place, &size, 8);
    return true;
}

C_FUNCTION(open_memstream)
{
    if (!c_write(0, 8) || !c_write(1, 8))
        return VM_CALL_FAULT;
    CFile *file = g_new0(CFile, 1);
    file->kind = C_FILE_MEMORY;
    file->descriptor = -1;
    file->text = g_string_new(NULL);
    file->pointer = args[0];
    file->size = args[1];
    if (vm_library_add_file(rank, file) < 0) {
        g_string_free(file->text, TRUE);
        g_free(file);
        return c_fail(rank, args, EMFILE, 0);
    }
    return publish_memory(rank, file) ? c_return(args, file->handle) : VM_CALL_FAULT;
}

/* Sets up a stream on the program's memory (POSIX fmemopen) by its mode. fmemopen() allocates the memory if the program
 * passed none. */
static bool parse_block_mode(VmRank *rank, CFile *file, const char *mode)
{
    bool update = strchr(mode, '+');
    file->readable = mode[0] == 'r' || update;
    file->writable = mode[0] != 'r' || update;
    file->append = mode[0] == 'a';
    if (file->append) {
        const char *bytes = vm_library_read(rank, file->block, file->size, 1);
        file->length = file->position = bytes ? strnlen(bytes, file->size) : 0;
        return bytes;
    }
    char *bytes = vm_library_write(rank, file->block, file->size, 1);
    if (mode[0] == 'r')
        file->length = file->size;
    else if (bytes && file->size)
        bytes[0] = '\0';
    return bytes || !file->size;
}

C_FUNCTION(fmemopen)
{
    const char *mode = c_string(2);
    if (!mode)
        return VM_CALL_FAULT;
    if (!*mode || !strchr("rwa", *mode))
        return c_fail(rank, args, EINVAL, 0);
    uint64_t block = args[0], own = 0;
    if (block == 0 && !vm_library_allocate(rank, args[1], &own))
        return VM_CALL_FAULT;
    if (block == 0 && own == 0)
        return c_fail(rank, args, ENOMEM, 0);
    CFile *file = g_new0(CFile, 1);
    file->kind = C_FILE_BLOCK;
    file->descriptor = -1;
    file->block = block ? block : own;
    file->pointer = own;
    file->size = args[1];
    if (own && args[1])
        memset(vm_rank_write(rank, own, args[1]), 0, args[1]);
    bool fine = parse_block_mode(rank, file, mode);
    if (fine && vm_library_add_file(rank, file) >= 0)
        return c_return(args, file->handle);
    g_free(file);
    return fine ? c_fail(rank, args, EMFILE, 0) : VM_CALL_FAULT;
}

static int descriptor_of(const CFile *file)
{
    return file->handle <= 3 ? (int)file->handle - 1 : (int)(file->handle & 0xffff);
}

C_FUNCTION(fclose)
{
    CFile *file = vm_library_stream(rank, args[0], 1);
    if (!file || (file->kind == C_FILE_MEMORY && !publish_memory(rank, file)))
        return VM_CALL_FAULT;
    if (file->kind == C_FILE_PIPE && vm_library_pipe_flush(rank, file) == C_HALTED)
        return VM_CALL_DONE;
    bool full = file->kind == C_FILE_BLOCK && file->error;
    if (file->kind == C_FILE_BLOCK && !vm_library_release(rank, file->pointer))
        return VM_CALL_FAULT;
    int error = vm_library_close_file(rank, descriptor_of(file));
    if (full)
        error = ENOSPC;
    return error ? c_fail(rank, args, error, EOF) : c_return_int(args, 0);
}

/* Makes a stream on a descriptor that open() returned. */
C_FUNCTION(fdopen)
{
    const char *mode = c_string(1);
    if (!mode)
        return VM_CALL_FAULT;
    int flags;
    char host_mode[4];
    CFile *file = vm_library_descriptor_in_turn(rank, c_int(args[0]));
    if (!file || !parse_mode(mode, &flags, host_mode))
        return c_fail(rank, args, file ? EINVAL : EBADF, 0);
    if (file->kind == C_FILE_RAW) {
        file->host = vm_library_make_stream(rank, file->descriptor, host_mode, file->storage);
        if (!file->host)
            return c_fail(rank, args, errno, 0);
        file->kind = C_FILE_HOST;
    }
    return c_return(args, file->handle);
}

C_FUNCTION(fileno)
{
    CFile *file = vm_library_stream(rank, args[0], 1);
    if (!file)
        return VM_CALL_FAULT;
    return file->kind >= C_FILE_MEMORY ? c_fail(rank, args, EBADF, -1) : c_return_int(args, descriptor_of(file));
}

C_FUNCTION(fflush)
{
    VmLibrary *library = vm_library_of(rank);
    if (args[0] == 0) {
        if (vm_library_has_host_files(rank) && !vm_library_turn(rank))
            return VM_CALL_FAULT;
        rank->wants_turn = !rank->in_order && vm_library_pipes_pend(rank);
        if (rank->wants_turn)
            return VM_CALL_DONE;
        for (uint32_t i = 0; i < library->n_files; i++)
            if (library->files[i])
                vm_library_flush_file(rank, library->files[i]);
        return c_return_int(args, 0);
    }
    CFile *file = vm_library_stream(rank, args[0], 1);
    if (!file || (file->kind == C_FILE_MEMORY && !publish_memory(rank, file)))
        return VM_CALL_FAULT;
    if (file->kind == C_FILE_PIPE)
        return c_return_int(args, vm_library_pipe_flush(rank, file) ? EOF : 0);
    vm_library_flush_file(rank, file);
    if (file->kind == C_FILE_BLOCK && file->error)
        return c_fail(rank, args, ENOSPC, EOF);
    return c_return_int(args, 0);
}

/* The library buffers as it likes; only "unbuffered" standard output can be seen. */
C_FUNCTION(setvbuf)
{
    CFile *file = vm_library_stream(rank, args[0], 1);
    if (!file)
        return VM_CALL_FAULT;
    if (file->kind == C_FILE_STDOUT) {
        file->unbuffered = c_int(args[2]) == _IONBF;
        if (file->unbuffered)
            vm_library_flush_file(rank, file);
    } else if (file->kind == C_FILE_PIPE) {
        file->unbuffered = c_int(args[2]) == _IONBF;
        file->by_lines = c_int(args[2]) == _IOLBF;
    }
    return c_return_int(args, 0);
}

C_FUNCTION(setbuf)
{
    /* uses a window of its own, because the caller's ends behind the second argument */
    uint64_t inner[4] = {args[0], args[1], args[1] ? _IOFBF : _IONBF, 0};
    return vm_library_c_setvbuf(rank, inner) == VM_CALL_DONE ? c_return(args, 0) : VM_CALL_FAULT;
}

/* -- characters and lines ---------------------------------------------------------------------- */

/* A line on its way; most fit into `few`. */
typedef struct Line {
    char *bytes;
    size_t length, capacity;
    char few[1024];
} Line;

static void line_init(Line *line)
{
    line->bytes = line->few;
    line->length = 0;
    line->capacity = sizeof line->few;
}

static void line_clear(Line *line)
{
    if (line->bytes != line->few)
        g_free(line->bytes);
}

/* Appends bytes, and a NUL that does not count. */
static void line_append(Line *line, const char *bytes, size_t count)
{
    if (count >= line->capacity - line->length) {
        line->capacity = 2 * (line->capacity + count);
        line->bytes = line->bytes == line->few ? memcpy(g_malloc(line->capacity), line->few, line->length)
                                               : g_realloc(line->bytes, line->capacity);
    }
    memcpy(line->bytes + line->length, bytes, count);
    line->length += count;
    line->bytes[line->length] = '\0';
}

static VmCallResult put_byte(VmRank *rank, uint64_t *args, uint64_t stream, int number)
{
    CFile *file = vm_library_stream(rank, stream, number);
    if (!file)
        return VM_CALL_FAULT;
    unsigned char byte = (unsigned char)args[0];
    vm_library_orient(rank, file, -1); /* a single byte also goes to a wide stream, as in glibc */
    if (rank->output.handle != stream)
        vm_library_open_window(rank, &rank->output, file);
    return c_return_int(args, vm_library_put_byte(rank, file, byte) ? byte : EOF);
}

C_FUNCTION(fputc)
{
    return put_byte(rank, args, args[1], 2);
}

C_FUNCTION(putc)
{
    return put_byte(rank, args, args[1], 2);
}

C_FUNCTION(putchar)
{
    return put_byte(rank, args, 2, 1);
}

static VmCallResult get_byte(VmRank *rank, uint64_t *args, uint64_t stream)
{
    const char *bytes;
    CFile *file = vm_library_own_stream(rank, stream, 1);
    if (!file)
        return VM_CALL_FAULT;
    if (vm_library_orient(rank, file, -1) > 0)
        return c_return_int(args, EOF);
    if (!vm_library_at_hand(file, &bytes) && !vm_library_stream(rank, stream, 1))
        return VM_CALL_FAULT;
    if (rank->input.handle != stream)
        vm_library_open_window(rank, &rank->input, file);
    return c_return_int(args, vm_library_get_byte(rank, file));
}

C_FUNCTION(fgetc)
{
    return get_byte(rank, args, args[0]);
}

C_FUNCTION(getc)
{
    return get_byte(rank, args, args[0]);
}

C_FUNCTION(getchar)
{
    return get_byte(rank, args, 1);
}

C_FUNCTION(ungetc)
{
    CFile *file = vm_library_own_stream(rank, args[1], 2);
    if (!file)
        return VM_CALL_FAULT;
    int byte = c_int(args[0]);
    return c_return_int(args, vm_library_unget_byte(file, byte) ? (unsigned char)byte : EOF);
}

C_FUNCTION(fputs)
{
    const char *text = c_string(0);
    CFile *file = text ? vm_library_stream(rank, args[1], 2) : NULL;
    if (!file)
        return VM_CALL_FAULT;
    size_t length = strlen(text);
    c_charge(rank, length);
    bool fine = vm_library_takes_bytes(rank, file) && vm_library_put(rank, file, text, length) >= 0;
    return c_return_int(args, fine ? 1 : EOF);
}

C_FUNCTION(puts)
{
    const char *text = c_string(0);
    CFile *file = text ? vm_library_stream(rank, 2, 1) : NULL;
    if (!file)
        return VM_CALL_FAULT;
    size_t length = strlen(text);
    c_charge(rank, length + 1);
    Line line;
    line_init(&line);
    line_append(&line, text, length);
    line_append(&line, "\n", 1);
    bool fine = vm_library_takes_bytes(rank, file) && vm_library_put(rank, file, line.bytes, length + 1) >= 0;
    line_clear(&line);
    return c_return_int(args, fine ? (int)MIN(length + 1, INT32_MAX) : EOF);
}

/* Reads bytes up to and including `stop`, but at most `limit`. */
static void get_until(VmRank *rank, CFile *file, int stop, size_t limit, Line *line)
{
    const char *bytes, *end = NULL;
    if (vm_library_orient(rank, file, -1) > 0)
        return;
    while (line->length < limit && !end) {
        size_t count = MIN(vm_library_at_hand(file, &bytes), limit - line->length);
        if (count) {
            end = stop == (unsigned char)stop ? memchr(bytes, stop, count) : NULL;
            count = end ? (size_t)(end - bytes) + 1 : count;
            line_append(line, bytes, count);
            vm_library_take(file, count);
            continue;
        }
        int byte = vm_library_get_byte(rank, file);
        if (byte < 0)
            break;
        char own = (char)byte;
        line_append(line, &own, 1);
        if (byte == stop)
            break;
    }
    c_charge(rank, line->length);
}

/* Whether a line of at most `limit` bytes is at hand as a whole. */
static bool has_line(const CFile *file, size_t limit)
{
    const char *bytes;
    size_t count = vm_library_at_hand(file, &bytes);
    return count >= limit || (count && memchr(bytes, '\n', count));
}

C_FUNCTION(fgets)
{
    CFile *file = vm_library_own_stream(rank, args[2], 3);
    int size = c_int(args[1]);
    if (!file)
        return VM_CALL_FAULT;
    if (!(size > 1 && has_line(file, (size_t)size - 1)) && !vm_library_stream(rank, args[2], 3))
        return VM_CALL_FAULT;
    if (size <= 0)
        return c_return(args, 0);
    if (size == 1)
        return c_store(0, "", 1) ? VM_CALL_DONE : VM_CALL_FAULT;
    Line line;
    line_init(&line);
    get_until(rank, file, '\n', (size_t)size - 1, &line);
    bool stored = line.length == 0 || c_store(0, line.bytes, line.length + 1);
    line_clear(&line);
    if (line.length == 0)
        return c_return(args, 0);
    return stored ? VM_CALL_DONE : VM_CALL_FAULT;
}

/* C89's gets. A line that fits readable memory is at the program's own risk. */
C_FUNCTION(gets)
{
    CFile *file = vm_library_stream(rank, 1, 1);
    if (!file)
        return VM_CALL_FAULT;
    Line line;
    line_init(&line);
    get_until(rank, file, '\n', SIZE_MAX, &line);
    if (line.length == 0)
        return c_return(args, 0);
    size_t kept = line.length - (line.bytes[line.length - 1] == '\n');
    line.bytes[kept] = '\0';
    bool stored = c_store(0, line.bytes, kept + 1);
    line_clear(&line);
    return stored ? VM_CALL_DONE : VM_CALL_FAULT;
}

/* Makes the program's buffer (*args[0] of *args[1] bytes) hold at least `need` bytes. *buffer is its address. */
static bool grow_line(VmRank *rank, uint64_t *args, uint64_t need, uint64_t *buffer)
{
    CWord64 *pointer = c_write(0, 8), *size = pointer ? c_write(1, 8) : NULL;
    if (!size)
        return false;
    *buffer = *pointer;
    if (*buffer && *size >= need)
        return true;
    uint64_t capacity = MAX(need, *buffer ? *size * 2 : 120); /* glibc starts with 120 bytes */
    if (!vm_library_release(rank, *buffer) || !vm_library_allocate(rank, capacity, buffer))
        return false;
    capacity = *buffer ? capacity : 0;
    /* fetches the host addresses again, because the memory may have moved */
    memcpy(vm_memory_write(rank, args[0], 8), buffer, 8);
    memcpy(vm_memory_write(rank, args[1], 8), &capacity, 8);
    return true;
}

static VmCallResult get_line(VmRank *rank, uint64_t *args, int stop, uint64_t stream, int number)
{
    CFile *file = vm_library_stream(rank, stream, number);
    if (!file)
        return VM_CALL_FAULT;
    Line line;
    line_init(&line);
    get_until(rank, file, stop, SIZE_MAX, &line);
    uint64_t buffer;
    VmCallResult result = VM_CALL_FAULT;
    if (grow_line(rank, args, line.length + 1, &buffer))
        result = buffer == 0 || line.length == 0                                  ? c_return_int(args, -1)
                 : vm_library_store(rank, buffer, line.bytes, line.length + 1, 1) ? c_return(args, line.length)
                                                                                  : VM_CALL_FAULT;
    line_clear(&line);
    return result;
}

C_FUNCTION(getline)
{
    return get_line(rank, args, '\n', args[2], 3);
}

C_FUNCTION(getdelim)
{
    return get_line(rank, args, c_int(args[2]), args[3], 4);
}

/* -- blocks ------------------------------------------------------------------------------------ */

/* Computes the bytes of args[2] items of args[1] bytes. Returns false with a fault if the product overflows. */
static bool block_size(VmRank *rank, const uint64_t *args, uint64_t *size)
{
    if (!__builtin_mul_overflow(args[1], args[2], size))
        return true;
    vm_rank_fault(rank, VM_FAULT_LIBRARY, args[0], "%s: size times count is beyond all memory",
                  vm_library_function_name(rank));
    return false;
}

C_FUNCTION(fwrite)
{
    uint64_t size;
    CFile *file = vm_library_stream(rank, args[3], 4);
    if (!file || !block_size(rank, args, &size))
        return VM_CALL_FAULT;
    const char *bytes = c_read(0, size);
    if (!bytes)
        return VM_CALL_FAULT;
    c_charge(rank, size);
    if (size == 0 || !vm_library_takes_bytes(rank, file))
        return c_return(args, 0);
    return c_return(args, vm_library_put(rank, file, bytes, size) < 0 ? 0 : args[2]);
}

static size_t get_block(VmRank *rank, CFile *file, char *bytes, size_t size)
{
    if (file->kind == C_FILE_HOST) {
        errno = 0;
        size_t got = fread_unlocked(bytes, 1, size, file->host);
        if (got < size && ferror_unlocked(file->host))
            vm_library_set_errno(rank, errno);
        return got;
    }
    size_t got = 0;
    while (got < size) {
        const char *ready;
        size_t count = MIN(vm_library_at_hand(file, &ready), size - got);
        if (count) {
            memcpy(bytes + got, ready, count);
            vm_library_take(file, count);
            got += count;
            continue;
        }
        int byte = vm_library_get_byte(rank, file);
        if (byte < 0)
            break;
        bytes[got++] = (char)byte;
    }
    return got;
}

C_FUNCTION(fread)
{
    uint64_t size;
    CFile *file = vm_library_own_stream(rank, args[3], 4);
    const char *ready;
    if (!file || !block_size(rank, args, &size))
        return VM_CALL_FAULT;
    if (vm_library_at_hand(file, &ready) < size && !vm_library_stream(rank, args[3], 4))
        return VM_CALL_FAULT;
    char *bytes = c_write(0, size);
    if (size && !bytes)
        return VM_CALL_FAULT;
    if (size == 0 || vm_library_orient(rank, file, -1) > 0)
        return c_return(args, 0);
    size_t got = get_block(rank, file, bytes, size);
    c_charge(rank, got);
    return c_return(args, got / args[1]);
}

/* -- positions and state ----------------------------------------------------------------------- */

/* Sets the position in a memory stream. That of open_memstream() may lie behind the end; the gap will be zeros
 * (POSIX). */
static VmCallResult seek_memory(VmRank *rank, uint64_t *args, CFile *file)
{
    uint64_t length = file->kind == C_FILE_BLOCK ? file->length : file->text->len;
    uint64_t limit = file->kind == C_FILE_BLOCK ? file->size : (uint64_t)INT32_MAX;
    int whence = c_int(args[2]);
    int64_t from = whence == SEEK_CUR ? (int64_t)file->position : whence == SEEK_END ? (int64_t)length : 0, to;
    if (whence < SEEK_SET || whence > SEEK_END || __builtin_add_overflow(from, (int64_t)args[1], &to) || to < 0 ||
        (uint64_t)to > limit)
        return c_fail(rank, args, EINVAL, -1);
    file->position = (size_t)to;
    file->end_of_file = false;
    return c_return_int(args, 0);
}

C_FUNCTION(fseek)
{
    CFile *file = vm_library_stream(rank, args[0], 1);
    if (!file)
        return VM_CALL_FAULT;
    vm_library_forget_wide(file);
    if (file->kind >= C_FILE_MEMORY)
        return seek_memory(rank, args, file);
    if (file->kind != C_FILE_HOST)
        return c_fail(rank, args, ESPIPE, -1);
    return fseeko(file->host, (off_t)args[1], c_int(args[2])) == 0 ? c_return_int(args, 0)
                                                                   : c_fail(rank, args, errno, -1);
}

C_FUNCTION(fseeko)
{
    return vm_library_c_fseek(rank, args);
}

C_FUNCTION(ftell)
{
    CFile *file = vm_library_stream(rank, args[0], 1);
    if (!file)
        return VM_CALL_FAULT;
    if (file->kind >= C_FILE_MEMORY)
        return c_return(args, file->position);
    off_t position = file->kind == C_FILE_HOST ? ftello(file->host) : -1;
    if (position < 0)
        return c_fail(rank, args, file->kind == C_FILE_HOST ? errno : ESPIPE, -1);
    return c_return(args, (uint64_t)position);
}

C_FUNCTION(ftello)
{
    return vm_library_c_ftell(rank, args);
}

static void clear_state(CFile *file)
{
    file->error = file->end_of_file = false;
    if (file->kind == C_FILE_HOST)
        clearerr_unlocked(file->host);
}

C_FUNCTION(rewind)
{
    CFile *file = vm_library_stream(rank, args[0], 1);
    if (!file)
        return VM_CALL_FAULT;
    vm_library_forget_wide(file);
    if (file->kind == C_FILE_HOST)
        rewind(file->host);
    else if (file->kind >= C_FILE_MEMORY)
        file->position = 0;
    clear_state(file);
    return c_return(args, 0);
}

/* fpos_t is the position as a long. */
C_FUNCTION(fgetpos)
{
    uint64_t place = args[1];
    if (vm_library_c_ftell(rank, args) != VM_CALL_DONE)
        return VM_CALL_FAULT;
    if (args[0] == UINT64_MAX)
        return VM_CALL_DONE;
    CWord64 *position = vm_library_write(rank, place, 8, 2);
    if (!position)
        return VM_CALL_FAULT;
    *position = args[0];
    return c_return_int(args, 0);
}

C_FUNCTION(fsetpos)
{
    const CWord64 *position = c_read(1, 8);
    if (!position)
        return VM_CALL_FAULT;
    uint64_t inner[3] = {args[0], *position, SEEK_SET};
    VmCallResult result = vm_library_c_fseek(rank, inner);
    args[0] = inner[0];
    return result;
}

C_FUNCTION(feof)
{
    CFile *file = vm_library_own_stream(rank, args[0], 1);
    if (!file)
        return VM_CALL_FAULT;
    return c_return_int(args, file->end_of_file || (file->kind == C_FILE_HOST && feof_unlocked(file->host)));
}

C_FUNCTION(ferror)
{
    CFile *file = vm_library_own_stream(rank, args[0], 1);
    if (!file)
        return VM_CALL_FAULT;
    return c_return_int(args, file->error || (file->kind == C_FILE_HOST && ferror_unlocked(file->host)));
}

C_FUNCTION(clearerr)
{
    CFile *file = vm_library_own_stream(rank, args[0], 1);
    if (!file)
        return VM_CALL_FAULT;
    clear_state(file);
    return c_return(args, 0);
}
