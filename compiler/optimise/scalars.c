/* scalars.c - replaces memory of the frame by registers, where the address does not escape.
 *
 * This is for structs, small arrays with constant indices, complex numbers, and variables whose address went only to
 * calls that were inlined. If all uses of an object of the frame are seen here, it is taken apart into pieces: the
 * bytes that its loads and stores touch. Each piece becomes a register. Copies between such objects become moves of
 * pieces. Stores to pieces that nothing reads are removed.
 *
 *      struct { int a, b; } s, t;     s.a = 1; t = s; use(t.a)     ->     s0 = 1; t0 = s0; use(t0)
 *
 * A register stands for an address in the frame if it is set once, from the frame's address by constant steps. If an
 * object is copied from or to other memory, the copy becomes loads or stores of its pieces (split.c). Where those would
 * be too many, it stays a copy through the object's old memory in the frame: pieces are loaded from there after a copy
 * in, and stored there before a copy out. Either is done only where it costs no more than it saves.
 *
 * An object stays in memory if its address is stored, passed, compared, or indexed by a variable; if accesses overlap
 * partly (unions of different shapes, most bit-fields); if it is volatile; or if the function calls setjmp.
 */
#include "compiler/optimise/scalars.h"

#include "compiler/arena/arena.h"
#include "compiler/ir/ir.h"
#include "compiler/optimise/optimise.h"

#include <string.h>

enum { MOST_PIECES = 32, MOST_ROUNDS = 16, DEEPEST_ADDRESS = 64 };

/* -- addresses --------------------------------------------------------------------------------- */

static void find_setters(CcScalars *s)
{
    CcIrFunction *f = s->f;
    for (CcReg reg = 0; reg < f->n_parameters; reg++)
        s->times[reg] = 2;
    for (CcIrBlock *b = f->first; b; b = b->next)
        for (uint32_t k = 0; k < b->count; k++) {
            CcReg set = cc_ir_defined(&b->items[k]);
            if (set == CC_NO_REG)
                continue;
            s->times[set] = (uint8_t)MIN(s->times[set] + 1, 2);
            s->setter[set] = &b->items[k];
        }
}

static bool constant_of(const CcScalars *s, CcReg reg, int64_t *value)
{
    for (unsigned depth = 0; depth < DEEPEST_ADDRESS && s->times[reg] == 1; depth++) {
        const CcIrInstr *i = s->setter[reg];
        *value = i->imm;
        if (i->op == CC_IR_CONSTANT)
            return true;
        if (i->op != VCODE_MOV)
            return false;
        reg = i->b;
    }
    return false;
}

static CcFrameAddress resolve(CcScalars *s, CcReg reg, unsigned depth);

static CcFrameAddress stepped(CcScalars *s, CcReg base, int64_t by, unsigned depth)
{
    CcFrameAddress address = resolve(s, base, depth + 1);
    address.offset = (int64_t)((uint64_t)address.offset + (uint64_t)by);
    return address;
}

static CcFrameAddress resolve(CcScalars *s, CcReg reg, unsigned depth)
{
    if (s->resolved[reg] || s->times[reg] != 1 || depth > DEEPEST_ADDRESS)
        return s->address[reg];
    const CcIrInstr *i = s->setter[reg];
    int64_t index;
    s->resolved[reg] = 1;
    CcFrameAddress address = {0, 0};
    if (i->op == CC_IR_FRAME)
        address = (CcFrameAddress){i->extra + 1, i->imm};
    else if (i->op == VCODE_MOV)
        address = stepped(s, i->b, 0, depth);
    else if (i->op == VCODE_ADDI_L)
        address = stepped(s, i->b, i->imm, depth);
    else if (i->op == VCODE_LEAX && constant_of(s, i->c, &index))
        address = stepped(s, i->b, (int64_t)((uint64_t)index << i->n), depth);
    if (address.object)
        s->address[reg] = address;
    s->resolved[reg] = 2;
    return s->address[reg];
}

