/* partitioned.c - partitioned communication (MPI-4.0 chapter 4): one message whose parts become ready one by one.
 *
 *      Psend_init ----.                         .---- Precv_init
 *                      > pair: a context number <
 *      Start            `----------------------'     Start: receives for all of the sender's partitions
 *      Pready(p) ----- message with tag p ---------> staging memory; Parrived looks which of its partitions are whole
 *
 * A partition is sent when it is ready, as a message of its own. The two sides may divide the data differently. So the
 * receiver collects packed bytes. It unpacks a partition of its own when the program asks for it, or all data at the
 * end. Initializations match in the order of their calls, per communicator, ranks and tag, so the pair is known when
 * both have come. A receiver that starts earlier does not know the number of messages. It posts a scout, a receive with
 * any tag, and the other receives when the scout has found a message. */
#include "mpi/comm/comm.h"
#include "mpi/core/call.h"
#include "mpi/core/handlers.h"
#include "mpi/core/handles.h"
#include "mpi/core/hooks.h"
#include "mpi/core/places.h"
#include "mpi/core/rank.h"
#include "mpi/core/slots.h"
#include "mpi/core/stores.h"
#include "mpi/core/world.h"
#include "mpi/p2p/p2p.h"
#include "mpi/type/type.h"

#include <string.h>

/* The two matching initializations of a partitioned message. */
typedef struct Pair {
    uint32_t context;  /* context of its messages */
    uint32_t parent;   /* context of the communicator; it must match, like ranks and tag */
    uint32_t from, to; /* world ranks */
    int tag;
    bool sender, receiver;  /* whether this side has come */
    uint32_t messages;      /* number of the sender's partitions; 1 if there are none (an empty message) */
    uint64_t message_bytes; /* size of each message */
    int refs;               /* held by the two requests, and by the list while a side is missing */
    /* The next three fields describe the message as the side that came first does. */
    MpiType *type; /* referenced */
    uint64_t items;
    uint32_t pc;
} Pair;

struct MpiPartitioned {
    Pair *pair;
    MpiComm *comm; /* for the messages of the two processes: rank 0 sends, rank 1 receives */
    bool receives;
    uint64_t address, count; /* count: items of each partition */
    MpiType *type;           /* referenced */
    uint32_t partitions;
    uint8_t *done;      /* by partition: marked ready (sender), or unpacked (receiver) */
    uint8_t *staging;   /* receiver: packed data */
    uint8_t *arrived;   /* receiver: by message, whether it has arrived */
    uint32_t n_arrived; /* number of messages that have arrived */
    uint64_t room;      /* size of the staging memory in bytes */
};

enum { BUFFER, PARTITIONS, COUNT, TYPE, PEER, TAG, COMM, INFO, REQUEST };

/* -- pairs ------------------------------------------------------------------------------------- */

static void pair_unref(Pair *pair)
{
    if (--pair->refs)
        return;
    mpi_type_unref(pair->type);
    g_free(pair);
}

static void pairs_free(gpointer pairs)
{
    for (guint i = 0; i < ((GPtrArray *)pairs)->len; i++)
        pair_unref(g_ptr_array_index((GPtrArray *)pairs, i));
    g_ptr_array_unref(pairs);
}

/* Returns the first pair that lacks this side, or a new one. Few pairs are open at a time, so the search is linear. */
static Pair *pair_find(MpiWorld *world, uint32_t parent, uint32_t from, uint32_t to, int tag, bool receives)
{
    GPtrArray *pairs = mpi_world_slot(world, MPI_SLOT_PARTITIONS);
    if (!pairs)
        mpi_world_set_slot(world, MPI_SLOT_PARTITIONS, pairs = g_ptr_array_new(), pairs_free);
    for (guint i = 0; i < pairs->len; i++) {
        Pair *pair = g_ptr_array_index(pairs, i);
        bool lacks = receives ? !pair->receiver : !pair->sender;
        if (!lacks || pair->parent != parent || pair->from != from || pair->to != to || pair->tag != tag)
            continue;
        g_ptr_array_remove_index(pairs, i);
        return pair; /* the caller gets the reference of the list */
    }
    Pair *pair = g_new0(Pair, 1);
    *pair = (Pair){.context = world->next_context++, .parent = parent, .from = from, .to = to, .tag = tag, .refs = 2};
    g_ptr_array_add(pairs, pair);
    return pair;
}

