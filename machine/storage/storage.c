/* storage.c - file servers: requests queue, devices seek and transfer, caches spare some of that.
 *
 *      node --- request (with the data of a write) ---> server: queue, service --- reply (with the data of a read) -->
 * node
 *
 * An access is cut at the ends of stripes, each of which lies on one server:
 *
 *      local      a server on every node, for the ranks of that node alone; nothing goes through the network
 *      server     one server for all
 *      parallel   several servers; stripe i of file f is on server (f + i) modulo their number
 *
 * A server serves one request after the other, in the order of arrival. So its state is one time, until when it is
 * busy, and the end of the queue is computed when a request arrives. The cache keeps blocks, least recently used ones
 * leave first. It takes writes at its own rate, as long as what the device has not yet taken fits; the device takes
 * that in the background. All times are integers of picoseconds, rounded up.
 */
#include "machine/storage/storage.h"

#include <string.h>

enum { UNDER_WAY = 64, BLOCK_BYTES = 65536 };

typedef struct Block {
    uint64_t key; /* file << 40 | number */
    struct Block *previous, *next;
} Block;

typedef struct Server {
    uint32_t node;
    uint64_t busy_until_ps;
    uint64_t drained_ps; /* time at which the device has all that was written */
    uint32_t file;       /* where the device is: behind `offset` of this file */
    uint64_t offset;
    bool moved;         /* the device has done something */
    GHashTable *blocks; /* in the cache; NULL: none yet */
    Block *newest, *oldest;
} Server;

/* An access, and the pieces that it is made of. */
typedef struct Request {
    VmStorageAccess access;
    uint32_t rank, node;
    uint64_t from_ps;
    uint64_t next, end; /* what is still to be sent: bytes, or servers */
    uint32_t under_way;
    MachStorageDone done;
    uint64_t cookie;
} Request;

typedef struct Piece {
    Request *request;
    uint32_t server;
    bool served;
    uint64_t offset, bytes;
} Piece;

struct MachStorage {
    const MachStorageParams *params;
    MachStorageClient client;
    uint32_t n_servers;
    Server *servers;
    GHashTable *files; /* name -> number + 1; never iterated */
    GPtrArray *names;  /* those names, by number */
};

/* -- making ------------------------------------------------------------------------------------ */

static uint32_t node_of_server(const MachStorageParams *params, uint32_t i, uint32_t n, uint32_t nodes)
{
    if (params->kind == MACH_STORAGE_LOCAL || params->place == MACH_STORAGE_FIRST)
        return i % nodes;
    if (params->place == MACH_STORAGE_SPREAD)
        return (uint32_t)(((uint64_t)i * nodes + nodes / 2) / n % nodes);
    return nodes - 1 - i % nodes;
}

MachStorage *mach_storage_new(const MachStorageParams *params, uint32_t nodes, const MachStorageClient *client)
{
    if (params->kind == MACH_STORAGE_NONE)
        return NULL;
    MachStorage *storage = g_new0(MachStorage, 1);
    storage->params = params;
    storage->client = *client;
    storage->n_servers = params->kind == MACH_STORAGE_LOCAL    ? nodes
                         : params->kind == MACH_STORAGE_SERVER ? 1
                                                               : params->servers;
    storage->servers = g_new0(Server, storage->n_servers);
    for (uint32_t i = 0; i < storage->n_servers; i++)
        storage->servers[i].node = node_of_server(params, i, storage->n_servers, nodes);
    storage->files = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    storage->names = g_ptr_array_new();
    return storage;
}

void mach_storage_free(MachStorage *storage)
{
    if (!storage)
        return;
    for (uint32_t i = 0; i < storage->n_servers; i++) {
        Server *server = &storage->servers[i];
        for (Block *block = server->newest, *next; block; block = next) {
            next = block->next;
            g_free(block);
        }
        if (server->blocks)
            g_hash_table_unref(server->blocks);
    }
    g_ptr_array_unref(storage->names);
    g_hash_table_unref(storage->files);
    g_free(storage->servers);
    g_free(storage);
}

uint32_t mach_storage_file(MachStorage *storage, const char *name)
{
    gpointer number = g_hash_table_lookup(storage->files, name);
    if (!number) {
        number = GUINT_TO_POINTER(g_hash_table_size(storage->files) + 1);
        char *own = g_strdup(name);
        g_hash_table_insert(storage->files, own, number);
        g_ptr_array_add(storage->names, own);
    }
    return GPOINTER_TO_UINT(number) - 1;
}

