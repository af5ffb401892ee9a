/* inline.c - replaces calls of small functions by their bodies.
 *
 * The unit's driver (unit.c) finishes a function after the functions that it calls, if they may be inlined. So a body
 * that is copied has had its own calls inlined. A function that may be inlined later is kept as an expansion: packed
 * intermediate code without unreachable blocks. A call of a function that is not finished, because calls form a cycle,
 * stays a call.
 *
 *      caller: | a b CALL c d |     ->   | a b moves | blocks of the callee ... result, jump | c d |
 *
 * Copied code keeps its source locations. CcIrLoc.inlined names the expansion that it belongs to, so that call stacks
 * and debuggers show the call as if it had been made. The callee's objects come after the caller's own in the memory
 * frame, at the same offset for all calls, because they are never alive together.
 *
 * Not inlined are functions where the caller could notice a difference (setjmp; alloca and variable-length arrays,
 * whose memory would be released too late; labels as values), variadic functions, and weak functions, which another
 * definition may replace.
 */
#include "compiler/arena/arena.h"
#include "compiler/ir/ir.h"
#include "compiler/object/object.h"
#include "compiler/optimise/optimise.h"
#include "compiler/tree/tree.h"
#include "vcode/calling.h"

#include <string.h>

struct CcExpansion {
    CcIrFunction *f; /* packed: blocks[] has the order of the layout; blocks[0] begins with ENTER */
    uint32_t size;   /* number of instructions, without moves */
    CcReg *unset;    /* variables that may be read before they are set, and must be 0 at every call */
    uint32_t n_unset;
};

/* The sizes up to which functions are inlined, by optimisation level. A call grows the code by at most `small`. It may
 * grow more if the program asks for it, or if code disappears elsewhere. */
static const struct Budget {
    uint32_t small;     /* of any function; at -O1 only if it calls nothing */
    uint32_t hinted;    /* of a function declared inline */
    uint32_t only_call; /* of a static function that is mentioned only in this call */
    uint64_t frame;     /* bytes of memory frame; not for the only call */
    bool calls;         /* functions up to `small` may call others */
} budgets[] = {{0, 0, 0, 0, false}, {12, 40, 300, 256, false}, {30, 120, 800, 1024, true}, {60, 250, 1600, 4096, true}};
enum {
    LARGE_CALLER = 8000, /* a larger caller inlines only what is small at -O1 */
    LARGEST_CALLER = 1 << 18,
    LARGEST_SOURCE = 500, /* a function with more source lines is not finished before its caller */
};

static const struct Budget *budget_of(const CcGenerate *g)
{
    return &budgets[CLAMP(g->unit->options->optimise, 0, 3)];
}

/* -- what may be inlined ----------------------------------------------------------------------- */

bool cc_inline_may(const CcSymbol *symbol)
{
    const CcFunctionBody *body = symbol->body;
    if (!body || symbol->no_inline || symbol->weak || symbol->alias || body->calls_setjmp || symbol->type->variadic)
        return false;
    return symbol->always_inline || symbol->inline_ || body->end.file != symbol->loc.file ||
           body->end.line - symbol->loc.line < LARGEST_SOURCE;
}

static bool is_only_call(const CcSymbol *symbol)
{
    return symbol->storage == CC_STATIC && symbol->references == 1;
}

static bool is_copyable(const CcIrFunction *f, const CcIrInstr *i)
{
    switch (i->op) {
    case VCODE_ALLOCA:
    case VCODE_GETSP:
    case VCODE_SETSP:
    case VCODE_JMPR:
    case CC_IR_LABEL: return false;
    case CC_IR_CALL: return f->calls[i->extra].function != f->symbol;
    default: return true;
    }
}

static bool has_weight(unsigned op)
{
    return op != VCODE_NOP && op != VCODE_ENTER && op != VCODE_JMP && op != VCODE_RET && op != VCODE_RETV &&
           op != VCODE_MOV && op != CC_IR_FRAME;
}

/* Measures a function. Returns false if it cannot be copied. */
static bool measure(const CcIrFunction *f, uint32_t *size, bool *calls)
{
    *size = 0;
    *calls = false;
    for (const CcIrBlock *b = f->first; b; b = b->next) {
        if (!b->reached)
            continue;
        for (uint32_t k = 0; k < b->count; k++) {
            if (!is_copyable(f, &b->items[k]))
                return false;
            *size += has_weight(b->items[k].op);
            *calls |= b->items[k].op == CC_IR_CALL;
        }
    }
    return true;
}

