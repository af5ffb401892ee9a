/* direct.h - direct code: machine code that stands for decoded instructions, one by one, made when a function is first
 * called. The interpreter enters it where an instruction's handler is VM_OP_DIRECT, and goes on by itself where direct
 * code ends.
 *
 * Direct code keeps all that the interpreter keeps: registers are in the rank's window after every instruction, costs
 * are charged where blocks end, fuel is tested at taken branches and calls. So it can end before any instruction, and
 * the interpreter then does that one: what is uncommon (accesses that are not near, divisions that trap, full stacks,
 * calls of externs) has its text in cases.h alone.
 */
#ifndef ORRERY_VM_DIRECT_H
#define ORRERY_VM_DIRECT_H

#include "vm/rank/rank.h"

/* Why direct code ended, and what the interpreter is to do at VmDirectStay.ip. */
typedef enum VmDirectEnd {
    VM_DIRECT_DO,       /* run this instruction by its own case */
    VM_DIRECT_ARRIVED,  /* a jump or call has led here: test the fuel, go on */
    VM_DIRECT_RETURNED, /* a return has led here: go on */
    VM_DIRECT_CALLED,   /* the extern that this instruction calls has answered VmDirectStay.result */
} VmDirectEnd;

/* The interpreter's state during one stay in direct code, which begins with it and leaves it up to date. */
typedef struct VmDirectStay {
    uint64_t *registers; /* the running frame's window */
    VmCallFrame *frame;
    uint8_t *data;
    uint64_t data_base, limit;
    int64_t fuel;
    uint64_t sp;
    const VmInstr *ip;
    VmCallResult result;
    uint64_t stack_low;
    /* constant: */
    VmRank *rank;
    uint64_t deadline; /* clock when there is no fuel left */
    const VmCallFrame *frame_end;
    const uint64_t *register_end;
    const VmInstr *code;
} VmDirectStay;

typedef struct VmDirect VmDirect;

/* Lets the functions of a decoded image have direct code, if this host can run such. */
void vm_direct_prepare(VmImage *image);
/* Takes that back, for tests of the interpreter: no function gets direct code from now on. No rank may have run yet. */
void vm_direct_forgo(VmImage *image);
/* Makes the code of the function that `ip` is in, unless it was made before. Returns the entry there; NULL: there is
 * none. Threads may call this for the same image. */
const void *vm_direct_make(VmImage *image, const VmInstr *ip);
/* No direct code of this function is entered from now on, because there is better. */
void vm_direct_withdraw(VmImage *image, uint32_t function);
/* Runs direct code from `entry`. */
VmDirectEnd vm_direct_enter(const VmImage *image, VmDirectStay *stay, const void *entry);

#endif
