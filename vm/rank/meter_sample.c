/* meter_sample.c - meters that look at a rank only now and then (vm/meter.h).
 *
 *   exactly            | unmetered         | burst | unmetered                | burst | ...
 *   first cycles         until a drawn count         what has passed here waits, and is divided as the next burst was
 *
 * Bursts begin and end at the first jump behind a count of the rank's cycles. Where that is depends on the program
 * alone, and so does what a burst meters: all of a profile is the same whatever the quantum and the tier. Between two
 * bursts the rank runs at full speed. Only where it leaves the VM, where layers above move its clock, and in long calls
 * of the library its path of calls is looked up: their time is never sampled.
 *
 * A burst has a log of what it has metered. What has passed unmetered is divided in proportion, rounded so that the
 * parts add up, and so are the numbers of executions and calls. What passes in a phase that has seen no burst belongs
 * to where the rank was last seen.
 */
#include "vm/rank/meter_inside.h"

enum { EXACT_QUANTUM = 8192 }; /* most cycles of a run in the exact beginning: it may end early, as by a quantum */

typedef struct Taken { /* a piece of a burst: time of a cell, or a call */
    VmMeterCell *cell;
    VmMeterNode *from; /* NULL: not a call */
    guint edge;
    bool ended;
    uint64_t ps;
} Taken;

typedef struct Burst {
    uint64_t end_ps, sum_ps;
    uint32_t phase;
    GArray *taken; /* Taken */
} Burst;

struct VmMeterSample {
    VmMeterSampling how;
    bool runs;            /* the rank runs unmetered */
    bool begun;           /* the exact beginning is over ... */
    uint64_t exact_ps;    /* ... since then */
    uint64_t next_q8;     /* when that changes, cycles */
    uint64_t draws;       /* state of the generator of distances */
    uint64_t pending_ps;  /* has passed unmetered */
    uint64_t long_ps;     /* of the running call: stands for itself */
    Burst *open;          /* NULL: none */
    GPtrArray *bursts;    /* Burst: those that are over, as far as they may be needed */
    VmMeterNode *seen_at; /* where the rank was last seen; NULL: nowhere */
    uint32_t seen_pc;
    VmMeterCell *settled; /* of the last note that was settled; NULL: none */
};

static void burst_free(gpointer data)
{
    Burst *burst = data;
    if (burst)
        g_array_unref(burst->taken);
    g_free(burst);
}

VmMeterSample *vm_meter_sample_new(const VmMeterSampling *sampling)
{
    VmMeterSample *sample = g_new0(VmMeterSample, 1);
    sample->how = *sampling;
    sample->bursts = g_ptr_array_new_with_free_func(burst_free);
    sample->next_q8 = sampling->exact << 8;
    return sample;
}

void vm_meter_sample_free(VmMeterSample *sample)
{
    if (!sample)
        return;
    burst_free(sample->open);
    g_ptr_array_unref(sample->bursts);
    g_free(sample);
}

bool vm_meter_sample_runs(const VmMeterSample *sample)
{
    return sample && sample->runs;
}

/* -- logs -------------------------------------------------------------------------------------- */

void vm_meter_sample_took(VmMeterSample *sample, VmMeterCell *cell, uint64_t ps, bool ends)
{
    Taken taken = {.cell = cell, .ps = ps, .ended = ends};
    if (!sample->open)
        return;
    g_array_append_val(sample->open->taken, taken);
    sample->open->sum_ps += ps;
}

void vm_meter_sample_called(VmMeterSample *sample, VmMeterNode *from, guint edge)
{
    Taken taken = {.from = from, .edge = edge};
    if (sample->open)
        g_array_append_val(sample->open->taken, taken);
}

uint64_t vm_meter_sample_long(VmMeterSample *sample)
{
    uint64_t ps = sample->long_ps;
    sample->long_ps = 0;
    return ps;
}

/* -- what has passed unmetered ------------------------------------------------------------------ */

/* Returns the part of `ps` that belongs to the first `count` of `all`. */
static uint64_t part(uint64_t ps, uint64_t count, uint64_t all)
{
    return (uint64_t)((unsigned __int128)ps * count / all);
}

