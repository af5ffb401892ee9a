/* completions.c - the calls that complete requests, or look whether they are complete (MPI-3.1 section 3.7).
 *
 * Each call reads the handles into a list, waits until one, some or all of the requests are complete, and finishes
 * these: status, handle, resources of the request. For generalized requests, functions of the program run on the way
 * (section 12.2), so a call may be interrupted in the middle of its list. MPI leaves partly open which requests count
 * as complete. There the calls ask for a choice (hooks.def), and report the choice made. */
#include "mpi/comm/comm.h"
#include "mpi/core/call.h"
#include "mpi/core/function.h"
#include "mpi/core/handlers.h"
#include "mpi/core/handles.h"
#include "mpi/core/hooks.h"
#include "mpi/core/rank.h"
#include "mpi/core/stores.h"
#include "mpi/p2p/p2p.h"

#include <string.h>

/* -- the requests that a call names ------------------------------------------------------------ */

/* The requests that a call names. */
typedef struct RequestList {
    uint64_t address;  /* address of the array of handles */
    uint64_t statuses; /* address of the array of statuses, or MPI_STATUSES_IGNORE */
    unsigned n;
    unsigned n_active : 31;
    unsigned general : 1; /* some of them are generalized requests */
    MpiRequest *items[];  /* NULL for a null handle or an inactive request */
} RequestList;

static bool list_check_statuses(MpiCall *call, unsigned arg, unsigned n, MpiStep *step)
{
    return call->args[arg] == MPI_STATUSES_IGNORE_ || n == 0 ||
           mpi_check_result(call, arg, n * sizeof(MpiStatus), step);
}

/* Looks up handle i. Returns a description of what is wrong with it, or NULL. */
static const char *list_read(MpiCall *call, RequestList *list, unsigned i)
{
    MpiHandle handle;
    memcpy(&handle, vm_rank_read(call->process, list->address + 8 * i, 8), sizeof handle);
    if (handle == MPI_HANDLE(MPI_KIND_REQUEST, 0))
        return NULL;
    MpiRequest *request = mpi_handle_lookup(call->rank, MPI_KIND_REQUEST, handle);
    if (!request || request->freed)
        return "is not a request that is in use: it was never set, or is already complete or freed and kept in another "
               "variable";
    if (request->listed)
        return "is in the array twice, or is being completed by the call that this function was called from";
    if (request->active) {
        if (G_UNLIKELY(mpi_request_is_pending_still(request))) {
            request->active = false;
            mpi_request_start(call, request);
        }
        request->listed = true;
        if (request->sort == MPI_REQUEST_GENERAL)
            list->general = 1;
        list->items[i] = request;
        list->n_active++;
    }
    return NULL;
}

static void leave(void *state)
{
    (void)state;
}

/* Makes an empty list. Most calls name few requests, and the list for those fits into the call. */
static RequestList *list_new(MpiCall *call, unsigned n)
{
    size_t bytes = sizeof(RequestList) + n * sizeof(MpiRequest *);
    if (bytes > sizeof call->room) {
        call->state = g_malloc0(bytes);
        return call->state;
    }
    memset(call->room, 0, bytes);
    call->state = call->room;
    call->state_free = leave;
    return call->state;
}

/* The number of statuses that a call writes. */
typedef enum StatusSort {
    STATUS_EACH, /* one for each request */
    STATUS_ONE,  /* one, for the reported request */
    STATUS_DONE, /* one for each complete request; some_check() checks the memory when their number is known */
} StatusSort;

/* Checks the memory of `n` handles. `written` is false for calls that only look. */
static bool list_check_handles(MpiCall *call, unsigned arg, unsigned n, bool written, MpiStep *step)
{
    const void *host;
    return written ? mpi_check_result(call, arg, (uint64_t)n * 8, step)
                   : mpi_check_input(call, NULL, arg, (uint64_t)n * 8, &host, step);
}

