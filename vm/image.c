/* image.c - a program made ready to run: verified, decoded, priced, its externs bound. An image is read-only
 * afterwards, and all ranks that run it share it, on any number of threads.
 *
 * Decoding keeps the index of every instruction, so a pc means the same to the interpreter, the debugger and the line
 * table. The cost of a block is the sum of the classes of its instructions and of the bytes of its block copies. The
 * instruction that ends the block charges it; the others charge nothing. The sum is exact; the few sums that outgrow 32
 * bits go to a side table.
 */
#include "vcode/calling.h"
#include "vm/code/code.h"
#include "vm/direct/direct.h"
#include "vm/drill/drill.h"
#include "vm/interpreter/interpreter.h"
#include "vm/library/library.h"
#include "vm/timing/timing.h"

#include <string.h>

/* -- externs ----------------------------------------------------------------------------------- */

static void add_externs(GHashTable *index, const VmExtern *externs, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!g_hash_table_contains(index, externs[i].name))
            g_hash_table_insert(index, (gpointer)externs[i].name, (gpointer)&externs[i]);
}

/* Makes an extern for the k-th extern of the program, whose name is in no table. */
static const VmExtern *unknown_extern(VmImage *image, uint32_t k, const char *name)
{
    const char *why = vm_refused_why(name);
    if (!image->unknown)
        image->unknown = g_new0(VmExtern, image->module->externs.count);
    image->unknown[k] = (VmExtern){.name = name,
                                   .function = vm_extern_refused,
                                   .user = (void *)(why ? why : "neither the program nor Orrery has this function")};
    return &image->unknown[k];
}

static uint64_t base_cost(const VmCosts *costs, const VmExtern *found)
{
    if (!vm_library_is_root(found))
        return (uint64_t)found->base_q8 * costs->library_q8 >> 8;
    uint64_t call = found->base_q8 - vcode_cost_info[VCODE_COST_FP_SQRT].default_q8;
    return costs->class_q8[VCODE_COST_FP_SQRT] + (call * costs->library_q8 >> 8);
}

static VmBinding bind(const VmCosts *costs, const VmExtern *found)
{
    VmBinding binding = {.function = found,
                         .direct = vm_library_direct(found),
                         .arity = found->arity,
                         .shading = vm_library_shading(found),
                         .base_q8 = base_cost(costs, found),
                         .unit_q16 = (uint64_t)found->unit_q8 * costs->library_q8};
    for (size_t i = 0; i < costs->n_externs; i++)
        if (strcmp(costs->externs[i].name, found->name) == 0) {
            binding.base_q8 = costs->externs[i].base_q8;
            binding.unit_q16 = (uint64_t)costs->externs[i].unit_q8 << 8;
            break;
        }
    return binding;
}

static void bind_externs(VmImage *image, const VmExtern *externs, size_t n)
{
    const VcodeModule *m = image->module;
    size_t library_count;
    const VmExtern *library = vm_library(&library_count);
    g_autoptr(GHashTable) index = g_hash_table_new(g_str_hash, g_str_equal);
    add_externs(index, externs, n);
    add_externs(index, library, library_count);
    image->bindings = g_new0(VmBinding, m->externs.count + 1);
    for (uint32_t i = 0; i < m->externs.count; i++) {
        const char *name = vcode_text(m, m->externs.items[i].name);
        const VmExtern *found = g_hash_table_lookup(index, name);
        if (!found)
            found = unknown_extern(image, i, name);
        image->keeps_fenv |= strcmp(found->name, VM_IMAGE_FENV) == 0;
        image->bindings[i] = bind(&image->costs, found);
    }
}

/* -- decoding ---------------------------------------------------------------------------------- */

static void set_bit(uint64_t *bits, uint32_t index)
{
    bits[index / 64] |= UINT64_C(1) << index % 64;
}

/* The interpreter's case for an instruction: usually the one of the same name. */
static VmOp op_of(VcodeInstr i)
{
    switch (vcode_op(i)) {
#define INDEXED_ROW(name, shift)                                                                                       \
    case VCODE_##name: return vcode_n(i) == (shift) ? VM_OP_##name : VM_OP_ANY_##name;
        VM_INDEXED(INDEXED_ROW)
#undef INDEXED_ROW
    case VCODE_LEAX: return vcode_n(i) == 0 ? VM_OP_ADD_L : VM_OP_LEAX;
    default: return (VmOp)vcode_op(i);
    }
}

