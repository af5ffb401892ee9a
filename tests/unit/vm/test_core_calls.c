/* test_core_calls.c - calls, windows, the stack, recursion, setjmp and longjmp, backtraces. */
#include "assembler.h"

/* Emits fib(n) by plain recursion. */
static void emit_fib(Asm *a, uint32_t self)
{
    unsigned more = asm_label(a);
    asm_branch(a, VCODE_BGTI, 0, 1, more);
    asm_r(a, VCODE_RET, 0);
    asm_place(a, more);
    asm_rrr(a, VCODE_ADDI_L, 2, 0, -1);
    asm_imm(a, VCODE_CALL, 1, 2, (int32_t)self);
    asm_rrr(a, VCODE_ADDI_L, 3, 0, -2);
    asm_imm(a, VCODE_CALL, 1, 3, (int32_t)self);
    asm_rrr(a, VCODE_ADD_L, 1, 2, 3);
    asm_r(a, VCODE_RET, 1);
}

Test(calls, recursion_under_every_quantum)
{
    static const uint64_t quanta[] = {1, 7, 1000, 1000000000};
    uint64_t cycles = 0;
    for (unsigned q = 0; q < 2 * G_N_ELEMENTS(quanta); q++) {
        Asm a;
        asm_open(&a);
        asm_function(&a, "main", 0, 2);
        asm_imm(&a, VCODE_MOVI, 0, 1, 15);
        asm_imm(&a, VCODE_CALL, 1, 1, 1);
        asm_r(&a, VCODE_RET, 1);
        asm_function(&a, "fib", 1, 5);
        emit_fib(&a, 1);
        Run run;
        run_open(&run, asm_close(&a), 1);
        if (q % 2)
            vm_rank_set_hook(run.rank, hook_go_on, NULL);
        cr_assert_eq(run_on(&run, quanta[q / 2]), VM_STOP_EXITED);
        cr_assert_eq(vm_rank_exit_status(run.rank), 610);
        if (!cycles)
            cycles = vm_rank_clock(run.rank)->cycles;
        cr_assert_eq(vm_rank_clock(run.rank)->cycles, cycles);
        run_close(&run);
    }
}

/* The costs of the instructions in a block are added exactly (defaults of costs.def). */
Test(calls, costs_of_blocks)
{
    Asm a;
    asm_open(&a);
    asm_function(&a, "main", 0, 4);
    asm_imm(&a, VCODE_MOVI, 0, 1, 3);    /* 64 */
    asm_rrr(&a, VCODE_MULI_L, 1, 1, 5);  /* 256 */
    asm_i(&a, VCODE_FALL, 0, 0, 0, 0);   /* 0: charges 320 */
    asm_rrr(&a, VCODE_MOV, 2, 1, 0);     /* 64 */
    asm_callx(&a, "put", 2, 1);          /* 512 + 256 of put */
    asm_imm(&a, VCODE_MOVI, 0, 2, 1000); /* 64 */
    asm_callx(&a, "work", 2, 1);         /* 512 + 100 + 1000 * 3 */
    asm_imm(&a, VCODE_MOVI, 0, 2, 1000); /* 64 */
    asm_callx(&a, "put", 2, 1);          /* 512 + 256 */
    asm_i(&a, VCODE_RETV, 0, 0, 0, 0);   /* 512 */
    Run run;
    run_open(&run, asm_close(&a), 1);
    cr_assert_eq(run_on(&run, 1000), VM_STOP_EXITED);
    cr_assert_eq(run_put(&run, 0)->cycles, 320 + 64 + 512 + 256);
    cr_assert_eq(run_put(&run, 1)->cycles, 1152 + 64 + 512 + 100 + 3000 + 64 + 512 + 256);
    cr_assert_eq(vm_rank_clock(run.rank)->cycles, run_put(&run, 1)->cycles + 512);
    run_close(&run);
}

