/* meter.c - what ranks execute, by path of calls and by instruction (vm/meter.h).
 *
 * The careful loop calls vm_meter_step() before each instruction. Mostly the clock has not moved since the instruction
 * before, and that has not ended a block: then nothing happens. Otherwise what has passed belongs to that instruction.
 * Calls and returns end blocks, so that only then the path can be another.
 *
 * Ranks run ahead of the others. What they have done when the run ends early never happened (tally.c): so each addition
 * is noted with its time until that time is past for all, and taken back if the rank is cut.
 */
#include "vm/rank/meter_inside.h"

#include <fenv.h>

/* -- nodes ------------------------------------------------------------------------------------- */

static VmMeterNode *node_new(VmMeter *meter, VmMeterNode *parent, const VmRank *rank, uint32_t function,
                             uint32_t call_pc, uint32_t phase)
{
    VmMeterNode *node = g_new0(VmMeterNode, 1);
    const VcodeFunction *code = &rank->image->module->functions.items[function];
    node->parent = parent;
    node->image = rank->image;
    node->function = function;
    node->call_pc = call_pc;
    node->phase = phase;
    node->start = code->code_start;
    node->end = code->code_start + code->code_count;
    node->cells = g_new0(VmMeterCell *, MAX(code->code_count, 1));
    node->edges = g_array_new(FALSE, FALSE, sizeof(VmMeterEdge));
    node->nodes = g_array_new(FALSE, FALSE, sizeof(VmMeterNode *));
    node->clock_rank = UINT32_MAX;
    node->rank_ps = g_hash_table_lookup(meter->by_rank, code);
    if (!node->rank_ps) {
        node->rank_ps = g_new0(uint64_t, meter->ranks);
        g_hash_table_insert(meter->by_rank, (gpointer)(uintptr_t)code, node->rank_ps);
    }
    g_ptr_array_add(meter->all, node);
    return node;
}

static VmMeterNode *root_of(VmMeter *meter, const VmRank *rank, uint32_t function, uint32_t phase)
{
    for (guint i = 0; i < meter->roots->len; i++) {
        VmMeterNode *root = g_ptr_array_index(meter->roots, i);
        if (root->image->module == rank->image->module && root->function == function && root->phase == phase)
            return root;
    }
    VmMeterNode *root = node_new(meter, NULL, rank, function, VCODE_NONE, phase);
    g_ptr_array_add(meter->roots, root);
    return root;
}

/* Returns the function's node on the path to `node`, itself included; NULL: it is not on it. */
static VmMeterNode *on_path(VmMeterNode *node, uint32_t function)
{
    while (node && node->function != function)
        node = node->parent;
    return node;
}

static VmMeterEdge *edge_of(VmMeter *meter, VmMeterNode *from, const VmRank *rank, uint32_t function, uint32_t pc)
{
    for (guint i = 0; i < from->edges->len; i++) {
        VmMeterEdge *edge = &g_array_index(from->edges, VmMeterEdge, i);
        if (edge->function == function && edge->pc == pc)
            return edge;
    }
    VmMeterNode *to = on_path(from, function);
    if (!to) {
        to = node_new(meter, from, rank, function, pc, from->phase);
        g_array_append_val(from->nodes, to);
    }
    VmMeterEdge edge = {.to = to, .pc = pc, .function = function};
    g_array_append_val(from->edges, edge);
    return &g_array_index(from->edges, VmMeterEdge, from->edges->len - 1);
}

VmMeterCell *vm_meter_cell_of(VmMeterNode *node, uint32_t pc)
{
    VmMeterCell **cell = &node->cells[pc - node->start];
    if (!*cell) {
        *cell = g_new0(VmMeterCell, 1);
        (*cell)->node = node;
        (*cell)->pc = pc;
    }
    return *cell;
}