/* The interpreter's case for a branch or jump that a predictor watches. */
static VmOp predicted_op_of(VcodeInstr i)
{
    switch (vcode_op(i)) {
#define PREDICTED_ROW(name, ...)                                                                                       \
    case VCODE_##name: return VM_OP_PREDICTED_##name;
        VM_PREDICTED_BRANCHES(PREDICTED_ROW)
        VM_PREDICTED_JUMPS(PREDICTED_ROW)
#undef PREDICTED_ROW
    default: return op_of(i);
    }
}

static VmInstr decode(const VmImage *image, VcodeInstr i, VmOp op)
{
    const VcodeModule *m = image->module;
    VmInstr d = {.handler = image->handlers[op], .a = (uint16_t)vcode_a(i), .b = (uint16_t)vcode_b(i)};
    switch (vcode_op_info[vcode_op(i)].form) {
    case VCODE_FORM_NONE:
    case VCODE_FORM_R:
    case VCODE_FORM_RR: break;
    case VCODE_FORM_RRR:
    case VCODE_FORM_RRI:
    case VCODE_FORM_LOAD:
    case VCODE_FORM_STORE:
    case VCODE_FORM_LOADX:
    case VCODE_FORM_STOREX:
        d.c = (uint16_t)vcode_c(i);
        d.n = (uint8_t)vcode_n(i);
        break;
    case VCODE_FORM_RI32: d.value = (uint64_t)(int64_t)vcode_imm32(i); break;
    case VCODE_FORM_RK: d.value = m->constants.items[vcode_imm32(i)]; break;
    case VCODE_FORM_BLOCK: d.value = vcode_block_bytes(i); break;
    case VCODE_FORM_I32:
    case VCODE_FORM_SWITCH: d.target = vcode_imm32(i); break;
    case VCODE_FORM_JUMP: d.target = vcode_imm32(i) + 1; break;
    case VCODE_FORM_BRR:
    case VCODE_FORM_BRI: d.target = vcode_off24(i) + 1; break;
    case VCODE_FORM_CALL:
    case VCODE_FORM_CALLX:
        d.target = vcode_imm32(i);
        d.n = (uint8_t)vcode_n(i);
        break;
    case VCODE_FORM_CALLI:
        d.n = (uint8_t)vcode_n(i);
        d.c = vm_call_shape(d.n, vcode_c(i) >= VCODE_PASS_SLOTS);
        break;
    }
    return d;
}

static void set_block_cost(VmImage *image, uint32_t pc, uint64_t cost)
{
    if (cost <= UINT32_MAX) {
        image->code[pc].cost = (uint32_t)cost;
        return;
    }
    VmWideCost wide = {pc, image->ops[pc], image->code[pc].handler, cost};
    g_array_append_val(image->wide_costs, wide);
    image->ops[pc] = VM_OP_WIDE;
    image->code[pc].handler = image->handlers[VM_OP_WIDE];
}

static void decode_function(VmImage *image, uint32_t index)
{
    const VcodeModule *m = image->module;
    const VcodeFunction *f = &m->functions.items[index];
    VcodeInstr first = m->code.items[f->code_start];
    image->functions[index] = (VmFunction){
        .entry = image->code + f->code_start,
        .start = f->code_start,
        .registers = f->registers,
        .enter_bytes = vcode_op(first) == VCODE_ENTER ? (uint32_t)vcode_imm32(first) : 0,
        .parameters = f->parameters,
        .shape = vm_call_shape(f->parameters, f->flags & VCODE_FUNCTION_VARIADIC),
        .variadic = f->flags & VCODE_FUNCTION_VARIADIC,
    };
    vm_liveness(m, index, &image->functions[index]);
    g_autofree uint64_t *costs = g_new(uint64_t, f->code_count);
    if (image->decoded) /* each instruction is charged for itself */
        memset(costs, 0, f->code_count * sizeof *costs);
    else
        vm_block_costs(m, index, &image->costs, costs);
    g_autofree bool *predicted = g_new0(bool, f->code_count);
    if (image->costs.predictor != VM_PREDICTOR_NONE && !image->decoded)
        vm_pipeline_predicted(m, index, predicted);
    bool starts_block = true;
    for (uint32_t pc = f->code_start; pc < f->code_start + f->code_count; pc++) {
        VcodeInstr i = m->code.items[pc];
        VmOp op = predicted[pc - f->code_start] ? predicted_op_of(i) : op_of(i);
        image->ops[pc] = (uint8_t)op;
        image->code[pc] = decode(image, i, op);
        if (vcode_op(i) == VCODE_ENTER) {
            image->code[pc].b = (uint16_t)index;
            image->code[pc].c = (uint16_t)(index >> 16);
        }
        if (starts_block)
            set_bit(image->block_starts, pc);
        starts_block = vcode_op_ends_block(vcode_op(i));
        if (starts_block)
            set_block_cost(image, pc, costs[pc - f->code_start]);
    }
}

