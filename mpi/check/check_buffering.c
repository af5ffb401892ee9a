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
    Op **ops;       /* n operations, referenced */
    MpiKey key;     /* STEP_PROBE: the key of the probe */
    uint32_t pc;
    const char *name;
} Step;

struct Line { /* the steps of a rank, or of a collective in the background */
    uint32_t rank;
    bool held;          /* of a collective in the background that has not begun */
    bool queued;        /* it is in the queue of lines that may go on */
    GQueue steps;       /* Step: those still to be done */
    GPtrArray *at_once; /* Op, referenced: sends that the next wait must wait for, too */
    uint32_t mark;      /* number of the walk that has passed the line, see tell_all() */
};

struct Rehearsal {
    MpiWorld *world;
    GHashTable *ops;    /* request or message -> Op, referenced; never iterated */
    GHashTable *wholes; /* request -> GPtrArray of the Ops of its parts; never iterated */
    GHashTable *lines;  /* agent of a collective, or number of a rank + 1 -> Line; never iterated */
    GPtrArray *all;     /* Line, in the order in which they were made */
    GQueue ready;       /* Line: those that may go on */
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
    g_slice_free(Op, op);
}

static Op *op_ref(Op *op)
{
    op->refs++;
    return op;
}

static Op *op_new(Rehearsal *rehearsal, Line *line, const MpiCall *call, bool send)
{
    Op *op = g_slice_new0(Op);
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

static void step_free(gpointer data)
{
    Step *step = data;
    for (uint32_t i = 0; i < step->n; i++)
        op_unref(step->ops[i]);
    g_free(step->ops);
    g_slice_free(Step, step);
}

static void line_free(gpointer data)
{
    Line *line = data;
    g_queue_clear_full(&line->steps, step_free);
    g_ptr_array_unref(line->at_once);
    g_free(line);
}

static Line *line_new(Rehearsal *rehearsal, gpointer key, uint32_t rank)
{
    Line *line = g_new0(Line, 1);
    line->rank = rank;
    line->at_once = g_ptr_array_new_with_free_func(op_unref);
    g_queue_init(&line->steps);
    g_hash_table_insert(rehearsal->lines, key, line);
    g_ptr_array_add(rehearsal->all, line);
    return line;
}

static Line *line_of(Rehearsal *rehearsal, const MpiCall *call)
{
    gpointer key = call->background ? (gpointer)call : GUINT_TO_POINTER(call->rank->index + 1);
    Line *line = g_hash_table_lookup(rehearsal->lines, key);
    return line ? line : line_new(rehearsal, key, call->rank->index);
}

static void line_wake(Rehearsal *rehearsal, Line *line)
{
    if (line && !line->queued && !line->held && line->steps.length) {
        line->queued = true;
        g_queue_push_tail(&rehearsal->ready, line);
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
    while (step->at < step->n && step->ops[step->at]->done)
        step->at++;
    return step->at == step->n;
}

static bool any_complete(const Step *step)
{
    for (uint32_t i = 0; i < step->n; i++)
        if (step->ops[i]->done)
            return true;
    return step->n == 0;
}

/* Does the step if that is possible. Returns false if not. */
static bool step_do(Rehearsal *rehearsal, Step *step)
{
    Op *op = step->n ? step->ops[0] : NULL;
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
    while (line->steps.length && step_do(rehearsal, g_queue_peek_head(&line->steps))) {
        step_free(g_queue_pop_head(&line->steps));
        rehearsal->kept--;
    }
}

static void run_ready(Rehearsal *rehearsal)
{
    while (rehearsal->ready.length)
        line_run(rehearsal, g_queue_pop_head(&rehearsal->ready));
}

/* Adds a step. Takes the references in `ops`. */
static void line_add(Rehearsal *rehearsal, Line *line, Step step)
{
    g_queue_push_tail(&line->steps, g_slice_dup(Step, &step));
    rehearsal->kept++;
    if (line->steps.length == 1)
        line_wake(rehearsal, line);
    run_ready(rehearsal);
    if (rehearsal->kept > MOST_STEPS)
        rehearsal_end(rehearsal, false);
}

static Op **one_op(Op *op)
{
    Op **ops = g_new(Op *, 1);
    ops[0] = op_ref(op);
    return ops;
}

static void line_start(Rehearsal *rehearsal, Line *line, Op *op)
{
    line_add(rehearsal, line, (Step){.kind = STEP_START, .n = 1, .ops = one_op(op)});
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
    rehearsal->ops = g_hash_table_new_full(NULL, NULL, NULL, op_unref);
    rehearsal->wholes = g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)g_ptr_array_unref);
    rehearsal->lines = g_hash_table_new(NULL, NULL);
    rehearsal->all = g_ptr_array_new_with_free_func(line_free);
    g_queue_init(&rehearsal->ready);
    return rehearsal;
}

/* Drops all operations. Partners refer to each other, so they are separated first. */
static void drop_all(Rehearsal *rehearsal)
{
    Op *op = rehearsal->oldest ? op_ref(rehearsal->oldest) : NULL;
    while (op) {
        Op *next = op->next ? op_ref(op->next) : NULL;
        if (op->partner)
            op_unref(g_steal_pointer(&op->partner));
        op_unref(op);
        op = next;
    }
    g_ptr_array_set_size(rehearsal->all, 0);
    g_hash_table_remove_all(rehearsal->lines);
    g_hash_table_remove_all(rehearsal->ops);
    g_hash_table_remove_all(rehearsal->wholes);
}

