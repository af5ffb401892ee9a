/* x86.h - writes x86-64 instructions into memory. Registers have the numbers that the processor gives them. */
#ifndef ORRERY_VM_DIRECT_X86_H
#define ORRERY_VM_DIRECT_X86_H

#include <stdbool.h>
#include <stdint.h>

/* clang-format off */
enum {
    X_RAX, X_RCX, X_RDX, X_RBX, X_RSP, X_RBP, X_RSI, X_RDI, X_R8, X_R9, X_R10, X_R11, X_R12, X_R13, X_R14, X_R15,
};

/* Opcodes of instructions with a register and a place, as prefix << 16 | opcode; two-byte opcodes begin with 0x0f. */
typedef enum X86Op {
    X_ADD = 0x03, X_OR = 0x0b, X_AND = 0x23, X_SUB = 0x2b, X_XOR = 0x33, X_CMP = 0x3b, X_MOVSXD = 0x63, X_TEST = 0x85,
    X_STORE8 = 0x88, X_STORE = 0x89, X_LOAD = 0x8b, X_LEA = 0x8d, X_STORE16 = 0x660089,
    X_CMOVZ = 0x0f44, X_CMOVNZ = 0x0f45, X_IMUL = 0x0faf, X_MOVZX8 = 0x0fb6, X_MOVZX16 = 0x0fb7, X_BT = 0x0fa3,
    X_BSF = 0x0fbc, X_BSR = 0x0fbd, X_MOVSX8 = 0x0fbe, X_MOVSX16 = 0x0fbf,
    X_MOVUPS = 0x0f10, X_MOVUPS_STORE = 0x0f11, X_MOVAPS = 0x0f28, X_XORPS = 0x0f57,
    X_UCOMISS = 0x0f2e, X_COMISS = 0x0f2f, X_UCOMISD = 0x660f2e, X_COMISD = 0x660f2f,
    X_MOVD = 0x660f6e, X_MOVD_STORE = 0x660f7e,
    X_MOVSD = 0xf20f10, X_MOVSD_STORE = 0xf20f11, X_CVTSI2SD = 0xf20f2a, X_CVTTSD2SI = 0xf20f2c, X_SQRTSD = 0xf20f51,
    X_ADDSD = 0xf20f58, X_MULSD = 0xf20f59, X_CVTSD2SS = 0xf20f5a, X_SUBSD = 0xf20f5c, X_DIVSD = 0xf20f5e,
    X_MOVSS = 0xf30f10, X_MOVSS_STORE = 0xf30f11, X_CVTSI2SS = 0xf30f2a,
    X_ADDSS = 0xf30f58, X_MULSS = 0xf30f59, X_CVTSS2SD = 0xf30f5a, X_SUBSS = 0xf30f5c, X_DIVSS = 0xf30f5e,
} X86Op;

/* Operations of the processor's groups: the number in the place of a register. */
enum { X_DO_ADD = 0, X_DO_OR = 1, X_DO_AND = 4, X_DO_SUB = 5, X_DO_XOR = 6, X_DO_CMP = 7 };                /* immediate */
enum { X_DO_ROL = 0, X_DO_SHL = 4, X_DO_SHR = 5, X_DO_SAR = 7 };                                           /* shifts */
enum { X_DO_NOT = 2, X_DO_NEG = 3, X_DO_MUL = 4, X_DO_IMUL = 5, X_DO_DIV = 6, X_DO_IDIV = 7 };             /* one operand */
enum { X_DO_BTR = 6, X_DO_BTC = 7 };                                                                       /* bits */

typedef enum X86Condition {
    X_IF_B = 2, X_IF_AE = 3, X_IF_E = 4, X_IF_NE = 5, X_IF_BE = 6, X_IF_A = 7, X_IF_P = 10, X_IF_NP = 11, X_IF_L = 12,
    X_IF_GE = 13, X_IF_LE = 14, X_IF_G = 15,
} X86Condition;
/* clang-format on */

/* A register, or memory at base + (index << scale) + displacement. */
typedef struct X86Place {
    bool is_memory, has_index;
    uint8_t base, index, scale;
    int32_t displacement;
} X86Place;

typedef struct X86Text {
    uint8_t *at; /* where the next instruction goes */
} X86Text;

static inline X86Place vm_x86_reg(unsigned reg)
{
    return (X86Place){.base = (uint8_t)reg};
}

static inline X86Place vm_x86_at(unsigned base, int32_t displacement)
{
    return (X86Place){.is_memory = true, .base = (uint8_t)base, .displacement = displacement};
}

static inline X86Place vm_x86_indexed(unsigned base, unsigned index, unsigned scale)
{
    return (X86Place){
        .is_memory = true, .has_index = true, .base = (uint8_t)base, .index = (uint8_t)index, .scale = (uint8_t)scale};
}

/* `wide`: on 64 bits, else on 32. */
void vm_x86_op(X86Text *t, X86Op op, bool wide, unsigned reg, X86Place place);
/* A group's operation on a place: with an immediate, shifted by a constant or by CL, alone, on one bit. */
void vm_x86_immediate(X86Text *t, unsigned what, bool wide, X86Place place, int32_t value);
void vm_x86_shift(X86Text *t, unsigned what, bool wide, unsigned reg, unsigned count);
void vm_x86_shift_by_cl(X86Text *t, unsigned what, bool wide, unsigned reg);
void vm_x86_alone(X86Text *t, unsigned what, bool wide, X86Place place);
void vm_x86_bit(X86Text *t, unsigned what, unsigned reg, unsigned bit);
void vm_x86_multiply_by(X86Text *t, bool wide, unsigned reg, X86Place place, int32_t value);
void vm_x86_constant(X86Text *t, unsigned reg, uint64_t value);
/* Stores a sign-extended constant of 64 bits. */
void vm_x86_store_constant(X86Text *t, X86Place place, int32_t value);
void vm_x86_swap_bytes(X86Text *t, bool wide, unsigned reg);
/* reg = the condition, as 0 or 1; a register's low byte = the condition. */
void vm_x86_set(X86Text *t, X86Condition condition, unsigned reg);
void vm_x86_set_byte(X86Text *t, X86Condition condition, unsigned reg);
void vm_x86_sign_into_rdx(X86Text *t, bool wide);
void vm_x86_push(X86Text *t, unsigned reg);
void vm_x86_pop(X86Text *t, unsigned reg);
void vm_x86_return(X86Text *t);
void vm_x86_jump_through(X86Text *t, X86Place place);
void vm_x86_call_through(X86Text *t, unsigned reg);
/* Jumps to, or calls, a place that is told later by vm_x86_here() or vm_x86_target(), with what these return; or at
 * once. */
uint8_t *vm_x86_jump(X86Text *t);
uint8_t *vm_x86_call(X86Text *t);
uint8_t *vm_x86_jump_if(X86Text *t, X86Condition condition);
void vm_x86_here(X86Text *t, uint8_t *jump);
void vm_x86_target(uint8_t *jump, const uint8_t *target);

#endif
