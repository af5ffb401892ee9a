/* run.c - entering printed code and leaving it.
 *
 * A printed function keeps its registers in host variables and calls others on the host's stack; the rank's own stacks
 * know nothing of that while all goes well. When something has to leave, the innermost function stores its live
 * registers and reports its frame, then returns GONE; so does its caller, and so on to here. The frames were reported
 * from the inside out; here they are put into the rank's stack in their order, and the interpreter goes on.
 *
 * How deep calls may go in one stay is bounded by the host's stack (State.stack_limit) and the rank's register stack
 * (State.register_limit): at either bound a function leaves at its entry, the interpreter makes the call, and native
 * code begins anew above it.
 */
#include "vm/drill/drill.h"
#include "vm/library/library.h"
#include "vm/native/native.h"

#include <string.h>

enum {
    FEW_FRAMES = 32,
    FEW_RANKS = 256,
    SPARE_REGISTERS = 1024,
    LEAST_FRAME = 3 /* bytes on the host's stack per call: a frame has 32 at least, for what it keeps, and C compilers
                     * put up to eight calls of a function to itself into one */
};

/* How much of the host's stack calls may use: never so much that they could be more than the rank may have. */
static size_t host_stack(const VmRank *rank, const VmNativeCode *code)
{
    uint64_t calls = rank->world->limits.call_depth - rank->depth - VM_NATIVE_DEPTH;
    return MIN(code->host_stack, calls * LEAST_FRAME);
}

typedef struct Reported {
    uint32_t window, pc;
    uint64_t entry_sp;
} Reported;

/* One stay in printed code. The state comes first: printed code hands back its address. */
typedef struct Stay {
    State state;
    VmRank *rank;
    uint64_t deadline; /* clock when the fuel (with the bias) is used up */
    int64_t bias;
    uint64_t long_q8; /* the extern before rank->pc was a long one: what it has charged; 0: there was none */
    Reported *frames; /* from the inside out */
    uint32_t count, capacity;
    Reported few[FEW_FRAMES];
    uint32_t log[VM_NATIVE_TAILS];
} Stay;

static uint64_t limit_of(const VmRank *rank)
{
    return rank->near_end - rank->near_low - 7;
}

/* -- what printed code calls ------------------------------------------------------------------- */

static void report(Stay *stay, uint64_t *R, uint32_t pc, uint64_t entry_sp)
{
    if (stay->count == stay->capacity) {
        stay->capacity *= 2;
        if (stay->frames == stay->few) {
            stay->frames = g_new(Reported, stay->capacity);
            memcpy(stay->frames, stay->few, sizeof stay->few);
        } else {
            stay->frames = g_renew(Reported, stay->frames, stay->capacity);
        }
    }
    stay->frames[stay->count++] = (Reported){(uint32_t)(R - stay->rank->registers), pc, entry_sp};
}

/* The caller of a function that has left: `held` is fuel that it had held back. */
static void unwind(State *k, uint64_t *R, uint32_t pc, uint64_t entry_sp, int64_t held)
{
    Stay *stay = (Stay *)k;
    stay->rank->clock.cycles -= (uint64_t)held;
    report(stay, R, pc, entry_sp);
    k->sp = entry_sp;
}

static void leave(State *k, uint64_t *R, uint32_t pc, uint64_t entry_sp, int64_t fuel)
{
    Stay *stay = (Stay *)k;
    stay->rank->pc = pc;
    stay->rank->sp = k->sp;
    stay->rank->clock.cycles = stay->deadline - (uint64_t)(fuel + stay->bias);
    report(stay, R, pc, entry_sp);
    k->sp = entry_sp;
}

/* The frames that a function has jumped away from, the last one first. Each had its return charged in advance. */
static void note_tails(State *k, uint64_t *R, const uint32_t *first, const uint32_t *end)
{
    Stay *stay = (Stay *)k;
    const VmImage *image = stay->rank->image;
    while (end > first) {
        uint32_t pc = *--end;
        R -= vcode_a(image->module->code.items[pc]);
        stay->rank->clock.cycles -= vm_image_block_cost(image, pc + 1);
        report(stay, R, pc, k->sp);
    }
}

/* A call that may move the clock is made by the interpreter, so that the frames of the rank tell the meter who calls.
 * Returns whether it is one; then its block is not charged. */
static bool leaves_metered(VmRank *rank, uint32_t pc)
{
    const VmExtern *function = rank->image->bindings[rank->image->code[pc].target].function;
    if (vm_library_owns(function) && !vm_library_sleeps(function))
        return false;
    rank->clock.cycles -= vm_image_block_cost(rank->image, pc);
    return true;
}

