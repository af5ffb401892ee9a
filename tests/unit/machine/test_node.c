/* test_node.c - exact times of tasks that share the cores of a node: slices, switches, waiting, waking, priorities. */
#include "machine/node/node.h"

#include <criterion/criterion.h>
#include <glib.h>

enum { SLICE = 1000, SWITCH = 7, WAKE_UP = 50, MOST_TASKS = 70, MOST_STEPS = 40 };

/* What a task does after it has been served. */
typedef enum Then { END, WAIT, SLEEP, YIELD, ON } Then;

typedef struct Step {
    uint64_t demand; /* of the stint before it */
    Then then;
    uint64_t library; /* time of the call that ends the stint */
    int wakes;        /* task that the call wakes, -1: none */
} Step;

typedef struct Bench Bench;
typedef struct Player {
    Bench *bench;
    MachTask *task;
    MachTaskClient client;
    Step steps[MOST_STEPS];
    unsigned n, at, woken;
    uint64_t end_ps, waited_ps;
} Player;

struct Bench {
    MachNode *node;
    MachNodeClient client;
    MachNodeParams params;
    GArray *events; /* Event */
    uint64_t now;
    unsigned n_players, n_events;
    bool late; /* demands become known as late as possible */
    Player players[MOST_TASKS];
};

typedef struct Event {
    uint64_t time_ps;
    MachNodeEvent kind;
    uint32_t index;
} Event;

static void at(void *user, MachNode *node, MachNodeEvent kind, uint32_t index, uint64_t time_ps)
{
    Bench *bench = user;
    (void)node;
    Event event = {time_ps, kind, index};
    cr_assert_geq(time_ps, bench->now);
    bench->n_events++;
    guint i = 0;
    while (i < bench->events->len) {
        const Event *other = &g_array_index(bench->events, Event, i);
        if (other->time_ps > time_ps ||
            (other->time_ps == time_ps && (other->kind > kind || (other->kind == kind && other->index > index))))
            break;
        i++;
    }
    g_array_insert_val(bench->events, i, event);
}

static void waited(void *user, MachTask *task, uint64_t from_ps, uint64_t to_ps)
{
    Player *player = user;
    cr_assert_eq(task, player->task);
    cr_assert_lt(from_ps, to_ps);
    player->waited_ps += to_ps - from_ps;
}

/* Wakes a player, or notes that it need not wait. */
static void wake(Bench *bench, Player *player)
{
    player->woken++;
    mach_node_wake(player->task, bench->now, bench->now, 0);
}

static void served(void *user, MachTask *task, uint64_t now_ps)
{
    Player *player = user;
    Bench *bench = player->bench;
    cr_assert_eq(task, player->task);
    cr_assert(mach_node_is_served(task));
    if (player->at == player->n) {
        player->end_ps = now_ps;
        mach_node_end(task, now_ps);
        return;
    }
    Step *step = &player->steps[player->at++];
    uint64_t next = player->at < player->n ? player->steps[player->at].demand : 0, library = step->library;
    switch (step->then) {
    case END:
        player->end_ps = now_ps;
        mach_node_end(task, now_ps);
        break;
    case WAIT:
        player->at--; /* comes here again when it is woken: what follows is a stint of its own */
        step->then = ON;
        step->library = 0;
        mach_node_wait(task, now_ps + library);
        break;
    case SLEEP:
        player->at--;
        step->then = ON;
        step->library = 0;
        mach_node_sleep(task, now_ps + library);
        break;
    case YIELD: mach_node_yield(task, now_ps + library, next); break;
    case ON: mach_node_go_on(task, now_ps + library, next); break;
    }
    if (step->wakes >= 0)
        wake(bench, &bench->players[step->wakes]);
}

static Bench *bench_new(uint32_t cores, MachNodeWait wait)
{
    Bench *bench = g_new0(Bench, 1);
    bench->params = (MachNodeParams){.slice_ps = SLICE, .switch_ps = SWITCH, .wake_up_ps = WAKE_UP, .wait = wait};
    bench->events = g_array_new(FALSE, FALSE, sizeof(Event));
    bench->client = (MachNodeClient){bench, at};
    bench->node = mach_node_new(0, cores, &bench->params, &bench->client);
    return bench;
}