/* -- times ------------------------------------------------------------------------------------- */

static uint64_t transfer_ps(uint64_t bytes, uint64_t bandwidth)
{
    const uint64_t second = UINT64_C(1000000000000);
    return bandwidth ? (uint64_t)(((unsigned __int128)bytes * second + bandwidth - 1) / bandwidth) : 0;
}

/* The time of the device for this; it stays behind the last byte. */
static uint64_t device_ps(const MachStorage *storage, Server *server, const Piece *piece, uint64_t bytes, bool write)
{
    const MachStorageParams *params = storage->params;
    uint32_t file = piece->request->access.file;
    bool follows = server->moved && server->file == file && server->offset == piece->offset;
    server->moved = true;
    server->file = file;
    server->offset = piece->offset + piece->bytes;
    return (follows ? 0 : params->seek_ps) +
           transfer_ps(bytes, write ? params->write_bandwidth : params->read_bandwidth);
}

/* -- the cache --------------------------------------------------------------------------------- */

static void unlink_block(Server *server, Block *block)
{
    *(block->previous ? &block->previous->next : &server->newest) = block->next;
    *(block->next ? &block->next->previous : &server->oldest) = block->previous;
}

static void put_first(Server *server, Block *block)
{
    block->previous = NULL;
    block->next = server->newest;
    *(server->newest ? &server->newest->previous : &server->oldest) = block;
    server->newest = block;
}

/* Puts a block in the cache. Returns whether it was there. */
static bool touch(const MachStorage *storage, Server *server, uint64_t key)
{
    if (!server->blocks)
        server->blocks = g_hash_table_new(g_int64_hash, g_int64_equal);
    Block *block = g_hash_table_lookup(server->blocks, &key);
    bool found = block;
    if (found) {
        unlink_block(server, block);
    } else if (g_hash_table_size(server->blocks) >= MAX(storage->params->cache_bytes / BLOCK_BYTES, 1)) {
        block = server->oldest;
        unlink_block(server, block);
        g_hash_table_remove(server->blocks, &block->key);
    } else {
        block = g_new(Block, 1);
    }
    if (!found) {
        block->key = key;
        g_hash_table_insert(server->blocks, &block->key, block);
    }
    put_first(server, block);
    return found;
}

/* Brings a piece into the cache. Returns how many bytes of it were not there. */
static uint64_t bring(const MachStorage *storage, Server *server, const Piece *piece)
{
    uint64_t missed = 0, at = piece->offset, end = piece->offset + piece->bytes;
    while (at < end) {
        uint64_t number = at / BLOCK_BYTES, next = MIN((number + 1) * BLOCK_BYTES, end);
        uint64_t key = (uint64_t)piece->request->access.file << 40 | (number & ((UINT64_C(1) << 40) - 1));
        missed += touch(storage, server, key) ? 0 : next - at;
        at = next;
    }
    return missed;
}

/* -- serving ----------------------------------------------------------------------------------- */

static uint64_t read_end(MachStorage *storage, Server *server, const Piece *piece, uint64_t start)
{
    const MachStorageParams *params = storage->params;
    uint64_t missed = params->cache_bytes ? bring(storage, server, piece) : piece->bytes;
    uint64_t device = missed ? device_ps(storage, server, piece, missed, false) : 0;
    if (device) /* what is still to be written waits for it */
        server->drained_ps = MAX(server->drained_ps, start) + device;
    return start + device + transfer_ps(piece->bytes - missed, params->cache_bandwidth);
}

static uint64_t write_end(MachStorage *storage, Server *server, const Piece *piece, uint64_t start)
{
    const MachStorageParams *params = storage->params;
    uint64_t device = device_ps(storage, server, piece, piece->bytes, true);
    if (!params->cache_bytes)
        return server->drained_ps = start + device;
    bring(storage, server, piece);
    server->drained_ps = MAX(server->drained_ps, start) + device;
    uint64_t fits = transfer_ps(params->cache_bytes, params->write_bandwidth); /* so long the device may be behind */
    uint64_t end = start + transfer_ps(piece->bytes, params->cache_bandwidth);
    return server->drained_ps > fits ? MAX(end, server->drained_ps - fits) : end;
}