static bool is_inside(const CcScalars *s, CcFrameAddress address, uint64_t size)
{
    uint64_t whole = s->f->objects[address.object - 1].size;
    return address.offset >= 0 && (uint64_t)address.offset <= whole && size <= whole - (uint64_t)address.offset;
}

/* -- loads and stores -------------------------------------------------------------------------- */

typedef struct Access {
    CcFrameAddress address;
    uint64_t size;
    bool load, is_signed, known; /* known: is_signed follows from the instruction */
} Access;

static bool access_kind(const CcIrInstr *i, Access *access)
{
    static const struct {
        uint16_t op;
        uint8_t size;
        bool load, is_signed, indexed;
    } kinds[] = {
        {VCODE_LD8S, 1, true, true, false},   {VCODE_LD8U, 1, true, false, false},
        {VCODE_LD16S, 2, true, true, false},  {VCODE_LD16U, 2, true, false, false},
        {VCODE_LD32S, 4, true, true, false},  {VCODE_LD32U, 4, true, false, false},
        {VCODE_LD64, 8, true, false, false},  {VCODE_ST8, 1, false, false, false},
        {VCODE_ST16, 2, false, false, false}, {VCODE_ST32, 4, false, false, false},
        {VCODE_ST64, 8, false, false, false}, {VCODE_LDX8S, 1, true, true, true},
        {VCODE_LDX8U, 1, true, false, true},  {VCODE_LDX16S, 2, true, true, true},
        {VCODE_LDX16U, 2, true, false, true}, {VCODE_LDX32S, 4, true, true, true},
        {VCODE_LDX32U, 4, true, false, true}, {VCODE_LDX64, 8, true, false, true},
        {VCODE_STX8, 1, false, false, true},  {VCODE_STX16, 2, false, false, true},
        {VCODE_STX32, 4, false, false, true}, {VCODE_STX64, 8, false, false, true},
    };
    for (unsigned k = 0; k < G_N_ELEMENTS(kinds); k++)
        if (kinds[k].op == i->op) {
            bool stores = !kinds[k].load;
            bool is_signed = stores ? !kinds[k].indexed && i->n == CC_STORES_SIGNED : kinds[k].is_signed;
            *access = (Access){.size = kinds[k].size, .load = kinds[k].load, .is_signed = is_signed};
            access->known = kinds[k].load || !kinds[k].indexed;
            return true;
        }
    return false;
}

/* Returns whether the instruction loads or stores. access->address.object is 0 if the address is not known. */
static bool access_of(CcScalars *s, const CcIrInstr *i, Access *access)
{
    VcodeForm form = cc_ir_form(i->op);
    if ((form != VCODE_FORM_LOAD && form != VCODE_FORM_STORE && form != VCODE_FORM_LOADX &&
         form != VCODE_FORM_STOREX) ||
        !access_kind(i, access))
        return false;
    access->address = resolve(s, i->b, 0);
    int64_t index = 0;
    if (form == VCODE_FORM_LOADX || form == VCODE_FORM_STOREX) {
        if (!constant_of(s, i->c, &index))
            access->address.object = 0;
        index = (int64_t)((uint64_t)index << i->n);
    } else {
        index = i->imm;
    }
    access->address.offset = (int64_t)((uint64_t)access->address.offset + (uint64_t)index);
    if (access->address.object && (i->volatile_ || !is_inside(s, access->address, access->size)))
        access->address.object = 0;
    return true;
}

/* -- pieces ------------------------------------------------------------------------------------ */

static CcPiece *find_piece(const CcFrameObject *o, uint64_t offset)
{
    for (uint32_t i = 0; i < o->n_pieces; i++)
        if (o->pieces[i].offset == offset)
            return &o->pieces[i];
    return NULL;
}

const CcPiece *cc_scalars_piece_from(const CcFrameObject *o, uint64_t offset)
{
    const CcPiece *first = NULL;
    for (uint32_t i = 0; i < o->n_pieces; i++)
        if (o->pieces[i].offset + o->pieces[i].size > offset && (!first || o->pieces[i].offset < first->offset))
            first = &o->pieces[i];
    return first;
}

