/* test_matching.c - matching compared with two plain lists (MPI-3.1 sections 3.5, 3.8.1), and the order of messages
 * between two ranks over a network that reorders them. */
#include "mpi/core/world.h"
#include "mpi/p2p/p2p.h"

#include <criterion/criterion.h>

/* -- the oracle: a list of receives, a list of messages ---------------------------------------- */

typedef struct Lists {
    GPtrArray *posted, *unexpected;
} Lists;

static MpiItem *take_first(GPtrArray *list, MpiKey key, bool list_of_receives)
{
    for (guint i = 0; i < list->len; i++) {
        MpiItem *item = list->pdata[i];
        if (list_of_receives ? mpi_match_accepts(item->key, key) : mpi_match_accepts(key, item->key)) {
            g_ptr_array_remove_index(list, i);
            return item;
        }
    }
    return NULL;
}

static MpiKey random_key(GRand *random, bool receive)
{
    MpiKey key = {.space = (uint32_t)g_rand_int_range(random, 2, 5),
                  .source = g_rand_int_range(random, 0, 6),
                  .tag = g_rand_int_range(random, 0, 6)};
    if (receive && g_rand_int_range(random, 0, 4) == 0)
        key.source = MPI_ANY_SOURCE_;
    if (receive && g_rand_int_range(random, 0, 4) == 0)
        key.tag = MPI_ANY_TAG_;
    return key;
}

static void step(MpiMatcher *matcher, MpiPool *bins, Lists *lists, GPtrArray *items, GRand *random)
{
    MpiItem *item = g_new0(MpiItem, 1);
    g_ptr_array_add(items, item);
    int kind = g_rand_int_range(random, 0, 20);
    bool receive = kind < 10;
    item->key = random_key(random, receive);
    if (kind == 18 && lists->posted->len) { /* cancel a receive */
        MpiItem *victim = lists->posted->pdata[g_rand_int_range(random, 0, (gint32)lists->posted->len)];
        mpi_match_withdraw(matcher, bins, victim);
        g_ptr_array_remove(lists->posted, victim);
    } else if (kind == 19 && lists->unexpected->len) { /* cancel a send */
        MpiItem *victim = lists->unexpected->pdata[g_rand_int_range(random, 0, (gint32)lists->unexpected->len)];
        mpi_match_remove(matcher, bins, victim);
        g_ptr_array_remove(lists->unexpected, victim);
    } else if (receive) {
        MpiItem *wanted = take_first(lists->unexpected, item->key, false);
        cr_assert_eq(mpi_match_probe(matcher, bins, item->key), wanted);
        cr_assert_eq(mpi_match_post(matcher, bins, item), wanted);
        if (!wanted)
            g_ptr_array_add(lists->posted, item);
    } else {
        MpiItem *wanted = take_first(lists->posted, item->key, true);
        cr_assert_eq(mpi_match_posted(matcher, item->key), wanted);
        cr_assert_eq(mpi_match_arrival(matcher, bins, item), wanted);
        if (!wanted)
            g_ptr_array_add(lists->unexpected, item);
    }
}

Test(matching, random_traffic_matches_as_two_lists_do)
{
    for (guint32 seed = 1; seed <= 40; seed++) {
        g_autoptr(GRand) random = g_rand_new_with_seed(seed);
        g_autoptr(GPtrArray) items = g_ptr_array_new_with_free_func(g_free);
        Lists lists = {g_ptr_array_new(), g_ptr_array_new()};
        MpiMatcher matcher = {0};
        MpiPool bins;
        mpi_pool_init(&bins, mpi_match_bin_size());
        for (int i = 0; i < 3000; i++)
            step(&matcher, &bins, &lists, items, random);
        cr_assert_eq(matcher.n_unexpected, lists.unexpected->len, "seed %u", seed);
        g_ptr_array_free(lists.posted, TRUE);
        g_ptr_array_free(lists.unexpected, TRUE);
        mpi_match_clear(&matcher);
        mpi_pool_clear(&bins);
    }
}

/* A wildcard receive that is posted after many messages still takes the one that arrived first. */
Test(matching, wildcards_take_the_oldest)
{
    MpiMatcher matcher = {0};
    MpiPool bins;
    mpi_pool_init(&bins, mpi_match_bin_size());
    MpiItem messages[100] = {0}, receive = {0}, exact = {0};
    for (int i = 0; i < 100; i++) {
        messages[i].key = (MpiKey){2, 99 - i, i % 7};
        cr_assert_null(mpi_match_arrival(&matcher, &bins, &messages[i]));
    }
    exact.key = (MpiKey){2, 99, 0};
    cr_assert_eq(mpi_match_post(&matcher, &bins, &exact), &messages[0]);
    receive.key = (MpiKey){2, MPI_ANY_SOURCE_, MPI_ANY_TAG_};
    cr_assert_eq(mpi_match_post(&matcher, &bins, &receive), &messages[1]);
    mpi_match_clear(&matcher);
    mpi_pool_clear(&bins);
}

