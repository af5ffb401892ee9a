/* copies.c - forks of the engine: snapshots that sleep until somebody wants to go back to them, and copies that look.
 *
 * A copy is the same process in the same place; only its socket is another. The session gets the other end of that
 * socket from the process that forked. When the session closes it, the copy ends. */
#include "monitor/report/report.h"
#include "monitor/session/engine.h"

#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SNAPSHOT_US = 50000 }; /* host time between snapshots, at least ... */
enum { FORK_SHARE = 20 };     /* ... and so many times what the last one took */

/* Forks a copy with a socket of its own. Returns 0 in the copy. In the engine: its number, with the session's end of
 * the socket in *end; or -1. */
static int fork_copy(MonEngine *engine, int *end)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return -1;
    int process = fork();
    if (process == 0) {
        close(ends[0]);
        close(engine->socket);
        engine->socket = ends[1];
        return 0;
    }
    close(ends[1]);
    if (process < 0)
        close(ends[0]);
    *end = ends[0];
    return process;
}

int mon_copies_fork(MonEngine *engine)
{
    int end, process = fork_copy(engine, &end);
    if (process == 0)
        return 0;
    if (process < 0) {
        g_autoptr(GError) error = g_error_new_literal(MON_ERROR, MON_ERROR_PLACE, "the host makes no more processes");
        mon_engine_fail(engine, error);
        return -1;
    }
    mon_engine_send(engine, MON_WIRE_FORKED, g_variant_new("(i)", process), end);
    close(end);
    return process;
}

/* Sleeps until the session wants a copy; only such copies return. */
static void sleep_here(MonEngine *engine)
{
    for (;;) {
        g_autoptr(GVariant) value = NULL;
        MonWireKind kind;
        int descriptor;
        if (!mon_wire_receive(engine->socket, &kind, &value, &descriptor))
            mon_engine_leave();
        if (kind == MON_WIRE_WAKE && mon_copies_fork(engine) == 0)
            return;
    }
}

bool mon_copies_keep(MonEngine *engine)
{
    int64_t began = g_get_monotonic_time();
    int end, process = fork_copy(engine, &end);
    if (process == 0) {
        sleep_here(engine);
        mon_engine_serve(engine);
        return true;
    }
    int64_t now = g_get_monotonic_time();
    engine->due_us = now + MAX(SNAPSHOT_US, FORK_SHARE * (now - began));
    engine->due_moment = engine->moment + engine->options->snapshot_every;
    if (process < 0)
        return false;
    mon_engine_send(engine, MON_WIRE_SNAPSHOT,
                    g_variant_new("(tttix)", engine->moment, engine->latest_ps, engine->printed, process, (gint64)now),
                    end);
    close(end);
    return false;
}
