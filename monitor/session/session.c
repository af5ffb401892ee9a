/* session.c - a session: starts engines, asks them, hands out what comes. */
#include "monitor/session/session.h"
#include "monitor/report/report.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* -- life -------------------------------------------------------------------------------------- */

MonSession *mon_session_new(const MonSessionOptions *options)
{
    MonSession *session = g_new0(MonSession, 1);
    session->options = *options;
    session->engine = session->view = -1;
    session->points = g_ptr_array_new_with_free_func(mon_kept_free);
    session->next_number = 1;
    session->snapshots = g_array_new(FALSE, FALSE, sizeof(MonSnapshot));
    session->seen = g_array_new(FALSE, FALSE, sizeof(MonSeen));
    session->passed = g_ptr_array_new_with_free_func(g_free);
    session->logged = g_ptr_array_new_with_free_func(g_free);
    session->lost = g_ptr_array_new_with_free_func(g_free);
    return session;
}

void mon_session_drop(int *socket)
{
    if (*socket >= 0)
        close(*socket);
    *socket = -1;
}

static void stop_engine(MonSession *session)
{
    mon_session_drop(&session->view);
    mon_session_drop(&session->engine);
    mon_history_clear(session);
    g_clear_pointer(&session->last, mon_session_free_stop);
    g_array_set_size(session->seen, 0);
    session->printed = 0;
    if (session->process > 0)
        waitpid(session->process, NULL, 0);
    session->process = 0;
}

void mon_session_free(MonSession *session)
{
    if (!session)
        return;
    stop_engine(session);
    g_ptr_array_unref(session->points);
    g_clear_pointer(&session->lines, g_ptr_array_unref);
    g_array_unref(session->snapshots);
    g_array_unref(session->seen);
    g_ptr_array_unref(session->passed);
    g_ptr_array_unref(session->logged);
    g_ptr_array_unref(session->lost);
    g_mutex_clear(&session->sending);
    g_free(session);
}

void mon_session_free_stop(MonStop *stop)
{
    if (!stop)
        return;
    g_clear_pointer(&stop->ranks, g_array_unref);
    g_clear_pointer(&stop->also, g_array_unref);
    g_clear_pointer(&stop->passed, g_ptr_array_unref);
    g_clear_pointer(&stop->logged, g_ptr_array_unref);
    g_clear_pointer(&stop->lost, g_ptr_array_unref);
    g_free(stop->text);
    g_free(stop);
}

MonStop *mon_session_copy_stop(const MonStop *stop)
{
    MonStop *copy = g_memdup2(stop, sizeof *stop);
    copy->ranks = stop->ranks ? g_array_copy(stop->ranks) : g_array_new(FALSE, FALSE, sizeof(uint32_t));
    copy->also = stop->also ? g_array_copy(stop->also) : g_array_new(FALSE, FALSE, sizeof(unsigned));
    copy->text = g_strdup(stop->text);
    copy->logged = stop->logged ? g_ptr_array_ref(stop->logged) : g_ptr_array_new_with_free_func(g_free);
    copy->passed = stop->passed ? g_ptr_array_ref(stop->passed) : g_ptr_array_new_with_free_func(g_free);
    copy->lost = stop->lost ? g_ptr_array_ref(stop->lost) : g_ptr_array_new_with_free_func(g_free);
    return copy;
}

/* -- messages ---------------------------------------------------------------------------------- */

int mon_session_looked_at(const MonSession *session)
{
    return session->view >= 0 ? session->view : session->engine;
}

static void take_failure(GVariant *value, GError **error)
{
    const char *domain, *text;
    int code;
    g_variant_get(value, "(&si&s)", &domain, &code, &text);
    if (*text) /* compilers have told by themselves what is wrong */
        g_set_error_literal(error, g_quark_from_string(domain), code, text);
}

static bool lost_engine(GError **error)
{
    g_set_error_literal(error, MON_ERROR, MON_ERROR_PLACE,
                        "the process that runs the program has gone: start the program again");
    return false;
}

static void take_output(MonSession *session, GVariant *value)
{
    uint32_t rank;
    int stream;
    gsize size = 0;
    g_autoptr(GVariant) array = NULL;
    g_variant_get(value, "(ui@ay)", &rank, &stream, &array);
    const char *bytes = g_variant_get_fixed_array(array, &size, 1);
    if (session->options.output)
        session->options.output(session->options.user, rank, stream, bytes, size);
}

static void take_progress(MonSession *session, GVariant *value)
{
    uint64_t moment, time_ps;
    g_variant_get(value, "(tt)", &moment, &time_ps);
    if (session->options.progress)
        session->options.progress(session->options.user, moment, time_ps);
}

