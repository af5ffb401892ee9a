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
 * There are two steps. What is hot (watch.c) is first printed and compiled quickly; and once that is done, if the run
 * still lasts, what is hottest again, with all effort. The second code takes the place of the first in handlers and
 * table; ranks that are in the first go over when they next come to one of them. What units there were is noted in the
 * cache, for later runs to begin with.
 */
#include "vm/native/native.h"

#include "vm/direct/direct.h"
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
    MOST_COMPILERS = 4,        /* at a time */
    FIRST_WATCH_US = 40000,    /* ranks are sampled so long; a run that ends meanwhile has needed no compiler */
    WATCH_US = 20000,          /* ... each time after that */
    FULL_EFFORT_US = 300000,   /* runs that last so long behind the first step are worth the second */
    PAUSE_US = 500000,         /* so much time after nothing hot was left, */
    LONGEST_PAUSE_US = 8000000 /* and more each time, up to this */
};

struct VmNative {
    VmImage *image;
    uint64_t low;
    VmCompiler *compiler;
    bool all;
    int only;      /* for tests: the effort that everything is compiled with; -1: as described above */
    char *program; /* stands for all that printed texts depend on */
    VmUnits *units;
    uint8_t *best; /* by function: the effort of what there is of it */
    VmWatch *watch;
    VmNativeCode code;
    GThread *thread;
    atomic_bool cancel;
    GMutex lock;       /* holds what follows, and `units` */
    GCond changed;     /* cancel or ready has been set */
    bool ready;        /* all has been made that a caller waits for */
    GPtrArray *loaded; /* VmCompiled */
    GError *error;
};

/* -- publishing -------------------------------------------------------------------------------- */

/* Whether code of the function that took this effort is worth having beside what there is. */
static bool is_better(const VmNative *native, uint32_t function, VmCompilerEffort effort)
{
    return native->best[function] <= effort;
}

/* Whoever finds a shape finds the function, and whoever finds a handler the way; each is complete before that. */
static void publish(VmNative *native, const Unit *unit, VmCompilerEffort effort)
{
    VmImage *image = native->image;
    for (uint32_t i = 0; i < unit->offer_count; i++) {
        uint32_t function = unit->offers[i].function;
        Callee *callee = &native->code.functions[function];
        if (!is_better(native, function, effort))
            continue;
        __atomic_store_n(&callee->call, unit->offers[i].call, __ATOMIC_RELEASE);
        __atomic_store_n(&callee->shape, image->functions[function].shape + UINT64_C(1), __ATOMIC_RELEASE);
    }
    for (uint32_t i = 0; i < unit->way_count; i++)
        if (is_better(native, vm_image_function_of(image, unit->ways[i].pc), effort))
            __atomic_store_n(&native->code.ways[unit->ways[i].pc], &unit->ways[i], __ATOMIC_RELEASE);
    __atomic_store_n(&image->native, &native->code, __ATOMIC_RELEASE);
    for (uint32_t i = 0; i < unit->way_count; i++)
        __atomic_store_n(&image->code[unit->ways[i].pc].handler, image->handlers[VM_OP_NATIVE], __ATOMIC_RELEASE);
    uint32_t last = VCODE_NONE;
    for (uint32_t i = 0; i < unit->way_count; i++) {
        uint32_t function = vm_image_function_of(image, unit->ways[i].pc);
        if (function != last)
            vm_direct_withdraw(image, function);
        last = function;
    }
    for (uint32_t i = 0; i < unit->offer_count; i++)
        native->best[unit->offers[i].function] = (uint8_t)MAX(native->best[unit->offers[i].function], effort);
}

/* Half of what the host gives the stacks of its threads; the rest is for whoever called us. */
static size_t host_stack(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return LEAST_STACK;
    return CLAMP(limit.rlim_cur / 2, LEAST_STACK, MOST_STACK);
}