static void node_free(gpointer data)
{
    VmMeterNode *node = data;
    for (uint32_t i = 0; i < node->end - node->start; i++) {
        if (node->cells[i])
            g_free(node->cells[i]->own);
        g_free(node->cells[i]);
    }
    g_free(node->cells);
    g_array_unref(node->edges);
    g_array_unref(node->nodes);
    g_free(node);
}

/* -- paths ------------------------------------------------------------------------------------- */

/* The pc of the frame at a level, counted from the outermost. */
static uint32_t pc_at(const VmRank *rank, uint32_t level)
{
    return level + 1 == rank->depth ? rank->pc : vm_image_pc(rank->image, rank->frames[level].call);
}

static void count_call(VmRankMeter *own, VmMeterNode *from, VmMeterEdge *edge)
{
    guint index = (guint)(edge - (VmMeterEdge *)(void *)from->edges->data);
    vm_meter_give_calls(own, from, index, 1);
    if (own->sample)
        vm_meter_sample_called(own->sample, from, index);
}

/* The path is right up to `level` nodes: finds the others. `called`: they have just been called. */
static void extend(VmRank *rank, VmMeterThread *thread, uint32_t level, bool called)
{
    VmRankMeter *own = rank->meter;
    g_ptr_array_set_size(thread->path, (gint)level);
    for (; level < rank->depth; level++) {
        uint32_t function = vm_image_function_of(rank->image, pc_at(rank, level));
        VmMeterNode *node;
        if (level) {
            VmMeterNode *from = g_ptr_array_index(thread->path, level - 1);
            VmMeterEdge *edge = edge_of(own->meter, from, rank, function, pc_at(rank, level - 1));
            if (called)
                count_call(own, from, edge);
            node = edge->to;
        } else {
            node = root_of(own->meter, rank, function, own->phase);
        }
        g_ptr_array_add(thread->path, node);
    }
    thread->node = g_ptr_array_index(thread->path, rank->depth - 1);
}

/* The rank is about to run the instruction at rank->pc. Calls are entered and left one at a time, but for jumps out of
 * several. */
static void follow(VmRank *rank, VmMeterThread *thread)
{
    bool within = rank->pc >= thread->node->start && rank->pc < thread->node->end;
    if (rank->depth == thread->depth && within)
        return;
    uint32_t level = MIN(rank->depth, thread->depth);
    VmMeterNode *node = g_ptr_array_index(thread->path, level - 1);
    bool same = level < rank->depth || (rank->pc >= node->start && rank->pc < node->end);
    extend(rank, thread, same ? level : level - 1, true);
    thread->depth = rank->depth;
}

static bool is_in(const VmMeterNode *node, uint32_t pc)
{
    return pc >= node->start && pc < node->end;
}

void vm_meter_find_path(VmRank *rank, VmMeterThread *thread)
{
    uint32_t level = 0;
    for (; level < MIN(thread->path->len, rank->depth); level++) {
        VmMeterNode *node = g_ptr_array_index(thread->path, level);
        uint32_t pc = pc_at(rank, level);
        if (!is_in(node, pc))
            break;
        if (!level)
            continue;
        VmMeterNode *from = g_ptr_array_index(thread->path, level - 1);
        uint32_t call_pc = pc_at(rank, level - 1);
        if ((node->parent != from || node->call_pc != call_pc) &&
            edge_of(rank->meter->meter, from, rank, node->function, call_pc)->to != node)
            break;
    }
    extend(rank, thread, level, false);
    thread->depth = rank->depth;
}

VmMeterThread *vm_meter_thread_of(VmRank *rank)
{
    VmRankMeter *own = rank->meter;
    uint32_t number = vm_thread_selected(rank);
    if (number >= own->threads->len)
        g_ptr_array_set_size(own->threads, (gint)number + 1);
    VmMeterThread **thread = (VmMeterThread **)&g_ptr_array_index(own->threads, number);
    if (!*thread) {
        *thread = g_new0(VmMeterThread, 1);
        (*thread)->path = g_ptr_array_new();
    }
    return *thread;
}