/* -- initialization ---------------------------------------------------------------------------- */

void mpi_partitioned_free(MpiPartitioned *part)
{
    if (part->pair)
        pair_unref(part->pair);
    if (part->comm)
        mpi_comm_unref(part->comm);
    mpi_type_unref(part->type);
    g_free(part->done);
    g_free(part->staging);
    g_free(part->arrived);
    g_free(part);
}

static uint64_t partition_bytes(const MpiPartitioned *part)
{
    return part->count * part->type->size;
}

static bool check_arguments(MpiCall *call, MpiComm *comm, MpiPartitioned *part, int *peer, int *tag, MpiStep *step)
{
    int partitions = mpi_int(call, PARTITIONS);
    int64_t count = (int64_t)call->args[COUNT];
    MpiType *type;
    if (partitions < 0 || count < 0) {
        *step = mpi_call_error(call, comm, MPI_ERR_COUNT, "%s (%" G_GINT64_FORMAT ") is negative (argument %d)",
                               partitions < 0 ? "the number of partitions" : "the count",
                               partitions < 0 ? partitions : count, partitions < 0 ? PARTITIONS + 1 : COUNT + 1);
        return false;
    }
    if (!mpi_check_type(call, comm, TYPE, &type, step) || !mpi_check_peer(call, comm, PEER, false, peer, step) ||
        !mpi_check_tag(call, comm, TAG, false, tag, step))
        return false;
    uint64_t items;
    if (__builtin_mul_overflow((uint64_t)partitions, (uint64_t)count, &items))
        items = INT64_MAX;
    if (!mpi_check_memory(call, comm, BUFFER, call->args[BUFFER], type, items, part->receives, step))
        return false;
    part->address = call->args[BUFFER];
    part->partitions = (uint32_t)partitions;
    part->count = (uint64_t)count;
    part->type = mpi_type_ref(type);
    return true;
}

static void join_pair(MpiCall *call, const MpiComm *comm, MpiPartitioned *part, int peer, int tag)
{
    uint32_t here = call->rank->index, there = mpi_comm_world_rank(comm, (uint32_t)peer);
    uint32_t from = part->receives ? there : here, to = part->receives ? here : there;
    Pair *pair = part->pair = pair_find(call->world, comm->context, from, to, tag, part->receives);
    uint32_t *ranks = g_new(uint32_t, 2);
    ranks[0] = from;
    ranks[1] = to;
    part->comm = mpi_comm_hidden(call->rank, pair->context, mpi_group_new(2, ranks), part->receives);
    part->comm->name = "a partitioned operation"; /* the tag of a message is the number of its partition */
    if (part->receives) {
        pair->receiver = true;
        return;
    }
    pair->sender = true;
    pair->messages = MAX(part->partitions, 1);
    pair->message_bytes = part->partitions ? partition_bytes(part) : 0;
}

/* The side that comes first stores its description of the message; the other side compares. */
static bool compare_sides(MpiCall *call, const MpiPartitioned *part, MpiStep *step)
{
    Pair *pair = part->pair;
    uint64_t items = part->partitions * part->count;
    if (pair->type) {
        MpiSide mine = {call->rank->index, call->pc, part->receives, part->type, items};
        MpiSide theirs = {part->receives ? pair->from : pair->to, pair->pc, !part->receives, pair->type, pair->items};
        return mpi_ask_sides(call->world, call, &mine, &theirs, step);
    }
    pair->type = mpi_type_ref(part->type);
    pair->items = items;
    pair->pc = call->pc;
    return true;
}

