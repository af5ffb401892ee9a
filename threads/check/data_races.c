/* data_races.c - accesses of a process's threads to the same bytes, one of them a store, that nothing orders: data
 * races (C11 5.1.2.4p25, POSIX XBD 4.12).
 *
 * From the moment when a process makes its second thread, each access of the program's code, and of the library on its
 * behalf, is compared with those that the memory has seen (race_memory.h). Two race if the later one's strand does not
 * know of the step in which the other one's made the earlier (race_sync.h). Whether they met in this run does not
 * matter. Each pair of lines is told once.
 *
 * Objects that threads synchronise by are loaded by those who use them, and stored to by those who make or destroy
 * them: a lock that another thread makes at the same time is a race.
 *
 * The runtime library's own memory is of no interest, and what it does to that orders nothing. Its functions that work
 * on what the caller hands them count as the caller's code. Memory that is used again (blocks of the heap, stacks of
 * threads that have ended, frames of tasks) begins anew. A watched rank runs in the interpreter's careful loop. */
#include "threads/check/check.h"
#include "threads/check/race_memory.h"
#include "threads/check/race_sync.h"

/* What instructions are: marks of VCODE_MARK_*, and this. */
enum { SILENT = 128 /* the runtime library's own business */ };

/* Files of the runtime library whose functions access what the caller hands them. */
static const char *const for_callers[] = {"sort.c", "string.c", "wchar.c"};
/* Functions of others that make objects of the caller's. */
static const char *const makers[] = {"pthread_cond_init", "pthread_rwlock_init", "pthread_spin_init", "sem_init"};

typedef struct Races {
    const ThreadsProcess *process; /* NULL: it has ended */
    ThreadsRaceSync *sync;
    ThreadsRaceMemory *memory;
    GHashTable *pairs;    /* of instructions, first and second pc; never iterated */
    GHashTable *told;     /* pairs of lines, as text; never iterated */
    const uint8_t *marks; /* by pc */
    ThreadsCarrier *now;  /* who makes the access that is looked at */
} Races;

/* -- what instructions are --------------------------------------------------------------------- */

static bool makes_objects(const VcodeModule *module, const VcodeFunction *function)
{
    const char *name = vcode_text(module, function->name);
    for (size_t i = 0; i < G_N_ELEMENTS(makers); i++)
        if (strcmp(name, makers[i]) == 0)
            return true;
    return false;
}

static bool is_for_callers(const VcodeModule *module, const VcodeFunction *function)
{
    if (makes_objects(module, function))
        return true;
    const char *file = function->file == VCODE_NONE ? "" : vcode_source_name(module, function->file);
    const char *slash = strrchr(file, '/');
    for (size_t i = 0; i < G_N_ELEMENTS(for_callers); i++)
        if (strcmp(slash ? slash + 1 : file, for_callers[i]) == 0)
            return true;
    return false;
}

/* Functions of this library take what they are given as objects, not as memory. */
static bool calls_threads(const ThreadsWorld *world, const VcodeModule *module, VcodeInstr instruction)
{
    const char *name = vcode_op(instruction) == VCODE_CALLX
                           ? vcode_text(module, module->externs.items[vcode_imm32(instruction)].name)
                           : NULL;
    for (size_t i = 0; name && i < world->n_externs; i++)
        if (strcmp(world->bindings[i].name, name) == 0)
            return true;
    return false;
}

static uint8_t *make_marks(const ThreadsWorld *world, const VcodeModule *module)
{
    uint8_t *marks = g_malloc0(module->code.count + 1);
    for (uint32_t i = 0; i < module->lines.count; i++) {
        const VcodeLine *line = &module->lines.items[i];
        uint32_t end = i + 1 < module->lines.count ? module->lines.items[i + 1].pc : module->code.count;
        for (uint32_t pc = line->pc; pc < end; pc++)
            marks[pc] = (uint8_t)(line->flags >> VCODE_LINE_MARK);
    }
    for (uint32_t i = 0; i < module->functions.count; i++) {
        const VcodeFunction *f = &module->functions.items[i];
        bool silent = f->flags & VCODE_FUNCTION_LIBRARY && !is_for_callers(module, f);
        for (uint32_t pc = f->code_start; pc < f->code_start + f->code_count; pc++)
            if (silent || calls_threads(world, module, module->code.items[pc]))
                marks[pc] |= SILENT;
    }
    return marks;
}

