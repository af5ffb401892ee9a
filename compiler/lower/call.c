/* call.c - lowers calls, variable arguments and builtins.
 *
 * Calling convention (also in vcode/instructions.def): each argument takes one register. For a struct, union or complex
 * argument it holds the address of a copy in the caller's frame. A result of such a type goes to a buffer of the
 * caller, whose address is a hidden first argument. A variadic function gets one more argument after its fixed ones:
 * the address of 8-byte slots in the caller's frame. The slots hold the remaining arguments, promoted; the address is 0
 * if there are none. A call without prototype may reach a variadic function unless the unit defines the callee. Such a
 * call passes the address of room for slots as its last argument.
 *
 * Arguments are evaluated from the last to the first. C leaves the order open (C11 6.5.2.2p10). Programs that depend on
 * it all the same then print what they print under gcc on x86-64.
 */
#include "compiler/arena/arena.h"
#include "compiler/compiler.h"
#include "compiler/ir/ir.h"
#include "compiler/lower/lower.h"
#include "compiler/lower/lowering.h"
#include "compiler/report/report.h"
#include "compiler/tree/tree.h"
#include "vcode/calling.h"

#include <string.h>

static const CcType *function_type(const CcExpr *callee)
{
    const CcType *type = callee->type;
    return type->kind == CC_POINTER ? type->target : type;
}

/* Returns the function that is called by name, or NULL. */
static CcSymbol *direct_callee(CcExpr *callee)
{
    while (callee->kind == CC_DECAY || callee->kind == CC_ADDRESS ||
           (callee->kind == CC_DEREFERENCE && callee->type->kind == CC_FUNCTION))
        callee = callee->left;
    bool direct = callee->kind == CC_VARIABLE && callee->symbol->kind == CC_SYM_FUNCTION;
    return direct ? callee->symbol : NULL;
}

/* Library functions that are variadic, whether or not the program declares them so. */
static const struct {
    const char *name;
    uint32_t fixed;
} variadic_library[] = {
    {"asprintf", 2}, {"dprintf", 2},  {"fprintf", 2}, {"fscanf", 2}, {"fwprintf", 2}, {"open", 2},    {"printf", 1},
    {"scanf", 1},    {"snprintf", 3}, {"sprintf", 2}, {"sscanf", 2}, {"swprintf", 3}, {"wprintf", 1},
};

bool cc_lower_is_variadic(const CcSymbol *symbol, const CcType *type, uint32_t *fixed)
{
    *fixed = type->n_parameters;
    if (type->variadic || !type->old_style || !symbol || symbol->body || symbol->storage == CC_STATIC)
        return type->variadic;
    for (size_t i = 0; i < G_N_ELEMENTS(variadic_library); i++)
        if (strcmp(variadic_library[i].name, symbol->name) == 0) {
            *fixed = variadic_library[i].fixed;
            return true;
        }
    return false;
}

/* Returns whether the callee may turn out to be variadic. */
static bool needs_room(const CcExpr *expr, const CcSymbol *symbol, const CcType *type)
{
    return type->old_style && expr->n_arguments && !(symbol && symbol->body && !symbol->type->variadic);
}

static CcReg lower_argument(CcLower *l, CcExpr *argument)
{
    if (cc_by_address(argument->type))
        return cc_lower_address_reg(l, cc_lower_by_address(l, argument, true));
    return cc_lower_reg(l, argument);
}

/* Stores the arguments after the fixed ones into slots. Returns the register that holds the address of the slots. */
static CcReg lower_variable_arguments(CcLower *l, CcExpr *expr, uint32_t fixed)
{
    uint32_t n = expr->n_arguments - fixed;
    if (n == 0)
        return cc_lower_emit_constant(l, 0);
    CcType slot_type = {.kind = CC_LONG, .size = 8, .align = 8};
    CcAddress slots = cc_lower_frame_temporary(l, (uint64_t)n * 8, 8);
    for (uint32_t i = n; i-- > 0;) {
        CcReg value = lower_argument(l, expr->arguments[fixed + i]);
        cc_lower_store(l, &slot_type, cc_lower_address_add(slots, (int64_t)i * 8), value);
    }
    return cc_lower_address_reg(l, slots);
}

