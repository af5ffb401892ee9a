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

enum { MOST_STEPS = 1 << 22 }; /* limit of the steps that are kept at a time; beyond it the rehearsal ends early */

typedef struct Line Line;
typedef struct Op Op;
typedef struct Rehearsal Rehearsal;
/* A send or receive of the rehearsal. */
struct Op {
    Rehearsal *rehearsal;
    Op *previous, *next; /* list of all operations, oldest first */
    Op *partner;         /* referenced; NULL before the match, and again when both have begun */
    Line *line;          /* the line whose step began it, and which waits for it */
    Line *prober;        /* the line whose probe waits for it to begin */
    Line *background;    /* the line of the collective whose end this operation is, or NULL */
    int refs;
    bool send, begun, done;
    MpiKey key;
    uint32_t to; /* world rank whose queue the operation meets */
    uint32_t pc;
    const char *name;
};

typedef enum StepKind { STEP_START, STEP_ALL, STEP_ANY, STEP_PROBE, STEP_BEGIN, STEP_END } StepKind;
typedef struct Step {
    StepKind kind;
    uint32_t n, at; /* number of operations; those before `at` are complete */
    Op *op;         /* the only operation, referenced */
    Op **ops;       /* n operations, referenced, if there are several */
    MpiKey key;     /* STEP_PROBE: the key of the probe */
    uint32_t pc;
    const char *name;
} Step;

typedef struct QueuedStep QueuedStep;
struct QueuedStep {
    QueuedStep *next; /* next of its line */
    Step step;
};

struct Line { /* the steps of a rank, or of a collective in the background */
    uint32_t rank;
    bool held;                /* of a collective in the background that has not begun */
    bool queued;              /* it is in the queue of lines that may go on */
    QueuedStep *first, *last; /* steps still to be done */
    GPtrArray *at_once;       /* Op, referenced: sends that the next wait must wait for, too */
    Line *next_ready;         /* the next line that may go on */
    uint32_t mark;            /* number of the walk that has passed the line, see tell_all() */
};

struct Rehearsal {
    MpiWorld *world;
    MpiPool ops;              /* of Op. Requests and messages have references to theirs in a note */
    MpiPool steps;            /* of QueuedStep */
    GHashTable *wholes;       /* request -> GPtrArray of the Ops of its parts; never iterated */
    Line **of_rank;           /* by rank; NULL: none yet */
    GHashTable *lines;        /* agent of a collective -> Line; never iterated */
    GPtrArray *all;           /* Line, in the order in which they were made */
    Line *ready, *ready_last; /* lines that may go on, in the order in which they were woken */
    Op *oldest, *newest;
    uint64_t kept; /* number of steps that wait, see MOST_STEPS */
    bool ended;
};

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

static Op *op_new(Rehearsal *rehearsal, Line *line, const MpiCall *call, bool send)
{
    Op *op = mpi_pool_take(&rehearsal->ops);
    op->rehearsal = rehearsal;
    op->refs = 1;
    op->previous = rehearsal->newest;
    *(rehearsal->newest ? &rehearsal->newest->next : &rehearsal->oldest) = op;
    rehearsal->newest = op;
    op->line = line;
    op->send = send;
    op->pc = call->pc;
    op->name = call->name;
    return op;
}

/* -- lines ------------------------------------------------------------------------------------- */

static Op *const *step_ops(const Step *step)
{
    return step->n == 1 ? &step->op : step->ops;
}

static void step_clear(const Step *step)
{
    for (uint32_t i = 0; i < step->n; i++)
        op_unref(step_ops(step)[i]);
    g_free(step->ops);
}

/* Returns the step that the line has come to; NULL: there is none. */
static const Step *line_step(const Line *line)
{
    return line->first ? &line->first->step : NULL;
}

static void line_push(Rehearsal *rehearsal, Line *line, const Step *step)
{
    QueuedStep *queued = mpi_pool_take(&rehearsal->steps);
    queued->step = *step;
    *(line->first ? &line->last->next : &line->first) = queued;
    line->last = queued;
    rehearsal->kept++;
}

static void line_pop(Rehearsal *rehearsal, Line *line)
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
    g_ptr_array_unref(line->at_once);
    g_free(line);
}

