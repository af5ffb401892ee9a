/* stdio_formats.c - printf and scanf on streams and descriptors (C11 7.21.6). It joins the printer and the scanner of
 * printf.c and scanf.c to a stream's bytes, or to the characters of a wide stream. */
#include "vm/library/calls.h"

typedef struct StreamTarget {
    VmRank *rank;
    CFile *file;
    bool failed;
    char rest[6]; /* first bytes of a wide character whose other bytes come with the next flush */
    unsigned n_rest;
} StreamTarget;

static bool flush_sink(CSink *sink)
{
    StreamTarget *target = sink->user;
    if (vm_library_put(target->rank, target->file, sink->bytes, sink->used) < 0)
        target->failed = true;
    return !target->failed;
}

/* Writes the complete characters in the stream's own charset. */
static bool flush_wide_sink(CSink *sink)
{
    StreamTarget *target = sink->user;
    g_autoptr(GString) bytes = g_string_new(NULL);
    for (size_t i = 0; i < sink->used; i++) {
        target->rest[target->n_rest++] = sink->bytes[i];
        if (target->n_rest < (unsigned)g_utf8_skip[(unsigned char)target->rest[0]])
            continue;
        vm_library_spell(target->file, g_utf8_get_char(target->rest), bytes);
        target->n_rest = 0;
    }
    if (vm_library_put(target->rank, target->file, bytes->str, bytes->len) < 0)
        target->failed = true;
    return !target->failed;
}

static VmCallResult print_to(VmRank *rank, uint64_t *args, CFile *file, unsigned index, bool wide)
{
    StreamTarget target = {.rank = rank, .file = file};
    CSink sink;
    vm_library_sink_init(&sink);
    sink.flush = wide ? flush_wide_sink : flush_sink;
    sink.user = &target;
    int (*format)(VmRank *, CSink *, uint64_t, int, uint64_t) = wide ? vm_library_format_wide : vm_library_format;
    int result = format(rank, &sink, args[index], (int)index + 1, args[index + 1]);
    if (result != -2 && sink.used) /* after a fault the files are closed */
        sink.flush(&sink);
    vm_library_sink_clear(&sink);
    return result == -2 ? VM_CALL_FAULT : c_return_int(args, target.failed ? -1 : result);
}

/* printf on a stream: the format is args[index], the slots are args[index + 1]. */
static VmCallResult print_stream(VmRank *rank, uint64_t *args, uint64_t stream, unsigned index, bool wide)
{
    CFile *file = vm_library_stream(rank, stream, 1);
    if (!file)
        return VM_CALL_FAULT;
    bool fine = wide ? vm_library_orient(rank, file, 1) > 0 : vm_library_takes_bytes(rank, file);
    return fine ? print_to(rank, args, file, index, wide) : c_return_int(args, -1);
}

C_FUNCTION(printf)
{
    return print_stream(rank, args, 2, 0, false);
}

C_FUNCTION(vprintf)
{
    return print_stream(rank, args, 2, 0, false);
}

C_FUNCTION(fprintf)
{
    return print_stream(rank, args, args[0], 1, false);
}

C_FUNCTION(vfprintf)
{
    return print_stream(rank, args, args[0], 1, false);
}

C_FUNCTION(vfwprintf)
{
    return print_stream(rank, args, args[0], 1, true);
}

/* dprintf writes to a descriptor, of the console or from open(). */
C_FUNCTION(dprintf)
{
    CFile *file = vm_library_descriptor_in_turn(rank, c_int(args[0]));
    if (!file)
        return c_fail(rank, args, EBADF, -1);
    if (file->kind == C_FILE_RAW) {
        CSink sink;
        vm_library_sink_init(&sink);
        int result = vm_library_format(rank, &sink, args[1], 2, args[2]);
        if (result != -2 && sink.used && write(file->descriptor, sink.bytes, sink.used) < 0)
            result = -1;
        vm_library_sink_clear(&sink);
        return result == -2 ? VM_CALL_FAULT : c_return_int(args, result);
    }
    VmCallResult printed = print_to(rank, args, file, 1, false);
    if (printed == VM_CALL_DONE && file->kind == C_FILE_PIPE)
        vm_library_of(rank)->drains = file->handle;
    return printed;
}

C_FUNCTION(vdprintf)
{
    return vm_library_c_dprintf(rank, args);
}

static int source_get(CSource *source)
{
    StreamTarget *target = source->user;
    return vm_library_get_byte(target->rank, target->file);
}

static int source_get_wide(CSource *source)
{
    StreamTarget *target = source->user;
    return vm_library_get_wide(target->rank, target->file);
}

static void source_unget_wide(CSource *source, int character)
{
    StreamTarget *target = source->user;
    vm_library_unget_wide(target->file, (uint32_t)character);
}

static void source_unget(CSource *source, int byte)
{
    StreamTarget *target = source->user;
    vm_library_unget_byte(target->file, byte);
}

/* scanf on a stream: the format is args[index], the slots are args[index + 1]. */
static VmCallResult scan_stream(VmRank *rank, uint64_t *args, uint64_t stream, unsigned index, bool wide)
{
    StreamTarget target = {.rank = rank, .file = vm_library_stream(rank, stream, 1)};
    if (!target.file)
        return VM_CALL_FAULT;
    if (vm_library_orient(rank, target.file, wide ? 1 : -1) != (wide ? 1 : -1))
        return c_return_int(args, EOF);
    CSource source = {
        .get = wide ? source_get_wide : source_get, .unget = wide ? source_unget_wide : source_unget, .user = &target};
    int (*scan)(VmRank *, CSource *, uint64_t, int, uint64_t) = wide ? vm_library_scan_wide : vm_library_scan;
    int result = scan(rank, &source, args[index], (int)index + 1, args[index + 1]);
    return result == -2 ? VM_CALL_FAULT : c_return_int(args, result);
}

C_FUNCTION(scanf)
{
    return scan_stream(rank, args, 1, 0, false);
}

C_FUNCTION(vscanf)
{
    return scan_stream(rank, args, 1, 0, false);
}

C_FUNCTION(fscanf)
{
    return scan_stream(rank, args, args[0], 1, false);
}

C_FUNCTION(vfscanf)
{
    return scan_stream(rank, args, args[0], 1, false);
}

C_FUNCTION(vfwscanf)
{
    return scan_stream(rank, args, args[0], 1, true);
}
