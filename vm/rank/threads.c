/* threads.c - several threads in a rank.
 *
 * The threads of a rank share its memory, its C library and its end. What belongs to one of them (clock, stack, frames,
 * registers, open requests) is a VmThreadState. Only one thread can be inside the VM at a time, so only one state needs
 * to be where the VM looks: that of the *selected* thread is in the rank, the others are kept here. Selecting copies
 * two states and costs some tens of nanoseconds; a rank with one thread never pays.
 *
 * Threads have the numbers of their rows. The rows of threads that have ended are used again.
 */
#include "vm/meter.h"
#include "vm/rank/rank.h"

#include <string.h>

enum { ERRNO_BYTES = 16, STACK_ALIGNMENT = 16 };

typedef struct Row {
    VmThreadState state; /* unless it is selected */
    bool used;
} Row;

struct VmThreads {
    GArray *rows; /* Row */
    uint32_t selected;
    uint32_t live;
    uint32_t used;   /* rows before this one are all used */
    uint64_t cpu_ps; /* of threads that have ended */
};

static Row *row_of(const VmRank *rank, uint32_t thread)
{
    g_assert(rank->threads && thread < rank->threads->rows->len);
    return &g_array_index(rank->threads->rows, Row, thread);
}

uint32_t vm_thread_selected(const VmRank *rank)
{
    return rank->threads ? rank->threads->selected : 0;
}

void vm_thread_stack(const VmRank *rank, uint64_t *low, uint64_t *high)
{
    *low = rank->stack_low;
    *high = rank->stack_high;
}

uint64_t vm_thread_sp(const VmRank *rank, uint32_t thread)
{
    return thread == vm_thread_selected(rank) ? rank->sp : row_of(rank, thread)->state.sp;
}

uint32_t vm_thread_of_stack(const VmRank *rank, uint64_t address, const VmThreadState **state)
{
    uint32_t rows = rank->threads ? rank->threads->rows->len : 1;
    for (uint32_t thread = 0; thread < rows; thread++) {
        bool selected = thread == vm_thread_selected(rank);
        *state = selected ? &rank->thread : &row_of(rank, thread)->state;
        if (vm_thread_lives(rank, thread) && address >= (*state)->stack_low && address < (*state)->stack_high)
            return thread;
    }
    return VM_NO_THREAD;
}

VmClock *vm_thread_clock(VmRank *rank, uint32_t thread)
{
    return thread == vm_thread_selected(rank) ? &rank->clock : &row_of(rank, thread)->state.clock;
}

uint64_t vm_thread_storage(const VmRank *rank)
{
    return rank->storage;
}

uint32_t vm_thread_count(const VmRank *rank)
{
    return rank->threads ? rank->threads->live : 1;
}

bool vm_thread_lives(const VmRank *rank, uint32_t thread)
{
    return rank->threads ? thread < rank->threads->rows->len && row_of(rank, thread)->used : thread == 0;
}

/* The end of a process is the end of all its threads. */
static bool has_ended(const VmRank *rank)
{
    return rank->state == VM_STATE_EXITED || rank->state == VM_STATE_FAULTED;
}

static void change(VmRank *rank, uint32_t thread)
{
    VmThreads *threads = rank->threads;
    uint32_t from = threads->selected;
    bool ended = rank->concluded && has_ended(rank);
    VmState end = rank->state;
    row_of(rank, from)->state = rank->thread;
    rank->thread = row_of(rank, thread)->state;
    if (ended)
        rank->state = end;
    threads->selected = thread;
    rank->input.handle = rank->output.handle = 0; /* they are open only as long as nobody else comes */
    rank->turn_cycles = 0;
    if (rank->shadow)
        rank->world->above->selected(rank, from, thread);
}

void vm_thread_select(VmRank *rank, uint32_t thread)
{
    if (thread == vm_thread_selected(rank))
        return;
    g_assert(row_of(rank, thread)->used);
    change(rank, thread);
}

