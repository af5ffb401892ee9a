/* access.c - loads, stores, copies of blocks. One comparison tells whether an access is near, as in cases.h. A load
 * that is not may read one of the program's constants, out of line; everything else is left to the interpreter.
 */
#include "internal.h"

enum { LARGEST_BLOCK = 128 };

/* rax = the address of operands B and C, less data_base; leaves the ones that are not near. */
static uint8_t *near_address(Maker *m, const VmInstr *i, bool indexed, unsigned shift)
{
    unsigned b = vm_held_take(m, i->b);
    if (!indexed) {
        vm_x86_op(&m->text, X_LEA, true, X_RAX, vm_x86_at(b, i->c_signed));
    } else {
        unsigned c = vm_held_take(m, i->c);
        if (shift <= 3) {
            vm_x86_op(&m->text, X_LEA, true, X_RAX, vm_x86_indexed(b, c, shift));
        } else {
            vm_x86_op(&m->text, X_LOAD, true, X_RAX, vm_x86_reg(c));
            vm_x86_shift(&m->text, X_DO_SHL, true, X_RAX, shift);
            vm_x86_op(&m->text, X_ADD, true, X_RAX, vm_x86_reg(b));
        }
    }
    vm_x86_op(&m->text, X_SUB, true, X_RAX, vm_x86_reg(REG_DATA_BASE));
    vm_x86_op(&m->text, X_CMP, true, X_RAX, vm_x86_reg(REG_LIMIT));
    return vm_x86_jump_if(&m->text, X_IF_AE);
}

static X86Place near_place(void)
{
    return vm_x86_indexed(REG_DATA, X_RAX, 0);
}

static void load(Maker *m, const VmInstr *i, bool indexed, unsigned shift, X86Op op, bool wide, unsigned size)
{
    bool real = op == X_LOAD && vm_function_uses_real(m, i->a);
    uint8_t *far = near_address(m, i, indexed, shift);
    vm_held_release(m);
    X86Op how = !real ? op : wide ? X_MOVSD : X_MOVSS;
    unsigned d = real ? vm_held_fresh_real(m) : vm_held_fresh(m);
    vm_x86_op(&m->text, how, !real && wide, d, near_place());
    vm_function_add_later(m, (Later){.kind = LATER_CONSTANT,
                                     .pc = m->pc,
                                     .jump = far,
                                     .back = m->text.at,
                                     .load = how,
                                     .wide = !real && wide,
                                     .reg = (uint8_t)d,
                                     .size = (uint8_t)size});
    if (real)
        vm_held_set_real(m, i->a, d, !wide);
    else
        vm_held_set(m, i->a, d);
}

static void store(Maker *m, const VmInstr *i, bool indexed, unsigned shift, X86Op op, unsigned size)
{
    if (size >= 4 && vm_held_only_real(m, i->a)) {
        unsigned value = vm_held_take_real(m, i->a);
        vm_function_end_at(m, near_address(m, i, indexed, shift));
        vm_x86_op(&m->text, size == 8 ? X_MOVSD_STORE : X_MOVSS_STORE, false, value, near_place());
        return;
    }
    unsigned value = vm_held_take(m, i->a);
    vm_function_end_at(m, near_address(m, i, indexed, shift));
    vm_x86_op(&m->text, op, size == 8, value, near_place());
}

/* -- blocks ------------------------------------------------------------------------------------ */

/* rax or rcx = the address in a register, less data_base; leaves blocks that are not near as a whole. */
static void near_block(Maker *m, unsigned reg, unsigned into, uint64_t size)
{
    unsigned address = vm_held_take(m, reg);
    vm_x86_op(&m->text, X_LOAD, true, into, vm_x86_reg(address));
    vm_x86_op(&m->text, X_SUB, true, into, vm_x86_reg(REG_DATA_BASE));
    vm_x86_op(&m->text, X_LEA, true, X_RDX, vm_x86_at(into, (int32_t)size));
    vm_x86_op(&m->text, X_CMP, true, into, vm_x86_reg(REG_LIMIT));
    vm_function_end_at(m, vm_x86_jump_if(&m->text, X_IF_AE));
    vm_x86_op(&m->text, X_CMP, true, X_RDX, vm_x86_reg(REG_LIMIT));
    vm_function_end_at(m, vm_x86_jump_if(&m->text, X_IF_AE));
}

static X86Place in_block(unsigned base, unsigned offset)
{
    X86Place place = vm_x86_indexed(REG_DATA, base, 0);
    place.displacement = (int32_t)offset;
    return place;
}

/* Calls what moves one piece: 16 bytes each, then what remains in powers of two. */
typedef void MovePiece(Maker *m, unsigned offset, unsigned size, unsigned number);
static void for_pieces(Maker *m, unsigned size, MovePiece *move)
{
    unsigned number = 0;
    for (unsigned offset = 0, piece = 16; offset < size;) {
        while (piece > size - offset)
            piece /= 2;
        move(m, offset, piece, number++);
        offset += piece;
    }
}