/* Divides time as a burst was. */
static void divide(VmRankMeter *own, const Burst *burst, uint64_t ps)
{
    uint64_t taken_ps = 0, ended = 0, called = 0;
    own->estimates = true;
    for (guint i = 0; i < burst->taken->len; i++) {
        const Taken *taken = &g_array_index(burst->taken, Taken, i);
        if (taken->from) {
            vm_meter_give_calls(own, taken->from, taken->edge,
                                part(ps, called + 1, burst->sum_ps) - part(ps, called, burst->sum_ps));
            called++;
            continue;
        }
        uint64_t more_ps = part(ps, taken_ps + taken->ps, burst->sum_ps) - part(ps, taken_ps, burst->sum_ps),
                 times = part(ps, ended + taken->ended, burst->sum_ps) - part(ps, ended, burst->sum_ps);
        vm_meter_give(own, taken->cell, more_ps, times);
        taken_ps += taken->ps;
        ended += taken->ended;
    }
    own->estimates = false;
}

/* Returns the last burst of a phase; NULL: there was none. */
static const Burst *last_burst(const VmMeterSample *sample, uint32_t phase)
{
    const GPtrArray *bursts = sample->bursts;
    for (guint i = bursts->len; i-- > 0;) {
        const Burst *burst = g_ptr_array_index(bursts, i);
        if (burst->phase == phase && burst->sum_ps)
            return burst;
    }
    return NULL;
}

static void give_where_seen(VmRankMeter *own, uint64_t ps)
{
    own->estimates = true;
    vm_meter_give(own, vm_meter_cell_of(own->sample->seen_at, own->sample->seen_pc), ps, 0);
    own->estimates = false;
}

/* Divides all that waits. */
static void spread(VmRankMeter *own)
{
    VmMeterSample *sample = own->sample;
    const Burst *burst = sample->pending_ps ? last_burst(sample, own->phase) : NULL;
    if (burst)
        divide(own, burst, sample->pending_ps);
    else if (sample->pending_ps && sample->seen_at)
        give_where_seen(own, sample->pending_ps);
    else
        return;
    sample->pending_ps = 0;
}

/* Everything up to a time has passed unmetered. */
static void pass(VmRank *rank, VmMeterThread *thread, uint64_t until_ps)
{
    rank->meter->sample->pending_ps += until_ps - thread->last_ps;
    thread->last_ps = until_ps;
}

/* Whether layers above have moved the rank's clock. */
static bool has_moved(const VmRank *rank, const VmMeterThread *thread)
{
    return rank->clock.base_ps != thread->clock.base_ps || rank->clock.base_cycles != thread->clock.base_cycles;
}

/* Time up to now has passed unmetered, but for what layers above have moved the clock by: that belongs to where the
 * rank is. */
static void catch_up(VmRank *rank, VmMeterThread *thread)
{
    const VmClock *clock = &rank->clock;
    bool moved = has_moved(rank, thread);
    pass(rank, thread, moved ? vm_clock_at(&thread->clock, clock->base_cycles) : vm_clock_now(clock));
    if (rank->depth && rank->state != VM_STATE_EXITED) {
        vm_meter_find_path(rank, thread);
        thread->face.pc = rank->pc;
        rank->meter->sample->seen_at = thread->node;
        rank->meter->sample->seen_pc = rank->pc;
    }
    if (moved) {
        VmMeterCell *cell = vm_meter_cell_of(thread->node, thread->face.pc);
        uint64_t now_ps = vm_clock_now(clock), elapsed_ps = now_ps - thread->last_ps,
                 computed_ps = MIN(now_ps - clock->base_ps, elapsed_ps);
        vm_meter_pass(rank, cell, elapsed_ps, computed_ps, 0);
        thread->last_ps = now_ps;
    }
    thread->clock = *clock;
}

void vm_meter_sample_flush(VmRank *rank)
{
    catch_up(rank, vm_meter_thread_of(rank));
}

void vm_meter_sample_end_phase(VmRank *rank)
{
    spread(rank->meter);
}

/* A call that takes long would mostly hide the beginning of a burst, and never be in one: so it is metered always. What
 * it takes is worked out of its cycles alone, for native code hands them on when other cycles have been given back. */
static uint64_t long_ps_of(const VmRank *rank, uint64_t charged_q8)
{
    return (uint64_t)((unsigned __int128)charged_q8 * rank->clock.period_q32 >> 40);
}

