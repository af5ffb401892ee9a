/* race_sync.c - what orders the accesses of a process's threads (race_sync.h).
 *
 * Who releases an object adds its clock to that of the object, and its own tick goes up, so that what it does from then
 * on is not taken for what was released. Who acquires the object adds the object's clock to its own.
 *
 * A task of OpenMP is a strand of its own, whichever thread runs it: it knows what its creator knew, and what the tasks
 * knew that it depends on. So races between tasks are found, even if one thread runs both. The runtime library tells by
 * notes (VCODE_MARK_* in vcode.h) what waits for what; its own locks order nothing here.
 */
#include "threads/check/race_sync.h"
#include "vcode/vcode.h"

enum { MOST_SLOTS = 1024 };
enum { SORT_ATOMIC = 64, SORT_NOTE, SORT_TASK, SORT_READERS, SORTS }; /* beyond ThreadsSort */

typedef struct Slot {
    uint32_t tick;
    bool used;
} Slot;

struct ThreadsRaceSync {
    GPtrArray *carriers; /* by number of the VM; NULL: none */
    GArray *slots;       /* Slot */
    GArray *owners;      /* ThreadsSlotOwner, in the order in which they came */
    GHashTable *objects; /* key -> ThreadsRaceClock; never iterated */
};

/* -- strands ----------------------------------------------------------------------------------- */

static Slot *slot_at(const ThreadsRaceSync *sync, uint32_t slot)
{
    return &g_array_index(sync->slots, Slot, slot);
}

/* Takes a slot whose former owner's whole life is in the past of the new one, or a new slot; if these are used up, any
 * that is free, whose former owner will be taken for the new one. */
static uint32_t take_slot(ThreadsRaceSync *sync, const ThreadsRaceClock *past)
{
    uint32_t free = THREADS_NO_SLOT;
    for (uint32_t i = 0; i < sync->slots->len; i++) {
        if (slot_at(sync, i)->used)
            continue;
        if (threads_race_clock_at(past, i) >= slot_at(sync, i)->tick)
            return i;
        free = MIN(free, i);
    }
    if (sync->slots->len < MOST_SLOTS) {
        g_array_set_size(sync->slots, sync->slots->len + 1);
        return sync->slots->len - 1;
    }
    return free;
}

static void strand_free(void *data)
{
    ThreadsStrand *strand = data;
    threads_race_clock_clear(&strand->clock);
    threads_race_clock_clear(&strand->fenced);
    threads_race_clock_clear(&strand->heard);
    threads_race_clock_clear(&strand->gathered);
    threads_race_clock_clear(&strand->aside);
    g_free(strand);
}

/* What the strand does from now on is not in any clock that has been taken of it. */
static void tick(ThreadsRaceSync *sync, ThreadsStrand *strand)
{
    if (strand->slot != THREADS_NO_SLOT)
        threads_race_clock_raise(&strand->clock, strand->slot, ++slot_at(sync, strand->slot)->tick);
}

static void push(ThreadsRaceSync *sync, ThreadsCarrier *carrier, const ThreadsRaceClock *past)
{
    ThreadsStrand *strand = g_new0(ThreadsStrand, 1);
    strand->slot = past ? take_slot(sync, past) : take_slot(sync, &strand->clock);
    if (past)
        threads_race_clock_join(&strand->clock, past);
    if (strand->slot != THREADS_NO_SLOT) {
        slot_at(sync, strand->slot)->used = true;
        tick(sync, strand);
        ThreadsSlotOwner owner = {strand->slot, slot_at(sync, strand->slot)->tick, carrier->id,
                                  carrier->strands->len > 0};
        g_array_append_val(sync->owners, owner);
    }
    g_ptr_array_add(carrier->strands, strand);
}

static void pop(ThreadsRaceSync *sync, ThreadsCarrier *carrier)
{
    const ThreadsStrand *strand = threads_race_sync_strand(carrier);
    if (strand->slot != THREADS_NO_SLOT)
        slot_at(sync, strand->slot)->used = false;
    g_ptr_array_set_size(carrier->strands, (gint)carrier->strands->len - 1);
}

