/* what_if.c - runs in which something is otherwise: messages that take no time, faster cores, ranks that compute
 * equally long between the calls at which all meet.
 *
 * A message that takes no time is delivered as it is sent. It must not overtake an earlier one of the same ranks: if
 * one is in the network, it goes through the network, too.
 *
 * The pace of a rank is the length of its cycle. It changes only where a call ends, and with it the clock's anchor, so
 * it depends on no quantum.
 */
#include "machine/run/run.h"

#include <string.h>

typedef struct Pair { /* messages from one rank to another */
    uint32_t in_network;
    uint64_t local_ps; /* latest arrival within a node */
} Pair;

struct MachWhatIfState {
    const MachWhatIf *asked;
    GHashTable *pairs;     /* from << 32 | to -> Pair; looked up, never iterated; NULL: nothing can be overtaken */
    GHashTable *modules;   /* VcodeModule -> char by pc: 0 not known, 1 no such line, 2 one of the lines */
    uint64_t *periods_q32; /* by rank, as they are; NULL: no pace */
    uint32_t *met;         /* by rank: how many meetings it has left behind */
};

struct MachPace {
    uint32_t ranks;
    GArray **computed;    /* by rank: uint64_t, from each meeting to the next */
    uint64_t *since_ps;   /* by rank: up to here all is counted */
    uint64_t *present_ps; /* by rank: computed since the last meeting */
    GArray *means;        /* uint64_t, by meeting; after mach_what_if_level() */
};

/* -- pace -------------------------------------------------------------------------------------- */

static void count(MachPace *pace, uint32_t rank, uint64_t from_ps, uint64_t to_ps)
{
    if (from_ps > pace->since_ps[rank])
        pace->present_ps[rank] += from_ps - pace->since_ps[rank];
    pace->since_ps[rank] = MAX(pace->since_ps[rank], to_ps);
}

static void end_part(MachPace *pace, uint32_t rank)
{
    g_array_append_val(pace->computed[rank], pace->present_ps[rank]);
    pace->present_ps[rank] = 0;
}

static void count_call(void *user, const MpiCallInfo *info, const VcodeModule *program)
{
    MachPace *pace = user;
    (void)program;
    if (info->rank >= pace->ranks || info->thread)
        return;
    count(pace, info->rank, info->from_ps, info->to_ps);
    if (mpi_world_meets(info))
        end_part(pace, info->rank);
}

static void count_pause(void *user, uint32_t rank, uint64_t from_ps, uint64_t to_ps, bool for_core)
{
    MachPace *pace = user;
    (void)for_core;
    if (rank < pace->ranks)
        count(pace, rank, from_ps, to_ps);
}

static void count_end(void *user, uint32_t rank, uint64_t time_ps, int status)
{
    MachPace *pace = user;
    (void)status;
    if (rank >= pace->ranks)
        return;
    count(pace, rank, time_ps, time_ps);
    end_part(pace, rank);
}

MachPace *mach_what_if_record(Machine *machine)
{
    MachPace *pace = g_new0(MachPace, 1);
    pace->ranks = machine->ranks;
    pace->computed = g_new(GArray *, pace->ranks);
    pace->since_ps = g_new0(uint64_t, pace->ranks);
    pace->present_ps = g_new0(uint64_t, pace->ranks);
    pace->means = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    for (uint32_t rank = 0; rank < pace->ranks; rank++)
        pace->computed[rank] = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    MachObserver observer = {.user = pace, .call = count_call, .slept = count_pause, .finished = count_end};
    mach_run_observe(machine, &observer);
    return pace;
}

void mach_what_if_level(MachPace *pace)
{
    for (guint meeting = 0;; meeting++) {
        unsigned __int128 sum = 0;
        uint32_t ranks = 0;
        for (uint32_t rank = 0; rank < pace->ranks; rank++) {
            if (meeting >= pace->computed[rank]->len)
                continue;
            ranks++;
            sum += g_array_index(pace->computed[rank], uint64_t, meeting);
        }
        if (!ranks)
            return;
        uint64_t mean = (uint64_t)(sum / ranks);
        g_array_append_val(pace->means, mean);
    }
}

void mach_what_if_forget(MachPace *pace)
{
    if (!pace)
        return;
    for (uint32_t rank = 0; rank < pace->ranks; rank++)
        g_array_unref(pace->computed[rank]);
    g_free(pace->computed);
    g_free(pace->since_ps);
    g_free(pace->present_ps);
    g_array_unref(pace->means);
    g_free(pace);
}

/* Sets the length of the rank's cycle so that it computes the mean until the next meeting. */
static void set_pace(Machine *machine, uint32_t rank)
{
    const MachWhatIfState *state = machine->what_if;
    const MachPace *pace = state->asked->pace;
    VmClock *clock = vm_rank_clock(machine->processes[rank].vm);
    uint32_t meeting = state->met[rank];
    uint64_t period = state->periods_q32[rank];
    uint64_t own_ps = meeting < pace->computed[rank]->len ? g_array_index(pace->computed[rank], uint64_t, meeting) : 0;
    if (own_ps) {
        uint64_t mean_ps = g_array_index(pace->means, uint64_t, meeting);
        unsigned __int128 paced = ((unsigned __int128)period * mean_ps + own_ps / 2) / own_ps;
        period = (uint64_t)MAX(MIN(paced, UINT64_C(1) << 62), 1);
    }
    vm_clock_set(clock, vm_clock_now(clock)); /* the call has not moved the anchor yet */
    vm_clock_set_period(clock, period);
}