void vm_meter_called_long(VmRank *rank, uint32_t pc, uint64_t charged_q8)
{
    VmMeterSample *sample = rank->meter->sample;
    VmMeterThread *thread = vm_meter_thread_of(rank);
    uint64_t ps = long_ps_of(rank, charged_q8);
    if (!sample || rank->meter->closed || !thread->begun)
        return;
    g_rec_mutex_lock(&rank->meter->meter->lock);
    vm_meter_find_path(rank, thread);
    sample->seen_at = thread->node;
    thread->face.pc = sample->seen_pc = pc;
    vm_meter_give(rank->meter, vm_meter_cell_of(thread->node, pc), ps, 0);
    thread->last_ps += ps;
    g_rec_mutex_unlock(&rank->meter->meter->lock);
}

void vm_meter_called(VmRank *rank, uint64_t charged_q8)
{
    VmMeterSample *sample = rank->meter->closed || rank->threads ? NULL : rank->meter->sample;
    VmMeterThread *thread = sample ? vm_meter_thread_of(rank) : NULL;
    if (!thread || !thread->begun)
        return;
    const VmBinding *binding = &rank->image->bindings[vcode_imm32(rank->image->module->code.items[rank->pc])];
    bool is_long = vm_meter_is_long(binding, charged_q8);
    if (!sample->runs)
        sample->long_ps = is_long ? long_ps_of(rank, charged_q8) : 0;
    else if (has_moved(rank, thread))
        vm_meter_flush(rank);
    else if (is_long)
        vm_meter_called_long(rank, rank->pc, charged_q8);
}

/* -- bursts ------------------------------------------------------------------------------------ */

