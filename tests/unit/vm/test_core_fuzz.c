/* test_core_fuzz.c - code that the verifier accepts may compute nonsense but does no harm. Random programs and random
 * changes of a sound one run in both loops, under two quanta, and in direct code, with the same trace, clock and fault.
 * Under the sanitizers this also shows that host memory is safe.
 */
#include "assembler.h"
#include "vm/direct/direct.h"

#include <stdlib.h>

typedef struct Outcome {
    VmStop stop;
    VmFaultKind kind;
    uint32_t pc;
    uint64_t cycles;
    GArray *trace;
} Outcome;

enum { LARGEST_RUN = 20000 }; /* most cycles of a run */

/* Answers requests with upcalls to whatever the arguments say, as a careless layer above would. */
static VmStop run_bounded(VmRank *rank, uint64_t quantum)
{
    for (;;) {
        VmStop stop = vm_rank_run(rank, quantum);
        if (vm_rank_clock(rank)->cycles >> 8 > LARGEST_RUN)
            return VM_STOP_QUANTUM;
        if (stop == VM_STOP_REQUEST) {
            const VmRequest *request = vm_rank_request(rank);
            uint64_t target = VCODE_CODE_BASE + request->args[0] % 8 * 16;
            if (vm_rank_depth(rank) % 3 == 0)
                vm_rank_complete(rank, request->args[0] + 1);
            else if (!vm_rank_upcall(rank, target, request->args, MIN(request->n, 3)))
                return VM_STOP_FAULT;
        } else if (stop == VM_STOP_UPCALL_DONE) {
            vm_rank_complete(rank, vm_rank_upcall_result(rank));
        } else if (stop != VM_STOP_QUANTUM) {
            return stop;
        }
    }
}

static Outcome outcome(VmImage *image, GArray *trace, bool hook, uint64_t quantum)
{
    VmLimits limits;
    vm_world_limits_default(&limits);
    limits.stack_bytes = 1 << 16;
    limits.heap_bytes = 1 << 20;
    limits.call_depth = 500;
    limits.fs = VM_FS_NONE;
    GError *error = NULL;
    VmWorld *world = vm_world_new(1, &limits, NULL, &error);
    cr_assert(world);
    cr_assert(vm_world_start(world, 0, image, NULL, NULL, 1, &error));
    VmRank *rank = vm_world_rank(world, 0);
    if (hook)
        vm_rank_set_hook(rank, hook_go_on, NULL);
    g_array_set_size(trace, 0);
    Outcome o = {.stop = run_bounded(rank, quantum)};
    o.kind = vm_rank_fault_info(rank)->kind;
    o.pc = rank->pc;
    o.cycles = vm_rank_clock(rank)->cycles;
    o.trace = g_array_copy(trace);
    for (uint32_t level = 0; level < vm_rank_depth(rank); level++)
        vm_rank_frame(rank, level);
    vm_world_free(world);
    return o;
}

/* A run that reaches the bound stops where the quantum happens to end, so only finished runs are compared. */
static void compare(const Outcome *x, const Outcome *y, unsigned number)
{
    if (x->stop == VM_STOP_QUANTUM || y->stop == VM_STOP_QUANTUM)
        return;
    cr_assert_eq(x->stop, y->stop, "program %u", number);
    cr_assert_eq(x->kind, y->kind, "program %u", number);
    cr_assert_eq(x->pc, y->pc, "program %u", number);
    cr_assert_eq(x->cycles, y->cycles, "program %u", number);
    cr_assert_eq(x->trace->len, y->trace->len, "program %u", number);
    if (x->trace->len)
        cr_assert_arr_eq(x->trace->data, y->trace->data, x->trace->len * sizeof(Put), "program %u", number);
}

/* Runs the module if the verifier accepts it, and returns whether it did. */
static bool try_program(VcodeModule *module, unsigned number)
{
    g_autoptr(GArray) trace = g_array_new(FALSE, FALSE, sizeof(Put));
    const VmExtern externs[] = {
        {"put", extern_put, trace, 256, 0, 0},          {"ask", extern_ask, NULL, 512, 0, 0},
        {"leave", extern_exit, NULL, 0, 0, 0},          {"grow", extern_grow, NULL, 256, 0, 0},
        {"test_setjmp", vm_jump_setjmp, NULL, 0, 0, 0}, {"test_longjmp", vm_jump_longjmp, NULL, 0, 0, 0}};
    GError *error = NULL;
    VmImage *image = vm_image_new(module, externs, G_N_ELEMENTS(externs), NULL, &error);
    if (!image) {
        cr_assert(error && error->message);
        g_error_free(error);
        return false;
    }
    VmImage *plain = vm_image_with_costs(image, externs, G_N_ELEMENTS(externs), NULL);
    vm_direct_forgo(plain);
    Outcome first = outcome(image, trace, true, 3);
    const Outcome others[] = {outcome(image, trace, false, 3), outcome(image, trace, false, 100000),
                              outcome(plain, trace, false, 3), outcome(plain, trace, false, 100000)};
    for (size_t k = 0; k < G_N_ELEMENTS(others); k++) {
        compare(&first, &others[k], number);
        g_array_free(others[k].trace, TRUE);
    }
    g_array_free(first.trace, TRUE);
    vm_image_unref(plain);
    vm_image_unref(image);
    return true;
}

