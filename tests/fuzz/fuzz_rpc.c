/* fuzz_rpc.c - any bytes as messages with headers, in pieces as the first byte says: whole or in pieces, the same
 * messages come out, and each is as long as it says. */
#include "fuzz.h"
#include "rpc/rpc.h"

#include <string.h>

/* Returns all bodies, with their lengths, of bytes that come in pieces. */
static GString *take(const uint8_t *bytes, size_t size, size_t piece)
{
    enum { MOST = 1000 };
    RpcFramer *framer = rpc_framer_new(MOST);
    GString *all = g_string_new(NULL);
    for (size_t at = 0; at < size; at += piece) {
        char *body;
        size_t length;
        rpc_framer_push(framer, (const char *)bytes + at, MIN(piece, size - at));
        for (RpcFrame frame; (frame = rpc_framer_next(framer, &body, &length)) != RPC_FRAME_NONE;)
            if (frame == RPC_FRAME_BODY) {
                g_assert(length <= MOST && body[length] == '\0');
                g_string_append_printf(all, "%zu:", length);
                g_string_append_len(all, body, (gssize)length);
                g_free(body);
            }
    }
    rpc_framer_free(framer);
    return all;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (size == 0)
        return 0;
    g_autofree uint8_t *text = g_memdup2(bytes + 1, size - 1);
    GString *whole = take(text, size - 1, MAX(size, 2)), *pieces = take(text, size - 1, (size_t)bytes[0] + 1);
    if (size <= RPC_MOST_HEADER) /* a longer line is given up when that is seen, which depends on the pieces */
        g_assert(whole->len == pieces->len && memcmp(whole->str, pieces->str, whole->len) == 0);
    g_string_free(whole, TRUE);
    g_string_free(pieces, TRUE);
    return 0;
}