static Line *line_new(Rehearsal *rehearsal, uint32_t rank)
{
    Line *line = g_new0(Line, 1);
    line->rank = rank;
    line->at_once = g_ptr_array_new_with_free_func(op_unref);
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

static Line *line_of(Rehearsal *rehearsal, const MpiCall *call)
{
    uint32_t rank = call->rank->index;
    if (call->background)
        return background_line(rehearsal, call);
    if (!rehearsal->of_rank[rank])
        rehearsal->of_rank[rank] = line_new(rehearsal, rank);
    return rehearsal->of_rank[rank];
}

static void line_wake(Rehearsal *rehearsal, Line *line)
{
    if (line && !line->queued && !line->held && line->first) {
        line->queued = true;
        line->next_ready = NULL;
        *(rehearsal->ready ? &rehearsal->ready_last->next_ready : &rehearsal->ready) = line;
        rehearsal->ready_last = line;
    }
}

static void op_finish(Op *op)
{
    g_assert(op);
    op->done = true;
    line_wake(op->rehearsal, op->line);
}

/* Completes two partners if both have begun. */
static void pair_finish(Op *op)
{
    Op *partner = op->partner;
    if (!partner || !op->begun || !partner->begun)
        return;
    op_finish(op);
    op_finish(partner);
    op->partner = partner->partner = NULL;
    op_unref(op);
    op_unref(partner);
}

static void op_begin(Rehearsal *rehearsal, Op *op)
{
    g_assert(op);
    op->begun = true;
    line_wake(rehearsal, op->prober);
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
        line_wake(rehearsal, op->background);
        return true;
    case STEP_END: op_finish(op); return true;
    }
    return true;
}

static void rehearsal_end(Rehearsal *rehearsal, bool finished);

static void line_run(Rehearsal *rehearsal, Line *line)
{
    line->queued = false;
    while (line->first && step_do(rehearsal, &line->first->step))
        line_pop(rehearsal, line);
}

static void run_ready(Rehearsal *rehearsal)
{
    while (rehearsal->ready) {
        Line *line = rehearsal->ready;
        rehearsal->ready = line->next_ready;
        line_run(rehearsal, line);
    }
}

/* Adds a step. Takes the references in it. Most steps come to a line that has nothing else to do, and can be done at
 * once. */
static void line_add(Rehearsal *rehearsal, Line *line, Step step)
{
    bool idle = !line->first;
    if (idle && !line->held && step_do(rehearsal, &step)) {
        step_clear(&step);
        run_ready(rehearsal);
        return;
    }
    line_push(rehearsal, line, &step);
    if (idle)
        line_wake(rehearsal, line);
    run_ready(rehearsal);
    if (rehearsal->kept > MOST_STEPS)
        rehearsal_end(rehearsal, false);
}

static void line_start(Rehearsal *rehearsal, Line *line, Op *op)
{
    line_add(rehearsal, line, (Step){.kind = STEP_START, .n = 1, .op = op_ref(op)});
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
    rehearsal->of_rank = g_new0(Line *, world->n_ranks);
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
    Op *op = op_new(rehearsal, line, call, true);
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
    op_unref(op);
}

static void note_posted(MpiWorld *world, MpiCall *call, MpiRequest *request, bool claimed)
{
    (void)claimed;
    Rehearsal *rehearsal = rehearsal_of(world);
    if (rehearsal->ended)
        return;
    Line *line = line_of(rehearsal, call);
    Op *op = op_new(rehearsal, line, call, false);
    op->key = request->item.key;
    op->to = call->rank->index;
    note_op(request_note(request), op);
    note_part(rehearsal, request, op);
    line_start(rehearsal, line, op);
    op_unref(op);
}

static void note_matched(MpiWorld *world, MpiRequest *receive, MpiMessage *message)
{
    Rehearsal *rehearsal = rehearsal_of(world);
    Op *to = op_of(receive), *from = *message_note(message);
    if (rehearsal->ended || !to || !from)
        return;
    to->partner = op_ref(from);
    from->partner = op_ref(to);
    note_op(message_note(message), NULL);
    pair_finish(to);
    run_ready(rehearsal);
}

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
    op_finish(op);
    run_ready(rehearsal);
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
    if (rehearsal->ended)
        return;
    Line *line = line_of(rehearsal, call);
    GPtrArray *ops = line->at_once;
    for (unsigned i = 0; i < n; i++)
        if (requests[i])
            add_request(rehearsal, ops, requests[i]);
    Step step = {.kind = any ? STEP_ANY : STEP_ALL, .n = ops->len, .pc = call->pc, .name = call->name};
    if (!step.n)
        return;
    if (step.n == 1) {
        step.op = g_ptr_array_steal_index(ops, 0);
    } else {
        step.ops = (Op **)g_ptr_array_free(ops, FALSE);
        line->at_once = g_ptr_array_new_with_free_func(op_unref);
    }
    line_add(rehearsal, line, step);
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
                    .op = op_ref(op),
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
    Op *op = op_new(rehearsal, line, call, false);
    op->begun = true;
    op->background = background_line(rehearsal, agent);
    op->background->held = true;
    note_op(request_note(request), op);
    line_add(rehearsal, line, (Step){.kind = STEP_BEGIN, .n = 1, .op = op_ref(op)});
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
    line_add(rehearsal, line, (Step){.kind = STEP_END, .n = 1, .op = op_ref(op)});
}

