/* shadow_step.c - what each instruction does to shades.
 *
 * The careful loop calls this before it executes an instruction, when registers and memory still have the values that
 * the instruction will read. Only shades and notes change; only an access that is certainly wrong is refused.
 *
 * A value that was never set may be copied, stored, passed and computed with. A note is made where such a value decides
 * something that others can see: a branch, an address, an argument of the library or MPI.
 */
#include "vm/check/shadow.h"
#include "vm/check/shadow_bits.h"

/* The instruction that is about to run, with the registers R of its frame and their shades S. */
typedef struct Step {
    VmRank *rank;
    VmShadow *shadow;
    const VmInstr *ip;
    const uint64_t *R;
    VmShade *S;
    uint32_t window;
} Step;

static const char set_it[] = "give it a value before it is used";

static inline uint64_t tag_of_object(const Step *step, uint32_t object)
{
    const VcodeObject *objects = step->rank->image->module->objects.items;
    return vm_shades_tag_of_object(step->shadow, objects, step->rank->depth, object);
}

static inline uint64_t said(const Step *step)
{
    return step->ip->target ? tag_of_object(step, (uint32_t)step->ip->target - 1) : 0;
}

/* -- undefined bits ---------------------------------------------------------------------------- */

static inline VmBits bits_of(const Step *step, unsigned r)
{
    return (VmBits){step->R[r], step->S[r].undefined};
}

static inline uint64_t origin_of(VmShade b, VmShade c)
{
    return b.undefined ? b.tag : c.tag;
}

/* Whether the result of a comparison depends on bits that were never set. */
static bool decides(VcodeOp op, VmBits x, VmBits y)
{
    switch (op) {
    case VCODE_SEQ:
    case VCODE_SNE:
    case VCODE_BEQ:
    case VCODE_BNE: return vm_bits_equality(x, y);
    case VCODE_SLTU:
    case VCODE_BLTU: return vm_bits_below(x, y);
    case VCODE_SLEU:
    case VCODE_BLEU: return vm_bits_not_above(x, y);
    case VCODE_SLT:
    case VCODE_BLT: return vm_bits_below(vm_bits_signed(x), vm_bits_signed(y));
    case VCODE_SLE:
    case VCODE_BLE: return vm_bits_not_above(vm_bits_signed(x), vm_bits_signed(y));
    default: return x.undefined || y.undefined;
    }
}

/* The comparison of two registers that does the same as one with a constant. *exchanged: the operands change places, as
 * x > c is c < x. */
static VcodeOp comparison_of(VcodeOp op, bool *exchanged)
{
    *exchanged = false;
    switch (op) {
    case VCODE_SEQI:
    case VCODE_SNEI:
    case VCODE_BEQI:
    case VCODE_BNEI: return VCODE_SEQ;
    case VCODE_SLTI:
    case VCODE_BLTI: return VCODE_SLT;
    case VCODE_SLEI:
    case VCODE_BLEI: return VCODE_SLE;
    case VCODE_SLTUI:
    case VCODE_BLTUI: return VCODE_SLTU;
    case VCODE_SGTI:
    case VCODE_BGTI: *exchanged = true; return VCODE_SLT;
    case VCODE_SGEI:
    case VCODE_BGEI: *exchanged = true; return VCODE_SLE;
    case VCODE_SGEUI:
    case VCODE_BGEUI: *exchanged = true; return VCODE_SLEU;
    default: return op;
    }
}

static bool decides_constant(VcodeOp op, VmBits x, int64_t constant)
{
    bool exchanged;
    VcodeOp plain = comparison_of(op, &exchanged);
    VmBits y = {(uint64_t)constant, 0};
    return exchanged ? decides(plain, y, x) : decides(plain, x, y);
}

