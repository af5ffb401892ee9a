/* block_counts.c - counts how often straight runs of instructions are executed, for bench/choose-fused.
 *
 *     block_counts CYCLES PROGRAM.vcode [ARGUMENT...]
 *
 * Runs a program without MPI for at most CYCLES cycles, with the debugger's hook at the start of every basic block. A
 * line of output is a run of instructions that is entered only at its first one. It has the number of times, and then
 * the interpreter's cases for the run, up to the next jump or call. Each case has the registers in its fields:
 * LDX64:3,4,5 or ADDI_W:3,3,_. A block that merely falls into the next one (FALL) continues on the same line.
 */
#include "vm/code/code.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The cases on a machine without a predictor and with blocks of ordinary cost. */
static const char *const names[] = {
#define INSTRUCTION(name, mnemonic, form, cost, result, kind, meaning) #name,
#include "vcode/instructions.def"
#define QUOTED(name)             #name,
#define VM_ANY_NAME(name, shift) QUOTED(ANY_##name)
    VM_INDEXED(VM_ANY_NAME)};

static bool count(VmRank *rank, uint32_t pc, void *user)
{
    (void)rank;
    ((uint64_t *)user)[pc]++;
    return false;
}

/* Returns which fields of an instruction are registers, by its form. */
static const char *fields_of(VcodeOp op)
{
    switch (vcode_op_info[op].form) {
    case VCODE_FORM_NONE:
    case VCODE_FORM_I32:
    case VCODE_FORM_JUMP:
    case VCODE_FORM_CALL:
    case VCODE_FORM_CALLX: return "";
    case VCODE_FORM_CALLI: return "b";
    case VCODE_FORM_R:
    case VCODE_FORM_RI32:
    case VCODE_FORM_RK:
    case VCODE_FORM_BRI:
    case VCODE_FORM_SWITCH: return "a";
    case VCODE_FORM_RR:
    case VCODE_FORM_RRI:
    case VCODE_FORM_LOAD:
    case VCODE_FORM_STORE:
    case VCODE_FORM_BLOCK:
    case VCODE_FORM_BRR: return "ab";
    case VCODE_FORM_RRR:
    case VCODE_FORM_LOADX:
    case VCODE_FORM_STOREX: return "abc";
    }
    g_assert_not_reached();
}

static void print_instruction(const VmImage *image, uint32_t pc)
{
    const VmInstr *d = &image->code[pc];
    const char *fields = fields_of(vcode_op(image->module->code.items[pc]));
    unsigned registers[3] = {d->a, d->b, d->c};
    printf(" %s:", names[image->ops[pc]]);
    for (unsigned i = 0; i < 3; i++) {
        const char *end = i < 2 ? "," : "";
        if (strchr(fields, "abc"[i]))
            printf("%u%s", registers[i], end);
        else
            printf("_%s", end);
    }
}

static void print_runs(const VmImage *image, const uint64_t *counts)
{
    uint64_t fallen = 0; /* how often the block before fell into this one */
    uint32_t code = image->module->code.count;
    for (uint32_t pc = 0, next; pc < code; pc = next) {
        for (next = pc + 1; next < code && !vm_bit(image->block_starts, next);)
            next++;
        if (counts[pc] > fallen) {
            printf("%" G_GUINT64_FORMAT, counts[pc] - fallen);
            uint32_t at = pc;
            do
                print_instruction(image, at);
            while (++at < code && (!vm_bit(image->block_starts, at) || image->ops[at - 1] == VM_OP_FALL));
            putchar('\n');
        }
        fallen = image->ops[next - 1] == VM_OP_FALL ? counts[pc] : 0;
    }
}

static void fail(const GError *error)
{
    fprintf(stderr, "block_counts: %s\n", error->message);
    exit(1);
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fputs("usage: block_counts CYCLES PROGRAM.vcode [ARGUMENT...]\n", stderr);
        return 2;
    }
    g_autoptr(GError) error = NULL;
    VcodeModule *module = vcode_file_read(argv[2], &error);
    VmImage *image = module ? vm_image_new(module, NULL, 0, NULL, &error) : NULL;
    VmWorld *world = image ? vm_world_new(1, NULL, NULL, &error) : NULL;
    if (!world || !vm_world_start(world, 0, image, (const char *const *)argv + 2, NULL, UINT64_C(1) << 32, &error))
        fail(error);
    memcpy(image->statement_starts, image->block_starts, (image->module->code.count / 64 + 1) * sizeof(uint64_t));
    g_autofree uint64_t *counts = g_new0(uint64_t, image->module->code.count);
    VmRank *rank = vm_world_rank(world, 0);
    vm_rank_set_hook(rank, count, counts);
    vm_rank_run(rank, strtoull(argv[1], NULL, 10));
    print_runs(image, counts);
    vm_world_free(world);
    vm_image_unref(image);
    return 0;
}
