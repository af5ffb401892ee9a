/* misuse.c - uses of objects that POSIX leaves undefined, as findings. */
#include "threads/sync/sync.h"

static bool is_asked(const ThreadsCall *call)
{
    return call->world->checks & THREADS_CHECK_USE && call->world->env.finding;
}

/* Appends who holds a lock, and since which line. */
static void append_holder(ThreadsCall *call, ThreadsSort sort, uint64_t address, GString *out)
{
    uint32_t holder = 0, since = VCODE_NONE;
    bool held = threads_holder(call->process, sort, address, &holder, &since);
    if (held && holder)
        g_string_append_printf(out, "it is held by thread %u%s", holder, since != VCODE_NONE ? " since " : "");
    else if (since != VCODE_NONE)
        g_string_append(out, "it is free; it was last locked at ");
    if (since != VCODE_NONE)
        threads_place_append(call->process, since, out);
}

static void tell(ThreadsCall *call, ThreadsFinding finding, ThreadsSort sort, uint64_t address, const char *fix,
                 const char *does, const char *which)
{
    g_autoptr(GString) place = g_string_new(NULL), name = g_string_new(NULL), detail = g_string_new(NULL);
    threads_place_append(call->process, call->pc, place);
    threads_place_append_object(call->process, sort, address, name);
    append_holder(call, sort, address, detail);
    threads_finding(call, finding, detail->len ? detail->str : NULL, fix,
                    "%s at %s: thread %" G_GUINT64_FORMAT " %s %s, which %s", call->binding->name, place->str,
                    call->thread->id, does, name->str, which);
}

void threads_misuse_foreign(ThreadsCall *call, ThreadsSort sort, uint64_t address)
{
    if (is_asked(call))
        tell(call, THREADS_FINDING_FOREIGN_UNLOCK, sort, address,
             "only the thread that has locked a lock may unlock it; signal other threads with a semaphore",
             "gives back", "it does not hold");
}

void threads_misuse_in_use(ThreadsCall *call, ThreadsSort sort, uint64_t address)
{
    if (is_asked(call))
        tell(call, THREADS_FINDING_DESTROYED, sort, address, "wait until no thread uses it, with pthread_join()",
             strstr(call->binding->name, "init") ? "makes anew" : "destroys", "is in use");
}