/* What an engine tells without being asked. Returns false if it is something else. */
static bool take_news(MonSession *session, MonWireKind kind, GVariant *value, int descriptor)
{
    const char *text;
    gboolean logged;
    switch (kind) {
    case MON_WIRE_OUTPUT: take_output(session, value); return true;
    case MON_WIRE_NOTE:
        g_variant_get(value, "(&s)", &text);
        if (session->options.note)
            session->options.note(session->options.user, text);
        return true;
    case MON_WIRE_PASSED:
        g_variant_get(value, "(&sb)", &text, &logged);
        g_ptr_array_add(logged ? session->logged : session->passed, g_strdup(text));
        return true;
    case MON_WIRE_SNAPSHOT: mon_history_add(session, value, descriptor); return true;
    case MON_WIRE_AT: take_progress(session, value); return true;
    default: return false;
    }
}

/* Lets the front end hear its own users until the engine says something. */
static void listen_meanwhile(const MonSession *session, int socket)
{
    enum { TICK_MS = 500 };
    struct pollfd both[2] = {{socket, POLLIN, 0}, {session->options.incoming, POLLIN, 0}};
    while (session->options.waiting && !mon_wire_waiting(socket)) {
        if (poll(both, 2, TICK_MS) < 0 || !session->options.waiting(session->options.user, both[1].revents) ||
            both[0].revents)
            return;
    }
}

/* Receives until a message of this kind comes. */
static GVariant *await(MonSession *session, int socket, MonWireKind expected, int *descriptor, GError **error)
{
    for (;;) {
        GVariant *value;
        MonWireKind kind;
        int came;
        if (expected == MON_WIRE_STOPPED)
            listen_meanwhile(session, socket);
        if (!mon_wire_receive(socket, &kind, &value, &came)) {
            lost_engine(error);
            return NULL;
        }
        if (kind == expected) {
            if (descriptor)
                *descriptor = came;
            return value;
        }
        bool failed = kind == MON_WIRE_FAILED;
        if (failed)
            take_failure(value, error);
        else
            take_news(session, kind, value, came);
        g_variant_unref(value);
        if (failed)
            return NULL;
    }
}

/* Copies end by themselves: how far they run is counted. Only the user ends one earlier. */
GVariant *mon_session_await(MonSession *session, GVariant *forked, int socket, MonWireKind expected)
{
    enum { LOOK_MS = 50 };
    struct pollfd copy = {.fd = socket, .events = POLLIN};
    int process;
    while (poll(&copy, 1, LOOK_MS) == 0)
        if (g_atomic_int_get(&session->interrupted)) {
            g_variant_get(forked, "(i)", &process);
            kill(process, SIGKILL);
            return NULL;
        }
    return await(session, socket, expected, NULL, NULL);
}

/* A message has two parts, between which no interrupt may come. */
static bool send_to(MonSession *session, int socket, MonWireKind kind, GVariant *value)
{
    g_mutex_lock(&session->sending);
    bool sent = mon_wire_send(socket, kind, value, -1);
    g_mutex_unlock(&session->sending);
    return sent;
}

GVariant *mon_session_request(MonSession *session, int socket, MonWireKind kind, GVariant *value, MonWireKind expected,
                              int *descriptor, GError **error)
{
    if (!send_to(session, socket, kind, value)) {
        lost_engine(error);
        return NULL;
    }
    return await(session, socket, expected, descriptor, error);
}

/* -- running ----------------------------------------------------------------------------------- */

void mon_session_clear_halt(MonHalt *halt)
{
    g_clear_pointer(&halt->stop.text, g_free);
    g_clear_pointer(&halt->stop.also, g_array_unref);
    g_clear_pointer(&halt->hits, g_array_unref);
}

static GArray *take_hits(GVariant *value)
{
    GVariantIter iter;
    MonHit hit;
    GArray *hits = g_array_new(FALSE, FALSE, sizeof hit);
    g_variant_iter_init(&iter, value);
    while (g_variant_iter_next(&iter, "(tuutu)", &hit.moment, &hit.breakpoint, &hit.rank, &hit.count, &hit.pc))
        g_array_append_val(hits, hit);
    return hits;
}

static void take_halt(MonSession *session, GVariant *value, bool forward, MonHalt *halt)
{
    uint32_t reason, end;
    gboolean between;
    g_autoptr(GVariant) hits = NULL, counts = NULL, also = NULL;
    MonStop *stop = &halt->stop;
    g_variant_get(value, "(uuutbttttts(uit)@a(tuutu)u@a(uttb)@au)", &reason, &stop->rank, &stop->breakpoint,
                  &stop->moment, &between, &stop->time_ps, &halt->latest_ps, &halt->count, &stop->over, &halt->printed,
                  &stop->text, &end, &stop->exit_status, &stop->makespan_ps, &hits, &session->ranks, &counts, &also);
    stop->also = mon_points_ranks(also);
    stop->reason = (MonReason)reason;
    stop->end = (MachStop)end;
    halt->between = between;
    halt->hits = take_hits(hits);
    mon_kept_note(session, counts, forward);
}

