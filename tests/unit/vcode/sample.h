/* sample.h - a module with something in every table, for the tests of files, verifier and disassembler. */
#ifndef ORRERY_TEST_VCODE_SAMPLE_H
#define ORRERY_TEST_VCODE_SAMPLE_H

#include "vcode/internal.h"

#include <criterion/criterion.h>
#include <string.h>

static inline void emit(VcodeModule *m, VcodeInstr word)
{
    *vcode_push(m, code) = word;
}

static inline VcodeFunction *begin(VcodeModule *m, const char *name, unsigned parameters, unsigned registers)
{
    uint32_t text = vcode_string(m, name), file = vcode_source_file(m, "sample.c");
    VcodeFunction *f = vcode_push(m, functions);
    *f = (VcodeFunction){text, m->code.count, 0, registers, (uint16_t)parameters, 0, file, 3, 0};
    return f;
}

static inline void end(VcodeModule *m)
{
    VcodeFunction *f = &m->functions.items[m->functions.count - 1];
    f->code_count = m->code.count - f->code_start;
}

/*   main: 0 enter r0, 32      twice: 10 shli.l r0, r0, 1
 *         1 movi r1, 21              11 ret r0
 *         2 call twice, r1, 1
 *         3 switch r1, table 0
 *         4 movk r2, "hello"
 *         5 callx puts, r2, 1
 *         6 blti r1, 5, L4
 *         7 jmp L8
 *         8 movk r2, 3.25
 *         9 ret r1 */
static inline VcodeModule *sample(void)
{
    VcodeModule *m = vcode_module_new(VCODE_PROGRAM);
    m->entry = 0;
    m->data_base = 0x20000;
    m->bss_bytes = 24;
    memcpy(vcode_push_many(m, rodata, 6), "hello", 6);
    memset(vcode_push_many(m, data, 16), 1, 16);
    begin(m, "main", 0, 4);
    *vcode_push(m, lines) = (VcodeLine){0, vcode_source_file(m, "sample.c"), 3, 1, VCODE_LINE_STATEMENT, VCODE_NONE};
    *vcode_push(m, lines) = (VcodeLine){4, 0, 4, 5, VCODE_LINE_STATEMENT, VCODE_NONE};
    emit(m, vcode_pack_imm32(VCODE_ENTER, 0, 0, 32));
    emit(m, vcode_pack_imm32(VCODE_MOVI, 0, 1, 21));
    emit(m, vcode_pack_imm32(VCODE_CALL, 1, 1, 1));
    emit(m, vcode_pack_imm32(VCODE_SWITCH, 0, 1, 0));
    emit(m, vcode_pack_imm32(VCODE_MOVK, 0, 2, (int32_t)vcode_constant(m, VCODE_RODATA_BASE, false)));
    emit(m, vcode_pack_imm32(VCODE_CALLX, 1, 2, 0));
    emit(m, vcode_pack(VCODE_BLTI, 0xff, 1, 5, (unsigned)-3));
    emit(m, vcode_pack_imm32(VCODE_JMP, 0, 0, 0));
    emit(m, vcode_pack_imm32(VCODE_MOVK, 0, 2, (int32_t)vcode_constant(m, UINT64_C(0x400a000000000000), false)));
    emit(m, vcode_pack(VCODE_RET, 0, 1, 0, 0));
    end(m);
    begin(m, "twice", 1, 1);
    emit(m, vcode_pack(VCODE_SHLI_L, 0, 0, 0, 1));
    emit(m, vcode_pack(VCODE_RET, 0, 0, 0, 0));
    end(m);
    uint32_t puts = vcode_string(m, "puts"), type = vcode_string(m, "int"), name = vcode_string(m, "numbers");
    vcode_push(m, externs)->name = puts;
    memcpy(vcode_push_many(m, targets, 2), (uint32_t[]){4, 8}, 8);
    *vcode_push(m, switches) = (VcodeSwitch){41, 0, 2, 8, 0};
    *vcode_push(m, types) = (VcodeType){VCODE_TYPE_SIGNED, type, 4, VCODE_NONE, 0, 0, 0};
    *vcode_push(m, types) = (VcodeType){VCODE_TYPE_STRUCT, type, 8, VCODE_NONE, 0, 1, 0};
    *vcode_push(m, members) = (VcodeMember){name, 0, 4, 0, 0, 0, 0};
    *vcode_push(m, symbols) = (VcodeSymbol){name, VCODE_SECTION_DATA, VCODE_GLOBAL, 8, 8, 8, 0, 1, 0, VCODE_NONE};
    *vcode_push(m, relocs) = (VcodeReloc){VCODE_RELOC_DATA, 0, 8, 4, 0, 1};
    *vcode_push(m, variables) = (VcodeVariable){name, 0, 0, VCODE_AT_REGISTER, 1, 0, 10, 3, 0, VCODE_NONE, 0, 0, 0};
    return m;
}

#endif
