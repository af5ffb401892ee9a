/* Records that go to a thread. */
#include "base/feed.h"

#include <criterion/criterion.h>
#include <string.h>

typedef struct Taken {
    uint64_t next, chunks;
    gulong pause_us; /* of each chunk */
} Taken;

static void take(void *user, const uint64_t *words, size_t n)
{
    Taken *taken = user;
    taken->chunks++;
    g_usleep(taken->pause_us);
    for (size_t i = 0; i < n; i += 1 + words[i] % BASE_FEED_LONGEST)
        cr_assert_eq(words[i], taken->next++);
}

/* Records come in their order, whoever is faster, and none is lost: neither where all chunks are full, nor at the end.
 */
Test(feed, a_thread_takes_records_in_order)
{
    static const gulong pauses[] = {0, 300};
    for (size_t k = 0; k < G_N_ELEMENTS(pauses); k++) {
        enum { RECORDS = 40000 };
        Taken taken = {.pause_us = pauses[k]};
        BaseFeed feed;
        base_feed_begin(&feed, "records", take, &taken);
        for (uint64_t i = 0; i < RECORDS; i++) {
            uint64_t *record = base_feed_room(&feed);
            memset(record, 0xff, BASE_FEED_LONGEST * sizeof *record);
            record[0] = i;
            feed.at = record + 1 + i % BASE_FEED_LONGEST;
        }
        base_feed_end(&feed);
        cr_assert_eq(taken.next, RECORDS);
        cr_assert_gt(taken.chunks, BASE_FEED_CHUNKS);
    }
}

Test(feed, a_thread_that_gets_nothing_ends)
{
    Taken taken = {0};
    BaseFeed feed;
    base_feed_begin(&feed, "records", take, &taken);
    base_feed_end(&feed);
    cr_assert_eq(taken.next, 0);
}
