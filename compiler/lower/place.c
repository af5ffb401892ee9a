/* place.c - lowers addresses, lvalues, loads and stores, bit-fields, copies of memory.
 *
 * An address stays in parts (symbol, base, scaled index, offset) as long as possible. The parts then become the fields
 * of one load or store: a[i] is one instruction, and s.member costs nothing.
 *
 * A bit-field is read with the smallest naturally aligned access inside its storage unit that contains all its bits.
 * Bits of a packed struct that no such access contains are assembled from several accesses.
 */
#include "compiler/ir/ir.h"
#include "compiler/lower/lowering.h"
#include "compiler/object/object.h"
#include "compiler/tree/tree.h"

/* -- addresses --------------------------------------------------------------------------------- */

CcAddress cc_lower_address_of(CcReg base)
{
    return (CcAddress){.symbol = VCODE_NONE, .base = base, .index = CC_NO_REG};
}

CcAddress cc_lower_address_add(CcAddress address, int64_t offset)
{
    address.offset = (int64_t)((uint64_t)address.offset + (uint64_t)offset);
    return address;
}

static CcReg emit_indexed(CcLower *l, CcReg base, CcReg index, uint8_t shift)
{
    CcReg a = cc_lower_emit_rrr(l, VCODE_LEAX, base, index);
    cc_ir_last(l->block)->n = shift;
    return a;
}

/* Computes the symbol or frame object, or a missing base, into the base register. */
static CcAddress resolve_base(CcLower *l, CcAddress address)
{
    if (address.object) {
        g_assert(address.base == CC_NO_REG && address.symbol == VCODE_NONE);
        address.base = cc_lower_new_reg(l);
        CcIrInstr *i = cc_lower_emit(l, CC_IR_FRAME);
        i->a = address.base;
        i->extra = address.object - 1;
        i->imm = address.offset;
        address.object = 0;
        address.offset = 0;
    } else if (address.symbol != VCODE_NONE) {
        g_assert(address.base == CC_NO_REG);
        CcReg a = cc_lower_new_reg(l);
        CcIrInstr *i = cc_lower_emit(l, CC_IR_ADDRESS);
        i->a = a;
        i->extra = address.symbol;
        i->imm = address.offset;
        address.base = a;
        address.symbol = VCODE_NONE;
        address.offset = 0;
    } else if (address.base == CC_NO_REG) {
        address.base = cc_lower_emit_constant(l, address.offset);
        address.offset = 0;
    }
    return address;
}

static CcAddress resolve_index(CcLower *l, CcAddress address)
{
    if (address.index == CC_NO_REG)
        return address;
    address = resolve_base(l, address);
    address.base = emit_indexed(l, address.base, address.index, address.shift);
    address.index = CC_NO_REG;
    address.shift = 0;
    return address;
}

CcAddress cc_lower_address_fix(CcLower *l, CcAddress address)
{
    return resolve_base(l, resolve_index(l, address));
}

CcReg cc_lower_address_reg(CcLower *l, CcAddress address)
{
    address = cc_lower_address_fix(l, address);
    if (address.offset == 0)
        return address.base;
    return cc_lower_emit_rri(l, VCODE_ADDI_L, address.base, address.offset);
}

static CcAddress address_index(CcLower *l, CcAddress address, CcValue index, CcValue size)
{
    if (index.constant && size.constant)
        return cc_lower_address_add(address, (int64_t)((uint64_t)index.value * (uint64_t)size.value));
    address = resolve_index(l, address);
    uint64_t bytes = size.constant ? (uint64_t)size.value : 0;
    if (bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8) {
        address.index = cc_lower_to_reg(l, index);
        address.shift = (uint8_t)__builtin_ctzll(bytes);
        return address;
    }
    if (bytes && (bytes & (bytes - 1)) == 0 && bytes < UINT64_C(1) << 32) {
        address = resolve_base(l, address);
        address.base = emit_indexed(l, address.base, cc_lower_to_reg(l, index), (uint8_t)__builtin_ctzll(bytes));
        return address;
    }
    CcType size_type = {.kind = CC_LONG, .size = 8, .align = 8};
    address.index = cc_lower_to_reg(l, cc_lower_binary_op(l, CC_MULTIPLY, &size_type, index, size));
    address.shift = 0;
    return address;
}

/* -- loads and stores -------------------------------------------------------------------------- */