static const uint8_t *marks_of(const ThreadsProcess *process)
{
    VmImage *image = vm_rank_image(process->vm);
    uint8_t *marks = g_hash_table_lookup(process->world->marks, image);
    if (!marks) {
        marks = make_marks(process->world, vm_image_module(image));
        g_hash_table_insert(process->world->marks, image, marks);
    }
    return marks;
}

/* -- findings ---------------------------------------------------------------------------------- */

static void append_who(const Races *races, const ThreadsRaceAccess *access, GString *out)
{
    const ThreadsSlotOwner *owner = threads_race_sync_owner(races->sync, access->slot, access->tick);
    g_string_append_printf(out, "%sthread %" G_GUINT64_FORMAT, owner && owner->task ? "a task on " : "",
                           owner ? owner->thread : 0);
}

static const char *verb(const ThreadsRaceAccess *access)
{
    if (access->object)
        return access->write ? "makes or destroys" : "uses";
    return access->write ? (access->atomic ? "atomically stores to" : "stores to")
                         : (access->atomic ? "atomically loads" : "loads");
}

static void append_bytes(const Races *races, uint64_t low, uint64_t size, GString *out)
{
    g_autoptr(GString) object = g_string_new(NULL);
    uint64_t start = low;
    if (vm_rank_append_object(races->process->vm, low, &start, object))
        low -= start;
    if (size == 1)
        g_string_append_printf(out, "byte %" G_GUINT64_FORMAT, low);
    else
        g_string_append_printf(out, "bytes %" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT, low, low + size - 1);
    g_string_append_printf(out, " of %s", object->len ? object->str : "the memory");
}

static void append_threads(const Races *races, const ThreadsRaceAccess *access, GString *out)
{
    const ThreadsSlotOwner *owner = threads_race_sync_owner(races->sync, access->slot, access->tick);
    const ThreadsThread *thread = owner ? threads_thread_by_id(races->process, owner->thread) : NULL;
    if (!thread || thread->created_pc == VCODE_NONE)
        return;
    g_string_append_printf(out, "%sthread %" G_GUINT64_FORMAT " was made at ", out->len ? "; " : "", owner->thread);
    threads_place_append(races->process, thread->created_pc, out);
}

/* Whether nobody has told of the two lines yet. */
static bool is_new(Races *races, const char *one, const char *other)
{
    bool swap = strcmp(one, other) > 0;
    return g_hash_table_add(races->told, g_strdup_printf("%s %s", swap ? other : one, swap ? one : other));
}

static void tell(void *user, uint64_t low, uint64_t size, const ThreadsRaceAccess *now, const ThreadsRaceAccess *before)
{
    Races *races = user;
    uint64_t pair = (uint64_t)MIN(now->pc, before->pc) << 32 | MAX(now->pc, before->pc);
    if (g_hash_table_contains(races->pairs, &pair))
        return;
    g_hash_table_add(races->pairs, g_memdup2(&pair, sizeof pair));
    g_autoptr(GString) here = g_string_new(NULL), there = g_string_new(NULL), bytes = g_string_new(NULL),
                       who = g_string_new(NULL), other = g_string_new(NULL), made = g_string_new(NULL);
    threads_place_append(races->process, now->pc, here);
    threads_place_append(races->process, before->pc, there);
    if (!is_new(races, here->str, there->str))
        return;
    append_bytes(races, low, size, bytes);
    append_who(races, now, who);
    append_who(races, before, other);
    append_threads(races, before, made);
    if (now->slot != before->slot)
        append_threads(races, now, made);
    g_autofree char *what =
        g_strdup_printf("%s: %s %s %s; %s %s %s at %s, and nothing orders the two", here->str, who->str, verb(now),
                        bytes->str, other->str, verb(before), size == 1 ? "it" : "them", there->str);
    const ThreadsEnv *env = &races->process->world->env;
    if (env->finding)
        env->finding(env->user, races->process->rank, THREADS_FINDING_DATA_RACE,
                     vm_clock_now(vm_rank_clock(races->process->vm)), what, made->len ? made->str : NULL,
                     "let both hold the same lock, let one wait for the other, or make both accesses atomic");
}

