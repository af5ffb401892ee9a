/* budget.c - bounds the memory of a run. A run that reaches the bound ends with a report of who used how much.
 *
 * There are two bounds, because no result may depend on the host.
 *
 *   --memory SIZE   bounds what the program has taken: static data and heaps of its ranks, and messages that nobody has
 *                   received. That is a function of the program and the machine alone. Ranks run ahead, so a change of
 *                   a heap is an event with the rank's time, in the order (time, rank), like its output:
 *
 *                       rank --changes--> BaseQueue --reached--> claimed + buffered > limit: the run ends then
 *
 *   the host        bounds what the simulator has filled, for any purpose. A thread looks now and then, and so does
 *                   a rank that has taken much at once. The run ends before the host ends it. Where exactly is
 *                   accidental, as with Ctrl-C. So the program never sees it: malloc does not fail for want of the
 *                   host's memory.
 *
 * Heaps count as far as they have been taken from the system, filled or not. The host counts only what is filled. If
 * several runs share the host (sweeps, exploring), the one that ends is one that has much.
 */
#include "machine/run/budget.h"
#include "base/queue.h"
#include "base/units.h"
#include "machine/run/run.h"

#include <pthread.h>
#include <signal.h>

enum { LOOK_MS = 20, MESSAGE_BYTES = 256, MOST_TOLD = 5 };
static const uint64_t LEAST_RESERVE = UINT64_C(64) << 20, MOST_RESERVE = UINT64_C(1) << 30;
static const int64_t ALL = INT64_MIN; /* value of a change: the rank has ended */

struct MachBudget {
    Machine *machine;
    uint64_t limit; /* from --memory; 0: none */
    pthread_mutex_t lock;
    pthread_cond_t ending;
    BaseQueue *changes; /* changes of heaps: a = bytes, signed; protected by the lock */
    uint64_t *by_rank;  /* static data and heap of each rank */
    uint64_t claimed;   /* static data and heaps of all ranks */
    uint64_t of_host;   /* most that the process may fill */
    uint64_t reserve;   /* least that the host must have left */
    uint64_t taken;     /* sum of all that heaps and messages have taken, whatever was given back since */
    uint64_t looked_at; /* `taken` at the last look */
    uint64_t buffered_before;
    uint64_t used_then; /* used memory when the thread asked for the end */
    pthread_t watcher;
    bool watching, over;
};

/* -- what the program has taken ---------------------------------------------------------------- */

static void change(MachBudget *budget, uint32_t rank, int64_t bytes)
{
    if (bytes == ALL)
        bytes = -(int64_t)budget->by_rank[rank];
    __atomic_fetch_add(&budget->claimed, (uint64_t)bytes, __ATOMIC_RELAXED);
    budget->by_rank[rank] += (uint64_t)bytes;
}

static uint64_t buffered(const Machine *machine)
{
    uint64_t messages, bytes;
    mpi_world_buffered(machine->mpi, &messages, &bytes);
    return bytes + messages * MESSAGE_BYTES;
}

static bool is_over(const MachBudget *budget)
{
    return budget->claimed + buffered(budget->machine) > budget->limit;
}

bool mach_budget_reach(Machine *machine, uint64_t before_ps)
{
    MachBudget *budget = machine->budget;
    if (!budget || !budget->limit)
        return true;
    pthread_mutex_lock(&budget->lock);
    bool over = is_over(budget);
    while (!over && base_queue_next_time(budget->changes) < before_ps) {
        BaseEvent event;
        base_queue_pop(budget->changes, &event);
        change(budget, event.rank, (int64_t)event.a);
        over = is_over(budget);
        if (over)
            machine->now = MAX(machine->now, event.time_ps);
    }
    budget->over = over;
    pthread_mutex_unlock(&budget->lock);
    return !over;
}

uint64_t mach_budget_reach_quietly(Machine *machine, uint64_t now_ps)
{
    if (!machine->budget_in_order)
        return UINT64_MAX;
    if (now_ps > machine->now && !mach_budget_reach(machine, now_ps))
        return 0;
    pthread_mutex_lock(&machine->budget->lock);
    uint64_t next = base_queue_next_time(machine->budget->changes);
    pthread_mutex_unlock(&machine->budget->lock);
    return next == UINT64_MAX ? next : next + 1;
}

/* -- what the host has ------------------------------------------------------------------------- */

/* Returns whether this run is not one of the small ones, if several share the host. */
static bool is_large(const MachBudget *budget, uint64_t used)
{
    uint32_t sharers = budget->machine->options.memory_sharers;
    return sharers < 2 || __atomic_load_n(&budget->claimed, __ATOMIC_RELAXED) +
                                  __atomic_load_n(&budget->buffered_before, __ATOMIC_RELAXED) >=
                              used / (2 * sharers);
}