typedef enum Access { ACCESS_8S, ACCESS_8U, ACCESS_16S, ACCESS_16U, ACCESS_32S, ACCESS_32U, ACCESS_64 } Access;

static Access access_of(const CcType *type)
{
    bool is_unsigned = !cc_is_integer(type) || !cc_type_is_signed(type);
    switch (type->kind == CC_POINTER || type->kind == CC_ARRAY || type->kind == CC_FUNCTION ? 8 : type->size) {
    case 1: return is_unsigned ? ACCESS_8U : ACCESS_8S;
    case 2: return is_unsigned ? ACCESS_16U : ACCESS_16S;
    case 4: return is_unsigned ? ACCESS_32U : ACCESS_32S;
    default: return ACCESS_64;
    }
}

static const uint16_t load_op[] = {VCODE_LD8S,  VCODE_LD8U,  VCODE_LD16S, VCODE_LD16U,
                                   VCODE_LD32S, VCODE_LD32U, VCODE_LD64};
static const uint16_t loadx_op[] = {VCODE_LDX8S,  VCODE_LDX8U,  VCODE_LDX16S, VCODE_LDX16U,
                                    VCODE_LDX32S, VCODE_LDX32U, VCODE_LDX64};
static const uint16_t store_op[] = {VCODE_ST8, VCODE_ST8, VCODE_ST16, VCODE_ST16, VCODE_ST32, VCODE_ST32, VCODE_ST64};
static const uint16_t storex_op[] = {VCODE_STX8,  VCODE_STX8,  VCODE_STX16, VCODE_STX16,
                                     VCODE_STX32, VCODE_STX32, VCODE_STX64};

/* Brings the address into one of the two forms of instructions: base + offset, or base + scaled index. */
static CcAddress instruction_form(CcLower *l, CcAddress address)
{
    address = resolve_base(l, address);
    return address.index != CC_NO_REG && address.offset ? resolve_index(l, address) : address;
}

static void emit_access(CcLower *l, unsigned op, unsigned indexed_op, CcReg a, CcAddress address)
{
    bool indexed = address.index != CC_NO_REG;
    CcIrInstr *i = cc_lower_emit(l, indexed ? indexed_op : op);
    i->a = a;
    i->b = address.base;
    i->c = address.index;
    i->n = address.shift;
    i->imm = address.offset;
    i->volatile_ = address.volatile_;
    i->unaligned = address.unaligned;
    i->mark = address.mark;
}

static bool is_signed_access(Access access)
{
    return access == ACCESS_8S || access == ACCESS_16S || access == ACCESS_32S;
}

static CcReg load_access(CcLower *l, Access access, CcAddress address)
{
    address = instruction_form(l, address);
    CcReg a = cc_lower_new_reg(l);
    emit_access(l, load_op[access], loadx_op[access], a, address);
    return a;
}

static void store_access(CcLower *l, Access access, CcAddress address, CcReg value)
{
    address = instruction_form(l, address);
    emit_access(l, store_op[access], storex_op[access], value, address);
    if (address.index == CC_NO_REG && is_signed_access(access))
        cc_ir_last(l->block)->n = CC_STORES_SIGNED;
}

CcReg cc_lower_load(CcLower *l, const CcType *type, CcAddress address)
{
    return load_access(l, access_of(type), address);
}

void cc_lower_store(CcLower *l, const CcType *type, CcAddress address, CcReg value)
{
    store_access(l, access_of(type), address, value);
}

/* -- bit-fields -------------------------------------------------------------------------------- */

static Access unsigned_access(unsigned size)
{
    return size == 1 ? ACCESS_8U : size == 2 ? ACCESS_16U : size == 4 ? ACCESS_32U : ACCESS_64;
}

/* Returns the size in bytes of the access that covers bits [offset, offset + width), and its first byte in *first.
 * Returns 0 if there is none within the first `reach` bytes. */
static unsigned covering_access(unsigned offset, unsigned width, unsigned reach, unsigned *first)
{
    for (unsigned size = 1; size <= 8; size *= 2) {
        *first = offset / 8 / size * size;
        if (offset + width <= (*first + size) * 8)
            return *first + size <= reach ? size : 0;
    }
    return 0;
}

static CcReg shift_immediate(CcLower *l, unsigned op, CcReg value, unsigned bits)
{
    return bits ? cc_lower_emit_rri(l, op, value, bits) : value;
}