static Bench *bench_with(uint32_t cores, MachNodeWait wait, MachNodeAffinity affinity, MachNodePreemption preemption)
{
    Bench *bench = bench_new(cores, wait);
    mach_node_free(bench->node);
    bench->params.affinity = affinity;
    bench->params.preemption = preemption;
    bench->node = mach_node_new(0, cores, &bench->params, &bench->client);
    return bench;
}

static Player *add(Bench *bench, int priority)
{
    Player *player = &bench->players[bench->n_players];
    player->bench = bench;
    player->client = (MachTaskClient){player, served, waited};
    MachTaskKind kind = {.core = bench->n_players++, .priority = priority};
    player->task = mach_node_add_task(bench->node, &kind, &player->client);
    return player;
}

static void step(Player *player, uint64_t demand, Then then, uint64_t library, int wakes)
{
    player->steps[player->n++] = (Step){demand, then, library, wakes};
}

/* Lets all players begin at time 0, before any of them has ended its wait for that. */
static void begin(Bench *bench)
{
    for (unsigned i = 0; i < bench->n_players; i++)
        mach_node_begin(bench->players[i].task, 0, 0, bench->players[i].steps[0].demand);
}

static void run_until(Bench *bench, uint64_t until_ps)
{
    while (bench->events->len && g_array_index(bench->events, Event, 0).time_ps <= until_ps) {
        Event event = g_array_index(bench->events, Event, 0);
        g_array_remove_index(bench->events, 0);
        if (!mach_node_expects(bench->node, event.kind, event.index, event.time_ps))
            continue;
        bench->now = event.time_ps;
        mach_node_event(bench->node, event.kind, event.index, event.time_ps);
    }
}

static void run(Bench *bench)
{
    run_until(bench, UINT64_MAX);
}

static void bench_free(Bench *bench)
{
    mach_node_free(bench->node);
    g_array_unref(bench->events);
    g_free(bench);
}

/* Two tasks on one core: the slices alternate, and each change of hands costs a switch. */
Test(node, slices_of_two)
{
    Bench *bench = bench_new(1, MACH_WAIT_POLL);
    step(add(bench, 0), 3500, END, 0, -1);
    step(add(bench, 0), 3500, END, 0, -1);
    begin(bench);
    run(bench);
    /* A B A B A B a b: seven switches, A's last 500 begin after 6 whole slices and 6 switches */
    cr_expect_eq(bench->players[0].end_ps, 6 * SLICE + 6 * SWITCH + 500);
    cr_expect_eq(bench->players[1].end_ps, 7000 + 7 * SWITCH);
    cr_expect_eq(mach_node_switches(bench->players[0].task, 9000), 3);
    cr_expect_eq(mach_node_switches(bench->players[1].task, 9000), 4);
    cr_expect_eq(bench->players[0].waited_ps, 3 * (SLICE + 2 * SWITCH));
    cr_expect_eq(mach_node_ready_ps(bench->players[0].task, 9000), bench->players[0].waited_ps);
    bench_free(bench);
}

/* n equal tasks on c cores, pinned: core k has those of numbers k, k + c ... */
Test(node, slices_of_many)
{
    for (unsigned cores = 1; cores <= 3; cores++)
        for (unsigned n = 1; n <= 7; n++) {
            Bench *bench = bench_with(cores, MACH_WAIT_POLL, MACH_AFFINITY_CORE, MACH_PREEMPTION_SLICE);
            for (unsigned i = 0; i < n; i++)
                step(add(bench, 0), 2 * SLICE + 300, END, 0, -1);
            begin(bench);
            run(bench);
            for (unsigned i = 0; i < n; i++) {
                unsigned place = i / cores, m = n / cores + (i % cores < n % cores);
                uint64_t before = 2 * m * SLICE + place * 300, switches = m == 1 ? 0 : 2 * m + place;
                cr_expect_eq(bench->players[i].end_ps, before + 300 + switches * SWITCH, "%u of %u on %u", i, n, cores);
            }
            bench_free(bench);
        }
}