static unsigned seed_of_run(void)
{
    const char *text = g_getenv("ORRERY_TEST_SEED");
    unsigned seed = text ? (unsigned)strtoul(text, NULL, 0) : 20260101;
    cr_log_info("seed %u", seed);
    return seed;
}

/* Returns a constant worth trying: an address of any kind, or an edge of the numbers. */
static uint64_t interesting(GRand *random)
{
    static const uint64_t values[] = {0,
                                      1,
                                      7,
                                      0x10000,
                                      0x20000,
                                      0x2fff8,
                                      0x3ffff,
                                      0x40000,
                                      UINT64_MAX,
                                      UINT64_C(1) << 63,
                                      INT64_MAX,
                                      UINT64_C(0x3ff0000000000000),
                                      VCODE_CODE_BASE,
                                      VCODE_CODE_BASE + 16,
                                      VCODE_CODE_BASE + 48,
                                      VCODE_LABEL_BASE,
                                      VCODE_LABEL_BASE + 3,
                                      UINT32_MAX};
    return values[g_rand_int_range(random, 0, G_N_ELEMENTS(values))];
}

/* Returns a random instruction whose registers, indices and targets are valid, so that most programs verify. */
static VcodeInstr random_instruction(GRand *random, unsigned functions, unsigned self, uint32_t pc, uint32_t count)
{
    VcodeOp op = g_rand_int_range(random, 0, VCODE_OP_COUNT);
    unsigned a = g_rand_int_range(random, 0, 8), b = g_rand_int_range(random, 0, 8), c = g_rand_int_range(random, 0, 8);
    int distance = g_rand_int_range(random, 2, (int)count / 2 + 1) * 2 - (int)pc - 1;
    switch (vcode_op_info[op].form) {
    case VCODE_FORM_RRI:
    case VCODE_FORM_LOAD:
    case VCODE_FORM_STORE: return vcode_pack(op, 0, a, b, g_rand_int_range(random, 0, 64) - 16);
    case VCODE_FORM_LOADX:
    case VCODE_FORM_STOREX: return vcode_pack(op, g_rand_int_range(random, 0, 4), a, b, c);
    case VCODE_FORM_BLOCK: return vcode_pack(op, 0, a, b, g_rand_int_range(random, 0, 300));
    case VCODE_FORM_RK: return vcode_pack_imm32(op, 0, a, g_rand_int_range(random, 0, 16));
    case VCODE_FORM_RI32: return vcode_pack_imm32(VCODE_MOVI, 0, a, g_rand_int_range(random, -5, 100));
    case VCODE_FORM_JUMP: return vcode_pack_imm32(op, 0, 0, distance);
    case VCODE_FORM_BRR: return vcode_pack(op, (unsigned)(distance >> 16), a, b, (unsigned)distance);
    case VCODE_FORM_BRI:
        return vcode_pack(op, (unsigned)(distance >> 16), a, g_rand_int_range(random, -3, 3), (unsigned)distance);
    case VCODE_FORM_CALL: return vcode_pack_imm32(op, 1, a, g_rand_int_range(random, 0, (int)functions));
    case VCODE_FORM_CALLI: return vcode_pack(op, 1, a, b, 0);
    case VCODE_FORM_CALLX: return vcode_pack_imm32(op, 1, a, g_rand_int_range(random, 0, 6));
    case VCODE_FORM_SWITCH: return vcode_pack_imm32(op, 0, a, (int32_t)self);
    case VCODE_FORM_I32: return vcode_pack_imm32(op, 0, 0, g_rand_int_range(random, 0, 5));
    default: return vcode_pack(op, 0, a, b, c);
    }
}

/* -- fused sequences (vm/code/fused.def): the threaded loop runs each as one case, the other loop one by one -- */

enum { LONGEST = 8, NAMES = 3 * LONGEST, FILLED = 28 };

typedef struct Step {
    VcodeOp op;
    const char *names; /* of the registers in its fields */
} Step;

