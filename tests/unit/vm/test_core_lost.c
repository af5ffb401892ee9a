/* test_core_lost.c - registers that a call has lost read as 0, in both loops and in native code, whichever tier ran the
 * callee and wherever a run ended. Programs are written by hand, and random ones that read everywhere.
 */
#include "assembler.h"

#include <stdlib.h>

enum { TIER_THREADED, TIER_CAREFUL, TIER_NATIVE, TIERS };

/* Returns what a program puts, with clocks. NULL: there is no C compiler for the native tier. */
static GArray *trace_of(VcodeModule *(*make)(unsigned seed), unsigned seed, unsigned tier, uint64_t quantum)
{
    Run run;
    run_open(&run, make(seed), 1);
    VmNative *native = NULL;
    if (tier == TIER_CAREFUL)
        vm_rank_set_hook(run.rank, hook_go_on, NULL);
    if (tier == TIER_NATIVE) {
        native = vm_native_start(run.rank, true, NULL);
        if (!native || !vm_native_wait(native, NULL)) {
            vm_native_free(native);
            run_close(&run);
            return NULL;
        }
    }
    VmStop stop;
    while ((stop = run_on(&run, quantum)) == VM_STOP_REQUEST)
        vm_rank_complete(run.rank, vm_rank_request(run.rank)->args[0] + 1);
    Put end = {stop, run.rank->pc, vm_rank_clock(run.rank)->cycles};
    g_array_append_val(run.trace, end);
    GArray *trace = g_array_copy(run.trace);
    vm_native_free(native);
    run_close(&run);
    return trace;
}

static void compare(VcodeModule *(*make)(unsigned seed), unsigned seed, bool with_native)
{
    static const uint64_t quanta[] = {3, 300, 1500, 1000000};
    g_autoptr(GArray) expected = trace_of(make, seed, TIER_THREADED, 1000000);
    for (unsigned tier = 0; tier < (with_native ? TIERS : TIER_NATIVE); tier++)
        for (unsigned q = 0; q < G_N_ELEMENTS(quanta); q++) {
            g_autoptr(GArray) got = trace_of(make, seed, tier, quanta[q]);
            if (!got)
                return;
            cr_assert_eq(got->len, expected->len, "seed %u, tier %u, quantum %u", seed, tier, (unsigned)quanta[q]);
            cr_assert_arr_eq(got->data, expected->data, got->len * sizeof(Put), "seed %u, tier %u, quantum %u", seed,
                             tier, (unsigned)quanta[q]);
        }
}

static void put(Asm *a, unsigned reg, unsigned at)
{
    asm_rrr(a, VCODE_MOV, at, reg, 0);
    asm_callx(a, "put", at, 1);
}

/* -- one thing each ---------------------------------------------------------------------------- */

enum { AT_CALL, AT_EXTERN, AT_REQUEST, AT_POINTER, WAYS };

/* Loses r5 in one of the ways, or comes to the code after that from elsewhere. It does so in a loop, to be worth native
 * code. */
static VcodeModule *losing(unsigned way)
{
    Asm a;
    asm_open(&a);
    asm_extern(&a, "put");
    asm_extern(&a, "ask");
    asm_function(&a, "main", 0, 12);
    unsigned top = asm_label(&a), behind = asm_label(&a), call = asm_label(&a);
    asm_imm(&a, VCODE_MOVI, 0, 0, 0);
    asm_i(&a, VCODE_FALL, 0, 0, 0, 0);
    asm_place(&a, top);
    asm_imm(&a, VCODE_MOVI, 0, 3, 33);
    asm_imm(&a, VCODE_MOVI, 0, 4, 44);
    asm_imm(&a, VCODE_MOVI, 0, 5, 55);
    asm_imm(&a, VCODE_MOVI, 0, 6, 0);
    asm_rk(&a, 2, VCODE_CODE_BASE + 16);
    asm_rrr(&a, VCODE_AND, 1, 0, 0);
    asm_branch(&a, VCODE_BLTI, 0, 20, call); /* the first iterations go through the call, the others past it */
    asm_branch(&a, VCODE_JMP, 0, 0, behind);
    asm_place(&a, call);
    asm_rrr(&a, VCODE_MOV, 4, 0, 0);
    switch (way) {
    case AT_CALL: asm_imm(&a, VCODE_CALL, 1, 4, 1); break;
    case AT_EXTERN: asm_callx(&a, "put", 4, 1); break;
    case AT_REQUEST: asm_callx(&a, "ask", 4, 1); break;
    default: asm_i(&a, VCODE_CALLI, 1, 4, 2, 0); break;
    }
    asm_place(&a, behind);
    asm_rrr(&a, VCODE_ADD_L, 8, 5, 6);
    put(&a, 8, 9);
    put(&a, 4, 9);
    put(&a, 3, 9);
    asm_rrr(&a, VCODE_ADDI_L, 0, 0, 1);
    asm_branch(&a, VCODE_BLTI, 0, 40, top);
    asm_r(&a, VCODE_RET, 3);
    asm_function(&a, "callee", 1, 6);
    for (unsigned r = 1; r < 6; r++)
        asm_imm(&a, VCODE_MOVI, 0, r, 100 + (int)r);
    asm_rrr(&a, VCODE_ADD_L, 0, 0, 3);
    asm_r(&a, VCODE_RET, 0);
    return asm_close(&a);
}