bool mon_session_begin_run(MonSession *session, int socket, const MonOrder *order, GError **error)
{
    bool seeks = session->stops_at_findings && order->mode == MON_FORWARD;
    bool told = session->last && session->last->moment == session->found_at;
    GVariant *seek =
        g_variant_new("(btut)", seeks, told ? session->noted : 0, session->sought_rank, session->sought_ps);
    g_mutex_lock(&session->sending);
    bool sent = mon_wire_send(socket, MON_WIRE_SEEK, seek, -1) && mon_branches_send(session, socket) &&
                mon_wire_send(socket, MON_WIRE_GO, mon_kept_pack(session, order), -1);
    g_mutex_unlock(&session->sending);
    if (!sent)
        return lost_engine(error);
    return true;
}

bool mon_session_end_run(MonSession *session, int socket, const MonOrder *order, MonHalt *halt, GError **error)
{
    *halt = (MonHalt){0};
    int before = session->engine;
    session->engine = socket;                    /* for mon_session_interrupt() */
    if (g_atomic_int_get(&session->interrupted)) /* it came before there was a run to stop */
        send_to(session, socket, MON_WIRE_INTERRUPT, NULL);
    g_autoptr(GVariant) value = await(session, socket, MON_WIRE_STOPPED, NULL, error);
    session->engine = before;
    if (!value)
        return false;
    take_halt(session, value, order->mode == MON_FORWARD, halt);
    session->printed = MAX(session->printed, halt->printed);
    if (order->mode != MON_SCAN)
        session->printed_here = halt->printed;
    return true;
}

bool mon_session_run(MonSession *session, int socket, const MonOrder *order, MonHalt *halt, GError **error)
{
    *halt = (MonHalt){0};
    return mon_session_begin_run(session, socket, order, error) &&
           mon_session_end_run(session, socket, order, halt, error);
}

void mon_session_interrupt(MonSession *session)
{
    g_atomic_int_set(&session->interrupted, 1);
    int engine = session->engine;
    if (engine >= 0)
        send_to(session, engine, MON_WIRE_INTERRUPT, NULL);
}

/* -- starting ---------------------------------------------------------------------------------- */

/* An engine ends when nobody has the other end of its socket any more, so the engine of another session must not. */
static void close_sockets(const MonSession *session)
{
    close(session->engine);
    if (session->view >= 0)
        close(session->view);
    for (guint i = 0; i < session->snapshots->len; i++)
        close(g_array_index(session->snapshots, MonSnapshot, i).socket);
}

static bool fork_engine(MonSession *session, GError **error)
{
    int ends[2];
    fflush(NULL);
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0 || (session->process = fork()) < 0) {
        g_set_error_literal(error, MON_ERROR, MON_ERROR_PLACE, "the host makes no more processes");
        return false;
    }
    if (session->process == 0) {
        close(ends[0]);
        if (session->options.beside)
            close_sockets(session->options.beside);
        mon_engine_begin(ends[1], &session->options);
    }
    close(ends[1]);
    session->options.beside = NULL;
    session->engine = ends[0];
    return true;
}

bool mon_session_start(MonSession *session, GError **error)
{
    stop_engine(session);
    if (!fork_engine(session, error))
        return false;
    g_autoptr(GVariant) started = await(session, session->engine, MON_WIRE_STARTED, NULL, error);
    if (!started) {
        stop_engine(session);
        return false;
    }
    g_variant_get(started, "(u)", &session->ranks);
    session->between = false;
    mon_branches_begin(session);
    session->last = g_new0(MonStop, 1);
    session->last->reason = MON_BEGINNING;
    session->last->text = g_strdup("");
    for (guint i = 0; i < session->points->len; i++)
        ((MonBreakpoint *)g_ptr_array_index(session->points, i))->hits = 0;
    mon_kept_find_again(session);
    g_autoptr(GVariant) kept = NULL;
    int socket = -1;
    kept = mon_session_request(session, session->engine, MON_WIRE_KEEP, NULL, MON_WIRE_SNAPSHOT, &socket, NULL);
    if (kept)
        mon_history_add(session, kept, socket);
    return true;
}

void mon_session_heard(MonSession *session, uint64_t told)
{
    session->printed = MAX(session->printed, told);
}

void mon_session_stop_at_findings(MonSession *session, bool stops)
{
    session->stops_at_findings = stops;
}

uint32_t mon_session_ranks(const MonSession *session)
{
    return session->ranks;
}

/* -- asking ------------------------------------------------------------------------------------ */

bool mon_session_ask_at(MonSession *session, int socket, MonQuery query, const MonPlace *place, const char *argument,
                        GString *out, GError **error)
{
    g_autofree char *valid = mon_wire_text(argument ? argument : "");
    g_autoptr(GVariant) value = mon_session_request(
        session, socket, MON_WIRE_ASK, g_variant_new("(uuuts)", query, place->rank, place->frame, place->thread, valid),
        MON_WIRE_ANSWER, NULL, error);
    const char *text;
    if (!value)
        return false;
    g_variant_get(value, "(&s)", &text);
    g_string_append(out, text);
    return true;
}

bool mon_session_ask(MonSession *session, MonQuery query, const MonPlace *place, const char *argument, GString *out,
                     GError **error)
{
    return mon_session_ask_at(session, mon_session_looked_at(session), query, place, argument, out, error);
}