static CcReg extract(CcLower *l, CcReg unit, unsigned offset, unsigned width, bool is_signed)
{
    CcReg high = shift_immediate(l, VCODE_SHLI_L, unit, 64 - offset - width);
    return shift_immediate(l, is_signed ? VCODE_SARI_L : VCODE_SHRI_UL, high, 64 - width);
}

/* Returns how many of the bits are in the first byte. */
static unsigned first_bits(unsigned offset, unsigned width)
{
    return MIN(8 - offset % 8, width);
}

static CcReg load_bits(CcLower *l, const CcPlace *place, CcAddress address, unsigned offset, unsigned width)
{
    unsigned first, size = covering_access(offset, width, place->reach, &first);
    if (size) {
        CcReg unit = load_access(l, unsigned_access(size), cc_lower_address_add(address, first));
        bool top = offset + width == (unsigned)place->bit_offset + place->bit_width;
        return extract(l, unit, offset - first * 8, width, top && cc_type_is_signed(place->type));
    }
    unsigned low = first_bits(offset, width);
    CcReg low_part = load_bits(l, place, address, offset, low);
    CcReg high_part = load_bits(l, place, address, offset + low, width - low);
    return cc_lower_emit_rrr(l, VCODE_OR, low_part, cc_lower_emit_rri(l, VCODE_SHLI_L, high_part, low));
}

/* Stores the low `width` bits of `value`. The higher bits of `value` must be 0. */
static void store_bits(CcLower *l, const CcPlace *place, CcAddress address, unsigned offset, unsigned width,
                       CcReg value)
{
    unsigned first, size = covering_access(offset, width, place->reach, &first);
    if (!size) {
        unsigned low = first_bits(offset, width);
        store_bits(l, place, address, offset, low, cc_lower_emit_rri(l, VCODE_ANDI, value, (1 << low) - 1));
        store_bits(l, place, address, offset + low, width - low, cc_lower_emit_rri(l, VCODE_SHRI_UL, value, low));
        return;
    }
    address = cc_lower_address_add(address, first);
    offset -= first * 8;
    if (width < size * 8) {
        uint64_t mask = (width == 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1) << offset;
        CcReg unit = load_access(l, unsigned_access(size), address);
        CcReg rest = cc_lower_emit_rri(l, VCODE_ANDI, unit, (int64_t)~mask);
        value = cc_lower_emit_rrr(l, VCODE_OR, rest, shift_immediate(l, VCODE_SHLI_L, value, offset));
    }
    store_access(l, unsigned_access(size), address, value);
}

static CcValue store_field(CcLower *l, const CcPlace *place, CcValue value)
{
    bool is_signed = cc_type_is_signed(place->type);
    CcReg reg = cc_lower_to_reg(l, value);
    CcReg held = extract(l, reg, 0, place->bit_width, is_signed);
    CcReg bits = is_signed ? extract(l, reg, 0, place->bit_width, false) : held;
    store_bits(l, place, cc_lower_address_fix(l, place->address), place->bit_offset, place->bit_width, bits);
    return cc_value_reg(held);
}

/* -- lvalues ----------------------------------------------------------------------------------- */

CcPlace cc_lower_place_of(CcType *type, CcAddress address)
{
    CcPlace place = {.type = type, .reg = CC_NO_REG, .address = address};
    place.address.volatile_ |= (type->qualifiers & CC_VOLATILE) != 0;
    return place;
}

CcValue cc_lower_place_load(CcLower *l, const CcPlace *place)
{
    if (place->in_register)
        return cc_value_reg(place->reg);
    if (place->bit_width) {
        CcAddress address = cc_lower_address_fix(l, place->address);
        return cc_value_reg(load_bits(l, place, address, place->bit_offset, place->bit_width));
    }
    return cc_value_reg(cc_lower_load(l, place->type, place->address));
}

CcValue cc_lower_place_store(CcLower *l, const CcPlace *place, CcValue value)
{
    if (place->bit_width)
        return store_field(l, place, value);
    if (place->in_register) {
        cc_lower_emit_move(l, place->reg, value);
        return cc_value_reg(place->reg);
    }
    cc_lower_store(l, place->type, place->address, cc_lower_to_reg(l, value));
    return value;
}