Test(lost, reads_as_zero_behind_the_call_and_nowhere_else)
{
    for (unsigned way = 0; way < WAYS; way++) {
        compare(losing, way, true);
        g_autoptr(GArray) trace = trace_of(losing, way, TIER_THREADED, 1000000);
        unsigned turn = way == AT_EXTERN ? 4 : 3; /* values put in an iteration that goes through the call */
        cr_assert_eq(g_array_index(trace, Put, turn - 3).value, 0, "way %u", way);
        cr_assert_eq(g_array_index(trace, Put, turn - 1).value, 33, "way %u", way);
        cr_assert_eq(g_array_index(trace, Put, 20 * turn).value, 55, "way %u", way);
        cr_assert_eq(g_array_index(trace, Put, 20 * turn + 1).value, 44, "way %u", way);
    }
}

/* setjmp returns a second time, out of a call made after it. */
static VcodeModule *jumping(unsigned unused)
{
    (void)unused;
    Asm a;
    asm_open(&a);
    asm_extern(&a, "put");
    asm_extern(&a, "test_setjmp");
    asm_extern(&a, "test_longjmp");
    a.module->bss_bytes = 4096;
    asm_function(&a, "main", 0, 12);
    unsigned end = asm_label(&a);
    asm_imm(&a, VCODE_MOVI, 0, 5, 55);
    asm_rk(&a, 4, 0x20100);
    asm_callx(&a, "test_setjmp", 4, 1);
    put(&a, 5, 9);
    put(&a, 4, 9);
    asm_branch(&a, VCODE_BNEI, 4, 0, end);
    asm_imm(&a, VCODE_MOVI, 0, 5, 66);
    asm_rk(&a, 6, 0x20100);
    asm_imm(&a, VCODE_CALL, 1, 6, 1);
    asm_place(&a, end);
    put(&a, 5, 9);
    asm_r(&a, VCODE_RET, 3);
    asm_function(&a, "callee", 1, 6);
    asm_imm(&a, VCODE_MOVI, 0, 1, 7);
    asm_callx(&a, "test_longjmp", 0, 2);
    asm_r(&a, VCODE_RET, 0);
    return asm_close(&a);
}

Test(lost, setjmp_comes_back_to_the_same)
{
    compare(jumping, 0, true);
    g_autoptr(GArray) trace = trace_of(jumping, 0, TIER_THREADED, 1000000);
    cr_assert_eq(trace->len, 6);
    cr_assert_eq(g_array_index(trace, Put, 0).value, 0);
    cr_assert_eq(g_array_index(trace, Put, 2).value, 0);
    cr_assert_eq(g_array_index(trace, Put, 3).value, 7);
}

/* -- random programs --------------------------------------------------------------------------- */

enum { FUNCTIONS = 5, COUNT = 40, MOST_REGISTERS = 14 };

typedef struct Shape {
    unsigned parameters, registers;
} Shape;

