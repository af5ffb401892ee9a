/* frames.c - everything about calls that is not the straight way: growing the two stacks, endless recursion, calls that
 * leave the VM (externs, requests), calls that come in from outside (program start, upcalls), and walking the frames.
 *
 * Requests and upcalls nest like this, each level its own frames on the same two stacks:
 *
 *     _start > main > callx MPI_Reduce ===> request 0 (open)
 *                                             upcall: user_op > callx MPI_Abort-like ===> request 1 (open)
 *                                                                                           upcall: ...
 *
 * A frame entered from outside is marked `outermost`: its return leaves the loop, and longjmp does not pass it. The
 * window of an upcall starts above all registers of the frame that made the request, so arguments stay untouched.
 */
#include "vm/internal.h"

#include <string.h>

/* -- growth ---------------------------------------------------------------------------------------------- */

/* Registers that all frames of a rank may hold together. A native stack of this size overflows at fewer than
 * stack_bytes / 16 frames, so with 8 registers each this is never stricter. */
static uint64_t most_registers(const VmRank *rank)
{
    return MAX(rank->world->limits.stack_bytes / 2, (uint64_t)VCODE_MAX_REGISTERS * 2);
}

static bool too_deep(VmRank *rank)
{
    const VcodeModule *m = rank->image->module;
    uint32_t function = vm_image_function_of(rank->image, rank->pc);
    const char *name = vcode_text(m, m->functions.items[function].name);
    vm_rank_fault(rank, VM_FAULT_STACK_OVERFLOW, rank->sp, "endless recursion? '%s' calls with %u calls open already",
                  name, rank->depth);
    return false;
}

static void grow_frames(VmRank *rank)
{
    size_t old = (size_t)(rank->frame_end - rank->frames);
    size_t now = MIN(MAX(old * 2, 8), rank->world->limits.call_depth);
    rank->frames = g_renew(VmCallFrame, rank->frames, now);
    rank->frame_end = rank->frames + now;
}

/* VM_REGISTER_SLACK more stand behind the capacity: an extern that is called with too few arguments reads those. */
static void grow_registers(VmRank *rank, uint64_t needed)
{
    size_t old = (size_t)(rank->register_end - rank->registers);
    size_t now = MAX(MAX(old * 2, needed), 64);
    size_t filled = old ? old + VM_REGISTER_SLACK : 0;
    rank->registers = g_renew(uint64_t, rank->registers, now + VM_REGISTER_SLACK);
    memset(rank->registers + filled, 0, (now + VM_REGISTER_SLACK - filled) * sizeof *rank->registers);
    rank->register_end = rank->registers + now;
    for (uint32_t i = 0; i < rank->request_count; i++)
        rank->requests[i].request.args = rank->registers + rank->requests[i].window;
}

bool vm_frames_reserve(VmRank *rank, uint32_t window, uint32_t registers)
{
    uint64_t needed = (uint64_t)window + registers;
    if (rank->depth >= rank->world->limits.call_depth || needed > most_registers(rank))
        return too_deep(rank);
    if (rank->frames + rank->depth >= rank->frame_end)
        grow_frames(rank);
    if (rank->registers + needed > rank->register_end)
        grow_registers(rank, needed);
    return true;
}

void vm_frames_free(VmRank *rank)
{
    g_clear_pointer(&rank->frames, g_free);
    g_clear_pointer(&rank->registers, g_free);
    g_clear_pointer(&rank->requests, g_free);
    rank->frame_end = NULL;
    rank->register_end = NULL;
    rank->depth = 0;
    rank->request_count = rank->request_capacity = 0;
}

/* -- from outside in ---------------------------------------------------------------------------------------- */

bool vm_frames_enter(VmRank *rank, uint32_t function, uint32_t window, const uint64_t *args, unsigned n)
{
    const VmFunction *f = &rank->image->functions[function];
    if (!vm_frames_reserve(rank, window, f->registers))
        return false;
    uint64_t *registers = rank->registers + window;
    memset(registers, 0, (f->registers + 1) * sizeof *registers);
    for (unsigned i = 0; i < n && i < f->parameters; i++)
        registers[i] = args[i];
    rank->frames[rank->depth++] = (VmCallFrame){.entry_sp = rank->sp, .window = window, .outermost = true};
    rank->pc = f->start;
    rank->hook_passed = false;
    return true;
}