static void thread_free(gpointer data)
{
    VmMeterThread *thread = data;
    if (thread)
        g_ptr_array_unref(thread->path);
    g_free(thread);
}

/* -- time -------------------------------------------------------------------------------------- */

bool vm_meter_ends_block(const VmImage *image, uint32_t pc)
{
    return vm_meter_ends(image, pc);
}

uint64_t vm_meter_block_cost(const VmImage *image, uint32_t pc, uint32_t *first)
{
    uint32_t function = vm_image_function_of(image, pc), from = image->module->functions.items[function].code_start;
    *first = pc;
    while (*first > from && !vm_meter_ends_block(image, *first - 1))
        --*first;
    return image->decoded || !vm_meter_ends_block(image, pc) ? 0 : vm_image_block_cost(image, pc);
}

uint64_t vm_meter_instruction_cost(const VmImage *image, uint32_t pc)
{
    VcodeInstr i = image->module->code.items[pc];
    return image->costs.class_q8[vcode_op_info[vcode_op(i)].cost];
}

typedef struct Back { /* looks for jumps back */
    uint32_t at, least;
} Back;

static void note_target(void *user, uint32_t target)
{
    Back *back = user;
    if (target <= back->at)
        back->least = MIN(back->least, target);
}

/* Adds a loop, and joins it with those that it overlaps. They come in the order of their ends. */
static void add_loop(GArray *loops, VmMeterLoop loop)
{
    while (loops->len && g_array_index(loops, VmMeterLoop, loops->len - 1).last >= loop.first) {
        loop.first = MIN(loop.first, g_array_index(loops, VmMeterLoop, loops->len - 1).first);
        g_array_set_size(loops, loops->len - 1);
    }
    g_array_append_val(loops, loop);
}

GArray *vm_meter_loops(const VmImage *image, uint32_t function)
{
    const VcodeModule *module = image->module;
    const VcodeFunction *code = &module->functions.items[function];
    GArray *loops = g_array_new(FALSE, FALSE, sizeof(VmMeterLoop));
    for (uint32_t at = 0; at < code->code_count; at++) {
        VcodeInstr i = module->code.items[code->code_start + at];
        Back back = {at, UINT32_MAX};
        if (!vcode_op_ends_block(vcode_op(i)) || vcode_op(i) == VCODE_JMPR)
            continue;
        vm_code_goes_to(module, at, i, note_target, &back);
        if (back.least != UINT32_MAX)
            add_loop(loops, (VmMeterLoop){code->code_start + back.least, code->code_start + at});
    }
    return loops;
}

static void add_events(VmRank *rank, VmMeterCell *cell)
{
    VmRankMeter *own = rank->meter;
    const VmPredictorCounts *predictions = rank->predictions;
    if (predictions && predictions->mispredicted != own->mispredicted) {
        cell->mispredicted += predictions->mispredicted - own->mispredicted;
        own->mispredicted = predictions->mispredicted;
    }
    for (uint32_t i = 0; own->hierarchy && i < VM_CACHE_LEVELS; i++) {
        const VmCacheCounts *counts = own->meter->client.caches(own->hierarchy, i);
        if (!counts || counts->misses == own->misses[i])
            continue;
        cell->misses[i] += counts->misses - own->misses[i];
        own->misses[i] = counts->misses;
    }
}

void vm_meter_give(VmRankMeter *own, VmMeterCell *cell, uint64_t compute_ps, uint64_t times)
{
    if (own->index < cell->node->clock_rank) { /* whichever came first */
        cell->node->clock_rank = own->index;
        cell->node->period_q32 = own->rank->clock.period_q32;
    }
    cell->times += times;
    cell->compute_ps += compute_ps;
    cell->node->rank_ps[own->index] += compute_ps;
    own->compute_ps += compute_ps;
    own->estimated_ps += own->estimates ? compute_ps : 0;
    VmMeterNote note = {.time_ps = vm_clock_now(&own->rank->clock),
                        .compute_ps = compute_ps,
                        .times = times,
                        .cell = cell,
                        .estimated = own->estimates};
    g_array_append_val(own->notes, note);
}