static unsigned piece_register(unsigned number)
{
    return number % X86_REGISTERS;
}

static void load_piece(Maker *m, unsigned offset, unsigned size, unsigned number)
{
    unsigned xmm = piece_register(number);
    if (size >= 4) {
        X86Op op = size == 16 ? X_MOVUPS : size == 8 ? X_MOVSD : X_MOVSS;
        vm_x86_op(&m->text, op, false, xmm, in_block(X_RCX, offset));
        return;
    }
    vm_x86_op(&m->text, size == 2 ? X_MOVZX16 : X_MOVZX8, false, X_RDX, in_block(X_RCX, offset));
    vm_x86_op(&m->text, X_MOVD, false, xmm, vm_x86_reg(X_RDX));
}

static void store_piece(Maker *m, unsigned offset, unsigned size, unsigned number)
{
    unsigned xmm = piece_register(number);
    if (size >= 4) {
        X86Op op = size == 16 ? X_MOVUPS_STORE : size == 8 ? X_MOVSD_STORE : X_MOVSS_STORE;
        vm_x86_op(&m->text, op, false, xmm, in_block(X_RAX, offset));
        return;
    }
    vm_x86_op(&m->text, X_MOVD_STORE, false, xmm, vm_x86_reg(X_RDX));
    vm_x86_op(&m->text, size == 2 ? X_STORE16 : X_STORE8, false, X_RDX, in_block(X_RAX, offset));
}

static void clear_piece(Maker *m, unsigned offset, unsigned size, unsigned number)
{
    (void)number;
    if (size >= 4) {
        X86Op op = size == 16 ? X_MOVUPS_STORE : size == 8 ? X_MOVSD_STORE : X_MOVSS_STORE;
        vm_x86_op(&m->text, op, false, 0, in_block(X_RAX, offset));
        return;
    }
    vm_x86_op(&m->text, size == 2 ? X_STORE16 : X_STORE8, false, X_RDX, in_block(X_RAX, offset));
}

/* All is loaded before any is stored, for the blocks may overlap. */
static bool copy_block(Maker *m, const VmInstr *i)
{
    if (i->value == 0 || i->value > LARGEST_BLOCK)
        return false;
    vm_held_forget_register(m, X_RDX);
    near_block(m, i->a, X_RAX, i->value);
    near_block(m, i->b, X_RCX, i->value);
    vm_held_forget_real(m);
    for_pieces(m, (unsigned)i->value, load_piece);
    for_pieces(m, (unsigned)i->value, store_piece);
    return true;
}

static bool clear_block(Maker *m, const VmInstr *i)
{
    if (i->value == 0 || i->value > LARGEST_BLOCK)
        return false;
    vm_held_forget_register(m, X_RDX);
    near_block(m, i->a, X_RAX, i->value);
    vm_x86_op(&m->text, X_XORPS, false, 0, vm_x86_reg(0));
    vm_x86_constant(&m->text, X_RDX, 0);
    for_pieces(m, (unsigned)i->value, clear_piece);
    return true;
}

/* clang-format off */
bool vm_access_make(Maker *m, const VmInstr *i, VmOp op)
{
    if (i->n > 63 && op != VM_OP_BCOPY && op != VM_OP_BZERO)
        return false;
    switch (op) {
#define LOADS(name, op, wide, size, shift)                                                                             \
    case VM_OP_LD##name: load(m, i, false, 0, op, wide, size); return true;                                            \
    case VM_OP_LDX##name: load(m, i, true, shift, op, wide, size); return true;                                        \
    case VM_OP_ANY_LDX##name: load(m, i, true, i->n, op, wide, size); return true;
    LOADS(8S, X_MOVSX8, true, 1, 0)
    LOADS(8U, X_MOVZX8, false, 1, 0)
    LOADS(16S, X_MOVSX16, true, 2, 1)
    LOADS(16U, X_MOVZX16, false, 2, 1)
    LOADS(32S, X_MOVSXD, true, 4, 2)
    LOADS(32U, X_LOAD, false, 4, 2)
    LOADS(64, X_LOAD, true, 8, 3)
#undef LOADS
#define STORES(name, op, size, shift)                                                                                  \
    case VM_OP_ST##name: store(m, i, false, 0, op, size); return true;                                                 \
    case VM_OP_STX##name: store(m, i, true, shift, op, size); return true;                                             \
    case VM_OP_ANY_STX##name: store(m, i, true, i->n, op, size); return true;
    STORES(8, X_STORE8, 1, 0)
    STORES(16, X_STORE16, 2, 1)
    STORES(32, X_STORE, 4, 2)
    STORES(64, X_STORE, 8, 3)
#undef STORES
    case VM_OP_BCOPY: return copy_block(m, i);
    case VM_OP_BZERO: return clear_block(m, i);
    default: return false;
    }
}
/* clang-format on */
