/* framer.c - messages in a stream of bytes. */
#include "rpc/rpc.h"

#include <criterion/criterion.h>
#include <string.h>

static char *next(RpcFramer *framer, RpcFrame expected)
{
    char *body = NULL;
    size_t size;
    cr_assert_eq(rpc_framer_next(framer, &body, &size), expected);
    return body;
}

static void push(RpcFramer *framer, const char *text)
{
    rpc_framer_push(framer, text, strlen(text));
}

Test(framer, byte_by_byte)
{
    static const char text[] = "Content-Length: 5\r\n\r\nhelloCONTENT-LENGTH:2\n\nok";
    RpcFramer *framer = rpc_framer_new(100);
    GString *got = g_string_new(NULL);
    for (const char *at = text; *at; at++) {
        char *body;
        size_t size;
        rpc_framer_push(framer, at, 1);
        if (rpc_framer_next(framer, &body, &size) == RPC_FRAME_BODY) {
            g_string_append_printf(got, "%zu%s;", size, body);
            g_free(body);
        }
    }
    cr_assert_str_eq(got->str, "5hello;2ok;");
    g_string_free(got, TRUE);
    rpc_framer_free(framer);
}

Test(framer, goes_on_behind_what_is_wrong)
{
    RpcFramer *framer = rpc_framer_new(10);
    push(framer, "no header\r\nContent-Length: x\r\nContent-Length: 11\r\n\r\n01234");
    next(framer, RPC_FRAME_LOST);
    next(framer, RPC_FRAME_LOST);
    next(framer, RPC_FRAME_LOST);
    next(framer, RPC_FRAME_NONE);
    push(framer, "567890Content-Length: 1\r\n\r\nz");
    g_autofree char *body = next(framer, RPC_FRAME_BODY);
    cr_assert_str_eq(body, "z");
    next(framer, RPC_FRAME_NONE);
    rpc_framer_free(framer);
}

Test(framer, a_line_without_end)
{
    RpcFramer *framer = rpc_framer_new(10);
    g_autofree char *line = g_strnfill(RPC_MOST_HEADER + 1, 'x');
    push(framer, line);
    next(framer, RPC_FRAME_LOST);
    push(framer, "\nContent-Length: 0\r\n\r\n");
    g_autofree char *body = next(framer, RPC_FRAME_BODY);
    cr_assert_str_eq(body, "");
    rpc_framer_free(framer);
}
