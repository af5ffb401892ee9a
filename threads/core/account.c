/* account.c - counts what threads wait for, and, if somebody asks, each lock.
 *
 * Every wait ends here, once, with its sort. So the times of the sorts add up to all that threads of a process have
 * waited, and those of its locks to the time for locks. */
#include "threads/core/call.h"

static bool is_lock(ThreadsSort sort)
{
    return sort == THREADS_MUTEX || sort == THREADS_READ_WRITE_LOCK || sort == THREADS_SPIN_LOCK;
}

static ThreadsLock *lock_at(ThreadsProcess *process, ThreadsSort sort, uint64_t address)
{
    gpointer key = GSIZE_TO_POINTER(threads_wait_key(sort, address));
    if (!process->locks) {
        process->locks = g_array_new(FALSE, FALSE, sizeof(ThreadsLock));
        process->lock_rows = g_hash_table_new(NULL, NULL);
    }
    guint row = GPOINTER_TO_UINT(g_hash_table_lookup(process->lock_rows, key));
    if (!row) {
        ThreadsLock lock = {.sort = sort, .address = address, .longest_pc = VCODE_NONE};
        g_array_append_val(process->locks, lock);
        row = process->locks->len;
        g_hash_table_insert(process->lock_rows, key, GUINT_TO_POINTER(row));
    }
    return &g_array_index(process->locks, ThreadsLock, row - 1);
}

void threads_account_lock(const ThreadsCall *call, ThreadsSort sort, uint64_t address)
{
    call->process->stats.locks++;
    if (G_UNLIKELY(call->world->counts_locks))
        lock_at(call->process, sort, address)->taken++;
}

static void account_lock_wait(const ThreadsCall *call, uint64_t waited_ps)
{
    ThreadsLock *lock = lock_at(call->process, call->wait.sort, call->wait.address);
    lock->contended++;
    lock->wait_ps += waited_ps;
    if (waited_ps <= lock->longest_ps && lock->longest_pc != VCODE_NONE)
        return; /* the first one that waited so long stays */
    lock->longest_ps = waited_ps;
    lock->longest_pc = call->pc;
}

void threads_account_wait(const ThreadsCall *call, uint64_t to_ps)
{
    const ThreadsWait *wait = &call->wait;
    ThreadsStats *stats = &call->process->stats;
    uint64_t waited_ps = to_ps - wait->since_ps;
    if (is_lock(wait->sort)) {
        stats->contended++;
        stats->lock_ps += waited_ps;
        if (G_UNLIKELY(call->world->counts_locks)) {
            account_lock_wait(call, waited_ps);
            call->thread->pending.lock_ps += waited_ps;
        }
    } else if (wait->sort == THREADS_BARRIER || wait->sort == THREADS_TEAM) {
        stats->barrier_ps += waited_ps;
        if (wait->sort == THREADS_TEAM)
            call->thread->pending.barrier_ps += waited_ps;
    } else if (wait->sort == THREADS_CONDITION) {
        stats->conditions++;
        stats->condition_ps += waited_ps;
    } else if (wait->sort == THREADS_THREAD) {
        stats->joins++;
        stats->join_ps += waited_ps;
    } else if (wait->sort == THREADS_SLEEP) {
        stats->sleep_ps += waited_ps;
    } else {
        stats->waits++;
        stats->wait_ps += waited_ps;
    }
    THREADS_TELL(call->world, waited, call->process->rank, call->thread->number, wait->sort, wait->address,
                 wait->since_ps, to_ps);
}
