/* legal.c - makes instructions fit vCode's fields: immediates and displacements have 16 bits there.
 *
 * One table pairs each instruction that takes a constant with the instruction that takes registers only. Constant
 * folding reads it in the other direction. A constant that does not fit goes into a register first, and the instruction
 * becomes its register form. Some immediate forms have only the mirrored comparison as register form: x > c is c < x.
 */
#include "compiler/arena/arena.h"
#include "compiler/ir/ir.h"
#include "compiler/optimise/optimise.h"
#include "compiler/optimise/ssa.h"

/* The operand of the register form that the constant becomes: x > c is c < x. */
typedef enum Place { SECOND, FIRST, COMMUTES /* either operand */ } Place;

/* An instruction with an immediate, and the one with registers only. */
typedef struct Form {
    uint16_t immediate, registers;
    Place constant;
} Form;

static const Form forms[] = {
    {VCODE_ADDI_W, VCODE_ADD_W, COMMUTES},   {VCODE_ADDI_UW, VCODE_ADD_UW, COMMUTES},
    {VCODE_ADDI_L, VCODE_ADD_L, COMMUTES},   {VCODE_MULI_W, VCODE_MUL_W, COMMUTES},
    {VCODE_MULI_UW, VCODE_MUL_UW, COMMUTES}, {VCODE_MULI_L, VCODE_MUL_L, COMMUTES},
    {VCODE_ANDI, VCODE_AND, COMMUTES},       {VCODE_ORI, VCODE_OR, COMMUTES},
    {VCODE_XORI, VCODE_XOR, COMMUTES},       {VCODE_SHLI_W, VCODE_SHL_W, SECOND},
    {VCODE_SHLI_UW, VCODE_SHL_UW, SECOND},   {VCODE_SHLI_L, VCODE_SHL_L, SECOND},
    {VCODE_SARI_W, VCODE_SAR_W, SECOND},     {VCODE_SARI_L, VCODE_SAR_L, SECOND},
    {VCODE_SHRI_UW, VCODE_SHR_UW, SECOND},   {VCODE_SHRI_UL, VCODE_SHR_UL, SECOND},
    {VCODE_SEQI, VCODE_SEQ, COMMUTES},       {VCODE_SNEI, VCODE_SNE, COMMUTES},
    {VCODE_SLTI, VCODE_SLT, SECOND},         {VCODE_SLEI, VCODE_SLE, SECOND},
    {VCODE_SGTI, VCODE_SLT, FIRST},          {VCODE_SGEI, VCODE_SLE, FIRST},
    {VCODE_SLTUI, VCODE_SLTU, SECOND},       {VCODE_SGEUI, VCODE_SLEU, FIRST},
    {VCODE_BEQI, VCODE_BEQ, COMMUTES},       {VCODE_BNEI, VCODE_BNE, COMMUTES},
    {VCODE_BLTI, VCODE_BLT, SECOND},         {VCODE_BLEI, VCODE_BLE, SECOND},
    {VCODE_BGTI, VCODE_BLT, FIRST},          {VCODE_BGEI, VCODE_BLE, FIRST},
    {VCODE_BLTUI, VCODE_BLTU, SECOND},       {VCODE_BGEUI, VCODE_BLEU, FIRST},
    {VCODE_LD8S, VCODE_LDX8S, SECOND},       {VCODE_LD8U, VCODE_LDX8U, SECOND},
    {VCODE_LD16S, VCODE_LDX16S, SECOND},     {VCODE_LD16U, VCODE_LDX16U, SECOND},
    {VCODE_LD32S, VCODE_LDX32S, SECOND},     {VCODE_LD32U, VCODE_LDX32U, SECOND},
    {VCODE_LD64, VCODE_LDX64, SECOND},       {VCODE_ST8, VCODE_STX8, SECOND},
    {VCODE_ST16, VCODE_STX16, SECOND},       {VCODE_ST32, VCODE_STX32, SECOND},
    {VCODE_ST64, VCODE_STX64, SECOND},
};

