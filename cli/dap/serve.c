/* serve.c - takes requests, finds their handlers, and answers. */
#include "cli/base/base.h"
#include "cli/dap/server.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

typedef json_t *Handler(DapServer *server, const json_t *arguments, GError **error);
typedef enum When { ANY, LAUNCHED, STANDING } When;

static const struct {
    const char *command;
    When when;
    Handler *handler;
} requests[] = {
#define REQUEST(command, when)         {#command, when, cli_dap_##command},
#define EXTENSION(name, command, when) {command, when, cli_dap_##name},
#include "cli/dap/requests.def"
};

enum { MOST_BODY = 16 << 20 };

/* -- values that clients send ------------------------------------------------------------------- */

const char *cli_dap_string(const json_t *arguments, const char *name)
{
    return json_string_value(json_object_get(arguments, name));
}

json_int_t cli_dap_integer(const json_t *arguments, const char *name, json_int_t otherwise)
{
    const json_t *value = json_object_get(arguments, name);
    return json_is_integer(value) ? json_integer_value(value) : otherwise;
}

bool cli_dap_flag(const json_t *arguments, const char *name)
{
    return json_is_true(json_object_get(arguments, name));
}

json_t *cli_dap_text(const char *text)
{
    g_autofree char *valid = g_utf8_make_valid(text, -1);
    return json_string(valid);
}

json_t *cli_dap_refuse(GError **error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_set_error_literal(error, CLI_ERROR, CLI_ERROR_USAGE, text);
    return NULL;
}

/* -- sending ----------------------------------------------------------------------------------- */

static void write_all(DapServer *server, const char *bytes, size_t size)
{
    while (size && !server->lost) {
        ssize_t n = write(server->out, bytes, size);
        if (n > 0) {
            bytes += n;
            size -= (size_t)n;
        } else if (n < 0 && errno != EINTR)
            server->lost = server->quit = true;
    }
}

/* Takes the message. */
static void send_message(DapServer *server, json_t *message)
{
    json_object_set_new(message, "seq", json_integer(++server->sequence));
    char *text = json_dumps(message, JSON_COMPACT);
    g_autofree char *head = g_strdup_printf("Content-Length: %zu\r\n\r\n", strlen(text));
    write_all(server, head, strlen(head));
    write_all(server, text, strlen(text));
    json_decref(message);
    free(text);
}

void cli_dap_event(DapServer *server, const char *name, json_t *body)
{
    json_t *message = json_pack("{s:s, s:s}", "type", "event", "event", name);
    if (body)
        json_object_set_new(message, "body", body);
    send_message(server, message);
}

/* Takes the body. */
static void respond(DapServer *server, const json_t *request, json_t *body, const GError *error)
{
    const char *command = cli_dap_string(request, "command");
    json_t *message =
        json_pack("{s:s, s:I, s:b, s:o}", "type", "response", "request_seq", cli_dap_integer(request, "seq", 0),
                  "success", body != NULL, "command", cli_dap_text(command ? command : ""));
    if (!body) {
        const char *text = error ? error->message : "it cannot be done";
        json_object_set_new(message, "message", cli_dap_text(text));
        json_object_set_new(
            message, "body",
            json_pack("{s:{s:i, s:o, s:b}}", "error", "id", 1, "format", cli_dap_text(text), "showUser", 1));
    } else if (!json_is_null(body))
        json_object_set(message, "body", body);
    json_decref(body);
    send_message(server, message);
}

/* -- receiving --------------------------------------------------------------------------------- */

static void refuse_message(DapServer *server, const json_t *request, const char *why)
{
    g_autoptr(GError) error = NULL;
    (void)cli_dap_refuse(&error, "%s", why);
    respond(server, request, NULL, error);
}

static void take_body(DapServer *server, const char *body, size_t size)
{
    json_t *request = json_loadb(body, size, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, NULL);
    const char *type = request ? cli_dap_string(request, "type") : NULL;
    if (!request || !json_is_object(request) || !cli_dap_string(request, "command") ||
        g_strcmp0(type, "request") != 0) {
        if (g_strcmp0(type, "response") != 0) /* of a request that was never made here: nothing to say */
            refuse_message(server, request, "that is no request of the Debug Adapter Protocol");
        json_decref(request);
        return;
    }
    g_queue_push_tail(server->requests, request);
}

/* Takes in what has come. Returns false if nothing will come any more. */
static bool take_in(DapServer *server)
{
    char bytes[65536];
    ssize_t n = read(server->in, bytes, sizeof bytes);
    if (n < 0 && (errno == EINTR || errno == EAGAIN))
        return true;
    if (n <= 0) {
        server->closed = server->quit = true;
        return false;
    }
    rpc_framer_push(server->framer, bytes, (size_t)n);
    for (bool more = true; more;) {
        char *body = NULL;
        size_t size = 0;
        switch (rpc_framer_next(server->framer, &body, &size)) {
        case RPC_FRAME_NONE: more = false; break;
        case RPC_FRAME_LOST: refuse_message(server, NULL, "the message has no header, or is too long"); break;
        case RPC_FRAME_BODY: take_body(server, body, size); break;
        }
        g_free(body);
    }
    return true;
}

