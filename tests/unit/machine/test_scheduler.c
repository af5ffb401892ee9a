/* The order of everything: messages, clocks, reports, output and explanation do not depend on the quantum and the
 * number of threads.
 *
 * The programs are random parallel programs, assembled here. Overheads and latencies of the machines are zero or equal,
 * so that very many events are at the same instant: this tests ties (DESIGN section 4, rules 3 to 5). Each rank
 * computes random amounts, prints, and exchanges values with a random partner. It receives from any source, so another
 * order of matching changes what is printed and sent on.
 */
#include "../externs.h"
#include "machine/run/run.h"

#include <criterion/criterion.h>
#include <string.h>

enum { RANKS = 6, ROUNDS = 12, FRAME = 40, WINDOW = 20 };

/* Values as in mpi.h (tests/unit/mpi/test_header.c). */
#define COMM_WORLD    UINT64_C(0x100000001)
#define INT_TYPE      UINT64_C(0x300000008)
#define ANY_SOURCE    (-1000000205)
#define ANY_TAG       (-1000000409)
#define STATUS_IGNORE 1

/* -- assembling -------------------------------------------------------------------------------- */

static void op(VcodeModule *m, VcodeInstr instruction)
{
    *vcode_push(m, code) = instruction;
}

static void constant(VcodeModule *m, unsigned reg, uint64_t value)
{
    op(m, vcode_pack_imm32(VCODE_MOVK, 0, reg, (int32_t)vcode_constant(m, value, false)));
}

/* Calls an extern whose n arguments are in the window already. */
static void call(VcodeModule *m, const char *name, unsigned n)
{
    op(m, vcode_pack_imm32(VCODE_CALLX, n, WINDOW, (int32_t)test_extern(m, name)));
}

/* Emits a loop of `turns` iterations. */
static void compute(VcodeModule *m, unsigned turns)
{
    constant(m, 10, turns + 1);
    op(m, vcode_pack(VCODE_FALL, 0, 0, 0, 0));
    uint32_t top = m->code.count;
    op(m, vcode_pack(VCODE_ADDI_L, 0, 10, 10, (unsigned)-1));
    int32_t back = (int32_t)top - (int32_t)m->code.count - 1;
    op(m, vcode_pack(VCODE_BNEI, (unsigned)(back >> 16) & 0xff, 10, 0, (unsigned)back & 0xffff));
}

/* Prints the value in memory at R[0] + offset as a letter on stdout. */
static void print_letter(VcodeModule *m, int offset)
{
    op(m, vcode_pack(VCODE_LD32S, 0, WINDOW, 0, (unsigned)offset));
    constant(m, 11, 23);
    op(m, vcode_pack(VCODE_MOD_W, 0, WINDOW, WINDOW, 11));
    op(m, vcode_pack(VCODE_ADDI_L, 0, WINDOW, WINDOW, 'a'));
    call(m, "putchar", 1);
}

static void print_char(VcodeModule *m, char c)
{
    constant(m, WINDOW, (uint64_t)c);
    call(m, "putchar", 1);
}

/* MPI_Sendrecv of one int: R[0] + 0 is sent to `to`, R[0] + 4 is received from any source and added to it. */
static void exchange(VcodeModule *m, uint32_t to, unsigned tag)
{
    const uint64_t args[12] = {
        0, 1, INT_TYPE, to, tag, 4, 1, INT_TYPE, (uint64_t)ANY_SOURCE, (uint64_t)ANY_TAG, COMM_WORLD, STATUS_IGNORE};
    for (unsigned i = 0; i < 12; i++)
        constant(m, WINDOW + i, args[i]);
    op(m, vcode_pack(VCODE_ADDI_L, 0, WINDOW, 0, 0));
    op(m, vcode_pack(VCODE_ADDI_L, 0, WINDOW + 5, 0, 4));
    call(m, "MPI_Sendrecv", 12);
    op(m, vcode_pack(VCODE_LD32S, 0, 12, 0, 0));
    op(m, vcode_pack(VCODE_LD32S, 0, 13, 0, 4));
    op(m, vcode_pack(VCODE_ADD_W, 0, 12, 12, 13));
    op(m, vcode_pack(VCODE_ST32, 0, 12, 0, 0));
}

