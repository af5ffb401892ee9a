/* describe.c - what threads do and wait for, as text for deadlock reports and debuggers. */
#include "threads/core/call.h"

/* The innermost call of a thread that waits, or NULL. */
static const ThreadsCall *waiting_call(const ThreadsThread *thread)
{
    const ThreadsCall *call = thread ? thread->call : NULL;
    return call && call->wait.object && !call->wait.over ? call : NULL;
}

static const ThreadsThread *find_thread(const ThreadsWorld *world, uint32_t rank, uint32_t thread)
{
    const ThreadsProcess *process = world->processes[rank];
    return process ? threads_thread_by_number(process, thread) : NULL;
}

GArray *threads_world_list(const ThreadsWorld *world, uint32_t rank)
{
    const ThreadsProcess *process = world->processes[rank];
    GArray *list = g_array_new(FALSE, FALSE, sizeof(ThreadsInfo));
    for (guint i = 0; process && i < process->threads->len; i++) {
        const ThreadsThread *thread = g_ptr_array_index(process->threads, i);
        if (!thread)
            continue;
        const ThreadsCall *call = thread->ended ? NULL : waiting_call(thread);
        ThreadsInfo info = {thread->number,
                            thread->id,
                            thread->name,
                            thread->ended,
                            thread->detached,
                            call != NULL,
                            call ? call->wait.since_ps : 0,
                            thread->created_pc};
        g_array_append_val(list, info);
    }
    return list;
}

bool threads_world_lives(const ThreadsWorld *world, uint32_t rank, uint64_t id)
{
    const ThreadsProcess *process = world->processes[rank];
    const ThreadsThread *thread = process ? threads_thread_by_id(process, id) : NULL;
    return process ? thread && !thread->ended : id == 1;
}

uint64_t threads_world_id(const ThreadsWorld *world, uint32_t rank, uint32_t thread)
{
    const ThreadsThread *found = find_thread(world, rank, thread);
    return found ? found->id : thread + 1;
}

/* -- one thread -------------------------------------------------------------------------------- */

static void append_barrier(const ThreadsProcess *process, const ThreadsObject *object, GString *out)
{
    const ThreadsBarrier *barrier = vm_rank_peek(process->vm, object->address, sizeof *barrier);
    if (barrier && barrier->count)
        g_string_append_printf(out, ", where %u of %u threads have arrived", object->waiting, barrier->count);
}

static void append_team(const ThreadsCall *call, GString *out)
{
    g_string_append_printf(out, ", where %u of %u threads have arrived", call->wait.object->waiting,
                           (uint32_t)call->args[1]);
}

static void append_holder(const ThreadsCall *call, GString *out)
{
    const ThreadsObject *object = call->wait.object;
    uint32_t id, since;
    if (object->sort == THREADS_THREAD || !threads_holder(call->process, object->sort, object->address, &id, &since))
        return;
    if (id == call->thread->id)
        g_string_append(out, ", which it holds itself");
    else
        g_string_append_printf(out, ", held by thread %u", id);
    if (since != VCODE_NONE) {
        g_string_append(out, " since ");
        threads_place_append(call->process, since, out);
    }
    const ThreadsThread *holder = threads_thread_by_id(call->process, id);
    if (!holder || holder->ended)
        g_string_append(out, ", which has ended");
}

static void append_wait(const ThreadsCall *call, GString *out)
{
    const ThreadsObject *object = call->wait.object;
    g_string_append(out, object->sort == THREADS_SLEEP    ? "sleeps"
                         : object->sort == THREADS_THREAD ? "waits for the end of "
                                                          : "waits for ");
    if (object->sort == THREADS_DATA || object->sort == THREADS_ROOM || object->sort == THREADS_POLL)
        vm_rank_pipe_describe(call->vm, &call->thread->halt, out);
    else if (object->sort != THREADS_SLEEP)
        threads_place_append_object(call->process, object->sort, object->address, out);
    if (!g_str_has_prefix(call->binding->name, "__orrery_")) /* as all that only the runtime calls */
        g_string_append_printf(out, " in %s", call->binding->name);
    if (threads_place_is_known(call->process, call->pc)) {
        g_string_append(out, " at ");
        threads_place_append(call->process, call->pc, out);
    }
    append_holder(call, out);
    if (object->sort == THREADS_BARRIER)
        append_barrier(call->process, object, out);
    else if (object->sort == THREADS_TEAM)
        append_team(call, out);
}

char *threads_world_describe(const ThreadsWorld *world, uint32_t rank, uint32_t thread)
{
    const ThreadsCall *call = waiting_call(find_thread(world, rank, thread));
    if (!call)
        return NULL;
    GString *out = g_string_new(NULL);
    append_wait(call, out);
    return g_string_free(out, FALSE);
}

/* -- who waits for whom ------------------------------------------------------------------------ */