static bool fits(const CcGenerate *g, const CcIrFunction *f, uint32_t size, bool calls)
{
    const struct Budget *budget = budget_of(g);
    const CcSymbol *symbol = f->symbol;
    if (symbol->always_inline)
        return size <= LARGE_CALLER;
    if (is_only_call(symbol) && size <= budget->only_call)
        return true;
    if (f->frame_bytes > budget->frame)
        return false;
    return size <= (symbol->inline_ ? budget->hinted : budget->small) && (budget->calls || symbol->inline_ || !calls);
}

/* -- copying code ------------------------------------------------------------------------------ */

typedef struct Copy {
    CcIrFunction *to;
    const CcIrFunction *from;
    CcReg regs;                                               /* number added to registers of `from` */
    uint32_t locs, calls, switches, objects, pieces, inlines; /* offsets added to the numbers of `from` */
    uint32_t inlined;   /* CcIrLoc.inlined of code that is in no expansion in `from` */
    CcIrBlock **blocks; /* by block number in `from` */
    bool is_call;       /* a call is expanded, and the next two fields are used */
    CcReg result;       /* register for the result, or CC_NO_REG */
    CcIrBlock *rest;    /* block where control continues */
} Copy;

static CcReg map_reg(const Copy *c, CcReg reg)
{
    return reg == CC_NO_REG ? CC_NO_REG : reg + c->regs;
}

static uint32_t map_inlined(const Copy *c, uint32_t inlined)
{
    return inlined ? inlined + c->inlines : c->inlined;
}

/* Returns the copy of a block. An unreachable switch may lead to blocks that are not copied; then any block will do. */
static CcIrBlock *map_block(const Copy *c, const CcIrBlock *b)
{
    CcIrBlock *copy = c->blocks[b->index];
    return copy ? copy : c->blocks[c->from->first->index];
}