/* Undefined bits of a result of two registers, at least one of which has undefined bits. */
static uint64_t undefined_of(const Step *step, VcodeOp op)
{
    VmBits b = bits_of(step, step->ip->b), c = bits_of(step, step->ip->c);
    uint64_t any = b.undefined | c.undefined;
    switch (op) {
    case VCODE_ADD_L: return vm_bits_sum(b, c);
    case VCODE_ADD_W: return vm_bits_sign32(vm_bits_sum(b, c));
    case VCODE_ADD_UW: return vm_bits_zero32(vm_bits_sum(b, c));
    case VCODE_SUB_L: return vm_bits_difference(b, c);
    case VCODE_SUB_W: return vm_bits_sign32(vm_bits_difference(b, c));
    case VCODE_SUB_UW: return vm_bits_zero32(vm_bits_difference(b, c));
    case VCODE_MUL_L: return vm_bits_upwards(any);
    case VCODE_MUL_W: return vm_bits_sign32(vm_bits_upwards(any));
    case VCODE_MUL_UW: return vm_bits_zero32(vm_bits_upwards(any));
    case VCODE_AND: return vm_bits_and(b, c);
    case VCODE_OR: return vm_bits_or(b, c);
    case VCODE_XOR: return any;
    case VCODE_SHL_L: return c.undefined ? UINT64_MAX : b.undefined << (c.value & 63);
    case VCODE_SHL_W: return c.undefined ? UINT64_MAX : vm_bits_sign32(b.undefined << (c.value & 31));
    case VCODE_SHL_UW: return vm_bits_zero32(c.undefined ? UINT64_MAX : b.undefined << (c.value & 31));
    case VCODE_SAR_L: return c.undefined ? UINT64_MAX : (uint64_t)((int64_t)b.undefined >> (c.value & 63));
    case VCODE_SAR_W: return c.undefined ? UINT64_MAX : (uint64_t)((int64_t)b.undefined >> (c.value & 31));
    case VCODE_SHR_UL: return c.undefined ? UINT64_MAX : b.undefined >> (c.value & 63);
    case VCODE_SHR_UW: return c.undefined ? UINT32_MAX : b.undefined >> (c.value & 31);
    case VCODE_SEQ:
    case VCODE_SNE:
    case VCODE_SLT:
    case VCODE_SLE:
    case VCODE_SLTU:
    case VCODE_SLEU: return decides(op, b, c);
    case VCODE_SEQ_D:
    case VCODE_SNE_D:
    case VCODE_SLT_D:
    case VCODE_SLE_D:
    case VCODE_SEQ_F:
    case VCODE_SNE_F:
    case VCODE_SLT_F:
    case VCODE_SLE_F: return 1;
    case VCODE_ADD_F:
    case VCODE_SUB_F:
    case VCODE_MUL_F:
    case VCODE_DIV_F:
    case VCODE_DIV_UW:
    case VCODE_MOD_UW: return UINT32_MAX;
    default: return UINT64_MAX;
    }
}

/* Undefined bits of a result of a register and a constant. */
static uint64_t undefined_by(const Step *step, VcodeOp op)
{
    VmBits b = bits_of(step, step->ip->b), c = {(uint64_t)(int64_t)step->ip->c_signed, 0};
    switch (op) {
    case VCODE_ADDI_L: return vm_bits_sum(b, c);
    case VCODE_ADDI_W: return vm_bits_sign32(vm_bits_sum(b, c));
    case VCODE_ADDI_UW: return vm_bits_zero32(vm_bits_sum(b, c));
    case VCODE_MULI_L: return vm_bits_upwards(b.undefined);
    case VCODE_MULI_W: return vm_bits_sign32(vm_bits_upwards(b.undefined));
    case VCODE_MULI_UW: return vm_bits_zero32(vm_bits_upwards(b.undefined));
    case VCODE_ANDI: return vm_bits_and(b, c);
    case VCODE_ORI: return vm_bits_or(b, c);
    case VCODE_XORI: return b.undefined;
    case VCODE_SHLI_L: return b.undefined << (c.value & 63);
    case VCODE_SHLI_W: return vm_bits_sign32(b.undefined << (c.value & 31));
    case VCODE_SHLI_UW: return vm_bits_zero32(b.undefined << (c.value & 31));
    case VCODE_SARI_L: return (uint64_t)((int64_t)b.undefined >> (c.value & 63));
    case VCODE_SARI_W: return (uint64_t)((int64_t)b.undefined >> (c.value & 31));
    case VCODE_SHRI_UL: return b.undefined >> (c.value & 63);
    case VCODE_SHRI_UW: return b.undefined >> (c.value & 31);
    default: return decides_constant(op, b, (int64_t)c.value);
    }
}

