/* library_wide.c - formats in wide characters (C11 7.29.2): vswprintf, vfwprintf, vswscanf, vfwscanf; the functions
 * with
 * "..." are the runtime's (runtime/wchar_stdio.c).
 *
 * Wide text goes through the same printer and scanner as bytes do, in UTF-8.
 */
#include "vm/library.h"

#include <stdlib.h>

char *vm_library_wide_string(VmRank *rank, uint64_t address, int number)
{
    GString *text = g_string_new(NULL);
    for (;; address += 4) {
        const CWord32 *wide = vm_library_read(rank, address, 4, number);
        if (!wide) {
            g_string_free(text, TRUE);
            return NULL;
        }
        if (*wide == 0)
            return g_string_free(text, FALSE);
        g_string_append_unichar(text, *wide <= 0x10ffff ? *wide : 0xfffd);
    }
}

/* Unlike snprintf, too little room is a failure (7.29.2.7 p3). */
C_FUNCTION(vswprintf)
{
    CSink sink;
    vm_sink_init(&sink);
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
    vm_sink_clear(&sink);
    if (result == -2 || (room && !to))
        return VM_CALL_FAULT;
    return fits ? c_return_int(args, result) : c_return_int(args, -1);
}

C_FUNCTION(vfwprintf)
{
    return vm_library_print(rank, args, args[0], 1, true);
}

C_FUNCTION(vfwscanf)
{
    return vm_library_scan_stream(rank, args, args[0], 1, true);
}

static int text_get(CSource *source)
{
    return source->text < source->end ? (unsigned char)*source->text++ : -1;
}

static void text_unget(CSource *source, int byte)
{
    (void)byte;
    source->text--;
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