void vm_meter_give_calls(VmRankMeter *own, VmMeterNode *from, guint edge, uint64_t calls)
{
    VmMeterNote note = {.time_ps = vm_clock_now(&own->rank->clock), .times = calls, .from = from, .edge = edge};
    if (!calls)
        return;
    g_array_index(from->edges, VmMeterEdge, edge).calls += calls;
    g_array_append_val(own->notes, note);
}

uint64_t vm_meter_pass(VmRank *rank, VmMeterCell *cell, uint64_t elapsed_ps, uint64_t computed_ps, uint64_t times)
{
    VmRankMeter *own = rank->meter;
    const VmMeterClient *client = &own->meter->client;
    void *undo = NULL;
    uint64_t compute_ps = client->passed(client->user, rank, cell, elapsed_ps, computed_ps, &undo);
    vm_meter_give(own, cell, compute_ps, times);
    VmMeterNote *note = &g_array_index(own->notes, VmMeterNote, own->notes->len - 1);
    cell->visits++;
    note->visit = true;
    note->undo = undo;
    note->from_ps = note->time_ps - elapsed_ps;
    return compute_ps;
}

/* `own_ps`: how much of it only cycles of the program explain. */
static void add_to(VmRank *rank, VmMeterThread *thread, VmMeterCell *cell, uint64_t compute_ps, uint64_t own_ps,
                   bool ends)
{
    VmMeterSample *sample = rank->meter->sample;
    vm_meter_give(rank->meter, cell, compute_ps, ends);
    thread->last_ps += compute_ps;
    if (sample)
        vm_meter_sample_took(sample, cell, own_ps, ends);
}

/* The layers above have moved the clock: at the call that is the last instruction, or at the call of theirs that the
 * function which has just returned was called by. */
static VmMeterCell *moved_at(VmRank *rank, const VmMeterThread *thread)
{
    VcodeOp op = vcode_op(rank->image->module->code.items[thread->face.pc]);
    uint32_t level = thread->depth - 2;
    if ((op != VCODE_RET && op != VCODE_RETV) || thread->depth < 2 || rank->depth <= level)
        return vm_meter_cell_of(thread->node, thread->face.pc);
    VmMeterNode *caller = g_ptr_array_index(thread->path, level);
    uint32_t pc = level + 1 == rank->depth ? rank->pc - 1 : pc_at(rank, level);
    return pc >= caller->start && pc < caller->end ? vm_meter_cell_of(caller, pc)
                                                   : vm_meter_cell_of(thread->node, thread->face.pc);
}

void vm_meter_add(VmRank *rank, VmMeterThread *thread, bool ends)
{
    const VmClock *clock = &rank->clock;
    uint64_t now_ps = vm_clock_now(clock), elapsed_ps = now_ps - thread->last_ps;
    uint64_t long_ps = rank->meter->sample ? vm_meter_sample_long(rank->meter->sample) : 0;
    VmMeterCell *cell = vm_meter_cell_of(thread->node, thread->face.pc);
    add_events(rank, cell);
    if (G_LIKELY(clock->base_ps == thread->clock.base_ps && clock->base_cycles == thread->clock.base_cycles)) {
        add_to(rank, thread, cell, elapsed_ps, elapsed_ps - MIN(long_ps, elapsed_ps), ends);
        thread->clock = *clock;
        return;
    }
    VmMeterCell *at = moved_at(rank, thread);
    uint64_t there_ps = vm_clock_at(&thread->clock, clock->base_cycles), first_ps = there_ps - thread->last_ps;
    uint64_t computed_ps = MIN(first_ps + (now_ps - clock->base_ps), elapsed_ps);
    if (at != cell) {
        first_ps = MIN(first_ps, elapsed_ps);
        add_to(rank, thread, cell, first_ps, first_ps, ends);
        elapsed_ps -= first_ps;
        computed_ps -= first_ps;
        first_ps = 0;
        ends = false;
    }
    uint64_t compute_ps = vm_meter_pass(rank, at, elapsed_ps, computed_ps, ends);
    if (rank->meter->sample)
        vm_meter_sample_took(rank->meter->sample, at, MIN(first_ps, compute_ps), ends);
    thread->last_ps = now_ps;
    thread->clock = *clock;
}

