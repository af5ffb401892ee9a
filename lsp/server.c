/* server.c - the protocol: requests and notifications of the client, from its initialize to its exit.
 *
 * Messages are worked on one by one. Diagnostics are told when no message waits. A request that its client has
 * cancelled before its turn is not worked on.
 */
#include "lsp/feature/feature.h"
#include "lsp/lsp.h"

#include <glib/gstdio.h>
#include <string.h>

enum {
    PARSE_ERROR = -32700,
    INVALID_REQUEST = -32600,
    METHOD_NOT_FOUND = -32601,
    NOT_INITIALIZED = -32002,
    REQUEST_FAILED = -32803,
    CANCELLED = -32800,
    QUIET_MS = 60,
    MOST_DEPTH = 1000
};

typedef struct Session {
    LspServer server;
    RpcChannel *channel;
    const char *version;
    GQueue waiting; /* json_t *: messages that have come */
    bool initialized, shut_down, exits, gone;
} Session;

/* -- sending ----------------------------------------------------------------------------------- */

static void send_message(Session *s, json_t *message)
{
    char *text = json_dumps(message, JSON_COMPACT);
    if (text && !rpc_channel_send(s->channel, text, strlen(text)))
        s->gone = true;
    free(text);
    json_decref(message);
}

static void reply(Session *s, const json_t *id, json_t *result)
{
    send_message(s, json_pack("{s:s, s:O, s:o}", "jsonrpc", "2.0", "id", id, "result", result ? result : json_null()));
}

static void reply_error(Session *s, const json_t *id, int code, const char *text)
{
    json_t *none = json_null();
    send_message(s, json_pack("{s:s, s:O, s:{s:i, s:o}}", "jsonrpc", "2.0", "id", id ? id : none, "error", "code", code,
                              "message", json_string_nocheck(text)));
    json_decref(none);
}

static void notify(Session *s, const char *method, json_t *params)
{
    send_message(s, json_pack("{s:s, s:s, s:o}", "jsonrpc", "2.0", "method", method, "params", params));
}

/* -- the life of the session ------------------------------------------------------------------- */

static json_t *capabilities(const Session *s)
{
    return json_pack("{s:s, s:{s:b, s:i, s:b}, s:b, s:{s:[s,s,s,s,s]}, s:{s:[s,s]}, s:b, s:b, s:b, s:b, s:b, s:b, s:b,"
                     " s:{s:b}, s:{s:[s]}, s:b, s:{s:o, s:b, s:b}}",
                     "positionEncoding", s->server.utf8 ? "utf-8" : "utf-16", "textDocumentSync", "openClose", 1,
                     "change", 2, "save", 1, "hoverProvider", 1, "completionProvider", "triggerCharacters", ".", ">",
                     "#", "<", "\"", "signatureHelpProvider", "triggerCharacters", "(", ",", "definitionProvider", 1,
                     "declarationProvider", 1, "typeDefinitionProvider", 1, "referencesProvider", 1,
                     "documentHighlightProvider", 1, "documentSymbolProvider", 1, "workspaceSymbolProvider", 1,
                     "renameProvider", "prepareProvider", 1, "codeActionProvider", "codeActionKinds", "quickfix",
                     "foldingRangeProvider", 1, "semanticTokensProvider", "legend", lsp_tokens_legend(), "full", 1,
                     "range", 1);
}

static const json_t *path_of(const json_t *object, const char *path)
{
    g_auto(GStrv) names = g_strsplit(path, ".", -1);
    for (char **name = names; *name; name++)
        object = json_object_get(object, *name);
    return object;
}

static json_t *initialize(Session *s, const json_t *params)
{
    const json_t *encodings = path_of(params, "capabilities.general.positionEncodings");
    const json_t *flags = path_of(params, "initializationOptions.flags");
    const char *root = json_string_value(json_object_get(params, "rootUri"));
    if (!root)
        root =
            json_string_value(json_object_get(json_array_get(json_object_get(params, "workspaceFolders"), 0), "uri"));
    for (size_t i = 0; i < json_array_size(encodings); i++) {
        const char *name = json_string_value(json_array_get(encodings, i));
        s->server.utf8 |= name && strcmp(name, "utf-8") == 0;
    }
    s->server.snippets =
        json_is_true(path_of(params, "capabilities.textDocument.completion.completionItem.snippetSupport"));
    g_free(s->server.root);
    s->server.root = root ? lsp_document_path_of_uri(root) : NULL;
    if (json_array_size(flags)) {
        GPtrArray *words = g_ptr_array_new();
        for (size_t i = 0; i < json_array_size(flags); i++)
            if (json_is_string(json_array_get(flags, i)))
                g_ptr_array_add(words, g_strdup(json_string_value(json_array_get(flags, i))));
        g_ptr_array_add(words, NULL);
        g_strfreev(s->server.flags);
        s->server.flags = (char **)g_ptr_array_free(words, FALSE);
    }
    s->initialized = true;
    return json_pack("{s:o, s:{s:s, s:s}}", "capabilities", capabilities(s), "serverInfo", "name", "orrery", "version",
                     s->version);
}

