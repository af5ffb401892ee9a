/* exchange.c - rounds in which every rank sends to every other rank, made step by step.
 *
 * Such a round has 2 (n - 1) steps on each rank. Requests for all of them, and messages of all ranks that are made long
 * before their time, would take n^2 times some hundred bytes. Instead:
 *
 *   receives  are one MpiMany, a bit per source. The message path handles an eager message without a request.
 *   sends     are a counter. What a send costs its rank is known when the round begins: it is charged at once, and the
 *             time at which each message reaches the network follows from its number. A few messages are made ahead.
 *             An alarm at the time of the last of them makes the next few.
 *
 *      call->now   t1     t2     t3     t4     t5     t6  ...
 *         made:    [------ few ------]      alarm at t3: makes t4, t5, t6
 *
 * Nothing shows that messages are made late. Those of one node are given to the network in the order of the calls that
 * send them. So before anything else of the node is sent, its exchange makes the rest (mpi_exchange_hurry()), and a
 * node has one exchange at most. All messages of a time are made before that time begins: the alarm comes at an earlier
 * one.
 *
 * The blocks of neighbouring ranks come one after the other and lie side by side, in reverse. They are collected before
 * they go to the memory of the program: every rank's is somewhere else, and finding it for each block takes longer than
 * all the rest.
 *
 * Messages that have come before the round begins are handled in the order of the steps, between the sends, and delay
 * those that follow. The exchange keeps a list of these delays. */
#include "mpi/collective/exchange.h"
#include "mpi/collective/collective.h"
#include "mpi/comm/comm.h"
#include "mpi/core/call.h"
#include "mpi/core/count.h"
#include "mpi/core/hooks.h"
#include "mpi/core/pool.h"
#include "mpi/core/rank.h"
#include "mpi/core/slots.h"
#include "mpi/core/world.h"
#include "mpi/p2p/p2p.h"

#include <string.h>

enum { AHEAD = 4 };  /* messages that are made ahead of time */
enum { STAGE = 64 }; /* bytes that are collected before they go to the program's memory */

/* The call has spent time before it sent over this distance. */
typedef struct Delay {
    uint32_t distance;
    uint64_t ps;
} Delay;

struct MpiExchange {
    MpiMany many;          /* first member */
    MpiSchedule *schedule; /* NULL: the round is over, but the alarm is still to come */
    MpiCall *call;         /* the call or agent on whose time the schedule runs */
    uint32_t next, end;    /* distances of the sends that are charged but not made: next <= d < end */
    bool alarmed;          /* an alarm is on its way */
    bool sending;          /* it stands in the table of nodes */
    uint64_t now_ps;       /* time of the call before the next send */
    uint64_t id;           /* id of the next message */
    GArray *delays;        /* Delay, in order; NULL: none */
    guint delay;           /* index of the first delay that is not in now_ps */
    uint64_t staged_at;    /* address of the data in the last bytes of `stage` */
    uint32_t staged;       /* their number */
    uint8_t stage[STAGE];
};

typedef struct Exchanges { /* what the world keeps */
    MpiPool pool;
    GHashTable *by_node; /* node -> MpiExchange that is sending; never iterated */
} Exchanges;

static void exchanges_free(gpointer data)
{
    Exchanges *exchanges = data;
    mpi_pool_clear(&exchanges->pool);
    g_hash_table_unref(exchanges->by_node);
    g_free(exchanges);
}

static Exchanges *exchanges_of(MpiWorld *world)
{
    Exchanges *exchanges = mpi_world_slot(world, MPI_SLOT_EXCHANGES);
    if (!exchanges) {
        exchanges = g_new0(Exchanges, 1);
        mpi_pool_init(&exchanges->pool, sizeof(MpiExchange));
        exchanges->by_node = g_hash_table_new(NULL, NULL);
        mpi_world_set_slot(world, MPI_SLOT_EXCHANGES, exchanges, exchanges_free);
    }
    return exchanges;
}

static gpointer node_of(const MpiRank *rank)
{
    const MpiEnv *env = &rank->world->env;
    return GUINT_TO_POINTER(env->node ? env->node(env->user, rank->index) : 0);
}

/* -- whether ----------------------------------------------------------------------------------- */

/* Whether somebody listens at the points at which messages and requests of the usual way are told. */
static bool is_heard(const MpiWorld *world)
{
    return false
#define POINT(name) || mpi_listens_##name(world)
        POINT(sent) POINT(transmitted) POINT(delivered) POINT(handled) POINT(posted) POINT(arrived) POINT(matched)
            POINT(received) POINT(dropped) POINT(begun) POINT(completed) POINT(released) POINT(gone) POINT(waits)
                POINT(spent) POINT(delay);
#undef POINT
}