static void add_lost(VmImage *image, uint32_t pc, uint32_t from, uint32_t to)
{
    VmLost lost = {pc, image->ops[pc], from, to};
    g_array_append_val(image->lost, lost);
    image->ops[pc] = VM_OP_LOST;
    image->code[pc].handler = image->handlers[VM_OP_LOST];
}

/* Finds the calls that lose registers which are read behind them. */
static void find_losses(VmImage *image, uint32_t index)
{
    const VcodeFunction *f = &image->module->functions.items[index];
    const VmFunction *function = &image->functions[index];
    if (function->lost_from >= function->lost_to)
        return;
    add_lost(image, f->code_start, 0, 0);
    for (uint32_t pc = f->code_start; pc + 1 < f->code_start + f->code_count; pc++) {
        VcodeInstr i = image->module->code.items[pc];
        uint32_t from = MAX(function->lost_from, vcode_a(i) + 1);
        if (vm_code_is_call(i) && from < function->lost_to)
            add_lost(image, pc + 1, from, function->lost_to);
    }
}

/* -- all of a program -------------------------------------------------------------------------- */

static void decode_switches(VmImage *image)
{
    const VcodeModule *m = image->module;
    image->switches = g_new0(VmSwitch, m->switches.count + 1);
    image->targets = g_new0(const VmInstr *, m->targets.count + 1);
    for (uint32_t i = 0; i < m->switches.count; i++) {
        const VcodeSwitch *s = &m->switches.items[i];
        const VmInstr *start = image->code + m->functions.items[s->function].code_start;
        for (uint32_t k = 0; k < s->count; k++)
            image->targets[s->first + k] = start + m->targets.items[s->first + k];
        image->switches[i] =
            (VmSwitch){(uint64_t)s->low, s->count, image->targets + s->first, start + s->default_target};
    }
}

/* -- objects, for --check ---------------------------------------------------------------------- */

/* An instruction that makes the address of an object stores the object's number + 1 in fields that its form leaves
 * free. */
static void note_origin(VmImage *image, const VcodeOrigin *origin)
{
    if (origin->pc >= image->module->code.count || origin->object >= image->module->objects.count)
        return;
    VmInstr *i = &image->code[origin->pc];
    switch (vcode_op_info[vcode_op(image->module->code.items[origin->pc])].form) {
    case VCODE_FORM_RK:
        i->b = (uint16_t)(origin->object + 1);
        i->c = (uint16_t)((origin->object + 1) >> 16);
        break;
    case VCODE_FORM_RR:
    case VCODE_FORM_RRR:
    case VCODE_FORM_RRI:
    case VCODE_FORM_LOAD:
    case VCODE_FORM_LOADX:
    case VCODE_FORM_STORE:
    case VCODE_FORM_STOREX: i->target = (int32_t)(origin->object + 1); break;
    default: break;
    }
}

static int compare_statics(const void *a, const void *b, void *user)
{
    const VcodeObject *objects = user, *x = &objects[*(const uint32_t *)a], *y = &objects[*(const uint32_t *)b];
    return x->where < y->where ? -1 : x->where > y->where;
}

