/* assembler.h - builds small vCode programs for the tests of the VM, and runs them.
 *
 *     Asm a;
 *     asm_open(&a);
 *     asm_function(&a, "main", 0, 4);
 *     asm_rk(&a, 0, 42);
 *     asm_r(&a, VCODE_RET, 0);
 *     Run run;
 *     run_open(&run, asm_close(&a), 1);
 *
 * A program calls the extern `put(value)` to append (rank, value, clock) to a trace, which tests compare. The first
 * function is the entry.
 */
#ifndef ORRERY_TEST_ASSEMBLER_H
#define ORRERY_TEST_ASSEMBLER_H

#include "../externs.h"
#include "vm/rank/rank.h"

#include <criterion/criterion.h>
#include <string.h>

enum { ASM_LABELS = 64, ASM_FIXUPS = 256 };

typedef struct Asm {
    VcodeModule *module;
    uint32_t labels[ASM_LABELS];
    unsigned label_count;
    struct {
        uint32_t pc;
        unsigned label;
    } fixups[ASM_FIXUPS];
    unsigned fixup_count;
} Asm;

static inline void asm_open(Asm *a)
{
    memset(a, 0, sizeof *a);
    a->module = vcode_module_new(VCODE_PROGRAM);
    a->module->entry = 0;
}

static inline uint32_t asm_pc(const Asm *a)
{
    return a->module->code.count;
}

static inline void asm_end_function(Asm *a)
{
    VcodeModule *m = a->module;
    if (m->functions.count) {
        VcodeFunction *f = &m->functions.items[m->functions.count - 1];
        f->code_count = m->code.count - f->code_start;
    }
    for (unsigned i = 0; i < a->fixup_count; i++) {
        VcodeInstr *word = &m->code.items[a->fixups[i].pc];
        int32_t distance = (int32_t)(a->labels[a->fixups[i].label] - a->fixups[i].pc - 1);
        if (vcode_op_info[vcode_op(*word)].form == VCODE_FORM_JUMP)
            *word |= (uint64_t)(uint32_t)distance << 32;
        else
            *word |= (uint64_t)(uint8_t)(distance >> 16) << 8 | (uint64_t)(uint16_t)distance << 48;
    }
    a->fixup_count = 0;
}

static inline uint32_t asm_function(Asm *a, const char *name, unsigned parameters, unsigned registers)
{
    asm_end_function(a);
    uint32_t text = vcode_string(a->module, name);
    VcodeFunction *f = vcode_push(a->module, functions);
    *f = (VcodeFunction){.name = text,
                         .code_start = a->module->code.count,
                         .registers = registers,
                         .parameters = (uint16_t)parameters,
                         .file = VCODE_NONE,
                         .return_type = VCODE_NONE};
    return a->module->functions.count - 1;
}

static inline void asm_word(Asm *a, VcodeInstr word)
{
    *vcode_push(a->module, code) = word;
}

/* Appends an instruction with any fields: n, a, b, c. */
static inline void asm_i(Asm *s, VcodeOp op, unsigned n, unsigned a, unsigned b, int c)
{
    asm_word(s, vcode_pack(op, n, a, b, (unsigned)c));
}
static inline void asm_rrr(Asm *s, VcodeOp op, unsigned a, unsigned b, int c)
{
    asm_i(s, op, 0, a, b, c);
}
static inline void asm_r(Asm *s, VcodeOp op, unsigned a)
{
    asm_i(s, op, 0, a, 0, 0);
}
static inline void asm_imm(Asm *s, VcodeOp op, unsigned n, unsigned a, int32_t imm)
{
    asm_word(s, vcode_pack_imm32(op, n, a, imm));
}
/* Loads any 64-bit constant into register a. */
static inline void asm_rk(Asm *s, unsigned a, uint64_t value)
{
    asm_imm(s, VCODE_MOVK, 0, a, (int32_t)vcode_constant(s->module, value, false));
}

static inline unsigned asm_label(Asm *a)
{
    return a->label_count++;
}
static inline void asm_place(Asm *a, unsigned label)
{
    a->labels[label] = asm_pc(a);
}
static inline void asm_branch(Asm *s, VcodeOp op, unsigned a, int b, unsigned label)
{
    s->fixups[s->fixup_count].pc = asm_pc(s);
    s->fixups[s->fixup_count++].label = label;
    asm_i(s, op, 0, a, (unsigned)b, 0);
}

static inline uint32_t asm_extern(Asm *a, const char *name)
{
    return test_extern(a->module, name);
}
static inline void asm_callx(Asm *s, const char *name, unsigned window, unsigned n)
{
    uint32_t index = asm_extern(s, name);
    asm_imm(s, VCODE_CALLX, n, window, (int32_t)index);
}
/* Begins a line of the source: a debugger may stop at the next instruction. */
static inline void asm_line(Asm *s, uint32_t line)
{
    uint32_t file = vcode_source_file(s->module, "test.c");
    *vcode_push(s->module, lines) = (VcodeLine){asm_pc(s), file, line, 1, VCODE_LINE_STATEMENT, VCODE_NONE};
}

