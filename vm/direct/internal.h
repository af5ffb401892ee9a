/* internal.h - what the files of this room share: the code of one function while it is made.
 *
 *   x86.c       the form of machine instructions
 *   held.c      which registers of the processor hold registers of the rank
 *   compute.c   instructions that only compute
 *   access.c    loads, stores, copies of blocks
 *   control.c   branches, calls, returns
 *   function.c  functions: their instructions one by one, entries, what stands out of line
 *   direct.c    all of an image: memory for code, entering it
 *
 * The processor's registers during direct code:
 *
 *   rbx   the window, 16 registers up, so that the first 32 are near
 *   rbp   the frame              rdi  VmDirectStay
 *   r12   data    r13  data_base    r14  limit    r15  fuel (loop.h has these names, too)
 *   rax, rcx, xmm0, xmm1   free within an instruction
 *   others                 copies of the rank's registers (held.c); nothing is only there
 */
#ifndef ORRERY_VM_DIRECT_INTERNAL_H
#define ORRERY_VM_DIRECT_INTERNAL_H

#include "direct.h"
#include "x86.h"

#include <stddef.h>

enum {
    REG_FRAME = X_RBP,
    REG_WINDOW = X_RBX,
    REG_STAY = X_RDI,
    REG_DATA = X_R12,
    REG_DATA_BASE = X_R13,
    REG_LIMIT = X_R14,
    REG_FUEL = X_R15,
};
enum { WINDOW_BIAS = 16 * 8 };
enum { PC_SHIFT = 5 }; /* sizeof(VmInstr) is 1 << 5 */

/* Which of the rank's registers the processor's registers hold; NOTHING: none. */
enum { NOTHING = -1, X86_REGISTERS = 16 };
typedef struct Held {
    int32_t whole[X86_REGISTERS]; /* general registers */
    int32_t real[X86_REGISTERS];  /* xmm registers */
    bool narrow[X86_REGISTERS];   /* the xmm register's second 32 bits are known to be 0 */
    uint32_t in_use, real_in_use; /* bit sets: operands of this instruction */
    uint32_t kept, real_kept;     /* bit sets: what the loop around wants at its head */
    unsigned next, next_real;     /* where to look first for one to give up */
} Held;

/* What stands behind the function, so that it is not in the way. */
typedef enum LaterKind {
    LATER_DO,       /* ends: the interpreter does the instruction */
    LATER_ARRIVE,   /* ends at a target: no fuel is left */
    LATER_TAKEN,    /* a branch has been taken: tests fuel, goes on at the target */
    LATER_CONSTANT, /* a load that is not near may read a constant */
    LATER_ENTRY,    /* a way in from outside to a target at which something is held */
} LaterKind;
typedef struct Later {
    LaterKind kind;
    uint32_t pc;               /* the instruction, or the target */
    uint8_t *jump;             /* comes from here */
    uint8_t *back;             /* CONSTANT: goes on here */
    struct DirectEntry *entry; /* ENTRY */
    X86Op load;                /* CONSTANT */
    bool wide;
    uint8_t reg, size;
} Later;

typedef struct Jump {
    uint8_t *jump;
    uint32_t target;
} Jump;

/* What all functions of an image share, in the memory for code: ends, by VmDirectEnd, with the instruction or its
 * distance from the first in bytes in rax; calling an extern, with the instruction in rsi, which comes back with it in
 * rax and tells by the flags whether all is done. */
enum { END_KINDS = VM_DIRECT_CALLED + 1 };
typedef struct Common {
    uint8_t *at[END_KINDS], *distance[END_KINDS];
    uint8_t *call_extern;
} Common;

typedef struct Maker {
    X86Text text;
    const uint8_t *limit; /* end of the memory for code */
    const VmImage *image;
    const Common *common;
    const VcodeFunction *function;
    uint32_t pc;     /* the instruction that is being made */
    uint8_t **marks; /* by instruction of the function: its text; for jumps forward, where that differs: `ahead` */
    uint8_t **ahead;
    bool *targets;   /* by instruction of the function: jumps lead here */
    uint32_t *loops; /* by instruction of the function: where the last jump back to it stands, + 1; 0: none does */
    Held **arrivals; /* by instruction of the function: what is held wherever a jump comes from */
    bool reachable;  /* control may come from the instruction before */
    uint32_t loop_end;
    Held held;
    GArray *jumps;  /* Jump */
    GArray *laters; /* Later */
} Maker;

/* -- what holds what (held.c) ------------------------------------------------------------------ */

X86Place vm_held_place(unsigned reg);
/* The general or xmm register that holds the value of one of the rank's. It stays so to the end of the instruction. */
unsigned vm_held_take(Maker *m, unsigned reg);
unsigned vm_held_take_real(Maker *m, unsigned reg);
/* The same of a float whose xmm register has zeros above. */
unsigned vm_held_take_float(Maker *m, unsigned reg);
/* A register for a result. It may not be that of an operand. */
unsigned vm_held_fresh(Maker *m);
unsigned vm_held_fresh_real(Maker *m);
/* Operands may be overwritten from here on. */
void vm_held_release(Maker *m);
/* `x86` is the new value of `reg`: writes it to the window. */
void vm_held_set(Maker *m, unsigned reg, unsigned x86);
void vm_held_set_real(Maker *m, unsigned reg, unsigned xmm, bool narrow);
/* Only an xmm register holds it. */
bool vm_held_only_real(const Maker *m, unsigned reg);
/* The general or xmm register that holds `reg`; NOTHING: none. */
int vm_held_holder(const Maker *m, unsigned reg);
int vm_held_real_holder(const Maker *m, unsigned reg);
/* `to` holds only what `from` holds at the same place. */
void vm_held_meet(Held *to, const Held *from);
/* Makes what is held here what is held there. Changes no flags of the processor. */
void vm_held_become(Maker *m, const Held *there);
/* No copies of the rank's registers from here on: all, those in xmm registers, in one general register. */
void vm_held_forget_all(Maker *m);
void vm_held_forget_real(Maker *m);
void vm_held_forget_register(Maker *m, unsigned x86);

/* -- instructions. Each returns false if the interpreter must do it. --------- */

bool vm_compute_make(Maker *m, const VmInstr *i, VmOp op);
bool vm_access_make(Maker *m, const VmInstr *i, VmOp op);
bool vm_control_make(Maker *m, const VmInstr *i, VmOp op);
/* What precedes the instruction of a VM_OP_LOST. May be done twice. */
bool vm_control_clear_lost(Maker *m, const VmInstr *i, const VmLost *lost);

/* -- the function (function.c) ------------------------------------------------------------------- */

/* Ends at this instruction, at once, or where `jump` comes from. */
void vm_function_end_here(Maker *m);
void vm_function_end_at(Maker *m, uint8_t *jump);
void vm_function_add_later(Maker *m, Later later);
/* Whether the register's next use, before it changes, is that of a double (or float). */
bool vm_function_uses_real(const Maker *m, unsigned reg);
/* Where a function may be entered. */
typedef struct DirectEntry {
    uint8_t *text; /* NULL: not here */
    bool useful;   /* does something, and not only ends */
} DirectEntry;
/* Notes, or brings about, what is held where a jump from here leads; returns where it leads in the text, if that is
 * known. */
uint8_t *vm_function_arrive(Maker *m, uint32_t target);
/* Makes the code of function `index`. Returns its end; NULL: there is not enough room. `entries` are by instruction of
 * the function, and empty before. */
uint8_t *vm_function_make(const VmImage *image, uint32_t index, const Common *common, uint8_t *at, const uint8_t *limit,
                          DirectEntry *entries);

#endif
