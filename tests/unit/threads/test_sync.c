/* Tests of what threads synchronise by: who goes on when, and what calls return. */
#include "play.h"

enum { MUTEX, CONDITION, LOCK, BARRIER, SEMAPHORE, SPIN, OTHER };
#define FAR_AWAY 1000000

/* The instants follow from the costs alone. Thread 2 begins at 1000, thread 3 at 2000. */
Test(sync, mutex_is_handed_over_in_order)
{
    Play p;
    play_open(&p);
    play_call(&p, 0, "pthread_mutex_lock", OBJECT(MUTEX));
    play_make(&p, 0, 1);
    play_make(&p, 0, 2);
    play_spend(&p, 0, 10000);
    play_call(&p, 0, "pthread_mutex_unlock", OBJECT(MUTEX));
    play_spend(&p, 0, FAR_AWAY);
    for (unsigned list = 1; list <= 2; list++) {
        play_call(&p, list, "pthread_mutex_lock", OBJECT(MUTEX));
        play_spend(&p, list, 100);
        play_call(&p, list, "pthread_mutex_unlock", OBJECT(MUTEX));
    }
    play_run(&p);
    cr_assert(p.exited);
    /* 10 for the lock, 2 * 1000 for the threads, 10000 of computing, 20 for the unlock; then the hand-over */
    uint64_t first_ps = 10 + 2000 + 10000 + 20 + 300;
    cr_expect_eq(p.finish_ps[1], first_ps + 100 + 20);
    cr_expect_eq(p.finish_ps[2], first_ps + 100 + 20 + 300 + 100 + 20);
    const ThreadsStats *stats = threads_world_stats(p.world, 0);
    cr_expect_eq(stats->contended, 2);
    cr_expect_eq(stats->locks, 3);
    /* of what was counted of the one lock, the sums are the process's */
    g_autoptr(GArray) locks = threads_world_locks(p.world, 0);
    cr_assert_eq(locks->len, 1);
    const ThreadsLockStats *lock = &g_array_index(locks, ThreadsLockStats, 0);
    cr_expect_eq(lock->taken, stats->locks);
    cr_expect_eq(lock->contended, stats->contended);
    cr_expect_eq(lock->wait_ps, stats->lock_ps);
    cr_expect(lock->longest_ps < lock->wait_ps && 2 * lock->longest_ps > lock->wait_ps);
    play_close(&p);
}

/* A process with one thread never leaves the VM for a lock; one that would wait for itself does. */
Test(sync, alone)
{
    Play p;
    play_open(&p);
    play_call(&p, 0, "pthread_mutex_lock", OBJECT(MUTEX));
    play_call(&p, 0, "pthread_mutex_trylock", OBJECT(MUTEX));
    play_call(&p, 0, "pthread_mutex_unlock", OBJECT(MUTEX));
    play_call(&p, 0, "pthread_mutex_lock", OBJECT(MUTEX));
    play_call(&p, 0, "pthread_mutex_lock", OBJECT(MUTEX));
    play_run(&p);
    cr_expect_not(p.exited);
    cr_expect_eq(play_result(&p, 0, 1), EBUSY);
    g_autofree char *text = threads_world_describe(p.world, 0, 0);
    cr_expect_str_eq(text, "waits for mutex at 0x20000 in pthread_mutex_lock at play.c:13, which it holds itself since "
                           "play.c:10");
    g_autoptr(GString) why = g_string_new(NULL);
    threads_world_explain(p.world, 0, why);
    cr_expect(strstr(why->str, "thread 1 waits for itself"), "%s", why->str);
    play_close(&p);
}

static int64_t unlocked_by_other(int kind)
{
    Play p;
    play_open(&p);
    p.checks = THREADS_CHECK_USE;
    play_call(&p, 0, "__orrery_mutex_init", OBJECT(MUTEX), (uint64_t)kind, 1);
    play_call(&p, 0, "pthread_mutex_lock", OBJECT(MUTEX));
    play_make(&p, 0, 1);
    play_spend(&p, 0, FAR_AWAY);
    play_call(&p, 1, "pthread_mutex_unlock", OBJECT(MUTEX));
    play_run(&p);
    cr_assert(p.exited);
    int64_t result = play_result(&p, 1, 0);
    cr_expect_eq(p.findings->len > 0, result == 0);
    if (result == 0)
        cr_expect(strstr(p.findings->str, "held by thread 1 since play.c:"), "%s", p.findings->str);
    play_close(&p);
    return result;
}