bool cc_scalars_add_piece(CcScalars *s, CcFrameObject *o, uint64_t offset, const CcPiece *like)
{
    if (o->stays)
        return false;
    CcPiece *same = find_piece(o, offset);
    if (same && same->size == like->size) {
        if (!same->known) {
            same->is_signed = like->is_signed;
            same->known = like->known;
        }
        return false;
    }
    o->stays = o->n_pieces == MOST_PIECES;
    for (uint32_t i = 0; i < o->n_pieces; i++)
        o->stays |= offset < o->pieces[i].offset + o->pieces[i].size && o->pieces[i].offset < offset + like->size;
    if (o->stays)
        return true;
    if (!o->pieces)
        o->pieces = cc_arena_alloc(s->f->arena, MOST_PIECES * sizeof(CcPiece));
    o->pieces[o->n_pieces++] = (CcPiece){offset, like->size, CC_NO_REG, like->is_signed, like->known, false};
    return true;
}

static bool overlaps(const CcPiece *p, uint64_t at, uint64_t size)
{
    return p->offset < at + size && at < p->offset + p->size;
}

static bool lies_in(const CcPiece *p, uint64_t at, uint64_t size)
{
    return p->offset >= at && p->offset + p->size <= at + size;
}

/* Makes an object stay if a block operation covers one of its pieces partly. Returns whether it does. */
static bool check_straddling(CcFrameObject *o, uint64_t at, uint64_t size)
{
    for (uint32_t i = 0; !o->stays && i < o->n_pieces; i++)
        if (overlaps(&o->pieces[i], at, size) && !lies_in(&o->pieces[i], at, size)) {
            o->stays = true;
            return true;
        }
    return false;
}

/* Gives `to` the pieces of `from` that lie in the copied bytes. */
static bool share_pieces(CcScalars *s, CcFrameAddress to, CcFrameAddress from, uint64_t size)
{
    CcFrameObject *source = cc_object_at(s, from), *target = cc_object_at(s, to);
    bool changed = false;
    for (uint32_t i = 0; i < source->n_pieces; i++) {
        const CcPiece *p = &source->pieces[i];
        if (lies_in(p, (uint64_t)from.offset, size))
            changed |= cc_scalars_add_piece(s, target, p->offset - (uint64_t)from.offset + (uint64_t)to.offset, p);
    }
    return changed;
}

static bool fit_block(CcScalars *s, const CcBlockOperation *block)
{
    bool to = cc_is_replaced(s, block->to), from = cc_is_replaced(s, block->from), changed = false;
    if (to)
        changed |= check_straddling(cc_object_at(s, block->to), (uint64_t)block->to.offset, block->size);
    if (from)
        changed |= check_straddling(cc_object_at(s, block->from), (uint64_t)block->from.offset, block->size);
    if (to && from && !changed) {
        changed |= share_pieces(s, block->to, block->from, block->size);
        changed |= share_pieces(s, block->from, block->to, block->size);
    }
    return changed;
}

/* -- what every register that holds an address is used for ------------------------------------- */

static void stay(CcScalars *s, CcReg reg)
{
    CcFrameObject *o = cc_object_at(s, resolve(s, reg, 0));
    if (o)
        o->stays = true;
}

static void note_access(CcScalars *s, const CcIrInstr *i, const Access *access)
{
    CcFrameObject *o = cc_object_at(s, access->address);
    bool indexed = cc_ir_form(i->op) == VCODE_FORM_LOADX || cc_ir_form(i->op) == VCODE_FORM_STOREX;
    if (!access->load)
        stay(s, i->a);
    if (indexed)
        stay(s, i->c);
    if (!o) {
        stay(s, i->b);
        return;
    }
    o->accesses++;
    CcPiece like = {0, access->size, CC_NO_REG, access->is_signed, access->known, false};
    (void)cc_scalars_add_piece(s, o, (uint64_t)access->address.offset, &like);
    CcPiece *piece = find_piece(o, (uint64_t)access->address.offset);
    if (piece && access->load) { /* loads tell best how the register is to be extended */
        piece->is_signed = access->is_signed;
        piece->read = true;
    }
}

