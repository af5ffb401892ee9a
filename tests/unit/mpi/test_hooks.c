/* Tests of core/hooks.h: a listener gets every hook in its order, and no clock depends on it. */
#include "mpi/core/hooks.h"
#include "script.h"

/* -- a subscriber to everything ---------------------------------------------------------------- */

static GString *heard; /* each test is a process of its own */

static void hear(const char *name)
{
    g_string_append_printf(heard, "%s%s", heard->len ? " " : "", name);
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#define MPI_POINT(name, way, parameters, arguments)                                                                    \
    static void hear_##name parameters                                                                                 \
    {                                                                                                                  \
        hear(#name);                                                                                                   \
    }
#define MPI_QUESTION(name, way, type, otherwise, parameters, arguments)                                                \
    static type hear_##name parameters                                                                                 \
    {                                                                                                                  \
        hear(#name "?");                                                                                               \
        return otherwise;                                                                                              \
    }
#include "mpi/core/hooks.def"
#pragma GCC diagnostic pop

static const MpiHooks all = {
#define MPI_POINT(name, way, parameters, arguments)                     .name = hear_##name,
#define MPI_QUESTION(name, way, type, otherwise, parameters, arguments) .name = hear_##name,
#include "mpi/core/hooks.def"
};

/* -- a small exchange -------------------------------------------------------------------------- */

/* Rank 0 sends while rank 1 waits. Later it receives, by a request, what rank 1 sends. */
static void exchange(Script *s, bool unobserved)
{
    script_open(s, 2);
    s->unobserved = unobserved;
    script_compute(s, 0, 5000);
    script_call(s, 0, "MPI_Send", DATA(0), 4, INT, 1, 7, WORLD);
    script_compute(s, 0, 90000);
    script_call(s, 0, "MPI_Irecv", DATA(64), 1, INT, 1, 8, WORLD, DATA(128));
    script_call(s, 0, "MPI_Wait", DATA(128), 1);
    script_call(s, 1, "MPI_Recv", DATA(0), 4, INT, 0, 7, WORLD, 1);
    script_call(s, 1, "MPI_Ssend", DATA(0), 1, INT, 0, 8, WORLD);
    script_start(s);
    script_set_int(s, 0, 0, 42);
    heard = g_string_new(NULL);
}

static void end(Script *s)
{
    script_close(s);
    g_string_free(heard, TRUE);
}

Test(hooks, each_point_in_its_order)
{
    Script s;
    exchange(&s, true);
    mpi_hooks_add(s.world, &all);
    script_go(&s);
    cr_assert(s.ranks[0].ended && s.ranks[1].ended);
    cr_expect_eq(script_int(&s, 0, 64), 42);
    const char *expected =
        "entered spent called delay? ending? left over "                          /* rank 0: MPI_Init */
        "entered spent called delay? ending? left over "                          /* rank 1: MPI_Init */
        "entered spent called delay? buffer? begun refused? posted waits "        /* rank 1: MPI_Recv */
        "entered spent called delay? buffer? begun refused? "                     /* rank 0: MPI_Send ... */
        "sent spent transmitted completed waits ending? left over released gone " /* ... which is over */
        "delivered arrived matched spent spent handled received "                 /* rank 1 has it ... */
        "completed dropped ending? left over released gone "                      /* ... and goes on */
        "entered spent called delay? buffer? begun refused? sent spent "          /* rank 1: MPI_Ssend ... */
        "transmitted waits "                                                      /* ... sends the request */
        "delivered arrived "                                                      /* at rank 0, which computes */
        "entered spent called delay? buffer? begun refused? posted matched "      /* rank 0: MPI_Irecv ... */
        "spent handled spent transmitted stored used ending? left over "          /* ... answers */
        "entered spent called delay? waits "                                      /* rank 0: MPI_Wait */
        "delivered spent spent handled spent transmitted "                        /* rank 1 sends the data */
        "departed completed spent ending? left over released gone exited found "  /* they have left, and it ends */
        "delivered spent spent handled received completed dropped "               /* rank 0 has them ... */
        "finished released gone ending? left over exited found";                  /* ... and ends */
    cr_expect_str_eq(heard->str, expected);
    end(&s);
}

/* Who allows short ways hears less of what goes them. Here rank 1 cannot be woken alone, so its receive becomes a
 * general one when its message comes. */
Test(hooks, less_of_what_is_plain)
{
    Script s;
    exchange(&s, true);
    MpiHooks hooks = all;
    hooks.entered = NULL;
    hooks.spent = NULL;
    mpi_hooks_add_short(s.world, &hooks);
    script_go(&s);
    cr_assert(s.ranks[0].ended && s.ranks[1].ended);
    cr_expect_eq(script_int(&s, 0, 64), 42);
    cr_expect(g_str_has_prefix(heard->str,
                               "called delay? ending? left over called delay? ending? left over " /* MPI_Init */
                               "posted_plainly sent_plainly over_plainly "              /* MPI_Recv, MPI_Send */
                               "delivered begun refused? posted waits arrived matched " /* rank 1 has it ... */
                               "handled received completed dropped ending? left over released gone "
                               "called delay? begun refused? sent "), /* ... and does MPI_Ssend */
              "%s", heard->str);
    end(&s);
}

/* -- who hears first, and who is heeded -------------------------------------------------------- */

static void first_matched(MpiWorld *world, MpiRequest *receive, MpiMessage *message)
{
    (void)world, (void)receive, (void)message;
    hear("first");
}

static void second_matched(MpiWorld *world, MpiRequest *receive, MpiMessage *message)
{
    (void)world, (void)receive, (void)message;
    hear("second");
}

static int64_t five(MpiWorld *world, const MpiCall *call)
{
    (void)world, (void)call;
    return 5;
}

static int64_t six(MpiWorld *world, const MpiCall *call)
{
    (void)world, (void)call;
    return 6;
}

Test(hooks, in_the_order_in_which_they_were_added)
{
    Script s;
    exchange(&s, true);
    cr_expect_eq(mpi_ask_forced(s.world, NULL), MPI_CHOICE_FREE);
    mpi_hooks_add(s.world, &(MpiHooks){.matched = first_matched, .forced = hear_forced});
    mpi_hooks_add(s.world, &(MpiHooks){.matched = second_matched, .forced = five});
    mpi_hooks_add(s.world, &(MpiHooks){.forced = six});
    cr_expect_eq(mpi_ask_forced(s.world, NULL), 5);
    script_go(&s);
    cr_expect_str_eq(heard->str, "forced? first second first second");
    end(&s);
}

/* -- nobody's clock shows it ------------------------------------------------------------------- */

typedef struct Times {
    uint64_t finish[2];
    bool short_send, short_receive;
} Times;

static Times times(bool unobserved, const MpiHooks *hooks)
{
    Script s;
    exchange(&s, unobserved);
    if (hooks)
        mpi_hooks_add(s.world, hooks);
    script_go(&s);
    cr_assert(s.ranks[0].ended && s.ranks[1].ended);
    Times times = {{s.ranks[0].finish_ps, s.ranks[1].finish_ps},
                   mpi_hooks_leave_short_send(s.world),
                   mpi_hooks_leave_short_receive(s.world)};
    end(&s);
    return times;
}

Test(hooks, no_time_passes_by_listening)
{
    Times alone = times(true, NULL), some = times(true, &(MpiHooks){.matched = first_matched}),
          every = times(true, &all), observed = times(false, NULL), both = times(false, &all);
    cr_expect(alone.short_send && some.short_send, "a plain send comes by nobody who listens");
    cr_expect(alone.short_receive && !some.short_receive, "a plain receive would come by this listener");
    cr_expect(!every.short_send && !observed.short_send && !both.short_send);
    cr_expect(!every.short_receive && !observed.short_receive && !both.short_receive);
    for (int i = 0; i < 2; i++) {
        cr_expect_eq(some.finish[i], alone.finish[i]);
        cr_expect_eq(every.finish[i], alone.finish[i]);
        cr_expect_eq(observed.finish[i], alone.finish[i]);
        cr_expect_eq(both.finish[i], alone.finish[i]);
    }
}

/* -- as many rows as there are ----------------------------------------------------------------- */

Test(hooks, sets_of_rows_grow_with_the_table)
{
    enum { ROWS = 200 };
    uint64_t words[MPI_HOOK_WORDS_FOR(ROWS)] = {0};
    cr_expect_eq(G_N_ELEMENTS(words), 4);
    cr_expect_eq(MPI_HOOK_WORDS_FOR(64), 1);
    cr_expect_eq(MPI_HOOK_WORDS_FOR(65), 2);
    cr_expect_geq(MPI_HOOK_WORDS * 64, MPI_HOOK_COUNT);
    for (unsigned row = 0; row < ROWS; row += 63)
        mpi_hook_rows_add(words, row);
    for (unsigned row = 0; row < ROWS; row++)
        cr_expect_eq(mpi_hook_rows_have(words, row), row % 63 == 0, "row %u", row);
}

/* The last row is as good as the first: whoever listens there is told, and what short ways do not miss leaves them
 * open.
 */
Test(hooks, first_and_last_row)
{
    Script s;
    exchange(&s, true);
    mpi_hooks_add(s.world, &(MpiHooks){.truncation = hear_truncation});
    cr_expect(mpi_listens_truncation(s.world) && mpi_hooks_mind(s.world, MPI_HOOK_truncation));
    cr_expect(mpi_hooks_leave_short_send(s.world));
    cr_expect(!mpi_hooks_mind(s.world, MPI_HOOK_called));
    mpi_hooks_add(s.world, &(MpiHooks){.called = hear_called});
    cr_expect(mpi_listens_called(s.world) && mpi_hooks_mind(s.world, MPI_HOOK_called));
    cr_expect(!mpi_hooks_leave_short_send(s.world) && !mpi_hooks_leave_short_receive(s.world));
    end(&s);
}
