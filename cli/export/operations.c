/* operations.c - what ranks compute, send and receive, in their order.
 *
 * Everything that happens at a rank is put in the order of time first: beginnings and ends of its calls, messages that
 * it sends and that arrive. Then messages and receives of a rank meet as MPI lets them: a message looks at the receives
 * that were posted before it, in their order, a receive at the messages that came before it. A send gets its message by
 * communicator, receiver and tag.
 *
 * A receive stands where it was posted, or behind the arrival of its message; so in whatever order the operations run
 * later, none waits for what comes behind it, because in the order of time they once ran.
 */
#include "cli/export/operations.h"
#include "base/sorter.h"
#include "cli/export/order.h"

#include <string.h>

typedef enum Sort { /* in their order at the same time */
                    SENT,
                    ARRIVED,
                    CALL_ENDS,
                    COMPUTES,
                    SLEEPS,
                    CALL_BEGINS
} Sort;

typedef struct Happening {
    Sort sort;
    uint32_t peer;
    int64_t tag;
    uint64_t ps, bytes, context; /* ps: how long */
    const char *function;        /* of a call; the reader has it */
    uint32_t n_arguments;
    int64_t arguments[TRACE_LIST];
} Happening;

typedef struct Queued { /* an operation that is to be given */
    ExportOp op;
    bool known;       /* whom it concerns; else it is not given before its message is there */
    bool taken;       /* a receive: it has its message, which has arrived */
    uint64_t arrival; /* of the message, in the order of arrivals */
} Queued;

typedef struct Point { /* a send or receive that waits for its message */
    uint64_t at;       /* number of the operation in the order of the rank */
    bool world;        /* of MPI_COMM_WORLD */
    int64_t peer, tag; /* as the call has them */
} Point;

typedef struct Arrival {
    uint32_t peer;
    int64_t tag;
    uint64_t bytes, context;
} Arrival;

typedef struct Request {
    uint64_t queued; /* number of its operation in the order of the rank */
    uint64_t number;
    bool sends;
} Request;

typedef struct Rank {
    const ExportOpUser *user;
    bool collectives;
    GArray *queue;        /* Queued: those that are not given yet */
    uint64_t given;       /* number of those that are */
    GArray *sends;        /* Point: whose messages have not been seen */
    GArray *receives;     /* Point: posted */
    GArray *unexpected;   /* Arrival */
    GArray *inner;        /* Arrival: of collective operations, not received yet */
    GHashTable *requests; /* address -> Request */
    GArray *loose;        /* ExportOp: waits for sends that no call of the program waits for */
    uint64_t numbers, arrivals;
    int64_t least_tag; /* of what the call that runs has sent in collective operations; 0: nothing */
    bool persistent;   /* the program starts requests: their receives are not seen */
} Rank;

/* -- putting in order -------------------------------------------------------------------------- */

typedef struct Gather {
    const ExportJob *job;
    BaseSorter *sorter;
    bool tells; /* all collective operations of the world tell enough */
} Gather;

static void add(Gather *gather, uint32_t location, uint64_t time_ps, const Happening *happening)
{
    TraceLocation at = trace_reader_location(gather->job->reader, location);
    if (at.thread && happening->sort >= CALL_ENDS)
        return;
    uint32_t size = (uint32_t)(offsetof(Happening, arguments) + happening->n_arguments * sizeof(int64_t));
    base_sorter_add(gather->sorter,
                    &(BaseRecord){.keys = {at.rank, time_ps, happening->sort}, .size = size, .bytes = happening});
}

static void add_computing(void *user, uint32_t location, uint64_t from_ps, uint64_t to_ps)
{
    add(user, location, from_ps, &(Happening){.sort = COMPUTES, .ps = to_ps - from_ps});
}

static void add_pause(void *user, uint32_t location, uint64_t from_ps, uint64_t to_ps, const char *why)
{
    if (strcmp(why, "core") != 0) /* others' computing will come again by itself */
        add(user, location, from_ps, &(Happening){.sort = SLEEPS, .ps = to_ps - from_ps});
}

/* Whether the call tells enough of the collective operation. */
static bool tells(const ExportCall *call, const ExportCollective *collective)
{
    const int types[] = {collective->type, collective->receive_type};
    if (!*collective->action || call->function[4] == 'I' || call->n_arguments <= (unsigned)collective->comm)
        return false;
    for (unsigned i = 0; i < G_N_ELEMENTS(types); i++)
        if (types[i] >= 0 && call->arguments[types[i]] && !export_call_type_bytes(call->arguments[types[i]]))
            return false;
    return true;
}

