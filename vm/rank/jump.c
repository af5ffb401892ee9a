/* jump.c - setjmp and longjmp (C11 7.13).
 *
 * The buffer lies in the program's memory, where the program may forge it, so its content is checked. The frame's depth
 * and mark identify the call: a frame that made a setjmp carries a mark that no other frame ever had. The pc must be a
 * call of this extern in the frame's function, and the window follows from that instruction. SP must be a value that
 * the frame can have.
 *
 *     word 0  magic    1  depth    2  mark    3  pc of the setjmp call    4  SP    5..7  zero
 */
#include "vm/rank/rank.h"

#include <string.h>

enum { WORDS = VM_JUMP_BUFFER_BYTES / 8 };
#define JUMP_MAGIC UINT64_C(0x706d756a7465736a) /* "jsetjump" */

VmCallResult vm_jump_setjmp(VmRank *rank, uint64_t *args, unsigned n, void *user)
{
    (void)n, (void)user;
    void *buffer = vm_rank_write(rank, args[0], VM_JUMP_BUFFER_BYTES);
    if (!buffer) {
        vm_fault_access(rank, args[0], VM_JUMP_BUFFER_BYTES, true);
        return VM_CALL_FAULT;
    }
    VmCallFrame *frame = &rank->frames[rank->depth - 1];
    if (!frame->mark)
        frame->mark = ++rank->last_mark;
    uint64_t words[WORDS] = {JUMP_MAGIC, rank->depth, frame->mark, rank->pc, rank->sp};
    memcpy(buffer, words, sizeof words);
    args[0] = 0;
    return VM_CALL_DONE;
}

/* The frame that the buffer means, if the frame still runs and may be reached; else NULL with the reason. */
static const VmCallFrame *find_frame(const VmRank *rank, const uint64_t *words, const char **reason)
{
    *reason = "the buffer was not filled by setjmp";
    if (words[0] != JUMP_MAGIC)
        return NULL;
    *reason = "the function that called setjmp has returned";
    if (words[1] == 0 || words[1] > rank->depth || words[2] == 0)
        return NULL;
    const VmCallFrame *frame = &rank->frames[words[1] - 1];
    if (frame->mark != words[2])
        return NULL;
    *reason = "setjmp was called before the library called this function back";
    for (uint64_t i = words[1]; i < rank->depth; i++)
        if (rank->frames[i].outermost)
            return NULL;
    return frame;
}

/* The function that a frame runs. */
static uint32_t function_of(const VmRank *rank, const VmCallFrame *frame)
{
    bool innermost = frame == &rank->frames[rank->depth - 1];
    return vm_image_function_of(rank->image, innermost ? rank->pc : vm_image_pc(rank->image, frame->call));
}

static bool place_is_right(const VmRank *rank, const VmCallFrame *frame, const uint64_t *words)
{
    const VmImage *image = rank->image;
    uint32_t function = function_of(rank, frame);
    uint64_t pc = words[3], sp = words[4];
    if (pc >= image->module->code.count || vcode_pc_function(image->module, (uint32_t)pc) != function)
        return false;
    VcodeInstr call = image->module->code.items[pc];
    if (vcode_op(call) != VCODE_CALLX || image->bindings[vcode_imm32(call)].function->function != vm_jump_setjmp)
        return false;
    return sp % 16 == 0 && sp >= rank->stack_low && sp <= frame->entry_sp - image->functions[function].enter_bytes;
}

VmCallResult vm_jump_longjmp(VmRank *rank, uint64_t *args, unsigned n, void *user)
{
    (void)user;
    const void *buffer = vm_rank_read(rank, args[0], VM_JUMP_BUFFER_BYTES);
    if (!buffer) {
        vm_fault_access(rank, args[0], VM_JUMP_BUFFER_BYTES, false);
        return VM_CALL_FAULT;
    }
    uint64_t words[WORDS];
    memcpy(words, buffer, sizeof words);
    const char *reason;
    const VmCallFrame *frame = find_frame(rank, words, &reason);
    if (frame && !place_is_right(rank, frame, words)) {
        reason = "the buffer has been overwritten";
        frame = NULL;
    }
    if (!frame) {
        vm_rank_fault(rank, VM_FAULT_BAD_JUMP, args[0], "longjmp cannot go back: %s", reason);
        return VM_CALL_FAULT;
    }
    int32_t value = n > 1 ? (int32_t)args[1] : 1;
    rank->depth = (uint32_t)words[1];
    rank->pc = (uint32_t)words[3];
    rank->sp = words[4];
    rank->frames[rank->depth - 1].call = rank->image->code + rank->pc;
    uint32_t result = frame->window + vcode_a(rank->image->module->code.items[rank->pc]);
    rank->registers[result] = (uint64_t)(int64_t)(value ? value : 1);
    if (rank->shadow)
        rank->world->above->returned(rank, result, 0);
    rank->pc++;
    return VM_CALL_JUMPED;
}
