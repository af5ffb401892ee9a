/* native.c - the native tier from outside: choosing what to print, compiling it on a thread, letting the interpreter
 * in.
 *
 *     vm_native_start --thread--> for each unit (units.c):
 *                                 vm_unit_new -> vm_unit_print -> vm_compiler_compile -> publish
 *
 * Publishing exchanges the handlers of the instructions where native code can be entered: function entries and loop
 * headers. The interpreter comes to them as to any instruction, whenever it does, on whatever thread. It also enters
 * the unit's functions in the table through which other units call them.
 *
 * Of a large program that runs meanwhile, the thread looks at what is hot (watch.c), compiles a unit of that,
 * and looks again, for as long as the run lasts. What units there were is noted in the cache, for later runs to begin
 * with.
 */
#include "vm/native/native.h"

#include "vm/drill/drill.h"
#include "vm/host/host.h"
#include "vm/native/units.h"
#include "vm/native/watch.h"
#include "vm/translate/translate.h"

#include <string.h>
#include <sys/resource.h>

enum {
    LEAST_STACK = 256 << 10, /* what any host thread has to spare */
    MOST_STACK = 16 << 20,
    MOST_COMPILERS = 4,        /* at a time, where a run waits for them */
    WATCH_US = 40000,          /* ranks are sampled so long, */
    PAUSE_US = 500000,         /* so much time after nothing hot was left, */
    LONGEST_PAUSE_US = 8000000 /* and more each time, up to this */
};

struct VmNative {
    VmImage *image;
    uint64_t low;
    VmCompiler *compiler;
    bool all;
    VmUnits *units;
    VmWatch *watch;
    VmNativeCode code;
    GThread *thread;
    atomic_bool cancel;
    GMutex lock;       /* holds what follows, and `units` */
    GCond ended;       /* cancel has been set */
    GPtrArray *loaded; /* VmCompiled */
    GError *error;
};

static VmCompilerEffort effort_for(const VmImage *image, const GArray *functions)
{
    for (guint k = 0; k < functions->len; k++)
        if (image->module->functions.items[g_array_index(functions, uint32_t, k)].code_count > VM_NATIVE_HUGE)
            return VM_COMPILER_QUICK;
    return VM_COMPILER_FULL;
}

/* -- publishing -------------------------------------------------------------------------------- */

/* Whoever finds a shape finds the function, and whoever finds a handler the way; each is complete before that. */
static void publish(VmNative *native, const Unit *unit)
{
    VmImage *image = native->image;
    for (uint32_t i = 0; i < unit->offer_count; i++) {
        Callee *callee = &native->code.functions[unit->offers[i].function];
        __atomic_store_n(&callee->call, unit->offers[i].call, __ATOMIC_RELEASE);
        __atomic_store_n(&callee->shape, image->functions[unit->offers[i].function].shape + UINT64_C(1),
                         __ATOMIC_RELEASE);
    }
    for (uint32_t i = 0; i < unit->way_count; i++)
        __atomic_store_n(&native->code.ways[unit->ways[i].pc], &unit->ways[i], __ATOMIC_RELEASE);
    __atomic_store_n(&image->native, &native->code, __ATOMIC_RELEASE);
    for (uint32_t i = 0; i < unit->way_count; i++)
        __atomic_store_n(&image->code[unit->ways[i].pc].handler, image->handlers[VM_OP_NATIVE], __ATOMIC_RELEASE);
}

/* Half of what the host gives the stacks of its threads; the rest is for whoever called us. */
static size_t host_stack(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return LEAST_STACK;
    return CLAMP(limit.rlim_cur / 2, LEAST_STACK, MOST_STACK);
}