/* Reads `n` handles at argument `arg`, with statuses at argument `status_arg`. The list becomes the call's state. */
static RequestList *list_make(MpiCall *call, int n, unsigned arg, unsigned status_arg, StatusSort sort, bool completes,
                              MpiStep *step)
{
    if (n < 0) {
        *step = mpi_call_error(call, NULL, MPI_ERR_COUNT, "the number of requests is negative (%d)", n);
        return NULL;
    }
    unsigned statuses = sort == STATUS_EACH ? (unsigned)n : sort == STATUS_ONE;
    if (!list_check_handles(call, arg, (unsigned)n, completes, step) ||
        !list_check_statuses(call, status_arg, statuses, step))
        return NULL;
    RequestList *list = list_new(call, (unsigned)n);
    list->address = call->args[arg];
    list->statuses = call->args[status_arg];
    list->n = (unsigned)n;
    const char *wrong = NULL;
    unsigned at = 0;
    for (; at < list->n && !wrong; at++)
        wrong = list_read(call, list, at);
    for (unsigned i = 0; i < list->n; i++)
        if (list->items[i])
            list->items[i]->listed = false;
    if (wrong)
        *step = mpi_call_error(call, NULL, MPI_ERR_REQUEST, "request number %u %s", at - 1, wrong);
    if (!wrong && completes && G_UNLIKELY(call->rank->threads) &&
        mpi_call_others_wait(call, list->items, list->n, step))
        return NULL;
    return wrong ? NULL : list;
}

/* Ends the waits of an MPI_Waitany or MPI_Waitsome. */
static void list_stop_waiting(const MpiCall *call, const RequestList *list)
{
    for (unsigned i = 0; i < list->n; i++)
        if (list->items[i] && list->items[i]->claim == call)
            list->items[i]->waiter = list->items[i]->claim = NULL;
}

/* Finishes request i, which the program now sees as complete: stores the status and gives up the handle. */
static void list_finish(MpiCall *call, const RequestList *list, unsigned i, uint64_t status, bool set_error)
{
    MpiRequest *request = list->items[i];
    if (!request) {
        MpiStatus empty = mpi_status_empty();
        mpi_status_write(call, status, &empty, set_error);
        return;
    }
    g_assert(request->complete);
    mpi_tell_finished(call->world, request);
    request->status.error = request->error;
    mpi_status_write(call, status, &request->status, set_error);
    if (request->persistent) {
        request->active = false;
        return;
    }
    if (G_UNLIKELY(mpi_request_is_pending_still(request)))
        return;
    mpi_handle_unregister(call->rank, request->handle);
    mpi_store_handle(call, list->address + 8 * i, MPI_HANDLE(MPI_KIND_REQUEST, 0));
    mpi_request_release(request);
}

/* -- generalized requests among them ----------------------------------------------------------- */

static void list_mark(const RequestList *list, bool listed)
{
    for (unsigned i = 0; i < list->n; i++)
        if (list->items[i])
            list->items[i]->listed = listed;
}

/* Returns the first complete request in the range whose functions must still be called; NULL: none. */
static MpiRequest *list_unasked(const RequestList *list, unsigned first, unsigned end, bool release)
{
    for (unsigned i = first; i < end; i++) {
        MpiRequest *request = list->items[i];
        if (request && request->sort == MPI_REQUEST_GENERAL && request->complete &&
            !(release ? request->general->released : request->general->queried))
            return request;
    }
    return NULL;
}

/* If there is such a request, calls its functions and goes on at `again` afterwards. Until then no other call may
 * complete a request of the list. */
static bool list_asks(MpiCall *call, const RequestList *list, unsigned first, unsigned end, bool release,
                      MpiHandler again, MpiStep *step)
{
    if (G_LIKELY(!list->general))
        return false;
    MpiRequest *request = list_unasked(list, first, end, release);
    list_mark(list, request);
    if (request)
        *step = mpi_general_ask(call, request, release, again);
    return request;
}

static uint64_t list_status(const RequestList *list, unsigned i)
{
    return list->statuses == MPI_STATUSES_IGNORE_ ? MPI_STATUS_IGNORE_ : list->statuses + i * sizeof(MpiStatus);
}

/* What an error message needs to know of a request that is gone by then. */
typedef struct Failure {
    bool failed;
    MpiRequest request; /* a copy, which has a reference to the communicator and its own `reason` */
} Failure;