/* Undefined bits of a result of one register. */
static uint64_t undefined_from(const Step *step, VcodeOp op)
{
    VmBits b = bits_of(step, step->ip->b);
    uint64_t u = b.undefined;
    switch (op) {
    case VCODE_NEG_L: return vm_bits_upwards(u);
    case VCODE_NEG_W: return vm_bits_sign32(vm_bits_upwards(u));
    case VCODE_NEG_UW: return vm_bits_zero32(vm_bits_upwards(u));
    case VCODE_NOT_UW: return vm_bits_zero32(u);
    case VCODE_NOT_L:
    case VCODE_NEG_D:
    case VCODE_NEG_F: return u;
    case VCODE_ABS_D: return u & ~(UINT64_C(1) << 63);
    case VCODE_SEXT8: return (uint64_t)(int64_t)(int8_t)(uint8_t)u;
    case VCODE_SEXT16: return (uint64_t)(int64_t)(int16_t)(uint16_t)u;
    case VCODE_SEXT32: return vm_bits_sign32(u);
    case VCODE_ZEXT8: return (uint8_t)u;
    case VCODE_ZEXT16: return (uint16_t)u;
    case VCODE_ZEXT32: return (uint32_t)u;
    case VCODE_CLZ_W: return vm_bits_least(b) << 32 > u << 32 ? 0 : (u << 32 ? 63 : 0);
    case VCODE_CLZ_L: return vm_bits_least(b) > u ? 0 : 127;
    case VCODE_CTZ_L: /* the lowest bit that is known to be set decides, if all bits below it are known */
        return vm_bits_least(b) && (vm_bits_least(b) & -vm_bits_least(b)) < (u & -u) ? 0 : 127;
    case VCODE_POPCNT: return 127;
    case VCODE_BSWAP16: return __builtin_bswap16((uint16_t)u);
    case VCODE_BSWAP32: return __builtin_bswap32((uint32_t)u);
    case VCODE_BSWAP64: return __builtin_bswap64(u);
    case VCODE_CVT_F_L:
    case VCODE_CVT_F_UL:
    case VCODE_CVT_F_D: return UINT32_MAX;
    default: return UINT64_MAX;
    }
}

/* -- computations ------------------------------------------------------------------------------ */

static void set(Step *step, uint64_t undefined, uint64_t origin, uint64_t tag)
{
    step->S[step->ip->a] = (VmShade){undefined, undefined ? origin : tag};
}

static void step_registers(Step *step, VcodeOp op)
{
    VmShade b = step->S[step->ip->b], c = step->S[step->ip->c];
    if (G_UNLIKELY(b.undefined | c.undefined)) {
        uint64_t undefined = undefined_of(step, op);
        set(step, undefined, origin_of(b, c), 0);
        return;
    }
    uint64_t tag = 0;
    if (G_UNLIKELY(step->ip->target) && (op == VCODE_ADD_L || !(b.tag | c.tag)))
        tag = said(step);
    else if (G_UNLIKELY(b.tag | c.tag))
        tag = vm_shades_tag_of_result(op, b.tag, c.tag);
    set(step, 0, 0, tag);
}

