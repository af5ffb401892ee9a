/* native.h - the native tier as the interpreter sees it: code that may be entered, and entering it. */
#ifndef ORRERY_VM_NATIVE_H
#define ORRERY_VM_NATIVE_H

#include "vm/prelude/prelude.h"
#include "vm/rank/rank.h"

/* Code of an image that has been loaded so far. VmImage.native points to it once the interpreter may enter; ways and
 * functions become more while ranks run. */
typedef struct VmNativeCode {
    const Way **ways;  /* by instruction of the module; NULL: no entry */
    Callee *functions; /* by function */
    int64_t bias;      /* q8 cycles: printed code's fuel is the interpreter's less this */
    uint32_t room;     /* registers above windows that may begin; units that need more test for that */
    uint64_t low;      /* lowest private address that the code was printed for */
    size_t host_stack; /* bytes of the host's stack that one stay in printed code may use */
} VmNativeCode;

/* Calls that may follow each other without a test of their depth: those that calls.c lets be, copies of the
 * last function (bounds.c), a function that calls no others, and calls that became jumps. */
enum { VM_NATIVE_DEPTH = VM_NATIVE_LEVELS + 8 + 1 + VM_NATIVE_TAILS + 1 };

typedef enum VmNativeEnd {
    VM_NATIVE_RETURNED, /* the function, with its result and the fuel left */
    VM_NATIVE_LEFT,     /* the rank's state says where it stands: the interpreter does that instruction */
    VM_NATIVE_AGAIN     /* the same, but that instruction is an entry that is to be taken */
} VmNativeEnd;

/* Runs printed code from rank->pc, where `way` leads in, with the rank's state saved, for as long as `*fuel` (q8
 * cycles) lasts. */
VmNativeEnd vm_native_enter(VmRank *rank, const VmNativeCode *code, const Way *way, int64_t *fuel, uint64_t *result);

/* Whether entering is worth trying. */
static inline bool vm_native_ready(const VmRank *rank, const VmNativeCode *code, const Way *way, int64_t fuel)
{
    return fuel > code->bias && rank->near_low == code->low &&
           rank->depth + 2 * (uint64_t)VM_NATIVE_DEPTH < rank->world->limits.call_depth &&
           rank->frames[rank->depth - 1].window + MAX(way->room, code->room) <= vm_frames_most_registers(rank);
}

/* -- samples (watch.c) ------------------------------------------------------------------------- */

typedef struct VmWatch VmWatch;
typedef VmStop VmLoop(VmRank *rank, uint64_t quantum); /* of the interpreter */
/* Runs the loop, with samples; may end a run early, as a quantum would. */
VmStop vm_watch_run(VmWatch *watch, VmRank *rank, uint64_t quantum, VmLoop *loop);

#endif
