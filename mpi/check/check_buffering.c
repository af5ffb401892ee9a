/* check_buffering.c - would the program deadlock if standard sends did not buffer (MPI-3.1 section 3.5)?
 *
 * A rehearsal runs beside the run, in which every send waits for its receive. It takes the run's calls as they come, in
 * the order of each rank, and knows which send met which receive:
 *
 *      START op      a send or receive begins. In the rehearsal it is complete when its partner has begun, too
 *      WAIT ops      MPI_Send, MPI_Recv, MPI_Wait ... and each round of a collective: goes on when all are complete,
 *                    MPI_Waitany and MPI_Waitsome when one is
 *      PROBE op      MPI_Probe: goes on when the send that it found has begun
 *      BEGIN, END    of a collective in the background, which has a line of steps of its own
 *
 * Steps of a rank that cannot go on are kept until it can; in a safe program there are hardly any. A rank that still
 * waits at the end of the run would wait for ever. This is certain, since everything that could free it has happened.
 * MPI_Test and MPI_Iprobe do not wait, so the steps after them count as early as possible.
 *
 * In the run, a receive from any source took the message that came first. In a run without buffering that may have been
 * another message. So when nothing can go on any more, such a receive takes any message that has begun and fits.
 *
 * Only the main thread comes here, in the global order of effects. The run itself does not change. */
#include "mpi/check/buffering.h"
#include "mpi/collective/schedule.h"
#include "mpi/core/call.h"
#include "mpi/core/findings.h"
#include "mpi/core/function.h"
#include "mpi/core/hooks.h"
#include "mpi/core/matcher.h"
#include "mpi/core/places.h"
#include "mpi/core/rank.h"
#include "mpi/core/slots.h"
#include "mpi/core/world.h"
#include "mpi/p2p/p2p.h"
#include "mpi/type/type.h"

#include <string.h>

enum { MOST_STEPS = 1 << 22 }; /* limit of the steps that are kept at a time; beyond it the rehearsal ends early */

/* -- operations -------------------------------------------------------------------------------- */

static void op_unref(gpointer data)
{
    Op *op = data;
    Rehearsal *rehearsal = op->rehearsal;
    if (--op->refs)
        return;
    *(op->previous ? &op->previous->next : &rehearsal->oldest) = op->next;
    *(op->next ? &op->next->previous : &rehearsal->newest) = op->previous;
    mpi_pool_give(&rehearsal->ops, op);
}

static Op *op_ref(Op *op)
{
    op->refs++;
    return op;
}

static Op *op_new(Rehearsal *rehearsal, Line *line, uint32_t pc, const char *name, bool send)
{
    Op *op = mpi_pool_take_unset(&rehearsal->ops);
    *op = (Op){.rehearsal = rehearsal,
               .refs = 1,
               .previous = rehearsal->newest,
               .line = line,
               .send = send,
               .pc = pc,
               .name = name};
    *(rehearsal->newest ? &rehearsal->newest->next : &rehearsal->oldest) = op;
    rehearsal->newest = op;
    return op;
}

/* -- lines ------------------------------------------------------------------------------------- */

static void step_clear(const Step *step)
{
    for (uint32_t i = 0; i < step->n; i++)
        op_unref(step_ops(step)[i]);
    if (step->n > STEP_FEW)
        g_free(step->many);
}

static void line_push(Rehearsal *rehearsal, Line *line, const Step *step)
{
    QueuedStep *queued = mpi_pool_take_unset(&rehearsal->steps);
    queued->next = NULL;
    queued->step = *step;
    *(line->first ? &line->last->next : &line->first) = queued;
    line->last = queued;
    rehearsal->kept++;
}

void mpi_buffering_line_pop(Rehearsal *rehearsal, Line *line)
{
    QueuedStep *first = line->first;
    line->first = first->next;
    step_clear(&first->step);
    mpi_pool_give(&rehearsal->steps, first);
    rehearsal->kept--;
}

