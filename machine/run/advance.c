/* advance.c - lets one rank run, up to a time or to its next call. Running changes only what belongs to the rank. */
#include "machine/run/advance.h"
#include "machine/run/run.h"
#include "machine/run/tiers.h"
#include "machine/run/workers.h"

/* Returns how many whole cycles the rank may run before it can come to limit_ps; 0: up to the next branch or call. */
static uint64_t cycles_before(const VmClock *clock, uint64_t limit_ps)
{
    if (limit_ps == UINT64_MAX)
        return MACH_PIECE_CYCLES;
    uint64_t now = vm_clock_now(clock), work_ps = limit_ps - now;
    if (limit_ps <= now)
        return 0;
    if (G_UNLIKELY(clock->noise)) {
        uint64_t piece_ps = (uint64_t)((unsigned __int128)(MACH_PIECE_CYCLES + 2) * clock->period_q32 >> 32);
        bool beyond = clock->noise->through(clock->noise, now, piece_ps) > limit_ps;
        work_ps = beyond ? clock->noise->work(clock->noise, now, limit_ps) : piece_ps;
    }
    unsigned __int128 cycles = ((unsigned __int128)work_ps << 32) / clock->period_q32;
    return cycles < 2 ? 0 : (uint64_t)MIN(cycles - 1, MACH_PIECE_CYCLES);
}

/* Beyond limit_ps, the rank stops at the first branch or call after that time, wherever its pieces began. Ctrl-C is
 * noticed between pieces. */
VmStop mach_run_until(Machine *machine, uint32_t rank, uint64_t cycles, uint64_t limit_ps)
{
    VmRank *vm = machine->processes[rank].vm;
    const VmClock *clock = vm_rank_clock(vm);
    VmStop reason;
    do {
        uint64_t piece = MIN(cycles, cycles_before(clock, limit_ps));
        reason = vm_rank_run(vm, piece);
        if (piece >= MACH_LONG_PIECE)
            mach_tiers_look(machine->tiers, true);
        cycles -= piece;
    } while (reason == VM_STOP_QUANTUM && cycles && vm_clock_now(clock) <= limit_ps && !atomic_load(&machine->asked));
    return reason;
}

void mach_run_ahead(Machine *machine, uint32_t rank, uint64_t limit_ps)
{
    MachProcess *process = &machine->processes[rank];
    if (process->state != MACH_RANK_READY || process->called || process->threaded ||
        mach_advance_clock(process) > limit_ps)
        return;
    vm_rank_set_hook(process->vm, NULL, NULL);
    mach_advance_note(process, mach_run_until(machine, rank, UINT64_MAX, limit_ps));
}

static uint64_t piece_q8(const VmClock *clock)
{
    return (uint64_t)(((unsigned __int128)MACH_PIECE_PS << 40) / clock->period_q32);
}

VmStop mach_run_piece(Machine *machine, uint32_t rank, uint64_t cycles, uint64_t limit_ps)
{
    MachProcess *process = &machine->processes[rank];
    const VmClock *clock = vm_rank_clock(process->vm);
    if (process->renews)
        process->piece_end = clock->cycles + piece_q8(clock);
    process->renews = process->rests = false;
    process->in_piece = true;
    uint64_t left = process->piece_end > clock->cycles ? (process->piece_end - clock->cycles) >> 8 : 0;
    cycles = MIN(cycles, left);
    if (limit_ps != UINT64_MAX)
        cycles = MIN(cycles, cycles_before(clock, limit_ps));
    VmStop reason = vm_rank_run(process->vm, cycles);
    if (reason == VM_STOP_QUANTUM && clock->cycles >= process->piece_end) {
        process->in_piece = false;
        process->renews = true;
    }
    return reason;
}

/* To run there early changes nothing for others, as in scheduler.c. Its READY event stays in the queue, and when its
 * turn comes the loop goes on from where it has come to. */
bool mach_run_still(void *user, uint32_t rank)
{
    Machine *machine = user;
    MachProcess *process = &machine->processes[rank];
    if (process->state != MACH_RANK_READY || process->called || !process->exposures || process->held)
        return process->state != MACH_RANK_FINISHED;
    uint64_t limit_ps = mach_run_rank_limit_ps(machine, rank);
    VmStop reason = VM_STOP_QUANTUM;
    machine->ahead = true;
    while (reason == VM_STOP_QUANTUM && !atomic_load(&machine->asked) && mach_advance_clock(process) <= limit_ps &&
           (process->in_piece || (!process->rests && mach_advance_clock(process) <= machine->now + MACH_AHEAD_PS))) {
        if (machine->tallies)
            vm_rank_settle(process->vm, machine->now);
        reason = mach_run_piece(machine, rank, machine->options.quantum, limit_ps);
        mach_advance_note(process, reason);
    }
    machine->ahead = false;
    if (reason == VM_STOP_HOOK)
        mach_run_pause(machine, MACH_STOP_HOOK, rank);
    return true;
}

void mach_run_expose(void *user, uint32_t rank, bool exposed)
{
    Machine *machine = user;
    MachProcess *process = &machine->processes[rank];
    assert(exposed || process->reasons); /* the rank is in a call */
    process->reasons += exposed ? 1 : UINT32_MAX;
    process->exposures = process->threaded ? 0 : process->reasons;
    process->renews = process->exposures;
    process->piece_end = process->exposures ? 0 : UINT64_MAX;
    vm_rank_expose(process->vm, process->reasons);
}

G_GNUC_NO_INLINE void mach_advance_release_held(Machine *machine)
{
    const MachProcess *process = &machine->processes[machine->held_rank];
    machine->held_ps = UINT64_MAX;
    mach_advance_queue_call(machine, machine->held_rank, process->call_ps, process->call);
}