typedef struct Plan {
    unsigned turns[ROUNDS][RANKS];
    uint32_t to[ROUNDS][RANKS]; /* a permutation: each rank gets one message a round */
    int faulting;               /* rank that divides by zero after half of its rounds, or -1 */
} Plan;

static VcodeModule *assemble(const Plan *plan, uint32_t rank)
{
    VcodeModule *m = vcode_module_new(VCODE_PROGRAM);
    uint32_t name = vcode_string(m, "_start");
    VcodeFunction *function = vcode_push(m, functions);
    *function = (VcodeFunction){
        .name = name, .registers = FRAME, .parameters = 3, .file = VCODE_NONE, .return_type = VCODE_NONE};
    op(m, vcode_pack_imm32(VCODE_ENTER, 0, 0, 16));
    constant(m, WINDOW, 0);
    constant(m, WINDOW + 1, 0);
    call(m, "MPI_Init", 2);
    constant(m, 12, rank * 5);
    op(m, vcode_pack(VCODE_ST32, 0, 12, 0, 0));
    for (int round = 0; round < ROUNDS; round++) {
        compute(m, plan->turns[round][rank]);
        print_letter(m, 0);
        if (round % 3 == 1)
            print_char(m, '\n');
        if (plan->faulting == (int)rank && round == ROUNDS / 2) {
            constant(m, 13, 0);
            op(m, vcode_pack(VCODE_DIV_L, 0, 12, 12, 13));
        }
        exchange(m, plan->to[round][rank], (unsigned)round);
        if (round % 3 == 2)
            print_char(m, '\n');
    }
    call(m, "MPI_Finalize", 0);
    constant(m, WINDOW, rank);
    call(m, "_exit", 1);
    op(m, vcode_pack(VCODE_RETV, 0, 0, 0, 0));
    m->functions.items[0].code_count = m->code.count;
    m->data_base = 0x20000;
    m->entry = 0;
    return m;
}

static void random_plan(Plan *plan, GRand *random)
{
    plan->faulting = -1;
    for (int round = 0; round < ROUNDS; round++) {
        for (uint32_t rank = 0; rank < RANKS; rank++) {
            plan->turns[round][rank] = (unsigned)g_rand_int_range(random, 0, 4) * 10;
            plan->to[round][rank] = rank;
        }
        for (uint32_t i = RANKS - 1; i > 0; i--) {
            uint32_t j = (uint32_t)g_rand_int_range(random, 0, (gint32)i + 1), swap = plan->to[round][i];
            plan->to[round][i] = plan->to[round][j];
            plan->to[round][j] = swap;
        }
    }
}

/* -- running ----------------------------------------------------------------------------------- */

static void record_output(void *user, int stream, const char *bytes, size_t size)
{
    (void)stream;
    g_string_append_len(user, bytes, (gssize)size);
}

static void record_note(void *user, const char *text)
{
    g_string_append_printf(user, "note: %s\n", text);
}

static void record_message(void *user, const MpiMessageInfo *m)
{
    g_string_append_printf(user,
                           "%" G_GUINT64_FORMAT ": %u -> %u tag %d, %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT "\n",
                           m->id, m->from, m->to, m->tag, m->sent_ps, m->delivered_ps);
}

static void record_activity(void *user, uint32_t rank, MpiActivity activity, uint64_t from, uint64_t to,
                            const char *name)
{
    g_string_append_printf(user, "%u %d %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " %s\n", rank, activity, from, to,
                           name ? name : "-");
}

static void record_finished(void *user, uint32_t rank, uint64_t time, int status)
{
    g_string_append_printf(user, "%u ended at %" G_GUINT64_FORMAT " with %d\n", rank, time, status);
}