/* Collectives of a communicator use another space: a user's wildcard never takes their messages. */
Test(matching, spaces_are_apart)
{
    MpiMatcher matcher = {0};
    MpiPool bins;
    mpi_pool_init(&bins, mpi_match_bin_size());
    MpiItem receive = {.key = {2, MPI_ANY_SOURCE_, MPI_ANY_TAG_}}, message = {.key = {3, 0, 0}};
    cr_assert_null(mpi_match_post(&matcher, &bins, &receive));
    cr_assert_null(mpi_match_arrival(&matcher, &bins, &message));
    mpi_match_clear(&matcher);
    mpi_pool_clear(&bins);
}

/* A receive of many messages takes one from each source that it awaits, and no other. It stays until the last one. */
Test(matching, a_receive_of_many_takes_one_of_each)
{
    MpiMatcher matcher = {0};
    MpiPool bins;
    mpi_pool_init(&bins, mpi_match_bin_size());
    uint64_t awaited[2] = {1 << 3, 1 << 6}; /* sources 3 and 70 */
    MpiMany many = {.item.key = {3, MPI_ANY_SOURCE_, 5}, .awaited = awaited, .open = 2};
    MpiItem user = {.key = {2, MPI_ANY_SOURCE_, MPI_ANY_TAG_}}, exact = {.key = {3, 4, 5}};
    MpiItem messages[6] = {{.key = {3, 3, 6}}, {.key = {3, 69, 5}}, {.key = {3, 3, 5}},
                           {.key = {3, 3, 5}}, {.key = {3, 4, 5}},  {.key = {3, 70, 5}}};
    MpiItem *takers[6] = {NULL, NULL, &many.item, NULL, &exact, &many.item};
    for (int alone = 0; alone < 2; alone++) { /* first beside other receives, then as the only one */
        if (!alone)
            cr_assert_null(mpi_match_post(&matcher, &bins, &user));
        mpi_match_post_many(&matcher, &bins, &many);
        if (!alone)
            cr_assert_null(mpi_match_post(&matcher, &bins, &exact));
        for (int i = 0; i < 6; i++)
            if (!alone || takers[i] != &exact)
                cr_assert_eq(mpi_match_arrival(&matcher, &bins, &messages[i]), takers[i], "message %d", i);
        cr_assert_eq(many.open, 0);
        if (!alone)
            mpi_match_withdraw(&matcher, &bins, &user);
        cr_assert_eq(matcher.posted_of[1], 0);
        for (int i = 0; i < 6; i++)
            if (!takers[i])
                mpi_match_remove(&matcher, &bins, &messages[i]);
        awaited[0] = 1 << 3;
        awaited[1] = 1 << 6;
        many.open = 2;
    }
    mpi_match_clear(&matcher);
    mpi_pool_clear(&bins);
}

/* -- message_order.c ----------------------------------------------------------------------------------- */

enum { PAIR_RANKS = 9, PAIR_MESSAGES = 4000 };

Test(pairs, any_order_of_arrival_becomes_the_order_of_sending)
{
    guint32 seed = 11;
    g_autoptr(GRand) random = g_rand_new_with_seed(seed);
    MpiPairTable table = {0};
    MpiMessage *messages = g_new0(MpiMessage, PAIR_MESSAGES);
    g_autoptr(GPtrArray) under_way = g_ptr_array_new();
    uint64_t last[PAIR_RANKS][PAIR_RANKS] = {0};
    int sent = 0, arrived = 0;
    while (arrived < PAIR_MESSAGES) {
        if (sent < PAIR_MESSAGES && (under_way->len == 0 || g_rand_int_range(random, 0, 100) < 52)) {
            MpiMessage *message = &messages[sent++];
            message->from = (uint32_t)g_rand_int_range(random, 0, PAIR_RANKS);
            message->to = (uint32_t)g_rand_int_range(random, 0, PAIR_RANKS);
            message->pair_order = mpi_order_send(&table, message->from, message->to);
            message->id = (uint64_t)sent;
            g_ptr_array_add(under_way, message);
            continue;
        }
        MpiMessage *message =
            g_ptr_array_remove_index(under_way, (guint)g_rand_int_range(random, 0, (gint32)under_way->len));
        for (MpiMessage *turn = mpi_order_arrive(&table, message); turn; turn = turn->next) {
            cr_assert(turn->id > last[turn->from][turn->to], "seed %u: overtaken", seed);
            last[turn->from][turn->to] = turn->id;
            arrived++;
        }
    }
    cr_assert_eq(table.used, 0, "pairs without traffic are forgotten");
    mpi_order_clear(&table);
    g_free(messages);
}