/* A task alone on its core has no events but its end, whatever its length. */
Test(node, alone_has_no_events)
{
    Bench *bench = bench_new(2, MACH_WAIT_SLEEP);
    step(add(bench, 0), 1000 * SLICE, END, 0, -1);
    step(add(bench, 0), 500 * SLICE, END, 0, -1);
    begin(bench);
    run(bench);
    cr_expect_eq(bench->n_events, 2);
    cr_expect_eq(bench->players[0].end_ps, 1000 * SLICE);
    cr_expect_eq(bench->players[1].end_ps, 500 * SLICE);
    bench_free(bench);
}

/* One waits for the other: it costs that one nothing but a switch while it sleeps, a switch for every look while it
 * yields, and whole slices while it polls. */
static uint64_t end_of_waited_for(MachNodeWait wait, uint64_t *waiter_ps)
{
    Bench *bench = bench_new(1, wait);
    Player *waiter = add(bench, 0), *worker = add(bench, 0);
    step(waiter, 10, WAIT, 5, -1);
    step(waiter, 20, END, 0, -1);
    step(worker, 5 * SLICE + 100, ON, 3, 0);
    step(worker, 0, END, 0, -1);
    begin(bench);
    run(bench);
    uint64_t end_ps = worker->end_ps;
    *waiter_ps = waiter->end_ps;
    bench_free(bench);
    return end_ps;
}

Test(node, kinds_of_waiting)
{
    uint64_t waiter_ps, begin_ps = 10 + 5 + SWITCH, work_ps = 5 * SLICE + 100;
    cr_expect_eq(end_of_waited_for(MACH_WAIT_SLEEP, &waiter_ps), begin_ps + work_ps + 3);
    cr_expect_eq(waiter_ps, begin_ps + work_ps + WAKE_UP + SWITCH + 20);
    uint64_t looks_ps = 5 * 2 * SWITCH;
    cr_expect_eq(end_of_waited_for(MACH_WAIT_YIELD, &waiter_ps), begin_ps + work_ps + looks_ps + 3);
    cr_expect_eq(waiter_ps, begin_ps + work_ps + looks_ps + 3 + SWITCH + 20);
    uint64_t polls_ps = SLICE - 15 + 5 * (SLICE + 2 * SWITCH);
    cr_expect_eq(end_of_waited_for(MACH_WAIT_POLL, &waiter_ps), begin_ps + work_ps + polls_ps + 3);
    cr_expect_eq(waiter_ps, begin_ps + work_ps + polls_ps + 3 + SWITCH + 20);
}

/* A task that wakes up takes the core from one that computes, which then has the rest of its slice. */
Test(node, wake_up_preempts)
{
    for (int slices = 0; slices < 2; slices++) {
        Bench *bench = bench_with(1, MACH_WAIT_SLEEP, MACH_AFFINITY_NODE,
                                  slices ? MACH_PREEMPTION_SLICE : MACH_PREEMPTION_WAKE_UP);
        Player *sleeper = add(bench, 0), *worker = add(bench, 0), *other = add(bench, 0);
        step(sleeper, 0, SLEEP, 0, -1);
        step(sleeper, 30, END, 0, -1);
        step(worker, 1500, END, 0, -1);
        step(other, 1500, END, 0, -1);
        begin(bench);
        run_until(bench, 300);
        bench->now = 300;
        wake(bench, sleeper);
        run(bench);
        uint64_t ready_ps = 300 + WAKE_UP;
        if (slices)
            cr_expect_eq(sleeper->end_ps, SWITCH + SLICE + SWITCH + SLICE + SWITCH + 30);
        else
            cr_expect_eq(sleeper->end_ps, ready_ps + SWITCH + 30);
        /* the worker's slice: from SWITCH on, and after the sleeper again; then the other one's */
        uint64_t between = SWITCH + 30 + SWITCH;
        if (!slices)
            cr_expect_eq(worker->end_ps, SWITCH + SLICE + between + SWITCH + SLICE + SWITCH + 500);
        bench_free(bench);
    }
}