/* Makes room for `more` items. The first time it is exact, which saves memory. */
static void reserve(CcArena *arena, void **items, uint32_t count, uint32_t *capacity, uint32_t more, size_t size)
{
    if (count + more <= *capacity)
        return;
    uint32_t wanted = count ? MAX(*capacity * 2, count + more) : more;
    void *grown = cc_arena_alloc(arena, wanted * size);
    if (count)
        memcpy(grown, *items, count * size);
    *items = grown;
    *capacity = wanted;
}
#define RESERVE(c, field)                                                                                              \
    reserve((c)->to->arena, (void **)&(c)->to->field, (c)->to->n_##field, &(c)->to->field##_capacity,                  \
            (c)->from->n_##field, sizeof *(c)->to->field)

static void copy_tables(Copy *c)
{
    CcIrFunction *to = c->to;
    const CcIrFunction *from = c->from;
    RESERVE(c, regs);
    for (uint32_t i = 0; i < from->n_regs; i++)
        to->regs[to->n_regs++] = from->regs[i];
    RESERVE(c, locs);
    for (uint32_t i = 0; i < from->n_locs; i++) {
        CcIrLoc loc = from->locs[i];
        loc.inlined = map_inlined(c, loc.inlined);
        loc.part_of += loc.part_of ? c->locs : 0;
        to->locs[to->n_locs++] = loc;
    }
    RESERVE(c, inlines);
    for (uint32_t i = 0; i < from->n_inlines; i++)
        to->inlines[to->n_inlines++] = (CcIrInline){from->inlines[i].symbol, from->inlines[i].call + c->locs};
    RESERVE(c, calls);
    for (uint32_t i = 0; i < from->n_calls; i++) {
        CcIrCall call = from->calls[i];
        call.callee = map_reg(c, call.callee);
        call.arguments = cc_arena_alloc(to->arena, (call.n + 1) * sizeof(CcReg));
        for (uint32_t k = 0; k < call.n; k++)
            call.arguments[k] = map_reg(c, from->calls[i].arguments[k]);
        to->calls[to->n_calls++] = call;
    }
    RESERVE(c, switches);
    for (uint32_t i = 0; i < from->n_switches; i++) {
        CcIrSwitch s = from->switches[i];
        s.targets = cc_arena_alloc(to->arena, (s.n + 1) * sizeof *s.targets);
        for (uint32_t k = 0; k < s.n; k++)
            s.targets[k] = map_block(c, from->switches[i].targets[k]);
        s.otherwise = map_block(c, s.otherwise);
        to->switches[to->n_switches++] = s;
    }
}

/* Appends the callee's objects to the caller's. */
static void copy_frame(Copy *c, uint64_t base)
{
    CcIrFunction *to = c->to;
    const CcIrFunction *from = c->from;
    RESERVE(c, objects);
    for (uint32_t i = 0; i < from->n_objects; i++) {
        CcIrObject object = from->objects[i];
        object.offset += base;
        to->objects[to->n_objects++] = object;
    }
    to->frame_bytes = MAX(to->frame_bytes, base + from->frame_bytes);
    RESERVE(c, pieces);
    for (uint32_t i = 0; i < from->n_pieces; i++) {
        CcIrPiece piece = from->pieces[i];
        piece.reg = map_reg(c, piece.reg);
        to->pieces[to->n_pieces++] = piece;
    }
    RESERVE(c, variables);
    for (uint32_t i = 0; i < from->n_variables; i++) {
        CcIrVariable v = from->variables[i];
        v.reg = map_reg(c, v.reg);
        v.loc_low += c->locs;
        v.loc_high += c->locs;
        v.inlined = map_inlined(c, v.inlined);
        v.where += v.location == VCODE_AT_FRAME ? c->objects : v.location == VCODE_AT_PLACES ? c->pieces : 0;
        to->variables[to->n_variables++] = v;
    }
}

static void copy_instruction(const Copy *c, CcIrBlock *into, const CcIrInstr *from)
{
    CcIrInstr *i = cc_ir_append(c->to, into, from->op);
    *i = *from;
    i->a = map_reg(c, i->a);
    i->b = map_reg(c, i->b);
    i->c = map_reg(c, i->c);
    i->loc += c->locs;
    switch (i->op) {
    case CC_IR_CALL: i->extra += c->calls; break;
    case CC_IR_FRAME: i->extra += c->objects; break;
    case VCODE_SWITCH: i->extra += c->switches; break;
    default: break;
    }
}

/* Copies a return. Reaching the end of a function without a value makes the value 0. */
static void copy_return(const Copy *c, CcIrBlock *into, const CcIrInstr *from)
{
    if (c->result != CC_NO_REG) {
        bool has_value = from->op == VCODE_RET;
        CcIrInstr *i = cc_ir_append(c->to, into, has_value ? VCODE_MOV : CC_IR_CONSTANT);
        i->a = c->result;
        i->b = has_value ? map_reg(c, from->a) : CC_NO_REG;
        i->loc = from->loc + c->locs;
    }
    cc_ir_append(c->to, into, VCODE_JMP)->loc = from->loc + c->locs;
    into->target[0] = c->rest;
}

static void copy_block(const Copy *c, const CcIrBlock *b, CcIrBlock *into, uint32_t first)
{
    reserve(c->to->arena, (void **)&into->items, into->count, &into->capacity, b->count + 1, sizeof *into->items);
    for (uint32_t k = first; k < b->count; k++) {
        const CcIrInstr *i = &b->items[k];
        if (c->is_call && (i->op == VCODE_RET || i->op == VCODE_RETV))
            copy_return(c, into, i);
        else
            copy_instruction(c, into, i);
    }
    for (unsigned t = 0; t < 2; t++)
        if (b->target[t] && c->blocks[b->target[t]->index] && !into->target[t])
            into->target[t] = c->blocks[b->target[t]->index];
}

static Copy copy_start(CcIrFunction *to, const CcIrFunction *from)
{
    Copy c = {.to = to,
              .from = from,
              .regs = to->n_regs,
              .locs = to->n_locs,
              .calls = to->n_calls,
              .switches = to->n_switches,
              .objects = to->n_objects,
              .pieces = to->n_pieces,
              .inlines = to->n_inlines};
    c.blocks = g_new0(CcIrBlock *, from->n_blocks + 1);
    for (const CcIrBlock *b = from->first; b; b = b->next)
        if (b->reached)
            c.blocks[b->index] = cc_ir_block_new(to);
    return c;
}

/* Copies a whole function to a function of its own. */
static CcIrFunction *copy_function(const CcIrFunction *from, CcArena *arena)
{
    CcIrFunction *to = CC_NEW(arena, CcIrFunction);
    to->arena = arena;
    Copy c = copy_start(to, from);
    copy_tables(&c);
    copy_frame(&c, 0);
    for (const CcIrBlock *b = from->first; b; b = b->next) {
        if (!b->reached)
            continue;
        CcIrBlock *into = c.blocks[b->index];
        into->reached = true;
        copy_block(&c, b, into, 0);
        cc_ir_place(to, into);
    }
    g_free(c.blocks);
    to->symbol = from->symbol;
    to->symbol_index = from->symbol_index;
    to->n_parameters = from->n_parameters;
    to->frame = from->frame;
    return to;
}

/* -- expansions -------------------------------------------------------------------------------- */

static void reach(CcIrBlock *b, void *user)
{
    GPtrArray *list = user;
    if (b->reached)
        return;
    b->reached = true;
    g_ptr_array_add(list, b);
}

static void find_reached(CcIrFunction *f)
{
    g_autoptr(GPtrArray) list = g_ptr_array_new();
    for (uint32_t i = 0; i < f->n_blocks; i++)
        f->blocks[i]->reached = false;
    reach(f->first, list);
    for (uint32_t i = 0; i < f->n_blocks; i++)
        if (f->blocks[i]->address_taken && f->blocks[i]->placed)
            reach(f->blocks[i], list);
    while (list->len)
        cc_ir_successors(f, g_ptr_array_steal_index_fast(list, list->len - 1), reach, list);
}

typedef struct Unset {
    CcIrFunction *f;
    uint64_t *in; /* per block: set of variables that may be read before they are set, from its start on */
    uint32_t n_words;
    uint64_t *join; /* scratch set for one block */
} Unset;

static void join_successor(CcIrBlock *successor, void *user)
{
    const Unset *u = user;
    for (uint32_t w = 0; w < u->n_words; w++)
        u->join[w] |= u->in[(size_t)successor->index * u->n_words + w];
}

static void read_reg(const Unset *u, CcReg reg)
{
    u->join[reg / 64] |= UINT64_C(1) << reg % 64;
}

static bool update_unset(Unset *u, CcIrBlock *b)
{
    memset(u->join, 0, u->n_words * sizeof *u->join);
    cc_ir_successors(u->f, b, join_successor, u);
    for (uint32_t k = b->count; k-- > 0;) {
        CcReg set = cc_ir_defined(&b->items[k]);
        CcIrUses uses = cc_ir_uses(u->f, &b->items[k]);
        if (set != CC_NO_REG)
            u->join[set / 64] &= ~(UINT64_C(1) << set % 64);
        for (unsigned i = 0; i < uses.n; i++)
            read_reg(u, *uses.field[i]);
        for (unsigned i = 0; i < uses.n_list; i++)
            read_reg(u, uses.list[i]);
    }
    uint64_t *in = &u->in[(size_t)b->index * u->n_words];
    bool changed = memcmp(in, u->join, u->n_words * sizeof *in) != 0;
    memcpy(in, u->join, u->n_words * sizeof *in);
    return changed;
}

/* Finds the registers that may be read before they are set. In a new frame they are 0. In a loop of the caller they
 * would keep what the last turn left. */
static void find_unset(CcExpansion *e)
{
    CcIrFunction *f = e->f;
    Unset u = {.f = f, .n_words = (f->n_regs + 63) / 64};
    u.in = g_new0(uint64_t, (size_t)u.n_words * f->n_blocks + 1);
    u.join = g_new0(uint64_t, u.n_words + 1);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = f->n_blocks; i-- > 0;)
            changed |= update_unset(&u, f->blocks[i]);
    }
    const uint64_t *in = &u.in[(size_t)f->first->index * u.n_words];
    e->unset = cc_arena_alloc(f->arena, (f->n_regs + 1) * sizeof(CcReg));
    for (CcReg reg = f->n_parameters; reg < f->n_regs; reg++)
        if (in[reg / 64] >> reg % 64 & 1)
            e->unset[e->n_unset++] = reg;
    g_free(u.in);
    g_free(u.join);
}