static CcPlace variable_place(CcLower *l, CcExpr *expr)
{
    CcStorageInfo *info = cc_lower_variable(l, expr->symbol);
    CcAddress address = cc_lower_address_of(CC_NO_REG);
    switch (info->where) {
    case CC_IN_REGISTER: return (CcPlace){.type = expr->type, .in_register = true, .reg = info->reg};
    case CC_IN_MODULE: address.symbol = info->symbol; break;
    case CC_IN_FRAME: address = cc_lower_frame_address(info->object); break;
    case CC_BY_ADDRESS: address.base = info->reg; break;
    }
    return cc_lower_place_of(expr->type, address);
}

static CcPlace member_place(CcLower *l, CcExpr *expr)
{
    CcAddress object = cc_lower_aggregate(l, expr->left);
    const CcMember *member = expr->member;
    CcPlace place = cc_lower_place_of(expr->type, cc_lower_address_add(object, (int64_t)member->offset));
    place.address.unaligned |= expr->left->type->align < expr->type->align;
    if (member->bit_field) {
        place.bit_offset = member->bit_offset;
        place.bit_width = member->bit_width;
        place.reach = member->reach;
    }
    return place;
}

/* Lowers a compound literal. In a function it lives as long as its block, and is set each time it is reached (C11
 * 6.5.2.5p5). */
static CcPlace compound_place(CcLower *l, CcExpr *expr)
{
    CcPlace place = variable_place(l, expr);
    if (place.in_register) {
        CcValue value = expr->symbol->init ? cc_lower_value(l, expr->symbol->init->value) : cc_value_constant(0);
        cc_lower_emit_move(l, place.reg, value);
    } else if (((CcStorageInfo *)expr->symbol->back)->where != CC_IN_MODULE) {
        cc_lower_init(l, expr->symbol, place.address);
    }
    return place;
}

static CcPlace string_place(CcLower *l, CcExpr *expr)
{
    CcAddress address = cc_lower_address_of(CC_NO_REG);
    uint32_t align = expr->type->target ? expr->type->target->align : 1;
    address.symbol = cc_lower_string(l->generate, expr->string, expr->string_size, align, expr->loc);
    return cc_lower_place_of(expr->type, address);
}

static CcPlace part_place(CcLower *l, CcExpr *expr)
{
    CcAddress address = cc_lower_aggregate(l, expr->left);
    if (expr->kind == CC_IMAGINARY_PART)
        address = cc_lower_address_add(address, (int64_t)expr->type->size);
    return cc_lower_place_of(expr->type, address);
}

static CcPlace place_of(CcLower *l, CcExpr *expr)
{
    switch (expr->kind) {
    case CC_VARIABLE: return variable_place(l, expr);
    case CC_DEREFERENCE: return cc_lower_place_of(expr->type, cc_lower_pointer(l, expr->left));
    case CC_MEMBER: return member_place(l, expr);
    case CC_STRING: return string_place(l, expr);
    case CC_COMPOUND: return compound_place(l, expr);
    case CC_REAL_PART:
    case CC_IMAGINARY_PART:
        if (cc_is_complex(expr->left->type))
            return part_place(l, expr);
        return cc_lower_place(l, expr->left);
    default: return cc_lower_place_of(expr->type, cc_lower_aggregate(l, expr));
    }
}

CcPlace cc_lower_place(CcLower *l, CcExpr *expr)
{
    CcPlace place = place_of(l, expr);
    place.address.mark |= expr->mark;
    return place;
}

/* -- pointers ---------------------------------------------------------------------------------- */

static CcAddress pointer_sum(CcLower *l, CcExpr *expr)
{
    CcExpr *pointer = expr->left, *elements = expr->right;
    if (pointer->type->kind != CC_POINTER) {
        pointer = expr->right;
        elements = expr->left;
    }
    CcAddress address = cc_lower_pointer(l, pointer);
    CcValue index = cc_lower_value(l, elements);
    CcValue size = cc_lower_size(l, pointer->type->target);
    if (size.constant && size.value == 0)
        size.value = pointer->type->target->kind == CC_VOID || pointer->type->target->kind == CC_FUNCTION; /* GNU */
    if (expr->kind == CC_SUBTRACT)
        index = cc_lower_negate(l, elements->type, index);
    return address_index(l, address, index, size);
}