static MpiStep init(MpiCall *call, bool receives)
{
    MpiComm *comm;
    MpiStep step;
    int peer, tag;
    MpiBuffer none = {0};
    if (!mpi_check_comm(call, COMM, &comm, &step) || !mpi_check_info(call, comm, INFO, &step) ||
        !mpi_check_result(call, REQUEST, 8, &step))
        return step;
    MpiPartitioned part = {.receives = receives};
    if (!check_arguments(call, comm, &part, &peer, &tag, &step))
        return step;
    MpiRequest *request = mpi_request_new(call, MPI_REQUEST_WHOLE, MPI_MODE_STANDARD, &none, comm, peer, tag, false);
    request->persistent = true;
    request->partitioned = g_memdup2(&part, sizeof part);
    if (peer != MPI_PROC_NULL_)
        join_pair(call, comm, request->partitioned, peer, tag);
    if (peer != MPI_PROC_NULL_ && !compare_sides(call, request->partitioned, &step))
        return step;
    return mpi_request_publish(call, request, call->args[REQUEST]);
}

MPI_HANDLER(Psend_init, init(call, false))
MPI_HANDLER(Precv_init, init(call, true))

/* -- messages ---------------------------------------------------------------------------------- */

static void start_message(MpiCall *call, MpiRequest *whole, MpiRequestSort sort, const MpiBuffer *buffer, int tag,
                          uint8_t *scout)
{
    MpiPartitioned *part = whole->partitioned;
    MpiRequest *message = mpi_request_new(call, sort, MPI_MODE_STANDARD, buffer, part->comm,
                                          sort == MPI_REQUEST_SEND ? 1 : 0, tag, false);
    mpi_request_join(message, whole);
    message->packed = scout;
    message->made_by = whole->made_by;
    message->made_pc = whole->made_pc;
    mpi_request_start(call, message);
    mpi_request_release(message);
}

static void send_partition(MpiCall *call, MpiRequest *whole, uint32_t partition)
{
    const MpiPartitioned *part = whole->partitioned;
    uint64_t offset = partition * part->count * (uint64_t)part->type->extent;
    MpiBuffer buffer = {.process = call->process,
                        .address = part->address + offset,
                        .type = part->type,
                        .count = part->partitions ? part->count : 0};
    start_message(call, whole, MPI_REQUEST_SEND, &buffer, (int)partition, NULL);
}

/* Receives message p into the staging memory, as far as there is room. */
static void receive_message(MpiCall *call, MpiRequest *whole, uint32_t p)
{
    MpiPartitioned *part = whole->partitioned;
    uint64_t bytes = part->pair->message_bytes, at = MIN(p * bytes, part->room);
    MpiBuffer buffer = {.host = part->staging + at, .count = MIN(bytes, part->room - at)};
    start_message(call, whole, MPI_REQUEST_RECEIVE, &buffer, (int)p, NULL);
}

static void start_receiving(MpiCall *call, MpiRequest *whole)
{
    MpiPartitioned *part = whole->partitioned;
    part->room = part->partitions * partition_bytes(part);
    part->n_arrived = 0;
    if (!part->staging)
        part->staging = g_malloc0(part->room + 1);
    if (!part->pair->sender) {
        uint8_t *scout = g_malloc0(part->room + 1);
        MpiBuffer buffer = {.host = scout, .count = part->room};
        whole->parts = 2; /* the scout itself, and the other receives that it will post */
        start_message(call, whole, MPI_REQUEST_RECEIVE, &buffer, MPI_ANY_TAG_, scout);
        return;
    }
    uint32_t n = part->pair->messages;
    part->arrived = g_realloc(part->arrived, n);
    memset(part->arrived, 0, n);
    whole->parts = n;
    for (uint32_t p = 0; p < n; p++)
        receive_message(call, whole, p);
}

