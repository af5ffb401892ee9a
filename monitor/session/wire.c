/* wire.c - messages over a socket: a header, then the bytes of the value. */
#include "monitor/session/wire.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

typedef struct Header {
    uint32_t kind, size;
} Header;

static const char *const types[] = {
#define TYPE(name, type) [MON_WIRE_##name] = (type),
    MON_WIRE_KINDS(TYPE)
#undef TYPE
};

/* -- bytes ------------------------------------------------------------------------------------- */

static bool put(int socket, const void *bytes, size_t size)
{
    const char *at = bytes;
    while (size > 0) {
        ssize_t n = send(socket, at, size, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        at += n;
        size -= (size_t)n;
    }
    return true;
}

static bool get(int socket, void *bytes, size_t size)
{
    char *at = bytes;
    while (size > 0) {
        ssize_t n = recv(socket, at, size, 0);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        at += n;
        size -= (size_t)n;
    }
    return true;
}

/* The descriptor goes with the header. */
static bool put_header(int socket, const Header *header, int descriptor)
{
    union {
        char bytes[CMSG_SPACE(sizeof(int))];
        struct cmsghdr align;
    } control = {0};
    struct iovec part = {.iov_base = (void *)header, .iov_len = sizeof *header};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (descriptor < 0)
        return put(socket, header, sizeof *header);
    message.msg_control = control.bytes;
    message.msg_controllen = sizeof control.bytes;
    struct cmsghdr *rights = CMSG_FIRSTHDR(&message);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(rights), &descriptor, sizeof descriptor);
    ssize_t n;
    do
        n = sendmsg(socket, &message, MSG_NOSIGNAL);
    while (n < 0 && errno == EINTR);
    return n > 0 && put(socket, (const char *)header + n, sizeof *header - (size_t)n);
}

static bool get_header(int socket, Header *header, int *descriptor)
{
    union {
        char bytes[CMSG_SPACE(sizeof(int))];
        struct cmsghdr align;
    } control;
    struct iovec part = {.iov_base = header, .iov_len = sizeof *header};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
    ssize_t n;
    *descriptor = -1;
    do
        n = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    while (n < 0 && errno == EINTR);
    if (n <= 0)
        return false;
    const struct cmsghdr *rights = CMSG_FIRSTHDR(&message);
    if (rights && rights->cmsg_level == SOL_SOCKET && rights->cmsg_type == SCM_RIGHTS)
        memcpy(descriptor, CMSG_DATA(rights), sizeof *descriptor);
    return get(socket, (char *)header + n, sizeof *header - (size_t)n);
}

/* -- messages ---------------------------------------------------------------------------------- */

bool mon_wire_send(int socket, MonWireKind kind, GVariant *value, int descriptor)
{
    g_autoptr(GVariant) sunk = g_variant_ref_sink(value ? value : g_variant_new("()"));
    g_assert(g_variant_is_of_type(sunk, G_VARIANT_TYPE(types[kind])));
    Header header = {kind, (uint32_t)g_variant_get_size(sunk)};
    return put_header(socket, &header, descriptor) &&
           (header.size == 0 || put(socket, g_variant_get_data(sunk), header.size));
}

bool mon_wire_receive(int socket, MonWireKind *kind, GVariant **value, int *descriptor)
{
    Header header;
    *value = NULL;
    if (!get_header(socket, &header, descriptor))
        return false;
    void *bytes = g_malloc(header.size);
    bool whole = header.kind < G_N_ELEMENTS(types) && get(socket, bytes, header.size);
    if (!whole) {
        g_free(bytes);
        if (*descriptor >= 0)
            close(*descriptor);
        return false;
    }
    *kind = (MonWireKind)header.kind;
    *value = g_variant_ref_sink(
        g_variant_new_from_data(G_VARIANT_TYPE(types[header.kind]), bytes, header.size, TRUE, g_free, bytes));
    return true;
}

bool mon_wire_waiting(int socket)
{
    struct pollfd poll_it = {.fd = socket, .events = POLLIN};
    return poll(&poll_it, 1, 0) > 0;
}

char *mon_wire_text(const char *text)
{
    GString *out = g_string_new(NULL);
    for (const char *end; !g_utf8_validate(text, -1, &end); text = end + 1) {
        g_string_append_len(out, text, end - text);
        g_string_append_printf(out, "\\%03o", (unsigned char)*end);
    }
    g_string_append(out, text);
    return g_string_free(out, FALSE);
}