/* Block copies cost by the byte. Blocks whose cost exceeds 32 bits are charged in full, in both loops. */
Test(calls, costs_beyond_32_bits)
{
    VmCosts costs;
    vm_costs_default(&costs);
    costs.class_q8[VCODE_COST_MOVE] = 3000000000u;
    costs.copy_byte_q8 = 1000;
    Asm a;
    asm_open(&a);
    a.module->bss_bytes = 4096;
    asm_function(&a, "main", 0, 4);
    asm_rk(&a, 1, 0x20000);                /* 3e9 */
    asm_i(&a, VCODE_BZERO, 0, 1, 0, 4000); /* 512 + 4e6 */
    asm_rrr(&a, VCODE_MOV, 2, 1, 0);       /* 3e9 */
    asm_callx(&a, "put", 2, 1);            /* 512 + 256 */
    asm_i(&a, VCODE_RETV, 0, 0, 0, 0);
    Run run;
    run_open_costs(&run, asm_close(&a), 2, &costs);
    vm_rank_set_hook(vm_world_rank(run.world, 1), hook_go_on, NULL);
    for (uint32_t r = 0; r < 2; r++) {
        run.rank = vm_world_rank(run.world, r);
        cr_assert_eq(run_on(&run, 1000), VM_STOP_EXITED);
        cr_assert_eq(run_put(&run, r)->cycles, UINT64_C(6000000000) + 512 + 4000000 + 512 + 256);
    }
    run_close(&run);
}

/* Registers beyond the arguments read as 0, whatever earlier calls left there; retv returns 0. */
Test(calls, fresh_registers_are_zero)
{
    Asm a;
    asm_open(&a);
    asm_function(&a, "main", 0, 4);
    for (int i = 0; i < 2; i++) {
        asm_imm(&a, VCODE_MOVI, 0, 1, 50);
        asm_imm(&a, VCODE_CALL, 1, 1, 1);
        asm_callx(&a, "put", 1, 1);
    }
    asm_imm(&a, VCODE_MOVI, 0, 1, 50);
    asm_imm(&a, VCODE_CALL, 0, 1, 2);
    asm_callx(&a, "put", 1, 1);
    asm_i(&a, VCODE_RETV, 0, 0, 0, 0);
    asm_function(&a, "dirty", 1, 100);
    asm_rrr(&a, VCODE_ADD_L, 1, 0, 60); /* r60 must be 0 */
    for (unsigned r = 2; r < 100; r++)
        asm_imm(&a, VCODE_MOVI, 0, r, 1234);
    asm_r(&a, VCODE_RET, 1);
    asm_function(&a, "nothing", 0, 0);
    asm_i(&a, VCODE_RETV, 0, 0, 0, 0);
    Run run;
    run_open(&run, asm_close(&a), 1);
    cr_assert_eq(run_on(&run, 1), VM_STOP_EXITED);
    cr_assert_eq(run_put(&run, 0)->value, 50);
    cr_assert_eq(run_put(&run, 1)->value, 50);
    cr_assert_eq(run_put(&run, 2)->value, 0);
    run_close(&run);
}

/* The registers that a call clears: those that some path reads first. */
typedef struct Range {
    uint32_t from, to;
} Range;

static Range cleared(Asm *a)
{
    g_autoptr(VcodeModule) m = asm_close(a);
    cr_assert(vcode_verify(m, NULL));
    VmFunction function;
    vm_liveness(m, 0, &function);
    if (function.clear_to <= function.clear_from)
        return (Range){0, 0};
    return (Range){function.clear_from, function.clear_to};
}

static void check_cleared(Asm *a, uint32_t from, uint32_t to)
{
    Range range = cleared(a);
    cr_expect(range.from == from && range.to == to, "[%u, %u) instead of [%u, %u)", range.from, range.to, from, to);
}

Test(liveness, straight_code)
{
    Asm a;
    asm_open(&a);
    asm_function(&a, "f", 2, 200);
    asm_rrr(&a, VCODE_ADD_L, 5, 0, 1);
    asm_rrr(&a, VCODE_ADD_L, 150, 5, 5);
    asm_r(&a, VCODE_RET, 150);
    check_cleared(&a, 0, 0);
    asm_open(&a);
    asm_function(&a, "f", 2, 200);
    asm_i(&a, VCODE_ST64, 0, 70, 2, 0);
    asm_r(&a, VCODE_RET, 1);
    check_cleared(&a, 2, 71);
    asm_open(&a);
    asm_function(&a, "f", 1, 8);
    asm_imm(&a, VCODE_MOVI, 0, 2, 1);
    asm_rrr(&a, VCODE_CMOV, 3, 2, 2); /* keeps the old value */
    asm_r(&a, VCODE_RET, 3);
    check_cleared(&a, 3, 4);
}