typedef struct Sequence {
    Step steps[LONGEST];
} Sequence;

static const Sequence sequences[] = {
#define STEP(at, op, names)   {VCODE_##op, #names},
#define SEQUENCE(name, steps) {{steps}},
#include "vm/code/fused.def"
};

static bool uses_address(VcodeOp op)
{
    VcodeForm form = vcode_op_info[op].form;
    return form == VCODE_FORM_LOAD || form == VCODE_FORM_LOADX || form == VCODE_FORM_STORE || form == VCODE_FORM_STOREX;
}

/* Chooses registers for the names of a sequence. Those with odd numbers begin as addresses, and most names that are
 * used as such get one. Now and then two names mean the same register. */
static void choose_registers(GRand *random, const Sequence *s, unsigned registers[NAMES])
{
    bool address[NAMES] = {false}, taken[FILLED] = {false};
    for (unsigned i = 0; i < LONGEST && s->steps[i].names; i++)
        if (uses_address(s->steps[i].op))
            address[s->steps[i].names[1] - 'a'] = true;
    for (unsigned name = 0; name < NAMES; name++) {
        bool odd = address[name] != (g_rand_int_range(random, 0, 16) == 0);
        unsigned at = (unsigned)g_rand_int_range(random, 0, FILLED / 2) * 2;
        for (unsigned tries = 0; tries < FILLED / 2 && taken[at + odd]; tries++)
            at = (at + 2) % FILLED;
        registers[name] = at + odd;
        taken[at + odd] = g_rand_int_range(random, 0, 20) > 0;
    }
}

static unsigned shift_of(GRand *random, VcodeOp op)
{
    unsigned any = (unsigned)g_rand_int_range(random, 0, 4);
    if (g_rand_int_range(random, 0, 20) == 0)
        return any;
    switch (op) {
#define FITTING_SHIFT(name, shift)                                                                                     \
    case VCODE_##name: return shift;
        VM_INDEXED(FITTING_SHIFT)
#undef FITTING_SHIFT
    default: return any;
    }
}

/* Makes an instruction of a step. All jumps go to the next instruction either way. */
static VcodeInstr step_of(GRand *random, Asm *a, const Step *step, const unsigned registers[NAMES])
{
    unsigned field[3];
    for (unsigned i = 0; i < 3; i++)
        field[i] = step->names[i] == '_' ? (unsigned)g_rand_int_range(random, 0, 8) : registers[step->names[i] - 'a'];
    VcodeOp op = step->op;
    switch (vcode_op_info[op].form) {
    case VCODE_FORM_RK: return vcode_pack_imm32(op, 0, field[0], g_rand_int_range(random, 0, 16));
    case VCODE_FORM_RI32: return vcode_pack_imm32(op, 0, field[0], g_rand_int_range(random, -5, 5));
    case VCODE_FORM_RRI:
    case VCODE_FORM_LOAD:
    case VCODE_FORM_STORE: return vcode_pack(op, 0, field[0], field[1], (unsigned)g_rand_int_range(random, -9, 9));
    case VCODE_FORM_LOADX:
    case VCODE_FORM_STOREX: return vcode_pack(op, shift_of(random, op), field[0], field[1], field[2]);
    case VCODE_FORM_BRR: return vcode_pack(op, 0, field[0], field[1], 0);
    case VCODE_FORM_BRI: return vcode_pack(op, 0, field[0], (unsigned)g_rand_int_range(random, -2, 2), 0);
    case VCODE_FORM_JUMP: return vcode_pack_imm32(op, 0, 0, 0);
    case VCODE_FORM_CALL: return vcode_pack_imm32(op, 1, field[0], 1);
    case VCODE_FORM_CALLX: return vcode_pack_imm32(op, 1, field[0], 0);
    case VCODE_FORM_CALLI: return vcode_pack(op, 1, field[0], field[1], 0);
    case VCODE_FORM_SWITCH: {
        uint32_t next = a->module->code.count + 1, first = a->module->targets.count;
        memcpy(vcode_push_many(a->module, targets, 2), (uint32_t[]){next, next}, 8);
        *vcode_push(a->module, switches) =
            (VcodeSwitch){.low = -2, .first = first, .count = 2, .default_target = next, .function = 0};
        return vcode_pack_imm32(op, 0, field[0], (int32_t)a->module->switches.count - 1);
    }
    default: return vcode_pack(op, 0, field[0], field[1], field[2]);
    }
}

