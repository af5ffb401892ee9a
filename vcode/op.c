/* op.c - the properties of each instruction: the rows of instructions.def as a table, and queries on it. */
#include "vcode/vcode.h"

/* clang-format off */
#define RESULT_NONE 0,  false
#define RESULT_U1   1,  false
#define RESULT_U7   7,  false
#define RESULT_U8   8,  false
#define RESULT_S8   8,  true
#define RESULT_U16  16, false
#define RESULT_S16  16, true
#define RESULT_U32  32, false
#define RESULT_S32  32, true
#define RESULT_U64  64, false
#define RESULT_S64  64, true
/* clang-format on */

const VcodeOpInfo vcode_op_info[VCODE_OP_COUNT] = {
#define INSTRUCTION(name, mnemonic, form, cost, result, kind, meaning)                                                 \
    {mnemonic, VCODE_FORM_##form, VCODE_COST_##cost, RESULT_##result, VCODE_KIND_##kind, meaning},
#include "vcode/instructions.def"
};

_Static_assert(VCODE_OP_COUNT <= 256, "an opcode is one byte");

bool vcode_op_ends_block(VcodeOp op)
{
    if (op >= VCODE_OP_COUNT)
        return false;
    VcodeCost cost = vcode_op_info[op].cost;
    return cost == VCODE_COST_BRANCH || cost == VCODE_COST_CALL || cost == VCODE_COST_END;
}