static void line_free(gpointer data)
{
    Line *line = data;
    for (const QueuedStep *step = line->first; step; step = step->next)
        step_clear(&step->step);
    for (guint i = 0; i < line->at_once->len; i++)
        op_unref(line->at_once->pdata[i]);
    g_ptr_array_unref(line->at_once);
    g_free(line);
}

static Line *line_new(Rehearsal *rehearsal, uint32_t rank)
{
    Line *line = g_new0(Line, 1);
    line->rank = rank;
    line->at_once = g_ptr_array_new();
    g_ptr_array_add(rehearsal->all, line);
    return line;
}

static Line *background_line(Rehearsal *rehearsal, const MpiCall *agent)
{
    Line *line = g_hash_table_lookup(rehearsal->lines, agent);
    if (!line) {
        line = line_new(rehearsal, agent->rank->index);
        g_hash_table_insert(rehearsal->lines, (gpointer)agent, line);
    }
    return line;
}

static Line *line_of_rank(Rehearsal *rehearsal, const MpiRank *rank)
{
    Line **line = &rehearsal->of_rank[rank->index];
    if (!*line)
        *line = line_new(rehearsal, rank->index);
    return *line;
}

static Line *line_of(Rehearsal *rehearsal, const MpiCall *call)
{
    return call->background ? background_line(rehearsal, call) : line_of_rank(rehearsal, call->rank);
}

void mpi_buffering_line_wake(Rehearsal *rehearsal, Line *line)
{
    if (line && !line->queued && !line->held && line->first) {
        line->queued = true;
        line->next_ready = NULL;
        *(rehearsal->ready ? &rehearsal->ready_last->next_ready : &rehearsal->ready) = line;
        rehearsal->ready_last = line;
    }
}

void mpi_buffering_op_finish(Op *op)
{
    g_assert(op);
    op->done = true;
    mpi_buffering_line_wake(op->rehearsal, op->line);
}

/* Completes two partners if both have begun. */
static void pair_finish(Op *op)
{
    Op *partner = op->partner;
    if (!partner || !op->begun || !partner->begun)
        return;
    mpi_buffering_op_finish(op);
    mpi_buffering_op_finish(partner);
    op->partner = partner->partner = NULL;
    op_unref(op);
    op_unref(partner);
}

static void op_begin(Rehearsal *rehearsal, Op *op)
{
    g_assert(op);
    op->begun = true;
    mpi_buffering_line_wake(rehearsal, op->prober);
    pair_finish(op);
}

static bool all_complete(Step *step)
{
    while (step->at < step->n && step_ops(step)[step->at]->done)
        step->at++;
    return step->at == step->n;
}

static bool any_complete(const Step *step)
{
    for (uint32_t i = 0; i < step->n; i++)
        if (step_ops(step)[i]->done)
            return true;
    return step->n == 0;
}

/* Does the step if that is possible. Returns false if not. */
static bool step_do(Rehearsal *rehearsal, Step *step)
{
    Op *op = step->n ? step_ops(step)[0] : NULL;
    g_assert(op || step->kind == STEP_ALL || step->kind == STEP_ANY);
    switch (step->kind) {
    case STEP_START: op_begin(rehearsal, op); return true;
    case STEP_ALL: return all_complete(step);
    case STEP_ANY: return any_complete(step);
    case STEP_PROBE: return op->begun || op->done;
    case STEP_BEGIN:
        op->background->held = false;
        mpi_buffering_line_wake(rehearsal, op->background);
        return true;
    case STEP_END: mpi_buffering_op_finish(op); return true;
    }
    return true;
}

static void rehearsal_end(Rehearsal *rehearsal, bool finished);

static void line_run(Rehearsal *rehearsal, Line *line)
{
    line->queued = false;
    while (line->first && step_do(rehearsal, &line->first->step))
        mpi_buffering_line_pop(rehearsal, line);
}

