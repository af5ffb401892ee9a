/* held.c - which registers of the processor hold registers of the rank.
 *
 * What an instruction computes goes to the rank's window at once, so the window is right at every moment; what is held
 * here are copies, which spare the next instructions the way through memory. They are given up where jumps arrive, and
 * behind calls.
 */
#include "internal.h"

#include <string.h>

static const uint8_t pool[] = {X_RSI, X_R8, X_R9, X_R10, X_R11, X_RDX};
enum { FIRST_REAL = 2 };

X86Place vm_held_place(unsigned reg)
{
    return vm_x86_at(REG_WINDOW, (int32_t)(8 * reg) - WINDOW_BIAS);
}

int vm_held_holder(const Maker *m, unsigned reg)
{
    for (size_t k = 0; k < sizeof pool; k++)
        if (m->held.whole[pool[k]] == (int32_t)reg)
            return pool[k];
    return NOTHING;
}

int vm_held_real_holder(const Maker *m, unsigned reg)
{
    for (int x = FIRST_REAL; x < X86_REGISTERS; x++)
        if (m->held.real[x] == (int32_t)reg)
            return x;
    return NOTHING;
}

bool vm_held_only_real(const Maker *m, unsigned reg)
{
    return vm_held_holder(m, reg) == NOTHING && vm_held_real_holder(m, reg) != NOTHING;
}

unsigned vm_held_fresh(Maker *m)
{
    Held *h = &m->held;
    unsigned best = sizeof pool;
    for (unsigned k = 0; k < sizeof pool; k++) {
        unsigned turn = (h->next + k) % sizeof pool;
        if (h->in_use >> pool[turn] & 1)
            continue;
        if (h->whole[pool[turn]] == NOTHING) {
            best = turn;
            break;
        }
        if (best == sizeof pool || (h->kept >> pool[best] & 1 && !(h->kept >> pool[turn] & 1)))
            best = turn;
    }
    g_assert(best < sizeof pool);
    h->next = best + 1;
    h->whole[pool[best]] = NOTHING;
    h->in_use |= 1u << pool[best];
    return pool[best];
}

unsigned vm_held_fresh_real(Maker *m)
{
    Held *h = &m->held;
    unsigned best = 0;
    for (unsigned k = 0; k < X86_REGISTERS - FIRST_REAL; k++) {
        unsigned x = FIRST_REAL + (h->next_real + k) % (X86_REGISTERS - FIRST_REAL);
        if (h->real_in_use >> x & 1)
            continue;
        if (h->real[x] == NOTHING) {
            best = x;
            break;
        }
        if (!best || (h->real_kept >> best & 1 && !(h->real_kept >> x & 1)))
            best = x;
    }
    g_assert(best);
    h->next_real = best - FIRST_REAL + 1;
    h->real[best] = NOTHING;
    h->real_in_use |= 1u << best;
    return best;
}

unsigned vm_held_take(Maker *m, unsigned reg)
{
    int held = vm_held_holder(m, reg);
    unsigned x86 = held == NOTHING ? vm_held_fresh(m) : (unsigned)held;
    if (held == NOTHING) {
        vm_x86_op(&m->text, X_LOAD, true, x86, vm_held_place(reg));
        m->held.whole[x86] = (int32_t)reg;
    }
    m->held.in_use |= 1u << x86;
    return x86;
}

unsigned vm_held_take_real(Maker *m, unsigned reg)
{
    int held = vm_held_real_holder(m, reg), whole = vm_held_holder(m, reg);
    unsigned xmm = held == NOTHING ? vm_held_fresh_real(m) : (unsigned)held;
    if (held == NOTHING) {
        if (whole != NOTHING)
            vm_x86_op(&m->text, X_MOVD, true, xmm, vm_x86_reg((unsigned)whole));
        else
            vm_x86_op(&m->text, X_MOVSD, false, xmm, vm_held_place(reg));
        m->held.real[xmm] = (int32_t)reg;
        m->held.narrow[xmm] = false;
    }
    m->held.real_in_use |= 1u << xmm;
    return xmm;
}

