/* optimise_legal.c - makes the instructions fit vCode's fields: immediates and displacements are 16 bits there.
 *
 * What does not fit goes into a register first, and the instruction becomes its register form. Some immediate forms
 * have no register form of their own but that of the mirrored comparison: x > c is c < x.
 */
#include "compiler/optimise.h"

typedef struct Form {
    uint16_t immediate, registers;
    bool mirrored;
} Form;

static const Form forms[] = {
    {VCODE_ADDI_W, VCODE_ADD_W, false},   {VCODE_ADDI_UW, VCODE_ADD_UW, false}, {VCODE_ADDI_L, VCODE_ADD_L, false},
    {VCODE_MULI_W, VCODE_MUL_W, false},   {VCODE_MULI_UW, VCODE_MUL_UW, false}, {VCODE_MULI_L, VCODE_MUL_L, false},
    {VCODE_ANDI, VCODE_AND, false},       {VCODE_ORI, VCODE_OR, false},         {VCODE_XORI, VCODE_XOR, false},
    {VCODE_SHLI_W, VCODE_SHL_W, false},   {VCODE_SHLI_UW, VCODE_SHL_UW, false}, {VCODE_SHLI_L, VCODE_SHL_L, false},
    {VCODE_SARI_W, VCODE_SAR_W, false},   {VCODE_SARI_L, VCODE_SAR_L, false},   {VCODE_SHRI_UW, VCODE_SHR_UW, false},
    {VCODE_SHRI_UL, VCODE_SHR_UL, false}, {VCODE_SEQI, VCODE_SEQ, false},       {VCODE_SNEI, VCODE_SNE, false},
    {VCODE_SLTI, VCODE_SLT, false},       {VCODE_SLEI, VCODE_SLE, false},       {VCODE_SGTI, VCODE_SLT, true},
    {VCODE_SGEI, VCODE_SLE, true},        {VCODE_SLTUI, VCODE_SLTU, false},     {VCODE_SGEUI, VCODE_SLEU, true},
    {VCODE_BEQI, VCODE_BEQ, false},       {VCODE_BNEI, VCODE_BNE, false},       {VCODE_BLTI, VCODE_BLT, false},
    {VCODE_BLEI, VCODE_BLE, false},       {VCODE_BGTI, VCODE_BLT, true},        {VCODE_BGEI, VCODE_BLE, true},
    {VCODE_BLTUI, VCODE_BLTU, false},     {VCODE_BGEUI, VCODE_BLEU, true},      {VCODE_LD8S, VCODE_LDX8S, false},
    {VCODE_LD8U, VCODE_LDX8U, false},     {VCODE_LD16S, VCODE_LDX16S, false},   {VCODE_LD16U, VCODE_LDX16U, false},
    {VCODE_LD32S, VCODE_LDX32S, false},   {VCODE_LD32U, VCODE_LDX32U, false},   {VCODE_LD64, VCODE_LDX64, false},
    {VCODE_ST8, VCODE_STX8, false},       {VCODE_ST16, VCODE_STX16, false},     {VCODE_ST32, VCODE_STX32, false},
    {VCODE_ST64, VCODE_STX64, false},
};

static bool has_short_immediate(unsigned op)
{
    VcodeForm form = cc_ir_form(op);
    return form == VCODE_FORM_RRI || form == VCODE_FORM_BRI || form == VCODE_FORM_LOAD || form == VCODE_FORM_STORE;
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
    if (form->mirrored) {
        *second = *first;
        *first = constant;
    }
}

bool cc_ir_is_legal(const CcIrInstr *i)
{
    return !has_short_immediate(i->op) || (i->imm >= INT16_MIN && i->imm <= INT16_MAX);
}

static void legalise_block(CcIrFunction *f, CcIrBlock *b, uint32_t n_illegal)
{
    CcIrInstr *items = cc_alloc(f->arena, (b->count + n_illegal) * sizeof *items);
    uint32_t n = 0;
    for (uint32_t k = 0; k < b->count; k++) {
        CcIrInstr i = b->items[k];
        if (!cc_ir_is_legal(&i)) {
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

void cc_ir_legalise(CcIrFunction *f)
{
    for (CcIrBlock *b = f->first; b; b = b->next) {
        uint32_t n_illegal = 0;
        for (uint32_t k = 0; k < b->count; k++)
            n_illegal += !cc_ir_is_legal(&b->items[k]);
        if (n_illegal)
            legalise_block(f, b, n_illegal);
    }
}

/* The same in SSA form, before loops are looked at: what goes into registers here can be moved out of them. */
void cc_ssa_legalise(CcSsa *s)
{
    for (uint32_t o = 0; o < s->n_order; o++)
        for (CcNode *node = s->order[o]->head; node; node = node->next) {
            if (cc_ir_is_legal(&node->i))
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
