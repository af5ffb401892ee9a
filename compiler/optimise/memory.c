/* memory.c - decides which loads and stores may access the same bytes.
 *
 * An address is traced back to its root: the function's memory frame, an object of the module, or a pointer from
 * elsewhere. C does not let pointer arithmetic lead from one object into another (C11 6.5.6p8), so different roots do
 * not overlap. A pointer from elsewhere may point to any object, except to a frame whose address never escaped. Two
 * addresses made from the same registers are compared by their offsets. Two symbols are different objects, unless one
 * is an alias of the other, or both may be defined outside the unit, where they may be aliases. Types are not
 * considered, so programs that access an object through another type work as they expect.
 */
#include "compiler/arena/arena.h"
#include "compiler/ir/ir.h"
#include "compiler/optimise/ssa.h"

enum { LONGEST_TRACE = 16 };

static uint64_t access_size(unsigned op)
{
    switch (op) {
    case VCODE_LD8S:
    case VCODE_LD8U:
    case VCODE_LDX8S:
    case VCODE_LDX8U:
    case VCODE_ST8:
    case VCODE_STX8: return 1;
    case VCODE_LD16S:
    case VCODE_LD16U:
    case VCODE_LDX16S:
    case VCODE_LDX16U:
    case VCODE_ST16:
    case VCODE_STX16: return 2;
    case VCODE_LD64:
    case VCODE_LDX64:
    case VCODE_ST64:
    case VCODE_STX64: return 8;
    default: return 4;
    }
}

static bool is_pointer_sum(const CcIrInstr *i)
{
    return i->op == VCODE_LEAX || i->op == VCODE_ADD_L;
}

/* Follows sums to the root of the address. */
static void trace(CcSsa *s, CcReg reg, CcAccess *access, unsigned steps)
{
    for (; steps; steps--) {
        reg = cc_ssa_value(s, reg);
        const CcIrInstr *i = cc_ssa_setter(s, reg);
        if (!i)
            return;
        if (i->op == CC_IR_ADDRESS || i->op == VCODE_ENTER) {
            access->root = i->op == VCODE_ENTER ? CC_ROOT_FRAME : CC_ROOT_SYMBOL;
            access->symbol = i->op == VCODE_ENTER ? 0 : i->extra;
            access->at += i->op == VCODE_ENTER ? 0 : i->imm;
            return;
        }
        if (i->op == VCODE_ADDI_L) {
            access->at = (int64_t)((uint64_t)access->at + (uint64_t)i->imm);
            reg = i->b;
        } else if (is_pointer_sum(i)) {
            access->exact = false;
            CcAccess other = *access;
            if (i->op == VCODE_ADD_L || i->n == 0) {
                trace(s, i->c, &other, steps / 2);
                if (other.root != CC_ROOT_UNKNOWN) {
                    *access = other;
                    access->exact = false;
                    return;
                }
            }
            reg = i->b;
        } else {
            return;
        }
    }
}

CcAccess cc_memory_access(CcSsa *s, const CcIrInstr *i, bool source)
{
    VcodeForm form = cc_ir_form(i->op);
    CcAccess access = {.index = CC_NO_REG, .exact = true};
    if (form == VCODE_FORM_BLOCK) {
        access.base = cc_ssa_value(s, source ? i->b : i->a);
        access.size = (uint64_t)i->imm;
    } else {
        bool indexed = form == VCODE_FORM_LOADX || form == VCODE_FORM_STOREX;
        access.base = cc_ssa_value(s, i->b);
        access.size = access_size(i->op);
        access.offset = access.at = indexed ? 0 : i->imm;
        if (indexed) {
            access.index = cc_ssa_value(s, i->c);
            access.shift = i->n;
            access.exact = false;
        }
    }
    bool exact = access.exact;
    trace(s, access.base, &access, LONGEST_TRACE);
    if (access.root == CC_ROOT_UNKNOWN && access.index != CC_NO_REG && access.shift == 0)
        trace(s, access.index, &access, LONGEST_TRACE);
    access.exact &= exact && access.root != CC_ROOT_UNKNOWN;
    return access;
}

static bool apart(int64_t a, uint64_t a_size, int64_t b, uint64_t b_size)
{
    return a >= b ? (uint64_t)a - (uint64_t)b >= b_size : (uint64_t)b - (uint64_t)a >= a_size;
}

static CcForeign foreign(const CcIrFunction *f, uint32_t symbol)
{
    return symbol < f->foreign->len ? (CcForeign)f->foreign->data[symbol] : (CcForeign)0;
}

/* Returns the symbol that an alias stands for, unless another unit may decide that. Cycles of aliases are left to the
 * linker. */