/* -- documents --------------------------------------------------------------------------------- */

static void changed(Session *s)
{
    GHashTableIter iter;
    gpointer value;
    s->server.changes++;
    g_hash_table_iter_init(&iter, s->server.documents);
    while (g_hash_table_iter_next(&iter, NULL, &value))
        ((LspDocument *)value)->told = false;
}

static void did_open(Session *s, const json_t *params)
{
    const json_t *item = json_object_get(params, "textDocument"), *text = json_object_get(item, "text");
    const char *uri = json_string_value(json_object_get(item, "uri"));
    if (!uri || !json_is_string(text))
        return;
    LspDocument *document = lsp_document_new(uri, json_string_value(text), json_string_length(text));
    document->version = json_integer_value(json_object_get(item, "version"));
    g_hash_table_replace(s->server.documents, document->uri, document); /* the key is the value's */
    changed(s);
}

static void did_change(Session *s, const json_t *params)
{
    const json_t *item = json_object_get(params, "textDocument"), *list = json_object_get(params, "contentChanges");
    LspDocument *document = lsp_open_document(&s->server, json_string_value(json_object_get(item, "uri")));
    if (!document)
        return;
    for (size_t i = 0; i < json_array_size(list); i++)
        lsp_document_change(document, json_array_get(list, i), s->server.utf8);
    document->version = json_integer_value(json_object_get(item, "version"));
    changed(s);
}

static void did_close(Session *s, const json_t *params)
{
    const char *uri = json_string_value(json_object_get(json_object_get(params, "textDocument"), "uri"));
    if (!lsp_open_document(&s->server, uri))
        return;
    notify(s, "textDocument/publishDiagnostics", json_pack("{s:s, s:[]}", "uri", uri, "diagnostics"));
    g_hash_table_remove(s->server.documents, uri);
    changed(s);
}

static void did_save(Session *s, const json_t *params)
{
    (void)params;
    changed(s);
}

/* Tells the diagnostics of one document that changed. Returns whether there was one. */
static bool tell_diagnostics(Session *s)
{
    GHashTableIter iter;
    gpointer value;
    g_hash_table_iter_init(&iter, s->server.documents);
    while (g_hash_table_iter_next(&iter, NULL, &value)) {
        LspDocument *document = value;
        if (document->told)
            continue;
        document->told = true;
        notify(s, "textDocument/publishDiagnostics", lsp_diagnostics(&s->server, document));
        g_hash_table_remove_all(s->server.files);
        return true;
    }
    return false;
}

/* -- dispatch ---------------------------------------------------------------------------------- */

static const struct {
    const char *method;
    json_t *(*answer)(LspServer *server, const json_t *params);
} requests[] = {
    {"textDocument/hover", lsp_hover},
    {"textDocument/definition", lsp_go_definition},
    {"textDocument/declaration", lsp_go_declaration},
    {"textDocument/typeDefinition", lsp_go_type_definition},
    {"textDocument/references", lsp_go_references},
    {"textDocument/documentHighlight", lsp_go_highlight},
    {"textDocument/documentSymbol", lsp_document_symbols},
    {"workspace/symbol", lsp_workspace_symbols},
    {"textDocument/completion", lsp_completion},
    {"textDocument/signatureHelp", lsp_signature_help},
    {"textDocument/prepareRename", lsp_prepare_rename},
    {"textDocument/codeAction", lsp_diagnostics_actions},
    {"textDocument/foldingRange", lsp_symbols_folding},
    {"textDocument/semanticTokens/full", lsp_tokens_full},
    {"textDocument/semanticTokens/range", lsp_tokens_range},
};
static const struct {
    const char *method;
    void (*take)(Session *s, const json_t *params);
} notifications[] = {{"textDocument/didOpen", did_open},
                     {"textDocument/didChange", did_change},
                     {"textDocument/didClose", did_close},
                     {"textDocument/didSave", did_save}};