void vm_meter_finish(VmRank *rank, VmMeterThread *thread)
{
    vm_meter_add(rank, thread, vm_meter_ends_block(rank->image, thread->face.pc));
    follow(rank, thread);
}

static void begin(VmRank *rank, VmMeterThread *thread)
{
    thread->begun = true;
    thread->last_ps = vm_clock_now(&rank->clock);
    thread->clock = rank->clock;
    thread->depth = rank->depth;
    extend(rank, thread, 0, true);
}

static void step(VmRank *rank)
{
    VmMeterThread *thread = rank->meter->threads->len && !rank->threads ? g_ptr_array_index(rank->meter->threads, 0)
                                                                        : vm_meter_thread_of(rank);
    if (G_UNLIKELY(rank->meter->closed))
        return;
    if (G_UNLIKELY(!thread->begun)) {
        begin(rank, thread);
    } else {
        bool ends = vm_meter_ends_block(rank->image, thread->face.pc);
        if (ends || rank->clock.cycles != thread->face.cycles || rank->clock.base_ps != thread->clock.base_ps) {
            vm_meter_add(rank, thread, ends);
            follow(rank, thread);
        }
    }
    thread->face.pc = rank->pc;
    thread->face.cycles = rank->clock.cycles;
    thread->face.within = !vm_meter_ends(rank->image, rank->pc);
    rank->meter->face = rank->threads ? NULL : &thread->face;
}

/* While a program runs that asks for floating-point flags, the host's are the program's: tables that grow here may
 * raise some. */
void vm_meter_step(VmRank *rank)
{
    fenv_t environment;
    GRecMutex *lock = &rank->meter->meter->lock;
    g_rec_mutex_lock(lock);
    if (G_LIKELY(!rank->image->keeps_fenv)) {
        step(rank);
    } else {
        fegetenv(&environment);
        step(rank);
        fesetenv(&environment);
    }
    g_rec_mutex_unlock(lock);
}

void vm_meter_flush(VmRank *rank)
{
    VmMeterThread *thread = rank->meter && !rank->meter->closed ? vm_meter_thread_of(rank) : NULL;
    if (!thread || !thread->begun)
        return;
    g_rec_mutex_lock(&rank->meter->meter->lock);
    if (vm_meter_sample_runs(rank->meter->sample)) {
        vm_meter_sample_flush(rank);
    } else {
        vm_meter_add(rank, thread, false);
        thread->face.cycles = rank->clock.cycles;
    }
    g_rec_mutex_unlock(&rank->meter->meter->lock);
}

/* -- threads and phases ------------------------------------------------------------------------ */

void vm_meter_thread_begins(VmRank *rank, uint32_t number)
{
    VmMeterThread *thread =
        rank->meter && number < rank->meter->threads->len ? g_ptr_array_index(rank->meter->threads, number) : NULL;
    if (rank->meter)
        rank->meter->face = NULL;
    if (thread)
        thread->begun = false;
}

static VmMeterNode *counterpart(VmRank *rank, VmMeterNode *node, uint32_t phase)
{
    VmMeter *meter = rank->meter->meter;
    if (!node->parent)
        return root_of(meter, rank, node->function, phase);
    return edge_of(meter, counterpart(rank, node->parent, phase), rank, node->function, node->call_pc)->to;
}

