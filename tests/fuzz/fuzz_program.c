/* fuzz_program.c - whole programs that pass the verifier but lie: mutated instructions, constants, tables and debug
 * information of sound programs, run by two ranks with MPI for a millisecond of virtual time, then explained, walked by
 * the debugger and disassembled. Whatever they do, the simulator answers, soon.
 *
 * The mutator keeps to what mostly verifies: it gives an instruction other registers of its function, another opcode of
 * its form, an interesting constant, a neighbour's place; a call another host function. Of the first eight bytes of an
 * input, which are not the file, the first says how the program runs.
 */
#include "forge.h"
#include "machine/machine.h"
#include "monitor/look.h"
#include "monitor/monitor.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

enum { PREFIX = 8, RANKS = 2 };
enum { WITH_DEBUGGER = 1, WITH_CHECKS = 2, SMALL_QUANTUM = 4, ONE_NODE = 8, LISTED = 16 }; /* bits of the first byte */

static void drop(void *user, int stream, const char *bytes, size_t size)
{
    (void)user, (void)stream, (void)bytes, (void)size;
}

static void drop_note(void *user, const char *text)
{
    (void)user, (void)text;
}

static size_t no_input(void *user, char *bytes, size_t size)
{
    (void)user, (void)bytes, (void)size;
    return 0;
}

static MachConfig *config_of(unsigned how)
{
    static const char *const search[] = {ORRERY_SOURCE_DIR "/configs", NULL};
    MachConfig *config = mach_config_load(how & ONE_NODE ? "laptop" : "loggp-cluster", search, NULL);
    g_assert(config);
    config->stack_bytes = 256 << 10;
    config->heap_bytes = 8 << 20;
    return config;
}

static Machine *machine_of(VcodeModule *module, const MachConfig *config, unsigned how)
{
    static const char *const argv[] = {"fuzz", "1", NULL};
    MachProgram program = {.module = module, .argv = argv, .count = RANKS};
    MachOptions options;
    mach_run_options_default(&options);
    options.quantum = how & SMALL_QUANTUM ? 100 : 100000;
    options.jobs = 1;
    options.max_time_ps = UINT64_C(1000000000);
    options.checks = how & WITH_CHECKS ? mpi_checks_all() : mpi_checks_default();
    options.fs = VM_FS_NONE;
    options.output = drop;
    options.note = drop_note;
    options.input = no_input;
    return mach_run_new(config, &program, 1, &options, NULL);
}

/* What a person may look at when the program has stopped. */
static void look(MonDebugger *debugger, Machine *machine, GString *out)
{
    enum { LEVELS = 4 };
    mon_debug_info_ranks(debugger, out);
    for (uint32_t rank = 0; rank < RANKS; rank++) {
        mon_debug_backtrace(debugger, rank, out);
        for (uint32_t level = 0; level < LEVELS; level++) {
            mon_debug_locals(debugger, rank, level, out);
            mon_debug_list_source(debugger, rank, level, out);
        }
        MonSpot spot = {machine, rank, 0};
        g_autoptr(MonExpression) expression = mon_expression_new(&spot, "sizeof(int) + 1", NULL);
        if (expression)
            (void)mon_expression_print(expression, &spot, &(MonFormat){0}, out, NULL);
        g_string_truncate(out, 0);
    }
}

/* Stops at each fifth statement. */
static bool stop_often(VmRank *rank, uint32_t pc, void *user)
{
    unsigned *statements = user;
    (void)rank;
    (void)pc;
    return ++*statements % 5 == 0;
}

static void step(MonDebugger *debugger, Machine *machine, GString *out)
{
    enum { STEPS = 12 };
    unsigned statements = 0;
    mach_run_set_hook(machine, stop_often, &statements);
    for (unsigned i = 0; i < STEPS && mach_run(machine) == MACH_STOP_HOOK; i++)
        look(debugger, machine, out);
    mach_run_set_hook(machine, NULL, NULL);
}

static void run(VcodeModule *module, unsigned how)
{
    g_autoptr(MachConfig) config = config_of(how);
    Machine *machine = machine_of(module, config, how);
    if (!machine)
        return;
    g_autoptr(GString) out = g_string_new(NULL);
    MonDebugger *debugger = how & WITH_DEBUGGER ? mon_debugger_new(machine) : NULL;
    if (debugger)
        step(debugger, machine, out);
    while (mach_run(machine) == MACH_STOP_HOOK)
        ;
    mach_explain(machine, out);
    if (!debugger)
        debugger = mon_debugger_new(machine);
    look(debugger, machine, out);
    mon_debugger_free(debugger);
    mach_run_free(machine);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (size <= PREFIX)
        return 0;
    uint8_t *file = g_memdup2(bytes + PREFIX, size - PREFIX);
    fuzz_forge(file, size - PREFIX);
    VcodeModule *module = vcode_file_read_bytes(file, size - PREFIX, "fuzz", NULL);
    g_free(file);
    if (module && bytes[0] & LISTED) {
        g_autoptr(GString) text = g_string_new(NULL);
        vcode_disassemble(module, true, text);
    }
    if (module)
        run(module, bytes[0]);
    return 0;
}

#ifdef ORRERY_FUZZ
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t largest, unsigned seed);