static void answer(Session *s, const char *method, const json_t *id, const json_t *params)
{
    g_autofree char *why = NULL;
    if (strcmp(method, "initialize") == 0) {
        if (s->initialized)
            reply_error(s, id, INVALID_REQUEST, "the session is initialized already");
        else
            reply(s, id, initialize(s, params));
        return;
    }
    if (!s->initialized || s->shut_down) {
        reply_error(s, id, s->shut_down ? INVALID_REQUEST : NOT_INITIALIZED,
                    s->shut_down ? "the session is shut down" : "the first request is initialize");
        return;
    }
    if (strcmp(method, "shutdown") == 0) {
        s->shut_down = true;
        reply(s, id, NULL);
        return;
    }
    for (size_t i = 0; i < G_N_ELEMENTS(requests); i++)
        if (strcmp(requests[i].method, method) == 0) {
            reply(s, id, requests[i].answer(&s->server, params));
            return;
        }
    if (strcmp(method, "textDocument/rename") == 0) {
        json_t *edits = lsp_rename(&s->server, params, &why);
        if (why)
            reply_error(s, id, REQUEST_FAILED, why);
        else
            reply(s, id, edits);
        return;
    }
    why = g_strdup_printf("there is no request '%s' here", method);
    reply_error(s, id, METHOD_NOT_FOUND, why);
}

static bool is_cancelled(const Session *s, const json_t *id)
{
    for (const GList *at = s->waiting.head; at; at = at->next) {
        const char *method = json_string_value(json_object_get(at->data, "method"));
        if (method && strcmp(method, "$/cancelRequest") == 0 && json_equal(path_of(at->data, "params.id"), id))
            return true;
    }
    return false;
}

static void handle(Session *s, const json_t *message)
{
    const char *method = json_string_value(json_object_get(message, "method"));
    const json_t *id = json_object_get(message, "id"), *params = json_object_get(message, "params");
    if (!json_is_object(message) ||
        (!method && !json_object_get(message, "result") && !json_object_get(message, "error"))) {
        reply_error(s, id, INVALID_REQUEST, "this is no request: it is an object with a method");
        return;
    }
    if (!method)
        return; /* an answer, and nothing was asked */
    if (id && is_cancelled(s, id))
        reply_error(s, id, CANCELLED, "the request was cancelled");
    else if (id)
        answer(s, method, id, params);
    else if (strcmp(method, "exit") == 0)
        s->exits = true;
    for (size_t i = 0; !id && s->initialized && !s->shut_down && i < G_N_ELEMENTS(notifications); i++)
        if (strcmp(notifications[i].method, method) == 0)
            notifications[i].take(s, params);
    g_hash_table_remove_all(s->server.files);
}

/* -- receiving --------------------------------------------------------------------------------- */

/* Puts what has come into the queue. Waits only if the queue is empty, up to `milliseconds`. */
static RpcReceived receive(Session *s, int milliseconds)
{
    char *body = NULL;
    size_t size;
    RpcReceived what;
    while ((what = rpc_channel_receive(s->channel, g_queue_is_empty(&s->waiting) ? milliseconds : 0, &body, &size)) ==
               RPC_MESSAGE ||
           what == RPC_LOST) {
        json_error_t problem;
        json_t *message = what == RPC_MESSAGE ? json_loadb(body, size, JSON_ALLOW_NUL, &problem) : NULL;
        g_clear_pointer(&body, g_free);
        if (message)
            g_queue_push_tail(&s->waiting, message);
        else
            reply_error(s, NULL, PARSE_ERROR,
                        what == RPC_LOST
                            ? "a message begins with 'Content-Length: N' and an empty line, and has at most "
                              "64 MiB"
                            : problem.text);
        if (s->gone)
            return RPC_CLOSED;
    }
    return what;
}

static bool has_untold(const Session *s)
{
    GHashTableIter iter;
    gpointer value;
    g_hash_table_iter_init(&iter, s->server.documents);
    while (g_hash_table_iter_next(&iter, NULL, &value))
        if (!((LspDocument *)value)->told)
            return true;
    return false;
}

int lsp_server_run(RpcChannel *channel, const char *include_dir, const char *version)
{
    Session s = {.channel = channel, .version = version};
    bool closed = false;
    s.server.include_dir = include_dir;
    s.server.documents = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, lsp_document_free);
    s.server.files = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, lsp_document_free);
    g_queue_init(&s.waiting);
    while (!s.exits && !s.gone) {
        RpcReceived what = closed ? RPC_CLOSED : receive(&s, has_untold(&s) ? QUIET_MS : -1);
        closed = what == RPC_CLOSED;
        json_t *message = g_queue_pop_head(&s.waiting);
        if (message) {
            handle(&s, message);
            json_decref(message);
        } else if (closed)
            break;
        else
            tell_diagnostics(&s);
    }
    g_queue_clear_full(&s.waiting, (GDestroyNotify)json_decref);
    g_hash_table_destroy(s.server.documents);
    g_hash_table_destroy(s.server.files);
    g_strfreev(s.server.flags);
    g_free(s.server.root);
    if (s.server.scratch)
        g_rmdir(s.server.scratch);
    g_free(s.server.scratch);
    return s.shut_down ? 0 : 1;
}