Test(liveness, one_path_that_writes_is_not_enough)
{
    for (int both = 0; both < 2; both++) {
        Asm a;
        asm_open(&a);
        asm_function(&a, "f", 1, 4);
        unsigned other = asm_label(&a), join = asm_label(&a);
        asm_branch(&a, VCODE_BEQI, 0, 0, other);
        asm_imm(&a, VCODE_MOVI, 0, 2, 1);
        asm_branch(&a, VCODE_JMP, 0, 0, join);
        asm_place(&a, other);
        asm_imm(&a, VCODE_MOVI, 0, both ? 2 : 3, 1);
        asm_i(&a, VCODE_FALL, 0, 0, 0, 0);
        asm_place(&a, join);
        asm_r(&a, VCODE_RET, 2);
        check_cleared(&a, both ? 0 : 2, both ? 0 : 3);
    }
}

Test(liveness, loops_and_switches)
{
    Asm a; /* r2 is written at the loop's end and read at its start */
    asm_open(&a);
    asm_function(&a, "f", 1, 4);
    unsigned loop = asm_label(&a);
    asm_i(&a, VCODE_FALL, 0, 0, 0, 0);
    asm_place(&a, loop);
    asm_rrr(&a, VCODE_ADD_L, 3, 2, 0);
    asm_rrr(&a, VCODE_MOV, 2, 3, 0);
    asm_branch(&a, VCODE_BLT, 3, 0, loop);
    asm_r(&a, VCODE_RET, 3);
    check_cleared(&a, 2, 3);
    asm_open(&a); /* one case forgets r1 */
    asm_function(&a, "f", 1, 4);
    asm_imm(&a, VCODE_SWITCH, 0, 0, 0);
    asm_imm(&a, VCODE_MOVI, 0, 1, 1); /* 1 */
    asm_imm(&a, VCODE_JMP, 0, 0, 1);
    asm_i(&a, VCODE_FALL, 0, 0, 0, 0); /* 3 */
    asm_r(&a, VCODE_RET, 1);           /* 4 */
    memcpy(vcode_push_many(a.module, targets, 2), (uint32_t[]){1, 3}, 8);
    *vcode_push(a.module, switches) = (VcodeSwitch){0, 0, 2, 1, 0};
    check_cleared(&a, 1, 2);
    asm_open(&a); /* a computed goto may go anywhere */
    asm_function(&a, "f", 1, 4);
    asm_r(&a, VCODE_JMPR, 0);
    check_cleared(&a, 1, 4);
    asm_open(&a); /* arguments of calls are read, results written */
    asm_function(&a, "f", 1, 6);
    asm_callx(&a, "put", 2, 2);
    asm_r(&a, VCODE_RET, 2);
    check_cleared(&a, 2, 4);
}

static const VmFault *fault_of_pointer_call(Run *run, uint64_t target, unsigned n)
{
    Asm a;
    asm_open(&a);
    asm_function(&a, "main", 0, 4);
    asm_rk(&a, 1, target);
    asm_i(&a, VCODE_CALLI, n, 2, 1, 0);
    asm_r(&a, VCODE_RET, 2);
    asm_function(&a, "two", 2, 2);
    asm_rrr(&a, VCODE_ADDI_L, 0, 0, 7);
    asm_r(&a, VCODE_RET, 0);
    run_open(run, asm_close(&a), 1);
    VmStop stop = run_on(run, 1000);
    return stop == VM_STOP_FAULT ? vm_rank_fault_info(run->rank) : NULL;
}