/* Reports the partition as in use: the program must not access it from now on. */
static void use_partition(MpiCall *call, const MpiRequest *whole, uint32_t partition)
{
    MpiPartitioned *part = whole->partitioned;
    uint64_t offset = partition * part->count * (uint64_t)part->type->extent;
    MpiBuffer buffer = {
        .process = call->process, .address = part->address + offset, .type = part->type, .count = part->count};
    mpi_tell_used(call->world, call, whole, &buffer, part->receives, (int)partition);
}

void mpi_partitioned_start(MpiCall *call, MpiRequest *whole)
{
    MpiPartitioned *part = whole->partitioned;
    whole->active = true;
    whole->complete = false;
    whole->error = MPI_SUCCESS;
    whole->status = mpi_status_empty();
    if (mpi_listens_used(call->world) && part->pair && part->receives)
        for (uint32_t i = 0; i < part->partitions; i++)
            use_partition(call, whole, i);
    part->done = g_realloc(part->done, (size_t)part->partitions + 1);
    memset(part->done, 0, (size_t)part->partitions + 1);
    if (!part->pair) {
        whole->status.source = part->receives ? MPI_PROC_NULL_ : whole->status.source;
        mpi_request_complete(whole, MPI_SUCCESS);
    } else if (part->receives) {
        start_receiving(call, whole);
    } else {
        whole->parts = part->pair->messages;
        if (!part->partitions)
            send_partition(call, whole, 0);
    }
}

/* -- arrival, in a call of the receiver -------------------------------------------------------- */

/* Unpacks a partition, but only once: the program may already be working on it. */
static bool unpack_partition(const MpiRequest *whole, uint32_t i)
{
    const MpiPartitioned *part = whole->partitioned;
    uint64_t bytes = partition_bytes(part), offset = i * part->count * (uint64_t)part->type->extent;
    bool taken = part->done[i];
    part->done[i] = 1;
    return !bytes || taken ||
           mpi_type_unpack(part->type, part->count, whole->owner->process, part->address + offset,
                           part->staging + i * bytes, bytes);
}

/* The scout has found the first message. Moves it to its place and posts receives for the other messages. */
static void scout_arrived(MpiRequest *whole, const MpiRequest *scout, uint32_t p)
{
    MpiPartitioned *part = whole->partitioned;
    uint32_t n = part->pair->messages;
    uint64_t at = MIN(p * part->pair->message_bytes, part->room);
    memcpy(part->staging + at, scout->packed, MIN(scout->status.bytes, part->room - at));
    part->arrived = g_realloc(part->arrived, n);
    memset(part->arrived, 0, n);
    whole->parts += n - 2; /* the number of the other messages is known now */
    for (uint32_t i = 0; i < n; i++)
        if (i != p)
            receive_message(whole->owner->call, whole, i);
}

void mpi_partitioned_complete(MpiRequest *whole, const MpiRequest *message)
{
    MpiPartitioned *part = whole->partitioned;
    if (!part->receives)
        return;
    uint32_t p = (uint32_t)message->status.tag;
    if (message->packed)
        scout_arrived(whole, message, p);
    part->arrived[p] = 1;
    part->n_arrived++;
    if (part->n_arrived < part->pair->messages)
        return;
    for (uint32_t i = 0; i < part->partitions && !whole->error; i++)
        if (!unpack_partition(whole, i))
            whole->error = MPI_ERR_BUFFER;
    uint64_t sent = part->pair->messages * part->pair->message_bytes;
    whole->status = (MpiStatus){.source = whole->peer, .tag = whole->tag, .bytes = MIN(sent, part->room)};
    if (sent > part->room) {
        whole->error = MPI_ERR_TRUNCATE;
        whole->arrived = sent;
        whole->bytes = part->room;
    }
}

/* -- why it is not complete -------------------------------------------------------------------- */

bool mpi_partitioned_receives(const MpiPartitioned *part)
{
    return part->receives;
}