/* A variadic callee gets no variable arguments; arguments that the callee does not declare are dropped. */
static bool takes(const VmFunction *f, unsigned n)
{
    return f->parameters <= n || (f->variadic && f->parameters == n + 1);
}

bool vm_rank_upcall(VmRank *rank, uint64_t address, const uint64_t *args, unsigned n)
{
    g_assert(rank->state == VM_STATE_REQUEST);
    g_assert(n <= VCODE_MAX_ARGUMENTS);
    uint32_t function = vm_image_function(rank->image, address);
    if (function == VCODE_NONE || !takes(&rank->image->functions[function], n)) {
        vm_fault_function(rank, address, n);
        return false;
    }
    uint64_t copies[VCODE_MAX_ARGUMENTS]; /* args may be a register window, which moves when the stacks grow */
    for (unsigned i = 0; i < n; i++)
        copies[i] = args[i];
    VmCallFrame *below = &rank->frames[rank->depth - 1];
    below->call = rank->image->code + rank->pc;
    uint32_t caller = vm_image_function_of(rank->image, rank->pc);
    uint32_t window = below->window + rank->image->functions[caller].registers + 1;
    if (!vm_frames_enter(rank, function, window, copies, n))
        return false;
    rank->state = VM_STATE_READY;
    return true;
}

uint64_t vm_rank_upcall_result(const VmRank *rank)
{
    return rank->upcall_result;
}

VmStop vm_frames_leave(VmRank *rank, uint64_t value)
{
    VmCallFrame *frame = &rank->frames[rank->depth - 1];
    g_assert(frame->outermost);
    if (rank->depth == 1) { /* the entry function returned instead of calling exit */
        vm_rank_exit(rank, (int)value);
        return VM_STOP_EXITED;
    }
    rank->sp = frame->entry_sp;
    rank->depth--;
    rank->pc = vm_image_pc(rank->image, rank->frames[rank->depth - 1].call);
    rank->upcall_result = value;
    g_assert(rank->request_count > 0 && rank->requests[rank->request_count - 1].depth == rank->depth);
    rank->binding = rank->requests[rank->request_count - 1].binding;
    rank->state = VM_STATE_REQUEST;
    return VM_STOP_UPCALL_DONE;
}

/* -- from inside out ------------------------------------------------------------------------------------------- */

static void open_request(VmRank *rank, uint64_t *args, unsigned n, bool in_order)
{
    if (rank->request_count == rank->request_capacity) {
        rank->request_capacity = MAX(rank->request_capacity * 2, 1);
        rank->requests = g_renew(VmOpenRequest, rank->requests, rank->request_capacity);
    }
    rank->requests[rank->request_count++] = (VmOpenRequest){
        .request = {rank->binding->function, args, n, in_order},
        .binding = rank->binding,
        .depth = rank->depth,
        .window = (uint32_t)(args - rank->registers),
    };
    rank->state = VM_STATE_REQUEST;
}

VmCallResult vm_frames_call_extern(VmRank *rank, uint32_t index, uint64_t *args, unsigned n)
{
    const VmBinding *binding = &rank->image->bindings[index];
    rank->binding = binding;
    rank->clock.cycles += binding->base_q8;
    VmCallResult result = binding->function->function(rank, args, n, binding->function->user);
    if (rank->state == VM_STATE_FAULTED || rank->state == VM_STATE_EXITED) /* whatever it answers */
        return rank->state == VM_STATE_FAULTED ? VM_CALL_FAULT : VM_CALL_EXIT;
    switch (result) {
    case VM_CALL_REQUEST: open_request(rank, args, n, false); break;
    case VM_CALL_AGAIN: open_request(rank, args, n, true); break;
    case VM_CALL_FAULT:
    case VM_CALL_EXIT: g_assert_not_reached();
    case VM_CALL_DONE:
    case VM_CALL_JUMPED: rank->binding = NULL; break;
    }
    return result;
}

