/* lifecycle.c - from initialize to terminate. */
#include "cli/dap/server.h"

#include <string.h>

json_t *cli_dap_initialize(DapServer *server, const json_t *arguments, GError **error)
{
    static const char *const able[] = {"supportsConfigurationDoneRequest",
                                       "supportsFunctionBreakpoints",
                                       "supportsConditionalBreakpoints",
                                       "supportsHitConditionalBreakpoints",
                                       "supportsEvaluateForHovers",
                                       "supportsStepBack",
                                       "supportsSetVariable",
                                       "supportsRestartFrame",
                                       "supportsGotoTargetsRequest",
                                       "supportsCompletionsRequest",
                                       "supportsModulesRequest",
                                       "supportsRestartRequest",
                                       "supportsExceptionInfoRequest",
                                       "supportTerminateDebuggee",
                                       "supportsLogPoints",
                                       "supportsLoadedSourcesRequest",
                                       "supportsTerminateRequest",
                                       "supportsDataBreakpoints",
                                       "supportsReadMemoryRequest",
                                       "supportsWriteMemoryRequest",
                                       "supportsDisassembleRequest",
                                       "supportsCancelRequest",
                                       "supportsBreakpointLocationsRequest",
                                       "supportsClipboardContext",
                                       "supportsSteppingGranularity",
                                       "supportsInstructionBreakpoints",
                                       "supportsExceptionFilterOptions",
                                       "supportsSingleThreadExecutionRequests",
                                       "supportsSetExpression",
                                       "supportsDelayedStackTraceLoading"};
    const char *format = cli_dap_string(arguments, "pathFormat");
    if (format && strcmp(format, "path") != 0)
        return cli_dap_refuse(error, "initialize: paths are told as paths, not as %s", format);
    const json_t *lines = json_object_get(arguments, "linesStartAt1"),
                 *columns = json_object_get(arguments, "columnsStartAt1");
    server->first_line = !json_is_false(lines);
    server->first_column = !json_is_false(columns);
    server->takes_progress = cli_dap_flag(arguments, "supportsProgressReporting");
    server->takes_memory = cli_dap_flag(arguments, "supportsMemoryReferences");
    json_t *body = json_object();
    for (size_t i = 0; i < G_N_ELEMENTS(able); i++)
        json_object_set_new(body, able[i], json_true());
    json_object_set_new(body, "exceptionBreakpointFilters", cli_dap_breakpoints_filters());
    json_object_set_new(body, "completionTriggerCharacters", json_pack("[s, s]", ".", "@"));
    return body;
}

json_t *cli_dap_launch(DapServer *server, const json_t *arguments, GError **error)
{
    if (server->core)
        return cli_dap_refuse(error, "launch: there is a program already; send restart");
    if (!cli_dap_launch_begin(server, arguments, error))
        return NULL;
    server->entry = cli_dap_flag(arguments, "stopOnEntry");
    server->stay = cli_dap_flag(arguments, "stopAtEnd");
    cli_dap_breakpoints_begin(server);
    server->after |= DAP_AFTER_READY;
    return json_null();
}

static void begin(DapServer *server)
{
    server->ended = server->faulted = false;
    server->rank = 0;
    if (server->entry)
        server->after |= DAP_AFTER_ENTRY;
    else {
        server->go = (MonGo){.kind = MON_GO_CONTINUE};
        server->after |= DAP_AFTER_GO;
    }
}

json_t *cli_dap_configurationDone(DapServer *server, const json_t *arguments, GError **error)
{
    (void)arguments;
    if (server->configured)
        return cli_dap_refuse(error, "configurationDone: it has been said already");
    server->configured = true;
    begin(server);
    return json_null();
}

/* The program is compiled anew; breakpoints stay. */
json_t *cli_dap_restart(DapServer *server, const json_t *arguments, GError **error)
{
    (void)arguments;
    cli_dap_running_forget(server);
    server->running = false;
    if (!mon_session_start(server->core, error)) {
        if (error && !*error)
            (void)cli_dap_refuse(error, "the program does not compile: stderr of the adapter says why");
        return NULL;
    }
    begin(server);
    return json_null();
}

json_t *cli_dap_terminate(DapServer *server, const json_t *arguments, GError **error)
{
    (void)arguments;
    (void)error;
    server->running = false;
    if (server->core)
        server->after |= DAP_AFTER_GOODBYE;
    return json_null();
}

json_t *cli_dap_disconnect(DapServer *server, const json_t *arguments, GError **error)
{
    (void)arguments;
    (void)error;
    server->running = false;
    server->quit = true;
    return json_null();
}

/* Requests are answered in their order, so those that wait can be taken back; of what runs, what shows progress. */
json_t *cli_dap_cancel(DapServer *server, const json_t *arguments, GError **error)
{
    (void)error;
    json_int_t wanted = cli_dap_integer(arguments, "requestId", -1);
    for (GList *item = server->requests->head; item; item = item->next)
        if (cli_dap_integer(item->data, "seq", -2) == wanted) {
            json_object_set_new(item->data, "command", json_string("cancelled"));
            return json_null();
        }
    if (cli_dap_string(arguments, "progressId") && server->running) {
        server->running = false;
        server->after |= DAP_AFTER_STOP;
    }
    return json_null();
}