static void failure_note(Failure *failure, const MpiRequest *request)
{
    if (failure->failed || !request || !request->error)
        return;
    *failure = (Failure){.failed = true, .request = *request};
    failure->request.reason = request->error == MPI_ERR_TRUNCATE ? g_strdup(request->reason) : NULL;
    request->comm->refs++;
}

/* Ends the call with an error. This must be the last step of a call, since handlers take over call->state. */
static MpiStep failure_raise(MpiCall *call, Failure *failure, int error_class)
{
    if (!failure->failed)
        return MPI_STEP_DONE;
    MpiStep step = mpi_request_raise(call, &failure->request, error_class);
    mpi_comm_unref(failure->request.comm);
    g_free(failure->request.reason);
    return step;
}

/* Finishes request i and ends the call with its error. */
static MpiStep list_finish_one(MpiCall *call, RequestList *list, unsigned i)
{
    Failure failure = {0};
    failure_note(&failure, list->items[i]);
    list_finish(call, list, i, list->statuses, false);
    return failure_raise(call, &failure, failure.request.error);
}

static bool list_has_error(const RequestList *list)
{
    for (unsigned i = 0; i < list->n; i++)
        if (list->items[i] && list->items[i]->complete && list->items[i]->error)
            return true;
    return false;
}

/* Finishes the complete requests of the list and returns their number. Stores their indices at `indices` unless that
 * is 0. Of the first 64 requests, only those with a bit in `only` are finished. Statuses get their MPI_ERROR if any
 * request failed (MPI-3.1 section 3.7.5). */
static unsigned list_finish_complete(MpiCall *call, const RequestList *list, uint64_t indices, uint64_t only,
                                     Failure *failure)
{
    bool errors = list_has_error(list);
    unsigned done = 0;
    for (unsigned i = 0; i < list->n; i++) {
        MpiRequest *request = list->items[i];
        if (request ? !request->complete : indices != 0)
            continue;
        if (i < 64 && !(only >> i & 1))
            continue;
        failure_note(failure, request);
        list_finish(call, list, i, list_status(list, indices ? done : i), errors);
        if (indices)
            mpi_store_int(call, indices + 4 * done, (int)i);
        done++;
    }
    return done;
}

static MpiStep list_finish_all(MpiCall *call)
{
    Failure failure = {0};
    MpiStep step;
    const RequestList *list = call->state;
    if (list_asks(call, list, 0, list->n, true, list_finish_all, &step))
        return step;
    list_finish_complete(call, call->state, 0, UINT64_MAX, &failure);
    return failure_raise(call, &failure, MPI_ERR_IN_STATUS);
}

/* -- choices among requests -------------------------------------------------------------------- */

/* Whether the run records or forces choices. */
static bool chooses(const MpiCall *call)
{
    return mpi_listens_among(call->world);
}

static MpiStep wait_done(MpiCall *call);

static MpiStep test_found(MpiCall *call)
{
    const RequestList *list = call->state;
    bool all = call->function == MPI_FUNCTION_Testall;
    mpi_tell_chosen(call->world, call, list->items, list->n, MPI_CHOICE_TEST, 1);
    mpi_store_int(call, call->args[all ? 2 : 1], 1);
    return (all ? list_finish_all : wait_done)(call);
}

/* A test of nothing but MPI_REQUEST_NULL and inactive requests does not end a series of idle polls. */
static void keep_idle(MpiCall *call, const RequestList *list)
{
    for (unsigned i = 0; i < list->n; i++)
        if (list->items[i])
            return;
    call->rank->idle_polls = call->engine.idle_polls;
}

/* Executes MPI_Test or MPI_Testall; `flag` is the argument number of the flag. */
static MpiStep test_chosen(MpiCall *call, RequestList *list, unsigned flag)
{
    int64_t forced = mpi_ask_among(call->world, call, list->items, list->n, MPI_CHOICE_TEST);
    bool done = forced != MPI_CHOICE_NOTHING;
    for (unsigned i = 0; i < list->n; i++)
        done = done && (!list->items[i] || list->items[i]->complete);
    if (!done && forced == 1)
        return mpi_call_wait(call, list->items, list->n, test_found);
    if (done && !mpi_ask_hide(call->world, call)) {
        keep_idle(call, list);
        return test_found(call);
    }
    mpi_tell_chosen(call->world, call, list->items, list->n, MPI_CHOICE_TEST, MPI_CHOICE_NOTHING);
    mpi_store_int(call, call->args[flag], 0);
    mpi_call_poll_failed(call);
    return MPI_STEP_DONE;
}