/* Returns the request of the other side; NULL if it has not come or is gone. */
static const MpiRequest *other_side(const MpiRequest *whole)
{
    const MpiPartitioned *part = whole->partitioned;
    const MpiRank *rank = mpi_world_rank(whole->owner->world, part->receives ? part->pair->from : part->pair->to);
    for (const MpiRequest *request = rank->requests; request; request = request->next)
        if (request->sort == MPI_REQUEST_WHOLE && request->partitioned && request != whole &&
            request->partitioned->pair == part->pair)
            return request;
    return NULL;
}

static bool append_unready(GString *out, const MpiRequest *sender)
{
    const MpiPartitioned *part = sender->partitioned;
    MpiRankList unready = {0};
    for (uint32_t i = 0; i < part->partitions; i++)
        if (!part->done[i])
            mpi_rank_list_add(&unready, i);
    if (unready.count) {
        g_autoptr(GString) numbers = g_string_new(NULL);
        mpi_rank_list_append(&unready, numbers);
        g_string_append_printf(out, "rank %u has not marked partition%s ready, of %u that it has (MPI_Psend_init at ",
                               sender->owner->index, numbers->str + strlen("rank"), part->partitions);
        mpi_append_place(out, sender->owner->process, sender->made_pc);
        g_string_append_c(out, ')');
    }
    bool found = unready.count;
    mpi_rank_list_clear(&unready);
    return found;
}

bool mpi_partitioned_cause(const MpiRequest *whole, GString *out)
{
    const MpiPartitioned *part = whole->partitioned;
    if (!part->pair)
        return false;
    const char *init = part->receives ? "MPI_Psend_init" : "MPI_Precv_init";
    uint32_t peer = part->receives ? part->pair->from : part->pair->to;
    const MpiRequest *other = other_side(whole);
    if (!part->receives && append_unready(out, whole))
        return true;
    if (!(part->receives ? part->pair->sender : part->pair->receiver)) {
        g_string_append_printf(out, "rank %u has not called %s with tag %d for it", peer, init, whole->tag);
        return true;
    }
    if (other && !other->active && other->handle) {
        g_string_append_printf(out, "rank %u has not started the request that %s made at ", peer, init);
        mpi_append_place(out, other->owner->process, other->made_pc);
        return true;
    }
    return part->receives && other && append_unready(out, other);
}

/* -- Pready, Parrived -------------------------------------------------------------------------- */

/* Returns the request whose handle is argument `arg`. It must be of the right kind. Returns NULL on an error, which is
 * in *step. */
static MpiRequest *partitioned_argument(MpiCall *call, unsigned arg, bool receives, MpiStep *step)
{
    MpiRequest *request = mpi_handle_lookup(call->rank, MPI_KIND_REQUEST, call->args[arg]);
    if (request && request->sort == MPI_REQUEST_WHOLE && request->partitioned &&
        request->partitioned->receives == receives)
        return request;
    *step =
        mpi_call_error(call, request ? request->comm : NULL, MPI_ERR_REQUEST, "argument %u is not a request made by %s",
                       arg + 1, receives ? "MPI_Precv_init" : "MPI_Psend_init");
    return NULL;
}

static bool check_partition(MpiCall *call, const MpiRequest *request, int partition, MpiStep *step)
{
    const MpiPartitioned *part = request->partitioned;
    if (partition >= 0 && (uint32_t)partition < part->partitions)
        return true;
    *step = mpi_call_error(call, request->comm, MPI_ERR_ARG, "partition %d, but the request has %u of them, from 0",
                           partition, part->partitions);
    return false;
}