/* Many instructions that use one large table: proof and analysis must not look at the whole table for each of them. */
Test(liveness, switches_that_share_a_table, .timeout = 300)
{
    enum { MANY = 100000 };
    Asm a;
    asm_open(&a);
    asm_function(&a, "main", 0, 4);
    for (unsigned i = 0; i < MANY; i++)
        asm_imm(&a, VCODE_SWITCH, 0, 3, 0);
    asm_r(&a, VCODE_RET, 2);
    uint32_t *targets = vcode_push_many(a.module, targets, MANY);
    for (uint32_t i = 0; i < MANY; i++)
        targets[i] = i;
    *vcode_push(a.module, switches) = (VcodeSwitch){.low = 1, .count = MANY, .default_target = MANY};
    Run run;
    run_open(&run, asm_close(&a), 1);
    cr_assert_eq(run_on(&run, 1000), VM_STOP_EXITED);
    cr_assert_eq(vm_rank_exit_status(run.rank), 0);
    run_close(&run);
}

Test(calls, through_pointers)
{
    Run run;
    cr_assert_null(fault_of_pointer_call(&run, VCODE_CODE_BASE + 16, 2));
    cr_assert_eq(vm_rank_exit_status(run.rank), 7);
    run_close(&run);
    static const uint64_t bad[] = {0, 5, VCODE_CODE_BASE + 1, VCODE_CODE_BASE + 32, UINT64_MAX, 0x20000};
    for (unsigned i = 0; i < G_N_ELEMENTS(bad); i++) {
        const VmFault *fault = fault_of_pointer_call(&run, bad[i], 2);
        cr_assert(fault);
        cr_assert_eq(fault->kind, VM_FAULT_BAD_FUNCTION);
        cr_assert_eq(fault->pc, 1);
        cr_assert_eq(fault->signal, 11);
        cr_assert_eq(fault->address, bad[i]);
        run_close(&run);
    }
    for (unsigned n = 0; n < 2; n++) { /* missing arguments are 0 */
        cr_assert_null(fault_of_pointer_call(&run, VCODE_CODE_BASE + 16, n));
        cr_assert_eq(vm_rank_exit_status(run.rank), 7);
        run_close(&run);
    }
}

/* Registers after the arguments of a call hold nothing: a function that would read them is not called. */
Test(calls, externs_get_all_their_arguments)
{
    static const struct {
        const char *name, *reason;
        unsigned n;
    } calls[] = {{"put", "put was called with 0 of its 1 arguments", 0},
                 {"test_longjmp", "test_longjmp was called with 1 of its 2 arguments", 1},
                 {"strcmp", "strcmp was called with 1 of its 2 arguments", 1},
                 {"printf", "printf was called with 1 of its 2 arguments", 1}};
    for (unsigned i = 0; i < G_N_ELEMENTS(calls); i++) {
        Asm a;
        asm_open(&a);
        asm_function(&a, "main", 0, 4);
        asm_callx(&a, calls[i].name, 0, calls[i].n);
        asm_r(&a, VCODE_RET, 0);
        Run run;
        run_open(&run, asm_close(&a), 1);
        cr_assert_eq(run_on(&run, 1000), VM_STOP_FAULT);
        const VmFault *fault = vm_rank_fault_info(run.rank);
        cr_assert_eq(fault->kind, VM_FAULT_LIBRARY);
        cr_assert(strstr(fault->reason, calls[i].reason), "%s", fault->reason);
        run_close(&run);
    }
}

/* A variadic function is called as if it had only fixed parameters: there are no slots for the others. */
Test(calls, variadic_as_plain)
{
    Asm a;
    asm_open(&a);
    asm_function(&a, "main", 0, 4);
    asm_rk(&a, 1, VCODE_CODE_BASE + 16);
    asm_i(&a, VCODE_CALLI, 2, 2, 1, 0);
    asm_r(&a, VCODE_RET, 2);
    asm_function(&a, "print", 2, 2);
    asm_r(&a, VCODE_RET, 0);
    a.module->functions.items[1].flags |= VCODE_FUNCTION_VARIADIC;
    Run run;
    run_open(&run, asm_close(&a), 1);
    cr_assert_eq(run_on(&run, 1000), VM_STOP_FAULT);
    const VmFault *fault = vm_rank_fault_info(run.rank);
    cr_assert_eq(fault->kind, VM_FAULT_BAD_FUNCTION);
    cr_assert(strstr(fault->reason, "'print', which takes variable arguments"), "%s", fault->reason);
    run_close(&run);
}