/* -- accesses ---------------------------------------------------------------------------------- */

/* The frames below the stack pointer are gone, and so is what they have seen. */
static void forget_frames(Races *races, ThreadsCarrier *carrier, uint64_t sp)
{
    if (carrier->low < sp)
        threads_race_memory_forget(races->memory, carrier->low, sp - carrier->low);
    carrier->low = sp;
}

static void note(Races *races, ThreadsCarrier *carrier, unsigned mark, uint64_t address)
{
    uint64_t sp = vm_rank_sp(races->process->vm);
    if (threads_race_sync_note(races->sync, carrier, mark, address, &sp) != THREADS_TASK_NONE)
        forget_frames(races, carrier, sp);
}

static void look_at(Races *races, uint32_t pc, uint64_t address, uint64_t size, ThreadsRaceAccess access)
{
    const ThreadsStrand *strand = threads_race_sync_strand(races->now);
    if (strand->slot == THREADS_NO_SLOT || size == 0)
        return;
    access.tick = threads_race_clock_at(&strand->clock, strand->slot);
    access.pc = pc;
    access.slot = (uint16_t)strand->slot;
    threads_race_memory_access(races->memory, address, size, access, &strand->clock, tell, races);
}

static void look(Races *races, uint32_t pc, uint64_t address, uint64_t size, bool write, bool atomic)
{
    look_at(races, pc, address, size, (ThreadsRaceAccess){.write = write, .atomic = atomic});
}

/* Called inside the VM, on the rank's host thread. */
static bool note_access(VmRank *vm, uint64_t address, uint64_t size, bool write, void *user)
{
    Races *races = user;
    if (!races->process || !vm_rank_acts(vm))
        return true;
    uint32_t pc = vm_rank_pc(vm, 0);
    unsigned mark = races->marks[pc];
    bool atomic = mark & VCODE_MARK_ATOMIC;
    ThreadsCarrier *carrier = races->now = threads_race_sync_carrier(races->sync, vm_thread_selected(vm));
    if (!carrier)
        return true;
    carrier->low = MIN(carrier->low, vm_rank_sp(vm));
    if (!atomic && mark & ~(unsigned)SILENT)
        note(races, carrier, mark, address);
    if (mark & SILENT)
        return true;
    if (atomic)
        threads_race_sync_atomic(races->sync, carrier, mark, address, write);
    if (address >= VCODE_SHARED_BASE) /* that of windows: see --check=windows */
        return true;
    const VcodeModule *module = vm_image_module(vm_rank_image(vm));
    const VcodeFunction *function = &module->functions.items[vcode_pc_function(module, pc)];
    bool library = function->flags & VCODE_FUNCTION_LIBRARY;
    look_at(races, library ? threads_place((ThreadsProcess *)races->process) : pc, address, size,
            (ThreadsRaceAccess){
                .write = write, .atomic = atomic, .object = library && write && makes_objects(module, function)});
    return true;
}

/* Who frees a block must know of all that was done to it. */
static bool note_free(VmRank *vm, uint64_t address, uint64_t size, bool write, void *user)
{
    Races *races = user;
    if (!races->process)
        return true;
    uint32_t pc = vm_rank_pc(vm, 0);
    races->now = threads_race_sync_carrier(races->sync, vm_thread_selected(vm));
    if (vm_rank_acts(vm) && races->now && !(races->marks[pc] & SILENT))
        look(races, pc, address, size, write, false);
    threads_race_memory_forget(races->memory, address, size);
    threads_race_sync_forget(races->sync, address, size);
    return true;
}

/* -- threads ----------------------------------------------------------------------------------- */