static uint32_t object_of(const CcIrFunction *f, uint32_t symbol)
{
    for (unsigned steps = 0; steps < LONGEST_TRACE && !foreign(f, symbol); steps++) {
        uint32_t of = f->module->symbols.items[symbol].alias;
        if (of == VCODE_NONE)
            break;
        symbol = of;
    }
    return symbol;
}

bool cc_memory_is_surely_mapped(const CcSsa *s, const CcAccess *where)
{
    enum { SURELY_MAPPED = 4096 }; /* the stack follows the data */
    if (!where->exact || where->at < 0)
        return false;
    uint64_t end = (uint64_t)where->at + where->size;
    if (where->root == CC_ROOT_FRAME)
        return end <= s->f->frame_bytes;
    return end <= SURELY_MAPPED && foreign(s->f, where->symbol) != CC_FOREIGN_OR_ABSENT;
}

bool cc_memory_may_overlap(const CcSsa *s, const CcAccess *a, const CcAccess *b)
{
    if (a->base == b->base && a->index == b->index && a->shift == b->shift)
        return !apart(a->offset, a->size, b->offset, b->size);
    if (a->root == CC_ROOT_UNKNOWN || b->root == CC_ROOT_UNKNOWN)
        return (a->root != CC_ROOT_FRAME && b->root != CC_ROOT_FRAME) || s->frame_escapes;
    if (a->root != b->root)
        return false;
    uint32_t one = object_of(s->f, a->symbol), other = object_of(s->f, b->symbol);
    if (one != other)
        return foreign(s->f, one) && foreign(s->f, other);
    return !a->exact || !b->exact || !apart(a->at, a->size, b->at, b->size);
}

bool cc_memory_is_shared(const CcSsa *s, const CcAccess *access)
{
    return access->root != CC_ROOT_FRAME || s->frame_escapes;
}

bool cc_memory_is_written(CcSsa *s, const CcIrInstr *i, CcAccess *where, bool *known)
{
    *known = i->op != CC_IR_CALL;
    if (i->op == CC_IR_CALL)
        return true;
    if (!cc_is_store(i) && cc_ir_form(i->op) != VCODE_FORM_BLOCK)
        return false;
    *where = cc_memory_access(s, i, false);
    return true;
}

/* -- who may know addresses in the frame ------------------------------------------------------- */

/* Returns how many steps trace() needs to find that the register holds an address in the frame; 0: it does not. */
static unsigned steps_to_frame(CcSsa *s, const uint8_t *derived, CcReg reg)
{
    return derived[cc_ssa_value(s, reg)];
}

/* Returns whether an instruction lets an address in the frame escape. Adding to it, and loading and storing through it,
 * is harmless. Any other use lets it escape. So does a longer chain of sums than trace() follows. */
static bool gives_away(CcSsa *s, uint8_t *derived, CcIrInstr *i)
{
    VcodeForm form = cc_ir_form(i->op);
    bool sum = i->op == VCODE_ADDI_L || is_pointer_sum(i);
    bool as_base = sum || form == VCODE_FORM_LOAD || form == VCODE_FORM_LOADX || form == VCODE_FORM_STORE ||
                   form == VCODE_FORM_STOREX;
    unsigned found = 0;
    CcIrUses uses = cc_ir_uses(s->f, i);
    for (unsigned u = 0; u < uses.n; u++) {
        unsigned steps = steps_to_frame(s, derived, *uses.field[u]);
        if (!steps)
            continue;
        if (form == VCODE_FORM_BLOCK || (as_base && uses.field[u] == &i->b) || i->op == VCODE_ADD_L)
            found = MAX(found, uses.field[u] == &i->c ? 2 * steps : steps + 1);
        else
            return true;
    }
    for (unsigned u = 0; u < uses.n_list; u++)
        if (steps_to_frame(s, derived, uses.list[u]))
            return true;
    if (found && sum)
        derived[i->a] = (uint8_t)found;
    return found > LONGEST_TRACE;
}

/* Sets frame_escapes. Definitions come before uses in reverse postorder. Phis are the exception, but a phi of such an
 * address counts as an escape. */
void cc_memory_find_escapes(CcSsa *s)
{
    uint8_t *derived = cc_arena_alloc(s->arena, s->n_values + 1);
    s->frame_escapes = false;
    for (uint32_t o = 0; o < s->n_order && !s->frame_escapes; o++)
        for (CcNode *node = s->order[o]->head; node && !s->frame_escapes; node = node->next) {
            if (node->i.op == VCODE_ENTER)
                derived[node->i.a] = 1;
            s->frame_escapes = gives_away(s, derived, &node->i);
        }
}