/* -- the end of the run ------------------------------------------------------------------------ */

static bool fits(const Op *receive, const Op *send)
{
    return send->send && send->begun && !send->done && send->to == receive->to &&
           mpi_match_accepts(receive->key, send->key);
}

/* Lets a receive from any source take the oldest message that has begun, instead of the one that it took in the run. */
static bool take_another(Rehearsal *rehearsal, Op *receive)
{
    for (Op *send = rehearsal->oldest; send; send = send->next)
        if (fits(receive, send)) {
            op_finish(receive);
            op_finish(send);
            return true;
        }
    return false;
}

static bool is_choice(const Op *op)
{
    return !op->send && op->begun && !op->done && op->key.source == MPI_ANY_SOURCE_ && !op->background;
}

/* Lets a waiting probe find another message, as take_another() does for receives. */
static bool probe_another(Rehearsal *rehearsal, Line *line)
{
    const Step *step = line_step(line);
    if (!step || step->kind != STEP_PROBE || step->key.source != MPI_ANY_SOURCE_)
        return false;
    Op asked = {.key = step->key, .to = line->rank};
    for (const Op *send = rehearsal->oldest; send; send = send->next)
        if (fits(&asked, send)) {
            line_pop(rehearsal, line);
            line_wake(rehearsal, line);
            return true;
        }
    return false;
}

enum { MOST_CHOICES = 100000 };

static void choose_others(Rehearsal *rehearsal)
{
    bool chosen = true;
    for (unsigned turns = 0; chosen && turns < MOST_CHOICES; turns++) {
        chosen = false;
        for (Op *op = rehearsal->oldest; op && !chosen; op = op->next)
            chosen = is_choice(op) && take_another(rehearsal, op);
        for (guint i = 0; i < rehearsal->all->len && !chosen; i++)
            chosen = probe_another(rehearsal, rehearsal->all->pdata[i]);
        run_ready(rehearsal);
    }
}

/* Returns the incomplete operation that the line cannot go on without; NULL: the line can go on. */
static Op *missing_op(const Line *line)
{
    const Step *step = line_step(line);
    Op *missing = NULL;
    if (!step || line->held)
        return NULL;
    for (uint32_t i = step->at; i < step->n; i++) {
        Op *op = step_ops(step)[i];
        if (!op->done && (!missing || (!missing->partner && op->partner)))
            missing = op;
    }
    return missing;
}

/* Returns the line that must advance before this one can; NULL: there is none. */
static Line *line_ahead(const Line *line)
{
    const Step *step = line_step(line);
    const Op *op = missing_op(line);
    if (!op)
        return NULL;
    if (step->kind == STEP_PROBE)
        return op->line;
    return op->background ? op->background : op->partner ? op->partner->line : NULL;
}

static void append_op(GString *out, const Rehearsal *rehearsal, const Op *op)
{
    g_string_append_printf(out, "%s at ", op->name);
    mpi_append_place(out, mpi_world_rank(rehearsal->world, op->line->rank)->process, op->pc);
}

static void append_wait(GString *out, const Rehearsal *rehearsal, const Line *line, const Step *step, const Op *op)
{
    g_string_append_printf(out, "%s at ", step->name);
    mpi_append_place(out, mpi_world_rank(rehearsal->world, line->rank)->process, step->pc);
    if (step->kind != STEP_PROBE && (step->pc != op->pc || step->name != op->name)) {
        g_string_append(out, ", for ");
        append_op(out, rehearsal, op);
        g_string_append_c(out, ',');
    }
    g_string_append(out, " would wait for ever if standard sends did not buffer: ");
}

static const char receive_first[] =
    "use MPI_Sendrecv, start receives with MPI_Irecv before sending, or let one side receive first; --eager-limit 0 "
    "shows it happen";