static void step_constant(Step *step, VcodeOp op)
{
    VmShade b = step->S[step->ip->b];
    if (G_UNLIKELY(b.undefined)) {
        set(step, undefined_by(step, op), b.tag, 0);
        return;
    }
    uint64_t tag = step->ip->target ? said(step) : vm_shades_tag_by(op, b.tag, step->ip->c_signed);
    set(step, 0, 0, tag);
}

static void step_single(Step *step, VcodeOp op)
{
    VmShade b = step->S[step->ip->b];
    set(step, b.undefined ? undefined_from(step, op) : 0, b.tag, b.undefined ? 0 : vm_shades_tag_of_number(b.tag, 0));
}

static void step_move(Step *step)
{
    VmShade b = step->S[step->ip->b];
    if (!b.undefined)
        b.tag = step->ip->target ? said(step) : vm_shades_as_address(b.tag);
    step->S[step->ip->a] = b;
}

static void step_select(Step *step)
{
    const VmInstr *ip = step->ip;
    VmShade *a = &step->S[ip->a], b = step->S[ip->b], c = step->S[ip->c];
    bool unknown = c.undefined && (step->R[ip->c] & ~c.undefined) == 0;
    if (unknown)
        set(step, a->undefined | b.undefined | (step->R[ip->a] ^ step->R[ip->b]), c.tag, a->undefined ? 0 : a->tag);
    else if (step->R[ip->c] != 0)
        *a = (VmShade){b.undefined, b.undefined ? b.tag : vm_shades_as_address(b.tag)};
}

/* -- uses -------------------------------------------------------------------------------------- */

/* Each undefined register is reported once: from there on it counts as set. */
static void told(Step *step, unsigned r)
{
    step->S[r] = (VmShade){0, 0};
}

static void step_branch(Step *step, VcodeOp op)
{
    const VmInstr *ip = step->ip;
    VmShade a = step->S[ip->a], b = step->S[ip->b];
    if (G_LIKELY(!(a.undefined | b.undefined)) || !decides(op, bits_of(step, ip->a), bits_of(step, ip->b)))
        return;
    vm_shadow_note(step->rank, "goes one way or the other by a value that was never set", origin_of(a, b), set_it);
    told(step, a.undefined ? ip->a : ip->b);
}

static void step_branch_constant(Step *step, VcodeOp op)
{
    const VmInstr *ip = step->ip;
    VmShade a = step->S[ip->a];
    if (G_LIKELY(!a.undefined) || !decides_constant(op, bits_of(step, ip->a), (int16_t)ip->b))
        return;
    vm_shadow_note(step->rank, "goes one way or the other by a value that was never set", a.tag, set_it);
    told(step, ip->a);
}

static void step_use(Step *step, unsigned r, const char *what)
{
    if (G_LIKELY(!step->S[r].undefined))
        return;
    vm_shadow_note(step->rank, what, step->S[r].tag, set_it);
    told(step, r);
}

/* -- memory ------------------------------------------------------------------------------------ */

/* The tag of the address of an access. */
static uint64_t tag_of_access(const Step *step, bool indexed)
{
    const VmInstr *ip = step->ip;
    if (ip->target)
        return said(step);
    uint64_t tag = step->S[ip->b].tag;
    if (!indexed)
        return vm_tag_kind(tag) == VM_TAG_FRAME ? 0 : tag;
    return vm_shades_tag_of_sum(tag, step->S[ip->c].tag);
}