static bool all_eager(const MpiPlan *plan, uint64_t eager_limit)
{
    bool eager = plan->bytes <= eager_limit || plan->send_bytes;
    for (uint32_t i = 0; plan->send_bytes && i < plan->size && eager; i++)
        eager = plan->send_bytes[i] <= eager_limit;
    return eager;
}

bool mpi_exchange_is_possible(const MpiCall *call, const MpiSchedule *schedule)
{
    const MpiWorld *world = call->world;
    return world->env.late && !world->detailed && !is_heard(world) && !mpi_match_is_ruled(&call->rank->matcher) &&
           !schedule->comm->inter && !call->rank->threads && all_eager(&schedule->plan, call->rank->eager_limit);
}

/* -- sending ----------------------------------------------------------------------------------- */

static uint64_t send_ps(const MpiParams *params, uint64_t bytes)
{
    return mpi_call_bytes_ps(bytes, params->copy_byte_fs) + mpi_transfer_overhead_ps(&params->send_overhead, bytes);
}

static void stop_sending(MpiExchange *exchange)
{
    const MpiRank *rank = exchange->call->rank;
    g_hash_table_remove(exchanges_of(rank->world)->by_node, node_of(rank));
    exchange->sending = false;
    rank->world->exchanges--;
}

static void stop_if_done(MpiExchange *exchange)
{
    if (exchange->sending && exchange->next == exchange->schedule->plan.size)
        stop_sending(exchange);
}

/* Returns whether there is another send, and its distance and bytes. Adds the delays before it to the time. */
static bool find_send(MpiExchange *exchange, uint64_t *bytes)
{
    const MpiPlan *plan = &exchange->schedule->plan;
    for (; exchange->next < exchange->end; exchange->next++) {
        for (; exchange->delays && exchange->delay < exchange->delays->len; exchange->delay++) {
            const Delay *delay = &g_array_index(exchange->delays, Delay, exchange->delay);
            if (delay->distance > exchange->next)
                break;
            exchange->now_ps += delay->ps;
        }
        *bytes = mpi_plan_send_bytes(plan, mpi_plan_behind(plan, exchange->next));
        if (*bytes)
            return true;
    }
    return false;
}

static void send_one(MpiExchange *exchange, uint64_t bytes, uint64_t time_ps)
{
    const MpiSchedule *schedule = exchange->schedule;
    uint32_t to = mpi_plan_behind(&schedule->plan, exchange->next);
    MpiBuffer buffer = mpi_schedule_buffer(schedule, mpi_plan_send_offset(&schedule->plan, to), bytes);
    exchange->now_ps = time_ps;
    exchange->next++;
    mpi_transfer_send_counted(exchange->call->rank, &buffer, schedule->comm, to, exchange->many.item.key.tag,
                              exchange->call->pc, exchange->id++, time_ps);
}

/* Sends all that is charged, or what comes first and asks for an alarm. */
static void send_on(MpiExchange *exchange, bool all)
{
    MpiWorld *world = exchange->call->world;
    uint64_t bytes;
    for (uint32_t made = 0; find_send(exchange, &bytes); made++) {
        uint64_t time_ps = exchange->now_ps + send_ps(&world->params, bytes);
        if (!all && made >= AHEAD && time_ps > exchange->now_ps) {
            exchange->alarmed = true;
            world->env.alarm(world->env.user, exchange->call->rank->index, exchange->now_ps,
                             (uint64_t)(uintptr_t)exchange | MPI_EXCHANGE_ALARM);
            return;
        }
        send_one(exchange, bytes, time_ps);
    }
}

void mpi_exchange_hurry(MpiWorld *world, const MpiRank *rank)
{
    MpiExchange *exchange = world->exchanges ? g_hash_table_lookup(exchanges_of(world)->by_node, node_of(rank)) : NULL;
    if (!exchange)
        return;
    send_on(exchange, true);
    stop_if_done(exchange);
}

void mpi_exchange_alarm(MpiWorld *world, uint64_t cookie)
{
    MpiExchange *exchange = (MpiExchange *)(uintptr_t)(cookie & ~MPI_EXCHANGE_ALARM);
    exchange->alarmed = false;
    if (!exchange->schedule) {
        mpi_pool_give(&exchanges_of(world)->pool, exchange);
        return;
    }
    send_on(exchange, false);
    stop_if_done(exchange);
}

/* -- receiving --------------------------------------------------------------------------------- */