/* Makes what was compiled part of the run. False: it could not be; `error` (taken) says why, if something does. */
static bool take(VmNative *native, VmCompiled *compiled, VmCompilerEffort effort, GError *error)
{
    const Unit *unit = compiled ? vm_compiler_symbol(compiled, VM_NATIVE_SYMBOL) : NULL;
    bool good = unit && unit->version == VM_NATIVE_VERSION;
    if (compiled && !good)
        g_set_error(&error, VM_ERROR, VM_ERROR_COMPILER, "what the C compiler made is not what it was given");
    g_mutex_lock(&native->lock);
    if (compiled)
        g_ptr_array_add(native->loaded, compiled);
    if (good)
        publish(native, unit, effort);
    if (error && !native->error)
        native->error = g_steal_pointer(&error);
    g_mutex_unlock(&native->lock);
    g_clear_error(&error);
    return good;
}

static VmUnitOptions options_of(const VmNative *native, const VmUnitCut *cut)
{
    return (VmUnitOptions){.quick = cut->effort == VM_COMPILER_QUICK,
                           .loop = cut->loop.function != VCODE_NONE ? &cut->loop : NULL,
                           .exits_forced = vm_drill_forces_exits(native->image->drill)};
}

static VmCompilerEffort how(const VmNative *native, const VmUnitCut *cut)
{
    return cut->effort | (native->image->keeps_fenv ? VM_COMPILER_ROUNDING : 0);
}

/* Stands for the text of a unit. */
static char *subject_of(const VmNative *native, const VmUnitCut *cut)
{
    g_autofree char *unit = vm_unit_cut_subject(cut, native->program);
    return g_strconcat(unit, options_of(native, cut).exits_forced ? " forced" : "", NULL);
}

/* Takes a unit from the cache, without printing it. */
static bool recall(VmNative *native, const VmUnitCut *cut)
{
    g_autofree char *subject = subject_of(native, cut);
    VmCompiled *compiled = vm_compiler_recall(native->compiler, subject, how(native, cut), &native->cancel);
    return compiled && take(native, compiled, cut->effort, NULL);
}

/* Prints and compiles a unit. */
static bool make(VmNative *native, const VmUnitCut *cut)
{
    if (recall(native, cut))
        return true;
    g_autofree char *subject = subject_of(native, cut);
    VmUnit *unit = vm_unit_new(native->image, native->low, cut->functions, options_of(native, cut));
    g_autofree char *text = vm_unit_print(unit);
    vm_unit_free(unit);
    GError *error = NULL;
    VmCompiled *compiled =
        vm_compiler_compile(native->compiler, subject, text, how(native, cut), &native->cancel, &error);
    return take(native, compiled, cut->effort, error);
}

/* -- units ------------------------------------------------------------------------------------- */

/* Units that earlier runs had, as far as their code is still there. */
static void recall_units(VmNative *native)
{
    g_autofree char *subject = vm_units_subject(native->units, native->program);
    g_autoptr(GBytes) note = vm_compiler_note(native->compiler, subject);
    gsize size = 0;
    const char *text = note ? g_bytes_get_data(note, &size) : "";
    g_autoptr(GPtrArray) units = vm_units_read(native->units, text, size);
    for (guint u = 0; units && u < units->len && !atomic_load(&native->cancel); u++) {
        const VmUnitCut *cut = g_ptr_array_index(units, u);
        if ((native->only < 0 || cut->effort == (VmCompilerEffort)native->only) && recall(native, cut)) {
            VmUnitCut *copy = g_new(VmUnitCut, 1);
            *copy = (VmUnitCut){cut->effort, g_array_copy(cut->functions), cut->loop};
            vm_units_accept(native->units, copy);
        }
    }
}

static void note_units(VmNative *native)
{
    g_autofree char *subject = vm_units_subject(native->units, native->program);
    g_autofree char *text = vm_units_write(native->units);
    g_autoptr(GBytes) note = g_bytes_new(text, strlen(text));
    vm_compiler_keep_note(native->compiler, subject, note);
}

