/* native.c - the native tier from outside: choosing what to print, compiling it on a thread, letting the interpreter
 * in.
 *
 *     vm_native_start --thread--> vm_flow_new of all functions -> vm_unit_print -> vm_compiler_compile -> publish
 *
 * Publishing exchanges the handlers of the instructions where native code can be entered: function entries and loop
 * headers. The interpreter comes to them as to any instruction, whenever it does, on whatever thread.
 */
#include "vm/native.h"
#include "vm/native_compiler.h"
#include "vm/native_print.h"

#include <string.h>
#include <sys/resource.h>

enum {
    LEAST_STACK = 256 << 10, /* what any host thread has to spare */
    MOST_STACK = 16 << 20,
    MOST_PRINTED = 40000, /* instructions of a unit */
    ROOM = 16,            /* registers for calls above the first, at least */
    MOST_BIAS = 1 << 16   /* q8 cycles: blocks that cost more test their own */
};

struct VmNative {
    VmImage *image;
    uint64_t low;
    VmCompiler *compiler;
    VmCompiled *compiled;
    VmNativeCode code;
    GThread *thread;
    atomic_bool cancel;
    GError *error;
};

/* -- what to print ---------------------------------------------------------------------------------------------------
 */

/* Most tests of fuel, of blocks and of calls, shall compare with 0. */
static void raise_bias(VmUnit *unit, uint32_t f)
{
    const VmFlow *flow = unit->flows[f];
    if (!flow)
        return;
    unit->bias = MAX(unit->bias, unit->calls[f].bounded || unit->calls[f].copies ? unit->calls[f].bound : 0);
    for (uint32_t b = 0; b < flow->block_count; b++)
        if (flow->blocks[b].reached && flow->blocks[b].ahead <= MOST_BIAS)
            unit->bias = MAX(unit->bias, flow->blocks[b].ahead);
}

/* The program's own functions come first, those of the runtime library while there is room. */
static void analyse(VmUnit *unit)
{
    const VcodeModule *m = unit->image->module;
    uint64_t printed = 0;
    unit->flows = g_new0(VmFlow *, m->functions.count);
    for (unsigned library = 0; library <= VCODE_FUNCTION_LIBRARY; library += VCODE_FUNCTION_LIBRARY)
        for (uint32_t f = 0; f < m->functions.count; f++) {
            const VcodeFunction *function = &m->functions.items[f];
            if ((function->flags & VCODE_FUNCTION_LIBRARY) != library || printed + function->code_count > MOST_PRINTED)
                continue;
            unit->flows[f] = vm_flow_new(unit->image, f);
            printed += unit->flows[f] ? function->code_count : 0;
        }
    vm_unit_find_calls(unit);
    vm_unit_find_bounds(unit);
    for (uint32_t f = 0; f < m->functions.count; f++)
        raise_bias(unit, f);
    unit->bias++; /* fuel that is just used up stops the interpreter */
}

static void free_unit(VmUnit *unit)
{
    for (uint32_t f = 0; f < unit->image->module->functions.count; f++)
        if (unit->flows[f])
            vm_flow_free(unit->flows[f]);
    g_free(unit->flows);
    g_free(unit->calls);
}

/* -- publishing
 * -------------------------------------------------------------------------------------------------------- */

static void publish(VmNative *native, const Unit *unit)
{
    VmImage *image = native->image;
    const void *handlers[VM_OP_COUNT];
    vm_interpreter_handlers(handlers);
    native->code.ways = g_new0(const Way *, image->module->code.count);
    for (uint32_t i = 0; i < unit->count; i++)
        native->code.ways[unit->ways[i].pc] = &unit->ways[i];
    __atomic_store_n(&image->native, &native->code, __ATOMIC_RELEASE);
    for (uint32_t i = 0; i < unit->count; i++)
        __atomic_store_n(&image->code[unit->ways[i].pc].handler, handlers[VM_OP_NATIVE], __ATOMIC_RELEASE);
}

/* Half of what the host gives the stacks of its threads; the rest is for whoever called us. */
static size_t host_stack(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return LEAST_STACK;
    return CLAMP(limit.rlim_cur / 2, LEAST_STACK, MOST_STACK);
}

static gpointer run(gpointer data)
{
    VmNative *native = data;
    VmUnit unit = {.image = native->image, .low = native->low};
    analyse(&unit);
    g_autofree char *text = vm_unit_print(&unit);
    native->code.bias = (int64_t)unit.bias;
    native->code.low = native->low;
    native->code.registers = unit.most_registers + ROOM + VCODE_MAX_ARGUMENTS;
    native->code.levels = unit.most_levels + VM_NATIVE_TAILS + 1;
    native->code.host_stack = host_stack();
    free_unit(&unit);
    native->compiled = vm_compiler_compile(native->compiler, text, &native->cancel, &native->error);
    const Unit *made = native->compiled ? vm_compiled_symbol(native->compiled, VM_NATIVE_SYMBOL) : NULL;
    if (made && made->version == VM_NATIVE_VERSION)
        publish(native, made);
    return NULL;
}

/* -- from outside
 * ------------------------------------------------------------------------------------------------------ */

char *vm_native_text(const VmRank *like)
{
    if (like->image->keeps_fenv)
        return g_strdup("");
    VmUnit unit = {.image = like->image, .low = like->data_base};
    analyse(&unit);
    char *text = vm_unit_print(&unit);
    free_unit(&unit);
    return text;
}

VmNative *vm_native_start(const VmRank *like, GError **error)
{
    VmCompiler *compiler = vm_compiler_open(NULL, NULL, error);
    if (!compiler)
        return NULL;
    VmNative *native = g_new0(VmNative, 1);
    native->image = vm_image_ref(like->image);
    native->low = like->data_base;
    native->compiler = compiler;
    if (!like->image->keeps_fenv) /* rounding and flags are the interpreter's: a C compiler takes neither seriously */
        native->thread = g_thread_new("native", run, native);
    return native;
}

bool vm_native_wait(VmNative *native, GError **error)
{
    if (native->thread)
        g_thread_join(native->thread);
    native->thread = NULL;
    if (native->error)
        g_propagate_error(error, g_steal_pointer(&native->error));
    return native->compiled;
}

/* The image gets its own handlers back, for ranks that still run it. */
static void withdraw(VmNative *native)
{
    VmImage *image = native->image;
    const void *handlers[VM_OP_COUNT];
    vm_interpreter_handlers(handlers);
    for (uint32_t pc = 0; pc < image->module->code.count; pc++)
        if (native->code.ways[pc])
            image->code[pc].handler = handlers[image->ops[pc]];
    image->native = NULL;
}

void vm_native_free(VmNative *native)
{
    if (!native)
        return;
    atomic_store(&native->cancel, true);
    if (native->thread)
        g_thread_join(native->thread);
    if (native->image->native == &native->code)
        withdraw(native);
    g_free(native->code.ways);
    g_clear_error(&native->error);
    if (native->compiled)
        vm_compiled_free(native->compiled);
    vm_compiler_close(native->compiler);
    vm_image_unref(native->image);
    g_free(native);
}