static void carrier_free(void *data)
{
    ThreadsCarrier *carrier = data;
    if (!carrier)
        return;
    g_ptr_array_unref(carrier->strands);
    threads_race_clock_clear(&carrier->pending);
    g_free(carrier);
}

ThreadsCarrier *threads_race_sync_begin(ThreadsRaceSync *sync, uint32_t thread, uint64_t id, const ThreadsCarrier *by)
{
    ThreadsStrand *maker = by ? threads_race_sync_strand(by) : NULL;
    ThreadsCarrier *carrier = g_new0(ThreadsCarrier, 1);
    carrier->id = id;
    carrier->strands = g_ptr_array_new_with_free_func(strand_free);
    push(sync, carrier, maker ? &maker->clock : NULL);
    if (maker)
        tick(sync, maker);
    if (thread >= sync->carriers->len)
        g_ptr_array_set_size(sync->carriers, (gint)thread + 1);
    carrier_free(sync->carriers->pdata[thread]);
    return sync->carriers->pdata[thread] = carrier;
}

void threads_race_sync_end(ThreadsRaceSync *sync, uint32_t thread)
{
    ThreadsCarrier *carrier = threads_race_sync_carrier(sync, thread);
    if (!carrier)
        return;
    while (carrier->strands->len)
        pop(sync, carrier);
    carrier_free(carrier);
    sync->carriers->pdata[thread] = NULL;
}

ThreadsCarrier *threads_race_sync_carrier(const ThreadsRaceSync *sync, uint32_t thread)
{
    return thread < sync->carriers->len ? sync->carriers->pdata[thread] : NULL;
}

const ThreadsSlotOwner *threads_race_sync_owner(const ThreadsRaceSync *sync, uint32_t slot, uint32_t at)
{
    for (guint i = sync->owners->len; i-- > 0;) {
        const ThreadsSlotOwner *owner = &g_array_index(sync->owners, ThreadsSlotOwner, i);
        if (owner->slot == slot && owner->tick <= at)
            return owner;
    }
    return NULL;
}

/* -- objects ----------------------------------------------------------------------------------- */

static void clock_free(void *data)
{
    threads_race_clock_clear(data);
    g_free(data);
}

ThreadsRaceSync *threads_race_sync_new(void)
{
    ThreadsRaceSync *sync = g_new0(ThreadsRaceSync, 1);
    sync->carriers = g_ptr_array_new_with_free_func(carrier_free);
    sync->slots = g_array_new(FALSE, TRUE, sizeof(Slot));
    sync->owners = g_array_new(FALSE, FALSE, sizeof(ThreadsSlotOwner));
    sync->objects = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, clock_free);
    return sync;
}

void threads_race_sync_free(ThreadsRaceSync *sync)
{
    g_ptr_array_unref(sync->carriers);
    g_array_unref(sync->slots);
    g_array_unref(sync->owners);
    g_hash_table_unref(sync->objects);
    g_free(sync);
}

static uint64_t key_of(unsigned sort, uint64_t address)
{
    return address ^ (uint64_t)sort << 56;
}

/* What was released to an object. NULL: nothing. */
static ThreadsRaceClock *find(const ThreadsRaceSync *sync, unsigned sort, uint64_t address)
{
    uint64_t key = key_of(sort, address);
    return g_hash_table_lookup(sync->objects, &key);
}

static ThreadsRaceClock *object(ThreadsRaceSync *sync, unsigned sort, uint64_t address)
{
    ThreadsRaceClock *clock = find(sync, sort, address);
    if (clock)
        return clock;
    uint64_t key = key_of(sort, address);
    clock = g_new0(ThreadsRaceClock, 1);
    g_hash_table_insert(sync->objects, g_memdup2(&key, sizeof key), clock);
    return clock;
}

static void acquire(const ThreadsRaceSync *sync, ThreadsRaceClock *clock, unsigned sort, uint64_t address)
{
    const ThreadsRaceClock *released = find(sync, sort, address);
    if (released)
        threads_race_clock_join(clock, released);
}

