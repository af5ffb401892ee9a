/* memory.c - memory of a rank as x/ shows it, after gdb's habits: lines of 16 bytes, each with its address. */
#include "compiler/tree/tree.h"
#include "monitor/expression/values.h"
#include "monitor/report/report.h"

#include <string.h>

static unsigned size_of(const MonFormat *format)
{
    switch (format->size) {
    case 'b': return 1;
    case 'h': return 2;
    case 'g': return 8;
    case 'w': return 4;
    default: return format->letter == 'f' || format->letter == 'a' ? 8 : format->letter == 'c' ? 1 : 4;
    }
}

static bool refuse(uint64_t address, GError **error)
{
    g_set_error(error, MON_ERROR, MON_ERROR_EXPRESSION, "cannot read memory at 0x%" G_GINT64_MODIFIER "x", address);
    return false;
}

static bool print_strings(MonScope *scope, uint64_t address, uint32_t count, GString *out, GError **error)
{
    for (uint32_t i = 0; i < count; i++) {
        g_string_append_printf(out, "0x%" G_GINT64_MODIFIER "x:\t", address);
        if (!mon_string_print(scope, address, UINT64_MAX, out))
            return refuse(address, error);
        g_string_append_c(out, '\n');
        const char *letter;
        while ((letter = vm_rank_peek(scope->rank, address, 1)) && *letter)
            address++;
        address++;
    }
    return true;
}

bool mon_memory_print(const MonSpot *spot, uint64_t address, const MonFormat *format, GString *out, GError **error)
{
    static const CcType word = {.kind = CC_ULONG, .size = 8, .align = 8};
    MonScope scope;
    unsigned size = size_of(format), in_line = MAX(16 / MAX(size, 1), 1);
    uint32_t count = format->count ? format->count : 1;
    char letter = format->letter ? format->letter : 'z';
    if (!mon_expression_open(&scope, NULL, spot, error))
        return false;
    if (letter == 's')
        return print_strings(&scope, address, count, out, error);
    if (letter == 'x')
        letter = 'z';
    if (letter == 'c')
        in_line = 8;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t at = address + (uint64_t)i * size, raw = 0;
        const void *bytes = vm_rank_peek(scope.rank, at, size);
        if (!bytes) {
            if (i % in_line)
                g_string_append_c(out, '\n');
            return refuse(at, error);
        }
        memcpy(&raw, bytes, size);
        if (i % in_line == 0)
            g_string_append_printf(out, "0x%" G_GINT64_MODIFIER "x:", at);
        g_string_append_c(out, '\t');
        mon_raw_print(&scope, &word, raw, size, letter, out);
        if (i % in_line == in_line - 1 || i + 1 == count)
            g_string_append_c(out, '\n');
    }
    return true;
}
