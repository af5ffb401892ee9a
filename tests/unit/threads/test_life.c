/* Tests of threads that begin, end, are joined and are cancelled. */
#include "play.h"

#define FAR_AWAY 1000000

Test(life, joins)
{
    Play p;
    play_open(&p);
    play_make(&p, 0, 1);
    play_make(&p, 0, 2);
    play_call(&p, 0, "pthread_join", 2, OBJECT(0));
    play_call(&p, 0, "pthread_join", 2, 0);
    play_call(&p, 0, "pthread_join", 1, 0);
    play_call(&p, 0, "pthread_tryjoin_np", 3, 0);
    play_call(&p, 0, "pthread_detach", 3);
    play_call(&p, 0, "pthread_join", 3, 0);
    play_call(&p, 0, "pthread_detach", 99);
    play_spend(&p, 1, 7000);
    play_call(&p, 1, "pthread_join", 1, 0);
    play_spend(&p, 2, FAR_AWAY);
    play_run(&p);
    cr_expect_eq(play_result(&p, 0, 0), 2);
    cr_expect_eq(play_result(&p, 0, 1), 3);
    cr_expect_eq(play_result(&p, 0, 2), 0);
    uint64_t result;
    memcpy(&result, vm_rank_peek(p.vm, OBJECT(0), 8), 8);
    cr_expect_eq(result, 77);
    cr_expect_eq(play_result(&p, 1, 0), EDEADLK, "they would wait for each other");
    cr_expect_eq(play_result(&p, 0, 3), ESRCH);
    cr_expect_eq(play_result(&p, 0, 4), EDEADLK);
    cr_expect_eq(play_result(&p, 0, 5), EBUSY);
    cr_expect_eq(play_result(&p, 0, 6), 0);
    cr_expect_eq(play_result(&p, 0, 7), EINVAL);
    cr_expect_eq(play_result(&p, 0, 8), ESRCH);
    play_close(&p);
}

/* Numbers of the VM are used again, ids are not; threads that there is no room for are refused. */
Test(life, many)
{
    Play p;
    play_open(&p);
    for (uint64_t i = 0; i < 100; i++) {
        play_make(&p, 0, 1);
        play_call(&p, 0, "pthread_join", i + 2, 0);
    }
    for (unsigned i = 0; i < PLAY_THREADS; i++)
        play_make(&p, 0, 2);
    play_spend(&p, 2, FAR_AWAY);
    play_run(&p);
    cr_expect_eq(play_result(&p, 0, 198), 101);
    cr_expect_eq(play_result(&p, 0, 199), 0);
    cr_expect_eq(play_result(&p, 0, 200), 102);
    cr_expect_eq(play_result(&p, 0, 200 + PLAY_THREADS - 1), 0, "no room");
    cr_expect_eq(threads_world_stats(p.world, 0)->most, PLAY_THREADS - 1);
    play_close(&p);
}

/* The upcall of a cancellation ends the thread; that of a signal does not. List 3 is the function for upcalls. */
Test(life, cancelled)
{
    Play p;
    play_open(&p);
    play_call(&p, 0, "__orrery_thread_attention", VCODE_CODE_BASE + 16 * 3);
    play_make(&p, 0, 1);
    play_make(&p, 0, 2);
    play_spend(&p, 0, 10000);
    play_call(&p, 0, "__orrery_thread_cancel", 2);
    play_call(&p, 0, "pthread_join", 2, 0);
    play_call(&p, 0, "__orrery_thread_cancel", 3);
    play_call(&p, 0, "pthread_join", 3, 0);
    play_call(&p, 0, "__orrery_thread_cancel", 3);
    play_call(&p, 1, "__orrery_sem_wait", OBJECT(0));
    play_call(&p, 2, "pthread_setcancelstate", 1, 0);
    play_call(&p, 2, "__orrery_sem_clockwait", OBJECT(0), 1, OBJECT(1));
    play_call(&p, 2, "pthread_testcancel");
    play_call(&p, 2, "pthread_setcancelstate", 0, 0);
    play_call(&p, 2, "pthread_testcancel");
    play_begin(&p);
    int64_t until[2] = {0, 50};
    memcpy(play_memory(&p, 1, sizeof until), until, sizeof until);
    play_go(&p);
    cr_assert(p.exited);
    cr_expect_eq(p.results[1]->len, 0, "sem_wait() never came back");
    cr_expect_eq(play_result(&p, 2, 1), ETIMEDOUT, "it could not be cancelled");
    cr_expect_eq(p.results[2]->len, 4);
    cr_expect_eq(play_result(&p, 0, 7), ESRCH);
    play_close(&p);
}

/* The last thread comes back from its end. */
Test(life, last)
{
    Play p;
    play_open(&p);
    play_make(&p, 0, 1);
    play_call(&p, 0, "__orrery_thread_exit", 0);
    play_spend(&p, 1, 5000);
    play_run(&p);
    cr_expect_eq(p.results[0]->len, 1, "main()'s thread has ended");
    cr_expect_eq(threads_world_count(p.world, 0), 1);
    cr_expect(p.exited, "list 1 returned from the call that would have ended the last thread");
    play_close(&p);
}