void mpi_buffering_run_ready(Rehearsal *rehearsal)
{
    while (rehearsal->ready) {
        Line *line = rehearsal->ready;
        rehearsal->ready = line->next_ready;
        line_run(rehearsal, line);
    }
}

/* Adds a step that cannot be done yet, to a line that has nothing else to do. */
static void line_wait(Rehearsal *rehearsal, Line *line, const Step *step)
{
    line_push(rehearsal, line, step);
    if (rehearsal->kept > MOST_STEPS)
        rehearsal_end(rehearsal, false);
}

/* Adds a step. Takes the references in it. Most steps come to a line that has nothing else to do, and can be done at
 * once. */
static void line_add(Rehearsal *rehearsal, Line *line, Step step)
{
    bool idle = !line->first;
    if (idle && !line->held && step_do(rehearsal, &step)) {
        step_clear(&step);
        mpi_buffering_run_ready(rehearsal);
        return;
    }
    line_push(rehearsal, line, &step);
    if (idle)
        mpi_buffering_line_wake(rehearsal, line);
    mpi_buffering_run_ready(rehearsal);
    if (rehearsal->kept > MOST_STEPS)
        rehearsal_end(rehearsal, false);
}

static void line_start(Rehearsal *rehearsal, Line *line, Op *op)
{
    line_add(rehearsal, line, (Step){.kind = STEP_START, .n = 1, .few = {op_ref(op)}});
}

/* Adds a step that waits for the operations in line->at_once, and empties that. */
static void wait_for_all(Rehearsal *rehearsal, Line *line, StepKind kind, uint32_t pc, const char *name)
{
    GPtrArray *ops = line->at_once;
    Step step = {.kind = kind, .n = ops->len, .pc = pc, .name = name};
    if (!step.n)
        return;
    if (step.n > STEP_FEW)
        step.many = g_memdup2(ops->pdata, step.n * sizeof *step.many);
    else
        memcpy(step.few, ops->pdata, step.n * sizeof step.few[0]);
    g_ptr_array_set_size(ops, 0); /* the step has their references */
    line_add(rehearsal, line, step);
}

/* -- what the engine tells --------------------------------------------------------------------- */

static Rehearsal *rehearsal_of(const MpiWorld *world)
{
    return mpi_world_slot(world, MPI_SLOT_REHEARSAL);
}

static Rehearsal *rehearsal_new(MpiWorld *world)
{
    Rehearsal *rehearsal = g_new0(Rehearsal, 1);
    rehearsal->world = world;
    rehearsal->of_rank = g_new0(Line *, world->room);
    mpi_pool_init(&rehearsal->ops, sizeof(Op));
    mpi_pool_init(&rehearsal->steps, sizeof(QueuedStep));
    rehearsal->wholes = g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)g_ptr_array_unref);
    rehearsal->lines = g_hash_table_new(NULL, NULL);
    rehearsal->all = g_ptr_array_new_with_free_func(line_free);
    return rehearsal;
}

/* Drops all operations and steps. The notes of requests and messages are not looked at any more. */
static void drop_all(Rehearsal *rehearsal)
{
    if (!rehearsal->ops.chunks)
        return;
    g_hash_table_remove_all(rehearsal->wholes);
    g_hash_table_remove_all(rehearsal->lines);
    g_ptr_array_set_size(rehearsal->all, 0);
    mpi_pool_clear(&rehearsal->ops);
    mpi_pool_clear(&rehearsal->steps);
}

static void rehearsal_free(void *data)
{
    Rehearsal *rehearsal = data;
    drop_all(rehearsal);
    g_free(rehearsal->of_rank);
    g_hash_table_unref(rehearsal->wholes);
    g_hash_table_unref(rehearsal->lines);
    g_ptr_array_unref(rehearsal->all);
    g_free(rehearsal);
}

/* Lets a request or message refer to an operation; NULL: to none any more. */
static void note_op(void **note, Op *op)
{
    Op *before = *note;
    *note = op ? op_ref(op) : NULL;
    if (before)
        op_unref(before);
}