static bool host_is_short(const MachBudget *budget, uint64_t used)
{
    return used > budget->of_host - budget->reserve ||
           (used > budget->of_host / 4 && vm_host_memory_left() < budget->reserve);
}

static void look(MachBudget *budget)
{
    uint64_t used = vm_host_memory_used();
    if (!host_is_short(budget, used) || !is_large(budget, used))
        return;
    __atomic_store_n(&budget->used_then, used, __ATOMIC_RELAXED);
    atomic_fetch_or(&budget->machine->asked, MACH_ASKED_FOR_MEMORY);
}

/* Looks at the host at once if much has been taken since the last look, without waiting for the thread. */
static void look_again(MachBudget *budget, uint64_t taken)
{
    if (taken - __atomic_load_n(&budget->looked_at, __ATOMIC_RELAXED) < budget->reserve / 8)
        return;
    __atomic_store_n(&budget->looked_at, taken, __ATOMIC_RELAXED);
    look(budget);
}

void mach_budget_grew(Machine *machine, uint32_t rank, uint64_t time_ps, int64_t bytes)
{
    MachBudget *budget = machine->budget;
    if (!budget || machine->stopped)
        return;
    pthread_mutex_lock(&budget->lock);
    if (budget->limit)
        base_queue_push(budget->changes, time_ps, 0, rank, (uint64_t)bytes, 0);
    else
        change(budget, rank, bytes);
    pthread_mutex_unlock(&budget->lock);
    look_again(budget, __atomic_add_fetch(&budget->taken, bytes > 0 ? (uint64_t)bytes : 0, __ATOMIC_RELAXED));
}

void mach_budget_exited(Machine *machine, uint32_t rank)
{
    mach_budget_grew(machine, rank, machine->now, ALL);
}

void mach_budget_look(Machine *machine)
{
    MachBudget *budget = machine->budget;
    uint64_t now = buffered(machine);
    if (now > budget->buffered_before)
        look_again(budget, __atomic_add_fetch(&budget->taken, now - budget->buffered_before, __ATOMIC_RELAXED));
    __atomic_store_n(&budget->buffered_before, now, __ATOMIC_RELAXED);
}

static void *watch(void *argument)
{
    MachBudget *budget = argument;
    pthread_mutex_lock(&budget->lock);
    while (budget->watching) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += LOOK_MS * 1000000L;
        until.tv_sec += until.tv_nsec / 1000000000L;
        until.tv_nsec %= 1000000000L;
        pthread_cond_timedwait(&budget->ending, &budget->lock, &until);
        if (budget->watching) {
            pthread_mutex_unlock(&budget->lock);
            look(budget);
            pthread_mutex_lock(&budget->lock);
        }
    }
    pthread_mutex_unlock(&budget->lock);
    return NULL;
}

/* The new thread blocks all signals: they are for the threads that exist already. */
static void start_watching(MachBudget *budget)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    budget->watching = true;
    budget->watching = pthread_create(&budget->watcher, NULL, watch, budget) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void came(MachBudget *budget, uint32_t rank)
{
    const VcodeModule *module = vm_image_module(vm_rank_image(budget->machine->processes[rank].vm));
    change(budget, rank, (int64_t)(module->data.count + module->bss_bytes));
}

void mach_budget_came(Machine *machine, uint32_t rank)
{
    came(machine->budget, rank);
}

void mach_budget_new(Machine *machine)
{
    MachBudget *budget = g_new0(MachBudget, 1);
    budget->machine = machine;
    budget->limit = machine->options.memory_bytes;
    budget->changes = base_queue_new();
    budget->by_rank = g_new0(uint64_t, machine->room);
    pthread_mutex_init(&budget->lock, NULL);
    pthread_cond_init(&budget->ending, NULL);
    for (uint32_t rank = 0; rank < machine->ranks; rank++)
        came(budget, rank);
    budget->of_host = vm_host_memory();
    budget->reserve = CLAMP(budget->of_host / 16, MIN(LEAST_RESERVE, budget->of_host / 4), MOST_RESERVE);
    machine->budget = budget;
    machine->budget_in_order = budget->limit != 0;
    if (!machine->options.forks)
        start_watching(budget);
}

void mach_budget_free(Machine *machine)
{
    MachBudget *budget = machine->budget;
    if (!budget)
        return;
    pthread_mutex_lock(&budget->lock);
    bool watching = budget->watching;
    budget->watching = false;
    pthread_cond_signal(&budget->ending);
    pthread_mutex_unlock(&budget->lock);
    if (watching)
        pthread_join(budget->watcher, NULL);
    base_queue_free(budget->changes);
    pthread_mutex_destroy(&budget->lock);
    pthread_cond_destroy(&budget->ending);
    g_free(budget->by_rank);
    g_free(budget);
    machine->budget = NULL;
}