static bool step_access(Step *step, VcodeOp op)
{
    const VmInstr *ip = step->ip;
    VmAccess access = vm_shades_access_of(op);
    uint64_t address = step->R[ip->b];
    address += access.indexed ? step->R[ip->c] << ip->n : (uint64_t)(int64_t)ip->c_signed;
    if (G_UNLIKELY(step->S[ip->b].undefined))
        step_use(step, ip->b, "accesses memory at an address that was never set");
    if (access.indexed && G_UNLIKELY(step->S[ip->c].undefined))
        step_use(step, ip->c, "accesses memory at an index that was never set");
    if (G_UNLIKELY(!vm_memory_read(step->rank, address, access.size)))
        return true; /* the instruction raises a fault of its own */
    if (!vm_shadow_judge(step->rank, tag_of_access(step, access.indexed), address, access.size, access.write))
        return false;
    if (!access.write) {
        step->S[ip->a] = vm_shadow_load(step->rank, address, access.size, access.sign);
        return true;
    }
    VmShade value = step->S[ip->a];
    if (!value.undefined)
        value.tag = vm_shades_as_address(value.tag);
    vm_shadow_store(step->rank, address, access.size, value);
    return true;
}

static bool step_block(Step *step, bool copy)
{
    const VmInstr *ip = step->ip;
    uint64_t to = step->R[ip->a], from = step->R[ip->b], size = ip->value;
    step_use(step, ip->a, "accesses memory at an address that was never set");
    if (copy)
        step_use(step, ip->b, "accesses memory at an address that was never set");
    if (!size || !vm_memory_read(step->rank, to, size) || (copy && !vm_memory_read(step->rank, from, size)))
        return true;
    if (copy && !vm_shadow_judge(step->rank, vm_shades_as_address(step->S[ip->b].tag), from, size, false))
        return false;
    if (!vm_shadow_judge(step->rank, vm_shades_as_address(step->S[ip->a].tag), to, size, true))
        return false;
    if (copy)
        vm_shadow_copy(step->rank, to, from, size);
    else
        vm_shadow_define(step->rank, to, size);
    return true;
}

/* -- the stack and calls ----------------------------------------------------------------------- */

static void step_enter(Step *step)
{
    VmRank *rank = step->rank;
    const VmInstr *ip = step->ip;
    if (ip->value > rank->sp - rank->stack_low)
        return; /* the stack overflows */
    uint32_t function = (uint32_t)ip->b | (uint32_t)ip->c << 16;
    vm_shadow_enter(rank, function, rank->sp - ip->value, ip->value, &step->S[ip->a]);
}

static void step_alloca(Step *step)
{
    VmRank *rank = step->rank;
    uint64_t asked = step->R[step->ip->b], bytes = (asked + 15) & ~UINT64_C(15);
    step_use(step, step->ip->b, "takes so much of the stack as a value says that was never set");
    if (asked > rank->sp - rank->stack_low || bytes > rank->sp - rank->stack_low)
        return;
    uint64_t tag = vm_shadow_alloca(rank, rank->sp - bytes, bytes, asked);
    set(step, 0, 0, tag);
}

static void pass_arguments(Step *step, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        VmShade *shade = &step->S[step->ip->a + i];
        if (!shade->undefined)
            shade->tag = vm_shades_as_address(shade->tag);
    }
}

static void step_call(Step *step, uint32_t function)
{
    const VmFunction *f = &step->rank->image->functions[function];
    pass_arguments(step, step->ip->n);
    uint32_t window = step->window + step->ip->a;
    unsigned n = step->ip->n;
    vm_shadow_called(step->rank, function, window);
    for (unsigned i = n; i < f->parameters; i++) /* missing arguments are 0, or come from slots */
        step->shadow->shades[window + i] = (VmShade){0, 0};
}

static void step_call_by_address(Step *step)
{
    step_use(step, step->ip->b, "calls a function whose address was never set");
    uint32_t function = vm_image_function(step->rank->image, step->R[step->ip->b]);
    if (function != VCODE_NONE)
        step_call(step, function);
}

static void step_extern(Step *step)
{
    const VmInstr *ip = step->ip;
    const VmShadowCall *call = &step->shadow->call;
    if (!vm_shades_pass(step->rank, ip, step->R, step->S) || call->shading == VM_SHADING_FOREIGN ||
        call->shading == VM_SHADING_COMPUTES)
        return;
    for (unsigned i = 0; i < call->n; i++)
        if (call->shades[i].undefined)
            vm_shadow_note_argument(step->rank, i + 1, call->shades[i].tag);
}

