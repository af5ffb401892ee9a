/* registers.c - assigns a frame register ("place") to every virtual register, and a window to every call.
 *
 * The number of frame registers is practically not limited, so nothing is ever spilled. What counts is a small frame
 * (it is cleared at every call and costs memory in deep recursion) and few moves. The method is linear scan over live
 * intervals (Poletto and Sarkar, TOPLAS 21:5, 1999). An interval reaches from the first to the last position of a
 * register's live range (live_ranges.c). Two registers may share a place if their intervals are disjoint.
 *
 *      R[0] ...               R[window] ...
 *      | alive across a call | arguments, then the callee's whole frame |
 *
 * The window of a call begins above everything that is alive after it. An argument whose last use is the call gets the
 * place where the call needs it, if that place is free. emit.c moves the other arguments there.
 */
#include "compiler/arena/arena.h"
#include "compiler/emit/emit.h"
#include "compiler/ir/ir.h"

#include <stdlib.h>
#include <string.h>

#define NEVER UINT32_MAX

typedef struct Call {
    uint32_t position; /* 2 * number of the instruction */
    CcIrInstr *instr;
} Call;

typedef struct Scan {
    CcIrFunction *f;
    uint32_t n_positions; /* number of instructions; each has two positions */
    uint32_t *starts;     /* first positions of the blocks, ascending */
    uint32_t n_starts;
    Call *calls;
    uint32_t n_calls;
    uint32_t *wanted_call;  /* register -> 1 + index in calls[] of the call that it is an argument of; NEVER: it is a
                               call's result */
    uint32_t *wanted_index; /* register -> index of that argument; for a result: the window */
    CcReg *copied_from;     /* register -> the register that a move copies into it, or CC_NO_REG */
    CcReg *active;          /* registers that have a place now: a heap ordered by end */
    uint32_t n_active;      /* length of the heap */
    uint64_t *taken;        /* one bit per place */
    uint32_t n_places;
    CcReg *occupant; /* register that has each place */
    uint32_t top;    /* no place from here on was ever taken */
} Scan;

/* -- intervals --------------------------------------------------------------------------------- */

static void note_call(Scan *s, CcIrInstr *i, uint32_t position)
{
    const CcIrCall *call = &s->f->calls[i->extra];
    s->calls[s->n_calls++] = (Call){position, i};
    for (uint32_t k = 0; k < call->n; k++) {
        s->wanted_call[call->arguments[k]] = s->n_calls;
        s->wanted_index[call->arguments[k]] = k;
    }
}

/* Returns whether the interval crosses into another block, that is, whether some block begins inside it. */
static bool crosses_blocks(const Scan *s, const CcIrReg *r)
{
    uint32_t low = 0, high = s->n_starts;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (s->starts[middle] <= r->start)
            low = middle + 1;
        else
            high = middle;
    }
    return low < s->n_starts && s->starts[low] <= r->end;
}

/* Stretches an interval to the whole function if longjmp may come back into it. The value must still be there then,
 * however long after its last use. */
static void stretch_whole(Scan *s, CcReg reg)
{
    CcIrFunction *f = s->f;
    CcIrReg *r = &f->regs[reg];
    bool set = r->end != NEVER || reg < f->n_parameters;
    if (set && (r->pinned || (f->returns_twice && r->end != NEVER && crosses_blocks(s, r)))) {
        r->start = 0;
        r->end = s->n_positions * 2;
    } else if (reg < f->n_parameters && r->end != NEVER) {
        r->start = 0;
    }
}

static void find_intervals(Scan *s)
{
    CcIrFunction *f = s->f;
    uint32_t n_calls = 0;
    f->live = cc_live_ranges(f, f->arena);
    s->starts = cc_arena_alloc(f->arena, (f->n_blocks + 1) * sizeof *s->starts);
    for (CcIrBlock *b = f->first; b; b = b->next) {
        s->starts[s->n_starts++] = s->n_positions * 2;
        s->n_positions += b->count;
        for (uint32_t k = 0; k < b->count; k++)
            n_calls += b->items[k].op == CC_IR_CALL;
    }
    s->calls = cc_arena_alloc(f->arena, (n_calls + 1) * sizeof *s->calls);
    for (CcReg reg = 0; reg < f->n_regs; reg++) {
        const CcLiveRange *range = &f->live[reg];
        f->regs[reg].start = range->n ? range->items[0].start : NEVER;
        f->regs[reg].end = range->n ? range->items[range->n - 1].end : NEVER;
        s->copied_from[reg] = CC_NO_REG;
        stretch_whole(s, reg);
    }
    for (CcIrBlock *b = f->first; b; b = b->next)
        for (uint32_t k = 0; k < b->count; k++) {
            CcIrInstr *i = &b->items[k];
            if (i->op == CC_IR_CALL)
                note_call(s, i, b->first_position + 2 * k);
            if (i->op == VCODE_MOV)
                s->copied_from[i->a] = i->b;
        }
}

/* -- the scan ---------------------------------------------------------------------------------- */

static void heap_push(Scan *s, CcReg reg)
{
    const CcIrReg *regs = s->f->regs;
    uint32_t i = s->n_active++;
    for (; i && regs[s->active[(i - 1) / 2]].end > regs[reg].end; i = (i - 1) / 2)
        s->active[i] = s->active[(i - 1) / 2];
    s->active[i] = reg;
}