/* While all wait by polling they go round without events; the one that gets something goes on when its turn comes. */
Test(node, all_poll)
{
    for (uint64_t when = 2 * (SLICE + SWITCH) + 1; when < 8 * SLICE; when += 123) {
        Bench *bench = bench_new(1, MACH_WAIT_POLL);
        for (int i = 0; i < 3; i++) {
            Player *player = add(bench, 0);
            step(player, 0, WAIT, 0, -1);
            step(player, 20, END, 0, -1);
        }
        begin(bench);
        run_until(bench, when - 1);
        unsigned events = bench->n_events;
        bench->now = when;
        wake(bench, &bench->players[1]);
        run(bench);
        cr_expect_leq(bench->n_events - events, 4);
        /* turn k of all begins at k * (SLICE + SWITCH), and is that of player k % 3 */
        uint64_t round = SLICE + SWITCH, turn = when / round, in = when % round, expected;
        if (in > SLICE || (in == 0 && turn)) /* in the middle of a switch */
            turn += in > SLICE, in = 0;
        if (turn % 3 == 1)
            expected = MAX(turn * round + in, when) + 20;
        else
            expected = (turn + (turn % 3 == 0 ? 1 : 2)) * round + 20;
        if (turn % 3 == 1 && in + 20 > SLICE) /* the slice ends before it is through */
            expected += 2 * round + SWITCH + (round - SLICE - SWITCH);
        cr_expect_eq(bench->players[1].end_ps, expected,
                     "woken at %" G_GUINT64_FORMAT ": %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT, when,
                     bench->players[1].end_ps, expected);
        bench_free(bench);
    }
}

Test(node, priorities)
{
    Bench *bench = bench_new(1, MACH_WAIT_SLEEP);
    Player *low = add(bench, 0), *high = add(bench, 2);
    step(low, 2500, END, 0, -1);
    step(high, 1700, SLEEP, 0, -1);
    step(high, 40, END, 0, -1);
    begin(bench);
    run_until(bench, 2000);
    bench->now = 2000;
    wake(bench, high);
    run(bench);
    /* `low` begins at 0, but `high` is there at the same time */
    cr_expect_eq(high->end_ps, 2000 + WAKE_UP + SWITCH + 40);
    cr_expect_eq(low->end_ps, 2500 + SWITCH + 1700 + SWITCH + SWITCH + 40 + SWITCH);
    bench_free(bench);
}

/* An idle core takes a task from a busy one, if it may. */
Test(node, affinity)
{
    for (int pinned = 0; pinned < 2; pinned++) {
        Bench *bench =
            bench_with(2, MACH_WAIT_SLEEP, pinned ? MACH_AFFINITY_CORE : MACH_AFFINITY_NODE, MACH_PREEMPTION_WAKE_UP);
        step(add(bench, 0), 5000, END, 0, -1);
        step(add(bench, 0), 300, END, 0, -1);
        step(add(bench, 0), 5000, END, 0, -1);
        begin(bench);
        run(bench);
        cr_expect_eq(bench->players[2].end_ps, pinned ? 10000 + 9 * SWITCH : 300 + SWITCH + 5000);
        cr_expect_eq(bench->players[0].end_ps, pinned ? 9000 + 8 * SWITCH : 5000);
        bench_free(bench);
    }
}

/* A call of a library is never cut: the slice ends with it. */
Test(node, calls_are_whole)
{
    Bench *bench = bench_new(1, MACH_WAIT_POLL);
    Player *first = add(bench, 0), *second = add(bench, 0);
    step(first, 900, ON, 400, -1);
    step(first, 100, END, 0, -1);
    step(second, 100, END, 0, -1);
    begin(bench);
    run(bench);
    cr_expect_eq(second->end_ps, 1300 + SWITCH + 100);
    cr_expect_eq(first->end_ps, 1300 + SWITCH + 100 + SWITCH + 100);
    bench_free(bench);
}

