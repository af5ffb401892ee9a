/* x86.c - the form of x86-64 instructions: prefixes, opcode, operands (Intel's manual, volume 2, chapter 2). */
#include "x86.h"

#include <string.h>

static void put(X86Text *t, unsigned byte)
{
    *t->at++ = (uint8_t)byte;
}

static void put32(X86Text *t, uint32_t value)
{
    memcpy(t->at, &value, sizeof value);
    t->at += sizeof value;
}

/* A register in the REX prefix has its fourth bit; `bytes` asks for the prefix, without which 4 to 7 are other byte
 * registers. */
static void put_prefix(X86Text *t, bool wide, bool bytes, unsigned reg, X86Place place)
{
    unsigned rex = 0x40 | (unsigned)wide << 3 | (reg >> 3 & 1) << 2 |
                   (unsigned)(place.has_index && place.index > 7) << 1 | (place.base > 7);
    if (rex != 0x40 || bytes)
        put(t, rex);
}

static void put_operands(X86Text *t, unsigned reg, X86Place place)
{
    unsigned low = place.base & 7, field = (reg & 7) << 3;
    if (!place.is_memory) {
        put(t, 0xc0 | field | low);
        return;
    }
    bool byte = place.displacement == (int8_t)place.displacement;
    unsigned mode = place.displacement == 0 && low != X_RBP ? 0 : byte ? 0x40 : 0x80;
    if (place.has_index) {
        put(t, mode | field | 4);
        put(t, (unsigned)place.scale << 6 | (place.index & 7u) << 3 | low);
    } else {
        put(t, mode | field | low);
        if (low == X_RSP)
            put(t, 0x24);
    }
    if (mode == 0x40)
        put(t, (uint8_t)place.displacement);
    else if (mode == 0x80)
        put32(t, (uint32_t)place.displacement);
}

void vm_x86_op(X86Text *t, X86Op op, bool wide, unsigned reg, X86Place place)
{
    unsigned prefix = op >> 16, opcode = op & 0xffff;
    if (prefix)
        put(t, prefix);
    bool bytes = op == X_STORE8 || (!place.is_memory && (op == X_MOVZX8 || op == X_MOVSX8));
    put_prefix(t, wide, bytes, reg, place);
    if (opcode > 0xff)
        put(t, opcode >> 8);
    put(t, opcode & 0xff);
    put_operands(t, reg, place);
}

void vm_x86_immediate(X86Text *t, unsigned what, bool wide, X86Place place, int32_t value)
{
    bool byte = value == (int8_t)value;
    put_prefix(t, wide, false, 0, place);
    put(t, byte ? 0x83 : 0x81);
    put_operands(t, what, place);
    if (byte)
        put(t, (uint8_t)value);
    else
        put32(t, (uint32_t)value);
}

void vm_x86_shift(X86Text *t, unsigned what, bool wide, unsigned reg, unsigned count)
{
    put_prefix(t, wide, false, 0, vm_x86_reg(reg));
    put(t, 0xc1);
    put_operands(t, what, vm_x86_reg(reg));
    put(t, count);
}

void vm_x86_shift_by_cl(X86Text *t, unsigned what, bool wide, unsigned reg)
{
    put_prefix(t, wide, false, 0, vm_x86_reg(reg));
    put(t, 0xd3);
    put_operands(t, what, vm_x86_reg(reg));
}

void vm_x86_alone(X86Text *t, unsigned what, bool wide, X86Place place)
{
    put_prefix(t, wide, false, 0, place);
    put(t, 0xf7);
    put_operands(t, what, place);
}

void vm_x86_bit(X86Text *t, unsigned what, unsigned reg, unsigned bit)
{
    put_prefix(t, true, false, 0, vm_x86_reg(reg));
    put(t, 0x0f);
    put(t, 0xba);
    put_operands(t, what, vm_x86_reg(reg));
    put(t, bit);
}

