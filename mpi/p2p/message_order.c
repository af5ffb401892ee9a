/* message_order.c - messages between two ranks do not overtake each other (MPI-3.1 section 3.5), whatever the network
 * does.
 *
 * Envelopes (eager messages and requests to send) from one rank to another are numbered. One that arrives before its
 * turn is held back until those before it have come. The answers and data of a rendezvous need no order. A pair has an
 * entry only while envelopes are on their way, since otherwise there is no order to keep. So the size of the table
 * depends on the traffic of the moment, not on the number of pairs that have ever communicated.
 *
 * The table uses open addressing with linear probing. Removal shifts the cluster back, so there are no tombstones. */
#include "mpi/core/world.h"
#include "mpi/p2p/p2p.h"

static uint64_t pair_key(uint32_t from, uint32_t to)
{
    return ((uint64_t)from << 32 | to) + 1;
}

static uint32_t pair_home(const MpiPairTable *table, uint64_t key)
{
    return (uint32_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 32) & table->mask;
}

/* Returns the index of the key, or of the free slot where it would be. */
static MpiPair *pair_find(const MpiPairTable *table, uint64_t key)
{
    uint32_t at = pair_home(table, key);
    while (table->pairs[at].key && table->pairs[at].key != key)
        at = (at + 1) & table->mask;
    return &table->pairs[at];
}

static void pairs_grow(MpiPairTable *table)
{
    MpiPairTable old = *table;
    uint32_t size = old.pairs ? 2 * (old.mask + 1) : 64;
    table->pairs = g_new0(MpiPair, size);
    table->mask = size - 1;
    for (uint32_t i = 0; old.pairs && i <= old.mask; i++)
        if (old.pairs[i].key)
            *pair_find(table, old.pairs[i].key) = old.pairs[i];
    g_free(old.pairs);
}

static void pair_drop(MpiPairTable *table, MpiPair *pair)
{
    uint32_t hole = (uint32_t)(pair - table->pairs);
    for (uint32_t at = (hole + 1) & table->mask; table->pairs[at].key; at = (at + 1) & table->mask) {
        uint32_t home = pair_home(table, table->pairs[at].key);
        if (((at - home) & table->mask) < ((at - hole) & table->mask))
            continue; /* moving it would put it before its home slot */
        table->pairs[hole] = table->pairs[at];
        hole = at;
    }
    table->pairs[hole] = (MpiPair){0};
    table->used--;
}

uint32_t mpi_order_send(MpiPairTable *table, uint32_t from, uint32_t to)
{
    if (!table->pairs || 2 * table->used > table->mask)
        pairs_grow(table);
    uint64_t key = pair_key(from, to);
    MpiPair *pair = pair_find(table, key);
    if (!pair->key) {
        pair->key = key;
        table->used++;
    }
    return pair->sent++;
}

static void pair_hold(MpiPair *pair, MpiMessage *message)
{
    MpiMessage **link = &pair->early;
    while (*link && (*link)->pair_order < message->pair_order)
        link = &(*link)->next;
    message->next = *link;
    *link = message;
}

MpiMessage *mpi_order_arrive(MpiPairTable *table, MpiMessage *message)
{
    MpiPair *pair = pair_find(table, pair_key(message->from, message->to));
    g_assert(pair->key);
    pair_hold(pair, message);
    MpiMessage *first = NULL, **last = &first;
    while (pair->early && pair->early->pair_order == pair->arrived) {
        *last = pair->early;
        last = &pair->early->next;
        pair->early = pair->early->next;
        pair->arrived++;
    }
    *last = NULL;
    if (pair->arrived == pair->sent) {
        g_assert(!pair->early);
        pair_drop(table, pair);
    }
    return first;
}

void mpi_order_clear(MpiPairTable *table)
{
    g_free(table->pairs);
    *table = (MpiPairTable){0};
}