static void set_phase(VmRank *rank, uint32_t phase)
{
    VmRankMeter *own = rank->meter;
    vm_meter_flush(rank);
    if (own->sample)
        vm_meter_sample_end_phase(rank);
    own->phase = phase;
    for (guint i = 0; i < own->threads->len; i++) {
        VmMeterThread *thread = g_ptr_array_index(own->threads, i);
        if (!thread || !thread->begun)
            continue;
        for (guint level = 0; level < thread->path->len; level++)
            thread->path->pdata[level] = counterpart(rank, thread->path->pdata[level], phase);
        thread->node = g_ptr_array_index(thread->path, thread->path->len - 1);
    }
}

void vm_meter_set_phase(VmRank *rank, uint32_t phase)
{
    VmRankMeter *own = rank->meter;
    if (own->phase == phase || own->closed)
        return;
    g_rec_mutex_lock(&own->meter->lock);
    set_phase(rank, phase);
    g_rec_mutex_unlock(&own->meter->lock);
}

/* -- what is past, and what never happened ------------------------------------------------------- */

static guint notes_until(const GArray *notes, uint64_t time_ps)
{
    guint n = 0;
    while (n < notes->len && g_array_index(notes, VmMeterNote, n).time_ps <= time_ps)
        n++;
    return n;
}

/* What the client has given notes for undoing them is not needed. Returns the last cell that they speak of; NULL: none.
 */
static VmMeterCell *forget(const VmRankMeter *own, guint from, guint to)
{
    VmMeterCell *last = NULL;
    for (guint i = from; i < to; i++) {
        VmMeterNote *note = &g_array_index(own->notes, VmMeterNote, i);
        g_clear_pointer(&note->undo, g_free);
        last = note->cell ? note->cell : last;
    }
    return last;
}

static void take_back(VmRankMeter *own, const VmMeterNote *note, uint64_t time_ps)
{
    const VmMeterClient *client = &own->meter->client;
    if (note->from) {
        g_array_index(note->from->edges, VmMeterEdge, note->edge).calls -= note->times;
        return;
    }
    if (note->undo)
        client->undone(client->user, own->index, note->cell, note->undo,
                       time_ps > note->from_ps ? time_ps - note->from_ps : 0);
    note->cell->compute_ps -= note->compute_ps;
    note->cell->times -= note->times;
    note->cell->visits -= note->visit;
    note->cell->node->rank_ps[own->index] -= note->compute_ps;
    own->compute_ps -= note->compute_ps;
    own->estimated_ps -= note->estimated ? note->compute_ps : 0;
}

void vm_meter_settle(VmRankMeter *own, uint64_t time_ps)
{
    guint n = own->notes->len ? notes_until(own->notes, time_ps) : 0;
    if (!n)
        return;
    VmMeterCell *last = forget(own, 0, n);
    if (own->sample)
        vm_meter_sample_settle(own, time_ps, last);
    g_array_remove_range(own->notes, 0, n);
}

void vm_meter_cut(VmRankMeter *own, uint64_t time_ps)
{
    guint kept = own->closed ? own->notes->len : notes_until(own->notes, time_ps);
    VmMeterCell *last = own->sample && !own->closed ? vm_meter_sample_cut(own, time_ps, forget(own, 0, kept)) : NULL;
    for (guint i = kept; i < own->notes->len; i++) {
        const VmMeterNote *note = &g_array_index(own->notes, VmMeterNote, i);
        if (!own->cut)
            own->cut = note->cell;
        take_back(own, note, time_ps);
    }
    own->cut = last ? last : own->cut;
    forget(own, 0, own->notes->len);
    g_array_set_size(own->notes, 0);
    own->closed = true;
    own->face = NULL;
}

/* -- meters ------------------------------------------------------------------------------------ */

