/* framer.c - finds messages in a stream of bytes.
 *
 *   Content-Length: 5 CR LF [more headers CR LF] CR LF hello
 *
 * Whatever comes, the framer goes on: lines that are no header are skipped, and so is the body of a message that is too
 * long. Headers may end in LF alone, and their names may be in upper or lower case.
 */
#include "rpc/rpc.h"

#include <string.h>

struct RpcFramer {
    GString *bytes;
    size_t from; /* what lies before has been taken */
    size_t most;
    guint64 length; /* of the body, if has_length */
    bool has_length, in_body;
    guint64 skip; /* bytes of a body that is too long, yet to come */
};

RpcFramer *rpc_framer_new(size_t most)
{
    RpcFramer *framer = g_new0(RpcFramer, 1);
    framer->bytes = g_string_new(NULL);
    framer->most = most;
    return framer;
}

void rpc_framer_free(RpcFramer *framer)
{
    if (!framer)
        return;
    g_string_free(framer->bytes, TRUE);
    g_free(framer);
}

void rpc_framer_push(RpcFramer *framer, const char *bytes, size_t size)
{
    if (framer->from > framer->bytes->len / 2) {
        g_string_erase(framer->bytes, 0, (gssize)framer->from);
        framer->from = 0;
    }
    g_string_append_len(framer->bytes, bytes, (gssize)size);
}

/* Reads one header line without its end. Returns false if it is no header at all. */
static bool read_header(RpcFramer *framer, const char *line, size_t size)
{
    static const char name[] = "content-length";
    const char *colon = memchr(line, ':', size), *end = line + size;
    if (!colon)
        return false;
    if ((size_t)(colon - line) != strlen(name) || g_ascii_strncasecmp(line, name, strlen(name)) != 0)
        return true;
    guint64 length = 0;
    const char *at = colon + 1;
    while (at < end && *at == ' ')
        at++;
    const char *digits = at;
    for (; at < end && g_ascii_isdigit(*at) && length < G_MAXINT64 / 20; at++)
        length = length * 10 + (guint64)(*at - '0');
    if (at == digits || at != end)
        return false;
    framer->length = length;
    framer->has_length = true;
    return true;
}

/* Reads header lines up to the empty one. */
static RpcFrame read_headers(RpcFramer *framer)
{
    for (;;) {
        const char *line = framer->bytes->str + framer->from;
        size_t left = framer->bytes->len - framer->from;
        const char *newline = memchr(line, '\n', left);
        if (!newline) {
            if (left <= RPC_MOST_HEADER)
                return RPC_FRAME_NONE;
            framer->from = framer->bytes->len;
            framer->has_length = false;
            return RPC_FRAME_LOST;
        }
        size_t size = (size_t)(newline - line);
        framer->from += size + 1;
        if (size && line[size - 1] == '\r')
            size--;
        if (size == 0 && framer->has_length) {
            framer->has_length = false;
            framer->in_body = true;
            return RPC_FRAME_BODY;
        }
        if (size && !read_header(framer, line, size)) {
            framer->has_length = false;
            return RPC_FRAME_LOST;
        }
    }
}

RpcFrame rpc_framer_next(RpcFramer *framer, char **body, size_t *size)
{
    size_t left = framer->bytes->len - framer->from;
    if (framer->skip) {
        size_t skipped = (size_t)MIN(framer->skip, left);
        framer->from += skipped;
        framer->skip -= skipped;
        if (framer->skip)
            return RPC_FRAME_NONE;
    }
    if (!framer->in_body) {
        RpcFrame head = read_headers(framer);
        if (head != RPC_FRAME_BODY)
            return head;
    }
    if (framer->length > framer->most) {
        framer->skip = framer->length;
        framer->in_body = false;
        return RPC_FRAME_LOST;
    }
    left = framer->bytes->len - framer->from;
    if (left < framer->length)
        return RPC_FRAME_NONE;
    *size = (size_t)framer->length;
    *body = g_malloc(*size + 1);
    memcpy(*body, framer->bytes->str + framer->from, *size);
    (*body)[*size] = '\0';
    framer->from += *size;
    framer->in_body = false;
    return RPC_FRAME_BODY;
}