/* A number that looks drawn (Steele, Lea, Flood: SplitMix, OOPSLA 2014). */
static uint64_t draw(VmRankMeter *own)
{
    uint64_t z = (own->sample->draws += UINT64_C(0x9e3779b97f4a7c15)) + own->index;
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static void begin_burst(VmRank *rank, VmMeterThread *thread)
{
    VmMeterSample *sample = rank->meter->sample;
    sample->open = g_new0(Burst, 1);
    sample->open->phase = rank->meter->phase;
    sample->open->taken = g_array_new(FALSE, FALSE, sizeof(Taken));
    sample->next_q8 = rank->clock.cycles + (sample->how.burst << 8);
    sample->runs = false;
    thread->face.cycles = rank->clock.cycles;
    thread->face.within = true; /* the instruction before this one is accounted for */
    rank->meter->face = &thread->face;
}

static void end_burst(VmRank *rank, VmMeterThread *thread)
{
    VmRankMeter *own = rank->meter;
    VmMeterSample *sample = own->sample;
    uint64_t gap = CLAMP(rank->clock.cycles / 256 >> 8, sample->how.least, sample->how.most);
    vm_meter_finish(rank, thread);
    thread->face.pc = rank->pc; /* now of the function that it has come to */
    sample->open->end_ps = vm_clock_now(&rank->clock);
    g_ptr_array_add(sample->bursts, g_steal_pointer(&sample->open));
    spread(own);
    sample->runs = true;
    sample->next_q8 = rank->clock.cycles + (gap << 7) + (uint64_t)((unsigned __int128)draw(own) * (gap << 8) >> 64);
}

/* The rank has come to where it is looked at, or no more. */
static void change(VmRank *rank)
{
    VmMeterSample *sample = rank->meter->sample;
    VmMeterThread *thread = vm_meter_thread_of(rank);
    if (!thread->begun)
        return;
    if (sample->runs) {
        catch_up(rank, thread);
        begin_burst(rank, thread);
    } else if (sample->open) {
        end_burst(rank, thread);
    } else {
        vm_meter_finish(rank, thread);
        begin_burst(rank, thread);
        sample->begun = true;
        sample->exact_ps = vm_clock_now(&rank->clock);
    }
}

/* Several threads are metered all the time. */
static void give_up(VmRank *rank)
{
    VmRankMeter *own = rank->meter;
    spread(own);
    g_clear_pointer(&own->sample->open, burst_free);
    own->sample->runs = false;
    own->face = NULL;
}

/* -- running ----------------------------------------------------------------------------------- */

bool vm_meter_can_sample(const VmRank *rank, const VmHierarchy *hierarchy)
{
    return !hierarchy && !rank->image->decoded && !rank->image->keeps_fenv &&
           rank->image->costs.predictor == VM_PREDICTOR_NONE;
}

/* Runs for as many cycles as are left before both the end of the quantum and the next change. A run ends at the first
 * jump behind that, so less than a cycle is no reason to go on to another one. */
static VmStop run_piece(VmRank *rank, uint64_t end_q8, VmStop (*fast)(VmRank *, uint64_t),
                        VmStop (*careful)(VmRank *, uint64_t))
{
    VmMeterSample *sample = rank->meter->sample;
    uint64_t now_q8 = rank->clock.cycles, until_q8 = MIN(end_q8, sample->next_q8),
             cycles = until_q8 > now_q8 ? (until_q8 - now_q8) >> 8 : 0;
    bool runs = sample->runs;
    rank->stepped = !runs;
    VmStop stop = (runs ? fast : careful)(rank, cycles);
    if (stop == VM_STOP_QUANTUM && rank->clock.cycles < sample->next_q8)
        return stop;
    g_rec_mutex_lock(&rank->meter->meter->lock);
    if (runs && stop != VM_STOP_QUANTUM && !rank->threads)
        catch_up(rank, vm_meter_thread_of(rank));
    if (stop == VM_STOP_EXITED || stop == VM_STOP_FAULT)
        spread(rank->meter);
    if (stop == VM_STOP_QUANTUM && rank->clock.cycles >= sample->next_q8 && !rank->threads)
        change(rank);
    g_rec_mutex_unlock(&rank->meter->meter->lock);
    return stop;
}

VmStop vm_meter_run(VmRank *rank, uint64_t quantum, VmStop (*fast)(VmRank *, uint64_t),
                    VmStop (*careful)(VmRank *, uint64_t))
{
    VmRankMeter *own = rank->meter;
    VmMeterSample *sample = own->sample;
    if (sample && !sample->begun) /* what is noted waits until others have come so far */
        quantum = MIN(quantum, EXACT_QUANTUM);
    uint64_t end_q8 = rank->clock.cycles + (MIN(quantum, UINT64_MAX >> 12) << 8);
    VmStop stop = VM_STOP_QUANTUM;
    if (own->closed) {
        rank->stepped = false;
        return fast(rank, quantum);
    }
    g_rec_mutex_lock(&own->meter->lock);
    if (sample && rank->threads && (sample->runs || sample->open))
        give_up(rank);
    else if (vm_meter_sample_runs(sample) && has_moved(rank, vm_meter_thread_of(rank))) /* its call is over */
        vm_meter_add(rank, vm_meter_thread_of(rank), false);
    g_rec_mutex_unlock(&own->meter->lock);
    if (!sample || rank->threads) {
        rank->stepped = true;
        return careful(rank, quantum);
    }
    do
        stop = run_piece(rank, end_q8, fast, careful);
    while (stop == VM_STOP_QUANTUM && rank->clock.cycles < end_q8 && !rank->threads);
    return stop;
}

/* -- what is past, and what never happened ------------------------------------------------------- */

/* Of the bursts of a phase only the last one is needed, and those that may never have happened. */
void vm_meter_sample_settle(VmRankMeter *own, uint64_t time_ps, VmMeterCell *last)
{
    GPtrArray *bursts = own->sample->bursts;
    own->sample->settled = last ? last : own->sample->settled;
    for (guint i = bursts->len; i-- > 0;) {
        const Burst *burst = g_ptr_array_index(bursts, i);
        for (guint k = i; burst->end_ps <= time_ps && k-- > 0;)
            if (((Burst *)g_ptr_array_index(bursts, k))->phase == burst->phase) {
                g_ptr_array_remove_index(bursts, k);
                i--;
            }
    }
}

/* Without sampling, the first of the notes behind that time tells it. */
VmMeterCell *vm_meter_sample_cut(VmRankMeter *own, uint64_t time_ps, VmMeterCell *last)
{
    VmMeterSample *sample = own->sample;
    if (!sample->begun || time_ps < sample->exact_ps)
        return NULL;
    sample->pending_ps = 0;
    for (guint i = sample->bursts->len; i-- > 0;)
        if (((Burst *)g_ptr_array_index(sample->bursts, i))->end_ps > time_ps)
            g_ptr_array_remove_index(sample->bursts, i);
    return last ? last : sample->settled;
}

void vm_meter_sample_correct(VmRankMeter *own, VmMeterCell *cell, uint64_t more_ps)
{
    const Burst *burst = last_burst(own->sample, cell->node->phase);
    if (burst) {
        divide(own, burst, more_ps);
    } else {
        vm_meter_give(own, cell, more_ps, 0);
    }
}