/* Makes what was compiled part of the run. NULL: it could not be; `error` (taken) says why, if something does. */
static bool take(VmNative *native, VmCompiled *compiled, int64_t bias, uint32_t room, GError *error)
{
    const Unit *unit = compiled ? vm_compiler_symbol(compiled, VM_NATIVE_SYMBOL) : NULL;
    bool good = unit && unit->version == VM_NATIVE_VERSION;
    if (compiled && !good)
        g_set_error(&error, VM_ERROR, VM_ERROR_COMPILER, "what the C compiler made is not what it was given");
    g_mutex_lock(&native->lock);
    if (compiled)
        g_ptr_array_add(native->loaded, compiled);
    if (good) {
        if (!native->image->native) { /* of all units the same */
            native->code.bias = bias;
            native->code.room = room;
        }
        publish(native, unit);
    }
    if (error && !native->error)
        native->error = g_steal_pointer(&error);
    g_mutex_unlock(&native->lock);
    g_clear_error(&error);
    return good;
}

/* Prints and compiles (or only `recall`s from the cache) a unit. */
static bool make(VmNative *native, const GArray *functions, bool recall)
{
    VmUnit *unit = vm_unit_new(native->image, native->low, functions, vm_units_single(native->units),
                               vm_drill_forces_exits(native->image->drill));
    g_autofree char *text = vm_unit_print(unit);
    int64_t bias = vm_unit_bias(unit);
    uint32_t room = vm_unit_room(unit);
    vm_unit_free(unit);
    VmCompilerEffort effort = effort_for(native->image, functions);
    GError *error = NULL;
    VmCompiled *compiled = recall ? vm_compiler_recall(native->compiler, text, effort, &native->cancel)
                                  : vm_compiler_compile(native->compiler, text, effort, &native->cancel, &error);
    return take(native, compiled, bias, room, error);
}

/* -- programs of several units ----------------------------------------------------------------- */

/* Units that earlier runs had, as far as their code is still there. */
static void recall_units(VmNative *native)
{
    g_autofree char *subject = vm_units_subject(native->units);
    g_autoptr(GBytes) note = vm_compiler_note(native->compiler, subject);
    gsize size = 0;
    const char *text = note ? g_bytes_get_data(note, &size) : "";
    g_autoptr(GPtrArray) units = vm_units_read(native->units, text, size);
    for (guint u = 0; units && u < units->len && !atomic_load(&native->cancel); u++) {
        const GArray *functions = g_ptr_array_index(units, u);
        if (make(native, functions, true))
            vm_units_accept(native->units, g_array_copy((GArray *)functions));
    }
}

static void note_units(VmNative *native)
{
    g_autofree char *subject = vm_units_subject(native->units), *text = vm_units_write(native->units);
    g_autoptr(GBytes) note = g_bytes_new(text, strlen(text));
    vm_compiler_keep_note(native->compiler, subject, note);
}

/* Takes unit after unit, beside others who do. */
static gpointer make_next(gpointer data)
{
    VmNative *native = data;
    for (;;) {
        g_mutex_lock(&native->lock);
        bool stop = native->error || atomic_load(&native->cancel);
        const GArray *functions = stop ? NULL : vm_units_next(native->units);
        g_mutex_unlock(&native->lock);
        if (!functions)
            return NULL;
        make(native, functions, false);
    }
}

static void make_all(VmNative *native)
{
    GThread *others[MOST_COMPILERS - 1];
    unsigned count = MIN(g_get_num_processors(), MOST_COMPILERS) - 1;
    for (unsigned i = 0; i < count; i++)
        others[i] = g_thread_new("native", make_next, native);
    make_next(native);
    for (unsigned i = 0; i < count; i++)
        g_thread_join(others[i]);
}

/* False: the run is over. */
static bool pause_for(VmNative *native, gint64 microseconds)
{
    gint64 until = g_get_monotonic_time() + microseconds;
    g_mutex_lock(&native->lock);
    while (!atomic_load(&native->cancel) && g_cond_wait_until(&native->ended, &native->lock, until)) {
    }
    g_mutex_unlock(&native->lock);
    return !atomic_load(&native->cancel);
}

/* What is hot and in no unit yet. */
static const GArray *find_hot(VmNative *native)
{
    g_autofree uint32_t *counts = g_new0(uint32_t, native->image->module->functions.count + 1);
    vm_watch_open(native->watch, native->image);
    bool goes_on = pause_for(native, WATCH_US);
    vm_watch_close(native->image);
    if (!goes_on)
        return NULL;
    vm_watch_counts(native->watch, counts);
    return vm_units_next_hot(native->units, counts);
}