typedef struct Mutation {
    uint8_t *file;
    size_t size;
    uint64_t dice;
} Mutation;

/* A number below `limit`, which is not 0 (splitmix64, Steele, Lea and Flood, 2014). */
static uint32_t roll(Mutation *m, uint32_t limit)
{
    uint64_t z = m->dice += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return (uint32_t)((z ^ z >> 31) >> 16) % limit;
}

static uint64_t interesting(Mutation *m)
{
    static const uint64_t numbers[] = {0,
                                       1,
                                       2,
                                       3,
                                       7,
                                       8,
                                       16,
                                       64,
                                       100,
                                       1000,
                                       65536,
                                       1 << 20,
                                       INT32_MAX,
                                       INT64_MAX,
                                       UINT64_MAX,
                                       UINT64_MAX - 1,
                                       UINT64_MAX - 7,
                                       (uint64_t)INT32_MIN,
                                       UINT32_MAX,
                                       UINT64_C(1) << 40,
                                       UINT64_C(1) << 62,
                                       (uint64_t)INT64_MIN,
                                       VCODE_RODATA_BASE,
                                       VCODE_RODATA_BASE + 0x10000,
                                       VCODE_CODE_BASE,
                                       VCODE_CODE_BASE + 16,
                                       VCODE_CODE_BASE + 48,
                                       VCODE_LABEL_BASE + 4,
                                       UINT64_C(0x7ff8000000000000)};
    uint64_t number = numbers[roll(m, G_N_ELEMENTS(numbers))];
    return roll(m, 4) ? number : number + roll(m, 512) - 256;
}

static VcodeFunction *function_of(Mutation *m, uint32_t pc)
{
    uint32_t count, record;
    VcodeFunction *functions = (void *)fuzz_records(m->file, m->size, FUZZ_TABLE_functions, &count, &record);
    for (uint32_t i = 0; functions && record == sizeof *functions && i < count; i++)
        if (pc >= functions[i].code_start && pc - functions[i].code_start < functions[i].code_count)
            return &functions[i];
    return NULL;
}

static unsigned other_opcode(Mutation *m, unsigned op)
{
    for (int tries = 0; tries < 200 && op < VCODE_OP_COUNT; tries++) {
        unsigned other = roll(m, VCODE_OP_COUNT);
        if (vcode_op_info[other].form == vcode_op_info[op].form)
            return other;
    }
    return op;
}

static uint64_t set_field(uint64_t word, unsigned shift, uint64_t mask, uint64_t value)
{
    return (word & ~(mask << shift)) | (value & mask) << shift;
}

static void mutate_instruction(Mutation *m)
{
    uint32_t count, record, externs;
    uint64_t *code = (void *)fuzz_records(m->file, m->size, FUZZ_TABLE_code, &count, &record);
    if (!code || record != sizeof *code)
        return;
    uint32_t pc = roll(m, count);
    const VcodeFunction *f = function_of(m, pc);
    uint32_t registers = f && f->registers ? f->registers : 16;
    switch (roll(m, 8)) {
    case 0: code[pc] = set_field(code[pc], 0, 0xff, other_opcode(m, code[pc] & 0xff)); break;
    case 1: code[pc] = set_field(code[pc], 16, 0xffff, roll(m, registers)); break;
    case 2: code[pc] = set_field(code[pc], 32, 0xffff, roll(m, registers)); break;
    case 3: code[pc] = set_field(code[pc], 48, 0xffff, roll(m, 2) ? roll(m, registers) : interesting(m)); break;
    case 4: code[pc] = set_field(code[pc], 32, 0xffffffff, interesting(m)); break;
    case 5: code[pc] = code[roll(m, count)]; break;
    case 6: code[pc] = vcode_pack_imm32(VCODE_MOVI, 0, roll(m, registers), (int32_t)interesting(m)); break;
    default:
        while (pc < count && (code[pc] & 0xff) != VCODE_CALLX)
            pc++;
        if (pc < count && fuzz_records(m->file, m->size, FUZZ_TABLE_externs, &externs, &record))
            code[pc] = set_field(code[pc], 32, 0xffffffff, roll(m, externs));
        break;
    }
}

static void mutate_constant(Mutation *m)
{
    uint32_t count, record;
    uint64_t *constants = (void *)fuzz_records(m->file, m->size, FUZZ_TABLE_constants, &count, &record);
    if (constants && record == sizeof *constants)
        constants[roll(m, count)] = roll(m, 3) ? interesting(m) : constants[roll(m, count)];
}

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t largest, unsigned seed)
{
    Mutation m = {bytes + PREFIX, size - PREFIX, seed};
    if (size <= PREFIX)
        return LLVMFuzzerMutate(bytes, size, largest);
    for (uint32_t n = 1 + roll(&m, 4); n > 0; n--) {
        uint32_t kind = roll(&m, 16);
        if (kind == 0)
            bytes[0] = (uint8_t)roll(&m, 256);
        else if (kind < 10)
            mutate_instruction(&m);
        else if (kind < 13)
            mutate_constant(&m);
        else
            (void)fuzz_mutate_record(m.file, m.size, roll(&m, FUZZ_TABLE_COUNT), roll(&m, UINT32_MAX));
    }
    return size;
}
#endif