void vm_thread_prepare(VmRank *rank)
{
    if (rank->threads)
        return;
    if (rank->nested)
        vm_nest_leave(rank); /* the first thread's stack may grow where others cannot see it */
    rank->threads = g_new0(VmThreads, 1);
    rank->threads->rows = g_array_new(FALSE, TRUE, sizeof(Row));
    g_array_set_size(rank->threads->rows, 1);
    row_of(rank, 0)->used = true;
    rank->threads->live = 1;
}

static uint32_t free_row(VmThreads *threads)
{
    uint32_t thread = MAX(threads->used, 1);
    while (thread < threads->rows->len && g_array_index(threads->rows, Row, thread).used)
        thread++;
    if (thread == threads->rows->len)
        g_array_set_size(threads->rows, thread + 1);
    threads->used = thread;
    return thread;
}

uint32_t vm_thread_new(VmRank *rank, uint64_t function, const uint64_t *args, unsigned n, VmThreadStack stack,
                       uint64_t start_ps)
{
    uint32_t index = vm_image_function(rank->image, function), caller = vm_thread_selected(rank);
    uint64_t high = (stack.address + stack.bytes) / STACK_ALIGNMENT * STACK_ALIGNMENT,
             low = (stack.address + STACK_ALIGNMENT - 1) / STACK_ALIGNMENT * STACK_ALIGNMENT;
    void *top = stack.bytes >= VM_LEAST_STACK ? vm_memory_write(rank, high - ERRNO_BYTES, ERRNO_BYTES) : NULL;
    g_assert(n <= VCODE_MAX_ARGUMENTS); /* another thread may have ended the process, at a later time */
    if (index == VCODE_NONE || !top)
        return VM_NO_THREAD;
    vm_thread_prepare(rank);
    memset(top, 0, ERRNO_BYTES);
    uint32_t thread = free_row(rank->threads);
    VmThreadState state = {
        .state = VM_STATE_READY,
        .clock = {.base_ps = start_ps, .period_q32 = rank->clock.period_q32, .noise = rank->clock.noise},
        .stack_low = low,
        .stack_high = high,
        .sp = high - ERRNO_BYTES,
        .granted_q8 = UINT64_MAX,
        .fe_flags = rank->fe_flags,
        .fe_rounding = rank->fe_rounding};
    *row_of(rank, thread) = (Row){state, true};
    rank->threads->live++;
    change(rank, thread);
    vm_frames_enter(rank, index, 0, args, n);
    vm_meter_thread_begins(rank, thread);
    change(rank, caller);
    return thread;
}

/* Frees what only the selected thread has. */
static void free_state(VmRank *rank)
{
    vm_frames_free(rank);
    if (rank->own_fault) {
        g_free(rank->own_fault->reason);
        g_free(rank->own_fault->around);
    }
    g_clear_pointer(&rank->own_fault, g_free);
    rank->world->above->ended(rank);
}

void vm_thread_end(VmRank *rank, uint32_t thread, uint32_t next)
{
    g_assert(thread != next && thread == vm_thread_selected(rank) && row_of(rank, next)->used);
    vm_meter_flush(rank);
    rank->threads->cpu_ps += vm_clock_cpu_ps(&rank->clock);
    rank->threads->used = MIN(rank->threads->used, thread);
    free_state(rank);
    change(rank, next);
    if (rank->shadow)
        rank->world->above->selected(rank, thread, VM_NO_THREAD);
    *row_of(rank, thread) = (Row){.used = false};
    rank->threads->live--;
}

uint64_t vm_threads_cpu_ps(const VmRank *rank)
{
    uint64_t sum = vm_clock_cpu_ps(&rank->clock);
    if (!rank->threads)
        return sum;
    for (uint32_t thread = 0; thread < rank->threads->rows->len; thread++)
        if (row_of(rank, thread)->used && thread != rank->threads->selected)
            sum += vm_clock_cpu_ps(&row_of(rank, thread)->state.clock);
    return sum + rank->threads->cpu_ps;
}

void vm_threads_free(VmRank *rank)
{
    if (!rank->threads)
        return;
    for (uint32_t thread = rank->threads->rows->len; thread--;)
        if (row_of(rank, thread)->used) {
            vm_thread_select(rank, thread);
            if (thread)
                free_state(rank);
        }
    g_array_unref(rank->threads->rows);
    g_clear_pointer(&rank->threads, g_free);
}