/* -- who used what ----------------------------------------------------------------------------- */

static void append_size(uint64_t bytes, GString *out)
{
    g_autofree char *size = g_format_size_full(bytes, G_FORMAT_SIZE_IEC_UNITS);
    for (const char *at = size; *at; at = g_utf8_next_char(at)) /* the text has a no-break space */
        g_string_append_c(out, g_utf8_get_char(at) < 0x80 ? *at : ' ');
}

typedef struct Share {
    uint64_t bytes, other;
    uint32_t rank;
} Share;

static gint compare_shares(gconstpointer a, gconstpointer b)
{
    const Share *x = a, *y = b;
    if (x->bytes != y->bytes)
        return x->bytes > y->bytes ? -1 : 1;
    return x->rank < y->rank ? -1 : x->rank > y->rank;
}

static void append_largest(const Machine *machine, GString *out)
{
    const MachBudget *budget = machine->budget;
    g_autoptr(GArray) shares = g_array_new(FALSE, FALSE, sizeof(Share));
    for (uint32_t rank = 0; rank < machine->ranks; rank++) {
        Share share = {.bytes = budget->by_rank[rank], .rank = rank};
        g_array_append_val(shares, share);
    }
    g_array_sort(shares, compare_shares);
    for (guint i = 0; i < MIN(shares->len, MOST_TOLD); i++) {
        const Share *share = &g_array_index(shares, Share, i);
        g_string_append_printf(out, "    rank %u: ", share->rank);
        append_size(share->bytes, out);
        g_string_append_c(out, '\n');
    }
    if (shares->len > MOST_TOLD)
        g_string_append_printf(out, "    and %u ranks with no more each\n", shares->len - MOST_TOLD);
}

static void append_waiting(const Machine *machine, GString *out)
{
    g_autoptr(GArray) shares = g_array_new(FALSE, FALSE, sizeof(Share));
    for (uint32_t rank = 0; rank < machine->ranks; rank++) {
        Share share = {.rank = rank};
        mpi_world_unreceived(machine->mpi, rank, &share.other, &share.bytes);
        share.bytes += share.other * MESSAGE_BYTES;
        if (share.other)
            g_array_append_val(shares, share);
    }
    g_array_sort(shares, compare_shares);
    for (guint i = 0; i < MIN(shares->len, MOST_TOLD); i++) {
        const Share *share = &g_array_index(shares, Share, i);
        g_string_append_printf(out, "    at rank %u: %" G_GUINT64_FORMAT " that it has not received, ", share->rank,
                               share->other);
        append_size(share->bytes, out);
        g_string_append_c(out, '\n');
    }
}

bool mach_budget_is_accidental(const Machine *machine)
{
    return !machine->budget->over;
}

static void append_bound(const Machine *machine, GString *out)
{
    const MachBudget *budget = machine->budget;
    g_autofree char *time = base_units_format_time(machine->now);
    g_string_append_printf(out, "stopped at virtual time %s: ", time);
    if (budget->over) {
        g_string_append(out, "the program has taken more than the ");
        append_size(budget->limit, out);
        g_string_append(out, " of memory that the run may have (--memory)\n");
        return;
    }
    g_string_append(out, "the host's memory runs short: the simulator fills ");
    append_size(budget->used_then, out);
    g_string_append(out, " and may have ");
    append_size(budget->of_host, out);
    g_string_append(out, " less a reserve of ");
    append_size(budget->reserve, out);
    g_string_append(out, "; use fewer or smaller ranks, a larger host, or --memory SIZE for a bound that does not "
                         "depend on the host\n");
}

void mach_budget_explain(const Machine *machine, GString *out)
{
    const MachBudget *budget = machine->budget;
    uint64_t messages, bytes;
    mpi_world_buffered(machine->mpi, &messages, &bytes);
    append_bound(machine, out);
    g_string_append(out, "  data and heaps of the ranks: ");
    append_size(budget->claimed, out);
    g_string_append_c(out, '\n');
    append_largest(machine, out);
    g_string_append_printf(out, "  %" G_GUINT64_FORMAT " messages sent and not yet received: ", messages);
    append_size(bytes + messages * MESSAGE_BYTES, out);
    g_string_append_c(out, '\n');
    append_waiting(machine, out);
    if (!budget->over) {
        uint64_t known = budget->claimed + bytes + messages * MESSAGE_BYTES;
        g_string_append(out, "  the rest, where heaps have been filled: stacks, network, reports, native code: ");
        append_size(budget->used_then - MIN(known, budget->used_then), out);
        g_string_append_c(out, '\n');
    }
}
