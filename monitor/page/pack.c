/* pack.c - columns of numbers as text: groups of 7 bits, deflated, in base64. */
#include "monitor/page/parts.h"

#include <zlib.h>

void mon_page_put(GByteArray *out, uint64_t number)
{
    uint8_t bytes[10];
    guint n = 0;
    for (; number >= 0x80; number >>= 7)
        bytes[n++] = (uint8_t)(number | 0x80);
    bytes[n++] = (uint8_t)number;
    g_byte_array_append(out, bytes, n);
}

void mon_page_put_signed(GByteArray *out, int64_t number)
{
    mon_page_put(out, number < 0 ? ~((uint64_t)number << 1) : (uint64_t)number << 1);
}

char *mon_page_pack(const GByteArray *bytes)
{
    uLongf length = compressBound(bytes->len);
    g_autofree uint8_t *packed = g_malloc(length);
    int result = compress2(packed, &length, bytes->data, bytes->len, Z_BEST_COMPRESSION);
    g_assert(result == Z_OK); /* memory in, memory out, with room for the longest result */
    return g_base64_encode(packed, length);
}
