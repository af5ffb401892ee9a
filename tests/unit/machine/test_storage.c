/* test_storage.c - exact times of file servers: queue, seek, stripes, cache, and what goes through the network. */
#include "machine/storage/storage.h"

#include <criterion/criterion.h>
#include <glib.h>

enum { WIRE_PS = 1000, MOST = 256 };

/* A client whose network takes WIRE_PS for every message. Events come in the order of their times. */
typedef struct Client {
    struct {
        uint64_t time_ps, cookie;
    } events[MOST];
    unsigned n, messages;
    uint64_t bytes, done_ps, done;
    MachStorage *storage;
} Client;

static void at(void *user, uint64_t time_ps, uint64_t cookie)
{
    Client *client = user;
    unsigned i = client->n++;
    cr_assert_lt(client->n, MOST);
    for (; i > 0 && client->events[i - 1].time_ps > time_ps; i--)
        client->events[i] = client->events[i - 1];
    client->events[i].time_ps = time_ps;
    client->events[i].cookie = cookie;
}

static void deliver(void *user, uint32_t from, uint32_t to, uint64_t bytes, uint64_t time_ps, uint64_t cookie)
{
    Client *client = user;
    cr_expect_neq(from, to);
    cr_expect_eq(cookie & 15, 0);
    client->messages++;
    client->bytes += bytes;
    at(user, time_ps + WIRE_PS, cookie);
}

static void done(void *user, uint64_t cookie, uint64_t time_ps)
{
    Client *client = user;
    client->done += cookie;
    client->done_ps = time_ps;
}

static void run(Client *client)
{
    while (client->n) {
        uint64_t time_ps = client->events[0].time_ps, cookie = client->events[0].cookie;
        for (unsigned i = 1; i < client->n; i++)
            client->events[i - 1] = client->events[i];
        client->n--;
        mach_storage_event(client->storage, cookie, time_ps);
    }
}

/* A byte takes 1,000 ps to read and 2,000 ps to write, and 10 ps in the cache. */
static MachStorageParams params_of(MachStorageKind kind, uint32_t servers)
{
    return (MachStorageParams){.kind = kind,
                               .servers = servers,
                               .latency_ps = 50,
                               .name_ps = 70,
                               .seek_ps = 400,
                               .read_bandwidth = 1000000000,
                               .write_bandwidth = 500000000,
                               .stripe_bytes = 1000,
                               .request_bytes = 8,
                               .cache_bandwidth = UINT64_C(100000000000)};
}

static uint64_t made(Client *client, uint32_t node, VmStorageSort sort, uint64_t offset, uint64_t bytes, uint64_t time)
{
    VmStorageAccess what = {.sort = sort, .offset = offset, .bytes = bytes};
    mach_storage_start(client->storage, 0, node, &what, time, done, 1);
    run(client);
    return client->done_ps;
}

static void begin(Client *client, const MachStorageParams *params)
{
    MachStorageClient callbacks = {.user = client, .send = deliver, .at = at};
    client->storage = mach_storage_new(params, 4, &callbacks);
}

Test(storage, none)
{
    MachStorageParams params = params_of(MACH_STORAGE_NONE, 1);
    MachStorageClient callbacks = {0};
    cr_expect_null(mach_storage_new(&params, 4, &callbacks));
}

Test(storage, local_disk)
{
    MachStorageParams params = params_of(MACH_STORAGE_LOCAL, 1);
    Client client = {0};
    begin(&client, &params);
    cr_expect_eq(made(&client, 1, VM_STORAGE_READ, 0, 100, 0), 50 + 400 + 100000);
    cr_expect_eq(made(&client, 1, VM_STORAGE_READ, 100, 10, 200000), 200000 + 50 + 10000, "it follows: no seek");
    cr_expect_eq(made(&client, 1, VM_STORAGE_WRITE, 0, 10, 300000), 300000 + 50 + 400 + 20000);
    cr_expect_eq(made(&client, 2, VM_STORAGE_NAME, 0, 0, 0), 70, "the disk of another node is idle");
    cr_expect_eq(client.messages, 0);
    mach_storage_free(client.storage);
}

Test(storage, requests_queue_at_a_server)
{
    MachStorageParams params = params_of(MACH_STORAGE_SERVER, 1);
    Client client = {0};
    begin(&client, &params);
    VmStorageAccess what = {.sort = VM_STORAGE_WRITE, .offset = 0, .bytes = 100};
    for (uint32_t node = 0; node < 2; node++)
        mach_storage_start(client.storage, node, node, &what, 0, done, 1);
    run(&client);
    uint64_t first = WIRE_PS + 50 + 400 + 200000;
    cr_expect_eq(client.done_ps, first + 50 + 400 + 200000 + WIRE_PS, "one after the other");
    cr_expect_eq(client.done, 2);
    cr_expect_eq(client.messages, 4);
    cr_expect_eq(client.bytes, 2 * (8 + 100) + 2 * 8);
    mach_storage_free(client.storage);
}

Test(storage, stripes_go_to_servers_in_turn)
{
    MachStorageParams params = params_of(MACH_STORAGE_PARALLEL, 2);
    Client client = {0};
    begin(&client, &params);
    /* 500 bytes of stripe 0, all of stripe 1, 500 of stripe 2: two servers with 1,000 bytes each */
    cr_expect_eq(made(&client, 0, VM_STORAGE_READ, 500, 2000, 0), WIRE_PS + 2 * 50 + 2 * 400 + 1000000 + WIRE_PS);
    cr_expect_eq(client.messages, 6);
    mach_storage_free(client.storage);
}

Test(storage, cache_and_sync)
{
    MachStorageParams params = params_of(MACH_STORAGE_LOCAL, 1);
    Client client = {0};
    params.cache_bytes = 1 << 20;
    params.stripe_bytes = 1 << 20;
    begin(&client, &params);
    cr_expect_eq(made(&client, 0, VM_STORAGE_WRITE, 0, 1000, 0), 50 + 10000, "as fast as the cache");
    cr_expect_eq(made(&client, 0, VM_STORAGE_READ, 0, 1000, 20000), 20000 + 50 + 10000, "what was written is there");
    cr_expect_eq(made(&client, 0, VM_STORAGE_SYNC, 0, 0, 40000), 50 + 400 + 2000000, "until the device has it");
    mach_storage_free(client.storage);
}