static void note_block(CcScalars *s, const CcIrInstr *i)
{
    CcBlockOperation block = {resolve(s, i->a, 0), {0, 0}, (uint64_t)i->imm, i->op == VCODE_BZERO};
    if (i->op == VCODE_BCOPY)
        block.from = resolve(s, i->b, 0);
    bool same = block.to.object && block.to.object == block.from.object;
    same |= i->volatile_;
    if (block.to.object && (same || !is_inside(s, block.to, block.size)))
        cc_object_at(s, block.to)->stays = true;
    if (block.from.object && (same || !is_inside(s, block.from, block.size)))
        cc_object_at(s, block.from)->stays = true;
    if (block.to.object || block.from.object)
        g_array_append_val(s->blocks, block);
}

static bool is_null_test(const CcIrInstr *i)
{
    return (i->op == VCODE_SEQI || i->op == VCODE_SNEI || i->op == VCODE_BEQI || i->op == VCODE_BNEI) && i->imm == 0;
}

static void note_instruction(CcScalars *s, CcIrInstr *i)
{
    Access access;
    CcReg set = cc_ir_defined(i);
    if (access_of(s, i, &access)) {
        note_access(s, i, &access);
    } else if (i->op == VCODE_BCOPY || i->op == VCODE_BZERO) {
        note_block(s, i);
    } else if (!is_null_test(i) && !(set != CC_NO_REG && resolve(s, set, 0).object)) {
        CcIrUses uses = cc_ir_uses(s->f, i);
        for (unsigned u = 0; u < uses.n; u++)
            stay(s, *uses.field[u]);
        for (unsigned u = 0; u < uses.n_list; u++)
            stay(s, uses.list[u]);
        if (i->op == CC_IR_FRAME) /* into a register that is set elsewhere, too */
            s->objects[i->extra].stays = true;
    }
}

/* -- which objects are replaced ---------------------------------------------------------------- */

void cc_scalars_fit_blocks(CcScalars *s)
{
    bool changed = true;
    for (unsigned round = 0; changed && round < MOST_ROUNDS; round++) {
        changed = false;
        for (guint i = 0; i < s->blocks->len; i++)
            changed |= fit_block(s, &g_array_index(s->blocks, CcBlockOperation, i));
    }
    if (!changed)
        return;
    for (guint i = 0; i < s->blocks->len; i++) { /* a long chain in the wrong order has not settled */
        const CcBlockOperation *block = &g_array_index(s->blocks, CcBlockOperation, i);
        if (block->to.object)
            cc_object_at(s, block->to)->stays = true;
        if (block->from.object)
            cc_object_at(s, block->from)->stays = true;
    }
}

uint32_t cc_scalars_pieces_in(const CcFrameObject *o, uint64_t at, uint64_t size, bool only_read)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < o->n_pieces; i++)
        n += lies_in(&o->pieces[i], at, size) && (o->pieces[i].read || !only_read);
    return n;
}

/* Makes objects stay whose copies from and to other memory need more loads and stores than the object has now. Returns
 * whether any does. */
static bool check_profit(CcScalars *s)
{
    for (uint32_t o = 0; o < s->f->n_objects; o++) {
        s->objects[o].transfers = 0;
        s->objects[o].copied_out = false;
    }
    for (guint i = 0; i < s->blocks->len; i++) {
        const CcBlockOperation *block = &g_array_index(s->blocks, CcBlockOperation, i);
        bool to = cc_is_replaced(s, block->to), from = cc_is_replaced(s, block->from);
        CcFrameObject *target = cc_object_at(s, block->to), *source = cc_object_at(s, block->from);
        if (to && !from && !block->clears)
            target->transfers += cc_scalars_pieces_in(target, (uint64_t)block->to.offset, block->size, true);
        if (from && !to) {
            source->transfers += cc_scalars_pieces_in(source, (uint64_t)block->from.offset, block->size, false);
            source->copied_out = true;
        }
    }
    bool changed = false;
    for (uint32_t i = 0; i < s->f->n_objects; i++) {
        CcFrameObject *o = &s->objects[i];
        bool worse = !o->stays && o->transfers > o->accesses;
        o->stays |= worse;
        changed |= worse;
    }
    return changed;
}