static void emit_call(CcLower *l, CcExpr *expr, const CcIrCall *call, CcReg result)
{
    CcIrCall *record = CC_IR_PUSH(l->f, calls);
    *record = *call;
    uint32_t index = l->f->n_calls - 1;
    uint32_t statement = l->loc;
    cc_lower_set_loc(l, expr->loc, false);
    l->f->locs[l->loc].part_of = statement;
    CcIrInstr *i = cc_lower_emit(l, CC_IR_CALL);
    i->a = result;
    i->extra = index;
    i->mark = expr->mark;
    l->loc = statement;
}

/* Lowers a call. `buffer` is the place for a result that travels by address; NULL if there is no such result. */
static CcValue lower_call(CcLower *l, CcExpr *expr, const CcAddress *buffer)
{
    const CcType *type = function_type(expr->left);
    CcSymbol *symbol = direct_callee(expr->left);
    bool hidden = buffer;
    uint32_t declared, fixed = expr->n_arguments;
    bool variadic = cc_lower_is_variadic(symbol, type, &declared);
    bool room = !variadic && needs_room(expr, symbol, type);
    if (variadic)
        fixed = MIN(declared, expr->n_arguments);
    CcIrCall call = {.symbol = VCODE_NONE, .function = symbol, .callee = CC_NO_REG};
    call.n = hidden + fixed + (variadic || room);
    if (call.n > VCODE_MAX_ARGUMENTS) {
        cc_report(l->generate->unit, CC_SEVERITY_ERROR, expr->loc, NULL, "a call with %u arguments (at most %u)",
                  expr->n_arguments, VCODE_MAX_ARGUMENTS - 2);
        return cc_value_constant(0);
    }
    call.arguments = cc_arena_alloc(l->f->arena, (call.n + 1) * sizeof(CcReg));
    if (symbol)
        call.symbol = cc_lower_symbol(l->generate, symbol);
    else
        call.callee = cc_lower_reg(l, expr->left);
    if (variadic) {
        call.arguments[hidden + fixed] = lower_variable_arguments(l, expr, fixed);
        call.passing = (uint16_t)MIN(VCODE_PASS_SLOTS + expr->n_arguments - fixed, (uint32_t)VCODE_PASS_MOST);
    } else if (room) {
        call.arguments[hidden + fixed] =
            cc_lower_address_reg(l, cc_lower_frame_temporary(l, (hidden + fixed) * UINT64_C(8), 8));
        call.passing = VCODE_PASS_ROOM;
    }
    for (uint32_t i = fixed; i-- > 0;)
        call.arguments[hidden + i] = lower_argument(l, expr->arguments[i]);
    if (hidden)
        call.arguments[0] = cc_lower_address_reg(l, *buffer);
    bool result = !hidden && expr->type->kind != CC_VOID;
    CcReg value = result ? cc_lower_new_reg(l) : CC_NO_REG;
    emit_call(l, expr, &call, value);
    return result ? cc_value_reg(value) : cc_value_constant(0);
}

void cc_lower_runtime_call(CcLower *l, CcSymbol *symbol, const CcReg *arguments, uint32_t n)
{
    CcIrCall *call = CC_IR_PUSH(l->f, calls);
    *call = (CcIrCall){.symbol = cc_lower_symbol(l->generate, symbol), .callee = CC_NO_REG, .n = n};
    call->arguments = cc_arena_alloc(l->f->arena, n * sizeof(CcReg));
    memcpy(call->arguments, arguments, n * sizeof(CcReg));
    uint32_t index = l->f->n_calls - 1;
    CcIrInstr *i = cc_lower_emit(l, CC_IR_CALL);
    i->a = CC_NO_REG;
    i->extra = index;
}

CcValue cc_lower_call(CcLower *l, CcExpr *expr)
{
    g_assert(!cc_by_address(expr->type));
    return lower_call(l, expr, NULL);
}

CcAddress cc_lower_call_by_address(CcLower *l, CcExpr *expr)
{
    CcAddress buffer = cc_lower_frame_temporary(l, MAX(expr->type->size, 1u), expr->type->align);
    (void)lower_call(l, expr, &buffer);
    return buffer;
}

/* -- variable arguments ------------------------------------------------------------------------ */

void cc_lower_va_start(CcLower *l, CcExpr *expr)
{
    CcPlace place = cc_lower_place(l, expr->left);
    CcValue first = l->variable_arguments == CC_NO_REG ? cc_value_constant(0) : cc_value_reg(l->variable_arguments);
    (void)cc_lower_place_store(l, &place, first);
}