/* The process has ended. Its hooks go with its program; until then they find that there is no process. */
static void races_end(void *data)
{
    Races *races = data;
    threads_race_sync_free(races->sync);
    threads_race_memory_free(races->memory);
    g_hash_table_unref(races->pairs);
    g_hash_table_unref(races->told);
    races->process = NULL;
}

static Races *races_new(ThreadsProcess *process)
{
    Races *races = g_new0(Races, 1);
    races->process = process;
    races->sync = threads_race_sync_new();
    races->memory = threads_race_memory_new();
    races->pairs = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    races->told = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    races->marks = marks_of(process);
    vm_rank_add_access_check(process->vm, note_access, races);
    vm_rank_add_free_hook(process->vm, note_free, races);
    process->races = races;
    process->races_end = races_end;
    g_ptr_array_add(process->world->watched, races);
    return races;
}

static Races *races_of(void *world, uint32_t rank)
{
    return ((ThreadsWorld *)world)->processes[rank]->races;
}

static ThreadsCarrier *begin(Races *races, uint32_t number, const ThreadsCarrier *by)
{
    uint64_t id = threads_thread_by_number(races->process, number)->id;
    ThreadsCarrier *carrier = threads_race_sync_begin(races->sync, number, id, by);
    carrier->low = UINT64_MAX;
    return carrier;
}

static void created(void *user, uint32_t rank, uint32_t by, uint32_t thread, uint64_t time_ps)
{
    ThreadsWorld *world = user;
    Races *races = races_of(user, rank);
    (void)time_ps;
    if (!races) {
        races = races_new(world->processes[rank]);
        begin(races, by, NULL);
    }
    begin(races, thread, threads_race_sync_carrier(races->sync, by));
}

static void ended(void *user, uint32_t rank, uint32_t thread, uint64_t time_ps)
{
    Races *races = races_of(user, rank);
    (void)time_ps;
    ThreadsCarrier *carrier = races ? threads_race_sync_carrier(races->sync, thread) : NULL;
    if (!carrier)
        return;
    uint64_t low, high;
    vm_thread_stack(races->process->vm, &low, &high); /* another thread may get it */
    threads_race_memory_forget(races->memory, low, high - low);
    threads_race_sync_end(races->sync, thread);
}

static void acquired(void *user, uint32_t rank, uint32_t thread, ThreadsSort sort, uint64_t address, bool shared,
                     uint64_t time_ps)
{
    Races *races = races_of(user, rank);
    ThreadsCarrier *carrier = races ? threads_race_sync_carrier(races->sync, thread) : NULL;
    (void)time_ps;
    if (carrier && sort != THREADS_WORD) /* which the runtime library's own locks are made of */
        threads_race_sync_acquire(races->sync, carrier, sort, address, shared);
}

static void released(void *user, uint32_t rank, uint32_t thread, ThreadsSort sort, uint64_t address, bool shared,
                     uint64_t time_ps)
{
    Races *races = races_of(user, rank);
    ThreadsCarrier *carrier = races ? threads_race_sync_carrier(races->sync, thread) : NULL;
    (void)time_ps;
    if (carrier && sort != THREADS_WORD)
        threads_race_sync_release(races->sync, carrier, sort, address, shared);
}

static void turned(const ThreadsCall *call)
{
    Races *races = call->process->races;
    ThreadsCarrier *carrier = races ? threads_race_sync_carrier(races->sync, call->thread->number) : NULL;
    if (carrier)
        threads_race_sync_fence(races->sync, carrier, races->marks[vm_rank_pc(call->vm, 0)]);
}

/* -- objects that threads synchronise by --------------------------------------------------------- */

typedef struct Objects {
    const char *name;
    unsigned used, made;
} Objects;

static const Objects objects[] = {
#define THREADS_OBJECTS(name, used, made) {name, used, made},
#include "threads/check/objects.def"
};