static void **request_note(MpiRequest *request)
{
    return &request->notes[MPI_REQUEST_NOTE_REHEARSAL];
}

static Op *op_of(const MpiRequest *request)
{
    return request->notes[MPI_REQUEST_NOTE_REHEARSAL];
}

static void **message_note(MpiMessage *message)
{
    return &message->notes[MPI_MESSAGE_NOTE_REHEARSAL];
}

/* Records the part of a request such as that of MPI_Isendrecv: waiting for the request means waiting for its parts. */
static void note_part(Rehearsal *rehearsal, const MpiRequest *request, Op *op)
{
    if (!request->part || request->whole->partitioned)
        return;
    GPtrArray *parts = g_hash_table_lookup(rehearsal->wholes, request->whole);
    if (!parts) {
        parts = g_ptr_array_new_with_free_func(op_unref);
        g_hash_table_insert(rehearsal->wholes, request->whole, parts);
    }
    g_ptr_array_add(parts, op_ref(op));
}

/* A send begins, with a request, or as one that the rank's next wait must wait for. */
static void note_sent(MpiWorld *world, MpiCall *call, MpiMessage *message, const MpiBuffer *buffer, MpiRequest *request)
{
    (void)buffer;
    Rehearsal *rehearsal = rehearsal_of(world);
    if (rehearsal->ended)
        return;
    Line *line = line_of(rehearsal, call);
    Op *op = op_new(rehearsal, line, call->pc, call->name, true);
    op->key = message->item.key;
    op->to = message->to;
    note_op(message_note(message), op);
    if (!request)
        g_ptr_array_add(line->at_once, op_ref(op));
    else if (!request->attached)
        note_op(request_note(request), op);
    if (request)
        note_part(rehearsal, request, op);
    line_start(rehearsal, line, op);
    if (!rehearsal->ended)
        op_unref(op);
}

static void note_posted(MpiWorld *world, MpiCall *call, MpiRequest *request, bool claimed)
{
    (void)claimed;
    Rehearsal *rehearsal = rehearsal_of(world);
    if (rehearsal->ended)
        return;
    if (call->expands) { /* it has begun already, and its wait, too */
        *request_note(request) = call->note;
        return;
    }
    Line *line = line_of(rehearsal, call);
    Op *op = op_new(rehearsal, line, call->pc, call->name, false);
    op->key = request->item.key;
    op->to = call->rank->index;
    note_op(request_note(request), op);
    note_part(rehearsal, request, op);
    line_start(rehearsal, line, op);
    if (!rehearsal->ended)
        op_unref(op);
}

static void match(Rehearsal *rehearsal, Op *to, MpiMessage *message)
{
    Op *from = *message_note(message);
    if (!to || !from)
        return;
    to->partner = op_ref(from);
    from->partner = op_ref(to);
    note_op(message_note(message), NULL);
    pair_finish(to);
    mpi_buffering_run_ready(rehearsal);
}

static void note_matched(MpiWorld *world, MpiRequest *receive, MpiMessage *message)
{
    Rehearsal *rehearsal = rehearsal_of(world);
    if (!rehearsal->ended)
        match(rehearsal, op_of(receive), message);
}

/* -- messages on their short ways -------------------------------------------------------------- */

/* The rank begins an operation and waits for it. It cannot be complete yet. */
static void begin_and_wait(Rehearsal *rehearsal, Line *line, Op *op)
{
    if (line->first || line->at_once->len) {
        g_ptr_array_add(line->at_once, op_ref(op));
        line_start(rehearsal, line, op);
        if (!rehearsal->ended)
            wait_for_all(rehearsal, line, STEP_ALL, op->pc, op->name);
        return;
    }
    op->begun = true;
    line_wait(rehearsal, line, &(Step){.kind = STEP_ALL, .n = 1, .few = {op_ref(op)}, .pc = op->pc, .name = op->name});
}

