/* place.c - where calls and objects are in the program, as numbers and as text. */
#include "threads/core/call.h"
#include "vm/value.h"

/* The innermost pc that is not in the runtime library. */
static uint32_t place_in_program(VmRank *vm)
{
    const VcodeModule *module = vm_image_module(vm_rank_image(vm));
    uint32_t depth = vm_rank_depth(vm);
    for (uint32_t level = 0; level < depth; level++) {
        uint32_t pc = vm_rank_pc(vm, level);
        if (!(module->functions.items[vcode_pc_function(module, pc)].flags & VCODE_FUNCTION_LIBRARY))
            return pc;
    }
    return VCODE_NONE;
}

uint32_t threads_place(ThreadsProcess *process)
{
    uint32_t pc = vm_rank_pc(process->vm, 0), *known = &process->places[pc % THREADS_PLACES];
    if (*known == pc + 1)
        return pc;
    uint32_t found = place_in_program(process->vm);
    if (found == pc)
        *known = pc + 1;
    return found;
}

bool threads_place_is_known(const ThreadsProcess *process, uint32_t pc)
{
    const VcodeModule *module = vm_image_module(vm_rank_image(process->vm));
    return pc < module->code.count && vcode_pc_line(module, pc);
}

void threads_place_append(const ThreadsProcess *process, uint32_t pc, GString *out)
{
    const VcodeModule *module = vm_image_module(vm_rank_image(process->vm));
    const VcodeLine *line = pc < module->code.count ? vcode_pc_line(module, pc) : NULL;
    if (line)
        g_string_append_printf(out, "%s:%u", vcode_source_name(module, line->file), line->line);
    else
        g_string_append_c(out, '?');
}

static const char *const sort_names[] = {
    [THREADS_MUTEX] = "mutex",
    [THREADS_CONDITION] = "condition variable",
    [THREADS_READ_WRITE_LOCK] = "read-write lock",
    [THREADS_BARRIER] = "barrier",
    [THREADS_SPIN_LOCK] = "spin lock",
    [THREADS_ONCE] = "once control",
    [THREADS_SEMAPHORE] = "semaphore",
    [THREADS_WORD] = "word",
    [THREADS_TEAM] = "team",
    [THREADS_THREAD] = "thread",
    [THREADS_SLEEP] = "time",
    [THREADS_STREAM] = "stream",
    [THREADS_SIGNAL] = "signal",
    [THREADS_DATA] = "pipe",
    [THREADS_ROOM] = "pipe",
    [THREADS_POLL] = "poll",
};

/* Returns the global variable that holds the address; NULL: none does. */
static const VcodeVariable *global_at(const VcodeModule *module, uint64_t address)
{
    const VcodeVariable *found = NULL;
    for (uint32_t i = 0; i < module->variables.count; i++) {
        const VcodeVariable *variable = &module->variables.items[i];
        const VcodeType *type = vm_type_record(module, variable->type);
        if (variable->location == VCODE_AT_DATA && type && (uint64_t)variable->where <= address &&
            address - (uint64_t)variable->where < type->size)
            found = variable;
    }
    return found;
}

/* Appends "mutex `name`", "mutex `name` + 16", or "critical section `name`" for the lock that the compiler made of one.
 */
static void append_lock(const VcodeModule *module, ThreadsSort sort, uint64_t address, GString *out)
{
    static const char critical[] = "omp_critical.";
    const VcodeVariable *variable = global_at(module, address);
    const char *name = variable ? vcode_text(module, variable->name) : NULL;
    if (!name) {
        g_string_append_printf(out, "%s at 0x%" G_GINT64_MODIFIER "x", sort_names[sort], address);
        return;
    }
    bool section = g_str_has_prefix(name, critical);
    g_string_append(out, !section                 ? sort_names[sort]
                         : name[strlen(critical)] ? "critical section"
                                                  : "unnamed critical section");
    name += section ? strlen(critical) : 0;
    if (*name)
        g_string_append_printf(out, " `%s`", name);
    if ((uint64_t)variable->where != address)
        g_string_append_printf(out, " + %" G_GUINT64_FORMAT, address - (uint64_t)variable->where);
}

void threads_place_append_object(const ThreadsProcess *process, ThreadsSort sort, uint64_t address, GString *out)
{
    if (sort == THREADS_SIGNAL || sort == THREADS_POLL) {
        g_string_append(out, sort == THREADS_SIGNAL ? "a signal" : "poll() or select()");
        return;
    }
    if (sort == THREADS_TEAM || sort == THREADS_WORD) { /* what the runtime of OpenMP makes has no names */
        g_string_append(out, sort == THREADS_TEAM ? "a barrier of its OpenMP team" : "other threads of OpenMP");
        return;
    }
    static const char *const streams[] = {"?", "stdin", "stdout", "stderr"};
    if (sort == THREADS_STREAM && address < G_N_ELEMENTS(streams))
        g_string_append_printf(out, "%s %s", sort_names[sort], streams[address]);
    else if (sort == THREADS_THREAD)
        g_string_append_printf(out, "%s %" G_GUINT64_FORMAT, sort_names[sort], address);
    else
        append_lock(vm_image_module(vm_rank_image(process->vm)), sort, address, out);
}