unsigned vm_held_take_float(Maker *m, unsigned reg)
{
    int held = vm_held_real_holder(m, reg);
    if (held != NOTHING && m->held.narrow[held]) {
        m->held.real_in_use |= 1u << held;
        return (unsigned)held;
    }
    unsigned xmm = vm_held_fresh_real(m);
    vm_x86_op(&m->text, X_MOVSS, false, xmm, vm_held_place(reg));
    return xmm;
}

void vm_held_release(Maker *m)
{
    m->held.in_use = m->held.real_in_use = 0;
}

static void forget(Maker *m, unsigned reg)
{
    int whole = vm_held_holder(m, reg), real = vm_held_real_holder(m, reg);
    if (whole != NOTHING)
        m->held.whole[whole] = NOTHING;
    if (real != NOTHING)
        m->held.real[real] = NOTHING;
}

void vm_held_set(Maker *m, unsigned reg, unsigned x86)
{
    forget(m, reg);
    m->held.whole[x86] = (int32_t)reg;
    vm_x86_op(&m->text, X_STORE, true, x86, vm_held_place(reg));
}

void vm_held_set_real(Maker *m, unsigned reg, unsigned xmm, bool narrow)
{
    forget(m, reg);
    m->held.real[xmm] = (int32_t)reg;
    m->held.narrow[xmm] = narrow;
    vm_x86_op(&m->text, X_MOVSD_STORE, false, xmm, vm_held_place(reg));
}

void vm_held_forget_real(Maker *m)
{
    for (unsigned x = 0; x < X86_REGISTERS; x++)
        m->held.real[x] = NOTHING;
}

void vm_held_forget_all(Maker *m)
{
    vm_held_forget_real(m);
    for (unsigned x = 0; x < X86_REGISTERS; x++)
        m->held.whole[x] = NOTHING;
}

void vm_held_forget_register(Maker *m, unsigned x86)
{
    m->held.whole[x86] = NOTHING;
    m->held.in_use |= 1u << x86;
}

void vm_held_meet(Held *to, const Held *from)
{
    for (unsigned x = 0; x < X86_REGISTERS; x++) {
        if (to->whole[x] != from->whole[x])
            to->whole[x] = NOTHING;
        if (to->real[x] != from->real[x])
            to->real[x] = NOTHING;
        to->narrow[x] &= from->narrow[x];
    }
}

/* Whatever is not at hand is in the window. */
void vm_held_become(Maker *m, const Held *there)
{
    for (unsigned k = 0; k < sizeof pool; k++) {
        unsigned x = pool[k];
        int32_t reg = there->whole[x];
        if (reg == NOTHING || m->held.whole[x] == reg)
            continue;
        int now = vm_held_holder(m, (unsigned)reg);
        vm_x86_op(&m->text, X_LOAD, true, x, now == NOTHING ? vm_held_place((unsigned)reg) : vm_x86_reg((unsigned)now));
        if (now != NOTHING)
            m->held.whole[now] = NOTHING;
        m->held.whole[x] = reg;
    }
    for (unsigned x = FIRST_REAL; x < X86_REGISTERS; x++) {
        int32_t reg = there->real[x];
        if (reg == NOTHING || (m->held.real[x] == reg && (m->held.narrow[x] || !there->narrow[x])))
            continue;
        int now = vm_held_real_holder(m, (unsigned)reg);
        if (now != NOTHING && now != (int)x && (m->held.narrow[now] || !there->narrow[x])) {
            vm_x86_op(&m->text, X_MOVAPS, false, x, vm_x86_reg((unsigned)now));
            m->held.real[now] = NOTHING;
        } else {
            vm_x86_op(&m->text, there->narrow[x] ? X_MOVSS : X_MOVSD, false, x, vm_held_place((unsigned)reg));
            if (now != NOTHING)
                m->held.real[now] = NOTHING;
        }
        m->held.real[x] = reg;
        m->held.narrow[x] = there->narrow[x];
    }
}