static void leave_meeting(void *user, const MpiCallInfo *info, const VcodeModule *program)
{
    Machine *machine = user;
    (void)program;
    if (info->rank >= machine->what_if->asked->pace->ranks || info->thread || !mpi_world_meets(info))
        return;
    machine->what_if->met[info->rank]++;
    set_pace(machine, info->rank);
}

/* -- all of it --------------------------------------------------------------------------------- */

MachWhatIfState *mach_what_if_new(Machine *machine)
{
    const MachWhatIf *asked = machine->options.what_if;
    if (!asked)
        return NULL;
    MachWhatIfState *state = g_new0(MachWhatIfState, 1);
    state->asked = asked;
    if (asked->n_lines) {
        state->pairs = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
        state->modules = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    }
    return state;
}

void mach_what_if_free(MachWhatIfState *state)
{
    if (!state)
        return;
    g_clear_pointer(&state->pairs, g_hash_table_unref);
    g_clear_pointer(&state->modules, g_hash_table_unref);
    g_free(state->periods_q32);
    g_free(state->met);
    g_free(state);
}

uint64_t mach_what_if_period(const Machine *machine, uint64_t period_q32)
{
    const MachWhatIf *asked = machine->options.what_if;
    if (!asked || !asked->cpu_num)
        return period_q32;
    return (uint64_t)MAX((unsigned __int128)period_q32 * asked->cpu_den / asked->cpu_num, 1);
}

void mach_what_if_begin(Machine *machine)
{
    MachWhatIfState *state = machine->what_if;
    if (!state || !state->asked->pace)
        return;
    uint32_t ranks = state->asked->pace->ranks;
    state->periods_q32 = g_new(uint64_t, MAX(ranks, 1));
    state->met = g_new0(uint32_t, MAX(ranks, 1));
    for (uint32_t rank = 0; rank < MIN(ranks, machine->ranks); rank++) {
        state->periods_q32[rank] = vm_rank_clock(machine->processes[rank].vm)->period_q32;
        set_pace(machine, rank);
    }
    MachObserver observer = {.user = machine, .call = leave_meeting};
    mach_run_observe(machine, &observer);
}

/* -- lines ------------------------------------------------------------------------------------- */

static bool is_file(const char *path, const char *wanted)
{
    if (!wanted || strcmp(path, wanted) == 0)
        return true;
    return g_str_has_suffix(path, wanted) && path[strlen(path) - strlen(wanted) - 1] == '/';
}

static char look_up(const MachWhatIf *asked, const VcodeModule *module, uint32_t pc)
{
    const VcodeLine *line = vcode_pc_line(module, pc);
    for (uint32_t i = 0; line && i < asked->n_lines; i++)
        if (line->line == asked->lines[i].line && is_file(vcode_source_name(module, line->file), asked->lines[i].file))
            return 2;
    return 1;
}

/* Whether the rank is in a request at one of the lines. */
static bool is_at_line(Machine *machine, uint32_t rank)
{
    const MachWhatIfState *state = machine->what_if;
    const VmRank *vm = machine->processes[rank].vm;
    if (machine->processes[rank].state != MACH_RANK_BLOCKED && machine->processes[rank].state != MACH_RANK_READY)
        return false;
    const VcodeModule *module = vm_image_module(vm_rank_image(vm));
    uint32_t pc = vm_rank_pc(vm, 0);
    char *known = g_hash_table_lookup(state->modules, module);
    if (!known) {
        known = g_new0(char, module->code.count + 1);
        g_hash_table_insert(state->modules, (gpointer)module, known);
    }
    if (pc >= module->code.count)
        return false;
    if (!known[pc])
        known[pc] = look_up(state->asked, module, pc);
    return known[pc] == 2;
}

/* -- messages ---------------------------------------------------------------------------------- */

static Pair *pair_of(const MachWhatIfState *state, uint32_t from, uint32_t to)
{
    gint64 key = (gint64)((uint64_t)from << 32 | to);
    Pair *pair = g_hash_table_lookup(state->pairs, &key);
    if (!pair) {
        pair = g_new0(Pair, 1);
        g_hash_table_insert(state->pairs, g_memdup2(&key, sizeof key), pair);
    }
    return pair;
}

bool mach_what_if_takes_none(Machine *machine, uint32_t from, uint32_t to, uint64_t *time_ps)
{
    MachWhatIfState *state = machine->what_if;
    if (state->asked->network_free)
        return true;
    if (!state->pairs)
        return false;
    Pair *pair = pair_of(state, from, to);
    if (!pair->in_network && (is_at_line(machine, from) || is_at_line(machine, to))) {
        *time_ps = MAX(*time_ps, pair->local_ps);
        return true;
    }
    if (machine->processes[from].place.node != machine->processes[to].place.node)
        pair->in_network++;
    return false;
}

void mach_what_if_local(Machine *machine, uint32_t from, uint32_t to, uint64_t delivered_ps)
{
    if (machine->what_if->pairs)
        pair_of(machine->what_if, from, to)->local_ps = delivered_ps;
}

void mach_what_if_arrived(Machine *machine, uint64_t cookie)
{
    if (!machine->what_if->pairs)
        return;
    MpiTransfer transfer = mpi_world_transfer(cookie);
    pair_of(machine->what_if, transfer.from, transfer.to)->in_network--;
}
