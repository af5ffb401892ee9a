/* frames.c - the less common parts of calls: growing the two stacks, endless recursion, calls that leave the VM
 * (externs, requests), calls that come in from outside (program start, upcalls), and walking the frames.
 *
 * Requests and upcalls nest like this; each level has its own frames on the same two stacks:
 *
 *     _start > main > callx MPI_Reduce ===> request 0 (open)
 *                                             upcall: user_op > callx MPI_Abort-like ===> request 1 (open)
 *                                                                                           upcall: ...
 *
 * A frame entered from outside is marked `outermost`: its return leaves the loop, and longjmp does not pass it. The
 * window of an upcall starts above all registers of the frame that made the request, so arguments stay untouched.
 */
#include "vcode/calling.h"
#include "vm/rank/rank.h"

#include <assert.h>
#include <string.h>

/* -- growth ------------------------------------------------------------------------------------ */

/* Capacity at the start of a rank: enough for the small main of one of a million ranks. */
enum { FIRST_FRAMES = 2, FIRST_REGISTERS = 20 };

/* A native stack of this size overflows at fewer than stack_bytes / 16 frames. With 8 registers for each of these, this
 * limit is never stricter. */
uint64_t vm_frames_most_registers(const VmRank *rank)
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

void vm_frames_make_room(VmRank *rank, uint32_t depth)
{
    size_t old = (size_t)(rank->frame_end - rank->frames);
    if (depth <= old)
        return;
    size_t now = MIN(MAX(MAX(old * 2, FIRST_FRAMES), depth), rank->world->limits.call_depth);
    rank->frames = g_renew(VmCallFrame, rank->frames, now);
    rank->frame_end = rank->frames + now;
}

/* VM_REGISTER_SLACK more registers follow the capacity, because clearing a window and a host function's trampoline may
 * touch them. The capacity never exceeds what the rank may have: calls test that limit only where they reach the
 * capacity. */
void vm_frames_grow_registers(VmRank *rank, uint64_t needed)
{
    size_t old = (size_t)(rank->register_end - rank->registers);
    size_t now = MIN(MAX(MAX(old * 2, needed), FIRST_REGISTERS), vm_frames_most_registers(rank));
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
    if (rank->depth >= rank->world->limits.call_depth || needed > vm_frames_most_registers(rank))
        return too_deep(rank);
    vm_frames_make_room(rank, rank->depth + 1);
    if (rank->registers + needed > rank->register_end)
        vm_frames_grow_registers(rank, needed);
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

/* -- from outside in --------------------------------------------------------------------------- */

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
    if (rank->shadow)
        rank->world->above->entered(rank, function, window);
    rank->pc = f->start;
    rank->hook_passed = false;
    return true;
}

/* Drops arguments that the callee does not declare and passes 0 for missing ones. A variadic callee gets no variable
 * arguments. */