static bool is_access(unsigned op)
{
    VcodeForm form = cc_ir_form(op);
    return form == VCODE_FORM_LOAD || form == VCODE_FORM_STORE;
}

unsigned cc_legal_immediate_form(unsigned registers, bool first)
{
    for (unsigned k = 0; k < G_N_ELEMENTS(forms); k++)
        if (forms[k].registers == registers && forms[k].constant != (first ? SECOND : FIRST))
            return forms[k].immediate;
    return 0;
}

static const Form *access_form(unsigned op)
{
    for (unsigned k = 0; k < G_N_ELEMENTS(forms); k++)
        if ((forms[k].immediate == op || forms[k].registers == op) && is_access(forms[k].immediate))
            return &forms[k];
    return NULL;
}

unsigned cc_legal_indexed_access(unsigned op)
{
    const Form *form = access_form(op);
    return form ? form->registers : 0;
}

unsigned cc_legal_plain_access(unsigned op)
{
    const Form *form = access_form(op);
    return form ? form->immediate : 0;
}

static bool has_short_immediate(unsigned op)
{
    VcodeForm form = cc_ir_form(op);
    return form == VCODE_FORM_RRI || form == VCODE_FORM_BRI || is_access(op);
}

static const Form *form_of(unsigned op)
{
    for (unsigned k = 0; k < G_N_ELEMENTS(forms); k++)
        if (forms[k].immediate == op)
            return &forms[k];
    g_assert_not_reached();
}

static void use_register(CcIrInstr *i, CcReg constant)
{
    const Form *form = form_of(i->op);
    bool branch = cc_ir_form(i->op) == VCODE_FORM_BRI;
    i->op = form->registers;
    i->imm = 0;
    i->n = 0;
    CcReg *second = branch ? &i->b : &i->c, *first = branch ? &i->a : &i->b;
    *second = constant;
    if (form->constant == FIRST) {
        *second = *first;
        *first = constant;
    }
}

bool cc_legal_is(const CcIrInstr *i)
{
    return !has_short_immediate(i->op) || (i->imm >= INT16_MIN && i->imm <= INT16_MAX);
}

static void legalise_block(CcIrFunction *f, CcIrBlock *b, uint32_t n_illegal)
{
    CcIrInstr *items = cc_arena_alloc(f->arena, (b->count + n_illegal) * sizeof *items);
    uint32_t n = 0;
    for (uint32_t k = 0; k < b->count; k++) {
        CcIrInstr i = b->items[k];
        if (!cc_legal_is(&i)) {
            CcReg constant = cc_ir_reg(f);
            items[n++] = (CcIrInstr){
                .op = CC_IR_CONSTANT, .a = constant, .b = CC_NO_REG, .c = CC_NO_REG, .imm = i.imm, .loc = i.loc};
            use_register(&i, constant);
        }
        items[n++] = i;
    }
    b->items = items;
    b->count = b->capacity = n;
}

void cc_optimise_legalise(CcIrFunction *f)
{
    for (CcIrBlock *b = f->first; b; b = b->next) {
        uint32_t n_illegal = 0;
        for (uint32_t k = 0; k < b->count; k++)
            n_illegal += !cc_legal_is(&b->items[k]);
        if (n_illegal)
            legalise_block(f, b, n_illegal);
    }
}

/* Legalises in SSA form. Runs before loops are analysed, so that constants in registers can move out of them. */
void cc_optimise_legalise_ssa(CcSsa *s)
{
    for (uint32_t o = 0; o < s->n_order; o++)
        for (CcNode *node = s->order[o]->head; node; node = node->next) {
            if (cc_legal_is(&node->i))
                continue;
            CcReg constant = cc_ssa_reg(s);
            CcIrInstr i = {.op = CC_IR_CONSTANT,
                           .a = constant,
                           .b = CC_NO_REG,
                           .c = CC_NO_REG,
                           .imm = node->i.imm,
                           .loc = node->i.loc};
            (void)cc_ssa_insert_before(s, node, &i);
            use_register(&node->i, constant);
        }
    s->legal = true;
}