static gboolean lies_in(gpointer key, gpointer value, gpointer range)
{
    uint64_t address = *(const uint64_t *)key & ((UINT64_C(1) << 56) - 1);
    const uint64_t *bounds = range;
    (void)value;
    return address >= bounds[0] && address < bounds[1];
}

void threads_race_sync_forget(ThreadsRaceSync *sync, uint64_t address, uint64_t size)
{
    uint64_t bounds[2] = {address, address + size};
    if (size / 4 * SORTS > g_hash_table_size(sync->objects)) {
        g_hash_table_foreach_remove(sync->objects, lies_in, bounds);
        return;
    }
    for (uint64_t at = address; at < bounds[1]; at++)
        for (unsigned sort = at % 4 ? SORT_ATOMIC : 0; sort < (at % 4 ? SORT_ATOMIC + 1 : SORTS); sort++) {
            uint64_t key = key_of(sort, at);
            g_hash_table_remove(sync->objects, &key);
        }
}

void threads_race_sync_acquire(ThreadsRaceSync *sync, ThreadsCarrier *carrier, ThreadsSort sort, uint64_t address,
                               bool shared)
{
    ThreadsStrand *strand = threads_race_sync_strand(carrier);
    acquire(sync, &strand->clock, sort, address);
    if (!shared && sort == THREADS_READ_WRITE_LOCK)
        acquire(sync, &strand->clock, SORT_READERS, address);
}

void threads_race_sync_release(ThreadsRaceSync *sync, ThreadsCarrier *carrier, ThreadsSort sort, uint64_t address,
                               bool shared)
{
    ThreadsStrand *strand = threads_race_sync_strand(carrier);
    threads_race_clock_join(object(sync, shared ? SORT_READERS : (unsigned)sort, address), &strand->clock);
    tick(sync, strand);
}

void threads_race_sync_give(ThreadsRaceSync *sync, const ThreadsCarrier *carrier, ThreadsRaceClock *to)
{
    ThreadsStrand *strand = threads_race_sync_strand(carrier);
    threads_race_clock_join(to, &strand->clock);
    tick(sync, strand);
}

void threads_race_sync_take(const ThreadsCarrier *carrier, const ThreadsRaceClock *from)
{
    threads_race_clock_join(&threads_race_sync_strand(carrier)->clock, from);
}

/* -- atomic operations (C11 5.1.2.4, 7.17.4) --------------------------------------------------- */

static void load(ThreadsRaceSync *sync, ThreadsStrand *strand, unsigned mark, uint64_t address)
{
    acquire(sync, mark & VCODE_MARK_ACQUIRE ? &strand->clock : &strand->heard, SORT_ATOMIC, address);
}

/* A store that is no part of an update ends the release sequence. */
static void store(ThreadsRaceSync *sync, ThreadsStrand *strand, unsigned mark, uint64_t address)
{
    const ThreadsRaceClock *given = mark & VCODE_MARK_RELEASE ? &strand->clock : &strand->fenced;
    ThreadsRaceClock *clock = given->n ? object(sync, SORT_ATOMIC, address) : find(sync, SORT_ATOMIC, address);
    if (clock && mark & VCODE_MARK_UPDATE)
        threads_race_clock_join(clock, given);
    else if (clock)
        threads_race_clock_copy(clock, given);
    if (mark & VCODE_MARK_RELEASE)
        tick(sync, strand);
}

void threads_race_sync_atomic(ThreadsRaceSync *sync, ThreadsCarrier *carrier, unsigned mark, uint64_t address,
                              bool write)
{
    (write ? store : load)(sync, threads_race_sync_strand(carrier), mark, address);
}

void threads_race_sync_fence(ThreadsRaceSync *sync, ThreadsCarrier *carrier, unsigned mark)
{
    ThreadsStrand *strand = threads_race_sync_strand(carrier);
    if (mark & VCODE_MARK_ACQUIRE)
        threads_race_clock_join(&strand->clock, &strand->heard);
    if (!(mark & VCODE_MARK_RELEASE))
        return;
    threads_race_clock_copy(&strand->fenced, &strand->clock);
    tick(sync, strand);
}

/* -- notes of the runtime library -------------------------------------------------------------- */