bool vm_rank_upcall(VmRank *rank, uint64_t address, const uint64_t *args, unsigned n)
{
    g_assert(rank->state == VM_STATE_REQUEST);
    g_assert(n <= VCODE_MAX_ARGUMENTS);
    uint32_t function = vm_image_function(rank->image, address);
    if (function == VCODE_NONE) {
        vm_fault_function(rank, address);
        return false;
    }
    const VmFunction *f = &rank->image->functions[function];
    n = f->variadic ? MIN(n, f->parameters - 1u) : n;
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
    if (rank->depth == 1) { /* the entry function returned without calling exit; native code saves no pc then */
        rank->pc = rank->image->functions[vm_image_function_of(rank->image, rank->pc)].start;
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

/* -- calls in another form than the callee's (vcode/calling.h) --------------------------------- */

typedef struct Passed {
    unsigned fixed;    /* number of arguments in registers */
    unsigned variable; /* number of arguments in slots */
    uint64_t slots;    /* address of the slots, or of room for the fixed arguments; 0: none */
} Passed;

static Passed passed_by(const VmRank *rank, uint32_t window, unsigned n, unsigned form)
{
    const uint64_t *registers = rank->registers + window;
    if (form == VCODE_PASS_PLAIN)
        return (Passed){n, 0, 0};
    if (form == VCODE_PASS_ROOM)
        return (Passed){n, 0, registers[n]};
    return (Passed){n - 1, form - VCODE_PASS_SLOTS, registers[n - 1]};
}

/* Fetches fixed argument `i`, which the call did not pass in a register. */
static bool fetch(VmRank *rank, const Passed *passed, unsigned i, uint64_t *value)
{
    unsigned slot = i - passed->fixed;
    *value = 0;
    if (slot >= passed->variable)
        return true;
    uint64_t address = passed->slots + 8 * (uint64_t)slot;
    const void *host = vm_rank_read(rank, address, 8);
    if (!host) {
        vm_fault_access(rank, address, 8, false);
        return false;
    }
    memcpy(value, host, 8);
    return true;
}

/* Writes the arguments from the `fixed`-th on to the slots, where a variadic function expects them. */
static bool spill(VmRank *rank, const Passed *passed, const uint64_t *registers, unsigned fixed)
{
    uint64_t bytes = 8 * (uint64_t)(passed->fixed - fixed);
    void *host = vm_rank_write(rank, passed->slots, bytes);
    if (!host) {
        vm_fault_access(rank, passed->slots, bytes, true);
        return false;
    }
    memcpy(host, registers + fixed, bytes);
    return true;
}

static bool refuse_variadic(VmRank *rank, uint32_t function)
{
    const VcodeModule *m = rank->image->module;
    vm_rank_fault(rank, VM_FAULT_BAD_FUNCTION, VCODE_CODE_BASE + UINT64_C(16) * function,
                  "calls '%s', which takes variable arguments, through a pointer to another type of function; give the "
                  "pointer the function's type, with its '...'",
                  vcode_text(m, m->functions.items[function].name));
    return false;
}

bool vm_frames_fit(VmRank *rank, uint32_t function, uint32_t window)
{
    const VmFunction *f = &rank->image->functions[function];
    VcodeInstr call = rank->image->module->code.items[rank->pc];
    unsigned form = vcode_c(call), fixed = f->parameters - f->variadic;
    if (form >= VCODE_PASS_SLOTS && vcode_n(call) == 0)
        form = VCODE_PASS_PLAIN; /* the program does not come from our compiler */
    if (!vm_frames_reserve(rank, window, f->registers))
        return false;
    uint64_t *registers = rank->registers + window;
    Passed passed = passed_by(rank, window, vcode_n(call), form);
    for (unsigned i = passed.fixed; i < fixed; i++)
        if (!fetch(rank, &passed, i, &registers[i]))
            return false;
    if (!f->variadic)
        return true;
    if (passed.fixed > fixed && form != VCODE_PASS_ROOM)
        return refuse_variadic(rank, function);
    if (passed.fixed > fixed && !spill(rank, &passed, registers, fixed))
        return false;
    bool rest = passed.fixed > fixed || passed.variable > fixed - passed.fixed;
    registers[fixed] = !rest ? 0 : passed.fixed > fixed ? passed.slots : passed.slots + 8 * (fixed - passed.fixed);
    return true;
}

/* -- from inside out --------------------------------------------------------------------------- */

static inline VmCallResult open_request(VmRank *rank, const VmBinding *binding, uint64_t *args, unsigned n,
                                        bool in_order)
{
    if (G_UNLIKELY(rank->request_count == rank->request_capacity)) {
        rank->request_capacity = MAX(rank->request_capacity * 2, 1);
        rank->requests = g_renew(VmOpenRequest, rank->requests, rank->request_capacity);
    }
    VmOpenRequest *open = &rank->requests[rank->request_count++];
    open->request = (VmRequest){binding ? binding->function : NULL, args, n, in_order, VM_SHARING_NONE};
    open->binding = binding;
    open->depth = rank->depth;
    open->window = (uint32_t)(args - rank->registers);
    if (in_order) {
        open->halt.reason = VM_HALT_NONE;
        open->pause = (VmPause){0};
    }
    rank->granted_q8 = UINT64_MAX;
    rank->state = VM_STATE_REQUEST;
    rank->brief = rank->clock.cycles - rank->clock.base_cycles < VM_BRIEF_RUN;
    return in_order ? VM_CALL_AGAIN : VM_CALL_REQUEST;
}

static G_GNUC_NO_INLINE VmCallResult refuse_arguments(VmRank *rank, const VmExtern *function, unsigned n)
{
    vm_rank_fault(rank, VM_FAULT_LIBRARY, 0,
                  "%s was called with %u of its %u arguments; declare it by including its header", function->name, n,
                  function->arity);
    return VM_CALL_FAULT;
}

/* What follows a call of the function of a binding that has answered `result`. */
static VmCallResult after_call(VmRank *rank, const VmBinding *binding, uint64_t *args, unsigned n, VmCallResult result)
{
    if (G_UNLIKELY(rank->circle))
        vm_circle_called(rank, binding->function, result);
    if (rank->state == VM_STATE_FAULTED || rank->state == VM_STATE_EXITED) /* whatever the function answers */
        return rank->state == VM_STATE_FAULTED ? VM_CALL_FAULT : VM_CALL_EXIT;
    switch (result) {
    case VM_CALL_REQUEST: open_request(rank, binding, args, n, false); break;
    case VM_CALL_AGAIN: open_request(rank, binding, args, n, true); break;
    case VM_CALL_FAULT:
    case VM_CALL_EXIT: g_assert_not_reached();
    case VM_CALL_DONE:
        rank->binding = NULL;
        if (G_UNLIKELY(rank->shadow))
            rank->world->above->returned(rank, (uint64_t)(args - rank->registers), args[0]);
        break;
    case VM_CALL_JUMPED: rank->binding = NULL; break;
    }
    return result;
}

/* A function of the library did not just return, or somebody wants to know of calls. */
static G_GNUC_NO_INLINE VmCallResult after_direct(VmRank *rank, const VmBinding *binding, uint64_t *args, unsigned n,
                                                  uint64_t first, VmCallResult result)
{
    if (rank->wants_turn) {
        rank->wants_turn = false;
        args[0] = first;
        result = VM_CALL_AGAIN;
    }
    return after_call(rank, binding, args, n, result);
}

/* Calls the function of a binding, or opens a request if the binding has none. */
static G_GNUC_NO_INLINE VmCallResult call_function(VmRank *rank, const VmBinding *binding, uint64_t *args, unsigned n)
{
    VmExternFunction function = binding->function->function;
    if (binding->shading == VM_SHADING_FOREIGN)
        rank->turn_cycles = 0;
    VmCallResult result = function ? function(rank, args, n, binding->function->user) : VM_CALL_REQUEST;
    return after_call(rank, binding, args, n, result);
}

/* Whether a function that may touch shared memory must wait for the rank's turn. What leaves the VM anyway, waits. */
static bool waits_for_turn(VmRank *rank, const VmExtern *function, const uint64_t *args, unsigned n)
{
    return function->function && function->function != vm_jump_setjmp && function->function != vm_jump_longjmp &&
           vm_shared_concerns(rank, args, n, function->arity);
}

VmCallResult vm_frames_call_extern(VmRank *rank, uint32_t index, uint64_t *args, unsigned n)
{
    const VmBinding *binding = &rank->image->bindings[index];
    rank->binding = binding;
    rank->clock.cycles += binding->base_q8;
    if (G_UNLIKELY(n < binding->arity))
        return refuse_arguments(rank, binding->function, n);
    if (G_UNLIKELY(rank->segments) && waits_for_turn(rank, binding->function, args, n)) {
        if (rank->circle)
            vm_circle_called(rank, binding->function, VM_CALL_AGAIN);
        return open_request(rank, binding, args, n, binding->shading != VM_SHADING_FOREIGN);
    }
    if (binding->direct) {
        uint64_t first = args[0]; /* the result is stored there, too */
        VmCallResult result = binding->direct(rank, args);
        if (G_UNLIKELY(result != VM_CALL_DONE || rank->wants_turn || rank->state != VM_STATE_READY || rank->circle ||
                       rank->shadow))
            return after_direct(rank, binding, args, n, first, result);
        rank->binding = NULL;
        return VM_CALL_DONE;
    }
    if (binding->function->function || G_UNLIKELY(rank->circle || rank->request_count == rank->request_capacity))
        return call_function(rank, binding, args, n);
    return open_request(rank, binding, args, n, false);
}

/* A rank that waits for its turn to access shared memory is at a request without arguments. */
static const VmExtern access_function = {.name = "an access to shared memory"};
static const VmBinding access_binding = {.function = &access_function};

void vm_frames_ask_turn(VmRank *rank, bool write)
{
    rank->binding = NULL;
    open_request(rank, &access_binding, rank->registers, 0, true);
    rank->requests[rank->request_count - 1].request.access = write ? VM_SHARING_WRITE : VM_SHARING_READ;
}

const VmRequest *vm_rank_request(const VmRank *rank)
{
    return rank->request_count ? &rank->requests[rank->request_count - 1].request : NULL;
}

void vm_rank_complete(VmRank *rank, uint64_t result)
{
    assert(rank->state == VM_STATE_REQUEST && rank->request_count > 0);
    VmOpenRequest *open = &rank->requests[--rank->request_count];
    assert(open->depth == rank->depth);
    rank->registers[open->window] = result;
    if (G_UNLIKELY(rank->shadow))
        rank->world->above->returned(rank, open->window, result);
    rank->pc++;
    rank->binding = NULL;
    rank->state = VM_STATE_READY;
}

void vm_rank_interrupt(VmRank *rank, const VmExtern *function)
{
    g_assert(rank->state == VM_STATE_READY);
    rank->binding = NULL;
    open_request(rank, NULL, rank->registers, 0, false);
    rank->requests[rank->request_count - 1].request.function = function;
}

void vm_rank_repeat(VmRank *rank)
{
    g_assert(rank->state == VM_STATE_REQUEST && rank->request_count > 0);
    rank->request_count--;
    rank->binding = NULL;
    rank->state = VM_STATE_READY;
}

uint32_t vm_rank_open_requests(const VmRank *rank)
{
    return rank->request_count;
}

void vm_rank_expose(VmRank *rank, bool exposed)
{
    rank->exposed = exposed;
}

VmStop vm_rank_perform(VmRank *rank)
{
    g_assert(rank->state == VM_STATE_REQUEST && rank->request_count > 0);
    VmOpenRequest *open = &rank->requests[rank->request_count - 1];
    const VmExtern *function = open->binding->function;
    open->halt.reason = VM_HALT_NONE;
    if (open->request.access) {
        rank->request_count--;
        rank->granted_q8 = rank->clock.cycles;
        rank->state = VM_STATE_READY;
        return VM_STOP_QUANTUM;
    }
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
    if (G_UNLIKELY(result == VM_CALL_AGAIN)) {
        g_assert(open->halt.reason != VM_HALT_NONE);
        return VM_STOP_REQUEST;
    }
    g_assert(result == VM_CALL_DONE);
    vm_rank_complete(rank, args[0]);
    return VM_STOP_QUANTUM;
}

const VmHalt *vm_rank_halted(const VmRank *rank)
{
    const VmOpenRequest *open = rank->request_count ? &rank->requests[rank->request_count - 1] : NULL;
    return open && open->request.in_order && open->halt.reason != VM_HALT_NONE ? &open->halt : NULL;
}

void vm_rank_halt_over(VmRank *rank, VmHaltEnd end)
{
    rank->requests[rank->request_count - 1].pause.ends |= end;
}

const VmExtern *vm_rank_current_extern(const VmRank *rank)
{
    return rank->binding ? rank->binding->function : NULL;
}

bool vm_rank_acts(const VmRank *rank)
{
    return (rank->state == VM_STATE_READY && rank->running) || rank->in_order; /* others may find it between two runs */
}

const char *vm_rank_acting(const VmRank *rank)
{
    const VmExtern *function = vm_rank_current_extern(rank);
    return function && vcode_op(rank->image->module->code.items[rank->pc]) == VCODE_CALLX ? function->name : NULL;
}

/* -- walking ----------------------------------------------------------------------------------- */

uint32_t vm_rank_depth(const VmRank *rank)
{
    return rank->depth;
}

uint64_t vm_rank_sp(const VmRank *rank)
{
    return rank->sp;
}

bool vm_rank_append_object(VmRank *rank, uint64_t address, uint64_t *low, GString *out)
{
    return rank->world->above->object(rank, address, low, out);
}

/* An inlined call cannot have been made from outside; only the function itself can. */
static void set_expansion(const VmRank *rank, VmFrame *frame, uint32_t inlined)
{
    const VcodeModule *module = rank->image->module;
    uint32_t i = rank->depth - 1 - frame->level;
    frame->inlined = inlined;
    frame->name = vcode_text(module, inlined == VCODE_NONE ? module->functions.items[frame->function].name
                                                           : module->inlines.items[inlined].name);
    frame->upcall = inlined == VCODE_NONE && i > 0 && rank->frames[i].outermost;
}

uint32_t vm_rank_pc_of(const VmRank *rank, uint32_t level)
{
    g_assert(level < rank->depth);
    return vm_image_pc(rank->image, rank->frames[rank->depth - 1 - level].call);
}

VmFrame vm_rank_frame(VmRank *rank, uint32_t level)
{
    g_assert(level < rank->depth);
    uint32_t i = rank->depth - 1 - level;
    const VmCallFrame *frame = &rank->frames[i];
    uint32_t pc = vm_rank_pc(rank, level);
    uint32_t function = vm_image_function_of(rank->image, pc);
    const VcodeModule *module = rank->image->module;
    const VcodeLine *line = vcode_pc_line(module, pc);
    VmFrame found = {
        .function = function,
        .pc = pc,
        .registers = rank->registers + frame->window,
        .frame_base = frame->entry_sp - rank->image->functions[function].enter_bytes,
        .level = level,
        .file = line ? line->file : VCODE_NONE,
        .line = line ? line->line : 0,
    };
    set_expansion(rank, &found, vcode_pc_inlined(module, pc));
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