Test(node, yields)
{
    Bench *bench = bench_new(1, MACH_WAIT_POLL);
    Player *first = add(bench, 0), *second = add(bench, 0);
    for (int i = 0; i < 3; i++)
        step(first, 10, YIELD, 2, -1);
    step(first, 10, END, 0, -1);
    for (int i = 0; i < 2; i++)
        step(second, 20, YIELD, 2, -1);
    step(second, 20, END, 0, -1);
    begin(bench);
    run(bench);
    cr_expect_eq(second->end_ps, 3 * 12 + 2 * 22 + 20 + 5 * SWITCH);
    cr_expect_eq(first->end_ps, 3 * 12 + 2 * 22 + 20 + 6 * SWITCH + 10);
    bench_free(bench);
}

static Player *add_thread(Bench *bench)
{
    Player *player = &bench->players[bench->n_players++];
    player->bench = bench;
    player->client = (MachTaskClient){player, served, waited};
    MachTaskKind kind = {.core = MACH_ANY_CORE, .thread = true};
    player->task = mach_node_add_task(bench->node, &kind, &player->client);
    return player;
}

/* Returns when a rank ends that is woken at time_ps; it and two threads have two cores. One thread computes for 100,
 * wakes the other one for 40, and computes for 1000 more. */
static uint64_t end_of_third(uint64_t time_ps)
{
    Bench *bench = bench_new(2, MACH_WAIT_YIELD);
    Player *rank = add(bench, 0), *first = add_thread(bench), *second = add_thread(bench);
    step(rank, 10, SLEEP, 0, -1);
    step(rank, 30, END, 0, -1);
    step(first, 100, ON, 0, 2);
    step(first, 1000, END, 0, -1);
    step(second, 0, SLEEP, 0, -1);
    step(second, 40, END, 0, -1);
    begin(bench);
    run_until(bench, time_ps);
    bench->now = time_ps;
    wake(bench, rank);
    run(bench);
    cr_expect_eq(second->end_ps, 100 + 40);
    cr_expect_eq(first->end_ps, 100 + 1000);
    uint64_t end_ps = rank->end_ps;
    bench_free(bench);
    return end_ps;
}

/* Cores are scarce while more tasks want one than there are: a thread that sleeps wants none, and nor does a rank that
 * waits for it. */
Test(node, sleepers_do_not_crowd)
{
    cr_expect_eq(end_of_third(30), 30 + 30);
    cr_expect_eq(end_of_third(120), 120 + WAKE_UP + 30);
    cr_expect_eq(end_of_third(200), 200 + 30);
}

/* A task with a demand now and then, as communication threads have it; and more that comes while it is busy. */
Test(node, works_by_demand)
{
    Bench *bench = bench_new(1, MACH_WAIT_POLL);
    Player *worker = add(bench, 0), *thread = add(bench, 1);
    step(worker, 3000, END, 0, -1);
    step(thread, 0, SLEEP, 0, -1);
    step(thread, 0, SLEEP, 0, -1);
    mach_node_begin(worker->task, 0, 0, 3000);
    mach_node_wake(thread->task, 0, 500, 100);
    run_until(bench, 570);
    bench->now = 570;
    mach_node_wake(thread->task, 570, 570, 30);
    run_until(bench, 2900);
    cr_expect_eq(mach_node_consumed(worker->task, 2900), 2900 - 2 * SWITCH - 130);
    run(bench);
    cr_expect_eq(worker->end_ps, 3000 + 2 * SWITCH + 130);
    cr_expect_eq(mach_node_switches(thread->task, 4000), 1);
    bench_free(bench);
}

/* When a demand becomes known does not matter. */
Test(node, late_demands)
{
    Bench *bench = bench_new(1, MACH_WAIT_POLL);
    Player *first = add(bench, 0), *second = add(bench, 0);
    step(first, 1500, END, 0, -1);
    step(second, 2500, END, 0, -1);
    mach_node_begin(first->task, 0, 0, MACH_DEMAND_UNKNOWN);
    mach_node_begin(second->task, 0, 0, MACH_DEMAND_UNKNOWN);
    run_until(bench, 1499);
    mach_node_demand(first->task, 1500);
    run_until(bench, 2499);
    mach_node_demand(second->task, 2500);
    run(bench);
    cr_expect_eq(first->end_ps, 2000 + 2 * SWITCH + 500);
    cr_expect_eq(second->end_ps, 4000 + 3 * SWITCH);
    bench_free(bench);
}