static unsigned list_first_complete(const RequestList *list);

/* Returns the index of the request that MPI_Waitany or MPI_Testany reports; n: none yet. */
static unsigned list_choose(const MpiCall *call, const RequestList *list)
{
    int64_t one = mpi_ask_one(call->world, call, list->items, list->n, list->general);
    return one == MPI_CHOICE_FREE ? list_first_complete(list) : (unsigned)one;
}

/* Waits for the request that MPI_Waitany or MPI_Testany is to report. */
static MpiStep list_wait_chosen(MpiCall *call, RequestList *list, MpiHandler then)
{
    int64_t now = mpi_ask_forced(call->world, call);
    bool one = now != MPI_CHOICE_FREE && now != MPI_CHOICE_NOTHING;
    return one ? mpi_call_wait_any(call, list->items + now, 1, then)
               : mpi_call_wait_any(call, list->items, list->n, then);
}

/* Returns the requests that MPI_Waitsome or MPI_Testsome report, as bits of the first 64. */
static uint64_t list_choose_some(const MpiCall *call, const RequestList *list)
{
    int64_t some = mpi_ask_some(call->world, call, list->items, list->n);
    return some == MPI_CHOICE_FREE ? UINT64_MAX : (uint64_t)some;
}

/* Whether all requests in `bits` are complete, and there is at least one. */
static bool some_ready(const RequestList *list, uint64_t bits)
{
    bool any = false;
    for (unsigned i = 0; i < list->n; i++) {
        bool asked = i >= 64 || (bits >> i & 1), complete = list->items[i] && list->items[i]->complete;
        if (asked && list->items[i] && !complete && bits != UINT64_MAX)
            return false;
        any = any || (asked && complete);
    }
    return any;
}

static MpiStep some_wait(MpiCall *call, RequestList *list, uint64_t bits, MpiHandler then)
{
    if (bits == UINT64_MAX)
        return mpi_call_wait_any(call, list->items, list->n, then);
    g_autofree MpiRequest **asked = g_new0(MpiRequest *, list->n);
    for (unsigned i = 0; i < list->n && i < 64; i++)
        asked[i] = bits >> i & 1 ? list->items[i] : NULL;
    return mpi_call_wait(call, asked, list->n, then);
}

static void some_took(MpiCall *call, RequestList *list, uint64_t bits)
{
    int64_t taken = 0;
    for (unsigned i = 0; i < list->n && i < 63; i++)
        if ((bits >> i & 1) && list->items[i] && list->items[i]->complete)
            taken |= INT64_C(1) << i;
    mpi_tell_chosen(call->world, call, list->items, list->n, MPI_CHOICE_SOME, taken ? taken : MPI_CHOICE_NOTHING);
}

/* -- Wait, Test -------------------------------------------------------------------------------- */

static bool list_all_complete(const RequestList *list)
{
    for (unsigned i = 0; i < list->n; i++)
        if (list->items[i] && !list->items[i]->complete)
            return false;
    return true;
}

/* Stores in the argument `flag` whether all requests are complete, and goes on at `then` if so. */
static MpiStep if_complete(MpiCall *call, const RequestList *list, unsigned flag, MpiHandler then)
{
    bool done = list_all_complete(list);
    mpi_store_int(call, call->args[flag], done);
    if (done) {
        keep_idle(call, list);
        return then(call);
    }
    mpi_call_poll_failed(call);
    return MPI_STEP_DONE;
}

static MpiStep wait_done(MpiCall *call)
{
    MpiStep step;
    if (list_asks(call, call->state, 0, 1, true, wait_done, &step))
        return step;
    return list_finish_one(call, call->state, 0);
}

MpiStep mpi_do_Wait(MpiCall *call)
{
    MpiStep step;
    RequestList *list = list_make(call, 1, 0, 1, STATUS_ONE, true, &step);
    return list ? mpi_call_wait(call, list->items, 1, wait_done) : step;
}