static void add_call(void *user, const ExportCall *call)
{
    Gather *gather = user;
    const ExportCollective *collective = export_call_collective(call->function);
    Happening happening = {.sort = CALL_BEGINS,
                           .ps = call->to_ps - call->from_ps,
                           .function = call->function,
                           .n_arguments = MIN(call->n_arguments, TRACE_LIST)};
    if (happening.n_arguments)
        memcpy(happening.arguments, call->arguments, happening.n_arguments * sizeof(int64_t));
    if (collective &&
        (call->n_arguments <= (unsigned)collective->comm || call->arguments[collective->comm] == EXPORT_COMM_WORLD))
        gather->tells &= tells(call, collective);
    add(gather, call->location, call->from_ps, &happening);
    happening.sort = CALL_ENDS;
    add(gather, call->location, call->to_ps, &happening);
}

static void add_message(void *user, const ExportMessage *message)
{
    Gather *gather = user;
    Happening happening = {.sort = SENT, .tag = message->tag, .context = message->context, .bytes = message->bytes};
    happening.peer = trace_reader_location(gather->job->reader, message->to).rank;
    add(gather, message->from, message->sent_ps, &happening);
    happening.sort = ARRIVED;
    happening.peer = trace_reader_location(gather->job->reader, message->from).rank;
    add(gather, message->to, message->delivered_ps, &happening);
}

/* -- giving ------------------------------------------------------------------------------------ */

static Queued *queued(const Rank *rank, uint64_t number)
{
    return number < rank->given ? NULL : &g_array_index(rank->queue, Queued, number - rank->given);
}

/* Gives what is known, up to the first operation that is not. `all`: there is no more to come. */
static void give(Rank *rank, bool all)
{
    guint n = 0;
    while (n < rank->queue->len) {
        Queued *next = &g_array_index(rank->queue, Queued, n);
        if (!next->known && !all)
            break;
        if (next->known)
            rank->user->op(rank->user->user, &next->op);
        n++;
    }
    if (n) {
        g_array_remove_range(rank->queue, 0, n);
        rank->given += n;
    }
}

static uint64_t queue(Rank *rank, const Queued *op)
{
    g_array_append_vals(rank->queue, op, 1);
    return rank->given + rank->queue->len - 1;
}

static uint64_t queue_known(Rank *rank, const ExportOp *op)
{
    Queued known = {.op = *op, .known = true};
    return queue(rank, &known);
}

static uint32_t positive(int64_t tag)
{
    return (uint32_t)tag & INT32_MAX;
}

/* -- messages ---------------------------------------------------------------------------------- */

static bool fits(const Point *point, uint32_t peer, int64_t tag, uint64_t context)
{
    if (point->world != (context == EXPORT_WORLD_CONTEXT) || (point->tag != EXPORT_ANY_TAG && point->tag != tag))
        return false;
    return !point->world || point->peer == EXPORT_ANY_SOURCE || point->peer == peer;
}

static void settle(Queued *op, uint32_t peer, int64_t tag, uint64_t bytes)
{
    op->op.peer = peer;
    op->op.tag = positive(tag);
    op->op.bytes = bytes;
    op->known = op->taken = true;
}

/* Takes the first of those that wait for such a message. Returns false if there is none. Its operation may have been
 * given already, if it was known: then *op is NULL. */
static bool take_waiting(const Rank *rank, GArray *waiting, const Happening *message, Queued **op)
{
    for (guint i = 0; i < waiting->len; i++) {
        Point point = g_array_index(waiting, Point, i);
        if (!fits(&point, message->peer, message->tag, message->context))
            continue;
        g_array_remove_index(waiting, i);
        *op = queued(rank, point.at);
        return true;
    }
    return false;
}

/* Receives inner messages of the context's operations up to the one with that tag. Tags go down. */
static void receive_inner(Rank *rank, int64_t tag)
{
    for (guint i = 0; i < rank->inner->len;) {
        Arrival arrival = g_array_index(rank->inner, Arrival, i);
        if (arrival.tag < tag) {
            i++;
            continue;
        }
        queue_known(rank, &(ExportOp){.sort = EXPORT_OP_RECEIVE,
                                      .peer = arrival.peer,
                                      .tag = positive(arrival.tag),
                                      .bytes = arrival.bytes});
        g_array_remove_index(rank->inner, i);
    }
}

static bool is_covered(const Rank *rank, const Happening *message)
{
    return rank->collectives && message->tag < 0 && message->context == EXPORT_WORLD_CONTEXT;
}