/* Endless recursion, with and without a memory frame, ends at once, and the fault names the function. */
Test(calls, endless_recursion)
{
    for (int frame = 0; frame < 3; frame++) {
        Asm a;
        asm_open(&a);
        asm_function(&a, "main", 0, 1);
        asm_imm(&a, VCODE_CALL, 0, 0, 1);
        asm_r(&a, VCODE_RET, 0);
        asm_function(&a, "deeper", 0, frame == 2 ? 60000 : 2);
        if (frame == 1)
            asm_imm(&a, VCODE_ENTER, 0, 1, 128);
        asm_imm(&a, VCODE_CALL, 0, frame == 2 ? 59000 : 0, 1);
        asm_r(&a, VCODE_RET, 0);
        Run run;
        run_open(&run, asm_close(&a), 1);
        gint64 start = g_get_monotonic_time();
        cr_assert_eq(run_on(&run, 1000), VM_STOP_FAULT);
        cr_expect_lt(g_get_monotonic_time() - start, 1000000);
        const VmFault *fault = vm_rank_fault_info(run.rank);
        cr_expect_eq(fault->kind, VM_FAULT_STACK_OVERFLOW);
        cr_expect(strstr(fault->reason, "endless recursion?"), "%s", fault->reason);
        VmFrame deepest = vm_rank_frame(run.rank, 0), first = vm_rank_frame(run.rank, vm_rank_depth(run.rank) - 1);
        cr_expect_eq(deepest.function, 1);
        cr_expect_eq(deepest.pc, fault->pc);
        cr_expect_eq(first.function, 0);
        cr_expect_leq((size_t)(run.rank->register_end - run.rank->registers), 1 << 21, "registers stay bounded");
        run_close(&run);
    }
}

Test(calls, call_depth_limit)
{
    Asm a;
    asm_open(&a);
    asm_function(&a, "main", 0, 1);
    asm_imm(&a, VCODE_CALL, 0, 0, 0);
    asm_r(&a, VCODE_RET, 0);
    g_autoptr(GError) error = NULL;
    VmImage *image = vm_image_new(asm_close(&a), NULL, 0, NULL, &error);
    cr_assert(image);
    VmLimits limits;
    vm_world_limits_default(&limits);
    limits.call_depth = 100;
    VmWorld *world = vm_world_new(1, &limits, NULL, &error);
    cr_assert(world);
    cr_assert(vm_world_start(world, 0, image, NULL, NULL, 1, &error));
    cr_assert_eq(vm_rank_run(vm_world_rank(world, 0), 1000000), VM_STOP_FAULT);
    cr_assert_eq(vm_rank_depth(vm_world_rank(world, 0)), 100);
    vm_world_free(world);
    vm_image_unref(image);
}

/* -- the memory stack -------------------------------------------------------------------------- */

Test(calls, stack_pointer_returns)
{
    Asm a;
    asm_open(&a);
    asm_function(&a, "main", 0, 4);
    asm_imm(&a, VCODE_ENTER, 0, 0, 32);
    asm_imm(&a, VCODE_CALL, 0, 1, 1);
    asm_r(&a, VCODE_GETSP, 2);
    asm_rrr(&a, VCODE_SUB_L, 3, 0, 2); /* 0: the callee's stack is freed */
    asm_r(&a, VCODE_RET, 3);
    asm_function(&a, "user", 0, 6);
    asm_imm(&a, VCODE_ENTER, 0, 0, 1600);
    asm_r(&a, VCODE_GETSP, 1);
    asm_imm(&a, VCODE_MOVI, 0, 2, 100);
    asm_rrr(&a, VCODE_ALLOCA, 3, 2, 0);
    asm_rrr(&a, VCODE_SUB_L, 4, 1, 3);
    asm_callx(&a, "put", 4, 1); /* 112: rounded up to 16 */
    asm_r(&a, VCODE_SETSP, 1);
    asm_r(&a, VCODE_GETSP, 4);
    asm_rrr(&a, VCODE_SUB_L, 4, 0, 4);
    asm_callx(&a, "put", 4, 1); /* 0 */
    asm_rrr(&a, VCODE_ALLOCA, 3, 2, 0);
    asm_i(&a, VCODE_RETV, 0, 0, 0, 0);
    Run run;
    run_open(&run, asm_close(&a), 1);
    cr_assert_eq(run_on(&run, 1), VM_STOP_EXITED);
    cr_assert_eq(vm_rank_exit_status(run.rank), 0);
    cr_assert_eq(run_put(&run, 0)->value, 112);
    cr_assert_eq(run_put(&run, 1)->value, 0);
    run_close(&run);
}