void vm_x86_multiply_by(X86Text *t, bool wide, unsigned reg, X86Place place, int32_t value)
{
    put_prefix(t, wide, false, reg, place);
    put(t, 0x69);
    put_operands(t, reg, place);
    put32(t, (uint32_t)value);
}

void vm_x86_constant(X86Text *t, unsigned reg, uint64_t value)
{
    if (value == 0) {
        vm_x86_op(t, X_XOR, false, reg, vm_x86_reg(reg));
    } else if (value <= UINT32_MAX) {
        put_prefix(t, false, false, 0, vm_x86_reg(reg));
        put(t, 0xb8 | (reg & 7));
        put32(t, (uint32_t)value);
    } else if (value == (uint64_t)(int64_t)(int32_t)value) {
        put_prefix(t, true, false, 0, vm_x86_reg(reg));
        put(t, 0xc7);
        put_operands(t, 0, vm_x86_reg(reg));
        put32(t, (uint32_t)value);
    } else {
        put_prefix(t, true, false, 0, vm_x86_reg(reg));
        put(t, 0xb8 | (reg & 7));
        put32(t, (uint32_t)value);
        put32(t, (uint32_t)(value >> 32));
    }
}

void vm_x86_store_constant(X86Text *t, X86Place place, int32_t value)
{
    put_prefix(t, true, false, 0, place);
    put(t, 0xc7);
    put_operands(t, 0, place);
    put32(t, (uint32_t)value);
}

void vm_x86_swap_bytes(X86Text *t, bool wide, unsigned reg)
{
    put_prefix(t, wide, false, 0, vm_x86_reg(reg));
    put(t, 0x0f);
    put(t, 0xc8 | (reg & 7));
}

void vm_x86_set_byte(X86Text *t, X86Condition condition, unsigned reg)
{
    put_prefix(t, false, true, 0, vm_x86_reg(reg));
    put(t, 0x0f);
    put(t, 0x90u | condition);
    put_operands(t, 0, vm_x86_reg(reg));
}

void vm_x86_set(X86Text *t, X86Condition condition, unsigned reg)
{
    vm_x86_set_byte(t, condition, reg);
    vm_x86_op(t, X_MOVZX8, false, reg, vm_x86_reg(reg));
}

void vm_x86_sign_into_rdx(X86Text *t, bool wide)
{
    if (wide)
        put(t, 0x48);
    put(t, 0x99);
}

void vm_x86_push(X86Text *t, unsigned reg)
{
    put_prefix(t, false, false, 0, vm_x86_reg(reg));
    put(t, 0x50 | (reg & 7));
}

void vm_x86_pop(X86Text *t, unsigned reg)
{
    put_prefix(t, false, false, 0, vm_x86_reg(reg));
    put(t, 0x58 | (reg & 7));
}

void vm_x86_return(X86Text *t)
{
    put(t, 0xc3);
}

void vm_x86_jump_through(X86Text *t, X86Place place)
{
    put_prefix(t, false, false, 0, place);
    put(t, 0xff);
    put_operands(t, 4, place);
}

void vm_x86_call_through(X86Text *t, unsigned reg)
{
    put_prefix(t, false, false, 0, vm_x86_reg(reg));
    put(t, 0xff);
    put_operands(t, 2, vm_x86_reg(reg));
}

uint8_t *vm_x86_jump(X86Text *t)
{
    put(t, 0xe9);
    put32(t, 0);
    return t->at;
}

uint8_t *vm_x86_call(X86Text *t)
{
    put(t, 0xe8);
    put32(t, 0);
    return t->at;
}

uint8_t *vm_x86_jump_if(X86Text *t, X86Condition condition)
{
    put(t, 0x0f);
    put(t, 0x80u | condition);
    put32(t, 0);
    return t->at;
}

void vm_x86_target(uint8_t *jump, const uint8_t *target)
{
    int32_t distance = (int32_t)(target - jump);
    memcpy(jump - sizeof distance, &distance, sizeof distance);
}

void vm_x86_here(X86Text *t, uint8_t *jump)
{
    vm_x86_target(jump, t->at);
}