static void take_sent(Rank *rank, const Happening *message)
{
    if (is_covered(rank, message))
        return;
    Queued *op = NULL;
    if (message->tag >= 0 && take_waiting(rank, rank->sends, message, &op)) {
        if (op)
            settle(op, message->peer, message->tag, message->bytes);
        return;
    }
    if (message->tag < 0) {
        receive_inner(rank, message->tag);
        rank->least_tag = MIN(rank->least_tag, message->tag);
    }
    uint64_t number = ++rank->numbers;
    queue_known(rank, &(ExportOp){.sort = EXPORT_OP_ISEND,
                                  .peer = message->peer,
                                  .tag = positive(message->tag),
                                  .bytes = message->bytes,
                                  .number = number});
    ExportOp wait = {
        .sort = EXPORT_OP_WAIT, .sends = true, .peer = message->peer, .tag = positive(message->tag), .number = number};
    g_array_append_val(rank->loose, wait);
}

static void take_arrived(Rank *rank, const Happening *message)
{
    Arrival arrival = {message->peer, message->tag, message->bytes, message->context};
    if (is_covered(rank, message))
        return;
    if (message->tag < 0) {
        g_array_append_val(rank->inner, arrival);
        return;
    }
    Queued *op = NULL;
    if (!take_waiting(rank, rank->receives, message, &op)) {
        g_array_append_val(rank->unexpected, arrival);
    } else if (op) {
        settle(op, message->peer, message->tag, message->bytes);
        op->arrival = ++rank->arrivals;
    }
}

/* -- calls ------------------------------------------------------------------------------------- */

static int64_t argument(const Happening *call, int index)
{
    return index >= 0 && (unsigned)index < call->n_arguments ? call->arguments[index] : 0;
}

static void wait_for(Rank *rank, uint64_t address)
{
    const Request *request = g_hash_table_lookup(rank->requests, &address);
    if (!request)
        return;
    queue_known(rank, &(ExportOp){.sort = EXPORT_OP_WAIT, .sends = request->sends, .number = request->number});
    g_hash_table_remove(rank->requests, &address);
}

static void remember(Rank *rank, uint64_t address, uint64_t number, bool sends, uint64_t at)
{
    Request request = {at, number, sends};
    wait_for(rank, address); /* what was there is over, or the program would not use it again */
    g_hash_table_insert(rank->requests, g_memdup2(&address, sizeof address), g_memdup2(&request, sizeof request));
}

/* Posts a send, if it is one to a rank. Returns its number if it is not blocking. */
static uint64_t post_send(Rank *rank, const Happening *call, const ExportPoint *point, bool blocking, uint64_t *at)
{
    int64_t count = argument(call, point->count);
    unsigned bytes = export_call_type_bytes(argument(call, point->type));
    Point send = {.world = argument(call, point->comm) == EXPORT_COMM_WORLD,
                  .peer = argument(call, point->peer),
                  .tag = argument(call, point->tag)};
    Queued op = {.op = {.sort = blocking ? EXPORT_OP_SEND : EXPORT_OP_ISEND}};
    if (send.peer == EXPORT_PROC_NULL)
        return 0;
    op.op.number = blocking ? 0 : ++rank->numbers;
    if (send.world && bytes && count >= 0 && send.peer >= 0)
        settle(&op, (uint32_t)send.peer, send.tag, (uint64_t)count * bytes);
    *at = send.at = queue(rank, &op);
    g_array_append_val(rank->sends, send);
    return op.op.number;
}

static uint64_t post_receive(Rank *rank, bool blocking, int64_t peer, int64_t tag, int64_t comm, uint64_t *at)
{
    Queued op = {.op = {.sort = blocking ? EXPORT_OP_RECEIVE : EXPORT_OP_IRECEIVE}};
    Point receive = {.world = comm == EXPORT_COMM_WORLD, .peer = peer, .tag = tag};
    if (peer == EXPORT_PROC_NULL)
        return 0;
    op.op.number = blocking ? 0 : ++rank->numbers;
    for (guint i = 0; i < rank->unexpected->len && !op.known; i++) {
        Arrival arrival = g_array_index(rank->unexpected, Arrival, i);
        if (!fits(&receive, arrival.peer, arrival.tag, arrival.context))
            continue;
        settle(&op, arrival.peer, arrival.tag, arrival.bytes);
        op.arrival = ++rank->arrivals;
        g_array_remove_index(rank->unexpected, i);
    }
    *at = receive.at = queue(rank, &op);
    if (!op.known)
        g_array_append_val(rank->receives, receive);
    return op.op.number;
}