/* Of what everything is compiled with that is compiled as a whole. Who waits for a small program wants the best. */
static VmCompilerEffort effort_of_all(const VmNative *native)
{
    if (native->only >= 0)
        return (VmCompilerEffort)native->only;
    return native->all && vm_units_small(native->units) ? VM_COMPILER_FULL : VM_COMPILER_QUICK;
}

/* Takes unit after unit, beside others who do. */
static gpointer make_next(gpointer data)
{
    VmNative *native = data;
    for (;;) {
        g_mutex_lock(&native->lock);
        bool stop = native->error || atomic_load(&native->cancel);
        const VmUnitCut *cut = stop ? NULL : vm_units_next(native->units, effort_of_all(native));
        g_mutex_unlock(&native->lock);
        if (!cut)
            return NULL;
        make(native, cut);
    }
}

/* That can run at a time. */
static unsigned compilers(void)
{
    return MIN(g_get_num_processors(), MOST_COMPILERS);
}

static void make_all(VmNative *native)
{
    GThread *others[MOST_COMPILERS - 1];
    unsigned count = compilers() - 1;
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
    while (!atomic_load(&native->cancel) && g_cond_wait_until(&native->changed, &native->lock, until)) {
    }
    g_mutex_unlock(&native->lock);
    return !atomic_load(&native->cancel);
}

/* Units of what is hot and in none of this effort yet, as many as are compiled at a time beside the run. */
static GPtrArray *find_hot(VmNative *native, VmCompilerEffort effort, gint64 microseconds)
{
    GPtrArray *cuts = g_ptr_array_new();
    g_autofree uint32_t *counts = g_new0(uint32_t, native->image->module->code.count + 1);
    vm_watch_open(native->watch, native->image);
    bool goes_on = pause_for(native, microseconds);
    vm_watch_close(native->image);
    vm_watch_counts(native->watch, counts);
    while (goes_on && cuts->len < MAX(compilers(), 2) - 1) {
        const VmUnitCut *cut = vm_units_next_hot(native->units, VM_COMPILER_QUICK, counts);
        if (!cut && effort != VM_COMPILER_QUICK)
            cut = vm_units_next_hot(native->units, effort, counts);
        if (!cut)
            break;
        g_ptr_array_add(cuts, (gpointer)cut);
    }
    return cuts;
}

typedef struct Task {
    VmNative *native;
    const VmUnitCut *cut;
} Task;

static gpointer make_one(gpointer data)
{
    const Task *task = data;
    return GINT_TO_POINTER(make(task->native, task->cut));
}

static bool make_together(VmNative *native, const GPtrArray *cuts)
{
    GThread *others[MOST_COMPILERS];
    Task tasks[MOST_COMPILERS];
    for (guint i = 1; i < cuts->len; i++) {
        tasks[i] = (Task){native, g_ptr_array_index(cuts, i)};
        others[i] = g_thread_new("native", make_one, &tasks[i]);
    }
    bool good = make(native, g_ptr_array_index(cuts, 0));
    for (guint i = 1; i < cuts->len; i++)
        good &= GPOINTER_TO_INT(g_thread_join(others[i]));
    return good;
}

/* What is hot, until there is nothing of it left. False: the run is over, or something is wrong. */
static bool make_hot(VmNative *native, VmCompilerEffort effort, gint64 microseconds)
{
    for (;; microseconds = WATCH_US) {
        g_autoptr(GPtrArray) cuts = find_hot(native, effort, microseconds);
        if (!cuts->len)
            return !atomic_load(&native->cancel);
        if (!make_together(native, cuts))
            return false;
        note_units(native);
    }
}

/* What becomes hot later, or only shows when all else is fast. */
static void make_hot_further(VmNative *native)
{
    gint64 pause = PAUSE_US;
    while (pause_for(native, pause)) {
        guint before = native->loaded->len;
        if (!make_hot(native, VM_COMPILER_FULL, WATCH_US))
            return;
        pause = native->loaded->len > before ? PAUSE_US : MIN(2 * pause, LONGEST_PAUSE_US);
    }
}