static inline VcodeModule *asm_close(Asm *a)
{
    asm_end_function(a);
    VcodeModule *m = a->module;
    m->data_base = (VCODE_RODATA_BASE + m->rodata.count + 0xffff) & ~UINT64_C(0xffff);
    if (m->data_base == VCODE_RODATA_BASE)
        m->data_base += 0x10000;
    return m;
}

/* -- running ----------------------------------------------------------------------------------- */

typedef struct Put {
    uint64_t rank; /* 64 bits, because traces are compared as bytes and must have no padding */
    uint64_t value;
    uint64_t cycles;
} Put;

typedef struct Run {
    VmImage *image;
    VmWorld *world;
    VmRank *rank;  /* rank 0 */
    GArray *trace; /* Put */
    VmExtern *externs;
} Run;

static inline VmCallResult extern_put(VmRank *rank, uint64_t *args, unsigned n, void *user)
{
    (void)n;
    GArray *trace = user;
    Put put = {vm_rank_index(rank), args[0], vm_rank_clock(rank)->cycles};
    g_array_append_val(trace, put);
    args[0] = 0;
    return VM_CALL_DONE;
}
static inline VmCallResult extern_ask(VmRank *rank, uint64_t *args, unsigned n, void *user)
{
    (void)rank, (void)args, (void)n, (void)user;
    return VM_CALL_REQUEST;
}
static inline VmCallResult extern_exit(VmRank *rank, uint64_t *args, unsigned n, void *user)
{
    (void)n, (void)user;
    vm_rank_exit(rank, (int)args[0]);
    return VM_CALL_EXIT;
}
static inline VmCallResult extern_fail(VmRank *rank, uint64_t *args, unsigned n, void *user)
{
    (void)n, (void)user;
    vm_rank_fault(rank, VM_FAULT_LIBRARY, args[0], "fail was called");
    return VM_CALL_FAULT;
}
static inline VmCallResult extern_grow(VmRank *rank, uint64_t *args, unsigned n, void *user)
{
    (void)n, (void)user;
    args[0] = vm_rank_sbrk(rank, (int64_t)args[0]);
    return VM_CALL_DONE;
}
static inline VmCallResult extern_work(VmRank *rank, uint64_t *args, unsigned n, void *user)
{
    (void)n, (void)user;
    vm_rank_charge_units(rank, args[0]);
    args[0] = 0;
    return VM_CALL_DONE;
}

/* Opens a world of `ranks` ranks that all run `module`. costs NULL: the defaults. */
static inline void run_open_costs(Run *run, VcodeModule *module, uint32_t ranks, const VmCosts *costs)
{
    run->trace = g_array_new(FALSE, FALSE, sizeof(Put));
    const VmExtern externs[] = {
        {"put", extern_put, run->trace, 256, 0, 1},     {"ask", extern_ask, NULL, 512, 0, 0},
        {"leave", extern_exit, NULL, 0, 0, 1},          {"fail", extern_fail, NULL, 0, 0, 1},
        {"grow", extern_grow, NULL, 256, 0, 1},         {"work", extern_work, NULL, 100, 3, 1},
        {"test_setjmp", vm_jump_setjmp, NULL, 0, 0, 1}, {"test_longjmp", vm_jump_longjmp, NULL, 0, 0, 2},
    };
    run->externs = g_memdup2(externs, sizeof externs);
    GError *error = NULL;
    run->image = vm_image_new(module, run->externs, G_N_ELEMENTS(externs), costs, &error);
    cr_assert(run->image, "%s", error ? error->message : "");
    VmLimits limits;
    vm_world_limits_default(&limits);
    limits.stack_bytes = 1 << 20;
    run->world = vm_world_new(ranks, &limits, NULL, &error);
    cr_assert(run->world, "%s", error ? error->message : "");
    for (uint32_t i = 0; i < ranks; i++)
        cr_assert(vm_world_start(run->world, i, run->image, NULL, NULL, UINT64_C(500) << 32, &error));
    run->rank = vm_world_rank(run->world, 0);
}
static inline void run_open(Run *run, VcodeModule *module, uint32_t ranks)
{
    run_open_costs(run, module, ranks, NULL);
}

static inline void run_close(Run *run)
{
    vm_world_free(run->world);
    vm_image_unref(run->image);
    g_array_free(run->trace, TRUE);
    g_free(run->externs);
}

static inline Put *run_put(Run *run, unsigned i)
{
    cr_assert(i < run->trace->len, "only %u values were put", run->trace->len);
    return &g_array_index(run->trace, Put, i);
}

/* A hook that never stops the rank. It only makes the rank run in the interpreter's loop for hooks. */
static inline bool hook_go_on(VmRank *rank, uint32_t pc, void *user)
{
    (void)rank, (void)pc, (void)user;
    return false;
}

/* Runs rank 0 until something other than the quantum stops it. */
static inline VmStop run_on(Run *run, uint64_t quantum)
{
    VmStop stop;
    do
        stop = vm_rank_run(run->rank, quantum);
    while (stop == VM_STOP_QUANTUM);
    return stop;
}

#endif