static bool is_covered(const CcFrameObject *o, uint64_t at, uint64_t size)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < o->n_pieces; i++)
        bytes += lies_in(&o->pieces[i], at, size) ? o->pieces[i].size : 0;
    return bytes == size;
}

static bool spread_block(CcScalars *s, const CcBlockOperation *block)
{
    bool to = cc_is_replaced(s, block->to), from = cc_is_replaced(s, block->from), changed = false;
    CcFrameObject *target = cc_object_at(s, block->to), *source = cc_object_at(s, block->from);
    if (from && !to)
        for (uint32_t i = 0; i < source->n_pieces; i++)
            source->pieces[i].read |= lies_in(&source->pieces[i], (uint64_t)block->from.offset, block->size);
    if (!from || !to)
        return false;
    for (uint32_t i = 0; i < source->n_pieces; i++) {
        CcPiece *p = &source->pieces[i];
        if (p->read || !lies_in(p, (uint64_t)block->from.offset, block->size))
            continue;
        p->read = find_piece(target, p->offset - (uint64_t)block->from.offset + (uint64_t)block->to.offset)->read;
        changed |= p->read;
    }
    if (target->kept_out && !source->kept_out && !is_covered(target, (uint64_t)block->to.offset, block->size))
        changed = source->kept_out = true;
    return changed;
}

void cc_scalars_spread_reads(CcScalars *s)
{
    for (uint32_t i = 0; i < s->f->n_objects; i++)
        s->objects[i].kept_out = s->objects[i].copied_out;
    for (bool changed = true; changed;) {
        changed = false;
        for (guint i = s->blocks->len; i-- > 0;)
            changed |= spread_block(s, &g_array_index(s->blocks, CcBlockOperation, i));
    }
}

/* Chooses the objects that come apart. Those whose copies are to be split wait for the last round, which does nothing
 * else. Returns false if no object comes apart. */
static bool choose_objects(CcScalars *s)
{
    cc_scalars_fit_blocks(s);
    cc_choose_splits(s);
    for (uint32_t i = 0; i < s->f->n_objects; i++)
        s->objects[i].stays |= s->objects[i].splits != s->last;
    while (!s->last && check_profit(s))
        cc_scalars_fit_blocks(s);
    cc_scalars_spread_reads(s);
    bool any = false;
    for (uint32_t i = 0; i < s->f->n_objects; i++) {
        CcFrameObject *o = &s->objects[i];
        any |= !o->stays;
        for (uint32_t k = 0; !o->stays && k < o->n_pieces; k++) {
            o->pieces[k].reg = cc_ir_reg(s->f);
            s->f->regs[o->pieces[k].reg].variable = true;
        }
    }
    return any;
}

/* -- rewriting --------------------------------------------------------------------------------- */

typedef struct Rewrite {
    CcScalars *s;
    CcIrBlock *block;      /* its instructions were taken out, and are put back one by one */
    const CcIrInstr *from; /* the instruction being replaced */
} Rewrite;

static CcIrInstr *put(Rewrite *r, unsigned op, CcReg a, CcReg b)
{
    CcIrInstr *i = cc_ir_append(r->s->f, r->block, op);
    i->a = a;
    i->b = b;
    i->loc = r->from->loc;
    return i;
}

