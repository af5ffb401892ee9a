/* wide.c - wide streams and formats in wide characters (C11 7.29.2, 7.29.3). The runtime has the functions with "..."
 * (runtime/wchar_stdio.c).
 *
 * Wide text goes through the same printer as bytes do, in UTF-8 with its old forms of up to six bytes. A wide stream
 * writes and reads in the charset that the rank had when the stream became wide.
 */
#include "vm/library/calls.h"

#include <stdlib.h>

/* Unlike snprintf, it fails if there is too little room (7.29.2.7 p3). */
C_FUNCTION(vswprintf)
{
    CSink sink;
    vm_library_sink_init(&sink);
    int result = vm_library_format_wide(rank, &sink, args[2], 3, args[3]);
    uint64_t room = args[1], count = result >= 0 ? (uint64_t)result : 0;
    bool fits = result >= 0 && count < room;
    uint64_t kept = fits ? count : room ? MIN(count, room - 1) : 0;
    CWord32 *to = result != -2 && room ? c_write(0, (kept + 1) * 4) : NULL;
    if (to) {
        const char *at = sink.bytes;
        for (uint64_t i = 0; i < kept; i++, at = g_utf8_next_char(at))
            to[i] = g_utf8_get_char(at);
        to[kept] = 0;
    }
    vm_library_sink_clear(&sink);
    if (result == -2 || (room && !to))
        return VM_CALL_FAULT;
    return fits ? c_return_int(args, result) : c_return_int(args, -1);
}

static int text_get(CSource *source)
{
    if (source->text == source->end)
        return -1;
    int character = (int)g_utf8_get_char(source->text);
    source->text = g_utf8_next_char(source->text);
    return character;
}

static void text_unget(CSource *source, int character)
{
    (void)character;
    source->text = g_utf8_prev_char(source->text);
}

C_FUNCTION(vswscanf)
{
    g_autofree char *text = vm_library_wide_string(rank, args[0], 1);
    if (!text)
        return VM_CALL_FAULT;
    CSource source = {.get = text_get, .unget = text_unget, .text = text, .end = text + strlen(text)};
    int result = vm_library_scan_wide(rank, &source, args[1], 2, args[2]);
    return result == -2 ? VM_CALL_FAULT : c_return_int(args, result);
}

/* -- streams ----------------------------------------------------------------------------------- */

int vm_library_set_orientation(VmRank *rank, CFile *file, int orientation)
{
    if (orientation != 0) {
        file->orientation = orientation > 0 ? 1 : -1;
        file->utf8 = vm_library_utf8(rank);
    }
    return file->orientation;
}

bool vm_library_takes_bytes(VmRank *rank, CFile *file)
{
    return vm_library_orient(rank, file, -1) < 0 || file->kind == C_FILE_STDERR;
}

int vm_library_get_wide(VmRank *rank, CFile *file)
{
    uint32_t character;
    if (file->pushed && file->pushed->len) {
        character = g_array_index(file->pushed, uint32_t, file->pushed->len - 1);
        g_array_set_size(file->pushed, file->pushed->len - 1);
        return (int)character;
    }
    for (;;) {
        int length = file->n_partial ? vm_library_decode(file->utf8, file->partial, file->n_partial, &character) : 0;
        if (length > 0) {
            file->n_partial = 0;
            return (int)character;
        }
        if (length < 0) { /* the error persists, because the bytes are not skipped */
            file->error = true;
            vm_library_set_errno(rank, EILSEQ);
            return -1;
        }
        int byte = vm_library_get_byte(rank, file);
        if (byte < 0)
            return -1;
        g_assert(file->n_partial < sizeof file->partial);
        file->partial[file->n_partial++] = (char)byte;
    }
}

void vm_library_unget_wide(CFile *file, uint32_t character)
{
    if (!file->pushed)
        file->pushed = g_array_new(FALSE, FALSE, sizeof character);
    g_array_append_val(file->pushed, character);
    file->end_of_file = false;
    if (file->kind == C_FILE_HOST && feof_unlocked(file->host) && !ferror_unlocked(file->host))
        clearerr_unlocked(file->host);
}

void vm_library_spell(const CFile *file, uint32_t character, GString *bytes)
{
    char own[6];
    int length = vm_library_encode(file->utf8, character, own);
    if (length >= 0)
        g_string_append_len(bytes, own, length);
    else
        g_string_append(bytes, vm_library_spelling(character));
}

void vm_library_forget_wide(CFile *file)
{
    file->n_partial = 0;
    if (file->pushed)
        g_array_set_size(file->pushed, 0);
}

C_FUNCTION(fgetwc)
{
    CFile *file = vm_library_stream(rank, args[0], 1);
    if (!file)
        return VM_CALL_FAULT;
    return c_return(args,
                    vm_library_orient(rank, file, 1) > 0 ? (uint32_t)vm_library_get_wide(rank, file) : UINT32_MAX);
}

C_FUNCTION(ungetwc)
{
    CFile *file = vm_library_stream(rank, args[1], 2);
    if (!file)
        return VM_CALL_FAULT;
    uint32_t character = (uint32_t)args[0];
    if (vm_library_orient(rank, file, 1) > 0 && character != UINT32_MAX)
        vm_library_unget_wide(file, character);
    else
        character = UINT32_MAX;
    return c_return(args, character);
}

C_FUNCTION(fputwc)
{
    CFile *file = vm_library_stream(rank, args[1], 2);
    if (!file)
        return VM_CALL_FAULT;
    uint32_t character = (uint32_t)args[0];
    if (vm_library_orient(rank, file, 1) < 0)
        return c_return(args, UINT32_MAX);
    g_autoptr(GString) bytes = g_string_new(NULL);
    vm_library_spell(file, character, bytes);
    return c_return(args, vm_library_put(rank, file, bytes->str, bytes->len) < 0 ? UINT32_MAX : character);
}

C_FUNCTION(fwide)
{
    CFile *file = vm_library_stream(rank, args[0], 1);
    return file ? c_return_int(args, vm_library_orient(rank, file, c_int(args[1]))) : VM_CALL_FAULT;
}
