/* call.c - what calls do in the program: they touch its memory, and call its function `attention`. */
#include "threads/core/call.h"

static void refuse(ThreadsCall *call, uint64_t address)
{
    vm_rank_fault(call->vm, address < 4096 ? VM_FAULT_NULL_POINTER : VM_FAULT_WILD_WRITE, address,
                  "%s was called for an object at 0x%" G_GINT64_MODIFIER "x, where the rank has no memory to write",
                  call->binding->name, address);
}

void *threads_call_memory(ThreadsCall *call, uint64_t address, uint64_t bytes)
{
    void *memory = vm_rank_write(call->vm, address, bytes);
    if (G_UNLIKELY(!memory))
        refuse(call, address);
    return memory;
}

const void *threads_call_readable(ThreadsCall *call, uint64_t address, uint64_t bytes)
{
    const void *memory = vm_rank_read(call->vm, address, bytes);
    if (G_UNLIKELY(!memory))
        refuse(call, address);
    return memory;
}

ThreadsStep threads_call_attend(ThreadsCall *call, bool cancelled)
{
    uint64_t reason = cancelled;
    call->attending = true;
    call->thread->attention = false;
    call->thread->ending |= cancelled;
    if (cancelled)
        threads_acquired(call->thread, THREADS_SIGNAL, threads_signal_key(call->thread->id, 0), false, call->now);
    vm_clock_set(vm_rank_clock(call->vm), call->now);
    return vm_rank_upcall(call->vm, call->process->attention, &reason, 1) ? THREADS_STEP_UPCALL : THREADS_STEP_FAULT;
}

void threads_call_order(ThreadsCall *call)
{
    const ThreadsEnv *env = &call->world->env;
    g_assert(!call->local);
    if (!call->process->ordered && env->order)
        env->order(env->user, call->process->rank);
    call->process->ordered = true;
}