static void heap_pop(Scan *s)
{
    const CcIrReg *regs = s->f->regs;
    CcReg moved = s->active[--s->n_active];
    uint32_t i = 0;
    for (;;) {
        uint32_t child = 2 * i + 1;
        if (child + 1 < s->n_active && regs[s->active[child + 1]].end < regs[s->active[child]].end)
            child++;
        if (child >= s->n_active || regs[s->active[child]].end >= regs[moved].end)
            break;
        s->active[i] = s->active[child];
        i = child;
    }
    s->active[i] = moved;
}

static bool is_taken(const Scan *s, uint32_t place)
{
    return s->taken[place / 64] >> place % 64 & 1;
}

static void expire(Scan *s, uint32_t position)
{
    while (s->n_active && s->f->regs[s->active[0]].end < position) {
        uint32_t place = s->f->regs[s->active[0]].place;
        s->taken[place / 64] &= ~(UINT64_C(1) << place % 64);
        heap_pop(s);
    }
}

/* Returns the first place above all that are still needed after `position`. Searches from the top, where few places are
 * taken. */
static uint32_t window_above(const Scan *s, uint32_t position)
{
    for (uint32_t w = (s->top + 63) / 64; w-- > 0;)
        for (uint64_t bits = s->taken[w]; bits;) {
            uint32_t bit = 63 - (uint32_t)__builtin_clzll(bits);
            if (s->f->regs[s->occupant[w * 64 + bit]].end > position)
                return w * 64 + bit + 1;
            bits &= ~(UINT64_C(1) << bit);
        }
    return 0;
}

static uint32_t lowest_free(const Scan *s)
{
    uint32_t w = 0;
    while (s->taken[w] == UINT64_MAX)
        w++;
    return w * 64 + (uint32_t)__builtin_ctzll(~s->taken[w]);
}

static uint32_t choose_place(const Scan *s, CcReg reg)
{
    const CcIrReg *r = &s->f->regs[reg];
    uint32_t wish = NEVER;
    if (s->wanted_call[reg] && s->calls[s->wanted_call[reg] - 1].position == r->end) {
        wish = window_above(s, r->end) + s->wanted_index[reg];
    } else if (s->copied_from[reg] != CC_NO_REG) {
        const CcIrReg *source = &s->f->regs[s->copied_from[reg]];
        wish = source->start < r->start && source->end < r->start ? source->place : NEVER;
    }
    /* A free place stays free: only parameters have fixed places, and their intervals all start at 0. */
    return wish < s->n_places && !is_taken(s, wish) ? wish : lowest_free(s);
}

static void take(Scan *s, CcReg reg, uint32_t place)
{
    s->f->regs[reg].place = place;
    s->taken[place / 64] |= UINT64_C(1) << place % 64;
    s->occupant[place] = reg;
    s->top = MAX(s->top, place + 1);
    heap_push(s, reg);
}

static void set_window(Scan *s, const Call *call)
{
    expire(s, call->position);
    uint32_t window = window_above(s, call->position);
    s->f->calls[call->instr->extra].window = window;
    CcReg result = call->instr->a; /* the result should stay in the window's first register, where it arrives */
    if (result != CC_NO_REG && !s->wanted_call[result]) {
        s->wanted_call[result] = NEVER;
        s->wanted_index[result] = window;
    }
}

typedef struct Interval {
    uint32_t start;
    CcReg reg;
} Interval;

static int compare_intervals(const void *a, const void *b)
{
    const Interval *x = a, *y = b;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return x->reg < y->reg ? -1 : 1;
}

static void scan(Scan *s, const Interval *intervals, uint32_t n)
{
    uint32_t next_call = 0;
    for (uint32_t i = 0; i < n; i++) {
        CcReg reg = intervals[i].reg;
        while (next_call < s->n_calls && s->calls[next_call].position < intervals[i].start)
            set_window(s, &s->calls[next_call++]);
        expire(s, intervals[i].start);
        if (reg < s->f->n_parameters) {
            take(s, reg, reg);
        } else if (s->wanted_call[reg] == NEVER) {
            uint32_t window = s->wanted_index[reg];
            take(s, reg, is_taken(s, window) ? lowest_free(s) : window);
        } else {
            take(s, reg, choose_place(s, reg));
        }
    }
    while (next_call < s->n_calls)
        set_window(s, &s->calls[next_call++]);
}

void cc_assign_registers(CcIrFunction *f)
{
    Scan s = {.f = f};
    size_t size = (f->n_regs + 1) * sizeof(uint32_t);
    s.wanted_call = cc_arena_alloc(f->arena, size);
    s.wanted_index = cc_arena_alloc(f->arena, size);
    s.copied_from = cc_arena_alloc(f->arena, size);
    s.active = cc_arena_alloc(f->arena, size);
    find_intervals(&s);
    Interval *intervals = cc_arena_alloc(f->arena, (f->n_regs + 1) * sizeof *intervals);
    uint32_t n = 0;
    for (CcReg reg = 0; reg < f->n_regs; reg++)
        if (f->regs[reg].end != NEVER)
            intervals[n++] = (Interval){f->regs[reg].start, reg};
    qsort(intervals, n, sizeof *intervals, compare_intervals);
    s.n_places = n + 2 * VCODE_MAX_ARGUMENTS;
    s.occupant = cc_arena_alloc(f->arena, (s.n_places + 64) * sizeof *s.occupant);
    s.taken = cc_arena_alloc(f->arena, (s.n_places / 64 + 1) * sizeof *s.taken);
    scan(&s, intervals, n);
}