/* Lets a caller go on that waits. False: something is wrong. */
static bool become_ready(VmNative *native)
{
    g_mutex_lock(&native->lock);
    bool good = !native->error;
    native->ready = true;
    g_cond_broadcast(&native->changed);
    g_mutex_unlock(&native->lock);
    return good;
}

/* What a test wants (docs/testing.md). */
static int wanted_effort(void)
{
    const char *asked = g_getenv("ORRERY_EFFORT");
    bool quick = g_strcmp0(asked, "quick") == 0 || g_strcmp0(asked, "loops") == 0;
    return quick ? VM_COMPILER_QUICK : g_strcmp0(asked, "full") == 0 ? VM_COMPILER_FULL : -1;
}

static gpointer run(gpointer data)
{
    VmNative *native = data;
    native->units = vm_units_new(native->image);
    native->program = vm_unit_subject(native->image, native->low);
    native->code.low = native->low;
    native->code.bias = vm_unit_bias();
    native->code.room = vm_unit_room();
    native->code.host_stack = host_stack();
    recall_units(native);
    if (native->all || native->only >= 0) {
        make_all(native);
        note_units(native);
    }
    if (become_ready(native) && native->only < 0 && make_hot(native, VM_COMPILER_QUICK, FIRST_WATCH_US) &&
        pause_for(native, FULL_EFFORT_US))
        make_hot_further(native);
    return NULL;
}

/* -- from outside ------------------------------------------------------------------------------ */

char *vm_native_text(const VmRank *like)
{
    if (like->image->asks_flags)
        return g_strdup("");
    g_autoptr(GArray) functions = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    for (uint32_t f = 0; f < like->image->module->functions.count; f++)
        if (vm_flow_fits(like->image, f))
            g_array_append_val(functions, f);
    VmUnitOptions options = {.quick = wanted_effort() == VM_COMPILER_QUICK,
                             .exits_forced = vm_drill_forces_exits(like->image->drill)};
    VmUnit *unit = vm_unit_new(like->image, like->data_base, functions, options);
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
    native->only = wanted_effort();
    native->loaded = g_ptr_array_new_with_free_func((GDestroyNotify)vm_compiler_unload);
    native->watch = vm_watch_new(native->image);
    native->code.ways = g_new0(const Way *, native->image->module->code.count + 1);
    native->best = g_new0(uint8_t, native->image->module->functions.count + 1);
    native->code.functions = g_new0(Callee, native->image->module->functions.count + 1);
    g_mutex_init(&native->lock);
    g_cond_init(&native->changed);
    /* Floating-point flags are the interpreter's: a C compiler does not take them seriously. Predictors and what is
     * executed out of order are, too. */
    if (!like->image->asks_flags && like->image->costs.predictor == VM_PREDICTOR_NONE && !like->image->decoded)
        native->thread = g_thread_new("native", run, native);
    return native;
}

bool vm_native_wait(VmNative *native, GError **error)
{
    g_mutex_lock(&native->lock);
    while (native->thread && !native->ready)
        g_cond_wait(&native->changed, &native->lock);
    if (native->error)
        g_propagate_error(error, g_steal_pointer(&native->error));
    bool any = native->loaded->len > 0;
    g_mutex_unlock(&native->lock);
    return any;
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
    g_cond_broadcast(&native->changed);
    g_mutex_unlock(&native->lock);
    if (native->thread)
        g_thread_join(native->thread);
    if (native->image->native == &native->code)
        withdraw(native);
    g_free(native->code.ways);
    g_free(native->code.functions);
    g_free(native->best);
    g_free(native->program);
    g_clear_error(&native->error);
    g_ptr_array_unref(native->loaded);
    vm_units_free(native->units);
    vm_watch_free(native->watch);
    g_mutex_clear(&native->lock);
    g_cond_clear(&native->changed);
    vm_compiler_close(native->compiler);
    vm_image_unref(native->image);
    g_free(native);
}