/* Emits a = b for `size` bytes, extended in the given way. */
static void put_move(Rewrite *r, CcReg a, CcReg b, uint64_t size, bool extended, bool is_signed)
{
    static const uint16_t op[2][3] = {{VCODE_ZEXT8, VCODE_ZEXT16, VCODE_ZEXT32},
                                      {VCODE_SEXT8, VCODE_SEXT16, VCODE_SEXT32}};
    unsigned width = size == 1 ? 0 : size == 2 ? 1 : 2;
    (void)put(r, extended || size == 8 ? VCODE_MOV : op[is_signed][width], a, b);
}

static CcReg put_address(Rewrite *r, CcFrameAddress address)
{
    CcReg reg = cc_ir_reg(r->s->f);
    CcIrInstr *i = put(r, CC_IR_FRAME, reg, CC_NO_REG);
    i->extra = address.object - 1;
    i->imm = address.offset;
    return reg;
}

static void put_access(Rewrite *r, const Access *access)
{
    const CcPiece *piece = find_piece(cc_object_at(r->s, access->address), (uint64_t)access->address.offset);
    bool extended = access->known && access->is_signed == piece->is_signed;
    if (access->load)
        put_move(r, r->from->a, piece->reg, piece->size, extended, access->is_signed);
    else if (piece->read)
        put_move(r, piece->reg, r->from->a, piece->size, extended, piece->is_signed);
}

/* Emits a load or store of a piece. */
static void put_piece_access(Rewrite *r, const CcPiece *p, CcReg base, int64_t displacement, bool load)
{
    static const uint16_t loads[2][4] = {{VCODE_LD8U, VCODE_LD16U, VCODE_LD32U, VCODE_LD64},
                                         {VCODE_LD8S, VCODE_LD16S, VCODE_LD32S, VCODE_LD64}};
    static const uint16_t stores[4] = {VCODE_ST8, VCODE_ST16, VCODE_ST32, VCODE_ST64};
    unsigned width = (unsigned)__builtin_ctzll(p->size);
    CcIrInstr *access = put(r, load ? loads[p->is_signed][width] : stores[width], p->reg, base);
    access->imm = displacement;
    access->n = !load && p->is_signed ? CC_STORES_SIGNED : 0;
    access->unaligned = true;
}

/* Loads pieces from the object's memory in the frame, or stores them there. */
static void put_transfer(Rewrite *r, CcFrameAddress address, uint64_t size, bool load)
{
    const CcFrameObject *o = cc_object_at(r->s, address);
    for (uint32_t i = 0; i < o->n_pieces; i++) {
        const CcPiece *p = &o->pieces[i];
        if (p->read && lies_in(p, (uint64_t)address.offset, size))
            put_piece_access(r, p, put_address(r, (CcFrameAddress){address.object, (int64_t)p->offset}), 0, load);
    }
}

/* Loads pieces from other memory, or stores them there, from the first byte to the last. Returns false if there are
 * none. */
static bool put_split(Rewrite *r, CcFrameAddress address, uint64_t size, bool load)
{
    const CcFrameObject *o = cc_object_at(r->s, address);
    uint64_t at = (uint64_t)address.offset;
    bool any = false;
    for (const CcPiece *p = cc_scalars_piece_from(o, at); p && lies_in(p, at, size);
         p = cc_scalars_piece_from(o, p->offset + p->size))
        if (p->read) {
            put_piece_access(r, p, load ? r->from->b : r->from->a, (int64_t)(p->offset - at), load);
            any = true;
        }
    return any;
}

static void put_piece_moves(Rewrite *r, const CcBlockOperation *block)
{
    const CcFrameObject *target = cc_object_at(r->s, block->to), *source = cc_object_at(r->s, block->from);
    for (uint32_t i = 0; i < target->n_pieces; i++) {
        const CcPiece *p = &target->pieces[i];
        if (!p->read || !lies_in(p, (uint64_t)block->to.offset, block->size))
            continue;
        if (block->clears) {
            (void)put(r, CC_IR_CONSTANT, p->reg, CC_NO_REG);
            continue;
        }
        const CcPiece *q = find_piece(source, p->offset - (uint64_t)block->to.offset + (uint64_t)block->from.offset);
        put_move(r, p->reg, q->reg, p->size, p->is_signed == q->is_signed, p->is_signed);
    }
}