/* Returns when the server has served the piece that arrives now. */
static uint64_t serve(MachStorage *storage, Server *server, const Piece *piece, uint64_t now)
{
    const MachStorageParams *params = storage->params;
    uint64_t start = MAX(now, server->busy_until_ps), end = 0;
    switch (piece->request->access.sort) {
    case VM_STORAGE_READ: end = read_end(storage, server, piece, start + params->latency_ps); break;
    case VM_STORAGE_WRITE: end = write_end(storage, server, piece, start + params->latency_ps); break;
    case VM_STORAGE_NAME: end = start + params->name_ps; break;
    case VM_STORAGE_SYNC: end = MAX(start + params->latency_ps, server->drained_ps); break;
    }
    server->busy_until_ps = end;
    return end;
}

/* -- requests ---------------------------------------------------------------------------------- */

static bool has_data(const Request *request)
{
    return request->access.sort == VM_STORAGE_READ || request->access.sort == VM_STORAGE_WRITE;
}

/* Lets the piece go between the node of the rank and that of the server. */
static void travel(MachStorage *storage, const Piece *piece, bool back, uint64_t time_ps)
{
    const MachStorageClient *client = &storage->client;
    uint32_t node = piece->request->node, server = storage->servers[piece->server].node;
    bool full = piece->request->access.sort == (back ? VM_STORAGE_READ : VM_STORAGE_WRITE);
    uint64_t bytes = storage->params->request_bytes + (full ? piece->bytes : 0), cookie = (uint64_t)(uintptr_t)piece;
    if (node == server)
        client->at(client->user, time_ps, cookie);
    else
        client->send(client->user, back ? server : node, back ? node : server, bytes, time_ps, cookie);
}

/* Cuts the next piece off a request. */
static Piece *next_piece(const MachStorage *storage, Request *request)
{
    const MachStorageParams *params = storage->params;
    Piece *piece = g_new0(Piece, 1);
    piece->request = request;
    piece->offset = request->next;
    if (!has_data(request)) { /* a server each */
        piece->server = (uint32_t)request->next++;
        return piece;
    }
    uint64_t stripe = request->next / params->stripe_bytes;
    piece->bytes = MIN((stripe + 1) * params->stripe_bytes, request->end) - request->next;
    request->next += piece->bytes;
    piece->server = params->kind == MACH_STORAGE_LOCAL
                        ? request->node
                        : (uint32_t)((stripe + request->access.file) % storage->n_servers);
    return piece;
}

/* Sends as many pieces as may be under way. */
static void go_on(MachStorage *storage, Request *request, uint64_t time_ps)
{
    while (request->next < request->end && request->under_way < UNDER_WAY) {
        request->under_way++;
        travel(storage, next_piece(storage, request), false, time_ps);
    }
}

void mach_storage_start(MachStorage *storage, uint32_t rank, uint32_t node, const VmStorageAccess *access,
                        uint64_t time_ps, MachStorageDone done, uint64_t cookie)
{
    Request *request = g_new0(Request, 1);
    *request =
        (Request){.access = *access, .rank = rank, .node = node, .from_ps = time_ps, .done = done, .cookie = cookie};
    if (has_data(request)) {
        request->next = access->offset;
        request->end = access->offset + MAX(access->bytes, 1);
    } else if (storage->params->kind == MACH_STORAGE_LOCAL) {
        request->next = node;
        request->end = node + 1;
    } else {
        bool all = access->sort == VM_STORAGE_SYNC;
        request->next = all ? 0 : access->file % storage->n_servers;
        request->end = all ? storage->n_servers : request->next + 1;
    }
    go_on(storage, request, time_ps);
}

static void piece_over(MachStorage *storage, Piece *piece, uint64_t time_ps)
{
    Request *request = piece->request;
    g_free(piece);
    request->under_way--;
    go_on(storage, request, time_ps);
    if (request->under_way)
        return;
    Request over = *request;
    g_free(request);
    if (storage->client.over)
        storage->client.over(storage->client.user, over.rank, &over.access,
                             g_ptr_array_index(storage->names, over.access.file), over.from_ps, time_ps);
    over.done(storage->client.user, over.cookie, time_ps);
}

void mach_storage_event(MachStorage *storage, uint64_t cookie, uint64_t time_ps)
{
    Piece *piece = (Piece *)(uintptr_t)cookie;
    if (piece->served) {
        piece_over(storage, piece, time_ps);
        return;
    }
    piece->served = true;
    travel(storage, piece, true, serve(storage, &storage->servers[piece->server], piece, time_ps));
}

uint32_t mach_storage_rank(uint64_t cookie)
{
    return ((const Piece *)(uintptr_t)cookie)->request->rank;
}