static const MpiExchange *exchange_of(const MpiMany *many)
{
    return (const MpiExchange *)(const void *)many;
}

MpiScheduleHead *mpi_exchange_head(const MpiMany *many)
{
    return &exchange_of(many)->schedule->head;
}

/* Writes `bytes` bytes of the program's memory, and zeros up to `room`: what the program sees behind a message that is
 * too short is not to depend on where messages are collected. Returns false if the memory is gone. */
static bool write_place(MpiSchedule *schedule, uint64_t address, const uint8_t *data, uint64_t bytes, uint64_t room)
{
    uint8_t *to = vm_rank_write(schedule->place.process, address, room);
    if (!to)
        return false;
    if (bytes)
        memcpy(to, data, bytes);
    memset(to + bytes, 0, room - bytes);
    return true;
}

static bool write_staged(MpiExchange *exchange)
{
    uint32_t bytes = exchange->staged;
    exchange->staged = 0;
    return !bytes ||
           write_place(exchange->schedule, exchange->staged_at, exchange->stage + STAGE - bytes, bytes, bytes);
}

static bool stage(MpiExchange *exchange, uint64_t address, const uint8_t *data, uint64_t bytes)
{
    bool fits = exchange->staged + bytes <= STAGE && exchange->staged_at == address + bytes;
    bool written = (exchange->staged && fits) || write_staged(exchange);
    exchange->staged += (uint32_t)bytes;
    exchange->staged_at = address;
    memcpy(exchange->stage + STAGE - exchange->staged, data, bytes);
    return written;
}

uint64_t mpi_exchange_store(MpiMany *many, uint32_t source, const uint8_t *data, uint64_t bytes, int *error)
{
    MpiExchange *exchange = (MpiExchange *)(void *)many;
    MpiSchedule *schedule = exchange->schedule;
    uint64_t offset = mpi_plan_recv_offset(&schedule->plan, source),
             room = mpi_plan_recv_bytes(&schedule->plan, source);
    uint64_t stored = MIN(bytes, room);
    bool written = true;
    if (!schedule->place.process) {
        if (schedule->memory)
            memcpy(schedule->memory + offset, data, stored);
    } else if (stored == room && room <= STAGE) {
        written = stage(exchange, mpi_schedule_buffer(schedule, offset, room).address, data, room);
    } else {
        written = write_place(schedule, mpi_schedule_buffer(schedule, offset, room).address, data, stored, room);
    }
    if (!written)
        *error = MPI_ERR_BUFFER;
    return stored;
}

MpiRequest *mpi_exchange_request(MpiMany *many, uint32_t source)
{
    const MpiExchange *exchange = exchange_of(many);
    MpiSchedule *schedule = exchange->schedule;
    uint64_t bytes = mpi_plan_recv_bytes(&schedule->plan, source);
    MpiBuffer place = mpi_schedule_buffer(schedule, mpi_plan_recv_offset(&schedule->plan, source), bytes);
    if (place.process)
        write_place(schedule, place.address, NULL, 0, bytes);
    MpiRequest *request = mpi_request_new(exchange->call, MPI_REQUEST_RECEIVE, MPI_MODE_STANDARD, &place,
                                          schedule->comm, (int)source, many->item.key.tag, true);
    mpi_schedule_keep(schedule, request);
    mpi_request_begin(request);
    request->item.key = many->item.key;
    request->item.key.source = (int32_t)source;
    return request;
}

/* Handles the message over this distance if it has come already; else awaits it. */
static void receive(MpiCall *call, MpiExchange *exchange, uint32_t distance)
{
    MpiMany *many = &exchange->many;
    const MpiPlan *plan = &exchange->schedule->plan;
    MpiMatcher *matcher = &call->rank->matcher;
    uint32_t source = mpi_plan_before(plan, distance);
    MpiKey key = many->item.key;
    key.source = (int32_t)source;
    if (!mpi_plan_recv_bytes(plan, source))
        return;
    exchange->schedule->head.open++;
    MpiItem *message = matcher->n_unexpected ? mpi_match_probe(matcher, &call->world->bins, key) : NULL;
    if (!message) {
        many->awaited[source / 64] |= UINT64_C(1) << source % 64;
        many->open++;
        return;
    }
    uint64_t began_ps = call->now;
    mpi_match_remove(matcher, &call->world->bins, message);
    mpi_transfer_take(call, many, (MpiMessage *)message);
    Delay delay = {.distance = distance, .ps = call->now - began_ps};
    if (!exchange->delays)
        exchange->delays = g_array_new(FALSE, FALSE, sizeof(Delay));
    g_array_append_val(exchange->delays, delay);
}