static void rehearsal_free(void *data)
{
    Rehearsal *rehearsal = data;
    drop_all(rehearsal);
    g_hash_table_unref(rehearsal->ops);
    g_hash_table_unref(rehearsal->wholes);
    g_hash_table_unref(rehearsal->lines);
    g_ptr_array_unref(rehearsal->all);
    g_queue_clear(&rehearsal->ready);
    g_free(rehearsal);
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
    g_hash_table_insert(rehearsal->ops, (gpointer)message, op_ref(op));
    if (!request)
        g_ptr_array_add(line->at_once, op_ref(op));
    else if (!request->attached)
        g_hash_table_insert(rehearsal->ops, (gpointer)request, op_ref(op));
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
    g_hash_table_insert(rehearsal->ops, (gpointer)request, op_ref(op));
    note_part(rehearsal, request, op);
    line_start(rehearsal, line, op);
    op_unref(op);
}

static void note_matched(MpiWorld *world, MpiRequest *receive, MpiMessage *message)
{
    Rehearsal *rehearsal = rehearsal_of(world);
    Op *to = g_hash_table_lookup(rehearsal->ops, receive), *from = g_hash_table_lookup(rehearsal->ops, message);
    if (rehearsal->ended || !to || !from)
        return;
    to->partner = op_ref(from);
    from->partner = op_ref(to);
    g_hash_table_remove(rehearsal->ops, message);
    pair_finish(to);
    run_ready(rehearsal);
}

static void note_dropped(MpiWorld *world, MpiMessage *message)
{
    g_hash_table_remove(rehearsal_of(world)->ops, message);
}

static void note_gone(MpiWorld *world, MpiRequest *request)
{
    g_hash_table_remove(rehearsal_of(world)->ops, request);
    g_hash_table_remove(rehearsal_of(world)->wholes, request);
}

static void note_cancelled(MpiWorld *world, MpiRequest *request)
{
    Rehearsal *rehearsal = rehearsal_of(world);
    Op *op = g_hash_table_lookup(rehearsal->ops, request);
    if (rehearsal->ended || !op)
        return;
    op_finish(op);
    run_ready(rehearsal);
}

static void add_request(Rehearsal *rehearsal, GPtrArray *ops, const MpiRequest *request)
{
    Op *op = g_hash_table_lookup(rehearsal->ops, request);
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
    line->at_once = g_ptr_array_new_with_free_func(op_unref);
    for (unsigned i = 0; i < n; i++)
        if (requests[i])
            add_request(rehearsal, ops, requests[i]);
    Step step = {.kind = any ? STEP_ANY : STEP_ALL, .n = ops->len, .pc = call->pc, .name = call->name};
    step.ops = (Op **)g_ptr_array_free(ops, FALSE);
    if (!step.n) {
        g_free(step.ops);
        return;
    }
    line_add(rehearsal, line, step);
}

/* The call has waited for the message and goes on. */
static void note_probed(MpiWorld *world, MpiCall *call, MpiMessage *message, bool claims)
{
    Rehearsal *rehearsal = rehearsal_of(world);
    bool waits = call->function == MPI_FUNCTION_Probe || call->function == MPI_FUNCTION_Mprobe;
    Op *op = waits && message ? g_hash_table_lookup(rehearsal->ops, message) : NULL;
    (void)claims;
    if (rehearsal->ended || !op)
        return;
    Line *line = line_of(rehearsal, call);
    op->prober = line;
    line_add(rehearsal, line,
             (Step){.kind = STEP_PROBE,
                    .n = 1,
                    .ops = one_op(op),
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
    op->background = line_new(rehearsal, agent, call->rank->index);
    op->background->held = true;
    g_hash_table_insert(rehearsal->ops, (gpointer)request, op_ref(op));
    line_add(rehearsal, line, (Step){.kind = STEP_BEGIN, .n = 1, .ops = one_op(op)});
    op_unref(op);
}

static void note_ended(MpiWorld *world, MpiCall *agent, MpiSchedule *schedule, MpiRequest *request)
{
    (void)schedule;
    if (!request)
        return;
    Rehearsal *rehearsal = rehearsal_of(world);
    Line *line = g_hash_table_lookup(rehearsal->lines, agent);
    Op *op = g_hash_table_lookup(rehearsal->ops, request);
    if (rehearsal->ended || !line || !op)
        return;
    g_hash_table_remove(rehearsal->lines, agent);
    line_add(rehearsal, line, (Step){.kind = STEP_END, .n = 1, .ops = one_op(op)});
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
    const Step *step = g_queue_peek_head(&line->steps);
    if (!step || step->kind != STEP_PROBE || step->key.source != MPI_ANY_SOURCE_)
        return false;
    Op asked = {.key = step->key, .to = line->rank};
    for (const Op *send = rehearsal->oldest; send; send = send->next)
        if (fits(&asked, send)) {
            step_free(g_queue_pop_head(&line->steps));
            rehearsal->kept--;
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
    const Step *step = g_queue_peek_head((GQueue *)&line->steps);
    Op *missing = NULL;
    if (!step || line->held)
        return NULL;
    for (uint32_t i = step->at; i < step->n; i++) {
        Op *op = step->ops[i];
        if (!op->done && (!missing || (!missing->partner && op->partner)))
            missing = op;
    }
    return missing;
}

/* Returns the line that must advance before this one can; NULL: there is none. */
static Line *line_ahead(const Line *line)
{
    const Step *step = g_queue_peek_head((GQueue *)&line->steps);
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
    const Step *step = g_queue_peek_head((GQueue *)&line->steps);
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