/* Makes a program that runs the sequence twice, then puts all registers. */
static VcodeModule *sequence_program(GRand *random, const Sequence *s)
{
    Asm a;
    asm_open(&a);
    asm_extern(&a, "put");
    for (int i = 0; i < 16; i++)
        vcode_constant(a.module, i % 3 ? UINT64_C(0x20000) + (uint64_t)i * 8 : interesting(random), true);
    a.module->bss_bytes = 4096;
    asm_function(&a, "f", 1, FILLED + 4);
    for (unsigned r = 0; r < FILLED; r++) {
        uint32_t constant = vcode_constant(a.module, r % 2 ? UINT64_C(0x20100) + r : (uint64_t)(r - 3), true);
        asm_imm(&a, VCODE_MOVK, 0, r, (int32_t)constant);
    }
    asm_i(&a, VCODE_FALL, 0, 0, 0, 0);
    unsigned registers[NAMES];
    choose_registers(random, s, registers);
    for (unsigned turn = 0; turn < 2; turn++)
        for (unsigned i = 0; i < LONGEST && s->steps[i].names; i++)
            asm_word(&a, step_of(random, &a, &s->steps[i], registers));
    for (unsigned r = 0; r < FILLED; r++) {
        asm_rrr(&a, VCODE_MOV, FILLED, r, 0);
        asm_callx(&a, "put", FILLED, 1);
    }
    asm_r(&a, VCODE_RET, 0);
    asm_function(&a, "g", 1, 2);
    asm_rrr(&a, VCODE_ADDI_L, 0, 0, 1);
    asm_r(&a, VCODE_RET, 0);
    return asm_close(&a);
}

Test(fuzz, fused_sequences)
{
    GRand *random = g_rand_new_with_seed(seed_of_run() + 2);
    for (unsigned i = 0; i < G_N_ELEMENTS(sequences) * 20; i++) {
        unsigned s = i % G_N_ELEMENTS(sequences);
        VcodeModule *m = sequence_program(random, &sequences[s]);
        cr_assert(try_program(m, s), "sequence %u does not verify", s);
    }
    g_rand_free(random);
}

/* Every other instruction ends a block, so that blocks end before every branch target. */
static VcodeModule *random_program(GRand *random)
{
    enum { FUNCTIONS = 4, COUNT = 60, REGISTERS = 12 };
    static const char *const names[] = {"put", "ask", "leave", "grow", "test_setjmp", "test_longjmp"};
    Asm a;
    asm_open(&a);
    for (int i = 0; i < 16; i++)
        vcode_constant(a.module, interesting(random), true);
    for (unsigned i = 0; i < G_N_ELEMENTS(names); i++)
        asm_extern(&a, names[i]);
    a.module->bss_bytes = 4096;
    memcpy(vcode_push_many(a.module, rodata, 16), "constant text!!", 16);
    for (unsigned f = 0; f < FUNCTIONS; f++) {
        asm_function(&a, "f", 1, REGISTERS);
        memcpy(vcode_push_many(a.module, targets, 3), (uint32_t[]){4, 20, 40}, 12);
        *vcode_push(a.module, switches) =
            (VcodeSwitch){.low = -2, .first = 3 * f, .count = 3, .default_target = 60, .function = f};
        asm_imm(&a, VCODE_ENTER, 0, 9, 64);
        asm_rk(&a, 5, 0x20100);
        for (uint32_t pc = 2; pc < COUNT; pc += 2) {
            asm_word(&a, random_instruction(random, FUNCTIONS, f, pc, COUNT));
            asm_i(&a, VCODE_FALL, 0, 0, 0, 0);
        }
        asm_r(&a, VCODE_RET, 4);
    }
    return asm_close(&a);
}

Test(fuzz, random_programs)
{
    GRand *random = g_rand_new_with_seed(seed_of_run());
    unsigned ran = 0;
    for (unsigned i = 0; i < 3000; i++)
        ran += try_program(random_program(random), i);
    cr_assert_gt(ran, 300, "only %u programs passed the verifier", ran);
    g_rand_free(random);
}

Test(fuzz, changed_bytes)
{
    GRand *random = g_rand_new_with_seed(seed_of_run() + 1);
    unsigned ran = 0;
    for (unsigned i = 0; i < 6000; i++) {
        VcodeModule *m = random_program(random);
        for (int change = g_rand_int_range(random, 1, 4); change > 0; change--) {
            uint8_t *bytes = (uint8_t *)m->code.items;
            bytes[g_rand_int_range(random, 0, (int)m->code.count * 8)] ^=
                (uint8_t)(1 << g_rand_int_range(random, 0, 8));
        }
        ran += try_program(m, i);
    }
    cr_assert_gt(ran, 300, "only %u programs passed the verifier", ran);
    g_rand_free(random);
}