const VmRequest *vm_rank_request(const VmRank *rank)
{
    return rank->request_count ? &rank->requests[rank->request_count - 1].request : NULL;
}

void vm_rank_complete(VmRank *rank, uint64_t result)
{
    g_assert(rank->state == VM_STATE_REQUEST && rank->request_count > 0);
    VmOpenRequest *open = &rank->requests[--rank->request_count];
    g_assert(open->depth == rank->depth);
    rank->registers[open->window] = result;
    rank->pc++;
    rank->binding = NULL;
    rank->state = VM_STATE_READY;
}

VmStop vm_rank_perform(VmRank *rank)
{
    g_assert(rank->state == VM_STATE_REQUEST && rank->request_count > 0);
    const VmOpenRequest *open = &rank->requests[rank->request_count - 1];
    const VmExtern *function = open->binding->function;
    uint64_t *args = rank->registers + open->window;
    g_assert(open->request.in_order && open->depth == rank->depth);
    rank->binding = open->binding;
    rank->in_order = true;
    if (rank->image->keeps_fenv)
        vm_fenv_enter(rank);
    VmCallResult result = function->function(rank, args, open->request.n, function->user);
    if (rank->image->keeps_fenv)
        vm_fenv_leave(rank);
    rank->in_order = false;
    if (rank->state == VM_STATE_FAULTED || rank->state == VM_STATE_EXITED)
        return rank->state == VM_STATE_FAULTED ? VM_STOP_FAULT : VM_STOP_EXITED;
    g_assert(result == VM_CALL_DONE);
    vm_rank_complete(rank, args[0]);
    return VM_STOP_QUANTUM;
}

const VmExtern *vm_rank_current_extern(const VmRank *rank)
{
    return rank->binding ? rank->binding->function : NULL;
}

/* -- walking --------------------------------------------------------------------------------------------------- */

uint32_t vm_rank_depth(const VmRank *rank)
{
    return rank->depth;
}

/* Only the function itself can have been called from outside. */
static void set_expansion(const VmRank *rank, VmFrame *frame, uint32_t inlined)
{
    const VcodeModule *module = rank->image->module;
    uint32_t i = rank->depth - 1 - frame->level;
    frame->inlined = inlined;
    frame->name = vcode_text(module, inlined == VCODE_NONE ? module->functions.items[frame->function].name
                                                           : module->inlines.items[inlined].name);
    frame->upcall = inlined == VCODE_NONE && i > 0 && rank->frames[i].outermost;
}

VmFrame vm_rank_frame(VmRank *rank, uint32_t level)
{
    g_assert(level < rank->depth);
    uint32_t i = rank->depth - 1 - level;
    const VmCallFrame *frame = &rank->frames[i];
    uint32_t pc = level == 0 ? rank->pc : vm_image_pc(rank->image, frame->call);
    uint32_t function = vm_image_function_of(rank->image, pc);
    const VcodeModule *module = rank->image->module;
    const VcodeLine *line = vcode_line_at(module, pc);
    VmFrame found = {
        .function = function,
        .pc = pc,
        .registers = rank->registers + frame->window,
        .frame_base = frame->entry_sp - rank->image->functions[function].enter_bytes,
        .level = level,
        .file = line ? line->file : VCODE_NONE,
        .line = line ? line->line : 0,
    };
    set_expansion(rank, &found, vcode_inlined_at(module, pc));
    return found;
}

bool vm_rank_caller(VmRank *rank, VmFrame *frame)
{
    if (frame->inlined == VCODE_NONE) {
        if (frame->level + 1 >= rank->depth)
            return false;
        *frame = vm_rank_frame(rank, frame->level + 1);
        return true;
    }
    const VcodeInline *expansion = &rank->image->module->inlines.items[frame->inlined];
    frame->file = expansion->call_file;
    frame->line = expansion->call_line;
    set_expansion(rank, frame, expansion->parent);
    return true;
}

void vm_rank_set_hook(VmRank *rank, VmHook hook, void *user)
{
    rank->hook = hook;
    rank->hook_user = user;
    rank->hook_passed = false;
}
