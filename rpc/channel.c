/* channel.c - a thread reads messages into a queue, so that whoever works on one can see what came since. */
#include "rpc/rpc.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

typedef struct Received {
    RpcReceived what;
    char *body;
    size_t size;
} Received;

struct RpcChannel {
    int in, out;
    int wake[2]; /* closing wake[1] ends the thread */
    GAsyncQueue *queue;
    GThread *thread;
    bool closed; /* RPC_CLOSED has been received */
};

static void push(RpcChannel *channel, RpcReceived what, char *body, size_t size)
{
    Received *received = g_new(Received, 1);
    *received = (Received){what, body, size};
    g_async_queue_push(channel->queue, received);
}

static void take_all(RpcChannel *channel, RpcFramer *framer)
{
    char *body = NULL;
    size_t size = 0;
    bool told = false;
    for (RpcFrame frame; (frame = rpc_framer_next(framer, &body, &size)) != RPC_FRAME_NONE;) {
        if (frame == RPC_FRAME_BODY)
            push(channel, RPC_MESSAGE, body, size);
        else if (!told)
            push(channel, RPC_LOST, NULL, 0);
        told = frame == RPC_FRAME_LOST;
    }
}

static gpointer read_all(gpointer data)
{
    enum { PIECE = 64 << 10 };
    RpcChannel *channel = data;
    RpcFramer *framer = rpc_framer_new(RPC_MOST_BODY);
    g_autofree char *piece = g_malloc(PIECE);
    for (;;) {
        struct pollfd fds[] = {{channel->in, POLLIN, 0}, {channel->wake[0], POLLIN, 0}};
        if (poll(fds, 2, -1) < 0 && errno != EINTR)
            break;
        if (fds[1].revents)
            break;
        if (!fds[0].revents)
            continue;
        ssize_t n = read(channel->in, piece, PIECE);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            break;
        rpc_framer_push(framer, piece, (size_t)n);
        take_all(channel, framer);
    }
    rpc_framer_free(framer);
    push(channel, RPC_CLOSED, NULL, 0);
    return NULL;
}

RpcChannel *rpc_channel_new(int in, int out)
{
    RpcChannel *channel = g_new0(RpcChannel, 1);
    channel->in = in;
    channel->out = out;
    channel->queue = g_async_queue_new();
    if (pipe(channel->wake) != 0)
        channel->wake[0] = channel->wake[1] = -1;
    channel->thread = g_thread_new("rpc", read_all, channel);
    return channel;
}

void rpc_channel_free(RpcChannel *channel)
{
    if (!channel)
        return;
    close(channel->wake[1]);
    g_thread_join(channel->thread);
    for (Received *left; (left = g_async_queue_try_pop(channel->queue));) {
        g_free(left->body);
        g_free(left);
    }
    g_async_queue_unref(channel->queue);
    close(channel->wake[0]);
    close(channel->in);
    if (channel->out != channel->in)
        close(channel->out);
    g_free(channel);
}

RpcReceived rpc_channel_receive(RpcChannel *channel, int milliseconds, char **body, size_t *size)
{
    if (channel->closed)
        return RPC_CLOSED;
    Received *received = milliseconds < 0 ? g_async_queue_pop(channel->queue)
                                          : g_async_queue_timeout_pop(channel->queue, (guint64)milliseconds * 1000);
    if (!received)
        return RPC_TIMEOUT;
    RpcReceived what = received->what;
    *body = received->body;
    *size = received->size;
    channel->closed = what == RPC_CLOSED;
    g_free(received);
    return what;
}

static bool write_all(int fd, const char *bytes, size_t size)
{
    while (size) {
        ssize_t n = write(fd, bytes, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        bytes += n;
        size -= (size_t)n;
    }
    return true;
}

bool rpc_channel_send(RpcChannel *channel, const char *body, size_t size)
{
    g_autofree char *head = g_strdup_printf("Content-Length: %zu\r\n\r\n", size);
    return write_all(channel->out, head, strlen(head)) && write_all(channel->out, body, size);
}

static int fail(GError **error, int fd, unsigned port, const char *what)
{
    int number = errno;
    if (fd >= 0)
        close(fd);
    g_set_error(error, G_FILE_ERROR, (gint)g_file_error_from_errno(number), "cannot %s port %u of this host: %s", what,
                port, g_strerror(number));
    return -1;
}

int rpc_channel_accept(unsigned port, void (*listening)(unsigned port, void *user), void *user, GError **error)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    socklen_t length = sizeof address;
    const int yes = 1;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return fail(error, fd, port, "open");
    (void)setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (bind(fd, (struct sockaddr *)(void *)&address, sizeof address) != 0 || listen(fd, 1) != 0 ||
        getsockname(fd, (struct sockaddr *)(void *)&address, &length) != 0)
        return fail(error, fd, port, "listen at");
    if (listening)
        listening(ntohs(address.sin_port), user);
    int client;
    do {
        client = accept4(fd, NULL, NULL, SOCK_CLOEXEC);
    } while (client < 0 && errno == EINTR);
    if (client < 0)
        return fail(error, fd, port, "accept a client at");
    close(fd);
    return client;
}