/* The rank begins a send, and waits for it and for a receive that has begun. Takes the reference to that. */
static void begin_and_wait_for_both(Rehearsal *rehearsal, Line *line, Op *send, Op *receive)
{
    g_ptr_array_add(line->at_once, op_ref(send));
    g_ptr_array_add(line->at_once, receive);
    line_start(rehearsal, line, send);
    if (!rehearsal->ended)
        wait_for_all(rehearsal, line, STEP_ALL, send->pc, send->name);
}

static void note_posted_plainly(MpiWorld *world, MpiRank *rank, MpiPlainReceive *receive)
{
    Rehearsal *rehearsal = rehearsal_of(world);
    if (rehearsal->ended)
        return;
    Line *line = line_of_rank(rehearsal, rank);
    uint32_t pc = mpi_place_of_call(world, rank->process);
    uint32_t function = receive->exchange ? MPI_FUNCTION_Sendrecv : MPI_FUNCTION_Recv;
    Op *op = op_new(rehearsal, line, pc, mpi_function(function)->info.name, false);
    op->key = receive->key;
    op->to = rank->index;
    receive->note = op;
    if (receive->exchange)
        line_start(rehearsal, line, op_ref(op)); /* the reference is for note_sent_plainly() */
    else
        begin_and_wait(rehearsal, line, op);
}

static void note_sent_plainly(MpiWorld *world, MpiRank *rank, MpiMessage *message, MpiPlainReceive *receive)
{
    Rehearsal *rehearsal = rehearsal_of(world);
    if (rehearsal->ended)
        return;
    Line *line = line_of_rank(rehearsal, rank);
    uint32_t function = receive ? MPI_FUNCTION_Sendrecv : MPI_FUNCTION_Send;
    Op *op = op_new(rehearsal, line, message->sent_pc, mpi_function(function)->info.name, true);
    op->key = message->item.key;
    op->to = message->to;
    *message_note(message) = op;
    if (receive)
        begin_and_wait_for_both(rehearsal, line, op, receive->note);
    else
        begin_and_wait(rehearsal, line, op);
}

static void note_matched_plainly(MpiWorld *world, MpiPlainReceive *receive, MpiMessage *message)
{
    Rehearsal *rehearsal = rehearsal_of(world);
    if (rehearsal->ended)
        return;
    match(rehearsal, receive->note, message);
    op_unref(receive->note);
}

/* -- what the engine tells, further ------------------------------------------------------------ */

static void note_dropped(MpiWorld *world, MpiMessage *message)
{
    if (!rehearsal_of(world)->ended)
        note_op(message_note(message), NULL);
}

static void note_gone(MpiWorld *world, MpiRequest *request)
{
    Rehearsal *rehearsal = rehearsal_of(world);
    if (rehearsal->ended)
        return;
    note_op(request_note(request), NULL);
    if (g_hash_table_size(rehearsal->wholes))
        g_hash_table_remove(rehearsal->wholes, request);
}

static void note_cancelled(MpiWorld *world, MpiRequest *request)
{
    Rehearsal *rehearsal = rehearsal_of(world);
    Op *op = op_of(request);
    if (rehearsal->ended || !op)
        return;
    mpi_buffering_op_finish(op);
    mpi_buffering_run_ready(rehearsal);
}

static void add_request(Rehearsal *rehearsal, GPtrArray *ops, const MpiRequest *request)
{
    Op *op = op_of(request);
    const GPtrArray *parts =
        request->sort == MPI_REQUEST_WHOLE ? g_hash_table_lookup(rehearsal->wholes, request) : NULL;
    if (op)
        g_ptr_array_add(ops, op_ref(op));
    for (guint i = 0; parts && i < parts->len; i++)
        g_ptr_array_add(ops, op_ref(parts->pdata[i]));
}