static MachConfig *tied_config(int variant)
{
    static const char *const search[] = {ORRERY_SOURCE_DIR "/configs", NULL};
    static const char *const machines[] = {"laptop", "crossbar-16", "mesh-4x4", "loggp-cluster"};
    static const char *const free_software[] = {
        "mpi.send-overhead=0", "mpi.recv-overhead=0",        "mpi.call-overhead=0",      "mpi.match-time=0",
        "mpi.copy-per-byte=0", "node.local-latency=0",       "network.startup=0",        "network.link-latency=0",
        "network.latency=0",   "network.switch-latency=0",   "network.router-latency=0", "network.gap=0",
        "cpu.clock=1 GHz",     "node.local-bandwidth=1 TB/s"};
    MachConfig *config = mach_config_load(machines[variant % 4], search, NULL);
    for (size_t i = 0; variant / 4 % 2 == 0 && i < G_N_ELEMENTS(free_software); i++)
        cr_assert(mach_config_set(config, free_software[i], NULL), "%s", free_software[i]);
    return config;
}

/* Returns everything visible of a run as one text. */
static char *run(const Plan *plan, int variant, uint64_t quantum, uint32_t jobs, uint64_t max_time_ps, MachStop *stop,
                 uint64_t *makespan)
{
    GString *seen = g_string_new(NULL);
    g_autoptr(MachConfig) config = tied_config(variant);
    static const char *const argv[] = {"program", NULL};
    MachProgram programs[RANKS];
    for (uint32_t rank = 0; rank < RANKS; rank++)
        programs[rank] = (MachProgram){.module = assemble(plan, rank), .argv = argv, .count = 1};
    MachOptions options;
    mach_run_options_default(&options);
    options.quantum = quantum;
    options.jobs = jobs;
    options.max_time_ps = max_time_ps;
    options.output = record_output;
    options.note = record_note;
    options.user = seen;
    g_autoptr(GError) error = NULL;
    Machine *machine = mach_run_new(config, programs, RANKS, &options, &error);
    cr_assert_not_null(machine, "%s", error ? error->message : "");
    MachObserver observer = {
        .user = seen, .activity = record_activity, .message = record_message, .finished = record_finished};
    mach_run_observe(machine, &observer);
    *stop = mach_run(machine);
    g_string_append_printf(seen, "stop %d, status %d, now %" G_GUINT64_FORMAT "\n", *stop,
                           mach_run_exit_status(machine), mach_run_now(machine));
    for (uint32_t rank = 0; rank < RANKS; rank++) {
        MachRankReport r;
        mach_run_rank_report(machine, rank, &r);
        cr_assert_eq(r.finish_ps, r.compute_ps + r.overhead_ps + r.blocked_ps);
        g_string_append_printf(seen,
                               "rank %u: %" G_GUINT64_FORMAT " = %" G_GUINT64_FORMAT " + %" G_GUINT64_FORMAT
                               " + %" G_GUINT64_FORMAT ", %" G_GUINT64_FORMAT " messages\n",
                               rank, r.finish_ps, r.compute_ps, r.overhead_ps, r.blocked_ps, r.messages_sent);
    }
    mach_explain(machine, seen);
    *makespan = mach_run_makespan(machine);
    mach_run_free(machine);
    return g_string_free(seen, FALSE);
}

static const uint64_t quanta[] = {1, 2, 7, 50, 1000, 1000000000};
static const uint32_t jobs[] = {1, 2, 4};

/* Runs under all quanta and numbers of threads and compares the results. Returns the makespan. */
static uint64_t compare(const Plan *plan, int variant, uint64_t max_time_ps, MachStop expected, guint32 seed)
{
    g_autofree char *first = NULL;
    uint64_t makespan = 0;
    for (size_t i = 0; i < G_N_ELEMENTS(quanta) * G_N_ELEMENTS(jobs); i++) {
        MachStop stop;
        uint64_t quantum = quanta[i / G_N_ELEMENTS(jobs)];
        uint32_t threads = jobs[i % G_N_ELEMENTS(jobs)];
        g_autofree char *seen = run(plan, variant, quantum, threads, max_time_ps, &stop, &makespan);
        cr_assert_eq(stop, expected, "seed %u, variant %d: stop %d\n%s", seed, variant, stop, seen);
        if (!first)
            first = g_steal_pointer(&seen);
        else
            cr_assert_str_eq(seen, first, "seed %u, variant %d, quantum %" G_GUINT64_FORMAT ", %u threads", seed,
                             variant, quantum, threads);
    }
    return makespan;
}