/* Marks a partition ready and sends it. Returns false on an error. */
static bool ready(MpiCall *call, MpiRequest *request, int partition, MpiStep *step)
{
    if (!request->active) {
        *step = mpi_call_error(call, request->comm, MPI_ERR_REQUEST,
                               "the request has not been started; MPI_Start comes first");
        return false;
    }
    if (!check_partition(call, request, partition, step))
        return false;
    if (!request->partitioned->pair)
        return true;
    if (request->partitioned->done[partition]) {
        *step = mpi_call_error(call, request->comm, MPI_ERR_ARG,
                               "partition %d has been marked ready already since the request was started", partition);
        return false;
    }
    request->partitioned->done[partition] = 1;
    if (mpi_listens_used(call->world))
        use_partition(call, request, (uint32_t)partition);
    send_partition(call, request, (uint32_t)partition);
    return true;
}

MpiStep mpi_do_Pready(MpiCall *call)
{
    MpiStep step = MPI_STEP_DONE;
    MpiRequest *request = partitioned_argument(call, 1, false, &step);
    return !request || !ready(call, request, mpi_int(call, 0), &step) ? step : MPI_STEP_DONE;
}

/* Both ends of the range are included (section 4.2.2). */
MpiStep mpi_do_Pready_range(MpiCall *call)
{
    MpiStep step = MPI_STEP_DONE;
    MpiRequest *request = partitioned_argument(call, 2, false, &step);
    int low = mpi_int(call, 0), high = mpi_int(call, 1);
    if (!request || !check_partition(call, request, low, &step) || !check_partition(call, request, high, &step))
        return step;
    if (low > high)
        return mpi_call_error(call, request->comm, MPI_ERR_ARG,
                              "the range of partitions ends before it begins (%d, %d)", low, high);
    for (int i = low; i <= high; i++)
        if (!ready(call, request, i, &step))
            return step;
    return MPI_STEP_DONE;
}

MpiStep mpi_do_Pready_list(MpiCall *call)
{
    MpiStep step = MPI_STEP_DONE;
    const void *host;
    MpiRequest *request = partitioned_argument(call, 2, false, &step);
    int n = mpi_int(call, 0);
    if (!request)
        return step;
    if (n < 0)
        return mpi_call_error(call, request->comm, MPI_ERR_COUNT, "the number of partitions is negative (%d)", n);
    if (!mpi_check_input(call, request->comm, 1, 4 * (uint64_t)n, &host, &step))
        return step;
    g_autofree int32_t *list = g_memdup2(host, 4 * (size_t)n);
    for (int i = 0; i < n; i++)
        if (!ready(call, request, list[i], &step))
            return step;
    return MPI_STEP_DONE;
}

/* Whether all messages that carry a piece of partition i have arrived. */
static bool has_arrived(const MpiRequest *request, uint32_t i)
{
    const MpiPartitioned *part = request->partitioned;
    uint64_t bytes = partition_bytes(part), each = part->pair ? part->pair->message_bytes : 0;
    if (request->complete)
        return true;
    if (!part->n_arrived || !each)
        return false;
    uint64_t first = i * bytes / each, end = MIN(((i + UINT64_C(1)) * bytes + each - 1) / each, part->pair->messages);
    for (uint64_t p = first; p < end; p++)
        if (!part->arrived[p])
            return false;
    return true;
}

/* An inactive request counts as arrived (section 4.2.2). */
MpiStep mpi_do_Parrived(MpiCall *call)
{
    MpiStep step = MPI_STEP_DONE;
    if (!mpi_check_result(call, 2, 4, &step))
        return step;
    MpiRequest *request = partitioned_argument(call, 0, true, &step);
    int partition = mpi_int(call, 1);
    if (!request || !check_partition(call, request, partition, &step))
        return step;
    bool there = !request->active || has_arrived(request, (uint32_t)partition);
    if (there && request->active && !request->complete && !unpack_partition(request, (uint32_t)partition))
        return mpi_call_error(call, request->comm, MPI_ERR_BUFFER,
                              "the receive buffer is no longer in the program's memory");
    mpi_store_int(call, call->args[2], there);
    if (there)
        mpi_tell_looked(call->world, request, partition);
    if (!there)
        mpi_call_poll_failed(call);
    return MPI_STEP_DONE;
}
