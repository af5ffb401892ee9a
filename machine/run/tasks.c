/* tasks.c - threads of ranks: their rows, stacks and pieces. */
#include "machine/run/tasks.h"
#include "machine/run/advance.h"
#include "machine/run/polling.h"
#include "machine/run/sharing.h"

#include <assert.h>
#include <string.h>

enum { LEAST_STACK = 64 << 10 };
enum { MOST_THREADS = 1 << 18 }; /* threads of all ranks that live at a time */

struct MachTasks {
    uint32_t used; /* rows behind the ranks that have been used */
    GArray *free;  /* of these, rows that may be used again */
};

struct MachThreads {     /* of a rank */
    GArray *tasks;       /* by number of the thread: its task, or MACH_NO_TASK */
    uint64_t compute_ps; /* of threads that have ended */
};

/* Programs with signals that come in between run in pieces as well. */
static bool make_threads(const MachProgram *programs, size_t n)
{
    static const char *const makers[] = {"__orrery_thread_create", "__orrery_thread_cancel", "__orrery_timer_set"};
    for (size_t i = 0; i < G_N_ELEMENTS(makers); i++)
        if (mach_run_calls(programs, n, makers[i]))
            return true;
    return false;
}

/* What programs that are started during the run do is not known. */
void mach_tasks_prepare(Machine *machine, const MachProgram *programs, size_t n)
{
    machine->binds = mach_run_calls(programs, n, "__orrery_thread_bind");
    if (!machine->spawning && !make_threads(programs, n))
        return;
    machine->tasks = g_new0(MachTasks, 1);
    machine->tasks->free = g_array_new(FALSE, FALSE, sizeof(uint32_t));
}

static void threads_free(MachThreads *threads)
{
    g_array_unref(threads->tasks);
    g_free(threads);
}

void mach_tasks_free(Machine *machine)
{
    if (!machine->tasks)
        return;
    for (uint32_t rank = 0; machine->processes && rank < machine->ranks; rank++)
        g_clear_pointer(&machine->processes[rank].threads, threads_free);
    g_array_unref(machine->tasks->free);
    g_clear_pointer(&machine->tasks, g_free);
}

uint32_t mach_tasks_room(const Machine *machine)
{
    return machine->room + (machine->tasks ? MOST_THREADS : 0);
}

uint32_t mach_tasks_of(const Machine *machine, uint32_t rank, uint32_t thread)
{
    const MachThreads *threads = machine->processes[rank].threads;
    if (!threads || thread >= threads->tasks->len)
        return thread ? MACH_NO_TASK : rank;
    return g_array_index(threads->tasks, uint32_t, thread);
}

uint32_t mach_tasks_numbers(const Machine *machine, uint32_t rank)
{
    const MachThreads *threads = machine->processes[rank].threads;
    return threads ? threads->tasks->len : 1;
}

uint32_t mach_tasks_selected(const Machine *machine, uint32_t rank)
{
    const MachProcess *process = &machine->processes[rank];
    return process->threaded ? mach_tasks_of(machine, rank, vm_thread_selected(process->vm)) : rank;
}

uint64_t mach_tasks_compute_ps(const Machine *machine, uint32_t rank)
{
    const MachThreads *threads = machine->processes[rank].threads;
    uint64_t sum = threads ? threads->compute_ps : 0;
    for (guint i = 1; threads && i < threads->tasks->len; i++) {
        uint32_t task = g_array_index(threads->tasks, uint32_t, i);
        if (task != MACH_NO_TASK)
            sum += machine->processes[task].compute_ps;
    }
    return sum;
}

/* -- life -------------------------------------------------------------------------------------- */

static uint32_t take_row(Machine *machine)
{
    MachTasks *tasks = machine->tasks;
    if (tasks->free->len) {
        uint32_t task = g_array_index(tasks->free, uint32_t, tasks->free->len - 1);
        g_array_set_size(tasks->free, tasks->free->len - 1);
        return task;
    }
    return tasks->used < MOST_THREADS ? machine->room + tasks->used++ : MACH_NO_TASK;
}

static void begin(Machine *machine, uint32_t rank)
{
    MachProcess *process = &machine->processes[rank];
    if (process->threads)
        return;
    process->threads = g_new0(MachThreads, 1);
    process->threads->tasks = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    g_array_append_val(process->threads->tasks, rank);
    process->threaded = machine->threaded = true;
    process->exposures = 0;
    process->renews = process->in_piece = process->rests = false;
    process->piece_end = UINT64_MAX;
    mpi_world_select(machine->mpi, rank, 0, rank);
    machine->usual = false;
}

void mach_tasks_order(Machine *machine, uint32_t rank)
{
    vm_thread_prepare(machine->processes[rank].vm);
    begin(machine, rank);
}

/* The usual size of a stack is that of the first thread, but threads together get half of the heap at most. */
static uint64_t usual_bytes(const Machine *machine, const VmRank *vm)
{
    uint64_t room = vm_rank_heap_room(vm) / 2 / (vm_thread_count(vm) + 1) / 4096 * 4096;
    return MIN(machine->config->stack_bytes, MAX(room, LEAST_STACK));
}