static void make_hot(VmNative *native)
{
    gint64 pause = PAUSE_US;
    for (;;) {
        const GArray *functions = find_hot(native);
        if (functions) {
            pause = PAUSE_US;
            if (!make(native, functions, false))
                return;
            note_units(native);
        } else if (!pause_for(native, pause)) {
            return;
        } else {
            pause = MIN(2 * pause, LONGEST_PAUSE_US);
        }
    }
}

static gpointer run(gpointer data)
{
    VmNative *native = data;
    native->units = vm_units_new(native->image);
    native->code.low = native->low;
    native->code.host_stack = host_stack();
    if (vm_units_single(native->units)) {
        const GArray *functions = vm_units_next(native->units);
        if (functions)
            make(native, functions, false);
        return NULL;
    }
    recall_units(native);
    if (native->all) {
        make_all(native);
        note_units(native);
    } else {
        make_hot(native);
    }
    return NULL;
}

/* -- from outside ------------------------------------------------------------------------------ */

char *vm_native_text(const VmRank *like)
{
    if (like->image->keeps_fenv)
        return g_strdup("");
    g_autoptr(GArray) functions = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    for (uint32_t f = 0; f < like->image->module->functions.count; f++)
        if (vm_flow_fits(like->image, f))
            g_array_append_val(functions, f);
    VmUnit *unit =
        vm_unit_new(like->image, like->data_base, functions, true, vm_drill_forces_exits(like->image->drill));
    char *text = vm_unit_print(unit);
    vm_unit_free(unit);
    return text;
}

VmNative *vm_native_start(const VmRank *like, bool all, GError **error)
{
    VmCompiler *compiler = vm_compiler_open(NULL, NULL, error);
    if (!compiler)
        return NULL;
    VmNative *native = g_new0(VmNative, 1);
    native->image = vm_image_ref(like->image);
    native->low = like->data_base;
    native->compiler = compiler;
    native->all = all;
    native->loaded = g_ptr_array_new_with_free_func((GDestroyNotify)vm_compiler_unload);
    native->watch = vm_watch_new(native->image);
    native->code.ways = g_new0(const Way *, native->image->module->code.count + 1);
    native->code.functions = g_new0(Callee, native->image->module->functions.count + 1);
    g_mutex_init(&native->lock);
    g_cond_init(&native->ended);
    /* Rounding and flags are the interpreter's: a C compiler takes neither seriously. Predictors and what is executed
     * out of order are, too. */
    if (!like->image->keeps_fenv && like->image->costs.predictor == VM_PREDICTOR_NONE && !like->image->decoded)
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
    return native->loaded->len > 0;
}

GError *vm_native_problem(VmNative *native)
{
    g_mutex_lock(&native->lock);
    GError *error = g_steal_pointer(&native->error);
    g_mutex_unlock(&native->lock);
    return error;
}

/* The image gets its own handlers back, for ranks that still run it. */
static void withdraw(VmNative *native)
{
    VmImage *image = native->image;
    for (uint32_t pc = 0; pc < image->module->code.count; pc++)
        if (native->code.ways[pc])
            image->code[pc].handler = image->handlers[image->ops[pc]];
    image->native = NULL;
}

void vm_native_free(VmNative *native)
{
    if (!native)
        return;
    g_mutex_lock(&native->lock);
    atomic_store(&native->cancel, true);
    g_cond_broadcast(&native->ended);
    g_mutex_unlock(&native->lock);
    if (native->thread)
        g_thread_join(native->thread);
    if (native->image->native == &native->code)
        withdraw(native);
    g_free(native->code.ways);
    g_free(native->code.functions);
    g_clear_error(&native->error);
    g_ptr_array_unref(native->loaded);
    vm_units_free(native->units);
    vm_watch_free(native->watch);
    g_mutex_clear(&native->lock);
    g_cond_clear(&native->ended);
    vm_compiler_close(native->compiler);
    vm_image_unref(native->image);
    g_free(native);
}