/* An ALLOCA that does not fit, and a SETSP to a foreign value, fault at that instruction. */
Test(calls, bad_stack_pointers)
{
    static const struct {
        VcodeOp op;
        uint64_t value;
    } cases[] = {{VCODE_ALLOCA, UINT64_MAX}, {VCODE_ALLOCA, UINT64_MAX - 14},
                 {VCODE_ALLOCA, 1 << 20},    {VCODE_ALLOCA, (uint64_t)1 << 63},
                 {VCODE_SETSP, 0},           {VCODE_SETSP, 0x20000},
                 {VCODE_SETSP, 0x130000},    {VCODE_SETSP, UINT64_MAX - 15},
                 {VCODE_SETSP, 0x110001}};
    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        Asm a;
        asm_open(&a);
        a.module->bss_bytes = 0x10000; /* the stack is 0x30000 .. 0x130000 */
        asm_function(&a, "main", 0, 3);
        asm_imm(&a, VCODE_ENTER, 0, 0, 32);
        asm_rk(&a, 1, cases[i].value);
        asm_i(&a, cases[i].op, 0, 1, 1, 0);
        asm_i(&a, VCODE_RETV, 0, 0, 0, 0);
        Run run;
        run_open(&run, asm_close(&a), 1);
        cr_assert_eq(run_on(&run, 1), VM_STOP_FAULT, "case %u", i);
        cr_assert_eq(vm_rank_fault_info(run.rank)->kind, VM_FAULT_STACK_OVERFLOW);
        cr_assert_eq(vm_rank_fault_info(run.rank)->pc, 2);
        run_close(&run);
    }
}

/* -- labels as values -------------------------------------------------------------------------- */

Test(calls, computed_goto)
{
    static const struct {
        uint64_t value;
        bool good;
    } cases[] = {
        {VCODE_LABEL_BASE + 4, true}, {VCODE_LABEL_BASE + 3, false}, {VCODE_LABEL_BASE + 100, false}, {0, false},
        {UINT64_MAX, false},          {VCODE_LABEL_BASE + 2, true}};
    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        Asm a;
        asm_open(&a);
        asm_function(&a, "main", 0, 2);
        asm_rk(&a, 0, cases[i].value);    /* 0 */
        asm_r(&a, VCODE_JMPR, 0);         /* 1 */
        asm_imm(&a, VCODE_MOVI, 0, 1, 1); /* 2: a block */
        asm_r(&a, VCODE_RET, 1);          /* 3: inside it */
        asm_imm(&a, VCODE_MOVI, 0, 1, 2); /* 4: a block */
        asm_r(&a, VCODE_RET, 1);
        Run run;
        run_open(&run, asm_close(&a), 1);
        VmStop stop = run_on(&run, 1);
        cr_assert_eq(stop, cases[i].good ? VM_STOP_EXITED : VM_STOP_FAULT);
        if (!cases[i].good)
            cr_assert_eq(vm_rank_fault_info(run.rank)->kind, VM_FAULT_BAD_JUMP);
        run_close(&run);
    }
}

/* -- setjmp, longjmp (C11 7.13) ---------------------------------------------------------------- */

enum { JUMP_BUFFER = 0x20000 };

static void emit_setjmp(Asm *a, unsigned r)
{
    asm_rk(a, r, JUMP_BUFFER);
    asm_callx(a, "test_setjmp", r, 1);
}
static void emit_longjmp(Asm *a, unsigned r, int value)
{
    asm_rk(a, r, JUMP_BUFFER);
    asm_imm(a, VCODE_MOVI, 0, r + 1, value);
    asm_callx(a, "test_longjmp", r, 2);
}