static VcodeInstr random_call(GRand *random, const Shape *shapes, unsigned self)
{
    unsigned registers = shapes[self].registers;
    unsigned to = self + 1 < FUNCTIONS ? (unsigned)g_rand_int_range(random, (int)self + 1, FUNCTIONS) : FUNCTIONS;
    unsigned n = to < FUNCTIONS ? shapes[to].parameters : 1;
    unsigned window = (unsigned)g_rand_int_range(random, self == 0, (int)(registers - MAX(n, 1)) + 1);
    if (to == FUNCTIONS || g_rand_int_range(random, 0, 4) == 0) {
        n = 1;
        window = MIN(window, registers - 1);
        return vcode_pack_imm32(VCODE_CALLX, n, window, g_rand_int_range(random, 0, 2));
    }
    return vcode_pack_imm32(VCODE_CALL, n, window, (int32_t)to);
}

/* No jumps backwards, so that the program ends; every other instruction ends a block. Register 0 of the first function
 * counts iterations. */
static VcodeInstr random_step(GRand *random, const Shape *shapes, unsigned self, uint32_t pc, uint32_t last)
{
    static const VcodeOp computing[] = {VCODE_ADD_L, VCODE_SUB_L, VCODE_XOR, VCODE_ADD_W, VCODE_ADD_D, VCODE_MUL_L};
    int registers = (int)shapes[self].registers, least = self == 0;
    unsigned a = (unsigned)g_rand_int_range(random, least, registers);
    unsigned b = (unsigned)g_rand_int_range(random, 0, registers), c = (unsigned)g_rand_int_range(random, 0, registers);
    int distance = g_rand_int_range(random, (int)pc / 2 + 1, (int)last / 2 + 1) * 2 - (int)pc - 1;
    switch (g_rand_int_range(random, 0, 8)) {
    case 0: return vcode_pack_imm32(VCODE_MOVI, 0, a, g_rand_int_range(random, -5, 100));
    case 1: return vcode_pack(VCODE_MOV, 0, a, b, 0);
    case 2: return vcode_pack(VCODE_BLT, 0, b, c, (unsigned)distance);
    case 3: return vcode_pack(VCODE_CMOV, 0, a, b, c);
    case 4:
    case 5: return random_call(random, shapes, self);
    default: return vcode_pack(computing[g_rand_int_range(random, 0, G_N_ELEMENTS(computing))], 0, a, b, c);
    }
}

static VcodeModule *random_program(unsigned seed)
{
    GRand *random = g_rand_new_with_seed(seed);
    Asm a;
    asm_open(&a);
    asm_extern(&a, "put");
    asm_extern(&a, "ask");
    Shape shapes[FUNCTIONS] = {{0, MOST_REGISTERS}};
    for (unsigned f = 1; f < FUNCTIONS; f++)
        shapes[f] =
            (Shape){(unsigned)g_rand_int_range(random, 0, 4), (unsigned)g_rand_int_range(random, 5, MOST_REGISTERS)};
    for (unsigned f = 0; f < FUNCTIONS; f++) {
        asm_function(&a, "f", shapes[f].parameters, shapes[f].registers);
        uint32_t start = asm_pc(&a);
        if (f == 0) {
            asm_imm(&a, VCODE_MOVI, 0, 0, 12);
            asm_i(&a, VCODE_FALL, 0, 0, 0, 0);
        }
        uint32_t first = asm_pc(&a) - start, last = f == 0 ? COUNT : COUNT - (uint32_t)f * 4;
        for (uint32_t pc = first; pc < last; pc += 2) {
            asm_word(&a, random_step(random, shapes, f, pc, last));
            asm_i(&a, VCODE_FALL, 0, 0, 0, 0);
        }
        if (f == 0) {
            asm_rrr(&a, VCODE_ADDI_L, 0, 0, -1);
            int back = (int)first - (int)(asm_pc(&a) - start) - 1;
            asm_word(&a, vcode_pack(VCODE_BGTI, (unsigned)(back >> 16), 0, 0, (unsigned)back));
        }
        asm_r(&a, VCODE_RET, (unsigned)g_rand_int_range(random, 0, (int)shapes[f].registers));
    }
    g_rand_free(random);
    return asm_close(&a);
}

static unsigned number_of(const char *variable, unsigned otherwise)
{
    const char *text = g_getenv(variable);
    return text ? (unsigned)strtoul(text, NULL, 0) : otherwise;
}

Test(lost, random_programs)
{
    unsigned seed = number_of("ORRERY_TEST_SEED", 1), count = number_of("ORRERY_SEEDS", 300);
    for (unsigned i = 0; i < count; i++)
        compare(random_program, seed + i, i % 25 == 0);
}
