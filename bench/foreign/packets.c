/* packets.c - headers of packets in bit fields, bytes in network order, checksums, functions chosen from a table. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct header {
    unsigned version : 4, length : 4, service : 8;
    unsigned total : 16;
    unsigned id : 16, flags : 3, offset : 13;
    unsigned ttl : 8, protocol : 8, checksum : 16;
    uint32_t source, destination;
};

struct counters {
    unsigned long bytes, packets;
    unsigned dropped : 20, seen : 12;
};

static uint16_t checksum(const void *data, size_t bytes)
{
    const uint8_t *p = data;
    uint32_t sum = 0;
    for (size_t i = 0; i + 1 < bytes; i += 2)
        sum += (uint32_t)(p[i] << 8 | p[i + 1]);
    while (sum >> 16)
        sum = (sum & 0xFFFF) + (sum >> 16);
    return (uint16_t)~sum;
}

static int tcp(struct header *h, struct counters *c)
{
    c->bytes += h->total;
    return h->total > 1400;
}

static int udp(struct header *h, struct counters *c)
{
    c->bytes += h->total - 8;
    h->service |= 3;
    return 0;
}

static int other(struct header *h, struct counters *c)
{
    c->dropped++;
    return h->flags & 1;
}

static int (*const handlers[])(struct header *, struct counters *) = {other, udp, tcp, other};

static void forward(struct header *h, struct counters *c)
{
    if (h->version != 4 || h->ttl <= 1) {
        c->dropped++;
        return;
    }
    h->ttl--;
    h->offset += (unsigned)handlers[h->protocol & 3](h, c);
    h->checksum = 0;
    h->checksum = checksum(h, sizeof *h);
    c->packets++;
    c->seen = (c->seen + h->id) & 0xFFF;
}

int main(int argc, char **argv)
{
    int turns = argc > 1 ? atoi(argv[1]) : 70000, count = argc > 2 ? atoi(argv[2]) : 256;
    struct header *h = calloc((size_t)count, sizeof *h);
    struct counters c;
    memset(&c, 0, sizeof c);
    unsigned sum = 0;
    for (int turn = 0; turn < turns; turn++) {
        if (turn % 64 == 0)
            for (int i = 0; i < count; i++) {
                h[i].version = i % 17 ? 4 : 6;
                h[i].length = 5;
                h[i].total = (unsigned)(i * 97 + turn) % 1500;
                h[i].id = (unsigned)(i * 7 + turn);
                h[i].flags = (unsigned)i % 8;
                h[i].ttl = (unsigned)i % 50 + 20;
                h[i].protocol = (unsigned)i % 4;
                h[i].source = 0x0A000001u + (unsigned)i;
            }
        for (int i = 0; i < count; i++)
            forward(&h[i], &c);
        sum = sum * 31 + h[turn % count].checksum;
    }
    printf("%lu %lu %u %u %u\n", c.bytes, c.packets, c.dropped, c.seen, sum);
    return 0;
}