Test(sync, foreign_unlock)
{
    cr_expect_eq(unlocked_by_other(THREADS_MUTEX_NORMAL), 0);
    cr_expect_eq(unlocked_by_other(THREADS_MUTEX_RECURSIVE), EPERM);
    cr_expect_eq(unlocked_by_other(THREADS_MUTEX_ERRORCHECK), EPERM);
    cr_expect_eq(unlocked_by_other(THREADS_MUTEX_ROBUST), EPERM);
}

Test(sync, robust)
{
    Play p;
    play_open(&p);
    play_call(&p, 0, "__orrery_mutex_init", OBJECT(MUTEX), THREADS_MUTEX_ROBUST, 1);
    play_make(&p, 0, 1);
    play_spend(&p, 0, 1500);
    play_call(&p, 0, "pthread_mutex_lock", OBJECT(MUTEX));
    play_call(&p, 0, "pthread_mutex_unlock", OBJECT(MUTEX));
    play_call(&p, 0, "pthread_mutex_lock", OBJECT(MUTEX));
    play_call(&p, 1, "pthread_mutex_lock", OBJECT(MUTEX));
    play_spend(&p, 1, 5000);
    play_run(&p);
    cr_assert(p.exited);
    cr_expect_eq(play_result(&p, 0, 2), EOWNERDEAD);
    cr_expect_eq(play_result(&p, 0, 3), 0);
    cr_expect_eq(play_result(&p, 0, 4), ENOTRECOVERABLE);
    play_close(&p);
}

/* Two threads wait; a signal wakes the one that came first, a broadcast the rest. The mutex is held meanwhile. */
Test(sync, condition)
{
    Play p;
    play_open(&p);
    play_make(&p, 0, 1);
    play_make(&p, 0, 2);
    play_spend(&p, 0, 10000);
    play_call(&p, 0, "pthread_mutex_lock", OBJECT(MUTEX));
    play_call(&p, 0, "pthread_cond_signal", OBJECT(CONDITION));
    play_spend(&p, 0, 5000);
    play_call(&p, 0, "pthread_cond_broadcast", OBJECT(CONDITION));
    play_call(&p, 0, "pthread_mutex_unlock", OBJECT(MUTEX));
    play_spend(&p, 0, FAR_AWAY);
    for (unsigned list = 1; list <= 2; list++) {
        play_call(&p, list, "pthread_mutex_lock", OBJECT(MUTEX));
        play_call(&p, list, "pthread_cond_wait", OBJECT(CONDITION), OBJECT(MUTEX));
        play_spend(&p, list, 100);
        play_call(&p, list, "pthread_mutex_unlock", OBJECT(MUTEX));
    }
    play_run(&p);
    cr_assert(p.exited);
    uint64_t unlocked_ps = 2000 + 10000 + 10 + (30 + 40) + 5000 + (30 + 40) + 20;
    cr_expect_eq(p.finish_ps[1], unlocked_ps + 300 + 100 + 20);
    cr_expect_eq(p.finish_ps[2], unlocked_ps + 300 + 100 + 20 + 300 + 100 + 20);
    play_close(&p);
}

Test(sync, deadlines)
{
    Play p;
    play_open(&p);
    uint64_t time = OBJECT(OTHER);
    play_make(&p, 0, 1);
    play_spend(&p, 0, 500);
    play_call(&p, 0, "pthread_mutex_lock", OBJECT(MUTEX));
    play_call(&p, 0, "pthread_cond_clockwait", OBJECT(CONDITION), OBJECT(MUTEX), 1, time);
    play_call(&p, 0, "__orrery_sem_clockwait", OBJECT(SEMAPHORE), 1, time);
    play_call(&p, 0, "pthread_mutex_unlock", OBJECT(MUTEX));
    play_call(&p, 1, "pthread_mutex_clocklock", OBJECT(LOCK), 9, time);
    play_call(&p, 1, "pthread_mutex_lock", OBJECT(LOCK));
    play_call(&p, 1, "pthread_mutex_clocklock", OBJECT(LOCK), 1, time);
    play_spend(&p, 1, FAR_AWAY);
    play_begin(&p);
    int64_t until[2] = {0, 20}; /* 20 ns */
    memcpy(play_memory(&p, OTHER, sizeof until), until, sizeof until);
    play_go(&p);
    cr_assert(p.exited);
    cr_expect_eq(play_result(&p, 0, 2), ETIMEDOUT);
    cr_expect_eq(play_result(&p, 0, 3), ETIMEDOUT);
    cr_expect_eq(play_result(&p, 1, 0), EINVAL, "no such clock, even if the mutex is free");
    cr_expect_geq(p.finish_ps[0], 20000);
    play_close(&p);
}