MpiStep mpi_do_Test(MpiCall *call)
{
    MpiStep step;
    if (!mpi_check_result(call, 1, 4, &step))
        return step;
    RequestList *list = list_make(call, 1, 0, 2, STATUS_ONE, true, &step);
    if (!list)
        return step;
    if (chooses(call))
        return test_chosen(call, list, 1);
    return if_complete(call, list, 1, wait_done);
}

/* -- all --------------------------------------------------------------------------------------- */

MpiStep mpi_do_Waitall(MpiCall *call)
{
    MpiStep step;
    RequestList *list = list_make(call, mpi_int(call, 0), 1, 2, STATUS_EACH, true, &step);
    return list ? mpi_call_wait(call, list->items, list->n, list_finish_all) : step;
}

MpiStep mpi_do_Testall(MpiCall *call)
{
    MpiStep step;
    if (!mpi_check_result(call, 2, 4, &step))
        return step;
    RequestList *list = list_make(call, mpi_int(call, 0), 1, 3, STATUS_EACH, true, &step);
    if (!list)
        return step;
    if (chooses(call))
        return test_chosen(call, list, 2);
    return if_complete(call, list, 2, list_finish_all);
}

/* -- any --------------------------------------------------------------------------------------- */

/* Returns the index of the first complete request of the list; n: none. A request whose functions have been called
 * takes precedence. */
static unsigned list_first_complete(const RequestList *list)
{
    unsigned i = 0;
    for (; list->general && i < list->n; i++)
        if (list->items[i] && list->items[i]->sort == MPI_REQUEST_GENERAL && list->items[i]->general->released)
            return i;
    i = 0;
    while (i < list->n && !(list->items[i] && list->items[i]->complete))
        i++;
    return i;
}

static MpiStep any_none(MpiCall *call, RequestList *list, unsigned index_arg)
{
    MpiStatus empty = mpi_status_empty();
    keep_idle(call, list);
    mpi_store_int(call, call->args[index_arg], MPI_UNDEFINED_);
    mpi_status_write(call, list->statuses, &empty, false);
    return MPI_STEP_DONE;
}

static MpiStep waitany_done(MpiCall *call)
{
    RequestList *list = call->state;
    if (mpi_ask_linger(call->world, call))
        return mpi_call_block(call, waitany_done);
    list_stop_waiting(call, list);
    unsigned i = list_choose(call, list);
    MpiStep step;
    g_assert(i < list->n);
    if (list_asks(call, list, i, i + 1, true, waitany_done, &step))
        return step;
    mpi_tell_chosen(call->world, call, list->items, list->n, MPI_CHOICE_ANY, i);
    mpi_store_int(call, call->args[2], (int)i);
    return list_finish_one(call, list, i);
}

MpiStep mpi_do_Waitany(MpiCall *call)
{
    MpiStep step;
    if (!mpi_check_result(call, 2, 4, &step))
        return step;
    RequestList *list = list_make(call, mpi_int(call, 0), 1, 3, STATUS_ONE, true, &step);
    if (!list)
        return step;
    if (!list->n_active)
        return any_none(call, list, 2);
    mpi_ask_among(call->world, call, list->items, list->n, MPI_CHOICE_ANY);
    mpi_tell_waits(call->world, call, list->items, list->n, true);
    if (list_choose(call, list) < list->n)
        return waitany_done(call);
    return list_wait_chosen(call, list, waitany_done);
}

static MpiStep testany_done(MpiCall *call)
{
    mpi_store_int(call, call->args[3], 1);
    return waitany_done(call);
}

/* Whether MPI_Testany has to wait for the request that it is forced to report. */
static bool testany_waits(const MpiCall *call)
{
    int64_t now = mpi_ask_forced(call->world, call);
    return now != MPI_CHOICE_FREE && now != MPI_CHOICE_NOTHING;
}

