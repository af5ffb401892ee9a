/* calendar.c - when each node makes its next message: a wheel of two levels (Varghese and Lauck, "Hashed and
 * Hierarchical Timing Wheels", 1987).
 *
 *   near     a set of nodes for each cycle of the present block of SLOTS cycles
 *   far      a set of nodes for each of the SLOTS - 1 blocks after it
 *   beyond   an event queue for what comes later
 *
 * Sets are bits, so that the nodes of a cycle come in ascending order without being sorted. When the present block has
 * been used up, the next one that has a node becomes the present one, and its set is spread over `near`.
 */
#include "base/queue.h"
#include "traffic/internal.h"

enum { SLOTS = TRAFFIC_CALENDAR_SLOTS };

void traffic_calendar_init(TrafficCalendar *calendar, uint32_t nodes)
{
    *calendar = (TrafficCalendar){.words = nodes / 64 + 1};
    calendar->cycle = g_new0(uint64_t, nodes);
    calendar->near.set = g_new0(uint64_t, (size_t)SLOTS * calendar->words);
    calendar->far.set = g_new0(uint64_t, (size_t)SLOTS * calendar->words);
    calendar->beyond = base_queue_new();
}

void traffic_calendar_clear(TrafficCalendar *calendar)
{
    g_free(calendar->cycle);
    g_free(calendar->near.set);
    g_free(calendar->far.set);
    base_queue_free(calendar->beyond);
}

static void add(const TrafficCalendar *calendar, TrafficWheel *wheel, uint64_t time, uint32_t node)
{
    uint32_t slot = time % SLOTS;
    wheel->used[slot / 64] |= UINT64_C(1) << slot % 64;
    wheel->set[(size_t)slot * calendar->words + node / 64] |= UINT64_C(1) << node % 64;
}

void traffic_calendar_put(TrafficCalendar *calendar, uint32_t node, uint64_t cycle)
{
    uint64_t block = cycle / SLOTS;
    assert(block >= calendar->block);
    calendar->cycle[node] = cycle;
    if (block == calendar->block)
        add(calendar, &calendar->near, cycle, node);
    else if (block - calendar->block < SLOTS)
        add(calendar, &calendar->far, block, node);
    else
        base_queue_push(calendar->beyond, cycle, 0, node, 0, 0);
}

/* Returns how far after `from` the next slot is that is used, 1 to SLOTS - 1; SLOTS: none is. */
static uint32_t next_used(const TrafficWheel *wheel, uint64_t from)
{
    for (uint32_t i = 1; i < SLOTS; i++) {
        uint32_t slot = (from + i) % SLOTS;
        if (slot % 64 == 0 && !wheel->used[slot / 64])
            i += 63;
        else if (wheel->used[slot / 64] >> slot % 64 & 1)
            return i;
    }
    return SLOTS;
}

/* Spreads the nodes of the present block over its cycles. */
static void spread(TrafficCalendar *calendar)
{
    uint32_t slot = calendar->block % SLOTS;
    calendar->far.used[slot / 64] &= ~(UINT64_C(1) << slot % 64);
    uint64_t *set = &calendar->far.set[(size_t)slot * calendar->words];
    for (uint32_t word = 0; word < calendar->words; word++)
        for (; set[word]; set[word] &= set[word] - 1) {
            uint32_t node = word * 64 + (uint32_t)__builtin_ctzll(set[word]);
            add(calendar, &calendar->near, calendar->cycle[node], node);
        }
}

/* Goes on to the next block in which there is anything. Returns false if there is none. */
static bool next_block(TrafficCalendar *calendar)
{
    uint32_t far = next_used(&calendar->far, calendar->block);
    uint64_t beyond = base_queue_next_time(calendar->beyond);
    if (far == SLOTS && beyond == UINT64_MAX)
        return false;
    calendar->block = far == SLOTS ? beyond / SLOTS : calendar->block + far;
    spread(calendar);
    BaseEvent event;
    while (base_queue_next_time(calendar->beyond) / SLOTS - calendar->block < SLOTS &&
           base_queue_pop(calendar->beyond, &event))
        traffic_calendar_put(calendar, event.rank, event.time_ps);
    return true;
}

uint64_t traffic_calendar_next(TrafficCalendar *calendar)
{
    while (!calendar->near.used[0] && !calendar->near.used[1])
        if (!next_block(calendar))
            return UINT64_MAX;
    uint32_t half = !calendar->near.used[0];
    return calendar->block * SLOTS + half * 64 + (uint32_t)__builtin_ctzll(calendar->near.used[half]);
}

uint32_t traffic_calendar_take(TrafficCalendar *calendar, uint64_t cycle)
{
    uint32_t slot = cycle % SLOTS;
    uint64_t *set = &calendar->near.set[(size_t)slot * calendar->words];
    uint32_t word = calendar->last == cycle ? calendar->word : 0;
    while (!set[word])
        word++;
    calendar->last = cycle;
    calendar->word = word;
    uint32_t node = word * 64 + (uint32_t)__builtin_ctzll(set[word]);
    set[word] &= set[word] - 1;
    while (word < calendar->words && !set[word])
        word++;
    if (word == calendar->words)
        calendar->near.used[slot / 64] &= ~(UINT64_C(1) << slot % 64);
    return node;
}