/* Charges the send over this distance; the message is made later. */
static void charge(MpiCall *call, MpiExchange *exchange, uint32_t distance)
{
    const MpiPlan *plan = &exchange->schedule->plan;
    uint64_t bytes = mpi_plan_send_bytes(plan, mpi_plan_behind(plan, distance));
    if (bytes) {
        mpi_call_charge(call, send_ps(&call->world->params, bytes));
        mpi_count_sent(call->rank, bytes);
        call->world->next_message++;
    }
    exchange->end = distance + 1;
}

/* -- beginning and end ------------------------------------------------------------------------- */

static MpiExchange *exchange_new(MpiCall *call, MpiSchedule *schedule)
{
    MpiExchange *exchange = mpi_pool_take(&exchanges_of(call->world)->pool);
    exchange->many.item.key = (MpiKey){
        .space = schedule->comm->context << 1 | 1, .source = MPI_ANY_SOURCE_, .tag = (int)(schedule->turn & INT32_MAX)};
    exchange->many.awaited = g_new0(uint64_t, schedule->plan.size / 64 + 1);
    exchange->schedule = schedule;
    exchange->call = call;
    exchange->now_ps = call->now;
    exchange->id = call->world->next_message;
    exchange->next = exchange->end = 1;
    schedule->exchange = exchange;
    return exchange;
}

void mpi_exchange_begin(MpiCall *call, MpiSchedule *schedule)
{
    MpiWorld *world = call->world;
    mpi_exchange_hurry(world, call->rank);
    MpiExchange *exchange = exchange_new(call, schedule);
    g_hash_table_insert(exchanges_of(world)->by_node, node_of(call->rank), exchange);
    exchange->sending = true;
    world->exchanges++;
    for (uint32_t distance = 1; distance < schedule->plan.size; distance++) {
        receive(call, exchange, distance);
        charge(call, exchange, distance);
    }
    if (exchange->many.open)
        mpi_match_post_many(&call->rank->matcher, &world->bins, &exchange->many);
    send_on(exchange, false);
    stop_if_done(exchange);
}

void mpi_exchange_end(MpiWorld *world, MpiSchedule *schedule, bool send)
{
    MpiExchange *exchange = schedule->exchange;
    if (!exchange)
        return;
    if (send)
        send_on(exchange, true);
    if (send && !write_staged(exchange))
        schedule->head.error = MPI_ERR_BUFFER;
    if (exchange->sending)
        stop_sending(exchange);
    if (exchange->many.open)
        mpi_match_withdraw(&exchange->call->rank->matcher, &world->bins, &exchange->many.item);
    g_free(exchange->many.awaited);
    if (exchange->delays)
        g_array_free(exchange->delays, TRUE);
    exchange->schedule = NULL;
    schedule->exchange = NULL;
    if (!exchange->alarmed)
        mpi_pool_give(&exchanges_of(world)->pool, exchange);
}

/* -- explaining -------------------------------------------------------------------------------- */

static void spell_out(MpiExchange *exchange)
{
    MpiMany *many = &exchange->many;
    MpiWorld *world = exchange->call->world;
    MpiMatcher *matcher = &exchange->call->rank->matcher;
    const MpiPlan *plan = &exchange->schedule->plan;
    if (!many->open)
        return;
    mpi_match_withdraw(matcher, &world->bins, &many->item);
    for (uint32_t distance = 1; distance < plan->size; distance++) {
        uint32_t source = mpi_plan_before(plan, distance);
        if (!(many->awaited[source / 64] >> source % 64 & 1))
            continue;
        MpiRequest *request = mpi_exchange_request(many, source);
        mpi_match_post(matcher, &world->bins, &request->item);
        request->posted = true;
    }
    many->open = 0;
}

static void spell_out_schedule(const MpiSchedule *schedule)
{
    if (schedule && schedule->exchange)
        spell_out(schedule->exchange);
}

void mpi_exchange_spell_out(MpiWorld *world)
{
    for (uint32_t i = 0; i < world->n_ranks; i++) {
        const MpiRank *rank = mpi_world_rank(world, i);
        for (const MpiRequest *request = rank->requests; request; request = request->next)
            if (request->sort == MPI_REQUEST_COLLECTIVE)
                spell_out_schedule(mpi_operation_schedule(request->operation));
            else if (request->sort == MPI_REQUEST_AGENT)
                spell_out_schedule(request->agent->collective.schedule);
        for (const MpiCall *call = rank->call; call; call = call->outer)
            spell_out_schedule(call->collective.schedule);
    }
}