Test(scheduler, the_quantum_never_matters)
{
    for (guint32 seed = 1; seed <= 24; seed++) {
        GRand *random = g_rand_new_with_seed(seed);
        Plan plan;
        random_plan(&plan, random);
        compare(&plan, (int)seed, 0, MACH_STOP_FINISHED, seed);
        g_rand_free(random);
    }
}

/* A fault ends the run at its own instant, however far other ranks had run ahead. */
Test(scheduler, not_where_a_rank_faults)
{
    for (guint32 seed = 100; seed < 116; seed++) {
        GRand *random = g_rand_new_with_seed(seed);
        Plan plan;
        random_plan(&plan, random);
        plan.faulting = g_rand_int_range(random, 0, RANKS);
        compare(&plan, (int)seed, 0, MACH_STOP_FAULT, seed);
        g_rand_free(random);
    }
}

Test(scheduler, not_where_time_is_up)
{
    for (guint32 seed = 200; seed < 216; seed++) {
        GRand *random = g_rand_new_with_seed(seed);
        Plan plan;
        random_plan(&plan, random);
        MachStop stop;
        uint64_t makespan;
        g_free(run(&plan, (int)seed, 1000, 1, 0, &stop, &makespan));
        uint64_t limit = makespan * (1 + seed % 7) / 8;
        cr_assert_leq(compare(&plan, (int)seed, limit, MACH_STOP_MAX_TIME, seed), makespan);
        g_rand_free(random);
    }
}

/* A rank waits for a message that nobody sends. */
Test(scheduler, deadlock_is_the_end_of_all_events)
{
    for (guint32 seed = 300; seed < 308; seed++) {
        GRand *random = g_rand_new_with_seed(seed);
        Plan plan;
        random_plan(&plan, random);
        for (uint32_t rank = 0; rank < RANKS; rank++)
            plan.to[ROUNDS - 1][rank] = 0; /* all but one of the last messages go to the wrong rank */
        compare(&plan, (int)seed, 0, MACH_STOP_DEADLOCK, seed);
        g_rand_free(random);
    }
}

/* finish = compute + overhead + blocked, and the exit status is the largest of all ranks. */
Test(scheduler, exit_status_is_the_largest)
{
    Plan plan;
    GRand *random = g_rand_new_with_seed(5);
    random_plan(&plan, random);
    g_rand_free(random);
    MachStop stop;
    uint64_t makespan;
    g_autofree char *seen = run(&plan, 0, 1000, 1, 0, &stop, &makespan);
    cr_assert(strstr(seen, "stop 0, status 5,"), "%s", seen);
}

Test(scheduler, impossible_numbers_of_ranks_are_refused)
{
    g_autoptr(MachConfig) config = tied_config(0);
    static const char *const argv[] = {"program", NULL};
    MachOptions options;
    mach_run_options_default(&options);
    g_autoptr(GError) error = NULL;
    cr_assert_null(mach_run_new(config, NULL, 0, &options, &error));
    cr_assert(g_error_matches(error, MACH_ERROR, MACH_ERROR_RANKS));
    g_clear_error(&error);
    Plan plan;
    GRand *random = g_rand_new_with_seed(5);
    random_plan(&plan, random);
    g_rand_free(random);
    MachProgram many = {.module = assemble(&plan, 0), .argv = argv, .count = 99999999};
    cr_assert_null(mach_run_new(config, &many, 1, &options, &error));
    cr_assert_not_null(error);
}