CcExpansion *cc_inline_keep(CcGenerate *g, CcIrFunction *f)
{
    uint32_t size;
    bool calls;
    if (!cc_inline_may(f->symbol) || f->frame_bytes > INT32_MAX)
        return NULL;
    find_reached(f);
    if (!measure(f, &size, &calls) || !fits(g, f, size, calls))
        return NULL;
    CcExpansion *e = CC_NEW(g->expansions, CcExpansion);
    e->f = copy_function(f, g->expansions);
    e->size = size;
    find_unset(e);
    return e;
}

/* -- calls ------------------------------------------------------------------------------------- */

typedef struct Caller {
    CcGenerate *g;
    CcIrFunction *f;
    uint64_t own_frame; /* bytes; inlined objects come after them */
    uint32_t size;      /* number of instructions, with what was inlined */
} Caller;

/* Splits a block after instruction k. Returns the new block with the rest. No instruction is copied. */
static CcIrBlock *split(CcIrFunction *f, CcIrBlock *b, uint32_t k)
{
    CcIrBlock *rest = cc_ir_block_new(f);
    rest->items = b->items + k + 1;
    rest->count = rest->capacity = b->count - k - 1;
    rest->target[0] = b->target[0];
    rest->target[1] = b->target[1];
    rest->next = b->next;
    rest->placed = true;
    if (f->last == b)
        f->last = rest;
    b->count = b->capacity = k;
    b->target[0] = b->target[1] = NULL;
    return rest;
}