uint32_t mach_tasks_start(Machine *machine, uint32_t rank, uint64_t function, uint64_t argument, VmThreadStack stack,
                          const uint64_t *set, uint64_t time_ps)
{
    MachProcess *process = &machine->processes[rank];
    uint32_t task = machine->tasks ? take_row(machine) : MACH_NO_TASK;
    if (task == MACH_NO_TASK)
        return MACH_NO_TASK;
    bool own = !stack.address, alone = !process->share;
    if (!stack.bytes)
        stack.bytes = usual_bytes(machine, process->vm);
    if (own)
        stack.address = vm_library_malloc(process->vm, stack.bytes);
    if (stack.address)
        mach_sharing_open(machine, rank);
    uint32_t thread = stack.address ? vm_thread_new(process->vm, function, &argument, 1, stack, time_ps) : VM_NO_THREAD;
    if (thread == VM_NO_THREAD) {
        if (own && stack.address)
            vm_library_free(process->vm, stack.address);
        g_array_append_val(machine->tasks->free, task);
        if (alone && process->share) /* its queue has been opened: it goes on as if there were two threads */
            mach_tasks_order(machine, rank);
        return MACH_NO_TASK;
    }
    begin(machine, rank);
    MachThreads *threads = process->threads;
    guint old = threads->tasks->len;
    if (thread >= old)
        g_array_set_size(threads->tasks, thread + 1);
    for (guint i = old; i < thread; i++)
        g_array_index(threads->tasks, uint32_t, i) = MACH_NO_TASK;
    g_array_index(threads->tasks, uint32_t, thread) = task;
    machine->processes[task] = (MachProcess){.vm = process->vm,
                                             .stats = process->stats,
                                             .threaded = true,
                                             .place = process->place,
                                             .rank = rank,
                                             .thread = thread,
                                             .stack = own ? stack.address : 0,
                                             .start_ps = time_ps};
    mach_sharing_join_thread(machine, task, rank, set);
    mach_run_make_ready(machine, task);
    return task;
}

void mach_tasks_end(Machine *machine, uint32_t rank, uint32_t thread)
{
    MachProcess *first = &machine->processes[rank];
    uint32_t task = mach_tasks_of(machine, rank, thread);
    MachProcess *process = &machine->processes[task];
    assert(vm_thread_selected(first->vm) == thread);
    if (!thread) {
        process->state = MACH_RANK_BLOCKED; /* its context lasts as long as the process */
        return;
    }
    vm_thread_end(first->vm, thread, 0);
    mpi_world_select(machine->mpi, rank, 0, rank);
    if (process->stack)
        vm_library_free(first->vm, process->stack);
    first->threads->compute_ps += process->compute_ps;
    process->state = MACH_RANK_FINISHED;
    if (process->share)
        mach_sharing_leave(machine, task);
    g_array_index(first->threads->tasks, uint32_t, thread) = MACH_NO_TASK;
    g_array_append_val(machine->tasks->free, task);
}

/* Events of these rows may still be in the queue, so nobody gets them again. */
void mach_tasks_drop(Machine *machine, uint32_t rank)
{
    const MachThreads *threads = machine->processes[rank].threads;
    for (guint i = 0; threads && i < threads->tasks->len; i++) {
        uint32_t task = g_array_index(threads->tasks, uint32_t, i);
        if (task == MACH_NO_TASK)
            continue;
        MachProcess *process = &machine->processes[task];
        if (machine->held_ps != UINT64_MAX && machine->held_rank == task)
            machine->held_ps = UINT64_MAX;
        process->called = false;
        if (!i)
            continue; /* the rank itself ends as ranks do */
        process->state = MACH_RANK_FINISHED;
        if (process->share)
            mach_sharing_leave(machine, task);
    }
}

/* -- looking ----------------------------------------------------------------------------------- */

void mach_tasks_look_away(Machine *machine)
{
    for (guint i = 0; i < machine->looks->len; i++) {
        const MachLook *look = &g_array_index(machine->looks, MachLook, i);
        vm_thread_select(machine->processes[look->rank].vm, look->thread);
    }
    g_clear_pointer(&machine->looks, g_array_unref);
}

/* -- running ----------------------------------------------------------------------------------- */

/* Runs the thread to the end of the atomic operation that it has begun with. */
static VmStop run_whole(MachProcess *process, uint64_t limit_ps)
{
    const VmClock *clock = vm_rank_clock(process->vm);
    VmStop reason = VM_STOP_QUANTUM;
    uint64_t short_ps = (uint64_t)((unsigned __int128)MACH_SHORT_PIECE * clock->period_q32 >> 32);
    if (limit_ps > vm_clock_now(clock) && limit_ps - vm_clock_now(clock) > short_ps)
        process->whole = 0;
    while (process->whole && reason == VM_STOP_QUANTUM) {
        reason = vm_rank_run(process->vm, 0);
        process->whole -= reason == VM_STOP_QUANTUM;
    }
    if (reason != VM_STOP_HOOK)
        process->whole = 0;
    return reason;
}

VmStop mach_tasks_run(Machine *machine, uint32_t task)
{
    MachProcess *process = &machine->processes[task];
    mach_tasks_select(machine, process);
    mach_polling_stir_by(machine, process);
    if (!process->piece_ps && threads_world_interrupts(machine->threads, process->rank, process->thread)) {
        vm_rank_interrupt(process->vm, threads_world_interruption(machine->threads));
        return VM_STOP_REQUEST;
    }
    const VmClock *clock = vm_rank_clock(process->vm);
    uint64_t limit_ps = process->piece_ps ? process->piece_ps : vm_clock_now(clock) + MACH_TURN_PS;
    uint64_t before_ps = process->stats->overhead_ps;
    limit_ps = MIN(limit_ps, mach_run_rank_limit_ps(machine, process->rank));
    VmStop reason = process->whole ? run_whole(process, limit_ps) : mach_run_until(machine, task, UINT64_MAX, limit_ps);
    while (reason == VM_STOP_QUANTUM && vm_clock_now(clock) <= limit_ps)
        reason = mach_run_until(machine, task, UINT64_MAX, limit_ps);
    process->local_ps += process->stats->overhead_ps - before_ps;
    process->piece_ps = reason == VM_STOP_HOOK ? limit_ps : 0;
    machine->halted = reason == VM_STOP_HOOK ? task + 1 : 0;
    return reason;
}