static void note_objects(VmImage *image)
{
    const VcodeModule *m = image->module;
    uint32_t most = MIN(m->objects.count, (1u << 29) - 1);
    image->statics = g_new(uint32_t, most + 1);
    for (uint32_t i = 0; i < most; i++) {
        uint32_t function = m->objects.items[i].function;
        if (function == VCODE_NONE) {
            image->statics[image->n_statics++] = i;
            continue;
        }
        VmFunction *f = &image->functions[function];
        if (f->objects == 0)
            f->first_object = i;
        if (f->first_object + f->objects == i)
            f->objects++;
    }
    g_qsort_with_data(image->statics, (gint)image->n_statics, sizeof(uint32_t), compare_statics, m->objects.items);
    for (uint32_t i = 0; i < m->origins.count; i++)
        note_origin(image, &m->origins.items[i]);
}

static void decode_program(VmImage *image)
{
    const VcodeModule *m = image->module;
    vm_interpreter_handlers(image->handlers);
    size_t words = m->code.count / 64 + 1;
    image->code = g_new0(VmInstr, m->code.count);
    image->ops = g_new0(uint8_t, m->code.count);
    image->functions = g_new0(VmFunction, m->functions.count);
    image->block_starts = g_new0(uint64_t, words);
    image->statement_starts = g_new0(uint64_t, words);
    image->wide_costs = g_array_new(FALSE, FALSE, sizeof(VmWideCost));
    image->lost = g_array_new(FALSE, FALSE, sizeof(VmLost));
    for (uint32_t i = 0; i < m->functions.count; i++)
        decode_function(image, i);
    for (uint32_t i = 0; i < m->functions.count; i++)
        find_losses(image, i);
#if defined(__GNUC__)
    vm_fuse(image, image->handlers);
#endif
    note_objects(image);
    decode_switches(image);
    for (uint32_t i = 0; i < m->lines.count; i++)
        if (m->lines.items[i].flags & VCODE_LINE_STATEMENT && m->lines.items[i].pc < m->code.count)
            set_bit(image->statement_starts, m->lines.items[i].pc);
}

/* -- images ------------------------------------------------------------------------------------ */

static bool check_program(const VcodeModule *program, GError **error)
{
    g_autoptr(GError) inner = NULL;
    enum { ENTRY_PARAMETERS = 3 }; /* argc, argv, envp */
    if (!vcode_verify(program, &inner))
        g_set_error_literal(error, VM_ERROR, VM_ERROR_PROGRAM, inner->message);
    else if (program->functions.items[program->entry].parameters > ENTRY_PARAMETERS)
        g_set_error(error, VM_ERROR, VM_ERROR_PROGRAM, "the program's entry '%s' wants more than argc, argv and envp",
                    vcode_text(program, program->functions.items[program->entry].name));
    else
        return true;
    return false;
}

/* Makes an image of a verified module with these costs. */
static VmImage *image_make(VcodeModule *program, VmImage *origin, const VmExtern *externs, size_t n_externs,
                           const VmCosts *costs)
{
    VmImage *image = g_new0(VmImage, 1);
    image->references = 1;
    image->module = program;
    image->origin = origin;
    if (costs)
        image->costs = *costs;
    else
        vm_costs_default(&image->costs);
    bind_externs(image, externs, n_externs);
    image->asks_flags = vm_image_asks_flags(image);
    image->costs.externs = NULL; /* the array is the caller's, and no longer needed */
    image->costs.n_externs = 0;
    if (image->costs.execution == VM_EXECUTION_OUT_OF_ORDER)
        image->decoded = vm_out_of_order_decode(program);
    decode_program(image);
    image->drill = vm_drill_new(image);
    image->drill_free = vm_drill_free;
    if (!vm_drill_is_plain(image->drill))
        vm_direct_prepare(image);
    return image;
}

VmImage *vm_image_new(VcodeModule *program, const VmExtern *externs, size_t n_externs, const VmCosts *costs,
                      GError **error)
{
    if (check_program(program, error))
        return image_make(program, NULL, externs, n_externs, costs);
    vcode_module_free(program);
    return NULL;
}

VmImage *vm_image_with_costs(VmImage *image, const VmExtern *externs, size_t n_externs, const VmCosts *costs)
{
    VmImage *origin = image->origin ? image->origin : image;
    return image_make(origin->module, vm_image_ref(origin), externs, n_externs, costs);
}