/* Emits the block operation itself, on the memory in the frame of objects that are replaced. */
static void put_block_operation(Rewrite *r, const CcBlockOperation *block)
{
    CcReg to = cc_is_replaced(r->s, block->to) ? put_address(r, block->to) : r->from->a;
    CcReg from = cc_is_replaced(r->s, block->from) ? put_address(r, block->from) : r->from->b;
    put(r, r->from->op, to, from)->imm = r->from->imm;
}

static void put_block(Rewrite *r, const CcBlockOperation *block)
{
    bool to = cc_is_replaced(r->s, block->to), from = cc_is_replaced(r->s, block->from);
    if (!to) { /* copy to other memory */
        if (cc_object_at(r->s, block->from)->splits && put_split(r, block->from, block->size, false))
            return;
        put_transfer(r, block->from, block->size, false);
        put_block_operation(r, block);
    } else if (!from && !block->clears) { /* copy from other memory */
        if (cc_object_at(r->s, block->to)->splits && put_split(r, block->to, block->size, true))
            return;
        put_block_operation(r, block);
        put_transfer(r, block->to, block->size, true);
    } else {
        const CcFrameObject *target = cc_object_at(r->s, block->to);
        put_piece_moves(r, block);
        if (target->kept_out && !is_covered(target, (uint64_t)block->to.offset, block->size))
            put_block_operation(r, block);
    }
}

/* Replaces a test for null. The address of an object of the frame is never 0. */
static void put_null_test(Rewrite *r)
{
    bool is_branch = cc_ir_is_branch(r->from->op), unequal = r->from->op == VCODE_SNEI || r->from->op == VCODE_BNEI;
    if (!is_branch) {
        put(r, CC_IR_CONSTANT, r->from->a, CC_NO_REG)->imm = unequal;
        return;
    }
    (void)put(r, VCODE_JMP, CC_NO_REG, CC_NO_REG);
    r->block->target[0] = r->block->target[unequal ? 0 : 1];
    r->block->target[1] = NULL;
}

static void rewrite_instruction(Rewrite *r)
{
    CcScalars *s = r->s;
    const CcIrInstr *i = r->from;
    Access access;
    CcReg set = cc_ir_defined(i);
    bool is_access = access_of(s, i, &access), is_block = i->op == VCODE_BCOPY || i->op == VCODE_BZERO;
    CcBlockOperation block = {{0, 0}, {0, 0}, (uint64_t)i->imm, i->op == VCODE_BZERO};
    if (is_block)
        block.to = resolve(s, i->a, 0);
    if (i->op == VCODE_BCOPY)
        block.from = resolve(s, i->b, 0);
    if (is_access && cc_is_replaced(s, access.address))
        put_access(r, &access);
    else if (is_block && (cc_is_replaced(s, block.to) || cc_is_replaced(s, block.from)))
        put_block(r, &block);
    else if (is_null_test(i) && resolve(s, cc_ir_is_branch(i->op) ? i->a : i->b, 0).object)
        put_null_test(r);
    else if (!(set != CC_NO_REG && cc_is_replaced(s, resolve(s, set, 0)))) /* drops addresses of what is gone */
        *cc_ir_append(s->f, r->block, i->op) = *i;
}

static void rewrite_block(CcScalars *s, CcIrBlock *b)
{
    CcIrInstr *items = b->items;
    uint32_t count = b->count;
    b->items = NULL;
    b->count = b->capacity = 0;
    Rewrite r = {s, b, NULL};
    for (uint32_t k = 0; k < count; k++) {
        r.from = &items[k];
        rewrite_instruction(&r);
    }
}

static void mark_copy(const Rewrite *r, CcIrInstr *access)
{
    access->unaligned = true;
    access->volatile_ = r->from->volatile_;
    access->mark = r->from->mark;
}