static void pass_arguments(const Copy *c, const CcExpansion *e, const CcReg *arguments, CcIrBlock *into, uint32_t loc)
{
    for (uint32_t i = 0; i < e->f->n_parameters; i++) {
        CcIrInstr *move = cc_ir_append(c->to, into, VCODE_MOV);
        move->a = map_reg(c, i);
        move->b = arguments[i];
        move->loc = loc;
    }
    for (uint32_t i = 0; i < e->n_unset; i++) {
        CcIrInstr *zero = cc_ir_append(c->to, into, CC_IR_CONSTANT);
        zero->a = map_reg(c, e->unset[i]);
        zero->loc = loc;
    }
}

/* Replaces instruction k of the block by the expansion. Returns the block with the code after the call. */
static CcIrBlock *expand(Caller *caller, CcIrBlock *b, uint32_t k, const CcExpansion *e)
{
    CcIrFunction *f = caller->f;
    CcIrInstr call = b->items[k];
    CcIrBlock *rest = split(f, b, k);
    CcIrInline *record = CC_IR_PUSH(f, inlines);
    *record = (CcIrInline){e->f->symbol, call.loc};
    Copy c = copy_start(f, e->f);
    c.inlined = f->n_inlines;
    c.is_call = true;
    c.result = call.a;
    c.rest = rest;
    copy_tables(&c);
    copy_frame(&c, caller->own_frame);
    pass_arguments(&c, e, f->calls[call.extra].arguments, b, call.loc);
    for (const CcIrBlock *from = e->f->first; from; from = from->next) {
        CcIrBlock *into = from == e->f->first ? b : c.blocks[from->index];
        copy_block(&c, from, into, from == e->f->first);
        if (into == b)
            continue;
        into->placed = true;
        b->next = into;
        b = into;
    }
    b->next = rest;
    g_free(c.blocks);
    caller->size += e->size;
    return rest;
}

/* Returns whether the frame would grow too much. A recursive caller would need the memory at each level, though it
 * calls the function only at some. */
static bool is_wide(const Caller *caller, const CcExpansion *e)
{
    return e->f->frame_bytes > MAX(budget_of(caller->g)->frame, 4 * caller->own_frame);
}

static const CcExpansion *expansion_for(const Caller *caller, const CcIrInstr *i)
{
    if (i->op != CC_IR_CALL)
        return NULL;
    const CcIrCall *call = &caller->f->calls[i->extra];
    const CcStorageInfo *info = call->function ? call->function->back : NULL;
    const CcExpansion *e = info ? info->expansion : NULL;
    if (!e || call->n != e->f->n_parameters || call->passing != VCODE_PASS_PLAIN)
        return NULL;
    uint32_t size = caller->size + e->size;
    bool wanted = (size <= LARGE_CALLER || e->size <= budgets[1].small) && !is_wide(caller, e);
    return size <= LARGEST_CALLER && (wanted || call->function->always_inline) ? e : NULL;
}

static uint32_t size_of(const CcIrFunction *f)
{
    uint32_t n = 0;
    for (const CcIrBlock *b = f->first; b; b = b->next)
        n += b->count;
    return n;
}

/* Inlines calls. A function that calls setjmp stays as it is, because longjmp must find its registers unmoved. */
void cc_inline_calls(CcGenerate *g, CcIrFunction *f)
{
    Caller caller = {g, f, f->frame_bytes, size_of(f)};
    if (f->returns_twice || f->frame_bytes > INT32_MAX)
        return;
    for (CcIrBlock *b = f->first; b; b = b->next)
        for (uint32_t k = 0; k < b->count; k++) {
            const CcExpansion *e = expansion_for(&caller, &b->items[k]);
            if (!e)
                continue;
            b = expand(&caller, b, k, e);
            k = UINT32_MAX; /* so that the next instruction is the block's first */
        }
}

CcIrFunction *cc_inline_copy(const CcExpansion *expansion, CcArena *arena)
{
    return copy_function(expansion->f, arena);
}