/* -- while a run goes on ------------------------------------------------------------------------ */

static void tell_progress(DapServer *server)
{
    enum { PATIENCE_US = 1000000 };
    if (!server->takes_progress || !server->went_us || g_get_monotonic_time() - server->went_us < PATIENCE_US)
        return;
    g_autofree char *id = g_strdup_printf("run-%u", server->progress);
    if (!server->told_progress)
        cli_dap_event(server, "progressStart",
                      json_pack("{s:s, s:s, s:b}", "progressId", id, "title",
                                server->go.backwards ? "searching history" : "running", "cancellable", 1));
    else
        cli_dap_event(server, "progressUpdate", json_pack("{s:s}", "progressId", id));
    server->told_progress = true;
}

/* A step is not interrupted by questions: it could not go on afterwards as the same step. */
static bool worth_stopping(const DapServer *server)
{
    bool step = server->go.kind != MON_GO_CONTINUE;
    for (const GList *item = server->requests->head; item; item = item->next) {
        const char *command = cli_dap_string(item->data, "command");
        if (!step || strcmp(command, "pause") == 0 || strcmp(command, "disconnect") == 0 ||
            strcmp(command, "terminate") == 0 || strcmp(command, "cancel") == 0 || strcmp(command, "restart") == 0)
            return true;
    }
    return false;
}

bool cli_dap_meanwhile(void *user, bool ready)
{
    DapServer *server = user;
    bool goes_on = !server->closed && (!ready || take_in(server));
    if (server->closed || worth_stopping(server))
        mon_session_interrupt(server->core);
    tell_progress(server);
    return goes_on;
}

/* -- the loop ---------------------------------------------------------------------------------- */

static const char *why_not_now(const DapServer *server, When when)
{
    if (when >= LAUNCHED && !server->core)
        return "there is no program yet: send launch first";
    return when == STANDING && server->ended && !server->stay && !server->faulted ? "the program has ended" : NULL;
}

static void answer(DapServer *server, const json_t *request)
{
    const char *command = cli_dap_string(request, "command");
    const json_t *arguments = json_object_get(request, "arguments");
    g_autoptr(GError) error = NULL;
    json_t *body = NULL;
    size_t i = 0;
    while (i < G_N_ELEMENTS(requests) && strcmp(requests[i].command, command) != 0)
        i++;
    const char *why = i < G_N_ELEMENTS(requests) ? why_not_now(server, requests[i].when) : "there is no such request";
    if (why)
        (void)cli_dap_refuse(&error, "%s: %s", command, why);
    else
        body = requests[i].handler(server, arguments, &error);
    respond(server, request, body, error);
}

static void serve(DapServer *server)
{
    while (!server->quit) {
        json_t *request = g_queue_pop_head(server->requests);
        if (request) {
            answer(server, request);
            json_decref(request);
            if (server->after)
                cli_dap_running_after(server);
        } else if (server->running) /* it was interrupted for what has been answered now */
            cli_dap_running_after(server);
        else
            (void)take_in(server);
    }
}

static void free_request(gpointer request)
{
    json_decref(request);
}

static void tell_port(unsigned port, void *user)
{
    (void)user;
    cli_say("waiting for an editor at port %u of this host", port);
}

static bool connect_client(DapServer *server, const char *port, GError **error)
{
    uint64_t number;
    if (!port) {
        server->in = dup(STDIN_FILENO);
        server->out = dup(STDOUT_FILENO);
        dup2(STDERR_FILENO, STDOUT_FILENO); /* nothing else may get between the messages */
        return true;
    }
    if (!cli_option_number("--port", port, 0, 65535, &number, error))
        return false;
    server->in = server->out = rpc_channel_accept((unsigned)number, tell_port, NULL, error);
    return server->in >= 0;
}

int cli_dap_serve(const char *port, const CliRunOptions *options, int argc, char **argv, GError **error)
{
    DapServer server = {.given = options, .argc = argc, .argv = argv};
    if (!connect_client(&server, port, error))
        return CLI_STATUS_USAGE;
    signal(SIGPIPE, SIG_IGN); /* a client that is gone is told by the write */
    server.framer = rpc_framer_new(MOST_BODY);
    server.requests = g_queue_new();
    server.first_line = server.first_column = true;
    server.frames = g_array_new(FALSE, FALSE, sizeof(DapFrame));
    server.references = g_ptr_array_new_with_free_func(cli_dap_values_free);
    server.points = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    server.targets = g_ptr_array_new_with_free_func(g_free);
    serve(&server);
    cli_dap_launch_end(&server);
    close(server.in);
    if (server.out != server.in)
        close(server.out);
    g_queue_free_full(server.requests, free_request);
    rpc_framer_free(server.framer);
    g_array_unref(server.frames);
    g_ptr_array_unref(server.references);
    g_hash_table_unref(server.points);
    g_ptr_array_unref(server.targets);
    g_free(server.go_where);
    g_free(server.stop_text);
    g_free(server.stop_kind);
    return server.lost ? CLI_STATUS_USAGE : 0;
}
