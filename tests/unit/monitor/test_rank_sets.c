/* test_rank_sets.c - sets of ranks: their algebra against sets of bits, their language, and its errors. */
#include "monitor/look.h"

#include <criterion/criterion.h>
#include <string.h>

enum { RANKS = 64 };

/* -- algebra ----------------------------------------------------------------------------------- */

static uint64_t next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

static MonRankSet *set_of(uint64_t bits)
{
    MonRankSet *set = mon_ranks_new();
    for (uint32_t i = 0; i < RANKS; i++)
        if (bits >> i & 1)
            mon_ranks_add(set, i, i);
    return set;
}

static uint64_t bits_of(const MonRankSet *set)
{
    uint64_t bits = 0;
    uint32_t count = 0;
    for (uint32_t rank = mon_ranks_next(set, 0); rank != UINT32_MAX; rank = mon_ranks_next(set, rank + 1)) {
        cr_assert(mon_ranks_has(set, rank));
        bits |= UINT64_C(1) << rank;
        count++;
    }
    cr_assert_eq(count, mon_ranks_count(set));
    return bits;
}

Test(rank_sets, algebra_is_that_of_bits)
{
    uint64_t state = 42;
    for (int turn = 0; turn < 500; turn++) {
        uint64_t a = next_random(&state) << 32 ^ next_random(&state), b = next_random(&state) << 31;
        if (turn % 3 == 0)
            a &= a >> 1 & a >> 2; /* long runs and few */
        g_autoptr(MonRankSet) left = set_of(a);
        g_autoptr(MonRankSet) right = set_of(b);
        g_autoptr(MonRankSet) either = mon_ranks_union(left, right);
        g_autoptr(MonRankSet) both = mon_ranks_intersection(left, right);
        g_autoptr(MonRankSet) rest = mon_ranks_minus(left, right);
        cr_assert_eq(bits_of(either), a | b);
        cr_assert_eq(bits_of(both), a & b);
        cr_assert_eq(bits_of(rest), a & ~b);
    }
}

Test(rank_sets, runs_come_in_any_order_and_join)
{
    g_autoptr(MonRankSet) set = mon_ranks_new();
    g_autoptr(GString) text = g_string_new(NULL);
    mon_ranks_add(set, 9, 12);
    mon_ranks_add(set, 0, 0);
    mon_ranks_add(set, 5, 8);
    mon_ranks_add(set, 7, 10);
    mon_ranks_add(set, 3, 2); /* nothing */
    mon_ranks_append(set, text);
    cr_assert_str_eq(text->str, "0,5-12");
    cr_assert_eq(mon_ranks_count(set), 9);
    cr_assert_not(mon_ranks_has(set, 4));
    cr_assert_eq(mon_ranks_next(set, 1), 5);
    cr_assert_eq(mon_ranks_next(set, 13), UINT32_MAX);
}

Test(rank_sets, largest_rank)
{
    g_autoptr(MonRankSet) set = mon_ranks_new();
    g_autoptr(MonRankSet) one = mon_ranks_new();
    mon_ranks_add(set, UINT32_MAX - 3, UINT32_MAX - 1);
    mon_ranks_add(one, UINT32_MAX - 1, UINT32_MAX - 1);
    g_autoptr(MonRankSet) rest = mon_ranks_minus(set, one);
    cr_assert_eq(mon_ranks_count(rest), 2);
    cr_assert_not(mon_ranks_has(rest, UINT32_MAX - 1));
}

/* -- the language ------------------------------------------------------------------------------ */

static bool communicator(void *user, const char *text, MonRankSet *set, GError **error)
{
    (void)user, (void)error;
    if (strcmp(text, "left half") != 0 && strcmp(text, "f(x)") != 0)
        return false;
    mon_ranks_add(set, 0, 7);
    return true;
}

static bool state(void *user, const char *name, MonRankSet *set)
{
    (void)user;
    if (strcmp(name, "blocked") != 0)
        return false;
    mon_ranks_add(set, 14, 15);
    return true;
}

static MonRankWorld world_of(MonRankNames *names)
{
    return (MonRankWorld){.ranks = 16, .current = 3, .names = names, .communicator = communicator, .state = state};
}

static MonRankNames *names_with_workers(void)
{
    MonRankNames *names = mon_rank_names_new();
    g_autoptr(MonRankSet) set = mon_ranks_new();
    mon_ranks_add(set, 1, 15);
    cr_assert(mon_rank_names_set(names, "workers", set, NULL));
    return names;
}

Test(rank_language, what_sets_mean)
{
    static const char *const cases[][2] = {
        {"7", "7"},
        {"all", "0-15"},
        {"@all", "0-15"},
        {"none", "none"},
        {"this", "3"},
        {"1-15,!7", "1-6,8-15"},
        {"!7", "0-6,8-15"},
        {"!7,7", "0-15"},
        {"12-", "12-15"},
        {"0-15:5", "0,5,10,15"},
        {"workers & 0-3", "1-3"},
        {"workers - 2", "1,3-15"},
        {"workers-2", "1,3-15"},
        {"workers\\2-14", "1,15"},
        {"all & !workers", "0"},
        {"0+2|4", "0,2,4"},
        {"0,1-3 & 2-9", "0,2,3"},
        {"(0,1-3) & 2-9", "2,3"},
        {"comm(left half)", "0-7"},
        {"comm( f(x) ),9", "0-7,9"},
        {"blocked", "14,15"},
        {"!(blocked,0)", "1-13"},
        {"  3 ,  1 ", "1,3"},
        {"3 - 3", "none"},
    };
    MonRankNames *names = names_with_workers();
    MonRankWorld world = world_of(names);
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(GString) text = g_string_new(NULL);
        g_autoptr(MonRankSet) set = mon_ranks_read(&world, cases[i][0], &error);
        cr_assert_not_null(set, "%s: %s", cases[i][0], error ? error->message : "");
        mon_ranks_append(set, text);
        cr_assert_str_eq(text->str, cases[i][1], "%s is %s", cases[i][0], text->str);
        if (mon_ranks_count(set) == 0)
            continue; /* what is written can be read again */
        g_autoptr(MonRankSet) again = mon_ranks_read(&world, text->str, NULL);
        cr_assert_eq(mon_ranks_count(again), mon_ranks_count(set));
    }
    mon_rank_names_free(names);
}