static void step_return(Step *step, bool value)
{
    VmShade shade = value ? step->S[step->ip->a] : (VmShade){0, 0};
    if (!shade.undefined)
        shade.tag = vm_shades_as_address(shade.tag);
    if (!value && step->shadow->tracks && step->rank->depth > 2) /* main may return nothing */
        shade = (VmShade){UINT64_MAX, vm_origin(VM_ORIGIN_RETURN, step->rank->pc)};
    step->S[0] = shade;
}

/* -- all --------------------------------------------------------------------------------------- */

bool vm_shadow_step(VmRank *rank, const VmInstr *ip, const uint64_t *registers)
{
    VmShadow *s = rank->shadow;
    uint32_t window = rank->frames[rank->depth - 1].window;
    Step step = {rank, s, ip, registers, s->shades + window, window};
    VcodeInstr instr = rank->image->module->code.items[rank->pc];
    VcodeOp op = vcode_op(instr);
    switch (vcode_op_info[op].form) {
    case VCODE_FORM_LOAD:
    case VCODE_FORM_STORE:
    case VCODE_FORM_STOREX: return step_access(&step, op);
    case VCODE_FORM_LOADX:
        if (op != VCODE_LEAX)
            return step_access(&step, op);
        if (G_UNLIKELY(step.S[ip->c].undefined | step.S[ip->b].undefined)) {
            VmBits b = bits_of(&step, ip->b), c = bits_of(&step, ip->c);
            VmBits scaled = {c.value << ip->n, c.undefined << ip->n};
            set(&step, vm_bits_sum(b, scaled), origin_of(step.S[ip->b], step.S[ip->c]), 0);
        } else {
            set(&step, 0, 0, ip->target ? said(&step) : vm_shades_tag_of_sum(step.S[ip->b].tag, step.S[ip->c].tag));
        }
        return true;
    case VCODE_FORM_RRI: step_constant(&step, op); return true;
    case VCODE_FORM_RRR:
        if (op == VCODE_CMOV)
            step_select(&step);
        else
            step_registers(&step, op);
        return true;
    case VCODE_FORM_RR:
        if (op == VCODE_MOV)
            step_move(&step);
        else if (op == VCODE_ALLOCA)
            step_alloca(&step);
        else
            step_single(&step, op);
        return true;
    case VCODE_FORM_RK: {
        uint32_t object = (uint32_t)ip->b | (uint32_t)ip->c << 16;
        set(&step, 0, 0, object ? tag_of_object(&step, object - 1) : 0);
        return true;
    }
    case VCODE_FORM_RI32:
        set(&step, 0, 0, 0);
        if (op == VCODE_ENTER)
            step_enter(&step);
        return true;
    case VCODE_FORM_BLOCK: return step_block(&step, op == VCODE_BCOPY);
    case VCODE_FORM_BRR: step_branch(&step, op); return true;
    case VCODE_FORM_BRI: step_branch_constant(&step, op); return true;
    case VCODE_FORM_SWITCH:
        step_use(&step, ip->a, "goes one way or the other by a value that was never set");
        return true;
    case VCODE_FORM_R:
        if (op == VCODE_RET)
            step_return(&step, true);
        else if (op == VCODE_GETSP)
            set(&step, 0, 0, 0);
        else
            step_use(&step, ip->a, "goes to a place that was never set");
        return true;
    case VCODE_FORM_NONE:
        if (op == VCODE_RETV)
            step_return(&step, false);
        return true;
    case VCODE_FORM_CALL: step_call(&step, (uint32_t)ip->target); return true;
    case VCODE_FORM_CALLI: step_call_by_address(&step); return true;
    case VCODE_FORM_CALLX: step_extern(&step); return true;
    case VCODE_FORM_JUMP:
    case VCODE_FORM_I32: return true;
    }
    return true;
}