MpiStep mpi_do_Testany(MpiCall *call)
{
    MpiStep step;
    if (!mpi_check_result(call, 2, 4, &step) || !mpi_check_result(call, 3, 4, &step))
        return step;
    RequestList *list = list_make(call, mpi_int(call, 0), 1, 4, STATUS_ONE, true, &step);
    if (!list)
        return step;
    mpi_ask_among(call->world, call, list->items, list->n, MPI_CHOICE_ANY);
    unsigned i = list_choose(call, list);
    if (mpi_ask_hide(call->world, call))
        i = list->n;
    mpi_store_int(call, call->args[3], i < list->n || !list->n_active);
    if (!list->n_active)
        return any_none(call, list, 2);
    if (i < list->n)
        return waitany_done(call);
    if (testany_waits(call))
        return list_wait_chosen(call, list, testany_done);
    mpi_tell_chosen(call->world, call, list->items, list->n, MPI_CHOICE_ANY, MPI_CHOICE_NOTHING);
    mpi_store_int(call, call->args[2], MPI_UNDEFINED_);
    mpi_call_poll_failed(call);
    return MPI_STEP_DONE;
}

/* -- some -------------------------------------------------------------------------------------- */

/* Checks the memory of indices and statuses. Only as many are written as requests are complete, so there need not be
 * room for more. */
static bool some_check(MpiCall *call, const RequestList *list, uint64_t only, MpiStep *step)
{
    unsigned done = 0;
    for (unsigned i = 0; i < list->n; i++)
        done += list->items[i] && list->items[i]->complete && (i >= 64 || (only >> i & 1));
    return mpi_check_result(call, 3, 4 * (uint64_t)done, step) && list_check_statuses(call, 4, done, step);
}

static MpiStep some_done(MpiCall *call)
{
    RequestList *list = call->state;
    Failure failure = {0};
    MpiStep step;
    if (mpi_ask_linger(call->world, call))
        return mpi_call_block(call, some_done);
    list_stop_waiting(call, list);
    if (list_asks(call, list, 0, list->n, true, some_done, &step))
        return step;
    uint64_t bits = list_choose_some(call, list);
    if (!some_check(call, list, bits, &step))
        return step;
    if (chooses(call))
        some_took(call, list, bits);
    unsigned done = list_finish_complete(call, list, call->args[3], bits, &failure);
    mpi_store_int(call, call->args[2], list->n_active ? (int)done : MPI_UNDEFINED_);
    return failure_raise(call, &failure, MPI_ERR_IN_STATUS);
}

static RequestList *some_parse(MpiCall *call, bool completes, MpiStep *step)
{
    if (!mpi_check_result(call, 2, 4, step))
        return NULL;
    return list_make(call, mpi_int(call, 0), 1, 4, STATUS_DONE, completes, step);
}

MpiStep mpi_do_Waitsome(MpiCall *call)
{
    MpiStep step;
    RequestList *list = some_parse(call, true, &step);
    if (!list)
        return step;
    mpi_ask_among(call->world, call, list->items, list->n, MPI_CHOICE_SOME);
    uint64_t bits = list_choose_some(call, list);
    mpi_tell_waits(call->world, call, list->items, list->n, true);
    if (!list->n_active || some_ready(list, bits))
        return some_done(call);
    return some_wait(call, list, bits, some_done);
}

MpiStep mpi_do_Testsome(MpiCall *call)
{
    MpiStep step;
    RequestList *list = some_parse(call, true, &step);
    if (!list)
        return step;
    if (mpi_ask_among(call->world, call, list->items, list->n, MPI_CHOICE_SOME) > 0 &&
        !some_ready(list, list_choose_some(call, list)))
        return some_wait(call, list, list_choose_some(call, list), some_done);
    if (list->n_active && list_first_complete(list) == list->n)
        mpi_call_poll_failed(call);
    return some_done(call);
}

/* -- looking without completing (MPI-3.1 section 3.8, MPI-4.1 3.7.6) --------------------------- */

/* As list_finish(), but leaves the request as it is. */
static void list_look(MpiCall *call, const RequestList *list, unsigned i, uint64_t status)
{
    MpiRequest *request = list->items[i];
    MpiStatus shown = request ? request->status : mpi_status_empty();
    if (request && request->sort == MPI_REQUEST_GENERAL)
        request->general->queried = false; /* the query function is called again next time */
    if (request)
        request->seen = true;
    if (request)
        mpi_tell_looked(call->world, request, -1);
    shown.error = request ? request->error : MPI_SUCCESS;
    mpi_status_write(call, status, &shown, false);
}

