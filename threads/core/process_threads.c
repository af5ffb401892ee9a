/* process_threads.c - processes and their threads. */
#include "threads/core/call.h"

static void object_free(void *object)
{
    g_free(object);
}

ThreadsProcess *threads_process(ThreadsWorld *world, VmRank *vm)
{
    uint32_t rank = vm_rank_index(vm);
    ThreadsProcess *process = world->processes[rank];
    if (G_LIKELY(process))
        return process;
    process = world->processes[rank] = g_new0(ThreadsProcess, 1);
    process->world = world;
    process->vm = vm;
    process->rank = rank;
    process->threads = g_ptr_array_new();
    process->by_number = g_ptr_array_new();
    process->objects = g_hash_table_new_full(NULL, NULL, NULL, object_free);
    threads_thread_add(process, 0);
    return process;
}

ThreadsThread *threads_thread_add(ThreadsProcess *process, uint32_t number)
{
    ThreadsThread *thread = g_new0(ThreadsThread, 1);
    thread->process = process;
    thread->number = number;
    thread->created_pc = VCODE_NONE;
    g_ptr_array_add(process->threads, thread);
    thread->id = process->threads->len;
    if (number >= process->by_number->len)
        g_ptr_array_set_size(process->by_number, (gint)number + 1);
    g_ptr_array_index(process->by_number, number) = thread;
    process->alive++;
    process->stats.most = MAX(process->stats.most, process->alive);
    return thread;
}

static void thread_free(ThreadsThread *thread)
{
    while (thread->call) {
        ThreadsCall *call = thread->call;
        thread->call = call->outer;
        if (call != &thread->first)
            g_free(call);
    }
    if (thread->forks)
        g_array_unref(thread->forks);
    if (thread->robust)
        g_array_unref(thread->robust);
    if (thread->signals)
        g_array_unref(thread->signals);
    g_free(thread->set);
    g_free(thread->outside);
    g_free(thread);
}

void threads_process_free(ThreadsProcess *process)
{
    for (guint i = 0; i < process->threads->len; i++)
        if (g_ptr_array_index(process->threads, i))
            thread_free(g_ptr_array_index(process->threads, i));
    g_ptr_array_unref(process->threads);
    g_ptr_array_unref(process->by_number);
    g_hash_table_unref(process->objects);
    if (process->locks) {
        g_array_unref(process->locks);
        g_hash_table_unref(process->lock_rows);
    }
    threads_regions_free(process->regions);
    g_clear_pointer(&process->streams, g_hash_table_unref);
    g_clear_pointer(&process->signals, g_array_unref);
    g_clear_pointer(&process->timers, g_array_unref);
    if (process->order)
        process->order_free(process->order);
    if (process->races)
        process->races_end(process->races);
    g_free(process);
}

ThreadsThread *threads_thread_by_number(const ThreadsProcess *process, uint32_t number)
{
    return number < process->by_number->len ? g_ptr_array_index(process->by_number, number) : NULL;
}

ThreadsThread *threads_thread_by_id(const ThreadsProcess *process, uint64_t id)
{
    return id - 1 < process->threads->len ? g_ptr_array_index(process->threads, id - 1) : NULL;
}

ThreadsThread *threads_thread_selected(const ThreadsProcess *process)
{
    const ThreadsEnv *env = &process->world->env;
    return threads_thread_by_number(process, env->selected ? env->selected(env->user, process->rank) : 0);
}

void threads_thread_forget(ThreadsThread *thread)
{
    g_assert(thread->ended);
    g_ptr_array_index(thread->process->threads, thread->id - 1) = NULL;
    thread_free(thread);
}