/* Sixty-four tasks on a core, which end one after the other, whatever they are doing. */
Test(node, ends)
{
    Bench *bench = bench_new(1, MACH_WAIT_POLL);
    for (int i = 0; i < 64; i++) {
        Player *player = add(bench, 0);
        step(player, i % 3 ? 1u << 20 : 0, i % 3 ? END : WAIT, 0, -1);
    }
    begin(bench);
    for (unsigned i = 0; i < 64; i++) {
        run_until(bench, 100 * i);
        bench->now = MAX(bench->now, 100 * i);
        mach_node_end(bench->players[i * 37 % 64].task, bench->now);
    }
    cr_expect_eq(mach_node_tasks(bench->node), 0);
    run(bench);
    bench_free(bench);
}

/* -- sets of cores ----------------------------------------------------------------------------- */

static Player *add_in(Bench *bench, uint32_t core, uint64_t set)
{
    const uint64_t words[MACH_CORE_WORDS] = {set};
    Player *player = &bench->players[bench->n_players++];
    player->bench = bench;
    player->client = (MachTaskClient){player, served, waited};
    MachTaskKind kind = {.core = core, .set = set ? words : NULL, .near = {1, 2, 2}};
    player->task = mach_node_add_task(bench->node, &kind, &player->client);
    return player;
}

static void confine(Player *player, uint64_t set)
{
    const uint64_t words[MACH_CORE_WORDS] = {set};
    mach_node_bind(player->task, set ? words : NULL, player->bench->now);
}

/* A task is made on a core of its set, one with few tasks, and of these one that it likes (1 and 3). */
Test(node, sets_of_new_tasks)
{
    Bench *bench = bench_new(4, MACH_WAIT_SLEEP);
    cr_expect_eq(mach_node_core(add_in(bench, MACH_ANY_CORE, 0)->task), 1);
    cr_expect_eq(mach_node_core(add_in(bench, MACH_ANY_CORE, 0)->task), 3);
    cr_expect_eq(mach_node_core(add_in(bench, MACH_ANY_CORE, 0)->task), 0);
    cr_expect_eq(mach_node_core(add_in(bench, MACH_ANY_CORE, 1 << 3)->task), 3);
    cr_expect_eq(mach_node_core(add_in(bench, MACH_ANY_CORE, 1 << 2 | 1 << 3)->task), 2);
    cr_expect_eq(mach_node_core(add_in(bench, 6, 0)->task), 2, "a core beyond the last one counts from 0 again");
    for (unsigned i = 0; i < bench->n_players; i++)
        mach_node_end(bench->players[i].task, 0);
    bench_free(bench);
}

/* Two tasks of one core: the one that waits is bound elsewhere and begins there at once; the other one has never to
 * share. */
Test(node, binding_moves_who_waits)
{
    Bench *bench = bench_with(2, MACH_WAIT_SLEEP, MACH_AFFINITY_CORE, MACH_PREEMPTION_SLICE);
    Player *runs = add_in(bench, 0, 0), *waits = add_in(bench, 0, 0);
    step(runs, 900, END, 0, -1);
    step(waits, 300, END, 0, -1);
    begin(bench);
    bench->now = 100;
    confine(waits, 1 << 1);
    cr_expect_eq(mach_node_core(waits->task), 1);
    run(bench);
    cr_expect_eq(runs->end_ps, 900);
    cr_expect_geq(waits->end_ps, 100 + 300);
    cr_expect_leq(waits->end_ps, 100 + SWITCH + 300);
    cr_expect_eq(waits->waited_ps, waits->end_ps - 300);
    bench_free(bench);
}

/* A task that runs leaves its core, to which another one comes, and loses nothing of its demand. */
Test(node, binding_moves_who_runs)
{
    Bench *bench = bench_with(2, MACH_WAIT_SLEEP, MACH_AFFINITY_CORE, MACH_PREEMPTION_SLICE);
    Player *leaves = add_in(bench, 0, 0), *comes = add_in(bench, 0, 0);
    step(leaves, 900, END, 0, -1);
    step(comes, 300, END, 0, -1);
    begin(bench);
    bench->now = 100;
    confine(leaves, 1 << 1);
    run(bench);
    cr_expect_eq(mach_node_core(leaves->task), 1);
    cr_expect_geq(leaves->end_ps, 900);
    cr_expect_leq(leaves->end_ps, 900 + 2 * SWITCH);
    cr_expect_eq(mach_node_core(comes->task), 0);
    cr_expect_eq(comes->end_ps, 100 + SWITCH + 300);
    bench_free(bench);
}