Test(jumps, out_of_deep_calls)
{
    for (int value = 0; value < 3; value++) {
        Asm a;
        asm_open(&a);
        a.module->bss_bytes = 4096;
        asm_function(&a, "main", 0, 6);
        unsigned back = asm_label(&a);
        asm_imm(&a, VCODE_ENTER, 0, 0, 64);
        emit_setjmp(&a, 2);
        asm_branch(&a, VCODE_BNEI, 2, 0, back);
        asm_imm(&a, VCODE_MOVI, 0, 3, 50);
        asm_imm(&a, VCODE_CALL, 1, 3, 1);
        asm_imm(&a, VCODE_TRAP, 0, 0, 1);
        asm_place(&a, back);
        asm_r(&a, VCODE_GETSP, 4);
        asm_rrr(&a, VCODE_SUB_L, 4, 0, 4); /* SP is restored, too */
        asm_rrr(&a, VCODE_ADD_L, 4, 4, 2);
        asm_r(&a, VCODE_RET, 4);
        asm_function(&a, "dive", 1, 5);
        unsigned bottom = asm_label(&a);
        asm_imm(&a, VCODE_ENTER, 0, 4, 128);
        asm_branch(&a, VCODE_BEQI, 0, 0, bottom);
        asm_rrr(&a, VCODE_ADDI_L, 1, 0, -1);
        asm_imm(&a, VCODE_CALL, 1, 1, 1);
        asm_imm(&a, VCODE_TRAP, 0, 0, 1);
        asm_place(&a, bottom);
        emit_longjmp(&a, 1, value);
        asm_imm(&a, VCODE_TRAP, 0, 0, 1);
        Run run;
        run_open(&run, asm_close(&a), 1);
        cr_assert_eq(run_on(&run, 1), VM_STOP_EXITED);
        cr_assert_eq(vm_rank_exit_status(run.rank), value ? value : 1, "7.13.2.1p4: 0 becomes 1");
        run_close(&run);
    }
}

/* 7.13.2.1p2: the function that called setjmp has returned, which is undefined. Here it is a fault, even if another
 * call of the same function is at the same depth. */
Test(jumps, to_a_dead_frame)
{
    for (int again = 0; again < 2; again++) {
        Asm a;
        asm_open(&a);
        a.module->bss_bytes = 4096;
        asm_function(&a, "main", 0, 6);
        asm_imm(&a, VCODE_MOVI, 0, 1, 0);
        asm_imm(&a, VCODE_CALL, 1, 1, 1);
        if (again) {
            asm_imm(&a, VCODE_MOVI, 0, 1, 1);
            asm_imm(&a, VCODE_CALL, 1, 1, 1);
        }
        emit_longjmp(&a, 2, 1);
        asm_i(&a, VCODE_RETV, 0, 0, 0, 0);
        asm_function(&a, "saver", 1, 6);
        unsigned other = asm_label(&a);
        asm_branch(&a, VCODE_BNEI, 0, 0, other);
        emit_setjmp(&a, 1);
        asm_i(&a, VCODE_RETV, 0, 0, 0, 0);
        asm_place(&a, other);
        emit_longjmp(&a, 2, 1);
        asm_i(&a, VCODE_RETV, 0, 0, 0, 0);
        Run run;
        run_open(&run, asm_close(&a), 1);
        cr_assert_eq(run_on(&run, 1000), VM_STOP_FAULT);
        cr_assert_eq(vm_rank_fault_info(run.rank)->kind, VM_FAULT_BAD_JUMP);
        cr_assert_eq(vm_rank_depth(run.rank), again ? 2 : 1);
        run_close(&run);
    }
}

/* Any change to the buffer's words is refused or harmless. */
Test(jumps, forged_buffers)
{
    for (unsigned word = 0; word < 8; word++)
        for (unsigned bit = 0; bit < 64; bit += 3) {
            Asm a;
            asm_open(&a);
            a.module->bss_bytes = 4096;
            asm_function(&a, "main", 0, 8);
            unsigned back = asm_label(&a);
            asm_imm(&a, VCODE_ENTER, 0, 0, 64);
            emit_setjmp(&a, 2);
            asm_branch(&a, VCODE_BNEI, 2, 0, back);
            asm_rk(&a, 4, JUMP_BUFFER + word * 8);
            asm_i(&a, VCODE_LD64, 0, 5, 4, 0);
            asm_rk(&a, 6, UINT64_C(1) << bit);
            asm_rrr(&a, VCODE_XOR, 5, 5, 6);
            asm_i(&a, VCODE_ST64, 0, 5, 4, 0);
            emit_longjmp(&a, 2, 1);
            asm_imm(&a, VCODE_TRAP, 0, 0, 1);
            asm_place(&a, back);
            asm_i(&a, VCODE_RETV, 0, 0, 0, 0);
            Run run;
            run_open(&run, asm_close(&a), 1);
            VmStop stop = run_on(&run, 1000);
            if (word < 4)
                cr_assert_eq(stop, VM_STOP_FAULT, "word %u bit %u", word, bit);
            run_close(&run);
        }
}

