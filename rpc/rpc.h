/* rpc.h - messages with a header "Content-Length: N", as the Language Server and Debug Adapter Protocols send them.
 *
 *   bytes --RpcFramer--> bodies       RpcChannel: a thread that reads bodies from a file descriptor, and a writer
 *
 * Nothing here knows what is in a body.
 */
#ifndef ORRERY_RPC_H
#define ORRERY_RPC_H

#include <glib.h>
#include <stdbool.h>

enum { RPC_MOST_BODY = 64 << 20, RPC_MOST_HEADER = 16 << 10 }; /* bytes of a message that is taken */

/* -- framing (framer.c) ----------------------------------------------------------------------- */

typedef struct RpcFramer RpcFramer;
typedef enum RpcFrame {
    RPC_FRAME_NONE, /* more bytes are needed */
    RPC_FRAME_BODY, /* *body is a message */
    RPC_FRAME_LOST  /* the bytes were no header, or the message was too large: they were skipped */
} RpcFrame;

/* `most`: bytes of the longest body that is taken; longer ones are skipped. */
RpcFramer *rpc_framer_new(size_t most);
void rpc_framer_free(RpcFramer *framer);
/* Takes bytes as they come. Amortised O(size). */
void rpc_framer_push(RpcFramer *framer, const char *bytes, size_t size);
/* Takes the next message out. The caller frees *body, which has a zero behind its *size bytes, with g_free(). */
RpcFrame rpc_framer_next(RpcFramer *framer, char **body, size_t *size);

/* -- channels (channel.c) ---------------------------------------------------------------------- */

typedef struct RpcChannel RpcChannel;
typedef enum RpcReceived { RPC_MESSAGE, RPC_LOST, RPC_TIMEOUT, RPC_CLOSED } RpcReceived;

/* Starts to read from `in`. The channel owns both descriptors, which may be equal. */
RpcChannel *rpc_channel_new(int in, int out);
/* Closes the channel, and waits for its thread. */
void rpc_channel_free(RpcChannel *channel);
/* Waits for a message, up to `milliseconds` (negative: for ever). The caller frees *body with g_free(). */
RpcReceived rpc_channel_receive(RpcChannel *channel, int milliseconds, char **body, size_t *size);
/* Sends a body with its header. Returns false if the other side is gone. May be called by one thread at a time. */
bool rpc_channel_send(RpcChannel *channel, const char *body, size_t size);

/* Waits for one client at a TCP port of this host (0: any that is free). Calls `listening` with the port before it
 * waits. Returns the connection, or -1 with `error` set. */
int rpc_channel_accept(unsigned port, void (*listening)(unsigned port, void *user), void *user, GError **error);

#endif