Test(rank_language, errors_show_the_place)
{
    static const char *const cases[][2] = {
        {"", "the set ends too early\n  \n  ^"},
        {"16", "no rank 16: there are 0 to 15\n  16\n  ^~"},
        {"99999999999999999999", "no rank 99999999999999999999: there are 0 to 15\n  99999999999999999999\n  "
                                 "^~~~~~~~~~~~~~~~~~~~"},
        {"1-16", "no rank 16: there are 0 to 15\n  1-16\n    ^~"},
        {"5-1", "the range 5-1 runs backwards\n  5-1\n  ^~~"},
        {"wokers", "there is no set of ranks 'wokers'; did you mean 'workers'?\n  wokers\n  ^~~~~~"},
        {"1 2", "expected an operator here: , & or -\n  1 2\n    ^"},
        {"(1", "expected ')'\n  (1\n    ^"},
        {"1,", "the set ends too early\n  1,\n    ^"},
        {"1 & ", "the set ends too early\n  1 & \n      ^"},
        {"comm(x)", "there is no such communicator\n  comm(x)\n       ^"},
        {"comm(x", "expected ')' behind the name of a communicator\n  comm(x\n        ^"},
        {"1-3:0", "the step of a range is not 0\n  1-3:0\n      ^"},
        {"*", "expected ranks here, as in 0-3, all, comm(NAME) or a name\n  *\n  ^"},
    };
    MonRankNames *names = names_with_workers();
    MonRankWorld world = world_of(names);
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(MonRankSet) set = mon_ranks_read(&world, cases[i][0], &error);
        cr_assert_null(set, "%s can be read", cases[i][0]);
        cr_assert_str_eq(error->message, cases[i][1], "%s: %s", cases[i][0], error->message);
    }
    mon_rank_names_free(names);
}

Test(rank_language, deep_nesting_is_refused)
{
    MonRankWorld world = world_of(NULL);
    g_autofree char *text = g_strnfill(100000, '(');
    g_autoptr(GError) error = NULL;
    cr_assert_null(mon_ranks_read(&world, text, &error));
    cr_assert(g_str_has_prefix(error->message, "this is nested too deeply"));
}

Test(rank_language, random_text_is_read_or_refused)
{
    static const char signs[] = "0123456789-,&!()@:+|\\ allthisnone";
    MonRankWorld world = world_of(NULL);
    uint64_t random = 7;
    for (int turn = 0; turn < 5000; turn++) {
        char text[16];
        size_t length = next_random(&random) % (sizeof text - 1);
        for (size_t i = 0; i < length; i++)
            text[i] = signs[next_random(&random) % (sizeof signs - 1)];
        text[length] = '\0';
        g_autoptr(GError) error = NULL;
        g_autoptr(MonRankSet) set = mon_ranks_read(&world, text, &error);
        cr_assert((set != NULL) != (error != NULL), "'%s'", text);
        if (set)
            cr_assert(mon_ranks_count(set) <= 16);
    }
}

Test(rank_language, a_set_in_front_of_something_else)
{
    static const char *const cases[][3] = {
        {"@all x", "0-15", "x"},   {"@all &x", "0-15", "&x"},           {"@0-3 & 2 y", "2", "y"},
        {"@0, 2 -x", "0,2", "-x"}, {"@all /x rank", "0-15", "/x rank"}, {"@all/x rank", "0-15", "/x rank"},
        {"@3", "3", ""},           {"@( 1 , 2 ) (x)", "1,2", "(x)"},
    };
    MonRankWorld world = world_of(NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        const char *rest;
        g_autoptr(GError) error = NULL;
        g_autoptr(GString) text = g_string_new(NULL);
        g_autoptr(MonRankSet) set = mon_ranks_take(&world, cases[i][0], &rest, &error);
        cr_assert_not_null(set, "%s: %s", cases[i][0], error ? error->message : "");
        mon_ranks_append(set, text);
        cr_assert_str_eq(text->str, cases[i][1]);
        cr_assert_str_eq(rest, cases[i][2]);
    }
}

Test(rank_language, names)
{
    MonRankNames *names = names_with_workers();
    g_autoptr(MonRankSet) set = mon_ranks_new();
    g_autoptr(GError) error = NULL;
    cr_assert_not(mon_rank_names_set(names, "all", set, &error));
    g_clear_error(&error);
    cr_assert_not(mon_rank_names_set(names, "1x", set, &error));
    g_clear_error(&error);
    cr_assert_not(mon_rank_names_set(names, "", set, &error));
    cr_assert(mon_rank_names_set(names, "workers", set, NULL));
    cr_assert_eq(mon_ranks_count(mon_rank_names_find(names, "workers")), 0);
    cr_assert(mon_rank_names_remove(names, "workers"));
    cr_assert_not(mon_rank_names_remove(names, "workers"));
    cr_assert_null(mon_rank_names_find(names, "workers"));
    mon_rank_names_free(names);
}