static const ThreadsThread *awaited_by(const ThreadsThread *thread)
{
    const ThreadsCall *call = waiting_call(thread);
    uint32_t id, since;
    if (!call || !threads_holder(call->process, call->wait.object->sort, call->wait.object->address, &id, &since))
        return NULL;
    const ThreadsThread *awaited = threads_thread_by_id(call->process, id);
    return awaited && !awaited->ended ? awaited : NULL;
}

/* -- deadlocks --------------------------------------------------------------------------------- */

static void append_thread(const ThreadsThread *thread, GString *out)
{
    g_string_append_printf(out, "thread %" G_GUINT64_FORMAT, thread->id);
    if (*thread->name)
        g_string_append_printf(out, " (%s)", thread->name);
}

/* Finds the first cycle of threads that wait for each other; returns its length, with the threads in `cycle`. */
static guint find_cycle(const ThreadsProcess *process, GPtrArray *cycle)
{
    for (guint i = 0; i < process->threads->len; i++) {
        const ThreadsThread *start = g_ptr_array_index(process->threads, i), *thread = start;
        g_ptr_array_set_size(cycle, 0);
        while (thread && cycle->len <= process->threads->len) {
            g_ptr_array_add(cycle, (void *)thread);
            thread = awaited_by(thread);
            if (thread == start)
                return cycle->len;
        }
    }
    return 0;
}

static void append_cycle(const GPtrArray *cycle, GString *out)
{
    const ThreadsThread *first = g_ptr_array_index(cycle, 0);
    if (cycle->len == 1) {
        append_thread(first, out);
        g_string_append(out, " waits for itself: it locks what it holds already\n");
        return;
    }
    append_thread(first, out);
    for (guint i = 1; i <= cycle->len; i++) {
        g_string_append(out, i == 1 ? " waits for " : ", which waits for ");
        append_thread(g_ptr_array_index(cycle, i % cycle->len), out);
    }
    g_string_append(out, ": each needs what the next one holds; let all threads lock in the same order\n");
}

/* Why nothing comes through a pipe: its other end is open. */
static void append_pipe(const ThreadsThread *thread, GString *out)
{
    const VmHalt *halt = &thread->halt;
    int other = vm_rank_pipe_other_end(thread->process->vm, halt);
    g_string_append_printf(out, "descriptor %d: no thread is left to %s descriptor %d%s\n", halt->descriptor,
                           halt->reason == VM_HALT_DATA ? "write to" : "read from", other,
                           halt->reason != VM_HALT_DATA ? ""
                           : other == halt->descriptor  ? ""
                                                        : ", and the end of the file comes when that is closed");
}

/* What can never come, for one thread that waits for nobody in particular. Returns whether there was something. */
static bool append_never(const ThreadsThread *thread, GString *out)
{
    const ThreadsCall *call = waiting_call(thread);
    const ThreadsObject *object = call ? call->wait.object : NULL;
    const char *why = NULL;
    if (!object)
        return false;
    if (object->sort == THREADS_BARRIER || object->sort == THREADS_TEAM)
        why = "more threads must arrive there than still run: its count is too high, or a thread misses it";
    else if (object->sort == THREADS_CONDITION)
        why = "no thread is left to signal it; a signal that comes before the wait is lost";
    else if (object->sort == THREADS_SEMAPHORE)
        why = "no thread is left to post it";
    else if (object->sort == THREADS_POLL)
        why = "no thread is left to make one of them ready";
    else if ((object->sort == THREADS_DATA || object->sort == THREADS_ROOM) && thread->halt.descriptor >= 0) {
        append_pipe(thread, out);
        return true;
    }
    uint32_t id, since;
    if (threads_holder(call->process, object->sort, object->address, &id, &since) && object->sort != THREADS_THREAD) {
        const ThreadsThread *holder = threads_thread_by_id(call->process, id);
        why = !holder || holder->ended ? "the thread that holds it has ended without unlocking it" : NULL;
    }
    if (!why)
        return false;
    threads_place_append_object(call->process, object->sort, object->address, out);
    g_string_append_printf(out, ": %s\n", why);
    return true;
}

void threads_world_explain(const ThreadsWorld *world, uint32_t rank, GString *out)
{
    const ThreadsProcess *process = world->processes[rank];
    if (!process)
        return;
    gsize begin = out->len;
    for (guint i = 0; i < process->threads->len; i++) {
        const ThreadsThread *thread = g_ptr_array_index(process->threads, i);
        const ThreadsCall *call = thread && !thread->ended ? waiting_call(thread) : NULL;
        if (!call)
            continue;
        append_thread(thread, out);
        g_string_append_c(out, ' ');
        append_wait(call, out);
        g_string_append_c(out, '\n');
    }
    if (out->len == begin)
        return;
    g_autoptr(GPtrArray) cycle = g_ptr_array_new();
    if (find_cycle(process, cycle)) {
        append_cycle(cycle, out);
        return;
    }
    for (guint i = 0; i < process->threads->len; i++) {
        const ThreadsThread *thread = g_ptr_array_index(process->threads, i);
        if (thread && !thread->ended && append_never(thread, out))
            return;
    }
}