/* One who sleeps is moved without ado, and one who may have all cores again stays where it is. */
Test(node, binding_of_sleepers)
{
    Bench *bench = bench_with(3, MACH_WAIT_SLEEP, MACH_AFFINITY_CORE, MACH_PREEMPTION_SLICE);
    Player *sleeps = add_in(bench, 0, 0), *works = add_in(bench, 0, 0);
    step(sleeps, 100, SLEEP, 0, -1);
    step(sleeps, 200, END, 0, -1);
    step(works, 5000, END, 0, -1);
    begin(bench);
    run_until(bench, 500);
    bench->now = 500;
    confine(sleeps, 1 << 2);
    cr_expect_eq(mach_node_core(sleeps->task), 2);
    confine(sleeps, 0);
    cr_expect_eq(mach_node_core(sleeps->task), 2);
    confine(sleeps, 1 << 1 | 1 << 2);
    cr_expect_eq(mach_node_core(sleeps->task), 2, "it may stay");
    bench->now = 600;
    mach_node_wake(sleeps->task, 600, 600, 200);
    run(bench);
    cr_expect_eq(works->end_ps, 100 + 5000, "with a core for each, a change over costs nothing");
    cr_expect_eq(mach_node_core(sleeps->task), 2);
    cr_expect_eq(sleeps->end_ps, 600 + 200 + 200);
    bench_free(bench);
}

/* Whatever sets tasks are bound to, and when: each gets its whole demand, on cores of its set, and no more of them run
 * at a time than there are cores. */
Test(node, binding_at_random)
{
    enum { CORES = 4, TASKS = 9, ROUNDS = 60 };
    for (uint32_t seed = 1; seed <= 300; seed++) {
        g_autoptr(GRand) rand = g_rand_new_with_seed(seed);
        Bench *bench = bench_with(CORES, MACH_WAIT_SLEEP, seed % 2 ? MACH_AFFINITY_NODE : MACH_AFFINITY_CORE,
                                  seed % 3 ? MACH_PREEMPTION_SLICE : MACH_PREEMPTION_WAKE_UP);
        uint64_t sets[TASKS], demands[TASKS], total = 0, last = 0;
        for (unsigned i = 0; i < TASKS; i++) {
            sets[i] = (uint64_t)g_rand_int_range(rand, 1, 1 << CORES);
            demands[i] = (uint64_t)g_rand_int_range(rand, 1, 6000);
            total += demands[i];
            step(add_in(bench, MACH_ANY_CORE, sets[i]), demands[i], END, 0, -1);
        }
        begin(bench);
        for (unsigned i = 0; i < ROUNDS; i++) {
            uint64_t now = bench->now + (uint64_t)g_rand_int_range(rand, 0, 400);
            run_until(bench, now);
            bench->now = now;
            unsigned who = (unsigned)g_rand_int_range(rand, 0, TASKS);
            if (bench->players[who].end_ps)
                continue;
            sets[who] = (uint64_t)g_rand_int_range(rand, 1, 1 << CORES);
            confine(&bench->players[who], sets[who]);
        }
        run(bench);
        for (unsigned i = 0; i < TASKS; i++) {
            const Player *player = &bench->players[i];
            cr_assert(player->end_ps, "seed %u: task %u never ended", seed, i);
            cr_assert(sets[i] >> mach_node_core(player->task) & 1, "seed %u: task %u ended on core %u", seed, i,
                      mach_node_core(player->task));
            cr_assert_geq(player->end_ps, demands[i] + player->waited_ps, "seed %u", seed);
            last = MAX(last, player->end_ps);
        }
        cr_assert_geq(last * CORES, total, "seed %u", seed);
        bench_free(bench);
    }
}