CcAddress cc_lower_va_slot(CcLower *l, CcExpr *expr)
{
    CcPlace place = cc_lower_place(l, expr->left);
    if (!place.in_register)
        place.address = cc_lower_address_fix(l, place.address);
    CcReg slot = cc_lower_emit_rr(l, VCODE_MOV, cc_lower_place_load(l, &place).reg);
    (void)cc_lower_place_store(l, &place, cc_value_reg(cc_lower_emit_rri(l, VCODE_ADDI_L, slot, 8)));
    return cc_lower_address_of(slot);
}

/* -- builtins ---------------------------------------------------------------------------------- */

static CcValue lower_real_builtin(CcLower *l, CcExpr *expr, unsigned op)
{
    CcReg value = cc_lower_reg(l, expr->arguments[0]);
    bool narrow = cc_lower_class(expr->arguments[0]->type) == CC_CLASS_F;
    if (narrow)
        value = cc_lower_emit_rr(l, VCODE_CVT_D_F, value);
    value = cc_lower_emit_rr(l, op, value);
    return cc_value_reg(cc_lower_class(expr->type) == CC_CLASS_F ? cc_lower_emit_rr(l, VCODE_CVT_F_D, value) : value);
}

/* Counts bits. Of an int, only its own 32 bits may count, so popcnt zero-extends it first. */
static CcValue lower_bit_builtin(CcLower *l, CcExpr *expr, unsigned op)
{
    const CcType *type = expr->arguments[0]->type;
    CcReg value = cc_lower_reg(l, expr->arguments[0]);
    if (op == VCODE_POPCNT && type->size < 8 && cc_type_is_signed(type))
        value = cc_lower_emit_rr(l, VCODE_ZEXT32, value);
    return cc_value_reg(cc_lower_emit_rr(l, op, value));
}

static CcValue lower_frame_address(CcLower *l)
{
    return cc_value_reg(cc_lower_address_reg(l, cc_lower_frame_temporary(l, 16, 16)));
}

static CcValue lower_memcpy(CcLower *l, CcExpr *expr)
{
    CcReg to = cc_lower_reg(l, expr->arguments[0]);
    CcReg from = cc_lower_reg(l, expr->arguments[1]);
    CcValue size = cc_lower_value(l, expr->arguments[2]);
    g_assert(size.constant);
    if (size.value)
        cc_lower_copy_memory(l, cc_lower_address_of(to), cc_lower_address_of(from), (uint64_t)size.value);
    return cc_value_reg(to);
}

CcValue cc_lower_builtin(CcLower *l, CcExpr *expr)
{
    switch (expr->builtin) {
    case CC_BUILTIN_ALLOCA: return lower_bit_builtin(l, expr, VCODE_ALLOCA);
    case CC_BUILTIN_TRAP: cc_lower_emit(l, VCODE_TRAP)->imm = VCODE_TRAP_ABORT; break;
    case CC_BUILTIN_UNREACHABLE: cc_lower_emit(l, VCODE_TRAP)->imm = VCODE_TRAP_UNREACHABLE; break;
    case CC_BUILTIN_CLZ: return lower_bit_builtin(l, expr, VCODE_CLZ_W);
    case CC_BUILTIN_CLZL: return lower_bit_builtin(l, expr, VCODE_CLZ_L);
    case CC_BUILTIN_CTZ: return lower_bit_builtin(l, expr, VCODE_CTZ_L);
    case CC_BUILTIN_POPCOUNT: return lower_bit_builtin(l, expr, VCODE_POPCNT);
    case CC_BUILTIN_BSWAP16: return lower_bit_builtin(l, expr, VCODE_BSWAP16);
    case CC_BUILTIN_BSWAP32: return lower_bit_builtin(l, expr, VCODE_BSWAP32);
    case CC_BUILTIN_BSWAP64: return lower_bit_builtin(l, expr, VCODE_BSWAP64);
    case CC_BUILTIN_SQRT: return lower_real_builtin(l, expr, VCODE_SQRT_D);
    case CC_BUILTIN_FABS: return lower_real_builtin(l, expr, VCODE_ABS_D);
    case CC_BUILTIN_FRAME_ADDRESS: return lower_frame_address(l);
    case CC_BUILTIN_MEMCPY_FIXED: return lower_memcpy(l, expr);
    }
    return cc_value_constant(0);
}