static void rank_meter_free(gpointer data)
{
    VmRankMeter *own = data;
    own->rank->meter = NULL;
    own->rank->stepped = false;
    vm_meter_sample_free(own->sample);
    forget(own, 0, own->notes->len);
    g_ptr_array_unref(own->threads);
    g_array_unref(own->notes);
    g_free(own);
}

VmMeter *vm_meter_new(uint32_t ranks, const VmMeterClient *client, const VmMeterSampling *sampling)
{
    VmMeter *meter = g_new0(VmMeter, 1);
    g_rec_mutex_init(&meter->lock);
    meter->client = *client;
    if (sampling)
        meter->sampling = *sampling;
    meter->ranks = ranks;
    meter->roots = g_ptr_array_new();
    meter->all = g_ptr_array_new_with_free_func(node_free);
    meter->by_rank = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    meter->attached = g_ptr_array_new_with_free_func(rank_meter_free);
    return meter;
}

void vm_meter_free(VmMeter *meter)
{
    if (!meter)
        return;
    g_ptr_array_unref(meter->roots);
    g_ptr_array_unref(meter->all);
    g_ptr_array_unref(meter->attached);
    g_hash_table_unref(meter->by_rank);
    g_rec_mutex_clear(&meter->lock);
    g_free(meter);
}

void vm_meter_attach(VmMeter *meter, VmRank *rank, const VmHierarchy *hierarchy)
{
    VmRankMeter *own = g_new0(VmRankMeter, 1);
    g_assert(rank->index < meter->ranks);
    own->meter = meter;
    own->rank = rank;
    own->index = rank->index;
    own->hierarchy = hierarchy;
    own->threads = g_ptr_array_new_with_free_func(thread_free);
    own->notes = g_array_new(FALSE, FALSE, sizeof(VmMeterNote));
    g_ptr_array_add(meter->attached, own);
    if (meter->sampling.burst && vm_meter_can_sample(rank, hierarchy))
        own->sample = vm_meter_sample_new(&meter->sampling);
    rank->meter = own;
    rank->stepped = true;
}

const GPtrArray *vm_meter_roots(const VmMeter *meter)
{
    return meter->roots;
}

static VmRankMeter *rank_meter_of(const VmMeter *meter, uint32_t rank)
{
    for (guint i = MIN(rank, meter->attached->len); i < meter->attached->len; i++)
        if (((VmRankMeter *)meter->attached->pdata[i])->index == rank)
            return meter->attached->pdata[i];
    for (guint i = 0; i < meter->attached->len; i++)
        if (((VmRankMeter *)meter->attached->pdata[i])->index == rank)
            return meter->attached->pdata[i];
    return NULL;
}

uint64_t vm_meter_rank_ps(const VmMeter *meter, uint32_t rank)
{
    const VmRankMeter *own = rank_meter_of(meter, rank);
    return own ? own->compute_ps : 0;
}

uint64_t vm_meter_estimated_ps(const VmMeter *meter, uint32_t rank)
{
    const VmRankMeter *own = rank_meter_of(meter, rank);
    return own ? own->estimated_ps : 0;
}

VmMeterCell *vm_meter_last(const VmMeter *meter, uint32_t rank)
{
    const VmRankMeter *own = rank_meter_of(meter, rank);
    const VmMeterThread *thread = own && own->threads->len ? g_ptr_array_index(own->threads, 0) : NULL;
    if (own && own->cut)
        return own->cut;
    return thread && thread->begun ? vm_meter_cell_of(thread->node, thread->face.pc) : NULL;
}

void vm_meter_correct(const VmMeter *meter, uint32_t rank, VmMeterCell *cell, uint64_t more_ps)
{
    VmRankMeter *own = rank_meter_of(meter, rank);
    if (own->sample && more_ps && more_ps <= INT64_MAX) {
        vm_meter_sample_correct(own, cell, more_ps);
        return;
    }
    cell->compute_ps += more_ps;
    cell->node->rank_ps[rank] += more_ps;
    own->compute_ps += more_ps;
}