static void note_wait(MpiWorld *world, MpiCall *call, MpiRequest *const *requests, unsigned n, bool any)
{
    Rehearsal *rehearsal = rehearsal_of(world);
    if (rehearsal->ended || call->expands)
        return;
    Line *line = line_of(rehearsal, call);
    GPtrArray *ops = line->at_once;
    for (unsigned i = 0; i < n; i++)
        if (requests[i])
            add_request(rehearsal, ops, requests[i]);
    wait_for_all(rehearsal, line, any ? STEP_ANY : STEP_ALL, call->pc, call->name);
}

/* The call has waited for the message and goes on. */
static void note_probed(MpiWorld *world, MpiCall *call, MpiMessage *message, bool claims)
{
    Rehearsal *rehearsal = rehearsal_of(world);
    bool waits = call->function == MPI_FUNCTION_Probe || call->function == MPI_FUNCTION_Mprobe;
    Op *op = waits && message ? *message_note(message) : NULL;
    (void)claims;
    if (rehearsal->ended || !op)
        return;
    Line *line = line_of(rehearsal, call);
    op->prober = line;
    line_add(rehearsal, line,
             (Step){.kind = STEP_PROBE,
                    .n = 1,
                    .few = {op_ref(op)},
                    .key = call->rank->probe_key,
                    .pc = call->pc,
                    .name = call->name});
}

static void note_background(MpiWorld *world, MpiCall *call, MpiCall *agent, MpiRequest *request)
{
    Rehearsal *rehearsal = rehearsal_of(world);
    if (rehearsal->ended)
        return;
    Line *line = line_of(rehearsal, call);
    Op *op = op_new(rehearsal, line, call->pc, call->name, false);
    op->begun = true;
    op->background = background_line(rehearsal, agent);
    op->background->held = true;
    note_op(request_note(request), op);
    line_add(rehearsal, line, (Step){.kind = STEP_BEGIN, .n = 1, .few = {op_ref(op)}});
    if (!rehearsal->ended)
        op_unref(op);
}

static void note_ended(MpiWorld *world, MpiCall *agent, MpiSchedule *schedule, MpiRequest *request)
{
    (void)schedule;
    if (!request)
        return;
    Rehearsal *rehearsal = rehearsal_of(world);
    Line *line = g_hash_table_lookup(rehearsal->lines, agent);
    Op *op = op_of(request);
    if (rehearsal->ended || !line || !op)
        return;
    g_hash_table_remove(rehearsal->lines, agent);
    line_add(rehearsal, line, (Step){.kind = STEP_END, .n = 1, .few = {op_ref(op)}});
}

/* -- the end of the run ------------------------------------------------------------------------ */

static void rehearsal_end(Rehearsal *rehearsal, bool finished)
{
    if (rehearsal->ended)
        return;
    rehearsal->ended = true;
    mpi_buffering_choose_others(rehearsal);
    mpi_buffering_tell_all(rehearsal, finished);
    drop_all(rehearsal);
}

static void end(MpiWorld *world)
{
    if (rehearsal_of(world))
        rehearsal_end(rehearsal_of(world), true);
}

static void begin(MpiWorld *world)
{
    if (!mpi_check_is_on(world, MPI_CHECK_BUFFERING))
        return;
    mpi_world_set_slot(world, MPI_SLOT_REHEARSAL, rehearsal_new(world), rehearsal_free);
    mpi_hooks_add_short(world, &(MpiHooks){.sent = note_sent,
                                           .posted = note_posted,
                                           .matched = note_matched,
                                           .dropped = note_dropped,
                                           .waits = note_wait,
                                           .probed = note_probed,
                                           .cancelled = note_cancelled,
                                           .gone = note_gone,
                                           .sent_plainly = note_sent_plainly,
                                           .posted_plainly = note_posted_plainly,
                                           .matched_plainly = note_matched_plainly,
                                           .background_begun = note_background,
                                           .collective_ended = note_ended});
}

const MpiPart mpi_part_rehearsal = {.begin = begin, .end = end};