/* The extern that the `callx` at pc calls; the caller reports its frame if this is GONE. */
static int64_t external(State *k, uint64_t *R, uint32_t pc, int64_t fuel)
{
    Stay *stay = (Stay *)k;
    VmRank *rank = stay->rank;
    const VmInstr *call = &rank->image->code[pc];
    rank->pc = pc;
    rank->sp = k->sp;
    rank->clock.cycles = stay->deadline - (uint64_t)(fuel + stay->bias);
    if (G_UNLIKELY(rank->meter != NULL) && leaves_metered(rank, pc))
        return VM_NATIVE_GONE;
    uint64_t before_q8 = rank->clock.cycles;
    VmCallResult result = vm_frames_call_extern(rank, (uint32_t)call->target, R + call->a, call->n);
    if (result != VM_CALL_DONE)
        return VM_NATIVE_GONE;
    if (G_UNLIKELY(rank->meter != NULL) &&
        vm_meter_is_long(&rank->image->bindings[call->target], rank->clock.cycles - before_q8)) {
        stay->long_q8 = rank->clock.cycles - before_q8;
        rank->pc = pc + 1;
        return VM_NATIVE_GONE;
    }
    k->limit = limit_of(rank);
    return (int64_t)(stay->deadline - rank->clock.cycles) - stay->bias;
}

/* -- entering ---------------------------------------------------------------------------------- */

/* Puts the reported frames on the rank's stack; the outermost is there already. */
static void rebuild_frames(Stay *stay)
{
    VmRank *rank = stay->rank;
    const VmInstr *code = rank->image->code;
    uint32_t base = rank->depth - 1;
    vm_frames_make_room(rank, base + stay->count);
    for (uint32_t i = 0; i < stay->count; i++) {
        const Reported *from = &stay->frames[stay->count - 1 - i];
        VmCallFrame *to = &rank->frames[base + i];
        if (i > 0)
            *to = (VmCallFrame){.entry_sp = from->entry_sp, .window = from->window};
        to->call = code + from->pc;
    }
    rank->depth = base + stay->count;
    if (rank->state == VM_STATE_REQUEST)
        rank->requests[rank->request_count - 1].depth = rank->depth;
}

/* Makes room for the registers of a few calls, so that not every entry has to leave at once. Of many ranks, each gets
 * what it needs. */
static void reserve(VmRank *rank, uint32_t room)
{
    uint32_t window = rank->frames[rank->depth - 1].window;
    uint32_t spare = rank->world->count <= FEW_RANKS ? room + SPARE_REGISTERS : 0;
    if (rank->registers + window + room > rank->register_end)
        vm_frames_grow_registers(rank, (uint64_t)window + room + spare);
}

/* Windows may begin below this: above it, too little room is left, or less than what the rank may have. */
static uint64_t *register_limit(const VmRank *rank, const VmNativeCode *code)
{
    uint64_t capacity = (uint64_t)(rank->register_end - rank->registers);
    return rank->registers + (MIN(capacity, vm_frames_most_registers(rank)) - code->room);
}

VmNativeEnd vm_native_enter(VmRank *rank, const VmNativeCode *code, const Way *way, int64_t *fuel, uint64_t *result)
{
    reserve(rank, MAX(way->room, code->room));
    const VmCallFrame *frame = &rank->frames[rank->depth - 1];
    Stay stay;
    stay.state =
        (State){.memory = rank->memory,
                .private = rank->memory + rank->data_base,
                .limit = limit_of(rank),
                .sp = rank->sp,
                .stack_low = rank->stack_low,
                .entry_sp = frame->entry_sp,
                .register_limit = register_limit(rank, code),
                .functions = code->functions,
                .stack_limit = (char *)__builtin_frame_address(0) - host_stack(rank, code),
                .constants = (const uint8_t *)((uintptr_t)rank->image->module->rodata.items - VCODE_RODATA_BASE),
                .input = &rank->input,
                .output = &rank->output,
                .maths = vm_library_maths,
                .tail = stay.log,
                .tail_end = stay.log + VM_NATIVE_TAILS,
                .leave = leave,
                .note_tails = note_tails,
                .unwind = unwind,
                .external = external};
    if (G_UNLIKELY(rank->image->drill))
        stay.state.drill = vm_drill_tests(rank->image->drill);
    stay.rank = rank;
    stay.bias = code->bias;
    stay.deadline = rank->clock.cycles + (uint64_t)*fuel;
    stay.state.start = stay.deadline - (uint64_t)stay.bias;
    stay.frames = stay.few;
    stay.count = 0;
    stay.long_q8 = 0;
    stay.capacity = FEW_FRAMES;
    Outcome outcome = way->function(&stay.state, rank->registers + frame->window, *fuel - code->bias, way->entry);
    if (outcome.fuel != VM_NATIVE_GONE) {
        *fuel = outcome.fuel + code->bias;
        *result = outcome.value;
        return VM_NATIVE_RETURNED;
    }
    rebuild_frames(&stay);
    if (G_UNLIKELY(stay.long_q8))
        vm_meter_called_long(rank, rank->pc - 1, stay.long_q8);
    if (stay.frames != stay.few)
        g_free(stay.frames);
    return stay.state.again ? VM_NATIVE_AGAIN : VM_NATIVE_LEFT;
}