/* Of an object, the first bytes stand for it. */
static void called(const ThreadsCall *call)
{
    enum { BYTES = 4 };
    Races *races = call->process->races;
    races = races && (races->now = threads_race_sync_carrier(races->sync, call->thread->number)) ? races : NULL;
    for (size_t i = 0; races && i < G_N_ELEMENTS(objects); i++)
        if (strcmp(objects[i].name, call->binding->name) == 0)
            for (unsigned k = 0; k < THREADS_ARGUMENTS; k++)
                if ((objects[i].used | objects[i].made) >> k & 1) {
                    bool made = objects[i].made >> k & 1;
                    look_at(races, call->pc, call->args[k], BYTES,
                            (ThreadsRaceAccess){.write = made, .atomic = !made, .object = true});
                }
}

/* -- messages between threads of processes ------------------------------------------------------ */

static void clocks_free(void *clocks)
{
    g_hash_table_unref(clocks);
}

static void clock_free(void *clock)
{
    threads_race_clock_clear(clock);
    g_free(clock);
}

/* What a rank has been told of others and of itself: rank -> ThreadsRaceClock. Threads of a rank are not told apart
 * here, so more may count as ordered than is. */
static GHashTable *known_to(ThreadsWorld *world, uint32_t rank)
{
    GHashTable *clocks = g_hash_table_lookup(world->known, GUINT_TO_POINTER(rank));
    if (!clocks) {
        clocks = g_hash_table_new_full(NULL, NULL, NULL, clock_free);
        g_hash_table_insert(world->known, GUINT_TO_POINTER(rank), clocks);
    }
    return clocks;
}

static ThreadsRaceClock *clock_of(GHashTable *clocks, uint32_t rank)
{
    ThreadsRaceClock *clock = g_hash_table_lookup(clocks, GUINT_TO_POINTER(rank));
    if (!clock) {
        clock = g_new0(ThreadsRaceClock, 1);
        g_hash_table_insert(clocks, GUINT_TO_POINTER(rank), clock);
    }
    return clock;
}

static ThreadsCarrier *selected(ThreadsWorld *world, uint32_t rank)
{
    Races *races = world->processes[rank] ? races_of(world, rank) : NULL;
    return races ? threads_race_sync_carrier(races->sync, vm_thread_selected(races->process->vm)) : NULL;
}

static void told(ThreadsWorld *world, uint32_t from, uint32_t to)
{
    if (world->watched->len == 0)
        return;
    const ThreadsCarrier *carrier = selected(world, from);
    GHashTable *mine = known_to(world, from), *theirs = known_to(world, to);
    GHashTableIter iterator;
    gpointer rank, clock;
    g_hash_table_iter_init(&iterator, mine); /* joining is the same in every order */
    while (mine != theirs && g_hash_table_iter_next(&iterator, &rank, &clock))
        threads_race_clock_join(clock_of(theirs, GPOINTER_TO_UINT(rank)), clock);
    if (carrier)
        threads_race_sync_give(races_of(world, from)->sync, carrier, clock_of(theirs, from));
}

static void heard(ThreadsWorld *world, uint32_t rank)
{
    const ThreadsCarrier *carrier = world->watched->len ? selected(world, rank) : NULL;
    if (carrier)
        threads_race_sync_take(carrier, clock_of(known_to(world, rank), rank));
}

/* -- accesses of calls that other layers answer ------------------------------------------------- */

static void accessed(ThreadsWorld *world, uint32_t rank, uint64_t address, uint64_t size, bool write)
{
    ThreadsCarrier *carrier = selected(world, rank);
    if (!carrier || address >= VCODE_SHARED_BASE)
        return;
    Races *races = races_of(world, rank);
    races->now = carrier;
    carrier->low = MIN(carrier->low, vm_rank_sp(races->process->vm));
    look(races, threads_place((ThreadsProcess *)races->process), address, size, write, false);
}

void threads_check_races(ThreadsWorld *world)
{
    world->known = g_hash_table_new_full(NULL, NULL, NULL, clocks_free);
    world->told = told;
    world->heard = heard;
    world->accessed = accessed;
    world->marks = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    world->watched = g_ptr_array_new_with_free_func(g_free);
    world->turned = turned;
    world->called = called;
    ThreadsObserver observer = {
        .user = world, .created = created, .ended = ended, .acquired = acquired, .released = released};
    g_array_append_val(world->observers, observer);
}
