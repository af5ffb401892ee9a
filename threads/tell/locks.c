/* locks.c - the locks of a process: what was counted of them, who holds them and who waits. */
#include "threads/core/call.h"

/* -- what was counted -------------------------------------------------------------------------- */

static void row_clear(void *item)
{
    ThreadsLockStats *row = item;
    g_free(row->name);
    g_free(row->place);
}

static GArray *rows_new(void)
{
    GArray *rows = g_array_new(FALSE, FALSE, sizeof(ThreadsLockStats));
    g_array_set_clear_func(rows, row_clear);
    return rows;
}

/* Equal ones stay in the order of their first use, as merge sorts leave them. */
static gint compare(gconstpointer a, gconstpointer b, gpointer user)
{
    const ThreadsLock *x = *(ThreadsLock *const *)a, *y = *(ThreadsLock *const *)b;
    (void)user;
    if (x->wait_ps != y->wait_ps)
        return x->wait_ps > y->wait_ps ? -1 : 1;
    if (x->contended != y->contended)
        return x->contended > y->contended ? -1 : 1;
    return x < y ? -1 : x > y;
}

static ThreadsLockStats row_of(const ThreadsProcess *process, const ThreadsLock *lock)
{
    GString *name = g_string_new(NULL), *place = g_string_new(NULL);
    threads_place_append_object(process, lock->sort, lock->address, name);
    threads_place_append(process, lock->longest_pc, place);
    return (ThreadsLockStats){.name = g_string_free(name, FALSE),
                              .place = g_string_free(place, FALSE),
                              .taken = lock->taken,
                              .contended = lock->contended,
                              .wait_ps = lock->wait_ps,
                              .longest_ps = lock->longest_ps};
}

static GArray *rows_of(const ThreadsProcess *process)
{
    GArray *rows = rows_new();
    g_autoptr(GPtrArray) locks = g_ptr_array_new();
    for (guint i = 0; process->locks && i < process->locks->len; i++)
        if (g_array_index(process->locks, ThreadsLock, i).contended)
            g_ptr_array_add(locks, &g_array_index(process->locks, ThreadsLock, i));
    g_ptr_array_sort_with_data(locks, compare, NULL);
    for (guint i = 0; i < locks->len; i++) {
        ThreadsLockStats row = row_of(process, g_ptr_array_index(locks, i));
        g_array_append_val(rows, row);
    }
    return rows;
}

GArray *threads_world_locks(const ThreadsWorld *world, uint32_t rank)
{
    const ThreadsEnded *ended = g_hash_table_lookup(world->ended, GUINT_TO_POINTER(rank));
    if (world->processes[rank])
        return rows_of(world->processes[rank]);
    return ended ? g_array_ref(ended->locks) : rows_new();
}

/* -- who holds them ---------------------------------------------------------------------------- */

static void append_waiters(const ThreadsObject *object, GString *out)
{
    g_string_append(out, object->waiting == 1 ? ", waited for by thread" : ", waited for by threads");
    for (const ThreadsCall *call = object->first; call; call = call->wait.behind)
        g_string_append_printf(out, "%s %" G_GUINT64_FORMAT, call == object->first ? "" : ",", call->thread->id);
}

static void append_lock(const ThreadsProcess *process, const ThreadsLock *lock, GString *out)
{
    uint32_t id, since;
    const ThreadsObject *object = threads_wait_find(process, lock->sort, lock->address);
    bool held = threads_holder(process, lock->sort, lock->address, &id, &since);
    if (!held && !object)
        return;
    threads_place_append_object(process, lock->sort, lock->address, out);
    g_string_append_printf(out, held ? " held by thread %u" : " is free", id);
    if (held && since != VCODE_NONE) {
        g_string_append(out, " since ");
        threads_place_append(process, since, out);
    }
    if (object)
        append_waiters(object, out);
    g_string_append_c(out, '\n');
}

void threads_world_list_locks(const ThreadsWorld *world, uint32_t rank, GString *out)
{
    const ThreadsProcess *process = world->processes[rank];
    for (guint i = 0; process && process->locks && i < process->locks->len; i++)
        append_lock(process, &g_array_index(process->locks, ThreadsLock, i), out);
}