CcAddress cc_lower_pointer(CcLower *l, CcExpr *expr)
{
    switch (expr->kind) {
    case CC_ADD:
    case CC_SUBTRACT:
        if (expr->type->kind == CC_POINTER)
            return pointer_sum(l, expr);
        break;
    case CC_DECAY:
    case CC_ADDRESS: {
        if (expr->left->kind == CC_DEREFERENCE)
            return cc_lower_pointer(l, expr->left->left);
        CcAddress address = cc_lower_place(l, expr->left).address;
        address.volatile_ = false;
        address.mark = 0;
        return address;
    }
    case CC_CAST:
        if (expr->left->type->kind == CC_POINTER)
            return cc_lower_pointer(l, expr->left);
        break;
    case CC_NUMBER: {
        CcAddress address = cc_lower_address_of(CC_NO_REG);
        address.offset = (int64_t)expr->integer;
        return address;
    }
    case CC_ADDRESS_CONSTANT: {
        CcExpr object = {.kind = CC_VARIABLE, .type = expr->type, .symbol = expr->symbol, .lvalue = true};
        CcPlace place = cc_lower_place(l, expr->symbol ? &object : expr->left);
        return cc_lower_address_add(place.address, (int64_t)expr->integer);
    }
    default: break;
    }
    return cc_lower_address_of(cc_lower_to_reg(l, cc_lower_value(l, expr)));
}

CcValue cc_lower_pointer_step(CcLower *l, CcValue pointer, CcType *pointer_type, CcValue elements, bool minus)
{
    CcType long_type = {.kind = CC_LONG, .size = 8, .align = 8};
    CcValue size = cc_lower_size(l, pointer_type->target);
    if (size.constant && size.value == 0)
        size.value = pointer_type->target->kind == CC_VOID || pointer_type->target->kind == CC_FUNCTION;
    if (minus)
        elements = cc_lower_negate(l, &long_type, elements);
    CcAddress address = cc_lower_address_of(cc_lower_to_reg(l, pointer));
    return cc_value_reg(cc_lower_address_reg(l, address_index(l, address, elements, size)));
}

/* -- blocks of memory -------------------------------------------------------------------------- */

enum { LARGEST_BLOCK_COPY = (1 << 24) - 16 };

/* Returns whether the copy is one load and one store. With the optimiser on, what may be an object of the frame is
 * copied as a block first, because the object may be split later (optimise/scalars.c). */
static bool is_access(const CcLower *l, CcAddress to, CcAddress from, uint64_t size)
{
    bool whole = l->in_memory || (!to.object && !from.object && (to.index != CC_NO_REG || from.index != CC_NO_REG));
    return whole && (size == 1 || size == 2 || size == 4 || size == 8);
}

static CcIrInstr *emit_block(CcLower *l, unsigned op, CcReg to, CcReg from, uint64_t size)
{
    CcIrInstr *i = cc_lower_emit(l, op);
    i->a = to;
    i->b = op == VCODE_BZERO ? CC_NO_REG : from;
    i->imm = (int64_t)size;
    return i;
}

void cc_lower_copy_memory(CcLower *l, CcAddress to, CcAddress from, uint64_t size)
{
    if (is_access(l, to, from, size)) {
        store_access(l, unsigned_access((unsigned)size), to, load_access(l, unsigned_access((unsigned)size), from));
        return;
    }
    CcReg target = cc_lower_address_reg(l, to), source = cc_lower_address_reg(l, from);
    while (size) {
        uint64_t part = MIN(size, (uint64_t)LARGEST_BLOCK_COPY);
        CcIrInstr *i = emit_block(l, VCODE_BCOPY, target, source, part);
        i->volatile_ = to.volatile_ || from.volatile_;
        i->mark = to.mark | from.mark;
        size -= part;
        if (size) {
            target = cc_lower_emit_rri(l, VCODE_ADDI_L, target, LARGEST_BLOCK_COPY);
            source = cc_lower_emit_rri(l, VCODE_ADDI_L, source, LARGEST_BLOCK_COPY);
        }
    }
}

void cc_lower_clear_memory(CcLower *l, CcAddress to, uint64_t size)
{
    if (is_access(l, to, to, size)) {
        store_access(l, unsigned_access((unsigned)size), to, cc_lower_emit_constant(l, 0));
        return;
    }
    CcReg target = cc_lower_address_reg(l, to);
    while (size) {
        uint64_t part = MIN(size, (uint64_t)LARGEST_BLOCK_COPY);
        emit_block(l, VCODE_BZERO, target, CC_NO_REG, part)->volatile_ = to.volatile_;
        size -= part;
        if (size)
            target = cc_lower_emit_rri(l, VCODE_ADDI_L, target, LARGEST_BLOCK_COPY);
    }
}
