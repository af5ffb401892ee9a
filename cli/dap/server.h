/* server.h - what the files of the Debug Adapter Protocol share.
 *
 *   serve.c       messages, the loop, waiting            requests.def  which requests there are
 *   lifecycle.c   from initialize to terminate           launch.c      what a client says of the program
 *   breakpoints.c breakpoints of all kinds               running.c     going on, stepping, back; stops
 *   looking.c     ranks, stacks, sources, completions    values.c      variables and expressions
 *   memory.c      memory and code
 *
 * There is one thread. While the program runs, the session calls cli_dap_meanwhile(), which takes requests in and
 * interrupts the run: it is answered when the program stands, and then the run goes on.
 *
 * A handler returns the body of its response (json_null(): none), or NULL with an error. What is to follow the response
 * (events, the run itself) it leaves in `after`.
 */
#ifndef ORRERY_CLI_DAP_SERVER_H
#define ORRERY_CLI_DAP_SERVER_H

#include "cli/dap/dap.h"
#include "monitor/debugger.h"
#include "rpc/rpc.h"

#include <jansson.h>

typedef enum DapAfter {
    DAP_AFTER_READY = 1,   /* event initialized */
    DAP_AFTER_GO = 2,      /* `go` is carried out */
    DAP_AFTER_ENTRY = 4,   /* stop at the beginning */
    DAP_AFTER_GOODBYE = 8, /* events terminated and, where the run is over, exited */
    DAP_AFTER_STOP = 16,   /* tells the stop again */
} DapAfter;

typedef struct DapFrame { /* a frame that was shown; its id is the index plus 1 */
    uint32_t rank, level;
    uint64_t thread;
} DapFrame;

typedef struct DapReference { /* what has parts, and was shown; its number is the index plus 1 */
    DapFrame frame;
    char *scope;      /* "locals", ...; NULL: parts of an expression */
    char *expression; /* NULL: a scope */
    bool indexed;
    GHashTable *names; /* names that were shown -> expressions */
} DapReference;

typedef struct DapServer {
    int in, out;
    RpcFramer *framer;
    GQueue *requests; /* json_t: taken in, not answered yet */
    json_int_t sequence;
    bool closed, lost, quit; /* nothing comes any more; nothing can be sent any more; the session is to end */
    /* the client */
    bool first_line, first_column; /* 1; else 0 */
    bool takes_progress, takes_memory;
    /* the program */
    const CliRunOptions *given;
    int argc; /* of the command line */
    char **argv;
    struct DapLaunch *launch; /* NULL: none yet */
    MonSession *core;
    bool configured, entry, stay; /* stop at the beginning; stand at the end */
    /* where it stands */
    bool running, ended, faulted, pausing;
    MonGo go;
    char *go_where; /* go.where */
    unsigned after;
    uint32_t rank;
    uint64_t moment;
    char *stop_text, *stop_kind;
    int exit_status;
    gint64 went_us;        /* when the run began; 0: it stands */
    unsigned progress;     /* number of the last one that was told */
    bool told_progress;    /* it has begun, and not ended */
    GArray *frames;        /* DapFrame */
    GPtrArray *references; /* DapReference */
    GHashTable *points;    /* number of a breakpoint -> which request set it (its path, or "*function" ...) */
    GPtrArray *targets;    /* char *: of gotoTargets: places; the last character is < or > */
} DapServer;

/* -- serve.c ----------------------------------------------------------------------------------- */

/* Sends an event; takes the body, which may be NULL. */
void cli_dap_event(DapServer *server, const char *name, json_t *body);
/* Sets an error and returns NULL. */
json_t *cli_dap_refuse(GError **error, const char *format, ...) G_GNUC_PRINTF(2, 3);
/* Texts of programs may have any bytes. */
json_t *cli_dap_text(const char *text);
/* MonSessionOptions.waiting */
bool cli_dap_meanwhile(void *server, bool ready);
/* Members of arguments, which may be anything: NULL or the value `otherwise` if they are not there, or of another type.
 */
const char *cli_dap_string(const json_t *arguments, const char *name);
json_int_t cli_dap_integer(const json_t *arguments, const char *name, json_int_t otherwise);
bool cli_dap_flag(const json_t *arguments, const char *name);

/* -- launch.c ---------------------------------------------------------------------------------- */

/* Makes the session as the client wants it, and starts it. */
bool cli_dap_launch_begin(DapServer *server, const json_t *arguments, GError **error);
void cli_dap_launch_end(DapServer *server);
/* Returns the path of the program's first source or file. */
const char *cli_dap_launch_program(const DapServer *server);
/* Returns an absolute path of a file that the program names, for the caller to free. */
char *cli_dap_launch_path(const DapServer *server, const char *name);

/* -- running.c --------------------------------------------------------------------------------- */

/* Carries out what `after` says. */
void cli_dap_running_after(DapServer *server);
/* Which rank, and thread of it, a client means. Returns false with an error. */
bool cli_dap_running_place(const DapServer *server, const json_t *arguments, MonPlace *place, GError **error);
json_int_t cli_dap_running_thread(uint32_t rank, uint64_t thread);
/* Forgets frames and values that were shown. */
void cli_dap_running_forget(DapServer *server);

/* -- values.c ---------------------------------------------------------------------------------- */

/* Asks, and reads the answer. NULL with an error. */
json_t *cli_dap_values_ask(DapServer *server, MonQuery query, const MonPlace *place, const char *argument,
                           GError **error);
/* Returns the frame that a client means by an id, or that of the rank shown last. */
bool cli_dap_values_frame(const DapServer *server, const json_t *arguments, MonPlace *place, GError **error);
void cli_dap_values_free(gpointer reference);
/* Gives something with parts a number: a scope, or an expression. */
json_int_t cli_dap_values_add(DapServer *server, const DapFrame *frame, const char *scope, const char *expression,
                              bool indexed);
/* The expression behind a variable that was shown, or NULL. */
const char *cli_dap_values_expression(const DapServer *server, json_int_t reference, const char *name, MonPlace *place);

/* -- breakpoints.c ------------------------------------------------------------------------------ */

/* The filters of exceptions, for initialize. */
json_t *cli_dap_breakpoints_filters(void);
/* Sets those that are on unless a client says otherwise. */
void cli_dap_breakpoints_begin(DapServer *server);

#define REQUEST(command, when) json_t *cli_dap_##command(DapServer *server, const json_t *arguments, GError **error);
#define EXTENSION(name, command, when)                                                                                 \
    json_t *cli_dap_##name(DapServer *server, const json_t *arguments, GError **error);
#include "cli/dap/requests.def"

#endif
