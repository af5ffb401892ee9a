/* test_pool.c - slots of an array that are taken and given back. */
#include "base/pool.h"

#include <criterion/criterion.h>

typedef struct Item {
    uint32_t overwritten; /* while the slot is free */
    uint32_t kept;
} Item;

Test(pool, hands_out_new_places_in_order_and_moves_what_is_there)
{
    Item *item = NULL;
    BasePool items = {0};
    for (uint32_t i = 0; i < 1000; i++) {
        cr_assert_eq(BASE_POOL_TAKE(&items, item), i);
        item[i] = (Item){i, ~i};
    }
    for (uint32_t i = 0; i < 1000; i++)
        cr_assert(item[i].overwritten == i && item[i].kept == ~i);
    cr_assert_eq(items.count, 1000);
    cr_assert_geq(items.capacity, 1000);
    g_free(item);
}

Test(pool, takes_the_place_given_back_last_first)
{
    Item *item = NULL;
    BasePool items = {0};
    for (uint32_t i = 0; i < 10; i++) {
        uint32_t place = BASE_POOL_TAKE(&items, item);
        item[place].kept = i;
    }
    for (uint32_t i = 0; i < 10; i += 3) /* slot 0 is like the others */
        BASE_POOL_GIVE(&items, item, i);
    for (uint32_t i = 10; i-- > 0;)
        if (i % 3 == 0)
            cr_assert_eq(BASE_POOL_TAKE(&items, item), i);
    cr_assert_eq(BASE_POOL_TAKE(&items, item), 10, "none is free any more");
    for (uint32_t i = 0; i < 10; i++)
        cr_assert_eq(item[i].kept, i, "but for its first four bytes a place stays as it was");
    g_free(item);
}

Test(pool, begins_anew_with_the_same_array_after_clear)
{
    Item *item = NULL;
    BasePool items = {0};
    for (uint32_t i = 0; i < 100; i++)
        BASE_POOL_TAKE(&items, item);
    BASE_POOL_GIVE(&items, item, 7);
    uint32_t capacity = items.capacity;
    base_pool_clear(&items);
    cr_assert_eq(BASE_POOL_TAKE(&items, item), 0);
    cr_assert_eq(BASE_POOL_TAKE(&items, item), 1);
    cr_assert_eq(items.capacity, capacity);
    g_free(item);
}