static const char order_them[] = "call collectives of several communicators, and receives that others wait for, in the "
                                 "same order on all ranks; --eager-limit 0 shows it happen";

/* Whether another check reports the operation. An unmatched send or receive is reported as lost, and a collective that
 * lacks members as a mismatch. Then the cause is not buffering. */
static bool is_told_otherwise(const Rehearsal *rehearsal, const Op *op)
{
    return mpi_check_is_on(rehearsal->world, op->key.space & 1 ? MPI_CHECK_COLLECTIVES : MPI_CHECK_LOST);
}

static void tell_line(const Rehearsal *rehearsal, const Line *line, const char *detail)
{
    const Step *step = line_step(line);
    const Op *op = missing_op(line), *other = step->kind == STEP_PROBE ? op : op->partner;
    g_autoptr(GString) what = g_string_new(NULL);
    append_wait(what, rehearsal, line, step, op);
    g_assert(op);
    if (!other) {
        g_string_append(what, op->send ? "nobody receives its message" : "nobody sends it a message");
    } else {
        append_op(what, rehearsal, other);
        g_string_append(what, other->send ? ", which sends its message, comes only after a wait in the same circle"
                                          : ", which receives its message, comes only after a wait in the same circle");
    }
    bool collective = op->key.space & 1;
    mpi_finding_add(mpi_world_rank(rehearsal->world, line->rank), MPI_CHECK_BUFFERING, UINT64_MAX, what->str, detail,
                    collective ? order_them : receive_first);
}

enum { LONGEST_CYCLE = 16 };

static char *describe_cycle(const Line *start)
{
    GString *out = g_string_new("ranks that wait for each other: ");
    const Line *at = start;
    unsigned n = 0;
    g_string_append_printf(out, "%u", start->rank);
    do {
        const Line *next = line_ahead(at);
        if (next->rank != at->rank && (++n <= LONGEST_CYCLE || next == start))
            g_string_append_printf(out, " -> %u", next->rank);
        else if (n == LONGEST_CYCLE + 1)
            g_string_append(out, " -> ...");
        at = next;
    } while (at != start);
    return g_string_free(out, FALSE);
}

/* Reports a cycle. If a background line is part of it, its steps are those of the call that began the collective. */
static void tell_cycle(const Rehearsal *rehearsal, const Line *start)
{
    g_autofree char *detail = describe_cycle(start);
    const Line *at = start;
    do {
        const Op *op = missing_op(at);
        if (!op->background)
            tell_line(rehearsal, at, detail);
        at = line_ahead(at);
    } while (at != start);
}

static gint compare_lines(gconstpointer a, gconstpointer b)
{
    const Line *x = *(Line *const *)a, *y = *(Line *const *)b;
    return x->rank < y->rank ? -1 : x->rank > y->rank; /* the sort is stable, so lines of a rank stay in the order in
                                                        * which they were made */
}

/* Finds all cycles. Each walk marks the lines that it passes with its own number; meeting that mark again closes a
 * cycle. */
static void tell_all(Rehearsal *rehearsal, bool finished)
{
    for (guint i = 0; i < rehearsal->all->len; i++) {
        Line *start = rehearsal->all->pdata[i], *at = start;
        while (!at->mark) {
            Line *next = line_ahead(at);
            at->mark = i + 1;
            if (!next)
                break;
            at = next;
        }
        const Line *next = line_ahead(at);
        if (next && at->mark == i + 1)
            tell_cycle(rehearsal, at);
        else if (!next && at->mark == i + 1 && missing_op(at) && finished &&
                 !is_told_otherwise(rehearsal, missing_op(at)))
            tell_line(rehearsal, at, NULL);
    }
}

static void rehearsal_end(Rehearsal *rehearsal, bool finished)
{
    if (rehearsal->ended)
        return;
    rehearsal->ended = true;
    choose_others(rehearsal);
    g_ptr_array_sort(rehearsal->all, compare_lines);
    tell_all(rehearsal, finished);
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
    mpi_hooks_add(world, &(MpiHooks){.sent = note_sent,
                                     .posted = note_posted,
                                     .matched = note_matched,
                                     .dropped = note_dropped,
                                     .waits = note_wait,
                                     .probed = note_probed,
                                     .cancelled = note_cancelled,
                                     .gone = note_gone,
                                     .background_begun = note_background,
                                     .collective_ended = note_ended});
}

const MpiPart mpi_part_rehearsal = {.begin = begin, .end = end};
