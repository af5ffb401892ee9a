/* calls.c - functions of the program that an expression calls.
 *
 * They run in a copy of the simulator, a child process: whatever they do to memory, clocks or files of the program is
 * gone with it. There they run as an upcall of the stopped rank. What needs other ranks, or files of the host, cannot
 * be called: a copy has effects outside of itself only by these, and they are refused.
 */
#include "compiler/tree/tree.h"
#include "monitor/expression/values.h"
#include "monitor/report/report.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SECONDS_OF_HOST = 20, QUANTUM = 1000000, MOST_QUANTA = 5000 };

/* -- in the copy ------------------------------------------------------------------------------- */

static bool refuse_request(MonScope *scope, const CcExpr *call, const char *name)
{
    const VmRequest *request = vm_rank_request(scope->rank);
    const char *what = request && request->function ? request->function->name : "a function of the simulator";
    return mon_expression_fail(scope, &call->loc, "%s() calls %s, which needs the rest of the machine or its files",
                               name, what);
}

static bool run(MonScope *scope, const CcExpr *call, const char *name)
{
    for (int turn = 0; turn < MOST_QUANTA; turn++)
        switch (vm_rank_run(scope->rank, QUANTUM)) {
        case VM_STOP_UPCALL_DONE: return true;
        case VM_STOP_QUANTUM:
        case VM_STOP_HOOK: break; /* breakpoints do not stop it */
        case VM_STOP_REQUEST: return refuse_request(scope, call, name);
        case VM_STOP_EXITED: return mon_expression_fail(scope, &call->loc, "%s() ended the program", name);
        case VM_STOP_FAULT:
            return mon_expression_fail(scope, &call->loc, "%s() has a fault when it is called here", name);
        }
    return mon_expression_fail(scope, &call->loc, "%s() did not return within %d million cycles", name, MOST_QUANTA);
}

/* Literals get an address in the copy's heap. */
static bool place_literal(MonScope *scope, const CcExpr *call, MonValue *argument)
{
    if (argument->what != MON_TEXT)
        return argument->what != MON_PIECES ||
               mon_expression_fail(scope, &call->loc, "an array that is kept in registers cannot be passed");
    uint64_t address = vm_library_malloc(scope->rank, argument->literal_size);
    void *memory = address ? vm_rank_write(scope->rank, address, argument->literal_size) : NULL;
    if (!memory)
        return mon_expression_fail(scope, &call->loc, "the heap of the rank has no room for a string");
    memcpy(memory, argument->literal, argument->literal_size);
    *argument = mon_expression_bits(argument->type, address);
    return true;
}

static const VmExtern nothing = {.name = "the debugger"};

bool mon_call(MonScope *scope, const CcExpr *call, const MonValue *callee, const MonValue *arguments, MonValue *value)
{
    uint64_t words[8];
    const CcSymbol *symbol = cc_tree_callee(call);
    uint64_t index = (callee->bits - VCODE_CODE_BASE) / 16;
    if (callee->bits < VCODE_CODE_BASE || index >= scope->module->functions.count)
        return mon_expression_fail(scope, &call->loc, "this is the address of no function of the program");
    const VcodeFunction *function = &scope->module->functions.items[index];
    const char *name = symbol ? symbol->name : vcode_text(scope->module, function->name);
    if (cc_is_aggregate(call->type) || cc_is_complex(call->type) || cc_is_wide(call->type) ||
        (function->flags & VCODE_FUNCTION_VARIADIC) != 0)
        return mon_expression_fail(
            scope, &call->loc,
            "%s() returns a whole object or takes any number of arguments: such functions cannot be "
            "called here",
            name);
    if (function->parameters != call->n_arguments)
        return mon_expression_fail(scope, &call->loc, "%s() takes %u arguments, not %u", name, function->parameters,
                                   call->n_arguments);
    for (uint32_t i = 0; i < call->n_arguments; i++) {
        MonValue argument = arguments[i];
        if (!place_literal(scope, call, &argument))
            return false;
        words[i] = mon_expression_raw(&argument);
    }
    if (vm_rank_depth(scope->rank) == 0)
        return mon_expression_fail(scope, &call->loc, "the rank has ended");
    if (vm_rank_open_requests(scope->rank) == 0)
        vm_rank_interrupt(scope->rank, &nothing);
    if (!vm_rank_upcall(scope->rank, callee->bits, words, call->n_arguments) || !run(scope, call, name))
        return mon_expression_fail(scope, &call->loc, "%s() cannot be called here", name);
    uint64_t result = vm_rank_upcall_result(scope->rank);
    float narrow;
    double real;
    memcpy(&narrow, &result, sizeof narrow);
    memcpy(&real, &result, sizeof real);
    if (call->type->kind == CC_VOID)
        *value = (MonValue){.type = call->type, .what = MON_NOTHING};
    else if (cc_is_real(call->type))
        *value = mon_expression_real(call->type, call->type->size == 4 ? (double)narrow : real);
    else
        *value = mon_expression_bits(call->type,
                                     call->type->kind == CC_POINTER ? result : cc_type_canonical(call->type, result));
    return true;
}

/* -- the copy ---------------------------------------------------------------------------------- */

static void write_all(int file, const char *bytes, size_t size)
{
    while (size > 0) {
        ssize_t done = write(file, bytes, size);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return;
        bytes += done;
        size -= (size_t)done;
    }
}

/* The child: its first byte says whether the rest is the result or the text of an error. What the program writes to its
 * output is not seen. */
static void G_GNUC_NORETURN be_copy(bool (*work)(void *user, GString *out, GError **error), void *user, int pipe)
{
    g_autoptr(GString) out = g_string_new(NULL);
    GError *error = NULL;
    int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int stream = 0; stream <= 2 && nowhere >= 0; stream++)
        (void)dup2(nowhere, stream);
    alarm(SECONDS_OF_HOST);
    bool good = work(user, out, &error);
    write_all(pipe, good ? "+" : "-", 1);
    write_all(pipe, good ? out->str : error->message, good ? out->len : strlen(error->message));
    _exit(0);
}

static void read_all(int file, GString *answer)
{
    char bytes[4096];
    for (;;) {
        ssize_t size = read(file, bytes, sizeof bytes);
        if (size < 0 && errno == EINTR)
            continue;
        if (size <= 0)
            return;
        g_string_append_len(answer, bytes, size);
    }
}

bool mon_expression_in_copy(bool (*work)(void *user, GString *out, GError **error), void *user, GString *out,
                            GError **error)
{
    int ends[2], status = 0;
    g_autoptr(GString) answer = g_string_new(NULL);
    if (pipe(ends) != 0) {
        g_set_error(error, MON_ERROR, MON_ERROR_EXPRESSION, "no copy for the call: %s", g_strerror(errno));
        return false;
    }
    (void)fflush(NULL); /* or both would write what is in the buffers */
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        be_copy(work, user, ends[1]);
    }
    close(ends[1]);
    if (child > 0) {
        read_all(ends[0], answer);
        while (waitpid(child, &status, 0) < 0 && errno == EINTR)
            ;
    }
    close(ends[0]);
    if (answer->len > 0 && answer->str[0] == '+') {
        g_string_append_len(out, answer->str + 1, (gssize)answer->len - 1);
        return true;
    }
    bool late = child > 0 && WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM;
    g_set_error_literal(error, MON_ERROR, MON_ERROR_EXPRESSION,
                        answer->len > 0 ? answer->str + 1
                        : late          ? "the function that was called does not return"
                                        : "no copy of the simulator could be made to call the function in");
    return false;
}