Test(sync, read_write_lock)
{
    Play p;
    play_open(&p);
    play_make(&p, 0, 1);
    play_make(&p, 0, 2);
    play_make(&p, 0, 3);
    play_call(&p, 1, "pthread_rwlock_rdlock", OBJECT(LOCK));
    play_spend(&p, 1, 10000);
    play_call(&p, 1, "pthread_rwlock_unlock", OBJECT(LOCK));
    play_call(&p, 2, "pthread_rwlock_trywrlock", OBJECT(LOCK));
    play_call(&p, 2, "pthread_rwlock_wrlock", OBJECT(LOCK));
    play_call(&p, 2, "pthread_rwlock_rdlock", OBJECT(LOCK));
    play_call(&p, 2, "pthread_rwlock_unlock", OBJECT(LOCK));
    play_call(&p, 3, "pthread_rwlock_rdlock", OBJECT(LOCK));
    play_spend(&p, 3, 20000);
    play_call(&p, 3, "pthread_rwlock_unlock", OBJECT(LOCK));
    play_spend(&p, 0, FAR_AWAY);
    play_run(&p);
    cr_assert(p.exited);
    cr_expect_eq(play_result(&p, 2, 0), EBUSY);
    cr_expect_eq(play_result(&p, 2, 1), 0);
    cr_expect_eq(play_result(&p, 2, 2), EDEADLK);
    cr_expect_eq(p.finish_ps[3], 3000 + 10 + 20000 + 20, "a reader passes a writer that waits");
    cr_expect_gt(p.finish_ps[2], p.finish_ps[3]);
    play_close(&p);
}

Test(sync, barrier)
{
    Play p;
    play_open(&p);
    play_call(&p, 0, "pthread_barrier_init", OBJECT(BARRIER), 0, 3);
    play_make(&p, 0, 1);
    play_make(&p, 0, 2);
    for (unsigned list = 0; list <= 2; list++) {
        play_spend(&p, list, 5000 * list);
        play_call(&p, list, "pthread_barrier_wait", OBJECT(BARRIER));
    }
    play_spend(&p, 0, FAR_AWAY);
    play_run(&p);
    cr_assert(p.exited);
    cr_expect_eq(play_result(&p, 2, 0), -1);
    cr_expect_eq(play_result(&p, 1, 0), 0);
    cr_expect_eq(p.finish_ps[1], 2000 + 10000 + 500 + 3 * 7);
    cr_expect_eq(p.finish_ps[2], p.finish_ps[1]);
    play_close(&p);
}

Test(sync, missed_barrier_is_explained)
{
    Play p;
    play_open(&p);
    play_call(&p, 0, "pthread_barrier_init", OBJECT(BARRIER), 0, 3);
    play_make(&p, 0, 1);
    play_call(&p, 0, "pthread_barrier_wait", OBJECT(BARRIER));
    play_call(&p, 1, "pthread_barrier_wait", OBJECT(BARRIER));
    play_run(&p);
    cr_assert_not(p.exited);
    g_autoptr(GString) why = g_string_new(NULL);
    threads_world_explain(p.world, 0, why);
    cr_expect(strstr(why->str, "2 of 3 threads have arrived"), "%s", why->str);
    cr_expect(strstr(why->str, "more threads must arrive there"), "%s", why->str);
    play_close(&p);
}

Test(sync, crossing_locks_are_explained)
{
    Play p;
    play_open(&p);
    play_make(&p, 0, 1);
    play_call(&p, 0, "pthread_mutex_lock", OBJECT(MUTEX));
    play_spend(&p, 0, 5000);
    play_call(&p, 0, "pthread_mutex_lock", OBJECT(OTHER));
    play_call(&p, 1, "pthread_mutex_lock", OBJECT(OTHER));
    play_spend(&p, 1, 5000);
    play_call(&p, 1, "pthread_mutex_lock", OBJECT(MUTEX));
    play_run(&p);
    cr_assert_not(p.exited);
    g_autoptr(GString) why = g_string_new(NULL);
    threads_world_explain(p.world, 0, why);
    cr_expect(strstr(why->str, "thread 1 waits for thread 2, which waits for thread 1"), "%s", why->str);
    play_close(&p);
}