/* A task that was put off begins; one that its creator runs at once is a part of its creator's strand. */
static ThreadsTaskNote begin_task(ThreadsRaceSync *sync, ThreadsCarrier *carrier, uint64_t word, uint64_t sp)
{
    uint64_t key = key_of(SORT_TASK, word);
    if (!g_hash_table_remove(sync->objects, &key))
        return THREADS_TASK_NONE;
    push(sync, carrier, object(sync, SORT_NOTE, word));
    threads_race_sync_strand(carrier)->sp = sp;
    return THREADS_TASK_BEGINS;
}

static ThreadsTaskNote end_task(ThreadsRaceSync *sync, ThreadsCarrier *carrier, uint64_t *stack)
{
    const ThreadsStrand *strand = threads_race_sync_strand(carrier);
    if (carrier->strands->len == 1)
        return THREADS_TASK_NONE;
    threads_race_clock_join(&carrier->pending, &strand->clock);
    *stack = strand->sp;
    pop(sync, carrier);
    for (guint i = 0; i < carrier->strands->len; i++) {
        ThreadsStrand *outer = g_ptr_array_index(carrier->strands, i);
        if (outer->owns)
            threads_race_clock_join(&outer->clock, &carrier->pending);
    }
    return THREADS_TASK_ENDS;
}

/* A task that asks which thread runs it may use what belongs to the thread. Other tasks do so before and after it, but
 * not meanwhile. */
static void own_thread(const ThreadsCarrier *carrier)
{
    ThreadsStrand *strand = threads_race_sync_strand(carrier);
    strand->owns = true;
    threads_race_clock_join(&strand->clock, &carrier->pending);
    for (guint i = 0; i + 1 < carrier->strands->len; i++)
        threads_race_clock_join(&strand->clock, &((ThreadsStrand *)g_ptr_array_index(carrier->strands, i))->clock);
}

/* What a task begins with: what its creator knows, and what was gathered for it. */
static void make_task(ThreadsRaceSync *sync, ThreadsStrand *strand, uint64_t word)
{
    threads_race_clock_copy(object(sync, SORT_NOTE, word), &strand->gathered);
    threads_race_clock_clear(&strand->gathered);
    object(sync, SORT_TASK, word);
}

ThreadsTaskNote threads_race_sync_note(ThreadsRaceSync *sync, ThreadsCarrier *carrier, unsigned mark, uint64_t address,
                                       uint64_t *sp)
{
    ThreadsStrand *strand = threads_race_sync_strand(carrier);
    uint64_t word = address & ~UINT64_C(7);
    bool acquires = mark & VCODE_MARK_ACQUIRE, releases = mark & VCODE_MARK_RELEASE;
    if (mark & VCODE_MARK_TASK && mark & VCODE_MARK_SETTLE) {
        own_thread(carrier);
        return THREADS_TASK_NONE;
    }
    if (mark & VCODE_MARK_TASK && !releases)
        return acquires ? begin_task(sync, carrier, word, *sp) : end_task(sync, carrier, sp);
    if (mark & VCODE_MARK_SETTLE)
        threads_race_clock_join(&strand->clock, &carrier->pending);
    if (mark & VCODE_MARK_ASIDE && releases) {
        threads_race_clock_join(object(sync, SORT_NOTE, word), &strand->aside);
        threads_race_clock_clear(&strand->aside);
        return THREADS_TASK_NONE;
    }
    if (mark & VCODE_MARK_GATHER)
        acquire(sync, mark & VCODE_MARK_ASIDE ? &strand->aside : &strand->gathered, SORT_NOTE, word);
    if (mark & VCODE_MARK_GATHER && acquires) {
        threads_race_clock_join(&strand->clock, &strand->gathered);
        threads_race_clock_clear(&strand->gathered);
    } else if (acquires) {
        acquire(sync, &strand->clock, SORT_NOTE, word);
    }
    if (mark & VCODE_MARK_TASK)
        make_task(sync, strand, word);
    if (releases) {
        threads_race_clock_join(object(sync, SORT_NOTE, word), &strand->clock);
        tick(sync, strand);
    }
    return THREADS_TASK_NONE;
}