/* -- backtraces and the hook ------------------------------------------------------------------- */

typedef struct Stops {
    uint32_t pcs[16];
    unsigned count;
} Stops;

static bool hook_stop(VmRank *rank, uint32_t pc, void *user)
{
    Stops *stops = user;
    cr_assert_eq(vm_rank_frame(rank, 0).pc, pc);
    if (stops->count < G_N_ELEMENTS(stops->pcs))
        stops->pcs[stops->count++] = pc;
    return true;
}

Test(debugging, hook_stops_before_each_statement_once)
{
    Asm a;
    asm_open(&a);
    asm_function(&a, "main", 0, 3);
    asm_line(&a, 1);
    asm_imm(&a, VCODE_MOVI, 0, 1, 2);
    unsigned loop = asm_label(&a);
    asm_branch(&a, VCODE_JMP, 0, 0, loop);
    asm_place(&a, loop);
    asm_line(&a, 2);
    asm_rrr(&a, VCODE_ADDI_L, 1, 1, -1);
    asm_branch(&a, VCODE_BGTI, 1, 0, loop);
    asm_line(&a, 3);
    asm_r(&a, VCODE_RET, 1);
    for (uint64_t quantum = 1; quantum <= 1000; quantum *= 1000) {
        Run run;
        Stops stops = {0};
        run_open(&run, asm_close(&a), 1);
        vm_rank_set_hook(run.rank, hook_stop, &stops);
        unsigned hooks = 0;
        VmStop stop;
        while ((stop = run_on(&run, quantum)) == VM_STOP_HOOK)
            hooks++;
        cr_assert_eq(stop, VM_STOP_EXITED);
        const uint32_t expected[] = {0, 2, 2, 4};
        cr_assert_eq(hooks, 4);
        cr_assert_eq(stops.count, 4);
        for (unsigned i = 0; i < 4; i++)
            cr_expect_eq(stops.pcs[i], expected[i]);
        run.image->references++; /* both iterations use the module */
        run_close(&run);
        if (quantum == 1) {
            run.image->module = NULL;
            vm_image_unref(run.image);
        } else
            vm_image_unref(run.image);
    }
}

Test(debugging, frames)
{
    Asm a;
    asm_open(&a);
    asm_function(&a, "main", 0, 3);
    asm_imm(&a, VCODE_ENTER, 0, 0, 32);
    asm_imm(&a, VCODE_MOVI, 0, 1, 17);
    asm_imm(&a, VCODE_CALL, 1, 1, 1);
    asm_r(&a, VCODE_RET, 1);
    asm_function(&a, "inner", 1, 3);
    asm_imm(&a, VCODE_ENTER, 0, 2, 48);
    asm_imm(&a, VCODE_TRAP, 0, 0, VCODE_TRAP_ABORT);
    Run run;
    run_open(&run, asm_close(&a), 1);
    cr_assert_eq(run_on(&run, 100), VM_STOP_FAULT);
    cr_assert_eq(vm_rank_depth(run.rank), 2);
    VmFrame inner = vm_rank_frame(run.rank, 0), outer = vm_rank_frame(run.rank, 1);
    cr_assert_eq(inner.function, 1);
    cr_assert_eq(inner.pc, 5);
    cr_assert_eq(inner.registers[0], 17);
    cr_assert_eq(inner.registers[2], inner.frame_base);
    cr_assert_eq(outer.pc, 2);
    cr_assert_eq(outer.frame_base, inner.frame_base + 48);
    cr_assert_eq(outer.registers[0], outer.frame_base);
    cr_assert_eq(vm_rank_fault_info(run.rank)->signal, 4);
    run_close(&run);
}