/* Expands a copy of as many bytes as one register holds. */
static void expand(Rewrite *r)
{
    static const uint16_t loads[4] = {VCODE_LD8U, VCODE_LD16U, VCODE_LD32U, VCODE_LD64};
    static const uint16_t stores[4] = {VCODE_ST8, VCODE_ST16, VCODE_ST32, VCODE_ST64};
    const CcIrInstr *i = r->from;
    unsigned width = (unsigned)__builtin_ctzll((uint64_t)i->imm);
    CcReg value = cc_ir_reg(r->s->f);
    if (i->op == VCODE_BZERO)
        (void)put(r, CC_IR_CONSTANT, value, CC_NO_REG);
    else
        mark_copy(r, put(r, loads[width], value, i->b));
    mark_copy(r, put(r, stores[width], value, i->a));
}

static bool is_small_block(const CcIrInstr *i)
{
    return (i->op == VCODE_BCOPY || i->op == VCODE_BZERO) && (i->imm == 1 || i->imm == 2 || i->imm == 4 || i->imm == 8);
}

void cc_scalars_expand_blocks(CcIrFunction *f)
{
    CcScalars s = {.f = f};
    for (CcIrBlock *b = f->first; b; b = b->next) {
        uint32_t n = 0;
        for (uint32_t k = 0; k < b->count; k++)
            n += is_small_block(&b->items[k]);
        if (!n)
            continue;
        CcIrInstr *items = b->items;
        uint32_t count = b->count;
        b->items = cc_arena_alloc(f->arena, (count + n) * sizeof *items);
        b->count = 0;
        b->capacity = count + n;
        Rewrite r = {&s, b, NULL};
        for (uint32_t k = 0; k < count; k++) {
            r.from = &items[k];
            if (is_small_block(r.from))
                expand(&r);
            else
                b->items[b->count++] = items[k];
        }
    }
}

/* -- for the debugger -------------------------------------------------------------------------- */

static void describe_pieces(CcScalars *s)
{
    CcIrFunction *f = s->f;
    for (uint32_t i = 0; i < f->n_variables; i++) {
        CcIrVariable *v = &f->variables[i];
        if (v->location != VCODE_AT_FRAME || s->objects[v->where].stays)
            continue;
        const CcFrameObject *o = &s->objects[v->where];
        v->location = VCODE_AT_PLACES;
        v->where = f->n_pieces;
        v->n_pieces = o->n_pieces;
        for (uint32_t k = 0; k < o->n_pieces; k++) {
            CcIrPiece *piece = CC_IR_PUSH(f, pieces);
            *piece = (CcIrPiece){o->pieces[k].reg, (uint32_t)o->pieces[k].offset, (uint32_t)o->pieces[k].size};
        }
    }
}

/* -- the whole --------------------------------------------------------------------------------- */

void cc_scalars_replace(CcIrFunction *f, bool last)
{
    if (f->returns_twice || !f->n_objects)
        return;
    CcArena *arena = f->arena;
    CcScalars s = {.f = f, .last = last};
    s.times = cc_arena_alloc(arena, f->n_regs + 1);
    s.setter = cc_arena_alloc(arena, (f->n_regs + 1) * sizeof *s.setter);
    s.address = cc_arena_alloc(arena, (f->n_regs + 1) * sizeof *s.address);
    s.resolved = cc_arena_alloc(arena, f->n_regs + 1);
    s.objects = cc_arena_alloc(arena, (f->n_objects + 1) * sizeof *s.objects);
    s.blocks = g_array_new(FALSE, FALSE, sizeof(CcBlockOperation));
    find_setters(&s);
    for (CcIrBlock *b = f->first; b; b = b->next)
        for (uint32_t k = 0; k < b->count; k++)
            note_instruction(&s, &b->items[k]);
    if (choose_objects(&s) || !last) {
        for (CcIrBlock *b = f->first; b; b = b->next)
            rewrite_block(&s, b);
        describe_pieces(&s);
    }
    g_array_free(s.blocks, TRUE);
}