Test(sync, semaphores_and_spin_locks)
{
    Play p;
    play_open(&p);
    play_call(&p, 0, "pthread_spin_lock", OBJECT(SPIN));
    play_make(&p, 0, 1);
    play_make(&p, 0, 2);
    play_spend(&p, 0, 5000);
    play_call(&p, 0, "__orrery_sem_post", OBJECT(SEMAPHORE));
    play_call(&p, 0, "pthread_spin_unlock", OBJECT(SPIN));
    play_spend(&p, 0, FAR_AWAY);
    play_call(&p, 1, "__orrery_sem_trywait", OBJECT(SEMAPHORE));
    play_call(&p, 1, "__orrery_sem_wait", OBJECT(SEMAPHORE));
    play_call(&p, 2, "pthread_spin_trylock", OBJECT(SPIN));
    play_call(&p, 2, "pthread_spin_lock", OBJECT(SPIN));
    play_run(&p);
    cr_assert(p.exited);
    uint64_t posted_ps = 10 + 2000 + 5000 + 20;
    cr_expect_eq(play_result(&p, 1, 0), EAGAIN);
    cr_expect_eq(p.finish_ps[1], posted_ps + 300);
    cr_expect_eq(play_result(&p, 2, 0), EBUSY);
    cr_expect_eq(p.finish_ps[2], posted_ps + 20 + 10, "one who spins goes on without being woken");
    play_close(&p);
}

/* Memory that was used as another object, or destroyed, or zeroed, is a free object again. */
Test(sync, memory_is_used_again)
{
    Play p;
    play_open(&p);
    play_call(&p, 0, "pthread_mutex_destroy", OBJECT(MUTEX));
    play_call(&p, 0, "pthread_mutex_lock", OBJECT(MUTEX));
    play_call(&p, 0, "__orrery_mutex_init", OBJECT(MUTEX), 0, 1);
    play_call(&p, 0, "pthread_mutex_lock", OBJECT(MUTEX));
    play_call(&p, 0, "pthread_mutex_destroy", OBJECT(MUTEX));
    play_call(&p, 0, "pthread_barrier_init", OBJECT(MUTEX), 0, 1);
    play_call(&p, 0, "pthread_barrier_wait", OBJECT(MUTEX));
    play_call(&p, 0, "pthread_mutex_lock", UINT64_C(16));
    play_run(&p);
    cr_expect_eq(play_result(&p, 0, 1), EINVAL);
    cr_expect_eq(play_result(&p, 0, 3), 0);
    cr_expect_eq(play_result(&p, 0, 4), EBUSY);
    cr_expect_eq(play_result(&p, 0, 6), -1);
    cr_expect(p.faulted, "no memory is there");
    play_close(&p);
}

static gsize order_findings(bool gated)
{
    Play p;
    play_open(&p);
    p.checks = THREADS_CHECK_LOCK_ORDER;
    play_make(&p, 0, 1);
    for (unsigned list = 0; list <= 1; list++) {
        play_spend(&p, list, 10000 * list);
        if (gated)
            play_call(&p, list, "pthread_mutex_lock", OBJECT(OTHER));
        play_call(&p, list, "pthread_mutex_lock", list ? OBJECT(LOCK) : OBJECT(MUTEX));
        play_call(&p, list, "pthread_mutex_lock", list ? OBJECT(MUTEX) : OBJECT(LOCK));
        play_call(&p, list, "pthread_mutex_unlock", OBJECT(MUTEX));
        play_call(&p, list, "pthread_mutex_unlock", OBJECT(LOCK));
        if (gated)
            play_call(&p, list, "pthread_mutex_unlock", OBJECT(OTHER));
    }
    play_spend(&p, 0, FAR_AWAY);
    play_run(&p);
    cr_assert(p.exited);
    gsize length = p.findings->len;
    play_close(&p);
    return length;
}

Test(sync, orders_of_locks)
{
    cr_expect_gt(order_findings(false), 0);
    cr_expect_eq(order_findings(true), 0, "another lock keeps the threads apart");
}
