/* test_sorter.c - records come back in order, whether they fit in memory or not; files that fail are told. */
#include "base/random.h"
#include "base/sorter.h"

#include <criterion/criterion.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>

/* Record n of a made-up run: few keys, so that many are the same; its bytes are n, some of them nothing. */
static void add(BaseSorter *sorter, uint64_t n)
{
    uint64_t drawn = n * UINT64_C(0x9e3779b97f4a7c15) >> 40;
    BaseRecord record = {.keys = {drawn % 7, drawn % 5, drawn % 3}, .size = (uint32_t)(n % 4 * 3), .bytes = NULL};
    char bytes[9];
    memset(bytes, (int)(n % 251), sizeof bytes);
    memcpy(bytes, &n, MIN(sizeof n, record.size));
    record.bytes = bytes;
    base_sorter_add(sorter, &record);
}

static int compare(const BaseRecord *one, const BaseRecord *other)
{
    for (unsigned i = 0; i < 3; i++)
        if (one->keys[i] != other->keys[i])
            return one->keys[i] < other->keys[i] ? -1 : 1;
    return 0;
}

static void check_order(uint64_t records, size_t memory)
{
    g_autoptr(BaseSorter) sorter = base_sorter_new(memory);
    g_autoptr(GError) error = NULL;
    BaseRecord last = {0}, record;
    uint64_t count = 0, bytes = 0, last_number = 0;
    for (uint64_t n = 0; n < records; n++)
        add(sorter, n);
    cr_assert(base_sorter_begin(sorter, &error));
    for (; base_sorter_next(sorter, &record); count++) {
        cr_assert(count == 0 || compare(&last, &record) <= 0);
        uint64_t number = 0;
        if (record.size >= sizeof number)
            memcpy(&number, record.bytes, sizeof number);
        if (count && compare(&last, &record) == 0 && number && last_number)
            cr_assert_lt(last_number, number, "records with the same keys stay in their order");
        if (count && compare(&last, &record) != 0)
            last_number = 0;
        last_number = number ? number : last_number;
        bytes += record.size;
        last = record;
    }
    cr_assert(base_sorter_end(sorter, &error));
    cr_assert_eq(count, records);
    uint64_t expected = 0;
    for (uint64_t n = 0; n < records; n++)
        expected += n % 4 * 3;
    cr_assert_eq(bytes, expected);
}

Test(sorter, records_come_in_order)
{
    static const uint64_t numbers[] = {0, 1, 2, 1000, 20000};
    static const size_t memories[] = {1, 1000, 100000, 1 << 26}; /* a run for each record; many; few; none */
    for (unsigned i = 0; i < G_N_ELEMENTS(numbers); i++)
        for (unsigned k = numbers[i] > 1000; k < G_N_ELEMENTS(memories); k++)
            check_order(numbers[i], memories[k]);
}

Test(sorter, long_records_go_through)
{
    g_autoptr(BaseSorter) sorter = base_sorter_new(1000);
    g_autofree char *bytes = g_malloc(300000);
    BaseRecord record = {0};
    for (unsigned n = 0; n < 5; n++) {
        memset(bytes, (int)('a' + n), 300000);
        base_sorter_add(sorter, &(BaseRecord){.keys = {5 - n}, .size = 300000 - n, .bytes = bytes});
    }
    cr_assert(base_sorter_begin(sorter, NULL));
    for (unsigned n = 5; n-- > 0;) {
        cr_assert(base_sorter_next(sorter, &record));
        cr_assert_eq(record.size, 300000 - n);
        cr_assert_eq(((const char *)record.bytes)[record.size - 1], (char)('a' + n));
    }
    cr_assert_not(base_sorter_next(sorter, &record));
    cr_assert_not(base_sorter_next(sorter, &record));
}

Test(sorter, a_file_that_cannot_be_made_is_told)
{
    g_setenv("TMPDIR", "/nowhere/at/all", TRUE);
    g_autoptr(BaseSorter) sorter = base_sorter_new(100);
    g_autoptr(GError) error = NULL;
    BaseRecord record;
    for (uint64_t n = 0; n < 100; n++)
        add(sorter, n);
    cr_assert_not(base_sorter_begin(sorter, &error));
    cr_assert(strstr(error->message, "temporary file"));
    cr_assert_not(base_sorter_next(sorter, &record));
}

Test(sorter, a_full_disk_is_told)
{
    struct rlimit limit = {100000, 100000};
    signal(SIGXFSZ, SIG_IGN);
    g_autoptr(BaseSorter) sorter = base_sorter_new(20000);
    g_autoptr(GError) error = NULL;
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    for (uint64_t n = 0; n < 10000; n++)
        add(sorter, n);
    cr_assert_not(base_sorter_begin(sorter, &error));
    cr_assert_not_null(error);
    cr_assert_not(base_sorter_end(sorter, NULL));
}