static void begin_sendrecv(Rank *rank, const Happening *call, const ExportPoint *point)
{
    bool replace = point->sort == EXPORT_SENDRECV_REPLACE;
    uint64_t at = 0, number = post_send(rank, call, point, false, &at), ignored = 0;
    post_receive(rank, true, argument(call, replace ? 5 : 8), argument(call, replace ? 6 : 9),
                 argument(call, point->comm), &ignored);
    if (number)
        queue_known(rank, &(ExportOp){.sort = EXPORT_OP_WAIT, .sends = true, .number = number});
}

static void begin_point(Rank *rank, const Happening *call, const ExportPoint *point)
{
    uint64_t at = 0, number = 0;
    switch (point->sort) {
    case EXPORT_SEND: post_send(rank, call, point, true, &at); break;
    case EXPORT_ISEND: number = post_send(rank, call, point, false, &at); break;
    case EXPORT_RECEIVE:
    case EXPORT_IRECEIVE:
        number = post_receive(rank, point->sort == EXPORT_RECEIVE, argument(call, point->peer),
                              argument(call, point->tag), argument(call, point->comm), &at);
        break;
    case EXPORT_SENDRECV:
    case EXPORT_SENDRECV_REPLACE: begin_sendrecv(rank, call, point); break;
    default: break;
    }
    if (number)
        remember(rank, (uint64_t)argument(call, point->request), number, point->sort == EXPORT_ISEND, at);
}

static void take_call(Rank *rank, const Happening *call)
{
    const ExportPoint *point = export_call_point(call->function);
    const ExportCollective *collective = point ? NULL : export_call_collective(call->function);
    rank->least_tag = 0;
    rank->persistent |= g_str_has_prefix(call->function, "MPI_Start");
    if (point)
        begin_point(rank, call, point);
    if (!collective || !rank->collectives || argument(call, collective->comm) != EXPORT_COMM_WORLD)
        return;
    ExportOp op = {.sort = EXPORT_OP_COLLECTIVE, .collective = collective};
    memcpy(op.arguments, call->arguments, call->n_arguments * sizeof(int64_t));
    queue_known(rank, &op);
}

/* Which of several requests have completed the trace does not tell. A receive that has its message is, and of Waitany
 * the one whose message came first; sends are, if there is no such receive. */
static void wait_for_some(Rank *rank, uint64_t first, uint64_t n, bool one)
{
    uint64_t best = 0, earliest = UINT64_MAX, any_send = 0;
    for (uint64_t i = 0; i < n; i++) {
        uint64_t address = first + i * EXPORT_REQUEST_BYTES;
        const Request *request = g_hash_table_lookup(rank->requests, &address);
        const Queued *op = request ? queued(rank, request->queued) : NULL;
        if (!request)
            continue;
        if (request->sends) {
            any_send = address;
        } else if (!op || op->taken) {
            uint64_t arrival = op ? op->arrival : 0;
            if (!one)
                wait_for(rank, address);
            if (arrival < earliest) {
                earliest = arrival;
                best = address;
            }
        }
    }
    if (best && one)
        wait_for(rank, best);
    else if (!best && any_send)
        wait_for(rank, any_send);
}

static void end_wait(Rank *rank, const Happening *call, const ExportPoint *point)
{
    uint64_t first = (uint64_t)argument(call, point->request);
    int64_t count = point->count < 0 ? 1 : argument(call, point->count);
    uint64_t n = count > 0 ? (uint64_t)MIN(count, INT32_MAX) : 0;
    if (point->sort == EXPORT_WAIT)
        for (uint64_t i = 0; i < n; i++)
            wait_for(rank, first + i * EXPORT_REQUEST_BYTES);
    else
        wait_for_some(rank, first, n, g_str_has_suffix(call->function, "any"));
    for (guint i = 0; rank->persistent && i < rank->unexpected->len; i++) {
        const Arrival *arrival = &g_array_index(rank->unexpected, Arrival, i);
        queue_known(rank, &(ExportOp){.sort = EXPORT_OP_RECEIVE,
                                      .peer = arrival->peer,
                                      .tag = positive(arrival->tag),
                                      .bytes = arrival->bytes});
    }
    if (rank->persistent)
        g_array_set_size(rank->unexpected, 0);
}

static void wait_for_loose(Rank *rank)
{
    for (guint i = 0; i < rank->loose->len; i++)
        queue_known(rank, &g_array_index(rank->loose, ExportOp, i));
    g_array_set_size(rank->loose, 0);
}

/* A call that is no point-to-point one has received the inner messages of its operation, which is the one that it sent
 * for; else the first one of those that came. */