static MpiStep look_one(MpiCall *call)
{
    const RequestList *list = call->state;
    MpiStep step;
    if (list_asks(call, list, 0, 1, false, look_one, &step))
        return step;
    list_look(call, list, 0, list->statuses);
    return MPI_STEP_DONE;
}

/* The argument is a handle, not the address of one. */
MpiStep mpi_do_Request_get_status(MpiCall *call)
{
    MpiStep step;
    MpiHandle handle = call->args[0];
    if (!mpi_check_result(call, 1, 4, &step) || !list_check_statuses(call, 2, 1, &step))
        return step;
    MpiRequest *request = mpi_handle_lookup(call->rank, MPI_KIND_REQUEST, handle);
    if (handle != MPI_HANDLE(MPI_KIND_REQUEST, 0) && (!request || request->freed || request->listed))
        return mpi_call_error(call, NULL, MPI_ERR_REQUEST, "argument 1 is not a request that is in use");
    RequestList *list = list_new(call, 1);
    list->n = 1;
    list->statuses = call->args[2];
    list->items[0] = request && request->active ? request : NULL;
    list->general = list->items[0] && request->sort == MPI_REQUEST_GENERAL;
    return if_complete(call, list, 1, look_one);
}

static MpiStep look_all(MpiCall *call)
{
    const RequestList *list = call->state;
    MpiStep step;
    if (list_asks(call, list, 0, list->n, false, look_all, &step))
        return step;
    for (unsigned i = 0; i < list->n; i++)
        list_look(call, list, i, list_status(list, i));
    return MPI_STEP_DONE;
}

MpiStep mpi_do_Request_get_status_all(MpiCall *call)
{
    MpiStep step;
    if (!mpi_check_result(call, 2, 4, &step))
        return step;
    RequestList *list = list_make(call, mpi_int(call, 0), 1, 3, STATUS_EACH, false, &step);
    if (!list)
        return step;
    return if_complete(call, list, 2, look_all);
}

static MpiStep look_any(MpiCall *call)
{
    const RequestList *list = call->state;
    unsigned i = list_first_complete(list);
    MpiStep step;
    if (list_asks(call, list, i, i + 1, false, look_any, &step))
        return step;
    mpi_store_int(call, call->args[2], (int)i);
    list_look(call, list, i, list->statuses);
    return MPI_STEP_DONE;
}

MpiStep mpi_do_Request_get_status_any(MpiCall *call)
{
    MpiStep step;
    if (!mpi_check_result(call, 2, 4, &step) || !mpi_check_result(call, 3, 4, &step))
        return step;
    RequestList *list = list_make(call, mpi_int(call, 0), 1, 4, STATUS_ONE, false, &step);
    if (!list)
        return step;
    bool found = list_first_complete(list) < list->n;
    mpi_store_int(call, call->args[3], found || !list->n_active);
    if (!list->n_active)
        return any_none(call, list, 2);
    if (found)
        return look_any(call);
    mpi_store_int(call, call->args[2], MPI_UNDEFINED_);
    mpi_call_poll_failed(call);
    return MPI_STEP_DONE;
}

static MpiStep look_some(MpiCall *call)
{
    const RequestList *list = call->state;
    unsigned done = 0;
    MpiStep step;
    if (list_asks(call, list, 0, list->n, false, look_some, &step))
        return step;
    if (!some_check(call, list, UINT64_MAX, &step))
        return step;
    for (unsigned i = 0; i < list->n; i++) {
        if (!list->items[i] || !list->items[i]->complete)
            continue;
        mpi_store_int(call, call->args[3] + 4 * done, (int)i);
        list_look(call, list, i, list_status(list, done++));
    }
    mpi_store_int(call, call->args[2], list->n_active ? (int)done : MPI_UNDEFINED_);
    return MPI_STEP_DONE;
}

MpiStep mpi_do_Request_get_status_some(MpiCall *call)
{
    MpiStep step;
    RequestList *list = some_parse(call, false, &step);
    if (!list)
        return step;
    if (list->n_active && list_first_complete(list) == list->n)
        mpi_call_poll_failed(call);
    return look_some(call);
}