static void take_end(Rank *rank, const Happening *call)
{
    const ExportPoint *point = export_call_point(call->function);
    if (point && (point->sort == EXPORT_WAIT || point->sort == EXPORT_WAIT_SOME))
        end_wait(rank, call, point);
    if (!point && rank->inner->len) {
        int64_t tag = rank->least_tag;
        if (!tag) {
            tag = INT64_MIN;
            for (guint i = 0; i < rank->inner->len; i++)
                tag = MAX(tag, g_array_index(rank->inner, Arrival, i).tag);
        }
        receive_inner(rank, tag);
    }
    if (!point || point->sort == EXPORT_WAIT)
        wait_for_loose(rank);
}

/* -- ranks ------------------------------------------------------------------------------------- */

static void begin_rank(Rank *rank, uint32_t number)
{
    rank->queue = g_array_new(FALSE, FALSE, sizeof(Queued));
    rank->sends = g_array_new(FALSE, FALSE, sizeof(Point));
    rank->receives = g_array_new(FALSE, FALSE, sizeof(Point));
    rank->unexpected = g_array_new(FALSE, FALSE, sizeof(Arrival));
    rank->inner = g_array_new(FALSE, FALSE, sizeof(Arrival));
    rank->loose = g_array_new(FALSE, FALSE, sizeof(ExportOp));
    rank->requests = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
    rank->given = rank->numbers = rank->arrivals = 0;
    rank->persistent = false;
    rank->user->begin(rank->user->user, number);
}

/* What nobody seems to have received is received at the end, so that all messages are. */
static void end_rank(Rank *rank, uint32_t number)
{
    receive_inner(rank, INT64_MIN);
    for (guint i = 0; i < rank->unexpected->len; i++) {
        const Arrival *arrival = &g_array_index(rank->unexpected, Arrival, i);
        queue_known(rank, &(ExportOp){.sort = EXPORT_OP_RECEIVE,
                                      .peer = arrival->peer,
                                      .tag = positive(arrival->tag),
                                      .bytes = arrival->bytes});
    }
    wait_for_loose(rank);
    give(rank, true);
    rank->user->end(rank->user->user, number);
    GArray *arrays[] = {rank->queue, rank->sends, rank->receives, rank->unexpected, rank->inner, rank->loose};
    for (unsigned i = 0; i < G_N_ELEMENTS(arrays); i++)
        g_array_unref(arrays[i]);
    g_hash_table_unref(rank->requests);
}

static void take(Rank *rank, const Happening *happening)
{
    switch (happening->sort) {
    case SENT: take_sent(rank, happening); break;
    case ARRIVED: take_arrived(rank, happening); break;
    case CALL_ENDS: take_end(rank, happening); break;
    case COMPUTES: queue_known(rank, &(ExportOp){.sort = EXPORT_OP_COMPUTE, .ps = happening->ps}); break;
    case SLEEPS: queue_known(rank, &(ExportOp){.sort = EXPORT_OP_SLEEP, .ps = happening->ps}); break;
    case CALL_BEGINS: take_call(rank, happening); break;
    }
    give(rank, false);
}

static bool give_all(Gather *gather, const ExportOpUser *user, GError **error)
{
    Rank rank = {.user = user, .collectives = user->collectives && gather->tells};
    g_autoptr(GArray) locations = export_timeline_locations(gather->job);
    BaseRecord record;
    bool more = base_sorter_next(gather->sorter, &record);
    for (guint i = 0; i < locations->len; i++) {
        TraceLocation at = trace_reader_location(gather->job->reader, g_array_index(locations, uint32_t, i));
        if (at.thread)
            continue;
        begin_rank(&rank, at.rank);
        for (; more && record.keys[0] == at.rank; more = base_sorter_next(gather->sorter, &record)) {
            Happening happening = {0};
            memcpy(&happening, record.bytes, MIN(record.size, sizeof happening));
            take(&rank, &happening);
        }
        end_rank(&rank, at.rank);
    }
    return base_sorter_end(gather->sorter, error);
}

bool export_operations(const ExportJob *job, const ExportOpUser *user, GError **error)
{
    g_autoptr(BaseSorter) sorter = base_sorter_new(EXPORT_SORT_MEMORY);
    Gather gather = {job, sorter, true};
    ExportTimeline timeline = {
        .user = &gather, .computing = add_computing, .pause = add_pause, .call = add_call, .message = add_message};
    return export_timeline(job, &timeline, error) && base_sorter_begin(sorter, error) && give_all(&gather, user, error);
}
